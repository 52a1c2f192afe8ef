// Makes one attempt to close faces of a file, with points at the same place made one.
#include <assert.h>
#include <string.h>

#include "check.h"
#include "face_key.h"
#include "mesh_attempt.h"
#include "mesh_polygon.h"
#include "mesh_union.h"
#include "mesh_weld.h"
#include "numbers.h"

#define FEWEST_FACES 3   // of a closed piece, where the file's own numbering is to close it

// An attempt in the making. Triangles are those that take part.
typedef struct {
  const AttemptInput *in;
  const MeshSoup *soup;
  int face_count;
  int *faces;          // of the file, that take part
  int *pool;           // [face_count]
  int *corner_start;   // [face_count + 1] into vertex_of
  int *vertex_of;      // vertex of each corner of each face
  int vertex_count;
  vec3 *points;        // [vertex_count] m
  int *source;         // [vertex_count] points of the file
  double *tolerance;   // [face_count] m
  Surface surface;
  int *face;     // [triangles] index into faces
  int *number;   // [triangles] of those of the cut, for order
  bool *bent;    // [face_count] not flat
  bool *area;    // [face_count] some triangle of it is higher than the tolerance
  int *piece;    // [triangles]
  int piece_count;
  bool *closed;    // [piece_count]
  int *piece_of;   // [face_count] closed piece that has the face, -1: none
} Attempt;

static double tolerance_of(const AttemptInput *in, int face, double whole)
{
  assert_debug(face >= 0 && face < in->fault->soup->face_count && "a face has a number");
  const int mesh_block = in->fault->soup->face_block[face];
  return MESH_SAME_PLACE * (in->reach == STAGE_FILE ? whole : in->extents[mesh_block]);
}

// Numbers of pools: faces of a mesh block that hang together by points of the file.
static int *pools_by_points(const AttemptInput *in, Arena *arena)
{
  assert(in->reach == STAGE_NUMBERED && "the file's numbering makes these pools");
  const MeshSoup *soup = in->fault->soup;
  int *parent = union_new(in->face_count, arena);
  int *first = arena_allocate(arena, (size_t)soup->point_count * sizeof(int));
  int *mesh_block = arena_allocate(arena, (size_t)in->face_count * sizeof(int));
  memset(first, 0xff, (size_t)soup->point_count * sizeof(int));
  // by mesh block, since a point may belong to several
  for (int i = 0; i < in->face_count; i++) mesh_block[i] = soup->face_block[in->faces[i]];
  const NumberGroups mesh_blocks =
      numbers_group(mesh_block, in->face_count, soup->mesh_block_count, arena);
  for (int k = 0; k < in->face_count; k++) {
    const int i = mesh_blocks.members[k], face = in->faces[i];
    for (int c = soup->face_start[face]; c < soup->face_start[face + 1]; c++) {
      int *known = &first[soup->corners[c]];
      if (*known < 0 || mesh_block[*known] != mesh_block[i]) *known = i;
      else union_join(parent, *known, i);
    }
  }
  int *pool = arena_allocate(arena, (size_t)in->face_count * sizeof(int));
  for (int i = 0; i < in->face_count; i++) pool[i] = union_root(parent, i);
  return pool;
}

// Which faces take part, and in which pool.
static void choose_faces(Attempt *a, Arena *arena)
{
  const AttemptInput *in = a->in;
  const size_t count = (size_t)in->face_count;
  a->faces = arena_allocate(arena, count * sizeof(int));
  a->pool = arena_allocate(arena, count * sizeof(int));
  a->face_count = 0;
  int *pool = NULL, *members = NULL;
  if (in->reach == STAGE_NUMBERED) {
    pool = pools_by_points(in, arena);
    members = arena_allocate_zero(arena, count, sizeof(int));
    for (int i = 0; i < in->face_count; i++) members[pool[i]]++;
  }
  for (int i = 0; i < in->face_count; i++) {
    if (pool && members[pool[i]] < FEWEST_FACES) continue;
    const int mesh_block = a->soup->face_block[in->faces[i]];
    a->faces[a->face_count] = in->faces[i];
    a->pool[a->face_count++] = pool ? pool[i] : in->reach == STAGE_BLOCK ? mesh_block : 0;
  }
}

// Extent of all points of the faces, m.
static double whole_extent(const Attempt *a)
{
  vec3 low = {0, 0, 0}, high = {0, 0, 0};
  bool any = false;
  for (int i = 0; i < a->face_count; i++) {
    for (int c = a->soup->face_start[a->faces[i]]; c < a->soup->face_start[a->faces[i] + 1]; c++) {
      const vec3 p = a->in->points[a->soup->corners[c]];
      low = any ? vec3_min(low, p) : p;
      high = any ? vec3_max(high, p) : p;
      any = true;
    }
  }
  const vec3 size = vec3_sub(high, low);
  const double xy = size.x > size.y ? size.x : size.y;
  return xy > size.z ? xy : size.z;
}

