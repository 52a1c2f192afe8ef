#pragma once
// Who has the bodies at the other ends of joints: they are ghosts wherever they are.
#include "box_overlap.h"
#include "halo.h"
#include "world.h"

// Collective. What ranks need of each other for the joints between their bodies, in the scratch
// arena of the world. Own rows are sorted by id.
HaloWishes partners_find(World *world);

// Local. Owners or bodies have changed: the next call asks anew. On all ranks alike.
void partners_forget(World *world);

// Local. Releases what is kept.
void partners_destroy(Partners *partners);

// Two dynamic bodies that joints hold together: an edge of the graph that is partitioned.
typedef struct {
  BoxPair pair;     // rows of the bodies, the first below the second
  int64_t points;   // rows of their joints
} PartnerEdge;

typedef struct {
  int count;
  const PartnerEdge *edges;   // sorted, each pair once
} PartnerEdges;

// Local. Those with an own body; partners are among the ghosts.
PartnerEdges partners_edges(const World *world, Arena *arena);

// Local. Rows of joints between two rows of bodies; 0: none.
int64_t partners_edge_points(const PartnerEdges *joined, BoxPair pair);
