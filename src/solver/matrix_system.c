#include "matrix_system.h"

#include <assert.h>
#include <limits.h>
#include <string.h>
#include <suitesparse/cholmod.h>
#include <suitesparse/klu.h>

#include "memory.h"

struct MatrixSystem {
  const MatrixProblem *problem;
  double *weight;     // [3 count] Sig
  double *row, *in;   // [3 count], [3 count] work
  // local form
  SparseMatrix a;    // I + W Sig
  int *entry_of_w;   // [entries of W] place in a
  int *diagonal;     // [3 count] place in a
  klu_common klu;
  klu_symbolic *symbolic;
  klu_numeric *numeric;
  // global form
  SparseMatrix ht;   // H' [3 count, freedom]
  cholmod_common cholmod;
  cholmod_sparse *mass;   // both triangles
  cholmod_factor *mass_factor, *factor;
  cholmod_dense *load, *answer, *work1, *work2;   // [freedom]
};

static double *vector_new(size_t count) { return memory_allocate_zero(count + 1, sizeof(double)); }

static int rows_of(const MatrixSystem *s) { return 3 * s->problem->count; }

// -- local form -----------------------------------------------------------------------------------

// the pattern of I + W, and where the entries of W and the diagonal lie in it
static void make_pattern(MatrixSystem *s, Arena *arena)
{
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
  klu_defaults(&s->klu);
  make_pattern(s, arena);
  if (s->a.rows == 0) return true;
  // rows of a are columns to the library, which then solves with the transpose
  s->symbolic = klu_analyze(s->a.rows, s->a.start, s->a.column, &s->klu);
  return s->symbolic != NULL;
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
  klu_free_numeric(&s->numeric, &s->klu);
  s->numeric = klu_factor(s->a.start, s->a.column, s->a.value, s->symbolic, &s->klu);
  return s->numeric != NULL;
}

// -- global form ----------------------------------------------------------------------------------

// a view of a symmetric matrix or of a transpose by rows as one by columns
static cholmod_sparse view(const SparseMatrix *by_rows)
{
  return (cholmod_sparse){.nrow = (size_t)by_rows->columns,
                          .ncol = (size_t)by_rows->rows,
                          .nzmax = (size_t)by_rows->start[by_rows->rows],
                          .p = by_rows->start,
                          .i = by_rows->column,
                          .x = by_rows->value,
                          .itype = CHOLMOD_INT,
                          .xtype = CHOLMOD_REAL,
                          .dtype = CHOLMOD_DOUBLE,
                          .sorted = 1,
                          .packed = 1};
}

// factors a matrix of both triangles; keeps the analysis of an earlier one; false: not positive
// definite
static bool factorize(MatrixSystem *s, cholmod_sparse *full, cholmod_factor **factor)
{
  cholmod_sparse *upper = cholmod_copy(full, 1, 1, &s->cholmod);
  if (!upper) return false;
  if (!*factor) *factor = cholmod_analyze(upper, &s->cholmod);
  const bool done = *factor && cholmod_factorize(upper, *factor, &s->cholmod) &&
                    s->cholmod.status == CHOLMOD_OK && (*factor)->minor == (*factor)->n;
  cholmod_free_sparse(&upper, &s->cholmod);
  return done;
}

static bool begin_global(MatrixSystem *s, Arena *arena)
{
  cholmod_start(&s->cholmod);
  // no dense kernels of a library of others, whose bits depend on the machine
  s->cholmod.supernodal = CHOLMOD_SIMPLICIAL;
  s->cholmod.final_ll = 1;
  s->cholmod.print = 0;
  s->cholmod.nmethods = 1;
  s->cholmod.method[0].ordering = CHOLMOD_AMD;
  s->cholmod.postorder = 1;
  s->ht = sparse_matrix_transpose(&s->problem->h, arena);
  s->load = cholmod_zeros((size_t)s->problem->freedom, 1, CHOLMOD_REAL, &s->cholmod);
  cholmod_sparse mass = view(&s->problem->m);
  s->mass = cholmod_copy_sparse(&mass, &s->cholmod);
  return s->load && s->mass && factorize(s, s->mass, &s->mass_factor);
}

static bool prepare_global(MatrixSystem *s)
{
  // H Sig^1/2 has the columns of H', scaled
  cholmod_sparse h = view(&s->ht);
  cholmod_sparse *scaled = cholmod_copy_sparse(&h, &s->cholmod), *square = NULL, *sum = NULL;
  double one[2] = {1, 0};
  if (scaled) {
    double *value = scaled->x;
    for (int r = 0; r < s->ht.rows; r++) {
      const double root = sqrt(s->weight[r]);
      for (int k = s->ht.start[r]; k < s->ht.start[r + 1]; k++) value[k] *= root;
    }
    square = cholmod_aat(scaled, NULL, 0, 1, &s->cholmod);
  }
  if (square) sum = cholmod_add(s->mass, square, one, one, 1, 1, &s->cholmod);
  const bool done = sum && factorize(s, sum, &s->factor);
  cholmod_free_sparse(&sum, &s->cholmod);
  cholmod_free_sparse(&square, &s->cholmod);
  cholmod_free_sparse(&scaled, &s->cholmod);
  return done;
}

