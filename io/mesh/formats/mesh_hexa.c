// Parts hexahedra from their lowest corners.
#include "mesh_hexa.h"

#include <stdbool.h>

#include "check.h"

const int MESH_HEXA_SIDES[HEXA_SIDES][HEXA_SIDE] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

void mesh_hexa_split(const int corner[HEXA_CORNERS], int tetra[HEXA_TETRA][4])
{
  int lowest = 0, made = 0;
  for (int c = 1; c < HEXA_CORNERS; c++)
    if (corner[c] < corner[lowest]) lowest = c;
  for (int s = 0; s < HEXA_SIDES; s++) {
    const int *side = MESH_HEXA_SIDES[s];
    int from = 0;
    bool has_lowest = false;
    for (int k = 0; k < HEXA_SIDE; k++) {
      if (corner[side[k]] < corner[side[from]]) from = k;
      has_lowest = has_lowest || side[k] == lowest;
    }
    for (int k = 1; k < 3 && !has_lowest; k++) {
      int *of = tetra[made++];
      of[0] = corner[lowest];
      of[1] = corner[side[from]];
      of[2] = corner[side[(from + k) % HEXA_SIDE]];
      of[3] = corner[side[(from + k + 1) % HEXA_SIDE]];
    }
  }
  assert_debug(made == HEXA_TETRA && "a corner is in three of the sides");
}
