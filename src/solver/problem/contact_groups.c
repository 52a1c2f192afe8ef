// Groups of bodies that touch: found on each rank, joined over ranks, and summed over.
#include "contact_groups.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "forest.h"
#include "hash.h"
#include "order.h"
#include "parallel.h"

static bool is_dynamic(const Problem *problem, int row)
{
  return problem->bodies->drive[row] == DRIVE_DYNAMIC;
}

// whether some point of the pair is a constraint in this step
static bool constrains(const Problem *problem, const SolverPair *pair)
{
  assert_debug(pair->first <= pair->end && pair->end <= problem->point_count &&
               "points that the problem has");
  for (int i = pair->first; i < pair->end; i++)
    if (problem->offset[i] < INFINITY) return true;
  return false;
}

ContactGroups contact_groups_new(const Problem *problem, Arena *arena)
{
  assert(problem->own_rows <= problem->row_count && "own rows come first");
  const int rows = problem->row_count;
  ContactGroups groups = {.of_row = arena_allocate(arena, ((size_t)rows + 1) * sizeof(int)),
                          .label = arena_allocate(arena, ((size_t)rows + 1) * sizeof(uint64_t))};
  int *parent = arena_allocate(arena, ((size_t)rows + 1) * sizeof *parent);
  for (int b = 0; b < rows; b++) parent[b] = b;
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    if (!is_dynamic(problem, pair->low) || !is_dynamic(problem, pair->high)) continue;
    const int low = forest_root(parent, pair->low), high = forest_root(parent, pair->high);
    if (low != high && constrains(problem, pair)) parent[high] = low;
  }

  // pieces are numbered as their first pairs come
  for (int b = 0; b < rows; b++) groups.of_row[b] = -1;
  for (int k = 0; k < problem->pair_count; k++) {
    const int sides[2] = {problem->pairs[k].low, problem->pairs[k].high};
    for (int side = 0; side < 2; side++) {
      if (!is_dynamic(problem, sides[side])) continue;
      const int root = forest_root(parent, sides[side]);
      if (groups.of_row[root] < 0) {
        groups.label[groups.count] = problem->bodies->id[root];
        groups.of_row[root] = groups.count++;
      }
      const int piece = groups.of_row[sides[side]] = groups.of_row[root];
      const uint64_t id = problem->bodies->id[sides[side]];
      if (id < groups.label[piece]) groups.label[piece] = id;
    }
  }
  return groups;
}

// Collective. All pieces of a group get the lowest label.
static void spread_labels(ContactGroups *groups, const Problem *problem, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  uint64_t *label = arena_allocate_zero(arena, (size_t)problem->row_count + 1, sizeof *label);
  // labels go from bodies to their ghosts until no rank hears of a lower one
  bool lowered = true;
  while (lowered) {
    for (int b = 0; b < problem->row_count; b++)
      if (groups->of_row[b] >= 0) label[b] = groups->label[groups->of_row[b]];
    halo_refresh(&problem->all, label, sizeof *label, arena);
    lowered = false;
    for (int b = problem->own_rows; b < problem->row_count; b++) {
      const int piece = groups->of_row[b];
      if (piece < 0 || !(label[b] < groups->label[piece])) continue;
      groups->label[piece] = label[b];
      lowered = true;
    }
    lowered = par_any(lowered);
  }
  arena_release(arena, mark);
}

// Pieces with ghosts are shared, and those with bodies that are ghosts elsewhere.
static unsigned char *find_shared(const ContactGroups *groups, const Problem *problem, Arena *arena)
{
  unsigned char *shared = arena_allocate_zero(arena, (size_t)groups->count + 1, sizeof *shared);
  for (int b = problem->own_rows; b < problem->row_count; b++)
    if (groups->of_row[b] >= 0) shared[groups->of_row[b]] = 1;
  const HaloPlan *all = &problem->all;
  for (int i = 0; all->neighbour_count > 0 && i < all->send_start[all->neighbour_count]; i++)
    if (groups->of_row[all->send_rows[i]] >= 0) shared[groups->of_row[all->send_rows[i]]] = 1;
  return shared;
}

