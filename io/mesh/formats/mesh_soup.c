// Picks the reader of a mesh file by its extension, and checks the soup that it gives.
#include "mesh_soup.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "mesh_draft.h"
#include "mesh_hexa.h"

static const struct {
  const char *extension;
  MeshFormat format;
  const char *companion;   // extension of the second file, NULL for none
} EXTENSIONS[] = {
    {"obj", MESH_OBJ, NULL},        {"stl", MESH_STL, NULL},      {"ply", MESH_PLY, NULL},
    {"msh", MESH_GMSH, NULL},       {"ele", MESH_TETGEN, "node"}, {"face", MESH_TETGEN, "node"},
    {"smesh", MESH_TETGEN, "node"}, {"node", MESH_TETGEN, NULL},  {"json", MESH_COMPAS, NULL},
    {"off", MESH_OFF, NULL},        {"dxf", MESH_DXF, NULL}};
enum { EXTENSION_COUNT = sizeof EXTENSIONS / sizeof EXTENSIONS[0] };

// The extensions of all formats, for messages.
static const char *extensions(void)
{
  return ".obj, .stl, .ply, .off, .dxf, .msh, .ele, .face, .smesh and .json";
}

// What follows the last point of the file's name, without one an empty word.
static MeshWord extension_of(const char *path)
{
  assert(path != NULL && "a file has a name");
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  const char *point = strrchr(name, '.');
  return point ? (MeshWord){point + 1, strlen(point + 1)} : (MeshWord){name, 0};
}

// Row of the table above, -1 for other files.
static int find_extension(const char *path)
{
  const MeshWord extension = extension_of(path);
  for (int i = 0; i < EXTENSION_COUNT; i++)
    if (mesh_word_is_any_case(extension, EXTENSIONS[i].extension)) return i;
  return -1;
}

MeshFormat mesh_format(const char *path)
{
  const int row = find_extension(path);
  return row < 0 ? MESH_UNKNOWN : EXTENSIONS[row].format;
}

int mesh_companions(const char *path, const char *paths[2], Arena *arena)
{
  assert(paths != NULL && arena != NULL && "paths have a place");
  const int row = find_extension(path);
  const size_t length = strlen(path);
  paths[0] = memcpy(arena_allocate(arena, length + 1), path, length + 1);
  paths[1] = NULL;
  if (row < 0 || !EXTENSIONS[row].companion) return 1;

  // STONE.ELE goes with STONE.NODE
  const MeshWord extension = extension_of(path);
  const bool capitals = extension.begin[0] >= 'A' && extension.begin[0] <= 'Z';
  const size_t stem = (size_t)(extension.begin - path), room = strlen(EXTENSIONS[row].companion);
  char *companion = arena_allocate(arena, stem + room + 1);
  memcpy(companion, path, stem);
  memcpy(companion + stem, EXTENSIONS[row].companion, room + 1);
  for (char *p = companion + stem; capitals && *p; p++) *p = (char)(*p - 'a' + 'A');
  paths[1] = companion;
  return 2;
}

bool mesh_soup_is_valid(const MeshSoup *soup)
{
  assert(soup->face_start != NULL && "starts of faces have an end, even without faces");
  bool valid = soup->point_count >= 0 && soup->face_count >= 0 && soup->tetra_count >= 0 &&
               (soup->face_count == 0 || soup->tetra_count == 0) && soup->face_start[0] == 0 &&
               (soup->hexa_count == 0 || soup->tetra_count == HEXA_TETRA * soup->hexa_count);
  for (int i = 0; i < soup->face_count && valid; i++)
    valid = soup->face_start[i + 1] - soup->face_start[i] >= 3 && soup->face_block[i] >= 0 &&
            soup->face_block[i] < soup->mesh_block_count;
  const int corner_count = valid ? soup->face_start[soup->face_count] : 0;
  for (int i = 0; i < corner_count && valid; i++)
    valid = soup->corners[i] >= 0 && soup->corners[i] < soup->point_count;
  for (int i = 0; i < soup->tetra_count && valid; i++) {
    valid = soup->tetra_block[i] >= 0 && soup->tetra_block[i] < soup->mesh_block_count;
    for (int j = 0; j < 4; j++)
      valid = valid && soup->tetra[i][j] >= 0 && soup->tetra[i][j] < soup->point_count;
  }
  for (int i = 0; i < HEXA_CORNERS * soup->hexa_count && valid; i++) {
    const int corner = soup->hexa[i / HEXA_CORNERS][i % HEXA_CORNERS];
    valid = corner >= 0 && corner < soup->point_count;
  }
  for (int i = 0; i < soup->mesh_block_count && valid; i++)
    valid = soup->mesh_block_names[i] != NULL;
  return valid;
}

bool mesh_parse(MeshFiles files, Arena *arena, MeshSoup *soup, ErrorText error)
{
  assert(files.format <= MESH_UNKNOWN && files.count <= 2 &&
         "a mesh has a format and at most two files");
  assert(files.count >= 1 && error.bytes > 0 && "a mesh has a file, and a message has room");
  static bool (*const readers[])(MeshReading *) = {
      [MESH_OBJ] = mesh_obj_read,   [MESH_STL] = mesh_stl_read,
      [MESH_PLY] = mesh_ply_read,   [MESH_TETGEN] = mesh_tetgen_read,
      [MESH_GMSH] = mesh_gmsh_read, [MESH_COMPAS] = mesh_compas_read,
      [MESH_OFF] = mesh_off_read,   [MESH_DXF] = mesh_dxf_read,
  };
  const MeshText *first = &files.texts[0];
  const char *path = first->path;
  error.text[0] = 0;
  *soup = (MeshSoup){.path = path};
  if (files.format == MESH_UNKNOWN) {
    snprintf(error.text, error.bytes, "%s: the extension names no format of meshes; known are %s",
             path, extensions());
    return false;
  }
  if (!first->bytes || first->count == 0) {
    snprintf(error.text, error.bytes, first->bytes ? "%s: an empty file" : "%s: no such file",
             path);
    return false;
  }

  MeshReading reading = {.files = files.texts,
                         .file_count = files.count,
                         .arena = arena,
                         .soup = soup,
                         .error = error};
  bool sound = readers[files.format](&reading);
  mesh_draft_destroy(&reading.draft);
  if (sound && soup->face_count == 0 && soup->tetra_count == 0) {
    snprintf(error.text, error.bytes, "%s: no faces in it", path);
    sound = false;
  }
  assert((!sound || mesh_soup_is_valid(soup)) && "readers check every index");
  assert((sound || error.text[0] != 0 || error.bytes == 1) && "a refusal has a message");
  if (!sound) *soup = (MeshSoup){0};
  soup->path = path;   // readers that refuse leave nothing
  return sound;
}
