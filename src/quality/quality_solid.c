// Makes the solids of Erleben's scenes as triangles and as convex parts.
#include "quality_solid.h"

#include <assert.h>
#include <stdbool.h>

#include "trig.h"

#define CRACK_HALF 1.0    // m: half width of the stones with a groove or a pit
#define CRACK_NOTCH 0.5   // half width, depth and height above the bottom's of groove and pit
#define CRACK_HALF_LENGTH 2.0

static int add_point(QualitySolid *solid, vec3 point)
{
  assert(solid->point_count < SOLID_MAX_POINTS && "room for the points of a solid");
  solid->points[solid->point_count] = point;
  return solid->point_count++;
}

// A flat convex polygon in triangles from its first corner. All solids here are star-shaped about
// some inner place, which says which side is outside.
static void add_polygon(QualitySolid *solid, vec3 inside, int count, const int *corners)
{
  assert(count >= 3 && "a polygon has three corners");
  for (int k = 1; k + 1 < count; k++) {
    assert(solid->triangle_count < SOLID_MAX_TRIANGLES && "room for the triangles of a solid");
    int *triangle = solid->triangles[solid->triangle_count++];
    const vec3 a = solid->points[corners[0]];
    const vec3 ab = vec3_sub(solid->points[corners[k]], a);
    const vec3 ac = vec3_sub(solid->points[corners[k + 1]], a);
    const bool outwards = vec3_dot(vec3_cross(ab, ac), vec3_sub(a, inside)) > 0;
    triangle[0] = corners[0];
    triangle[1] = corners[outwards ? k : k + 1];
    triangle[2] = corners[outwards ? k + 1 : k];
  }
}

static void add_triangle(QualitySolid *solid, vec3 inside, int a, int b, int c)
{
  add_polygon(solid, inside, 3, (const int[3]){a, b, c});
}

static void add_quad(QualitySolid *solid, vec3 inside, int a, int b, int c, int d)
{
  add_polygon(solid, inside, 4, (const int[4]){a, b, c, d});
}

// The sides between two loops of as many points, which stand at low and high in the list.
static void add_sides(QualitySolid *solid, vec3 inside, int low, int high, int count)
{
  assert(low >= 0 && high >= 0 && count >= 3 && "a loop has three points");
  for (int k = 0; k < count; k++) {
    const int next = (k + 1) % count;
    add_quad(solid, inside, low + k, low + next, high + next, high + k);
  }
}

// -- convex solids --------------------------------------------------------------------------------

vec3 quality_box_corner(vec3 middle, vec3 half, int corner)
{
  assert(corner >= 0 && corner < 8 && "a box has eight corners");
  return vec3_add(middle, vec3_new(corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y,
                                   corner & 4 ? half.z : -half.z));
}

static void add_box_sides(QualitySolid *solid, vec3 inside)
{
  for (int axis = 0; axis < 3; axis++) {
    const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
    for (int side = 0; side < 2; side++) {
      const int first = side << axis;
      add_quad(solid, inside, first, first + u, first + u + v, first + v);
    }
  }
}

QualitySolid quality_box(vec3 middle, vec3 half)
{
  QualitySolid solid = {0};
  for (int i = 0; i < 8; i++) add_point(&solid, quality_box_corner(middle, half, i));
  add_box_sides(&solid, middle);
  return solid;
}

QualitySolid quality_spike(double up)
{
  QualitySolid solid = {0};
  const vec3 inside = {0, -0.5 * up * SPIKE_HEIGHT, 0};
  const int tip = add_point(&solid, vec3_new(0, 0, 0));
  for (int k = 0; k < 4; k++) {
    add_point(&solid, quality_ring_corner(4, SPIKE_HALF_BASE, -up * SPIKE_HEIGHT, k));
  }
  for (int k = 0; k < 4; k++) add_triangle(&solid, inside, tip, 1 + k, 1 + (k + 1) % 4);
  add_quad(&solid, inside, 1, 2, 3, 4);
  return solid;
}

QualitySolid quality_wedge(double up)
{
  QualitySolid solid = {0};
  const vec3 inside = {0, -0.5 * up * SPIKE_HEIGHT, 0};
  for (int end = -1; end <= 1; end += 2) {
    const double z = end * 2 * SPIKE_HALF_BASE, foot = -up * SPIKE_HEIGHT;
    add_point(&solid, vec3_new(0, 0, z));
    add_point(&solid, vec3_new(-SPIKE_HALF_BASE, foot, z));
    add_point(&solid, vec3_new(SPIKE_HALF_BASE, foot, z));
  }
  add_triangle(&solid, inside, 0, 1, 2);
  add_triangle(&solid, inside, 3, 4, 5);
  // by the simulator's diagonals, which three tetrahedra have
  add_quad(&solid, inside, 0, 1, 4, 3);
  add_quad(&solid, inside, 0, 2, 5, 3);
  add_quad(&solid, inside, 2, 1, 4, 5);
  return solid;
}

