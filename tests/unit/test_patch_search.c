// The quick ways of the patch search beside the whole search, bit by bit: patches decided by faces
// alone or by the best axis, culled faces and edges, faces kept from the last step, near parts
// found by a sweep.
#include <string.h>

#include "gjk.h"
#include "harness.h"
#include "part_pairs.h"
#include "patch.h"
#include "posed_scene.h"

#define REACH 1e-5

static const PatchParameters parameters = {.margin = 1e-3, .feature_width = 2e-3, .max_points = 8};
static const vec3 zero = {0, 0, 0};

static bool same_patch(const Patch *p, const Patch *q)
{
  return p->part_a == q->part_a && p->part_b == q->part_b && p->axis_a == q->axis_a &&
         p->axis_b == q->axis_b && p->point_count == q->point_count &&
         memcmp(&p->normal, &q->normal, sizeof(vec3)) == 0 &&
         memcmp(&p->area, &q->area, sizeof(double)) == 0 &&
         memcmp(&p->separation, &q->separation, sizeof(double)) == 0 &&
         memcmp(p->points, q->points, (size_t)p->point_count * sizeof *p->points) == 0;
}

static bool same_set(const PatchSet *p, const PatchSet *q)
{
  if (p->patch_count != q->patch_count || p->failed != q->failed) return false;
  for (int i = 0; i < p->patch_count; i++) {
    if (!same_patch(&p->patches[i], &q->patches[i])) return false;
  }
  return true;
}

// What the searches of many pairs came to.
typedef struct {
  int pairs, patches, areas, other;   // other: the quick search gave other bits
} Tally;

static int kept_axes(const PatchSet *set, KeptAxis *kept, int room)
{
  int count = 0;
  for (int i = 0; i < set->patch_count && count < room; i++) {
    const Patch *p = &set->patches[i];
    kept[count++] = (KeptAxis){p->part_a, p->part_b, p->axis_a, p->axis_b};
  }
  return count;
}

// Whole and quick, new and with the axes of the first search, with and without hints.
static void compare_reaching(const PosedBody *a, const PosedBody *b, double reach, Random *random,
                             Tally *tally, Arena *arena)
{
  KeptAxis kept[16];
  SeparatingFace faces[3];
  PatchQuery query = {.a = a, .b = b, .parameters = &parameters, .reach = reach, .kept = kept};
  for (int round = 0; round < 2; round++) {
    query.whole_search = true;
    query.hints = (PatchHints){NULL, 0};
    const PatchSet whole = patch_search(&query, arena);
    query.whole_search = false;
    const PatchSet quick = patch_search(&query, arena);
    for (int i = 0; i < 3; i++) {
      faces[i] = (SeparatingFace){random_below(random, 4) - 1, random_below(random, 40) - 2};
    }
    query.hints = (PatchHints){faces, 1 + random_below(random, 3)};
    const PatchSet guided = patch_search(&query, arena);
    const PatchSet again = patch_search(&query, arena);
    tally->other +=
        !same_set(&whole, &quick) + !same_set(&whole, &guided) + !same_set(&whole, &again);
    tally->pairs++;
    tally->patches += whole.patch_count;
    for (int i = 0; i < whole.patch_count; i++) tally->areas += whole.patches[i].area > 0;
    query.kept_count = kept_axes(&whole, kept, 16);
    if (round == 0 && query.kept_count > 0 && random_below(random, 8) == 0) {
      // an axis that was right once, of other features
      kept[0].axis_a = kept[0].axis_a == AXIS_NONE ? AXIS_NONE : kept[0].axis_a ^ 1U;
    }
  }
}

static void compare(const PosedBody *a, const PosedBody *b, Random *random, Tally *tally,
                    Arena *arena)
{
  compare_reaching(a, b, REACH, random, tally, arena);
}

static PosedBody with_boxes(PosedBody body, Arena *arena)
{
  body.boxes = part_boxes_new(body.parts, body.shape->part_count, arena);
  return body;
}

