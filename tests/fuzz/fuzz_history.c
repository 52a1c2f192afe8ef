// A table of lines, which a restart cuts back: the first byte says after which step.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disk.h"
#include "fuzz.h"
#include "history.h"
#include "memory.h"

#define HEADING "step,time"

// Every line is whole, the heading or of a step that was kept.
static void check_lines(const char *text, size_t count, int64_t last)
{
  fuzz_expect(count == strlen(text), "no byte of zero is left");
  fuzz_expect(strncmp(text, HEADING "\n", sizeof HEADING) == 0, "the heading comes first");
  for (const char *line = text + sizeof HEADING; *line;) {
    const char *end = strchr(line, '\n');
    fuzz_expect(end != NULL, "lines are whole");
    if (!end) return;
    char *after;
    const long long step = strtoll(line, &after, 10);
    fuzz_expect(after != line && *after == ',' && step <= last, "and of steps that were kept");
    line = end + 1;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
  if (count < 1) return 0;
  fuzz_begin();
  const int64_t last = bytes[0] & 15;
  fuzz_write(RESULTS_HISTORY, bytes + 1, count - 1);
  char folder[1024];
  snprintf(folder, sizeof folder, "%s", fuzz_path(""));
  Results results = {.path = folder, .lock = -1};
  History history;
  fuzz_catch_begin();
  bool fine = history_begin(&history, &results, RESULTS_HISTORY, HEADING, last);
  if (fine) fine = history_end(&history);
  else history_abandon(&history);
  fuzz_catch_end();
  fuzz_expect(fine, "any table can be cut back");

  DiskStatus status = {0};
  size_t kept;
  char *text = disk_read_whole(fuzz_path(RESULTS_HISTORY), (size_t)1 << 30, &kept, &status);
  fuzz_expect(text != NULL, "the table is there");
  if (text) check_lines(text, kept, last);
  memory_free(text);
  fuzz_end();
  return 0;
}
