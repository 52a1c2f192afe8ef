// The eight local methods in single precision against contacts that their author's program (PROX)
// wrote down for pairs of tetrahedra of three of his scenes. METHOD_PAIRS names the archive, or it
// is in ../shared/verification beside the repository; without it the test is skipped.
#include <stdlib.h>

#include "harness.h"
#include "method_pairs.h"

#define ARCHIVE TESTS_FOLDER "/../../shared/verification/erleben_pairs_dev.tar.gz"

// Ten machine epsilons: the author's program takes contacts that near for one.
#define SAME methods_rounding(true)

#define LEAST_SAME 0.99   // of all pairs of a method

static const char *const scenes[3] = {"cliff_edge", "point_in_crack", "sliding_point"};

static MethodPairsCount compare_scene(const char *archive, const char *scene, Method method)
{
  char command[4400];
  snprintf(command, sizeof command, "tar -xzOf '%s' %s.%s", archive, scene,
           METHOD_PAIRS_NAMES[method]);
  MethodPairsCount count = {0};
  FILE *file = popen(command, "r");
  if (!CHECK(file != NULL)) return count;
  count = method_pairs_compare(file, method, SAME);
  CHECK(pclose(file) == 0);
  return count;
}

int main(void)
{
  const char *named = getenv("METHOD_PAIRS"), *archive = named ? named : ARCHIVE;
  FILE *there = fopen(archive, "r");
  if (!there) {
    printf("recorded contacts are left out: %s is not there\n", archive);
    return 77;
  }
  fclose(there);
  for (int method = 0; method < METHOD_COUNT; method++) {
    MethodPairsCount all = {0};
    for (int s = 0; s < 3; s++) {
      const MethodPairsCount count = compare_scene(archive, scenes[s], (Method)method);
      CHECK(count.pairs > 0 && count.contacts > 0);
      all.pairs += count.pairs;
      all.contacts += count.contacts;
      all.same += count.same;
    }
    printf("%-13s %4d pairs, %5d contacts, %4d the same: %.2f %%\n", METHOD_PAIRS_NAMES[method],
           all.pairs, all.contacts, all.same, 100.0 * all.same / all.pairs);
    CHECK(all.pairs > 800);
    CHECK(all.same >= LEAST_SAME * all.pairs);
  }
  return test_report();
}
