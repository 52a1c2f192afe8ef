// Hybrid of streaming scans and segment-tree recursion (Zomorodian and Edelsbrunner 2002).
#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "box_overlap_inside.h"
#include "memory.h"
#include "search.h"

#define SAMPLES 16   // boxes whose candidates are counted to judge a scan
#define MEDIAN_SAMPLES 63
#define SCAN_CANDIDATES 128   // a scan with at most so many candidates a box beats further division
#define SCAN_WIDTH 32         // candidates looked at together

// A box in whole numbers. Axis 0 is the one scanned along; ranks are places in the order of the low
// ends along it, and break all ties.
typedef struct {
  uint32_t low[3], high[3];
  uint32_t rank;
  int32_t index;   // of the box
} Item;

// Coordinates of a list that is scanned, and room for as many more as are looked at together.
typedef struct {
  int room;
  int32_t *begin;                        // low end along axis 0
  int32_t *low, *high;                   // along the last axis
  int32_t *between_low, *between_high;   // along axis 1
} Columns;

typedef struct {
  const Box *boxes;
  BoxPairList *list;
  Item *stack;   // lists of the recursion, one above the other
  int64_t top;
  size_t stack_bytes;
  Columns interval_columns, point_columns;
} Finder;

// A list on the stack, sorted by rank.
typedef struct {
  int64_t first;
  int count;
} Items;

// A half-open range of low ends along an axis: (whole number, rank) as one number.
typedef struct {
  uint64_t low, high;
} Range;

// The high end is that of the largest low end, so that an interval up to there spans the range.
static const Range ALL_KEYS = {0, ((uint64_t)WHOLE_TOP << 32) + UINT32_MAX};

static uint64_t key_of(const Item *item, int axis)
{
  return (uint64_t)item->low[axis] << 32 | item->rank;
}

static uint32_t whole_of(uint64_t key) { return (uint32_t)(key >> 32); }

// -- report ---------------------------------------------------------------------------------------

// Reports two boxes that overlap in whole numbers. Strictly ordered whole numbers are ordered
// boxes; only ends that round to the same number ask for the boxes themselves.
static void report(Finder *f, const Item *p, const Item *q)
{
  int equal = 0;
  for (int k = 0; k < 3; k++) equal |= (p->low[k] == q->high[k]) | (q->low[k] == p->high[k]);
  if (equal && !box_overlaps(f->boxes[p->index], f->boxes[q->index])) return;
  box_overlap_pairs_add(f->list, p->index, &q->index, 1);
}

// -- scan -----------------------------------------------------------------------------------------

// What a scan asks of its candidates: their ends along the last axis (that of containment) and
// along the one between.
typedef struct {
  int32_t low_min, low_max, high_min, between_low_max, between_high_min, end;
} Question;

// Copies the coordinates that a scan looks at, column by column, and appends candidates that never
// match.
static void fill_columns(Columns *c, const Item *items, int count, int axis)
{
  assert(count >= 0 && axis >= 0 && axis < 3 && "boxes have three axes");
  if (count + SCAN_WIDTH > c->room) {
    c->room = 2 * (count + SCAN_WIDTH);
    const size_t bytes = (size_t)c->room * sizeof(int32_t);
    c->begin = memory_resize(c->begin, bytes);
    c->low = memory_resize(c->low, bytes);
    c->high = memory_resize(c->high, bytes);
    c->between_low = memory_resize(c->between_low, bytes);
    c->between_high = memory_resize(c->between_high, bytes);
  }
  for (int i = 0; i < count; i++) {
    c->begin[i] = (int32_t)items[i].low[0];
    c->low[i] = (int32_t)items[i].low[axis];
    c->high[i] = (int32_t)items[i].high[axis];
    c->between_low[i] = (int32_t)items[i].low[1];
    c->between_high[i] = (int32_t)items[i].high[1];
  }
  for (int i = count; i < count + SCAN_WIDTH; i++) {
    c->begin[i] = WHOLE_TOP;
    c->low[i] = c->between_low[i] = 0;
    c->high[i] = c->between_high[i] = -1;
  }
}

static void free_columns(Columns *c)
{
  memory_free(c->begin);
  memory_free(c->low);
  memory_free(c->high);
  memory_free(c->between_low);
  memory_free(c->between_high);
}

