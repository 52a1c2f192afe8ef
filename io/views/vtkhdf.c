// Writes results.vtkhdf, which links what is in the frames.
#include "vtkhdf.h"

#include <assert.h>
#include <stdio.h>

#include "arena.h"
#include "linked_file.h"
#include "memory.h"
#include "results.h"

// Numbers of VTK for its cells.
enum { VTK_VERTEX = 1, VTK_LINE = 3, VTK_POLYGON = 7 };

static const int64_t VERSION[2] = {2, 1};

// Counts of cells' corners, beside the group of the format: every step takes as many as it has.
#define COUNTS "counts"
#define POINT_COUNT "/" COUNTS "/by_1"
#define LINE_COUNT "/" COUNTS "/by_2"

// Rows of both.
typedef struct {
  uint64_t points, lines;
} Counted;

// A step of the collection, and where its rows begin in a view's data sets.
typedef struct {
  const ShownFrame *frame;
  char *file;
  uint64_t points, cells;              // rows of this step
  uint64_t first_point, first_datum;   // among all steps
  uint64_t first_cell, first_corner;   // among the sets of cells: those of the step's set
  int set;                             // which of those
} LinkedStep;

// Cells of one step, or of several that share them.
typedef struct {
  const char *file;
  uint64_t cells, corners, points;
} CellSet;

// One view in all steps.
typedef struct {
  LinkedFile *file;
  FrameView view;
  const ViewPlan *plan;
  int steps, sets;
  LinkedStep *step;                   // [steps]
  CellSet *set;                       // [sets]
  uint64_t points, data;              // rows of all steps
  uint64_t cells, corners, longest;   // of all sets; cells of the largest set
} View;

// Finds the set of a step's cells. Frames that rely on topology.h5 share one.
static void place_cells(View *v, LinkedStep *step)
{
  const bool shares = view_cells_mixed(v->plan->cells) && !step->frame->own_mesh;
  if (shares)
    for (const LinkedStep *s = v->step; s < step; s++)
      if (!s->frame->own_mesh && s->cells == step->cells) {
        step->set = s->set;
        step->first_cell = s->first_cell;
        step->first_corner = s->first_corner;
        return;
      }
  const uint64_t corners = step->cells > 0 ? frame_views_loops(v->view, step->frame) : 0;
  step->set = v->sets++;
  step->first_cell = v->cells;
  // points are their own corners, by one count for all steps
  step->first_corner = v->plan->cells == CELLS_POINTS ? 0 : v->corners;
  v->set[step->set] =
      (CellSet){shares ? RESULTS_TOPOLOGY : step->file, step->cells, corners, step->points};
  v->cells += step->cells;
  v->corners += corners;
  if (step->cells > v->longest) v->longest = step->cells;
}

static View view_of(LinkedFile *file, FrameView view, LinkedStep *steps, int count, CellSet *sets)
{
  View v = {.file = file,
            .view = view,
            .plan = frame_views_plan(view),
            .steps = count,
            .step = steps,
            .set = sets};
  for (int t = 0; t < count; t++) {
    LinkedStep *s = &steps[t];
    const bool shown = frame_views_show(view, s->frame);
    s->cells = shown ? frame_views_cells(view, s->frame) : 0;
    // lines without a line have no use for points either
    s->points = s->cells > 0 ? frame_views_points(view, s->frame) : 0;
    s->first_point = v.points;
    s->first_datum = v.data;
    v.points += s->points;
    v.data += s->cells;
    place_cells(&v, s);
  }
  return v;
}

// ------------------------------------------------------------------------------------------------
// Geometry.

static void add_points(const View *v, LinkedGroup group)
{
  LinkedRows rows = linked_rows_begin(v->file, FIELD_F64, 3, v->points);
  for (int t = 0; t < v->steps; t++) {
    const LinkedStep *s = &v->step[t];
    linked_rows_add(v->file, &rows, s->first_point,
                    (LinkedSource){s->file, v->plan->points, s->points, s->points, 3});
  }
  linked_rows_end(v->file, &rows, group, "Points");
}