// Bricks on bricks: bonds, flush sides, tilts and gaps of every scale.
static void test_bricks(Arena *arena)
{
  const double scales[6] = {0, 1e-12, 1e-9, 1e-6, 1e-4, 1e-2};
  const Solid brick = solid_box(zero, vec3_new(0.4, 0.2, 0.2));
  const Solid slab = solid_box(vec3_new(-5, -5, -1), vec3_new(5, 5, 0.2));
  Random random = {3};
  Tally tally = {0};
  for (int i = 0; i < test_rounds(3000); i++) {
    const ArenaMark mark = arena_mark(arena);
    const double size = scales[i % 6], gap = scales[random_below(&random, 5)];
    const mat3 scene = i % 2 ? random_rotation(&random) : mat3_diagonal(1, 1, 1);
    const mat3 tilt = rotation_about(random_direction(&random), size);
    vec3 place = {random_below(&random, 3) * 0.2, random_below(&random, 2) * 0.1,
                  0.2 + random_between(&random, -1, 1) * gap};
    if (random_below(&random, 2)) place = vec3_add(place, random_in_cube(&random, size));
    const PosedBody a = body_from_solid(i % 5 ? &brick : &slab, scene, zero, zero, arena);
    PosedBody b = body_from_solid(&brick, mat3_mul_mat(scene, tilt), mat3_mul(scene, place),
                                  random_in_cube(&random, 1), arena);
    b.spin = random_in_cube(&random, 1);
    compare(&a, &b, &random, &tally, arena);
    arena_release(arena, mark);
  }
  CHECK(tally.other == 0);
  CHECK(tally.areas > tally.pairs / 2);
}

static void add_ball(Solid *solid, Random *random, int count)
{
  vec3 points[24];
  for (int i = 0; i < count; i++) points[i] = random_direction(random);
  solid_add_part(solid, points, count);
}

static void add_cut_block(Solid *solid, Random *random)
{
  const int axes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  const vec3 half = {random_between(random, 0.3, 1), random_between(random, 0.3, 1),
                     random_between(random, 0.3, 1)};
  const Solid stone = solid_box(vec3_neg(half), half);
  for (int t = 0; t < 6; t++) {
    vec3 piece[4] = {stone.corners[0][0]};
    for (int k = 0, at = 0; k < 3; k++) piece[k + 1] = stone.corners[0][at |= 1 << axes[t][k]];
    solid_add_part(solid, piece, 4);
  }
}

// How far b must be along a direction for it to touch a.
static double touching_distance(const PosedBody *a, const PosedBody *b, vec3 along, Arena *arena)
{
  double touching = 0;
  for (int p = 0; p < a->shape->part_count; p++) {
    for (int q = 0; q < b->shape->part_count; q++) {
      const Polyhedron *of_a = &a->parts[p], *of_b = &b->parts[q];
      vec3 *moved = arena_allocate(arena, (size_t)of_b->vertex_count * sizeof *moved);
      double near = 0, far = 6;
      for (int i = 0; i < 40; i++) {
        const double middle = 0.5 * (near + far);
        for (int v = 0; v < of_b->vertex_count; v++) {
          moved[v] = vec3_axpy(middle, along, of_b->vertices[v]);
        }
        const bool apart =
            gjk_distance(of_a->vertices, of_a->vertex_count, moved, of_b->vertex_count).distance >
            0;
        if (apart) far = middle;
        else near = middle;
      }
      touching = fmax(touching, near);
    }
  }
  return touching;
}

// Random solids near each other: apart, touching, too deep for a patch.
static void test_stones(Arena *arena)
{
  const double depths[6] = {-0.05, -1e-3, 0, 1e-5, 2e-3, 0.2};
  Random random = {5};
  Tally tally = {0};
  for (int i = 0; i < test_rounds(1200); i++) {
    const ArenaMark mark = arena_mark(arena);
    Solid solids[2] = {{0}, {0}};
    for (int k = 0; k < 2; k++) {
      if (i % 4 == 3) add_cut_block(&solids[k], &random);
      else add_ball(&solids[k], &random, 4 + random_below(&random, 20));
    }
    const vec3 along = random_direction(&random);
    const PosedBody a = body_from_solid(&solids[0], random_rotation(&random), zero, zero, arena);
    PosedBody b = body_from_solid(&solids[1], random_rotation(&random), zero,
                                  random_in_cube(&random, 1), arena);
    const double depth = depths[i % 6] * random_between(&random, 0.5, 1);
    const double distance = touching_distance(&a, &b, along, arena) - depth;
    b.center = vec3_axpy(distance, along, a.center);
    const PosedBody boxed = with_boxes(a, arena);
    compare(i % 2 ? &boxed : &a, &b, &random, &tally, arena);
    arena_release(arena, mark);
  }
  CHECK(tally.other == 0);
  CHECK(tally.patches > tally.pairs / 2);
}

