// Numbers, births, shapes and places of the bodies of a group.
#include "group.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "check.h"
#include "fill.h"
#include "inlet.h"
#include "phrase.h"
#include "piece_shapes.h"
#include "random.h"
#include "recipe.h"
#include "search.h"
#include "stones.h"
#include "trig.h"

// shapes of walls and arches
enum { WALL_BRICK = 0, WALL_HALF = 1 };
enum { ARCH_VOUSSOIR = 0, ARCH_SPRINGER = 1 };

// Beyond this opening the springers of a thick arch would run into its other end.
#define ARCH_MAX_EMBRACE (1.5 * TRIG_PI * (1 + 1e-12))

static const char *check_grid(const BodyGroup *g)
{
  assert(g->kind != GROUP_WALL && g->kind != GROUP_ARCH && "a group of copies along the axes");
  const double spacing[3] = {g->spacing.x, g->spacing.y, g->spacing.z};
  for (int k = 0; k < 3; k++) {
    if (g->count[k] < 1) return "a grid needs at least one copy along each axis";
    if (g->count[k] > 1 && spacing[k] == 0)
      return "copies of a grid would coincide: spacing is 0 along an axis with more than one copy";
  }
  return NULL;
}

static const char *check_wall(const BodyGroup *g)
{
  assert(g->kind == GROUP_WALL && "a group of bricks");
  if (g->courses < 1 || g->bricks < 1) return "a wall needs at least one course and one brick";
  if (!(g->brick.x > 0 && g->brick.y > 0 && g->brick.z > 0)) return "a brick has no volume";
  if (!(g->joint >= 0 && g->joint < 0.5 * g->brick.x))
    return "the joint must be at least 0 and smaller than half the length of a brick";
  return NULL;
}

static const char *check_arch(const BodyGroup *g)
{
  assert(g->kind == GROUP_ARCH && "a group of voussoirs");
  if (g->voussoirs < 1) return "an arch needs at least one voussoir";
  if (!(g->radius > 0 && g->thickness > 0 && g->width > 0)) return "a voussoir has no volume";
  if (!(g->thickness <= g->radius)) return "an arch may not be thicker than its radius";
  if (!(g->embrace > 0 && g->embrace <= ARCH_MAX_EMBRACE))
    return "an arch embraces more than 0 and at most 270 degrees";
  if (!(g->embrace < 0.99 * TRIG_PI * g->voussoirs))
    return "too few voussoirs: each must span less than 178 degrees";
  return NULL;
}

const char *group_check(const BodyGroup *group)
{
  switch (group->kind) {
  case GROUP_GRID: return check_grid(group);
  case GROUP_WALL: return check_wall(group);
  case GROUP_ARCH: return check_arch(group);
  case GROUP_STONES:
  case GROUP_INLET: return stones_check(group);
  case GROUP_FILL: return fill_check(group);
  default: return NULL;
  }
}

// The product of two numbers, cut to GROUP_MANY; a <= GROUP_MANY.
static uint64_t multiply(uint64_t a, uint64_t b) { return b > GROUP_MANY / a ? GROUP_MANY : a * b; }

GroupSize group_entry_size(const BodyGroup *group)
{
  const BodyGroup *g = group;
  uint64_t total = 1, supports = 0;
  switch (g->kind) {
  case GROUP_BODY: break;
  case GROUP_MESH:
  case GROUP_STRUCTURE: total = (uint64_t)g->solid_count; break;
  case GROUP_GRID:
  case GROUP_STONES:
    for (int k = 0; k < 3; k++) total = multiply(total, (uint64_t)g->count[k]);
    break;
  case GROUP_WALL:
    // courses 0, 2, ... hold whole bricks; courses 1, 3, ... begin and end with a half
    total = multiply((uint64_t)g->courses, (uint64_t)g->bricks);
    if (total < GROUP_MANY) total += (uint64_t)g->courses / 2;
    break;
  case GROUP_ARCH:
    total = (uint64_t)g->voussoirs;
    supports = g->supports ? 2 : 0;
    break;
  case GROUP_INLET: total = g->stones->count; break;
  case GROUP_FILL: total = (uint64_t)g->stones->fill->count; break;
  case GROUP_RUBBLE: total = (uint64_t)g->rubble->stones; break;
  }
  if (total > 0) total = multiply(total, (uint64_t)group_pieces(g));
  return (GroupSize){.total = total + supports, .dynamic = group_led(g) ? 0 : total};
}

GroupSize group_size(const BodyGroup *group)
{
  if (group->part_count == 0) return group_entry_size(group);
  const uint64_t bodies = group->part_end - group->part_begin;
  return (GroupSize){.total = bodies, .dynamic = group_led(group) ? 0 : bodies};
}

