// The triangulated convex hull of points of a grid, by exact predicates.
#include "hull_triangles.h"

#include <assert.h>

// A facet of the growing hull; the points above it hang on it as a list, each point on one facet.
typedef struct {
  HullTriangle triangle;
  int first_point;   // above the plane, -1: none
  int next_free;
  int visited;   // number of the insertion that looked at it last
  bool alive, visible;
} GrowingFacet;

typedef struct {
  const GridPoint *points;
  GrowingFacet *facets;
  int facet_count;   // slots in use or free
  int first_free;    // slot, -1: none
  int insertion;
  int *next_point;       // [points]
  int *facet_of_point;   // [points], -1: inside, on the hull or a vertex
  int *facet_from;       // [points], new facet whose horizon edge starts at the vertex
  int *visible;          // facets that see the new point
  int *created;          // facets of the new cone
} Builder;

static double facet_height(const Builder *b, int facet, int point)
{
  assert(facet >= 0 && facet < b->facet_count && "a facet has a number");
  const HullTriangle *t = &b->facets[facet].triangle;
  return exact_height(t->normal, b->points[t->vertex[0]], b->points[point]);
}

static int facet_new(Builder *b, int v0, int v1, int v2)
{
  assert(v0 != v1 && v1 != v2 && v2 != v0 && "a facet has three corners");
  int slot = b->first_free;
  if (slot >= 0) b->first_free = b->facets[slot].next_free;
  else slot = b->facet_count++;
  b->facets[slot] =
      (GrowingFacet){.triangle = {.vertex = {v0, v1, v2}}, .first_point = -1, .alive = true};
  b->facets[slot].triangle.normal = exact_cross(b->points[v0], b->points[v1], b->points[v2]);
  return slot;
}

// Hangs the point on the first facet that sees it.
static void assign_point(Builder *b, int point, const int *facets, int count)
{
  assert(point >= 0 && count >= 0 && "a point has a number");
  b->facet_of_point[point] = -1;
  for (int i = 0; i < count; i++) {
    if (facet_height(b, facets[i], point) > 0) {
      b->facet_of_point[point] = facets[i];
      b->next_point[point] = b->facets[facets[i]].first_point;
      b->facets[facets[i]].first_point = point;
      return;
    }
  }
}

static int furthest_point(const Builder *b, int facet)
{
  int best = -1;
  double largest = 0;
  for (int p = b->facets[facet].first_point; p >= 0; p = b->next_point[p]) {
    const double height = facet_height(b, facet, p);
    if (best < 0 || height > largest || (height >= largest && p < best)) best = p, largest = height;
  }
  return best;
}

// Collects the facets that see the point, from one that does; returns how many.
static int collect_visible(Builder *b, int facet, int point)
{
  assert(facet >= 0 && facet < b->facet_count && "a facet has a number");
  int count = 1;
  b->insertion++;
  b->visible[0] = facet;
  b->facets[facet].visited = b->insertion;
  b->facets[facet].visible = true;
  for (int i = 0; i < count; i++) {
    const HullTriangle *t = &b->facets[b->visible[i]].triangle;
    for (int k = 0; k < 3; k++) {
      GrowingFacet *other = &b->facets[t->neighbor[k]];
      if (other->visited == b->insertion) continue;
      other->visited = b->insertion;
      other->visible = facet_height(b, t->neighbor[k], point) > 0;
      if (other->visible) b->visible[count++] = t->neighbor[k];
    }
  }
  return count;
}

// Cone of new facets from the horizon to the point; returns how many. The horizon is one simple
// loop, and the point lies on the line of none of its edges, because signs are exact.
static int make_cone(Builder *b, int visible_count, int point)
{
  assert(visible_count > 0 && "a point sees a facet");
  int count = 0;
  for (int i = 0; i < visible_count; i++) {
    const HullTriangle t = b->facets[b->visible[i]].triangle;
    for (int k = 0; k < 3; k++) {
      if (b->facets[t.neighbor[k]].visible && b->facets[t.neighbor[k]].visited == b->insertion)
        continue;
      const int from = t.vertex[k], to = t.vertex[(k + 1) % 3];
      const int facet = facet_new(b, from, to, point);
      HullTriangle *outer = &b->facets[t.neighbor[k]].triangle;
      b->facets[facet].triangle.neighbor[0] = t.neighbor[k];
      outer->neighbor[hull_edge_from(outer, to)] = facet;
      b->facet_from[from] = facet;
      b->created[count++] = facet;
    }
  }
  for (int i = 0; i < count; i++) {
    HullTriangle *t = &b->facets[b->created[i]].triangle;
    t->neighbor[1] = b->facet_from[t->vertex[1]];
    b->facets[t->neighbor[1]].triangle.neighbor[2] = b->created[i];
  }
  return count;
}

