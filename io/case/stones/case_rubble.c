// Reads walls of rubble.
#include "case_rubble.h"

#include <assert.h>

static int read_stones(CaseReader *reader, const CaseNode *mapping, vec3 size)
{
  static const char *const choices[] = {"stones", "stone", NULL};
  const int choice = case_value_choice(reader, mapping, choices);
  const CaseNode *number = case_tree_find(mapping, "stones");
  const CaseNode *stone = case_tree_find(mapping, "stone");
  const int stones = (int)case_value_integer(reader, number, 1, RUBBLE_MOST_STONES, 1);
  const double mean = case_value_number(reader, stone, &CASE_VALUE_LENGTH, 1);
  if (reader->failed || choice < 1) return stones;
  const int count = rubble_count(size, mean);
  if (count > RUBBLE_MOST_STONES)
    case_tree_fail(reader, stone, "stones of %g m are more than the %d that a wall may have", mean,
                   RUBBLE_MOST_STONES);
  return count;
}

const Rubble *case_read_rubble(CaseReader *reader, const CaseNode *node)
{
  assert(reader->arena != NULL && "what is read has a place");
  static const char *const keys[] = {"size",   "stones",      "stone", "flatness",
                                     "jitter", "relaxations", "joint", NULL};
  static const NumberRule flatness = {1 / RUBBLE_FLATTEST, RUBBLE_FLATTEST,
                                      "a number from 0.1 to 10"};
  static const NumberRule joint = {0, 1e9, "a width from 0 to 1e9 m"};
  Rubble *rubble = arena_allocate_zero(reader->arena, 1, sizeof *rubble);
  const CaseNode *mapping = case_value_mapping(reader, node, keys);
  rubble->size = case_value_vector(reader, case_value_require(reader, mapping, "size"),
                                   &CASE_VALUE_LENGTH, (vec3){1, 1, 1});
  rubble->stones = read_stones(reader, mapping, rubble->size);
  rubble->flatness = case_value_number(reader, case_tree_find(mapping, "flatness"), &flatness, 1.5);
  rubble->jitter =
      case_value_number(reader, case_tree_find(mapping, "jitter"), &CASE_VALUE_SHARE, 0.7);
  rubble->relaxations = (int)case_value_integer(reader, case_tree_find(mapping, "relaxations"), 0,
                                                RUBBLE_MOST_RELAXATIONS, 0);
  rubble->joint = case_value_number(reader, case_tree_find(mapping, "joint"), &joint, 0);
  return rubble;
}
