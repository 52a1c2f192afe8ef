// The keys that say what becomes of a step above the tolerance: words, their older synonym, and
// contradictions of the two.
#include <stdio.h>
#include <string.h>

#include "case_reader.h"
#include "harness.h"
#include "memory.h"

static const char text[] = "units: SI\n"
                           "gravity: [0, 0, -9.81]\n"
                           "time: {step: 1e-3, end: 1.0}\n"
                           "materials: {stone: {density: 2400}}\n"
                           "contacts: [{between: [stone, stone], friction: 0.5}]\n"
                           "bodies: [{box: [1, 1, 1], material: stone}]\n";

// Reads the case with settings of its solver; why: the refusal, NULL: it is read.
static void check_settings(const char *solver, Unsolved expected, const char *why)
{
  char settings[128];
  snprintf(settings, sizeof settings, "solver={%s}", solver);
  const char *const overrides[] = {settings};
  const CaseOptions options = {.override_count = 1, .overrides = overrides};
  Case c;
  char error[1024] = "";
  const bool read = case_parse((CaseFile){"one.yaml", text, strlen(text)}, &options, &c,
                               (ErrorText){error, sizeof error});
  if (why) {
    if (!CHECK(!read && strstr(error, why) != NULL)) printf("  %s: %s\n", solver, error);
  } else {
    if (!CHECK(read && c.solver.unsolved == expected)) printf("  %s: %s\n", solver, error);
  }
  if (read) case_destroy(&c);
}

int main(void)
{
  check_settings("max_sweeps: 9", UNSOLVED_KEEP, NULL);
  check_settings("unsolved: keep", UNSOLVED_KEEP, NULL);
  check_settings("unsolved: halve", UNSOLVED_HALVE, NULL);
  check_settings("unsolved: end", UNSOLVED_END, NULL);

  // the older word says 'end' alone, and nothing against the other two
  check_settings("demand_convergence: true", UNSOLVED_END, NULL);
  check_settings("demand_convergence: false", UNSOLVED_KEEP, NULL);
  check_settings("unsolved: end, demand_convergence: true", UNSOLVED_END, NULL);
  check_settings("unsolved: halve, demand_convergence: false", UNSOLVED_HALVE, NULL);
  check_settings("unsolved: keep, demand_convergence: false", UNSOLVED_KEEP, NULL);
  check_settings("unsolved: keep, demand_convergence: true", UNSOLVED_KEEP,
                 "solver.unsolved: 'keep' contradicts demand_convergence: true");
  check_settings("unsolved: halve, demand_convergence: true", UNSOLVED_KEEP,
                 "solver.unsolved: 'halve' contradicts demand_convergence: true");
  check_settings("demand_convergence: false, unsolved: end", UNSOLVED_KEEP,
                 "solver.unsolved: 'end' contradicts demand_convergence: false");

  // other words, and flags that are none
  check_settings("unsolved: half", UNSOLVED_KEEP,
                 "solver.unsolved: expected 'keep', 'halve' or 'end', found 'half'");
  check_settings("unsolved: [halve]", UNSOLVED_KEEP, "expected 'keep', 'halve' or 'end'");
  check_settings("unsolved: end, demand_convergence: yes", UNSOLVED_KEEP,
                 "solver.demand_convergence: expected");
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
