// Newton's directions of the embedding, and steps along them.
#include "limit_path.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "lorentz.h"

#define MOST_STEPS 100
#define OF_THE_WAY 0.99   // to where a cone ends
#define EMPTY 1e-8        // what a side that is shown to be empty leaves, likewise
#define SHORTEST 1e-6     // a step that is shorter leads nowhere

typedef struct {
  double *equilibrium;   // [rows] A x + t l - tau b
  vec3 *closing;         // [count] A' v + s - tau c
  double power, gap;     // l . v - tau d, c . x + d t - b . v + kappa
} PathErrors;

struct LimitPath {
  const LimitProgram *p;
  LimitMatrix *matrix;
  PathPoint at, along;
  PathErrors errors;
  LorentzScaling *scaling;   // [count]
  mat3 *weight;              // [count] S^-2
  double *solved_l;          // [rows] (A D A')^-1 l
  double l_solved_l;
  double *of_tau, t_of_tau;   // [rows] what v gains by tau, and t
  vec3 *x_of_tau;             // [count] and x
  double *rows;               // [rows] work
  vec3 *wanted;               // [count] q: S dx + S^-1 ds
  vec3 *mixed, *image;        // [count] work
  int steps;
};

static double dot(const double *a, const double *b, int count)
{
  double sum = 0;
  for (int i = 0; i < count; i++) sum += a[i] * b[i];
  return sum;
}

static double dot_points(const vec3 *a, const vec3 *b, int count)
{
  double sum = 0;
  for (int i = 0; i < count; i++) sum += vec3_dot(a[i], b[i]);
  return sum;
}

static double largest(const double *x, int count)
{
  double most = 0;
  for (int i = 0; i < count; i++) most = larger_of(most, fabs(x[i]));
  return most;
}

static double largest_point(const vec3 *x, int count)
{
  double most = 0;
  for (int i = 0; i < count; i++)
    most = larger_of(most, larger_of(fabs(x[i].x), larger_of(fabs(x[i].y), fabs(x[i].z))));
  return most;
}

static double objective(const LimitProgram *p, const PathPoint *at)
{
  return dot_points(p->c, at->x, p->count) + (p->l ? p->d * at->t : 0);
}

static void set_errors(LimitPath *path)
{
  const LimitProgram *p = path->p;
  const PathPoint *at = &path->at;
  PathErrors *errors = &path->errors;
  for (int i = 0; i < p->rows; i++)
    errors->equilibrium[i] = (p->l ? at->t * p->l[i] : 0) - at->tau * p->b[i];
  limit_matrix_add(path->matrix, at->x, errors->equilibrium);
  limit_matrix_transposed(path->matrix, at->v, errors->closing);
  for (int i = 0; i < p->count; i++)
    errors->closing[i] = vec3_axpy(-at->tau, p->c[i], vec3_add(errors->closing[i], at->s[i]));
  errors->power = p->l ? dot(p->l, at->v, p->rows) - at->tau * p->d : 0;
  errors->gap = objective(p, at) - dot(p->b, at->v, p->rows) + at->kappa;
}

// ------------------------------------------------------------------------------------------------
// Directions

// A D A' v + t l = right, l . v = power; right is spent
static void solve_bordered(LimitPath *path, double *right, double power, double *v, double *t)
{
  const LimitProgram *p = path->p;
  memcpy(v, right, (size_t)p->rows * sizeof *v);
  limit_matrix_solve(path->matrix, v);
  *t = 0;
  if (!p->l) return;
  *t = (dot(p->l, v, p->rows) - power) / path->l_solved_l;
  for (int i = 0; i < p->rows; i++) v[i] -= *t * path->solved_l[i];
}

// What the place on the path gives all directions. False: there are no factors.
static bool prepare(LimitPath *path)
{
  const LimitProgram *p = path->p;
  for (int i = 0; i < p->count; i++) {
    path->scaling[i] = lorentz_scaling(path->at.s[i], path->at.x[i]);
    path->weight[i] = mat3_mul_mat(path->scaling[i].inverse, path->scaling[i].inverse);
  }
  if (!limit_matrix_factor(path->matrix, path->weight)) return false;
  if (p->l) {
    memcpy(path->solved_l, p->l, (size_t)p->rows * sizeof *p->l);
    limit_matrix_solve(path->matrix, path->solved_l);
    path->l_solved_l = dot(p->l, path->solved_l, p->rows);
  }
  memcpy(path->rows, p->b, (size_t)p->rows * sizeof *p->b);
  for (int i = 0; i < p->count; i++) path->mixed[i] = mat3_mul(path->weight[i], p->c[i]);
  limit_matrix_add(path->matrix, path->mixed, path->rows);
  solve_bordered(path, path->rows, p->d, path->of_tau, &path->t_of_tau);
  limit_matrix_transposed(path->matrix, path->of_tau, path->image);
  for (int i = 0; i < p->count; i++)
    path->x_of_tau[i] = mat3_mul(path->weight[i], vec3_sub(path->image[i], p->c[i]));
  return true;
}

