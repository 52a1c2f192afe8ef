// What a checkpoint of a synthetic state costs, without a simulation: cubes in a grid, twelve
// points each, bodies shared out in slabs across the order of their ids.
// bench_checkpoint_state FOLDER [SIDE [REPEATS]], on any number of ranks
//
// Before each checkpoint rank 0 writes as many bytes as dd does, and synchronises them: both speeds
// are printed with their ratio, and processor seconds of all ranks, for the wall's clock alone is
// no use beside other work.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bodies.h"
#include "checkpoint.h"
#include "contacts.h"
#include "generation.h"
#include "memory.h"
#include "parallel.h"
#include "recipe.h"
#include "scene.h"

enum { POINTS = 4 };   // of a pair

static double processor_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static Case grid_case(int side, Arena *arena)
{
  static Material material = {.name = "stone", .density = 2000};
  BodyGroup *group = arena_allocate_zero(arena, 1, sizeof *group);
  *group = (BodyGroup){.name = "cubes", .kind = GROUP_GRID, .turn = quat_identity()};
  group->shape = recipe_single(recipe_box(vec3_new(1, 1, 1), arena), arena);
  for (int k = 0; k < 3; k++) group->count[k] = side;
  group->spacing = vec3_new(1, 1, 1);
  Case c = {.path = "grid.yaml",
            .text = "title: a grid\n",
            .overrides = "",
            .meshes = "",
            .title = "a grid",
            .step = 0.1,
            .material_count = 1,
            .materials = &material,
            .group_count = 1,
            .groups = group,
            .arena = arena};
  if (scene_prepare(&c) != NULL) die("the grid is refused");
  return c;
}

static vec3 some_vector(uint64_t a, uint64_t b)
{
  const double number = (double)(hash_mix(a, b) >> 11) * 0x1p-52;
  return vec3_new(number, number * number, 1 - number);
}

static void add_contacts(Contacts *t, uint64_t low, uint64_t high)
{
  table_reserve(&t->table, t->table.count + POINTS);
  for (int k = 0; k < POINTS; k++) {
    const int row = t->table.count++;
    t->bodies[row] = (IdPair){low, high};
    t->parts[row] = (IndexPair){0, 0};
    t->features[row] = (IndexPair){(uint32_t)k, (uint32_t)k};
    t->axis[row] = (IndexPair){1, 2};
    t->normal[row] = some_vector(low, high);
    t->reaction[row] = some_vector(low, high + 1);
    t->anchor[row] = some_vector(low, high + 2);
  }
}

// Own rows: slabs along x, along which ids run fastest.
static void make_rows(Bodies *bodies, Contacts *contacts, int side)
{
  contacts_begin(contacts);
  bodies_begin(bodies);
  table_leave_out(&contacts->table, FIELD_RARE);
  const uint64_t s = (uint64_t)side;
  for (uint64_t id = 0; id < s * s * s; id++) {
    const uint64_t x = id % s, y = id / s % s, z = id / s / s;
    if ((int)(x * (uint64_t)par_size() / s) != par_rank()) continue;
    table_reserve(&bodies->table, bodies->table.count + 1);
    const int row = bodies->table.count++;
    bodies->id[row] = id;
    bodies->position[row] = some_vector(id, 1);
    bodies->orientation[row] = quat_identity();
    bodies->velocity[row] = some_vector(id, 2);
    bodies->spin[row] = some_vector(id, 3);
    bodies->angular[row] = some_vector(id, 4);
    if (x + 1 < s) add_contacts(contacts, id, id + 1);
    if (y + 1 < s) add_contacts(contacts, id, id + s);
    if (z + 1 < s) add_contacts(contacts, id, id + s * s);
  }
  bodies->table.owned = bodies->table.count;
  contacts->table.owned = contacts->table.count;
}

// Rank 0. MB/s of the disk for so many bytes.
static double plain_bandwidth(const char *folder, size_t bytes)
{
  enum { BUFFER = 1 << 20 };
  DiskStatus status = {0};
  char *path = disk_path(folder, "plain.out"), *buffer = memory_allocate_zero(1, BUFFER);
  const double began = par_seconds();
  const int file = disk_open_new(path, &status);
  for (size_t at = 0; at < bytes; at += BUFFER)
    disk_write_at((DiskFile){file, path}, buffer, BUFFER, at, &status);
  disk_sync_and_close(file, path, &status);
  const double seconds = par_seconds() - began;
  disk_remove(folder, "plain.out", &status);
  if (status.failed) die_io("%s", status.reason);
  memory_free(buffer);
  memory_free(path);
  return (double)bytes / seconds / 1e6;
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  if (argc < 2) die("usage: bench_checkpoint_state FOLDER [SIDE [REPEATS]]");
  const int side = argc > 2 ? atoi(argv[2]) : 42, repeats = argc > 3 ? atoi(argv[3]) : 5;
  Arena arena = arena_new();
  const Case c = grid_case(side, &arena);
  Bodies bodies = {0};
  Contacts contacts = {0};
  make_rows(&bodies, &contacts, side);
  Results results;
  if (results_open(&results, argv[1], RESULTS_OVERWRITE) != EXIT_DONE || !results_replace(&results))
    die_io("no folder");
  double bytes = 1 << 27;
  for (int step = 1; step <= repeats; step++) {
    const double plain = par_rank() == 0 ? plain_bandwidth(argv[1], (size_t)bytes) : 0;
    par_barrier();
    double began = par_seconds(), processor = processor_seconds();
    State state = {.step = step};
    state_add(&state, &bodies.table);
    state_add(&state, &contacts.table);
    if (!checkpoint_write(&results, &c, &state)) die_io("no checkpoint");
    const double seconds = par_max(par_seconds() - began);
    processor = processor_seconds() - processor;
    const double all = 1e-6 * (double)par_sum((int64_t)(1e6 * processor));
    struct stat about;
    char *path = generation_path(argv[1], RESULTS_CHECKPOINT, step);
    if (stat(path, &about) == 0) bytes = 512.0 * (double)about.st_blocks;   // holes do not count
    memory_free(path);
    if (par_rank() == 0)
      printf("%.0f MB: plain %.0f MB/s, checkpoint %.0f MB/s in %.3f s, ratio %.2f; "
             "processor %.3f s, memory %.0f MB\n",
             bytes / 1e6, plain, bytes / seconds / 1e6, seconds, bytes / seconds / 1e6 / plain, all,
             (double)memory_peak_bytes() / 1e6);
    fflush(stdout);
  }
  results_close(&results);
  contacts_end(&contacts);
  bodies_end(&bodies);
  arena_destroy(&arena);
  par_end();
  return 0;
}
