// Contact points that give: which do, their laws, how long, and that the problem
// is as it was afterwards.
#include "giving.h"

#include <string.h>

#include "bodies.h"
#include "harness.h"
#include "memory.h"

enum { ROWS = 5, PAIRS = 3, POINTS = 6 };

// A fixed body, one on it that touches in two points and a third that is open for good; a bond
// between that and the next one; and a body by itself on the fixed one, with a point that nothing
// moves and a spring.
typedef struct {
  Bodies bodies;
  MidState mid[ROWS];
  Twist twist[ROWS];
  SolverPair pairs[PAIRS];
  int contacts[PAIRS];
  unsigned char owned[POINTS];
  Problem problem;
} Scene;

static void make_point(Problem *problem, int i, double error)
{
  const SolverPoint point = {.basis = contacts_basis(vec3_new(0, 0, 1)),
                             .law = law_of_contact(1),
                             .rho = 1,
                             .size = 1,
                             .r = {3 + error, 1, 2}};
  problem_set_point(problem, i, &point);
  problem->size[i] = 1;
  problem->speed[i] = 0;
}

static Scene *scene_new(Arena *arena)
{
  Scene *s = arena_allocate_zero(arena, 1, sizeof *s);
  bodies_begin(&s->bodies);
  table_reserve(&s->bodies.table, ROWS);
  s->bodies.table.owned = s->bodies.table.count = ROWS;
  for (int b = 0; b < ROWS; b++) {
    s->bodies.id[b] = (uint64_t)b;
    s->bodies.position[b] = vec3_new(0, 0, b);
    s->bodies.drive[b] = b == 0 ? DRIVE_FIXED : DRIVE_DYNAMIC;
    s->mid[b] = (MidState){.rotation = mat3_diagonal(1, 1, 1), .inverse_mass = b > 0};
  }
  memcpy(s->pairs, (SolverPair[]){{0, 3, 0, 1}, {3, 4, 1, 2}, {4, 6, 0, 3}}, sizeof s->pairs);
  memset(s->owned, 1, sizeof s->owned);
  s->problem = (Problem){.mid = s->mid,
                         .bodies = &s->bodies,
                         .row_count = ROWS,
                         .own_rows = ROWS,
                         .point_count = POINTS,
                         .owned_points = POINTS,
                         .owned = s->owned,
                         .pair_count = PAIRS,
                         .pairs = s->pairs,
                         .contacts = s->contacts,
                         .twist = s->twist};
  problem_allocate_points(&s->problem, POINTS, true, arena);
  for (int i = 0; i < POINTS; i++) make_point(&s->problem, i, 0);
  s->problem.offset[0] = 0.25;
  s->problem.offset[2] = INFINITY;
  s->problem.r[2] = (vec3){0, 0, 0};
  s->problem.limits[3].tension = 10;
  for (int i = 0; i < POINTS; i++) s->problem.rho[i] = i == 4 ? 0 : 1 / (0.5 + i);
  s->problem.limits[5].give[0] = 7;
  s->problem.size[4] = s->problem.size[5] = INFINITY;   // their errors count nothing
  return s;
}

static const SolverParameters ASKED = {.method = SOLVER_AUTOMATIC,
                                       .tolerance = 1e-6,
                                       .max_sweeps = 2001,
                                       .give = 0.01,
                                       .all_give = true};

// What a group is remembered by: solvers learn of groups that were hard.
static GroupMemories memories_of(uint64_t body, int gives)
{
  GroupMemories memories = {0};
  memories.groups[0] = (GroupMemory){.body = body + 1, .hard = HARD_SYSTEM, .gives = gives};
  return memories;
}

