// PLY files, text and binary in both byte orders.
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "memory.h"
#include "mesh_parsing.h"

#define VERTICES(count) \
  "element vertex " count "\nproperty float x\nproperty float y\nproperty float z\n"
#define FACES(count) "element face " count "\nproperty list uchar int vertex_indices\n"
#define HEAD "ply\nformat ascii 1.0\n"
#define SMALL HEAD VERTICES("3") FACES("1") "end_header\n"   // 10 lines
#define POINTS "0 0 0\n1 0 0\n0 1 0\n"
#define SOUP "p 0 0 0, 1 0 0, 0 1 0 ; f 0 1 2 @0 ; b ''"

static bool reads(const char *text, const char *expected)
{
  return mesh_reads("stone.ply", text, NULL, expected);
}

static bool refuses(const char *text, const char *message)
{
  return mesh_refuses("stone.ply", text, NULL, message);
}

static void test_text(void)
{
  CHECK(reads(SMALL POINTS "3 0 1 2\n", SOUP));
  CHECK(reads(SMALL "\n 0 0 0\n\n1 0 0\n0 1 0\n 3 0 1 2 \n\n", SOUP));

  // other properties and elements; faces before their vertices; comments
  CHECK(reads("ply\ncomment first\nformat ascii 1.0\nobj_info x\nelement camera 1\nproperty list "
              "int float\tview\nproperty uchar on\nelement face 2\nproperty uint8 flag\n"
              "property list uint8 uint32 vertex_index\nproperty list uchar double texcoord\n"
              "element vertex 4\nproperty double z\nproperty uchar red\nproperty int16 x\n"
              "property double y\nelement edge 0\nproperty int vertex1\nend_header\n"
              "2 0.5 1e3 1\n7 3 0 1 2 6 0 0 1 0 0 1\n8 4 3 2 1 0 0\n"
              "0.1 255 0 0\n0.2 255 1 0\n0.3 0 1 1\n0.4 0 0 1\n",
              "p 0 0 0.10000000000000001, 1 0 0.20000000000000001, 1 1 0.29999999999999999, "
              "0 1 0.40000000000000002 ; f 0 1 2 @0, 3 2 1 0 @0 ; b ''"));
}

