// Finds entries of the list of bodies by their names.
#include "case_names.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "search.h"

static int compare_names(const void *p, const void *q)
{
  const NamedBodies *a = p, *b = q;
  const int order = strcmp(a->name, b->name);
  return order != 0 ? order : (a->group > b->group) - (a->group < b->group);
}

BodyNames case_names_list(const Case *c, Arena *scratch)
{
  assert(c->group_count >= 0 && (c->groups != NULL || c->group_count == 0) && "bodies are read");
  BodyNames names = {0};
  names.entries = arena_allocate(scratch, ((size_t)c->group_count + 1) * sizeof *names.entries);
  for (int i = 0; i < c->group_count; i++)
    if (*c->groups[i].name) names.entries[names.count++] = (NamedBodies){c->groups[i].name, i};
  qsort(names.entries, (size_t)names.count, sizeof *names.entries, compare_names);
  return names;
}

const NamedBodies *case_names_find(const BodyNames *names, const char *name, int *count)
{
  assert(name != NULL && names->count >= 0 && "a name is looked for");
  const NamedBodies wanted = {name, -1};
  const int64_t low =
      search_rows(names->entries, names->count, sizeof wanted, &wanted, compare_names);
  *count = 0;
  while (low + *count < names->count && strcmp(names->entries[low + *count].name, name) == 0)
    ++*count;
  return names->entries + low;
}

void case_names_refuse(CaseReader *reader, const CaseNode *node, const char *name, const Case *c)
{
  assert(c->group_count > 0 && "bodies are read before those who name them");
  const char **names =
      arena_allocate(&reader->scratch, ((size_t)c->group_count + 1) * sizeof *names);
  int count = 0;
  for (int i = 0; i < c->group_count; i++)
    if (*c->groups[i].name && c->groups[i].part == 0) names[count++] = c->groups[i].name;
  char found[TREE_FOUND_BYTES], list[256], meant[TREE_FOUND_BYTES] = "";
  const char *nearest = node->kind == NODE_SCALAR ? case_value_nearest(name, names, count) : NULL;
  case_value_join(names, count, list, sizeof list);
  if (nearest) case_tree_quote(nearest, meant, sizeof meant);
  case_tree_fail(reader, node,
                 "expected the name of an entry of 'bodies', found %s%s%s%s; names: %s",
                 case_tree_found(node, found), nearest ? " (did you mean '" : "", meant,
                 nearest ? "'?)" : "", count > 0 ? list : "none");
}
