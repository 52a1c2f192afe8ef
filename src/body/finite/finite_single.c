// Factors of one body's matrix in single precision, by runs of rows.
#include "finite_single.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "lane.h"
#include "memory.h"

enum { WIDE = FINITE_WIDE, LINE = 64 };   // bytes of a line of the cache, which no vector crosses
typedef float Eight __attribute__((vector_size(4 * WIDE), aligned(4), may_alias));
typedef float Four __attribute__((vector_size(16), aligned(4), may_alias));   // three of a node

struct FiniteScratch {
  FiniteProfile profile;
  double *diagonal;   // [columns * FINITE_BLOCK] of the matrix, by columns; then its triangles
  double *below;      // [start[columns] * 3 * WIDE] of the matrix, 3 columns side by side; then of
                      // the factor
  size_t stride;      // columns * 3, up to a whole line and one more
  void *room;
  float *x;   // [FINITE_TOGETHER * stride] in the room, in the order of elimination
};

struct FiniteSingle {
  const FiniteScratch *scratch;
  float *diagonal;   // [columns * FINITE_BLOCK + 1] inverses of the triangles on it, by columns
  void *room;
  float *below;   // [start[columns] * 3 * WIDE] in the room
  float *added;   // what each block of the stiffness has more, but for those below the diagonal
};

// Room for numbers from a new line on.
static float *numbers_new(size_t count, void **room)
{
  assert_debug(room != NULL && "the room is freed");
  *room = memory_allocate_zero(count * sizeof(float) + LINE, 1);
  return (float *)(((uintptr_t)*room + LINE - 1) / LINE * LINE);
}

FiniteScratch *finite_scratch_new(const FiniteStiffness *stiffness, const vec3 *place,
                                  const bool *held)
{
  assert(stiffness->nodes > 0 && "a stiffness");
  FiniteScratch *s = memory_allocate_zero(1, sizeof *s);
  s->profile = finite_profile_new(stiffness, place, held);
  const size_t columns = (size_t)s->profile.columns, runs = (size_t)s->profile.start[columns];
  s->diagonal = memory_allocate((columns + 1) * FINITE_BLOCK * sizeof(double));
  s->below = memory_allocate((runs * 3 * WIDE + 1) * sizeof(double));
  const size_t line = LINE / sizeof(float);
  s->stride = (3 * columns + 2 * line) / line * line;
  s->x = numbers_new(FINITE_TOGETHER * s->stride, &s->room);
  return s;
}

void finite_scratch_destroy(FiniteScratch *s)
{
  if (!s) return;
  assert_debug(s->room != NULL && "scratch that was made");
  finite_profile_destroy(&s->profile);
  memory_free(s->diagonal);
  memory_free(s->below);
  memory_free(s->room);
  memory_free(s);
}

// ------------------------------------------------------------------------------------------------
// Numbers

// Where rows of the first of three columns of a block column begin in below.
static ptrdiff_t column_at(const FiniteProfile *p, int c)
{
  assert_debug(c >= 0 && c < p->columns && "a column of blocks");
  return 3 * WIDE * (p->start[c] - p->first[c]);
}

static int row_at(int row) { return 3 * WIDE * (row / WIDE) + row % WIDE; }

static void set_matrix(const FiniteScratch *s, const FiniteSum *sum)
{
  const FiniteProfile *p = &s->profile;
  const FiniteStiffness *k0 = p->stiffness;
  memset(s->below, 0, (size_t)p->start[p->columns] * 3 * WIDE * sizeof *s->below);
  for (int c = 0; c < p->columns; c++) {
    const int n = p->node[c];
    double *below = s->below + column_at(p, c);
    for (int k = k0->start[n]; k < k0->start[n + 1]; k++) {
      const int other = p->place[k0->column[k]];
      if (other < c) continue;   // held, or above the diagonal
      const double *of = &k0->value[(size_t)FINITE_BLOCK * (size_t)k];
      const double more = other == c ? sum->added[k] + sum->mass[n] : sum->added[k];
      for (int row = 0; row < 3; row++)   // the block is that of the other one, transposed
        for (int column = 0; column < 3; column++) {
          const double number = (row == column ? more : 0) + sum->scale * of[3 * row + column];
          if (other == c) s->diagonal[FINITE_BLOCK * c + 3 * column + row] = number;
          else below[row_at(3 * other + row) + WIDE * column] = number;
        }
    }
  }
}

