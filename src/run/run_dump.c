// Writes the contact problem of one step as an FCLIB file.
#include "run_dump.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fclib.h"
#include "gathered_rows.h"
#include "kind.h"
#include "memory.h"
#include "parallel.h"

enum { FREEDOM = 6, FREEDOM_ELASTIC = 3 + ELASTIC_UNKNOWNS };

// what rank 0 needs of a body
typedef struct {
  uint64_t id;
  MotionMass mass;
  Twist free;
  int unknowns, first;   // how many it has; the first of them among all
  double resist[ELASTIC_UNKNOWNS * ELASTIC_UNKNOWNS];   // of one that deforms, see ElasticRow
  double field[ELASTIC_UNKNOWNS];   // its free velocities beside that of its centre
} DumpBody;

static bool moves(const Problem *problem, int row) { return motion_moves(&problem->mid[row]); }

// velocity at a point of a body that is not among the unknowns
static vec3 given_velocity(const Problem *problem, Velocities free, MaterialPoint point)
{
  if (moves(problem, point.row)) return (vec3){0, 0, 0};
  return material_point_velocity(&point, free.twist[point.row]);
}

static DumpBody *gather_bodies(const Problem *problem, Velocities free, int *total, Arena *arena)
{
  DumpBody *bodies = arena_allocate(arena, ((size_t)problem->own_rows + 1) * sizeof *bodies);
  size_t count = 0;
  for (int b = 0; b < problem->own_rows; b++) {
    if (!moves(problem, b)) continue;
    DumpBody *body = &bodies[count++];
    memset(body, 0, sizeof *body);
    body->id = problem->bodies->id[b];
    body->mass = motion_mass(problem->bodies, b, &problem->mid[b]);
    body->free = free.twist[b];
    body->unknowns = FREEDOM;
    const ElasticRow *elastic = elastic_rows_find(problem->elastic, b);
    if (!elastic) continue;
    body->unknowns = FREEDOM_ELASTIC;
    memcpy(body->resist, elastic->resist, sizeof body->resist);
    elastic_numbers_of_field(elastic_field(free, b), body->field);
  }
  return gathered_bodies(bodies, count, sizeof *bodies, total, arena);
}

// What a point is judged by beside its bodies' unknowns: the velocity that bodies without freedom
// give, and the law's offset.
typedef struct {
  const Problem *problem;
  Velocities free;
} DumpTaker;

static bool take_point(const void *context, int k, int i, const SolverPoint *p, vec3 more[2])
{
  const DumpTaker *taker = context;
  (void)k;
  assert_debug(i >= 0 && i < taker->problem->point_count && "a point of the problem");
  (void)i;
  if (!(p->offset.x < INFINITY)) return false;
  const vec3 given = vec3_sub(given_velocity(taker->problem, taker->free, problem_low_point(p)),
                              given_velocity(taker->problem, taker->free, problem_high_point(p)));
  more[0] = vec3_add(mat3_mul(p->basis, given), p->offset);
  return true;
}

// Entries of a sparse matrix as they are found.
typedef struct {
  int count;
  int *row, *column;
  double *value;
} Entries;

static Entries entries_new(size_t room, Arena *arena)
{
  return (Entries){0, arena_allocate(arena, (room + 1) * sizeof(int)),
                   arena_allocate(arena, (room + 1) * sizeof(int)),
                   arena_allocate(arena, (room + 1) * sizeof(double))};
}

static void add_entry(Entries *e, int row, int column, double value)
{
  if (value == 0) return;
  e->row[e->count] = row;
  e->column[e->count] = column;
  e->value[e->count++] = value;
}

static void vec3_numbers(vec3 v, double numbers[3])
{
  numbers[0] = v.x;
  numbers[1] = v.y;
  numbers[2] = v.z;
}

// what resists the turning of a body, and the deformation of one that deforms
static void add_turning(Entries *m, const DumpBody *body, double *force)
{
  const int first = body->first + 3;
  if (body->unknowns == FREEDOM) {
    vec3_numbers(mat3_mul(body->mass.inertia, body->free.w), force);
    for (int i = 0; i < 3; i++) {
      double row[3];
      vec3_numbers(body->mass.inertia.row[i], row);
      for (int j = 0; j < 3; j++) add_entry(m, first + i, first + j, row[j]);
    }
    return;
  }
  for (int i = 0; i < ELASTIC_UNKNOWNS; i++) {
    const double *row = &body->resist[ELASTIC_UNKNOWNS * i];
    force[i] = 0;
    for (int j = 0; j < ELASTIC_UNKNOWNS; j++) {
      force[i] += row[j] * body->field[j];
      add_entry(m, first + i, first + j, row[j]);
    }
  }
}

// M and f = M v_free of all bodies
static void add_bodies(MatrixProblem *problem, DumpBody *bodies, int count, Arena *arena)
{
  int freedom = 0;
  for (int b = 0; b < count; b++) {
    bodies[b].first = freedom;
    freedom += bodies[b].unknowns;
  }
  Entries m = entries_new((size_t)freedom * FREEDOM_ELASTIC, arena);
  problem->freedom = freedom;
  problem->force = arena_allocate(arena, ((size_t)freedom + 1) * sizeof(double));
  for (int b = 0; b < count; b++) {
    const DumpBody *body = &bodies[b];
    double *force = &problem->force[body->first];
    vec3_numbers(vec3_scale(body->mass.mass, body->free.v), force);
    for (int i = 0; i < 3; i++) add_entry(&m, body->first + i, body->first + i, body->mass.mass);
    add_turning(&m, body, force + 3);
  }
  problem->m = sparse_matrix_new(problem->freedom, problem->freedom,
                                 (SparseEntries){m.count, m.row, m.column, m.value}, arena);
}

