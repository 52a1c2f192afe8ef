#pragma once
// Surfaces for the tests of contacts between them: prisms, lattices of cubes and stones as plane
// pieces, whole or cut at random.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "arena.h"
#include "random_numbers.h"
#include "surface_complex.h"

// Triangles with room to grow.
typedef struct {
  int point_count, triangle_count;
  int point_room, triangle_room;
  vec3 *points;
  int (*triangles)[3];
} Net;

static inline Net net_new(int points, int triangles, Arena *arena)
{
  return (Net){.point_room = points,
               .triangle_room = triangles,
               .points = arena_allocate(arena, (size_t)points * sizeof(vec3)),
               .triangles = arena_allocate(arena, (size_t)triangles * sizeof(int[3]))};
}

static inline int net_point(Net *net, vec3 at)
{
  assert(net->point_count < net->point_room && "room in a net");
  net->points[net->point_count] = at;
  return net->point_count++;
}

static inline void net_triangle(Net *net, int a, int b, int c)
{
  assert(net->triangle_count < net->triangle_room && "room in a net");
  int *corners = net->triangles[net->triangle_count++];
  corners[0] = a;
  corners[1] = b;
  corners[2] = c;
}

static inline SurfacePieces net_pieces(const Net *net, Arena *arena)
{
  return surface_pieces_of_triangles(net->points, (const int(*)[3])net->triangles,
                                     net->triangle_count, arena);
}

static inline double net_volume(const Net *net)
{
  double volume = 0;
  for (int t = 0; t < net->triangle_count; t++) {
    const int *v = net->triangles[t];
    const vec3 cross = vec3_cross(net->points[v[1]], net->points[v[2]]);
    volume += vec3_dot(net->points[v[0]], cross) / 6;
  }
  return volume;
}

// A prism over a polygon with corners (x, y), counter-clockwise; its lower and upper side are cut
// by ears.
static inline Net net_prism(const double (*corners)[2], int count, double low, double high,
                            Arena *arena)
{
  Net net = net_new(2 * count, 4 * count, arena);
  for (int k = 0; k < count; k++) net_point(&net, vec3_new(corners[k][0], corners[k][1], low));
  for (int k = 0; k < count; k++) net_point(&net, vec3_new(corners[k][0], corners[k][1], high));
  int ring[64], left = count;
  assert(count <= 64 && "room for a ring");
  for (int k = 0; k < count; k++) ring[k] = k;
  while (left > 2) {
    for (int k = 0; k < left; k++) {
      const int a = ring[(k + left - 1) % left], b = ring[k], c = ring[(k + 1) % left];
      const vec3 p = net.points[a], q = net.points[b], r = net.points[c];
      if ((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x) <= 0) continue;
      bool free = true;
      for (int i = 0; i < left && free; i++) {
        const vec3 x = net.points[ring[i]];
        if (ring[i] == a || ring[i] == b || ring[i] == c) continue;
        free = !((q.x - p.x) * (x.y - p.y) - (q.y - p.y) * (x.x - p.x) >= 0 &&
                 (r.x - q.x) * (x.y - q.y) - (r.y - q.y) * (x.x - q.x) >= 0 &&
                 (p.x - r.x) * (x.y - r.y) - (p.y - r.y) * (x.x - r.x) >= 0);
      }
      if (!free) continue;
      net_triangle(&net, a, c, b);
      net_triangle(&net, count + a, count + b, count + c);
      left--;
      memmove(ring + k, ring + k + 1, (size_t)(left - k) * sizeof *ring);
      break;
    }
  }
  for (int k = 0; k < count; k++) {
    const int next = (k + 1) % count;
    net_triangle(&net, k, next, count + next);
    net_triangle(&net, k, count + next, count + k);
  }
  return net;
}

// Halves the triangles beside random sides at a random place of each, which leaves the solid alone.
static inline void net_cut(Net *net, int cuts, Random *random)
{
  for (int i = 0; i < cuts; i++) {
    const int t = random_below(random, net->triangle_count);
    const int *v = net->triangles[t];
    int longest = 0;
    double square = 0;
    for (int k = 0; k < 3; k++) {
      const vec3 side = vec3_sub(net->points[v[(k + 1) % 3]], net->points[v[k]]);
      if (vec3_dot(side, side) <= square) continue;
      square = vec3_dot(side, side);
      longest = k;
    }
    const int a = v[longest], b = v[(longest + 1) % 3];
    const double share = random_between(random, 0.3, 0.7);
    const vec3 along = vec3_sub(net->points[b], net->points[a]);
    const int middle = net_point(net, vec3_axpy(share, along, net->points[a]));
    const int count = net->triangle_count;
    for (int s = 0; s < count; s++) {
      int *w = net->triangles[s];
      if (w[0] != a && w[1] != a && w[2] != a) continue;   // most of them
      for (int k = 0; k < 3; k++) {
        const int p = w[k], q = w[(k + 1) % 3], other = w[(k + 2) % 3];
        if ((p != a || q != b) && (p != b || q != a)) continue;
        w[(k + 1) % 3] = middle;
        net_triangle(net, middle, q, other);
        break;
      }
    }
  }
}

