// Bodies that are split over copies: few colours, the solution of whole bodies, the same bits on
// any number of ranks, momentum to rounding. Supports on a floor bear a raft with bricks that
// slide, which bears a smaller raft with bricks of its own.
#include <stdio.h>
#include <string.h>

#include "batches.h"
#include "delassus.h"
#include "gauss_seidel.h"
#include "harness.h"
#include "hash.h"
#include "parallel.h"
#include "problem.h"
#include "residual.h"
#include "scattered_bodies.h"
#include "split.h"

enum {
  SUPPORTS = 40,
  RAFT = SUPPORTS,
  FIRST_BRICK,
  BRICKS = 150,
  SMALL_RAFT = FIRST_BRICK + BRICKS,
  FIRST_LOAD,
  LOADS = 60,
  FLOOR = FIRST_LOAD + LOADS,
  BODIES,
  PAIRS = 2 * SUPPORTS + BRICKS + 1 + LOADS,
  WHOLE = 1 << 20   // pairs that no body has
};

static const double STEP = 1e-2, GRAVITY = 9.81;

typedef struct {
  vec3 size, place;
} RaftBox;

static double number(uint64_t a, uint64_t b, double low, double high)
{
  return low + (high - low) * ((double)(hash_mix(a, b) >> 11) * 0x1p-53);
}

// some of a grid over a plate, a little off
static vec3 place_on(int k, int columns, double distance, double width, double z)
{
  const double x = distance * (k % columns) + number((uint64_t)k, 7, 0, 0.1) - width,
               y = distance * (double)(k / columns) + number((uint64_t)k, 8, 0, 0.1) - width;
  return (vec3){x, y, z};
}

static RaftBox box_of(int id)
{
  if (id < RAFT) return (RaftBox){{0.4, 0.4, 0.4}, place_on(id, 7, 1.5, 4.5, 0.2)};
  if (id == RAFT) return (RaftBox){{10, 10, 0.4}, {0, 0, 0.6}};
  if (id < SMALL_RAFT)
    return (RaftBox){{0.3, 0.3, 0.2}, place_on(id - FIRST_BRICK, 13, 0.75, 4.8, 0.9)};
  if (id == SMALL_RAFT) return (RaftBox){{3, 3, 0.3}, {3, 3, 0.95}};
  if (id < FLOOR) return (RaftBox){{0.2, 0.2, 0.1}, place_on(id - FIRST_LOAD, 8, 0.35, -1.6, 1.15)};
  return (RaftBox){{12, 12, 1}, {0, 0, -0.5}};
}

static int owner_of(int id, bool alone)
{
  return alone ? par_rank() : (int)(hash_mix((uint64_t)id, 5) % (uint64_t)par_size());
}

static int list_pairs(IdPair *pairs)
{
  int count = 0;
  for (uint64_t b = 0; b < SUPPORTS; b++) {
    pairs[count++] = (IdPair){b, RAFT};
    pairs[count++] = (IdPair){b, FLOOR};
  }
  for (uint64_t b = FIRST_BRICK; b < FIRST_LOAD; b++) pairs[count++] = (IdPair){RAFT, b};
  for (uint64_t b = FIRST_LOAD; b < FLOOR; b++) pairs[count++] = (IdPair){SMALL_RAFT, b};
  return count;
}

typedef struct {
  bool alone;   // every rank has all bodies
  Bodies bodies;
  Contacts contacts;
  int owners[BODIES], ghost_ranks[BODIES];
  MidState mid[BODIES];
  Twist start[BODIES], free[BODIES];
} Scene;

static void add_body(Scene *scene, int row)
{
  Bodies *b = &scene->bodies;
  const int id = (int)b->id[row];
  const RaftBox box = box_of(id);
  b->position[row] = box.place;
  b->drive[row] = id == FLOOR ? DRIVE_FIXED : DRIVE_DYNAMIC;
  scene->mid[row] = (MidState){.rotation = mat3_diagonal(1, 1, 1)};
  scene->start[row] = scene->free[row] = (Twist){{0, 0, 0}, {0, 0, 0}};
  if (id == FLOOR) return;
  const vec3 s = box.size;
  const double inverse = 1 / (2400 * s.x * s.y * s.z);
  scene->mid[row].inverse_mass = inverse;
  scene->mid[row].inverse_inertia =
      mat3_diagonal(12 * inverse / (s.y * s.y + s.z * s.z), 12 * inverse / (s.x * s.x + s.z * s.z),
                    12 * inverse / (s.x * s.x + s.y * s.y));
  if (id > RAFT)
    scene->start[row].v = (vec3){number((uint64_t)id, 1, -1, 1), number((uint64_t)id, 2, -1, 1), 0};
  scene->free[row] = scene->start[row];
  scene->free[row].v.z -= STEP * GRAVITY;
}

