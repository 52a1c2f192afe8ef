#pragma once
// Patches of a pair of rows beside what the contact model finds: points of meshes, and those that
// pieces of one body share with others. Local.
#include "poses.h"

// May contact be between two rows, whoever looks for it?
bool pair_patches_allowed(const DetectInput *in, int low, int high);

// May the surface of one of them be beside its shape?
bool pair_patches_displaced(const DetectInput *in, int low, int high);

// How far two bodies can close within the step, m; the extent of the smaller one, m.
double pair_patches_reach(const DetectInput *in, const PosedBody *low, const PosedBody *high);
double pair_patches_extent(const PosedBody *low, const PosedBody *high);

// Is a row a piece of a body that nothing parts?
bool pair_patches_piece(const DetectInput *in, int row);

// Gives patches of two rows their points, one of which is of finite elements.
void pair_patches_sample(Poses *poses, int low, int high, PatchSet *set);

// Marks points of two bodies at places that pieces of one of them share (shared_places.h), of two
// pieces of one body those that they hang together by. All pieces are posed.
void pair_patches_share(Poses *poses, int low, int high, PatchSet *set);
void pair_patches_share_weld(Poses *poses, int low, int high, PatchSet *set);
