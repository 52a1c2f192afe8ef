// Moves single vertices at boundaries where that spares work or evens out workloads.
#include "refine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pairs.h"
#include "parallel.h"
#include "search.h"
#include "subdomain_board.h"

#define ROUNDS 24           // at most; a front moves by one vertex in two rounds
#define LEAST_GAIN 0.9995   // of the rating in a round upwards and one downwards, to go on
#define TOLERANCE 20        // a workload may be above the mean by a fraction of one in so many
#define CUT_WEIGHT 2        // of the cut beside the largest workload, per rank
#define SWEEPS 3            // over all pairs of subdomains, at most

// Subdomains that stand at rows of this rank.
typedef struct {
  int count, room;
  int *subdomains;     // [count] ascending
  int64_t *share;      // [count] their workload by own vertices
  int64_t *workload;   // [count] their workload, moves of this rank counted
  int64_t *room_for;   // [count] what they still take from this rank
  int64_t *to_shed;    // [count] what this rank still has to take from them
} Board;

typedef struct {
  const LocalGraph *local;
  int *subdomain;   // [local->count]
  int *places;      // [local->count] on the board
  Board board;
  int64_t own_workload;   // of the subdomain of this rank
  int64_t limit;          // of a workload
  PartitionCost cost;
  int round;
  // of one vertex: work of its edges to subdomains on the board
  int64_t *work_to;
  int *reached, reached_count;
} Refinement;

static int find_subdomain(const Board *board, int subdomain)
{
  assert_debug(subdomain >= 0 && subdomain < par_size() && "a subdomain is a rank's");
  return search_int(board->subdomains, 0, board->count, subdomain);
}

static void board_add(Board *board, int subdomain, Arena *arena)
{
  assert(board->count <= board->room && "subdomains are in their room");
  const int at = find_subdomain(board, subdomain);
  if (at < board->count && board->subdomains[at] == subdomain) return;
  board->subdomains = arena_grow(arena, board->subdomains, board->count + 1, &board->room,
                                 sizeof *board->subdomains);
  memmove(&board->subdomains[at + 1], &board->subdomains[at],
          (size_t)(board->count - at) * sizeof *board->subdomains);
  board->subdomains[at] = subdomain;
  board->count++;
}

static Board board_new(const LocalGraph *local, const int *subdomain, int *places, Arena *arena)
{
  Board board = {.room = 64};
  board.subdomains = arena_allocate(arena, (size_t)board.room * sizeof *board.subdomains);
  for (int v = 0; v < local->count; v++)
    if (v == 0 || subdomain[v] != subdomain[v - 1]) board_add(&board, subdomain[v], arena);
  for (int v = 0; v < local->count; v++)
    places[v] = v > 0 && subdomain[v] == subdomain[v - 1] ? places[v - 1]
                                                          : find_subdomain(&board, subdomain[v]);
  const size_t n = (size_t)board.count + 1;
  board.share = arena_allocate_zero(arena, n, sizeof(int64_t));
  board.workload = arena_allocate_zero(arena, n, sizeof(int64_t));
  board.room_for = arena_allocate_zero(arena, n, sizeof(int64_t));
  board.to_shed = arena_allocate_zero(arena, n, sizeof(int64_t));
  return board;
}

// Work of a vertex's edges to each subdomain on the board, as if each edge between subdomains
// brought a copy: of copies themselves, how many a move brings is not known here.
static int64_t sum_edges(Refinement *r, int v)
{
  assert_debug(v >= 0 && v < r->local->owned && "an own vertex knows its edges");
  const OwnershipGraph *graph = r->local->graph;
  int64_t all = 0;
  r->reached_count = 0;
  for (int64_t e = graph->edge_start[v]; e < graph->edge_start[v + 1]; e++) {
    const int place = r->places[r->local->edges[e]];
    if (r->work_to[place] == 0) r->reached[r->reached_count++] = place;
    r->work_to[place] += graph->edge_work[e] + graph->ghost_work;
    all += graph->edge_work[e] + graph->ghost_work;
  }
  return all;
}

