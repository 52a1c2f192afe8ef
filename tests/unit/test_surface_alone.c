// Bodies that are a surface alone have the mass, the spheres and the frames of the same bodies made
// of parts, and are opened where they cross.
#include <stdio.h>

#include "harness.h"
#include "lmd_deep.h"
#include "memory.h"
#include "model.h"
#include "posed_scene.h"
#include "shape_mesh.h"
#include "surface_solids.h"

static const vec3 zero = {0, 0, 0};
static const PatchParameters usual = {.margin = 1e-3, .feature_width = 2e-3, .max_points = 8};

static PartRecipe part_of_net(const Net *net)
{
  return (PartRecipe){.count = net->point_count,
                      .points = net->points,
                      .triangle_count = net->triangle_count,
                      .triangles = net->triangles};
}

static Shape *shape_of_net(const Net *net, Arena *arena)
{
  Shape *shape = arena_allocate(arena, sizeof *shape);
  PartRecipe part = part_of_net(net);
  const ShapeRecipe recipe = {.part_count = 1, .parts = &part, .surface_alone = true};
  CHECK(shape_build(&recipe, arena, shape).status == SHAPE_OK);
  CHECK(shape->surface != NULL && shape->part_count == 0);
  return shape;
}

static Solid solid_of_lattice(const CubeLattice *lattice)
{
  Solid solid = {0};
  for (int i = 0; i < lattice->size * lattice->size * lattice->size; i++) {
    const int n = lattice->size, at[3] = {i % n, i / n % n, i / n / n};
    if (!lattice_is_filled(lattice, at)) continue;
    const vec3 low = {at[0], at[1], at[2]};
    solid_add_box(&solid, low, vec3_add(low, vec3_new(1, 1, 1)));
  }
  return solid;
}

// Only points that triangles use: those of a lattice lie everywhere.
static Net used_points(const Net *net, Arena *arena)
{
  Net used = net_new(net->point_count, net->triangle_count, arena);
  int *number = arena_allocate(arena, (size_t)net->point_count * sizeof *number);
  for (int i = 0; i < net->point_count; i++) number[i] = -1;
  for (int t = 0; t < net->triangle_count; t++) {
    int corner[3];
    for (int k = 0; k < 3; k++) {
      const int i = net->triangles[t][k];
      if (number[i] < 0) number[i] = net_point(&used, net->points[i]);
      corner[k] = number[i];
    }
    net_triangle(&used, corner[0], corner[1], corner[2]);
  }
  return used;
}

// Volume, centre, inertia, radius, extent and the distance to the surface are those of the parts.
static void test_measures(Arena *arena)
{
  Random random = {51};
  for (int i = 0; i < 40; i++) {
    const ArenaMark mark = arena_mark(arena);
    const CubeLattice lattice = lattice_random(2 + i % 2, 0.6, &random);
    const Solid solid = solid_of_lattice(&lattice);
    Shape parts;
    CHECK(solid_build(&solid, arena, &parts).status == SHAPE_OK);
    const Net whole = net_of_lattice(&lattice, arena), net = used_points(&whole, arena);
    // every other one in the coordinates of a map
    const vec3 far = i % 2 ? vec3_new(4e5, -5e6, 300) : zero;
    for (int k = 0; k < net.point_count; k++) net.points[k] = vec3_add(net.points[k], far);
    const Shape *shape = shape_of_net(&net, arena);
    CHECK_NEAR(shape->volume, parts.volume, 1e-12 * parts.volume);
    CHECK_NEAR(vec3_norm(vec3_sub(vec3_sub(shape->center, far), parts.center)), 0, 2e-9);
    for (int k = 0; k < 3; k++)
      CHECK_NEAR(vec3_norm(vec3_sub(shape->inertia.row[k], parts.inertia.row[k])), 0, 1e-10);
    CHECK_NEAR(shape->radius, parts.radius, 2e-9);
    CHECK_NEAR(shape->extent, parts.extent, 2e-9);
    CHECK_NEAR(shape->inradius, parts.inradius, 2e-9);
    arena_release(arena, mark);
  }
  // a surface turned inside out holds nothing
  const Net box = net_prism((const double[4][2]){{0, 0}, {1, 0}, {1, 1}, {0, 1}}, 4, 0, 1, arena);
  PartRecipe part = part_of_net(&box);
  for (int t = 0; t < part.triangle_count; t++) {
    const int corner = part.triangles[t][0];
    part.triangles[t][0] = part.triangles[t][1];
    part.triangles[t][1] = corner;
  }
  Shape shape;
  const ShapeResult result = shape_build(
      &(ShapeRecipe){.part_count = 1, .parts = &part, .surface_alone = true}, arena, &shape);
  char text[100];
  shape_result_text(result, text, sizeof text);
  CHECK(result.status == SHAPE_NO_VOLUME && strcmp(text, "the surface holds no volume") == 0);
}

