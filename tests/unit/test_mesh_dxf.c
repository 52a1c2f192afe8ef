// DXF files: faces and meshes by layer and by placement, what is left out, what is refused.
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "memory.h"
#include "mesh_parsing.h"

#define BEGIN(NAME) "0\nSECTION\n2\n" NAME "\n"
#define END "0\nENDSEC\n"
#define ENTITIES(TEXT) BEGIN("ENTITIES") TEXT END "0\nEOF\n"
#define FACE(LAYER) \
  "0\n3DFACE\n8\n" LAYER "\n10\n0\n20\n0\n30\n0\n11\n1\n21\n0\n31\n0\n12\n0\n22\n1\n32\n0\n"
#define POINT(X, Y) "0\nVERTEX\n10\n" X "\n20\n" Y "\n30\n0\n70\n192\n"
#define MEMBER(A, B, C, D) \
  "0\nVERTEX\n10\n0\n20\n0\n70\n128\n71\n" A "\n72\n" B "\n73\n" C "\n74\n" D "\n"
#define NODE(X, Y) "0\nVERTEX\n10\n" X "\n20\n" Y "\n70\n64\n"
#define BLOCK(NAME, TEXT) \
  "0\nBLOCK\n8\n0\n2\n" NAME "\n10\n1\n20\n0\n30\n0\n" TEXT "0\nENDBLK\n5\n1F\n"
#define INSERT(NAME, X) "0\nINSERT\n8\n0\n2\n" NAME "\n10\n" X "\n20\n0\n30\n0\n"

static bool reads(const char *text, const char *expected)
{
  return mesh_reads("wall.dxf", text, NULL, expected);
}

static bool refuses(const char *text, const char *message)
{
  return mesh_refuses("wall.dxf", text, NULL, message);
}

static void test_faces(void)
{
  // layers are mesh blocks, also when they are taken up again; sheets and lines are left out
  CHECK(reads(
      ENTITIES(FACE("a") "0\nLINE\n8\na\n10\n5\n" FACE("b b") FACE("a") FACE("sheet") "67\n1\n"),
      "p 0 0 0, 1 0 0, 0 1 0, 0 0 0, 1 0 0, 0 1 0, 0 0 0, 1 0 0, 0 1 0 ; f 0 1 2 @0, "
      "3 4 5 @1, 6 7 8 @0 ; b 'a', 'b b'"));

  // four corners, and three where the last two are one; z left out
  CHECK(reads(ENTITIES(FACE("a") "13\n0\n23\n1\n33\n0\n" FACE("a") "13\n0\n23\n2\n33\n0\n"),
              "p 0 0 0, 1 0 0, 0 1 0, 0 0 0, 1 0 0, 0 1 0, 0 2 0 ; f 0 1 2 @0, 3 4 5 6 @0 ; "
              "b 'a'"));
  CHECK(reads(ENTITIES("0\n3DFACE\n10\n0\n20\n0\n11\n1\n21\n0\n12\n0\n22\n1\n"),
              "p 0 0 0, 1 0 0, 0 1 0 ; f 0 1 2 @0 ; b ''"));

  // comments, other sections, empty texts, the unit
  CHECK(
      reads("999\nby hand\n" BEGIN("HEADER") "9\n$INSUNITS\n 70\n     5\n9\n$MENU\n1\n\n" END BEGIN(
                "TABLES") "0\nTABLE\n2\nLAYER\n" END ENTITIES(FACE("a")),
            "p 0 0 0, 1 0 0, 0 1 0 ; f 0 1 2 @0 ; b 'a' ; r unit cm (scale 0.01)"));
}

