// Factors of one body's matrix in single precision, by runs of rows.
#include "finite_single.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "lane.h"
#include "memory.h"

// Rows are taken eight at once, from multiples of eight on: what a store wrote is then what a later
// load reads. Numbers of rows outside a run are zero.
#define END 1e-6   // of the length of a mesh: nodes that are at its end

enum { WIDE = 8, LINE = 64 };   // bytes of a line of the cache, which no vector crosses
typedef float Eight __attribute__((vector_size(4 * WIDE), aligned(4), may_alias));
typedef float Four __attribute__((vector_size(16), aligned(4), may_alias));   // three of a node

struct FiniteProfile {
  const FiniteStiffness *stiffness;
  int columns;   // of blocks: nodes that are not held
  int *place;    // [nodes] in the order of elimination; -1: held
  int *node;     // [columns] of the matrix
  int *last;     // [columns] node of the run below a column; that of the diagonal: there is none
  int *first;    // [columns] of the vectors of rows below the diagonal of a column
  int *start;    // [columns + 1] where its numbers begin: of 3 columns side by side, by vectors
  double *diagonal;   // [columns * FINITE_BLOCK] of the matrix, by columns; then its triangles
  double *below;      // [start[columns] * 3 * WIDE] of the matrix; then of the factor
  size_t stride;      // columns * 3, up to a whole line and one more
  void *room;
  float *x;   // [FINITE_TOGETHER * stride] in the room, in the order of elimination
};

