#pragma once
// Who touches whom, as the solvers walk through it: pairs by colour, the pairs of each body, who
// must hear of which velocity. All of it follows from the keys of contacts and their owners, so
// that it holds as long as these stay.
#include "arena.h"
#include "bodies.h"
#include "colour.h"
#include "contacts.h"
#include "copies.h"
#include "halo.h"
#include "joints.h"

typedef struct {
  int row_count, own_rows;         // of bodies
  int point_count, owned_points;   // all known points; those of own pairs
  unsigned char *owned;            // [point_count] the pair belongs to this rank
  int pair_count;
  SolverPair *pairs;   // by colour, then by key
  int *contacts;       // [pair_count] row of the first point's contact; the next points' follow
  JointSpan *joints;   // [pair_count]; NULL: there are none
  int colour_count;
  int *colour_start;              // [colour_count + 1] into pairs
  HaloPlan *before_colour;        // [colour_count] velocities to refresh before each colour
  HaloPlan all;                   // velocities of all bodies that boundary pairs touch
  HaloPlan swept;                 // of those alone that sweeps here need
  Copies copies;                  // of bodies with many pairs
  int *body_start, *body_pairs;   // pairs of each own row in order of key: 2 * pair, one more where
                                  // the body is the higher one
} ContactGraph;

// What lasts from step to step and only saves work. Zeros are a cold one.
typedef struct {
  ContactGraph graph;
  Arena arena;    // what the graph lies in
  int64_t made;   // graphs so far: as long as it stays, so does the graph, on all ranks

  // what the graph was made of: bodies, owners of ghosts, contacts
  int row_count, own_rows, contact_count, own_contacts;
  uint64_t *ids;
  int32_t *drives;
  int *ghost_ranks;
  int run_count;     // of contacts of the same two bodies, own ones first
  IdPair *run_ids;   // [run_count]
  int *run_ends;     // [run_count] rows of contacts, where the next run begins
  int joint_count, own_joints;
  IdPair *joint_ids;   // [joint_count]

  // pairs that have these colours; more points of a pair do not change them
  int pair_count, colour_count;
  IdPair *pair_ids;
  int *pair_ranks, *colours;
} GraphCache;

// What a graph is made of.
typedef struct {
  const Bodies *bodies;       // own and ghost rows, each sorted by id
  const int *ghost_ranks;     // owners of the ghost rows
  const Contacts *contacts;   // own and ghost rows, each sorted by key
  const Joints *joints;       // likewise; NULL: there are none
  int most_pairs;             // of a body that is not split, even
} GraphSource;

// Collective. The graph of the contacts and joints between bodies. Pairs of bodies neither of which
// is dynamic have no points. With a cache it lies there, valid until the next call; without, all of
// it is made anew in the arena, equal to the bit.
const ContactGraph *graph_find(GraphCache *cache, GraphSource source, Arena *arena);

// Local. Releases what a cache holds.
void graph_cache_destroy(GraphCache *cache);
