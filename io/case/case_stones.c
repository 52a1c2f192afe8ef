// Reads groups of stones: their shapes, sizes and places.
#include "case_stones.h"

#include <assert.h>

#include "case_fill.h"
#include "case_meshes.h"
#include "case_shapes.h"
#include "stone_shape.h"

#define STONES_MOST ((int64_t)1 << 31)   // of a group
#define FLATTEST 0.1                     // shortest side of a random stone over its longest

static const NumberRule share_rule = {1e-9, 1e9, "a number from 1e-9 to 1e9"};
static const NumberRule ratio_rule = {1e-6, 1e6, "a number from 1e-6 to 1e6"};

// Orders ratios of sides by size and makes the middle one 1.
static vec3 sort_ratios(const double given[3])
{
  assert(given[0] > 0 && given[1] > 0 && given[2] > 0 && "ratios are positive");
  double r[3] = {given[0], given[1], given[2]};
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < 2; k++)
      if (r[k] < r[k + 1]) {
        const double larger = r[k + 1];
        r[k + 1] = r[k];
        r[k] = larger;
      }
  return (vec3){r[0] / r[1], 1, r[2] / r[1]};
}

static void read_random(CaseReader *reader, const CaseNode *node, bool sizes, StoneKind *kind)
{
  static const char *const keys[] = {"points", "ratios", "variety", "size", NULL};
  const CaseNode *random = case_value_mapping(reader, node, keys);
  const CaseNode *ratios = case_tree_find(random, "ratios"), *size = case_tree_find(random, "size");
  kind->corners = (int)case_value_integer(reader, case_tree_find(random, "points"),
                                          STONE_MIN_CORNERS, STONE_MAX_CORNERS, 16);
  kind->variety = (int)case_value_integer(reader, case_tree_find(random, "variety"), 1, 1000, 10);
  double given[3] = {1, 1, 1};
  if (ratios) case_value_numbers(reader, ratios, &ratio_rule, 3, given);
  kind->size = case_value_number(reader, size, &CASE_VALUE_LENGTH, 0);
  if (reader->failed) return;
  kind->ratios = sort_ratios(given);
  if (kind->ratios.z < FLATTEST * kind->ratios.x * (1 - 1e-12))
    case_tree_fail(reader, ratios,
                   "expected a shortest side of at least %g of the longest, found %g", FLATTEST,
                   kind->ratios.z / kind->ratios.x);
  else if (size && sizes)
    case_tree_fail(reader, size,
                   "expected no size here, where 'sizes' gives the sizes of all stones");
  else if (!size && !sizes)
    case_tree_fail(reader, node, "expected a size here, or 'sizes' for all stones; found neither");
}

// The keys that make a shape, then "random", then those given; as case_value_mapping takes them.
static const char **list_keys(CaseReader *reader, int *shape_keys, const char *last)
{
  assert(shape_keys != NULL && "the number of keys has a place");
  int count = 0;
  while (CASE_SHAPE_KEYS[count]) count++;
  const char **keys = arena_allocate_zero(&reader->scratch, (size_t)count + 3, sizeof *keys);
  for (int k = 0; k < count; k++) keys[k] = CASE_SHAPE_KEYS[k];
  keys[count] = "random";
  keys[count + 1] = last;
  *shape_keys = count;
  return keys;
}

static void read_kind(CaseReader *reader, const CaseNode *node, bool sizes, StoneKind *kind)
{
  int shape_keys;
  const CaseNode *entry = case_value_mapping(reader, node, list_keys(reader, &shape_keys, "share"));
  const int choice = case_value_choice(reader, entry, list_keys(reader, &shape_keys, NULL));
  kind->share = case_value_number(reader, case_tree_find(entry, "share"), &share_rule, 1);
  if (choice < 0) return;
  if (choice == shape_keys) read_random(reader, case_tree_find(entry, "random"), sizes, kind);
  else kind->shape = case_read_shape(reader, entry, choice);
}

// Rows [size, cumulative share]: sizes grow, shares grow from 0 to 1.
static void read_size_table(CaseReader *reader, const CaseNode *node, Stones *stones)
{
  assert(stones->rows == NULL && "sizes are read once");
  const CaseNode *list =
      case_value_list(reader, node, 2, "a list of at least 2 rows [size, share]");
  if (!list) return;
  stones->row_count = list->count;
  stones->rows = arena_allocate_zero(reader->arena, (size_t)list->count, sizeof(SizeRow));
  for (int i = 0; i < list->count && !reader->failed; i++) {
    const CaseNode *row = list->members[i];
    double values[2];
    case_value_numbers(reader, row, &CASE_VALUE_COORDINATE, 2, values);
    if (reader->failed) return;
    const double size = case_value_number(reader, row->members[0], &CASE_VALUE_LENGTH, 1);
    const double share = case_value_number(reader, row->members[1], &CASE_VALUE_SHARE, 0);
    if (reader->failed) return;
    const SizeRow before = i > 0 ? stones->rows[i - 1] : (SizeRow){0};
    if (i > 0 && !(size > before.size))
      case_tree_fail(reader, row->members[0],
                     "expected a size above %g m, that of the row before it, "
                     "found %g",
                     before.size, size);
    else if (share < before.share)
      case_tree_fail(reader, row->members[1],
                     "expected a share of at least %g, that of the row before it, found %g",
                     before.share, share);
    else if (i == 0 && share != 0)
      case_tree_fail(reader, row->members[1], "expected a share of 0 in the first row, found %g",
                     share);
    else if (i + 1 == list->count && share != 1)
      case_tree_fail(reader, row->members[1], "expected a share of 1 in the last row, found %g",
                     share);
    stones->rows[i] = (SizeRow){.size = size, .share = share};
  }
}

