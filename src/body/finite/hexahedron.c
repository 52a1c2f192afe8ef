// Orders the corners of a hexahedron by the sides that meet in them.
#include "hexahedron.h"

#include <math.h>

#include "check.h"

enum { SIDES = 6, CORNERS = 4, PAIRS = SIDES / 2 };

static bool has_corner(const Polyhedron *hull, int face, int vertex)
{
  for (int k = hull->face_start[face]; k < hull->face_start[face + 1]; k++)
    if (hull->face_vertices[k] == vertex) return true;
  return false;
}

static bool meet(const Polyhedron *hull, int a, int b)
{
  for (int k = hull->face_start[a]; k < hull->face_start[a + 1]; k++)
    if (has_corner(hull, b, hull->face_vertices[k])) return true;
  return false;
}

// The sides that face each other; false where they do not pair off.
static bool find_pairs(const Polyhedron *hull, int pair[PAIRS][2])
{
  if (hull->vertex_count != FINITE_HEXAHEDRON || hull->face_count != SIDES) return false;
  int pairs = 0;
  for (int a = 0; a < SIDES; a++) {
    if (hull->face_start[a + 1] - hull->face_start[a] != CORNERS) return false;
    int facing = 0;
    for (int b = 0; b < SIDES; b++) {
      if (b == a || meet(hull, a, b)) continue;
      facing++;
      if (b < a) continue;
      if (pairs == PAIRS) return false;
      pair[pairs][0] = a;
      pair[pairs++][1] = b;
    }
    if (facing != 1) return false;
  }
  return pairs == PAIRS;
}

// sum over the corners of a side
static vec3 middle_of(const Polyhedron *hull, int face)
{
  vec3 sum = {0, 0, 0};
  for (int k = hull->face_start[face]; k < hull->face_start[face + 1]; k++)
    sum = vec3_add(sum, hull->vertices[hull->face_vertices[k]]);
  return vec3_scale(1.0 / CORNERS, sum);
}

// Pairs of sides for the axes, the high side second; false where a corner is of no three of them or
// the body would be turned inside out.
static bool lay_corners(const Polyhedron *hull, int side[PAIRS][2], vec3 corner[FINITE_HEXAHEDRON])
{
  for (int c = 0; c < FINITE_HEXAHEDRON; c++) {
    int found = -1;
    for (int v = 0; v < hull->vertex_count; v++) {
      bool all = true;
      for (int a = 0; a < PAIRS; a++) all = all && has_corner(hull, side[a][c >> a & 1], v);
      if (all) found = v;
    }
    if (found < 0) return false;
    corner[c] = hull->vertices[found];
  }
  return mat3_determinant(finite_mesh_axes(corner, (vec3){0, 0, 0})) > 0;
}

bool hexahedron_corners(const Polyhedron *hull, vec3 corner[FINITE_HEXAHEDRON])
{
  static const int orders[][PAIRS] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                      {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};
  assert_debug(hull->extent > 0 && "a hull has an extent");
  int pair[PAIRS][2];
  if (!find_pairs(hull, pair)) return false;
  double best = -INFINITY;
  for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
    int side[PAIRS][2];
    double sum = 0;
    for (int a = 0; a < PAIRS; a++) {
      const int *of = pair[orders[o][a]];
      const vec3 across = vec3_sub(middle_of(hull, of[1]), middle_of(hull, of[0]));
      const bool turned = vec3_component(across, a) < 0;
      side[a][0] = of[turned];
      side[a][1] = of[!turned];
      sum += fabs(vec3_component(across, a)) / vec3_norm(across);
    }
    vec3 laid[FINITE_HEXAHEDRON];
    if (!(sum > best) || !lay_corners(hull, side, laid)) continue;
    best = sum;
    for (int c = 0; c < FINITE_HEXAHEDRON; c++) corner[c] = laid[c];
  }
  return best > 0;
}
