// Terms between two bodies: closed forms, forces that sum to zero, gradients against differences,
// and what finer points bring.
#include "barrier_pair.h"

#include <math.h>
#include <stdio.h>

#include "barrier_edges.h"
#include "barrier_law.h"
#include "harness.h"
#include "random_solids.h"
#include "surface_solids.h"

static const mat3 upright = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static BarrierSurface box_surface(vec3 half, int refine, Arena *arena)
{
  const Polyhedron solid = solid_box(vec3_neg(half), half, arena);
  return barrier_surface_of_solid(&solid, refine, arena);
}

typedef struct {
  double energy;
  vec3 force[2], torque[2];   // on a and b: minus the gradient
  double points[2];           // normal forces of points of a and b, N
  double edges;
} PairSum;

static PairSum sum_terms(const BarrierTerms *terms)
{
  PairSum sum = {0};
  for (int i = 0; i < terms->count; i++) {
    const BarrierTerm *t = &terms->of[i];
    sum.energy += t->energy;
    for (int k = 0; k < 2; k++) {
      const double sign = k == 0 ? -1 : 1;
      sum.force[k] = vec3_axpy(sign, t->gradient, sum.force[k]);
      sum.torque[k] = vec3_axpy(sign, vec3_cross(t->arm[k], t->gradient), sum.torque[k]);
      sum.torque[k] = vec3_axpy(sign, t->couple, sum.torque[k]);
    }
    const double size = vec3_norm(t->gradient);
    if (t->kind == BARRIER_EDGES) sum.edges += size;
    else sum.points[t->kind == BARRIER_POINT_OF_B] += size;
  }
  return sum;
}

static PairSum sum_pair(const BarrierBody bodies[2], BarrierScale scale, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  BarrierTerms terms = {0};
  CHECK(barrier_pair_find(bodies, scale, &terms, arena));
  const PairSum sum = sum_terms(&terms);
  arena_release(arena, mark);
  return sum;
}

// -- closed forms ---------------------------------------------------------------------------------

// A cube on a large plane: four points stand for three sides' area, and carry the weight by half of
// it; the plane's own points are far.
static void test_cube(Arena *arena)
{
  const BarrierScale scale = {1e-3, 1e7};
  const BarrierSurface cube = box_surface((vec3){.5, .5, .5}, 1, arena);
  const BarrierSurface plane = box_surface((vec3){5, 5, .5}, 1, arena);
  double areas = 0;
  for (int i = 0; i < cube.point_count; i++) areas += cube.areas[i];
  CHECK(cube.point_count == 8);
  CHECK_NEAR(areas, 6, 1e-14);
  const double gap = 0.4e-3;
  const BarrierBody bodies[2] = {{&cube, {0, 0, 1 + gap}, upright}, {&plane, {0, 0, 0}, upright}};
  const PairSum sum = sum_pair(bodies, scale, arena);
  const BarrierValue b = barrier_law_at(gap, scale.distance);
  CHECK_NEAR(sum.energy / (0.5 * 3 * scale.stiffness * b.value), 1, 1e-11);
  CHECK_NEAR(sum.force[0].z / (0.5 * 3 * scale.stiffness * -b.slope), 1, 1e-11);
  CHECK(sum.points[1] == 0 && sum.edges == 0);
}

// Plates whose upper one lies above the inside of the lower one: points of the upper one see b of
// the height, whatever the meshes are.
static void test_plates(Arena *arena)
{
  const BarrierScale scale = {1e-3, 1e7};
  const double gap = 0.3e-3;
  const BarrierValue b = barrier_law_at(gap, scale.distance);
  for (int refine = 1; refine < 6; refine++) {
    const BarrierSurface upper = box_surface((vec3){.5, .5, .05}, refine, arena);
    const BarrierSurface lower = box_surface((vec3){.8, .7, .05}, 7 - refine, arena);
    const BarrierBody bodies[2] = {{&upper, {0, 0, .1 + gap}, upright},
                                   {&lower, {0, 0, 0}, upright}};
    double area = 0;
    for (int i = 0; i < upper.point_count; i++) {
      if (upper.points[i].z < -0.049) area += upper.areas[i];
    }
    CHECK_NEAR(sum_pair(bodies, scale, arena).points[0], 0.5 * scale.stiffness * area * -b.slope,
               1e-9 * scale.stiffness * area);
  }
}