// A block on the diagonal, by columns, to its lower triangle; false: it is not definite.
static bool factorise_block(double *a)
{
  if (!(a[0] > 0)) return false;
  a[0] = sqrt(a[0]);
  a[1] /= a[0];
  a[2] /= a[0];
  a[4] -= a[1] * a[1];
  if (!(a[4] > 0)) return false;
  a[4] = sqrt(a[4]);
  a[5] = (a[5] - a[2] * a[1]) / a[4];
  a[8] -= a[2] * a[2] + a[5] * a[5];
  if (!(a[8] > 0)) return false;
  a[8] = sqrt(a[8]);
  return true;
}

// The rows below a block: those of its matrix times the inverse of the triangle, transposed.
static void divide_rows(const FiniteScratch *s, int c)
{
  const FiniteProfile *p = &s->profile;
  const double *l = s->diagonal + FINITE_BLOCK * c;
  const double a = 1 / l[0], b = 1 / l[4], d = 1 / l[8];
  double *of = s->below + 3 * WIDE * p->start[c], *end = s->below + 3 * WIDE * p->start[c + 1];
  for (int row = WIDE * p->first[c]; of < end && row < 3 * (c + 1); row++)   // not of the run
    for (int k = 0; k < 3; k++) of[row % WIDE + WIDE * k] = 0;
  for (; of < end; of += 3 * WIDE)
    for (int half = 0; half < WIDE; half += LANES) {
      const Lane x = lane_load(of + half) * a;
      const Lane y = (lane_load(of + WIDE + half) - x * l[1]) * b;
      const Lane z = ((lane_load(of + 2 * WIDE + half) - x * l[2]) - y * l[5]) * d;
      lane_store(of + half, x);
      lane_store(of + WIDE + half, y);
      lane_store(of + 2 * WIDE + half, z);
    }
}

// Takes what a column makes from a later one, whose node is in its run.
static void take_column(const FiniteScratch *s, int c, int later)
{
  const FiniteProfile *p = &s->profile;
  const double *of = s->below + column_at(p, c);
  double m[3][3];
  for (int i = 0; i < 3; i++) {
    const double *at = of + row_at(3 * later + i);
    for (int k = 0; k < 3; k++) m[i][k] = at[WIDE * k];
  }
  double *block = s->diagonal + FINITE_BLOCK * later;
  for (int j = 0; j < 3; j++)
    for (int i = j; i < 3; i++)
      block[3 * j + i] -= (m[i][0] * m[j][0] + m[i][1] * m[j][1]) + m[i][2] * m[j][2];
  const int64_t end = later < p->last[c] ? p->first[c] + p->start[c + 1] - p->start[c] : 0;
  double *to = s->below + column_at(p, later);
  for (int64_t v = p->first[later]; v < end; v++)
    for (int64_t half = 3 * WIDE * v; half < 3 * WIDE * v + WIDE; half += LANES) {
      const Lane x = lane_load(of + half), y = lane_load(of + half + WIDE),
                 z = lane_load(of + half + 2 * WIDE);
      for (int j = 0; j < 3; j++) {
        double *at = to + half + WIDE * j;
        lane_store(at, lane_load(at) - ((x * m[j][0] + y * m[j][1]) + z * m[j][2]));
      }
    }
}

static bool factorise(const FiniteScratch *s)
{
  const FiniteProfile *p = &s->profile;
  for (int c = 0; c < p->columns; c++) {
    if (!factorise_block(s->diagonal + FINITE_BLOCK * c)) return false;
    divide_rows(s, c);
    for (int later = c + 1; later <= p->last[c]; later++) take_column(s, c, later);
  }
  return true;
}

// The inverse of a lower triangle; both by columns.
static void invert_triangle(const double *l, float *inverse)
{
  const double a = 1 / l[0], b = 1 / l[4], c = 1 / l[8];
  const double ba = -b * l[1] * a, cb = -c * l[5] * b;
  const double ca = -c * (l[2] * a + l[5] * ba);
  const double numbers[FINITE_BLOCK] = {a, ba, ca, 0, b, cb, 0, 0, c};
  for (int e = 0; e < FINITE_BLOCK; e++) inverse[e] = (float)numbers[e];
}

