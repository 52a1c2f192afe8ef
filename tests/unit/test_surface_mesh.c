// Meshes that TetGen fills and the program cuts into convex parts have the surface of the mesh.
// test: needs tetgen
#include "harness.h"
#include "memory.h"
#include "mesh_solids.h"
#include "surface_complex.h"
#include "tetgen.h"

// A vertex of one complex for each of the other, with its class.
static bool same_vertices(const SurfaceComplex *p, const SurfaceComplex *q, vec3 shift)
{
  for (int i = 0; i < p->vertex_count; i++) {
    int found = 0;
    const vec3 at = vec3_add(p->vertices[i].at, shift);
    for (int j = 0; j < q->vertex_count; j++) {
      if (vec3_norm(vec3_sub(at, q->vertices[j].at)) > 1e-11 * p->extent) continue;
      found += p->vertices[i].class == q->vertices[j].class &&
               fabs(p->vertices[i].cone.cosine - q->vertices[j].cone.cosine) <= 1e-8;
    }
    if (found != 1) return false;
  }
  return true;
}

int main(void)
{
  Arena arena = arena_new();
  const char *names[4] = {"cup", "torus", "l", "u"};
  for (int k = 0; k < 4; k++) {
    const MeshBlock mesh = block_read(names[k], &arena);
    const SurfacePieces raw = surface_pieces_of_triangles(
        mesh.points, (const int(*)[3])mesh.triangles, mesh.triangle_count, &arena);
    SurfaceComplex whole, parted, tetra;
    if (!CHECK(surface_complex_build(&raw, &arena, &whole).status == SURFACE_OK)) continue;
    Tetrahedra filling;
    TetgenReport report;
    char error[1000];
    const TetgenTask task = {&mesh, "mesh.obj", {"tetgen", 60}, NULL};
    if (!CHECK(tetgen_fill(&task, &arena, &filling, &report, (ErrorText){error, sizeof error})))
      continue;

    // few convex parts, and every tetrahedron as one
    Shape shape;
    const ShapeRecipe recipe = convex_parts(&filling, &arena);
    if (!CHECK(shape_build(&recipe, &arena, &shape).status == SHAPE_OK)) continue;
    const SurfacePieces facets = surface_pieces_of_shape(&shape, &arena);
    if (!CHECK(surface_complex_build(&facets, &arena, &parted).status == SURFACE_OK)) continue;
    CHECK(parted.vertex_count == whole.vertex_count && parted.edge_count == whole.edge_count &&
          parted.face_count == whole.face_count && parted.side_count == whole.side_count);
    CHECK(same_vertices(&parted, &whole, shape.center));
    CHECK_NEAR(surface_complex_volume(&parted), mesh.volume, 1e-11 * mesh.volume);
    PartRecipe *parts = arena_allocate(&arena, (size_t)filling.tetra_count * sizeof *parts);
    for (int t = 0; t < filling.tetra_count; t++) {
      vec3 *corners = arena_allocate(&arena, 4 * sizeof *corners);
      for (int i = 0; i < 4; i++) corners[i] = filling.points[filling.tetra[t][i]];
      parts[t] = (PartRecipe){.count = 4, .points = corners};
    }
    const ShapeRecipe soup = {.part_count = filling.tetra_count, .parts = parts};
    if (!CHECK(shape_build(&soup, &arena, &shape).status == SHAPE_OK)) continue;
    const SurfacePieces pieces = surface_pieces_of_shape(&shape, &arena);
    if (!CHECK(surface_complex_build(&pieces, &arena, &tetra).status == SURFACE_OK)) continue;
    CHECK(tetra.vertex_count == whole.vertex_count && tetra.edge_count == whole.edge_count &&
          tetra.face_count == whole.face_count && tetra.side_count == whole.side_count);
    CHECK(same_vertices(&tetra, &whole, shape.center));
    printf("%s: %d triangles, %d parts, %d tetrahedra; %d vertices, %d edges, %d faces\n", names[k],
           mesh.triangle_count, recipe.part_count, filling.tetra_count, whole.vertex_count,
           whole.edge_count, whole.face_count);
  }
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
