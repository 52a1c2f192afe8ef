// Cells, edges and vertices of a surface, with what is measured of them.
#include "barrier_surface.h"

#include <assert.h>

#include "barrier_points.h"
#include "surface_split.h"

#define CELL_FLAT 1e-9   // of the extent: a corner this far from the line of its neighbours is none

// A surface under way; the surface has its counts.
typedef struct {
  BarrierSurface *surface;
  vec3 *vertices;
  BarrierEdge *edges;
  BarrierCell *cells;
  BarrierCorner *corners;
  int corner_count, corner_room;
} Draft;

typedef struct {
  int vertices, edges, cells, corners;   // at most
} DraftRoom;

static Draft draft_new(BarrierSurface *surface, DraftRoom room, Arena *arena)
{
  *surface = (BarrierSurface){0};
  return (Draft){.surface = surface,
                 .vertices = arena_allocate(arena, (size_t)room.vertices * sizeof(vec3)),
                 .edges = arena_allocate(arena, (size_t)room.edges * sizeof(BarrierEdge)),
                 .cells = arena_allocate(arena, (size_t)room.cells * sizeof(BarrierCell)),
                 .corners = arena_allocate(arena, (size_t)room.corners * sizeof(BarrierCorner)),
                 .corner_room = room.corners};
}

static int add_edge(Draft *draft, int from, int to, bool convex)
{
  draft->edges[draft->surface->edge_count] =
      (BarrierEdge){.vertex = {from, to}, .cell = {-1, -1}, .share = convex};
  return draft->surface->edge_count++;
}

// A corner of the cell that is added next.
static void add_corner(Draft *draft, int vertex, int edge)
{
  assert(draft->corner_count < draft->corner_room && "room in a draft");
  draft->corners[draft->corner_count++] = (BarrierCorner){vertex, edge};
}

static void add_cell(Draft *draft, vec3 normal)
{
  const int number = draft->surface->cell_count++;
  const int first = number > 0 ? draft->cells[number - 1].end : 0;
  draft->cells[number] =
      (BarrierCell){.normal = normal, .first = first, .end = draft->corner_count};
}

// -- measures -------------------------------------------------------------------------------------

static void measure_cells(Draft *draft, Arena *arena)
{
  for (int c = 0; c < draft->surface->cell_count; c++) {
    BarrierCell *cell = &draft->cells[c];
    const int size = cell->end - cell->first;
    const ArenaMark mark = arena_mark(arena);
    vec3 *at = arena_allocate(arena, (size_t)size * sizeof *at);
    double offset = 0;
    for (int k = 0; k < size; k++) {
      const BarrierCorner corner = draft->corners[cell->first + k];
      BarrierEdge *edge = &draft->edges[corner.edge];
      at[k] = draft->vertices[corner.vertex];
      offset += vec3_dot(cell->normal, at[k]) / size;
      edge->cell[edge->vertex[0] == corner.vertex ? 0 : 1] = c;
    }
    cell->area = vec3_dot(cell->normal, polyhedron_area_vector(at, size));
    cell->offset = offset;
    cell->box = box_of_points(at, size);
    arena_release(arena, mark);
  }
}

// The area of a sharp edge is a third of its triangles, were its cells cut into triangles of one
// area and these into parts; where its cells hardly turn it stands for less.
static double edge_share(const Draft *draft, const BarrierEdge *edge, int refine)
{
  if (!(edge->share > 0)) return 0;
  const BarrierCell *a = &draft->cells[edge->cell[0]], *b = &draft->cells[edge->cell[1]];
  const double turn = smaller_of(1, 1 - vec3_dot(a->normal, b->normal));
  const double triangles = a->area / (a->end - a->first - 2) + b->area / (b->end - b->first - 2);
  return turn > 0 ? turn * triangles / (3.0 * refine * refine) : 0;
}

static void measure_edges(Draft *draft, int refine)
{
  for (int e = 0; e < draft->surface->edge_count; e++) {
    BarrierEdge *edge = &draft->edges[e];
    assert(edge->cell[0] >= 0 && edge->cell[1] >= 0 && "an edge lies between two cells");
    const vec3 along = vec3_sub(draft->vertices[edge->vertex[1]], draft->vertices[edge->vertex[0]]);
    edge->length = vec3_norm(along);
    assert(edge->length > 0 && "an edge has a length");
    edge->direction = vec3_scale(1 / edge->length, along);
    edge->share = edge_share(draft, edge, refine);
  }
}

static void find_cells_around(Draft *draft, Arena *arena)
{
  BarrierSurface *s = draft->surface;
  int *around = arena_allocate_zero(arena, (size_t)s->vertex_count + 2, sizeof *around);
  int *cells = arena_allocate(arena, (size_t)draft->corner_count * sizeof *cells);
  for (int k = 0; k < draft->corner_count; k++) around[draft->corners[k].vertex + 2]++;
  for (int v = 0; v < s->vertex_count; v++) around[v + 2] += around[v + 1];
  for (int c = 0; c < s->cell_count; c++) {
    for (int k = draft->cells[c].first; k < draft->cells[c].end; k++)
      cells[around[draft->corners[k].vertex + 1]++] = c;
  }
  s->around = around;
  s->around_cells = cells;
}

