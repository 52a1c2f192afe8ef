// Makes the rows of joints out of the case, and a row for space.
#include "jointed.h"

#include <assert.h>
#include <string.h>

#include "check.h"
#include "parallel.h"
#include "scene.h"

static int32_t drive_of(const Case *c, uint64_t id)
{
  return id == BODIES_SPACE ? DRIVE_FIXED : scene_body(c, id).drive;
}

// Where a body stands when a joint begins.
typedef struct {
  vec3 position;   // of the centre of mass, m
  mat3 rotation;   // body to world
} StartPose;

// Has the body been there before the row begins?
static bool is_earlier(const Case *c, const JointRow *of, uint64_t id)
{
  return id != BODIES_SPACE && scene_birth(c, id) < of->begin;
}

static StartPose start_pose(World *world, int row, uint64_t id)
{
  const Joints *j = &world->joints;
  if (id == BODIES_SPACE) return (StartPose){{0, 0, 0}, mat3_diagonal(1, 1, 1)};
  if (is_earlier(world->c, &world->c->joint_rows[j->number[row]], id))
    return (StartPose){j->met_at[row], quat_to_mat3(j->met_turned[row])};
  const BodyRecipe recipe = scene_body(world->c, id);
  const Shape *shape = shape_set_get(&world->shapes, recipe.shape);
  const mat3 rotation = quat_to_mat3(recipe.turn);
  return (StartPose){vec3_add(recipe.origin, mat3_mul(rotation, shape->center)), rotation};
}

// what follows from the case, of a row with a key
static void complete_row(World *world, int row)
{
  const Case *c = world->c;
  Joints *j = &world->joints;
  const uint32_t number = j->number[row];
  assert(number < (uint32_t)c->joint_row_count && "the case has the row");
  const JointRow *of = &c->joint_rows[number];
  const StartPose low = start_pose(world, row, of->bodies.low),
                  high = start_pose(world, row, of->bodies.high);
  j->anchor[row] = mat3_mul_transposed(low.rotation, vec3_sub(of->place, low.position));
  if (c->joint_rules[number].speed > 0) j->anchor[row] = (vec3){0, 0, 0};
  j->anchor_high[row] = mat3_mul_transposed(high.rotation, vec3_sub(of->place_high, high.position));
  j->place[row] = of->place;
  j->place_high[row] = of->place_high;
  j->length[row] = of->length;
  j->joint[row] = (uint32_t)c->joint_rules[number].joint;
  j->elastic[row] = j->damped[row] = j->spent[row] = 0;
  j->elongation[row] = (vec3){0, 0, 0};
  const JointRule *rule = &c->joint_rules[number];
  const mat3 frame = rule->frame_low ? low.rotation : high.rotation;
  j->normal[row] = rule->along_line ? of->normal : mat3_mul_transposed(frame, of->normal);
}

