// Ellipsoids: the axis of largest separation against a dense search, and places that are known.
//
// ELLIPSOID_PAIRS=N makes N pairs to aspect 10 and N/5 to aspect 100, instead of some thousands.
#include "ellipsoid.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness.h"
#include "random_numbers.h"

#define DENSE \
  600   // directions of the dense search, three times: as they are and for each ellipsoid
#define PLACE 1e-13   // of the sum of the largest radii

static vec3 unit_of(vec3 v) { return vec3_scale(1 / vec3_norm(v), v); }

static double separation(const Ellipsoid *a, const Ellipsoid *b, vec3 d, vec3 n)
{
  return vec3_dot(n, d) - ellipsoid_reach(a, n) - ellipsoid_reach(b, n);
}

// The gradient of the separation across n.
static vec3 slope(const Ellipsoid *a, const Ellipsoid *b, vec3 d, vec3 n)
{
  const vec3 qa = ellipsoid_square_mul(a, n), qb = ellipsoid_square_mul(b, n);
  const vec3 g =
      vec3_axpy(-1 / sqrt(vec3_dot(n, qa)), qa, vec3_axpy(-1 / sqrt(vec3_dot(n, qb)), qb, d));
  return vec3_axpy(-vec3_dot(g, n), n, g);
}

// A direction that has the place of a unit direction on the ellipsoid as its extreme one.
static vec3 direction_for(const Ellipsoid *e, vec3 m)
{
  return unit_of(
      mat3_mul(e->rotation, vec3_new(m.x / e->radii.x, m.y / e->radii.y, m.z / e->radii.z)));
}

// The slow reference: the best of many directions, climbed from by the gradient alone.
static double dense_search(const Ellipsoid *a, const Ellipsoid *b, vec3 d)
{
  double best = -INFINITY;
  vec3 n = {0, 0, 1};
  for (int k = 0; k < DENSE; k++) {
    const double z = 1 - (2 * k + 1.0) / DENSE, s = sqrt(1 - z * z), turn = 2.399963229728653 * k;
    const vec3 m = {s * cos(turn), s * sin(turn), z};
    const vec3 tried[3] = {m, direction_for(a, m), direction_for(b, m)};
    for (int i = 0; i < 3; i++) {
      const double found = separation(a, b, d, tried[i]);
      if (found <= best) continue;
      best = found;
      n = tried[i];
    }
  }
  for (double step = 0.1; step > 1e-14;) {
    const vec3 g = slope(a, b, d, n);
    const double size = vec3_norm(g);
    if (size < 1e-14) break;
    const vec3 next = unit_of(vec3_axpy(step / size, g, n));
    const double found = separation(a, b, d, next);
    if (found > best) {
      best = found;
      n = next;
      step *= 1.5;
    } else {
      step *= 0.5;
    }
  }
  return best;
}

static Ellipsoid ellipsoid_random(Random *random, double aspect)
{
  const double size = exp(random_between(random, -0.5, 0.5));
  const double ratio = random_below(random, 2) ? aspect : pow(aspect, random_between(random, 0, 1));
  vec3 radii = {size, size * pow(ratio, -random_between(random, 0, 1)), size / ratio};
  if (random_below(random, 4) == 0) radii.y = radii.x;
  if (random_below(random, 4) == 0) radii.y = radii.z;
  return ellipsoid_place(radii, random_rotation(random));
}

static double mean_radius(const Ellipsoid *e) { return cbrt(e->radii.x * e->radii.y * e->radii.z); }

typedef struct {
  int pairs, wrong, unsettled, deep;
  int64_t steps;
  double worst_place, worst_slope;   // of the size, of settled pairs
} Tally;

