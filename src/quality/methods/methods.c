// Chooses the precision of a method, and finds contacts that are one.
#include "methods.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

static bool has_surface(const MethodTetra *tetra)
{
  return tetra->on_surface[0] || tetra->on_surface[1] || tetra->on_surface[2] ||
         tetra->on_surface[3];
}

void methods_find(const MethodRule *rule, const MethodTetra *a, const MethodTetra *b,
                  MethodContacts *found)
{
  assert(rule->method < METHOD_COUNT && rule->wording < WORDING_COUNT && "a method that there is");
  assert(!(rule->envelope < 0) && "an envelope has a width");
  found->count = 0;
  if (!has_surface(a) || !has_surface(b)) return;
  if (rule->single) methods_single_find(rule, a, b, found);
  else methods_double_find(rule, a, b, found);
}

double methods_rounding(bool single) { return 10 * (single ? (double)FLT_EPSILON : DBL_EPSILON); }

// Place, normal and depth as seven numbers.
typedef struct {
  double of[7];
} ContactNumbers;

static ContactNumbers numbers_of(const MethodContact *c)
{
  return (ContactNumbers){
      {c->place.x, c->place.y, c->place.z, c->normal.x, c->normal.y, c->normal.z, c->depth}};
}

static int compare_contacts(const void *p, const void *q)
{
  const ContactNumbers a = numbers_of(p), b = numbers_of(q);
  for (int k = 0; k < 7; k++) {
    if (a.of[k] < b.of[k]) return -1;
    if (a.of[k] > b.of[k]) return 1;
  }
  return 0;
}

static bool contacts_are_one(const MethodContact *p, const MethodContact *q, double rounding)
{
  const ContactNumbers a = numbers_of(p), b = numbers_of(q);
  for (int k = 0; k < 7; k++) {
    if (!(fabs(a.of[k] - b.of[k]) <= rounding)) return false;
  }
  return true;
}

int methods_leave_distinct(MethodContact *contacts, int count, double rounding)
{
  assert(count >= 0 && !(rounding < 0) && "contacts are counted");
  if (count == 0) return 0;
  qsort(contacts, (size_t)count, sizeof *contacts, compare_contacts);
  int left = 0;
  for (int i = 0; i < count; i++) {
    // std::unique compares with the last one that stays
    if (left > 0 && contacts_are_one(&contacts[left - 1], &contacts[i], rounding)) continue;
    contacts[left++] = contacts[i];
  }
  return left;
}
