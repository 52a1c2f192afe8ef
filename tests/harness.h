#pragma once
// Checks for test programs: they count, say where they failed, and go on; the report decides the
// exit code.
#include <stdbool.h>

// Local. Both return whether the check held, so that a test can skip what depends on it.
#define CHECK(condition) test_check((condition) ? true : false, #condition, __FILE__, __LINE__)
#define CHECK_NEAR(value, expected, tolerance) \
  test_check_near((value), (expected), (tolerance), #value, __FILE__, __LINE__)

bool test_check(bool condition, const char *text, const char *file, int line);

// Local. |value - expected| <= tolerance (absolute); a NaN anywhere fails.
bool test_check_near(double value, double expected, double tolerance, const char *text,
                     const char *file, int line);

// Local. How often something is tried: so many times, or where sanitizers slow every try down
// tenfold an eighth of that, once at least.
int test_rounds(int rounds);

// Local. Checks made and failed so far.
int test_checks(void);
int test_failures(void);

// Local. Prints the counts; 0 when there were checks and all held, 1 otherwise: the exit code of
// main.
int test_report(void);

// Collective. The same for all ranks together, printed once: one failure, or one rank without a
// check, fails everywhere. Between par_begin and par_end.
int test_report_parallel(void);
