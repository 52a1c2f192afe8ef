// Finds the facets of parts whose true surface is known as triangles.
#include "shape_surface.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "edge_sides.h"

#define SURFACE_COPLANAR 4e-9   // of the part's extent: a triangle this near a face may lie in it
#define SURFACE_DENTED 1e-6     // of the part's extent: likewise, where rounding has dented a face
#define SURFACE_PARALLEL 1e-4   // 1 - cosine: faces that meet at less are told apart by outlines
#define SURFACE_ROUNDING 1e-9   // of the part's extent squared: areas below this are nothing
#define SURFACE_CONVEX 1e-10    // of the part's extent: a dent this shallow is none
#define SURFACE_COLLINEAR 1e-12   // of the part's extent: a corner this near its chord is none

// The triangles of one part and the hull they lie on.
typedef struct {
  const Polyhedron *hull;
  const PartRecipe *recipe;
  const vec3 *points;   // of the recipe, body frame
  int *vertex;          // [points] hull vertex, -1: none
  int *face_start;      // [vertices + 1] into faces_at
  int *faces_at;        // faces around each vertex
  int *face;            // [triangles] the face it lies in
} RecipeSurface;

// A side of a triangle, later of a polygon, in a list where triangle t has sides 3 t to 3 t + 2.
typedef struct {
  int point;              // where it starts
  int next, prev, twin;   // twin -1: outline
  bool gone;
} Side;

// The length of the edge of a side.
typedef struct {
  int side;
  double square;   // m2
} SideLength;

static vec3 triangle_area(const RecipeSurface *s, int triangle)
{
  const int *corner = s->recipe->triangles[triangle];
  const vec3 from = s->points[corner[0]];
  return vec3_scale(
      0.5, vec3_cross(vec3_sub(s->points[corner[1]], from), vec3_sub(s->points[corner[2]], from)));
}

static void surface_match_vertices(RecipeSurface *s, vec3 shift, Arena *scratch)
{
  const Polyhedron *hull = s->hull;
  const int corners = hull->face_start[hull->face_count];
  const mat3 identity = mat3_diagonal(1, 1, 1);
  vec3 *points = arena_allocate(scratch, (size_t)s->recipe->count * sizeof *points);
  s->vertex = arena_allocate(scratch, (size_t)s->recipe->count * sizeof *s->vertex);
  // vertices keep the order of the points, and were placed by the same sums
  int next = 0;
  for (int i = 0; i < s->recipe->count; i++) {
    points[i] = vec3_add(mat3_mul(identity, s->recipe->points[i]), shift);
    const bool same =
        next < hull->vertex_count && memcmp(&points[i], &hull->vertices[next], sizeof(vec3)) == 0;
    s->vertex[i] = same ? next++ : -1;
  }
  s->points = points;
  s->face_start =
      arena_allocate_zero(scratch, (size_t)hull->vertex_count + 2, sizeof *s->face_start);
  s->faces_at = arena_allocate(scratch, (size_t)corners * sizeof *s->faces_at);
  for (int k = 0; k < corners; k++) s->face_start[hull->face_vertices[k] + 2]++;
  for (int v = 0; v < hull->vertex_count; v++) s->face_start[v + 2] += s->face_start[v + 1];
  for (int f = 0; f < hull->face_count; f++) {
    for (int k = hull->face_start[f]; k < hull->face_start[f + 1]; k++) {
      s->faces_at[s->face_start[hull->face_vertices[k] + 1]++] = f;
    }
  }
}

// Does a triangle lie within reach (of the extent) of a face's plane, and mostly look its way?
// *along: its area seen along the normal, m2.
static bool lies_in_face(const RecipeSurface *s, int triangle, vec3 area, int face, double reach,
                         double *along)
{
  assert(face >= 0 && face < s->hull->face_count && "a face has a number");
  const int *corner = s->recipe->triangles[triangle];
  const Plane plane = s->hull->planes[face];
  *along = vec3_dot(area, plane.normal);
  for (int k = 0; k < 3; k++) {
    const double height = vec3_dot(plane.normal, s->points[corner[k]]) - plane.offset;
    if (fabs(height) > reach * s->hull->extent) return false;
  }
  return reach <= SURFACE_COPLANAR || 2 * *along > vec3_norm(area);
}

