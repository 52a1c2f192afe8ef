// drystone check: reads a case as run would, says what is in it, simulates nothing.
#include "case_places.h"
#include "case_reader.h"
#include "case_sense.h"
#include "case_summary.h"
#include "command.h"
#include "log.h"
#include "parallel.h"

typedef struct {
  const char *path;
  OptionTexts overrides;
} CheckOptions;

static const Option options_of_check[] = {
    {"--set", "k=v", "override a key of the case (any number of times)", OPTION_TEXTS,
     .offset = offsetof(CheckOptions, overrides)}};

const OptionTable COMMAND_CHECK_OPTIONS = {
    .command = "check",
    .purpose = "read a case, say what is in it, simulate nothing",
    .file = "CASE",
    .files = "case files",
    .no_file = "check needs a case file: drystone check CASE",
    .file_offset = offsetof(CheckOptions, path),
    .count = sizeof options_of_check / sizeof *options_of_check,
    .options = options_of_check,
};

static int check_case(const CheckOptions *o)
{
  const CaseOptions options = {.override_count = o->overrides.count,
                               .overrides = o->overrides.texts};
  Case c;
  if (!case_read(o->path, &options, &c)) return EXIT_USER;
  log_line("%s", case_summary_text(&c));
  case_sense_warn_of_motion(&c);
  if (!case_sense_warn_of_start(&c))
    log_line("%-13snot looked at: the bodies have more than %d parts", "places",
             CASE_PLACES_MOST_PARTS);
  case_destroy(&c);
  return EXIT_DONE;
}

int command_check(int count, char **words)
{
  CheckOptions options = {0};
  const bool sound = options_read(&COMMAND_CHECK_OPTIONS, count, words, &options);
  const int code = sound ? check_case(&options) : EXIT_USER;
  options_end(&COMMAND_CHECK_OPTIONS, &options);
  return code;
}
