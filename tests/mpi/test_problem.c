// The contact problem of a step: a graph that is kept gives what a fresh one does, to the bit;
// points made four at once have the numbers of the plain formulas; the same on any number of ranks.
#include <float.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "delassus.h"
#include "harness.h"
#include "hash.h"
#include "jacobi.h"
#include "make_points.h"
#include "parallel.h"
#include "point_operators.h"
#include "problem.h"
#include "scattered_bodies.h"

enum { BODIES = 60, PAIRS = 150, STEPS = 12 };
enum { NUMBERS = offsetof(SolverPoint, point) };   // bytes of a point's numbers

static double number(uint64_t a, uint64_t b, double low, double high)
{
  return low + (high - low) * ((double)(hash_mix(a, b) >> 11) * 0x1p-53);
}

static vec3 vector(uint64_t a, uint64_t b)
{
  return (vec3){number(a, 3 * b, -1, 1), number(a, 3 * b + 1, -1, 1), number(a, 3 * b + 2, -1, 1)};
}

static bool is_fixed(uint64_t id) { return id % 11 == 3; }

// every body changes its owner in step 8
static int owner_of(uint64_t id, int step, bool whole)
{
  if (whole) return par_rank();
  return (int)(hash_mix(id, step < 8 ? 17 : 18) % (uint64_t)par_size());
}

static IdPair pair_of(int k)
{
  uint64_t a = hash_mix((uint64_t)k, 1) % BODIES, b = hash_mix((uint64_t)k, 2) % BODIES;
  if (a == b) b = (b + 1) % BODIES;
  return id_pair_of(a, b);
}

static int compare_pairs(const void *a, const void *b)
{
  return id_pair_compare(*(const IdPair *)a, *(const IdPair *)b);
}

// What changes between steps: in 3 points of a pair, in 6 pairs, in 8 owners, in 10 one pair
// between others goes and one comes, so that all counts stay.
static int points_of(IdPair pair, int index, int step)
{
  if (step >= 10 && index == 20) return 0;
  if (step >= 10 && index == 21) return 3;
  if (index == 20) return 3;
  if (index == 21) return 0;
  if (step >= 6 && index % 5 == 2) return 0;
  const int count = 1 + (int)(hash_mix(pair.low, pair.high) % 9);
  return step >= 3 && index == 7 ? count + 1 : count;
}

static bool changes_at(int step)
{
  return step == 0 || step == 3 || step == 6 || step == 8 || step == 10;
}

typedef struct {
  bool whole;   // all bodies belong to this rank
  Bodies bodies;
  Contacts contacts;
  int owners[BODIES], ghost_ranks[BODIES];
  MidState mid[BODIES];
  Twist start[BODIES], free[BODIES];
} Scene;

static void make_bodies(Scene *scene, int step)
{
  Bodies *b = &scene->bodies;
  for (uint64_t id = 0; id < BODIES; id++) scene->owners[id] = owner_of(id, step, scene->whole);
  scattered_rows(b, BODIES, scene->owners, scene->ghost_ranks);
  for (int row = 0; row < b->table.count; row++) {
    const uint64_t id = b->id[row];
    b->position[row] = vec3_scale(3, vector(id, 1));
    b->drive[row] = is_fixed(id) ? DRIVE_FIXED : DRIVE_DYNAMIC;
    b->material[row] = (int32_t)(id % 2);
    const quat q = quat_normalize((quat){1, number(id, 50, -1, 1), number(id, 51, -1, 1), 0.3});
    const mat3 r = quat_to_mat3(q);
    scene->mid[row] = (MidState){.rotation = r};
    scene->start[row] = scene->free[row] = (Twist){{0, 0, 0}, {0, 0, 0}};
    if (is_fixed(id)) continue;
    scene->mid[row].inverse_mass = number(id, 60, 0.1, 2);
    const mat3 inertia =
        mat3_diagonal(number(id, 61, 1, 5), number(id, 62, 1, 5), number(id, 63, 1, 5));
    scene->mid[row].inverse_inertia = mat3_mul_mat(r, mat3_mul_mat(inertia, mat3_transpose(r)));
    scene->start[row] = (Twist){vector(id, 70 + (uint64_t)step), vector(id, 90)};
    scene->free[row] = (Twist){vector(id, 110 + (uint64_t)step), vector(id, 130)};
  }
}

