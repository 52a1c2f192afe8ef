// Lays the courses of walls in bond and cuts them out at openings.
#include "wall_structure.h"

#include <assert.h>

#include "brick_row.h"

// Places of a course are counted in quarters of a brick's length.
#define QUARTERS 4

// -- openings -------------------------------------------------------------------------------------

// What an opening takes out of the wall: itself, and its lintel or the arch with what is below it.
typedef struct {
  int count;
  Section parts[2];
} OpeningHoles;

// The polygon moved so that its springing line has its middle over the opening.
static Section move_over(const Section *section, const WallOpening *o, Arena *arena)
{
  Section moved = section_new(section->count, arena);
  for (int i = 0; i < section->count; i++) {
    const SectionPoint p = section->corners[i];
    moved.corners[i] = (SectionPoint){o->x + 0.5 * o->width + p.x, o->z + o->height + p.z};
  }
  return moved;
}

static Section lintel_section(const WallOpening *o, Arena *arena)
{
  const double z = o->z + o->height;
  return section_box((SectionPoint){o->x - o->bearing, z},
                     (SectionPoint){o->x + o->width + o->bearing, z + o->lintel_height}, arena);
}

static OpeningHoles holes_of(const WallOpening *o, Arena *arena)
{
  OpeningHoles holes = {.count = 1};
  holes.parts[0] = section_box((SectionPoint){o->x, o->z},
                               (SectionPoint){o->x + o->width, o->z + o->height}, arena);
  if (o->head == OPENING_LINTEL) holes.parts[holes.count++] = lintel_section(o, arena);
  if (o->head != OPENING_ARCH) return holes;
  const ArchRing ring = ring_make(&o->ring, arena);
  const Section filled = ring_filled(&ring, arena);
  holes.parts[holes.count++] = move_over(&filled, o, arena);
  return holes;
}

static StructureFault check_head(const WallMeasures *m, const WallOpening *o)
{
  const double top = m->courses * m->brick.z, tolerance = 1e-9 * m->brick.x;
  const double end = o->z + o->height;
  if (o->head == OPENING_BARE && end < top - tolerance)
    return (StructureFault){"lintel", "it may be missing only at the top of the wall"};
  if (o->head == OPENING_LINTEL && !(o->lintel_height > 0 && o->bearing > 0))
    return (StructureFault){"lintel", "it needs a height and a bearing above 0"};
  if (o->head == OPENING_LINTEL && end + o->lintel_height > top + tolerance)
    return (StructureFault){"lintel", "it rises above the wall"};
  if (o->head == OPENING_LINTEL &&
      (o->x - o->bearing < -tolerance ||
       o->x + o->width + o->bearing > m->bricks * m->brick.x + tolerance))
    return (StructureFault){"lintel", "its bearing leaves the wall"};
  if (o->head != OPENING_ARCH) return STRUCTURE_SOUND;
  const StructureFault fault = ring_check(&o->ring);
  if (fault.reason) return (StructureFault){"arch", fault.reason};
  if (o->ring.voussoirs > RING_MOST_CUT)
    return (StructureFault){"arch", "a wall is cut to at most 1000 voussoirs"};
  Arena scratch = arena_new();
  const ArchRing ring = ring_make(&o->ring, &scratch);
  const double crown = end + ring.crown[1].z, reach = -ring.outer[0].x;
  arena_destroy(&scratch);
  const double middle = o->x + 0.5 * o->width;
  if (crown > top + tolerance) return (StructureFault){"arch", "it rises above the wall"};
  if (middle - reach < -tolerance || middle + reach > m->bricks * m->brick.x + tolerance)
    return (StructureFault){"arch", "its ends leave the wall"};
  return STRUCTURE_SOUND;
}

static StructureFault check_opening(const WallMeasures *m, const WallOpening *o)
{
  const double tolerance = 1e-9 * m->brick.x;
  if (!(o->width > 0 && o->height > 0))
    return (StructureFault){"size", "an opening has a width and a height above 0"};
  if (!(o->x >= -tolerance && o->x + o->width <= m->bricks * m->brick.x + tolerance))
    return (StructureFault){"at", "the opening leaves the wall along x"};
  if (!(o->z >= -tolerance && o->z + o->height <= m->courses * m->brick.z + tolerance))
    return (StructureFault){"at", "the opening leaves the wall along z"};
  return check_head(m, o);
}

// The first opening that meets one before it, or -1.
static int find_meeting(const WallMeasures *m)
{
  Arena scratch = arena_new();
  OpeningHoles *holes = arena_allocate(&scratch, (size_t)m->opening_count * sizeof *holes);
  int found = -1;
  for (int i = 0; i < m->opening_count && found < 0; i++) {
    holes[i] = holes_of(&m->openings[i], &scratch);
    for (int k = 0; k < i; k++)
      for (int a = 0; a < holes[i].count; a++)
        for (int b = 0; b < holes[k].count; b++)
          if (section_overlaps(&holes[i].parts[a], &holes[k].parts[b])) found = i;
  }
  arena_destroy(&scratch);
  return found;
}

