#pragma once
// What drystone quality says: tables for people, one JSON text for programs. Local.
#include "quality_suite.h"

typedef struct {
  const QualityScenes *scenes;
  QualityResults results;
  const char *missing[CUT_COUNT];   // why a cut was left out; NULL: it was not
} QualityReport;

// Whether all scores with a bar hold.
bool quality_report_holds(const QualityReport *report);

void quality_print_text(const QualityReport *report);
void quality_print_json(const QualityReport *report);
