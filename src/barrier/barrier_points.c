// Lays a grid over each cell: neighbours share the points of the edge between them.
#include "barrier_points.h"

#include <assert.h>

#define TRIANGLE 3
#define QUADRANGLE 4

// Points under way: those of vertices, then those inside of edges, then those inside of cells.
typedef struct {
  const BarrierSurface *surface;
  int refine, count;
  vec3 *points;
  double *areas;
} Layer;

static int cell_size(const BarrierCell *cell) { return cell->end - cell->first; }

static int new_point(Layer *layer, vec3 at)
{
  layer->points[layer->count] = at;
  return layer->count++;
}

// Point number k of refine along a side of a cell, from the corner on.
static int side_point(const Layer *layer, int corner, int k)
{
  const BarrierSurface *s = layer->surface;
  const BarrierEdge *edge = &s->edges[s->corners[corner].edge];
  const bool forward = edge->vertex[0] == s->corners[corner].vertex;
  const int at = forward ? k : layer->refine - k;
  if (at == 0) return edge->vertex[0];
  if (at == layer->refine) return edge->vertex[1];
  return s->vertex_count + s->corners[corner].edge * (layer->refine - 1) + at - 1;
}

// A piece of a cell gives its corners equal shares of its area.
static void share_area(const Layer *layer, vec3 normal, const int *corners, int count)
{
  assert(count >= 3 && count <= QUADRANGLE && "a piece has three or four corners");
  vec3 at[QUADRANGLE] = {{0, 0, 0}};
  for (int k = 0; k < count; k++) at[k] = layer->points[corners[k]];
  const double area = vec3_dot(normal, polyhedron_area_vector(at, count));
  for (int k = 0; k < count; k++) layer->areas[corners[k]] += area / count;
}

// A triangle with the points along its sides from corner 0: to corner 1, to corner 2, and from
// corner 1 to corner 2, refine + 1 each. rows: room for two rows of points.
static void lay_triangle(Layer *layer, vec3 normal, int *const sides[3], int *rows)
{
  const int n = layer->refine;
  int *above = rows, *below = rows + n + 1;
  above[0] = sides[0][0];
  for (int row = 1; row <= n; row++) {
    const vec3 from = layer->points[sides[0][row]], to = layer->points[sides[1][row]];
    for (int k = 0; k <= row; k++) {
      if (k == 0) below[k] = sides[0][row];
      else if (k == row) below[k] = sides[1][row];
      else if (row == n) below[k] = sides[2][k];
      else below[k] = new_point(layer, vec3_axpy((double)k / row, vec3_sub(to, from), from));
    }
    for (int k = 0; k < row; k++) {
      share_area(layer, normal, (int[]){above[k], below[k], below[k + 1]}, TRIANGLE);
      if (k + 1 < row)
        share_area(layer, normal, (int[]){above[k], below[k + 1], above[k + 1]}, TRIANGLE);
    }
    int *const swap = above;
    above = below;
    below = swap;
  }
}

// A quadrangle row by row, from the side of its first corner to the opposite one.
static void lay_quadrangle(Layer *layer, const BarrierCell *cell, int *rows)
{
  const int n = layer->refine, corner = cell->first;
  int *above = rows, *below = rows + n + 1;
  for (int k = 0; k <= n; k++) above[k] = side_point(layer, corner, k);
  for (int row = 1; row <= n; row++) {
    below[0] = side_point(layer, corner + 3, n - row);
    below[n] = side_point(layer, corner + 1, row);
    const vec3 from = layer->points[below[0]], to = layer->points[below[n]];
    for (int k = 1; k < n; k++)
      below[k] = row == n ? side_point(layer, corner + 2, n - k)
                          : new_point(layer, vec3_axpy((double)k / n, vec3_sub(to, from), from));
    for (int k = 0; k < n; k++)
      share_area(layer, cell->normal, (int[]){above[k], above[k + 1], below[k + 1], below[k]},
                 QUADRANGLE);
    int *const swap = above;
    above = below;
    below = swap;
  }
}

