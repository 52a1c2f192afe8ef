// Measures joints that open and forces on supports.
#include "supports.h"

#include <assert.h>
#include <math.h>

#include "contacts.h"
#include "detect.h"
#include "exact_sum.h"
#include "parallel.h"
#include "scene.h"

static uint64_t id_of(const Case *c, JointEnd end)
{
  return c->groups[end.group].first_id + end.index;
}

// ------------------------------------------------------------------------------------------------
// Openings.

#define GONE 1e30   // m: a body has left, and JSON has no infinity

// Two bodies as the case puts them, lower id first, and their contact there.
typedef struct {
  Arena arena;
  Bodies bodies;
  ShapeSet shapes;
  SurfaceSet bases;   // of shapes, where patches do not know all of them
  bool has_bases;
  Contacts contacts;
} Joining;

static void joining_begin(Joining *j, const Case *c, const OpeningLimit *limit)
{
  *j = (Joining){.arena = arena_new(), .shapes = shape_set_new(c->shapes, c->shape_count)};
  bodies_begin(&j->bodies);
  contacts_begin(&j->contacts);
  MidState mid[2] = {0};
  const unsigned char newborn[2] = {1, 1};
  const FreeMotion still = {.step = 0};
  Box boxes[2];
  for (int k = 0; k < 2; k++) {
    const uint64_t id = id_of(c, limit->ends[k]);
    const BodyRecipe recipe = scene_body(c, id);
    const int row =
        scene_append_body(&j->bodies, id, &recipe, shape_set_get(&j->shapes, recipe.shape));
    j->bodies.velocity[row] = j->bodies.spin[row] = (vec3){0, 0, 0};
  }
  table_sort(&j->bodies.table, 0, 2);
  // what touches does not depend on the model that the run has, where patches know all bodies
  ContactSettings settings = c->contact;
  j->has_bases = scene_has_surfaces(c);
  settings.model = j->has_bases ? CONTACT_MODEL_LMD : CONTACT_MODEL_PATCH;
  if (j->has_bases) j->bases = surface_set_new(&j->shapes, c->contact.lmd.dilation, c->bases);
  for (int i = 0; i < 2; i++) {
    mid[i].rotation = quat_to_mat3(j->bodies.orientation[i]);
    boxes[i] = detect_box(&j->bodies, i, &j->shapes, &settings, &still);
  }
  const DetectInput input = {.bodies = &j->bodies,
                             .mid = mid,
                             .shapes = &j->shapes,
                             .settings = &settings,
                             .motion = still,
                             .surfaces = NULL,
                             .bases = j->has_bases ? &j->bases : NULL,
                             .newborn = newborn};
  Contacts none;
  contacts_begin(&none);
  detect_contacts(&input, boxes, &none, &j->contacts, &j->arena);
  contacts_end(&none);
}

static void joining_end(Joining *j)
{
  contacts_end(&j->contacts);
  bodies_end(&j->bodies);
  if (j->has_bases) surface_set_destroy(&j->bases);
  shape_set_destroy(&j->shapes);
  arena_destroy(&j->arena);
}

bool supports_touch(const Case *c, const OpeningLimit *limit, uint64_t ids[2])
{
  assert(limit->most > 0 && "an opening is asked for");
  Joining j;
  joining_begin(&j, c, limit);
  const bool touch = j.contacts.table.owned > 0;
  for (int k = 0; k < 2; k++) ids[k] = j.bodies.id[k];
  joining_end(&j);
  return touch;
}

enum { POSE = 7 };   // numbers of a place and an orientation

// Collective. Where the two bodies are now; false where one of them has left.
static bool find_poses(const World *world, const Bodies *two, vec3 places[2], quat turns[2])
{
  double all[2 * POSE];
  const Bodies *b = &world->bodies;
  for (int k = 0; k < 2 * POSE; k++) all[k] = -INFINITY;
  for (int k = 0; k < 2; k++) {
    const int row = bodies_find(b, two->id[k]);
    if (row < 0 || row >= b->table.owned) continue;
    const vec3 x = b->position[row];
    const quat q = b->orientation[row];
    const double pose[POSE] = {x.x, x.y, x.z, q.w, q.x, q.y, q.z};
    for (int i = 0; i < POSE; i++) all[POSE * k + i] = pose[i];
  }
  par_max_many(all, 2 * POSE);
  for (int k = 0; k < 2; k++) {
    const double *pose = all + POSE * k;
    places[k] = (vec3){pose[0], pose[1], pose[2]};
    turns[k] = (quat){pose[3], pose[4], pose[5], pose[6]};
  }
  return all[0] > -INFINITY && all[POSE] > -INFINITY;
}

double supports_opening(World *world, const OpeningLimit *limit)
{
  Joining j;
  joining_begin(&j, world->c, limit);
  vec3 places[2];
  quat turns[2];
  double most = 0;
  if (find_poses(world, &j.bodies, places, turns)) {
    mat3 turned[2];   // since the case put them
    for (int k = 0; k < 2; k++)
      turned[k] = mat3_mul_mat(quat_to_mat3(turns[k]),
                               mat3_transpose(quat_to_mat3(j.bodies.orientation[k])));
    for (int i = 0; i < j.contacts.table.owned; i++) {
      vec3 now[2];
      for (int k = 0; k < 2; k++)
        now[k] = vec3_add(places[k],
                          mat3_mul(turned[k], vec3_sub(j.contacts.point[i], j.bodies.position[k])));
      const vec3 normal = mat3_mul(turned[0], j.contacts.normal[i]);
      most = fmax(most, vec3_dot(normal, vec3_sub(now[0], now[1])));
    }
  } else {
    most = GONE;
  }
  joining_end(&j);
  return most;
}

// ------------------------------------------------------------------------------------------------
// Forces.

// Adds an impulse on the lower of two bodies, N s, where one of them alone is asked for.
static void add_impulse(const World *world, const ForceLimit *limit, IdPair bodies, vec3 impulse,
                        ExactSum *sums)
{
  const bool low = scene_selects(world->c, &limit->on, bodies.low),
             high = scene_selects(world->c, &limit->on, bodies.high);
  if (low == high) return;
  const vec3 on = low ? impulse : vec3_scale(-1, impulse);
  exact_sum_add(&sums[0], on.x);
  exact_sum_add(&sums[1], on.y);
  exact_sum_add(&sums[2], on.z);
}

double supports_force(const World *world, const ForceLimit *limit)
{
  assert(limit->on.count > 0 && "a force is on bodies");
  const Contacts *contacts = &world->contacts;
  const Volumes *volumes = &world->volumes;
  ExactSum sums[3] = {exact_sum_new(), exact_sum_new(), exact_sum_new()};
  for (int i = 0; i < contacts->table.owned; i++) {
    const vec3 r = contacts->reaction[i];
    if (r.x == 0 && r.y == 0 && r.z == 0) continue;
    const vec3 on_low = mat3_mul_transposed(contacts_basis(contacts->normal[i]), r);
    add_impulse(world, limit, contacts->bodies[i], on_low, sums);
  }
  for (int i = 0; i < volumes->table.owned; i++)
    add_impulse(world, limit, volumes->bodies[i], volumes->impulse[i], sums);
  exact_sum_reduce(sums, 3);
  const vec3 all = {exact_sum_value(&sums[0]), exact_sum_value(&sums[1]),
                    exact_sum_value(&sums[2])};
  return vec3_norm(all) / world->c->step;
}