// As many as there are blocks on and above the diagonal.
static void keep_added(FiniteSingle *single, const double *added)
{
  const FiniteStiffness *k0 = single->scratch->profile.stiffness;
  const int kept = (k0->start[k0->nodes] + k0->nodes) / 2;
  single->added = memory_allocate((size_t)kept * sizeof *single->added);
  int count = 0;
  for (int n = 0; n < k0->nodes; n++)
    for (int k = k0->start[n]; k < k0->start[n + 1]; k++)
      if (k0->column[k] >= n) single->added[count++] = (float)added[k];
  assert_debug(count == kept && "the pattern is symmetric");
}

FiniteSingle *finite_single_new(FiniteScratch *scratch, const FiniteSum *sum)
{
  assert(sum->mass != NULL && sum->added != NULL && "a matrix of the pattern");
  set_matrix(scratch, sum);
  if (!factorise(scratch)) return NULL;
  const int columns = scratch->profile.columns;
  const size_t numbers = (size_t)scratch->profile.start[columns] * 3 * WIDE;
  FiniteSingle *single = memory_allocate_zero(1, sizeof *single);
  single->scratch = scratch;
  single->diagonal = memory_allocate_zero((size_t)columns * FINITE_BLOCK + 1, sizeof(float));
  single->below = numbers_new(numbers, &single->room);
  for (int c = 0; c < columns; c++)
    invert_triangle(scratch->diagonal + FINITE_BLOCK * c, single->diagonal + FINITE_BLOCK * c);
  for (size_t k = 0; k < numbers; k++) single->below[k] = (float)scratch->below[k];
  keep_added(single, sum->added);
  return single;
}

void finite_single_destroy(FiniteSingle *single)
{
  if (!single) return;
  assert_debug(single->scratch != NULL && "a factor that was made");
  memory_free(single->diagonal);
  memory_free(single->room);
  memory_free(single->added);
  memory_free(single);
}

// ------------------------------------------------------------------------------------------------
// Solution

// Vectors of bodies that are solved together: what the next column of one waits for, that of
// another does not.
typedef struct {
  int count;
  const FiniteSingle *const *of;   // [count] of one mesh
  float *x[FINITE_TOGETHER];       // in the order of elimination
} Together;

static inline Eight eight_at(const float *x) { return *(const Eight *)x; }
static inline Four four_at(const float *x) { return *(const Four *)x; }

// A matrix of three columns, of which each is followed by a number that counts nowhere, times x.
static inline Four times(const float *columns, Four x)
{
  return (four_at(columns) * x[0] + four_at(columns + 3) * x[1]) + four_at(columns + 6) * x[2];
}

static inline void store_three(float *to, Four x)
{
  to[0] = x[0];
  to[1] = x[1];
  to[2] = x[2];
}

// x <- L^-1 x of a column
static inline void lower_column(const FiniteSingle *single, int c, float *x)
{
  const FiniteProfile *p = &single->scratch->profile;
  const float *l = single->below + 3 * WIDE * p->start[c];
  const float *end = single->below + 3 * WIDE * p->start[c + 1];
  const Four found = times(single->diagonal + FINITE_BLOCK * c, four_at(x + 3 * c));
  float *to = x + WIDE * p->first[c];
  for (; l < end; to += WIDE, l += 3 * WIDE)
    *(Eight *)to -= (eight_at(l) * found[0] + eight_at(l + WIDE) * found[1]) +
                    eight_at(l + 2 * WIDE) * found[2];
  store_three(x + 3 * c, found);
}

static inline Four halves(Eight x)
{
  return __builtin_shufflevector(x, x, 0, 1, 2, 3) + __builtin_shufflevector(x, x, 4, 5, 6, 7);
}

// Sums of eight, of neighbours four apart first, then two, then one; the last counts nowhere.
static inline Four sums_of(Eight x, Eight y, Eight z)
{
  const Four a = halves(x), b = halves(y), c = halves(z);
  const Four ab =
      __builtin_shufflevector(a, b, 0, 1, 4, 5) + __builtin_shufflevector(a, b, 2, 3, 6, 7);
  const Four cc =
      __builtin_shufflevector(c, c, 0, 1, 0, 1) + __builtin_shufflevector(c, c, 2, 3, 2, 3);
  return __builtin_shufflevector(ab, cc, 0, 2, 4, 6) + __builtin_shufflevector(ab, cc, 1, 3, 5, 7);
}

