// Hands reactions from the points of the last step to those of this one.
#include "persist.h"

#include <stdbool.h>

#include "check.h"
#include "search.h"

RowRange persist_rows_within(const Contacts *contacts, RowRange rows, IdPair pair)
{
  assert_debug(rows.first >= 0 && rows.first <= rows.end && rows.end <= contacts->table.count &&
               "a range of rows");
  assert_debug(pair.low < pair.high && "the lower id stands first");
  const int first = search_pair(contacts->bodies, rows.first, rows.end, pair);
  int end;
  for (end = first; end < rows.end && id_pair_equal(contacts->bodies[end], pair);) end++;
  return (RowRange){first, end};
}

RowRange persist_rows_next(const Contacts *contacts, IdPair pair, int *next)
{
  assert_debug(*next >= 0 && *next <= contacts->table.owned && "the search goes on at an own row");
  const int owned = contacts->table.owned, at = *next;
  RowRange rows = {at, at};
  const bool after = at == 0 || id_pair_before(contacts->bodies[at - 1], pair);
  if (after && at < owned && id_pair_equal(contacts->bodies[at], pair)) {
    while (rows.end < owned && id_pair_equal(contacts->bodies[rows.end], pair)) rows.end++;
  } else if (!after || (at < owned && id_pair_before(contacts->bodies[at], pair))) {
    rows = persist_rows_of_pair(contacts, pair);
  }
  *next = rows.end;
  return rows;
}

RowRange persist_rows_of_pair(const Contacts *contacts, IdPair pair)
{
  return persist_rows_within(contacts, (RowRange){0, contacts->table.owned}, pair);
}

// The basis of the last normal asked for: points of a patch share theirs.
typedef struct {
  vec3 normal;   // zero: none yet
  mat3 basis;
} LastBasis;

static const mat3 *basis_of(LastBasis *last, vec3 normal)
{
  if (!(last->normal.x == normal.x && last->normal.y == normal.y && last->normal.z == normal.z))
    *last = (LastBasis){normal, contacts_basis(normal)};
  return &last->basis;
}

// Old and new points of one pair.
typedef struct {
  const Contacts *old;
  Contacts *found;
  LastBasis old_basis, found_basis;
} Handing;

// the same impulse in space, seen in the basis of the new point
static void carry_over(Handing *handing, int from, int to)
{
  assert_debug(from >= 0 && from < handing->old->table.count && "a reaction comes from a row");
  assert_debug(to >= 0 && to < handing->found->table.count && "a reaction goes to a row");
  const Contacts *old = handing->old;
  Contacts *found = handing->found;
  const vec3 world =
      mat3_mul_transposed(*basis_of(&handing->old_basis, old->normal[from]), old->reaction[from]);
  vec3 local = mat3_mul(*basis_of(&handing->found_basis, found->normal[to]), world);
  // where nothing presses is no friction: a bond that broke has left a pull, and rounding a rest
  if (!(local.x > 0) && contacts_bond(found, to) != BOND_WHOLE) local = (vec3){0, 0, 0};
  found->reaction[to] = local;
}

PersistCount persist_reactions(OldPoints points, Contacts *found, RowRange to, double reach,
                               Arena *arena)
{
  const Contacts *old = points.contacts;
  const RowRange from = points.rows;
  assert_debug(from.first <= from.end && to.first <= to.end && "both are ranges of rows");
  assert_debug(!(reach < 0) && "near points are within a distance");
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
