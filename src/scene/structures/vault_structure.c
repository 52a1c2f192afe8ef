// Stones of barrel vaults and of cross vaults, whose groins are bound by stones of two webs.
#include "vault_structure.h"

#include <assert.h>

#define LEAST_ARM 0.4   // of a stone's length: groin stones reach at least so far into a web

StructureFault vault_structure_check(const VaultMeasures *measures)
{
  const VaultMeasures *m = measures;
  const StructureFault fault = ring_check(&m->ring);
  if (fault.reason) return fault;
  if (m->rows < 1) return (StructureFault){"rows", "a vault needs at least one row of stones"};
  if (!m->cross && !(m->length > 0))
    return (StructureFault){"length", "a barrel needs a length above 0"};
  if (m->cross && m->ring.voussoirs < 2)
    return (StructureFault){"voussoirs", "a cross vault needs at least two strips to a web"};
  if ((double)m->ring.voussoirs * (m->rows + 1.0) > STRUCTURE_MOST / 4)
    return (StructureFault){"rows", "the vault has more than 250000 stones"};
  return STRUCTURE_SOUND;
}

// -- barrels --------------------------------------------------------------------------------------

static void add_barrel_strip(Structure *structure, const VaultMeasures *m, const ArchRing *ring,
                             int k)
{
  const Sections sections = ring_voussoir(ring, k, structure->arena);
  // half stones begin and end every second strip
  const bool shifted = !m->aligned && k % 2 == 1;
  const int halves = 2 * m->rows;
  for (int low = 0, high; low < halves; low = high) {
    high = low + (shifted && low == 0 ? 1 : 2);
    if (high > halves) high = halves;
    const double y_low = m->length * (low - m->rows) / halves;
    const double y_high = m->length * (high - m->rows) / halves;
    structure_add(structure, section_extrude(&sections, y_low, y_high, structure->arena), "");
  }
}

// The section of a block that goes on with the ring beyond its left end.
static Section springer_section(const VaultMeasures *m, const ArchRing *ring, Arena *arena)
{
  const SectionPoint in = ring->inner[0], out = ring->outer[0];
  Section block = section_new(4, arena);
  const double depth = m->ring.thickness;
  block.corners[0] = (SectionPoint){out.x, -depth};
  block.corners[1] = (SectionPoint){in.x, -depth};
  block.corners[2] = in;
  block.corners[3] = out;
  return block;
}

static void add_barrel_springers(Structure *structure, const VaultMeasures *m, const ArchRing *ring)
{
  static const char *const names[2] = {"springer_left", "springer_right"};
  Section section = springer_section(m, ring, structure->arena);
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < 4 && side == 1; i++) section.corners[i].x = -section.corners[i].x;
    Sections sections = {0};
    section_append(&sections, section, structure->arena);
    const double half = 0.5 * m->length;
    structure_add(structure, section_extrude(&sections, -half, half, structure->arena),
                  names[side]);
    structure_hold(structure);
  }
}

// -- cross vaults ---------------------------------------------------------------------------------

// A web in coordinates of its own: the first one goes along +x, with the strips across y. The
// others are turned by quarters.
static vec3 web_point(int web, double along, SectionPoint across)
{
  assert(web >= 0 && web < 4 && "a cross vault has four webs");
  const double a = along + 0.0, c = across.x + 0.0;
  switch (web) {
  case 0: return (vec3){a, c, across.z};
  case 1: return (vec3){-c, a, across.z};
  case 2: return (vec3){-a, -c, across.z};
  default: return (vec3){c, -a, across.z};
  }
}

// Where a piece of a strip begins and ends; it begins at the groins where from_groin is set.
typedef struct {
  int web;
  bool from_groin;
  double low, high;   // along the web, m
} WebPiece;

static PartRecipe web_part(const Section *section, WebPiece piece, Arena *arena)
{
  // where a strip has both groins they meet in the middle, in corners of their own
  PartRecipe part = structure_part(4 * section->count, arena);
  part.count = 0;
  for (int i = 0; i < section->count; i++) {
    const SectionPoint p = section->corners[i];
    const SectionPoint q = section->corners[(i + 1) % section->count];
    const double low = piece.from_groin ? fabs(p.x) : piece.low;
    if (low < piece.high) part.points[part.count++] = web_point(piece.web, low, p);
    part.points[part.count++] = web_point(piece.web, piece.high, p);
    if (piece.from_groin && p.x * q.x < 0)
      part.points[part.count++] = web_point(piece.web, 0, (SectionPoint){0, p.z});
  }
  return part;
}

// A stone of pieces of one or more webs.
typedef struct {
  int count;
  WebPiece pieces[4];
  int strips[4];
} WebStone;

