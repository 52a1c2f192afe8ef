// Leads each mesh block of a soup to closed solids: mends harmless faults, refuses the others.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "box_overlap.h"
#include "check.h"
#include "flat_digits.h"
#include "memory.h"
#include "mesh_attempt.h"
#include "mesh_crossing.h"
#include "mesh_flat.h"
#include "mesh_hexa.h"
#include "mesh_tetra.h"

// A body with what is needed until all of them are known.
typedef struct {
  MeshBlock mesh;
  const int *source;   // points of the file
  int mesh_block;      // of the file
  int group;   // bodies of one group must not overlap: the mesh block, or all that were joined
  int first;   // face or tetrahedron of the file
} Body;

typedef struct {
  const MeshSoup *soup;
  bool hull;   // of pieces that are no sound surface
  MeshFault fault;
  vec3 *points;      // of the file, in m
  double *extents;   // [mesh_block_count] m
  bool *used;        // [points]
  double flat;       // of the mesh frame
  double step;       // of the numbers of the file, m
  Arena *arena;      // of the result
  Arena scratch;
  Body *bodies;
  int count, room;
} Maker;

// -- points ---------------------------------------------------------------------------------------

// Proper rotations: the axis becomes z. Adding zero turns -0 into 0.
static vec3 put_upright(vec3 p, MeshFrame mesh_frame)
{
  assert_debug(mesh_frame.up >= 0 && mesh_frame.up <= 2 &&
               "the upward axis of a mesh is x, y or z");
  const vec3 q = vec3_scale(mesh_frame.scale, p);
  if (mesh_frame.up == 0) return (vec3){q.y, q.z, q.x};
  if (mesh_frame.up == 1) return (vec3){q.x, 0.0 - q.z, q.y};
  return q;
}

// "tetrahedron 7", or the hexahedron that it is part of; both count from 1.
static MeshFace cell_name(const MeshSoup *soup, int tetra)
{
  assert(tetra >= 0 && tetra < soup->tetra_count && "a tetrahedron has a number");
  const bool part = soup->hexa_count > 0;
  MeshFace text;
  snprintf(text.text, sizeof text.text, "%s %d", part ? "hexahedron" : "tetrahedron",
           (part ? tetra / HEXA_TETRA : tetra) + 1);
  return text;
}

// The first face or cell with a point.
static MeshFace owner_of(const Maker *m, int point)
{
  const MeshSoup *soup = m->soup;
  for (int f = 0; f < soup->face_count; f++) {
    for (int c = soup->face_start[f]; c < soup->face_start[f + 1]; c++)
      if (soup->corners[c] == point) return mesh_face(&m->fault, f);
  }
  int t = 0;
  while (t < 4 * soup->tetra_count && soup->tetra[t / 4][t % 4] != point) t++;
  return cell_name(soup, t / 4);
}

static bool take_point(Maker *m, int point, int mesh_block, vec3 *low, vec3 *high)
{
  assert_debug(point >= 0 && point < m->soup->point_count && "a point has a number");
  assert_debug(mesh_block >= 0 && mesh_block < m->soup->mesh_block_count &&
               "a mesh block has a number");
  const vec3 p = m->points[point];
  m->used[point] = true;
  const bool finite = vec3_is_finite(p);
  if (!finite || fabs(p.x) > MESH_FAR || fabs(p.y) > MESH_FAR || fabs(p.z) > MESH_FAR) {
    return mesh_refuse(&m->fault, mesh_block, "%s at %s, a corner of %s",
                       finite ? "a coordinate is beyond 1e9 m (a scale is needed?)"
                              : "a coordinate is not a finite number",
                       mesh_place(&m->fault, point).text, owner_of(m, point).text);
  }
  low[mesh_block] = vec3_min(low[mesh_block], p);
  high[mesh_block] = vec3_max(high[mesh_block], p);
  return true;
}

