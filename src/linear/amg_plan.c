// Plans of messages: who sends which items to whom.
#include "amg_plan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int compare_sends(const void *a, const void *b)
{
  const PlanSend *p = a, *q = b;
  if (p->rank != q->rank) return (p->rank > q->rank) - (p->rank < q->rank);
  return (p->row > q->row) - (p->row < q->row);
}

// one list of neighbours from those who get and those who give
static HaloPlan join(const PlanSend *sends, int count, const PlanItems *received, size_t room,
                     Arena *arena)
{
  HaloPlan plan = {.ranks = arena_allocate(arena, room * sizeof(int)),
                   .send_start = arena_allocate_zero(arena, room, sizeof(int)),
                   .send_rows = arena_allocate(arena, ((size_t)count + 1) * sizeof(int)),
                   .receive_start = arena_allocate_zero(arena, room, sizeof(int)),
                   .receive_rows =
                       arena_allocate(arena, ((size_t)received->count + 1) * sizeof(int))};
  int i = 0, k = 0;
  while (i < count || k < received->count) {
    const int to = i < count ? sends[i].rank : INT32_MAX;
    const int from = k < received->count ? received->rank[k] : INT32_MAX;
    const int rank = to < from ? to : from;
    for (; i < count && sends[i].rank == rank; i++) plan.send_rows[i] = sends[i].row;
    for (; k < received->count && received->rank[k] == rank; k++) plan.receive_rows[k] = k;
    plan.ranks[plan.neighbour_count++] = rank;
    plan.send_start[plan.neighbour_count] = i;
    plan.receive_start[plan.neighbour_count] = k;
  }
  return plan;
}

PlanItems amg_plan_exchange(PlanSend *sends, int count, const void *items, size_t item_bytes,
                            Arena *arena)
{
  assert(count >= 0 && (sends != NULL || count == 0) && "items have receivers");
  assert(item_bytes > 0 && "something is said of each row");
  if (count > 1) qsort(sends, (size_t)count, sizeof *sends, compare_sends);
  char *said = arena_allocate(arena, (size_t)count * item_bytes);
  Message *out = arena_allocate(arena, ((size_t)count + 1) * sizeof *out);
  int messages = 0;
  for (int i = 0; i < count; i++) {
    char *at = said + (size_t)i * item_bytes;
    memcpy(at, (const char *)items + (size_t)sends[i].row * item_bytes, item_bytes);
    if (i == 0 || sends[i].rank != sends[i - 1].rank)
      out[messages++] = (Message){sends[i].rank, 0, at};
    out[messages - 1].bytes += item_bytes;
  }
  const Messages in = par_exchange(out, messages, arena);

  size_t bytes = 0;
  for (int m = 0; m < in.count; m++) bytes += in.messages[m].bytes;
  PlanItems received = {.item = arena_allocate(arena, bytes),
                        .rank = arena_allocate(arena, (bytes / item_bytes + 1) * sizeof(int))};
  for (int m = 0; m < in.count; m++) {
    memcpy((char *)received.item + (size_t)received.count * item_bytes, in.messages[m].data,
           in.messages[m].bytes);
    for (size_t k = 0; k < in.messages[m].bytes / item_bytes; k++)
      received.rank[received.count++] = in.messages[m].rank;
  }
  received.plan = join(sends, count, &received, (size_t)messages + (size_t)in.count + 1, arena);
  return received;
}

HaloPlan amg_plan_empty(Arena *arena)
{
  int *zero = arena_allocate_zero(arena, 1, sizeof *zero);
  return (HaloPlan){0, zero, zero, zero, zero, zero};
}

HaloPlan amg_plan_reversed(HaloPlan plan)
{
  return (HaloPlan){plan.neighbour_count, plan.ranks,      plan.receive_start,
                    plan.receive_rows,    plan.send_start, plan.send_rows};
}

// one side of a plan of entries
static void expand(int neighbours, const int *row_start, const int *rows, const int *start,
                   int **entry_start, int **entries, Arena *arena)
{
  assert(neighbours >= 0 && row_start[0] == 0 && "the first neighbour's rows come first");
  int total = 0;
  for (int k = 0; k < row_start[neighbours]; k++) total += start[rows[k] + 1] - start[rows[k]];
  *entry_start = arena_allocate_zero(arena, (size_t)neighbours + 1, sizeof(int));
  *entries = arena_allocate(arena, ((size_t)total + 1) * sizeof(int));
  int at = 0;
  for (int n = 0; n < neighbours; n++) {
    for (int k = row_start[n]; k < row_start[n + 1]; k++)
      for (int e = start[rows[k]]; e < start[rows[k] + 1]; e++) (*entries)[at++] = e;
    (*entry_start)[n + 1] = at;
  }
}

HaloPlan amg_plan_of_entries(const HaloPlan *rows, const int *start, Arena *arena)
{
  assert(rows->neighbour_count >= 0 && start != NULL && "rows have entries");
  HaloPlan plan = {.neighbour_count = rows->neighbour_count, .ranks = rows->ranks};
  expand(rows->neighbour_count, rows->send_start, rows->send_rows, start, &plan.send_start,
         &plan.send_rows, arena);
  expand(rows->neighbour_count, rows->receive_start, rows->receive_rows, start, &plan.receive_start,
         &plan.receive_rows, arena);
  return plan;
}

void *amg_plan_gather(const void *items, int count, size_t item_bytes, int *first, Arena *arena)
{
  assert(count >= 0 && first != NULL && "items are counted by rank");
  const size_t size = (size_t)par_size();
  int *counts = arena_allocate(arena, size * sizeof *counts);
  par_all_gather(&count, sizeof count, counts);
  int most = 0;
  first[0] = 0;
  for (size_t r = 0; r < size; r++) {
    if (counts[r] > most) most = counts[r];
    first[r + 1] = first[r] + counts[r];
  }

  // equal blocks, then without the gaps
  const size_t block = (size_t)most * item_bytes;
  char *mine = arena_allocate_zero(arena, 1, block + 1);
  if (count) memcpy(mine, items, (size_t)count * item_bytes);
  char *all = arena_allocate(arena, size * block + 1);
  par_all_gather(mine, block, all);
  for (size_t r = 1; r < size; r++)
    if (counts[r])
      memmove(all + (size_t)first[r] * item_bytes, all + r * block, (size_t)counts[r] * item_bytes);
  return all;
}
