// Visits overlapping pairs of boxes by a tree, without a list of them.
#include "mesh_boxes.h"

#include <assert.h>

#include "check.h"

#define LEAF_BOXES 4

// A node has the boxes order[first .. first + count); children, of about half of them each, follow
// in the array of nodes.
typedef struct {
  Box box;
  int first, count;
  int left, right;   // -1: a leaf
} Node;

typedef struct {
  const Box *boxes;
  int *order;
  Node *nodes;
  int node_count;
  BoxVisit visit;
  void *context;
} Tree;

// Twice the middle of a box.
static double middle(const Tree *tree, int i, int axis)
{
  assert_debug(axis >= 0 && axis <= 2 && "an axis is x, y or z");
  const Box *box = &tree->boxes[tree->order[i]];
  return (&box->low.x)[axis] + (&box->high.x)[axis];
}

static void swap(int *order, int i, int k)
{
  const int keep = order[i];
  order[i] = order[k];
  order[k] = keep;
}

// Puts the boxes with the lower middles into the first half of [first, last] (Hoare's selection).
static void halve(Tree *tree, int first, int last, int axis)
{
  assert(first <= last && "there are boxes to halve");
  const int half = (first + last) / 2;
  while (first < last) {
    const double pivot = middle(tree, (first + last) / 2, axis);
    int i = first, k = last;
    while (i <= k) {
      while (middle(tree, i, axis) < pivot) i++;
      while (middle(tree, k, axis) > pivot) k--;
      if (i <= k) swap(tree->order, i++, k--);
    }
    if (half <= k) last = k;
    else if (half >= i) first = i;
    else return;
  }
}

static int add_node(Tree *tree, int first, int count)
{
  assert(first >= 0 && count > 0 && "a node has boxes");
  const int index = tree->node_count++;
  Box box = tree->boxes[tree->order[first]];
  vec3 low = vec3_add(box.low, box.high), high = low;
  for (int i = first + 1; i < first + count; i++) {
    const Box other = tree->boxes[tree->order[i]];
    const vec3 twice = vec3_add(other.low, other.high);
    box = (Box){vec3_min(box.low, other.low), vec3_max(box.high, other.high)};
    low = vec3_min(low, twice);
    high = vec3_max(high, twice);
  }
  Node node = {box, first, count, -1, -1};
  if (count > LEAF_BOXES) {
    const vec3 size = vec3_sub(high, low);
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    halve(tree, first, first + count - 1, axis);
    const int half = (first + first + count - 1) / 2 - first + 1;
    node.left = add_node(tree, first, half);
    node.right = add_node(tree, first + half, count - half);
  }
  tree->nodes[index] = node;
  return index;
}

static void visit_boxes(const Tree *tree, int i, int k)
{
  const int a = tree->order[i], b = tree->order[k];
  if (!box_overlaps(tree->boxes[a], tree->boxes[b])) return;
  tree->visit(tree->context, a < b ? a : b, a < b ? b : a);
}

static void visit_two(const Tree *tree, int a, int b)
{
  assert_debug(a >= 0 && a < tree->node_count && b >= 0 && b < tree->node_count &&
               "nodes have numbers");
  const Node *p = &tree->nodes[a], *q = &tree->nodes[b];
  if (!box_overlaps(p->box, q->box)) return;
  if (p->left < 0 && q->left < 0) {
    for (int i = p->first; i < p->first + p->count; i++) {
      for (int k = q->first; k < q->first + q->count; k++) visit_boxes(tree, i, k);
    }
  } else if (q->left < 0 || (p->left >= 0 && p->count >= q->count)) {
    visit_two(tree, p->left, b);
    visit_two(tree, p->right, b);
  } else {
    visit_two(tree, a, q->left);
    visit_two(tree, a, q->right);
  }
}

static void visit_one(const Tree *tree, int a)
{
  assert_debug(a >= 0 && a < tree->node_count && "a node has a number");
  const Node *p = &tree->nodes[a];
  if (p->left < 0) {
    for (int i = p->first; i < p->first + p->count; i++) {
      for (int k = i + 1; k < p->first + p->count; k++) visit_boxes(tree, i, k);
    }
    return;
  }
  visit_one(tree, p->left);
  visit_one(tree, p->right);
  visit_two(tree, p->left, p->right);
}

void mesh_boxes_visit(const Box *boxes, int count, BoxVisit visit, void *context, Arena *scratch)
{
  assert(count >= 0 && visit != NULL && "boxes are counted, and somebody sees their pairs");
  if (count == 0) return;
  const ArenaMark mark = arena_mark(scratch);
  Tree tree = {.boxes = boxes,
               .order = arena_allocate(scratch, (size_t)count * sizeof(int)),
               .nodes = arena_allocate(scratch, 2 * (size_t)count * sizeof(Node)),
               .visit = visit,
               .context = context};
  for (int i = 0; i < count; i++) tree.order[i] = i;
  visit_one(&tree, add_node(&tree, 0, count));
  arena_release(scratch, mark);
}
