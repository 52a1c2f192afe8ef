// Reads output.probes.
#include "case_probes.h"

#include <assert.h>
#include <string.h>

#include "case_selection.h"

// What the readers of the probes share.
typedef struct {
  CaseReader *reader;
  const Case *c;
  BodySelector *selector;
} ProbeReader;

typedef void ReadProbe(const ProbeReader *r, const CaseNode *node, ProbeSettings *probe);

static void read_displacement(const ProbeReader *r, const CaseNode *node, ProbeSettings *probe)
{
  static const char *const keys[] = {"of", "at", NULL};
  const CaseNode *mapping = case_value_mapping(r->reader, node, keys);
  const CaseNode *of = case_value_require(r->reader, mapping, "of"),
                 *at = case_tree_find(mapping, "at");
  if (!of) return;
  // a place says which piece of a body that is cut
  bool numbered;
  if (at && of->kind == NODE_SCALAR)
    probe->ends[0] = case_selection_end(r->selector, of, &numbered);
  if (!probe->ends[0].by_place) probe->ends[0] = case_selection_one(r->selector, of);
  probe->has_at = at != NULL;
  probe->at = case_value_vector(r->reader, at, &CASE_VALUE_COORDINATE, (vec3){0});
}

static void read_reaction(const ProbeReader *r, const CaseNode *node, ProbeSettings *probe)
{
  static const char *const keys[] = {"of", NULL};
  const CaseNode *mapping = case_value_mapping(r->reader, node, keys);
  const CaseNode *of = case_value_require(r->reader, mapping, "of");
  if (of) probe->on[0] = case_selection_read(r->selector, of, SELECTION_ALL);
}

static void read_support(const ProbeReader *r, const CaseNode *node, ProbeSettings *probe)
{
  read_reaction(r, node, probe);
  const BodySelection *on = &probe->on[0];
  for (int k = 0; k < on->count && !r->reader->failed; k++) {
    const BodyGroup *group = &r->c->groups[on->spans[k].group];
    if (!group_founded(group))
      case_tree_fail(r->reader, node, "'%s', line %d, has no faces that are 'held'", group->name,
                     group->line);
  }
}

// Two members of a list.
static const CaseNode *read_two(const ProbeReader *r, const CaseNode *node, const char *what)
{
  static const char *const keys[] = {"between", NULL};
  const CaseNode *mapping = case_value_mapping(r->reader, node, keys);
  const CaseNode *between = case_value_require(r->reader, mapping, "between");
  const CaseNode *list = between ? case_value_list(r->reader, between, 2, what) : NULL;
  if (list && list->count > 2) case_tree_fail(r->reader, list, "expected %s, found more", what);
  return r->reader->failed ? NULL : list;
}

static void read_plane(const ProbeReader *r, const CaseNode *node, ProbeSettings *probe)
{
  static const char *const keys[] = {"at", "normal", NULL};
  const CaseNode *plane = case_value_mapping(r->reader, node, keys);
  probe->kind = PROBE_PLANE;
  probe->at = case_value_vector(r->reader, case_value_require(r->reader, plane, "at"),
                                &CASE_VALUE_COORDINATE, (vec3){0});
  probe->normal = case_value_direction(r->reader, case_value_require(r->reader, plane, "normal"),
                                       (vec3){0, 0, 1});
}

static void read_resultant(const ProbeReader *r, const CaseNode *node, ProbeSettings *probe)
{
  static const char *const keys[] = {"between", "plane", NULL};
  const CaseNode *mapping = case_value_mapping(r->reader, node, keys);
  const int choice = case_value_choice(r->reader, mapping, keys);
  if (choice == 1) read_plane(r, case_tree_find(mapping, "plane"), probe);
  if (choice != 0) return;
  const CaseNode *list = read_two(r, node, "a list of two names, or of two lists of bodies");
  for (int k = 0; list && k < 2; k++)
    probe->on[k] = case_selection_read(r->selector, list->members[k], SELECTION_ALL);
}

static void read_opening(const ProbeReader *r, const CaseNode *node, ProbeSettings *probe)
{
  const CaseNode *list = read_two(r, node, "a list of two bodies");
  for (int k = 0; list && k < 2 && !r->reader->failed; k++)
    probe->ends[k] = case_selection_one(r->selector, list->members[k]);
  if (!list || r->reader->failed) return;
  if (probe->ends[0].group == probe->ends[1].group && probe->ends[0].index == probe->ends[1].index)
    case_tree_fail(r->reader, list, "expected two bodies, found one");
}

