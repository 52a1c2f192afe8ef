// Time of the intersection of two convex solids, per pair, by kind of pair. Every pair is another
// one, so that branches cannot be learnt: bench_intersection [PAIRS [REPEATS [ROW [COLUMN]]]].
#include "intersection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../unit/random_solids.h"
#include "separation.h"

#define BATCH 64   // pairs that are placed, then timed together, as a caller's cache holds them
#define BASE_SOLIDS 64   // shapes that are placed
#define MARGIN 1e-3

typedef enum {
  ROW_RANDOM_BOXES,
  ROW_DEEP_BOXES,
  ROW_RESTING_BOXES,
  ROW_TURNED_RESTING,
  ROW_TETRAHEDRA,
  ROW_HULL_20,
  ROW_HULL_50,
  ROW_SEPARATED,
  ROW_COUNT
} Row;

static const char *row_name(Row row)
{
  static const char *const names[ROW_COUNT] = {"random boxes",   "deep boxes", "resting boxes",
                                               "turned resting", "tetrahedra", "hull 20",
                                               "hull 50",        "separated"};
  return names[row];
}

typedef enum {
  KERNEL_CLIP,
  KERNEL_LABELS,
  KERNEL_CLIP_MARGIN,
  KERNEL_LABELS_MARGIN,
  KERNEL_ANY,
  KERNEL_HINT,
  KERNEL_COUNT
} Kernel;

typedef struct {
  int solid[2];
  mat3 rotation[2];
  vec3 translation[2];
  SeparatingFace hint;
} Pair;

typedef struct {
  Row row;
  Polyhedron solids[BASE_SOLIDS];
  Pair *pairs;
  int count;
  int64_t faces;   // of all intersections
} Load;

// CPU time of this process, so that others on the machine count less.
static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static Polyhedron base_solid(Random *random, Row row, Arena *arena)
{
  const vec3 half = {random_between(random, 0.4, 0.6), random_between(random, 0.4, 0.6), 0.5};
  switch (row) {
  case ROW_TETRAHEDRA: return solid_tetrahedron(random, arena);
  case ROW_HULL_20: return solid_ball(random, 20, (vec3){1, 1, 1}, arena);
  case ROW_HULL_50: return solid_ball(random, 50, (vec3){1, 1, 1}, arena);
  case ROW_RESTING_BOXES:
  case ROW_TURNED_RESTING: return solid_box((vec3){-0.5, -0.5, -0.5}, (vec3){0.5, 0.5, 0.5}, arena);
  default: return solid_box(vec3_neg(half), half, arena);
  }
}

static Polyhedron place(const Load *load, const Pair *pair, int side, Arena *arena)
{
  return polyhedron_place(&load->solids[pair->solid[side]], pair->rotation[side],
                          pair->translation[side], arena);
}

// The pose of a pair of the row; the first solid is near the origin.
static void pose_pair(Random *random, Row row, Pair *pair)
{
  const mat3 unturned = mat3_diagonal(1, 1, 1);
  for (int side = 0; side < 2; side++) {
    pair->solid[side] = random_below(random, BASE_SOLIDS);
    pair->rotation[side] = random_rotation(random);
    pair->translation[side] = vec3_new(0, 0, 0);
  }
  pair->hint = SEPARATING_FACE_NONE;
  pair->translation[1] = random_in_cube(random, 1.2);
  if (row != ROW_RESTING_BOXES && row != ROW_TURNED_RESTING) return;

  // one cube on another, coplanar sides along one axis where it is not turned about the vertical
  const double turn = row == ROW_TURNED_RESTING ? random_between(random, 0, 0.5) : 0;
  const mat3 spin = quat_to_mat3(quat_normalize((quat){1, 0, 0, turn}));
  const vec3 shift = {random_between(random, -0.9, 0.9), 0, 1 - 1e-6};
  const mat3 scene = random_below(random, 2) ? random_rotation(random) : unturned;
  pair->rotation[0] = scene;
  pair->rotation[1] = mat3_mul_mat(scene, spin);
  pair->translation[1] = mat3_mul(scene, shift);
}

// Moves the second solid along its translation to where the two just touch, and back by up to a
// tenth of their size.
static void make_shallow(Random *random, const Load *load, Pair *pair, Arena *arena)
{
  const vec3 way = vec3_scale(3 / vec3_norm(pair->translation[1]), pair->translation[1]);
  double touching = 0, apart = 1;
  while (apart - touching > 1e-4) {
    const double middle = 0.5 * (touching + apart);
    pair->translation[1] = vec3_scale(middle, way);
    const Polyhedron a = place(load, pair, 0, arena), b = place(load, pair, 1, arena);
    const bool overlap = intersection_clip(&a, &b, 0, arena).status == INTERSECTION_OK;
    *(overlap ? &touching : &apart) = middle;
  }
  pair->translation[1] = vec3_scale(touching - random_between(random, 0, 0.03), way);
}