static void weld_corners(Attempt *a, Arena *arena)
{
  assert(a->face_count <= a->in->face_count && "faces that take part were given");
  const double whole = a->in->reach == STAGE_FILE ? whole_extent(a) : 0;
  a->corner_start = arena_allocate(arena, ((size_t)a->face_count + 1) * sizeof(int));
  a->tolerance = arena_allocate(arena, (size_t)a->face_count * sizeof(double));
  int corners = 0;
  for (int i = 0; i < a->face_count; i++) {
    a->corner_start[i] = corners;
    corners += a->soup->face_start[a->faces[i] + 1] - a->soup->face_start[a->faces[i]];
    a->tolerance[i] = tolerance_of(a->in, a->faces[i], whole);
  }
  a->corner_start[a->face_count] = corners;

  const size_t count = (size_t)corners;
  vec3 *points = arena_allocate(arena, count * sizeof(vec3));
  int *pool = arena_allocate(arena, count * sizeof(int));
  double *tolerance = arena_allocate(arena, count * sizeof(double));
  int *point = arena_allocate(arena, count * sizeof(int));
  int *first = arena_allocate(arena, count * sizeof(int));
  for (int i = 0; i < a->face_count; i++) {
    const int start = a->soup->face_start[a->faces[i]];
    for (int c = a->corner_start[i]; c < a->corner_start[i + 1]; c++) {
      point[c] = a->soup->corners[start + c - a->corner_start[i]];
      points[c] = a->in->points[point[c]];
      pool[c] = a->pool[i];
      tolerance[c] = a->tolerance[i];
    }
  }
  const WeldInput input = {corners, points, pool, tolerance};
  a->vertex_of = arena_allocate(arena, count * sizeof(int));
  a->vertex_count = mesh_weld_points(&input, a->vertex_of, first, arena);
  a->points = arena_allocate(arena, (size_t)a->vertex_count * sizeof(vec3));
  a->source = arena_allocate(arena, (size_t)a->vertex_count * sizeof(int));
  for (int v = 0; v < a->vertex_count; v++) {
    a->points[v] = points[first[v]];
    a->source[v] = point[first[v]];
  }
}

// Cuts all faces into triangles; those with a corner twice are left out, those lower than the
// tolerance only where they take part.
static bool cut_faces(Attempt *a, AttemptResult *result, Arena *arena)
{
  const size_t room = (size_t)a->corner_start[a->face_count];
  a->surface.triangles = arena_allocate(arena, room * sizeof(int[3]));
  a->face = arena_allocate(arena, room * sizeof(int));
  a->bent = arena_allocate_zero(arena, (size_t)a->face_count, sizeof(bool));
  a->area = arena_allocate_zero(arena, (size_t)a->face_count, sizeof(bool));
  Arena scratch = arena_new();
  bool simple = true;
  for (int i = 0; i < a->face_count && simple; i++) {
    const int start = a->corner_start[i], corners = a->corner_start[i + 1] - start;
    const ArenaMark mark = arena_mark(&scratch);
    PolygonCut cut;
    const double flat = MESH_FLAT / MESH_SAME_PLACE * a->tolerance[i];
    const MeshPolygon polygon = {corners, a->vertex_of + start, a->points};
    simple = mesh_polygon_cut(polygon, flat, &cut, &scratch);
    a->bent[i] = !cut.flat;
    for (int t = 0; t < cut.count; t++) {
      int edge;
      const bool low =
          mesh_surface_triangle_height(a->points, cut.triangles[t], &edge) <= a->tolerance[i];
      result->any_flat = result->any_flat || low;
      a->area[i] = a->area[i] || !low;
      if (low && !a->in->keep_flat) continue;
      memcpy(a->surface.triangles[a->surface.count], cut.triangles[t], sizeof(int[3]));
      a->face[a->surface.count++] = i;
    }
    arena_release(&scratch, mark);
    if (!simple) {
      (void)mesh_refuse(a->in->fault, a->soup->face_block[a->faces[i]],
                        "a polygon with a corner at %s, %s, crosses itself",
                        mesh_place(a->in->fault, a->source[a->vertex_of[start]]).text,
                        mesh_face(a->in->fault, a->faces[i]).text);
    }
  }
  arena_destroy(&scratch);
  return simple;
}