// Collective. Workloads of the subdomains as they are now.
static void count_workloads(Refinement *r, Arena *arena)
{
  const LocalGraph *local = r->local;
  const OwnershipGraph *graph = local->graph;
  local_graph_refresh(local, r->subdomain, arena);
  r->board = board_new(local, r->subdomain, r->places, arena);
  Board *board = &r->board;
  r->work_to = arena_allocate_zero(arena, (size_t)board->count + 1, sizeof *r->work_to);
  r->reached = arena_allocate(arena, ((size_t)board->count + 1) * sizeof *r->reached);
  int64_t sums[2] = {0, 0};   // work, cut
  for (int v = 0; v < local->owned; v++) {
    const int here = r->places[v];
    int64_t cut = 0;
    for (int64_t e = graph->edge_start[v]; e < graph->edge_start[v + 1]; e++)
      if (r->places[local->edges[e]] != here) cut += graph->edge_work[e];
    board->share[here] += graph->work[v] + cut;
    sums[0] += graph->work[v];
    sums[1] += cut;
    // its copies
    sum_edges(r, v);
    for (int i = 0; i < r->reached_count; i++) {
      const int there = r->reached[i];
      r->work_to[there] = 0;
      if (there == here) continue;
      board->share[there] += graph->ghost_work;
      sums[1] += graph->ghost_work;
    }
  }
  memcpy(board->workload, board->share, (size_t)board->count * sizeof *board->workload);
  r->own_workload = subdomain_board_sum((NamedSubdomains){board->count, board->subdomains},
                                        board->workload, arena);
  par_sum_many(sums, 2);
  r->cost = (PartitionCost){(int64_t)par_max((double)r->own_workload), sums[0] + sums[1], sums[1]};
  const int64_t mean = r->cost.total / par_size();
  r->limit = mean + mean / TOLERANCE;
}

double refine_rating(PartitionCost cost)
{
  assert(cost.most >= 0 && cost.total >= 0 && cost.cut >= 0 && "work is not below zero");
  const double ranks = par_size(), mean = (double)cost.total / ranks,
               limit = mean * (1 + 1.0 / TOLERANCE),
               most = (double)cost.most > limit ? (double)cost.most : limit;
  return most + CUT_WEIGHT * (double)cost.cut / ranks;
}

// A vertex that may go from its subdomain to another on the board.
typedef struct {
  int vertex, target;
  int64_t gain;         // work of edges between subdomains that is spared, at one end
  int64_t less, more;   // workload that the vertex takes from its subdomain and brings to the other
  bool sheds;           // does not pay for itself, but its subdomain has too much
} Move;

// Does the workload of two subdomains allow a move, and is it worth it?
static bool is_good(const Refinement *r, Move *move)
{
  const Board *board = &r->board;
  const int from = r->places[move->vertex];
  const int64_t here = board->workload[from], there = board->workload[move->target];
  move->sheds = false;
  if (there + move->more > r->limit) return false;
  if (move->gain > 0) return true;
  const int64_t most_now = here > there ? here : there;
  const int64_t here_then = here - move->less, there_then = there + move->more;
  const bool evens = (here_then > there_then ? here_then : there_then) < most_now;
  if (move->gain == 0 && evens) return true;
  move->sheds = here > r->limit && evens;
  return move->sheds;
}

// the best move of a vertex in the direction of this round
static bool find_move(Refinement *r, int v, Move *best)
{
  assert_debug(v >= 0 && v < r->local->owned && "own vertices move");
  const int64_t edges = sum_edges(r, v), work = r->local->graph->work[v];
  const int from = r->places[v];
  bool any = false;
  for (int i = 0; i < r->reached_count; i++) {
    const int to = r->reached[i];
    if (to == from || (to > from) != (r->round % 2 == 0)) continue;
    Move move = {.vertex = v,
                 .target = to,
                 .gain = r->work_to[to] - r->work_to[from],
                 .less = work + edges - 2 * r->work_to[from],
                 .more = work + edges - 2 * r->work_to[to]};
    if (!is_good(r, &move)) continue;
    const bool better =
        !any || move.gain > best->gain ||
        (move.gain == best->gain &&
         (r->board.workload[to] < r->board.workload[best->target] ||
          (r->board.workload[to] == r->board.workload[best->target] && to < best->target)));
    if (better) *best = move;
    any = true;
  }
  for (int i = 0; i < r->reached_count; i++) r->work_to[r->reached[i]] = 0;
  return any;
}

static int compare_moves(const void *a, const void *b)
{
  const Move *p = a, *q = b;
  if (p->gain != q->gain) return (p->gain < q->gain) - (p->gain > q->gain);
  return (p->vertex > q->vertex) - (p->vertex < q->vertex);
}

// may the move's subdomain shed so much, as far as it has too much?
static bool take_from_shed(Refinement *r, const Move *move)
{
  int64_t *left = &r->board.to_shed[r->places[move->vertex]];
  if (!move->sheds) return true;
  if (*left <= 0) return false;
  *left -= move->less;
  return true;
}

// a rank sheds of a subdomain what is too much there, as its share in it
static void share_excess(Refinement *r)
{
  Board *board = &r->board;
  for (int p = 0; p < board->count; p++) {
    const int64_t excess = board->workload[p] - r->limit;
    board->to_shed[p] = 0;
    if (excess > 0 && board->share[p] > 0)
      board->to_shed[p] =
          (int64_t)((double)excess * ((double)board->share[p] / (double)board->workload[p])) + 1;
  }
}