static void test_bad_headers(void)
{
  CHECK(refuses("", "stone.ply: an empty file"));
  CHECK(refuses("plx\n", "stone.ply:1: expected 'ply', found 'plx'"));
  CHECK(refuses("\nply\n", "stone.ply:1: expected 'ply', found the end of the line"));
  CHECK(refuses("ply\nformat ascii 2.0\n", "stone.ply:2: expected version 1.0, found '2.0'"));
  CHECK(refuses("ply\nformat text 1.0\n",
                "stone.ply:2: expected ascii, binary_little_endian or binary_big_endian, found "
                "'text'"));
  CHECK(refuses("ply\nformat ascii 1.0\nformat ascii 1.0\n", "stone.ply:3: a second format"));
  CHECK(refuses("ply\n" VERTICES("3") FACES("1") "end_header\n" POINTS "3 0 1 2\n",
                "stone.ply:8: the header names no format"));
  CHECK(refuses(HEAD VERTICES("3"), "stone.ply:7: the header has no end_header"));
  CHECK(refuses(HEAD "elements vertex 3\n",
                "stone.ply:3: expected format, element, property, comment or end_header, found "
                "'elements'"));
  CHECK(refuses(HEAD "element vertex -3\n",
                "stone.ply:3: expected a number of elements from 0 to 2147483647, found '-3'"));
  CHECK(refuses(HEAD "element vertex 4294967295\n",
                "stone.ply:3: expected a number of elements from 0 to 2147483647, found "
                "'4294967295'"));
  CHECK(refuses(HEAD "property float x\n", "stone.ply:3: a property before any element"));
  CHECK(refuses(HEAD "element vertex 3\nproperty real x\n",
                "stone.ply:4: expected a type like uchar, int32, float or double, found 'real'"));
  CHECK(refuses(HEAD "element vertex 3\nproperty float\n",
                "stone.ply:4: expected the name of a property, found the end of the line"));
  CHECK(refuses(HEAD "element vertex 3\nproperty list uchar float x\n",
                "stone.ply:4: property 'x' cannot be a list"));
  CHECK(refuses(HEAD "element face 3\nproperty int vertex_index\n",
                "stone.ply:4: property 'vertex_index' must be a list"));
  CHECK(refuses(HEAD "element face 3\nproperty list float int vertex_index\n",
                "stone.ply:4: expected a type of whole numbers, found 'float'"));
  CHECK(refuses(HEAD "element face 3\nproperty list uchar float vertex_index\n",
                "stone.ply:4: property 'vertex_index' must be of whole numbers"));
  CHECK(refuses(HEAD "element vertex 3\nproperty float x\nproperty double x\n",
                "stone.ply:5: a second property 'x'"));
  CHECK(refuses(HEAD VERTICES("3") "element vertex 2\n", "stone.ply:7: a second element 'vertex'"));
  CHECK(refuses(HEAD "element vertex 3\nproperty float x\nproperty float y\nend_header\n",
                "stone.ply:6: element 'vertex' needs properties x, y and z"));
  CHECK(refuses(HEAD VERTICES("3") "element face 1\nproperty int a\nend_header\n",
                "stone.ply:9: element 'face' needs a list vertex_indices or vertex_index"));
  CHECK(refuses(HEAD FACES("1") "end_header\n", "stone.ply:5: no element 'vertex'"));
  CHECK(refuses(HEAD VERTICES("0") "element dust 2000000000\nend_header\n",
                "stone.ply:8: element 'dust' has no properties"));
  CHECK(refuses(HEAD "element tristrips 1\n",
                "stone.ply:3: triangle strips are not read; save single triangles"));
}

// The largest header, and one line more.
static void test_long_headers(void)
{
  static char text[1 << 16];
  static const char *const lines[] = {"element dust%d 0\n", "property int a%d\n"};
  static const char *const messages[] = {"stone.ply:70: more than 64 elements",
                                         "stone.ply:1028: more than 1024 properties"};
  for (int kind = 0; kind < 2; kind++) {
    const int most = kind == 0 ? 63 : 1021;   // beside the vertex and its three properties
    for (int more = 0; more < 2; more++) {
      int used = snprintf(text, sizeof text, HEAD VERTICES("0"));
      if (kind == 1) used -= (int)strlen("property float z\n");
      for (int i = 0; i < most + more; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, lines[kind], i);
      if (kind == 1)
        used += snprintf(text + used, sizeof text - (size_t)used, "property float z\n");
      snprintf(text + used, sizeof text - (size_t)used, "end_header\n");
      CHECK(refuses(text, more ? messages[kind] : "stone.ply: no faces in it"));
    }
  }
}

static void test_bad_text(void)
{
  CHECK(refuses(HEAD VERTICES("3") "end_header\n" POINTS, "stone.ply: no faces in it"));
  CHECK(refuses(SMALL "0 0 0\n1 0\n0 1 0\n",
                "stone.ply:11: expected z of a vertex, found the end of the line"));
  CHECK(refuses(SMALL "0 0 0\n1 0 0 0\n0 1 0\n",
                "stone.ply:11: expected the end of the row, found '0'"));
  CHECK(refuses(SMALL "0 0 0\n1 x 0\n0 1 0\n", "stone.ply:11: expected y of a vertex, found 'x'"));
  CHECK(refuses(SMALL POINTS "3 0 1 3\n",
                "stone.ply:13: a face names vertex 3 of 3, and they count from 0"));
  CHECK(refuses(SMALL POINTS "3 0 1 -1\n",
                "stone.ply:13: expected a vertex of a face from 0 to 2147483647, found '-1'"));
  CHECK(refuses(SMALL POINTS "2 0 1\n", "stone.ply:13: a face has 2 corners, expected at least 3"));
  CHECK(refuses(SMALL POINTS "4 0 1 2\n",
                "stone.ply:13: expected a vertex of a face, found the end of "
                "the line"));
  CHECK(refuses(SMALL "0 0 0\n1 0 0\n",
                "stone.ply:12: the file ends after 2 of 3 rows of element 'vertex'"));
  CHECK(refuses(SMALL POINTS "3 0 1 2\n3 0 1 2\n",
                "stone.ply:14: expected the end of the file, found '3'"));
  CHECK(refuses(HEAD VERTICES("2147483647") FACES("1") "end_header\n" POINTS,
                "stone.ply:13: the file ends after 3 of 2147483647 rows of element 'vertex'"));
  CHECK(refuses(SMALL POINTS "3 0 1 \x02\n",
                "stone.ply:13: byte 0x02 is no text, and the format is one of text"));
}

