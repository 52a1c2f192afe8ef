#pragma once
// Damage to the geometry of meshes: what scanners, converters and careless hands do to them.
#include "mesh_soups.h"

#define DAMAGE_KINDS 18

// -1 to 1 times 10 to a power between the given ones, equally spread over the powers.
static inline double random_size(Random *random, double low, double high)
{
  return pow(10, random_between(random, low, high)) * (random_below(random, 2) ? 1 : -1);
}

static inline bool sketch_has_room(const Sketch *s)
{
  return s->soup.face_count + 400 < SOUP_FACES && s->soup.point_count + 1300 < SOUP_POINTS &&
         s->start[s->soup.face_count] + 2000 < SOUP_CORNERS;
}

// The corners of a face that goes, in its place the last one.
static inline int take_face(Sketch *s, int face, int corners[64])
{
  const int count = s->start[face + 1] - s->start[face];
  memcpy(corners, s->corners + s->start[face], (size_t)count * sizeof(int));
  const int end = s->start[s->soup.face_count];
  memmove(s->corners + s->start[face], s->corners + s->start[face + 1],
          (size_t)(end - s->start[face + 1]) * sizeof(int));
  s->soup.face_count--;
  for (int f = face; f < s->soup.face_count; f++) {
    s->start[f + 1] = s->start[f + 2] - count;
    s->mesh_block[f] = s->mesh_block[f + 1];
  }
  return count;
}

static inline void add_face_to(Sketch *s, const int *corners, int count, int mesh_block)
{
  sketch_face(s, corners, count);
  s->mesh_block[s->soup.face_count - 1] = mesh_block;
}

static inline double snap_to(double x, double cell) { return floor(x / cell + 0.5) * cell; }

static inline vec3 round_point(vec3 p, int digits)
{
  char text[100];
  if (digits == 0) return (vec3){(float)p.x, (float)p.y, (float)p.z};
  snprintf(text, sizeof text, "%.*g %.*g %.*g", digits, p.x, digits, p.y, digits, p.z);
  char *end = text;
  p.x = strtod(end, &end);
  p.y = strtod(end, &end);
  p.z = strtod(end, &end);
  return p;
}

// Around a new point in a face, which lies in its plane or beside it.
static inline void split_face(Sketch *s, int face, double rise)
{
  int corners[64];
  const int mesh_block = s->mesh_block[face], count = take_face(s, face, corners);
  vec3 sum = {0, 0, 0};
  for (int k = 0; k < count; k++) sum = vec3_axpy(1.0 / count, s->points[corners[k]], sum);
  const int middle = sketch_point(s, sum.x, sum.y, sum.z + rise);
  for (int k = 0; k < count; k++) {
    const int triangle[3] = {corners[k], corners[(k + 1) % count], middle};
    add_face_to(s, triangle, 3, mesh_block);
  }
}

// A new corner on the side from a to b of all faces that have it, or of one alone.
static inline void split_side(Sketch *s, int face, Random *random, bool everywhere)
{
  const int k = random_below(random, s->start[face + 1] - s->start[face]);
  const int next = s->start[face] + k + 1 < s->start[face + 1] ? k + 1 : 0;
  const int a = s->corners[s->start[face] + k], b = s->corners[s->start[face] + next];
  const double share = random_between(random, 0.01, 0.99);
  const vec3 p = vec3_axpy(share, vec3_sub(s->points[b], s->points[a]), s->points[a]);
  const int middle = sketch_point(s, p.x, p.y, p.z);
  for (int f = s->soup.face_count - 1; f >= 0; f--) {
    if (!everywhere && f != face) continue;
    bool found = false;
    const int count = s->start[f + 1] - s->start[f];
    for (int i = s->start[f]; i < s->start[f + 1]; i++) {
      const int j = i + 1 < s->start[f + 1] ? i + 1 : s->start[f];
      found = found || (s->corners[i] == a && s->corners[j] == b) ||
              (s->corners[i] == b && s->corners[j] == a);
    }
    if (!found || count > 60) continue;
    int corners[64], longer[64], length = 0;
    const int mesh_block = s->mesh_block[f];
    (void)take_face(s, f, corners);
    for (int i = 0; i < count; i++) {
      const int j = (i + 1) % count;
      longer[length++] = corners[i];
      if ((corners[i] == a && corners[j] == b) || (corners[i] == b && corners[j] == a)) {
        longer[length++] = middle;
        if (length > 62) break;
      }
    }
    add_face_to(s, longer, length, mesh_block);
  }
}