static StructureFault check_bricks(const WallMeasures *m)
{
  if (m->courses < 1) return (StructureFault){"courses", "a wall needs at least one course"};
  if (m->bricks < 1) return (StructureFault){"bricks", "a wall needs at least one brick"};
  if (m->leaves < 1) return (StructureFault){"leaves", "a wall needs at least one leaf"};
  if (!(m->brick.x > 0 && m->brick.y > 0 && m->brick.z > 0))
    return (StructureFault){"brick", "a brick has no volume"};
  const bool quarters = m->bond == WALL_ENGLISH || m->bond == WALL_FLEMISH;
  if (!(m->joint >= 0 && m->joint < (quarters ? 0.25 : 0.5) * m->brick.x))
    return (StructureFault){"joint", quarters ? "it must be at least 0 and smaller than a quarter "
                                                "of the length of a brick"
                                              : "it must be at least 0 and smaller than half the "
                                                "length of a brick"};
  if (quarters && m->tie_courses > 0)
    return (StructureFault){"ties", "an English or Flemish bond has headers in their place"};
  if (m->leaves == 1 && m->tie_courses > 0)
    return (StructureFault){"ties", "a wall of one leaf has nothing to tie"};
  if (m->bond == WALL_STACK && (m->toothed[0] || m->toothed[1]))
    return (StructureFault){"ends", "a stack bond has no teeth"};
  if (m->bricks < 2 && (m->toothed[0] || m->toothed[1]))
    return (StructureFault){"ends", "a toothed wall is at least two bricks long"};
  if ((double)m->courses * (2.0 * m->bricks + 2) * (m->leaves + 1) > STRUCTURE_MOST)
    return (StructureFault){"courses", "the wall may have more than 1000000 bricks"};
  return STRUCTURE_SOUND;
}

WallFault wall_structure_check(const WallMeasures *measures)
{
  const WallMeasures *m = measures;
  const StructureFault fault = check_bricks(m);
  if (fault.reason) return (WallFault){fault, -1};
  for (int i = 0; i < m->opening_count; i++) {
    const StructureFault at = check_opening(m, &m->openings[i]);
    if (at.reason) return (WallFault){at, i};
  }
  const int meeting = find_meeting(m);
  if (meeting < 0) return (WallFault){STRUCTURE_SOUND, -1};
  return (WallFault){{"at", "the opening, with its lintel or arch, meets one before it"}, meeting};
}

// -- bonds ----------------------------------------------------------------------------------------

// A place of a course in quarters of a length.
typedef struct {
  int low, high;
  bool through;   // one stone through all leaves
} BondPlace;

typedef struct {
  int count;
  BondPlace *places;   // room for 2 bricks + 4
} BondCourse;

static void add_place(BondCourse *course, int low, int high, bool through)
{
  if (low < high) course->places[course->count++] = (BondPlace){low, high, through};
}

// Whole bricks; in odd courses of a running bond moved by half a length, between halves.
static void lay_stretchers(const WallMeasures *m, int number, BondCourse *course)
{
  const bool odd = m->bond == WALL_RUNNING && number % 2 == 1;
  const int end = QUARTERS * m->bricks;
  if (odd && !m->toothed[0]) add_place(course, 0, 2, false);
  for (int low = odd ? 2 : 0; low + QUARTERS <= end; low += QUARTERS)
    add_place(course, low, low + QUARTERS, false);
  if (odd && !m->toothed[1]) add_place(course, end - 2, end, false);
  if (m->tie_courses == 0 || number % m->tie_courses != m->tie_courses - 1) return;
  for (int i = 0; i < course->count; i++)
    course->places[i].through = i % m->tie_bricks == m->tie_bricks / 2;
}

// Courses of stretchers and of headers by turns; beside the outer headers stand closers of a
// quarter, by which joints are a quarter apart.
static void lay_english(const WallMeasures *m, int number, BondCourse *course)
{
  const int end = QUARTERS * m->bricks;
  if (number % 2 == 0) {
    lay_stretchers(m, 0, course);
    return;
  }
  int low = 1, high = end - 1;
  if (!m->toothed[0]) {
    if (m->bricks > 1) add_place(course, 0, 2, true);
    add_place(course, m->bricks > 1 ? 2 : 0, m->bricks > 1 ? 3 : 1, true);
    low = m->bricks > 1 ? 3 : 1;
  }
  if (!m->toothed[1]) high = m->bricks > 1 ? end - 3 : end - 1;
  for (; low < high; low += 2) add_place(course, low, low + 2, true);
  if (m->toothed[1]) return;
  add_place(course, high, high + 1, true);
  if (m->bricks > 1) add_place(course, end - 2, end, true);
}

