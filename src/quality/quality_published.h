#pragma once
// What Erleben 2018 found for eight methods: Tables 7 and 8, and the coverage of Wall and Arch.
// Local.
#include "quality_scene.h"

#define PUBLISHED_METHODS 8

// NaN or -1: the text does not say, or there were no contacts.
typedef struct {
  double quality, coverage;   // percent
  double excess;              // factor
  double area_ratio;          // P of Wall and Arch
  int points;
} PublishedScore;

const char *quality_published_method(int method);

// A score of the text; false where it has none.
bool quality_published_score(int scene, int method, PublishedScore *score);

// How a score of the text was made, where it says less of the method than it seems to; NULL where
// there is nothing to say.
const char *quality_published_note(int scene, int method);

// The method that comes nearest to everything: the largest product of quality and coverage (of
// normals or of area, where the text has it), then the excess nearest to 1.
int quality_published_best(int scene, PublishedScore *score);
