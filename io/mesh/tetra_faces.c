#include "tetra_faces.h"

#include <stdlib.h>

// A face of one tetrahedron: sorted corners to find its partner by.
typedef struct {
  int key[3];
  int corner[3];
  int tetra;
} FaceSide;

static int compare_sides(const void *p, const void *q)
{
  const FaceSide *a = p, *b = q;
  for (int k = 0; k < 3; k++) {
    if (a->key[k] != b->key[k]) return a->key[k] < b->key[k] ? -1 : 1;
  }
  return (a->tetra > b->tetra) - (a->tetra < b->tetra);
}

static void swap_if_greater(int *a, int *b)
{
  if (*a <= *b) return;
  const int held = *a;
  *a = *b;
  *b = held;
}

static FaceSide face_side(const int tetra[4], int index, int opposite)
{
  // faces of a positive tetrahedron, each against its opposite corner, seen from outside
  static const int corners[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  FaceSide side = {.tetra = index};
  for (int k = 0; k < 3; k++) side.key[k] = side.corner[k] = tetra[corners[opposite][k]];
  swap_if_greater(&side.key[0], &side.key[1]);
  swap_if_greater(&side.key[1], &side.key[2]);
  swap_if_greater(&side.key[0], &side.key[1]);
  return side;
}

static bool sides_match(const FaceSide *a, const FaceSide *b)
{
  return a->key[0] == b->key[0] && a->key[1] == b->key[1] && a->key[2] == b->key[2];
}

// Do two orders of the same three corners run round the other way?
static bool sides_are_opposite(const FaceSide *a, const FaceSide *b)
{
  int k = 0;
  while (b->corner[k] != a->corner[0]) k++;
  return b->corner[(k + 1) % 3] == a->corner[2];
}

bool tetra_find_faces(const Tetrahedra *filling, Arena *arena, TetraFaces *faces)
{
  const size_t side_count = 4 * (size_t)filling->tetra_count;
  *faces = (TetraFaces){.faces = arena_allocate(arena, side_count * sizeof *faces->faces)};
  const ArenaMark mark = arena_mark(arena);
  FaceSide *sides = arena_allocate(arena, side_count * sizeof *sides);
  for (size_t i = 0; i < side_count; i++) {
    sides[i] = face_side(filling->tetra[i / 4], (int)(i / 4), (int)(i % 4));
  }
  qsort(sides, side_count, sizeof *sides, compare_sides);
  bool sound = true;
  for (size_t i = 0; i < side_count && sound;) {
    size_t next = i + 1;
    while (next < side_count && sides_match(&sides[i], &sides[next])) next++;
    TetraFace *face = &faces->faces[faces->count++];
    *face = (TetraFace){.tetra = {sides[i].tetra, next - i > 1 ? sides[i + 1].tetra : -1}};
    for (int k = 0; k < 3; k++) face->corner[k] = sides[i].corner[k];
    sound = next - i == 1 || (next - i == 2 && sides_are_opposite(&sides[i], &sides[i + 1]));
    i = next;
  }
  arena_release(arena, mark);
  return sound;
}

double tetra_sixfold_volume(const Tetrahedra *filling, int tetra)
{
  const int *corner = filling->tetra[tetra];
  const vec3 from = filling->points[corner[0]];
  const vec3 a = vec3_sub(filling->points[corner[1]], from);
  const vec3 b = vec3_sub(filling->points[corner[2]], from);
  const vec3 c = vec3_sub(filling->points[corner[3]], from);
  return vec3_dot(a, vec3_cross(b, c));
}
