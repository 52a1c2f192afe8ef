// Work of the volumetric law along ways of two bodies: what its energy tells of it, and a closed
// way on which it is not zero.
#include <stdio.h>

#include "compliant_pair.h"
#include "harness.h"
#include "posed_scene.h"

#define STIFFNESS 1e3   // N/m3

static const vec3 zero = {0, 0, 0};

// Two bodies with the law alone: no friction, no damping, no speed.
typedef struct {
  const Solid *solids[2];
  bool pooled;
  Volumes found;
  Arena *arena;
} Meeting;

static Meeting meeting_new(const Solid *low, const Solid *high, Arena *arena)
{
  Meeting m = {.solids = {low, high}, .arena = arena};
  table_begin(&m.found.table, &VOLUMES_SCHEMA);
  return m;
}

// Where the lower body is: moved, then turned about its centre by an angle about the y axis.
typedef struct {
  vec3 move;
  double turn;
} Place;

// Force on the lower body and torque about its centre there; energy of the layer.
typedef struct {
  vec3 force, torque;
  double energy;
} Pull;

static Pull pull_at(Meeting *m, Place place)
{
  const ArenaMark mark = arena_mark(m->arena);
  const mat3 still = mat3_diagonal(1, 1, 1);
  PosedBody low = body_from_solid(m->solids[0], rotation_about((vec3){0, 1, 0}, place.turn), zero,
                                  zero, m->arena);
  low.center = vec3_add(place.move, low.shape->center);
  const PosedBody high = body_from_solid(m->solids[1], still, zero, zero, m->arena);
  const SurfaceLaw law = {
      .volumetric = {.stiffness = STIFFNESS, .tangential_stiffness = STIFFNESS}};
  const MidState mid = {.rotation = still, .inverse_mass = 1, .inverse_inertia = still};
  const CompliantPair pair = {.ids = {0, 1},
                              .low = &low,
                              .high = &high,
                              .mid_low = &mid,
                              .mid_high = &mid,
                              .law = &law,
                              .step = 1,
                              .pooled = m->pooled};
  m->found.table.owned = m->found.table.count = 0;
  const CompliantCount count =
      compliant_pair_add(&pair, (OldVolumes){&m->found, 0, 0}, &m->found, m->arena);
  CHECK(count.failed == 0);
  Pull pull = {zero, zero, 0};
  for (int i = 0; i < m->found.table.owned; i++) {
    pull.force = vec3_add(pull.force, m->found.impulse[i]);
    pull.torque = vec3_add(pull.torque, vec3_cross(m->found.arm[i], m->found.impulse[i]));
    pull.energy += m->found.elastic[i];
  }
  arena_release(m->arena, mark);
  return pull;
}

// Work on the lower body along a straight way, in equal steps, with the force in their middles.
static double work_along(Meeting *m, Place from, Place to, int steps)
{
  const vec3 way = vec3_scale(1.0 / steps, vec3_sub(to.move, from.move));
  const double turn = (to.turn - from.turn) / steps;
  double work = 0;
  for (int i = 0; i < steps; i++) {
    const Place at = {vec3_axpy(i + 0.5, way, from.move), from.turn + (i + 0.5) * turn};
    const Pull pull = pull_at(m, at);
    work += vec3_dot(pull.force, way) + pull.torque.y * turn;
  }
  return work;
}

static double work_around(Meeting *m, const Place *corners, int count, int steps)
{
  double work = 0;
  for (int i = 0; i < count; i++)
    work += work_along(m, corners[i], corners[(i + 1) % count], steps);
  return work;
}

// The corner of a plate of 1 m height in that of a taller block: they share x by y by 1. The area
// vector is (y, x, 0), the gradient of V = x y, and the force k V of its direction is k x y (y, x)
// / sqrt(x^2 + y^2) outwards, whose curl is not zero. Along x at y the work is k y^2 times the
// change of sqrt(x^2 + y^2), so around the rectangle from (1, 2) by (1, 3), (2, 3) and (2, 2) the
// body gains k (8 sqrt 10 - 5 sqrt 13 - 3 sqrt 5) = 0.562 k, at steps of any length.
static void test_corner(Arena *arena)
{
  const Solid plate = solid_box((vec3){-5, -5, -0.5}, (vec3){0, 0, 0.5});
  const Solid block = solid_box((vec3){0, 0, -2}, (vec3){5, 5, 2});
  Meeting m = meeting_new(&plate, &block, arena);
  const Pull pull = pull_at(&m, (Place){{1, 2, 0}, 0});
  CHECK_NEAR(pull.force.x, -STIFFNESS * 2 * 2 / sqrt(5), 1e-12 * STIFFNESS);
  CHECK_NEAR(pull.force.y, -STIFFNESS * 2 * 1 / sqrt(5), 1e-12 * STIFFNESS);
  const Place around[] = {{{1, 2, 0}, 0}, {{1, 3, 0}, 0}, {{2, 3, 0}, 0}, {{2, 2, 0}, 0}};
  const double gained = 8 * sqrt(10) - 5 * sqrt(13) - 3 * sqrt(5);
  CHECK_NEAR(gained, 0.5622, 1e-4);
  double errors[3];
  for (int i = 0; i < 3; i++) {
    errors[i] = work_around(&m, around, 4, 8 << i) / STIFFNESS - gained;
    printf("corner on corner, %d steps a side: gains %.9f of k, %.2e off\n", 8 << i,
           gained + errors[i], errors[i]);
  }
  CHECK(fabs(errors[2]) < 1e-3 * gained);
  CHECK_NEAR(errors[0] / errors[1], 4, 0.1);
  CHECK_NEAR(errors[1] / errors[2], 4, 0.1);
  table_end(&m.found.table);
}

