#pragma once
// Sets of numbers that are joined as they are found to belong together. Local.
#include "check.h"

// The number that stands for the set of i; parent[i] is i where nothing was joined. Ways get
// shorter on the way (Tarjan and van Leeuwen 1984: halving).
static inline int forest_root(int *parent, int i)
{
  assert_debug(i >= 0 && parent[i] >= 0 && "a member has a parent");
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}
