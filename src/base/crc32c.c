#include "crc32c.h"

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
  const uint8_t *p = bytes;
  uint32_t rest = ~so_far;
  for (size_t i = 0; i < count; i++) {
    rest ^= p[i];
    rest = rest >> 4 ^ HALF_BYTE[rest & 15];
    rest = rest >> 4 ^ HALF_BYTE[rest & 15];
  }
  return ~rest;
}

#ifdef __SSE4_2__
uint32_t crc32c(uint32_t so_far, const void *bytes, size_t count)
{
  const uint8_t *p = bytes;
  uint64_t rest = ~so_far;
  for (; count >= 8; p += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, p, sizeof word);
    rest = _mm_crc32_u64(rest, word);
  }
  for (; count > 0; p++, count--) rest = _mm_crc32_u8((uint32_t)rest, *p);
  return ~(uint32_t)rest;
}
#else
uint32_t crc32c(uint32_t so_far, const void *bytes, size_t count)
{
  return crc32c_by_table(so_far, bytes, count);
}
#endif
