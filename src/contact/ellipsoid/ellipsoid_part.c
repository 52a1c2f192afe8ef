// Finds the axis of largest separation of an ellipsoid and a convex part.
//
// Along a unit n the separation is s(n) = n.c - |n|_S - h(n), c the centre, |n|_S = sqrt(n.S n) and
// h the support of the part. As long as they overlap by less than the least radius of curvature
// of the ellipsoid it has one maximum: at the normal of a face, where the extreme place of the
// ellipsoid is over that face; across an edge, where the nearest place of the shadow along the edge
// is beside it; or at the nearest place to a corner. Deeper down the best of all of these counts.
#include "ellipsoid_part.h"

#include <assert.h>
#include <math.h>

#include "check.h"
#include "contacts.h"

#define ROUNDING 1e-12   // of the extent of the part
#define SEAM 2e-7        // of the width of one place

// What is known of a face.
typedef struct {
  double separation;   // along its normal, m
  vec3 extreme;        // place of the ellipsoid nearest to its plane or deepest below, m
} FaceProbe;

typedef struct {
  const Part *part;
  const EllipsoidPose *pose;
  const FaceProbe *faces;
  double rounding;   // of separations, m
  double curved;     // least radius of curvature of the ellipsoid, m
  PartTouch best;    // gap is the separation along its normal
  bool tight;        // its separation is the distance from a place of the part: none is better
} Search;

// Separation along any unit direction, m.
static double separation_along(const Search *search, vec3 n)
{
  const Polyhedron *hull = &search->part->hull;
  double support = vec3_dot(n, hull->vertices[0]);
  for (int v = 1; v < hull->vertex_count; v++)
    support = larger_of(support, vec3_dot(n, hull->vertices[v]));
  const Ellipsoid *e = search->pose->ellipsoid;
  return vec3_dot(n, search->pose->center) - ellipsoid_reach(e, n) - support;
}

// Tries a place with the outward normal of the ellipsoid nearest to it. The better one stays; of
// equals the first that the place belongs to.
static void try_touch(Search *search, vec3 place, const EllipsoidPlace *near, uint32_t feature)
{
  const vec3 normal = vec3_neg(near->normal);
  const double gap = separation_along(search, normal);
  const bool tight = gap >= near->distance - search->rounding;
  const double rounding = tight && !search->tight ? -search->rounding : search->rounding;
  if (!(gap > search->best.gap + rounding)) return;
  search->best = (PartTouch){.place = place, .normal = normal, .gap = gap, .feature = feature};
  search->tight = tight;
}

// Is a place of its plane in the face, or beyond a side by rounding alone, as on the seam of two?
static bool face_holds(const Search *search, int face, vec3 foot)
{
  const Polyhedron *hull = &search->part->hull;
  const double beyond = SEAM * search->pose->one_place;
  const int first = hull->face_start[face], end = hull->face_start[face + 1];
  vec3 from = hull->vertices[hull->face_vertices[end - 1]];
  for (int k = first; k < end; k++) {
    const vec3 to = hull->vertices[hull->face_vertices[k]];
    const vec3 side = vec3_sub(to, from);
    const double in = vec3_dot(vec3_cross(side, vec3_sub(foot, from)), hull->planes[face].normal);
    if (in < 0 && in * in > beyond * beyond * vec3_dot(side, side)) return false;
    from = to;
  }
  return true;
}

static PartTouch face_touch(const Search *search, int face)
{
  const Plane *plane = &search->part->hull.planes[face];
  const FaceProbe *probe = &search->faces[face];
  return (PartTouch){.place = vec3_axpy(-probe->separation, plane->normal, probe->extreme),
                     .normal = plane->normal,
                     .gap = probe->separation,
                     .feature = feature_new(FEATURE_FACE, face)};
}

static void try_corner(Search *search, int vertex)
{
  assert_debug(vertex >= 0 && vertex < search->part->hull.vertex_count && "a part has the corner");
  const EllipsoidPose *pose = search->pose;
  const vec3 corner = search->part->hull.vertices[vertex];
  const EllipsoidPlace near = ellipsoid_nearest(pose->ellipsoid, vec3_sub(corner, pose->center));
  try_touch(search, corner, &near, feature_new(FEATURE_VERTEX, vertex));
}

// Can the separation have a maximum between the normals of the two faces? It has none where it
// falls from one of them on, unless that is deeper than the ellipsoid curves.
static bool edge_is_between(const Search *search, const Edge *edge, vec3 from)
{
  const Polyhedron *hull = &search->part->hull;
  const vec3 n = hull->planes[edge->face[0]].normal, m = hull->planes[edge->face[1]].normal;
  const vec3 x = vec3_sub(search->faces[edge->face[0]].extreme, from),
             y = vec3_sub(search->faces[edge->face[1]].extreme, from);
  const double cosine = vec3_dot(n, m);
  const double least = -search->curved;
  const bool falls = vec3_dot(m, x) <= cosine * vec3_dot(n, x),
             falls_back = vec3_dot(n, y) <= cosine * vec3_dot(m, y);
  return !(falls && search->faces[edge->face[0]].separation >= least) &&
         !(falls_back && search->faces[edge->face[1]].separation >= least);
}

