#include "case_materials.h"

#include <string.h>

#include "generator.h"

#define MAX_MATERIALS 1000   // all pairs of them are walked

int case_read_material_name(CaseReader *reader, const CaseNode *node, const Case *c)
{
  if (reader->failed || !node) return 0;
  const size_t count = (size_t)c->material_count;
  for (size_t i = 0; i < count; i++)
    if (value_is_word(node, c->materials[i].name)) return (int)i;

  const char **names = arena_allocate(&reader->scratch, count * sizeof(char *));
  for (size_t i = 0; i < count; i++) names[i] = c->materials[i].name;
  char list[256], found[TREE_FOUND_BYTES], meant[TREE_FOUND_BYTES] = "";
  value_join(names, c->material_count, list, sizeof list);
  const char *nearest =
      node->kind == NODE_SCALAR ? value_nearest(node->text, names, c->material_count) : NULL;
  if (nearest) tree_quote(nearest, meant, sizeof meant);
  tree_fail(reader, node, "expected a material, found %s%s%s%s; materials: %s",
            tree_found(node, found), nearest ? " (did you mean '" : "", meant, nearest ? "'?)" : "",
            list);
  return 0;
}

void case_read_materials(CaseReader *reader, Case *c)
{
  static const char *const keys[] = {"density", NULL};
  static const NumberRule density = {1e-9, 1e12, "a density from 1e-9 to 1e12 kg/m3"};
  const CaseNode *node = value_require(reader, reader->root, "materials");
  if (reader->failed) return;
  if (node->kind != NODE_MAPPING || node->count < 1 || node->count > MAX_MATERIALS) {
    char found[TREE_FOUND_BYTES];
    tree_fail(reader, node, "expected 1 to %d materials, as NAME: {density: kg/m3}, found %s",
              MAX_MATERIALS, tree_found(node, found));
    return;
  }
  c->material_count = node->count;
  c->materials = arena_allocate_zero(reader->arena, (size_t)node->count, sizeof(Material));
  for (int i = 0; i < node->count && !reader->failed; i++) {
    const CaseNode *member = node->members[i];
    const size_t bytes = strlen(member->key) + 1;
    c->materials[i].name = memcpy(arena_allocate(reader->arena, bytes), member->key, bytes);
    const CaseNode *material = value_mapping(reader, member, keys);
    c->materials[i].density =
        value_number(reader, value_require(reader, material, "density"), &density, 1);
  }
}

// Materials whose bodies pass through each other have no law.
static void refuse_law(CaseReader *reader, const CaseNode *entry)
{
  static const char *const laws[] = {"friction", "restitution", "bond"};
  for (size_t k = 0; k < sizeof laws / sizeof laws[0] && !reader->failed; k++) {
    const CaseNode *law = tree_find(entry, laws[k]);
    if (law) tree_fail(reader, law, "no use beside 'contact: false'; leave out one of the two");
  }
}

// Mortar: strengths of a joint by the criterion of Mohr and Coulomb with a tension cut-off.
static void read_bond(CaseReader *reader, const CaseNode *node, SurfacePair *pair)
{
  static const char *const keys[] = {"cohesion", "tensile_strength", NULL};
  static const NumberRule strength = {1e-9, 1e15, "a strength from 1e-9 to 1e15 Pa"};
  if (!node || reader->failed) return;
  const CaseNode *bond = value_mapping(reader, node, keys);
  const CaseNode *cohesion = value_require(reader, bond, "cohesion");
  const CaseNode *tensile = value_require(reader, bond, "tensile_strength");
  pair->cohesion = value_number(reader, cohesion, &strength, 0);
  pair->tensile_strength = value_number(reader, tensile, &strength, 0);
  if (reader->failed || pair->friction * pair->tensile_strength <= pair->cohesion) return;
  tree_fail(reader, tensile,
            "%g Pa times the friction %g is more than the cohesion, %g Pa: under that tension the "
            "joint would have no strength in shear; lower tensile_strength to at most %g Pa or "
            "raise cohesion",
            pair->tensile_strength, pair->friction, pair->cohesion,
            pair->cohesion / pair->friction);
}

