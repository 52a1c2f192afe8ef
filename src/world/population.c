// Adds bodies that appear and removes bodies that leave the domain.
#include "population.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "guides.h"
#include "id_range.h"
#include "jointed.h"
#include "kind.h"
#include "motion.h"
#include "parallel.h"
#include "partners.h"
#include "persist.h"
#include "prescribed.h"
#include "row_exchange.h"
#include "scene.h"

#define MOST_BATCHES \
  64   // bodies that appear together go to the ranks in at most so many runs of ids

void population_append(World *world, uint64_t id)
{
  assert(id < world->c->body_count && "the case has the body");
  Bodies *b = &world->bodies;
  const BodyRecipe recipe = scene_body(world->c, id);
  const Shape *shape = shape_set_get(&world->shapes, recipe.shape);
  const int row = scene_append_body(b, id, &recipe, shape);
  b->work[row] = 0;
  bodies_set_kind(b, row, recipe.kind);
  if (b->gradient) {
    b->gradient[row] = b->gradient_rate[row] = mat3_diagonal(0, 0, 0);
    b->strain[row] = b->stress[row] = (BodyTensor){0};
  }
  if (recipe.kind == KIND_FINITE || recipe.kind == KIND_FOUNDATION)
    nodes_append(&world->nodes, id, elastic_nodes(&world->c->elastic_meshes[recipe.shape]));
  if (b->net_force) {
    b->net_force[row] = b->net_torque[row] = (vec3){0, 0, 0};
    b->reference[row] = world->stage.index > 0 ? b->position[row] : (vec3){0, 0, 0};
  }
  b->velocity[row] = recipe.velocity;
  b->spin[row] = recipe.spin;
  if (recipe.guide) guides_begin(b, row, recipe.guide, world_time(world, 0));
  motion_begin(b, row, &world->shapes, world->densities);
  if (recipe.motion) prescribed_begin(world, row);
}

// ------------------------------------------------------------------------------------------------
// Births.

// Bodies that appear together, counted through all their ranges of ids.
typedef struct {
  int range_count;
  const IdRange *ranges;
  uint64_t count;
} Newborn;

static uint64_t newborn_id(const Newborn *newborn, uint64_t number)
{
  assert_debug(number < newborn->count && "a newborn body has a number");
  const IdRange *range = newborn->ranges;
  while (number >= range->end - range->first) {
    number -= range->end - range->first;
    range++;
  }
  return range->first + number;
}

static uint64_t batch_first(const Newborn *newborn, int batch, int batches)
{
  return id_range_first(newborn->count, batch, batches);
}

// where a run of newborn bodies appears: between its first and its last one
static vec3 batch_place(const World *world, const Newborn *newborn, int batch, int batches)
{
  const uint64_t first = batch_first(newborn, batch, batches);
  const uint64_t last = batch_first(newborn, batch + 1, batches) - 1;
  const vec3 a = scene_body(world->c, newborn_id(newborn, first)).origin;
  const vec3 b = scene_body(world->c, newborn_id(newborn, last)).origin;
  return vec3_scale(0.5, vec3_add(a, b));
}

// Collective. The rank whose dynamic bodies come nearest to each batch; the batches are spread over
// the ranks when there is no dynamic body yet.
static void find_owners(const World *world, const Newborn *newborn, int batches, int *owners)
{
  assert(batches > 0 && batches <= MOST_BATCHES && "some bodies appear");
  const Bodies *b = &world->bodies;
  memset(owners, 0, (size_t)batches * sizeof *owners);
  if (par_size() == 1) return;
  double nearness[MOST_BATCHES], claims[MOST_BATCHES];
  for (int k = 0; k < batches; k++) {
    const vec3 place = batch_place(world, newborn, k, batches);
    double nearest = INFINITY;
    for (int i = 0; i < b->table.owned; i++) {
      if (b->drive[i] != DRIVE_DYNAMIC) continue;
      const vec3 d = vec3_sub(b->position[i], place);
      const double distance = vec3_dot(d, d);
      if (distance < nearest) nearest = distance;
    }
    nearness[k] = claims[k] = -nearest;
  }
  par_max_many(nearness, batches);

  // the lowest rank among equals
  for (int k = 0; k < batches; k++)
    claims[k] = claims[k] == nearness[k] ? -(double)par_rank() : -INFINITY;
  par_max_many(claims, batches);
  for (int k = 0; k < batches; k++)
    owners[k] = isinf(nearness[k]) ? k * par_size() / batches : (int)-claims[k];
  for (int k = 0; k < batches; k++)
    assert(owners[k] >= 0 && owners[k] < par_size() && "a newborn body has an owner");
}

