// Gmsh files of versions 2.2 and 4.1, text and binary in both byte orders.
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "memory.h"
#include "mesh_parsing.h"

#define OLD "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define NEW "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define OLD_NODES \
  "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n70 0 0 1\n8 1 1 1\n$EndNodes\n"   // numbers with gaps
#define NEW_NODES                                                                      \
  "$Nodes\n3 5 1 70\n0 1 0 1\n1\n0 0 0\n2 1 1 2\n2\n3\n1 0 0 0.5 0.5\n0 1 0 0.5 0.5\n" \
  "3 1 0 2\n70\n8\n0 0 1\n1 1 1\n$EndNodes\n"
#define POINTS "p 0 0 0, 1 0 0, 0 1 0, 0 0 1, 1 1 1"
#define NAMES "$PhysicalNames\n2\n2 1 \"skin of all\"\n3 7 \"stone\"\n$EndPhysicalNames\n"

static bool reads(const char *text, const char *expected)
{
  return mesh_reads("stone.msh", text, NULL, expected);
}

static bool refuses(const char *text, const char *message)
{
  return mesh_refuses("stone.msh", text, NULL, message);
}

static void test_old_text(void)
{
  // tetrahedra win over faces; groups, entities where there are none
  CHECK(reads("$Comments\nby hand\n$EndComments\n" OLD NAMES OLD_NODES
              "$Elements\n6\n1 15 2 0 1 1\n2 1 2 0 1 1 2\n3 2 2 1 1 1 2 3\n4 4 2 7 4 1 2 3 70\n"
              "5 4 2 0 4 2 3 70 8\n6 4 4 7 5 1 1 1 2 3 8\n$EndElements\n",
              POINTS " ; t 0 1 2 3 @0, 1 2 3 4 @1, 0 1 2 4 @0 ; b 'stone', 'volume 4'"));

  // faces alone, of both kinds and orders; groups without a name, negative where turned around
  CHECK(reads(OLD NAMES OLD_NODES "$Elements\n5\n1 2 2 1 9 1 2 3\n2 3 2 -1 9 1 2 70 8\n3 9 2 5 9 1 "
                                  "2 70 8 8 8\n4 10 0 1 2 3 70 8 8 8 8 8\n5 16 1 0 1 2 3 70 8 8 8 "
                                  "8\n$EndElements\n",
              POINTS " ; f 0 1 2 @0, 0 1 3 4 @0, 0 1 3 @1, 0 1 2 3 @2, 0 1 2 3 @2 ; b 'skin of "
                     "all', 'group 5', 'surface 0'"));

  // hexahedra win over faces, too; those of second order by their corners
  CHECK(reads(OLD OLD_NODES "$Elements\n4\n1 3 2 1 9 1 2 70 8\n2 5 2 0 1 1 2 8 3 70 1 2 3\n"
                            "3 17 1 0 1 2 8 3 70 1 2 3 1 1 1 1 1 1 1 1 1 1 1 1\n"
                            "4 12 2 0 2 1 2 8 3 70 1 2 3 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"
                            "$EndElements\n",
              POINTS " ; h 0 1 2 4 3 0 2 1 @0, 0 1 2 4 3 0 2 1 @1, 0 1 2 4 3 0 2 1 @2 ; b "
                     "'volume 1', 'volume 0', 'volume 2'"));

  // tetrahedra of second order; sections that say nothing here, one with the end of another inside
  CHECK(reads(OLD "$NodeData\n1\n$EndNodes\n \"a view\"\n$EndNodeData\n" OLD_NODES
                  "$Elements\n1\n1 11 2 0 3 1 2 3 70 8 8 8 8 8 8\n$EndElements\n$Periodic\n0\n"
                  "$EndPeriodic\n",
              POINTS " ; t 0 1 2 3 @0 ; b 'volume 3'"));
}

