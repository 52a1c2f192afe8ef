// drystone: simulates large assemblies of contacting bodies on distributed memory.
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "memory.h"
#include "parallel.h"
#include "signals.h"

// in two pieces, for a literal of C has 4095 characters at most
static const char *const help_of_run =
    "usage: drystone run CASE [options]       simulate a case; under mpirun on several ranks\n"
    "       drystone check CASE [--set k=v]   read a case, say what is in it, simulate nothing\n"
    "       drystone info FOLDER [--json] [--hash]\n"
    "                                         verify the checkpoints in a folder of results, or "
    "the\n"
    "                                         one whose file is given, and say what the newest\n"
    "                                         sound one holds; the hash is the last line\n"
    "       drystone mesh FILE [--scale S] [--up x|y|z] [--hull] [--json]\n"
    "                                         read a mesh, say which bodies are in it and what "
    "was\n"
    "                                         mended\n"
    "       drystone solve FILE [--solver S] [--tolerance T] [--max-sweeps N] [--json]\n"
    "                                         solve a contact problem of the FCLIB format, say "
    "how\n"
    "                                         well\n"
    "       drystone bench geometry [--pairs N] [--repeats N] [--json]\n"
    "       drystone bench overlap [--boxes N] [--repeats N] [--json]\n"
    "       drystone bench solver [--scene S] [--solver S] [--repeats N] [--json]\n"
    "                                         time the kernels of the contact geometry on fixed\n"
    "                                         loads, and the solvers on fixed scenes\n"
    "       drystone quality [--fine] [--json]\n"
    "                                         score contact points on Erleben's suite, beside the\n"
    "                                         methods of his text\n"
    "       drystone --help | --version\n"
    "\n"
    "options of run:\n"
    "  -o DIR            folder of results (default: results/NAME for NAME.yaml)\n"
    "  --steps N         stop after step N, counted from the start of the case\n"
    "  --restart         go on from the newest valid checkpoint in the folder\n"
    "  --allow KEY       of --restart: this key of the case, and those below it, may differ from\n"
    "                    the case that the checkpoint was made with, as in --allow solver (any\n"
    "                    number of times)\n"
    "  --overwrite       replace the results in the folder\n"
    "  --max-wall T      stop, with a checkpoint, before T has passed since the start: 90s, 55m,\n"
    "                    1.5h, 2d; a number alone: seconds\n"
    "  --set k=v         override a key of the case, for example --set time.end=2 (any number of\n"
    "                    times)\n"
    "  --hash-log FILE   one line per step with a hash per stage; --restart goes on behind\n"
    "                    the lines up to its checkpoint\n"
    "  --dump-problem N  write the contact problem of step N as problem-N.hdf5 into the folder, "
    "in\n"
    "                    the FCLIB format, for drystone solve and other programs\n"
    "\n"
    "stopping a run: the signals USR1, TERM and INT to any rank or to mpirun, and a file STOP in\n"
    "the folder of results, end it after the step, with a checkpoint and exit code 85 (of signals\n"
    "to mpirun only USR1 leaves time for that); one more signal, 2 s later or more, ends it at\n"
    "once\n"
    "\n";

static const char *const help_of_others =
    "options of mesh:\n"
    "  --scale S         metres per unit of the file (default: 1)\n"
    "  --up AXIS         axis of the file that points upwards: x, y or z (default: z)\n"
    "  --hull            take the convex hull of each body in its place\n"
    "  --json            one JSON text for programs\n"
    "\n"
    "options of solve:\n"
    "  --solver S        automatic, admm (also admm-cholesky), nesterov or gauss-seidel\n"
    "                    (default: automatic)\n"
    "  --tolerance T     of the largest residual (default: 1e-6)\n"
    "  --max-sweeps N    iterations of a method (default: 20000)\n"
    "  --json            one JSON text for programs\n"
    "\n"
    "options of bench:\n"
    "  --pairs N         of geometry: different pairs of bodies in each load (default: 20000)\n"
    "  --boxes N         of overlap: boxes in each load (default: 1000000)\n"
    "  --scene S         of solver: wall-210, stack-1000, wall-100, rubble (default: these) or\n"
    "                    wall-million\n"
    "  --solver S        of solver: gauss-seidel, nesterov, admm-cholesky, admm-amg or automatic\n"
    "                    (default: all)\n"
    "  --repeats N       of which the median counts (default: 5; of solver: 3)\n"
    "  --json            one JSON text for programs\n"
    "\n"
    "options of quality:\n"
    "  --fine            fine meshes of the pillar as well (about a minute)\n"
    "  --json            one JSON text for programs\n"
    "  exit codes: 70 a score that is promised does not hold, 2 the program tetgen is missing, so\n"
    "              that meshed bodies were left out; whatever ran is printed\n"
    "\n"
    "exit codes: 0 done, 2 wrong case, mesh or option, 3 not converged where the case demands it,\n"
    "            4 input/output failed or data damaged, 70 a bug of ours, 85 stopped as asked\n"
    "            with a checkpoint, 86 stopped at once when asked again\n";

static int say_usage(const char *what, const char *word)
{
  all_ok(false, "%s%s%s; drystone --help lists commands and options", what, word ? " " : "",
         word ? word : "");
  return EXIT_USER;
}

static bool asks_for_help(int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return true;
  return false;
}

static int dispatch(int argc, char **argv)
{
  if (argc < 2) return say_usage("no command given", NULL);
  if (asks_for_help(argc, argv)) {
    if (par_rank() == 0) printf("%s%s", help_of_run, help_of_others);
    return EXIT_DONE;
  }
  if (strcmp(argv[1], "run") == 0) return command_run(argc - 2, argv + 2);
  if (strcmp(argv[1], "check") == 0) return command_check(argc - 2, argv + 2);
  if (strcmp(argv[1], "info") == 0) return command_info(argc - 2, argv + 2);
  if (strcmp(argv[1], "mesh") == 0) return command_mesh(argc - 2, argv + 2);
  if (strcmp(argv[1], "solve") == 0) return command_solve(argc - 2, argv + 2);
  if (strcmp(argv[1], "bench") == 0) return command_bench(argc - 2, argv + 2);
  if (strcmp(argv[1], "quality") == 0) return command_quality(argc - 2, argv + 2);
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
  // a job can be asked to stop while it still starts up
  const bool runs = argc > 1 && strcmp(argv[1], "run") == 0;
  if (runs) signals_begin();
  par_begin(&argc, &argv);
  if (runs) signals_listen();
  const int code = finish_output(dispatch(argc, argv));
  if (runs) signals_end();
#if defined(DRYSTONE_DEBUG) || defined(__SANITIZE_ADDRESS__)
  assert(memory_live_bytes() == 0 && "all memory is given back at the end");
#endif
  par_end();
  return code;
}
