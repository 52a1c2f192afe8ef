// Which points and edges of two bodies are near each other, and what they make of it.
#include "barrier_pair.h"

#include <assert.h>

#include "barrier_edges.h"
#include "barrier_place.h"
#include "symmetric.h"

#define POINT_FACTOR 0.5    // both bodies have points, so that each stands for half of its area
#define EDGES_FACTOR 0.25   // of the areas of both edges

// The pair while it is looked at. Places are in the frame of one of the bodies, so that how far
// from the origin the bodies are costs no digits.
typedef struct {
  const BarrierBody *bodies;
  BarrierScale scale;
  mat3 turn[2];    // turn[k]: from the frame of body k into that of the other one
  vec3 shift[2];   // and the origin of k there, m
  BarrierTerms *terms;
  Arena *arena;
} Pair;

static vec3 across(const Pair *pair, int from, vec3 x)
{
  return vec3_add(mat3_mul(pair->turn[from], x), pair->shift[from]);
}

// The box of a body in the frame of the other one, grown by the distance.
static Box box_across(const Pair *pair, int from)
{
  const Box box = pair->bodies[from].surface->box;
  vec3 corners[8];
  for (int i = 0; i < 8; i++) {
    const vec3 x = {i & 1 ? box.high.x : box.low.x, i & 2 ? box.high.y : box.low.y,
                    i & 4 ? box.high.z : box.low.z};
    corners[i] = across(pair, from, x);
  }
  return box_grow(box_of_points(corners, 8), pair->scale.distance);
}

static BarrierTerm *new_term(Pair *pair)
{
  BarrierTerms *terms = pair->terms;
  terms->of =
      arena_grow(pair->arena, terms->of, terms->count + 1, &terms->capacity, sizeof *terms->of);
  terms->of[terms->count] = (BarrierTerm){0};
  return &terms->of[terms->count++];
}

// Both arms to a place in the frame of a body.
static void set_arms(const Pair *pair, int owner, vec3 place, BarrierTerm *term)
{
  const BarrierBody *a = &pair->bodies[0], *b = &pair->bodies[1];
  const vec3 arm = mat3_mul(pair->bodies[owner].rotation, place);
  const vec3 apart = vec3_sub(a->position, b->position);
  term->arm[owner] = arm;
  term->arm[1 - owner] = owner == 0 ? vec3_add(arm, apart) : vec3_sub(arm, apart);
}

static bool add_point(Pair *pair, int owner, int point)
{
  const int other = 1 - owner;
  const BarrierSurface *own = pair->bodies[owner].surface;
  const BarrierPlace found =
      barrier_place_find(pair->bodies[other].surface, across(pair, owner, own->points[point]),
                         pair->scale.distance, pair->arena);
  if (found.gap <= 0) return false;
  if (found.terms == 0) return true;
  const double area = POINT_FACTOR * own->areas[point], factor = pair->scale.stiffness * area;
  // what the point feels; the gradient is by motion of a
  const mat3 rotation = pair->bodies[other].rotation;
  const double sign = owner == 0 ? 1 : -1;
  BarrierTerm *term = new_term(pair);
  *term = (BarrierTerm){.kind = owner == 0 ? BARRIER_POINT_OF_A : BARRIER_POINT_OF_B,
                        .feature = {point, 0},
                        .energy = factor * found.value,
                        .gradient = mat3_mul(rotation, vec3_scale(sign * factor, found.gradient)),
                        .gap = found.gap,
                        .area = area,
                        .normal = mat3_mul(rotation, vec3_scale(sign, found.normal))};
  const sym3 weight = symmetric_turn(found.weight, rotation);
  term->weight = symmetric_axpy(factor, weight, (sym3){0, 0, 0, 0, 0, 0});
  set_arms(pair, owner, own->points[point], term);
  return true;
}