vec3 quality_ring_corner(int corners, double radius, double y, int k)
{
  assert(corners >= 3 && k >= 0 && k < corners && "a ring has three corners");
  if (corners == 4) {
    const int x = k == 0 || k == 3, z = k < 2;
    return vec3_new(x ? radius : -radius, y, z ? radius : -radius);
  }
  // exact where cosine or sine are halves
  const double half_root = 0.5 * sqrt(3.0);
  const double x[6] = {1, 0.5, -0.5, -1, -0.5, 0.5};
  const double z[6] = {0, half_root, half_root, 0, -half_root, -half_root};
  return vec3_new(radius * x[k], y, radius * z[k]);
}

QualitySolid quality_frustum(int corners, double low_radius, double high_radius, double low,
                             double high)
{
  QualitySolid solid = {0};
  const vec3 inside = {0, 0.5 * (low + high), 0};
  for (int end = 0; end < 2; end++) {
    const double radius = end ? high_radius : low_radius, y = end ? high : low;
    for (int k = 0; k < corners; k++) {
      add_point(&solid, quality_ring_corner(corners, radius, y, k));
    }
  }
  if (corners == 4) {
    // without middles, and by the simulator's diagonals
    add_quad(&solid, inside, 0, 1, 5, 4);
    add_quad(&solid, inside, 1, 2, 6, 5);
    add_quad(&solid, inside, 3, 7, 6, 2);
    add_quad(&solid, inside, 0, 4, 7, 3);
    add_quad(&solid, inside, 1, 2, 3, 0);
    add_quad(&solid, inside, 4, 5, 6, 7);
    return solid;
  }
  add_sides(&solid, inside, 0, corners, corners);
  for (int end = 0; end < 2; end++) {
    const int first = end * corners, middle = add_point(&solid, vec3_new(0, end ? high : low, 0));
    for (int k = 0; k < corners; k++) {
      add_triangle(&solid, inside, middle, first + k, first + (k + 1) % corners);
    }
  }
  return solid;
}

vec3 quality_arch_point(int joint, double radius, double z)
{
  assert(joint >= 0 && joint <= ARCH_STONES && "an arch has a joint more than stones");
  const double angle = joint * TRIG_PI / ARCH_STONES;
  // springings lie in their planes to the last bit
  const double s = joint == 0 || joint == ARCH_STONES ? 0 : trig_sin(angle);
  const double c = joint == 0 ? 1 : joint == ARCH_STONES ? -1 : trig_cos(angle);
  return vec3_new(radius * c, 2 + radius * s, z);
}

QualitySolid quality_voussoir(int k)
{
  assert(k >= 0 && k < ARCH_STONES && "a voussoir has a number");
  QualitySolid solid = {0};
  vec3 inside = {0, 0, 0};
  for (int i = 0; i < 8; i++) {
    const double radius = i & 1 ? ARCH_OUTER : ARCH_INNER;
    const vec3 corner = quality_arch_point(k + (i & 2 ? 1 : 0), radius, i & 4 ? 1 : -1);
    add_point(&solid, corner);
    inside = vec3_axpy(1.0 / 8, corner, inside);
  }
  add_box_sides(&solid, inside);
  return solid;
}

// -- bodies of several parts ----------------------------------------------------------------------

static void add_part(QualitySolid *solid, int count, const int *points)
{
  assert(solid->part_count < SOLID_MAX_PARTS && count <= SOLID_MAX_POINTS &&
         "parts are in their room");
  const int part = solid->part_count++;
  solid->part_size[part] = count;
  for (int i = 0; i < count; i++) solid->part_points[part][i] = points[i];
}

// The section is an octagon with a notch: 0 groove, 1 rim, 2 top, 3 foot, 4 middle of the bottom,
// 5 foot, 6 top, 7 rim; the other end is 8 further.
QualitySolid quality_crack(void)
{
  QualitySolid solid = {.shrinks_by_scale = true};
  const vec3 inside = {0, -0.5 * CRACK_NOTCH, 0};
  const double x[8] = {0, CRACK_NOTCH, CRACK_HALF,  CRACK_HALF,
                       0, -CRACK_HALF, -CRACK_HALF, -CRACK_NOTCH};
  const double y[8] = {
      0,           CRACK_NOTCH, CRACK_NOTCH, -CRACK_NOTCH, -CRACK_NOTCH, -CRACK_NOTCH,
      CRACK_NOTCH, CRACK_NOTCH};
  for (int end = -1; end <= 1; end += 2) {
    for (int k = 0; k < 8; k++) add_point(&solid, vec3_new(x[k], y[k], end * CRACK_HALF_LENGTH));
  }
  add_sides(&solid, inside, 0, 8, 8);
  const int right[10] = {0, 1, 2, 3, 4, 8, 9, 10, 11, 12};
  const int left[10] = {4, 5, 6, 7, 0, 12, 13, 14, 15, 8};
  for (int end = 0; end < 2; end++) {
    add_polygon(&solid, inside, 5, right + 5 * end);
    add_polygon(&solid, inside, 5, left + 5 * end);
  }
  add_part(&solid, 10, right);
  add_part(&solid, 10, left);
  return solid;
}

