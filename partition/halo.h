#pragma once
// Ghosts: copies of other ranks' rows where boxes meet, and reusable plans that refresh them.
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "box.h"
#include "table.h"

// Who sends which rows to whom; rows may be of any column with one entry per row of the table.
typedef struct {
  int neighbour_count;
  int *ranks;           // [neighbour_count], ascending
  int *send_start;      // [neighbour_count + 1] into send_rows
  int *send_rows;       // own rows, in the order both sides agreed on
  int *receive_start;   // [neighbour_count + 1] into receive_rows
  int *receive_rows;    // ghost rows
} HaloPlan;

// What a rebuild found. All memory from the arena it was given.
typedef struct {
  HaloPlan plan;   // mirrors to ghosts, but for those of wide rows
  int ghost_count;
  int *ghost_ranks;   // [ghost_count] owner of ghost row owned + i
} Halo;

// Rows that ranks need wherever they are.
typedef struct {
  int count;
  const int *ranks, *rows;   // [count] an own row that a rank needs; by rank, then by row
  int wanted_count;
  const uint64_t *wanted;   // [wanted_count] ids that this rank needs, ascending, also those that
                            // nobody has
} HaloWishes;

typedef struct {
  Table *table;
  uint64_t *const *id_column;      // address of the column pointer of the ids: it may move
  const Box *boxes;                // [owned]
  const unsigned char *attracts;   // [owned] a row that needs to see others: a dynamic body
  unsigned flags;                  // fields that travel
  int most_copies;                 // see below, >= 0
  HaloWishes wishes;
} HaloRows;

// Collective. Drops the table's ghosts and fetches new ones: every row of another rank whose box
// meets the boxes of this rank's attracting rows, and those that it wants by their ids. A row that
// attracts nothing and may be needed by more than most_copies ranks is wide: it goes to all ranks
// at once and those that need it keep it, so that nobody has all others for neighbours. No plan has
// it.
Halo halo_rebuild(const HaloRows *rows, Arena *arena);

// Collective among neighbours. Copies data (row_bytes per row of the table) from mirrors to ghosts:
// one message to each neighbour that gets rows.
void halo_refresh(const HaloPlan *plan, void *data, size_t row_bytes, Arena *arena);

// A refresh under way.
typedef struct {
  const HaloPlan *plan;
  char *data, *in;
  size_t row_bytes;
  int pending;
  void *requests;
  Arena *arena;
  ArenaMark mark;
} HaloRefresh;

// Collective among neighbours. The same in two halves, with work between them that does not need
// the ghosts: mirrors may change as soon as the first has returned, ghosts are what they were until
// the second has. Several may be under way, begun in one order on all ranks and ended last first;
// at the end the arena is as it was at the beginning.
HaloRefresh halo_refresh_begin(const HaloPlan *plan, void *data, size_t row_bytes, Arena *arena);
void halo_refresh_end(const HaloRefresh *refresh);

// A request to refresh one row of this rank on another rank, at one of several numbered times.
typedef struct {
  int rank, slot, row;
  uint64_t id;
} HaloRequest;

typedef struct {
  int slot_count;   // the same on all ranks
  int count;
  HaloRequest *requests;   // [count] own row to rank, in slot; sorted where plans are made of them
} HaloRequests;

// Rows by which ghosts are found.
typedef struct {
  int owned, count;
  const uint64_t *ids;   // [count] those of ghosts ascend
} HaloIds;

// Collective. Sorts requests into one plan per slot and tells the receivers, who find the ghosts.
// plans[slot_count] are filled.
void halo_plans_of_requests(HaloRequests requests, HaloIds ids, HaloPlan *plans, Arena *arena);