static void test_meshes(void)
{
  // edges that are not drawn are negative; lines of a polyface mesh are no faces
  CHECK(reads(ENTITIES("0\nPOLYLINE\n8\nstone\n66\n1\n70\n64\n71\n4\n72\n2\n" POINT("0", "0")
                           POINT("1", "0") POINT("1", "1") POINT("0", "1")
                               MEMBER("1", "-2", "3", "0") MEMBER("-1", "2", "3", "4")
                                   MEMBER("1", "2", "0", "0") "0\nSEQEND\n" FACE("stone")),
              "p 0 0 0, 1 0 0, 1 1 0, 0 1 0, 0 0 0, 1 0 0, 0 1 0 ; f 0 1 2 @0, 0 1 2 3 @0, "
              "4 5 6 @0 ; b 'stone'"));

  // rows and columns, and closed from the last row to the first one
#define GRID(FLAGS)                                                                               \
  "0\nPOLYLINE\n8\ng\n70\n" FLAGS "\n71\n3\n72\n2\n" NODE("0", "0") NODE("1", "0") NODE("0", "1") \
      NODE("1", "1") NODE("0", "2") NODE("1", "2") "0\nSEQEND\n"
  CHECK(reads(ENTITIES(GRID("16")),
              "p 0 0 0, 1 0 0, 0 1 0, 1 1 0, 0 2 0, 1 2 0 ; f 0 2 3 1 @0, 2 4 5 3 @0 ; b 'g'"));
  CHECK(reads(ENTITIES(GRID("17")),
              "p 0 0 0, 1 0 0, 0 1 0, 1 1 0, 0 2 0, 1 2 0 ; f 0 2 3 1 @0, 2 4 5 3 @0, 4 0 1 5 @0 "
              "; b 'g'"));
  CHECK(refuses(ENTITIES(GRID("0")), "wall.dxf: no faces in it"));
  CHECK(
      refuses(ENTITIES(GRID("20")), "wall.dxf:6: a smoothed polygon mesh is not read; explode it"));
}

static void test_blocks(void)
{
#define BLOCKS BEGIN("BLOCKS") BLOCK("stone", FACE("0")) BLOCK("pair", INSERT("stone", "2")) END
  // each placement is a mesh block of its own, which a layer of that name is not
  CHECK(reads(BLOCKS ENTITIES(INSERT("stone", "1")
                                  INSERT("stone", "4") "41\n2\n42\n-1\n43\n1\n" FACE("stone")),
              "p 0 0 0, 1 0 0, 0 1 0, 2 0 0, 4 0 0, 2 -1 0, 0 0 0, 1 0 0, 0 1 0 ; f 0 1 2 @0, "
              "3 4 5 @1, 6 7 8 @2 ; b 'stone', 'stone', 'stone'"));
  // blocks in blocks; upside down, x looks the other way
  CHECK(reads(BLOCKS ENTITIES(INSERT("pair", "5")),
              "p 5 0 0, 6 0 0, 5 1 0 ; f 0 1 2 @0 ; b 'stone'"));
  CHECK(reads(BLOCKS ENTITIES(INSERT("stone", "1") "210\n0\n220\n0\n230\n-3\n"),
              "p 0 0 0, -1 0 0, 0 1 0 ; f 0 1 2 @0 ; b 'stone'"));
  CHECK(refuses(BLOCKS ENTITIES(INSERT("brick", "1")),
                "wall.dxf:78: an INSERT names block 'brick', and BLOCKS before it has none of that "
                "name"));
  CHECK(refuses(BLOCKS ENTITIES(INSERT("stone", "1") "71\n2\n"),
                "wall.dxf:78: block 'stone' is placed in rows and columns, which are not read; "
                "explode it"));
}

// Blocks in blocks are counted before they are read: each time those of a chain, of which each
// holds the next one that many times, below it the chain's last one, are placed from the given ones
// on.
static const char *chain(int blocks, int times, const char *last, const char *entities)
{
  static char text[1 << 16];
  size_t length = (size_t)snprintf(text, sizeof text, "%s", BEGIN("BLOCKS"));
  for (int i = 0; i < blocks; i++) {
    length += (size_t)snprintf(text + length, sizeof text - length,
                               "0\nBLOCK\n2\nb%d\n10\n0\n20\n0\n30\n0\n", i);
    for (int j = 0; j < times && i + 1 < blocks; j++)
      length += (size_t)snprintf(text + length, sizeof text - length, "0\nINSERT\n2\nb%d\n", i + 1);
    length += (size_t)snprintf(text + length, sizeof text - length, "%s0\nENDBLK\n",
                               i + 1 < blocks ? "" : last);
  }
  length += (size_t)snprintf(text + length, sizeof text - length, "%s", END BEGIN("ENTITIES"));
  snprintf(text + length, sizeof text - length, "%s%s", entities, END "0\nEOF\n");
  return text;
}