// The first of the rows by beginning that begins before that step or a later one.
static int first_from(const Case *c, int64_t step)
{
  int low = 0, high = c->joint_row_count;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (c->joint_rows[c->joint_order[middle]].begin < step) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Of a row's body that was there before, as numbers that a maximum of all ranks leaves whole.
enum { MEETING_NUMBERS = 7 };

static void write_meeting(const Bodies *b, int body, double numbers[MEETING_NUMBERS])
{
  const vec3 x = b->position[body];
  const quat q = b->orientation[body];
  const double all[MEETING_NUMBERS] = {x.x, x.y, x.z, q.w, q.x, q.y, q.z};
  memcpy(numbers, all, sizeof all);
}

// Collective. Where the bodies stand that wait for a partner of these rows, [count] of them;
// infinite: the body has left, and the row never begins. NULL: all appear together.
static double *find_meetings(World *world, const int *rows, int count)
{
  const Case *c = world->c;
  const Bodies *b = &world->bodies;
  const size_t room = (size_t)count * MEETING_NUMBERS;
  double *meetings = arena_allocate(&world->scratch, (room + 1) * sizeof *meetings);
  bool any = false;
  for (int k = 0; k < count; k++) {
    const JointRow *of = &c->joint_rows[rows[k]];
    double *numbers = &meetings[(size_t)k * MEETING_NUMBERS];
    const bool low = is_earlier(c, of, of->bodies.low),
               waits = low || is_earlier(c, of, of->bodies.high);
    any = any || waits;
    for (int i = 0; i < MEETING_NUMBERS; i++) numbers[i] = waits ? -INFINITY : 0;
    const int body = waits ? bodies_find(b, low ? of->bodies.low : of->bodies.high) : -1;
    if (body >= 0 && body < b->table.owned) write_meeting(b, body, numbers);
  }
  if (!any) return NULL;
  par_max_many(meetings, (int)room);
  return meetings;
}

// Appends a row; meeting: see above.
static void add_row(World *world, int number, const double *meeting)
{
  static const double none[MEETING_NUMBERS];
  Joints *j = &world->joints;
  const int row = j->table.owned;
  const double *m = meeting ? meeting : none;
  table_reserve(&j->table, row + 1);
  j->table.owned = j->table.count = row + 1;
  j->bodies[row] = world->c->joint_rows[number].bodies;
  j->number[row] = (uint32_t)number;
  j->status[row] = JOINT_WHOLE;
  j->reaction[row] = j->plastic[row] = (vec3){0, 0, 0};
  j->met_at[row] = (vec3){m[0], m[1], m[2]};
  j->met_turned[row] = (quat){m[3], m[4], m[5], m[6]};
  complete_row(world, row);
}

// Collective. Rows that begin before that step, where the owner is this rank's.
static void add_rows(World *world, int64_t step)
{
  const Case *c = world->c;
  const int first = first_from(c, step), count = first_from(c, step + 1) - first;
  if (count == 0) return;
  const int *rows = &c->joint_order[first];
  const double *meetings = find_meetings(world, rows, count);
  for (int k = 0; k < count; k++) {
    const double *meeting = meetings ? &meetings[(size_t)k * MEETING_NUMBERS] : NULL;
    if (meeting && isinf(meeting[0])) continue;
    const JointRow *of = &c->joint_rows[rows[k]];
    const int32_t drives[2] = {drive_of(c, of->bodies.low), drive_of(c, of->bodies.high)};
    const uint64_t owner = bodies_owner(drives, 2) == 0 ? of->bodies.low : of->bodies.high;
    const int body = bodies_find(&world->bodies, owner);
    if (body >= 0 && body < world->bodies.table.owned) add_row(world, rows[k], meeting);
  }
  table_sort(&world->joints.table, 0, world->joints.table.owned);
}

void jointed_begin(World *world)
{
  const Case *c = world->c;
  world->joints.rules = c->joint_rules;
  for (int k = 0; k < c->joint_row_count; k++)
    if (c->joint_rows[k].bodies.high == BODIES_SPACE) world->has_space = true;
  add_rows(world, 0);
}

void jointed_add_born(World *world)
{
  assert(world->step > 0 && "bodies of the start have their rows");
  if (world->c->joint_row_count == 0) return;
  world->joints.table.count = world->joints.table.owned;
  add_rows(world, world->step);
}

void jointed_complete(World *world)
{
  world->joints.rules = world->c->joint_rules;
  for (int row = 0; row < world->joints.table.owned; row++) complete_row(world, row);
}

void jointed_add_space(World *world, Step *step)
{
  assert(step->mid != NULL && "rows are at the middle of the step");
  if (!world->has_space) return;
  Bodies *b = &world->bodies;
  const int row = b->table.count, ghost = row - b->table.owned;
  table_reserve(&b->table, row + 1);
  b->table.count = row + 1;
  for (int f = 0; f < BODIES_SCHEMA.field_count; f++) {
    const Field *field = &BODIES_SCHEMA.fields[f];
    if (table_has(&b->table, field)) memset(table_at(&b->table, field, row), 0, field->row_bytes);
  }
  b->id[row] = BODIES_SPACE;
  b->drive[row] = DRIVE_FIXED;
  b->orientation[row] = quat_identity();
  b->mass[row] = 1;
  step->mid[row] = (MidState){.rotation = mat3_diagonal(1, 1, 1)};
  step->start[row] = step->free[row] = (Twist){{0, 0, 0}, {0, 0, 0}};

  // it is this rank's own ghost: nobody sends it
  int *ranks = arena_allocate(&world->scratch, ((size_t)ghost + 2) * sizeof *ranks);
  if (ghost > 0) memcpy(ranks, step->halo.ghost_ranks, (size_t)ghost * sizeof *ranks);
  ranks[ghost] = par_rank();
  step->halo.ghost_ranks = ranks;
  step->halo.ghost_count = ghost + 1;
}
