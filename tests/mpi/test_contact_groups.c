// Groups of touching bodies over ranks: labels and totals are those of a plain search through all
// pairs, however long the chains are that lead from rank to rank. Their places, the parts of a
// problem that are theirs, and what is remembered of them.
#include "contact_groups.h"

#include <stdio.h>
#include <string.h>

#include "bodies.h"
#include "contacts.h"
#include "group_memory.h"
#include "harness.h"
#include "hash.h"
#include "parallel.h"
#include "problem.h"
#include "problem_part.h"
#include "scattered_bodies.h"

enum { BODIES = 160, STEPS = 6 };

static double number(uint64_t a, uint64_t b, double low, double high)
{
  return low + (high - low) * ((double)(hash_mix(a, b) >> 11) * 0x1p-53);
}

static bool is_driven(uint64_t id) { return id % 13 == 5; }
static int drive_of(uint64_t id)
{
  if (!is_driven(id)) return DRIVE_DYNAMIC;
  return id % 2 ? DRIVE_FIXED : DRIVE_PRESCRIBED;
}

static int owner_of(uint64_t id, int step)
{
  // of the last step everything on one rank
  if (step == STEPS - 1) return 0;
  return (int)(hash_mix(id, (uint64_t)step) % (uint64_t)par_size());
}

// which bodies touch: neighbours in an order of the step's own, but for some gaps
static bool touch(uint64_t low, uint64_t high, int step)
{
  const uint64_t seed = (uint64_t)step + 77, stride = 2 * (uint64_t)step + 3;   // 3 to 13, odd
  if ((high - low) % BODIES != stride && (low + BODIES - high) % BODIES != stride)
    return hash_mix(low * BODIES + high, seed) % 700 == 0;
  return hash_mix(low * BODIES + high, seed + 1) % 9 != 0;
}

static bool pushes(uint64_t low, uint64_t high) { return hash_mix(low, 3 * high) % 11 != 0; }
static int points_of(uint64_t low, uint64_t high) { return 1 + (int)(hash_mix(low, high) % 3); }

// Number of a point, of any size.
static double value_of(uint64_t low, uint64_t high, int point, int sum)
{
  const uint64_t key = low * BODIES + high, which = (uint64_t)(3 * point + sum);
  return number(key, which, -1, 1) * (hash_mix(key, which + 50) % 3 ? 1e-9 : 1e12);
}

typedef struct {
  Bodies bodies;
  Contacts contacts;
  int owners[BODIES], ghost_ranks[BODIES];
  MidState mid[BODIES];
  Twist twist[BODIES];
} Scene;

static void make_bodies(Scene *scene, int step)
{
  Bodies *b = &scene->bodies;
  for (uint64_t id = 0; id < BODIES; id++) scene->owners[id] = owner_of(id, step);
  scattered_rows(b, BODIES, scene->owners, scene->ghost_ranks);
  for (int row = 0; row < b->table.count; row++) {
    b->drive[row] = drive_of(b->id[row]);
    b->position[row] = (vec3){(double)b->id[row], 0, 0};
    scene->mid[row] = (MidState){.rotation = mat3_diagonal(1, 1, 1)};
    if (is_driven(b->id[row])) continue;
    scene->mid[row].inverse_mass = 1;
    scene->mid[row].inverse_inertia = mat3_diagonal(1, 1, 1);
  }
}

static void add_contacts(Scene *scene, uint64_t low, uint64_t high)
{
  Contacts *c = &scene->contacts;
  for (int i = 0; i < points_of(low, high); i++) {
    table_reserve(&c->table, c->table.count + 1);
    const int row = c->table.count++;
    c->bodies[row] = (IdPair){low, high};
    c->parts[row] = (IndexPair){0, 0};
    c->features[row] = (IndexPair){(uint32_t)i, 0};
    c->normal[row] = (vec3){1, 0, 0};
    c->anchor[row] = c->reaction[row] = (vec3){0, 0, 0};
    c->gap[row] = 0;
    c->area[row] = 1;
    c->bond[row] = BOND_NONE;
  }
}

static void make_contacts(Scene *scene, int step)
{
  Table *table = &scene->contacts.table;
  table->owned = table->count = 0;
  for (int half = 0; half < 2; half++) {
    for (uint64_t low = 0; low < BODIES; low++)
      for (uint64_t high = low + 1; high < BODIES; high++) {
        if (!touch(low, high, step) || (is_driven(low) && is_driven(high))) continue;
        const IdPair pair = {low, high};
        if (scattered_half(pair, scene->owners, !is_driven(low), !is_driven(high)) == half)
          add_contacts(scene, low, high);
      }
    if (half == 0) table->owned = table->count;
  }
}