bool group_holds(const BodyGroup *group, uint64_t number)
{
  if (group->member_fixed && group->member_fixed[number]) return true;
  return group->kind == GROUP_ARCH &&
         number >= (uint64_t)group->voussoirs * (uint64_t)group_pieces(group);
}

static int shapes_of_wall(const BodyGroup *g, Arena *arena, ShapeRecipe *shapes)
{
  vec3 size = g->brick;
  size.x = g->brick.x - g->joint;
  shapes[WALL_BRICK] = recipe_single(recipe_box(size, arena), arena);
  if (g->courses == 1) return 1;
  size.x = 0.5 * g->brick.x - g->joint;
  shapes[WALL_HALF] = recipe_single(recipe_box(size, arena), arena);
  return 2;
}

static int shapes_of_arch(const BodyGroup *g, Arena *arena, ShapeRecipe *shapes)
{
  const double angle = g->embrace / g->voussoirs;
  shapes[ARCH_VOUSSOIR] =
      recipe_single(recipe_voussoir(g->radius, g->thickness, g->width, angle, arena), arena);
  if (!g->supports) return 1;
  // half a thickness wider than the joint on every side; x along the ring, z along the radius
  const vec3 size = {g->thickness, g->width + g->thickness, 2 * g->thickness};
  shapes[ARCH_SPRINGER] = recipe_single(recipe_box(size, arena), arena);
  return 2;
}

static const char *shapes_of_rubble(const BodyGroup *group, const GroupSetting *setting,
                                    Arena *arena, ShapeRecipe *shapes)
{
  assert(group->rubble->stones > 0 && "a wall has stones");
  const RubbleResult result = rubble_make(group->rubble, setting->stream, arena, shapes);
  if (result.status == RUBBLE_VANISHED)
    return phrase_make(arena, "joints of %g m leave nothing of stone %d", group->rubble->joint,
                       result.stone);
  return result.status == RUBBLE_OK ? NULL
                                    : "its stones cannot be cut: stone, flatness or jitter lead to "
                                      "cells with more than a thousand faces";
}

// Shapes of a group that each have one body.
static int single_shapes(const BodyGroup *group)
{
  if (group->kind == GROUP_MESH || group->kind == GROUP_STRUCTURE) return group->solid_count;
  return group->kind == GROUP_RUBBLE ? group->rubble->stones : 0;
}

static const char *prepare_whole(BodyGroup *group, const GroupSetting *setting, Arena *arena,
                                 ShapeRecipe **shapes, int *shape_count)
{
  assert(shapes != NULL && shape_count != NULL && "the shapes have a place");
  if (group->kind == GROUP_STONES || group->kind == GROUP_INLET)
    return stones_prepare(group, setting, arena, shapes, shape_count);
  if (group->kind == GROUP_FILL) {
    fill_shapes(group, shapes, shape_count);
    return NULL;
  }
  *shape_count = single_shapes(group);
  const size_t room = *shape_count > 0 ? (size_t)*shape_count : 2;
  *shapes = arena_allocate(arena, room * sizeof(ShapeRecipe));
  switch (group->kind) {
  case GROUP_MESH:
  case GROUP_STRUCTURE: memcpy(*shapes, group->solids, room * sizeof(ShapeRecipe)); break;
  case GROUP_RUBBLE: return shapes_of_rubble(group, setting, arena, *shapes);
  case GROUP_WALL: *shape_count = shapes_of_wall(group, arena, *shapes); break;
  case GROUP_ARCH: *shape_count = shapes_of_arch(group, arena, *shapes); break;
  default:
    (*shapes)[0] = group->shape;
    *shape_count = 1;
    break;
  }
  return NULL;
}

// The shapes of an arch end with those of its springers, which are not cut.
static int uncut_shapes(const BodyGroup *group)
{
  return group->kind == GROUP_ARCH && group->supports ? 1 : 0;
}

const char *group_prepare(BodyGroup *group, const GroupSetting *setting, Arena *arena,
                          ShapeRecipe **shapes, int *shape_count)
{
  assert(setting->c != NULL && !(setting->step < 0) && "the group is in a case");
  assert(shapes != NULL && shape_count != NULL && "the shapes have a place");
  const char *reason = prepare_whole(group, setting, arena, shapes, shape_count);
  if (reason || group_pieces(group) == 1) return reason;
  const PieceCuts cuts = {&group->finite, group->cuts.blocks, uncut_shapes(group)};
  return piece_shapes(&cuts, arena, shapes, shape_count);
}

