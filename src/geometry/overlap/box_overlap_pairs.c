// The list of pairs of a box overlap and its order.
#include <assert.h>
#include <string.h>

#include "box_overlap_inside.h"

#include "check.h"

#define CHUNK_PAIRS 510     // a chunk fills a page
#define BUCKET_BOXES 512    // boxes whose pairs share a bucket, or more when there are
#define MOST_BUCKETS 1024   // so many buckets: their ends must fit into the cache
#define SHORT_RUN 32        // pairs of one box that insertion sorts faster than counting

struct PairChunk {
  PairChunk *older;
  int count;
  BoxPair pairs[CHUNK_PAIRS];
};

BoxPairList box_overlap_pairs_new(int box_count)
{
  assert(box_count >= 0 && "boxes are counted");
  BoxPairList list = {.memory = arena_new()};
  const int last = box_count > 0 ? box_count - 1 : 0;
  while ((1 << list.bits) < BUCKET_BOXES || last >> list.bits >= MOST_BUCKETS) list.bits++;
  list.bucket_count = (last >> list.bits) + 1;
  list.buckets = arena_allocate_zero(&list.memory, (size_t)list.bucket_count, sizeof *list.buckets);
  return list;
}

void box_overlap_pairs_destroy(BoxPairList *list)
{
  assert(list->buckets != NULL && list->count >= 0 && "the list has begun");
  arena_destroy(&list->memory);
}

static PairChunk *push_chunk(BoxPairList *list, PairChunk **bucket)
{
  PairChunk *chunk = arena_allocate(&list->memory, sizeof *chunk);
  chunk->older = *bucket;
  chunk->count = 0;
  *bucket = chunk;
  return chunk;
}

void box_overlap_pairs_add(BoxPairList *list, int32_t one, const int32_t *others, int count)
{
  assert_debug(count >= 0 && one >= 0 && "pairs are of numbered boxes");
  list->count += count;
  for (int k = 0; k < count; k++) {
    const int32_t other = others[k], a = one < other ? one : other, b = one < other ? other : one;
    PairChunk **bucket = &list->buckets[a >> list->bits], *chunk = *bucket;
    if (!chunk || chunk->count == CHUNK_PAIRS) chunk = push_chunk(list, bucket);
    chunk->pairs[chunk->count++] = (BoxPair){a, b};
  }
}

// Sorts pairs of one box by the other one, in three passes of a radix sort; room for as many.
static void sort_long_run(BoxPair *pairs, int64_t count, BoxPair *room)
{
  BoxPair *from = pairs, *to = room;
  for (int shift = 0; shift < 33; shift += 11) {
    int64_t place[2049] = {0};
    for (int64_t i = 0; i < count; i++) place[((uint32_t)from[i].b >> shift & 2047) + 1]++;
    for (int k = 0; k < 2048; k++) place[k + 1] += place[k];
    for (int64_t i = 0; i < count; i++) to[place[(uint32_t)from[i].b >> shift & 2047]++] = from[i];
    BoxPair *const swap = from;
    from = to;
    to = swap;
  }
  memcpy(pairs, room, (size_t)count * sizeof *pairs);
}

static void sort_run(BoxPair *pairs, int64_t count)
{
  assert_debug(count >= 0 && "pairs are counted");
  if (count > SHORT_RUN) {
    Arena scratch = arena_new();
    sort_long_run(pairs, count, arena_allocate(&scratch, (size_t)count * sizeof *pairs));
    arena_destroy(&scratch);
    return;
  }
  for (int64_t i = 1; i < count; i++) {
    const BoxPair pair = pairs[i];
    int64_t k = i;
    for (; k > 0 && pairs[k - 1].b > pair.b; k--) pairs[k] = pairs[k - 1];
    pairs[k] = pair;
  }
}

// Pairs of a bucket, which differ in the lower bits of a alone: by a into their places, then each
// run by b. Returns how many.
static int64_t sort_bucket(const PairChunk *bucket, int bits, BoxPair *to, int64_t *place)
{
  assert(bits >= 0 && bits < 32 && "a bucket is told by some bits");
  const int values = 1 << bits, mask = values - 1;
  memset(place, 0, ((size_t)values + 1) * sizeof *place);
  for (const PairChunk *chunk = bucket; chunk; chunk = chunk->older)
    for (int i = 0; i < chunk->count; i++) place[(chunk->pairs[i].a & mask) + 1]++;
  for (int k = 0; k < values; k++) place[k + 1] += place[k];
  for (const PairChunk *chunk = bucket; chunk; chunk = chunk->older)
    for (int i = 0; i < chunk->count; i++) to[place[chunk->pairs[i].a & mask]++] = chunk->pairs[i];
  int64_t first = 0;
  for (int k = 0; k < values; k++) {
    sort_run(to + first, place[k] - first);
    first = place[k];
  }
  return first;
}

BoxPairs box_overlap_pairs_sort(const BoxPairList *list, Arena *arena)
{
  assert(list->count >= 0 && list->bucket_count > 0 && "pairs lie in buckets");
  BoxPair *pairs = arena_allocate(arena, (size_t)list->count * sizeof *pairs);
  const BoxPairs result = {list->count, pairs};
  Arena scratch = arena_new();
  int64_t *place = arena_allocate(&scratch, (((size_t)1 << list->bits) + 1) * sizeof *place);
  for (int k = 0; k < list->bucket_count; k++)
    pairs += sort_bucket(list->buckets[k], list->bits, pairs, place);
  arena_destroy(&scratch);
  return result;
}
