// Reads functions of time: a constant, a table, a cosine, a record, a pulse, or a sum of them.
#include "case_time.h"

#include <assert.h>

#include "case_pulse.h"

// Room for the terms of a node, at least; what is wrong with it is found when it is read.
static void count_terms(const CaseNode *node, size_t *count)
{
  assert(node != NULL && count != NULL && "terms are those of a node");
  const CaseNode *sum = node->kind == NODE_MAPPING ? case_tree_find(node, "sum") : NULL;
  *count += 1;
  for (int i = 0; sum && sum->kind == NODE_LIST && i < sum->count; i++)
    count_terms(sum->members[i], count);
}

static void add_terms(PulseTerms *terms, const CaseNode *node);

// A time and the value there.
static void read_row(PulseTerms *terms, const CaseNode *node, int components, double row[4])
{
  static const NumberRule time = {-1e18, 1e18, "a time from -1e18 to 1e18 s"};
  CaseReader *reader = terms->reader;
  const NumberRule *rule = CASE_QUANTITY_RULES[terms->quantity];
  if (node->kind != NODE_LIST || node->count != 1 + components) {
    case_value_numbers(reader, node, rule, 1 + components, row);   // which says so
    return;
  }
  row[0] = case_value_number(reader, node->members[0], &time, 0);
  for (int k = 1; k <= components; k++)
    row[k] = case_value_number(reader, node->members[k], rule, 0);
}

static void add_table(PulseTerms *terms, const CaseNode *node)
{
  CaseReader *reader = terms->reader;
  const int components = case_quantity_components(terms->quantity);
  const CaseNode *list = case_value_list(reader, node, 1,
                                         components == 3 ? "a list of rows [t, x, y, z]"
                                                         : "a list of rows [t, value]");
  if (!list) return;
  VectorSample *samples = arena_allocate(reader->arena, (size_t)list->count * sizeof *samples);
  for (int i = 0; i < list->count && !reader->failed; i++) {
    double row[4] = {0};
    read_row(terms, list->members[i], components, row);
    samples[i] = (VectorSample){row[0], {row[1], row[2], row[3]}};
    if (!reader->failed && i > 0 && !(row[0] > samples[i - 1].time))
      case_tree_fail(reader, list->members[i], "expected a time after %g s, found %g",
                     samples[i - 1].time, row[0]);
  }
  terms->vector->tables[terms->vector->table_count++] =
      (VectorTable){.count = list->count, .samples = samples};
}

static void add_cosine(PulseTerms *terms, const CaseNode *node)
{
  static const char *const keys[] = {"amplitude", "angular_frequency", "phase", "mean", NULL};
  static const NumberRule rate = {0, 1e9, "an angular frequency from 0 to 1e9 rad/s"};
  static const NumberRule degrees = {-360, 360, "an angle from -360 to 360 degrees"};
  CaseReader *reader = terms->reader;
  const CaseNode *cosine = case_value_mapping(reader, node, keys);
  const CaseNode *rate_node = case_value_require(reader, cosine, "angular_frequency");
  const CaseNode *mean = case_tree_find(cosine, "mean");
  const VectorCosine term = {
      .amplitude = case_pulse_value(terms, case_value_require(reader, cosine, "amplitude")),
      .rate = case_value_number(reader, rate_node, &rate, 1),
      .phase = case_value_angle(reader, case_tree_find(cosine, "phase"), &degrees, 0),
  };
  if (mean) case_pulse_constant(terms, case_pulse_value(terms, mean));
  if (reader->failed) return;
  case_pulse_check_rate(terms, rate_node, term.rate);
  terms->vector->cosines[terms->vector->cosine_count++] = term;
}

static void add_sum(PulseTerms *terms, const CaseNode *node)
{
  const CaseNode *list = case_value_list(terms->reader, node, 1, "a list of functions of time");
  for (int i = 0; list && i < list->count; i++) add_terms(terms, list->members[i]);
}

static void add_record(PulseTerms *terms, const CaseNode *node)
{
  VectorTable table;
  if (case_record_read(terms->reader, node, terms->quantity, terms->c, &table))
    terms->vector->tables[terms->vector->table_count++] = table;
}

static void add_terms(PulseTerms *terms, const CaseNode *node)
{
  static const struct {
    const char *key;
    void (*add)(PulseTerms *, const CaseNode *);
  } forms[] = {
      {"table", add_table},         {"cosine", add_cosine},        {"sum", add_sum},
      {"ramp", case_pulse_ramp},    {"smooth", case_pulse_smooth}, {"sine", case_pulse_sine},
      {"ricker", case_pulse_ricker}};
  enum { FORMS = sizeof forms / sizeof *forms };
  CaseReader *reader = terms->reader;
  if (reader->failed) return;
  if (node->kind != NODE_MAPPING) {
    case_pulse_constant(terms, case_pulse_value(terms, node));
    return;
  }
  if (case_tree_find(node, "file")) {
    add_record(terms, node);
    return;
  }
  const char *keys[FORMS + 2] = {0};
  for (int i = 0; i < FORMS; i++) keys[i] = forms[i].key;
  keys[FORMS] = "file";
  const int form = case_value_choice(reader, case_value_mapping(reader, node, keys), keys);
  if (form >= 0) forms[form].add(terms, case_tree_find(node, keys[form]));
}

TimeVector case_time_read(CaseReader *reader, const CaseNode *node, TimeQuantity quantity,
                          const Case *c)
{
  assert((reader->failed || !node || c->step > 0) && "the step is read before functions of time");
  TimeVector vector = {.origin = c->origin};
  if (reader->failed || !node) return vector;
  // a term is of one kind, or of two, one of them a constant
  size_t room = 0;
  count_terms(node, &room);
  vector.tables = arena_allocate_zero(reader->arena, room, sizeof *vector.tables);
  vector.cosines = arena_allocate_zero(reader->arena, room, sizeof *vector.cosines);
  vector.pulses = arena_allocate_zero(reader->arena, room, sizeof *vector.pulses);
  PulseTerms terms = {reader, c, quantity, &vector};
  add_terms(&terms, node);
  assert((size_t)vector.table_count <= room && "tables have room");
  assert((size_t)vector.cosine_count <= room && "cosines have room");
  assert((size_t)vector.pulse_count <= room && "pulses have room");
  return vector;
}
