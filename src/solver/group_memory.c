// Remembers what was learned of the groups that were hard to solve.
#include "group_memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "order.h"
#include "parallel.h"

#define HARD_BIT 32    // where hard begins in the word that says which sigmas were tried
#define GIVES_BIT 40   // where gives begins there
#define GIVES_MOST 0xffff
#define GROUP_WORDS 16   // body; sigma, what was tried, hard and gives; rates

_Static_assert(2 + ADMM_GRID <= GROUP_WORDS, "what a controller knows has room");
_Static_assert(GROUP_MEMORIES *GROUP_WORDS <= STATE_WORDS, "all groups have room");

StateWords group_memories_words(const GroupMemories *memories)
{
  StateWords words = {{0}};
  for (int i = 0; i < GROUP_MEMORIES; i++) {
    const GroupMemory *m = &memories->groups[i];
    if (m->body == 0) continue;
    assert(m->controller.k >= 0 && m->controller.k < ADMM_GRID && "sigma is on its grid");
    assert(m->hard >= HARD_NOT && m->hard <= HARD_MOST && "what became of it is known");
    assert(m->gives >= 0 && m->gives <= GIVES_MOST && "steps are counted");
    uint64_t *word = &words.word[GROUP_WORDS * i];
    word[0] = m->body;
    word[1] = (uint64_t)m->controller.k | (uint64_t)m->controller.tried << 8 |
              (uint64_t)m->hard << HARD_BIT | (uint64_t)m->gives << GIVES_BIT;
    memcpy(&word[2], m->controller.rate, sizeof m->controller.rate);
  }
  return words;
}

void group_memories_restore(GroupMemories *memories, const StateWords *words)
{
  *memories = (GroupMemories){0};
  for (int i = 0; i < GROUP_MEMORIES; i++) {
    GroupMemory *m = &memories->groups[i];
    const uint64_t *word = &words->word[GROUP_WORDS * i];
    m->body = word[0];
    m->controller.k = (int32_t)(word[1] & 0xff);
    m->controller.tried = (uint32_t)(word[1] >> 8 & 0xffffff);
    m->hard = (int32_t)(word[1] >> HARD_BIT & HARD_MOST);
    m->gives = (int32_t)(word[1] >> GIVES_BIT & GIVES_MOST);
    memcpy(m->controller.rate, &word[2], sizeof m->controller.rate);
  }
}

void group_memories_rest(GroupMemories *memories)
{
  for (int i = 0; i < GROUP_MEMORIES; i++) memories->groups[i].hard = HARD_NOT;
}

void group_memories_find(const GroupMemories *memories, const Problem *problem,
                         const ContactGroups *groups, int *memory, Arena *arena)
{
  assert((groups->place_count == 0 || memory != NULL) && "groups have entries or none");
  const ArenaMark mark = arena_mark(arena);
  double *rank = arena_allocate_zero(arena, (size_t)groups->place_count + 1, sizeof *rank);
  for (int i = 0; i < GROUP_MEMORIES; i++) {
    const uint64_t body = memories->groups[i].body;
    if (body == 0) continue;
    for (int b = 0; b < problem->own_rows; b++) {
      const int place = contact_groups_place_of_row(groups, b);
      if (place < 0 || problem->bodies->id[b] + 1 != body) continue;
      if (rank[place] < GROUP_MEMORIES - i) rank[place] = GROUP_MEMORIES - i;
    }
  }
  par_max_many(rank, groups->shared_count);
  for (int p = 0; p < groups->place_count; p++)
    memory[p] = rank[p] > 0 ? GROUP_MEMORIES - (int)rank[p] : -1;
  arena_release(arena, mark);
}

// A hard group as ranks tell of it.
typedef struct {
  int64_t points;   // 0: none
  uint64_t label;
} Candidate;

static int compare_candidates(const void *a, const void *b)
{
  const Candidate *p = a, *q = b;
  if (p->points != q->points) return order_i64(q->points, p->points);
  return order_u64(p->label, q->label);
}

// The first candidates of a list, each once; returns how many.
static int keep_first(Candidate *list, int count)
{
  assert(count >= 0 && "candidates are counted");
  if (count > 1) qsort(list, (size_t)count, sizeof *list, compare_candidates);
  int kept = 0;
  for (int i = 0; i < count && kept < GROUP_MEMORIES; i++) {
    if (list[i].points == 0) break;
    if (kept == 0 || list[i].label != list[kept - 1].label) list[kept++] = list[i];
  }
  return kept;
}

