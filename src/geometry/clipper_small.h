#pragma once
// A convex solid of few vertices that is cut by one plane after another, made for speed: three
// edges meet in every vertex, so that the solid is no more than fixed rows of numbers.
// Local.
//
// A vertex lies in a slot; a word of bits says which slots are in use. The half of an edge that
// leaves the vertex in slot v is dart 4 v + k, k = 0, 1, 2 clockwise seen from outside; 4 v + 3 is
// none. The twin of a dart is the other half of its edge. A face lies to the left of its darts; the
// dart that follows d around it is the one after twin(d), clockwise around that vertex. Whatever
// the signs of the vertices are, a cut leaves such a map behind, so that nothing can break down.
#include <stdbool.h>
#include <stdint.h>

#include "check.h"
#include "clipper.h"
#include "polyhedron.h"

#define SMALL_SLOTS 64
#define SMALL_DARTS (4 * SMALL_SLOTS)
#define SMALL_LABELS 1024

typedef struct {
  uint64_t used;                   // bit v: slot v holds a vertex
  int cleared;                     // slots below hold numbers, whether in use or not
  double points[SMALL_SLOTS][4];   // x, y, z (m), 1
  uint8_t twin[SMALL_DARTS];
  uint16_t label[SMALL_DARTS];   // face to the left, a number below SMALL_LABELS given by the user
  uint8_t entry[SMALL_LABELS];   // of a face that is being cut: slot of the new vertex where its
                                 // loop comes back below the plane
} SmallSolid;

// The dart after d, clockwise around its vertex.
static inline unsigned small_turn(unsigned d)
{
  assert_debug((d & 3) != 3 && d < SMALL_DARTS && "a vertex has three darts");
  return d + 1 - 3 * (d >> 1 & 1);
}

// The dart after d around the face to its left.
static inline unsigned small_next(const SmallSolid *s, unsigned d)
{
  assert_debug(d < SMALL_DARTS && "a dart leaves a slot");
  return small_turn(s->twin[d]);
}

static inline vec3 small_vertex(const SmallSolid *s, unsigned slot)
{
  assert_debug(slot < SMALL_SLOTS && "a vertex lies in a slot");
  return vec3_new(s->points[slot][0], s->points[slot][1], s->points[slot][2]);
}

// Darts of a solid with three edges in every vertex, as it is before any cut: a rigid motion leaves
// them as they are.
struct SmallDarts {
  double push_limit;               // planes may move outward by less than this, m: no edge vanishes
  uint8_t twin[SMALL_DARTS / 2];   // [4 vertex_count]
  uint8_t face[SMALL_DARTS / 2];   // [4 vertex_count] to the left
};

// Local. Darts of a polyhedron, NULL where more than three edges meet in a vertex or there are more
// vertices than half of the slots. Memory from the arena.
const SmallDarts *clipper_small_darts_new(const Polyhedron *p, Arena *arena);

// Local. Fills in a polyhedron that has darts; its faces get the labels from first_label on.
void clipper_small_start_polyhedron(SmallSolid *s, const Polyhedron *p, int first_label);

// Local. The same with planes pushed outward by a margin (m) below the push_limit.
void clipper_small_start_dilated(SmallSolid *s, const Polyhedron *p, double margin,
                                 int first_label);

// Local. Fills in a box, faces -x, +x, -y, +y, -z, +z.
void clipper_small_start_box(SmallSolid *s, vec3 low, vec3 high, int first_label);

// Local. Removes what is not below the plane n.x = offset; one sign a vertex decides topology.
// CUT_BROKEN: there are not enough slots; the solid is as before.
CutResult clipper_small_cut(SmallSolid *s, vec3 normal, double offset, int label);
