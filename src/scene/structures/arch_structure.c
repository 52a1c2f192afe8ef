// Stones of an arch on springers or piers, with backing and spandrel walls.
#include "arch_structure.h"

#include <assert.h>

#include "brick_row.h"

#define LEAST_END 0.35   // of a stone: ends of courses are no shorter

static StructureFault check_piers(const ArchMeasures *m, const ArchRing *ring)
{
  const PierMeasures *piers = &m->piers;
  const double reach = -0.5 * m->ring.span - ring->outer[0].x;
  if (!(piers->width > 0 && piers->height > 0) || piers->courses < 1)
    return (StructureFault){"piers", "a pier has a width, a height and at least one course"};
  if (!(piers->width >= reach * (1 - 1e-12)))
    return (StructureFault){"piers", "a pier is as wide as the joint that stands on it at least"};
  return STRUCTURE_SOUND;
}

static StructureFault check_fill(const ArchMeasures *m, const ArchRing *ring,
                                 const FillMeasures *fill, const char *key)
{
  if (!m->has_piers) return (StructureFault){key, "it stands on piers: give 'piers' too"};
  if (m->ring.voussoirs > RING_MOST_CUT)
    return (StructureFault){key, "it is cut to at most 1000 voussoirs"};
  if (!(fill->length > 0) || fill->courses < 1)
    return (StructureFault){key, "it needs at least one course and stones with a length"};
  if (!(fill->height > ring->outer[0].z))
    return (StructureFault){key, "its height is not above the outer end of the springing"};
  if (!(fill->height < 1e4 * m->ring.span && 1e4 * fill->length > m->ring.span))
    return (StructureFault){key, "its measures and the span are more than 10000 times apart"};
  const double stones = fill->courses * (m->ring.span + 2 * m->piers.width) / fill->length;
  if (!(stones < STRUCTURE_MOST)) return (StructureFault){key, "it has more than 1000000 stones"};
  return STRUCTURE_SOUND;
}

StructureFault arch_structure_check(const ArchMeasures *measures)
{
  const ArchMeasures *m = measures;
  StructureFault fault = ring_check(&m->ring);
  if (fault.reason) return fault;
  if (!(m->depth > 0)) return (StructureFault){"depth", "an arch needs a depth above 0"};
  if (m->ring.voussoirs > STRUCTURE_MOST)
    return (StructureFault){"voussoirs", "an arch has at most 1000000 voussoirs"};
  Arena scratch = arena_new();
  const ArchRing ring = ring_make(&m->ring, &scratch);
  if (m->has_piers) fault = check_piers(m, &ring);
  if (!fault.reason && m->has_spandrels) fault = check_fill(m, &ring, &m->spandrels, "spandrels");
  if (!fault.reason && m->has_backing) fault = check_fill(m, &ring, &m->backing, "backing");
  arena_destroy(&scratch);
  if (fault.reason || !m->has_spandrels) return fault;
  const double thickness = m->spandrels.thickness;
  if (!(thickness > 0 && (thickness <= 0.5 * m->depth || thickness == m->depth)))
    return (StructureFault){"spandrels", "spandrel walls are as thick as the arch is deep, or at "
                                         "most half of that"};
  if (m->has_backing && !(thickness < 0.5 * m->depth))
    return (StructureFault){"backing", "spandrel walls leave no room for a backing"};
  return STRUCTURE_SOUND;
}

static void add_extruded(Structure *structure, const Sections *sections, double depth,
                         const char *name)
{
  structure_add(structure, section_extrude(sections, -0.5 * depth, 0.5 * depth, structure->arena),
                name);
}

static void add_section(Structure *structure, Section section, double depth, const char *name)
{
  Sections sections = {0};
  section_append(&sections, section, structure->arena);
  add_extruded(structure, &sections, depth, name);
}

// The same polygon on the other side of the plane x = 0.
static Section mirrored(const Section *section, Arena *arena)
{
  Section other = section_new(section->count, arena);
  for (int i = 0; i < section->count; i++) {
    const SectionPoint p = section->corners[section->count - 1 - i];
    other.corners[i] = (SectionPoint){-p.x, p.z};
  }
  return other;
}

static void add_pair(Structure *structure, Section left, double depth, bool held,
                     const char *const names[2])
{
  add_section(structure, left, depth, names[0]);
  if (held) structure_hold(structure);
  add_section(structure, mirrored(&left, structure->arena), depth, names[1]);
  if (held) structure_hold(structure);
}

// Blocks that go on with the ring beyond its ends, as long as it is thick.
static void add_springers(Structure *structure, const ArchMeasures *m, const ArchRing *ring)
{
  static const char *const names[2] = {"springer_left", "springer_right"};
  const SectionPoint in = ring->inner[0], out = ring->outer[0];
  Section block = section_new(4, structure->arena);
  const double dx = -(out.z - in.z), dz = out.x - in.x;
  block.corners[0] = (SectionPoint){out.x + dx, out.z + dz};
  block.corners[1] = (SectionPoint){in.x + dx, in.z + dz};
  block.corners[2] = in;
  block.corners[3] = out;
  add_pair(structure, block, m->depth, true, names);
}

