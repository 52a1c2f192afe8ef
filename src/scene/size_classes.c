// Cuts a sieve curve into classes of equal share.
#include "size_classes.h"

#include <assert.h>

// Newton from above: every iterate but the last is smaller than the one before.
static double cube_root(double x, double above)
{
  assert(x > 0 && above > 0 && "a size is above zero");
  double root = above;
  for (;;) {
    const double next = (2 * root + x / (root * root)) / 3;
    if (!(next < root)) return root;
    root = next;
  }
}

static double size_at(SizeRow a, SizeRow b, double share)
{
  assert(a.share <= b.share && "shares grow");
  if (share <= a.share) return a.size;
  if (share >= b.share) return b.size;
  return a.size + (share - a.share) / (b.share - a.share) * (b.size - a.size);
}

// The mean of size^3, or of size^-3, where all sizes from a to b are equally frequent.
static double mean_cube(double a, double b, bool inverse)
{
  return inverse ? (a + b) / (2 * a * a * b * b) : (a + b) * (a * a + b * b) / 4;
}

// The integral over the share of size^3 (or size^-3) from a share to another one; the largest size
// met.
static double integrate(const SizeRow *rows, int row_count, double from, double to, bool inverse,
                        double *largest)
{
  assert(from <= to && "a class has a share");
  double sum = 0;
  for (int i = 0; i + 1 < row_count; i++) {
    const double low = from > rows[i].share ? from : rows[i].share;
    const double high = to < rows[i + 1].share ? to : rows[i + 1].share;
    if (!(high > low)) continue;
    const double a = size_at(rows[i], rows[i + 1], low), b = size_at(rows[i], rows[i + 1], high);
    sum += (high - low) * mean_cube(a, b, inverse);
    *largest = b;
  }
  return sum;
}

void size_classes_cut(const SizeRow *rows, int row_count, bool by_number, int count,
                      SizeClass *classes)
{
  assert(count > 0 && "a curve is cut into classes");
  assert(row_count > 1 && rows[0].share == 0 && rows[row_count - 1].share == 1 &&
         "a size curve runs from 0 to 1");
  double numbers = 0;
  for (int j = 0; j < count; j++) {
    const double from = (double)j / count, to = (double)(j + 1) / count;
    double largest = rows[0].size;
    const double sum = integrate(rows, row_count, from, to, !by_number, &largest);
    // by number: the mean stone of the class; by mass: as many stones as its mass is made of
    const double cube = by_number ? sum / (to - from) : (to - from) / sum;
    classes[j].size = cube_root(cube, largest);
    classes[j].number = by_number ? to - from : sum;
    numbers += classes[j].number;
  }
  for (int j = 0; j < count; j++) classes[j].number /= numbers;
}
