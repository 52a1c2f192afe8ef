// The one-sided Hausdorff distance of two surfaces, by a tree of boxes over triangles.
//
// The distance to a surface grows by no more than one moves, and the distance to one of its
// triangles is largest in a corner. A triangle that is small, or whose corners are all near one
// other triangle, thus holds no largest distance; others are cut in four.
#include "surface_gap.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "arena.h"
#include "box.h"

enum { LEAF = 8, MOST_DEPTH = 64 };
#define GAP_SHARE 0.01    // of the distance: it may be so much less than is told
#define GAP_EXTENT 1e-4   // of the extent, likewise

typedef struct {
  Box box;
  int first, count;   // of a leaf: into order
  int child[2];       // of others
} Node;

typedef struct {
  const GapTriangles *triangles;
  int *order;
  Node *nodes;
  int node_count;
} Tree;

typedef struct {
  double key;
  int triangle;
} Sorted;

static int compare_keys(const void *p, const void *q)
{
  const Sorted *a = p, *b = q;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static int build(Tree *tree, int first, int count, Sorted *sorted)
{
  assert(count > 0 && "a node has triangles");
  const int index = tree->node_count++;
  Box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (int i = first; i < first + count; i++)
    box = box_join(box, box_of_points(tree->triangles->corners[tree->order[i]], 3));
  Node node = {.box = box, .first = first, .count = count};
  if (count > LEAF) {
    const vec3 size = vec3_sub(box.high, box.low);
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    for (int i = first; i < first + count; i++) {
      const vec3 *c = tree->triangles->corners[tree->order[i]];
      const double key = (&c[0].x)[axis] + (&c[1].x)[axis] + (&c[2].x)[axis];
      sorted[i] = (Sorted){key, tree->order[i]};
    }
    qsort(sorted + first, (size_t)count, sizeof *sorted, compare_keys);
    for (int i = first; i < first + count; i++) tree->order[i] = sorted[i].triangle;
    node.child[0] = build(tree, first, count / 2, sorted);
    node.child[1] = build(tree, first + count / 2, count - count / 2, sorted);
    node.count = 0;
  }
  tree->nodes[index] = node;
  return index;
}

static double box_square(Box box, vec3 p)
{
  const double x = fmax(0, fmax(box.low.x - p.x, p.x - box.high.x));
  const double y = fmax(0, fmax(box.low.y - p.y, p.y - box.high.y));
  const double z = fmax(0, fmax(box.low.z - p.z, p.z - box.high.z));
  return x * x + y * y + z * z;
}

static double segment_square(vec3 a, vec3 b, vec3 p)
{
  const vec3 along = vec3_sub(b, a), to = vec3_sub(p, a);
  const double length = vec3_dot(along, along);
  const double t = length > 0 ? fmin(1, fmax(0, vec3_dot(to, along) / length)) : 0;
  const vec3 rest = vec3_axpy(-t, along, to);
  return vec3_dot(rest, rest);
}

static double triangle_square(const vec3 c[3], vec3 p)
{
  const vec3 normal = vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0]));
  const double square = vec3_dot(normal, normal);
  bool above = square > 0;
  for (int k = 0; k < 3 && above; k++) {
    const vec3 side = vec3_sub(c[(k + 1) % 3], c[k]);
    above = vec3_dot(vec3_cross(normal, side), vec3_sub(p, c[k])) >= 0;
  }
  if (above) {
    const double height = vec3_dot(normal, vec3_sub(p, c[0]));
    return height * height / square;
  }
  return fmin(segment_square(c[0], c[1], p),
              fmin(segment_square(c[1], c[2], p), segment_square(c[2], c[0], p)));
}

// The distance to the nearest triangle. *hint: one to begin with, then the nearest.
static double nearest(const Tree *tree, vec3 p, int *hint)
{
  double best = triangle_square(tree->triangles->corners[*hint], p);
  int stack[MOST_DEPTH], depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const Node *node = &tree->nodes[stack[--depth]];
    if (box_square(node->box, p) >= best) continue;
    for (int i = node->first; i < node->first + node->count; i++) {
      const double square = triangle_square(tree->triangles->corners[tree->order[i]], p);
      if (square < best) best = square, *hint = tree->order[i];
    }
    if (node->count > 0) continue;
    // the nearer one first
    const double a = box_square(tree->nodes[node->child[0]].box, p);
    const double b = box_square(tree->nodes[node->child[1]].box, p);
    const int near = b < a;
    assert(depth + 2 <= MOST_DEPTH && "halves of halves end soon");
    stack[depth++] = node->child[!near];
    stack[depth++] = node->child[near];
  }
  return sqrt(best);
}

typedef struct {
  const Tree *tree;
  double extent;
  double best;   // a distance that is there
  int hint;
} Search;

static double slack(const Search *s) { return fmax(GAP_SHARE * s->best, GAP_EXTENT * s->extent); }

static void visit(Search *s, vec3 a, vec3 b, vec3 c)
{
  const vec3 middle = vec3_scale(1.0 / 3, vec3_add(a, vec3_add(b, c)));
  const double distance = nearest(s->tree, middle, &s->hint);
  s->best = fmax(s->best, distance);
  const double reach = fmax(vec3_norm(vec3_sub(a, middle)),
                            fmax(vec3_norm(vec3_sub(b, middle)), vec3_norm(vec3_sub(c, middle))));
  const double enough = s->best + slack(s);
  if (distance + reach <= enough) return;
  const vec3 *near = s->tree->triangles->corners[s->hint];
  const double square =
      fmax(triangle_square(near, a), fmax(triangle_square(near, b), triangle_square(near, c)));
  if (square <= enough * enough) return;
  const vec3 ab = vec3_scale(0.5, vec3_add(a, b)), bc = vec3_scale(0.5, vec3_add(b, c));
  const vec3 ca = vec3_scale(0.5, vec3_add(c, a));
  visit(s, a, ab, ca);
  visit(s, ab, b, bc);
  visit(s, ca, bc, c);
  visit(s, ab, bc, ca);
}

double surface_gap(const GapTriangles *from, const GapTriangles *to)
{
  assert(from->count > 0 && to->count > 0 && "surfaces have triangles");
  Arena arena = arena_new();
  const size_t count = (size_t)to->count;
  Tree tree = {.triangles = to};
  tree.order = arena_allocate(&arena, count * sizeof *tree.order);
  tree.nodes = arena_allocate(&arena, 2 * count * sizeof *tree.nodes);
  Sorted *sorted = arena_allocate(&arena, count * sizeof *sorted);
  for (int i = 0; i < to->count; i++) tree.order[i] = i;
  (void)build(&tree, 0, to->count, sorted);
  Search s = {.tree = &tree, .extent = box_longest_side(tree.nodes[0].box)};
  // a first look makes the second one short
  for (int i = 0; i < from->count; i++)
    s.best = fmax(s.best, nearest(&tree, from->corners[i][0], &s.hint));
  for (int i = 0; i < from->count; i++)
    visit(&s, from->corners[i][0], from->corners[i][1], from->corners[i][2]);
  const double told = s.best + slack(&s);
  arena_destroy(&arena);
  return told;
}
