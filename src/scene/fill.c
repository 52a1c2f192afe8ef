// Chooses the stones of a fill by mass and packs them into their room.
#include "fill.h"

#include <assert.h>
#include <math.h>

#include "check.h"
#include "packing.h"
#include "phrase.h"
#include "random.h"
#include "recipe.h"
#include "stones.h"

// what random numbers are for, besides those of stones.c
enum { DRAW_VARIANTS = 1000, DRAW_PACKING };

// What is known while stones are chosen.
typedef struct {
  const Stones *s;
  int class_count;
  SizeClass *classes;   // [class_count]
  double *volumes;      // [shapes] m3, 0: not known
  int *of_kind;         // [kinds] stones so far
  double volume;        // of all stones so far, m3
  int capacity;
  Arena *arena;
} FillChoice;

const char *fill_check(const BodyGroup *group)
{
  const Stones *s = group->stones;
  assert(s->fill != NULL && "a fill has a room");
  for (int k = 0; k < s->kind_count; k++)
    if (s->kinds[k].variety == 0 && s->kinds[k].shape.surface_alone)
      return "fill: stones that are packed are of convex parts, spheres or ellipsoids, and no "
             "surfaces alone";
  return stones_check(group);
}

// -- choice ---------------------------------------------------------------------------------------

static FillChoice begin_choice(const Stones *s, int shape_count, Arena *arena)
{
  assert(shape_count > 0 && s->kind_count > 0 && "there are shapes");
  FillChoice choice = {.s = s, .class_count = stones_classes(s), .arena = arena};
  choice.classes = arena_allocate_zero(arena, (size_t)choice.class_count, sizeof(SizeClass));
  choice.volumes = arena_allocate_zero(arena, (size_t)shape_count, sizeof(double));
  choice.of_kind = arena_allocate_zero(arena, (size_t)s->kind_count, sizeof(int));
  choice.classes[0] = (SizeClass){.size = 1, .number = 1};
  if (s->row_count > 0)
    size_classes_cut(s->rows, s->row_count, s->by_number, s->classes, choice.classes);
  return choice;
}

// The kind that is furthest behind its share of the stones, one more than there are.
static int next_kind(const FillChoice *choice, int count)
{
  const Stones *s = choice->s;
  assert(count >= 0 && s->kind_below != NULL && "shares are known");
  int best = 0;
  double most = -INFINITY;
  for (int k = 0; k < s->kind_count; k++) {
    const double share = s->kind_below[k] - (k > 0 ? s->kind_below[k - 1] : 0);
    const double behind = share * (count + 1.0) - choice->of_kind[k];
    if (behind > most) most = behind, best = k;
  }
  return best;
}

// The volume of a shape of the group: the classes of a variant differ by their sizes alone.
static double volume_of(FillChoice *choice, const ShapeRecipe *shapes, int first, int class)
{
  assert(class >= 0 && class < choice->class_count && "a class has a number");
  if (choice->volumes[first] == 0) {
    const ArenaMark mark = arena_mark(choice->arena);
    Shape shape;
    const ShapeResult result = shape_build(&shapes[first], choice->arena, &shape);
    assert(result.status == SHAPE_OK && "shapes were looked at before");
    (void)result;
    choice->volumes[first] = shape.volume;
    arena_release(choice->arena, mark);
  }
  const double scale = choice->classes[class].size / choice->classes[0].size;
  return scale * scale * scale * choice->volumes[first];
}

// Adds stones of a class, until the volume of all is as near as it gets to the one that is wanted,
// or at least that. False: there are too many.
static bool add_class(FillChoice *choice, Fill *fill, int class, double wanted, bool at_least)
{
  assert(wanted > 0 && "a room has a volume");
  const Stones *s = choice->s;
  const uint64_t variants = random_stream(s->stream, DRAW_VARIANTS);
  for (;;) {
    const int kind = next_kind(choice, fill->count);
    const int variety = stones_variants(&s->kinds[kind]);
    const int variant = (int)(random_uniform(variants, (uint64_t)fill->count) * variety);
    const int first = s->first_shape[kind] + variant * choice->class_count;
    const double volume = volume_of(choice, fill->shapes, first, class);
    if (choice->volume + (at_least ? 0 : 0.5 * volume) >= wanted) return true;
    if (fill->count == FILL_MOST_STONES) return false;
    fill->shape_of = arena_grow(choice->arena, fill->shape_of, (int64_t)fill->count + 1,
                                &choice->capacity, sizeof *fill->shape_of);
    fill->shape_of[fill->count++] = first + class;
    choice->of_kind[kind]++;
    choice->volume += volume;
  }
}

