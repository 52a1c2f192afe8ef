// Counts what one rank holds, sends and does.
#include "rank_counts.h"

#include <assert.h>

#include "log.h"
#include "memory.h"
#include "parallel.h"

enum { LAST, SUM };

static const RankCount COUNTS[] = {
#define RANK_COUNT_ROW(name, how, unit, text) {#name, unit, text, how},
    RANK_COUNTS(RANK_COUNT_ROW)
#undef RANK_COUNT_ROW
};

RankCount rank_count_describe(int index)
{
  assert(index >= 0 && index < RANK_COUNT_NUMBER && "a count has a number");
  return COUNTS[index];
}

void rank_counts_traffic(RankCounts *counts)
{
  uint64_t *of = counts->of;
  const Traffic sweeps = par_traffic(TRAFFIC_SWEEPS), inner = par_traffic(TRAFFIC_INNER);
  Traffic all = par_traffic(TRAFFIC_OTHER);
  all.messages += sweeps.messages + inner.messages;
  all.bytes += sweeps.bytes + inner.bytes;
  all.collectives += sweeps.collectives + inner.collectives;
  all.collective_bytes += sweeps.collective_bytes + inner.collective_bytes;
  of[RANK_COUNT_messages] = (uint64_t)all.messages;
  of[RANK_COUNT_bytes] = (uint64_t)all.bytes;
  of[RANK_COUNT_collectives] = (uint64_t)all.collectives;
  of[RANK_COUNT_collective_bytes] = (uint64_t)all.collective_bytes;
  of[RANK_COUNT_sweeps] = (uint64_t)sweeps.rounds;
  of[RANK_COUNT_sweep_messages] = (uint64_t)sweeps.messages;
  of[RANK_COUNT_sweep_bytes] = (uint64_t)sweeps.bytes;
  of[RANK_COUNT_sweep_collectives] = (uint64_t)sweeps.collectives;
  of[RANK_COUNT_inner] = (uint64_t)inner.rounds;
  of[RANK_COUNT_inner_messages] = (uint64_t)inner.messages;
  of[RANK_COUNT_inner_bytes] = (uint64_t)inner.bytes;
  of[RANK_COUNT_inner_collectives] = (uint64_t)inner.collectives;
  of[RANK_COUNT_wait] = (uint64_t)(1e9 * par_wait_seconds());
  of[RANK_COUNT_memory] = (uint64_t)memory_peak_bytes();
}

RankCounts rank_counts_since(const RankCounts *now, const RankCounts *before)
{
  RankCounts since = *now;
  for (int i = 0; i < RANK_COUNT_NUMBER; i++) {
    assert((!COUNTS[i].is_sum || now->of[i] >= before->of[i]) && "sums grow");
    if (COUNTS[i].is_sum) since.of[i] -= before->of[i];
  }
  return since;
}

void rank_counts_print(const RankCounts *counts)
{
  double low[RANK_COUNT_NUMBER], high[RANK_COUNT_NUMBER];
  int64_t sum[RANK_COUNT_NUMBER];
  for (int i = 0; i < RANK_COUNT_NUMBER; i++) {
    low[i] = -(double)counts->of[i];
    high[i] = (double)counts->of[i];
    sum[i] = (int64_t)counts->of[i];
  }
  par_max_many(low, RANK_COUNT_NUMBER);
  par_max_many(high, RANK_COUNT_NUMBER);
  par_sum_many(sum, RANK_COUNT_NUMBER);
  if (par_rank() != 0) return;
  log_line("%-18s %6s %13s %15s %13s", "on a rank", "", "min", "mean", "max");
  for (int i = 0; i < RANK_COUNT_NUMBER; i++) {
    const char *unit = COUNTS[i].unit[0] == '1' ? "" : COUNTS[i].unit;
    log_line("%-18s %6s %13.0f %15.1f %13.0f", COUNTS[i].name, unit, -low[i],
             (double)sum[i] / par_size(), high[i]);
  }
}
