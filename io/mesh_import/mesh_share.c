// Reads meshes on rank 0 and sends their parts to all ranks.
#include "mesh_share.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "crc32c.h"
#include "memory.h"
#include "mesh_flat.h"
#include "mesh_import.h"
#include "parallel.h"

#define MANY_PARTS 500   // of one body: more are worth a word to the user

// ------------------------------------------------------------------------------------------------
// A mesh as one run of bytes, so that a single broadcast carries it.

typedef struct {
  char *bytes;
  size_t count, capacity;
} Packing;

static void pack(Packing *packing, const void *bytes, size_t count)
{
  assert(packing->count <= packing->capacity && "packed bytes lie in their room");
  packing->bytes = memory_grow_bytes(packing->bytes, packing->count + count, &packing->capacity);
  if (count > 0) memcpy(packing->bytes + packing->count, bytes, count);
  packing->count += count;
}

static void pack_integer(Packing *packing, int value) { pack(packing, &value, sizeof value); }

static void pack_text(Packing *packing, const char *text)
{
  const size_t length = strlen(text);
  pack_integer(packing, (int)length);
  pack(packing, text, length + 1);
}

static void pack_shape(Packing *packing, const ShapeRecipe *shape)
{
  assert(shape->part_count > 0 && "a shape has a part");
  pack_integer(packing, shape->part_count);
  pack_integer(packing, shape->surface_known);
  pack_integer(packing, shape->surface_alone);
  for (int p = 0; p < shape->part_count; p++) {
    const PartRecipe *part = &shape->parts[p];
    pack_integer(packing, part->count);
    pack_integer(packing, part->triangle_count);
    pack(packing, part->points, (size_t)part->count * sizeof *part->points);
    pack(packing, part->triangles, (size_t)part->triangle_count * sizeof *part->triangles);
    pack_integer(packing, part->triangle_numbers != NULL);
    if (part->triangle_numbers)
      pack(packing, part->triangle_numbers, (size_t)part->triangle_count * sizeof(int));
  }
}

typedef struct {
  const char *bytes;
  size_t at, count;
} Unpacking;

static void unpack(Unpacking *from, void *bytes, size_t count)
{
  assert(from->at + count <= from->count && "a packed mesh is read as it was written");
  if (count > 0) memcpy(bytes, from->bytes + from->at, count);
  from->at += count;
}

static int unpack_integer(Unpacking *from)
{
  int value;
  unpack(from, &value, sizeof value);
  return value;
}

static char *unpack_text(Unpacking *from, Arena *arena)
{
  const size_t length = (size_t)unpack_integer(from);
  char *text = arena_allocate(arena, length + 1);
  unpack(from, text, length + 1);
  return text;
}

static const int *unpack_numbers(Unpacking *from, int count, Arena *arena)
{
  if (!unpack_integer(from)) return NULL;
  int *numbers = arena_allocate(arena, (size_t)count * sizeof *numbers);
  unpack(from, numbers, (size_t)count * sizeof *numbers);
  return numbers;
}

static ShapeRecipe unpack_shape(Unpacking *from, Arena *arena)
{
  ShapeRecipe shape = {.part_count = unpack_integer(from)};
  shape.surface_known = unpack_integer(from) != 0;
  shape.surface_alone = unpack_integer(from) != 0;
  shape.parts = arena_allocate(arena, (size_t)shape.part_count * sizeof *shape.parts);
  for (int p = 0; p < shape.part_count; p++) {
    PartRecipe *part = &shape.parts[p];
    part->count = unpack_integer(from);
    part->triangle_count = unpack_integer(from);
    part->points = arena_allocate(arena, (size_t)part->count * sizeof *part->points);
    part->triangles = arena_allocate(arena, (size_t)part->triangle_count * sizeof *part->triangles);
    unpack(from, part->points, (size_t)part->count * sizeof *part->points);
    unpack(from, part->triangles, (size_t)part->triangle_count * sizeof *part->triangles);
    part->triangle_numbers = unpack_numbers(from, part->triangle_count, arena);
  }
  return shape;
}

