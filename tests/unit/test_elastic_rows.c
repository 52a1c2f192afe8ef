// Rows that deform: the operators of fields are those of the four nodes of affine bodies, and the
// blocks of H' Sig H those of sums over points.
#include "elastic_rows.h"

#include <math.h>
#include <string.h>

#include "affine.h"
#include "harness.h"
#include "kind.h"
#include "random_numbers.h"

enum { N = ELASTIC_UNKNOWNS, U = ELASTIC_ROW_UNKNOWNS, POINTS = 7 };

static Affine affine;      // of the one body
static mat3 deformation;   // its gradient of displacements

static int four_nodes(const Bodies *bodies, int row)
{
  (void)bodies;
  (void)row;
  return AFFINE_NODES;
}

// the body's frame is that of the world
static mat3 resist(const Bodies *bodies, int row, const MidState *mid, mat3 field)
{
  (void)bodies;
  (void)row;
  (void)mid;
  return affine_resist(&affine, deformation, field);
}

static mat3 random_matrix(Random *random, double size)
{
  return (mat3){
      {random_in_cube(random, size), random_in_cube(random, size), random_in_cube(random, size)}};
}

static void make_body(Random *random)
{
  const vec3 sides = {random_between(random, 0.1, 1), random_between(random, 0.1, 1),
                      random_between(random, 0.1, 1)};
  const double volume = sides.x * sides.y * sides.z, mass = 2400 * volume;
  const double x = sides.x * sides.x, y = sides.y * sides.y, z = sides.z * sides.z;
  const mat3 r = random_rotation(random),
             inertia = mat3_diagonal(mass * (y + z) / 12, mass * (x + z) / 12, mass * (x + y) / 12);
  affine = affine_new(&(AffineInput){
      .mass = mass,
      .volume = volume,
      .inertia = mat3_mul_mat(r, mat3_mul_mat(inertia, mat3_transpose(r))),
      .law = {.young = 1e9, .poisson = random_between(random, -0.5, 0.4), .damping = 1e-5},
      .step = 1e-3,
      .high_frequency_ratio = 0.9});
  deformation = random_matrix(random, 1e-2);
}

static ElasticRow make_row(Arena *arena)
{
  BodyKind kind = kind_rigid;
  kind.nodes = four_nodes;
  kind.resist = resist;
  const BodyKind *const kinds[] = {&kind, NULL};
  int32_t numbers[1] = {0};
  Bodies bodies = {.table = {.owned = 1, .count = 1}, .kind = numbers, .kinds = kinds};
  const MidState mid = {.rotation = mat3_diagonal(1, 1, 1), .inverse_mass = 1 / affine.mass};
  const ElasticRows *rows = elastic_rows_new(&bodies, &mid, arena);
  CHECK(elastic_rows_find(rows, 0) != NULL && elastic_rows_find(NULL, 0) == NULL);
  return rows->row[0];
}

// A place of the deformed body where its reference place is.
static vec3 place_of(vec3 reference)
{
  return vec3_add(reference, mat3_mul(deformation, reference));
}

// velocity at one place by an impulse at another, through the nodes
static vec3 by_nodes(vec3 at, vec3 impulse, vec3 seen)
{
  double weights[AFFINE_NODES];
  vec3 values[AFFINE_NODES], u = {0, 0, 0};
  affine_weights(&affine, at, weights);
  for (int i = 0; i < AFFINE_NODES; i++) values[i] = vec3_scale(weights[i], impulse);
  affine_respond(&affine, values);
  affine_weights(&affine, seen, weights);
  for (int i = 0; i < AFFINE_NODES; i++) u = vec3_axpy(weights[i], values[i], u);
  return u;
}