static PosedBody body_of_net(const Net *net, double dilation, Arena *arena)
{
  const Shape *shape = shape_of_net(net, arena);
  PosedBody body = {.shape = shape, .rotation = mat3_diagonal(1, 1, 1), .center = shape->center};
  SurfaceBase *surface = arena_allocate(arena, 2 * sizeof *surface);
  const SurfacePieces pieces = surface_pieces_of_shape(shape, arena);
  CHECK(surface_base_build(&pieces, dilation, arena, &surface[0]).status == SURFACE_BASE_OK);
  CHECK(surface_base_build(&pieces, 0, arena, &surface[1]).status == SURFACE_BASE_OK);
  body.surface = &surface[0];
  body.sharp = &surface[1];
  return body;
}

static PosedBody ball_at(double radius, vec3 center, Arena *arena)
{
  Shape *shape = arena_allocate(arena, sizeof *shape);
  CHECK(shape_build(&(ShapeRecipe){.radius = radius}, arena, shape).status == SHAPE_OK);
  return body_place(shape, mat3_diagonal(1, 1, 1), center, zero, arena);
}

static bool has_point(const PatchSet *set, vec3 point, vec3 normal, double gap)
{
  for (int i = 0; i < set->patch_count; i++) {
    const Patch *p = &set->patches[i];
    if (vec3_norm(vec3_sub(p->normal, normal)) < 1e-7 && fabs(p->points[0].gap - gap) < 1e-9 &&
        vec3_norm(vec3_sub(p->points[0].point, point)) < 1e-7)
      return true;
  }
  return false;
}

// Spheres touch a surface where they touch the parts, outside and inside.
static void test_spheres(Arena *arena)
{
  Random random = {52};
  int points = 0, inside = 0, alike = 0, looks = 0;
  for (int i = 0; i < 2000; i++) {
    const ArenaMark mark = arena_mark(arena);
    const CubeLattice lattice = lattice_random(2 + i % 2, 0.6, &random);
    const Solid solid = solid_of_lattice(&lattice);
    const PosedBody parts = body_from_solid(&solid, mat3_diagonal(1, 1, 1), zero, zero, arena);
    const Net whole = net_of_lattice(&lattice, arena), net = used_points(&whole, arena);
    const PosedBody surface = body_of_net(&net, 0.01, arena);
    const vec3 at = vec3_add(vec3_new(1, 1, 1), random_in_cube(&random, 2));
    const PosedBody ball = ball_at(random_between(&random, 0.05, 0.5), at, arena);
    const bool first = i % 3 == 0;
    const PosedBody *pair[2][2] = {{first ? &ball : &parts, first ? &parts : &ball},
                                   {first ? &ball : &surface, first ? &surface : &ball}};
    PatchSet set[2];
    for (int k = 0; k < 2; k++) {
      const ModelPair posed = {.a = pair[k][0], .b = pair[k][1], .parameters = &usual};
      set[k] = model_find(CONTACT_MODEL_LMD, &posed, arena);
    }
    looks++;
    points += set[1].patch_count;
    inside +=
        set[1].patch_count == 1 && set[1].patches[0].points[0].gap < -ball.shape->sphere_radius;
    CHECK((set[0].failed > 0) == (set[1].failed > 0));
    bool held = true;
    for (int k = 0; k < set[0].patch_count; k++) {
      const Patch *p = &set[0].patches[k];
      held = held && has_point(&set[1], p->points[0].point, p->normal, p->points[0].gap);
    }
    CHECK(held);
    alike += held && set[0].patch_count == set[1].patch_count;
    arena_release(arena, mark);
  }
  printf("%d balls, %d points, %d inside, %d as with parts\n", looks, points, inside, alike);
  // where cubes share an edge alone, the corners of both wedges of the solid count
  CHECK(points > 300 && inside > 50 && alike >= looks - 2);
}

