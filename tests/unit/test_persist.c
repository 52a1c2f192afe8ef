// Reactions from step to step: coincident edges shaken at rounding level keep theirs, corner by
// corner, and so do points whose features or tangents change.
#include <math.h>

#include "detect.h"
#include "harness.h"
#include "hash.h"
#include "persist.h"

enum { BODIES = 3 };

static double shake_of(uint64_t *state)
{
  *state = hash_mix(*state, 3);
  return 2e-12 * ((double)(*state >> 11) * 0x1p-53 - 0.5);
}

// three equal cubes on each other: all their edges coincide
static void place(Bodies *b, uint64_t *state)
{
  for (int i = 0; i < BODIES; i++) {
    b->id[i] = (uint64_t)i;
    b->drive[i] = i == 0 ? DRIVE_FIXED : DRIVE_DYNAMIC;
    b->shape[i] = b->material[i] = 0;
    b->mass[i] = 1000;
    b->position[i] = vec3_new(shake_of(state), shake_of(state), i + shake_of(state));
    const quat turn = {1, 0.5 * shake_of(state), 0.5 * shake_of(state), 0.5 * shake_of(state)};
    b->orientation[i] = quat_normalize(turn);
    b->velocity[i] = b->spin[i] = b->angular[i] = vec3_new(0, 0, 0);
  }
  b->table.owned = b->table.count = BODIES;
}

static DetectReport detect(Bodies *b, ShapeSet *shapes, const Contacts *old, Contacts *found,
                           Arena *arena)
{
  const double density = 1000;
  MidState mid[BODIES];
  Box boxes[BODIES];
  const ContactSettings settings = {.patch = {1e-3, 2e-3, 8}};
  const FreeMotion motion = {.step = 1e-3, .acceleration = {0, 0, -9.81}};
  for (int i = 0; i < BODIES; i++) boxes[i] = detect_box(b, i, shapes, &settings, &motion);
  motion_first_half(b, shapes, &density, motion.step, mid);
  const DetectInput input = {
      .bodies = b, .mid = mid, .shapes = shapes, .settings = &settings, .motion = motion};
  return detect_contacts(&input, boxes, old, found, arena);
}

// an impulse that names the corner of the upper cube it stands at
static vec3 impulse_at(const Contacts *c, int row)
{
  const vec3 a = c->anchor[row];
  return (vec3){10 + 4 * (a.x > 0) + 2 * (a.y > 0) + (double)c->bodies[row].low, a.x > 0 ? 1 : -1,
                a.y > 0 ? 0.5 : -0.5};
}

static double wrong(vec3 a, vec3 b) { return vec3_norm(vec3_sub(a, b)); }

// Rows of pairs that are looked for in any order are those of a search of its own.
static void test_rows_next(void)
{
  enum { ROWS = 40, ASKED = 2000 };
  Contacts c = {0};
  contacts_begin(&c);
  table_reserve(&c.table, ROWS);
  uint64_t state = 5;
  IdPair pair = {1, 2};
  for (int i = 0; i < ROWS; i++) {
    state = hash_mix(state, 3);
    if (state % 3 == 0) pair.high++;
    if (state % 7 == 0) pair = (IdPair){pair.low + 2, pair.low + 5};
    c.bodies[i] = pair;
  }
  c.table.owned = c.table.count = ROWS;
  int next = 0, found = 0;
  for (int i = 0; i < ASKED; i++) {
    // runs in order, with pairs that are not there among them, and leaps back and forth
    state = hash_mix(state, 4);
    IdPair wanted = c.bodies[i % ROWS];
    if (state % 5 == 0) wanted = c.bodies[state / 8 % ROWS];
    if (state % 4 == 0) wanted.high++;
    if (state % 11 == 0) wanted.low++;
    const RowRange rows = persist_rows_next(&c, wanted, &next);
    const RowRange searched = persist_rows_of_pair(&c, wanted);
    CHECK(rows.end - rows.first == searched.end - searched.first && next == rows.end);
    CHECK(rows.end == rows.first || rows.first == searched.first);
    found += rows.end > rows.first;
  }
  CHECK(found > ASKED / 4 && found < ASKED);
  c.table.owned = c.table.count = 0;
  next = 0;
  CHECK(persist_rows_next(&c, pair, &next).end == 0);
  contacts_end(&c);
}