// 0 bottom of the pit, 1 below it, then rings of four: rim, top, foot.
QualitySolid quality_hole(void)
{
  QualitySolid solid = {.shrinks_by_scale = true};
  const vec3 inside = {0, -0.5 * CRACK_NOTCH, 0};
  add_point(&solid, vec3_new(0, 0, 0));
  add_point(&solid, vec3_new(0, -CRACK_NOTCH, 0));
  for (int ring = 0; ring < 3; ring++) {
    const double y = ring < 2 ? CRACK_NOTCH : -CRACK_NOTCH;
    for (int k = 0; k < 4; k++) {
      add_point(&solid, quality_ring_corner(4, ring ? CRACK_HALF : CRACK_NOTCH, y, k));
    }
  }
  add_sides(&solid, inside, 2, 6, 4);
  add_sides(&solid, inside, 6, 10, 4);
  for (int k = 0; k < 4; k++) {
    const int next = (k + 1) % 4;
    add_triangle(&solid, inside, 0, 2 + k, 2 + next);
    add_triangle(&solid, inside, 1, 10 + k, 10 + next);
    add_part(&solid, 8, (const int[8]){0, 1, 2 + k, 2 + next, 6 + k, 6 + next, 10 + k, 10 + next});
  }
  return solid;
}

// Corners of the top in order with the middles of its sides, two inner points, four feet.
QualitySolid quality_meshed_base(void)
{
  QualitySolid solid = {.shrinks_by_scale = true};
  const vec3 inside = {0, -1, 0};
  const double x[8] = {2, 0, -2, -2, -2, 0, 2, 2}, z[8] = {2, 2, 2, 0, -2, -2, -2, 0};
  for (int k = 0; k < 8; k++) add_point(&solid, vec3_new(x[k], 0, z[k]));
  const int right = add_point(&solid, vec3_new(1, 0, 1));
  const int left = add_point(&solid, vec3_new(-1, 0, 1));
  for (int k = 0; k < 8; k += 2) add_point(&solid, vec3_new(x[k], -2, z[k]));
  // about the inner points; the rest of the top in triangles that meet under the other two corners
  const int about_right[6] = {right, 7, 0, 1, 5, 7}, about_left[6] = {left, 1, 2, 3, 5, 1};
  for (int k = 1; k < 5; k++) {
    add_triangle(&solid, inside, right, about_right[k], about_right[k + 1]);
    add_triangle(&solid, inside, left, about_left[k], about_left[k + 1]);
  }
  add_triangle(&solid, inside, 7, 6, 5);
  add_triangle(&solid, inside, 3, 4, 5);
  for (int side = 0; side < 4; side++) {
    const int corner = 2 * side, foot = 10 + side, next_foot = 10 + (side + 1) % 4;
    add_polygon(&solid, inside, 5,
                (const int[5]){corner + 1, corner, foot, next_foot, (corner + 2) % 8});
  }
  add_quad(&solid, inside, 10, 11, 12, 13);
  return solid;
}

// -- measures -------------------------------------------------------------------------------------

double quality_solid_volume(const QualitySolid *solid)
{
  double sixfold = 0;
  for (int t = 0; t < solid->triangle_count; t++) {
    const int *corner = solid->triangles[t];
    const vec3 a = solid->points[corner[0]];
    sixfold += vec3_dot(a, vec3_cross(solid->points[corner[1]], solid->points[corner[2]]));
  }
  return sixfold / 6;
}

vec3 quality_solid_center(const QualitySolid *solid)
{
  // tetrahedra between the triangles and the origin
  vec3 sum = {0, 0, 0};
  double sixfold = 0;
  for (int t = 0; t < solid->triangle_count; t++) {
    const int *corner = solid->triangles[t];
    const vec3 a = solid->points[corner[0]], b = solid->points[corner[1]];
    const vec3 c = solid->points[corner[2]];
    const double share = vec3_dot(a, vec3_cross(b, c));
    sum = vec3_axpy(share / 4, vec3_add(a, vec3_add(b, c)), sum);
    sixfold += share;
  }
  return vec3_scale(1 / sixfold, sum);
}
