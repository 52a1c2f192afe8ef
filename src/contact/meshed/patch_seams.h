#pragma once
// Seams in the plane of a patch: where faces of pieces end on cuts through a larger body. Pieces on
// both sides of a seam have the same nodes there, so that points along it can be told apart only as
// far as these go: they are its nodes, of whichever body. Where seams of both bodies cross there is
// a corner of four patches and no node: these points are given up, and those beside them take their
// areas so that sums stay, and moments where the patch has enough of them. Local.
#include "patch_sampling.h"

typedef struct {
  bool any;
  bool *of_other;   // [sides of the patch] seams of the other body, not of the one that cuts
  bool *crossed;    // [corners of the patch] seams of both cross there, away from nodes
} PatchSeams;

PatchSeams patch_seams_new(const Figure *patch, const SamplingSides *sides, double same,
                           Arena *arena);

// Is a place in a figure? The lowest face that it is in; -1: none.
bool patch_seams_within(const Figure *figure, const PlaneCorner *at, double same);
int patch_seams_face(const SamplingFaces *faces, const PlaneCorner *at, double same);

// Marks points at crossings, and shares out their areas; one whose neighbours cannot take it stays.
void patch_seams_give_up(const Figure *patch, const PatchSeams *seams, Sampling *points,
                         double same, Arena *arena);

#define PATCH_HEIRS 6

// Points that stand for another one: their weights add up to one.
typedef struct {
  int count;      // 0: the patch has no other one
  bool centred;   // their middle is there; not in a patch too small for that
  int point[PATCH_HEIRS];
  double weight[PATCH_HEIRS];
} PatchHeirs;

// The nearest ones that are not given up, of two alike. Uses places and marks alone.
PatchHeirs patch_seams_heirs(const Sampling *points, int of);
