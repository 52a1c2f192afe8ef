// Mean lengths of fields over footprints against sums over many small pieces, and the slip that
// friction leaves.
#include "footprint.h"

#include "harness.h"
#include "random_numbers.h"

// A polygon with columns of a linear length over it: a roof above a floor, the corners in the plane
// about the centroid of the columns.
#define MOST 40

typedef struct {
  int count;
  double corner[MOST][2];
  double level, slope[2];   // columns: level + slope . x, m
} Roof;

static double column(const Roof *roof, double x, double y)
{
  return roof->level + roof->slope[0] * x + roof->slope[1] * y;
}

// A sum over a fan of triangles, each cut into n^2, by their middles.
typedef void Visit(void *context, double x, double y, double weight);

static void visit_pieces(const Roof *roof, int n, Visit *visit, void *context)
{
  for (int k = 1; k + 1 < roof->count; k++) {
    const double *a = roof->corner[0], *b = roof->corner[k], *c = roof->corner[k + 1];
    const double u[2] = {(b[0] - a[0]) / n, (b[1] - a[1]) / n};
    const double v[2] = {(c[0] - a[0]) / n, (c[1] - a[1]) / n};
    const double area = 0.5 * (u[0] * v[1] - u[1] * v[0]);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < 2 * (n - i) - 1; j++) {
        const double third = j % 2 ? 2.0 / 3 : 1.0 / 3, at = j / 2 + third;
        const double x = a[0] + (i + third) * u[0] + at * v[0];
        const double y = a[1] + (i + third) * u[1] + at * v[1];
        visit(context, x, y, area * column(roof, x, y));
      }
  }
}

typedef struct {
  double volume, x, y, xx, xy, yy;
} Moments;

static void add_moments(void *context, double x, double y, double weight)
{
  Moments *m = context;
  m->volume += weight;
  m->x += weight * x;
  m->y += weight * y;
  m->xx += weight * x * x;
  m->xy += weight * x * y;
  m->yy += weight * y * y;
}

typedef struct {
  FootprintField field;
  double length, volume;
} Lengths;

static void add_length(void *context, double x, double y, double weight)
{
  Lengths *sum = context;
  const double u = sum->field.s[0] - sum->field.t * y, v = sum->field.s[1] + sum->field.t * x;
  sum->length += weight * sqrt(u * u + v * v);
  sum->volume += weight;
}

static double slow_mean(const Roof *roof, const FootprintField *field)
{
  Lengths sum = {.field = *field};
  visit_pieces(roof, 120, add_length, &sum);
  return sum.length / sum.volume;
}

// The solid below a roof, about the centroid of its columns; its floor slopes, too, which changes
// no column.
static JointFootprint footprint_of(Roof *roof, FootprintEdge edges[2 * MOST])
{
  Moments m = {0};
  visit_pieces(roof, 200, add_moments, &m);
  const double x = m.x / m.volume, y = m.y / m.volume;
  roof->level = column(roof, x, y);
  for (int i = 0; i < roof->count; i++) {
    roof->corner[i][0] -= x;
    roof->corner[i][1] -= y;
  }
  JointFootprint given = {.edges = edges};
  given.square[0] = m.xx / m.volume - x * x;
  given.square[1] = m.xy / m.volume - x * y;
  given.square[2] = m.yy / m.volume - y * y;
  given.radius2 = given.square[0] + given.square[2];
  const double tilt[2] = {0.02, -0.03}, below = 0.4;
  for (int i = 0; i < roof->count; i++) {
    const double *p = roof->corner[i], *q = roof->corner[(i + 1) % roof->count];
    edges[given.edge_count++] =
        (FootprintEdge){{p[0], p[1]},
                        {q[0], q[1]},
                        roof->level - below,
                        {roof->slope[0] + tilt[0], roof->slope[1] + tilt[1]}};
    edges[given.edge_count++] =
        (FootprintEdge){{q[0], q[1]}, {p[0], p[1]}, -below, {tilt[0], tilt[1]}};
  }
  const JointFootprint footprint = footprint_of_edges(given);
  CHECK_NEAR(footprint.volume / m.volume, 1, 1e-4);
  return footprint;
}

