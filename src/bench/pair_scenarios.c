// Makes pairs of convex bodies in their poses for the benchmark.
#include "pair_scenarios.h"

#include <assert.h>
#include <stdbool.h>

#include "gjk.h"
#include "random.h"
#include "recipe.h"
#include "separation.h"
#include "trig.h"

#define SEED 20240502
#define SHAPES 512   // of a scenario whose pairs are turned at random
#define RESTING_SHAPES 2048
#define HEIGHTS 4              // of resting boxes with the same base
#define RESTING_OVERLAP 1e-6   // m
#define LARGEST_OVERLAP 0.1    // of the distance at which centres are when two solids touch
#define LEAST_GAP 0.02         // likewise
#define LARGEST_GAP 0.2
#define BISECTIONS 40   // on the way to the place where two solids touch
#define MOST_POINTS 50

enum { BOX_BOX, BOX_RESTING, BOX_TURNED, TET_TET, HULL_20, HULL_50, SEPARATED };

// Streams of random numbers under that of a scenario.
enum { DRAW_SHAPES, DRAW_PAIRS };

typedef struct PairPose {
  int shape_a, shape_b;
  mat3 rotation_a, rotation_b;   // body to world
  vec3 center_b;                 // a's is the origin, m
} PairPose;

// Numbers of one stream, one after the other.
typedef struct {
  uint64_t stream, next;
} Draw;

const char *pair_scenario_name(int scenario)
{
  static const char *const names[PAIR_SCENARIOS] = {
      "box-box", "box-resting", "box-turned", "tet-tet", "hull-20", "hull-50", "separated"};
  assert(scenario >= 0 && scenario < PAIR_SCENARIOS && "one of the scenarios");
  return names[scenario];
}

// -- random numbers -------------------------------------------------------------------------------

static double draw_share(Draw *draw) { return random_uniform(draw->stream, draw->next++); }

static double draw_between(Draw *draw, double low, double high)
{
  return low + (high - low) * draw_share(draw);
}

static int draw_below(Draw *draw, int count) { return (int)(draw_share(draw) * count); }

static vec3 draw_vector(Draw *draw, double low, double high)
{
  const double x = draw_between(draw, low, high), y = draw_between(draw, low, high);
  return (vec3){x, y, draw_between(draw, low, high)};
}

static vec3 draw_direction(Draw *draw)
{
  const double first = draw_share(draw);
  return random_direction(first, draw_share(draw));
}

static mat3 draw_rotation(Draw *draw)
{
  const double first = draw_share(draw), second = draw_share(draw);
  return quat_to_mat3(random_rotation(first, second, draw_share(draw)));
}

// -- shapes ---------------------------------------------------------------------------------------

static PartRecipe draw_part(int scenario, int number, Draw *draw, Arena *arena)
{
  const int count = scenario == TET_TET ? 4 : scenario == HULL_20 ? 20 : MOST_POINTS;
  PartRecipe part = {.count = count, .points = arena_allocate(arena, (size_t)count * sizeof(vec3))};
  switch (scenario) {
  case HULL_20:
  case HULL_50:
    for (int i = 0; i < count; i++) part.points[i] = draw_direction(draw);
    return part;
  case TET_TET:
    for (;;) {
      for (int i = 0; i < 4; i++) part.points[i] = draw_vector(draw, -1, 1);
      const vec3 u = vec3_sub(part.points[1], part.points[0]);
      const vec3 v = vec3_sub(part.points[2], part.points[0]);
      const vec3 w = vec3_sub(part.points[3], part.points[0]);
      // not the flattest: six times the volume
      if (fabs(vec3_dot(u, vec3_cross(v, w))) > 0.4) return part;
    }
  case BOX_RESTING: {
    // groups of boxes with the same base
    Draw base = {.stream = random_stream(draw->stream, (uint64_t)(number / HEIGHTS))};
    const double x = draw_between(&base, 0.7, 1.3), y = draw_between(&base, 0.7, 1.3);
    return recipe_box((vec3){x, y, draw_between(draw, 0.7, 1.3)}, arena);
  }
  default: return recipe_box(draw_vector(draw, 0.7, 1.3), arena);
  }
}

