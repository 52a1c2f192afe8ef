// Finds joints as the case puts bodies, and compares with where the bodies are.
#include "put_joints.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "detect.h"
#include "memory.h"
#include "trig.h"

// Whether the case puts both bodies at once: where one moved before the other appeared, their first
// places say nothing of a joint. What stands is there for whatever appears.
static bool are_put_together(const FramePair *pair, const Case *c)
{
  return pair->low.drive != DRIVE_DYNAMIC || pair->high.drive != DRIVE_DYNAMIC ||
         scene_birth(c, pair->bodies.low) == scene_birth(c, pair->bodies.high);
}

// Ids of the bodies of pairs that may have a joint which is not known yet, ascending; how many.
static int list_bodies(const FramePairs *pairs, const bool *known, const Case *c, uint64_t *ids)
{
  int count = 0, kept = 0;
  for (int i = 0; i < pairs->count; i++) {
    if (known[i] || !are_put_together(&pairs->of[i], c)) continue;
    ids[count++] = pairs->of[i].bodies.low;
    ids[count++] = pairs->of[i].bodies.high;
  }
  if (count > 0) qsort(ids, (size_t)count, sizeof *ids, order_u64s);
  for (int i = 0; i < count; i++)
    if (i == 0 || ids[i] != ids[kept - 1]) ids[kept++] = ids[i];
  return kept;
}

// Contacts of these bodies as the case puts them, at rest.
static void touch(Contacts *found, const uint64_t *ids, int count, const Case *c, ShapeSet *shapes,
                  Arena *arena)
{
  Bodies bodies = {0};
  bodies_begin(&bodies);
  table_reserve(&bodies.table, count);
  MidState *mid = arena_allocate_zero(arena, (size_t)count + 1, sizeof *mid);
  Box *boxes = arena_allocate(arena, ((size_t)count + 1) * sizeof *boxes);
  unsigned char *newborn = arena_allocate(arena, (size_t)count + 1);
  const FreeMotion still = {.step = 0};
  // what touches does not depend on the model that the run has, where patches know all bodies
  ContactSettings settings = c->contact;
  const bool alone = scene_has_surfaces(c);
  settings.model = alone ? CONTACT_MODEL_LMD : CONTACT_MODEL_PATCH;
  SurfaceSet bases = {0};
  if (alone) bases = surface_set_new(shapes, c->contact.lmd.dilation, c->bases);
  settings.sparsify = (SparsifyParameters){0};
  settings.keep_pairs = false;
  for (int i = 0; i < count; i++) {
    const BodyRecipe recipe = scene_body(c, ids[i]);
    const int row =
        scene_append_body(&bodies, ids[i], &recipe, shape_set_get(shapes, recipe.shape));
    bodies.velocity[row] = bodies.spin[row] = (vec3){0, 0, 0};
    mid[i].rotation = quat_to_mat3(bodies.orientation[row]);
    newborn[i] = 1;
  }
  for (int i = 0; i < count; i++) boxes[i] = detect_box(&bodies, i, shapes, &settings, &still);
  const DetectInput input = {.bodies = &bodies,
                             .mid = mid,
                             .shapes = shapes,
                             .settings = &settings,
                             .motion = still,
                             .bases = alone ? &bases : NULL,
                             .newborn = newborn};
  Contacts none;
  contacts_begin(&none);
  detect_contacts(&input, boxes, &none, found, arena);
  contacts_end(&none);
  if (alone) surface_set_destroy(&bases);
  bodies_end(&bodies);
}

// Points and normal of a joint, from rows of contacts sorted by ids.
static PutJoint joint_of(const Contacts *found, int *at, IdPair bodies, vec3 *points, int *used)
{
  PutJoint joint = {.bodies = bodies, .first = *used};
  const int rows = found->table.owned;
  while (*at < rows && id_pair_compare(found->bodies[*at], bodies) < 0) (*at)++;
  vec3 sum = {0}, plain = {0};
  for (; *at < rows && id_pair_compare(found->bodies[*at], bodies) == 0; (*at)++) {
    sum = vec3_axpy(found->area[*at], found->normal[*at], sum);
    plain = vec3_add(plain, found->normal[*at]);
    points[(*used)++] = found->point[*at];
    joint.count++;
  }
  const double size = vec3_norm(sum), plain_size = vec3_norm(plain);
  if (size > 0) joint.normal = vec3_scale(1 / size, sum);
  else if (plain_size > 0) joint.normal = vec3_scale(1 / plain_size, plain);
  else joint.count = 0;
  return joint;
}

