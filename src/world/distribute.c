// Gives every rank the bodies and contacts it needs: partitions, migration, ghosts.
#include "distribute.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "detect.h"
#include "exact_sum.h"
#include "guides.h"
#include "kind.h"
#include "loads.h"
#include "migrate.h"
#include "ownership.h"
#include "parallel.h"
#include "partners.h"
#include "persist.h"
#include "prescribed.h"
#include "row_exchange.h"
#include "servos.h"
#include "work.h"

#define GUESSED_POINTS 4   // of a pair of near bodies, before the first contacts are found
#define MOST_COPIES \
  8   // ranks that a fixed or prescribed body goes to one by one; to more of them through all

// What loads and prescribed motions change of rows at the start of the step; [end], or NULL where
// the case has none.
static const MotionChange *find_changes(World *world, const LoadValues *values, int first, int end)
{
  const Case *c = world->c;
  const bool led = c->motion_count > 0 || c->guide_count > 0 || c->founded;
  if (c->load_count == 0 && !led && c->servo_count == 0) return NULL;
  const Bodies *b = &world->bodies;
  MotionChange *changes = arena_allocate_zero(&world->scratch, (size_t)end + 1, sizeof *changes);
  const GuideInterval interval = world_guide_interval(world);
  const ServoTime pressed = {c, b, world_time(world, 0.5), world_gravity(world)};
  for (int i = first; i < end; i++) {
    if (prescribed_row(b, i)) changes[i] = prescribed_change(world, i);
    else if (b->drive[i] == DRIVE_DYNAMIC) {
      const LoadSum loads = servos_on(&pressed, i, loads_on(world, values, i));
      changes[i] = guides_change(c, b, i, interval, loads_change(world, loads, i));
    }
  }
  return changes;
}

// How far what a body is of may be from where its shape is, m.
static double farthest_moved(const World *world, ShapeSet *shapes, int row)
{
  const Bodies *b = &world->bodies;
  const int nodes = kind_mesh_nodes(b, row);
  const int first = nodes > 0 ? nodes_find(&world->nodes, b->id[row]) : 0;
  double most = 0;
  for (int n = first; n < first + nodes; n++)
    most = larger_of(most, vec3_norm(world->nodes.displacement[n]));
  if (nodes > 0 || !b->gradient) return most;
  double square = 0;
  for (int k = 0; k < 3; k++) square += vec3_dot(b->gradient[row].row[k], b->gradient[row].row[k]);
  return sqrt(square) * shape_set_get(shapes, b->shape[row])->radius;
}

static void find_boxes(World *world, const LoadValues *values, Box *boxes, int first, int end)
{
  const ContactSettings *settings = &world->c->contact;
  const SurfaceLaws *surfaces = &world->c->surfaces;
  const FreeMotion motion = {world_interval(world), world_gravity(world),
                             find_changes(world, values, first, end)};
  for (int i = first; i < end; i++) {
    boxes[i] = detect_box(&world->bodies, i, &world->shapes, settings, &motion);
    if (surfaces->bonded && surface_laws_bond(surfaces, law_side_of(&world->bodies, i)))
      boxes[i] = box_grow(bond_box(boxes[i], shape_set_get(&world->shapes, world->bodies.shape[i]),
                                   settings->patch.margin),
                          farthest_moved(world, &world->shapes, i));
    if (world->reach > 0) boxes[i] = box_grow(boxes[i], world->reach);
  }
}

// Collective. The nodes of own bodies to where these have ghosts.
static void send_nodes(World *world, const HaloPlan *plan)
{
  if (!world->bodies.nodes) return;
  assert(NODES_SCHEMA.ghosts == GHOSTS_OF_BODIES && "nodes go with bodies");
  const Bodies *b = &world->bodies;
  Table *table = &world->nodes.table;
  Arena *arena = &world->scratch;
  table->count = table->owned;
  if (par_size() == 1) return;
  int count = 0;
  for (int k = 0; k < plan->send_start[plan->neighbour_count]; k++)
    count += kind_mesh_nodes(b, plan->send_rows[k]);
  RowDestination *leaving = arena_allocate(arena, ((size_t)count + 1) * sizeof *leaving);
  int made = 0;
  for (int n = 0; n < plan->neighbour_count; n++)
    for (int k = plan->send_start[n]; k < plan->send_start[n + 1]; k++) {
      const int nodes = kind_mesh_nodes(b, plan->send_rows[k]);
      const int first = nodes > 0 ? nodes_find(&world->nodes, b->id[plan->send_rows[k]]) : 0;
      for (int i = 0; i < nodes; i++) leaving[made++] = (RowDestination){plan->ranks[n], first + i};
    }
  const Messages incoming =
      row_exchange_send(&(RowShipment){table, FIELD_SENT, count, leaving}, arena);
  table->count = row_exchange_receive(table, table->owned, incoming, FIELD_SENT);
  table_sort(table, table->owned, table->count - table->owned);
}

