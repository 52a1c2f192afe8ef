// Contact points by key: the rule written out agrees with the one that the field list tells, and
// rows are sorted by it whatever order they come in.
#include "contacts.h"

#include "harness.h"
#include "hash.h"
#include "memory.h"

enum { ROWS = 2000 };

static uint32_t small_number(uint64_t row, uint64_t salt)
{
  return (uint32_t)(hash_mix(row, salt) % 3);
}

// Few values of each part of the key, so that many rows are alike in most of it, and some in all.
static void fill(Contacts *c, uint64_t salt)
{
  for (uint64_t i = 0; i < ROWS; i++) {
    const uint64_t low = small_number(i, salt), wide = i % 2 ? (uint64_t)1 << 40 : 0;
    c->bodies[i] = (IdPair){low + wide, low + wide + 1 + small_number(i, salt + 1)};
    c->parts[i] = (IndexPair){small_number(i, salt + 2), small_number(i, salt + 3)};
    c->features[i] = (IndexPair){small_number(i, salt + 4) << 30, small_number(i, salt + 5)};
    c->gap[i] = (double)i;
  }
  c->table.owned = c->table.count = ROWS;
}

static int sign(int number) { return (number > 0) - (number < 0); }

static void test_compare(const Contacts *c)
{
  int equal = 0;
  for (int i = 0; i < ROWS; i++)
    for (int k = 1; k < 50; k++) {
      const int j = (i + 37 * k) % ROWS, order = contacts_compare(c, i, c, j);
      equal += order == 0;
      CHECK(sign(order) == sign(table_compare(&c->table, i, &c->table, j)));
    }
  CHECK(equal > 0);
}

// Sorts a piece in the middle; rows of one key keep their order.
static void test_sort(Contacts *c, int first, int count)
{
  table_sort(&c->table, first, count);
  double sum = 0;
  for (int i = first; i < first + count; i++) {
    sum += c->gap[i];
    if (i == first) continue;
    const int order = contacts_compare(c, i - 1, c, i);
    CHECK(order < 0 || (order == 0 && c->gap[i - 1] < c->gap[i]));
  }
  CHECK(sum == 0.5 * count * (2.0 * first + count - 1));
  for (int i = 0; i < ROWS; i++)
    if (i < first || i >= first + count) CHECK(c->gap[i] == i);
}

int main(void)
{
  Contacts contacts = {0};
  contacts_begin(&contacts);
  table_reserve(&contacts.table, ROWS);
  fill(&contacts, 10);
  test_compare(&contacts);
  const int counts[] = {0, 1, 2, 3, 7, 64, 1001, ROWS - 5};
  for (int k = 0; k < 8; k++) {
    fill(&contacts, 20 + (uint64_t)k);
    test_sort(&contacts, 5, counts[k]);
  }
  contacts_end(&contacts);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
