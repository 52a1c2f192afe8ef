// Messages by purpose: exchanges whose receivers know nothing, sums, agreement.
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "exact_sum.h"
#include "harness.h"
#include "hash.h"
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

// 0 where rank r writes nothing to rank s in a round, else the integers of the message and one more
static int length_of(int round, int r, int s)
{
  const uint64_t dice = hash_mix((uint64_t)round, (uint64_t)(1000 * r + s));
  // from nobody to everybody, a rank that writes to all, one that all write to
  const uint64_t often = (uint64_t)round % 11;
  const bool writes = dice % 10 < often || (round % 3 == 1 && r == 0) || (round % 3 == 2 && s == 0);
  return writes ? 1 + (int)(dice >> 33) % (round % 5 == 0 ? 20000 : 7) : 0;
}

// Random patterns, exchanged right after one another by ranks that are late at random, beside the
// dense table of who writes what to whom.
static void test_random_exchanges(void)
{
  Arena arena = arena_new();
  const int rank = par_rank(), size = par_size();
  for (int round = 0; round < 200; round++) {
    Message *sends = arena_allocate(&arena, (size_t)size * sizeof *sends);
    int count = 0;
    for (int s = size - 1; s >= 0; s--) {   // in no particular order
      const int length = length_of(round, rank, s);
      if (length == 0) continue;
      int *data = arena_allocate(&arena, (size_t)length * sizeof *data);
      for (int i = 0; i < length; i++)
        data[i] = (int)hash_mix((uint64_t)(round + i), 7) ^ (rank - s);
      sends[count++] = (Message){s, (size_t)(length - 1) * sizeof *data, data};
    }
    if (hash_mix((uint64_t)round, (uint64_t)rank) % 8 == 0) usleep(300);
    const Traffic before = par_traffic(TRAFFIC_OTHER);
    const Messages got = par_exchange(sends, count, &arena);

    int m = 0, sent = 0;
    for (int r = 0; r < size; r++) {
      sent += r != rank && length_of(round, rank, r) > 0;
      const int length = length_of(round, r, rank);
      if (length == 0) continue;
      if (!CHECK(m < got.count && got.messages[m].rank == r &&
                 got.messages[m].bytes == (size_t)(length - 1) * sizeof(int)))
        break;
      const int *data = got.messages[m++].data;
      int wrong = 0;
      for (int i = 0; i + 1 < length; i++)
        wrong += data[i] != ((int)hash_mix((uint64_t)(round + i), 7) ^ (r - rank));
      CHECK(wrong == 0);
    }
    CHECK(m == got.count);
    CHECK(par_traffic(TRAFFIC_OTHER).messages - before.messages == sent);
    arena_reset(&arena);
  }
  arena_destroy(&arena);
}

