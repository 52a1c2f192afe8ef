// Materials of a case file, and the laws between them.
#include "case_materials.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "case_time.h"
#include "case_volumetric.h"
#include "check.h"
#include "group.h"

#define MAX_MATERIALS 1000   // all pairs of them are walked

int case_read_material_name(CaseReader *reader, const CaseNode *node, const Case *c)
{
  assert((reader->failed || c->material_count > 0) && "materials come before their names");
  if (reader->failed || !node) return 0;
  const size_t count = (size_t)c->material_count;
  for (size_t i = 0; i < count; i++)
    if (case_value_is_word(node, c->materials[i].name)) return (int)i;

  const char **names = arena_allocate(&reader->scratch, count * sizeof(char *));
  for (size_t i = 0; i < count; i++) names[i] = c->materials[i].name;
  char list[256], found[TREE_FOUND_BYTES], meant[TREE_FOUND_BYTES] = "";
  case_value_join(names, c->material_count, list, sizeof list);
  const char *nearest =
      node->kind == NODE_SCALAR ? case_value_nearest(node->text, names, c->material_count) : NULL;
  if (nearest) case_tree_quote(nearest, meant, sizeof meant);
  case_tree_fail(reader, node, "expected a material, found %s%s%s%s; materials: %s",
                 case_tree_found(node, found), nearest ? " (did you mean '" : "", meant,
                 nearest ? "'?)" : "", list);
  return 0;
}

// What bodies of a material that deform are made of; young 0 where the material has no such law.
static ElasticLaw read_elastic(CaseReader *reader, const CaseNode *material)
{
  static const NumberRule young = {1, 1e15, "Young's modulus, from 1 to 1e15 Pa"};
  static const NumberRule poisson = {-1, 0.5, "Poisson's ratio, above -1 and below 0.5"};
  static const NumberRule damping = {0, 1e6, "a time from 0 to 1e6 s"};
  static const NumberRule expansion = {-1, 1, "a thermal expansion from -1 to 1 per kelvin"};
  const CaseNode *stiff = case_tree_find(material, "young"),
                 *ratio = case_tree_find(material, "poisson"),
                 *damped = case_tree_find(material, "damping"),
                 *grows = case_tree_find(material, "expansion");
  const ElasticLaw law = {.young = case_value_number(reader, stiff, &young, 0),
                          .poisson = case_value_number(reader, ratio, &poisson, 0),
                          .damping = case_value_number(reader, damped, &damping, 0),
                          .expansion = case_value_number(reader, grows, &expansion, 0)};
  const CaseNode *other = law.poisson != 0     ? ratio
                          : law.damping != 0   ? damped
                          : law.expansion != 0 ? grows
                                               : NULL;
  if (reader->failed) return law;
  if (ratio && !(law.poisson > -1 && law.poisson < 0.5))
    case_tree_fail(reader, ratio, "expected Poisson's ratio, above -1 and below 0.5, found %g",
                   law.poisson);
  else if (other && !stiff)
    case_tree_fail(reader, other, "of a material that deforms, and 'young' is not given");
  return law;
}

void case_read_materials(CaseReader *reader, Case *c)
{
  assert(c->materials == NULL && c->material_count == 0 && "materials are read once");
  static const char *const keys[] = {"density", "young", "poisson", "damping", "expansion", NULL};
  static const NumberRule density = {1e-9, 1e12, "a density from 1e-9 to 1e12 kg/m3"};
  const CaseNode *node = case_value_require(reader, reader->root, "materials");
  if (reader->failed) return;
  if (node->kind != NODE_MAPPING || node->count < 1 || node->count > MAX_MATERIALS) {
    char found[TREE_FOUND_BYTES];
    case_tree_fail(reader, node, "expected 1 to %d materials, as NAME: {density: kg/m3}, found %s",
                   MAX_MATERIALS, case_tree_found(node, found));
    return;
  }
  c->material_count = node->count;
  c->materials = arena_allocate_zero(reader->arena, (size_t)node->count, sizeof(Material));
  for (int i = 0; i < node->count && !reader->failed; i++) {
    const CaseNode *member = node->members[i];
    const size_t bytes = strlen(member->key) + 1;
    c->materials[i].name = memcpy(arena_allocate(reader->arena, bytes), member->key, bytes);
    const CaseNode *material = case_value_mapping(reader, member, keys);
    c->materials[i].density =
        case_value_number(reader, case_value_require(reader, material, "density"), &density, 1);
    c->materials[i].elastic = read_elastic(reader, material);
  }
}

