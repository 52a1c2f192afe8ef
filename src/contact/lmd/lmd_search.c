// Looks at all pairs of simplices of two surfaces.
#include "lmd_search.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "lmd_descend.h"
#include "lmd_pair.h"
#include "order.h"

// Features of one surface that may matter: with a normal, near the box of the other.
typedef struct {
  int count[3];    // by LmdKind
  int *index[3];   // arena
} NearFeatures;

typedef struct {
  vec3 low, high;
} Bounds;

static Bounds bounds_of(const vec3 *places, const int *corners, int count)
{
  Bounds b = {places[corners[0]], places[corners[0]]};
  for (int k = 1; k < count; k++) {
    b.low = vec3_min(b.low, places[corners[k]]);
    b.high = vec3_max(b.high, places[corners[k]]);
  }
  return b;
}

static bool bounds_are_near(Bounds b, const LmdSurface *other, double far)
{
  return b.low.x - far <= other->high.x && b.low.y - far <= other->high.y &&
         b.low.z - far <= other->high.z && b.high.x + far >= other->low.x &&
         b.high.y + far >= other->low.y && b.high.z + far >= other->low.z;
}

// hidden: features without a normal too, which cross the other surface as others do.
static NearFeatures near_features(const LmdSurface *s, const LmdSurface *other, double far,
                                  bool hidden, Arena *arena)
{
  const SurfaceComplex *c = &s->surface->base;
  NearFeatures near = {.count = {0, 0, 0}};
  const int counts[3] = {c->vertex_count, c->edge_count, c->face_count};
  for (int k = 0; k < 3; k++)
    near.index[k] = arena_allocate(arena, (size_t)counts[k] * sizeof(int));
  for (int v = 0; v < c->vertex_count; v++) {
    if (!hidden && c->vertices[v].class != SURFACE_CORNER) continue;
    if (bounds_are_near(bounds_of(s->base, &v, 1), other, far))
      near.index[LMD_VERTEX][near.count[LMD_VERTEX]++] = v;
  }
  for (int e = 0; e < c->edge_count; e++) {
    if (!hidden && c->edges[e].class != SURFACE_RIDGE) continue;
    if (bounds_are_near(bounds_of(s->base, c->edges[e].vertex, 2), other, far))
      near.index[LMD_EDGE][near.count[LMD_EDGE]++] = e;
  }
  for (int f = 0; f < c->face_count; f++) {
    const SurfaceFace *face = &c->faces[f];
    Bounds b = {s->base[c->sides[face->side_start].from], s->base[c->sides[face->side_start].from]};
    for (int k = 1; k < face->side_count; k++) {
      b.low = vec3_min(b.low, s->base[c->sides[face->side_start + k].from]);
      b.high = vec3_max(b.high, s->base[c->sides[face->side_start + k].from]);
    }
    if (bounds_are_near(b, other, far)) near.index[LMD_FACE][near.count[LMD_FACE]++] = f;
  }
  return near;
}

static int point_dimension(const LmdPoint *p) { return (int)p->a.kind + (int)p->b.kind; }

static int order_features(const LmdPoint *p, const LmdPoint *q)
{
  const int a[4] = {(int)p->a.kind, p->a.index, (int)p->b.kind, p->b.index};
  const int b[4] = {(int)q->a.kind, q->a.index, (int)q->b.kind, q->b.index};
  for (int k = 0; k < 4; k++) {
    if (a[k] != b[k]) return order_int(a[k], b[k]);
  }
  return 0;
}

static int order_points(const void *a, const void *b) { return order_features(a, b); }

static int order_points_by_dimension(const void *a, const void *b)
{
  const int p = point_dimension(a), q = point_dimension(b);
  return p != q ? order_int(p, q) : order_features(a, b);
}