static void pack_cells(Packing *packing, const FiniteMesh *cells)
{
  const size_t corners = (size_t)cells->cells * (size_t)cells->corners;
  pack_integer(packing, cells->nodes);
  pack_integer(packing, cells->cells);
  pack_integer(packing, cells->corners);
  pack(packing, cells->place, (size_t)cells->nodes * sizeof *cells->place);
  pack(packing, cells->corner, corners * sizeof *cells->corner);
}

static FiniteMesh unpack_cells(Unpacking *from, Arena *arena)
{
  FiniteMesh cells = {.nodes = unpack_integer(from)};
  cells.cells = unpack_integer(from);
  cells.corners = unpack_integer(from);
  const size_t corners = (size_t)cells.cells * (size_t)cells.corners;
  cells.place = arena_allocate(arena, (size_t)cells.nodes * sizeof *cells.place);
  cells.corner = arena_allocate(arena, corners * sizeof *cells.corner);
  unpack(from, cells.place, (size_t)cells.nodes * sizeof *cells.place);
  unpack(from, cells.corner, corners * sizeof *cells.corner);
  return cells;
}

static void pack_cut(Packing *packing, const MeshCut *cut, int cells)
{
  const size_t count = (size_t)cut->count;
  pack_integer(packing, cut->count);
  if (cut->count == 0) return;
  pack(packing, cut->piece, (size_t)cells * sizeof *cut->piece);
  pack(packing, cut->arm, count * sizeof *cut->arm);
  for (size_t k = 0; k < count; k++) pack_shape(packing, &cut->shapes[k]);
}

// Every rank makes the meshes of pieces by itself.
static SharedPieces unpack_pieces(Unpacking *from, const FiniteMesh *cells, Arena *arena)
{
  const int count = unpack_integer(from);
  if (count == 0) return (SharedPieces){0};
  int *piece = arena_allocate(arena, (size_t)cells->cells * sizeof *piece);
  vec3 *arm = arena_allocate(arena, (size_t)count * sizeof *arm);
  ShapeRecipe *shapes = arena_allocate(arena, (size_t)count * sizeof *shapes);
  unpack(from, piece, (size_t)cells->cells * sizeof *piece);
  unpack(from, arm, (size_t)count * sizeof *arm);
  for (int k = 0; k < count; k++) shapes[k] = unpack_shape(from, arena);
  FinitePieces *pieces = arena_allocate(arena, sizeof *pieces);
  *pieces = finite_pieces_make(cells, piece, count, arena);
  const uint32_t shares = crc32c(0, piece, (size_t)cells->cells * sizeof *piece);
  return (SharedPieces){pieces, shapes, arm, shares};
}

// ------------------------------------------------------------------------------------------------

// What was mended, how near pieces are, and what makes a body expensive. Faces that were made flat
// in the whole file are told once.
static void write_note(const MeshBody *body, bool flat, char *note, size_t bytes)
{
  assert(bytes > 0 && "a note has room");
  MeshRepairs repairs = body->mesh_block.repairs;
  if (flat && repairs.moved_points > 0) repairs.moved_points = repairs.split_faces = 0;
  mesh_repairs_text(repairs, note, bytes);
  size_t used = strlen(note);
  if (body->in_pieces) {
    const PiecesMeasure *m = &body->pieces;
    used += (size_t)snprintf(note + used, bytes - used,
                             "%s%d convex pieces of %.6g m3, %+.2g %% of the mesh, whose surface "
                             "is at most %.3g m from theirs, and theirs %.3g m from it",
                             used ? ", " : "", body->recipe.part_count, m->volume, 100 * m->excess,
                             m->from_surface, m->from_pieces);
    if (used >= bytes) return;
  }
  if (body->recipe.part_count > MANY_PARTS)
    snprintf(note + used, bytes - used,
             body->cut.count > 0
                 ? "%s%d convex parts in one of its pieces make contacts slow: cells whose sides "
                   "are plane where pieces meet are faster"
                 : "%s%d convex parts make its contacts slow: a mesh of fewer faces, or its hull, "
                   "is faster",
             used ? ", " : "", body->recipe.part_count);
}

