// Meshes for ParaView: closed, outward, and with corners where the body's surface is.
#include "shape_mesh.h"

#include <math.h>

#include "harness.h"
#include "memory.h"
#include "recipe.h"

// Every side is run through once in each direction: the surface is closed and turned one way.
static bool is_closed(const ShapeMesh *mesh)
{
  for (int c = 0; c < mesh->cell_count; c++) {
    const int first = mesh->cell_start[c], count = mesh->cell_start[c + 1] - first;
    for (int k = 0; k < count; k++) {
      const int from = mesh->loops[first + k], to = mesh->loops[first + (k + 1) % count];
      int along = 0, against = 0;
      for (int d = 0; d < mesh->cell_count; d++) {
        const int start = mesh->cell_start[d], corners = mesh->cell_start[d + 1] - start;
        for (int j = 0; j < corners; j++) {
          const int p = mesh->loops[start + j], q = mesh->loops[start + (j + 1) % corners];
          along += p == from && q == to;
          against += p == to && q == from;
        }
      }
      if (along != 1 || against != 1) return false;
    }
  }
  return true;
}

static double volume_of(const ShapeMesh *mesh)
{
  double volume = 0;
  for (int c = 0; c < mesh->cell_count; c++) {
    const int *loop = mesh->loops + mesh->cell_start[c];
    for (int k = 1; k + 1 < mesh->cell_start[c + 1] - mesh->cell_start[c]; k++)
      volume += vec3_dot(mesh->points[loop[0]],
                         vec3_cross(mesh->points[loop[k]], mesh->points[loop[k + 1]])) /
                6;
  }
  return volume;
}

int main(void)
{
  Arena arena = arena_new();
  const ShapeRecipe recipes[3] = {{.radius = 0.35},
                                  recipe_single(recipe_box(vec3_new(1, 2, 3), &arena), &arena),
                                  {.radii = {0.7, 0.35, 0.1}}};
  ShapeSet shapes = shape_set_new(recipes, 3);
  MeshSet meshes = shape_mesh_set_new(&shapes);

  // an icosahedron cut in four: 42 points on the sphere, outward triangles of nearly one size
  const ShapeMesh *sphere = shape_mesh_set_get(&meshes, 0);
  CHECK(sphere == shape_mesh_set_get(&meshes, 0));
  CHECK(sphere->point_count == 42 && sphere->cell_count == 80 && sphere->loop_count == 240);
  CHECK(sphere->cell_start[0] == 0 && sphere->cell_start[80] == 240);
  vec3 sum = {0, 0, 0};
  for (int i = 0; i < sphere->point_count; i++) {
    CHECK_NEAR(vec3_norm(sphere->points[i]), 0.35, 1e-16);
    sum = vec3_add(sum, sphere->points[i]);
  }
  CHECK_NEAR(vec3_norm(sum), 0, 1e-14);
  double smallest = INFINITY, largest = 0;
  for (int c = 0; c < sphere->cell_count; c++) {
    const int *corner = sphere->loops + 3 * c;
    const vec3 p = sphere->points[corner[0]], q = sphere->points[corner[1]];
    const vec3 r = sphere->points[corner[2]];
    const vec3 area = vec3_cross(vec3_sub(q, p), vec3_sub(r, p));
    CHECK(vec3_dot(area, p) > 0 && sphere->cell_part[c] == 0);
    smallest = fmin(smallest, vec3_norm(area));
    largest = fmax(largest, vec3_norm(area));
  }
  CHECK(largest < 1.3 * smallest);
  CHECK(is_closed(sphere));
  // no corner outside: less than the sphere, more than the icosahedron, 0.605 of it
  const double ball = shape_set_get(&shapes, 0)->volume;
  CHECK(volume_of(sphere) < ball && volume_of(sphere) > 0.85 * ball);

  const ShapeMesh *box = shape_mesh_set_get(&meshes, 1);
  CHECK(box->point_count == 8 && box->cell_count == 6 && is_closed(box));
  CHECK_NEAR(volume_of(box), 6, 1e-14);

  // an ellipsoid is the sphere, stretched
  const ShapeMesh *egg = shape_mesh_set_get(&meshes, 2);
  CHECK(egg->point_count == 42 && egg->cell_count == 80 && is_closed(egg));
  for (int i = 0; i < egg->point_count; i++) {
    const vec3 p = egg->points[i];
    CHECK_NEAR(vec3_norm(vec3_new(p.x / 0.7, p.y / 0.35, p.z / 0.1)), 1, 1e-15);
  }
  CHECK_NEAR(volume_of(egg) / (0.7 * 0.35 * 0.1), volume_of(sphere) / (0.35 * 0.35 * 0.35), 1e-14);

  shape_mesh_set_destroy(&meshes);
  shape_set_destroy(&shapes);
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