Halo distribute_ghosts(World *world, const Box **boxes)
{
  assert(world->bodies.table.owned <= world->bodies.table.count && "own rows come first");
  Bodies *b = &world->bodies;
  const int owned = b->table.owned;
  b->table.count = owned;
  Box *own = arena_allocate(&world->scratch, ((size_t)owned + 1) * sizeof *own);
  const LoadValues values = loads_at_middle(world, &world->scratch);
  find_boxes(world, &values, own, 0, owned);
  Box *around = arena_allocate(&world->scratch, ((size_t)owned + 1) * sizeof *around);
  unsigned char *attracts = arena_allocate(&world->scratch, (size_t)owned + 1);
  for (int i = 0; i < owned; i++) {
    around[i] = (Box){own[i].low, own[i].high};
    attracts[i] = b->drive[i] == DRIVE_DYNAMIC;
  }
  const HaloRows rows = {.table = &b->table,
                         .id_column = &b->id,
                         .boxes = around,
                         .attracts = attracts,
                         .flags = FIELD_SENT,
                         .most_copies = MOST_COPIES,
                         .wishes = partners_find(world)};
  const Halo halo = halo_rebuild(&rows, &world->scratch);
  assert(halo.ghost_count == b->table.count - owned && "every ghost has an owner");
  send_nodes(world, &halo.plan);
  Box *all = arena_allocate(&world->scratch, ((size_t)b->table.count + 1) * sizeof *all);
  memcpy(all, own, (size_t)owned * sizeof *all);
  find_boxes(world, &values, all, owned, b->table.count);
  *boxes = all;
  return halo;
}

static int rank_of_row(const Bodies *bodies, const Halo *halo, int row)
{
  assert_debug(row >= 0 && row < bodies->table.count && "a row of the table");
  return row < bodies->table.owned ? par_rank() : halo->ghost_ranks[row - bodies->table.owned];
}

// Own rows whose second body is another rank's, and that rank; returns how many.
static int find_shared(const Table *table, const Bodies *bodies, const Halo *halo,
                       RowDestination *leaving)
{
  int count = 0, second = -1;
  uint64_t last = UINT64_MAX;
  for (int i = 0; i < table->owned; i++) {
    const uint64_t *ids;
    if (table_bodies(table, i, &ids) < 2) continue;
    if (i == 0 || ids[1] != last) {
      last = ids[1];
      second = bodies_find_ghost(bodies, last);
      assert((second >= 0 || bodies_find(bodies, last) >= 0) && "a row's bodies are here");
    }
    if (second < 0 || bodies->drive[second] != DRIVE_DYNAMIC) continue;
    leaving[count++] = (RowDestination){rank_of_row(bodies, halo, second), i};
  }
  return count;
}

void distribute_pair_rows(World *world, const Halo *halo)
{
  assert(halo->ghost_count == world->bodies.table.count - world->bodies.table.owned &&
         "every ghost has an owner");
  Arena *arena = &world->scratch;
  for (int t = 0; t < world->state.table_count; t++) {
    Table *table = world->state.tables[t];
    if (table->schema->ghosts != GHOSTS_OF_PAIRS) continue;
    table->count = table->owned;
    if (par_size() == 1) continue;
    RowDestination *leaving = arena_allocate(arena, ((size_t)table->owned + 1) * sizeof *leaving);
    const int count = find_shared(table, &world->bodies, halo, leaving);
    const Messages incoming =
        row_exchange_send(&(RowShipment){table, FIELD_SENT, count, leaving}, arena);
    table->count = row_exchange_receive(table, table->owned, incoming, FIELD_SENT);
    table_sort(table, table->owned, table->count - table->owned);
  }
}

