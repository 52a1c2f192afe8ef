// Reads arches by span and rise, vaults, domes, columns, prisms and pipes.
#include "case_structures.h"

#include "arch_structure.h"
#include "case_measures.h"
#include "dome_structure.h"
#include "prism.h"
#include "vault_structure.h"

#define DEFAULT_SIDES 16

static const char *const DEPTHS[2] = {"depth", "width"};

bool case_structures_takes_arch(const CaseNode *arch)
{
  return case_tree_find(arch, "span") != NULL;
}

static PierMeasures read_piers(CaseReader *reader, const CaseNode *node, double thickness)
{
  static const char *const keys[] = {"width", "height", "courses", NULL};
  const CaseNode *piers = case_value_mapping(reader, node, keys);
  return (PierMeasures){.width = case_value_number(reader, case_tree_find(piers, "width"),
                                                   &CASE_VALUE_LENGTH, 2 * thickness),
                        .height = case_measures_length(reader, piers, "height"),
                        .courses = (int)case_value_integer(reader, case_tree_find(piers, "courses"),
                                                           1, STRUCTURE_MOST, 1)};
}

static FillMeasures read_fill(CaseReader *reader, const CaseNode *node, double depth, bool wall)
{
  static const char *const keys[] = {"height", "courses", "length", "thickness", NULL};
  static const char *const backing_keys[] = {"height", "courses", "length", NULL};
  const CaseNode *fill = case_value_mapping(reader, node, wall ? keys : backing_keys);
  return (FillMeasures){.height = case_measures_length(reader, fill, "height"),
                        .courses = case_measures_count(reader, fill, "courses"),
                        .length = case_measures_length(reader, fill, "length"),
                        .thickness = case_value_number(reader, case_tree_find(fill, "thickness"),
                                                       &CASE_VALUE_LENGTH, depth)};
}

void case_structures_arch(CaseReader *reader, const CaseNode *node, BodyGroup *group)
{
  static const char *const keys[] = {"span",      "rise",    "thickness", "depth",    "width",
                                     "n",         "form",    "voussoirs", "supports", "piers",
                                     "spandrels", "backing", NULL};
  const CaseNode *arch = case_value_mapping(reader, node, keys);
  ArchMeasures m = {
      .ring = case_measures_ring(reader, arch, case_measures_length(reader, arch, "span")),
      .supports = case_value_flag(reader, case_tree_find(arch, "supports"), true),
      .has_piers = case_tree_find(arch, "piers") != NULL,
      .has_spandrels = case_tree_find(arch, "spandrels") != NULL,
      .has_backing = case_tree_find(arch, "backing") != NULL};
  m.depth = case_value_number(reader, case_measures_either(reader, arch, DEPTHS, true),
                              &CASE_VALUE_LENGTH, 1);
  if (m.has_piers) m.piers = read_piers(reader, case_tree_find(arch, "piers"), m.ring.thickness);
  if (m.has_spandrels)
    m.spandrels = read_fill(reader, case_tree_find(arch, "spandrels"), m.depth, true);
  if (m.has_backing) m.backing = read_fill(reader, case_tree_find(arch, "backing"), m.depth, false);
  if (reader->failed) return;
  const StructureFault fault = arch_structure_check(&m);
  if (fault.reason) {
    case_measures_refuse(reader, arch, fault);
    return;
  }
  const Structure structure = arch_structure_make(&m, reader->arena);
  case_measures_take(&structure, group);
}

void case_structures_vault(CaseReader *reader, const CaseNode *node, BodyGroup *group)
{
  static const char *const keys[] = {"kind", "span",   "rise", "thickness", "n",        "voussoirs",
                                     "form", "length", "rows", "bond",      "supports", NULL};
  static const char *const kinds[] = {"barrel", "cross", NULL};
  static const char *const bonds[] = {"running", "stack", NULL};
  const CaseNode *vault = case_value_mapping(reader, node, keys);
  VaultMeasures m = {
      .ring = case_measures_ring(reader, vault, case_measures_length(reader, vault, "span")),
      .cross = case_measures_word(reader, case_tree_find(vault, "kind"), kinds, 0) == 1,
      .rows = case_measures_count(reader, vault, "rows"),
      .aligned = case_measures_word(reader, case_tree_find(vault, "bond"), bonds, 0) == 1,
      .supports = case_value_flag(reader, case_tree_find(vault, "supports"), true)};
  const CaseNode *length = case_tree_find(vault, "length");
  if (m.cross && length)
    case_tree_fail_key(reader, length, "a cross vault is as long as it is wide");
  if (!m.cross) m.length = case_measures_length(reader, vault, "length");
  if (reader->failed) return;
  const StructureFault fault = vault_structure_check(&m);
  if (fault.reason) {
    case_measures_refuse(reader, vault, fault);
    return;
  }
  const Structure structure = vault_structure_make(&m, reader->arena);
  case_measures_take(&structure, group);
}

