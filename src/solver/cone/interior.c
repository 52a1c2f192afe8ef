// Primal-dual steps for Signorini's and Coulomb's conditions as complementarity in second-order
// cones,
//   y = (mu r_N, r_T),   w = (V_N / mu + |V_T|, V_T),   y o w = 0,
// with the scaling of Nesterov and Todd, Mehrotra's prediction and correction (1992) and Gondzio's
// correctors (1996). De Saxce's term |V_T| is no constant: its derivative is in the matrix, which
// is not symmetric therefore. The path has folds where friction jams stones: steps end short there,
// and less of that derivative leads on, down to the symmetric matrix that knows no fold. Points
// have weights tau = rho v^2 on the path, v the least speed that counts at any, so that errors of
// light and heavy bodies shrink alike.
#include "interior.h"

#include <assert.h>
#include <string.h>

#include "check.h"
#include "exact_sum.h"
#include "lorentz.h"
#include "parallel.h"

#define START 100.0      // gap of the place on the path's level where a guess is put
#define BACK 0.95        // share of the way to the edge of a cone
#define SMALL 0.1        // step that counts as none
#define SMALL_MOST 6     // of them one after another: the path ends here
#define SMALL_AFTER 6    // steps; the first ones look for the path
#define NEAR_LEAST 0.5   // step that is worth a system where sweeps are near
#define SHORT 0.2        // step after which less of the derivative of De Saxce's term is taken
#define LESS 0.7
#define LONG 0.4   // step after which more of it is
#define MORE 1.2
#define MORE_LEAST 0.25   // what that leads to
#define CORRECTORS 10     // at most in a step: a solution costs little beside factors
#define CENTRAL 0.3   // eigenvalues of y o w that a corrector leaves: target times this, or over
#define WANTED_MORE 1.3   // and longer than now, what it asks for
#define WANTED_BEYOND 0.1
#define LONG_ENOUGH 0.9   // step that needs no corrector
#define GAIN_LEAST 1.01   // of a corrector that is taken
#define HELD_WEIGHT 1e4   // of points that are held, relative to rho

typedef enum { INTERIOR_ABSENT, INTERIOR_CONE, INTERIOR_LINE, INTERIOR_HELD } InteriorKind;

// A point on the path.
typedef struct {
  InteriorKind kind;
  bool owned;
  double tau;   // weight, J
  vec3 scale;   // r = scale y, (V_N / mu, V_T) = scale V
  double give[2];
  vec3 y, w, velocity;   // N s, m/s, V
  vec3 lack;             // w less that of V
  LorentzScaling scaling;
  mat3 squared;          // S S
  double slide[2];       // V_T / |V_T|, times the share that is taken
  mat3 weight, soften;   // B for U in the place of V; (1 + B give)^-1
  vec3 wish, asked;      // what y o w should gain, and what y does for it
  vec3 dr, dy, dw;
} InteriorPoint;

typedef struct {
  const ConeProblem *problem;
  const InteriorOperators *operators;
  int count;
  int64_t cones;           // points that count, on all ranks
  InteriorPoint *points;   // [count]
  mat3 *weights;           // [count]
  vec3 *r, *u, *c, *du;    // [count]
  double bend;             // share of the derivative of De Saxce's term that is taken
  Arena *arena;
} Interior;

static vec3 times(vec3 a, vec3 b) { return (vec3){a.x * b.x, a.y * b.y, a.z * b.z}; }

static bool in_cone(const InteriorPoint *p)
{
  return p->kind == INTERIOR_CONE || p->kind == INTERIOR_LINE;
}

static bool is_held(const PointLimits *limits)
{
  return fmin(fmin(limits->tension, limits->push), limits->shear) == INFINITY && !law_gives(limits);
}

bool interior_knows(const ConeProblem *problem)
{
  assert(problem != NULL && "a problem is given");
  bool known = true;
  if (problem->limits)
    for (int i = 0; i < problem->point_count; i++)
      known &= !law_bounds(&problem->limits[i]) || is_held(&problem->limits[i]);
  return par_all(known);
}

// -- one point ------------------------------------------------------------------------------------

static InteriorPoint new_point(const ConeProblem *problem, int i, double speed)
{
  InteriorPoint p = {.kind = INTERIOR_CONE, .owned = !problem->owned || problem->owned[i]};
  const double rho = cone_rho(problem, i), mu = problem->friction[i];
  if (rho == 0) p.kind = INTERIOR_ABSENT;
  else if (problem->limits && is_held(&problem->limits[i])) p.kind = INTERIOR_HELD;
  else if (mu == 0) p.kind = INTERIOR_LINE;
  if (p.kind == INTERIOR_ABSENT) return p;
  p.scale = mu > 0 ? (vec3){1 / mu, 1, 1} : (vec3){1, 0, 0};
  p.tau = rho * speed * speed;
  if (problem->limits && p.kind != INTERIOR_HELD)
    memcpy(p.give, problem->limits[i].give, sizeof p.give);
  return p;
}

