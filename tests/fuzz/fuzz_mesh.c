// A mesh, as cases and drystone mesh read it: the format, mending, judging, cutting into convex
// parts, the shapes that contact works with, finite elements of the cells of the file.
//
// Two bytes come first: the format, and up axis, hull and scale. Without hull the bodies are read
// as surfaces, too. Formats of two files have both, with a line "~~~" between them.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "disk.h"
#include "elastic.h"
#include "finite_stiffness.h"
#include "fuzz.h"
#include "lmd_judge.h"
#include "lmd_search.h"
#include "memory.h"
#include "mesh_import.h"
#include "mesh_share.h"
#include "tetgen.h"

#define DIVIDE "\n~~~\n"
#define NO_PROGRAM "no program to fill it"
#define MOST_TRIANGLES 600   // of a surface whose pairs are all tried
#define MOST_CELLS 500       // that get a stiffness

enum { NODE_FILE = 7, FILE_COUNT = 11 };   // points alone are no mesh
static const char *const files[FILE_COUNT] = {"m.obj",  "m.stl",   "m.ply", "m.ele",
                                              "m.face", "m.smesh", "m.msh", "m.node",
                                              "m.json", "m.off",   "m.dxf"};

// Takes the place of the one in the library: no other program is started, and the body is its hull.
bool tetgen_fill(const TetgenTask *task, Arena *arena, Tetrahedra *filling, TetgenReport *report,
                 ErrorText error)
{
  (void)arena, (void)filling;
  *report = (TetgenReport){0};
  snprintf(error.text, error.bytes, "%s: " NO_PROGRAM, task->mesh_path);
  return false;
}

uint8_t *fuzz_input_of(const char *folder, const char *name, size_t *count)
{
  const char *extension = strrchr(name, '.');
  int format = 0;
  while (extension && format < FILE_COUNT && strcmp(files[format] + 1, extension) != 0) format++;
  if (!extension || format == NODE_FILE || format == FILE_COUNT) return NULL;

  Arena arena = arena_new();
  const char *paths[2];
  char *path = disk_path(folder, name), *bytes[2] = {NULL, NULL};
  size_t counts[2] = {0, 0};
  const int parts = mesh_companions(path, paths, &arena);
  for (int i = 0; i < parts; i++) {
    DiskStatus status = {0};
    bytes[i] = disk_read_whole(paths[i], 1 << 20, &counts[i], &status);
  }
  const size_t divide = parts > 1 ? sizeof DIVIDE - 1 : 0;
  uint8_t *input = memory_allocate(2 + counts[0] + divide + counts[1]);
  input[0] = (uint8_t)('0' + format);
  input[1] = '2';
  if (counts[0] > 0) memcpy(input + 2, bytes[0], counts[0]);
  memcpy(input + 2 + counts[0], DIVIDE, divide);
  if (counts[1] > 0) memcpy(input + 2 + counts[0] + divide, bytes[1], counts[1]);
  *count = 2 + counts[0] + divide + counts[1];
  for (int i = 0; i < parts; i++) memory_free(bytes[i]);
  memory_free(path);
  arena_destroy(&arena);
  return input;
}

