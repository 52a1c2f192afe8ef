// Makes the stones of rubble walls: seeds in courses, their Voronoi cells, and joints between them.
#include "rubble.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "clipper.h"
#include "random.h"
#include "voronoi.h"

#define BOND 0.25   // shift of the seeds of every second row along x, both ways, of their distance

static double cube_root(double x)
{
  assert(x > 0 && "a volume is positive");
  // Newton's method falls from above until rounding stops it
  double root = x > 1 ? x : 1;
  for (;;) {
    const double next = root - (root - x / (root * root)) / 3;
    if (!(next < root)) return root;
    root = next;
  }
}

int rubble_count(vec3 box, double size)
{
  assert(size > 0 && "stones have a size");
  const double count = box.x / size * (box.y / size) * (box.z / size) + 0.5;
  if (count > RUBBLE_MOST_STONES) return RUBBLE_MOST_STONES + 1;
  return count < 1 ? 1 : (int)count;
}

// -- seeds ----------------------------------------------------------------------------------------

// How many pieces of about a length a side is cut into, 1 to most.
static int cut_side(double side, double length, int most)
{
  const double pieces = side / length + 0.5;
  return pieces < 1 ? 1 : pieces < most ? (int)pieces : most;
}

// The first of the items of piece number index, when count of them are shared out evenly.
static int first_of(int count, int pieces, int index)
{
  return (int)((int64_t)count * index / pieces);
}

// Back into a side by mirrors at its ends.
static double mirror(double x, double side)
{
  if (x < 0) return -x;
  return x > side ? 2 * side - x : x;
}

vec3 *rubble_seeds(const Rubble *rubble, uint64_t stream, Arena *arena)
{
  const Rubble *r = rubble;
  assert(r->stones >= 1 && r->stones <= RUBBLE_MOST_STONES && "stones are counted");
  const vec3 size = r->size;
  vec3 *seeds = arena_allocate(arena, (size_t)r->stones * sizeof *seeds);
  const double length = cube_root(size.x * size.y * size.z * r->flatness / r->stones);
  const int courses = cut_side(size.z, length / r->flatness, r->stones);
  for (int c = 0; c < courses; c++) {
    const int course_first = first_of(r->stones, courses, c);
    const int in_course = first_of(r->stones, courses, c + 1) - course_first;
    const int rows = cut_side(size.y, length, in_course);
    for (int row = 0; row < rows; row++) {
      const int first = course_first + first_of(in_course, rows, row);
      const int in_row = course_first + first_of(in_course, rows, row + 1) - first;
      const double pitch = size.x / in_row, shift = (c + row) % 2 ? BOND : -BOND;
      for (int i = 0; i < in_row; i++) {
        const uint64_t draw = 3 * (uint64_t)(first + i);
        const double x =
            i + 0.5 + (in_row > 1 ? shift : 0) + r->jitter * (random_uniform(stream, draw) - 0.5);
        const double y = row + 0.5 + r->jitter * (random_uniform(stream, draw + 1) - 0.5);
        const double z = c + 0.5 + r->jitter * (random_uniform(stream, draw + 2) - 0.5);
        seeds[first + i] =
            (vec3){mirror(x * pitch, size.x), y * (size.y / rows), z * (size.z / courses)};
      }
    }
  }
  return seeds;
}

// -- stones ---------------------------------------------------------------------------------------

// From the box of the cells to that of the wall.
static vec3 wall_place(const Rubble *rubble, vec3 place)
{
  return (vec3){place.x, place.y - 0.5 * rubble->size.y, place.z};
}

