// The harness itself: it must count failures and turn them into an exit code.
#include <math.h>

#include "harness.h"

int main(void)
{
  const bool nothing_checked = test_report() == 1;   // a test without checks is no test

  const bool holds = CHECK(1 + 1 == 2) && CHECK_NEAR(1.0, 1.0 + 1e-12, 1e-9);
  const bool good = test_checks() == 2 && test_failures() == 0 && test_report() == 0;

  // these are meant to fail, and print so
  const bool fails = !CHECK(1 + 1 == 3) && !CHECK_NEAR(1.0, 2.0, 0.5) &&
                     !CHECK_NEAR((double)NAN, 1.0, 1e9) && !CHECK_NEAR(1.0, 1.0, (double)NAN);
  const bool counted = test_checks() == 6 && test_failures() == 4 && test_report() == 1;

  return nothing_checked && holds && good && fails && counted ? 0 : 1;
}
