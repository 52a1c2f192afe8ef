// Laws between materials: every unordered pair has one of its own.
#include "harness.h"
#include "surface_law.h"

#define MATERIALS 7

int main(void)
{
  SurfaceLaw room[MATERIALS * (MATERIALS + 1) / 2] = {0};
  SurfaceLaws laws = {.material_count = MATERIALS, .laws = room};
  CHECK(surface_laws_count(MATERIALS) == (int)(sizeof room / sizeof *room));
  CHECK(surface_laws_count(1) == 1);

  // a law for each pair, given in either order
  for (int a = 0; a < MATERIALS; a++)
    for (int b = a; b < MATERIALS; b++) {
      const SurfaceLaw law = {.friction = 10 * a + b};
      if ((a + b) % 2) surface_laws_set(&laws, a, b, &law);
      else surface_laws_set(&laws, b, a, &law);
    }
  for (int a = 0; a < MATERIALS; a++)
    for (int b = a; b < MATERIALS; b++) {
      CHECK(surface_laws_find(&laws, a, b)->friction == 10 * a + b);
      CHECK(surface_laws_find(&laws, b, a) == surface_laws_find(&laws, a, b));
    }

  // mortar between two of them
  CHECK(!laws.bonded);
  for (int a = 0; a < MATERIALS; a++) CHECK(!surface_laws_bond(&laws, (LawSide){0, a}));
  surface_laws_set(&laws, 5, 2, &(SurfaceLaw){.cohesion = 1, .bonded = true});
  CHECK(laws.bonded);
  for (int a = 0; a < MATERIALS; a++)
    CHECK(surface_laws_bond(&laws, (LawSide){0, a}) == (a == 5 || a == 2));

  // two bodies in 3 x 2 x 2 pieces, after eight that are whole; pieces share faces as they lie
  const CutBodies cut = {.first = 8,
                         .end = 32,
                         .blocks = {3, 2, 2},
                         .joined = {.bonded = true, .cohesion = 7},
                         .apart = {.excluded = true}};
  laws.cut = &cut;
  laws.cut_count = 1;
  int joined = 0, apart = 0;
  for (uint64_t a = 0; a < 40; a++) {
    CHECK(surface_laws_bond(&laws, (LawSide){a, 0}) == (a >= 8 && a < 32));
    for (uint64_t b = 0; b < 40; b++) {
      if (a == b) continue;
      const SurfaceLaw *law = surface_laws_between(&laws, (LawSide){a, 1}, (LawSide){b, 2});
      const bool one = a >= 8 && b >= 8 && a < 32 && b < 32 && (a - 8) / 12 == (b - 8) / 12;
      if (!one) CHECK(law == surface_laws_find(&laws, 1, 2));
      else CHECK(law == &cut.joined || law == &cut.apart);
      joined += law == &cut.joined;
      apart += law == &cut.apart;
    }
  }
  // faces: 2 x 2 x 2 across the first axis, 3 x 1 x 2 and 3 x 2 x 1 across the others
  CHECK(joined == 2 * 2 * (8 + 6 + 6));
  CHECK(apart == 2 * 12 * 11 - joined);
  CHECK(surface_laws_within(&laws, 8, 11) == &cut.joined);   // the next along the second axis
  CHECK(surface_laws_within(&laws, 10, 11) == &cut.apart);   // the end of a row and the next one
  return test_report();
}
