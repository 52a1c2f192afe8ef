// Takes the pairs, points and bodies of a group out of a problem.
#include "problem_part.h"

#include <assert.h>
#include <string.h>

// Which pairs of the whole are in the part, and where.
typedef struct {
  const Problem *whole;
  int *pair;   // [whole pairs] -1: another group's
} Chosen;

static Chosen choose(const Problem *whole, const ContactGroups *groups, int place,
                     ProblemPart *part, Arena *arena)
{
  Problem *p = &part->problem;
  const size_t pairs = (size_t)whole->pair_count + 1;
  const Chosen chosen = {whole, arena_allocate(arena, pairs * sizeof(int))};
  p->pair_count = p->point_count = 0;
  for (int k = 0; k < whole->pair_count; k++) {
    const SolverPair *pair = &whole->pairs[k];
    const bool is_here = contact_groups_place(groups, pair) == place;
    chosen.pair[k] = is_here ? p->pair_count++ : -1;
    if (is_here) p->point_count += pair->end - pair->first;
  }
  return chosen;
}

static void take_pairs(const Chosen *chosen, ProblemPart *part, Arena *arena)
{
  const Problem *whole = chosen->whole;
  Problem *p = &part->problem;
  const size_t pairs = (size_t)p->pair_count + 1, points = (size_t)p->point_count + 1;
  SolverPair *taken = arena_allocate(arena, pairs * sizeof *taken);
  int *contacts = whole->contacts ? arena_allocate(arena, pairs * sizeof *contacts) : NULL;
  JointSpan *joints = whole->joints ? arena_allocate(arena, pairs * sizeof *joints) : NULL;
  int *colour_start =
      arena_allocate_zero(arena, (size_t)whole->colour_count + 1, sizeof *colour_start);
  unsigned char *owned = arena_allocate(arena, points);
  part->points = arena_allocate(arena, points * sizeof *part->points);
  int made = 0, at = 0;
  p->owned_points = 0;
  for (int c = 0; c < whole->colour_count; c++) {
    colour_start[c] = made;
    for (int k = whole->colour_start[c]; k < whole->colour_start[c + 1]; k++) {
      if (chosen->pair[k] < 0) continue;
      const SolverPair *pair = &whole->pairs[k];
      taken[made] = (SolverPair){at, at + pair->end - pair->first, pair->low, pair->high};
      if (contacts) contacts[made] = whole->contacts[k];
      if (joints)
        joints[made] = (JointSpan){at + whole->joints[k].point - pair->first, whole->joints[k].row};
      for (int i = pair->first; i < pair->end; i++, at++) {
        owned[at] = whole->owned[i];
        p->owned_points += owned[at] != 0;
        part->points[at] = i;
      }
      made++;
    }
  }
  assert(made == p->pair_count && at == p->point_count && "pairs have colours");
  colour_start[whole->colour_count] = made;
  p->pairs = taken;
  p->contacts = contacts;
  p->joints = joints;
  p->colour_start = colour_start;
  p->owned = owned;
}

// the entries of a column [points] that are in the part
static void *take_column(const void *column, size_t bytes, const ProblemPart *part, Arena *arena)
{
  if (!column) return NULL;
  const int count = part->problem.point_count;
  char *taken = arena_allocate(arena, ((size_t)count + 1) * bytes);
  for (int i = 0; i < count; i++)
    memcpy(taken + (size_t)i * bytes, (const char *)column + (size_t)part->points[i] * bytes,
           bytes);
  return taken;
}

static void take_points(const Problem *whole, ProblemPart *part, Arena *arena)
{
  Problem *p = &part->problem;
  p->levers = take_column(whole->levers, sizeof *p->levers, part, arena);
  p->friction = take_column(whole->friction, sizeof *p->friction, part, arena);
  p->offset = take_column(whole->offset, sizeof *p->offset, part, arena);
  p->rho = take_column(whole->rho, sizeof *p->rho, part, arena);
  p->speed = take_column(whole->speed, sizeof *p->speed, part, arena);
  p->size = take_column(whole->size, sizeof *p->size, part, arena);
  p->r = take_column(whole->r, sizeof *p->r, part, arena);
  p->limits = take_column(whole->limits, sizeof *p->limits, part, arena);
  p->apart = take_column(whole->apart, sizeof *p->apart, part, arena);
  p->soft = take_column(whole->soft, sizeof *p->soft, part, arena);
  p->low_place = take_column(whole->low_place, sizeof *p->low_place, part, arena);
  p->high_place = take_column(whole->high_place, sizeof *p->high_place, part, arena);
}