// Corners of all cells, set by set. Points are their own corners, by one count for all steps.
static void add_corners(const View *v, LinkedGroup group, Counted counted)
{
  if (v->plan->cells == CELLS_POINTS) {
    LinkedRows rows = linked_rows_begin(v->file, FIELD_U64, 1, v->longest);
    linked_rows_add(v->file, &rows, 0,
                    (LinkedSource){".", POINT_COUNT, counted.points, v->longest, 1});
    linked_rows_end(v->file, &rows, group, "Connectivity");
    return;
  }
  const bool lines = v->plan->cells == CELLS_LINES;
  char path[64] = "";
  if (!lines) snprintf(path, sizeof path, "%s/connectivity", v->plan->group);
  LinkedRows rows = linked_rows_begin(v->file, FIELD_U64, 1, v->corners);
  uint64_t first = 0;
  for (int i = 0; i < v->sets; i++) {
    const CellSet *set = &v->set[i];
    const LinkedSource source =
        lines ? (LinkedSource){set->file, v->plan->corners, set->cells, set->cells, 2}
              : (LinkedSource){set->file, path, set->corners, set->corners, 1};
    linked_rows_add(v->file, &rows, first, source);
    first += set->corners;
  }
  linked_rows_end(v->file, &rows, group, "Connectivity");
}

// Where the corners of each cell begin, and where those of the last one end: a row more than cells.
static void add_offsets(const View *v, LinkedGroup group, Counted counted)
{
  LinkedRows rows = linked_rows_begin(v->file, FIELD_U64, 1, v->cells + (uint64_t)v->sets);
  char path[64] = "";
  if (v->plan->group) snprintf(path, sizeof path, "%s/offsets", v->plan->group);
  uint64_t first = 0;
  for (int i = 0; i < v->sets; i++) {
    const CellSet *set = &v->set[i];
    const uint64_t ends = set->cells + 1;
    LinkedSource source = {".", POINT_COUNT, counted.points, ends, 1};
    if (v->plan->cells == CELLS_LINES)
      source = (LinkedSource){".", LINE_COUNT, counted.lines, ends, 1};
    // a set without cells is an empty step, of which there need be no polygons anywhere
    else if (v->plan->group && set->cells > 0)
      source = (LinkedSource){set->file, path, ends, ends, 1};
    linked_rows_add(v->file, &rows, first, source);
    first += ends;
  }
  linked_rows_end(v->file, &rows, group, "Offsets");
}

// What each cell is, VTK's numbers.
static void add_types(const View *v, LinkedGroup group)
{
  static const unsigned char kinds[] = {
      [CELLS_POLYGONS] = VTK_POLYGON, [CELLS_POINTS] = VTK_VERTEX, [CELLS_LINES] = VTK_LINE};
  if (v->plan->cells != CELLS_VOLUMES) {
    linked_file_constant(v->file, group, "Types", kinds[v->plan->cells], v->cells);
    return;
  }
  LinkedRows rows = linked_rows_begin_bytes(v->file, v->cells);
  char path[64];
  snprintf(path, sizeof path, "%s/types", v->plan->group);
  uint64_t first = 0;
  for (int i = 0; i < v->sets; i++) {
    const CellSet *set = &v->set[i];
    linked_rows_add(v->file, &rows, first,
                    (LinkedSource){set->file, path, set->cells, set->cells, 1});
    first += set->cells;
  }
  linked_rows_end(v->file, &rows, group, "Types");
}

static void add_numbers(const View *v, LinkedGroup group, Arena *arena)
{
  const size_t count = (size_t)v->sets;
  int64_t *numbers = arena_allocate(arena, 3 * count * sizeof *numbers);
  for (size_t i = 0; i < count; i++) {
    numbers[i] = (int64_t)v->set[i].points;
    numbers[count + i] = (int64_t)v->set[i].cells;
    numbers[2 * count + i] = (int64_t)v->set[i].corners;
  }
  linked_file_series(v->file, group, "NumberOfPoints", numbers, count);
  linked_file_series(v->file, group, "NumberOfCells", numbers + count, count);
  linked_file_series(v->file, group, "NumberOfConnectivityIds", numbers + 2 * count, count);
}

// ------------------------------------------------------------------------------------------------
// Columns, and which part of all that a step is.

