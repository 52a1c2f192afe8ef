// Shape, size, orientation and place of each stone of a group, by its number.
#include "stones.h"

#include <assert.h>
#include <math.h>

#include "check.h"
#include "inlet.h"
#include "phrase.h"
#include "random.h"
#include "recipe.h"
#include "search.h"
#include "stone_shape.h"

// what a stone's random numbers are for; vectors and rotations take three streams
enum { DRAW_SHAPES, DRAW_KIND, DRAW_VARIANT, DRAW_CLASS, DRAW_TURN, DRAW_PLACE = DRAW_TURN + 3 };

#define SPACING_ROUNDING 1e-9   // relative: spacings smaller by less than that will do

// Random number of a stone, uniform in [0, 1).
static double draw(const Stones *s, int purpose, uint64_t index)
{
  return random_uniform(random_stream(s->stream, (uint64_t)purpose), index);
}

static int count_shapes(const Stones *s)
{
  int64_t variants = 0;
  for (int k = 0; k < s->kind_count; k++) variants += stones_variants(&s->kinds[k]);
  const int64_t shapes = variants * stones_classes(s);
  return shapes > STONES_MAX_SHAPES ? STONES_MAX_SHAPES + 1 : (int)shapes;
}

const char *stones_check(const BodyGroup *group)
{
  assert(group->stones != NULL && group->stones->kind_count > 0 && "stones are of some kind");
  const Stones *s = group->stones;
  if (group->kind == GROUP_INLET && group->fixed)
    return "stones of an inlet cannot be fixed: each layer would appear inside the one before it";
  if (group->kind == GROUP_INLET && (group->motion || group->guide))
    return "stones of an inlet have no prescribed motion";
  for (int k = 0; k < 3; k++)
    if (group->kind == GROUP_STONES && group->count[k] < 1)
      return "a lattice needs at least one stone along each axis";
  if (count_shapes(s) > STONES_MAX_SHAPES)
    return "more than 100000 different stones: lower sizes.classes, or variety";
  return NULL;
}

// The stones of a kind as they come, centre of mass at the origin: [stones_variants] recipes.
static const char *make_kind(const Stones *s, int k, ShapeRecipe *variants, Arena *arena)
{
  assert(k >= 0 && k < s->kind_count && "a kind has a number");
  const StoneKind *kind = &s->kinds[k];
  if (kind->variety > 0) {
    const double size = kind->size > 0 ? kind->size : 1;
    const uint64_t stream = random_stream(random_stream(s->stream, DRAW_SHAPES), (uint64_t)k);
    for (int v = 0; v < kind->variety; v++) {
      const PartRecipe part = stone_shape(kind->corners, vec3_scale(size, kind->ratios),
                                          random_stream(stream, (uint64_t)v), arena);
      variants[v] = recipe_single(part, arena);
    }
    return NULL;
  }
  variants[0] = kind->shape;
  if (kind->shape.part_count == 0) return NULL;   // spheres and ellipsoids are where they should be

  Arena scratch = arena_new();
  Shape shape;
  const ShapeResult result = shape_build(&kind->shape, &scratch, &shape);
  char text[256];
  shape_result_text(result, text, sizeof text);
  if (result.status == SHAPE_OK) variants[0] = recipe_scale(&kind->shape, shape.center, 1, arena);
  arena_destroy(&scratch);
  if (result.status == SHAPE_OK) return NULL;
  return s->kind_count > 1 ? phrase_make(arena, "shape %d: %s", k + 1, text)
                           : phrase_make(arena, "%s", text);
}

// Shares by number of kinds and of classes, summed up.
static void sum_shares(Stones *s, const SizeClass *classes, Arena *arena)
{
  s->kind_below = arena_allocate(arena, (size_t)s->kind_count * sizeof(double));
  s->class_below = arena_allocate(arena, (size_t)stones_classes(s) * sizeof(double));
  double sum = 0;
  for (int k = 0; k < s->kind_count; k++) s->kind_below[k] = sum += s->kinds[k].share;
  for (int k = 0; k < s->kind_count; k++) s->kind_below[k] /= sum;
  sum = 0;
  for (int j = 0; j < stones_classes(s); j++) s->class_below[j] = sum += classes[j].number;
}

