#pragma once
// Stones that are being packed: where each stands at the present scale of all of them, and how it
// gives way.
#include "arena.h"
#include "packing.h"
#include "stone_piece.h"

// What stones of one shape share.
typedef struct {
  Shape shape;       // origin at the centre of mass
  vec3 *middles;     // [pieces] centres of mass of its parts, m
  int piece_count;   // parts, or one ball or ellipsoid
  double gyration;   // square of the mean radius of gyration, m2
} StoneForm;

typedef struct {
  const StoneForm *form;
  vec3 place;   // of its centre of mass, m
  quat turn;
  double yield;        // how readily it moves: mean radius of all stones over its own
  int first_piece;     // of packed pieces
  vec3 place_listed;   // when pairs were listed, m
  vec3 inside;         // the last place of the middle of its first piece that the room holds, m
} PackedStone;

// Two stones that may come near each other, or a stone and a triangle of the room's surface.
typedef struct {
  int32_t a, b;   // a < b; b >= count: triangle b - count
  vec3 axis;      // along which they were apart; zero: none is known
} StonePair;

typedef struct {
  const StonePacking *packing;
  int count;
  PackedStone *stones;     // [count]
  StonePiece *pieces;      // of all stones
  vec3 *points;            // of all pieces, m
  int *first_point;        // [pieces] into points
  Ellipsoid *ellipsoids;   // [pieces]
  double scale;            // of all stones, above 0
  int triangle_count;
  StonePiece *triangles;   // [triangle_count] of the room's surface
  PieceScratch scratch;
  double scale_listed;   // when pairs were listed; 0: they are not
  int pair_count;
  StonePair *pairs;   // ascending
  Arena lists[2];     // memory of pairs and of those before them
  int list;           // that holds the pairs
} PackedStones;

// Local. Stones of a packing, without places. Memory from the arena; packed_stones_destroy.
PackedStones packed_stones_new(const StonePacking *packing, Arena *arena);
void packed_stones_destroy(PackedStones *p);

// Local. Puts all stones to random places, small: attempt number so and so.
void packed_stones_scatter(PackedStones *p, uint64_t attempt, double scale);

// Local. Gives all stones another scale.
void packed_stones_set_scale(PackedStones *p, double scale);

// Local. Writes the pieces of a stone, whose place or turn was changed.
void packed_stones_put(PackedStones *p, int stone);

// Local. Moves and turns a stone so that a point (m) of it gives way along a unit normal, by that
// much (m) or more where relaxation is more than one.
void packed_stones_push(PackedStones *p, int stone, vec3 normal, vec3 at, double by);

// Local. The same of two stones, which share it as they yield: a moves against the axis, b along.
void packed_stones_part(PackedStones *p, int a, int b, const PieceAxis *axis, double by);

// Local. Radius of the sphere about the centre of mass that holds a stone, m.
static inline double packed_stones_radius(const PackedStones *p, int stone)
{
  return p->scale * p->stones[stone].form->shape.radius;
}

// Local. How far it is moved away from what it meets, m.
static inline double packed_stones_margin(const PackedStones *p, int stone)
{
  return 1e-3 * p->scale * p->stones[stone].form->shape.inradius;
}

// Gaps below this share of the margin are closed.
#define PACKED_STONES_LEAST 0.1
