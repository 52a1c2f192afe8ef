#pragma once
// A tree over the simplices of a surface: balls about them, cones about their normals, and which
// kinds there are (Merlhiot 2007, section 6.4; Johnson and Cohen 2001).
#include "arena.h"
#include "lane.h"
#include "surface_complex.h"

// Kinds of simplices as bits.
enum { TREE_VERTEX = 1, TREE_EDGE = 2, TREE_FACE = 4 };

typedef struct {
  vec3 center;           // body frame, m
  double radius;         // m
  vec3 axis;             // unit; cone of outward normals; zero: of all directions
  double cosine, sine;   // of its half angle; -1 and 0: all directions
  double low, high;      // of the nearest and farthest corner along the axis from the centre, m
  int kinds;             // bits of all simplices below
  int child[2];          // nodes; of a leaf: -1 and the index of its simplex
} SurfaceNode;

// Four nodes side by side: the children of a node's children, or the children that are leaves.
typedef struct {
  Vec3Lane center, axis;
  Lane radius, cosine, sine, low, high;   // as those of nodes
  int kinds[LANES];                       // 0: the lane is empty
  int quad[LANES];                        // the four below; -1: a leaf
  int simplex[LANES];                     // of a leaf
} SurfaceQuad;

typedef struct {
  int count;   // of nodes
  SurfaceNode root;
  int quad_count;
  SurfaceQuad *quads;   // arena; the first one is below the root; none where that is a leaf
} SurfaceTree;

typedef enum {
  TREE_CUTS_BY_PLACE,
  TREE_CUTS_IN_TURN   // every other level by normals (Merlhiot 2007): for the bench
} TreeCuts;

// Local. The tree of corners, convex edges and faces of a surface, cut in halves along the longest
// side of the box of their middles, or of their normals.
SurfaceTree surface_tree_build(const SurfaceComplex *complex, TreeCuts cuts, Arena *arena);
