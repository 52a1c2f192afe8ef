// Walls in bond: volumes by formula, no overlap, joints on both sides, laps, openings, refusals.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "intersection.h"
#include "memory.h"
#include "structure_survey.h"
#include "wall_structure.h"

#define CLOSE 1e-9

static int stones_named(const Structure *s, const char *beginning)
{
  int count = 0;
  for (int i = 0; i < s->count; i++)
    count += strncmp(s->names[i], beginning, strlen(beginning)) == 0;
  return count;
}

static StructureSurvey sound(const char *what, const Structure *s, double volume, double exposed)
{
  const StructureSurvey r = structure_survey(s);
  const double area = r.size * r.size;
  bool ok = CHECK(r.failed == 0);
  ok &= CHECK_NEAR(r.volume, volume, CLOSE * volume);
  ok &= CHECK_NEAR(r.overlap, 0, CLOSE * area * r.size);
  ok &= CHECK_NEAR(r.unequal, 0, CLOSE * area);
  if (exposed >= 0) ok &= CHECK_NEAR(r.surface - 2 * r.joints[0], exposed, CLOSE * r.surface);
  if (!ok) printf("  %s: %d stones, %d joints\n", what, s->count, r.joined);
  return r;
}

static WallMeasures wall_of(WallBond bond, int courses, int bricks, int leaves)
{
  return (WallMeasures){.bond = bond,
                        .courses = courses,
                        .bricks = bricks,
                        .brick = {0.4, 0.19, 0.13},
                        .leaves = leaves,
                        .tie_bricks = 1};
}

// A wall without openings or joints is its box, teeth apart.
static void test_bonds(Arena *arena)
{
  for (int bond = WALL_RUNNING; bond <= WALL_FLEMISH; bond++)
    for (int bricks = 1; bricks <= 7; bricks++)
      for (int leaves = 1; leaves <= 3; leaves++) {
        const WallMeasures m = wall_of((WallBond)bond, 4, bricks, leaves);
        if (!CHECK(wall_structure_check(&m).fault.reason == NULL)) continue;
        const Structure s = wall_structure_make(&m, arena);
        const double x = bricks * 0.4, y = leaves * 0.19, z = 4 * 0.13;
        sound("bond", &s, x * y * z, 2 * (x * y + y * z + z * x));
        CHECK(!s.held && stones_named(&s, "") == s.count);
        arena_reset(arena);
      }
}

// Joints of a course along x in quarters of a length, of the leaf at the front, in the open.
static int joints_of_course(const WallMeasures *m, const Structure *s, int course, double *joints)
{
  int count = 0;
  for (int i = 0; i < s->count; i++) {
    const PartRecipe *part = &s->solids[i].parts[0];
    vec3 low = part->points[0], high = low;
    for (int k = 1; k < part->count; k++) {
      low = vec3_min(low, part->points[k]);
      high = vec3_max(high, part->points[k]);
    }
    if (fabs(low.z - course * m->brick.z) > 1e-9 || low.y > -m->leaves * m->brick.y / 2 + 1e-9)
      continue;
    if (high.x < m->bricks * m->brick.x - 1e-9) joints[count++] = high.x;
  }
  return count;
}

// No joint of a course lies over one of the course below it, but for a stack bond.
static void test_laps(Arena *arena)
{
  for (int bond = WALL_RUNNING; bond <= WALL_FLEMISH; bond++)
    for (int bricks = 1; bricks <= 9; bricks++) {
      if (bond == WALL_STACK) continue;
      const WallMeasures m = wall_of((WallBond)bond, 2, bricks, 2);
      const Structure s = wall_structure_make(&m, arena);
      double low[64], high[64], least = 1;
      const int lows = joints_of_course(&m, &s, 0, low), highs = joints_of_course(&m, &s, 1, high);
      for (int i = 0; i < lows; i++)
        for (int k = 0; k < highs; k++) least = fmin(least, fabs(low[i] - high[k]));
      if (!CHECK(least >= 0.1 - 1e-9))
        printf("  bond %d, %d bricks: lap %g\n", bond, bricks, least);
      arena_reset(arena);
    }
}

