// Reads the keys of a function of time that stands in a file.
#include "case_record.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mesh_list.h"

enum { MESSAGE_BYTES = 1024, MOST_SKIPPED = 1000000, MOST_COLUMN = 10000 };

#define END_ROUNDING 1e-9   // of a step: times that differ by less are the same

// -- files ----------------------------------------------------------------------------------------

static bool same_layout(const RecordLayout *a, const RecordLayout *b)
{
  bool same = a->peer == b->peer && a->skip == b->skip && a->separator == b->separator &&
              a->column_count == b->column_count && a->step == b->step;
  for (int k = 0; k < a->column_count && same; k++) same = a->columns[k] == b->columns[k];
  return same;
}

static const Record *keep_record(CaseRecords *records, Record record)
{
  assert(record.count > 0 && records->count <= records->capacity && "records lie in their room");
  records->items = arena_grow(records->arena, records->items, (int64_t)records->count + 1,
                              &records->capacity, sizeof *records->items);
  Record *kept = arena_allocate(records->arena, sizeof *kept);
  *kept = record;
  records->items[records->count++] = kept;
  return kept;
}

static void keep_use(CaseRecords *records, const CaseNode *node, const Record *record)
{
  assert(records->use_count <= records->use_capacity && "uses lie in their room");
  records->uses = arena_grow(records->arena, records->uses, (int64_t)records->use_count + 1,
                             &records->use_capacity, sizeof *records->uses);
  char key[256];
  case_tree_key_path(node, key, sizeof key);
  const size_t bytes = strlen(key) + 1;
  records->uses[records->use_count++] =
      (RecordUse){memcpy(arena_allocate(records->arena, bytes), key, bytes), record};
}

// The record of a file, read once; NULL after a failure.
static const Record *find_record(CaseReader *reader, const CaseNode *file, RecordLayout layout)
{
  CaseRecords *records = reader->records;
  if (reader->failed) return NULL;
  if (!records || !records->read) {
    case_tree_fail(reader, file, "records cannot be read here");
    return NULL;
  }
  const char *path = case_value_path(reader, file->text);
  for (int i = 0; i < records->count; i++)
    if (strcmp(records->items[i]->path, path) == 0 &&
        same_layout(&records->items[i]->layout, &layout))
      return records->items[i];
  char error[MESSAGE_BYTES] = "";
  Record record;
  if (records->read(path, layout, records->arena, &record, (ErrorText){error, sizeof error}))
    return keep_record(records, record);
  case_tree_fail(reader, file, "%s", error);
  return NULL;
}

const char *case_record_list(const CaseRecords *records, const char *list)
{
  assert(records->arena != NULL && list != NULL && "a list has a place");
  if (records->use_count == 0) return list;
  size_t bytes = strlen(list) + 1;
  char *text = NULL, *end = NULL;
  // once for its length, once for the text
  for (int pass = 0; pass < 2; pass++) {
    if (pass == 1) {
      text = arena_allocate(records->arena, bytes);
      end = text + snprintf(text, bytes, "%s", list);
    }
    for (int i = 0; i < records->use_count; i++) {
      const RecordUse *use = &records->uses[i];
      char path[512];
      case_tree_quote(use->record->path, path, sizeof path);
      // another record takes the place of any: there is no layout to keep
      const MeshLine line = {.contents = use->record->contents,
                             .key = use->key,
                             .key_length = (int)strlen(use->key),
                             .path = path,
                             .path_length = (int)strlen(path)};
      if (pass == 0) bytes += mesh_list_print(&line, NULL, 0);
      else end += mesh_list_print(&line, end, bytes - (size_t)(end - text));
    }
  }
  return text;
}

// -- layouts --------------------------------------------------------------------------------------

static char read_separator(CaseReader *reader, const CaseNode *node)
{
  if (!node) return ' ';
  const char *text = node->kind == NODE_SCALAR ? node->text : "";
  const char c = text[0];
  const bool one = c && !text[1];
  if (one && (c == ' ' || c == '\t')) return ' ';
  if (one && strchr(",;:|/&", c)) return c;
  char found[TREE_FOUND_BYTES];
  case_tree_fail(reader, node, "expected one of ',' ';' ':' '|' '/' '&', or a blank, found %s",
                 case_tree_found(node, found));
  return ' ';
}

