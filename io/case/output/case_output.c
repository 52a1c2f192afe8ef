// Reads output and partition.
#include "case_output.h"

#include <assert.h>

#define CHECKPOINT_MINUTES 15.0   // that a killed run loses at most, where the case says nothing

void case_output_read(CaseReader *reader, Case *c)
{
  assert(reader->root != NULL && "keys have a root");
  static const char *const partition_keys[] = {"every", "balance", NULL};
  static const char *const output_keys[] = {"frames", "checkpoint", "ranks", NULL};
  static const char *const frames_keys[] = {"every", NULL};
  static const char *const checkpoint_keys[] = {"steps", "minutes", NULL};
  static const char *const ranks_keys[] = {"every", NULL};
  static const NumberRule every = {0, 1e12, "a time from 0 to 1e12 s"};
  static const NumberRule minutes = {0, 1e6, "minutes of wall time from 0 to 1e6"};
  const CaseNode *root = reader->root;
  const CaseNode *partition =
      case_value_mapping(reader, case_tree_find(root, "partition"), partition_keys);
  const CaseNode *output = case_value_mapping(reader, case_tree_find(root, "output"), output_keys);
  const CaseNode *frames =
      case_value_mapping(reader, case_tree_find(output, "frames"), frames_keys);
  const CaseNode *checkpoint =
      case_value_mapping(reader, case_tree_find(output, "checkpoint"), checkpoint_keys);
  c->partition.every =
      (int)case_value_integer(reader, case_tree_find(partition, "every"), 0, 2147483647, 0);
  c->partition.balance = case_value_flag(reader, case_tree_find(partition, "balance"), true);
  c->output.frame_every = case_value_number(reader, case_tree_find(frames, "every"), &every, 0);
  c->output.checkpoint_steps =
      (int)case_value_integer(reader, case_tree_find(checkpoint, "steps"), 0, 2147483647, 0);
  c->output.checkpoint_minutes = case_value_number(reader, case_tree_find(checkpoint, "minutes"),
                                                   &minutes, CHECKPOINT_MINUTES);
  const CaseNode *ranks = case_value_mapping(reader, case_tree_find(output, "ranks"), ranks_keys);
  c->output.ranks_every =
      (int)case_value_integer(reader, case_tree_find(ranks, "every"), 0, 2147483647, 10);
}