struct FiniteSingle {
  const FiniteProfile *profile;
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

// ------------------------------------------------------------------------------------------------
// Order

// An order of the nodes of a mesh by distance, in sides of cells, from its end along an axis.
typedef struct {
  const FiniteStiffness *graph;
  const vec3 *place;
  const bool *held;
  int *list;    // [nodes] in order
  bool *seen;   // [nodes]
  int listed;
} Search;

static int degree(const FiniteStiffness *graph, int node)
{
  assert_debug(node >= 0 && node < graph->nodes && "a node of the mesh");
  return graph->start[node + 1] - graph->start[node];
}

static bool is_open(const Search *search, int node)
{
  assert_debug(node >= 0 && node < search->graph->nodes && "a node of the mesh");
  return !search->seen[node] && !(search->held && search->held[node]);
}

static double along(const Search *search, int node, int axis)
{
  return vec3_component(search->place[node], axis % 3);
}

// Lists what the nodes from a place of the list on reach, of each one those with few neighbours
// first.
static void reach(Search *search, int at)
{
  const FiniteStiffness *graph = search->graph;
  for (; at < search->listed; at++) {
    const int node = search->list[at], begin = search->listed;
    for (int k = graph->start[node]; k < graph->start[node + 1]; k++) {
      const int other = graph->column[k];
      if (!is_open(search, other)) continue;
      search->seen[other] = true;
      int to = search->listed++;
      for (; to > begin && degree(graph, search->list[to - 1]) > degree(graph, other); to--)
        search->list[to] = search->list[to - 1];
      search->list[to] = other;
    }
  }
}

// Lists the nodes at the end of what is not listed yet, by the next axis.
static void list_end(Search *search, int axis)
{
  double low = INFINITY, high = -INFINITY;
  for (int n = 0; n < search->graph->nodes; n++) {
    if (!is_open(search, n)) continue;
    low = fmin(low, along(search, n, axis));
    high = fmax(high, along(search, n, axis));
  }
  const int begin = search->listed;
  for (int n = 0; n < search->graph->nodes; n++) {
    if (!is_open(search, n) || along(search, n, axis) > low + END * (high - low)) continue;
    search->seen[n] = true;
    int to = search->listed++;
    for (; to > begin && along(search, search->list[to - 1], axis + 1) > along(search, n, axis + 1);
         to--)
      search->list[to] = search->list[to - 1];
    search->list[to] = n;
  }
}

// Nodes that eliminating in the order of the list couples each node with, in all.
static int64_t width_of(const Search *search, int *place)
{
  const FiniteStiffness *graph = search->graph;
  for (int k = 0; k < search->listed; k++) place[search->list[k]] = k;
  int64_t all = 0;
  int last = 0;
  for (int at = 0; at < search->listed; at++) {
    const int node = search->list[at];
    for (int k = graph->start[node]; k < graph->start[node + 1]; k++)
      if (place[graph->column[k]] > last) last = place[graph->column[k]];
    all += last - at;
  }
  return all;
}

// Places of nodes in the order of elimination, along that axis which makes the least of it; how
// many there are.
static int order_nodes(const FiniteStiffness *graph, const vec3 *at, const bool *held, int *place)
{
  const size_t nodes = (size_t)graph->nodes;
  Search search = {
      graph, at, held, memory_allocate(nodes * sizeof(int)), memory_allocate(nodes * sizeof(bool)),
      0};
  int *found = memory_allocate(nodes * sizeof *found);
  int64_t least = INT64_MAX;
  for (int axis = 0; axis < 3; axis++) {
    memset(search.seen, 0, nodes * sizeof *search.seen);
    search.listed = 0;
    for (int before = -1; search.listed > before;) {
      before = search.listed;
      list_end(&search, axis);
      reach(&search, before);
    }
    for (int n = 0; n < graph->nodes; n++) found[n] = -1;
    const int64_t width = width_of(&search, found);
    if (width >= least) continue;
    least = width;
    memcpy(place, found, nodes * sizeof *place);
  }
  memory_free(found);
  memory_free(search.list);
  memory_free(search.seen);
  return search.listed;
}

// ------------------------------------------------------------------------------------------------
// Pattern

// Runs: the last row of a column is that of it or of a column before, so that there is room for
// what elimination fills.
static void find_runs(FiniteProfile *p)
{
  const FiniteStiffness *k0 = p->stiffness;
  int *last = p->last = memory_allocate(((size_t)p->columns + 1) * sizeof *last);
  for (int n = 0; n < k0->nodes; n++) {
    if (p->place[n] < 0) continue;
    int *end = &last[p->place[n]];
    *end = p->place[n];
    for (int k = k0->start[n]; k < k0->start[n + 1]; k++)
      if (p->place[k0->column[k]] > *end) *end = p->place[k0->column[k]];
  }
  p->first = memory_allocate(((size_t)p->columns + 1) * sizeof(int));
  p->start = memory_allocate_zero((size_t)p->columns + 1, sizeof(int));
  for (int c = 0; c < p->columns; c++) {
    if (c > 0 && last[c] < last[c - 1]) last[c] = last[c - 1];
    p->first[c] = 3 * (c + 1) / WIDE;
    const int end = last[c] > c ? (3 * last[c] + 2) / WIDE + 1 : p->first[c];
    p->start[c + 1] = p->start[c] + end - p->first[c];
  }
}

FiniteProfile *finite_profile_new(const FiniteStiffness *stiffness, const vec3 *place,
                                  const bool *held)
{
  assert(stiffness->nodes > 0 && "a stiffness");
  FiniteProfile *p = memory_allocate_zero(1, sizeof *p);
  p->stiffness = stiffness;
  p->place = memory_allocate((size_t)stiffness->nodes * sizeof *p->place);
  p->columns = order_nodes(stiffness, place, held, p->place);
  p->node = memory_allocate(((size_t)p->columns + 1) * sizeof *p->node);
  for (int n = 0; n < stiffness->nodes; n++)
    if (p->place[n] >= 0) p->node[p->place[n]] = n;
  find_runs(p);
  const size_t runs = (size_t)p->start[p->columns];
  p->diagonal = memory_allocate(((size_t)p->columns + 1) * FINITE_BLOCK * sizeof(double));
  p->below = memory_allocate((runs * 3 * WIDE + 1) * sizeof(double));
  const size_t line = LINE / sizeof(float);
  p->stride = (3 * (size_t)p->columns + 2 * line) / line * line;
  p->x = numbers_new(FINITE_TOGETHER * p->stride, &p->room);
  return p;
}

void finite_profile_destroy(FiniteProfile *p)
{
  if (!p) return;
  assert_debug(p->stiffness != NULL && "a profile that was made");
  memory_free(p->place);
  memory_free(p->node);
  memory_free(p->last);
  memory_free(p->first);
  memory_free(p->start);
  memory_free(p->diagonal);
  memory_free(p->below);
  memory_free(p->room);
  memory_free(p);
}

// ------------------------------------------------------------------------------------------------
// Numbers

// Where rows of the first of three columns of a block column begin in below.
static int column_at(const FiniteProfile *p, int c)
{
  assert_debug(c >= 0 && c < p->columns && "a column of blocks");
  return 3 * WIDE * (p->start[c] - p->first[c]);
}

static int row_at(int row) { return 3 * WIDE * (row / WIDE) + row % WIDE; }

static void set_matrix(FiniteProfile *p, const FiniteSum *sum)
{
  const FiniteStiffness *k0 = p->stiffness;
  memset(p->below, 0, (size_t)p->start[p->columns] * 3 * WIDE * sizeof *p->below);
  for (int c = 0; c < p->columns; c++) {
    const int n = p->node[c];
    double *below = p->below + column_at(p, c);
    for (int k = k0->start[n]; k < k0->start[n + 1]; k++) {
      const int other = p->place[k0->column[k]];
      if (other < c) continue;   // held, or above the diagonal
      const double *of = &k0->value[(size_t)FINITE_BLOCK * (size_t)k];
      const double more = other == c ? sum->added[k] + sum->mass[n] : sum->added[k];
      for (int row = 0; row < 3; row++)   // the block is that of the other one, transposed
        for (int column = 0; column < 3; column++) {
          const double number = (row == column ? more : 0) + sum->scale * of[3 * row + column];
          if (other == c) p->diagonal[FINITE_BLOCK * c + 3 * column + row] = number;
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
static void divide_rows(FiniteProfile *p, int c)
{
  const double *l = p->diagonal + FINITE_BLOCK * c;
  const double a = 1 / l[0], b = 1 / l[4], d = 1 / l[8];
  double *of = p->below + 3 * WIDE * p->start[c], *end = p->below + 3 * WIDE * p->start[c + 1];
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
static void take_column(FiniteProfile *p, int c, int later)
{
  const double *of = p->below + column_at(p, c);
  double m[3][3];
  for (int i = 0; i < 3; i++) {
    const double *at = of + row_at(3 * later + i);
    for (int k = 0; k < 3; k++) m[i][k] = at[WIDE * k];
  }
  double *block = p->diagonal + FINITE_BLOCK * later;
  for (int j = 0; j < 3; j++)
    for (int i = j; i < 3; i++)
      block[3 * j + i] -= (m[i][0] * m[j][0] + m[i][1] * m[j][1]) + m[i][2] * m[j][2];
  const int end = later < p->last[c] ? p->first[c] + p->start[c + 1] - p->start[c] : 0;
  double *to = p->below + column_at(p, later);
  for (int v = p->first[later]; v < end; v++)
    for (int half = 3 * WIDE * v; half < 3 * WIDE * v + WIDE; half += LANES) {
      const Lane x = lane_load(of + half), y = lane_load(of + half + WIDE),
                 z = lane_load(of + half + 2 * WIDE);
      for (int j = 0; j < 3; j++) {
        double *at = to + half + WIDE * j;
        lane_store(at, lane_load(at) - ((x * m[j][0] + y * m[j][1]) + z * m[j][2]));
      }
    }
}

static bool factorise(FiniteProfile *p)
{
  for (int c = 0; c < p->columns; c++) {
    if (!factorise_block(p->diagonal + FINITE_BLOCK * c)) return false;
    divide_rows(p, c);
    for (int later = c + 1; later <= p->last[c]; later++) take_column(p, c, later);
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
  const FiniteStiffness *k0 = single->profile->stiffness;
  const int kept = (k0->start[k0->nodes] + k0->nodes) / 2;
  single->added = memory_allocate((size_t)kept * sizeof *single->added);
  int count = 0;
  for (int n = 0; n < k0->nodes; n++)
    for (int k = k0->start[n]; k < k0->start[n + 1]; k++)
      if (k0->column[k] >= n) single->added[count++] = (float)added[k];
  assert_debug(count == kept && "the pattern is symmetric");
}

FiniteSingle *finite_single_new(FiniteProfile *profile, const FiniteSum *sum)
{
  assert(sum->mass != NULL && sum->added != NULL && "a matrix of the pattern");
  set_matrix(profile, sum);
  if (!factorise(profile)) return NULL;
  const int columns = profile->columns, numbers = profile->start[columns] * 3 * WIDE;
  FiniteSingle *single = memory_allocate_zero(1, sizeof *single);
  single->profile = profile;
  single->diagonal = memory_allocate_zero((size_t)columns * FINITE_BLOCK + 1, sizeof(float));
  single->below = numbers_new((size_t)numbers, &single->room);
  for (int c = 0; c < columns; c++)
    invert_triangle(profile->diagonal + FINITE_BLOCK * c, single->diagonal + FINITE_BLOCK * c);
  for (int k = 0; k < numbers; k++) single->below[k] = (float)profile->below[k];
  keep_added(single, sum->added);
  return single;
}

void finite_single_destroy(FiniteSingle *single)
{
  if (!single) return;
  assert_debug(single->profile != NULL && "a factor that was made");
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
  const FiniteSingle *const *of;   // [count] of one profile
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
  const FiniteProfile *p = single->profile;
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
  const FiniteProfile *p = single->profile;
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
  const int columns = all->of[0]->profile->columns;
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
  const FiniteProfile *p = factors[0]->profile;
  Together all = {.count = count, .of = factors};
  double size[FINITE_TOGETHER];
  for (int i = 0; i < count; i++) {
    assert_debug(factors[i]->profile == p && "bodies of one mesh");
    all.x[i] = p->x + (size_t)i * p->stride;
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
      const float *of = all.x[i] + 3 * p->place[n];
      values[i][n] =
          p->place[n] < 0 ? (vec3){0, 0, 0} : vec3_scale(size[i], (vec3){of[0], of[1], of[2]});
    }
}

void finite_single_add_added(const FiniteSingle *single, const vec3 *values, vec3 *result)
{
  assert_debug(values != result && "a product is in another place");
  const FiniteStiffness *k0 = single->profile->stiffness;
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
  return a->profile == b->profile;
}
