#pragma once
// Pairs of bodies in contact, as a frame holds them: each stands on the rank whose range of ids has
// its lower body, with what that rank must know of both.
#include "arena.h"
#include "id_pair.h"
#include "row_spans.h"
#include "vec3.h"

// A body of a pair, at the end of the step.
typedef struct {
  uint64_t id;
  uint64_t row;   // of the frame's bodies
  vec3 position;
  quat orientation;
  int32_t drive, shape;
  bool there;   // else it left in the step
} FrameBody;

// Rows of a pair: of contacts, and of the volumetric law.
typedef struct {
  IdPair bodies;
  int first, end;
  int first_volume, end_volume;
  FrameBody low, high;
  int high_number;   // among the higher bodies of all pairs
} FramePair;

typedef struct {
  int count;
  FramePair *of;    // [count] by ids
  int high_count;   // higher bodies
  const int
      *by_high;   // [count] numbers of pairs, by their higher bodies and then by the lower ones
} FramePairs;

// Collective. The pairs of this rank's rows; memory from the arena. id_count: as in
// row_spans_gather.
FramePairs frame_pairs_find(const RowSpans *spans, uint64_t id_count, Arena *arena);
