// Sweeps over four pairs at once against sweeps point by point: the same bits, for contacts and
// bonds, joints, pairs of any depth, bodies of any mass, and lanes that are empty. Each rank has a
// problem of its own.
#include <float.h>
#include <string.h>

#include "batches.h"
#include "gauss_seidel.h"
#include "harness.h"
#include "hash.h"
#include "parallel.h"

#define BODIES 60
#define PAIRS 150
#define MOST_POINTS 7
#define COLOURS 24

enum { ROOM = PAIRS * MOST_POINTS };   // for points

typedef enum {
  CONTACTS,
  BONDS,
  GENTLE,
  JOINTS
} Kind;   // gentle: bonds too, equal masses, usual friction

static double random_between(uint64_t *state, double low, double high)
{
  *state = hash_mix(*state, 17);
  return low + (high - low) * ((double)(*state >> 11) * 0x1p-53);
}

static vec3 random_vector(uint64_t *state)
{
  return (vec3){random_between(state, -1, 1), random_between(state, -1, 1),
                random_between(state, -1, 1)};
}

// bodies of masses over twelve decades, every seventh one fixed
static void make_bodies(uint64_t *state, MidState *mid, vec3 *position, Twist *twist, Kind kind)
{
  for (int b = 0; b < BODIES; b++) {
    double mass = 1;
    for (int i = 0; i < (int)random_between(state, 0, 12); i++) mass *= kind == GENTLE ? 1 : 10;
    const double inverse = b % 7 ? 1 / mass : 0;
    const vec3 a = random_vector(state);
    mat3 inertia = mat3_diagonal(1.5, 1.2, 1.1);
    inertia.row[0] = vec3_axpy(a.x, a, inertia.row[0]);
    inertia.row[1] = vec3_axpy(a.y, a, inertia.row[1]);
    inertia.row[2] = vec3_axpy(a.z, a, inertia.row[2]);
    mid[b] = (MidState){.inverse_mass = inverse, .inverse_inertia = mat3_scale(inverse, inertia)};
    position[b] = random_vector(state);
    twist[b] = b % 7 ? (Twist){random_vector(state), random_vector(state)}
                     : (Twist){{0, -0.0, 0}, {-0.0, 0, 0}};
  }
}

static mat3 body_delassus(const MidState *mid, vec3 arm)
{
  const mat3 skew = mat3_skew(arm);
  const mat3 turn = mat3_mul_mat(skew, mat3_mul_mat(mid->inverse_inertia, skew));
  return mat3_add(mat3_diagonal(mid->inverse_mass, mid->inverse_mass, mid->inverse_mass),
                  mat3_scale(-1, turn));
}

// limits and springs of a joint, springs of a contact, offsets along tangents
static void set_joint(uint64_t *state, SolverPoint *p)
{
  const double part = random_between(state, 0, 1);
  if (part < 0.6) p->law.give[0] = random_between(state, 0, 1) / p->rho;
  if (part < 0.4) p->law.give[1] = random_between(state, 0, 1) / p->rho;
  if (part < 0.2 || part > 0.7) return;
  double *const limits[] = {&p->law.tension, &p->law.shear, &p->law.push};
  p->law.push = random_between(state, 0, 1);
  for (int i = 0; i < 3; i++) {
    const double size = random_between(state, 0, 3);
    *limits[i] = size < 1 ? 0 : size < 2 ? INFINITY : p->rho * (size - 2);
  }
  p->offset = vec3_scale(0.3, random_vector(state));
}

