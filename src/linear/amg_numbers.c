// Numbers of levels and transfers on patterns that are made.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "amg_level.h"
#include "block_kernel.h"
#include "check.h"
#include "hash.h"

#define POWER_ITERATIONS 15
#define POWER_MARGIN 1.1        // the iterations come from below
#define PAIRS_BOUND 2.0         // |a + b|^2 <= 2 |a|^2 + 2 |b|^2 for each pair's term
#define SMOOTHING (4.0 / 3.0)   // over the highest eigenvalue (Vanek, Mandel and Brezina 1996)
#define SALT 0x9037e4U          // of the power iterations' start

#define BLOCK_BYTES (BLOCK_SIZE * sizeof(double))
#define SINGLE_BYTES (BLOCK_SIZE * sizeof(float))
#define TRIANGLE_BYTES (TRIANGLE_SIZE * sizeof(double))

double amg_level_max(const Level *level, double value)
{
  if (level->shared) return isnan(value) ? INFINITY : value;
  return par_max(value);
}

bool amg_level_any(const Level *level, bool value)
{
  return level->shared ? value : par_any(value);
}

void amg_level_take(const Level *level, const void *draft_rows, size_t row_bytes, void *rows)
{
  assert(row_bytes > 0 && row_bytes <= BLOCK * sizeof(double) && "a row is no more than a block's");
  const LevelGather *g = level->gather;
  if (!g) {
    if (level->own) memcpy(rows, draft_rows, (size_t)level->own * row_bytes);
    return;
  }
  if (g->draft_own) memcpy(g->sent, draft_rows, (size_t)g->draft_own * row_bytes);
  const size_t most = (size_t)g->most * row_bytes;
  par_all_gather(g->sent, most, g->gathered);
  for (int r = 0; r < par_size(); r++)
    for (int i = g->row_first[r]; i < g->row_first[r + 1]; i++)
      memcpy((char *)rows + row_bytes * (size_t)g->row_to[i],
             g->gathered + most * (size_t)r + row_bytes * (size_t)(i - g->row_first[r]), row_bytes);
}

void amg_level_unload(const Level *level, const void *rows, size_t row_bytes, void *draft_rows)
{
  assert(row_bytes > 0 && row_bytes <= BLOCK * sizeof(double) && "a row is no more than a block's");
  const LevelGather *g = level->gather;
  if (!g) {
    if (level->own) memcpy(draft_rows, rows, (size_t)level->own * row_bytes);
    return;
  }
  const int *row_to = g->row_to + g->row_first[par_rank()];
  for (int i = 0; i < g->draft_own; i++)
    memcpy((char *)draft_rows + row_bytes * (size_t)i,
           (const char *)rows + row_bytes * (size_t)row_to[i], row_bytes);
}

// A product of a block and as many numbers of a vector.
typedef void ApplyBlock(const double *block, const double *x, double *y);

// Own rows of a vector by the triangles of their rows; y may be x. Compiled into its three callers:
// gcc would rather make a call for each row.
__attribute__((always_inline)) static inline void apply_triangles(const Level *level,
                                                                  double *triangles,
                                                                  ApplyBlock *apply,
                                                                  const double *x, double *y)
{
  for (int i = 0; i < level->own; i++) {
    double triangle[BLOCK_SIZE], scaled[BLOCK];
    triangle_unpack(triangle_of(triangles, i), triangle);
    apply(triangle, x + (size_t)BLOCK * (size_t)i, scaled);
    memcpy(row_of(y, i), scaled, sizeof scaled);
  }
}

void amg_level_scale(const Level *level, const double *x, double *y)
{
  apply_triangles(level, level->inverse, block_apply, x, y);
}

void amg_level_unscale(const Level *level, const double *x, double *y)
{
  apply_triangles(level, level->inverse, block_apply_transposed, x, y);
}

void amg_level_rescale(const Level *level, const double *x, double *y)
{
  apply_triangles(level, level->factor, block_apply_transposed, x, y);
}