static void draft_end(Draft *draft, int refine, Arena *arena)
{
  BarrierSurface *s = draft->surface;
  measure_cells(draft, arena);
  measure_edges(draft, refine);
  find_cells_around(draft, arena);
  s->vertices = draft->vertices;
  s->edges = draft->edges;
  s->cells = draft->cells;
  s->corners = draft->corners;
  s->box = box_of_points(s->vertices, s->vertex_count);
  for (int v = 0; v < s->vertex_count; v++)
    s->radius = larger_of(s->radius, vec3_norm(s->vertices[v]));
  barrier_points_lay(s, refine, arena);
}

// -- of a solid -----------------------------------------------------------------------------------

BarrierSurface barrier_surface_of_solid(const Polyhedron *solid, int refine, Arena *arena)
{
  BarrierSurface surface;
  const DraftRoom room = {solid->vertex_count, solid->edge_count, solid->face_count,
                          2 * solid->edge_count};
  Draft draft = draft_new(&surface, room, arena);
  surface.vertex_count = solid->vertex_count;
  surface.convex = true;
  for (int v = 0; v < solid->vertex_count; v++) draft.vertices[v] = solid->vertices[v];
  for (int e = 0; e < solid->edge_count; e++)
    add_edge(&draft, solid->edges[e].vertex[0], solid->edges[e].vertex[1], true);
  const int *leaving = polyhedron_loop_edges(solid, arena);
  for (int f = 0; f < solid->face_count; f++) {
    for (int k = solid->face_start[f]; k < solid->face_start[f + 1]; k++)
      add_corner(&draft, solid->face_vertices[k], leaving[k]);
    add_cell(&draft, solid->planes[f].normal);
  }
  draft_end(&draft, refine, arena);
  return surface;
}

// -- of a complex ---------------------------------------------------------------------------------

static SplitTriangles split_face(const SurfaceComplex *complex, const SurfaceFace *face,
                                 Arena *arena)
{
  SplitCorner *corners = arena_allocate(arena, (size_t)face->side_count * sizeof *corners);
  bool *ends = arena_allocate(arena, (size_t)face->side_count * sizeof *ends);
  const SurfaceSide *first = &complex->sides[face->side_start];
  const vec3 u = complex->edges[first->edge].direction, v = vec3_cross(face->normal, u);
  const vec3 origin = complex->vertices[first->from].at;
  for (int k = 0; k < face->side_count; k++) {
    const SurfaceSide *side = &complex->sides[face->side_start + k];
    const vec3 x = vec3_sub(complex->vertices[side->from].at, origin);
    corners[k] = (SplitCorner){vec3_dot(u, x), vec3_dot(v, x), side->from, side->from};
    ends[k] = side->ends_loop;
  }
  const SplitPolygon outline = {.count = face->side_count, .corners = corners, .ends_loop = ends};
  return surface_split(&outline, arena);
}

// The edge of the complex along a side of a face, or that between two triangles of the face, which
// is added when its first triangle comes.
static int edge_within(Draft *draft, const SurfaceComplex *complex, int face, const int ends[2])
{
  const SurfaceFace *f = &complex->faces[face];
  for (int k = f->side_start; k < f->side_start + f->side_count; k++) {
    if (complex->sides[k].from == ends[0] && complex->sides[k].to == ends[1])
      return complex->sides[k].edge;
  }
  for (int e = draft->surface->edge_count - 1; e >= complex->edge_count; e--) {
    const BarrierEdge *edge = &draft->edges[e];
    if (edge->vertex[0] == ends[1] && edge->vertex[1] == ends[0] && edge->cell[0] == face) return e;
  }
  const int added = add_edge(draft, ends[0], ends[1], false);
  draft->edges[added].cell[0] = face;   // until cells are measured
  return added;
}

static void add_face(Draft *draft, const SurfaceComplex *complex, int face, Arena *arena)
{
  const SurfaceFace *f = &complex->faces[face];
  if (surface_face_is_convex(complex, face, CELL_FLAT)) {
    for (int k = f->side_start; k < f->side_start + f->side_count; k++)
      add_corner(draft, complex->sides[k].from, complex->sides[k].edge);
    add_cell(draft, f->normal);
    return;
  }
  const SplitTriangles triangles = split_face(complex, f, arena);
  for (int t = 0; t < triangles.count; t++) {
    const int *names = triangles.names[t];
    for (int k = 0; k < 3; k++) {
      const int ends[2] = {names[k], names[(k + 1) % 3]};
      add_corner(draft, ends[0], edge_within(draft, complex, face, ends));
    }
    add_cell(draft, f->normal);
  }
}

BarrierSurface barrier_surface_of_complex(const SurfaceComplex *complex, int refine, Arena *arena)
{
  BarrierSurface surface;
  // holes are joined by at most two more corners each, and sides hold three corners of a loop
  const int most = 2 * complex->side_count;
  const DraftRoom room = {complex->vertex_count, complex->edge_count + 2 * most, most, 3 * most};
  Draft draft = draft_new(&surface, room, arena);
  surface.vertex_count = complex->vertex_count;
  for (int v = 0; v < complex->vertex_count; v++) draft.vertices[v] = complex->vertices[v].at;
  surface.convex = surface_complex_is_convex(complex);
  for (int e = 0; e < complex->edge_count; e++) {
    const SurfaceEdge *edge = &complex->edges[e];
    add_edge(&draft, edge->vertex[0], edge->vertex[1], edge->class == SURFACE_RIDGE);
  }
  for (int f = 0; f < complex->face_count; f++) add_face(&draft, complex, f, arena);
  draft_end(&draft, refine, arena);
  return surface;
}