static SolverPoint random_point(uint64_t *state, const MidState *mid, const vec3 *position, int low,
                                int high, Kind kind)
{
  static const double frictions[] = {0, 0.2, 0.7, 0.7, 10, 1e6};
  SolverPoint p = {.rho = random_between(state, 0.1, 1), .law = law_of_contact(0)};
  const vec3 n = random_vector(state), t = random_vector(state);
  p.basis.row[0] = vec3_scale(1 / vec3_norm(n), n);
  const vec3 t1 = vec3_cross(p.basis.row[0], t);
  p.basis.row[1] = vec3_scale(1 / vec3_norm(t1), t1);
  p.basis.row[2] = vec3_cross(p.basis.row[0], p.basis.row[1]);
  p.low_arm = random_vector(state);
  p.high_arm = vec3_add(p.low_arm, vec3_sub(position[low], position[high]));
  mat3 w = mat3_add(body_delassus(&mid[low], p.low_arm), body_delassus(&mid[high], p.high_arm));
  w = mat3_mul_mat(p.basis, mat3_mul_mat(w, mat3_transpose(p.basis)));
  p.rho = 1 / (w.row[0].x + w.row[1].y + w.row[2].z);
  if (kind == JOINTS) set_joint(state, &p);
  const double *give = p.law.give;
  law_diagonalize(mat3_add(w, mat3_diagonal(give[0], give[1], give[1])), &p.basis);
  if (law_is_cylinder(p.law)) return p;
  p.law.friction = frictions[(int)random_between(state, 0, 6)];
  if (kind == GENTLE) p.law.friction = fmin(p.law.friction, 0.7);
  const double part = random_between(state, 0, 1);
  if (kind != CONTACTS && part < 0.1) {
    p.law.tension = p.rho * random_between(state, 0, 1);
    p.law.shear = p.law.friction * p.law.tension + p.rho * random_between(state, 0, 1);
  }
  if (part > 0.9) p.offset.x = INFINITY;
  else if (part > 0.5 && kind != GENTLE) p.offset = vec3_scale(0.3, random_vector(state));
  if (p.law.tension == 0 && p.law.shear == 0) p.offset.y = p.offset.z = 0;   // those are of bonds
  // errors of some are rounding
  if (random_between(state, 0, 1) < 0.1) p.speed = random_between(state, 0, 1) / DBL_EPSILON;
  p.size = random_between(state, 0, 1) < 0.1 ? 0 : p.rho * random_between(state, 0, 3);
  return p;
}

typedef struct {
  Problem problem;
  Bodies bodies;
  uint64_t id[BODIES];
  int32_t drive[BODIES];
  MidState mid[BODIES];
  Twist twist[BODIES];
  vec3 position[BODIES];
  PointLever levers[ROOM];
  double friction[ROOM], offset[ROOM], rho[ROOM], speed[ROOM], size[ROOM];
  vec3 r[ROOM];
  PointLimits limits[ROOM];
  SolverPair pairs[PAIRS];
  unsigned char owned[ROOM];
  int colour_start[COLOURS + 1];
  HaloPlan plans[COLOURS];
  int body_start[BODIES + 1], body_pairs[2 * PAIRS];
} Scene;

// pairs in colours by first fit; those that do not fit are left out
static void make_pairs(uint64_t *state, Scene *s, Kind kind)
{
  bool busy[COLOURS][BODIES] = {{false}};
  int low[PAIRS], high[PAIRS], colour[PAIRS];
  for (int k = 0; k < PAIRS; k++) {
    low[k] = (int)random_between(state, 0, BODIES);
    high[k] = (int)random_between(state, 0, BODIES);
    colour[k] = 0;
    if (low[k] == high[k] || (low[k] % 7 == 0 && high[k] % 7 == 0)) colour[k] = COLOURS;
    while (colour[k] < COLOURS && (busy[colour[k]][low[k]] || busy[colour[k]][high[k]]))
      colour[k]++;
    if (colour[k] == COLOURS) continue;
    if (low[k] % 7) busy[colour[k]][low[k]] = true;
    if (high[k] % 7) busy[colour[k]][high[k]] = true;
  }
  Problem *p = &s->problem;
  for (int c = 0; c < COLOURS; c++) {
    for (int k = 0; k < PAIRS; k++) {
      if (colour[k] != c) continue;
      const int first = p->point_count, count = 1 + (int)random_between(state, 0, MOST_POINTS);
      const bool owned = random_between(state, 0, 1) < 0.8;
      for (int i = 0; i < count; i++) {
        s->owned[p->point_count] = owned;
        p->owned_points += owned;
        const SolverPoint point = random_point(state, s->mid, s->position, low[k], high[k], kind);
        problem_set_point(p, p->point_count++, &point);
      }
      s->pairs[p->pair_count++] = (SolverPair){first, p->point_count, low[k], high[k]};
    }
    s->colour_start[c + 1] = p->pair_count;
  }
}

