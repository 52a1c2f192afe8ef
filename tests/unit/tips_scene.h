#pragma once
// Tips, ridges and corners of cubes that meet at the origin, and how far directions part them, for
// the tests of normals that the motion decides.
#include "harness.h"
#include "patch.h"
#include "patch_pair.h"
#include "posed_scene.h"

static const vec3 zero = {0, 0, 0};
static const PatchParameters usual = {.margin = 1e-3, .feature_width = 2e-3, .max_points = 8};

static inline mat3 straight(void) { return mat3_diagonal(1, 1, 1); }

// A pyramid with its tip at the origin, a wedge with its ridge along x, a cube on a corner: up +1
// points up.
static inline Solid spike(double up)
{
  vec3 corners[5] = {{0, 0, 0}};
  for (int i = 0; i < 4; i++)
    corners[i + 1] = vec3_new(i & 1 ? 0.4 : -0.4, i & 2 ? 0.4 : -0.4, -up);
  Solid solid = {0};
  solid_add_part(&solid, corners, 5);
  return solid;
}

static inline Solid wedge(double up)
{
  vec3 corners[6];
  for (int i = 0; i < 6; i++)
    corners[i] = vec3_new(i & 1 ? 0.5 : -0.5, i < 2 ? 0 : i < 4 ? 0.5 : -0.5, i < 2 ? 0 : -up);
  Solid solid = {0};
  solid_add_part(&solid, corners, 6);
  return solid;
}

static inline Solid cube_on_corner(double up)
{
  // columns: the directions of the three edges that leave the corner
  const double s = 1 / sqrt(3), c = sqrt(2.0 / 3), h = sqrt(0.5);
  const vec3 edges[3] = {{c, 0, -up * s}, {-0.5 * c, h, -up * s}, {-0.5 * c, -h, -up * s}};
  vec3 corners[8];
  for (int i = 0; i < 8; i++) {
    corners[i] = zero;
    for (int k = 0; k < 3; k++) {
      if (i & (1 << k)) corners[i] = vec3_add(corners[i], edges[k]);
    }
  }
  Solid solid = {0};
  solid_add_part(&solid, corners, 8);
  return solid;
}

static inline Solid solid_of(int kind, double up)
{
  return kind == 0 ? spike(up) : kind == 1 ? wedge(up) : cube_on_corner(up);
}

// Separation of b from a along n, which looks from a to b.
static inline double separation_along(const PosedBody *a, const PosedBody *b, vec3 n)
{
  double high = -INFINITY, low = INFINITY;
  const vec3 shift = vec3_sub(b->center, a->center);
  for (int v = 0; v < a->parts[0].vertex_count; v++)
    high = fmax(high, vec3_dot(n, a->parts[0].vertices[v]));
  for (int v = 0; v < b->parts[0].vertex_count; v++)
    low = fmin(low, vec3_dot(n, vec3_add(b->parts[0].vertices[v], shift)));
  return low - high;
}

// Separation along a direction that two edges span, from the edges themselves.
static inline double edge_separation(const PosedBody *a, int edge_a, const PosedBody *b, int edge_b,
                                     vec3 n)
{
  const Polyhedron *p = &a->parts[0], *q = &b->parts[0];
  const vec3 on_b = vec3_add(q->vertices[q->edges[edge_b].vertex[0]], b->center);
  const vec3 on_a = vec3_add(p->vertices[p->edges[edge_a].vertex[0]], a->center);
  return vec3_dot(n, vec3_sub(on_b, on_a));
}

// The face's normal that a direction nearly repeats, and how much the bodies are apart along it;
// false: there is none.
static inline bool separation_of_near_face(const PosedBody *a, const PosedBody *b, vec3 n,
                                           double *separation)
{
  const Polyhedron *p = &a->parts[0], *q = &b->parts[0];
  double most = cos(PATCH_MERGE_ANGLE);
  bool found = false;
  for (int f = 0; f < p->face_count + q->face_count; f++) {
    const bool of_a = f < p->face_count;
    const vec3 m = of_a ? p->planes[f].normal : vec3_neg(q->planes[f - p->face_count].normal);
    if (vec3_dot(m, n) <= most) continue;
    most = vec3_dot(m, n);
    *separation = separation_along(a, b, m);
    found = true;
  }
  return found;
}

// The least overlap at the end of the step along any face's normal or any cross of edges that are
// the outermost of both along it, by trying all; travel of b relative to a at the touch. A cross
// that nearly repeats a face's normal counts only where it separates more than that by the margin
// (m).
static inline double best_at_end(const PosedBody *a, const PosedBody *b, vec3 travel, double margin)
{
  const Polyhedron *p = &a->parts[0], *q = &b->parts[0];
  double best = -INFINITY;
  for (int f = 0; f < p->face_count; f++) {
    const vec3 n = p->planes[f].normal;
    best = fmax(best, separation_along(a, b, n) + vec3_dot(travel, n));
  }
  for (int g = 0; g < q->face_count; g++) {
    const vec3 n = vec3_neg(q->planes[g].normal);
    best = fmax(best, separation_along(a, b, n) + vec3_dot(travel, n));
  }
  for (int i = 0; i < p->edge_count; i++) {
    for (int k = 0; k < q->edge_count; k++) {
      const Edge e = p->edges[i], f = q->edges[k];
      vec3 n = vec3_cross(vec3_sub(p->vertices[e.vertex[1]], p->vertices[e.vertex[0]]),
                          vec3_sub(q->vertices[f.vertex[1]], q->vertices[f.vertex[0]]));
      if (vec3_norm(n) < 1e-6) continue;
      n = vec3_scale(1 / vec3_norm(n), n);
      for (int sign = 0; sign < 2; sign++, n = vec3_neg(n)) {
        const double s = separation_along(a, b, n);
        double of_face;
        if (fabs(s - edge_separation(a, i, b, k, n)) >= 1e-12) continue;
        if (separation_of_near_face(a, b, n, &of_face) && s < of_face + margin) continue;
        best = fmax(best, s + vec3_dot(travel, n));
      }
    }
  }
  return best;
}

static inline double margin_of(const PosedBody *a, const PosedBody *b)
{
  return usual.margin * fmin(a->parts[0].extent, b->parts[0].extent);
}

// The upper body meets the tip or ridge of the lower one at the origin.
static inline PosedBody upper_body(int kind, double yaw, vec3 place, Arena *arena)
{
  const Solid solid = solid_of(kind, -1);
  return body_from_solid(&solid, rotation_about(vec3_new(0, 0, 1), yaw), place, zero, arena);
}

static inline PosedBody lower_body(int kind, Arena *arena)
{
  const Solid solid = solid_of(kind, 1);
  return body_from_solid(&solid, straight(), zero, zero, arena);
}

// Velocity b - a at the origin, which is where they touch.
static inline vec3 velocity_at_touch(const PosedBody *a, const PosedBody *b)
{
  return relative_velocity(a, b, vec3_neg(a->center));
}

// How far any two places of the bodies can come nearer in a step, as detection has it.
static inline double reach_of(const PosedBody *a, const PosedBody *b, double step)
{
  return step * (vec3_norm(vec3_sub(b->velocity, a->velocity)) +
                 vec3_norm(a->spin) * a->shape->radius + vec3_norm(b->spin) * b->shape->radius);
}