// A row's sum is what rows of lower keys add to it, in their order, plus what its own couplings
// with higher keys give: no matter which rank has them.
void amg_level_multiply(const Level *level, double *x, double *y, Arena *scratch)
{
  assert(x != y && "a product is not in the place of its factor");
  halo_refresh(&level->plan, x, BLOCK * sizeof *x, scratch);
  memset(y, 0, (size_t)level->count * BLOCK * sizeof *y);
  for (int p = 0; p < level->count; p++) {
    const int i = level->order[p];
    const double *xi = row_of(x, i);
    double *yi = row_of(y, i);
    ColumnSum sum;
    column_sum_zero(&sum);
    for (int e = level->start[p]; e < level->start[p + 1]; e++) {
      const double *block = block_of(level->block, e);
      column_sum_add(&sum, block, row_of(x, level->column[e]));
      block_add_transposed(block, xi, row_of(y, level->column[e]));
    }
    column_sum_to(&sum, yi);
    for (int c = 0; c < BLOCK; c++) yi[c] += xi[c];
  }
}

// what becomes of a row once its product y is known: no later row reads its x or d
static inline void finish_row(const Level *level, Pass pass, Chebyshev c, int i, const float *y)
{
  const Eight product = *(const Eight *)y;
  Eight *r = (Eight *)single_row(level->r, i), *d = (Eight *)single_row(level->d, i);
  Eight *x = (Eight *)single_row(level->x, i);
  switch (pass) {
  case PASS_PRODUCT: *r = product; return;
  case PASS_BEGIN:
    *r = *(const Eight *)single_row(level->b, i) - product;
    *d = c.first * *r;
    *x += *d;
    return;
  case PASS_STEP:
    *r -= product;
    *d = c.carried * *d + c.second * *r;
    *x += *d;
    return;
  case PASS_RESIDUAL: *r -= product; return;
  }
}

static inline void run_pass(const Level *level, Pass pass, Chebyshev c, float *v)
{
  for (int p = 0; p < level->count; p++) {
    const int i = level->order[p];
    const float *vi = single_row(v, i);
    float *yi = single_row(level->product, i);
    SingleSum sum;
    single_sum_zero(&sum);
    for (int e = level->start[p]; e < level->start[p + 1]; e++) {
      const float *block = single_block(level->coupling, e);
      single_sum_add(&sum, block, single_row(v, level->column[e]));
      single_add_transposed(block, vi, single_row(level->product, level->column[e]));
    }
    single_sum_to(&sum, yi);
    *(Eight *)yi += *(const Eight *)vi;
    if (i < level->own) finish_row(level, pass, c, i, yi);
    memset(yi, 0, SINGLE_ROW * sizeof *yi);
  }
}

// Sums as in amg_level_multiply. Lower rows have given all they add to a row when it comes,
// so that its product is known at once.
void amg_level_pass(const Level *level, Pass pass, Chebyshev c, Arena *scratch)
{
  assert(pass <= PASS_RESIDUAL && "a pass that there is");
  float *v = pass == PASS_STEP || pass == PASS_RESIDUAL ? level->d : level->x;
  halo_refresh(&level->plan, v, SINGLE_ROW * sizeof *v, scratch);
  switch (pass) {   // (a constant makes each its own loop)
  case PASS_PRODUCT: run_pass(level, PASS_PRODUCT, c, level->x); return;
  case PASS_BEGIN: run_pass(level, PASS_BEGIN, c, level->x); return;
  case PASS_STEP: run_pass(level, PASS_STEP, c, level->d); return;
  case PASS_RESIDUAL: run_pass(level, PASS_RESIDUAL, c, level->d); return;
  }
}

