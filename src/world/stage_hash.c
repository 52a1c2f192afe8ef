// Prints the hashes of each stage of a step for --hash-log.
#include "stage_hash.h"

#include <assert.h>
#include <errno.h>

#include "parallel.h"

typedef struct {
  IdPair bodies;
  IndexPair parts, features;
} Key;

static Key key_of(const Contacts *c, int row)
{
  return (Key){c->bodies[row], c->parts[row], c->features[row]};
}

static vec3 canonical(vec3 v) { return (vec3){v.x + 0.0, v.y + 0.0, v.z + 0.0}; }   // -0 becomes 0

static Hash128 patches_hash(const Contacts *c)
{
  Hash128 sum = {0, 0};
  for (int i = 0; i < c->table.owned; i++) {
    const struct {
      Key key;
      IndexPair axis;
      vec3 anchor, normal;
      double gap, area;
    } row = {key_of(c, i),    c->axis[i],      canonical(c->anchor[i]), canonical(c->normal[i]),
             c->gap[i] + 0.0, c->area[i] + 0.0};
    sum = hash_add(sum, hash_bytes(&row, sizeof row, 11));
  }
  return par_sum_hash(sum);
}

static Hash128 reactions_hash(const Contacts *c)
{
  Hash128 sum = {0, 0};
  for (int i = 0; i < c->table.owned; i++) {
    const struct {
      Key key;
      vec3 reaction;
    } row = {key_of(c, i), canonical(c->reaction[i])};
    sum = hash_add(sum, hash_bytes(&row, sizeof row, 12));
  }
  return par_sum_hash(sum);
}

// the state of joints, where there are any
static Hash128 joints_hash(const World *world)
{
  return par_sum_hash(table_hash(&world->joints.table));
}

static Hash128 velocities_hash(const Bodies *b)
{
  Hash128 sum = {0, 0};
  for (int i = 0; i < b->table.owned; i++) {
    const struct {
      uint64_t id;
      vec3 v, w;
    } row = {b->id[i], canonical(b->velocity[i]), canonical(b->spin[i])};
    sum = hash_add(sum, hash_bytes(&row, sizeof row, 13));
  }
  return par_sum_hash(sum);
}

static Hash128 poses_hash(const Bodies *b)
{
  Hash128 sum = {0, 0};
  for (int i = 0; i < b->table.owned; i++) {
    const quat q = b->orientation[i];
    const struct {
      uint64_t id;
      vec3 x;
      quat q;
    } row = {b->id[i], canonical(b->position[i]), {q.w + 0.0, q.x + 0.0, q.y + 0.0, q.z + 0.0}};
    sum = hash_add(sum, hash_bytes(&row, sizeof row, 14));
  }
  return par_sum_hash(sum);
}

static void print_hash(World *world, const char *name, Hash128 hash)
{
  if (!world->hash_log) return;
  char text[33];
  hash_to_text(hash, text);
  if (world->interval.count > 1)
    fprintf(world->hash_log, " %s-%d=%s", name, world->interval.number + 1, text);
  else fprintf(world->hash_log, " %s=%s", name, text);
}

void stage_hash_contacts(World *world, const DetectReport *detected)
{
  assert((!world->hash_log || world->hash_stages) && "who writes hashes makes them");
  if (!world->hash_stages) return;
  if (world->hash_log && world->interval.count == 1)
    fprintf(world->hash_log, "%lld", (long long)(world->step + 1));
  print_hash(world, "pairs", par_sum_hash(detected->pairs_hash));
  print_hash(world, "patches", patches_hash(&world->contacts));
  print_hash(world, "warm", reactions_hash(&world->contacts));
}

void stage_hash_unsolved(World *world)
{
  assert(world->interval.count == 1 && "whole steps are given up");
  if (world->hash_stages) print_hash(world, "unsolved", reactions_hash(&world->contacts));
}

void stage_hash_bodies(World *world)
{
  assert((!world->hash_log || par_rank() == 0) && "rank 0 writes hashes");
  if (!world->hash_stages) return;
  print_hash(world, "reactions", reactions_hash(&world->contacts));
  if (world->c->joint_row_count > 0) print_hash(world, "joints", joints_hash(world));
  if (world_volumes(world))
    print_hash(world, "volumes", par_sum_hash(table_hash(&world->volumes.table)));
  print_hash(world, "velocities", velocities_hash(&world->bodies));
  print_hash(world, "poses", poses_hash(&world->bodies));
}

void stage_hash_end(World *world)
{
  assert(world->interval.count == 1 && "a line is of a whole step");
  if (!world->hash_log) return;
  fputc('\n', world->hash_log);
  if (fflush(world->hash_log) != 0 && world->hash_log_error == 0) world->hash_log_error = errno;
}