// The corners of a cell, each once.
static PartRecipe take_cell(const Rubble *rubble, const VoronoiCells *cells, int number,
                            Arena *arena, Arena *scratch)
{
  const VoronoiCell *cell = &cells->cells[number];
  int most = 0, count = 0;
  for (int f = 0; f < cell->face_count; f++) most += cell->faces[f].corner_count;
  assert(most >= 12 && "a cell has four faces");
  int *taken = arena_allocate(scratch, (size_t)most * sizeof *taken);
  for (int f = 0; f < cell->face_count; f++)
    for (int k = 0; k < cell->faces[f].corner_count; k++) {
      const int corner = cell->faces[f].corners[k];
      int at = 0;
      while (at < count && taken[at] != corner) at++;
      if (at == count) taken[count++] = corner;
    }
  PartRecipe part = {.count = count, .points = arena_allocate(arena, (size_t)count * sizeof(vec3))};
  for (int i = 0; i < count; i++) part.points[i] = wall_place(rubble, cells->corners[taken[i]]);
  return part;
}

// The corners of a cell whose faces to other cells lie half a joint further in; false: nothing is
// left.
static bool cut_joints(const Rubble *rubble, const VoronoiSpace *space, const VoronoiCell *cell,
                       int number, Arena *arena, PartRecipe *part)
{
  assert(rubble->joint > 0 && "joints are cut where they have a width");
  Arena scratch = arena_new();
  ClipperSpace small;
  Clipper clipper = clipper_new(VORONOI_SIDES + cell->face_count, &small, &scratch);
  clipper_start_box(&clipper, (vec3){0, 0, 0}, space->high, 0);
  bool left = true;
  for (int f = 0; f < cell->face_count && left; f++) {
    const int neighbour = cell->faces[f].neighbour;
    if (neighbour < 0) continue;
    Plane plane;
    plane.normal = voronoi_plane(space, number, neighbour, &plane.offset);
    plane.offset -= 0.5 * rubble->joint;
    const CutResult cut = clipper_cut(&clipper, plane, VORONOI_SIDES + f);
    left = cut == CUT_PART || cut == CUT_NOTHING;
  }
  Polyhedron hull;
  left = left && hull_build(clipper.vertices, clipper.vertex_count, &scratch, &hull) == HULL_OK;
  if (left) {
    part->count = hull.vertex_count;
    part->points = arena_allocate(arena, (size_t)hull.vertex_count * sizeof(vec3));
    for (int i = 0; i < hull.vertex_count; i++)
      part->points[i] = wall_place(rubble, hull.vertices[i]);
  }
  arena_destroy(&scratch);
  return left;
}

RubbleResult rubble_make(const Rubble *rubble, uint64_t stream, Arena *arena, ShapeRecipe *shapes)
{
  assert(rubble->flatness > 0 && !(rubble->joint < 0) && "measures of rubble");
  Arena scratch = arena_new();
  vec3 *seeds = rubble_seeds(rubble, stream, &scratch);
  const VoronoiSpace space = {.high = rubble->size,
                              .stretch = {1, 1, rubble->flatness},
                              .count = rubble->stones,
                              .seeds = seeds};
  RubbleResult result = {RUBBLE_OK, 0};
  VoronoiCells cells;
  for (int r = 0; result.status == RUBBLE_OK; r++) {
    const ArenaMark mark = arena_mark(&scratch);
    if (!voronoi_cells(&space, &scratch, &cells)) result.status = RUBBLE_BROKEN;
    if (result.status != RUBBLE_OK || r == rubble->relaxations) break;
    for (int i = 0; i < space.count; i++) voronoi_measure(&cells, i, &seeds[i]);
    arena_release(&scratch, mark);
  }
  for (int i = 0; i < space.count && result.status == RUBBLE_OK; i++) {
    PartRecipe part = {0};
    if (rubble->joint == 0) part = take_cell(rubble, &cells, i, arena, &scratch);
    else if (!cut_joints(rubble, &space, &cells.cells[i], i, arena, &part))
      result = (RubbleResult){RUBBLE_VANISHED, i};
    ShapeRecipe shape = {.part_count = 1, .parts = arena_allocate(arena, sizeof(PartRecipe))};
    shape.parts[0] = part;
    shapes[i] = shape;
  }
  arena_destroy(&scratch);
  return result;
}