// contact points of a pair in the last step
static int points_between(const Contacts *contacts, const Bodies *bodies, BoxPair pair)
{
  assert_debug(pair.a != pair.b && "a pair is of two bodies");
  const IdPair ids = id_pair_of(bodies->id[pair.a], bodies->id[pair.b]);
  const Table *t = &contacts->table;
  const RowRange own = persist_rows_within(contacts, (RowRange){0, t->owned}, ids);
  if (own.first < own.end) return own.end - own.first;
  const RowRange ghost = persist_rows_within(contacts, (RowRange){t->owned, t->count}, ids);
  return ghost.end - ghost.first;
}

// What is taken for work that has not been done yet.
typedef struct {
  int64_t body;    // of a body
  int64_t point;   // and of each contact point that is known
  int64_t pair;    // and of each pair of near bodies, as the two have half of it each
} WorkGuess;

// Collective. As much as the other bodies do in the mean. Where none has done anything, what rows
// cost before the first sweep, and where there are no contacts either, so many points for each pair
// of near bodies: vertices have to weigh something beside edges.
static WorkGuess guess_work(const Bodies *bodies, const Contacts *contacts)
{
  int64_t known[3] = {0, 0, contacts->table.owned};   // bodies, their work, points
  for (int i = 0; i < bodies->table.owned; i++) {
    if (bodies->drive[i] != DRIVE_DYNAMIC || bodies->work[i] == 0) continue;
    known[0]++;
    known[1] += (int64_t)bodies->work[i];
  }
  par_sum_many(known, 3);
  if (known[0] > 0) return (WorkGuess){known[1] / known[0], 1, 0};
  if (known[2] > 0) return (WorkGuess){WORK_BODY, WORK_POINT, 0};
  return (WorkGuess){WORK_BODY, 0, GUESSED_POINTS * WORK_POINT / 2};
}

// Does a pair of near rows tie two bodies to the same rank?
static bool is_edge(const World *world, BoxPair p, const PartnerEdges *joined)
{
  const Bodies *b = &world->bodies;
  if (partners_edge_points(joined, p) > 0) return false;   // has its edge already
  return b->drive[p.a] == DRIVE_DYNAMIC && b->drive[p.b] == DRIVE_DYNAMIC &&
         !surface_laws_of(&world->c->surfaces, b, p.a, p.b)->excluded;
}

// Pairs of rows that tie two bodies to the same rank, near ones and jointed ones.
static BoxPairs edges_of(const World *world, BoxPairs near, const PartnerEdges *joined,
                         Arena *arena)
{
  assert(near.count >= 0 && joined->count >= 0 && "pairs are counted");
  const size_t room = (size_t)near.count + (size_t)joined->count + 1;
  BoxPairs edges = {0, arena_allocate(arena, room * sizeof *edges.pairs)};
  for (int64_t k = 0; k < near.count; k++)
    if (is_edge(world, near.pairs[k], joined)) edges.pairs[edges.count++] = near.pairs[k];
  for (int k = 0; k < joined->count; k++) edges.pairs[edges.count++] = joined->edges[k].pair;
  return edges;
}

