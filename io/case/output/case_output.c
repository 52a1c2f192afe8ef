// Reads output and partition.
#include "case_output.h"

#include <assert.h>

#define CHECKPOINT_MINUTES 15.0   // that a killed run loses at most, where the case says nothing

static const struct {
  const char *word;
  unsigned bits;
} FIELDS[] = {{"force", FRAME_FORCE},
              {"pressure", FRAME_PRESSURE},
              {"slip", FRAME_SLIP},
              {"status", FRAME_STATUS},
              {"displacement", FRAME_DISPLACEMENT},
              {"rotation", FRAME_ROTATION},
              {"volume", FRAME_VOLUME},
              {"stress", FRAME_STRESS},
              {"coordination", FRAME_COORDINATION},
              {"name", FRAME_NAME},
              {"interfaces", FRAME_INTERFACES},
              {"chains", FRAME_CHAINS}};
enum { FIELD_COUNT = sizeof FIELDS / sizeof *FIELDS };

// One word of the list.
static unsigned read_field(CaseReader *reader, const CaseNode *node)
{
  const char *words[FIELD_COUNT];
  for (int i = 0; i < FIELD_COUNT; i++) {
    if (case_value_is_word(node, FIELDS[i].word)) return FIELDS[i].bits;
    words[i] = FIELDS[i].word;
  }
  char found[TREE_FOUND_BYTES], all[256];
  case_value_join(words, FIELD_COUNT, all, sizeof all);
  case_tree_fail(reader, node, "expected one of %s, found %s", all, case_tree_found(node, found));
  return 0;
}

// `all`, `none`, or a list of words.
static unsigned read_fields(CaseReader *reader, const CaseNode *node)
{
  if (!node || case_value_is_word(node, "all")) return FRAME_ALL;
  if (case_value_is_word(node, "none")) return 0;
  const CaseNode *list = case_value_list(reader, node, 1, "'all', 'none' or a list of fields");
  unsigned fields = 0;
  for (int i = 0; list && i < list->count && !reader->failed; i++) {
    const unsigned field = read_field(reader, list->members[i]);
    if (fields & field) case_tree_fail(reader, list->members[i], "it stands in the list before");
    fields |= field;
  }
  return fields;
}

void case_output_read_partition(CaseReader *reader, Case *c)
{
  assert(reader->root != NULL && "keys have a root");
  static const char *const keys[] = {"every", "balance", NULL};
  const CaseNode *partition =
      case_value_mapping(reader, case_tree_find(reader->root, "partition"), keys);
  c->partition.every =
      (int)case_value_integer(reader, case_tree_find(partition, "every"), 0, 2147483647, 0);
  c->partition.balance = case_value_flag(reader, case_tree_find(partition, "balance"), true);
}

void case_output_read(CaseReader *reader, Case *c)
{
  assert(reader->root != NULL && "keys have a root");
  static const char *const output_keys[] = {"frames", "checkpoint", "ranks", "probes", NULL};
  static const char *const frames_keys[] = {"every", "fields", NULL};
  static const char *const checkpoint_keys[] = {"steps", "minutes", NULL};
  static const char *const ranks_keys[] = {"every", NULL};
  static const NumberRule every = {0, 1e12, "a time from 0 to 1e12 s"};
  static const NumberRule minutes = {0, 1e6, "minutes of wall time from 0 to 1e6"};
  const CaseNode *root = reader->root;
  const CaseNode *output = case_value_mapping(reader, case_tree_find(root, "output"), output_keys);
  const CaseNode *frames =
      case_value_mapping(reader, case_tree_find(output, "frames"), frames_keys);
  const CaseNode *checkpoint =
      case_value_mapping(reader, case_tree_find(output, "checkpoint"), checkpoint_keys);
  c->output.frame_every = case_value_number(reader, case_tree_find(frames, "every"), &every, 0);
  c->output.frame_fields = read_fields(reader, case_tree_find(frames, "fields"));
  c->output.checkpoint_steps =
      (int)case_value_integer(reader, case_tree_find(checkpoint, "steps"), 0, 2147483647, 0);
  c->output.checkpoint_minutes = case_value_number(reader, case_tree_find(checkpoint, "minutes"),
                                                   &minutes, CHECKPOINT_MINUTES);
  const CaseNode *ranks = case_value_mapping(reader, case_tree_find(output, "ranks"), ranks_keys);
  c->output.ranks_every =
      (int)case_value_integer(reader, case_tree_find(ranks, "every"), 0, 2147483647, 10);
}
