// The promises of a graph of contacts, asked pair by pair.
#include "graph_fault.h"

#include <string.h>

// a row of contacts or of joints that point i is
static const char *point_fault(const ContactGraph *g, const GraphSource *source, int k, int i)
{
  const SolverPair *pair = &g->pairs[k];
  const bool joined = g->joints && i >= g->joints[k].point;
  const int row =
      joined ? g->joints[k].row + i - g->joints[k].point : g->contacts[k] + i - pair->first;
  const Table *table = joined ? &source->joints->table : &source->contacts->table;
  if (row < 0 || row >= table->count)
    return joined ? "a point's joint is no row" : "a point's contact is no row";
  const IdPair ids = joined ? source->joints->bodies[row] : source->contacts->bodies[row];
  const uint64_t *id = source->bodies->id;
  if (ids.low != id[pair->low] || ids.high != id[pair->high])
    return joined ? "a point's joint is between other bodies"
                  : "a point's contact is between other bodies";
  if (!g->owned[i] != (row >= table->owned))
    return joined ? "a point's owner is not its joint's" : "a point's owner is not its contact's";
  return NULL;
}

static const char *pairs_fault(const ContactGraph *g, const GraphSource *source,
                               unsigned char *seen)
{
  const int rows =
      source->contacts->table.count + (source->joints ? source->joints->table.count : 0);
  if (g->point_count < 0 || g->point_count > rows || g->owned_points > g->point_count)
    return "a graph has more points than there are contacts";
  for (int k = 0; k < g->pair_count; k++) {
    const SolverPair *pair = &g->pairs[k];
    if (pair->first < 0 || pair->first >= pair->end || pair->end > g->point_count)
      return "a pair has no points";
    if (pair->low < 0 || pair->low >= g->row_count || pair->high < 0 || pair->high >= g->row_count)
      return "a pair's body is no row";
    for (int i = pair->first; i < pair->end; i++) {
      if (seen[i]++) return "a point belongs to two pairs";
      const char *fault = point_fault(g, source, k, i);
      if (fault) return fault;
    }
  }
  for (int i = 0; i < g->point_count; i++)
    if (!seen[i]) return "a point belongs to no pair";
  return NULL;
}

// Rows of a pair in sweeps: bodies, or copies of bodies that are split.
static SweepPair swept_rows(const ContactGraph *g, int k)
{
  if (g->copies.pairs) return g->copies.pairs[k];
  return (SweepPair){.low = g->pairs[k].low, .high = g->pairs[k].high, .swept = 1};
}

static const char *colours_fault(const ContactGraph *g, const Bodies *b, int *colour_of)
{
  if (g->colour_count < 0 || (g->colour_count > 0 && g->colour_start[0] != 0))
    return "the first colour does not begin with the first pair";
  if (g->colour_count > 0 && g->colour_start[g->colour_count] != g->pair_count)
    return "the last colour does not end with the last pair";
  for (int colour = 0; colour < g->colour_count; colour++) {
    if (g->colour_start[colour] > g->colour_start[colour + 1])
      return "a colour ends before it begins";
    for (int k = g->colour_start[colour]; k < g->colour_start[colour + 1]; k++) {
      const SweepPair rows = swept_rows(g, k);
      if (!rows.swept) continue;
      const int ends[2] = {rows.low, rows.high}, whole[2] = {g->pairs[k].low, g->pairs[k].high};
      for (int e = 0; e < 2; e++) {
        if (whole[e] >= g->own_rows || b->drive[whole[e]] != DRIVE_DYNAMIC) continue;
        if (colour_of[ends[e]] == colour) return "a body is in two pairs of a colour";
        colour_of[ends[e]] = colour;
      }
    }
  }
  return NULL;
}

static const char *lists_fault(const ContactGraph *g, const Bodies *b)
{
  for (int body = 0; body < g->own_rows; body++) {
    if (g->body_start[body] > g->body_start[body + 1]) return "a body's list ends before it begins";
    for (int i = g->body_start[body]; i < g->body_start[body + 1]; i++) {
      const int k = g->body_pairs[i] / 2;
      if (k < 0 || k >= g->pair_count) return "a body's pair is no pair";
      const SolverPair *pair = &g->pairs[k];
      if ((g->body_pairs[i] % 2 == 0 ? pair->low : pair->high) != body)
        return "a pair in a body's list is between other bodies";
      if (i == g->body_start[body]) continue;
      const SolverPair *last = &g->pairs[g->body_pairs[i - 1] / 2];
      if (!id_pair_before((IdPair){b->id[last->low], b->id[last->high]},
                          (IdPair){b->id[pair->low], b->id[pair->high]}))
        return "a body's pairs are not in the order of their keys";
    }
  }
  return NULL;
}

const char *graph_fault(const ContactGraph *graph, const GraphSource *source, Arena *arena)
{
  const Bodies *bodies = source->bodies;
  if (graph->own_rows != bodies->table.owned || graph->row_count != bodies->table.count)
    return "a graph has other rows than the bodies";
  const ArenaMark mark = arena_mark(arena);
  unsigned char *seen = arena_allocate_zero(arena, (size_t)graph->point_count + 1, 1);
  const size_t rows = (size_t)graph->row_count + (size_t)graph->copies.count + 1;
  int *colour_of = arena_allocate(arena, rows * sizeof *colour_of);
  memset(colour_of, 0xff, rows * sizeof *colour_of);   // no colour
  const char *fault = pairs_fault(graph, source, seen);
  if (!fault) fault = colours_fault(graph, bodies, colour_of);
  if (!fault) fault = lists_fault(graph, bodies);
  arena_release(arena, mark);
  return fault;
}