static void test_chains(void)
{
#define PLACE(NAME) "0\nINSERT\n2\n" NAME "\n"
  // twice a block is four times the block within it
  CHECK(reads(chain(3, 2, FACE("0"), PLACE("b0")),
              "p 0 0 0, 1 0 0, 0 1 0, 0 0 0, 1 0 0, 0 1 0, 0 0 0, 1 0 0, 0 1 0, 0 0 0, 1 0 0, "
              "0 1 0 ; f 0 1 2 @0, 3 4 5 @1, 6 7 8 @2, 9 10 11 @3 ; b 'b2', 'b2', 'b2', 'b2'"));
  // more than any machine counts; each placement is little
#define OFTEN "blocks are placed so often that it would take more than 64 MiB and 64 times the file"
  CHECK(refuses(chain(16, 40, FACE("0"), PLACE("b0")), "wall.dxf:2626: " OFTEN));
  CHECK(refuses(chain(4, 85, FACE("0"), PLACE("b0") PLACE("b1") PLACE("b0")),
                "wall.dxf:1110: " OFTEN));
  // faults that lie deep are told before so much is read
  CHECK(refuses(chain(4, 40, PLACE("none"), PLACE("b0")),
                "wall.dxf:532: an INSERT names block 'none', and BLOCKS before it has none of that "
                "name"));
  CHECK(refuses(chain(4, 40, PLACE("b1"), PLACE("b0")),
                "wall.dxf:532: block 'b1' is placed within itself"));
  CHECK(refuses(chain(17, 40, FACE("0"), PLACE("b0")),
                "wall.dxf:2596: blocks are placed in blocks more than 16 deep"));
  // a block that was placed alone and then lies too deep
  CHECK(refuses(chain(17, 1, FACE("0"), PLACE("b1") PLACE("b0")),
                "wall.dxf:256: blocks are placed in blocks more than 16 deep"));
}

// A quarter turn about z, with the sine of a quarter turn.
static void test_turned(void)
{
  Arena arena = arena_new();
  MeshSoup soup;
  char error[256];
  static const char text[] = BLOCKS ENTITIES(INSERT("stone", "1") "50\n90\n");
  const MeshText file = {"wall.dxf", text, sizeof text - 1};
  CHECK(
      mesh_parse((MeshFiles){MESH_DXF, 1, &file}, &arena, &soup, (ErrorText){error, sizeof error}));
  static const vec3 expected[3] = {{1, -1, 0}, {1, 0, 0}, {0, -1, 0}};
  for (int i = 0; i < 3; i++)
    CHECK_NEAR(vec3_norm(vec3_sub(soup.points[i], expected[i])), 0, 1e-15);
  arena_destroy(&arena);
}

static void test_refusals(void)
{
  CHECK(refuses("", "wall.dxf: an empty file"));
  CHECK(refuses("stone\n", "wall.dxf:1: expected a group code, found 'stone'"));
  CHECK(refuses("0\nLINE\n", "wall.dxf:2: expected SECTION or EOF, found 'LINE'"));
  CHECK(refuses(BEGIN("ENTITIES"), "wall.dxf:5: the file ends before EOF"));
  CHECK(refuses(BEGIN("ENTITIES") END, "wall.dxf:7: the file ends before EOF"));
  CHECK(refuses("0\nEOF\n", "wall.dxf: no faces in it"));
  CHECK(refuses(ENTITIES("0\n3DFACE\n10\n0\n20\n0\n11\n1\n21\n0\n"),
                "wall.dxf:6: a 3DFACE lacks its corner 3"));
  CHECK(refuses(ENTITIES("0\n3DFACE\n10\nx\n"), "wall.dxf:8: expected x of a point, found 'x'"));
  CHECK(refuses(ENTITIES("0\nMESH\n"), "wall.dxf:6: MESH is not read; save faces (3DFACE) or "
                                       "polyface meshes (POLYLINE)"));
  CHECK(refuses(ENTITIES("0\nPOLYLINE\n70\n64\n" POINT("0", "0") MEMBER("1", "2", "3", "0")),
                "wall.dxf:20: a face names vertex 2 of 1 so far"));
  CHECK(refuses("AutoCAD Binary DXF\r\n", "wall.dxf:1: a binary DXF is not read; save it as text"));
}

int main(void)
{
  test_faces();
  test_meshes();
  test_blocks();
  test_chains();
  test_turned();
  test_refusals();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