static void make_shapes(PairScenario *scenario, uint64_t stream, Arena *arena)
{
  scenario->shape_count = scenario->scenario == BOX_RESTING ? RESTING_SHAPES : SHAPES;
  Shape *shapes = arena_allocate(arena, (size_t)scenario->shape_count * sizeof *shapes);
  Draw draw = {.stream = random_stream(stream, DRAW_SHAPES)};
  for (int i = 0; i < scenario->shape_count; i++) {
    const PartRecipe part = draw_part(scenario->scenario, i, &draw, arena);
    const ShapeRecipe recipe = recipe_single(part, arena);
    const ShapeResult result = shape_build(&recipe, arena, &shapes[i]);
    assert(result.status == SHAPE_OK && "shapes of scenarios are sound");
    (void)result;
  }
  scenario->shapes = shapes;
}

// -- poses ----------------------------------------------------------------------------------------

static bool solids_meet(const Polyhedron *a, const Polyhedron *b, vec3 shift, Arena *scratch)
{
  const ArenaMark mark = arena_mark(scratch);
  vec3 *moved = arena_allocate(scratch, (size_t)b->vertex_count * sizeof *moved);
  for (int i = 0; i < b->vertex_count; i++) moved[i] = vec3_add(b->vertices[i], shift);
  const double distance =
      gjk_distance(a->vertices, a->vertex_count, moved, b->vertex_count).distance;
  arena_release(scratch, mark);
  return distance <= 0;
}

// How far b's centre is from a's, along a direction, where the two touch: m.
static double touching_distance(const PairScenario *scenario, const PairPose *pose, vec3 direction,
                                Arena *scratch)
{
  const Shape *shape_a = &scenario->shapes[pose->shape_a],
              *shape_b = &scenario->shapes[pose->shape_b];
  const vec3 zero = {0, 0, 0};
  const Polyhedron a = polyhedron_place(&shape_a->parts[0].hull, pose->rotation_a, zero, scratch);
  const Polyhedron b = polyhedron_place(&shape_b->parts[0].hull, pose->rotation_b, zero, scratch);
  double low = 0, high = shape_a->radius + shape_b->radius;
  for (int i = 0; i < BISECTIONS; i++) {
    const double middle = 0.5 * (low + high);
    *(solids_meet(&a, &b, vec3_scale(middle, direction), scratch) ? &low : &high) = middle;
  }
  return low;
}

static bool face_separates(const PairScenario *scenario, const PairPose *pose, Arena *scratch)
{
  const Polyhedron *hull_a = &scenario->shapes[pose->shape_a].parts[0].hull;
  const Polyhedron *hull_b = &scenario->shapes[pose->shape_b].parts[0].hull;
  const vec3 zero = {0, 0, 0};
  const Polyhedron a = polyhedron_place(hull_a, pose->rotation_a, zero, scratch);
  const Polyhedron b = polyhedron_place(hull_b, pose->rotation_b, pose->center_b, scratch);
  SeparatingFace hint = SEPARATING_FACE_NONE;
  return separation_find(&a, &b, 0, &hint);
}

// Two solids in any orientation and direction, less or more apart than where they touch.
static PairPose draw_pose(const PairScenario *scenario, Draw *draw, Arena *scratch)
{
  const bool apart = scenario->scenario == SEPARATED;
  for (;;) {
    PairPose pose = {.shape_a = draw_below(draw, scenario->shape_count),
                     .shape_b = draw_below(draw, scenario->shape_count),
                     .rotation_a = draw_rotation(draw),
                     .rotation_b = draw_rotation(draw)};
    const vec3 direction = draw_direction(draw);
    const double way = apart ? draw_between(draw, LEAST_GAP, LARGEST_GAP)
                             : draw_between(draw, -LARGEST_OVERLAP, 0);
    const ArenaMark mark = arena_mark(scratch);
    const double touching = touching_distance(scenario, &pose, direction, scratch);
    pose.center_b = vec3_scale((1 + way) * touching, direction);
    const bool wanted = !apart || face_separates(scenario, &pose, scratch);
    arena_release(scratch, mark);
    if (wanted) return pose;
  }
}

