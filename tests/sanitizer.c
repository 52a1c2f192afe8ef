// Linked into every program of the asan build: what the sanitizers shall do, wherever it is
// started.
#include <dlfcn.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define LEAK_CODE 23

// all names here replace others of libraries, which find what is visible alone
#pragma GCC visibility push(default)

const char *__asan_default_options(void);
const char *__ubsan_default_options(void);
const char *__lsan_default_suppressions(void);

// Libraries of the system have no frame pointers: only the slow unwinder finds who allocated.
const char *__asan_default_options(void)
{
  return "detect_stack_use_after_return=1:strict_string_checks=1:fast_unwind_on_malloc=0";
}

const char *__ubsan_default_options(void) { return "print_stacktrace=1:halt_on_error=1"; }

// The search for leaks stops all threads, and crashes on those of the message passing library while
// they come or go: at exit, and in a process that started without mpirun. So it is made before that
// library ends, under mpirun, or at exit where the library was never started. The program counts
// its own memory besides.
const char *__lsan_default_options(void);
const char *__lsan_default_options(void) { return "print_suppressions=0:leak_check_at_exit=0"; }

static int searched;

static jmp_buf search_given_up;
static int searching;

// Where the search crashes all the same, the sanitizer would end the process with code 1: the run
// goes on without it, and says so.
static void give_up_search(void)
{
  if (!searching) return;
  searching = 0;
  longjmp(search_given_up, 1);
}

static void search_leaks(void)
{
  fflush(stdout);
  __sanitizer_set_death_callback(give_up_search);
  if (setjmp(search_given_up)) {
    fprintf(stderr, "no search for leaks in process %d\n", (int)getpid());
    return;
  }
  searching = 1;
  const int leaks = __lsan_do_recoverable_leak_check();
  searching = 0;
  if (leaks) _exit(LEAK_CODE);
}

int PMPI_Finalize(void);
int MPI_Finalize(void);
int MPI_Finalize(void)
{
  if (getenv("OMPI_COMM_WORLD_SIZE")) search_leaks();
  searched = 1;
  return PMPI_Finalize();
}

__attribute__((destructor)) static void search_at_exit(void)
{
  if (!searched) search_leaks();
}

// Memory that the message passing library and its helpers keep until the process ends, and a world
// that a test breaks on purpose.
const char *__lsan_default_suppressions(void)
{
  return "leak:libmpi.so\nleak:libopen-rte.so\nleak:libopen-pal.so\nleak:libhwloc.so\n"
         "leak:libpmix.so\nleak:libevent\nleak:mca_\nleak:test_broken\n";
}

// Replaces the system's: a plugin that stays loaded can be named where it lost memory.
int dlclose(void *handle)
{
  (void)handle;
  return 0;
}