// Collective. Own bodies and the pairs of overlapping or jointed dynamic ones; the others have no
// work and go where those near them go, so that a bed of fixed stones is at home below what lies on
// it.
static OwnershipGraph contact_graph(const World *world, const Box *boxes, const Halo *halo,
                                    Arena *arena)
{
  const Bodies *b = &world->bodies;
  const int rows = b->table.count, owned = b->table.owned;
  const PartnerEdges joined = partners_edges(world, arena);
  const BoxPairs pairs = edges_of(world, box_overlap_find(boxes, rows, arena), &joined, arena);
  const WorkGuess guess = guess_work(b, &world->contacts);
  uint64_t *ids = arena_allocate(arena, ((size_t)owned + 1) * sizeof *ids);
  int64_t *work = arena_allocate(arena, ((size_t)owned + 1) * sizeof *work);
  int64_t *start = arena_allocate_zero(arena, (size_t)owned + 2, sizeof *start);
  vec3 *places = arena_allocate(arena, ((size_t)owned + 1) * sizeof *places);
  OwnershipGraph graph = {owned, ids, places, work, start, NULL, NULL, NULL, WORK_GHOST};
  for (int i = 0; i < owned; i++) {
    ids[i] = b->id[i];
    places[i] = b->position[i];
    work[i] = b->drive[i] != DRIVE_DYNAMIC ? 0
              : b->work[i] > 0             ? 1 + (int64_t)b->work[i]
                                           : guess.body;
  }

  // where the body's work is not known yet; of points between two dynamic bodies each has half
  for (int k = 0; k < world->contacts.table.count; k++) {
    const uint64_t ends[2] = {world->contacts.bodies[k].low, world->contacts.bodies[k].high};
    const int found[2] = {bodies_find(b, ends[0]), bodies_find(b, ends[1])};
    for (int e = 0; e < 2; e++) {
      const int row = found[e], other = found[1 - e];
      if (row < 0 || row >= owned || work[row] == 0 || b->work[row] > 0) continue;
      const bool alone = other >= 0 && b->drive[other] != DRIVE_DYNAMIC;
      work[row] += alone ? guess.point : (guess.point + 1) / 2;
    }
  }
  for (int64_t k = 0; k < pairs.count; k++) {
    const BoxPair p = pairs.pairs[k];
    if (p.a < owned) start[p.a + 1]++;
    if (p.b < owned) start[p.b + 1]++;
  }
  for (int v = 0; v < graph.vertex_count; v++) start[v + 1] += start[v];
  const int64_t edges = start[graph.vertex_count];
  uint64_t *edge_ids = arena_allocate(arena, ((size_t)edges + 1) * sizeof *edge_ids);
  int64_t *edge_work = arena_allocate(arena, ((size_t)edges + 1) * sizeof *edge_work);
  int *edge_ranks = arena_allocate(arena, ((size_t)edges + 1) * sizeof *edge_ranks);
  int64_t *at = arena_allocate(arena, ((size_t)graph.vertex_count + 1) * sizeof *at);
  for (int v = 0; v < graph.vertex_count; v++) at[v] = start[v];
  // between two ranks each solves all points of the pair, of which a body's work holds half
  const int64_t sweeps = (int64_t)world->balance.sweeps;
  for (int64_t k = 0; k < pairs.count; k++) {
    const BoxPair p = pairs.pairs[k];
    // before the first step of a run only one of the two has rows of their contacts
    const bool known = sweeps > 0 || (p.a < owned && p.b < owned);
    const int64_t contacts = known ? points_between(&world->contacts, b, p) : 0,
                  points = contacts + partners_edge_points(&joined, p),
                  shared = points * work_of_point(sweeps) / 2 + guess.pair;
    for (int e = 0; e < 2; e++) {
      const int own = e == 0 ? p.a : p.b, other = e == 0 ? p.b : p.a;
      if (own >= owned) continue;
      if (b->work[own] == 0) work[own] += guess.pair;
      edge_work[at[own]] = shared;
      edge_ranks[at[own]] = rank_of_row(b, halo, other);
      edge_ids[at[own]++] = b->id[other];
    }
  }
  graph.edge_ids = edge_ids;
  graph.edge_ranks = edge_ranks;
  graph.edge_work = edge_work;
  return graph;
}

// What a migration must leave alone, of all ranks together: the hash of the state, and beside it
// what a row without state, or in two places, would change.
typedef struct {
  Hash128 state;
  int64_t dynamic_bodies, rows[STATE_TABLES];
  double mass;
  vec3 momentum;
} Inventory;

// Collective. Sums are exact, whoever holds which row.
static Inventory take_inventory(const World *world)
{
  const Bodies *b = &world->bodies;
  Inventory found = {.state = world_hash(world)};
  ExactSum sums[4];
  for (int i = 0; i < 4; i++) sums[i] = exact_sum_new();
  int64_t counts[1 + STATE_TABLES] = {0};
  for (int i = 0; i < b->table.owned; i++) {
    if (b->drive[i] != DRIVE_DYNAMIC) continue;
    const vec3 momentum = motion_momenta(b, i).momentum;
    const double terms[4] = {b->mass[i], momentum.x, momentum.y, momentum.z};
    for (int k = 0; k < 4; k++) exact_sum_add(&sums[k], terms[k]);
    counts[0]++;
  }
  const int tables = world->state.table_count;
  for (int t = 0; t < tables; t++) counts[1 + t] = world->state.tables[t]->owned;
  exact_sum_reduce(sums, 4);
  par_sum_many(counts, 1 + tables);
  found.dynamic_bodies = counts[0];
  for (int t = 0; t < tables; t++) found.rows[t] = counts[1 + t];
  found.mass = exact_sum_value(&sums[0]);
  found.momentum =
      vec3_new(exact_sum_value(&sums[1]), exact_sum_value(&sums[2]), exact_sum_value(&sums[3]));
  return found;
}

