// Reads the volumetric law of two materials and judges bodies that have it.
#include "case_volumetric.h"

#include <assert.h>
#include <stdio.h>

#include "compliant_law.h"
#include "group.h"
#include "log.h"
#include "parallel.h"

const char *const CASE_VOLUMETRIC_KEYS[] = {"stiffness",          "damping",
                                            "restitution_speed",  "static_friction",
                                            "stick_speed",        "tangential_stiffness",
                                            "tangential_damping", "rolling",
                                            "spinning",           NULL};

static const NumberRule STIFFNESS = {1e-9, 1e18, "a stiffness from 1e-9 to 1e18 N/m3"};

// The damping, as it is given or by a rebound.
static double read_damping(CaseReader *reader, const CaseNode *entry)
{
  static const NumberRule damping = {0, 1e6, "a damping from 0 to 1e6 s/m"};
  static const NumberRule share = {0, 1, "a number above 0, at most 1"};
  static const NumberRule speed = {1e-9, 1e6, "a speed from 1e-9 to 1e6 m/s"};
  const CaseNode *given = case_tree_find(entry, "damping"),
                 *rebound = case_tree_find(entry, "restitution"),
                 *at = case_tree_find(entry, "restitution_speed");
  if (given && rebound)
    case_tree_fail(reader, rebound,
                   "damping and restitution say the same thing; leave out one of the two");
  if (!rebound) {
    if (at) case_tree_fail(reader, at, "no use without 'restitution'");
    return case_value_number(reader, given, &damping, 0);
  }
  const double e = case_value_number(reader, rebound, &share, 1);
  if (!reader->failed && !(e > 0))
    case_tree_fail(reader, rebound,
                   "a volumetric law gives back something of every impact, however much it "
                   "damps; make restitution larger than 0, or give a large damping");
  if (!at) case_value_require(reader, entry, "restitution_speed");
  const double v = case_value_number(reader, at, &speed, 1);
  return reader->failed ? 0 : compliant_law_damping(e, v);
}

// Friction at rest and along the joint.
static void read_friction(CaseReader *reader, const CaseNode *entry, SurfaceLaw *law)
{
  static const NumberRule coefficient = {0, 1e6, "a coefficient from 0 to 1e6"};
  static const NumberRule speed = {1e-12, 1e6, "a speed from 1e-12 to 1e6 m/s"};
  static const NumberRule damping = {0, 1e18, "a damping from 0 to 1e18 N s/m3"};
  VolumetricLaw *v = &law->volumetric;
  const CaseNode *rest = case_tree_find(entry, "static_friction"),
                 *at = case_tree_find(entry, "stick_speed");
  v->static_friction = case_value_number(reader, rest, &coefficient, law->friction);
  if (!reader->failed && v->static_friction < law->friction)
    case_tree_fail(reader, rest, "expected at least the friction, %g, found %g", law->friction,
                   v->static_friction);
  if (rest && !at) case_value_require(reader, entry, "stick_speed");
  if (at && !rest) case_tree_fail(reader, at, "no use without 'static_friction'");
  v->stick_speed = case_value_number(reader, at, &speed, 0);
  v->tangential_stiffness = case_value_number(reader, case_tree_find(entry, "tangential_stiffness"),
                                              &STIFFNESS, v->stiffness);
  v->tangential_damping =
      case_value_number(reader, case_tree_find(entry, "tangential_damping"), &damping, -1);
}

static void read_turning(CaseReader *reader, const CaseNode *entry, VolumetricLaw *law)
{
  law->rolling = case_value_flag(reader, case_tree_find(entry, "rolling"), true);
  const CaseNode *spinning = case_tree_find(entry, "spinning");
  char found[TREE_FOUND_BYTES];
  if (!spinning || case_value_is_word(spinning, "mean")) law->spinning = SPINNING_MEAN;
  else if (case_value_is_word(spinning, "integrated")) law->spinning = SPINNING_INTEGRATED;
  else if (case_value_is_word(spinning, "viscous")) law->spinning = SPINNING_VISCOUS;
  else
    case_tree_fail(reader, spinning, "expected 'mean', 'integrated' or 'viscous', found %s",
                   case_tree_found(spinning, found));
}

// Keys that one of two laws has and the other has not.
static void refuse_keys(CaseReader *reader, const CaseNode *entry, const char *const *keys,
                        const char *reason)
{
  for (int k = 0; keys[k] && !reader->failed; k++) {
    const CaseNode *node = case_tree_find(entry, keys[k]);
    if (node) case_tree_fail(reader, node, "%s", reason);
  }
}

