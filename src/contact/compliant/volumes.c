// The field list of the table of common volumes.
#include "volumes.h"

#include "check.h"

static const Field FIELDS[] = {
#define VOLUME_FIELD(...) TABLE_FIELD_OF(Volumes, __VA_ARGS__)
    VOLUME_FIELDS(VOLUME_FIELD)
#undef VOLUME_FIELD
};

// not TABLE_SCHEMA: files of cases without the law have no table of them
const TableSchema VOLUMES_SCHEMA = {.name = "volumes",
                                    .bytes = sizeof(Volumes),
                                    .fields = FIELDS,
                                    .field_count = (int)(sizeof FIELDS / sizeof *FIELDS),
                                    .ghosts = GHOSTS_OF_PAIRS,
                                    .optional = true};

void volumes_visit(const Volumes *volumes, VolumeVisit *visit, void *context)
{
  const Table *table = &volumes->table;
  assert_debug(table->owned <= table->count && "own rows come first");
  int own = 0, ghost = table->owned;
  while (own < table->owned || ghost < table->count) {
    const bool take_own = ghost == table->count ||
                          (own < table->owned && table_compare(table, own, table, ghost) < 0);
    visit(context, volumes, take_own ? own++ : ghost++);
  }
}
