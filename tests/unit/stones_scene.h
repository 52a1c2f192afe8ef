#pragma once
// Cases of one group of stones for the tests, and stones where they appear.
#include "gjk.h"
#include "recipe.h"
#include "scene.h"

static inline ShapeRecipe box_shape(double x, double y, double z, Arena *arena)
{
  return recipe_single(recipe_box((vec3){x, y, z}, arena), arena);
}

static inline StoneKind given_kind(ShapeRecipe shape, double share)
{
  return (StoneKind){.shape = shape, .share = share};
}

// Random stones of 1.25 : 1 : 0.75; size 0 where the group has a curve.
static inline StoneKind random_kind(int corners, int variety, double share, double size)
{
  return (StoneKind){.corners = corners,
                     .variety = variety,
                     .share = share,
                     .size = size,
                     .ratios = {1.25, 1, 0.75}};
}

static inline BodyGroup lattice_of(const int count[3], double spacing, double at)
{
  return (BodyGroup){.kind = GROUP_STONES,
                     .count = {count[0], count[1], count[2]},
                     .spacing = {spacing, spacing, spacing},
                     .at = {at, -at, 2 * at}};
}

// Completes the group; steps of 1 ms, gravity along -z.
static inline Case stones_case(BodyGroup *group, Stones *stones, uint64_t seed, Arena *arena)
{
  static VectorSample gravity = {0, {0, 0, -10}};
  static VectorTable table = {.count = 1, .samples = &gravity};
  group->stones = stones;
  group->line = 7;
  if (!group->name) group->name = "";
  if (group->turn.w == 0) group->turn = quat_identity();
  return (Case){.path = "a.yaml",
                .seed = seed,
                .step = 1e-3,
                .end = 10,
                .gravity = {.table_count = 1, .tables = &table},
                .group_count = 1,
                .groups = group,
                .arena = arena};
}

// A stone of one part in the world.
typedef struct {
  int count;
  vec3 points[64];
} PlacedStone;

static inline PlacedStone stone_place(const Case *c, uint64_t id)
{
  const BodyRecipe body = scene_body(c, id);
  const PartRecipe *part = &c->shapes[body.shape].parts[0];
  const mat3 rotation = quat_to_mat3(body.turn);
  PlacedStone stone = {.count = part->count};
  for (int i = 0; i < part->count; i++)
    stone.points[i] = vec3_add(body.origin, mat3_mul(rotation, part->points[i]));
  return stone;
}

static inline bool stones_are_apart(const PlacedStone *a, const PlacedStone *b)
{
  return gjk_distance(a->points, a->count, b->points, b->count).distance > 0;
}