static void test_responses(Random *random)
{
  Arena arena = arena_new();
  make_body(random);
  const ElasticRow row = make_row(&arena);
  for (int k = 0; k < 20; k++) {
    const vec3 x = random_in_cube(random, 0.5), other = random_in_cube(random, 0.5),
               f = random_in_cube(random, 1);
    const mat3 field = elastic_row_respond(&row, mat3_outer(f, place_of(x)));
    const vec3 seen = vec3_axpy(1 / affine.mass, f, mat3_mul(field, place_of(other)));
    const vec3 known = by_nodes(x, f, other);
    CHECK_NEAR(vec3_norm(vec3_sub(seen, known)) / vec3_norm(known), 0, 1e-9);
    const mat3 w = elastic_row_delassus(&row, 1 / affine.mass, place_of(x));
    const vec3 own = by_nodes(x, f, x);
    CHECK_NEAR(vec3_norm(vec3_sub(mat3_mul(w, f), own)) / vec3_norm(own), 0, 1e-9);
  }

  // one is the inverse of the other, and numbers of fields come back
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double sum = 0;
      for (int k = 0; k < N; k++) sum += row.resist[N * i + k] * row.respond[N * k + j];
      CHECK_NEAR(sum, i == j ? 1 : 0, 1e-9);
    }
  const mat3 field = random_matrix(random, 1);
  double numbers[N], again[N];
  elastic_numbers_of_field(field, numbers);
  elastic_numbers_of_field(elastic_field_of_numbers(numbers), again);
  for (int i = 0; i < N; i++) CHECK_NEAR(again[i], numbers[i], 1e-15);
  arena_destroy(&arena);
}

// H of a place for one axis: velocity of unit unknowns
static void row_of_h(vec3 place, int axis, bool deforms, double h[U])
{
  const vec3 unit = {axis == 0, axis == 1, axis == 2};
  memset(h, 0, U * sizeof *h);
  h[axis] = 1;
  elastic_numbers_of_dyad(mat3_outer(unit, place), h + 3);
  if (!deforms) memset(h + 6, 0, 6 * sizeof *h);
}

// H_a' Sig H_b of points with the places a and b, by the points
static void sum_blocks(const vec3 *a, const vec3 *b, const double *weights, const bool deforms[2],
                       double block[U * U])
{
  memset(block, 0, U * U * sizeof *block);
  for (int k = 0; k < POINTS; k++)
    for (int axis = 0; axis < 3; axis++) {
      double p[U], q[U];
      row_of_h(a[k], axis, deforms[0], p);
      row_of_h(b[k], axis, deforms[1], q);
      for (int i = 0; i < U; i++)
        for (int j = 0; j < U; j++) block[U * i + j] += weights[k] * p[i] * q[j];
    }
}

static void check_block(ElasticBlock added, const double *known)
{
  double block[U * U] = {0}, worst = 0;
  elastic_block_add(&added, block);
  for (int i = 0; i < U * U; i++) worst = fmax(worst, fabs(block[i] - added.sign * known[i]));
  CHECK_NEAR(worst, 0, 1e-12);
}

static void test_blocks(Random *random)
{
  vec3 low[POINTS], high[POINTS];
  double weights[POINTS], known[U * U];
  const vec3 between = random_in_cube(random, 1);
  ElasticMoments moments = {0};
  for (int k = 0; k < POINTS; k++) {
    low[k] = random_in_cube(random, 1);
    high[k] = vec3_add(low[k], between);
    weights[k] = random_between(random, 0.1, 2);
    elastic_moments_add(&moments, weights[k], low[k]);
  }
  for (int of = 0; of < 4; of++) {
    const bool deforms[2] = {of % 2 != 0, of / 2 != 0};
    ElasticBlock across = {.row_deforms = deforms[0], .column_deforms = deforms[1], .sign = -1};
    elastic_sums_of_pair(&moments, between, across.sums);
    sum_blocks(low, high, weights, deforms, known);
    check_block(across, known);

    const bool both[2] = {deforms[0], deforms[0]};
    ElasticBlock self = {.row_deforms = deforms[0], .column_deforms = deforms[0], .sign = 1};
    const ElasticMoments about = elastic_moments_about(moments, between);
    elastic_sums_of_body(&about, self.sums);
    sum_blocks(high, high, weights, both, known);
    check_block(self, known);
  }
}

int main(void)
{
  Random random = {20};
  for (int k = 0; k < 10; k++) {
    test_responses(&random);
    test_blocks(&random);
  }
  return test_report();
}
