// Moves a surface inwards.
#include "surface_base.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "order.h"
#include "surface_sides.h"
#include "surface_split.h"
#include "symmetric.h"

#define BASE_PLANE 1e-11   // of the extent: corners of a moved face this near its plane are in it
#define BASE_RANK 1e-9     // of the largest: smaller squares of a spread of normals are none
#define BASE_HALVINGS 40   // of the search for a dilation that would do

// How a vertex moves when its planes move inwards by one: the least vector g with the least sum of
// squares of n.g + 1.
static vec3 find_move(const SurfaceComplex *sharp, const SurfaceVertex *v)
{
  assert(v->face_count > 0 && "faces lie around a vertex");
  double m[3][3] = {{0}}, turn[3][3];
  vec3 right = {0, 0, 0};
  for (int k = 0; k < v->face_count; k++) {
    const vec3 n = sharp->faces[sharp->vertex_faces[v->face_start + k]].normal;
    const double at[3] = {n.x, n.y, n.z};
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) m[i][j] += at[i] * at[j];
    }
    right = vec3_sub(right, n);
  }
  symmetric_diagonalize(m, turn);
  const double largest = larger_of(m[0][0], larger_of(m[1][1], m[2][2]));
  vec3 move = {0, 0, 0};
  for (int k = 0; k < 3; k++) {
    if (m[k][k] <= BASE_RANK * largest) continue;
    const vec3 axis = {turn[0][k], turn[1][k], turn[2][k]};
    move = vec3_axpy(vec3_dot(axis, right) / m[k][k], axis, move);
  }
  return move;
}

typedef struct {
  vec3 at;
  int vertex;
} VertexPlace;

static int order_vertex_places(const void *a, const void *b)
{
  const VertexPlace *p = a, *q = b;
  const vec3 x = p->at, y = q->at;
  if (x.x != y.x) return order_f64(x.x, y.x);
  if (x.y != y.y) return order_f64(x.y, y.y);
  return x.z != y.z ? order_f64(x.z, y.z) : order_int(p->vertex, q->vertex);
}

// Vertices by their places, which are the same however the surface was cut.
static const int *order_vertices(const SurfaceComplex *sharp, Arena *arena)
{
  const size_t count = (size_t)sharp->vertex_count;
  VertexPlace *places = arena_allocate(arena, count * sizeof *places);
  int *order = arena_allocate(arena, count * sizeof *order);
  for (int v = 0; v < sharp->vertex_count; v++) places[v] = (VertexPlace){sharp->vertices[v].at, v};
  qsort(places, count, sizeof *places, order_vertex_places);
  for (int v = 0; v < sharp->vertex_count; v++) order[places[v].vertex] = v;
  return order;
}

// A surface and how its vertices move.
typedef struct {
  const SurfaceComplex *sharp;
  const vec3 *moves;   // [vertices] for a dilation of one
  const int *order;    // [vertices] by place
  double dilation;     // m
  Arena *arena;
} Inward;

static vec3 moved(const Inward *in, int vertex)
{
  return vec3_axpy(in->dilation, in->moves[vertex], in->sharp->vertices[vertex].at);
}

// The outline of a moved face in its plane.
static SplitPolygon moved_outline(const Inward *in, const SurfaceFace *face)
{
  SplitCorner *corners = arena_allocate(in->arena, (size_t)face->side_count * sizeof *corners);
  bool *ends = arena_allocate(in->arena, (size_t)face->side_count * sizeof *ends);
  const SurfaceSide *first = &in->sharp->sides[face->side_start];
  const vec3 u = in->sharp->edges[first->edge].direction, v = vec3_cross(face->normal, u);
  const vec3 origin = in->sharp->vertices[first->from].at;
  for (int k = 0; k < face->side_count; k++) {
    const SurfaceSide *side = &in->sharp->sides[face->side_start + k];
    const vec3 x = vec3_sub(moved(in, side->from), origin);
    corners[k] = (SplitCorner){vec3_dot(u, x), vec3_dot(v, x), side->from, in->order[side->from]};
    ends[k] = side->ends_loop;
  }
  return (SplitPolygon){.count = face->side_count, .corners = corners, .ends_loop = ends};
}

