// Boxes of similar size by a grid: each is compared with those in the cells around its own.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "box_overlap_inside.h"

#include "check.h"
#include "order.h"

#define SAMPLES 512             // boxes whose sizes choose the cells
#define MOST_CANDIDATES 256.0   // a box, in the mean; beyond that recursion takes over
#define HITS 2048               // that are kept before they are reported
#define PIECE 1024              // candidates looked at between two looks at the room for hits

// what looking at a box costs, in candidates
#define COST_SMALL 40.0
#define COST_LARGE 150.0   // once more in another grid
#define COST_ROW 6.0

// Cells number n along an axis; a low end x is in cell (x - from) * factor / 2^32, from 0 to n - 1;
// what lies outside is in the first or last one. Low ends no more than the limit apart are in the
// same cell or in neighbours.
typedef struct {
  int32_t from, span, limit;
  uint64_t factor;
  int cells;
} GridAxis;

typedef struct {
  GridAxis axes[3];
  int along[3];        // axes, that along which cells follow one another first
  int border[3];       // empty cells at either end of an axis: none where it is not divided
  int64_t stride[3];   // from a cell to the next one along an axis
  int64_t cell_count;
} Grid;

typedef struct {
  Box box;
  int32_t index, cell;
} Entry;

// The small boxes in the order of their cells.
typedef struct {
  int count;
  Entry *entries;
  int32_t *start;   // [cell_count + 1]
} GridCells;

typedef struct {
  const Grid *grid;
  const GridCells *cells;
  BoxPairList *list;
  int hit_count;
  int32_t hits[HITS];   // indices of boxes that overlap the one looked at
} Search;

// -- choice of a grid -----------------------------------------------------------------------------

typedef struct {
  int count;
  WholeBox boxes[SAMPLES];
  int32_t low[3][SAMPLES], side[3][SAMPLES];   // each sorted
  double jump[3];                              // between low ends of boxes that follow one another
} Sample;

static void take_sample(Sample *sample, const BoxSet *set)
{
  const int count = set->count;
  sample->count = count < SAMPLES ? count : SAMPLES;
  for (int k = 0; k < 3; k++) sample->jump[k] = 0;
  for (int s = 0; s < sample->count; s++) {
    const int i = (int)((int64_t)s * count / sample->count), next = i + 1 < count ? i + 1 : i;
    const WholeBox box = whole_box(set, set->indices[i]);
    const WholeBox after = whole_box(set, set->indices[next]);
    sample->boxes[s] = box;
    for (int k = 0; k < 3; k++) {
      sample->low[k][s] = box.low[k];
      sample->side[k][s] = box.high[k] - box.low[k];
      sample->jump[k] += abs(after.low[k] - box.low[k]);
    }
  }
  for (int k = 0; k < 3; k++) {
    qsort(sample->low[k], (size_t)sample->count, sizeof(int32_t), order_ints);
    qsort(sample->side[k], (size_t)sample->count, sizeof(int32_t), order_ints);
  }
}

// Where the boxes are along an axis, but for a few far away.
static void find_span(const Sample *sample, int axis, GridAxis *of)
{
  assert(axis >= 0 && axis < 3 && "there are three axes");
  const int32_t *low = sample->low[axis];
  const int few = sample->count / 20, last = sample->count - 1;
  const int64_t all = (int64_t)low[last] - low[0] + 1,
                most = (int64_t)low[last - few] - low[few] + 1;
  // low ends beyond those of the sample are in the first or last cells
  int64_t from = low[0], end = from + all;
  if (all > 4 * most) {
    from = low[few] - most / 4 > from ? low[few] - most / 4 : from;
    end = low[last - few] + most / 4 < end ? low[last - few] + most / 4 : end;
  }
  of->from = (int32_t)from;
  of->span = (int32_t)(end - from < WHOLE_TOP ? end - from : WHOLE_TOP);
}

static void set_cells(GridAxis *axis, int64_t cells)
{
  assert(cells >= 1 && "a grid has a cell along each axis");
  axis->cells = cells > 1 ? (int)cells : 1;
  axis->factor = axis->cells > 1 ? ((uint64_t)axis->cells << 32) / (uint64_t)axis->span : 0;
  const uint64_t limit = axis->factor > 0 ? ((uint64_t)1 << 32) / axis->factor : WHOLE_TOP;
  axis->limit = (int32_t)(limit < WHOLE_TOP ? limit : WHOLE_TOP);
}

