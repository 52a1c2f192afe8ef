// Ghosts, refreshes, migration and ownership on a cloud of boxes that every rank can compute for
// itself.
#include <stdlib.h>

#include "halo.h"
#include "harness.h"
#include "hash.h"
#include "migrate.h"
#include "ownership.h"
#include "parallel.h"
#include "table.h"

enum { BODIES = 400 };

#define POINT_FIELDS(F)                                 \
  F(uint64_t, id, FIELD_U64, 1, FIELD_STATE, "1", "id") \
  F(vec3, x, FIELD_F64, 3, FIELD_STATE, "m", "centre of a box")

typedef struct {
  Table table;
  POINT_FIELDS(TABLE_COLUMN)
} Points;

static const Field FIELDS[] = {
#define POINT_FIELD(...) TABLE_FIELD_OF(Points, __VA_ARGS__)
    POINT_FIELDS(POINT_FIELD)
#undef POINT_FIELD
};
static const TableSchema SCHEMA = TABLE_SCHEMA(Points, FIELDS, "points", GHOSTS_NONE, NULL);

static double random_of(uint64_t id, uint64_t salt)
{
  return (double)(hash_mix(id, salt) >> 11) * 0x1p-53;
}

static vec3 center_of(uint64_t id)
{
  return (vec3){10 * random_of(id, 1), 4 * random_of(id, 2), random_of(id, 3)};
}

// every 17th box is fixed and large
static bool is_fixed(uint64_t id) { return id % 17 == 0; }

static Box box_of(uint64_t id)
{
  const double r = is_fixed(id) ? 1.5 : 0.15;
  const vec3 c = center_of(id), half = {r, r, r};
  return (Box){vec3_sub(c, half), vec3_add(c, half)};
}

static bool meet(Box p, Box q)
{
  return p.low.x <= q.high.x && q.low.x <= p.high.x && p.low.y <= q.high.y && q.low.y <= p.high.y &&
         p.low.z <= q.high.z && q.low.z <= p.high.z;
}

static void add_point(Points *points, uint64_t id)
{
  table_reserve(&points->table, points->table.owned + 1);
  points->id[points->table.owned] = id;
  points->x[points->table.owned] = center_of(id);
  points->table.count = ++points->table.owned;
}

static int find(const Points *points, int first, int end, uint64_t id)
{
  for (int i = first; i < end; i++)
    if (points->id[i] == id) return i;
  return -1;
}

// what every rank must see: all boxes that meet one of its own moving boxes
static void check_ghosts(const Points *points, const Halo *halo, const int *owner)
{
  for (int i = points->table.owned; i < points->table.count; i++) {
    CHECK(halo->ghost_ranks[i - points->table.owned] == owner[points->id[i]]);
    CHECK(i == points->table.owned || points->id[i - 1] < points->id[i]);
    CHECK(points->x[i].x == center_of(points->id[i]).x);
  }
  for (uint64_t other = 0; other < BODIES; other++) {
    if (owner[other] == par_rank()) continue;
    bool needed = false;
    for (int i = 0; i < points->table.owned; i++)
      needed = needed || (!is_fixed(points->id[i]) && meet(box_of(points->id[i]), box_of(other)));
    if (needed) CHECK(find(points, points->table.owned, points->table.count, other) >= 0);
  }
}

static Halo rebuild(Points *points, int most_copies, Arena *arena)
{
  Box *boxes = arena_allocate(arena, (size_t)(points->table.owned + 1) * sizeof *boxes);
  unsigned char *attracts = arena_allocate(arena, (size_t)points->table.owned + 1);
  for (int i = 0; i < points->table.owned; i++) {
    boxes[i] = box_of(points->id[i]);
    attracts[i] = !is_fixed(points->id[i]);
  }
  const HaloRows rows = {.table = &points->table,
                         .id_column = &points->id,
                         .boxes = boxes,
                         .attracts = attracts,
                         .flags = FIELD_STATE,
                         .most_copies = most_copies};
  return halo_rebuild(&rows, arena);
}

