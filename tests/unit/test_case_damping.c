// Damping in case files: both forms of the key, and what a restart makes of them.
#include <string.h>

#include "case_changes.h"
#include "case_reader.h"
#include "harness.h"

#define TEXT                                               \
  "gravity: [0, 0, -9.81]\n"                               \
  "time: {step: 1e-3, end: 1}\n"                           \
  "materials: {stone: {density: 2000}}\n"                  \
  "contacts: [{between: [stone, stone], friction: 0.6}]\n" \
  "bodies: [{box: [1, 1, 1], material: stone}]\n"

static void check_damping(const char *key, bool given, double local, double mass)
{
  Case c;
  char error[1024] = "";
  const char *overrides[] = {key};
  const CaseOptions options = {.override_count = key ? 1 : 0, .overrides = overrides};
  if (!CHECK(case_parse((CaseFile){"a.yaml", TEXT, strlen(TEXT)}, &options, &c,
                        (ErrorText){error, sizeof error})))
    return;
  CHECK(c.damping.given == given && c.damping.local == local && c.damping.mass == mass);
  case_destroy(&c);
}

// What a restart with another key finds.
static ChangeVerdict verdict_of(const char *then, const char *now, int *count)
{
  Arena arena = arena_new();
  CaseChanges changes;
  char error[1024] = "";
  const CaseRestart restart = {.then = {"a.yaml", TEXT, then, ""},
                               .now = {"a.yaml", TEXT, now, ""}};
  CHECK(case_changes_find(&restart, &arena, &changes, (ErrorText){error, sizeof error}));
  const ChangeVerdict verdict = changes.count > 0 ? changes.changes[0].verdict : CHANGE_FREE;
  *count = changes.count;
  arena_destroy(&arena);
  return verdict;
}

int main(void)
{
  check_damping(NULL, false, 0, 0);
  check_damping("damping=0.7", true, 0.7, 0);
  check_damping("damping={mass: 2}", true, 0, 2);
  check_damping("damping={local: 0.5, mass: 2}", true, 0.5, 2);
  check_damping("damping=0", true, 0, 0);

  int count;
  CHECK(verdict_of("damping=0.7", "damping={local: 0.70}", &count) == CHANGE_FREE && count == 0);
  CHECK(verdict_of("damping=0.7", "damping=0.5", &count) == CHANGE_REFUSED && count == 1);
  CHECK(verdict_of("damping=0.7", "damping={local: 0.7, mass: 1}", &count) == CHANGE_REFUSED);
  CHECK(verdict_of("damping=0", "", &count) == CHANGE_NEVER && count == 1);
  CHECK(verdict_of("", "damping={mass: 1}", &count) == CHANGE_NEVER && count == 1);
  return test_report();
}