static void check_laws(const Problem *problem, double share)
{
  for (int i = 0; i < 2; i++) {
    const double give = share / (1 / (0.5 + i));
    const PointLimits *l = &problem->limits[i];
    CHECK(l->give[0] == give && l->give[1] == give);
    CHECK_NEAR(problem->offset[i], (i == 0 ? 0.25 : 0) - 3 * give, 1e-15);
    CHECK_NEAR(l->along[0], -1 * give, 1e-15);
    CHECK_NEAR(l->along[1], -2 * give, 1e-15);
    // the same impulse again moves nothing
    const SolverPoint p = problem_point(problem, 0, i);
    const vec3 v = law_add_elastic(p.law, p.offset, p.r);
    CHECK_NEAR(v.x, i == 0 ? 0.25 : 0, 1e-15);
    CHECK(fabs(v.y) < 1e-15 && fabs(v.z) < 1e-15);
  }
  for (int i = 2; i < 5; i++) CHECK(!law_gives(&problem->limits[i]));
  CHECK(problem->limits[5].give[0] == 7 && problem->limits[5].give[1] == 0);
}

static void check_as_it_was(const Problem *problem, const PointLimits *limits)
{
  CHECK(problem->limits == limits);
  for (int i = 0; i < POINTS; i++) {
    CHECK(problem->offset[i] == (i == 0 ? 0.25 : i == 2 ? INFINITY : 0));
    if (!limits) continue;
    CHECK(law_gives(&limits[i]) == (i == 5) && limits[i].along[0] == 0 && limits[i].along[1] == 0);
    CHECK(limits[i].tension == (i == 3 ? 10 : 0));
  }
}

// All of them are above the tolerance, since they push and move nowhere near their limits.
static void test_begin(void)
{
  Arena arena = arena_new();
  Scene *s = scene_new(&arena);
  const PointLimits *limits = s->problem.limits;
  for (int b = 1; b < ROWS; b++) s->twist[b].v = vec3_new(0, 0, -1);
  GroupMemories memories = memories_of(2, 0);
  Giving giving = giving_new(&s->problem, ASKED, &memories, &arena);
  CHECK(giving.parameters.stage == GIVING_FIRST && giving.parameters.max_sweeps == 2001);
  check_as_it_was(&s->problem, limits);
  SolverParameters second = {0};
  CHECK(giving_begin(&giving, &second));
  CHECK(second.stage == GIVING_SECOND && second.max_sweeps == 2001 && second.tolerance == 1e-6);
  check_laws(&s->problem, 0.01);
  CHECK(giving_begin(&giving, &second));   // more, from the same length
  check_laws(&s->problem, 0.1);
  s->problem.r[1] = vec3_new(3, 1, 2.5);
  s->problem.r[3] = vec3_new(900, 0, 0);
  CHECK_NEAR(giving_end(&giving), 0.5 * 0.15, 1e-15);
  check_as_it_was(&s->problem, limits);
  CHECK(memories.groups[0].gives > 100);

  // through the state; the next step gives from its beginning, with all sweeps
  GroupMemories restored;
  const StateWords words = group_memories_words(&memories);
  group_memories_restore(&restored, &words);
  CHECK(memcmp(&restored, &memories, sizeof restored) == 0);
  s->problem.r[1] = vec3_new(3, 1, 2);
  giving = giving_new(&s->problem, ASKED, &restored, &arena);
  check_laws(&s->problem, 0.01);
  CHECK(giving_end(&giving) == 0);
  CHECK(restored.groups[0].gives == memories.groups[0].gives - 1);

  // to its end
  restored.groups[0].gives = 1;
  giving = giving_new(&s->problem, ASKED, &restored, &arena);
  check_laws(&s->problem, 0.01);
  giving_end(&giving);
  CHECK(restored.groups[0].gives == 0);
  bodies_end(&s->bodies);
  arena_destroy(&arena);
}

