// Errors of inner spheres: of a cube, against figures that depths and numbers order.
#include "sphere_errors.h"

#include "harness.h"
#include "posed_scene.h"

static void test_cube(Arena *arena)
{
  const Solid cube = solid_box((vec3){0, 0, 0}, (vec3){1, 1, 1});
  Shape shape;
  CHECK(solid_build(&cube, arena, &shape).status == SHAPE_OK);
  const SphereErrors few = sphere_errors_measure(&shape, 200, arena);
  const SphereErrors many = sphere_errors_measure(&shape, 2000, arena);
  CHECK(few.spheres == 200 && many.spheres == 2000 && few.share < many.share);
  for (int r = 0; r < 2 * SPHERE_DEPTHS; r++) {
    const SphereErrorRow *row = &many.rows[r];
    CHECK(row->turned == (r % 2 == 1) && row->pairs == (row->turned ? 24 : 12));
    CHECK(row->least <= row->mean && row->mean <= row->most);
    // lenses lie inside the exact solid
    CHECK(row->least >= 0 && row->most < 1);
    CHECK(row->apart <= row->pairs && row->mean_turn <= row->most_turn);
    CHECK(row->mean >= few.rows[r].mean);
    if (r >= 2) CHECK(row->mean < many.rows[r - 2].mean);
  }
  // of faces: a good third of a deep solid, next to nothing of a shallow one
  CHECK(many.rows[0].mean > 0.33 && many.rows[0].most_turn < 0.1 && many.rows[0].apart == 0);
  CHECK(many.rows[4].mean < 0.01);
}

// A bar in parts and a ring are met from their true surface.
static void test_parts(Arena *arena)
{
  Solid ell = solid_box((vec3){0, 0, 0}, (vec3){3, 1, 1});
  solid_add_box(&ell, (vec3){0, 1, 0}, (vec3){1, 3, 1});
  Shape shape;
  CHECK(solid_build(&ell, arena, &shape).status == SHAPE_OK);
  const SphereErrors errors = sphere_errors_measure(&shape, 500, arena);
  CHECK(errors.share > 0.7 && errors.share < 1);
  CHECK(errors.rows[0].pairs >= 10 && errors.rows[0].mean > 0.2 && errors.rows[0].most < 1);
}

int main(void)
{
  Arena arena = arena_new();
  test_cube(&arena);
  test_parts(&arena);
  arena_destroy(&arena);
  return test_report();
}
