// Who holds a place that pieces of one body have in common: pieces of a slab on another body, whose
// points stand where the test puts them.
#include "shared_places.h"

#include <string.h>

#include "contacts.h"
#include "harness.h"

enum { PIECES = 4, BODIES = PIECES + 1, POINTS = 4 };

// A slab of 2 x 2 blocks over the floor, ids 1 to 4 in any rows; the floor has id 0.
typedef struct {
  Bodies bodies;
  Box boxes[BODIES];
  SurfaceLaws laws;
  CutBodies cut;
  Patch patches[BODIES];   // of each piece on the floor, by id
  PatchPoint points[BODIES][POINTS], drafts[BODIES][POINTS];
  Arena arena;
} Slab;

static int row_of(const Slab *slab, uint64_t id)
{
  for (int i = 0; i < BODIES; i++)
    if (slab->bodies.id[i] == id) return i;
  return -1;
}

// Block k is [0, 1] x [0, 1] beside (0, 0), as its number says; a point at every corner.
static void set_points(Slab *slab)
{
  for (int id = 1; id < BODIES; id++) {
    const int at[2] = {(id - 1) % 2, (id - 1) / 2};
    for (int k = 0; k < POINTS; k++)
      slab->points[id][k] = (PatchPoint){.point = {at[0] - 1 + k % 2, at[1] - 1 + k / 2, 0},
                                         .area = 0.25,
                                         .feature_b = feature_new(FEATURE_NUMBER, k)};
    slab->patches[id] = (Patch){.normal = {0, 0, 1}, .area = 1, .point_count = POINTS};
  }
}

static PairPatches find(void *context, int low, int high)
{
  Slab *slab = context;
  const uint64_t id = slab->bodies.id[high];
  CHECK(slab->bodies.id[low] == 0);
  memcpy(slab->drafts[id], slab->points[id], sizeof slab->points[id]);
  slab->patches[id].points = slab->drafts[id];
  return (PairPatches){{.patch_count = 1, .patches = &slab->patches[id]}, 1};
}

static void slab_begin(Slab *slab, const uint64_t ids[BODIES], double cohesion)
{
  memset(slab, 0, sizeof *slab);
  slab->arena = arena_new();
  bodies_begin(&slab->bodies);
  table_reserve(&slab->bodies.table, BODIES);
  slab->bodies.table.count = BODIES;
  slab->bodies.table.owned = 2;   // each half ascends
  for (int i = 0; i < BODIES; i++) {
    slab->bodies.id[i] = ids[i];
    slab->bodies.position[i] = (vec3){0, 0, 0};
    slab->boxes[i] = (Box){{-1.1, -1.1, -.1}, {1.1, 1.1, .1}};
  }
  slab->cut = (CutBodies){.first = 1, .end = 1 + PIECES, .blocks = {2, 2, 1}};
  slab->cut.joined.cohesion = cohesion;
  slab->laws = (SurfaceLaws){.cut_count = 1, .cut = &slab->cut};
  set_points(slab);
}

static void slab_end(Slab *slab)
{
  bodies_end(&slab->bodies);
  arena_destroy(&slab->arena);
}

// The marked points of a piece on the floor.
static const PatchPoint *mark(Slab *slab, uint64_t id, PatchPoint points[POINTS])
{
  memcpy(points, slab->points[id], sizeof slab->points[id]);
  Patch patch = slab->patches[id];
  patch.points = points;
  const PairPatches of = {{.patch_count = 1, .patches = &patch}, 1};
  const SharedPlaces in = {&slab->bodies, slab->boxes, &slab->laws, find, slab};
  shared_places_mark(&in, row_of(slab, 0), row_of(slab, id), &of, &slab->arena);
  return points;
}

static bool is_held(const PatchPoint *point) { return (point->feature_b & FEATURE_HELD) != 0; }

static const uint64_t ORDER[BODIES] = {0, 3, 1, 2, 4}, OTHER[BODIES] = {2, 4, 0, 1, 3};

