// Finds bodies of an entry by their whole names.
#include "member_index.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "search.h"

static int compare_members(const void *p, const void *q)
{
  const NamedMember *a = p, *b = q;
  const int order = strcmp(a->name, b->name);
  return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

MemberIndex member_index_new(const BodyGroup *group, uint64_t bodies, Arena *arena)
{
  assert(group != NULL && bodies > 0 && "an entry has bodies");
  MemberIndex index = {.group = group, .bodies = bodies};
  if (!group->member_names) return index;
  index.members = arena_allocate(arena, (size_t)bodies * sizeof *index.members);
  for (uint64_t b = 0; b < bodies; b++)
    if (*group->member_names[b])
      index.members[index.count++] = (NamedMember){group->member_names[b], b};
  qsort(index.members, (size_t)index.count, sizeof *index.members, compare_members);
  return index;
}

// The body without a name whose number is written so, as numbers are printed; bodies: none.
static uint64_t numbered(const MemberIndex *index, const char *label)
{
  const size_t digits = strspn(label, "0123456789");
  if (digits == 0 || digits > 18 || label[digits] != 0 || (digits > 1 && *label == '0'))
    return index->bodies;
  const uint64_t number = strtoull(label, NULL, 10);
  const bool named =
      index->group->member_names && number < index->bodies && *index->group->member_names[number];
  return number < index->bodies && !named ? number : index->bodies;
}

bool member_index_mark(const MemberIndex *index, const char *label, bool *marked)
{
  assert(label != NULL && marked != NULL && "a body is looked for by a label");
  const uint64_t number = numbered(index, label);
  bool any = number < index->bodies;
  if (any) marked[number] = true;
  const NamedMember wanted = {label, 0};
  for (int64_t i =
           search_rows(index->members, index->count, sizeof wanted, &wanted, compare_members);
       i < index->count && strcmp(index->members[i].name, label) == 0; i++)
    marked[index->members[i].number] = any = true;
  return any;
}
