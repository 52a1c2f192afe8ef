// Sums CRC-32C of the file blocks from the pieces that any ranks write.
#include "file_block_sums.h"

#include <assert.h>

#include "crc32c.h"
#include "memory.h"
#include "parallel.h"

uint64_t file_block_sums_count(uint64_t file_bytes)
{
  return (file_bytes + FILE_BLOCK_BYTES - 1) / FILE_BLOCK_BYTES;
}

// Bytes of a file block: the last one may be short.
static uint64_t file_block_bytes(uint64_t file_bytes, uint64_t file_block)
{
  assert(file_block * FILE_BLOCK_BYTES < file_bytes && "a file block lies in the file");
  const uint64_t left = file_bytes - file_block * FILE_BLOCK_BYTES;
  return left < FILE_BLOCK_BYTES ? left : FILE_BLOCK_BYTES;
}

static void add_piece(FileBlockSums *sums, uint32_t file_block, uint32_t piece)
{
  assert(sums->count <= sums->capacity && "sums lie in their room");
  if (sums->count > 0 && sums->sums[sums->count - 1].file_block == file_block) {
    sums->sums[sums->count - 1].piece ^= piece;
    return;
  }
  sums->sums = memory_grow(sums->sums, sums->count + 1, &sums->capacity, sizeof *sums->sums);
  sums->sums[sums->count++] = (FileBlockSum){file_block, piece};
}

void file_block_sums_add(FileBlockSums *sums, uint64_t offset, const void *bytes, size_t count)
{
  assert((bytes != NULL || count == 0) && "a piece has bytes");
  assert(offset + count <= sums->file_bytes && "a piece outside the file");
  const char *p = bytes;
  while (count > 0) {
    const uint64_t file_block = offset / FILE_BLOCK_BYTES, begin = offset % FILE_BLOCK_BYTES;
    assert(file_block <= UINT32_MAX && "a file of less than 4 PiB");
    const uint64_t room = file_block_bytes(sums->file_bytes, file_block) - begin;
    const size_t take = count < room ? count : (size_t)room;
    add_piece(sums, (uint32_t)file_block, crc32c_piece(p, take, room - take));
    p += take;
    offset += take;
    count -= take;
  }
}

uint32_t *file_block_sums_gather(const FileBlockSums *sums, Arena *arena)
{
  size_t *counts = arena_allocate(arena, (size_t)par_size() * sizeof *counts);
  const FileBlockSum *all =
      par_gather(sums->sums, (size_t)sums->count * sizeof *sums->sums, counts, arena);
  if (!all) return NULL;
  const uint64_t file_blocks = file_block_sums_count(sums->file_bytes);
  uint32_t *whole = arena_allocate(arena, (size_t)file_blocks * sizeof *whole);
  const uint32_t zeros = crc32c_zeros(FILE_BLOCK_BYTES);
  for (uint64_t b = 0; b < file_blocks; b++) {
    const uint64_t bytes = file_block_bytes(sums->file_bytes, b);
    whole[b] = bytes == FILE_BLOCK_BYTES ? zeros : crc32c_zeros(bytes);
  }
  size_t pieces = 0;
  for (int r = 0; r < par_size(); r++) pieces += counts[r] / sizeof *all;
  for (size_t i = 0; i < pieces; i++) whole[all[i].file_block] ^= all[i].piece;
  return whole;
}

void file_block_sums_end(FileBlockSums *sums)
{
  memory_free(sums->sums);
  *sums = (FileBlockSums){0};
}