static bool is_finite(vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

// What the contact model lmd makes of a shape: the surface as it is and moved inwards, or a phrase.
static void use_surface(const Shape *shape, Arena *arena)
{
  if (shape->surface && shape->surface->triangle_count > MOST_TRIANGLES) return;
  const SurfacePieces pieces = surface_pieces_of_shape(shape, arena);
  for (int k = 0; k < 2; k++) {
    const double dilation = k ? 5e-3 * shape->extent : 0;
    SurfaceBase judged_surface;
    const SurfaceBaseResult judged = lmd_judge_surface(&pieces, dilation, arena, &judged_surface);
    if (judged.status != SURFACE_BASE_OK) {
      char text[400];
      surface_base_text(judged, dilation, "triangle", text, sizeof text);
      fuzz_expect(fuzz_is_message(text, ""), "what is wrong with a surface is one line");
      fuzz_expect(strstr(text, "triangle ") != NULL, "that names a triangle");
      continue;
    }
    SurfaceBase surface;
    fuzz_expect(surface_base_build(&pieces, dilation, arena, &surface).status == SURFACE_BASE_OK,
                "a sound surface is built");
    const double volume = surface_complex_volume(&surface.sharp);
    const double slack = 1e-6 * shape->volume + 1e-7 * pow(shape->extent, 3);
    fuzz_expect(fabs(volume - shape->volume) <= slack, "and holds the volume of the shape");
    // beside itself, one search as the other
    const LmdBody a = {&surface, mat3_diagonal(1, 1, 1), {0, 0, 0}};
    LmdBody b = a;
    b.center = vec3_new(shape->extent, 0.25 * shape->extent, 0);
    const LmdQuery query = {.a = &a, .b = &b, .turn = 0.02, .limit = 0.1 * shape->extent};
    const LmdSet all = lmd_search_pairs(&query, arena), fast = lmd_search_trees(&query, arena);
    fuzz_expect(all.count == fast.count && all.meets == fast.meets, "trees miss no point");
    for (int i = 0; i < all.count; i++)
      fuzz_expect(is_finite(all.points[i].point) && isfinite(all.points[i].gap), "points are real");
  }
}

// What `elastic: {cells: file}` makes of the cells of a body: a stiffness, or a phrase.
static void use_cells(const Shape *shape, const FiniteMesh *cells)
{
  char reason[512] = "";
  FiniteMesh own = finite_mesh_copy(cells, shape->center);
  if (!elastic_mesh_fits(&own, shape, 0, (ErrorText){reason, sizeof reason})) {
    fuzz_expect(fuzz_is_message(reason, ""), "why cells are refused is one line");
  } else if (own.cells <= MOST_CELLS) {
    const ElasticLaw law = {.young = 1e9, .poisson = 0.2};
    FiniteStiffness stiffness;
    int bad = 0;
    fuzz_expect(finite_stiffness_new(&own, &law, &stiffness, &bad), "cells that fit have volume");
    finite_stiffness_destroy(&stiffness);
    finite_shape_destroy(finite_shape_new(finite_mesh_copy(&own, (vec3){0, 0, 0})));
  }
  finite_mesh_destroy(&own);
}

// What a case does with the bodies of a mesh.
static void use_mesh(const SharedMesh *mesh)
{
  fuzz_expect(mesh->count > 0, "a mesh has bodies");
  for (int i = 0; i < mesh->count; i++) {
    Arena arena = arena_new();
    Shape shape;
    const ShapeResult result = shape_build(&mesh->shapes[i], &arena, &shape);
    if (result.status == SHAPE_OK) {
      use_surface(&shape, &arena);
      if (mesh->cells) use_cells(&shape, &mesh->cells[i]);
      fuzz_expect(shape.volume > 0 && isfinite(shape.volume), "a shape has a volume");
      fuzz_expect(is_finite(shape.center) && shape.inradius > 0, "and a middle");
      for (int k = 0; k < 3; k++) fuzz_expect(is_finite(shape.inertia.row[k]), "and inertia");
    } else {
      char text[256];
      shape_result_text(result, text, sizeof text);
      fuzz_expect(fuzz_is_message(text, ""), "what is wrong with a shape is one line");
    }
    arena_destroy(&arena);
  }
}

// Writes the one or two files; false for an input that is none.
static bool write_files(const uint8_t *bytes, size_t count, const char *name)
{
  Arena arena = arena_new();
  const char *paths[2];
  const bool two = mesh_companions(name, paths, &arena) == 2;
  const uint8_t *second = two ? memmem(bytes, count, DIVIDE, sizeof DIVIDE - 1) : NULL;
  const size_t first = second ? (size_t)(second - bytes) : count;
  fuzz_write(name, bytes, first);
  if (second) fuzz_write(paths[1], second + sizeof DIVIDE - 1, count - first - (sizeof DIVIDE - 1));
  else if (two) unlink(fuzz_path(paths[1]));
  arena_destroy(&arena);
  return true;
}

// Returns whether the mesh is sound, if not cut into parts.
static bool read_mesh(const char *name, MeshFrame mesh_frame)
{
  char path[1024], error[1024] = "";
  snprintf(path, sizeof path, "%s", fuzz_path(name));
  Arena arena = arena_new();
  SharedMesh mesh;
  if (mesh_read_here(path, mesh_frame, &arena, &mesh, (ErrorText){error, sizeof error})) {
    fuzz_expect(*error == 0, "a mesh that is read says nothing");
    use_mesh(&mesh);
  } else {
    fuzz_expect(fuzz_is_message(error, ""), "a refusal is one line");
    fuzz_expect(strstr(error, "/m.") != NULL, "that names the file");
  }
  arena_destroy(&arena);
  return *error == 0 || strstr(error, NO_PROGRAM) != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
  if (count < 2) return 0;
  fuzz_begin();
  const int format = bytes[0] & 15;
  const char *name = files[format < FILE_COUNT ? format : format & 7];
  const double scales[4] = {1, 1e-9, 1e9, 0.3048};
  const MeshFrame mesh_frame = {.scale = scales[bytes[1] >> 6],
                                .up = (bytes[1] & 3) == 3 ? 0 : bytes[1] & 3,
                                .hull = (bytes[1] & 4) != 0,
                                .cells = (bytes[1] & 4) == 0};
  write_files(bytes + 2, count - 2, name);

  if (read_mesh(name, mesh_frame) && !mesh_frame.hull) {
    MeshFrame surface = mesh_frame;
    surface.surface = true;
    surface.cells = false;
    (void)read_mesh(name, surface);
  }
  fuzz_end();
  return 0;
}
