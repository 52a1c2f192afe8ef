// A record of a function of time: PEER, blanks or commas, with other columns and lines to skip.
//
// A byte comes first: the layout.
#include <math.h>
#include <string.h>

#include "disk.h"
#include "fuzz.h"
#include "memory.h"
#include "record_share.h"

enum { PEER = 1, COMMAS = 2, THREE = 4, STEPS = 8, SKIP = 16 };

uint8_t *fuzz_input_of(const char *folder, const char *name, size_t *count)
{
  DiskStatus status = {0};
  char *path = disk_path(folder, name);
  size_t bytes = 0;
  char *text = disk_read_whole(path, 1 << 20, &bytes, &status);
  memory_free(path);
  if (!text) return NULL;
  uint8_t *input = memory_allocate(bytes + 1);
  const bool peer = record_text_peer_unit(name), commas = strstr(name, ".csv");
  input[0] = peer ? PEER : commas ? COMMAS | THREE | SKIP : 0;
  memcpy(input + 1, text, bytes);
  memory_free(text);
  *count = bytes + 1;
  return input;
}

static void use_record(const Record *record)
{
  const int row = 1 + record->components;
  fuzz_expect(record->count > 0 && row >= 2 && row <= 4, "a record has rows");
  for (int i = 0; i < record->count; i++) {
    for (int k = 0; k < row; k++) fuzz_expect(isfinite(record->rows[i * row + k]), "of numbers");
    fuzz_expect(i == 0 || record->rows[i * row] > record->rows[(i - 1) * row], "whose times grow");
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
  if (count < 1) return 0;
  fuzz_begin();
  const int flags = bytes[0];
  const bool steps = flags & STEPS;
  const int values = flags & THREE ? 3 : 1;
  RecordLayout layout = {.peer = flags & PEER,
                         .skip = flags & SKIP ? 2 : 0,
                         .separator = flags & COMMAS ? ',' : ' ',
                         .column_count = values + !steps,
                         .step = steps ? 0.01 : 0};
  for (int k = 0; k < layout.column_count; k++) layout.columns[k] = 1 + (k + (flags >> 5)) % 8;
  fuzz_write("r.txt", bytes + 1, count - 1);
  char path[1024], error[1024] = "";
  strncpy(path, fuzz_path("r.txt"), sizeof path - 1);
  path[sizeof path - 1] = 0;
  Arena arena = arena_new();
  Record record;
  if (record_share_here(path, layout, &arena, &record, (ErrorText){error, sizeof error})) {
    fuzz_expect(*error == 0, "a record that is read says nothing");
    use_record(&record);
  } else {
    fuzz_expect(fuzz_is_message(error, ""), "a refusal is one line");
    fuzz_expect(strstr(error, "/r.txt:") != NULL, "that names the file");
  }
  arena_destroy(&arena);
  fuzz_end();
  return 0;
}