// -------------------------------------------------------------------------------------------------

static MeshBytes binary_head(bool big_endian, const char *header)
{
  MeshBytes file = {.big_endian = big_endian};
  mesh_put_text(&file, big_endian ? "ply\nformat binary_big_endian 1.0\n"
                                  : "ply\nformat binary_little_endian 1.0\n");
  mesh_put_text(&file, header);
  mesh_put_text(&file, "end_header\n");
  return file;
}

static void put_points(MeshBytes *file)
{
  static const double points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  for (int i = 0; i < 9; i++) mesh_put_real(file, 4, points[i]);
}

static void put_face(MeshBytes *file, int a, int b, int c)
{
  mesh_put_whole(file, 1, 3);
  mesh_put_wholes(file, 4, 3, (int64_t[]){a, b, c});
}

// Every type, in every role.
static void test_binary_types(bool big_endian)
{
  MeshBytes file =
      binary_head(big_endian, "element vertex 3\nproperty char x\nproperty uchar a\nproperty "
                              "short y\nproperty ushort b\nproperty int32 z\nproperty list ushort "
                              "double c\nelement other 2\nproperty list int int8 d\nproperty "
                              "float e\nelement face 2\nproperty list uint ushort "
                              "vertex_indices\nproperty double f\nelement fixed 2\nproperty "
                              "uint g\nproperty double h\n");
  for (int i = 0; i < 3; i++) {
    mesh_put_whole(&file, 1, -1 - i);
    mesh_put_whole(&file, 1, 255);
    mesh_put_whole(&file, 2, -300 * i);
    mesh_put_whole(&file, 2, 65535);
    mesh_put_whole(&file, 4, 1000000 * i);
    mesh_put_whole(&file, 2, i);
    for (int k = 0; k < i; k++) mesh_put_real(&file, 8, 0.5);
  }
  for (int i = 0; i < 2; i++) {
    mesh_put_whole(&file, 4, 3 * i);
    mesh_put_wholes(&file, 1, 3 * i, (int64_t[]){1, 2, 3});
    mesh_put_real(&file, 4, 0.1);
  }
  for (int i = 0; i < 2; i++) {
    mesh_put_whole(&file, 4, 3 + i);
    mesh_put_wholes(&file, 2, 3 + i, (int64_t[]){2, 1, 0, 1});
    mesh_put_real(&file, 8, 0.1);
  }
  for (int i = 0; i < 2; i++) {
    mesh_put_whole(&file, 4, i);
    mesh_put_real(&file, 8, 0.1);
  }
  CHECK(mesh_reads_bytes("stone.ply", &file,
                         "p -1 0 0, -2 -300 1000000, -3 -600 2000000 ; f 2 1 0 @0, 2 1 0 1 @0 ; "
                         "b ''"));

  file = binary_head(big_endian, "element vertex 3\nproperty double x\nproperty uint y\nproperty "
                                 "float32 z\nelement face 1\nproperty list char int "
                                 "vertex_index\n");
  for (int i = 0; i < 3; i++) {
    mesh_put_real(&file, 8, 0.1 * i);
    mesh_put_whole(&file, 4, 4294967295 - i);
    mesh_put_real(&file, 4, 0.25);
  }
  put_face(&file, 0, 1, 2);
  CHECK(mesh_reads_bytes("stone.ply", &file,
                         "p 0 4294967295 0.25, 0.10000000000000001 4294967294 0.25, "
                         "0.20000000000000001 4294967293 0.25 ; f 0 1 2 @0 ; b ''"));
}

