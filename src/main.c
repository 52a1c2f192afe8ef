// drystone: simulates large assemblies of contacting bodies on distributed memory.
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "command_help.h"
#include "memory.h"
#include "parallel.h"
#include "signals.h"

static int say_usage(const char *what, const char *word)
{
  all_ok(false, "%s%s%s; drystone --help lists commands and options", what, word ? " " : "",
         word ? word : "");
  return EXIT_USER;
}

static int dispatch(int argc, char **argv)
{
  if (argc < 2) return say_usage("no command given", NULL);
  if (command_help_is_asked(argc - 1, argv + 1)) {
    if (par_rank() == 0 && !command_help_print(argc - 1, argv + 1)) command_help_print_all();
    return EXIT_DONE;
  }
  int code;
  if (command_dispatch(argc - 1, argv + 1, &code)) return code;
  if (strcmp(argv[1], "help") == 0) return command_help(argc - 2, argv + 2);
  if (strcmp(argv[1], "--version") == 0) {
    if (par_rank() == 0) printf("drystone %s\n", DRYSTONE_VERSION);
    return EXIT_DONE;
  }
  return say_usage("unknown command", argv[1]);
}

// A table that a full disk cut short must not pass for the whole one.
static int finish_output(int code)
{
  errno = 0;
  const bool sound = fflush(stdout) == 0 && !ferror(stdout);
  const char *reason = errno ? strerror(errno) : "an earlier line failed";
  if (all_ok(sound, "cannot write to standard output: %s", reason)) return code;
  return code == EXIT_DONE ? EXIT_IO : code;
}

int main(int argc, char **argv)
{
#if defined(__x86_64__) && defined(__AVX2__)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2")) {
    fputs("drystone: this build needs a processor with AVX2 and BMI2 (x86-64-v3)\n", stderr);
    return EXIT_USER;
  }
#endif
  memory_keep_large_apart();
  // a job can be asked to stop while it still starts up
  const bool runs = argc > 1 && strcmp(argv[1], "run") == 0;
  if (runs) signals_begin();
  par_begin(&argc, &argv);
  if (runs) signals_listen();
  const int code = finish_output(dispatch(argc, argv));
  if (runs) signals_end();
#ifdef DRYSTONE_CHECKED
  assert(memory_live_bytes() == 0 && "all memory is given back at the end");
#endif
  par_end();
  return code;
}
