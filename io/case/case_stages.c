// Reads the list of stages: each is a copy of the case, of which some keys are read anew.
#include "case_stages.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "case_damping.h"
#include "case_functions.h"
#include "case_ground.h"
#include "case_guide.h"
#include "case_inner.h"
#include "case_loads.h"
#include "case_materials.h"
#include "case_motion.h"
#include "case_output.h"
#include "case_selection.h"
#include "case_servo.h"
#include "case_time.h"
#include "case_until.h"
#include "group.h"
#include "trig.h"

#define MOST_STAGES 1000

// ------------------------------------------------------------------------------------------------
// Contacts: entries of the stage with the keys that they do not give from those of the case.

static bool same_pair(const CaseNode *a, const CaseNode *b)
{
  const CaseNode *p = case_tree_find(a, "between"), *q = case_tree_find(b, "between");
  if (!p || !q || p->kind != NODE_LIST || q->kind != NODE_LIST || p->count != 2 || q->count != 2)
    return false;
  for (int i = 0; i < 2; i++)
    if (p->members[i]->kind != NODE_SCALAR || q->members[i]->kind != NODE_SCALAR) return false;
  const char *p0 = p->members[0]->text, *p1 = p->members[1]->text;
  const char *q0 = q->members[0]->text, *q1 = q->members[1]->text;
  return (strcmp(p0, q0) == 0 && strcmp(p1, q1) == 0) ||
         (strcmp(p0, q1) == 0 && strcmp(p1, q0) == 0);
}

// A mapping with the members of one, and those of another that it lacks.
static CaseNode *merge(CaseReader *reader, const CaseNode *one, const CaseNode *other)
{
  CaseNode *both = arena_allocate(&reader->scratch, sizeof *both);
  *both = *one;
  both->members =
      arena_allocate(&reader->scratch, (size_t)(one->count + other->count) * sizeof *both->members);
  for (int i = 0; i < one->count; i++) both->members[i] = one->members[i];
  for (int i = 0; i < other->count; i++)
    if (!case_tree_find(one, other->members[i]->key))
      both->members[both->count++] = other->members[i];
  return both;
}

// The contacts of the case, with what a stage says of some of them.
static CaseNode *merge_contacts(CaseReader *reader, const CaseNode *of_case, const CaseNode *own)
{
  const CaseNode *list = case_value_list(reader, own, 1, "a list of contacts between materials");
  if (!list) return NULL;
  CaseNode *all = arena_allocate(&reader->scratch, sizeof *all);
  *all = *list;
  const int most = (of_case ? of_case->count : 0) + list->count;
  all->members = arena_allocate(&reader->scratch, (size_t)most * sizeof *all->members);
  all->count = 0;
  for (int i = 0; of_case && i < of_case->count; i++) {
    all->members[all->count] = of_case->members[i];
    for (int k = 0; k < list->count; k++)
      if (list->members[k]->kind == NODE_MAPPING &&
          same_pair(of_case->members[i], list->members[k]))
        all->members[all->count] = merge(reader, list->members[k], of_case->members[i]);
    all->count++;
  }
  // what is no pair of the case, or one of them twice, is refused as an entry of its own
  for (int k = 0; k < list->count; k++) {
    bool found = false;
    for (int i = 0; of_case && i < of_case->count && !found; i++)
      found = same_pair(of_case->members[i], list->members[k]);
    for (int j = 0; j < k && found; j++) found = !same_pair(list->members[j], list->members[k]);
    if (!found) all->members[all->count++] = list->members[k];
  }
  return all;
}

// The number of the law between the two materials of a sound entry.
static int law_of(CaseReader *reader, const CaseNode *entry, const Case *c)
{
  const CaseNode *between = case_tree_find(entry, "between");
  return surface_laws_index(case_read_material_name(reader, between->members[0], c),
                            case_read_material_name(reader, between->members[1], c));
}

