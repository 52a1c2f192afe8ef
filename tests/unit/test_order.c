// Orders of plain values and of pairs of ids, and searches in sorted values.
#include <math.h>
#include <stdlib.h>

#include "harness.h"
#include "hash.h"
#include "id_pair.h"
#include "order.h"
#include "search.h"

enum { COUNT = 200 };

static void test_values(void)
{
  CHECK(order_int(-2147483647 - 1, 2147483647) < 0 && order_int(3, 3) == 0 && order_int(4, 3) > 0);
  CHECK(order_i64(INT64_MIN, INT64_MAX) < 0 && order_i64(INT64_MAX, INT64_MIN) > 0);
  CHECK(order_u64(0, UINT64_MAX) < 0 && order_u64(UINT64_MAX, 0) > 0 && order_u64(7, 7) == 0);
  CHECK(order_f64(-INFINITY, 0x1p-1074) < 0 && order_f64(0.0, -0.0) == 0 && order_f64(2, 1) > 0);
}

static void test_sorts(void)
{
  int ints[COUNT];
  int64_t longs[COUNT];
  double doubles[COUNT];
  for (int i = 0; i < COUNT; i++) {
    const uint64_t bits = hash_mix((uint64_t)i, 5);
    ints[i] = (int)(bits >> 33) - (1 << 30);
    longs[i] = (int64_t)bits;
    doubles[i] = (double)longs[i] * 0x1p-70;
  }
  qsort(ints, COUNT, sizeof *ints, order_ints);
  qsort(longs, COUNT, sizeof *longs, order_i64s);
  qsort(doubles, COUNT, sizeof *doubles, order_f64s);
  int wrong = 0;
  for (int i = 1; i < COUNT; i++)
    wrong += ints[i - 1] > ints[i] || longs[i - 1] > longs[i] || doubles[i - 1] > doubles[i];
  CHECK(wrong == 0);
  CHECK(ints[0] < 0 && ints[COUNT - 1] > 0 && longs[0] < 0 && longs[COUNT - 1] > 0);
}

// The three forms of the order agree, and the lower ids decide first.
static void test_pairs(void)
{
  const uint64_t ids[] = {0, 1, 2, (uint64_t)1 << 32, UINT64_MAX - 1, UINT64_MAX};
  IdPair pairs[15];
  int count = 0, wrong = 0;
  for (int i = 0; i < 6; i++)
    for (int j = i + 1; j < 6; j++) {
      pairs[count] = id_pair_of(ids[j], ids[i]);
      wrong += !id_pair_equal(pairs[count++], id_pair_of(ids[i], ids[j]));
    }
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) {
      const int order = id_pair_compare(pairs[i], pairs[j]);
      wrong += order != order_int(i, j) || id_pair_before(pairs[i], pairs[j]) != (order < 0) ||
               id_pair_equal(pairs[i], pairs[j]) != (order == 0);
    }
  CHECK(wrong == 0);
  CHECK(pairs[0].low == 0 && pairs[0].high == 1);
}

// What a search must give, one value after another.
static int first_not_below(const int *sorted, int first, int end, int wanted)
{
  while (first < end && sorted[first] < wanted) first++;
  return first;
}

// All searches in each range of lists of each length with gaps and repeats.
static void test_searches(void)
{
  int ints[12], wrong = 0, looks = 0;
  uint64_t ids[12];
  IdPair pairs[12];
  for (int i = 0; i < 12; i++) {
    ints[i] = i / 3 * 4 + (i % 3 == 2);
    ids[i] = (uint64_t)ints[i];
    pairs[i] = (IdPair){ids[i] / 4, 10 + ids[i] % 4};
  }
  for (int first = 0; first <= 12; first++)
    for (int end = first; end <= 12; end++)
      for (int wanted = 0; wanted < 18; wanted++) {
        const uint64_t id = (uint64_t)wanted;
        const int right = first_not_below(ints, first, end, wanted);
        const int64_t row =
            search_rows(ints + first, end - first, sizeof *ints, &wanted, order_ints);
        wrong += search_int(ints, first, end, wanted) != right;
        wrong += search_u64(ids, first, end, id) != right;
        wrong += search_pair(pairs, first, end, (IdPair){id / 4, 10 + id % 4}) != right;
        wrong += first + row != right;
        looks++;
      }
  CHECK(looks == 91 * 18 && wrong == 0);
  CHECK(search_u64(NULL, 0, 0, 1) == 0 && search_rows(NULL, 0, 8, ids, order_i64s) == 0);
}

int main(void)
{
  test_values();
  test_sorts();
  test_pairs();
  test_searches();
  return test_report();
}