static void add_contact(Scene *scene, IdPair pair, int point, int step)
{
  Contacts *c = &scene->contacts;
  table_reserve(&c->table, c->table.count + 1);
  const int row = c->table.count++;
  const uint64_t key = hash_mix(pair.low, 1000 * pair.high + (uint64_t)point);
  const vec3 n = vector(key, (uint64_t)step + 1);
  c->bodies[row] = pair;
  c->parts[row] = (IndexPair){0, 0};
  c->features[row] = (IndexPair){(uint32_t)point, 0};
  c->normal[row] = vec3_scale(1 / vec3_norm(n), n);
  if (point == 0) c->normal[row] = (vec3){0, 0, 1};
  if (point == 1) c->normal[row] = (vec3){-1, 0, 0};
  c->anchor[row] = vector(key, 30);
  c->gap[row] = number(key, 40 + (uint64_t)step, -0.1, 0.1);
  c->reaction[row] = vector(key, 50 + (uint64_t)step);
  c->area[row] = number(key, 60, 0.1, 1);
  c->bond[row] = key % 5 == 0 ? BOND_WHOLE : key % 5 == 1 ? BOND_BROKEN : BOND_NONE;
}

static void make_contacts(Scene *scene, const IdPair *pairs, int count, int step)
{
  Table *table = &scene->contacts.table;
  table->owned = table->count = 0;
  for (int half = 0; half < 2; half++) {
    for (int k = 0; k < count; k++) {
      const bool low_free = !is_fixed(pairs[k].low), high_free = !is_fixed(pairs[k].high);
      if (scattered_half(pairs[k], scene->owners, low_free, high_free) != half) continue;
      for (int i = 0; i < points_of(pairs[k], k, step); i++) add_contact(scene, pairs[k], i, step);
    }
    if (half == 0) table->owned = table->count;
  }
}

// 1/m I - [arm]x I^-1 [arm]x
static mat3 body_delassus(const MidState *mid, vec3 arm)
{
  const mat3 skew = mat3_skew(arm);
  const mat3 turn = mat3_mul_mat(skew, mat3_mul_mat(mid->inverse_inertia, skew));
  return mat3_add(mat3_diagonal(mid->inverse_mass, mid->inverse_mass, mid->inverse_mass),
                  mat3_scale(-1, turn));
}

// a point by the plain formulas
static SolverPoint reference_point(const ProblemInput *in, const SolverPoint *made,
                                   LocalDelassus *w_aa)
{
  const Contacts *c = in->contacts;
  const int contact = made->contact, low = made->low, high = made->high;
  SolverPoint p = {.contact = contact, .low = low, .high = high, .problem = made->problem};
  p.basis = contacts_basis(c->normal[contact]);
  p.low_arm = mat3_mul(in->mid[low].rotation, c->anchor[contact]);
  p.high_arm = vec3_add(p.low_arm, vec3_sub(in->bodies->position[low], in->bodies->position[high]));
  const SurfaceLaw *surface =
      &in->laws->laws[in->bodies->material[low] + in->bodies->material[high]];
  const bool whole = c->bond[contact] == BOND_WHOLE;
  p.law = law_of_contact(surface->friction);
  if (whole) {
    p.law.tension = in->step * c->area[contact] * surface->tensile_strength;
    p.law.shear = in->step * c->area[contact] * surface->cohesion;
  }
  const double gap = c->gap[contact], restitution = surface->restitution;
  const double before = problem_velocity(&p, in->start).x;
  if (whole) {
    p.offset.x = 0;
  } else if (restitution > 0 && -before > in->impact_speed) {
    const double ahead = gap + 0.5 * in->step * problem_velocity(&p, in->free).x;
    p.offset.x = ahead < 0 ? restitution * before : INFINITY;
  } else {
    const double closed = in->slop * problem_extent(in->bodies, in->shapes, low, high);
    p.offset.x = gap > closed ? gap / in->step : 0;
  }
  const mat3 w =
      mat3_add(body_delassus(&in->mid[low], p.low_arm), body_delassus(&in->mid[high], p.high_arm));
  const mat3 local = mat3_mul_mat(p.basis, mat3_mul_mat(w, mat3_transpose(p.basis)));
  p.rho = 1 / jacobi_largest(local);
  const vec3 reaction = mat3_mul_transposed(p.basis, c->reaction[contact]);
  *w_aa = law_diagonalize(local, &p.basis);
  p.r = mat3_mul(p.basis, reaction);
  return p;
}