// The numbers of a law, 0 where they are not given.
static const struct {
  const char *key;
  size_t offset;   // in SurfaceLaw
  NumberRule rule;
} coefficients[] = {
    {"friction", offsetof(SurfaceLaw, friction), {0, 1e6, "a coefficient from 0 to 1e6"}},
    {"restitution", offsetof(SurfaceLaw, restitution), {0, 1, "a number from 0 to 1"}},
};

// A number or a function of time that is never below the least value of its quantity.
static TimeVector read_bounded(CaseReader *reader, const CaseNode *node, TimeQuantity quantity,
                               const Case *c)
{
  const TimeVector function = case_time_read(reader, node, quantity, c);
  const double least = time_vector_least(&function), low = CASE_QUANTITY_RULES[quantity]->low;
  if (!reader->failed && least < low)
    case_tree_fail(reader, node,
                   "expected a function that is never below %g; by its terms it may come to %g",
                   low, least);
  return function;
}

// A function of time in the place of a number, where a node is one. Returns whether it is.
static bool read_function(CaseReader *reader, const CaseNode *node, TimeQuantity quantity,
                          const Case *c, TimeVector *function)
{
  if (!node || node->kind != NODE_MAPPING || reader->failed) return false;
  *function = read_bounded(reader, node, quantity, c);
  return true;
}
enum { FRICTION = 0, COEFFICIENTS = sizeof coefficients / sizeof *coefficients };

// Materials whose bodies pass through each other have no law.
static void refuse_law(CaseReader *reader, const CaseNode *entry)
{
  static const char *const others[] = {"bond", "joint_stiffness", "reduction", "law"};
  enum { OTHERS = sizeof others / sizeof *others };
  for (int k = 0; k < COEFFICIENTS + OTHERS && !reader->failed; k++) {
    const char *key = k < COEFFICIENTS ? coefficients[k].key : others[k - COEFFICIENTS];
    const CaseNode *law = case_tree_find(entry, key);
    if (law)
      case_tree_fail(reader, law, "no use beside 'contact: false'; leave out one of the two");
  }
}

// A strength of mortar, at the start where it changes.
static double read_strength(CaseReader *reader, const CaseNode *node, const Case *c,
                            TimeVector *function, bool *moves)
{
  static const NumberRule rule = {1e-9, 1e15, "a strength from 1e-9 to 1e15 Pa"};
  *moves = read_function(reader, node, TIME_STRENGTH, c, function);
  if (reader->failed) return 0;
  return *moves ? time_vector_at(function, 0).x : case_value_number(reader, node, &rule, 0);
}

// Mortar: strengths of a joint by the criterion of Mohr and Coulomb with a tension cut-off.
static void read_bond(CaseReader *reader, const CaseNode *node, const Case *c, SurfaceLaw *law,
                      LawInTime *change)
{
  assert(!law->bonded && "a law has one bond");
  static const char *const keys[] = {"cohesion", "tensile_strength", NULL};
  if (!node || reader->failed) return;
  const CaseNode *bond = case_value_mapping(reader, node, keys);
  const CaseNode *cohesion = case_value_require(reader, bond, "cohesion");
  const CaseNode *tensile = case_value_require(reader, bond, "tensile_strength");
  law->cohesion = read_strength(reader, cohesion, c, &change->cohesion, &change->moves_cohesion);
  law->tensile_strength =
      read_strength(reader, tensile, c, &change->tensile_strength, &change->moves_tensile);
  law->bonded = true;
  if (change->moves_cohesion || change->moves_tensile || change->moves_friction) return;
  if (reader->failed || law->friction * law->tensile_strength <= law->cohesion) return;
  case_tree_fail(
      reader, tensile,
      "%g Pa times the friction %g is more than the cohesion, %g Pa: under that tension the "
      "joint would have no strength in shear; lower tensile_strength to at most %g Pa or "
      "raise cohesion",
      law->tensile_strength, law->friction, law->cohesion, law->cohesion / law->friction);
}