// A fixed column lies beside the cells, once for each set of them.
static void add_column(const View *v, LinkedGroup group, const ViewColumn *column)
{
  const int components = column->components;
  const bool fixed = column->rows == ROWS_FIXED, of_points = column->rows == ROWS_POINTS;
  const uint64_t all = fixed ? v->cells : of_points ? v->points : v->data;
  LinkedRows rows = linked_rows_begin(v->file, column->type, components, all);
  uint64_t first = 0;
  for (int i = 0; i < v->sets && fixed; i++) {
    const CellSet *set = &v->set[i];
    linked_rows_add(v->file, &rows, first,
                    (LinkedSource){set->file, column->path, set->cells, set->cells, components});
    first += set->cells;
  }
  for (int t = 0; t < v->steps && !fixed; t++) {
    const LinkedStep *s = &v->step[t];
    const uint64_t count = of_points ? s->points : s->cells;
    if (frame_views_have(column, s->frame))
      linked_rows_add(v->file, &rows, of_points ? s->first_point : s->first_datum,
                      (LinkedSource){s->file, column->path, count, count, components});
  }
  linked_rows_end(v->file, &rows, group, column->name);
}

static bool any_has(const View *v, const ViewColumn *column)
{
  for (int t = 0; t < v->steps; t++)
    if (v->step[t].cells > 0 && frame_views_have(column, v->step[t].frame)) return true;
  return false;
}

// A number of each step.
typedef int64_t (*StepNumber)(const LinkedStep *step);

static int64_t part_of(const LinkedStep *s) { return s->set; }
static int64_t first_point(const LinkedStep *s) { return (int64_t)s->first_point; }
static int64_t first_datum(const LinkedStep *s) { return (int64_t)s->first_datum; }
static int64_t first_cell(const LinkedStep *s) { return (int64_t)s->first_cell; }
static int64_t first_corner(const LinkedStep *s) { return (int64_t)s->first_corner; }
static int64_t one(const LinkedStep *s)
{
  (void)s;
  return 1;
}

static const int64_t *numbers_of(const View *v, StepNumber number, Arena *arena)
{
  int64_t *values = arena_allocate(arena, (size_t)v->steps * sizeof *values);
  for (int t = 0; t < v->steps; t++) values[t] = number(&v->step[t]);
  return values;
}

// Whether a column is one of the points.
static bool on_points(const View *v, const ViewColumn *column)
{
  return v->plan->cells == CELLS_POINTS || column->rows == ROWS_POINTS;
}

// Whether the view has any column there; without one there is no group of them.
static bool any_on(const View *v, bool points)
{
  for (const ViewColumn *column = v->plan->columns; column->name; column++)
    if (on_points(v, column) == points && any_has(v, column)) return true;
  return false;
}

// Where the rows of a column begin in each step.
static StepNumber first_row(const ViewColumn *column)
{
  switch (column->rows) {
  case ROWS_FIXED: return first_cell;
  case ROWS_POINTS: return first_point;
  case ROWS_MOVING: break;
  }
  return first_datum;
}

// Columns whose rows begin alike share a data set.
static void add_offsets_of_data(const View *v, LinkedGroup steps, bool points, Arena *arena)
{
  if (!any_on(v, points)) return;
  const LinkedGroup offsets =
      linked_file_group(v->file, steps, points ? "PointDataOffsets" : "CellDataOffsets");
  const char *known[ROWS_POINTS + 1] = {NULL};
  for (const ViewColumn *column = v->plan->columns; column->name; column++) {
    if (on_points(v, column) != points || !any_has(v, column)) continue;
    const char **first = &known[column->rows];
    if (*first) linked_file_again(v->file, offsets, *first, column->name);
    else
      linked_file_series(v->file, offsets, column->name, numbers_of(v, first_row(column), arena),
                         (size_t)v->steps);
    if (!*first) *first = column->name;
  }
}

static void add_data(const View *v, LinkedGroup group, bool points)
{
  if (!any_on(v, points)) return;
  const LinkedGroup data = linked_file_group(v->file, group, points ? "PointData" : "CellData");
  for (const ViewColumn *column = v->plan->columns; column->name; column++)
    if (on_points(v, column) == points && any_has(v, column)) add_column(v, data, column);
}

