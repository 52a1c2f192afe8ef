// drystone check: reads a case as run would, says what is in it, simulates nothing.
#include <stdio.h>
#include <string.h>

#include "case_reader.h"
#include "case_summary.h"
#include "command.h"
#include "memory.h"
#include "parallel.h"

static bool parse_words(int count, char **words, const char **path, CaseOptions *options,
                        const char **overrides)
{
  *path = NULL;
  for (int i = 0; i < count; i++) {
    if (strcmp(words[i], "--set") == 0) {
      if (i + 1 == count) return all_ok(false, "option --set needs a value, key=value");
      overrides[options->override_count++] = words[++i];
    } else if (words[i][0] == '-') {
      return all_ok(false, "unknown option %s; drystone --help lists the options", words[i]);
    } else if (*path) {
      return all_ok(false, "two case files given, %s and %s; check takes one", *path, words[i]);
    } else {
      *path = words[i];
    }
  }
  options->overrides = overrides;
  return *path ? true : all_ok(false, "check needs a case file: drystone check CASE");
}

int command_check(int count, char **words)
{
  const char **overrides = memory_allocate(((size_t)count + 1) * sizeof *overrides);
  CaseOptions options = {0};
  const char *path;
  Case c;
  int code = EXIT_USER;
  if (parse_words(count, words, &path, &options, overrides) && case_load(path, &options, &c)) {
    if (par_rank() == 0) puts(case_summary_text(&c));
    case_destroy(&c);
    code = EXIT_DONE;
  }
  memory_free(overrides);
  return code;
}