// Pairs with gaps of +-10 % of the smaller mean radius along a known direction, which is the axis
// as long as they overlap by less than they curve.
static Tally try_pairs(int count, double aspect, Random *random)
{
  Tally tally = {.pairs = count};
  for (int i = 0; i < count; i++) {
    const Ellipsoid a = ellipsoid_random(random, aspect), b = ellipsoid_random(random, aspect);
    const double gap =
        random_between(random, -0.1, 0.1) * smaller_of(mean_radius(&a), mean_radius(&b));
    vec3 n = random_direction(random);
    if (random_below(random, 2)) n = direction_for(&a, n);
    const vec3 place_a = vec3_scale(-1 / ellipsoid_reach(&a, n), ellipsoid_square_mul(&a, n)),
               place_b = vec3_scale(1 / ellipsoid_reach(&b, n), ellipsoid_square_mul(&b, n));
    const vec3 d = vec3_axpy(gap, n, vec3_sub(place_b, place_a));
    const EllipsoidAxis axis = ellipsoid_axis_find(&a, &b, d, INFINITY);
    const double size = a.radii.x + b.radii.x;
    tally.steps += axis.steps;
    CHECK(!axis.apart && fabs(vec3_norm(axis.normal) - 1) < 1e-15);
    if (!axis.settled) {
      tally.unsettled++;
      continue;
    }
    if (dense_search(&a, &b, d) > axis.separation + 1e-12 * size) tally.wrong++;
    tally.worst_slope =
        larger_of(tally.worst_slope, vec3_norm(slope(&a, &b, d, axis.normal)) / size);
    const double single =
        ellipsoid_least_curvature_radius(&a) + ellipsoid_least_curvature_radius(&b);
    tally.deep += gap < -single;
    if (gap < -0.5 * single) continue;   // the direction may be another one, or the place blurred
    const double off = larger_of(vec3_norm(vec3_sub(axis.arm_a, place_a)),
                                 vec3_norm(vec3_sub(axis.arm_b, place_b)));
    tally.worst_place = larger_of(tally.worst_place, off / size);
    CHECK_NEAR(axis.separation, gap, PLACE * size);
  }
  printf("%d pairs to aspect %g, gaps -10 to +10 %%: %d wrong axes, %d unsettled, %d deeper than "
         "they curve, %.2f steps, places to %.2g, slopes to %.2g of the size\n",
         tally.pairs, aspect, tally.wrong, tally.unsettled, tally.deep,
         (double)tally.steps / tally.pairs, tally.worst_place, tally.worst_slope);
  return tally;
}

static void test_pairs(void)
{
  const char *text = getenv("ELLIPSOID_PAIRS");
  const int asked = text ? atoi(text) : 0, count = asked > 0 ? asked : 4000;
  Random random = {11};
  const Tally moderate = try_pairs(count, 10, &random);
  CHECK(moderate.wrong == 0 && moderate.worst_place <= PLACE && moderate.worst_slope <= PLACE);
  CHECK(moderate.unsettled <= count / 10000);
  CHECK(moderate.deep > count / 100);
  // what fails is said, and what is not said holds
  const Tally extreme = try_pairs(count / 5, ELLIPSOID_MAX_ASPECT, &random);
  CHECK(extreme.wrong == 0 && extreme.unsettled <= count / 500);
}

// With equal radii the closed form of spheres, wherever the axes point.
static void test_spheres(void)
{
  Random random = {3};
  for (int i = 0; i < 2000; i++) {
    const double ra = random_between(&random, 0.1, 1), rb = random_between(&random, 0.1, 1);
    const Ellipsoid a = ellipsoid_place(vec3_new(ra, ra, ra), random_rotation(&random)),
                    b = ellipsoid_place(vec3_new(rb, rb, rb), random_rotation(&random));
    const vec3 n = random_direction(&random);
    const double gap = random_between(&random, -0.5, 0.5) * smaller_of(ra, rb);
    const EllipsoidAxis axis = ellipsoid_axis_find(&a, &b, vec3_scale(ra + rb + gap, n), INFINITY);
    CHECK(axis.settled);
    CHECK_NEAR(axis.separation, gap, 2e-15);
    CHECK_NEAR(vec3_norm(vec3_sub(axis.normal, n)), 0, 4e-15);
    CHECK_NEAR(vec3_norm(vec3_axpy(ra, n, axis.arm_a)), 0, 4e-15);
  }
}

// A sphere and an ellipsoid: the point against the ellipsoid says the same.
static void test_sphere_and_ellipsoid(void)
{
  Random random = {4};
  for (int i = 0; i < 2000; i++) {
    const Ellipsoid e = ellipsoid_random(&random, 10);
    const double r = random_between(&random, 0.1, 1);
    const Ellipsoid ball = ellipsoid_place(vec3_new(r, r, r), random_rotation(&random));
    const vec3 n = random_direction(&random);
    const double height = random_between(&random, 0, 2);
    const vec3 point = vec3_axpy(height / ellipsoid_reach(&e, n), ellipsoid_square_mul(&e, n),
                                 vec3_scale(height, n));
    const EllipsoidPlace near = ellipsoid_nearest(&e, point);
    if (near.distance < r - ellipsoid_least_curvature_radius(&e)) continue;
    const EllipsoidAxis axis = ellipsoid_axis_find(&ball, &e, point, INFINITY);
    CHECK(axis.settled);
    CHECK_NEAR(axis.separation, near.distance - r, 1e-14 * (e.radii.x + r));
    CHECK_NEAR(vec3_norm(vec3_sub(axis.arm_b, near.place)), 0, PLACE * (e.radii.x + r));
  }
}