// The same base, one box on the other: pair number i is another one than all before it as long as
// i < 24 shape_count.
static PairPose resting_pose(const PairScenario *scenario, int i)
{
  const int a = i % scenario->shape_count, choice = (i / scenario->shape_count + a) % (6 * HEIGHTS);
  const int b = a / HEIGHTS * HEIGHTS + choice % HEIGHTS, axis = choice / HEIGHTS % 3;
  const double height = fabs(scenario->shapes[a].parts[0].hull.vertices[0].z) +
                        fabs(scenario->shapes[b].parts[0].hull.vertices[0].z) - RESTING_OVERLAP;
  // x, y, z go round, which is exact
  const vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const mat3 scene = {{unit[axis], unit[(axis + 1) % 3], unit[(axis + 2) % 3]}};
  const vec3 shift = {0, 0, choice / (3 * HEIGHTS) ? height : -height};
  return (PairPose){.shape_a = a,
                    .shape_b = b,
                    .rotation_a = scene,
                    .rotation_b = scene,
                    .center_b = mat3_mul(scene, shift)};
}

// One box on another one, shifted and turned about the vertical, the whole in any orientation.
static PairPose draw_turned(const PairScenario *scenario, Draw *draw)
{
  const int a = draw_below(draw, scenario->shape_count),
            b = draw_below(draw, scenario->shape_count);
  const double height = fabs(scenario->shapes[a].parts[0].hull.vertices[0].z) +
                        fabs(scenario->shapes[b].parts[0].hull.vertices[0].z) - RESTING_OVERLAP;
  vec3 shift = draw_vector(draw, -0.3, 0.3);
  shift.z = draw_share(draw) < 0.5 ? height : -height;
  const quat turn = recipe_turn((vec3){0, 0, 1}, draw_between(draw, 0, 2 * TRIG_PI));
  const mat3 scene = draw_rotation(draw);
  return (PairPose){.shape_a = a,
                    .shape_b = b,
                    .rotation_a = scene,
                    .rotation_b = mat3_mul_mat(scene, quat_to_mat3(turn)),
                    .center_b = mat3_mul(scene, shift)};
}

PairScenario pair_scenario_new(int number, int pair_count, Arena *arena)
{
  assert(number >= 0 && number < PAIR_SCENARIOS && pair_count >= 1 && "a scenario has pairs");
  PairScenario scenario = {.scenario = number, .pair_count = pair_count};
  const uint64_t stream = random_stream(SEED, (uint64_t)number);
  make_shapes(&scenario, stream, arena);
  PairPose *poses = arena_allocate(arena, (size_t)pair_count * sizeof *poses);
  Arena scratch = arena_new();
  Draw draw = {.stream = random_stream(stream, DRAW_PAIRS)};
  for (int i = 0; i < pair_count; i++) {
    poses[i] = number == BOX_RESTING  ? resting_pose(&scenario, i)
               : number == BOX_TURNED ? draw_turned(&scenario, &draw)
                                      : draw_pose(&scenario, &draw, &scratch);
  }
  arena_destroy(&scratch);
  scenario.poses = poses;
  return scenario;
}

static PosedBody place_body(const Shape *shape, mat3 rotation, vec3 center, Arena *arena)
{
  Polyhedron *part = arena_allocate(arena, sizeof *part);
  const vec3 zero = {0, 0, 0};
  *part = polyhedron_place(&shape->parts[0].hull, rotation, zero, arena);
  return (PosedBody){.shape = shape, .parts = part, .rotation = rotation, .center = center};
}

void pair_scenario_place(const PairScenario *scenario, int first, int count, SolidPair *pairs,
                         Arena *arena)
{
  assert(first >= 0 && first + count <= scenario->pair_count && "pairs of the scenario");
  const vec3 zero = {0, 0, 0};
  for (int i = 0; i < count; i++) {
    const PairPose *pose = &scenario->poses[first + i];
    const Shape *a = &scenario->shapes[pose->shape_a], *b = &scenario->shapes[pose->shape_b];
    SolidPair *pair = &pairs[i];
    pair->a = place_body(a, pose->rotation_a, zero, arena);
    pair->b = place_body(b, pose->rotation_b, pose->center_b, arena);
    pair->solid_a = pair->a.parts[0];
    pair->solid_b = polyhedron_place(&b->parts[0].hull, pose->rotation_b, pose->center_b, arena);
  }
}
