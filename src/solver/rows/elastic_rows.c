// Operators of rows that deform, between impulses and velocities.
#include "elastic_rows.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "kind.h"

enum { N = ELASTIC_UNKNOWNS };

// Where the numbers of (w, S) are in a gradient w x + S, entry by entry: sign w[turn] + S[squeeze].
typedef struct {
  int turn, squeeze;
  double sign;   // 0: on the diagonal
} Entry;

static const Entry ENTRIES[N] = {{0, 3, 0},  {2, 4, -1}, {1, 5, 1}, {2, 4, 1}, {0, 6, 0},
                                 {0, 7, -1}, {1, 5, -1}, {0, 7, 1}, {0, 8, 0}};

static void to_entries(mat3 m, double *entries)
{
  for (int i = 0; i < 3; i++) {
    entries[3 * i] = m.row[i].x;
    entries[3 * i + 1] = m.row[i].y;
    entries[3 * i + 2] = m.row[i].z;
  }
}

void elastic_numbers_of_dyad(mat3 dyad, double *numbers)
{
  double entries[N];
  to_entries(dyad, entries);
  for (int i = 0; i < N; i++) numbers[i] = 0;
  for (int i = 0; i < N; i++) {
    numbers[ENTRIES[i].turn] += ENTRIES[i].sign * entries[i];
    numbers[ENTRIES[i].squeeze] += entries[i];
  }
}

void elastic_numbers_of_field(mat3 f, double *numbers)
{
  numbers[0] = 0.5 * (f.row[2].y - f.row[1].z);
  numbers[1] = 0.5 * (f.row[0].z - f.row[2].x);
  numbers[2] = 0.5 * (f.row[1].x - f.row[0].y);
  numbers[3] = f.row[0].x;
  numbers[4] = 0.5 * (f.row[0].y + f.row[1].x);
  numbers[5] = 0.5 * (f.row[0].z + f.row[2].x);
  numbers[6] = f.row[1].y;
  numbers[7] = 0.5 * (f.row[1].z + f.row[2].y);
  numbers[8] = f.row[2].z;
}

void elastic_moments_add(ElasticMoments *m, double weight, vec3 a)
{
  assert_debug(!(weight < 0) && "weights are not below zero");
  const vec3 b = vec3_scale(weight, a);
  m->one += weight;
  m->a = vec3_add(m->a, b);
  m->product.xx += a.x * b.x;
  m->product.xy += a.x * b.y;
  m->product.xz += a.x * b.z;
  m->product.yy += a.y * b.y;
  m->product.yz += a.y * b.z;
  m->product.zz += a.z * b.z;
}

ElasticMoments elastic_moments_about(ElasticMoments m, vec3 c)
{
  const vec3 a = m.a;
  const double n = m.one;
  m.product.xx += 2 * a.x * c.x + n * c.x * c.x;
  m.product.xy += a.x * c.y + a.y * c.x + n * c.x * c.y;
  m.product.xz += a.x * c.z + a.z * c.x + n * c.x * c.z;
  m.product.yy += 2 * a.y * c.y + n * c.y * c.y;
  m.product.yz += a.y * c.z + a.z * c.y + n * c.y * c.z;
  m.product.zz += 2 * a.z * c.z + n * c.z * c.z;
  m.a = vec3_axpy(n, c, a);
  return m;
}

void elastic_sums_of_body(const ElasticMoments *m, double sums[4][4])
{
  const sym3 p = m->product;
  const double all[4][4] = {{m->one, m->a.x, m->a.y, m->a.z},
                            {m->a.x, p.xx, p.xy, p.xz},
                            {m->a.y, p.xy, p.yy, p.yz},
                            {m->a.z, p.xz, p.yz, p.zz}};
  memcpy(sums, all, sizeof all);
}

void elastic_sums_of_pair(const ElasticMoments *m, vec3 c, double sums[4][4])
{
  elastic_sums_of_body(m, sums);
  const double by[3] = {c.x, c.y, c.z};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 3; j++) sums[i][1 + j] += by[j] * sums[i][0];
}

// What a number of v (0) or of an entry of the gradient in a column (1 to 3) is made of, for one
// axis: unknowns and their signs.
typedef struct {
  int count;
  int unknown[2];
  double sign[2];
} Parts;

static Parts parts_of(int axis, int column, bool deforms)
{
  if (column == 0) return (Parts){1, {axis, 0}, {1, 0}};
  const Entry e = ENTRIES[3 * axis + column - 1];
  return (Parts){deforms ? 2 : 1, {3 + e.turn, 3 + e.squeeze}, {e.sign, 1}};
}

void elastic_block_add(const ElasticBlock *added, double *block)
{
  assert_debug(fabs(added->sign) == 1 && "points pull one way or the other");
  for (int axis = 0; axis < 3; axis++)
    for (int i = 0; i < 4; i++) {
      const Parts row = parts_of(axis, i, added->row_deforms);
      for (int j = 0; j < 4; j++) {
        const Parts column = parts_of(axis, j, added->column_deforms);
        const double sum = added->sign * added->sums[i][j];
        for (int p = 0; p < row.count; p++)
          for (int q = 0; q < column.count; q++)
            block[ELASTIC_ROW_UNKNOWNS * row.unknown[p] + column.unknown[q]] +=
                row.sign[p] * column.sign[q] * sum;
      }
    }
}

