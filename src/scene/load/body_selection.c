// Finds a body among those that are selected.
#include "body_selection.h"

#include <assert.h>
#include <stddef.h>

#include "search.h"

static int order_span(const void *p, const void *q)
{
  const BodySpan *span = p, *wanted = q;
  if (span->group != wanted->group) return span->group < wanted->group ? -1 : 1;
  return span->end <= wanted->begin ? -1 : 1;
}

bool body_selection_has(const BodySelection *selection, int group, uint64_t index)
{
  assert(selection->count >= 0 && group >= 0 && "spans are counted");
  if (!selection->given) return true;
  const BodySpan wanted = {group, index, index + 1};
  const int64_t at =
      search_rows(selection->spans, selection->count, sizeof wanted, &wanted, order_span);
  if (at == selection->count) return false;
  const BodySpan *span = &selection->spans[at];
  return span->group == group && span->begin <= index;
}
