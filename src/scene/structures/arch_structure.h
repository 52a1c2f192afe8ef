#pragma once
// An arch by span and rise with all that belongs to it: springers, piers, backing, spandrel walls.
#include "ring.h"

typedef struct {
  double width, height;   // along x, and down from the springing, m
  int courses;
} PierMeasures;

// Courses from the outer end of the springing to a height above the springing line.
typedef struct {
  double height;   // m
  int courses;
  double length;      // of a stone, m
  double thickness;   // of spandrel walls along y, m; that of the arch: one wall
} FillMeasures;

// The arch stands in the plane of x and z, its depth along y has its middle at the origin.
typedef struct {
  RingMeasures ring;
  double depth;    // m
  bool supports;   // the springers, or the lowest stones of the piers
  bool has_piers, has_spandrels, has_backing;
  PierMeasures piers;
  FillMeasures spandrels, backing;
} ArchMeasures;

// Local. What is wrong with the measures, by the key of an arch.
StructureFault arch_structure_check(const ArchMeasures *measures);

// Local. The stones: voussoirs from -x to +x, springers, piers, backing, spandrel walls.
Structure arch_structure_make(const ArchMeasures *measures, Arena *arena);
