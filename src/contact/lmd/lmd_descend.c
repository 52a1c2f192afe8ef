// Goes down the trees of two surfaces to the pairs of simplices that may have a point or cross.
// A node of one is compared with four of the other at once.
#include "lmd_descend.h"

#include <assert.h>
#include <math.h>

#include "check.h"

#define CONE_ROUNDING \
  1e-4                    // rad: normal cones are wider by more than rounding of cosines turns them
#define BALL_ROUNDING 4   // of the rounding of places: what balls of nodes may be off by

// What is looked for below a pair of nodes, as bits.
enum { LOOK_POINTS = 1, LOOK_CROSSING = 2 };

typedef struct {
  const LmdPair *pair;
  const SurfaceTree *tree[2];      // of a and b
  mat3 rotation;                   // of b in a's frame
  vec3 shift;                      // of b in a's frame, m
  double wide_sine, wide_cosine;   // of the turn and rounding
  double far;                      // m: farther apart there is no point
  double rounding;                 // m
  bool any_kind, list_crossings, of_itself;
  LmdSet *set;
  int capacity, crossing_capacity;
  Arena *arena;
} LmdDescent;

// Four nodes in a's frame. Axes of b's nodes are turned round, so that both look from a to b.
typedef struct {
  Vec3Lane center, axis;
  Lane radius, low, high;
  Lane cosine, sine;   // of the cone about the normals, widened; sine -1: all directions
} FramedQuad;

// One of them.
typedef struct {
  vec3 center, axis;
  double radius, low, high, cosine, sine;
  int kinds, quad, simplex;
} FramedNode;

// The cones of four nodes, widened by the turn.
static void widen(const LmdDescent *d, const SurfaceQuad *quad, FramedQuad *framed)
{
  const Lane c = lane_all(d->wide_cosine), s = lane_all(d->wide_sine);
  const Lane sine = quad->sine * c + quad->cosine * s;
  const LaneMask all = (quad->cosine <= lane_all(-1)) | (sine < lane_all(0));
  framed->cosine = quad->cosine * c - quad->sine * s;
  framed->sine = lane_select(all, lane_all(-1), sine);
}

static Mat3Lane lanes_of(mat3 m)
{
  Mat3Lane lanes;
  for (int i = 0; i < 3; i++)
    lanes.row[i] = (Vec3Lane){lane_all(m.row[i].x), lane_all(m.row[i].y), lane_all(m.row[i].z)};
  return lanes;
}

static void frame_quad(const LmdDescent *d, bool of_a, const SurfaceQuad *quad, FramedQuad *framed)
{
  framed->radius = quad->radius;
  framed->low = quad->low;
  framed->high = quad->high;
  widen(d, quad, framed);
  framed->center = quad->center;
  framed->axis = quad->axis;
  if (of_a) return;
  const Mat3Lane r = lanes_of(d->rotation);
  const Vec3Lane shift = {lane_all(d->shift.x), lane_all(d->shift.y), lane_all(d->shift.z)};
  framed->center = lane3_add(lane3_mul(r.row, quad->center), shift);
  framed->axis = lane3_scale(lane_all(-1), lane3_mul(r.row, quad->axis));
}

static FramedNode lane_node(const FramedQuad *framed, const SurfaceQuad *quad, int lane)
{
  assert_debug(lane >= 0 && lane < LANES && quad->kinds[lane] != 0 && "a lane with a node");
  return (FramedNode){.center = lane3_get(&framed->center, lane),
                      .axis = lane3_get(&framed->axis, lane),
                      .radius = framed->radius[lane],
                      .low = framed->low[lane],
                      .high = framed->high[lane],
                      .cosine = framed->cosine[lane],
                      .sine = framed->sine[lane],
                      .kinds = quad->kinds[lane],
                      .quad = quad->quad[lane],
                      .simplex = quad->simplex[lane]};
}

