// Reads and writes files of pairs of tetrahedra with contacts.
#include "method_pairs.h"

#include <stdlib.h>
#include <string.h>

const char *const METHOD_PAIRS_NAMES[METHOD_COUNT] = {
    "closest", "intersection", "vertex", "consistent", "sat", "restricted", "opposing", "growth"};

// What was read of the file so far.
typedef struct {
  MethodTetra a, b;
  Method method;
  bool open;   // contacts are being read
  MethodContacts wanted;
  double tolerance;
  MethodPairsCount count;
} Reading;

static bool is_near(double x, double y, double tolerance) { return fabs(x - y) <= tolerance; }

static bool vectors_are_near(vec3 a, vec3 b, double tolerance)
{
  return is_near(a.x, b.x, tolerance) && is_near(a.y, b.y, tolerance) &&
         is_near(a.z, b.z, tolerance);
}

static bool same_contacts(const MethodContacts *a, const MethodContacts *b, double tolerance)
{
  if (a->count != b->count) return false;
  bool used[METHODS_MOST_CONTACTS] = {false};
  for (int i = 0; i < a->count; i++) {
    const MethodContact *p = &a->list[i];
    int match = -1;
    for (int k = 0; k < b->count && match < 0; k++) {
      const MethodContact *q = &b->list[k];
      if (!used[k] && vectors_are_near(p->place, q->place, tolerance) &&
          vectors_are_near(p->normal, q->normal, tolerance) &&
          is_near(p->depth, q->depth, tolerance))
        match = k;
    }
    if (match < 0) return false;
    used[match] = true;
  }
  return true;
}

static void compare_open(Reading *reading)
{
  if (!reading->open) return;
  static MethodContacts found;
  const MethodRule rule = {reading->method, WORDING_PROGRAM, true, METHOD_PAIRS_ENVELOPE};
  methods_find(&rule, &reading->a, &reading->b, &found);
  reading->count.pairs++;
  reading->count.contacts += reading->wanted.count;
  reading->count.same += same_contacts(&found, &reading->wanted, reading->tolerance);
  reading->open = false;
}

static void begin_contacts(Reading *reading, Method method)
{
  compare_open(reading);
  reading->method = method;
  reading->wanted.count = 0;
  reading->open = method < METHOD_COUNT;
}

static void read_pair(Reading *reading, char *text)
{
  for (int k = 0; k < 8; k++) {
    vec3 *corner = k < 4 ? &reading->a.corners[k] : &reading->b.corners[k - 4];
    corner->x = (double)strtof(text, &text);
    corner->y = (double)strtof(text, &text);
    corner->z = (double)strtof(text, &text);
  }
  for (int k = 0; k < 8; k++)
    (k < 4 ? reading->a.on_surface : reading->b.on_surface)[k % 4] = strtol(text, &text, 10) != 0;
}

static void read_contact(Reading *reading, char *text)
{
  if (reading->wanted.count == METHODS_MOST_CONTACTS) return;
  double numbers[7];
  for (int k = 0; k < 7; k++) numbers[k] = (double)strtof(text, &text);
  reading->wanted.list[reading->wanted.count++] = (MethodContact){
      {numbers[0], numbers[1], numbers[2]}, {numbers[3], numbers[4], numbers[5]}, numbers[6]};
}

static Method method_of_name(const char *name)
{
  for (int k = 0; k < METHOD_COUNT; k++) {
    if (strcmp(METHOD_PAIRS_NAMES[k], name) == 0) return (Method)k;
  }
  return METHOD_COUNT;
}

MethodPairsCount method_pairs_compare(FILE *file, Method method, double tolerance)
{
  static Reading reading;
  reading = (Reading){.method = method, .tolerance = tolerance};
  char line[4096];
  while (fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    if (line[0] == 'c') read_contact(&reading, line + 1);
    if (line[0] == 'm') begin_contacts(&reading, method_of_name(line + 2));
    if (line[0] != 'p') continue;
    begin_contacts(&reading, method);
    read_pair(&reading, line + 1);
  }
  compare_open(&reading);
  return reading.count;
}

void method_pairs_write(FILE *file, const MethodTetra *a, const MethodTetra *b)
{
  fprintf(file, "p");
  for (int k = 0; k < 8; k++) {
    const vec3 corner = k < 4 ? a->corners[k] : b->corners[k - 4];
    fprintf(file, " %.9g %.9g %.9g", corner.x, corner.y, corner.z);
  }
  for (int k = 0; k < 8; k++) fprintf(file, " %d", (k < 4 ? a : b)->on_surface[k % 4]);
  fprintf(file, "\n");
  for (int method = 0; method < METHOD_COUNT; method++) {
    static MethodContacts found;
    const MethodRule rule = {(Method)method, WORDING_PROGRAM, true, METHOD_PAIRS_ENVELOPE};
    methods_find(&rule, a, b, &found);
    fprintf(file, "m %s\n", METHOD_PAIRS_NAMES[method]);
    for (int i = 0; i < found.count; i++) {
      const MethodContact *c = &found.list[i];
      fprintf(file, "c %.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", c->place.x, c->place.y, c->place.z,
              c->normal.x, c->normal.y, c->normal.z, c->depth);
    }
  }
}
