// Chooses the normal where corners and edges meet.
#include "lmd_tip.h"

#include <assert.h>
#include <math.h>

#include "check.h"

#define TIP_COSINE \
  0.8660254037844387       // of the half angle of normals: where it is less the feature is sharp
#define TIP_MOST 16        // directions of a tip: with more it is round
#define TIP_FACE 1e-2      // sine: directions that lean less are one
#define TIP_SINE 1e-6      // sine: a surface that leans less beyond a plane is on one side of it
#define TIP_LEAN 1e-2      // sine: so is one that leans less where no other normal is left
#define TIP_SAME 1e-10     // of the speed: velocities nearer than this are equal
#define TIP_TIE 1e-9       // of the sum of the extents: separations nearer than this are equal
#define TIP_OVERLAP 1e-7   // likewise: features deeper in each other do not touch from outside

// A feature of one of the surfaces as they are, in world axes: seen from a, so that what is b's is
// turned round.
typedef struct {
  int normal_count, way_count, edge_count;
  vec3 normals[TIP_MOST];   // of the faces around it, from a to b
  vec3 ways[TIP_MOST];      // U; the first ones along edges that span candidates
} TipSide;

typedef struct {
  TipSide side[2];   // a's and b's
  vec3 between;      // from a's place to b's, m
  double slack;      // sine: surfaces that lean less beyond a plane are on one side of it
  double size;       // the sum of the extents, m
} Tip;

static void side_add_way(TipSide *side, vec3 way) { side->ways[side->way_count++] = way; }

static bool vertex_side(const LmdSurface *s, int vertex, double sign, TipSide *side)
{
  assert_debug((sign == 1 || sign == -1) && "a's or b's");
  const SurfaceComplex *sharp = &s->surface->sharp;
  const SurfaceVertex *v = &sharp->vertices[s->surface->base.vertices[vertex].point];
  if (v->face_count > TIP_MOST || v->direction_count > TIP_MOST) return false;
  for (int k = 0; k < v->face_count; k++) {
    const int face = sharp->vertex_faces[v->face_start + k];
    side->normals[k] = vec3_scale(sign, mat3_mul(s->rotation, sharp->faces[face].normal));
  }
  for (int k = 0; k < v->direction_count; k++)
    side_add_way(
        side, vec3_scale(sign, mat3_mul(s->rotation, sharp->directions[v->direction_start + k])));
  side->normal_count = v->face_count;
  side->edge_count = v->direction_count;
  return true;
}

static void edge_side(const LmdSurface *s, int edge, vec3 along, double sign, TipSide *side)
{
  assert_debug((sign == 1 || sign == -1) && "a's or b's");
  const SurfaceBase *surface = s->surface;
  vec3 normal[2];
  for (int k = 0; k < 2; k++) {
    const int face = surface->base.faces[surface->base.edges[edge].face[k]].piece;
    normal[k] = mat3_mul(s->rotation, surface->sharp.faces[face].normal);
    side->normals[k] = vec3_scale(sign, normal[k]);
  }
  side->normal_count = 2;
  side->edge_count = 1;
  side_add_way(side, along);
  side_add_way(side, vec3_neg(along));
  side_add_way(side, vec3_scale(sign, vec3_cross(normal[0], along)));
  side_add_way(side, vec3_scale(sign, vec3_cross(along, normal[1])));
}

// Is a direction, from a to b, that of a face around the feature?
static bool side_has_normal(const TipSide *side, vec3 n)
{
  for (int k = 0; k < side->normal_count; k++) {
    const vec3 lean = vec3_sub(side->normals[k], n);
    if (vec3_dot(lean, lean) <= TIP_FACE * TIP_FACE) return true;
  }
  return false;
}

static NormalCone cone_of(const LmdSurface *s, LmdFeature feature)
{
  const SurfaceComplex *base = &s->surface->base;
  return feature.kind == LMD_VERTEX ? base->vertices[feature.index].cone
                                    : base->edges[feature.index].cone;
}

// Fills the sharp features of a point; false where one is round, or both are faces on each other
// there.
static bool tip_fill(const LmdPair *pair, const LmdPoint *point, Tip *tip)
{
  const LmdSurface *s[2] = {&pair->a, &pair->b};
  const LmdFeature feature[2] = {point->a, point->b};
  if ((int)feature[0].kind + (int)feature[1].kind > LMD_EDGE) return false;
  if (!(pair->a.surface->dilation > 0 && pair->b.surface->dilation > 0)) return false;
  vec3 at[2];
  for (int k = 0; k < 2; k++) {
    if (cone_of(s[k], feature[k]).cosine > TIP_COSINE) return false;
    if (feature[k].kind == LMD_VERTEX) at[k] = lmd_pair_sharp_place(s[k], feature[k].index);
  }
  *tip = (Tip){.size = pair->a.surface->sharp.extent + pair->b.surface->sharp.extent};
  for (int k = 0; k < 2; k++) {
    const double sign = k == 0 ? 1 : -1;
    if (feature[k].kind == LMD_VERTEX) {
      if (!vertex_side(s[k], feature[k].index, sign, &tip->side[k])) return false;
      continue;
    }
    const SurfaceEdge *edge = &s[k]->surface->base.edges[feature[k].index];
    const vec3 from = lmd_pair_sharp_place(s[k], edge->vertex[0]);
    const vec3 line = vec3_sub(lmd_pair_sharp_place(s[k], edge->vertex[1]), from);
    const vec3 along = vec3_scale(1 / vec3_norm(line), line);
    at[k] = lmd_pair_line_nearest(from, along, at[1 - k]);
    edge_side(s[k], feature[k].index, along, sign, &tip->side[k]);
  }
  tip->between = vec3_sub(at[1], at[0]);
  const vec3 d = vec3_neg(point->normal);
  return !(side_has_normal(&tip->side[0], d) && side_has_normal(&tip->side[1], d));
}

