// Faces of rounded files become flat, and neighbours get the planes of their joints.
#include "flat_places.h"

#include <string.h>

#include "flat_digits.h"
#include "flat_joints.h"
#include "harness.h"
#include "memory.h"
#include "random_numbers.h"

enum { CORNERS = 8, MOST = 12 };

static const int BOX_TRIANGLES[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7},
                                         {0, 1, 5}, {0, 5, 4}, {1, 2, 6}, {1, 6, 5},
                                         {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};

typedef struct {
  vec3 points[MOST][CORNERS];
  FlatBody bodies[MOST];
  int count;
} Scene;

// A voussoir between two angles of an arch about the y axis, turned as a whole.
static void add_voussoir(Scene *s, double from, double to, mat3 turn)
{
  vec3 *p = s->points[s->count];
  for (int i = 0; i < CORNERS; i++) {
    const double angle = i == 0 || i == 3 || i == 4 || i == 7 ? from : to;
    const double radius = i < 4 ? 1 : 1.2, y = i % 4 < 2 ? 0.5 : 0;
    p[i] = mat3_mul(turn, (vec3){radius * cos(angle), y, radius * sin(angle)});
  }
  s->bodies[s->count++] = (FlatBody){CORNERS, p, 12, BOX_TRIANGLES, 0.6, 4e-3, 4e-3};
}

static void make_arch(Scene *s, int count, Random *random)
{
  s->count = 0;
  const mat3 turn = random_rotation(random);
  for (int i = 0; i < count; i++) add_voussoir(s, 0.3 * i, 0.3 * (i + 1), turn);
}

static void round_scene(Scene *s, double steps)
{
  for (int b = 0; b < s->count; b++)
    for (int i = 0; i < CORNERS; i++) {
      vec3 *p = &s->points[b][i];
      *p = (vec3){rint(p->x * steps) / steps, rint(p->y * steps) / steps,
                  rint(p->z * steps) / steps};
    }
}

static double largest_dent(const FlatBody *body, const vec3 *points)
{
  double dent = 0;
  for (int q = 0; q < 6; q++) {
    const int *v = body->triangles[2 * q], *w = body->triangles[2 * q + 1];
    const vec3 n =
        vec3_cross(vec3_sub(points[v[1]], points[v[0]]), vec3_sub(points[v[2]], points[v[0]]));
    for (int k = 0; k < 3; k++)
      dent = fmax(dent, fabs(vec3_dot(n, vec3_sub(points[w[k]], points[v[0]]))) / vec3_norm(n));
  }
  return dent;
}

// Height of corners of the end of one voussoir above the beginning of the next.
static double largest_step(const vec3 *a, const vec3 *b)
{
  const vec3 n = vec3_cross(vec3_sub(b[3], b[0]), vec3_sub(b[4], b[0]));
  const int ends[4] = {1, 2, 5, 6};
  double step = 0;
  for (int k = 0; k < 4; k++)
    step = fmax(step, fabs(vec3_dot(n, vec3_sub(a[ends[k]], b[0]))) / vec3_norm(n));
  return step;
}

static void test_digits(void)
{
  bool used[4] = {true, true, true, false};
  vec3 p[4] = {{1.25, 0, -3}, {0.1, 2.005, 7}, {100.125, 1, 1}, {M_PI, M_PI, M_PI}};
  CHECK_NEAR(flat_digits_step(p, used, 4), 0.005, 1e-18);
  used[3] = true;
  CHECK(flat_digits_step(p, used, 4) == 0);
  p[3] = (vec3){0.001, 0, 0};
  CHECK_NEAR(flat_digits_step(p, used, 4), 0.001, 1e-18);
  // a file of three decimals, scaled by 0.025, with the noise of that
  for (int i = 0; i < 4; i++)
    p[i] = (vec3){0.025 * (i * 7.123 + 1.001), 0.025 * (i * 1.5), 0.025 * (3.117 - i)};
  CHECK_NEAR(flat_digits_step(p, used, 4), 0.000025, 1e-18);
  // single precision
  for (int i = 0; i < 4; i++) p[i] = (vec3){(float)(i / 3.0), (float)(M_PI + i), (float)(i / 7.0)};
  CHECK(flat_digits_step(p, used, 4) == 0x1p-21);
  for (int i = 0; i < 4; i++) p[i] = (vec3){0, 0, 0};
  CHECK(flat_digits_step(p, used, 4) == 0 && flat_digits_step(p, used, 0) == 0);
}

// Rounded arches: faces are flat and joints have one plane; no point goes far.
static void test_arch(Arena *arena)
{
  Random random = {11};
  for (int trial = 0; trial < 20; trial++) {
    Scene s;
    make_arch(&s, 8, &random);
    round_scene(&s, 1e3);
    double dent = 0, step = 0;
    for (int b = 0; b < s.count; b++) dent = fmax(dent, largest_dent(&s.bodies[b], s.points[b]));
    CHECK(dent > 1e-5);
    const FlatPlaces found = flat_places_find(s.bodies, s.count, arena);
    CHECK(found.joints == 7 && found.crowded == 0 && found.bent == 0);
    dent = 0;
    for (int b = 0; b < s.count; b++) {
      const FlatMove *move = &found.moves[b];
      dent = fmax(dent, largest_dent(&s.bodies[b], move->points));
      if (b > 0) step = fmax(step, largest_step(found.moves[b - 1].points, move->points));
      CHECK(move->moved > 0 && move->farthest < 4e-3);
    }
    CHECK_NEAR(dent, 0, 1e-15);
    CHECK_NEAR(step, 0, 1e-15);
  }
}

