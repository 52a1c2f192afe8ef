// Hashes rows of state to 128 bits, so that sums of them do not depend on order.
#include "hash.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

// Two lanes of multiply-rotate mixing with the finaliser of MurmurHash3 (A. Appleby, public domain
// algorithm).
static uint64_t finalize(uint64_t x)
{
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  x ^= x >> 33;
  return x;
}

static uint64_t rotate(uint64_t x, int bits) { return (x << bits) | (x >> (64 - bits)); }

static inline void mix_word(uint64_t word, uint64_t *a, uint64_t *b)
{
  *a = rotate(*a ^ (word * 0x87c37b91114253d5ULL), 27) * 5 + 0x52dce729ULL;
  *b = rotate(*b + finalize(word ^ *a), 31) * 0x4cf5ad432745937fULL;
}

Hash128 hash_bytes(const void *bytes, size_t count, uint64_t seed)
{
  assert_debug((bytes != NULL || count == 0) && "bytes are given");
  const unsigned char *p = bytes;
  uint64_t a = seed ^ 0x9e3779b97f4a7c15ULL, b = finalize(seed + 0x2545f4914f6cdd1dULL);
  size_t left = count;
  for (; left >= sizeof(uint64_t); p += sizeof(uint64_t), left -= sizeof(uint64_t)) {
    uint64_t word;
    memcpy(&word, p, sizeof word);
    mix_word(word, &a, &b);
  }
  if (left > 0) {
    uint64_t word = 0;
    memcpy(&word, p, left);
    mix_word(word, &a, &b);
  }
  a ^= (uint64_t)count;
  b += a;
  return (Hash128){finalize(a + b), finalize(b ^ rotate(a, 17))};
}

Hash128 hash_add(Hash128 a, Hash128 b)
{
  Hash128 sum = {a.low + b.low, a.high + b.high};
  if (sum.low < a.low) sum.high++;
  return sum;
}

// ------------------------------------------------------------------------------------------------
// Eight rows side by side, in two vectors: the steps of a row wait for each other, those of several
// rows do not.

enum { SIDE_BY_SIDE = 4, VECTORS = 2 };
typedef uint64_t Words __attribute__((vector_size(SIDE_BY_SIDE * sizeof(uint64_t))));

static inline Words finalize_words(Words x)
{
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ x >> 33;
}

static inline Words rotate_words(Words x, int bits) { return (x << bits) | (x >> (64 - bits)); }

static inline uint64_t word_at(const unsigned char *p, size_t bytes)
{
  uint64_t word = 0;
  memcpy(&word, p, bytes);
  return word;
}

// The next words of four rows; bytes of each, 8 but at the end of a row.
static inline Words words_at(const unsigned char *p, size_t row_bytes, size_t bytes)
{
  return (Words){word_at(p, bytes), word_at(p + row_bytes, bytes),
                 word_at(p + 2 * row_bytes, bytes), word_at(p + 3 * row_bytes, bytes)};
}

static inline void mix_words(Words word, Words *a, Words *b)
{
  *a = rotate_words(*a ^ (word * 0x87c37b91114253d5ULL), 27) * 5 + 0x52dce729ULL;
  *b = rotate_words(*b + finalize_words(word ^ *a), 31) * 0x4cf5ad432745937fULL;
}

static Hash128 hash_side_by_side(const unsigned char *rows, size_t row_bytes, uint64_t seed)
{
  const Words zero = {0};
  Words a[VECTORS], b[VECTORS];
  for (int v = 0; v < VECTORS; v++) {
    a[v] = zero + (uint64_t)(seed ^ 0x9e3779b97f4a7c15ULL);
    b[v] = zero + finalize(seed + 0x2545f4914f6cdd1dULL);
  }
  const size_t next = SIDE_BY_SIDE * row_bytes, whole = row_bytes / sizeof(uint64_t) * 8;
  for (size_t at = 0; at < whole; at += sizeof(uint64_t))
    for (int v = 0; v < VECTORS; v++)
      mix_words(words_at(rows + (size_t)v * next + at, row_bytes, 8), &a[v], &b[v]);
  Hash128 sum = {0, 0};
  for (int v = 0; v < VECTORS; v++) {
    if (whole < row_bytes)
      mix_words(words_at(rows + (size_t)v * next + whole, row_bytes, row_bytes - whole), &a[v],
                &b[v]);
    a[v] ^= (uint64_t)row_bytes;
    b[v] += a[v];
    const Words low = finalize_words(a[v] + b[v]);
    const Words high = finalize_words(b[v] ^ rotate_words(a[v], 17));
    for (int k = 0; k < SIDE_BY_SIDE; k++) sum = hash_add(sum, (Hash128){low[k], high[k]});
  }
  return sum;
}

Hash128 hash_sum_rows(const void *rows, size_t row_bytes, int count, uint64_t seed)
{
  assert(count >= 0 && (rows != NULL || count == 0) && "rows are given");
  const unsigned char *p = rows;
  Hash128 sum = {0, 0};
  int left = count;
  for (; left >= SIDE_BY_SIDE * VECTORS; left -= SIDE_BY_SIDE * VECTORS) {
    sum = hash_add(sum, hash_side_by_side(p, row_bytes, seed));
    p += SIDE_BY_SIDE * VECTORS * row_bytes;
  }
  for (; left > 0; left--, p += row_bytes) sum = hash_add(sum, hash_bytes(p, row_bytes, seed));
  return sum;
}

void hash_to_text(Hash128 hash, char text[33])
{
  snprintf(text, 33, "%016llx%016llx", (unsigned long long)hash.high, (unsigned long long)hash.low);
}

static int hex_word(const char *text, uint64_t *word)
{
  *word = 0;
  for (int i = 0; i < 16; i++) {
    const char c = text[i];
    unsigned digit;
    if (c >= '0' && c <= '9') digit = (unsigned)(c - '0');
    else if (c >= 'a' && c <= 'f') digit = (unsigned)(c - 'a') + 10;
    else return 0;
    *word = *word << 4 | digit;
  }
  return 1;
}

int hash_from_text(const char *text, Hash128 *hash)
{
  assert(text != NULL && hash != NULL && "a text and a place for its hash");
  return hex_word(text, &hash->high) && hex_word(text + 16, &hash->low);
}

uint64_t hash_mix(uint64_t a, uint64_t b)
{
  return finalize(finalize(a + 0x9e3779b97f4a7c15ULL) ^ (b + 0xd1b54a32d192ed03ULL));
}
