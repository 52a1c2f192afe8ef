// Vectors of rows that deform.
#include "system_vector.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "exact_sum.h"
#include "parallel.h"

enum { U = ELASTIC_ROW_UNKNOWNS };

SystemVector system_vector_new(const SystemSpace *s, bool ghosts)
{
  assert_debug(s->rows->own <= s->rows->count && "own rows come first");
  const int rows = ghosts ? s->rows->count : s->rows->own;
  SystemVector made = {arena_allocate_zero(s->arena, (size_t)rows * U + 1, sizeof(double)), NULL};
  if (s->finite) made.nodes = finite_system_vector(s->finite, ghosts);
  return made;
}

static int own_nodes(const SystemSpace *s)
{
  return s->finite ? finite_system_nodes(s->finite, false) : 0;
}

void system_vector_clear(const SystemSpace *s, SystemVector x)
{
  assert_debug(x.rows != NULL && "a vector of the space");
  memset(x.rows, 0, (size_t)s->rows->own * U * sizeof *x.rows);
  if (s->finite) memset(x.nodes, 0, (size_t)own_nodes(s) * sizeof *x.nodes);
}

void system_vector_add(const SystemSpace *s, double factor, SystemVector y, SystemVector x)
{
  assert_debug(x.rows != y.rows && "another vector is added");
  for (int i = 0; i < U * s->rows->own; i++) x.rows[i] += factor * y.rows[i];
  const int nodes = own_nodes(s);
  for (int n = 0; n < nodes; n++) x.nodes[n] = vec3_axpy(factor, y.nodes[n], x.nodes[n]);
}

// the products of a row in order, the rows exactly, so that no rank matters
double system_vector_dot(const SystemSpace *s, SystemVector x, SystemVector y)
{
  assert_debug(x.rows != NULL && y.rows != NULL && "vectors of the space");
  ExactSum sum = exact_sum_new();
  for (int row = 0; row < s->rows->own; row++) {
    const double *p = x.rows + (size_t)row * U, *q = y.rows + (size_t)row * U;
    double of = 0;
    for (int i = 0; i < U; i++) of += p[i] * q[i];
    int nodes = 0;
    const vec3 *a = s->finite ? finite_system_row(s->finite, row, x.nodes, &nodes) : NULL,
               *b = s->finite ? finite_system_row(s->finite, row, y.nodes, &nodes) : NULL;
    for (int n = 0; n < nodes; n++) of += vec3_dot(a[n], b[n]);
    exact_sum_add(&sum, of);
  }
  exact_sum_reduce(&sum, 1);
  return exact_sum_value(&sum);
}

double system_vector_size(const SystemSpace *s, SystemVector r, const double *weight)
{
  assert_debug(weight != NULL && "rows have weights");
  double largest = 0;
  for (int row = 0; row < s->rows->own; row++) {
    const double *w = weight + (size_t)row * BLOCK, *of = r.rows + (size_t)row * U;
    for (int i = 0; i < U; i++) par_raise(&largest, fabs(of[i] * w[i < BLOCK ? i : BLOCK - 1]));
    int nodes = 0;
    const vec3 *at = s->finite ? finite_system_row(s->finite, row, r.nodes, &nodes) : NULL;
    for (int n = 0; n < nodes; n++) par_raise(&largest, w[0] * vec3_norm(at[n]));
  }
  largest = par_max(largest);
  return isnan(largest) ? INFINITY : largest;
}
