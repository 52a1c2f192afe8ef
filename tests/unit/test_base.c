// Base pieces: own sine and cosine, exact sums, hashes, arenas, tables.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "exact_sum.h"
#include "harness.h"
#include "hash.h"
#include "memory.h"
#include "table.h"
#include "trig.h"
#include "vec3.h"

static double random_unit(uint64_t *state)
{
  *state = hash_mix(*state, 7);
  return (double)(*state >> 11) * 0x1p-53;
}

// Against libm in long double: random bits of all sizes, and a logarithm's own difficult places,
// beside 1 and beside the ends of its interval.
static void test_logarithm(void)
{
  uint64_t z = 1;
  double worst = 0;
  for (int i = 0; i < 400000; i++) {
    z = z * 6364136223846793005ULL + 1442695040888963407ULL;
    double x = (double)(z >> 11) * 0x1p-53;
    if (i % 4 == 0) {
      uint64_t bits = z >> 1;
      if (bits >> 52 == 0x7ff) continue;
      memcpy(&x, &bits, sizeof x);
      if (x == 0) continue;
    } else if (i % 4 == 1) {
      x = 1 + (x - 0.5) * pow(2, -(double)(z % 50));
    } else if (i % 4 == 2) {
      x = sqrt(i % 8 < 4 ? 2 : 0.5) * (1 + (x - 0.5) * 1e-6);
    }
    const long double exact = logl((long double)x);
    const double nearest = fabs((double)exact);
    const double unit = nearest > 0 ? nextafter(nearest, INFINITY) - nearest : 0x1p-1074;
    const double error = (double)fabsl((long double)trig_log(x) - exact) / unit;
    if (error > worst) worst = error;
  }
  CHECK(worst < 1);
  CHECK(trig_log(1) == 0 && trig_log(0) == -INFINITY && trig_log(INFINITY) == INFINITY);
  CHECK(isnan(trig_log(-1)) && isnan(trig_log(NAN)) && isnan(trig_log(-INFINITY)));
}

static void test_trig(void)
{
  uint64_t state = 1;
  double worst = 0;
  for (int i = 0; i < 200000; i++) {
    const double x = (random_unit(&state) - 0.5) * (i % 2 ? 2 : 2e4);
    const double s = fabs(trig_sin(x) - sin(x)), c = fabs(trig_cos(x) - cos(x));
    if (s > worst) worst = s;
    if (c > worst) worst = c;
  }
  CHECK_NEAR(worst, 0, 1e-15);
  CHECK(trig_sin(0) == 0 && trig_cos(0) == 1);
  CHECK(trig_sin(-0.3) == -trig_sin(0.3) && trig_cos(-0.3) == trig_cos(0.3));
}

// Against the C library in long doubles, over the whole range, near its ends and near zero.
static void test_exp(void)
{
  uint64_t state = 2;
  double worst = 0;
  for (int i = 0; i < 300000; i++) {
    const double width = i % 3 == 0 ? 1416 : i % 3 == 1 ? 2 : 1e-3;
    const double x = (random_unit(&state) - 0.5) * width;
    const long double e = expl((long double)x);
    const double error = (double)fabsl(((long double)trig_exp(x) - e) / e);
    if (error > worst) worst = error;
  }
  CHECK_NEAR(worst, 0, 4e-16);
  CHECK(trig_exp(0) == 1 && trig_exp(-708.5) == 0 && trig_exp(709.5) == INFINITY);
  CHECK(trig_exp(-708) > 0 && trig_exp(709) < INFINITY && isnan(trig_exp(NAN)));
  CHECK(trig_exp(-INFINITY) == 0 && trig_exp(INFINITY) == INFINITY);
}

// Many terms of full length in the same limbs, wherever their bits begin.
static void test_long_sum(void)
{
  for (int shift = -1074; shift < 900; shift += shift < -1000 || shift > 0 ? 1 : 97) {
    const double term = ldexp(0x1p53 - 1, shift), subnormal = ldexp(0x1p52 - 1, -1074);
    ExactSum up = exact_sum_new(), down = exact_sum_new();
    for (int i = 0; i < 4096; i++) {
      exact_sum_add(&up, term);
      exact_sum_add(&down, -term);
    }
    CHECK(exact_sum_value(&up) == ldexp(0x1p53 - 1, shift + 12));
    CHECK(exact_sum_value(&down) == -ldexp(0x1p53 - 1, shift + 12));
    // what is left when they cancel
    exact_sum_add(&up, subnormal);
    for (int i = 0; i < 4096; i++) exact_sum_add(&up, -term);
    CHECK(exact_sum_value(&up) == subnormal);
  }
}

