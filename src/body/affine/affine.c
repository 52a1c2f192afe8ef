// Affine bodies: reference data, energies, and one step of four nodes.
#include "affine.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "check.h"

enum { N = AFFINE_UNKNOWNS };

// ------------------------------------------------------------------------------------------------
// Small matrices.

static double trace(mat3 m) { return m.row[0].x + m.row[1].y + m.row[2].z; }

// lower triangular B with B B' = a
static mat3 cholesky3(mat3 a)
{
  const double xx = sqrt(a.row[0].x), yx = a.row[1].x / xx, zx = a.row[2].x / xx;
  const double yy = sqrt(a.row[1].y - yx * yx), zy = (a.row[2].y - zx * yx) / yy;
  const double zz = sqrt(a.row[2].z - zx * zx - zy * zy);
  assert(xx > 0 && yy > 0 && zz > 0 && "a body has extent along every axis");
  return (mat3){{{xx, 0, 0}, {yx, yy, 0}, {zx, zy, zz}}};
}

// Lower triangle of a symmetric matrix a = factor factor'; false where it is not definite.
static bool factorise(const double *a, double *factor)
{
  memset(factor, 0, N * N * sizeof *factor);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = a[N * i + j];
      for (int k = 0; k < j; k++) sum -= factor[N * i + k] * factor[N * j + k];
      if (j < i) factor[N * i + j] = sum / factor[N * j + j];
      else if (sum > 0) factor[N * i + i] = sqrt(sum);
      else return false;
    }
  }
  return true;
}

static void solve(const double *factor, double *x)
{
  assert_debug(factor[0] > 0 && "a matrix was factorised");
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < i; k++) x[i] -= factor[N * i + k] * x[k];
    x[i] /= factor[N * i + i];
  }
  for (int i = N - 1; i >= 0; i--) {
    for (int k = i + 1; k < N; k++) x[i] -= factor[N * k + i] * x[k];
    x[i] /= factor[N * i + i];
  }
}

static void to_numbers(const vec3 *values, double *x)
{
  for (int i = 0; i < AFFINE_NODES; i++) {
    x[3 * i] = values[i].x;
    x[3 * i + 1] = values[i].y;
    x[3 * i + 2] = values[i].z;
  }
}

static void to_vectors(const double *x, vec3 *values)
{
  for (int i = 0; i < AFFINE_NODES; i++) values[i] = vec3_new(x[3 * i], x[3 * i + 1], x[3 * i + 2]);
}

static vec3 mean(const vec3 *values)
{
  const vec3 sum = vec3_add(vec3_add(values[0], values[1]), vec3_add(values[2], values[3]));
  return vec3_scale(1.0 / AFFINE_NODES, sum);
}

// ------------------------------------------------------------------------------------------------
// Reference data.

double affine_stiffness_ratio(const ElasticLaw *law, double density, double size, double step)
{
  assert(density > 0 && size > 0 && step > 0 && "a body has mass and size, time goes on");
  const double way = step / size;
  return law->young / density * way * way;
}

// nodes and the slopes of their weights
static void place_nodes(Affine *a)
{
  const double s = 1 / sqrt(3.0);
  const vec3 corner[AFFINE_NODES] = {{s, s, s}, {s, -s, -s}, {-s, s, -s}, {-s, -s, s}};
  const mat3 back = mat3_inverse(a->shape);
  for (int i = 0; i < AFFINE_NODES; i++) {
    a->node[i] = mat3_mul(a->shape, corner[i]);
    a->slope[i] = vec3_scale(0.75, mat3_mul_transposed(back, corner[i]));
  }
}

// K0: the block of nodes i, j is V (lambda g_i g_j' + shear ((g_i.g_j) 1 + g_j g_i'))
static void assemble(Affine *a)
{
  for (int i = 0; i < AFFINE_NODES; i++)
    for (int j = 0; j < AFFINE_NODES; j++) {
      const vec3 p = a->slope[i], q = a->slope[j];
      const double both = a->shear * vec3_dot(p, q);
      const mat3 block = mat3_add(mat3_diagonal(both, both, both),
                                  mat3_add(mat3_scale(a->lambda, mat3_outer(p, q)),
                                           mat3_scale(a->shear, mat3_outer(q, p))));
      for (int r = 0; r < 3; r++) {
        double *row = &a->stiffness[N * (3 * i + r) + 3 * j];
        row[0] = a->volume * block.row[r].x;
        row[1] = a->volume * block.row[r].y;
        row[2] = a->volume * block.row[r].z;
      }
    }
}