static void check_refresh(const Points *points, const Halo *halo, Arena *arena)
{
  double *value = arena_allocate(arena, (size_t)(points->table.count + 1) * sizeof *value);
  for (int i = 0; i < points->table.count; i++)
    value[i] = i < points->table.owned ? 3.0 * (double)points->id[i] : -1;
  halo_refresh(&halo->plan, value, sizeof *value, arena);
  for (int i = 0; i < points->table.count; i++) CHECK(value[i] == 3.0 * (double)points->id[i]);

  // plans by request: slot 0 even ids, slot 1 multiples of three, slot 2 nothing
  HaloRequest *requests =
      arena_allocate(arena, (size_t)(2 * halo->plan.send_start[halo->plan.neighbour_count] + 1) *
                                sizeof *requests);
  int count = 0;
  for (int k = 0; k < halo->plan.neighbour_count; k++)
    for (int i = halo->plan.send_start[k]; i < halo->plan.send_start[k + 1]; i++) {
      const int row = halo->plan.send_rows[i];
      const uint64_t id = points->id[row];
      if (id % 2 == 0) requests[count++] = (HaloRequest){halo->plan.ranks[k], 0, row, id};
      if (id % 3 == 0) requests[count++] = (HaloRequest){halo->plan.ranks[k], 1, row, id};
    }
  HaloPlan plans[3];
  const HaloIds rows = {points->table.owned, points->table.count, points->id};
  halo_plans_of_requests((HaloRequests){3, count, requests}, rows, plans, arena);
  CHECK(plans[2].neighbour_count == 0);
  for (int slot = 0; slot < 3; slot++) {
    for (int i = points->table.owned; i < points->table.count; i++) value[i] = -1;
    halo_refresh(&plans[slot], value, sizeof *value, arena);
    for (int i = points->table.owned; i < points->table.count; i++) {
      const bool sent = slot == 0 ? points->id[i] % 2 == 0 : slot == 1 && points->id[i] % 3 == 0;
      CHECK(value[i] == (sent ? 3.0 * (double)points->id[i] : -1));
    }
  }
}

// Two refreshes under way at once, mirrors changed meanwhile: what stood in them when each began
// arrives, when it ends and not before.
static void check_split_refresh(const Points *points, const Halo *halo, Arena *arena)
{
  const int owned = points->table.owned, rows = points->table.count;
  const size_t n = (size_t)rows + 1;
  double *one = arena_allocate(arena, n * sizeof *one), *plain = arena_allocate(arena, n * 8);
  vec3 *two = arena_allocate(arena, n * sizeof *two);
  for (int i = 0; i < rows; i++) {
    plain[i] = one[i] = i < owned ? 7.0 * (double)points->id[i] : -1;
    two[i] = i < owned ? points->x[i] : (vec3){-1, -1, -1};
  }
  halo_refresh(&halo->plan, plain, sizeof *plain, arena);
  int64_t messages = 0, bytes = 0;
  for (int k = 0; k < halo->plan.neighbour_count; k++) {
    const int sent = halo->plan.send_start[k + 1] - halo->plan.send_start[k];
    messages += sent > 0;
    bytes += 8 * sent;
  }
  const Traffic before = par_traffic(TRAFFIC_OTHER);
  const HaloRefresh first = halo_refresh_begin(&halo->plan, one, sizeof *one, arena);
  CHECK(par_traffic(TRAFFIC_OTHER).messages - before.messages == messages);
  CHECK(par_traffic(TRAFFIC_OTHER).bytes - before.bytes == bytes);
  const HaloRefresh second = halo_refresh_begin(&halo->plan, two, sizeof *two, arena);
  for (int i = 0; i < owned; i++) one[i] = two[i].x = -2;
  for (int i = owned; i < rows; i++) CHECK(one[i] == -1 && two[i].y == -1);
  halo_refresh_end(&second);
  halo_refresh_end(&first);
  for (int i = 0; i < rows; i++) {
    const vec3 x = center_of(points->id[i]);
    CHECK(one[i] == (i < owned ? -2 : plain[i]));
    CHECK(two[i].x == (i < owned ? -2 : x.x) && two[i].y == x.y && two[i].z == x.z);
  }
}

