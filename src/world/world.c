// Makes the world of one rank from a case, up to the first step.
#include "world.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "ground.h"
#include "id_range.h"
#include "jointed.h"
#include "memory.h"
#include "parallel.h"
#include "partners.h"
#include "population.h"
#include "prescribed.h"
#include "scene.h"

// Every table that is state, bodies first: here a new one is declared, and nowhere else.
static const struct {
  const TableSchema *schema;
  size_t place;   // of the table in a world
} TABLES[] = {
    {&BODIES_SCHEMA, offsetof(World, bodies)}, {&CONTACTS_SCHEMA, offsetof(World, contacts)},
    {&JOINTS_SCHEMA, offsetof(World, joints)}, {&VOLUMES_SCHEMA, offsetof(World, volumes)},
    {&NODES_SCHEMA, offsetof(World, nodes)},
};
enum { TABLE_COUNT = sizeof TABLES / sizeof *TABLES };

// Whether frames, in any stage, tell any of these fields.
static bool shows(const Case *c, unsigned fields)
{
  bool any = false;
  for (int i = 0; i < c->stage_count; i++) any = any || shows(&c->stages[i], fields);
  const bool asked = c->output.frame_fields & fields;
  return any || (asked && c->output.frame_every > 0);
}

// Files of cases without joints, common volumes or nodes have no table of them.
static bool is_used(const World *world, const TableSchema *schema)
{
  if (schema == &JOINTS_SCHEMA) return world->c->joint_row_count > 0;
  if (schema == &VOLUMES_SCHEMA) return world_volumes(world);
  if (schema == &NODES_SCHEMA) return world->c->elastic_meshes != NULL;
  return true;
}

static void begin_tables(World *world)
{
  for (int t = 0; t < TABLE_COUNT; t++) {
    Table *table = (void *)((char *)world + TABLES[t].place);
    table_begin(table, TABLES[t].schema);
    if (is_used(world, TABLES[t].schema)) state_add(&world->state, table);
  }
  bodies_link_nodes(&world->state);
  const Case *c = world->c;
  if (!c->deforms) table_leave_out(&world->bodies.table, FIELD_RARE);
  if (!c->deforms && c->guide_count == 0) table_leave_out(&world->bodies.table, FIELD_KINDS);
  if (!shows(world->whole, FRAME_SLIP | FRAME_STATUS))
    table_leave_out(&world->contacts.table, FIELD_SHOWN);
  if (!shows(world->whole, FRAME_FORCE)) table_leave_out(&world->nodes.table, FIELD_SHOWN);
  if (!c->damping.given && world->whole->stage_count == 0)
    table_leave_out(&world->bodies.table, FIELD_OPTION);
}

State world_state(const World *world)
{
  assert(world->state.table_count > 0 && bodies_of(&world->state) == &world->bodies &&
         "a state is of all tables");
  State state = world->state;
  state.step = world->step;
  state.words = solver_memory_words(&world->solver);
  state.stage = world->stage;
  return state;
}

State world_state_new(void)
{
  State state = {0};
  Table like[TABLE_COUNT];
  for (int t = 0; t < TABLE_COUNT; t++) {
    like[t] = (Table){.schema = TABLES[t].schema};
    state_add(&state, &like[t]);
  }
  return state_new_like(&state);
}

// mass and what else follows from the case, for every own row
static void complete_rows(World *world)
{
  assert((world->densities != NULL || world->bodies.table.owned == 0) && "bodies have materials");
  Bodies *b = &world->bodies;
  for (int i = 0; i < b->table.owned; i++) {
    b->mass[i] =
        world->densities[b->material[i]] * shape_set_get(&world->shapes, b->shape[i])->volume;
    b->work[i] = 0;
  }
}

// bodies of the start that lie in this rank's range of ids
static void make_bodies(World *world)
{
  const Case *c = world->c;
  const uint64_t first = id_range_first(c->body_count, par_rank(), par_size());
  const uint64_t end = id_range_first(c->body_count, par_rank() + 1, par_size());
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
  table_sort(&world->nodes.table, 0, world->nodes.table.owned);
}

