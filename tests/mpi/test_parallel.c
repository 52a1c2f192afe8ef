// Messages by purpose: exchanges whose receivers know nothing, sums, agreement.
#include <math.h>
#include <string.h>

#include "exact_sum.h"
#include "harness.h"
#include "parallel.h"

static void test_exchange(void)
{
  Arena arena = arena_new();
  const int rank = par_rank(), size = par_size();
  for (int round = 0; round < 50; round++) {
    // rank r writes to every rank s with (r + s + round) odd, r + 1 integers; also to itself
    Message *sends = arena_allocate(&arena, (size_t)size * sizeof *sends);
    int count = 0;
    for (int s = 0; s < size; s++) {
      if ((rank + s + round) % 2 == 0 && s != rank) continue;
      int *data = arena_allocate(&arena, (size_t)(rank + 1) * sizeof *data);
      for (int i = 0; i <= rank; i++) data[i] = 1000 * round + 10 * s + i;
      sends[count++] = (Message){s, (size_t)(rank + 1) * sizeof *data, data};
    }
    const Messages got = par_exchange(sends, count, &arena);
    int expected = 0;
    for (int r = 0; r < size; r++) expected += r == rank || (r + rank + round) % 2 != 0;
    CHECK(got.count == expected);
    for (int m = 0; m < got.count; m++) {
      const Message *message = &got.messages[m];
      CHECK(m == 0 || got.messages[m - 1].rank < message->rank);
      CHECK(message->bytes == (size_t)(message->rank + 1) * sizeof(int));
      const int *data = message->data;
      for (int i = 0; i <= message->rank; i++) CHECK(data[i] == 1000 * round + 10 * rank + i);
    }
    arena_reset(&arena);
  }
  const Messages none = par_exchange(NULL, 0, &arena);
  CHECK(none.count == 0);
  arena_destroy(&arena);
}

static void test_sums(void)
{
  const int rank = par_rank(), size = par_size();
  CHECK(par_sum(rank + 1) == size * (size + 1) / 2);
  CHECK(par_exclusive_sum(2) == 2 * rank);
  CHECK(par_max(rank) == size - 1 && par_min(rank) == 0);
  CHECK(par_any(rank == size - 1) && !par_all(rank != 0) && par_all(size > rank));
  double many[2] = {rank == 0 ? NAN : 1.0, -rank};
  par_max_many(many, 2);
  CHECK(many[0] > 1e308 && many[1] == 0);   // a NaN is not lost
  const Hash128 sum = par_sum_hash((Hash128){UINT64_MAX, (uint64_t)rank});
  CHECK(sum.low == (uint64_t)0 - (uint64_t)size);
  CHECK(sum.high == (uint64_t)(size * (size - 1) / 2 + size - 1));

  // the same numbers dealt to any number of ranks give the same sum
  ExactSum exact[2] = {exact_sum_new(), exact_sum_new()};
  for (int i = rank; i < 5000; i += size) {
    exact_sum_add(&exact[0], 1.0 / (i + 1));
    exact_sum_add(&exact[1], (i % 2 ? -1e10 : 1e10) / (i + 3));
  }
  exact_sum_reduce(exact, 2);
  double harmonic = 9.094508852984437;   // sum of 1/k, k = 1..5000
  CHECK_NEAR(exact_sum_value(&exact[0]), harmonic, 4e-12);
  ExactSum serial = exact_sum_new();
  for (int i = 4999; i >= 0; i--) exact_sum_add(&serial, (i % 2 ? -1e10 : 1e10) / (i + 3));
  CHECK(exact_sum_value(&exact[1]) == exact_sum_value(&serial));
}

static void test_gather(void)
{
  Arena arena = arena_new();
  const int rank = par_rank(), size = par_size();
  char block[8];
  memset(block, 'a' + rank, sizeof block);
  size_t counts[64];
  const char *all = par_gather(block, (size_t)rank, counts, &arena);
  CHECK((all != NULL) == (rank == 0));
  if (all) {
    size_t at = 0;
    for (int r = 0; r < size; r++) {
      CHECK(counts[r] == (size_t)r);
      for (int i = 0; i < r; i++) CHECK(all[at++] == 'a' + r);
    }
  }
  CHECK(all_ok(true, "never shown"));
  CHECK(!all_ok(rank != size - 1, "expected message of the test, shown once"));
  arena_destroy(&arena);
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  test_exchange();
  test_sums();
  test_gather();
  const int code = test_report_parallel();
  par_end();
  return code;
}
