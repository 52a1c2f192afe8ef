// Planes n.x <= d about an inner point c have the dual points n / (d - n.c). A face of the dual
// points' hull with the plane m.y = h is dual to the vertex m / h of the intersection, a vertex of
// the hull to a face.
//
// A flat or slim intersection has dual points of many magnitudes, more than a grid can hold. So the
// space is stretched first: x = c + T u, with the columns of T along the sides of a box about the
// intersection, which is known from the pass before. The first pass takes the box of the slimmer
// solid; it sees large things well and small ones roughly, which is enough for a better box. In the
// last one the intersection is as wide as it is thick.
#include "intersection_reference.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "fitted_box.h"
#include "gjk.h"
#include "hull_triangles.h"
#include "largest_ball.h"

#define REFERENCE_ROUNDING 1e-14   // volumes below this times the smaller extent cubed are rounding
#define DEPTH_ROUNDING 1e-15       // of both extents: an inner point less deep is rounding
#define MOST_PASSES 12             // stretching ends here in any case
#define ROUND_ENOUGH 0.02          // depth of the centre over the reach when no more passes follow
#define DUAL_BITS (GRID_BITS - 1)   // dual coordinates have both signs

#define BALL_REACH 8.0   // sides of the box: where its solid is looked for when the centroid fails

// The planes of both solids, a's first, in coordinates relative to a base point.
typedef struct {
  int count;
  Plane *planes;   // pushed outward by the margin
  vec3 base;
  vec3 center;     // inside, about which the dual points are taken
  FittedBox box;   // about the intersection
  mat3 stretch;    // T, transposed: axes of the box times its sides
  // of the last pass
  HullTriangles hull;
  vec3 *vertices;     // [hull.count], in stretched coordinates
  int *corner_face;   // [count] some triangle with that corner, -1: none
  double volume;      // in stretched coordinates
  vec3 centroid;
  GridPoint *grid;   // [count]
  double largest;    // coordinate of a dual point: one over the depth of the centre
} Dual;

// True when a plane of p has all of q at least the distance (m) above it.
static bool plane_is_between(const Polyhedron *p, const Polyhedron *q, double distance)
{
  for (int f = 0; f < p->face_count; f++) {
    bool above = true;
    for (int v = 0; v < q->vertex_count && above; v++) {
      const double height = plane_height(p->planes[f], q->vertices[v]);
      above = height >= distance;
    }
    if (above) return true;
  }
  return false;
}

// True when all of a lies beyond all of b along a direction.
static bool vertices_are_apart(const Polyhedron *a, const Polyhedron *b, vec3 direction)
{
  double low = INFINITY, high = -INFINITY;
  for (int v = 0; v < a->vertex_count; v++) low = fmin(low, vec3_dot(direction, a->vertices[v]));
  for (int v = 0; v < b->vertex_count; v++) high = fmax(high, vec3_dot(direction, b->vertices[v]));
  return low > high;
}

static void add_planes(Dual *dual, const Polyhedron *p, double margin)
{
  assert(margin >= 0 && "planes are pushed outward");
  for (int f = 0; f < p->face_count; f++) {
    const vec3 normal = p->planes[f].normal;
    const double offset = p->planes[f].offset - vec3_dot(normal, dual->base) + margin;
    dual->planes[dual->count++] = (Plane){normal, offset};
  }
}

// -- one pass -------------------------------------------------------------------------------------

