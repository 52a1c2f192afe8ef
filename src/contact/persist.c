#include "persist.h"

#include <stdbool.h>

static int compare_pairs(IdPair a, IdPair b)
{
  if (a.low != b.low) return a.low < b.low ? -1 : 1;
  return (a.high > b.high) - (a.high < b.high);
}

RowRange persist_rows_within(const Contacts *contacts, RowRange rows, IdPair pair)
{
  int first = rows.first, end = rows.end;
  while (first < end) {
    const int middle = first + (end - first) / 2;
    if (compare_pairs(contacts->bodies[middle], pair) < 0) first = middle + 1;
    else end = middle;
  }
  for (end = first; end < rows.end && compare_pairs(contacts->bodies[end], pair) == 0;) end++;
  return (RowRange){first, end};
}

RowRange persist_rows_next(const Contacts *contacts, IdPair pair, int *next)
{
  const int owned = contacts->table.owned, at = *next;
  RowRange rows = {at, at};
  const bool after = at == 0 || compare_pairs(contacts->bodies[at - 1], pair) < 0;
  if (after && at < owned && compare_pairs(contacts->bodies[at], pair) == 0) {
    while (rows.end < owned && compare_pairs(contacts->bodies[rows.end], pair) == 0) rows.end++;
  } else if (!after || (at < owned && compare_pairs(contacts->bodies[at], pair) < 0)) {
    rows = persist_rows_of_pair(contacts, pair);
  }
  *next = rows.end;
  return rows;
}

RowRange persist_rows_of_pair(const Contacts *contacts, IdPair pair)
{
  return persist_rows_within(contacts, (RowRange){0, contacts->table.owned}, pair);
}

// The frame of the last normal asked for: points of a patch share theirs.
typedef struct {
  vec3 normal;   // zero: none yet
  mat3 frame;
} LastFrame;

static const mat3 *frame_of(LastFrame *last, vec3 normal)
{
  if (!(last->normal.x == normal.x && last->normal.y == normal.y && last->normal.z == normal.z))
    *last = (LastFrame){normal, contact_frame(normal)};
  return &last->frame;
}

// Old and new points of one pair.
typedef struct {
  const Contacts *old;
  Contacts *found;
  LastFrame old_frame, found_frame;
} Handing;

// the same impulse in space, seen from the frame of the new point
static void carry_over(Handing *handing, int from, int to)
{
  const Contacts *old = handing->old;
  Contacts *found = handing->found;
  const vec3 world =
      mat3_mul_transposed(*frame_of(&handing->old_frame, old->normal[from]), old->reaction[from]);
  vec3 local = mat3_mul(*frame_of(&handing->found_frame, found->normal[to]), world);
  if (local.x < 0 && contacts_bond(found, to) != BOND_WHOLE) local.x = 0;
  found->reaction[to] = local;
}

PersistCount persist_reactions(const Contacts *old, RowRange from, Contacts *found, RowRange to,
                               double reach, Arena *arena)
{
  PersistCount count = {0, 0};
  const int old_count = from.end - from.first, new_count = to.end - to.first;
  if (old_count == 0 || new_count == 0) return count;
  const ArenaMark mark = arena_mark(arena);
  Handing handing = {.old = old, .found = found};
  unsigned char *used = arena_allocate_zero(arena, (size_t)old_count, 1);
  unsigned char *served = arena_allocate_zero(arena, (size_t)new_count, 1);

  // equal keys: both ranges are sorted
  for (int i = to.first, j = from.first; i < to.end && j < from.end;) {
    const int order = contacts_compare(found, i, old, j);
    if (order == 0) {
      carry_over(&handing, j, i);
      served[i - to.first] = used[j - from.first] = 1;
      count.matched++;
    }
    if (order <= 0) i++;
    if (order >= 0) j++;
  }

  // the rest, in order of key: nearest old point that is left
  for (int i = to.first; i < to.end; i++) {
    if (served[i - to.first]) continue;
    double nearest = reach * reach;
    int best = -1;
    for (int j = from.first; j < from.end; j++) {
      if (used[j - from.first]) continue;
      const vec3 d = vec3_sub(found->anchor[i], old->anchor[j]);
      const double distance = vec3_dot(d, d);
      if (distance > nearest || (best >= 0 && distance == nearest)) continue;
      nearest = distance;
      best = j;
    }
    if (best < 0) continue;
    carry_over(&handing, best, i);
    used[best - from.first] = 1;
    count.inherited++;
  }
  arena_release(arena, mark);
  return count;
}
