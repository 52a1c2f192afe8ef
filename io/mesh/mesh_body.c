// Turns one closed piece of surface outwards, judges it and measures it.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "flatten.h"
#include "hull_triangles.h"
#include "mesh_body.h"
#include "mesh_crossing.h"
#include "mesh_exact.h"
#include "mesh_measure.h"
#include "numbers.h"

static double largest_side(const vec3 *points, int count, double *farthest)
{
  assert(count > 0 && "points have a largest side");
  vec3 low = points[0], high = points[0];
  for (int i = 1; i < count; i++) low = vec3_min(low, points[i]), high = vec3_max(high, points[i]);
  const vec3 size = vec3_sub(high, low);
  *farthest = 0;
  for (int k = 0; k < 3; k++) {
    const double a = fabs((&low.x)[k]), b = fabs((&high.x)[k]);
    if (a > *farthest) *farthest = a;
    if (b > *farthest) *farthest = b;
  }
  const double xy = size.x > size.y ? size.x : size.y;
  return xy > size.z ? xy : size.z;
}

// The face of the file that a triangle is of; pieces of tetrahedra have none.
static MeshFace face_of(const Piece *piece, int triangle)
{
  assert(triangle >= 0 && triangle < piece->surface.count && "a triangle has a number");
  if (piece->tetra_count == 0) return mesh_face(piece->fault, piece->face[triangle]);
  return piece->hexa_count > 0 ? (MeshFace){"a hexahedron"} : (MeshFace){"a tetrahedron"};
}

// What fills it, in messages.
static const char *filling_of(const Piece *piece)
{
  assert(piece->tetra_count > 0 && "a piece has cells");
  return piece->hexa_count > 0 ? "hexahedra" : "tetrahedra";
}

static bool refuse_crowded(const Piece *piece, const Surface *s)
{
  int count = 0, first = -1;
  for (int e = 3 * s->count - 1; e >= 0; e--) {
    if (s->mates[e] == EDGE_CROWDED) count++, first = e;
  }
  if (count == 0) return true;
  const int a = piece->source[edge_start(s, first)], b = piece->source[edge_end(s, first)];
  return mesh_refuse(
      piece->fault, piece->mesh_block,
      "an edge of %s belongs to more than two faces, from %s to %s; bodies that touch must "
      "be blocks of their own, and a body must not touch itself along an edge",
      face_of(piece, first / 3).text, mesh_place(piece->fault, a).text,
      mesh_place(piece->fault, b).text);
}

// The first triangle without area, or 0.
static int first_flat(const Piece *piece, const Surface *s)
{
  int unused;
  for (int t = 0; t < s->count; t++) {
    if (mesh_surface_triangle_height(piece->points, s->triangles[t], &unused) <= piece->tolerance)
      return t;
  }
  return 0;
}

// Joins, orients, and removes triangles without area.
static bool close_surface(const Piece *piece, Surface *s, bool *turned, Arena *scratch)
{
  const MeshFault *fault = piece->fault;
  const int parts =
      mesh_surface_join(s, arena_allocate(scratch, (size_t)s->count * sizeof(int)), scratch);
  if (!refuse_crowded(piece, s)) return false;
  if (parts > 1) {
    return mesh_refuse(fault, piece->mesh_block,
                       "there is a cavity in the %s, near %s; cavities are not supported",
                       filling_of(piece),
                       mesh_place(fault, piece->source[s->triangles[0][0]]).text);
  }
  int edge = 0;
  if (!mesh_surface_orient(s, turned, &edge, scratch)) {
    return mesh_refuse(fault, piece->mesh_block,
                       "the surface has no inside and outside: around the edge of %s from %s its "
                       "faces cannot look the same way",
                       face_of(piece, edge / 3).text,
                       mesh_place(fault, piece->source[edge_start(s, edge)]).text);
  }
  if (piece->tetra_count == 0 &&
      !mesh_surface_flip_flat(s, piece->points, piece->tolerance, scratch)) {
    const int flat = first_flat(piece, s);
    return mesh_refuse(
        fault, piece->mesh_block, "open where a face without area is left out, %s, near %s",
        face_of(piece, flat).text, mesh_place(fault, piece->source[s->triangles[flat][0]]).text);
  }
  return true;
}

