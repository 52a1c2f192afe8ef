// Finds one contact point from the volume that two convex parts of bodies share.
#include "volumetric.h"

#include "check.h"
#include "gjk.h"
#include "intersection_contact.h"
#include "intersection_find.h"
#include "patch_clip.h"
#include "plane_basis.h"

PartOverlap volumetric_overlap_new(const PosedBody *a, int part_a, const PosedBody *b, int part_b,
                                   Arena *arena)
{
  assert_debug(part_a >= 0 && part_a < a->shape->part_count && "the first body has the part");
  assert_debug(part_b >= 0 && part_b < b->shape->part_count && "the second body has the part");
  const vec3 shift = vec3_sub(b->center, a->center);
  return (PartOverlap){.ref_a = &a->shape->parts[part_a],
                       .ref_b = &b->shape->parts[part_b],
                       .hull_a = a->parts[part_a],
                       .hull_b = polyhedron_shift(&b->parts[part_b], shift, arena),
                       .turn_a = a->rotation,
                       .turn_b = b->rotation,
                       .shift = shift};
}

static bool face_is_true(const Part *part, int face)
{
  assert_debug(face >= 0 && face < part->hull.face_count && "a face has a number");
  return part->facet_start[face + 1] > part->facet_start[face];
}

// The true face whose plane is nearest to the place from inside; any face where none is true.
static int nearest_true_face(const Part *part, const Polyhedron *hull, vec3 x)
{
  int best = -1;
  double highest = -INFINITY;
  for (int f = 0; f < hull->face_count; f++) {
    if (!face_is_true(part, f)) continue;
    const double height = plane_height(hull->planes[f], x);
    if (height <= highest) continue;
    highest = height;
    best = f;
  }
  return best >= 0 ? best : polyhedron_nearest_face(hull, x, &highest);
}

static void name_faces(const PartOverlap *parts, VolumetricPoint *point)
{
  point->face_a = nearest_true_face(parts->ref_a, &parts->hull_a, point->point);
  point->face_b = nearest_true_face(parts->ref_b, &parts->hull_b, point->point);
}

// Raises separation to that of the faces of own, and turns the normal with it. sign: from b into a.
static void raise_separation(const Part *part, const Polyhedron *own, const Polyhedron *other,
                             double sign, vec3 *normal, double *separation)
{
  for (int f = 0; f < own->face_count; f++) {
    if (!face_is_true(part, f)) continue;
    double s = INFINITY;
    for (int v = 0; v < other->vertex_count; v++)
      s = smaller_of(s, plane_height(own->planes[f], other->vertices[v]));
    if (s <= *separation) continue;
    *separation = s;
    *normal = vec3_scale(sign, own->planes[f].normal);
  }
}

// The way out along a true face that is least far; false where no face is true.
static bool take_face_axis(const PartOverlap *parts, VolumetricPoint *point)
{
  point->gap = -INFINITY;
  raise_separation(parts->ref_a, &parts->hull_a, &parts->hull_b, -1, &point->normal, &point->gap);
  raise_separation(parts->ref_b, &parts->hull_b, &parts->hull_a, 1, &point->normal, &point->gap);
  return point->gap > -INFINITY;
}

static Figure figure_of(const PlaneBasis *basis, const vec3 *corners, int count, Arena *arena)
{
  assert_debug(count >= 3 && "a polygon has three corners");
  PlaneCorner *flat = arena_allocate(arena, (size_t)count * sizeof *flat);
  for (int i = 0; i < count; i++) {
    const vec3 p = plane_basis_apply(basis, corners[i]);
    flat[i] = (PlaneCorner){.u = p.x, .v = p.y, .z = p.z};
  }
  return (Figure){.count = count, .corners = flat};
}

static vec3 *loop_of(const Intersection *common, int index, int *count, Arena *arena)
{
  assert_debug(index >= 0 && index < common->face_count && "a face has a number");
  const int first = common->face_start[index];
  *count = common->face_start[index + 1] - first;
  vec3 *corners = arena_allocate(arena, (size_t)*count * sizeof *corners);
  for (int k = 0; k < *count; k++) corners[k] = common->vertices[common->face_vertices[first + k]];
  return corners;
}

