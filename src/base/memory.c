#include "memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "parallel.h"

#define HUGE_PAGE ((uintptr_t)1 << 21)   // bytes; what the kernel can map by one entry

// the size stands in front of each block; 16 bytes keep the alignment of malloc
typedef union {
  size_t bytes;
  max_align_t align;
} Header;

static int64_t live_bytes, peak_bytes;

// Large blocks ask for huge pages: a first touch then costs one fault for 512 pages, and a scan or
// a gather through them misses few translations. A kernel that has none to give goes on as before.
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

static void *block_begin(Header *header, size_t bytes)
{
  if (!header) die("out of memory: %zu bytes wanted, %lld in use", bytes, (long long)live_bytes);
  if (bytes >= 2 * HUGE_PAGE) ask_for_huge_pages(header, bytes);
  header->bytes = bytes;
  live_bytes += (int64_t)bytes;
  if (live_bytes > peak_bytes) peak_bytes = live_bytes;
  return header + 1;
}

void *memory_allocate(size_t bytes)
{
  if (bytes == 0) bytes = 1;
  return block_begin(malloc(sizeof(Header) + bytes), bytes);
}

void *memory_allocate_zero(size_t count, size_t size)
{
  if (size && count > (SIZE_MAX - sizeof(Header)) / size)
    die("out of memory: %zu items of %zu bytes", count, size);
  void *block = memory_allocate(count * size);
  memset(block, 0, count * size);
  return block;
}

void *memory_resize(void *block, size_t bytes)
{
  if (!block) return memory_allocate(bytes);
  if (bytes == 0) bytes = 1;
  Header *header = (Header *)block - 1;
  const size_t old = header->bytes;
#ifdef DRYSTONE_DEBUG
  void *moved = memory_allocate(bytes);
  memcpy(moved, block, old < bytes ? old : bytes);
  memory_free(block);
  return moved;
#else
  live_bytes -= (int64_t)old;
  return block_begin(realloc(header, sizeof(Header) + bytes), bytes);
#endif
}

void memory_free(void *block)
{
  if (!block) return;
  Header *header = (Header *)block - 1;
  live_bytes -= (int64_t)header->bytes;
  free(header);
}

char *memory_copy_string(const char *text)
{
  const size_t bytes = strlen(text) + 1;
  char *copy = memory_allocate(bytes);
  memcpy(copy, text, bytes);
  return copy;
}

int64_t memory_live_bytes(void) { return live_bytes; }
int64_t memory_peak_bytes(void) { return peak_bytes; }
