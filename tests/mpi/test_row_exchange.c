// Rows of tables to other ranks in rounds: every row arrives once and whole, memory stays near that
// of the rows themselves, and tables give back the room of rows that left.
#include "row_exchange.h"

#include "harness.h"
#include "hash.h"
#include "memory.h"
#include "migrate.h"
#include "parallel.h"
#include "vec3.h"

#define GRAIN_FIELDS(F)                                             \
  F(uint64_t, id, FIELD_U64, 1, FIELD_STATE, "1", "id")             \
  F(vec3, x, FIELD_F64, 3, FIELD_STATE, "m", "follows from the id") \
  F(vec3, y, FIELD_F64, 3, FIELD_STATE, "m", "likewise")            \
  F(uint64_t, own, FIELD_U64, 1, FIELD_CARRIED, "1", "does not travel")

typedef struct {
  Table table;
  GRAIN_FIELDS(TABLE_COLUMN)
} Grains;

static const Field FIELDS[] = {
#define GRAIN_FIELD(...) TABLE_FIELD_OF(Grains, __VA_ARGS__)
    GRAIN_FIELDS(GRAIN_FIELD)
#undef GRAIN_FIELD
};
static const TableSchema SCHEMA = TABLE_SCHEMA(Grains, FIELDS, "grains", GHOSTS_NONE, NULL);

enum { ROW_BYTES = 56 };   // of a row that travels

static int rank_of(uint64_t id, uint64_t salt)
{
  return (int)(hash_mix(id, salt) % (uint64_t)par_size());
}

static double number_of(uint64_t id, uint64_t salt)
{
  return (double)(hash_mix(id, salt) >> 11) * 0x1p-53;
}

static void fill_row(Grains *g, int row, uint64_t id)
{
  g->id[row] = id;
  g->x[row] = (vec3){number_of(id, 1), number_of(id, 2), number_of(id, 3)};
  g->y[row] = (vec3){number_of(id, 4), number_of(id, 5), number_of(id, 6)};
  g->own[row] = id;
}

static bool is_row_whole(const Grains *g, int row)
{
  const uint64_t id = g->id[row];
  return g->x[row].x == number_of(id, 1) && g->x[row].y == number_of(id, 2) &&
         g->x[row].z == number_of(id, 3) && g->y[row].x == number_of(id, 4) &&
         g->y[row].y == number_of(id, 5) && g->y[row].z == number_of(id, 6);
}

// Rows of the ids below count that a rank has: by hash, or all on the last one.
static int owner_of(uint64_t id, int deal) { return deal == 0 ? rank_of(id, 10) : par_size() - 1; }

static void deal_rows(Grains *g, int count, int deal)
{
  g->table.owned = g->table.count = 0;
  for (uint64_t id = 0; id < (uint64_t)count; id++) {
    if (owner_of(id, deal) != par_rank()) continue;
    table_reserve(&g->table, g->table.owned + 1);
    fill_row(g, g->table.owned, id);
    g->table.count = ++g->table.owned;
  }
  table_trim(&g->table);
}

// All rows are there once and whole, on the ranks where they belong.
static void check_rows(const Grains *g, int count, uint64_t salt)
{
  char *seen = memory_allocate_zero((size_t)count, 1);
  int twice = 0, cut = 0, elsewhere = 0;
  for (int i = 0; i < g->table.owned; i++) {
    twice += seen[g->id[i]]++ != 0;
    cut += !is_row_whole(g, i);
    elsewhere += rank_of(g->id[i], salt) != par_rank();
  }
  CHECK(twice == 0);
  CHECK(cut == 0);
  CHECK(elsewhere == 0);
  CHECK(par_sum(g->table.owned) == count);
  memory_free(seen);
}

// Rows that stay stand first, in their order, with what does not travel.
static void check_kept(const Grains *g, int deal, int kept)
{
  bool ascend = true, own = true;
  for (int i = 0; i < kept; i++) {
    ascend = ascend && (i == 0 || g->id[i - 1] < g->id[i]);
    own = own && g->own[i] == g->id[i] && owner_of(g->id[i], deal) == par_rank();
  }
  CHECK(ascend);
  CHECK(own);
}

static void migrate(int count, int deal)
{
  Grains g = {0};
  table_begin(&g.table, &SCHEMA);
  deal_rows(&g, count, deal);
  Arena arena = arena_new();
  int *destinations = arena_allocate(&arena, (size_t)g.table.owned * sizeof *destinations);
  int kept = 0;
  for (int i = 0; i < g.table.owned; i++) {
    destinations[i] = rank_of(g.id[i], 20);
    kept += destinations[i] == par_rank();
  }
  const int before = g.table.owned;
  const int left = migrate_rows(&g.table, destinations, FIELD_STATE, &arena);
  CHECK(left == before - kept);
  check_rows(&g, count, 20);
  check_kept(&g, deal, kept);
  const int room = g.table.owned + g.table.owned / 8;
  CHECK(g.table.capacity <= (room < 4096 ? 4096 + 4096 / 2 : room) || left == 0);
  arena_destroy(&arena);
  table_end(&g.table);
}

// A copy on other ranks, told who sent each row; beside many rows there is little memory.
static void bring(int count, bool is_large)
{
  Grains g = {0}, copy = {0};
  table_begin(&g.table, &SCHEMA);
  table_begin(&copy.table, &SCHEMA);
  table_keep_only(&copy.table, FIELD_STATE);
  deal_rows(&g, count, 0);
  Arena arena = arena_new();
  RowDestination *to = arena_allocate(&arena, (size_t)g.table.owned * sizeof *to);
  for (int i = 0; i < g.table.owned; i++) to[i] = (RowDestination){rank_of(g.id[i], 30), i};
  const int64_t live = memory_live_bytes();
  int32_t *senders;
  const RowShipment shipment = {&g.table, FIELD_STATE, g.table.owned, to};
  const int rows = row_exchange_bring(&copy.table, 0, &shipment, &senders, &arena);
  const int64_t taken = memory_peak_bytes() - live;
  copy.table.owned = copy.table.count = rows;
  check_rows(&copy, count, 30);
  int strangers = 0;
  for (int i = 0; i < rows; i++) strangers += owner_of(copy.id[i], 0) != senders[i];
  CHECK(strangers == 0);
  // with an eighth of room, senders, what a round sends and what comes of it
  const double allowed = 1.2 * rows * (ROW_BYTES + (double)sizeof *senders) + 8e6;
  if (is_large) {
    CHECK(allowed < 2.5 * rows * ROW_BYTES);   // one message to each rank would take 3
    CHECK((double)taken <= allowed);
  }
  memory_free(senders);
  arena_destroy(&arena);
  table_end(&copy.table);
  table_end(&g.table);
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  // some rounds on each rank, one round, fewer rows than ranks, none; most memory first, since its
  // peak is that of the whole program
  const int counts[] = {400000 * par_size(), 1000, 2, 0};
  for (int i = 0; i < 4; i++) {
    bring(counts[i], i == 0);
    for (int deal = 0; deal < 2; deal++) migrate(counts[i], deal);
  }
  CHECK(memory_live_bytes() == 0);
  const int code = test_report_parallel();
  par_end();
  return code;
}
