// Resting faces whose sides nearly coincide, shaken at every scale from rounding up: the patch
// keeps its corners and its area. Bricks of a wall are such faces.
#include <math.h>

#include "harness.h"
#include "posed_scene.h"

static vec3 shake(Random *random, double size)
{
  return vec3_scale(size * random_between(random, 0, 1), random_direction(random));
}

typedef struct {
  double least_area, most_area;   // over the true one
  int wrong_count;                // not one patch of four points
  double worst_corner;            // largest distance of a true corner from the nearest point, m
} Shaken;

// b on a, the common face being low to high at height z; every pose is shaken
static Shaken shake_pair(const Solid *a, const Solid *b, vec3 low, vec3 high, Random *random,
                         mat3 scene)
{
  Shaken result = {INFINITY, 0, 0, 0};
  const double area = (high.x - low.x) * (high.y - low.y);
  Arena arena = arena_new();
  for (int i = 0; i < 3000; i++) {
    double size = 1e-6;
    for (int k = i % 11; k > 0; k--) size *= 0.1;
    const mat3 turn_a =
        rotation_about(random_direction(random), size * random_between(random, 0, 1));
    const mat3 turn_b =
        rotation_about(random_direction(random), size * random_between(random, 0, 1));
    const PosedBody pa = body_from_solid(a, mat3_mul_mat(scene, turn_a), shake(random, size),
                                         (vec3){0, 0, 0}, &arena);
    const PosedBody pb = body_from_solid(b, mat3_mul_mat(scene, turn_b), shake(random, size),
                                         (vec3){0, 0, 0}, &arena);
    const PatchSet set = patch_find(&pa, &pb, &(PatchParameters){1e-3, 2e-3, 8}, 1e-5, &arena);
    if (set.patch_count != 1 || set.patches[0].point_count != 4) {
      result.wrong_count++;
    } else {
      const Patch *patch = &set.patches[0];
      double sum = 0;
      for (int k = 0; k < 4; k++) sum += patch->points[k].area;
      if (sum / area < result.least_area) result.least_area = sum / area;
      if (sum / area > result.most_area) result.most_area = sum / area;
      for (int c = 0; c < 4; c++) {
        const vec3 corner = {c & 1 ? high.x : low.x, c & 2 ? high.y : low.y, low.z};
        double nearest = INFINITY;
        for (int k = 0; k < 4; k++) {
          const vec3 at = vec3_add(patch->points[k].point, pa.center);
          const double d = vec3_norm(vec3_sub(mat3_mul_transposed(scene, at), corner));
          if (d < nearest) nearest = d;
        }
        if (nearest > result.worst_corner) result.worst_corner = nearest;
      }
    }
    arena_reset(&arena);
  }
  arena_destroy(&arena);
  return result;
}

static void check_pair(const Solid *a, const Solid *b, vec3 low, vec3 high)
{
  Random random = {4};
  for (int turned = 0; turned < 3; turned++) {
    const mat3 scene = turned == 0   ? mat3_diagonal(1, 1, 1)
                       : turned == 1 ? rotation_about(vec3_new(0, 0, 1), 1.5707963267948966)
                                     : random_rotation(&random);
    const Shaken s = shake_pair(a, b, low, high, &random, scene);
    CHECK(s.wrong_count == 0);
    CHECK_NEAR(s.least_area, 1, 1e-4);
    CHECK_NEAR(s.most_area, 1, 1e-4);
    CHECK_NEAR(s.worst_corner, 0, 1e-5);
  }
}

int main(void)
{
  // half a brick's length in common, both sides in line
  const Solid lower = solid_box(vec3_new(0, 0, 0), vec3_new(0.4, 0.2, 0.2));
  const Solid shifted = solid_box(vec3_new(0.2, 0, 0.2), vec3_new(0.6, 0.2, 0.4));
  check_pair(&lower, &shifted, vec3_new(0.2, 0, 0.2), vec3_new(0.4, 0.2, 0.2));

  // the whole face in common: four sides in line
  const Solid above = solid_box(vec3_new(0, 0, 0.2), vec3_new(0.4, 0.2, 0.4));
  check_pair(&lower, &above, vec3_new(0, 0, 0.2), vec3_new(0.4, 0.2, 0.2));

  // on a wide floor: no sides in line
  const Solid floor = solid_box(vec3_new(-5, -5, -1), vec3_new(5, 5, 0));
  check_pair(&floor, &lower, vec3_new(0, 0, 0), vec3_new(0.4, 0.2, 0));
  return test_report();
}
