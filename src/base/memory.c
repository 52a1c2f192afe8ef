// Allocates and counts heap memory, so that live bytes at exit can be checked.
#include "memory.h"

#include <assert.h>
#include <stdint.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "fail.h"

#define LARGE (1 << 17)                  // bytes of an allocation with pages of its own
#define HUGE_PAGE ((uintptr_t)1 << 21)   // bytes; what the kernel can map by one entry

// the size stands in front of each allocation; 16 bytes keep the alignment of malloc
typedef union {
  size_t bytes;
  max_align_t align;
} Header;

static int64_t live_bytes, peak_bytes;

// Large allocations ask for huge pages: a first touch then costs one fault for 512 pages, and a
// scan or a gather through them misses few translations. A kernel that has none to give goes on as
// before.
static void ask_for_huge_pages(const Header *header, size_t bytes)
{
#ifdef MADV_HUGEPAGE
  const uintptr_t begin = ((uintptr_t)header + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
  const uintptr_t end = ((uintptr_t)(header + 1) + bytes) / HUGE_PAGE * HUGE_PAGE;
  if (begin < end) madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
  (void)header;
  (void)bytes;
#endif
}

static void *allocation_begin(Header *header, size_t bytes)
{
  if (!header) {
    die_memory("%zu bytes wanted beside %lld that are in use", bytes, (long long)live_bytes);
  }
  if (bytes >= 2 * HUGE_PAGE) ask_for_huge_pages(header, bytes);
  header->bytes = bytes;
  live_bytes += (int64_t)bytes;
  if (live_bytes > peak_bytes) peak_bytes = live_bytes;
  return header + 1;
}

void *memory_allocate(size_t bytes)
{
  assert(live_bytes >= 0 && "no more is freed than was handed out");
  if (bytes == 0) bytes = 1;
  return allocation_begin(malloc(sizeof(Header) + bytes), bytes);
}

void *memory_allocate_zero(size_t count, size_t size)
{
  if (size && count > (SIZE_MAX - sizeof(Header)) / size)
    die_memory("%zu items of %zu bytes wanted", count, size);
  void *allocation = memory_allocate(count * size);
  memset(allocation, 0, count * size);
  return allocation;
}

void *memory_resize(void *allocation, size_t bytes)
{
  if (!allocation) return memory_allocate(bytes);
  if (bytes == 0) bytes = 1;
  Header *header = (Header *)allocation - 1;
  const size_t old = header->bytes;
#ifdef DRYSTONE_CHECKED
  void *moved = memory_allocate(bytes);
  memcpy(moved, allocation, old < bytes ? old : bytes);
  memory_free(allocation);
  return moved;
#else
  live_bytes -= (int64_t)old;
  return allocation_begin(realloc(header, sizeof(Header) + bytes), bytes);
#endif
}

static size_t grown_bytes(size_t capacity, size_t wanted)
{
  if (capacity > SIZE_MAX / 2) die_memory("more than %zu bytes wanted in one allocation", capacity);
  const size_t doubled = capacity > 0 ? 2 * capacity : MEMORY_FIRST_BYTES;
  return doubled < wanted ? wanted : doubled;
}

void memory_refuse_items(int64_t wanted)
{
  assert(wanted > INT_MAX && "fewer items are counted by an int");
  die_memory("%lld items wanted in one list", (long long)wanted);
}

void *memory_grow(void *allocation, int64_t wanted, int *capacity, size_t item_bytes)
{
  assert(*capacity >= 0 && (allocation != NULL || *capacity == 0) && wanted >= 0 &&
         "an allocation has room, and items are counted");
  if (wanted <= *capacity) return allocation;
  *capacity = memory_grown_capacity(*capacity, wanted, item_bytes);
  return memory_resize(allocation, (size_t)*capacity * item_bytes);
}

void *memory_grow_bytes(void *allocation, size_t wanted, size_t *capacity)
{
  assert((allocation != NULL || *capacity == 0) && "an allocation has room");
  if (wanted <= *capacity) return allocation;
  *capacity = grown_bytes(*capacity, wanted);
  return memory_resize(allocation, *capacity);
}

void memory_free(void *allocation)
{
  assert(live_bytes >= 0 && "no more is freed than was handed out");
  if (!allocation) return;
  Header *header = (Header *)allocation - 1;
  live_bytes -= (int64_t)header->bytes;
  free(header);
}

void memory_keep_large_apart(void)
{
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
}

void memory_trim(void)
{
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

char *memory_copy_string(const char *text)
{
  assert(text != NULL && "there is a text to copy");
  const size_t bytes = strlen(text) + 1;
  char *copy = memory_allocate(bytes);
  memcpy(copy, text, bytes);
  return copy;
}

int64_t memory_live_bytes(void) { return live_bytes; }
int64_t memory_peak_bytes(void) { return peak_bytes; }