// Stones of all classes, the largest first: the mass of each class and those above it is right
// within half a stone.
static bool choose_stones(FillChoice *choice, Fill *fill, double room)
{
  assert(room > 0 && "a room has a volume");
  double sum = 0, above = 0;
  for (int j = 0; j < choice->class_count; j++) {
    const double size = choice->classes[j].size;
    sum += choice->classes[j].number * size * size * size;
  }
  for (int j = choice->class_count - 1; j >= 0; j--) {
    const double size = choice->classes[j].size;
    above += choice->classes[j].number * size * size * size;
    const double share = j > 0 ? above / sum : 1;
    if (!add_class(choice, fill, j, share * fill->fraction * room, j == 0)) return false;
  }
  fill->solid = choice->volume / room;
  return true;
}

// -- how well the curve is met --------------------------------------------------------------------

static double curve_at(const Stones *s, double size)
{
  if (size <= s->rows[0].size) return 0;
  assert(s->row_count > 1 && "a curve has rows");
  for (int i = 1; i < s->row_count; i++) {
    const SizeRow a = s->rows[i - 1], b = s->rows[i];
    if (size <= b.size) return a.share + (size - a.size) / (b.size - a.size) * (b.share - a.share);
  }
  return 1;
}

// The largest difference at any size between the curve and the shares of stones no larger.
static double measure_curve(FillChoice *choice, const Fill *fill)
{
  const Stones *s = choice->s;
  if (s->row_count == 0) return 0;
  const int classes = choice->class_count;
  double *amounts = arena_allocate_zero(choice->arena, (size_t)classes, sizeof *amounts);
  double sum = 0, below = 0, most = 0;
  for (int i = 0; i < fill->count; i++) {
    const int class = fill->shape_of[i] % classes, first = fill->shape_of[i] - class;
    const double amount = s->by_number ? 1 : volume_of(choice, fill->shapes, first, class);
    amounts[class] += amount;
    sum += amount;
  }
  assert(sum > 0 && "there are stones");
  for (int j = 0; j < classes; j++) {
    const double asked = curve_at(s, choice->classes[j].size);
    most = larger_of(most, fabs(asked - below / sum));
    below += amounts[j];
    most = larger_of(most, fabs(asked - below / sum));
  }
  return most;
}

// -- packing --------------------------------------------------------------------------------------

static const char *pack_stones(Fill *fill, const Stones *s, Arena *arena)
{
  assert(fill->count > 0 && "there are stones");
  fill->places = arena_allocate_zero(arena, (size_t)fill->count, sizeof *fill->places);
  fill->turns = arena_allocate_zero(arena, (size_t)fill->count, sizeof *fill->turns);
  const StonePacking packing = {.room = fill->room,
                                .shape_count = fill->shape_count,
                                .shapes = fill->shapes,
                                .count = fill->count,
                                .shape_of = fill->shape_of,
                                .turned = s->turned,
                                .stream = random_stream(s->stream, DRAW_PACKING)};
  const PackingResult result = packing_make(&packing, fill->places, fill->turns);
  if (result.status == PACKING_OK) return NULL;
  if (result.status == PACKING_LARGE)
    return phrase_make(arena,
                       "fill: a stone of size %.6g m has no place in the room, even alone; the "
                       "room must be larger, or the stones smaller",
                       recipe_size(&fill->shapes[fill->shape_of[result.stone]]));
  const double cube = result.scale * result.scale * result.scale;
  return phrase_make(arena,
                     "fill.fraction: %.4g cannot be reached: its %d stones fill at most %.4g of "
                     "the room, at %.4g of their sizes",
                     fill->fraction, fill->count, cube * fill->solid, result.scale);
}

const char *fill_make(BodyGroup *group, uint64_t stream, Arena *arena)
{
  Stones *s = group->stones;
  Fill *fill = s->fill;
  assert(fill != NULL && fill->places == NULL && "a fill is made once");
  const char *refusal = stones_shapes(s, stream, arena, &fill->shapes, &fill->shape_count);
  if (refusal) return refusal;
  const double room = room_volume(&fill->room);
  if (!(room > 0)) return "fill.mesh: the surface encloses no volume, or looks inward";
  FillChoice choice = begin_choice(s, fill->shape_count, arena);
  if (!choose_stones(&choice, fill, room))
    return phrase_make(arena,
                       "fill: it takes more than %d stones; the room must be smaller, or "
                       "the stones larger",
                       FILL_MOST_STONES);
  fill->off_curve = measure_curve(&choice, fill);
  return pack_stones(fill, s, arena);
}

void fill_shapes(const BodyGroup *group, ShapeRecipe **shapes, int *shape_count)
{
  const Fill *fill = group->stones->fill;
  assert(fill->places != NULL && "the fill is made");
  *shapes = fill->shapes;
  *shape_count = fill->shape_count;
}

GroupBody fill_body(const BodyGroup *group, uint64_t index)
{
  const Fill *fill = group->stones->fill;
  assert_debug(fill->places != NULL && index < (uint64_t)fill->count && "the fill is made");
  return (GroupBody){.shape = fill->shape_of[index],
                     .fixed = group->fixed,
                     .origin = fill->places[index],
                     .turn = fill->turns[index]};
}
