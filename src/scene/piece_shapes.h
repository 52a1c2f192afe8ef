#pragma once
// Pieces of the bodies of a group: their shapes, the cells of each, and the law between them.
#include "arena.h"
#include "case.h"
#include "scene.h"

// Local. In the place of each shape come those of its pieces, in the order of their numbers; the
// last ones stay whole. NULL, or a phrase (arena) that says what to change.
const char *piece_shapes(const BodyGroup *group, int uncut, Arena *arena, ShapeRecipe **shapes,
                         int *shape_count);

// Local. The finite elements of a shape of a group, by its number among those of the group.
ElasticMesh piece_mesh(const BodyGroup *group, int shape);

// Local. Tells the laws of a prepared case what holds pieces together (arena).
void piece_laws(Case *c);

// Local. Leads the ends of joints and probes that name a body in pieces to the one where their
// place is, the nearest one outside; of equals the first.
void piece_ends(Case *c);

// Local. The ids of all pieces of the body that a body is one of, or its own.
IdRange piece_siblings(const Case *c, uint64_t id);
