#pragma once
// Disjoint sets of numbers; the lowest member stands for a set. Local.
#include <assert.h>

#include "arena.h"
#include "check.h"

static inline int *union_new(int count, Arena *arena)
{
  assert(count >= 0 && "members are counted");
  int *parent = arena_allocate(arena, (size_t)count * sizeof(int));
  for (int i = 0; i < count; i++) parent[i] = i;
  return parent;
}

static inline int union_root(int *parent, int i)
{
  assert_debug(i >= 0 && parent[i] >= 0 && parent[i] <= i && "the lowest member stands for a set");
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

static inline void union_join(int *parent, int a, int b)
{
  assert_debug(a >= 0 && b >= 0 && "members are numbered");
  const int p = union_root(parent, a), q = union_root(parent, b);
  if (p < q) parent[q] = p;
  else parent[p] = q;
}

// number[i]: the set of i, sets in the order of their first members. Returns how many.
static inline int union_number(int *parent, int count, int *number)
{
  assert(count >= 0 && (number != NULL || count == 0) && "each member gets a number");
  int sets = 0;
  for (int i = 0; i < count; i++) {
    const int root = union_root(parent, i);   // never above i
    number[i] = root == i ? sets++ : number[root];
  }
  return sets;
}
