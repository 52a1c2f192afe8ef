// The table of kinds of bodies.
#include "kind.h"

#include <assert.h>

const BodyKind *const KINDS[] = {&kind_rigid, &kind_affine, NULL};

bool kind_all_known(const Bodies *bodies)
{
  assert((!bodies->kind || bodies->kinds != NULL) && "numbers of kinds have a meaning");
  if (!bodies->kind) return true;
  int count = 0;
  while (bodies->kinds[count]) count++;
  for (int i = 0; i < bodies->table.count; i++)
    if (bodies->kind[i] < 0 || bodies->kind[i] >= count) return false;
  return true;
}
