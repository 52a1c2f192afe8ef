// Linked into every program of the asan build: what the sanitizers shall do, wherever it is
// started.
#include <dlfcn.h>

const char *__asan_default_options(void);
const char *__ubsan_default_options(void);
const char *__lsan_default_suppressions(void);

// Libraries of the system have no frame pointers: only the slow unwinder finds who allocated.
const char *__asan_default_options(void)
{
  return "detect_stack_use_after_return=1:strict_string_checks=1:fast_unwind_on_malloc=0";
}

const char *__ubsan_default_options(void) { return "print_stacktrace=1:halt_on_error=1"; }

const char *__lsan_default_options(void);
const char *__lsan_default_options(void) { return "print_suppressions=0"; }

// Memory that the message passing library and its helpers keep until the process ends.
const char *__lsan_default_suppressions(void)
{
  return "leak:libmpi.so\nleak:libopen-rte.so\nleak:libopen-pal.so\nleak:libhwloc.so\n"
         "leak:libpmix.so\nleak:libevent\nleak:mca_\n";
}

// Replaces the system's: a plugin that stays loaded can be named where it lost memory.
int dlclose(void *handle)
{
  (void)handle;
  return 0;
}
