// Builds the tree of balls and cones over a surface.
#include "surface_tree.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#define MANY_LEAVES 2000   // of a node: its ball is then that about its children's balls

// A leaf by its place along an axis.
typedef struct {
  double key;
  int leaf;
} TreePlace;

// Leaves are sorted within the stretch of each node.
typedef struct {
  const SurfaceComplex *complex;
  TreeCuts cuts;
  SurfaceNode *leaves;
  TreePlace *places;   // [leaves]
  SurfaceNode *nodes;
  int count;   // of nodes
} TreeBuild;

// Leaves of a node: places first <= i < end.
typedef struct {
  int first, end;
} LeafRange;

// The corners of a simplex, one after another; false after the last.
static bool leaf_corner(const SurfaceComplex *c, const SurfaceNode *leaf, int k, vec3 *corner)
{
  const int index = leaf->child[1];
  int vertex = index;
  if (leaf->kinds == TREE_FACE) {
    if (k >= c->faces[index].side_count) return false;
    vertex = c->sides[c->faces[index].side_start + k].from;
  } else if (leaf->kinds == TREE_VERTEX) {
    if (k > 0) return false;
  } else {
    if (k > 1) return false;
    vertex = c->edges[index].vertex[k];
  }
  *corner = c->vertices[vertex].at;
  return true;
}

// The middle of the box of the corners of leaves.
static vec3 corners_middle(const TreeBuild *build, LeafRange range)
{
  assert(range.first < range.end && "a node has leaves");
  vec3 low = {INFINITY, INFINITY, INFINITY}, high = vec3_neg(low), corner;
  for (int i = range.first; i < range.end; i++) {
    const SurfaceNode *leaf = &build->leaves[build->places[i].leaf];
    for (int k = 0; leaf_corner(build->complex, leaf, k, &corner); k++) {
      low = vec3_min(low, corner);
      high = vec3_max(high, corner);
    }
  }
  return vec3_scale(0.5, vec3_add(low, high));
}

static double corners_radius(const TreeBuild *build, LeafRange range, vec3 center)
{
  double square = 0;
  vec3 corner;
  for (int i = range.first; i < range.end; i++) {
    const SurfaceNode *leaf = &build->leaves[build->places[i].leaf];
    for (int k = 0; leaf_corner(build->complex, leaf, k, &corner); k++) {
      const vec3 arm = vec3_sub(corner, center);
      square = larger_of(square, vec3_dot(arm, arm));
    }
  }
  return sqrt(square);
}

// Fills how far corners are from the centre along the axis.
static void corners_heights(const TreeBuild *build, LeafRange range, SurfaceNode *node)
{
  node->low = node->high = 0;
  if (node->cosine <= -1) return;
  node->low = node->radius;
  node->high = -node->radius;
  vec3 corner;
  for (int i = range.first; i < range.end; i++) {
    const SurfaceNode *leaf = &build->leaves[build->places[i].leaf];
    for (int k = 0; leaf_corner(build->complex, leaf, k, &corner); k++) {
      const double height = vec3_dot(node->axis, vec3_sub(corner, node->center));
      node->low = smaller_of(node->low, height);
      node->high = larger_of(node->high, height);
    }
  }
}

// A ball about two balls.
static void join_balls(const SurfaceNode *p, const SurfaceNode *q, SurfaceNode *both)
{
  const vec3 between = vec3_sub(q->center, p->center);
  const double distance = vec3_norm(between);
  if (distance + q->radius <= p->radius || distance + p->radius <= q->radius) {
    const SurfaceNode *larger = p->radius >= q->radius ? p : q;
    both->center = larger->center;
    both->radius = larger->radius;
    return;
  }
  both->radius = 0.5 * (distance + p->radius + q->radius);
  both->center = vec3_axpy((both->radius - p->radius) / distance, between, p->center);
}

// Widens a cone about its axis, by its cosine, until it holds another one; false where that takes
// a half space.
static bool cone_take(vec3 axis, double *cosine, const SurfaceNode *node)
{
  if (node->cosine <= -1) return false;
  const double c = smaller_of(vec3_dot(axis, node->axis), 1);
  const double s = sqrt(larger_of(1 - c * c, 0));
  // the sum of both angles is half a turn or more
  if (s * node->cosine + c * node->sine < 0) return false;
  *cosine = smaller_of(*cosine, c * node->cosine - s * node->sine);
  return true;
}