// Local. Reads a file and packs names, shapes and notes; false with the message in error.
static bool read_packed(const char *path, MeshFrame mesh_frame, Packing *packing, ErrorText error)
{
  Arena scratch = arena_new();
  MeshBodies mesh;
  const bool sound = mesh_import(path, mesh_frame, &scratch, &mesh, error);
  if (sound) {
    pack_integer(packing, mesh.count);
    pack_integer(packing, mesh.knows_fixed);
    pack_text(packing, mesh.remark);
    char flat[512];
    mesh_flat_text(mesh.flat, flat, sizeof flat);
    pack_text(packing, flat);
    // of all bodies of a file or of none
    const bool cells = mesh_frame.cells && mesh_import_cells(&mesh.bodies[0]).cells > 0;
    pack_integer(packing, cells);
    for (int i = 0; i < mesh.count; i++) {
      char note[512];
      write_note(&mesh.bodies[i], mesh.flat.asked, note, sizeof note);
      pack_text(packing, mesh.bodies[i].mesh_block.name);
      pack_text(packing, note);
      pack_integer(packing, mesh.bodies[i].mesh_block.fixed);
      pack_shape(packing, &mesh.bodies[i].recipe);
      if (!cells) continue;
      const FiniteMesh own = mesh_import_cells(&mesh.bodies[i]);
      pack_cells(packing, &own);
      pack_cut(packing, &mesh.bodies[i].cut, own.cells);
    }
  }
  arena_destroy(&scratch);
  return sound;
}

// Sums that tell another mesh from this one, and one with other parts or corners.
static void sum_shapes(SharedMesh *mesh)
{
  assert(mesh->count >= 0 && "bodies are counted");
  mesh->layout = mesh->contents = crc32c(0, &mesh->count, sizeof mesh->count);
  for (int i = 0; i < mesh->count; i++) {
    const ShapeRecipe *shape = &mesh->shapes[i];
    mesh->layout = crc32c(mesh->layout, &shape->part_count, sizeof shape->part_count);
    for (int p = 0; p < shape->part_count; p++) {
      const PartRecipe *part = &shape->parts[p];
      const int counts[2] = {part->count, part->triangle_count};
      mesh->layout = crc32c(mesh->layout, counts, sizeof counts);
      mesh->contents =
          crc32c(mesh->contents, part->points, (size_t)part->count * sizeof *part->points);
      mesh->contents = crc32c(mesh->contents, part->triangles,
                              (size_t)part->triangle_count * sizeof *part->triangles);
    }
  }
  for (int i = 0; mesh->cells && i < mesh->count; i++) {
    const FiniteMesh *cells = &mesh->cells[i];
    const size_t corners = (size_t)cells->cells * (size_t)cells->corners;
    mesh->layout = crc32c(mesh->layout, cells->corner, corners * sizeof *cells->corner);
    mesh->contents =
        crc32c(mesh->contents, cells->place, (size_t)cells->nodes * sizeof *cells->place);
    const SharedPieces *of = mesh->pieces ? &mesh->pieces[i] : NULL;
    if (of && of->pieces) mesh->layout = crc32c(mesh->layout, &of->shares, sizeof of->shares);
  }
  mesh->contents = crc32c(mesh->contents, &mesh->layout, sizeof mesh->layout);
  // another support is another structure
  for (int i = 0; mesh->fixed && i < mesh->count; i++) {
    const char fixed = mesh->fixed[i] ? 1 : 0;
    mesh->contents = crc32c(mesh->contents, mesh->names[i], strlen(mesh->names[i]) + 1);
    mesh->contents = crc32c(mesh->contents, &fixed, sizeof fixed);
  }
}

