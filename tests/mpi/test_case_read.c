// Reading a case: the same case on all ranks, or one message and a refusal on all.
#include <string.h>

#include "case_reader.h"
#include "harness.h"
#include "hash.h"
#include "memory.h"
#include "parallel.h"
#include "scene.h"

#define CASE(name) TESTS_FOLDER "/fuzz/case/" name ".yaml"

static Hash128 hash_of_bodies(const Case *c)
{
  Hash128 sum = {0};
  for (uint64_t id = 0; id < c->body_count; id++) {
    const BodyRecipe body = scene_body(c, id);
    sum = hash_add(sum, hash_bytes(&body.origin, sizeof body.origin, 2 * id));
    sum = hash_add(sum, hash_bytes(&body.turn, sizeof body.turn, 2 * id + 1));
  }
  return sum;
}

static void test_good(void)
{
  static const char *const overrides[] = {"partition.every=11"};
  const CaseOptions options = {.override_count = 1, .overrides = overrides};
  Case c;
  if (!CHECK(case_read(CASE("good-every-key"), &options, &c))) return;
  CHECK(c.body_count == 5 + 24 + 7 + 7 && c.partition.every == 11);
  Hash128 here = hash_of_bodies(&c), root = here;
  par_broadcast(&root, sizeof root, 0);
  CHECK(here.low == root.low && here.high == root.high);
  CHECK(strcmp(c.overrides, "partition.every=11") == 0 && strstr(c.text, "voussoirs: 7") != NULL);
  case_destroy(&c);
}

static void check_refused(const char *path, int count, const char *const *overrides)
{
  const CaseOptions options = {.override_count = count, .overrides = overrides};
  Case c;
  CHECK(!case_read(path, &options, &c));
  CHECK(c.arena == NULL);
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  const int64_t live = memory_live_bytes();
  test_good();

  // no file, a folder, bad text, bad groups, and bad shapes, which single ranks find
  check_refused(CASE("there-is-none"), 0, NULL);
  check_refused(TESTS_FOLDER, 0, NULL);
  check_refused(CASE("bad-empty"), 0, NULL);
  check_refused(CASE("bad-step-zero"), 0, NULL);
  check_refused(CASE("bad-arch-thick"), 0, NULL);
  static const char *const flat[] = {
      "bodies.1.hull=[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]",
      "bodies.4.parts=[{box: [1, 1, 1]}, {box: [1, 1, 1], at: [0.5, 0, 0]}]",
  };
  check_refused(CASE("good-every-key"), 1, flat);
  check_refused(CASE("good-every-key"), 1, flat + 1);

  CHECK(memory_live_bytes() == live);
  const int code = test_report_parallel();
  par_end();
  return code;
}
