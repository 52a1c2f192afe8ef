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

// Where a body stands when it appears.
typedef struct {
  vec3 position;   // of the centre of mass, m
  mat3 rotation;   // body to world
} BirthPose;

static BirthPose birth_pose(World *world, uint64_t id)
{
  if (id == BODIES_SPACE) return (BirthPose){{0, 0, 0}, mat3_diagonal(1, 1, 1)};
  const BodyRecipe recipe = scene_body(world->c, id);
  const Shape *shape = shape_set_get(&world->shapes, recipe.shape);
  const mat3 rotation = quat_to_mat3(recipe.turn);
  return (BirthPose){vec3_add(recipe.origin, mat3_mul(rotation, shape->center)), rotation};
}

// The step before which both bodies of a row appear, which is the same.
static int64_t birth_of_row(const Case *c, const JointRow *row)
{
  return scene_birth(c, row->bodies.low);
}

// what follows from the case, of a row with a key
static void complete_row(World *world, int row)
{
  const Case *c = world->c;
  Joints *j = &world->joints;
  const uint32_t number = j->number[row];
  assert(number < (uint32_t)c->joint_row_count && "the case has the row");
  const JointRow *of = &c->joint_rows[number];
  const BirthPose low = birth_pose(world, of->bodies.low),
                  high = birth_pose(world, of->bodies.high);
  j->anchor[row] = mat3_mul_transposed(low.rotation, vec3_sub(of->place, low.position));
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

// Rows of bodies that appear before that step, where the owner is this rank's.
static void add_rows(World *world, int64_t step)
{
  const Case *c = world->c;
  Joints *j = &world->joints;
  for (int k = 0; k < c->joint_row_count; k++) {
    const JointRow *of = &c->joint_rows[k];
    if (birth_of_row(c, of) != step) continue;
    const int32_t drives[2] = {drive_of(c, of->bodies.low), drive_of(c, of->bodies.high)};
    const uint64_t owner = bodies_owner(drives, 2) == 0 ? of->bodies.low : of->bodies.high;
    const int body = bodies_find(&world->bodies, owner);
    if (body < 0 || body >= world->bodies.table.owned) continue;
    const int row = j->table.owned;
    table_reserve(&j->table, row + 1);
    j->table.owned = j->table.count = row + 1;
    j->bodies[row] = of->bodies;
    j->number[row] = (uint32_t)k;
    j->status[row] = JOINT_WHOLE;
    j->reaction[row] = j->plastic[row] = (vec3){0, 0, 0};
    complete_row(world, row);
  }
  table_sort(&j->table, 0, j->table.owned);
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
