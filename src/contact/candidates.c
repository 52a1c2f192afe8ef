// Finds pairs of rows whose boxes overlap, from a list that is kept between steps.
#include "candidates.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "order.h"

#define SAMPLES 63
#define MOST_WIDENED 64   // boxes widened one by one in one step: each is compared with all others

// The skin is relative to the middle side of a box.
#define FIRST_SKIN 0.05
#define LEAST_SKIN 0.0125
#define MOST_SKIN 0.4
#define SHORT_LIFE 8    // steps that a list should serve
#define LONG_LIFE 128   // steps after which a thinner skin is tried

static double middle_of(double p, double q, double r)
{
  return fmax(fmin(p, q), fmin(fmax(p, q), r));
}

static double middle_side(Box box)
{
  const vec3 side = vec3_sub(box.high, box.low);
  return middle_of(side.x, side.y, side.z);
}

// Middle side of a usual box: the median of some.
static double usual_side(const CandidateInput *in)
{
  assert(in->count >= 0 && (in->boxes != NULL || in->count == 0) && "boxes are given");
  double sides[SAMPLES];
  int count = 0;
  const int samples = in->count < SAMPLES ? in->count : SAMPLES;
  for (int s = 0; s < samples; s++) {
    const Box box = in->boxes[(int64_t)s * in->count / samples];
    if (box_is_valid(box)) sides[count++] = middle_side(box);
  }
  if (count == 0) return 0;
  qsort(sides, (size_t)count, sizeof *sides, order_f64s);
  return sides[count / 2];
}

// A large box, which is often a floor that stays, gets no more than a usual one. One that is no box
// or without end stays as it is.
static Box widen(const Candidates *cache, Box box)
{
  const double by = cache->skin * fmin(middle_side(box), cache->usual_side);
  if (!(by > 0) || !(by < INFINITY) || !box_is_valid(box)) return box;
  const vec3 all = {by, by, by};
  return (Box){vec3_sub(box.low, all), vec3_add(box.high, all)};
}

static bool holds(Box wide, Box box)
{
  return box_is_valid(box) && wide.low.x <= box.low.x && box.high.x <= wide.high.x &&
         wide.low.y <= box.low.y && box.high.y <= wide.high.y && wide.low.z <= box.low.z &&
         box.high.z <= wide.high.z;
}

static void reserve_rows(Candidates *cache, int rows)
{
  assert(rows >= 0 && "rows are counted");
  if (rows <= cache->room) return;
  cache->room = rows + rows / 2;
  cache->ids = memory_resize(cache->ids, (size_t)cache->room * sizeof *cache->ids);
  cache->wide = memory_resize(cache->wide, (size_t)cache->room * sizeof *cache->wide);
}

static void reserve_pairs(Candidates *cache, int64_t pairs)
{
  assert(pairs >= 0 && "pairs are counted");
  if (pairs <= cache->pair_room) return;
  cache->pair_room = pairs + pairs / 8;
  cache->pairs = memory_resize(cache->pairs, (size_t)cache->pair_room * sizeof *cache->pairs);
}

// Rows now of the rows of the last step, -1: gone; both halves sorted by id. Order among rows that
// stay is kept.
static void match_half(const Candidates *cache, int first, int end, const CandidateInput *in,
                       int now_first, int now_end, int32_t *now)
{
  assert(first <= end && now_first <= now_end && "both halves are ranges");
  int row = now_first;
  for (int i = first; i < end; i++) {
    while (row < now_end && in->ids[row] < cache->ids[i]) row++;
    now[i] = row < now_end && in->ids[row] == cache->ids[i] ? row : -1;
  }
}

static bool same_rows(const Candidates *cache, const CandidateInput *in)
{
  return cache->owned == in->owned && cache->count == in->count &&
         (in->count == 0 || memcmp(cache->ids, in->ids, (size_t)in->count * sizeof *in->ids) == 0);
}