static bool is_same_point(const LmdPoint *p, const LmdPoint *q, double tolerance)
{
  return vec3_norm(vec3_sub(p->base[0], q->base[0])) <= tolerance &&
         vec3_norm(vec3_sub(p->base[1], q->base[1])) <= tolerance &&
         vec3_dot(p->normal, q->normal) > 1 - LMD_PARALLEL;
}

// One point per place and normal.
static int drop_repeated(LmdPoint *points, int count, double tolerance)
{
  if (count == 0) return 0;
  qsort(points, (size_t)count, sizeof *points, order_points_by_dimension);
  int kept = 0;
  for (int i = 0; i < count; i++) {
    bool known = false;
    for (int j = 0; j < kept && !known; j++)
      known = is_same_point(&points[j], &points[i], tolerance);
    if (!known) points[kept++] = points[i];
  }
  qsort(points, (size_t)kept, sizeof *points, order_points);
  return kept;
}

static bool surfaces_meet(const LmdPair *pair, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  bool meets = false;
  const NearFeatures a = near_features(&pair->a, &pair->b, 0, true, arena);
  const NearFeatures b = near_features(&pair->b, &pair->a, 0, true, arena);
  for (int i = 0; i < a.count[LMD_EDGE] && !meets; i++) {
    for (int j = 0; j < b.count[LMD_FACE] && !meets; j++)
      meets = lmd_pair_edge_crosses(pair, true, a.index[LMD_EDGE][i], b.index[LMD_FACE][j]);
  }
  for (int i = 0; i < b.count[LMD_EDGE] && !meets; i++) {
    for (int j = 0; j < a.count[LMD_FACE] && !meets; j++)
      meets = lmd_pair_edge_crosses(pair, false, b.index[LMD_EDGE][i], a.index[LMD_FACE][j]);
  }
  arena_release(arena, mark);
  return meets || lmd_pair_is_inside(pair);
}

LmdSet lmd_search_pairs(const LmdQuery *query, Arena *arena)
{
  assert(query->a != NULL && query->b != NULL && "two bodies");
  const LmdPair pair = lmd_pair_new(query, arena);
  LmdSet set = {0};
  int capacity = 0;
  const NearFeatures a = near_features(&pair.a, &pair.b, pair.far, false, arena);
  const NearFeatures b = near_features(&pair.b, &pair.a, pair.far, false, arena);
  for (LmdKind p = LMD_VERTEX; p <= LMD_FACE; p++) {
    for (LmdKind q = LMD_VERTEX; q <= LMD_FACE; q++) {
      if (p + q > 2) continue;
      for (int i = 0; i < a.count[p]; i++) {
        for (int j = 0; j < b.count[q]; j++) {
          const LmdFeature own = {p, a.index[p][i]}, other = {q, b.index[q][j]};
          LmdPoint point;
          set.tried++;
          if (!lmd_pair_test(&pair, own, other, &point)) continue;
          set.points = arena_grow(arena, set.points, set.count + 1, &capacity, sizeof point);
          set.points[set.count++] = point;
        }
      }
    }
  }
  const double size = pair.a.surface->sharp.extent + pair.b.surface->sharp.extent;
  set.count = drop_repeated(set.points, set.count, LMD_PLACE * size);
  set.meets = surfaces_meet(&pair, arena);
  return set;
}

LmdSet lmd_search_trees(const LmdQuery *query, Arena *arena)
{
  assert(query->a != NULL && query->b != NULL && "two bodies");
  const LmdPair pair = lmd_pair_new(query, arena);
  LmdSet set = {0};
  LmdDescent descent = lmd_descend_new(&pair, &set, arena);
  lmd_descend_points(&descent, 0, 0);
  const double size = pair.a.surface->sharp.extent + pair.b.surface->sharp.extent;
  set.count = drop_repeated(set.points, set.count, LMD_PLACE * size);
  set.meets = lmd_descend_crossing(&descent, 0, 0) || lmd_pair_is_inside(&pair);
  return set;
}
