// Colours of pairs: proper, few, and the same on any number of ranks as on one.
#include <stdlib.h>

#include "colour.h"
#include "harness.h"
#include "hash.h"
#include "parallel.h"

enum { BODIES = 300, PAIRS = 900 };

// a random graph with a hub; every seventh body is fixed
static bool is_fixed(uint64_t id) { return id % 7 == 3; }

static IdPair pair_of(int k)
{
  uint64_t a = hash_mix((uint64_t)k, 1) % BODIES, b = hash_mix((uint64_t)k, 2) % BODIES;
  if (k % 9 == 0) a = 100;
  if (a == b) b = (b + 1) % BODIES;
  return id_pair_of(a, b);
}

static int owner_of(uint64_t id, int size) { return (int)(hash_mix(id, 17) % (uint64_t)size); }

static int compare_pairs(const void *a, const void *b)
{
  return id_pair_compare(*(const IdPair *)a, *(const IdPair *)b);
}

// the greedy rule in its plainest form, on all pairs at once
static int serial_colours(const IdPair *pairs, int count, int *colours)
{
  int colour_count = 0;
  for (int i = 0; i < count; i++) colours[i] = -1;
  for (int done = 0; done < count; done++) {
    int best = -1;
    for (int i = 0; i < count; i++)
      if (colours[i] < 0 && (best < 0 || hash_mix(pairs[i].low, pairs[i].high) >
                                             hash_mix(pairs[best].low, pairs[best].high)))
        best = i;
    unsigned char taken[2 * PAIRS] = {0};
    for (int i = 0; i < count; i++) {
      if (colours[i] < 0) continue;
      const uint64_t mine[2] = {pairs[best].low, pairs[best].high},
                     other[2] = {pairs[i].low, pairs[i].high};
      for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
          if (mine[a] == other[b] && !is_fixed(mine[a])) taken[colours[i]] = 1;
    }
    int colour = 0;
    while (taken[colour]) colour++;
    colours[best] = colour;
    if (colour + 1 > colour_count) colour_count = colour + 1;
  }
  return colour_count;
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  const int rank = par_rank(), size = par_size();
  Arena arena = arena_new();

  // distinct pairs with at least one dynamic body
  IdPair all[PAIRS];
  int count = 0;
  for (int k = 0; k < PAIRS; k++) {
    const IdPair p = pair_of(k);
    if (!(is_fixed(p.low) && is_fixed(p.high))) all[count++] = p;
  }
  qsort(all, (size_t)count, sizeof *all, compare_pairs);
  int distinct = 0;
  for (int i = 0; i < count; i++)
    if (i == 0 || compare_pairs(&all[i], &all[distinct - 1]) != 0) all[distinct++] = all[i];
  int expected[PAIRS];
  const int expected_count = serial_colours(all, distinct, expected);

  // rows of own bodies, pairs this rank knows
  int row[BODIES], rows = 0;
  for (uint64_t id = 0; id < BODIES; id++) row[id] = owner_of(id, size) == rank ? rows++ : -1;
  ColourPair pairs[PAIRS];
  int known[PAIRS], known_count = 0;
  for (int i = 0; i < distinct; i++) {
    ColourPair p = {all[i], -1, -1, -1};
    const uint64_t ends[2] = {all[i].low, all[i].high};
    for (int e = 0; e < 2; e++) {
      if (is_fixed(ends[e])) continue;
      if (row[ends[e]] < 0) p.other_rank = owner_of(ends[e], size);
      else if (e == 0) p.low = row[ends[e]];
      else p.high = row[ends[e]];
    }
    if (p.low < 0 && p.high < 0) continue;
    known[known_count] = i;
    pairs[known_count++] = p;
  }
  const Colouring colouring = colour_pairs(pairs, known_count, rows, &arena);
  CHECK(colouring.colour_count == expected_count);
  for (int i = 0; i < known_count; i++) CHECK(colouring.colours[i] == expected[known[i]]);
  CHECK(expected_count >= 64);   // the hub needs more colours than one word holds

  const Colouring none = colour_pairs(pairs, 0, rows, &arena);
  CHECK(none.colour_count == 0);
  arena_destroy(&arena);
  const int code = test_report_parallel();
  par_end();
  return code;
}
