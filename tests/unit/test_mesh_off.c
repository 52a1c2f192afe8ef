// OFF files: what is read, what is left out, what is refused.
#include "harness.h"
#include "memory.h"
#include "mesh_parsing.h"

#define POINTS "0 0 0\n1 0 0\n0 1 0\n"
#define TRIANGLE "p 0 0 0, 1 0 0, 0 1 0 ; f 0 1 2 @0 ; b ''"

static bool reads(const char *text, const char *expected)
{
  return mesh_reads("stone.off", text, NULL, expected);
}

static bool refuses(const char *text, const char *message)
{
  return mesh_refuses("stone.off", text, NULL, message);
}

static void test_text(void)
{
  CHECK(reads("OFF\n3 1 3\n" POINTS "3 0 1 2\n", TRIANGLE));
  CHECK(reads("OFF 3 1\n" POINTS "3 0 1 2", TRIANGLE));
  CHECK(reads("3 1 0\n" POINTS "3 0 1 2\n", TRIANGLE));
  CHECK(reads("OFF3 1 0\n" POINTS "3 0 1 2\n", TRIANGLE));
  CHECK(reads("# made by hand\n\nOFF # points\n3\n1\n" POINTS "\n# faces\n\n3 0 1 2 # one\n",
              TRIANGLE));

  // normals, colours, textures; a point that no face has; polygons
  CHECK(reads("COFF\n3 1 0\n0 0 0 255 0 0 255\n1 0 0 1 .5 .5 1\n0 1 0 0 0 0 0\n3 0 1 2 1 0 0\n",
              TRIANGLE));
  CHECK(reads("STCNOFF\n5 2 0\n0 0 0 0 0 1 1 1 1 1 0 0\n1 0 0\n1 1e0 0\n0 .5 -0.5e1\n0 0 9\n"
              "4 0 1 2 3\n3 2 1 0 7\n",
              "p 0 0 0, 1 0 0, 1 1 0, 0 0.5 -5, 0 0 9 ; f 0 1 2 3 @0, 2 1 0 @0 ; b ''"));
}

static void test_refusals(void)
{
  CHECK(refuses("", "stone.off: an empty file"));
  CHECK(refuses("\n# nothing\n", "stone.off:3: expected OFF, found the end of the file"));
  CHECK(
      refuses("PFF\n", "stone.off:1: expected OFF, COFF, NOFF, STOFF or their like, found 'PFF'"));
  CHECK(refuses("nOFF\n4\n", "stone.off:1: points of four or more coordinates are not read"));
  CHECK(refuses("OFF\n3 -1 0\n",
                "stone.off:2: expected a number of faces from 0 to 2147483647, found '-1'"));
  CHECK(refuses("OFF\n3 1 0\n" POINTS "3 0 1 3\n",
                "stone.off:6: a face names vertex 3 of 3, and they count from 0"));
  CHECK(refuses("OFF\n3 1 0\n" POINTS "2 0 1\n",
                "stone.off:6: a face has 2 corners, expected at least 3"));
  CHECK(
      refuses("OFF\n3 2 0\n" POINTS "3 0 1 2\n", "stone.off:7: the file ends after 1 of 2 faces"));
  CHECK(refuses("OFF\n3 1 0\n" POINTS "3 0 1 2\n3 0 1 2\n",
                "stone.off:7: expected the end of the file, found '3'"));
  CHECK(refuses("OFF\n3 0 0\n" POINTS, "stone.off: no faces in it"));
}

// The same triangle, with numbers behind each point and behind the face.
static MeshBytes binary(const char *keyword, int extra, int colours)
{
  MeshBytes file = {.big_endian = true};
  mesh_put_text(&file, keyword);
  mesh_put_wholes(&file, 4, 3, (const int64_t[3]){3, 1, 0});
  const double points[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) mesh_put_real(&file, 4, points[i][k]);
    for (int k = 0; k < extra; k++) mesh_put_real(&file, 4, 7);
  }
  mesh_put_wholes(&file, 4, 5, (const int64_t[5]){3, 0, 1, 2, colours});
  for (int k = 0; k < colours; k++) mesh_put_real(&file, 4, 1);
  return file;
}

static void test_binary(void)
{
  const MeshBytes plain = binary("OFF BINARY\n", 0, 0);
  CHECK(mesh_reads_bytes("stone.off", &plain, TRIANGLE));
  const MeshBytes all = binary("STCNOFF BINARY\r\n", 9, 4);
  CHECK(mesh_reads_bytes("stone.off", &all, TRIANGLE));

  MeshBytes more = binary("OFF BINARY\n", 0, 0);
  mesh_put_whole(&more, 1, 0);
  CHECK(mesh_refuses_bytes("stone.off", &more, "stone.off: byte 79: 1 bytes after the last face"));
  MeshBytes negative = {.big_endian = true};
  mesh_put_text(&negative, "OFF BINARY\n");
  mesh_put_wholes(&negative, 4, 3, (const int64_t[3]){-3, 1, 0});
  CHECK(
      mesh_refuses_bytes("stone.off", &negative, "stone.off: byte 15: a number of vertices of -3"));
}

int main(void)
{
  test_text();
  test_refusals();
  test_binary();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
