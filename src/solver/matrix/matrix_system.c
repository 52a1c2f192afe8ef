// The operators of ADMM for a matrix problem, by sparse factors.
#include "matrix_system.h"

#include <assert.h>
#include <cs.h>
#include <limits.h>
#include <string.h>

#include "check.h"
#include "memory.h"

#define PIVOT_SHARE 1e-3   // of the largest in its column: a pivot on the diagonal is taken

// Of a matrix that is factored again and again.
typedef struct {
  cs_dis *analysis;   // NULL: not yet
  cs_din *numbers;    // NULL: not yet, or it failed
} Factors;

struct MatrixSystem {
  const MatrixProblem *problem;
  double *weight;                  // [3 count] Sig
  double *row, *in;                // [3 count], [3 count] work
  double *right_side, *permuted;   // [rows of the system] work
  Factors system;
  // local form
  SparseMatrix a;    // I + W Sig
  int *entry_of_w;   // [entries of W] place in a
  int *diagonal;     // [3 count] place in a
  // global form
  SparseMatrix ht;        // H' [3 count, freedom]
  SparseMatrix ordered;   // H', its columns in the order in which M is factored, in a row in none
  Factors mass;
  double *root[3];   // [freedom] zero between uses
  int *reach[3];     // [2 freedom]
};

static double *vector_new(size_t count) { return memory_allocate_zero(count + 1, sizeof(double)); }

static int rows_of(const MatrixSystem *s) { return 3 * s->problem->count; }

// rows as columns: the transpose
static cs_di view_transposed(const SparseMatrix *a)
{
  return (cs_di){.nzmax = a->start[a->rows],
                 .m = a->columns,
                 .n = a->rows,
                 .p = a->start,
                 .i = a->column,
                 .x = a->value,
                 .nz = -1};
}

// -- local form -----------------------------------------------------------------------------------

// the pattern of I + W, and where the entries of W and the diagonal lie in it
static void make_pattern(MatrixSystem *s, Arena *arena)
{
  assert(s->problem->w.rows == s->problem->w.columns && "W is square");
  const SparseMatrix *w = &s->problem->w;
  const int rows = w->rows, count = w->start[rows];
  const size_t room = (size_t)count + (size_t)rows + 1;
  s->a = (SparseMatrix){.rows = rows,
                        .columns = rows,
                        .start = arena_allocate_zero(arena, (size_t)rows + 1, sizeof(int)),
                        .column = arena_allocate(arena, room * sizeof(int)),
                        .value = arena_allocate_zero(arena, room, sizeof(double))};
  s->entry_of_w = arena_allocate(arena, ((size_t)count + 1) * sizeof(int));
  s->diagonal = arena_allocate(arena, ((size_t)rows + 1) * sizeof(int));
  int end = 0;
  for (int r = 0; r < rows; r++) {
    bool found = false;
    for (int k = w->start[r]; k < w->start[r + 1]; k++) {
      if (!found && w->column[k] > r) {
        s->diagonal[r] = end;
        s->a.column[end++] = r;
        found = true;
      }
      if (w->column[k] == r) {
        s->diagonal[r] = end;
        found = true;
      }
      s->entry_of_w[k] = end;
      s->a.column[end++] = w->column[k];
    }
    if (!found) {
      s->diagonal[r] = end;
      s->a.column[end++] = r;
    }
    s->a.start[r + 1] = end;
  }
}

static bool begin_local(MatrixSystem *s, Arena *arena)
{
  make_pattern(s, arena);
  s->right_side = vector_new((size_t)s->a.rows);
  s->permuted = vector_new((size_t)s->a.rows);
  if (s->a.rows == 0) return true;
  const cs_di matrix = view_transposed(&s->a);
  s->system.analysis = cs_di_sqr(1, &matrix, 0);
  return s->system.analysis != NULL;
}