static void read_sizes(CaseReader *reader, const CaseNode *node, int classes, Stones *stones)
{
  static const char *const keys[] = {"table", "by", "classes", NULL};
  const CaseNode *sizes = case_value_mapping(reader, node, keys);
  if (!sizes) return;
  read_size_table(reader, case_value_require(reader, sizes, "table"), stones);
  stones->classes =
      (int)case_value_integer(reader, case_tree_find(sizes, "classes"), 1, 100, classes);
  const CaseNode *by = case_tree_find(sizes, "by");
  stones->by_number = case_value_is_word(by, "number");
  char found[TREE_FOUND_BYTES];
  if (by && !stones->by_number && !case_value_is_word(by, "mass"))
    case_tree_fail(reader, by, "expected 'mass' or 'number', found %s", case_tree_found(by, found));
}

static void read_shapes(CaseReader *reader, const CaseNode *node, Stones *stones)
{
  assert(stones->kinds == NULL && "shapes are read once");
  const CaseNode *list = case_value_list(reader, node, 1, "a list of at least one shape");
  if (!list) return;
  stones->kind_count = list->count;
  stones->kinds = arena_allocate_zero(reader->arena, (size_t)list->count, sizeof(StoneKind));
  for (int i = 0; i < list->count && !reader->failed; i++)
    read_kind(reader, list->members[i], stones->row_count > 0, &stones->kinds[i]);
}

static void read_lattice(CaseReader *reader, const CaseNode *node, BodyGroup *group)
{
  assert(group->stones != NULL && "a lattice is of stones");
  static const char *const keys[] = {"count", "spacing", "jitter", NULL};
  const CaseNode *lattice = case_value_mapping(reader, node, keys);
  case_value_counts(reader, case_value_require(reader, lattice, "count"), 3, group->count);
  group->spacing = case_value_vector(reader, case_value_require(reader, lattice, "spacing"),
                                     &CASE_VALUE_COORDINATE, (vec3){0});
  group->stones->jitter =
      case_value_number(reader, case_tree_find(lattice, "jitter"), &CASE_VALUE_SHARE, 0);
}

static void read_inlet(CaseReader *reader, const CaseNode *node, Stones *stones)
{
  static const char *const keys[] = {"size", "count", "every", NULL};
  static const NumberRule every = {1e-12, 1e12, "'automatic' or a time from 1e-12 to 1e12 s"};
  const CaseNode *inlet = case_value_mapping(reader, node, keys);
  case_value_numbers(reader, case_value_require(reader, inlet, "size"), &CASE_VALUE_LENGTH, 2,
                     stones->width);
  stones->count = (uint64_t)case_value_integer(reader, case_value_require(reader, inlet, "count"),
                                               1, STONES_MOST, 1);
  const CaseNode *time = case_tree_find(inlet, "every");
  stones->every =
      case_value_is_word(time, "automatic") ? 0 : case_value_number(reader, time, &every, 0);
}

static Fill *read_fill(CaseReader *reader, const CaseNode *node)
{
  const CaseNode *mesh;
  Fill *fill = case_read_fill(reader, node, &mesh);
  assert(fill != NULL && "a fill has a place");
  if (reader->failed || !mesh) return fill;
  const ShapeRecipe surface = case_read_surface(reader, mesh);
  if (!reader->failed) case_fill_surface(fill, &surface);
  return fill;
}

void case_read_stones(CaseReader *reader, const CaseNode *node, BodyGroup *group)
{
  assert(group->stones == NULL && "stones are read once");
  static const char *const keys[] = {"shapes", "sizes", "lattice", "inlet", "fill", "turn", NULL};
  static const char *const places[] = {"lattice", "inlet", "fill", NULL};
  static const GroupKind kinds[] = {GROUP_STONES, GROUP_INLET, GROUP_FILL};
  Stones *stones = arena_allocate_zero(reader->arena, 1, sizeof *stones);
  group->stones = stones;
  const CaseNode *mapping = case_value_mapping(reader, node, keys);
  const int place = case_value_choice(reader, mapping, places);
  // stones of a fill follow the curve to a hundredth
  read_sizes(reader, case_tree_find(mapping, "sizes"), place == 2 ? 100 : 10, stones);
  read_shapes(reader, case_value_require(reader, mapping, "shapes"), stones);

  group->kind = kinds[place < 0 ? 0 : place];
  if (place == 0) read_lattice(reader, case_tree_find(mapping, "lattice"), group);
  if (place == 1) read_inlet(reader, case_tree_find(mapping, "inlet"), stones);
  if (place == 2) stones->fill = read_fill(reader, case_tree_find(mapping, "fill"));

  const CaseNode *turn = case_tree_find(mapping, "turn");
  stones->turned = !case_value_is_word(turn, "none");
  char found[TREE_FOUND_BYTES];
  if (turn && stones->turned && !case_value_is_word(turn, "random"))
    case_tree_fail(reader, turn, "expected 'random' or 'none', found %s",
                   case_tree_found(turn, found));
}
