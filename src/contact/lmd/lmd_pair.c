// Tests pairs of simplices for points of quasi-LMD.
#include "lmd_pair.h"

#include <assert.h>
#include <math.h>

#include "check.h"
#include "lmd_tip.h"

#define LMD_WIDEST \
  1e-5   // sine: places so near that rounding hides more have a direction all the same
#define RAY_ROUNDING 1e-12   // of a distance: balls are so much larger for rays
#define INNER_DEPTH 1e-4     // of the length of an edge: a place so far below it is inside

static vec3 base_place(const LmdSurface *s, int vertex)
{
  return s->base ? s->base[vertex] : lmd_pair_place(s, s->surface->base.vertices[vertex].at);
}

static vec3 face_normal(const LmdSurface *s, int face)
{
  if (s->normals) return s->normals[face];
  return mat3_mul(s->rotation, s->surface->base.faces[face].normal);
}

static vec3 edge_along(const LmdSurface *s, int edge)
{
  if (s->along) return s->along[edge];
  return mat3_mul(s->rotation, s->surface->base.edges[edge].direction);
}

void lmd_pair_pose(LmdPair *pair, Arena *arena)
{
  LmdSurface *both[2] = {&pair->a, &pair->b};
  for (int k = 0; k < 2; k++) {
    LmdSurface *s = both[k];
    const SurfaceComplex *base = &s->surface->base;
    assert(s->base == NULL && base->vertex_count > 0 && "a surface is posed once");
    vec3 *places = arena_allocate(arena, (size_t)base->vertex_count * sizeof *places);
    vec3 *normals = arena_allocate(arena, (size_t)base->face_count * sizeof *normals);
    vec3 *along = arena_allocate(arena, (size_t)base->edge_count * sizeof *along);
    s->low = (vec3){INFINITY, INFINITY, INFINITY};
    s->high = vec3_neg(s->low);
    for (int v = 0; v < base->vertex_count; v++) {
      places[v] = lmd_pair_place(s, base->vertices[v].at);
      s->low = vec3_min(s->low, places[v]);
      s->high = vec3_max(s->high, places[v]);
    }
    for (int f = 0; f < base->face_count; f++) normals[f] = face_normal(s, f);
    for (int e = 0; e < base->edge_count; e++) along[e] = edge_along(s, e);
    s->base = places;
    s->normals = normals;
    s->along = along;
  }
}

LmdPair lmd_pair_new(const LmdQuery *query)
{
  assert(query->turn >= 0 && query->a->surface != NULL && query->b->surface != NULL &&
         "two surfaces and a turn");
  const SurfaceBase *a = query->a->surface, *b = query->b->surface;
  const double cosine = 1 / sqrt(1 + query->turn * query->turn);
  const vec3 shift = vec3_sub(query->b->center, query->a->center);
  return (LmdPair){.a = {.surface = a, .rotation = query->a->rotation},
                   .b = {.surface = b, .rotation = query->b->rotation, .shift = shift},
                   .rounding = LMD_ROUNDING * (a->sharp.extent + b->sharp.extent),
                   .turn = query->turn,
                   .sine = query->turn * cosine,
                   .cosine = cosine,
                   .far = query->limit + a->shift + b->shift,
                   .limit = query->limit};
}

// What rounding may hide of the direction between places so far apart, as a sine.
static double direction_rounding(const LmdPair *pair, double distance)
{
  return LMD_SINE + smaller_of(pair->rounding / distance, LMD_WIDEST);
}

// Two places of the base surfaces, a's and b's.
typedef struct {
  vec3 at[2];
  vec3 d;            // unit, from a to b
  double distance;   // m
} Nearest;

// False where the places are one, or too far apart.
static bool nearest_new(const LmdPair *pair, vec3 at_a, vec3 at_b, Nearest *nearest)
{
  const vec3 d = vec3_sub(at_b, at_a);
  const double distance = vec3_norm(d);
  if (!(distance > pair->rounding) || distance > pair->far) return false;
  *nearest = (Nearest){.at = {at_a, at_b}, .d = vec3_scale(1 / distance, d), .distance = distance};
  return true;
}