// Blocks sunk into each other are opened along the face that is crossed; one inside another one
// along the way between the centres.
static void test_deep(Arena *arena)
{
  const double small[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
  const double large[4][2] = {{-2, -2}, {2, -2}, {2, 2}, {-2, 2}};
  const Net block = net_prism(small, 4, 0, 1, arena), table = net_prism(large, 4, -1, 0, arena);
  const PosedBody low = body_of_net(&table, 0.02, arena);
  PosedBody high = body_of_net(&block, 0.005, arena);
  const double depths[] = {0.02, 0.0249, 0.0251, 0.1, 0.4};
  for (int i = 0; i < 5; i++) {
    const bool deep = depths[i] > 0.025;
    high.center = vec3_new(0.1, 0.2, 0.5 - depths[i]);
    for (int turn = 0; turn < 2; turn++) {
      const ModelPair pair = {.a = turn ? &high : &low,
                              .b = turn ? &low : &high,
                              .parameters = &usual,
                              .turn = CONTACT_TURN};
      const PatchSet set = model_find(CONTACT_MODEL_LMD, &pair, arena);
      CHECK(set.failed == deep && set.patch_count == 1);
      CHECK(set.patches[0].point_count == (deep ? 1 : 4));
      CHECK_NEAR(set.patches[0].normal.z, turn ? 1 : -1, deep ? 0.35 : 1e-12);
      CHECK(set.patches[0].separation < 0);
    }
  }
  const Net inner =
      net_prism((const double[4][2]){{0, 0}, {0.2, 0}, {0.2, 0.2}, {0, 0.2}}, 4, -0.2, 0, arena);
  high = body_of_net(&inner, 0.001, arena);
  high.center = vec3_new(0.5, 0, -0.5);
  const ModelPair pair = {.a = &low, .b = &high, .parameters = &usual, .turn = CONTACT_TURN};
  const PatchSet set = model_find(CONTACT_MODEL_LMD, &pair, arena);
  CHECK(set.failed == 1 && set.patch_count == 1);
  CHECK_NEAR(set.patches[0].normal.x, -1, 1e-12);
}

// The mesh of frames is the surface.
static void test_frames(Arena *arena)
{
  const Net net = net_prism((const double[6][2]){{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}, 6,
                            0, 1, arena);
  PartRecipe part = part_of_net(&net);
  const ShapeRecipe recipe = {.part_count = 1, .parts = &part, .surface_alone = true};
  ShapeSet shapes = shape_set_new(&recipe, 1);
  MeshSet meshes = shape_mesh_set_new(&shapes);
  const ShapeMesh *mesh = shape_mesh_set_get(&meshes, 0);
  CHECK(mesh->cell_count == net.triangle_count && mesh->point_count == net.point_count);
  const Shape *shape = shape_set_get(&shapes, 0);
  CHECK(shape->output_cells == mesh->cell_count && shape->output_points == 3 * mesh->cell_count);
  shape_mesh_set_destroy(&meshes);
  shape_set_destroy(&shapes);
}

int main(void)
{
  Arena arena = arena_new();
  test_measures(&arena);
  test_spheres(&arena);
  test_deep(&arena);
  test_frames(&arena);
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
