// Warnings about cases that are read without error and make no sense.
#include "case_sense.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "case_bodies.h"
#include "case_functions.h"
#include "case_places.h"
#include "case_tree.h"
#include "case_volumetric.h"
#include "check.h"
#include "ground.h"
#include "log.h"
#include "motion.h"
#include "parallel.h"
#include "recipe.h"
#include "scene.h"

// A body that falls from rest by more than this share of its smallest side in one step is through
// what it stands on before the contact is seen.
#define FALL_OF_SIDE 0.25

#define LEAST_WAY \
  100.0   // of a body in half a step, in roundings of its place: less is lost in part

// A joint this many sizes of the larger body away from both is a slip of the pen.
#define FAR_JOINT 10.0

// -- what the keys say ----------------------------------------------------------------------------

// Each of these warns once at most, and says whether it does.
static bool warn_of_gravity(const Case *c)
{
  const vec3 g = ground_gravity(c, 0);
  char stage[TREE_STAGE_BYTES];
  if (!(g.z > 0 && g.z >= fabs(g.x) && g.z >= fabs(g.y))) return false;
  log_warning("%sgravity: [%g, %g, %g] m/s2 points upwards: is a minus missing?",
              case_tree_stage(c->stage_name, stage), g.x, g.y, g.z);
  return true;
}

// The smallest side of the bounding boxes of all shapes of dynamic bodies.
static double smallest_side(const Case *c)
{
  double least = INFINITY;
  for (int i = 0; i < c->group_count; i++) {
    const BodyGroup *g = &c->groups[i];
    if (group_led(g)) continue;
    for (int s = 0; s < g->shape_count; s++) {
      vec3 low, high;
      recipe_bounds(&c->shapes[g->first_shape + s], &low, &high);
      least = fmin(least, fmin(high.x - low.x, fmin(high.y - low.y, high.z - low.z)));
    }
  }
  return least;
}

// Steps that are longer than values of a record are apart see some of them by chance.
static bool warn_of_spacing(const Case *c)
{
  const double least = case_functions_spacing(c);
  char stage[TREE_STAGE_BYTES];
  if (!(least < c->step * (1 - 1e-9))) return false;
  log_warning("%stime.step: values of a function of time are %.3g s apart, and steps of %g s pass "
              "over some of them",
              case_tree_stage(c->stage_name, stage), least, c->step);
  return true;
}

static bool warn_of_fall(const Case *c)
{
  const double fall = vec3_norm(ground_gravity(c, 0)) * c->step * c->step;
  const double side = smallest_side(c);
  char stage[TREE_STAGE_BYTES];
  if (!(fall > FALL_OF_SIDE * side)) return false;
  log_warning("%stime.step: in one step of %g s gravity moves a body by %.3g m, and the smallest "
              "one is %.3g m thick; use steps below %.1g s",
              case_tree_stage(c->stage_name, stage), c->step, fall, side,
              c->step * sqrt(0.01 * side / fall));
  return true;
}

static bool warn_of_frames(const Case *c)
{
  const double frames = c->output.frame_every;
  char stage[TREE_STAGE_BYTES];
  if (!(frames > 0 && frames < c->step * (1 - 1e-9))) return false;
  log_warning("%soutput.frames.every: %g s is less than time.step, %g s: each step has one frame",
              case_tree_stage(c->stage_name, stage), frames, c->step);
  return true;
}

// Warnings of keys that stages have of their own: the first stage that deserves one has it.
static void warn_of_stages(const Case *c)
{
  static bool (*const warnings[])(const Case *) = {warn_of_gravity, warn_of_fall, warn_of_frames,
                                                   warn_of_spacing};
  for (size_t k = 0; k < sizeof warnings / sizeof *warnings; k++)
    for (int i = 0; i < c->stage_count || i == 0; i++)
      if (warnings[k](scene_stage(c, i))) break;
}

