// Apart from harness.c, so that serial tests link without message passing.
#include <stdint.h>
#include <stdio.h>

#include "harness.h"
#include "parallel.h"

int test_report_parallel(void)
{
  const int64_t all_checks = par_sum(test_checks());
  const int64_t all_failures = par_sum(test_failures());
  const bool good = par_all(test_checks() > 0 && test_failures() == 0);
  if (test_failures() > 0)
    fprintf(stderr, "rank %d: %d checks failed\n", par_rank(), test_failures());
  if (par_rank() == 0)
    printf("%lld checks on %d ranks, %lld failed\n", (long long)all_checks, par_size(),
           (long long)all_failures);
  return good ? 0 : 1;
}