static PutPlace place_of(uint64_t id, const Case *c, ShapeSet *shapes)
{
  const BodyRecipe recipe = scene_body(c, id);
  return (PutPlace){scene_recipe_start(&recipe, shape_set_get(shapes, recipe.shape)).centre,
                    recipe.turn};
}

// Whether these are the pairs of the frame before.
static bool have_followed(const PutJoints *joints, const FramePairs *pairs)
{
  if (!joints->of || joints->count != pairs->count) return false;
  for (int i = 0; i < pairs->count; i++)
    if (id_pair_compare(joints->of[i].bodies, pairs->of[i].bodies) != 0) return false;
  return true;
}

void put_joints_follow(PutJoints *joints, const FramePairs *pairs, const Case *c, ShapeSet *shapes)
{
  assert(joints->count >= 0 && pairs->count >= 0 && "lists have lengths");
  if (have_followed(joints, pairs)) return;
  Arena arena = arena_new();
  const size_t count = (size_t)pairs->count;
  bool *known = arena_allocate_zero(&arena, count + 1, sizeof *known);
  int *before = arena_allocate(&arena, (count + 1) * sizeof *before);
  for (int i = 0, k = 0; i < pairs->count; i++) {
    while (k < joints->count && id_pair_compare(joints->of[k].bodies, pairs->of[i].bodies) < 0) k++;
    known[i] = k < joints->count && id_pair_compare(joints->of[k].bodies, pairs->of[i].bodies) == 0;
    before[i] = k;
  }
  uint64_t *ids = arena_allocate(&arena, (2 * count + 1) * sizeof *ids);
  const int bodies = list_bodies(pairs, known, c, ids);
  Contacts found = {0};
  contacts_begin(&found);
  if (bodies > 0) touch(&found, ids, bodies, c, shapes, &arena);
  PutJoints now = {
      .count = pairs->count,
      .of = memory_allocate((count + 1) * sizeof *now.of),
      .points = memory_allocate(((size_t)joints->point_count + (size_t)found.table.owned + 1) *
                                sizeof *now.points)};
  for (int i = 0, at = 0; i < pairs->count; i++) {
    const FramePair *pair = &pairs->of[i];
    if (!known[i]) {
      now.of[i] = are_put_together(pair, c)
                      ? joint_of(&found, &at, pair->bodies, now.points, &now.point_count)
                      : (PutJoint){.bodies = pair->bodies, .first = now.point_count};
      now.of[i].low = place_of(pair->bodies.low, c, shapes);
      now.of[i].high = place_of(pair->bodies.high, c, shapes);
      continue;
    }
    now.of[i] = joints->of[before[i]];
    if (now.of[i].count > 0)
      memcpy(now.points + now.point_count, joints->points + now.of[i].first,
             (size_t)now.of[i].count * sizeof *now.points);
    now.of[i].first = now.point_count;
    now.point_count += now.of[i].count;
  }
  contacts_end(&found);
  put_joints_end(joints);
  *joints = now;
  arena_destroy(&arena);
}

void put_joints_end(PutJoints *joints)
{
  memory_free(joints->of);
  memory_free(joints->points);
  *joints = (PutJoints){0};
}

// A body then and now.
typedef struct {
  vec3 then, now;   // centres of mass, m
  quat turn;        // from then to now
  mat3 turned;
} Moved;

static Moved moved(const FrameBody *body, const PutPlace *put)
{
  const quat back = {put->turn.w, -put->turn.x, -put->turn.y, -put->turn.z};
  Moved m = {.then = put->centre, .now = body->position, .turn = quat_mul(body->orientation, back)};
  m.turned = quat_to_mat3(m.turn);
  return m;
}

static vec3 place_now(const Moved *body, vec3 then)
{
  return vec3_add(body->now, mat3_mul(body->turned, vec3_sub(then, body->then)));
}

