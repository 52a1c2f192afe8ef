#pragma once
// Growth distance (Erleben 2018, algorithm 2): both tetrahedra are scaled down until they are
// apart, and the feature that the separation looks along gives the normal.
#include "method_overlap.h"
#include "method_points.h"

#define GROWTH_DAMPING ((real)0.9)
#define GROWTH_SEPARATION ((real)0.01)              // wanted, of the smaller diameter
#define GROWTH_COSINE ((real)0.99756405025982425)   // 4 degrees: how far a feature may be off
#define GROWTH_MOST_SHRINKS 400       // 0.9^400 is less than rounding: the centres are at one place
#define GROWTH_MOST_STEPS 20          // of the program
#define GROWTH_MOST_TEXT_STEPS 1000   // the text names no end; a step leaves a tenth or more

// Nearest places of two tetrahedra, on the first and on the second.
typedef struct {
  real distance;
  real3 on_a, on_b;
} NearestPlaces;

static inline void keep_nearer(NearestPlaces *nearest, real3 on_a, real3 on_b)
{
  const real distance = real3_norm(real3_sub(on_a, on_b));
  if (distance < nearest->distance) *nearest = (NearestPlaces){distance, on_a, on_b};
}

// A vertex of one before the edges of the other; second: it is the vertex of the second.
static inline void keep_vertex_edges(NearestPlaces *nearest, real3 vertex, const RealTetra *other,
                                     bool second)
{
  for (int k = 0; k < 6; k++) {
    const real3 from = other->corners[tetra_edge[k][0]], edge = edge_vector(other, k);
    const real at = real3_dot(real3_sub(vertex, from), edge) / real3_dot(edge, edge);
    if (!(at > 0 && at < 1)) continue;
    const real3 place = real3_add(from, real3_scale(at, edge));
    keep_nearer(nearest, second ? place : vertex, second ? vertex : place);
  }
}

static inline void keep_edge_edge(NearestPlaces *nearest, const RealTetra *a, const RealTetra *b,
                                  int of_a, int of_b)
{
  assert(of_a >= 0 && of_a < 6 && of_b >= 0 && of_b < 6 && "a tetrahedron has six edges");
  const real3 edge_a = edge_vector(a, of_a), edge_b = edge_vector(b, of_b);
  const MethodLine line_a = {a->corners[tetra_edge[of_a][0]], real3_unit(edge_a)};
  const MethodLine line_b = {b->corners[tetra_edge[of_b][0]], real3_unit(edge_b)};
  if (lines_are_parallel(&line_a, &line_b)) return;
  const NearestOnLines at = lines_nearest(&line_a, &line_b);
  if (at.first <= 0 || at.second <= 0 || at.first >= real3_norm(edge_a) ||
      at.second >= real3_norm(edge_b))
    return;
  keep_nearer(nearest, line_place(&line_a, at.first), line_place(&line_b, at.second));
}

static inline void keep_vertex_faces(NearestPlaces *nearest, real3 vertex, const RealTetra *other,
                                     bool second)
{
  for (int k = 0; k < 4; k++) {
    const FacePlane *plane = &other->planes[k];
    const real height = plane_height(plane, vertex);
    if (height <= 0 || !face_is_below(other, k, vertex)) continue;
    const real square = real3_dot(plane->normal, plane->normal);
    const real3 foot = real3_sub(vertex, real3_scale(height / square, plane->normal));
    keep_nearer(nearest, second ? foot : vertex, second ? vertex : foot);
  }
}

// Of two that are apart. Vertices come first, then edges, then faces: the first of equals stays.
static inline NearestPlaces nearest_places(const RealTetra *a, const RealTetra *b)
{
  NearestPlaces nearest = {.distance = REAL_MOST};
  for (int k = 0; k < 16; k++) keep_nearer(&nearest, a->corners[k / 4], b->corners[k % 4]);
  for (int i = 0; i < 4; i++) {
    keep_vertex_edges(&nearest, a->corners[i], b, false);
    keep_vertex_edges(&nearest, b->corners[i], a, true);
  }
  for (int k = 0; k < 36; k++) keep_edge_edge(&nearest, a, b, k / 6, k % 6);
  for (int i = 0; i < 4; i++) keep_vertex_faces(&nearest, a->corners[i], b, false);
  for (int i = 0; i < 4; i++) keep_vertex_faces(&nearest, b->corners[i], a, true);
  return nearest;
}

