#pragma once
// How good contact points are: Erleben's quality, coverage and excess, and areas against true
// polygons. Local.
#include "quality_points.h"
#include "quality_setup.h"

typedef struct {
  int points, least_points;   // found, and needed to say all
  int failed;                 // pairs of parts without a patch
  double quality;             // share of points whose normal is feasible, percent
  double coverage;            // share of all feasible normals that were found, percent
  double worst_normal;        // largest distance of a normal from the nearest feasible one, 1
  double mean_cosine;         // Q: mean of |n.n_true|
  bool has_area;              // of some contact
  double true_area;           // of all contacts, m2
  double area_ratio;          // P: areas of the hulls of each contact's points, their sum over that
                              // of the true polygons; 1 without area
  double low_ratio, high_ratio;   // smallest and largest such ratio among contacts, and 1
  double carried_ratio;           // areas that the points carry over those of the true polygons
  double low_carried;             // smallest such ratio among contacts, and 1
  double tributary_error;         // largest difference of a contact's tributary areas from its
                                  // hull's, relative to the true area
  double low_gap, high_gap;       // m
} QualityScore;

// A scene as it is shown.
typedef struct {
  const QualityScenes *scenes;
  const QualityScene *scene;
  const QualitySetup *setup;
} ShownScene;

// Score of a scene by what a finder finds. A normal is right that is as near to a feasible one as
// tolerance says. Normals count only if they look into the right body; points between bodies that
// do not touch are wrong.
QualityScore quality_score(const ShownScene *shown, const QualityFinder *finder, double tolerance,
                           Arena *arena);

// Points found over those needed.
double quality_excess(const QualityScore *score);

// The worse of two in everything.
QualityScore quality_score_worse(const QualityScore *a, const QualityScore *b);
