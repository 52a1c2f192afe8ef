#include "contacts.h"

#include <math.h>
#include <stdbool.h>

#include "memory.h"

static const Field FIELDS[] = {
#define CONTACT_FIELD(...) TABLE_FIELD_OF(Contacts, __VA_ARGS__)
    CONTACT_FIELDS(CONTACT_FIELD)
#undef CONTACT_FIELD
};

void contacts_begin(Contacts *contacts)
{
  table_begin(&contacts->table, "contacts", FIELDS, (int)(sizeof FIELDS / sizeof *FIELDS));
}

void contacts_end(Contacts *contacts) { table_end(&contacts->table); }

static int compare_u64(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

int contacts_compare(const Contacts *a, int row_a, const Contacts *b, int row_b)
{
  const IdPair p = a->bodies[row_a], q = b->bodies[row_b];
  int order = compare_u64(p.low, q.low);
  if (order == 0) order = compare_u64(p.high, q.high);
  if (order != 0) return order;
  const IndexPair parts_a = a->parts[row_a], parts_b = b->parts[row_b];
  order = compare_u64(parts_a.low, parts_b.low);
  if (order == 0) order = compare_u64(parts_a.high, parts_b.high);
  if (order != 0) return order;
  const IndexPair features_a = a->features[row_a], features_b = b->features[row_b];
  order = compare_u64(features_a.low, features_b.low);
  return order != 0 ? order : compare_u64(features_a.high, features_b.high);
}

// merge sort of row numbers: stable, no comparison function without context
static void sort_rows(const Contacts *contacts, int *rows, int *scratch, int count)
{
  if (count < 2) return;
  const int half = count / 2;
  sort_rows(contacts, rows, scratch, half);
  sort_rows(contacts, rows + half, scratch, count - half);
  int i = 0, j = half, k = 0;
  while (i < half && j < count)
    scratch[k++] =
        contacts_compare(contacts, rows[j], contacts, rows[i]) < 0 ? rows[j++] : rows[i++];
  while (i < half) scratch[k++] = rows[i++];
  while (j < count) scratch[k++] = rows[j++];
  for (k = 0; k < count; k++) rows[k] = scratch[k];
}

void contacts_sort(Contacts *contacts, int first, int count)
{
  bool sorted = true;
  for (int i = first + 1; i < first + count && sorted; i++) {
    sorted = contacts_compare(contacts, i - 1, contacts, i) <= 0;
  }
  if (sorted) return;
  int *rows = memory_allocate(2 * (size_t)count * sizeof *rows);
  for (int i = 0; i < count; i++) rows[i] = first + i;
  sort_rows(contacts, rows, rows + count, count);
  table_permute(&contacts->table, first, count, rows);
  memory_free(rows);
}

// The first tangent is the x axis made orthogonal to the normal, or the y axis where the normal is
// nearer to x: normals along world axes, the most frequent ones, are far from where the choice
// changes.
mat3 contact_frame(vec3 n)
{
  const vec3 axis = fabs(n.x) < 0.8 ? vec3_new(1, 0, 0) : vec3_new(0, 1, 0);
  const vec3 across = vec3_axpy(-vec3_dot(axis, n), n, axis);
  const vec3 first = vec3_scale(1 / vec3_norm(across), across);
  return (mat3){{n, first, vec3_cross(n, first)}};
}