static void test_new_text(void)
{
  // two volumes of one group, one without
  CHECK(reads(NEW NAMES "$Entities\n1 1 1 3\n1 0 0 0 0\n1 0 0 0 1 0 0 1 9 2 1 -1\n"
                        "1 0 0 0 1 1 0 1 1 1 1\n4 0 0 0 1 1 1 2 7 8 1 1\n5 0 0 0 1 1 1 1 7 0\n"
                        "6 0 0 0 1 1 1 0 0\n$EndEntities\n" NEW_NODES
                        "$Elements\n5 6 1 9\n0 1 15 1\n1 1\n2 1 2 1\n2 1 2 3\n3 5 4 1\n3 1 2 3 70\n"
                        "3 6 4 2\n4 2 3 70 8\n5 1 2 3 8\n3 4 4 1\n9 1 2 70 8\n$EndElements\n",
              POINTS " ; t 0 1 2 3 @0, 1 2 3 4 @1, 0 1 2 4 @1, 0 1 3 4 @0 ; b 'stone', "
                     "'volume 6'"));

  // two hexahedra of two volumes in one group
  CHECK(reads(NEW NAMES "$Entities\n0 0 0 2\n4 0 0 0 1 1 1 1 7 0\n5 0 0 0 1 1 1 1 7 0\n"
                        "$EndEntities\n" NEW_NODES "$Elements\n2 2 1 2\n3 4 5 1\n"
                        "1 1 2 8 3 70 1 2 3\n3 5 5 1\n2 70 1 2 3 1 2 8 3\n$EndElements\n",
              POINTS " ; h 0 1 2 4 3 0 2 1 @0, 3 0 2 1 0 1 2 4 @0 ; b 'stone'"));

  // no entities given; faces by entity
  CHECK(reads(NEW NEW_NODES "$Elements\n3 3 1 3\n2 4 2 1\n1 1 2 3\n2 -3 3 1\n2 1 2 70 8\n"
                            "2 4 2 1\n3 3 2 1\n$EndElements\n",
              POINTS " ; f 0 1 2 @0, 0 1 3 4 @1, 2 1 0 @0 ; b 'surface 4', 'surface -3'"));

  // cut into partitions: their entities are pieces of others
  CHECK(reads(
      NEW NAMES
      "$Entities\n0 0 0 2\n1 0 0 0 1 1 1 1 7 0\n2 0 0 0 1 1 1 0 0\n$EndEntities\n"
      "$PartitionedEntities\n2\n1\n9 2\n1 0 0 4\n1 1 2 2 1 2 0 0 0 0\n"
      "3 3 1 1 1 0 0 0 1 1 1 1 7 0\n4 3 1 1 2 0 0 0 1 1 1 1 7 1 5\n"
      "5 3 2 1 1 0 0 0 1 1 1 0 0\n6 3 2 1 2 0 0 0 1 1 1 0 0\n$EndPartitionedEntities\n" NEW_NODES
      "$Elements\n4 4 1 4\n3 3 4 1\n1 1 2 3 70\n3 5 4 1\n2 2 3 70 8\n3 4 4 1\n3 1 2 3 8\n"
      "3 6 4 1\n4 1 2 70 8\n$EndElements\n$GhostElements\n0\n$EndGhostElements\n",
      POINTS " ; t 0 1 2 3 @0, 1 2 3 4 @1, 0 1 2 4 @0, 0 1 3 4 @1 ; b 'stone', "
             "'volume 2'"));
}

