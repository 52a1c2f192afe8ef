// Time of the patch search per pair of bodies, over many different pairs of each kind: resting and
// turned bricks, tetrahedra and hulls that just touch, pairs that are near and apart, bodies of
// several parts. The hash of all results tells whether a change of the search changed a bit.
#include "patch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gjk.h"
#include "hash.h"
#include "part_pairs.h"
#include "random_numbers.h"
#include "shape.h"
#include "spread.h"

#define SHAPES 64
#define MAX_POINTS 50
#define REACH 1e-5

static const PatchParameters parameters = {.margin = 1e-3, .feature_width = 2e-3, .max_points = 8};
static const vec3 zero = {0, 0, 0};

typedef enum { BRICKS, BOXES, TETRAHEDRA, HULLS_20, HULLS_50, CUT_STONES } Kind;
typedef enum { RESTING, TURNED, FACING, TOUCHING, DEEP, APART } Placement;

typedef struct {
  const char *name;
  Kind kind;
  Placement placement;
  bool kept;   // the axes and separating faces of the last step are known
} Scenario;

typedef struct {
  PosedBody a, b;
  KeptAxis *kept;
  int kept_count;
  SeparatingFace face;   // that parted them in the last round, where it is kept
} Pair;

static int box_points(vec3 half, vec3 *points)
{
  for (int i = 0; i < 8; i++) {
    points[i] =
        vec3_new(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
  }
  return 8;
}

static Shape *shape_of(PartRecipe *parts, int count, Arena *arena)
{
  Shape *shape = arena_allocate(arena, sizeof *shape);
  const ShapeRecipe recipe = {.part_count = count, .parts = parts};
  if (shape_build(&recipe, arena, shape).status != SHAPE_OK) return NULL;
  return shape;
}

// A stone cut into six tetrahedra about a diagonal.
static Shape *cut_block(vec3 half, Arena *arena)
{
  const int axes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  vec3 corners[8], pieces[6][4];
  PartRecipe parts[6];
  box_points(half, corners);
  for (int t = 0; t < 6; t++) {
    pieces[t][0] = corners[0];
    for (int k = 0, at = 0; k < 3; k++) pieces[t][k + 1] = corners[at |= 1 << axes[t][k]];
    parts[t] = (PartRecipe){.count = 4, .points = pieces[t]};
  }
  return shape_of(parts, 6, arena);
}

static Shape *shape_new(Kind kind, Random *random, Arena *arena)
{
  vec3 points[MAX_POINTS];
  const vec3 half = {random_between(random, 0.3, 1), random_between(random, 0.3, 1),
                     random_between(random, 0.3, 1)};
  int count = 0;
  if (kind == CUT_STONES) return cut_block(half, arena);
  if (kind == BRICKS) count = box_points(vec3_new(0.2, 0.1, 0.1), points);
  if (kind == BOXES) count = box_points(half, points);
  if (kind == TETRAHEDRA) count = 4;
  if (kind == HULLS_20) count = 20;
  if (kind == HULLS_50) count = 50;
  for (int i = 0; i < count && kind >= TETRAHEDRA; i++) points[i] = random_direction(random);
  return shape_of(&(PartRecipe){.count = count, .points = points}, 1, arena);
}

static PosedBody pose(const Shape *shape, mat3 rotation, vec3 center, Arena *arena)
{
  Polyhedron *parts = arena_allocate(arena, (size_t)shape->part_count * sizeof *parts);
  for (int p = 0; p < shape->part_count; p++) {
    parts[p] = polyhedron_place(&shape->parts[p].hull, rotation, zero, arena);
  }
  return (PosedBody){.shape = shape,
                     .parts = parts,
                     .boxes = part_boxes_new(parts, shape->part_count, arena),
                     .rotation = rotation,
                     .center = center};
}

static mat3 small_turn(Random *random, double angle)
{
  const vec3 axis = random_direction(random);
  const double s = 0.5 * angle * random_between(random, 0, 1);
  return quat_to_mat3(quat_normalize((quat){1, s * axis.x, s * axis.y, s * axis.z}));
}

// How far b must be along a direction for it to touch a.
static double touching_distance(const PosedBody *a, const PosedBody *b, vec3 along)
{
  double touching = 0;
  for (int p = 0; p < a->shape->part_count; p++) {
    for (int q = 0; q < b->shape->part_count; q++) {
      const Polyhedron *of_a = &a->parts[p], *of_b = &b->parts[q];
      double near = 0, far = 6;
      for (int i = 0; i < 30; i++) {
        const double middle = 0.5 * (near + far);
        vec3 moved[MAX_POINTS];
        for (int v = 0; v < of_b->vertex_count; v++) {
          moved[v] = vec3_axpy(middle, along, of_b->vertices[v]);
        }
        const double distance =
            gjk_distance(of_a->vertices, of_a->vertex_count, moved, of_b->vertex_count).distance;
        if (distance > 0) far = middle;
        else near = middle;
      }
      if (near > touching) touching = near;
    }
  }
  return touching;
}

// Turns b so that one of its faces looks at a face of a; returns the direction between.
static vec3 face_to_face(const PosedBody *a, PosedBody *b, Random *random, Arena *arena)
{
  const Polyhedron *of_a = &a->parts[0], *of_b = &b->parts[0];
  const vec3 n = of_a->planes[random_below(random, of_a->face_count)].normal;
  const vec3 m = vec3_neg(of_b->planes[random_below(random, of_b->face_count)].normal);
  const vec3 axis = vec3_cross(m, n);
  const quat q = quat_normalize((quat){1 + vec3_dot(m, n), axis.x, axis.y, axis.z});
  const mat3 turn = mat3_mul_mat(small_turn(random, 1e-6), quat_to_mat3(q));
  *b = pose(b->shape, mat3_mul_mat(turn, b->rotation), zero, arena);
  return n;
}

static void place_bricks(Pair *pair, Placement placement, Random *random, Arena *arena)
{
  const bool turned = placement == TURNED;
  const mat3 scene = turned ? random_rotation(random) : mat3_diagonal(1, 1, 1);
  const mat3 tilt = turned ? small_turn(random, 1e-5) : scene;
  vec3 shift = {random_below(random, 2) ? 0.2 : random_between(random, -0.35, 0.35),
                random_below(random, 2) ? 0 : random_between(random, -0.15, 0.15),
                0.2 + random_between(random, -1e-6, 1e-6)};
  if (placement == APART) shift = vec3_new(0.402, 0, random_between(random, -0.1, 0.1));
  pair->a = pose(pair->a.shape, scene, zero, arena);
  pair->b = pose(pair->b.shape, mat3_mul_mat(scene, tilt), mat3_mul(scene, shift), arena);
}

static Pair pair_new(const Scenario *scenario, Shape **shapes, Random *random, Arena *arena)
{
  Pair pair = {.face = SEPARATING_FACE_NONE};
  pair.a.shape = shapes[random_below(random, SHAPES)];
  pair.b.shape = shapes[random_below(random, SHAPES)];
  if (scenario->kind == BRICKS) {
    place_bricks(&pair, scenario->placement, random, arena);
  } else {
    pair.a = pose(pair.a.shape, random_rotation(random), zero, arena);
    pair.b = pose(pair.b.shape, random_rotation(random), zero, arena);
    vec3 along = random_direction(random);
    if (scenario->placement == FACING) along = face_to_face(&pair.a, &pair.b, random, arena);
    const double gap = scenario->placement == APART    ? random_between(random, 2e-2, 1e-1)
                       : scenario->placement == FACING ? random_between(random, -1e-5, 1e-5)
                       : scenario->placement == DEEP   ? random_between(random, -5e-3, 0)
                                                       : random_between(random, -1e-4, 1e-5);
    pair.b.center = vec3_scale(touching_distance(&pair.a, &pair.b, along) + gap, along);
  }
  pair.b.velocity = vec3_axpy(-1, pair.b.center, random_in_cube(random, 0.1));
  pair.b.spin = random_in_cube(random, 0.1);
  if (!scenario->kept) return pair;
  pair.kept = arena_allocate(arena, 36 * sizeof *pair.kept);
  const PatchSet set = patch_find(&pair.a, &pair.b, &parameters, REACH, arena);
  for (int i = 0; i < set.patch_count && i < 36; i++) {
    const Patch *patch = &set.patches[i];
    pair.kept[pair.kept_count++] =
        (KeptAxis){patch->part_a, patch->part_b, patch->axis_a, patch->axis_b};
  }
  return pair;
}

static uint64_t set_hash(const PatchSet *set)
{
  uint64_t sum = (uint64_t)set->failed + 31 * (uint64_t)set->patch_count;
  for (int i = 0; i < set->patch_count; i++) {
    const Patch *p = &set->patches[i];
    const double numbers[5] = {p->normal.x, p->normal.y, p->normal.z, p->area, p->separation};
    const uint32_t axes[4] = {(uint32_t)p->part_a, (uint32_t)p->part_b, p->axis_a, p->axis_b};
    sum = 3 * sum + hash_bytes(numbers, sizeof numbers, 1).low;
    sum = 3 * sum + hash_bytes(axes, sizeof axes, 2).low;
    sum = 3 * sum + hash_bytes(p->points, (size_t)p->point_count * sizeof *p->points, 3).low;
  }
  return sum;
}

static void measure(const Scenario *scenario, int pairs, int repeats)
{
  Arena arena = arena_new(), scratch = arena_new();
  arena_allocate(&scratch, 1);   // so that its first chunk stays
  Random random = {42};
  Shape *shapes[SHAPES];
  for (int i = 0; i < SHAPES; i++) {
    while ((shapes[i] = shape_new(scenario->kind, &random, &arena)) == NULL) continue;
  }
  Pair *all = arena_allocate(&arena, (size_t)pairs * sizeof *all);
  for (int i = 0; i < pairs; i++) all[i] = pair_new(scenario, shapes, &random, &arena);

  uint64_t sum = 0;
  int64_t points = 0, patches = 0;
  double *seconds = arena_allocate(&arena, (size_t)repeats * sizeof *seconds);
  for (int round = -1; round < repeats; round++) {
    const double begin = spread_clock();
    for (int i = 0; i < pairs; i++) {
      const ArenaMark mark = arena_mark(&scratch);
      Pair *p = &all[i];
      const PatchSet set = patch_search(&(PatchQuery){.a = &p->a,
                                                      .b = &p->b,
                                                      .parameters = &parameters,
                                                      .reach = REACH,
                                                      .kept = p->kept,
                                                      .kept_count = p->kept_count,
                                                      .hints = {&p->face, scenario->kept ? 1 : 0}},
                                        &scratch);
      if (round < 0) {
        sum = 5 * sum + set_hash(&set);
        patches += set.patch_count;
        for (int k = 0; k < set.patch_count; k++) points += set.patches[k].point_count;
      }
      arena_release(&scratch, mark);
    }
    if (round >= 0) seconds[round] = (spread_clock() - begin) / pairs;
  }
  const Spread spread = spread_of(seconds, repeats);
  printf("%-28s %8.0f ns a pair, least %8.0f, %5.2f patches %5.2f points  %016llx\n",
         scenario->name, 1e9 * spread.median, 1e9 * spread.low, (double)patches / pairs,
         (double)points / pairs, (unsigned long long)sum);
  fflush(stdout);
  arena_destroy(&scratch);
  arena_destroy(&arena);
}

// usage: bench_patch [PAIRS] [REPEATS] [WORD OF A SCENARIO]
int main(int argc, char **argv)
{
  const int pairs = argc > 1 ? atoi(argv[1]) : 20000, repeats = argc > 2 ? atoi(argv[2]) : 7;
  const Scenario scenarios[] = {{"bricks resting", BRICKS, RESTING, false},
                                {"bricks resting, kept", BRICKS, RESTING, true},
                                {"bricks turned", BRICKS, TURNED, false},
                                {"bricks turned, kept", BRICKS, TURNED, true},
                                {"bricks apart", BRICKS, APART, false},
                                {"boxes touching", BOXES, TOUCHING, false},
                                {"boxes touching, kept", BOXES, TOUCHING, true},
                                {"boxes deep", BOXES, DEEP, false},
                                {"boxes apart", BOXES, APART, false},
                                {"tetrahedra touching", TETRAHEDRA, TOUCHING, false},
                                {"hulls of 20 touching", HULLS_20, TOUCHING, false},
                                {"hulls of 20 touching, kept", HULLS_20, TOUCHING, true},
                                {"hulls of 20 deep, kept", HULLS_20, DEEP, true},
                                {"hulls of 20 face to face", HULLS_20, FACING, false},
                                {"hulls of 20 apart", HULLS_20, APART, false},
                                {"boxes apart, kept", BOXES, APART, true},
                                {"hulls of 20 apart, kept", HULLS_20, APART, true},
                                {"hulls of 50 touching", HULLS_50, TOUCHING, false},
                                {"blocks of 6 touching", CUT_STONES, TOUCHING, false},
                                {"blocks of 6 touching, kept", CUT_STONES, TOUCHING, true}};
  if (pairs < 1 || repeats < 1) {
    fprintf(stderr, "usage: bench_patch [PAIRS] [REPEATS] [WORD OF A SCENARIO]\n");
    return 2;
  }
  for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
    if (argc <= 3 || strstr(scenarios[i].name, argv[3])) measure(&scenarios[i], pairs, repeats);
  }
  return 0;
}
