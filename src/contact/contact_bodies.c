// Contacts name bodies that are here, and parts that these have.
#include "contact_bodies.h"

#include "check.h"

// Parts of a body; a sphere or an ellipsoid counts as one.
static uint32_t parts_of(const Bodies *bodies, ShapeSet *shapes, int row)
{
  const int parts = shape_set_get(shapes, bodies->shape[row])->part_count;
  return parts > 0 ? (uint32_t)parts : 1;
}

static const char *row_fault(const Contacts *c, int i, const Bodies *b, ShapeSet *shapes)
{
  assert_debug(i >= 0 && i < c->table.count && "a contact has a row");
  const int low = bodies_find(b, c->bodies[i].low), high = bodies_find(b, c->bodies[i].high);
  if (low < 0 || high < 0) return "a contact's body is not known here";
  const int owner = bodies_pair_owner(b, low, high), other = owner == low ? high : low;
  if (b->drive[owner] != DRIVE_DYNAMIC) return "a contact has no dynamic body";
  const bool owned_here = owner < b->table.owned;
  if (i < c->table.owned && !owned_here) return "an own contact's pair is another rank's";
  if (i >= c->table.owned && owned_here) return "a ghost contact's pair is this rank's";
  if (i >= c->table.owned && other >= b->table.owned)
    return "a ghost contact is between bodies of other ranks";
  if (c->parts[i].low >= parts_of(b, shapes, low) || c->parts[i].high >= parts_of(b, shapes, high))
    return "a contact's part is not one of its body";
  return NULL;
}

const char *contact_bodies_fault(const Contacts *contacts, const Bodies *bodies, ShapeSet *shapes)
{
  for (int i = 0; i < contacts->table.count; i++) {
    const char *fault = row_fault(contacts, i, bodies, shapes);
    if (fault) return fault;
  }
  return NULL;
}
