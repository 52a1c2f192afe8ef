#pragma once
// How far a direction separates a pair of parts, and what is measured along it. Local.
#include <math.h>
#include <stdbool.h>

#include "check.h"
#include "clipper_lanes.h"
#include "patch_pair.h"

#define MIN_EDGE_SINE 1e-6   // edges nearer to parallel span no axis

// Smallest n.v over the vertices; the lanes change no bit of it.
static inline double lowest(const VertexRows *rows, vec3 n)
{
  const Lane x = lane_all(n.x), y = lane_all(n.y), z = lane_all(n.z);
  Lane least = lane_all(INFINITY);
  for (int i = 0; i < rows->count; i += VERTEX_LANES) {
    const Lane of_x = x * lane_load(&rows->x[i]);
    const Lane of_y = y * lane_load(&rows->y[i]);
    const Lane of_z = z * lane_load(&rows->z[i]);
    least = lane_min(of_x + of_y + of_z, least);
  }
  return lanes_smallest(least);
}

static inline double separation_along(const PartPair *pair, vec3 n)
{
  return lowest(&pair->rows_b, n) + lowest(&pair->rows_a, vec3_neg(n));
}

// The first of the vertices farthest against n.
static inline vec3 lowest_vertex(const VertexRows *rows, vec3 n)
{
  const Lane least = lane_all(lowest(rows, n));
  int i = 0;
  unsigned found = 0;
  for (; found == 0; i += VERTEX_LANES) {
    assert_debug(i < rows->count && "one of the vertices is lowest");
    const Lane of_x = n.x * lane_load(&rows->x[i]);
    const Lane of_y = n.y * lane_load(&rows->y[i]);
    found = lanes_not_less(least, of_x + of_y + n.z * lane_load(&rows->z[i]));
  }
  const int v = i - VERTEX_LANES + __builtin_ctz(found);
  return (vec3){rows->x[v], rows->y[v], rows->z[v]};
}

// How high a place is above the planes of a part, m.
static inline double height_above(const Polyhedron *hull, vec3 place)
{
  const Lane x = lane_all(place.x), y = lane_all(place.y), z = lane_all(place.z);
  Lane highest = lane_all(-INFINITY);
  for (int f = 0; f < hull->face_count; f += LANES) {
    const PlaneLanes four = lanes_faces(hull, f);
    highest = lane_max(lanes_dot(&four, x, y, z) - four.offset, highest);
  }
  return lanes_largest(highest);
}

static inline vec3 edge_direction(const Polyhedron *p, Edge edge)
{
  const vec3 along = vec3_sub(p->vertices[edge.vertex[1]], p->vertices[edge.vertex[0]]);
  return vec3_scale(1.0 / vec3_norm(along), along);
}

static inline bool face_is_true(const Part *part, int face)
{
  assert_debug(face >= 0 && face < part->hull.face_count && "a face has a number");
  return part->facet_start[face + 1] > part->facet_start[face];
}

static inline bool axis_is_shallow(const PartPair *pair, double separation)
{
  return separation > -PATCH_MAX_DEPTH * pair->small_extent;
}

static inline bool axis_is_of_edges(const Axis *axis)
{
  return axis->axis_a != AXIS_NONE && axis->axis_b != AXIS_NONE;
}

// Below this an axis is of no use: it is neither tried nor does any other go after it.
static inline double useless_below(const PartPair *pair)
{
  const double far = pair_width(pair->margin, pair->separation) + pair->margin + pair->tie;
  return larger_of(pair->separation - far, -PATCH_MAX_DEPTH * pair->small_extent);
}

// What rounding may add to a bound, m.
static inline double bound_slack(const PartPair *pair) { return 4 * (pair->tie + pair->rounding); }

static inline void raise_separation(PartPair *pair, double separation, vec3 n)
{
  if (!(separation > pair->separation)) return;
  pair->separation = separation;
  pair->best = n;
}

static inline void axis_list_add(AxisList *list, Axis axis, Arena *arena)
{
  assert_debug(list->count <= list->capacity && "axes are in their room");
  if (list->count == list->capacity)
    list->items =
        arena_grow(arena, list->items, list->count + 1, &list->capacity, sizeof *list->items);
  list->items[list->count++] = axis;
}
