// Sums CRC-32C of the blocks of a file from the pieces that any ranks write.
#include "block_sums.h"

#include <assert.h>

#include "crc32c.h"
#include "memory.h"
#include "parallel.h"

uint64_t block_sums_count(uint64_t file_bytes)
{
  return (file_bytes + BLOCK_SUMS_BYTES - 1) / BLOCK_SUMS_BYTES;
}

// Bytes of a block: the last one may be short.
static uint64_t block_bytes(uint64_t file_bytes, uint64_t block)
{
  assert(block * BLOCK_SUMS_BYTES < file_bytes && "a block lies in the file");
  const uint64_t left = file_bytes - block * BLOCK_SUMS_BYTES;
  return left < BLOCK_SUMS_BYTES ? left : BLOCK_SUMS_BYTES;
}

static void add_piece(BlockSums *sums, uint32_t block, uint32_t piece)
{
  assert(sums->count <= sums->capacity && "sums lie in their room");
  if (sums->count > 0 && sums->sums[sums->count - 1].block == block) {
    sums->sums[sums->count - 1].piece ^= piece;
    return;
  }
  sums->sums = memory_grow(sums->sums, sums->count + 1, &sums->capacity, sizeof *sums->sums);
  sums->sums[sums->count++] = (BlockSum){block, piece};
}

void block_sums_add(BlockSums *sums, uint64_t offset, const void *bytes, size_t count)
{
  assert((bytes != NULL || count == 0) && "a piece has bytes");
  assert(offset + count <= sums->file_bytes && "a piece outside the file");
  const char *p = bytes;
  while (count > 0) {
    const uint64_t block = offset / BLOCK_SUMS_BYTES, begin = offset % BLOCK_SUMS_BYTES;
    assert(block <= UINT32_MAX && "a file of less than 4 PiB");
    const uint64_t room = block_bytes(sums->file_bytes, block) - begin;
    const size_t take = count < room ? count : (size_t)room;
    add_piece(sums, (uint32_t)block, crc32c_piece(p, take, room - take));
    p += take;
    offset += take;
    count -= take;
  }
}

uint32_t *block_sums_gather(const BlockSums *sums, Arena *arena)
{
  size_t *counts = arena_allocate(arena, (size_t)par_size() * sizeof *counts);
  const BlockSum *all =
      par_gather(sums->sums, (size_t)sums->count * sizeof *sums->sums, counts, arena);
  if (!all) return NULL;
  const uint64_t blocks = block_sums_count(sums->file_bytes);
  uint32_t *whole = arena_allocate(arena, (size_t)blocks * sizeof *whole);
  const uint32_t zeros = crc32c_zeros(BLOCK_SUMS_BYTES);
  for (uint64_t b = 0; b < blocks; b++) {
    const uint64_t bytes = block_bytes(sums->file_bytes, b);
    whole[b] = bytes == BLOCK_SUMS_BYTES ? zeros : crc32c_zeros(bytes);
  }
  size_t pieces = 0;
  for (int r = 0; r < par_size(); r++) pieces += counts[r] / sizeof *all;
  for (size_t i = 0; i < pieces; i++) whole[all[i].block] ^= all[i].piece;
  return whole;
}

void block_sums_end(BlockSums *sums)
{
  memory_free(sums->sums);
  *sums = (BlockSums){0};
}
