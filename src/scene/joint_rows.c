// Makes the rows of joints out of what the case file says of them.
#include "joint_rows.h"

#include <assert.h>

const char *joint_rows_make(Case *c)
{
  assert(c->joint_count == 0 && "joints are not read yet");
  return NULL;
}