// What the entry of a stage does not give is that of the case, whose functions of time count from
// the start of the run.
static void keep_origins(CaseReader *reader, const CaseNode *own, const Case *c, Case *stage)
{
  assert(!reader->failed && own->count > 0 && "entries are sound");
  for (int i = 0; i < stage->law_change_count; i++) {
    LawInTime *change = &stage->law_changes[i];
    const CaseNode *entry = NULL;
    for (int k = 0; k < own->count && !entry; k++)
      if (law_of(reader, own->members[k], c) == change->law) entry = own->members[k];
    if (!case_tree_find(entry, "friction")) change->friction.origin = c->origin;
    if (!case_tree_find(entry, "reduction")) change->reduction.origin = c->origin;
    if (case_tree_find(entry, "bond")) continue;
    change->cohesion.origin = change->tensile_strength.origin = c->origin;
  }
}

// What begins with bodies that meet, or makes other tables of state, cannot begin with a stage.
static void refuse_laws(CaseReader *reader, const CaseNode *own, const Case *c, const Case *stage)
{
  for (int k = 0; k < own->count && !reader->failed; k++) {
    const int law = law_of(reader, own->members[k], c);
    if (stage->surfaces.laws[law].bonded && !c->surfaces.laws[law].bonded)
      case_tree_fail(reader, case_tree_find(own->members[k], "bond"),
                     "mortar is made as bodies meet: 'bond' contradicts a stage for materials that "
                     "have none in the case; give it under 'contacts' of the case");
  }
  if (!reader->failed && stage->surfaces.elastic != c->surfaces.elastic)
    case_tree_fail(
        reader, own,
        "'joint_stiffness' contradicts a stage where no contact of the case has it: give "
        "it under 'contacts' of the case");
  if (!reader->failed && stage->surfaces.compliant != c->surfaces.compliant)
    case_tree_fail(reader, own,
                   "'law: volumetric' contradicts a stage where no contact of the case has it, or "
                   "a case where one has: give it in both");
  if (!reader->failed && case_inner_lacks_faces(stage))
    case_tree_fail(reader, own,
                   "'spinning: integrated' of a stage contradicts 'geometry: spheres' of the case, "
                   "whose bodies have no faces; take 'mean' here, or 'exact' there");
}

static void read_contacts(CaseReader *reader, const CaseNode *of_case, const Case *c, Case *stage)
{
  const CaseNode *own = case_tree_find(reader->root, "contacts");
  CaseNode *merged = merge_contacts(reader, of_case, own);
  if (!merged) return;
  CaseNode *root = arena_allocate(&reader->scratch, sizeof *root);
  *root = *reader->root;
  root->members = arena_allocate(&reader->scratch, sizeof *root->members);
  root->members[0] = merged;
  root->count = 1;
  CaseNode *kept = reader->root;
  reader->root = root;
  stage->surfaces = (SurfaceLaws){.laws = NULL};
  stage->law_change_count = 0;
  case_read_contacts(reader, stage);
  reader->root = kept;
  if (!reader->failed) keep_origins(reader, own, c, stage);
  if (!reader->failed) refuse_laws(reader, own, c, stage);
}

// ------------------------------------------------------------------------------------------------
// Motions: of bodies that are fixed or moved already.

// The bodies of a span are all that have the same keys.
static bool is_whole(CaseReader *reader, const CaseNode *on, const Case *stage,
                     const BodySpan *span)
{
  const BodyGroup *group = &stage->groups[span->group];
  if (span->begin == 0 && span->end == group_size(group).total) return true;
  case_tree_fail(reader, on,
                 "%" PRIu64 " of the bodies of line %d are meant, and they are moved together: "
                 "give them 'where' in their entry, or name all of them",
                 span->end - span->begin, group->line);
  return false;
}