static FramedQuad spread_node(const FramedNode *n)
{
  return (FramedQuad){
      .center = {lane_all(n->center.x), lane_all(n->center.y), lane_all(n->center.z)},
      .axis = {lane_all(n->axis.x), lane_all(n->axis.y), lane_all(n->axis.z)},
      .radius = lane_all(n->radius),
      .low = lane_all(n->low),
      .high = lane_all(n->high),
      .cosine = lane_all(n->cosine),
      .sine = lane_all(n->sine)};
}

// Have the cones of nodes no direction in common? along: cosine of their axes.
static LaneMask cones_part(const FramedQuad *p, const FramedQuad *q, Lane along)
{
  const Lane none = lane_all(0);
  return (p->sine >= none) & (q->sine >= none) &
         (p->sine * q->cosine + p->cosine * q->sine >= none) &
         (along < p->cosine * q->cosine - p->sine * q->sine);
}

// Has a cone no direction in common with the ways between two balls? room: the sum of the radii;
// reach: of a tangent to both that starts half way; height: of the way between along the axis.
static LaneMask ways_part(const FramedQuad *p, Lane room, Lane reach, Lane height)
{
  const Lane none = lane_all(0);
  return (p->sine >= none) & (p->sine * reach + p->cosine * room >= none) &
         (height < p->cosine * reach - p->sine * room);
}

// How far q lies above the highest corner of p along p's axis, and how far below the lowest one, at
// least: by the height of its centre, less what its ball and its own corners leave of it.
typedef struct {
  Lane above, below;
} Clearance;

static Clearance clearance(const FramedQuad *p, const FramedQuad *q, Lane along, Lane across,
                           Lane height)
{
  const Lane aside = across * q->radius;
  const LaneMask faces = along > lane_all(0);
  const Lane down = lane_min(q->radius, along * q->high + aside);
  const Lane up = lane_min(q->radius, aside - along * q->low);
  return (Clearance){.above = height - p->high - lane_select(faces, down, q->radius),
                     .below = p->low - height - lane_select(faces, up, q->radius)};
}

// Which kinds go with kinds.
static int partners_of(int kinds)
{
  int partners = 0;
  if (kinds & TREE_VERTEX) partners |= TREE_VERTEX | TREE_EDGE | TREE_FACE;
  if (kinds & TREE_EDGE) partners |= TREE_VERTEX | TREE_EDGE;
  if (kinds & TREE_FACE) partners |= TREE_VERTEX;
  return partners;
}

// What may be below pairs of nodes by their places and cones. q is sign times as far from p as b's
// node from a's.
typedef struct {
  LaneMask points, crossing;
} LookMasks;

static LookMasks look_masks(const LmdDescent *d, int look, const FramedQuad *p, const FramedQuad *q)
{
  const Vec3Lane between = lane3_sub(q->center, p->center);
  const Lane square = lane3_dot(between, between), balls = p->radius + q->radius;
  const Lane far = lane_all(d->far), rounding = lane_all(d->rounding);
  const Lane most = balls + far, room = balls + rounding;
  const Lane along = lane3_dot(p->axis, q->axis), none = lane_all(0);
  const Lane across = lane_sqrt(lane_max(lane_all(1) - along * along, none));
  const Lane height_p = lane3_dot(p->axis, between), height_q = lane3_dot(q->axis, between);
  const Clearance of_p = clearance(p, q, along, across, height_p);
  const Clearance of_q = clearance(q, p, along, across, height_q);
  const Lane above = lane_max(of_p.above, of_q.above);
  const LaneMask apart = square > room * room;
  LookMasks masks = {.crossing =
                         ~apart & (lane_max(above, lane_max(of_p.below, of_q.below)) <= rounding)};
  if (!(look & LOOK_POINTS)) return masks;
  // the way from p to q does not lead down where the cone is no wider than a half space
  const LaneMask behind = ((of_p.below > rounding) & (p->sine >= none) & (p->cosine >= none)) |
                          ((of_q.below > rounding) & (q->sine >= none) & (q->cosine >= none));
  const Lane reach = lane_sqrt(lane_max(square - room * room, none));
  const LaneMask ways = ways_part(p, room, reach, height_p) | ways_part(q, room, reach, height_q);
  masks.points = (square <= most * most) & (above <= far) & ~behind & ~(apart & ways) &
                 ~cones_part(p, q, along);
  return masks;
}

