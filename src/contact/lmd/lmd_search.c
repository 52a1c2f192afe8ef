// Looks at all pairs of simplices of two surfaces.
#include "lmd_search.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "lmd_descend.h"
#include "lmd_pair.h"
#include "order.h"

#define BOX_ROUNDING 4    // of the rounding of places: what boxes may be off by
#define LMD_SMALL 10000   // pairs of nodes of two trees: below, all pairs are looked at

typedef struct {
  vec3 low, high;
} Bounds;

// Features of one surface that may matter: with a normal, near the box of the other.
typedef struct {
  int count[3];        // by LmdKind
  int *index[3];       // arena
  Bounds *bounds[3];   // their boxes
} NearFeatures;

static bool bounds_are_near(const Bounds *p, const Bounds *q, double far)
{
  return p->low.x - far <= q->high.x && p->low.y - far <= q->high.y &&
         p->low.z - far <= q->high.z && p->high.x + far >= q->low.x &&
         p->high.y + far >= q->low.y && p->high.z + far >= q->low.z;
}

static void near_add(NearFeatures *near, LmdKind kind, int index, Bounds bounds)
{
  assert_debug(index >= 0 && "features have numbers");
  near->index[kind][near->count[kind]] = index;
  near->bounds[kind][near->count[kind]++] = bounds;
}

// hidden: features without a normal too, which cross the other surface as others do.
static NearFeatures near_features(const LmdSurface *s, const LmdSurface *other, double far,
                                  bool hidden, Arena *arena)
{
  const SurfaceComplex *c = &s->surface->base;
  const Bounds box = {other->low, other->high};
  NearFeatures near = {.count = {0, 0, 0}};
  const int counts[3] = {c->vertex_count, c->edge_count, c->face_count};
  for (int k = 0; k < 3; k++) {
    near.index[k] = arena_allocate(arena, (size_t)counts[k] * sizeof(int));
    near.bounds[k] = arena_allocate(arena, (size_t)counts[k] * sizeof(Bounds));
  }
  for (int v = 0; v < c->vertex_count; v++) {
    if (!hidden && c->vertices[v].class != SURFACE_CORNER) continue;
    const Bounds bounds = {s->base[v], s->base[v]};
    if (bounds_are_near(&bounds, &box, far)) near_add(&near, LMD_VERTEX, v, bounds);
  }
  for (int e = 0; e < c->edge_count; e++) {
    if (!hidden && c->edges[e].class != SURFACE_RIDGE) continue;
    const vec3 p = s->base[c->edges[e].vertex[0]], q = s->base[c->edges[e].vertex[1]];
    const Bounds bounds = {vec3_min(p, q), vec3_max(p, q)};
    if (bounds_are_near(&bounds, &box, far)) near_add(&near, LMD_EDGE, e, bounds);
  }
  for (int f = 0; f < c->face_count; f++) {
    const SurfaceSide *sides = c->sides + c->faces[f].side_start;
    Bounds bounds = {s->base[sides[0].from], s->base[sides[0].from]};
    for (int k = 1; k < c->faces[f].side_count; k++) {
      bounds.low = vec3_min(bounds.low, s->base[sides[k].from]);
      bounds.high = vec3_max(bounds.high, s->base[sides[k].from]);
    }
    if (bounds_are_near(&bounds, &box, far)) near_add(&near, LMD_FACE, f, bounds);
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
  LmdCrossing crossing;
  const double far = BOX_ROUNDING * pair->rounding;
  const NearFeatures a = near_features(&pair->a, &pair->b, far, true, arena);
  const NearFeatures b = near_features(&pair->b, &pair->a, far, true, arena);
  for (int i = 0; i < a.count[LMD_EDGE] && !meets; i++) {
    for (int j = 0; j < b.count[LMD_FACE] && !meets; j++)
      meets = bounds_are_near(&a.bounds[LMD_EDGE][i], &b.bounds[LMD_FACE][j], far) &&
              lmd_pair_edge_crosses(
                  pair, true, (LmdEdgeFace){a.index[LMD_EDGE][i], b.index[LMD_FACE][j]}, &crossing);
  }
  for (int i = 0; i < b.count[LMD_EDGE] && !meets; i++) {
    for (int j = 0; j < a.count[LMD_FACE] && !meets; j++)
      meets = bounds_are_near(&b.bounds[LMD_EDGE][i], &a.bounds[LMD_FACE][j], far) &&
              lmd_pair_edge_crosses(pair, false,
                                    (LmdEdgeFace){b.index[LMD_EDGE][i], a.index[LMD_FACE][j]},
                                    &crossing);
  }
  arena_release(arena, mark);
  return meets || lmd_pair_is_inside(pair);
}

LmdSet lmd_search_pairs(const LmdQuery *query, Arena *arena)
{
  assert(query->a != NULL && query->b != NULL && "two bodies");
  LmdPair pair = lmd_pair_new(query);
  lmd_pair_pose(&pair, arena);
  LmdSet set = {0};
  int capacity = 0;
  const double far = pair.far + BOX_ROUNDING * pair.rounding;
  const NearFeatures a = near_features(&pair.a, &pair.b, far, false, arena);
  const NearFeatures b = near_features(&pair.b, &pair.a, far, false, arena);
  for (LmdKind p = LMD_VERTEX; p <= LMD_FACE; p++) {
    for (LmdKind q = LMD_VERTEX; q <= LMD_FACE; q++) {
      if (p + q > 2) continue;
      for (int i = 0; i < a.count[p]; i++) {
        for (int j = 0; j < b.count[q]; j++) {
          if (!bounds_are_near(&a.bounds[p][i], &b.bounds[q][j], far)) continue;
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
  const LmdPair pair = lmd_pair_new(query);
  LmdSet set = {0};
  lmd_descend(&pair, query, &set, arena);
  const double size = pair.a.surface->sharp.extent + pair.b.surface->sharp.extent;
  set.count = drop_repeated(set.points, set.count, LMD_PLACE * size);
  if (!query->of_itself) set.meets = set.meets || lmd_pair_is_inside(&pair);
  return set;
}

LmdSet lmd_search(const LmdQuery *query, Arena *arena)
{
  assert(query->a != NULL && query->b != NULL && "two bodies");
  // for bricks the trees cost more than they spare
  const double a = query->a->surface->tree.count, b = query->b->surface->tree.count;
  return a * b <= LMD_SMALL ? lmd_search_pairs(query, arena) : lmd_search_trees(query, arena);
}