// Brings rows and pairs of the cache to the rows of this step. Rows that were not there have no
// wide box: one that holds nothing.
static void follow_rows(Candidates *cache, const CandidateInput *in, Arena *arena)
{
  assert(in->owned >= 0 && in->owned <= in->count && "own rows come first");
  assert(cache->owned <= cache->count && cache->count <= cache->room &&
         "rows of the last step are in their room");
  if (same_rows(cache, in)) return;
  const int before = cache->count;
  int32_t *now = arena_allocate(arena, ((size_t)before + 1) * sizeof *now);
  match_half(cache, 0, cache->owned, in, 0, in->owned, now);
  match_half(cache, cache->owned, before, in, in->owned, in->count, now);
  Box *wide = arena_allocate(arena, ((size_t)before + 1) * sizeof *wide);
  if (before > 0) memcpy(wide, cache->wide, (size_t)before * sizeof *wide);
  reserve_rows(cache, in->count);
  const Box nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (int i = 0; i < in->count; i++) cache->wide[i] = nothing;
  for (int i = 0; i < before; i++)
    if (now[i] >= 0) cache->wide[now[i]] = wide[i];
  if (in->count > 0) memcpy(cache->ids, in->ids, (size_t)in->count * sizeof *in->ids);
  cache->owned = in->owned;
  cache->count = in->count;

  int64_t kept = 0;
  for (int64_t k = 0; k < cache->pair_count; k++) {
    KeptPair pair = cache->pairs[k];
    pair.a = now[pair.a];
    pair.b = now[pair.b];
    if (pair.a >= 0 && pair.b >= 0) cache->pairs[kept++] = pair;
  }
  cache->pair_count = kept;
}

static int compare_places(int32_t a, int32_t b, const KeptPair *pair)
{
  if (a != pair->a) return a < pair->a ? -1 : 1;
  return (b > pair->b) - (b < pair->b);
}

// Puts pairs sorted by (a, b) into the list, which has none of them.
static void merge_pairs(Candidates *cache, const BoxPair *pairs, int64_t count)
{
  assert(count >= 0 && (pairs != NULL || count == 0) && "pairs are given");
  reserve_pairs(cache, cache->pair_count + count);
  int64_t from = cache->pair_count, next = count, to = from + count;
  while (next > 0) {
    const BoxPair pair = pairs[next - 1];
    while (from > 0 && compare_places(pair.a, pair.b, &cache->pairs[from - 1]) < 0)
      cache->pairs[--to] = cache->pairs[--from];
    cache->pairs[--to] = (KeptPair){pair.a, pair.b, SEPARATING_FACE_NONE};
    next--;
  }
  cache->pair_count += count;
}

// Skin for the list to come by how long the last one served: a count, so that it is the same in
// every run.
static double next_skin(const Candidates *cache)
{
  assert(cache->age >= 0 && "steps are counted");
  if (cache->skin <= 0) return FIRST_SKIN;
  if (cache->age < SHORT_LIFE) return fmin(1.5 * cache->skin, MOST_SKIN);
  if (cache->age > LONG_LIFE) return fmax(0.75 * cache->skin, LEAST_SKIN);
  return cache->skin;
}

// Widens all boxes and finds their pairs; what is known of a pair stays known.
static void renew(Candidates *cache, const CandidateInput *in, Arena *arena)
{
  assert(cache->count == in->count && "the cache follows the rows");
  cache->skin = next_skin(cache);
  cache->usual_side = usual_side(in);
  cache->age = 0;
  cache->renewed++;
  for (int i = 0; i < in->count; i++) cache->wide[i] = widen(cache, in->boxes[i]);
  const BoxPairs overlaps = box_overlap_find(cache->wide, in->count, arena);
  KeptPair *pairs = arena_allocate(arena, ((size_t)overlaps.count + 1) * sizeof *pairs);
  int64_t count = 0, old = 0;
  for (int64_t k = 0; k < overlaps.count; k++) {
    const BoxPair p = overlaps.pairs[k];
    if (!in->is_wanted(in->context, p.a, p.b)) continue;
    while (old < cache->pair_count && compare_places(p.a, p.b, &cache->pairs[old]) > 0) old++;
    const bool known = old < cache->pair_count && compare_places(p.a, p.b, &cache->pairs[old]) == 0;
    pairs[count++] = (KeptPair){p.a, p.b, known ? cache->pairs[old].apart : SEPARATING_FACE_NONE};
  }
  reserve_pairs(cache, count);
  if (count > 0) memcpy(cache->pairs, pairs, (size_t)count * sizeof *pairs);
  cache->pair_count = count;
}

static int compare_pairs(const void *a, const void *b)
{
  const BoxPair *p = a, *q = b;
  if (p->a != q->a) return p->a < q->a ? -1 : 1;
  return (p->b > q->b) - (p->b < q->b);
}

