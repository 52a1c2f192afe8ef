// Rows of a world: what callers read, set and load.
#include <assert.h>
#include <math.h>

#include "api_world.h"
#include "kind.h"
#include "loads.h"

// -- tables and fields ----------------------------------------------------------------------------

// NULL: no such table, or one that the case has not.
static const Table *find_table(const DrystoneWorld *world, DrystoneTable table)
{
  const World *w = run_world(world->run);
  const Table *const tables[] = {&w->bodies.table, &w->contacts.table, &w->joints.table,
                                 &w->volumes.table};
  return (unsigned)table < sizeof tables / sizeof *tables ? tables[table] : NULL;
}

// Fields that the last step has whether a frame follows it or not.
static bool is_told(const Table *table, const Field *field)
{
  return table_has(table, field) && !(field->flags & (FIELD_SHOWN | FIELD_CARRIED));
}

static bool is_settable(const Table *table, const Field *field)
{
  static const char *const names[] = {"position", "orientation", "velocity", "spin"};
  if (table->schema != &BODIES_SCHEMA) return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(field->name, names[i]) == 0) return true;
  return false;
}

static DrystoneType type_of(const Field *field)
{
  switch (field->type) {
  case FIELD_I32: return DRYSTONE_I32;
  case FIELD_U32: return DRYSTONE_U32;
  case FIELD_U64: return DRYSTONE_U64;
  default: break;
  }
  assert(field->type == FIELD_F64 && "tables in memory have whole numbers and reals");
  return DRYSTONE_F64;
}

int64_t drystone_rows_count(const DrystoneWorld *world, DrystoneTable table)
{
  if (api_world_look(world, "drystone_rows_count") != DRYSTONE_DONE) return 0;
  const Table *of = find_table(world, table);
  return of ? of->owned : 0;
}

int drystone_rows_field(const DrystoneWorld *world, DrystoneTable table, int number,
                        DrystoneField *found)
{
  const int code = api_world_look(world, "drystone_rows_field");
  if (code != DRYSTONE_DONE) return code;
  const Table *of = find_table(world, table);
  int told = -1, f = -1;
  while (of && found && told < number && ++f < of->schema->field_count)
    told += is_told(of, &of->schema->fields[f]);
  if (!of || !found || number < 0 || f == of->schema->field_count)
    return api_guard_fail(DRYSTONE_USER, "drystone_rows_field: table %d has no field %d",
                          (int)table, number);
  const Field *field = &of->schema->fields[f];
  *found = (DrystoneField){.name = field->name,
                           .unit = field->unit,
                           .text = field->text,
                           .type = type_of(field),
                           .components = field->components,
                           .settable = is_settable(of, field)};
  return DRYSTONE_DONE;
}

// The field that rows name, where they and the bytes are such; else NULL after a message.
static const Field *find_rows(const DrystoneWorld *world, const DrystoneRows *rows, size_t bytes,
                              const char *function)
{
  const Table *table = rows ? find_table(world, rows->table) : NULL;
  if (!table || !rows->field) {
    api_guard_fail(DRYSTONE_USER, "%s: expected a table and a field", function);
    return NULL;
  }
  const Field *field = NULL;
  for (int f = 0; f < table->schema->field_count; f++)
    if (strcmp(table->schema->fields[f].name, rows->field) == 0) field = &table->schema->fields[f];
  if (!field || !is_told(table, field)) {
    api_guard_fail(DRYSTONE_USER, "%s: %s have no field '%s'%s", function, table->schema->name,
                   rows->field, field ? " in this case" : "");
    return NULL;
  }
  if (rows->first < 0 || rows->count < 0 || rows->first > table->owned - rows->count) {
    api_guard_fail(DRYSTONE_USER, "%s: %lld rows from %lld on: this rank has %d %s", function,
                   (long long)rows->count, (long long)rows->first, table->owned,
                   table->schema->name);
    return NULL;
  }
  if (bytes != (size_t)rows->count * field->row_bytes) {
    api_guard_fail(DRYSTONE_USER, "%s: %zu bytes for %lld rows of '%s', which has %zu a row",
                   function, bytes, (long long)rows->count, rows->field, field->row_bytes);
    return NULL;
  }
  return field;
}

int drystone_rows_read(const DrystoneWorld *world, const DrystoneRows *rows, void *values,
                       size_t bytes)
{
  static const char function[] = "drystone_rows_read";
  const int code = api_world_look(world, function);
  if (code != DRYSTONE_DONE) return code;
  const Field *field = find_rows(world, rows, bytes, function);
  if (!field) return DRYSTONE_USER;
  if (bytes == 0) return DRYSTONE_DONE;
  if (!values) return api_guard_fail(DRYSTONE_USER, "%s: no place for the values", function);
  if (strcmp(field->name, "strain") == 0 || strcmp(field->name, "stress") == 0)
    loads_fill_tensors(run_reach(world->run, false));
  memcpy(values, table_at(find_table(world, rows->table), field, (int)rows->first), bytes);
  return DRYSTONE_DONE;
}

