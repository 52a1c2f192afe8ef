// Cuts a convex solid of any number of faces by planes, kept as lists of labelled edges.
#include "clipper.h"

#include <assert.h>
#include <string.h>

// Smallest determinant of three unit normals whose common point is moved directly.
#define DILATION_DETERMINANT 1e-4

Clipper clipper_new(int face_room, ClipperSpace *space, Arena *arena)
{
  assert(face_room > 0 && "a clipper has room for faces");
  Clipper c = {.vertex_room = CLIPPER_VERTICES_PER_FACE * face_room,
               .edge_room = CLIPPER_EDGES_PER_FACE * face_room,
               .face_room = face_room};
  if (face_room <= CLIPPER_SMALL_FACES) {
    c.vertices = space->vertices[0];
    c.spare_vertices = space->vertices[1];
    c.edges = space->edges[0];
    c.spare_edges = space->edges[1];
    c.heights = space->heights;
    c.renamed = space->renamed;
    c.crossings = space->crossings;
    c.entry = space->faces[0];
    c.entry_cut = space->faces[1];
  } else {
    c.vertices = arena_allocate(arena, (size_t)c.vertex_room * sizeof(vec3));
    c.spare_vertices = arena_allocate(arena, (size_t)c.vertex_room * sizeof(vec3));
    c.edges = arena_allocate(arena, (size_t)c.edge_room * sizeof(Edge));
    c.spare_edges = arena_allocate(arena, (size_t)c.edge_room * sizeof(Edge));
    c.heights = arena_allocate(arena, (size_t)c.vertex_room * sizeof(double));
    c.renamed = arena_allocate(arena, (size_t)c.vertex_room * sizeof(int));
    c.crossings = arena_allocate(arena, (size_t)c.edge_room * sizeof(int));
    c.entry = arena_allocate(arena, (size_t)face_room * sizeof(int));
    c.entry_cut = arena_allocate(arena, (size_t)face_room * sizeof(int));
  }
  memset(c.entry_cut, 0, (size_t)face_room * sizeof(int));
  return c;
}

void clipper_start_polyhedron(Clipper *c, const Polyhedron *p, int first_face)
{
  assert(p->face_count >= 4 && p->vertex_count >= 4 && "a solid has four faces and four corners");
  assert(first_face >= 0 && first_face + p->face_count <= c->face_room &&
         "faces of the solid have numbers");
  assert(p->vertex_count <= c->vertex_room && p->edge_count <= c->edge_room &&
         "a polyhedron has fewer than 2 vertices and 3 edges a face");
  c->vertex_count = p->vertex_count;
  c->edge_count = p->edge_count;
  memcpy(c->vertices, p->vertices, (size_t)p->vertex_count * sizeof(vec3));
  for (int e = 0; e < p->edge_count; e++) {
    const Edge edge = p->edges[e];
    c->edges[e] = (Edge){{edge.vertex[0], edge.vertex[1]},
                         {edge.face[0] + first_face, edge.face[1] + first_face}};
  }
}

// Where the common point of three planes goes when each moves outward by one; false when they are
// near to having no common point.
static bool common_motion(vec3 p, vec3 q, vec3 r, vec3 *motion)
{
  const vec3 qr = vec3_cross(q, r), rp = vec3_cross(r, p), pq = vec3_cross(p, q);
  const double determinant = vec3_dot(p, qr);
  *motion = vec3_scale(1 / determinant, vec3_add(qr, vec3_add(rp, pq)));
  return fabs(determinant) > DILATION_DETERMINANT;
}