// Collective. One round of moves.
static void move_vertices(Refinement *r, Arena *arena)
{
  Board *board = &r->board;
  const int owned = r->local->owned;
  Move *moves = arena_allocate(arena, ((size_t)owned + 1) * sizeof *moves);
  int count = 0;
  for (int v = 0; v < owned; v++) count += find_move(r, v, &moves[count]);
  if (count > 1) qsort(moves, (size_t)count, sizeof *moves, compare_moves);

  // what is wished for, and what the subdomains have room for
  share_excess(r);
  for (int i = 0; i < count; i++)
    if (moves[i].more > 0 && take_from_shed(r, &moves[i]))
      board->room_for[moves[i].target] += moves[i].more;
  const NamedSubdomains named = {board->count, board->subdomains};
  subdomain_board_grant(named, board->room_for, r->limit - r->own_workload, r->round, arena);

  // each move anew, since those before it changed what it brings
  share_excess(r);
  for (int i = 0; i < count; i++) {
    Move move;
    const int v = moves[i].vertex, from = r->places[v];
    if (!find_move(r, v, &move)) continue;
    if (move.more > board->room_for[move.target] || !take_from_shed(r, &move)) continue;
    board->room_for[move.target] -= move.more;
    board->workload[from] -= move.less;
    board->workload[move.target] += move.more;
    r->places[v] = move.target;
    r->subdomain[v] = board->subdomains[move.target];
  }
}

static Refinement refinement_new(const LocalGraph *local, int *subdomain, Arena *arena)
{
  return (Refinement){.local = local,
                      .subdomain = subdomain,
                      .places = arena_allocate(arena, ((size_t)local->count + 1) * sizeof(int))};
}

PartitionCost refine_cost(const LocalGraph *local, int *subdomain, Arena *arena)
{
  assert((subdomain != NULL || local->count == 0) && "every vertex has a subdomain");
  const ArenaMark mark = arena_mark(arena);
  Refinement r = refinement_new(local, subdomain, arena);
  count_workloads(&r, arena);
  arena_release(arena, mark);
  return r.cost;
}

// The best that there was.
typedef struct {
  int *subdomain;   // [local->count]
  PartitionCost cost;
} Best;

// is what there is now better?
static void note_best(const Refinement *r, Best *best)
{
  if (best->cost.total && !(refine_rating(r->cost) < refine_rating(best->cost))) return;
  best->cost = r->cost;
  memcpy(best->subdomain, r->subdomain, (size_t)r->local->count * sizeof *best->subdomain);
}

// Collective. Rounds of single moves; leaves the best.
static void move_in_rounds(Refinement *r, Best *best, Arena *arena)
{
  double fair = INFINITY;   // rating that two more rounds have to reach
  int since = 0;
  for (r->round = 0;; r->round++) {
    const ArenaMark mark = arena_mark(arena);
    count_workloads(r, arena);
    note_best(r, best);
    const double rating = refine_rating(r->cost);
    since = rating < fair ? 0 : since + 1;
    if (since == 0) fair = LEAST_GAIN * rating;
    if (r->round == ROUNDS || since == 2) break;
    move_vertices(r, arena);
    arena_release(arena, mark);
  }
  memcpy(r->subdomain, best->subdomain, (size_t)r->local->count * sizeof *r->subdomain);
}

// Collective. Pairs of subdomains, each by itself, from the best that there is; leaves the best.
static void improve_pairs(Refinement *r, Best *best, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  count_workloads(r, arena);
  arena_release(arena, mark);
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    const double before = refine_rating(best->cost);
    const int64_t workload =
        pairs_improve(r->local, r->subdomain, r->own_workload, r->limit, arena);
    count_workloads(r, arena);
    assert(r->own_workload == workload && "pairs know the workloads of their subdomains");
    note_best(r, best);
    arena_release(arena, mark);
    if (refine_rating(best->cost) > LEAST_GAIN * before) break;
  }
  memcpy(r->subdomain, best->subdomain, (size_t)r->local->count * sizeof *r->subdomain);
}

PartitionCost refine_partition(const LocalGraph *local, int *subdomain, Arena *arena)
{
  assert((subdomain != NULL || local->count == 0) && "every vertex has a subdomain");
  const ArenaMark mark = arena_mark(arena);
  Refinement r = refinement_new(local, subdomain, arena);
  Best best = {arena_allocate(arena, ((size_t)local->count + 1) * sizeof *best.subdomain),
               {0, 0, 0}};
  move_in_rounds(&r, &best, arena);
  improve_pairs(&r, &best, arena);
  arena_release(arena, mark);
  return best.cost;
}
