#pragma once
// Contact detection of one step: boxes, overlapping pairs, patches, and reactions handed on from
// the last step.
#include "arena.h"
#include "bodies.h"
#include "bond.h"
#include "box_overlap.h"
#include "candidates.h"
#include "compliant_pair.h"
#include "contact_settings.h"
#include "contacts.h"
#include "inner_set.h"
#include "model.h"
#include "motion.h"
#include "shape.h"
#include "sparsify.h"
#include "surface_law.h"
#include "surface_set.h"

typedef struct {
  const Bodies *bodies;   // at the middle of the step, ghosts included
  const MidState *mid;    // [bodies->table.count]
  ShapeSet *shapes;
  SurfaceSet *bases;   // of the shapes, for the model lmd; NULL for the others
  InnerSet *inner;     // likewise, where contact.geometry asks for them; NULL: shapes are exact
  const ContactSettings *settings;
  FreeMotion motion;
  const SurfaceLaws *surfaces;   // NULL: all touch, without bonds
  int pass_count;
  const IdPair *passes;           // [pass_count] bodies that pass through each other, ascending
  const unsigned char *newborn;   // [bodies->table.count] 1: appears in this step, in which bonds
                                  // are made with it and contacts are closed; NULL: no body does
  const bool *displaced;    // [bodies->table.count] surfaces are displaced from where shapes have
                            // them (ModelPair); NULL: those of rows of finite elements
  Candidates *candidates;   // what is known of near pairs; changes no bit of the result;
                            // NULL: nothing
  Volumes *volumes;   // rows of pairs with the volumetric law: those of the last step, which those
                      // found replace; NULL: no pair has it
  bool hash_pairs;    // fill pairs_hash
} DetectInput;

// What was looked at for the pairs that a row owns.
typedef struct {
  int64_t pairs;   // of bodies
  PatchCount parts;
} DetectCount;

typedef struct {
  int64_t pairs;         // of bodies, with overlapping boxes, that this rank looked at
  int64_t failed;        // pairs of parts that overlap too deep for a patch, spheres and ellipsoids
                         // inside another body
  IdPair first_failed;   // the lowest of them
  int64_t met;           // pairs of the model lmd that begin with base surfaces that meet
  IdPair first_met;      // the lowest of them
  int64_t rerouted;      // pairs of parts whose common solid the fast route could not make
  IdPair first_rerouted;   // the lowest of them
  int64_t matched;         // points that found their key in the last step
  int64_t inherited;       // points that took the reaction of a near point
  int64_t sparsified;      // points removed because others do
  BondCount bonds;
  Hash128 pairs_hash;    // of the ids of the pairs, where asked for
  DetectCount *counts;   // [own rows] arena
} DetectReport;

// Local. Box of a row at the middle of the coming step, inflated so that all pairs that may touch
// within the step have overlapping boxes: half the margin, gaps that are taken as closed, and the
// way of the fastest point in one step.
Box detect_box(const Bodies *bodies, int row, ShapeSet *shapes, const ContactSettings *settings,
               const FreeMotion *motion);

// Local. Finds the contact points of every pair whose lower-id dynamic body is an own row; found
// gets own rows only, sorted by key, with the reactions of old (own rows sorted by key), which may
// be found itself. boxes[count] of all rows.
DetectReport detect_contacts(const DetectInput *in, const Box *boxes, const Contacts *old,
                             Contacts *found, Arena *arena);
