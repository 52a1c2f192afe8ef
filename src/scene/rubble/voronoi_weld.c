// Gives Voronoi cells their common corners.
#include "voronoi_weld.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "order.h"

// Corners nearer to each other than this are one, relative to the mean cell along its shortest
// side: far above the rounding of cuts, far below what hulls merge.
#define WELD_DISTANCE 1e-11

typedef struct {
  double height;   // along a direction that no wall follows
  int corner;
} SortedCorner;

void voronoi_draft_corner(VoronoiDraft *draft, vec3 corner)
{
  draft->corners = arena_grow(draft->arena, draft->corners, (int64_t)draft->corner_count + 1,
                              &draft->capacity, sizeof *draft->corners);
  draft->corners[draft->corner_count++] = corner;
}

static int order_sorted(const void *p, const void *q)
{
  const SortedCorner *a = p, *b = q;
  return a->height != b->height ? order_f64(a->height, b->height) : order_int(a->corner, b->corner);
}

static double weld_distance(const VoronoiSpace *space)
{
  const vec3 s = space->stretch, h = space->high;
  const double shortest = smaller_of(h.x, smaller_of(h.y, h.z));
  const double longest = larger_of(s.x, larger_of(s.y, s.z));
  // cubes of equal volume in stretched space, without a cube root: the side is at least this
  const double volume = s.x * h.x * s.y * h.y * s.z * h.z / space->count;
  const double largest = larger_of(s.x * h.x, larger_of(s.y * h.y, s.z * h.z));
  const double side = sqrt(volume / largest);
  return WELD_DISTANCE * smaller_of(shortest, side / longest);
}

// For each corner the first one in its place, in the order along the direction.
static int *find_representatives(const VoronoiSpace *space, const VoronoiDraft *draft,
                                 Arena *scratch)
{
  assert(draft->corner_count > 0 && "cells have corners");
  const int count = draft->corner_count;
  const vec3 along = {0.5773, 0.6180, 0.5329};
  const double distance = weld_distance(space);
  SortedCorner *sorted = arena_allocate(scratch, (size_t)count * sizeof *sorted);
  for (int i = 0; i < count; i++) sorted[i] = (SortedCorner){vec3_dot(along, draft->corners[i]), i};
  qsort(sorted, (size_t)count, sizeof *sorted, order_sorted);
  int *first = arena_allocate(scratch, (size_t)count * sizeof *first);
  for (int i = 0; i < count; i++) {
    const int corner = sorted[i].corner;
    first[corner] = corner;
    for (int j = i - 1; j >= 0 && sorted[i].height - sorted[j].height <= distance; j--) {
      const int other = sorted[j].corner;
      if (vec3_norm(vec3_sub(draft->corners[corner], draft->corners[other])) > distance) continue;
      first[corner] = first[other];
      break;
    }
  }
  return first;
}

// Writes a face with common corners; false when it has vanished.
static bool weld_face(const VoronoiFace *old, const int *numbers, int *corners, VoronoiFace *face)
{
  int count = 0;
  for (int k = 0; k < old->corner_count; k++) {
    const int corner = numbers[old->corners[k]];
    if (count == 0 || corner != corners[count - 1]) corners[count++] = corner;
  }
  while (count > 1 && corners[count - 1] == corners[0]) count--;
  *face = (VoronoiFace){old->neighbour, count, corners};
  return count >= 3;
}

void voronoi_weld(const VoronoiSpace *space, const VoronoiDraft *draft, const VoronoiCell *drafted,
                  Arena *arena, VoronoiCells *cells)
{
  Arena scratch = arena_new();
  const int *first = find_representatives(space, draft, &scratch);
  vec3 *corners = arena_allocate(arena, (size_t)draft->corner_count * sizeof *corners);
  int *numbers = arena_allocate(&scratch, (size_t)draft->corner_count * sizeof *numbers);
  int kept = 0;
  for (int i = 0; i < draft->corner_count; i++)
    if (first[i] == i) {
      corners[kept] = draft->corners[i];
      numbers[i] = kept++;
    }
  for (int i = 0; i < draft->corner_count; i++) numbers[i] = numbers[first[i]];

  VoronoiCell *welded = arena_allocate(arena, (size_t)space->count * sizeof *welded);
  for (int i = 0; i < space->count; i++) {
    VoronoiFace *faces = arena_allocate(arena, (size_t)drafted[i].face_count * sizeof *faces);
    int count = 0, sides = 0;
    for (int f = 0; f < drafted[i].face_count; f++) sides += drafted[i].faces[f].corner_count;
    int *loop = arena_allocate(arena, (size_t)sides * sizeof *loop);
    for (int f = 0; f < drafted[i].face_count; f++) {
      const VoronoiFace *old = &drafted[i].faces[f];
      if (weld_face(old, numbers, loop, &faces[count])) count++;
      loop += old->corner_count;
    }
    welded[i] = (VoronoiCell){count, faces};
  }
  *cells = (VoronoiCells){kept, corners, space->count, welded};
  arena_destroy(&scratch);
}