// Directions of the surface at a simplex, body frame.
typedef struct {
  const vec3 *items;
  int count;
} Directions;

static Directions vertex_directions(const SurfaceComplex *c, int vertex)
{
  return (Directions){c->directions + c->vertices[vertex].direction_start,
                      c->vertices[vertex].direction_count};
}

// Is z.u <= slack for all directions u, z being turned by at most t along e?
static bool is_normal(const LmdSurface *s, Directions u, vec3 z, double slack)
{
  const vec3 own = mat3_mul_transposed(s->rotation, z);
  for (int k = 0; k < u.count; k++) {
    if (vec3_dot(own, u.items[k]) > slack) return false;
  }
  return true;
}

// Is there one |t| <= turn for which (z + t e).u <= slack for all directions u?
static bool is_turned_normal(const LmdSurface *s, Directions u, const vec3 ze[2], double turn,
                             double slack)
{
  assert_debug(turn >= 0 && slack >= 0 && "a turn and rounding");
  const vec3 z = mat3_mul_transposed(s->rotation, ze[0]),
             e = mat3_mul_transposed(s->rotation, ze[1]);
  double low = -turn, high = turn;
  for (int k = 0; k < u.count; k++) {
    const double c = vec3_dot(z, u.items[k]) - slack, m = vec3_dot(e, u.items[k]);
    if (fabs(m) < LMD_SINE) {
      if (c > 0) return false;
    } else if (m > 0) {
      high = smaller_of(high, -c / m);
    } else {
      low = larger_of(low, -c / m);
    }
  }
  return low <= high;
}

// A surface with the other one and the sign of the direction from it to the other: all tests of a
// vertex or edge are written for the first.
typedef struct {
  const LmdPair *pair;
  const LmdSurface *s, *o;
  bool first;   // s is a
} View;

static View view_of(const LmdPair *pair, bool first)
{
  return first ? (View){pair, &pair->a, &pair->b, true} : (View){pair, &pair->b, &pair->a, false};
}

// The nearest places, where those of the view's first surface are given first.
static bool view_nearest(const View *view, vec3 own, vec3 other, Nearest *nearest)
{
  return nearest_new(view->pair, view->first ? own : other, view->first ? other : own, nearest);
}

// The direction from the view's first surface to the other.
static vec3 view_direction(const View *view, vec3 d) { return view->first ? d : vec3_neg(d); }

static void point_set_base(LmdPoint *point, const Nearest *nearest)
{
  point->normal = vec3_neg(nearest->d);
  point->base[0] = nearest->at[0];
  point->base[1] = nearest->at[1];
  point->distance = nearest->distance;
}

static void point_set(LmdPoint *point, vec3 own, vec3 other, double gap)
{
  point->point = vec3_scale(0.5, vec3_add(own, other));
  point->gap = gap;
}

// Is a direction within the cone about the normals of a simplex, widened by the turn?
static bool is_in_cone(const LmdPair *pair, const LmdSurface *s, NormalCone cone, vec3 z)
{
  const double sine = sqrt(larger_of(1 - cone.cosine * cone.cosine, 0));
  const double least = cone.cosine * pair->cosine - sine * pair->sine;
  return vec3_dot(mat3_mul(s->rotation, cone.axis), z) >= least - LMD_SINE;
}

static bool test_vertex_vertex(const LmdPair *pair, int v, int w, LmdPoint *point)
{
  Nearest n;
  if (!nearest_new(pair, base_place(&pair->a, v), base_place(&pair->b, w), &n)) return false;
  const SurfaceComplex *a = &pair->a.surface->base, *b = &pair->b.surface->base;
  const double slack = direction_rounding(pair, n.distance);
  if (!is_normal(&pair->a, vertex_directions(a, v), n.d, slack) ||
      !is_normal(&pair->b, vertex_directions(b, w), vec3_neg(n.d), slack))
    return false;
  if (!is_in_cone(pair, &pair->a, a->vertices[v].cone, n.d) ||
      !is_in_cone(pair, &pair->b, b->vertices[w].cone, vec3_neg(n.d)))
    return false;
  point_set_base(point, &n);
  point_set(point, lmd_pair_sharp_place(&pair->a, v), lmd_pair_sharp_place(&pair->b, w),
            n.distance - pair->a.surface->dilation - pair->b.surface->dilation);
  return true;
}

