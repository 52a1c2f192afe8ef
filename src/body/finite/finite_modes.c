// Frequencies: a space of a few fields is multiplied by (K0 + shift M)^-1 M until the lowest ones
// are in it.
#include "finite_modes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "memory.h"
#include "order.h"

enum { RIGID = 6, GUARDS = 6, MOST = FINITE_MODES + RIGID + GUARDS, STEPS = 500 };

typedef struct {
  const FiniteStiffness *stiffness;
  const double *mass;
  int nodes, fields;
  vec3 *field[MOST];   // [nodes] each
  vec3 *force;         // [nodes] scratch
} Space;

// Eigenvalues of a symmetric matrix on its diagonal, eigenvectors in the columns of turn: Jacobi's
// method, cyclic.
static void diagonalise(int n, double a[MOST][MOST], double turn[MOST][MOST])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) turn[i][j] = i == j;
  for (int sweep = 0; sweep < 30; sweep++) {
    double off = 0, on = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) *(i == j ? &on : &off) += a[i][j] * a[i][j];
    if (off <= 1e-32 * on) break;
    for (int p = 0; p < n; p++) {
      for (int q = p + 1; q < n; q++) {
        if (a[p][q] == 0) continue;
        const double tau = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (tau >= 0 ? 1 : -1) / (fabs(tau) + sqrt(1 + tau * tau));
        const double c = 1 / sqrt(1 + t * t), s = t * c;
        for (int k = 0; k < n; k++) {
          const double x = a[k][p], y = a[k][q], u = turn[k][p], v = turn[k][q];
          a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
          turn[k][p] = c * u - s * v, turn[k][q] = s * u + c * v;
        }
        for (int k = 0; k < n; k++) {
          const double x = a[p][k], y = a[q][k];
          a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
        }
      }
    }
  }
}

static double product(const Space *space, const vec3 *a, const vec3 *b)
{
  double sum = 0;
  for (int n = 0; n < space->nodes; n++) sum += space->mass[n] * vec3_dot(a[n], b[n]);
  return sum;
}

// Makes fields orthonormal by mass, twice against rounding (Gram and Schmidt). False where fewer
// are independent.
static bool make_orthonormal(Space *space)
{
  for (int i = 0; i < space->fields; i++) {
    vec3 *of = space->field[i];
    for (int pass = 0; pass < 2; pass++) {
      const double before = product(space, of, of);
      for (int j = 0; j < i; j++) {
        const double share = product(space, of, space->field[j]);
        for (int n = 0; n < space->nodes; n++) of[n] = vec3_axpy(-share, space->field[j][n], of[n]);
      }
      const double size = sqrt(product(space, of, of));
      if (!(size > 1e-12 * sqrt(before))) return false;
      for (int n = 0; n < space->nodes; n++) of[n] = vec3_scale(1 / size, of[n]);
    }
  }
  return true;
}

// Turns orthonormal fields to those that the stiffness keeps apart; their squared frequencies.
static void turn_fields(Space *space, double *square)
{
  double a[MOST][MOST], turn[MOST][MOST];
  const int n = space->fields;
  for (int i = 0; i < n; i++) {
    finite_stiffness_force(space->stiffness, space->field[i], space->force);
    for (int j = 0; j < n; j++) {
      a[i][j] = 0;
      for (int k = 0; k < space->nodes; k++)
        a[i][j] += vec3_dot(space->field[j][k], space->force[k]);
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) a[i][j] = a[j][i] = (a[i][j] + a[j][i]) / 2;
  diagonalise(n, a, turn);
  for (int i = 0; i < n; i++) square[i] = a[i][i];
  qsort(square, (size_t)n, sizeof *square, order_f64s);
  for (int k = 0; k < space->nodes; k++) {
    vec3 old[MOST];
    for (int i = 0; i < n; i++) old[i] = space->field[i][k];
    for (int i = 0; i < n; i++) {
      vec3 sum = {0, 0, 0};
      for (int j = 0; j < n; j++) sum = vec3_axpy(turn[j][i], old[j], sum);
      space->field[i][k] = sum;
    }
  }
}

// Numbers between -1 and 1 that depend on the place in the list alone.
static double scattered(uint64_t n)
{
  n = (n + 1) * 0x9e3779b97f4a7c15u;
  n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9u;
  n = (n ^ n >> 27) * 0x94d049bb133111ebu;
  return ldexp((double)(int64_t)(n ^ n >> 31), -63);
}

// A hundred millionth of the highest square: about the lowest, and far above rounding.
static double shift_of(const Space *space)
{
  double highest = 0;
  for (int n = 0; n < space->nodes; n++) {
    for (int k = space->stiffness->start[n]; k < space->stiffness->start[n + 1]; k++) {
      const double *block = &space->stiffness->value[(size_t)FINITE_BLOCK * (size_t)k];
      if (space->stiffness->column[k] == n)
        highest = larger_of(highest, (block[0] + block[4] + block[8]) / space->mass[n]);
    }
  }
  return 1e-8 * highest;
}

static bool iterate(Space *space, FiniteFactor *factor, int rigid, int count, double *square)
{
  double last[MOST] = {0};
  for (int step = 0; step < STEPS; step++) {
    for (int i = 0; i < space->fields; i++) {
      for (int n = 0; n < space->nodes; n++)
        space->field[i][n] = vec3_scale(space->mass[n], space->field[i][n]);
      finite_factor_solve(factor, space->field[i]);
    }
    if (!make_orthonormal(space)) return false;
    turn_fields(space, square);
    bool found = step > 0;
    for (int i = rigid; i < rigid + count; i++)
      found = found && fabs(square[i] - last[i]) <= 1e-10 * square[i];
    if (found) return true;
    memcpy(last, square, sizeof last);
  }
  return false;
}

bool finite_modes(const FiniteStiffness *stiffness, const double *mass, const bool *held, int count,
                  double *frequency)
{
  assert(count > 0 && count <= FINITE_MODES && "a few frequencies");
  const int rigid = held ? 0 : RIGID;
  int unknowns = 3 * stiffness->nodes;
  for (int n = 0; held && n < stiffness->nodes; n++) unknowns -= held[n] ? 3 : 0;
  if (unknowns < rigid + count) return false;
  const int fields = rigid + count + GUARDS;
  Space space = {.stiffness = stiffness,
                 .mass = mass,
                 .nodes = stiffness->nodes,
                 .fields = fields < unknowns ? fields : unknowns};
  const double shift = shift_of(&space);
  FiniteFactor *factor = finite_factor_new(stiffness, 1 / shift, mass, held);
  if (!factor) return false;
  const size_t bytes = (size_t)space.nodes * sizeof(vec3);
  space.force = memory_allocate(bytes);
  for (int i = 0; i < space.fields; i++) {
    space.field[i] = memory_allocate(bytes);
    for (int n = 0; n < space.nodes; n++) {
      const uint64_t first = 3 * ((uint64_t)i * (uint64_t)space.nodes + (uint64_t)n);
      const bool moves = !held || !held[n];
      space.field[i][n] = moves
                              ? (vec3){scattered(first), scattered(first + 1), scattered(first + 2)}
                              : (vec3){0, 0, 0};
    }
  }
  double square[MOST] = {0};
  const bool found = iterate(&space, factor, rigid, count, square);
  for (int i = 0; found && i < count; i++) frequency[i] = sqrt(larger_of(square[rigid + i], 0));
  for (int i = 0; i < space.fields; i++) memory_free(space.field[i]);
  memory_free(space.force);
  finite_factor_destroy(factor);
  return found;
}
