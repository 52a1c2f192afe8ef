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
  int *rank;    // [count] source of each, ascending
  void *item;   // [count] what was said of each
} PlanItems;

// Collective. Sorts the sends by rank and row and tells the receivers; item: what is said of row i,
// of item_bytes, at items + i * item_bytes. The plan's receive_rows count up from 0 in the order of
// the items received: the caller puts rows there. All memory from the arena.
HaloPlan plan_exchange(PlanSend *sends, int count, const void *items, size_t item_bytes,
                       PlanItems *received, Arena *arena);

// Local. A plan without anybody.
HaloPlan plan_empty(Arena *arena);

// Local. The same rows the other way: shares the arrays.
HaloPlan plan_reversed(HaloPlan plan);

// Local. The plan of the entries [start[row], start[row + 1]) of the rows of a plan; receivers'
// rows are as long as the senders'.
HaloPlan plan_of_entries(const HaloPlan *rows, const int *start, Arena *arena);

// Collective. Everybody's items in order of rank, on every rank; first[size + 1] where a rank's
// begin.
void *gather_items(const void *items, int count, size_t item_bytes, int *first, Arena *arena);