// Collective. The labels of shared groups, ascending: the rank of the body with that id tells it.
static uint64_t *gather_labels(const ContactGroups *groups, const Problem *problem,
                               const unsigned char *shared, int *count, Arena *arena)
{
  assert(groups->count >= 0 && "pieces are counted");
  const size_t size = (size_t)par_size();
  uint64_t *own = arena_allocate(arena, ((size_t)groups->count + 1) * sizeof *own);
  int told = 0;
  for (int b = 0; b < problem->own_rows; b++) {
    const int piece = groups->of_row[b];
    if (piece >= 0 && shared[piece] && groups->label[piece] == problem->bodies->id[b])
      own[told++] = groups->label[piece];
  }
  const int bytes = told * (int)sizeof *own;
  int *counts = arena_allocate(arena, size * sizeof *counts);
  par_all_gather(&bytes, sizeof bytes, counts);
  *count = 0;
  for (size_t r = 0; r < size; r++) *count += counts[r] / (int)sizeof *own;
  uint64_t *all = arena_allocate(arena, ((size_t)*count + 1) * sizeof *all);
  if (*count == 0) return all;
  par_all_gather_uneven(own, counts, all, arena);
  qsort(all, (size_t)*count, sizeof *all, order_u64s);
  return all;
}

static int find_label(const uint64_t *labels, int count, uint64_t label)
{
  const uint64_t *found = bsearch(&label, labels, (size_t)count, sizeof *labels, order_u64s);
  assert(found != NULL && "the rank of the lowest body has told of the group");
  return (int)(found - labels);
}

static void give_places(ContactGroups *groups, const Problem *problem, Arena *arena)
{
  groups->place = arena_allocate(arena, ((size_t)groups->count + 1) * sizeof *groups->place);
  const ArenaMark mark = arena_mark(arena);
  const unsigned char *shared = find_shared(groups, problem, arena);
  const uint64_t *labels = gather_labels(groups, problem, shared, &groups->shared_count, arena);
  groups->place_count = groups->shared_count;
  for (int p = 0; p < groups->count; p++)
    groups->place[p] = shared[p] ? find_label(labels, groups->shared_count, groups->label[p])
                                 : groups->place_count++;
  arena_release(arena, mark);
}

void contact_groups_join(ContactGroups *groups, const Problem *problem, Arena *arena)
{
  assert(groups->count >= 0 && "pieces are counted");
  spread_labels(groups, problem, arena);
  give_places(groups, problem, arena);
}

// A piece as the rank gets it that adds up its group.
typedef struct {
  uint64_t label;
  ExactSum sums[GROUP_SUMS];
} SentPiece;

// A piece among those that came.
typedef struct {
  uint64_t label;
  const SentPiece *sent;
  double *answer;   // [GROUP_SUMS]
} HeldPiece;

static int compare_held(const void *a, const void *b)
{
  const HeldPiece *p = a, *q = b;
  return (p->label > q->label) - (p->label < q->label);
}

// adds up the pieces of each group, whose rank this is, and gives each piece the totals
static void add_up(HeldPiece *pieces, int count)
{
  assert(count >= 0 && "pieces are counted");
  if (count > 1) qsort(pieces, (size_t)count, sizeof *pieces, compare_held);
  for (int first = 0, end; first < count; first = end) {
    ExactSum totals[GROUP_SUMS];
    memcpy(totals, pieces[first].sent->sums, sizeof totals);
    for (end = first + 1; end < count && pieces[end].label == pieces[first].label; end++)
      for (int s = 0; s < GROUP_SUMS; s++) exact_sum_join(&totals[s], &pieces[end].sent->sums[s]);
    for (int s = 0; s < GROUP_SUMS; s++) {
      const double total = exact_sum_value(&totals[s]);
      for (int i = first; i < end; i++) pieces[i].answer[s] = total;
    }
  }
}

