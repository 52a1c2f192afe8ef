// Our search for the nearest places of two surfaces and FCL's nearest pair of the same surfaces, in
// turn: times, and whether our least gap is FCL's distance. FCL finds one pair, we find all local
// ones; it takes the surfaces as they are, we move them inwards, and a tip may be blunt by so much.
// Exit code 1 when they differ by more.
// test: needs g++ libfcl-dev
#include <fcl/fcl.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "peer_scenarios.h"

using Model = fcl::BVHModel<fcl::OBBRSSd>;

static const double BLUNT = 5e-3;    // m: corners of stones are no sharper
static const double EXACT = 1e-12;   // m: between faces and straight edges

// A closed mesh with each corner once.
static std::shared_ptr<Model> model_new(const double *corners, int count)
{
  std::map<std::tuple<double, double, double>, std::size_t> known;
  std::vector<fcl::Vector3d> points;
  std::vector<fcl::Triangle> triangles;
  std::size_t vertex[3];
  for (int t = 0; t < count; t++) {
    for (int k = 0; k < 3; k++) {
      const double *x = corners + 9 * (std::size_t)t + 3 * k;
      const auto added = known.insert({std::make_tuple(x[0], x[1], x[2]), points.size()});
      if (added.second) points.emplace_back(x[0], x[1], x[2]);
      vertex[k] = added.first->second;
    }
    triangles.emplace_back(vertex[0], vertex[1], vertex[2]);
  }
  auto model = std::make_shared<Model>();
  model->beginModel();
  model->addSubModel(points, triangles);
  model->endModel();
  return model;
}

static fcl::Transform3d pose_of(const double *rows, const double *center)
{
  fcl::Transform3d pose = fcl::Transform3d::Identity();
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) pose.linear()(i, j) = rows[3 * i + j];
    if (center) pose.translation()(i) = center[i];
  }
  return pose;
}

// Seconds for all poses.
static double find_distances(const Model &a, const Model &b, const PeerSurfaces *surfaces,
                             std::vector<double> &distances)
{
  const double begin = peer_clock();
  for (int i = 0; i < surfaces->pose_count; i++) {
    const double *pose = surfaces->poses + 21 * (std::size_t)i;
    fcl::DistanceRequestd request;
    fcl::DistanceResultd result;
    request.enable_nearest_points = true;
    distances[i] = fcl::distance(&a, pose_of(pose, nullptr), &b, pose_of(pose + 9, pose + 18),
                                 request, result);
  }
  return peer_clock() - begin;
}

static bool compare(int scenario, int poses, int repeats)
{
  PeerSurfaces *surfaces = peer_surfaces_new(scenario, poses);
  const auto a = model_new(surfaces->corners[0], surfaces->triangle_count[0]);
  const auto b = model_new(surfaces->corners[1], surfaces->triangle_count[1]);
  std::vector<double> our_us(repeats), their_us(repeats), gaps(poses), distances(poses);
  for (int r = 0; r < repeats; r++) {
    our_us[r] = 1e6 / poses * peer_surfaces_search(surfaces, gaps.data());
    their_us[r] = 1e6 / poses * find_distances(*a, *b, surfaces, distances);
  }
  double worst = 0;
  for (int i = 0; i < poses; i++) worst = std::max(worst, std::fabs(gaps[i] - distances[i]));
  const PeerSpread we = peer_spread(our_us.data(), repeats);
  const PeerSpread they = peer_spread(their_us.data(), repeats);
  const char *name = peer_surface_scenario_name(scenario);
  const bool stones = name[0] == 's' && name[1] == 't';
  const bool same = worst <= (stones ? BLUNT : EXACT);
  std::printf("%-14s %9.2f %9.2f %9.2f  %9.2f %9.2f %9.2f  %7.2f  %8.1e %s\n", name, we.median,
              we.low, we.high, they.median, they.low, they.high, they.median / we.median, worst,
              same ? "" : "GAPS DIFFER");
  std::fflush(stdout);
  peer_surfaces_destroy(surfaces);
  return same;
}

int main(int count, char **words)
{
  const int poses = peer_option(count, words, "--poses", 50);
  const int repeats = peer_option(count, words, "--repeats", 5);
  std::printf("us a pair of surfaces, %3d poses  lowest   highest        FCL    lowest   highest    "
              "ratio  least gap off by, m\n",
              poses);
  bool same = true;
  for (int scenario = 0; scenario < peer_surface_scenario_count(); scenario++)
    same = compare(scenario, poses, repeats) && same;
  return same ? 0 : 1;
}
