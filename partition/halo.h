#pragma once
// Ghosts: copies of other ranks' rows where boxes meet, and reusable plans that refresh them.
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "table.h"
#include "vec3.h"

// Who sends which rows to whom; rows may be of any column with one entry per row of the table.
typedef struct {
  int neighbour_count;
  int *ranks;           // [neighbour_count], ascending
  int *send_start;      // [neighbour_count + 1] into send_rows
  int *send_rows;       // own rows, in the order both sides agreed on
  int *receive_start;   // [neighbour_count + 1] into receive_rows
  int *receive_rows;    // ghost rows
} HaloPlan;

typedef struct {
  vec3 low, high;
} HaloBox;   // closed

// What a rebuild found. All memory from the arena it was given.
typedef struct {
  HaloPlan plan;   // all mirrors to all ghosts
  int ghost_count;
  int *ghost_ranks;   // [ghost_count] owner of ghost row owned + i
} Halo;

// Collective. Drops the table's ghosts and fetches new ones: every row of another rank whose box
// meets the boxes of this rank's attracting rows. boxes[owned], attracts[owned] (a row that needs
// to see others: a dynamic body). flags: fields that travel. id_column: address of the column
// pointer of the uint64_t ids (it may move as the table grows).
Halo halo_rebuild(Table *table, uint64_t *const *id_column, const HaloBox *boxes,
                  const unsigned char *attracts, unsigned flags, Arena *arena);

// Collective among neighbours. Copies data (row_bytes per row of the table) from mirrors to ghosts.
void halo_refresh(const HaloPlan *plan, void *data, size_t row_bytes, Arena *arena);

// A request to refresh one row of this rank on another rank, at one of several numbered times.
typedef struct {
  int rank, slot, row;
  uint64_t id;
} HaloRequest;

// Collective. Sorts requests (own row to rank, in slot) into one plan per slot and tells the
// receivers; ghost rows are found by id through ids/owned/count. plans[slot_count] are filled; the
// same slot_count on all ranks.
void halo_plans_of_requests(HaloRequest *requests, int count, int slot_count, const uint64_t *ids,
                            int owned, int rows, HaloPlan *plans, Arena *arena);