static void read_motion(BodySelector *selector, const CaseNode *node, Case *stage)
{
  CaseReader *reader = selector->reader;
  static const char *const keys[] = {"on", "motion", "fixed", NULL};
  const CaseNode *entry = case_value_mapping(reader, node, keys);
  const CaseNode *on = case_value_require(reader, entry, "on"),
                 *fixed = case_tree_find(entry, "fixed");
  const bool rests = case_value_flag(reader, fixed, false);
  if (reader->failed) return;
  const bool moves = case_tree_find(entry, "motion") != NULL;
  if (moves == rests)
    case_tree_fail(reader, entry, "expected either 'motion' or 'fixed: true', found %s",
                   moves ? "both" : "none");
  const BodySelection found = case_selection_read(selector, on, SELECTION_ALL);
  if (!reader->failed && moves && case_guide_takes(entry))
    case_tree_fail(
        reader, case_tree_find(entry, "motion"),
        "'free' and 'lock' contradict a stage: what of a body is held is so from its start");
  for (int k = 0; k < found.count && !reader->failed; k++) {
    BodyGroup *group = &stage->groups[found.spans[k].group];
    if (!is_whole(reader, on, stage, &found.spans[k])) return;
    if (!group->fixed && !group->motion) {
      case_tree_fail(reader, on,
                     "'%s', line %d, is dynamic: 'motions' of a stage are those of bodies that are "
                     "fixed or prescribed in the case",
                     group->name, group->line);
      return;
    }
    if (stage->base.given && !stage->base.is_frame && group->fixed && moves) {
      case_tree_fail(reader, on,
                     "'motion' contradicts 'base', which moves all fixed bodies as one");
      return;
    }
    group->fixed = false;
    group->motion = moves ? case_read_motion(reader, entry, stage, group) : NULL;
    group->fixed = rests;
  }
}

static void read_motions(CaseReader *reader, const CaseNode *node, Case *stage)
{
  const CaseNode *list = case_value_list(reader, node, 1, "a list of motions");
  if (!list) return;
  BodySelector selector = case_selection_begin(reader, stage);
  for (int i = 0; i < list->count && !reader->failed; i++)
    read_motion(&selector, list->members[i], stage);
}

// ------------------------------------------------------------------------------------------------

static void read_step(CaseReader *reader, const CaseNode *node, const Case *c, Case *stage)
{
  static const char *const keys[] = {"step", NULL};
  static const NumberRule rule = {1e-12, 1e9, "a time from 1e-12 to 1e9 s"};
  const CaseNode *time = case_value_mapping(reader, node, keys);
  if (!time) return;
  const CaseNode *step = case_value_require(reader, time, "step");
  stage->step = case_value_number(reader, step, &rule, 1);
  if (reader->failed || stage->step == c->step) return;
  if (c->end / stage->step > CASE_MOST_STEPS)
    case_tree_fail(reader, step, "%g s in steps of %g s are too many steps", c->end, stage->step);
  for (int i = 0; i < c->group_count && !reader->failed; i++) {
    const BodyGroup *group = &c->groups[i];
    if (group->birth > 0 || group->kind == GROUP_INLET)
      case_tree_fail(reader, step,
                     "contradicts %s of line %d: bodies appear at steps of the length that the "
                     "case has",
                     group->birth > 0 ? "'birth'" : "'inlet'", group->line);
    else if (group_deforms(group))
      case_tree_fail(reader, step,
                     "contradicts 'elastic' of line %d: what such bodies are made of goes with the "
                     "step of the case",
                     group->line);
  }
}

// Functions of the case were read with its step, and the stage may have a longer one.
static void check_rates(CaseReader *reader, const CaseNode *node, const Case *stage)
{
  const double rate = case_functions_rate(stage);
  if (reader->failed || !node || !(rate * stage->step > TRIG_PI)) return;
  case_tree_fail(reader, case_tree_find(node, "step"),
                 "a function of time goes at %g rad/s, of which a period is less than two steps of "
                 "%g s: expected a smaller step",
                 rate, stage->step);
}

