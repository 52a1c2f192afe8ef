// Finds a face of one convex solid that separates it from another.
#include "separation.h"

#include "check.h"

#define CHUNK 8   // vertices looked at before the first answer

// All of q lies at least the distance above the plane. No branch inside a chunk: where the plane
// separates, as it mostly does when it did before, every vertex is looked at anyway.
static bool plane_separates(Plane plane, const Polyhedron *q, double distance)
{
  assert_debug(q->vertex_count > 0 && "a solid has vertices");
  const vec3 *vertices = q->vertices;
  const int count = q->vertex_count;
  for (int first = 0; first < count; first += CHUNK) {
    const int end = first + CHUNK < count ? first + CHUNK : count;
    int above = 1;
    for (int i = first; i < end; i++) {
      above &= vec3_dot(plane.normal, vertices[i]) - plane.offset >= distance;
    }
    if (!above) return false;
  }
  return true;
}

// The first face of p that separates; -1: none does.
static int find_face(const Polyhedron *p, const Polyhedron *q, double distance)
{
  for (int f = 0; f < p->face_count; f++) {
    if (plane_separates(p->planes[f], q, distance)) return f;
  }
  return -1;
}

bool separation_find(const Polyhedron *a, const Polyhedron *b, double distance,
                     SeparatingFace *hint)
{
  assert_debug(hint->owner >= -1 && hint->owner <= 1 && "a hint names one of two solids, or none");
  assert_debug(!isnan(distance) && "a distance is a number");
  if (hint->owner == 0 || hint->owner == 1) {
    const Polyhedron *p = hint->owner == 0 ? a : b, *q = hint->owner == 0 ? b : a;
    if (hint->face >= 0 && hint->face < p->face_count &&
        plane_separates(p->planes[hint->face], q, distance)) {
      return true;
    }
  }
  for (int owner = 0; owner < 2; owner++) {
    const int face = find_face(owner == 0 ? a : b, owner == 0 ? b : a, distance);
    if (face < 0) continue;
    *hint = (SeparatingFace){owner, face};
    return true;
  }
  return false;
}
