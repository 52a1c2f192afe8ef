// Measures of the solid that two convex parts of bodies share.
#include "common_solid.h"

#include "check.h"
#include "intersection_find.h"
#include "intersection_second.h"
#include "part_surface.h"

// A polygon is a seam where the surface in it leaves more than this share of it.
#define SEAM_SHARE 1e-9

// M + s u u'
static mat3 add_square(mat3 m, double s, vec3 u)
{
  m.row[0] = vec3_axpy(s * u.x, u, m.row[0]);
  m.row[1] = vec3_axpy(s * u.y, u, m.row[1]);
  m.row[2] = vec3_axpy(s * u.z, u, m.row[2]);
  return m;
}

CommonSolid common_solid_sum(const CommonSolid *p, const CommonSolid *q)
{
  assert_debug(p->volume >= 0 && q->volume >= 0 && "a volume is not below zero");
  CommonSolid sum = {.volume = p->volume + q->volume};
  for (int side = 0; side < 2; side++) {
    sum.area[side] = vec3_add(p->area[side], q->area[side]);
    sum.size[side] = p->size[side] + q->size[side];
    const CommonSolid *larger = vec3_norm(q->flat[side]) > vec3_norm(p->flat[side]) ? q : p;
    sum.flat[side] = larger->flat[side];
    sum.middle[side] = larger->middle[side];
  }
  if (!(sum.volume > 0)) return sum;
  // (the parallel axis theorem, by the distance of the two centroids alone)
  const double share = q->volume / sum.volume;
  const vec3 between = vec3_sub(q->centroid, p->centroid);
  sum.centroid = vec3_axpy(share, between, p->centroid);
  sum.second = add_square(mat3_add(p->second, q->second), p->volume * share, between);
  return sum;
}

// Room for the faces of two parts' solid: it has as many as both at most, and fewer than three
// corners a face.
static void reserve_polygons(CommonPolygons *all, int faces, Arena *arena)
{
  assert_debug(faces > 0 && "parts have faces");
  if (!all) return;
  all->polygons =
      arena_grow(arena, all->polygons, all->count + faces, &all->room, sizeof *all->polygons);
  all->corners = arena_grow(arena, all->corners, all->corner_count + 6 * faces, &all->corner_room,
                            sizeof *all->corners);
}

static void add_polygon(CommonPolygons *all, const Intersection *common, int index)
{
  assert_debug(index >= 0 && index < common->face_count && "a face has a number");
  const IntersectionFace *face = &common->faces[index];
  const int first = common->face_start[index], end = common->face_start[index + 1];
  if (all->count == all->room || all->corner_count + end - first > all->corner_room) return;
  const vec3 normal = vec3_scale(1 / vec3_norm(face->area), face->area);
  all->polygons[all->count++] =
      (CommonPolygon){face->owner, normal, all->corner_count, end - first};
  for (int k = first; k < end; k++)
    all->corners[all->corner_count++] = common->vertices[common->face_vertices[k]];
}

// Areas by owner, and what is no surface.
static void measure_surface(const PartOverlap *parts, const Intersection *common,
                            CommonSolid *solid, CommonFaces add, Arena *arena)
{
  const SurfacePiece *pieces = part_surface_pieces(parts, common, arena);
  for (int f = 0; f < common->face_count; f++) {
    const IntersectionFace *face = &common->faces[f];
    const double whole = vec3_norm(face->area), area = smaller_of(pieces[f].area, whole);
    if (!(whole > 0)) continue;
    const int side = face->owner;
    if (area > 0) {
      const vec3 vector = vec3_scale(area / whole, face->area);
      solid->size[side] += area;
      solid->area[side] = vec3_add(solid->area[side], vector);
      if (area > vec3_norm(solid->flat[side])) {
        solid->flat[side] = vector;
        solid->middle[side] = pieces[f].centroid;
      }
    }
    if (add.faces) add_polygon(add.faces, common, f);
    if (add.seams && whole - area > SEAM_SHARE * whole) add_polygon(add.seams, common, f);
  }
}

CommonPart common_solid_parts(const CommonParts *parts, CommonFaces add, Arena *arena)
{
  const Polyhedron *a = &parts->a->parts[parts->part_a], *b = &parts->b->parts[parts->part_b];
  reserve_polygons(add.seams, a->face_count + b->face_count, arena);
  reserve_polygons(add.faces, a->face_count + b->face_count, arena);
  const ArenaMark mark = arena_mark(arena);
  const PartOverlap overlap =
      part_surface_overlap(parts->a, parts->part_a, parts->b, parts->part_b, arena);
  IntersectionRoute route;
  const Intersection common = intersection_find(&overlap.hull_a, &overlap.hull_b, 0, arena, &route);
  CommonPart part = {.status = COMMON_NONE, .rerouted = route == ROUTE_REFERENCE};
  if (common.status == INTERSECTION_FAILED) part.status = COMMON_FAILED;
  if (common.status == INTERSECTION_OK) {
    part.status = COMMON_OK;
    part.solid.volume = common.volume;
    part.solid.centroid = common.centroid;
    part.solid.second = intersection_second(&common);
    measure_surface(&overlap, &common, &part.solid, add, arena);
  }
  arena_release(arena, mark);
  return part;
}
