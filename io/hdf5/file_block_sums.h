#pragma once
// CRC-32C of every file block (FILE_BLOCK_BYTES) of a file, from what is written to it: by any
// rank, in any pieces, in any order. Nothing is read back.
//
// The sum is of the bytes that were meant to be written. What nobody writes is zero, and what is
// written over zeros that somebody else wrote counts; other bytes may be written once.
#include <stddef.h>
#include <stdint.h>

#include "arena.h"

#define FILE_BLOCK_BYTES ((uint64_t)1 << 20)   // under one checksum

// Local. File blocks of a file of that size.
uint64_t file_block_sums_count(uint64_t file_bytes);

typedef struct {
  uint32_t file_block, piece;   // piece: what this rank wrote of it, crc32c_piece
} FileBlockSum;

typedef struct {
  uint64_t file_bytes;   // of the finished file; before the first piece
  int count, capacity;
  FileBlockSum *sums;   // memory; file blocks may stand in it more than once
} FileBlockSums;

// Local. Takes account of bytes at an offset of the file.
void file_block_sums_add(FileBlockSums *sums, uint64_t offset, const void *bytes, size_t count);

// Collective. The sums of all file blocks on rank 0 (arena), NULL on others.
uint32_t *file_block_sums_gather(const FileBlockSums *sums, Arena *arena);

void file_block_sums_end(FileBlockSums *sums);
