// Sums what contact points of a pair do, in the order of their keys.
#include "pair_forces.h"

#include <assert.h>
#include <math.h>

#include "check.h"
#include "contacts.h"
#include "volumes.h"

#define PRESSED_SHARE 1e-9   // of all normal forces: below it they have no centre
#define LEVEL 1e-9           // sine of the angle up to which a normal counts as level

// A force on the lower body.
typedef struct {
  vec3 point, normal, force, couple;
  double area, gap;
} Push;

// Sums under way; places count from the first point, so that a pair far from the origin loses
// nothing.
typedef struct {
  PairForces *of;
  vec3 origin, low_centre, high_centre;
  vec3 plain_normal, plain_place, place, pressed_place;   // sums
  double all;                                             // sum of sizes of normal forces
  int count;
} Adding;

// m v (transpose) + v m (transpose), halved
static void add_product(BodyTensor *sum, vec3 arm, vec3 force)
{
  sum->xx += arm.x * force.x;
  sum->yy += arm.y * force.y;
  sum->zz += arm.z * force.z;
  sum->xy += 0.5 * (arm.x * force.y + arm.y * force.x);
  sum->yz += 0.5 * (arm.y * force.z + arm.z * force.y);
  sum->xz += 0.5 * (arm.x * force.z + arm.z * force.x);
}

static void add(Adding *a, const Push *push)
{
  PairForces *of = a->of;
  if (a->count++ == 0) a->origin = push->point;
  const vec3 place = vec3_sub(push->point, a->origin);
  const double pressed = vec3_dot(push->force, push->normal);
  of->force = vec3_add(of->force, push->force);
  of->normal = vec3_axpy(push->area, push->normal, of->normal);
  of->area += push->area;
  of->pressed += pressed;
  if (a->count == 1 || push->gap > of->gap) of->gap = push->gap;
  a->all += fabs(pressed);
  a->plain_normal = vec3_add(a->plain_normal, push->normal);
  a->plain_place = vec3_add(a->plain_place, place);
  a->place = vec3_axpy(push->area, place, a->place);
  // a couple moves the force along the joint: (p' - p) x N n = C
  const vec3 turned = vec3_cross(push->normal, push->couple);
  a->pressed_place = vec3_add(vec3_axpy(pressed, place, a->pressed_place), turned);
  const vec3 f = push->force;
  of->bears = of->bears || f.x != 0 || f.y != 0 || f.z != 0;
  add_product(&of->low, vec3_sub(push->point, a->low_centre), f);
  add_product(&of->high, vec3_sub(push->point, a->high_centre), vec3_neg(f));
}

static vec3 unit(vec3 v, vec3 otherwise)
{
  const double size = vec3_norm(v);
  return size > 0 ? vec3_scale(1 / size, v) : otherwise;
}

// Means of the sums.
static void finish(Adding *a, vec3 first_normal)
{
  PairForces *of = a->of;
  assert(a->count > 0 && "a pair has points");
  of->normal = unit(of->normal, unit(a->plain_normal, first_normal));
  const vec3 centre = of->area > 0 ? vec3_scale(1 / of->area, a->place)
                                   : vec3_scale(1 / (double)a->count, a->plain_place);
  of->centre = vec3_add(a->origin, centre);
  of->point = of->centre;
  if (fabs(of->pressed) > PRESSED_SHARE * a->all)
    of->point = vec3_add(a->origin, vec3_scale(1 / of->pressed, a->pressed_place));
}

// Rows that push; a table that is not there has no rows of a pair.
typedef struct {
  const Contacts *contacts;
  const Volumes *volumes;
  const vec3 *impulses;
  double per_step;   // 1/s
} Pushing;

static PairForces sum_pair(const Pushing *all, const FramePair *pair)
{
  PairForces sum = {.pressed = 0};
  Adding a = {.of = &sum, .low_centre = pair->low.position, .high_centre = pair->high.position};
  const Contacts *c = all->contacts;
  const Volumes *v = all->volumes;
  assert_debug((c || pair->first == pair->end) && (v || pair->first_volume == pair->end_volume) &&
               "rows have a table");
  assert_debug((pair->first < pair->end || pair->first_volume < pair->end_volume) &&
               "a pair has rows");
  for (int i = pair->first; i < pair->end; i++)
    add(&a, &(Push){.point = c->point[i],
                    .normal = c->normal[i],
                    .force = vec3_scale(all->per_step, all->impulses[i]),
                    .area = c->area[i],
                    .gap = c->gap[i]});
  for (int i = pair->first_volume; i < pair->end_volume; i++)
    add(&a, &(Push){.point = v->point[i],
                    .normal = v->normal[i],
                    .force = vec3_scale(all->per_step, v->impulse[i]),
                    .couple = vec3_scale(all->per_step, v->couple[i]),
                    .area = v->area[i]});
  finish(&a, pair->first < pair->end ? c->normal[pair->first] : v->normal[pair->first_volume]);
  return sum;
}

void pair_forces_sum(const RowSpans *spans, const FramePairs *pairs, double step,
                     const vec3 *impulses, PairForces *forces)
{
  assert(step > 0 && "a step takes time");
  const RowSpan *contacts = row_spans_find(spans, &CONTACTS_SCHEMA),
                *volumes = row_spans_find(spans, &VOLUMES_SCHEMA);
  const Pushing all = {.contacts = contacts ? (const Contacts *)contacts->table : NULL,
                       .volumes = volumes ? (const Volumes *)volumes->table : NULL,
                       .impulses = impulses,
                       .per_step = 1 / step};
  for (int i = 0; i < pairs->count; i++) forces[i] = sum_pair(&all, &pairs->of[i]);
}

double pair_forces_side(vec3 normal, vec3 up)
{
  const double along[] = {vec3_dot(normal, up), normal.x, normal.y, normal.z};
  for (int i = 0; i < 4; i++)
    if (fabs(along[i]) > LEVEL) return along[i] > 0 ? 1 : -1;
  return 1;
}
