#pragma once
// A small state that is a function of ids alone, scattered over the ranks, for tests of files.
#include <string.h>

#include "bodies.h"
#include "case.h"
#include "contacts.h"
#include "id_range.h"
#include "memory.h"
#include "parallel.h"
#include "recipe.h"
#include "scene.h"
#include "state.h"

enum { SAMPLE_BRICKS = 12 };   // after the floor, before the body of two parts

// A fixed floor with id 0, a grid of bricks, and a body of two boxes that share a face.
static inline Case sample_case(Arena *arena)
{
  static Material material = {.name = "stone", .density = 2000};
  BodyGroup *groups = arena_allocate_zero(arena, 3, sizeof *groups);
  for (int g = 0; g < 3; g++) groups[g] = (BodyGroup){.name = "", .turn = quat_identity()};
  groups[0].fixed = true;
  groups[0].at = vec3_new(0, 0, -0.5);
  groups[0].shape = recipe_single(recipe_box(vec3_new(8, 8, 1), arena), arena);
  groups[1].kind = GROUP_GRID;
  groups[1].at = vec3_new(-1, 0, 0.5);
  groups[1].shape = recipe_single(recipe_box(vec3_new(1, 0.5, 0.25), arena), arena);
  groups[1].count[0] = 3;
  groups[1].count[1] = groups[1].count[2] = 2;
  groups[1].spacing = vec3_new(1.25, 1, 0.75);
  PartRecipe *parts = arena_allocate(arena, 2 * sizeof *parts);
  for (int p = 0; p < 2; p++) {
    parts[p] = recipe_box(vec3_new(0.5, 0.5, 0.5), arena);
    recipe_place(&parts[p], vec3_new(0.5 * p, 0, 0), quat_identity());
  }
  groups[2].at = vec3_new(0, -2, 0.75);
  groups[2].shape = (ShapeRecipe){.part_count = 2, .parts = parts};
  Case c = {.path = "sample.yaml",
            .text = "title: \"a sample\"\nbodies: []   # with \xc3\xa4 letters\n",
            .overrides = "time.end=2\n",
            .meshes = "",
            .title = "a sample",
            .step = 0.1,
            .material_count = 1,
            .materials = &material,
            .group_count = 3,
            .groups = groups,
            .arena = arena};
  if (scene_prepare(&c) != NULL) die("the sample case is refused");
  return c;
}

// The same with bricks that appear before step 1, a last body that appears before step 3, and a
// domain, which dynamic bodies leave one after the other: from step 9 on the floor is alone.
static inline Case sample_changing_case(Arena *arena)
{
  Case c = sample_case(arena);
  c.step = 0.1;
  c.groups[1].birth = 0.05;
  c.groups[2].birth = 0.3;
  c.domain.given = true;
  c.domain.low = vec3_new(-9, -9, -9);
  c.domain.high = vec3_new(9, 9, 9);
  return c;
}

// Whether a body has appeared and not left when that many steps are done.
static inline bool sample_is_there(const Case *c, uint64_t id, int64_t step)
{
  const int64_t birth = scene_birth(c, id);
  if (birth >= (step > 0 ? step : 1)) return false;
  if (!c->domain.given || scene_body(c, id).drive == DRIVE_FIXED) return true;
  return step < birth + 2 + (int64_t)(hash_mix(id, 5) % 4);
}

// How many bodies are there.
static inline uint64_t sample_count(const Case *c, int64_t step)
{
  uint64_t count = 0;
  for (uint64_t id = 0; id < c->body_count; id++) count += sample_is_there(c, id, step);
  return count;
}

// A number in [-1, 1) from three.
static inline double sample_number(uint64_t a, uint64_t b, uint64_t c)
{
  return (double)(hash_mix(hash_mix(a, b), c) >> 11) * 0x1p-52 - 1;
}

static inline vec3 sample_vector(uint64_t a, uint64_t b)
{
  return vec3_new(sample_number(a, b, 0), sample_number(a, b, 1), sample_number(a, b, 2));
}

// Who owns a body: fixed ones stay in their block, the others are anywhere.
static inline int sample_owner(const Case *c, uint64_t id, uint64_t salt)
{
  if (scene_body(c, id).drive == DRIVE_FIXED) return id_range_rank(c->body_count, id, par_size());
  return (int)(hash_mix(id, salt) % (unsigned)par_size());
}