// On a flat face the energy is that of a layer with columns, in all places and turns: no closed way
// gains.
static void test_flat(Arena *arena)
{
  const Solid box = solid_box((vec3){-0.5, -0.4, 0}, (vec3){0.5, 0.4, 1});
  const Solid floor = solid_box((vec3){-5, -5, -1}, (vec3){5, 5, 0});
  Meeting m = meeting_new(&box, &floor, arena);
  const Place around[] = {{{0, 0, -0.02}, 0}, {{0.3, 0, -0.1}, 0.05}, {{0, 0.2, -0.06}, 0.08}};
  double left[3];
  for (int i = 0; i < 3; i++) left[i] = work_around(&m, around, 3, 8 << i);
  printf("a box on a floor: %.2e, %.2e, %.2e J left\n", left[0], left[1], left[2]);
  const double most = pull_at(&m, around[1]).energy;
  CHECK(most > 1e-3 * STIFFNESS);
  CHECK(fabs(left[2]) < 1e-4 * most && fabs(left[2]) < fabs(left[0]) / 14);
  const double work = work_along(&m, around[0], around[1], 200);
  CHECK_NEAR(pull_at(&m, around[0]).energy - most, work, 1e-4 * most);
  table_end(&m.found.table);
}

// Straight along the normal the energy told is less the work, also where no surface is flat.
static void check_straight(const char *name, const Solid *low, const Solid *high, Place from,
                           vec3 way, Arena *arena)
{
  Meeting m = meeting_new(low, high, arena);
  const Place to = {vec3_add(from.move, way), from.turn};
  const double energy = pull_at(&m, to).energy - pull_at(&m, from).energy;
  const double coarse = -work_along(&m, from, to, 50), fine = -work_along(&m, from, to, 100);
  const double work = fine + (fine - coarse) / 3;
  printf("%s: energy %.9g J, work %.9g J\n", name, energy, work);
  CHECK(energy > 0);
  CHECK_NEAR(energy / work, 1, 1e-6);
  table_end(&m.found.table);
}

static void test_straight(Arena *arena)
{
  // a roof whose ridge is along y, the same one upside down whose ridge is along x, and a pyramid
  const vec3 ridge[] = {{-1, -3, -1}, {1, -3, -1}, {-1, 3, -1}, {1, 3, -1}, {0, -3, 0}, {0, 3, 0}};
  const vec3 gutter[] = {{-3, -1, 1}, {-3, 1, 1}, {3, -1, 1}, {3, 1, 1}, {-3, 0, 0}, {3, 0, 0}};
  const vec3 tip[] = {{-1, -1, 1}, {1, -1, 1}, {-1, 1, 1}, {1, 1, 1}, {0, 0, 0}};
  Solid roof = {0}, keel = {0}, pyramid = {0};
  solid_add_part(&roof, ridge, 6);
  solid_add_part(&keel, gutter, 6);
  solid_add_part(&pyramid, tip, 5);
  const vec3 down = {0, 0, -0.1};
  // columns of crossing edges are 0.1 - |x| - |y| long: k (0.1)^4 / 6
  Meeting m = meeting_new(&keel, &roof, arena);
  const double energy = pull_at(&m, (Place){down, 0}).energy;
  CHECK_NEAR(energy / (STIFFNESS * 1e-4 / 6), 1, 1e-9);
  table_end(&m.found.table);
  check_straight("edge on edge", &keel, &roof, (Place){zero, 0}, down, arena);
  check_straight("corner on edge", &pyramid, &roof, (Place){zero, 0}, down, arena);

  // a seam through all columns, of one row
  const vec3 top[] = {{-.05, -3, -.05}, {.05, -3, -.05}, {-.05, 3, -.05},
                      {.05, 3, -.05},   {0, -3, 0},      {0, 3, 0}};
  const vec3 foot[] = {{-.05, -3, -.05}, {.05, -3, -.05}, {-.05, 3, -.05}, {.05, 3, -.05},
                       {-1, -3, -1},     {1, -3, -1},     {-1, 3, -1},     {1, 3, -1}};
  Solid cut = {0};
  solid_add_part(&cut, top, 6);
  solid_add_part(&cut, foot, 8);
  Meeting pooled = meeting_new(&keel, &cut, arena);
  pooled.pooled = true;
  const Pull pull = pull_at(&pooled, (Place){down, 0});
  CHECK(pooled.found.table.owned == 1);
  CHECK_NEAR(pull.energy / (STIFFNESS * 1e-4 / 6), 1, 1e-9);
  table_end(&pooled.found.table);
}

int main(void)
{
  Arena arena = arena_new();
  test_corner(&arena);
  test_flat(&arena);
  test_straight(&arena);
  arena_destroy(&arena);
  return test_report();
}