static void test_exact_sum(void)
{
  // cancellation that a plain sum loses
  ExactSum sum = exact_sum_new();
  const double terms[] = {1e300, 1.0, -1e300, 1e-300, 0x1p-1074, -1.0};
  for (int i = 0; i < 6; i++) exact_sum_add(&sum, terms[i]);
  CHECK(exact_sum_value(&sum) == 1e-300);

  // any order, any grouping: the same bits; and the right value against long double on moderate
  // terms
  enum { N = 10000 };
  double *x = memory_allocate(N * sizeof *x);
  uint64_t state = 3;
  long double reference = 0;
  for (int i = 0; i < N; i++) {
    x[i] = (random_unit(&state) - 0.5) * (double)(1 << (i % 20));
    reference += x[i];
  }
  ExactSum forward = exact_sum_new(), backward = exact_sum_new();
  for (int i = 0; i < N; i++) exact_sum_add(&forward, x[i]);
  for (int i = N - 1; i >= 0; i--) exact_sum_add(&backward, x[i]);
  CHECK(exact_sum_value(&forward) == exact_sum_value(&backward));
  CHECK_NEAR(exact_sum_value(&forward), (double)reference, 1e-12);
  memory_free(x);

  sum = exact_sum_new();
  exact_sum_add(&sum, -3.5);
  exact_sum_add(&sum, 1.25);
  CHECK(exact_sum_value(&sum) == -2.25);
  exact_sum_add(&sum, NAN);
  CHECK(isnan(exact_sum_value(&sum)));
}

static double rounded_sum(const double *terms, int count, double scale)
{
  ExactSum sum = exact_sum_new();
  for (int i = 0; i < count; i++) exact_sum_add(&sum, scale * terms[i]);
  return exact_sum_value(&sum);
}

// rounded once, to nearest and ties to even, wherever the bits lie in the accumulator
static void test_exact_sum_rounding(void)
{
  const double tie[] = {1, 0x1p-53}, odd_tie[] = {1, 0x1p-52, 0x1p-53};
  const double above[] = {1, 0x1p-53, 0x1p-200}, below[] = {1, 0x1p-53, -0x1p-200};
  const double many[] = {1, 1.5 * 0x1p-52, 0x1p-54, 0x1p-75, 0x1p-96, -0x1p-118};
  enum { RANDOM = 12 };
  uint64_t state = 11;
  int wrong = 0;
  for (int shift = -100; shift <= 100; shift++) {
    const double scale = ldexp(1, shift);
    wrong += rounded_sum(tie, 2, scale) != scale;
    wrong += rounded_sum(odd_tie, 3, scale) != scale * (1 + 0x1p-51);
    wrong += rounded_sum(above, 3, scale) != scale * (1 + 0x1p-52);
    wrong += rounded_sum(below, 3, scale) != scale;
    wrong += rounded_sum(many, 6, scale) != scale * (1 + 0x1p-51);
    wrong += rounded_sum(above, 3, -scale) != -scale * (1 + 0x1p-52);
    double terms[RANDOM];
    for (int i = 0; i < RANDOM; i++)
      terms[i] = ldexp(random_unit(&state) - 0.5, (int)(8 * random_unit(&state)) * 7);
    wrong += rounded_sum(terms, RANDOM, scale) != scale * rounded_sum(terms, RANDOM, 1);
  }
  CHECK(wrong == 0);
}

static void test_hash(void)
{
  const char a[] = "stone", b[] = "stond";
  const Hash128 p = hash_bytes(a, sizeof a, 1), q = hash_bytes(b, sizeof b, 1),
                r = hash_bytes(a, sizeof a, 2);
  CHECK(p.low != q.low && p.high != q.high && p.low != r.low);
  const Hash128 pq = hash_add(p, q), qp = hash_add(q, p);
  CHECK(pq.low == qp.low && pq.high == qp.high);
  const Hash128 carry = hash_add((Hash128){UINT64_MAX, 0}, (Hash128){1, 0});
  CHECK(carry.low == 0 && carry.high == 1);
  char text[33];
  Hash128 back;
  hash_to_text(p, text);
  CHECK(hash_from_text(text, &back) && back.low == p.low && back.high == p.high);
  CHECK(!hash_from_text("not thirty-two hexadecimal digits", &back));
}

// rows side by side against one after the other: any number of them, any size
static void test_hash_sum_rows(void)
{
  unsigned char rows[35 * 45];
  for (size_t i = 0; i < sizeof rows; i++) rows[i] = (unsigned char)hash_mix(i, 3);
  for (size_t bytes = 1; bytes <= 45; bytes++)
    for (int count = 0; count <= 35; count++) {
      Hash128 expected = {0, 0};
      for (int i = 0; i < count; i++)
        expected = hash_add(expected, hash_bytes(rows + (size_t)i * bytes, bytes, 11 + bytes));
      const Hash128 sum = hash_sum_rows(rows, bytes, count, 11 + bytes);
      CHECK(sum.low == expected.low && sum.high == expected.high);
    }
}