// labels of all bodies by spreading the lowest id until nothing changes, and sums of their groups
static void search(int step, uint64_t label[BODIES], ExactSum totals[BODIES][GROUP_SUMS])
{
  for (uint64_t id = 0; id < BODIES; id++) label[id] = id;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint64_t low = 0; low < BODIES; low++)
      for (uint64_t high = low + 1; high < BODIES; high++) {
        if (!touch(low, high, step) || !pushes(low, high) || is_driven(low) || is_driven(high))
          continue;
        if (label[low] == label[high]) continue;
        label[low] = label[high] = label[low] < label[high] ? label[low] : label[high];
        changed = true;
      }
  }
  for (int id = 0; id < BODIES; id++)
    for (int s = 0; s < GROUP_SUMS; s++) totals[id][s] = exact_sum_new();
  for (uint64_t low = 0; low < BODIES; low++)
    for (uint64_t high = low + 1; high < BODIES; high++) {
      if (!touch(low, high, step) || (is_driven(low) && is_driven(high))) continue;
      const uint64_t group = label[is_driven(low) ? high : low];
      for (int i = 0; i < points_of(low, high); i++)
        for (int s = 0; s < GROUP_SUMS; s++)
          exact_sum_add(&totals[group][s], value_of(low, high, i, s));
    }
}

// an impact that is yet to come holds nobody together
static void set_offsets(Problem *problem)
{
  const uint64_t *id = problem->bodies->id;
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    for (int i = pair->first; i < pair->end; i++)
      problem->offset[i] = pushes(id[pair->low], id[pair->high]) ? 0 : INFINITY;
  }
}

static void compare(const Problem *problem, int step, Arena *arena)
{
  static uint64_t label[BODIES];
  static ExactSum expected[BODIES][GROUP_SUMS];
  search(step, label, expected);
  ContactGroups groups = contact_groups_new(problem, arena);
  contact_groups_join(&groups, problem, arena);

  const uint64_t *id = problem->bodies->id;
  const size_t room = (size_t)groups.count + 1;
  ExactSum *sums = arena_allocate_zero(arena, room * GROUP_SUMS, sizeof *sums);
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    const int rows[2] = {pair->low, pair->high};
    for (int side = 0; side < 2; side++) {
      const int piece = groups.of_row[rows[side]];
      if (is_driven(id[rows[side]])) CHECK(piece == -1);
      else CHECK(piece >= 0 && groups.label[piece] == label[id[rows[side]]]);
    }
    if (!problem->owned[pair->first]) continue;
    for (int i = pair->first; i < pair->end; i++)
      for (int s = 0; s < GROUP_SUMS; s++)
        exact_sum_add(&sums[contact_groups_piece(&groups, pair) * GROUP_SUMS + s],
                      value_of(id[pair->low], id[pair->high], i - pair->first, s));
  }
  double *totals = arena_allocate(arena, room * GROUP_SUMS * sizeof *totals);
  contact_groups_total(&groups, sums, totals, arena);
  unsigned char *mark = arena_allocate_zero(arena, room, 1);
  for (int p = 0; p < groups.count; p++) {
    for (int s = 0; s < GROUP_SUMS; s++)
      CHECK(totals[p * GROUP_SUMS + s] == exact_sum_value(&expected[groups.label[p]][s]));
    mark[p] = groups.label[p] % 2 == 0;
  }

  // marked groups are counted once, wherever they lie
  int64_t count = 0;
  int size[BODIES] = {0}, largest = 0;
  bool touches[BODIES] = {false};
  for (uint64_t low = 0; low < BODIES; low++)
    for (uint64_t high = low + 1; high < BODIES; high++)
      if (touch(low, high, step) && !(is_driven(low) && is_driven(high)))
        touches[low] = touches[high] = true;
  for (uint64_t b = 0; b < BODIES; b++) {
    if (is_driven(b) || !touches[b]) continue;
    count += label[b] == b && b % 2 == 0;
    if (++size[label[b]] > largest) largest = size[label[b]];
  }
  CHECK(contact_groups_count(&groups, problem, mark) == count);
  CHECK(largest > 10 && count > 3);
}

