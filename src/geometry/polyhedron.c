// Convex polyhedra placed, shifted, validated and searched.
#include "polyhedron.h"

#include <assert.h>

#include "check.h"
#include "lane.h"

#define MANY_VERTICES 256   // beyond it planes are compared with the faces beside them alone

vec3 polyhedron_area_vector(const vec3 *corners, int count)
{
  assert(count >= 0 && (corners != NULL || count == 0) && "corners are given");
  vec3 sum = {0, 0, 0};
  for (int i = 1; i + 1 < count; i++) {
    sum = vec3_add(
        sum, vec3_cross(vec3_sub(corners[i], corners[0]), vec3_sub(corners[i + 1], corners[0])));
  }
  return vec3_scale(0.5, sum);
}

// Counts, indices in range, no face without an area, every vertex on a face.
static bool loops_are_sound(const Polyhedron *p)
{
  if (p->vertex_count < 4 || p->face_count < 4 || p->edge_count < 6) return false;
  if (p->vertex_count - p->edge_count + p->face_count != 2) return false;
  if (p->face_start[0] != 0 || p->face_start[p->face_count] != 2 * p->edge_count) return false;
  for (int f = 0; f < p->face_count; f++) {
    if (p->face_start[f + 1] < p->face_start[f] + 3) return false;
  }
  for (int i = 0; i < 2 * p->edge_count; i++) {
    if (p->face_vertices[i] < 0 || p->face_vertices[i] >= p->vertex_count) return false;
  }
  return true;
}

static bool loop_has_step(const Polyhedron *p, int face, int from, int to)
{
  assert(face >= 0 && face < p->face_count && "a face has a number");
  if (face < 0 || face >= p->face_count) return false;
  const int first = p->face_start[face], end = p->face_start[face + 1];
  for (int i = first; i < end; i++) {
    const int next = i + 1 < end ? i + 1 : first;
    if (p->face_vertices[i] == from && p->face_vertices[next] == to) return true;
  }
  return false;
}

static bool edges_ascend(const Polyhedron *p)
{
  for (int e = 1; e < p->edge_count; e++) {
    const int *u = p->edges[e - 1].vertex, *v = p->edges[e].vertex;
    if (!(v[0] < v[1]) || v[0] < u[0] || (v[0] == u[0] && v[1] <= u[1])) return false;
  }
  return p->edges[0].vertex[0] < p->edges[0].vertex[1];
}

// Every edge is a step of two loops, once in each direction, and no edge comes twice. There are as
// many steps as ends of edges, so no step is left without an edge.
static bool edges_are_sound(const Polyhedron *p)
{
  const bool ascending = edges_ascend(p);   // as hulls have them: none comes twice
  for (int e = 0; e < p->edge_count; e++) {
    const Edge *edge = &p->edges[e];
    if (edge->vertex[0] == edge->vertex[1] || edge->face[0] == edge->face[1]) return false;
    if (!loop_has_step(p, edge->face[0], edge->vertex[0], edge->vertex[1])) return false;
    if (!loop_has_step(p, edge->face[1], edge->vertex[1], edge->vertex[0])) return false;
    for (int other = e + 1; !ascending && other < p->edge_count; other++) {
      const int *v = p->edges[other].vertex;
      if (v[0] == edge->vertex[0] && v[1] == edge->vertex[1]) return false;
      if (v[1] == edge->vertex[0] && v[0] == edge->vertex[1]) return false;
    }
  }
  return true;
}

// The plane is a unit plane, the loop lies in it and all vertices lie below it, within reach (m).
static bool plane_fits(const Polyhedron *p, int face, double reach)
{
  assert(face >= 0 && face < p->face_count && "a face has a number");
  const Plane plane = p->planes[face];
  if (!(fabs(vec3_dot(plane.normal, plane.normal) - 1) <= 1e-12)) return false;
  for (int i = 0; i < p->vertex_count && p->vertex_count <= MANY_VERTICES; i++) {
    if (!(vec3_dot(plane.normal, p->vertices[i]) - plane.offset <= reach)) return false;
  }
  for (int i = p->face_start[face]; i < p->face_start[face + 1]; i++) {
    const double height = vec3_dot(plane.normal, p->vertices[p->face_vertices[i]]) - plane.offset;
    if (!(fabs(height) <= reach)) return false;
  }
  return true;
}

// Seen from outside all corners lie on the left of every side, within reach (m).
static bool loop_is_convex(const Polyhedron *p, int face, double reach)
{
  assert(face >= 0 && face < p->face_count && "a face has a number");
  const int first = p->face_start[face], end = p->face_start[face + 1];
  for (int i = first; i < end; i++) {
    const vec3 from = p->vertices[p->face_vertices[i]];
    const vec3 to = p->vertices[p->face_vertices[i + 1 < end ? i + 1 : first]];
    const vec3 side = vec3_sub(to, from);
    const double length = vec3_norm(side);
    if (!(length > 0)) return false;
    const vec3 inward = vec3_scale(1 / length, vec3_cross(p->planes[face].normal, side));
    double width = 0;
    for (int k = first; k < end; k++) {
      const double distance = vec3_dot(inward, vec3_sub(p->vertices[p->face_vertices[k]], from));
      if (!(distance >= -reach)) return false;
      if (distance > width) width = distance;
    }
    if (!(width > 0)) return false;
  }
  return true;
}

