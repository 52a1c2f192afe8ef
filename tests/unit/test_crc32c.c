// The instruction and the table against published values, and against each other on every cut of
// random bytes.
#include <stdint.h>
#include <string.h>

#include "crc32c.h"
#include "harness.h"

// RFC 3720, appendix B.4, and the check value of the catalogue of parametrised CRC algorithms
static void published_values(uint32_t (*sum)(uint32_t, const void *, size_t))
{
  uint8_t bytes[32];
  memset(bytes, 0, sizeof bytes);
  CHECK(sum(0, bytes, sizeof bytes) == 0x8a9136aaU);
  memset(bytes, 0xff, sizeof bytes);
  CHECK(sum(0, bytes, sizeof bytes) == 0x62a8ab43U);
  for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)i;
  CHECK(sum(0, bytes, sizeof bytes) == 0x46dd794eU);
  CHECK(sum(0, "123456789", 9) == 0xe3069283U);
  CHECK(sum(0, bytes, 0) == 0);
}

// a sum continued at any cut is the sum of the whole, by either route and from any alignment
static void any_cut_gives_the_same(void)
{
  uint8_t bytes[301];
  uint32_t state = 12345;
  for (unsigned i = 0; i < sizeof bytes; i++) {
    state = 1664525U * state + 1013904223U;
    bytes[i] = (uint8_t)(state >> 24);
  }
  for (size_t first = 0; first < 9; first++) {
    const uint32_t whole = crc32c_by_table(0, bytes + first, sizeof bytes - first);
    for (size_t cut = first; cut <= sizeof bytes; cut++) {
      const uint32_t head = crc32c(0, bytes + first, cut - first);
      CHECK(crc32c(head, bytes + cut, sizeof bytes - cut) == whole);
    }
  }
}

// lanes, which only long runs have, from any alignment and of any length
static void long_runs_are_the_same(void)
{
  static uint8_t bytes[50000];
  uint32_t state = 7;
  for (unsigned i = 0; i < sizeof bytes; i++) {
    state = 1664525U * state + 1013904223U;
    bytes[i] = (uint8_t)(state >> 24);
  }
  for (size_t first = 0; first < 3; first++)
    for (size_t count = 12270; count < 49990; count += 1 + count % 97)
      CHECK(crc32c(5, bytes + first, count) == crc32c_by_table(5, bytes + first, count));
}

// every single flipped bit changes the sum
static void each_bit_counts(void)
{
  uint8_t bytes[64];
  memset(bytes, 0x5a, sizeof bytes);
  const uint32_t whole = crc32c(0, bytes, sizeof bytes);
  for (unsigned bit = 0; bit < 8 * sizeof bytes; bit++) {
    bytes[bit / 8] = (uint8_t)(bytes[bit / 8] ^ 1U << bit % 8);
    CHECK(crc32c(0, bytes, sizeof bytes) != whole);
    bytes[bit / 8] = (uint8_t)(bytes[bit / 8] ^ 1U << bit % 8);
  }
}

// pieces that cover some of the bytes, summed apart, make the sum of the whole, which is zero where
// there are none
static void pieces_make_the_whole(void)
{
  uint8_t bytes[5000], whole[5000];
  uint32_t state = 99;
  for (unsigned i = 0; i < sizeof bytes; i++) {
    state = 1664525U * state + 1013904223U;
    bytes[i] = (uint8_t)(state >> 24);
  }
  static const size_t cuts[] = {0, 1, 7, 8, 300, 301, 1024, 4095, 4999, 5000};
  const size_t count = sizeof cuts / sizeof *cuts;
  for (unsigned left_out = 0; left_out < count; left_out++) {
    memset(whole, 0, sizeof whole);
    uint32_t sum = crc32c_zeros(sizeof whole);
    for (size_t k = count - 1; k > 0; k--) {
      if (k == left_out) continue;
      const size_t begin = cuts[k - 1], taken = cuts[k] - begin;
      memcpy(whole + begin, bytes + begin, taken);
      sum ^= crc32c_piece(bytes + begin, taken, sizeof whole - cuts[k]);
    }
    CHECK(sum == crc32c_by_table(0, whole, sizeof whole));
  }
  CHECK(crc32c_zeros(0) == 0);
  uint32_t megabyte = 0;
  memset(bytes, 0, sizeof bytes);
  for (int i = 0; i < 256; i++) megabyte = crc32c(megabyte, bytes, 4096);
  CHECK(crc32c_zeros(1 << 20) == megabyte);
}

int main(void)
{
  published_values(crc32c);
  published_values(crc32c_by_table);
  any_cut_gives_the_same();
  long_runs_are_the_same();
  each_bit_counts();
  pieces_make_the_whole();
  return test_report();
}
