#pragma once
// CRC-32C (Castagnoli), the checksum of checkpoints: finds damage, not malice. Local.
#include <stddef.h>
#include <stdint.h>

// The checksum of what was summed so far followed by these bytes; begin with 0. Uses the
// processor's instruction where the program is built for one that has it.
uint32_t crc32c(uint32_t so_far, const void *bytes, size_t count);

// The same from a table, on any processor.
uint32_t crc32c_by_table(uint32_t so_far, const void *bytes, size_t count);
