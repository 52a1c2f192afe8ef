// The field list of the table of contact points, and the order of its rows.
#include "contacts.h"

#include <math.h>

#include "check.h"

static const Field FIELDS[] = {
#define CONTACT_FIELD(...) TABLE_FIELD_OF(Contacts, __VA_ARGS__)
    CONTACT_FIELDS(CONTACT_FIELD)
#undef CONTACT_FIELD
};

const TableSchema CONTACTS_SCHEMA =
    TABLE_SCHEMA(Contacts, FIELDS, "contacts", GHOSTS_OF_PAIRS, NULL);

void contacts_begin(Contacts *contacts) { table_begin(&contacts->table, &CONTACTS_SCHEMA); }

void contacts_end(Contacts *contacts) { table_end(&contacts->table); }

int contacts_compare(const Contacts *a, int row_a, const Contacts *b, int row_b)
{
  assert_debug(row_a >= 0 && row_a < a->table.count && row_b >= 0 && row_b < b->table.count &&
               "rows that both tables have");
  int order = id_pair_compare(a->bodies[row_a], b->bodies[row_b]);
  if (order != 0) return order;
  const IndexPair parts_a = a->parts[row_a], parts_b = b->parts[row_b];
  order = order_u64(parts_a.low, parts_b.low);
  if (order == 0) order = order_u64(parts_a.high, parts_b.high);
  if (order != 0) return order;
  const IndexPair features_a = a->features[row_a], features_b = b->features[row_b];
  order = order_u64(features_a.low, features_b.low);
  return order != 0 ? order : order_u64(features_a.high, features_b.high);
}

// The first tangent is the x axis made orthogonal to the normal, or the y axis where the normal is
// nearer to x: normals along world axes, the most frequent ones, are far from where the choice
// changes.
mat3 contacts_basis(vec3 n)
{
  const vec3 axis = fabs(n.x) < 0.8 ? vec3_new(1, 0, 0) : vec3_new(0, 1, 0);
  const vec3 across = vec3_axpy(-vec3_dot(axis, n), n, axis);
  const vec3 first = vec3_scale(1 / vec3_norm(across), across);
  return (mat3){{n, first, vec3_cross(n, first)}};
}
