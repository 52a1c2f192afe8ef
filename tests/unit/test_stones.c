// Stones: sizes as the curve says, shares, orientations, lattices without overlap, functions of the
// seed.
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "memory.h"
#include "recipe.h"
#include "scene.h"
#include "stones.h"
#include "stones_scene.h"

// The middle side of the bounding box, by sorting.
static double size_of(const ShapeRecipe *shape)
{
  vec3 low, high;
  recipe_bounds(shape, &low, &high);
  double side[3] = {high.x - low.x, high.y - low.y, high.z - low.z};
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++)
      if (side[k] > side[k + 1]) {
        const double larger = side[k];
        side[k] = side[k + 1];
        side[k + 1] = larger;
      }
  return side[1];
}

static double table_size(const SizeRow *rows, double share)
{
  int i = 0;
  while (rows[i + 1].share < share) i++;
  const double part = (share - rows[i].share) / (rows[i + 1].share - rows[i].share);
  return rows[i].size + part * (rows[i + 1].size - rows[i].size);
}

// 1e5 stones of two kinds: below each size of the curve lies the share of numbers or of masses that
// it says, within four standard deviations of a sample.
static void test_curve(bool by_number, Arena *arena)
{
  enum { CLASSES = 8 };
  SizeRow rows[] = {{0.08, 0}, {0.12, 0.4}, {0.2, 1}};
  StoneKind kinds[] = {random_kind(16, 12, 3, 0), given_kind(box_shape(2, 2, 2, arena), 1)};
  BodyGroup group = lattice_of((int[3]){100, 100, 10}, 1, 0);
  Stones stones = {.kind_count = 2,
                   .kinds = kinds,
                   .row_count = 3,
                   .rows = rows,
                   .by_number = by_number,
                   .classes = CLASSES,
                   .turned = true};
  Case c = stones_case(&group, &stones, 7, arena);
  if (!CHECK(scene_prepare(&c) == NULL)) return;
  CHECK(c.shape_count == 13 * CLASSES && c.body_count == 100000);

  ShapeSet shapes = shape_set_new(c.shapes, c.shape_count);
  double bounds[CLASSES + 1], below[CLASSES + 1] = {0}, total = 0, squares = 0;
  for (int j = 0; j <= CLASSES; j++) bounds[j] = table_size(rows, (double)j / CLASSES);
  int boxes = 0, of_shape[13 * CLASSES] = {0};
  for (uint64_t id = 0; id < c.body_count; id++) {
    const int shape = scene_body(&c, id).shape;
    const double size = size_of(&c.shapes[shape]);
    const double weight = by_number ? 1 : shape_set_get(&shapes, shape)->volume;
    for (int j = 0; j <= CLASSES; j++)
      if (size <= bounds[j]) below[j] += weight;
    total += weight;
    squares += weight * weight;
    boxes += shape >= 12 * CLASSES;
    of_shape[shape]++;
  }
  const double deviation = sqrt(squares) / total;
  for (int j = 0; j <= CLASSES; j++)
    CHECK_NEAR(below[j] / total, (double)j / CLASSES, 4 * deviation);
  CHECK(below[0] == 0 && below[CLASSES] == total);
  CHECK_NEAR(boxes / 1e5, 0.25, 4 * sqrt(0.25 * 0.75 / 1e5));

  // kinds, variants and sizes are chosen independently: a variant has a twelfth of the stones
  for (int v = 0; v < 12; v++) {
    int stones_of_it = 0;
    for (int j = 0; j < CLASSES; j++) stones_of_it += of_shape[v * CLASSES + j];
    CHECK_NEAR(stones_of_it, 6250, 4 * sqrt(6250));
  }
  shape_set_destroy(&shapes);
}