// A side of an outline, with the stretch of u that it takes.
typedef struct {
  double low, high;
  SplitCorner from, to;
} FlatSide;

static int order_flat_sides(const void *a, const void *b)
{
  return order_f64(((const FlatSide *)a)->low, ((const FlatSide *)b)->low);
}

static double side_of(const FlatSide *s, SplitCorner p)
{
  return (s->to.u - s->from.u) * (p.v - s->from.v) - (s->to.v - s->from.v) * (p.u - s->from.u);
}

// Do sides of an outline cross that share no corner?
static bool outline_crosses(const SplitPolygon *outline, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  FlatSide *sides = arena_allocate(arena, (size_t)outline->count * sizeof *sides);
  for (int k = 0, first = 0; k < outline->count; k++) {
    const SplitCorner from = outline->corners[k];
    const SplitCorner to = outline->corners[outline->ends_loop[k] ? first : k + 1];
    if (outline->ends_loop[k]) first = k + 1;
    sides[k] = (FlatSide){smaller_of(from.u, to.u), larger_of(from.u, to.u), from, to};
  }
  qsort(sides, (size_t)outline->count, sizeof *sides, order_flat_sides);
  bool crosses = false;
  for (int i = 0; i < outline->count && !crosses; i++) {
    const FlatSide *p = &sides[i];
    for (int j = i + 1; j < outline->count && sides[j].low <= p->high; j++) {
      const FlatSide *q = &sides[j];
      if (p->from.name == q->from.name || p->from.name == q->to.name ||
          p->to.name == q->from.name || p->to.name == q->to.name)
        continue;
      if ((side_of(p, q->from) > 0) != (side_of(p, q->to) > 0) &&
          (side_of(q, p->from) > 0) != (side_of(q, p->to) > 0)) {
        crosses = true;
        break;
      }
    }
  }
  arena_release(arena, mark);
  return crosses;
}

// A face that turns over, loses an edge or crosses itself when it is moved, or -1.
static int first_turned(const Inward *in)
{
  const SurfaceComplex *sharp = in->sharp;
  for (int e = 0; e < sharp->edge_count; e++) {
    const SurfaceEdge *edge = &sharp->edges[e];
    const vec3 along = vec3_sub(moved(in, edge->vertex[1]), moved(in, edge->vertex[0]));
    if (!(vec3_dot(along, edge->direction) >= SURFACE_KEPT * edge->length)) return edge->face[0];
  }
  for (int f = 0; f < sharp->face_count; f++) {
    const SurfaceFace *face = &sharp->faces[f];
    const SurfaceSide *sides = sharp->sides + face->side_start;
    const vec3 origin = moved(in, sides[0].from);
    double area = 0;
    for (int k = 0; k < face->side_count; k++) {
      const vec3 from = vec3_sub(moved(in, sides[k].from), origin);
      const vec3 to = vec3_sub(moved(in, sides[k].to), origin);
      area += 0.5 * vec3_dot(face->normal, vec3_cross(from, to));
    }
    if (!(area >= SURFACE_KEPT * SURFACE_KEPT * face->area)) return f;
    if (face->side_count <= SURFACE_MIN_LOOP) continue;
    const ArenaMark mark = arena_mark(in->arena);
    const SplitPolygon outline = moved_outline(in, face);
    const bool crosses = outline_crosses(&outline, in->arena);
    arena_release(in->arena, mark);
    if (crosses) return f;
  }
  return -1;
}