// Cells as large as the boxes at a place of the sorted sides, or larger: about two for each box at
// most.
static void size_cells(const Sample *sample, int place, int count, GridAxis axes[3])
{
  assert(place >= 0 && count > 0 && "a grid is for some boxes");
  double cells[3], product = 1;
  for (int k = 0; k < 3; k++) {
    const double most = (double)axes[k].span / ((double)sample->side[k][place] + 1);
    cells[k] = most > 1 ? most : 1;
    product *= cells[k];
  }
  const double allowed = 2.0 * count + 64;
  while (product > 1.01 * allowed) {
    // all axes that are divided lose alike; a factor above the cube root of what is too much
    // leaves the rest to the next round
    const double share = product > 8 * allowed ? 0.5 : product > 2 * allowed ? 0.8 : 0.95;
    product = 1;
    for (int k = 0; k < 3; k++) {
      cells[k] = share * cells[k] > 1 ? share * cells[k] : 1;
      product *= cells[k];
    }
  }
  for (int k = 0; k < 3; k++) set_cells(&axes[k], (int64_t)cells[k]);
}

static bool is_small(const WholeBox *box, const GridAxis axes[3])
{
  int small = 1;
  for (int k = 0; k < 3; k++) small &= box->high[k] - box->low[k] <= axes[k].limit;
  return small;
}

// What finding the pairs of a box costs in the mean, for boxes spread evenly over the cells.
static double expected_cost(const Sample *sample, int count, const GridAxis axes[3])
{
  assert(count > 0 && "a grid is for some boxes");
  int small = 0;
  double cells = 1;
  for (int s = 0; s < sample->count; s++) small += is_small(&sample->boxes[s], axes);
  for (int k = 0; k < 3; k++) cells *= axes[k].cells;
  const double in_cell = (double)count * small / sample->count / cells;
  double cost = small * (COST_SMALL + 13.5 * in_cell);
  for (int s = 0; s < sample->count; s++) {
    const WholeBox *box = &sample->boxes[s];
    if (is_small(box, axes)) continue;
    double reached = 1, longest = 1;
    for (int k = 0; k < 3; k++) {
      double along = ((double)box->high[k] - box->low[k]) / axes[k].limit + 2;
      if (along > axes[k].cells) along = axes[k].cells;
      if (along > longest) longest = along;
      reached *= along;
    }
    cost += COST_LARGE + COST_ROW * reached / longest + reached * in_cell;
  }
  return cost / sample->count;
}

static bool choose_grid(Grid *grid, const BoxSet *set)
{
  static const double shares[] = {1, 0.99, 0.95, 0.9, 0.8, 0.65, 0.5, 0.3};
  Sample sample;
  take_sample(&sample, set);
  double least = INFINITY;
  for (size_t s = 0; s < sizeof shares / sizeof shares[0]; s++) {
    GridAxis axes[3];
    for (int k = 0; k < 3; k++) find_span(&sample, k, &axes[k]);
    size_cells(&sample, (int)(shares[s] * (sample.count - 1)), set->count, axes);
    const double cost = expected_cost(&sample, set->count, axes);
    if (!(cost < least)) continue;
    least = cost;
    memcpy(grid->axes, axes, sizeof axes);
  }

  // cells follow one another as the boxes do, as far as these are in an order
  double jump[3];
  for (int k = 0; k < 3; k++) {
    jump[k] = sample.jump[k] / grid->axes[k].limit;
    grid->along[k] = k;
  }
  for (int i = 1; i < 3; i++) {
    for (int k = i; k > 0 && jump[grid->along[k]] > jump[grid->along[k - 1]]; k--) {
      const int swap = grid->along[k];
      grid->along[k] = grid->along[k - 1];
      grid->along[k - 1] = swap;
    }
  }
  grid->cell_count = 1;
  for (int k = 0; k < 3; k++) {
    const int axis = grid->along[k], cells = grid->axes[axis].cells;
    grid->border[axis] = cells > 1;
    grid->stride[axis] = grid->cell_count;
    grid->cell_count *= cells + 2 * grid->border[axis];
  }
  return least <= MOST_CANDIDATES && grid->cell_count < INT32_MAX;
}

static int64_t cell_along(const GridAxis *axis, int64_t x)
{
  int64_t y = x - axis->from;
  y = y < 0 ? 0 : y;
  y = y < axis->span ? y : axis->span - 1;
  return (int64_t)((uint64_t)y * axis->factor >> 32);
}

static int64_t cell_of(const Grid *grid, const WholeBox *box)
{
  assert_debug(box->low[0] <= box->high[0] && "a box has room");
  int64_t cell = 0;
  for (int k = 0; k < 3; k++)
    cell += (cell_along(&grid->axes[k], box->low[k]) + grid->border[k]) * grid->stride[k];
  return cell;
}