static SurfacePair read_pair(CaseReader *reader, const CaseNode *node, const Case *c)
{
  static const char *const keys[] = {"between", "friction", "restitution", "contact", "bond", NULL};
  static const NumberRule friction = {0, 1e6, "a coefficient from 0 to 1e6"};
  const CaseNode *entry = value_mapping(reader, node, keys);
  const CaseNode *between = value_require(reader, entry, "between");
  const CaseNode *names = value_list(reader, between, 2, "a list of two materials");
  if (!names) return (SurfacePair){0};
  if (names->count > 2) tree_fail(reader, names, "expected two materials, found more");
  const bool excluded = !value_flag(reader, tree_find(entry, "contact"), true);
  if (excluded) refuse_law(reader, entry);
  SurfacePair pair = {.first = case_read_material_name(reader, names->members[0], c),
                      .second = case_read_material_name(reader, names->members[1], c),
                      .friction = value_number(reader, tree_find(entry, "friction"), &friction, 0),
                      .restitution =
                          value_number(reader, tree_find(entry, "restitution"), &VALUE_SHARE, 0),
                      .excluded = excluded};
  read_bond(reader, tree_find(entry, "bond"), &pair);
  return pair;
}

// How many bodies have a material; more than two are two.
typedef struct {
  int total, dynamic;
} Usage;

static Usage *count_usage(CaseReader *reader, const Case *c)
{
  Usage *usage = arena_allocate_zero(&reader->scratch, (size_t)c->material_count, sizeof *usage);
  for (int i = 0; i < c->group_count; i++) {
    const GeneratorCount count = generator_count(&c->groups[i]);
    Usage *u = &usage[c->groups[i].material];
    u->total += count.total > 2 ? 2 : (int)count.total;
    u->dynamic += count.dynamic > 2 ? 2 : (int)count.dynamic;
    if (u->total > 2) u->total = 2;
    if (u->dynamic > 2) u->dynamic = 2;
  }
  return usage;
}

// Materials i and j can meet when one of two bodies can move.
static bool can_touch(const Usage *usage, int i, int j)
{
  if (i == j) return usage[i].total > 1 && usage[i].dynamic > 0;
  return usage[i].total > 0 && usage[j].total > 0 && usage[i].dynamic + usage[j].dynamic > 0;
}

static void require_pairs(CaseReader *reader, const CaseNode *node, const Case *c,
                          const bool *given)
{
  const Usage *usage = count_usage(reader, c);
  for (int i = 0; i < c->material_count; i++) {
    for (int j = i; j < c->material_count; j++) {
      if (given[i * c->material_count + j] || !can_touch(usage, i, j)) continue;
      char first[48], second[48];
      tree_quote(c->materials[i].name, first, sizeof first);
      tree_quote(c->materials[j].name, second, sizeof second);
      tree_fail(reader, node,
                "%sno entry between '%s' and '%s', whose bodies can touch; expected "
                "{between: [%s, %s], friction: ..., restitution: ...} under 'contacts'",
                node->parent ? "" : "contacts: ", first, second, first, second);
      return;
    }
  }
}

void case_read_contacts(CaseReader *reader, Case *c)
{
  if (reader->failed) return;
  const CaseNode *node = tree_find(reader->root, "contacts");
  const CaseNode *list = value_list(reader, node, 0, "a list of contacts between materials");
  if (reader->failed) return;

  // given[i * materials + j]: the pair of materials i <= j has an entry
  const int materials = c->material_count, count = list ? list->count : 0;
  bool *given = arena_allocate_zero(&reader->scratch, (size_t)(materials * materials), 1);
  c->pairs = arena_allocate_zero(reader->arena, (size_t)count, sizeof(SurfacePair));
  c->pair_count = count;
  for (int k = 0; k < count; k++) {
    const SurfacePair pair = c->pairs[k] = read_pair(reader, list->members[k], c);
    if (reader->failed) return;
    const int low = pair.first < pair.second ? pair.first : pair.second;
    const int high = pair.first < pair.second ? pair.second : pair.first;
    bool *mark = &given[low * materials + high];
    if (*mark) tree_fail(reader, list->members[k], "a second entry for the same two materials");
    *mark = true;
  }
  if (!reader->failed) require_pairs(reader, list ? list : reader->root, c, given);
}