bool case_volumetric_read(CaseReader *reader, const CaseNode *entry, SurfaceLaw *law)
{
  assert(law->volumetric.stiffness == 0 && "a pair has one law");
  static const char *const others[] = {"bond", "joint_stiffness", "reduction", NULL};
  const CaseNode *word = case_tree_find(entry, "law");
  if (reader->failed) return false;
  if (!word || case_value_is_word(word, "non-smooth")) {
    refuse_keys(reader, entry, CASE_VOLUMETRIC_KEYS,
                "of the law 'volumetric'; add 'law: volumetric' or leave this out");
    return false;
  }
  if (!case_value_is_word(word, "volumetric")) {
    char found[TREE_FOUND_BYTES];
    case_tree_fail(reader, word, "expected 'non-smooth' or 'volumetric', found %s",
                   case_tree_found(word, found));
    return false;
  }
  refuse_keys(reader, entry, others, "no use beside 'law: volumetric'; leave out one of the two");
  const CaseNode *stiffness = case_value_require(reader, entry, "stiffness");
  law->volumetric.stiffness = case_value_number(reader, stiffness, &STIFFNESS, 0);
  law->volumetric.damping = read_damping(reader, entry);
  read_friction(reader, entry, law);
  read_turning(reader, entry, &law->volumetric);
  return !reader->failed;
}

bool case_volumetric_rows(CaseReader *reader, const CaseNode *node, const Case *c)
{
  assert((reader->failed || c->surfaces.laws != NULL) && "laws are read first");
  char found[TREE_FOUND_BYTES];
  if (!node || reader->failed || case_value_is_word(node, "parts")) return false;
  if (!case_value_is_word(node, "body"))
    case_tree_fail(reader, node, "expected 'parts' or 'body', found %s",
                   case_tree_found(node, found));
  else if (!c->surfaces.compliant)
    case_tree_fail(reader, node, "no use where no pair of materials has 'law: volumetric'");
  return true;
}

// -- bodies ---------------------------------------------------------------------------------------

double case_volumetric_stiffest(const Case *c, int material)
{
  assert(material >= 0 && material < c->material_count && "a material of the case");
  double most = 0;
  for (int other = 0; other < c->material_count; other++) {
    const VolumetricLaw *law = &surface_laws_find(&c->surfaces, material, other)->volumetric;
    most = larger_of(most, law->stiffness);
  }
  return most;
}

// Areas of faces of a shape, m2.
typedef struct {
  double least, most;
} FaceAreas;

static FaceAreas face_areas(const Shape *shape)
{
  FaceAreas areas = {INFINITY, 0};
  for (int p = 0; p < shape->part_count; p++)
    for (int f = 0; f < shape->parts[p].facet_count; f++) {
      const Facet *facet = &shape->parts[p].facets[f];
      const double area = vec3_norm(polyhedron_area_vector(facet->corners, facet->corner_count));
      areas.least = smaller_of(areas.least, area);
      areas.most = larger_of(areas.most, area);
    }
  return areas;
}

// The stiffness that bodies of a group which may move feel through their faces; 0: none.
static double stiffness_of(const Case *c, const BodyGroup *group, const Shape *shape)
{
  const bool layered = shape->part_count > 0 && group_size(group).dynamic > 0;
  return layered ? case_volumetric_stiffest(c, group->material) : 0;
}

static double mass_of(const Case *c, const BodyGroup *group, const Shape *shape)
{
  return c->materials[group->material].density * shape->volume;
}

// What a shape is that the law cannot do with; NULL: nothing.
static const char *unfit_shape(const Case *c, const BodyGroup *group, const Shape *shape)
{
  if (shape->radii.x > 0) return "is an ellipsoid, whose common solids are not known";
  if (shape->surface && c->contact.inner_spheres == 0)
    return "is a surface alone, without parts that can share a volume, which 'contact.geometry: "
           "spheres' needs not";
  if (group_deforms(group)) return "is elastic, and that law is one of rigid bodies";
  return NULL;
}

