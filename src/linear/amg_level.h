#pragma once
// One level of the multigrid and the step to the next coarser one: patterns, which depend on keys
// and couplings alone and are kept while these stay, and numbers.
#include <stdbool.h>

#include "amg.h"
#include "amg_plan.h"
#include "block_kernel.h"
#include "single_kernel.h"

// A coupling of the rows of two keys, low < high, as the owner of the low row has it.
typedef struct {
  uint64_t low, high;
  int high_rank;   // owner of the high one
} DraftEntry;

// A matrix as it is made: each rank has its own rows and the couplings of which it has the low row.
typedef struct {
  int own, count;      // rows; entries
  bool shared;         // every rank has all rows
  uint64_t *key;       // [own] ascending
  DraftEntry *entry;   // [count] by low and high key; while patterns are made
  vec3 *place;         // [own] numbers from here on
  double *diagonal;    // [own] blocks by columns
  double *block;       // [count] blocks by columns, rows of the low key

  // where the first level's numbers come from, and which blocks they are; or NULL
  const BlockMatrix *matrix;
  const int *diagonal_at, *entry_at;   // [own], [count]
  const int *entry_start;              // [own + 1] entries of a row
} LevelDraft;

// Rows of a level by rank before they are gathered on every rank.
typedef struct {
  int draft_own;                    // rows this rank had
  int *row_first, *row_to;          // [size + 1]; [rows] row of the level of each gathered one
  int *entry_first;                 // [size + 1] couplings alike, Level.source tells which
  int most;                         // rows of the rank that had most
  unsigned char *sent, *gathered;   // [most], [size * most] rows of BLOCK doubles or less
} LevelGather;

// Vectors and blocks of a level are scaled by its diagonal D = L L': A stands for L^-1 A L^-T,
// whose diagonal is the unit matrix, so that nothing of the cycle has a dimension and all of it
// fits single precision.
typedef struct {
  // rows: own in ascending order of key, then those of others; shared: all are own on every rank
  int own, count;
  bool shared;
  int64_t rows, entries;   // of all ranks
  uint64_t *key;
  int *rank;              // [count - own] owners
  int *order;             // [count] rows by key over both
  unsigned char *alone;   // [own] coupled with nobody
  HaloPlan plan;
  LevelGather *gather;   // where rows come together on every rank; or NULL

  // couplings (i, j), key of i below key of j, at least one own, by position of i in order
  int *start, *column;   // [count + 1], [start[count]]
  int *source;           // [start[count]] among the blocks gathered; or NULL
  int *target;           // [draft_count] couplings of the draft's blocks, where none are gathered
  HaloPlan entry_plan;   // couplings to ranks that own the high row alone
  int draft_count;
  // the couplings of an own row with lower and higher keys in ascending order; its blocks as
  // 2 * entry, one more where the entry's transpose is meant
  int *full_start, *full_column, *full_block;

  // while the next level is made; factors and blocks of the first level stay
  vec3 *place;                // [count]
  double *factor, *inverse;   // [count] L and L^-1, triangles of block_kernel.h
  double *block;              // [start[count]]

  // the cycle in single precision
  float *coupling;        // [start[count]] block
  double highest;         // no eigenvalue is above
  float *x, *b, *r, *d;   // [(count + received + 1) * SINGLE_ROW]
  float *product;         // likewise; zero outside of amg_level_pass
} Level;

// Each row's aggregate: the key and owner of its root; rank -1: the row stands alone.
typedef struct {
  uint64_t key;
  int rank;
  int joined;   // 1: by way of a neighbour; 0: is the root or beside it
} Aggregate;

// The aggregates of a level's rows, and how each row learned of its one.
typedef struct {
  Aggregate *of_row;   // [count]
  int *via;            // [own] the row it was learned from
} Aggregation;

// Rows of a level that a rank wants besides its own.
typedef struct {
  bool all;   // every row, on every rank; the list is not looked at then
  int count;
  const Aggregate *rows;   // [count] key and rank
} WantedRows;

// From a level to the next coarser one: interpolation P from rows to aggregates.
typedef struct {
  // rows of P: own rows, other ranks' rows of the level, rows received for the product
  int own, near, received;
  int *root;               // [own + near] where a row of the level takes its aggregate's place from
  unsigned char *joined;   // [own] from a neighbour that has it, not from the root itself
  int *start, *wide;       // [rows + 1]; entries' columns among all aggregates known, by key
  int *column;             // entries' columns in the coarser level; unknown ones: its count
  float *block;            // numbers of P while the coarser level is made
  float *scaled;           // P L^-T of the coarser level, of own rows and received ones
  HaloPlan near_plan, far_row_plan, far_plan;   // entries; rows to [own + received]; entries

  // rows of A P, own and received, columns ascending; only what is sent or received is stored
  int *product_start, *product_wide, *stored_start;
  HaloPlan product_plan;

  int wide_count;
  Aggregate *wide_cell;              // [wide_count] all aggregates known here, by key
  int *aggregate_wide;               // [own + near] a row's own aggregate, -1: none
  int *coarse_of_wide;               // [wide_count] own aggregate, -1: not own
  int *restrict_order;               // [own + received] rows by key, received ones as own + k
  int *coarse_start, *coarse_wide;   // couplings of own aggregates with higher keys
  int *root_row;                     // [aggregates] own row that is the root
} Transfer;