static inline real3 tetra_center(const RealTetra *tetra)
{
  const real3 first = real3_add(tetra->corners[0], tetra->corners[1]);
  return real3_scale((real)0.25, real3_add(real3_add(first, tetra->corners[2]), tetra->corners[3]));
}

static inline real tetra_diameter(const RealTetra *tetra)
{
  const real3 center = tetra_center(tetra);
  real square = 0;
  for (int k = 0; k < 4; k++) {
    const real3 arm = real3_sub(tetra->corners[k], center);
    square = real_max(square, real3_dot(arm, arm));
  }
  return 2 * real_sqrt(square);
}

static inline RealTetra tetra_scaled(const RealTetra *tetra, real scale)
{
  assert(scale > 0 && "a tetrahedron keeps a size");
  RealTetra scaled = *tetra;
  const real3 center = tetra_center(tetra);
  for (int k = 0; k < 4; k++) {
    const real3 arm = real3_sub(tetra->corners[k], center);
    scaled.corners[k] = real3_add(real3_scale(scale, arm), center);
  }
  for (int k = 0; k < 4; k++) scaled.planes[k] = face_plane(&scaled, k);
  return scaled;
}

// The feature of a tetrahedron whose outward directions hold one.
typedef struct {
  int dimension;   // 2 face, 1 edge, 0 vertex
  real3 normal;
} GrowthFeature;

static inline bool edge_looks_along(const RealTetra *tetra, int edge, real3 along,
                                    const real3 normals[4])
{
  assert(edge >= 0 && edge < 6 && "a tetrahedron has six edges");
  const real3 vector = edge_vector(tetra, edge);
  const real share = real3_dot(along, vector) / real3_dot(vector, vector);
  const real3 across = real3_sub(along, real3_scale(share, vector));
  if (real3_dot(across, across) < REAL_ROUNDING) return false;
  if (real3_dot(along, real3_unit(across)) < GROWTH_COSINE) return false;
  // on the arc between the normals of its two faces
  real3 left = normals[tetra_beside[edge][0]], right = normals[tetra_beside[edge][1]];
  if (real3_dot(vector, real3_cross(left, right)) < 0) {
    const real3 held = left;
    left = right;
    right = held;
  }
  return real3_dot(vector, real3_cross(left, along)) >= 0 &&
         real3_dot(vector, real3_cross(along, right)) >= 0;
}

static inline GrowthFeature feature_along(const RealTetra *tetra, real3 along)
{
  real3 normals[4];
  for (int k = 0; k < 4; k++) {
    const real3 at = tetra->corners[tetra_face[k][0]];
    normals[k] = real3_unit(real3_cross(real3_sub(tetra->corners[tetra_face[k][1]], at),
                                        real3_sub(tetra->corners[tetra_face[k][2]], at)));
  }
  for (int k = 0; k < 4; k++) {
    if (real3_dot(along, normals[k]) >= GROWTH_COSINE) return (GrowthFeature){2, normals[k]};
  }
  for (int edge = 0; edge < 6; edge++) {
    if (edge_looks_along(tetra, edge, along, normals)) return (GrowthFeature){1, along};
  }
  return (GrowthFeature){0, along};
}

// Two tetrahedra scaled down as they are searched.
typedef struct {
  RealTetra a, b;
  real scale;   // of both
  NearestPlaces nearest;
} ShrunkPair;

static inline void shrink_to(const MethodPair *pair, real scale, ShrunkPair *shrunk)
{
  shrunk->scale = scale;
  shrunk->a = tetra_scaled(pair->a, scale);
  shrunk->b = tetra_scaled(pair->b, scale);
}

