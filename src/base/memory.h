#pragma once
// Heap memory that is counted, so that "nothing is live at exit" can be checked. Local.
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#define MEMORY_FIRST_BYTES 1024   // of a growing allocation

// Returns at least one byte, zeroed where stated; ends the job with EXIT_MEMORY when the system
// has none left.
void *memory_allocate(size_t bytes);
void *memory_allocate_zero(size_t count, size_t size);

// Grows or shrinks; debug builds always move the allocation, so that stale pointers show at once.
void *memory_resize(void *allocation, size_t bytes);

// Room for at least so many items in a growing allocation: that itself where it has room, else a
// larger one with the items so far, moved as by memory_resize. capacity: items that it has room
// for, 0 of NULL at first, at least doubled when it grows. More than INT_MAX items end the job with
// EXIT_MEMORY.
void *memory_grow(void *allocation, int64_t wanted, int *capacity, size_t item_bytes);
// The same in bytes.
void *memory_grow_bytes(void *allocation, size_t wanted, size_t *capacity);

// Ends the job with EXIT_MEMORY: so many items are more than an int counts.
_Noreturn void memory_refuse_items(int64_t wanted);

// The rule of growth, for arenas as well: how many items an allocation gets that has room for fewer
// than are wanted.
static inline int memory_grown_capacity(int capacity, int64_t wanted, size_t item_bytes)
{
  if (wanted > INT_MAX) memory_refuse_items(wanted);
  const int first =
      item_bytes < MEMORY_FIRST_BYTES / 2 ? (int)(MEMORY_FIRST_BYTES / item_bytes) : 2;
  const int most = capacity < INT_MAX / 2 ? 2 * capacity : INT_MAX;
  const int grown = capacity > 0 ? most : first;
  return grown < wanted ? (int)wanted : grown;
}

// Frees an allocation of this module; NULL is fine.
void memory_free(void *allocation);

// For a program, at its start: allocations that are large have pages of their own, which go back to
// the system when they are freed, however large they were before.
void memory_keep_large_apart(void);

// Hands free pages back to the system, after work that took far more than what goes on.
void memory_trim(void);

// A copy of a string, freed by memory_free.
char *memory_copy_string(const char *text);

// Bytes handed out and not yet freed on this rank; largest value so far. For the tests.
int64_t memory_live_bytes(void);
int64_t memory_peak_bytes(void);
