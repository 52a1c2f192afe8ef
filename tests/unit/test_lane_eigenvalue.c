// Largest eigenvalues of four symmetric matrices at once, against Jacobi's method and against known
// ones, where two or three of them meet too.
#include "harness.h"
#include "jacobi.h"
#include "lane_eigenvalue.h"
#include "random_numbers.h"

static void lanes_of(const mat3 m[LANES], double factor, double largest[LANES])
{
  double xx[LANES], xy[LANES], xz[LANES], yy[LANES], yz[LANES], zz[LANES];
  for (int i = 0; i < LANES; i++) {
    xx[i] = factor * m[i].row[0].x;
    xy[i] = factor * m[i].row[0].y;
    xz[i] = factor * m[i].row[0].z;
    yy[i] = factor * m[i].row[1].y;
    yz[i] = factor * m[i].row[1].z;
    zz[i] = factor * m[i].row[2].z;
  }
  const SymmetricLane lanes = {lane_load(xx), lane_load(xy), lane_load(xz),
                               lane_load(yy), lane_load(yz), lane_load(zz)};
  lane_store(largest, lane_largest_eigenvalue(&lanes));
}

// R diag(a, b, c) R'
static mat3 matrix_of(mat3 r, double a, double b, double c)
{
  const mat3 m = mat3_mul_mat(r, mat3_mul_mat(mat3_diagonal(a, b, c), mat3_transpose(r)));
  return (mat3){
      {m.row[0], {m.row[0].y, m.row[1].y, m.row[1].z}, {m.row[0].z, m.row[1].z, m.row[2].z}}};
}

// largest errors over matrices with eigenvalues 1, b, c: against the known value, which the matrix
// itself holds only to rounding, and against Jacobi's
typedef struct {
  double known, jacobi, scaled;
} Errors;

static void measure(const mat3 m[LANES], const double known[LANES], Errors *worst)
{
  double found[LANES], scaled[LANES];
  lanes_of(m, 1, found);
  lanes_of(m, 0x1p-34, scaled);
  for (int i = 0; i < LANES; i++) {
    worst->known = fmax(worst->known, fabs(found[i] - known[i]) / known[i]);
    worst->jacobi = fmax(worst->jacobi, fabs(found[i] - jacobi_largest(m[i])) / known[i]);
    worst->scaled = fmax(worst->scaled, fabs(scaled[i] - 0x1p-34 * found[i]));
  }
}

static void test_spectra(void)
{
  // gaps between the two largest, and between the two smallest, from none to wide
  static const double GAPS[] = {0,    1e-16, 1e-15, 1e-14, 1e-12, 1e-10, 1e-9, 1e-8, 1e-7,
                                1e-6, 1e-4,  1e-2,  0.1,   0.3,   0.5,   0.9,  1};
  enum { GAP_COUNT = sizeof GAPS / sizeof *GAPS };
  Random random = {3};
  Errors worst = {0, 0, 0};
  for (int i = 0; i < GAP_COUNT; i++)
    for (int j = 0; j < GAP_COUNT; j++)
      for (int repeat = 0; repeat < 20; repeat++) {
        mat3 m[LANES];
        double known[LANES];
        for (int k = 0; k < LANES; k++) {
          // lanes differ, so that one cannot answer for another
          const double size = random_between(&random, 0.1, 10);
          const double b = 1 - GAPS[i], c = b - GAPS[(j + k) % GAP_COUNT];
          known[k] = size;
          m[k] = matrix_of(random_rotation(&random), size, size * b, size * c);
        }
        measure(m, known, &worst);
      }
  CHECK_NEAR(worst.known, 0, 3e-15);
  CHECK_NEAR(worst.jacobi, 0, 3e-15);
  CHECK(worst.scaled == 0);
}

static void test_simple(void)
{
  const mat3 m[LANES] = {mat3_diagonal(0, 0, 0), mat3_diagonal(7, 7, 7), mat3_diagonal(2, 5, 5),
                         mat3_diagonal(0, 3, 0)};
  double found[LANES];
  lanes_of(m, 1, found);
  CHECK(found[0] == 0);
  CHECK_NEAR(found[1], 7, 2e-15);
  CHECK_NEAR(found[2], 5, 4e-15);
  CHECK_NEAR(found[3], 3, 4e-15);

  // axes in every order, with the double one on top
  const mat3 turned[LANES] = {mat3_diagonal(5, 5, 2), mat3_diagonal(5, 2, 5),
                              mat3_diagonal(5, 5, -20), mat3_diagonal(-1, -1, -3)};
  const double expected[LANES] = {5, 5, 5, -1};
  lanes_of(turned, 1, found);
  for (int i = 0; i < LANES; i++) CHECK_NEAR(found[i], expected[i], 1e-14);
}

int main(void)
{
  test_spectra();
  test_simple();
  return test_report();
}