static bool prepare_local(MatrixSystem *s)
{
  const SparseMatrix *w = &s->problem->w;
  if (s->a.rows == 0) return true;
  memset(s->a.value, 0, (size_t)s->a.start[s->a.rows] * sizeof *s->a.value);
  for (int r = 0; r < w->rows; r++) {
    for (int k = w->start[r]; k < w->start[r + 1]; k++)
      s->a.value[s->entry_of_w[k]] = w->value[k] * s->weight[w->column[k]];
    s->a.value[s->diagonal[r]] += 1;
  }
  const cs_di matrix = view_transposed(&s->a);
  cs_di_nfree(s->system.numbers);
  s->system.numbers = cs_di_lu(&matrix, s->system.analysis, PIVOT_SHARE);
  return s->system.numbers != NULL;
}

// x of (I + W Sig) x = b, in its place: with the factors of the transpose
static void solve_local(MatrixSystem *s, double *b)
{
  const int rows = s->a.rows;
  const cs_din *factors = s->system.numbers;
  if (!factors) return;
  cs_di_pvec(s->system.analysis->q, b, s->permuted, rows);
  cs_di_utsolve(factors->U, s->permuted);
  cs_di_ltsolve(factors->L, s->permuted);
  cs_di_pvec(factors->pinv, s->permuted, b, rows);
}

// -- global form ----------------------------------------------------------------------------------

// factors a symmetric matrix of both triangles; keeps the analysis of an earlier one of the same
// pattern; false: not positive definite, or too large
static bool factorize(Factors *factors, const SparseMatrix *full)
{
  assert(full->rows == full->columns && "a factor is of a square matrix");
  const cs_di matrix = view_transposed(full);
  cs_di_nfree(factors->numbers);
  factors->numbers = NULL;
  if (full->rows == 0) return true;
  if (!factors->analysis) factors->analysis = cs_di_schol(1, &matrix);
  if (!factors->analysis || factors->analysis->lnz > INT_MAX) return false;
  factors->numbers = cs_di_chol(&matrix, factors->analysis);
  return factors->numbers != NULL;
}

static bool begin_global(MatrixSystem *s, Arena *arena)
{
  const size_t freedom = (size_t)s->problem->freedom;
  s->ht = sparse_matrix_transpose(&s->problem->h, arena);
  s->right_side = vector_new(freedom);
  s->permuted = vector_new(freedom);
  if (!factorize(&s->mass, &s->problem->m)) return false;
  for (int j = 0; j < 3; j++) {
    s->root[j] = vector_new(freedom);
    s->reach[j] = memory_allocate_zero(2 * freedom + 1, sizeof *s->reach[j]);
  }
  const size_t entries = (size_t)s->ht.start[s->ht.rows];
  s->ordered = s->ht;
  s->ordered.column = arena_allocate(arena, (entries + 1) * sizeof *s->ordered.column);
  for (size_t k = 0; k < entries; k++)
    s->ordered.column[k] = s->mass.analysis->pinv[s->ht.column[k]];
  return true;
}

static bool prepare_global(MatrixSystem *s)
{
  // H Sig by rows: the columns of a row are those that have weights
  const SparseMatrix *h = &s->problem->h;
  SparseMatrix scaled = *h, square, sum;
  scaled.value = vector_new((size_t)h->start[h->rows]);
  for (int k = 0; k < h->start[h->rows]; k++)
    scaled.value[k] = h->value[k] * s->weight[h->column[k]];
  Arena scratch = arena_new();
  const bool done = sparse_matrix_product(&scaled, &s->ht, &square, &scratch) &&
                    sparse_matrix_sum(&s->problem->m, &square, &sum, &scratch) &&
                    factorize(&s->system, &sum);
  arena_destroy(&scratch);
  memory_free(scaled.value);
  return done;
}

// The right side becomes the solution
static const double *solve_global(MatrixSystem *s, const Factors *factors)
{
  const int rows = s->problem->freedom;
  if (rows == 0) return s->right_side;
  cs_di_ipvec(factors->analysis->pinv, s->right_side, s->permuted, rows);
  cs_di_lsolve(factors->numbers->L, s->permuted);
  cs_di_ltsolve(factors->numbers->L, s->permuted);
  cs_di_pvec(factors->analysis->pinv, s->permuted, s->right_side, rows);
  return s->right_side;
}