static void try_edge(Search *search, int index)
{
  const Polyhedron *hull = &search->part->hull;
  const Edge *edge = &hull->edges[index];
  const vec3 from = hull->vertices[edge->vertex[0]];
  if (!edge_is_between(search, edge, from)) return;
  const EllipsoidPose *pose = search->pose;
  const vec3 side = vec3_sub(hull->vertices[edge->vertex[1]], from);
  const double length = vec3_norm(side);
  const vec3 along = vec3_scale(1 / length, side);
  const EllipsoidPlace near =
      ellipsoid_nearest_shadow(pose->ellipsoid, along, vec3_sub(from, pose->center));
  const double way = vec3_dot(along, vec3_add(near.place, vec3_sub(pose->center, from)));
  if (way <= 0 || way >= length) {
    try_corner(search, edge->vertex[way <= 0 ? 0 : 1]);
    return;
  }
  try_touch(search, vec3_axpy(way, along, from), &near, feature_new(FEATURE_EDGE, index));
}

// The place of a face that is nearest to a point of its plane.
static vec3 clamp_to_face(const Search *search, int face, vec3 foot)
{
  const Polyhedron *hull = &search->part->hull;
  if (face_holds(search, face, foot)) return foot;
  const int first = hull->face_start[face], end = hull->face_start[face + 1];
  vec3 from = hull->vertices[hull->face_vertices[end - 1]], best = from;
  double nearest = INFINITY;
  for (int k = first; k < end; k++) {
    const vec3 to = hull->vertices[hull->face_vertices[k]], side = vec3_sub(to, from);
    double t = vec3_dot(vec3_sub(foot, from), side) / vec3_dot(side, side);
    t = t > 0 ? smaller_of(t, 1) : 0;
    const vec3 place = vec3_axpy(t, side, from), way = vec3_sub(foot, place);
    if (vec3_dot(way, way) < nearest) {
      nearest = vec3_dot(way, way);
      best = place;
    }
    from = to;
  }
  return best;
}

// Separations along the normals of all faces; false where one parts them by more than far.
static bool probe_faces(const Part *part, const EllipsoidPose *pose, double far, FaceProbe *faces,
                        int *highest)
{
  const Polyhedron *hull = &part->hull;
  const Ellipsoid *e = pose->ellipsoid;
  const double radius = larger_of(e->radii.x, larger_of(e->radii.y, e->radii.z));
  for (int f = 0; f < hull->face_count; f++)
    if (plane_height(hull->planes[f], pose->center) - radius > far) return false;
  *highest = 0;
  for (int f = 0; f < hull->face_count; f++) {
    const vec3 n = hull->planes[f].normal, q = ellipsoid_square_mul(e, n);
    const double reach = sqrt(vec3_dot(n, q));
    faces[f] = (FaceProbe){plane_height(hull->planes[f], pose->center) - reach,
                           vec3_axpy(-1 / reach, q, pose->center)};
    if (faces[f].separation > far) return false;
    if (faces[f].separation > faces[*highest].separation) *highest = f;
  }
  return true;
}

// No axis has more separation than the distance from a place of the part.
static bool is_tight(const Search *search, const PartTouch *touch)
{
  const EllipsoidPose *pose = search->pose;
  const vec3 place = vec3_sub(touch->place, pose->center);
  return touch->gap >= ellipsoid_nearest(pose->ellipsoid, place).distance - search->rounding;
}

// How far the place is from that of the ellipsoid across the normal, m.
static double beside(const Search *search, const PartTouch *touch)
{
  const EllipsoidPose *pose = search->pose;
  const vec3 q = ellipsoid_square_mul(pose->ellipsoid, touch->normal);
  const double reach = sqrt(vec3_dot(touch->normal, q));
  const vec3 extreme = vec3_axpy(-1 / reach, q, pose->center);
  return vec3_norm(vec3_sub(vec3_axpy(-touch->gap, touch->normal, extreme), touch->place));
}

// Looks for the best axis once those of all faces are known.
static void find_best(Search *search, int highest)
{
  const Polyhedron *hull = &search->part->hull;
  const PartTouch top = face_touch(search, highest);
  const bool single = top.gap >= -search->curved;
  if (face_holds(search, highest, top.place)) {
    search->best = top;
    if (single) return;
  }
  for (int f = 0; f < hull->face_count && !single; f++) {
    const PartTouch face = face_touch(search, f);
    if (face.gap > search->best.gap && face_holds(search, f, face.place)) search->best = face;
  }
  for (int e = 0; e < hull->edge_count; e++) try_edge(search, e);
  // a corner of which no edge knows
  if (!single || !search->tight)
    for (int v = 0; v < hull->vertex_count; v++) try_corner(search, v);

  // what is left lies by rounding beside a face, or so deep that no place has the best axis
  if (search->best.gap < top.gap) {
    search->best = top;
    search->best.place = clamp_to_face(search, highest, top.place);
    search->tight = false;
  }
  PartTouch *best = &search->best;
  if (feature_kind(best->feature) == FEATURE_FACE) search->tight = is_tight(search, best);
  best->rough = single ? beside(search, best) > search->pose->one_place : !search->tight;
}

bool ellipsoid_part_touch(const Part *part, const EllipsoidPose *pose, double far, Arena *arena,
                          PartTouch *touch)
{
  assert_debug(!(far < 0) && "a gap filter lets touching bodies pass");
  const Polyhedron *hull = &part->hull;
  const ArenaMark mark = arena_mark(arena);
  FaceProbe *faces = arena_allocate(arena, (size_t)hull->face_count * sizeof *faces);
  int highest;
  const bool near = probe_faces(part, pose, far, faces, &highest);
  Search search = {.part = part,
                   .pose = pose,
                   .faces = faces,
                   .rounding = ROUNDING * hull->extent,
                   .curved = ellipsoid_least_curvature_radius(pose->ellipsoid),
                   .best = {.gap = -INFINITY}};
  if (near) find_best(&search, highest);
  arena_release(arena, mark);
  *touch = search.best;
  return near && touch->gap <= far;
}