static SharedMesh unpack_mesh(const char *path, MeshFrame mesh_frame, const char *bytes,
                              size_t count, Arena *arena)
{
  assert(bytes != NULL && count >= sizeof(int) && "a packed mesh has its count");
  Unpacking from = {bytes, 0, count};
  SharedMesh mesh = {.path = path, .mesh_frame = mesh_frame};
  mesh.count = unpack_integer(&from);
  const bool knows_fixed = unpack_integer(&from) != 0;
  const char *remark = unpack_text(&from, arena), *flat = unpack_text(&from, arena);
  mesh.names = arena_allocate(arena, (size_t)mesh.count * sizeof *mesh.names);
  mesh.shapes = arena_allocate(arena, (size_t)mesh.count * sizeof *mesh.shapes);
  const bool cells = unpack_integer(&from) != 0;
  if (cells) mesh.cells = arena_allocate(arena, (size_t)mesh.count * sizeof *mesh.cells);
  SharedPieces *pieces = arena_allocate_zero(arena, (size_t)mesh.count, sizeof *pieces);
  if (knows_fixed) mesh.fixed = arena_allocate(arena, (size_t)mesh.count * sizeof *mesh.fixed);
  Packing notes = {0};
  if (*remark) {
    static const char before[] = "not read, the case gives it: ";
    pack(&notes, before, sizeof before - 1);
    pack(&notes, remark, strlen(remark));
  }
  if (*flat) {
    pack(&notes, "\n", notes.count > 0);
    pack(&notes, flat, strlen(flat));
  }
  for (int i = 0; i < mesh.count; i++) {
    mesh.names[i] = unpack_text(&from, arena);
    const char *note = unpack_text(&from, arena);
    const bool fixed = unpack_integer(&from) != 0;
    if (knows_fixed) mesh.fixed[i] = fixed;
    mesh.shapes[i] = unpack_shape(&from, arena);
    if (cells) mesh.cells[i] = unpack_cells(&from, arena);
    if (cells) pieces[i] = unpack_pieces(&from, &mesh.cells[i], arena);
    if (cells && pieces[i].pieces) mesh.pieces = pieces;
    if (!*note) continue;
    char line[640];
    const int length = snprintf(line, sizeof line, "%sbody %d%s%s: %s", notes.count ? "\n" : "",
                                i + 1, *mesh.names[i] ? " " : "", mesh.names[i], note);
    pack(&notes, line, length < (int)sizeof line ? (size_t)length : sizeof line - 1);
  }
  assert(from.at == from.count && "a packed mesh is read to its end");
  sum_shapes(&mesh);
  pack(&notes, "", 1);
  mesh.note = memcpy(arena_allocate(arena, notes.count), notes.bytes, notes.count);
  memory_free(notes.bytes);
  return mesh;
}

bool mesh_read_here(const char *path, MeshFrame mesh_frame, Arena *arena, SharedMesh *mesh,
                    ErrorText error)
{
  assert(path != NULL && mesh != NULL && "a mesh has a file and a place");
  assert(error.text != NULL && error.bytes > 0 && "a message has room");
  Packing packing = {0};
  const bool sound = read_packed(path, mesh_frame, &packing, error);
  if (sound) *mesh = unpack_mesh(path, mesh_frame, packing.bytes, packing.count, arena);
  memory_free(packing.bytes);
  return sound;
}

bool mesh_read_shared(const char *path, MeshFrame mesh_frame, Arena *arena, SharedMesh *mesh,
                      ErrorText error)
{
  assert(path != NULL && mesh != NULL && "a mesh has a file and a place");
  assert(error.text != NULL && error.bytes > 0 && "a message has room");
  Packing packing = {0};
  bool sound = true;
  if (par_rank() == 0) sound = read_packed(path, mesh_frame, &packing, error);
  par_broadcast(&sound, sizeof sound, 0);
  if (sound) {
    par_broadcast(&packing.count, sizeof packing.count, 0);
    if (par_rank() != 0) packing.bytes = memory_allocate(packing.count);
    par_broadcast(packing.bytes, packing.count, 0);
    *mesh = unpack_mesh(path, mesh_frame, packing.bytes, packing.count, arena);
  } else {
    par_broadcast(error.text, error.bytes, 0);
  }
  memory_free(packing.bytes);
  return sound;
}
