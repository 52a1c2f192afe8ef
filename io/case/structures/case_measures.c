// Reads keys that several structures have, and refuses measures by their keys.
#include "case_measures.h"

#include <assert.h>
#include <string.h>

int case_measures_word(CaseReader *reader, const CaseNode *node, const char *const *words,
                       int fallback)
{
  if (reader->failed || !node) return fallback;
  int count = 0;
  for (; words[count]; count++)
    if (case_value_is_word(node, words[count])) return count;
  char expected[256], found[TREE_FOUND_BYTES];
  case_value_join(words, count, expected, sizeof expected);
  case_tree_fail(reader, node, "expected one of %s, found %s", expected,
                 case_tree_found(node, found));
  return fallback;
}

const CaseNode *case_measures_either(CaseReader *reader, const CaseNode *mapping,
                                     const char *const names[2], bool required)
{
  const CaseNode *first = case_tree_find(mapping, names[0]);
  const CaseNode *second = case_tree_find(mapping, names[1]);
  if (first && second)
    case_tree_fail_key(reader, second, "the same as '%s', which is there too", names[0]);
  if (first || second) return first ? first : second;
  return required ? case_value_require(reader, mapping, names[0]) : NULL;
}

double case_measures_length(CaseReader *reader, const CaseNode *mapping, const char *key)
{
  return case_value_number(reader, case_value_require(reader, mapping, key), &CASE_VALUE_LENGTH, 1);
}

int case_measures_count(CaseReader *reader, const CaseNode *mapping, const char *key)
{
  return (int)case_value_integer(reader, case_value_require(reader, mapping, key), 1,
                                 STRUCTURE_MOST, 1);
}

RingMeasures case_measures_ring(CaseReader *reader, const CaseNode *mapping, double span)
{
  static const char *const forms[] = {"semicircular", "segmental", "pointed", NULL};
  static const char *const counts[2] = {"voussoirs", "n"};
  const CaseNode *rise = case_tree_find(mapping, "rise"), *form = case_tree_find(mapping, "form");
  RingMeasures ring = {.span = span};
  ring.form =
      (RingForm)case_measures_word(reader, form, forms, rise ? RING_SEGMENTAL : RING_SEMICIRCULAR);
  if (!reader->failed && ring.form != RING_SEMICIRCULAR && !rise && mapping)
    case_value_require(reader, mapping, "rise");
  ring.rise = case_value_number(reader, rise, &CASE_VALUE_LENGTH, 0.5 * span);
  ring.thickness = case_measures_length(reader, mapping, "thickness");
  ring.voussoirs = (int)case_value_integer(
      reader, case_measures_either(reader, mapping, counts, true), 1, STRUCTURE_MOST, 1);
  if (!reader->failed && ring.form == RING_SEMICIRCULAR && ring.rise != 0.5 * span)
    case_tree_fail(reader, rise, "a semicircular arch rises by half its span, %g m", 0.5 * span);
  return ring;
}

void case_measures_refuse(CaseReader *reader, const CaseNode *mapping, StructureFault fault)
{
  assert(fault.key != NULL && fault.reason != NULL && "a fault has a key and a reason");
  static const char *const others[][2] = {{"voussoirs", "n"}, {"depth", "width"}};
  const CaseNode *node = case_tree_find(mapping, fault.key);
  for (int i = 0; !node && i < 2; i++)
    if (strcmp(fault.key, others[i][0]) == 0) node = case_tree_find(mapping, others[i][1]);
  if (node) case_tree_fail(reader, node, "%s", fault.reason);
  else case_tree_fail(reader, mapping, "%s: %s", fault.key, fault.reason);
}

void case_measures_take(const Structure *structure, BodyGroup *group)
{
  assert(structure->count > 0 && group->solids == NULL && "a group gets one structure");
  group->kind = GROUP_STRUCTURE;
  group->solid_count = structure->count;
  group->solids = structure->solids;
  group->member_names = structure->names;
  group->member_fixed = structure->held ? structure->fixed : NULL;
}
