// Volume, centroid and second moments of solids, moved, turned and scaled.
#include "polyhedron.h"

#include <assert.h>

// M + s u v'
static mat3 add_outer(mat3 m, double s, vec3 u, vec3 v)
{
  m.row[0] = vec3_axpy(s * u.x, v, m.row[0]);
  m.row[1] = vec3_axpy(s * u.y, v, m.row[1]);
  m.row[2] = vec3_axpy(s * u.z, v, m.row[2]);
  return m;
}

// A tetrahedron with corners 0, a, b, c and volume V has the centroid (a + b + c) / 4 and the
// second moments V/20 (a a' + b b' + c c' + s s') about 0, s = a + b + c.
Moments polyhedron_moments(const Polyhedron *p)
{
  assert(p->vertex_count >= 4 && p->face_count >= 4 && "a solid has four faces and four corners");
  const vec3 origin = p->vertices[0];
  double volume = 0;
  vec3 first = {0, 0, 0};
  mat3 second = mat3_diagonal(0, 0, 0);
  for (int f = 0; f < p->face_count; f++) {
    const int start = p->face_start[f], end = p->face_start[f + 1];
    const vec3 a = vec3_sub(p->vertices[p->face_vertices[start]], origin);
    for (int i = start + 1; i + 1 < end; i++) {
      const vec3 b = vec3_sub(p->vertices[p->face_vertices[i]], origin);
      const vec3 c = vec3_sub(p->vertices[p->face_vertices[i + 1]], origin);
      const vec3 s = vec3_add(a, vec3_add(b, c));
      const double v = vec3_dot(a, vec3_cross(b, c)) / 6;
      volume += v;
      first = vec3_axpy(v / 4, s, first);
      second = add_outer(second, v / 20, a, a);
      second = add_outer(second, v / 20, b, b);
      second = add_outer(second, v / 20, c, c);
      second = add_outer(second, v / 20, s, s);
    }
  }
  // a solid without volume keeps its first vertex as the centroid
  const vec3 centroid = volume > 0 ? vec3_scale(1 / volume, first) : (vec3){0, 0, 0};
  return (Moments){.volume = volume,
                   .centroid = vec3_add(origin, centroid),
                   .second = add_outer(second, -volume, centroid, centroid)};
}
