// Sweeps over the places alone where points err: two rows of blocks on a floor are solved, and then
// some blocks get wrong impulses. Answers are right again, far blocks keep their bits, the other
// row is not touched, and all are the same bits on any number of ranks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact_groups.h"
#include "gauss_seidel.h"
#include "harness.h"
#include "hash.h"
#include "parallel.h"
#include "problem.h"
#include "residual.h"
#include "scattered_bodies.h"
#include "spots.h"

enum { ROW = 80, BLOCKS = 2 * ROW, FLOOR = BLOCKS, BODIES, PAIRS = 2 * BLOCKS, FAR = 12 };

static const double STEP = 1e-2, GRAVITY = 9.81, SIDE = 0.5, TOLERANCE = 1e-6;
static const int WRONG[] = {9, 60, ROW + 30};   // blocks; the last one is in the other row

typedef struct {
  bool alone;   // every rank has all bodies
  Bodies bodies;
  Contacts contacts;
  int owners[BODIES], ghost_ranks[BODIES];
  MidState mid[BODIES];
  Twist start[BODIES], free[BODIES];
} Scene;

static double number(uint64_t a, uint64_t b, double low, double high)
{
  return low + (high - low) * ((double)(hash_mix(a, b) >> 11) * 0x1p-53);
}

static int owner_of(int id, bool alone)
{
  return alone ? par_rank() : (int)(hash_mix((uint64_t)id, 5) % (uint64_t)par_size());
}

static vec3 place_of(int id)
{
  if (id == FLOOR) return (vec3){0, 0, -0.5};
  return (vec3){SIDE * (id % ROW), id < ROW ? 0 : 4 * SIDE, 0.5 * SIDE};
}

static void add_body(Scene *scene, int row)
{
  Bodies *b = &scene->bodies;
  const int id = (int)b->id[row];
  b->position[row] = place_of(id);
  b->drive[row] = id == FLOOR ? DRIVE_FIXED : DRIVE_DYNAMIC;
  scene->mid[row] = (MidState){.rotation = mat3_diagonal(1, 1, 1)};
  scene->start[row] = scene->free[row] = (Twist){{0, 0, 0}, {0, 0, 0}};
  if (id == FLOOR) return;
  const double inverse = 1 / (2400 * SIDE * SIDE * SIDE), turn = 6 * inverse / (SIDE * SIDE);
  scene->mid[row].inverse_mass = inverse;
  scene->mid[row].inverse_inertia = mat3_diagonal(turn, turn, turn);
  scene->start[row].v = (vec3){0, number((uint64_t)id, 2, -1, 1), 0};
  scene->free[row] = scene->start[row];
  scene->free[row].v.z -= STEP * GRAVITY;
}

static void add_point(Contacts *c, IdPair pair, uint32_t feature, vec3 normal, vec3 point)
{
  table_reserve(&c->table, c->table.count + 1);
  const int row = c->table.count++;
  c->bodies[row] = pair;
  c->parts[row] = (IndexPair){0, 0};
  c->features[row] = (IndexPair){feature, 0};
  c->normal[row] = normal;
  c->anchor[row] = vec3_sub(point, place_of((int)pair.low));
  c->gap[row] = 0;
  c->reaction[row] = (vec3){0, 0, 0};
  c->area[row] = 1;
  c->bond[row] = BOND_NONE;
}

// three points on the floor, one at the next block; normals point to the lower body
static void add_contacts(Contacts *c, IdPair pair)
{
  const vec3 at = place_of((int)pair.low);
  if (pair.high != FLOOR) {
    const vec3 point = {at.x + 0.5 * SIDE, at.y, at.z - 0.1 * SIDE};
    add_point(c, pair, 0, (vec3){-1, 0, 0}, point);
    return;
  }
  for (uint32_t i = 0; i < 3; i++) {
    const vec3 point = {at.x + (0.5 * i - 0.5) * SIDE, at.y + (i % 2 - 0.5) * SIDE, 0};
    add_point(c, pair, i, (vec3){0, 0, 1}, point);
  }
}