// Gives every fan of triangles a point, in the order of the file, and puts the triangles in terms
// of these. place[i]: vertex of point i. The surface is that of the body from here on.
static void number_points(const Piece *piece, Surface *s, MeshBlock *body, int **place,
                          Arena *scratch)
{
  assert(piece->tetra_count == 0 && "a surface alone gives its points new numbers");
  int *fan = arena_allocate(scratch, 3 * (size_t)s->count * sizeof(int));
  const int fans = mesh_surface_fans(s, fan, scratch);
  NumberPair *sorted = arena_allocate(scratch, (size_t)fans * sizeof(NumberPair));
  int *vertex = arena_allocate(scratch, (size_t)fans * sizeof(int));
  int *number = arena_allocate(scratch, (size_t)fans * sizeof(int));
  bool *seen = arena_allocate_zero(scratch, (size_t)piece->vertex_count, sizeof(bool));
  for (int e = 0; e < 3 * s->count; e++) {
    const int v = edge_start(s, e);
    vertex[fan[e]] = v;
    sorted[fan[e]] = (NumberPair){piece->source[v], fan[e]};
  }
  numbers_sort_pairs(sorted, fans);   // by point of the file, then by fan
  *place = arena_allocate(scratch, (size_t)fans * sizeof(int));
  for (int i = 0; i < fans; i++) {
    const int v = vertex[sorted[i].second];
    number[sorted[i].second] = i;
    (*place)[i] = v;
    if (seen[v]) body->repairs.split_points++;
    seen[v] = true;
  }
  body->point_count = fans;
  for (int e = 0; e < 3 * s->count; e++) s->triangles[e / 3][e % 3] = number[fan[e]];
}

// All points of the tetrahedra in the order of the file; a surface that touches itself in a point
// is refused, since its tetrahedra would have to be told apart there.
static bool keep_points(const Piece *piece, Surface *s, MeshBlock *body, int **place,
                        Arena *scratch)
{
  assert(piece->tetra_count > 0 && "points of tetrahedra keep their order");
  int *fan = arena_allocate(scratch, 3 * (size_t)s->count * sizeof(int));
  int *fan_of = arena_allocate(scratch, (size_t)piece->vertex_count * sizeof(int));
  (void)mesh_surface_fans(s, fan, scratch);
  memset(fan_of, 0xff, (size_t)piece->vertex_count * sizeof(int));
  for (int e = 0; e < 3 * s->count; e++) {
    const int v = edge_start(s, e);
    if (fan_of[v] >= 0 && fan_of[v] != fan[e]) {
      return mesh_refuse(piece->fault, piece->mesh_block, "the %s touch each other at %s alone",
                         filling_of(piece), mesh_place(piece->fault, piece->source[v]).text);
    }
    fan_of[v] = fan[e];
  }
  *place = arena_allocate(scratch, (size_t)piece->vertex_count * sizeof(int));
  for (int i = 0; i < piece->vertex_count; i++) (*place)[i] = i;
  body->point_count = piece->vertex_count;
  return true;
}

static bool has_volume(const Piece *piece, Measures measures, double extent)
{
  const double thin = MESH_THIN * extent * measures.area / 2;
  const double needle = MESH_NEEDLE * extent * extent * extent;
  return fabs(measures.volume) > fmax(thin, needle) ||
         mesh_refuse(piece->fault, piece->mesh_block, "no volume, from %s on, near %s",
                     face_of(piece, 0).text, mesh_place(piece->fault, piece->source[0]).text);
}

static bool has_digits(const Piece *piece, double extent, double farthest)
{
  return !(0x1p-52 * farthest > MESH_DENT * extent) ||
         mesh_refuse(piece->fault, piece->mesh_block,
                     "it is so small and so far from the origin that its coordinates have too few "
                     "digits, near %s; move it towards the origin",
                     mesh_place(piece->fault, piece->source[0]).text);
}

