// Intersects two convex polyhedra by cuts, and labels faces of the result.
#include "intersection.h"

#include <assert.h>
#include <string.h>

#include "clipper.h"
#include "intersection_measure.h"

#define SMALL_PLANES 96   // planes sorted on the stack

enum { PREPARE_EMPTY = -1, PREPARE_FAILED = -2 };

typedef struct {
  Plane plane;    // pushed outward by the margin
  int face;       // number in the clipper
  double depth;   // largest distance of the solid below the plane, m
} Cutter;

// True when a plane of p has all of q at least the distance (m) above it.
static bool plane_separates(const Polyhedron *p, const Polyhedron *q, double distance)
{
  for (int f = 0; f < p->face_count; f++) {
    const vec3 normal = p->planes[f].normal;
    double lowest = INFINITY;
    for (int i = 0; i < q->vertex_count; i++) {
      lowest = smaller_of(lowest, vec3_dot(normal, q->vertices[i]));
    }
    if (lowest - p->planes[f].offset >= distance) return true;
  }
  return false;
}

// Fills in a box that holds the intersection in its inside; 0, or what prepare returns when it
// cannot.
static int start_common_box(Clipper *c, const Polyhedron *a, const Polyhedron *b, double margin)
{
  assert(margin >= 0 && "planes are pushed outward");
  vec3 low, high;
  switch (intersection_common_box(a, b, margin, &low, &high)) {
  case INTERSECTION_OK: break;
  case INTERSECTION_EMPTY: return PREPARE_EMPTY;
  default: return PREPARE_FAILED;
  }
  clipper_start_box(c, low, high, a->face_count + b->face_count);
  return 0;
}

// Adds the planes of p that cut the clipper's solid; returns the new count, or PREPARE_EMPTY when
// all of the solid lies above one.
static int add_cutters(const Clipper *c, const Polyhedron *p, double margin, int first_face,
                       Cutter *cutters, int count)
{
  assert(margin >= 0 && first_face >= 0 && "planes are pushed outward");
  for (int f = 0; f < p->face_count; f++) {
    const Plane plane = {p->planes[f].normal, p->planes[f].offset + margin};
    double lowest = INFINITY, highest = -INFINITY;
    for (int i = 0; i < c->vertex_count; i++) {
      const double height = vec3_dot(plane.normal, c->vertices[i]);
      lowest = smaller_of(lowest, height);
      highest = height > highest ? height : highest;
    }
    if (lowest >= plane.offset) return PREPARE_EMPTY;
    if (highest <= plane.offset) continue;
    cutters[count++] = (Cutter){plane, first_face + f, plane.offset - lowest};
  }
  return count;
}

// The plane that leaves least comes first: what follows has little left to cut.
static void sort_cutters(Cutter *cutters, int count)
{
  assert(count >= 0 && "cutters are counted");
  for (int i = 1; i < count; i++) {
    const Cutter moved = cutters[i];
    int k = i;
    for (; k > 0 && cutters[k - 1].depth > moved.depth; k--) cutters[k] = cutters[k - 1];
    cutters[k] = moved;
  }
}

// Fills in the solid to begin with and collects the planes that cut it; returns their number or a
// value of the enum.
static int prepare(Clipper *c, const Polyhedron *a, const Polyhedron *b, double margin,
                   Cutter *cutters)
{
  assert(margin >= 0 && "planes are pushed outward");
  // the solid with more faces is cut by the planes of the other
  const bool a_first = a->face_count >= b->face_count;
  for (int attempt = 0; attempt < 2; attempt++) {
    const bool start_a = a_first == (attempt == 0);
    const Polyhedron *start = start_a ? a : b, *other = start_a ? b : a;
    const int start_face = start_a ? 0 : a->face_count, other_face = start_a ? a->face_count : 0;
    if (margin <= 0) clipper_start_polyhedron(c, start, start_face);
    else if (!clipper_start_dilated(c, start, margin, start_face)) continue;
    return add_cutters(c, other, margin, other_face, cutters, 0);
  }
  // neither solid keeps its topology when its planes move: a box is cut by the planes of both
  const int started = start_common_box(c, a, b, margin);
  if (started < 0) return started;
  const int count = add_cutters(c, a, margin, 0, cutters, 0);
  return count < 0 ? count : add_cutters(c, b, margin, a->face_count, cutters, count);
}

