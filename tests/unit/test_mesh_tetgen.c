// TetGen files: .ele and .face with their .node, .smesh with points of its own or of a .node.
#include "harness.h"
#include "memory.h"
#include "mesh_parsing.h"

#define NODES "# points\n5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 1\n"
#define NODES_FROM_1 \
  "5 3 2 1\n\n  1  0 0 0  0.5 9 1\n2 1 0 0 0 0 0 # corner\n3 0 1 0\n4 0 0 1\n5 1 1 1#last"
#define POINTS "p 0 0 0, 1 0 0, 0 1 0, 0 0 1, 1 1 1"

static bool reads(const char *path, const char *text, const char *node, const char *expected)
{
  return mesh_reads(path, text, node, expected);
}

static void test_ele(void)
{
  CHECK(reads("stone.ele", "2 4 0\n0 0 1 2 3\n1 1 2 3 4\n# end\n", NODES,
              POINTS " ; t 0 1 2 3 @0, 1 2 3 4 @0 ; b ''"));
  CHECK(reads("stone.ele", "2\n1 1 2 3 4\n2 2 3 4 5\n", NODES_FROM_1,
              POINTS " ; t 0 1 2 3 @0, 1 2 3 4 @0 ; b ''"));

  // the last attribute is the region; regions are numbered as they come
  CHECK(reads("STONE.ELE",
              "4 4 2\n1 1 2 3 4 7 20\n2 2 3 4 5 8 -1.5\n3 1 2 3 5 9 20\n4 1 2 3 4 0 "
              "2e1\n",
              NODES_FROM_1,
              POINTS " ; t 0 1 2 3 @0, 1 2 3 4 @1, 0 1 2 4 @0, 0 1 2 3 @0 ; b 'region 20', "
                     "'region -1.5'"));
  CHECK(reads("stone.ele", "2 4 1\n0 0 1 2 3 0\n1 1 2 3 4 -0\n", NODES,
              POINTS " ; t 0 1 2 3 @0, 1 2 3 4 @0 ; b 'region 0'"));

  // second order: the first four are the corners
  CHECK(reads("stone.ele", "1 10 1\n0 0 1 2 3 4 4 4 4 4 4 3\n", NODES,
              POINTS " ; t 0 1 2 3 @0 ; b 'region 3'"));
}

static void test_face(void)
{
  CHECK(reads("stone.face", "2 1\n0 0 1 2 1\n1 1 2 3 -1\n", NODES,
              POINTS " ; f 0 1 2 @0, 1 2 3 @0 ; b ''"));
  CHECK(reads("stone.face", "2 0\n1 1 2 3\n2 2 3 4\n", NODES_FROM_1,
              POINTS " ; f 0 1 2 @0, 1 2 3 @0 ; b ''"));
}

static void test_smesh(void)
{
  // corners may go on in the next line; markers; a part that is not there
  CHECK(reads("stone.smesh", NODES "3 1\n3 0 1 2 5\n5 0 1\n2 # more\n 3 4 6\n4 4 3 2 1\n", NULL,
              POINTS " ; f 0 1 2 @0, 0 1 2 3 4 @0, 4 3 2 1 @0 ; b ''"));
  CHECK(reads("stone.smesh", "0 3 0 0\n1 0\n3 1 2 5\n0\n1\n1 0.5 0.5 0.5 10 0.1\n", NODES_FROM_1,
              POINTS " ; f 0 1 4 @0 ; b ''"));
  CHECK(reads("stone.smesh", NODES "1\n3 0 1 2\n0\n", "nonsense, and not needed",
              POINTS " ; f 0 1 2 @0 ; b ''"));
}