// How far inside the outline of a face the middle of a triangle lies (m), below zero: outside.
static double depth_in_face(const RecipeSurface *s, int triangle, int face)
{
  const Polyhedron *hull = s->hull;
  const int *corner = s->recipe->triangles[triangle];
  const vec3 sum =
      vec3_add(s->points[corner[0]], vec3_add(s->points[corner[1]], s->points[corner[2]]));
  const vec3 middle = vec3_scale(1.0 / 3, sum);
  const int first = hull->face_start[face], end = hull->face_start[face + 1];
  double depth = INFINITY;
  for (int i = first; i < end; i++) {
    const vec3 from = hull->vertices[hull->face_vertices[i]];
    const vec3 to = hull->vertices[hull->face_vertices[i + 1 < end ? i + 1 : first]];
    const vec3 inward = vec3_cross(hull->planes[face].normal, vec3_sub(to, from));
    const double distance = vec3_dot(inward, vec3_sub(middle, from)) / vec3_norm(inward);
    if (distance < depth) depth = distance;
  }
  return depth;
}

// Of some faces (faces NULL: the first count ones) the one a triangle lies in: among those near it
// the one it looks along most, and among such that are almost parallel the one whose outline holds
// it; -1: none is near.
static int best_face(const RecipeSurface *s, int triangle, const int *faces, int count,
                     double reach)
{
  assert(count >= 0 && reach >= 0 && "faces are counted");
  const vec3 area = triangle_area(s, triangle);
  double most = -INFINITY, along, deepest = -INFINITY;
  int best = -1, near = 0;
  for (int i = 0; i < count; i++) {
    const int f = faces ? faces[i] : i;
    if (!lies_in_face(s, triangle, area, f, reach, &along)) continue;
    near++;
    if (along > most) most = along, best = f;
  }
  for (int i = 0; i < count && near > 1; i++) {
    const int f = faces ? faces[i] : i;
    if (!lies_in_face(s, triangle, area, f, reach, &along)) continue;
    if (along < most - SURFACE_PARALLEL * fabs(most)) continue;
    const double depth = depth_in_face(s, triangle, f);
    if (depth > deepest) deepest = depth, best = f;
  }
  return best;
}

// The face of every triangle. A corner that is a vertex of the hull leaves only its faces to ask;
// the corner with fewest is asked. A triangle that lies in no face (slivers between two faces that
// merged) is -1.
static void surface_find_faces(RecipeSurface *s, Arena *scratch)
{
  const int count = s->recipe->triangle_count;
  s->face = arena_allocate(scratch, (size_t)count * sizeof *s->face);
  for (int t = 0; t < count; t++) {
    int fewest = -1;
    for (int k = 0; k < 3; k++) {
      const int v = s->vertex[s->recipe->triangles[t][k]];
      if (v < 0) continue;
      if (fewest < 0 || s->face_start[v + 1] - s->face_start[v] <
                            s->face_start[fewest + 1] - s->face_start[fewest])
        fewest = v;
    }
    s->face[t] = -1;
    if (fewest >= 0) {
      const int first = s->face_start[fewest];
      s->face[t] =
          best_face(s, t, s->faces_at + first, s->face_start[fewest + 1] - first, SURFACE_COPLANAR);
    }
    if (s->face[t] < 0) s->face[t] = best_face(s, t, NULL, s->hull->face_count, SURFACE_COPLANAR);
    if (s->face[t] < 0) s->face[t] = best_face(s, t, NULL, s->hull->face_count, SURFACE_DENTED);
  }
}

static int compare_lengths(const void *p, const void *q)
{
  const SideLength *a = p, *b = q;
  if (a->square != b->square) return a->square > b->square ? -1 : 1;
  return (a->side > b->side) - (a->side < b->side);
}

// Is the way from -> corner -> to one of a convex polygon of the plane?
static bool corner_is_convex(vec3 from, vec3 corner, vec3 to, vec3 normal, double tolerance)
{
  const vec3 in = vec3_sub(corner, from), out = vec3_sub(to, corner);
  const double turn = vec3_dot(vec3_cross(in, out), normal);
  if (turn <= 0 && vec3_dot(in, out) <= 0) return false;
  return turn >= -tolerance * vec3_norm(vec3_sub(to, from));
}