static void check_same_ghosts(const Points *points, const uint64_t *ids, int count)
{
  CHECK(points->table.count - points->table.owned == count);
  for (int i = 0; i < count && points->table.owned + i < points->table.count; i++)
    CHECK(points->id[points->table.owned + i] == ids[i]);
}

// Rows through all ranks: the same ghosts as by messages alone, those of moving boxes in the plan,
// and of the fixed ones those that few ranks need.
static void check_wide(Points *points, const int *owner, Arena *arena)
{
  Halo halo = rebuild(points, 1000, arena);
  const int ghosts = halo.ghost_count;
  uint64_t *ids = arena_allocate(arena, ((size_t)ghosts + 1) * sizeof *ids);
  for (int i = 0; i < ghosts; i++) ids[i] = points->id[points->table.owned + i];
  CHECK(halo.plan.receive_start[halo.plan.neighbour_count] == ghosts);
  int planned[3];
  for (int most = 0; most < 3; most++) {
    halo = rebuild(points, most, arena);
    check_ghosts(points, &halo, owner);
    check_same_ghosts(points, ids, ghosts);
    double *value = arena_allocate(arena, ((size_t)points->table.count + 1) * sizeof *value);
    for (int i = 0; i < points->table.count; i++)
      value[i] = i < points->table.owned ? 5.0 * (double)points->id[i] : -1;
    halo_refresh(&halo.plan, value, sizeof *value, arena);
    planned[most] = 0;
    for (int i = points->table.owned; i < points->table.count; i++) {
      const bool came = value[i] == 5.0 * (double)points->id[i];
      CHECK(came || (is_fixed(points->id[i]) && value[i] == -1));
      CHECK(most > 0 || came == !is_fixed(points->id[i]));
      planned[most] += came;
    }
    CHECK(planned[most] == halo.plan.receive_start[halo.plan.neighbour_count]);
    CHECK(most == 0 || planned[most] >= planned[most - 1]);
  }
}

static int compare_ids(const void *a, const void *b)
{
  const uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
  return (p > q) - (p < q);
}

// sorts own rows by id; x follows from it
static void sort_points(Points *points)
{
  qsort(points->id, (size_t)points->table.owned, sizeof *points->id, compare_ids);
  for (int i = 0; i < points->table.owned; i++) points->x[i] = center_of(points->id[i]);
}

// own moving boxes and the moving boxes they meet
static OwnershipGraph make_graph(const Points *points, const Halo *halo, Arena *arena)
{
  const size_t n = (size_t)points->table.owned;
  uint64_t *ids = arena_allocate(arena, (n + 1) * sizeof *ids);
  uint64_t *edges = arena_allocate(arena, (n * (size_t)points->table.count + 1) * sizeof *edges);
  int64_t *work = arena_allocate(arena, (n + 1) * sizeof *work);
  int64_t *edge_work =
      arena_allocate(arena, (n * (size_t)points->table.count + 1) * sizeof *edge_work);
  int64_t *start = arena_allocate_zero(arena, n + 2, sizeof *start);
  vec3 *places = arena_allocate(arena, (n + 1) * sizeof *places);
  int *edge_ranks =
      arena_allocate(arena, (n * (size_t)points->table.count + 1) * sizeof *edge_ranks);
  OwnershipGraph graph = {0, ids, places, work, start, edges, edge_ranks, edge_work, 1};
  int64_t e = 0;
  for (int i = 0; i < points->table.owned; i++) {
    if (is_fixed(points->id[i])) continue;
    for (int j = 0; j < points->table.count; j++)
      if (j != i && !is_fixed(points->id[j]) &&
          meet(box_of(points->id[i]), box_of(points->id[j]))) {
        edges[e] = points->id[j];
        edge_ranks[e] =
            j < points->table.owned ? par_rank() : halo->ghost_ranks[j - points->table.owned];
        edge_work[e++] = 1;
      }
    ids[graph.vertex_count] = points->id[i];
    places[graph.vertex_count] = points->x[i];
    work[graph.vertex_count++] = 1 + (int64_t)(points->id[i] % 3);
    start[graph.vertex_count] = e;
  }
  return graph;
}