typedef enum {
  SHARP_BOX,
  SHARP_PLATE,
  SHARP_WEDGE,
  SHARP_NEEDLE,
  SHARP_BALL,
  SHARP_CUT_BLOCK,   // with faces inside, which are no candidates
  SHARP_KINDS
} Sharp;

// Solids of few and sharp edges, a round one, and one of several parts.
static Solid sharp_solid(Sharp kind, Random *random)
{
  Solid solid = {0};
  const vec3 half = {random_between(random, 0.4, 1), random_between(random, 0.4, 1),
                     kind == SHARP_PLATE ? 0.01 : random_between(random, 0.4, 1)};
  const vec3 roof[6] = {{-half.x, -half.y, -half.z}, {half.x, -half.y, -half.z},
                        {-half.x, half.y, -half.z},  {half.x, half.y, -half.z},
                        {-half.x, 0, half.z},        {half.x, 0, half.z}};
  const vec3 spike[4] = {{-0.1, -0.1, -1}, {0.2, -0.1, -1}, {-0.1, 0.3, -1}, {0, 0, 1}};
  if (kind == SHARP_WEDGE) solid_add_part(&solid, roof, 6);
  else if (kind == SHARP_NEEDLE) solid_add_part(&solid, spike, 4);
  else if (kind == SHARP_BALL) add_ball(&solid, random, 4 + random_below(random, 20));
  else if (kind == SHARP_CUT_BLOCK) add_cut_block(&solid, random);
  else solid_add_box(&solid, vec3_neg(half), half);
  return solid;
}

// How b is turned against a: anyhow, with all edges and faces parallel or at right angles, ridges
// along or across each other, all but parallel.
static mat3 sharp_turn(int way, Random *random)
{
  const double eighth = acos(-1) / 4;
  const vec3 x = {1, 0, 0}, y = {0, 1, 0};
  const mat3 over = mat3_diagonal(1, -1, -1), across = {{{0, 1, 0}, {1, 0, 0}, {0, 0, -1}}};
  switch (way) {
  case 0: return mat3_diagonal(1, 1, 1);
  case 1: return over;
  case 2: return across;
  case 3: return rotation_about(x, eighth);
  case 4: return mat3_mul_mat(rotation_about(x, eighth), rotation_about(y, eighth));
  case 5: return mat3_mul_mat(rotation_about(random_direction(random), 1e-7), over);
  default: return random_rotation(random);
  }
}

// b along a direction, where a vertex of it or all of it touches a, and from there into a.
static vec3 sharp_place(const PosedBody *a, const PosedBody *b, double depth, Random *random,
                        Arena *arena)
{
  const Polyhedron *p = &a->parts[0], *q = &b->parts[0];
  const bool axis = random_below(random, 2) == 0;
  const vec3 along = axis ? vec3_new(0, 0, 1) : random_direction(random);
  if (random_below(random, 3) == 0) {
    const vec3 tip = p->vertices[random_below(random, p->vertex_count)];
    return vec3_axpy(-depth, along,
                     vec3_sub(tip, q->vertices[random_below(random, q->vertex_count)]));
  }
  return vec3_scale(touching_distance(a, b, along, arena) - depth, along);
}

// Pairs that the best axis decides, and that it does not: edges and faces parallel, vertices on
// vertices, needles and plates, at all depths, at rest and moving.
static void test_best_axis(Arena *arena)
{
  const double depths[8] = {-2e-3, -5e-4, 0, 1e-10, 1e-6, 1e-3, 0.03, 0.15};
  const double reaches[3] = {0, REACH, 2e-2};
  Random random = {11};
  Tally tally = {0};
  for (int i = 0; i < test_rounds(6000); i++) {
    const ArenaMark mark = arena_mark(arena);
    const Solid solid_a = sharp_solid(random_below(&random, SHARP_KINDS), &random);
    const Solid solid_b = sharp_solid(random_below(&random, SHARP_KINDS), &random);
    const vec3 speed = i % 3 ? random_in_cube(&random, 1) : zero;
    const mat3 scene = i % 2 ? random_rotation(&random) : mat3_diagonal(1, 1, 1);
    const mat3 turn = sharp_turn(random_below(&random, 9), &random);
    PosedBody a = body_from_solid(&solid_a, mat3_diagonal(1, 1, 1), zero, zero, arena);
    PosedBody b = body_from_solid(&solid_b, turn, zero, speed, arena);
    const double depth = depths[i % 8] * random_between(&random, 0.5, 1);
    const vec3 place = sharp_place(&a, &b, depth, &random, arena);
    a = body_from_solid(&solid_a, scene, zero, zero, arena);
    b = body_from_solid(&solid_b, mat3_mul_mat(scene, turn), zero, speed, arena);
    b.center = vec3_add(a.center, mat3_mul(scene, place));
    b.spin = i % 3 == 1 ? random_in_cube(&random, 1) : zero;
    compare_reaching(&a, &b, reaches[random_below(&random, 3)], &random, &tally, arena);
    arena_release(arena, mark);
  }
  CHECK(tally.other == 0);
  CHECK(tally.patches > tally.pairs / 4);
}