// Springs of joints by their area. A bond is elastic both ways or not at all, since the correction
// of positions holds it in all directions or in none.
static void read_stiffness(CaseReader *reader, const CaseNode *node, SurfaceLaw *law)
{
  assert(law->normal_stiffness == 0 && law->shear_stiffness == 0 && "a law has one stiffness");
  static const char *const keys[] = {"normal", "shear", NULL};
  static const NumberRule rule = {0, 1e18, "a stiffness from 0 (rigid) to 1e18 Pa/m"};
  if (!node || reader->failed) return;
  const CaseNode *springs = case_value_mapping(reader, node, keys);
  const CaseNode *normal = case_value_require(reader, springs, "normal");
  const CaseNode *shear = case_value_require(reader, springs, "shear");
  law->normal_stiffness = case_value_number(reader, normal, &rule, 0);
  law->shear_stiffness = case_value_number(reader, shear, &rule, 0);
  if (reader->failed) return;
  if (law->bonded && (law->normal_stiffness > 0) != (law->shear_stiffness > 0))
    case_tree_fail(reader, node,
                   "a bond gives along its normal and in shear, or in neither: give "
                   "both stiffnesses or make both 0");
}

// Springs give back the energy of an impact themselves.
static void refuse_restitution(CaseReader *reader, const CaseNode *list, const SurfaceLaws *laws)
{
  assert(laws->laws != NULL && "laws are read before they are compared");
  if (!laws->elastic || reader->failed) return;
  for (int i = 0; i < surface_laws_count(laws->material_count); i++)
    if (laws->laws[i].restitution > 0) {
      case_tree_fail(reader, list,
                     "restitution and joint_stiffness do not go together: springs "
                     "give back what impacts put into them; make restitution 0");
      return;
    }
}

// What divides friction and strength in time.
static void read_reduction(CaseReader *reader, const CaseNode *node, const Case *c,
                           LawInTime *change)
{
  if (!node || reader->failed) return;
  change->reduction = read_bounded(reader, node, TIME_REDUCTION, c);
  change->reduced = true;
}

// The law of an entry, and what of it changes in time; its materials into ends[2].
static SurfaceLaw read_law(CaseReader *reader, const CaseNode *node, const Case *c, int *ends,
                           LawInTime *change)
{
  const char *keys[COEFFICIENTS + 17] = {"between"};
  for (int k = 0; k < COEFFICIENTS; k++) keys[k + 1] = coefficients[k].key;
  keys[COEFFICIENTS + 1] = "contact";
  keys[COEFFICIENTS + 2] = "bond";
  keys[COEFFICIENTS + 3] = "joint_stiffness";
  keys[COEFFICIENTS + 4] = "reduction";
  keys[COEFFICIENTS + 5] = "law";
  for (int k = 0; CASE_VOLUMETRIC_KEYS[k]; k++)
    keys[COEFFICIENTS + 6 + k] = CASE_VOLUMETRIC_KEYS[k];
  SurfaceLaw law = {0};
  const CaseNode *entry = case_value_mapping(reader, node, keys);
  const CaseNode *between = case_value_require(reader, entry, "between");
  const CaseNode *names = case_value_list(reader, between, 2, "a list of two materials");
  if (!names) return law;
  if (names->count > 2) case_tree_fail(reader, names, "expected two materials, found more");
  law.excluded = !case_value_flag(reader, case_tree_find(entry, "contact"), true);
  if (law.excluded) refuse_law(reader, entry);
  for (int k = 0; k < 2; k++) ends[k] = case_read_material_name(reader, names->members[k], c);
  const CaseNode *friction = case_tree_find(entry, "friction");
  change->moves_friction = read_function(reader, friction, TIME_FRICTION, c, &change->friction);
  for (int k = 0; k < COEFFICIENTS; k++) {
    if (k == FRICTION && change->moves_friction) continue;
    *(double *)(void *)((char *)&law + coefficients[k].offset) = case_value_number(
        reader, case_tree_find(entry, coefficients[k].key), &coefficients[k].rule, 0);
  }
  if (change->moves_friction && !reader->failed)
    law.friction = time_vector_at(&change->friction, 0).x;
  if (case_volumetric_read(reader, entry, &law)) {
    if (change->moves_friction)
      case_tree_fail(reader, friction, "expected a number beside 'law: volumetric'");
    law.restitution = 0;   // (it has become damping)
    return law;
  }
  read_reduction(reader, case_tree_find(entry, "reduction"), c, change);
  read_bond(reader, case_tree_find(entry, "bond"), c, &law, change);
  read_stiffness(reader, case_tree_find(entry, "joint_stiffness"), &law);
  return law;
}

