// Points of patches by the faces of the finer mesh.
#include "sampled_patches.h"

#include <assert.h>

#include "check.h"
#include "contacts.h"
#include "patch_shares.h"

#define MOST_NUMBERS 32   // points with the same face
#define ON_FACE 0.1       // of its reach: how far from a face of a mesh is on it
#define LOOKS_ALONG 0.9   // cosine

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
  const PosedBody *low = pair->a.body, *high = pair->b.body;
  const MeshedBody a = {pair->a.mesh, low->rotation, {0, 0, 0}},
                   b = {pair->b.mesh, high->rotation, vec3_sub(high->center, low->center)};
  MeshFaces sides[2] = {mesh_faces_new(&plane, &a, arena), mesh_faces_new(&plane, &b, arena)};
  if (!pair->a.piece) sides[0].faces.seams = NULL;
  if (!pair->b.piece) sides[1].faces.seams = NULL;
  const int cut = mesh_faces_cut(sides);
  const MeshFaces *side = &sides[cut];
  if (!(side->shortest < INFINITY)) return;   // it lies on no face of a mesh
  const SamplingReach reach = {SAMPLED_SAME * side->shortest, SAMPLED_NEAR * side->shortest,
                               SAMPLED_ALONG};
  const SamplingSides sampled = {&side->faces, &sides[1 - cut].faces};
  const Sampling sampling = patch_sampling_new(&hull, &sampled, reach, arena);
  double area = 0;
  for (int k = 0; k < sampling.count; k++)
    if (!sampling.point[k].given_up) area += sampling.point[k].area;
  if (sampling.count < 3 || !(area > 0)) return;

  PatchPoint *points = arena_allocate(arena, (size_t)sampling.count * sizeof *points);
  for (int k = 0; k < sampling.count; k++) {
    const SamplingPoint *from = &sampling.point[k];
    const int number = side->number[from->face] * MOST_NUMBERS + number_of(&sampling, k);
    const uint32_t marks = from->given_up ? FEATURE_HELD | FEATURE_HOLDS : 0;
    points[k] = (PatchPoint){.point = patch_plane_place(&plane, from->u, from->v),
                             .gap = patch_plane_value(&gap, from->u, from->v),
                             .area = from->area * (patch->area / area),
                             .part_a = patch->part_a,
                             .part_b = patch->part_b,
                             .feature_a = feature_new(FEATURE_FACE, cut),
                             .feature_b = feature_new(FEATURE_NUMBER, number) | marks,
                             .axis_a = patch->axis_a,
                             .axis_b = patch->axis_b};
  }
  patch->points = points;
  patch->point_count = sampling.count;
}

// Where a patch lies on a piece: on one of its cuts, or beside one on a face that looks along it.
typedef struct {
  const SampledBody *of;
  vec3 from;    // place of its centre, m
  vec3 along;   // the patch's normal, out of the body; both in the axes of places
} PatchOfPiece;

// Is a place on a cut through the larger body, and on no face of its surface that looks along?
static bool is_on_cut(const PatchOfPiece *patch, vec3 place)
{
  const FiniteShape *mesh = patch->of->mesh;
  const mat3 rotation = patch->of->body->rotation;
  const vec3 at = mat3_mul_transposed(rotation, vec3_sub(place, patch->from)),
             along = mat3_mul_transposed(rotation, patch->along);
  bool cut = false;
  for (int f = 0; f < mesh->surface.faces; f++) {
    const double near = ON_FACE * mesh->reach[f];
    if (vec3_norm(vec3_sub(at, mesh->middle[f])) > mesh->reach[f] + near) continue;
    const FinitePlace on = finite_shape_place_among(mesh, &f, 1, at);
    if (vec3_norm(vec3_sub(at, finite_place_value(&on, mesh->mesh.place))) > near) continue;
    if (mesh->cut[f]) {
      cut = true;
      continue;
    }
    const vec3 area = finite_surface_area(&mesh->mesh, &mesh->surface, f);
    if (vec3_dot(area, along) > LOOKS_ALONG * vec3_norm(area)) return false;
  }
  return cut;
}

// Cuts are within the larger body: what its pieces have there is no surface.
static bool is_of_cut(const PatchOfPiece *patch, const Patch *points)
{
  if (!patch->of->piece || !patch->of->mesh->cut) return false;
  for (int k = 0; k < points->point_count; k++)
    if (!is_on_cut(patch, points->points[k].point)) return false;
  return true;
}

// Leaves out patches on cuts.
static void leave_out_cuts(const SampledPair *pair, PatchSet *set)
{
  const PosedBody *a = pair->a.body, *b = pair->b.body;
  int kept = 0;
  for (int p = 0; p < set->patch_count; p++) {
    const vec3 normal = set->patches[p].normal;
    const PatchOfPiece of_a = {&pair->a, {0, 0, 0}, vec3_neg(normal)},
                       of_b = {&pair->b, vec3_sub(b->center, a->center), normal};
    if (is_of_cut(&of_a, &set->patches[p]) || is_of_cut(&of_b, &set->patches[p])) continue;
    set->patches[kept++] = set->patches[p];
  }
  set->patch_count = kept;
}

void sampled_patches_take(const SampledPair *pair, PatchSet *set, Arena *arena)
{
  assert((pair->a.mesh || pair->b.mesh) && "one of the bodies has a mesh");
  assert(set->patch_count >= 0 && "patches are counted");
  leave_out_cuts(pair, set);
  for (int p = 0; p < set->patch_count; p++)
    if (set->patches[p].area > 0) sample(pair, &set->patches[p], arena);
}

bool sampled_patches_have(uint32_t feature_a, uint32_t feature_b)
{
  assert_debug(FEATURE_NUMBER > FEATURE_FACE && "kinds of features differ");
  return feature_kind(feature_a) == FEATURE_FACE && feature_kind(feature_b) == FEATURE_NUMBER;
}