int main(void)
{
  vec3 corners[8];
  for (int i = 0; i < 8; i++)
    corners[i] = vec3_new(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
  PartRecipe part = {.count = 8, .points = corners};
  const ShapeRecipe recipe = {.part_count = 1, .parts = &part};
  ShapeSet shapes = shape_set_new(&recipe, 1);
  Bodies bodies = {0};
  Contacts old = {0}, found = {0};
  bodies_begin(&bodies);
  contacts_begin(&old);
  contacts_begin(&found);
  table_reserve(&bodies.table, BODIES);
  Arena arena = arena_new();

  uint64_t state = 77;
  place(&bodies, &state);
  DetectReport report = detect(&bodies, &shapes, &old, &found, &arena);
  CHECK(found.table.owned == 8 && report.matched == 0 && report.inherited == 0);
  for (int step = 0; step < 200; step++) {
    for (int i = 0; i < found.table.owned; i++) found.reaction[i] = impulse_at(&found, i);
    const Contacts swap = old;
    old = found;
    found = swap;
    place(&bodies, &state);
    arena_reset(&arena);
    report = detect(&bodies, &shapes, &old, &found, &arena);
    CHECK(found.table.owned == 8 && report.matched + report.inherited == 8);
    for (int i = 0; i < found.table.owned; i++)
      CHECK(wrong(found.reaction[i], impulse_at(&found, i)) < 1e-10);
  }

  // the same impulse in space when the tangents of the basis jump: normals on both sides of the
  // choice of the first tangent
  const vec3 before = {0.8 - 1e-9, 0.6 + 1e-9, 0}, after = {0.8 + 1e-9, 0.6 - 1e-9, 0};
  old.normal[0] = before;
  found.normal[0] = after;
  old.reaction[0] = vec3_new(5, 2, -3);
  found.bodies[0] = old.bodies[0] = (IdPair){1, 2};
  found.parts[0] = old.parts[0] = found.features[0] = old.features[0] = (IndexPair){0, 0};
  old.table.owned = found.table.owned = 1;
  persist_reactions((OldPoints){&old, {0, 1}}, &found, (RowRange){0, 1}, 0.1, &arena);
  const vec3 was = mat3_mul_transposed(contacts_basis(before), old.reaction[0]);
  const vec3 is = mat3_mul_transposed(contacts_basis(after), found.reaction[0]);
  CHECK(wrong(was, is) < 1e-7);
  CHECK(fabs(contacts_basis(before).row[1].z - contacts_basis(after).row[1].z) > 0.1 ||
        wrong(contacts_basis(before).row[1], contacts_basis(after).row[1]) > 0.1);

  // another feature at nearly the same place: the nearest old point serves it, and only once
  old.anchor[0] = old.anchor[1] = vec3_new(0.1, 0, 0);
  old.anchor[1].x = 0.13;
  old.normal[1] = found.normal[1] = found.normal[0] = before;
  old.bodies[1] = found.bodies[1] = old.bodies[0];
  old.parts[1] = found.parts[1] = old.parts[0];
  old.reaction[1] = vec3_new(7, 0, 0);
  old.features[1] = (IndexPair){1, 0};
  for (int i = 0; i < 2; i++) {
    found.features[i] = (IndexPair){5, (uint32_t)i};
    found.anchor[i] = vec3_new(0.12, 0, 0.001 * i);
    found.reaction[i] = vec3_new(0, 0, 0);
  }
  old.table.owned = found.table.owned = 2;
  const PersistCount near =
      persist_reactions((OldPoints){&old, {0, 2}}, &found, (RowRange){0, 2}, 0.1, &arena);
  CHECK(near.matched == 0 && near.inherited == 2);
  CHECK_NEAR(found.reaction[0].x, 7, 1e-8);   // the normals here are unit to 1e-9
  CHECK_NEAR(found.reaction[1].x, 5, 1e-8);

  // a point that is too far from all old ones starts from nothing
  old.table.owned = found.table.owned = 1;
  found.features[0] = (IndexPair){9, 9};
  found.anchor[0] = vec3_add(old.anchor[0], vec3_new(0.2, 0, 0));
  found.reaction[0] = vec3_new(0, 0, 0);
  const PersistCount none =
      persist_reactions((OldPoints){&old, {0, 1}}, &found, (RowRange){0, 1}, 0.1, &arena);
  CHECK(none.matched == 0 && none.inherited == 0 && found.reaction[0].x == 0);

  test_rows_next();
  arena_destroy(&arena);
  bodies_end(&bodies);
  contacts_end(&old);
  contacts_end(&found);
  shape_set_destroy(&shapes);
  return test_report();
}
