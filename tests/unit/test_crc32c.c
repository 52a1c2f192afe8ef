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

int main(void)
{
  published_values(crc32c);
  published_values(crc32c_by_table);
  any_cut_gives_the_same();
  each_bit_counts();
  return test_report();
}
