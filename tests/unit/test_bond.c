// Bonds: which patches they are made of, how their points go on from step to step, what they
// replace, and when they are gone.
#include <math.h>

#include "bond.h"
#include "harness.h"
#include "model.h"
#include "posed_scene.h"

static const IdPair IDS = {3, 8};
static const double MARGIN = 1e-3;

static BondPair pair_of(const PosedBody *low, const PosedBody *high)
{
  return (BondPair){.ids = IDS, .low = low, .high = high, .margin = MARGIN};
}

static PatchSet patches(const BondPair *pair, Arena *arena)
{
  static const PatchParameters parameters = {1e-3, 2e-3, 8};
  return patch_find(pair->low, pair->high, &parameters, 0.05, arena);
}

static PosedBody cube(vec3 at, mat3 turn, Arena *arena)
{
  const Solid solid = solid_box(vec3_new(-0.5, -0.5, -0.5), vec3_new(0.5, 0.5, 0.5));
  return body_from_solid(&solid, turn, at, vec3_new(0, 0, 0), arena);
}

// a plate of 4 x 4 m on four legs, each a part with a foot of 1 x 1 m
static PosedBody table_with_legs(Arena *arena)
{
  Solid solid = solid_box(vec3_new(-2, -2, 1), vec3_new(2, 2, 1.5));
  for (int leg = 0; leg < 4; leg++) {
    const vec3 low = {leg & 1 ? 1 : -2, leg & 2 ? 1 : -2, 0};
    solid_add_box(&solid, low, vec3_add(low, vec3_new(1, 1, 1)));
  }
  return body_from_solid(&solid, mat3_diagonal(1, 1, 1), vec3_new(0, 0, 0), vec3_new(0, 0, 0),
                         arena);
}

static int of_state(const Contacts *c, uint32_t state)
{
  int count = 0;
  for (int i = 0; i < c->table.owned; i++) count += c->bond[i] == state;
  return count;
}

static void empty(Contacts *c) { c->table.owned = c->table.count = 0; }

static RowRange all_rows(const Contacts *c) { return (RowRange){0, c->table.owned}; }

static void test_cubes(Arena *arena)
{
  Contacts old = {0}, found = {0};
  contacts_begin(&old);
  contacts_begin(&found);
  const mat3 upright = mat3_diagonal(1, 1, 1);
  const PosedBody below = cube(vec3_new(0, 0, 0), upright, arena);
  const PosedBody above = cube(vec3_new(0, 0, 1 + 0.5 * MARGIN), upright, arena);
  const BondPair made = pair_of(&above, &below);
  BondCount count = {0};
  const PatchSet faces = patches(&made, arena);
  bonds_make(&made, &faces, &old, &count);
  CHECK(count.made == 4 && old.table.owned == 4 && of_state(&old, BOND_WHOLE) == 4);
  double area = 0;
  for (int i = 0; i < 4; i++) {
    area += old.area[i];
    // where they were made is where they are at rest, whatever the joint's width
    CHECK_NEAR(old.gap[i], 0, 1e-15);
    CHECK_NEAR(old.normal[i].z, 1, 1e-15);
  }
  CHECK_NEAR(area, 1, 1e-12);

  // both turned and moved as one: nothing has opened, the normal has turned, no patch is left
  const mat3 turn = rotation_about(vec3_new(0.6, 0, 0.8), 1.1);
  const vec3 way = {5, -3, 2};
  const PosedBody low = cube(vec3_add(way, mat3_mul(turn, above.center)), turn, arena);
  const PosedBody high = cube(way, turn, arena);
  const BondPair moved = pair_of(&low, &high);
  CHECK(bonds_carry(&moved, &old, all_rows(&old), &found, &count));
  CHECK(found.table.owned == 4 && count.tension + count.shear == 0);
  for (int i = 0; i < found.table.owned; i++) {
    CHECK(contacts_compare(&found, i, &old, i) == 0);
    CHECK_NEAR(found.gap[i], 0, 1e-14);
    CHECK_NEAR(vec3_dot(found.normal[i], mat3_mul(turn, vec3_new(0, 0, 1))), 1, 1e-14);
  }
  PatchSet set = patches(&moved, arena);
  CHECK(set.patch_count == 1);
  bonds_replace(&moved, &found, 0, &set);
  CHECK(set.patch_count == 0);

  // two whole points do not hold the bodies to each other, none is the end of the bond
  empty(&found);
  old.bond[0] = old.bond[1] = BOND_BROKEN;
  CHECK(!bonds_carry(&made, &old, all_rows(&old), &found, &count) && found.table.owned == 4);
  empty(&found);
  for (int i = 0; i < 4; i++) old.bond[i] = BOND_BROKEN;
  CHECK(!bonds_carry(&made, &old, all_rows(&old), &found, &count) && found.table.owned == 0);
  set = patches(&made, arena);
  bonds_replace(&made, &found, 0, &set);
  CHECK(set.patch_count == 1);

  // points that have moved by more than the margin are torn
  for (int i = 0; i < 4; i++) old.bond[i] = i < 3 ? BOND_WHOLE : BOND_BROKEN;
  const PosedBody near = cube(vec3_new(0.9 * MARGIN, 0, 1 + 0.5 * MARGIN), upright, arena),
                  far = cube(vec3_new(1.1 * MARGIN, 0, 1 + 0.5 * MARGIN), upright, arena);
  const BondPair slipped = pair_of(&near, &below), torn = pair_of(&far, &below);
  CHECK(bonds_carry(&slipped, &old, all_rows(&old), &found, &count) && count.tension == 0);
  empty(&found);
  CHECK(!bonds_carry(&torn, &old, all_rows(&old), &found, &count) && count.tension == 3);
  CHECK(found.table.owned == 0 && count.first.low == IDS.low && count.first.high == IDS.high);
  contacts_end(&old);
  contacts_end(&found);
}