// A shared group has one place on all ranks, in order of label, and any other is known to one rank
// with all of its bodies.
static void check_places(const Problem *problem, Arena *arena)
{
  ContactGroups groups = contact_groups_new(problem, arena);
  contact_groups_join(&groups, problem, arena);
  int64_t known[BODIES] = {0};   // bodies of a group that ranks own
  double label[2 * BODIES];      // of shared groups, and less than that
  for (int i = 0; i < 2 * BODIES; i++) label[i] = -INFINITY;
  for (int piece = 0; piece < groups.count; piece++) {
    const int place = groups.place[piece];
    CHECK(place >= 0 && place < groups.place_count);
    if (place >= groups.shared_count) continue;
    label[2 * place] = (double)groups.label[piece];
    label[2 * place + 1] = -(double)groups.label[piece];
  }
  for (int b = 0; b < problem->own_rows; b++)
    if (groups.of_row[b] >= 0) known[groups.label[groups.of_row[b]]]++;
  int64_t here[BODIES];
  memcpy(here, known, sizeof here);
  par_sum_many(known, BODIES);
  par_max_many(label, 2 * groups.shared_count);
  for (int p = 0; p < groups.shared_count; p++) {
    CHECK(label[2 * p] == -label[2 * p + 1]);
    CHECK(p == 0 || label[2 * p] > label[2 * p - 2]);
  }
  int alone = 0;
  for (int b = 0; b < problem->own_rows; b++) {
    const int place = contact_groups_place_of_row(&groups, b);
    if (place < groups.shared_count) continue;
    alone++;
    CHECK(known[groups.label[groups.of_row[b]]] == here[groups.label[groups.of_row[b]]]);
  }
  CHECK(par_size() > 1 || (groups.shared_count == 0 && alone > 10));
}

// Parts of a problem have its points between them, each once, as they are, and keep whose rows they
// move.
static void check_parts(const Problem *whole, const Twist *free, Arena *arena)
{
  ContactGroups groups = contact_groups_new(whole, arena);
  contact_groups_join(&groups, whole, arena);
  Problem problem = *whole;
  int *seen = arena_allocate_zero(arena, (size_t)whole->point_count + 1, sizeof *seen);
  int pairs = 0, points = 0, owned = 0, movers = 0, entries = 0;
  for (int p = 0; p < groups.place_count; p++) {
    const PartChoice choice = {p, false, p >= groups.shared_count};
    const ProblemPart part =
        problem_part_new(whole, &groups, choice, velocities_of_rigid(free), arena);
    const Problem *q = &part.problem;
    pairs += q->pair_count;
    points += q->point_count;
    owned += q->owned_points;
    movers += q->mover_count;
    entries += q->body_start[q->own_rows];
    for (int i = 0; i < q->point_count; i++) {
      seen[part.points[i]]++;
      CHECK(q->rho[i] == whole->rho[part.points[i]]);
      CHECK(q->owned[i] == whole->owned[part.points[i]]);
      q->r[i] = (vec3){p + 1, i, 0};
    }
    for (int k = 0; k < q->pair_count; k++) CHECK(contact_groups_place(&groups, &q->pairs[k]) == p);
    problem_part_store(&part, &problem);
  }
  CHECK(pairs == whole->pair_count && points == whole->point_count);
  CHECK(owned == whole->owned_points && entries == whole->body_start[whole->own_rows]);
  int touched = 0;
  for (int b = 0; b < whole->own_rows; b++)
    touched += whole->body_start[b + 1] > whole->body_start[b] && groups.of_row[b] >= 0;
  CHECK(movers >= touched);
  for (int k = 0; k < whole->pair_count; k++)
    for (int i = whole->pairs[k].first; i < whole->pairs[k].end; i++) {
      CHECK(seen[i] == 1);
      CHECK(problem.r[i].x == contact_groups_place(&groups, &whole->pairs[k]) + 1);
    }
}

