// Cuts the bricks of a course, and joins small pieces with their neighbours.
#include "brick_row.h"

#include <assert.h>

#define LEAST_SHARE (1.0 / 6)   // of a brick: smaller pieces are no stones of their own

// A stone while its course is laid.
typedef struct {
  Sections cells;
  double low, high;   // places that it takes, m
  double whole;       // area of its brick without holes, m2
} RowStone;

typedef struct {
  int count, capacity;
  RowStone *items;
} StonesOfRow;

static double area_of(const Sections *cells)
{
  double area = 0;
  for (int i = 0; i < cells->count; i++) area += section_area(&cells->items[i]);
  return area;
}

static double contact_of(const Sections *p, const Sections *q)
{
  double longest = 0;
  for (int i = 0; i < p->count; i++)
    for (int k = 0; k < q->count; k++)
      longest = larger_of(longest, section_contact(&p->items[i], &q->items[k]));
  return longest;
}

// What the holes leave of a place.
static Sections cut_holes(const BrickRow *row, BrickSpan span, Arena *arena)
{
  Sections cells = {0};
  section_append(&cells,
                 section_box((SectionPoint){span.low, row->z_low},
                             (SectionPoint){span.high, row->z_high}, arena),
                 arena);
  for (int h = 0; h < row->hole_count; h++) {
    Sections left = {0};
    for (int i = 0; i < cells.count; i++)
      section_subtract(&cells.items[i], &row->holes[h], arena, &left);
    cells = left;
  }
  return cells;
}

// Adds the pieces of a place, those that lie side by side as one stone.
static void add_stones(StonesOfRow *stones, const Sections *cells, BrickSpan span, double whole,
                       Arena *arena)
{
  bool *taken = arena_allocate_zero(arena, (size_t)cells->count + 1, sizeof *taken);
  for (int first = 0; first < cells->count; first++) {
    if (taken[first]) continue;
    Sections connected = {0};
    section_append(&connected, cells->items[first], arena);
    taken[first] = true;
    // grows until no piece lies beside one of its own
    for (int i = 0; i < connected.count; i++)
      for (int k = first + 1; k < cells->count; k++) {
        if (taken[k] || section_contact(&connected.items[i], &cells->items[k]) == 0) continue;
        section_append(&connected, cells->items[k], arena);
        taken[k] = true;
      }
    stones->items = arena_grow(arena, stones->items, (int64_t)stones->count + 1, &stones->capacity,
                               sizeof *stones->items);
    stones->items[stones->count++] = (RowStone){connected, span.low, span.high, whole};
  }
}

// The stone of a neighbouring place that lies longest beside a stone, or -1.
static int neighbour_of(const StonesOfRow *stones, int number)
{
  assert(number >= 0 && number < stones->count && "a stone has a number");
  const RowStone *stone = &stones->items[number];
  int best = -1;
  double longest = 0;
  for (int k = 0; k < stones->count; k++) {
    const RowStone *other = &stones->items[k];
    if (other->high != stone->low && other->low != stone->high) continue;
    const double contact = contact_of(&stone->cells, &other->cells);
    if (contact <= longest) continue;
    longest = contact;
    best = k;
  }
  return best;
}

static void join_small(StonesOfRow *stones, Arena *arena)
{
  for (int i = 0; i < stones->count; i++) {
    const RowStone small = stones->items[i];
    if (area_of(&small.cells) >= LEAST_SHARE * small.whole) continue;
    const int k = neighbour_of(stones, i);
    if (k < 0) continue;
    RowStone *stone = &stones->items[k];
    for (int c = 0; c < small.cells.count; c++)
      section_append(&stone->cells, small.cells.items[c], arena);
    stone->low = smaller_of(stone->low, small.low);
    stone->high = larger_of(stone->high, small.high);
    stones->count--;
    for (int m = i; m < stones->count; m++) stones->items[m] = stones->items[m + 1];
    i = -1;   // a stone that grew may stand before this one
  }
}

// Leaves half a joint at both ends of a stone's places.
static Sections open_joints(const RowStone *stone, double joint, Arena *arena)
{
  if (joint == 0) return stone->cells;
  Sections cells = {0};
  const double low = stone->low + 0.5 * joint, high = stone->high - 0.5 * joint;
  for (int i = 0; i < stone->cells.count; i++) {
    Section cell = stone->cells.items[i];
    cell = section_cut(&cell, (SectionPoint){low, 0}, (SectionPoint){low, 1}, arena).right;
    cell = section_cut(&cell, (SectionPoint){high, 0}, (SectionPoint){high, 1}, arena).left;
    if (cell.count >= 3) section_append(&cells, cell, arena);
  }
  return cells;
}

void brick_row_lay(const BrickRow *row, Structure *structure)
{
  assert(row->z_low < row->z_high && row->y_low < row->y_high && "a course has a size");
  Arena scratch = arena_new(), *arena = &scratch;   // of what is cut and thrown away
  StonesOfRow stones = {0};
  for (int i = 0; i < row->count; i++) {
    const BrickSpan span = row->spans[i];
    const Sections cells = cut_holes(row, span, arena);
    add_stones(&stones, &cells, span, (span.high - span.low) * (row->z_high - row->z_low), arena);
  }
  join_small(&stones, arena);
  for (int i = 0; i < stones.count; i++) {
    const Sections cells = open_joints(&stones.items[i], row->joint, arena);
    if (cells.count == 0) continue;
    const char *name =
        row->name ? structure_name(structure, "%s.%d", row->name, (*row->number)++) : "";
    structure_add(structure, section_extrude(&cells, row->y_low, row->y_high, structure->arena),
                  name);
  }
  arena_destroy(&scratch);
}