// A vertex of the view's first surface and an edge of the other.
static bool test_vertex_edge(const View *view, int v, int e, LmdPoint *point)
{
  const LmdPair *pair = view->pair;
  const SurfaceComplex *own = &view->s->surface->base, *other = &view->o->surface->base;
  const SurfaceEdge *edge = &other->edges[e];
  const vec3 p = base_place(view->s, v), from = base_place(view->o, edge->vertex[0]);
  const vec3 along = edge_along(view->o, e);
  const double t = vec3_dot(along, vec3_sub(p, from));
  if (t < -pair->rounding || t > edge->length + pair->rounding) return false;
  Nearest n;
  if (!view_nearest(view, p, vec3_axpy(t, along, from), &n)) return false;
  const vec3 d = view_direction(view, n.d);
  const double slack = direction_rounding(pair, n.distance);
  if (!is_normal(view->o, (Directions){edge->into, 2}, vec3_neg(d), slack)) return false;
  if (!is_turned_normal(view->s, vertex_directions(own, v), (const vec3[2]){d, along}, pair->turn,
                        slack))
    return false;
  if (!is_in_cone(pair, view->s, own->vertices[v].cone, d) ||
      !is_in_cone(pair, view->o, edge->cone, vec3_neg(d)))
    return false;
  point_set_base(point, &n);
  // the sharp vertex and the sharp edge
  const vec3 at = lmd_pair_sharp_place(view->s, v);
  const vec3 one = lmd_pair_sharp_place(view->o, edge->vertex[0]);
  const vec3 two = lmd_pair_sharp_place(view->o, edge->vertex[1]);
  const vec3 line = vec3_scale(1 / vec3_norm(vec3_sub(two, one)), vec3_sub(two, one));
  point_set(point, at, lmd_pair_line_nearest(one, line, at),
            n.distance - view->s->surface->dilation - view->o->surface->dilation);
  return true;
}

// A vertex of the view's first surface over a face of the other.
static bool test_vertex_face(const View *view, int v, int f, LmdPoint *point)
{
  const LmdPair *pair = view->pair;
  const SurfaceBase *surface = view->o->surface;
  const SurfaceComplex *own = &view->s->surface->base;
  const SurfaceFace *face = &surface->base.faces[f];
  const vec3 p = base_place(view->s, v), n = face_normal(view->o, f);
  const double height = vec3_dot(n, vec3_sub(p, view->o->shift)) - face->offset;
  if (!(height > pair->rounding) || height > pair->far) return false;
  const vec3 foot = vec3_axpy(-height, n, p);
  const double slack = direction_rounding(pair, height);
  if (!is_normal(view->s, vertex_directions(own, v), vec3_neg(n), pair->sine + slack)) return false;
  if (!is_in_cone(pair, view->s, own->vertices[v].cone, vec3_neg(n))) return false;
  const vec3 own_foot = mat3_mul_transposed(view->o->rotation, vec3_sub(foot, view->o->shift));
  if (!surface_face_holds(&surface->base, f, own_foot, pair->rounding)) return false;
  const vec3 d = view->first ? vec3_neg(n) : n;
  point_set_base(point, &(Nearest){{view->first ? p : foot, view->first ? foot : p}, d, height});
  // the sharp vertex and the sharp plane, along the normal
  const SurfaceFace *sharp = &surface->sharp.faces[face->piece];
  const vec3 at = lmd_pair_sharp_place(view->s, v);
  const vec3 plane = mat3_mul(view->o->rotation, sharp->normal);
  const double above = vec3_dot(plane, vec3_sub(at, view->o->shift)) - sharp->offset;
  const double gap = above / vec3_dot(plane, n);
  point_set(point, at, vec3_axpy(-gap, n, at), gap);
  return true;
}