static void test_ends_ties_joints(Arena *arena)
{
  for (int bond = WALL_RUNNING; bond <= WALL_FLEMISH; bond++)
    for (int trial = 0; trial < 3 * 6; trial++) {
      if (bond == WALL_STACK) continue;
      const int ends = 1 + trial % 3, bricks = 2 + trial / 3;
      WallMeasures m = wall_of((WallBond)bond, 5, bricks, 2);
      m.toothed[0] = ends & 1;
      m.toothed[1] = ends & 2;
      CHECK(wall_structure_check(&m).fault.reason == NULL);
      const Structure s = wall_structure_make(&m, arena);
      const double tooth = bond == WALL_RUNNING ? 0.2 : 0.1, teeth = ends == 3 ? 2 : 1;
      const double x = 0.4 * bricks, y = 0.38, z = 0.65;
      sound("teeth", &s, x * y * z - 2 * teeth * tooth * y * 0.13,
            2 * (x * y + y * z + z * x) + 4 * teeth * tooth * (y - 0.13));
      arena_reset(arena);
    }

  // every second course has through stones at every third place, from the second on
  WallMeasures tied = wall_of(WALL_RUNNING, 4, 6, 2);
  const Structure plain = wall_structure_make(&tied, arena);
  tied.tie_courses = 2;
  tied.tie_bricks = 3;
  const Structure s = wall_structure_make(&tied, arena);
  CHECK(plain.count == 2 * (4 * 6 + 2) && s.count == plain.count - 2 * 2);
  sound("ties", &s, 2.4 * 0.38 * 0.52, -1);

  // each stone of a course loses a joint
  WallMeasures open = wall_of(WALL_ENGLISH, 3, 4, 2);
  open.joint = 0.01;
  const Structure o = wall_structure_make(&open, arena);
  const int headers = 2 * 4 - 3 + 4;   // in a course of headers, with closers
  CHECK(o.count == 2 * 2 * 4 + headers);
  sound("joints", &o, 0.13 * (2 * 0.38 * (1.6 - 4 * 0.01) + 0.38 * (1.6 - headers * 0.01)), -1);
  arena_reset(arena);
}

static const WallOpening OPENINGS[] = {
    {.name = "door",
     .x = 0.5,
     .z = 0,
     .width = 0.7,
     .height = 0.91,
     .lintel_height = 0.13,
     .bearing = 0.2},
    {.name = "low",
     .x = 1.63,
     .z = 0.3,
     .width = 0.5,
     .height = 0.2,
     .lintel_height = 0.1,
     .bearing = 0.15},
    {.name = "gate",
     .x = 2.5,
     .z = 0.26,
     .width = 0.8,
     .height = 0.39,
     .head = OPENING_ARCH,
     .ring = {RING_SEMICIRCULAR, 0.8, 0.4, 0.2, 9}},
    {.name = "slit",
     .x = 3.9,
     .z = 0.31,
     .width = 0.6,
     .height = 0.3,
     .head = OPENING_ARCH,
     .ring = {RING_POINTED, 0.6, 0.5, 0.15, 7}},
    {.name = "flat",
     .x = 4.93,
     .z = 0.1,
     .width = 0.55,
     .height = 0.52,
     .head = OPENING_ARCH,
     .ring = {RING_SEGMENTAL, 0.55, 0.08, 0.26, 5}},
    {.name = "gap", .x = 5.9, .z = 1.04, .width = 0.3, .height = 0.52, .head = OPENING_BARE},
};
#define OPENING_COUNT 6

// Area of an opening and length of its outline, without its lintel or arch.
static double clear_area(const WallOpening *o, double *outline)
{
  Arena arena = arena_new();
  double area = o->width * o->height, over = o->width;
  if (o->head == OPENING_ARCH) {
    const ArchRing ring = ring_make(&o->ring, &arena);
    over = 0;
    for (int k = 0; k < ring.voussoirs; k++) {
      SectionPoint p[3] = {ring.inner[k], ring.inner[k + 1], ring.inner[k + 1]};
      const int count = ring.pointed && 2 * k + 1 == ring.voussoirs ? 3 : 2;
      if (count == 3) p[1] = ring.crown[0];
      for (int i = 0; i + 1 < count; i++) {
        area += (p[i + 1].x - p[i].x) * (p[i].z + p[i + 1].z) / 2;
        over += hypot(p[i + 1].x - p[i].x, p[i + 1].z - p[i].z);
      }
    }
  }
  *outline = over + 2 * o->height + o->width;
  arena_destroy(&arena);
  return area;
}

