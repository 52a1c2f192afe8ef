#pragma once
// Systems of bodies joined by points, as contacts join them: walls, columns and what a test adds;
// every rank makes the whole and takes the rows it owns.
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "block_matrix.h"
#include "hash.h"
#include "parallel.h"

typedef struct {
  int low, high;   // bodies, low < high; high -1: fixed ground
  vec3 point;
  double stiffness;   // of the three directions, kg
} SystemPoint;

typedef struct {
  int bodies, points, room;
  vec3 *place, *inertia;
  double *mass;
  SystemPoint *point;
} System;

static inline double system_random(uint64_t a, uint64_t b)
{
  return (double)(hash_mix(a, b) >> 11) * 0x1p-53;
}

static inline uint64_t system_key(int body) { return 5 + 3 * (uint64_t)body; }

static inline System system_new(int bodies, int room, Arena *arena)
{
  const size_t n = (size_t)bodies + 1;
  System s = {.bodies = bodies, .room = room};
  s.place = (vec3 *)arena_allocate_zero(arena, n, sizeof(vec3));
  s.inertia = (vec3 *)arena_allocate_zero(arena, n, sizeof(vec3));
  s.mass = (double *)arena_allocate_zero(arena, n, sizeof(double));
  s.point = (SystemPoint *)arena_allocate(arena, ((size_t)room + 1) * sizeof(SystemPoint));
  return s;
}

static inline void system_body(System *s, int body, vec3 place, vec3 size, double density)
{
  const double m = density * size.x * size.y * size.z;
  s->place[body] = place;
  s->mass[body] = m;
  s->inertia[body] = (vec3){m * (size.y * size.y + size.z * size.z) / 12,
                            m * (size.x * size.x + size.z * size.z) / 12,
                            m * (size.x * size.x + size.y * size.y) / 12};
}

// four corners of a rectangle at height z join two bodies
static inline void system_joint(System *s, int p, int q, double x0, double x1, double y0, double y1,
                                double z, double sigma)
{
  const double m = q < 0 ? s->mass[p] : s->mass[p] * s->mass[q] / (s->mass[p] + s->mass[q]);
  const int low = q >= 0 && q < p ? q : p, high = q >= 0 && q < p ? p : q;
  for (int c = 0; c < 4; c++)
    s->point[s->points++] =
        (SystemPoint){low, high, {c & 1 ? x1 : x0, c & 2 ? y1 : y0, z}, 0.25 * sigma * m};
}

// A bonded wall of bricks of 2 x 1 x 1 times size: nx by ny in each of nz courses; grounded: the
// first course stands on fixed ground.
static inline System system_wall(int nx, int ny, int nz, double size, double sigma, bool grounded,
                                 Arena *arena)
{
  System s = system_new(nx * ny * nz, 16 * nx * ny * nz + 4 * nx * ny, arena);
  for (int z = 0; z < nz; z++)
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++) {
        const int b = (z * ny + y) * nx + x;
        const double px = size * (2 * x + z % 2), py = size * (y + (ny > 1 ? 0.5 * (z % 2) : 0));
        system_body(&s, b, (vec3){px, py, size * z}, (vec3){2 * size, size, size}, 2700);
        if (z == 0 && grounded)
          system_joint(&s, b, -1, px - size, px + size, py - 0.5 * size, py + 0.5 * size,
                       -0.5 * size, sigma);
        // bricks of the course below that this one covers partly
        for (int oy = -1; z > 0 && oy < 2; oy++)
          for (int ox = -1; ox < 2; ox++) {
            const int ax = x + ox, ay = y + oy;
            if (ax < 0 || ay < 0 || ax >= nx || ay >= ny) continue;
            const int below = ((z - 1) * ny + ay) * nx + ax;
            const vec3 q = s.place[below];
            const double x0 = fmax(px, q.x) - size, x1 = fmin(px, q.x) + size;
            const double y0 = fmax(py, q.y) - 0.5 * size, y1 = fmin(py, q.y) + 0.5 * size;
            if (x1 - x0 > 0.1 * size && y1 - y0 > 0.1 * size)
              system_joint(&s, b, below, x0, x1, y0, y1, size * (z - 0.5), sigma);
          }
      }
  return s;
}

// block(p, q) += stiffness H_p' H_q, by rows; H = sign [1, -[d]x]
static inline void system_add_point(double *block, vec3 dp, vec3 dq, double factor)
{
  const double hp[3][6] = {
      {1, 0, 0, 0, dp.z, -dp.y}, {0, 1, 0, -dp.z, 0, dp.x}, {0, 0, 1, dp.y, -dp.x, 0}};
  const double hq[3][6] = {
      {1, 0, 0, 0, dq.z, -dq.y}, {0, 1, 0, -dq.z, 0, dq.x}, {0, 0, 1, dq.y, -dq.x, 0}};
  for (int r = 0; r < BLOCK; r++)
    for (int c = 0; c < BLOCK; c++)
      for (int k = 0; k < 3; k++) block[BLOCK * r + c] += factor * hp[k][r] * hq[k][c];
}

typedef struct {
  int row, column, point;   // bodies; column of the point, or the row itself
} SystemTouch;

static inline int system_compare(const void *a, const void *b)
{
  const SystemTouch *p = (const SystemTouch *)a, *q = (const SystemTouch *)b;
  if (p->row != q->row) return p->row - q->row;
  if (p->column != q->column) return p->column - q->column;
  return p->point - q->point;
}

