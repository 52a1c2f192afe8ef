#pragma once
// Plans of who sends which items to whom, made from the items to be sent; ragged rows.
#include "arena.h"
#include "halo.h"
#include "parallel.h"

typedef struct {
  int rank, row;
} PlanSend;

typedef struct {
  int count;
  int *rank;       // [count] source of each, ascending
  void *item;      // [count] what was said of each
  HaloPlan plan;   // its receive_rows count up from 0 in the order of the items
} PlanItems;

// Collective. Sorts the sends by rank and row and tells the receivers; item: what is said of row i,
// of item_bytes, at items + i * item_bytes. Returns what is received; the caller puts rows in the
// plan's receive_rows. All memory from the arena.
PlanItems amg_plan_exchange(PlanSend *sends, int count, const void *items, size_t item_bytes,
                            Arena *arena);

// Local. A plan without anybody.
HaloPlan amg_plan_empty(Arena *arena);

// Local. The same rows the other way: shares the arrays.
HaloPlan amg_plan_reversed(HaloPlan plan);

// Local. The plan of the entries [start[row], start[row + 1]) of the rows of a plan; receivers'
// rows are as long as the senders'.
HaloPlan amg_plan_of_entries(const HaloPlan *rows, const int *start, Arena *arena);

// Collective. Everybody's items in order of rank, on every rank; first[size + 1] where a rank's
// begin.
void *amg_plan_gather(const void *items, int count, size_t item_bytes, int *first, Arena *arena);