// Sides of the triangles, with their twins; lengths: of those with a twin once, the longest first.
static Side *make_sides(const RecipeSurface *s, const int *triangles, int count,
                        SideLength *lengths, int *length_count, Arena *scratch)
{
  assert(count >= 0 && "triangles are counted");
  Side *sides = arena_allocate(scratch, 3 * (size_t)count * sizeof *sides);
  EdgeSide *edges = arena_allocate(scratch, 3 * (size_t)count * sizeof *edges);
  for (int i = 0; i < 3 * count; i++) {
    const int *corner = s->recipe->triangles[triangles[i / 3]];
    const int base = i - i % 3, next = (i + 1) % 3;
    sides[i] =
        (Side){.point = corner[i % 3], .next = base + next, .prev = base + (i + 2) % 3, .twin = -1};
    edges[i] = edge_side(corner[i % 3], corner[next], i);
  }
  edge_sides_sort(edges, 3 * count);
  *length_count = 0;
  for (int i = 0, end; i < 3 * count; i = end) {
    end = edge_sides_end(edges, 3 * count, i);
    const int a = edges[i].side, b = edges[end - 1].side;
    if (end - i != 2 || sides[a].point == sides[b].point) continue;
    sides[a].twin = b;
    sides[b].twin = a;
    const vec3 along = vec3_sub(s->points[sides[b].point], s->points[sides[a].point]);
    lengths[(*length_count)++] = (SideLength){a, vec3_dot(along, along)};
  }
  qsort(lengths, (size_t)*length_count, sizeof *lengths, compare_lengths);
  return sides;
}

// Takes away the whole line of sides between two polygons that one of them is of, if their union is
// convex.
static bool merge_across(const RecipeSurface *s, Side *sides, int side, vec3 normal)
{
  assert(side >= 0 && "a side has a number");
  const double tolerance = SURFACE_CONVEX * s->hull->extent;
  int first = side, last = side;
  while (sides[first].prev != last &&
         sides[sides[first].prev].twin == sides[sides[first].twin].next)
    first = sides[first].prev;
  while (sides[last].next != first && sides[sides[last].next].twin == sides[sides[last].twin].prev)
    last = sides[last].next;
  // the line runs from u to v, the twins run back
  const int back_v = sides[last].twin, back_u = sides[first].twin;
  const vec3 u = s->points[sides[first].point], v = s->points[sides[back_v].point];
  const vec3 before_u = s->points[sides[sides[first].prev].point];
  const vec3 after_u = s->points[sides[sides[sides[back_u].next].next].point];
  const vec3 before_v = s->points[sides[sides[back_v].prev].point];
  const vec3 after_v = s->points[sides[sides[sides[last].next].next].point];
  if (!corner_is_convex(before_u, u, after_u, normal, tolerance) ||
      !corner_is_convex(before_v, v, after_v, normal, tolerance))
    return false;
  for (int i = first;; i = sides[i].next) {
    sides[i].gone = sides[sides[i].twin].gone = true;
    if (i == last) break;
  }
  const int to_u = sides[first].prev, from_u = sides[back_u].next;
  const int to_v = sides[back_v].prev, from_v = sides[last].next;
  sides[to_u].next = from_u;
  sides[from_u].prev = to_u;
  sides[to_v].next = from_v;
  sides[from_v].prev = to_v;
  return true;
}

// Takes away sides between polygons whose union stays convex (Hertel and Mehlhorn 1983), the
// longest first, until none is left.
static void merge_polygons(const RecipeSurface *s, Side *sides, const SideLength *lengths,
                           int length_count, vec3 normal)
{
  for (bool merged = true; merged;) {
    merged = false;
    for (int i = 0; i < length_count; i++) {
      const int side = lengths[i].side;
      if (!sides[side].gone && merge_across(s, sides, side, normal)) merged = true;
    }
  }
}

// Corners of the polygon that a side belongs to, without those on a straight line; marks its sides
// as gone. Returns how many.
static int take_polygon(const RecipeSurface *s, Side *sides, int first, vec3 *corners)
{
  assert(first >= 0 && corners != NULL && "a polygon begins with a side");
  int count = 0;
  for (int i = first; !sides[i].gone; i = sides[i].next) {
    sides[i].gone = true;
    corners[count++] = s->points[sides[i].point];
  }
  const double tolerance = SURFACE_COLLINEAR * s->hull->extent;
  int kept = 0;
  for (int i = 0; i < count; i++) {
    const vec3 from = corners[kept > 0 ? kept - 1 : count - 1], to = corners[(i + 1) % count];
    const vec3 here = corners[i];
    const vec3 in = vec3_sub(here, from), out = vec3_sub(to, here);
    const double turn = vec3_norm(vec3_cross(in, out));
    if (turn <= tolerance * vec3_norm(vec3_sub(to, from)) && vec3_dot(in, out) >= 0) continue;
    corners[kept++] = here;
  }
  return kept;
}

