// Formats by extension, files that go together, and what holds for all formats.
#include "mesh_soup.h"

#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "memory.h"

static void test_formats(void)
{
  static const struct {
    const char *path;
    MeshFormat format;
  } cases[] = {{"a.obj", MESH_OBJ},      {"/tmp/my.folder/A.OBJ", MESH_OBJ},
               {"a.b.Stl", MESH_STL},    {"a.ply", MESH_PLY},
               {"a.node", MESH_TETGEN},  {"a.ele", MESH_TETGEN},
               {"a.face", MESH_TETGEN},  {"a.1.smesh", MESH_TETGEN},
               {"a.JSON", MESH_COMPAS},  {"a.Off", MESH_OFF},
               {"a.DXF", MESH_DXF},      {"a.msh", MESH_GMSH},
               {".obj", MESH_OBJ},       {"a.objx", MESH_UNKNOWN},
               {"a.poly", MESH_UNKNOWN}, {"a.", MESH_UNKNOWN},
               {"obj", MESH_UNKNOWN},    {"folder.obj/stone", MESH_UNKNOWN},
               {"", MESH_UNKNOWN}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    if (!CHECK(mesh_format(cases[i].path) == cases[i].format)) printf("  %s\n", cases[i].path);
}

static void check_companion(const char *path, const char *expected)
{
  Arena arena = arena_new();
  const char *paths[2];
  const int count = mesh_companions(path, paths, &arena);
  CHECK(count == (expected ? 2 : 1) && strcmp(paths[0], path) == 0);
  if (expected) CHECK(strcmp(paths[1], expected) == 0);
  else CHECK(paths[1] == NULL);
  arena_destroy(&arena);
}

static void test_companions(void)
{
  check_companion("stone.obj", NULL);
  check_companion("stone.node", NULL);
  check_companion("stone", NULL);
  check_companion("my.stones/stone.1.ele", "my.stones/stone.1.node");
  check_companion("stone.face", "stone.node");
  check_companion("stone.smesh", "stone.node");
  check_companion("STONE.ELE", "STONE.NODE");
}

static void check_refused(MeshFormat format, MeshText file, const char *message)
{
  Arena arena = arena_new();
  MeshSoup soup;
  char error[200];
  CHECK(
      !mesh_parse((MeshFiles){format, 1, &file}, &arena, &soup, (ErrorText){error, sizeof error}));
  if (!CHECK(strcmp(error, message) == 0)) printf("  %s\n", error);
  arena_destroy(&arena);
}

static void test_all_formats(void)
{
  static const char *const paths[] = {"a.obj", "a.stl", "a.ply", "a.ele",
                                      "a.msh", "a.off", "a.dxf"};
  for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
    char message[64];
    snprintf(message, sizeof message, "%s: no such file", paths[i]);
    check_refused(mesh_format(paths[i]), (MeshText){paths[i], NULL, 0}, message);
    snprintf(message, sizeof message, "%s: an empty file", paths[i]);
    check_refused(mesh_format(paths[i]), (MeshText){paths[i], "", 0}, message);
  }
  check_refused(MESH_UNKNOWN, (MeshText){"a.dwg", "x", 1},
                "a.dwg: the extension names no format of meshes; known are .obj, .stl, .ply, .off, "
                ".dxf, .msh, .ele, .face, .smesh and .json");
  check_refused(MESH_TETGEN, (MeshText){"a.ele", "1\n0 0 1 2 3\n", 12},
                "a.ele:1: the points are in a .node, and there is no such file");
}

// A message that does not fit is cut, never written beyond its room.
static void test_short_message(void)
{
  const MeshText file = {"stone.obj", "v 0 0\n", 6};
  Arena arena = arena_new();
  MeshSoup soup;
  for (size_t room = 1; room < 40; room++) {
    char error[64];
    memset(error, '#', sizeof error);
    CHECK(!mesh_parse((MeshFiles){MESH_OBJ, 1, &file}, &arena, &soup, (ErrorText){error, room}));
    CHECK(strlen(error) == room - 1 && error[room] == '#');
  }
  arena_destroy(&arena);
}

// The judge of soups sees every fault it is there for.
static void test_validity(void)
{
  vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  int face_start[3] = {0, 3, 6}, corners[6] = {0, 1, 2, 2, 1, 0}, face_block[2] = {0, 1};
  int tetra[1][4] = {{0, 1, 2, 0}}, tetra_block[1] = {0};
  const char *names[2] = {"a", ""};
  const MeshSoup faces = {.point_count = 3,
                          .points = points,
                          .face_count = 2,
                          .face_start = face_start,
                          .corners = corners,
                          .face_block = face_block,
                          .mesh_block_count = 2,
                          .mesh_block_names = names};
  MeshSoup solid = faces;
  solid.face_count = 0;
  solid.tetra_count = 1;
  solid.tetra = tetra;
  solid.tetra_block = tetra_block;
  CHECK(mesh_soup_is_valid(&faces) && mesh_soup_is_valid(&solid));

  int *const places[] = {&corners[5],    &corners[0],    &face_block[1],
                         &face_block[0], &face_start[1], &face_start[0]};
  const int faults[] = {3, -1, 2, -1, 4, 1};
  for (int i = 0; i < 6; i++) {
    const int before = *places[i];
    *places[i] = faults[i];
    CHECK(!mesh_soup_is_valid(&faces));
    *places[i] = before;
  }
  tetra[0][3] = 3;
  CHECK(!mesh_soup_is_valid(&solid));
  tetra[0][3] = 0;
  tetra_block[0] = 2;
  CHECK(!mesh_soup_is_valid(&solid));
  tetra_block[0] = 0;
  solid.face_count = 1;
  CHECK(!mesh_soup_is_valid(&solid));
  names[1] = NULL;
  CHECK(!mesh_soup_is_valid(&faces));
}

int main(void)
{
  test_formats();
  test_companions();
  test_all_formats();
  test_short_message();
  test_validity();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
