#pragma once
// Mesh files from the bytes that a test writes, and soups as one line of text to compare.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mesh_soup.h"

// Local. The soup of a file is, or its refusal reads, as expected; prints what it is otherwise. A
// soup reads "p 0 0 0, 1 0 0 ; f 0 1 2 @0 ; t 0 1 2 3 @0 ; b 'name'": points, faces and tetrahedra
// (h: hexahedra)
// with their mesh block, names of mesh blocks ("'name' fixed" for a support), and "; r TEXT" where
// the file has a remark. The second text is that of the companion file, NULL
// for one that does not exist.
bool mesh_reads(const char *path, const char *text, const char *second, const char *expected);
bool mesh_refuses(const char *path, const char *text, const char *second, const char *message);

// A binary file to be written.
typedef struct {
  unsigned char bytes[4096];
  size_t count;
  bool big_endian;
} MeshBytes;

void mesh_put_text(MeshBytes *file, const char *text);
void mesh_put_whole(MeshBytes *file, int size, int64_t value);
void mesh_put_wholes(MeshBytes *file, int size, int count, const int64_t *values);
void mesh_put_real(MeshBytes *file, int size, double value);

// Local. As above; every shorter piece of a file that is read must be refused.
bool mesh_reads_bytes(const char *path, const MeshBytes *file, const char *expected);
bool mesh_refuses_bytes(const char *path, const MeshBytes *file, const char *message);