// Triangles of a box, as the bits of its corners say.
static int BOX_TRIANGLES[12][3] = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5},
                                   {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                   {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};

// Shapes of the case language: their own size or scaled ones, origin at the centre of mass.
static void test_given_shapes(Arena *arena)
{
  SizeRow rows[] = {{1, 0}, {3, 1}};
  ShapeRecipe hook = {.part_count = 2, .parts = arena_allocate(arena, 2 * sizeof(PartRecipe))};
  hook.parts[0] = recipe_box((vec3){4, 1, 1}, arena);
  hook.parts[1] = recipe_box((vec3){1, 1, 2}, arena);
  recipe_place(&hook.parts[0], (vec3){7, 5, 5}, quat_identity());
  recipe_place(&hook.parts[1], (vec3){5.5, 5, 6.5}, quat_identity());
  for (int p = 0; p < 2; p++) {
    hook.parts[p].triangle_count = 12;
    hook.parts[p].triangles = BOX_TRIANGLES;
  }
  hook.surface_known = true;
  StoneKind kinds[] = {
      given_kind(hook, 1),
      given_kind(recipe_single(recipe_wedge((vec3){2, 3, 1}, arena), arena), 1),
      random_kind(20, 3, 1, 0.25),
  };
  for (int sized = 0; sized < 2; sized++) {
    BodyGroup group = lattice_of((int[3]){4, 4, 4}, 20, 0);
    Stones stones = {.kind_count = 3,
                     .kinds = kinds,
                     .row_count = sized ? 2 : 0,
                     .rows = rows,
                     .classes = 5,
                     .turned = true};
    Case c = stones_case(&group, &stones, 3, arena);
    if (!CHECK(scene_prepare(&c) == NULL)) return;
    const int classes = sized ? 5 : 1;
    CHECK(c.shape_count == 5 * classes);
    const double own[] = {3, 2, 0.25, 0.25, 0.25};
    for (int i = 0; i < c.shape_count; i++) {
      const ShapeRecipe recipe = c.shapes[i];
      if (!sized) CHECK_NEAR(size_of(&recipe), own[i], 1e-15 * own[i]);
      else CHECK(i % 5 == 0 || size_of(&recipe) > size_of(&c.shapes[i - 1]));
      CHECK(recipe.surface_known == (i < classes));
      CHECK(recipe.parts[0].triangle_count == (i < classes ? 12 : 0));
      Shape shape;
      if (!CHECK(shape_build(&recipe, arena, &shape).status == SHAPE_OK)) continue;
      CHECK_NEAR(vec3_norm(shape.center), 0, 1e-15 * shape.extent);
      CHECK_NEAR(stones.reach[i], shape.radius, 1e-14 * shape.radius);
      // all classes of a shape are alike
      const double cube = size_of(&recipe) * size_of(&recipe) * size_of(&recipe);
      if (i < classes) CHECK_NEAR(shape.volume / cube, 6.0 / 27, 1e-14);
      else if (i < 2 * classes) CHECK_NEAR(shape.volume / cube, 3.0 / 8, 1e-14);
    }
  }

  // a sphere is its radius
  StoneKind ball = {.share = 1, .shape = {.radius = 0.7}};
  BodyGroup group = lattice_of((int[3]){2, 1, 1}, 20, 0);
  Stones stones = {.kind_count = 1, .kinds = &ball, .row_count = 2, .rows = rows, .classes = 4};
  Case c = stones_case(&group, &stones, 3, arena);
  if (!CHECK(scene_prepare(&c) == NULL)) return;
  CHECK(c.shape_count == 4);
  for (int j = 0; j < 4; j++) {
    CHECK(c.shapes[j].radius > 0.5 + 0.25 * j && c.shapes[j].radius < 0.5 + 0.25 * (j + 1));
    CHECK(c.shapes[j].part_count == 0 && stones.reach[j] == c.shapes[j].radius);
  }

  CHECK_NEAR(stones.pitch, 2 * c.shapes[3].radius, 1e-15);

  // an ellipsoid is twice its middle radius
  ball.shape = (ShapeRecipe){.radii = {3, 1, 2}};
  group = lattice_of((int[3]){2, 1, 1}, 20, 0);
  stones = (Stones){.kind_count = 1, .kinds = &ball, .row_count = 2, .rows = rows, .classes = 4};
  c = stones_case(&group, &stones, 3, arena);
  if (!CHECK(scene_prepare(&c) == NULL)) return;
  for (int j = 0; j < 4; j++) {
    const vec3 radii = c.shapes[j].radii;
    CHECK(radii.z > 0.5 + 0.25 * j && radii.z < 0.5 + 0.25 * (j + 1) && c.shapes[j].radius == 0);
    CHECK_NEAR(radii.x, 1.5 * radii.z, 1e-15);
    CHECK_NEAR(radii.y, 0.5 * radii.z, 1e-15);
    CHECK(stones.reach[j] == radii.x);
  }
}

// Jittered as far as can be, on a lattice as narrow as can be: no two stones overlap, in no
// direction are they in order.
static void test_lattice(Arena *arena)
{
  SizeRow rows[] = {{0.1, 0}, {0.3, 1}};
  StoneKind kinds[] = {random_kind(12, 20, 1, 0), given_kind(box_shape(1, 1, 1, arena), 0.3)};
  BodyGroup group = lattice_of((int[3]){6, 7, 8}, 0.1, 1);
  Stones stones = {.kind_count = 2,
                   .kinds = kinds,
                   .row_count = 2,
                   .rows = rows,
                   .classes = 4,
                   .jitter = 1,
                   .turned = true};
  Case c = stones_case(&group, &stones, 11, arena);
  CHECK(scene_prepare(&c) != NULL);
  const double pitch = stones.pitch;
  group.spacing = (vec3){pitch, -pitch, 1.5 * pitch};
  if (!CHECK(scene_prepare(&c) == NULL)) return;

  enum { COUNT = 6 * 7 * 8 };
  PlacedStone placed[COUNT];
  int displaced = 0;
  double largest = 0;
  for (uint64_t id = 0; id < COUNT; id++) {
    placed[id] = stone_place(&c, id);
    const vec3 cell = {(double)(id % 6) * pitch, -(double)(id / 6 % 7) * pitch,
                       (double)(id / 42) * 1.5 * pitch};
    const vec3 shift = vec3_sub(scene_body(&c, id).origin, vec3_add(group.at, cell));
    CHECK(fabs(shift.x) < 1e-12 && fabs(shift.y) < 1e-12 && fabs(shift.z) < 0.25 * pitch);
    displaced += fabs(shift.z) > 0.01 * pitch;
    if (fabs(shift.z) > largest) largest = fabs(shift.z);
  }
  CHECK(displaced > COUNT * 9 / 10 && largest > 0.24 * pitch);
  for (int i = 0; i < COUNT; i++)
    for (int j = 0; j < i; j++) CHECK(stones_are_apart(&placed[i], &placed[j]));

  // without jitter each stands in the middle of its cell; without turns, as its shape was described
  stones.jitter = 0;
  stones.turned = false;
  if (!CHECK(scene_prepare(&c) == NULL)) return;
  const BodyRecipe body = scene_body(&c, 43);
  const quat one = quat_identity();
  CHECK(memcmp(&body.turn, &one, sizeof one) == 0);
  CHECK_NEAR(body.origin.x, group.at.x + pitch, 1e-15);
  CHECK_NEAR(body.origin.z, group.at.z + 1.5 * pitch, 1e-15);
}

static int equal_bodies(const Case *a, const Case *b)
{
  int same = 0;
  for (uint64_t id = 0; id < a->body_count; id++) {
    const BodyRecipe p = scene_body(a, id), q = scene_body(b, id);
    same += p.shape == q.shape && memcmp(&p.origin, &q.origin, sizeof p.origin) == 0 &&
            memcmp(&p.turn, &q.turn, sizeof p.turn) == 0;
  }
  return same;
}

static int equal_shapes(const Case *a, const Case *b)
{
  int same = 0;
  for (int i = 0; i < a->shape_count; i++) {
    const PartRecipe *p = a->shapes[i].parts, *q = b->shapes[i].parts;
    same += memcmp(p->points, q->points, (size_t)p->count * sizeof(vec3)) == 0;
  }
  return same;
}

// The same seed gives the same stones; another seed, and the same entry in another place, others.
static void test_seed(Arena *arena)
{
  enum { COUNT = 200 };
  StoneKind kind = random_kind(16, 10, 1, 0.1);
  Case c[4];
  BodyGroup groups[4][2];
  Stones stones[4];
  const uint64_t seeds[] = {7, 7, 8, 7};
  for (int k = 0; k < 4; k++) {
    stones[k] = (Stones){.kind_count = 1, .kinds = &kind, .jitter = 1, .turned = true};
    for (int g = 0; g < 2; g++) {
      groups[k][g] = lattice_of((int[3]){COUNT, 1, 1}, 1, 0);
      groups[k][g].stones = &stones[k];
    }
    c[k] = stones_case(&groups[k][k == 3], &stones[k], seeds[k], arena);
    c[k].groups = groups[k];
    c[k].group_count = k == 3 ? 2 : 1;
    CHECK(scene_prepare(&c[k]) == NULL);
  }
  CHECK(equal_bodies(&c[0], &c[1]) == COUNT && equal_shapes(&c[0], &c[1]) == 10);
  CHECK(equal_bodies(&c[0], &c[2]) == 0 && equal_shapes(&c[0], &c[2]) == 0);
  CHECK(c[3].body_count == 2 * COUNT);
  int same = 0;
  for (uint64_t id = 0; id < COUNT; id++)
    same += scene_body(&c[3], id).turn.w == scene_body(&c[3], id + COUNT).turn.w;
  CHECK(same == 0);
}

static void check_refusal(BodyGroup group, Stones stones, Arena *arena, const char *expected)
{
  Case c = stones_case(&group, &stones, 1, arena);
  const char *message = scene_prepare(&c);
  if (!CHECK(message && strcmp(message, expected) == 0))
    printf("  found    %s\n  expected %s\n", message ? message : "nothing", expected);
}

// What is said of a group without a look at each stone: shares of shapes, and boxes that hold all.
static void check_expected(const Case *c)
{
  const BodyGroup *g = c->groups;
  const StonesBox all = stones_bounds(g), centres = stones_centres(g);
  int drawn[64] = {0};
  if (!CHECK(g->shape_count <= 64)) return;
  for (uint64_t i = 0; i < g->body_count; i++) {
    const GroupBody stone = stones_body(g, i);
    const ShapeRecipe *shape = &c->shapes[g->first_shape + stone.shape];
    const double reach = recipe_reach(shape),
                 p[3] = {stone.origin.x, stone.origin.y, stone.origin.z};
    drawn[stone.shape]++;
    for (int k = 0; k < 3; k++) {
      CHECK(p[k] - reach >= (&all.low.x)[k] - 1e-12 && p[k] + reach <= (&all.high.x)[k] + 1e-12);
      CHECK(p[k] >= (&centres.low.x)[k] - 1e-12 && p[k] <= (&centres.high.x)[k] + 1e-12);
    }
  }
  double sum = 0;
  for (int i = 0; i < g->shape_count; i++) {
    const double share = stones_share(g, i), expected = share * (double)g->body_count;
    sum += share;
    CHECK_NEAR(drawn[i], expected, 5 * sqrt(expected) + 5);
  }
  CHECK_NEAR(sum, 1, 1e-14);
}

static void test_expected(Arena *arena)
{
  SizeRow rows[] = {{0.1, 0}, {0.2, 0.3}, {0.3, 1}};
  StoneKind kinds[] = {random_kind(12, 5, 2, 0), given_kind((ShapeRecipe){.radius = 0.5}, 1),
                       given_kind(box_shape(3, 1, 1, arena), 0.2)};
  for (int i = 0; i < 4; i++) {
    Stones stones = {.kind_count = 3, .kinds = kinds, .turned = true};
    if (i < 2) stones.row_count = 3, stones.rows = rows, stones.classes = 4;
    else kinds[0].size = 0.4;
    BodyGroup group = lattice_of((int[3]){20, 20, 10}, -1.5, 3);
    if (i == 2) group.spacing = (vec3){4, -4, 4};
    if (i == 3) group.count[1] = 1, group.spacing = (vec3){-4, 0, 4};
    stones.jitter = i == 2 ? 0.7 : 0;
    if (i % 2 == 0) {
      stones.width[0] = 11, stones.width[1] = 7, stones.count = 4000;
      group.kind = i == 0 ? GROUP_INLET : GROUP_STONES;
    }
    Case c = stones_case(&group, &stones, 17, arena);
    if (CHECK(scene_prepare(&c) == NULL)) check_expected(&c);
  }
}

static void test_refusals(Arena *arena)
{
  StoneKind box = given_kind(box_shape(3, 4, 12, arena), 1);
  Stones stones = {.kind_count = 1, .kinds = &box};
  check_refusal(lattice_of((int[3]){1, 2, 1}, 12.9, 0), stones, arena,
                "a.yaml:7: stones: lattice.spacing: 12.9 m along y; the largest stones need at "
                "least 13 m, the diameter of the sphere about them");
  BodyGroup row = lattice_of((int[3]){1, 1, 2}, 13, 0);
  row.spacing.x = row.spacing.y = 0;   // of one copy
  Case c = stones_case(&row, &stones, 1, arena);
  CHECK(scene_prepare(&c) == NULL);

  vec3 plate[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  StoneKind two[] = {
      box, given_kind(recipe_single((PartRecipe){.count = 4, .points = plate}, arena), 1)};
  stones.kinds = two;
  stones.kind_count = 2;
  check_refusal(lattice_of((int[3]){1, 2, 1}, 100, 0), stones, arena,
                "a.yaml:7: stones: shape 2: part 1: all points lie in one plane");

  SizeRow rows[] = {{0.1, 0}, {0.3, 1}};
  StoneKind many[] = {random_kind(8, 1000, 1, 0), given_kind(box.shape, 1)};
  stones = (Stones){.kind_count = 2, .kinds = many, .row_count = 2, .rows = rows, .classes = 100};
  check_refusal(
      lattice_of((int[3]){1, 2, 1}, 100, 0), stones, arena,
      "a.yaml:7: stones: more than 100000 different stones: lower sizes.classes, or variety");
}

int main(void)
{
  Arena arena = arena_new();
  test_curve(false, &arena);
  test_curve(true, &arena);
  test_given_shapes(&arena);
  test_lattice(&arena);
  test_seed(&arena);
  test_expected(&arena);
  test_refusals(&arena);
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