// Work that is released again and again over the end of a chunk takes memory once, and after a
// reset one chunk holds it.
static void test_arena_release(void)
{
  enum { HALF = 40000, ROUNDS = 5 };
  Arena arena = arena_new();
  for (int step = 0; step < 3; step++) {
    unsigned char *kept = arena_allocate(&arena, HALF);
    memset(kept, 7, HALF);
    const ArenaChunk *second = NULL;
    for (int round = 0; round < ROUNDS; round++) {
      const ArenaMark mark = arena_mark(&arena);
      unsigned char *over = arena_allocate(&arena, HALF);
      memset(over, round, HALF);
      if (round == 0) second = arena.head;
      CHECK(arena.head == second);
      CHECK((arena.head == mark.head) == (step > 0));
      CHECK(kept[0] == 7 && kept[HALF - 1] == 7);
      arena_release(&arena, mark);
      CHECK(arena.spare == (step > 0 ? NULL : second));
    }
    CHECK(arena.total >= HALF && arena.total < 2 * HALF);
    arena_reset(&arena);
    CHECK(arena.spare == NULL && arena.head != NULL);
  }
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
}

static void test_arena(void)
{
  const int64_t live = memory_live_bytes();
  Arena arena = arena_new();
  for (int round = 0; round < 3; round++) {
    for (size_t n = 1; n < 300000; n = n * 3 + 1) {
      unsigned char *bytes = arena_allocate(&arena, n);
      CHECK((uintptr_t)bytes % 64 == 0);
      memset(bytes, 0xab, n);
    }
    const ArenaMark mark = arena_mark(&arena);
    memset(arena_allocate(&arena, 1 << 20), 1, 1 << 20);
    arena_release(&arena, mark);
    arena_reset(&arena);
  }
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == live);
}

#define ROW_FIELDS(F)                                            \
  F(uint64_t, id, FIELD_U64, 1, FIELD_STATE, "1", "id")          \
  F(vec3, x, FIELD_F64, 3, FIELD_STATE | FIELD_OUTPUT, "m", "x") \
  F(int32_t, owner, FIELD_I32, 1, FIELD_SCENE, "1", "owner")

typedef struct {
  Table table;
  ROW_FIELDS(TABLE_COLUMN)
} Rows;

static const Field ROW_LIST[] = {
#define ROW_FIELD(...) TABLE_FIELD_OF(Rows, __VA_ARGS__)
    ROW_FIELDS(ROW_FIELD)
#undef ROW_FIELD
};
static const TableSchema SCHEMA = TABLE_SCHEMA(Rows, ROW_LIST, "rows", GHOSTS_NONE, NULL);

static const TableSchema NAMESAKE = TABLE_SCHEMA(Rows, ROW_LIST, "rounds", GHOSTS_NONE, NULL);

// The same rows in tables whose names begin alike: their hashes know the whole name.
static void check_names(void)
{
  Hash128 hash[2];
  const TableSchema *schemas[2] = {&SCHEMA, &NAMESAKE};
  for (int t = 0; t < 2; t++) {
    Rows rows = {0};
    table_begin(&rows.table, schemas[t]);
    table_reserve(&rows.table, 1);
    rows.id[0] = 7;
    rows.x[0] = vec3_new(1, 2, 3);
    rows.table.owned = rows.table.count = 1;
    hash[t] = table_hash(&rows.table);
    table_end(&rows.table);
  }
  CHECK(hash[0].low != hash[1].low && hash[0].high != hash[1].high);
}

// A field that is left out is zero wherever rows go, and costs nothing.
static void check_left_out(Rows *rows)
{
  Arena arena = arena_new();
  Rows without = {0}, view = {0}, full = {0};
  table_begin(&without.table, &SCHEMA);
  table_leave_out(&without.table, FIELD_OUTPUT);
  table_reserve(&without.table, 100);
  CHECK(without.x == NULL && without.id != NULL);
  CHECK(table_packed_bytes(&without.table, FIELD_STATE) == 8);
  without.table.owned = without.table.count = 100;
  for (int i = 0; i < 100; i++) table_copy_row(&without.table, i, &rows->table, i);
  int order[100];
  for (int i = 0; i < 100; i++) order[i] = 99 - i;
  table_permute(&without.table, 0, 100, order);
  CHECK(without.id[3] == rows->id[96]);

  // back in a table that has it, all zero: the same state
  table_begin(&full.table, &SCHEMA);
  table_reserve(&full.table, 100);
  for (int i = 0; i < 100; i++) full.x[i] = vec3_new(1, 2, 3);
  full.table.owned = full.table.count = 100;
  for (int i = 0; i < 100; i++) table_copy_row(&full.table, i, &without.table, i);
  CHECK(full.x[50].y == 0 && full.owner[7] == without.owner[7]);
  Hash128 expected = table_hash(&full.table), hash = table_hash(&without.table);
  CHECK(expected.low == hash.low && expected.high == hash.high);

  // a copy in the arena, and a column that goes while there are rows
  table_begin(&view.table, &SCHEMA);
  table_keep_only(&view.table, FIELD_STATE);
  table_copy_owned(&view.table, &full.table, &arena);
  hash = table_hash(&view.table);
  CHECK(view.owner == NULL && view.table.owned == 100 && view.id != full.id);
  CHECK(expected.low == hash.low && expected.high == hash.high);
  table_leave_out(&full.table, FIELD_OUTPUT);
  CHECK(full.x == NULL && full.id[9] == without.id[9]);
  table_leave_out_alike(&full.table, &view.table);
  CHECK(full.owner == NULL);
  hash = table_hash(&full.table);
  CHECK(expected.low == hash.low && expected.high == hash.high);
  table_end(&full.table);
  table_end(&without.table);
  arena_destroy(&arena);
}

