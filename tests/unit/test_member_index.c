// Bodies of an entry by whole names: the same as by going through all labels, and in no more time
// for many names than for few.
#include "member_index.h"

#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "memory.h"
#include "random_numbers.h"

enum { BODIES = 60 };

// Names of few letters, so that several bodies share one; some are numbers, some are none.
static const char *random_name(Random *random, char room[8])
{
  static const char *const words[] = {"",   "a", "b",  "ab", "pier_1", "stone", "7",
                                      "07", "1", "59", "60", "-1",     "0",     "a.b"};
  const int word = random_below(random, 20);
  if (word < 14) return words[word];
  snprintf(room, 8, "%d", random_below(random, BODIES + 5));
  return room;
}

static bool same_as_slow(const MemberIndex *index, const char *label)
{
  bool marked[BODIES] = {false}, slow[BODIES] = {false}, any = false;
  for (uint64_t b = 0; b < index->bodies; b++) {
    char room[MEMBER_LABEL_BYTES];
    slow[b] = strcmp(case_member_label(index->group, b, room), label) == 0;
    any |= slow[b];
  }
  return member_index_mark(index, label, marked) == any && memcmp(marked, slow, sizeof slow) == 0;
}

static void test_random(void)
{
  Random random = {11};
  for (int round = 0; round < 300; round++) {
    Arena arena = arena_new();
    const uint64_t bodies = 1 + (uint64_t)random_below(&random, BODIES);
    const char *names[BODIES];
    char rooms[BODIES][8];
    for (uint64_t b = 0; b < bodies; b++) names[b] = random_name(&random, rooms[b]);
    const BodyGroup group = {.member_names = round % 3 > 0 ? names : NULL};
    const MemberIndex index = member_index_new(&group, bodies, &arena);
    for (int look = 0; look < 40; look++) {
      char room[8];
      const char *label = random_name(&random, room);
      if (!CHECK(*label == 0 || same_as_slow(&index, label))) printf("  '%s'\n", label);
    }
    arena_destroy(&arena);
  }
}

static void test_numbers(void)
{
  Arena arena = arena_new();
  const BodyGroup group = {0};
  const MemberIndex index = member_index_new(&group, BODIES, &arena);
  static const char *const none[] = {"60",
                                     "00",
                                     "01",
                                     "+1",
                                     " 1",
                                     "1 ",
                                     "1.0",
                                     "-0",
                                     "1a",
                                     "18446744073709551616",
                                     "99999999999999999999"};
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
    bool marked[BODIES] = {false};
    CHECK(!member_index_mark(&index, none[i], marked));
    CHECK(same_as_slow(&index, none[i]));
  }
  arena_destroy(&arena);
}

// All bodies of a large entry by name, which took minutes where each name went through all: every
// other one has a name of its own, the rest their numbers.
static void test_many(void)
{
  enum { MANY = 200000 };
  Arena arena = arena_new();
  const char **names = arena_allocate(&arena, MANY * sizeof *names);
  for (int b = 0; b < MANY; b++) {
    char *name = arena_allocate(&arena, MEMBER_LABEL_BYTES);
    snprintf(name, MEMBER_LABEL_BYTES, b % 2 ? "stone %d" : "", MANY - b);
    names[b] = name;
  }
  const BodyGroup group = {.member_names = names};
  const MemberIndex index = member_index_new(&group, MANY, &arena);
  bool *marked = arena_allocate_zero(&arena, MANY, sizeof *marked);
  int found = 0;
  for (uint64_t b = 0; b < MANY; b++) {
    char room[MEMBER_LABEL_BYTES];
    found += member_index_mark(&index, case_member_label(&group, b, room), marked);
  }
  CHECK(found == MANY);
  for (int b = 0; b < MANY; b++) found -= marked[b];
  CHECK(found == 0);
  arena_destroy(&arena);
}

int main(void)
{
  test_random();
  test_numbers();
  test_many();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