// Crossing edges act by their term alone, parallel ones have none.
static void test_crossings(Arena *arena)
{
  const BarrierScale scale = {1e-2, 1e6};
  const double gap = 0.4e-2;
  const vec3 ridge[6] = {{-1, -.5, 0}, {-1, .5, 0}, {1, -.5, 0},
                         {1, .5, 0},   {-1, 0, .5}, {1, 0, .5}};
  const Polyhedron roof = solid_of(ridge, 6, arena);
  const BarrierSurface s = barrier_surface_of_solid(&roof, 1, arena);
  const mat3 over[2] = {{{{0, 1, 0}, {1, 0, 0}, {0, 0, -1}}},
                        {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}};
  const BarrierValue b = barrier_law_at(gap, scale.distance);
  for (int parallel = 0; parallel < 2; parallel++) {
    const BarrierBody bodies[2] = {{&s, {.1, .1 * !parallel, 1 + gap}, over[parallel]},
                                   {&s, {0, 0, 0}, upright}};
    BarrierTerms terms = {0};
    CHECK(barrier_pair_find(bodies, scale, &terms, arena));
    // ends of one ridge see the other, with the gables that meet there
    for (int i = 0; i < terms.count && parallel; i++) {
      const BarrierTerm *t = &terms.of[i];
      if (t->kind != BARRIER_EDGES) continue;
      const vec3 p = mat3_mul(over[1], s.edges[t->feature[0]].direction);
      CHECK(vec3_norm(vec3_cross(p, s.edges[t->feature[1]].direction)) > 0.1);
    }
    if (!CHECK(parallel ? terms.count > 0
                        : terms.count == 1 && terms.of[0].kind == BARRIER_EDGES) ||
        parallel)
      continue;
    const BarrierTerm *t = &terms.of[0];
    const double area = 0.25 * (s.edges[t->feature[0]].share + s.edges[t->feature[1]].share);
    CHECK_NEAR(t->energy, scale.stiffness * area * b.value, 1e-12 * t->energy);
    CHECK_NEAR(t->gradient.z, scale.stiffness * area * b.slope, 1e-9 * fabs(t->gradient.z));
    CHECK_NEAR(t->normal.z, 1, 1e-13);
    CHECK_NEAR(t->gap, gap, 1e-15);
  }
}

// -- properties -----------------------------------------------------------------------------------

