// Anderson's acceleration of ADMM with restarts and exact sums.
#include "anderson.h"

#include <assert.h>
#include <string.h>

#include "check.h"
#include "exact_sum.h"

#define GROWTH 4.0             // of |f|^2 over the smallest since the last restart: start again
#define REGULARISATION 1e-10   // of the trace

Anderson anderson_new(int point_count, const unsigned char *owned, const double *weight,
                      Arena *arena)
{
  assert(point_count >= 0 && weight != NULL && "points have weights");
  return (Anderson){
      .point_count = point_count,
      .owned = owned,
      .weight = weight,
      .g = arena_allocate(arena, ((size_t)point_count + 1) * sizeof(ConeState)),
  };
}

void anderson_restart(Anderson *a)
{
  a->count = a->next = 0;
  a->has_old = false;
  a->smallest = INFINITY;
  a->steady = 0;
  memset(a->gram, 0, sizeof a->gram);
}

void anderson_restart_in(Anderson *a, Arena *arena)
{
  assert(a->point_count >= 0 && "points are counted");
  const size_t points = (size_t)a->point_count + 1;
  for (int j = 0; j < ANDERSON_DEPTH; j++) {
    a->df[j] = arena_allocate(arena, points * sizeof *a->df[j]);
    a->dg[j] = arena_allocate(arena, points * sizeof *a->dg[j]);
  }
  a->f = arena_allocate(arena, points * sizeof *a->f);
  anderson_restart(a);
}

static ConeState widened(AndersonChange c) { return (ConeState){{c.x, c.y, c.z}, c.s}; }

// energies: z' z / Sig + Sig s' s
static double product(const Anderson *a, int i, ConeState p, ConeState q)
{
  assert_debug(a->weight[i] > 0 && "a point that takes part has a weight");
  const double weight = a->weight[i];
  return vec3_dot(p.z, q.z) / weight + weight * (p.s * q.s);
}

// |f|^2, products of the newest difference with all, and of all with f
static void add_products(const Anderson *a, int newest, double *square, double *row, double *right)
{
  assert(a->count <= ANDERSON_DEPTH && newest < ANDERSON_DEPTH && "differences are in their room");
  ExactSum sums[2 * ANDERSON_DEPTH + 1];
  const int count = 2 * a->count + 1;
  for (int k = 0; k < count; k++) sums[k] = exact_sum_new();
  for (int i = 0; i < a->point_count; i++) {
    if (a->weight[i] == 0 || (a->owned && !a->owned[i])) continue;
    const ConeState f = a->f[i];
    const ConeState last = a->count > 0 ? widened(a->df[newest][i]) : f;
    exact_sum_add(&sums[0], product(a, i, f, f));
    for (int j = 0; j < a->count; j++) {
      const ConeState d = widened(a->df[j][i]);
      exact_sum_add(&sums[1 + j], product(a, i, d, last));
      exact_sum_add(&sums[1 + a->count + j], product(a, i, d, f));
    }
  }
  exact_sum_reduce(sums, count);
  *square = exact_sum_value(&sums[0]);
  for (int j = 0; j < a->count; j++) {
    row[j] = exact_sum_value(&sums[1 + j]);
    right[j] = exact_sum_value(&sums[1 + a->count + j]);
  }
}

void anderson_combine(int n, double m[ANDERSON_DEPTH][ANDERSON_DEPTH], double *theta)
{
  assert(n > 0 && n <= ANDERSON_DEPTH && "there are differences to combine");
  double trace = 0;
  for (int i = 0; i < n; i++) trace += m[i][i];
  for (int i = 0; i < n; i++) m[i][i] += REGULARISATION * trace;
  for (int i = 0; i < n; i++) {
    for (int j = i + 1; j < n; j++) {
      const double factor = m[j][i] / m[i][i];
      for (int k = i; k < n; k++) m[j][k] -= factor * m[i][k];
      theta[j] -= factor * theta[i];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) theta[i] -= m[i][j] * theta[j];
    theta[i] /= m[i][i];
  }
}

// where the differences lie that this step has noted
static int remember(Anderson *a)
{
  assert(a->next >= 0 && a->next < ANDERSON_DEPTH && "the next difference has a place");
  const int newest = a->next;
  if (a->has_old) {
    a->next = (newest + 1) % ANDERSON_DEPTH;
    if (a->count < ANDERSON_DEPTH) a->count++;
  }
  a->has_old = true;
  return newest;
}

// x is g; the right side of the combination; false: there is nothing to combine
static bool look(Anderson *a, ConeState *x, double *theta)
{
  double square, row[ANDERSON_DEPTH];
  const int newest = remember(a);
  a->steady = 0;
  add_products(a, newest, &square, row, theta);
  memcpy(x, a->g, (size_t)a->point_count * sizeof *x);
  if (!(square <= GROWTH * a->smallest)) {
    // the last f and g stay for the next difference
    a->count = a->next = 0;
    a->smallest = square;
    return false;
  }
  if (square < a->smallest) a->smallest = square;
  for (int j = 0; j < a->count; j++) a->gram[newest][j] = a->gram[j][newest] = row[j];
  if (a->count == 0 || !(a->gram[newest][newest] > 0)) return false;
  a->steady = sqrt(square / a->gram[newest][newest]);
  return true;
}

void anderson_watch(Anderson *a, ConeState *x)
{
  assert(x != NULL && "states have a place");
  double theta[ANDERSON_DEPTH];
  look(a, x, theta);
}

void anderson_step(Anderson *a, ConeState *x)
{
  assert(x != NULL && "states have a place");
  double theta[ANDERSON_DEPTH];
  if (!look(a, x, theta)) return;
  double gram[ANDERSON_DEPTH][ANDERSON_DEPTH];
  memcpy(gram, a->gram, sizeof gram);
  anderson_combine(a->count, gram, theta);
  for (int i = 0; i < a->point_count; i++) {
    for (int j = 0; j < a->count; j++) {
      const ConeState d = widened(a->dg[j][i]);
      x[i].z = vec3_axpy(-theta[j], d.z, x[i].z);
      x[i].s -= theta[j] * d.s;
    }
    if (!(x[i].s > 0)) x[i].s = 0;
  }
}
