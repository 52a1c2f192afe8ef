// Reads time.until.
#include "case_until.h"

#include <assert.h>

#include "case_selection.h"

#define USUAL_EVERY 10   // steps between looks

UntilSettings case_read_until(CaseReader *reader, const CaseNode *node, bool stage)
{
  assert(reader != NULL && "a case is read");
  static const char *const keys[] = {"unbalanced", "displacement", "energy", "unconverged",
                                     "every",      "on",           NULL};
  static const char *const stage_keys[] = {"time",        "unbalanced", "displacement", "energy",
                                           "unconverged", "every",      "opening",      "force",
                                           "on",          NULL};
  static const NumberRule time = {1e-12, 1e12, "a time from 1e-12 to 1e12 s"};
  static const NumberRule share = {1e-15, 1, "a share of forces from 1e-15 to 1"};
  static const NumberRule distance = {1e-15, 1e9, "a distance from 1e-15 to 1e9 m"};
  static const NumberRule energy = {1e-30, 1e30, "an energy from 1e-30 to 1e30 J"};
  UntilSettings until = {.given = false};
  if (!node) return until;
  const CaseNode *mapping = case_value_mapping(reader, node, stage ? stage_keys : keys);
  until.time = case_value_number(reader, case_tree_find(mapping, "time"), &time, 0);
  until.unbalanced = case_value_number(reader, case_tree_find(mapping, "unbalanced"), &share, 0);
  until.displacement =
      case_value_number(reader, case_tree_find(mapping, "displacement"), &distance, 0);
  until.energy = case_value_number(reader, case_tree_find(mapping, "energy"), &energy, 0);
  until.unconverged =
      (int)case_value_integer(reader, case_tree_find(mapping, "unconverged"), 1, 2147483647, 0);
  until.every =
      (int)case_value_integer(reader, case_tree_find(mapping, "every"), 1, 2147483647, USUAL_EVERY);
  const bool supports =
      stage && (case_tree_find(mapping, "opening") || case_tree_find(mapping, "force"));
  until.given = supports || until.time > 0 || until.unbalanced > 0 || until.displacement > 0 ||
                until.energy > 0 || until.unconverged > 0;
  if (!reader->failed && !until.given)
    case_tree_fail(reader, node,
                   "expected one of %sunbalanced, displacement, energy and unconverged",
                   stage ? "time, " : "");
  return until;
}

void case_until_name(CaseReader *reader, const CaseNode *node, Case *c)
{
  assert((reader->failed || c->group_count > 0) && "bodies are read before those who name them");
  const CaseNode *on = case_tree_find(node, "on");
  if (!on || reader->failed) return;
  if (!(c->until.displacement > 0))
    case_tree_fail(reader, on, "bodies whose 'displacement' ends the run, and it is not given");
  BodySelector selector = case_selection_begin(reader, c);
  c->until.on = case_selection_read(&selector, on, SELECTION_DYNAMIC);
}