// Dual points on a grid; false when the centre is not below all planes. *unit: length of a step.
static bool place_dual_points(Dual *dual, double *unit, Arena *arena)
{
  vec3 *points = arena_allocate(arena, (size_t)dual->count * sizeof *points);
  double largest = 0;
  for (int i = 0; i < dual->count; i++) {
    const Plane plane = dual->planes[i];
    const double below = plane.offset - vec3_dot(plane.normal, dual->center);
    if (!(below > 0)) return false;
    points[i] = vec3_scale(1 / below, mat3_mul(dual->stretch, plane.normal));
    if (!vec3_is_finite(points[i])) return false;
    largest = larger_of(larger_of(largest, fabs(points[i].x)),
                        larger_of(fabs(points[i].y), fabs(points[i].z)));
  }
  if (!(largest > 0)) return false;
  dual->largest = largest;
  int exponent;
  (void)frexp(largest, &exponent);
  *unit = ldexp(1, exponent - DUAL_BITS);
  for (int i = 0; i < dual->count; i++) {
    dual->grid[i] = (GridPoint){(int64_t)ldexp(points[i].x, DUAL_BITS - exponent),
                                (int64_t)ldexp(points[i].y, DUAL_BITS - exponent),
                                (int64_t)ldexp(points[i].z, DUAL_BITS - exponent)};
  }
  return true;
}

// The next triangle around a corner, counter-clockwise seen from outside.
static int next_around(const HullTriangles *hull, int triangle, int corner)
{
  assert(triangle >= 0 && triangle < hull->count && "a triangle has a number");
  const HullTriangle *t = &hull->triangles[triangle];
  return t->neighbor[(hull_edge_from(t, corner) + 2) % 3];
}

// Volume and centroid in stretched coordinates, by pyramids over the faces from the centre.
static void measure_stretched(Dual *dual)
{
  vec3 moment = {0, 0, 0};
  dual->volume = 0;
  for (int i = 0; i < dual->count; i++) {
    const int first = dual->corner_face[i];
    if (first < 0) continue;
    const vec3 p = dual->vertices[first];
    int t = next_around(&dual->hull, first, i);
    for (int next = next_around(&dual->hull, t, i); next != first;
         t = next, next = next_around(&dual->hull, t, i)) {
      const vec3 q = dual->vertices[t], r = dual->vertices[next];
      const double volume = vec3_dot(p, vec3_cross(q, r)) / 6;
      dual->volume += volume;
      moment = vec3_axpy(volume, vec3_add(p, vec3_add(q, r)), moment);
    }
  }
  if (dual->volume > 0) {
    dual->centroid = vec3_scale(0.25 / dual->volume, moment);
    return;
  }
  // nothing but rounding
  dual->volume = 0;
  dual->centroid = (vec3){0, 0, 0};
  for (int v = 0; v < dual->hull.count; v++) {
    dual->centroid = vec3_axpy(1.0 / dual->hull.count, dual->vertices[v], dual->centroid);
  }
}

// Hull of the dual points and its polar set; false when rounding leaves the centre outside.
static bool take_polar_set(Dual *dual, Arena *arena)
{
  double unit;
  dual->grid = arena_allocate(arena, (size_t)dual->count * sizeof(GridPoint));
  dual->corner_face = arena_allocate(arena, (size_t)dual->count * sizeof(int));
  if (!place_dual_points(dual, &unit, arena)) return false;
  bool *skipped = arena_allocate_zero(arena, (size_t)dual->count, sizeof(bool));
  if (!hull_triangulate(dual->grid, dual->count, skipped, arena, &dual->hull)) return false;
  dual->vertices = arena_allocate(arena, (size_t)dual->hull.count * sizeof(vec3));
  for (int i = 0; i < dual->count; i++) dual->corner_face[i] = -1;
  for (int t = 0; t < dual->hull.count; t++) {
    const HullTriangle *triangle = &dual->hull.triangles[t];
    const double height =
        exact_height(triangle->normal, (GridPoint){0, 0, 0}, dual->grid[triangle->vertex[0]]);
    if (!(height > 0)) return false;
    dual->vertices[t] = vec3_scale(1 / (height * unit), exact_round(triangle->normal));
    if (!vec3_is_finite(dual->vertices[t])) return false;
    for (int k = 0; k < 3; k++) dual->corner_face[triangle->vertex[k]] = t;
  }
  measure_stretched(dual);
  return true;
}

// -- passes ---------------------------------------------------------------------------------------

// True when the centre is deep inside: the stretched intersection is as wide as it is thick.
static bool is_round(const Dual *dual)
{
  double reach = 0;
  for (int v = 0; v < dual->hull.count; v++) reach = larger_of(reach, vec3_norm(dual->vertices[v]));
  return 1 >= ROUND_ENOUGH * reach * dual->largest;
}