static const char *make_shapes(Stones *s, ShapeRecipe *shapes, Arena *arena)
{
  SizeClass one = {.size = 0, .number = 1}, *classes = &one;
  if (s->row_count > 0) {
    classes = arena_allocate(arena, (size_t)s->classes * sizeof *classes);
    size_classes_cut(s->rows, s->row_count, s->by_number, s->classes, classes);
  }
  sum_shares(s, classes, arena);

  s->first_shape = arena_allocate(arena, (size_t)s->kind_count * sizeof(int));
  int shape = 0;
  double farthest = 0;
  for (int k = 0; k < s->kind_count; k++) {
    const int count = stones_variants(&s->kinds[k]);
    s->first_shape[k] = shape;
    ShapeRecipe *variants = arena_allocate(arena, (size_t)count * sizeof *variants);
    const char *refusal = make_kind(s, k, variants, arena);
    if (refusal) return refusal;
    for (int v = 0; v < count; v++) {
      const double size = recipe_size(&variants[v]);
      for (int j = 0; j < stones_classes(s); j++, shape++) {
        shapes[shape] = variants[v];
        if (s->row_count > 0)
          shapes[shape] = recipe_scale(&variants[v], (vec3){0}, classes[j].size / size, arena);
        s->reach[shape] = recipe_reach(&shapes[shape]);
        if (s->reach[shape] > farthest) farthest = s->reach[shape];
      }
    }
  }
  s->pitch = 2 * farthest;
  return NULL;
}

// Stones on a lattice must be apart in any orientation.
static const char *check_spacing(const BodyGroup *group, Arena *arena)
{
  const double spacing[3] = {group->spacing.x, group->spacing.y, group->spacing.z};
  const double pitch = group->stones->pitch;
  for (int k = 0; k < 3; k++)
    if (group->count[k] > 1 && fabs(spacing[k]) < pitch * (1 - SPACING_ROUNDING))
      return phrase_make(arena,
                         "lattice.spacing: %g m along %c; the largest stones need at least %.6g m, "
                         "the diameter of the sphere about them",
                         spacing[k], "xyz"[k], pitch);
  return NULL;
}

const char *stones_shapes(Stones *s, uint64_t stream, Arena *arena, ShapeRecipe **shapes,
                          int *shape_count)
{
  assert(shapes != NULL && shape_count != NULL && "the shapes have a place");
  s->stream = stream;
  *shape_count = count_shapes(s);
  *shapes = arena_allocate(arena, (size_t)*shape_count * sizeof(ShapeRecipe));
  s->reach = arena_allocate(arena, (size_t)*shape_count * sizeof(double));
  return make_shapes(s, *shapes, arena);
}

const char *stones_prepare(BodyGroup *group, const GroupSetting *setting, Arena *arena,
                           ShapeRecipe **shapes, int *shape_count)
{
  assert(group->stones != NULL && "a group of stones has stones");
  const char *refusal = stones_shapes(group->stones, setting->stream, arena, shapes, shape_count);
  if (refusal) return refusal;
  return group->kind == GROUP_INLET ? inlet_prepare(group, setting, arena)
                                    : check_spacing(group, arena);
}

static int order_sum(const void *sum, const void *number)
{
  return *(const double *)sum > *(const double *)number ? 1 : -1;
}

// The first of growing sums that is larger than a number.
static int choose(const double *below, int count, double number)
{
  assert_debug(count > 0 && "there is something to choose");
  return (int)search_rows(below, count - 1, sizeof *below, &number, order_sum);
}

static int shape_of(const Stones *s, uint64_t index)
{
  const int kind = choose(s->kind_below, s->kind_count, draw(s, DRAW_KIND, index));
  const int variants = stones_variants(&s->kinds[kind]);
  const int variant = (int)(draw(s, DRAW_VARIANT, index) * variants);
  const int class = choose(s->class_below, stones_classes(s), draw(s, DRAW_CLASS, index));
  return s->first_shape[kind] + variant * stones_classes(s) + class;
}

