#pragma once
// Lists of whole numbers: sorted, searched, and gathered by group.
#include "arena.h"

typedef struct {
  int first, second;
} NumberPair;

// Local. Sorts by the first number, then by the second one.
void numbers_sort_pairs(NumberPair *pairs, int count);

// Local. Sorts; numbers_sort_different also drops repeated ones and returns how many are left.
void numbers_sort(int *numbers, int count);
int numbers_sort_different(int *numbers, int count);

// Local. Place in a sorted list, or -1.
int numbers_find(const int *numbers, int count, int number);

typedef struct {
  int *start;     // [groups + 1] into members
  int *members;   // items of a group are in a row, ascending
} NumberGroups;

// Local. Items by group; group: [count] of each item, 0 to groups - 1. Arena.
NumberGroups numbers_group(const int *group, int count, int groups, Arena *arena);
