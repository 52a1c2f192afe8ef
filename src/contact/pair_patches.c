// Looks for patches of pairs of pieces beside those that are asked for.
#include "pair_patches.h"

#include <assert.h>

#include "check.h"
#include "kind.h"
#include "sampled_patches.h"
#include "search.h"
#include "shared_places.h"

static int compare_passes(const void *p, const void *q)
{
  return id_pair_compare(*(const IdPair *)p, *(const IdPair *)q);
}

// Do two bodies pass through each other, though their materials touch?
static bool passes(const DetectInput *in, IdPair ids)
{
  assert_debug(in->passes != NULL && ids.low < ids.high && "pairs are listed, the lower id first");
  const int64_t at = search_rows(in->passes, in->pass_count, sizeof ids, &ids, compare_passes);
  return at < in->pass_count && id_pair_equal(in->passes[at], ids);
}

bool pair_patches_allowed(const DetectInput *in, int low, int high)
{
  const Bodies *bodies = in->bodies;
  if (bodies->drive[low] != DRIVE_DYNAMIC && bodies->drive[high] != DRIVE_DYNAMIC) return false;
  if (in->surfaces && surface_laws_of(in->surfaces, bodies, low, high)->excluded) return false;
  return in->pass_count == 0 || !passes(in, (IdPair){bodies->id[low], bodies->id[high]});
}

static bool is_displaced(const DetectInput *in, int row)
{
  assert_debug(row >= 0 && row < in->bodies->table.count && "a body has a row");
  return in->displaced ? in->displaced[row] : kind_mesh(in->bodies, row) != NULL;
}

bool pair_patches_displaced(const DetectInput *in, int low, int high)
{
  return is_displaced(in, low) || is_displaced(in, high);
}

double pair_patches_reach(const DetectInput *in, const PosedBody *low, const PosedBody *high)
{
  assert_debug(!(in->motion.step < 0) && "a step goes forward");
  return in->motion.step * (vec3_norm(vec3_sub(low->velocity, high->velocity)) +
                            poses_turning_speed(low->shape, low->spin) +
                            poses_turning_speed(high->shape, high->spin));
}

double pair_patches_extent(const PosedBody *low, const PosedBody *high)
{
  return smaller_of(low->shape->extent, high->shape->extent);
}

bool pair_patches_piece(const DetectInput *in, int row)
{
  if (!in->surfaces || in->surfaces->cut_count == 0) return false;
  const PieceIds pieces = surface_laws_pieces(in->surfaces, in->bodies->id[row]);
  return pieces.first < pieces.end;
}

// Are they pieces of one body?
static bool are_of_one(const DetectInput *in, int low, int high)
{
  const uint64_t *id = in->bodies->id;
  return in->surfaces && in->surfaces->cut_count > 0 &&
         surface_laws_within(in->surfaces, id[low], id[high]);
}

void pair_patches_sample(Poses *poses, int low, int high, PatchSet *set)
{
  const Bodies *bodies = poses->in->bodies;
  const ElasticFinite *a = kind_mesh(bodies, low), *b = kind_mesh(bodies, high);
  assert((a || b) && "one of them has a mesh");
  const bool one = are_of_one(poses->in, low, high);
  const SampledPair sampled = {
      {poses_get(poses, low), a ? a->shape : NULL, !one && pair_patches_piece(poses->in, low)},
      {poses_get(poses, high), b ? b->shape : NULL, !one && pair_patches_piece(poses->in, high)}};
  sampled_patches_take(&sampled, set, poses->arena);
}

static double shortest_side(const Bodies *bodies, int low, int high)
{
  const ElasticFinite *a = kind_mesh(bodies, low), *b = kind_mesh(bodies, high);
  assert_debug((a || b) && "one of them has a mesh");
  return smaller_of(a ? a->shape->shortest : INFINITY, b ? b->shape->shortest : INFINITY);
}

// The patches of two rows as if they had not met before.
static PairPatches find_anew(void *context, int low, int high)
{
  Poses *poses = context;
  const DetectInput *in = poses->in;
  if (!pair_patches_allowed(in, low, high)) return (PairPatches){0};
  const PosedBody *a = poses_get(poses, low), *b = poses_get(poses, high);
  const ModelPair posed = {.a = a,
                           .b = b,
                           .parameters = &in->settings->patch,
                           .reach = pair_patches_reach(in, a, b),
                           .displaced = pair_patches_displaced(in, low, high)};
  PairPatches found = {model_find(CONTACT_MODEL_PATCH, &posed, poses->arena),
                       shortest_side(in->bodies, low, high)};
  pair_patches_sample(poses, low, high, &found.set);
  return found;
}

static SharedPlaces places_of(Poses *poses)
{
  const DetectInput *in = poses->in;
  return (SharedPlaces){in->bodies, poses->boxes, in->surfaces, find_anew, poses};
}

void pair_patches_share(Poses *poses, int low, int high, PatchSet *set)
{
  const DetectInput *in = poses->in;
  if (!pair_patches_piece(in, low) && !pair_patches_piece(in, high)) return;
  if (are_of_one(in, low, high)) return;
  const SharedPlaces shared = places_of(poses);
  const PairPatches of = {*set, shortest_side(poses->in->bodies, low, high)};
  shared_places_mark(&shared, low, high, &of, poses->arena);
}

void pair_patches_share_weld(Poses *poses, int low, int high, PatchSet *set)
{
  assert(pair_patches_piece(poses->in, low) && pair_patches_piece(poses->in, high) && "two pieces");
  const SharedPlaces shared = places_of(poses);
  const PairPatches of = {*set, shortest_side(poses->in->bodies, low, high)};
  shared_places_mark_weld(&shared, low, high, &of, poses->arena);
}