// Answers for the candidates that are looked at together, without a branch.
static void ask_together(const Columns *c, int first, Question q, uint8_t match[SCAN_WIDTH])
{
  const int32_t *begin = c->begin + first, *low = c->low + first, *high = c->high + first;
  const int32_t *between_low = c->between_low + first, *between_high = c->between_high + first;
  for (int k = 0; k < SCAN_WIDTH; k++) {
    match[k] = (uint8_t)((begin[k] <= q.end) & (low[k] >= q.low_min) & (low[k] <= q.low_max) &
                         (high[k] >= q.high_min) & (between_low[k] <= q.between_low_max) &
                         (between_high[k] >= q.between_high_min));
  }
}

// Pairs of one item with those of higher rank that begin before it ends along axis 0, from the
// first on.
static void scan_after(Finder *f, const Item *one, const Item *others, const Columns *columns,
                       int first, int count, Question question)
{
  for (; first < count && columns->begin[first] <= question.end; first += SCAN_WIDTH) {
    uint8_t match[SCAN_WIDTH];
    ask_together(columns, first, question, match);
    for (int k = 0; k < SCAN_WIDTH; k += 8) {
      uint64_t eight;
      memcpy(&eight, match + k, 8);
      if (eight == 0) continue;
      for (int j = k; j < k + 8; j++) {
        if (match[j]) report(f, one, &others[first + j]);
      }
    }
  }
}

// For one item that begins before the candidates along axis 0. Along the last axis the interval
// holds the low end of the point; of two equal low ends that of the lower rank counts as lower.
// Along the axis between they overlap.
static Question ask_as_interval(const Item *one, int axis)
{
  return (Question){.low_min = (int32_t)one->low[axis],
                    .low_max = (int32_t)one->high[axis],
                    .high_min = 0,
                    .between_low_max = axis == 2 ? (int32_t)one->high[1] : WHOLE_TOP,
                    .between_high_min = axis == 2 ? (int32_t)one->low[1] : 0,
                    .end = (int32_t)one->high[0]};
}

static Question ask_as_point(const Item *one, int axis)
{
  Question question = ask_as_interval(one, axis);
  question.low_min = 0;
  question.low_max = (int32_t)one->low[axis] - 1;
  question.high_min = (int32_t)one->low[axis];
  return question;
}

// All pairs of an interval and a point that overlap along axis 0 and the axes up to the last one, 1
// or 2.
static void scan_both(Finder *f, Items intervals, Items points, int axis)
{
  assert(axis >= 0 && axis < 3 && "there are three axes");
  const Item *interval = f->stack + intervals.first, *point = f->stack + points.first;
  fill_columns(&f->interval_columns, interval, intervals.count, axis);
  fill_columns(&f->point_columns, point, points.count, axis);
  int i = 0, p = 0;
  while (i < intervals.count && p < points.count) {
    if (interval[i].rank <= point[p].rank) {
      // a box in both lists is no pair with itself; as the point it comes next
      const int first = p + (interval[i].rank == point[p].rank);
      scan_after(f, &interval[i], point, &f->point_columns, first, points.count,
                 ask_as_interval(&interval[i], axis));
      i++;
    } else {
      scan_after(f, &point[p], interval, &f->interval_columns, i, intervals.count,
                 ask_as_point(&point[p], axis));
      p++;
    }
  }
}

// All pairs of an interval and a point whose low end along axis 0 lies in it.
static void scan_one_way(Finder *f, Items intervals, Items points)
{
  const Item *interval = f->stack + intervals.first, *point = f->stack + points.first;
  const Item *interval_end = interval + intervals.count, *point_end = point + points.count;
  for (; interval < interval_end; interval++) {
    while (point < point_end && point->rank <= interval->rank) point++;
    for (const Item *p = point; p < point_end && p->low[0] <= interval->high[0]; p++)
      report(f, interval, p);
  }
}

static int order_low_end(const void *item, const void *end)
{
  return ((const Item *)item)->low[0] <= *(const uint32_t *)end ? -1 : 1;
}

// Items from the first one whose low end along axis 0 is beyond the end, by bisection.
static int first_beyond(const Item *items, int count, uint32_t end)
{
  assert(count >= 0 && "boxes are counted");
  return (int)search_rows(items, count, sizeof *items, &end, order_low_end);
}

