#include "volumetric_model.h"

#include <string.h>

#include "contacts.h"
#include "gjk.h"
#include "intersection.h"
#include "patch_clip.h"
#include "patch_pair.h"
#include "shape_facets.h"
#include "volumetric.h"

#define NO_NORMAL 1e-6   // of the sum of squared areas: a smaller sum of normals points nowhere
#define THICK 1e-2       // of the smaller part's extent: thickness above it is checked by GJK

// Two parts in world axes about a's centre of mass.
typedef struct {
  const Part *ref_a, *ref_b;
  mat3 turn_a, turn_b;   // body to world
  vec3 shift;            // b's centre relative to a's, m
  Polyhedron a, b;
  double small_extent;   // of the smaller part, m
} Overlap;

typedef struct {
  const ModelPair *pair;
  vec3 shift;   // b's centre relative to a's, m
  PatchSet set;
  int capacity;
  Arena *arena;
} VolumetricSearch;

static bool face_is_true(const Part *part, int face)
{
  return part->facet_start[face + 1] > part->facet_start[face];
}

// The true face whose plane is nearest to the place from inside; any face where none is true.
static int nearest_true_face(const Part *part, const Polyhedron *hull, vec3 x)
{
  int best = 0;
  double nearest = -INFINITY;
  for (int f = 0; f < hull->face_count; f++) {
    const double s = vec3_dot(hull->planes[f].normal, x) - hull->planes[f].offset;
    if (s <= nearest || !face_is_true(part, f)) continue;
    nearest = s;
    best = f;
  }
  return best;
}

// Raises separation to that of the faces of own, and turns the normal with it. sign: from b into a.
static void raise_separation(const Part *part, const Polyhedron *own, const Polyhedron *other,
                             double sign, vec3 *normal, double *separation)
{
  for (int f = 0; f < own->face_count; f++) {
    if (!face_is_true(part, f)) continue;
    double s = INFINITY;
    for (int v = 0; v < other->vertex_count; v++) {
      s = fmin(s, vec3_dot(own->planes[f].normal, other->vertices[v]) - own->planes[f].offset);
    }
    if (s <= *separation) continue;
    *separation = s;
    *normal = vec3_scale(sign, own->planes[f].normal);
  }
}

// The way out along a true face that is least far: normal and gap where the common solid has none.
static void take_face_axis(const Overlap *parts, VolumetricPoint *point)
{
  point->gap = -INFINITY;
  raise_separation(parts->ref_a, &parts->a, &parts->b, -1, &point->normal, &point->gap);
  raise_separation(parts->ref_b, &parts->b, &parts->a, 1, &point->normal, &point->gap);
}

static double thickness_along(const Intersection *common, vec3 normal)
{
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < common->vertex_count; i++) {
    const double z = vec3_dot(normal, common->vertices[i]);
    low = fmin(low, z);
    high = fmax(high, z);
  }
  return high - low;
}

// Moves the parts away from each other along the normal and measures what separates them then.
static double checked_gap(const Overlap *parts, vec3 normal, double thick, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  const Polyhedron *a = &parts->a, *b = &parts->b;
  vec3 *moved_a = arena_allocate(arena, (size_t)a->vertex_count * sizeof *moved_a);
  vec3 *moved_b = arena_allocate(arena, (size_t)b->vertex_count * sizeof *moved_b);
  for (int i = 0; i < a->vertex_count; i++) moved_a[i] = vec3_axpy(thick, normal, a->vertices[i]);
  for (int i = 0; i < b->vertex_count; i++) moved_b[i] = vec3_axpy(-thick, normal, b->vertices[i]);
  const GjkResult apart = gjk_distance(moved_a, a->vertex_count, moved_b, b->vertex_count);
  arena_release(arena, mark);
  return fmin(apart.distance - 2 * thick, 0);
}

// What of a face of the common solid is surface of the body that made it.
typedef struct {
  double area;     // m2
  vec3 centroid;   // m
} SurfacePiece;