// Courses from below; the uppermost one has the joint of the arch.
static void add_piers(Structure *structure, const ArchMeasures *m, const ArchRing *ring)
{
  const double inner = -0.5 * m->ring.span, outer = inner - m->piers.width;
  const int courses = m->piers.courses;
  for (int k = 0; k < courses; k++) {
    const double low = -m->piers.height * (courses - k) / courses;
    const double high = -m->piers.height * (courses - k - 1) / courses;
    const bool held = m->supports && k == 0;
    if (k < courses - 1) {
      const char *names[2] = {structure_name(structure, "pier_left.%d", k),
                              structure_name(structure, "pier_right.%d", k)};
      add_pair(
          structure,
          section_box((SectionPoint){outer, low}, (SectionPoint){inner, high}, structure->arena),
          m->depth, held, names);
      continue;
    }
    const SectionPoint end = ring->outer[0];
    const SectionPoint corners[5] = {{outer, low}, {inner, low}, {inner, 0}, end, {outer, end.z}};
    Section top = section_new(5, structure->arena);
    memcpy(top.corners, corners, sizeof corners);
    if (!(outer < end.x)) top.count = 4;   // the joint is as wide as the pier
    if (top.count == 4) top.corners[3].x = outer;
    static const char *const names[2] = {"springer_left", "springer_right"};
    add_pair(structure, top, m->depth, held, names);
  }
}

// Places of a running bond whose joints, or stones, have their middle at x = 0.
static int spans_of_course(const ArchMeasures *m, double length, bool shifted, BrickSpan *spans)
{
  const double end = 0.5 * m->ring.span + m->piers.width;
  int count = 0;
  double low = -end;
  const int most = (int)(end / length) + 1;
  for (int k = -most; k <= most; k++) {
    const double joint = (shifted ? k + 0.5 : k) * length;
    if (joint < -end + LEAST_END * length || joint > end - LEAST_END * length) continue;
    spans[count++] = (BrickSpan){low, joint};
    low = joint;
  }
  spans[count++] = (BrickSpan){low, end};
  return count;
}

// One wall of spandrels, or the backing, between two places on y.
typedef struct {
  const FillMeasures *fill;
  double y_low, y_high;
  const char *name;
} ArchFill;

static void add_fill(Structure *structure, const ArchMeasures *m, const ArchRing *ring,
                     ArchFill wall)
{
  Arena *arena = structure->arena;
  const FillMeasures *fill = wall.fill;
  const double foot = ring->outer[0].z, course = (fill->height - foot) / fill->courses;
  const Section hole = ring_filled(ring, arena);
  const double end = 0.5 * m->ring.span + m->piers.width;
  const size_t room = 2 * ((size_t)(end / fill->length) + 1) + 4;
  BrickSpan *spans = arena_allocate(arena, room * sizeof *spans);
  int number = 0;
  for (int k = 0; k < fill->courses; k++) {
    const int count = spans_of_course(m, fill->length, k % 2 == 1, spans);
    const double high = k + 1 == fill->courses ? fill->height : foot + (k + 1) * course;
    brick_row_lay(&(BrickRow){.y_low = wall.y_low,
                              .y_high = wall.y_high,
                              .z_low = foot + k * course,
                              .z_high = high,
                              .count = count,
                              .spans = spans,
                              .hole_count = 1,
                              .holes = &hole,
                              .name = wall.name,
                              .number = &number},
                  structure);
  }
}

static void add_fills(Structure *structure, const ArchMeasures *m, const ArchRing *ring)
{
  const double half = 0.5 * m->depth;
  const bool two = m->has_spandrels && m->spandrels.thickness < m->depth;
  const double inside = two ? half - m->spandrels.thickness : half;
  if (m->has_backing)
    add_fill(structure, m, ring, (ArchFill){&m->backing, -inside, inside, "backing"});
  if (m->has_spandrels && !two)
    add_fill(structure, m, ring, (ArchFill){&m->spandrels, -half, half, "spandrel"});
  if (!two) return;
  add_fill(structure, m, ring, (ArchFill){&m->spandrels, -half, -inside, "spandrel_front"});
  add_fill(structure, m, ring, (ArchFill){&m->spandrels, inside, half, "spandrel_back"});
}

Structure arch_structure_make(const ArchMeasures *measures, Arena *arena)
{
  const ArchMeasures *m = measures;
  assert(arch_structure_check(m).reason == NULL && "the measures are sound");
  Structure structure = structure_new(arena);
  const ArchRing ring = ring_make(&m->ring, arena);
  for (int k = 0; k < ring.voussoirs; k++) {
    const Sections sections = ring_voussoir(&ring, k, arena);
    const bool middle = 2 * k + 1 == ring.voussoirs && ring.voussoirs > 1;
    add_extruded(&structure, &sections, m->depth, middle ? "keystone" : "");
  }
  if (m->has_piers) add_piers(&structure, m, &ring);
  else if (m->supports) add_springers(&structure, m, &ring);
  add_fills(&structure, m, &ring);
  return structure;
}