// columns of H for one body of a point: sign times axis and its dyad with the arm
static void add_columns(Entries *h, const GatheredPoint *p, int point, const DumpBody *body,
                        vec3 arm, double sign)
{
  for (int axis = 0; axis < 3; axis++) {
    double numbers[FREEDOM_ELASTIC];
    vec3_numbers(p->basis.row[axis], numbers);
    elastic_numbers_of_dyad(mat3_outer(p->basis.row[axis], arm), numbers + 3);
    for (int i = 0; i < body->unknowns; i++)
      add_entry(h, body->first + i, 3 * point + axis, sign * numbers[i]);
  }
}

static MatrixProblem assemble(DumpBody *bodies, int body_count, const GatheredPoint *points,
                              int point_count, Arena *arena)
{
  MatrixProblem problem = {.form = MATRIX_GLOBAL, .count = point_count};
  add_bodies(&problem, bodies, body_count, arena);
  problem.friction = arena_allocate(arena, ((size_t)point_count + 1) * sizeof(double));
  problem.free = arena_allocate(arena, (3 * (size_t)point_count + 1) * sizeof(double));
  Entries h = entries_new((size_t)point_count * 6 * FREEDOM_ELASTIC, arena);
  for (int i = 0; i < point_count; i++) {
    const GatheredPoint *p = &points[i];
    problem.friction[i] = p->friction;
    vec3_numbers(p->more[0], &problem.free[3 * i]);
    if (p->low_moves)
      add_columns(&h, p, i, &bodies[gathered_body(bodies, body_count, sizeof *bodies, p->ids.low)],
                  p->low_arm, 1);
    if (p->high_moves)
      add_columns(&h, p, i, &bodies[gathered_body(bodies, body_count, sizeof *bodies, p->ids.high)],
                  p->high_arm, -1);
  }
  problem.h = sparse_matrix_new(problem.freedom, 3 * point_count,
                                (SparseEntries){h.count, h.row, h.column, h.value}, arena);
  return problem;
}

int run_dump_problem(const World *world, const Problem *problem, Velocities free,
                     const Results *results)
{
  assert(problem->own_rows <= problem->row_count && world->step >= 0 && "own rows come first");
  assert((free.twist != NULL || problem->row_count == 0) && "bodies have free velocities");

  if (!all_ok(problem->finite == NULL,
              "--dump-problem: bodies of finite elements are not in the format"))
    return EXIT_USER;

  // the format knows cones alone
  int64_t bonds = 0;
  for (int i = 0; i < problem->point_count && problem->limits; i++) {
    const PointLimits *limits = &problem->limits[i];
    bonds += problem->owned[i] && (law_bounds(limits) || law_gives(limits));
  }
  bonds = par_sum(bonds);
  if (!all_ok(bonds == 0,
              "--dump-problem: step %" PRId64 " has %" PRId64
              " points of bonds, joints or springs, which the format does not know",
              world->step + 1, bonds))
    return EXIT_USER;
  if (!all_ok(!world->c->barrier.given,
              "--dump-problem: the scheme of barriers has no contact problem; leave out one of the "
              "two"))
    return EXIT_USER;
  int64_t guided = 0;
  for (int b = 0; b < problem->own_rows; b++) guided += kind_held(problem->bodies, b) != 0;
  guided = par_sum(guided);
  if (!all_ok(guided == 0,
              "--dump-problem: %" PRId64
              " bodies have a motion by component, for which the format has no mass",
              guided))
    return EXIT_USER;
  if (!results_in_place(results)) return EXIT_IO;

  Arena arena = arena_new();
  int body_count, point_count;
  DumpBody *bodies = gather_bodies(problem, free, &body_count, &arena);
  const DumpTaker taker = {problem, free};
  const GatheredPoint *points =
      gathered_points(problem, (PointTaker){take_point, &taker}, &point_count, &arena);
  DiskStatus status = {0};
  if (par_rank() == 0) {
    const MatrixProblem matrices = assemble(bodies, body_count, points, point_count, &arena);
    FclibTexts texts = {0};
    char *name = disk_numbered(RESULTS_PROBLEM, world->step + 1);
    snprintf(texts.title, sizeof texts.title, "%s", world->c->title ? world->c->title : "");
    snprintf(texts.description, sizeof texts.description, "step %" PRId64 ", %.9g s",
             world->step + 1, world->c->step);
    snprintf(texts.remarks, sizeof texts.remarks, "drystone %s", DRYSTONE_VERSION);
    fclib_write(results->path, name, &matrices, &texts, &status);
    memory_free(name);
  }
  arena_destroy(&arena);
  return all_ok(!status.failed, "%s", status.reason) ? EXIT_DONE : EXIT_IO;
}
