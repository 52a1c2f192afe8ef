// The field list of the table of bodies, its order, and the search for an id.
#include "bodies.h"

#include "check.h"
#include "kind.h"
#include "nodes.h"
#include "search.h"

static const Field FIELDS[] = {
#define BODY_FIELD(...) TABLE_FIELD_OF(Bodies, __VA_ARGS__)
    BODY_FIELDS(BODY_FIELD)
#undef BODY_FIELD
};

static void complete(Table *table)
{
  ((Bodies *)table)->kinds = KINDS;
  ((Bodies *)table)->elastic = NULL;
  ((Bodies *)table)->nodes = NULL;
}

const TableSchema BODIES_SCHEMA = TABLE_SCHEMA(Bodies, FIELDS, "bodies", GHOSTS_OF_BOXES, complete);

void bodies_link_nodes(const State *state)
{
  Bodies *bodies = bodies_of(state);
  bodies->nodes = NULL;
  for (int t = 0; t < state->table_count; t++)
    if (state->tables[t]->schema == &NODES_SCHEMA) bodies->nodes = (Nodes *)state->tables[t];
}

void bodies_begin(Bodies *bodies)
{
  table_begin(&bodies->table, &BODIES_SCHEMA);
  table_leave_out(&bodies->table, FIELD_RARE | FIELD_KINDS | FIELD_OPTION);
}

void bodies_end(Bodies *bodies) { table_end(&bodies->table); }

bool bodies_deform(const Bodies *bodies)
{
  const TableSchema *schema = bodies->table.schema;
  for (int f = 0; f < schema->field_count; f++)
    if (schema->fields[f].flags & FIELD_RARE) return table_has(&bodies->table, &schema->fields[f]);
  assert(false && "deformation has columns");
  return false;
}

static int find_between(const Bodies *bodies, int first, int end, uint64_t id)
{
  assert_debug(first >= 0 && first <= end && end <= bodies->table.count && "a half of the rows");
  const int row = search_u64(bodies->id, first, end, id);
  return row < end && bodies->id[row] == id ? row : -1;
}

int bodies_find_ghost(const Bodies *bodies, uint64_t id)
{
  return find_between(bodies, bodies->table.owned, bodies->table.count, id);
}

int bodies_find(const Bodies *bodies, uint64_t id)
{
  const int own = find_between(bodies, 0, bodies->table.owned, id);
  return own >= 0 ? own : bodies_find_ghost(bodies, id);
}