// until.opening: of the joint between two bodies, one of which can move.
static OpeningLimit read_opening(BodySelector *selector, const CaseNode *node)
{
  CaseReader *reader = selector->reader;
  const Case *c = selector->c;
  static const char *const keys[] = {"between", "more", NULL};
  static const NumberRule rule = {1e-15, 1e9, "a distance from 1e-15 to 1e9 m"};
  OpeningLimit limit = {.most = 0};
  const CaseNode *opening = case_value_mapping(reader, node, keys);
  const CaseNode *between = case_value_require(reader, opening, "between");
  const CaseNode *list = case_value_list(reader, between, 2, "a list of two bodies");
  if (!list) return limit;
  if (list->count > 2) case_tree_fail(reader, list, "expected two bodies, found more");
  limit.most = case_value_number(reader, case_value_require(reader, opening, "more"), &rule, 0);
  bool moves = false;
  for (int k = 0; k < 2 && !reader->failed; k++) {
    limit.ends[k] = case_selection_one(selector, list->members[k]);
    if (reader->failed) return limit;
    const BodyGroup *group = &c->groups[limit.ends[k].group];
    moves = moves || limit.ends[k].index < group_size(group).dynamic;
    if (group->birth > 0)
      case_tree_fail(reader, list->members[k],
                     "contradicts 'birth' of line %d: the joint is that of the start", group->line);
  }
  if (!reader->failed && limit.ends[0].group == limit.ends[1].group &&
      limit.ends[0].index == limit.ends[1].index)
    case_tree_fail(reader, list, "expected two bodies, found one");
  if (!reader->failed && !moves)
    case_tree_fail(reader, list, "neither of the two is dynamic, and no joint opens");
  return limit;
}

// until.force: on some bodies in all.
static ForceLimit read_force(BodySelector *selector, const CaseNode *node)
{
  CaseReader *reader = selector->reader;
  static const char *const keys[] = {"on", "more", NULL};
  static const NumberRule rule = {1e-15, 1e30, "a force from 1e-15 to 1e30 N"};
  ForceLimit limit = {.most = 0};
  const CaseNode *force = case_value_mapping(reader, node, keys);
  const CaseNode *on = case_value_require(reader, force, "on");
  limit.most = case_value_number(reader, case_value_require(reader, force, "more"), &rule, 0);
  limit.on = case_selection_read(selector, on, SELECTION_ALL);
  return limit;
}

static void read_until(CaseReader *reader, const CaseNode *node, bool last, const Case *c,
                       Case *stage)
{
  const CaseNode *until = case_tree_find(node, "until");
  if (!until && !last)
    case_tree_fail(reader, node, "expected 'until', since another stage follows");
  stage->until = case_read_until(reader, until, true);
  const CaseNode *opening = case_tree_find(until, "opening"),
                 *force = case_tree_find(until, "force");
  if (!reader->failed && (opening || force)) {
    BodySelector selector = case_selection_begin(reader, c);
    if (opening) stage->until.opening = read_opening(&selector, opening);
    if (force) stage->until.force = read_force(&selector, force);
  }
  if (!reader->failed && stage->until.time > c->end)
    case_tree_fail(reader, case_tree_find(until, "time"),
                   "%g s contradict time.end, %g s, at which the run is over", stage->until.time,
                   c->end);
  case_until_name(reader, until, stage);
  if (stage->until.time > 0) stage->end = stage->until.time;   // for its functions of time
}

// The loads of a stage in place of those of the case.
static void read_loads(CaseReader *reader, Case *stage)
{
  stage->loads = NULL;
  stage->load_count = stage->wheel_count = 0;
  for (int i = 0; i < stage->group_count; i++) {
    stage->groups[i].load_spans = NULL;
    stage->groups[i].load_span_count = 0;
  }
  case_read_loads(reader, stage);
}

static void read_ground(CaseReader *reader, const CaseNode *node, Case *stage)
{
  const CaseNode *gravity = case_tree_find(node, "gravity");
  if (gravity) stage->gravity = case_time_read(reader, gravity, TIME_ACCELERATION, stage);
  const Tilt tilt = stage->tilt;
  const Base base = stage->base;
  stage->tilt.given = stage->base.given = false;
  case_ground_read(reader, stage);
  if (!stage->tilt.given) stage->tilt = tilt;
  if (!stage->base.given) stage->base = base;
  const CaseNode *moved = case_tree_find(node, "base");
  if (!reader->failed && moved && base.given)
    case_tree_fail(reader, moved, "contradicts 'base' of the case, which goes on in all stages");
}