static void make_bodies(Scene *scene)
{
  for (int id = 0; id < BODIES; id++) scene->owners[id] = owner_of(id, scene->alone);
  scattered_rows(&scene->bodies, BODIES, scene->owners, scene->ghost_ranks);
  for (int row = 0; row < BODIES; row++) add_body(scene, row);
}

// three points of the smaller box, so that no load of a brick is indeterminate
static void add_contacts(Scene *scene, IdPair pair)
{
  Contacts *c = &scene->contacts;
  const RaftBox low = box_of((int)pair.low), high = box_of((int)pair.high);
  const bool above = high.place.z > low.place.z;
  const RaftBox *box = low.size.x < high.size.x ? &low : &high;
  const RaftBox *under = above ? &low : &high;
  for (int i = 0; i < 3; i++) {
    table_reserve(&c->table, c->table.count + 1);
    const int row = c->table.count++;
    const vec3 point = {box->place.x + (0.5 * i - 0.5) * box->size.x,
                        box->place.y + (i % 2 - 0.5) * box->size.y,
                        under->place.z + 0.5 * under->size.z};
    c->bodies[row] = pair;
    c->parts[row] = (IndexPair){0, 0};
    c->features[row] = (IndexPair){(uint32_t)i, 0};
    c->normal[row] = (vec3){0, 0, above ? -1 : 1};
    c->anchor[row] = vec3_sub(point, low.place);
    c->gap[row] = 0;
    c->reaction[row] = (vec3){0, 0, 0};
    c->area[row] = 1;
    c->bond[row] = BOND_NONE;
  }
}

static void make_contacts(Scene *scene)
{
  IdPair pairs[PAIRS];
  const int count = list_pairs(pairs);
  Table *table = &scene->contacts.table;
  for (int half = 0; half < 2; half++) {
    for (int k = 0; k < count; k++) {
      // list_pairs is not in order of key where supports are concerned, but table rows are: each
      // support comes with the raft, then with the floor
      if (scattered_half(pairs[k], scene->owners, true, pairs[k].high != FLOOR) == half)
        add_contacts(scene, pairs[k]);
    }
    if (half == 0) table->owned = table->count;
  }
}

static void begin(Scene *scene, bool alone)
{
  scene->alone = alone;
  bodies_begin(&scene->bodies);
  contacts_begin(&scene->contacts);
  make_bodies(scene);
  make_contacts(scene);
}

static void end(Scene *scene)
{
  bodies_end(&scene->bodies);
  contacts_end(&scene->contacts);
}

static Problem make_problem(const Scene *scene, ShapeSet *shapes, int most_pairs, Arena *arena)
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
                           .most_pairs = most_pairs};
  return problem_new(&in, NULL, arena);
}

static void start(Problem *problem, const Scene *scene)
{
  for (int b = 0; b < problem->row_count; b++) problem->twist[b] = scene->free[b];
}

// no body or copy twice in a colour; every pair swept by one rank, by both if its bodies are whole
static void check_structure(const Problem *problem, Arena *arena)
{
  CHECK(problem->colour_count <= MOST_COLOURS);
  int64_t counted = 0;
  const int rows = problem->row_count + (problem->copies ? problem->copies->count : 0);
  for (int c = 0; c < problem->colour_count; c++) {
    unsigned char *seen = arena_allocate_zero(arena, (size_t)rows, 1);
    for (int k = problem->colour_start[c]; k < problem->colour_start[c + 1]; k++) {
      const SweepPair pair = split_pair(problem, k);
      counted += pair.counted;
      CHECK(pair.swept || !pair.counted);
      if (!pair.swept) continue;
      const int ends[2] = {pair.low, pair.high};
      for (int e = 0; e < 2; e++) {
        if (ends[e] < problem->row_count && problem->bodies->drive[ends[e]] == DRIVE_FIXED)
          continue;
        CHECK(!seen[ends[e]]);
        seen[ends[e]] = 1;
      }
    }
  }
  CHECK(par_sum(counted) == PAIRS);
}