// A matrix's rows one after another: diagonals, of which a triangle does, and couplings by columns
// where they belong.
static void read_matrix(const LevelDraft *draft, const int *target, double *diagonal, double *block,
                        Arena *scratch)
{
  assert(draft->matrix != NULL && "the first level's numbers are a matrix's");
  const BlockMatrix *a = draft->matrix;
  int longest = 0;
  for (int i = 0; i < draft->own; i++)
    if (a->start[i + 1] - a->start[i] > longest) longest = a->start[i + 1] - a->start[i];
  double *buffer = arena_allocate(scratch, (size_t)longest * BLOCK_BYTES);
  for (int i = 0; i < draft->own; i++) {
    const double *row = block_matrix_row(a, i, buffer);
    const int first = a->start[i];   // (diagonals are symmetric)
    triangle_pack(const_block_of(row, draft->diagonal_at[i] - first), triangle_of(diagonal, i));
    for (int e = draft->entry_start[i]; e < draft->entry_start[i + 1]; e++)
      block_transpose(const_block_of(row, draft->entry_at[e] - first),
                      block_of(block, target ? target[e] : e));
  }
}

static void pack_diagonals(const LevelDraft *draft, double *triangles)
{
  for (int i = 0; i < draft->own; i++)
    triangle_pack(block_of(draft->diagonal, i), triangle_of(triangles, i));
}

// the numbers of all ranks' drafts
static void gather_draft(Level *level, LevelDraft draft, Arena *scratch)
{
  assert(level->gather->draft_own == draft.own && "rows of the draft the pattern was made for");
  const LevelGather *g = level->gather;
  double *triangles = arena_allocate(scratch, ((size_t)draft.own + 1) * TRIANGLE_BYTES);
  if (draft.matrix) {
    draft.block = arena_allocate(scratch, ((size_t)draft.count + 1) * BLOCK_BYTES);
    read_matrix(&draft, NULL, triangles, draft.block, scratch);
  } else {
    pack_diagonals(&draft, triangles);
  }
  int *first = arena_allocate(scratch, ((size_t)par_size() + 1) * sizeof *first);
  const vec3 *places = amg_plan_gather(draft.place, draft.own, sizeof *places, first, scratch);
  double *diagonals = amg_plan_gather(triangles, draft.own, TRIANGLE_BYTES, first, scratch);
  for (int i = 0; i < level->own; i++) {
    level->place[g->row_to[i]] = places[i];
    memcpy(triangle_of(level->factor, g->row_to[i]), triangle_of(diagonals, i), TRIANGLE_BYTES);
  }
  const double *blocks = amg_plan_gather(draft.block, draft.count, BLOCK_BYTES, first, scratch);
  for (int e = 0; e < level->start[level->count]; e++)
    memcpy(block_of(level->block, e), const_block_of(blocks, level->source[e]), BLOCK_BYTES);
}

// The draft of a level as the level counts its rows: diagonals in the place of factors.
static void take_draft(Level *level, const LevelDraft *draft, Arena *scratch)
{
  assert(level->draft_count == draft->count && "couplings of the draft the pattern was made for");
  if (level->gather) {
    gather_draft(level, *draft, scratch);
    return;
  }
  if (level->own) memcpy(level->place, draft->place, (size_t)level->own * sizeof *level->place);
  halo_refresh(&level->plan, level->place, sizeof *level->place, scratch);
  if (draft->matrix) {
    read_matrix(draft, level->target, level->factor, level->block, scratch);
  } else {
    pack_diagonals(draft, level->factor);
    for (int e = 0; e < draft->count; e++)
      memcpy(block_of(level->block, level->target[e]), block_of(draft->block, e), BLOCK_BYTES);
  }
  halo_refresh(&level->entry_plan, level->block, BLOCK_BYTES, scratch);
}