// messages and collective calls count where they serve, and nothing goes by uncounted
static void test_traffic(void)
{
  Arena arena = arena_new();
  const int many = par_size() > 1;
  const Traffic other = par_traffic(TRAFFIC_OTHER), sweeps = par_traffic(TRAFFIC_SWEEPS);
  CHECK(par_traffic_serves(TRAFFIC_SWEEPS) == TRAFFIC_OTHER);
  for (int i = 0; i < 3; i++) {
    par_traffic_rounds(1);
    par_max(1);
  }
  char bytes[40] = {0};
  const Message message = {(par_rank() + 1) % par_size(), sizeof bytes, bytes};
  par_exchange(&message, 1, &arena);
  CHECK(par_traffic_serves(TRAFFIC_OTHER) == TRAFFIC_SWEEPS);
  Traffic now = par_traffic(TRAFFIC_SWEEPS);
  CHECK(now.rounds - sweeps.rounds == 3);
  CHECK(now.messages - sweeps.messages == many && now.bytes - sweeps.bytes == 40 * many);
  // the exchange ends with a barrier
  CHECK(now.collectives - sweeps.collectives == 4 * many);
  CHECK(now.collective_bytes - sweeps.collective_bytes == 24 * many);
  now = par_traffic(TRAFFIC_OTHER);
  CHECK(now.messages == other.messages && now.collectives == other.collectives);

  par_sum(1);
  par_exclusive_sum(1);
  par_barrier();
  par_broadcast(bytes, 5, 0);
  char *all = arena_allocate(&arena, 2 * (size_t)par_size());
  par_all_gather(bytes, 2, all);
  CHECK(all_ok(true, "never shown"));
  now = par_traffic(TRAFFIC_OTHER);
  CHECK(now.collectives - other.collectives == 6 * many);
  const int given = 8 + 8 + (par_rank() == 0 ? 5 : 0) + 2 + 4;
  CHECK(now.collective_bytes - other.collective_bytes == given * many);
  CHECK(now.messages == other.messages && now.rounds == 0);

  // waiting is part of what the clock says
  const double waited = par_wait_seconds(), began = par_seconds();
  if (par_rank() == 0) usleep(20000);
  par_barrier();
  const double wait = par_wait_seconds() - waited;
  CHECK(many ? wait > 0 : wait == 0);
  CHECK(wait <= par_seconds() - began);
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

// Reductions of several kinds in one call, beside those of one kind each.
static void test_reduce(void)
{
  const int rank = par_rank(), size = par_size();
  for (uint64_t round = 0; round < 72; round++) {
    const int sum_count = (int)(round % 8), max_count = (int)(round / 8);
    int64_t sums[8] = {0}, sums_apart[8] = {0};
    double largest[8] = {0}, largest_apart[8] = {0};
    ExactSum exact = exact_sum_new(), exact_apart;
    ParFirst first = {.size = (double)(hash_mix(round, (uint64_t)rank) % 3),
                      .low = hash_mix(round + 100, (uint64_t)rank) % 3,
                      .high = (uint64_t)(size - rank)};
    for (int i = 0; i < 8; i++) {
      const uint64_t dice = hash_mix(round * 8 + (uint64_t)i, (uint64_t)(rank + 5000));
      sums[i] = sums_apart[i] = (int64_t)dice >> 8;
      largest[i] = (double)((int64_t)dice >> 20) * 0x1p-7;
      if (dice % 50 == 0) largest[i] = NAN;
      if (i == 7) largest[i] = rank % 2 == 0 ? 0.0 : -0.0;
      largest_apart[i] = largest[i];
      exact_sum_add(&exact, (double)sums[i] * 0x1p-40);
    }
    exact_apart = exact;
    const ParFirst own = first;
    const Reduction all[] = {{REDUCE_SUM, sums, sum_count},
                             {REDUCE_FIRST, &first, 1},
                             {REDUCE_MAX, largest, max_count},
                             exact_sum_reduction(&exact)};
    par_reduce(all, sizeof all / sizeof *all);
    par_sum_many(sums_apart, sum_count);
    par_max_many(largest_apart, max_count);
    exact_sum_reduce(&exact_apart, 1);
    CHECK(memcmp(sums, sums_apart, sizeof sums) == 0);
    for (int i = 0; i < 7; i++)
      CHECK(i < max_count ? largest[i] == largest_apart[i]
                          : memcmp(&largest[i], &largest_apart[i], sizeof(double)) == 0);
    if (max_count == 8) CHECK(largest[7] == 0 && !signbit(largest[7]));
    CHECK(exact_sum_value(&exact) == exact_sum_value(&exact_apart));

    ParFirst every[64];
    par_all_gather(&own, sizeof own, every);
    for (int r = 0; r < size; r++) CHECK(!par_comes_first(every[r], first));
    bool is_one = false;
    for (int r = 0; r < size; r++) is_one |= memcmp(&every[r], &first, sizeof first) == 0;
    CHECK(is_one);
  }
}

static void test_gather(void)
{
  Arena arena = arena_new();
  const int rank = par_rank(), size = par_size();
  char bytes[8];
  memset(bytes, 'a' + rank, sizeof bytes);
  size_t counts[64];
  const char *all = par_gather(bytes, (size_t)rank, counts, &arena);
  CHECK((all != NULL) == (rank == 0));
  if (all) {
    size_t at = 0;
    for (int r = 0; r < size; r++) {
      CHECK(counts[r] == (size_t)r);
      for (int i = 0; i < r; i++) CHECK(all[at++] == 'a' + r);
    }
  }

  // the same bytes to everybody, nothing among them
  int lengths[64], start = 0;
  for (int r = 0; r < size; r++) lengths[r] = r % 3 * 5;
  char *every = arena_allocate(&arena, (size_t)size * 10);
  char mine[10];
  memset(mine, 'A' + rank, sizeof mine);
  par_all_gather_uneven(mine, lengths, every, &arena);
  for (int r = 0; r < size; r++)
    for (int i = 0; i < lengths[r]; i++) CHECK(every[start++] == 'A' + r);
  CHECK(all_ok(true, "never shown"));
  CHECK(!all_ok(rank != size - 1, "expected message of the test, shown once"));
  arena_destroy(&arena);
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  test_exchange();
  test_random_exchanges();
  test_traffic();
  test_sums();
  test_reduce();
  test_gather();
  const int code = test_report_parallel();
  par_end();
  return code;
}