static Shape *round_stone(Random *random, int count, Arena *arena)
{
  vec3 *points = arena_allocate(arena, (size_t)count * sizeof *points);
  for (int i = 0; i < count; i++) {
    const vec3 v = random_direction(random);
    points[i] = vec3_new(v.x, 0.8 * v.y, 0.6 * (v.z > 0.7 ? 0.7 : v.z));   // with a flat top
  }
  PartRecipe part = {.count = count, .points = points};
  Shape *shape = arena_allocate(arena, sizeof *shape);
  const ShapeResult result =
      shape_build(&(ShapeRecipe){.part_count = 1, .parts = &part}, arena, shape);
  CHECK(result.status == SHAPE_OK);
  return shape;
}

// Hulls of hundreds of faces, among themselves and on a floor.
static void test_many_faces(Arena *arena)
{
  const double depths[4] = {-1e-3, 0, 1e-4, 3e-3};
  const Solid slab = solid_box(vec3_new(-5, -5, -1), vec3_new(5, 5, 0));
  Random random = {6};
  Tally tally = {0};
  Shape *stones[4];
  for (int i = 0; i < 4; i++) stones[i] = round_stone(&random, 400, arena);
  for (int i = 0; i < 48; i++) {
    const ArenaMark mark = arena_mark(arena);
    const mat3 turn = i % 3 ? random_rotation(&random) : mat3_diagonal(1, -1, -1);
    PosedBody a = body_place(stones[i % 4], random_rotation(&random), zero, zero, arena);
    PosedBody b = body_place(stones[i / 4 % 4], turn, zero, random_in_cube(&random, 1), arena);
    vec3 along = random_direction(&random);
    if (i % 2) {
      a = body_from_solid(&slab, mat3_diagonal(1, 1, 1), zero, zero, arena);
      along = vec3_new(0, 0, 1);
    }
    const double distance = touching_distance(&a, &b, along, arena) - depths[i % 4];
    b.center = vec3_axpy(distance, along, a.center);
    compare(&a, &b, &random, &tally, arena);
    arena_release(arena, mark);
  }
  CHECK(tally.other == 0);
  CHECK(tally.patches > tally.pairs / 2);
}

// A face that parted the bodies is remembered, and the search with it does no more than look at it.
static void test_hints(Arena *arena)
{
  // an edge beside a face: the boxes overlap
  const Solid brick = solid_box(zero, vec3_new(0.4, 0.2, 0.2));
  const mat3 tilt = rotation_about(vec3_new(0, 0, 1), acos(-1) / 4);
  const PosedBody a = body_from_solid(&brick, mat3_diagonal(1, 1, 1), zero, zero, arena);
  const PosedBody b = body_from_solid(&brick, tilt, vec3_new(0.491, 0.149, 0.1), zero, arena);
  SeparatingFace face = SEPARATING_FACE_NONE;
  const PatchQuery query = {
      .a = &a, .b = &b, .parameters = &parameters, .reach = REACH, .hints = {&face, 1}};
  PatchSet set = patch_search(&query, arena);
  CHECK(set.patch_count == 0 && set.count.parted > 0);
  CHECK(face.owner == 0 || face.owner == 1);
  const int64_t parted = set.count.parted;
  const size_t before = arena->peak;
  set = patch_search(&query, arena);
  CHECK(set.patch_count == 0 && set.count.parted == parted && arena->peak == before);
}

static bool same_parts(const NearParts *p, const NearParts *q)
{
  if (p->count != q->count) return false;
  for (int i = 0; i < p->count; i++) {
    if (p->pairs[i].a != q->pairs[i].a || p->pairs[i].b != q->pairs[i].b) return false;
  }
  return true;
}

