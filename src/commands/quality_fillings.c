// Fills the solids of Erleben's suite with tetrahedra.
#include "quality_fillings.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "mesh_block.h"
#include "tetgen.h"

// The text's meshes: radius to edge at most 2.0 without touching the surface; or 1.015 and small
// tetrahedra, in stones of round section much smaller ones.
#define SWITCHES_RAW "-pYMFQ"
#define SWITCHES_MESH "-pYMFQq2.0"
#define FINE_VOLUME 0.015   // m3
#define FINE_VOLUME_ROUND 0.00015

// No bound as low as 1.015 is sure to be reached: in some bodies TetGen adds points until memory is
// full. Meshes that are done have less than a twentieth of these points; others get the next ratio.
#define FINE_MOST_ADDED 50000

// The surface of a solid as a mesh file would bring it.
static bool mesh_block_of_solid(const QualitySolid *solid, Arena *arena, MeshBlock *mesh_block,
                                ErrorText error)
{
  assert(solid->point_count >= 4 && solid->triangle_count >= 4 && "a solid has a surface");
  const int count = solid->triangle_count;
  MeshSoup soup = {
      .path = "a solid of the suite",
      .point_count = solid->point_count,
      .points = arena_allocate(arena, (size_t)solid->point_count * sizeof *soup.points),
      .face_count = count,
      .face_start = arena_allocate(arena, (size_t)(count + 1) * sizeof *soup.face_start),
      .corners = arena_allocate(arena, (size_t)(3 * count) * sizeof *soup.corners),
      .face_block = arena_allocate_zero(arena, (size_t)count, sizeof *soup.face_block),
      .mesh_block_count = 1,
      .mesh_block_names = arena_allocate(arena, sizeof *soup.mesh_block_names)};
  soup.mesh_block_names[0] = "";
  memcpy(soup.points, solid->points, (size_t)solid->point_count * sizeof *soup.points);
  memcpy(soup.corners, solid->triangles, (size_t)count * sizeof *solid->triangles);
  for (int t = 0; t <= count; t++) soup.face_start[t] = 3 * t;
  MeshBlocks mesh_blocks;
  if (!mesh_block_make(&soup, (MeshFrame){.scale = 1, .up = 2}, arena, &mesh_blocks, error))
    return false;
  *mesh_block = mesh_blocks.of[0];
  return true;
}

static bool solid_is_of_scene(const QualityScene *scene, int solid)
{
  assert(solid >= 0 && scene->body_count >= 0 && "solids are numbered");
  for (int i = 0; i < scene->body_count; i++) {
    if (scene->bodies[i].solid == solid) return true;
  }
  return false;
}

// The mesh of the text where TetGen comes to an end with it.
static bool mesh_finely(const QualitySolid *solid, const MeshBlock *mesh_block, Arena *arena,
                        Tetrahedra *filling, FineMesh *mesh, ErrorText error)
{
  // 14 points: a frustum of six sides
  mesh->volume = solid->point_count == 8 ? FINE_VOLUME : FINE_VOLUME_ROUND;
  mesh->ratio = FINE_RATIO;
  char switches[48];
  snprintf(switches, sizeof switches, "-pMFQq%ga%g", mesh->ratio, mesh->volume);
  const TetgenMeshing asked = {switches, true, FINE_MOST_ADDED};
  bool done =
      tetgen_mesh(asked, mesh_block, arena, filling, (ErrorText){mesh->why, sizeof mesh->why});
  if (done) {
    mesh->why[0] = 0;
  } else {
    mesh->ratio = FINE_RATIO_INSTEAD;
    snprintf(switches, sizeof switches, "-pMFQq%ga%g", mesh->ratio, mesh->volume);
    const TetgenMeshing instead = {switches, true, 0};
    done = tetgen_mesh(instead, mesh_block, arena, filling, error);
  }
  mesh->tetra_count = done ? filling->tetra_count : 0;
  return done;
}

const QualityFilling *quality_fillings_make(const QualityScenes *scenes, QualityCut cut,
                                            FineMeshes *fine, Arena *arena, ErrorText error)
{
  assert(cut >= CUT_RAW && cut < CUT_COUNT && "a cut has its tetrahedra");
  QualityFilling *fillings =
      arena_allocate_zero(arena, (size_t)scenes->solid_count, sizeof *fillings);
  if (cut == CUT_FINE)
    *fine = (FineMeshes){
        .list = arena_allocate_zero(arena, (size_t)scenes->solid_count, sizeof *fine->list)};
  for (int s = 0; s < scenes->solid_count; s++) {
    // fine meshes are the text's for the pillar alone
    if (cut == CUT_FINE && !solid_is_of_scene(&scenes->scenes[SCENE_PILLAR], s)) continue;
    const QualitySolid *solid = &scenes->solids[s];
    MeshBlock mesh_block;
    Tetrahedra filling;
    if (!mesh_block_of_solid(solid, arena, &mesh_block, error)) return NULL;
    const TetgenMeshing meshing = {cut == CUT_RAW ? SWITCHES_RAW : SWITCHES_MESH, false, 0};
    FineMesh mesh = {.solid = s};
    const bool done = cut == CUT_FINE
                          ? mesh_finely(solid, &mesh_block, arena, &filling, &mesh, error)
                          : tetgen_mesh(meshing, &mesh_block, arena, &filling, error);
    if (!done) return NULL;
    assert(filling.tetra_count > 0 && "a solid that is filled has tetrahedra");
    if (cut == CUT_FINE) fine->list[fine->count++] = mesh;
    fillings[s] = (QualityFilling){.point_count = filling.point_count,
                                   .points = filling.points,
                                   .tetra_count = filling.tetra_count,
                                   .tetra = filling.tetra};
  }
  return fillings;
}