// No direction at all, one inside the other, far apart, and axes in one line.
static void test_corner_cases(void)
{
  const mat3 upright = mat3_diagonal(1, 1, 1);
  const Ellipsoid a = ellipsoid_place(vec3_new(3, 2, 1), upright);
  const Ellipsoid b = ellipsoid_place(vec3_new(0.3, 0.2, 0.1), upright);
  const EllipsoidAxis inside = ellipsoid_axis_find(&a, &b, vec3_new(0, 0, 0), INFINITY);
  CHECK(inside.settled && fabs(inside.normal.z) == 1);
  CHECK_NEAR(inside.separation, -1.1, 1e-15);
  const EllipsoidAxis apart = ellipsoid_axis_find(&a, &b, vec3_new(4, 0, 0), 0.5);
  CHECK(apart.apart && apart.separation > 0.5);
  const EllipsoidAxis tips = ellipsoid_axis_find(&a, &b, vec3_new(3.31, 0, 0), INFINITY);
  CHECK(!tips.apart && tips.settled && tips.normal.x > 1 - 1e-15);
  CHECK_NEAR(tips.separation, 0.01, 1e-15);
  // beyond the focus of the tip the flank is nearer
  const EllipsoidAxis deep = ellipsoid_axis_find(&a, &b, vec3_new(1, 1e-9, 0.001), INFINITY);
  CHECK(deep.settled && deep.normal.z > 0.9);
}

// Known places from known normals, the point outside and to half the least radius of curvature
// deep.
static void test_nearest(void)
{
  Random random = {7};
  double worst[2] = {0, 0};   // to aspect 100, to aspect 10
  for (int i = 0; i < 20000; i++) {
    const Ellipsoid e = ellipsoid_random(&random, i % 2 ? 10 : 100);
    vec3 n = random_direction(&random);
    if (i % 3 == 0) n = unit_of(vec3_new(n.x, 0, n.z));
    if (i % 5 == 0) n = direction_for(&e, n);
    const vec3 place = vec3_scale(1 / ellipsoid_reach(&e, n), ellipsoid_square_mul(&e, n));
    const double gap = random_between(&random, -0.5, 1) *
                       (i % 4 ? ellipsoid_least_curvature_radius(&e) : e.radii.x);
    if (gap < -0.5 * ellipsoid_least_curvature_radius(&e)) continue;
    const vec3 point = vec3_axpy(gap, n, place);
    const EllipsoidPlace near = ellipsoid_nearest(&e, point);
    CHECK_NEAR(near.distance, gap, 1e-14 * e.radii.x);
    worst[i % 2] = larger_of(worst[i % 2], vec3_norm(vec3_sub(near.place, place)) / e.radii.x);

    // the shadow along any direction across the normal has the same place
    vec3 along = unit_of(vec3_cross(n, random_direction(&random)));
    along = unit_of(vec3_axpy(-vec3_dot(along, n), n, along));
    const EllipsoidPlace shadow = ellipsoid_nearest_shadow(
        &e, along, vec3_axpy(random_between(&random, -2, 2), along, point));
    CHECK_NEAR(shadow.distance, gap, 1e-14 * e.radii.x);
    CHECK_NEAR(vec3_dot(shadow.normal, along), 0, 1e-15);
    worst[i % 2] = larger_of(worst[i % 2], vec3_norm(vec3_sub(shadow.place, place)) / e.radii.x);
  }
  // the place moves by the aspect times the rounding of the point's own, which half way to the
  // focus counts twice
  CHECK(worst[1] <= PLACE && worst[0] <= 10 * PLACE);
  printf("places nearest to points to %.2g of the largest radius to aspect 10, %.2g to 100\n",
         worst[1], worst[0]);

  // in the middle the ends of the shortest axis are nearest
  const Ellipsoid e = ellipsoid_place(vec3_new(3, 2, 1), mat3_diagonal(1, 1, 1));
  const EllipsoidPlace middle = ellipsoid_nearest(&e, vec3_new(0, 0, 0));
  CHECK_NEAR(middle.distance, -1, 1e-15);
  CHECK_NEAR(fabs(middle.place.z), 1, 1e-15);
}

static void test_box(void)
{
  Random random = {9};
  for (int i = 0; i < 200; i++) {
    const Ellipsoid e = ellipsoid_random(&random, 20);
    const vec3 half = ellipsoid_half_box(&e);
    vec3 high = {0, 0, 0};
    for (int k = 0; k < 4000; k++) {
      const vec3 m = random_direction(&random);
      const vec3 x =
          mat3_mul(e.rotation, vec3_new(e.radii.x * m.x, e.radii.y * m.y, e.radii.z * m.z));
      high = vec3_max(high, x);
    }
    for (int k = 0; k < 3; k++)
      CHECK((&high.x)[k] <= (&half.x)[k] * (1 + 1e-12) && (&high.x)[k] > 0.98 * (&half.x)[k]);
  }
}

int main(void)
{
  test_pairs();
  test_spheres();
  test_sphere_and_ellipsoid();
  test_corner_cases();
  test_nearest();
  test_box();
  return test_report();
}
