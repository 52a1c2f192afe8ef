// Second moments of an intersection, from its polygons.
#include "intersection_second.h"

#include "check.h"

// M + s u u'
static inline mat3 add_square(mat3 m, double s, vec3 u)
{
  m.row[0] = vec3_axpy(s * u.x, u, m.row[0]);
  m.row[1] = vec3_axpy(s * u.y, u, m.row[1]);
  m.row[2] = vec3_axpy(s * u.z, u, m.row[2]);
  return m;
}

// A tetrahedron with corners 0, a, b, c and volume V has the second moments
// V/20 (a a' + b b' + c c' + s s') about 0, s = a + b + c. Volumes of the tetrahedra over a face
// are as the areas of its triangles, which are measured along its normal (intersection_measure.h).
static mat3 add_face(mat3 second, const Intersection *common, int index)
{
  assert_debug(index >= 0 && index < common->face_count && "a face has a number");
  const IntersectionFace *face = &common->faces[index];
  const double area = vec3_norm(face->area);
  if (!(area > 0)) return second;
  const vec3 normal = vec3_scale(1 / area, face->area), center = common->centroid;
  const double height = vec3_dot(normal, vec3_sub(face->centroid, center));
  const int start = common->face_start[index], end = common->face_start[index + 1];
  const vec3 a = vec3_sub(common->vertices[common->face_vertices[start]], center);
  vec3 b = vec3_sub(common->vertices[common->face_vertices[start + 1]], center);
  for (int i = start + 2; i < end; i++) {
    const vec3 c = vec3_sub(common->vertices[common->face_vertices[i]], center);
    const vec3 cross = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
    const double share = height * vec3_dot(cross, normal) / 120;
    second = add_square(second, share, a);
    second = add_square(second, share, b);
    second = add_square(second, share, c);
    second = add_square(second, share, vec3_add(a, vec3_add(b, c)));
    b = c;
  }
  return second;
}

mat3 intersection_second(const Intersection *common)
{
  assert_debug(common->status == INTERSECTION_OK && "a solid has a volume");
  mat3 second = mat3_diagonal(0, 0, 0);
  for (int f = 0; f < common->face_count; f++) second = add_face(second, common, f);
  return second;
}
