// The report of the harness is the same on all ranks.
#include "harness.h"
#include "parallel.h"

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  bool good = true;

  // one rank without a check
  if (par_rank() > 0) CHECK(true);
  good = good && test_report_parallel() == 1;

  // all have checks that hold
  CHECK(par_size() >= 1);
  good = good && test_report_parallel() == 0;

  // the last rank has one that fails, and prints so
  if (par_rank() == par_size() - 1) CHECK(par_size() == 0);
  good = good && test_report_parallel() == 1;

  par_end();
  return good ? 0 : 1;
}