// (V_N / mu + |V_T|, V_T)
static vec3 dual_of(const InteriorPoint *p)
{
  vec3 w = times(p->scale, p->velocity);
  w.x += sqrt(w.y * w.y + w.z * w.z);
  return w;
}

// Where y - w of a point stands, with the weights of rho, in J^1/2.
static vec3 balance_of(const ConeProblem *problem, int i, const InteriorPoint *p, vec3 r)
{
  const double root = sqrt(problem->rho[i]), mu = problem->friction[i];
  const vec3 y = p->kind == INTERIOR_CONE ? (vec3){mu * r.x, r.y, r.z} : (vec3){r.x, 0, 0};
  return vec3_sub(vec3_scale(1 / root, y), vec3_scale(root, dual_of(p)));
}

// Puts a guess inside its cones: y - w stays as it is, and y o w becomes that of the path.
static void start_point(const ConeProblem *problem, int i, InteriorPoint *p, vec3 r)
{
  if (!in_cone(p)) return;
  const double root = sqrt(problem->rho[i]);
  const LorentzPair at = lorentz_split(balance_of(problem, i, p, r), START * p->tau);
  p->y = vec3_scale(root, at.y);
  p->w = vec3_scale(1 / root, at.w);
}

// dV = dU + give dr
static vec3 with_give(const InteriorPoint *p, vec3 du, vec3 dr)
{
  return (vec3){du.x + p->give[0] * dr.x, du.y + p->give[1] * dr.y, du.z + p->give[1] * dr.z};
}

// G x, the derivative of w by (V_N / mu, V_T), or the share of it that is taken
static vec3 slide_on(const InteriorPoint *p, vec3 x)
{
  x.x += p->slide[0] * x.y + p->slide[1] * x.z;
  return x;
}

// Scaling and weight of a point on the path; bend: see Interior.
static void scale_point(InteriorPoint *p, double bend)
{
  p->scaling = lorentz_scaling(p->y, p->w);
  p->squared = mat3_mul_mat(p->scaling.of, p->scaling.of);
  const vec3 v = times(p->scale, p->velocity);
  const double size = sqrt(v.y * v.y + v.z * v.z);
  p->slide[0] = size > 0 ? bend * v.y / size : 0;
  p->slide[1] = size > 0 ? bend * v.z / size : 0;
  // B = D S S G D
  const vec3 d = p->scale;
  mat3 b = p->squared;
  for (int k = 0; k < 3; k++) {
    vec3 *row = &b.row[k];
    row->y += row->x * p->slide[0];
    row->z += row->x * p->slide[1];
    *row = vec3_scale(k == 0 ? d.x : k == 1 ? d.y : d.z, times(*row, d));
  }
  p->soften = mat3_diagonal(1, 1, 1);
  if (p->give[0] != 0 || p->give[1] != 0) {
    const vec3 give = {p->give[0], p->give[1], p->give[1]};
    mat3 sum = p->soften;
    for (int k = 0; k < 3; k++) sum.row[k] = vec3_add(sum.row[k], times(b.row[k], give));
    p->soften = mat3_inverse(sum);
    b = mat3_mul_mat(p->soften, b);
  }
  p->weight = b;
}

// -- all points -----------------------------------------------------------------------------------

// The velocities of r.
static void set_velocities(Interior *s)
{
  s->problem->velocity(s->problem->context, s->r, s->u);
  for (int i = 0; i < s->count; i++)
    s->points[i].velocity = cone_velocity(s->problem, i, s->u[i], s->r[i]);
}

static Interior interior_new(const ConeProblem *problem, const InteriorOperators *operators,
                             vec3 *r, Arena *arena)
{
  const size_t count = (size_t)problem->point_count + 1;
  Interior s = {.problem = problem,
                .operators = operators,
                .count = problem->point_count,
                .points = arena_allocate(arena, count * sizeof *s.points),
                .weights = arena_allocate(arena, count * sizeof *s.weights),
                .r = r,
                .u = arena_allocate(arena, count * sizeof *s.u),
                .c = arena_allocate(arena, count * sizeof *s.c),
                .du = arena_allocate(arena, count * sizeof *s.du),
                .bend = 1,
                .arena = arena};
  double speed = INFINITY;
  for (int i = 0; i < s.count; i++)
    if (cone_rho(problem, i) > 0) speed = fmin(speed, problem->size[i] / problem->rho[i]);
  speed = par_min(speed);
  for (int i = 0; i < s.count; i++) s.points[i] = new_point(problem, i, speed);
  set_velocities(&s);
  for (int i = 0; i < s.count; i++) {
    InteriorPoint *p = &s.points[i];
    start_point(problem, i, p, r[i]);
    s.cones += in_cone(p) && p->owned;
    if (in_cone(p)) r[i] = times(p->scale, p->y);
    else if (p->kind == INTERIOR_ABSENT) r[i] = (vec3){0, 0, 0};
  }
  s.cones = par_sum(s.cones);
  return s;
}