// A0 with its factor and its inverse
static void invert(Affine *a)
{
  const double h = a->step, both = 1 + a->dissipation;
  const double share = 0.25 * h * h * both * both + 0.5 * a->damping * h;
  double operator[N * N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      operator[N * i + j] = share * a->stiffness[N * i + j] +(i == j ? a->mass / AFFINE_NODES : 0);
  const bool definite = factorise(operator, a->factor);
  assert(definite && "masses and stiffnesses are positive");
  for (int j = 0; j < N; j++) {
    double column[N] = {0};
    column[j] = 1;
    solve(a->factor, column);
    for (int i = 0; i < N; i++) a->inverse[N * i + j] = column[i];
  }
}

Affine affine_new(const AffineInput *input)
{
  assert(input->mass > 0 && input->volume > 0 && input->step > 0 && "a body that moves");
  const ElasticLaw *law = &input->law;
  assert(law->young > 0 && law->poisson > -1 && law->poisson < 0.5 && "a stable elastic law");
  const double s = input->high_frequency_ratio;
  assert(s >= 0 && s <= 1 && law->damping >= 0 && "nothing makes energy");
  Affine a = {.mass = input->mass,
              .volume = input->volume,
              .shear = law->young / (2 * (1 + law->poisson)),
              .lambda = law->young * law->poisson / ((1 + law->poisson) * (1 - 2 * law->poisson)),
              .damping = law->damping,
              .expansion = law->expansion,
              .dissipation = (1 - s) / (1 + s),
              .step = input->step};
  const double half = 0.5 * trace(input->inertia);
  a.euler = mat3_add(mat3_diagonal(half, half, half), mat3_scale(-1, input->inertia));
  a.shape = cholesky3(mat3_scale(3 / a.mass, a.euler));
  place_nodes(&a);
  assemble(&a);
  invert(&a);
  return a;
}

// ------------------------------------------------------------------------------------------------
// Fields and energies.

void affine_weights(const Affine *affine, vec3 place, double weights[AFFINE_NODES])
{
  for (int i = 0; i < AFFINE_NODES; i++) weights[i] = 0.25 + vec3_dot(affine->slope[i], place);
}

mat3 affine_gradient(const Affine *affine, const vec3 values[AFFINE_NODES])
{
  mat3 sum = mat3_outer(values[0], affine->slope[0]);
  for (int i = 1; i < AFFINE_NODES; i++)
    sum = mat3_add(sum, mat3_outer(values[i], affine->slope[i]));
  return sum;
}

sym3 affine_strain(mat3 g)
{
  return (sym3){.xx = g.row[0].x,
                .xy = 0.5 * (g.row[0].y + g.row[1].x),
                .xz = 0.5 * (g.row[0].z + g.row[2].x),
                .yy = g.row[1].y,
                .yz = 0.5 * (g.row[1].z + g.row[2].y),
                .zz = g.row[2].z};
}

sym3 affine_stress(const Affine *affine, mat3 gradient)
{
  const sym3 e = affine_strain(gradient);
  const double bulk = affine->lambda * trace(gradient), twice = 2 * affine->shear;
  return (sym3){.xx = bulk + twice * e.xx,
                .xy = twice * e.xy,
                .xz = twice * e.xz,
                .yy = bulk + twice * e.yy,
                .yz = twice * e.yz,
                .zz = bulk + twice * e.zz};
}

double affine_form(const Affine *affine, mat3 gradient)
{
  const sym3 e = affine_strain(gradient), s = affine_stress(affine, gradient);
  return affine->volume *
         (s.xx * e.xx + s.yy * e.yy + s.zz * e.zz + 2 * (s.xy * e.xy + s.xz * e.xz + s.yz * e.yz));
}

mat3 affine_thermal(const Affine *affine, double temperature)
{
  const double strain = affine->expansion * temperature;
  return mat3_diagonal(strain, strain, strain);
}

double affine_energy(const Affine *affine, mat3 gradient, double temperature)
{
  const mat3 thermal = affine_thermal(affine, temperature);
  return 0.5 * affine_form(affine, mat3_add(gradient, mat3_scale(-1, thermal)));
}

double affine_rate_energy(const Affine *affine, mat3 gradient_rate)
{
  double sum = 0;
  for (int i = 0; i < AFFINE_NODES; i++) {
    const vec3 rate = mat3_mul(gradient_rate, affine->node[i]);
    sum += vec3_dot(rate, rate);
  }
  return 0.5 * affine->mass / AFFINE_NODES * sum;
}

static mat3 deformation(mat3 gradient) { return mat3_add(mat3_diagonal(1, 1, 1), gradient); }

mat3 affine_inertia(const Affine *affine, mat3 gradient)
{
  const mat3 f = deformation(gradient);
  const mat3 e = mat3_mul_mat(f, mat3_mul_mat(affine->euler, mat3_transpose(f)));
  const double sum = trace(e);
  return mat3_add(mat3_diagonal(sum, sum, sum), mat3_scale(-1, e));
}

// ------------------------------------------------------------------------------------------------
// The operator.

// x: A0^-1 x, the mean apart, on which no stiffness acts: it keeps the momentum to rounding.
void affine_respond(const Affine *affine, vec3 values[AFFINE_NODES])
{
  const vec3 average = mean(values);
  for (int i = 0; i < AFFINE_NODES; i++) values[i] = vec3_sub(values[i], average);
  double x[N];
  to_numbers(values, x);
  solve(affine->factor, x);
  to_vectors(x, values);
  const vec3 velocity = vec3_sub(vec3_scale(AFFINE_NODES / affine->mass, average), mean(values));
  for (int i = 0; i < AFFINE_NODES; i++) values[i] = vec3_add(values[i], velocity);
}

mat3 affine_delassus(const Affine *affine, const double weights[AFFINE_NODES])
{
  double w[3][3] = {{0}};
  for (int i = 0; i < AFFINE_NODES; i++)
    for (int j = 0; j < AFFINE_NODES; j++)
      for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
          w[r][c] += weights[i] * weights[j] * affine->inverse[N * (3 * i + r) + 3 * j + c];
  return (mat3){
      {{w[0][0], w[0][1], w[0][2]}, {w[1][0], w[1][1], w[1][2]}, {w[2][0], w[2][1], w[2][2]}}};
}

bool affine_solve_with(const Affine *affine, const double *addition, vec3 values[AFFINE_NODES])
{
  const double h = affine->step, both = 1 + affine->dissipation;
  const double share = 0.25 * h * h * both * both + 0.5 * affine->damping * h;
  double sum[N * N], factor[N * N], x[N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum[N * i + j] = addition[N * i + j] + share * affine->stiffness[N * i + j] +
                       (i == j ? affine->mass / AFFINE_NODES : 0);
  if (!factorise(sum, factor)) return false;
  to_numbers(values, x);
  solve(factor, x);
  to_vectors(x, values);
  return true;
}

mat3 affine_resist(const Affine *affine, mat3 gradient, mat3 field)
{
  const double h = affine->step, both = 1 + affine->dissipation;
  const double share = 0.25 * h * h * both * both + 0.5 * affine->damping * h;
  const mat3 f = deformation(gradient), back = mat3_transpose(f), own = mat3_mul_mat(field, f);
  const mat3 stress = mat3_of_sym3(affine_stress(affine, own));
  const mat3 moved = mat3_mul_mat(own, affine->euler);
  return mat3_mul_mat(mat3_add(moved, mat3_scale(share * affine->volume, stress)), back);
}

mat3 affine_field(const Affine *affine, mat3 gradient, const vec3 velocities[AFFINE_NODES])
{
  return mat3_mul_mat(affine_gradient(affine, velocities), mat3_inverse(deformation(gradient)));
}

void affine_spread(const Affine *affine, mat3 gradient, vec3 v, mat3 field,
                   vec3 velocities[AFFINE_NODES])
{
  const mat3 of_reference = mat3_mul_mat(field, deformation(gradient));
  for (int i = 0; i < AFFINE_NODES; i++)
    velocities[i] = vec3_add(v, mat3_mul(of_reference, affine->node[i]));
}

// ------------------------------------------------------------------------------------------------
// The step.

// Velocities of the nodes of a body that moves as a rigid one, in its deformed places.
static void rigid_velocities(const Affine *affine, mat3 gradient, vec3 v, vec3 w,
                             vec3 velocities[AFFINE_NODES])
{
  const mat3 f = deformation(gradient);
  for (int i = 0; i < AFFINE_NODES; i++)
    velocities[i] = vec3_add(v, vec3_cross(w, mat3_mul(f, affine->node[i])));
}

void affine_start(const Affine *affine, const AffineMiddle *middle, vec3 start[AFFINE_NODES])
{
  rigid_velocities(affine, middle->gradient, middle->velocity, middle->spin, start);
  for (int i = 0; i < AFFINE_NODES; i++)
    start[i] = vec3_add(start[i], mat3_mul(middle->gradient_rate, affine->node[i]));
}

// f - K0 (d_mid - thermal + (b h + eta) d') - M (w x (w x y) + 2 w x d'), of a node
static vec3 force_on(const Affine *affine, const AffineMiddle *middle, mat3 stress, int i)
{
  const vec3 g = affine->slope[i], w = middle->spin;
  const double mass = affine->mass / AFFINE_NODES;
  const vec3 y = mat3_mul(deformation(middle->gradient), affine->node[i]);
  const vec3 rate = mat3_mul(middle->gradient_rate, affine->node[i]);
  const vec3 turning = vec3_cross(w, vec3_axpy(2, rate, vec3_cross(w, y)));
  vec3 force = vec3_axpy(1.0 / AFFINE_NODES, middle->force, mat3_mul(middle->dyad, g));
  force = vec3_axpy(mass, vec3_sub(middle->acceleration, turning), force);
  return vec3_axpy(-affine->volume, mat3_mul(stress, g), force);
}

void affine_free(const Affine *affine, const AffineMiddle *middle, vec3 end[AFFINE_NODES])
{
  const double h = affine->step;
  const mat3 lag = mat3_scale(affine->dissipation * h + affine->damping, middle->gradient_rate);
  const mat3 thermal = affine_thermal(affine, middle->temperature);
  const mat3 felt = mat3_add(mat3_add(middle->gradient, lag), mat3_scale(-1, thermal));
  const mat3 stress = mat3_of_sym3(affine_stress(affine, felt));
  vec3 change[AFFINE_NODES];
  for (int i = 0; i < AFFINE_NODES; i++)
    change[i] = vec3_scale(h, force_on(affine, middle, stress, i));
  affine_respond(affine, change);

  // a couple turns the body as a whole
  const mat3 inertia = affine_inertia(affine, middle->gradient);
  const vec3 turned = vec3_scale(h, mat3_mul(mat3_inverse(inertia), middle->couple));
  vec3 start[AFFINE_NODES], turn[AFFINE_NODES];
  affine_start(affine, middle, start);
  rigid_velocities(affine, middle->gradient, (vec3){0, 0, 0}, turned, turn);
  for (int i = 0; i < AFFINE_NODES; i++) end[i] = vec3_add(vec3_add(start[i], change[i]), turn[i]);
}

mat3 affine_rate(const Affine *affine, mat3 gradient, const vec3 velocities[AFFINE_NODES])
{
  const mat3 f = deformation(gradient);
  const vec3 v = mean(velocities);
  vec3 places[AFFINE_NODES], rest[AFFINE_NODES], momentum = {0, 0, 0};
  for (int i = 0; i < AFFINE_NODES; i++) {
    places[i] = mat3_mul(f, affine->node[i]);
    rest[i] = vec3_sub(velocities[i], v);
    momentum = vec3_add(momentum, vec3_cross(places[i], rest[i]));
  }
  momentum = vec3_scale(affine->mass / AFFINE_NODES, momentum);
  const vec3 w = mat3_mul(mat3_inverse(affine_inertia(affine, gradient)), momentum);
  for (int i = 0; i < AFFINE_NODES; i++) rest[i] = vec3_sub(rest[i], vec3_cross(w, places[i]));
  return affine_gradient(affine, rest);
}

// sum of products of all entries
static double contract(mat3 a, mat3 b)
{
  return vec3_dot(a.row[0], b.row[0]) + vec3_dot(a.row[1], b.row[1]) + vec3_dot(a.row[2], b.row[2]);
}

AffineWorks affine_works(const Affine *affine, const AffineMiddle *middle, mat3 end_rate,
                         const double temperature[3])
{
  const double h = affine->step, b = affine->dissipation;
  const mat3 start_rate = middle->gradient_rate, both = mat3_add(start_rate, end_rate);
  const double form = affine_form(affine, both);
  const double gained = affine_form(affine, end_rate) - affine_form(affine, start_rate);
  AffineWorks works = {.damping = -0.25 * h * affine->damping * form,
                       .scheme = -0.25 * h * h * b * (form + 0.5 * b * gained)};

  // d K thermal = V (3 lambda + 2 shear) strain tr(G)
  const double stiffness = affine->volume * (3 * affine->lambda + 2 * affine->shear);
  double a[3];
  for (int k = 0; k < 3; k++) a[k] = affine->expansion * temperature[k];
  const double middle_trace = trace(middle->gradient);
  const double first = middle_trace - 0.5 * h * trace(start_rate),
               last = middle_trace + 0.5 * h * trace(end_rate);
  const double heat =
      a[0] * first - a[2] * last + a[1] * (last - first) + 1.5 * (a[2] * a[2] - a[0] * a[0]);
  works.load = stiffness * heat + 0.5 * h * contract(middle->dyad, both);
  return works;
}