// Puts all points into the mesh frame, judges those in use, and finds the extents of mesh blocks.
static bool take_points(Maker *m, MeshFrame mesh_frame)
{
  const MeshSoup *soup = m->soup;
  const size_t mesh_blocks = (size_t)soup->mesh_block_count, points = (size_t)soup->point_count;
  m->points = arena_allocate(&m->scratch, points * sizeof(vec3));
  m->used = arena_allocate_zero(&m->scratch, points, sizeof(bool));
  m->extents = arena_allocate(&m->scratch, mesh_blocks * sizeof(double));
  vec3 *low = arena_allocate(&m->scratch, mesh_blocks * sizeof(vec3));
  vec3 *high = arena_allocate(&m->scratch, mesh_blocks * sizeof(vec3));
  for (int i = 0; i < soup->point_count; i++)
    m->points[i] = put_upright(soup->points[i], mesh_frame);
  for (int b = 0; b < soup->mesh_block_count; b++) {
    low[b] = (vec3){INFINITY, INFINITY, INFINITY};
    high[b] = vec3_neg(low[b]);
  }
  for (int f = 0; f < soup->face_count; f++) {
    for (int c = soup->face_start[f]; c < soup->face_start[f + 1]; c++) {
      if (!take_point(m, soup->corners[c], soup->face_block[f], low, high)) return false;
    }
  }
  for (int i = 0; i < 4 * soup->tetra_count; i++) {
    if (!take_point(m, soup->tetra[i / 4][i % 4], soup->tetra_block[i / 4], low, high))
      return false;
  }
  for (int b = 0; b < soup->mesh_block_count; b++) {
    const vec3 size = vec3_sub(high[b], low[b]);
    const double xy = size.x > size.y ? size.x : size.y;
    m->extents[b] = xy > size.z ? xy : size.z;
  }
  m->flat = mesh_frame.flat;
  m->step = mesh_frame.scale * flat_digits_step(soup->points, m->used, soup->point_count);
  return true;
}

// -- bodies ---------------------------------------------------------------------------------------

static bool add_body(Maker *m, const Piece *piece, MeshRepairs repairs, int group, int first)
{
  assert(piece->mesh_block >= 0 && piece->mesh_block < m->soup->mesh_block_count &&
         "a body belongs to a mesh block");
  assert(group >= 0 && group <= m->soup->mesh_block_count &&
         "a group is a mesh block, or the file");
  assert(first >= 0 && "a body begins at a face or a tetrahedron");
  m->bodies = memory_grow(m->bodies, m->count + 1, &m->room, sizeof *m->bodies);
  Body *body = &m->bodies[m->count];
  Arena scratch = arena_new();
  const int *source;
  Piece own = *piece;
  own.keep_points = m->flat < 0 || mesh_flat_is_asked(m->flat, m->step);
  bool sound = !piece->open && mesh_body_make(&own, m->arena, &scratch, &body->mesh, &source);
  if (!sound && m->hull && piece->tetra_count == 0) {
    m->fault.error.text[0] = 0;
    sound = mesh_body_make_hull(piece, m->arena, &scratch, &body->mesh, &source);
  }
  arena_destroy(&scratch);
  if (!sound) return false;
  int *kept = arena_allocate(&m->scratch, (size_t)body->mesh.point_count * sizeof(int));
  memcpy(kept, source, (size_t)body->mesh.point_count * sizeof(int));
  body->source = kept;
  body->mesh_block = piece->mesh_block;
  body->group = group;
  body->first = first;
  body->mesh.repairs.merged_points += repairs.merged_points;
  body->mesh.repairs.split_points += repairs.split_points;
  body->mesh.repairs.dropped_faces += repairs.dropped_faces;
  body->mesh.repairs.turned_tetra += repairs.turned_tetra;
  body->mesh.repairs.turned_hexa += repairs.turned_hexa;
  body->mesh.repairs.split_faces += repairs.split_faces;
  m->count++;
  return true;
}

static bool add_tetrahedra(Maker *m)
{
  if (m->soup->tetra_count == 0) return true;
  TetraPieces pieces;
  if (!mesh_tetra_pieces(&m->fault, m->points, m->extents, &m->scratch, &pieces)) return false;
  for (int p = 0; p < pieces.count; p++) {
    const Piece *piece = &pieces.pieces[p];
    if (!add_body(m, piece, pieces.repairs[p], piece->mesh_block, pieces.first[p])) return false;
  }
  return true;
}

// Faces whose corners are all corners of tetrahedra mark the boundary of these.
static int list_faces(const Maker *m, int *faces)
{
  Arena scratch = arena_new();
  bool *marked = arena_allocate_zero(&scratch, (size_t)m->soup->point_count, sizeof(bool));
  for (int i = 0; i < 4 * m->soup->tetra_count; i++) marked[m->soup->tetra[i / 4][i % 4]] = true;
  int count = 0;
  for (int f = 0; f < m->soup->face_count; f++) {
    bool all = true;
    for (int c = m->soup->face_start[f]; c < m->soup->face_start[f + 1]; c++) {
      all = all && marked[m->soup->corners[c]];
    }
    if (!all) faces[count++] = f;
  }
  arena_destroy(&scratch);
  return count;
}