static void begin(Scene *scene, bool alone)
{
  scene->alone = alone;
  bodies_begin(&scene->bodies);
  contacts_begin(&scene->contacts);
  for (int id = 0; id < BODIES; id++) scene->owners[id] = owner_of(id, alone);
  scattered_rows(&scene->bodies, BODIES, scene->owners, scene->ghost_ranks);
  for (int row = 0; row < BODIES; row++) add_body(scene, row);
  for (int half = 0; half < 2; half++) {
    for (uint64_t b = 0; b < BLOCKS; b++) {
      const IdPair next = {b, b + 1}, below = {b, FLOOR};
      const bool has_next = b % ROW != ROW - 1;
      if (has_next && scattered_half(next, scene->owners, true, true) == half)
        add_contacts(&scene->contacts, next);
      if (scattered_half(below, scene->owners, true, false) == half)
        add_contacts(&scene->contacts, below);
    }
    if (half == 0) scene->contacts.table.owned = scene->contacts.table.count;
  }
}

static void end(Scene *scene)
{
  bodies_end(&scene->bodies);
  contacts_end(&scene->contacts);
}

static Problem make_problem(const Scene *scene, ShapeSet *shapes, Arena *arena)
{
  static SurfaceLaw law = {.friction = 0.5};
  static const SurfaceLaws surfaces = {.material_count = 1, .laws = &law};
  const ProblemInput in = {.bodies = &scene->bodies,
                           .mid = scene->mid,
                           .contacts = &scene->contacts,
                           .ghost_ranks = scene->ghost_ranks,
                           .start = velocities_of_rigid(scene->start),
                           .free = velocities_of_rigid(scene->free),
                           .laws = &surfaces,
                           .shapes = shapes,
                           .step = STEP,
                           .impact_speed = 1,
                           .gravity_speed = STEP * GRAVITY};
  return problem_new(&in, NULL, arena);
}

static uint64_t low_id(const Problem *problem, int k)
{
  return problem->bodies->id[problem->pairs[k].low];
}

// the first few of WRONG press on the floor with half as much again
static void disturb(Problem *problem, int count)
{
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    for (int w = 0; w < count; w++)
      if (low_id(problem, k) == (uint64_t)WRONG[w] && problem->bodies->id[pair->high] == FLOOR)
        for (int i = pair->first; i < pair->end; i++)
          problem->r[i] = vec3_scale(1.5, problem->r[i]);
  }
}

// how far a pair is from the blocks that were disturbed
static int distance_to_wrong(const Problem *problem, int k, int count)
{
  int least = BODIES;
  for (int w = 0; w < count; w++) {
    const int id = (int)low_id(problem, k);
    if ((id < ROW) != (WRONG[w] < ROW)) continue;
    const int apart = abs(id - WRONG[w]);
    if (apart < least) least = apart;
  }
  return least;
}

// Impulses of a row by owned points; row 2: both.
static Hash128 hash_of(const Problem *problem, const Contacts *contacts, int row)
{
  Hash128 sum = {0, 0};
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    if (!problem->owned[pair->first] || (row < 2 && (low_id(problem, k) >= ROW) != row)) continue;
    sum = hash_add(sum, scattered_hash(problem, contacts, k));
  }
  return sum;
}

typedef struct {
  double before, after;   // largest residuals
  int sweeps;
  Hash128 rows[2];       // of impulses
  int64_t far_changed;   // points far from what was wrong
} Outcome;

