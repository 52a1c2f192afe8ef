// Finds the faces that tetrahedra share, by their corners and never by coordinates.
#include "tetra_faces.h"

#include <assert.h>
#include <limits.h>

#include "check.h"
#include "face_key.h"

bool tetra_find_faces(const Tetrahedra *filling, Arena *arena, TetraFaces *faces)
{
  assert(filling->tetra_count >= 0 && filling->tetra_count <= INT_MAX / 4 &&
         "faces are counted in ints");
  const int side_count = 4 * filling->tetra_count;
  *faces = (TetraFaces){.faces = arena_allocate(arena, (size_t)side_count * sizeof(TetraFace))};
  const ArenaMark mark = arena_mark(arena);
  FaceKey *keys = arena_allocate(arena, (size_t)side_count * sizeof *keys);
  for (int i = 0; i < side_count; i++) {
    keys[i] = face_key_of_tetra(filling->tetra[i / 4], i % 4, i);
  }
  face_keys_sort(keys, side_count);
  bool sound = true;
  for (int i = 0, end; i < side_count && sound; i = end) {
    end = face_keys_end(keys, side_count, i);
    const int side = keys[i].number, *tetra = filling->tetra[side / 4];
    TetraFace *face = &faces->faces[faces->count++];
    *face = (TetraFace){.tetra = {side / 4, end - i > 1 ? keys[i + 1].number / 4 : -1}};
    for (int k = 0; k < 3; k++) face->corner[k] = tetra[TETRA_FACE_CORNERS[side % 4][k]];
    sound = end - i == 1 || (end - i == 2 && keys[i].odd != keys[i + 1].odd);
  }
  arena_release(arena, mark);
  return sound;
}

double tetra_sixfold_volume(const Tetrahedra *filling, int tetra)
{
  assert_debug(tetra >= 0 && tetra < filling->tetra_count && "a tetrahedron has a number");
  const int *corner = filling->tetra[tetra];
  const vec3 from = filling->points[corner[0]];
  const vec3 a = vec3_sub(filling->points[corner[1]], from);
  const vec3 b = vec3_sub(filling->points[corner[2]], from);
  const vec3 c = vec3_sub(filling->points[corner[3]], from);
  return vec3_dot(a, vec3_cross(b, c));
}