static void insert(World *world, const Newborn *newborn)
{
  const uint64_t count = newborn->count;
  const int batches = count < MOST_BATCHES ? (int)count : MOST_BATCHES;
  int owners[MOST_BATCHES];
  find_owners(world, newborn, batches, owners);
  Bodies *b = &world->bodies;
  b->table.count = b->table.owned;
  world->nodes.table.count = world->nodes.table.owned;
  int64_t born = 0;
  const IdRange *range = newborn->ranges;
  uint64_t id = range->first;
  for (int k = 0; k < batches; k++)
    for (uint64_t i = batch_first(newborn, k, batches); i < batch_first(newborn, k + 1, batches);
         i++, id++) {
      if (id == range->end) id = (++range)->first;
      const bool dynamic = scene_body(world->c, id).drive == DRIVE_DYNAMIC;
      born += dynamic;
      const int owner = dynamic ? owners[k] : id_range_rank(world->c->body_count, id, par_size());
      if (owner == par_rank()) population_append(world, id);
    }
  table_sort(&b->table, 0, b->table.owned);
  table_sort(&world->nodes.table, 0, world->nodes.table.owned);
  world->record.born = born;
}

void population_insert_due(World *world)
{
  assert(world->next_birth >= world->step && "no birth has been missed");
  world->record.born = 0;
  if (world->step < world->next_birth) return;
  arena_reset(&world->scratch);
  const size_t groups = (size_t)world->c->group_count;
  IdRange *ranges = arena_allocate(&world->scratch, groups * sizeof *ranges);
  Newborn newborn = {.range_count = scene_births(world->c, world->step, ranges), .ranges = ranges};
  for (int r = 0; r < newborn.range_count; r++) newborn.count += ranges[r].end - ranges[r].first;
  if (newborn.count > 0) {
    insert(world, &newborn);
    jointed_add_born(world);
    partners_forget(world);
  }
  world->next_birth = scene_next_birth(world->c, world->step + 1);
}

// ------------------------------------------------------------------------------------------------
// Removal.

// Drops the rows of [first, end) with a body that is gone; returns where the kept ones end, which
// begin at `to`.
static int drop_between(Table *table, const Bodies *bodies, const unsigned char *gone,
                        RowRange rows, int to)
{
  for (int k = rows.first; k < rows.end; k++) {
    const uint64_t *ids;
    const int count = table_bodies(table, k, &ids);
    bool keeps = true;
    for (int i = 0; i < count && keeps; i++) {
      const int body = bodies_find(bodies, ids[i]);
      keeps = body < 0 || !gone[body];
    }
    if (!keeps) continue;
    if (to != k) table_copy_row(table, to, table, k);
    to++;
  }
  return to;
}

static void drop_rows(Table *table, const Bodies *bodies, const unsigned char *gone)
{
  const int own_end = drop_between(table, bodies, gone, (RowRange){0, table->owned}, 0);
  table->count = drop_between(table, bodies, gone, (RowRange){table->owned, table->count}, own_end);
  table->owned = own_end;
}

// Collective. Copies of the own rows that are gone to rank 0, sorted by id.
static void report_removed(World *world, const unsigned char *gone)
{
  const Bodies *b = &world->bodies;
  Bodies *removed = &world->removed;
  RowDestination *leaving =
      arena_allocate(&world->scratch, ((size_t)b->table.owned + 1) * sizeof *leaving);
  int count = 0;
  for (int i = 0; i < b->table.owned; i++)
    if (gone[i]) leaving[count++] = (RowDestination){0, i};
  const RowShipment shipment = {&b->table, FIELD_SENT, count, leaving};
  const Messages rows = row_exchange_send(&shipment, &world->scratch);
  removed->table.owned = removed->table.count =
      row_exchange_receive(&removed->table, 0, rows, FIELD_SENT);
  table_sort(&removed->table, 0, removed->table.owned);
}

void population_remove_outside(World *world, const Halo *halo)
{
  assert(halo->ghost_count == world->bodies.table.count - world->bodies.table.owned &&
         "every ghost has an owner");
  world->record.removed = 0;
  world->removed.table.owned = world->removed.table.count = 0;
  if (!world->c->domain.given) return;
  Bodies *b = &world->bodies;
  const int owned = b->table.owned;
  unsigned char *gone = arena_allocate_zero(&world->scratch, (size_t)b->table.count + 1, 1);
  int64_t count = 0;
  for (int i = 0; i < owned; i++) {
    // numbers that are not finite are an error of their own
    gone[i] = b->drive[i] == DRIVE_DYNAMIC && !kind_founded(b, i) &&
              vec3_is_finite(b->position[i]) && !scene_contains(world->c, b->position[i]);
    count += gone[i];
  }
  world->record.removed = par_sum(count);
  if (world->record.removed == 0) return;
  partners_forget(world);
  report_removed(world, gone);

  // everybody who has a copy of a body learns that it is gone
  halo_refresh(&halo->plan, gone, 1, &world->scratch);
  for (int t = 0; t < world->state.table_count; t++)
    if (world->state.tables[t] != &b->table) drop_rows(world->state.tables[t], b, gone);

  // ghosts go as well: the next step fetches its own
  int kept = 0;
  for (int i = 0; i < owned; i++) {
    if (gone[i]) continue;
    if (kept != i) table_copy_row(&b->table, kept, &b->table, i);
    kept++;
  }
  b->table.owned = b->table.count = kept;
}
