// STL files, text and binary.
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "memory.h"
#include "mesh_parsing.h"

#define FACET(z)                                                                             \
  "facet normal 0 0 1\n outer loop\n  vertex 0 0 " z "\n  vertex 1 0 " z "\n  vertex 0 1 " z \
  "\n endloop\nendfacet\n"

static bool reads(const char *text, const char *expected)
{
  return mesh_reads("stone.stl", text, NULL, expected);
}

static bool refuses(const char *text, const char *message)
{
  return mesh_refuses("stone.stl", text, NULL, message);
}

static void test_text(void)
{
  CHECK(reads("solid\n" FACET("0") "endsolid\n", "p 0 0 0, 1 0 0, 0 1 0 ; f 0 1 2 @0 ; b ''"));
  CHECK(reads("solid my stone\n" FACET("0") FACET("1.5e-3") "endsolid my stone",
              "p 0 0 0, 1 0 0, 0 1 0, 0 0 0.0015, 1 0 0.0015, 0 1 0.0015 ; f 0 1 2 @0, 3 4 5 @0 ; "
              "b 'my stone'"));
  CHECK(reads("SOLID A\n FACET NORMAL 0 0 1\nOUTER LOOP\nVERTEX 0 0 0 VERTEX 1 0 0\nVertex 0 1 0\n"
              "ENDLOOP\nENDFACET\nENDSOLID A\n",
              "p 0 0 0, 1 0 0, 0 1 0 ; f 0 1 2 @0 ; b 'A'"));

  // solids of one name stay apart, empty ones are no mesh blocks
  CHECK(reads("solid a\n" FACET("0") "endsolid a\nsolid none\nendsolid none\nsolid a\n" FACET(
                  "1") "endsolid a\n",
              "p 0 0 0, 1 0 0, 0 1 0, 0 0 1, 1 0 1, 0 1 1 ; f 0 1 2 @0, 3 4 5 @1 ; b 'a', 'a'"));

  // normals may be anything, coordinates any number
  CHECK(reads("solid\nfacet normal -nan(ind) 1.#QNAN x\nouter loop\nvertex nan inf -inf\n"
              "vertex 0x1p-1 1e400 -0\nvertex +1 1. .5\nendloop\nendfacet\nendsolid\n",
              "p nan inf -inf, 0.5 inf -0, 1 1 0.5 ; f 0 1 2 @0 ; b ''"));
}

static void test_bad_text(void)
{
  CHECK(refuses("", "stone.stl: an empty file"));
  CHECK(refuses("solid a\nendsolid a\n", "stone.stl: no faces in it"));
  CHECK(refuses("solid a\n", "stone.stl:2: expected 'facet' or 'endsolid', found the end of the "
                             "file"));
  CHECK(refuses("solid a\n" FACET("0"),
                "stone.stl:9: expected 'facet' or 'endsolid', found the end of the file"));
  CHECK(refuses("solid a\n" FACET("0") "endsolid a\nmore\n",
                "stone.stl:10: expected 'solid', found 'more'"));
  CHECK(refuses("solid\nfacet 0 0 1\n", "stone.stl:2: expected 'normal', found '0'"));
  CHECK(refuses("solid\nfacet normal 0 0\nouter loop\n",
                "stone.stl:3: expected 'outer', found 'loop'"));
  CHECK(refuses("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 x\n",
                "stone.stl:4: expected z of a vertex, found 'x'"));
  CHECK(refuses("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 0 0\nendloop\n",
                "stone.stl:6: expected 'vertex', found 'endloop'"));
  CHECK(refuses("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 0 0\nvertex 1 0 0\n"
                "vertex 1 1 0\nendloop\n",
                "stone.stl:7: expected 'endloop', found 'vertex'"));

  // a NUL deep inside, and one near the beginning, where it tells a binary file
  MeshBytes file = {0};
  mesh_put_text(&file, "solid a\n" FACET("0"));
  mesh_put_whole(&file, 1, 0);
  CHECK(mesh_refuses_bytes("stone.stl", &file,
                           "stone.stl:9: byte 0x00 is no text, and the format is one of text"));
}

// A head that may say "solid", one triangle after another.
static MeshBytes binary_file(const char *head, int triangles, int announced)
{
  MeshBytes file = {0};
  char text[81];
  snprintf(text, sizeof text, "%-80s", head);
  mesh_put_text(&file, text);
  mesh_put_whole(&file, 4, announced);
  for (int t = 0; t < triangles; t++) {
    const double values[12] = {0, 0, 1, 0, 0, t + 0.1, 1, 0, t, -0.0, 1, t};
    for (int i = 0; i < 12; i++) mesh_put_real(&file, 4, values[i]);
    mesh_put_whole(&file, 2, 0x7FFF);
  }
  return file;
}

static void test_binary(void)
{
  static const char *const heads[] = {"made by hand", "solid stone", "COLOR=\xFF\xFF\xFF\xFF", ""};
  for (int h = 0; h < 4; h++) {
    const MeshBytes file = binary_file(heads[h], 2, 2);
    CHECK(mesh_reads_bytes("STONE.STL", &file,
                           "p 0 0 0.10000000149011612, 1 0 0, -0 1 0, 0 0 1.1000000238418579, "
                           "1 0 1, -0 1 1 ; f 0 1 2 @0, 3 4 5 @0 ; b ''"));
  }
  const char *head = "stone.stl: byte 84: neither a text STL, which begins with 'solid', nor a "
                     "binary one: ";
  static const struct {
    int triangles, announced;
    const char *message;
  } bad[] = {{2, 3, "3 triangles are 150 bytes, found 100"},
             {2, 1, "1 triangles are 50 bytes, found 100"},
             {0, -1, "4294967295 triangles are 214748364750 bytes, found 0"}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    char message[256];
    snprintf(message, sizeof message, "%s%s", head, bad[i].message);
    MeshBytes file = binary_file("made by hand", bad[i].triangles, bad[i].announced);
    CHECK(mesh_refuses_bytes("stone.stl", &file, message));
    if (bad[i].announced > 0) {
      file = binary_file("solid stone", bad[i].triangles, bad[i].announced);
      CHECK(mesh_refuses_bytes("stone.stl", &file, message));
    }
  }
  MeshBytes file = binary_file("nothing", 0, 0);
  CHECK(mesh_refuses_bytes("stone.stl", &file, "stone.stl: no faces in it"));
  file.count = 83;
  CHECK(mesh_refuses_bytes("stone.stl", &file,
                           "stone.stl: byte 0: expected 'solid' of a text STL, or 84 bytes of a "
                           "binary one, found 83 bytes"));
}

int main(void)
{
  test_text();
  test_bad_text();
  test_binary();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