// A share of the free room along an axis, both ways.
static double shift(const Stones *s, int axis, uint64_t index, double room)
{
  assert_debug(axis >= 0 && axis < 3 && "space has three axes");
  return room > 0 ? (draw(s, DRAW_PLACE + axis, index) - 0.5) * room : 0;
}

GroupBody stones_body(const BodyGroup *group, uint64_t index)
{
  assert_debug(group->stones != NULL && group->stones->kind_below != NULL &&
               "the group is prepared");
  const Stones *s = group->stones;
  GroupBody body = {.shape = shape_of(s, index), .fixed = group->fixed, .turn = quat_identity()};
  if (s->turned)
    body.turn = random_rotation(draw(s, DRAW_TURN, index), draw(s, DRAW_TURN + 1, index),
                                draw(s, DRAW_TURN + 2, index));

  vec3 middle, room;
  if (group->kind == GROUP_INLET) {
    const InletCell cell = inlet_cell(group, index);
    const double diameter = 2 * s->reach[body.shape];
    middle = cell.middle;
    room = vec3_sub(cell.sides, (vec3){diameter, diameter, diameter});
  } else {
    const uint64_t nx = (uint64_t)group->count[0], ny = (uint64_t)group->count[1];
    const vec3 d = group->spacing;
    middle = (vec3){(double)(index % nx) * d.x, (double)(index / nx % ny) * d.y,
                    (double)(index / nx / ny) * d.z};
    room = vec3_scale(s->jitter,
                      (vec3){fabs(d.x) - s->pitch, fabs(d.y) - s->pitch, fabs(d.z) - s->pitch});
  }
  body.origin = vec3_add(middle, (vec3){shift(s, 0, index, room.x), shift(s, 1, index, room.y),
                                        shift(s, 2, index, room.z)});
  return body;
}

double stones_share(const BodyGroup *group, int shape)
{
  assert(shape >= 0 && shape < group->shape_count && "a shape has a number in its group");
  const Stones *s = group->stones;
  int kind = s->kind_count - 1;
  while (s->first_shape[kind] > shape) kind--;
  const int class = (shape - s->first_shape[kind]) % stones_classes(s);
  const double of_kind = s->kind_below[kind] - (kind > 0 ? s->kind_below[kind - 1] : 0);
  const double of_class = s->class_below[class] - (class > 0 ? s->class_below[class - 1] : 0);
  return of_kind * of_class /
         (stones_variants(&s->kinds[kind]) * s->class_below[stones_classes(s) - 1]);
}

// Middles of all cells, and half the sides of one, which hold its stone.
static StonesBox middles(const BodyGroup *group, vec3 *half)
{
  const Stones *s = group->stones;
  if (group->kind == GROUP_INLET) {
    const vec3 sides = inlet_cell(group, 0).sides;
    *half = vec3_scale(0.5, sides);
    const vec3 far = {0.5 * s->width[0] - half->x, 0.5 * s->width[1] - half->y, 0};
    return (StonesBox){vec3_scale(-1, far), far};
  }
  const double spacing[3] = {group->spacing.x, group->spacing.y, group->spacing.z};
  double low[3], high[3], reach[3];
  for (int k = 0; k < 3; k++) {
    const double last = (group->count[k] - 1) * spacing[k];
    low[k] = fmin(last, 0);
    high[k] = fmax(last, 0);
    reach[k] = 0.5 * fmax(s->pitch, fabs(spacing[k]));
  }
  *half = (vec3){reach[0], reach[1], reach[2]};
  return (StonesBox){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

StonesBox stones_bounds(const BodyGroup *group)
{
  vec3 half;
  const StonesBox box = middles(group, &half);
  return (StonesBox){vec3_sub(box.low, half), vec3_add(box.high, half)};
}

StonesBox stones_centres(const BodyGroup *group)
{
  assert(group->shape_count > 0 && "the group has shapes");
  const Stones *s = group->stones;
  double least = s->reach[0];
  for (int i = 1; i < group->shape_count; i++) least = fmin(least, s->reach[i]);
  const StonesBox box = stones_bounds(group);
  const vec3 inset = {least, least, least};
  return (StonesBox){vec3_add(box.low, inset), vec3_sub(box.high, inset)};
}
