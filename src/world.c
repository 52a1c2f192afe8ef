#include "world.h"

#include <string.h>

#include "body_block.h"
#include "detect.h"
#include "distribute.h"
#include "memory.h"
#include "parallel.h"
#include "population.h"
#include "scene.h"
#include "state_hash.h"

static void make_surface_laws(World *world)
{
  const Case *c = world->c;
  const size_t n = (size_t)c->material_count;
  world->densities = memory_allocate_zero(n, sizeof(double));
  world->friction = memory_allocate_zero(n * n, sizeof(double));
  world->restitution = memory_allocate_zero(n * n, sizeof(double));
  world->cohesion = memory_allocate_zero(n * n, sizeof(double));
  world->tensile_strength = memory_allocate_zero(n * n, sizeof(double));
  world->excluded = memory_allocate_zero(n * n, 1);
  for (int m = 0; m < c->material_count; m++) world->densities[m] = c->materials[m].density;
  for (int p = 0; p < c->pair_count; p++) {
    const SurfacePair *s = &c->pairs[p];
    const size_t ab = (size_t)s->first * n + (size_t)s->second,
                 ba = (size_t)s->second * n + (size_t)s->first;
    world->friction[ab] = world->friction[ba] = s->friction;
    world->restitution[ab] = world->restitution[ba] = s->restitution;
    world->cohesion[ab] = world->cohesion[ba] = s->cohesion;
    world->tensile_strength[ab] = world->tensile_strength[ba] = s->tensile_strength;
    world->excluded[ab] = world->excluded[ba] = s->excluded;
    if (!(s->cohesion > 0)) continue;
    if (!world->bonded) world->bonded = memory_allocate_zero(n * n, 1);
    world->bonded[ab] = world->bonded[ba] = 1;
  }
}

// mass and what else follows from the case, for every own row
static void complete_rows(World *world)
{
  Bodies *b = &world->bodies;
  for (int i = 0; i < b->table.owned; i++) {
    b->mass[i] =
        world->densities[b->material[i]] * shape_set_get(&world->shapes, b->shape[i])->volume;
    b->work[i] = 0;
  }
}

// bodies of the start that lie in this rank's block of ids
static void make_bodies(World *world)
{
  const Case *c = world->c;
  const uint64_t first = body_block_first(c->body_count, par_rank(), par_size());
  const uint64_t end = body_block_first(c->body_count, par_rank() + 1, par_size());
  IdRange *ranges = arena_allocate(&world->scratch, (size_t)c->group_count * sizeof *ranges);
  const int count = scene_births(c, 0, ranges);
  int rows = 0;
  for (int r = 0; r < count; r++) {
    if (ranges[r].first < first) ranges[r].first = first;
    if (ranges[r].end > end) ranges[r].end = end;
    if (ranges[r].first < ranges[r].end) rows += (int)(ranges[r].end - ranges[r].first);
  }
  table_reserve(&world->bodies.table, rows);
  for (int r = 0; r < count; r++)
    for (uint64_t id = ranges[r].first; id < ranges[r].end; id++) population_append(world, id);
}

void world_begin(World *world, const Case *c)
{
  memset(world, 0, sizeof *world);
  world->c = c;
  world->shapes = shape_set_new(c->shapes, c->shape_count);
  world->scratch = arena_new();
  world->timers = timers_new();
  world->solver = solver_memory_new();
  bodies_begin(&world->bodies);
  contacts_begin(&world->contacts);
  make_surface_laws(world);
  bodies_begin(&world->removed);
  make_bodies(world);
  world->next_birth = scene_next_birth(c, 1);
}

void world_end(World *world)
{
  bodies_end(&world->bodies);
  bodies_end(&world->removed);
  contacts_end(&world->contacts);
  graph_cache_destroy(&world->graph);
  solver_memory_destroy(&world->solver);
  candidates_drop(&world->candidates);
  arena_destroy(&world->scratch);
  shape_set_destroy(&world->shapes);
  memory_free(world->densities);
  memory_free(world->friction);
  memory_free(world->restitution);
  memory_free(world->cohesion);
  memory_free(world->tensile_strength);
  memory_free(world->excluded);
  memory_free(world->bonded);
}

void world_restore(World *world, int64_t step)
{
  world->step = step;
  world->next_birth = scene_next_birth(world->c, step > 0 ? step : 1);
  complete_rows(world);
}

// Collective. The fields of bonds go where the case makes none and a checkpoint has left none.
static void leave_out_bonds(World *world)
{
  const Contacts *contacts = &world->contacts;
  bool any = world->bonded != NULL;
  for (int i = 0; i < contacts->table.owned && !any; i++)
    any = contacts_bond(contacts, i) != BOND_NONE;
  if (!par_any(any)) table_leave_out(&world->contacts.table, FIELD_RARE);
}

void world_start(World *world)
{
  leave_out_bonds(world);
  timers_stage(&world->timers, "partition");
  world->balance = balance_new();
  world_repartition(world, SHARING_FIRST);
  timers_stage(&world->timers, NULL);
}

PatchParameters world_patch_parameters(const World *world)
{
  const Case *c = world->c;
  return (PatchParameters){
      .margin = c->margin, .feature_width = c->feature_width, .max_points = c->max_points};
}

vec3 world_gravity(const World *world)
{
  return time_vector_at(&world->c->gravity, ((double)world->step + 0.5) * world->c->step);
}

Hash128 world_hash(const World *world)
{
  const Hash128 rows = par_sum_hash(state_hash_rows(&world->bodies, &world->contacts));
  const StateWords words = solver_memory_words(&world->solver);
  return hash_add(rows, state_hash_step(world->step, &words));
}