static inline double sketch_extent(const Sketch *s)
{
  double extent = 0;
  for (int i = 0; i < s->soup.point_count; i++) {
    const vec3 d = vec3_sub(s->points[i], s->points[0]);
    extent = fmax(extent, fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z))));
  }
  return extent;
}

// A further solid at a place of a grid: it touches, overlaps, or is apart.
static inline void add_neighbour(Sketch *s, Random *random)
{
  const int first = s->soup.point_count;
  const double size = random_below(random, 2) ? 1 : random_size(random, -3, 0.5);
  if (random_below(random, 2)) sketch_block(s, "neighbour");
  sketch_solid(s, random_below(random, SKETCH_KINDS));
  const vec3 to = {random_below(random, 9) / 2.0 - 2, random_below(random, 9) / 2.0 - 2,
                   random_below(random, 5) / 2.0 - 1};
  for (int i = first; i < s->soup.point_count; i++) {
    s->points[i] = vec3_axpy(size, s->points[i], to);
  }
}

static inline void damage_points(Sketch *s, int kind, Random *random)
{
  const double extent = sketch_extent(s);
  const int any = random_below(random, s->soup.point_count);
  const double size = extent * random_size(random, -13, -0.3);
  const double cell = extent * pow(2, -random_between(random, 1, 30));
  vec3 squash = {1, 1, 1};
  if (kind == 6) (&squash.x)[random_below(random, 3)] = random_size(random, -11, 1);
  for (int i = 0; i < s->soup.point_count; i++) {
    vec3 *p = &s->points[i];
    switch (kind) {
    case 0: *p = i == any ? vec3_axpy(size, random_direction(random), *p) : *p; break;
    case 1: *p = vec3_axpy(size, random_in_cube(random, 1), *p); break;
    case 2: *p = (vec3){snap_to(p->x, cell), snap_to(p->y, cell), snap_to(p->z, cell)}; break;
    case 3: *p = round_point(*p, 0); break;
    case 4: *p = round_point(*p, 6); break;
    case 5: *p = i == any ? s->points[random_below(random, s->soup.point_count)] : *p; break;
    default: *p = (vec3){squash.x * p->x, squash.y * p->y, squash.z * p->z};
    }
  }
}

// A corner almost or quite on the side of another face.
static inline void make_sliver(Sketch *s, int face, Random *random)
{
  const int *c = s->corners + s->start[face];
  const vec3 a = s->points[c[0]], b = s->points[c[1]];
  const vec3 on = vec3_axpy(random_between(random, 0, 1), vec3_sub(b, a), a);
  const double size = random_below(random, 3) ? sketch_extent(s) * random_size(random, -13, -3) : 0;
  s->points[c[2]] = vec3_axpy(size, random_direction(random), on);
}

// One fault, of points, faces or bodies.
static inline void sketch_damage(Sketch *s, Random *random)
{
  const int kind = random_below(random, DAMAGE_KINDS);
  if (s->soup.face_count < 2 || !sketch_has_room(s)) return;
  const int face = random_below(random, s->soup.face_count);
  const int count = s->start[face + 1] - s->start[face], mesh_block = s->mesh_block[face];
  int corners[64];
  if (kind < 7) {
    damage_points(s, kind, random);
    return;
  }
  switch (kind) {
  case 7:
    memcpy(corners, s->corners + s->start[face], (size_t)count * sizeof(int));
    add_face_to(s, corners, count, mesh_block);
    break;
  case 8: (void)take_face(s, face, corners); break;
  case 9:
    for (int i = 0; i < count / 2; i++) {
      int *c = s->corners + s->start[face], *d = c + count - 1 - i;
      const int keep = c[i];
      c[i] = *d, *d = keep;
    }
    break;
  case 10: split_face(s, face, 0); break;
  case 11: split_face(s, face, sketch_extent(s) * random_size(random, -13, -1)); break;
  case 12: split_side(s, face, random, true); break;
  case 13: split_side(s, face, random, false); break;
  case 14: add_neighbour(s, random); break;
  case 15: make_sliver(s, face, random); break;
  case 16:   // another corner: another point of the mesh
    s->corners[s->start[face] + random_below(random, count)] =
        random_below(random, s->soup.point_count);
    break;
  default:
    if (random_below(random, 10) == 0) {
      static const double odd[] = {INFINITY, -INFINITY, NAN, 1e308, -1e308, 1e-308, 1e9, -0.0};
      (&s->points[random_below(random, s->soup.point_count)].x)[random_below(random, 3)] =
          odd[random_below(random, 8)];
    } else {   // all faces in small coplanar ones
      for (int f = s->soup.face_count - 1; f >= 0 && f < 60; f--) split_face(s, f, 0);
    }
  }
}
