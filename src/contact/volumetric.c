#include "volumetric.h"

#include "gjk.h"

VolumetricPoint volumetric_point(const Polyhedron *a, const Polyhedron *b, vec3 normal, double gap,
                                 Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  VolumetricPoint result = {.normal = normal, .gap = gap};
  const Intersection common = intersection_find(a, b, 0, arena, &result.route);
  const IntersectionContact contact = intersection_contact(&common, a, b, arena);
  result.common = common.status;
  result.contact = contact.status;
  if (contact.status == CONTACT_NONE) {
    const GjkResult near = gjk_distance(a->vertices, a->vertex_count, b->vertices, b->vertex_count);
    result.point = vec3_scale(0.5, vec3_add(near.on_a, near.on_b));
    double height;
    result.face_a = contact_nearest_face(a, result.point, &height);
    result.face_b = contact_nearest_face(b, result.point, &height);
  } else {
    result.point = contact.point;
    result.area = contact.area;
    result.face_a = contact.face_a;
    result.face_b = contact.face_b;
    if (contact.status != CONTACT_NO_NORMAL) {
      result.normal = contact.normal;
      result.gap = contact.gap;
    }
  }
  arena_release(arena, mark);
  return result;
}
