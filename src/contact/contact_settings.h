#pragma once
// What a case says of contacts.
#include <stdbool.h>

#include "generator.h"

typedef enum {
  CONTACT_MODEL_PATCH,        // patch.h: the polygon in which the true surfaces touch
  CONTACT_MODEL_VOLUMETRIC,   // volumetric_model.h: one point per pair of parts that overlap
  CONTACT_MODEL_LMD,          // lmd_model.h: places where surfaces are nearest, locally
  CONTACT_MODEL_COUNT
} ContactModel;

// Contacts that others make superfluous (sparsify.h). All zero: nothing is removed.
typedef struct {
  double threshold;      // share of the area of an adjacent contact, 0 to 1
  double min_area;       // m2
  double min_distance;   // m
} SparsifyParameters;

#define CONTACT_DILATION 5e-3   // unless a case says otherwise
#define CONTACT_TURN 0.02

// The model lmd.
typedef struct {
  double dilation;   // share of a shape's extent
  double turn;       // tangent
} LmdParameters;

typedef struct {
  PatchParameters patch;
  LmdParameters lmd;
  double initial;   // contacts that begin no farther apart or deeper than this are closed, m
  ContactModel model;
  SparsifyParameters sparsify;
  bool rows_of_bodies;   // volumetric law: all parts of two bodies are one row
  int inner_spheres;     // of a body at most, whose lenses are the volumes of that law; 0: none
  bool keep_pairs;       // lists of pairs from step to step; tests do without
  bool stop_on_large_steps;   // a body that moves or turns too far in one step ends the run
} ContactSettings;