static void take_rows(const Chosen *chosen, ProblemPart *part, Arena *arena)
{
  const Problem *whole = chosen->whole;
  Problem *p = &part->problem;
  const size_t rows = (size_t)whole->own_rows + 1;
  int *start = arena_allocate(arena, rows * sizeof *start);
  int *pairs = arena_allocate(arena, (2 * (size_t)p->pair_count + 1) * sizeof *pairs);
  int *movers = arena_allocate(arena, rows * sizeof *movers);
  int made = 0, moved = 0;
  for (int b = 0; b < whole->own_rows; b++) {
    start[b] = made;
    for (int e = whole->body_start[b]; e < whole->body_start[b + 1]; e++) {
      const int entry = whole->body_pairs[e], pair = chosen->pair[entry / 2];
      if (pair >= 0) pairs[made++] = 2 * pair + entry % 2;
    }
    if (made > start[b]) movers[moved++] = b;
  }
  start[whole->own_rows] = made;
  p->body_start = start;
  p->body_pairs = pairs;
  p->movers = movers;
  p->mover_count = moved;
}

// Those rows of a plan that pairs of the part move: both sides leave out the same ones.
static HaloPlan take_plan(const HaloPlan *all, const ContactGroups *groups, int place, Arena *arena)
{
  const int n = all->neighbour_count;
  if (n == 0) return *all;
  HaloPlan plan = {
      .ranks = arena_allocate(arena, (size_t)n * sizeof(int)),
      .send_start = arena_allocate(arena, ((size_t)n + 1) * sizeof(int)),
      .receive_start = arena_allocate(arena, ((size_t)n + 1) * sizeof(int)),
      .send_rows = arena_allocate(arena, ((size_t)all->send_start[n] + 1) * sizeof(int)),
      .receive_rows = arena_allocate(arena, ((size_t)all->receive_start[n] + 1) * sizeof(int))};
  int sent = 0, received = 0;
  for (int i = 0; i < n; i++) {
    plan.ranks[plan.neighbour_count] = all->ranks[i];
    plan.send_start[plan.neighbour_count] = sent;
    plan.receive_start[plan.neighbour_count] = received;
    const int sent_before = sent, received_before = received;
    for (int k = all->send_start[i]; k < all->send_start[i + 1]; k++)
      if (contact_groups_place_of_row(groups, all->send_rows[k]) == place)
        plan.send_rows[sent++] = all->send_rows[k];
    for (int k = all->receive_start[i]; k < all->receive_start[i + 1]; k++)
      if (contact_groups_place_of_row(groups, all->receive_rows[k]) == place)
        plan.receive_rows[received++] = all->receive_rows[k];
    plan.neighbour_count += sent > sent_before || received > received_before;
  }
  plan.send_start[plan.neighbour_count] = sent;
  plan.receive_start[plan.neighbour_count] = received;
  return plan;
}

ProblemPart problem_part_new(const Problem *whole, const ContactGroups *groups, PartChoice choice,
                             Velocities free, Arena *arena)
{
  const int place = choice.place;
  assert(place >= 0 && place < groups->place_count && "a group has a place");
  assert((!choice.deforms || whole->elastic) && "rows that deform are known");
  ProblemPart part = {.problem = *whole};
  Problem *p = &part.problem;
  p->copies = NULL;
  p->before_colour = NULL;
  p->swept = (HaloPlan){0};
  p->all = choice.alone ? (HaloPlan){0} : take_plan(&whole->all, groups, place, arena);
  const Chosen chosen = choose(whole, groups, place, &part, arena);
  take_pairs(&chosen, &part, arena);
  take_points(whole, &part, arena);
  take_rows(&chosen, &part, arena);
  if (!choice.deforms) {
    p->elastic = NULL;
    p->finite = NULL;
    p->soft = NULL;
    free = velocities_of_rigid(free.twist);
  }
  if (p->finite) p->all_nodes = finite_rows_plan(p->finite, &p->all, arena);
  const VelocityColumns own = problem_copy_velocities(p, free, arena);
  p->twist = own.twist;
  p->stretch = own.stretch;
  p->nodes = own.nodes;
  return part;
}

void problem_part_store(const ProblemPart *part, Problem *whole)
{
  for (int i = 0; i < part->problem.point_count; i++)
    whole->r[part->points[i]] = part->problem.r[i];
}
