// The eight methods in single precision.
#define REAL_SINGLE
#include "method_run.h"

void methods_single_find(const MethodRule *rule, const MethodTetra *a, const MethodTetra *b,
                         MethodContacts *found)
{
  assert(rule->single && "the rule is of this precision");
  method_run(rule, a, b, found);
}