// The largest dilation below one that is too large, m.
static double find_dilation(Inward in)
{
  double low = 0, high = in.dilation;
  for (int i = 0; i < BASE_HALVINGS; i++) {
    in.dilation = 0.5 * (low + high);
    if (first_turned(&in) < 0) low = in.dilation;
    else high = in.dilation;
  }
  return low;
}

static bool stays_plane(const Inward *in, const SurfaceFace *face)
{
  for (int k = 0; k < face->side_count; k++) {
    const int vertex = in->sharp->sides[face->side_start + k].from;
    const double miss = in->dilation * (vec3_dot(face->normal, in->moves[vertex]) + 1);
    if (fabs(miss) > BASE_PLANE * in->sharp->extent) return false;
  }
  return true;
}

static void add_loop(SurfaceSides *sides, const int *corners, int count, int piece, Arena *arena)
{
  const int first = sides->count;
  for (int k = 0; k < count; k++) {
    const int side = surface_sides_add(sides, corners[k], corners[(k + 1) % count], piece, arena);
    sides->next[side] = k + 1 < count ? side + 1 : first;
  }
}

// Sides of the moved faces, those that are no plane any more in triangles. face_of: room for the
// face of each piece.
static SurfaceSides moved_sides(const Inward *in, int *face_of)
{
  const SurfaceComplex *sharp = in->sharp;
  Arena *arena = in->arena;
  vec3 *points = arena_allocate(arena, (size_t)sharp->vertex_count * sizeof *points);
  for (int v = 0; v < sharp->vertex_count; v++) points[v] = moved(in, v);
  SurfaceSides sides = {
      .point_count = sharp->vertex_count, .points = points, .extent = sharp->extent};
  int *loop = arena_allocate(arena, (size_t)sharp->side_count * sizeof *loop);
  for (int f = 0; f < sharp->face_count; f++) {
    const SurfaceFace *face = &sharp->faces[f];
    if (face->side_count > SURFACE_MIN_LOOP && !stays_plane(in, face)) {
      const SplitPolygon outline = moved_outline(in, face);
      const SplitTriangles triangles = surface_split(&outline, arena);
      for (int t = 0; t < triangles.count; t++) {
        face_of[sides.piece_count] = f;
        add_loop(&sides, triangles.names[t], 3, sides.piece_count++, arena);
      }
      continue;
    }
    int count = 0;
    for (int k = 0; k < face->side_count; k++) {
      const SurfaceSide *side = &sharp->sides[face->side_start + k];
      loop[count++] = side->from;
      if (!side->ends_loop) continue;
      add_loop(&sides, loop, count, sides.piece_count, arena);
      count = 0;
    }
    face_of[sides.piece_count++] = f;
  }
  return sides;
}

// The box of a base and the vertices on its sides.
static void find_box(SurfaceBase *surface)
{
  const SurfaceComplex *base = &surface->base;
  assert(base->vertex_count > 0 && "a surface has vertices");
  surface->low = surface->high = base->vertices[0].at;
  for (int v = 1; v < base->vertex_count; v++) {
    const vec3 at = base->vertices[v].at, low = surface->low, high = surface->high;
    const bool outside[6] = {
        at.x<low.x, at.y<low.y, at.z<low.z, at.x> high.x, at.y> high.y, at.z> high.z};
    for (int k = 0; k < 6; k++) {
      if (outside[k]) surface->outermost[k] = v;
    }
    surface->low = vec3_min(low, at);
    surface->high = vec3_max(high, at);
  }
}