static void node_set_cone(SurfaceNode *node, vec3 axis, double cosine)
{
  if (cosine <= node->cosine) return;
  node->axis = axis;
  node->cosine = cosine;
  node->sine = sqrt(larger_of(1 - cosine * cosine, 0));
}

// The narrower cone of two: about the middle of the children's axes, and about the mean of all.
static void join_cones(const TreeBuild *build, LeafRange range, SurfaceNode *node)
{
  assert(node->child[0] >= 0 && "a node has children");
  node->axis = (vec3){0, 0, 0};
  node->cosine = -1;
  node->sine = 0;
  const SurfaceNode *p = &build->nodes[node->child[0]];
  const SurfaceNode *q = &build->nodes[node->child[1]];
  vec3 sum = vec3_add(p->axis, q->axis);
  double length = vec3_norm(sum), cosine = 1;
  if (length >= SURFACE_SINE) {
    const vec3 axis = vec3_scale(1 / length, sum);
    if (cone_take(axis, &cosine, p) && cone_take(axis, &cosine, q))
      node_set_cone(node, axis, cosine);
  }
  sum = (vec3){0, 0, 0};
  for (int i = range.first; i < range.end; i++)
    sum = vec3_add(sum, build->leaves[build->places[i].leaf].axis);
  length = vec3_norm(sum);
  if (length < SURFACE_SINE) return;
  const vec3 axis = vec3_scale(1 / length, sum);
  cosine = 1;
  for (int i = range.first; i < range.end; i++) {
    if (!cone_take(axis, &cosine, &build->leaves[build->places[i].leaf])) return;
  }
  node_set_cone(node, axis, cosine);
}

static bool place_before(TreePlace p, TreePlace q)
{
  return p.key != q.key ? p.key < q.key : p.leaf < q.leaf;
}

// Puts the lower half of a range first (Hoare 1961); both halves as sets depend on keys alone.
static int split_range(TreePlace *places, LeafRange range)
{
  const int half = range.first + (range.end - range.first) / 2;
  int low = range.first, high = range.end - 1;
  while (low < high) {
    const TreePlace pivot = places[low + (high - low) / 2];
    int i = low, j = high;
    while (i <= j) {
      while (place_before(places[i], pivot)) i++;
      while (place_before(pivot, places[j])) j--;
      if (i > j) break;
      const TreePlace other = places[i];
      places[i++] = places[j];
      places[j--] = other;
    }
    if (half <= j) high = j;
    else if (half >= i) low = i;
    else break;
  }
  return half;
}

// Cuts a range in halves along the longest side of the box of middles, or of normals.
static int cut_range(TreeBuild *build, LeafRange range, bool by_normal)
{
  vec3 low = {INFINITY, INFINITY, INFINITY}, high = vec3_neg(low);
  for (int i = range.first; i < range.end; i++) {
    const SurfaceNode *leaf = &build->leaves[build->places[i].leaf];
    const vec3 x = by_normal ? leaf->axis : leaf->center;
    low = vec3_min(low, x);
    high = vec3_max(high, x);
  }
  const vec3 size = vec3_sub(high, low);
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  for (int i = range.first; i < range.end; i++) {
    const SurfaceNode *leaf = &build->leaves[build->places[i].leaf];
    build->places[i].key = vec3_component(by_normal ? leaf->axis : leaf->center, axis);
  }
  return split_range(build->places, range);
}

static int build_node(TreeBuild *build, LeafRange range, int depth)
{
  const int at = build->count++;
  if (range.end == range.first + 1) {
    build->nodes[at] = build->leaves[build->places[range.first].leaf];
    return at;
  }
  const int half = cut_range(build, range, build->cuts == TREE_CUTS_IN_TURN && depth % 2 == 1);
  const int first = build_node(build, (LeafRange){range.first, half}, depth + 1);
  SurfaceNode node = {.child = {first, build_node(build, (LeafRange){half, range.end}, depth + 1)}};
  const SurfaceNode *p = &build->nodes[node.child[0]], *q = &build->nodes[node.child[1]];
  node.kinds = p->kinds | q->kinds;
  join_balls(p, q, &node);
  const bool many = range.end - range.first > MANY_LEAVES;
  const vec3 middle = many ? node.center : corners_middle(build, range);
  const double radius = many ? node.radius : corners_radius(build, range, middle);
  if (radius < node.radius) {
    node.center = middle;
    node.radius = radius;
  }
  join_cones(build, range, &node);
  corners_heights(build, range, &node);
  build->nodes[at] = node;
  return at;
}