// Keeps the first of triangles with the same corners.
static void drop_repeated(Attempt *a, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  const size_t count = (size_t)a->surface.count;
  FaceKey *keys = arena_allocate(arena, count * sizeof(FaceKey));
  bool *repeated = arena_allocate_zero(arena, count, sizeof(bool));
  for (int t = 0; t < a->surface.count; t++) { keys[t] = face_key(a->surface.triangles[t], t); }
  face_keys_sort(keys, a->surface.count);
  for (int i = 0, end; i < a->surface.count; i = end) {
    end = face_keys_end(keys, a->surface.count, i);
    for (int k = i + 1; k < end; k++) repeated[keys[k].number] = true;
  }
  int kept = 0;
  for (int t = 0; t < a->surface.count; t++) {
    if (repeated[t]) continue;
    memcpy(a->surface.triangles[kept], a->surface.triangles[t], sizeof(int[3]));
    a->face[kept++] = a->face[t];
  }
  a->surface.count = kept;
  arena_release(arena, mark);
}

// Joins the triangles; a piece with an edge that has one face is not closed.
static void find_closed(Attempt *a, AttemptResult *result, Arena *arena)
{
  a->piece = arena_allocate(arena, (size_t)a->surface.count * sizeof(int));
  a->piece_count = mesh_surface_join(&a->surface, a->piece, arena);
  a->closed = arena_allocate(arena, (size_t)a->piece_count * sizeof(bool));
  memset(a->closed, 1, (size_t)a->piece_count * sizeof(bool));
  for (int e = 0; e < 3 * a->surface.count; e++) {
    if (a->surface.mates[e] != EDGE_OPEN) continue;
    a->closed[a->piece[e / 3]] = a->in->keep_open;
    if (result->open.count++ > 0) continue;
    result->open.first[0] = a->source[edge_start(&a->surface, e)];
    result->open.first[1] = a->source[edge_end(&a->surface, e)];
    result->open.face = a->faces[a->face[e / 3]];
    result->open.mesh_block = a->soup->face_block[result->open.face];
  }
  if (result->open.count > 0) {
    const VertexPlaces places = {a->vertex_count, a->source, a->soup->points};
    result->open.holes = mesh_holes_find(&a->surface, &places, arena);
  }
  a->piece_of = arena_allocate(arena, (size_t)a->face_count * sizeof(int));
  memset(a->piece_of, 0xff, (size_t)a->face_count * sizeof(int));
  for (int t = 0; t < a->surface.count; t++) {
    if (a->closed[a->piece[t]]) a->piece_of[a->face[t]] = a->piece[t];
  }
}

// One closed piece in terms of its own vertices. vertex_number: -1 where a piece has no vertex yet.
static void make_piece(const Attempt *a, const int *triangles, int count, int *vertex_number,
                       int *vertex_piece, int index, AttemptResult *result, Arena *arena)
{
  assert(count > 0 && "a piece has triangles");
  assert(index >= 0 && index < a->piece_count && "a piece has a number");
  Piece *piece = &result->pieces[index];
  MeshRepairs *repairs = &result->repairs[index];
  const int first_face = a->face[triangles[0]];
  *repairs = (MeshRepairs){0};
  *piece = (Piece){.fault = a->in->fault,
                   .mesh_block = a->soup->face_block[a->faces[first_face]],
                   .open = a->in->keep_open,
                   .tolerance = a->tolerance[first_face]};
  piece->surface.count = count;
  piece->surface.triangles = arena_allocate(arena, (size_t)count * sizeof(int[3]));
  int *face = arena_allocate(arena, (size_t)count * sizeof(int));
  int *vertices = arena_allocate(arena, 3 * (size_t)count * sizeof(int));
  int vertex_count = 0;
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < 3; k++) {
      const int v = a->surface.triangles[triangles[i]][k];
      if (vertex_number[v] < 0) {
        vertex_number[v] = vertex_count;
        vertices[vertex_count++] = v;
        if (vertex_piece[v] >= 0) repairs->split_points++;
        else vertex_piece[v] = index;
      }
      piece->surface.triangles[i][k] = vertex_number[v];
    }
    const int f = a->face[triangles[i]];
    face[i] = a->faces[f];
    if (i > 0 && face[i] == face[i - 1]) continue;
    repairs->split_faces += a->bent[f];
    repairs->dropped_faces += !a->area[f];
  }
  vec3 *points = arena_allocate(arena, (size_t)vertex_count * sizeof(vec3));
  int *source = arena_allocate(arena, (size_t)vertex_count * sizeof(int));
  for (int i = 0; i < vertex_count; i++) {
    points[i] = a->points[vertices[i]];
    source[i] = a->source[vertices[i]];
    vertex_number[vertices[i]] = -1;
  }
  piece->face = face;
  piece->vertex_count = vertex_count;
  piece->points = points;
  piece->source = source;
}

