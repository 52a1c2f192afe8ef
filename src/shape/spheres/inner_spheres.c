// Fills a body with spheres and makes a tree over them.
#include "inner_spheres.h"

#include <stdlib.h>

#include "check.h"
#include "inner_cells.h"
#include "order.h"
#include "trig.h"

#define LEAF_SPHERES 4     // of a node without children, at most
#define NODE_SLACK 1e-12   // of the radius of a node, and of the size of places: rounding
#define NODE_STACK 256     // pairs of nodes that wait

// -- tree -----------------------------------------------------------------------------------------

typedef struct {
  InnerSphere sphere;
  double along;   // coordinate that is sorted by, m
  int number;     // of the sphere as it was found
} TreeItem;

typedef struct {
  TreeItem *items;
  InnerNode *nodes;
  int node_count;
} TreeBuild;

static int compare_items(const void *p, const void *q)
{
  const TreeItem *a = p, *b = q;
  const int by = order_f64(a->along, b->along);
  return by ? by : order_int(a->number, b->number);
}

// Half of the spheres on either side, along the longest side of the box of their centres.
static void build_node(TreeBuild *tree, int node, int first, int end)
{
  TreeItem *items = tree->items;
  vec3 low = items[first].sphere.center, high = low;
  for (int i = first + 1; i < end; i++) {
    low = vec3_min(low, items[i].sphere.center);
    high = vec3_max(high, items[i].sphere.center);
  }
  const vec3 size = vec3_sub(high, low), center = vec3_scale(0.5, vec3_add(low, high));
  double radius = 0;
  for (int i = first; i < end; i++) {
    const double off = vec3_norm(vec3_sub(items[i].sphere.center, center));
    radius = larger_of(radius, off + items[i].sphere.radius);
  }
  tree->nodes[node] = (InnerNode){center, radius * (1 + NODE_SLACK), first, end, 0};
  if (end - first <= LEAF_SPHERES) return;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  for (int i = first; i < end; i++) items[i].along = vec3_component(items[i].sphere.center, axis);
  qsort(items + first, (size_t)(end - first), sizeof *items, compare_items);
  const int children = tree->node_count, middle = first + (end - first) / 2;
  tree->node_count += 2;
  tree->nodes[node].children = children;
  build_node(tree, children, first, middle);
  build_node(tree, children + 1, middle, end);
}

static InnerSpheres tree_of(const InnerSphere *found, int count, Arena *arena)
{
  assert(count >= 0 && "spheres are counted");
  if (count == 0) return (InnerSpheres){0};
  InnerSphere *spheres = arena_allocate(arena, (size_t)count * sizeof *spheres);
  InnerNode *nodes = arena_allocate(arena, 2 * (size_t)count * sizeof *nodes);
  const ArenaMark mark = arena_mark(arena);
  TreeBuild tree = {arena_allocate(arena, (size_t)count * sizeof(TreeItem)), nodes, 1};
  for (int i = 0; i < count; i++) tree.items[i] = (TreeItem){found[i], 0, i};
  build_node(&tree, 0, 0, count);
  double volume = 0;
  for (int i = 0; i < count; i++) {
    spheres[i] = tree.items[i].sphere;
    const double r = spheres[i].radius;
    volume += 4 * TRIG_PI / 3 * r * r * r;
  }
  arena_release(arena, mark);
  return (InnerSpheres){count, spheres, volume, tree.node_count, nodes};
}

InnerSpheres inner_spheres_fill(const Shape *shape, int wanted, Arena *arena)
{
  assert(wanted > 0 && wanted <= INNER_MOST_SPHERES && "a number of spheres");
  assert(!(shape->radii.x > 0) && "ellipsoids are not filled");
  if (shape->sphere_radius > 0) {
    const InnerSphere itself = {{0, 0, 0}, shape->sphere_radius};
    return tree_of(&itself, 1, arena);
  }
  Arena scratch = arena_new();
  const InnerSurface surface = inner_sites_of_shape(shape, &scratch);
  InnerCells *cells = inner_cells_new(&surface);
  InnerSphere *found = arena_allocate(&scratch, (size_t)wanted * sizeof *found);
  int count = 0;
  while (count < wanted && inner_cells_largest(cells, &found[count]))
    inner_cells_add(cells, found[count++]);
  inner_cells_destroy(cells);
  const InnerSpheres inner = tree_of(found, count, arena);
  arena_destroy(&scratch);
  return inner;
}