typedef struct {
  double vectors, delassus, rho;
  int open, waiting, bouncing;   // offsets by kind
} Compared;

static double worse(double worst, double a, double b, double size)
{
  return fmax(worst, fabs(a - b) / size);
}

static double worse_vector(double worst, vec3 a, vec3 b, double size)
{
  return fmax(worst, vec3_norm(vec3_sub(a, b)) / size);
}

static int *pairs_of_points(const Problem *problem, Arena *arena)
{
  int *pair = arena_allocate(arena, ((size_t)problem->point_count + 1) * sizeof *pair);
  for (int k = 0; k < problem->pair_count; k++)
    for (int i = problem->pairs[k].first; i < problem->pairs[k].end; i++) pair[i] = k;
  return pair;
}

static void compare_with_reference(const ProblemInput *in, const Problem *problem, Compared *worst,
                                   Arena *arena)
{
  const int *pair_of_point = pairs_of_points(problem, arena);
  for (int i = 0; i < problem->point_count; i++) {
    const SolverPoint made = problem_point(problem, pair_of_point[i], i), *p = &made;
    LocalDelassus w;
    const SolverPoint q = reference_point(in, p, &w);
    const LocalDelassus found = delassus_of_point(problem, pair_of_point[i], i);
    for (int k = 0; k < 3; k++)
      worst->vectors = worse_vector(worst->vectors, p->basis.row[k], q.basis.row[k], 1);
    worst->vectors = worse_vector(worst->vectors, p->low_arm, q.low_arm, 1);
    worst->vectors = worse_vector(worst->vectors, p->high_arm, q.high_arm, 1);
    worst->vectors = worse_vector(worst->vectors, p->r, q.r, 1);
    const double size = 1 / q.rho;
    worst->delassus = worse(worst->delassus, found.normal, w.normal, size);
    worst->delassus = worse(worst->delassus, found.w1, w.w1, size);
    worst->delassus = worse(worst->delassus, found.w2, w.w2, size);
    worst->delassus = worse(worst->delassus, found.s1, w.s1, size);
    worst->delassus = worse(worst->delassus, found.s2, w.s2, size);
    worst->rho = worse(worst->rho, p->rho, q.rho, q.rho);
    CHECK(p->law.friction == q.law.friction);
    CHECK_NEAR(p->law.tension, q.law.tension, 1e-15 * q.law.tension);
    CHECK_NEAR(p->law.shear, q.law.shear, 1e-15 * q.law.shear);
    CHECK(p->offset.y == 0 && p->offset.z == 0);
    CHECK(isinf(q.offset.x) ? p->offset.x == q.offset.x
                            : fabs(p->offset.x - q.offset.x) <= 1e-13 * fabs(q.offset.x));
    worst->open += q.offset.x > 0 && q.offset.x < INFINITY;
    worst->waiting += isinf(q.offset.x);
    worst->bouncing += q.offset.x < 0;
  }
}

static void compare_plans(const HaloPlan *a, const HaloPlan *b)
{
  CHECK(a->neighbour_count == b->neighbour_count);
  const int n = a->neighbour_count;
  if (n == 0 || n != b->neighbour_count) return;
  CHECK(memcmp(a->ranks, b->ranks, (size_t)n * sizeof(int)) == 0);
  CHECK(memcmp(a->send_start, b->send_start, ((size_t)n + 1) * sizeof(int)) == 0);
  CHECK(memcmp(a->receive_start, b->receive_start, ((size_t)n + 1) * sizeof(int)) == 0);
  CHECK(memcmp(a->send_rows, b->send_rows, (size_t)a->send_start[n] * sizeof(int)) == 0);
  CHECK(memcmp(a->receive_rows, b->receive_rows, (size_t)a->receive_start[n] * sizeof(int)) == 0);
}

