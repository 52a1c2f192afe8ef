// Goes down the trees of two surfaces to the pairs of simplices that may have a point or cross.
#include "lmd_descend.h"

#include <assert.h>
#include <math.h>

#define CONE_ROUNDING \
  1e-4   // rad: normal cones are wider by more than rounding of cosines turns them

// Which kinds go with kinds.
static int partners_of(int kinds)
{
  int partners = 0;
  if (kinds & TREE_VERTEX) partners |= TREE_VERTEX | TREE_EDGE | TREE_FACE;
  if (kinds & TREE_EDGE) partners |= TREE_VERTEX | TREE_EDGE;
  if (kinds & TREE_FACE) partners |= TREE_VERTEX;
  return partners;
}

// A cone of directions, or all of them.
typedef struct {
  vec3 axis;
  double cosine, sine;
  bool all;
} WideCone;

// Normals of a node in world axes, turned by sign and widened.
static WideCone node_cone(const LmdDescent *d, const LmdSurface *s, const SurfaceNode *node,
                          double sign)
{
  if (node->cosine <= -1) return (WideCone){.all = true};
  const double sine = node->sine * d->wide_cosine + node->cosine * d->wide_sine;
  if (sine < 0) return (WideCone){.all = true};
  return (WideCone){.axis = vec3_scale(sign, mat3_mul(s->rotation, node->axis)),
                    .cosine = node->cosine * d->wide_cosine - node->sine * d->wide_sine,
                    .sine = sine};
}

// Have two cones no direction in common?
static bool cones_part(const WideCone *p, const WideCone *q)
{
  if (p->all || q->all) return false;
  if (p->sine * q->cosine + p->cosine * q->sine < 0) return false;
  return vec3_dot(p->axis, q->axis) < p->cosine * q->cosine - p->sine * q->sine;
}

static vec3 node_center(const LmdSurface *s, const SurfaceNode *node)
{
  return vec3_add(mat3_mul(s->rotation, node->center), s->shift);
}

static bool nodes_part(const LmdDescent *d, const SurfaceNode *p, const SurfaceNode *q)
{
  if (!(partners_of(p->kinds) & q->kinds)) return true;
  const vec3 between = vec3_sub(node_center(&d->pair->b, q), node_center(&d->pair->a, p));
  const double square = vec3_dot(between, between), balls = p->radius + q->radius;
  const double most = balls + d->pair->far + d->pair->rounding;
  if (square > most * most) return true;
  const WideCone a = node_cone(d, &d->pair->a, p, 1), b = node_cone(d, &d->pair->b, q, -1);
  if (cones_part(&a, &b)) return true;
  const double room = balls + 4 * d->pair->rounding;
  if (!(square > room * room)) return false;
  const double distance = sqrt(square), sine = room / distance;
  const WideCone ways = {.axis = vec3_scale(1 / distance, between),
                         .cosine = sqrt(larger_of(1 - sine * sine, 0)),
                         .sine = sine};
  return cones_part(&a, &ways) || cones_part(&b, &ways);
}

static LmdFeature leaf_feature(const SurfaceNode *node)
{
  return (LmdFeature){node->kinds == TREE_VERTEX ? LMD_VERTEX
                      : node->kinds == TREE_FACE ? LMD_FACE
                                                 : LMD_EDGE,
                      node->child[1]};
}

static void add_point(LmdDescent *d, const SurfaceNode *p, const SurfaceNode *q)
{
  LmdPoint point;
  d->set->tried++;
  if (!lmd_pair_test(d->pair, leaf_feature(p), leaf_feature(q), &point)) return;
  d->set->points =
      arena_grow(d->arena, d->set->points, d->set->count + 1, &d->capacity, sizeof point);
  d->set->points[d->set->count++] = point;
}

static bool goes_down_first(const SurfaceNode *p, const SurfaceNode *q)
{
  return q->child[0] < 0 || (p->child[0] >= 0 && p->radius >= q->radius);
}

void lmd_descend_points(LmdDescent *d, int node_a, int node_b)
{
  const SurfaceNode *p = &d->a->nodes[node_a], *q = &d->b->nodes[node_b];
  if (nodes_part(d, p, q)) return;
  if (p->child[0] < 0 && q->child[0] < 0) {
    add_point(d, p, q);
  } else if (goes_down_first(p, q)) {
    for (int k = 0; k < 2; k++) lmd_descend_points(d, p->child[k], node_b);
  } else {
    for (int k = 0; k < 2; k++) lmd_descend_points(d, node_a, q->child[k]);
  }
}

bool lmd_descend_crossing(const LmdDescent *d, int node_a, int node_b)
{
  const SurfaceNode *p = &d->a->nodes[node_a], *q = &d->b->nodes[node_b];
  const int edges = TREE_EDGE | TREE_HIDDEN_EDGE;
  if (!((p->kinds & edges && q->kinds & TREE_FACE) || (p->kinds & TREE_FACE && q->kinds & edges)))
    return false;
  const vec3 between = vec3_sub(node_center(&d->pair->b, q), node_center(&d->pair->a, p));
  const double most = p->radius + q->radius + 4 * d->pair->rounding;
  if (vec3_dot(between, between) > most * most) return false;
  if (p->child[0] < 0 && q->child[0] < 0) {
    const bool of_a = p->kinds & edges ? true : false;
    return lmd_pair_edge_crosses(d->pair, of_a, of_a ? p->child[1] : q->child[1],
                                 of_a ? q->child[1] : p->child[1]);
  }
  for (int k = 0; k < 2; k++) {
    if (goes_down_first(p, q) ? lmd_descend_crossing(d, p->child[k], node_b)
                              : lmd_descend_crossing(d, node_a, q->child[k]))
      return true;
  }
  return false;
}

LmdDescent lmd_descend_new(const LmdPair *pair, LmdSet *set, Arena *arena)
{
  assert(pair->a.surface->tree.count > 0 && pair->b.surface->tree.count > 0 && "trees are built");
  // the sum of the turn and of rounding, to second order
  return (LmdDescent){.pair = pair,
                      .a = &pair->a.surface->tree,
                      .b = &pair->b.surface->tree,
                      .wide_sine = pair->sine + CONE_ROUNDING * pair->cosine,
                      .wide_cosine = pair->cosine - CONE_ROUNDING * pair->sine,
                      .set = set,
                      .arena = arena};
}