static void index_bodies(Scene *s)
{
  int made = 0;
  for (int b = 0; b < BODIES; b++) {
    for (int k = 0; k < s->problem.pair_count; k++)
      if (s->pairs[k].low == b || s->pairs[k].high == b)
        s->body_pairs[made++] = 2 * k + (s->pairs[k].high == b);
    s->body_start[b + 1] = made;
  }
}

enum { SENT = 5 };

// Before each colour some rows go to the next rank and come from the one before it, which may be
// this one. Nobody asks whose they are: what a sweep must do is to wait for them.
typedef struct {
  int ranks[2], send_start[3], receive_start[3], send_rows[SENT], receive_rows[SENT];
} Ring;

static HaloPlan make_ring(uint64_t *state, Ring *ring, int colour)
{
  const int size = par_size(), next = (par_rank() + 1) % size,
            last = (par_rank() + size - 1) % size;
  const int neighbours = next == last ? 1 : 2, count = colour % (SENT + 1);
  *ring = (Ring){.ranks = {next < last ? next : last, next < last ? last : next}};
  for (int k = 0; k < neighbours; k++) {
    ring->send_start[k + 1] = ring->send_start[k] + (ring->ranks[k] == next ? count : 0);
    ring->receive_start[k + 1] = ring->receive_start[k] + (ring->ranks[k] == last ? count : 0);
  }
  for (int i = 0; i < count; i++) {
    ring->send_rows[i] = (int)random_between(state, 0, BODIES);
    ring->receive_rows[i] = (i * (BODIES / SENT) + (int)random_between(state, 0, BODIES / SENT));
  }
  return (HaloPlan){neighbours,      ring->ranks,         ring->send_start,
                    ring->send_rows, ring->receive_start, ring->receive_rows};
}

static void make_scene(uint64_t *state, Scene *s, Kind kind)
{
  memset(s, 0, sizeof *s);
  make_bodies(state, s->mid, s->position, s->twist, kind);
  for (int b = 0; b < BODIES; b++) s->id[b] = (uint64_t)b;
  for (int b = 0; b < BODIES; b++)
    s->drive[b] = s->mid[b].inverse_mass > 0 ? DRIVE_DYNAMIC : DRIVE_FIXED;
  s->bodies.id = s->id;
  s->bodies.drive = s->drive;
  s->bodies.position = s->position;
  s->problem = (Problem){.row_count = BODIES,
                         .bodies = &s->bodies,
                         .own_rows = BODIES,
                         .mid = s->mid,
                         .levers = s->levers,
                         .friction = s->friction,
                         .offset = s->offset,
                         .rho = s->rho,
                         .speed = s->speed,
                         .size = s->size,
                         .gravity_speed = 1,
                         .r = s->r,
                         .limits = kind == CONTACTS ? NULL : s->limits,
                         .owned = s->owned,
                         .pairs = s->pairs,
                         .colour_count = COLOURS,
                         .colour_start = s->colour_start,
                         .before_colour = s->plans,
                         .body_start = s->body_start,
                         .body_pairs = s->body_pairs,
                         .twist = s->twist};
  make_pairs(state, s, kind);
  index_bodies(s);
}

static bool same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

