// Puts bytes of HDF5 files together.
#include "hdf5_bytes.h"

#include <assert.h>
#include <string.h>

#include "memory.h"

size_t hdf5_number_bytes(Hdf5Number number)
{
  switch (number) {
  case HDF5_I64:
  case HDF5_F64: return 8;
  case HDF5_I32:
  case HDF5_U32:
  case HDF5_F32: return 4;
  case HDF5_U8: break;
  }
  return 1;
}

void hdf5_bytes_put(Hdf5Bytes *bytes, const void *from, size_t count)
{
  assert((bytes->at != NULL || bytes->count == 0) && "bytes lie in their room");
  if (count == 0) return;
  if (bytes->count + count > bytes->capacity)
    bytes->at = memory_grow_bytes(bytes->at, bytes->count + count, &bytes->capacity);
  memcpy(bytes->at + bytes->count, from, count);
  bytes->count += count;
}

void hdf5_bytes_number(Hdf5Bytes *bytes, uint64_t value, int width)
{
  assert(width >= 1 && width <= 8 && "a number has up to 64 bits");
  if (bytes->count + 8 > bytes->capacity)
    bytes->at = memory_grow_bytes(bytes->at, bytes->count + 8, &bytes->capacity);
  unsigned char *to = bytes->at + bytes->count;
  for (int i = 0; i < width; i++) to[i] = (unsigned char)(value >> 8 * i);
  bytes->count += (size_t)width;
}

void hdf5_bytes_values(Hdf5Bytes *bytes, const void *values, size_t count, size_t width)
{
  assert((width == 1 || width == 4 || width == 8) && "a number has one of these widths");
  const unsigned char *from = values;
  for (size_t i = 0; i < count; i++, from += width) {
    uint32_t low;
    uint64_t all = *from;
    if (width == 4) {
      memcpy(&low, from, sizeof low);
      all = low;
    }
    if (width == 8) memcpy(&all, from, sizeof all);
    hdf5_bytes_number(bytes, all, (int)width);
  }
}

void hdf5_bytes_text(Hdf5Bytes *bytes, const char *text)
{
  hdf5_bytes_put(bytes, text, strlen(text) + 1);
}

void hdf5_bytes_align(Hdf5Bytes *bytes)
{
  static const unsigned char zeros[8] = {0};
  hdf5_bytes_put(bytes, zeros, -bytes->count & 7);
}

void hdf5_bytes_change(Hdf5Bytes *bytes, size_t place, uint64_t value, int width)
{
  assert(width >= 1 && place + (size_t)width <= bytes->count && "a number is there");
  for (int i = 0; i < width; i++) bytes->at[place + (size_t)i] = (unsigned char)(value >> 8 * i);
}

// ------------------------------------------------------------------------------------------------
// The sum of metadata: lookup3 by Bob Jenkins (2006), public domain.

static uint32_t turned(uint32_t x, int by) { return x << by | x >> (32 - by); }

static uint32_t word_at(const unsigned char *k)
{
  return (uint32_t)k[0] | (uint32_t)k[1] << 8 | (uint32_t)k[2] << 16 | (uint32_t)k[3] << 24;
}

static uint32_t sum_of(const unsigned char *k, size_t count)
{
  uint32_t a = 0xdeadbeef + (uint32_t)count, b = a, c = a;
  if (count == 0) return c;
  for (; count > 12; count -= 12, k += 12) {
    a += word_at(k);
    b += word_at(k + 4);
    c += word_at(k + 8);
    a = (a - c) ^ turned(c, 4), c += b;
    b = (b - a) ^ turned(a, 6), a += c;
    c = (c - b) ^ turned(b, 8), b += a;
    a = (a - c) ^ turned(c, 16), c += b;
    b = (b - a) ^ turned(a, 19), a += c;
    c = (c - b) ^ turned(b, 4), b += a;
  }
  // the last one to twelve bytes, with zeros behind them
  unsigned char last[12] = {0};
  memcpy(last, k, count);
  a += word_at(last);
  b += word_at(last + 4);
  c += word_at(last + 8);
  c = (c ^ b) - turned(b, 14);
  a = (a ^ c) - turned(c, 11);
  b = (b ^ a) - turned(a, 25);
  c = (c ^ b) - turned(b, 16);
  a = (a ^ c) - turned(c, 4);
  b = (b ^ a) - turned(a, 14);
  return (c ^ b) - turned(b, 24);
}

void hdf5_bytes_sum(Hdf5Bytes *bytes, size_t from)
{
  assert(from < bytes->count && "there are bytes to sum");
  hdf5_bytes_number(bytes, sum_of(bytes->at + from, bytes->count - from), 4);
}

// ------------------------------------------------------------------------------------------------
// Objects.

void hdf5_bytes_superblock(Hdf5Bytes *bytes, uint64_t root, uint64_t end)
{
  // version 2, addresses and lengths of 8 bytes, no flags
  static const unsigned char begin[12] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n', 2, 8, 8, 0};
  assert(bytes->count == 0 && "it comes first");
  hdf5_bytes_put(bytes, begin, sizeof begin);
  hdf5_bytes_number(bytes, 0, 8);   // where the file begins
  hdf5_bytes_number(bytes, HDF5_NOWHERE, 8);
  hdf5_bytes_number(bytes, end, 8);
  hdf5_bytes_number(bytes, root, 8);
  hdf5_bytes_sum(bytes, 0);
}

// Version 2, with a length of four bytes and no times.
size_t hdf5_object_begin(Hdf5Bytes *bytes)
{
  static const unsigned char begin[6] = {'O', 'H', 'D', 'R', 2, 2};
  const size_t at = bytes->count;
  hdf5_bytes_put(bytes, begin, sizeof begin);
  hdf5_bytes_number(bytes, 0, 4);
  return at;
}

