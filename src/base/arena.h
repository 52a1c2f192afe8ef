#pragma once
// Scratch memory for one step: allocation by moving a pointer, everything released at once. Local.
#include <stddef.h>
#include <string.h>

#include "memory.h"

#define ARENA_ALIGN 64

typedef struct ArenaChunk ArenaChunk;
struct ArenaChunk {
  ArenaChunk *older;
  size_t capacity;
  unsigned char *bytes;   // aligned start inside the chunk
};

typedef struct {
  ArenaChunk *head;    // chunk in use, older chunks behind it
  ArenaChunk *spare;   // released, for the next one that fits; or NULL
  size_t used;         // bytes used in head
  size_t peak;         // largest total since the arena was made, bytes
  size_t total;        // bytes handed out since the last reset
} Arena;

typedef struct {
  ArenaChunk *head;
  size_t used, total;
} ArenaMark;

Arena arena_new(void);
void arena_destroy(Arena *arena);

// 64-byte aligned, not zeroed, never NULL; zero bytes give a valid address.
static inline void *arena_allocate(Arena *arena, size_t bytes);
void *arena_allocate_zero(Arena *arena, size_t count, size_t size);

// Room for at least so many items of a growing list in the arena: the items themselves where there
// is room, else a copy in a larger chunk (memory_grow).
static inline void *arena_grow(Arena *arena, void *items, int64_t wanted, int *capacity,
                               size_t item_bytes);

// Everything handed out becomes invalid; after a reset one chunk holds what the largest step
// needed.
void arena_reset(Arena *arena);

// Everything handed out becomes invalid and its memory goes back; the next chunk is as large as the
// largest need so far.
void arena_give_back(Arena *arena);

// What was handed out after the mark becomes invalid.
ArenaMark arena_mark(const Arena *arena);
void arena_release(Arena *arena, ArenaMark mark);

// Room for at least so many bytes in a new head.
void arena_push_chunk(Arena *arena, size_t bytes);

static inline void *arena_allocate(Arena *arena, size_t bytes)
{
  const size_t rounded =
      bytes == 0 ? ARENA_ALIGN : (bytes + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
  if (!arena->head || arena->head->capacity - arena->used < rounded)
    arena_push_chunk(arena, rounded);
  void *result = arena->head->bytes + arena->used;
  arena->used += rounded;
  arena->total += rounded;
  if (arena->total > arena->peak) arena->peak = arena->total;
  return result;
}

static inline void *arena_grow(Arena *arena, void *items, int64_t wanted, int *capacity,
                               size_t item_bytes)
{
  if (wanted <= *capacity) return items;
  const size_t held = (size_t)*capacity * item_bytes;
  *capacity = memory_grown_capacity(*capacity, wanted, item_bytes);
  void *grown = arena_allocate(arena, (size_t)*capacity * item_bytes);
  if (held > 0) memcpy(grown, items, held);
  return grown;
}