static bool refuse_open(const Maker *m, OpenEdges open)
{
  assert(open.count > 0 && "an open surface has an open edge");
  char holes[256];
  mesh_holes_text(&open.holes, holes, sizeof holes);
  return mesh_refuse(
      &m->fault, open.mesh_block, "open: %s one face only, the first to %s, from %s to %s; %s",
      mesh_count(open.count, "edge belongs to", "edges belong to").text,
      mesh_face(&m->fault, open.face).text, mesh_place(&m->fault, open.first[0]).text,
      mesh_place(&m->fault, open.first[1]).text, holes);
}

// What is left when everything else is closed has no area: it counts for a body of its mesh block.
static bool drop_rest(Maker *m, const int *faces, int count)
{
  assert(count >= 0 && count <= m->soup->face_count && "what is left is part of the file");
  for (int i = 0; i < count; i++) {
    const int mesh_block = m->soup->face_block[faces[i]];
    int owner = -1;
    for (int b = 0; b < m->count && owner < 0; b++) {
      if (m->bodies[b].mesh_block == mesh_block) owner = b;
    }
    if (owner < 0)
      return mesh_refuse(&m->fault, mesh_block, "its faces have no area, the first is %s",
                         mesh_face(&m->fault, faces[i]).text);
    m->bodies[owner].mesh.repairs.dropped_faces++;
  }
  return true;
}

// Faces of the file that have no body yet.
typedef struct {
  int count;
  int *faces;   // ascending
  bool *open;   // [mesh_block_count] some of them has area
  bool any_open;
  OpenEdges edges;
} Rest;

static void find_open_blocks(const Maker *m, const AttemptResult *result, Rest *rest)
{
  memset(rest->open, 0, (size_t)m->soup->mesh_block_count * sizeof(bool));
  rest->any_open = false;
  for (int i = 0; i < result->rest_count; i++) {
    if (!result->rest_area[i]) continue;
    rest->open[m->soup->face_block[result->rest[i]]] = true;
    rest->any_open = true;
  }
}

// How faces are closed in one attempt.
typedef struct {
  StageReach reach;
  bool keep_flat, by_blocks, keep_open;
} Way;

// One attempt. by_blocks: a mesh block that is not closed altogether gives no body at all.
static bool close_faces(Maker *m, Way way, Rest *rest, bool *any_flat)
{
  assert(way.reach <= STAGE_FILE && "an attempt has one of three reaches");
  assert(rest->count >= 0 && rest->count <= m->soup->face_count &&
         "what is left is part of the file");
  const AttemptInput input = {.fault = &m->fault,
                              .points = m->points,
                              .extents = m->extents,
                              .faces = rest->faces,
                              .face_count = rest->count,
                              .reach = way.reach,
                              .keep_flat = way.keep_flat,
                              .keep_open = way.keep_open};
  Arena scratch = arena_new();
  AttemptResult result;
  bool sound = mesh_attempt_run(&input, &scratch, &result);
  if (sound) find_open_blocks(m, &result, rest);
  for (int p = 0; p < result.piece_count && sound; p++) {
    const Piece *piece = &result.pieces[p];
    const int group = way.reach == STAGE_FILE ? m->soup->mesh_block_count : piece->mesh_block;
    if (way.by_blocks && rest->open[piece->mesh_block]) continue;
    sound = add_body(m, piece, result.repairs[p], group, piece->face[0]);
  }
  // what has no area stays in the rest of closed mesh blocks
  int left = 0;
  for (int i = 0, k = 0; i < rest->count && sound; i++) {
    const bool mine = k < result.rest_count && result.rest[k] == rest->faces[i];
    if (mine) k++;
    if (mine || (way.by_blocks && rest->open[m->soup->face_block[rest->faces[i]]]))
      rest->faces[left++] = rest->faces[i];
  }
  rest->count = left;
  rest->edges = result.open;
  *any_flat = result.any_flat;
  arena_destroy(&scratch);
  return sound;
}

