// drystone quality: contact points on Erleben's suite, scored and compared with the methods of his
// text. Rank 0 does the work.
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "command_quality_print.h"
#include "mesh_block.h"
#include "parallel.h"
#include "tetgen.h"

// The paper's meshes: radius to edge at most 2.0 without touching the surface; or 1.015, small
// tetrahedra, in stones of round section much smaller ones. TetGen of today need not come to an end
// below a ratio of about 1.1: the points it may add are limited.
#define SWITCHES_RAW "-pYMFQ"
#define SWITCHES_MESH "-pYMFQq2.0"
#define SWITCHES_FINE "-pMFQq1.1a0.015"
#define SWITCHES_FINE_ROUND "-pMFQq1.1a0.00015"

typedef struct {
  bool json, fine;
} QualityOptions;

static bool parse_words(int count, char **words, QualityOptions *o)
{
  *o = (QualityOptions){0};
  for (int i = 0; i < count; i++) {
    if (strcmp(words[i], "--json") == 0) o->json = true;
    else if (strcmp(words[i], "--fine") == 0) o->fine = true;
    else if (words[i][0] == '-')
      return all_ok(false, "unknown option %s; drystone --help lists the options", words[i]);
    else return all_ok(false, "quality takes no file, found '%s'", words[i]);
  }
  return true;
}

// The surface of a solid as a mesh file would bring it.
static bool block_of_solid(const QualitySolid *solid, Arena *arena, MeshBlock *block, char *error,
                           size_t error_bytes)
{
  const int count = solid->triangle_count;
  MeshSoup soup = {
      .point_count = solid->point_count,
      .points = arena_allocate(arena, (size_t)solid->point_count * sizeof *soup.points),
      .face_count = count,
      .face_start = arena_allocate(arena, (size_t)(count + 1) * sizeof *soup.face_start),
      .corners = arena_allocate(arena, (size_t)(3 * count) * sizeof *soup.corners),
      .face_block = arena_allocate_zero(arena, (size_t)count, sizeof *soup.face_block),
      .block_count = 1,
      .block_names = arena_allocate(arena, sizeof *soup.block_names)};
  soup.block_names[0] = "";
  memcpy(soup.points, solid->points, (size_t)solid->point_count * sizeof *soup.points);
  memcpy(soup.corners, solid->triangles, (size_t)count * sizeof *solid->triangles);
  for (int t = 0; t <= count; t++) soup.face_start[t] = 3 * t;
  MeshBlocks blocks;
  if (!mesh_blocks(&soup, "a solid of the suite", (MeshFrame){.scale = 1, .up = 2}, arena, &blocks,
                   error, error_bytes))
    return false;
  *block = blocks.blocks[0];
  return true;
}

static TetgenMeshing meshing_of(QualityCut cut, const QualitySolid *solid)
{
  if (cut == CUT_RAW) return (TetgenMeshing){SWITCHES_RAW, false};
  if (cut == CUT_MESH) return (TetgenMeshing){SWITCHES_MESH, false};
  // 14 points: a frustum of six sides
  const bool box = solid->point_count == 8;
  return (TetgenMeshing){box ? SWITCHES_FINE : SWITCHES_FINE_ROUND, true};
}

static bool solid_is_of_scene(const QualityScene *scene, int solid)
{
  for (int i = 0; i < scene->body_count; i++) {
    if (scene->bodies[i].solid == solid) return true;
  }
  return false;
}

// Tetrahedra of all solids that variants of a cut need, or NULL with the reason.
static const QualityFilling *fill_solids(const QualityScenes *scenes, QualityCut cut, Arena *arena,
                                         char *error, size_t error_bytes)
{
  QualityFilling *fillings =
      arena_allocate_zero(arena, (size_t)scenes->solid_count, sizeof *fillings);
  for (int s = 0; s < scenes->solid_count; s++) {
    // fine meshes are the paper's for the pillar alone
    if (cut == CUT_FINE && !solid_is_of_scene(&scenes->scenes[SCENE_PILLAR], s)) continue;
    MeshBlock block;
    Tetrahedra filling;
    if (!block_of_solid(&scenes->solids[s], arena, &block, error, error_bytes) ||
        !tetgen_mesh(meshing_of(cut, &scenes->solids[s]), &block, arena, &filling, error,
                     error_bytes))
      return NULL;
    fillings[s] = (QualityFilling){.point_count = filling.point_count,
                                   .points = filling.points,
                                   .tetra_count = filling.tetra_count,
                                   .tetra = filling.tetra};
  }
  return fillings;
}

// The exit code: what is promised does not hold by a fault of ours, or could not be looked at.
static int run_suite(const QualityOptions *o)
{
  Arena arena = arena_new();
  const QualityScenes scenes = quality_scenes_new(&arena);
  QualityReport report = {.scenes = &scenes};
  const QualityFilling *fillings[CUT_COUNT] = {NULL};
  char errors[CUT_COUNT][1024] = {""};
  bool complete = true;
  for (int cut = CUT_RAW; cut < CUT_COUNT; cut++) {
    if (cut == CUT_FINE && !o->fine) continue;
    fillings[cut] = fill_solids(&scenes, (QualityCut)cut, &arena, errors[cut], sizeof errors[cut]);
    if (fillings[cut]) continue;
    report.missing[cut] = errors[cut];
    complete = false;
  }
  report.results = quality_suite_run(&scenes, fillings, &arena);
  if (o->json) quality_print_json(&report);
  else quality_print_text(&report);
  const bool holds = quality_report_holds(&report);
  arena_destroy(&arena);
  return !holds ? EXIT_BUG : complete ? EXIT_DONE : EXIT_USER;
}

int command_quality(int count, char **words)
{
  QualityOptions options;
  if (!parse_words(count, words, &options)) return EXIT_USER;
  int code = EXIT_DONE;
  if (par_rank() == 0) code = run_suite(&options);
  par_broadcast(&code, sizeof code, 0);
  return code;
}