static SurfaceNode leaf_new(const TreeBuild *build, int place, int kind, int index)
{
  assert(index >= 0 && "a simplex has a number");
  const SurfaceComplex *c = build->complex;
  SurfaceNode leaf = {.kinds = kind, .child = {-1, index}};
  NormalCone cone = {{0, 0, 0}, -1};
  if (kind == TREE_VERTEX) cone = c->vertices[index].cone;
  else if (kind == TREE_FACE) cone = (NormalCone){c->faces[index].normal, 1};
  else if (kind == TREE_EDGE) cone = c->edges[index].cone;
  leaf.axis = cone.axis;
  leaf.cosine = cone.cosine;
  leaf.sine = sqrt(larger_of(1 - cone.cosine * cone.cosine, 0));
  // the measures of nodes, for a range of this leaf alone
  build->places[place] = (TreePlace){0, place};
  build->leaves[place] = leaf;
  const LeafRange range = {place, place + 1};
  leaf.center = corners_middle(build, range);
  leaf.radius = corners_radius(build, range, leaf.center);
  corners_heights(build, range, &leaf);
  return leaf;
}

static void quad_set(SurfaceQuad *quad, int lane, const SurfaceNode *node)
{
  lane3_set(&quad->center, lane, node->center);
  lane3_set(&quad->axis, lane, node->axis);
  quad->radius[lane] = node->radius;
  quad->cosine[lane] = node->cosine;
  quad->sine[lane] = node->sine;
  quad->low[lane] = node->low;
  quad->high[lane] = node->high;
  quad->kinds[lane] = node->kinds;
  quad->quad[lane] = -1;
  quad->simplex[lane] = node->child[0] < 0 ? node->child[1] : -1;
}

// The four nodes below a node that is no leaf; returns their number.
static int build_quad(const TreeBuild *build, SurfaceTree *tree, int index)
{
  const SurfaceNode *node = &build->nodes[index];
  assert(node->child[0] >= 0 && "a leaf has nothing below");
  int below[LANES], count = 0;
  for (int k = 0; k < 2; k++) {
    const SurfaceNode *child = &build->nodes[node->child[k]];
    if (child->child[0] < 0) {
      below[count++] = node->child[k];
      continue;
    }
    below[count++] = child->child[0];
    below[count++] = child->child[1];
  }
  const int at = tree->quad_count++;
  tree->quads[at] = (SurfaceQuad){.kinds = {0}, .quad = {-1, -1, -1, -1}};
  for (int k = 0; k < count; k++) {
    quad_set(&tree->quads[at], k, &build->nodes[below[k]]);
    if (build->nodes[below[k]].child[0] < 0) continue;
    const int next = build_quad(build, tree, below[k]);
    tree->quads[at].quad[k] = next;
  }
  return at;
}

SurfaceTree surface_tree_build(const SurfaceComplex *complex, TreeCuts cuts, Arena *arena)
{
  const size_t most =
      (size_t)complex->vertex_count + (size_t)complex->edge_count + (size_t)complex->face_count;
  // at least two nodes are below each four, but for one at the bottom
  SurfaceTree tree = {.quads = arena_allocate(arena, (most + 1) * sizeof *tree.quads)};
  const ArenaMark mark = arena_mark(arena);
  SurfaceNode *leaves = arena_allocate(arena, most * sizeof *leaves);
  TreeBuild build = {.complex = complex,
                     .cuts = cuts,
                     .leaves = leaves,
                     .places = arena_allocate(arena, most * sizeof(TreePlace)),
                     .nodes = arena_allocate(arena, 2 * most * sizeof(SurfaceNode))};
  int count = 0;
  for (int v = 0; v < complex->vertex_count; v++) {
    if (complex->vertices[v].class != SURFACE_CORNER) continue;
    leaves[count] = leaf_new(&build, count, TREE_VERTEX, v);
    count++;
  }
  for (int e = 0; e < complex->edge_count; e++) {
    if (complex->edges[e].class != SURFACE_RIDGE) continue;
    leaves[count] = leaf_new(&build, count, TREE_EDGE, e);
    count++;
  }
  for (int f = 0; f < complex->face_count; f++) {
    leaves[count] = leaf_new(&build, count, TREE_FACE, f);
    count++;
  }
  assert(count > 0 && "a surface has simplices");
  build_node(&build, (LeafRange){0, count}, 0);
  tree.count = build.count;
  tree.root = build.nodes[0];
  if (build.count > 1) build_quad(&build, &tree, 0);
  arena_release(arena, mark);
  return tree;
}