// points and velocities that differ
static int differences(const Scene *a, const Scene *b)
{
  int count = 0;
  for (int i = 0; i < a->problem.point_count; i++)
    count += memcmp(&a->r[i], &b->r[i], sizeof(vec3)) != 0;
  for (int i = 0; i < BODIES; i++) count += memcmp(&a->twist[i], &b->twist[i], sizeof(Twist)) != 0;
  return count;
}

static void test_sweeps(Kind kind)
{
  static Scene one, four;
  static Ring rings[COLOURS];
  int waiting = 0, ready = 0;   // batches
  int differ = 0, other_residual = 0, sliding = 0, open = 0;
  for (int round = 0; round < 40; round++) {
    Arena arena = arena_new();
    uint64_t state = 100 + (uint64_t)round + 1000 * (uint64_t)par_rank(), again = state;
    make_scene(&state, &one, kind);
    make_scene(&again, &four, kind);
    for (int c = 0; c < COLOURS && round % 5 == 0; c++)
      one.plans[c] = four.plans[c] = make_ring(&state, &rings[c], c);
    const int more_passes = round % 3;
    Batches batches = batches_new(&four.problem, (BatchChoice){.more_passes = more_passes}, &arena);
    for (int c = 0; c < COLOURS; c++) {
      waiting += batches.colour_start[c + 1] - batches.waiting_start[c];
      ready += batches.waiting_start[c] - batches.colour_start[c];
    }
    for (int sweep = 0; sweep < 10; sweep++) {
      double largest = 0;
      batches_errors(&batches, &largest);
      if (!same_bits(residual_measure(&one.problem).largest, sqrt(par_max(largest))))
        other_residual++;
      gauss_seidel_sweep(&one.problem, more_passes, &arena);
      batches_sweep(&batches, &arena);
      batches_store(&batches, NULL);
      differ += differences(&one, &four);
    }
    for (int i = 0; i < one.problem.point_count; i++) {
      const vec3 r = one.r[i];
      if (r.x == 0) open++;
      else if (sqrt(r.y * r.y + r.z * r.z) > 0.9999 * one.friction[i] * r.x) sliding++;
    }
    arena_destroy(&arena);
  }
  CHECK(differ == 0);
  CHECK(other_residual == 0);
  CHECK(waiting > 50 && ready > 100);
  CHECK(sliding > 1000 && open > 1000);
}

// Half of the bodies are of a kind whose pairs go point by point, through its operations: what they
// do is what rigid ones do, so impulses and velocities are the same but for rounding.
static void test_kinds(void)
{
  BodyKind by_points = kind_rigid;
  by_points.in_lanes = false;
  const BodyKind *const kinds[] = {&kind_rigid, &by_points, NULL};
  int32_t kind[BODIES];
  for (int b = 0; b < BODIES; b++) kind[b] = b % 3 == 1;
  static Scene rigid, mixed;
  const SolverMethod methods[] = {SOLVER_GAUSS_SEIDEL, SOLVER_NESTEROV, SOLVER_ANDERSON};
  for (int m = 0; m < 3; m++)
    for (int round = 0; round < 20; round++) {
      Arena arena = arena_new();
      uint64_t state = 300 + (uint64_t)round, again = state;
      make_scene(&state, &rigid, GENTLE);
      make_scene(&again, &mixed, GENTLE);
      mixed.bodies.kind = kind;
      mixed.bodies.kinds = kinds;
      const Batches batches = batches_new(&mixed.problem, (BatchChoice){0}, &arena);
      CHECK(batches.single_count > 20 && batches.pair_count > 5);
      Twist free[BODIES];
      memcpy(free, mixed.twist, sizeof free);
      const SolverParameters parameters = {.method = methods[m], .tolerance = 0, .max_sweeps = 10};
      const Convergence a = gauss_seidel_solve(&rigid.problem, velocities_of_rigid(free),
                                               parameters, &arena),
                        b = gauss_seidel_solve(&mixed.problem, velocities_of_rigid(free),
                                               parameters, &arena);
      CHECK(a.sweeps == b.sweeps && a.worst.low == b.worst.low && a.worst.high == b.worst.high);
      CHECK_NEAR(b.residual_max / a.residual_max, 1, 1e-9);
      double largest = 0, apart = 0;
      for (int i = 0; i < rigid.problem.point_count; i++) {
        largest = fmax(largest, vec3_norm(rigid.r[i]));
        apart = fmax(apart, vec3_norm(vec3_sub(rigid.r[i], mixed.r[i])));
      }
      CHECK(largest > 0.1 && apart < 1e-10 * largest);
      for (int i = 0; i < BODIES; i++) {
        const vec3 v = vec3_sub(rigid.twist[i].v, mixed.twist[i].v),
                   w = vec3_sub(rigid.twist[i].w, mixed.twist[i].w);
        CHECK(vec3_norm(v) + vec3_norm(w) < 1e-10);
      }
      arena_destroy(&arena);
    }
}