bool clipper_start_dilated(Clipper *c, const Polyhedron *p, double margin, int first_face)
{
  assert(margin >= 0 && "planes are pushed outward");
  assert(first_face >= 0 && first_face + p->face_count <= c->face_room &&
         "faces of the solid have numbers");
  if (2 * p->edge_count != 3 * p->vertex_count) return false;
  clipper_start_polyhedron(c, p, first_face);

  // every face of a vertex has one step that leaves it; there are three on average, so none has
  // more when none has less
  int *leaving = c->renamed;
  int *faces = c->crossings;   // [3 vertices]
  memset(leaving, 0, (size_t)p->vertex_count * sizeof(int));
  for (int e = 0; e < p->edge_count; e++) {
    for (int k = 0; k < 2; k++) {
      const int vertex = p->edges[e].vertex[k];
      if (leaving[vertex] == 3) return false;
      faces[3 * vertex + leaving[vertex]++] = p->edges[e].face[k];
    }
  }
  for (int i = 0; i < p->vertex_count; i++) {
    vec3 motion;
    const Plane *planes = p->planes;
    const int *f = faces + 3 * i;
    if (!common_motion(planes[f[0]].normal, planes[f[1]].normal, planes[f[2]].normal, &motion)) {
      return false;
    }
    c->vertices[i] = vec3_axpy(margin, motion, p->vertices[i]);
  }

  // edges keep their lines' directions; while each keeps its sense, every face is the same convex
  // polygon
  for (int e = 0; e < p->edge_count; e++) {
    const int from = p->edges[e].vertex[0], to = p->edges[e].vertex[1];
    const vec3 before = vec3_sub(p->vertices[to], p->vertices[from]);
    if (!(vec3_dot(before, vec3_sub(c->vertices[to], c->vertices[from])) > 0)) return false;
  }
  return true;
}

void clipper_start_box(Clipper *c, vec3 low, vec3 high, int first_face)
{
  assert(first_face >= 0 && first_face + 6 <= c->face_room && "faces of the box have numbers");
  assert(c->vertex_room >= 8 && c->edge_room >= 12 && "there is room for a box");
  c->vertex_count = 8;
  c->edge_count = 0;
  for (int i = 0; i < 8; i++) {
    c->vertices[i] = (vec3){i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z};
  }
  // an edge along an axis lies between a side of each of the two other axes; seen from outside, the
  // side of the second one runs forward where the two sides are on different ends
  for (int axis = 0; axis < 3; axis++) {
    const int second = (axis + 1) % 3, third = (axis + 2) % 3;
    for (int k = 0; k < 4; k++) {
      const int second_end = k & 1, third_end = k >> 1;
      const int from = second_end << second | third_end << third, to = from | 1 << axis;
      const int second_face = first_face + 2 * second + second_end;
      const int third_face = first_face + 2 * third + third_end;
      const bool third_forward = second_end != third_end;
      c->edges[c->edge_count++] = (Edge){
          {from, to},
          {third_forward ? third_face : second_face, third_forward ? second_face : third_face}};
    }
  }
}

// Point at height zero of the edge from a vertex below the plane to one that is not.
static vec3 crossing_point(const Clipper *c, int below, int above)
{
  const double down = -c->heights[below], up = c->heights[above];
  const int near = up < down ? above : below, far = up < down ? below : above;
  const double share = (up < down ? up : down) / (down + up);
  return vec3_axpy(share, vec3_sub(c->vertices[far], c->vertices[near]), c->vertices[near]);
}

// The step of a face's loop that leaves a vertex: edge and end, or -1.
static int find_step(const Clipper *c, int face, int vertex, int *end)
{
  assert(face >= 0 && face < c->face_room && "a face has a number");
  for (int e = 0; e < c->edge_count; e++) {
    for (int k = 0; k < 2; k++) {
      if (c->edges[e].face[k] == face && c->edges[e].vertex[k] == vertex) {
        *end = c->edges[e].vertex[1 - k];
        return e;
      }
    }
  }
  return -1;
}

// Where the loop of a face comes back below the plane after it has left through a crossing: the
// number of that crossing, or -1. Needed where rounding makes a loop cross the plane more than
// twice.
static int follow_above(const Clipper *c, int crossing_count, int crossing, int face)
{
  const Edge *edge = &c->edges[c->crossings[crossing]];
  int vertex = c->heights[edge->vertex[0]] < 0 ? edge->vertex[1] : edge->vertex[0];
  for (int steps = 0; steps < c->edge_count; steps++) {
    int end = -1;
    const int e = find_step(c, face, vertex, &end);
    if (e < 0) return -1;
    if (c->heights[end] < 0) {
      for (int k = 0; k < crossing_count; k++) {
        if (c->crossings[k] == e) return k;
      }
      return -1;
    }
    vertex = end;
  }
  return -1;
}