// Mean of y.w / tau after a share of the step.
static double mean_gap(const Interior *s, double share)
{
  ExactSum sum = exact_sum_new();
  for (int i = 0; i < s->count; i++) {
    const InteriorPoint *p = &s->points[i];
    if (!p->owned || !in_cone(p)) continue;
    const vec3 y = share == 0 ? p->y : vec3_axpy(share, p->dy, p->y);
    const vec3 w = share == 0 ? p->w : vec3_axpy(share, p->dw, p->w);
    exact_sum_add(&sum, vec3_dot(y, w) / p->tau);
  }
  exact_sum_reduce(&sum, 1);
  return exact_sum_value(&sum) / (double)s->cones;
}

// How far the step stays inside all cones.
static double reach(const Interior *s)
{
  double least = INFINITY;
  for (int i = 0; i < s->count; i++) {
    const InteriorPoint *p = &s->points[i];
    if (!in_cone(p)) continue;
    least = fmin(least, fmin(lorentz_reach(p->y, p->dy), lorentz_reach(p->w, p->dw)));
  }
  return par_min(least);
}

// Where all velocities part, w is what they say; otherwise it approaches that.
static void set_lacks(Interior *s)
{
  bool parting = true;
  for (int i = 0; i < s->count; i++) {
    const InteriorPoint *p = &s->points[i];
    if (in_cone(p)) parting &= lorentz_height(dual_of(p)) > 0;
  }
  parting = par_all(parting);
  for (int i = 0; i < s->count; i++) {
    InteriorPoint *p = &s->points[i];
    if (!in_cone(p)) continue;
    if (parting) p->w = dual_of(p);
    p->lack = vec3_sub(p->w, dual_of(p));
  }
}

// Collective. The system at the present place.
static bool prepare(Interior *s)
{
  set_lacks(s);
  bool inside = true;
  for (int i = 0; i < s->count; i++) {
    InteriorPoint *p = &s->points[i];
    s->weights[i] = mat3_diagonal(0, 0, 0);
    if (p->kind == INTERIOR_HELD) {
      const double weight = HELD_WEIGHT * s->problem->rho[i];
      s->weights[i] = mat3_diagonal(weight, weight, weight);
    }
    if (!in_cone(p)) continue;
    inside &= lorentz_det(p->y) > 0 && lorentz_det(p->w) > 0;
    if (!inside) continue;
    scale_point(p, s->bend);
    s->weights[i] = p->weight;
  }
  if (!par_all(inside)) return false;
  return s->operators->prepare(s->operators->context, s->weights);
}

// Collective. The step that gives each point its wish, in dr, dy and dw.
static void find_step(Interior *s)
{
  for (int i = 0; i < s->count; i++) {
    InteriorPoint *p = &s->points[i];
    s->c[i] = (vec3){0, 0, 0};
    if (p->kind == INTERIOR_HELD) s->c[i] = vec3_scale(-s->weights[i].row[0].x, p->velocity);
    if (!in_cone(p)) continue;
    p->asked = mat3_mul(p->scaling.of, lorentz_divide(p->scaling.lambda, p->wish));
    const vec3 y = vec3_add(p->asked, mat3_mul(p->squared, p->lack));
    s->c[i] = mat3_mul(p->soften, times(p->scale, y));
  }
  s->operators->respond(s->operators->context, s->c, s->du);
  for (int i = 0; i < s->count; i++) {
    InteriorPoint *p = &s->points[i];
    p->dr = vec3_sub(s->c[i], mat3_mul(s->weights[i], s->du[i]));
    if (!in_cone(p)) continue;
    const vec3 dv = with_give(p, s->du[i], p->dr);
    p->dw = vec3_sub(slide_on(p, times(p->scale, dv)), p->lack);
    p->dy = vec3_sub(p->asked, mat3_mul(p->squared, p->dw));
  }
}

// (S^-1 y) o (S w)
static vec3 scaled_product(const InteriorPoint *p, vec3 y, vec3 w)
{
  return lorentz_product(mat3_mul(p->scaling.inverse, y), mat3_mul(p->scaling.of, w));
}

// The wish for a plain step to the edge.
static void wish_for_all(Interior *s)
{
  for (int i = 0; i < s->count; i++) {
    InteriorPoint *p = &s->points[i];
    if (!in_cone(p)) continue;
    p->wish = vec3_scale(-1, lorentz_product(p->scaling.lambda, p->scaling.lambda));
  }
}

