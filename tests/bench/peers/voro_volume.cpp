// Our intersection of two convex solids and a cell of voro++ cut by the same planes, in turn:
// times, and how much the volumes differ. Exit code 1 when they do.
// test: needs g++ voro++-dev
#include <voro++/voro++.hh>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "peer_scenarios.h"

static const int BATCH = 250;            // pairs in place at once, as in drystone bench
static const double AGREEMENT = 1e-11;   // m3; sides are about 1 m

static double volume_of(voro::voronoicell &cell, const PeerPair &pair)
{
  const double *half = pair.half;
  if (!(half[0] > 0 && half[1] > 0 && half[2] > 0)) return 0;
  cell.init(-half[0], half[0], -half[1], half[1], -half[2], half[2]);
  for (int i = 0; i < pair.plane_count; i++) {
    const double *plane = pair.planes + 4 * i;
    if (!cell.plane(plane[0], plane[1], plane[2], 2 * plane[3])) return 0;
  }
  return cell.volume();
}

static bool compare(int scenario, int count, int repeats)
{
  PeerBatch *batch = peer_batch_new(scenario, count);
  std::vector<double> our_times(repeats), their_times(repeats), ours(BATCH), theirs(BATCH);
  voro::voronoicell cell;
  double farthest = 0;
  int differ = 0;
  for (int r = 0; r < repeats; r++) {
    double our_seconds = 0, their_seconds = 0;
    for (int first = 0; first < count; first += BATCH) {
      const int size = std::min(BATCH, count - first);
      const PeerPair *pairs = peer_batch_place(batch, first, size);
      our_seconds += peer_batch_volumes(batch, ours.data());
      const double begin = peer_clock();
      for (int i = 0; i < size; i++) theirs[i] = volume_of(cell, pairs[i]);
      their_seconds += peer_clock() - begin;
      for (int i = 0; i < size && r == 0; i++) {
        const double apart = std::fabs(ours[i] - theirs[i]);
        farthest = std::max(farthest, apart);
        differ += !(apart <= AGREEMENT);
      }
    }
    our_times[r] = 1e9 * our_seconds / count;
    their_times[r] = 1e9 * their_seconds / count;
  }
  peer_batch_destroy(batch);
  const PeerSpread we = peer_spread(our_times.data(), repeats);
  const PeerSpread they = peer_spread(their_times.data(), repeats);
  std::printf("%-18s %10d  %9.1f %9.1f %9.1f  %9.1f %9.1f %9.1f  %7.2f  ",
              peer_pair_scenario_name(scenario), count, we.median, we.low, we.high, they.median, they.low,
              they.high, they.median / we.median);
  if (differ > 0) std::printf("%d VOLUMES DIFFER, by up to %.1e m3\n", differ, farthest);
  else std::printf("volumes within %.1e m3\n", farthest);
  std::fflush(stdout);
  return differ == 0;
}

int main(int count, char **words)
{
  const int pairs = peer_option(count, words, "--pairs", 20000);
  const int repeats = peer_option(count, words, "--repeats", 5);
  std::printf("volume of two solids, ns         pairs       ours    lowest   highest     voro++    "
              "lowest   "
              "highest    ratio\n");
  bool equal = true;
  for (int scenario = 0; scenario < peer_pair_scenario_count(); scenario++)
    equal = compare(scenario, pairs, repeats) && equal;
  return equal ? 0 : 1;
}