// Turns the surface outwards; faces that differ from most are the ones that were turned.
static bool turn_outwards(const Piece *piece, Surface *s, const bool *turned, MeshBlock *body,
                          Measures *measures, double extent)
{
  assert(extent >= 0 && "an extent is not below zero");
  *measures = mesh_measure_solid(s, (SurfacePoints){body->point_count, body->points});
  if (!has_volume(piece, *measures, extent)) return false;
  if (measures->volume < 0) {
    mesh_surface_reverse(s);
    measures->volume = -measures->volume;
    for (int k = 0; k < 3; k++) {
      measures->inertia.row[k] = vec3_sub((vec3){0, 0, 0}, measures->inertia.row[k]);
    }
    body->repairs.inside_out = true;
  }
  int faces = 0, differ = 0;
  for (int t = 0; piece->tetra_count == 0 && t < s->count; t++) {
    if (t > 0 && piece->face[t] == piece->face[t - 1]) continue;
    faces++;
    differ += turned[t] != body->repairs.inside_out;
  }
  body->repairs.inside_out = 2 * differ > faces;
  body->repairs.turned_faces = body->repairs.inside_out ? faces - differ : differ;
  return true;
}

static Crossings find_crossings(const Surface *s, const vec3 *points, int point_count,
                                const int *place, Arena *scratch)
{
  const Solid solid = {.surface = s,
                       .points = points,
                       .grid = mesh_exact_grid(points, point_count, scratch),
                       .place = place};
  return mesh_crossing_within(&solid, scratch);
}

static bool judge_crossings(const Piece *piece, const Surface *s, const MeshBlock *body,
                            const int *place, Arena *scratch)
{
  assert(place != NULL && "every point has its place in the file");
  const Crossings found = find_crossings(s, body->points, body->point_count, place, scratch);
  if (found.count == 0) return true;
  const int a = piece->source[place[s->triangles[found.first[0]][0]]];
  const int b = piece->source[place[s->triangles[found.first[1]][0]]];
  return mesh_refuse(piece->fault, piece->mesh_block,
                     "the surface crosses itself in %s; the first is %s and %s, with corners at %s "
                     "and %s",
                     mesh_count(found.count, "pair of triangles", "pairs of triangles").text,
                     face_of(piece, found.first[0]).text, face_of(piece, found.first[1]).text,
                     mesh_place(piece->fault, a).text, mesh_place(piece->fault, b).text);
}

// The tetrahedra fill the surface when their volumes add up to its volume.
static bool judge_tetrahedra(const Piece *piece, const MeshBlock *body)
{
  assert(body->tetra_count > 0 && body->volume > 0 && "tetrahedra fill a volume");
  double sum = 0;
  for (int t = 0; t < body->tetra_count; t++) {
    const int *v = body->tetra[t];
    const vec3 o = body->points[v[0]];
    sum += vec3_dot(vec3_sub(body->points[v[1]], o),
                    vec3_cross(vec3_sub(body->points[v[2]], o), vec3_sub(body->points[v[3]], o))) /
           6;
  }
  if (fabs(sum - body->volume) <= 1e-12 * body->volume) return true;
  return mesh_refuse(piece->fault, piece->mesh_block,
                     "the %s have a volume of %.15g m3, their surface holds %.15g m3",
                     filling_of(piece), sum, body->volume);
}

static void take_measures(MeshBlock *body, Measures measures)
{
  body->volume = measures.volume;
  body->centroid = measures.centroid;
  body->inertia = measures.inertia;
}

// Planes and convexity. Coordinates far from the origin are rounded more than the extent tells.
static void find_planes(const Surface *s, MeshBlock *body, Measures measures, double extent,
                        double rounding, Arena *scratch)
{
  assert(extent > 0 && rounding >= 0 && "a body with volume has an extent");
  body->repairs.polygons =
      mesh_measure_polygons(s, body->points, MESH_FLAT * extent, body->polygon, scratch);
  body->convex = body->repairs.split_points == 0 &&
                 mesh_measure_convex(s, (SurfacePoints){body->point_count, body->points}, measures,
                                     rounding, scratch);
}

// Whether points that move turn a triangle round: a facet as thin as the way they go is then folded
// onto its neighbour, which no crossing shows.
static bool turns_triangle(const Surface *s, const vec3 *before, const vec3 *after)
{
  for (int t = 0; t < s->count; t++)
    if (vec3_dot(mesh_surface_triangle_cross(s, before, t),
                 mesh_surface_triangle_cross(s, after, t)) < 0)
      return true;
  return false;
}