static LmdFeature leaf_feature(const FramedNode *node)
{
  assert_debug(node->quad < 0 && "leaves hold simplices");
  return (LmdFeature){node->kinds == TREE_VERTEX ? LMD_VERTEX
                      : node->kinds == TREE_FACE ? LMD_FACE
                                                 : LMD_EDGE,
                      node->simplex};
}

// Do an edge and a face of one surface meet in a vertex? Where many planes meet in one, they may
// move through each other there, by no more than the dilation. Two vertices in one place, where a
// body touches itself, are not one.
static bool are_neighbours(const SurfaceBase *surface, LmdEdgeFace which)
{
  assert_debug(which.edge >= 0 && which.face >= 0 && "features have numbers");
  const SurfaceComplex *base = &surface->base;
  const SurfaceEdge *edge = &base->edges[which.edge];
  // vertices of the surface as it is
  const int ends[2] = {base->vertices[edge->vertex[0]].point,
                       base->vertices[edge->vertex[1]].point};
  const SurfaceFace *face = &base->faces[which.face];
  for (int k = 0; k < face->side_count; k++) {
    const int corner = base->vertices[base->sides[face->side_start + k].from].point;
    if (corner == ends[0] || corner == ends[1]) return true;
  }
  return false;
}

// Do edges of one of two faces, a's and b's, cross the other? All are looked at where they are
// listed. Of one surface neighbours do not count.
static void look_at_faces(LmdDescent *d, int face_a, int face_b)
{
  const SurfaceComplex *complex[2] = {&d->pair->a.surface->base, &d->pair->b.surface->base};
  const int face[2] = {face_a, face_b};
  LmdSet *set = d->set;
  for (int own = 0; own < 2; own++) {
    const SurfaceComplex *c = complex[own];
    const SurfaceFace *f = &c->faces[face[own]];
    for (int k = 0; k < f->side_count; k++) {
      const LmdEdgeFace which = {c->sides[f->side_start + k].edge, face[1 - own]};
      LmdCrossing crossing;
      if (d->of_itself && are_neighbours(d->pair->a.surface, which)) continue;
      if (!lmd_pair_edge_crosses(d->pair, own == 0, which, &crossing)) continue;
      set->meets = true;
      if (!d->list_crossings) return;
      set->crossings = arena_grow(d->arena, set->crossings, set->crossing_count + 1,
                                  &d->crossing_capacity, sizeof crossing);
      set->crossings[set->crossing_count++] = crossing;
    }
  }
}

static void look_at_leaves(LmdDescent *d, int look, const FramedNode *p, const FramedNode *q)
{
  if (look & LOOK_CROSSING && (!d->set->meets || d->list_crossings))
    look_at_faces(d, p->simplex, q->simplex);
  if (!(look & LOOK_POINTS)) return;
  LmdPoint point;
  d->set->tried++;
  if (!lmd_pair_test(d->pair, leaf_feature(p), leaf_feature(q), &point)) return;
  d->set->points =
      arena_grow(d->arena, d->set->points, d->set->count + 1, &d->capacity, sizeof point);
  d->set->points[d->set->count++] = point;
}

// What kinds of simplices may have below two nodes.
static int look_of_kinds(const LmdDescent *d, int p, int q)
{
  return (d->any_kind || partners_of(p) & q ? LOOK_POINTS : 0) |
         (p & q & TREE_FACE && (!d->set->meets || d->list_crossings) ? LOOK_CROSSING : 0);
}