// Full digits keep their bits, wherever the arch is, and gaps beyond the reach stay.
static void test_exact(Arena *arena)
{
  Random random = {13};
  for (int trial = 0; trial < 20; trial++) {
    Scene s;
    make_arch(&s, 6, &random);
    const double gap = trial % 2 ? 0.02 : 0;
    const vec3 far = vec3_scale(trial < 10 ? 0 : 50, random_direction(&random));
    for (int b = 0; b < s.count; b++)
      for (int i = 0; i < CORNERS; i++)
        s.points[b][i] = vec3_add(s.points[b][i], vec3_scale(1 + b * gap, far));
    const FlatPlaces found = flat_places_find(s.bodies, s.count, arena);
    if (gap == 0 || trial < 10) CHECK(found.joints == 5);
    else CHECK(found.joints == 0);
    for (int b = 0; b < s.count; b++) {
      CHECK(found.moves[b].moved == 0 && found.moves[b].farthest == 0);
      CHECK(memcmp(found.moves[b].points, s.points[b], sizeof s.points[b]) == 0);
    }
  }
}

// An overlap within what bodies allow is shared by both; one beyond it stays.
static void test_overlaps(Arena *arena)
{
  for (int deep = 0; deep < 2; deep++) {
    const mat3 as_it_is = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    Scene s = {.count = 0};
    add_voussoir(&s, 0, 0.3, as_it_is);
    add_voussoir(&s, 0.3, 0.6, as_it_is);
    const double into = deep ? 3e-3 : 1e-3;
    const vec3 n = {-sin(0.3), 0, cos(0.3)};   // from the first to the second
    for (int i = 0; i < CORNERS; i++) s.points[1][i] = vec3_axpy(-into, n, s.points[1][i]);
    for (int b = 0; b < 2; b++) s.bodies[b].reach = 1e-4, s.bodies[b].overlap = 2e-3;
    const FlatPlaces found = flat_places_find(s.bodies, 2, arena);
    CHECK(found.joints == !deep);
    CHECK_NEAR(found.deepest, deep ? 0 : into, 1e-15);
    CHECK((found.moves[0].moved == 4) == !deep && (found.moves[1].moved == 4) == !deep);
    if (deep) continue;
    CHECK_NEAR(largest_step(found.moves[0].points, found.moves[1].points), 0, 1e-15);
    CHECK(found.moves[0].farthest > into / 2 - 1e-12 && found.moves[0].farthest < into);
  }
}

// Planes go through their pins to rounding.
static void test_pins(void)
{
  Random random = {17};
  for (int trial = 0; trial < 200; trial++) {
    const mat3 turn = random_rotation(&random);
    vec3 points[9], pins[3];
    for (int i = 0; i < 9; i++)
      points[i] = mat3_mul(turn, (vec3){i % 3, i / 3, random_between(&random, -1e-4, 1e-4)});
    const FlatPlane near = {mat3_mul(turn, (vec3){0, 0, 1}), points[0]};
    for (int count = 0; count <= 3; count++) {
      for (int k = 0; k < count; k++) pins[k] = points[k == 2 ? 6 : 2 * k];
      FlatPlane plane;
      if (!CHECK(flat_joints_fit(near, (FlatPoints){9, points, count, pins}, &plane))) continue;
      CHECK_NEAR(vec3_norm(plane.normal), 1, 1e-15);
      for (int k = 0; k < count; k++) CHECK_NEAR(flat_faces_height(plane, pins[k]), 0, 2e-15);
      // the least squares: no tilt that keeps the pins does better
      double sum = 0, other = 0;
      vec3 axis = random_direction(&random);
      if (count == 3) continue;
      if (count == 2) axis = vec3_scale(0.5, vec3_sub(pins[1], pins[0]));
      const FlatPlane tilted = {vec3_axpy(1e-6, vec3_cross(axis, plane.normal), plane.normal),
                                plane.middle};
      for (int i = 0; i < 9; i++) {
        sum += pow(flat_faces_height(plane, points[i]), 2);
        other += pow(flat_faces_height(tilted, points[i]), 2);
      }
      CHECK(sum <= other * (1 + 1e-9));
    }
    const FlatPlane upright = {mat3_mul(turn, (vec3){1, 0, 0}), points[0]};
    FlatPlane plane;
    pins[0] = points[0], pins[1] = points[2], pins[2] = points[6];
    CHECK(!flat_joints_fit(upright, (FlatPoints){9, points, 3, pins}, &plane));
    pins[1] = pins[0];
    CHECK(!flat_joints_fit(near, (FlatPoints){9, points, 2, pins}, &plane));
  }
}

int main(void)
{
  Arena arena = arena_new();
  test_digits();
  test_arch(&arena);
  test_exact(&arena);
  test_overlaps(&arena);
  test_pins();
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