// Widens some boxes anew and compares them with all others. rows[count] ascending.
static void widen_rows(Candidates *cache, const CandidateInput *in, const int32_t *rows, int count,
                       Arena *arena)
{
  assert(count >= 0 && count <= MOST_WIDENED && "few boxes are widened one by one");
  cache->widened += count;
  unsigned char *chosen = arena_allocate_zero(arena, (size_t)in->count, 1);
  for (int r = 0; r < count; r++) {
    chosen[rows[r]] = 1;
    cache->wide[rows[r]] = widen(cache, in->boxes[rows[r]]);
  }
  int64_t kept = 0;
  for (int64_t k = 0; k < cache->pair_count; k++) {
    const KeptPair pair = cache->pairs[k];
    if (!chosen[pair.a] && !chosen[pair.b]) cache->pairs[kept++] = pair;
  }
  cache->pair_count = kept;

  int64_t found_count = 0;
  size_t room = 0;   // bytes
  BoxPair *found = NULL;
  for (int r = 0; r < count; r++) {
    const int row = rows[r];
    const Box wide = cache->wide[row];
    if (!box_is_valid(wide)) continue;
    found = memory_grow_bytes(found, (size_t)(found_count + in->count) * sizeof *found, &room);
    for (int i = 0; i < in->count; i++) {
      if (!box_overlaps(wide, cache->wide[i])) continue;
      // of two chosen ones the first finds the pair
      if (i == row || (chosen[i] && i < row) || !box_is_valid(cache->wide[i])) continue;
      const BoxPair pair = {i < row ? i : row, i < row ? row : i};
      if (in->is_wanted(in->context, pair.a, pair.b)) found[found_count++] = pair;
    }
  }
  if (found_count > 1) qsort(found, (size_t)found_count, sizeof *found, compare_pairs);
  merge_pairs(cache, found, found_count);
  memory_free(found);
}

#ifdef DRYSTONE_CHECKED
// Are these the pairs that a search without a list gives?
static bool is_complete(const CandidatePairs *found, const CandidateInput *in, Arena *arena)
{
  const BoxPairs fresh = box_overlap_find(in->boxes, in->count, arena);
  int64_t next = 0;
  for (int64_t k = 0; k < fresh.count; k++) {
    const BoxPair p = fresh.pairs[k];
    if (!in->is_wanted(in->context, p.a, p.b)) continue;
    if (next == found->count || compare_places(p.a, p.b, found->pairs[next]) != 0) return false;
    next++;
  }
  return next == found->count;
}
#endif

CandidatePairs candidates_find(Candidates *cache, const CandidateInput *in, Arena *arena)
{
  assert(cache != NULL && arena != NULL && "the pairs have a place");
  assert(in->is_wanted != NULL && "somebody says which pairs are wanted");
  assert((in->count == 0 || (in->ids != NULL && in->boxes != NULL)) && "rows have ids and boxes");
  // boxes that have left their wide ones, new rows among them
  follow_rows(cache, in, arena);
  int32_t rows[MOST_WIDENED];
  int count = 0;
  for (int i = 0; i < in->count && count <= MOST_WIDENED; i++) {
    if (holds(cache->wide[i], in->boxes[i])) continue;
    if (count < MOST_WIDENED) rows[count] = i;
    count++;
  }
  cache->age++;
  if (count > MOST_WIDENED || cache->skin <= 0) renew(cache, in, arena);
  else if (count > 0) widen_rows(cache, in, rows, count, arena);

  CandidatePairs found = {
      0, arena_allocate(arena, ((size_t)cache->pair_count + 1) * sizeof *found.pairs)};
  for (int64_t k = 0; k < cache->pair_count; k++) {
    KeptPair *pair = &cache->pairs[k];
    found.pairs[found.count] = pair;
    found.count += box_overlaps(in->boxes[pair->a], in->boxes[pair->b]) ? 1 : 0;
  }
#ifdef DRYSTONE_CHECKED
  assert(is_complete(&found, in, arena) && "kept pairs are those of a fresh search");
#endif
  return found;
}

void candidates_drop(Candidates *cache)
{
  memory_free(cache->ids);
  memory_free(cache->wide);
  memory_free(cache->pairs);
  *cache = (Candidates){0};
}
