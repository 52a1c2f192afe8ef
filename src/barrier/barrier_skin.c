// Moves the surface of a body inwards by half the distance of barriers.
#include "barrier_skin.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "gjk.h"

#define MOST_TRIPLES_OF 16   // planes of a vertex whose triples are all tried
#define SLACK 1e-9           // of the move: a plane that a place leaves by less than one is left
#define SOLVABLE 1e-9        // determinant of three normals that meet in a point
#define PLACE 1e-12          // of the extent: rounding of places

// Planes that a vertex leaves when all planes move inwards by one: n.g <= right of its move g.
typedef struct {
  int count;
  const vec3 *normals;
  const double *right;
} Planes;

static bool leaves_all(const Planes *planes, vec3 g)
{
  for (int n = 0; n < planes->count; n++) {
    if (vec3_dot(planes->normals[n], g) > planes->right[n] + SLACK) return false;
  }
  return true;
}

// Of the places where three planes meet and that leave all of them, the nearest. False: there is
// none.
static bool meet_planes(const Planes *planes, vec3 *move)
{
  double least = INFINITY;
  for (int i = 0; i < planes->count; i++) {
    for (int j = i + 1; j < planes->count; j++) {
      for (int k = j + 1; k < planes->count; k++) {
        const mat3 rows = {{planes->normals[i], planes->normals[j], planes->normals[k]}};
        if (fabs(mat3_determinant(rows)) < SOLVABLE) continue;
        const vec3 right = {planes->right[i], planes->right[j], planes->right[k]};
        const vec3 g = mat3_mul(mat3_inverse(rows), right);
        if (!(vec3_dot(g, g) < least) || !leaves_all(planes, g)) continue;
        least = vec3_dot(g, g);
        *move = g;
      }
    }
  }
  return least < INFINITY;
}

// The nearest place of all that are one below the planes: against the nearest point z of the hull
// of their normals, as far as 1/|z|.
static vec3 leave_planes(const Planes *planes)
{
  const vec3 origin = {0, 0, 0};
  const GjkResult nearest = gjk_distance(planes->normals, planes->count, &origin, 1);
  const double square = vec3_dot(nearest.on_a, nearest.on_a);
  return square > 0 ? vec3_scale(-1 / square, nearest.on_a) : origin;
}

// How a vertex of a convex body moves per depth. It leaves its own planes by one, and those of
// neighbours behind short edges as well. False: there is no such place.
static bool find_move(const SurfaceComplex *sharp, const SurfaceVertex *v, double depth,
                      Arena *arena, vec3 *move)
{
  const int own = v->face_count;
  const size_t most = (size_t)(own > MOST_TRIPLES_OF ? own : MOST_TRIPLES_OF);
  vec3 *normals = arena_allocate(arena, most * sizeof *normals);
  double *right = arena_allocate(arena, most * sizeof *right);
  for (int k = 0; k < own; k++) {
    normals[k] = sharp->faces[sharp->vertex_faces[v->face_start + k]].normal;
    right[k] = -1;
  }
  Planes planes = {own, normals, right};
  for (;;) {
    if (planes.count > MOST_TRIPLES_OF || !meet_planes(&planes, move)) {
      if (planes.count > own) return false;
      *move = leave_planes(&planes);
    }
    // the plane that is left least
    double highest = PLACE * sharp->extent / depth + 2 * SLACK;
    int worst = -1;
    for (int f = 0; f < sharp->face_count; f++) {
      const SurfaceFace *face = &sharp->faces[f];
      const double height = (vec3_dot(face->normal, v->at) - face->offset) / depth;
      const double above = height + vec3_dot(face->normal, *move) + 1;
      if (above > highest) highest = above, worst = f;
    }
    if (worst < 0) return true;
    if (planes.count >= MOST_TRIPLES_OF) return false;
    const SurfaceFace *face = &sharp->faces[worst];
    normals[planes.count] = face->normal;
    right[planes.count++] = -1 - (vec3_dot(face->normal, v->at) - face->offset) / depth;
  }
}

static bool move_solid(const SurfaceComplex *sharp, double depth, Arena *arena, Polyhedron *solid)
{
  vec3 *points = arena_allocate(arena, (size_t)sharp->vertex_count * sizeof *points);
  for (int v = 0; v < sharp->vertex_count; v++) {
    const SurfaceVertex *vertex = &sharp->vertices[v];
    const ArenaMark mark = arena_mark(arena);
    vec3 move = {0, 0, 0};
    const bool found = depth <= 0 || find_move(sharp, vertex, depth, arena, &move);
    arena_release(arena, mark);
    if (!found) return false;
    points[v] = vec3_axpy(depth, move, vertex->at);
  }
  return hull_build(points, sharp->vertex_count, arena, solid) == HULL_OK;
}

BarrierSkinResult barrier_skin_build(const Shape *shape, BarrierSkin skin, Arena *arena,
                                     BarrierSurface *surface)
{
  assert(skin.depth >= 0 && skin.refine >= 1 && "a skin lies inside and has points");
  if (shape->part_count == 0 && !shape->surface)
    return (BarrierSkinResult){.status = BARRIER_SKIN_ROUND};
  const SurfacePieces pieces = surface_pieces_of_shape(shape, arena);
  SurfaceComplex sharp;
  const SurfaceResult built = surface_complex_build(&pieces, arena, &sharp);
  if (built.status != SURFACE_OK) {
    return (BarrierSkinResult){BARRIER_SKIN_SURFACE,
                               {.status = SURFACE_BASE_PIECES, .pieces = built}};
  }
  if (surface_complex_is_convex(&sharp)) {
    Polyhedron solid;
    if (!move_solid(&sharp, skin.depth, arena, &solid))
      return (BarrierSkinResult){.status = BARRIER_SKIN_THIN};
    *surface = barrier_surface_of_solid(&solid, skin.refine, arena);
    return (BarrierSkinResult){.status = BARRIER_SKIN_OK};
  }
  SurfaceBase base;
  const SurfaceBaseResult moved = surface_base_build(&pieces, skin.depth, arena, &base);
  if (moved.status != SURFACE_BASE_OK) return (BarrierSkinResult){BARRIER_SKIN_SURFACE, moved};
  *surface = barrier_surface_of_complex(&base.base, skin.refine, arena);
  return (BarrierSkinResult){.status = BARRIER_SKIN_OK};
}

void barrier_skin_text(BarrierSkinResult result, BarrierSkin skin, char *text, size_t bytes)
{
  assert(result.status != BARRIER_SKIN_OK && "there is something to say");
  if (result.status == BARRIER_SKIN_ROUND)
    snprintf(text, bytes, "spheres and ellipsoids have no barrier");
  else if (result.status == BARRIER_SKIN_THIN)
    snprintf(text, bytes, "nothing of the body is left %g m below its faces", skin.depth);
  else surface_base_text(result.surface, skin.depth, "facet", text, bytes);
}
