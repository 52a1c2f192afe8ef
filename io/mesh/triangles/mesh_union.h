#pragma once
// Disjoint sets of numbers; the lowest member stands for a set. Local.
#include "arena.h"

static inline int *union_new(int count, Arena *arena)
{
  int *parent = arena_allocate(arena, (size_t)count * sizeof(int));
  for (int i = 0; i < count; i++) parent[i] = i;
  return parent;
}

static inline int union_root(int *parent, int i)
{
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

static inline void union_join(int *parent, int a, int b)
{
  const int p = union_root(parent, a), q = union_root(parent, b);
  if (p < q) parent[q] = p;
  else parent[p] = q;
}

// number[i]: the set of i, sets in the order of their first members. Returns how many.
static inline int union_number(int *parent, int count, int *number)
{
  int sets = 0;
  for (int i = 0; i < count; i++) {
    const int root = union_root(parent, i);   // never above i
    number[i] = root == i ? sets++ : number[root];
  }
  return sets;
}