static Figure figure_of(const PlaneFrame *frame, const vec3 *corners, int count, Arena *arena)
{
  PlaneCorner *flat = arena_allocate(arena, (size_t)count * sizeof *flat);
  for (int i = 0; i < count; i++) {
    const vec3 p = plane_frame_apply(frame, corners[i]);
    flat[i] = (PlaneCorner){.u = p.x, .v = p.y, .z = p.z};
  }
  return (Figure){.count = count, .corners = flat};
}

static vec3 *loop_of(const Intersection *common, int index, int *count, Arena *arena)
{
  const int first = common->face_start[index];
  *count = common->face_start[index + 1] - first;
  vec3 *corners = arena_allocate(arena, (size_t)*count * sizeof *corners);
  for (int k = 0; k < *count; k++) corners[k] = common->vertices[common->face_vertices[first + k]];
  return corners;
}

// A face that another part covers in part is cut by the facets that are left of it.
static SurfacePiece covered_piece(const Overlap *parts, const Intersection *common, int index,
                                  Arena *arena)
{
  const IntersectionFace *face = &common->faces[index];
  const bool of_a = face->owner == 0;
  const Part *part = of_a ? parts->ref_a : parts->ref_b;
  const Plane plane = (of_a ? &parts->a : &parts->b)->planes[face->face];
  const PlaneFrame frame = plane_frame_new(plane.normal);
  int loop_count;
  const vec3 *loop = loop_of(common, index, &loop_count, arena);
  const Figure subject = figure_of(&frame, loop, loop_count, arena);
  double area = 0, u = 0, v = 0;
  for (int i = part->facet_start[face->face]; i < part->facet_start[face->face + 1]; i++) {
    const Facet *facet = &part->facets[i];
    vec3 *corners = arena_allocate(arena, (size_t)facet->corner_count * sizeof *corners);
    for (int k = 0; k < facet->corner_count; k++) {
      corners[k] = mat3_mul(of_a ? parts->turn_a : parts->turn_b, facet->corners[k]);
      if (!of_a) corners[k] = vec3_add(corners[k], parts->shift);
    }
    const Figure window = figure_of(&frame, corners, facet->corner_count, arena);
    const size_t room = (size_t)(loop_count + facet->corner_count);
    ClipCorner *work = arena_allocate(arena, 2 * room * sizeof *work);
    ClipPoint *cut = arena_allocate(arena, room * sizeof *cut);
    const int count = clip_polygon(&subject, &window, 0, work, cut);
    for (int k = 1; k + 1 < count; k++) {
      const double triangle = clip_area((ClipPoint[]){cut[0], cut[k], cut[k + 1]}, 3);
      area += triangle;
      u += triangle * (cut[0].u + cut[k].u + cut[k + 1].u) / 3;
      v += triangle * (cut[0].v + cut[k].v + cut[k + 1].v) / 3;
    }
  }
  if (!(area > 0)) return (SurfacePiece){0};
  return (SurfacePiece){area, plane_frame_point(&frame, u / area, v / area, plane.offset)};
}

static SurfacePiece surface_piece(const Overlap *parts, const Intersection *common, int index,
                                  Arena *arena)
{
  const IntersectionFace *face = &common->faces[index];
  const Part *part = face->owner == 0 ? parts->ref_a : parts->ref_b;
  if (!face_is_true(part, face->face)) return (SurfacePiece){0};
  if (part->facets[part->facet_start[face->face]].whole)
    return (SurfacePiece){vec3_norm(face->area), face->centroid};
  const ArenaMark mark = arena_mark(arena);
  const SurfacePiece piece = covered_piece(parts, common, index, arena);
  arena_release(arena, mark);
  return piece;
}

