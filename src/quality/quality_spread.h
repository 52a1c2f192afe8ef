#pragma once
// How the scores of the eight methods and of the contact models are spread over random turns of
// each scene: with bodies that touch, that overlap, and after a step. Local.
#include "quality_methods.h"

typedef enum { STATE_TOUCHING, STATE_OVERLAP, STATE_STEP, STATE_COUNT } SpreadState;

#define SPREAD_METHODS (METHOD_COUNT * WORDING_COUNT)
#define SPREAD_ROWS (SPREAD_METHODS + CONTACT_MODEL_COUNT)

// What finds the points of a row of the table: a method in the program's or in the text's wording,
// or a contact model.
typedef struct {
  bool is_method;
  MethodRule rule;   // the program's in single precision, the text's in double
  ContactModel model;
} SpreadRow;

SpreadRow quality_spread_row(int row);

typedef struct {
  double low, middle, high;
} SpreadValues;

typedef struct {
  int scene, row;
  SpreadState state;
  bool printed;   // scored by the normal that Table 4 prints for two tips, and not by the other one
  bool has_area;
  SpreadValues quality, coverage;   // percent; quality is 0 where no point is found
  SpreadValues excess, points;      // factor; number
  SpreadValues area_ratio;          // P
} SpreadEntry;

typedef struct {
  int turns;       // of each scene
  uint64_t seed;   // of the turns
  int scenes;      // the first scenes alone; SCENE_COUNT: all
  double within;   // distance from a right normal up to which one is right, 1
} SpreadRuns;

typedef struct {
  int count;
  SpreadEntry *entries;   // by scene, state, printed, row; arena
} SpreadResults;

// fillings: tetrahedra of every solid of these scenes.
SpreadResults quality_spread_run(const QualityScenes *scenes, const QualityFilling *fillings,
                                 const SpreadRuns *runs, Arena *arena);
