// Joins the pieces of one plane into faces and the sides between faces into edges.
#include "surface_complex.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "surface_sides.h"

#define SURFACE_WIDE 1e-6     // of the extent: narrower pieces have a plane that rounding turns
#define SURFACE_EXACT 1e-11   // of the extent: out of a plane by rounding alone

// Sets that are joined; the lowest member stands for its set.
static int set_of(int *parent, int i)
{
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

static void sets_join(int *parent, int i, int j)
{
  const int p = set_of(parent, i), q = set_of(parent, j);
  if (p < q) parent[q] = p;
  else parent[p] = q;
}

static int *sets_new(int count, Arena *arena)
{
  int *parent = arena_allocate(arena, (size_t)count * sizeof *parent);
  for (int i = 0; i < count; i++) parent[i] = i;
  return parent;
}

// The work of a merge.
typedef struct {
  const SurfaceSides *sides;
  int *start, *of_piece;   // sides by piece
  bool *gone;              // [pieces] no part of the surface
  int *face;               // [pieces] face of a piece, -1: gone
  int face_count;
  // of sides between two faces, the outlines
  bool *outline;                  // [sides]
  int *to, *next, *prev, *twin;   // [sides]
  int *corner;                    // [sides] the vertex that a side leaves, as a set of sides
  Arena *arena;
} Merge;

static void sort_by_piece(Merge *m)
{
  const SurfaceSides *sides = m->sides;
  m->start = arena_allocate_zero(m->arena, (size_t)sides->piece_count + 2, sizeof(int));
  m->of_piece = arena_allocate(m->arena, (size_t)sides->count * sizeof(int));
  for (int s = 0; s < sides->count; s++) m->start[sides->piece[s] + 2]++;
  for (int p = 0; p < sides->piece_count; p++) m->start[p + 2] += m->start[p + 1];
  for (int s = 0; s < sides->count; s++) m->of_piece[m->start[sides->piece[s] + 1]++] = s;
}

// How far the corners of a piece are from the plane of another one at most, m.
static double piece_leaves(const Merge *m, int piece, int plane)
{
  const SurfaceSides *sides = m->sides;
  double most = 0;
  for (int i = m->start[piece]; i < m->start[piece + 1]; i++) {
    const vec3 at = sides->points[sides->from[m->of_piece[i]]];
    const double off = fabs(vec3_dot(sides->normals[plane], at) - sides->offsets[plane]);
    most = larger_of(most, off);
  }
  return most;
}

// Pieces that are joined to faces. The plane of a set is that of its piece with the largest area.
typedef struct {
  int *parent, *best;   // [pieces]
  bool *placed;         // [pieces] has a plane, of its own or of a set
} Planes;

static int plane_of(const Planes *planes, int piece)
{
  return planes->best[set_of(planes->parent, piece)];
}

static void planes_join(const Merge *m, Planes *planes, int p, int q)
{
  const int a = plane_of(planes, p), b = plane_of(planes, q);
  sets_join(planes->parent, p, q);
  planes->best[set_of(planes->parent, p)] = m->sides->areas[b] > m->sides->areas[a] ? b : a;
}

// Is a piece wide enough to have a plane that rounding leaves alone?
static bool is_wide(const SurfaceSides *sides, int piece)
{
  return sides->widths[piece] > SURFACE_WIDE * sides->extent;
}

// Are two neighbours in the planes of each other's sets, and these in one plane? That two small
// pieces nearly are says nothing of the large ones beside them.
static bool are_in_one_plane(const Merge *m, const Planes *planes, int p, int q)
{
  const double tolerance = SURFACE_FLAT * m->sides->extent;
  const int a = plane_of(planes, p), b = plane_of(planes, q);
  return vec3_dot(m->sides->normals[a], m->sides->normals[b]) > 0 &&
         piece_leaves(m, a, b) <= tolerance && piece_leaves(m, b, a) <= tolerance &&
         piece_leaves(m, p, b) <= tolerance && piece_leaves(m, q, a) <= tolerance;
}

// Joins neighbours in one plane: wide pieces, or sets between which narrow pieces lie.
static void join_neighbours(const Merge *m, Planes *planes, bool wide)
{
  const SurfaceSides *sides = m->sides;
  for (int s = 0; s < sides->count; s++) {
    const int p = sides->piece[s], q = sides->piece[sides->twin[s]];
    if (p >= q || !planes->placed[p] || !planes->placed[q]) continue;
    if ((is_wide(sides, p) && is_wide(sides, q)) != wide) continue;
    if (set_of(planes->parent, p) != set_of(planes->parent, q) && are_in_one_plane(m, planes, p, q))
      planes_join(m, planes, p, q);
  }
}

// Narrow pieces go to the neighbour in whose plane they lie best, and to no second one.
static void place_narrow(const Merge *m, Planes *planes, double tolerance)
{
  const SurfaceSides *sides = m->sides;
  for (bool any = true; any;) {
    any = false;
    for (int p = 0; p < sides->piece_count; p++) {
      if (planes->placed[p]) continue;
      int found = -1;
      double least = tolerance;
      for (int i = m->start[p]; i < m->start[p + 1]; i++) {
        const int other = sides->piece[sides->twin[m->of_piece[i]]];
        if (!planes->placed[other]) continue;
        const int plane = plane_of(planes, other);
        if (sides->areas[p] > 0 && !(vec3_dot(sides->normals[p], sides->normals[plane]) > 0))
          continue;
        const double off = piece_leaves(m, p, plane);
        if (off > least || (off == least && found >= 0)) continue;
        least = off;
        found = other;
      }
      if (found < 0) continue;
      planes_join(m, planes, found, p);
      planes->placed[p] = any = true;
    }
  }
}

// Pieces without sides, whose corners are all one point, and slivers that close among themselves:
// cuts leave such where corners become one, and they are no part of the surface.
static void drop_bubbles(Merge *m, const bool *placed)
{
  const SurfaceSides *sides = m->sides;
  m->gone = arena_allocate_zero(m->arena, (size_t)sides->piece_count, sizeof(bool));
  int left = 0;
  for (int p = 0; p < sides->piece_count; p++) left += !placed[p];
  if (left == 0) return;
  int *parent = sets_new(sides->piece_count, m->arena);
  for (int s = 0; s < sides->count; s++)
    sets_join(parent, sides->piece[s], sides->piece[sides->twin[s]]);
  for (int p = 0; p < sides->piece_count; p++) m->gone[p] = true;
  for (int p = 0; p < sides->piece_count; p++) {
    if (placed[p]) m->gone[set_of(parent, p)] = false;
  }
  for (int p = 0; p < sides->piece_count; p++) m->gone[p] = m->gone[set_of(parent, p)];
}

// Faces are the pieces of one plane that hang together. Returns a piece without a plane, or -1.
static int find_faces(Merge *m)
{
  const SurfaceSides *sides = m->sides;
  const double exact = SURFACE_EXACT * sides->extent, flat = SURFACE_FLAT * sides->extent;
  Planes planes = {.parent = sets_new(sides->piece_count, m->arena),
                   .best = sets_new(sides->piece_count, m->arena),
                   .placed =
                       arena_allocate_zero(m->arena, (size_t)sides->piece_count, sizeof(bool))};

  // wide pieces, then narrow ones in their planes, first those that rounding alone takes out
  for (int p = 0; p < sides->piece_count; p++) planes.placed[p] = is_wide(sides, p);
  join_neighbours(m, &planes, true);
  place_narrow(m, &planes, exact);
  place_narrow(m, &planes, flat);
  // narrow pieces in no plane but their own, and slivers without one
  for (int p = 0; p < sides->piece_count; p++)
    planes.placed[p] = planes.placed[p] || sides->areas[p] > 0;
  place_narrow(m, &planes, flat);
  join_neighbours(m, &planes, false);

  drop_bubbles(m, planes.placed);
  int lost = -1;
  m->face = arena_allocate(m->arena, (size_t)sides->piece_count * sizeof(int));
  for (int p = 0; p < sides->piece_count; p++) {
    const int first = set_of(planes.parent, p);
    if (!m->gone[p] && !planes.placed[p] && lost < 0) lost = p;
    if (m->gone[p]) m->face[p] = -1;
    else m->face[p] = first == p ? m->face_count++ : m->face[first];
  }
  return lost;
}

// Sides between two faces, and what follows what along the outline of a face.
static void find_outlines(Merge *m)
{
  const SurfaceSides *sides = m->sides;
  const size_t count = (size_t)sides->count;
  m->outline = arena_allocate(m->arena, count * sizeof(bool));
  m->to = arena_allocate(m->arena, count * sizeof(int));
  m->next = arena_allocate(m->arena, count * sizeof(int));
  m->prev = arena_allocate(m->arena, count * sizeof(int));
  m->twin = arena_allocate(m->arena, count * sizeof(int));
  for (int s = 0; s < sides->count; s++) {
    m->outline[s] = m->face[sides->piece[s]] != m->face[sides->piece[sides->twin[s]]];
    m->to[s] = sides->to[s];
    m->twin[s] = sides->twin[s];
  }
  for (int s = 0; s < sides->count; s++) {
    if (!m->outline[s]) continue;
    int next = sides->next[s];
    while (!m->outline[next]) next = sides->next[sides->twin[next]];
    m->next[s] = next;
    m->prev[next] = s;
  }
}

// One vertex for all sides that leave a point on one wedge of the solid.
static void find_corners(Merge *m)
{
  const SurfaceSides *sides = m->sides;
  int *parent = sets_new(sides->count, m->arena);
  for (int s = 0; s < sides->count; s++) sets_join(parent, s, sides->next[sides->twin[s]]);
  m->corner = arena_allocate(m->arena, (size_t)sides->count * sizeof(int));
  for (int s = 0; s < sides->count; s++) m->corner[s] = set_of(parent, s);
}

// Is the point between two others a place on the line through them?
static bool is_straight(const SurfaceSides *sides, int before, int at, int after)
{
  const vec3 chord = vec3_sub(sides->points[after], sides->points[before]);
  const vec3 in = vec3_sub(sides->points[at], sides->points[before]);
  const double length = vec3_norm(chord), along = vec3_dot(chord, in);
  if (!(along > 0) || !(along < length * length)) return false;
  return vec3_norm(vec3_cross(chord, in)) <= SURFACE_FLAT * sides->extent * length;
}

// Takes away vertices between two pieces of one line that no third edge reaches.
static void join_straight_sides(Merge *m)
{
  const SurfaceSides *sides = m->sides;
  int *degree = arena_allocate_zero(m->arena, (size_t)sides->count, sizeof *degree);
  for (int s = 0; s < sides->count; s++) degree[m->corner[s]] += m->outline[s];
  for (int s = 0; s < sides->count; s++) {
    if (!m->outline[s] || degree[m->corner[s]] != 2) continue;
    const int in = m->prev[s], out = m->twin[in], back = m->twin[s];
    if (m->prev[out] != back || m->next[m->next[s]] == in || m->next[m->next[out]] == back)
      continue;
    if (!is_straight(sides, sides->from[in], sides->from[s], m->to[s])) continue;
    // the side before takes in this one, and likewise on the way back
    const int pairs[2][2] = {{in, s}, {back, out}};
    for (int k = 0; k < 2; k++) {
      const int kept = pairs[k][0], gone = pairs[k][1];
      m->to[kept] = m->to[gone];
      m->next[kept] = m->next[gone];
      m->prev[m->next[kept]] = kept;
      m->outline[gone] = false;
    }
    m->twin[in] = back;
    m->twin[back] = in;
  }
}

// The vertices of a complex, numbered as their points; returns which one each side leaves.
static int *make_vertices(const Merge *m, SurfaceComplex *c)
{
  const SurfaceSides *sides = m->sides;
  int *vertex = arena_allocate(m->arena, (size_t)sides->count * sizeof *vertex);
  for (int s = 0; s < sides->count; s++) vertex[s] = -1;
  int *first = arena_allocate(m->arena, ((size_t)sides->point_count + 1) * sizeof *first);
  int *following = arena_allocate(m->arena, (size_t)sides->count * sizeof *following);
  for (int i = 0; i < sides->point_count; i++) first[i] = -1;
  for (int s = sides->count - 1; s >= 0; s--) {
    if (!m->outline[s]) continue;
    following[s] = first[sides->from[s]];
    first[sides->from[s]] = s;
    c->side_count++;
  }
  c->vertices = arena_allocate(m->arena, (size_t)c->side_count * sizeof *c->vertices);
  for (int i = 0; i < sides->point_count; i++) {
    for (int s = first[i]; s >= 0; s = following[s]) {
      const int corner = m->corner[s];
      if (vertex[corner] < 0) {
        c->vertices[c->vertex_count] = (SurfaceVertex){.at = sides->points[i], .point = i};
        vertex[corner] = c->vertex_count++;
      }
      vertex[s] = vertex[corner];
    }
  }
  return vertex;
}

// Edges of a complex; returns the edge of each side.
static int *make_edges(const Merge *m, const int *vertex, SurfaceComplex *c)
{
  const SurfaceSides *sides = m->sides;
  int *edge = arena_allocate(m->arena, (size_t)sides->count * sizeof *edge);
  c->edges = arena_allocate(m->arena, ((size_t)c->side_count / 2 + 1) * sizeof *c->edges);
  for (int s = 0; s < sides->count; s++) {
    const int twin = m->twin[s];
    if (!m->outline[s] || s > twin) continue;
    assert(m->outline[twin] && "both sides of an edge are outlines");
    const int from = vertex[s], to = vertex[twin];
    const vec3 along = vec3_sub(c->vertices[to].at, c->vertices[from].at);
    const double length = vec3_norm(along);
    c->edges[c->edge_count] =
        (SurfaceEdge){.vertex = {from, to},
                      .face = {m->face[sides->piece[s]], m->face[sides->piece[twin]]},
                      .direction = vec3_scale(1 / length, along),
                      .length = length};
    edge[s] = edge[twin] = c->edge_count++;
  }
  return edge;
}

// Plane and area of a face from its outline, which does not depend on how it was cut.
static void measure_face(const SurfaceComplex *c, SurfaceFace *face)
{
  assert(face->side_count >= SURFACE_MIN_LOOP && "a face has an outline");
  const SurfaceSide *sides = c->sides + face->side_start;
  const vec3 origin = c->vertices[sides[0].from].at;
  vec3 area = {0, 0, 0};
  for (int k = 0; k < face->side_count; k++) {
    const vec3 from = vec3_sub(c->vertices[sides[k].from].at, origin);
    const vec3 to = vec3_sub(c->vertices[sides[k].to].at, origin);
    area = vec3_axpy(0.5, vec3_cross(from, to), area);
  }
  face->area = vec3_norm(area);
  face->normal = vec3_scale(1 / face->area, area);
  double offset = 0;
  for (int k = 0; k < face->side_count; k++)
    offset += vec3_dot(face->normal, vec3_sub(c->vertices[sides[k].from].at, origin));
  face->offset = vec3_dot(face->normal, origin) + offset / face->side_count;
}

static void make_faces(const Merge *m, const int *vertex, const int *edge, SurfaceComplex *c)
{
  const SurfaceSides *sides = m->sides;
  c->face_count = m->face_count;
  c->faces = arena_allocate_zero(m->arena, (size_t)c->face_count, sizeof *c->faces);
  c->sides = arena_allocate(m->arena, (size_t)c->side_count * sizeof *c->sides);
  for (int p = sides->piece_count - 1; p >= 0; p--) {
    if (m->face[p] >= 0) c->faces[m->face[p]].piece = p;
  }
  for (int s = 0; s < sides->count; s++) {
    if (m->outline[s]) c->faces[m->face[sides->piece[s]]].side_count++;
  }
  int at = 0;
  for (int f = 0; f < c->face_count; f++) {
    c->faces[f].side_start = at;
    at += c->faces[f].side_count;
    c->faces[f].side_count = 0;
  }
  bool *taken = arena_allocate_zero(m->arena, (size_t)sides->count, sizeof *taken);
  for (int first = 0; first < sides->count; first++) {
    if (!m->outline[first] || taken[first]) continue;
    SurfaceFace *face = &c->faces[m->face[sides->piece[first]]];
    for (int s = first; !taken[s]; s = m->next[s]) {
      taken[s] = true;
      c->sides[face->side_start + face->side_count++] =
          (SurfaceSide){.from = vertex[s],
                        .to = vertex[m->next[s]],
                        .edge = edge[s],
                        .ends_loop = m->next[s] == first};
    }
  }
  for (int f = 0; f < c->face_count; f++) measure_face(c, &c->faces[f]);
}

// Which faces lie around each vertex.
static void find_vertex_faces(SurfaceComplex *c, Arena *arena)
{
  for (int i = 0; i < c->side_count; i++) c->vertices[c->sides[i].from].face_count++;
  int at = 0;
  for (int v = 0; v < c->vertex_count; v++) {
    c->vertices[v].face_start = at;
    at += c->vertices[v].face_count;
    c->vertices[v].face_count = 0;
  }
  c->vertex_faces = arena_allocate(arena, (size_t)at * sizeof *c->vertex_faces);
  for (int f = 0; f < c->face_count; f++) {
    for (int k = 0; k < c->faces[f].side_count; k++) {
      SurfaceVertex *v = &c->vertices[c->sides[c->faces[f].side_start + k].from];
      int *faces = c->vertex_faces + v->face_start;
      if (v->face_count == 0 || faces[v->face_count - 1] != f) faces[v->face_count++] = f;
    }
  }
}

// A face whose outline has no area, as where pieces lie on each other: one of its pieces, or -1.
static int find_folded(const Merge *m)
{
  const SurfaceSides *sides = m->sides;
  int *outline = arena_allocate_zero(m->arena, (size_t)m->face_count, sizeof *outline);
  for (int s = 0; s < sides->count; s++) {
    if (m->outline[s]) outline[m->face[sides->piece[s]]]++;
  }
  for (int p = 0; p < sides->piece_count; p++) {
    if (m->face[p] >= 0 && outline[m->face[p]] < SURFACE_MIN_LOOP) return p;
  }
  return -1;
}

// An edge of each piece of surface that hangs together by edges and faces.
static void find_shells(SurfaceComplex *c, Arena *arena)
{
  int *parent = sets_new(c->vertex_count, arena);
  int *found = arena_allocate(arena, (size_t)c->vertex_count * sizeof *found);
  for (int f = 0; f < c->face_count; f++) {
    const SurfaceSide *sides = c->sides + c->faces[f].side_start;
    for (int k = 1; k < c->faces[f].side_count; k++)
      sets_join(parent, sides[0].from, sides[k].from);
  }
  for (int v = 0; v < c->vertex_count; v++) found[v] = -1;
  c->shell_edges = arena_allocate(arena, (size_t)c->vertex_count * sizeof *c->shell_edges);
  for (int e = 0; e < c->edge_count; e++) {
    int *shell = &found[set_of(parent, c->edges[e].vertex[0])];
    if (*shell < 0) c->shell_edges[ *shell = c->shell_count++] = e;
    else if (c->edges[c->shell_edges[*shell]].class != SURFACE_RIDGE &&
             c->edges[e].class == SURFACE_RIDGE)
      c->shell_edges[*shell] = e;
  }
}

// Do the two faces of an edge lie on each other there?
static bool is_folded(const SurfaceComplex *c, const SurfaceEdge *edge)
{
  const vec3 sum = vec3_add(c->faces[edge->face[0]].normal, c->faces[edge->face[1]].normal);
  return vec3_norm(sum) <= SURFACE_SINE && vec3_dot(edge->into[0], edge->into[1]) > 0;
}

SurfaceResult surface_sides_merge(const SurfaceSides *sides, Arena *arena, SurfaceComplex *complex)
{
  Merge merge = {.sides = sides, .arena = arena};
  sort_by_piece(&merge);
  int lost = find_faces(&merge);
  if (lost < 0) {
    find_outlines(&merge);
    lost = find_folded(&merge);
  }
  if (lost >= 0) return (SurfaceResult){.status = SURFACE_FOLDED, .piece = lost};
  find_corners(&merge);
  join_straight_sides(&merge);
  *complex = (SurfaceComplex){.extent = sides->extent};
  const int *vertex = make_vertices(&merge, complex);
  const int *edge = make_edges(&merge, vertex, complex);
  make_faces(&merge, vertex, edge, complex);
  find_vertex_faces(complex, arena);
  surface_cones_find(complex, arena);
  find_shells(complex, arena);
  for (int e = 0; e < complex->edge_count; e++) {
    if (is_folded(complex, &complex->edges[e]))
      return (SurfaceResult){.status = SURFACE_FOLDED,
                             .piece = complex->faces[complex->edges[e].face[0]].piece};
  }
  return (SurfaceResult){.status = SURFACE_OK};
}

SurfaceResult surface_complex_build(const SurfacePieces *pieces, Arena *arena,
                                    SurfaceComplex *complex)
{
  assert(pieces->count > 0 && "a surface has pieces");
  SurfaceSides sides = surface_sides_weld(pieces, arena);
  if (!(sides.extent > 0) || sides.count == 0) return (SurfaceResult){.status = SURFACE_EMPTY};
  surface_sides_measure(&sides, arena);
  bool any = false;
  for (int p = 0; p < sides.piece_count; p++) any = any || sides.areas[p] > 0;
  if (!any) return (SurfaceResult){.status = SURFACE_EMPTY};
  const SurfaceResult result = surface_sides_pair(&sides, arena);
  if (result.status != SURFACE_OK) return result;
  return surface_sides_merge(&sides, arena, complex);
}

bool surface_face_holds(const SurfaceComplex *complex, int face, vec3 place, double tolerance)
{
  assert(face >= 0 && face < complex->face_count && "a face has a number");
  const SurfaceFace *f = &complex->faces[face];
  const double x = fabs(f->normal.x), y = fabs(f->normal.y), z = fabs(f->normal.z);
  const int drop = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  bool inside = false;
  for (int k = 0; k < f->side_count; k++) {
    const SurfaceSide *side = &complex->sides[f->side_start + k];
    const vec3 a = vec3_sub(complex->vertices[side->from].at, place);
    const vec3 b = vec3_sub(complex->vertices[side->to].at, place);
    // near the side
    const vec3 along = vec3_sub(b, a);
    const double t = -vec3_dot(a, along) / vec3_dot(along, along);
    const vec3 nearest = vec3_axpy(t < 0 ? 0 : t > 1 ? 1 : t, along, a);
    if (vec3_dot(nearest, nearest) <= tolerance * tolerance) return true;
    // crossings of a ray in the plane of two coordinates
    const double au = drop == 0 ? a.y : a.x, av = drop == 2 ? a.y : a.z;
    const double bu = drop == 0 ? b.y : b.x, bv = drop == 2 ? b.y : b.z;
    if ((av > 0) == (bv > 0)) continue;
    if ((au * bv - bu * av > 0) == (bv > av)) inside = !inside;
  }
  return inside;
}

bool surface_face_is_convex(const SurfaceComplex *complex, int face, double slack)
{
  assert(face >= 0 && face < complex->face_count && "a face has a number");
  const SurfaceFace *f = &complex->faces[face];
  const SurfaceSide *sides = &complex->sides[f->side_start];
  for (int k = 0; k < f->side_count; k++) {
    const SurfaceSide *side = &sides[k], *next = &sides[(k + 1) % f->side_count];
    if (side->ends_loop != (k + 1 == f->side_count)) return false;
    const vec3 along = vec3_sub(complex->vertices[side->to].at, complex->vertices[side->from].at);
    const vec3 beyond = vec3_sub(complex->vertices[next->to].at, complex->vertices[next->from].at);
    const double turn = vec3_dot(f->normal, vec3_cross(along, beyond));
    if (turn < -slack * complex->extent * vec3_norm(along)) return false;
  }
  return true;
}

bool surface_complex_is_convex(const SurfaceComplex *complex)
{
  for (int e = 0; e < complex->edge_count; e++) {
    if (complex->edges[e].class != SURFACE_RIDGE) return false;
  }
  return complex->shell_count == 1;
}

double surface_complex_volume(const SurfaceComplex *complex)
{
  double volume = 0;
  for (int f = 0; f < complex->face_count; f++)
    volume += complex->faces[f].offset * complex->faces[f].area / 3;
  return volume;
}