// Where two lines are nearest, as distances from their first places; false for parallel ones.
static bool lines_nearest(vec3 p, vec3 along_p, vec3 q, vec3 along_q, double at[2])
{
  const vec3 w = vec3_cross(along_p, along_q), r = vec3_sub(q, p);
  const double square = vec3_dot(w, w);
  if (square < LMD_PARALLEL * LMD_PARALLEL) return false;
  at[0] = vec3_dot(vec3_cross(r, along_q), w) / square;
  at[1] = vec3_dot(vec3_cross(r, along_p), w) / square;
  return true;
}

// Place and gap of two edges of the surfaces as they are, which are those of e and f. Where these
// edges are parallel, or pass each other elsewhere, those of the rounded edges.
static void set_sharp_lines(const LmdPair *pair, const SurfaceEdge *e, const SurfaceEdge *f,
                            LmdPoint *point)
{
  assert_debug(point->distance > 0 && "the base edges are apart");
  const vec3 d = vec3_neg(point->normal);
  const double own = pair->a.surface->dilation, other = pair->b.surface->dilation;
  const vec3 from_a = lmd_pair_sharp_place(&pair->a, e->vertex[0]);
  const vec3 from_b = lmd_pair_sharp_place(&pair->b, f->vertex[0]);
  const vec3 line_a = vec3_sub(lmd_pair_sharp_place(&pair->a, e->vertex[1]), from_a);
  const vec3 line_b = vec3_sub(lmd_pair_sharp_place(&pair->b, f->vertex[1]), from_b);
  const double length_a = vec3_norm(line_a), length_b = vec3_norm(line_b);
  const vec3 unit_a = vec3_scale(1 / length_a, line_a);
  const vec3 unit_b = vec3_scale(1 / length_b, line_b);
  const double slack_a = pair->a.surface->shift + pair->rounding;
  const double slack_b = pair->b.surface->shift + pair->rounding;
  double at[2];
  if (lines_nearest(from_a, unit_a, from_b, unit_b, at) && at[0] >= -slack_a &&
      at[0] <= length_a + slack_a && at[1] >= -slack_b && at[1] <= length_b + slack_b) {
    const vec3 on_a = vec3_axpy(at[0], unit_a, from_a), on_b = vec3_axpy(at[1], unit_b, from_b);
    point_set(point, on_a, on_b, vec3_dot(d, vec3_sub(on_b, on_a)));
    return;
  }
  point_set(point, vec3_axpy(own, d, point->base[0]), vec3_axpy(-other, d, point->base[1]),
            point->distance - own - other);
}

static bool test_edge_edge(const LmdPair *pair, int i, int j, LmdPoint *point)
{
  const SurfaceComplex *a = &pair->a.surface->base, *b = &pair->b.surface->base;
  const SurfaceEdge *e = &a->edges[i], *f = &b->edges[j];
  const vec3 p = base_place(&pair->a, e->vertex[0]), q = base_place(&pair->b, f->vertex[0]);
  const vec3 along_p = edge_along(&pair->a, i), along_q = edge_along(&pair->b, j);
  double at[2];
  if (!lines_nearest(p, along_p, q, along_q, at)) return false;
  if (at[0] < -pair->rounding || at[0] > e->length + pair->rounding) return false;
  if (at[1] < -pair->rounding || at[1] > f->length + pair->rounding) return false;
  Nearest n;
  if (!nearest_new(pair, vec3_axpy(at[0], along_p, p), vec3_axpy(at[1], along_q, q), &n))
    return false;
  // the common perpendicular is known better than the difference of the places
  const vec3 w = vec3_cross(along_p, along_q);
  const vec3 d = vec3_scale((vec3_dot(w, n.d) < 0 ? -1 : 1) / vec3_norm(w), w);
  const double slack = direction_rounding(pair, n.distance);
  if (!is_turned_normal(&pair->a, (Directions){e->into, 2}, (const vec3[2]){d, along_q}, pair->turn,
                        slack) ||
      !is_turned_normal(&pair->b, (Directions){f->into, 2}, (const vec3[2]){vec3_neg(d), along_p},
                        pair->turn, slack))
    return false;
  if (!is_in_cone(pair, &pair->a, e->cone, d) || !is_in_cone(pair, &pair->b, f->cone, vec3_neg(d)))
    return false;
  n.d = d;
  n.distance = vec3_dot(d, vec3_sub(n.at[1], n.at[0]));
  point_set_base(point, &n);
  set_sharp_lines(pair, e, f, point);
  return true;
}

