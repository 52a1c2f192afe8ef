#pragma once
// Characters of UTF-8 in bytes that may be anything.
#include <stddef.h>

// Bytes of the character that begins at one of `left` bytes, 0: none does (Unicode 15, table 3-7).
// Of a text that ends with a zero left may be anything above 3.
static inline size_t utf8_bytes(const char *at, size_t left)
{
  const unsigned char *c = (const unsigned char *)at;
  if (left == 0) return 0;
  if (c[0] < 0x80) return 1;
  const size_t bytes = c[0] >= 0xC2 && c[0] <= 0xDF   ? 2
                       : c[0] >= 0xE0 && c[0] <= 0xEF ? 3
                       : c[0] >= 0xF0 && c[0] <= 0xF4 ? 4
                                                      : 0;
  if (bytes > left) return 0;
  for (size_t i = 1; i < bytes; i++)
    if ((c[i] & 0xC0) != 0x80) return 0;
  const int overlong = (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xF0 && c[1] < 0x90);
  const int surrogate = c[0] == 0xED && c[1] > 0x9F, beyond = c[0] == 0xF4 && c[1] > 0x8F;
  return overlong || surrogate || beyond ? 0 : bytes;
}

// The same, but 0 also for characters that would move a terminal (C0, DEL, C1).
static inline size_t utf8_visible_bytes(const char *at, size_t left)
{
  const size_t bytes = utf8_bytes(at, left);
  const unsigned char *c = (const unsigned char *)at;
  const int control =
      (bytes == 1 && (c[0] < 0x20 || c[0] == 0x7F)) || (bytes == 2 && c[0] == 0xC2 && c[1] < 0xA0);
  return control ? 0 : bytes;
}
