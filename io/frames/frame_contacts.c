// Derives forces, pressures and keys from rows of contacts.
#include "frame_contacts.h"

#include <assert.h>

#include "case.h"
#include "contacts.h"

ContactColumns frame_contacts_add(Hdf5Writer *w, const RowSpan *span, unsigned fields)
{
  assert(span->table->schema == &CONTACTS_SCHEMA && "the span is that of contacts");
  const Contacts *c = (const Contacts *)span->table;
  const uint64_t rows = span->row_count;
  ContactColumns k;
  const struct {
    int *number;
    unsigned field;   // 0: always
    Hdf5Column column;
  } all[] = {
      {&k.reaction,
       0,
       {"contacts", "reaction_world", "N s", "impulse on the lower body, world axes", FIELD_F64, 3,
        rows}},
      {&k.key,
       0,
       {"contacts", "key", "1", "bodies, parts, features: of the lower and the higher body each",
        FIELD_U64, 6, rows}},
      {&k.index, 0, {"contacts", "index", "1", "its row", FIELD_U64, 1, rows}},
      {&k.force,
       FRAME_FORCE,
       {"contacts", "force", "N", "on the lower body, mean of the step, world axes", FIELD_F64, 3,
        rows}},
      {&k.pressure,
       FRAME_PRESSURE,
       {"contacts", "pressure", "Pa", "normal force over tributary area; 0 without area", FIELD_F64,
        1, rows}},
      {&k.slip,
       FRAME_SLIP,
       {"contacts", "slip", "m",
        "that the bodies slide over each other in a step with the velocities at its end", FIELD_F64,
        1, rows}},
      {&k.status,
       FRAME_STATUS,
       {"contacts", "status", "1", "what its reaction does: 0 open, 1 sticks, 2 slides", FIELD_U32,
        1, rows}},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    *all[i].number =
        all[i].field == 0 || (fields & all[i].field) ? hdf5_add_column(w, all[i].column) : -1;
  assert((c->status || k.status < 0 || c->table.count == 0) &&
         "steps before frames tell the status");
  return k;
}

vec3 *frame_contacts_impulses(const RowSpan *span, Arena *arena)
{
  assert(span->table->schema == &CONTACTS_SCHEMA && "the span is that of contacts");
  const Contacts *c = (const Contacts *)span->table;
  vec3 *impulses = arena_allocate(arena, ((size_t)c->table.count + 1) * sizeof *impulses);
  for (int i = 0; i < c->table.count; i++)
    impulses[i] = mat3_mul_transposed(contacts_basis(c->normal[i]), c->reaction[i]);
  return impulses;
}

void frame_contacts_write(Hdf5Writer *w, ContactColumns k, const RowSpan *span, double step,
                          const vec3 *impulses)
{
  assert(span->table->schema == &CONTACTS_SCHEMA && step > 0 && "the span is that of contacts");
  const Contacts *c = (const Contacts *)span->table;
  const size_t count = (size_t)c->table.count;
  typedef struct {
    uint64_t bodies[2], parts[2], features[2];
  } WideKey;
  Arena arena = arena_new();
  vec3 *force = arena_allocate(&arena, (count + 1) * sizeof *force);
  double *pressure = arena_allocate(&arena, (count + 1) * sizeof *pressure);
  WideKey *key = arena_allocate(&arena, (count + 1) * sizeof *key);
  uint64_t *index = arena_allocate(&arena, (count + 1) * sizeof *index);
  for (size_t i = 0; i < count; i++) {
    force[i] = vec3_scale(1 / step, impulses[i]);
    pressure[i] = c->area[i] > 0 ? c->reaction[i].x / step / c->area[i] : 0;
    key[i] = (WideKey){{c->bodies[i].low, c->bodies[i].high},
                       {c->parts[i].low, c->parts[i].high},
                       {c->features[i].low, c->features[i].high}};
    index[i] = span->first_row + i;
  }
  const uint64_t first = span->first_row, rows = (uint64_t)count;
  hdf5_write_rows(w, k.reaction, first, rows, impulses);
  hdf5_write_rows(w, k.key, first, rows, key);
  hdf5_write_rows(w, k.index, first, rows, index);
  if (k.force >= 0) hdf5_write_rows(w, k.force, first, rows, force);
  if (k.pressure >= 0) hdf5_write_rows(w, k.pressure, first, rows, pressure);
  if (k.slip >= 0) hdf5_write_rows(w, k.slip, first, rows, c->slip);
  if (k.status >= 0) hdf5_write_rows(w, k.status, first, rows, c->status);
  arena_destroy(&arena);
}
