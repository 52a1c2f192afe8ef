// Makes points at the same place one.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "mesh_weld.h"

#include "check.h"

// Vertices in cells of four tolerances, hashed by cell and pool.
typedef struct {
  const WeldInput *input;
  const int *first;
  int *head;   // [mask + 1] of chains of vertices
  int *next;   // [vertices]
  size_t mask;
} WeldCells;

static uint64_t mix(uint64_t hash, double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  hash = (hash ^ bits) * 0x9e3779b97f4a7c15U;
  return hash ^ (hash >> 29);
}

static size_t cell_slot(const WeldCells *c, vec3 cell, int pool)
{
  return (size_t)mix(mix(mix((uint64_t)pool, cell.x), cell.y), cell.z) & c->mask;
}

// Number of the cell that holds a coordinate, as a double: beyond 2^53 cells are as wide as the
// spacing of doubles. Adding zero turns -0 into 0.
static double cell_of(double x, double tolerance)
{
  return floor(tolerance > 0 ? x / (4 * tolerance) : x) + 0.0;
}

static bool is_near(vec3 a, vec3 b, double tolerance)
{
  return fabs(a.x - b.x) <= tolerance && fabs(a.y - b.y) <= tolerance &&
         fabs(a.z - b.z) <= tolerance;
}

// The earliest vertex near a point; -1: none. It lies in the cell of one of the eight corners of
// the box about the point.
static int find_vertex(const WeldCells *c, int point)
{
  assert_debug(point >= 0 && point < c->input->count && "a point has a number");
  assert_debug(c->input->tolerance[point] >= 0 && "points are one within a distance");
  const vec3 p = c->input->points[point];
  const int pool = c->input->pool[point];
  const double t = c->input->tolerance[point];
  const double x[2] = {cell_of(p.x - t, t), cell_of(p.x + t, t)};
  const double y[2] = {cell_of(p.y - t, t), cell_of(p.y + t, t)};
  const double z[2] = {cell_of(p.z - t, t), cell_of(p.z + t, t)};
  int found = -1;
  for (int i = 0; i < 8; i++) {
    if ((i & 1 && x[0] == x[1]) || (i & 2 && y[0] == y[1]) || (i & 4 && z[0] == z[1])) continue;
    const vec3 cell = {x[i & 1], y[i >> 1 & 1], z[i >> 2 & 1]};
    for (int v = c->head[cell_slot(c, cell, pool)]; v >= 0; v = c->next[v]) {
      const int other = c->first[v];
      if (c->input->pool[other] != pool || !is_near(p, c->input->points[other], t)) continue;
      if (found < 0 || v < found) found = v;
    }
  }
  return found;
}

int mesh_weld_points(const WeldInput *input, int *number, int *first, Arena *scratch)
{
  assert(input->count >= 0 && (input->points != NULL || input->count == 0) && "points are given");
  assert((number != first || input->count == 0) &&
         "numbers and first points have places of their own");
  WeldCells c = {.input = input, .first = first, .mask = 1};
  while (c.mask < (size_t)input->count) c.mask = 2 * c.mask + 1;
  c.head = arena_allocate(scratch, (c.mask + 1) * sizeof(int));
  c.next = arena_allocate(scratch, (size_t)input->count * sizeof(int));
  memset(c.head, 0xff, (c.mask + 1) * sizeof(int));
  int count = 0;
  for (int i = 0; i < input->count; i++) {
    const int known = find_vertex(&c, i);
    number[i] = known >= 0 ? known : count;
    if (known >= 0) continue;
    const vec3 p = input->points[i];
    const double t = input->tolerance[i];
    const vec3 cell = {cell_of(p.x, t), cell_of(p.y, t), cell_of(p.z, t)};
    const size_t slot = cell_slot(&c, cell, input->pool[i]);
    first[count] = i;
    c.next[count] = c.head[slot];
    c.head[slot] = count++;
  }
  assert(count <= input->count && "every vertex is a point");
  return count;
}
