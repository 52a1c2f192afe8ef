#pragma once
// Promises that builds for finding bugs keep an eye on (Debug, Asan, Fuzz), and that cost a release
// nothing. A promise that costs next to nothing is an assert, which every build has.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef DRYSTONE_CHECKED
#define CHECK_ON true
#else
#define CHECK_ON false
#endif

// Local. An assert of builds that check; elsewhere the condition is compiled and not evaluated.
#define assert_debug(condition) assert(!CHECK_ON || (condition))

// Local. In builds that check, ends the job when a validator names a fault. A validator returns
// NULL, or a phrase that says what does not hold; when: where in the program that was found.
#define check_valid(fault, when) \
  (CHECK_ON ? check_no_fault((fault), (when), __FILE__, __LINE__) : (void)0)

void check_no_fault(const char *fault, const char *when, const char *file, int line);