// A vector's or matrix's place in an array of rows or blocks.
static inline double *row_of(double *rows, int i) { return rows + (size_t)BLOCK * (size_t)i; }
static inline double *block_of(double *blocks, int i)
{
  return blocks + (size_t)BLOCK_SIZE * (size_t)i;
}
static inline const double *const_block_of(const double *blocks, int i)
{
  return blocks + (size_t)BLOCK_SIZE * (size_t)i;
}
static inline double *triangle_of(double *triangles, int i)
{
  return triangles + (size_t)TRIANGLE_SIZE * (size_t)i;
}
static inline float *single_row(float *rows, int i)
{
  return rows + (size_t)SINGLE_ROW * (size_t)i;
}
static inline float *single_block(float *blocks, int i)
{
  return blocks + (size_t)BLOCK_SIZE * (size_t)i;
}

// Collective. The pattern of a level: own rows and entries as in the draft (numbers unused), and
// the rows of others wanted besides, unless the draft has all rows.
void amg_level_begin(Level *level, const LevelDraft *draft, const WantedRows *wanted, Arena *arena,
                     Arena *scratch);

// Collective. Aggregates of a level: a maximal set of rows no two of which are within two
// couplings, first come by hash of key (Luby 1986 finds it in rounds), with their neighbours; every
// other row goes where most of its couplings lead, the lowest key on a tie. Couplings count, not
// their stiffness, so that a pattern has one answer. Each aggregate has two rows or more, so that
// levels halve at least. Memory from the arena.
Aggregation amg_level_aggregate(const Level *level, int depth, Arena *arena);

// Collective. The pattern of the transfer; returns that of the draft of the coarser level.
LevelDraft amg_transfer_begin(Transfer *transfer, const Level *level,
                              const Aggregation *aggregation, Arena *arena, Arena *scratch);
// Local. Aggregates of other ranks that own rows are interpolated from; wanted[entries of own
// rows].
int amg_transfer_wanted(const Transfer *transfer, Aggregate *wanted);
// Local. Once the coarser level's rows are known.
void amg_transfer_join(Transfer *transfer, const Level *coarse, Arena *arena);

// Local. The row of a key, -1: not here.
int amg_level_find(const Level *level, uint64_t key);

// Collective. Numbers of a level from its draft; floor: see block_cholesky. False on all ranks
// where a pivot was replaced.
bool amg_level_fill(Level *level, const LevelDraft *given, double floor, Arena *scratch);
// Collective. Sets level->highest by power iterations.
void amg_level_bound(Level *level, int depth, Arena *scratch);
// Collective. Numbers of P and of the coarser draft, whose arrays come from scratch.
void amg_transfer_fill(Transfer *transfer, const Level *level, LevelDraft *coarse, Arena *scratch);
// Local. P for the cycle, once the numbers of the coarser level are made.
void amg_transfer_scale(Transfer *transfer, const Level *coarse);

// Collective. y = A x on own rows, scaled; other ranks' rows of x are refreshed. First level.
void amg_level_multiply(const Level *level, double *x, double *y, Arena *scratch);

// Coefficients of a step of Chebyshev's iteration: d = carried d + second r.
typedef struct {
  float first, carried, second;   // first: d = first r begins
} Chebyshev;

// What a pass over a level does with the product y of a row, when it is known.
typedef enum {
  PASS_PRODUCT,    // r = A x
  PASS_BEGIN,      // r = b - A x, d = first r, x += d
  PASS_STEP,       // r -= A d, d = carried d + second r, x += d
  PASS_RESIDUAL,   // r -= A d
} Pass;

// Collective. One pass in single precision.
void amg_level_pass(const Level *level, Pass pass, Chebyshev c, Arena *scratch);

// Collective, unless the level is shared.
double amg_level_max(const Level *level, double value);
bool amg_level_any(const Level *level, bool value);

// Collective. Numbers of own rows of the draft to own rows of the level (LevelGather or a copy),
// and back; row_bytes of a row, no more than BLOCK doubles.
void amg_level_take(const Level *level, const void *draft_rows, size_t row_bytes, void *rows);
void amg_level_unload(const Level *level, const void *rows, size_t row_bytes, void *draft_rows);

// Local. y = L^-1 x, y = L^-T x, y = L' x for own rows; y may be x.
void amg_level_scale(const Level *level, const double *x, double *y);
void amg_level_unscale(const Level *level, const double *x, double *y);
void amg_level_rescale(const Level *level, const double *x, double *y);

struct Amg {
  Arena store, scratch;   // what stays; what a call needs
  int level_count, shared_rows;
  Level levels[AMG_MOST_LEVELS];
  Transfer transfers[AMG_MOST_LEVELS];
  LevelDraft drafts[AMG_MOST_LEVELS];
  double *dense;        // factor of the last level by columns; NULL: all its rows stand alone
  double *dense_rows;   // a vector of it
  BlockSpace space;
  int *pattern_start, *pattern_column;   // of the matrix this was made for
  int *pattern_rank;
  uint64_t *pattern_key;
};

// Collective. z = one cycle from zero on the first level on r, scaled vectors of own rows; largest:
// of |r| over all ranks.
void amg_cycle(Amg *amg, const double *r, double largest, double *z);