// The direction that takes away a share of the errors and goes for path->wanted and wanted_kappa.
static void direct(LimitPath *path, double share, double wanted_kappa)
{
  const LimitProgram *p = path->p;
  const PathPoint *at = &path->at;
  PathPoint *along = &path->along;
  // with tau as it is
  for (int i = 0; i < p->rows; i++) path->rows[i] = share * path->errors.equilibrium[i];
  for (int i = 0; i < p->count; i++) {
    const vec3 closing = mat3_mul(path->weight[i], path->errors.closing[i]);
    path->mixed[i] = vec3_axpy(share, closing, mat3_mul(path->scaling[i].inverse, path->wanted[i]));
  }
  limit_matrix_add(path->matrix, path->mixed, path->rows);
  for (int i = 0; i < p->rows; i++) path->rows[i] = -path->rows[i];
  solve_bordered(path, path->rows, -share * path->errors.power, along->v, &along->t);

  // what tau does: s by c - A' v, and x by S^-2 less of that
  const double slope = dot_points(p->c, path->x_of_tau, p->count) + p->d * path->t_of_tau -
                       dot(p->b, path->of_tau, p->rows) - at->kappa / at->tau;
  limit_matrix_transposed(path->matrix, along->v, path->image);
  for (int i = 0; i < p->count; i++)
    along->x[i] = vec3_add(path->mixed[i], mat3_mul(path->weight[i], path->image[i]));
  const double left =
      -share * path->errors.gap - wanted_kappa / at->tau -
      (dot_points(p->c, along->x, p->count) + p->d * along->t - dot(p->b, along->v, p->rows));
  along->tau = left / slope;
  along->kappa = (wanted_kappa - at->kappa * along->tau) / at->tau;
  along->t += along->tau * path->t_of_tau;
  for (int i = 0; i < p->rows; i++) along->v[i] += along->tau * path->of_tau[i];
  limit_matrix_transposed(path->matrix, along->v, path->image);
  for (int i = 0; i < p->count; i++) {
    const vec3 opening = vec3_axpy(share, path->errors.closing[i], path->image[i]);
    along->s[i] = vec3_axpy(along->tau, p->c[i], vec3_neg(opening));
    along->x[i] = vec3_sub(mat3_mul(path->scaling[i].inverse, path->wanted[i]),
                           mat3_mul(path->weight[i], along->s[i]));
  }
}

// how far a number may go along
static double reach_of(double at, double along) { return along < 0 ? -at / along : INFINITY; }

// The largest step that leaves all in their cones, at most 1 / OF_THE_WAY.
static double reach(const LimitPath *path)
{
  const PathPoint *at = &path->at, *along = &path->along;
  double most = 1 / OF_THE_WAY;
  most = smaller_of(most, reach_of(at->tau, along->tau));
  most = smaller_of(most, reach_of(at->kappa, along->kappa));
  for (int i = 0; i < path->p->count; i++) {
    const LorentzScaling *s = &path->scaling[i];
    most = smaller_of(most, lorentz_reach(s->lambda, mat3_mul(s->of, along->x[i])));
    most = smaller_of(most, lorentz_reach(s->lambda, mat3_mul(s->inverse, along->s[i])));
  }
  return most;
}

static void advance(LimitPath *path, double step)
{
  PathPoint *at = &path->at;
  const PathPoint *along = &path->along;
  at->t += step * along->t;
  at->tau += step * along->tau;
  at->kappa += step * along->kappa;
  for (int i = 0; i < path->p->rows; i++) at->v[i] += step * along->v[i];
  for (int i = 0; i < path->p->count; i++) {
    at->x[i] = vec3_axpy(step, along->x[i], at->x[i]);
    at->s[i] = vec3_axpy(step, along->s[i], at->s[i]);
  }
}

static double complementarity(const LimitPath *path)
{
  const PathPoint *at = &path->at;
  return (dot_points(at->x, at->s, path->p->count) + at->tau * at->kappa) / (path->p->count + 1);
}

// One step; false: no further one leads anywhere.
static bool step_on(LimitPath *path)
{
  const LimitProgram *p = path->p;
  PathPoint *at = &path->at;
  if (!prepare(path)) return false;
  const double mu = complementarity(path);

  // where the path would end
  for (int i = 0; i < p->count; i++) path->wanted[i] = vec3_neg(path->scaling[i].lambda);
  direct(path, 1, -at->tau * at->kappa);
  const double far = smaller_of(1, reach(path));
  const double centre = (1 - far) * (1 - far) * (1 - far);

  // with what curvature and centring add
  for (int i = 0; i < p->count; i++) {
    const LorentzScaling *s = &path->scaling[i];
    const vec3 bent =
        lorentz_product(mat3_mul(s->of, path->along.x[i]), mat3_mul(s->inverse, path->along.s[i]));
    vec3 wanted = vec3_neg(vec3_add(lorentz_product(s->lambda, s->lambda), bent));
    wanted.x += centre * mu;
    path->wanted[i] = lorentz_divide(s->lambda, wanted);
  }
  const double kappa = centre * mu - at->tau * at->kappa - path->along.tau * path->along.kappa;
  direct(path, 1 - centre, kappa);
  const double step = OF_THE_WAY * reach(path);
  if (!(step > SHORTEST)) return false;
  advance(path, step);
  return true;
}

