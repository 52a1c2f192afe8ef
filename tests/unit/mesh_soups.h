#pragma once
// Soups of reference solids with coordinates that are binary fractions, and their exact measures.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "mesh_soup.h"
#include "random_numbers.h"

#define SOUP_POINTS 4096
#define SOUP_FACES 4096
#define SOUP_CORNERS 16384
#define SOUP_BLOCKS 64

// A soup with room to grow.
typedef struct {
  MeshSoup soup;
  vec3 points[SOUP_POINTS];
  int start[SOUP_FACES + 1], corners[SOUP_CORNERS], mesh_block[SOUP_FACES];
  int tetra[SOUP_FACES][4], tetra_block[SOUP_FACES];
  const char *names[SOUP_BLOCKS];
} Sketch;

static inline Sketch *sketch_new(Arena *arena)
{
  Sketch *s = arena_allocate_zero(arena, 1, sizeof(Sketch));
  s->names[0] = "";
  s->soup = (MeshSoup){.path = "soup.obj",
                       .points = s->points,
                       .face_start = s->start,
                       .corners = s->corners,
                       .face_block = s->mesh_block,
                       .tetra = s->tetra,
                       .tetra_block = s->tetra_block,
                       .mesh_block_count = 1,
                       .mesh_block_names = s->names};
  return s;
}

static inline int sketch_point(Sketch *s, double x, double y, double z)
{
  assert(s->soup.point_count < SOUP_POINTS && "the sketch has room");
  s->points[s->soup.point_count] = (vec3){x, y, z};
  return s->soup.point_count++;
}

static inline void sketch_face(Sketch *s, const int *corners, int count)
{
  const int f = s->soup.face_count++;
  assert(f < SOUP_FACES && s->start[f] + count <= SOUP_CORNERS && "the sketch has room");
  memcpy(s->corners + s->start[f], corners, (size_t)count * sizeof(int));
  s->start[f + 1] = s->start[f] + count;
  s->mesh_block[f] = s->soup.mesh_block_count - 1;
}

static inline void sketch_tetra(Sketch *s, int a, int b, int c, int d)
{
  const int t = s->soup.tetra_count++;
  assert(t < SOUP_FACES && "the sketch has room");
  s->tetra[t][0] = a, s->tetra[t][1] = b, s->tetra[t][2] = c, s->tetra[t][3] = d;
  s->tetra_block[t] = s->soup.mesh_block_count - 1;
}

static inline void sketch_block(Sketch *s, const char *name)
{
  if (s->soup.face_count > 0 || s->soup.tetra_count > 0) s->soup.mesh_block_count++;
  assert(s->soup.mesh_block_count <= SOUP_BLOCKS && "the sketch has room");
  s->names[s->soup.mesh_block_count - 1] = name;
}

// A prism over a polygon in x and z (counter-clockwise seen against -y, that is from y = -infinity)
// from y = low to y = high. Faces look outwards.
static inline void sketch_prism(Sketch *s, const double (*outline)[2], int count, double low,
                                double high)
{
  int loop[64], side[4];
  const int first = s->soup.point_count;
  for (int i = 0; i < count; i++) (void)sketch_point(s, outline[i][0], low, outline[i][1]);
  for (int i = 0; i < count; i++) (void)sketch_point(s, outline[i][0], high, outline[i][1]);
  for (int i = 0; i < count; i++) loop[i] = first + i;
  sketch_face(s, loop, count);
  for (int i = 0; i < count; i++) loop[i] = first + count + (count - 1 - i);
  sketch_face(s, loop, count);
  for (int i = 0; i < count; i++) {
    const int next = (i + 1) % count;
    side[0] = first + i, side[1] = first + count + i;
    side[2] = first + count + next, side[3] = first + next;
    sketch_face(s, side, 4);
  }
}

static inline void sketch_box(Sketch *s, vec3 low, vec3 high)
{
  const double outline[4][2] = {{low.x, low.z}, {high.x, low.z}, {high.x, high.z}, {low.x, high.z}};
  sketch_prism(s, outline, 4, low.y, high.y);
}

static inline void sketch_unit_cube(Sketch *s) { sketch_box(s, (vec3){0, 0, 0}, (vec3){1, 1, 1}); }

static inline void sketch_tetrahedron(Sketch *s)
{
  const int o = sketch_point(s, 0.25, -1, 3), x = sketch_point(s, 2.25, -1, 3);
  const int y = sketch_point(s, 0.25, 0.5, 3), z = sketch_point(s, 0.25, -1, 4.125);
  const int faces[4][3] = {{x, y, z}, {o, z, y}, {o, x, z}, {o, y, x}};
  for (int f = 0; f < 4; f++) sketch_face(s, faces[f], 3);
}

