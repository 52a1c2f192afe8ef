// Classes of size: equal shares, numbers and masses of the pieces of the curve.
#include "harness.h"
#include "size_classes.h"

#include <math.h>

// By number of stones or mass over thin slices of the curve, class by class.
static void check_curve(const SizeRow *rows, int row_count, bool by_number, int count)
{
  enum { SLICES = 2000 };
  SizeClass classes[100];
  size_classes_cut(rows, row_count, by_number, count, classes);
  double number[100], mass[100], numbers = 0;
  int row = 0;
  for (int j = 0; j < count; j++) {
    number[j] = mass[j] = 0;
    for (int i = 0; i < SLICES; i++) {
      const double share = (j + (i + 0.5) / SLICES) / count;
      while (rows[row + 1].share < share) row++;
      const SizeRow a = rows[row], b = rows[row + 1];
      const double size = a.size + (share - a.share) / (b.share - a.share) * (b.size - a.size);
      const double cube = size * size * size, slice = 1.0 / SLICES / count;
      number[j] += by_number ? slice : slice / cube;
      mass[j] += by_number ? slice * cube : slice;
    }
    numbers += number[j];
  }
  double sum = 0;
  for (int j = 0; j < count; j++) {
    CHECK_NEAR(classes[j].number, number[j] / numbers, 1e-5 * classes[j].number);
    const double cube = classes[j].size * classes[j].size * classes[j].size;
    CHECK_NEAR(cube, mass[j] / number[j], 1e-5 * cube);
    CHECK(j == 0 || classes[j].size > classes[j - 1].size);
    sum += classes[j].number;
  }
  CHECK_NEAR(sum, 1, 1e-14);
  CHECK(classes[0].size > rows[0].size && classes[count - 1].size < rows[row_count - 1].size);
}

int main(void)
{
  const SizeRow plain[] = {{0.08, 0}, {0.12, 0.4}, {0.2, 1}};
  // two mixed lots: nothing between 0.02 and 0.1
  const SizeRow gap[] = {{0.01, 0}, {0.02, 0.3}, {0.1, 0.3}, {0.11, 0.5}, {0.3, 1}};
  const SizeRow wide[] = {{1e-3, 0}, {1, 1}};
  for (int by_number = 0; by_number < 2; by_number++)
    for (int count = 1; count <= 100; count = 3 * count + 1) {
      check_curve(plain, 3, by_number, count);
      check_curve(gap, 5, by_number, count);
    }
  check_curve(wide, 2, true, 40);

  // the finest class of a wide curve by mass: the mean of size^-3 from a to b in closed form
  SizeClass classes[10];
  size_classes_cut(wide, 2, false, 10, classes);
  const double a = 1e-3, b = 0.1009;
  const double inverse = (1 / (a * a) - 1 / (b * b)) / (2 * (b - a));
  CHECK_NEAR(classes[0].size, pow(inverse, -1.0 / 3), 1e-12);

  // stones of nearly one size
  const SizeRow narrow[] = {{0.5, 0}, {0.5 + 1e-12, 1}};
  size_classes_cut(narrow, 2, false, 10, classes);
  for (int j = 0; j < 10; j++) {
    CHECK_NEAR(classes[j].size, 0.5, 2e-12);
    CHECK_NEAR(classes[j].number, 0.1, 1e-9);
  }
  return test_report();
}