// to the bit, and with it every index
static void compare_fresh(const Problem *kept, const Problem *fresh)
{
  if (!CHECK(kept->point_count == fresh->point_count && kept->pair_count == fresh->pair_count &&
             kept->colour_count == fresh->colour_count &&
             kept->owned_points == fresh->owned_points && kept->own_rows == fresh->own_rows))
    return;
  const size_t points = (size_t)kept->point_count, pairs = (size_t)kept->pair_count;
  const size_t own = (size_t)kept->own_rows, colours = (size_t)kept->colour_count;
  for (int k = 0; k < kept->pair_count; k++)
    for (int i = kept->pairs[k].first; i < kept->pairs[k].end; i++) {
      const SolverPoint p = problem_point(kept, k, i), q = problem_point(fresh, k, i);
      CHECK(memcmp(&p, &q, NUMBERS) == 0 && p.contact == q.contact && p.low == q.low &&
            p.high == q.high);
    }
  CHECK(memcmp(kept->pairs, fresh->pairs, pairs * sizeof *kept->pairs) == 0);
  CHECK(memcmp(kept->owned, fresh->owned, points) == 0);
  CHECK(memcmp(kept->colour_start, fresh->colour_start, (colours + 1) * sizeof(int)) == 0);
  CHECK(memcmp(kept->body_start, fresh->body_start, (own + 1) * sizeof(int)) == 0);
  CHECK(memcmp(kept->body_pairs, fresh->body_pairs, (size_t)kept->body_start[own] * sizeof(int)) ==
        0);
  for (size_t c = 0; c < colours; c++)
    compare_plans(&kept->before_colour[c], &fresh->before_colour[c]);
  compare_plans(&kept->all, &fresh->all);
}

// a pair once per rank that knows it, all of its points in order, no body twice in a colour
static void check_structure(const Problem *problem, const Bodies *b)
{
  int next = 0;
  for (int c = 0; c < problem->colour_count; c++) {
    unsigned char seen[BODIES] = {0};
    for (int k = problem->colour_start[c]; k < problem->colour_start[c + 1]; k++) {
      const SolverPair *pair = &problem->pairs[k];
      const int rows[2] = {pair->low, pair->high};
      CHECK(pair->first == next && pair->end > pair->first);
      next = pair->end;
      for (int e = 0; e < 2; e++) {
        if (b->drive[rows[e]] == DRIVE_FIXED) continue;
        CHECK(!seen[rows[e]]);
        seen[rows[e]] = 1;
      }
    }
  }
  CHECK(next == problem->point_count);
}

// of a point without row numbers
static Hash128 hash_point(const SolverPoint *p, const Contacts *contacts)
{
  unsigned char bytes[sizeof(IdPair) + sizeof(IndexPair) + NUMBERS];
  memcpy(bytes, &contacts->bodies[p->contact], sizeof(IdPair));
  memcpy(bytes + sizeof(IdPair), &contacts->features[p->contact], sizeof(IndexPair));
  memcpy(bytes + sizeof(IdPair) + sizeof(IndexPair), p, NUMBERS);
  return hash_bytes(bytes, sizeof bytes, 5);
}