// How many bodies have a material; more than two are two.
typedef struct {
  int total, dynamic;
} Usage;

static Usage *count_usage(CaseReader *reader, const Case *c)
{
  Usage *usage = arena_allocate_zero(&reader->scratch, (size_t)c->material_count, sizeof *usage);
  for (int i = 0; i < c->group_count; i++) {
    const BodyGroup *group = &c->groups[i];
    GroupSize count = group_size(group);
    if (group->cuts.cohesion == INFINITY) {   // pieces that nothing parts are one
      const uint64_t pieces = (uint64_t)group_pieces(group);
      const uint64_t whole =
          group->cuts.file_count > 0 ? (uint64_t)group->cuts.file_count : count.dynamic / pieces;
      count.total -= count.dynamic - whole;
      count.dynamic = whole;
    }
    Usage *u = &usage[group->material];
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
  assert_debug(i >= 0 && i <= j && "pairs of materials come in ascending order");
  if (i == j) return usage[i].total > 1 && usage[i].dynamic > 0;
  return usage[i].total > 0 && usage[j].total > 0 && usage[i].dynamic + usage[j].dynamic > 0;
}

static void require_pairs(CaseReader *reader, const CaseNode *node, const Case *c,
                          const bool *given)
{
  assert(given != NULL && c->surfaces.laws != NULL && "laws are read before they are required");
  const Usage *usage = count_usage(reader, c);
  for (int i = 0; i < c->material_count; i++) {
    for (int j = i; j < c->material_count; j++) {
      if (given[surface_laws_index(i, j)] || !can_touch(usage, i, j)) continue;
      char first[48], second[48];
      case_tree_quote(c->materials[i].name, first, sizeof first);
      case_tree_quote(c->materials[j].name, second, sizeof second);
      case_tree_fail(reader, node,
                     "%sno entry between '%s' and '%s', whose bodies can touch; expected "
                     "{between: [%s, %s], friction: ..., restitution: ...} under 'contacts'",
                     node->parent ? "" : "contacts: ", first, second, first, second);
      return;
    }
  }
}

void case_read_contacts(CaseReader *reader, Case *c)
{
  assert((reader->failed || c->surfaces.laws == NULL) && "laws are read once");
  if (reader->failed) return;
  const CaseNode *node = case_tree_find(reader->root, "contacts");
  const CaseNode *list = case_value_list(reader, node, 0, "a list of contacts between materials");
  if (reader->failed) return;

  // given[i]: the pair of materials with that law has an entry
  const int laws = surface_laws_count(c->material_count), count = list ? list->count : 0;
  bool *given = arena_allocate_zero(&reader->scratch, (size_t)laws, 1);
  c->surfaces.material_count = c->material_count;
  c->surfaces.laws = arena_allocate_zero(reader->arena, (size_t)laws, sizeof *c->surfaces.laws);
  c->law_changes = arena_allocate_zero(reader->arena, (size_t)count + 1, sizeof *c->law_changes);
  for (int k = 0; k < count; k++) {
    int ends[2] = {0, 0};
    LawInTime change = {.law = 0};
    const SurfaceLaw law = read_law(reader, list->members[k], c, ends, &change);
    if (reader->failed) return;
    change.law = surface_laws_index(ends[0], ends[1]);
    if (law_in_time_moves(&change)) c->law_changes[c->law_change_count++] = change;
    bool *mark = &given[surface_laws_index(ends[0], ends[1])];
    if (*mark)
      case_tree_fail(reader, list->members[k], "a second entry for the same two materials");
    *mark = true;
    surface_laws_set(&c->surfaces, ends[0], ends[1], &law);
  }
  refuse_restitution(reader, list, &c->surfaces);
  if (!reader->failed) require_pairs(reader, list ? list : reader->root, c, given);
}
