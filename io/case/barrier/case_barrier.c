// Reads the scheme of a case and judges what it does not know.
#include "case_barrier.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "barrier_skins.h"
#include "recipe.h"

#define RELATIVE_DISTANCE 1e-3   // of the smallest side of a part
#define MOST_REFINE 64

static void read_newton(CaseReader *reader, const CaseNode *node, BarrierSettings *s)
{
  static const char *const keys[] = {"tolerance", "most", NULL};
  static const NumberRule tolerance = {1e-12, 1e3, "a speed from 1e-12 to 1e3 m/s"};
  const CaseNode *newton = case_value_mapping(reader, node, keys);
  s->tolerance = case_value_number(reader, case_tree_find(newton, "tolerance"), &tolerance, 1e-6);
  s->most = (int)case_value_integer(reader, case_tree_find(newton, "most"), 1, 100000, 200);
}

static void read_barrier(CaseReader *reader, const CaseNode *node, BarrierSettings *s)
{
  static const char *const keys[] = {"distance",        "relative_distance",
                                     "stiffness",       "stick_speed",
                                     "friction_passes", "refine",
                                     "newton",          NULL};
  static const NumberRule distance = {1e-12, 1e6, "a distance from 1e-12 to 1e6 m"};
  static const NumberRule share = {1e-9, 0.5, "a share from 1e-9 to 0.5"};
  static const NumberRule stiffness = {1e-9, 1e18, "a stiffness from 1e-9 to 1e18 Pa"};
  static const NumberRule speed = {1e-12, 1e6, "a speed from 1e-12 to 1e6 m/s"};
  const CaseNode *barrier = case_value_mapping(reader, node, keys);
  s->scale.distance = case_value_number(reader, case_tree_find(barrier, "distance"), &distance, 0);
  const CaseNode *relative = case_tree_find(barrier, "relative_distance");
  s->relative_distance = case_value_number(reader, relative, &share, RELATIVE_DISTANCE);
  if (relative && s->scale.distance > 0)
    case_tree_fail(reader, relative,
                   "the barrier has 'distance', in metres: leave one of them out");
  s->scale.stiffness =
      case_value_number(reader, case_value_require(reader, barrier, "stiffness"), &stiffness, 1);
  s->stick_speed = case_value_number(reader, case_tree_find(barrier, "stick_speed"), &speed, 1e-6);
  s->friction_passes =
      (int)case_value_integer(reader, case_tree_find(barrier, "friction_passes"), 0, 1000, 3);
  s->refine = (int)case_value_integer(reader, case_tree_find(barrier, "refine"), 1, MOST_REFINE, 1);
  read_newton(reader, case_tree_find(barrier, "newton"), s);
}

// What two materials have that barriers do not know; NULL: nothing.
static const char *misfit_of_laws(const Case *c)
{
  const SurfaceLaws *laws = &c->surfaces;
  for (int i = 0; i < surface_laws_count(laws->material_count); i++) {
    if (laws->laws[i].restitution > 0)
      return "a barrier gives back what its step leaves of an impact, and no 'restitution': leave "
             "it out";
  }
  if (laws->bonded) return "bonds hold closed joints, and barriers keep all open: leave out 'bond'";
  if (laws->elastic) return "leave out 'joint_stiffness', or take the other scheme";
  if (laws->compliant) return "leave out 'law: volumetric', or take the other scheme";
  return NULL;
}

// What bodies have that barriers do not know; NULL: nothing. line: of it in the file.
static const char *misfit_of_bodies(const Case *c, int *line)
{
  for (int i = 0; i < c->group_count; i++) {
    const BodyGroup *group = &c->groups[i];
    *line = group->line;
    if (group_deforms(group)) return "leave out 'elastic', or take the other scheme";
    if (group->motion) return "leave out 'motion', or take the other scheme";
    if (group->guide) return "leave out 'motion', or take the other scheme";
    if (group->kind == GROUP_INLET || group->birth > 0)
      return "bodies that appear later may appear in the skins of others: leave them out, or take "
             "the other scheme";
  }
  return NULL;
}