static void add_steps(const View *v, LinkedGroup group, Arena *arena)
{
  const LinkedGroup steps = linked_file_group(v->file, group, "Steps");
  const int64_t count = v->steps;
  linked_file_numbers(v->file, steps, "NSteps", &count, 1);
  const size_t rows = (size_t)v->steps;
  double *times = arena_allocate(arena, rows * sizeof *times);
  for (size_t t = 0; t < rows; t++) times[t] = v->step[t].frame->time;
  linked_file_reals(v->file, steps, "Values", times, rows);
  static const struct {
    const char *name;
    StepNumber number;
    bool by_topology;   // an axis for the kinds of cells, of which there is one
  } all[] = {{"PartOffsets", part_of, false},
             {"NumberOfParts", one, false},
             {"PointOffsets", first_point, false},
             {"CellOffsets", first_cell, true},
             {"ConnectivityIdOffsets", first_corner, true}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const int64_t *numbers = numbers_of(v, all[i].number, arena);
    if (all[i].by_topology) linked_file_table(v->file, steps, all[i].name, numbers, rows);
    else linked_file_series(v->file, steps, all[i].name, numbers, rows);
  }
  add_offsets_of_data(v, steps, false, arena);
  add_offsets_of_data(v, steps, true, arena);
}

static void add_view(const View *v, LinkedGroup above, int64_t index, Counted counted)
{
  Arena arena = arena_new();
  const LinkedGroup group = linked_file_group(v->file, above, v->plan->name);
  linked_file_numbers(v->file, group, "Version", VERSION, 2);
  linked_file_text(v->file, group, "Type", "UnstructuredGrid");
  linked_file_numbers(v->file, group, "Index", &index, 1);
  add_numbers(v, group, &arena);
  add_points(v, group);
  add_corners(v, group, counted);
  add_offsets(v, group, counted);
  add_types(v, group);
  add_data(v, group, false);
  add_data(v, group, true);
  add_steps(v, group, &arena);
  arena_destroy(&arena);
}

// ------------------------------------------------------------------------------------------------
// The file.

// Cells of the largest step of views of points or lines, which count their corners, and one.
static uint64_t counted_in(const LinkedStep *steps, int count, ViewCells counting)
{
  uint64_t most = 0;
  for (int t = 0; t < count; t++)
    for (int view = 0; view < FRAME_VIEWS; view++) {
      const FrameView of = (FrameView)view;
      if (frame_views_plan(of)->cells != counting || !frame_views_show(of, steps[t].frame))
        continue;
      const uint64_t cells = frame_views_cells(of, steps[t].frame);
      if (cells > most) most = cells;
    }
  return most + 1;
}

static void add_all(LinkedFile *file, LinkedStep *steps, int count)
{
  Arena arena = arena_new();
  CellSet *sets = arena_allocate(&arena, (size_t)count * sizeof *sets);
  const Counted counted = {counted_in(steps, count, CELLS_POINTS),
                           counted_in(steps, count, CELLS_LINES)};
  const LinkedGroup root = linked_file_group(file, LINKED_ROOT, "VTKHDF");
  linked_file_numbers(file, root, "Version", VERSION, 2);
  linked_file_text(file, root, "Type", "PartitionedDataSetCollection");
  const LinkedGroup assembly = linked_file_group(file, root, "Assembly");
  const LinkedGroup counts = linked_file_group(file, LINKED_ROOT, COUNTS);
  linked_file_count(file, counts, "by_1", 1, counted.points);
  linked_file_count(file, counts, "by_2", 2, counted.lines);
  int64_t index = 0;
  for (int view = 0; view < FRAME_VIEWS && !file->status->failed; view++) {
    const View v = view_of(file, (FrameView)view, steps, count, sets);
    if (v.data == 0) continue;
    add_view(&v, root, index++, counted);
    char path[64];
    snprintf(path, sizeof path, "/VTKHDF/%s", v.plan->name);
    linked_file_link(file, linked_file_group(file, assembly, v.plan->name), v.plan->name, path);
  }
  arena_destroy(&arena);
}

void vtkhdf_write(const char *folder, const ShownFrame *frames, int frame_count, DiskStatus *status)
{
  assert(frame_count >= 0 && "frames are counted");
  LinkedStep *steps = memory_allocate(((size_t)frame_count + 1) * sizeof *steps);
  int count = 0;
  for (int i = 0; i < frame_count; i++)
    if (frames[i].linkable)
      steps[count++] =
          (LinkedStep){.frame = &frames[i], .file = disk_numbered(RESULTS_FRAME, frames[i].step)};
  if (count == 0) {
    disk_remove(folder, RESULTS_VTKHDF, status);
  } else {
    LinkedFile file;
    linked_file_begin(&file, folder, RESULTS_VTKHDF, status);
    if (!status->failed) add_all(&file, steps, count);
    linked_file_end(&file);
  }
  for (int i = 0; i < count; i++) memory_free(steps[i].file);
  memory_free(steps);
}