static inline void sketch_octahedron(Sketch *s)
{
  int p[6];
  for (int i = 0; i < 6; i++) {
    const double d = i & 1 ? -1 : 1;
    p[i] = sketch_point(s, i / 2 == 0 ? d : 0.5, i / 2 == 1 ? 2 * d : 0, i / 2 == 2 ? d : 0.25);
  }
  for (int i = 0; i < 8; i++) {
    const int x = p[i & 1], y = p[2 + (i >> 1 & 1)], z = p[4 + (i >> 2 & 1)];
    const bool odd = ((i & 1) + (i >> 1 & 1) + (i >> 2 & 1)) % 2 == 1;
    const int face[3] = {x, odd ? z : y, odd ? y : z};
    sketch_face(s, face, 3);
  }
}

static inline void sketch_wedge(Sketch *s)
{
  const double outline[3][2] = {{-1, 0}, {1, 0}, {1, 0.75}};
  sketch_prism(s, outline, 3, -0.5, 0.5);
}

static inline void sketch_l(Sketch *s)
{
  const double outline[6][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 2}, {0, 2}};
  sketch_prism(s, outline, 6, 0, 1);
}

static inline void sketch_u(Sketch *s)
{
  const double outline[8][2] = {{0, 0}, {3, 0}, {3, 2}, {2, 2}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  sketch_prism(s, outline, 8, 0, 0.5);
}

// A ring of 10 x 10 quadrilaterals cut into 200 triangles, coordinates on a grid of 1/1024.
static inline void sketch_torus(Sketch *s)
{
  const int first = s->soup.point_count;
  for (int i = 0; i < 10; i++) {
    for (int k = 0; k < 10; k++) {
      const double u = 0.6283185307179586 * i, v = 0.6283185307179586 * k;
      const double r = 2 + 0.75 * cos(v);
      (void)sketch_point(s, floor(1024 * r * cos(u)) / 1024, floor(1024 * r * sin(u)) / 1024,
                         floor(768 * sin(v)) / 1024);
    }
  }
  for (int i = 0; i < 10; i++) {
    for (int k = 0; k < 10; k++) {
      const int j = (i + 1) % 10, l = (k + 1) % 10;
      const int p = first + 10 * i + k, q = first + 10 * j + k;
      const int r = first + 10 * j + l, t = first + 10 * i + l;
      const int lower[3] = {p, q, r}, upper[3] = {p, r, t};
      sketch_face(s, lower, 3);
      sketch_face(s, upper, 3);
    }
  }
}

// A box cut into six tetrahedra around a diagonal.
static inline void sketch_tetra_box(Sketch *s, vec3 low, vec3 high)
{
  static const int steps[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  int p[8];
  for (int i = 0; i < 8; i++) {
    p[i] = sketch_point(s, i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
  }
  for (int i = 0; i < 6; i++) {
    int corner = 0, v[4] = {p[0]};
    for (int k = 0; k < 3; k++) corner |= 1 << steps[i][k], v[k + 1] = p[corner];
    sketch_tetra(s, v[0], v[1], v[2], v[3]);
  }
}

enum { SKETCH_KINDS = 7 };

static inline void sketch_solid(Sketch *s, int kind)
{
  switch (kind) {
  case 0: sketch_unit_cube(s); break;
  case 1: sketch_tetrahedron(s); break;
  case 2: sketch_octahedron(s); break;
  case 3: sketch_wedge(s); break;
  case 4: sketch_l(s); break;
  case 5: sketch_u(s); break;
  default: sketch_torus(s);
  }
}

// -- the same solid written in other ways

typedef struct {
  bool explode;       // every face has its own points
  bool triangulate;   // fans, for convex polygons
  bool shuffle;       // faces, points, first corners
  double flip;        // share of faces that are turned
  bool all_inside_out;
  int repeat;      // faces written twice
  double jitter;   // of exploded points, m
} Rewrite;

static inline void shuffle_ints(Random *random, int *numbers, int count)
{
  for (int i = count - 1; i > 0; i--) {
    const int k = random_below(random, i + 1), keep = numbers[i];
    numbers[i] = numbers[k], numbers[k] = keep;
  }
}

static inline void write_face(Sketch *to, Random *random, Rewrite how, const Sketch *from,
                              const int *corners, int count, const int *renamed)
{
  int face[64];
  const bool turn = how.all_inside_out != (random_between(random, 0, 1) < how.flip);
  const int begin = how.shuffle ? random_below(random, count) : 0;
  for (int k = 0; k < count; k++) {
    const int c = corners[(begin + (turn ? count - k : k)) % count];
    face[k] = renamed ? renamed[c] : c;
    if (!how.explode) continue;
    const vec3 p = vec3_axpy(how.jitter, random_in_cube(random, 1), from->points[c]);
    face[k] = sketch_point(to, p.x, p.y, p.z);
  }
  sketch_face(to, face, count);
}

static inline Sketch *rewrite(const Sketch *from, Rewrite how, Random *random, Arena *arena)
{
  Sketch *to = sketch_new(arena);
  int renamed[SOUP_POINTS], order[SOUP_FACES];
  const int points = from->soup.point_count, faces = from->soup.face_count;
  for (int i = 0; i < points; i++) renamed[i] = i;
  for (int f = 0; f < faces; f++) order[f] = f;
  if (how.shuffle) shuffle_ints(random, renamed, points), shuffle_ints(random, order, faces);
  if (!how.explode) {
    to->soup.point_count = points;
    for (int i = 0; i < points; i++) to->points[renamed[i]] = from->points[i];
  }
  for (int i = 0; i < faces + how.repeat; i++) {
    const int f = i < faces ? order[i] : random_below(random, faces);
    const int *corners = from->corners + from->start[f],
              count = from->start[f + 1] - from->start[f];
    if (!how.triangulate) {
      write_face(to, random, how, from, corners, count, renamed);
      continue;
    }
    for (int k = 1; k + 1 < count; k++) {
      const int triangle[3] = {corners[0], corners[k], corners[k + 1]};
      write_face(to, random, how, from, triangle, 3, renamed);
    }
  }
  return to;
}

// -- exact measures

typedef struct {
  double volume;
  vec3 centroid;
  mat3 inertia;
} ExactMeasures;

// Exact integer sums over all faces of a sketch, outward and flat or triangles, with coordinates
// that are multiples of 1/1024 below 8: 6 V = sum d, 24 V c = sum d s, and 120 times the second
// moments = sum d (a a' + b b' + c c' + s s') with d = det(a, b, c), s = a + b + c.
static inline ExactMeasures sketch_measures(const Sketch *s)
{
  __extension__ typedef __int128 Integer;
  Integer volume = 0, first[3] = {0}, second[3][3] = {{0}};
  for (int f = 0; f < s->soup.face_count; f++) {
    for (int i = s->start[f] + 1; i + 1 < s->start[f + 1]; i++) {
      const int v[3] = {s->corners[s->start[f]], s->corners[i], s->corners[i + 1]};
      Integer p[4][3];
      for (int k = 0; k < 3; k++) {
        const vec3 q = vec3_scale(1024, s->points[v[k]]);
        p[k][0] = (Integer)q.x, p[k][1] = (Integer)q.y, p[k][2] = (Integer)q.z;
        assert((double)p[k][0] == q.x && (double)p[k][1] == q.y && (double)p[k][2] == q.z);
      }
      for (int k = 0; k < 3; k++) p[3][k] = p[0][k] + p[1][k] + p[2][k];
      const Integer d = p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
                        p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
                        p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
      volume += d;
      for (int k = 0; k < 3; k++) {
        first[k] += d * p[3][k];
        for (int l = 0; l < 3; l++) {
          for (int j = 0; j < 4; j++) second[k][l] += d * p[j][k] * p[j][l];
        }
      }
    }
  }
  // about the centroid, in wide floating point, whose 64 bits are
  // beyond what is compared
  ExactMeasures m;
  long double unit = 1.0L / 1024, v = (long double)volume / 6, c[3], about[3][3];
  for (int k = 0; k < 3; k++) c[k] = (long double)first[k] / (4 * (long double)volume);
  for (int k = 0; k < 3; k++) {
    for (int l = 0; l < 3; l++) about[k][l] = (long double)second[k][l] / 120 - v * c[k] * c[l];
  }
  const long double fifth = unit * unit * unit * unit * unit;
  m.volume = (double)(v * unit * unit * unit);
  m.centroid = (vec3){(double)(c[0] * unit), (double)(c[1] * unit), (double)(c[2] * unit)};
  for (int k = 0; k < 3; k++) {
    double *row = &m.inertia.row[k].x;
    for (int l = 0; l < 3; l++) row[l] = (double)(-about[k][l] * fifth);
    row[k] = (double)((about[(k + 1) % 3][(k + 1) % 3] + about[(k + 2) % 3][(k + 2) % 3]) * fifth);
  }
  return m;
}
