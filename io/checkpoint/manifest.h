#pragma once
// The manifest of a checkpoint: a text file that says what the data file must be, file block by
// file block. Local.
#include "case.h"
#include "disk.h"
#include "file_block_sums.h"
#include "hdf5_header.h"

typedef struct {
  Hdf5Header header;
  uint64_t file_bytes, file_block_count;
  uint32_t *file_blocks;    // [file_block_count] CRC-32C, memory; the last one may be short
  uint32_t case_checksum;   // manifest_checksum
  char writer[96];          // version and compiler of the program that wrote it; read only
} Manifest;

// The text, which ends in its own checksum (memory_free), and its length.
char *manifest_format(const Manifest *manifest, const Case *c, size_t *bytes);

// Reads a manifest back; any change of its text is a failure. manifest_end is due only after
// success.
bool manifest_parse(const char *text, size_t bytes, Manifest *manifest, DiskStatus *status);
void manifest_end(Manifest *manifest);

// CRC-32C of the text of a case, its overrides, and what the meshes it names hold.
uint32_t manifest_checksum(const Case *c);
