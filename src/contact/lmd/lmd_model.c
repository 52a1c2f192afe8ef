// Puts the nearest places of two surfaces together to patches.
#include "lmd_model.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "contacts.h"
#include "lmd_deep.h"
#include "lmd_search.h"
#include "lmd_shared.h"
#include "lmd_tip.h"
#include "order.h"
#include "part_pairs.h"
#include "patch_pair.h"
#include "volumetric_model.h"

// A point with the faces that lie on each other there, of the sharp surfaces; -1: none.
typedef struct {
  const LmdPoint *point;
  int face_a, face_b;
} FacePoint;

static int order_face_points(const void *a, const void *b)
{
  const FacePoint *p = a, *q = b;
  if (p->face_a != q->face_a) return order_int(p->face_a, q->face_a);
  if (p->face_b != q->face_b) return order_int(p->face_b, q->face_b);
  return p->point < q->point ? -1 : p->point > q->point;
}

// The sharp face around a feature of the base that looks most along a direction (body frame, unit)
// and leans at most LMD_FACE_ANGLE from it, or -1.
static int face_along(const SurfaceBase *surface, LmdFeature feature, vec3 along)
{
  assert_debug(feature.index >= 0 && "a feature has a number");
  const SurfaceComplex *base = &surface->base;
  const int *faces = &feature.index;
  int count = 1;
  if (feature.kind == LMD_EDGE) {
    faces = base->edges[feature.index].face;
    count = 2;
  } else if (feature.kind == LMD_VERTEX) {
    faces = base->vertex_faces + base->vertices[feature.index].face_start;
    count = base->vertices[feature.index].face_count;
  }
  int best = -1;
  double least = LMD_FACE_ANGLE * LMD_FACE_ANGLE;
  for (int k = 0; k < count; k++) {
    const int sharp = base->faces[faces[k]].piece;
    const vec3 lean = vec3_sub(surface->sharp.faces[sharp].normal, along);
    const double square = vec3_dot(lean, lean);
    if (square > least || (square == least && best >= 0)) continue;
    least = square;
    best = sharp;
  }
  return best;
}

static FacePoint face_point_new(const ModelPair *pair, const LmdPoint *point)
{
  const vec3 n = point->normal;
  const int a =
      face_along(pair->a->surface, point->a, mat3_mul_transposed(pair->a->rotation, vec3_neg(n)));
  const int b = face_along(pair->b->surface, point->b, mat3_mul_transposed(pair->b->rotation, n));
  if (a < 0 || b < 0) return (FacePoint){point, -1, -1};
  return (FacePoint){point, a, b};
}

uint32_t lmd_model_feature(LmdFeature feature)
{
  assert_debug(feature.index >= 0 && "a feature has a number");
  return feature_new(feature.kind == LMD_VERTEX ? FEATURE_VERTEX
                     : feature.kind == LMD_EDGE ? FEATURE_EDGE
                                                : FEATURE_FACE,
                     feature.index);
}

static PlanePoint plane_point(const LmdPoint *point, const PlaneBasis *plane)
{
  const vec3 at = plane_basis_apply(plane, point->point);
  return (PlanePoint){.u = at.x,
                      .v = at.y,
                      .x = point->point,
                      .gap = point->gap,
                      .feature_a = lmd_model_feature(point->a),
                      .feature_b = lmd_model_feature(point->b),
                      .axis_a = AXIS_NONE,
                      .axis_b = AXIS_NONE};
}

// The mean of the normals of two faces on each other, from a to b.
static vec3 common_normal(const ModelPair *pair, int face_a, int face_b)
{
  const vec3 a = mat3_mul(pair->a->rotation, pair->a->surface->sharp.faces[face_a].normal);
  const vec3 b = mat3_mul(pair->b->rotation, pair->b->surface->sharp.faces[face_b].normal);
  const vec3 n = vec3_sub(a, b);
  return vec3_scale(1 / vec3_norm(n), n);
}

static void add_patch(PatchSet *set, const PairPatch *from, Arena *arena)
{
  Patch *patch = &set->patches[set->patch_count++];
  *patch = (Patch){.normal = vec3_neg(from->n),
                   .axis_a = AXIS_NONE,
                   .axis_b = AXIS_NONE,
                   .area = from->area,
                   .separation = from->separation,
                   .point_count = from->count,
                   .points = arena_allocate(arena, (size_t)from->count * sizeof(PatchPoint))};
  for (int k = 0; k < from->count; k++) {
    const PlanePoint *p = &from->points[k];
    patch->points[k] = (PatchPoint){.point = p->x,
                                    .gap = p->gap,
                                    .area = p->area,
                                    .feature_a = p->feature_a,
                                    .feature_b = p->feature_b,
                                    .axis_a = AXIS_NONE,
                                    .axis_b = AXIS_NONE};
  }
}