// Problems without limits have none afterwards; what does not ask for it gives nowhere.
static void test_refusals(void)
{
  Arena arena = arena_new();
  Scene *s = scene_new(&arena);
  s->problem.limits = NULL;
  GroupMemories memories = memories_of(1, 7);
  Giving giving = giving_new(&s->problem, ASKED, &memories, &arena);
  CHECK(s->problem.limits != NULL && law_gives(&s->problem.limits[1]));
  giving_end(&giving);
  check_as_it_was(&s->problem, NULL);
  CHECK(memories.groups[0].gives == 6);

  // of groups that converge none begins
  memories.groups[0].gives = 0;
  s->problem.r[0] = (vec3){0, 0, 0};   // its offset opens it
  giving = giving_new(&s->problem, ASKED, &memories, &arena);
  SolverParameters second;
  CHECK(!giving_begin(&giving, &second));
  CHECK(s->problem.limits == NULL);   // nor has it columns
  CHECK(giving_end(&giving) == 0 && memories.groups[0].gives == 0);
  check_as_it_was(&s->problem, NULL);

  SolverParameters other[2] = {ASKED, ASKED};
  other[0].give = 0;
  other[1].method = SOLVER_ADMM;
  for (int i = 0; i < 2; i++) {
    memories.groups[0].gives = 7;
    giving = giving_new(&s->problem, other[i], &memories, &arena);
    check_as_it_was(&s->problem, NULL);
    CHECK(giving.parameters.stage == GIVING_NONE);
    CHECK(!giving_begin(&giving, &second) && giving_end(&giving) == 0);
  }

  // nothing deforms, and there is no heap
  SolverParameters some = ASKED;
  some.all_give = false;
  memories.groups[0].gives = 0;
  s->twist[1].v = vec3_new(0, 0, -1);
  giving = giving_new(&s->problem, some, &memories, &arena);
  CHECK(giving.parameters.stage == GIVING_FIRST && !giving_begin(&giving, &second));
  CHECK(giving_end(&giving) == 0);
  check_as_it_was(&s->problem, NULL);
  bodies_end(&s->bodies);
  arena_destroy(&arena);
}

// How many sweeps each kind of group has in both solutions.
static void test_sweeps(void)
{
  SolverParameters first = ASKED, some = ASKED;
  const GroupLook wall = {{[LOOK_POINTS] = 400, [LOOK_PAIRS] = 100, [LOOK_BODIES] = 200}};
  GroupLook affine = wall, heap = wall, few;
  affine.count[LOOK_ELASTIC] = affine.count[LOOK_AFFINE] = 1;
  heap.count[LOOK_PAIRS] = 300;
  few = heap;
  few.count[LOOK_BODIES] = 20;
  CHECK(group_look_heap(&heap) && !group_look_heap(&wall) && !group_look_heap(&few));
  CHECK(giving_sweeps(first, &heap, false) == 2001);   // one solution
  first.stage = some.stage = GIVING_FIRST;
  some.all_give = false;
  CHECK(giving_sweeps(first, &wall, false) == 1001 && giving_sweeps(some, &wall, false) == 2001);
  CHECK(giving_sweeps(some, &few, false) == 2001 && giving_sweeps(some, &affine, false) == 1001);
  CHECK(giving_sweeps(some, &heap, false) < 100 && giving_sweeps(some, &heap, true) == 1001);
  first.stage = some.stage = GIVING_SECOND;
  CHECK(giving_sweeps(first, &wall, false) == 1000 && giving_sweeps(some, &wall, false) == 0);
  CHECK(giving_sweeps(some, &affine, false) == 1000 && giving_sweeps(some, &heap, false) == 1000);
  some.max_sweeps = 5;
  CHECK(giving_sweeps(some, &heap, true) == 2);
  some.stage = GIVING_FIRST;
  CHECK(giving_sweeps(some, &heap, false) == 3);
}

// A group begins from its first solution, whether another gives already or not.
static void test_others(void)
{
  Arena arena = arena_new();
  Scene *s = scene_new(&arena);
  for (int gives = 0; gives < 2; gives++) {
    GroupMemories memories = memories_of(3, 7 * gives);
    s->problem.r[0] = vec3_new(3, 1, 2);
    Giving giving = giving_new(&s->problem, ASKED, &memories, &arena);
    s->problem.r[0] = vec3_new(5, 1, 2);
    s->twist[1].v = vec3_new(0, 0, -1);
    SolverParameters second;
    CHECK(giving_begin(&giving, &second));
    CHECK_NEAR(s->problem.offset[0], 0.25 - 0.01 * 0.5 * 5, 1e-15);
    CHECK(giving_end(&giving) == 0);
  }
  bodies_end(&s->bodies);
  arena_destroy(&arena);
}

int main(void)
{
  test_begin();
  test_others();
  test_sweeps();
  test_refusals();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
