// Point, normal, gap and area of the volume that two polyhedra share.
#include "intersection_contact.h"

#include <math.h>

#include "check.h"
#include "gjk.h"

#define NO_NORMAL 1e-6   // of the sum of squared areas: a smaller sum of normals points nowhere
#define THICK 1e-2       // of the smaller solid's extent: thickness above it is checked by GJK
#define OUTSIDE 1e-9     // of the smaller solid's extent: a point outside by more is not of it
// Of both extents: a face whose plane is nearer than this to another one's lies in it. Where two
// faces cross at such an angle, rounding moves the line they have in common by a millionth.
#define IN_BOTH 1e-9

// True when a face of the intersection lies in a face of the solid it is not labelled with.
static bool lies_in_other(const Intersection *common, int face, vec3 normal,
                          const Polyhedron *other, double tolerance)
{
  assert_debug(face >= 0 && face < common->face_count && "a face has a number");
  for (int f = 0; f < other->face_count; f++) {
    const Plane plane = other->planes[f];
    if (fabs(vec3_dot(plane.normal, common->faces[face].centroid) - plane.offset) > tolerance ||
        vec3_dot(plane.normal, normal) <= 0) {
      continue;
    }
    bool within = true;
    for (int i = common->face_start[face]; within && i < common->face_start[face + 1]; i++) {
      const vec3 corner = common->vertices[common->face_vertices[i]];
      within = fabs(vec3_dot(plane.normal, corner) - plane.offset) <= tolerance;
    }
    if (within) return true;
  }
  return false;
}

static double thickness(const Intersection *common, vec3 normal)
{
  assert_debug(common->vertex_count > 0 && "a common solid has vertices");
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < common->vertex_count; i++) {
    const double z = vec3_dot(normal, common->vertices[i]);
    low = fmin(low, z);
    high = fmax(high, z);
  }
  return high - low;
}

static vec3 *moved_vertices(const Polyhedron *p, double distance, vec3 direction, Arena *arena)
{
  vec3 *moved = arena_allocate(arena, (size_t)p->vertex_count * sizeof *moved);
  for (int i = 0; i < p->vertex_count; i++) {
    moved[i] = vec3_axpy(distance, direction, p->vertices[i]);
  }
  return moved;
}

// Moves the solids away from each other along the normal and measures what separates them then.
static double checked_gap(const Polyhedron *a, const Polyhedron *b, vec3 normal, double thick,
                          Arena *arena)
{
  assert_debug(thick >= 0 && "a thickness is a length");
  const vec3 *moved_a = moved_vertices(a, thick, normal, arena);
  const vec3 *moved_b = moved_vertices(b, -thick, normal, arena);
  const GjkResult apart = gjk_distance(moved_a, a->vertex_count, moved_b, b->vertex_count);
  return fmin(apart.distance - 2 * thick, 0);
}

IntersectionContact intersection_contact(const Intersection *common, const Polyhedron *a,
                                         const Polyhedron *b, const SurfacePiece *pieces,
                                         Arena *arena)
{
  assert_debug(a != NULL && b != NULL && common != NULL && "two solids have something in common");
  if (common->status != INTERSECTION_OK) return (IntersectionContact){.status = CONTACT_NONE};
  const double smaller = fmin(a->extent, b->extent);
  const double in_both = IN_BOTH * (a->extent + b->extent);

  // lines 1 to 8: a's faces look from a into b, the normal is their opposite; b's look into a
  vec3 sum = {0, 0, 0}, place = {0, 0, 0};
  double squares = 0, surface = 0;
  for (int i = 0; i < common->face_count; i++) {
    const IntersectionFace *face = &common->faces[i];
    const bool of_a = face->owner == 0;
    const double whole = vec3_norm(face->area);
    const SurfacePiece piece = pieces ? pieces[i] : (SurfacePiece){whole, face->centroid};
    if (!(piece.area > 0)) continue;
    place = vec3_axpy(piece.area, vec3_sub(piece.centroid, common->centroid), place);
    surface += piece.area;
    squares += piece.area * piece.area;
    const vec3 normal = (of_a ? a : b)->planes[face->face].normal;
    if (lies_in_other(common, i, normal, of_a ? b : a, in_both)) continue;
    // the square of the piece's area times the normal
    const double weight = piece.area * (piece.area / whole);
    sum = vec3_axpy(of_a ? -weight : weight, face->area, sum);
  }
  if (!(surface > 0)) return (IntersectionContact){.status = CONTACT_NO_SURFACE};
  const vec3 point = vec3_add(common->centroid, vec3_scale(1.0 / surface, place));
  IntersectionContact contact = {.status = CONTACT_OK, .point = point, .area = 0.5 * surface};

  // lines 9 to 11
  double outside_a, outside_b;
  contact.face_a = polyhedron_nearest_face(a, contact.point, &outside_a);
  contact.face_b = polyhedron_nearest_face(b, contact.point, &outside_b);
  if (outside_a > OUTSIDE * smaller || outside_b > OUTSIDE * smaller) {
    contact.status = CONTACT_OUTSIDE;
    contact.point = common->centroid;
    contact.face_a = polyhedron_nearest_face(a, contact.point, &outside_a);
    contact.face_b = polyhedron_nearest_face(b, contact.point, &outside_b);
  }

  // lines 12 to 15
  const double length = vec3_norm(sum);
  if (!(length > NO_NORMAL * squares)) {
    contact.status = CONTACT_NO_NORMAL;
    return contact;
  }
  contact.normal = vec3_scale(1.0 / length, sum);
  const double thick = thickness(common, contact.normal);
  const ArenaMark mark = arena_mark(arena);
  contact.gap = thick > THICK * smaller ? checked_gap(a, b, contact.normal, thick, arena) : -thick;
  arena_release(arena, mark);
  return contact;
}