static vec3 unstretched(const Dual *dual, vec3 u)
{
  return vec3_add(dual->center, mat3_mul_transposed(dual->stretch, u));
}

static bool is_below_all(const Dual *dual, vec3 x)
{
  for (int i = 0; i < dual->count; i++) {
    if (!(dual->planes[i].offset - vec3_dot(dual->planes[i].normal, x) > 0)) return false;
  }
  return true;
}

static double center_depth(const Dual *dual)
{
  double depth = INFINITY;
  for (int i = 0; i < dual->count; i++) {
    const Plane plane = dual->planes[i];
    depth = fmin(depth, plane.offset - vec3_dot(plane.normal, dual->center));
  }
  return depth;
}

// Stretches space by a box; false when its sides are too small for the smallest numbers.
static bool set_box(Dual *dual, const FittedBox *box)
{
  dual->box = *box;
  for (int k = 0; k < 3; k++) {
    dual->stretch.row[k] = vec3_scale(box->sides[k], box->axes.row[k]);
    if (!(vec3_norm(dual->stretch.row[k]) > 0)) return false;
  }
  return true;
}

// Moves the centre to that of the largest ball in stretched coordinates; false when it is not below
// all planes. *bound: no point is deeper than this, in those coordinates.
static bool move_to_ball(Dual *dual, double *bound, Arena *arena)
{
  Plane *planes = arena_allocate(arena, (size_t)dual->count * sizeof *planes);
  *bound = INFINITY;
  for (int i = 0; i < dual->count; i++) {
    const vec3 normal = mat3_mul(dual->stretch, dual->planes[i].normal);
    const double below = dual->planes[i].offset - vec3_dot(dual->planes[i].normal, dual->center);
    const double length = vec3_norm(normal);
    if (!(length > 0)) return false;
    planes[i] = (Plane){vec3_scale(1 / length, normal), below / length};
  }
  const LargestBall ball = largest_ball(planes, dual->count, (vec3){0, 0, 0}, BALL_REACH);
  *bound = ball.bound;
  const vec3 center = unstretched(dual, ball.center);
  if (!is_below_all(dual, center)) return false;
  dual->center = center;
  return true;
}

// Moves the centre to the centroid, where rounding leaves that inside, and stretches a new box to a
// cube. False when that is not needed or not possible.
static bool restretch(Dual *dual, Arena *arena)
{
  if (is_round(dual)) return false;

  // vertices seen from the centroid, along the axes of the old box
  vec3 *arms = arena_allocate(arena, (size_t)dual->hull.count * sizeof *arms);
  const double *sides = dual->box.sides;
  for (int v = 0; v < dual->hull.count; v++) {
    const vec3 u = vec3_sub(dual->vertices[v], dual->centroid);
    arms[v] = (vec3){sides[0] * u.x, sides[1] * u.y, sides[2] * u.z};
  }
  FittedBox box;
  if (!fitted_box(arms, dual->hull.count, &box)) return false;
  for (int k = 0; k < 3; k++) {
    const vec3 axis = mat3_mul_transposed(dual->box.axes, box.axes.row[k]);
    box.axes.row[k] = vec3_scale(1 / vec3_norm(axis), axis);
  }
  const vec3 centroid = unstretched(dual, dual->centroid);
  if (!set_box(dual, &box)) return false;
  double unused;
  if (is_below_all(dual, centroid)) dual->center = centroid;
  else (void)move_to_ball(dual, &unused, arena);
  return true;
}

// The box of a solid, from which a flat or slim intersection of a flat or slim solid is seen well.
static bool solid_box(const Polyhedron *p, double margin, FittedBox *box, Arena *arena)
{
  assert(margin >= 0 && "planes are pushed outward");
  vec3 *arms = arena_allocate(arena, (size_t)p->vertex_count * sizeof *arms);
  vec3 mean = {0, 0, 0};
  for (int v = 0; v < p->vertex_count; v++) {
    mean = vec3_axpy(1.0 / p->vertex_count, vec3_sub(p->vertices[v], p->vertices[0]), mean);
  }
  mean = vec3_add(mean, p->vertices[0]);
  for (int v = 0; v < p->vertex_count; v++) arms[v] = vec3_sub(p->vertices[v], mean);
  if (!fitted_box(arms, p->vertex_count, box)) return false;
  for (int k = 0; k < 3; k++) box->sides[k] += 2 * margin;
  return true;
}