static void test_table(void)
{
  const int64_t live = memory_live_bytes();
  Rows rows = {0};
  table_begin(&rows.table, &SCHEMA);
  for (int i = 0; i < 100; i++) {
    table_reserve(&rows.table, i + 1);
    rows.id[i] = (uint64_t)i;
    rows.x[i] = vec3_new(i, 2 * i, 0.5);
    rows.owner[i] = i % 3;
    rows.table.owned = rows.table.count = i + 1;
  }
  const Hash128 hash = table_hash(&rows.table);
  int order[100];
  for (int i = 0; i < 100; i++) order[i] = 99 - i;
  table_permute(&rows.table, 0, 100, order);
  CHECK(rows.id[0] == 99 && rows.x[99].x == 0 && rows.owner[98] == 1);

  // the hash knows neither order nor owner nor the sign of zero, but every bit of state
  rows.owner[5] = 77;
  Hash128 other = table_hash(&rows.table);
  CHECK(other.low == hash.low && other.high == hash.high);
  rows.x[99].x = -0.0;
  other = table_hash(&rows.table);
  CHECK(other.low == hash.low && other.high == hash.high);
  rows.x[7].z = nextafter(rows.x[7].z, 1);
  other = table_hash(&rows.table);
  CHECK(other.low != hash.low);

  unsigned char packed[64];
  CHECK(table_packed_bytes(&rows.table, FIELD_STATE) == 32);
  table_pack_row(&rows.table, 3, FIELD_STATE | FIELD_SCENE, packed);
  table_unpack_row(&rows.table, 4, FIELD_STATE | FIELD_SCENE, packed);
  CHECK(rows.id[4] == rows.id[3] && rows.x[4].y == rows.x[3].y && rows.owner[4] == rows.owner[3]);
  check_left_out(&rows);
  check_names();
  table_end(&rows.table);
  CHECK(memory_live_bytes() == live);
}

// Growing lists keep their items, double, and have room for many at once.
static void test_growth(void)
{
  const int64_t live = memory_live_bytes();
  Arena arena = arena_new();
  int *heap = NULL, *scratch = NULL, heap_room = 0, scratch_room = 0, moves = 0, wrong = 0;
  char *text = NULL;
  size_t text_room = 0;
  for (int i = 0; i < 5000; i++) {
    const int before = heap_room;
    heap = memory_grow(heap, i + 1, &heap_room, sizeof *heap);
    scratch = arena_grow(&arena, scratch, i + 1, &scratch_room, sizeof *scratch);
    text = memory_grow_bytes(text, (size_t)i + 1, &text_room);
    moves += heap_room != before;
    wrong += heap_room != scratch_room || heap_room <= i || text_room <= (size_t)i;
    heap[i] = scratch[i] = i;
    text[i] = (char)(i % 100);
  }
  for (int i = 0; i < 5000; i++)
    wrong += heap[i] != i || scratch[i] != i || text[i] != (char)(i % 100);
  CHECK(wrong == 0);
  CHECK(moves > 1 && moves < 12);
  scratch = arena_grow(&arena, scratch, 100000, &scratch_room, sizeof *scratch);
  CHECK(scratch_room == 100000 && scratch[4999] == 4999);
  CHECK(memory_grown_capacity(0, 1, 100000) == 2);   // of large items as few
  CHECK(memory_grown_capacity(INT_MAX - 1, INT_MAX, 1) == INT_MAX);
  memory_free(heap);
  memory_free(text);
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == live);
}

int main(void)
{
  test_trig();
  test_logarithm();
  test_exp();
  test_hash_sum_rows();
  test_exact_sum();
  test_long_sum();
  test_exact_sum_rounding();
  test_hash();
  test_arena();
  test_arena_release();
  test_growth();
  test_table();
  return test_report();
}