// Few digits of a file dent flat faces, which then are not convex to rounding. Their points go to
// the common planes, where that leaves clearly fewer planes and the surface does not cross itself.
static void flatten_faces(const Surface *s, MeshBlock *body, Measures *measures, double extent,
                          double rounding, const int *place, Arena *scratch)
{
  assert(body->tetra_count == 0 && "points of tetrahedra stay where they are");
  const size_t bytes = (size_t)body->point_count * sizeof(vec3);
  vec3 *points = arena_allocate(scratch, bytes);
  memcpy(points, body->points, bytes);
  const FlatSurface flat = {body->point_count, points, s->count, (const int(*)[3])body->triangles};
  const FlatReport report = flatten_mesh(&flat, MESH_DIGITS, scratch);
  if (report.moved_points == 0 || report.farthest <= rounding) return;
  const Measures now = mesh_measure_solid(s, (SurfacePoints){body->point_count, points});
  if (!(now.volume > measures->volume / 2) || turns_triangle(s, body->points, points)) return;
  // a curved surface of many triangles has neighbours that are nearly in one plane by chance
  int *polygon = arena_allocate(scratch, (size_t)s->count * sizeof(int));
  const int polygons = mesh_measure_polygons(s, points, MESH_FLAT * extent, polygon, scratch);
  if (4 * (int64_t)polygons > 3 * (int64_t)s->count) return;
  if (find_crossings(s, points, body->point_count, place, scratch).count > 0) return;
  memcpy(body->points, points, bytes);
  body->repairs.moved_points = report.moved_points;
  body->repairs.farthest = report.farthest;
  *measures = now;
}

bool mesh_body_make(const Piece *piece, Arena *arena, Arena *scratch, MeshBlock *body,
                    const int **source)
{
  assert(piece->vertex_count > 0 && piece->mesh_block >= 0 &&
         "a piece has points and a mesh block");
  assert(piece->tolerance >= 0 && !piece->open && "triangles are flat within a distance");
  assert(body != NULL && source != NULL && "the body has a place");
  const size_t count = (size_t)piece->surface.count;
  Surface s = {.count = piece->surface.count};
  s.triangles = arena_allocate(arena, count * sizeof(int[3]));
  memcpy(s.triangles, piece->surface.triangles, count * sizeof(int[3]));
  *body = (MeshBlock){.name = "", .triangle_count = s.count, .triangles = s.triangles};
  bool *turned = arena_allocate(scratch, count * sizeof(bool));
  if (!close_surface(piece, &s, turned, scratch)) return false;

  // points, each with its place in the file
  int *place = NULL;
  if (piece->tetra_count == 0) number_points(piece, &s, body, &place, scratch);
  else if (!keep_points(piece, &s, body, &place, scratch)) return false;
  body->points = arena_allocate(arena, (size_t)body->point_count * sizeof(vec3));
  int *from = arena_allocate(arena, (size_t)body->point_count * sizeof(int));
  for (int i = 0; i < body->point_count; i++) {
    body->points[i] = piece->points[place[i]];
    from[i] = piece->source[place[i]];
  }
  *source = from;

  // outwards, without crossings
  double farthest;
  const double extent = largest_side(body->points, body->point_count, &farthest);
  if (!has_digits(piece, extent, farthest)) return false;
  Measures measures;
  if (!turn_outwards(piece, &s, turned, body, &measures, extent)) return false;
  take_measures(body, measures);
  if (!judge_crossings(piece, &s, body, place, scratch)) return false;
  if (piece->tetra_count > 0) {
    const size_t bytes = (size_t)piece->tetra_count * sizeof(int[4]);
    body->tetra_count = piece->tetra_count;
    body->tetra = arena_allocate(arena, bytes);
    memcpy(body->tetra, piece->tetra, bytes);
    const size_t hexa_bytes = (size_t)piece->hexa_count * sizeof *body->hexa;
    body->hexa_count = piece->hexa_count;
    body->hexa = arena_allocate(arena, hexa_bytes);
    if (hexa_bytes > 0) memcpy(body->hexa, piece->hexa, hexa_bytes);
    if (!judge_tetrahedra(piece, body)) return false;
  }

  if (piece->tetra_count == 0) {
    int *face = arena_allocate(arena, count * sizeof(int));
    memcpy(face, piece->face, count * sizeof(int));
    body->face = face;
  }
  body->polygon = arena_allocate(arena, count * sizeof(int));
  const double rounding = MESH_CONVEX * extent + 0x1p-51 * farthest;
  find_planes(&s, body, measures, extent, rounding, scratch);
  if (!body->convex && body->tetra_count == 0 && !piece->keep_points) {
    flatten_faces(&s, body, &measures, extent, rounding, place, scratch);
    if (body->repairs.moved_points > 0) {
      take_measures(body, measures);
      find_planes(&s, body, measures, extent, rounding, scratch);
    }
  }
  return true;
}