// answer from load
static const double *solve_global(MatrixSystem *s, cholmod_factor *factor)
{
  const int done = cholmod_solve2(CHOLMOD_A, factor, s->load, NULL, &s->answer, NULL, &s->work1,
                                  &s->work2, &s->cholmod);
  assert(done && "factors that exist solve");
  (void)done;
  return s->answer->x;
}

// u = H' v + w with M v = f + H x, or another factor instead of M
static void velocity_global(MatrixSystem *s, cholmod_factor *factor, const double *x, double *u)
{
  const MatrixProblem *p = s->problem;
  double *load = s->load->x;
  sparse_matrix_multiply(&p->h, x, load);
  for (int i = 0; i < p->freedom; i++) load[i] += p->force[i];
  sparse_matrix_multiply(&s->ht, solve_global(s, factor), u);
  for (int r = 0; r < 3 * p->count; r++) u[r] += p->free[r];
}

// the column of W of a row of u: H' M^-1 H e
static void column_global(MatrixSystem *s, int row, double *column)
{
  double *load = s->load->x;
  memset(load, 0, (size_t)s->problem->freedom * sizeof *load);
  for (int k = s->ht.start[row]; k < s->ht.start[row + 1]; k++)
    load[s->ht.column[k]] = s->ht.value[k];
  const double *v = solve_global(s, s->mass_factor);
  if (column) sparse_matrix_multiply(&s->ht, v, column);
}

// -- both -----------------------------------------------------------------------------------------

MatrixSystem *matrix_system_new(const MatrixProblem *problem, Arena *arena)
{
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

void matrix_system_destroy(MatrixSystem *s)
{
  if (!s) return;
  if (s->problem->form == MATRIX_LOCAL) {
    klu_free_numeric(&s->numeric, &s->klu);
    klu_free_symbolic(&s->symbolic, &s->klu);
  } else {
    cholmod_free_dense(&s->load, &s->cholmod);
    cholmod_free_dense(&s->answer, &s->cholmod);
    cholmod_free_dense(&s->work1, &s->cholmod);
    cholmod_free_dense(&s->work2, &s->cholmod);
    cholmod_free_sparse(&s->mass, &s->cholmod);
    cholmod_free_factor(&s->mass_factor, &s->cholmod);
    cholmod_free_factor(&s->factor, &s->cholmod);
    cholmod_finish(&s->cholmod);
  }
  memory_free(s->weight);
  memory_free(s->row);
  memory_free(s->in);
  memory_free(s);
}

mat3 matrix_system_diagonal(MatrixSystem *s, int contact)
{
  double w[3][3];
  for (int j = 0; j < 3; j++) {
    const bool local = s->problem->form == MATRIX_LOCAL;
    if (!local) column_global(s, 3 * contact + j, NULL);
    for (int i = 0; i < 3; i++) {
      w[i][j] = local ? sparse_matrix_at(&s->problem->w, 3 * contact + i, 3 * contact + j)
                      : sparse_matrix_row(&s->ht, 3 * contact + i, s->answer->x);
    }
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
  else velocity_global(s, s->mass_factor, s->in, s->row);
  gather(s, s->row, u);
}

bool matrix_system_prepare(MatrixSystem *s, const double *weight)
{
  for (int r = 0; r < rows_of(s); r++) s->weight[r] = weight[r / 3];
  return s->problem->form == MATRIX_LOCAL ? prepare_local(s) : prepare_global(s);
}

void matrix_system_respond(MatrixSystem *s, const vec3 *d, vec3 *u)
{
  flatten(s, d, s->in);
  if (s->problem->form == MATRIX_LOCAL) {
    velocity_local(s, s->in, s->row);
    if (s->numeric) klu_tsolve(s->symbolic, s->numeric, rows_of(s), 1, s->row, &s->klu);
  } else {
    // M v = f + H (d - Sig u) with u = H' v + w
    for (int r = 0; r < rows_of(s); r++) s->in[r] -= s->weight[r] * s->problem->free[r];
    velocity_global(s, s->factor, s->in, s->row);
  }
  gather(s, s->row, u);
}

bool matrix_system_delassus(MatrixSystem *s, SparseMatrix *delassus, Arena *arena)
{
  *delassus = s->problem->w;
  if (s->problem->form == MATRIX_LOCAL) return true;
  const int rows = rows_of(s);
  SparseMatrix w = {.rows = rows,
                    .columns = rows,
                    .start = arena_allocate_zero(arena, (size_t)rows + 1, sizeof(int))};
  // twice over the columns, which are rows as well: how many entries, then which
  for (int pass = 0; pass < 2; pass++) {
    int end = 0;
    for (int r = 0; r < rows; r++) {
      column_global(s, r, s->row);
      if (end > INT_MAX - rows) return false;
      for (int c = 0; c < rows; c++) {
        if (s->row[c] == 0) continue;
        if (pass == 1) {
          w.column[end] = c;
          w.value[end] = s->row[c];
        }
        end++;
      }
      w.start[r + 1] = end;
    }
    if (pass == 1) break;
    w.column = arena_allocate(arena, ((size_t)end + 1) * sizeof(int));
    w.value = arena_allocate(arena, ((size_t)end + 1) * sizeof(double));
  }
  *delassus = w;
  return true;
}
