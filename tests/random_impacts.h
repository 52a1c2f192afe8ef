#pragma once
// Random groups of bodies that hit one another: spheres and boxes, chains and rings of contacts,
// some on a fixed or moving body. A group is a function of its number alone; ids of several follow
// one another. Include bodies.h, contacts.h and problem.h before.
#include "random_numbers.h"

enum {
  IMPACT_BODIES = 6,      // of a group at most
  IMPACT_CONTACTS = 36,   // likewise
  IMPACT_MATERIALS = 3
};

typedef struct {
  vec3 place;
  int drive, material;   // drive: DRIVE_DYNAMIC, DRIVE_FIXED or DRIVE_PRESCRIBED
  double mass;
  mat3 rotation, inertia, inverse_inertia;   // of the tensors: world axes
  Twist start, free;
} ImpactBody;

typedef struct {
  int low, high;   // bodies of the group
  vec3 place, normal;
  double gap;
  int index;   // among those of the pair
} ImpactPoint;

typedef struct {
  int body_count, point_count;
  ImpactBody bodies[IMPACT_BODIES];
  ImpactPoint points[IMPACT_CONTACTS];   // by pair
  SurfaceLaw laws[IMPACT_MATERIALS * (IMPACT_MATERIALS + 1) / 2];
  bool smooth;   // no friction anywhere
  bool loads;    // some bodies do not fly freely
} ImpactGroup;

static inline double random_chance(Random *random) { return random_between(random, 0, 1); }

static inline void random_surfaces(Random *random, ImpactGroup *group)
{
  group->smooth = random_chance(random) < 0.4;
  const bool elastic = random_chance(random) < 0.3;
  for (size_t k = 0; k < sizeof group->laws / sizeof *group->laws; k++) {
    const double e = random_chance(random), which = random_chance(random);
    group->laws[k] = (SurfaceLaw){
        .friction = group->smooth ? 0 : random_chance(random),
        .restitution = elastic || which < 0.3 ? 1
                       : which < 0.5          ? 0
                                              : e,
    };
  }
}

static inline ImpactBody random_body(Random *random, bool driven, bool loads)
{
  ImpactBody b = {.place = random_in_cube(random, 1),
                  .material = random_below(random, IMPACT_MATERIALS),
                  .rotation = random_rotation(random)};
  const bool moves = random_chance(random) < 0.7;
  if (moves) {
    b.start.v = random_in_cube(random, 3);
    b.start.w = random_in_cube(random, random_chance(random) < 0.5 ? 0.1 : 8);
  }
  b.free = b.start;
  if (driven) {
    b.drive = moves ? DRIVE_PRESCRIBED : DRIVE_FIXED;
    return b;
  }
  const double density = random_between(random, 1, 20);
  vec3 size = {1, 1, 1};
  double moments[3];
  if (random_chance(random) < 0.4) {
    const double radius = random_between(random, 0.2, 0.8);
    b.mass = density * 4.19 * radius * radius * radius;
    moments[0] = moments[1] = moments[2] = 0.4 * b.mass * radius * radius;
  } else {
    size = vec3_new(random_between(random, 0.2, 1.6), random_between(random, 0.2, 1.6),
                    random_between(random, 0.2, 1.6));
    b.mass = density * size.x * size.y * size.z;
    moments[0] = b.mass / 12 * (size.y * size.y + size.z * size.z);
    moments[1] = b.mass / 12 * (size.z * size.z + size.x * size.x);
    moments[2] = b.mass / 12 * (size.x * size.x + size.y * size.y);
  }
  const mat3 turned = mat3_transpose(b.rotation);
  b.inertia = mat3_mul_mat(b.rotation,
                           mat3_mul_mat(mat3_diagonal(moments[0], moments[1], moments[2]), turned));
  b.inverse_inertia = mat3_mul_mat(
      b.rotation,
      mat3_mul_mat(mat3_diagonal(1 / moments[0], 1 / moments[1], 1 / moments[2]), turned));
  if (loads) {
    b.free.v = vec3_add(b.free.v, random_in_cube(random, 0.3));
    b.free.w = vec3_add(b.free.w, random_in_cube(random, 0.3));
  }
  return b;
}

