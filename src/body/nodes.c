// The field list of the table of nodes, and the rows of a body.
#include "nodes.h"

#include "check.h"
#include "search.h"

static const Field FIELDS[] = {
#define NODE_FIELD(...) TABLE_FIELD_OF(Nodes, __VA_ARGS__)
    NODE_FIELDS(NODE_FIELD)
#undef NODE_FIELD
};

// not TABLE_SCHEMA: files of cases without such bodies have no table of them
const TableSchema NODES_SCHEMA = {.name = "nodes",
                                  .bytes = sizeof(Nodes),
                                  .fields = FIELDS,
                                  .field_count = (int)(sizeof FIELDS / sizeof *FIELDS),
                                  .ghosts = GHOSTS_OF_BODIES,
                                  .optional = true};

int nodes_find(const Nodes *nodes, uint64_t body)
{
  const Table *table = &nodes->table;
  assert_debug(table->owned >= 0 && table->owned <= table->count && "own rows come first");
  const int own = search_u64(nodes->body, 0, table->owned, body);
  if (own < table->owned && nodes->body[own] == body) return own;
  const int ghost = search_u64(nodes->body, table->owned, table->count, body);
  return ghost < table->count && nodes->body[ghost] == body ? ghost : -1;
}

void nodes_append(Nodes *nodes, uint64_t body, int count)
{
  Table *table = &nodes->table;
  assert(table->count == table->owned && count > 0 && "ghosts come later");
  const int first = table->owned;
  table_reserve(table, first + count);
  table->owned = table->count = first + count;
  for (int k = 0; k < count; k++) {
    nodes->body[first + k] = body;
    nodes->number[first + k] = (uint32_t)k;
    nodes->displacement[first + k] = nodes->rate[first + k] = (vec3){0, 0, 0};
    if (nodes->impulse) nodes->impulse[first + k] = (vec3){0, 0, 0};
  }
}