typedef enum { INNER_FOUND, INNER_NONE, INNER_UNKNOWN } InnerPoint;

// A centre below all planes, the deepest in the box of the slimmer solid, or of the other one where
// rounding hides it.
static InnerPoint find_inner_point(Dual *dual, const Polyhedron *a, const Polyhedron *b,
                                   double margin, Arena *arena)
{
  FittedBox boxes[2];
  const bool fits[2] = {solid_box(a, margin, &boxes[0], arena),
                        solid_box(b, margin, &boxes[1], arena)};
  const double slim_a = fits[0] ? boxes[0].sides[2] / boxes[0].sides[0] : INFINITY;
  const double slim_b = fits[1] ? boxes[1].sides[2] / boxes[1].sides[0] : INFINITY;
  for (int attempt = 0; attempt < 2; attempt++) {
    const int which = (slim_a <= slim_b) == (attempt == 0) ? 0 : 1;
    double bound;
    if (!fits[which] || !set_box(dual, &boxes[which])) continue;
    if (move_to_ball(dual, &bound, arena)) return INNER_FOUND;
    if (bound <= 0) return INNER_NONE;
  }
  return INNER_UNKNOWN;
}

// -- result ---------------------------------------------------------------------------------------

typedef struct {
  IntersectionFace *faces;
  int *face_start, *face_vertices;
  vec3 *vertices;   // relative to the centre until all is measured
} Arrays;

// Area vector and centroid of a face, summed over the triangles about its first corner.
static void measure_polygon(const vec3 *vertices, const int *loop, int count, vec3 normal,
                            IntersectionFace *face)
{
  assert(count >= 3 && "a polygon has three corners");
  const vec3 first = vertices[loop[0]];
  vec3 moment = {0, 0, 0}, mean = {0, 0, 0}, area = {0, 0, 0};
  double weight = 0;
  for (int i = 1; i < count; i++) {
    const vec3 u = vec3_sub(vertices[loop[i]], first);
    mean = vec3_axpy(1.0 / count, u, mean);
    if (i + 1 == count) break;
    const vec3 v = vec3_sub(vertices[loop[i + 1]], first);
    const vec3 cross = vec3_cross(u, v);
    const double w = vec3_dot(cross, normal);
    area = vec3_axpy(0.5, cross, area);
    weight += w;
    moment = vec3_axpy(w, vec3_add(u, v), moment);
  }
  face->area = area;
  face->centroid = vec3_add(first, weight > 0 ? vec3_scale(1 / (3 * weight), moment) : mean);
}

// Writes the loop of each face and measures it.
static int write_faces(const Dual *dual, int a_faces, Arrays *out)
{
  assert(a_faces >= 0 && "faces are counted");
  int count = 0, used = 0;
  out->face_start[0] = 0;
  for (int i = 0; i < dual->count; i++) {
    const int first = dual->corner_face[i];
    if (first < 0) continue;
    int *loop = out->face_vertices + used, corners = 0, t = first;
    do {
      loop[corners++] = t;
      t = next_around(&dual->hull, t, i);
    } while (t != first);
    used += corners;
    const bool of_a = i < a_faces;
    out->faces[count] = (IntersectionFace){.owner = of_a ? 0 : 1, .face = of_a ? i : i - a_faces};
    measure_polygon(out->vertices, loop, corners, dual->planes[i].normal, &out->faces[count]);
    out->face_start[++count] = used;
  }
  return count;
}