static inline void random_points(Random *random, ImpactGroup *group, int low, int high)
{
  const vec3 x = group->bodies[low].place, y = group->bodies[high].place;
  const int count = random_chance(random) < 0.5 ? 1 : 2 + random_below(random, 3);
  const vec3 apart = vec3_sub(x, y), noise = random_in_cube(random, 0.6);
  const vec3 normal = vec3_add(vec3_scale(1 / vec3_norm(apart), apart), noise);
  for (int k = 0; k < count && group->point_count < IMPACT_CONTACTS; k++) {
    const vec3 near = vec3_scale(0.5, vec3_add(x, y));
    group->points[group->point_count++] =
        (ImpactPoint){.low = low,
                      .high = high,
                      .place = vec3_add(near, random_in_cube(random, 0.5)),
                      .normal = vec3_scale(1 / vec3_norm(normal), normal),
                      .gap = random_chance(random) < 0.8 ? -1e-6 : random_between(random, 0, 0.01),
                      .index = k};
  }
}

// Group of a number: bodies in a chain, some of them driven, and some more pairs.
static inline ImpactGroup random_impact(uint64_t number)
{
  Random random = {number * 0x9e3779b97f4a7c15U + 11};
  ImpactGroup group = {.body_count = 2 + random_below(&random, IMPACT_BODIES - 1)};
  random_surfaces(&random, &group);
  group.loads = random_chance(&random) < 0.25;
  const bool driven = random_chance(&random) < 0.5;
  for (int b = 0; b < group.body_count; b++)
    group.bodies[b] = random_body(&random, driven && b == group.body_count - 1, group.loads);
  const double density = random_chance(&random) < 0.5 ? 0 : random_chance(&random);
  for (int low = 0; low < group.body_count; low++)
    for (int high = low + 1; high < group.body_count; high++)
      if (high == low + 1 || random_chance(&random) < density)
        random_points(&random, &group, low, high);
  return group;
}

// Local. Puts a body into the next row, and its states into those of the row.
static inline void impact_add_body(const ImpactBody *body, uint64_t id, Bodies *bodies,
                                   MidState *mid, Twist *start, Twist *free)
{
  table_reserve(&bodies->table, bodies->table.count + 1);
  const int row = bodies->table.count++;
  bodies->id[row] = id;
  bodies->position[row] = body->place;
  bodies->drive[row] = body->drive;
  bodies->material[row] = body->material;
  bodies->shape[row] = 0;
  bodies->mass[row] = body->mass;
  mid[row] = (MidState){body->rotation, body->mass > 0 ? 1 / body->mass : 0, body->inverse_inertia};
  start[row] = body->start;
  free[row] = body->free;
}

// Local. Puts a contact point behind the others; first_id: of the group.
static inline void impact_add_point(const ImpactGroup *group, const ImpactPoint *point,
                                    uint64_t first_id, Contacts *contacts)
{
  table_reserve(&contacts->table, contacts->table.count + 1);
  const int row = contacts->table.count++;
  const ImpactBody *low = &group->bodies[point->low];
  contacts->bodies[row] =
      (IdPair){first_id + (uint64_t)point->low, first_id + (uint64_t)point->high};
  contacts->parts[row] = (IndexPair){0, 0};
  contacts->features[row] = (IndexPair){(uint32_t)point->index, 0};
  contacts->normal[row] = point->normal;
  contacts->anchor[row] = mat3_mul_transposed(low->rotation, vec3_sub(point->place, low->place));
  contacts->gap[row] = point->gap;
  contacts->reaction[row] = (vec3){0, 0, 0};
  contacts->area[row] = 1;
  contacts->bond[row] = BOND_NONE;
}
