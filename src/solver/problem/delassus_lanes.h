#pragma once
// W_aa of four points at once: operation by operation what delassus.c does, so that the bits are
// the same. Local.
#include "lane_eigenvalue.h"
#include "law_lanes.h"

// Adds what one body's turning gives in a basis: (arm x f_i).I^-1 (arm x f_j).
static inline void delassus_lanes_add(const Vec3Lane basis[3], const Vec3Lane inverse_inertia[3],
                                      Vec3Lane arm, SymmetricLane *w)
{
  Vec3Lane turn[3], spin[3];
  for (int i = 0; i < 3; i++) {
    turn[i] = lane3_cross(arm, basis[i]);
    spin[i] = lane3_mul(inverse_inertia, turn[i]);
  }
  w->xx += lane3_dot(turn[0], spin[0]);
  w->xy += lane3_dot(turn[0], spin[1]);
  w->xz += lane3_dot(turn[0], spin[2]);
  w->yy += lane3_dot(turn[1], spin[1]);
  w->yz += lane3_dot(turn[1], spin[2]);
  w->zz += lane3_dot(turn[2], spin[2]);
}

// w no larger than W_NN and a diagonal entry of W_TT allow
static inline Lane delassus_lanes_bounded(Lane w, Lane nn, Lane tt)
{
  const Lane zero = lane_all(0);
  const Lane most = lane_sqrt(nn) * lane_sqrt(lane_select(zero < tt, tt, zero));
  const Lane least = zero - most;
  return lane_select(most < w, most, lane_select(w < least, least, w));
}

// What normal impulses do, and how the tangents share in it.
typedef struct {
  Lane nn, inverse, w1, w2, g1, g2;
} NormalLane;

static inline NormalLane delassus_lanes_normal(const SymmetricLane *w)
{
  const Lane zero = lane_all(0), one = lane_all(1);
  NormalLane n;
  n.inverse = lane_select(zero < w->xx, one / w->xx, zero);
  n.inverse = lane_select(n.inverse < lane_all(INFINITY), n.inverse, zero);
  n.nn = lane_select(zero < n.inverse, w->xx, zero);
  n.w1 = delassus_lanes_bounded(w->xy, n.nn, w->yy);
  n.w2 = delassus_lanes_bounded(w->xz, n.nn, w->zz);
  n.g1 = lane_select(zero < n.inverse, n.w1 / n.nn, zero);
  n.g2 = lane_select(zero < n.inverse, n.w2 / n.nn, zero);
  return n;
}

// law_turned
static inline DelassusLane delassus_lanes_turned(const SymmetricLane *w)
{
  const NormalLane n = delassus_lanes_normal(w);
  const Lane floor = lane_all(DBL_EPSILON) * (w->yy + w->zz) + DBL_EPSILON * DBL_EPSILON * n.nn;
  return (DelassusLane){n.nn,
                        n.inverse,
                        n.w1,
                        n.w2,
                        lane_max(w->yy - n.w1 * n.g1, floor),
                        lane_max(w->zz - n.w2 * n.g2, floor)};
}