// What else the case has; NULL: nothing.
static const char *misfit_of_case(const Case *c)
{
  const SparsifyParameters *sparsify = &c->contact.sparsify;
  if (sparsify->threshold > 0 || sparsify->min_area > 0 || sparsify->min_distance > 0)
    return "every point has a barrier of its own: leave out 'contact.sparsify'";
  if (c->contact.model != CONTACT_MODEL_PATCH)
    return "barriers stand on surfaces: leave out 'contact.model'";
  if (c->contact.initial > 0)
    return "bodies begin apart, as they are given: leave out 'contact.initial'";
  if (c->solver.unsolved == UNSOLVED_HALVE)
    return "leave out 'solver.unsolved: halve', or take the other scheme";
  if (c->solver.stops.unbalanced > 0 || c->solver.stops.penetration > 0)
    return "leave out 'solver.stop', or take the other scheme";
  if (c->damping.given) return "leave out 'damping', or take the other scheme";
  if (c->joint_count > 0) return "leave out 'joints' and 'servos', or take the other scheme";
  if (c->wheel_count > 0) return "leave out wheels, or take the other scheme";
  if (c->motion_count > 0 || c->guide_count > 0)
    return "leave out 'base' and motions, or take the other scheme";
  if (c->stage_count > 0) return "leave out 'stages', or take the other scheme";
  return NULL;
}

void case_barrier_read(CaseReader *reader, Case *c)
{
  assert(c != NULL && "a case is read");
  const CaseNode *scheme = case_tree_find(reader->root, "scheme"),
                 *barrier = case_tree_find(reader->root, "barrier");
  if (barrier) read_barrier(reader, barrier, &c->barrier);
  if (reader->failed || !scheme || case_value_is_word(scheme, "non-smooth")) return;
  char found[TREE_FOUND_BYTES];
  if (!case_value_is_word(scheme, "barrier")) {
    case_tree_fail(reader, scheme, "expected 'non-smooth' or 'barrier', found %s",
                   case_tree_found(scheme, found));
    return;
  }
  c->barrier.given = true;
  case_value_require(reader, reader->root, "barrier");
  if (reader->failed) return;
  int line = 0;
  const char *reason = misfit_of_laws(c);
  if (!reason) reason = misfit_of_case(c);
  const char *of_body = reason ? NULL : misfit_of_bodies(c, &line);
  if (reason) case_tree_fail(reader, scheme, "%s", reason);
  if (of_body) case_tree_fail(reader, scheme, "the bodies of line %d: %s", line, of_body);
}

void case_barrier_complete(Case *c)
{
  if (!c->barrier.given || c->barrier.scale.distance > 0) return;
  double least = INFINITY;
  for (int i = 0; i < c->shape_count; i++) {
    for (int p = 0; p < c->shapes[i].part_count; p++) {
      const ShapeRecipe part = {.part_count = 1, .parts = &c->shapes[i].parts[p]};
      vec3 low, high;
      recipe_bounds(&part, &low, &high);
      const vec3 size = vec3_sub(high, low);
      least = fmin(least, fmin(size.x, fmin(size.y, size.z)));
    }
  }
  if (!(least < INFINITY)) least = 1;   // without parts nothing feels it
  c->barrier.scale.distance = c->barrier.relative_distance * least;
}

bool case_barrier_check(const Case *c, const BodyGroup *group, const Shape *shape, ErrorText error)
{
  char reason[400], name[64];
  if (barrier_skins_check(shape, &c->barrier, reason, sizeof reason)) return true;
  case_tree_quote(group->name, name, sizeof name);
  snprintf(error.text, error.bytes, "%s:%d: body%s%s%s, with 'scheme: barrier': %s", c->path,
           group->line, *name ? " '" : "", name, *name ? "'" : "", reason);
  return false;
}