// False with a message for a group that the law of the case, or of a stage, does not suit.
static bool check(const Case *c, const BodyGroup *group, const Shape *shape, ErrorText error)
{
  assert(c->step > 0 && group->material < c->material_count && "a case with a step");
  const double k = case_volumetric_stiffest(c, group->material);
  if (!(k > 0)) return true;
  char name[64], stage[TREE_STAGE_BYTES];
  case_tree_quote(group->name, name, sizeof name);
  case_tree_stage(c->stage_name, stage);
  const char *unfit = unfit_shape(c, group, shape);
  if (unfit) {
    snprintf(error.text, error.bytes,
             "%s:%d: %sbody%s%s%s %s; give its material another law than 'volumetric'", c->path,
             group->line, stage, *name ? " '" : "", name, *name ? "'" : "", unfit);
    return false;
  }
  if (!(stiffness_of(c, group, shape) > 0)) return true;
  const double mass = mass_of(c, group, shape);
  const double area = face_areas(shape).least, critical = sqrt(mass / (k * area));
  if (c->step <= critical) return true;
  snprintf(
      error.text, error.bytes,
      "%s:%d: %sbody%s%s%s: the stiffness %g N/m3 is too much for a mass of %.4g kg, a face of "
      "%.4g m2 and steps of %g s; lower it to at most %.4g N/m3, or lower time.step to at "
      "most %.4g s",
      c->path, group->line, stage, *name ? " '" : "", name, *name ? "'" : "", k, mass, area,
      c->step, mass / (area * c->step * c->step), critical);
  return false;
}

// -- critical steps -------------------------------------------------------------------------------

static void lower(CriticalStep *known, CriticalStep by)
{
  if (by.step > 0 && !(known->step > 0 && known->step <= by.step)) *known = by;
}

// Notes the critical steps of a group whose bodies have that shape, where they are shorter than
// those that the case, or the stage, knows.
static void note(Case *c, int number, const Shape *shape)
{
  const BodyGroup *group = &c->groups[number];
  const double k = stiffness_of(c, group, shape);
  if (!(k > 0)) return;
  const FaceAreas areas = face_areas(shape);
  const double mass = mass_of(c, group, shape);
  lower(&c->critical_least, (CriticalStep){sqrt(mass / (k * areas.least)), number});
  lower(&c->critical_most, (CriticalStep){sqrt(mass / (k * areas.most)), number});
}

// The case, or one of its stages.
static Case *stage_of(Case *c, int stage) { return c->stage_count > 0 ? &c->stages[stage] : c; }

bool case_volumetric_used(const Case *c)
{
  assert(c->stage_count >= 0 && "a case is read");
  bool used = c->surfaces.compliant;
  for (int i = 0; i < c->stage_count; i++) used = used || c->stages[i].surfaces.compliant;
  return used;
}

bool case_volumetric_check(Case *c, int group, const Shape *shape, ErrorText error)
{
  assert(group >= 0 && group < c->group_count && "a group of the case");
  for (int i = 0; i < c->stage_count || i == 0; i++) {
    Case *stage = stage_of(c, i);
    if (!stage->surfaces.compliant) continue;
    if (!check(stage, &stage->groups[group], shape, error)) return false;
    note(stage, group, shape);
  }
  return true;
}

static ParFirst key_of(CriticalStep step)
{
  return (ParFirst){step.step > 0 ? 1 / step.step : 0, (uint64_t)step.group, 0};
}

static CriticalStep step_of(ParFirst key)
{
  return (CriticalStep){key.size > 0 ? 1 / key.size : 0, (int)key.low};
}

static void agree(Case *c)
{
  ParFirst firsts[2] = {key_of(c->critical_least), key_of(c->critical_most)};
  const Reduction all = {REDUCE_FIRST, firsts, 2};
  par_reduce(&all, 1);
  c->critical_least = step_of(firsts[0]);
  c->critical_most = step_of(firsts[1]);
}

void case_volumetric_agree(Case *c)
{
  assert(c->stage_count >= 0 && "a case is read");
  if (c->stage_count == 0) agree(c);
  for (int i = 0; i < c->stage_count; i++) {
    agree(&c->stages[i]);
    lower(&c->critical_least, c->stages[i].critical_least);
    lower(&c->critical_most, c->stages[i].critical_most);
  }
}

bool case_volumetric_warn(const Case *c)
{
  assert(c->step > 0 && "a case with a step");
  const CriticalStep most = c->critical_most;
  if (!(most.step > 0) || c->step <= most.step) return false;
  const BodyGroup *group = &c->groups[most.group];
  char name[64], stage[TREE_STAGE_BYTES];
  case_tree_quote(group->name, name, sizeof name);
  const double part = most.step / c->step;
  log_warning(
      "%s:%d: %sbody%s%s%s: where its largest face bears, the volumetric law asks for steps "
      "of at most %.4g s, and they are %g s; lower time.step, or 'stiffness' to %.4g N/m3",
      c->path, group->line, case_tree_stage(c->stage_name, stage), *name ? " '" : "", name,
      *name ? "'" : "", most.step, c->step,
      part * part * case_volumetric_stiffest(c, group->material));
  return true;
}