// The angle of a direction in the first quarter, by Newton's method on sine and cosine; the step
// sin(angle - found) has an error of third order. An angle that a step leaves as it is stays so in
// all later ones.
static double angle_of(double cosine, double sine)
{
  const double size = sqrt(cosine * cosine + sine * sine);
  double found = 0.5 * TRIG_PI * sine / (sine + cosine), before = -1;
  for (int i = 0; i < 4 && found != before; i++) {
    before = found;
    found += (sine * trig_cos(found) - cosine * trig_sin(found)) / size;
  }
  return found;
}

vec3 put_joints_rotation(quat q)
{
  // q and -q are the same turn: the shorter way
  const double sign = q.w < 0 ? -1 : 1;
  const vec3 v = vec3_scale(sign, (vec3){q.x, q.y, q.z});
  const double sine = vec3_norm(v);
  const double factor = sine > 0 ? 2 * angle_of(sign * q.w, sine) / sine : 2;
  return vec3_scale(factor, v);
}

// Of two bodies that are there. points: of all joints.
static JointMotion motion_between(const Moved *low, const Moved *high, const PutJoint *joint,
                                  const vec3 *points)
{
  JointMotion motion = {.touched = joint->count > 0};
  const quat back = {high->turn.w, -high->turn.x, -high->turn.y, -high->turn.z};
  motion.turn = put_joints_rotation(quat_mul(low->turn, back));
  if (!motion.touched) return motion;
  // between both bodies, so that neither is the first
  vec3 normal =
      vec3_add(mat3_mul(low->turned, joint->normal), mat3_mul(high->turned, joint->normal));
  const double size = vec3_norm(normal);
  if (!(size > 0)) return motion;
  normal = vec3_scale(1 / size, normal);
  vec3 mean = {0};
  for (int i = joint->first; i < joint->first + joint->count; i++) {
    const vec3 apart = vec3_sub(place_now(low, points[i]), place_now(high, points[i]));
    motion.opening = fmax(motion.opening, vec3_dot(normal, apart));
    mean = vec3_axpy(1.0 / joint->count, apart, mean);
  }
  motion.slip = vec3_norm(vec3_axpy(-vec3_dot(normal, mean), normal, mean));
  return motion;
}

// The joint of a pair.
static const PutJoint *joint_at(const PutJoints *joints, int number, const FramePair *pair)
{
  assert(number >= 0 && number < joints->count && "the joints follow the pair");
  const PutJoint *joint = &joints->of[number];
  assert(id_pair_compare(joint->bodies, pair->bodies) == 0 && "a joint is of its pair");
  return joint;
}

JointMotion put_joints_motion(const PutJoints *joints, int number, const FramePair *pair)
{
  const PutJoint *joint = joint_at(joints, number, pair);
  if (!pair->low.there || !pair->high.there) return (JointMotion){.touched = joint->count > 0};
  const Moved low = moved(&pair->low, &joint->low), high = moved(&pair->high, &joint->high);
  return motion_between(&low, &high, joint, joints->points);
}

void put_joints_motions(const PutJoints *joints, const FramePairs *pairs, JointMotion *motions)
{
  assert(joints->count == pairs->count && "the joints follow the pairs");
  Arena arena = arena_new();
  // a body has several pairs, and moves once: the lower ones stand behind each other
  Moved low, *highs = arena_allocate(&arena, ((size_t)pairs->high_count + 1) * sizeof *highs);
  bool *known = arena_allocate_zero(&arena, (size_t)pairs->high_count + 1, sizeof *known);
  const FramePair *of_low = NULL;
  for (int i = 0; i < pairs->count; i++) {
    const FramePair *pair = &pairs->of[i];
    const PutJoint *joint = joint_at(joints, i, pair);
    motions[i] = (JointMotion){.touched = joint->count > 0};
    if (!pair->low.there || !pair->high.there) continue;
    if (!of_low || of_low->low.id != pair->low.id) low = moved(&pair->low, &joint->low);
    of_low = pair;
    Moved *high = &highs[pair->high_number];
    if (!known[pair->high_number]) *high = moved(&pair->high, &joint->high);
    known[pair->high_number] = true;
    motions[i] = motion_between(&low, high, joint, joints->points);
  }
  arena_destroy(&arena);
}
