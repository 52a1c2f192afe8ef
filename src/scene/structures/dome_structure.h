#pragma once
// Domes of hoops between meridians, closed by a keystone or open at an oculus.
#include "structure.h"

// Span, rise and oculus are those of the inside; the thickness lies outside of it.
typedef struct {
  double span, rise, thickness, oculus;   // oculus: diameter of the opening, 0: closed; m
  int meridians, hoops;                   // stones of a hoop, hoops without the keystone
  bool aligned;    // meridian joints go on from hoop to hoop; else they alternate
  bool supports;   // one springer under each stone of the lowest hoop
} DomeMeasures;

// Local. What is wrong with the measures, by the key of a dome.
StructureFault dome_structure_check(const DomeMeasures *measures);

// Local. The stones hoop by hoop from below, each hoop counter-clockwise from +x; the keystone; the
// springers. The middle of the circle of the springing is the origin, the axis is along z.
Structure dome_structure_make(const DomeMeasures *measures, Arena *arena);
