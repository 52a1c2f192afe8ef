#include "blocks.h"

#include <stdlib.h>
#include <string.h>

#include "body_block.h"
#include "memory.h"
#include "row_exchange.h"

typedef struct {
  uint64_t id;
  int row;
} Arrival;

static int compare_arrivals(const void *a, const void *b)
{
  const Arrival *p = a, *q = b;
  return (p->id > q->id) - (p->id < q->id);
}

// Sorts the bodies by id, each with the rank that sent it.
static void order_bodies(Blocks *blocks, const int32_t *sender, Arena *arena)
{
  const int count = blocks->bodies.table.count;
  Arrival *arrivals = arena_allocate(arena, (size_t)count * sizeof *arrivals);
  int *order = arena_allocate(arena, (size_t)count * sizeof *order);
  for (int i = 0; i < count; i++) arrivals[i] = (Arrival){blocks->bodies.id[i], i};
  bool sorted = true;
  for (int i = 1; i < count && sorted; i++)
    sorted = compare_arrivals(&arrivals[i - 1], &arrivals[i]) <= 0;
  if (!sorted) qsort(arrivals, (size_t)count, sizeof *arrivals, compare_arrivals);
  for (int i = 0; i < count; i++) {
    if (i > 0 && arrivals[i].id == arrivals[i - 1].id)
      die("body %llu has two owners", (unsigned long long)arrivals[i].id);
    order[i] = arrivals[i].row;
    blocks->body_rank[i] = sender[order[i]];
  }
  table_permute(&blocks->bodies.table, 0, count, order);
}

// One rank: rows to itself need no messages, which take most of the time of a checkpoint.
static int32_t *copy_rows(Table *copy, const Table *table)
{
  const int rows = table->owned;
  table_reserve(copy, rows);
  copy->owned = copy->count = rows;
  for (int f = 0; f < copy->field_count; f++) {
    const Field *field = &copy->fields[f];
    if (rows > 0 && table_has(copy, field))
      memcpy(table_at(copy, field, 0), table_at(table, &table->fields[f], 0),
             (size_t)rows * field->row_bytes);
  }
  return memory_allocate_zero((size_t)rows + 1, sizeof(int32_t));   // all from rank 0
}

// Sends rows to their ranks, or copies them; who sent each row that has arrived (memory_free).
static int32_t *bring_rows(Table *copy, const Table *table, const int *ranks, unsigned flags,
                           Arena *arena)
{
  if (par_size() == 1) return copy_rows(copy, table);
  const int rows = table->owned;
  RowDestination *to = arena_allocate(arena, (size_t)rows * sizeof *to);
  for (int i = 0; i < rows; i++) to[i] = (RowDestination){ranks[i], i};
  int32_t *senders;
  copy->owned = copy->count = rows_bring(copy, 0, table, to, rows, flags, &senders, arena);
  return senders;
}

static void gather_bodies(Blocks *blocks, const Bodies *bodies, uint64_t id_count, unsigned flags,
                          Arena *arena)
{
  const int rows = bodies->table.owned;
  int *ranks = arena_allocate(arena, (size_t)rows * sizeof *ranks);
  BodyBlockCursor cursor = {.body_count = id_count, .size = par_size()};
  for (int i = 0; i < rows; i++) ranks[i] = body_block_find(&cursor, bodies->id[i]);
  int32_t *sender = bring_rows(&blocks->bodies.table, &bodies->table, ranks, flags, arena);
  const int count = blocks->bodies.table.count;
  blocks->body_rank = memory_allocate((size_t)count * sizeof *blocks->body_rank);
  order_bodies(blocks, sender, arena);
  memory_free(sender);
}

// Sorts row numbers by key, merging runs that are in order already: each sender's rows are. Returns
// order or scratch.
static int *merge_runs(const Contacts *contacts, int *order, int *scratch, int count)
{
  for (int runs = 2; runs > 1;) {
    runs = 0;
    for (int i = 0; i < count; runs++) {
      // two runs, [i, j) and [j, k)
      int j = i + 1;
      while (j < count && contacts_compare(contacts, order[j - 1], contacts, order[j]) <= 0) j++;
      int k = j < count ? j + 1 : j;
      while (k < count && contacts_compare(contacts, order[k - 1], contacts, order[k]) <= 0) k++;
      int a = i, b = j, at = i;
      while (a < j && b < k)
        scratch[at++] =
            contacts_compare(contacts, order[b], contacts, order[a]) < 0 ? order[b++] : order[a++];
      while (a < j) scratch[at++] = order[a++];
      while (b < k) scratch[at++] = order[b++];
      i = k;
    }
    int *merged = scratch;
    scratch = order;
    order = merged;
  }
  return order;
}

static void gather_contacts(Blocks *blocks, const Contacts *contacts, uint64_t id_count,
                            unsigned flags, Arena *arena)
{
  const int rows = contacts->table.owned;
  int *ranks = arena_allocate(arena, (size_t)rows * sizeof *ranks);
  BodyBlockCursor cursor = {.body_count = id_count, .size = par_size()};
  for (int i = 0; i < rows; i++) ranks[i] = body_block_find(&cursor, contacts->bodies[i].low);
  int32_t *owner = bring_rows(&blocks->contacts.table, &contacts->table, ranks, flags, arena);
  const int count = blocks->contacts.table.count;
  arena_give_back(arena);   // what was sent
  int *order = arena_allocate(arena, (size_t)count * sizeof *order);
  int *scratch = arena_allocate(arena, (size_t)count * sizeof *scratch);
  for (int i = 0; i < count; i++) order[i] = i;
  order = merge_runs(&blocks->contacts, order, scratch, count);
  blocks->contact_rank = memory_allocate((size_t)count * sizeof *blocks->contact_rank);
  for (int i = 0; i < count; i++) blocks->contact_rank[i] = owner[order[i]];
  memory_free(owner);
  table_permute(&blocks->contacts.table, 0, count, order);
}

// An empty table with the fields to copy.
static void begin_copy(Table *copy, const Table *table, unsigned flags)
{
  table_keep_only(copy, flags);
  table_leave_out_alike(copy, table);
}

void blocks_gather(Blocks *blocks, const Bodies *bodies, const Contacts *contacts,
                   uint64_t id_count, unsigned body_flags, unsigned contact_flags)
{
  *blocks = (Blocks){0};
  bodies_begin(&blocks->bodies);
  contacts_begin(&blocks->contacts);
  begin_copy(&blocks->bodies.table, &bodies->table, body_flags);
  begin_copy(&blocks->contacts.table, &contacts->table, contact_flags);
  Arena arena = arena_new();
  gather_bodies(blocks, bodies, id_count, body_flags, &arena);
  arena_destroy(&arena);
  gather_contacts(blocks, contacts, id_count, contact_flags, &arena);
  arena_destroy(&arena);
  blocks->first_body = (uint64_t)par_exclusive_sum(blocks->bodies.table.count);
  blocks->body_count = (uint64_t)par_sum(blocks->bodies.table.count);
  blocks->first_contact = (uint64_t)par_exclusive_sum(blocks->contacts.table.count);
  blocks->contact_count = (uint64_t)par_sum(blocks->contacts.table.count);
}

void blocks_end(Blocks *blocks)
{
  bodies_end(&blocks->bodies);
  contacts_end(&blocks->contacts);
  memory_free(blocks->body_rank);
  memory_free(blocks->contact_rank);
}
