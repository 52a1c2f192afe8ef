// Joins triangles along their edges: closed pieces, fans, and which way faces look.
#include <assert.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "edge_sides.h"
#include "mesh_surface.h"
#include "mesh_union.h"

static EdgeSide *sorted_sides(const Surface *s, Arena *scratch)
{
  EdgeSide *sides = arena_allocate(scratch, 3 * (size_t)s->count * sizeof(EdgeSide));
  for (int e = 0; e < 3 * s->count; e++) sides[e] = edge_side(edge_start(s, e), edge_end(s, e), e);
  edge_sides_sort(sides, 3 * s->count);
  return sides;
}

int mesh_surface_join(Surface *surface, int *piece, Arena *arena)
{
  assert(surface->count >= 0 && surface->count <= INT_MAX / 3 && "edges are counted in ints");
  const int edges = 3 * surface->count;
  surface->mates = arena_allocate(arena, (size_t)edges * sizeof(int));
  const ArenaMark mark = arena_mark(arena);
  const EdgeSide *sides = sorted_sides(surface, arena);
  int *parent = union_new(surface->count, arena);
  for (int first = 0, end; first < edges; first = end) {
    end = edge_sides_end(sides, edges, first);
    for (int i = first; i < end; i++) {
      union_join(parent, sides[first].side / 3, sides[i].side / 3);
      surface->mates[sides[i].side] = end - first == 1 ? EDGE_OPEN : EDGE_CROWDED;
    }
    if (end - first != 2) continue;
    surface->mates[sides[first].side] = sides[first + 1].side;
    surface->mates[sides[first + 1].side] = sides[first].side;
  }
  const int pieces = union_number(parent, surface->count, piece);
  arena_release(arena, mark);
  return pieces;
}

// Swaps corners 1 and 2: edge 0 <-> edge 2, edge 1 stays.
static void turn_triangle(Surface *s, int t)
{
  assert_debug(t >= 0 && t < s->count && "a triangle has a number");
  int *triangle = s->triangles[t], *mates = &s->mates[3 * t];
  const int corner = triangle[1], mate = mates[0];
  triangle[1] = triangle[2], triangle[2] = corner;
  mates[0] = mates[2], mates[2] = mate;
  for (int k = 0; k < 3; k += 2) {
    if (mates[k] >= 0) s->mates[mates[k]] = 3 * t + k;
  }
}

bool mesh_surface_orient(Surface *surface, bool *turned, int *edge, Arena *scratch)
{
  assert((surface->mates != NULL || surface->count == 0) && "edges are joined");
  assert(turned != NULL && edge != NULL && "the answer has a place");
  const ArenaMark mark = arena_mark(scratch);
  bool *seen = arena_allocate_zero(scratch, (size_t)surface->count, sizeof(bool));
  int *queue = arena_allocate(scratch, (size_t)surface->count * sizeof(int));
  memset(turned, 0, (size_t)surface->count * sizeof(bool));
  bool oriented = true;
  for (int root = 0; root < surface->count && oriented; root++) {
    if (seen[root]) continue;
    int count = 0;
    seen[root] = true;
    queue[count++] = root;
    for (int i = 0; i < count && oriented; i++) {
      for (int e = 3 * queue[i]; e < 3 * queue[i] + 3 && oriented; e++) {
        const int mate = surface->mates[e];
        if (mate < 0) continue;
        const bool agrees = edge_start(surface, e) == edge_end(surface, mate);
        const int other = mate / 3;
        if (!seen[other]) {
          if (!agrees) turn_triangle(surface, other), turned[other] = true;
          seen[other] = true;
          queue[count++] = other;
        } else if (!agrees) {
          oriented = false;
          *edge = e;
        }
      }
    }
  }
  arena_release(scratch, mark);
  return oriented;
}

void mesh_surface_reverse(Surface *surface)
{
  assert((surface->mates != NULL || surface->count == 0) && "edges are joined");
  for (int t = 0; t < surface->count; t++) turn_triangle(surface, t);
}

double mesh_surface_triangle_height(const vec3 *points, const int *triangle, int *edge)
{
  assert_debug(triangle[0] >= 0 && triangle[1] >= 0 && triangle[2] >= 0 && "corners are vertices");
  double longest = -1;
  *edge = 0;
  for (int k = 0; k < 3; k++) {
    const double length = vec3_norm(vec3_sub(points[triangle[(k + 1) % 3]], points[triangle[k]]));
    if (length > longest) longest = length, *edge = k;
  }
  if (longest <= 0) return 0;
  const vec3 corner = points[triangle[0]];
  const vec3 cross =
      vec3_cross(vec3_sub(points[triangle[1]], corner), vec3_sub(points[triangle[2]], corner));
  return vec3_norm(cross) / longest;
}

static void join_edges(Surface *s, int a, int b)
{
  s->mates[a] = b;
  s->mates[b] = a;
}

