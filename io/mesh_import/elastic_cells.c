// Fills a shape with tetrahedra of a size: its plane faces in triangles, then TetGen.
#include "elastic_cells.h"

#include <assert.h>
#include <stdio.h>

#include "surface_complex.h"
#include "surface_split.h"
#include "tetgen.h"

// The surface may be split, and flat neighbours of it are one face, so that cells know nothing of
// its triangles. Where neighbours are nearly flat the program takes them as flat, and volume is
// lost: then each triangle is a face (M). q2: spheres about cells have radii of at most twice their
// shortest edge, which the program always reaches.
#define SWITCHES "-p%sFQq2a%.17g"
#define MOST_POINTS 30000   // added by the program

// The largest volume of a cell, m3: twice that of the regular tetrahedron. Mean edges are then
// about as long as the size.
static double largest_volume(double size) { return size * size * size / (3 * sqrt(2)); }

// A face in its plane.
static SplitPolygon outline_of(const SurfaceComplex *complex, int face, Arena *arena)
{
  const SurfaceFace *of = &complex->faces[face];
  assert(of->side_count >= SURFACE_MIN_LOOP && "a face has sides");
  const size_t count = (size_t)of->side_count;
  SplitCorner *corners = arena_allocate(arena, count * sizeof *corners);
  bool *ends = arena_allocate(arena, count * sizeof *ends);
  const SurfaceSide *first = &complex->sides[of->side_start];
  const vec3 u = complex->edges[first->edge].direction, v = vec3_cross(of->normal, u);
  const vec3 origin = complex->vertices[first->from].at;
  for (size_t k = 0; k < count; k++) {
    const SurfaceSide *side = &first[k];
    const vec3 x = vec3_sub(complex->vertices[side->from].at, origin);
    corners[k] = (SplitCorner){vec3_dot(u, x), vec3_dot(v, x), side->from, side->from};
    ends[k] = side->ends_loop;
  }
  return (SplitPolygon){.count = of->side_count, .corners = corners, .ends_loop = ends};
}

// The surface in triangles between its corners, as a mesh file would have it.
static MeshBlock block_of(const SurfaceComplex *complex, Arena *arena)
{
  MeshBlock block = {.name = "", .point_count = complex->vertex_count};
  block.points = arena_allocate(arena, (size_t)block.point_count * sizeof *block.points);
  for (int v = 0; v < block.point_count; v++) block.points[v] = complex->vertices[v].at;
  int capacity = 0;
  for (int f = 0; f < complex->face_count; f++) {
    const SplitPolygon outline = outline_of(complex, f, arena);
    const SplitTriangles split = surface_split(&outline, arena);
    block.triangles =
        arena_grow(arena, block.triangles, (int64_t)block.triangle_count + split.count, &capacity,
                   sizeof *block.triangles);
    for (int t = 0; t < split.count; t++) {
      int *to = block.triangles[block.triangle_count++];
      for (int k = 0; k < 3; k++) to[k] = split.names[t][k];
      const vec3 *p = block.points;
      block.volume += vec3_dot(p[to[0]], vec3_cross(p[to[1]], p[to[2]])) / 6;
    }
  }
  return block;
}

bool elastic_cells_make(const Shape *shape, double size, FiniteMesh *mesh, ErrorText reason)
{
  assert(shape->part_count > 0 && size > 0 && "a shape with faces, and a size");
  assert(reason.text != NULL && reason.bytes > 0 && "a reason has room");
  Arena arena = arena_new();
  const SurfacePieces pieces = surface_pieces_of_shape(shape, &arena);
  SurfaceComplex complex;
  bool made = surface_complex_build(&pieces, &arena, &complex).status == SURFACE_OK;
  if (!made) snprintf(reason.text, reason.bytes, "its facets are no closed surface");
  if (made) {
    const MeshBlock block = block_of(&complex, &arena);
    Tetrahedra filling;
    made = false;
    for (int i = 0; i < 2 && !made; i++) {
      char switches[48];
      snprintf(switches, sizeof switches, SWITCHES, i ? "M" : "", largest_volume(size));
      const TetgenMeshing meshing = {switches, true, MOST_POINTS};
      made = tetgen_mesh(meshing, &block, &arena, &filling, reason);
    }
    if (made)
      *mesh = finite_mesh_copy(&(FiniteMesh){.nodes = filling.point_count,
                                             .cells = filling.tetra_count,
                                             .corners = FINITE_TETRAHEDRON,
                                             .place = (vec3 *)filling.points,
                                             .corner = (int *)filling.tetra},
                               (vec3){0, 0, 0});
  }
  arena_destroy(&arena);
  return made;
}