SurfaceBaseResult surface_base_build(const SurfacePieces *pieces, double dilation, Arena *arena,
                                     SurfaceBase *surface)
{
  assert(dilation >= 0 && "a surface is moved inwards");
  *surface = (SurfaceBase){.dilation = dilation};
  const SurfaceResult built = surface_complex_build(pieces, arena, &surface->sharp);
  if (built.status != SURFACE_OK)
    return (SurfaceBaseResult){.status = SURFACE_BASE_PIECES, .pieces = built};
  const SurfaceComplex *sharp = &surface->sharp;
  vec3 *moves = arena_allocate(arena, (size_t)sharp->vertex_count * sizeof *moves);
  surface->shift = dilation;
  for (int v = 0; v < sharp->vertex_count; v++) {
    moves[v] = find_move(sharp, &sharp->vertices[v]);
    surface->shift = larger_of(surface->shift, dilation * vec3_norm(moves[v]));
  }
  const Inward in = {.sharp = sharp,
                     .moves = moves,
                     .order = order_vertices(sharp, arena),
                     .dilation = dilation,
                     .arena = arena};
  const int turned = dilation > 0 ? first_turned(&in) : -1;
  if (turned >= 0) {
    const SurfaceFace *face = &sharp->faces[turned];
    return (SurfaceBaseResult){.status = SURFACE_BASE_TURNED,
                               .piece = face->piece,
                               .at = sharp->vertices[sharp->sides[face->side_start].from].at,
                               .would_do = find_dilation(in)};
  }
  int *face_of = arena_allocate(arena, 3 * (size_t)sharp->side_count * sizeof *face_of);
  SurfaceSides sides = moved_sides(&in, face_of);
  surface_sides_measure(&sides, arena);
  SurfaceResult base = surface_sides_pair(&sides, arena);
  if (base.status == SURFACE_OK) base = surface_sides_merge(&sides, arena, &surface->base);
  if (base.status != SURFACE_OK) {
    // what was closed and held a volume does so no more
    const SurfaceFace *face = &sharp->faces[face_of[base.piece]];
    return (SurfaceBaseResult){.status = SURFACE_BASE_TURNED,
                               .piece = face->piece,
                               .at = sharp->vertices[sharp->sides[face->side_start].from].at};
  }
  for (int f = 0; f < surface->base.face_count; f++)
    surface->base.faces[f].piece = face_of[surface->base.faces[f].piece];
  find_box(surface);
  surface->tree = surface_tree_build(&surface->base, TREE_CUTS_BY_PLACE, arena);
  return (SurfaceBaseResult){.status = SURFACE_BASE_OK};
}

void surface_base_text(SurfaceBaseResult result, double dilation, const char *piece_word,
                       char *text, size_t bytes)
{
  assert(result.status != SURFACE_BASE_OK && piece_word != NULL && "there is something to say");
  if (result.status != SURFACE_BASE_PIECES) {
    char when[128] = "";
    if (result.status != SURFACE_BASE_UNMOVED && result.would_do > 0)
      snprintf(when, sizeof when, " when it is moved inwards by %g m; it bears %.3g m", dilation,
               0.99 * result.would_do);
    else if (result.status != SURFACE_BASE_UNMOVED)
      snprintf(when, sizeof when, " when it is moved inwards, however little");
    snprintf(text, bytes, "the surface %s at %s %d near (%g, %g, %g) m%s",
             result.status == SURFACE_BASE_TURNED    ? "turns inside out"
             : result.status == SURFACE_BASE_UNMOVED ? "crosses or touches itself"
                                                     : "crosses itself",
             piece_word, result.piece + 1, result.at.x, result.at.y, result.at.z, when);
  } else if (result.pieces.status == SURFACE_OPEN) {
    snprintf(text, bytes, "the surface is open at %s %d, between (%g, %g, %g) and (%g, %g, %g) m",
             piece_word, result.pieces.piece + 1, result.pieces.from.x, result.pieces.from.y,
             result.pieces.from.z, result.pieces.to.x, result.pieces.to.y, result.pieces.to.z);
  } else if (result.pieces.status == SURFACE_FOLDED) {
    snprintf(text, bytes, "the surface lies on itself at %s %d and holds no volume there",
             piece_word, result.pieces.piece + 1);
  } else {
    snprintf(text, bytes, "the surface has no %s with an area", piece_word);
  }
}
