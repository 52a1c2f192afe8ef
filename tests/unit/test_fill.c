// Fills of a case: stones follow their size curve by mass, reach the fraction that is asked for,
// and are refused where they cannot.
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "fill.h"
#include "group.h"
#include "harness.h"
#include "memory.h"
#include "random.h"
#include "stones.h"
#include "stones_scene.h"

static const Room cylinder = {.kind = ROOM_CYLINDER, .radius = 0.6, .height = 1.3};

typedef struct {
  Fill fill;
  Stones stones;
  StoneKind kinds[3];
  BodyGroup group;
} FillScene;

// Random stones and boxes of twice the length, by a curve whose steps are no hundredths.
static Case fill_case(FillScene *scene, double fraction, uint64_t seed, Arena *arena)
{
  static SizeRow rows[3] = {{0.05, 0}, {0.09, 0.373}, {0.2, 1}};
  scene->fill = (Fill){.room = cylinder, .fraction = fraction};
  scene->kinds[0] = random_kind(16, 10, 3, 0);
  scene->kinds[1] = given_kind(box_shape(2, 1, 1, arena), 1);
  scene->stones = (Stones){.kind_count = 2,
                           .kinds = scene->kinds,
                           .row_count = 3,
                           .rows = rows,
                           .classes = 100,
                           .turned = true,
                           .fill = &scene->fill};
  scene->group = (BodyGroup){.kind = GROUP_FILL, .at = {1, 2, 3}};
  return stones_case(&scene->group, &scene->stones, seed, arena);
}

// Packs the stones of a case, as its reader does, and prepares it.
static const char *prepare(Case *c)
{
  BodyGroup *group = &c->groups[0];
  const char *refusal = group_check(group);
  if (!refusal) refusal = fill_make(group, random_stream(c->seed, 0), c->arena);
  return refusal ? refusal : scene_prepare(c);
}

// Volume of a body, and the size of its shape.
static double volume_of(const Case *c, uint64_t id, double *size, Arena *arena)
{
  const ShapeRecipe *recipe = &c->shapes[scene_body(c, id).shape];
  Shape shape;
  CHECK(shape_build(recipe, arena, &shape).status == SHAPE_OK);
  *size = recipe_size(recipe);
  return shape.volume;
}

static double asked_share(const Stones *s, double size)
{
  for (int i = 1; i < s->row_count; i++) {
    const SizeRow a = s->rows[i - 1], b = s->rows[i];
    if (size <= b.size) return a.share + (size - a.size) / (b.size - a.size) * (b.share - a.share);
  }
  return 1;
}

// The share of stones no larger than any size is within two hundredths of the curve.
static void check_curve(const Case *c, Arena *arena)
{
  const Stones *s = c->groups[0].stones;
  static double sizes[FILL_MOST_STONES], amounts[FILL_MOST_STONES];
  double sum = 0, worst = 0, volume = 0;
  for (uint64_t id = 0; id < c->body_count; id++) {
    const double own = volume_of(c, id, &sizes[id], arena);
    amounts[id] = s->by_number ? 1 : own;
    sum += amounts[id];
    volume += own;
  }
  for (int k = 0; k <= 1000; k++) {
    const double sieve = s->rows[0].size + k * 1e-3 * (s->rows[2].size - s->rows[0].size);
    double passed = 0;
    for (uint64_t id = 0; id < c->body_count; id++)
      if (sizes[id] <= sieve * (1 + 1e-9)) passed += amounts[id];
    worst = larger_of(worst, fabs(passed / sum - asked_share(s, sieve)));
  }
  CHECK(worst < 0.02);
  CHECK_NEAR(worst, s->fill->off_curve, 2e-3);
  // at least what is asked for, by no more than one of the smallest stones
  const double reached = volume / room_volume(&s->fill->room);
  CHECK_NEAR(reached, s->fill->solid, 1e-12);
  CHECK(reached >= s->fill->fraction && reached < s->fill->fraction + 1e-3);
}