static mat3 of_entries(const double *e)
{
  return (mat3){{{e[0], e[1], e[2]}, {e[3], e[4], e[5]}, {e[6], e[7], e[8]}}};
}

mat3 elastic_field_of_numbers(const double *numbers)
{
  double e[N];
  for (int i = 0; i < N; i++)
    e[i] = ENTRIES[i].sign * numbers[ENTRIES[i].turn] + numbers[ENTRIES[i].squeeze];
  return of_entries(e);
}

// Inverse of a symmetric positive definite matrix by its Cholesky factor: turning comes first, so
// that what resists it never meets the far larger stiffness.
static void invert(const double *a, double *inverse)
{
  double factor[N * N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++) {
      double sum = a[N * i + j];
      for (int k = 0; k < j; k++) sum -= factor[N * i + k] * factor[N * j + k];
      factor[N * i + j] = i == j ? sqrt(sum) : sum / factor[N * j + j];
    }
  assert(isfinite(factor[N * N - 1]) && "masses and stiffnesses are positive");
  for (int c = 0; c < N; c++) {
    double x[N] = {0};
    x[c] = 1;
    for (int i = c; i < N; i++) {
      for (int k = c; k < i; k++) x[i] -= factor[N * i + k] * x[k];
      x[i] /= factor[N * i + i];
    }
    for (int i = N - 1; i >= 0; i--) {
      for (int k = i + 1; k < N; k++) x[i] -= factor[N * k + i] * x[k];
      x[i] /= factor[N * i + i];
    }
    for (int i = 0; i < N; i++) inverse[N * i + c] = x[i];
  }
}

static ElasticRow make_row(const Bodies *bodies, int row, const MidState *mid)
{
  const BodyKind *kind = kind_of(bodies, row);
  ElasticRow of;
  for (int c = 0; c < N; c++) {
    double unit[N] = {0}, taken[N];
    unit[c] = 1;
    const mat3 dyad = kind->resist(bodies, row, mid, elastic_field_of_numbers(unit));
    elastic_numbers_of_dyad(dyad, taken);
    for (int i = 0; i < N; i++) of.resist[N * i + c] = taken[i];
  }
  invert(of.resist, of.respond);
  for (int c = 0; c < N; c++) {
    double unit[N] = {0}, numbers[N], given[N] = {0}, entries[N];
    unit[c] = 1;
    elastic_numbers_of_dyad(of_entries(unit), numbers);
    for (int i = 0; i < N; i++)
      for (int k = 0; k < N; k++) given[i] += of.respond[N * i + k] * numbers[k];
    to_entries(elastic_field_of_numbers(given), entries);
    for (int i = 0; i < N; i++) of.of_dyad[N * i + c] = entries[i];
  }
  return of;
}

const ElasticRows *elastic_rows_new(const Bodies *bodies, const MidState *mid, Arena *arena)
{
  assert(bodies->table.owned <= bodies->table.count && "own rows come first");
  const int rows = bodies->table.count;
  int count = 0;
  for (int i = 0; i < rows; i++) count += motion_moves(&mid[i]) && kind_of(bodies, i)->resist;
  ElasticRows *made = arena_allocate(arena, sizeof *made);
  made->of_row = arena_allocate(arena, ((size_t)rows + 1) * sizeof *made->of_row);
  made->row = arena_allocate(arena, ((size_t)count + 1) * sizeof *made->row);
  int next = 0;
  for (int i = 0; i < rows; i++) {
    made->of_row[i] = -1;
    if (!motion_moves(&mid[i]) || !kind_of(bodies, i)->resist) continue;
    made->row[next] = make_row(bodies, i, &mid[i]);
    made->of_row[i] = next++;
  }
  return made;
}

mat3 elastic_row_respond(const ElasticRow *row, mat3 dyad)
{
  double taken[N], given[N];
  to_entries(dyad, taken);
  for (int i = 0; i < N; i++) {
    const double *r = &row->of_dyad[N * i];
    double sum = 0;
    for (int k = 0; k < N; k++) sum += r[k] * taken[k];
    given[i] = sum;
  }
  return of_entries(given);
}

mat3 elastic_row_delassus(const ElasticRow *row, double inverse_mass, vec3 y)
{
  assert_debug(inverse_mass > 0 && "a row that deforms moves");
  const double place[3] = {y.x, y.y, y.z};
  double w[3][3];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      double sum = i == k ? inverse_mass : 0;
      for (int j = 0; j < 3; j++) {
        const double *block = &row->of_dyad[N * (3 * i + j) + 3 * k];
        sum += place[j] * (block[0] * place[0] + block[1] * place[1] + block[2] * place[2]);
      }
      w[i][k] = sum;
    }
  return (mat3){
      {{w[0][0], w[0][1], w[0][2]}, {w[1][0], w[1][1], w[1][2]}, {w[2][0], w[2][1], w[2][2]}}};
}
