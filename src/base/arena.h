#pragma once
// Scratch memory for one step: allocation by moving a pointer, everything released at once. Local.
#include <stddef.h>

typedef struct ArenaBlock ArenaBlock;

typedef struct {
  ArenaBlock *head;    // block in use, older blocks behind it
  ArenaBlock *spare;   // released, for the next one that fits; or NULL
  size_t used;         // bytes used in head
  size_t peak;         // largest total since the arena was made, bytes
  size_t total;        // bytes handed out since the last reset
} Arena;

typedef struct {
  ArenaBlock *head;
  size_t used, total;
} ArenaMark;

Arena arena_new(void);
void arena_destroy(Arena *arena);

// 64-byte aligned, not zeroed, never NULL; zero bytes give a valid address.
void *arena_allocate(Arena *arena, size_t bytes);
void *arena_allocate_zero(Arena *arena, size_t count, size_t size);

// Everything handed out becomes invalid; after a reset one block holds what the largest step
// needed.
void arena_reset(Arena *arena);

// What was handed out after the mark becomes invalid.
ArenaMark arena_mark(const Arena *arena);
void arena_release(Arena *arena, ArenaMark mark);
