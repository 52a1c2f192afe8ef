#pragma once
// What holds between the bodies of two materials, and the table of it for all pairs of materials.
#include <stdbool.h>

#include "check.h"

// How friction holds against spinning: by the mean arm of the footprint, integrated over it, or as
// a torque in proportion to the spin, whatever the friction is (Vilela 2018, 3.8).
typedef enum { SPINNING_MEAN, SPINNING_INTEGRATED, SPINNING_VISCOUS } Spinning;

// A law that gives: forces from the volume that two bodies share (compliant_law.h).
typedef struct {
  double stiffness;              // N/m3; 0: the pair has another law
  double damping;                // a, s/m
  double static_friction;        // at rest; at least the friction
  double stick_speed;            // over which it falls to that, m/s; 0: they are equal
  double tangential_stiffness;   // N/m3
  double tangential_damping;     // N s/m3; below 0: critical
  bool rolling;                  // damping resists rolling
  Spinning spinning;
} VolumetricLaw;

// Of one unordered pair of materials. All zero: they touch without friction.
typedef struct {
  double friction;           // Coulomb's coefficient, >= 0
  double restitution;        // Newton's, from 0 to 1
  double cohesion;           // of the mortar between their faces, Pa; 0: there is none
  double tensile_strength;   // likewise
  double normal_stiffness;   // of the joint, per area, Pa/m; 0: rigid
  double shear_stiffness;    // likewise, along the joint
  bool excluded;             // their bodies pass through each other
  bool bonded;               // mortar is between their faces
  VolumetricLaw volumetric;
} SurfaceLaw;

typedef struct {
  int material_count;
  SurfaceLaw *laws;   // [material_count * (material_count + 1) / 2], the caller's
  bool bonded;        // some pair is
  bool elastic;       // some pair has a stiffness
  bool compliant;     // some pair has the volumetric law
} SurfaceLaws;

// Local. How many laws a table of so many materials has.
int surface_laws_count(int material_count);

// Local. Gives two materials their law.
void surface_laws_set(SurfaceLaws *laws, int a, int b, const SurfaceLaw *law);

// Local. Is there mortar between a material and any other or itself?
bool surface_laws_bond(const SurfaceLaws *laws, int material);

// Local. The place of a pair of materials in the table, in either order.
static inline int surface_laws_index(int a, int b)
{
  assert_debug(a >= 0 && b >= 0 && "materials are numbered");
  const int low = a < b ? a : b, high = a < b ? b : a;
  return high * (high + 1) / 2 + low;
}

// Local. The law between two materials, in either order.
static inline const SurfaceLaw *surface_laws_find(const SurfaceLaws *laws, int a, int b)
{
  assert_debug(a < laws->material_count && b < laws->material_count && "materials of the table");
  return &laws->laws[surface_laws_index(a, b)];
}
