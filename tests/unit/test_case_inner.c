// Keys of inner spheres: what a case says of them, and what it may not say.
#include <stdio.h>
#include <string.h>

#include "case_reader.h"
#include "harness.h"

static const char minimal[] =
    "gravity: [0, 0, -9.81]\n"
    "time: {step: 1e-3, end: 1.0}\n"
    "materials: {granite: {density: 2700}}\n"
    "contacts: [{between: [granite, granite], friction: 0.5}]\n"
    "bodies:\n"
    "  - {box: [2, 2, 1], at: [0, 0, -0.5], material: granite, fixed: true, name: floor}\n"
    "  - {box: [1, 0.5, 0.5], at: [0, 0, 0.25], material: granite, name: block}\n";

static bool parse(int count, const char *const *overrides, Case *c, char error[1024])
{
  const CaseOptions options = {.override_count = count, .overrides = overrides};
  error[0] = 0;
  return case_parse((CaseFile){"a.yaml", minimal, strlen(minimal)}, &options, c,
                    (ErrorText){error, 1024});
}

static void test_inner_spheres(void)
{
  static const char law[] =
      "contacts.0={between: [granite, granite], law: volumetric, stiffness: 1e6, friction: 0.5}";
  static const char *const good[] = {law, "contact={geometry: spheres, spheres: 300}"};
  static const char *const usual[] = {law, "contact={geometry: exact}"};
  Case c;
  char error[1024];
  if (!CHECK(parse(2, good, &c, error))) {
    printf("  %s\n", error);
    return;
  }
  CHECK(c.contact.inner_spheres == 300);
  case_destroy(&c);
  if (CHECK(parse(2, usual, &c, error))) {
    CHECK(c.contact.inner_spheres == 0);
    case_destroy(&c);
  }
  static const struct {
    const char *contact, *why;
  } bad[] = {
      {"geometry: balls", "expected 'exact' or 'spheres', found 'balls'"},
      {"geometry: spheres, spheres: 0", "spheres"},
      {"geometry: spheres, spheres: 2000000", "spheres"},
      {"geometry: spheres, rows: body", "no use beside 'geometry: spheres'"},
      {"geometry: spheres, rows: parts", "no use beside 'geometry: spheres'"},
      {"spheres: 100", "no use without 'geometry: spheres'"},
      {"geometry: exact, spheres: 100", "no use without 'geometry: spheres'"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char text[256];
    snprintf(text, sizeof text, "contact={%s}", bad[i].contact);
    const char *const overrides[] = {law, text};
    if (!CHECK(!parse(2, overrides, &c, error) && strstr(error, bad[i].why) != NULL))
      printf("  %s: %s\n", bad[i].contact, error);
  }
  // friction over faces that spheres do not have: in the case, and in a stage
  static const char over_faces[] =
      "contacts.0={between: [granite, granite], law: volumetric, stiffness: 1e6, friction: 0.5, "
      "spinning: integrated}";
  static const char *const spheres = "contact={geometry: spheres, spheres: 300}";
  CHECK(!parse(2, (const char *const[]){over_faces, spheres}, &c, error) &&
        strstr(error, "inner spheres have no faces") != NULL);
  static const char staged[] = "stages=[{name: settle, until: {time: 0.1}, contacts: [{between: "
                               "[granite, granite], spinning: integrated}]}]";
  if (!CHECK(!parse(3, (const char *const[]){law, spheres, staged}, &c, error) &&
             strstr(error, "contradicts 'geometry: spheres'") != NULL))
    printf("  %s\n", error);
  static const char *const lonely[] = {"contact={geometry: spheres}"};
  CHECK(!parse(1, lonely, &c, error) && strstr(error, "no use where no pair") != NULL);
}

int main(void)
{
  test_inner_spheres();
  return test_report();
}
