// Offsets of contacts that are taken as closed: given, found again, forgotten.
#include "initial_gaps.h"

#include "arena.h"
#include "harness.h"
#include "memory.h"
#include "table.h"

#define TOLERANCE 0.01
#define IN_PLACE                        \
  {                                     \
    {                                   \
      {1, 0, 0}, {0, 1, 0}, { 0, 0, 1 } \
    }                                   \
  }

static const vec3 UP = {0, 0, 1}, ASIDE = {1, 0, 0};

// A patch of two points at x = 0 and 1 with gaps and features from a number on.
typedef struct {
  PatchPoint points[2];
  Patch patch;
  PatchSet set;
} OnePatch;

static PatchSet *make_patch(OnePatch *one, vec3 normal, const double gaps[2], uint32_t feature)
{
  for (int k = 0; k < 2; k++)
    one->points[k] =
        (PatchPoint){.point = {k, 0, 0}, .gap = gaps[k], .feature_a = feature + (uint32_t)k};
  one->patch = (Patch){.normal = normal, .point_count = 2, .points = one->points};
  one->set = (PatchSet){.patch_count = 1, .patches = &one->patch};
  return &one->set;
}

// A row of the last step for each point.
static void add_rows(Contacts *old, const OnePatch *one)
{
  for (int k = 0; k < 2; k++) {
    table_reserve(&old->table, old->table.count + 1);
    const int row = old->table.count++;
    old->table.owned = old->table.count;
    old->bodies[row] = (IdPair){3, 7};
    old->parts[row] = (IndexPair){0, 0};
    old->features[row] = (IndexPair){one->points[k].feature_a, 0};
    old->normal[row] = one->patch.normal;
    old->anchor[row] = one->points[k].point;
    old->offset[row] = one->points[k].offset;
    old->bond[row] = BOND_NONE;
  }
}

static InitialPair next_step(const Contacts *old)
{
  return (InitialPair){.known = {old, {0, old->table.count}},
                       .tolerance = TOLERANCE,
                       .near = 1e-3,
                       .rotation = IN_PLACE};
}

static void test_beginning(void)
{
  Contacts none;
  contacts_begin(&none);
  InitialPair pair = next_step(&none);
  OnePatch one;
  PatchSet *set = make_patch(&one, UP, (double[]){-0.004, -0.006}, 0);
  CHECK(initial_gaps_reach(&pair) == 0);
  initial_gaps_take(&pair, set);
  CHECK(one.points[0].gap == -0.004 && one.points[1].offset == 0 && set->patch_count == 1);

  pair.begins = true;
  CHECK(initial_gaps_reach(&pair) == 2 * TOLERANCE);
  initial_gaps_take(&pair, set);
  CHECK(one.points[0].gap == 0 && one.points[0].offset == -0.004);
  CHECK(one.points[1].gap == 0 && one.points[1].offset == -0.006 && one.patch.separation == 0);
  // a gap and what is too deep
  initial_gaps_take(&pair, make_patch(&one, UP, (double[]){0.009, -0.011}, 0));
  CHECK(one.points[0].gap == 0 && one.points[0].offset == 0.009);
  CHECK(one.points[1].gap == -0.011 && one.points[1].offset == 0);
  CHECK(one.patch.separation == -0.011);
  // no contact: too far for the tolerance, and for the margin
  initial_gaps_take(&pair, make_patch(&one, UP, (double[]){0.011, 0.02}, 0));
  CHECK(one.set.patch_count == 0);
  // the way since the start of the step is no offset: up by 1 mm, and turned by 2 mm at x = 1
  pair.way = (vec3){0, 0, 1e-3}, pair.turn = (vec3){0, -2e-3, 0};
  initial_gaps_take(&pair, make_patch(&one, UP, (double[]){-0.009, -0.007}, 0));
  CHECK_NEAR(one.points[0].gap, 1e-3, 1e-17);
  CHECK_NEAR(one.points[1].gap, 3e-3, 1e-17);
  CHECK_NEAR(one.points[1].offset, -0.01, 1e-17);
  // a case without the key
  pair.tolerance = 0;
  initial_gaps_take(&pair, make_patch(&one, UP, (double[]){-0.004, -0.006}, 0));
  CHECK(one.points[0].gap == -0.004 && one.points[1].gap == -0.006);
  contacts_end(&none);
}

static void test_memory(void)
{
  Contacts old;
  contacts_begin(&old);
  OnePatch one;
  InitialPair pair = next_step(&old);
  pair.begins = true;
  initial_gaps_take(&pair, make_patch(&one, UP, (double[]){-0.004, 0.006}, 10));
  add_rows(&old, &one);
  pair = next_step(&old);
  CHECK(initial_gaps_reach(&pair) == 2 * TOLERANCE);
  pair.known.rows = (RowRange){1, 1};
  CHECK(initial_gaps_reach(&pair) == 0);

  // by key, wherever the point has gone to
  pair = next_step(&old);
  make_patch(&one, UP, (double[]){-0.0035, 0.0065}, 10);
  one.points[0].point = (vec3){5, 0, 0};
  initial_gaps_take(&pair, &one.set);
  CHECK(one.points[0].offset == -0.004 && one.points[1].offset == 0.006);
  CHECK_NEAR(one.points[0].gap, 0.0005, 1e-17);
  CHECK_NEAR(one.points[1].gap, 0.0005, 1e-17);

  // with other features: of the nearest
  make_patch(&one, UP, (double[]){-0.004, -0.004}, 20);
  one.points[0].point = (vec3){0.6, 0, 0}, one.points[1].point = (vec3){0.4, 0, 0};
  initial_gaps_take(&pair, &one.set);
  CHECK(one.points[0].offset == 0.006 && one.points[1].offset == -0.004);

  // over another face: an overlap is closed, a gap is none of ours
  initial_gaps_take(&pair, make_patch(&one, ASIDE, (double[]){-0.003, 0.0005}, 10));
  CHECK(one.points[0].offset == -0.003 && one.points[0].gap == 0);
  CHECK(one.points[1].offset == 0 && one.points[1].gap == 0.0005);

  // open by less than the tolerance at one point: nothing is forgotten; by more at all: everything
  initial_gaps_take(&pair, make_patch(&one, UP, (double[]){0.005, 0.03}, 10));
  CHECK(one.points[0].offset == -0.004 && one.points[1].offset == 0.006);
  CHECK(one.set.patch_count == 1);
  initial_gaps_take(&pair, make_patch(&one, UP, (double[]){0.0061, 0.0162}, 10));
  CHECK(one.points[0].offset == 0 && one.points[1].offset == 0 && one.set.patch_count == 0);
  CHECK(one.points[0].gap == 0.0061);

  // points of bonds lend nothing
  old.bond[0] = old.bond[1] = BOND_BROKEN;
  initial_gaps_take(&pair, make_patch(&one, UP, (double[]){-0.001, 0.001}, 10));
  CHECK(one.points[0].offset == -0.001 && one.points[1].offset == 0);
  contacts_end(&old);
}

int main(void)
{
  test_beginning();
  test_memory();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
