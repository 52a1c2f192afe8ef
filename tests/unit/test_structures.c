// Arches, vaults, domes, columns and pipes as structures: volumes by formula, no overlap, joints of
// the same area on both sides, and what is refused.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arch_structure.h"
#include "dome_structure.h"
#include "harness.h"
#include "intersection.h"
#include "memory.h"
#include "prism.h"
#include "structure_survey.h"
#include "vault_structure.h"

#define PI 3.14159265358979323846
#define CLOSE 1e-9

// Looks at all stones; exposed: surface without joints, m2, negative where no formula is known.
static StructureSurvey sound(const char *what, const Structure *s, double volume, double exposed)
{
  const StructureSurvey r = structure_survey(s);
  const double area = r.size * r.size, bulk = area * r.size;
  bool ok = CHECK(r.failed == 0);
  ok &= CHECK_NEAR(r.volume, volume, CLOSE * volume);
  ok &= CHECK_NEAR(r.overlap, 0, CLOSE * bulk);
  ok &= CHECK_NEAR(r.unequal, 0, CLOSE * area);
  ok &= CHECK_NEAR(r.joints[0], r.joints[1], CLOSE * area);
  if (exposed >= 0) ok &= CHECK_NEAR(r.surface - 2 * r.joints[0], exposed, CLOSE * r.surface);
  if (!ok) printf("  %s: %d stones, %d joints\n", what, s->count, r.joined);
  return r;
}

static void refused(StructureFault fault, const char *key)
{
  if (!CHECK(fault.reason != NULL) || !CHECK(strcmp(fault.key, key) == 0))
    printf("  expected '%s', found '%s': %s\n", key, fault.key ? fault.key : "",
           fault.reason ? fault.reason : "nothing");
}

// -- arches ---------------------------------------------------------------------------------------

typedef struct {
  double area;                 // of the ring, m2
  double intrados, extrados;   // lengths of the chords, m
} RingFormula;

// Chords between equal angles on circles: those of one centre, or of the two of a pointed ring.
static RingFormula ring_formula(const RingMeasures *m)
{
  RingFormula f = {0};
  const double s = m->span, t = m->thickness;
  if (m->form != RING_POINTED) {
    const double rise = m->form == RING_SEMICIRCULAR ? s / 2 : m->rise;
    const double radius = (rise * rise + s * s / 4) / (2 * rise);
    const double opening = 2 * atan2(s / 2, radius - rise), step = opening / m->voussoirs;
    f.area = m->voussoirs * sin(step) / 2 * ((radius + t) * (radius + t) - radius * radius);
    f.intrados = m->voussoirs * 2 * radius * sin(step / 2);
    f.extrados = m->voussoirs * 2 * (radius + t) * sin(step / 2);
    return f;
  }
  const double radius = (s * s / 4 + m->rise * m->rise) / s, outer = radius + t;
  const double center = radius - s / 2, crown = sqrt(outer * outer - center * center);
  const double whole = atan2(m->rise, center), step = 2 * whole / m->voussoirs;
  const int full = (m->voussoirs - 1) / 2;   // on one side, without the last one at the crown
  f.area = 2 * full * sin(step) / 2 * (outer * outer - radius * radius);
  f.intrados = 2 * full * 2 * radius * sin(step / 2);
  f.extrados = 2 * full * 2 * outer * sin(step / 2);
  // the last one: its corners, from the centre
  const double at = full * step, x[2] = {radius * cos(at), outer * cos(at)},
               z[2] = {radius * sin(at), outer * sin(at)};
  f.area += (x[1] * crown - center * z[1]) - (x[0] * m->rise - center * z[0]) -
            center * (crown - m->rise);
  f.intrados += 2 * hypot(x[0] - center, m->rise - z[0]);
  f.extrados += 2 * hypot(x[1] - center, crown - z[1]);
  return f;
}