// Sums over the faces of the common solid that are surface; false where none is.
static bool sum_surface(const Overlap *parts, const Intersection *common, VolumetricPoint *point,
                        Arena *arena)
{
  vec3 sum = {0, 0, 0}, place = {0, 0, 0};
  double squares = 0, surface = 0;
  for (int i = 0; i < common->face_count; i++) {
    const IntersectionFace *face = &common->faces[i];
    const SurfacePiece piece = surface_piece(parts, common, i, arena);
    if (!(piece.area > 0)) continue;
    // the square of the area times the normal; a's faces look from a into b, the normal back
    const double weight = piece.area * (piece.area / vec3_norm(face->area));
    sum = vec3_axpy(face->owner == 0 ? -weight : weight, face->area, sum);
    place = vec3_axpy(piece.area, piece.centroid, place);
    squares += piece.area * piece.area;
    surface += piece.area;
  }
  if (!(surface > 0)) return false;
  const double length = vec3_norm(sum);
  point->point = vec3_scale(1.0 / surface, place);
  point->area = 0.5 * surface;
  point->normal = length > NO_NORMAL * squares ? vec3_scale(1.0 / length, sum) : (vec3){0, 0, 0};
  return true;
}

// False where the parts have no surface in common.
static bool point_of_overlap(const Overlap *parts, VolumetricPoint *point, bool *failed,
                             Arena *arena)
{
  const Intersection common = intersection_clip(&parts->a, &parts->b, 0, arena);
  *failed = common.status == INTERSECTION_FAILED;
  if (*failed) {
    take_face_axis(parts, point);
    if (!(point->gap < 0)) return false;
    *point = volumetric_point(&parts->a, &parts->b, point->normal, point->gap, arena);
  } else {
    // volume at rounding level is a touch
    if (common.status != INTERSECTION_OK || !sum_surface(parts, &common, point, arena))
      return false;
    if (vec3_dot(point->normal, point->normal) > 0) {
      const double thick = thickness_along(&common, point->normal);
      point->gap = thick > THICK * parts->small_extent
                       ? checked_gap(parts, point->normal, thick, arena)
                       : -thick;
    } else {
      take_face_axis(parts, point);
    }
  }
  point->face_a = nearest_true_face(parts->ref_a, &parts->a, point->point);
  point->face_b = nearest_true_face(parts->ref_b, &parts->b, point->point);
  return true;
}

static void add_point(VolumetricSearch *search, int part_a, int part_b,
                      const VolumetricPoint *point)
{
  PatchSet *set = &search->set;
  if (set->patch_count == search->capacity) {
    search->capacity = search->capacity > 0 ? 2 * search->capacity : 4;
    Patch *grown = arena_allocate(search->arena, (size_t)search->capacity * sizeof *grown);
    if (set->patch_count > 0) memcpy(grown, set->patches, (size_t)set->patch_count * sizeof *grown);
    set->patches = grown;
  }
  PatchPoint *only = arena_allocate(search->arena, sizeof *only);
  *only = (PatchPoint){.point = point->point,
                       .gap = point->gap,
                       .area = point->area,
                       .part_a = part_a,
                       .part_b = part_b,
                       .feature_a = feature_new(FEATURE_FACE, point->face_a),
                       .feature_b = feature_new(FEATURE_FACE, point->face_b),
                       .axis_a = AXIS_NONE,
                       .axis_b = AXIS_NONE};
  set->patches[set->patch_count++] = (Patch){.part_a = part_a,
                                             .part_b = part_b,
                                             .normal = point->normal,
                                             .axis_a = AXIS_NONE,
                                             .axis_b = AXIS_NONE,
                                             .area = point->area,
                                             .separation = point->gap,
                                             .point_count = 1,
                                             .points = only};
}

static Polyhedron shifted(const Polyhedron *hull, vec3 shift, Arena *arena)
{
  Polyhedron moved = *hull;
  vec3 *vertices = arena_allocate(arena, (size_t)hull->vertex_count * sizeof *vertices);
  Plane *planes = arena_allocate(arena, (size_t)hull->face_count * sizeof *planes);
  for (int v = 0; v < hull->vertex_count; v++) vertices[v] = vec3_add(hull->vertices[v], shift);
  for (int f = 0; f < hull->face_count; f++) {
    const Plane plane = hull->planes[f];
    planes[f] = (Plane){plane.normal, plane.offset + vec3_dot(plane.normal, shift)};
  }
  moved.vertices = vertices;
  moved.planes = planes;
  return moved;
}

