// Two convex parts of bodies about one place, and the surface of bodies in their common solid.
#include "part_surface.h"

#include "check.h"
#include "patch_clip.h"
#include "plane_basis.h"

PartOverlap part_surface_overlap(const PosedBody *a, int part_a, const PosedBody *b, int part_b,
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

const SurfacePiece *part_surface_pieces(const PartOverlap *parts, const Intersection *common,
                                        Arena *arena)
{
  SurfacePiece *pieces = arena_allocate(arena, (size_t)common->face_count * sizeof *pieces);
  for (int i = 0; i < common->face_count; i++) {
    const IntersectionFace *face = &common->faces[i];
    const Part *part = face->owner == 0 ? parts->ref_a : parts->ref_b;
    pieces[i] = (SurfacePiece){0};
    if (!part_surface_has(part, face->face)) continue;
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
