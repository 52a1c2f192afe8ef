// Joints of semicircular, segmental and pointed rings.
#include "ring.h"

#include <assert.h>
#include <math.h>

#include "trig.h"

#define WIDEST (178.0 / 180 * TRIG_PI)   // opening of a voussoir, rad

double ring_angle(double sine, double cosine)
{
  assert(sine >= 0 && cosine >= 0 && "the angle is at most a right one");
  // the rest of the angle, d, has the sine S cos a - C sin a; each round leaves d^3 / 6
  double angle = 0.7;
  for (int i = 0; i < 6; i++) angle += sine * trig_cos(angle) - cosine * trig_sin(angle);
  return angle;
}

// A circle through the ends of the intrados and its crown; of a pointed ring that of its left half.
typedef struct {
  double radius;
  double x, z;           // centre, m
  double sine, cosine;   // of half the opening, or of the left half from its end to its crown
} RingCircle;

static RingCircle circle_of(const RingMeasures *m)
{
  const double half = 0.5 * m->span;
  if (m->form == RING_POINTED) {
    const double radius = (half * half + m->rise * m->rise) / m->span;
    return (RingCircle){radius, radius - half, 0, m->rise / radius, (radius - half) / radius};
  }
  const double radius =
      m->form == RING_SEMICIRCULAR ? half : 0.5 * (m->rise + half * half / m->rise);
  const double rise = m->form == RING_SEMICIRCULAR ? radius : m->rise;
  return (RingCircle){radius, 0, rise - radius, half / radius, (radius - rise) / radius};
}

StructureFault ring_check(const RingMeasures *measures)
{
  const RingMeasures *m = measures;
  if (m->voussoirs < 1) return (StructureFault){"voussoirs", "an arch needs at least one voussoir"};
  if (!(m->span > 0)) return (StructureFault){"span", "an arch needs a span above 0"};
  if (!(m->thickness > 0)) return (StructureFault){"thickness", "a voussoir has no volume"};
  if (m->form != RING_SEMICIRCULAR && !(m->rise > 0))
    return (StructureFault){"rise", "an arch needs a rise above 0"};
  if (m->form == RING_SEGMENTAL && !(m->rise <= 0.5 * m->span))
    return (StructureFault){"rise", "a segmental arch rises by at most half its span; one that "
                                    "rises by more has 'form: pointed'"};
  if (m->form == RING_POINTED && !(m->rise > 0.5 * m->span))
    return (StructureFault){"rise", "a pointed arch rises by more than half its span"};
  if (!(m->rise < 1e4 * m->span) || (m->form == RING_SEGMENTAL && !(m->rise > 1e-4 * m->span)))
    return (StructureFault){"rise", "rise and span are more than 10000 times apart"};
  const RingCircle circle = circle_of(m);
  const double opening = 2 * ring_angle(circle.sine, circle.cosine);
  if (m->form == RING_POINTED && m->voussoirs < 2)
    return (StructureFault){"voussoirs", "a pointed arch needs at least two voussoirs"};
  if (m->form != RING_POINTED && !(opening < WIDEST * m->voussoirs))
    return (StructureFault){"voussoirs", "too few voussoirs: each must span less than 178 degrees"};
  return STRUCTURE_SOUND;
}

// The joint at an angle from the end of the left half, on a circle of that radius.
static SectionPoint on_circle(const RingMeasures *m, const RingCircle *c, double radius,
                              double share)
{
  const double whole = ring_angle(c->sine, c->cosine);
  if (m->form == RING_POINTED) {
    const double angle = share * whole;
    return (SectionPoint){c->x - radius * trig_cos(angle), radius * trig_sin(angle)};
  }
  const double angle = (1 - share) * whole;
  return (SectionPoint){-radius * trig_sin(angle), c->z + radius * trig_cos(angle)};
}

static SectionPoint mirror(SectionPoint p) { return (SectionPoint){-p.x, p.z}; }

ArchRing ring_make(const RingMeasures *measures, Arena *arena)
{
  const RingMeasures *m = measures;
  assert(ring_check(m).reason == NULL && "the measures are sound");
  const RingCircle c = circle_of(m);
  const double outer = c.radius + m->thickness;
  const int count = m->voussoirs;
  ArchRing ring = {.voussoirs = count, .pointed = m->form == RING_POINTED && count % 2 == 1};
  ring.inner = arena_allocate(arena, ((size_t)count + 1) * sizeof(SectionPoint));
  ring.outer = arena_allocate(arena, ((size_t)count + 1) * sizeof(SectionPoint));

  // ends and crown are where span and rise say, to the bit
  const double crown = m->form == RING_POINTED ? sqrt(outer * outer - c.x * c.x) : c.z + outer;
  const double rise = m->form == RING_SEMICIRCULAR ? c.radius : m->rise;
  ring.crown[0] = (SectionPoint){0, rise};
  ring.crown[1] = (SectionPoint){0, crown};
  for (int j = 0; 2 * j < count; j++) {
    const double share = 2.0 * j / count;
    ring.inner[j] = on_circle(m, &c, c.radius, share);
    ring.outer[j] = on_circle(m, &c, outer, share);
  }
  ring.inner[0] = (SectionPoint){-0.5 * m->span, 0};
  ring.outer[0] = m->form == RING_POINTED ? (SectionPoint){c.x - outer, 0}
                                          : (SectionPoint){-outer * c.sine, c.z + outer * c.cosine};
  if (count % 2 == 0) {
    ring.inner[count / 2] = ring.crown[0];
    ring.outer[count / 2] = ring.crown[1];
  }
  for (int j = count / 2 + 1; j <= count; j++) {
    ring.inner[j] = mirror(ring.inner[count - j]);
    ring.outer[j] = mirror(ring.outer[count - j]);
  }
  return ring;
}

static Section quad(SectionPoint a, SectionPoint b, SectionPoint c, SectionPoint d, Arena *arena)
{
  Section section = section_new(4, arena);
  const SectionPoint corners[4] = {a, b, c, d};
  memcpy(section.corners, corners, sizeof corners);
  return section;
}

Sections ring_voussoir(const ArchRing *ring, int number, Arena *arena)
{
  assert(number >= 0 && number < ring->voussoirs && "a voussoir has a number");
  const int k = number;
  Sections sections = {0};
  const SectionPoint *in = ring->inner, *out = ring->outer, *crown = ring->crown;
  if (ring->pointed && 2 * k + 1 == ring->voussoirs) {
    section_append(&sections, quad(in[k], crown[0], crown[1], out[k], arena), arena);
    section_append(&sections, quad(crown[0], in[k + 1], out[k + 1], crown[1], arena), arena);
    return sections;
  }
  section_append(&sections, quad(in[k], in[k + 1], out[k + 1], out[k], arena), arena);
  return sections;
}

Section ring_filled(const ArchRing *ring, Arena *arena)
{
  const int n = ring->voussoirs;
  Section filled = section_new(n + 4, arena);
  int count = 0;
  filled.corners[count++] = ring->inner[0];
  filled.corners[count++] = ring->inner[n];
  // an end of the extrados at the level of the intrados is on the lowest side
  for (int j = n; j >= 0; j--) {
    filled.corners[count++] = ring->outer[j];
    if (ring->pointed && 2 * j == n + 1) filled.corners[count++] = ring->crown[1];
  }
  filled.count = count;
  return filled;
}