// Collective. Ownership decides nothing: what is there is the same as before.
static void check_inventory(const World *world, const Inventory *before)
{
  const Inventory now = take_inventory(world);
  const long long step = (long long)world->step + 1;
  for (int t = 0; t < world->state.table_count; t++)
    if (now.rows[t] != before->rows[t])
      die("%s: %lld rows became %lld at new owners before step %lld",
          world->state.tables[t]->schema->name, (long long)before->rows[t], (long long)now.rows[t],
          step);
  if (now.dynamic_bodies != before->dynamic_bodies)
    die("%lld dynamic bodies became %lld at new owners before step %lld",
        (long long)before->dynamic_bodies, (long long)now.dynamic_bodies, step);
  if (now.mass != before->mass || now.momentum.x != before->momentum.x ||
      now.momentum.y != before->momentum.y || now.momentum.z != before->momentum.z)
    die("mass or momentum changed while bodies went to new owners before step %lld", step);
  if (now.state.low != before->state.low || now.state.high != before->state.high)
    die("the state changed while bodies went to new owners before step %lld", step);
}

// The own body that has a row. Rows are of the last step: their other bodies may be far by now, on
// ranks that send no ghosts. A body that is not here does not own the row: its drive is not needed.
static int owner_of(const Table *table, int row, const Bodies *bodies)
{
  const uint64_t *ids;
  const int count = table_bodies(table, row, &ids);
  int found[BODIES_OF_ROW];
  int32_t drives[BODIES_OF_ROW];
  assert(count <= BODIES_OF_ROW && "a row is of few bodies");
  for (int k = 0; k < count; k++) {
    found[k] = bodies_find(bodies, ids[k]);
    drives[k] = found[k] < 0 ? DRIVE_FIXED : bodies->drive[found[k]];
  }
  const int owner = found[bodies_owner(drives, count)];
  assert(owner >= 0 && owner < bodies->table.owned && "a row is with its owner");
  return owner;
}

// Collective. Rows of all tables to the new owners of own bodies, the bodies themselves last.
static void migrate_tables(World *world, const int *owners)
{
  const Bodies *b = &world->bodies;
  Arena *arena = &world->scratch;
  for (int t = world->state.table_count - 1; t >= 0; t--) {
    Table *table = world->state.tables[t];
    int *destinations = arena_allocate(arena, ((size_t)table->owned + 1) * sizeof *destinations);
    for (int k = 0; k < table->owned; k++)
      destinations[k] = table == &b->table ? owners[k] : owners[owner_of(table, k, b)];
    migrate_rows(table, destinations, FIELD_MOVED, arena);
    table_sort(table, 0, table->owned);
  }
}

void distribute_repartition(World *world, Sharing reason)
{
  assert(reason != SHARING_NONE && "bodies are shared out for a reason");
  if (par_size() == 1) return;
  Arena *arena = &world->scratch;
  const Bodies *b = &world->bodies;
  arena_reset(arena);
  const Box *boxes;
  const Halo halo = distribute_ghosts(world, &boxes);
  const OwnershipGraph graph = contact_graph(world, boxes, &halo, arena);
  int *owners = arena_allocate(arena, ((size_t)graph.vertex_count + 1) * sizeof *owners);
  const OwnershipReport report = ownership_partition(&graph, OWNERSHIP_GRAIN, owners, arena);
  if (!balance_takes(&world->balance, reason, &report) || report.moved == 0) return;
  world->record.moved_bodies = report.moved;
  for (int i = 0; i < b->table.owned; i++)
    world->rank.of[RANK_COUNT_migrated] += owners[i] != par_rank();
  const Inventory before = take_inventory(world);
  migrate_tables(world, owners);
  partners_forget(world);
  check_inventory(world, &before);
}

// Collective. The fields of bonds and of contacts that are taken as closed go where the case makes
// none and a checkpoint has left none.
static void leave_out_rare(World *world)
{
  const Contacts *contacts = &world->contacts;
  bool any = world->c->surfaces.bonded || world->c->contact.initial > 0;
  for (int i = 0; i < contacts->table.owned && !any; i++)
    any = contacts_bond(contacts, i) != BOND_NONE || (contacts->offset && contacts->offset[i] != 0);
  if (!par_any(any)) table_leave_out(&world->contacts.table, FIELD_RARE);
}

void distribute_start(World *world)
{
  assert(world->bodies.table.count == world->bodies.table.owned &&
         "ghosts come with the first step");
  leave_out_rare(world);
  timers_stage(&world->timers, "partition");
  world->balance = balance_new();
  distribute_repartition(world, SHARING_FIRST);
  timers_stage(&world->timers, NULL);
}
