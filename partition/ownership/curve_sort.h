#pragma once
// Vertices of all ranks sorted along the curve and cut into segments: a rank gets one slice of it.
#include "arena.h"
#include "ownership.h"
#include "parallel.h"

typedef struct {
  uint64_t key, id;
  int64_t work;
  int home;      // rank that holds the vertex
  int answer;    // its place among the values that go back to the homes
  int segment;   // ascending
} CurveVertex;

typedef struct {
  // at home
  int own;
  int *order;    // [own] own vertices along the curve: the order of answers
  int *slices;   // [own] of each own vertex, the rank whose slice has it
  // in the slice
  int count;
  CurveVertex *vertices;   // [count] along the curve
  int source_count;
  int *sources, *source_start;   // homes ascending, and where their answers begin
  // the same on all ranks
  int64_t total, segment_limit;   // vertices of all ranks with work; segments are numbered below
} CurveSort;

// Collective. Sorts along the curve over the box of all that have work, ties by id, and cuts
// segments of equal work. A sample sort (Frazer and McKellar 1970): 32 vertices of each rank choose
// the P - 1 that divide the slices. Segment numbers depend on the graph and P alone.
CurveSort curve_sort(const OwnershipGraph *graph, OwnershipGrain grain, Arena *arena);

// Collective. answers[count] of the slice, in the order of the answer numbers, to values[own].
void curve_sort_answer(const CurveSort *sort, const int *answers, int *values, Arena *arena);