// A face that another part covers in part is cut by the facets that are left of it.
static SurfacePiece covered_piece(const PartOverlap *parts, const Intersection *common, int index,
                                  Arena *arena)
{
  assert_debug((common->faces[index].owner == 0 || common->faces[index].owner == 1) &&
               "a face is of one of two parts");
  const IntersectionFace *face = &common->faces[index];
  const bool of_a = face->owner == 0;
  const Part *part = of_a ? parts->ref_a : parts->ref_b;
  const Plane plane = (of_a ? &parts->hull_a : &parts->hull_b)->planes[face->face];
  const PlaneBasis basis = plane_basis_new(plane.normal);
  int loop_count;
  const vec3 *loop = loop_of(common, index, &loop_count, arena);
  const Figure subject = figure_of(&basis, loop, loop_count, arena);
  double area = 0, u = 0, v = 0;
  for (int i = part->facet_start[face->face]; i < part->facet_start[face->face + 1]; i++) {
    const Facet *facet = &part->facets[i];
    vec3 *corners = arena_allocate(arena, (size_t)facet->corner_count * sizeof *corners);
    for (int k = 0; k < facet->corner_count; k++) {
      corners[k] = mat3_mul(of_a ? parts->turn_a : parts->turn_b, facet->corners[k]);
      if (!of_a) corners[k] = vec3_add(corners[k], parts->shift);
    }
    const Figure window = figure_of(&basis, corners, facet->corner_count, arena);
    const size_t room = (size_t)(loop_count + facet->corner_count);
    ClipCorner *work = arena_allocate(arena, 2 * room * sizeof *work);
    ClipPoint *cut = arena_allocate(arena, room * sizeof *cut);
    const int count = patch_clip_polygon(&subject, &window, 0, work, cut);
    for (int k = 1; k + 1 < count; k++) {
      const double triangle = patch_clip_area((ClipPoint[]){cut[0], cut[k], cut[k + 1]}, 3);
      area += triangle;
      u += triangle * (cut[0].u + cut[k].u + cut[k + 1].u) / 3;
      v += triangle * (cut[0].v + cut[k].v + cut[k + 1].v) / 3;
    }
  }
  if (!(area > 0)) return (SurfacePiece){0};
  return (SurfacePiece){area, plane_basis_point(&basis, u / area, v / area, plane.offset)};
}

// What of each face of the common solid is surface of the body that made it.
static const SurfacePiece *surface_pieces(const PartOverlap *parts, const Intersection *common,
                                          Arena *arena)
{
  SurfacePiece *pieces = arena_allocate(arena, (size_t)common->face_count * sizeof *pieces);
  for (int i = 0; i < common->face_count; i++) {
    const IntersectionFace *face = &common->faces[i];
    const Part *part = face->owner == 0 ? parts->ref_a : parts->ref_b;
    pieces[i] = (SurfacePiece){0};
    if (!face_is_true(part, face->face)) continue;
    if (part->facets[part->facet_start[face->face]].whole) {
      pieces[i] = (SurfacePiece){vec3_norm(face->area), face->centroid};
      continue;
    }
    const ArenaMark mark = arena_mark(arena);
    pieces[i] = covered_piece(parts, common, i, arena);
    arena_release(arena, mark);
  }
  return pieces;
}

VolumetricPoint volumetric_point(const PartOverlap *parts, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  VolumetricPoint point = {.normal = {0, 0, 1}};
  IntersectionRoute route;
  const Polyhedron *a = &parts->hull_a, *b = &parts->hull_b;
  const Intersection common = intersection_find(a, b, 0, arena, &route);
  point.rerouted = route == ROUTE_REFERENCE;
  IntersectionContact contact = {.status = CONTACT_NONE};
  if (common.status == INTERSECTION_OK)
    contact = intersection_contact(&common, a, b, surface_pieces(parts, &common, arena), arena);
  arena_release(arena, mark);

  switch (contact.status) {
  case CONTACT_NONE:
    point.status = common.status == INTERSECTION_FAILED ? VOLUMETRIC_FAILED : VOLUMETRIC_NONE;
    return point;
  case CONTACT_NO_SURFACE: point.status = VOLUMETRIC_INTERNAL; return point;
  case CONTACT_NO_NORMAL:
    point.status = VOLUMETRIC_FACE_AXIS;
    take_face_axis(parts, &point);
    break;
  case CONTACT_OK:
  case CONTACT_OUTSIDE:
    point.status = VOLUMETRIC_OK;
    point.normal = contact.normal;
    point.gap = contact.gap;
  }
  point.point = contact.point;
  point.area = contact.area;
  name_faces(parts, &point);
  return point;
}

VolumetricPoint volumetric_touch(const PartOverlap *parts)
{
  VolumetricPoint point = {.status = VOLUMETRIC_TOUCH, .normal = {0, 0, 1}};
  if (!take_face_axis(parts, &point)) return (VolumetricPoint){.status = VOLUMETRIC_INTERNAL};
  const Polyhedron *a = &parts->hull_a, *b = &parts->hull_b;
  const GjkResult near = gjk_distance(a->vertices, a->vertex_count, b->vertices, b->vertex_count);
  point.point = vec3_scale(0.5, vec3_add(near.on_a, near.on_b));
  name_faces(parts, &point);
  return point;
}