// No corner of the face beside an edge lies above the plane of the other one by more than reach:
// with all loops convex, a closed surface that bends inwards nowhere bounds a convex solid.
static bool edges_are_convex(const Polyhedron *p, double reach)
{
  for (int e = 0; e < p->edge_count; e++) {
    for (int side = 0; side < 2; side++) {
      const Plane plane = p->planes[p->edges[e].face[side]];
      const int beside = p->edges[e].face[1 - side];
      for (int i = p->face_start[beside]; i < p->face_start[beside + 1]; i++) {
        const vec3 corner = p->vertices[p->face_vertices[i]];
        if (!(vec3_dot(plane.normal, corner) - plane.offset <= reach)) return false;
      }
    }
  }
  return true;
}

bool polyhedron_is_valid(const Polyhedron *p, double tolerance)
{
  assert(tolerance >= 0 && "a tolerance is a length");
  if (!loops_are_sound(p) || !edges_are_sound(p)) return false;
  for (int i = 0; i < p->vertex_count; i++) {
    if (!vec3_is_finite(p->vertices[i])) return false;
  }
  for (int f = 0; f < p->face_count; f++) {
    if (!plane_fits(p, f, tolerance * p->extent)) return false;
    if (!loop_is_convex(p, f, tolerance * p->extent)) return false;
  }
  if (p->vertex_count > MANY_VERTICES) return edges_are_convex(p, tolerance * p->extent);
  return true;
}

Polyhedron polyhedron_place(const Polyhedron *p, mat3 rotation, vec3 translation, Arena *arena)
{
  assert_debug(vec3_is_finite(translation) && "a solid moves to a place");
  assert_debug(p->vertex_count >= 4 && p->face_count >= 4 &&
               "a solid has four faces and four corners");
  vec3 *vertices = arena_allocate(arena, (size_t)p->vertex_count * sizeof(vec3));
  Plane *planes = arena_allocate(arena, (size_t)p->face_count * sizeof(Plane));
  for (int i = 0; i < p->vertex_count; i++) {
    vertices[i] = vec3_add(mat3_mul(rotation, p->vertices[i]), translation);
  }
  for (int f = 0; f < p->face_count; f++) {
    const vec3 normal = mat3_mul(rotation, p->planes[f].normal);
    planes[f] = (Plane){normal, p->planes[f].offset + vec3_dot(normal, translation)};
  }
  Polyhedron placed = *p;
  placed.vertices = vertices;
  placed.planes = planes;
  return placed;
}

Polyhedron polyhedron_shift(const Polyhedron *p, vec3 translation, Arena *arena)
{
  assert_debug(vec3_is_finite(translation) && "a solid moves to a place");
  assert_debug(p->vertex_count >= 4 && p->face_count >= 4 &&
               "a solid has four faces and four corners");
  vec3 *vertices = arena_allocate(arena, (size_t)p->vertex_count * sizeof *vertices);
  Plane *planes = arena_allocate(arena, (size_t)p->face_count * sizeof *planes);
  // (four vertices are three times four doubles)
  const vec3 t = translation;
  const Lane first = {t.x, t.y, t.z, t.x}, second = {t.y, t.z, t.x, t.y},
             third = {t.z, t.x, t.y, t.z};
  const int whole = p->vertex_count / LANES * LANES;
  for (int v = 0; v < whole; v += LANES) {
    const double *from = &p->vertices[v].x;
    double *to = &vertices[v].x;
    lane_store(to, lane_load(from) + first);
    lane_store(to + LANES, lane_load(from + LANES) + second);
    lane_store(to + 2 * LANES, lane_load(from + 2 * LANES) + third);
  }
  for (int v = whole; v < p->vertex_count; v++) vertices[v] = vec3_add(p->vertices[v], t);
  for (int f = 0; f < p->face_count; f++) {
    const Plane plane = p->planes[f];
    planes[f] = (Plane){plane.normal, plane.offset + vec3_dot(plane.normal, t)};
  }
  Polyhedron shifted = *p;
  shifted.vertices = vertices;
  shifted.planes = planes;
  return shifted;
}

bool polyhedron_holds(const Polyhedron *p, vec3 x, double tolerance)
{
  assert_debug(tolerance >= 0 && "a tolerance is a length");
  for (int f = 0; f < p->face_count; f++) {
    if (plane_height(p->planes[f], x) > tolerance) return false;
  }
  return true;
}

int polyhedron_nearest_face(const Polyhedron *p, vec3 x, double *height)
{
  assert_debug(p->face_count > 0 && height != NULL && "a solid has faces");
  int best = 0;
  *height = -INFINITY;
  for (int f = 0; f < p->face_count; f++) {
    const double h = plane_height(p->planes[f], x);
    if (h > *height) {
      *height = h;
      best = f;
    }
  }
  return best;
}

int *polyhedron_loop_edges(const Polyhedron *p, Arena *arena)
{
  assert(p->face_count >= 4 && p->edge_count >= 6 && "a solid");
  const int corners = p->face_start[p->face_count];
  int *leaving = arena_allocate(arena, (size_t)corners * sizeof *leaving);
  for (int i = 0; i < corners; i++) leaving[i] = -1;
  for (int e = 0; e < p->edge_count; e++) {
    for (int side = 0; side < 2; side++) {
      const int face = p->edges[e].face[side], from = p->edges[e].vertex[side];
      for (int k = p->face_start[face]; k < p->face_start[face + 1]; k++) {
        if (p->face_vertices[k] == from) leaving[k] = e;
      }
    }
  }
  for (int i = 0; i < corners; i++) assert(leaving[i] >= 0 && "every side of a face is an edge");
  return leaving;
}