// The patch of points between two faces, or of a single point.
static void reduce_points(const ModelPair *pair, const FacePoint *points, int count, PatchSet *set,
                          Arena *arena)
{
  assert(count > 0 && "a patch has points");
  const ArenaMark mark = arena_mark(arena);
  const SurfaceBase *a = pair->a->surface, *b = pair->b->surface;
  const double extent = smaller_of(a->sharp.extent, b->sharp.extent);
  const int face_a = points->face_a, face_b = points->face_b;
  PairPatch *patch = arena_allocate_zero(arena, 1, sizeof *patch);
  patch->n = face_a >= 0 ? common_normal(pair, face_a, face_b) : vec3_neg(points->point->normal);
  patch->axis_a = patch->axis_b = AXIS_NONE;
  patch->margin = pair->parameters->margin * extent;
  patch->feature_width = pair->parameters->feature_width * extent;
  patch->rounding = PATCH_ROUNDING * (a->sharp.extent + b->sharp.extent);
  patch->max_points = pair->parameters->max_points;
  patch->separation = INFINITY;
  const PlaneBasis plane = plane_basis_new(patch->n);
  PlanePoint *flat = arena_allocate(arena, (size_t)count * sizeof *flat);
  for (int k = 0; k < count; k++) {
    flat[k] = plane_point(points[k].point, &plane);
    patch->separation = smaller_of(patch->separation, flat[k].gap);
  }
  patch->width = pair_width(patch->margin, patch->separation);
  double area = INFINITY;
  if (count > 2 && !(surface_face_is_convex(&a->sharp, face_a, 0) &&
                     surface_face_is_convex(&b->sharp, face_b, 0))) {
    const PosedFace own = {&a->sharp, face_a, pair->a->rotation, {0, 0, 0}};
    const PosedFace other = {&b->sharp, face_b, pair->b->rotation,
                             vec3_sub(pair->b->center, pair->a->center)};
    area = lmd_shared_area(&own, &other, &plane);
    for (int k = 0; k < count; k++) flat[k].area = area / count;
  }
  patch_reduce(patch, flat, count, area, arena);
  const PairPatch kept = *patch;
  arena_release(arena, mark);
  add_patch(set, &kept, arena);
}

// Points of bodies whose base surfaces meet.
static PatchSet find_deep(const ModelPair *pair, const LmdQuery *query, Arena *arena)
{
  assert(pair->a->shape->part_count >= 0 && query->a->surface != NULL && "bodies have surfaces");
  PatchSet set = {0};
  if (pair->a->shape->surface || pair->b->shape->surface) {
    set = lmd_deep_find(query, arena);
  } else {
    PosedBody a = *pair->a, b = *pair->b;
    if (!a.parts) part_pairs_pose(&a, arena);
    if (!b.parts) part_pairs_pose(&b, arena);
    ModelPair posed = *pair;
    posed.a = &a;
    posed.b = &b;
    set = volumetric_find(&posed, arena);
  }
  set.failed++;
  set.meets = true;
  return set;
}

// Gives tips the normals that the motion tells and drops those that do not act.
static void choose_normals(const ModelPair *pair, const LmdQuery *query, LmdSet *set)
{
  assert(set->count >= 0 && "points are counted");
  const LmdPair places = lmd_pair_new(query);
  const double time = reach_time(pair->a, pair->b, pair->reach);
  int kept = 0;
  for (int i = 0; i < set->count; i++) {
    LmdPoint *point = &set->points[i];
    if (point->tip) {
      const LmdMotion motion = {relative_velocity(pair->a, pair->b, point->point), time};
      if (!lmd_tip_choose(&places, &motion, point)) continue;
    }
    if (kept < i) set->points[kept] = *point;
    kept++;
  }
  set->count = kept;
}

PatchSet lmd_model_find(const ModelPair *pair, Arena *arena)
{
  assert(pair->a->surface != NULL && pair->b->surface != NULL && "both bodies have surfaces");
  const SurfaceBase *sa = pair->a->surface, *sb = pair->b->surface;
  const LmdBody a = {sa, pair->a->rotation, pair->a->center};
  const LmdBody b = {sb, pair->b->rotation, pair->b->center};
  const double margin = pair->parameters->margin * smaller_of(sa->sharp.extent, sb->sharp.extent);
  const vec3 shift = vec3_sub(b.center, a.center);
  const double near = pair->a->shape->radius + pair->b->shape->radius + margin + pair->reach;
  if (vec3_dot(shift, shift) > near * near) return (PatchSet){0};
  const LmdQuery query = {.a = &a, .b = &b, .turn = pair->turn, .limit = margin + pair->reach};
  LmdSet found = lmd_search(&query, arena);
  if (found.meets) return find_deep(pair, &query, arena);
  PatchSet set = {0};
  *(found.count > 0 ? &set.count.touching : &set.count.parted) = found.tried;
  choose_normals(pair, &query, &found);
  set.patches = arena_allocate(arena, ((size_t)found.count + 1) * sizeof *set.patches);
  FacePoint *points = arena_allocate(arena, ((size_t)found.count + 1) * sizeof *points);
  for (int i = 0; i < found.count; i++) points[i] = face_point_new(pair, &found.points[i]);
  qsort(points, (size_t)found.count, sizeof *points, order_face_points);
  for (int i = 0, end = 0; i < found.count; i = end) {
    end = i + 1;
    while (points[i].face_a >= 0 && end < found.count && points[end].face_a == points[i].face_a &&
           points[end].face_b == points[i].face_b)
      end++;
    reduce_points(pair, points + i, end - i, &set, arena);
  }
  return set;
}
