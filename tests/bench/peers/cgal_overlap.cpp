// Our box overlap and CGAL's box_intersection_d on the same boxes, in turn: times, and whether the
// sets of pairs are equal. Exit code 1 when they are not.
// test: needs g++ libcgal-dev
#include <CGAL/box_intersection_d.h>

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

#include "peer_scenarios.h"

using PeerBox = CGAL::Box_intersection_d::Box_with_info_d<double, 3, int>;
using Pairs = std::vector<std::pair<int32_t, int32_t>>;

static const std::ptrdiff_t CUTOFF = 1000;   // boxes that are scanned and not split

// Seconds. The boxes are built anew in every call, since CGAL changes their order; there is room
// for the pairs.
static double find_pairs(const double *boxes, int count, Pairs &pairs)
{
  const double begin = peer_clock();
  std::vector<PeerBox> items;
  items.reserve(count);
  for (int i = 0; i < count; i++) {
    double low[3], high[3];
    std::copy_n(boxes + 6 * (std::size_t)i, 3, low);
    std::copy_n(boxes + 6 * (std::size_t)i + 3, 3, high);
    items.emplace_back(low, high, i);
  }
  auto report = [&pairs](const PeerBox &p, const PeerBox &q) {
    pairs.emplace_back(p.info(), q.info());
  };
  CGAL::box_self_intersection_d(items.begin(), items.end(), report, CUTOFF,
                                CGAL::Box_intersection_d::CLOSED);
  return peer_clock() - begin;
}

static bool sets_are_equal(const int32_t *ours, int64_t count, Pairs &theirs)
{
  if (count != (int64_t)theirs.size()) return false;
  for (auto &pair : theirs)
    if (pair.first > pair.second) std::swap(pair.first, pair.second);
  std::sort(theirs.begin(), theirs.end());
  for (int64_t i = 0; i < count; i++)
    if (ours[2 * i] != theirs[i].first || ours[2 * i + 1] != theirs[i].second) return false;
  return true;
}

static bool compare(int scenario, int count, int repeats)
{
  double *boxes = peer_boxes(scenario, count);
  std::vector<double> our_seconds(repeats), their_seconds(repeats);
  bool equal = true;
  int64_t pair_count = 0;
  for (int r = 0; r < repeats; r++) {
    int32_t *ours = peer_box_pairs(boxes, count, &pair_count, &our_seconds[r]);
    Pairs theirs;
    theirs.reserve(pair_count);
    their_seconds[r] = find_pairs(boxes, count, theirs);
    equal = sets_are_equal(ours, pair_count, theirs) && equal;
    peer_free(ours);
  }
  const PeerSpread we = peer_spread(our_seconds.data(), repeats);
  const PeerSpread they = peer_spread(their_seconds.data(), repeats);
  std::printf("%-18s %10lld  %9.4f %9.4f %9.4f  %9.4f %9.4f %9.4f  %7.2f  %s\n",
              peer_box_scenario_name(scenario), (long long)pair_count, we.median, we.low, we.high,
              they.median, they.low, they.high, they.median / we.median,
              equal ? "same pairs" : "PAIRS DIFFER");
  std::fflush(stdout);
  peer_free(boxes);
  return equal;
}

int main(int count, char **words)
{
  const int boxes = peer_option(count, words, "--boxes", 1000000);
  const int repeats = peer_option(count, words, "--repeats", 5);
  std::printf(
      "overlap of %d boxes, s      pairs       ours    lowest   highest       CGAL    lowest   "
      "highest    ratio\n",
      boxes);
  bool equal = true;
  for (int scenario = 0; scenario < peer_box_scenario_count(); scenario++)
    equal = compare(scenario, boxes, repeats) && equal;
  return equal ? 0 : 1;
}