// Solids of all kinds and bodies with reentrant edges.
static BarrierSurface random_surface(Random *random, int kind, Arena *arena)
{
  static const double angle[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  const int refine = 1 + random_below(random, 3);
  if (kind < SOLID_KINDS) {
    const Polyhedron solid = solid_random(random, kind, arena);
    return barrier_surface_of_solid(&solid, refine, arena);
  }
  Net net = net_prism(angle, 6, -0.7, 0.7, arena);
  for (int i = 0; i < net.point_count; i++)
    net.points[i] = vec3_scale(0.5, vec3_sub(net.points[i], (vec3){1, 1, 0}));
  const SurfacePieces pieces = net_pieces(&net, arena);
  SurfaceComplex complex;
  CHECK(surface_complex_build(&pieces, arena, &complex).status == SURFACE_OK);
  const BarrierSurface surface = barrier_surface_of_complex(&complex, refine, arena);
  CHECK(!surface.convex && surface.cell_count == 6 + 2 * 4);
  return surface;
}

static double least_gap(const BarrierBody bodies[2], BarrierScale scale, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  BarrierTerms terms = {0};
  const bool apart = barrier_pair_find(bodies, scale, &terms, arena);
  double least = apart ? INFINITY : 0;
  for (int i = 0; i < terms.count; i++) least = fmin(least, terms.of[i].gap);
  arena_release(arena, mark);
  return least;
}

// Two bodies brought from afar until they feel each other well.
static bool random_pair(Random *random, int n, BarrierSurface surfaces[2], BarrierBody bodies[2],
                        BarrierScale scale, Arena *arena)
{
  surfaces[0] = random_surface(random, n % (SOLID_KINDS + 1), arena);
  surfaces[1] = random_surface(random, n / (SOLID_KINDS + 1) % (SOLID_KINDS + 1), arena);
  const vec3 base = random_in_cube(random, n % 3 == 0 ? 1000 : 1), way = random_direction(random);
  for (int k = 0; k < 2; k++)
    bodies[k] = (BarrierBody){&surfaces[k], base, n % 5 ? random_rotation(random) : upright};
  for (double far = 4; far > 0; far -= 0.03 * scale.distance) {
    bodies[0].position = vec3_axpy(far, way, base);
    const double gap = least_gap(bodies, scale, arena);
    if (gap < 0.15 * scale.distance) return false;
    if (gap < 0.7 * scale.distance) return true;
  }
  return false;
}

// A body moved by a displacement and a small turn about its origin.
static BarrierBody moved(BarrierBody body, vec3 by, vec3 turn)
{
  const quat q = quat_normalize((quat){1, 0.5 * turn.x, 0.5 * turn.y, 0.5 * turn.z});
  body.position = vec3_add(body.position, by);
  body.rotation = mat3_mul_mat(quat_to_mat3(q), body.rotation);
  return body;
}

static void test_gradients(Arena *arena)
{
  Random random = {77};
  double worst = 0, worst_sum = 0, worst_turn = 0;
  int pairs = 0, with_edges = 0, with_couples = 0;
  for (int n = 0; n < 400; n++) {
    const ArenaMark mark = arena_mark(arena);
    const BarrierScale scale = {random_between(&random, 0.05, 0.3), 3};
    BarrierSurface surfaces[2];
    BarrierBody bodies[2];
    if (!random_pair(&random, n, surfaces, bodies, scale, arena)) {
      arena_release(arena, mark);
      continue;
    }
    BarrierTerms terms = {0};
    CHECK(barrier_pair_find(bodies, scale, &terms, arena));
    const PairSum sum = sum_terms(&terms);
    pairs++;
    bool edges = false, couples = false;
    double size = 0;
    for (int i = 0; i < terms.count; i++) {
      const BarrierTerm *t = &terms.of[i];
      edges = edges || t->kind == BARRIER_EDGES;
      couples = couples || vec3_norm(t->couple) > 0;
      size += vec3_norm(t->gradient) + vec3_norm(t->couple);
      // the weight is that of a potential without negative curvature
      const vec3 v = random_direction(&random);
      const sym3 w = t->weight;
      const vec3 wv = mat3_mul(mat3_of_sym3(w), v);
      CHECK(vec3_dot(v, wv) >= -1e-12 * (w.xx + w.yy + w.zz));
      CHECK_NEAR(vec3_norm(t->normal), 1, 1e-12);
    }
    with_edges += edges;
    with_couples += couples;

    // forces and torques of the two sum to zero
    const vec3 apart = vec3_sub(bodies[0].position, bodies[1].position);
    const vec3 torque =
        vec3_add(vec3_add(sum.torque[0], sum.torque[1]), vec3_cross(apart, sum.force[0]));
    worst_sum = fmax(worst_sum, vec3_norm(vec3_add(sum.force[0], sum.force[1])) / size);
    worst_sum = fmax(worst_sum, vec3_norm(torque) / size);

    // by differences, of both bodies
    const double step = n % 3 == 0 ? 1e-6 : 1e-5 * scale.distance;
    for (int k = 0; k < 12; k++) {
      double energy[2];
      for (int side = 0; side < 2; side++) {
        const double by = side ? step : -step;
        const vec3 axis = {by * (k % 3 == 0), by * (k % 3 == 1), by * (k % 3 == 2)};
        const vec3 none = {0, 0, 0};
        BarrierBody tried[2] = {bodies[0], bodies[1]};
        const int body = k / 6;
        tried[body] = k / 3 % 2 ? moved(bodies[body], none, axis) : moved(bodies[body], axis, none);
        energy[side] = sum_pair(tried, scale, arena).energy;
      }
      const vec3 exact = k / 3 % 2 ? sum.torque[k / 6] : sum.force[k / 6];
      const double error = (energy[0] - energy[1]) / (2 * step) - vec3_component(exact, k % 3);
      // places a thousand away round the displacement itself
      if (n % 3) worst = fmax(worst, fabs(error) / size);
      else worst_turn = fmax(worst_turn, fabs(error) / size);
    }
    arena_release(arena, mark);
  }
  CHECK(pairs > 100 && with_edges > 30 && with_couples > 5);
  CHECK(worst_sum < 1e-12);
  CHECK(worst < 1e-7);
  CHECK(worst_turn < 1e-4);
  printf("%d pairs, %d with edges, %d with couples: sums %.2g, gradients %.2g, far away %.2g\n",
         pairs, with_edges, with_couples, worst_sum, worst, worst_turn);
}

// The same terms wherever both bodies stand, in other order, and turned together.
static void test_invariance(Arena *arena)
{
  Random random = {5};
  int pairs = 0;
  for (int n = 0; n < 200; n++) {
    const ArenaMark mark = arena_mark(arena);
    const BarrierScale scale = {0.2, 3};
    BarrierSurface surfaces[2];
    BarrierBody bodies[2];
    if (n % 3 != 0 && random_pair(&random, n, surfaces, bodies, scale, arena)) {
      pairs++;
      const PairSum sum = sum_pair(bodies, scale, arena);
      const mat3 turn = random_rotation(&random);
      const vec3 shift = random_in_cube(&random, 1);
      BarrierBody turned[2], swapped[2] = {bodies[1], bodies[0]};
      for (int k = 0; k < 2; k++)
        turned[k] =
            (BarrierBody){bodies[k].surface, vec3_add(shift, mat3_mul(turn, bodies[k].position)),
                          mat3_mul_mat(turn, bodies[k].rotation)};
      const double energy = sum.energy, force = vec3_norm(sum.force[0]);
      const PairSum other = sum_pair(turned, scale, arena);
      const PairSum mirrored = sum_pair(swapped, scale, arena);
      CHECK_NEAR(other.energy, energy, 1e-12 * (energy + force));
      CHECK_NEAR(mirrored.energy, energy, 1e-12 * (energy + force));
      const vec3 back = mat3_mul_transposed(turn, other.force[0]);
      CHECK_NEAR(vec3_norm(vec3_sub(back, sum.force[0])), 0, 1e-10 * (force + energy));
      CHECK_NEAR(vec3_norm(vec3_sub(mirrored.force[1], sum.force[0])), 0, 1e-10 * (force + energy));
    }
    arena_release(arena, mark);
  }
  CHECK(pairs > 20);
}

// -- finer points ---------------------------------------------------------------------------------

// The gap at which a pair carries a force, by halving. at: of the upper body but for its height.
static double find_gap(BarrierBody bodies[2], double touching, double force, BarrierScale scale,
                       Arena *arena)
{
  double low = 0.5 * scale.distance, high = scale.distance;
  for (int i = 0; i < 40; i++) {
    const double gap = 0.5 * (low + high);
    bodies[0].position.z = touching + gap;
    if (sum_pair(bodies, scale, arena).force[0].z > force) low = gap;
    else high = gap;
  }
  return 0.5 * (low + high);
}

// A block on a floor, both refined: the gap tends to that of the pressure.
static void test_block(Arena *arena)
{
  const BarrierScale scale = {1e-3, 1e7};
  const double pressure = 2.4525e-3 * scale.stiffness;
  double last = 0;
  for (int refine = 1; refine <= 32; refine *= 2) {
    const ArenaMark mark = arena_mark(arena);
    const BarrierSurface block = box_surface((vec3){.5, .5, .5}, refine, arena);
    const BarrierSurface floor = box_surface((vec3){1, 1, .1}, 2 * refine, arena);
    BarrierBody bodies[2] = {{&block, {.3 / refine, .2 / refine, 0}, upright},
                             {&floor, {0, 0, 0}, upright}};
    const double gap = find_gap(bodies, .6, pressure, scale, arena);
    const double error = fabs(gap / scale.distance - .971681);
    printf("block refined %d times: gap error %.3g of the distance\n", refine, error);
    if (refine > 2) CHECK(last / error >= 1.6);
    if (refine == 32) CHECK(error < 5e-4);
    last = error;
    arena_release(arena, mark);
  }
}

// Thin plates with meshes that do not match: the force is near area times b'.
static void test_misaligned(Arena *arena)
{
  const BarrierScale scale = {1e-3, 1e7};
  const double gap = 0.3e-3;
  const int parts[5][2] = {{8, 32}, {8, 16}, {8, 8}, {16, 8}, {32, 8}};
  for (int n = 0; n < 5; n++) {
    const ArenaMark mark = arena_mark(arena);
    // the larger plate has parts of that ratio, and turns under the other one
    const BarrierSurface upper = box_surface((vec3){.5, .5, .005}, parts[n][0], arena);
    const BarrierSurface lower = box_surface((vec3){1, 1, .005}, 2 * parts[n][1], arena);
    for (int turn = 1; turn < 4; turn++) {
      const double angle = 0.2 * turn, c = cos(angle), s = sin(angle);
      const mat3 turned = {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
      const BarrierBody bodies[2] = {{&upper, {.02, .03, .01 + gap}, turned},
                                     {&lower, {0, 0, 0}, upright}};
      const double exact = scale.stiffness * -barrier_law_at(gap, scale.distance).slope;
      const double ratio = sum_pair(bodies, scale, arena).force[0].z / exact;
      printf("plates of %d and %d parts, turned by %g: %.4f of the force\n", parts[n][0],
             parts[n][1], angle, ratio);
      CHECK_NEAR(ratio, 1, 0.02);
    }
    arena_release(arena, mark);
  }
}

// -- the toolkit's edges --------------------------------------------------------------------------

enum { MOST_LINES = 3 * 49 * 49 };

// All edges of a square cut into triangles, and the areas that the toolkit gives them.
typedef struct {
  int count;
  BarrierSegment of[MOST_LINES];
  double area[MOST_LINES];
} Lines;

static void cut_square(double side, int parts, double angle, double height, Lines *lines)
{
  const double a = side / parts, c = cos(angle), s = sin(angle);
  lines->count = 0;
  for (int i = 0; i <= parts; i++) {
    for (int k = 0; k <= parts; k++) {
      for (int way = 0; way < 3; way++) {
        const double x = i * a - 0.5 * side, y = k * a - 0.5 * side;
        const double u = way == 1 ? 0 : a, v = way == 0 ? 0 : a;
        if (i + (u > 0) > parts || k + (v > 0) > parts) continue;
        const bool rim = way < 2 && (way == 0 ? k % parts == 0 : i % parts == 0);
        lines->area[lines->count] = a * a / (rim ? 6 : 3);
        lines->of[lines->count++] = (BarrierSegment){{c * x - s * y, s * x + c * y, height},
                                                     {c * u - s * v, s * u + c * v, 0}};
      }
    }
  }
}

// Vertices against triangles carry half of the force with the toolkit's weights, A/4 on both
// sides; pairs of edges add what grows with the crossings and does not go away.
static void test_toolkit(void)
{
  static Lines upper, lower;
  const double distance = 1e-3, gap = 0.3e-3, slope = barrier_law_at(gap, distance).slope;
  const int parts[4][2] = {{8, 8}, {16, 16}, {8, 32}, {32, 8}};   // to a side of one
  for (int n = 0; n < 4; n++) {
    cut_square(1, parts[n][0], 0.4, gap, &upper);
    cut_square(1.5, parts[n][1] * 3 / 2, 0, 0, &lower);
    double force = 0;
    for (int i = 0; i < upper.count; i++) {
      for (int k = 0; k < lower.count; k++) {
        const BarrierCrossing x = barrier_edges_find(upper.of[i], lower.of[k], distance);
        if (x.gap < distance)
          force += 0.25 * (upper.area[i] + lower.area[k]) * x.slope * x.normal.z;
      }
    }
    const double ratio = 0.5 + force / slope;
    printf("all edges as in the toolkit, %d and %d parts: %.3g of the force\n", parts[n][0],
           parts[n][1], ratio);
    CHECK(ratio > 1.5);
  }
}

int main(void)
{
  Arena arena = arena_new();
  test_cube(&arena);
  test_plates(&arena);
  test_crossings(&arena);
  test_gradients(&arena);
  test_invariance(&arena);
  test_block(&arena);
  test_misaligned(&arena);
  test_toolkit();
  arena_destroy(&arena);
  return test_report();
}