// The polar set of the last pass in the solids' own coordinates.
static Intersection make_result(const Dual *dual, int a_faces, double scale, Arena *arena)
{
  assert(scale > 0 && "solids have an extent");
  const size_t corners = (size_t)dual->hull.count;
  Arrays out = {.faces = arena_allocate(arena, (size_t)dual->count * sizeof(IntersectionFace)),
                .face_start = arena_allocate(arena, ((size_t)dual->count + 1) * sizeof(int)),
                .face_vertices = arena_allocate(arena, 3 * corners * sizeof(int)),
                .vertices = arena_allocate(arena, corners * sizeof(vec3))};
  const vec3 middle = vec3_add(dual->base, dual->center);
  for (size_t v = 0; v < corners; v++) {
    out.vertices[v] = mat3_mul_transposed(dual->stretch, dual->vertices[v]);
  }
  Intersection x = {.face_count = write_faces(dual, a_faces, &out),
                    .vertex_count = dual->hull.count,
                    .faces = out.faces,
                    .face_start = out.face_start,
                    .face_vertices = out.face_vertices,
                    .vertices = out.vertices};
  for (int f = 0; f < x.face_count; f++) {
    IntersectionFace *face = &out.faces[f];
    x.area[face->owner] = vec3_add(x.area[face->owner], face->area);
    x.surface += vec3_norm(face->area);
    face->centroid = vec3_add(middle, face->centroid);
  }
  for (size_t v = 0; v < corners; v++) out.vertices[v] = vec3_add(middle, out.vertices[v]);
  x.volume = dual->volume * dual->box.sides[0] * dual->box.sides[1] * dual->box.sides[2];
  x.centroid = vec3_add(middle, mat3_mul_transposed(dual->stretch, dual->centroid));
  x.status = x.volume > REFERENCE_ROUNDING * scale * scale * scale ? INTERSECTION_OK
                                                                   : INTERSECTION_DEGENERATE;
  return x;
}

Intersection intersection_reference(const Polyhedron *a, const Polyhedron *b, double margin,
                                    Arena *arena)
{
  assert(margin >= 0 && "planes are pushed outward");
  assert(a->face_count >= 4 && b->face_count >= 4 && "solids have four faces");
  const Intersection empty = {.status = INTERSECTION_EMPTY};
  if (plane_is_between(a, b, 2 * margin) || plane_is_between(b, a, 2 * margin)) return empty;

  // a common point on both surfaces, or between them where margins must close a gap; GJK's own word
  // on the distance of needles is not enough
  const GjkResult near = gjk_distance(a->vertices, a->vertex_count, b->vertices, b->vertex_count);
  if (margin <= 0 && vertices_are_apart(a, b, vec3_sub(near.on_a, near.on_b))) return empty;

  const ArenaMark mark = arena_mark(arena);
  const size_t planes = (size_t)(a->face_count + b->face_count);
  Dual dual = {.planes = arena_allocate(arena, planes * sizeof(Plane)),
               .base = vec3_scale(0.5, vec3_add(near.on_a, near.on_b))};
  add_planes(&dual, a, margin);
  add_planes(&dual, b, margin);

  // deeper into both
  const InnerPoint inner = find_inner_point(&dual, a, b, margin, arena);
  if (inner != INNER_FOUND) {
    arena_release(arena, mark);
    if (inner == INNER_NONE) return empty;
    return (Intersection){.status = INTERSECTION_DEGENERATE, .centroid = dual.base};
  }

  // passes until the intersection is as wide as it is thick, or rounding allows no better one
  if (!take_polar_set(&dual, arena)) {
    const bool rounding = center_depth(&dual) <= DEPTH_ROUNDING * (a->extent + b->extent);
    arena_release(arena, mark);
    return (Intersection){.status = rounding ? INTERSECTION_DEGENERATE : INTERSECTION_FAILED,
                          .centroid = vec3_add(dual.base, dual.center)};
  }
  for (int pass = 0; pass < MOST_PASSES; pass++) {
    Dual next = dual;
    if (!restretch(&next, arena) || !take_polar_set(&next, arena)) break;
    dual = next;
  }
  return make_result(&dual, a->face_count, fmin(a->extent, b->extent), arena);
}
