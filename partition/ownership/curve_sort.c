// Sorts the vertices of all ranks along the curve and cuts them into segments.
#include "curve_sort.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "curve.h"

#define SAMPLES 32   // of a rank's vertices; slices of dealt vertices come out within some percent

typedef struct {
  uint64_t key, id;
  int64_t weight;   // a sample's: vertices it stands for; a vertex's: its work
  int vertex;
} CurvePlace;

static int compare_places(const void *a, const void *b)
{
  const CurvePlace *p = a, *q = b;
  if (p->key != q->key) return (p->key > q->key) - (p->key < q->key);
  return (p->id > q->id) - (p->id < q->id);
}

static double within(double x, double low, double high)
{
  assert_debug(!(low > high) && "a range has a low end");
  return x < low ? low : x > high ? high : x;
}

// Own vertices along the curve over the places of all that have work; those without are as near to
// it as the box of these.
static CurvePlace *sort_own(const OwnershipGraph *graph, int64_t total, Arena *arena)
{
  assert(total >= 0 && "vertices are counted");
  double reach[6] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY};
  for (int v = 0; v < graph->vertex_count; v++) {
    if (graph->work[v] == 0) continue;
    const vec3 x = graph->places[v];
    const double here[6] = {-x.x, -x.y, -x.z, x.x, x.y, x.z};
    for (int i = 0; i < 6; i++) par_raise(&reach[i], here[i]);
  }
  par_max_many(reach, 6);
  const vec3 low = {-reach[0], -reach[1], -reach[2]}, high = {reach[3], reach[4], reach[5]};
  const Curve curve = curve_new(low, high, total);
  CurvePlace *places = arena_allocate(arena, ((size_t)graph->vertex_count + 1) * sizeof *places);
  for (int v = 0; v < graph->vertex_count; v++) {
    const vec3 x = graph->places[v];
    const vec3 inside = {within(x.x, low.x, high.x), within(x.y, low.y, high.y),
                         within(x.z, low.z, high.z)};
    places[v] = (CurvePlace){curve_key(&curve, inside), graph->ids[v], graph->work[v], v};
  }
  if (graph->vertex_count > 1)
    qsort(places, (size_t)graph->vertex_count, sizeof *places, compare_places);
  return places;
}

// the first place of each slice but the first; rank 0 chooses, all know
static CurvePlace *choose_splitters(const CurvePlace *places, int count, Arena *arena)
{
  assert(count >= 0 && "places are counted");
  const int ranks = par_size(), samples = count < SAMPLES ? count : SAMPLES;
  CurvePlace mine[SAMPLES];
  for (int s = 0; s < samples; s++) {
    const int first = (int)((int64_t)count * s / samples),
              end = (int)((int64_t)count * (s + 1) / samples);
    mine[s] = places[first + (end - first) / 2];
    mine[s].weight = end - first;
  }
  CurvePlace *splitters = arena_allocate_zero(arena, (size_t)ranks, sizeof *splitters);
  size_t *bytes = arena_allocate(arena, (size_t)ranks * sizeof *bytes);
  CurvePlace *all = par_gather(mine, (size_t)samples * sizeof *mine, bytes, arena);
  if (par_rank() == 0) {
    size_t n = 0;
    for (int r = 0; r < ranks; r++) n += bytes[r] / sizeof *all;
    if (n > 1) qsort(all, n, sizeof *all, compare_places);
    int64_t total = 0, before = 0;
    for (size_t i = 0; i < n; i++) total += all[i].weight;
    int s = 0;
    for (size_t i = 0; i < n; i++) {
      for (; s < ranks - 1 && before >= total * (s + 1) / ranks; s++) splitters[s] = all[i];
      before += all[i].weight;
    }
    for (; s < ranks - 1 && n > 0; s++) splitters[s] = all[n - 1];
  }
  par_broadcast(splitters, (size_t)(ranks - 1) * sizeof *splitters, 0);
  return splitters;
}

// own vertices to their slices, in order
static Messages send_to_slices(CurveSort *sort, const CurvePlace *places,
                               const CurvePlace *splitters, Arena *arena)
{
  const int ranks = par_size();
  sort->order = arena_allocate(arena, ((size_t)sort->own + 1) * sizeof *sort->order);
  sort->slices = arena_allocate(arena, ((size_t)sort->own + 1) * sizeof *sort->slices);
  const int most = sort->own < ranks ? sort->own : ranks;
  Messages sends = {0, arena_allocate(arena, ((size_t)most + 1) * sizeof(Message))};
  int slice = 0;
  for (int i = 0; i < sort->own; i++) {
    while (slice < ranks - 1 && compare_places(&splitters[slice], &places[i]) <= 0) slice++;
    sort->order[i] = places[i].vertex;
    sort->slices[places[i].vertex] = slice;
    par_append(&sends, slice, (void *)(uintptr_t)&places[i], sizeof *places);
  }
  return par_exchange(sends.messages, sends.count, arena);
}