bool amg_level_fill(Level *level, const LevelDraft *draft, double floor, Arena *scratch)
{
  assert(!(floor < 0) && "a pivot's floor is not below zero");
  const ArenaMark mark = arena_mark(scratch);
  take_draft(level, draft, scratch);
  bool whole = true;
  for (int i = 0; i < level->own; i++) {
    double diagonal[BLOCK_SIZE], factor[BLOCK_SIZE];
    triangle_unpack(triangle_of(level->factor, i), diagonal);
    whole &= block_cholesky(diagonal, floor, factor);
    triangle_pack(factor, triangle_of(level->factor, i));
  }
  halo_refresh(&level->plan, level->factor, TRIANGLE_BYTES, scratch);
  for (int i = 0; i < level->count; i++) {
    double factor[BLOCK_SIZE], inverse[BLOCK_SIZE];
    triangle_unpack(triangle_of(level->factor, i), factor);
    block_invert_lower(factor, inverse);
    triangle_pack(inverse, triangle_of(level->inverse, i));
  }

  for (int p = 0; p < level->count; p++) {
    double mine[BLOCK_SIZE];
    triangle_unpack(triangle_of(level->inverse, level->order[p]), mine);
    for (int e = level->start[p]; e < level->start[p + 1]; e++) {
      double half[BLOCK_SIZE], inverse[BLOCK_SIZE], other[BLOCK_SIZE];
      block_product(mine, block_of(level->block, e), half);
      block_transpose(triangle_unpack(triangle_of(level->inverse, level->column[e]), inverse),
                      other);
      block_product(half, other, block_of(level->block, e));
      single_block_set(block_of(level->block, e), single_block(level->coupling, e));
    }
  }
  arena_release(scratch, mark);
  return !amg_level_any(level, !whole);
}

void amg_level_bound(Level *level, int depth, Arena *scratch)
{
  assert(depth >= 0 && "levels are counted from the finest");
  level->highest = PAIRS_BOUND;
  if (depth == 0) return;
  float *x = level->x, *y = level->r;
  for (int i = 0; i < level->own; i++)
    for (int c = 0; c < BLOCK; c++)
      single_row(x, i)[c] =
          (float)(hash_mix(level->key[i], SALT + (uint64_t)c) >> 40) * 0x1p-24F - 0.5F;
  double most = 1;
  for (int k = 0; k < POWER_ITERATIONS; k++) {
    amg_level_pass(level, PASS_PRODUCT, (Chebyshev){0}, scratch);
    float largest = 0;
    for (int i = 0; i < SINGLE_ROW * level->own; i++) largest = fmaxf(largest, fabsf(y[i]));
    most = amg_level_max(level, (double)largest);
    for (int i = 0; i < SINGLE_ROW * level->own; i++) x[i] = y[i] / (float)most;
  }
  level->highest = POWER_MARGIN * most;
}

// the place of each row's aggregate: its root's
static vec3 *find_places(const Transfer *t, const Level *level, Arena *scratch)
{
  vec3 *places = arena_allocate(scratch, ((size_t)level->count + 1) * sizeof *places);
  for (int joined = 0; joined < 2; joined++) {
    const vec3 *from = joined ? places : level->place;
    for (int i = 0; i < level->own; i++)
      if (t->root[i] >= 0 && t->joined[i] == joined) places[i] = from[t->root[i]];
    halo_refresh(&level->plan, places, sizeof *places, scratch);
  }
  return places;
}

// L' P0: rigid motions about the aggregate's place, v = w x d and w
static void fill_tentative(const double *triangle, vec3 d, double *block)
{
  double factor[BLOCK_SIZE], transposed[BLOCK_SIZE];
  double motion[BLOCK_SIZE] = {1, 0,    0,   0, 0, 0, 0,   1, 0,    0, 0, 0, 0,    0,   1, 0, 0, 0,
                               0, -d.z, d.y, 1, 0, 0, d.z, 0, -d.x, 0, 1, 0, -d.y, d.x, 0, 0, 0, 1};
  block_transpose(triangle_unpack(triangle, factor), transposed);
  block_product(transposed, motion, block);
}

// the block of an own row's coupling
static const double *full_block(const Level *level, int e, double *buffer)
{
  assert_debug(e >= 0 && e < level->full_start[level->own] && "a coupling of an own row");
  const double *block = block_of(level->block, level->full_block[e] / 2);
  if (level->full_block[e] % 2 == 0) return block;
  block_transpose(block, buffer);
  return buffer;
}