// One body at a step: its place drifts and turns, its velocity has a zero with a sign.
static inline void sample_body(const Case *c, Bodies *b, int row, uint64_t id, int64_t step)
{
  const BodyRecipe recipe = scene_body(c, id);
  const uint64_t when = (uint64_t)step;
  b->id[row] = id;
  b->drive[row] = recipe.drive;
  b->material[row] = recipe.material;
  b->shape[row] = recipe.shape;
  b->mass[row] = 100 + (double)id;
  b->position[row] = recipe.origin;
  b->orientation[row] = recipe.turn;
  b->velocity[row] = b->spin[row] = b->angular[row] = vec3_new(0, 0, 0);
  if (recipe.drive == DRIVE_FIXED) return;
  b->position[row] = vec3_axpy(0.05, sample_vector(id, when), recipe.origin);
  const vec3 turn = vec3_scale(0.1, sample_vector(id, when + 1000));
  b->orientation[row] = quat_normalize((quat){1, turn.x, turn.y, turn.z});
  b->velocity[row] = sample_vector(id, when + 2000);
  b->velocity[row].y = -0.0;
  b->spin[row] = sample_vector(id, when + 3000);
  b->angular[row] = sample_vector(id, when + 4000);
}

// Point k of the pair (low, low + 1).
static inline void sample_contact(Contacts *t, int row, uint64_t low, int k, int64_t step)
{
  const uint64_t when = (uint64_t)step + 100 * (uint64_t)k;
  memset(&t->axis[row], 0, sizeof t->axis[row]);
  t->bodies[row] = (IdPair){low, low + 1};
  t->parts[row] = (IndexPair){(uint32_t)k / 2, 0};
  t->features[row] = (IndexPair){feature_new(FEATURE_FACE, k), feature_new(FEATURE_VERTEX, 7 - k)};
  const vec3 direction = sample_vector(low, when + 4000);
  t->normal[row] = vec3_scale(1 / vec3_norm(direction), direction);
  t->reaction[row] = vec3_new(1 + (double)k, sample_number(low, when, 5), -0.0);
  t->anchor[row] = sample_vector(low, when + 5000);
  t->point[row] = sample_vector(low, when + 6000);
  t->gap[row] = 1e-3 * sample_number(low, when, 7);
  t->area[row] = 0.25;
  t->bond[row] = (uint32_t)k % 3;
  t->anchor_high[row] = sample_vector(low, when + 7000);
  t->mortar[row] = sample_vector(low, when + 8000);
  t->offset[row] = k % 3 == 1 ? 0 : 1e-4 * sample_number(low, when, 8);
}

// Points of the pair (low, low + 1) at a step; step 0 has no contacts.
static inline int sample_points(const Case *c, uint64_t low, int64_t step)
{
  if (!sample_is_there(c, low, step) || !sample_is_there(c, low + 1, step)) return 0;
  return step == 0 ? 0 : (int)((low + (uint64_t)step) % 4);
}

// Own rows of this rank at a step. salt: another one scatters the bodies in another way.
static inline void sample_rows(const Case *c, Bodies *bodies, Contacts *contacts, int64_t step,
                               uint64_t salt)
{
  bodies->table.owned = bodies->table.count = 0;
  contacts->table.owned = contacts->table.count = 0;
  for (uint64_t id = 0; id < c->body_count; id++) {
    if (sample_is_there(c, id, step) && sample_owner(c, id, salt) == par_rank()) {
      table_reserve(&bodies->table, bodies->table.count + 1);
      sample_body(c, bodies, bodies->table.count++, id, step);
    }
    if (id + 1 == c->body_count) continue;
    const uint64_t owner = scene_body(c, id).drive == DRIVE_FIXED ? id + 1 : id;
    if (sample_owner(c, owner, salt) != par_rank()) continue;
    for (int k = 0; k < sample_points(c, id, step); k++) {
      table_reserve(&contacts->table, contacts->table.count + 1);
      sample_contact(contacts, contacts->table.count++, id, k, step);
    }
  }
  bodies->table.owned = bodies->table.count;
  contacts->table.owned = contacts->table.count;
}

// What the solver carries: other numbers in every step, none in the first.
static inline StateWords sample_words(int64_t step)
{
  StateWords words = {0};
  for (int i = 0; i < STATE_WORDS; i++)
    words.word[i] = step == 0 ? 0 : hash_mix((uint64_t)step, (uint64_t)i);
  return words;
}

// The state of these rows at a step; it points at the tables.
static inline State sample_state(Bodies *bodies, Contacts *contacts, int64_t step)
{
  State state = {.step = step, .words = sample_words(step)};
  state_add(&state, &bodies->table);
  state_add(&state, &contacts->table);
  return state;
}

// Collective. The hash of the state.
static inline Hash128 sample_hash(Bodies *bodies, Contacts *contacts, int64_t step)
{
  const State state = sample_state(bodies, contacts, step);
  return state_hash(&state);
}