// What is learned of the largest hard groups is known afterwards by a body, on all ranks alike, and
// survives as words; the rest of what was known stays behind it.
static void check_memory(const Problem *problem, Arena *arena)
{
  ContactGroups groups = contact_groups_new(problem, arena);
  contact_groups_join(&groups, problem, arena);
  const size_t room = (size_t)groups.place_count + 1;
  unsigned char *hard = arena_allocate_zero(arena, room, 1);
  int64_t *points = arena_allocate_zero(arena, room, sizeof *points);
  AdmmController *controllers = arena_allocate_zero(arena, room, sizeof *controllers);
  for (int piece = 0; piece < groups.count; piece++) {
    const int place = groups.place[piece];
    const uint64_t label = groups.label[piece];
    hard[place] = (unsigned char)(label % 2 == 0 ? 1 + label % HARD_MOST : HARD_NOT);
    points[place] = 1 + (int64_t)(hash_mix(label, 3) % 50);
    controllers[place].k = (int32_t)(label % ADMM_GRID);
    controllers[place].tried = (uint32_t)label;
    controllers[place].rate[3] = 0.5 * (double)label - 7;
  }
  GroupMemories memories = {0}, again;
  memories.groups[0] = (GroupMemory){.body = BODIES + 5, .hard = 1};   // it has gone
  const HardGroups step = {hard, points, controllers};
  group_memories_learn(&memories, problem, &groups, step, arena);
  const StateWords words = group_memories_words(&memories);
  group_memories_restore(&again, &words);
  int count = 0;
  while (count < GROUP_MEMORIES && memories.groups[count].hard) count++;
  CHECK(count > 2);
  for (int i = 0; i < count; i++) {
    const GroupMemory *m = &again.groups[i];
    const uint64_t label = m->body - 1;
    CHECK(m->body > 0 && label % 2 == 0 && m->controller.k == (int)(label % ADMM_GRID));
    CHECK(m->hard == 1 + (int)(label % HARD_MOST));
    CHECK(m->controller.tried == label && m->controller.rate[3] == 0.5 * (double)label - 7);
    const uint64_t before = i > 0 ? again.groups[i - 1].body - 1 : label;
    CHECK(hash_mix(before, 3) % 50 >= hash_mix(label, 3) % 50);
  }
  if (count < GROUP_MEMORIES)
    CHECK(again.groups[count].body == BODIES + 5 && again.groups[count].hard == 0);
  int *known = arena_allocate(arena, room * sizeof *known);
  group_memories_find(&again, problem, &groups, known, arena);
  for (int piece = 0; piece < groups.count; piece++) {
    int expected = -1;
    for (int i = 0; i < count; i++)
      if (again.groups[i].body == groups.label[piece] + 1) expected = i;
    CHECK(known[groups.place[piece]] == expected);
  }

  // what gives is remembered, and stays as the same is learned again
  int *gives = arena_allocate_zero(arena, room, sizeof *gives);
  for (int piece = 0; piece < groups.count; piece++)
    gives[groups.place[piece]] = (int)(groups.label[piece] % 5);
  for (int k = 0; k < 2; k++) {
    if (k == 0) group_memories_give(&again, problem, &groups, gives, arena);
    else group_memories_learn(&again, problem, &groups, step, arena);
    for (int i = 0; i < count; i++)
      CHECK(again.groups[i].gives == (int)((again.groups[i].body - 1) % 5));
  }
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  Arena arena = arena_new();
  static Scene scene;
  bodies_begin(&scene.bodies);
  contacts_begin(&scene.contacts);
  const ShapeRecipe recipe = {.radius = 0.5};
  ShapeSet shapes = shape_set_new(&recipe, 1);
  SurfaceLaw none = {0};
  const SurfaceLaws surfaces = {.material_count = 1, .laws = &none};
  for (int step = 0; step < STEPS; step++) {
    arena_reset(&arena);
    make_bodies(&scene, step);
    make_contacts(&scene, step);
    const ProblemInput in = {.bodies = &scene.bodies,
                             .mid = scene.mid,
                             .contacts = &scene.contacts,
                             .ghost_ranks = scene.ghost_ranks,
                             .start = velocities_of_rigid(scene.twist),
                             .free = velocities_of_rigid(scene.twist),
                             .laws = &surfaces,
                             .shapes = &shapes,
                             .slop = 1e-5,
                             .step = 1e-2};
    Problem problem = problem_new(&in, NULL, &arena);
    set_offsets(&problem);
    compare(&problem, step, &arena);
    check_places(&problem, &arena);
    check_parts(&problem, scene.twist, &arena);
    check_memory(&problem, &arena);
  }
  shape_set_destroy(&shapes);
  bodies_end(&scene.bodies);
  contacts_end(&scene.contacts);
  arena_destroy(&arena);
  const int code = test_report_parallel();
  par_end();
  return code;
}