static void repartition(Points *points, const Halo *halo, Arena *arena, bool expect_quiet)
{
  const OwnershipGraph graph = make_graph(points, halo, arena);
  int *owners = arena_allocate(arena, (size_t)(graph.vertex_count + 1) * sizeof *owners);
  const OwnershipReport report = ownership_partition(&graph, OWNERSHIP_GRAIN, owners, arena);
  int *destinations =
      arena_allocate(arena, (size_t)(points->table.owned + 1) * sizeof *destinations);
  int v = 0;
  for (int i = 0; i < points->table.owned; i++)
    destinations[i] = is_fixed(points->id[i]) ? par_rank() : owners[v++];
  migrate_rows(&points->table, destinations, FIELD_STATE, arena);
  CHECK(report.imbalance <= 1.25);
  if (expect_quiet) CHECK(report.moved == 0);
  CHECK(par_sum(points->table.owned) == BODIES);
}

static void gather_owners(const Points *points, int *owner, Arena *arena)
{
  int64_t *sum = arena_allocate_zero(arena, BODIES, sizeof *sum);
  for (int i = 0; i < points->table.owned; i++) sum[points->id[i]] += par_rank();
  par_sum_many(sum, BODIES);
  for (int i = 0; i < BODIES; i++) owner[i] = (int)sum[i];
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  Arena arena = arena_new();
  Points points = {0};
  table_begin(&points.table, &SCHEMA);
  int owner[BODIES];
  // dealt in ranges, at random, all on one rank
  for (int deal = 0; deal < 3; deal++) {
    points.table.owned = points.table.count = 0;
    for (uint64_t id = 0; id < BODIES; id++) {
      const int size = par_size();
      owner[id] = deal == 0   ? (int)(id * (uint64_t)size / BODIES)
                  : deal == 1 ? (int)(hash_mix(id, 5) % (uint64_t)size)
                              : size - 1;
      if (owner[id] == par_rank()) add_point(&points, id);
    }
    Halo halo = rebuild(&points, 1000, &arena);
    check_ghosts(&points, &halo, owner);
    check_refresh(&points, &halo, &arena);
    check_split_refresh(&points, &halo, &arena);
    check_wide(&points, owner, &arena);

    // after a partition the same holds, and a second one at once moves nothing
    repartition(&points, &halo, &arena, false);
    sort_points(&points);
    gather_owners(&points, owner, &arena);
    halo = rebuild(&points, 1000, &arena);
    check_ghosts(&points, &halo, owner);
    check_refresh(&points, &halo, &arena);
    check_split_refresh(&points, &halo, &arena);
    check_wide(&points, owner, &arena);
    repartition(&points, &halo, &arena, true);
    sort_points(&points);
    arena_reset(&arena);
  }

  // fewer vertices than ranks, and none at all
  points.table.owned = points.table.count = 0;
  if (par_rank() == 0) {
    add_point(&points, 1);
    add_point(&points, 2);
  }
  for (int round = 0; round < 2; round++) {
    const Halo halo = rebuild(&points, 1000, &arena);
    const OwnershipGraph graph = make_graph(&points, &halo, &arena);
    int owners[4] = {0};
    ownership_partition(&graph, OWNERSHIP_GRAIN, owners, &arena);
    for (int v = 0; v < graph.vertex_count; v++) CHECK(owners[v] >= 0 && owners[v] < par_size());
    CHECK(par_sum(graph.vertex_count) == (round == 0 ? 2 : 0));
    points.table.owned = points.table.count = 0;
  }
  table_end(&points.table);
  arena_destroy(&arena);
  const int code = test_report_parallel();
  par_end();
  return code;
}