// A solid of cubes of a lattice: one where filled.
#define LATTICE_MAX 4
typedef struct {
  int size;
  bool filled[LATTICE_MAX][LATTICE_MAX][LATTICE_MAX];
} CubeLattice;

static inline bool lattice_is_filled(const CubeLattice *lattice, const int at[3])
{
  for (int k = 0; k < 3; k++) {
    if (at[k] < 0 || at[k] >= lattice->size) return false;
  }
  return lattice->filled[at[0]][at[1]][at[2]];
}

static inline CubeLattice lattice_random(int size, double share, Random *random)
{
  CubeLattice lattice = {.size = size};
  for (int x = 0; x < size; x++) {
    for (int y = 0; y < size; y++) {
      for (int z = 0; z < size; z++) lattice.filled[x][y][z] = random_between(random, 0, 1) < share;
    }
  }
  lattice.filled[0][0][0] = true;
  return lattice;
}

// The free sides of its cubes as triangles, cubes of one metre from the origin on.
static inline Net net_of_lattice(const CubeLattice *lattice, Arena *arena)
{
  const int n = lattice->size;
  Net net = net_new((n + 1) * (n + 1) * (n + 1), 12 * n * n * n, arena);
  for (int i = 0; i < (n + 1) * (n + 1) * (n + 1); i++)
    net_point(&net, vec3_new(i % (n + 1), i / (n + 1) % (n + 1), i / (n + 1) / (n + 1)));
  for (int cube = 0; cube < n * n * n; cube++) {
    const int at[3] = {cube % n, cube / n % n, cube / n / n};
    if (!lattice_is_filled(lattice, at)) continue;
    for (int side = 0; side < 6; side++) {
      const int axis = side / 2, high = side % 2;
      int beside[3] = {at[0], at[1], at[2]};
      beside[axis] += high ? 1 : -1;
      if (lattice_is_filled(lattice, beside)) continue;
      int corner[4];
      for (int k = 0; k < 4; k++) {
        int place[3] = {at[0], at[1], at[2]};
        place[axis] += high;
        place[(axis + 1) % 3] += k == 1 || k == 2;
        place[(axis + 2) % 3] += k >= 2;
        corner[k] = place[0] + (n + 1) * (place[1] + (n + 1) * place[2]);
      }
      const int second = high ? corner[1] : corner[3], last = high ? corner[3] : corner[1];
      net_triangle(&net, corner[0], second, corner[2]);
      net_triangle(&net, corner[0], corner[2], last);
    }
  }
  return net;
}

// A stone that is not convex: a ball of triangles, 20 x 4^cuts, whose radius has random bumps.
static inline Net net_stone(int cuts, double bump, Random *random, Arena *arena)
{
  static const int FACES[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                   {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                   {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                   {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
  const int triangles = 20 << (2 * cuts);
  Net net = net_new(triangles / 2 + 2, triangles, arena);
  const double t = 1.618033988749895;
  for (int axis = 0; axis < 3; axis++) {
    for (int k = 0; k < 4; k++) {
      const double p = k % 2 ? 1 : -1, q = k < 2 ? t : -t;
      const vec3 at = axis == 0   ? vec3_new(p, q, 0)
                      : axis == 1 ? vec3_new(0, p, q)
                                  : vec3_new(q, 0, p);
      net_point(&net, vec3_scale(1 / vec3_norm(at), at));
    }
  }
  for (int f = 0; f < 20; f++) net_triangle(&net, FACES[f][0], FACES[f][1], FACES[f][2]);
  for (int c = 0; c < cuts; c++) {
    const int count = net.triangle_count;
    for (int s = 0; s < count; s++) {
      int middle[3];
      const int v[3] = {net.triangles[s][0], net.triangles[s][1], net.triangles[s][2]};
      for (int k = 0; k < 3; k++) {
        const vec3 sum = vec3_add(net.points[v[k]], net.points[v[(k + 1) % 3]]);
        const vec3 at = vec3_scale(1 / vec3_norm(sum), sum);
        middle[k] = -1;
        for (int i = 0; i < net.point_count && middle[k] < 0; i++) {
          const vec3 off = vec3_sub(net.points[i], at);
          if (vec3_dot(off, off) < 1e-20) middle[k] = i;
        }
        if (middle[k] < 0) middle[k] = net_point(&net, at);
      }
      net.triangles[s][1] = middle[0];
      net.triangles[s][2] = middle[2];
      net_triangle(&net, v[1], middle[1], middle[0]);
      net_triangle(&net, v[2], middle[2], middle[1]);
      net_triangle(&net, middle[0], middle[1], middle[2]);
    }
  }
  vec3 centers[24];
  double heights[24];
  for (int k = 0; k < 24; k++) {
    centers[k] = random_direction(random);
    heights[k] = random_between(random, -bump, bump);
  }
  for (int i = 0; i < net.point_count; i++) {
    double radius = 1;
    for (int k = 0; k < 24; k++)
      radius += heights[k] * exp(6 * (vec3_dot(net.points[i], centers[k]) - 1));
    net.points[i] = vec3_scale(radius, net.points[i]);
  }
  return net;
}