// Stretchers and headers by turns; headers stand over the middle of stretchers. What is left at the
// right end is a stretcher where it is longer than half a brick.
static void lay_flemish(const WallMeasures *m, int number, BondCourse *course)
{
  const bool odd = number % 2 == 1;
  const int end = QUARTERS * m->bricks - (odd && m->toothed[1] ? 1 : 0);
  int low = 0;
  bool header = odd;
  if (odd && m->toothed[0]) low = 1;
  else if (odd) {
    add_place(course, 0, 2, true);
    add_place(course, 2, 3, true);
    low = 3;
    header = false;
  }
  for (; low < end; header = !header) {
    const int wanted = low + (header ? 2 : QUARTERS), high = wanted < end ? wanted : end;
    add_place(course, low, high, header || high - low <= 2);
    low = high;
  }
}

static void lay_course(const WallMeasures *m, int number, BondCourse *course)
{
  course->count = 0;
  switch (m->bond) {
  case WALL_ENGLISH: lay_english(m, number, course); return;
  case WALL_FLEMISH: lay_flemish(m, number, course); return;
  default: lay_stretchers(m, number, course); return;
  }
}

// -- walls ----------------------------------------------------------------------------------------

// The stones of a course that go through all leaves, or those of each leaf.
static int spans_of(const WallMeasures *m, const BondCourse *course, bool through, BrickSpan *spans)
{
  int count = 0;
  for (int i = 0; i < course->count; i++) {
    const BondPlace place = course->places[i];
    if (place.through != through) continue;
    spans[count++] =
        (BrickSpan){place.low * m->brick.x / QUARTERS, place.high * m->brick.x / QUARTERS};
  }
  return count;
}

static double leaf_side(const WallMeasures *m, int leaf)
{
  return (2 * leaf - m->leaves) * m->brick.y / 2;
}

static void add_courses(Structure *structure, const WallMeasures *m, int hole_count,
                        const Section *holes)
{
  Arena *arena = structure->arena;
  const size_t room = 2 * (size_t)m->bricks + 4;
  BondCourse course = {.places = arena_allocate(arena, room * sizeof(BondPlace))};
  BrickSpan *spans = arena_allocate(arena, room * sizeof *spans);
  for (int k = 0; k < m->courses; k++) {
    lay_course(m, k, &course);
    BrickRow row = {.z_low = k * m->brick.z,
                    .z_high = (k + 1) * m->brick.z,
                    .spans = spans,
                    .hole_count = hole_count,
                    .holes = holes,
                    .joint = m->joint};
    row.count = spans_of(m, &course, false, spans);
    for (int leaf = 0; leaf < m->leaves; leaf++) {
      row.y_low = leaf_side(m, leaf);
      row.y_high = leaf_side(m, leaf + 1);
      brick_row_lay(&row, structure);
    }
    row.count = spans_of(m, &course, true, spans);
    row.y_low = leaf_side(m, 0);
    row.y_high = leaf_side(m, m->leaves);
    brick_row_lay(&row, structure);
  }
}

static void add_head(Structure *structure, const WallMeasures *m, const WallOpening *o)
{
  Arena *arena = structure->arena;
  const double y_low = leaf_side(m, 0), y_high = leaf_side(m, m->leaves);
  if (o->head == OPENING_LINTEL) {
    Sections sections = {0};
    section_append(&sections, lintel_section(o, arena), arena);
    structure_add(structure, section_extrude(&sections, y_low, y_high, arena),
                  structure_name(structure, "%s.lintel", o->name));
  }
  if (o->head != OPENING_ARCH) return;
  const ArchRing ring = ring_make(&o->ring, arena);
  for (int k = 0; k < ring.voussoirs; k++) {
    Sections sections = ring_voussoir(&ring, k, arena);
    for (int i = 0; i < sections.count; i++)
      sections.items[i] = move_over(&sections.items[i], o, arena);
    const bool middle = 2 * k + 1 == ring.voussoirs && ring.voussoirs > 1;
    structure_add(structure, section_extrude(&sections, y_low, y_high, arena),
                  middle ? structure_name(structure, "%s.keystone", o->name)
                         : structure_name(structure, "%s.voussoir.%d", o->name, k));
  }
}

Structure wall_structure_make(const WallMeasures *measures, Arena *arena)
{
  const WallMeasures *m = measures;
  assert(wall_structure_check(m).fault.reason == NULL && "the measures are sound");
  Structure structure = structure_new(arena);
  Section *holes = arena_allocate(arena, 2 * ((size_t)m->opening_count + 1) * sizeof *holes);
  int hole_count = 0;
  for (int i = 0; i < m->opening_count; i++) {
    const OpeningHoles all = holes_of(&m->openings[i], arena);
    for (int p = 0; p < all.count; p++) holes[hole_count++] = all.parts[p];
  }
  add_courses(&structure, m, hole_count, holes);
  for (int i = 0; i < m->opening_count; i++) add_head(&structure, m, &m->openings[i]);
  return structure;
}