void case_structures_dome(CaseReader *reader, const CaseNode *node, BodyGroup *group)
{
  static const char *const keys[] = {"span",   "rise", "thickness", "meridians", "hoops",
                                     "oculus", "bond", "supports",  NULL};
  static const char *const bonds[] = {"running", "stack", NULL};
  static const NumberRule oculus = {0, 1e9, "a diameter from 0 to 1e9 m"};
  const CaseNode *dome = case_value_mapping(reader, node, keys);
  const double span = case_measures_length(reader, dome, "span");
  const DomeMeasures m = {
      .span = span,
      .rise =
          case_value_number(reader, case_tree_find(dome, "rise"), &CASE_VALUE_LENGTH, 0.5 * span),
      .thickness = case_measures_length(reader, dome, "thickness"),
      .oculus = case_value_number(reader, case_tree_find(dome, "oculus"), &oculus, 0),
      .meridians = case_measures_count(reader, dome, "meridians"),
      .hoops = case_measures_count(reader, dome, "hoops"),
      .aligned = case_measures_word(reader, case_tree_find(dome, "bond"), bonds, 0) == 1,
      .supports = case_value_flag(reader, case_tree_find(dome, "supports"), true)};
  if (reader->failed) return;
  const StructureFault fault = dome_structure_check(&m);
  if (fault.reason) {
    case_measures_refuse(reader, dome, fault);
    return;
  }
  const Structure structure = dome_structure_make(&m, reader->arena);
  case_measures_take(&structure, group);
}

// The keys sides, height, taper, and radius or width.
static PrismMeasures read_prism(CaseReader *reader, const CaseNode *mapping, int sides)
{
  static const NumberRule taper = {0, 1e6, "a ratio from 0 to 1e6"};
  const CaseNode *count = case_tree_find(mapping, "sides"),
                 *radius = case_tree_find(mapping, "radius"),
                 *width = case_tree_find(mapping, "width");
  if (!count && sides == 0 && mapping) case_value_require(reader, mapping, "sides");
  PrismMeasures m = {
      .sides = (int)case_value_integer(reader, count, 3, PRISM_MOST_SIDES, sides > 3 ? sides : 3),
      .height = case_measures_length(reader, mapping, "height"),
      .taper = case_value_number(reader, case_tree_find(mapping, "taper"), &taper, 1)};
  if (radius && width) case_tree_fail_key(reader, width, "a size is given by 'radius' already");
  if (!radius && !width && mapping) case_value_require(reader, mapping, "radius");
  m.radius = case_value_number(reader, radius, &CASE_VALUE_LENGTH, 1);
  const double given = case_value_number(reader, width, &CASE_VALUE_LENGTH, 1);
  if (width && !reader->failed) m.radius = prism_radius(m.sides, given);
  return m;
}

PartRecipe case_structures_prism(CaseReader *reader, const CaseNode *node)
{
  static const char *const keys[] = {"sides", "radius", "width", "height", "taper", NULL};
  const CaseNode *prism = case_value_mapping(reader, node, keys);
  const PrismMeasures m = read_prism(reader, prism, 0);
  const double ends = 1e-6;   // narrower ones are points, or make the base one
  if (!reader->failed && prism && m.taper != 0 && !(m.taper >= ends && m.taper * ends <= 1))
    case_tree_fail(reader, case_tree_find(prism, "taper"),
                   "expected 0, for a pyramid, or a ratio from 1e-6 to 1e6");
  if (reader->failed || !prism) return (PartRecipe){0};
  return prism_make(&m, reader->arena);
}

ShapeRecipe case_structures_pipe(CaseReader *reader, const CaseNode *node)
{
  static const char *const keys[] = {"sides", "radius", "width", "height", "thickness", NULL};
  const CaseNode *pipe = case_value_mapping(reader, node, keys);
  const PrismMeasures m = read_prism(reader, pipe, DEFAULT_SIDES);
  const double thickness = case_measures_length(reader, pipe, "thickness");
  if (reader->failed || !pipe) return (ShapeRecipe){0};
  const CaseNode *thick = case_tree_find(pipe, "thickness");
  if (m.sides > PIPE_MOST_SIDES)
    case_tree_fail(reader, case_tree_find(pipe, "sides"), "a pipe has at most %d sides, found %d",
                   PIPE_MOST_SIDES, m.sides);
  else if (!(thickness < m.radius))
    case_tree_fail(reader, thick, "expected less than the radius of the pipe, %g m", m.radius);
  if (reader->failed) return (ShapeRecipe){0};
  return prism_pipe(&m, thickness, reader->arena);
}

void case_structures_column(CaseReader *reader, const CaseNode *node, BodyGroup *group)
{
  static const char *const keys[] = {"drums", "sides", "radius",  "width", "height",
                                     "taper", "base",  "capital", NULL};
  const CaseNode *column = case_value_mapping(reader, node, keys);
  const ColumnMeasures m = {.drums = case_measures_count(reader, column, "drums"),
                            .shaft = read_prism(reader, column, DEFAULT_SIDES),
                            .base = case_value_vector(reader, case_tree_find(column, "base"),
                                                      &CASE_VALUE_LENGTH, (vec3){0}),
                            .capital = case_value_vector(reader, case_tree_find(column, "capital"),
                                                         &CASE_VALUE_LENGTH, (vec3){0})};
  if (reader->failed) return;
  const StructureFault fault = prism_column_check(&m);
  if (fault.reason) {
    case_measures_refuse(reader, column, fault);
    return;
  }
  const Structure structure = prism_column(&m, reader->arena);
  case_measures_take(&structure, group);
}