static void test_openings(Arena *arena)
{
  for (int bond = WALL_RUNNING; bond <= WALL_FLEMISH; bond++)
    for (int leaves = 1; leaves <= 2; leaves++) {
      WallMeasures m = wall_of((WallBond)bond, 12, 17, leaves);
      m.opening_count = OPENING_COUNT;
      m.openings = OPENINGS;
      const WallFault fault = wall_structure_check(&m);
      if (!CHECK(fault.fault.reason == NULL)) {
        printf("  opening %d: %s\n", fault.opening, fault.fault.reason);
        continue;
      }
      const double x = 6.8, y = leaves * 0.19, z = 12 * 0.13;
      double area = x * z, exposed = 2 * (x * y + y * z);
      for (int i = 0; i < OPENING_COUNT; i++) {
        double outline;
        area -= clear_area(&OPENINGS[i], &outline);
        exposed += outline * y;
      }
      // a door has no sill, and the gap at the top has neither sides nor head above the wall
      exposed -= (2 * 0.7 + 2 * 0.3) * y;
      const Structure s = wall_structure_make(&m, arena);
      sound("openings", &s, area * y, exposed + 2 * area);
      CHECK(stones_named(&s, "door.lintel") == 1 && stones_named(&s, "gate.keystone") == 1 &&
            stones_named(&s, "gate.voussoir.") == 8 && stones_named(&s, "gap") == 0);
      arena_reset(arena);
    }
}

static void refused(const WallMeasures *m, const char *key, int opening)
{
  const WallFault at = wall_structure_check(m);
  if (!CHECK(at.fault.reason != NULL) || !CHECK(strcmp(at.fault.key, key) == 0) ||
      !CHECK(at.opening == opening))
    printf("  expected '%s' of %d, found '%s' of %d: %s\n", key, opening,
           at.fault.key ? at.fault.key : "", at.opening, at.fault.reason ? at.fault.reason : "");
}

#define REFUSED_WALL(change, key)                      \
  do {                                                 \
    WallMeasures m = wall_of(WALL_RUNNING, 12, 17, 2); \
    change;                                            \
    refused(&m, key, -1);                              \
  } while (0)

#define REFUSED_OPENING(change, key)                   \
  do {                                                 \
    WallMeasures m = wall_of(WALL_RUNNING, 12, 17, 2); \
    WallOpening all[OPENING_COUNT];                    \
    memcpy(all, OPENINGS, sizeof all);                 \
    WallOpening *o = &all[2], *door = &all[0];         \
    (void)o;                                           \
    (void)door;                                        \
    change;                                            \
    m.opening_count = OPENING_COUNT;                   \
    m.openings = all;                                  \
    const WallFault at = wall_structure_check(&m);     \
    refused(&m, key, at.opening);                      \
    CHECK(at.opening >= 0);                            \
  } while (0)

static void test_refusals(void)
{
  REFUSED_WALL(m.courses = 0, "courses");
  REFUSED_WALL(m.bricks = 0, "bricks");
  REFUSED_WALL(m.leaves = 0, "leaves");
  REFUSED_WALL(m.brick.y = 0, "brick");
  REFUSED_WALL(m.brick.x = NAN, "brick");
  REFUSED_WALL(m.joint = -1, "joint");
  REFUSED_WALL(m.joint = NAN, "joint");
  REFUSED_WALL(m.joint = 0.2, "joint");
  REFUSED_WALL((m.bond = WALL_FLEMISH, m.joint = 0.1), "joint");
  REFUSED_WALL((m.bond = WALL_ENGLISH, m.tie_courses = 2), "ties");
  REFUSED_WALL((m.leaves = 1, m.tie_courses = 2), "ties");
  REFUSED_WALL((m.bond = WALL_STACK, m.toothed[0] = true), "ends");
  REFUSED_WALL((m.bricks = 1, m.toothed[1] = true), "ends");
  REFUSED_WALL(m.courses = 1000000, "courses");

  REFUSED_OPENING(o->width = 0, "size");
  REFUSED_OPENING(o->height = NAN, "size");
  REFUSED_OPENING(door->x = -0.01, "at");
  REFUSED_OPENING(door->x = NAN, "at");
  REFUSED_OPENING(door->z = 1, "at");
  REFUSED_OPENING(o->x = 1.9, "at");   // it meets the one before
  REFUSED_OPENING(door->bearing = 0.6, "lintel");
  REFUSED_OPENING(door->lintel_height = 0.9, "lintel");
  REFUSED_OPENING(door->lintel_height = 0, "lintel");
  REFUSED_OPENING(door->head = OPENING_BARE, "lintel");
  REFUSED_OPENING(o->ring.thickness = 0.9, "arch");
  REFUSED_OPENING((o->ring.form = RING_SEGMENTAL, o->ring.rise = 0.41), "arch");
  REFUSED_OPENING(o->z = 0.9, "arch");
  REFUSED_OPENING(o->ring.voussoirs = 1001, "arch");
}

int main(void)
{
  Arena arena = arena_new();
  test_bonds(&arena);
  test_laps(&arena);
  test_ends_ties_joints(&arena);
  test_openings(&arena);
  test_refusals();
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