// Closes the faces in attempts of growing reach; in each, triangles without area take part only in
// what cannot be closed without them.
static bool add_surfaces(Maker *m)
{
  Rest rest = {.faces = arena_allocate(&m->scratch, (size_t)m->soup->face_count * sizeof(int))};
  rest.open = arena_allocate(&m->scratch, (size_t)m->soup->mesh_block_count * sizeof(bool));
  rest.count = list_faces(m, rest.faces);
  rest.any_open = rest.count > 0;
  const int last = m->soup->mesh_blocks_apart ? STAGE_BLOCK : STAGE_FILE;
  for (int reach = STAGE_NUMBERED; reach <= last; reach++) {
    bool any_flat = true;
    for (int keep_flat = 0; keep_flat < 2 && any_flat && rest.any_open; keep_flat++) {
      const bool by_blocks = reach == STAGE_NUMBERED || (reach == STAGE_BLOCK && !keep_flat);
      const Way way = {(StageReach)reach, keep_flat == 1, by_blocks, false};
      if (!close_faces(m, way, &rest, &any_flat)) return false;
    }
  }
  // what stays open has a hull all the same
  bool any_flat;
  if (rest.any_open && m->hull &&
      !close_faces(m, (Way){STAGE_BLOCK, false, false, true}, &rest, &any_flat))
    return false;
  return rest.any_open ? refuse_open(m, rest.edges) : drop_rest(m, rest.faces, rest.count);
}

// -- bodies of one mesh block ---------------------------------------------------------------------

static Box body_box(const MeshBlock *mesh)
{
  assert(mesh->point_count > 0 && "a body has points");
  Box box = {mesh->points[0], mesh->points[0]};
  for (int i = 1; i < mesh->point_count; i++) {
    box.low = vec3_min(box.low, mesh->points[i]);
    box.high = vec3_max(box.high, mesh->points[i]);
  }
  return box;
}

static bool boxes_share_volume(Box p, Box q)
{
  return p.low.x < q.high.x && q.low.x < p.high.x && p.low.y < q.high.y && q.low.y < p.high.y &&
         p.low.z < q.high.z && q.low.z < p.high.z;
}

// The face or cell with which a body begins.
static MeshFace first_of(const Maker *m, const Body *body)
{
  if (body->mesh.tetra_count == 0) return mesh_face(&m->fault, body->first);
  return cell_name(m->soup, body->first);
}

static bool judge_pair(const Maker *m, const Body *a, const Body *b, Arena *scratch)
{
  assert(a != b && a->group == b->group && "two bodies of one group are compared");
  // both on one grid
  const int count = a->mesh.point_count + b->mesh.point_count;
  vec3 *points = arena_allocate(scratch, (size_t)count * sizeof(vec3));
  memcpy(points, a->mesh.points, (size_t)a->mesh.point_count * sizeof(vec3));
  memcpy(points + a->mesh.point_count, b->mesh.points, (size_t)b->mesh.point_count * sizeof(vec3));
  const GridPoint *grid = mesh_exact_grid(points, count, scratch);
  const int triangles = a->mesh.triangle_count + b->mesh.triangle_count;
  int *piece = arena_allocate(scratch, (size_t)triangles * sizeof(int));
  Surface s = {a->mesh.triangle_count, a->mesh.triangles, NULL};
  Surface t = {b->mesh.triangle_count, b->mesh.triangles, NULL};
  (void)mesh_surface_join(&s, piece, scratch);
  (void)mesh_surface_join(&t, piece, scratch);
  const Solid p = {&s, a->mesh.points, grid, NULL};
  const Solid q = {&t, b->mesh.points, grid + a->mesh.point_count, NULL};
  const Crossings found = mesh_crossing_between(&p, &q, scratch);
  if (found.count > 0) {
    return mesh_refuse(&m->fault, a->mesh_block,
                       "two bodies in it overlap, from %s and %s on, at %s", first_of(m, a).text,
                       first_of(m, b).text,
                       mesh_place(&m->fault, a->source[s.triangles[found.first[0]][0]]).text);
  }
  const bool inner_b = mesh_crossing_is_inside(&q, &p);
  if (!inner_b && !mesh_crossing_is_inside(&p, &q)) return true;
  const Body *inner = inner_b ? b : a;
  return mesh_refuse(&m->fault, inner->mesh_block,
                     "a closed surface, from %s on, lies inside another one, at %s; cavities are "
                     "not supported",
                     first_of(m, inner).text, mesh_place(&m->fault, inner->source[0]).text);
}

static bool judge_pairs(Maker *m)
{
  Arena scratch = arena_new();
  Box *boxes = arena_allocate(&scratch, (size_t)m->count * sizeof(Box));
  for (int i = 0; i < m->count; i++) boxes[i] = body_box(&m->bodies[i].mesh);
  const BoxPairs pairs = box_overlap_find(boxes, m->count, &scratch);
  bool sound = true;
  for (int64_t i = 0; i < pairs.count && sound; i++) {
    const BoxPair pair = pairs.pairs[i];
    const Body *a = &m->bodies[pair.a], *b = &m->bodies[pair.b];
    if (a->mesh.repairs.hulled || b->mesh.repairs.hulled) continue;   // its surface is another one
    if (a->group != b->group || !boxes_share_volume(boxes[pair.a], boxes[pair.b])) continue;
    const ArenaMark mark = arena_mark(&scratch);
    sound = judge_pair(m, a, b, &scratch);
    arena_release(&scratch, mark);
  }
  arena_destroy(&scratch);
  return sound;
}

