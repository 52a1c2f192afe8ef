// Prints Voronoi cells of seeds of rubble walls and of seeds at random, for voronoi_peer.cpp: the
// box, stretched, and the number of cells; then of each its seed, its volume, and neighbour and
// area of every face.
#include <stdio.h>

#include "polyhedron.h"
#include "random.h"
#include "rubble.h"
#include "voronoi.h"

static vec3 stretched(const VoronoiSpace *space, vec3 x)
{
  return (vec3){space->stretch.x * x.x, space->stretch.y * x.y, space->stretch.z * x.z};
}

static void print_face(const VoronoiSpace *space, const VoronoiCells *cells,
                       const VoronoiFace *face, Arena *arena)
{
  vec3 *corners = arena_allocate(arena, (size_t)face->corner_count * sizeof *corners);
  for (int k = 0; k < face->corner_count; k++)
    corners[k] = stretched(space, cells->corners[face->corners[k]]);
  printf(" %d %.17g", face->neighbour,
         vec3_norm(polyhedron_area_vector(corners, face->corner_count)));
}

static int print_cells(const VoronoiSpace *space, Arena *arena)
{
  VoronoiCells cells;
  if (!voronoi_cells(space, arena, &cells)) return 1;
  const vec3 high = stretched(space, space->high);
  printf("%.17g %.17g %.17g %d\n", high.x, high.y, high.z, space->count);
  for (int i = 0; i < space->count; i++) {
    const vec3 seed = stretched(space, space->seeds[i]), s = space->stretch;
    vec3 centroid;
    const double volume = s.x * s.y * s.z * voronoi_measure(&cells, i, &centroid);
    printf("%.17g %.17g %.17g %.17g %d", seed.x, seed.y, seed.z, volume, cells.cells[i].face_count);
    for (int f = 0; f < cells.cells[i].face_count; f++)
      print_face(space, &cells, &cells.cells[i].faces[f], arena);
    printf("\n");
  }
  return 0;
}

int main(void)
{
  Arena arena = arena_new();
  int failures = 0;
  for (int w = 0; w < 6; w++) {
    const Rubble rubble = {.size = {3, 0.5 + w, 2},
                           .stones = 200 * (w + 1),
                           .flatness = 0.5 + 0.5 * w,
                           .jitter = 0.25 * (w % 4) + 0.25};
    failures += print_cells(&(VoronoiSpace){.high = rubble.size,
                                            .stretch = {1, 1, rubble.flatness},
                                            .count = rubble.stones,
                                            .seeds = rubble_seeds(&rubble, (uint64_t)w, &arena)},
                            &arena);
  }
  // seeds at random, few and many, which lie as near to each other as they happen to
  for (uint64_t w = 0; w < 200; w++) {
    const int count = w < 190 ? (int)w / 4 + 1 : 2000;
    vec3 *seeds = arena_allocate(&arena, (size_t)count * sizeof *seeds);
    for (int i = 0; i < count; i++)
      seeds[i] =
          (vec3){2 * random_uniform(w, 3 * (uint64_t)i), random_uniform(w, 3 * (uint64_t)i + 1),
                 0.3 * random_uniform(w, 3 * (uint64_t)i + 2)};
    failures += print_cells(
        &(VoronoiSpace){.high = {2, 1, 0.3}, .stretch = {1, 2, 3}, .count = count, .seeds = seeds},
        &arena);
  }
  arena_destroy(&arena);
  return failures > 0;
}