// u = H' v + w with M v = f + H x, or another factor instead of M
static void velocity_global(MatrixSystem *s, const Factors *factors, const double *x, double *u)
{
  const MatrixProblem *p = s->problem;
  sparse_matrix_multiply(&p->h, x, s->right_side);
  for (int i = 0; i < p->freedom; i++) s->right_side[i] += p->force[i];
  sparse_matrix_multiply(&s->ht, solve_global(s, factors), u);
  for (int r = 0; r < 3 * p->count; r++) u[r] += p->free[r];
}

// M = L L' but for an order: column r of R = L^-1 H, so that W = R' R; j is one of three places for
// it. Returns where its rows begin in reach, up to freedom; root has their numbers, and zeros.
static int solve_root(MatrixSystem *s, int r, int j)
{
  assert_debug(j >= 0 && j < 3 && r >= 0 && "a contact has three rows");
  const int rows = s->problem->freedom;
  if (rows == 0) return 0;
  // a transpose by rows is the matrix by columns
  const cs_di columns = view_transposed(&s->ordered);
  return cs_di_spsolve(s->mass.numbers->L, &columns, r, s->reach[j], s->root[j], NULL, 1);
}

static void clear_root(MatrixSystem *s, int first, int j)
{
  for (int k = first; k < s->problem->freedom; k++) s->root[j][s->reach[j][k]] = 0;
}

static void diagonal_global(MatrixSystem *s, int contact, double w[3][3])
{
  int first[3];
  for (int j = 0; j < 3; j++) {
    first[j] = solve_root(s, 3 * contact + j, j);
    for (int i = 0; i <= j; i++) {
      w[i][j] = 0;
      for (int k = first[j]; k < s->problem->freedom; k++)
        w[i][j] += s->root[i][s->reach[j][k]] * s->root[j][s->reach[j][k]];
      w[j][i] = w[i][j];
    }
  }
  for (int j = 0; j < 3; j++) clear_root(s, first[j], j);
}

// R' by rows, whose columns come in no order; false: too many entries
static bool make_root(MatrixSystem *s, SparseMatrix *root, Arena *arena)
{
  const int rows = rows_of(s), freedom = s->problem->freedom;
  *root = (SparseMatrix){.rows = rows,
                         .columns = freedom,
                         .start = arena_allocate_zero(arena, (size_t)rows + 1, sizeof(int))};
  // twice: how many entries, then which
  for (int pass = 0; pass < 2; pass++) {
    int end = 0;
    for (int r = 0; r < rows; r++) {
      const int first = solve_root(s, r, 0);
      if (end > INT_MAX - (freedom - first)) return false;
      for (int k = first; k < freedom; k++, end++) {
        if (pass == 0) continue;
        root->column[end] = s->reach[0][k];
        root->value[end] = s->root[0][s->reach[0][k]];
      }
      clear_root(s, first, 0);
      root->start[r + 1] = end;
    }
    if (pass == 1) break;
    root->column = arena_allocate(arena, ((size_t)end + 1) * sizeof(int));
    root->value = arena_allocate(arena, ((size_t)end + 1) * sizeof(double));
  }
  return true;
}

// -- both -----------------------------------------------------------------------------------------

MatrixSystem *matrix_system_new(const MatrixProblem *problem, Arena *arena)
{
  assert(problem->count >= 0 && problem->freedom >= 0 && "contacts and rows are counted");
  MatrixSystem *s = memory_allocate_zero(1, sizeof *s);
  const size_t rows = (size_t)(3 * problem->count);
  s->problem = problem;
  s->weight = vector_new(rows);
  s->row = vector_new(rows);
  s->in = vector_new(rows);
  if (problem->form == MATRIX_LOCAL ? begin_local(s, arena) : begin_global(s, arena)) return s;
  matrix_system_destroy(s);
  return NULL;
}

