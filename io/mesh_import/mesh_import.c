// Makes shapes of a mesh file: read, mended, judged, cut into convex parts.
#include "mesh_import.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "convex_parts.h"
#include "disk.h"
#include "log.h"
#include "memory.h"
#include "pieces.h"

#define MESH_BYTES ((size_t)1 << 32)   // largest file that is read

// The bytes of one file (memory_free), NULL bytes for one that does not exist.
static bool read_text(const char *path, MeshText *text, ErrorText error)
{
  *text = (MeshText){path, NULL, 0};
  if (access(path, F_OK) != 0 && errno == ENOENT) return true;
  DiskStatus status = {0};
  text->bytes = disk_read_whole(path, MESH_BYTES, &text->count, &status);
  if (text->bytes) return true;
  snprintf(error.text, error.bytes, "%s", status.reason);
  return false;
}

static bool read_soup(const char *path, Arena *arena, MeshSoup *soup, ErrorText error)
{
  const char *paths[2];
  MeshText texts[2] = {{0}};
  bool read = true;
  const int count = mesh_companions(path, paths, arena);
  for (int i = 0; i < count && read; i++) read = read_text(paths[i], &texts[i], error);
  read = read && mesh_parse((MeshFiles){mesh_format(path), count, texts}, arena, soup, error);
  for (int i = 0; i < count; i++) memory_free((void *)texts[i].bytes);
  return read;
}

// A convex body is one part: the hull of its corners.
static ShapeRecipe single_part(const MeshBlock *mesh_block, Arena *arena)
{
  assert(mesh_block->point_count >= 4 && "a body has four corners");
  const size_t count = (size_t)mesh_block->point_count;
  bool *corner = arena_allocate_zero(arena, count, sizeof(bool));
  for (int e = 0; e < 3 * mesh_block->triangle_count; e++)
    corner[mesh_block->triangles[e / 3][e % 3]] = true;
  int corners = 0;
  for (int i = 0; i < mesh_block->point_count; i++) corners += corner[i];
  vec3 *points = arena_allocate(arena, (size_t)corners * sizeof(vec3));
  PartRecipe *part = arena_allocate_zero(arena, 1, sizeof(PartRecipe));
  part->points = points;
  for (int i = 0; i < mesh_block->point_count; i++) {
    if (corner[i]) points[part->count++] = mesh_block->points[i];
  }
  return (ShapeRecipe){.part_count = 1, .parts = part};
}

// Faces of the file that the triangles are of, as people count; NULL: none.
static const int *face_numbers(const MeshBlock *mesh_block, Arena *arena)
{
  if (!mesh_block->face) return NULL;
  int *numbers = arena_allocate(arena, (size_t)mesh_block->triangle_count * sizeof *numbers);
  for (int t = 0; t < mesh_block->triangle_count; t++) numbers[t] = mesh_block->face[t] + 1;
  return numbers;
}

// A body that stays a surface.
static ShapeRecipe surface_alone(const MeshBlock *mesh_block, Arena *arena)
{
  assert(mesh_block->triangle_count >= 4 && "a closed surface has four triangles");
  PartRecipe *part = arena_allocate_zero(arena, 1, sizeof(PartRecipe));
  *part = (PartRecipe){.count = mesh_block->point_count,
                       .points = mesh_block->points,
                       .triangle_count = mesh_block->triangle_count,
                       .triangles = mesh_block->triangles,
                       .triangle_numbers = face_numbers(mesh_block, arena)};
  return (ShapeRecipe){.part_count = 1, .parts = part, .surface_alone = true};
}

// Says what is wrong with a body of a file. Always false.
static bool refuse(const char *path, const MeshBlock *mesh_block, const char *reason,
                   ErrorText error)
{
  const char *name = mesh_block->name;
  snprintf(error.text, error.bytes, "%s: %s%s%s%s", path, *name ? "block '" : "", name,
           *name ? "': " : "", reason);
  return false;
}

// Pieces in the place of parts, and how near they are.
static bool make_pieces(const char *path, int most, Arena *arena, MeshBody *body, ErrorText error)
{
  const MeshBlock *mesh_block = &body->mesh_block;
  body->recipe = pieces_make(mesh_block, most, arena);
  body->in_pieces = true;
  Arena scratch = arena_new();
  Shape shape;
  const ShapeResult result = shape_build(&body->recipe, &scratch, &shape);
  const bool sound = result.status == SHAPE_OK;
  if (sound) {
    body->pieces = pieces_measure(mesh_block, &shape);
  } else {
    char reason[128], text[200];
    shape_result_text(result, reason, sizeof reason);
    snprintf(text, sizeof text, "it has no %d pieces: %s; another number may do", most, reason);
    (void)refuse(path, mesh_block, text, error);
  }
  arena_destroy(&scratch);
  return sound;
}

// The file that bodies are read from, and how.
typedef struct {
  const char *path;
  MeshFrame mesh_frame;
  TetgenRecords beside;   // fillings that lie beside the file
} MeshSource;

// Pieces that are bodies, where there are too many nodes for one.
static bool make_cut(const MeshSource *source, Arena *arena, MeshBody *body, ErrorText error)
{
  char reason[256] = "";
  MeshCut *cut = &body->cut;
  if (!mesh_cut_make(&body->mesh_block, source->mesh_frame.most_nodes, arena, cut,
                     (ErrorText){reason, sizeof reason}))
    return refuse(source->path, &body->mesh_block, reason, error);
  for (int k = 0; k < cut->count; k++)
    if (k == 0 || cut->shapes[k].part_count > body->recipe.part_count)
      body->recipe = cut->shapes[k];
  return true;
}