static const RingMeasures RINGS[] = {
    {RING_SEMICIRCULAR, 4, 0, 0.5, 9},  {RING_SEMICIRCULAR, 3.7, 0, 0.41, 16},
    {RING_SEMICIRCULAR, 1, 0, 3, 2},    {RING_SEGMENTAL, 6, 1.1, 0.6, 13},
    {RING_SEGMENTAL, 10, 0.5, 0.37, 1}, {RING_SEGMENTAL, 2.2, 1.1, 0.3, 7},
    {RING_POINTED, 3, 2.4, 0.35, 12},   {RING_POINTED, 3, 4.1, 0.5, 11},
    {RING_POINTED, 2.2, 1.2, 0.3, 3},   {RING_POINTED, 5, 2.6, 0.1, 2},
};
#define RING_COUNT ((int)(sizeof RINGS / sizeof RINGS[0]))

static void test_arches(Arena *arena)
{
  for (int i = 0; i < RING_COUNT; i++) {
    const RingFormula f = ring_formula(&RINGS[i]);
    const double depth = 0.4 + 0.3 * i, t = RINGS[i].thickness;
    ArchMeasures m = {.ring = RINGS[i], .depth = depth};
    CHECK(arch_structure_check(&m).reason == NULL);
    const Structure bare = arch_structure_make(&m, arena);
    CHECK(bare.count == RINGS[i].voussoirs && !bare.held);
    sound("ring", &bare, f.area * depth, 2 * f.area + depth * (f.intrados + f.extrados + 2 * t));
    // neighbours have the four corners of their joint in common
    for (int k = 0; k + 1 < bare.count; k++) CHECK(structure_shared_points(&bare, k, k + 1) == 4);

    // blocks as long as the ring is thick: a square of the section each
    m.supports = true;
    const Structure held = arch_structure_make(&m, arena);
    CHECK(held.count == bare.count + 2 && held.held && held.fixed[bare.count] &&
          held.fixed[bare.count + 1] && !held.fixed[0]);
    sound("ring on springers", &held, (f.area + 2 * t * t) * depth,
          2 * f.area + 4 * t * t + depth * (f.intrados + f.extrados + 6 * t));
    arena_reset(arena);
  }
}

// Area under a polygon of joints from its first to its last one, above z = 0, m2.
static double area_under(const SectionPoint *p, int count)
{
  double area = 0;
  for (int i = 0; i + 1 < count; i++) area += (p[i + 1].x - p[i].x) * (p[i].z + p[i + 1].z) / 2;
  return area;
}

static double number_of(const Structure *s, const char *beginning)
{
  int count = 0;
  for (int i = 0; i < s->count; i++)
    count += strncmp(s->names[i], beginning, strlen(beginning)) == 0;
  return count;
}

// An arch with all its parts fills the box of its piers and spandrels but for the opening.
static void test_bridges(Arena *arena)
{
  for (int i = 0; i < RING_COUNT; i++) {
    const RingMeasures *ring = &RINGS[i];
    if (ring->voussoirs < 2) continue;
    for (int kind = 0; kind < 4; kind++) {
      const ArchRing joints = ring_make(ring, arena);
      const double reach = -joints.outer[0].x - ring->span / 2, crown = joints.crown[1].z;

      ArchMeasures m = {.ring = *ring,
                        .depth = 1.3,
                        .supports = kind % 2 == 0,
                        .has_piers = true,
                        .has_spandrels = true,
                        .has_backing = kind >= 2};
      m.piers = (PierMeasures){reach * (kind == 0 ? 1 : 1.7), 1.1, 1 + kind};
      m.spandrels = (FillMeasures){crown * (kind == 1 ? 1.25 : 1), 3 + 2 * kind, 0.31 * ring->span,
                                   kind >= 2 ? 0.25 : 1.3};
      m.backing = (FillMeasures){crown, 4, 0.27 * ring->span, 0};
      if (!CHECK(arch_structure_check(&m).reason == NULL)) continue;
      const Structure s = arch_structure_make(&m, arena);
      const double width = ring->span + 2 * m.piers.width;
      const double height = m.spandrels.height;
      const double opening =
          area_under(joints.inner, joints.voussoirs + 1) +
          (joints.pointed
               ? area_under((SectionPoint[]){joints.inner[ring->voussoirs / 2], joints.crown[0],
                                             joints.inner[ring->voussoirs / 2 + 1]},
                            3) -
                     area_under(joints.inner + ring->voussoirs / 2, 2)
               : 0);
      const double section = width * height - opening + 2 * m.piers.width * m.piers.height;
      sound("bridge", &s, section * m.depth, -1);
      CHECK(number_of(&s, "springer_left") == 1 && number_of(&s, "springer_right") == 1);
      CHECK(number_of(&s, "pier_left") == m.piers.courses - 1);
      CHECK((number_of(&s, "backing") > 0) == (kind >= 2));
      CHECK((number_of(&s, "spandrel_front") > 0) == (kind >= 2));
      CHECK(s.held == m.supports);
      arena_reset(arena);
    }
    arena_reset(arena);
  }
}