static Roof regular(int count, double radius)
{
  Roof roof = {.count = count, .level = 0.01};
  for (int i = 0; i < count; i++) {
    roof.corner[i][0] = radius * cos(2 * 3.14159265358979 * i / count);
    roof.corner[i][1] = radius * sin(2 * 3.14159265358979 * i / count);
  }
  return roof;
}

static Roof random_roof(Random *random)
{
  Roof roof = regular(3 + (int)random_between(random, 0, 6), 1);
  const double a = random_between(random, 0.3, 1), b = random_between(random, -0.4, 0.4);
  for (int i = 0; i < roof.count; i++) {
    const double x = roof.corner[i][0], y = roof.corner[i][1];
    roof.corner[i][0] = a * x + b * y;
    roof.corner[i][1] = b * x + y;
  }
  roof.level = 0.05;
  roof.slope[0] = random_between(random, -0.02, 0.02);
  roof.slope[1] = random_between(random, -0.02, 0.02);
  return roof;
}

// Values by sums, slopes and second derivatives by differences, also far from the turn's place.
static void test_mean(void)
{
  Random random = {11};
  for (int n = 0; n < 40; n++) {
    Roof roof = random_roof(&random);
    FootprintEdge edges[2 * MOST];
    const JointFootprint footprint = footprint_of(&roof, edges);
    const double far = n % 4 == 3 ? 10 : 1;
    const FootprintField field = {
        {far * random_between(&random, -1, 1), far * random_between(&random, -1, 1)},
        (n % 2 ? 1 : -1) * random_between(&random, 0.3, 2)};
    const FootprintMean m = footprint_mean(&footprint, &field);
    CHECK_NEAR(m.mean / slow_mean(&roof, &field), 1, 2e-4);
    const double by = 1e-5 * far;
    for (int i = 0; i < 3; i++) {
      FootprintField low = field, high = field;
      *(i < 2 ? &low.s[i] : &low.t) -= by;
      *(i < 2 ? &high.s[i] : &high.t) += by;
      const FootprintMean p = footprint_mean(&footprint, &low);
      const FootprintMean q = footprint_mean(&footprint, &high);
      CHECK_NEAR((q.mean - p.mean) / (2 * by), m.slope[i], far > 1 ? 1e-7 : 1e-8);
      for (int k = 0; k < 3; k++)
        CHECK_NEAR((q.slope[k] - p.slope[k]) / (2 * by), m.bend[i][k], 2e-6);
    }
    // N grows in proportion
    const double y[3] = {field.s[0], field.s[1], field.t};
    CHECK_NEAR(y[0] * m.slope[0] + y[1] * m.slope[1] + y[2] * m.slope[2], m.mean,
               1e-12 * far * far);
  }
}

// Where fields hardly turn two ways take over from each other; corners and edges are fine places.
static void test_special(void)
{
  Roof roof = regular(4, 1);
  FootprintEdge edges[2 * MOST];
  const JointFootprint footprint = footprint_of(&roof, edges);
  for (int side = -1; side <= 1; side += 2) {
    const double t = side / 300.0, by = 1e-6;
    const FootprintMean near = footprint_mean(&footprint, &(FootprintField){{0.6, 0.8 - by}, t});
    const FootprintMean far = footprint_mean(&footprint, &(FootprintField){{0.6, 0.8 + by}, t});
    CHECK_NEAR(far.mean - near.mean, 1.6 * by, 1e-7);
    CHECK_NEAR(near.slope[0], far.slope[0], 1e-5);
    CHECK_NEAR(near.slope[2], far.slope[2], 1e-6);
  }
  const FootprintMean slide = footprint_mean(&footprint, &(FootprintField){{3, 4}, 0});
  CHECK_NEAR(slide.mean, 5, 1e-15);
  CHECK_NEAR(slide.slope[0], 0.6, 1e-15);
  CHECK(slide.slope[2] == 0);
  for (int i = 0; i < 8; i++) {
    // about a corner, and the middle of an edge
    const double *p = roof.corner[i / 2], *q = roof.corner[(i / 2 + 1) % 4], part = 0.5 * (i % 2);
    const double c[2] = {p[0] + part * (q[0] - p[0]), p[1] + part * (q[1] - p[1])};
    const FootprintField field = {{2 * c[1], -2 * c[0]}, 2};
    const FootprintMean m = footprint_mean(&footprint, &field);
    CHECK_NEAR(m.mean / slow_mean(&roof, &field), 1, 2e-4);
  }
  // a disk that spins has two thirds of its radius as arm, one of many sides nearly
  Roof disk = regular(MOST, 0.25);
  const JointFootprint round = footprint_of(&disk, edges);
  CHECK_NEAR(footprint_mean(&round, &(FootprintField){{0, 0}, 3}).mean / (3 * 0.25 * 2 / 3), 1,
             5e-3);
  const JointFootprint cap = footprint_round(1.0 / 3);   // of a paraboloid over the unit disk
  CHECK_NEAR(footprint_mean(&cap, &(FootprintField){{0, 0}, 1}).mean, 8.0 / 15, 1e-15);
}