// An impact of elastic bodies gives back what their vibrations do.
static void warn_of_rebounds(const Case *c)
{
  for (int i = 0; i < c->group_count; i++) {
    const int own = c->groups[i].material;
    for (int j = 0; group_deforms(&c->groups[i]) && j < c->material_count; j++) {
      const SurfaceLaw *law = surface_laws_find(&c->surfaces, own, j);
      if (law->excluded || !(law->restitution > 0)) continue;
      char first[48], second[48];
      case_tree_quote(c->materials[own].name, first, sizeof first);
      case_tree_quote(c->materials[j].name, second, sizeof second);
      log_warning("contacts: 'restitution' of '%s' and '%s' acts between rigid bodies alone; those "
                  "of line %d are elastic, and rebound as they vibrate",
                  first, second, c->groups[i].line);
      return;
    }
  }
}

// Bodies that deform and that waves cross very often in a step. The stiffest are named.
static void warn_of_stiffness(const Case *c)
{
  const BodyGroup *worst = NULL;
  double most = AFFINE_SURE_STIFF, size = 0;
  for (int i = 0; i < c->group_count; i++) {
    const BodyGroup *group = &c->groups[i];
    const Material *material = &c->materials[group->material];
    if (!group_deforms(group)) continue;
    const double extent = case_least_extent(c, group);
    const double ratio =
        affine_stiffness_ratio(&material->elastic, material->density, extent, c->step);
    if (!(ratio > most * (1 + 1e-9))) continue;
    worst = group;
    most = ratio;
    size = extent;
  }
  if (!worst) return;
  const Material *material = &c->materials[worst->material];
  char name[64], of[48];
  case_tree_quote(worst->name, name, sizeof name);
  case_tree_quote(material->name, of, sizeof of);
  const double over = most / AFFINE_SURE_STIFF;
  log_warning(
      "body%s%s%s (line %d): with 'young' of '%s', %g Pa, waves cross bodies of %.4g m %.4g "
      "times in a step of %g s: they are next to rigid, and steps may take many iterations; "
      "%.4g Pa or steps of %.4g s are sure",
      *name ? " '" : "", name, *name ? "'" : "", worst->line, of, material->elastic.young, size,
      sqrt(most), c->step, material->elastic.young / over, c->step / sqrt(over));
}

static void warn_of_standstill(const Case *c)
{
  for (int i = 0; i < c->group_count; i++)
    if (!c->groups[i].fixed || group_founded(&c->groups[i])) return;
  if (c->group_count > 0) log_warning("bodies: all of them are fixed, and nothing will move");
}

static int compare_names(const void *p, const void *q)
{
  const BodyGroup *a = *(BodyGroup *const *)p, *b = *(BodyGroup *const *)q;
  const int order = strcmp(a->name, b->name);
  if (order != 0) return order;
  return a->line != b->line ? (a->line > b->line) - (a->line < b->line)
                            : (a->part > b->part) - (a->part < b->part);
}

// Entries that share a name.
typedef struct {
  int groups, count;                     // parts of entries, and entries
  bool dynamic, driven, fixed, loaded;   // some of them are
  const BodyGroup *first, *second;       // in the order of the file
} Namesakes;

static Namesakes find_namesakes(const BodyGroup **sorted, int count)
{
  assert(count > 0 && "an entry has its own name");
  Namesakes same = {.first = sorted[0], .second = sorted[0]};
  while (same.groups < count && strcmp(sorted[same.groups]->name, sorted[0]->name) == 0) {
    const BodyGroup *group = sorted[same.groups++];
    if (group->part == 0 && ++same.count == 2) same.second = group;
    *(group->fixed ? &same.fixed : group->motion ? &same.driven : &same.dynamic) = true;
    if (group->load_span_count > 0) same.loaded = true;
  }
  return same;
}

// A name may stand for several entries that nothing acts on, as of the walls of a bin.
static bool is_odd_name(const Namesakes *same)
{
  return same->count > 1 && (same->dynamic || (same->fixed && same->driven));
}