// -- overlap --------------------------------------------------------------------------------------

typedef struct {
  const InnerPosed *a, *b;
  double rounding;   // of places, m
  Arena *arena;
  int room;
  InnerPairs found;
} OverlapSearch;

// Also where they miss each other by less than what places are rounded by, m.
static bool balls_meet(vec3 p, vec3 q, double reach, double rounding)
{
  const vec3 between = vec3_sub(q, p);
  const double most = reach + rounding;
  return vec3_dot(between, between) <= most * most;
}

static void compare_spheres(OverlapSearch *s, const InnerNode *p, const InnerNode *q)
{
  const InnerSphere *of_a = s->a->inner->spheres, *of_b = s->b->inner->spheres;
  for (int i = p->first; i < p->end; i++) {
    const vec3 place = inner_spheres_place(s->a, of_a[i].center);
    for (int k = q->first; k < q->end; k++) {
      const vec3 other = inner_spheres_place(s->b, of_b[k].center);
      s->found.nodes++;
      if (!balls_meet(place, other, of_a[i].radius + of_b[k].radius, s->rounding)) continue;
      InnerPairs *found = &s->found;
      found->pairs = arena_grow(s->arena, found->pairs, (int64_t)found->count + 1, &s->room,
                                sizeof *found->pairs);
      found->pairs[found->count++] = (InnerPair){i, k};
    }
  }
}

static int compare_pairs(const void *p, const void *q)
{
  const InnerPair *a = p, *b = q;
  const int by = order_int(a->a, b->a);
  return by ? by : order_int(a->b, b->b);
}

// From the body's place to the farthest point of its spheres, at most, m.
static double extent_of(const InnerPosed *posed)
{
  const InnerNode *all = &posed->inner->nodes[0];
  return vec3_norm(all->center) + all->radius;
}

InnerPairs inner_spheres_overlap(const InnerPosed *a, const InnerPosed *b, Arena *arena)
{
  assert_debug(a->inner->count > 0 && b->inner->count > 0 && "both bodies are filled");
  const double rounding =
      NODE_SLACK * (vec3_norm(a->center) + vec3_norm(b->center) + extent_of(a) + extent_of(b));
  OverlapSearch search = {.a = a, .b = b, .rounding = rounding, .arena = arena};
  InnerPair wait[NODE_STACK];
  int waiting = 0;
  wait[waiting++] = (InnerPair){0, 0};
  while (waiting > 0) {
    const InnerPair nodes = wait[--waiting];
    const InnerNode *p = &a->inner->nodes[nodes.a], *q = &b->inner->nodes[nodes.b];
    search.found.nodes++;
    if (!balls_meet(inner_spheres_place(a, p->center), inner_spheres_place(b, q->center),
                    p->radius + q->radius, search.rounding))
      continue;
    if (p->children == 0 && q->children == 0) {
      compare_spheres(&search, p, q);
      continue;
    }
    // the larger one is opened
    const bool first = q->children == 0 || (p->children > 0 && p->radius >= q->radius);
    assert(waiting + 2 <= NODE_STACK && "trees are shallow");
    for (int k = 0; k < 2; k++)
      wait[waiting++] =
          first ? (InnerPair){p->children + k, nodes.b} : (InnerPair){nodes.a, q->children + k};
  }
  InnerPairs *found = &search.found;
  if (found->count > 1)
    qsort(found->pairs, (size_t)found->count, sizeof *found->pairs, compare_pairs);
  return *found;
}