static void search_parts(VolumetricSearch *search, int part_a, int part_b)
{
  const PosedBody *a = search->pair->a, *b = search->pair->b;
  PatchSet *set = &search->set;
  const ArenaMark mark = arena_mark(search->arena);
  const double extent_a = a->parts[part_a].extent, extent_b = b->parts[part_b].extent;
  const Overlap parts = {.ref_a = &a->shape->parts[part_a],
                         .ref_b = &b->shape->parts[part_b],
                         .turn_a = a->rotation,
                         .turn_b = b->rotation,
                         .shift = search->shift,
                         .a = a->parts[part_a],
                         .b = shifted(&b->parts[part_b], search->shift, search->arena),
                         .small_extent = fmin(extent_a, extent_b)};
  VolumetricPoint point = {.normal = {0, 0, 1}};
  bool failed;
  const bool meets = point_of_overlap(&parts, &point, &failed, search->arena);
  arena_release(search->arena, mark);
  const int size =
      parts.a.vertex_count + parts.a.face_count + parts.b.vertex_count + parts.b.face_count;
  *(meets ? &set->count.touching : &set->count.parted) += size;
  if (!meets) return;
  set->failed += failed;
  add_point(search, part_a, part_b, &point);
}

static PartBox *boxes_of(const PosedBody *body, vec3 shift, Arena *arena)
{
  PartBox *boxes = arena_allocate(arena, (size_t)body->shape->part_count * sizeof *boxes);
  for (int p = 0; p < body->shape->part_count; p++) {
    const PartBox box = part_box(&body->parts[p], 0);
    boxes[p] = (PartBox){vec3_add(box.low, shift), vec3_add(box.high, shift)};
  }
  return boxes;
}

static PartBox box_of_all(const PartBox *boxes, int count)
{
  PartBox all = boxes[0];
  for (int p = 1; p < count; p++) {
    all = (PartBox){vec3_min(all.low, boxes[p].low), vec3_max(all.high, boxes[p].high)};
  }
  return all;
}

// Indices of the boxes that meet another one, in order.
static int boxes_that_meet(const PartBox *boxes, int count, PartBox other, int *meeting)
{
  int met = 0;
  for (int p = 0; p < count; p++) {
    if (part_boxes_meet(boxes[p], other)) meeting[met++] = p;
  }
  return met;
}

PatchSet volumetric_find(const ModelPair *pair, Arena *arena)
{
  const Shape *shape_a = pair->a->shape, *shape_b = pair->b->shape;
  VolumetricSearch search = {
      .pair = pair, .shift = vec3_sub(pair->b->center, pair->a->center), .arena = arena};
  const double far = shape_a->radius + shape_b->radius;
  if (vec3_dot(search.shift, search.shift) > far * far) return search.set;

  // parts near the other body, then those near each other
  const PartBox *boxes_a = boxes_of(pair->a, vec3_new(0, 0, 0), arena);
  const PartBox *boxes_b = boxes_of(pair->b, search.shift, arena);
  int *near_a = arena_allocate(arena, (size_t)shape_a->part_count * sizeof *near_a);
  int *near_b = arena_allocate(arena, (size_t)shape_b->part_count * sizeof *near_b);
  const int count_a = boxes_that_meet(boxes_a, shape_a->part_count,
                                      box_of_all(boxes_b, shape_b->part_count), near_a);
  const int count_b = boxes_that_meet(boxes_b, shape_b->part_count,
                                      box_of_all(boxes_a, shape_a->part_count), near_b);
  search.set.count.part_boxes =
      shape_a->part_count + shape_b->part_count + (int64_t)count_a * count_b;
  for (int i = 0; i < count_a; i++) {
    for (int j = 0; j < count_b; j++) {
      if (part_boxes_meet(boxes_a[near_a[i]], boxes_b[near_b[j]]))
        search_parts(&search, near_a[i], near_b[j]);
    }
  }
  return search.set;
}
