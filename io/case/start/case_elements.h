#pragma once
// Bodies of finite elements of a case: how many there are, what their meshes are worth, and how
// steps follow their waves.
#include "case.h"
#include "finite_measure.h"

enum { CASE_ELEMENTS_NODES = 3000 };   // of meshes whose frequencies are looked for, in all

// All bodies of a shape and a material.
typedef struct {
  const BodyGroup *group;   // of the first of them
  int shape, material;
  int64_t bodies;
  double extent;           // m
  double crossings;        // h c / extent: how often a wave along a bar crosses it in a step
  FiniteMeasure measure;   // without frequencies: there were too many nodes
} ElementShape;

typedef struct {
  int64_t bodies, nodes, cells;
  int count;              // 0: the case has no such bodies
  ElementShape *shapes;   // [count] in the order of the case
  int worst;              // that has the cell of the least quality, the first of these
} ElementReport;

// Local. Bodies that appear later are counted, too.
ElementReport case_elements_look(const Case *c, Arena *arena);
