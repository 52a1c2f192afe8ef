// Patches of regular figures, where nothing but rounding would choose among corners and sides: with
// the bodies in the other order they have the same corners, gaps and areas, the normal turned.
#include "harness.h"
#include "memory.h"
#include "patch.h"
#include "posed_scene.h"

#define TOLERANCE 1e-9   // m; bodies are about 1 m

static const vec3 zero = {0, 0, 0};

// A regular prism about the z axis.
static Solid prism(int sides, double radius, double low, double high)
{
  vec3 corners[24];
  for (int i = 0; i < sides; i++) {
    const double angle = 2 * 3.14159265358979323846 * i / sides;
    const double x = radius * cos(angle), y = radius * sin(angle);
    corners[2 * i] = vec3_new(x, y, low);
    corners[2 * i + 1] = vec3_new(x, y, high);
  }
  Solid solid = {0};
  solid_add_part(&solid, corners, 2 * sides);
  return solid;
}

// Is there a point of q at the place of p, with the same gap and area?
static bool has_twin(const PatchPoint *p, const Patch *q, vec3 shift)
{
  for (int k = 0; k < q->point_count; k++) {
    const PatchPoint *twin = &q->points[k];
    if (vec3_norm(vec3_sub(p->point, vec3_add(twin->point, shift))) <= TOLERANCE &&
        fabs(p->gap - twin->gap) <= TOLERANCE && fabs(p->area - twin->area) <= TOLERANCE) {
      return true;
    }
  }
  return false;
}

static bool are_mirrored(const PosedBody *a, const PosedBody *b, const PatchSet *x,
                         const PatchSet *y)
{
  if (x->patch_count != 1 || y->patch_count != 1) return false;
  const Patch *p = &x->patches[0], *q = &y->patches[0];
  const vec3 shift = vec3_sub(b->center, a->center);
  bool same = p->point_count == q->point_count && fabs(p->area - q->area) <= TOLERANCE &&
              vec3_norm(vec3_add(p->normal, q->normal)) <= TOLERANCE;
  for (int i = 0; same && i < p->point_count; i++) same = has_twin(&p->points[i], q, shift);
  return same;
}

// Bodies one on the other, the upper one turned about the vertical, the whole scene turned at will.
static void check_pair(const Solid *lower, const Solid *upper, double about,
                       const PatchParameters *parameters, Random *random, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  const mat3 scene = rotation_about(random_direction(random), random_between(random, 0, 6));
  const mat3 own = rotation_about(vec3_new(0, 0, 1), about);
  const vec3 down = mat3_mul(scene, vec3_new(0, 0, -1));
  const PosedBody a = body_from_solid(lower, scene, zero, zero, arena);
  const PosedBody b = body_from_solid(upper, mat3_mul_mat(scene, own), zero, down, arena);
  const PatchSet x = patch_find(&a, &b, parameters, 0, arena);
  const PatchSet y = patch_find(&b, &a, parameters, 0, arena);
  CHECK(are_mirrored(&a, &b, &x, &y));
  arena_release(arena, mark);
}

// Corners go until few are left: all would lose the same area.
static void test_corners_dropped(Arena *arena)
{
  Random random = {71};
  for (int trial = 0; trial < 3000; trial++) {
    const int sides = 3 + trial % 10;
    const Solid lower = solid_box(vec3_new(-2, -2, -1), vec3_new(2, 2, 0));
    const Solid other = prism(3 + trial / 10 % 10, 0.8, -1, 0);
    const Solid upper = prism(sides, 0.7, trial % 3 == 0 ? -1e-4 : 0, 1);
    const PatchParameters parameters = {1e-3, 2e-3, 3 + trial / 7 % 6};
    check_pair(trial % 2 ? &lower : &other, &upper, trial % 5 == 0 ? 0 : trial, &parameters,
               &random, arena);
  }
}

// Spots and slivers: feet of posts, triangles to hexagons, about as wide as what collapses.
static void test_collapsed(Arena *arena)
{
  Random random = {72};
  for (int trial = 0; trial < 1000; trial++) {
    const Solid lower = solid_box(vec3_new(-2, -2, -1), vec3_new(2, 2, 0));
    const Solid upper = prism(3 + trial % 4, 1e-3, 0, 1);
    // a triangle of 1 mm about the centre is 1.5 mm wide and has sides of 1.73 mm
    const PatchParameters parameters = {1.403e-3 + 1e-5 * (trial % 50), 1e-4, 8};
    check_pair(&lower, &upper, 0.1 * trial, &parameters, &random, arena);
  }
}

int main(void)
{
  Arena arena = arena_new();
  test_corners_dropped(&arena);
  test_collapsed(&arena);
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