static ShapeRecipe web_solid(const ArchRing *ring, const WebStone *stone, Arena *arena)
{
  Sections sections[4];
  int parts = 0;
  for (int i = 0; i < stone->count; i++) {
    sections[i] = ring_voussoir(ring, stone->strips[i], arena);
    parts += sections[i].count;
  }
  ShapeRecipe solid = structure_solid(parts, arena);
  int part = 0;
  for (int i = 0; i < stone->count; i++)
    for (int s = 0; s < sections[i].count; s++)
      solid.parts[part++] = web_part(&sections[i].items[s], stone->pieces[i], arena);
  return solid;
}

// Places of the joints across a strip, from its groin stone on; the last one is the end of the web.
static int strip_joints(const VaultMeasures *m, const ArchRing *ring, int strip, double *joints)
{
  const double end = -ring->outer[0].x, length = end / m->rows;
  const int above = m->ring.voussoirs - 1 - strip, level = strip < above ? strip : above;
  const double shift = !m->aligned && level % 2 == 1 ? 0.5 : 0;
  const double widest =
      larger_of(fabs(ring->outer[strip].x), fabs(ring->outer[strip + 1].x)) + LEAST_ARM * length;
  int count = 0;
  for (int j = m->rows - 1; j >= 1; j--) {
    const double place = end - (j - shift) * length;
    if (place >= widest && place < end - 0.25 * length) joints[count++] = place;
  }
  joints[count++] = end;
  return count;
}

static void add_groins(Structure *structure, const VaultMeasures *m, const ArchRing *ring,
                       double *joints)
{
  const int strips = ring->voussoirs;
  for (int corner = 0; corner < 4; corner++)
    for (int k = 0; 2 * k + 1 < strips; k++) {
      strip_joints(m, ring, k, joints);
      const WebStone stone = {
          2,
          {{corner, true, 0, joints[0]}, {(corner + 1) % 4, true, 0, joints[0]}},
          {strips - 1 - k, k}};
      structure_add(structure, web_solid(ring, &stone, structure->arena),
                    structure_name(structure, "groin_%d.%d", corner, k));
    }
  if (strips % 2 == 0) return;
  const int k = strips / 2;
  strip_joints(m, ring, k, joints);
  WebStone stone = {.count = 4};
  for (int web = 0; web < 4; web++) {
    stone.pieces[web] = (WebPiece){web, true, 0, joints[0]};
    stone.strips[web] = k;
  }
  structure_add(structure, web_solid(ring, &stone, structure->arena), "keystone");
}

static void add_webs(Structure *structure, const VaultMeasures *m, const ArchRing *ring,
                     double *joints)
{
  for (int web = 0; web < 4; web++)
    for (int k = 0; k < ring->voussoirs; k++) {
      const int count = strip_joints(m, ring, k, joints);
      for (int i = 0; i + 1 < count; i++) {
        const WebStone stone = {1, {{web, false, joints[i], joints[i + 1]}}, {k}};
        structure_add(structure, web_solid(ring, &stone, structure->arena), "");
      }
    }
}

static void add_corners(Structure *structure, const VaultMeasures *m, const ArchRing *ring)
{
  Arena *arena = structure->arena;
  Section left = springer_section(m, ring, arena), right = springer_section(m, ring, arena);
  for (int i = 0; i < 4; i++) right.corners[i].x = -right.corners[i].x;
  const double end = -ring->outer[0].x;
  for (int corner = 0; corner < 4; corner++) {
    ShapeRecipe solid = structure_solid(2, arena);
    solid.parts[0] = web_part(&right, (WebPiece){corner, true, 0, end}, arena);
    solid.parts[1] = web_part(&left, (WebPiece){(corner + 1) % 4, true, 0, end}, arena);
    structure_add(structure, solid, structure_name(structure, "springer_%d", corner));
    structure_hold(structure);
  }
}

Structure vault_structure_make(const VaultMeasures *measures, Arena *arena)
{
  const VaultMeasures *m = measures;
  assert(vault_structure_check(m).reason == NULL && "the measures are sound");
  Structure structure = structure_new(arena);
  const ArchRing ring = ring_make(&m->ring, arena);
  if (!m->cross) {
    for (int k = 0; k < ring.voussoirs; k++) add_barrel_strip(&structure, m, &ring, k);
    if (m->supports) add_barrel_springers(&structure, m, &ring);
    return structure;
  }
  double *joints = arena_allocate(arena, ((size_t)m->rows + 1) * sizeof *joints);
  add_groins(&structure, m, &ring, joints);
  add_webs(&structure, m, &ring, joints);
  if (m->supports) add_corners(&structure, m, &ring);
  return structure;
}
