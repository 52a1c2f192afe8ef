// Moments of solids against closed forms, and how they go with axes, size and division.
#include <stdbool.h>

#include "harness.h"
#include "memory.h"
#include "polyhedron.h"
#include "random_solids.h"

static double mat3_distance(mat3 a, mat3 b)
{
  double largest = 0;
  for (int i = 0; i < 3; i++) {
    const vec3 d = vec3_sub(a.row[i], b.row[i]);
    largest = fmax(largest, vec3_norm(d));
  }
  return largest;
}

static void check_box(vec3 low, vec3 high)
{
  Arena arena = arena_new();
  const Polyhedron box = solid_box(low, high, &arena);
  const Moments m = polyhedron_moments(&box);
  const vec3 d = vec3_sub(high, low);
  const double v = d.x * d.y * d.z;
  CHECK_NEAR(m.volume / v, 1, 1e-14);
  CHECK_NEAR(vec3_norm(vec3_sub(m.centroid, vec3_scale(0.5, vec3_add(low, high)))) / box.extent, 0,
             1e-13);
  const mat3 second = mat3_diagonal(v * d.x * d.x / 12, v * d.y * d.y / 12, v * d.z * d.z / 12);
  CHECK_NEAR(mat3_distance(m.second, second) / (v * box.extent * box.extent), 0, 1e-14);
  arena_destroy(&arena);
}

// V = |det| / 6; second moments V/20 times the sum over the corners about the centroid.
static void check_tetrahedra(int rounds)
{
  Random random = {1};
  for (int n = 0; n < rounds; n++) {
    Arena arena = arena_new();
    const Polyhedron t = solid_tetrahedron(&random, &arena);
    const vec3 *p = t.vertices;
    const Moments m = polyhedron_moments(&t);
    const mat3 sides = {{vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]), vec3_sub(p[3], p[0])}};
    const double volume = fabs(mat3_determinant(sides)) / 6;
    const vec3 centroid = vec3_scale(0.25, vec3_add(vec3_add(p[0], p[1]), vec3_add(p[2], p[3])));
    mat3 second = mat3_diagonal(0, 0, 0);
    for (int i = 0; i < 4; i++) {
      const vec3 r = vec3_sub(p[i], centroid);
      const mat3 outer = {{vec3_scale(r.x, r), vec3_scale(r.y, r), vec3_scale(r.z, r)}};
      second = mat3_add(second, mat3_scale(volume / 20, outer));
    }
    CHECK_NEAR(m.volume, volume, 1e-14);
    CHECK_NEAR(vec3_norm(vec3_sub(m.centroid, centroid)), 0, 1e-13);
    CHECK_NEAR(mat3_distance(m.second, second), 0, 1e-14);
    arena_destroy(&arena);
  }
}

// Regular pyramid: height over four; prism: area times height; second moment of a prism along its
// axis.
static void check_pyramids_and_prisms(void)
{
  for (int sides = 3; sides <= 12; sides++) {
    Arena arena = arena_new();
    const double angle = 6.283185307179586 / sides, base = 0.5 * sides * sin(angle), height = 0.7;
    const Polyhedron pyramid = solid_pyramid(sides, height, 0, &arena);
    const Moments m = polyhedron_moments(&pyramid);
    CHECK_NEAR(m.volume, base * height / 3, 1e-14);
    CHECK_NEAR(m.centroid.z, height / 4, 1e-14);
    CHECK_NEAR(hypot(m.centroid.x, m.centroid.y), 0, 1e-14);
    CHECK_NEAR(m.second.row[2].z, m.volume * height * height * 3 / 80, 1e-14);
    const Polyhedron prism = solid_prism(sides, height, &arena);
    const Moments p = polyhedron_moments(&prism);
    CHECK(prism.face_count == sides + 2 && prism.vertex_count == 2 * sides);
    CHECK_NEAR(p.volume, base * height, 1e-14);
    CHECK_NEAR(p.second.row[2].z, p.volume * height * height / 12, 1e-14);
    CHECK_NEAR(p.second.row[0].x, p.volume * (2 + cos(angle)) / 12, 1e-14);
    CHECK_NEAR(p.second.row[1].y, p.second.row[0].x, 1e-14);
    arena_destroy(&arena);
  }
}

// M' = R M R', centroid' = R centroid + t, scaled by the fifth power of size.
static void check_placement(int rounds)
{
  Random random = {9};
  for (int n = 0; n < rounds; n++) {
    Arena arena = arena_new();
    const Polyhedron solid = solid_random(&random, n % SOLID_KINDS, &arena);
    const Moments m = polyhedron_moments(&solid);
    const mat3 turn = random_rotation(&random);
    const vec3 shift = random_in_cube(&random, 10);
    const Polyhedron placed = polyhedron_place(&solid, turn, shift, &arena);
    CHECK(polyhedron_is_valid(&placed, 1e-12));
    CHECK(placed.edges == solid.edges && placed.face_vertices == solid.face_vertices);
    const Moments p = polyhedron_moments(&placed);
    CHECK_NEAR(p.volume, m.volume, 1e-14);
    CHECK_NEAR(vec3_norm(vec3_sub(p.centroid, vec3_add(mat3_mul(turn, m.centroid), shift))), 0,
               1e-10);
    const mat3 turned = mat3_mul_mat(mat3_mul_mat(turn, m.second), mat3_transpose(turn));
    CHECK_NEAR(mat3_distance(p.second, turned), 0, 1e-13);

    // area vectors of a closed surface vanish, and their pyramids fill the volume
    vec3 sum = {0, 0, 0};
    double volume = 0;
    for (int f = 0; f < placed.face_count; f++) {
      vec3 corners[128];
      const int first = placed.face_start[f], count = placed.face_start[f + 1] - first;
      for (int i = 0; i < count; i++) corners[i] = placed.vertices[placed.face_vertices[first + i]];
      const vec3 area = polyhedron_area_vector(corners, count);
      sum = vec3_add(sum, area);
      volume += vec3_dot(area, vec3_sub(corners[0], p.centroid)) / 3;
      CHECK_NEAR(vec3_dot(area, placed.planes[f].normal) / vec3_norm(area), 1, 1e-9);
    }
    CHECK_NEAR(vec3_norm(sum), 0, 1e-13);
    CHECK_NEAR(volume, m.volume, 1e-13);
    arena_destroy(&arena);
  }
}

// Many facets approach the sphere from inside: 4/3 pi, and a fifth of the volume about each axis.
static void check_ball(void)
{
  Random random = {4};
  Arena arena = arena_new();
  const Polyhedron ball = solid_ball(&random, 3000, (vec3){1, 1, 1}, &arena);
  const Moments m = polyhedron_moments(&ball);
  CHECK(m.volume < 4.18879020478639 && m.volume > 4.17);
  CHECK_NEAR(m.second.row[0].x / m.volume, 0.2, 2e-3);
  CHECK_NEAR(vec3_norm(m.centroid), 0, 1e-3);
  arena_destroy(&arena);
}

int main(void)
{
  check_box((vec3){0, 0, 0}, (vec3){1, 1, 1});
  check_box((vec3){-3, 0.1, 2}, (vec3){-2.5, 8, 2.01});
  check_box((vec3){1e-7, 1e-7, 1e-7}, (vec3){3e-7, 2e-7, 8e-7});
  check_tetrahedra(2000);
  check_pyramids_and_prisms();
  check_placement(1400);
  check_ball();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