// Candidates that a scan from the items of one list meets in the other, estimated from some of
// them.
static double estimate_candidates(const Finder *f, Items from, Items list)
{
  const Item *items = f->stack + list.first;
  const int samples = from.count < SAMPLES ? from.count : SAMPLES;
  double sum = 0;
  for (int s = 0; s < samples; s++) {
    const Item *item = &f->stack[from.first + (int64_t)(2 * s + 1) * from.count / (2 * samples)];
    const uint32_t begin = item->low[0];
    sum += first_beyond(items, list.count, item->high[0]);
    if (begin > 0) sum -= first_beyond(items, list.count, begin - 1);
  }
  return sum / samples * from.count;
}

static bool scan_is_cheap(const Finder *f, Items intervals, Items points)
{
  const double allowed = (double)SCAN_CANDIDATES * ((double)intervals.count + points.count);
  if ((double)intervals.count * points.count <= allowed) return true;
  return estimate_candidates(f, intervals, points) + estimate_candidates(f, points, intervals) <=
         allowed;
}

// -- division -------------------------------------------------------------------------------------

// The middle one of some keys: both sides of it hold points.
static uint64_t median_key(const Finder *f, Items points, int axis)
{
  assert(axis >= 0 && axis < 3 && "there are three axes");
  uint64_t keys[MEDIAN_SAMPLES];
  const int samples = points.count < MEDIAN_SAMPLES ? points.count : MEDIAN_SAMPLES;
  for (int s = 0; s < samples; s++) {
    const uint64_t key =
        key_of(&f->stack[points.first + (int64_t)s * points.count / samples], axis);
    int k = s;
    for (; k > 0 && keys[k - 1] > key; k--) keys[k] = keys[k - 1];
    keys[k] = key;
  }
  return keys[samples / 2];
}

// Room for more items above the top; lists keep their places, but the stack may move.
static void reserve(Finder *f, int64_t items)
{
  assert(items >= 0 && "items are counted");
  f->stack = memory_grow_bytes(f->stack, (size_t)(f->top + items) * sizeof(Item), &f->stack_bytes);
}

static Items select_points(Finder *f, Items points, int axis, Range range)
{
  reserve(f, points.count + 1);
  const Item *from = f->stack + points.first;
  Item *chosen = f->stack + f->top;
  int count = 0;
  for (int i = 0; i < points.count; i++) {
    const uint64_t key = key_of(&from[i], axis);
    chosen[count] = from[i];
    count += (key >= range.low) & (key < range.high);
  }
  f->top += count;
  return (Items){f->top - count, count};
}

// Splits the intervals that reach into a range: those that hold all low ends that can lie in it,
// and the rest.
static void select_intervals(Finder *f, Items intervals, int axis, Range range, Items *spanning,
                             Items *rest)
{
  reserve(f, 2 * ((int64_t)intervals.count + 1));
  const Item *from = f->stack + intervals.first;
  Item *all = f->stack + f->top, *some = all + intervals.count + 1;
  int all_count = 0, some_count = 0;
  for (int i = 0; i < intervals.count; i++) {
    const uint64_t key = key_of(&from[i], axis);
    const int reaches = (key < range.high) & (from[i].high[axis] >= whole_of(range.low));
    const int spans = (key < range.low) & (from[i].high[axis] >= whole_of(range.high));
    all[all_count] = from[i];
    some[some_count] = from[i];
    all_count += reaches & spans;
    some_count += reaches & !spans;
  }
  memmove(all + all_count, some, (size_t)some_count * sizeof(Item));
  *spanning = (Items){f->top, all_count};
  *rest = (Items){f->top + all_count, some_count};
  f->top += all_count + some_count;
}