// Edge e runs from b to a in the triangle a, m, b; its mate from a to b in the triangle a, b, c.
// They become a, m, c and m, b, c.
static void flip_edge(Surface *s, int e)
{
  assert(e >= 0 && e < 3 * s->count && s->mates[e] >= 0 && "two triangles share the edge");
  const int f = s->mates[e];
  const int a = edge_end(s, e), b = edge_start(s, e);
  const int m = edge_opposite(s, e), c = edge_opposite(s, f);
  const int am = s->mates[edge_next(e)], mb = s->mates[edge_next(edge_next(e))];
  const int bc = s->mates[edge_next(f)], ca = s->mates[edge_next(edge_next(f))];
  const int p = 3 * (e / 3), q = 3 * (f / 3);
  int *one = s->triangles[e / 3], *two = s->triangles[f / 3];
  one[0] = a, one[1] = m, one[2] = c;
  two[0] = m, two[1] = b, two[2] = c;
  // edges of its own two triangles among the outer ones have moved too
  const int old[4] = {edge_next(e), edge_next(edge_next(e)), edge_next(f), edge_next(edge_next(f))};
  const int now[4] = {p, q, q + 1, p + 2};
  const int outer[4] = {am, mb, bc, ca};
  int renamed[4];
  for (int i = 0; i < 4; i++) {
    renamed[i] = outer[i];
    for (int k = 0; k < 4; k++) {
      if (outer[i] == old[k]) renamed[i] = now[k];
    }
  }
  for (int i = 0; i < 4; i++) join_edges(s, now[i], renamed[i]);
  join_edges(s, p + 1, q + 2);
}

// Each edge is passed by two triangles, once each way.
static bool edges_are_sound(const Surface *s, Arena *scratch)
{
  const ArenaMark mark = arena_mark(scratch);
  const EdgeSide *sides = sorted_sides(s, scratch);
  bool sound = true;
  for (int i = 0; i < 3 * s->count && sound; i += 2) {
    sound = edge_sides_end(sides, 3 * s->count, i) == i + 2 &&
            edge_start(s, sides[i].side) == edge_end(s, sides[i + 1].side) &&
            s->mates[sides[i].side] == sides[i + 1].side;
  }
  for (int t = 0; t < s->count && sound; t++) {
    const int *v = s->triangles[t];
    sound = v[0] != v[1] && v[1] != v[2] && v[2] != v[0];
  }
  arena_release(scratch, mark);
  return sound;
}

bool mesh_surface_flip_flat(Surface *surface, const vec3 *points, double tolerance, Arena *scratch)
{
  assert(tolerance >= 0 && "triangles are flat within a distance");
  assert((surface->mates != NULL || surface->count == 0) && "edges are joined");
  const ArenaMark mark = arena_mark(scratch);
  int *queue = arena_allocate(scratch, (size_t)surface->count * sizeof(int));
  int flat = 0, edge;
  for (int t = 0; t < surface->count; t++) {
    if (mesh_surface_triangle_height(points, surface->triangles[t], &edge) <= tolerance)
      queue[flat++] = t;
  }
  // flat neighbours hand their edges on to each other; each flip of two shortens an edge
  int64_t rounds = 1000 * ((int64_t)flat + 16);
  const bool any = flat > 0;
  for (int i = 0; flat > 0 && rounds > 0; rounds--) {
    i = i < flat ? i : 0;
    const int t = queue[i];
    if (mesh_surface_triangle_height(points, surface->triangles[t], &edge) > tolerance) {
      queue[i] = queue[--flat];
      continue;
    }
    const int mate = surface->mates[3 * t + edge], other = mate / 3;
    if (edge_opposite(surface, mate) == edge_opposite(surface, 3 * t + edge)) break;
    int other_edge;
    const bool both =
        mesh_surface_triangle_height(points, surface->triangles[other], &other_edge) <= tolerance;
    if (both && other_edge != mate % 3) {   // the neighbour's own longest edge goes first
      i++;
      continue;
    }
    flip_edge(surface, 3 * t + edge);
    if (!both &&
        mesh_surface_triangle_height(points, surface->triangles[other], &edge) <= tolerance) {
      queue[flat++] = other;
      if (flat >= surface->count) break;
    }
  }
  const bool done = flat == 0 && (!any || edges_are_sound(surface, scratch));
  arena_release(scratch, mark);
  return done;
}

int mesh_surface_fans(const Surface *surface, int *fan, Arena *scratch)
{
  assert((surface->mates != NULL || surface->count == 0) && "edges are joined");
  const ArenaMark mark = arena_mark(scratch);
  const int corners = 3 * surface->count;
  int *parent = union_new(corners, scratch);
  for (int e = 0; e < corners; e++) {
    const int mate = surface->mates[e];
    if (mate < 0) continue;
    union_join(parent, e, edge_next(mate));   // the start of the edge is the end of its mate
    union_join(parent, edge_next(e), mate);
  }
  const int fans = union_number(parent, corners, fan);
  arena_release(scratch, mark);
  return fans;
}