// The wish to come to the path, where the edge is a share away.
static void wish_for_path(Interior *s, double target, double share)
{
  for (int i = 0; i < s->count; i++) {
    InteriorPoint *p = &s->points[i];
    if (!in_cone(p)) continue;
    const vec3 bent = vec3_scale(share * share, scaled_product(p, p->dy, p->dw));
    p->wish = vec3_sub(p->wish, bent);
    p->wish.x += target * p->tau;
  }
}

// Gondzio's wish: a longer step that stays near the path.
static void wish_for_more(Interior *s, double target, double share)
{
  for (int i = 0; i < s->count; i++) {
    InteriorPoint *p = &s->points[i];
    if (!in_cone(p)) continue;
    const double aim = target * p->tau;
    const vec3 at = scaled_product(p, vec3_axpy(share, p->dy, p->y), vec3_axpy(share, p->dw, p->w));
    p->wish = vec3_add(p->wish, lorentz_correction(at, CENTRAL * aim, aim / CENTRAL));
  }
}

// A step and what asked for it.
typedef struct {
  vec3 wish, dr, dy, dw;
} InteriorStep;

static void keep_steps(const Interior *s, InteriorStep *kept)
{
  for (int i = 0; i < s->count; i++) {
    const InteriorPoint *p = &s->points[i];
    kept[i] = (InteriorStep){p->wish, p->dr, p->dy, p->dw};
  }
}

static void restore_steps(Interior *s, const InteriorStep *kept)
{
  for (int i = 0; i < s->count; i++) {
    InteriorPoint *p = &s->points[i];
    p->wish = kept[i].wish;
    p->dr = kept[i].dr;
    p->dy = kept[i].dy;
    p->dw = kept[i].dw;
  }
}

// Collective. Correctors while they lengthen the step; returns how far it reaches.
static double correct(Interior *s, double target)
{
  const ArenaMark mark = arena_mark(s->arena);
  InteriorStep *kept = arena_allocate(s->arena, ((size_t)s->count + 1) * sizeof *kept);
  double far = reach(s);
  for (int k = 0; k < CORRECTORS && far < LONG_ENOUGH; k++) {
    keep_steps(s, kept);
    wish_for_more(s, target, fmin(1, WANTED_MORE * far + WANTED_BEYOND));
    find_step(s);
    const double now = reach(s);
    if (!(now > GAIN_LEAST * far)) {
      restore_steps(s, kept);
      break;
    }
    far = now;
  }
  arena_release(s->arena, mark);
  return far;
}

// Collective. One step; returns how much of it was taken, 0 where the system has no factors.
static double advance(Interior *s, double gap)
{
  if (!prepare(s)) return 0;
  wish_for_all(s);
  find_step(s);
  const double edge = fmin(1, reach(s));
  const double left = fmin(fmax(mean_gap(s, edge), 0) / gap, 1);
  const double target = left * left * left * gap;
  wish_for_path(s, target, edge);
  find_step(s);
  const double taken = fmin(1, BACK * correct(s, target));
  if (!(taken > 0)) return 0;
  for (int i = 0; i < s->count; i++) {
    InteriorPoint *p = &s->points[i];
    if (p->kind == INTERIOR_HELD) s->r[i] = vec3_axpy(taken, p->dr, s->r[i]);
    if (!in_cone(p)) continue;
    p->y = vec3_axpy(taken, p->dy, p->y);
    p->w = vec3_axpy(taken, p->dw, p->w);
    s->r[i] = times(p->scale, p->y);
  }
  set_velocities(s);
  return taken;
}

// How much of the derivative the next step takes.
static double next_bend(double bend, double taken)
{
  if (taken < SHORT) return LESS * bend;
  return taken > LONG ? fmin(1, fmax(MORE * bend, MORE_LEAST)) : bend;
}

InteriorEnd interior_solve(const ConeProblem *problem, const InteriorOperators *operators, vec3 *r,
                           InteriorGoal goal, Arena *arena)
{
  assert(goal.gap > 0 && goal.steps > 0 && "there is something to aim at");
  const ArenaMark mark = arena_mark(arena);
  Interior s = interior_new(problem, operators, r, arena);
  set_velocities(&s);
  InteriorEnd end = {0, INFINITY, false};
  int small = 0;
  while (s.cones > 0 && end.steps < goal.steps) {
    end.gap = mean_gap(&s, 0);
    if (!(end.gap > goal.gap && end.gap < INFINITY)) break;
    const double taken = advance(&s, end.gap);
    end.steps++;
    s.bend = next_bend(s.bend, taken);
    small = taken < SMALL ? small + 1 : 0;
    if (taken == 0 || (small >= SMALL_MOST && end.steps >= SMALL_AFTER)) break;
    end.near = end.gap < goal.near && taken < NEAR_LEAST;
    if (end.near) break;
  }
  arena_release(arena, mark);
  return end;
}
