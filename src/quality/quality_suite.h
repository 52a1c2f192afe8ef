#pragma once
// All variants of all scenes, their scores, and what is promised of them. Local.
#include "quality_score.h"

// What a variant's score is held against.
typedef enum {
  BAR_NONE,
  BAR_POINTS,   // all normals, no point too many or too few
  BAR_RIGHT,    // all normals, no point too many or too few, areas to SUITE_AREA
  BAR_TILTED   // the same of structures, with normals within the tilt, and areas that the points of
               // a contact carry to SUITE_TILTED_AREA (four points of two rectangles that are
               // turned against each other span less than these share)
} QualityBar;

#define SUITE_NORMAL 1e-9         // distance from the true normal that is rounding
#define SUITE_PAPER_NORMAL 1e-6   // 1 - |n.n_true| up to which Erleben's text is taken
#define SUITE_AREA 1e-9           // of the true area, in sum and of each contact
#define SUITE_TILTED_AREA 2e-3    // of the true area that each contact of tilted bodies may lose
#define SUITE_STEP 0.01           // s
#define SUITE_OVERLAP 1e-3        // growth of bodies

typedef enum { SUITE_ALL, SUITE_STRUCTURES, SUITE_PILLAR } QualityRange;

typedef struct {
  const char *group;     // variants one after another with the same heading stand side by side
  const char *heading;   // of the column
  const char *name;      // in full, for programs
  bool promised;         // the suite's own promise; others are there to compare with
  QualityBar bar;
  QualityRange range;
  ContactModel model;
  int runs;   // with other random numbers; the worst counts
  QualitySetup setup;
} QualityVariant;

typedef struct {
  const QualityVariant *variant;
  int scene;
  int parts;            // convex ones, of all bodies
  QualityScore score;   // the worst of the runs in everything
  bool judged;          // there is a bar
  bool holds;           // always without one
} QualityEntry;

typedef struct {
  int count;
  QualityEntry *entries;   // by variant, then by scene; arena
} QualityResults;

// Those of a case that says nothing, but for the margin, which is wider than the joints of stones
// that are turned by 1e-3 rad.
extern const PatchParameters QUALITY_SUITE_PARAMETERS;

int quality_suite_variants(const QualityVariant **variants);

// Runs what there are fillings for: fillings[cut] NULL leaves out the variants of that cut.
QualityResults quality_suite_run(const QualityScenes *scenes,
                                 const QualityFilling *const fillings[CUT_COUNT], Arena *arena);
