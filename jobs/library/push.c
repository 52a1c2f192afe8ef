// push CASE ID RATE   pushes the body ID of a case along x, by a force that grows with time
//
// RATE is in N/s. The force acts at the centre of mass until the body has moved by a millimetre.
// Rank 0 then prints step, time, force and hash of the state. The number of ranks does not matter:
//
//   cc push.c -o push $(pkg-config --cflags --libs drystone)
//   ./push push.yaml 0 1000
//   mpirun -n 3 ./push push.yaml 0 1000
//
// A force that depends on what the body does, as that of a machine, would stand in push() too:
// positions and velocities of bodies are there.
#include <drystone.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// metres after which the push ends
static const double WAY = 1e-3;

typedef struct {
  uint64_t id;
  double rate;
} Push;

// Called in each step, on each rank with the bodies that it has then.
static void push(void *context, const DrystoneLoaded *bodies, double (*loads)[6])
{
  const Push *p = context;
  for (int64_t i = 0; i < bodies->count; i++)
    if (bodies->ids[i] == p->id) loads[i][0] += p->rate * bodies->time;
}

static bool fine(int code)
{
  if (code != DRYSTONE_DONE) fprintf(stderr, "push: %s\n", drystone_error());
  return code == DRYSTONE_DONE;
}

static void warn(void *context, int level, const char *text)
{
  (void)context;
  if (level == DRYSTONE_WARNING) fprintf(stderr, "%s\n", text);
}

// The place of the body along x: the rank that has it tells the others.
static bool find_place(DrystoneWorld *world, uint64_t id, double *x)
{
  int64_t row;
  double place[3] = {-INFINITY, 0, 0};
  if (!fine(drystone_rows_find(world, id, &row))) return false;
  const DrystoneRows rows = {DRYSTONE_BODIES, "position", row, 1};
  if (row >= 0 && !fine(drystone_rows_read(world, &rows, place, sizeof place))) return false;
  return fine(drystone_world_largest(world, place[0], x));
}

static bool run(DrystoneWorld *world, Push *p)
{
  double start, x = 0;
  if (!find_place(world, p->id, &start)) return false;
  if (start == -INFINITY) {
    fprintf(stderr, "push: there is no body %llu\n", (unsigned long long)p->id);
    return false;
  }
  if (!fine(drystone_world_load_by(world, push, p))) return false;
  for (bool goes_on = true; goes_on && fabs(x) < WAY;) {
    if (!fine(drystone_world_step(world, &goes_on)) || !find_place(world, p->id, &x)) return false;
    x -= start;
  }
  char hash[33];
  if (!fine(drystone_world_hash(world, hash))) return false;
  const double time = drystone_world_time(world);
  if (drystone_world_rank(world) == 0)
    printf("%s at step %lld, %.3f s, under %.1f N\n%s\n", fabs(x) < WAY ? "stands" : "moves",
           (long long)drystone_world_steps(world), time, p->rate * time, hash);
  return true;
}

int main(int count, char **words)
{
  if (count != 4) {
    fprintf(stderr, "push CASE ID RATE\n");
    return DRYSTONE_USER;
  }
  Push p = {strtoull(words[2], NULL, 10), strtod(words[3], NULL)};
  DrystoneSetup setup = drystone_setup();
  setup.say = warn;
  setup.fatal = DRYSTONE_FATAL_ENDS_JOB;
  DrystoneCase *c = NULL;
  DrystoneWorld *world = NULL;
  if (!fine(drystone_begin())) return DRYSTONE_BUG;
  bool done = fine(drystone_case_read(words[1], &c)) &&
              fine(drystone_world_begin(c, &setup, &world)) && run(world, &p);
  done = fine(drystone_world_end(world)) && done;
  drystone_case_free(c);
  drystone_end();
  return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