// Own points of all ranks are those of one rank that owns everything.
static void compare_with_whole(const Problem *problem, const ProblemInput *in, Scene *whole,
                               const IdPair *pairs, int count, int step, Arena *arena)
{
  make_bodies(whole, step);
  make_contacts(whole, pairs, count, step);
  ProblemInput all = *in;
  all.bodies = &whole->bodies;
  all.mid = whole->mid;
  all.contacts = &whole->contacts;
  all.start = velocities_of_rigid(whole->start);
  all.free = velocities_of_rigid(whole->free);
  Hash128 expected = {0, 0}, sum = {0, 0};
  const Contacts *c = &whole->contacts;
  SolverPair all_pairs[PAIRS];
  int pair_rows[PAIRS], pair_count = 0;
  for (int i = 0, end; i < c->table.count; i = end) {
    end = i + 1;
    while (end < c->table.count && compare_pairs(&c->bodies[i], &c->bodies[end]) == 0) end++;
    pair_rows[pair_count] = i;
    all_pairs[pair_count++] = (SolverPair){i, end, bodies_find(&whole->bodies, c->bodies[i].low),
                                           bodies_find(&whole->bodies, c->bodies[i].high)};
  }
  Problem one = {.bodies = &whole->bodies,
                 .row_count = whole->bodies.table.count,
                 .own_rows = whole->bodies.table.count,
                 .point_count = c->table.count,
                 .pair_count = pair_count,
                 .pairs = all_pairs,
                 .contacts = pair_rows};
  problem_allocate_points(&one, c->table.count, true, arena);
  make_points(&all, &one);
  for (int k = 0; k < pair_count; k++)
    for (int i = all_pairs[k].first; i < all_pairs[k].end; i++) {
      const SolverPoint p = problem_point(&one, k, i);
      expected = hash_add(expected, hash_point(&p, c));
    }
  for (int k = 0; k < problem->pair_count; k++)
    for (int i = problem->pairs[k].first; i < problem->pairs[k].end; i++) {
      const SolverPoint p = problem_point(problem, k, i);
      if (problem->owned[i]) sum = hash_add(sum, hash_point(&p, in->contacts));
    }
  sum = par_sum_hash(sum);
  CHECK(sum.low == expected.low && sum.high == expected.high);
}

static double twist_size(Twist t) { return vec3_norm(t.v) + vec3_norm(t.w); }

// the compact operators give what the plain ones do, but for the rounding of what they add
static void compare_operators(const ProblemInput *in, const Problem *problem, Arena *arena)
{
  const size_t points = (size_t)problem->point_count + 1, rows = (size_t)problem->row_count + 1;
  vec3 *r = arena_allocate(arena, points * sizeof *r),
       *u = arena_allocate(arena, points * sizeof *u);
  Twist *plain = arena_allocate(arena, rows * sizeof *plain),
        *compact = arena_allocate(arena, rows * sizeof *compact);
  double *added = arena_allocate(arena, rows * sizeof *added);
  const int *pair_of_point = pairs_of_points(problem, arena);
  for (int b = 0; b < problem->row_count; b++) added[b] = twist_size(in->free.twist[b]);
  for (int i = 0; i < problem->point_count; i++) {
    r[i] = vector(91, (uint64_t)i);
    const SolverPoint point = problem_point(problem, pair_of_point[i], i), *p = &point;
    problem->r[i] = r[i];
    const vec3 impulse = mat3_mul_transposed(p->basis, r[i]);
    const vec3 between = vec3_sub(p->high_arm, p->low_arm);
    const double reach = vec3_norm(p->low_arm) + vec3_norm(between);
    const vec3 longest = {reach, reach, reach};
    const Twist zero = {{0, 0, 0}, {0, 0, 0}};
    const int ends[2] = {p->low, p->high};
    for (int side = 0; side < 2; side++) {
      const MidState *mid = &problem->mid[ends[side]];
      double inertia = 0;
      for (int k = 0; k < 3; k++) inertia += vec3_norm(mid->inverse_inertia.row[k]);
      added[ends[side]] += twist_size(rigid_push(zero, mid, impulse, longest, 1)) +
                           inertia * reach * vec3_norm(impulse);
    }
  }
  PointOperators o = point_operators_new(problem, arena);
  point_operators_set(&o, r);
  point_operators_twists(&o, in->free, (VelocityColumns){.twist = compact});
  problem_velocities(problem, in->free, (VelocityColumns){.twist = plain});
  for (int b = 0; b < problem->own_rows; b++) {
    const Twist apart = {vec3_sub(compact[b].v, plain[b].v), vec3_sub(compact[b].w, plain[b].w)};
    CHECK(twist_size(apart) <= 16 * DBL_EPSILON * added[b]);
  }
  point_operators_velocities(&o, in->free, u);
  for (int i = 0; i < problem->point_count; i++) {
    const SolverPoint point = problem_point(problem, pair_of_point[i], i), *p = &point;
    const vec3 v = problem_velocity(p, in->free);
    const Twist low = in->free.twist[p->low], high = in->free.twist[p->high];
    const double reach = vec3_norm(p->low_arm) + vec3_norm(p->high_arm);
    const double speed = twist_size(low) * (1 + reach) + twist_size(high) * (1 + reach);
    CHECK(vec3_norm(vec3_sub(v, u[i])) <= 16 * DBL_EPSILON * speed);
  }
}