// -- boxes in their cells -------------------------------------------------------------------------

// Counts the small boxes of each cell in start[cell + 2]; cells of the others have all bits turned.
static int count_cells(const Grid *grid, const BoxSet *set, int32_t *cells, int32_t *start)
{
  int small_count = 0;
  for (int i = 0; i < set->count; i++) {
    const WholeBox box = whole_box(set, set->indices[i]);
    const int32_t cell = (int32_t)cell_of(grid, &box);
    const bool small = is_small(&box, grid->axes);
    cells[i] = small ? cell : ~cell;
    if (!small) continue;
    start[cell + 2]++;
    small_count++;
  }
  return small_count;
}

// Turns counts into starts, one place up. The sum over pairs of neighbours p, q of n_p n_q is at
// most the sum over all cells of 13.5 n^2, 13 neighbours after each: returns that.
static double sum_counts(const Grid *grid, int32_t *start)
{
  double squares = 0;
  for (int64_t k = 2; k < grid->cell_count + 2; k++) {
    squares += (double)start[k] * start[k];
    start[k] += start[k - 1];
  }
  return 13.5 * squares;
}

typedef struct {
  int32_t cell, index;
} LargeBox;

static int compare_large(const void *a, const void *b)
{
  const LargeBox *p = a, *q = b;
  if (p->cell != q->cell) return p->cell < q->cell ? -1 : 1;
  return (p->index > q->index) - (p->index < q->index);
}

// Sorts the small boxes by cell, stable. The others stay in the set, by the cells of their low ends
// as well, so that those that are searched for one after another look at the same rows.
static void sort_boxes(BoxSet *set, const int32_t *cell_of_box, GridCells *cells, Arena *scratch)
{
  const int large_count = set->count - cells->count;
  cells->entries = arena_allocate(scratch, ((size_t)cells->count + 1) * sizeof(Entry));
  LargeBox *large = arena_allocate(scratch, ((size_t)large_count + 1) * sizeof *large);
  int place = 0;
  for (int i = 0; i < set->count; i++) {
    const int32_t cell = cell_of_box[i], index = set->indices[i];
    if (cell >= 0)
      cells->entries[cells->start[cell + 1]++] = (Entry){set->boxes[index], index, cell};
    else large[place++] = (LargeBox){~cell, index};
  }
  if (large_count > 1) qsort(large, (size_t)large_count, sizeof *large, compare_large);
  for (int i = 0; i < large_count; i++) set->indices[i] = large[i].index;
  set->count = large_count;
}

// -- search ---------------------------------------------------------------------------------------

// Adds the candidates in [first, end) that overlap a box, without a branch.
static int find_hits(const Entry *entries, const Box *p, int first, int end, int32_t *hits)
{
  assert_debug(first >= 0 && hits != NULL && "entries have places");
  const vec3 low = p->low, high = p->high;
  int count = 0;
  for (int i = first; i < end; i++) {
    const Entry *q = &entries[i];
    hits[count] = q->index;
    count += (q->box.low.x <= high.x) & (q->box.high.x >= low.x) & (q->box.low.y <= high.y) &
             (q->box.high.y >= low.y) & (q->box.low.z <= high.z) & (q->box.high.z >= low.z);
  }
  return count;
}

static void report_hits(Search *s, int32_t index)
{
  box_overlap_pairs_add(s->list, index, s->hits, s->hit_count);
  s->hit_count = 0;
}

static void search_range(Search *s, const Box *p, int32_t index, int first, int end)
{
  assert_debug(first >= 0 && end >= 0 && "entries have places");
  while (first < end) {
    const int piece = end - first < PIECE ? end : first + PIECE;
    if (s->hit_count + PIECE > HITS) report_hits(s, index);
    s->hit_count += find_hits(s->cells->entries, p, first, piece, s->hits + s->hit_count);
    first = piece;
  }
}