// Bodies of up to 64 boxes at random places of a grid.
static void test_near_parts(Arena *arena)
{
  Random random = {7};
  int other = 0, found = 0;
  int64_t compared = 0, all_compared = 0;
  for (int i = 0; i < test_rounds(300); i++) {
    const ArenaMark mark = arena_mark(arena);
    PosedBody bodies[2];
    for (int k = 0; k < 2; k++) {
      Solid solid = {0};
      const int count = 1 + random_below(&random, 64);
      for (int p = 0; p < count; p++) {
        const vec3 low = {p % 4, p / 4 % 4, p / 16};
        solid_add_box(&solid, low, vec3_add(low, vec3_new(0.9, 0.8, 0.7)));
      }
      const mat3 turn = i % 2 ? random_rotation(&random) : mat3_diagonal(1, 1, 1);
      const vec3 place = k ? random_in_cube(&random, 5) : zero;
      bodies[k] = with_boxes(body_from_solid(&solid, turn, place, zero, arena), arena);
    }
    const double margin = random_between(&random, 0, 0.1), reach = random_between(&random, 0, 0.1);
    const NearParts all = part_pairs_all(&bodies[0], &bodies[1], margin, reach, arena);
    const NearParts near = part_pairs_find(&bodies[0], &bodies[1], margin, reach, arena);
    other += !same_parts(&all, &near);
    found += all.count;
    compared += near.compared;
    all_compared += all.compared;
    arena_release(arena, mark);
  }
  CHECK(other == 0);
  CHECK(found > test_rounds(1000));
  CHECK(3 * compared < all_compared);
}

// A body whose only part has a plane that leaves the mean of its corners outside: nothing for the
// clipper that has to dilate it.
static PosedBody damaged(PosedBody body, vec3 face_normal, Arena *arena)
{
  const Polyhedron *hull = &body.parts[0];
  Plane *planes = arena_allocate(arena, (size_t)hull->face_count * sizeof *planes);
  for (int f = 0; f < hull->face_count; f++) {
    planes[f] = hull->planes[f];
    if (vec3_dot(planes[f].normal, face_normal) < 0.999) continue;
    vec3 sum = {0, 0, 0};
    for (int v = 0; v < hull->vertex_count; v++) sum = vec3_add(sum, hull->vertices[v]);
    planes[f].offset = vec3_dot(planes[f].normal, sum) / hull->vertex_count - 0.01;
  }
  Polyhedron *part = arena_allocate(arena, sizeof *part);
  *part = *hull;
  part->planes = planes;
  body.parts = part;
  return body;
}

// Where the fast route to the common solid fails, the patch is the same, a pair too deep for one
// still gets its point, and both are counted.
static void test_fallback(Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  // a roof over a pyramid
  const vec3 roof[7] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                        {-1, 0, 0},   {1, 0, 0},   {0, 0, -2}};
  Solid solid = {0};
  solid_add_part(&solid, roof, 7);
  const mat3 over = {{{0, 1, 0}, {1, 0, 0}, {0, 0, -1}}};
  const vec3 down = {0, 0, -1}, below = {0, sqrt(0.5), -sqrt(0.5)};
  for (int deep = 0; deep < 2; deep++) {
    const PosedBody a = body_from_solid(&solid, mat3_diagonal(1, 1, 1), zero, zero, arena);
    const PosedBody b =
        body_from_solid(&solid, over, vec3_new(0, 0, deep ? -0.5 : -1e-3), down, arena);
    const PosedBody odd = damaged(a, below, arena);
    const PatchSet whole = patch_find(&a, &b, &parameters, 0, arena);
    const PatchQuery query = {.a = &odd, .b = &b, .parameters = &parameters, .whole_search = true};
    const PatchSet other = patch_search(&query, arena);
    CHECK(whole.patch_count == 1 && whole.failed == deep && whole.rerouted == 0);
    CHECK(other.patch_count == 1 && other.failed == deep && other.rerouted == 1);
    if (deep) {
      CHECK(other.patches[0].area > 0 && other.patches[0].points[0].gap < 0);
    } else {
      CHECK(whole.patches[0].axis_b != AXIS_NONE && whole.patches[0].axis_a != AXIS_NONE);
      CHECK(same_set(&whole, &other));
    }
  }
  arena_release(arena, mark);
}

int main(void)
{
  Arena arena = arena_new();
  test_bricks(&arena);
  test_stones(&arena);
  test_best_axis(&arena);
  test_many_faces(&arena);
  test_hints(&arena);
  test_near_parts(&arena);
  test_fallback(&arena);
  arena_destroy(&arena);
  return test_report();
}
