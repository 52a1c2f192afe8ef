// The eight methods in double precision.
#include "method_run.h"

void methods_double_find(const MethodRule *rule, const MethodTetra *a, const MethodTetra *b,
                         MethodContacts *found)
{
  assert(!rule->single && "the rule is of this precision");
  method_run(rule, a, b, found);
}