// The lowest piece holds the place in the middle and those on its seams; each place has one holder,
// and areas stay.
static void test_corners(const uint64_t ids[BODIES])
{
  static Slab slab;
  slab_begin(&slab, ids, INFINITY);
  double area = 0;
  int holders = 0;
  for (uint64_t id = 1; id < BODIES; id++) {
    PatchPoint points[POINTS];
    mark(&slab, id, points);
    for (int k = 0; k < POINTS; k++) {
      if (is_held(&points[k])) continue;
      area += points[k].area;
      holders++;
    }
  }
  CHECK(holders == 9);
  CHECK_NEAR(area, PIECES, 1e-15);
  PatchPoint points[POINTS];
  mark(&slab, 1, points);
  CHECK_NEAR(points[3].area, 1, 1e-15);   // the middle
  CHECK(points[3].feature_b & FEATURE_HOLDS && !(points[0].feature_b & FEATURE_HOLDS));
  mark(&slab, 4, points);
  CHECK(is_held(&points[0]) && is_held(&points[1]) && is_held(&points[2]) && !is_held(&points[3]));
  slab_end(&slab);
}

// Points away from each other, of other faces, and of pieces that may part are their own.
static void test_apart(void)
{
  static Slab slab;
  PatchPoint points[POINTS];
  slab_begin(&slab, ORDER, INFINITY);
  for (int k = 0; k < POINTS; k++) slab.points[2][k].point.x += 0.2;
  mark(&slab, 2, points);
  CHECK(!is_held(&points[0]));
  set_points(&slab);
  slab.patches[1].normal = (vec3){1, 0, 0};
  mark(&slab, 2, points);
  CHECK(!is_held(&points[0]) && points[0].area == 0.25);
  slab_end(&slab);
  slab_begin(&slab, ORDER, 1e6);
  mark(&slab, 4, points);
  for (int k = 0; k < POINTS; k++) CHECK(!is_held(&points[k]) && points[k].area == 0.25);
  slab_end(&slab);
}

// A point that is given up is nobody's, and holds nothing.
static void test_given_up(void)
{
  static Slab slab;
  PatchPoint points[POINTS];
  slab_begin(&slab, ORDER, INFINITY);
  for (int id = 1; id < BODIES; id++)
    slab.points[id][POINTS - id].feature_b |= FEATURE_HELD | FEATURE_HOLDS;
  mark(&slab, 1, points);
  CHECK(points[3].area == 0.25);
  mark(&slab, 2, points);
  CHECK(points[2].area == 0.25 && !is_held(&points[3]));
  slab_end(&slab);
}

// Of the welds around the middle one is spare: the first three hold all four together.
static PairPatches find_weld(void *context, int low, int high)
{
  Slab *slab = context;
  const uint64_t id = slab->bodies.id[high];
  (void)low;
  slab->drafts[id][0] = (PatchPoint){.area = 0.25, .feature_b = feature_new(FEATURE_NUMBER, 0)};
  slab->patches[id] =
      (Patch){.normal = {1, 0, 0}, .area = 1, .point_count = 1, .points = slab->drafts[id]};
  return (PairPatches){{.patch_count = 1, .patches = &slab->patches[id]}, 1};
}

static void test_welds(void)
{
  static Slab slab;
  slab_begin(&slab, OTHER, INFINITY);
  const SharedPlaces in = {&slab.bodies, slab.boxes, &slab.laws, find_weld, &slab};
  static const uint64_t pairs[4][2] = {{1, 2}, {1, 3}, {2, 4}, {3, 4}};
  for (int p = 0; p < 4; p++) {
    PatchPoint point = {.area = 0.25, .feature_b = feature_new(FEATURE_NUMBER, 0)};
    Patch patch = {.normal = {0, 1, 0}, .area = 1, .point_count = 1, .points = &point};
    const PairPatches of = {{.patch_count = 1, .patches = &patch}, 1};
    shared_places_mark_weld(&in, row_of(&slab, pairs[p][0]), row_of(&slab, pairs[p][1]), &of,
                            &slab.arena);
    CHECK(is_held(&point) == (p == 3));
  }
  slab_end(&slab);
}

int main(void)
{
  test_corners(ORDER);
  test_corners(OTHER);
  test_apart();
  test_given_up();
  test_welds();
  return test_report();
}