static bool make_recipe(const MeshSource *source, Arena *arena, MeshBody *body, ErrorText error)
{
  assert(body->recipe.part_count == 0 && "a body gets one recipe");
  const char *path = source->path;
  const MeshFrame mesh_frame = source->mesh_frame;
  const MeshBlock *mesh_block = &body->mesh_block;
  if (mesh_frame.most_nodes > 0 && !make_cut(source, arena, body, error)) return false;
  if (body->cut.count > 0) return true;
  if (mesh_frame.surface) {
    body->recipe = surface_alone(mesh_block, arena);
    return true;
  }
  if (mesh_block->convex || mesh_frame.hull) {
    body->recipe = single_part(mesh_block, arena);
    return true;
  }
  if (mesh_frame.pieces > 0) return make_pieces(path, mesh_frame.pieces, arena, body, error);
  Tetrahedra filling = {.point_count = mesh_block->point_count,
                        .points = mesh_block->points,
                        .tetra_count = mesh_block->tetra_count,
                        .tetra = (const int(*)[4])mesh_block->tetra};
  if (mesh_block->tetra_count == 0) {
    body->needed_tetgen = true;
    const TetgenTask task = {
        .mesh_block = mesh_block, .mesh_path = path, .beside = &source->beside};
    if (!tetgen_fill(&task, arena, &filling, &body->tetgen, error)) return false;
    body->filling = filling;
  }
  body->tetra_count = filling.tetra_count;
  body->recipe = convex_parts(&filling, arena);
  if (body->recipe.part_count > 0) return true;
  return refuse(path, mesh_block,
                "a tetrahedron is flat to rounding, so the body cannot be cut into convex parts; "
                "slivers on its surface must be mended",
                error);
}

static void warn_of_unkept(const char *path, const MeshBody *bodies, int count)
{
  const char *reason = NULL;
  int unkept = 0;
  for (int i = 0; i < count; i++) {
    if (!*bodies[i].tetgen.unkept || bodies[i].tetgen.from_cache) continue;
    if (!reason) reason = bodies[i].tetgen.unkept;
    unkept++;
  }
  if (unkept > 0)
    log_warning("%s: %d filling%s of TetGen cannot be kept, so that the next run needs TetGen "
                "again: %s (XDG_CACHE_HOME names another cache)",
                path, unkept, unkept == 1 ? "" : "s", reason);
}

bool mesh_import(const char *path, MeshFrame mesh_frame, Arena *arena, MeshBodies *mesh,
                 ErrorText error)
{
  assert(path != NULL && arena != NULL && "a mesh has a file and a place");
  assert(error.text != NULL && error.bytes > 0 && "a message has room");
  *mesh = (MeshBodies){0};
  MeshSoup soup;
  MeshBlocks mesh_blocks;
  if (!read_soup(path, arena, &soup, error)) return false;
  if (!mesh_block_make(&soup, mesh_frame, arena, &mesh_blocks, error)) return false;
  MeshBody *bodies = arena_allocate_zero(arena, (size_t)mesh_blocks.count, sizeof(MeshBody));
  MeshSource source = {.path = path, .mesh_frame = mesh_frame};
  char beside[TETGEN_CACHE_PATH];
  if (tetgen_cache_beside(path, beside)) source.beside = tetgen_cache_read(beside);
  bool sound = true;
  for (int i = 0; i < mesh_blocks.count && sound; i++) {
    bodies[i].mesh_block = mesh_blocks.of[i];
    sound = make_recipe(&source, arena, &bodies[i], error);
  }
  memory_free(source.beside.bytes);
  if (!sound) return false;
  warn_of_unkept(path, bodies, mesh_blocks.count);
  *mesh = (MeshBodies){.count = mesh_blocks.count,
                       .bodies = bodies,
                       .knows_fixed = mesh_blocks.knows_fixed,
                       .unused_points = mesh_blocks.unused_points,
                       .flat = mesh_blocks.flat,
                       .remark = mesh_blocks.remark};
  return true;
}

FiniteMesh mesh_import_cells(const MeshBody *body)
{
  const MeshBlock *block = &body->mesh_block;
  assert(block->point_count > 0 && "a body has points");
  if (block->tetra_count == 0) return (FiniteMesh){0};
  if (block->hexa_count > 0)
    return (FiniteMesh){.nodes = block->point_count,
                        .cells = block->hexa_count,
                        .corners = FINITE_HEXAHEDRON,
                        .place = block->points,
                        .corner = (int *)block->hexa};
  return (FiniteMesh){.nodes = block->point_count,
                      .cells = block->tetra_count,
                      .corners = FINITE_TETRAHEDRON,
                      .place = block->points,
                      .corner = (int *)block->tetra};
}

bool mesh_import_keep(const char *path, const MeshBodies *mesh, int *count, ErrorText reason)
{
  assert(mesh->count > 0 && count != NULL && "a mesh has a body");
  char beside[TETGEN_CACHE_PATH];
  TetgenRecords all = {0};
  *count = 0;
  for (int i = 0; i < mesh->count; i++) {
    const MeshBody *body = &mesh->bodies[i];
    if (!body->needed_tetgen) continue;
    TetgenRecords record = tetgen_record_make(&body->mesh_block, &body->filling);
    tetgen_record_join(&all, &record);
    memory_free(record.bytes);
    ++*count;
  }
  if (*count == 0) return true;
  bool written = tetgen_cache_beside(path, beside);
  if (!written) snprintf(reason.text, reason.bytes, "the path of the mesh is too long");
  if (written) {
    TetgenRecords known = tetgen_cache_read(beside);
    tetgen_record_join(&all, &known);
    memory_free(known.bytes);
    written = tetgen_cache_write(beside, &all, reason);
  }
  memory_free(all.bytes);
  return written;
}
