#pragma once
// CRC-32C (Castagnoli), the checksum of checkpoints: finds damage, not malice. Local.
#include <stddef.h>
#include <stdint.h>

// The checksum of what was summed so far followed by these bytes; begin with 0. Uses the
// processor's instruction where the program is built for one that has it.
uint32_t crc32c(uint32_t so_far, const void *bytes, size_t count);

// The same from a table, on any processor. For the tests.
uint32_t crc32c_by_table(uint32_t so_far, const void *bytes, size_t count);

// The sum of bytes of which all are zero but the first ones, as if it had begun with nothing: these
// pieces of a whole, each with what follows it, are added bit by bit (^) to the sum of as many
// zeros, crc32c_zeros, and make that of the whole, in any order.
uint32_t crc32c_piece(const void *bytes, size_t count, uint64_t zeros_behind);
uint32_t crc32c_zeros(uint64_t count);
