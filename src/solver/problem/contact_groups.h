#pragma once
// Groups of bodies that touch: connected by constraints between dynamic bodies. An impulse on one
// body of a group changes no velocity outside it.
#include "check.h"
#include "exact_sum.h"
#include "problem.h"

#define GROUP_SUMS 3   // numbers that are summed over the points of a group

// The pieces of groups that this rank knows; a group that lies on several ranks has one on each, or
// more.
typedef struct {
  int count;
  int *of_row;       // [problem rows] piece of a body; -1: nothing moves it, or no pair has it
  uint64_t *label;   // [count] lowest id of the group's bodies; the piece's until it is joined

  // Once joined, groups have places, the shared ones first: those that lie on several ranks have
  // the same places on all ranks, in order of label. What all ranks are told of them is one array.
  int place_count, shared_count;
  int *place;   // [count] of the piece's group
} ContactGroups;

// Local. The pieces, by the constraints of this rank's own bodies and their ghosts.
ContactGroups contact_groups_new(const Problem *problem, Arena *arena);

// Local. The piece that a pair of bodies belongs to, one of which is dynamic.
static inline int contact_groups_piece(const ContactGroups *groups, const SolverPair *pair)
{
  assert_debug((groups->of_row[pair->low] >= 0 || groups->of_row[pair->high] >= 0) &&
               "one of the bodies is dynamic");
  const int low = groups->of_row[pair->low];
  return low >= 0 ? low : groups->of_row[pair->high];
}

// Local. The place of the group that a pair, or a row that pairs move, belongs to; once joined.
static inline int contact_groups_place(const ContactGroups *groups, const SolverPair *pair)
{
  return groups->place[contact_groups_piece(groups, pair)];
}
static inline int contact_groups_place_of_row(const ContactGroups *groups, int row)
{
  const int piece = groups->of_row[row];
  return piece < 0 ? -1 : groups->place[piece];
}

// Collective. Gives all pieces of a group its label and its place.
void contact_groups_join(ContactGroups *groups, const Problem *problem, Arena *arena);

// Collective. Adds up over all pieces of each group: sums[count * GROUP_SUMS] of this rank's
// pieces, totals[count * GROUP_SUMS] of their groups, the same to the bit wherever pieces lie.
// Pieces are joined.
void contact_groups_total(const ContactGroups *groups, const ExactSum *sums, double *totals,
                          Arena *arena);

// Collective. How many groups have the mark (of pieces; the same for all of a group).
int64_t contact_groups_count(const ContactGroups *groups, const Problem *problem,
                             const unsigned char *mark);