// only W_aa is that of copies
static void check_points(const Problem *split, const Problem *whole, Arena *arena)
{
  int *at = arena_allocate(arena, (size_t)whole->point_count * sizeof *at + 1);
  int *pair = arena_allocate(arena, (size_t)whole->point_count * sizeof *pair + 1);
  for (int k = 0; k < whole->pair_count; k++)
    for (int i = whole->pairs[k].first; i < whole->pairs[k].end; i++) {
      at[whole->contacts[k] + i - whole->pairs[k].first] = i;
      pair[i] = k;
    }
  int heavier = 0;
  for (int k = 0; k < split->pair_count; k++)
    for (int i = split->pairs[k].first; i < split->pairs[k].end; i++) {
      const int j = at[split->contacts[k] + i - split->pairs[k].first];
      CHECK(split->rho[i] == whole->rho[j] && split->offset[i] == whole->offset[j] &&
            split->friction[i] == whole->friction[j]);
      const PointLever *p = &split->levers[i], *q = &whole->levers[j];
      CHECK(memcmp(&p->normal, &q->normal, sizeof(vec3)) == 0);
      CHECK_NEAR(vec3_dot(p->normal, p->tangent), 0, 1e-15);
      CHECK_NEAR(vec3_norm(p->tangent), 1, 1e-15);
      const double w = delassus_of_point(split, k, i).normal,
                   least = delassus_of_point(whole, pair[j], j).normal;
      CHECK(w >= least * (1 - 1e-12));
      heavier += w > least * (1 + 1e-12);
    }
  CHECK(heavier > 0 || split->point_count == 0);
}

static double largest_difference(const Problem *a, const Problem *b)
{
  double most = 0;
  for (int i = 0; i < a->own_rows; i++) {
    par_raise(&most, vec3_norm(vec3_sub(a->twist[i].v, b->twist[i].v)));
    par_raise(&most, vec3_norm(vec3_sub(a->twist[i].w, b->twist[i].w)));
  }
  return par_max(most);
}

// after sweeps the velocities kept up are those that the impulses give
static void check_momentum(Problem *problem, const Scene *scene, Arena *arena)
{
  start(problem, scene);
  for (int i = 0; i < 20; i++) {
    gauss_seidel_sweep(problem, 0, arena);
    halo_refresh(&problem->swept, problem->twist, sizeof *problem->twist, arena);
  }
  split_share_impulses(problem, arena);
  Problem summed = *problem;
  summed.twist = arena_allocate(arena, ((size_t)problem->row_count + 1) * sizeof *summed.twist);
  problem_velocities(problem, velocities_of_rigid(scene->free),
                     (VelocityColumns){.twist = summed.twist});
  CHECK_NEAR(largest_difference(problem, &summed), 0, 1e-12);
  bool pressed = false;
  for (int i = 0; i < problem->point_count; i++) pressed = pressed || problem->r[i].x > 0;
  CHECK(par_any(pressed));
}

// whether what sweeps measure of the pairs of this rank is the residual of the whole bodies; one is
// given the impulses that its rank does not sweep and left as it was but for these
static bool residuals_agree(Problem *one, Problem *four, const Batches *batches, Arena *arena)
{
  for (int i = 0; i < one->point_count; i++) one->size[i] = four->size[i] = one->rho[i];
  split_share_impulses(one, arena);
  halo_refresh(&one->all, one->twist, sizeof *one->twist, arena);
  double largest = 0;
  batches_errors(batches, &largest);
  const double whole = residual_measure(one).largest, swept = sqrt(par_max(largest));
  for (int b = 0; b < four->row_count; b++)
    if (memcmp(&one->twist[b], &four->twist[b], sizeof(Twist)) != 0 && b < four->own_rows)
      return false;
  return fabs(whole - swept) <= 1e-12 * whole;
}

// four pairs at once against one after another, copies and their ways included
static void check_batches(Problem *one, Problem *four, const Scene *scene, Arena *arena)
{
  start(one, scene);
  start(four, scene);
  Batches batches = batches_new(four, (BatchChoice){0}, arena);
  int differ = 0;
  for (int sweep = 0; sweep < 10; sweep++) {
    gauss_seidel_sweep(one, 0, arena);
    batches_sweep(&batches, arena);
    for (int b = 0; b < one->own_rows; b++)
      differ += memcmp(&one->twist[b], &four->twist[b], sizeof(Twist)) != 0;
    halo_refresh(&one->swept, one->twist, sizeof *one->twist, arena);
    halo_refresh(&four->swept, four->twist, sizeof *four->twist, arena);
    differ += !residuals_agree(one, four, &batches, arena);
  }
  split_share_impulses(one, arena);
  batches_store(&batches, NULL);
  split_share_impulses(four, arena);
  for (int i = 0; i < one->point_count; i++)
    differ += memcmp(&one->r[i], &four->r[i], sizeof(vec3)) != 0;
  CHECK(differ == 0);
}