static void test_refusals(void)
{
  static const struct {
    const char *path, *text, *node, *message;
  } bad[] = {
      {"a.node", NODES, NULL,
       "a.node:1: a .node has points alone; name the .ele, .face or .smesh that goes with it"},
      {"a.ele", "", NODES, "a.ele: an empty file"},
      {"a.ele", "0 4 0\n", NODES, "a.ele:2: no tetrahedra in it"},
      {"a.ele", "1\n0 0 1 2 3\n", NULL,
       "a.ele:1: the points are in a.node, and there is no such file"},
      {"a.ele", "# nothing\n", NODES,
       "a.ele:2: expected a number of tetrahedra, found the end of the file"},
      {"a.ele", "2\n0 0 1 2 3\n", NODES,
       "a.ele:3: expected a tetrahedron, found the end of the file"},
      {"a.ele", "1\n0 0 1 2 5\n", NODES,
       "a.ele:2: a tetrahedron names point 5 of 5, and they count from 0"},
      {"a.ele", "1\n1 0 1 2 3\n", NODES_FROM_1,
       "a.ele:2: a tetrahedron names point 0 of 5, and they count from 1"},
      {"a.ele", "1\n0 0 1 2\n", NODES,
       "a.ele:2: expected a tetrahedron, found the end of the line"},
      {"a.ele", "1 4 1\n0 0 1 2 3\n", NODES,
       "a.ele:2: expected an attribute of a tetrahedron, found the end of the line"},
      {"a.ele", "1 8\n0 0 1 2 3\n", NODES,
       "a.ele:1: elements of 8 points, expected tetrahedra of 4 or 10"},
      {"a.ele", "1\n0 0 1 2 3\n1 0 1 2 3\n", NODES,
       "a.ele:3: expected the end of the file, found '1'"},
      {"a.ele", "1 four\n0 0 1 2 3\n", NODES,
       "a.ele:1: expected points of a tetrahedron, found 'four'"},
      {"a.ele", "9999999999\n", NODES,
       "a.ele:1: expected a number of tetrahedra from 0 to 2147483647, found '9999999999'"},
      {"a.ele", "1\n0 0 1 2 3\n", "",
       "a.node:1: expected a number of points, found the end of the file"},
      {"a.ele", "1\n0 0 1 2 3\n", "2 3\n0 0 0 0\n",
       "a.node:3: expected a point, found the end of the file"},
      {"a.ele", "1\n0 0 1 2 3\n", "2 2\n0 0 0\n", "a.node:1: points of 2 dimensions, expected 3"},
      {"a.ele", "1\n0 0 1 2 3\n", "1 3\n2 0 0 0\n",
       "a.node:2: the first point has number 2, expected 0 or 1"},
      {"a.ele", "1\n0 0 1 2 3\n", "2 3\n1 0 0 0\n3 0 0 0\n", "a.node:3: expected point 2, found 3"},
      {"a.ele", "1\n0 0 1 2 3\n", "1 3\n0 0 y 0\n", "a.node:2: expected y of a point, found 'y'"},
      {"a.ele", "1\n0 0 1 2 3\n", "1 3 x\n0 0 0 0\n1 0 0 0\n",
       "a.node:3: expected the end of the file, found '1'"},
      {"a.ele", "1\n0 0 1 2 3\n", "1 3\n0 0 0 0\n\x01",
       "a.node:3: byte 0x01 is no text, and the format is one of text"},
      {"a.face", "1 0\n0 0 1 7\n", NODES,
       "a.face:2: a face names point 7 of 5, and they count from 0"},
      {"a.face", "1 0\n0 0 1\n", NODES, "a.face:2: expected a face, found the end of the line"},
      {"a.face", "0 0\n", NODES, "a.face: no faces in it"},
      {"a.face", "1 0\n0 0 1 2\n", NULL,
       "a.face:1: the points are in a.node, and there is no such file"},
      {"a.smesh", "0 3\n1 0\n3 0 1 2\n", NULL,
       "a.smesh:1: the points are in a.node, and there is no such file"},
      {"a.smesh", NODES, NULL, "a.smesh:8: expected a number of facets, found the end of the file"},
      {"a.smesh", NODES "1\n3 0 1\n", NULL,
       "a.smesh:10: expected a facet, found the end of the file"},
      {"a.smesh", NODES "1\n2 0 1\n", NULL, "a.smesh:9: a face has 2 corners, expected at least 3"},
      {"a.smesh", NODES "1\n3 0 1 5\n", NULL,
       "a.smesh:9: a facet names point 5 of 5, and they count from 0"},
      {"a.smesh", NODES "1\n3 0 1 2\n2\n1 0 0 0\n2 0 0 0\n", NULL,
       "a.smesh:10: 2 hole points: cavities are not supported"},
      {"a.smesh", NODES "1\n3 0 1 2\n0\n1\n", NULL,
       "a.smesh:12: expected a region, found the end of the file"},
      {"a.smesh", NODES "1\n3 0 1 2\n0\n0\nmore\n", NULL,
       "a.smesh:12: expected the end of the file, found 'more'"},
      {"a.smesh", NODES "0\n", NULL, "a.smesh: no faces in it"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    CHECK(mesh_refuses(bad[i].path, bad[i].text, bad[i].node, bad[i].message));
}

int main(void)
{
  test_ele();
  test_face();
  test_smesh();
  test_refusals();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