// P in single precision: what it rounds is a share of a preconditioner, symmetric all the same
static inline const double *widened(const float *block, double *buffer)
{
  for (int c = 0; c < BLOCK_SIZE; c++) buffer[c] = (double)block[c];
  return buffer;
}

// own rows of P = (1 - omega A) L' P0, then those of neighbours
static void fill_interpolation(Transfer *t, const Level *level, Arena *scratch)
{
  assert(t->own == level->own && t->own + t->near == level->count &&
         "every row of the level has a row of P");
  const ArenaMark mark = arena_mark(scratch);
  const vec3 *places = find_places(t, level, scratch);
  double *rigid = arena_allocate(scratch, (size_t)level->count * BLOCK_BYTES);
  for (int i = 0; i < level->count; i++)
    if (t->aggregate_wide[i] >= 0)
      fill_tentative(triangle_of(level->factor, i), vec3_sub(level->place[i], places[i]),
                     block_of(rigid, i));
  int *at = arena_allocate(scratch, ((size_t)t->wide_count + 1) * sizeof *at);
  int widest = 0;
  for (int i = 0; i < level->own; i++)
    if (t->start[i + 1] - t->start[i] > widest) widest = t->start[i + 1] - t->start[i];
  double *row = arena_allocate(scratch, (size_t)widest * BLOCK_BYTES);
  const double omega = SMOOTHING / level->highest;
  for (int i = 0; i < level->own; i++) {
    if (t->aggregate_wide[i] < 0) continue;
    const int first = t->start[i], count = t->start[i + 1] - first;
    for (int e = 0; e < count; e++) at[t->wide[first + e]] = e;
    memset(row, 0, (size_t)count * BLOCK_BYTES);
    double *self = block_of(row, at[t->aggregate_wide[i]]);
    const double *mine = block_of(rigid, i);
    memcpy(self, mine, BLOCK_BYTES);
    for (int e = level->full_start[i]; e < level->full_start[i + 1]; e++) {
      const int j = level->full_column[e];
      double buffer[BLOCK_SIZE];
      block_product_add(full_block(level, e, buffer), block_of(rigid, j),
                        block_of(row, at[t->aggregate_wide[j]]));
    }
    for (int c = 0; c < count * BLOCK_SIZE; c++) row[c] *= -omega;
    for (int c = 0; c < BLOCK_SIZE; c++) self[c] += mine[c];
    for (int c = 0; c < count * BLOCK_SIZE; c++) single_block(t->block, first)[c] = (float)row[c];
  }
  arena_release(scratch, mark);
  halo_refresh(&t->near_plan, t->block, SINGLE_BYTES, scratch);
}

// an own row of A P
static void fill_product(const Transfer *t, const Level *level, int row, int *at, double *product)
{
  assert_debug(row >= 0 && row < t->own && "a product of an own row");
  const int first = t->product_start[row], count = t->product_start[row + 1] - first;
  for (int e = 0; e < count; e++) at[t->product_wide[first + e]] = e;
  memset(product, 0, (size_t)count * BLOCK_BYTES);
  for (int f = t->start[row]; f < t->start[row + 1]; f++)
    widened(single_block(t->block, f), block_of(product, at[t->wide[f]]));
  for (int e = level->full_start[row]; e < level->full_start[row + 1]; e++) {
    const int j = level->full_column[e];
    double buffer[BLOCK_SIZE], wide[BLOCK_SIZE];
    const double *block = full_block(level, e, buffer);
    for (int f = t->start[j]; f < t->start[j + 1]; f++)
      block_product_add(block, widened(single_block(t->block, f), wide),
                        block_of(product, at[t->wide[f]]));
  }
}