// The numbers of columns, the time first where the file has times.
static void read_numbers(CaseReader *reader, const CaseNode *node, int components,
                         RecordLayout *layout)
{
  const int times = layout->step > 0 ? 0 : 1;
  layout->column_count = 1 + times;
  layout->columns[0] = 1;
  layout->columns[1] = 2;
  const char *expected = times ? "a list of the columns of time and value, or of time, x, y and z"
                               : "a list of the column of the value, or of x, y and z";
  const CaseNode *list = case_value_list(reader, node, 1, expected);
  if (!list) return;
  const int values = list->count - times;
  if (values != 1 && (values != 3 || components != 3)) {
    case_tree_fail(reader, node, "expected %s, found a list of %d",
                   components == 3 ? expected
                   : times         ? "a list of the columns of time and value"
                                   : "a list of the column of the value",
                   list->count);
    return;
  }
  layout->column_count = list->count;
  for (int k = 0; k < list->count; k++)
    layout->columns[k] = (int)case_value_integer(reader, list->members[k], 1, MOST_COLUMN, 1);
}

static RecordLayout read_layout(CaseReader *reader, const CaseNode *node, TimeQuantity quantity)
{
  static const char *const keys[] = {"columns", "separator", "skip", "step"};
  static const NumberRule step = {1e-9, 1e9, "a time from 1e-9 to 1e9 s"};
  const CaseNode *file = case_tree_find(node, "file"), *found[4];
  for (int k = 0; k < 4; k++) found[k] = case_tree_find(node, keys[k]);
  RecordLayout layout = {.separator = ' ', .column_count = 1};
  layout.peer = record_text_peer_unit(file->text) != NULL;
  if (layout.peer) {
    for (int k = 0; k < 4; k++)
      if (found[k])
        case_tree_fail_key(reader, found[k],
                           "of a file of columns; the header of a PEER file says all of it");
    return layout;
  }
  layout.separator = read_separator(reader, found[1]);
  layout.skip = (int)case_value_integer(reader, found[2], 0, MOST_SKIPPED, 0);
  layout.step = found[3] ? case_value_number(reader, found[3], &step, 1) : 0;
  read_numbers(reader, found[0], case_quantity_components(quantity), &layout);
  return layout;
}

// -- what its values mean -------------------------------------------------------------------------

// The direction of a record of one value; x without a node.
static vec3 read_axis(CaseReader *reader, const CaseNode *node)
{
  static const char *const names[] = {"x", "y", "z"};
  static const vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int k = 0; k < 3; k++)
    if (case_value_is_word(node, names[k])) return axes[k];
  char found[TREE_FOUND_BYTES];
  if (node->kind != NODE_LIST)
    case_tree_fail(reader, node, "expected 'x', 'y', 'z' or a direction [x, y, z], found %s",
                   case_tree_found(node, found));
  return case_value_direction(reader, node, axes[0]);
}

// SI units in one of the file, with the scale.
static double read_factor(CaseReader *reader, const CaseNode *node, TimeQuantity quantity)
{
  static const NumberRule scale = {-1e12, 1e12, "a number from -1e12 to 1e12"};
  const CaseNode *unit = case_tree_find(node, "unit"), *file = case_tree_find(node, "file");
  const char *standard = record_text_peer_unit(file->text);
  const char *name = unit ? case_value_text(reader, unit, "") : standard;
  double size = 1;
  if (!reader->failed && name && !case_quantity_unit(quantity, name, &size)) {
    char known[128], quoted[48];
    case_quantity_units(quantity, known, sizeof known);
    case_tree_quote(name, quoted, sizeof quoted);
    if (unit)
      case_tree_fail(reader, unit, "expected a unit of this key (%s), found '%s'", known, quoted);
    else
      case_tree_fail(reader, file, "is in %s, and this key in %s: give the unit if that is wrong",
                     quoted, known);
  }
  return size * case_value_number(reader, case_tree_find(node, "scale"), &scale, 1);
}