// ------------------------------------------------------------------------------------------------
// The end

// What forces would do where c - A' v leaves the cones, in units of the objective.
static double charge(const LimitPath *path)
{
  const PathPoint *at = &path->at;
  double sum = 0;
  for (int i = 0; i < path->p->count; i++) {
    const double height = lorentz_height(vec3_sub(at->s[i], path->errors.closing[i]));
    if (height < 0) sum -= height * at->x[i].x;
  }
  return sum / (at->tau * at->tau);
}

// Whether both sides have met, or one is shown to be empty. Stalled: neither yet.
static LimitStatus judge(const LimitPath *path, LimitGoal goal)
{
  const LimitProgram *p = path->p;
  const PathPoint *at = &path->at;
  const PathErrors *errors = &path->errors;
  const double most_b = 1 + largest(p->b, p->rows), most_c = 1 + largest_point(p->c, p->count);
  const double equilibrium = largest(errors->equilibrium, p->rows);
  const double closing = larger_of(largest_point(errors->closing, p->count), fabs(errors->power));
  const double primal = objective(p, at), dual = dot(p->b, at->v, p->rows);
  const double gap =
      fabs(primal - dual) + at->tau * charge(path) + fabs(errors->power * dual) / at->tau;
  if (equilibrium <= goal.balance * most_b * at->tau &&
      gap <= goal.gap * larger_of(at->tau, fabs(dual)))
    return LIMIT_FOUND;
  // A' v + s = 0 and b . v > 0: no x; A x + t l = 0 and c . x + d t < 0: no bound
  if (at->tau > at->kappa) return LIMIT_STALLED;
  if (dual > 0 && closing + at->tau * most_c <= EMPTY * dual) return LIMIT_NONE;
  if (primal < 0 && equilibrium + at->tau * most_b <= -EMPTY * primal) return LIMIT_UNBOUNDED;
  return LIMIT_STALLED;
}

static PathPoint point_new(const LimitProgram *p, Arena *arena)
{
  const size_t points = (size_t)p->count + 1;
  PathPoint at = {.x = arena_allocate(arena, points * sizeof(vec3)),
                  .s = arena_allocate(arena, points * sizeof(vec3)),
                  .v = arena_allocate_zero(arena, (size_t)p->rows, sizeof(double)),
                  .tau = 1,
                  .kappa = 1};
  for (int i = 0; i < p->count; i++) at.x[i] = at.s[i] = (vec3){1, 0, 0};
  return at;
}

LimitPath *limit_path_new(const LimitProgram *program, LimitMatrix *matrix, Arena *arena)
{
  assert(program->rows > 0 && program->count >= 0 && "there is something to find");
  const size_t points = (size_t)program->count + 1, rows = (size_t)program->rows;
  LimitPath *path = arena_allocate_zero(arena, 1, sizeof *path);
  path->p = program;
  path->matrix = matrix;
  path->at = point_new(program, arena);
  path->along = point_new(program, arena);
  path->errors.equilibrium = arena_allocate(arena, rows * sizeof(double));
  path->errors.closing = arena_allocate(arena, points * sizeof(vec3));
  path->scaling = arena_allocate(arena, points * sizeof *path->scaling);
  path->weight = arena_allocate(arena, points * sizeof *path->weight);
  path->solved_l = arena_allocate(arena, rows * sizeof(double));
  path->of_tau = arena_allocate(arena, rows * sizeof(double));
  path->x_of_tau = arena_allocate(arena, points * sizeof(vec3));
  path->rows = arena_allocate(arena, rows * sizeof(double));
  path->wanted = arena_allocate(arena, points * sizeof(vec3));
  path->mixed = arena_allocate(arena, points * sizeof(vec3));
  path->image = arena_allocate(arena, points * sizeof(vec3));
  set_errors(path);
  return path;
}

LimitStatus limit_path_follow(LimitPath *path, LimitGoal goal)
{
  assert(goal.gap > 0 && goal.balance > 0 && "a goal can be reached");
  LimitStatus status = judge(path, goal);
  while (status == LIMIT_STALLED && path->steps < MOST_STEPS) {
    if (!step_on(path)) break;
    path->steps++;
    set_errors(path);
    status = judge(path, goal);
  }
  return status;
}

const PathPoint *limit_path_at(const LimitPath *path) { return &path->at; }

int limit_path_steps(const LimitPath *path) { return path->steps; }
