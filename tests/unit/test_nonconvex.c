// Bodies cut from meshes that are not convex behave as one: contacts on their true surface alone.
#include <math.h>
#include <stdio.h>

#include "harness.h"
#include "mesh_import.h"
#include "patch.h"
#include "posed_scene.h"

static const PatchParameters parameters = {.margin = 1e-3, .feature_width = 2e-3, .max_points = 8};

static bool load(const char *name, Arena *arena, Shape *shape)
{
  char path[1024], error[1024] = "";
  snprintf(path, sizeof path, "%s/meshes/%s", TESTS_FOLDER, name);
  MeshBodies mesh;
  const bool read = mesh_import(path, (MeshFrame){.scale = 1, .up = 2}, arena, &mesh,
                                (ErrorText){error, sizeof error});
  if (!CHECK(read && mesh.count == 1)) {
    printf("%s\n", error);
    return false;
  }
  return CHECK(shape_build(&mesh.bodies[0].recipe, arena, shape).status == SHAPE_OK);
}

static bool face_is_true(const Part *part, int face)
{
  return part->facet_start[face + 1] > part->facet_start[face];
}

// Does the feature belong to a face that is surface, at least in part?
static bool feature_is_true(const Part *part, uint32_t feature)
{
  const unsigned kind = feature >> 30;
  const int index = (int)(feature & 0x3fffffffU);
  const Polyhedron *hull = &part->hull;
  if (kind == 0) return face_is_true(part, index);
  // corners and sides of a facet that another part cuts are numbered beyond the hull's own
  if (kind == 1 && index < hull->edge_count) {
    const Edge edge = hull->edges[index];
    return face_is_true(part, edge.face[0]) || face_is_true(part, edge.face[1]);
  }
  if (kind == 2 && index < hull->vertex_count) {
    for (int f = 0; f < hull->face_count; f++)
      for (int k = hull->face_start[f]; k < hull->face_start[f + 1]; k++)
        if (hull->face_vertices[k] == index && face_is_true(part, f)) return true;
    return false;
  }
  return part->facet_count > 0;
}

static bool points_are_true(const PatchSet *set, const Shape *a, const Shape *b)
{
  for (int i = 0; i < set->patch_count; i++)
    for (int k = 0; k < set->patches[i].point_count; k++) {
      const PatchPoint *p = &set->patches[i].points[k];
      if (!feature_is_true(&a->parts[p->part_a], p->feature_a) ||
          !feature_is_true(&b->parts[p->part_b], p->feature_b))
        return false;
    }
  return true;
}

static double lowest(const PosedBody *body)
{
  double low = INFINITY;
  for (int p = 0; p < body->shape->part_count; p++)
    for (int v = 0; v < body->parts[p].vertex_count; v++)
      low = fmin(low, body->center.z + body->parts[p].vertices[v].z);
  return low;
}

static PosedBody make_floor(Arena *arena)
{
  const Solid solid = solid_box(vec3_new(-50, -50, -1), vec3_new(50, 50, 0));
  return body_from_solid(&solid, mat3_diagonal(1, 1, 1), vec3_new(0, 0, 0), vec3_new(0, 0, 0),
                         arena);
}

// Lies flat on a floor: as many points as its outline has convex corners, at most max_points.
static void test_resting(const char *name, int points)
{
  Arena arena = arena_new();
  Shape shape;
  if (load(name, &arena, &shape)) {
    PosedBody body =
        body_place(&shape, mat3_diagonal(1, 1, 1), vec3_new(0, 0, 0), vec3_new(0, 0, -1), &arena);
    const PosedBody ground = make_floor(&arena);
    body.center.z -= lowest(&body);
    const PatchSet set = patch_find(&ground, &body, &parameters, 0, &arena);
    int found = 0;
    for (int i = 0; i < set.patch_count; i++) {
      found += set.patches[i].point_count;
      CHECK(set.patches[i].normal.z == -1);
      for (int k = 0; k < set.patches[i].point_count; k++)
        CHECK_NEAR(set.patches[i].points[k].gap, 0, 1e-12);
    }
    if (!CHECK(found == points)) printf("%s: %d points for %d\n", name, found, points);
    CHECK(set.failed == 0 && points_are_true(&set, ground.shape, &shape));
  }
  arena_destroy(&arena);
}

// Dips into the floor in any orientation: the floor's normal, and the depth of its lowest point.
static void test_dipping(const char *name, Random *random, int rounds)
{
  Arena arena = arena_new();
  Shape shape;
  if (load(name, &arena, &shape)) {
    const PosedBody ground = make_floor(&arena);
    for (int i = 0; i < rounds; i++) {
      const ArenaMark mark = arena_mark(&arena);
      const double depth = pow(10, random_between(random, -6, -3)) * shape.extent;
      PosedBody body = body_place(&shape, random_rotation(random), vec3_new(0, 0, 0),
                                  vec3_new(0, 0, -1), &arena);
      body.center.z -= lowest(&body) + depth;
      const PatchSet set = patch_find(&body, &ground, &parameters, 0, &arena);
      double deepest = INFINITY;
      for (int p = 0; p < set.patch_count; p++) {
        CHECK_NEAR(set.patches[p].normal.z, 1, 1e-12);
        for (int k = 0; k < set.patches[p].point_count; k++)
          deepest = fmin(deepest, set.patches[p].points[k].gap);
      }
      CHECK_NEAR(deepest, -depth, 1e-9 * shape.extent);
      CHECK(set.failed == 0 && points_are_true(&set, &shape, ground.shape));
      arena_release(&arena, mark);
    }
  }
  arena_destroy(&arena);
}

// Two of them, near each other in any way: no contact is between internal faces.
static void test_meeting(const char *first, const char *second, Random *random, int rounds)
{
  Arena arena = arena_new();
  Shape a, b;
  int met = 0;
  if (load(first, &arena, &a) && load(second, &arena, &b)) {
    for (int i = 0; i < rounds; i++) {
      const ArenaMark mark = arena_mark(&arena);
      const PosedBody p =
          body_place(&a, random_rotation(random), vec3_new(0, 0, 0), vec3_new(0, 0, 0), &arena);
      PosedBody q = body_place(&b, random_rotation(random), vec3_new(0, 0, 0),
                               random_direction(random), &arena);
      q.center = vec3_axpy(random_between(random, 0.2, 1) * (a.radius + b.radius),
                           random_direction(random), p.center);
      const PatchSet set = patch_find(&p, &q, &parameters, 0, &arena);
      met += set.patch_count > set.failed;
      // points of the fallback for parts without a patch lie on faces of the parts, whichever
      if (set.failed == 0) CHECK(points_are_true(&set, &a, &b));
      arena_release(&arena, mark);
    }
  }
  CHECK(met > rounds / 20);
  arena_destroy(&arena);
}

int main(void)
{
  Random random = {7};
  test_resting("l.obj", 5);   // all corners of its foot but the reentrant one
  test_resting("u.obj", 4);
  test_resting("cup.obj", 8);
  test_resting("torus.obj", 8);
  const char *const names[] = {"l.obj", "u.obj", "cup.obj", "torus.obj"};
  for (int i = 0; i < 4; i++) {
    test_dipping(names[i], &random, 200);
    for (int k = 0; k < 4; k++) test_meeting(names[i], names[k], &random, 100);
  }
  return test_report();
}
