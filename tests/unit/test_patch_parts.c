// Bodies cut into parts touch as the whole ones do: random boxes in random positions, whole and as
// six tetrahedra each.
#include <string.h>

#include "gjk.h"
#include "harness.h"
#include "patch.h"
#include "posed_scene.h"

static const PatchParameters parameters = {.margin = 1e-3, .feature_width = 2e-3, .max_points = 8};
static const vec3 zero = {0, 0, 0};

typedef struct {
  Solid whole, cut;
} CutStone;

static CutStone cut_stone_new(Random *random)
{
  const int axes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  const vec3 half = {random_between(random, 0.3, 1), random_between(random, 0.3, 1),
                     random_between(random, 0.3, 1)};
  CutStone stone = {.whole = solid_box(vec3_neg(half), half)};
  for (int t = 0; t < 6; t++) {
    vec3 piece[4] = {stone.whole.corners[0][0]};
    for (int k = 0, at = 0; k < 3; k++) {
      at |= 1 << axes[t][k];
      piece[k + 1] = stone.whole.corners[0][at];
    }
    solid_add_part(&stone.cut, piece, 4);
  }
  return stone;
}

// Moves b along a direction until it touches a.
static double touching_distance(const PosedBody *a, const PosedBody *b, vec3 along)
{
  const Polyhedron *p = &a->parts[0], *q = &b->parts[0];
  double near = 0, far = 6;
  for (int i = 0; i < 50; i++) {
    const double middle = 0.5 * (near + far);
    vec3 moved[8];
    for (int v = 0; v < 8; v++) moved[v] = vec3_axpy(middle, along, q->vertices[v]);
    if (gjk_distance(p->vertices, p->vertex_count, moved, 8).distance > 0) far = middle;
    else near = middle;
  }
  return near;
}

static double least_gap(const PatchSet *set)
{
  double least = INFINITY;
  for (int i = 0; i < set->patch_count; i++) {
    for (int k = 0; k < set->patches[i].point_count; k++) {
      least = fmin(least, set->patches[i].points[k].gap);
    }
  }
  return least;
}

static bool same_bits(const PatchSet *p, const PatchSet *q)
{
  if (p->patch_count != q->patch_count || p->failed != q->failed) return false;
  for (int i = 0; i < p->patch_count; i++) {
    const Patch *a = &p->patches[i], *b = &q->patches[i];
    if (a->point_count != b->point_count || memcmp(&a->normal, &b->normal, sizeof(vec3)))
      return false;
    for (int k = 0; k < a->point_count; k++) {
      const PatchPoint *x = &a->points[k], *y = &b->points[k];
      if (memcmp(&x->point, &y->point, sizeof(vec3)) || memcmp(&x->gap, &y->gap, sizeof(double)) ||
          x->feature_a != y->feature_a || x->feature_b != y->feature_b) {
        return false;
      }
    }
  }
  return true;
}

