// From loads and points to a cone program in scaled numbers, and back to bounds that hold.
#include "limit.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "limit_path.h"
#include "lorentz.h"

#define POLISHES 3           // of forces, so that they balance loads to rounding
#define BALANCED 1e-9        // of a mean load: good enough
#define BALANCE_FIRST 1e-5   // what the path goes to first, before forces are polished

typedef struct {
  const LimitProblem *problem;
  LimitUnits units;
  LimitMatrix *matrix;
  LimitProgram program;
  double *dead, *live;   // [6 * bodies]
} LimitTask;

static double *scaled_loads(const LimitTask *task, const LimitLoad *loads, Arena *arena)
{
  const LimitProblem *problem = task->problem;
  double *rows = arena_allocate(arena, 6 * (size_t)problem->body_count * sizeof *rows);
  for (int b = 0; b < problem->body_count; b++) {
    const vec3 force = vec3_scale(1 / task->units.force, loads[b].force);
    const vec3 moment = vec3_scale(1 / (task->units.force * problem->extent[b]), loads[b].moment);
    double *row = rows + 6 * (size_t)b;
    row[0] = force.x, row[1] = force.y, row[2] = force.z;
    row[3] = moment.x, row[4] = moment.y, row[5] = moment.z;
  }
  return rows;
}

// A force of a point in units, and back.
static vec3 force_of(const LimitTask *task, int i, vec3 x)
{
  const double tangent = task->units.force * task->units.tangent[i];
  return (vec3){task->units.force * task->units.normal[i] * x.x, tangent * x.y, tangent * x.z};
}

static LimitTask task_new(const LimitProblem *problem, Arena *arena)
{
  LimitTask task = {.problem = problem, .units = limit_units(problem, arena)};
  task.matrix = limit_matrix_new(problem, &task.units, arena);
  task.dead = scaled_loads(&task, problem->dead, arena);
  task.live = problem->live ? scaled_loads(&task, problem->live, arena) : NULL;
  const int rows = 6 * problem->body_count;
  double *b = arena_allocate(arena, (size_t)rows * sizeof *b);
  for (int i = 0; i < rows; i++) b[i] = -task.dead[i];
  vec3 *c = arena_allocate_zero(arena, (size_t)problem->point_count + 1, sizeof *c);
  for (int i = 0; i < problem->point_count && problem->wanted; i++) {
    const vec3 wanted = problem->wanted[i];
    c[i] = (vec3){-wanted.x * task.units.normal[i], -wanted.y * task.units.tangent[i],
                  -wanted.z * task.units.tangent[i]};
  }
  task.program = (LimitProgram){.rows = rows,
                                .count = problem->point_count,
                                .b = b,
                                .c = c,
                                .l = task.live,
                                .d = task.live ? -1 : 0};
  return task;
}

// What forces leave of loads, in units.
static double balance(const LimitTask *task, const PathPoint *path, double *left)
{
  const LimitProgram *p = &task->program;
  for (int i = 0; i < p->rows; i++) left[i] = (p->l ? path->t * p->l[i] : 0) - path->tau * p->b[i];
  limit_matrix_add(task->matrix, path->x, left);
  double most = 0;
  for (int i = 0; i < p->rows; i++) most = larger_of(most, fabs(left[i]));
  return most / path->tau;
}

// Forces changed by the loads that they leave, each by the room that it has in its cone.
static double polish(const LimitTask *task, PathPoint *path, Arena *arena)
{
  const LimitProgram *p = &task->program;
  double *left = arena_allocate(arena, (size_t)p->rows * sizeof *left);
  vec3 *change = arena_allocate(arena, ((size_t)p->count + 1) * sizeof *change);
  mat3 *room = arena_allocate(arena, ((size_t)p->count + 1) * sizeof *room);
  for (int i = 0; i < p->count; i++) {
    const LorentzScaling s = lorentz_scaling(path->s[i], path->x[i]);
    room[i] = mat3_mul_mat(s.inverse, s.inverse);
  }
  double found = balance(task, path, left);
  if (!limit_matrix_factor(task->matrix, room)) return found;
  for (int k = 0; k < POLISHES && found > 0; k++) {
    limit_matrix_solve(task->matrix, left);
    limit_matrix_transposed(task->matrix, left, change);
    bool inside = true;
    for (int i = 0; i < p->count; i++) {
      change[i] = vec3_sub(path->x[i], mat3_mul(room[i], change[i]));
      inside = inside && lorentz_height(change[i]) >= 0;
    }
    if (!inside) return found;
    vec3 *before = path->x;
    path->x = change;
    const double after = balance(task, path, left);
    if (!(after < found)) {
      path->x = before;
      return found;
    }
    change = before;
    found = after;
  }
  return found;
}