static ArchMeasures some_arch(void)
{
  return (ArchMeasures){.ring = {RING_SEGMENTAL, 4, 1, 0.4, 9},
                        .depth = 1,
                        .has_piers = true,
                        .has_spandrels = true,
                        .piers = {1, 2, 3},
                        .spandrels = {2, 4, 0.5, 1}};
}

#define REFUSED_ARCH(change, key)                \
  do {                                           \
    ArchMeasures m = some_arch();                \
    CHECK(arch_structure_check(&m).reason == 0); \
    change;                                      \
    refused(arch_structure_check(&m), key);      \
  } while (0)

static void test_refused_arches(void)
{
  REFUSED_ARCH(m.ring.voussoirs = 0, "voussoirs");
  REFUSED_ARCH(m.ring.span = NAN, "span");
  REFUSED_ARCH(m.ring.span = -1, "span");
  REFUSED_ARCH(m.ring.rise = 2.01, "rise");
  REFUSED_ARCH(m.ring.rise = 0, "rise");
  REFUSED_ARCH(m.ring.rise = NAN, "rise");
  REFUSED_ARCH(m.ring.rise = 1e-5, "rise");
  REFUSED_ARCH(m.ring.thickness = 0, "thickness");
  REFUSED_ARCH(m.ring.thickness = NAN, "thickness");
  REFUSED_ARCH((m.ring.form = RING_POINTED, m.ring.rise = 2), "rise");
  REFUSED_ARCH((m.ring.form = RING_POINTED, m.ring.rise = 3, m.ring.voussoirs = 1), "voussoirs");
  REFUSED_ARCH((m.ring.form = RING_SEMICIRCULAR, m.ring.voussoirs = 1), "voussoirs");
  REFUSED_ARCH(m.depth = 0, "depth");
  REFUSED_ARCH(m.piers.width = 0.1, "piers");
  REFUSED_ARCH(m.piers.courses = 0, "piers");
  REFUSED_ARCH(m.piers.height = NAN, "piers");
  REFUSED_ARCH(m.has_piers = false, "spandrels");
  REFUSED_ARCH(m.spandrels.thickness = 0.6, "spandrels");
  REFUSED_ARCH(m.spandrels.height = 0.1, "spandrels");
  REFUSED_ARCH(m.spandrels.length = 0, "spandrels");
  REFUSED_ARCH(m.spandrels.length = 1e-4, "spandrels");
  REFUSED_ARCH(m.spandrels.courses = 2000000, "spandrels");
  REFUSED_ARCH(m.ring.voussoirs = 1001, "spandrels");
  REFUSED_ARCH((m.has_backing = true, m.backing = m.spandrels), "backing");
}

// -- vaults and domes -----------------------------------------------------------------------------