// The data begin after one line end, of the kind that the header has.
static void test_line_ends(void)
{
  static const char *const line_ends[] = {"\n", "\r\n", "\r"};
  static const char *const lines[] = {"ply",
                                      "format binary_little_endian 1.0",
                                      "element other 1",
                                      "property uchar a",
                                      "element vertex 3",
                                      "property float x",
                                      "property float y",
                                      "property float z",
                                      "element face 1",
                                      "property list uchar int vertex_indices",
                                      "end_header"};
  for (int e = 0; e < 3; e++) {
    MeshBytes file = {0};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
      mesh_put_text(&file, lines[i]);
      mesh_put_text(&file, line_ends[e]);
    }
    mesh_put_whole(&file, 1, '\n');
    put_points(&file);
    put_face(&file, 0, 1, 2);
    CHECK(mesh_reads_bytes("stone.ply", &file, SOUP));
  }
}

static void test_bad_binary(bool big_endian)
{
  const MeshBytes head = binary_head(big_endian, VERTICES("3") FACES("1"));
  const size_t data = head.count;
  char message[256];

  MeshBytes file = head;
  put_points(&file);
  put_face(&file, 0, 1, 3);
  snprintf(message, sizeof message,
           "stone.ply: byte %zu: a face names vertex 3 of 3, and they count from 0", data + 49);
  CHECK(mesh_refuses_bytes("stone.ply", &file, message));

  file.count = data + 36;
  put_face(&file, 0, -1, 3);
  snprintf(message, sizeof message,
           "stone.ply: byte %zu: a face names vertex -1 of 3, and they count from 0", data + 45);
  CHECK(mesh_refuses_bytes("stone.ply", &file, message));

  file.count = data + 36;
  put_face(&file, 0, 1, 2);
  mesh_put_text(&file, "\n");
  snprintf(message, sizeof message, "stone.ply: byte %zu: 1 bytes after the last element",
           data + 49);
  CHECK(mesh_refuses_bytes("stone.ply", &file, message));

  file = head;
  put_points(&file);
  mesh_put_whole(&file, 1, 200);
  snprintf(message, sizeof message,
           "stone.ply: byte %zu: a list needs 800 bytes, and the file ends after 0", data + 37);
  CHECK(mesh_refuses_bytes("stone.ply", &file, message));

  // announced rows are compared with the bytes before memory is asked for
  file = binary_head(big_endian, VERTICES("2147483647") FACES("1"));
  put_points(&file);
  snprintf(message, sizeof message,
           "stone.ply: byte %zu: element 'vertex' of 2147483647 rows needs 25769803764 bytes, and "
           "the file ends after 36",
           file.count - 36);
  CHECK(mesh_refuses_bytes("stone.ply", &file, message));

  file = binary_head(big_endian, VERTICES("0") "element face 1\nproperty list char int "
                                               "vertex_index\n");
  mesh_put_whole(&file, 1, -1);
  snprintf(message, sizeof message, "stone.ply: byte %zu: a list of -1 values", file.count);
  CHECK(mesh_refuses_bytes("stone.ply", &file, message));
}

int main(void)
{
  test_text();
  test_bad_headers();
  test_long_headers();
  test_bad_text();
  for (int big_endian = 0; big_endian < 2; big_endian++) {
    test_binary_types(big_endian);
    test_bad_binary(big_endian);
  }
  test_line_ends();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