static void test_random(Arena *arena)
{
  Random random = {8};
  int lost = 0, failed = 0, other_gap = 0, other_normal = 0, changed = 0;
  enum { TRIALS = 900 };
  for (int trial = 0; trial < TRIALS; trial++) {
    const ArenaMark mark = arena_mark(arena);
    const CutStone first = cut_stone_new(&random), second = cut_stone_new(&random);
    const vec3 along = random_direction(&random);
    const mat3 turn_a = random_rotation(&random);
    mat3 turn_b = random_rotation(&random);
    if (trial % 3 == 0) {
      // nearly face to face
      turn_b = mat3_mul_mat(
          turn_a, rotation_about(random_direction(&random), 1e-3 * random_between(&random, 0, 1)));
    }
    const vec3 velocity = vec3_neg(along);
    const PosedBody a = body_from_solid(&first.whole, turn_a, zero, zero, arena);
    PosedBody b = body_from_solid(&second.whole, turn_b, zero, velocity, arena);
    const PosedBody cut_a = body_from_solid(&first.cut, turn_a, zero, zero, arena);
    PosedBody cut_b = body_from_solid(&second.cut, turn_b, zero, velocity, arena);
    const double depth = random_between(&random, 0, 5e-3);
    b.center = cut_b.center = vec3_scale(touching_distance(&a, &b, along) - depth, along);

    const PatchSet whole = patch_find(&a, &b, &parameters, 0, arena);
    const PatchSet cut = patch_find(&cut_a, &cut_b, &parameters, 0, arena);
    const PatchSet again = patch_find(&cut_a, &cut_b, &parameters, 0, arena);
    if (whole.patch_count == 0 || cut.patch_count == 0) lost++;
    failed += whole.failed + cut.failed;
    if (!same_bits(&cut, &again)) changed++;
    if (whole.patch_count != 1) continue;
    double best = -1;
    for (int i = 0; i < cut.patch_count; i++) {
      best = fmax(best, vec3_dot(cut.patches[i].normal, whole.patches[0].normal));
    }
    if (best < 0.99) other_normal++;
    else if (fabs(least_gap(&cut) - whole.patches[0].separation) > 2e-3) other_gap++;
    arena_release(arena, mark);
  }
  CHECK(lost == 0);
  CHECK(failed == 0);
  CHECK(changed == 0);
  // corner against corner the parts may choose another of several normals that separate
  CHECK(other_normal <= TRIALS / 200);
  CHECK(other_gap <= TRIALS / 200);
}

// A tip and a ridge on the seams between the parts of a floor, at rest, sliding and leaving: what
// touches the floor in one piece touches the one in pieces.
static void test_seams(Arena *arena)
{
  const vec3 tip[5] = {{0, 0, 0}, {1, 1, 1.5}, {-1, 1, 1.5}, {1, -1, 1.5}, {-1, -1, 1.5}};
  const vec3 ridge[6] = {{-0.5, 0, 0}, {0.5, 0, 0},  {0.5, 1, 1},
                         {-0.5, 1, 1}, {0.5, -1, 1}, {-0.5, -1, 1}};
  const vec3 rim[4] = {{-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}};
  Solid floors[2] = {solid_box(vec3_new(-1, -1, -1), vec3_new(1, 1, 1)), {0}}, bodies[2] = {{0}};
  for (int i = 0; i < 4; i++) {
    solid_add_part(&floors[1], (vec3[]){{0, 0, 1}, rim[i], rim[(i + 1) % 4], {0, 0, -1}}, 4);
  }
  solid_add_part(&bodies[0], tip, 5);
  solid_add_part(&bodies[1], ridge, 6);
  const vec3 places[4] = {{0, 0, 1}, {0.3, 0.3, 1}, {0.3, 0.3001, 1}, {0.3, 0.2, 1}};
  const vec3 velocities[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0.3, -0.7, 0.5}};
  const double depths[4] = {0, 1e-9, 5e-4, 3e-3};
  int lost = 0;
  for (int i = 0; i < 2 * 4 * 4 * 4; i++) {
    const ArenaMark mark = arena_mark(arena);
    const int kind = i / 64;
    vec3 place = places[i / 4 % 4];
    place.z -= depths[i % 4];
    const PosedBody b =
        body_from_solid(&bodies[kind], rotation_about(vec3_new(0, 0, 1), atan2(1, 1)), place,
                        velocities[i / 16 % 4], arena);
    int counts[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
      const PosedBody a = body_from_solid(&floors[k], mat3_diagonal(1, 1, 1), zero, zero, arena);
      const PatchSet set = patch_find(&a, &b, &parameters, 1e-3, arena);
      for (int j = 0; j < set.patch_count; j++) counts[k] += set.patches[j].point_count;
    }
    CHECK(counts[0] == kind + 1);
    lost += counts[1] < counts[0];
    arena_release(arena, mark);
  }
  CHECK(lost == 0);
}

int main(void)
{
  Arena arena = arena_new();
  test_random(&arena);
  test_seams(&arena);
  arena_destroy(&arena);
  return test_report();
}