static bool add_points(Pair *pair, int owner)
{
  const Box box = box_across(pair, 1 - owner);
  const BarrierSurface *own = pair->bodies[owner].surface;
  for (int i = 0; i < own->point_count; i++) {
    const vec3 x = own->points[i];
    if (x.x < box.low.x || x.x > box.high.x || x.y < box.low.y || x.y > box.high.y ||
        x.z < box.low.z || x.z > box.high.z)
      continue;
    if (!add_point(pair, owner, i)) return false;
  }
  return true;
}

typedef struct {
  int number;
  double share;   // m2
  BarrierSegment segment;
  Box box;
} SharpEdge;

// Sharp edges of a body in the frame of b that meet a box there.
static SharpEdge *sharp_edges(const Pair *pair, int of, Box near, int *count)
{
  const BarrierSurface *s = pair->bodies[of].surface;
  SharpEdge *edges = arena_allocate(pair->arena, (size_t)s->edge_count * sizeof *edges);
  *count = 0;
  for (int e = 0; e < s->edge_count; e++) {
    if (!(s->edges[e].share > 0)) continue;
    vec3 ends[2];
    for (int k = 0; k < 2; k++) {
      const vec3 x = s->vertices[s->edges[e].vertex[k]];
      ends[k] = of == 0 ? across(pair, 0, x) : x;
    }
    const Box box = box_of_points(ends, 2);
    if (!box_overlaps(box, near)) continue;
    const BarrierSegment segment = {ends[0], vec3_sub(ends[1], ends[0])};
    edges[(*count)++] = (SharpEdge){e, s->edges[e].share, segment, box};
  }
  return edges;
}

static bool add_edges(Pair *pair, const SharpEdge *a, const SharpEdge *b)
{
  const BarrierCrossing found = barrier_edges_find(a->segment, b->segment, pair->scale.distance);
  if (found.gap <= 0) return false;
  if (!(found.value > 0)) return true;
  const double area = EDGES_FACTOR * (a->share + b->share), factor = pair->scale.stiffness * area;
  const mat3 rotation = pair->bodies[1].rotation;
  const vec3 normal = mat3_mul(rotation, found.normal);
  BarrierTerm *term = new_term(pair);
  *term = (BarrierTerm){.kind = BARRIER_EDGES,
                        .feature = {a->number, b->number},
                        .energy = factor * found.value,
                        .gradient = vec3_scale(factor * found.slope, normal),
                        .couple = mat3_mul(rotation, vec3_scale(factor, found.couple)),
                        .gap = found.gap,
                        .area = area,
                        .normal = normal};
  term->weight = symmetric_add_dyad((sym3){0, 0, 0, 0, 0, 0}, factor * found.curvature, normal);
  set_arms(pair, 1, found.place, term);
  return true;
}

static bool add_all_edges(Pair *pair)
{
  // edges of a near the box of b, edges of b near the box of a
  const Box of_b = box_grow(pair->bodies[1].surface->box, pair->scale.distance);
  int a_count, b_count;
  const SharpEdge *a = sharp_edges(pair, 0, of_b, &a_count);
  const SharpEdge *b = sharp_edges(pair, 1, box_across(pair, 0), &b_count);
  for (int i = 0; i < a_count; i++) {
    const Box near = box_grow(a[i].box, pair->scale.distance);
    for (int k = 0; k < b_count; k++) {
      if (box_overlaps(near, b[k].box) && !add_edges(pair, &a[i], &b[k])) return false;
    }
  }
  return true;
}

bool barrier_pair_find(const BarrierBody bodies[2], BarrierScale scale, BarrierTerms *terms,
                       Arena *arena)
{
  assert(scale.distance > 0 && scale.stiffness > 0 && "a barrier has a reach and a stiffness");
  Pair pair = {.bodies = bodies, .scale = scale, .terms = terms, .arena = arena};
  for (int k = 0; k < 2; k++) {
    const BarrierBody *own = &bodies[k], *other = &bodies[1 - k];
    pair.turn[k] = mat3_mul_mat(mat3_transpose(other->rotation), own->rotation);
    pair.shift[k] = mat3_mul_transposed(other->rotation, vec3_sub(own->position, other->position));
  }
  return add_points(&pair, 0) && add_points(&pair, 1) && add_all_edges(&pair);
}
