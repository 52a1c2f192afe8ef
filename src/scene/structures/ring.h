#pragma once
// The ring of an arch or barrel by span and rise: the joints between its voussoirs.
#include "section.h"
#include "structure.h"

typedef enum { RING_SEMICIRCULAR, RING_SEGMENTAL, RING_POINTED } RingForm;

// Span and rise are those of the intrados above the line between its ends, which lies on the x axis
// with its middle at the origin; the thickness lies outside of it.
typedef struct {
  RingForm form;
  double span, rise, thickness;   // m
  int voussoirs;
} RingMeasures;

// Most voussoirs of a ring that masonry is cut to.
#define RING_MOST_CUT 1000

// Joints from -x to +x; the right half is the mirror image of the left one, bit for bit. Voussoirs
// have chords between joints. The keystone of a pointed ring ends at the crown in an angle.
typedef struct {
  int voussoirs;
  SectionPoint *inner, *outer;   // [voussoirs + 1] ends of the joints, m
  bool pointed;                  // the middle voussoir goes over the crown of a pointed ring
  SectionPoint crown[2];         // of the intrados and of the extrados there, m
} ArchRing;

// Local. What is wrong with the measures, by the key of an arch.
StructureFault ring_check(const RingMeasures *measures);

// Local. The joints of measures that passed the check.
ArchRing ring_make(const RingMeasures *measures, Arena *arena);

// Local. The section of a voussoir, in two parts where the crown needs that.
Sections ring_voussoir(const ArchRing *ring, int number, Arena *arena);

// Local. The convex polygon under the extrados, down to the line between the ends of the intrados.
Section ring_filled(const ArchRing *ring, Arena *arena);

// Local. The angle from 0 to pi / 2 with this sine and cosine, rad.
double ring_angle(double sine, double cosine);