// The other way round than v: points open, and the live load does work.
static LimitMotion *motions_of(const LimitTask *task, const double *v, Arena *arena)
{
  const LimitProblem *problem = task->problem;
  LimitMotion *motions = arena_allocate(arena, (size_t)problem->body_count * sizeof *motions);
  for (int b = 0; b < problem->body_count; b++) {
    const double *row = v + 6 * (size_t)b, turn = -1 / problem->extent[b];
    motions[b] = (LimitMotion){.velocity = {-row[0], -row[1], -row[2]},
                               .spin = {turn * row[3], turn * row[4], turn * row[5]}};
  }
  return motions;
}

// Bounds of a path that has an end; forces and mechanism are divided by tau.
static void set_bounds(const LimitTask *task, PathPoint *path, LimitResult *result, Arena *arena)
{
  const LimitProgram *p = &task->program;
  const double unit = p->l ? 1 : task->units.force;
  double least = p->l ? p->d * path->t : 0, most = 0;
  for (int i = 0; i < p->count; i++) least += vec3_dot(p->c[i], path->x[i]);
  for (int i = 0; i < p->rows; i++) most += p->b[i] * path->v[i];
  // points that the mechanism closes: what the forces there would do is added to the bound
  double scale = 1;
  if (p->l) {
    double power = 0;
    for (int i = 0; i < p->rows; i++) power += p->l[i] * path->v[i];
    scale = p->d / power;   // l . v is d
  } else {
    scale = 1 / path->tau;
  }
  vec3 *opening = arena_allocate(arena, ((size_t)p->count + 1) * sizeof *opening);
  limit_matrix_transposed(task->matrix, path->v, opening);
  double charge = 0;
  for (int i = 0; i < p->count; i++) {
    const vec3 s = vec3_axpy(-scale, opening[i], p->c[i]);
    const double closes = -lorentz_height(s);
    if (closes > 0) charge += closes * path->x[i].x / path->tau;
  }
  result->low = -unit * least / path->tau;
  result->high = -unit * most * scale + unit * charge;
  result->opening = unit * charge;
  result->forces = arena_allocate(arena, ((size_t)p->count + 1) * sizeof(vec3));
  for (int i = 0; i < p->count; i++)
    result->forces[i] = force_of(task, i, vec3_scale(1 / path->tau, path->x[i]));
}

// Follows the path until forces that are polished are in balance.
static LimitStatus follow(const LimitTask *task, LimitPath *path, double tolerance,
                          LimitResult *result, PathPoint *at, Arena *arena)
{
  LimitGoal goal = {tolerance, BALANCE_FIRST};
  for (;;) {
    const LimitStatus status = limit_path_follow(path, goal);
    *at = *limit_path_at(path);
    if (status == LIMIT_NONE || status == LIMIT_UNBOUNDED) return status;
    result->balance = polish(task, at, arena);
    if (status == LIMIT_STALLED || result->balance <= BALANCED) return status;
    goal.balance /= 10;
    if (goal.balance < BALANCED / 100) return LIMIT_STALLED;
  }
}

LimitResult limit_solve(const LimitProblem *problem, double tolerance, Arena *arena)
{
  assert((problem->live != NULL) != (problem->wanted != NULL) && "one of two things is asked for");
  LimitTask task = task_new(problem, arena);
  LimitPath *path = limit_path_new(&task.program, task.matrix, arena);
  LimitResult result = {.numbers = limit_matrix_numbers(task.matrix)};
  PathPoint at;
  result.status = follow(&task, path, tolerance, &result, &at, arena);
  result.steps = limit_path_steps(path);
  if (result.status == LIMIT_FOUND || result.status == LIMIT_STALLED)
    set_bounds(&task, &at, &result, arena);
  if (result.status != LIMIT_UNBOUNDED) result.motions = motions_of(&task, at.v, arena);
  limit_matrix_destroy(task.matrix);
  return result;
}