// Collective. The largest hard groups of all ranks, the largest first.
static int choose(const ContactGroups *groups, HardGroups step, Candidate chosen[GROUP_MEMORIES],
                  Arena *arena)
{
  Candidate *own = arena_allocate_zero(arena, (size_t)groups->count + GROUP_MEMORIES, sizeof *own);
  int count = 0;
  for (int piece = 0; piece < groups->count; piece++) {
    const int p = groups->place[piece];
    if (step.hard[p]) own[count++] = (Candidate){step.points[p], groups->label[piece]};
  }
  count = keep_first(own, count);
  for (int i = count; i < GROUP_MEMORIES; i++) own[i] = (Candidate){0, 0};
  const size_t ranks = (size_t)par_size();
  Candidate *all = arena_allocate(arena, ranks * GROUP_MEMORIES * sizeof *all);
  par_all_gather(own, GROUP_MEMORIES * sizeof *own, all);
  count = keep_first(all, (int)ranks * GROUP_MEMORIES);
  memcpy(chosen, all, (size_t)count * sizeof *all);
  return count;
}

// The place of the group with that label; -1: not here.
static int find_place(const ContactGroups *groups, uint64_t label)
{
  for (int piece = 0; piece < groups->count; piece++)
    if (groups->label[piece] == label) return groups->place[piece];
  return -1;
}

enum { TOLD = 3 + ADMM_GRID };

// Collective. Controllers of the chosen groups from the ranks that know them.
static void gather_controllers(const ContactGroups *groups, HardGroups step,
                               const Candidate *chosen, int count, GroupMemory *entries)
{
  double told[GROUP_MEMORIES][TOLD];
  for (int i = 0; i < count; i++) {
    for (int w = 0; w < TOLD; w++) told[i][w] = -INFINITY;
    const int place = find_place(groups, chosen[i].label);
    if (place < 0) continue;
    const AdmmController *c = &step.controllers[place];
    assert(c->k >= 0 && c->k < ADMM_GRID && "sigma is on its grid");
    told[i][0] = c->k;
    told[i][1] = c->tried;
    told[i][2] = step.hard[place];
    memcpy(&told[i][3], c->rate, sizeof c->rate);
  }
  par_max_many(told[0], count * TOLD);
  for (int i = 0; i < count; i++) {
    entries[i] = (GroupMemory){.body = chosen[i].label + 1,
                               .hard = (int32_t)told[i][2],
                               .controller = {(int32_t)told[i][0], (uint32_t)told[i][1], {0}}};
    memcpy(entries[i].controller.rate, &told[i][3], sizeof entries[i].controller.rate);
  }
}

int group_memories_learn(GroupMemories *memories, const Problem *problem,
                         const ContactGroups *groups, HardGroups step, Arena *arena)
{
  assert((groups->place_count == 0 || (step.hard != NULL && step.controllers != NULL)) &&
         "groups are hard or not");
  const ArenaMark mark = arena_mark(arena);
  Candidate chosen[GROUP_MEMORIES];
  const int count = choose(groups, step, chosen, arena);
  GroupMemories next = {0};
  int largest = -1;
  if (count > 0) {
    gather_controllers(groups, step, chosen, count, next.groups);
    largest = find_place(groups, chosen[0].label);
  }

  // those of before: what gives goes on in the group that has the body; whose bodies are in no hard
  // group follow
  double taken[GROUP_MEMORIES] = {0};   // one more than the place of the group among the chosen
  for (int i = 0; i < GROUP_MEMORIES && count > 0; i++)
    for (int b = 0; b < problem->own_rows; b++) {
      const int place = contact_groups_place_of_row(groups, b);
      if (place < 0 || !step.hard[place]) continue;
      if (problem->bodies->id[b] + 1 != memories->groups[i].body) continue;
      int c = 0;
      while (c < count && chosen[c].label != groups->label[groups->of_row[b]]) c++;
      taken[i] = c + 1;
    }
  if (count > 0) par_max_many(taken, GROUP_MEMORIES);
  for (int i = 0; i < GROUP_MEMORIES; i++) {
    const int c = (int)taken[i] - 1, gives = memories->groups[i].gives;
    if (c >= 0 && c < count && next.groups[c].gives < gives) next.groups[c].gives = gives;
  }
  for (int i = 0, to = count; i < GROUP_MEMORIES && to < GROUP_MEMORIES; i++) {
    if (memories->groups[i].body == 0 || taken[i] > 0) continue;
    next.groups[to] = memories->groups[i];
    next.groups[to++].hard = HARD_NOT;
  }
  *memories = next;
  arena_release(arena, mark);
  return largest;
}

void group_memories_give(GroupMemories *memories, const Problem *problem,
                         const ContactGroups *groups, const int *gives, Arena *arena)
{
  assert((groups->place_count == 0 || gives != NULL) && "groups give in some steps, or in none");
  const ArenaMark mark = arena_mark(arena);
  int *entry = arena_allocate(arena, ((size_t)groups->place_count + 1) * sizeof *entry);
  group_memories_find(memories, problem, groups, entry, arena);
  double told[GROUP_MEMORIES] = {0};
  for (int p = 0; p < groups->place_count; p++)
    if (entry[p] >= 0 && gives[p] > told[entry[p]]) told[entry[p]] = gives[p];
  par_max_many(told, GROUP_MEMORIES);
  for (int i = 0; i < GROUP_MEMORIES; i++) memories->groups[i].gives = (int32_t)told[i];
  arena_release(arena, mark);
}