static void begin(Scene *scene, bool whole)
{
  scene->whole = whole;
  bodies_begin(&scene->bodies);
  contacts_begin(&scene->contacts);
}

static void end(Scene *scene)
{
  bodies_end(&scene->bodies);
  contacts_end(&scene->contacts);
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  Arena arena = arena_new();
  IdPair pairs[PAIRS];
  int count = 0;
  for (int k = 0; k < PAIRS; k++) {
    const IdPair p = pair_of(k);
    if (!(is_fixed(p.low) && is_fixed(p.high))) pairs[count++] = p;
  }
  qsort(pairs, (size_t)count, sizeof *pairs, compare_pairs);
  int distinct = 0;
  for (int i = 0; i < count; i++)
    if (i == 0 || compare_pairs(&pairs[i], &pairs[distinct - 1]) != 0) pairs[distinct++] = pairs[i];

  static Scene scene, whole;
  begin(&scene, false);
  begin(&whole, true);
  const ShapeRecipe recipe = {.radius = 0.5};
  ShapeSet shapes = shape_set_new(&recipe, 1);
  SurfaceLaw laws[] = {
      {.friction = 0.5, .cohesion = 3e3, .tensile_strength = 2e3},      // material 0 on 0
      {.restitution = 0.5, .cohesion = 1e3, .tensile_strength = 9e2},   // 0 on 1
      {.friction = 0.9, .cohesion = 2e3, .tensile_strength = 1e3},      // 1 on 1
  };
  const SurfaceLaws surfaces = {.material_count = 2, .laws = laws};
  GraphCache cache = {0};
  Compared worst = {0};
  for (int step = 0; step < STEPS; step++) {
    arena_reset(&arena);
    make_bodies(&scene, step);
    make_contacts(&scene, pairs, distinct, step);
    const ProblemInput in = {.bodies = &scene.bodies,
                             .mid = scene.mid,
                             .contacts = &scene.contacts,
                             .ghost_ranks = scene.ghost_ranks,
                             .start = velocities_of_rigid(scene.start),
                             .free = velocities_of_rigid(scene.free),
                             .laws = &surfaces,
                             .shapes = &shapes,
                             .slop = 1e-2,
                             .step = 1e-2,
                             .impact_speed = 0.2};
    const int64_t made = cache.made;
    const Problem kept = problem_new(&in, &cache, &arena), fresh = problem_new(&in, NULL, &arena);
    const bool renewed = cache.made > made;
    // one rank has no owners to change
    CHECK(renewed == (changes_at(step) && !(step == 8 && par_size() == 1)));
    compare_fresh(&kept, &fresh);
    check_structure(&kept, &scene.bodies);
    compare_with_reference(&in, &kept, &worst, &arena);
    compare_with_whole(&kept, &in, &whole, pairs, distinct, step, &arena);
    compare_operators(&in, &kept, &arena);
  }
  CHECK_NEAR(worst.vectors, 0, 1e-11);   // tangents of a round S are free to rounding of S
  CHECK_NEAR(worst.delassus, 0, 1e-13);
  CHECK_NEAR(worst.rho, 0, 1e-14);
  int64_t kinds[3] = {worst.open, worst.waiting, worst.bouncing};
  par_sum_many(kinds, 3);
  CHECK(kinds[0] > 50 && kinds[1] > 50 && kinds[2] > 50);
  graph_cache_destroy(&cache);
  shape_set_destroy(&shapes);
  end(&scene);
  end(&whole);
  arena_destroy(&arena);
  const int code = test_report_parallel();
  par_end();
  return code;
}