static void test_curve(Arena *arena)
{
  for (int k = 0; k < 2; k++) {
    FillScene scene;
    Case c = fill_case(&scene, 0.5, 7, arena);
    scene.stones.by_number = k == 1;
    if (!CHECK(prepare(&c) == NULL)) continue;
    CHECK(c.body_count == (uint64_t)scene.fill.count && c.body_count > 300);
    check_curve(&c, arena);
    // kinds by number, the largest stones first
    int boxes = 0;
    for (int i = 0; i < scene.fill.count; i++)
      boxes += scene.fill.shape_of[i] >= scene.stones.first_shape[1];
    CHECK_NEAR(boxes, 0.25 * scene.fill.count, 1);
    double size, last = 1;
    for (uint64_t id = 0; id < c.body_count; id++, last = size) {
      volume_of(&c, id, &size, arena);
      CHECK(size <= last * (1 + 1e-9));
    }
  }
}

// About 2000 stones at 0.55 in a cylinder; the time is printed.
static void test_promise(Arena *arena)
{
  FillScene scene;
  Case c = fill_case(&scene, 0.55, 7, arena);
  scene.stones.kind_count = 1;
  const clock_t begin = clock();
  if (!CHECK(prepare(&c) == NULL)) return;
  printf("%d stones at %.4f of a cylinder, within %.4f of their curve: %.2f s\n", scene.fill.count,
         scene.fill.solid, scene.fill.off_curve, (double)(clock() - begin) / CLOCKS_PER_SEC);
  CHECK(scene.fill.count > 1900);
  check_curve(&c, arena);
}

// Bodies stand where the fill has them, in the frame of the group; nothing depends on the order in
// which they are asked for.
static void test_bodies(Arena *arena)
{
  FillScene scene, other;
  Case c = fill_case(&scene, 0.4, 7, arena), d = fill_case(&other, 0.4, 8, arena);
  other.group.turn = recipe_turn((vec3){0, 0, 1}, 0.5);
  if (!CHECK(prepare(&c) == NULL) || !CHECK(prepare(&d) == NULL)) return;
  for (uint64_t id = 0; id < c.body_count; id++) {
    const BodyRecipe body = scene_body(&c, id);
    const vec3 expected = vec3_add(scene.group.at, scene.fill.places[id]);
    CHECK(vec3_norm(vec3_sub(body.origin, expected)) == 0);
    CHECK(body.shape == scene.group.first_shape + scene.fill.shape_of[id]);
    if (id < d.body_count)
      CHECK(vec3_norm(vec3_sub(scene.fill.places[id], other.fill.places[id])) > 0);
  }
  CHECK(stones_check(&scene.group) == NULL);
}

static void check_refusal(Case *c, const char *expected)
{
  const char *refusal = prepare(c);
  if (CHECK(refusal != NULL) && !CHECK(strstr(refusal, expected) != NULL)) puts(refusal);
}

static void test_refusals(Arena *arena)
{
  FillScene scene;
  Case c = fill_case(&scene, 0.85, 7, arena);
  scene.fill.room = (Room){.kind = ROOM_BOX, .size = {0.6, 0.6, 0.6}};
  check_refusal(&c, "fill.fraction: 0.85 cannot be reached: its ");

  c = fill_case(&scene, 0.5, 7, arena);
  scene.fill.room = (Room){.kind = ROOM_BOX, .size = {0.15, 3, 3}};
  check_refusal(&c, "has no place in the room, even alone");

  c = fill_case(&scene, 0.5, 7, arena);
  scene.fill.room = (Room){.kind = ROOM_BOX, .size = {30, 30, 30}};
  check_refusal(&c, "it takes more than 100000 stones");

  c = fill_case(&scene, 0.5, 7, arena);
  scene.kinds[1].shape.surface_alone = true;
  check_refusal(&c, "no surfaces alone");

  c = fill_case(&scene, 0.5, 7, arena);
  static const vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const int inward[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
  scene.fill.room =
      (Room){.kind = ROOM_SURFACE, .triangle_count = 4, .points = points, .triangles = inward};
  check_refusal(&c, "the surface encloses no volume, or looks inward");
}

int main(void)
{
  Arena arena = arena_new();
  test_curve(&arena);
  test_promise(&arena);
  test_bodies(&arena);
  test_refusals(&arena);
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