// Reports the pairs of an interval that holds the low end of a point along the axis and that
// overlap along the axes below it. All points lie in the range, and no interval spans it. Lists are
// sorted by rank.
static void find_pairs(Finder *f, Items intervals, Items points, Range range, int axis)
{
  assert(axis >= 0 && axis < 3 && "there are three axes");
  if (intervals.count == 0 || points.count == 0) return;
  if (axis == 0) {
    scan_one_way(f, intervals, points);
    return;
  }
  if (points.count < 2 || scan_is_cheap(f, intervals, points)) {
    scan_both(f, intervals, points, axis);
    return;
  }
  const uint64_t middle = median_key(f, points, axis);
  const Range halves[2] = {{range.low, middle}, {middle, range.high}};
  for (int side = 0; side < 2; side++) {
    const int64_t top = f->top;
    Items spanning, rest;
    const Items half = select_points(f, points, axis, halves[side]);
    select_intervals(f, intervals, axis, halves[side], &spanning, &rest);
    // along this axis spanning intervals meet all points of the half, so either may begin first
    // along the next one
    find_pairs(f, spanning, half, ALL_KEYS, axis - 1);
    find_pairs(f, half, spanning, ALL_KEYS, axis - 1);
    find_pairs(f, rest, half, halves[side], axis);
    f->top = top;
  }
}

// -- preparation ----------------------------------------------------------------------------------

// Numbers of the boxes sorted by low end along an axis, stable: three passes of a radix sort.
static void sort_by_low(const WholeBox *boxes, int count, int axis, int32_t *order, Arena *scratch)
{
  assert(count >= 0 && axis >= 0 && axis < 3 && "boxes have three axes");
  typedef struct {
    uint32_t key;
    int32_t number;
  } Entry;
  Entry *from = arena_allocate(scratch, (size_t)count * sizeof(Entry));
  Entry *to = arena_allocate(scratch, (size_t)count * sizeof(Entry));
  for (int i = 0; i < count; i++) from[i] = (Entry){(uint32_t)boxes[i].low[axis], i};
  for (int shift = 0; shift < 33; shift += 11) {
    int place[2049] = {0};
    for (int i = 0; i < count; i++) place[(from[i].key >> shift & 2047) + 1]++;
    for (int k = 0; k < 2048; k++) place[k + 1] += place[k];
    for (int i = 0; i < count; i++) to[place[from[i].key >> shift & 2047]++] = from[i];
    Entry *const swap = from;
    from = to;
    to = swap;
  }
  for (int i = 0; i < count; i++) order[i] = from[i].number;
}

// The items sorted along the axis in which boxes are smallest compared with the whole scene; the
// axis that tells least comes between, where it is looked at last.
static Items make_items(Finder *f, const BoxSet *set, Arena *scratch)
{
  const int count = set->count;
  WholeBox *boxes = arena_allocate(scratch, (size_t)count * sizeof *boxes);
  for (int i = 0; i < count; i++) boxes[i] = whole_box(set, set->indices[i]);
  double sides[3] = {0, 0, 0};
  int axes[3] = {0, 2, 1};   // of the boxes, for axes 0, 2, 1 of the items
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) sides[k] += (double)boxes[i].high[k] - boxes[i].low[k];
  for (int i = 1; i < 3; i++) {
    for (int k = i; k > 0 && sides[axes[k]] < sides[axes[k - 1]]; k--) {
      const int swap = axes[k];
      axes[k] = axes[k - 1];
      axes[k - 1] = swap;
    }
  }
  int32_t *order = arena_allocate(scratch, (size_t)count * sizeof(int32_t));
  sort_by_low(boxes, count, axes[0], order, scratch);
  const int of_item[3] = {axes[0], axes[2], axes[1]};
  reserve(f, count);
  Item *items = f->stack;
  for (int i = 0; i < count; i++) {
    const WholeBox *box = &boxes[order[i]];
    items[i].rank = (uint32_t)i;
    items[i].index = set->indices[order[i]];
    for (int k = 0; k < 3; k++) {
      items[i].low[k] = (uint32_t)box->low[of_item[k]];
      items[i].high[k] = (uint32_t)box->high[of_item[k]];
    }
  }
  f->top = count;
  return (Items){0, count};
}

void box_overlap_tree(const BoxSet *set, BoxPairList *list, Arena *scratch)
{
  assert(set->count >= 0 && "boxes are counted");
  if (set->count < 2) return;
  Finder f = {.boxes = set->boxes, .list = list};
  const Items items = make_items(&f, set, scratch);
  find_pairs(&f, items, items, ALL_KEYS, 2);
  memory_free(f.stack);
  free_columns(&f.interval_columns);
  free_columns(&f.point_columns);
}
