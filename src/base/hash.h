#pragma once
// 128-bit hashes of rows of state; sums of them do not depend on order or on who owns a row. Local.
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint64_t low, high;
} Hash128;   // a number modulo 2^128

Hash128 hash_bytes(const void *bytes, size_t count, uint64_t seed);
Hash128 hash_add(Hash128 a, Hash128 b);

// Sum of hash_bytes of so many rows that lie one behind the other.
Hash128 hash_sum_rows(const void *rows, size_t row_bytes, int count, uint64_t seed);

// 32 hexadecimal digits and a final zero.
void hash_to_text(Hash128 hash, char text[33]);
int hash_from_text(const char *text, Hash128 *hash);   // 1 when text holds 32 digits

// A well-mixed 64-bit value of two: priorities and random numbers from ids.
uint64_t hash_mix(uint64_t a, uint64_t b);
