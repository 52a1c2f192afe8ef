// OBJ files: what is read, what is left out, what is refused.
#include "harness.h"
#include "memory.h"
#include "mesh_parsing.h"

#define TRIANGLE "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
#define TRIANGLE_POINTS "p 0 0 0, 1 0 0, 0 1 0"

static bool reads(const char *text, const char *expected)
{
  return mesh_reads("stone.obj", text, NULL, expected);
}

static bool refuses(const char *text, const char *message)
{
  return mesh_refuses("stone.obj", text, NULL, message);
}

static void test_faces(void)
{
  CHECK(reads(TRIANGLE "f 1 2 3\n", TRIANGLE_POINTS " ; f 0 1 2 @0 ; b ''"));
  CHECK(reads(TRIANGLE "f 1 2 3", TRIANGLE_POINTS " ; f 0 1 2 @0 ; b ''"));
  CHECK(reads("# made by hand\n\n" TRIANGLE "vt 0 0\nvn 0 0 1\nf 1/1 2/1 3/1\nf 1//1 2//1 3//1\n"
              "f 1/1/1 2/1/1 3/1/1\nfo 3/ 2/ 1/\nf -3 -2 -1\nf -3/-1/-1 2//-1 -1\n",
              TRIANGLE_POINTS " ; f 0 1 2 @0, 0 1 2 @0, 0 1 2 @0, 2 1 0 @0, 0 1 2 @0, 0 1 2 @0 ; "
                              "b ''"));

  // weights and colours; polygons; comments after words; vertices after their face; joined lines
  CHECK(reads("v 0 0 0 1\nv 1 0 0 0.5 0.5 0.5\nv 1 1 0 1 0.5 0.5 0.5 # red\nf 1 2 3 \\\n 4 5\n"
              "\t v  0  1\t0  \nv 0 .5 -0.5e1\n",
              "p 0 0 0, 1 0 0, 1 1 0, 0 1 0, 0 0.5 -5 ; f 0 1 2 3 4 @0 ; b ''"));

  // a comment that ends with a backslash does not swallow the next line
  CHECK(reads("# C:\\stones\\\n" TRIANGLE "f 1 2 3\n", TRIANGLE_POINTS " ; f 0 1 2 @0 ; b ''"));

  // everything that is left out
  CHECK(reads("mtllib a.mtl\n" TRIANGLE "vp 0\nl 1 2 \\\n3 # \\\np 1\ns off\nusemtl red\nf 1 2 3\n",
              TRIANGLE_POINTS " ; f 0 1 2 @0 ; b ''"));
}

static void test_blocks(void)
{
  // groups by name, also when they are taken up again, in the order of their faces
  CHECK(reads(TRIANGLE "g empty\nf 1 2 3\ng roof top\nf 1 2 3\ng empty\nf 2 3 1\ng\nf 3 1 2\n"
                       "g unused\n",
              TRIANGLE_POINTS " ; f 0 1 2 @0, 0 1 2 @1, 1 2 0 @0, 2 0 1 @2 ; b 'empty', "
                              "'roof top', ''"));

  // objects count where there are any: groups within do not; each "o" begins another one
  CHECK(reads(TRIANGLE "f 1 2 3\no a\ng x\nf 1 2 3\ng y\nf 1 2 3\no a\nf 1 2 3\no B b # c\n"
                       "f 1 2 3\n",
              TRIANGLE_POINTS " ; f 0 1 2 @0, 0 1 2 @1, 0 1 2 @1, 0 1 2 @2, 0 1 2 @3 ; b '', 'a', "
                              "'a', 'B b'"));

  // names as they are when they are UTF-8; what is not becomes a question mark
  CHECK(reads(TRIANGLE "o Stein\xC3\xA4#1\nf 1 2 3\no bad\xE4\xFFname\nf 1 2 3\n",
              TRIANGLE_POINTS " ; f 0 1 2 @0, 0 1 2 @1 ; b 'Stein\xC3\xA4#1', 'bad??name'"));
}

static void test_refusals(void)
{
  CHECK(refuses("", "stone.obj: an empty file"));
  CHECK(refuses("# nothing\n", "stone.obj: no faces in it"));
  CHECK(refuses(TRIANGLE "l 1 2\n", "stone.obj: no faces in it"));
  CHECK(refuses(TRIANGLE "f 1 2 99\nf 1 2 3\n", "stone.obj:4: a face names vertex 99 of 3"));
  CHECK(refuses(TRIANGLE "f 1 2 0\n", "stone.obj:4: a face names vertex 0, and they count from 1"));
  CHECK(refuses(TRIANGLE "f 1 2 -4\n", "stone.obj:4: a face names vertex -4 of 3 so far"));
  CHECK(refuses(TRIANGLE "f 1 2 4294967297\n",
                "stone.obj:4: a face names vertex 4294967297, and there cannot be so many"));
  CHECK(refuses(TRIANGLE "f 1 2 99999999999999999999\n",
                "stone.obj:4: expected a vertex as v, v/vt, v//vn or v/vt/vn, found "
                "'99999999999999999999'"));
  CHECK(refuses(TRIANGLE "f 1 2\n", "stone.obj:4: a face has 2 corners, expected at least 3"));
  CHECK(refuses(TRIANGLE "f 1\n", "stone.obj:4: a face has 1 corner, expected at least 3"));
  CHECK(refuses(TRIANGLE "f 1/1/1/1 2 3\n",
                "stone.obj:4: expected a vertex as v, v/vt, v//vn or v/vt/vn, found '1/1/1/1'"));
  CHECK(refuses(TRIANGLE "f 1/x 2 3\n",
                "stone.obj:4: expected a vertex as v, v/vt, v//vn or v/vt/vn, found '1/x'"));
  CHECK(refuses("v 0 0\nf 1 1 1\n",
                "stone.obj:1: expected z of a vertex, found the end of the line"));
  CHECK(refuses("v 0 0", "stone.obj:1: expected z of a vertex, found the end of the file"));
  CHECK(refuses("v 0 0,5 0\n", "stone.obj:1: expected y of a vertex, found '0,5'"));
  CHECK(refuses("\nbevel on\nsurf 0 1 0 1 1 2 3 4\n",
                "stone.obj:3: 'surf': curves and curved surfaces are not read; save polygons"));
  CHECK(refuses("cstype bezier\n",
                "stone.obj:1: 'cstype': curves and curved surfaces are not read; save polygons"));
  CHECK(refuses("call other.obj\n", "stone.obj:1: 'call': other files and commands are not read"));
  CHECK(refuses("vertex 0 0 0\n",
                "stone.obj:1: expected a statement of OBJ like v, f, o or g, found 'vertex'"));
  CHECK(refuses(TRIANGLE "f 1 2 3\n\n\x7F\n",
                "stone.obj:6: byte 0x7F is no text, and the format is one of text"));
  CHECK(
      refuses("PK\x03\x04\n", "stone.obj:1: byte 0x03 is no text, and the format is one of text"));

  MeshBytes file = {0};
  mesh_put_text(&file, TRIANGLE "f 1 2 3\n");
  mesh_put_whole(&file, 1, 0);
  CHECK(mesh_refuses_bytes("stone.obj", &file,
                           "stone.obj:5: byte 0x00 is no text, and the format is one of text"));
}

int main(void)
{
  test_faces();
  test_blocks();
  test_refusals();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
