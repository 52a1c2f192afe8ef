// Springs of contact points: their compliance by the area, offsets by gap, velocity and impulse.
#include "elastic_points.h"

#include "harness.h"
#include "memory.h"

enum { POINTS = 3 };

// A body rests on a fixed one in three points, the last of which has no area.
static void test_springs(void)
{
  const double h = 1e-3;
  Contacts contacts = {0};
  contacts_begin(&contacts);
  table_reserve(&contacts.table, POINTS);
  contacts.table.count = contacts.table.owned = POINTS;
  for (int i = 0; i < POINTS; i++) {   // the second is open when the step begins, and meets then
    contacts.normal[i] = vec3_new(0, 0, 1);
    contacts.reaction[i] = vec3_new(3, 1, 2);
    contacts.gap[i] = i == 1 ? -0.5e-5 : -1e-5;
    contacts.area[i] = i < 2 ? 0.25 : 0;
  }
  Bodies bodies = {0};
  bodies_begin(&bodies);
  table_reserve(&bodies.table, 2);
  bodies.table.owned = bodies.table.count = 2;
  bodies.position[0] = vec3_new(0, 0, 1);
  bodies.position[1] = vec3_new(0, 0, 0);
  bodies.material[0] = bodies.material[1] = 0;
  bodies.id[0] = 0, bodies.id[1] = 1;
  SurfaceLaw law = {0};
  SurfaceLaws laws = {.material_count = 1, .laws = &law};
  const SurfaceLaw given = {.friction = 0.5, .normal_stiffness = 8e6, .shear_stiffness = 4e6};
  surface_laws_set(&laws, 0, 0, &given);
  CHECK(laws.elastic);
  const mat3 unit = mat3_diagonal(1, 1, 1);
  const MidState mid[2] = {{unit, 0.5, unit}, {.rotation = unit}};
  Twist start[2] = {{{0, 0, -0.02}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}};
  const SolverPair pairs[1] = {{0, POINTS, 0, 1}};
  const int rows[1] = {0};
  Problem problem = {.mid = mid,
                     .bodies = &bodies,
                     .point_count = POINTS,
                     .pair_count = 1,
                     .pairs = pairs,
                     .contacts = rows,
                     .twist = start};
  Arena arena = arena_new();
  problem_allocate_points(&problem, POINTS, true, &arena);
  const SolverPoint point = {.basis = contacts_basis(vec3_new(0, 0, 1)),
                             .low_arm = {0.1, 0.2, -1},
                             .law = law_of_contact(0.5),
                             .r = {3, 1, 2}};
  for (int i = 0; i < POINTS; i++) problem_set_point(&problem, i, &point);
  const ProblemInput in = {.bodies = &bodies,
                           .mid = mid,
                           .contacts = &contacts,
                           .start = velocities_of_rigid(start),
                           .laws = &laws,
                           .step = h};
  elastic_points_make(&in, &problem);

  const PointLimits *l = &problem.limits[0];
  CHECK_NEAR(l->give[0] * (h * h * 2e6), 4, 1e-14);
  CHECK_NEAR(l->give[1] * (h * h * 1e6), 1, 1e-14);
  CHECK_NEAR(problem.offset[0], 4 / h * -1e-5 + 0.02, 1e-14);
  CHECK_NEAR(problem.limits[1].give[0] * (h * h * 2e6), 2, 1e-14);
  CHECK_NEAR(problem.offset[1], 2 / h * -0.5e-5, 1e-14);
  // the tangents turn, and the impulse with them; the slip so far is its part
  CHECK_NEAR(vec3_norm(problem.r[0]), sqrt(14), 1e-14);
  CHECK_NEAR(l->along[0], -l->give[1] * problem.r[0].y, 1e-14);
  CHECK_NEAR(l->along[1], -l->give[1] * problem.r[0].z, 1e-14);
  CHECK(problem.rho[0] > 0 && problem.rho[0] < 1 / (0.5 + l->give[1]));
  CHECK(elastic_points_give(&problem, 0) && elastic_points_give(&problem, 1));

  // without area: rigid, as it was
  CHECK(!elastic_points_give(&problem, 2) && problem.limits[2].give[1] == 0);
  CHECK(problem.offset[2] == 0 && problem.limits[2].along[0] == 0);

  elastic_points_release(&problem, 0);
  CHECK(problem.offset[0] == INFINITY && problem.limits[0].give[0] == 0);
  arena_destroy(&arena);
  bodies_end(&bodies);
  contacts_end(&contacts);
}

int main(void)
{
  test_springs();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