static void factors_free(Factors *factors)
{
  cs_di_nfree(factors->numbers);
  cs_di_sfree(factors->analysis);
}

void matrix_system_destroy(MatrixSystem *s)
{
  if (!s) return;
  factors_free(&s->system);
  factors_free(&s->mass);
  for (int j = 0; j < 3; j++) {
    memory_free(s->root[j]);
    memory_free(s->reach[j]);
  }
  memory_free(s->right_side);
  memory_free(s->permuted);
  memory_free(s->weight);
  memory_free(s->row);
  memory_free(s->in);
  memory_free(s);
}

mat3 matrix_system_diagonal(MatrixSystem *s, int contact)
{
  assert(contact >= 0 && contact < s->problem->count && "a contact has a number");
  double w[3][3];
  if (s->problem->form == MATRIX_LOCAL) {
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        w[i][j] = sparse_matrix_at(&s->problem->w, 3 * contact + i, 3 * contact + j);
  } else {
    diagonal_global(s, contact, w);
  }
  return (mat3){
      {{w[0][0], w[0][1], w[0][2]}, {w[1][0], w[1][1], w[1][2]}, {w[2][0], w[2][1], w[2][2]}}};
}

static void flatten(const MatrixSystem *s, const vec3 *from, double *to)
{
  for (int i = 0; i < s->problem->count; i++) {
    to[3 * i] = from[i].x;
    to[3 * i + 1] = from[i].y;
    to[3 * i + 2] = from[i].z;
  }
}

static void gather(const MatrixSystem *s, const double *from, vec3 *to)
{
  for (int i = 0; i < s->problem->count; i++)
    to[i] = (vec3){from[3 * i], from[3 * i + 1], from[3 * i + 2]};
}

// u = u_free + W x by the local form
static void velocity_local(MatrixSystem *s, const double *x, double *u)
{
  sparse_matrix_multiply(&s->problem->w, x, u);
  for (int r = 0; r < rows_of(s); r++) u[r] += s->problem->free[r];
}

void matrix_system_velocity(MatrixSystem *s, const vec3 *r, vec3 *u)
{
  flatten(s, r, s->in);
  if (s->problem->form == MATRIX_LOCAL) velocity_local(s, s->in, s->row);
  else velocity_global(s, &s->mass, s->in, s->row);
  gather(s, s->row, u);
}

bool matrix_system_prepare(MatrixSystem *s, const double *weight)
{
  assert((weight != NULL || s->problem->count == 0) && "contacts have weights");
  for (int r = 0; r < rows_of(s); r++) s->weight[r] = weight[r / 3];
  return s->problem->form == MATRIX_LOCAL ? prepare_local(s) : prepare_global(s);
}

void matrix_system_respond(MatrixSystem *s, const vec3 *d, vec3 *u)
{
  flatten(s, d, s->in);
  if (s->problem->form == MATRIX_LOCAL) {
    velocity_local(s, s->in, s->row);
    solve_local(s, s->row);
  } else {
    // M v = f + H (d - Sig u) with u = H' v + w
    for (int r = 0; r < rows_of(s); r++) s->in[r] -= s->weight[r] * s->problem->free[r];
    velocity_global(s, &s->system, s->in, s->row);
  }
  gather(s, s->row, u);
}

bool matrix_system_delassus(MatrixSystem *s, SparseMatrix *delassus, Arena *arena)
{
  *delassus = s->problem->w;
  if (s->problem->form == MATRIX_LOCAL) return true;
  Arena scratch = arena_new();
  SparseMatrix root;
  bool done = make_root(s, &root, &scratch);
  if (done) {
    const SparseMatrix transpose = sparse_matrix_transpose(&root, &scratch);
    done = sparse_matrix_product(&root, &transpose, delassus, arena);
  }
  arena_destroy(&scratch);
  return done;
}