// Collective. Solves, disturbs and improves; a scene that is alone is so on every rank.
static Outcome improve(const Scene *scene, ShapeSet *shapes, int wrong)
{
  Arena arena = arena_new();
  Problem problem = make_problem(scene, shapes, &arena);
  const Velocities free = velocities_of_rigid(scene->free);
  const SolverParameters solved = {.method = SOLVER_NESTEROV,
                                   .tolerance = 1e-8,
                                   .max_sweeps = 20000},
                         asked = {.method = SOLVER_GAUSS_SEIDEL,
                                  .tolerance = TOLERANCE,
                                  .max_sweeps = 1000};
  CHECK(gauss_seidel_solve(&problem, free, solved, &arena).converged);
  disturb(&problem, wrong);
  const size_t bytes = (size_t)problem.point_count * sizeof(vec3);
  vec3 *r = arena_allocate(&arena, bytes + 1);
  memcpy(r, problem.r, bytes);

  ContactGroups groups = contact_groups_new(&problem, &arena);
  contact_groups_join(&groups, &problem, &arena);
  const GroupPlaces places = group_places_new(&problem, &groups, &arena);
  GroupTask *tasks = arena_allocate_zero(&arena, (size_t)groups.place_count + 1, sizeof *tasks);
  for (int p = 0; p < groups.place_count; p++) tasks[p].max_sweeps = 1000;
  Outcome outcome = {.before = residual_of_impulses(&problem, free, &arena).largest};
  gauss_seidel_residuals(&problem, &places, tasks, &arena);
  spots_improve(&problem, free, (GroupSweeps){&places, tasks, asked}, &arena);
  outcome.sweeps = group_tasks_most(&places, tasks);

  // velocities are those of the impulses, and residuals are told as they are
  outcome.after = residual_measure(&problem).largest;
  CHECK(residual_of_impulses(&problem, free, &arena).largest == outcome.after);
  double told = 0;
  for (int p = 0; p < groups.place_count; p++) told = fmax(told, tasks[p].residual);
  CHECK(par_max(told) == outcome.after);
  for (int k = 0; k < problem.pair_count; k++) {
    const SolverPair *pair = &problem.pairs[k];
    if (distance_to_wrong(&problem, k, wrong) < FAR) continue;
    for (int i = pair->first; i < pair->end; i++)
      outcome.far_changed += memcmp(&r[i], &problem.r[i], sizeof *r) != 0;
  }
  for (int row = 0; row < 2; row++) {
    outcome.rows[row] = hash_of(&problem, &scene->contacts, row);
    if (!scene->alone) outcome.rows[row] = par_sum_hash(outcome.rows[row]);
  }
  arena_destroy(&arena);
  return outcome;
}

static bool same(Hash128 a, Hash128 b) { return a.low == b.low && a.high == b.high; }

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  static Scene scene, alone;
  begin(&scene, false);
  begin(&alone, true);
  const ShapeRecipe recipe = {.radius = 0.5};
  ShapeSet shapes = shape_set_new(&recipe, 1);
  Outcome found[4];
  for (int wrong = 0; wrong < 4; wrong++) {
    const Outcome here = found[wrong] = improve(&scene, &shapes, wrong),
                  all = improve(&alone, &shapes, wrong);
    if (par_rank() == 0)
      printf("%d wrong blocks: residual %.1e, %.1e after %d sweeps\n", wrong, here.before,
             here.after, here.sweeps);
    CHECK((here.before > 1e-3) == (wrong > 0));
    CHECK(here.after <= TOLERANCE);
    CHECK(par_sum(here.far_changed) == 0);
    CHECK(here.sweeps == all.sweeps && here.after == all.after);
    CHECK((here.sweeps > 0) == (wrong > 0) && here.sweeps < 100);
    for (int row = 0; row < 2; row++) CHECK(same(here.rows[row], all.rows[row]));
  }
  // what is wrong in one row changes nothing in the other
  CHECK(same(found[0].rows[1], found[2].rows[1]) && same(found[2].rows[0], found[3].rows[0]));
  CHECK(!same(found[0].rows[0], found[1].rows[0]) && !same(found[2].rows[1], found[3].rows[1]));
  shape_set_destroy(&shapes);
  end(&scene);
  end(&alone);
  const int code = test_report_parallel();
  par_end();
  return code;
}
