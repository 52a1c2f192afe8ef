// Scratch memory of a step, by moving a pointer through chunks.
#include "arena.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "memory.h"

#define ARENA_FIRST_CHUNK ((size_t)1 << 16)
#define GROWTH_SHARE 64
#define MOST_SPARE ((size_t)1 << 22)   // larger chunks are not kept for later

Arena arena_new(void) { return (Arena){0}; }

static void free_chunks(ArenaChunk *chunk, const ArenaChunk *until)
{
  while (chunk != until) {
    ArenaChunk *older = chunk->older;
    memory_free(chunk);
    chunk = older;
  }
}

void arena_destroy(Arena *arena)
{
  free_chunks(arena->head, NULL);
  memory_free(arena->spare);
  *arena = (Arena){0};
}

static void push_chunk(Arena *arena, size_t bytes)
{
  assert(bytes > 0 && "a chunk has room");
  ArenaChunk *chunk = arena->spare;
  if (chunk != NULL && chunk->capacity >= bytes) {
    arena->spare = NULL;
  } else {
    chunk = memory_allocate(sizeof *chunk + bytes + ARENA_ALIGN);
    const uintptr_t start = (uintptr_t)(chunk + 1);
    chunk->bytes = (unsigned char *)((start + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN);
    chunk->capacity = bytes;
  }
  chunk->older = arena->head;
  arena->head = chunk;
  arena->used = 0;
}

// A share of what was handed out: few chunks, and little room that nobody asked for.
void arena_push_chunk(Arena *arena, size_t bytes)
{
  assert(bytes > 0 && bytes % ARENA_ALIGN == 0 && "room is handed out in whole steps");
  const size_t share = arena->total / GROWTH_SHARE;
  size_t usual = share < ARENA_FIRST_CHUNK ? ARENA_FIRST_CHUNK : share;
  if (!arena->head && !arena->spare && usual < arena->peak) usual = arena->peak;
  push_chunk(arena, usual < bytes ? bytes : usual);
}

void *arena_allocate_zero(Arena *arena, size_t count, size_t size)
{
  assert((size == 0 || count <= SIZE_MAX / size) && "a size fits its type");
  void *result = arena_allocate(arena, count * size);
  memset(result, 0, count * size);
  return result;
}

void arena_reset(Arena *arena)
{
  assert(arena != NULL && "there is an arena");
  memory_free(arena->spare);
  arena->spare = NULL;
  // several chunks, or one beyond which the work went, become one that holds the largest step so
  // far
  if (arena->head && (arena->head->older || arena->head->capacity < arena->peak)) {
    free_chunks(arena->head, NULL);
    arena->head = NULL;
    push_chunk(arena, arena->peak);
  }
  arena->used = 0;
  arena->total = 0;
}

void arena_give_back(Arena *arena)
{
  const size_t peak = arena->peak;
  arena_destroy(arena);
  arena->peak = peak;
}

ArenaMark arena_mark(const Arena *arena)
{
  return (ArenaMark){arena->head, arena->used, arena->total};
}

void arena_release(Arena *arena, ArenaMark mark)
{
  // work that goes over the end of a chunk again and again finds the next one made: the largest of
  // what is released stays
  while (arena->head != mark.head) {
    ArenaChunk *chunk = arena->head;
    arena->head = chunk->older;
    const bool kept = !arena->spare || arena->spare->capacity < chunk->capacity;
    if (!kept || chunk->capacity > MOST_SPARE) {
      memory_free(chunk);
    } else {
      memory_free(arena->spare);
      arena->spare = chunk;
    }
  }
  arena->used = mark.used;
  arena->total = mark.total;
}