// Both solvers leave what they report, which is the best of what they saw; more sweeps are no
// worse.
static void test_solvers(void)
{
  static Scene scene;
  const SolverMethod methods[] = {SOLVER_GAUSS_SEIDEL, SOLVER_NESTEROV, SOLVER_ANDERSON};
  for (int k = 0; k < 3; k++) {
    double before = INFINITY;
    for (int sweeps = 0; sweeps <= 60; sweeps += 20) {
      Arena arena = arena_new();
      uint64_t state = 77;
      make_scene(&state, &scene, GENTLE);
      Twist free[BODIES];
      memcpy(free, scene.twist, sizeof free);
      const SolverParameters parameters = {
          .method = methods[k], .tolerance = 1e-12, .max_sweeps = sweeps};
      const Convergence found =
          gauss_seidel_solve(&scene.problem, velocities_of_rigid(free), parameters, &arena);
      CHECK(found.method == methods[k] && found.sweeps == sweeps && !found.converged);
      Twist twist[BODIES];
      problem_velocities(&scene.problem, velocities_of_rigid(free),
                         (VelocityColumns){.twist = twist});
      CHECK(memcmp(twist, scene.twist, sizeof twist) == 0);
      const Residual held = residual_measure(&scene.problem);
      CHECK(same_bits(held.largest, found.residual_max) && same_bits(held.rms, found.residual_rms));
      CHECK(held.worst.low == found.worst.low && held.worst.high == found.worst.high);
      CHECK(held.largest <= before * (1 + 1e-6));
      before = held.largest;
      arena_destroy(&arena);
    }
    CHECK(before < 0.05);
  }
}

// The worst pair is the one whose impulse was spoilt, of all ranks; without errors there is none.
static void test_worst(void)
{
  static Scene scene;
  uint64_t state = 5;
  make_scene(&state, &scene, GENTLE);
  memset(scene.r, 0, sizeof scene.r);   // nothing moves and nothing pushes
  memset(scene.twist, 0, sizeof scene.twist);
  for (int k = 0; k < scene.problem.pair_count; k++) {
    const SolverPair *pair = &scene.pairs[k];
    const vec3 kept = scene.r[pair->first];
    if (k % par_size() == par_rank()) scene.r[pair->first] = (vec3){1e9, 2e9, 0};
    const IdPair worst = residual_measure(&scene.problem).worst;
    CHECK(worst.low == (uint64_t)pair->low && worst.high == (uint64_t)pair->high);
    scene.r[pair->first] = kept;
  }
  Problem none = scene.problem;
  none.pair_count = 0;
  const Residual residual = residual_measure(&none);
  CHECK(residual.largest == 0 && residual.worst.low == 0 && residual.worst.high == 0);
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  test_sweeps(CONTACTS);
  test_sweeps(BONDS);
  test_sweeps(JOINTS);
  test_kinds();
  test_solvers();
  test_worst();
  const int code = test_report_parallel();
  par_end();
  return code;
}