int drystone_rows_find(const DrystoneWorld *world, uint64_t id, int64_t *row)
{
  const int code = api_world_look(world, "drystone_rows_find");
  if (code != DRYSTONE_DONE) return code;
  if (!row) return api_guard_fail(DRYSTONE_USER, "drystone_rows_find: no place for the row");
  const Bodies *b = &run_world(world->run)->bodies;
  const int found = bodies_find(b, id);
  *row = found < b->table.owned ? found : -1;
  return DRYSTONE_DONE;
}

// -- setting --------------------------------------------------------------------------------------

#define UNIT_ERROR 1e-6       // how far the length of an orientation may be from 1
#define UNIT_ROUNDING 1e-15   // one of that length stays as it is

// Why a row cannot have a value; NULL: it can.
static const char *refuse_value(const Bodies *b, const Field *field, int row, const double *value)
{
  double length = 0;
  for (int i = 0; i < field->components; i++) {
    if (!isfinite(value[i])) return "a number is not finite";
    length += value[i] * value[i];
  }
  if (b->drive[row] == DRIVE_PRESCRIBED || kind_founded(b, row))
    return "the case prescribes its motion";
  if (strcmp(field->name, "position") == 0) return NULL;
  if (strcmp(field->name, "orientation") == 0)
    return fabs(length - 1) <= 2 * UNIT_ERROR ? NULL : "an orientation is a unit quaternion";
  return b->drive[row] == DRIVE_DYNAMIC ? NULL : "it is fixed, and has no velocity";
}

static void set_value(World *w, const Field *field, int row, const double *value)
{
  Bodies *b = &w->bodies;
  memcpy(table_at(&b->table, field, row), value, field->row_bytes);
  if (strcmp(field->name, "orientation") == 0) {
    const quat q = b->orientation[row];
    const double length = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (fabs(length - 1) > UNIT_ROUNDING) b->orientation[row] = quat_normalize(q);
  }
  const bool turns = strcmp(field->name, "orientation") == 0 || strcmp(field->name, "spin") == 0;
  if (turns && b->drive[row] == DRIVE_DYNAMIC) motion_begin(b, row, &w->shapes, w->densities);
}

int drystone_rows_write(DrystoneWorld *world, const DrystoneRows *rows, const void *values,
                        size_t bytes)
{
  static const char function[] = "drystone_rows_write";
  const int code = api_world_enter(world, function);
  if (code != DRYSTONE_DONE) return code;
  const Field *field = find_rows(world, rows, bytes, function);
  if (!field) return DRYSTONE_USER;
  const Table *table = find_table(world, rows->table);
  if (!is_settable(table, field))
    return api_guard_fail(DRYSTONE_USER,
                          "%s: '%s' of %s cannot be set: position, orientation, velocity and spin "
                          "of bodies can",
                          function, rows->field, table->schema->name);
  if (bytes == 0) return DRYSTONE_DONE;
  if (!values) return api_guard_fail(DRYSTONE_USER, "%s: no values", function);
  const Bodies *b = &run_world(world->run)->bodies;
  const double *value = values;
  for (int64_t i = 0; i < rows->count; i++) {
    const int row = (int)(rows->first + i);
    const char *why = refuse_value(b, field, row, value + i * field->components);
    if (why)
      return api_guard_fail(DRYSTONE_USER, "%s: '%s' of body %llu: %s", function, rows->field,
                            (unsigned long long)b->id[row], why);
  }
  World *w = run_reach(world->run, true);
  for (int64_t i = 0; i < rows->count; i++)
    set_value(w, field, (int)(rows->first + i), value + i * field->components);
  return DRYSTONE_DONE;
}

// -- loads ----------------------------------------------------------------------------------------

// Rows and sums of loads are given as they lie in memory.
_Static_assert(sizeof(LoadSum) == 6 * sizeof(double), "a load is a force and a torque");
_Static_assert(sizeof(vec3) == 3 * sizeof(double) && sizeof(quat) == 4 * sizeof(double),
               "vectors are their components");

static void load_bodies(void *context, LoadSum *loads)
{
  const DrystoneWorld *world = context;
  const World *w = run_world(world->run);
  const Bodies *b = &w->bodies;
  if (b->table.owned == 0) return;
  const DrystoneLoaded bodies = {.count = b->table.owned,
                                 .ids = b->id,
                                 .positions = (const double(*)[3])b->position,
                                 .orientations = (const double(*)[4])b->orientation,
                                 .velocities = (const double(*)[3])b->velocity,
                                 .spins = (const double(*)[3])b->spin,
                                 .masses = b->mass,
                                 .drives = b->drive,
                                 .time = world_time(w, 0.5),
                                 .step = world_interval(w)};
  world->loads(world->loads_context, &bodies, (double(*)[6])loads);
}

int drystone_world_load_by(DrystoneWorld *world, DrystoneLoads *loads, void *context)
{
  const int code = api_world_enter(world, "drystone_world_load_by");
  if (code != DRYSTONE_DONE) return code;
  world->loads = loads;
  world->loads_context = context;
  run_load_by(world->run, (LoadHook){loads ? load_bodies : NULL, world});
  return DRYSTONE_DONE;
}
