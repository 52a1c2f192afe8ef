// Directions, classes and normal cones of the vertices and edges of a surface.
#include <assert.h>
#include <math.h>

#include "surface_sides.h"

#define SAME_RAY 1e-8   // rays nearer than this are one

// A direction in which the surface leaves a vertex.
typedef struct {
  vec3 along;    // unit
  bool edge;     // along an edge, not inside a face
  bool convex;   // along a convex one
} Leaving;

typedef struct {
  int count, capacity;
  vec3 *items;
} RayList;

static vec3 unit_of(vec3 v) { return vec3_scale(1 / vec3_norm(v), v); }

static void edge_find_cone(const SurfaceComplex *c, SurfaceEdge *edge)
{
  const vec3 first = c->faces[edge->face[0]].normal, second = c->faces[edge->face[1]].normal;
  edge->into[0] = unit_of(vec3_cross(first, edge->direction));
  edge->into[1] = unit_of(vec3_cross(edge->direction, second));
  const double sine = vec3_dot(first, edge->into[1]);
  const vec3 sum = vec3_add(first, second);
  edge->class =
      sine >= -SURFACE_SINE && sine <= SURFACE_SINE && vec3_dot(edge->into[0], edge->into[1]) < 0
          ? SURFACE_FLAT_EDGE
      : sine < 0 && vec3_norm(sum) > SURFACE_SINE ? SURFACE_RIDGE
                                                  : SURFACE_HIDDEN;
  if (edge->class == SURFACE_HIDDEN) return;
  edge->cone.axis = unit_of(sum);
  edge->cone.cosine =
      smaller_of(vec3_dot(edge->cone.axis, first), vec3_dot(edge->cone.axis, second));
}

// The sides that leave each vertex, with the sides that come before them.
typedef struct {
  int *start;        // [vertices + 1]
  int (*sides)[2];   // the side before, the side that leaves
} VertexSides;

static VertexSides sort_by_vertex(const SurfaceComplex *c, Arena *arena)
{
  VertexSides sorted = {.start =
                            arena_allocate_zero(arena, (size_t)c->vertex_count + 2, sizeof(int)),
                        .sides = arena_allocate(arena, (size_t)c->side_count * sizeof(int[2]))};
  for (int s = 0; s < c->side_count; s++) sorted.start[c->sides[s].from + 2]++;
  for (int v = 0; v < c->vertex_count; v++) sorted.start[v + 2] += sorted.start[v + 1];
  for (int f = 0; f < c->face_count; f++) {
    const int end = c->faces[f].side_start + c->faces[f].side_count;
    int first = c->faces[f].side_start;
    for (int s = first; s < end; s++) {
      const int next = c->sides[s].ends_loop ? first : s + 1;
      int *place = sorted.sides[sorted.start[c->sides[next].from + 1]++];
      place[0] = s;
      place[1] = next;
      if (c->sides[s].ends_loop) first = s + 1;
    }
  }
  return sorted;
}

static vec3 side_direction(const SurfaceComplex *c, int side, int from)
{
  const SurfaceEdge *edge = &c->edges[c->sides[side].edge];
  return edge->vertex[0] == from ? edge->direction : vec3_neg(edge->direction);
}

// Directions of a vertex: its edges, and one inside of each sector of a face that turns by half a
// circle or more, which its edges do not span.
static int find_directions(const SurfaceComplex *c, int v, const int (*sides)[2], int count,
                           Leaving *leaving)
{
  int found = 0;
  for (int i = 0; i < count; i++) {
    const SurfaceEdge *edge = &c->edges[c->sides[sides[i][1]].edge];
    const int face = edge->vertex[0] == v ? edge->face[0] : edge->face[1];
    const vec3 normal = c->faces[face].normal, out = side_direction(c, sides[i][1], v);
    const vec3 back = side_direction(c, sides[i][0], v);
    leaving[found++] =
        (Leaving){.along = out, .edge = true, .convex = edge->class == SURFACE_RIDGE};
    if (vec3_dot(normal, vec3_cross(out, back)) > SURFACE_SINE) continue;
    const vec3 sum = vec3_neg(vec3_add(out, back)), inside = vec3_cross(normal, out);
    const bool straight = vec3_norm(sum) <= SURFACE_SINE;
    leaving[found++] = (Leaving){.along = unit_of(straight ? inside : sum)};
  }
  return found;
}