// Faces are made flat once all bodies are known: neighbours share the planes of their joints.
static MeshFlat flatten_bodies(Maker *m)
{
  Arena scratch = arena_new();
  MeshBlock **bodies = arena_allocate(&scratch, (size_t)m->count * sizeof *bodies);
  for (int i = 0; i < m->count; i++) bodies[i] = &m->bodies[i].mesh;
  const MeshFlat flat = mesh_flat_make(bodies, m->count, m->flat, m->step, &scratch);
  arena_destroy(&scratch);
  return flat;
}

// -- result ---------------------------------------------------------------------------------------

static int compare_bodies(const void *p, const void *q)
{
  const Body *a = p, *b = q;
  if (a->mesh_block != b->mesh_block) return a->mesh_block < b->mesh_block ? -1 : 1;
  const bool filled_a = a->mesh.tetra_count > 0, filled_b = b->mesh.tetra_count > 0;
  if (filled_a != filled_b) return filled_a ? -1 : 1;
  return (a->first > b->first) - (a->first < b->first);
}

static const char *body_name(const char *mesh_block, int number, Arena *arena)
{
  assert(number >= 1 && "bodies of a mesh block count from 1");
  const size_t room = strlen(mesh_block) + 16;
  char *name = arena_allocate(arena, room);
  if (number == 1 || mesh_block[0] == 0) snprintf(name, room, "%s", mesh_block);
  else snprintf(name, room, "%s %d", mesh_block, number);
  return name;
}

static void hand_over(Maker *m, MeshBlocks *mesh_blocks)
{
  assert(m->count > 0 && "a sound mesh has a body");
  qsort(m->bodies, (size_t)m->count, sizeof(Body), compare_bodies);
  mesh_blocks->count = m->count;
  mesh_blocks->of = arena_allocate(m->arena, (size_t)m->count * sizeof(MeshBlock));
  int number = 0;
  for (int i = 0; i < m->count; i++) {
    const int mesh_block = m->bodies[i].mesh_block;
    number = i > 0 && m->bodies[i - 1].mesh_block == mesh_block ? number + 1 : 1;
    mesh_blocks->of[i] = m->bodies[i].mesh;
    mesh_blocks->of[i].name = body_name(m->soup->mesh_block_names[mesh_block], number, m->arena);
    mesh_blocks->of[i].fixed = m->soup->mesh_block_fixed && m->soup->mesh_block_fixed[mesh_block];
  }
  for (int i = 0; i < m->soup->point_count; i++) mesh_blocks->unused_points += !m->used[i];
  mesh_blocks->knows_fixed = m->soup->mesh_block_fixed != NULL;
  mesh_blocks->remark = m->soup->remark ? m->soup->remark : "";
}

bool mesh_block_make(const MeshSoup *soup, MeshFrame mesh_frame, Arena *arena,
                     MeshBlocks *mesh_blocks, ErrorText error)
{
  assert(soup->mesh_block_count >= 0 && soup->point_count >= 0 && "counts are not below zero");
  assert(soup->path != NULL && error.text != NULL && error.bytes > 0 && "a message has room");
  assert(mesh_frame.scale > 0 && isfinite(mesh_frame.scale) &&
         "the scale of a mesh is a positive number");
  assert(mesh_frame.up >= 0 && mesh_frame.up <= 2 && "the upward axis of a mesh is x, y or z");
  *mesh_blocks = (MeshBlocks){0};
  Maker m = {.soup = soup,
             .hull = mesh_frame.hull,
             .fault = {soup, error},
             .arena = arena,
             .scratch = arena_new()};
  bool sound = take_points(&m, mesh_frame) && add_tetrahedra(&m) && add_surfaces(&m);
  if (sound && m.count == 0) {
    snprintf(error.text, error.bytes, "%s: no faces in it", soup->path);
    sound = false;
  }
  if (sound) mesh_blocks->flat = flatten_bodies(&m);
  sound = sound && judge_pairs(&m);
  if (sound) hand_over(&m, mesh_blocks);
  memory_free(m.bodies);
  arena_destroy(&m.scratch);
  return sound;
}