void world_begin(World *world, const Case *c)
{
  assert(c->step > 0 && c->material_count >= 0 && c->shape_count >= 0 && "a case has a step");
  memset(world, 0, sizeof *world);
  world->whole = c;
  world->c = scene_stage(c, 0);
  if (world->c->origin) *world->c->origin = 0;
  world->interval = (Interval){0, 1};
  world->shapes = shape_set_new(c->shapes, c->shape_count);
  if (c->contact.model == CONTACT_MODEL_LMD)
    world->bases = surface_set_new(&world->shapes, c->contact.lmd.dilation, c->bases);
  if (c->contact.inner_spheres > 0)
    world->inner = inner_set_new(&world->shapes, c->contact.inner_spheres, c->inner);
  if (c->barrier.given) world->skins = barrier_skins_new(&world->shapes, &c->barrier);
  world->scratch = arena_new();
  world->timers = timers_new();
  world->solver = solver_memory_new();
  begin_tables(world);
  world->densities = memory_allocate_zero((size_t)c->material_count, sizeof(double));
  for (int m = 0; m < c->material_count; m++) world->densities[m] = c->materials[m].density;
  world->elastic = scene_elastic(c, &world->shapes);
  world->bodies.elastic = &world->elastic;
  if (c->solver.unsolved == UNSOLVED_HALVE) {
    ElasticSet half = world->elastic;
    half.step *= 0.5;
    world->half_elastic = elastic_new(&half);
  }
  table_begin(&world->removed.table, &BODIES_SCHEMA);
  table_leave_out_alike(&world->removed.table, &world->bodies.table);
  make_bodies(world);
  jointed_begin(world);
  world->next_birth = scene_next_birth(c, 1);
}

void world_end(World *world)
{
  assert(world->state.table_count > 0 && "a world has begun");
  for (int t = 0; t < world->state.table_count; t++) table_end(world->state.tables[t]);
  bodies_end(&world->removed);
  barrier_newton_forget(&world->barrier);
  barrier_skins_destroy(world->skins);
  graph_cache_destroy(&world->graph);
  partners_destroy(&world->partners);
  solver_memory_destroy(&world->solver);
  candidates_drop(&world->candidates);
  arena_destroy(&world->scratch);
  elastic_destroy(&world->elastic);
  elastic_destroy(&world->half_elastic);
  if (world->bases.shapes) surface_set_destroy(&world->bases);
  if (world->inner.shapes) inner_set_destroy(&world->inner);
  shape_set_destroy(&world->shapes);
  memory_free(world->densities);
}

void world_restore(World *world, const State *state)
{
  assert(state->step >= 0 && "steps are counted from zero");
  assert(world->bodies.table.count == world->bodies.table.owned &&
         "ghosts come with the first step");
  world->step = state->step;
  world->stage = state->stage;
  world->c = scene_stage(world->whole, state->stage.index);
  if (world->c->origin) *world->c->origin = state->stage.first_time;
  world->next_birth = scene_next_birth(world->c, state->step > 0 ? state->step : 1);
  solver_memory_restore(&world->solver, &state->words);
  complete_rows(world);
  jointed_complete(world);
}

// A body that the new stage drives otherwise, or moves by another motion.
static void drive_anew(World *world, const Case *before, int row)
{
  Bodies *b = &world->bodies;
  const BodyRecipe was = scene_body(before, b->id[row]), is = scene_body(world->c, b->id[row]);
  assert((was.drive == DRIVE_DYNAMIC) == (is.drive == DRIVE_DYNAMIC) && "dynamic bodies stay so");
  if (was.drive == is.drive && was.motion == is.motion) return;
  b->drive[row] = is.drive;
  if (is.motion) prescribed_begin(world, row);
  else b->velocity[row] = b->spin[row] = b->angular[row] = (vec3){0, 0, 0};
}

void world_scale_impulses(World *world, double factor)
{
  assert(factor > 0 && "time goes on");
  for (int t = 0; t < world->state.table_count; t++)
    table_scale(world->state.tables[t], FIELD_IMPULSE, factor);
}

void world_begin_stage(World *world)
{
  const Case *before = world->c;
  Bodies *b = &world->bodies;
  assert(world->stage.index + 1 < world->whole->stage_count && "a stage comes next");
  const double time = world_time(world, 0);
  world->stage =
      (StateStage){.index = world->stage.index + 1, .first_step = world->step, .first_time = time};
  world->c = scene_stage(world->whole, world->stage.index);
  *world->c->origin = time;
  b->table.count = b->table.owned;   // ghosts come with the next step
  for (int i = 0; i < b->table.owned; i++) {
    b->reference[i] = b->position[i];
    if (!world->c->damping.given) b->net_force[i] = b->net_torque[i] = (vec3){0, 0, 0};
    drive_anew(world, before, i);
  }
  if (world->c->step != before->step) world_scale_impulses(world, world->c->step / before->step);
  candidates_drop(&world->candidates);
}

vec3 world_gravity(const World *world)
{
  assert(world->step >= 0 && "steps are counted from zero");
  return ground_gravity(world->c, world_time(world, 0.5));
}

GuideInterval world_guide_interval(const World *world)
{
  assert(world->interval.count > 0 && "a step is made in intervals");
  const vec3 fall = vec3_scale(world_interval(world), world_gravity(world));
  return (GuideInterval){world_time(world, 1), fall};
}

Hash128 world_hash(const World *world)
{
  const State state = world_state(world);
  return state_hash(&state);
}
