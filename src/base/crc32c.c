// Checksums CRC-32C by the processor's instruction, or by a table.
#include "crc32c.h"

#include <assert.h>
#include <string.h>
#ifdef __SSE4_2__
#include <nmmintrin.h>
#endif

// remainders of all half bytes modulo the reflected Castagnoli polynomial 0x82f63b78
static const uint32_t HALF_BYTE[16] = {
    0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
    0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9, 0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75};

uint32_t crc32c_by_table(uint32_t so_far, const void *bytes, size_t count)
{
  assert((bytes != NULL || count == 0) && "bytes are given");
  const uint8_t *p = bytes;
  uint32_t rest = ~so_far;
  for (size_t i = 0; i < count; i++) {
    rest ^= p[i];
    rest = rest >> 4 ^ HALF_BYTE[rest & 15];
    rest = rest >> 4 ^ HALF_BYTE[rest & 15];
  }
  return ~rest;
}

// ------------------------------------------------------------------------------------------------
// Remainders are polynomials modulo the generator; the highest bit is the coefficient of 1.

#define GENERATOR 0x82f63b78U
#define ONE 0x80000000U
#define ONE_BYTE 0x00800000U   // x^8

static uint32_t times(uint32_t a, uint32_t b)
{
  uint32_t product = 0;
  for (uint32_t bit = ONE; bit; bit >>= 1) {
    product ^= a & bit ? b : 0;
    b = b >> 1 ^ (b & 1 ? GENERATOR : 0);   // times x
  }
  return product;
}

// What a remainder becomes when zero bytes follow: times x^8 for each.
static uint32_t with_zeros(uint32_t rest, uint64_t count)
{
  for (uint32_t power = ONE_BYTE; count && rest; count >>= 1, power = times(power, power))
    if (count & 1) rest = times(rest, power);
  return rest;
}

#ifdef __SSE4_2__
// The instruction takes three cycles and another one can begin in each: three lanes are summed side
// by side, each as far as this, and put together.
#define LANE_BYTES ((size_t)4096)

static uint32_t sum_words(uint32_t rest, const uint8_t *p, size_t count)
{
  uint64_t wide = rest;
  for (; count >= 8; p += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, p, sizeof word);
    wide = _mm_crc32_u64(wide, word);
  }
  for (; count > 0; p++, count--) wide = _mm_crc32_u8((uint32_t)wide, *p);
  return (uint32_t)wide;
}

static uint32_t sum_lanes(uint32_t rest, const uint8_t *p, uint32_t lane)
{
  uint64_t a = rest, b = 0, c = 0;
  for (size_t i = 0; i < LANE_BYTES; i += 8) {
    uint64_t word[3];
    for (size_t k = 0; k < 3; k++) memcpy(&word[k], p + k * LANE_BYTES + i, sizeof word[k]);
    a = _mm_crc32_u64(a, word[0]);
    b = _mm_crc32_u64(b, word[1]);
    c = _mm_crc32_u64(c, word[2]);
  }
  return times(times((uint32_t)a, lane) ^ (uint32_t)b, lane) ^ (uint32_t)c;
}

uint32_t crc32c(uint32_t so_far, const void *bytes, size_t count)
{
  const uint8_t *p = bytes;
  uint32_t rest = ~so_far;
  if (count >= 3 * LANE_BYTES) {
    const uint32_t lane = with_zeros(ONE, LANE_BYTES);
    for (; count >= 3 * LANE_BYTES; p += 3 * LANE_BYTES, count -= 3 * LANE_BYTES)
      rest = sum_lanes(rest, p, lane);
  }
  return ~sum_words(rest, p, count);
}
#else
uint32_t crc32c(uint32_t so_far, const void *bytes, size_t count)
{
  return crc32c_by_table(so_far, bytes, count);
}
#endif

uint32_t crc32c_piece(const void *bytes, size_t count, uint64_t zeros_behind)
{
  // remainders begin with ones and end inverted; those of pieces do neither
  return with_zeros(~crc32c(~0U, bytes, count), zeros_behind);
}

uint32_t crc32c_zeros(uint64_t count) { return ~with_zeros(~0U, count); }
