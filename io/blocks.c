#include "blocks.h"

#include <string.h>

#include "body_block.h"
#include "memory.h"
#include "row_exchange.h"

Messages blocks_exchange(const Table *table, int rows, const int *ranks, unsigned flags,
                         Arena *arena)
{
  RowDestination *to = arena_allocate(arena, (size_t)rows * sizeof *to);
  for (int i = 0; i < rows; i++) to[i] = (RowDestination){ranks[i], i};
  return rows_send(table, to, rows, flags, arena);
}

void blocks_append(Table *table, const Message *message, unsigned flags)
{
  const Messages one = {1, (Message *)(uintptr_t)message};
  table->owned = table->count = rows_receive(table, table->count, one, flags);
}

// Puts row i at place[i], a permutation, together with its rank.
static void order_bodies(Blocks *blocks, Arena *arena)
{
  const int count = blocks->bodies.table.count;
  int *order = arena_allocate(arena, (size_t)count * sizeof *order);
  int32_t *rank = arena_allocate(arena, (size_t)count * sizeof *rank);
  for (int i = 0; i < count; i++) order[i] = -1;
  for (int i = 0; i < count; i++) {
    const uint64_t row = blocks->bodies.id[i] - blocks->first_body;
    if (row >= (uint64_t)count || order[row] >= 0)
      die("body %llu has two owners", (unsigned long long)blocks->bodies.id[i]);
    order[row] = i;
  }
  for (int i = 0; i < count; i++) rank[i] = blocks->body_rank[order[i]];
  if (count > 0) memcpy(blocks->body_rank, rank, (size_t)count * sizeof *rank);
  table_permute(&blocks->bodies.table, 0, count, order);
}

static void gather_bodies(Blocks *blocks, const Bodies *bodies, unsigned flags, Arena *arena)
{
  const int rows = bodies->table.owned;
  int *ranks = arena_allocate(arena, (size_t)rows * sizeof *ranks);
  for (int i = 0; i < rows; i++)
    ranks[i] = body_block_rank(blocks->body_count, bodies->id[i], par_size());
  const Messages received = blocks_exchange(&bodies->table, rows, ranks, flags, arena);

  const uint64_t end = body_block_first(blocks->body_count, par_rank() + 1, par_size());
  const int expected = (int)(end - blocks->first_body);
  blocks->body_rank = memory_allocate((size_t)expected * sizeof *blocks->body_rank);
  for (int m = 0; m < received.count; m++) {
    const int first = blocks->bodies.table.count;
    blocks_append(&blocks->bodies.table, &received.messages[m], flags);
    for (int i = first; i < blocks->bodies.table.count && i < expected; i++)
      blocks->body_rank[i] = received.messages[m].rank;
  }
  if (blocks->bodies.table.count != expected)
    die("%d bodies came for a block of %d", blocks->bodies.table.count, expected);
  order_bodies(blocks, arena);
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

static void gather_contacts(Blocks *blocks, const Contacts *contacts, unsigned flags, Arena *arena)
{
  const int rows = contacts->table.owned;
  int *ranks = arena_allocate(arena, (size_t)rows * sizeof *ranks);
  for (int i = 0; i < rows; i++)
    ranks[i] = body_block_rank(blocks->body_count, contacts->bodies[i].low, par_size());
  const Messages received = blocks_exchange(&contacts->table, rows, ranks, flags, arena);
  for (int m = 0; m < received.count; m++)
    blocks_append(&blocks->contacts.table, &received.messages[m], flags);

  const int count = blocks->contacts.table.count;
  int *order = arena_allocate(arena, (size_t)count * sizeof *order);
  int *scratch = arena_allocate(arena, (size_t)count * sizeof *scratch);
  int32_t *owner = arena_allocate(arena, (size_t)count * sizeof *owner);
  const size_t bytes = table_packed_bytes(&contacts->table, flags);
  for (int m = 0, at = 0; m < received.count; m++)
    for (size_t i = 0; i < received.messages[m].bytes / bytes; i++, at++)
      owner[at] = received.messages[m].rank;
  for (int i = 0; i < count; i++) order[i] = i;
  order = merge_runs(&blocks->contacts, order, scratch, count);
  blocks->contact_rank = memory_allocate((size_t)count * sizeof *blocks->contact_rank);
  for (int i = 0; i < count; i++) blocks->contact_rank[i] = owner[order[i]];
  table_permute(&blocks->contacts.table, 0, count, order);
}

void blocks_gather(Blocks *blocks, const Bodies *bodies, const Contacts *contacts,
                   uint64_t body_count, unsigned body_flags, unsigned contact_flags)
{
  *blocks = (Blocks){.body_count = body_count};
  bodies_begin(&blocks->bodies);
  contacts_begin(&blocks->contacts);
  blocks->first_body = body_block_first(body_count, par_rank(), par_size());
  Arena arena = arena_new();
  gather_bodies(blocks, bodies, body_flags, &arena);
  gather_contacts(blocks, contacts, contact_flags, &arena);
  arena_destroy(&arena);
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