// -- result ---------------------------------------------------------------------------------------

typedef struct {
  int from, to;
} CutStep;

// Writes the vertices of a face whose steps make one loop; false when they make several or do not
// close. next: room for all vertices.
static bool follow_loop(const CutStep *steps, int count, int *next, int *loop)
{
  assert(count >= 0 && next != NULL && loop != NULL && "a loop has steps");
  for (int i = 0; i < count; i++) next[steps[i].from] = steps[i].to;
  int vertex = steps[0].from;
  for (int i = 0; i < count; i++) {
    loop[i] = vertex;
    vertex = next[vertex];
    if (vertex == loop[0]) return i + 1 == count;
  }
  return false;
}

// Orders the steps of one face into closed loops, one after another: rounding can split a face.
// Returns how many loops, -1: they do not close; loop_end[i]: end of loop i among the steps.
static int chain_steps(CutStep *steps, int count, int *loop_end)
{
  assert(count >= 0 && loop_end != NULL && "steps are counted");
  int loops = 0, first = 0;
  for (int i = 0; i < count; i++) {
    if (steps[i].to == steps[first].from) {
      loop_end[loops++] = i + 1;
      first = i + 1;
      continue;
    }
    int next = i + 1;
    while (next < count && steps[next].from != steps[i].to) next++;
    if (next >= count) return -1;
    const CutStep swap = steps[i + 1];
    steps[i + 1] = steps[next];
    steps[next] = swap;
  }
  return loops;
}

// Steps of all faces, sorted by face; start[f]: first step of face f.
static void collect_steps(const Clipper *c, int *start, CutStep *steps)
{
  memset(start, 0, (size_t)(c->face_room + 1) * sizeof(int));
  for (int e = 0; e < c->edge_count; e++) {
    start[c->edges[e].face[0] + 1]++;
    start[c->edges[e].face[1] + 1]++;
  }
  for (int f = 0; f < c->face_room; f++) start[f + 1] += start[f];
  for (int e = 0; e < c->edge_count; e++) {
    const Edge edge = c->edges[e];
    steps[start[edge.face[0]]++] = (CutStep){edge.vertex[0], edge.vertex[1]};
    steps[start[edge.face[1]]++] = (CutStep){edge.vertex[1], edge.vertex[0]};
  }
  memmove(start + 1, start, (size_t)c->face_room * sizeof(int));
  start[0] = 0;
}

// The arrays of an intersection while they are written.
typedef struct {
  int face_count;
  IntersectionFace *faces;
  int *face_start, *face_vertices;
  vec3 *vertices;
} Result;

// Room for the loops of all faces while they are put together.
typedef struct {
  CutStep *steps;   // of all faces, sorted by face
  int *start;       // [face_room + 1] first step of each face
  int *loop_end;    // of the loops of one face
  int *next;        // [vertex_count]
} LoopSpace;

// Writes the loops of one face, almost always one, behind those already there; false when they do
// not close.
static bool add_loops(const LoopSpace *space, int number, int owner, int face, vec3 normal,
                      Result *result)
{
  assert(number >= 0 && (owner == 0 || owner == 1) && "a face is of one of two solids");
  CutStep *steps = space->steps + space->start[number];
  const int count = space->start[number + 1] - space->start[number];
  if (count == 0) return true;
  int loops = 1;
  int *loop = result->face_vertices + result->face_start[result->face_count];
  space->loop_end[0] = count;
  if (!follow_loop(steps, count, space->next, loop)) {
    loops = chain_steps(steps, count, space->loop_end);
    for (int i = 0; i < count; i++) loop[i] = steps[i].from;
  }
  const int *from = loop;
  for (int k = 0; k < loops; k++) {
    const int corners = space->loop_end[k] - (k == 0 ? 0 : space->loop_end[k - 1]);
    if (corners >= 3) {   // two edges in one place are no face
      memmove(loop, from, (size_t)corners * sizeof(int));
      IntersectionFace *entry = &result->faces[result->face_count++];
      entry->owner = owner;
      entry->face = face;
      intersection_measure_face(result->vertices, loop, corners, normal, entry);
      loop += corners;
      result->face_start[result->face_count] = (int)(loop - result->face_vertices);
    }
    from += corners;
  }
  return loops > 0;
}