// The upper cube swings open about the edge x = 0.5, z = 0.5, whose points are whole.
static void test_hinge(Arena *arena)
{
  Contacts old = {0}, found = {0};
  contacts_begin(&old);
  contacts_begin(&found);
  const mat3 upright = mat3_diagonal(1, 1, 1);
  const PosedBody below = cube(vec3_new(0, 0, 0), upright, arena);
  const PosedBody above = cube(vec3_new(0, 0, 1), upright, arena);
  const BondPair made = pair_of(&below, &above);
  BondCount count = {0};
  const PatchSet faces = patches(&made, arena);
  bonds_make(&made, &faces, &old, &count);
  for (int i = 0; i < 4; i++) old.bond[i] = old.point[i].x > 0 ? BOND_WHOLE : BOND_BROKEN;
  for (int k = 1; k <= 34; k++) {
    const double angle = 0.08 * k;
    const mat3 turn = rotation_about(vec3_new(0, 1, 0), angle);
    const vec3 hinge = {0.5, 0, 0.5};
    const PosedBody open =
        cube(vec3_add(hinge, mat3_mul(turn, vec3_new(-0.5, 0, 0.5))), turn, arena);
    const BondPair pair = pair_of(&below, &open);
    empty(&found);
    CHECK(!bonds_carry(&pair, &old, all_rows(&old), &found, &count));
    CHECK(of_state(&found, BOND_WHOLE) == 2 && of_state(&found, BOND_BROKEN) == 2);
    // what has swung away is open, however far it has turned
    for (int i = 0; i < found.table.owned; i++)
      if (found.bond[i] == BOND_BROKEN) CHECK(found.gap[i] > 0.9 * sin(0.08));
    PatchSet set = patches(&pair, arena);
    const int before = set.patch_count;
    bonds_replace(&pair, &found, 0, &set);
    CHECK(angle < 0.19 ? set.patch_count == 0 : angle < 0.21 || set.patch_count == before);
  }
  CHECK(count.tension == 0 && count.shear == 0);
  contacts_end(&old);
  contacts_end(&found);
}

static void test_legs(Arena *arena)
{
  Contacts old = {0}, found = {0};
  contacts_begin(&old);
  contacts_begin(&found);
  const PosedBody ground = body_floor(arena), stand = table_with_legs(arena);
  const BondPair pair = pair_of(&ground, &stand);
  BondCount count = {0};
  const PatchSet faces = patches(&pair, arena);
  CHECK(faces.patch_count == 4);
  bonds_make(&pair, &faces, &old, &count);
  table_sort(&old.table, 0, old.table.owned);
  CHECK(count.made == 16 && old.table.owned == 16);

  // one leg comes loose: its patch is back, those of the others stay replaced
  for (int i = 0; i < 16; i++)
    if (old.parts[i].high == 2) old.bond[i] = BOND_BROKEN;
  CHECK(!bonds_carry(&pair, &old, all_rows(&old), &found, &count));
  CHECK(found.table.owned == 12 && of_state(&found, BOND_WHOLE) == 12);
  PatchSet set = patches(&pair, arena);
  bonds_replace(&pair, &found, 0, &set);
  CHECK(set.patch_count == 1 && set.patches[0].points[0].part_b == 2);
  contacts_end(&old);
  contacts_end(&found);
}

// A joint that opens like a wedge holds where it is narrow; edges and corners hold nothing.
static void test_joints(Arena *arena)
{
  Contacts found = {0};
  contacts_begin(&found);
  BondCount count = {0};
  const PosedBody below = cube(vec3_new(0, 0, 0), mat3_diagonal(1, 1, 1), arena);
  const mat3 turn = rotation_about(vec3_new(0, 1, 0), 0.01);
  const vec3 hinge = {0.5, 0, 0.5};
  const PosedBody tilted =
      cube(vec3_add(hinge, mat3_mul(turn, vec3_new(-0.5, 0, 0.5))), turn, arena);
  const BondPair wedge = pair_of(&below, &tilted);
  const PatchSet faces = patches(&wedge, arena);
  bonds_make(&wedge, &faces, &found, &count);
  CHECK(count.made == 2 && of_state(&found, BOND_WHOLE) == 2 && of_state(&found, BOND_BROKEN) == 2);

  empty(&found);
  count = (BondCount){0};
  const mat3 on_edge = rotation_about(vec3_new(0, 1, 0), acos(-1) / 4);
  const PosedBody edge = cube(vec3_new(0, 0, 0.4999 + sqrt(0.5)), on_edge, arena);
  const BondPair line = pair_of(&below, &edge);
  const PatchSet lines = patches(&line, arena);
  CHECK(lines.patch_count == 1);
  bonds_make(&line, &lines, &found, &count);
  CHECK(count.made == 0 && found.table.owned == 0);
  contacts_end(&found);
}

// Joint and shift of a margin each, straight apart: the boxes still meet.
static void test_box(Arena *arena)
{
  const PosedBody body = cube(vec3_new(0, 0, 0), mat3_diagonal(1, 1, 1), arena);
  const Box low = bond_box((Box){{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}}, body.shape, MARGIN);
  const double far = 1 + 2 * MARGIN;
  const Box high = bond_box((Box){{far - 0.5, -0.5, -0.5}, {far + 0.5, 0.5, 0.5}}, body.shape,
                            MARGIN * (1 + 1e-12));
  CHECK(box_overlaps(low, high));
}

int main(void)
{
  Arena arena = arena_new();
  test_cubes(&arena);
  test_hinge(&arena);
  test_legs(&arena);
  test_joints(&arena);
  test_box(&arena);
  arena_destroy(&arena);
  return test_report();
}