static void warn_of_namesakes(const Namesakes *same, int others)
{
  assert(same->count > 1 && others >= 0 && "a name is that of several entries");
  const int drives = same->dynamic + same->driven + same->fixed;
  char name[64], more[48] = "", rest[64] = "";
  case_tree_quote(same->first->name, name, sizeof name);
  if (same->count > 2) snprintf(more, sizeof more, ", and %d more,", same->count - 2);
  if (others > 0)
    snprintf(rest, sizeof rest, "; %d more name%s of several entries", others,
             others == 1 ? " is" : "s are");
  log_warning("bodies: the entries of lines %d and %d%s have one name, '%s', and %s%s%s",
              same->first->line, same->second->line, more, name,
              drives > 1     ? "not all are fixed, prescribed or dynamic alike"
              : same->loaded ? "its loads act on "
                             : "no load acts on it",
              drives > 1 || !same->loaded ? ""
              : same->count > 2           ? "all"
                                          : "both",
              rest);
}

// A name that was copied by mistake loads more than was meant, or hides what is what in results.
static void warn_of_names(const Case *c)
{
  Arena scratch = arena_new();
  const BodyGroup **named = arena_allocate(&scratch, ((size_t)c->group_count + 1) * sizeof *named);
  int count = 0, odd = 0;
  for (int i = 0; i < c->group_count; i++)
    if (*c->groups[i].name) named[count++] = &c->groups[i];
  qsort(named, (size_t)count, sizeof *named, compare_names);
  Namesakes first = {0};
  for (int i = 0; i < count;) {
    const Namesakes same = find_namesakes(named + i, count - i);
    i += same.groups;
    if (is_odd_name(&same) && odd++ == 0) first = same;
  }
  if (odd > 0) warn_of_namesakes(&first, odd - 1);
  arena_destroy(&scratch);
}

// -- motion of entries ---------------------------------------------------------------------------

// Bodies that something is odd about: the first, and how many entries of bodies have such.
typedef struct {
  const BodyGroup *first;
  int entries;
} Odd;

static void note(Odd *odd, const BodyGroup *group)
{
  if (odd->entries++ == 0) odd->first = group;
}

// "body 3 (block) and those of 2 more entries"
static const char *name_odd(const Odd *odd, char *text, size_t bytes)
{
  assert(odd->entries > 0 && odd->first != NULL && "something is odd");
  char name[64] = "unnamed", more[64] = "";
  if (odd->first->name && *odd->first->name) case_tree_quote(odd->first->name, name, sizeof name);
  if (odd->entries > 1)
    snprintf(more, sizeof more, " and those of %d more entr%s", odd->entries - 1,
             odd->entries == 2 ? "y" : "ies");
  snprintf(text, bytes, "body %llu (%s)%s", (unsigned long long)odd->first->first_id, name, more);
  return text;
}

// distance of the doubles about the largest coordinate, m
static double rounding_of(vec3 place)
{
  const double largest = fmax(fabs(place.x), fmax(fabs(place.y), fabs(place.z)));
  return nextafter(largest, INFINITY) - largest;
}

// way in half a step at the start, m; of a body at rest that which gravity begins
static double way_of(const Case *c, const BodyGroup *group)
{
  assert(c->step > 0 && "a case is read");
  double speed = vec3_norm(group->velocity);
  if (speed == 0) speed = c->step * ground_gravity_bound(c);
  return 0.5 * c->step * speed;
}

static bool is_slow(const Case *c, const BodyGroup *group)
{
  const double way = way_of(c, group);
  return !group->fixed && !group->motion && way > 0 && way < LEAST_WAY * rounding_of(group->at);
}

// The smallest side of the bounding box of a group's first shape, m.
static double thickness_of(const Case *c, const BodyGroup *group)
{
  vec3 low, high;
  recipe_bounds(&c->shapes[group->first_shape], &low, &high);
  return fmin(high.x - low.x, fmin(high.y - low.y, high.z - low.z));
}

static bool is_fast(const Case *c, const BodyGroup *group)
{
  return !group->fixed && !group->motion && group->shape_count > 0 &&
         c->step * vec3_norm(group->velocity) > thickness_of(c, group);
}

static bool turns_falsely(const Case *c, const BodyGroup *group)
{
  return !group->fixed && !group->motion && !(group->shape.radius > 0) &&
         c->step * vec3_norm(group->spin) > MOTION_FALSE_TURN;
}