// Is a candidate at right angles to two directions a normal of the vertex, outside of the solid?
static bool is_ray(const SurfaceComplex *c, const SurfaceVertex *v, const Leaving *leaving,
                   int count, const int pair[2], vec3 z)
{
  for (int k = 0; k < count; k++) {
    if (vec3_dot(z, leaving[k].along) > SURFACE_SINE) return false;
  }
  const Leaving *p = &leaving[pair[0]], *q = &leaving[pair[1]];
  if ((p->edge && !p->convex) || (q->edge && !q->convex)) return false;
  if (p->edge || q->edge) return true;
  for (int k = 0; k < v->face_count; k++) {
    const vec3 normal = c->faces[c->vertex_faces[v->face_start + k]].normal;
    if (vec3_norm(vec3_sub(normal, z)) <= SAME_RAY) return true;
  }
  return false;
}

static void find_rays(const SurfaceComplex *c, const SurfaceVertex *v, const Leaving *leaving,
                      int count, RayList *rays, Arena *arena)
{
  rays->count = 0;
  for (int i = 0; i < count; i++) {
    for (int j = i + 1; j < count; j++) {
      const vec3 cross = vec3_cross(leaving[i].along, leaving[j].along);
      const double length = vec3_norm(cross);
      if (length < SURFACE_SINE) continue;
      for (int sign = -1; sign <= 1; sign += 2) {
        const vec3 z = vec3_scale(sign / length, cross);
        if (!is_ray(c, v, leaving, count, (const int[2]){i, j}, z)) continue;
        bool known = false;
        for (int k = 0; k < rays->count && !known; k++)
          known = vec3_norm(vec3_sub(rays->items[k], z)) <= SAME_RAY;
        if (known) continue;
        rays->items =
            arena_grow(arena, rays->items, rays->count + 1, &rays->capacity, sizeof *rays->items);
        rays->items[rays->count++] = z;
      }
    }
  }
}

static void vertex_find_cone(const SurfaceComplex *c, SurfaceVertex *v, const RayList *rays)
{
  v->cone = (NormalCone){.axis = {0, 0, 0}, .cosine = 1};
  v->class = SURFACE_HIDDEN;
  if (rays->count == 0) return;
  v->class = rays->count >= 3   ? SURFACE_CORNER
             : rays->count == 2 ? SURFACE_RIDGE_POINT
                                : SURFACE_NOTCH;
  if (rays->count == 1) {
    bool plane = true;
    for (int k = 0; k < v->face_count; k++) {
      const vec3 normal = c->faces[c->vertex_faces[v->face_start + k]].normal;
      plane = plane && vec3_norm(vec3_sub(normal, rays->items[0])) <= SAME_RAY;
    }
    if (plane) v->class = SURFACE_FLAT_POINT;
  }
  vec3 sum = {0, 0, 0};
  for (int k = 0; k < rays->count; k++) sum = vec3_add(sum, rays->items[k]);
  v->cone.axis = unit_of(sum);
  for (int k = 0; k < rays->count; k++)
    v->cone.cosine = smaller_of(v->cone.cosine, vec3_dot(v->cone.axis, rays->items[k]));
}

void surface_cones_find(SurfaceComplex *complex, Arena *arena)
{
  assert(complex->face_count > 0 && complex->edge_count > 0 && "a surface has faces and edges");
  for (int e = 0; e < complex->edge_count; e++) edge_find_cone(complex, &complex->edges[e]);
  const VertexSides sorted = sort_by_vertex(complex, arena);
  Leaving *leaving = arena_allocate(arena, 2 * (size_t)complex->side_count * sizeof *leaving);
  complex->directions = arena_allocate(arena, 2 * (size_t)complex->side_count * sizeof(vec3));
  RayList rays = {0};
  int at = 0;
  for (int i = 0; i < complex->vertex_count; i++) {
    SurfaceVertex *v = &complex->vertices[i];
    const int first = sorted.start[i];
    const int count = find_directions(complex, i, (const int(*)[2])sorted.sides + first,
                                      sorted.start[i + 1] - first, leaving);
    v->direction_start = at;
    v->direction_count = count;
    for (int k = 0; k < count; k++) complex->directions[at++] = leaving[k].along;
    find_rays(complex, v, leaving, count, &rays, arena);
    vertex_find_cone(complex, v, &rays);
  }
}
