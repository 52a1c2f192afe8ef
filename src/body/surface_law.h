#pragma once
// What holds between the bodies of two materials, and the table of it for all pairs of materials;
// and between the pieces of a body that was cut.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bodies.h"
#include "check.h"
#include "finite_pieces.h"

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

// Bodies that were cut into blocks: those of a body have ids one after another, fastest along the
// first axis. Or one body of a file in pieces, in their order.
typedef struct {
  uint64_t first, end;          // ids of the pieces of all of them
  int blocks[3];                // of each; of a file all along the first axis
  const FinitePieces *pieces;   // of a file, else NULL
  SurfaceLaw joined;            // between two pieces of one body that share a face
  SurfaceLaw apart;             // between the others
} CutBodies;

typedef struct {
  int material_count;
  SurfaceLaw *laws;   // [material_count * (material_count + 1) / 2], the caller's
  bool bonded;        // some pair is
  bool elastic;       // some pair has a stiffness
  bool compliant;     // some pair has the volumetric law
  int cut_count;
  const CutBodies *cut;   // [cut_count] ascending, the caller's
} SurfaceLaws;

// What the law of a body with another depends on.
typedef struct {
  uint64_t id;
  int material;
} LawSide;

// Local. How many laws a table of so many materials has.
int surface_laws_count(int material_count);

// Local. Gives two materials their law.
void surface_laws_set(SurfaceLaws *laws, int a, int b, const SurfaceLaw *law);

// Local. Is there mortar between a body and any other?
bool surface_laws_bond(const SurfaceLaws *laws, LawSide body);

// Local. The law between two pieces of one body; NULL: they are of two.
const SurfaceLaw *surface_laws_within(const SurfaceLaws *laws, uint64_t a, uint64_t b);

// Ids of pieces, from one on and before another.
typedef struct {
  uint64_t first, end;
} PieceIds;

// Local. The pieces of the body that one is of, if nothing parts them; else no ids.
PieceIds surface_laws_pieces(const SurfaceLaws *laws, uint64_t id);

// Local. What two pieces of one body of a file share; NULL: they are none, or share no face.
const FiniteSeam *surface_laws_seam(const SurfaceLaws *laws, uint64_t low, uint64_t high,
                                    const FiniteSeamNode **nodes);

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

// Local. The law between two bodies, in either order.
static inline const SurfaceLaw *surface_laws_between(const SurfaceLaws *laws, LawSide a, LawSide b)
{
  assert_debug(a.id != b.id && "a body does not touch itself");
  const SurfaceLaw *within = laws->cut_count > 0 ? surface_laws_within(laws, a.id, b.id) : NULL;
  return within ? within : surface_laws_find(laws, a.material, b.material);
}

// Local. The same of rows of bodies.
static inline LawSide law_side_of(const Bodies *bodies, int row)
{
  assert_debug(row >= 0 && row < bodies->table.count && "a row of the table");
  return (LawSide){bodies->id[row], bodies->material[row]};
}
static inline const SurfaceLaw *surface_laws_of(const SurfaceLaws *laws, const Bodies *bodies,
                                                int a, int b)
{
  assert_debug(a != b && "two rows");
  return surface_laws_between(laws, law_side_of(bodies, a), law_side_of(bodies, b));
}
