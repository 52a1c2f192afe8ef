#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PRINTED_FAILURES = 20 };   // a broken loop shall not drown the first message

static int checks, failures;

// A test that is started by hand keeps no fillings of TetGen in the user's cache; ctest gives it
// one of its own.
__attribute__((constructor)) static void keep_out_of_cache(void)
{
  setenv("XDG_CACHE_HOME", "/dev/null", 0);
}

// Counts a check; true when a failure should be printed.
static bool count_check(bool condition)
{
  checks++;
  if (condition) return false;
  failures++;
  if (failures == PRINTED_FAILURES + 1) fprintf(stderr, "further failures are counted only\n");
  return failures <= PRINTED_FAILURES;
}

bool test_check(bool condition, const char *text, const char *file, int line)
{
  if (count_check(condition)) fprintf(stderr, "%s:%d: failed: %s\n", file, line, text);
  return condition;
}

bool test_check_near(double value, double expected, double tolerance, const char *text,
                     const char *file, int line)
{
  const bool near = fabs(value - expected) <= tolerance;
  if (count_check(near))
    fprintf(stderr, "%s:%d: failed: %s is %.17g, expected %.17g within %.3g\n", file, line, text,
            value, expected, tolerance);
  return near;
}

int test_rounds(int rounds)
{
#ifdef __SANITIZE_ADDRESS__
  return rounds < 8 ? 1 : rounds / 8;
#else
  return rounds;
#endif
}

int test_checks(void) { return checks; }
int test_failures(void) { return failures; }

int test_report(void)
{
  printf("%d checks, %d failed\n", checks, failures);
  return checks > 0 && failures == 0 ? 0 : 1;
}
