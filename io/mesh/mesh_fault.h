#pragma once
// Messages about a mesh: which file, which mesh block, what is wrong, where in the file's
// coordinates.
#include "mesh_soup.h"

typedef struct {
  const MeshSoup *soup;
  ErrorText error;
} MeshFault;

// Local. Writes "PATH: block 'NAME': " and the reason; a file of one mesh block without a name
// gives no mesh block. Always false.
bool mesh_refuse(const MeshFault *fault, int mesh_block, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

typedef struct {
  char text[96];
} MeshPlace;

// Local. "(x, y, z)" of a point of the file, as in the file.
MeshPlace mesh_place(const MeshFault *fault, int point);

typedef struct {
  char text[32];
} MeshFace;

// Local. "triangle 7" or, with more corners, "face 7": faces of the file count from 1.
MeshFace mesh_face(const MeshFault *fault, int face);

// "1 edge", "3 edges"
typedef struct {
  char text[64];
} MeshCount;
MeshCount mesh_count(long long count, const char *one, const char *many);
