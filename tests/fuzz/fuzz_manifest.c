// The manifest of a checkpoint. Its own checksum would stop nearly every input: where the first
// byte is not '0', the checksum in the last line is made right.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "crc32c.h"
#include "fuzz.h"
#include "hash.h"
#include "manifest.h"
#include "memory.h"

#define LAST_LINE_BYTES 17   // "crc32c: 01234567\n"

static void use_manifest(const Manifest *m)
{
  Hash128 hash;
  fuzz_expect(hash_from_text(m->header.hash, &hash), "a manifest has a hash");
  fuzz_expect(m->header.step >= 0, "a step");
  fuzz_expect(m->header.table_count >= 0 && m->header.table_count <= STATE_TABLES, "tables");
  for (int t = 0; t < m->header.table_count; t++) {
    const Hdf5Rows *table = &m->header.tables[t];
    fuzz_expect(table->rows >= 0 && hdf5_header_rows(&m->header, table->name) == table->rows,
                "a table stands once");
  }
  fuzz_expect(isfinite(m->header.time), "a time");
  fuzz_expect(m->file_block_count == file_block_sums_count(m->file_bytes), "blocks cover the file");
  uint32_t sum = 0;
  for (uint64_t b = 0; b < m->file_block_count; b++) sum ^= m->file_blocks[b];
  fuzz_expect(sum == 0 || m->file_block_count > 0, "all of them have a checksum");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
  if (count < 1) return 0;
  fuzz_begin();
  // as disk_read_whole leaves it: a zero follows, which the count does not hold
  const size_t room = count - 1 + LAST_LINE_BYTES + 1;
  char *text = memory_allocate(room);
  size_t length = count - 1;
  memcpy(text, bytes + 1, length);
  if (bytes[0] != '0') {
    if (length >= LAST_LINE_BYTES && memcmp(text + length - LAST_LINE_BYTES, "crc32c: ", 8) == 0)
      length -= LAST_LINE_BYTES;
    const uint32_t sum = crc32c(0, text, length);
    length += (size_t)snprintf(text + length, room - length, "crc32c: %08" PRIx32 "\n", sum);
  }
  text = memory_resize(text, length + 1);
  text[length] = 0;

  Manifest manifest;
  DiskStatus status = {0};
  if (manifest_parse(text, length, &manifest, &status)) {
    fuzz_expect(!status.failed, "a manifest that is read says nothing");
    use_manifest(&manifest);
    manifest_end(&manifest);
  } else {
    fuzz_expect(fuzz_is_message(status.reason, "the manifest"), "a refusal is one line");
  }
  memory_free(text);
  fuzz_end();
  return 0;
}