// All pairs of small boxes: with those behind in the cell and the next one, and in the three cells
// each of the four rows of neighbours that come after.
static void search_cells(Search *s)
{
  const Grid *grid = s->grid;
  const GridCells *c = s->cells;
  const int x = grid->along[0], y = grid->along[1], z = grid->along[2];
  int64_t rows[4];
  int row_count = 0;
  if (grid->border[y]) rows[row_count++] = grid->stride[y];
  for (int dy = -grid->border[y]; grid->border[z] && dy <= grid->border[y]; dy++)
    rows[row_count++] = grid->stride[z] + dy * grid->stride[y];

  const int wide = grid->border[x];
  int first[4] = {0}, end[4] = {0}, own_end = 0;
  int64_t cell = -1;
  for (int i = 0; i < c->count; i++) {
    const Entry *p = &c->entries[i];
    if (p->cell != cell) {
      cell = p->cell;
      own_end = c->start[cell + wide + 1];
      for (int k = 0; k < row_count; k++) {
        first[k] = c->start[cell + rows[k] - wide];
        end[k] = c->start[cell + rows[k] + wide + 1];
      }
    }
    search_range(s, &p->box, p->index, i + 1, own_end);
    for (int k = 0; k < row_count; k++) search_range(s, &p->box, p->index, first[k], end[k]);
    if (s->hit_count > 0) report_hits(s, p->index);
  }
}

// Cells whose boxes can overlap a box of any size, borders counted.
typedef struct {
  int64_t first[3], last[3];
} Reach;

static Reach find_reach(const Grid *grid, const WholeBox *box)
{
  Reach reach;
  for (int k = 0; k < 3; k++) {
    const GridAxis *axis = &grid->axes[k];
    reach.first[k] = cell_along(axis, (int64_t)box->low[k] - axis->limit) + grid->border[k];
    reach.last[k] = cell_along(axis, box->high[k]) + grid->border[k];
  }
  return reach;
}

// What search_large looks at, rows and candidates, from start as sum_counts leaves it; stops when
// that is more than allowed.
static double cost_of_large(const Grid *grid, const int32_t *start, const WholeBox *box,
                            double allowed)
{
  const Reach r = find_reach(grid, box);
  const int x = grid->along[0], y = grid->along[1], z = grid->along[2];
  double cost = 0;
  for (int64_t k = r.first[z]; k <= r.last[z] && cost <= allowed; k++) {
    for (int64_t j = r.first[y]; j <= r.last[y]; j++) {
      const int32_t *row = start + k * grid->stride[z] + j * grid->stride[y] + 1;
      cost += COST_ROW + row[r.last[x] + 1] - row[r.first[x]];
    }
  }
  return cost;
}

// All pairs of a large box and a small one.
static void search_large(Search *s, const BoxSet *set, int32_t index)
{
  assert_debug(index >= 0 && "a box has a number");
  const Grid *grid = s->grid;
  const WholeBox box = whole_box(set, index);
  const Reach r = find_reach(grid, &box);
  const int x = grid->along[0], y = grid->along[1], z = grid->along[2];
  for (int64_t k = r.first[z]; k <= r.last[z]; k++) {
    for (int64_t j = r.first[y]; j <= r.last[y]; j++) {
      const int32_t *row = s->cells->start + k * grid->stride[z] + j * grid->stride[y];
      search_range(s, &set->boxes[index], index, row[r.first[x]], row[r.last[x] + 1]);
    }
  }
  report_hits(s, index);
}

// Puts the small boxes in the cells, unless that would not pay.
static bool fill_cells(const Grid *grid, BoxSet *set, GridCells *cells, Arena *scratch)
{
  int32_t *cell_of_box = arena_allocate(scratch, (size_t)set->count * sizeof *cell_of_box);
  cells->start = arena_allocate_zero(scratch, (size_t)grid->cell_count + 2, sizeof(int32_t));
  cells->count = count_cells(grid, set, cell_of_box, cells->start);
  const double allowed = MOST_CANDIDATES * set->count;
  double cost = sum_counts(grid, cells->start);
  for (int i = 0; i < set->count && cost <= allowed && cells->count < set->count; i++) {
    if (cell_of_box[i] >= 0) continue;
    const WholeBox box = whole_box(set, set->indices[i]);
    cost += cost_of_large(grid, cells->start, &box, allowed - cost);
  }
  if (cells->count == 0 || cost > allowed) return false;
  sort_boxes(set, cell_of_box, cells, scratch);
  return true;
}

bool box_overlap_grid(BoxSet *set, BoxPairList *list, Arena *scratch)
{
  assert(set->count >= 0 && "boxes are counted");
  Grid grid;
  GridCells cells;
  const ArenaMark mark = arena_mark(scratch);
  const bool fits = choose_grid(&grid, set) && fill_cells(&grid, set, &cells, scratch);
  if (fits) {
    Search *search = arena_allocate(scratch, sizeof *search);
    *search = (Search){.grid = &grid, .cells = &cells, .list = list};
    for (int i = 0; i < set->count; i++) search_large(search, set, set->indices[i]);
    search_cells(search);
  }
  arena_release(scratch, mark);
  return fits;
}