static Intersection make_result(const Clipper *c, const Polyhedron *a, const Polyhedron *b,
                                Arena *arena)
{
  const size_t edges = (size_t)c->edge_count, corners = (size_t)c->vertex_count;
  Result result = {.faces = arena_allocate(arena, edges * sizeof(IntersectionFace)),
                   .face_start = arena_allocate(arena, (edges + 1) * sizeof(int)),
                   .face_vertices = arena_allocate(arena, 2 * edges * sizeof(int)),
                   .vertices = arena_allocate(arena, corners * sizeof(vec3))};
  memcpy(result.vertices, c->vertices, corners * sizeof(vec3));
  result.face_start[0] = 0;

  const ArenaMark mark = arena_mark(arena);
  const LoopSpace space = {.steps = arena_allocate(arena, 2 * edges * sizeof(CutStep)),
                           .start = arena_allocate(arena, (size_t)(c->face_room + 1) * sizeof(int)),
                           .loop_end = arena_allocate(arena, 2 * edges * sizeof(int)),
                           .next = arena_allocate_zero(arena, corners, sizeof(int))};
  collect_steps(c, space.start, space.steps);
  bool sound = space.start[a->face_count + b->face_count] == 2 * c->edge_count;   // no box left
  for (int f = 0; sound && f < a->face_count; f++) {
    sound = add_loops(&space, f, 0, f, a->planes[f].normal, &result);
  }
  for (int f = 0; sound && f < b->face_count; f++) {
    sound = add_loops(&space, a->face_count + f, 1, f, b->planes[f].normal, &result);
  }
  arena_release(arena, mark);
  Intersection x = {.status = INTERSECTION_FAILED,
                    .face_count = result.face_count,
                    .vertex_count = c->vertex_count,
                    .faces = result.faces,
                    .face_start = result.face_start,
                    .face_vertices = result.face_vertices,
                    .vertices = result.vertices};
  if (sound) intersection_measure_solid(&x, fmin(a->extent, b->extent));
  return x;
}

Intersection intersection_clip_any(const Polyhedron *a, const Polyhedron *b, double margin,
                                   Arena *arena)
{
  assert(margin >= 0 && "planes are pushed outward");
  assert(a->face_count >= 4 && b->face_count >= 4 && "solids have four faces");
  const Intersection empty = {.status = INTERSECTION_EMPTY},
                     failed = {.status = INTERSECTION_FAILED};
  if (plane_separates(a, b, 2 * margin) || plane_separates(b, a, 2 * margin)) return empty;

  const int planes = a->face_count + b->face_count;
  ClipperSpace space;
  Cutter small_cutters[SMALL_PLANES];
  Clipper clipper = clipper_new(planes + 6, &space, arena);
  Cutter *cutters = planes <= SMALL_PLANES ? small_cutters
                                           : arena_allocate(arena, (size_t)planes * sizeof(Cutter));
  const int count = prepare(&clipper, a, b, margin, cutters);
  if (count == PREPARE_EMPTY) return empty;
  if (count == PREPARE_FAILED) return failed;
  sort_cutters(cutters, count);
  for (int i = 0; i < count; i++) {
    switch (clipper_cut(&clipper, cutters[i].plane, cutters[i].face)) {
    case CUT_ALL: return empty;
    case CUT_BROKEN: return failed;
    case CUT_NOTHING:
    case CUT_PART: break;
    }
  }
  return make_result(&clipper, a, b, arena);
}