// Collective. Totals for the pieces that came, back to where they came from in their order.
static Messages answer_pieces(Messages came, Arena *arena)
{
  size_t count = 0;
  for (int m = 0; m < came.count; m++) count += came.messages[m].bytes / sizeof(SentPiece);
  HeldPiece *pieces = arena_allocate(arena, (count + 1) * sizeof *pieces);
  double *answers = arena_allocate(arena, (count + 1) * GROUP_SUMS * sizeof *answers);
  Message *back = arena_allocate(arena, ((size_t)came.count + 1) * sizeof *back);
  size_t filled = 0;
  for (int m = 0; m < came.count; m++) {
    const SentPiece *sent = came.messages[m].data;
    const size_t here = came.messages[m].bytes / sizeof *sent;
    back[m] = (Message){came.messages[m].rank, here * GROUP_SUMS * sizeof *answers,
                        &answers[filled * GROUP_SUMS]};
    for (size_t i = 0; i < here; i++, filled++)
      pieces[filled] = (HeldPiece){sent[i].label, &sent[i], &answers[filled * GROUP_SUMS]};
  }
  add_up(pieces, (int)count);
  return par_exchange(back, came.count, arena);
}

// A piece and the rank that adds up its group.
typedef struct {
  int home, piece;
} Errand;

static int compare_errands(const void *a, const void *b)
{
  const Errand *p = a, *q = b;
  if (p->home != q->home) return order_int(p->home, q->home);
  return (p->piece > q->piece) - (p->piece < q->piece);
}

void contact_groups_total(const ContactGroups *groups, const ExactSum *sums, double *totals,
                          Arena *arena)
{
  assert((groups->count == 0 || (sums != NULL && totals != NULL)) && "every piece has sums");
  const ArenaMark mark = arena_mark(arena);
  const size_t count = (size_t)groups->count;
  Errand *errands = arena_allocate(arena, (count + 1) * sizeof *errands);
  for (int p = 0; p < groups->count; p++)
    errands[p] = (Errand){(int)(hash_mix(groups->label[p], 0) % (uint64_t)par_size()), p};
  if (count > 1) qsort(errands, count, sizeof *errands, compare_errands);

  SentPiece *pieces = arena_allocate_zero(arena, count + 1, sizeof *pieces);
  Messages sends = {0, arena_allocate(arena, (count + 1) * sizeof(Message))};
  for (size_t i = 0; i < count; i++) {
    const int p = errands[i].piece;
    pieces[i].label = groups->label[p];
    for (int s = 0; s < GROUP_SUMS; s++) {
      pieces[i].sums[s] = sums[p * GROUP_SUMS + s];
      exact_sum_carry(&pieces[i].sums[s]);
    }
    par_append(&sends, errands[i].home, &pieces[i], sizeof *pieces);
  }

  // answers come sorted by rank, as pieces were sent
  const Messages answers = answer_pieces(par_exchange(sends.messages, sends.count, arena), arena);
  size_t done = 0;
  for (int m = 0; m < answers.count; m++) {
    const double *numbers = answers.messages[m].data;
    const size_t here = answers.messages[m].bytes / (GROUP_SUMS * sizeof *numbers);
    for (size_t i = 0; i < here; i++, done++)
      memcpy(&totals[errands[done].piece * GROUP_SUMS], &numbers[i * GROUP_SUMS],
             GROUP_SUMS * sizeof *numbers);
  }
  arena_release(arena, mark);
}

int64_t contact_groups_count(const ContactGroups *groups, const Problem *problem,
                             const unsigned char *mark)
{
  assert((groups->count == 0 || mark != NULL) && "every part is marked or not");
  int64_t count = 0;
  for (int b = 0; b < problem->own_rows; b++) {
    const int piece = groups->of_row[b];
    if (piece >= 0 && mark[piece] && groups->label[piece] == problem->bodies->id[b]) count++;
  }
  return par_sum(count);
}