static void test_barrels(Arena *arena)
{
  for (int i = 0; i < RING_COUNT; i++)
    for (int aligned = 0; aligned < 2; aligned++) {
      VaultMeasures m = {.ring = RINGS[i], .length = 3.3, .rows = 1 + i % 4, .aligned = aligned};
      CHECK(vault_structure_check(&m).reason == NULL);
      const RingFormula f = ring_formula(&m.ring);
      const Structure s = vault_structure_make(&m, arena);
      const int strips = m.ring.voussoirs;
      CHECK(s.count == strips * m.rows + (aligned ? 0 : strips / 2));
      sound("barrel", &s, f.area * m.length,
            2 * f.area + m.length * (f.intrados + f.extrados + 2 * m.ring.thickness));
      m.supports = true;
      const Structure held = vault_structure_make(&m, arena);
      CHECK(held.held && held.count == s.count + 2);
      const ArchRing ring = ring_make(&m.ring, arena);
      const double t = m.ring.thickness, wide = ring.inner[0].x - ring.outer[0].x;
      sound("barrel on springers", &held,
            (f.area + 2 * wide * (t + ring.outer[0].z / 2)) * m.length, -1);
      arena_reset(arena);
    }
}

// Volume of strips of webs whose ends lie on the diagonals, from z below to z above of polygons:
// of a web, the integral of (end - |x|) over its section.
static double web_volume(const ArchRing *ring, double end, Arena *arena)
{
  double volume = 0;
  for (int k = 0; k < ring->voussoirs; k++) {
    const Sections sections = ring_voussoir(ring, k, arena);
    for (int s = 0; s < sections.count; s++)
      for (int side = -1; side <= 1; side += 2) {
        // one half of the section, in triangles: the mean of |x| is that of their corners
        const SectionPoint low = {0, 0}, high = {0, 1};
        const SectionHalves halves = section_cut(&sections.items[s], low, high, arena);
        const Section *half = side < 0 ? &halves.left : &halves.right;
        for (int i = 1; i + 1 < half->count; i++) {
          const SectionPoint p = half->corners[0], q = half->corners[i], r = half->corners[i + 1];
          const double twice = (q.x - p.x) * (r.z - p.z) - (q.z - p.z) * (r.x - p.x);
          volume += twice / 2 * (end - fabs(p.x + q.x + r.x) / 3);
        }
      }
  }
  return volume;
}

static void test_cross_vaults(Arena *arena)
{
  for (int i = 0; i < RING_COUNT; i++)
    for (int kind = 0; kind < 4; kind++) {
      VaultMeasures m = {.ring = RINGS[i],
                         .cross = true,
                         .rows = 1 + 2 * kind,
                         .aligned = kind % 2,
                         .supports = kind >= 2};
      if (m.ring.voussoirs < 2) continue;
      CHECK(vault_structure_check(&m).reason == NULL);
      const Structure s = vault_structure_make(&m, arena);
      const ArchRing ring = ring_make(&m.ring, arena);
      const double end = -ring.outer[0].x, in = -ring.inner[0].x, t = m.ring.thickness;
      double volume = 4 * web_volume(&ring, end, arena);
      if (m.supports) {
        // of a corner twice the integral over the section: from -t up to the joint
        const double wide = end - in, z = ring.outer[0].z;
        volume += 8 * (t * wide * wide / 2 + z * wide * wide / 6);
      }
      sound("cross vault", &s, volume, -1);
      CHECK(number_of(&s, "keystone") == m.ring.voussoirs % 2);
      CHECK(number_of(&s, "groin_3.") == m.ring.voussoirs / 2);
      arena_reset(arena);
    }
}

// A pyramid from the centre over a field between two hoops, by its flat inner face.
static double field_volume(double low, double high, double around, double inner, double outer)
{
  const double a = 2 * sin(low) * sin(around / 2), b = 2 * sin(high) * sin(around / 2);
  const double rise = cos(high) - cos(low), run = (sin(low) - sin(high)) * cos(around / 2);
  const double height = hypot(rise, run);
  // distance of the plane from the centre: of the middle line of the face
  const double distance = fabs(sin(low) * cos(around / 2) * rise + cos(low) * run) / height;
  return (a + b) / 2 * height * distance / 3 * (outer * outer * outer - inner * inner * inner);
}

static const DomeMeasures DOMES[] = {
    {4, 2, 0.4, 0, 8, 5, false, false},     {4, 2, 0.4, 1, 8, 5, true, false},
    {10, 2, 0.3, 0, 24, 6, true, true},     {10, 3.3, 0.5, 2.5, 17, 7, false, true},
    {1, 0.5, 0.2, 0.9, 3, 1, false, false}, {6, 3, 0.3, 0, 5, 1, true, false},
};