static void test_bad_text(void)
{
  static const struct {
    const char *text, *message;
  } bad[] = {
      {"", "stone.msh: an empty file"},
      {"$NOD\n", "stone.msh:1: expected $MeshFormat, found '$NOD'"},
      {"mesh\n", "stone.msh:1: expected a section like $Nodes, found 'mesh'"},
      {"$MeshFormat\n4.0 0 8\n", "stone.msh:2: expected version 2.2 or 4.1, found '4.0'"},
      {"$MeshFormat\n2.2 2 8\n", "stone.msh:2: expected a kind of file from 0 to 1, found '2'"},
      {"$MeshFormat\n2.2 0 4\n", "stone.msh:2: numbers of 4 bytes are not read"},
      {"$MeshFormat\n2.2 0 8\n$Nodes\n", "stone.msh:3: expected $EndMeshFormat, found '$Nodes'"},
      {OLD, "stone.msh:4: no section $Elements"},
      {OLD OLD, "stone.msh:4: a second section '$MeshFormat'"},
      {OLD OLD_NODES OLD_NODES, "stone.msh:12: a second section '$Nodes'"},
      {OLD "$Elements\n0\n$EndElements\n", "stone.msh:4: $Elements before $Nodes"},
      {OLD "$ParametricNodes\n0\n",
       "stone.msh:4: nodes with parameters are read from version 4.1 alone"},
      {OLD "$Periodic\n0\n$EndPeriod\n", "stone.msh:5: the file ends before $EndPeriodic"},
      {OLD "$PhysicalNames\n1\n3 1 stone\n",
       "stone.msh:6: expected a name in quotes, found 'stone'"},
      {OLD "$Nodes\n3000000000\n",
       "stone.msh:5: expected a number of nodes from 0 to 2147483647, found '3000000000'"},
      {OLD "$Nodes\n2000000000\n1 0 0 0\n",
       "stone.msh:7: expected the number of a node, found the end "
       "of the file"},
      {OLD "$Nodes\n1\n1 0 x 0\n", "stone.msh:6: expected y of a node, found 'x'"},
      {OLD "$Nodes\n1\n1 0 0 0\n2 0 0 0\n$EndNodes\n",
       "stone.msh:7: expected $EndNodes, found '2'"},
      {OLD "$Nodes\n2\n1 0 0 0\n1 0 0 0\n$EndNodes\n", "stone.msh:7: two nodes have the number 1"},
      {OLD OLD_NODES "$Elements\n0\n$EndElements\n", "stone.msh: no faces in it"},
      {OLD OLD_NODES "$Elements\n1\n1 1 2 0 1 1 2\n$EndElements\n", "stone.msh: no faces in it"},
      {OLD OLD_NODES "$Elements\n1\n1 2 2 0 1 1 2 4\n$EndElements\n",
       "stone.msh:14: a triangle names node 4, and there is none of that number"},
      {OLD OLD_NODES "$Elements\n2\n1 4 2 0 1 1 2 3 8\n2 5 2 0 1 1 2 3 8 1 2 3 8\n",
       "stone.msh:15: tetrahedra and hexahedra in one file are not read; save cells of one kind"},
      {OLD OLD_NODES "$Elements\n2\n2 5 2 0 1 1 2 3 8 1 2 3 8\n1 4 2 0 1 1 2 3 8\n",
       "stone.msh:15: tetrahedra and hexahedra in one file are not read; save cells of one kind"},
      {OLD OLD_NODES "$Elements\n1\n2 5 2 0 1 1 2 3 8 1 2 3 9\n",
       "stone.msh:14: a hexahedron names node 9, and there is none of that number"},
      {OLD OLD_NODES "$Elements\n1\n1 6 2 0 1 1 2 3 8 1 2\n$EndElements\n",
       "stone.msh:14: prisms are not read; save tetrahedra or hexahedra, or the surface alone"},
      {OLD OLD_NODES "$Elements\n1\n1 7 2 0 1 1 2 3 8 1\n$EndElements\n",
       "stone.msh:14: pyramids are not read; save tetrahedra or hexahedra, or the surface alone"},
      {OLD OLD_NODES "$Elements\n1\n1 21 2 0 1 1 2 3 8 1\n$EndElements\n",
       "stone.msh:14: elements of type 21 are not read; save triangles, quadrangles, tetrahedra "
       "or hexahedra of first or second order"},
      {OLD OLD_NODES "$Elements\n1\n1 2 -1 1 2 3\n$EndElements\n",
       "stone.msh:14: 1 elements with -1 tags follow, and 1 are left"},
      {OLD OLD_NODES "$Elements\n2\n1 2 2 0 1 1 2 3\n$EndElements\n",
       "stone.msh:15: expected the number of an element, found "
       "'$EndElements'"},
      {NEW "$Nodes\n1 2 1 2\n0 1 0 1\n1\n0 0 0\n$EndNodes\n",
       "stone.msh:8: 1 nodes, and the section announces 2"},
      {NEW "$Nodes\n1 2 1 2\n0 1 2 1\n1\n0 0 0\n$EndNodes\n",
       "stone.msh:6: nodes of dimension 0 and parameters 2, expected 0 to 3 and 0 or 1"},
      {NEW "$Nodes\n1 -1 1 2\n", "stone.msh:5: expected a number of rows, at least 0, found '-1'"},
      {NEW NEW_NODES "$Elements\n1 2 1 2\n2 1 2 1\n1 1 2 3\n$EndElements\n",
       "stone.msh:23: 1 elements, and the section announces 2"},
      {NEW NEW_NODES "$Elements\n1 1 1 1\n2 1 2 1\n1 1 2 5\n$EndElements\n",
       "stone.msh:23: a triangle names node 5, and there is none of that number"},
      {NEW "$Entities\n0 0 0 1\n1 0 0 0 1 1 1 99999999 1\n$EndEntities\n",
       "stone.msh:7: expected a tag, found '$EndEntities'"},
      {OLD "$Nodes\n\x01\n", "stone.msh:5: byte 0x01 is no text, and the format is one of text"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    CHECK(refuses(bad[i].text, bad[i].message));
}

// -------------------------------------------------------------------------------------------------

static MeshBytes binary_head(bool big_endian, const char *format)
{
  MeshBytes file = {.big_endian = big_endian};
  mesh_put_text(&file, "$MeshFormat\n");
  mesh_put_text(&file, format);
  mesh_put_whole(&file, 4, 1);
  mesh_put_text(&file, "\n$EndMeshFormat\n" NAMES);
  return file;
}

static const double PLACES[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
static const int64_t NUMBERS[5] = {1, 2, 3, 70, 8};

static void put_place(MeshBytes *file, int node)
{
  for (int j = 0; j < 3; j++) mesh_put_real(file, 8, PLACES[node][j]);
}

static void put_old_nodes(MeshBytes *file)
{
  mesh_put_text(file, "$Nodes\n5\n");
  for (int i = 0; i < 5; i++) {
    mesh_put_whole(file, 4, NUMBERS[i]);
    put_place(file, i);
  }
  mesh_put_text(file, "\n$EndNodes\n");
}

static void test_old_binary(bool big_endian)
{
  MeshBytes file = binary_head(big_endian, "2.2 1 8\n");
  put_old_nodes(&file);
  mesh_put_text(&file, "$Elements\n4\n");
  mesh_put_wholes(&file, 4, 9, (int64_t[]){2, 1, 2, /**/ 1, 1, 6, 1, 2, 3});
  mesh_put_wholes(&file, 4, 17, (int64_t[]){4, 2, 2, 2, 7, 4, 1, 2, 3, 70, 3, 0, 4, 2, 3, 70, 8});
  mesh_put_wholes(&file, 4, 10, (int64_t[]){4, 1, 2, 4, 7, 5, 1, 2, 3, 8});
  mesh_put_text(&file, "\n$EndElements\n");
  CHECK(mesh_reads_bytes("stone.msh", &file,
                         POINTS " ; t 0 1 2 3 @0, 1 2 3 4 @1, 0 1 2 4 @0 ; b 'stone', "
                                "'volume 4'"));

  file = binary_head(big_endian, "2.2 1 8\n");
  put_old_nodes(&file);
  mesh_put_text(&file, "$Elements\n2\n");
  mesh_put_wholes(&file, 4, 3, (int64_t[]){5, 2, 1});
  mesh_put_wholes(&file, 4, 10, (int64_t[]){1, 7, 1, 2, 8, 3, 70, 1, 2, 3});
  mesh_put_wholes(&file, 4, 10, (int64_t[]){2, 7, 70, 1, 2, 3, 1, 2, 8, 3});
  mesh_put_text(&file, "\n$EndElements\n");
  CHECK(mesh_reads_bytes("stone.msh", &file,
                         POINTS " ; h 0 1 2 4 3 0 2 1 @0, 3 0 2 1 0 1 2 4 @0 ; b 'stone'"));

  // more elements in an entity block than are left
  file = binary_head(big_endian, "2.2 1 8\n");
  put_old_nodes(&file);
  mesh_put_text(&file, "$Elements\n1\n");
  mesh_put_wholes(&file, 4, 3, (int64_t[]){2, 2, 2});
  char message[256];
  snprintf(message, sizeof message,
           "stone.msh: byte %zu: 2 elements with 2 tags follow, and 1 are left", file.count);
  CHECK(mesh_refuses_bytes("stone.msh", &file, message));
}

// size: bytes of counts and tags, which the third number of the format tells.
static void put_new_nodes(MeshBytes *file, int size)
{
  mesh_put_text(file, "$Nodes\n");
  mesh_put_wholes(file, size, 4, (int64_t[]){2, 5, 1, 70});
  mesh_put_wholes(file, 4, 3, (int64_t[]){2, 1, 1});
  mesh_put_whole(file, size, 2);
  mesh_put_wholes(file, size, 2, NUMBERS);
  for (int i = 0; i < 2; i++) {
    put_place(file, i);
    for (int j = 0; j < 2; j++) mesh_put_real(file, 8, 0.5);
  }
  mesh_put_wholes(file, 4, 3, (int64_t[]){3, 1, 0});
  mesh_put_whole(file, size, 3);
  mesh_put_wholes(file, size, 3, NUMBERS + 2);
  for (int i = 2; i < 5; i++) put_place(file, i);
  mesh_put_text(file, "\n$EndNodes\n");
}

static void put_volume(MeshBytes *file, int size, int tag, int group)
{
  mesh_put_whole(file, 4, tag);
  for (int j = 0; j < 6; j++) mesh_put_real(file, 8, 0.1 * j);
  mesh_put_whole(file, size, group > 0 ? 1 : 0);
  if (group > 0) mesh_put_whole(file, 4, group);
  mesh_put_whole(file, size, 2);
  mesh_put_wholes(file, 4, 2, (int64_t[]){1, -1});
}

static void put_block(MeshBytes *file, int size, const int64_t head[3], int64_t rows, int width,
                      const int64_t *values)
{
  mesh_put_wholes(file, 4, 3, head);
  mesh_put_whole(file, size, rows);
  mesh_put_wholes(file, size, (int)rows * width, values);
}

static void test_new_binary(bool big_endian, int size)
{
  MeshBytes file = binary_head(big_endian, size == 8 ? "4.1 1 8\n" : "4.1 1 4\n");
  mesh_put_text(&file, "$Entities\n");
  mesh_put_wholes(&file, size, 4, (int64_t[]){1, 0, 0, 2});
  mesh_put_whole(&file, 4, 1);
  put_place(&file, 0);
  mesh_put_whole(&file, size, 0);
  put_volume(&file, size, 5, 7);
  put_volume(&file, size, 6, 0);
  mesh_put_text(&file, "\n$EndEntities\n$Skipped\n\x01\x02$EndSkipped\nmore\n$EndSkipped\n");
  put_new_nodes(&file, size);
  mesh_put_text(&file, "$Elements\n");
  mesh_put_wholes(&file, size, 4, (int64_t[]){3, 4, 1, 4});
  put_block(&file, size, (int64_t[]){2, 1, 2}, 1, 4, (int64_t[]){1, 1, 2, 3});
  put_block(&file, size, (int64_t[]){3, 6, 4}, 2, 5, (int64_t[]){2, 1, 2, 3, 70, 3, 2, 3, 70, 8});
  put_block(&file, size, (int64_t[]){3, 5, 4}, 1, 5, (int64_t[]){4, 1, 2, 3, 8});
  mesh_put_text(&file, "\n$EndElements\n");
  CHECK(mesh_reads_bytes("stone.msh", &file,
                         POINTS " ; t 0 1 2 3 @0, 1 2 3 4 @0, 0 1 2 4 @1 ; b 'volume 6', "
                                "'stone'"));

  file = binary_head(big_endian, size == 8 ? "4.1 1 8\n" : "4.1 1 4\n");
  put_new_nodes(&file, size);
  mesh_put_text(&file, "$Elements\n");
  mesh_put_wholes(&file, size, 4, (int64_t[]){1, 1, 1, 1});
  put_block(&file, size, (int64_t[]){3, 6, 5}, 1, 9, (int64_t[]){1, 1, 2, 8, 3, 70, 1, 2, 3});
  mesh_put_text(&file, "\n$EndElements\n");
  CHECK(mesh_reads_bytes("stone.msh", &file, POINTS " ; h 0 1 2 4 3 0 2 1 @0 ; b 'volume 6'"));
}

static void test_bad_binary(bool big_endian)
{
  MeshBytes file = {.big_endian = big_endian};
  mesh_put_text(&file, "$MeshFormat\n4.1 1 8\n");
  mesh_put_whole(&file, 4, 0x01020304);
  CHECK(mesh_refuses_bytes("stone.msh", &file,
                           big_endian ? "stone.msh: byte 24: expected the number 1 in one of the "
                                        "byte orders, found 67305985"
                                      : "stone.msh: byte 24: expected the number 1 in one of the "
                                        "byte orders, found 16909060"));
  file = binary_head(big_endian, "4.1 1 8\n");
  mesh_put_text(&file, "$Nodes\n");
  mesh_put_wholes(&file, 8, 4, (int64_t[]){1, -1, 0, 0});
  char message[256];
  snprintf(message, sizeof message,
           "stone.msh: byte %zu: a number of rows cannot be 18446744073709551615", file.count - 16);
  CHECK(mesh_refuses_bytes("stone.msh", &file, message));

  // a claim of many nodes ends with the file, not with the memory
  file = binary_head(big_endian, "4.1 1 8\n");
  mesh_put_text(&file, "$Nodes\n");
  mesh_put_wholes(&file, 8, 4, (int64_t[]){1, INT64_MAX, 0, 0});
  mesh_put_wholes(&file, 4, 3, (int64_t[]){3, 1, 0});
  mesh_put_whole(&file, 8, INT64_MAX);
  mesh_put_whole(&file, 8, 1);
  snprintf(message, sizeof message,
           "stone.msh: byte %zu: the number of a node needs 8 bytes, and the file ends after 0",
           file.count);
  CHECK(mesh_refuses_bytes("stone.msh", &file, message));
}

int main(void)
{
  test_old_text();
  test_new_text();
  test_bad_text();
  for (int big_endian = 0; big_endian < 2; big_endian++) {
    test_old_binary(big_endian);
    test_new_binary(big_endian, 8);
    test_new_binary(big_endian, 4);
    test_bad_binary(big_endian);
  }
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