// Looks below a node of a and a node of b.
static void descend_pair(LmdDescent *d, int look, const FramedNode *p, const FramedNode *q)
{
  if (p->quad < 0 && q->quad < 0) {
    look_at_leaves(d, look, p, q);
    return;
  }
  // the larger one is opened, and its four compared with the other
  const bool opens_a = q->quad < 0 || (p->quad >= 0 && p->radius >= q->radius);
  const FramedNode *whole = opens_a ? q : p;
  const SurfaceQuad *quad = opens_a ? &d->tree[0]->quads[p->quad] : &d->tree[1]->quads[q->quad];
  FramedQuad opened;
  frame_quad(d, opens_a, quad, &opened);
  const FramedQuad other = spread_node(whole);
  const LookMasks masks =
      opens_a ? look_masks(d, look, &opened, &other) : look_masks(d, look, &other, &opened);
  for (int k = 0; k < LANES && quad->kinds[k] != 0; k++) {
    d->set->nodes++;
    int below = (masks.points[k] ? LOOK_POINTS : 0) | (masks.crossing[k] ? LOOK_CROSSING : 0);
    below &= look;
    if (below) below &= look_of_kinds(d, quad->kinds[k], whole->kinds);
    if (!below) continue;
    const FramedNode child = lane_node(&opened, quad, k);
    if (opens_a) descend_pair(d, below, &child, whole);
    else descend_pair(d, below, whole, &child);
  }
}

// Looks for crossings between all that lies below four nodes of one surface, each pair once.
static void descend_itself(LmdDescent *d, int index)
{
  const SurfaceQuad *quad = &d->tree[0]->quads[index];
  FramedQuad own, turned;
  frame_quad(d, true, quad, &own);
  frame_quad(d, false, quad, &turned);
  for (int i = 0; i < LANES && quad->kinds[i] != 0; i++) {
    if (quad->quad[i] >= 0) descend_itself(d, quad->quad[i]);
    const FramedNode p = lane_node(&own, quad, i);
    const FramedQuad all = spread_node(&p);
    const LookMasks masks = look_masks(d, LOOK_CROSSING, &all, &turned);
    for (int k = i + 1; k < LANES && quad->kinds[k] != 0; k++) {
      d->set->nodes++;
      if (!masks.crossing[k] || !(quad->kinds[i] & quad->kinds[k] & TREE_FACE)) continue;
      const FramedNode q = lane_node(&turned, quad, k);
      descend_pair(d, LOOK_CROSSING, &p, &q);
    }
  }
}

// The root of a tree, as if it was the first of four.
static FramedNode root_of(const LmdDescent *d, bool of_a)
{
  const SurfaceTree *tree = d->tree[of_a ? 0 : 1];
  const SurfaceNode *node = &tree->root;
  const vec3 center = of_a ? node->center : vec3_add(mat3_mul(d->rotation, node->center), d->shift);
  return (FramedNode){.center = center,
                      .radius = node->radius,
                      .cosine = -1,
                      .sine = -1,
                      .kinds = node->kinds,
                      .quad = tree->quad_count > 0 ? 0 : -1,
                      .simplex = node->child[1]};
}

void lmd_descend(const LmdPair *pair, const LmdQuery *query, LmdSet *set, Arena *arena)
{
  assert(pair->a.surface->tree.count > 0 && pair->b.surface->tree.count > 0 && "trees are built");
  // the sum of the turn and of rounding, to second order
  const double rounding = BALL_ROUNDING * pair->rounding;
  LmdDescent descent = {.pair = pair,
                        .tree = {&pair->a.surface->tree, &pair->b.surface->tree},
                        .rotation =
                            mat3_mul_mat(mat3_transpose(pair->a.rotation), pair->b.rotation),
                        .shift = mat3_mul_transposed(pair->a.rotation, pair->b.shift),
                        .wide_sine = pair->sine + CONE_ROUNDING * pair->cosine,
                        .wide_cosine = pair->cosine - CONE_ROUNDING * pair->sine,
                        .far = pair->far + rounding,
                        .rounding = rounding,
                        .any_kind = query->any_kind,
                        .list_crossings = query->list_crossings,
                        .of_itself = query->of_itself,
                        .set = set,
                        .arena = arena};
  if (query->of_itself) {
    if (descent.tree[0]->quad_count > 0) descend_itself(&descent, 0);
    return;
  }
  const FramedNode a = root_of(&descent, true), b = root_of(&descent, false);
  descend_pair(&descent, LOOK_POINTS | LOOK_CROSSING, &a, &b);
}
