// Rows of two bodies with the volumetric law over a step: which row hands its bristle to which, and
// which rows act as one.
#include "compliant_pair.h"

#include "harness.h"
#include "posed_scene.h"

static const vec3 zero = {0, 0, 0};
static const vec3 BRISTLE = {3e-5, -1e-5, 0};

// A cube of 1 m that lies 10 mm deep in a floor, and one row of it in the last step.
typedef struct {
  PosedBody cube, floor;
  MidState mid[2];
  SurfaceLaw law;
  Volumes old, found;
} Resting;

static void resting_begin(Resting *r, Arena *arena)
{
  const Solid cube = solid_box((vec3){-0.5, -0.5, -0.01}, (vec3){0.5, 0.5, 0.99});
  *r = (Resting){
      .cube = body_from_solid(&cube, mat3_diagonal(1, 1, 1), zero, zero, arena),
      .floor = body_floor(arena),
      .law = {
          .friction = 0.5,
          .volumetric = {.stiffness = 1e6, .static_friction = 0.5, .tangential_stiffness = 1e6}}};
  r->mid[0] = (MidState){.rotation = mat3_diagonal(1, 1, 1),
                         .inverse_mass = 1e-3,
                         .inverse_inertia = mat3_diagonal(6e-3, 6e-3, 6e-3)};
  r->mid[1] = (MidState){.rotation = mat3_diagonal(1, 1, 1)};
  table_begin(&r->old.table, &VOLUMES_SCHEMA);
  table_begin(&r->found.table, &VOLUMES_SCHEMA);
}

static void resting_end(Resting *r)
{
  table_end(&r->old.table);
  table_end(&r->found.table);
}

// The row of a step after one in which it was old.
static void resting_step(Resting *r, Arena *arena)
{
  const CompliantPair pair = {.ids = {0, 1},
                              .low = &r->cube,
                              .high = &r->floor,
                              .mid_low = &r->mid[0],
                              .mid_high = &r->mid[1],
                              .law = &r->law,
                              .step = 1e-4};
  const OldVolumes old = {&r->old, 0, r->old.table.owned};
  r->found.table.owned = r->found.table.count = 0;
  const CompliantCount count = compliant_pair_add(&pair, old, &r->found, arena);
  CHECK(count.failed == 0 && r->found.table.owned == 1);
}

// One row with the measures of the present one, with a bristle.
static void remember(Resting *r)
{
  table_reserve(&r->old.table, 1);
  r->old.table.owned = r->old.table.count = 1;
  r->old.parts[0] = r->found.parts[0];
  r->old.place[0] = r->found.place[0];
  r->old.normal[0] = r->found.normal[0];
  r->old.bristle[0] = BRISTLE;
  r->old.twist[0] = 2e-5;
}

static void test_hands_on(Arena *arena)
{
  Resting r;
  resting_begin(&r, arena);
  resting_step(&r, arena);
  CHECK_NEAR(vec3_norm(r.found.bristle[0]), 0, 0);   // a new row is fresh
  remember(&r);
  resting_step(&r, arena);
  CHECK_NEAR(vec3_norm(vec3_sub(r.found.bristle[0], BRISTLE)), 0, 1e-18);
  CHECK_NEAR(r.found.twist[0], 2e-5, 1e-18);
  // of other parts: the nearest hands on
  r.old.parts[0].low = 7;
  resting_step(&r, arena);
  CHECK_NEAR(vec3_norm(vec3_sub(r.found.bristle[0], BRISTLE)), 0, 1e-18);
  resting_end(&r);
}

// The same parts that now bear on another face have no bristle: it lay along the old face.
static void test_turned(Arena *arena)
{
  Resting r;
  resting_begin(&r, arena);
  resting_step(&r, arena);
  remember(&r);
  r.old.normal[0] = (vec3){1, 0, 0};
  resting_step(&r, arena);
  CHECK_NEAR(vec3_norm(r.found.bristle[0]), 0, 0);
  CHECK_NEAR(r.found.twist[0], 0, 0);
  // less than 45 degrees is the same face
  r.old.normal[0] = vec3_scale(1 / sqrt(1.25), (vec3){0.5, 0, 1});
  resting_step(&r, arena);
  CHECK(vec3_norm(r.found.bristle[0]) > 0);
  resting_end(&r);
}

// Two parts on the floor, 10 mm deep, the second one from x on and higher by z; the floor is lower
// there too. Each has another bristle from the last step.
static void check_joined(double x, double z, bool joined, Arena *arena)
{
  Solid feet = solid_box((vec3){-1, -0.5, -0.01}, (vec3){0, 0.5, 1});
  solid_add_box(&feet, (vec3){x, -0.5, z - 0.01}, (vec3){x + 1, 0.5, 1});
  Solid ground = solid_box((vec3){-3, -3, -1}, (vec3){x, 3, 0});
  solid_add_box(&ground, (vec3){x, -3, -1}, (vec3){5, 3, z});
  Resting r;
  resting_begin(&r, arena);
  r.cube = body_from_solid(&feet, mat3_diagonal(1, 1, 1), zero, zero, arena);
  r.floor = body_from_solid(&ground, mat3_diagonal(1, 1, 1), zero, zero, arena);
  table_reserve(&r.old.table, 2);
  r.old.table.owned = r.old.table.count = 2;
  for (int i = 0; i < 2; i++) {
    r.old.parts[i] = (VolumeParts){(uint32_t)i, (uint32_t)i};
    r.old.place[i] = zero;
    r.old.normal[i] = (vec3){0, 0, 1};
    r.old.bristle[i] = (vec3){i ? 3e-6 : 1e-6, 0, 0};
    r.old.twist[i] = 0;
  }
  const CompliantPair pair = {.ids = {0, 1},
                              .low = &r.cube,
                              .high = &r.floor,
                              .mid_low = &r.mid[0],
                              .mid_high = &r.mid[1],
                              .law = &r.law,
                              .step = 1e-4};
  const CompliantCount count =
      compliant_pair_add(&pair, (OldVolumes){&r.old, 0, 2}, &r.found, arena);
  if (!CHECK(count.failed == 0 && r.found.table.owned == 2)) return;
  for (int i = 0; i < 2; i++) {
    const double expected = joined ? 2e-6 : r.old.bristle[i].x;
    CHECK_NEAR(r.found.bristle[i].x, expected, 1e-18);
    // (the side of the outer foot tilts the normal by 1e-9 of its share of the surface)
    const double along = vec3_dot(r.found.impulse[i], r.found.normal[i]);
    CHECK_NEAR(r.found.impulse[i].x - along * r.found.normal[i].x, -1e-4 * 1e6 * expected, 1e-12);
  }
  resting_end(&r);
}

// Parts side by side in one plane have one bristle; feet apart and steps of a stair do not.
static void test_joints(Arena *arena)
{
  check_joined(0, 0, true, arena);
  check_joined(0.5, 0, false, arena);
  check_joined(0, 0.3, false, arena);
}

int main(void)
{
  Arena arena = arena_new();
  test_hands_on(&arena);
  test_turned(&arena);
  test_joints(&arena);
  arena_destroy(&arena);
  return test_report();
}
