#include "hash.h"

#include <stdio.h>
#include <string.h>

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

Hash128 hash_bytes(const void *bytes, size_t count, uint64_t seed)
{
  const unsigned char *p = bytes;
  uint64_t a = seed ^ 0x9e3779b97f4a7c15ULL, b = finalize(seed + 0x2545f4914f6cdd1dULL);
  for (size_t left = count; left > 0;) {
    uint64_t word = 0;
    const size_t take = left < sizeof word ? left : sizeof word;
    memcpy(&word, p, take);
    a = rotate(a ^ (word * 0x87c37b91114253d5ULL), 27) * 5 + 0x52dce729ULL;
    b = rotate(b + finalize(word ^ a), 31) * 0x4cf5ad432745937fULL;
    p += take;
    left -= take;
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
  return hex_word(text, &hash->high) && hex_word(text + 16, &hash->low);
}

uint64_t hash_mix(uint64_t a, uint64_t b)
{
  return finalize(finalize(a + 0x9e3779b97f4a7c15ULL) ^ (b + 0xd1b54a32d192ed03ULL));
}
