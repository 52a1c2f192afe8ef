// Reads functions of time: a constant, a table, a cosine, or a sum of them.
#include "case_time.h"

#include <assert.h>

#include "case_shapes.h"
#include "trig.h"

#define MOST_ANGLE 1e9   // rad to the end of the run, where a cosine is still known to 1e-7

static const char *const forms[] = {"table", "cosine", "sum", NULL};
enum { FORM_TABLE, FORM_COSINE, FORM_SUM };

// What is read into: room for all terms of a vector.
typedef struct {
  CaseReader *reader;
  const NumberRule *rule;
  int components;   // 3, or 1 for a number
  const Case *c;
  TimeVector *vector;
} Terms;

// Room for the terms of a node, at least; what is wrong with it is found when it is read.
static void count_terms(const CaseNode *node, size_t *count)
{
  assert(node != NULL && count != NULL && "terms are those of a node");
  const CaseNode *sum = node->kind == NODE_MAPPING ? case_tree_find(node, "sum") : NULL;
  *count += 1;
  for (int i = 0; sum && sum->kind == NODE_LIST && i < sum->count; i++)
    count_terms(sum->members[i], count);
}

// A value, in x where it is a number.
static vec3 read_value(const Terms *terms, const CaseNode *node)
{
  if (terms->components == 3) return case_value_vector(terms->reader, node, terms->rule, (vec3){0});
  return vec3_new(case_value_number(terms->reader, node, terms->rule, 0), 0, 0);
}

static void add_constant(Terms *terms, const CaseNode *node)
{
  Arena *arena = terms->reader->arena;
  VectorSample *sample = arena_allocate(arena, sizeof *sample);
  *sample = (VectorSample){0, read_value(terms, node)};
  terms->vector->tables[terms->vector->table_count++] = (VectorTable){1, sample};
}

static void add_table(Terms *terms, const CaseNode *node)
{
  CaseReader *reader = terms->reader;
  const CaseNode *list = case_value_list(reader, node, 1,
                                         terms->components == 3 ? "a list of rows [t, x, y, z]"
                                                                : "a list of rows [t, value]");
  if (!list) return;
  VectorSample *samples = arena_allocate(reader->arena, (size_t)list->count * sizeof *samples);
  for (int i = 0; i < list->count && !reader->failed; i++) {
    double row[4] = {0};
    case_value_numbers(reader, list->members[i], terms->rule, 1 + terms->components, row);
    samples[i] = (VectorSample){row[0], {row[1], row[2], row[3]}};
    if (!reader->failed && i > 0 && !(row[0] > samples[i - 1].time))
      case_tree_fail(reader, list->members[i], "expected a time after %g s, found %g",
                     samples[i - 1].time, row[0]);
  }
  terms->vector->tables[terms->vector->table_count++] = (VectorTable){list->count, samples};
}

static void add_cosine(Terms *terms, const CaseNode *node)
{
  static const char *const keys[] = {"amplitude", "angular_frequency", "phase", "mean", NULL};
  static const NumberRule rate = {0, 1e9, "an angular frequency from 0 to 1e9 rad/s"};
  static const NumberRule degrees = {-360, 360, "an angle from -360 to 360 degrees"};
  CaseReader *reader = terms->reader;
  const CaseNode *cosine = case_value_mapping(reader, node, keys);
  const CaseNode *rate_node = case_value_require(reader, cosine, "angular_frequency");
  const CaseNode *mean = case_tree_find(cosine, "mean");
  const VectorCosine term = {
      .amplitude = read_value(terms, case_value_require(reader, cosine, "amplitude")),
      .rate = case_value_number(reader, rate_node, &rate, 1),
      .phase = case_read_angle(reader, case_tree_find(cosine, "phase"), &degrees, 0),
  };
  if (mean) add_constant(terms, mean);
  if (reader->failed) return;
  if (term.rate * terms->c->step > TRIG_PI)
    case_tree_fail(
        reader, rate_node,
        "at %g rad/s a period is less than two steps of %g s: expected a lower frequency, or "
        "a smaller time.step",
        term.rate, terms->c->step);
  else if (term.rate * terms->c->end > MOST_ANGLE)
    case_tree_fail(reader, rate_node, "at %g rad/s the angle at time.end is beyond %g rad",
                   term.rate, MOST_ANGLE);
  terms->vector->cosines[terms->vector->cosine_count++] = term;
}

static void add_terms(Terms *terms, const CaseNode *node)
{
  CaseReader *reader = terms->reader;
  if (reader->failed) return;
  if (node->kind != NODE_MAPPING) {
    add_constant(terms, node);
    return;
  }
  const CaseNode *mapping = case_value_mapping(reader, node, forms);
  const int form = case_value_choice(reader, mapping, forms);
  if (form < 0) return;
  const CaseNode *value = case_tree_find(mapping, forms[form]);
  if (form == FORM_TABLE) add_table(terms, value);
  else if (form == FORM_COSINE) add_cosine(terms, value);
  else {
    const CaseNode *list = case_value_list(reader, value, 1, "a list of functions of time");
    for (int i = 0; list && i < list->count; i++) add_terms(terms, list->members[i]);
  }
}

static TimeVector read_function(Terms terms, const CaseNode *node)
{
  CaseReader *reader = terms.reader;
  assert((reader->failed || !node || terms.c->step > 0) &&
         "the step is read before functions of time");
  TimeVector vector = {0};
  if (reader->failed || !node) return vector;
  size_t room = 0;
  count_terms(node, &room);
  vector.tables = arena_allocate_zero(reader->arena, room, sizeof *vector.tables);
  vector.cosines = arena_allocate_zero(reader->arena, room, sizeof *vector.cosines);
  terms.vector = &vector;
  add_terms(&terms, node);
  assert((size_t)vector.table_count <= room && "tables have room");
  assert((size_t)vector.cosine_count <= room && "cosines have room");
  return vector;
}

TimeVector case_read_time_vector(CaseReader *reader, const CaseNode *node, const NumberRule *rule,
                                 const Case *c)
{
  return read_function((Terms){reader, rule, 3, c, NULL}, node);
}

TimeVector case_read_time_number(CaseReader *reader, const CaseNode *node, const NumberRule *rule,
                                 const Case *c)
{
  return read_function((Terms){reader, rule, 1, c, NULL}, node);
}