static void test_domes(Arena *arena)
{
  for (int i = 0; i < (int)(sizeof DOMES / sizeof DOMES[0]); i++) {
    const DomeMeasures *m = &DOMES[i];
    CHECK(dome_structure_check(m).reason == NULL);
    const double radius = (m->rise * m->rise + m->span * m->span / 4) / (2 * m->rise);
    const double outer = radius + m->thickness, lowest = atan2(m->span / 2, radius - m->rise);
    const double highest =
        m->oculus > 0 ? asin(m->oculus / 2 / radius) : lowest / (2 * m->hoops + 1);
    const int places = m->aligned ? m->meridians : 2 * m->meridians;
    const double around = 2 * PI / places, cubes = outer * outer * outer - pow(radius, 3);
    double volume = 0;
    for (int h = 0; h < m->hoops; h++)
      volume += places * field_volume(lowest + (highest - lowest) * h / m->hoops,
                                      lowest + (highest - lowest) * (h + 1) / m->hoops, around,
                                      radius, outer);
    const double cap = places / 2.0 * sin(around) * sin(highest) * sin(highest) * cos(highest);
    if (m->oculus == 0) volume += cap * cubes / 3;
    if (m->supports) {
      // between two polygons down to one thickness; the upper end is a cut of cones
      const double r = radius * sin(lowest), wide = m->thickness * sin(lowest),
                   z = m->thickness * cos(lowest);
      const double area = places / 2.0 * sin(around);
      volume += area * ((r + wide) * (r + wide) - r * r) * m->thickness;
      volume += area * z * (r * wide + 2 * wide * wide / 3);
    }
    const Structure s = dome_structure_make(m, arena);
    CHECK(s.count == m->meridians * (m->hoops + (m->supports ? 1 : 0)) + (m->oculus == 0));
    // faces of a sphere's polyhedra and both rims are free
    double exposed = m->supports ? -1 : 0;
    for (int h = 0; h < m->hoops && exposed >= 0; h++) {
      const double low = lowest + (highest - lowest) * h / m->hoops,
                   high = lowest + (highest - lowest) * (h + 1) / m->hoops;
      const double height = hypot(cos(high) - cos(low), (sin(low) - sin(high)) * cos(around / 2));
      exposed += places * (sin(low) + sin(high)) * sin(around / 2) * height *
                 (radius * radius + outer * outer);
    }
    const double rims[2] = {lowest, highest};
    for (int end = 0; end < 2 && exposed >= 0; end++) {
      if (end == 1 && m->oculus == 0) {
        exposed += places / 2.0 * sin(around) * sin(highest) * sin(highest) *
                   (radius * radius + outer * outer);
        continue;
      }
      // a field of the rim: a trapezium in a plane through the centre
      const double chord = 2 * sin(rims[end]) * sin(around / 2);
      exposed +=
          places * chord / 2 * sqrt(1 - chord * chord / 4) * (outer * outer - radius * radius);
    }
    sound("dome", &s, volume, exposed);
    arena_reset(arena);
  }
}

static void test_refused_vaults(void)
{
  const VaultMeasures vault = {.ring = {RING_SEMICIRCULAR, 4, 0, 0.5, 9}, .length = 3, .rows = 4};
  VaultMeasures v = vault;
  CHECK(vault_structure_check(&v).reason == NULL);
  v.rows = 0;
  refused(vault_structure_check(&v), "rows");
  v = vault;
  v.length = NAN;
  refused(vault_structure_check(&v), "length");
  v = vault;
  v.ring.thickness = 0;
  refused(vault_structure_check(&v), "thickness");
  v.rows = 1000000;
  v.ring.thickness = 1;
  refused(vault_structure_check(&v), "rows");

  const DomeMeasures dome = DOMES[0];
  DomeMeasures d = dome;
  d.oculus = 4;
  refused(dome_structure_check(&d), "oculus");
  d.oculus = NAN;
  refused(dome_structure_check(&d), "oculus");
  d = dome;
  d.rise = 2.1;
  refused(dome_structure_check(&d), "rise");
  d.rise = NAN;
  refused(dome_structure_check(&d), "rise");
  d = dome;
  d.meridians = 2;
  refused(dome_structure_check(&d), "meridians");
  d = dome;
  d.hoops = 0;
  refused(dome_structure_check(&d), "hoops");
  d = dome;
  d.thickness = -1;
  refused(dome_structure_check(&d), "thickness");
  d = dome;
  d.span = 0;
  refused(dome_structure_check(&d), "span");
}