// of bodies and points that this rank owns
static Hash128 hash_of(const Problem *problem, const Contacts *contacts)
{
  Hash128 sum = {0, 0};
  for (int b = 0; b < problem->own_rows; b++) {
    unsigned char bytes[sizeof(uint64_t) + sizeof(Twist)];
    memcpy(bytes, &problem->bodies->id[b], sizeof(uint64_t));
    memcpy(bytes + sizeof(uint64_t), &problem->twist[b], sizeof(Twist));
    sum = hash_add(sum, hash_bytes(bytes, sizeof bytes, 1));
  }
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    if (!problem->owned[pair->first]) continue;
    sum = hash_add(sum, scattered_hash(problem, contacts, k));
  }
  return sum;
}

static int64_t messages_of_sweep(Problem *problem, Arena *arena)
{
  const int64_t before = par_traffic(TRAFFIC_OTHER).messages;
  gauss_seidel_sweep(problem, 0, arena);
  return par_sum(par_traffic(TRAFFIC_OTHER).messages - before);
}

static void check_solver(SolverMethod method, const Scene *scene, const Scene *alone,
                         ShapeSet *shapes)
{
  Arena arena = arena_new();
  Problem split = make_problem(scene, shapes, 0, &arena),
          whole = make_problem(scene, shapes, WHOLE, &arena),
          all = make_problem(alone, shapes, 0, &arena);
  const SolverParameters parameters = {.method = method, .tolerance = 1e-10, .max_sweeps = 5000};
  const Convergence a =
      gauss_seidel_solve(&split, velocities_of_rigid(scene->free), parameters, &arena);
  const Convergence b =
      gauss_seidel_solve(&whole, velocities_of_rigid(scene->free), parameters, &arena);
  CHECK(a.converged && b.converged && a.sweeps > 0);
  CHECK(a.sweeps <= 5 * b.sweeps);   // what copies cost
  if (par_rank() == 0) printf("%d sweeps with copies, %d without\n", a.sweeps, b.sweeps);

  // bricks slide, and their speeds do not depend on who bears how much of a load
  CHECK_NEAR(largest_difference(&split, &whole), 0, 1e-6);
  double moved = 0;
  for (int i = 0; i < split.own_rows; i++) par_raise(&moved, vec3_norm(split.twist[i].v));
  CHECK(par_max(moved) > 0.1);

  // the same bits as where every rank has everything
  const Convergence c =
      gauss_seidel_solve(&all, velocities_of_rigid(alone->free), parameters, &arena);
  CHECK(c.sweeps == a.sweeps && c.residual_max == a.residual_max);
  const Hash128 sum = par_sum_hash(hash_of(&split, &scene->contacts)),
                expected = hash_of(&all, &alone->contacts);
  CHECK(sum.low == expected.low && sum.high == expected.high);
  arena_destroy(&arena);
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  Arena arena = arena_new();
  static Scene scene, alone;
  begin(&scene, false);
  begin(&alone, true);
  const ShapeRecipe recipe = {.radius = 0.5};
  ShapeSet shapes = shape_set_new(&recipe, 1);

  Problem split = make_problem(&scene, &shapes, 0, &arena),
          again = make_problem(&scene, &shapes, 0, &arena),
          whole = make_problem(&scene, &shapes, WHOLE, &arena);
  CHECK(whole.copies == NULL && whole.colour_count > BRICKS);
  check_structure(&split, &arena);
  check_points(&split, &whole, &arena);
  check_batches(&split, &again, &scene, &arena);
  split = make_problem(&scene, &shapes, 0, &arena);
  check_momentum(&split, &scene, &arena);
  start(&whole, &scene);
  const int64_t messages = messages_of_sweep(&split, &arena),
                messages_whole = messages_of_sweep(&whole, &arena);
  if (par_rank() == 0)
    printf("%lld messages of a sweep with copies, %lld without\n", (long long)messages,
           (long long)messages_whole);
  // at most one to each rank before each colour, and one at the end
  CHECK(messages <= (int64_t)par_size() * (par_size() - 1) * (split.colour_count + 1));
  CHECK((messages > 0) == (par_size() > 1));
  check_solver(SOLVER_GAUSS_SEIDEL, &scene, &alone, &shapes);
  check_solver(SOLVER_NESTEROV, &scene, &alone, &shapes);
  check_solver(SOLVER_ANDERSON, &scene, &alone, &shapes);

  shape_set_destroy(&shapes);
  end(&scene);
  end(&alone);
  arena_destroy(&arena);
  const int code = test_report_parallel();
  par_end();
  return code;
}