// Collective. The rows of the bodies that owner (of body) gives this rank.
static inline BlockMatrix system_assemble(const System *s, const int *owner, BlockSpace *space,
                                          Arena *arena)
{
  // what touches own bodies
  const int me = par_rank();
  SystemTouch *touches = (SystemTouch *)arena_allocate(
      arena, ((size_t)s->bodies + 2 * (size_t)s->points + 1) * sizeof *touches);
  int *row_of_body = (int *)arena_allocate(arena, ((size_t)s->bodies + 1) * sizeof(int));
  unsigned char *seen = (unsigned char *)arena_allocate_zero(arena, (size_t)s->bodies + 1, 1);
  int count = 0, own = 0;
  for (int b = 0; b < s->bodies; b++) {
    if (owner[b] != me) continue;
    touches[count++] = (SystemTouch){b, b, -1};
    row_of_body[b] = own++;
  }
  for (int p = 0; p < s->points; p++) {
    const SystemPoint t = s->point[p];
    if (owner[t.low] == me && t.high >= 0) touches[count++] = (SystemTouch){t.low, t.high, p};
    if (t.high >= 0 && owner[t.high] == me) touches[count++] = (SystemTouch){t.high, t.low, p};
    if (t.high >= 0) {
      if (owner[t.low] == me) seen[t.high] = 1;
      if (owner[t.high] == me) seen[t.low] = 1;
    }
  }
  qsort(touches, (size_t)count, sizeof *touches, system_compare);

  // the space
  int total = own;
  for (int b = 0; b < s->bodies; b++)
    if (seen[b] && owner[b] != me) row_of_body[b] = total++;
  uint64_t *key = (uint64_t *)arena_allocate(arena, ((size_t)total + 1) * sizeof *key);
  vec3 *place = (vec3 *)arena_allocate(arena, ((size_t)total + 1) * sizeof *place);
  int *rank = (int *)arena_allocate(arena, ((size_t)(total - own) + 1) * sizeof *rank);
  for (int b = 0; b < s->bodies; b++) {
    if (owner[b] != me && !seen[b]) continue;
    key[row_of_body[b]] = system_key(b);
    place[row_of_body[b]] = s->place[b];
    if (owner[b] != me) rank[row_of_body[b] - own] = owner[b];
  }
  HaloRequest *requests =
      (HaloRequest *)arena_allocate(arena, ((size_t)count + 1) * sizeof *requests);
  int request_count = 0;
  for (int i = 0; i < count; i++) {
    const int r = owner[touches[i].column];
    bool known = r == me;
    for (int k = request_count - 1; k >= 0 && requests[k].row == row_of_body[touches[i].row]; k--)
      known |= requests[k].rank == r;
    if (!known)
      requests[request_count++] =
          (HaloRequest){r, 0, row_of_body[touches[i].row], system_key(touches[i].row)};
  }
  *space = (BlockSpace){own, total, key, rank, place, {0, NULL, NULL, NULL, NULL, NULL}};
  const HaloRequests asked = {1, request_count, requests};
  const HaloIds rows = {own, total, key};
  halo_plans_of_requests(asked, rows, &space->plan, arena);

  // the matrix
  int *start = (int *)arena_allocate_zero(arena, (size_t)own + 1, sizeof *start);
  int *column = (int *)arena_allocate(arena, ((size_t)count + 1) * sizeof *column);
  double *value = (double *)arena_allocate_zero(arena, (size_t)count + 1, 36 * sizeof *value);
  int blocks = 0;
  for (int i = 0; i < count; i++) {
    const SystemTouch t = touches[i];
    if (i == 0 || touches[i - 1].row != t.row || touches[i - 1].column != t.column) {
      column[blocks++] = row_of_body[t.column];
      start[row_of_body[t.row] + 1] = blocks;
    }
    double *block = value + 36 * (size_t)(blocks - 1);
    if (t.point >= 0) {
      const SystemPoint p = s->point[t.point];
      system_add_point(block, vec3_sub(p.point, s->place[t.row]),
                       vec3_sub(p.point, s->place[t.column]), -p.stiffness);
    }
  }
  // diagonals: mass and all points of a body
  int *diagonal = (int *)arena_allocate(arena, ((size_t)own + 1) * sizeof *diagonal);
  for (int i = 0; i < own; i++)
    for (int e = start[i]; e < start[i + 1]; e++)
      if (column[e] == i) diagonal[i] = e;
  for (int b = 0; b < s->bodies; b++) {
    if (owner[b] != me) continue;
    double *block = value + 36 * (size_t)diagonal[row_of_body[b]];
    const double mass[6] = {s->mass[b],      s->mass[b],      s->mass[b],
                            s->inertia[b].x, s->inertia[b].y, s->inertia[b].z};
    for (int c = 0; c < 6; c++) block[7 * c] += mass[c];
  }
  for (int p = 0; p < s->points; p++)
    for (int side = 0; side < 2; side++) {
      const SystemPoint t = s->point[p];
      const int b = side ? t.high : t.low;
      if (b < 0 || owner[b] != me) continue;
      const vec3 d = vec3_sub(t.point, s->place[b]);
      system_add_point(value + 36 * (size_t)diagonal[row_of_body[b]], d, d, t.stiffness);
    }
  return (BlockMatrix){.start = start, .column = column, .value = value};
}