void hdf5_object_end(Hdf5Bytes *bytes, size_t begin)
{
  const size_t length = bytes->count - begin - 10;
  assert(length <= UINT32_MAX && "a header has few messages");
  hdf5_bytes_change(bytes, begin + 6, length, 4);
  hdf5_bytes_sum(bytes, begin);
  hdf5_bytes_align(bytes);
}

size_t hdf5_message_begin(Hdf5Bytes *bytes, Hdf5Message message)
{
  // types, values of what is not written and settings of groups never change
  const int constant = message == HDF5_TYPE || message == HDF5_FILL || message == HDF5_GROUP;
  hdf5_bytes_number(bytes, message, 1);
  const size_t at = bytes->count;
  hdf5_bytes_number(bytes, 0, 2);
  hdf5_bytes_number(bytes, (uint64_t)constant, 1);
  return at;
}

void hdf5_message_end(Hdf5Bytes *bytes, size_t begin)
{
  const size_t length = bytes->count - begin - 3;
  assert(length <= UINT16_MAX && "a message is short");
  hdf5_bytes_change(bytes, begin, length, 2);
}

void hdf5_bytes_type(Hdf5Bytes *bytes, Hdf5Number number)
{
  static const unsigned char types[][20] = {
      // version and class, bits, bytes; first bit, bits; of reals the exponent and the mantissa
      [HDF5_I64] = {0x10, 0x08, 0, 0, 8, 0, 0, 0, 0, 0, 64, 0},
      [HDF5_I32] = {0x10, 0x08, 0, 0, 4, 0, 0, 0, 0, 0, 32, 0},
      [HDF5_U32] = {0x10, 0x00, 0, 0, 4, 0, 0, 0, 0, 0, 32, 0},
      [HDF5_U8] = {0x10, 0x00, 0, 0, 1, 0, 0, 0, 0, 0, 8, 0},
      [HDF5_F64] = {0x11, 0x20, 63, 0, 8, 0, 0, 0, 0, 0, 64, 0, 52, 11, 0, 52, 0xff, 0x03, 0, 0},
      [HDF5_F32] = {0x11, 0x20, 31, 0, 4, 0, 0, 0, 0, 0, 32, 0, 23, 8, 0, 23, 0x7f, 0, 0, 0}};
  const int real = number == HDF5_F64 || number == HDF5_F32;
  hdf5_bytes_put(bytes, types[number], real ? 20 : 12);
}

void hdf5_bytes_text_type(Hdf5Bytes *bytes, size_t characters)
{
  assert(characters > 0 && characters <= UINT32_MAX && "a text has characters");
  static const unsigned char text[4] = {0x13, 1, 0, 0};   // ASCII, with zeros behind it
  hdf5_bytes_put(bytes, text, sizeof text);
  hdf5_bytes_number(bytes, characters, 4);
}

void hdf5_bytes_space(Hdf5Bytes *bytes, int axes, const uint64_t *size)
{
  assert(axes >= 0 && axes <= 2 && "a table has up to two axes");
  // version 2; with the largest sizes, which are these; one number or some
  const unsigned char begin[4] = {2, (unsigned char)axes, axes > 0, axes > 0};
  hdf5_bytes_put(bytes, begin, sizeof begin);
  for (int most = 0; most < 2; most++)
    for (int i = 0; i < axes; i++) hdf5_bytes_number(bytes, size[i], 8);
}

// ------------------------------------------------------------------------------------------------
// What is picked.

enum { PICKED_SOME = 2, PICKED_ALL = 3 };

void hdf5_bytes_all(Hdf5Bytes *bytes)
{
  hdf5_bytes_number(bytes, PICKED_ALL, 4);
  hdf5_bytes_number(bytes, 1, 4);   // version
  hdf5_bytes_number(bytes, 0, 8);
}

void hdf5_bytes_rows(Hdf5Bytes *bytes, uint64_t first, uint64_t count, int components)
{
  assert(count > 0 && components >= 1 && "some are picked");
  const int axes = components > 1 ? 2 : 1;
  const uint64_t begin[2] = {first, 0}, size[2] = {count, (uint64_t)components};
  hdf5_bytes_number(bytes, PICKED_SOME, 4);
  if (first + count - 1 <= UINT32_MAX) {
    // a list of one block, by its first and last corners
    hdf5_bytes_number(bytes, 1, 4);
    hdf5_bytes_number(bytes, 0, 4);
    hdf5_bytes_number(bytes, 8 + 8 * (uint64_t)axes, 4);
    hdf5_bytes_number(bytes, (uint64_t)axes, 4);
    hdf5_bytes_number(bytes, 1, 4);
    for (int i = 0; i < axes; i++) hdf5_bytes_number(bytes, begin[i], 4);
    for (int i = 0; i < axes; i++) hdf5_bytes_number(bytes, begin[i] + size[i] - 1, 4);
    return;
  }
  // in steps, of which there is one, with numbers of 64 bits
  hdf5_bytes_number(bytes, 2, 4);
  hdf5_bytes_number(bytes, 1, 1);
  hdf5_bytes_number(bytes, 4 + 32 * (uint64_t)axes, 4);
  hdf5_bytes_number(bytes, (uint64_t)axes, 4);
  for (int i = 0; i < axes; i++) {
    hdf5_bytes_number(bytes, begin[i], 8);
    hdf5_bytes_number(bytes, size[i], 8);   // to the next one
    hdf5_bytes_number(bytes, 1, 8);
    hdf5_bytes_number(bytes, size[i], 8);
  }
}