// Triangles about the middle of a cell of five corners and more.
static void lay_polygon(Layer *layer, const BarrierCell *cell, Arena *arena)
{
  const BarrierSurface *s = layer->surface;
  const int n = layer->refine, size = cell_size(cell);
  vec3 middle = {0, 0, 0};
  for (int k = cell->first; k < cell->end; k++)
    middle = vec3_axpy(1.0 / size, s->vertices[s->corners[k].vertex], middle);
  int *spokes = arena_allocate(arena, (size_t)size * (size_t)(n + 1) * sizeof *spokes);
  const int hub = new_point(layer, middle);
  for (int k = 0; k < size; k++) {
    int *spoke = spokes + k * (n + 1);
    const int tip = s->corners[cell->first + k].vertex;
    spoke[0] = hub;
    spoke[n] = tip;
    for (int i = 1; i < n; i++)
      spoke[i] =
          new_point(layer, vec3_axpy((double)i / n, vec3_sub(layer->points[tip], middle), middle));
  }
  int *rim = arena_allocate(arena, 3 * (size_t)(n + 1) * sizeof *rim), *rows = rim + n + 1;
  for (int k = 0; k < size; k++) {
    for (int i = 0; i <= n; i++) rim[i] = side_point(layer, cell->first + k, i);
    int *const sides[3] = {spokes + k * (n + 1), spokes + (k + 1) % size * (n + 1), rim};
    lay_triangle(layer, cell->normal, sides, rows);
  }
}

static void lay_cell(Layer *layer, const BarrierCell *cell, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  const int n = layer->refine, size = cell_size(cell);
  assert(size >= TRIANGLE && "a cell has an area");
  if (size > QUADRANGLE) {
    lay_polygon(layer, cell, arena);
  } else {
    int *room = arena_allocate(arena, 5 * (size_t)(n + 1) * sizeof *room),
        *rows = room + 3 * (n + 1);
    if (size == QUADRANGLE) {
      lay_quadrangle(layer, cell, rows);
    } else {
      int *const sides[3] = {room, room + n + 1, room + 2 * (n + 1)};
      for (int k = 0; k <= n; k++) {
        sides[0][k] = side_point(layer, cell->first, k);
        sides[1][k] = side_point(layer, cell->first + 2, n - k);
        sides[2][k] = side_point(layer, cell->first + 1, k);
      }
      lay_triangle(layer, cell->normal, sides, rows);
    }
  }
  arena_release(arena, mark);
}

// Points inside of a cell.
static size_t inner_points(const BarrierCell *cell, int refine)
{
  const size_t size = (size_t)cell_size(cell), n = (size_t)refine - 1;
  if (size == TRIANGLE) return n * (n - (n > 0)) / 2;
  return size == QUADRANGLE ? n * n : 1 + size * n + size * (n * (n - (n > 0)) / 2);
}

void barrier_points_lay(BarrierSurface *surface, int refine, Arena *arena)
{
  assert(refine >= 1 && surface->cell_count > 0 && "a surface has cells, and sides have parts");
  size_t count = (size_t)surface->vertex_count + (size_t)surface->edge_count * (size_t)(refine - 1);
  for (int c = 0; c < surface->cell_count; c++) count += inner_points(&surface->cells[c], refine);
  vec3 *points = arena_allocate(arena, count * sizeof *points);
  double *areas = arena_allocate_zero(arena, count, sizeof *areas);
  Layer layer = {surface, refine, surface->vertex_count, points, areas};
  for (int v = 0; v < surface->vertex_count; v++) points[v] = surface->vertices[v];
  for (int e = 0; e < surface->edge_count; e++) {
    const BarrierEdge *edge = &surface->edges[e];
    for (int k = 1; k < refine; k++)
      new_point(&layer, vec3_axpy(edge->length * k / refine, edge->direction,
                                  surface->vertices[edge->vertex[0]]));
  }
  for (int c = 0; c < surface->cell_count; c++) lay_cell(&layer, &surface->cells[c], arena);
  assert((size_t)layer.count == count && "points are as many as they were counted");
  surface->point_count = layer.count;
  surface->points = points;
  surface->areas = areas;
}