static void read_box(const ProbeReader *r, const CaseNode *node, ProbeSettings *probe)
{
  static const char *const keys[] = {"low", "high", NULL};
  const CaseNode *box = case_value_mapping(r->reader, node, keys);
  probe->low = case_value_vector(r->reader, case_value_require(r->reader, box, "low"),
                                 &CASE_VALUE_COORDINATE, (vec3){0});
  probe->high = case_value_vector(r->reader, case_value_require(r->reader, box, "high"),
                                  &CASE_VALUE_COORDINATE, (vec3){0});
  const vec3 side = vec3_sub(probe->high, probe->low);
  if (!r->reader->failed && !(side.x > 0 && side.y > 0 && side.z > 0))
    case_tree_fail(r->reader, node, "expected 'high' above 'low' along each axis");
}

// Bodies that are surfaces alone have no parts whose volume lies in a box.
static void read_porosity(const ProbeReader *r, const CaseNode *node, ProbeSettings *probe)
{
  read_box(r, node, probe);
  for (int g = 0; g < r->c->group_count && !r->reader->failed; g++)
    if (r->c->groups[g].shape.surface_alone)
      case_tree_fail(r->reader, node, "'%s', line %d, is a surface without convex parts",
                     r->c->groups[g].name, r->c->groups[g].line);
}

static const struct {
  const char *word;
  ProbeKind kind;
  ReadProbe *read;
} WORDS[] = {{"displacement", PROBE_DISPLACEMENT, read_displacement},
             {"reaction", PROBE_REACTION, read_reaction},
             {"resultant", PROBE_RESULTANT, read_resultant},
             {"opening", PROBE_OPENING, read_opening},
             {"stress", PROBE_STRESS, read_box},
             {"porosity", PROBE_POROSITY, read_porosity},
             {"support", PROBE_SUPPORT, read_support}};
enum { PROBE_WORDS = sizeof WORDS / sizeof *WORDS };

// A name becomes the beginning of columns of a table.
static const char *read_name(const ProbeReader *r, const CaseNode *mapping, int number)
{
  CaseReader *reader = r->reader;
  const CaseNode *node = case_value_require(reader, mapping, "name");
  const char *name = case_value_text(reader, node, "");
  static const char *const letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  if (!reader->failed && (!*name || name[strspn(name, letters)]))
    case_tree_fail(reader, node, "expected letters, digits and _ . -, since it names columns");
  for (int i = 0; i < number && !reader->failed; i++)
    if (strcmp(r->c->output.probes[i].name, name) == 0)
      case_tree_fail(reader, node, "line %d has a probe of that name", r->c->output.probes[i].line);
  return name;
}

static ProbeSettings read_probe(const ProbeReader *r, const CaseNode *node, int number)
{
  static const char *const keys[] = {"name",   "displacement", "reaction", "resultant", "opening",
                                     "stress", "porosity",     "support",  NULL};
  const CaseNode *mapping = case_value_mapping(r->reader, node, keys);
  ProbeSettings probe = {.line = mapping ? case_tree_line(node) : 0};
  probe.name = read_name(r, mapping, number);
  const int choice = case_value_choice(r->reader, mapping, keys + 1);
  if (choice < 0) return probe;
  assert(choice < PROBE_WORDS && strcmp(WORDS[choice].word, keys[choice + 1]) == 0 &&
         "words stand in one order");
  probe.kind = WORDS[choice].kind;
  WORDS[choice].read(r, case_tree_find(mapping, WORDS[choice].word), &probe);
  return probe;
}

void case_probes_read(CaseReader *reader, Case *c)
{
  const CaseNode *node = case_tree_find(case_tree_find(reader->root, "output"), "probes");
  const CaseNode *list = case_value_list(reader, node, 0, "a list of probes");
  if (!list || reader->failed) return;
  BodySelector selector = case_selection_begin(reader, c);
  const ProbeReader r = {reader, c, &selector};
  ProbeSettings *probes =
      arena_allocate_zero(reader->arena, (size_t)list->count + 1, sizeof *probes);
  c->output.probes = probes;
  for (int i = 0; i < list->count && !reader->failed; i++)
    probes[i] = read_probe(&r, list->members[i], i);
  c->output.probe_count = list->count;
}
