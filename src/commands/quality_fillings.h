#pragma once
// Tetrahedra of the solids of Erleben's suite, by the program tetgen, as his text has them. Local.
#include "error_text.h"
#include "quality_setup.h"

#define FINE_RATIO 1.015         // of the text: radius over shortest edge
#define FINE_RATIO_INSTEAD 1.1   // where TetGen comes to no end with it

// A fine mesh of a solid of the pillar.
typedef struct {
  int solid;
  double volume, ratio;   // bounds on the tetrahedra (m3) and on their radius over shortest edge
  int tetra_count;
  char why[1024];   // the ratio is not that of the text; "": it is
} FineMesh;

typedef struct {
  int count;
  FineMesh *list;   // arena
} FineMeshes;

// Tetrahedra of all solids that variants of a cut need, or NULL with the reason. fine: of the cut
// CUT_FINE, which solids got which mesh.
const QualityFilling *quality_fillings_make(const QualityScenes *scenes, QualityCut cut,
                                            FineMeshes *fine, Arena *arena, ErrorText error);
