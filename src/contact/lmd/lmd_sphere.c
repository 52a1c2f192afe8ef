// Nearest places of a surface to a point: the search of two surfaces, one of which is a point.
#include "lmd_sphere.h"

#include <assert.h>
#include <math.h>

#include "lmd_pair.h"

// A surface that is one vertex, whose normals are all directions.
typedef struct {
  SurfaceVertex vertex;
  SurfaceBase surface;
} PointSurface;

static void point_surface_fill(PointSurface *p)
{
  p->vertex = (SurfaceVertex){.class = SURFACE_CORNER, .cone = {{0, 0, 0}, -1}};
  const SurfaceNode node = {.cosine = -1, .kinds = TREE_VERTEX, .child = {-1, 0}};
  const SurfaceComplex complex = {.vertex_count = 1, .vertices = &p->vertex};
  p->surface = (SurfaceBase){.sharp = complex, .base = complex, .tree = {.count = 1, .root = node}};
}

// The nearest place of a face to a place, body frame; the normal of the face where that is inside
// of it.
static LmdPlace face_nearest(const SurfaceComplex *c, int f, vec3 x)
{
  assert(f >= 0 && f < c->face_count && "a face has a number");
  const SurfaceFace *face = &c->faces[f];
  const double height = vec3_dot(face->normal, x) - face->offset;
  LmdPlace best = {.feature = {LMD_FACE, f}, .normal = face->normal, .distance = fabs(height)};
  if (surface_face_holds(c, f, vec3_axpy(-height, face->normal, x), 0)) return best;
  best.distance = INFINITY;
  for (int k = 0; k < face->side_count; k++) {
    const SurfaceSide *side = &c->sides[face->side_start + k];
    const vec3 from = c->vertices[side->from].at;
    const vec3 along = vec3_sub(c->vertices[side->to].at, from);
    const double t = vec3_dot(vec3_sub(x, from), along) / vec3_dot(along, along);
    const vec3 at = vec3_axpy(t < 0 ? 0 : t > 1 ? 1 : t, along, from);
    const double distance = vec3_norm(vec3_sub(at, x));
    if (!(distance < best.distance)) continue;
    best.distance = distance;
    // out of the body; on the side itself the face tells where that is
    if (distance > 0) best.normal = vec3_scale(1 / distance, vec3_sub(at, x));
  }
  return best;
}

// The nearest place of the surface to a point inside of it.
static LmdPlace surface_nearest(const LmdBody *body, vec3 point)
{
  const SurfaceComplex *c = &body->surface->base;
  const vec3 x = mat3_mul_transposed(body->rotation, vec3_sub(point, body->center));
  LmdPlace best = {.distance = INFINITY};
  for (int f = 0; f < c->face_count; f++) {
    const LmdPlace place = face_nearest(c, f, x);
    if (place.distance < best.distance) best = place;
  }
  best.normal = mat3_mul(body->rotation, best.normal);
  best.distance = -best.distance;
  return best;
}

LmdPlaces lmd_sphere_find(const LmdBody *body, vec3 point, double far, Arena *arena)
{
  assert(body->surface->dilation == 0 && far > 0 && "a surface as it is");
  PointSurface single;
  point_surface_fill(&single);
  const LmdBody centre = {&single.surface, mat3_diagonal(1, 1, 1), point};
  const LmdQuery query = {.a = &centre, .b = body, .limit = far};
  const LmdPair pair = lmd_pair_new(&query);
  LmdPlaces found = {.inside = lmd_pair_is_inside(&pair)};
  if (found.inside) {
    found.places = arena_allocate(arena, sizeof *found.places);
    found.places[found.count++] = surface_nearest(body, point);
    return found;
  }
  const LmdSet set = lmd_search_trees(&query, arena);
  found.tried = set.tried;
  found.places = arena_allocate(arena, ((size_t)set.count + 1) * sizeof *found.places);
  for (int i = 0; i < set.count; i++)
    found.places[found.count++] = (LmdPlace){.feature = set.points[i].b,
                                             .normal = set.points[i].normal,
                                             .distance = set.points[i].distance};
  return found;
}
