// Rows by body, plans of who sends them, and the pattern of couplings.
#include "contact_space.h"

#include <assert.h>

// bodies with points, own ones first
static void make_space(ContactSpace *s, Arena *arena)
{
  assert(s->problem->own_rows <= s->problem->row_count && "own rows come first");
  const Problem *problem = s->problem;
  const Bodies *bodies = problem->bodies;
  const size_t rows = (size_t)problem->row_count + 1;
  unsigned char *touched = arena_allocate_zero(arena, rows, 1);
  for (int p = 0; p < problem->pair_count; p++)
    touched[problem->pairs[p].low] = touched[problem->pairs[p].high] = 1;
  s->row_of_body = arena_allocate(arena, rows * sizeof(int));
  s->body_of_row = arena_allocate(arena, rows * sizeof(int));
  uint64_t *key = arena_allocate(arena, rows * sizeof *key);
  vec3 *place = arena_allocate(arena, rows * sizeof *place);
  int *rank = arena_allocate(arena, rows * sizeof *rank);
  int made = 0;
  for (int b = 0; b < problem->row_count; b++) {
    if (b == problem->own_rows) s->space.own = made;
    s->row_of_body[b] = -1;
    if (!touched[b] || !contact_space_takes(problem, b)) continue;
    s->row_of_body[b] = made;
    s->body_of_row[made] = b;
    key[made] = bodies->id[b];
    place[made] = bodies->position[b];
    if (b >= problem->own_rows)
      rank[made - s->space.own] = problem->ghost_ranks[b - problem->own_rows];
    made++;
  }
  if (problem->row_count == problem->own_rows) s->space.own = made;
  s->space.count = made;
  s->space.key = key;
  s->space.place = place;
  s->space.rank = rank;
}

// the plan of all boundary bodies, in rows of the space
static void make_plan(ContactSpace *s, Arena *arena)
{
  const HaloPlan *all = &s->problem->all;
  const int n = all->neighbour_count;
  HaloPlan *plan = &s->space.plan;
  *plan = *all;
  if (n == 0) return;
  plan->send_rows = arena_allocate(arena, ((size_t)all->send_start[n] + 1) * sizeof(int));
  plan->receive_rows = arena_allocate(arena, ((size_t)all->receive_start[n] + 1) * sizeof(int));
  for (int i = 0; i < all->send_start[n]; i++)
    plan->send_rows[i] = s->row_of_body[all->send_rows[i]];
  for (int i = 0; i < all->receive_start[n]; i++)
    plan->receive_rows[i] = s->row_of_body[all->receive_rows[i]];
}

const SolverPair *contact_space_higher_pair(const ContactSpace *s, int k)
{
  assert_debug(k >= 0 && k < s->problem->body_start[s->problem->own_rows] &&
               "an entry of an own body");
  const int entry = s->problem->body_pairs[k];
  const SolverPair *pair = &s->problem->pairs[entry / 2];
  return entry % 2 == 0 && s->row_of_body[pair->high] >= 0 ? pair : NULL;
}

// pairs of a body are in order of key, and so are its columns
static void make_pattern(ContactSpace *s, Arena *arena)
{
  assert(s->space.own <= s->space.count && "own rows come first");
  const Problem *problem = s->problem;
  const int own = s->space.own;
  const size_t most = (size_t)own + (size_t)problem->pair_count + 1;
  s->start = arena_allocate(arena, ((size_t)own + 1) * sizeof *s->start);
  s->column = arena_allocate(arena, most * sizeof *s->column);
  int made = 0;
  for (int row = 0; row < own; row++) {
    const int b = s->body_of_row[row];
    s->start[row] = made;
    s->column[made++] = row;
    for (int k = problem->body_start[b]; k < problem->body_start[b + 1]; k++) {
      const SolverPair *pair = contact_space_higher_pair(s, k);
      if (pair) s->column[made++] = s->row_of_body[pair->high];
    }
  }
  s->start[own] = made;
}

ContactSpace contact_space_new(const Problem *problem, Arena *arena)
{
  ContactSpace s = {.problem = problem};
  make_space(&s, arena);
  make_plan(&s, arena);
  make_pattern(&s, arena);
  return s;
}
