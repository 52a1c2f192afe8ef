// Points of patches by the faces of the finer mesh.
#include "sampled_patches.h"

#include <assert.h>

#include "check.h"
#include "contacts.h"
#include "patch_shares.h"

#define MOST_NUMBERS 32   // points with the same face

// A number for a point among those before it that have the same face.
static int number_of(const Sampling *sampling, int point)
{
  int number = 0;
  for (int k = 0; k < point; k++) number += sampling->point[k].face == sampling->point[point].face;
  assert(number < MOST_NUMBERS && "a piece of a face has few corners");
  return number;
}

static void sample(const SampledPair *pair, Patch *patch, Arena *arena)
{
  const int known = patch->point_count;
  vec3 *places = arena_allocate(arena, (size_t)known * sizeof *places);
  double *gaps = arena_allocate(arena, (size_t)known * sizeof *gaps);
  for (int k = 0; k < known; k++) {
    places[k] = patch->points[k].point;
    gaps[k] = patch->points[k].gap;
  }
  const PatchPlane plane = patch_plane_new(patch->normal, places, known);
  const PlaneLinear gap = patch_plane_fit(&plane, places, gaps, known);
  const Figure hull = patch_plane_hull(&plane, places, known, arena);
  if (hull.count < 3) return;
  const MeshedBody a = {pair->mesh_a, pair->a->rotation, {0, 0, 0}},
                   b = {pair->mesh_b, pair->b->rotation,
                        vec3_sub(pair->b->center, pair->a->center)};
  const MeshFaces sides[2] = {mesh_faces_new(&plane, &a, arena), mesh_faces_new(&plane, &b, arena)};
  const int cut = mesh_faces_cut(sides);
  const MeshFaces *side = &sides[cut];
  if (!(side->shortest < INFINITY)) return;   // it lies on no face of a mesh
  const SamplingReach reach = {SAMPLED_SAME * side->shortest, SAMPLED_NEAR * side->shortest,
                               SAMPLED_ALONG};
  const Sampling sampling = patch_sampling_new(&hull, &side->faces, reach, arena);
  double area = 0;
  for (int k = 0; k < sampling.count; k++) area += sampling.point[k].area;
  if (sampling.count < 3 || !(area > 0)) return;

  PatchPoint *points = arena_allocate(arena, (size_t)sampling.count * sizeof *points);
  for (int k = 0; k < sampling.count; k++) {
    const SamplingPoint *from = &sampling.point[k];
    const int number = side->number[from->face] * MOST_NUMBERS + number_of(&sampling, k);
    points[k] = (PatchPoint){.point = patch_plane_place(&plane, from->u, from->v),
                             .gap = patch_plane_value(&gap, from->u, from->v),
                             .area = from->area * (patch->area / area),
                             .part_a = patch->part_a,
                             .part_b = patch->part_b,
                             .feature_a = feature_new(FEATURE_FACE, cut),
                             .feature_b = feature_new(FEATURE_NUMBER, number),
                             .axis_a = patch->axis_a,
                             .axis_b = patch->axis_b};
  }
  patch->points = points;
  patch->point_count = sampling.count;
}

void sampled_patches_take(const SampledPair *pair, PatchSet *set, Arena *arena)
{
  assert((pair->mesh_a || pair->mesh_b) && "one of the bodies has a mesh");
  assert(set->patch_count >= 0 && "patches are counted");
  for (int p = 0; p < set->patch_count; p++)
    if (set->patches[p].area > 0) sample(pair, &set->patches[p], arena);
}

bool sampled_patches_have(uint32_t feature_a, uint32_t feature_b)
{
  assert_debug(FEATURE_NUMBER > FEATURE_FACE && "kinds of features differ");
  return feature_kind(feature_a) == FEATURE_FACE && feature_kind(feature_b) == FEATURE_NUMBER;
}
