#pragma once
// Which parts of two bodies are near each other.
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "box.h"
#include "generator.h"

typedef struct {
  int a, b;   // parts of the two bodies
} PartIndices;

typedef struct {
  int count;
  PartIndices *pairs;   // arena; sorted by (a, b)
  int64_t compared;     // pairs of boxes that were looked at
} NearParts;

// Local. Boxes of the parts of a posed body about its centre, m: [count].
Box *part_boxes_new(const Polyhedron *parts, int count, Arena *arena);

// Local. Fills parts and boxes of a body that has shape and rotation; arena memory.
void part_pairs_pose(PosedBody *body, Arena *arena);

// Local. Box of part of the body whose centre is moved by shift (m).
static inline Box part_box_at(const Box *boxes, int part, vec3 shift)
{
  return (Box){vec3_add(boxes[part].low, shift), vec3_add(boxes[part].high, shift)};
}

// A part, and its box where its body is.
typedef struct {
  const Polyhedron *part;
  Box box;
} BoxedPart;

// Local. Are the boxes of two parts within margin times the smaller part's extent plus reach (m) of
// each other?
bool part_boxes_near(BoxedPart a, BoxedPart b, double margin, double reach);

// Local. The pairs whose boxes are within margin times the smaller part's extent plus reach (m) of
// each other; both bodies know their boxes.
NearParts part_pairs_find(const PosedBody *a, const PosedBody *b, double margin, double reach,
                          Arena *arena);

// Local. The same by comparing all with all: the slow reference of the tests.
NearParts part_pairs_all(const PosedBody *a, const PosedBody *b, double margin, double reach,
                         Arena *arena);
