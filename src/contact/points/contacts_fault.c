// The promises of a table of contact points, asked row by row.
#include "contacts_fault.h"

#include <stddef.h>

#define UNIT_ERROR 1e-9   // of the square of a normal's length, far above rounding

static const char *row_fault(const Contacts *c, int i)
{
  if (c->bodies[i].low >= c->bodies[i].high) return "a contact's lower body is not the lower one";
  if (!(fabs(vec3_dot(c->normal[i], c->normal[i]) - 1) <= UNIT_ERROR))
    return "a contact's normal is no unit vector";
  if (!vec3_is_finite(c->reaction[i])) return "a contact's reaction is not finite";
  if (!vec3_is_finite(c->anchor[i])) return "a contact's anchor is not finite";
  if (!vec3_is_finite(c->point[i])) return "a contact's place is not finite";
  if (!isfinite(c->gap[i])) return "a contact's gap is not finite";
  if (!(c->area[i] >= 0) || !isfinite(c->area[i])) return "a contact's area is below zero";
  if (c->offset && !isfinite(c->offset[i])) return "a contact's offset is not finite";
  const uint32_t bond = contacts_bond(c, i);
  if (bond > BOND_BROKEN) return "a bond is in no known state";
  // a point that breaks keeps the pull that broke it until the next step is solved
  if (bond == BOND_NONE) return c->reaction[i].x < 0 ? "a contact pulls" : NULL;
  if (!vec3_is_finite(c->anchor_high[i])) return "a bond's anchor is not finite";
  if (!vec3_is_finite(c->mortar[i])) return "a bond's mortar is not finite";
  return NULL;
}

const char *contacts_fault(const Contacts *contacts)
{
  const Table *t = &contacts->table;
  if (t->owned < 0 || t->owned > t->count || t->count > t->capacity)
    return "own rows, rows and room of the contacts are not in this order";
  for (int i = 0; i < t->count; i++) {
    const bool first_of_half = i == 0 || i == t->owned;
    if (!first_of_half) {
      const int order = contacts_compare(contacts, i - 1, contacts, i);
      if (order > 0) return "contacts are not in the order of their keys";
      if (order == 0) return "two contacts have the same key";
    }
    const char *fault = row_fault(contacts, i);
    if (fault) return fault;
  }
  return NULL;
}
