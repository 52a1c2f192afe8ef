// Rows of two bodies with the volumetric law over a step: which row hands its bristle to which.
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

int main(void)
{
  Arena arena = arena_new();
  test_hands_on(&arena);
  test_turned(&arena);
  arena_destroy(&arena);
  return test_report();
}