static int compare_vertices(const void *a, const void *b)
{
  const CurveVertex *p = a, *q = b;
  if (p->key != q->key) return (p->key > q->key) - (p->key < q->key);
  return (p->id > q->id) - (p->id < q->id);
}

static void sort_slice(CurveSort *sort, Messages incoming, Arena *arena)
{
  assert(incoming.count <= par_size() && "a rank sends one message");
  sort->source_count = incoming.count;
  const size_t sources = (size_t)incoming.count + 1;
  sort->sources = arena_allocate(arena, sources * sizeof(int));
  sort->source_start = arena_allocate_zero(arena, sources, sizeof(int));
  for (int m = 0; m < incoming.count; m++) {
    sort->sources[m] = incoming.messages[m].rank;
    sort->source_start[m + 1] =
        sort->source_start[m] + (int)(incoming.messages[m].bytes / sizeof(CurvePlace));
  }
  sort->count = sort->source_start[incoming.count];
  sort->vertices = arena_allocate(arena, ((size_t)sort->count + 1) * sizeof *sort->vertices);
  for (int m = 0; m < incoming.count; m++) {
    const CurvePlace *places = incoming.messages[m].data;
    const int first = sort->source_start[m];
    for (int i = first; i < sort->source_start[m + 1]; i++) {
      const CurvePlace p = places[i - first];
      sort->vertices[i] = (CurveVertex){p.key, p.id, p.weight, sort->sources[m], i, 0};
    }
  }
  if (sort->count > 1)
    qsort(sort->vertices, (size_t)sort->count, sizeof *sort->vertices, compare_vertices);
}

// what a vertex counts where segments are cut
static int64_t weight_of(const CurveVertex *vertex, bool single)
{
  return single ? vertex->work > 0 : vertex->work;
}

static int64_t most_segments(OwnershipGrain grain)
{
  assert(grain.segments_per_rank > 0 && "a rank has segments");
  int64_t limit = (int64_t)grain.segments_per_rank * par_size(), finer = OWNERSHIP_FINER * limit;
  if (finer > grain.segments_of_few) finer = grain.segments_of_few;
  if (limit < finer) limit = finer;
  return limit < grain.segments_in_any_case ? grain.segments_in_any_case : limit;
}

// A vertex belongs to the segment in whose share of the work its middle lies; one without work lies
// where the work before it ends.
static void cut_segments(CurveSort *sort, OwnershipGrain grain)
{
  assert(sort->count >= 0 && sort->total >= 0 && "vertices are counted");
  const int64_t limit = most_segments(grain);
  const bool single = sort->total < 2 * limit;
  int64_t sum = 0;
  for (int i = 0; i < sort->count; i++) sum += weight_of(&sort->vertices[i], single);
  const int64_t all = par_sum(sum);
  int64_t before = par_exclusive_sum(sum);
  sort->segment_limit = single ? sort->total : limit;
  const int64_t share = single ? 1 : (all + limit - 1) / limit;
  for (int i = 0; i < sort->count; i++) {
    const int64_t work = weight_of(&sort->vertices[i], single),
                  segment = (before + work / 2) / share;
    sort->vertices[i].segment =
        (int)(segment < sort->segment_limit ? segment : sort->segment_limit - 1);
    before += work;
  }
}

CurveSort curve_sort(const OwnershipGraph *graph, OwnershipGrain grain, Arena *arena)
{
  assert(graph->vertex_count >= 0 && "vertices are counted");
  int64_t working = 0;
  for (int v = 0; v < graph->vertex_count; v++) working += graph->work[v] > 0;
  CurveSort sort = {.own = graph->vertex_count, .total = par_sum(working)};
  const CurvePlace *places = sort_own(graph, sort.total, arena);
  const CurvePlace *splitters = choose_splitters(places, sort.own, arena);
  sort_slice(&sort, send_to_slices(&sort, places, splitters, arena), arena);
  cut_segments(&sort, grain);
  return sort;
}

void curve_sort_answer(const CurveSort *sort, const int *answers, int *values, Arena *arena)
{
  assert((answers != NULL || sort->count == 0) && (values != NULL || sort->own == 0) &&
         "every vertex of the slice has an answer");
  const ArenaMark mark = arena_mark(arena);
  Message *sends = arena_allocate(arena, ((size_t)sort->source_count + 1) * sizeof *sends);
  for (int m = 0; m < sort->source_count; m++) {
    const int first = sort->source_start[m], count = sort->source_start[m + 1] - first;
    sends[m] = (Message){sort->sources[m], (size_t)count * sizeof *answers,
                         (void *)(uintptr_t)&answers[first]};
  }
  const Messages incoming = par_exchange(sends, sort->source_count, arena);
  int at = 0;
  for (int m = 0; m < incoming.count; m++) {
    const int *answer = incoming.messages[m].data;
    const int count = (int)(incoming.messages[m].bytes / sizeof *answer);
    for (int i = 0; i < count; i++) values[sort->order[at++]] = answer[i];
  }
  arena_release(arena, mark);
}