// Writes the kept part of each cut edge and its new end; true when a face's loop crosses the plane
// more than twice.
static bool shorten_edges(Clipper *c, int crossing_count, int first_vertex, Edge *shortened)
{
  bool again = false;
  for (int k = 0; k < crossing_count; k++) {
    const Edge edge = c->edges[c->crossings[k]];
    const bool leaves = c->heights[edge.vertex[0]] < 0;   // seen along face[0]
    const int below = edge.vertex[leaves ? 0 : 1], above = edge.vertex[leaves ? 1 : 0];
    const int enters = edge.face[leaves ? 1 : 0];
    const int vertex = first_vertex + k;
    c->spare_vertices[vertex] = crossing_point(c, below, above);
    shortened[k] =
        (Edge){{leaves ? c->renamed[below] : vertex, leaves ? vertex : c->renamed[below]},
               {edge.face[0], edge.face[1]}};
    again |= c->entry_cut[enters] == c->cut_count;
    c->entry[enters] = vertex;
    c->entry_cut[enters] = c->cut_count;
  }
  return again;
}

// Writes the edges of the new face: in every cut face from where its loop leaves to where it comes
// back.
static bool close_face(const Clipper *c, int crossing_count, int first_vertex, bool again, int face,
                       const Edge *shortened, Edge *closing)
{
  assert(face >= 0 && face < c->face_room && "a face has a number");
  for (int k = 0; k < crossing_count; k++) {
    const int vertex = first_vertex + k;
    const int old_face = shortened[k].face[shortened[k].vertex[1] == vertex ? 0 : 1];
    int entry = c->entry[old_face];
    if (c->entry_cut[old_face] != c->cut_count) return false;
    if (again) {
      const int partner = follow_above(c, crossing_count, k, old_face);
      if (partner < 0) return false;
      entry = first_vertex + partner;
    }
    closing[k] = (Edge){{vertex, entry}, {old_face, face}};
  }
  return true;
}

CutResult clipper_cut(Clipper *c, Plane plane, int face)
{
  assert(face >= 0 && face < c->face_room && "the face of a cut has a number");
  assert(c->vertex_count <= c->vertex_room && c->edge_count <= c->edge_room &&
         "the solid is in its room");
  // one sign a vertex; what is below stays
  int kept = 0;
  bool above = false;
  for (int i = 0; i < c->vertex_count; i++) {
    const double height = vec3_dot(plane.normal, c->vertices[i]) - plane.offset;
    c->heights[i] = height;
    c->renamed[i] = kept;
    c->spare_vertices[kept] = c->vertices[i];
    kept += height < 0;
    above |= height > 0;
  }
  if (kept == 0) return CUT_ALL;
  if (!above) return CUT_NOTHING;

  // edges below stay, edges with one end below are cut
  int kept_edges = 0, crossing_count = 0;
  for (int e = 0; e < c->edge_count; e++) {
    const Edge edge = c->edges[e];
    const int below0 = c->heights[edge.vertex[0]] < 0, below1 = c->heights[edge.vertex[1]] < 0;
    c->spare_edges[kept_edges] = (Edge){{c->renamed[edge.vertex[0]], c->renamed[edge.vertex[1]]},
                                        {edge.face[0], edge.face[1]}};
    c->crossings[crossing_count] = e;
    kept_edges += below0 & below1;
    crossing_count += below0 ^ below1;
  }
  if (kept + crossing_count >= c->vertex_room) return CUT_BROKEN;
  if (kept_edges + 2 * crossing_count >= c->edge_room) return CUT_BROKEN;

  c->cut_count++;
  Edge *shortened = c->spare_edges + kept_edges, *closing = shortened + crossing_count;
  const bool again = shorten_edges(c, crossing_count, kept, shortened);
  if (!close_face(c, crossing_count, kept, again, face, shortened, closing)) return CUT_BROKEN;

  vec3 *const old_vertices = c->vertices;
  Edge *const old_edges = c->edges;
  c->vertices = c->spare_vertices;
  c->edges = c->spare_edges;
  c->spare_vertices = old_vertices;
  c->spare_edges = old_edges;
  c->vertex_count = kept + crossing_count;
  c->edge_count = kept_edges + 2 * crossing_count;
  return CUT_PART;
}