// What a record is from its end on: whether zero, in the place of its last value.
static bool ends_in_zero(CaseReader *reader, const CaseNode *node, const Case *c, VectorSample last)
{
  const CaseNode *after = case_tree_find(node, "after");
  const bool zero = case_value_is_word(after, "zero"), hold = case_value_is_word(after, "hold"),
             refuse = case_value_is_word(after, "refuse");
  char found[TREE_FOUND_BYTES];
  if (after && !zero && !hold && !refuse)
    case_tree_fail(reader, after, "expected 'zero', 'hold' or 'refuse', found %s",
                   case_tree_found(after, found));
  const double size = vec3_norm(last.value);
  const bool outlasted = c->end - last.time > END_ROUNDING * c->step;
  if (outlasted && (refuse || (!after && size != 0)))
    case_tree_fail(reader, after ? after : node,
                   "the record ends at %.9g s with %.6g, and the run at %.9g s: shorten "
                   "time.end, or give 'after: zero' or 'after: hold'",
                   last.time, size, c->end);
  return !hold;
}

static VectorTable make_table(CaseReader *reader, const CaseNode *node, TimeQuantity quantity,
                              const Record *record)
{
  static const NumberRule start_rule = {-1e9, 1e9, "a time from -1e9 to 1e9 s"};
  const CaseNode *start_node = case_tree_find(node, "start"), *axis = case_tree_find(node, "axis");
  const double start = case_value_number(reader, start_node, &start_rule, 0);
  const double factor = read_factor(reader, node, quantity);
  const bool along = record->components == 1 && case_quantity_components(quantity) == 3;
  if (along && !axis)
    case_tree_fail(reader, node,
                   "expected an 'axis' for a record of one value: x, y, z or a "
                   "direction");
  else if (axis && !along)
    case_tree_fail(reader, axis, "the direction of one value, and here values have their own");
  const vec3 direction = along && !reader->failed ? read_axis(reader, axis) : vec3_new(1, 0, 0);
  const NumberRule *rule = CASE_QUANTITY_RULES[quantity];
  VectorSample *samples = arena_allocate(reader->arena, (size_t)record->count * sizeof *samples);
  const double *row = record->rows;
  for (int i = 0; i < record->count && !reader->failed; i++, row += 1 + record->components) {
    VectorSample *s = &samples[i];
    const vec3 value = {row[1] * factor, record->components == 3 ? row[2] * factor : 0,
                        record->components == 3 ? row[3] * factor : 0};
    s->time = start + row[0];
    s->value = along ? vec3_scale(value.x, direction) : value;
    const double most = fmax(fabs(value.x), fmax(fabs(value.y), fabs(value.z)));
    if (!(most <= rule->high))
      case_tree_fail(reader, node, "with unit and scale it is %g at %g s: expected %s", most,
                     row[0], rule->expected);
    else if (i > 0 && !(s->time > samples[i - 1].time))
      case_tree_fail(reader, start_node, "its times are too near each other behind %g s", start);
  }
  return (VectorTable){.count = record->count, .samples = samples, .zero_before = true};
}

bool case_record_read(CaseReader *reader, const CaseNode *node, TimeQuantity quantity,
                      const Case *c, VectorTable *table)
{
  static const char *const keys[] = {"file",    "unit",      "axis", "scale", "start", "after",
                                     "columns", "separator", "skip", "step",  NULL};
  const CaseNode *mapping = case_value_mapping(reader, node, keys);
  const CaseNode *file = case_tree_find(mapping, "file");
  const char *name = case_value_text(reader, file, "");
  if (!reader->failed && !*name) case_tree_fail(reader, file, "expected the path of a record");
  if (reader->failed) return false;
  const RecordLayout layout = read_layout(reader, mapping, quantity);
  const Record *record = find_record(reader, file, layout);
  if (!record) return false;
  keep_use(reader->records, node, record);
  *table = make_table(reader, mapping, quantity, record);
  if (!reader->failed)
    table->zero_after = ends_in_zero(reader, mapping, c, table->samples[table->count - 1]);
  return !reader->failed;
}