static double gain(const JointFootprint *footprint, const FootprintField *wanted, double limit,
                   const FootprintField *slip)
{
  const double s0 = wanted->s[0] - slip->s[0], s1 = wanted->s[1] - slip->s[1];
  const double t = wanted->t - slip->t;
  const bool zero = slip->s[0] == 0 && slip->s[1] == 0 && slip->t == 0;
  return limit * (zero ? 0 : footprint_mean(footprint, slip).mean) +
         0.5 * (s0 * s0 + s1 * s1 + footprint->radius2 * t * t);
}

// The slip is the least of all slips, and what is left is what friction bears: no field takes more
// from it than the limit.
static void test_slip(void)
{
  Random random = {23};
  int holds = 0, slips = 0;
  for (int n = 0; n < 400; n++) {
    Roof roof = random_roof(&random);
    FootprintEdge edges[2 * MOST];
    const JointFootprint footprint = n % 8 ? footprint_of(&roof, edges) : footprint_round(0.3);
    const double size = exp(random_between(&random, -0.5, 3)), limit = 0.1;
    const double r = sqrt(footprint.radius2);
    const vec3 way = vec3_scale(size * limit, random_direction(&random));
    const FootprintField wanted = {{way.x, way.y}, way.z / r};
    const FootprintField slip = footprint_slip(&footprint, &wanted, limit);
    const double least = gain(&footprint, &wanted, limit, &slip);
    const bool held = slip.s[0] == 0 && slip.s[1] == 0 && slip.t == 0;
    *(held ? &holds : &slips) += 1;
    const double left[3] = {wanted.s[0] - slip.s[0], wanted.s[1] - slip.s[1], wanted.t - slip.t};
    for (int k = 0; k < 50; k++) {
      const vec3 off = vec3_scale(random_between(&random, 0, 0.1), random_direction(&random));
      const FootprintField other = {{slip.s[0] + off.x, slip.s[1] + off.y}, slip.t + off.z / r};
      CHECK(gain(&footprint, &wanted, limit, &other) >= least - 1e-15);
      const vec3 d = random_direction(&random);
      const FootprintField any = {{d.x, d.y}, d.z / r};
      const double taken = left[0] * any.s[0] + left[1] * any.s[1] + left[2] * any.t * r * r;
      CHECK(taken <= limit * footprint_mean(&footprint, &any).mean + 1e-9);
    }
    if (held) continue;
    const double taken = left[0] * slip.s[0] + left[1] * slip.s[1] + left[2] * slip.t * r * r;
    CHECK_NEAR(taken / (limit * footprint_mean(&footprint, &slip).mean), 1, 1e-9);
  }
  CHECK(holds > 40 && slips > 200);
  // nothing bears, nothing is asked for, no arm
  const JointFootprint cap = footprint_round(0.3), point = footprint_round(0);
  const FootprintField wanted = {{0.3, 0.4}, 0.1};
  CHECK(footprint_slip(&cap, &wanted, 0).t == 0.1);
  CHECK(footprint_slip(&cap, &(FootprintField){{0, 0}, 0}, 0.1).t == 0);
  CHECK_NEAR(footprint_slip(&point, &wanted, 0.1).s[0], 0.24, 1e-15);
}

int main(void)
{
  test_mean();
  test_special();
  test_slip();
  return test_report();
}