static void fill_load(Random *random, Load *load, Row row, int count, Arena *arena)
{
  load->row = row;
  load->count = count;
  load->faces = 0;
  for (int i = 0; i < BASE_SOLIDS; i++) load->solids[i] = base_solid(random, row, arena);
  load->pairs = arena_allocate(arena, (size_t)count * sizeof *load->pairs);
  for (int i = 0; i < count;) {
    const ArenaMark mark = arena_mark(arena);
    pose_pair(random, row, &load->pairs[i]);
    const bool shallow = row == ROW_RANDOM_BOXES || row == ROW_TETRAHEDRA || row == ROW_HULL_20 ||
                         row == ROW_HULL_50;
    if (shallow) make_shallow(random, load, &load->pairs[i], arena);
    const Polyhedron a = place(load, &load->pairs[i], 0, arena);
    const Polyhedron b = place(load, &load->pairs[i], 1, arena);
    const Intersection x = intersection_clip(&a, &b, 0, arena);
    const bool overlap = x.status == INTERSECTION_OK;
    const double distance = vec3_norm(load->pairs[i].translation[1]);
    const bool wanted = row == ROW_SEPARATED
                            ? !overlap && distance < 1.4 &&
                                  separation_find(&a, &b, 2 * MARGIN, &load->pairs[i].hint)
                            : overlap;
    load->faces += wanted ? x.face_count : 0;
    i += wanted;
    arena_release(arena, mark);
  }
}

static double run_pair(Kernel kernel, const Polyhedron *a, const Polyhedron *b,
                       SeparatingFace *hint, Arena *arena)
{
  switch (kernel) {
  case KERNEL_CLIP: return intersection_clip(a, b, 0, arena).volume;
  case KERNEL_LABELS: return intersection_labels(a, b, 0, arena).volume;
  case KERNEL_CLIP_MARGIN: return intersection_clip(a, b, MARGIN, arena).volume;
  case KERNEL_LABELS_MARGIN: return intersection_labels(a, b, MARGIN, arena).volume;
  case KERNEL_ANY: return intersection_clip_any(a, b, 0, arena).volume;
  default: return separation_find(a, b, MARGIN, hint) ? 0 : 1;
  }
}

// CPU seconds for all pairs, without placing them.
static double time_load(const Load *load, Kernel kernel, double *sum, Arena *arena)
{
  double seconds = 0;
  *sum = 0;
  for (int first = 0; first < load->count; first += BATCH) {
    const ArenaMark mark = arena_mark(arena);
    Polyhedron placed[BATCH][2];
    const int batch = load->count - first < BATCH ? load->count - first : BATCH;
    for (int i = 0; i < batch; i++) {
      for (int side = 0; side < 2; side++) {
        placed[i][side] = place(load, &load->pairs[first + i], side, arena);
      }
    }
    const double begin = now();
    for (int i = 0; i < batch; i++) {
      const ArenaMark scratch = arena_mark(arena);
      *sum += run_pair(kernel, &placed[i][0], &placed[i][1], &load->pairs[first + i].hint, arena);
      arena_release(arena, scratch);
    }
    seconds += now() - begin;
    arena_release(arena, mark);
  }
  return seconds;
}

static int compare_doubles(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Prints the median over the repeats and, in brackets, the smallest; ns a pair.
static void print_row(Row row, int only, int count, int repeats)
{
  Arena arena = arena_new();
  Random random = {1 + (uint64_t)row};
  Load load;
  fill_load(&random, &load, row, count, &arena);
  double seconds[64], sum = 0;
  printf("%-15s %5.1f", row_name(row), (double)load.faces / count);
  for (int kernel = 0; kernel < KERNEL_COUNT; kernel++) {
    if (kernel == KERNEL_HINT && row != ROW_SEPARATED) continue;
    if (only >= 0 && kernel != only) continue;
    for (int r = 0; r < repeats; r++) seconds[r] = time_load(&load, (Kernel)kernel, &sum, &arena);
    qsort(seconds, (size_t)repeats, sizeof *seconds, compare_doubles);
    printf(" %8.1f (%7.1f)", 1e9 * seconds[repeats / 2] / count, 1e9 * seconds[0] / count);
    fflush(stdout);
  }
  printf("\n");
  arena_destroy(&arena);
}

int main(int argc, char **argv)
{
  const int count = argc > 1 ? atoi(argv[1]) : 20000;
  const int repeats = argc > 2 ? atoi(argv[2]) : 7;
  const int only = argc > 4 ? atoi(argv[4]) : -1;
  if (count < 1 || repeats < 1 || repeats > 64) {
    fprintf(stderr, "usage: bench_intersection [PAIRS [REPEATS up to 64 [ROW [COLUMN]]]]\n");
    return 2;
  }
  printf("%d pairs, ns a pair: median of %d repeats (smallest)\n", count, repeats);
  printf("%-15s %5s %18s %18s %18s %18s %18s %18s\n", "", "faces", "clip", "labels", "clip, margin",
         "labels, margin", "any number", "separating face");
  for (int row = 0; row < ROW_COUNT; row++) {
    if (argc <= 3 || strcmp(argv[3], row_name((Row)row)) == 0)
      print_row((Row)row, only, count, repeats);
  }
  return 0;
}
