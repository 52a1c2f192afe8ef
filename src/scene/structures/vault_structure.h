#pragma once
// Barrel vaults and cross vaults by span and rise.
#include "ring.h"

typedef struct {
  RingMeasures ring;
  bool cross;      // two barrels of the same span at right angles, cut where they meet
  double length;   // of a barrel along y, m
  int rows;        // stones of a strip: of a barrel, or of a cross vault from its middle to an end
  bool aligned;    // joints across the strips go on from strip to strip; else they alternate
  bool supports;   // springers
} VaultMeasures;

// Local. What is wrong with the measures, by the key of a vault.
StructureFault vault_structure_check(const VaultMeasures *measures);

// Local. The stones of a barrel about the plane x = 0, strip by strip from -x to +x, then the
// springers. Of a cross vault with its middle at the origin: the groin stones corner by corner,
// which bind two webs, from the springing up; the keystone; then the webs, strip by strip.
Structure vault_structure_make(const VaultMeasures *measures, Arena *arena);
