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
  for (int a = 0; a < MATERIALS; a++) CHECK(!surface_laws_bond(&laws, a));
  surface_laws_set(&laws, 5, 2, &(SurfaceLaw){.cohesion = 1, .bonded = true});
  CHECK(laws.bonded);
  for (int a = 0; a < MATERIALS; a++) CHECK(surface_laws_bond(&laws, a) == (a == 5 || a == 2));
  return test_report();
}