bool lmd_pair_test(const LmdPair *pair, LmdFeature a, LmdFeature b, LmdPoint *point)
{
  assert_debug(a.index >= 0 && b.index >= 0 && "features have numbers");
  const View of_a = view_of(pair, true), of_b = view_of(pair, false);
  bool found = false;
  *point = (LmdPoint){.a = a, .b = b};
  if (a.kind == LMD_VERTEX && b.kind == LMD_VERTEX)
    found = test_vertex_vertex(pair, a.index, b.index, point);
  else if (a.kind == LMD_VERTEX && b.kind == LMD_EDGE)
    found = test_vertex_edge(&of_a, a.index, b.index, point);
  else if (a.kind == LMD_EDGE && b.kind == LMD_VERTEX)
    found = test_vertex_edge(&of_b, b.index, a.index, point);
  else if (a.kind == LMD_VERTEX && b.kind == LMD_FACE)
    found = test_vertex_face(&of_a, a.index, b.index, point);
  else if (a.kind == LMD_FACE && b.kind == LMD_VERTEX)
    found = test_vertex_face(&of_b, b.index, a.index, point);
  else if (a.kind == LMD_EDGE && b.kind == LMD_EDGE)
    found = test_edge_edge(pair, a.index, b.index, point);
  if (!found) return false;
  point->separation = point->gap;
  point->tip = lmd_tip_measure(pair, point, &point->separation);
  return point->separation <= pair->limit;
}

bool lmd_pair_edge_crosses(const LmdPair *pair, bool edge_of_a, LmdEdgeFace which,
                           LmdCrossing *crossing)
{
  const View view = view_of(pair, edge_of_a);
  const SurfaceComplex *other = &view.o->surface->base;
  const SurfaceEdge *e = &view.s->surface->base.edges[which.edge];
  const SurfaceFace *f = &other->faces[which.face];
  const vec3 from = vec3_sub(base_place(view.s, e->vertex[0]), view.o->shift);
  const vec3 to = vec3_sub(base_place(view.s, e->vertex[1]), view.o->shift);
  const vec3 normal = face_normal(view.o, which.face);
  const double p = vec3_dot(normal, from) - f->offset;
  const double q = vec3_dot(normal, to) - f->offset;
  const double rounding = pair->rounding;
  if (!((p > rounding && q < -rounding) || (p < -rounding && q > rounding))) return false;
  const vec3 at = vec3_axpy(p / (p - q), vec3_sub(to, from), from);
  *crossing = (LmdCrossing){.at = vec3_add(at, view.o->shift),
                            .normal = edge_of_a ? normal : vec3_neg(normal),
                            .edge = which.edge,
                            .face = which.face};
  return surface_face_holds(other, which.face, mat3_mul_transposed(view.o->rotation, at), rounding);
}

// Does a ray from a place go by a ball?
static bool ray_passes(vec3 place, vec3 way, const SurfaceQuad *quad, int lane)
{
  const vec3 arm = vec3_sub(lane3_get(&quad->center, lane), place);
  const double along = vec3_dot(arm, way), square = vec3_dot(arm, arm) - along * along;
  const double radius = quad->radius[lane] * (1 + RAY_ROUNDING) + RAY_ROUNDING * fabs(along);
  return along < -radius || square > radius * radius;
}

static bool ray_crosses_face(const SurfaceComplex *c, int f, vec3 place, vec3 way)
{
  const SurfaceFace *face = &c->faces[f];
  const double slope = vec3_dot(face->normal, way);
  const double height = face->offset - vec3_dot(face->normal, place);
  return slope != 0 && height / slope >= 0 &&
         surface_face_holds(c, f, vec3_axpy(height / slope, way, place), 0);
}

