#include "bodies.h"

static const Field FIELDS[] = {
#define BODY_FIELD(...) TABLE_FIELD_OF(Bodies, __VA_ARGS__)
    BODY_FIELDS(BODY_FIELD)
#undef BODY_FIELD
};

void bodies_begin(Bodies *bodies)
{
  table_begin(&bodies->table, "bodies", FIELDS, (int)(sizeof FIELDS / sizeof *FIELDS));
}

void bodies_end(Bodies *bodies) { table_end(&bodies->table); }

static int find_between(const Bodies *bodies, int first, int end, uint64_t id)
{
  while (first < end) {
    const int middle = first + (end - first) / 2;
    if (bodies->id[middle] == id) return middle;
    if (bodies->id[middle] < id) first = middle + 1;
    else end = middle;
  }
  return -1;
}

int bodies_find(const Bodies *bodies, uint64_t id)
{
  const int own = find_between(bodies, 0, bodies->table.owned, id);
  return own >= 0 ? own : find_between(bodies, bodies->table.owned, bodies->table.count, id);
}