// adds a row's P' (A P) to own rows of the coarser draft: on the diagonal and above
static void add_row(const Transfer *t, int row, const double *product, LevelDraft *coarse)
{
  assert_debug(row >= 0 && row < t->own + t->received && "a row of A P is here");
  const int p = row < t->own ? row : row + t->near;
  const int end = t->product_start[row + 1], first = t->product_start[row];
  for (int f = t->start[p]; f < t->start[p + 1]; f++) {
    const int w = t->wide[f], c = t->coarse_of_wide[w];
    if (c < 0) continue;
    double transposed[BLOCK_SIZE], wide[BLOCK_SIZE];
    block_transpose(widened(single_block(t->block, f), wide), transposed);
    int k = t->coarse_start[c];
    for (int e = first; e < end; e++) {
      const int other = t->product_wide[e];
      if (other < w) continue;
      const double *factor = product + (size_t)BLOCK_SIZE * (size_t)(e - first);
      if (other == w) {
        block_product_add(transposed, factor, block_of(coarse->diagonal, c));
        continue;
      }
      while (t->coarse_wide[k] < other) k++;
      block_product_add(transposed, factor, block_of(coarse->block, k));
    }
  }
}

// what stays until the coarser level is made
static void allocate_coarse(LevelDraft *coarse, Arena *scratch)
{
  assert(coarse->own >= 0 && coarse->count >= 0 && "rows and couplings are counted");
  coarse->place = arena_allocate(scratch, ((size_t)coarse->own + 1) * sizeof *coarse->place);
  coarse->diagonal = arena_allocate_zero(scratch, (size_t)coarse->own + 1, BLOCK_BYTES);
  coarse->block = arena_allocate_zero(scratch, (size_t)coarse->count + 1, BLOCK_BYTES);
}

void amg_transfer_fill(Transfer *t, const Level *level, LevelDraft *coarse, Arena *scratch)
{
  const int entries = t->start[t->own + t->near + t->received];
  t->block = arena_allocate(scratch, ((size_t)entries + 1) * SINGLE_BYTES);
  fill_interpolation(t, level, scratch);
  halo_refresh(&t->far_plan, t->block, SINGLE_BYTES, scratch);
  allocate_coarse(coarse, scratch);
  const ArenaMark mark = arena_mark(scratch);

  // rows that others need
  int *at = arena_allocate(scratch, ((size_t)t->wide_count + 1) * sizeof *at);
  const int rows = t->own + t->received;
  double *stored = arena_allocate(scratch, (size_t)t->stored_start[rows] * BLOCK_BYTES);
  int widest = 0;
  for (int i = 0; i < t->own; i++) {
    const int width = t->product_start[i + 1] - t->product_start[i];
    if (width > widest) widest = width;
    if (t->stored_start[i + 1] > t->stored_start[i])
      fill_product(t, level, i, at, block_of(stored, t->stored_start[i]));
  }
  halo_refresh(&t->product_plan, stored, BLOCK_BYTES, scratch);

  // sums in order of the fine key
  for (int c = 0; c < coarse->own; c++) coarse->place[c] = level->place[t->root_row[c]];
  double *product = arena_allocate(scratch, ((size_t)widest + 1) * BLOCK_BYTES);
  for (int n = 0; n < rows; n++) {
    const int row = t->restrict_order[n];
    const bool is_stored = t->stored_start[row + 1] > t->stored_start[row];
    if (!is_stored) fill_product(t, level, row, at, product);
    add_row(t, row, is_stored ? block_of(stored, t->stored_start[row]) : product, coarse);
  }
  arena_release(scratch, mark);
}

void amg_transfer_scale(Transfer *t, const Level *coarse)
{
  assert(t->column != NULL && t->block != NULL && "P is known before it is scaled");
  const int entries = t->start[t->own + t->near + t->received];
  for (int e = 0; e < entries; e++) {
    double lower[BLOCK_SIZE], inverse[BLOCK_SIZE], wide[BLOCK_SIZE], product[BLOCK_SIZE] = {0};
    if (t->column[e] < coarse->count) {
      triangle_unpack(triangle_of(coarse->inverse, t->column[e]), lower);
      block_transpose(lower, inverse);
      block_product(widened(single_block(t->block, e), wide), inverse, product);
    }
    single_block_set(product, single_block(t->scaled, e));
  }
}