typedef struct {
  int count;
  Facet *items;
} FacetList;

static void add_facet(FacetList *list, int face, bool whole, const vec3 *corners, int count,
                      Arena *arena)
{
  assert(count >= 3 && "a facet has three corners");
  vec3 *copy = arena_allocate(arena, (size_t)count * sizeof *copy);
  memcpy(copy, corners, (size_t)count * sizeof *copy);
  list->items[list->count++] =
      (Facet){.face = face, .corner_count = count, .whole = whole, .corners = copy};
}

// Facets of one face from the triangles that lie in it.
static void face_take_facets(const RecipeSurface *s, int face, const int *triangles, int count,
                             FacetList *list, Arena *scratch, Arena *arena)
{
  assert(count >= 0 && "triangles are counted");
  const Polyhedron *hull = s->hull;
  const double nothing = SURFACE_ROUNDING * hull->extent * hull->extent;
  const vec3 normal = hull->planes[face].normal;
  const int first = hull->face_start[face], loop = hull->face_start[face + 1] - first;
  double covered = 0;
  for (int i = 0; i < count; i++) covered += vec3_dot(triangle_area(s, triangles[i]), normal);
  if (covered <= nothing) return;
  const ArenaMark mark = arena_mark(scratch);
  vec3 *corners =
      arena_allocate(scratch, (size_t)(loop > 3 * count ? loop : 3 * count) * sizeof *corners);
  for (int k = 0; k < loop; k++) corners[k] = hull->vertices[hull->face_vertices[first + k]];
  // triangles of a dented face may reach beyond the outline that its hull has
  if (fabs(vec3_dot(polyhedron_area_vector(corners, loop), normal) - covered) <= nothing) {
    add_facet(list, face, true, corners, loop, arena);
  } else {
    int length_count;
    SideLength *lengths = arena_allocate(scratch, 3 * (size_t)count * sizeof *lengths);
    Side *sides = make_sides(s, triangles, count, lengths, &length_count, scratch);
    merge_polygons(s, sides, lengths, length_count, normal);
    for (int i = 0; i < 3 * count; i++) {
      if (sides[i].gone) continue;
      const int corner_count = take_polygon(s, sides, i, corners);
      if (corner_count < 3 ||
          vec3_dot(polyhedron_area_vector(corners, corner_count), normal) <= nothing)
        continue;
      add_facet(list, face, false, corners, corner_count, arena);
    }
  }
  arena_release(scratch, mark);
}

void shape_surface_take_facets(Shape *shape, const PartRecipe *recipe, int index, Arena *scratch,
                               Arena *arena)
{
  assert(index >= 0 && index < shape->part_count && "a part has a number");
  assert(recipe->triangle_count >= 0 && "triangles are counted");
  Part *part = &shape->parts[index];
  const int faces = part->hull.face_count, triangles = recipe->triangle_count;
  part->facet_start = arena_allocate(arena, ((size_t)faces + 1) * sizeof *part->facet_start);
  const ArenaMark mark = arena_mark(scratch);
  RecipeSurface surface = {.hull = &part->hull, .recipe = recipe};
  surface_match_vertices(&surface, vec3_neg(shape->center), scratch);
  surface_find_faces(&surface, scratch);

  // triangles by face
  int *start = arena_allocate_zero(scratch, (size_t)faces + 2, sizeof *start);
  int *sorted = arena_allocate(scratch, (size_t)triangles * sizeof *sorted);
  for (int t = 0; t < triangles; t++) {
    if (surface.face[t] >= 0) start[surface.face[t] + 2]++;
  }
  for (int f = 0; f < faces; f++) start[f + 2] += start[f + 1];
  for (int t = 0; t < triangles; t++) {
    if (surface.face[t] >= 0) sorted[start[surface.face[t] + 1]++] = t;
  }

  FacetList list = {.items = arena_allocate(scratch, (size_t)triangles * sizeof *list.items)};
  for (int f = 0; f < faces; f++) {
    part->facet_start[f] = list.count;
    face_take_facets(&surface, f, sorted + start[f], start[f + 1] - start[f], &list, scratch,
                     arena);
  }
  part->facet_start[faces] = part->facet_count = list.count;
  part->facets = arena_allocate(arena, (size_t)list.count * sizeof *part->facets);
  if (list.count > 0) {
    memcpy(part->facets, list.items, (size_t)list.count * sizeof *part->facets);
  }
  arena_release(scratch, mark);
}
