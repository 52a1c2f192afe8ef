// Finds joints that want a body to move in two ways at once, or otherwise than its guide.
//
// A row that holds a point of the body for good along d, against a point that moves with u, wants
// d . (v + w x p) = d . u of the body's twist (v, w), both about the place of the first row. Rows
// are made orthogonal one by one (Gram and Schmidt); one that the others make up must have their
// velocity too.
#include "joint_conflict.h"

#include <assert.h>
#include <stdlib.h>

#include "check.h"
#include "guided.h"
#include "scene.h"

// Of the length of a row: less is left of one that follows from the others.
#define DEPENDENT 1e-6

// Of the largest velocity: by less two rows differ where they say one thing.
#define SAME_SPEED 1e-6

enum { TWIST = 6 };

// A row that ties a dynamic body to a driven one.
typedef struct {
  uint64_t body;
  int row;
} Tie;

typedef struct {
  double d[TWIST], speed;
} Wanted;

// A dynamic body, as its rows are read.
typedef struct {
  int count;
  Wanted basis[TWIST];   // orthonormal
  vec3 origin;           // m
  double size;           // m, makes spins velocities
  double fastest;        // of the velocities wanted, m/s
} Held;

// -- bodies whose motion is given -----------------------------------------------------------------

// Centres of mass of driven and guided bodies, the last one known.
typedef struct {
  const Case *c;
  Arena *scratch;
  uint64_t id;   // that it is known of
  bool known, sound;
  vec3 center;   // m
} Drivers;

// false: the shape has a fault, which is found when all shapes are built.
static bool find_center(Drivers *drivers, uint64_t id, const BodyRecipe *body)
{
  assert((body->drive == DRIVE_PRESCRIBED || body->guide) && "a body that is led");
  if (drivers->known && drivers->id == id) return drivers->sound;
  const ArenaMark mark = arena_mark(drivers->scratch);
  Shape shape;
  drivers->sound =
      shape_build(&drivers->c->shapes[body->shape], drivers->scratch, &shape).status == SHAPE_OK;
  if (drivers->sound)
    drivers->center = vec3_add(body->origin, mat3_mul(quat_to_mat3(body->turn), shape.center));
  arena_release(drivers->scratch, mark);
  drivers->id = id;
  drivers->known = true;
  return drivers->sound;
}

// Velocity of a place that a driven body, or space, carries along when the body appears; false as
// above.
static bool driven_velocity(Drivers *drivers, uint64_t id, vec3 place, vec3 *velocity)
{
  const Case *c = drivers->c;
  *velocity = (vec3){0, 0, 0};
  if (id == BODIES_SPACE) return true;
  const BodyRecipe body = scene_body(c, id);
  if (body.drive == DRIVE_FIXED) return true;
  assert(body.motion != NULL && "a prescribed body has a motion");
  const Motion *m = body.motion;
  const double time = (double)scene_birth(c, id) * c->step;
  const vec3 spin = m->spun_up ? body.spin : time_vector_at(&m->turning, time);
  *velocity = m->accelerated ? body.velocity : time_vector_at(&m->travel, time);
  if (vec3_norm(spin) == 0) return true;
  if (!m->has_about && !find_center(drivers, id, &body)) return false;
  const vec3 about = m->has_about ? m->about : drivers->center;
  *velocity = vec3_add(*velocity, vec3_cross(spin, vec3_sub(place, about)));
  return true;
}

static bool is_dynamic(const Case *c, uint64_t id)
{
  return id != BODIES_SPACE && scene_body(c, id).drive == DRIVE_DYNAMIC;
}

// -- rows -----------------------------------------------------------------------------------------

// Adds what a row wants along d; returns the speed by which it goes against those before it.
static double add_wanted(Held *held, vec3 d, vec3 place, double speed)
{
  assert(held->size > 0 && held->count <= TWIST && "a body has a size");
  const vec3 turn = vec3_scale(1 / held->size, vec3_cross(vec3_sub(place, held->origin), d));
  Wanted w = {{d.x, d.y, d.z, turn.x, turn.y, turn.z}, speed};
  double whole = 0, left = 0;
  for (int k = 0; k < TWIST; k++) whole += w.d[k] * w.d[k];
  // twice is enough
  for (int pass = 0; pass < 2; pass++)
    for (int b = 0; b < held->count; b++) {
      const Wanted *known = &held->basis[b];
      double along = 0;
      for (int k = 0; k < TWIST; k++) along += known->d[k] * w.d[k];
      for (int k = 0; k < TWIST; k++) w.d[k] -= along * known->d[k];
      w.speed -= along * known->speed;
    }
  for (int k = 0; k < TWIST; k++) left += w.d[k] * w.d[k];
  held->fastest = larger_of(held->fastest, fabs(speed));
  if (!(left > DEPENDENT * DEPENDENT * whole) || held->count == TWIST)
    return fabs(w.speed) > SAME_SPEED * held->fastest ? fabs(w.speed) : 0;
  const double scale = 1 / sqrt(left);
  for (int k = 0; k < TWIST; k++) w.d[k] *= scale;
  w.speed *= scale;
  held->basis[held->count++] = w;
  return 0;
}

static bool is_held(const JointRule *rule, int direction)
{
  const bool whole =
      direction == JOINT_NORMAL ? isinf(rule->tension) && isinf(rule->push) : isinf(rule->shear);
  return whole && isinf(rule->stiffness[direction]);
}

