// Groups of touching bodies over ranks: labels and totals are those of a plain search through all
// pairs, however long the chains are that lead from rank to rank.
#include "contact_groups.h"

#include <stdio.h>
#include <string.h>

#include "bodies.h"
#include "contacts.h"
#include "harness.h"
#include "hash.h"
#include "parallel.h"
#include "problem.h"
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
  }
  shape_set_destroy(&shapes);
  bodies_end(&scene.bodies);
  contacts_end(&scene.contacts);
  arena_destroy(&arena);
  const int code = test_report_parallel();
  par_end();
  return code;
}