// Does a ray cross an odd number of faces below four nodes?
static bool ray_crosses(const SurfaceBase *surface, int index, vec3 place, vec3 way)
{
  const SurfaceQuad *quad = &surface->tree.quads[index];
  bool odd = false;
  for (int k = 0; k < LANES; k++) {
    if (!(quad->kinds[k] & TREE_FACE) || ray_passes(place, way, quad, k)) continue;
    if (quad->quad[k] >= 0 ? ray_crosses(surface, quad->quad[k], place, way)
                           : ray_crosses_face(&surface->base, quad->simplex[k], place, way))
      odd = !odd;
  }
  return odd;
}

// Is a place, in the frame of a surface, inside of it? Most of three rays that are parallel to no
// usual edge say so.
static bool holds_place(const SurfaceBase *surface, vec3 place)
{
  static const vec3 RAYS[3] = {
      {0.4195, 0.2731, 0.8657}, {-0.7132, 0.5519, 0.4320}, {0.2214, -0.8417, 0.4925}};
  int votes = 0;
  for (int k = 0; k < 3; k++)
    votes += ray_crosses(surface, 0, place, vec3_scale(1 / vec3_norm(RAYS[k]), RAYS[k]));
  return votes >= 2;
}

// Do the outermost corners of a surface lie in the box of the other?
static bool box_holds(const LmdSurface *outer, const LmdSurface *inner, double rounding)
{
  assert_debug(rounding >= 0 && "rounding is a distance");
  const vec3 low = outer->surface->low, high = outer->surface->high;
  for (int k = 0; k < 6; k++) {
    const vec3 at = base_place(inner, inner->surface->outermost[k]);
    const vec3 own = mat3_mul_transposed(outer->rotation, vec3_sub(at, outer->shift));
    const vec3 below = vec3_sub(own, low), above = vec3_sub(high, own);
    if (below.x < -rounding || below.y < -rounding || below.z < -rounding || above.x < -rounding ||
        above.y < -rounding || above.z < -rounding)
      return false;
  }
  return true;
}

// Is a place below an edge of one surface, or on it if it is not convex, inside of another one?
static bool edge_is_inside(const LmdSurface *outer, const LmdSurface *inner, int e)
{
  const SurfaceEdge *edge = &inner->surface->base.edges[e];
  const vec3 middle = vec3_scale(
      0.5, vec3_add(base_place(inner, edge->vertex[0]), base_place(inner, edge->vertex[1])));
  const vec3 place =
      vec3_axpy(-INNER_DEPTH * edge->length, mat3_mul(inner->rotation, edge->cone.axis), middle);
  const vec3 own = mat3_mul_transposed(outer->rotation, vec3_sub(place, outer->shift));
  const vec3 low = outer->surface->low, high = outer->surface->high;
  if (own.x < low.x || own.y < low.y || own.z < low.z || own.x > high.x || own.y > high.y ||
      own.z > high.z)
    return false;
  return holds_place(outer->surface, own);
}

// Is a surface, or a piece of it, inside of another one that it does not cross?
static bool lies_inside(const LmdSurface *outer, const LmdSurface *inner, double rounding)
{
  const SurfaceComplex *c = &inner->surface->base;
  if (c->shell_count < 2 && !box_holds(outer, inner, rounding)) return false;
  if (c->edge_count == 0) {   // a point
    const vec3 at = vec3_sub(base_place(inner, 0), outer->shift);
    return holds_place(outer->surface, mat3_mul_transposed(outer->rotation, at));
  }
  for (int k = 0; k < c->shell_count; k++) {
    if (edge_is_inside(outer, inner, c->shell_edges[k])) return true;
  }
  return false;
}

bool lmd_pair_is_inside(const LmdPair *pair)
{
  return lies_inside(&pair->b, &pair->a, pair->rounding) ||
         (pair->a.surface->base.edge_count > 0 && lies_inside(&pair->a, &pair->b, pair->rounding));
}
