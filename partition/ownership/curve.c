// Maps places to numbers along Hilbert's curve in one, two or three dimensions.
#include "curve.h"

#include <assert.h>

#include "check.h"

#define KEY_BITS 63
#define AXIS_BITS 31

Curve curve_new(vec3 low, vec3 high, int64_t places)
{
  assert(places >= 0 && "places are counted");
  Curve curve = {.low = low, .dimensions = 1, .axes = {0, 1, 2}};
  const vec3 side = vec3_sub(high, low);
  for (int i = 1; i < 3; i++)
    for (int j = i;
         j > 0 && vec3_component(side, curve.axes[j]) > vec3_component(side, curve.axes[j - 1]);
         j--) {
      const int axis = curve.axes[j];
      curve.axes[j] = curve.axes[j - 1];
      curve.axes[j - 1] = axis;
    }
  const double n = (double)places, first = vec3_component(side, curve.axes[0]),
               second = vec3_component(side, curve.axes[1]),
               third = vec3_component(side, curve.axes[2]);

  // n places fill the plane at distances of sqrt(first second / n), and the box likewise
  if (second * n > 4 * first) curve.dimensions = 2;
  if (curve.dimensions == 2 && third * third * n > 8 * first * second) curve.dimensions = 3;
  curve.bits = KEY_BITS / curve.dimensions < AXIS_BITS ? KEY_BITS / curve.dimensions : AXIS_BITS;
  curve.scale = first > 0 ? (double)(((int64_t)1 << curve.bits) - 1) / first : 0;
  return curve;
}

uint64_t curve_key(const Curve *curve, vec3 place)
{
  assert_debug(curve->dimensions >= 1 && curve->dimensions <= 3 &&
               "a curve fills one to three axes");
  const vec3 x = vec3_scale(curve->scale, vec3_sub(place, curve->low));
  uint32_t cell[3] = {0, 0, 0};
  for (int a = 0; a < curve->dimensions; a++) cell[a] = (uint32_t)vec3_component(x, curve->axes[a]);
  return curve_place_of_cell(cell, curve->dimensions, curve->bits);
}

// of a word of n bits
static unsigned rotate_left(unsigned word, int by, int n)
{
  assert_debug(by >= 0 && n >= 1 && n < 32 && "a word has bits");
  by %= n;
  return (word << by | word >> (n - by)) & ((1u << n) - 1);
}

static unsigned gray_code(unsigned i) { return i ^ i >> 1; }

static unsigned inverse_gray_code(unsigned code) { return code ^ code >> 1 ^ code >> 2; }

static int trailing_ones(unsigned word)
{
  int count = 0;
  for (; word & 1; word >>= 1) count++;
  return count;
}

// The halves of each cell are visited in the order of a Gray code. That of a half is the same,
// turned and mirrored so that it enters where the one before leaves: `entry` is the corner where
// the curve enters a cell, `direction` the axis along which it leaves for the next one.
uint64_t curve_place_of_cell(const uint32_t *cell, int dimensions, int bits)
{
  assert_debug(dimensions >= 1 && dimensions <= 3 && "a curve fills one to three axes");
  assert_debug(bits >= 0 && dimensions * bits <= 63 && "a place fits a number");
  const int n = dimensions;
  unsigned entry = 0;
  int direction = 0;
  uint64_t key = 0;
  for (int level = bits - 1; level >= 0; level--) {
    unsigned corner = 0;
    for (int a = 0; a < n; a++) corner |= (cell[a] >> level & 1) << a;
    const unsigned turned = rotate_left(corner ^ entry, n - (direction + 1) % n, n);
    const unsigned place = inverse_gray_code(turned);
    key = key << n | place;
    if (place > 0) {
      entry ^= rotate_left(gray_code((place - 1) / 2 * 2), direction + 1, n);
      direction += trailing_ones(place & 1 ? place : place - 1);
    }
    direction = (direction + 1) % n;
  }
  return key;
}