// Does a plane with that normal separate the features?
static bool tip_separates(const Tip *tip, vec3 n)
{
  for (int k = 0; k < 2; k++) {
    const TipSide *side = &tip->side[k];
    for (int i = 0; i < side->way_count; i++) {
      if (vec3_dot(n, side->ways[i]) > tip->slack) return false;
    }
  }
  return true;
}

// The next normal that separates the features, from candidate *k on: of faces of a and of b, then
// crosses of edges, both ways.
static bool tip_next(const Tip *tip, int *k, vec3 *n)
{
  assert_debug(*k >= 0 && "candidates are counted");
  const TipSide *a = &tip->side[0], *b = &tip->side[1];
  const int faces = a->normal_count + b->normal_count;
  const int count = faces + 2 * a->edge_count * b->edge_count;
  while (*k < count) {
    const int at = (*k)++;
    if (at < faces) {
      *n = at < a->normal_count ? a->normals[at] : b->normals[at - a->normal_count];
    } else {
      const int cross = (at - faces) / 2;
      *n = vec3_cross(a->ways[cross / b->edge_count], b->ways[cross % b->edge_count]);
      const double length = vec3_norm(*n);
      if (length < LMD_PARALLEL) continue;
      *n = vec3_scale(((at - faces) % 2 ? -1 : 1) / length, *n);
    }
    if (tip_separates(tip, *n)) return true;
  }
  return false;
}

// The largest separation of all candidates; -INFINITY: there is none.
static double tip_largest(const Tip *tip)
{
  double largest = -INFINITY;
  vec3 n;
  for (int k = 0; tip_next(tip, &k, &n);) largest = larger_of(largest, vec3_dot(n, tip->between));
  return largest;
}

// The features of a point and how strictly their candidates are taken; false where it is no tip.
// Normals between those of a complete list separate no more than these where all overlap. Features
// that are nearly a face on a face miss a normal whose plane the one leans into.
static bool tip_new(const LmdPair *pair, const LmdPoint *point, Tip *tip)
{
  assert_debug(point->a.index >= 0 && point->b.index >= 0 && "features have numbers");
  if (!tip_fill(pair, point, tip)) return false;
  const double own = -vec3_dot(point->normal, tip->between);
  const double least = smaller_of(own, 0) - TIP_TIE * tip->size;
  tip->slack = TIP_SINE;
  if (tip_largest(tip) >= least) return true;
  tip->slack = TIP_LEAN;
  return tip_largest(tip) >= least;
}

bool lmd_tip_measure(const LmdPair *pair, const LmdPoint *point, double *separation)
{
  Tip tip;
  if (!tip_new(pair, point, &tip)) return false;
  *separation = tip_largest(&tip);
  return true;
}

// How far a normal separates at the end of the motion.
static double tip_key(const Tip *tip, const LmdMotion *motion, vec3 n)
{
  return vec3_dot(n, tip->between) + smaller_of(motion->time * vec3_dot(n, motion->velocity), 0);
}

// The best normal; false where several are equal.
static bool tip_best(const Tip *tip, const LmdMotion *motion, vec3 *best)
{
  const double tie = TIP_TIE * tip->size, same = TIP_SAME * vec3_norm(motion->velocity);
  double top = -INFINITY, leaving = -INFINITY;
  vec3 n;
  for (int k = 0; tip_next(tip, &k, &n);) top = larger_of(top, tip_key(tip, motion, n));
  for (int k = 0; tip_next(tip, &k, &n);) {
    if (tip_key(tip, motion, n) >= top - tie)
      leaving = larger_of(leaving, vec3_dot(n, motion->velocity));
  }
  bool any = false, single = true;
  for (int k = 0; tip_next(tip, &k, &n);) {
    if (tip_key(tip, motion, n) < top - tie || vec3_dot(n, motion->velocity) < leaving - same)
      continue;
    if (!any) *best = n;
    else single = single && vec3_norm(vec3_sub(n, *best)) <= TIP_FACE;
    any = true;
  }
  return any && single;
}

// Do the features touch from outside, so that several normals separate them?
static bool tip_is_outside(const Tip *tip)
{
  const double overlap = TIP_OVERLAP * tip->size;
  vec3 n, first = {0, 0, 0};
  for (int k = 0, count = 0; tip_next(tip, &k, &n);) {
    if (vec3_dot(n, tip->between) < -overlap) continue;
    if (count++ == 0) first = n;
    else if (vec3_norm(vec3_sub(n, first)) > TIP_FACE) return true;
  }
  return false;
}

bool lmd_tip_choose(const LmdPair *pair, const LmdMotion *motion, LmdPoint *point)
{
  assert(motion->time >= 0 && "one looks ahead");
  Tip tip;
  if (!tip_new(pair, point, &tip)) return true;
  vec3 n;
  if (!tip_best(&tip, motion, &n)) n = vec3_neg(point->normal);
  point->normal = vec3_neg(n);
  point->gap = vec3_dot(n, tip.between);
  if (point->gap < -TIP_OVERLAP * tip.size || !tip_is_outside(&tip)) return true;
  const double closing = -vec3_dot(n, motion->velocity);
  return closing > TIP_SAME * vec3_norm(motion->velocity) &&
         (motion->time <= 0 || closing * motion->time > TIP_TIE * tip.size);
}
