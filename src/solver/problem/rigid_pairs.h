#pragma once
// Batches of rigid pairs: the one place outside body/ that asks what bodies are, for speed. Pairs
// of all other bodies go point by point, through their material points.
#include "check.h"
#include "material_point.h"

// Local. Are all bodies rigid? One look for all pairs.
static inline bool rigid_pairs_all(const Bodies *bodies) { return !bodies->kind; }

// Local. Is a row's motion that of its body frame alone?
static inline bool rigid_pairs_body(const Bodies *bodies, int row)
{
  assert_debug(row >= 0 && "a body has a row");
  return !bodies->kind || kind_of(bodies, row)->in_lanes;
}

// Local. May the points of a pair of rows go in a batch?
static inline bool rigid_pairs_has(const Bodies *bodies, int low, int high)
{
  assert_debug(low != high && "a pair is of two bodies");
  return rigid_pairs_body(bodies, low) && rigid_pairs_body(bodies, high);
}

// The two bodies of a point, and its arms.
typedef struct {
  const MidState *low, *high;
  vec3 low_arm, high_arm;   // world axes, m
} RigidEnds;

// Local. W of a point of such a pair in a basis, in the order of sums of delassus_lanes.h.
static inline sym3 rigid_pairs_delassus(const RigidEnds *ends, const mat3 *basis)
{
  assert_debug(!(ends->low->inverse_mass + ends->high->inverse_mass <= 0) &&
               "one of the bodies moves");
  const double mass = ends->low->inverse_mass + ends->high->inverse_mass;
  sym3 w = {mass, 0, 0, mass, 0, mass};
  rigid_add_turning(ends->low, basis, ends->low_arm, &w);
  rigid_add_turning(ends->high, basis, ends->high_arm, &w);
  return w;
}

// Local. The same by way of world axes: what the points of split bodies have.
static inline mat3 rigid_pairs_turned(const RigidEnds *ends, const mat3 *basis)
{
  assert_debug(!(ends->low->inverse_mass + ends->high->inverse_mass <= 0) &&
               "one of the bodies moves");
  const mat3 w = mat3_add(rigid_delassus(ends->low, ends->low_arm),
                          rigid_delassus(ends->high, ends->high_arm));
  return mat3_mul_mat(*basis, mat3_mul_mat(w, mat3_transpose(*basis)));
}
