#pragma once
// A surface moved inwards, so that balls about it give the body back: flat sides stay where they
// are, edges and corners are rounded.
#include "surface_complex.h"
#include "surface_tree.h"

#define SURFACE_KEPT 0.1   // share of its length that an edge keeps at least when it is moved

// The surface of a body as it is, and moved inwards by the dilation. A vertex goes where its
// planes, moved, meet: exactly for three planes and wherever all planes meet in a point, else by
// least squares with the least move. Faces that are no plane then are cut into triangles.
typedef struct {
  double dilation;   // m
  double shift;      // m: how far the farthest vertex was moved, at least the dilation
  SurfaceComplex sharp;
  SurfaceComplex base;   // its vertices' point and its faces' piece are vertex and face of sharp
  SurfaceTree tree;      // of the base
  vec3 low, high;        // box of the base, body frame, m
  int outermost[6];      // vertices of the base on the sides of the box: low x, y, z, high x, y, z
} SurfaceBase;

typedef enum {
  SURFACE_BASE_OK,
  SURFACE_BASE_PIECES,    // the pieces are no closed surface
  SURFACE_BASE_TURNED,    // the surface turns itself inside out
  SURFACE_BASE_CROSSES,   // distant places of it cross each other (lmd_judge.h)
  SURFACE_BASE_UNMOVED    // they do so, or touch, before it is moved (lmd_judge.h)
} SurfaceBaseStatus;

typedef struct {
  SurfaceBaseStatus status;
  SurfaceResult pieces;   // where they are at fault
  int piece;              // where it turns: a piece of the face
  vec3 at;                // and a corner of it, m
  double would_do;        // m: a dilation that the surface bears; 0: none
} SurfaceBaseResult;

// Local. The surface of pieces and its base; dilation >= 0, m. All memory from the arena.
SurfaceBaseResult surface_base_build(const SurfacePieces *pieces, double dilation, Arena *arena,
                                     SurfaceBase *surface);

// Local. A phrase for what is wrong: "the surface turns inside out at facet 3 near (0, 0, 1) m
// when ...". piece_word names a piece, "facet" or "triangle"; pieces are counted from one, as
// people count.
void surface_base_text(SurfaceBaseResult result, double dilation, const char *piece_word,
                       char *text, size_t bytes);
