#pragma once
// Which triangles have the same corners, and which way they look.
#include <stdbool.h>

#include "check.h"

typedef struct {
  int vertex[3];   // ascending
  int number;      // the caller's
  bool odd;        // the corners as given are an odd permutation of these
} FaceKey;

// Corners of the face opposite to each corner of a tetrahedron of positive volume,
// counter-clockwise seen from outside.
static const int TETRA_FACE_CORNERS[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

// Local. Three different corners.
FaceKey face_key(const int corner[3], int number);

// Local. The face of a tetrahedron opposite to one of its corners.
static inline FaceKey face_key_of_tetra(const int tetra[4], int opposite, int number)
{
  assert_debug(opposite >= 0 && opposite < 4 && "a tetrahedron has four corners");
  const int *order = TETRA_FACE_CORNERS[opposite];
  return face_key((const int[]){tetra[order[0]], tetra[order[1]], tetra[order[2]]}, number);
}

// Local. Sorts by vertices, then by number.
void face_keys_sort(FaceKey *keys, int count);

// Local. Behind the last one of sorted keys that has the vertices of the first one.
int face_keys_end(const FaceKey *keys, int count, int first);