void case_sense_warn_of_motion(const Case *c)
{
  assert(c->group_count >= 0 && "a case is read");
  for (int i = 0; i < c->stage_count || i == 0; i++)
    if (case_volumetric_warn(scene_stage(c, i))) break;
  warn_of_stiffness(c);
  Odd slow = {0}, fast = {0}, turning = {0};
  for (int i = 0; i < c->group_count; i++) {
    if (is_slow(c, &c->groups[i])) note(&slow, &c->groups[i]);
    if (is_fast(c, &c->groups[i])) note(&fast, &c->groups[i]);
    if (turns_falsely(c, &c->groups[i])) note(&turning, &c->groups[i]);
  }
  char text[192];
  if (slow.entries > 0)
    log_warning("%s: the way in half a step is %.2g m, and places so far from the origin are "
                "multiples of %.2g m: motion is lost to rounding; put the origin nearer or take a "
                "larger time.step",
                name_odd(&slow, text, sizeof text), way_of(c, slow.first),
                rounding_of(slow.first->at));
  if (fast.entries > 0)
    log_warning("%s: goes %.3g m in a step and is %.3g m thick: it may pass through others unseen; "
                "take a smaller time.step",
                name_odd(&fast, text, sizeof text), c->step * vec3_norm(fast.first->velocity),
                thickness_of(c, fast.first));
  if (turning.entries > 0)
    log_warning("%s: turns by %.3g rad in a step, and beyond %g rad its energy is false; take a "
                "smaller time.step",
                name_odd(&turning, text, sizeof text), c->step * vec3_norm(turning.first->spin),
                MOTION_FALSE_TURN);
}

// -- joints ---------------------------------------------------------------------------------------

// Distance of a place from the box of a body when it appears, in m; zero for one that has been
// there before the joint begins, and may have moved.
static double sizes_away(const Case *c, JointEnd end, int64_t begin, vec3 place, double *size)
{
  assert(end.group >= 0 && end.group < c->group_count && "a joint is about a body");
  const BodyRecipe body = scene_body(c, c->groups[end.group].first_id + end.index);
  const vec3 local = mat3_mul_transposed(quat_to_mat3(body.turn), vec3_sub(place, body.origin));
  vec3 low, high;
  recipe_bounds(&c->shapes[body.shape], &low, &high);
  *size = fmax(*size, vec3_norm(vec3_sub(high, low)));
  if (scene_birth(c, c->groups[end.group].first_id + end.index) < begin) return 0;
  return vec3_norm(vec3_sub(local, vec3_max(low, vec3_min(local, high))));
}

// A line has a place of each body, any other joint one for both.
static bool is_far(const Case *c, const Joint *joint)
{
  double size = 0, away[2];
  const int64_t begin = c->joint_rows[joint->first_row].begin;
  for (int i = 0; i < 2; i++)
    away[i] = joint->ends[i].group < 0
                  ? -1
                  : sizes_away(c, joint->ends[i], begin, joint->places[i], &size);
  const double most = FAR_JOINT * size;
  if (joint->axis.x == 0 && joint->axis.y == 0 && joint->axis.z == 0)
    return away[0] > most || away[1] > most;
  return away[0] > most && (away[1] < 0 || away[1] > most);
}

static void warn_of_joints(const Case *c)
{
  int far = 0, first = 0;
  for (int j = 0; j < c->joint_count; j++)
    if (is_far(c, &c->joints[j]) && far++ == 0) first = j;
  if (far == 0) return;
  const Joint *joint = &c->joints[first];
  char name[64], more[48] = "";
  case_tree_quote(joint->name, name, sizeof name);
  if (far > 1)
    snprintf(more, sizeof more, "; %d more joint%s likewise", far - 1, far == 2 ? " is" : "s are");
  log_warning("joints: line %d%s%s: its place is more than %g sizes away from what it holds%s",
              joint->line, *name ? ", " : "", name, FAR_JOINT, more);
}

bool case_sense_warn_of_start(const Case *c)
{
  assert(c->step > 0 && c->group_count >= 0 && "a case is read");
  if (par_rank() != 0) return true;
  warn_of_stages(c);
  warn_of_rebounds(c);
  warn_of_standstill(c);
  warn_of_names(c);
  warn_of_joints(c);
  return case_places_warn(c);
}