static void read_stage(CaseReader *reader, CaseNode *node, const CaseNode *case_root, const Case *c,
                       Case *stage)
{
  static const char *const keys[] = {"name",   "until",  "gravity", "tilt",     "base",
                                     "loads",  "servos", "motions", "contacts", "damping",
                                     "output", "time",   NULL};
  assert(stage->arena == c->arena && "a stage begins as the case");
  if (!case_value_mapping(reader, node, keys)) return;
  stage->stage_name = case_value_text(reader, case_value_require(reader, node, "name"), "");
  stage->stage_line = case_tree_line(node);
  if (!reader->failed && !*stage->stage_name)
    case_tree_fail(reader, case_tree_find(node, "name"), "expected a name, found none");
  stage->origin = arena_allocate_zero(reader->arena, 1, sizeof *stage->origin);
  const size_t groups = (size_t)c->group_count + 1;
  stage->groups = arena_allocate(reader->arena, groups * sizeof *stage->groups);
  memcpy(stage->groups, c->groups, (size_t)c->group_count * sizeof *stage->groups);
  const bool last = stage == c->stages + c->stage_count - 1;
  read_until(reader, node, last, c, stage);
  read_step(reader, case_tree_find(node, "time"), c, stage);
  if (reader->failed) return;

  // the readers of the case look under its root
  reader->root = node;
  read_ground(reader, node, stage);
  if (case_tree_find(node, "motions")) read_motions(reader, case_tree_find(node, "motions"), stage);
  if (case_tree_find(node, "loads")) read_loads(reader, stage);
  if (case_tree_find(node, "servos"))
    case_servo_read_stage(reader, case_tree_find(node, "servos"), stage);
  if (case_tree_find(node, "damping"))
    stage->damping = case_damping_read(reader, case_tree_find(node, "damping"), stage);
  const CaseNode *output = case_tree_find(node, "output"),
                 *probes = case_tree_find(output, "probes");
  if (output) case_output_read(reader, stage);
  if (probes && !reader->failed)
    case_tree_fail_key(reader, probes, "of the case, whose probes go on in all stages");
  if (case_tree_find(node, "contacts") && !reader->failed)
    read_contacts(reader, case_tree_find(case_root, "contacts"), c, stage);
  check_rates(reader, case_tree_find(node, "time"), stage);
  stage->motion_count = stage->base.given && !stage->base.is_frame;
  for (int i = 0; i < stage->group_count; i++)
    stage->motion_count += stage->groups[i].motion != NULL;
  stage->end = c->end;
}

void case_stages_read(CaseReader *reader, Case *c)
{
  CaseNode *root = reader->root;
  const CaseNode *node = case_tree_find(root, "stages");
  const CaseNode *list = case_value_list(reader, node, 1, "a list of stages");
  if (!list) return;
  if (c->until.given)
    case_tree_fail(reader, case_tree_find(case_tree_find(root, "time"), "until"),
                   "contradicts 'stages', each of which has an 'until' of its own");
  if (!reader->failed && list->count > MOST_STAGES)
    case_tree_fail(reader, node, "expected at most %d stages, found %d", MOST_STAGES, list->count);
  if (reader->failed) return;
  c->stages = arena_allocate(reader->arena, (size_t)list->count * sizeof *c->stages);
  c->stage_count = list->count;
  for (int i = 0; i < list->count && !reader->failed; i++) {
    Case *stage = &c->stages[i];
    *stage = *c;
    stage->stages = NULL;
    stage->stage_count = 0;
    read_stage(reader, list->members[i], root, c, stage);
    reader->root = root;
    for (int k = 0; k < i && !reader->failed; k++)
      if (strcmp(c->stages[k].stage_name, stage->stage_name) == 0)
        case_tree_fail(reader, case_tree_find(list->members[i], "name"),
                       "'%s' is the name of the stage of line %d, too", stage->stage_name,
                       c->stages[k].stage_line);
  }
}
