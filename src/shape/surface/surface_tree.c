// Builds the tree of balls and cones over a surface.
#include "surface_tree.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "order.h"

// A simplex before it has a leaf.
typedef struct {
  vec3 center;
  double key;
  int kind, index;
} TreeItem;

static int order_tree_items(const void *a, const void *b)
{
  const TreeItem *p = a, *q = b;
  if (p->key != q->key) return order_f64(p->key, q->key);
  if (p->kind != q->kind) return order_int(p->kind, q->kind);
  return order_int(p->index, q->index);
}

static vec3 face_middle(const SurfaceComplex *c, const SurfaceFace *face)
{
  vec3 low = c->vertices[c->sides[face->side_start].from].at, high = low;
  for (int k = 1; k < face->side_count; k++) {
    const vec3 at = c->vertices[c->sides[face->side_start + k].from].at;
    low = vec3_min(low, at);
    high = vec3_max(high, at);
  }
  return vec3_scale(0.5, vec3_add(low, high));
}

static SurfaceNode leaf_new(const SurfaceComplex *c, const TreeItem *item)
{
  assert(item->index >= 0 && "a simplex has a number");
  SurfaceNode node = {
      .center = item->center, .cosine = -1, .kinds = item->kind, .child = {-1, item->index}};
  NormalCone cone = {{0, 0, 0}, -1};
  if (item->kind == TREE_VERTEX) {
    cone = c->vertices[item->index].cone;
  } else if (item->kind == TREE_FACE) {
    const SurfaceFace *face = &c->faces[item->index];
    cone = (NormalCone){face->normal, 1};
    for (int k = 0; k < face->side_count; k++) {
      const vec3 at = c->vertices[c->sides[face->side_start + k].from].at;
      node.radius = larger_of(node.radius, vec3_norm(vec3_sub(at, node.center)));
    }
  } else {
    const SurfaceEdge *edge = &c->edges[item->index];
    node.radius = 0.5 * edge->length;
    if (item->kind == TREE_EDGE) cone = edge->cone;
  }
  node.axis = cone.axis;
  node.cosine = cone.cosine;
  node.sine = sqrt(larger_of(1 - cone.cosine * cone.cosine, 0));
  return node;
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

// A cone about two cones: about the middle of their axes, wide enough for both.
static void join_cones(const SurfaceNode *p, const SurfaceNode *q, SurfaceNode *both)
{
  both->cosine = -1;
  both->sine = 0;
  const vec3 sum = vec3_add(p->axis, q->axis);
  const double length = vec3_norm(sum);
  if (p->cosine <= -1 || q->cosine <= -1 || length < SURFACE_SINE) return;
  both->axis = vec3_scale(1 / length, sum);
  double least = 1;
  const SurfaceNode *children[2] = {p, q};
  for (int k = 0; k < 2; k++) {
    const double c = smaller_of(vec3_dot(both->axis, children[k]->axis), 1);
    const double s = sqrt(larger_of(1 - c * c, 0));
    // the sum of both angles is half a turn or more
    if (s * children[k]->cosine + c * children[k]->sine < 0) return;
    least = smaller_of(least, c * children[k]->cosine - s * children[k]->sine);
  }
  both->cosine = least;
  both->sine = sqrt(larger_of(1 - least * least, 0));
}

static int build_node(const SurfaceComplex *c, TreeItem *items, int count, SurfaceTree *tree)
{
  const int at = tree->count++;
  if (count == 1) {
    tree->nodes[at] = leaf_new(c, items);
    return at;
  }
  vec3 low = items[0].center, high = low;
  for (int i = 1; i < count; i++) {
    low = vec3_min(low, items[i].center);
    high = vec3_max(high, items[i].center);
  }
  const vec3 size = vec3_sub(high, low);
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  for (int i = 0; i < count; i++) {
    const vec3 x = items[i].center;
    items[i].key = axis == 0 ? x.x : axis == 1 ? x.y : x.z;
  }
  qsort(items, (size_t)count, sizeof *items, order_tree_items);
  const int half = count / 2;
  SurfaceNode node = {
      .child = {build_node(c, items, half, tree), build_node(c, items + half, count - half, tree)}};
  const SurfaceNode *p = &tree->nodes[node.child[0]], *q = &tree->nodes[node.child[1]];
  node.kinds = p->kinds | q->kinds;
  join_balls(p, q, &node);
  join_cones(p, q, &node);
  tree->nodes[at] = node;
  return at;
}

SurfaceTree surface_tree_build(const SurfaceComplex *complex, Arena *arena)
{
  const int most = complex->vertex_count + complex->edge_count + complex->face_count;
  SurfaceTree tree = {.nodes = arena_allocate(arena, 2 * (size_t)most * sizeof *tree.nodes)};
  TreeItem *items = arena_allocate(arena, (size_t)most * sizeof *items);
  int count = 0;
  for (int v = 0; v < complex->vertex_count; v++) {
    const SurfaceVertex *vertex = &complex->vertices[v];
    if (vertex->class == SURFACE_CORNER)
      items[count++] = (TreeItem){.center = vertex->at, .kind = TREE_VERTEX, .index = v};
  }
  for (int e = 0; e < complex->edge_count; e++) {
    const SurfaceEdge *edge = &complex->edges[e];
    const vec3 sum =
        vec3_add(complex->vertices[edge->vertex[0]].at, complex->vertices[edge->vertex[1]].at);
    items[count++] = (TreeItem){.center = vec3_scale(0.5, sum),
                                .kind = edge->class == SURFACE_RIDGE ? TREE_EDGE : TREE_HIDDEN_EDGE,
                                .index = e};
  }
  for (int f = 0; f < complex->face_count; f++)
    items[count++] = (TreeItem){
        .center = face_middle(complex, &complex->faces[f]), .kind = TREE_FACE, .index = f};
  assert(count > 0 && "a surface has simplices");
  build_node(complex, items, count, &tree);
  return tree;
}