// The speed by which a row goes against those before it; 0: it goes with them.
static double add_row(Drivers *drivers, const Tie *tie, Held *held)
{
  const JointRow *row = &drivers->c->joint_rows[tie->row];
  const JointRule *rule = &drivers->c->joint_rules[tie->row];
  const bool low = row->bodies.low == tie->body;
  const vec3 place = low ? row->place : row->place_high;
  vec3 velocity;
  if (!driven_velocity(drivers, low ? row->bodies.high : row->bodies.low,
                       low ? row->place_high : row->place, &velocity))
    return 0;
  const vec3 n = row->normal;
  double worst = 0;
  if (is_held(rule, JOINT_NORMAL)) worst = add_wanted(held, n, place, vec3_dot(n, velocity));
  if (!is_held(rule, JOINT_TANGENT)) return worst;
  // the directions across the normal: what is left of the axes
  static const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int k = 0; k < 3; k++) {
    const vec3 t = vec3_axpy(-vec3_dot(n, axes[k]), n, axes[k]);
    if (vec3_norm(t) < 0.1) continue;
    worst = larger_of(worst, add_wanted(held, t, place, vec3_dot(t, velocity)));
  }
  return worst;
}

// -- all bodies -----------------------------------------------------------------------------------

static int compare_ties(const void *p, const void *q)
{
  const Tie *a = p, *b = q;
  if (a->body != b->body) return a->body < b->body ? -1 : 1;
  return a->row - b->row;
}

// What a guide holds of its body.
static void add_guide(Drivers *drivers, uint64_t id, const BodyRecipe *body, Held *held)
{
  const double time = (double)scene_birth(drivers->c, id) * drivers->c->step;
  const vec3 v = time_vector_at(&body->guide->travel, time),
             w = vec3_scale(held->size, time_vector_at(&body->guide->turning, time));
  const double speeds[TWIST] = {v.x, v.y, v.z, w.x, w.y, w.z};
  static const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  // of spins first: they are in the way of no other
  for (int k = GUIDED_SPIN; k < TWIST; k++) {
    if (!guided_holds(body->guide->held, k)) continue;
    Wanted w_k = {.speed = speeds[k]};
    w_k.d[k] = 1;
    held->fastest = larger_of(held->fastest, fabs(w_k.speed));
    held->basis[held->count++] = w_k;
  }
  for (int k = 0; k < GUIDED_SPIN; k++)
    if (guided_holds(body->guide->held, k)) add_wanted(held, axes[k], drivers->center, speeds[k]);
}

// false: the shape of the body has a fault.
static bool held_new(Drivers *drivers, const Tie *ties, int count, Held *held)
{
  const Case *c = drivers->c;
  *held = (Held){.origin = c->joint_rows[ties[0].row].place};
  const BodyRecipe body = scene_body(c, ties[0].body);
  if (body.guide && !find_center(drivers, ties[0].body, &body)) return false;
  // how far the places are apart
  for (int i = 1; i < count; i++)
    held->size =
        larger_of(held->size, vec3_norm(vec3_sub(c->joint_rows[ties[i].row].place, held->origin)));
  if (body.guide)
    held->size = larger_of(held->size, vec3_norm(vec3_sub(drivers->center, held->origin)));
  if (!(held->size > 0)) held->size = 1;
  if (body.guide) add_guide(drivers, ties[0].body, &body, held);
  return true;
}

// Do both bodies of a row appear as it begins?
static bool together(const Case *c, const JointRow *row)
{
  const bool space = row->bodies.high == BODIES_SPACE;
  return scene_birth(c, row->bodies.low) == row->begin &&
         (space || scene_birth(c, row->bodies.high) == row->begin);
}

bool joint_conflict_find(const Case *c, Arena *scratch, JointConflict *conflict)
{
  assert(c->joint_row_count >= 0 && conflict != NULL && "rows are made");
  // without a motion everything that holds is at rest
  if (c->motion_count == 0 && c->guide_count == 0) return false;
  Tie *ties = arena_allocate(scratch, ((size_t)c->joint_row_count + 1) * sizeof *ties);
  int count = 0;
  for (int i = 0; i < c->joint_row_count; i++) {
    const IdPair bodies = c->joint_rows[i].bodies;
    const bool low = is_dynamic(c, bodies.low), high = is_dynamic(c, bodies.high);
    // where a body has moved before the joint begins is not known here
    if (!together(c, &c->joint_rows[i])) continue;
    if (low != high) ties[count++] = (Tie){low ? bodies.low : bodies.high, i};
  }
  qsort(ties, (size_t)count, sizeof *ties, compare_ties);
  Drivers drivers = {.c = c, .scratch = scratch};
  for (int first = 0, end; first < count; first = end) {
    for (end = first; end < count && ties[end].body == ties[first].body;) end++;
    Held held;
    if (!held_new(&drivers, ties + first, end - first, &held)) continue;
    for (int i = first; i < end; i++) {
      const double speed = add_row(&drivers, &ties[i], &held);
      if (!(speed > 0)) continue;
      *conflict = (JointConflict){ties[i].body, c->joint_rules[ties[i].row].joint, speed};
      return true;
    }
  }
  return false;
}