// Makes the point, which the facet sees, a vertex of the hull.
static void insert_point(Builder *b, int facet, int point)
{
  assert(facet >= 0 && facet < b->facet_count && "a facet has a number");
  const int visible_count = collect_visible(b, facet, point);
  const int created_count = make_cone(b, visible_count, point);
  b->facet_of_point[point] = -1;
  for (int i = 0; i < visible_count; i++) {
    GrowingFacet *old = &b->facets[b->visible[i]];
    for (int p = old->first_point, next; p >= 0; p = next) {
      next = b->next_point[p];
      if (p != point) assign_point(b, p, b->created, created_count);
    }
    old->alive = false;
    old->next_free = b->first_free;
    b->first_free = b->visible[i];
  }
}

static double distance_squared(GridPoint a, GridPoint b)
{
  const double x = (double)(b.x - a.x), y = (double)(b.y - a.y), z = (double)(b.z - a.z);
  return x * x + y * y + z * z;
}

static double cross_squared(WideVector cross)
{
  const vec3 v = exact_round(cross);
  return vec3_dot(v, v);
}

// Four points that span a volume, the last one below the plane of the others; false when there are
// none.
static bool find_simplex(const GridPoint *points, int count, const bool *skipped, int simplex[4])
{
  assert(count >= 0 && "points are counted");
  simplex[0] = -1;
  for (int i = 0; i < count; i++) {
    if (skipped[i]) continue;
    if (simplex[0] < 0 || points[i].x < points[simplex[0]].x) simplex[0] = i;
  }
  if (simplex[0] < 0) return false;
  const GridPoint a = points[simplex[0]];
  for (int k = 1; k < 4; k++) {
    double largest = 0;
    simplex[k] = -1;
    for (int i = 0; i < count; i++) {
      if (skipped[i]) continue;
      double size;
      if (k == 1) size = distance_squared(a, points[i]);
      else if (k == 2) size = cross_squared(exact_cross(a, points[simplex[1]], points[i]));
      else
        size = fabs(
            exact_height(exact_cross(a, points[simplex[1]], points[simplex[2]]), a, points[i]));
      if (size > largest) largest = size, simplex[k] = i;
    }
    if (simplex[k] < 0) return false;
  }
  const WideVector normal = exact_cross(a, points[simplex[1]], points[simplex[2]]);
  if (exact_height(normal, a, points[simplex[3]]) > 0) {
    const int swap = simplex[1];
    simplex[1] = simplex[2];
    simplex[2] = swap;
  }
  return true;
}

static void make_simplex(Builder *b, const int simplex[4], int facets[4])
{
  // face i has no vertex i; across its edge k lies the face without the third vertex of the edge
  static const int corner[4][3] = {{1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
  for (int i = 0; i < 4; i++) {
    facets[i] = facet_new(b, simplex[corner[i][0]], simplex[corner[i][1]], simplex[corner[i][2]]);
  }
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 3; k++) {
      b->facets[facets[i]].triangle.neighbor[k] = facets[corner[i][(k + 2) % 3]];
    }
  }
}

static HullTriangles take_triangles(const Builder *b, Arena *arena)
{
  int *renamed = arena_allocate(arena, (size_t)b->facet_count * sizeof(int));
  HullTriangles hull = {.count = 0};
  for (int i = 0; i < b->facet_count; i++) {
    if (b->facets[i].alive) renamed[i] = hull.count++;
  }
  hull.triangles = arena_allocate(arena, (size_t)hull.count * sizeof(HullTriangle));
  for (int i = 0; i < b->facet_count; i++) {
    if (!b->facets[i].alive) continue;
    HullTriangle *t = &hull.triangles[renamed[i]];
    *t = b->facets[i].triangle;
    for (int k = 0; k < 3; k++) t->neighbor[k] = renamed[t->neighbor[k]];
  }
  return hull;
}

bool hull_triangulate(const GridPoint *points, int count, const bool *skipped, Arena *arena,
                      HullTriangles *hull)
{
  assert(count >= 0 && skipped != NULL && "every point is skipped or not");
  int simplex[4], facets[4];
  if (!find_simplex(points, count, skipped, simplex)) return false;

  // a hull of n vertices has at most 2 n - 4 triangles, and a cone at most n more
  const size_t points_bytes = (size_t)count * sizeof(int);
  const size_t facet_room = 3 * (size_t)count + 8;
  Builder b = {.points = points, .first_free = -1};
  b.facets = arena_allocate(arena, facet_room * sizeof(GrowingFacet));
  b.next_point = arena_allocate(arena, points_bytes);
  b.facet_of_point = arena_allocate(arena, points_bytes);
  b.facet_from = arena_allocate(arena, points_bytes);
  b.visible = arena_allocate(arena, facet_room * sizeof(int));
  b.created = arena_allocate(arena, facet_room * sizeof(int));

  make_simplex(&b, simplex, facets);
  for (int i = 0; i < count; i++) {
    if (skipped[i]) b.facet_of_point[i] = -1;
    else assign_point(&b, i, facets, 4);
  }

  // whatever sees a point is served from its furthest point, until the point itself is in
  for (int i = 0; i < count; i++) {
    while (b.facet_of_point[i] >= 0) {
      const int facet = b.facet_of_point[i];
      insert_point(&b, facet, furthest_point(&b, facet));
    }
  }
  assert((size_t)b.facet_count <= facet_room && "a hull has at most 2 n - 4 triangles");
  *hull = take_triangles(&b, arena);
  return true;
}