// The program's growth back towards each other; scale is a tenth below what separated them.
static inline void grow_of_program(const MethodPair *pair, ShrunkPair *shrunk)
{
  const real wanted =
      GROWTH_SEPARATION * real_min(tetra_diameter(pair->a), tetra_diameter(pair->b));
  const real enough = 2 * real_min(shrunk->nearest.distance, wanted);
  const real3 between = real3_sub(tetra_center(pair->b), tetra_center(pair->a));
  real scale = shrunk->scale * GROWTH_DAMPING;
  for (int i = 0; shrunk->nearest.distance > enough && i < GROWTH_MOST_STEPS; i++) {
    const real3 apart = real3_sub(shrunk->nearest.on_b, shrunk->nearest.on_a);
    const real next = 1 - real3_dot(apart, between) / real3_dot(between, between);
    if (scale >= next) break;
    scale = next;
    shrink_to(pair, scale, shrunk);
    shrunk->nearest = nearest_places(&shrunk->a, &shrunk->b);
  }
}

// The text's algorithm 2 with its signs and its line 10 as line 7 wants them: tau = 1 - 1 / alpha
// grows by the separation along the line of centres, and alpha = 1 / (1 - tau).
static inline void grow_of_text(const MethodPair *pair, ShrunkPair *shrunk)
{
  const real wanted =
      GROWTH_SEPARATION * real_min(tetra_diameter(pair->a), tetra_diameter(pair->b));
  const real3 between = real3_sub(tetra_center(pair->b), tetra_center(pair->a));
  real tau = 1 - 1 / shrunk->scale;
  for (int i = 0; shrunk->nearest.distance > wanted && i < GROWTH_MOST_TEXT_STEPS; i++) {
    const real3 apart = real3_sub(shrunk->nearest.on_b, shrunk->nearest.on_a);
    const real step = GROWTH_DAMPING * real3_dot(apart, between) / real3_dot(between, between);
    if (!(step > REAL_ROUNDING)) break;
    tau += step;
    if (!(tau < 1)) break;
    ShrunkPair next = {.scale = 0};
    shrink_to(pair, 1 / (1 - tau), &next);
    if (method_overlap(&next.a, &next.b)) break;
    next.nearest = nearest_places(&next.a, &next.b);
    *shrunk = next;
  }
}

// The normal from the first to the second; false where their centres are at one place.
static inline bool growth_normal(const MethodPair *pair, real3 *normal)
{
  ShrunkPair shrunk = {.scale = GROWTH_DAMPING};
  shrink_to(pair, GROWTH_DAMPING, &shrunk);
  for (int i = 1; method_overlap(&shrunk.a, &shrunk.b); i++) {
    if (i == GROWTH_MOST_SHRINKS) return false;
    shrink_to(pair, shrunk.scale * GROWTH_DAMPING, &shrunk);
  }
  shrunk.nearest = nearest_places(&shrunk.a, &shrunk.b);
  if (pair->text) grow_of_text(pair, &shrunk);
  else grow_of_program(pair, &shrunk);
  const real3 apart = real3_sub(shrunk.nearest.on_b, shrunk.nearest.on_a);
  if (!(real3_norm(apart) > 0)) return false;
  const real3 along = real3_unit(apart);
  const GrowthFeature of_a = feature_along(pair->a, along);
  const GrowthFeature of_b = feature_along(pair->b, real3_neg(along));
  // equals: the first's in the program, the second's in the text
  const bool first =
      pair->text ? of_a.dimension > of_b.dimension : of_a.dimension >= of_b.dimension;
  *normal = first ? of_a.normal : real3_neg(of_b.normal);
  return true;
}

static inline void method_growth(const MethodPair *pair)
{
  real3 normal;
  if (!method_overlap(pair->a, pair->b) || !growth_normal(pair, &normal)) return;
  const CommonPoints points = common_points(pair);
  if (points.count == 0) return;
  const RealSpan span = real_span(points.list, points.count, normal);
  add_distinct_contacts(pair, &points, normal, span.low - span.high);
}