static GroupBody body_of_grid(const BodyGroup *g, uint64_t index)
{
  assert_debug(g->count[0] > 0 && g->count[1] > 0 && "a grid has copies along its axes");
  const uint64_t nx = (uint64_t)g->count[0], ny = (uint64_t)g->count[1];
  const double i = (double)(index % nx), j = (double)(index / nx % ny);
  const double k = (double)(index / nx / ny);
  return (GroupBody){.fixed = g->fixed,
                     .origin = {i * g->spacing.x, j * g->spacing.y, k * g->spacing.z},
                     .turn = quat_identity()};
}

static GroupBody body_of_wall(const BodyGroup *g, uint64_t index)
{
  assert_debug(g->bricks > 0 && "a course has bricks");
  // an even course and the odd one above it hold 2 bricks + 1 bodies together
  const uint64_t bricks = (uint64_t)g->bricks, two = 2 * bricks + 1;
  const uint64_t in_two = index % two;
  const bool odd = in_two >= bricks;
  const uint64_t course = index / two * 2 + (odd ? 1 : 0);

  const double length = g->brick.x;
  GroupBody body = {.shape = WALL_BRICK, .fixed = g->fixed, .turn = quat_identity()};
  body.origin.z = ((double)course + 0.5) * g->brick.z;
  if (!odd) {
    body.origin.x = ((double)in_two + 0.5) * length;
    return body;
  }
  const uint64_t place = in_two - bricks;
  body.origin.x = (double)place * length;
  if (place == 0 || place == bricks) {
    body.shape = WALL_HALF;
    body.origin.x += place == 0 ? 0.25 * length : -0.25 * length;
  }
  return body;
}

static GroupBody body_of_arch(const BodyGroup *g, uint64_t index)
{
  assert_debug(g->voussoirs > 0 && "an arch has voussoirs");
  const vec3 axis = {0, 1, 0};
  const int count = g->voussoirs;
  if (index < (uint64_t)count) {
    // odd multiples of half a voussoir's angle: mirror images are exact
    const int halves = 2 * (int)index + 1 - count;
    const double angle = halves * (g->embrace / count) / 2;
    return (GroupBody){.shape = ARCH_VOUSSOIR, .fixed = g->fixed, .turn = recipe_turn(axis, angle)};
  }

  // a springer continues the ring beyond the joint at its end
  const double side = index == (uint64_t)count ? -1 : 1;
  const quat turn = recipe_turn(axis, side * 0.5 * g->embrace);
  const vec3 center = {side * 0.5 * g->thickness, 0, g->radius};
  return (GroupBody){.shape = ARCH_SPRINGER,
                     .fixed = g->part_count == 0 || g->fixed,
                     .origin = mat3_mul(quat_to_mat3(turn), center),
                     .turn = turn};
}

static int order_file_body(const void *body, const void *index)
{
  return ((const FileBody *)body)->end <= *(const uint64_t *)index ? -1 : 1;
}

const FileBody *group_file_body(const BodyGroup *group, uint64_t index)
{
  const BodyCuts *cuts = &group->cuts;
  if (cuts->file_count == 0) return NULL;
  const int64_t at =
      search_rows(cuts->file, cuts->file_count, sizeof *cuts->file, &index, order_file_body);
  assert_debug(at < cuts->file_count && cuts->file[at].first <= index && "a body of the file");
  return &cuts->file[at];
}

double group_birth(const BodyGroup *group, uint64_t index)
{
  // all bodies of other groups appear together
  if (group->kind != GROUP_INLET) return group->birth;
  return inlet_birth(group, (group->part_begin + index) / (uint64_t)group_pieces(group));
}

// Body number index of a group whose bodies are not cut.
static GroupBody whole_body(const BodyGroup *group, uint64_t index)
{
  switch (group->kind) {
  case GROUP_GRID: return body_of_grid(group, index);
  case GROUP_MESH:
  case GROUP_STRUCTURE:
  case GROUP_RUBBLE:
    return (GroupBody){.shape = (int)index, .fixed = group->fixed, .turn = quat_identity()};
  case GROUP_WALL: return body_of_wall(group, index);
  case GROUP_ARCH: return body_of_arch(group, index);
  case GROUP_STONES:
  case GROUP_INLET: return stones_body(group, index);
  case GROUP_FILL: return fill_body(group, index);
  default: return (GroupBody){.fixed = group->fixed, .turn = quat_identity()};
  }
}

GroupBody group_body(const BodyGroup *group, uint64_t index)
{
  assert_debug(index < group->body_count && "a body has a number in its group");
  index += group->part_begin;
  const uint64_t pieces = (uint64_t)group_pieces(group);
  if (pieces == 1) return whole_body(group, index);
  // what is not cut comes last, among bodies and among shapes
  const uint64_t cut = pieces * (group_size(group).dynamic / pieces);
  GroupBody body = whole_body(group, index < cut ? index / pieces : cut / pieces + index - cut);
  body.shape = body.shape * (int)pieces + (index < cut ? (int)(index % pieces) : 0);
  return body;
}