// vertex_piece[v]: the first piece with that vertex, -1: none.
static void make_pieces(const Attempt *a, AttemptResult *result, int *vertex_piece, Arena *arena)
{
  const size_t count = (size_t)a->piece_count;
  const NumberGroups groups = numbers_group(a->piece, a->surface.count, a->piece_count, arena);
  int *vertex_number = arena_allocate(arena, (size_t)a->vertex_count * sizeof(int));
  memset(vertex_number, 0xff, (size_t)a->vertex_count * sizeof(int));
  memset(vertex_piece, 0xff, (size_t)a->vertex_count * sizeof(int));
  result->pieces = arena_allocate(arena, count * sizeof(Piece));
  result->repairs = arena_allocate(arena, count * sizeof(MeshRepairs));
  for (int p = 0; p < a->piece_count; p++) {
    if (!a->closed[p]) continue;
    make_piece(a, groups.members + groups.start[p], groups.start[p + 1] - groups.start[p],
               vertex_number, vertex_piece, result->piece_count++, result, arena);
  }
}

// Points of the file that became one with another, for the first piece that has their vertex.
static void count_merged(const Attempt *a, AttemptResult *result, const int *vertex_piece,
                         Arena *arena)
{
  const int corners = a->corner_start[a->face_count];
  NumberPair *named = arena_allocate(arena, (size_t)corners * sizeof(NumberPair));
  for (int i = 0; i < a->face_count; i++) {
    const int start = a->soup->face_start[a->faces[i]];
    for (int c = a->corner_start[i]; c < a->corner_start[i + 1]; c++) {
      const int point = a->soup->corners[start + c - a->corner_start[i]];
      named[c] = (NumberPair){a->vertex_of[c], point};
    }
  }
  numbers_sort_pairs(named, corners);
  for (int c = 1; c < corners; c++) {
    const int piece = vertex_piece[named[c].first];
    if (piece < 0 || named[c].first != named[c - 1].first) continue;
    result->repairs[piece].merged_points += named[c].second != named[c - 1].second;
  }
}

// Faces without triangles count for the piece that has one of their corners; what is left is the
// rest.
static void sort_out_rest(const Attempt *a, AttemptResult *result, const int *vertex_piece,
                          Arena *arena)
{
  assert(a->face_count <= a->in->face_count && "faces that take part were given");
  const AttemptInput *in = a->in;
  bool *taking_part = arena_allocate_zero(arena, (size_t)a->face_count, sizeof(bool));
  for (int t = 0; t < a->surface.count; t++) taking_part[a->face[t]] = true;
  result->rest = arena_allocate(arena, (size_t)in->face_count * sizeof(int));
  result->rest_area = arena_allocate(arena, (size_t)in->face_count * sizeof(bool));
  for (int i = 0, k = 0; i < in->face_count; i++) {
    const bool chosen = k < a->face_count && a->faces[k] == in->faces[i];
    const int f = chosen ? k++ : -1;
    if (chosen && a->piece_of[f] >= 0) continue;
    int owner = -1;
    if (chosen && !taking_part[f]) {
      for (int c = a->corner_start[f]; c < a->corner_start[f + 1] && owner < 0; c++) {
        owner = vertex_piece[a->vertex_of[c]];
      }
    }
    if (owner >= 0) {
      result->repairs[owner].dropped_faces++;
    } else {
      result->rest_area[result->rest_count] = !chosen || a->area[f];
      result->rest[result->rest_count++] = in->faces[i];
    }
  }
}

bool mesh_attempt_run(const AttemptInput *input, Arena *arena, AttemptResult *result)
{
  assert(input->reach <= STAGE_FILE && "an attempt has one of three reaches");
  assert(input->face_count >= 0 && (input->faces != NULL || input->face_count == 0) &&
         "faces are given");
  assert(input->fault != NULL && input->fault->soup != NULL && "faces are those of a file");
  *result = (AttemptResult){0};
  Attempt a = {.in = input, .soup = input->fault->soup};
  choose_faces(&a, arena);
  weld_corners(&a, arena);
  if (!cut_faces(&a, result, arena)) return false;
  drop_repeated(&a, arena);
  find_closed(&a, result, arena);
  int *vertex_piece = arena_allocate(arena, (size_t)a.vertex_count * sizeof(int));
  make_pieces(&a, result, vertex_piece, arena);
  count_merged(&a, result, vertex_piece, arena);
  sort_out_rest(&a, result, vertex_piece, arena);
  return true;
}