// x <- L'^-1 x of a column
static inline void upper_column(const FiniteSingle *single, int c, float *x)
{
  const FiniteProfile *p = &single->scratch->profile;
  const float *l = single->below + 3 * WIDE * p->start[c + 1];
  const float *end = single->below + 3 * WIDE * p->start[c];
  const float *from = x + WIDE * (p->first[c] + p->start[c + 1] - p->start[c]);
  Eight first = {0}, second = {0}, third = {0};
  while (l > end) {   // what was found last comes last
    l -= 3 * WIDE;
    from -= WIDE;
    const Eight of = eight_at(from);
    first += eight_at(l) * of;
    second += eight_at(l + WIDE) * of;
    third += eight_at(l + 2 * WIDE) * of;
  }
  const Four left = four_at(x + 3 * c) - sums_of(first, second, third);
  const float *d = single->diagonal + FINITE_BLOCK * c;
  x[3 * c] = (d[0] * left[0] + d[1] * left[1]) + d[2] * left[2];
  x[3 * c + 1] = d[4] * left[1] + d[5] * left[2];
  x[3 * c + 2] = d[8] * left[2];
}

static void solve_columns(const Together *all)
{
  const int columns = all->of[0]->scratch->profile.columns;
  for (int c = 0; c < columns; c++)
    for (int i = 0; i < all->count; i++) lower_column(all->of[i], c, all->x[i]);
  for (int c = columns - 1; c >= 0; c--)
    for (int i = 0; i < all->count; i++) upper_column(all->of[i], c, all->x[i]);
}

static double largest_of(const vec3 *values, int nodes)
{
  double most = 0;
  for (int n = 0; n < nodes; n++)
    most = larger_of(most,
                     larger_of(larger_of(fabs(values[n].x), fabs(values[n].y)), fabs(values[n].z)));
  assert_debug(most < INFINITY && "values are numbers");
  return most;
}

void finite_single_solve(const FiniteSingle *const *factors, int count, vec3 *const *values)
{
  assert(count > 0 && count <= FINITE_TOGETHER && "some are solved together");
  const FiniteScratch *scratch = factors[0]->scratch;
  const FiniteProfile *p = &scratch->profile;
  Together all = {.count = count, .of = factors};
  double size[FINITE_TOGETHER];
  for (int i = 0; i < count; i++) {
    assert_debug(factors[i]->scratch == scratch && "bodies of one mesh");
    all.x[i] = scratch->x + (size_t)i * scratch->stride;
    const double most = largest_of(values[i], p->stiffness->nodes);
    const double less = most > 0 ? 1 / most : 0;   // floats have no room for numbers of every size
    for (int c = 0; c < p->columns; c++) {
      const vec3 of = vec3_scale(less, values[i][p->node[c]]);
      float *to = all.x[i] + 3 * c;
      to[0] = (float)of.x, to[1] = (float)of.y, to[2] = (float)of.z;
    }
    size[i] = most;
  }
  solve_columns(&all);
  for (int i = 0; i < count; i++)
    for (int n = 0; n < p->stiffness->nodes; n++) {
      values[i][n] = (vec3){0, 0, 0};
      if (p->place[n] < 0) continue;
      const float *of = all.x[i] + 3 * p->place[n];
      values[i][n] = vec3_scale(size[i], (vec3){of[0], of[1], of[2]});
    }
}

void finite_single_add_added(const FiniteSingle *single, const vec3 *values, vec3 *result)
{
  assert_debug(values != result && "a product is in another place");
  const FiniteStiffness *k0 = single->scratch->profile.stiffness;
  const float *added = single->added;
  for (int n = 0; n < k0->nodes; n++)
    for (int k = k0->start[n]; k < k0->start[n + 1]; k++) {
      const int other = k0->column[k];
      if (other < n) continue;
      const double number = *added++;
      if (number == 0) continue;
      result[n] = vec3_axpy(number, values[other], result[n]);
      if (other > n) result[other] = vec3_axpy(number, values[n], result[other]);
    }
}

bool finite_single_alike(const FiniteSingle *a, const FiniteSingle *b)
{
  assert_debug(a != NULL && b != NULL && "factors that were made");
  return a->scratch == b->scratch;
}
