// Frames of bodies that move along a mechanism.
#include "mechanism.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"
#include "kind.h"
#include "order.h"
#include "parallel.h"
#include "results.h"

#define FRAMES 10
#define FARTHEST 0.2   // of a mean size of bodies

#define MOVES 1e-3   // of the fastest: a body that moves

typedef struct {
  uint64_t id;
  LimitMotion motion;   // by the last frame
} MovedBody;

// the farthest place of a body at most
static double speed_of(const LimitProblem *limit, const LimitMotion *motions, int body)
{
  return vec3_norm(motions[body].velocity) +
         0.5 * limit->extent[body] * vec3_norm(motions[body].spin);
}

int mechanism_fastest(const StaticsScene *scene, const LimitMotion *motions, int most, int *fastest,
                      int *moving)
{
  assert(most > 0 && motions != NULL && "somebody asks who moves");
  const LimitProblem *limit = &scene->limit;
  int count = 0;
  for (int b = 0; b < limit->body_count; b++) {
    int at = count;
    while (at > 0 && speed_of(limit, motions, fastest[at - 1]) < speed_of(limit, motions, b)) at--;
    if (at == most) continue;
    if (count < most) count++;
    for (int i = count - 1; i > at; i--) fastest[i] = fastest[i - 1];
    fastest[at] = b;
  }
  *moving = 0;
  const double least = count > 0 ? MOVES * speed_of(limit, motions, fastest[0]) : 0;
  for (int b = 0; b < limit->body_count; b++) *moving += speed_of(limit, motions, b) > least;
  return count;
}

// The bodies on all ranks, their motions in the scale of the frames.
static MovedBody *share(const StaticsScene *scene, const LimitMotion *motions, int64_t *count,
                        Arena *arena)
{
  const LimitProblem *limit = &scene->limit;
  *count = par_rank() == 0 ? limit->body_count : 0;
  par_broadcast(count, sizeof *count, 0);
  MovedBody *moved = arena_allocate_zero(arena, (size_t)*count + 1, sizeof *moved);
  double fastest = 0, size = 0;
  for (int b = 0; b < limit->body_count && par_rank() == 0; b++) {
    moved[b] = (MovedBody){scene->ids[b], motions[b]};
    fastest = larger_of(fastest, speed_of(limit, motions, b));
    size += limit->extent[b] / limit->body_count;
  }
  const double scale = fastest > 0 ? FARTHEST * size / fastest : 0;
  for (int b = 0; b < limit->body_count && par_rank() == 0; b++) {
    moved[b].motion.velocity = vec3_scale(scale, moved[b].motion.velocity);
    moved[b].motion.spin = vec3_scale(scale, moved[b].motion.spin);
  }
  par_broadcast(moved, (size_t)*count * sizeof *moved, 0);
  return moved;
}

// Bodies go on for a share of the way; the others rest.
static void move_bodies(World *world, const MovedBody *moved, int64_t count, double time)
{
  assert(time >= 0 && "frames go on");
  Bodies *b = &world->bodies;
  for (int row = 0; row < b->table.owned; row++) {
    const MovedBody *found = bsearch(&b->id[row], moved, (size_t)count, sizeof *moved, order_u64s);
    b->velocity[row] = found ? found->motion.velocity : (vec3){0, 0, 0};
    b->spin[row] = found ? found->motion.spin : (vec3){0, 0, 0};
    if (found)
      kind_of(b, row)->shift(
          b, row, (Twist){vec3_scale(time, b->velocity[row]), vec3_scale(time, b->spin[row])});
  }
}

static bool write_frames(World *world, const Results *results, const MovedBody *moved,
                         int64_t count)
{
  Frames frames;
  State state = world_state(world);
  const FrameScene shown = {world->c, &state, &world->shapes};
  bool fine = frames_begin(&frames, results, shown, -1);
  for (int k = 0; k <= FRAMES && fine; k++) {
    world->step = k;
    move_bodies(world, moved, count, k > 0 ? 1.0 / FRAMES : 0);
    state = world_state(world);
    fine = frames_write(&frames, &state);
  }
  if (fine) fine = frames_finish(&frames);
  frames_end(&frames);
  return fine;
}

int mechanism_write(World *world, const StaticsScene *scene, const LimitMotion *motions,
                    const char *folder)
{
  assert((par_rank() != 0 || motions != NULL) && "there is a mechanism");
  Results results;
  const int code = results_open(&results, folder, RESULTS_FRESH);
  if (code != EXIT_DONE) return code;
  Arena arena = arena_new();
  int64_t count;
  const MovedBody *moved = share(scene, motions, &count, &arena);
  // contacts are those of places before
  world->contacts.table.count = world->contacts.table.owned = 0;
  const bool fine = write_frames(world, &results, moved, count);
  arena_destroy(&arena);
  results_close(&results);
  return fine ? EXIT_DONE : EXIT_IO;
}
