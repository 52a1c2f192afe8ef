#pragma once
// Heap memory that is counted, so that "nothing is live at exit" can be checked. Local.
#include <stddef.h>
#include <stdint.h>

// Returns at least one byte, zeroed where stated; dies by name when the system has none left.
void *memory_allocate(size_t bytes);
void *memory_allocate_zero(size_t count, size_t size);

// Grows or shrinks; debug builds always move the block, so that stale pointers show at once.
void *memory_resize(void *block, size_t bytes);

// Frees a block of this module; NULL is fine.
void memory_free(void *block);

// A copy of a string, freed by memory_free.
char *memory_copy_string(const char *text);

// Bytes handed out and not yet freed on this rank; largest value so far.
int64_t memory_live_bytes(void);
int64_t memory_peak_bytes(void);
