#pragma once
// A tree over the simplices of a surface: balls about them, cones about their normals, and which
// kinds there are (Merlhiot 2007, section 6.4; Johnson and Cohen 2001).
#include "arena.h"
#include "surface_complex.h"

// Kinds of simplices as bits. Edges that no other body touches first have a bit of their own.
enum { TREE_VERTEX = 1, TREE_EDGE = 2, TREE_FACE = 4, TREE_HIDDEN_EDGE = 8 };

typedef struct {
  vec3 center;           // body frame, m
  double radius;         // m
  vec3 axis;             // unit; cone of outward normals
  double cosine, sine;   // of its half angle; -1 and 0: all directions
  int kinds;             // bits of all simplices below
  int child[2];          // nodes; of a leaf: -1 and the index of its simplex
} SurfaceNode;

typedef struct {
  int count;
  SurfaceNode *nodes;   // arena; the first one is the root
} SurfaceTree;

// Local. The tree of corners, edges and faces of a surface, cut in halves along the longest side of
// their box.
SurfaceTree surface_tree_build(const SurfaceComplex *complex, Arena *arena);