// -- columns, prisms and pipes --------------------------------------------------------------------

// Polygon of n sides in the circle of radius 1, m2.
static double polygon(int n) { return n / 2.0 * sin(2 * PI / n); }

static void test_columns(Arena *arena)
{
  for (int i = 0; i < 6; i++) {
    const int n = 3 + 5 * i;
    const double taper = 1 - 0.12 * i, r = 0.5, h = 4;
    ColumnMeasures m = {.drums = 1 + 2 * i, .shaft = {n, r, h, taper}};
    const double shaft = polygon(n) * r * r * h * (1 + taper + taper * taper) / 3;
    const Structure bare = prism_column(&m, arena);
    const double apothem = cos(PI / n) * r * (1 - taper), side = 2 * r * sin(PI / n);
    const double exposed =
        polygon(n) * r * r * (1 + taper * taper) + n * side * (1 + taper) / 2 * hypot(h, apothem);
    CHECK(bare.count == m.drums);
    sound("column", &bare, shaft, exposed);
    for (int d = 0; d + 1 < bare.count; d++) CHECK(structure_shared_points(&bare, d, d + 1) == n);
    m.base = (vec3){1.5, 1.4, 0.3};
    m.capital = (vec3){1.2, 1.3, 0.2};
    const Structure whole = prism_column(&m, arena);
    CHECK(strcmp(whole.names[0], "base") == 0 &&
          strcmp(whole.names[whole.count - 1], "capital") == 0);
    sound("column with base", &whole, shaft + 1.5 * 1.4 * 0.3 + 1.2 * 1.3 * 0.2, -1);
    arena_reset(arena);
  }
  ColumnMeasures m = {.drums = 3, .shaft = {8, 0.5, 4, 0.8}};
  CHECK(prism_column_check(&m).reason == NULL);
  m.drums = 0;
  refused(prism_column_check(&m), "drums");
  m = (ColumnMeasures){.drums = 3, .shaft = {2, 0.5, 4, 0.8}};
  refused(prism_column_check(&m), "sides");
  m = (ColumnMeasures){.drums = 3, .shaft = {8, NAN, 4, 0.8}};
  refused(prism_column_check(&m), "radius");
  m = (ColumnMeasures){.drums = 3, .shaft = {8, 1, 4, 0}};
  refused(prism_column_check(&m), "taper");
}

static void test_pipes(Arena *arena)
{
  for (int n = 3; n < 40; n += 6) {
    Structure s = structure_new(arena);
    structure_add(&s, prism_pipe(&(PrismMeasures){n, 1, 2, 1}, 0.25, arena), "");
    const double ring = polygon(n) * (1 - 0.75 * 0.75);
    // inner faces between the parts are no surface
    sound("pipe", &s, 2 * ring, 2 * ring + 2 * 2 * n * sin(PI / n) * 1.75);
    Structure p = structure_new(arena);
    ShapeRecipe pyramid = structure_solid(1, arena);
    pyramid.parts[0] = prism_make(&(PrismMeasures){n, 2, 3, 0}, arena);
    structure_add(&p, pyramid, "");
    sound("pyramid", &p, polygon(n) * 4, -1);
    CHECK_NEAR(prism_radius(n, 2 * cos(PI / n)), 1, 1e-14);
    arena_reset(arena);
  }
}

int main(void)
{
  Arena arena = arena_new();
  test_arches(&arena);
  test_bridges(&arena);
  test_refused_arches();
  test_barrels(&arena);
  test_cross_vaults(&arena);
  test_domes(&arena);
  test_refused_vaults();
  test_columns(&arena);
  test_pipes(&arena);
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