bool mesh_body_move(MeshBlock *body, const vec3 *points, Arena *scratch)
{
  assert(body->tetra_count == 0 && body->repairs.split_points == 0 && "the points may move");
  Surface s = {body->triangle_count, body->triangles, NULL};
  (void)mesh_surface_join(&s, arena_allocate(scratch, (size_t)s.count * sizeof(int)), scratch);
  const Measures now = mesh_measure_solid(&s, (SurfacePoints){body->point_count, points});
  if (!(now.volume > body->volume / 2) || turns_triangle(&s, body->points, points)) return false;
  int *place = arena_allocate(scratch, (size_t)body->point_count * sizeof(int));
  for (int i = 0; i < body->point_count; i++) place[i] = i;
  if (find_crossings(&s, points, body->point_count, place, scratch).count > 0) return false;
  memcpy(body->points, points, (size_t)body->point_count * sizeof(vec3));
  take_measures(body, now);
  double farthest;
  const double extent = largest_side(body->points, body->point_count, &farthest);
  find_planes(&s, body, now, extent, MESH_CONVEX * extent + 0x1p-51 * farthest, scratch);
  return true;
}

// Triangles of the hull of the piece's vertices in terms of points of the body, which are those
// vertices that have a triangle, in their order. False where all vertices lie in one plane.
static bool wrap(const Piece *piece, Arena *arena, Arena *scratch, MeshBlock *body, int **source)
{
  const size_t count = (size_t)piece->vertex_count;
  const GridPoint *grid = mesh_exact_grid(piece->points, piece->vertex_count, scratch);
  const bool *skipped = arena_allocate_zero(scratch, count, sizeof(bool));
  HullTriangles hull;
  if (!hull_triangulate(grid, piece->vertex_count, skipped, scratch, &hull)) return false;
  int *number = arena_allocate(scratch, count * sizeof(int));
  memset(number, 0xff, count * sizeof(int));
  for (int e = 0; e < 3 * hull.count; e++) number[hull.triangles[e / 3].vertex[e % 3]] = 0;
  body->points = arena_allocate(arena, count * sizeof(vec3));
  *source = arena_allocate(arena, count * sizeof(int));
  for (int v = 0; v < piece->vertex_count; v++) {
    if (number[v] < 0) continue;
    number[v] = body->point_count;
    (*source)[body->point_count] = piece->source[v];
    body->points[body->point_count++] = piece->points[v];
  }
  body->triangle_count = hull.count;
  body->triangles = arena_allocate(arena, (size_t)hull.count * sizeof(int[3]));
  for (int e = 0; e < 3 * hull.count; e++)
    body->triangles[e / 3][e % 3] = number[hull.triangles[e / 3].vertex[e % 3]];
  return true;
}

bool mesh_body_make_hull(const Piece *piece, Arena *arena, Arena *scratch, MeshBlock *body,
                         const int **source)
{
  assert(piece->vertex_count > 0 && piece->tetra_count == 0 && "a piece of surface");
  *body = (MeshBlock){.name = ""};
  double farthest;
  const double extent = largest_side(piece->points, piece->vertex_count, &farthest);
  if (!has_digits(piece, extent, farthest)) return false;
  int *from;
  if (!wrap(piece, arena, scratch, body, &from))
    return mesh_refuse(piece->fault, piece->mesh_block,
                       "no volume: the hull of an open surface is flat, from %s on, near %s",
                       face_of(piece, 0).text, mesh_place(piece->fault, piece->source[0]).text);
  *source = from;
  Surface s = {.count = body->triangle_count, .triangles = body->triangles};
  (void)mesh_surface_join(&s, arena_allocate(scratch, (size_t)s.count * sizeof(int)), scratch);
  const Measures measures =
      mesh_measure_solid(&s, (SurfacePoints){body->point_count, body->points});
  if (!has_volume(piece, measures, extent)) return false;
  take_measures(body, measures);
  body->polygon = arena_allocate(arena, (size_t)s.count * sizeof(int));
  find_planes(&s, body, measures, extent, MESH_CONVEX * extent + 0x1p-51 * farthest, scratch);
  body->convex = body->repairs.hulled = true;
  return true;
}
