#pragma once
// Bonds: mortar between two faces of two bodies, made once and held by points that are fixed in
// both bodies.
//
// A bond is made out of one patch of face on face, with the patch's points and tributary areas.
// Each of its points is a row of the table of contacts with the key (bodies, parts, feature
// numbers): whole points are constraints wherever the bodies are, broken ones are contacts at their
// place. As long as one point of a bond is whole its rows replace what the contact model finds
// between these faces; then they go, and the contact model has the faces again. A bond is never
// made again. The gap of a point of a bond is how far it has opened since the bond was made. Where
// whole points have become a hinge and the faces have swung apart, broken points are no contacts.
#include "bodies.h"
#include "contacts.h"
#include "finite_pieces.h"
#include "finite_shape.h"
#include "generator.h"
#include "motion.h"
#include "persist.h"

// Two bodies at the middle of the step.
typedef struct {
  IdPair ids;
  const PosedBody *low, *high;
  double margin;          // relative to the smaller part's extent (case: contact.margin)
  const Bodies *bodies;   // where they have deformed to; NULL: both are rigid
  int low_row, high_row;
  bool tied;   // nothing parts them: pieces of a body
} BondPair;

// Points of bonds in one step.
typedef struct {
  int64_t made;       // whole ones of new bonds
  int64_t tension;    // that broke because they were pulled apart
  int64_t shear;      // that broke otherwise
  int64_t doubtful;   // at a limit and moving, by no more than the errors of the solution
  IdPair first;       // the lowest pair with one that broke
} BondCount;

// Local. Counts broken points of a pair.
void bonds_count(BondCount *count, int tension, int shear, IdPair ids);

// Local. Appends the points of the pair's bonds to found, out of the rows of the last step. A whole
// point that has moved by more than the margin counts as broken (tension); a bond without a whole
// point is left out. True when the bonds leave the bodies no motion, so that nothing else between
// them can touch: both are convex or pieces of one body of a file, and three points of one bond are
// whole.
bool bonds_carry(const BondPair *pair, const Contacts *old, RowRange rows, Contacts *found,
                 BondCount *count);

// Local. Appends a bond to found for every patch of face on face: at least three points with area,
// one of them with a gap within the margin. Points with larger gaps are broken from the start.
void bonds_make(const BondPair *pair, const PatchSet *faces, Contacts *found, BondCount *count);

// Local. Appends the bond of two pieces of a body of a file to found: a point for every node that
// they share.
void bonds_weld(const BondPair *pair, const FiniteSeam *seam, const FiniteSeamNode *nodes,
                Contacts *found, BondCount *count);

// Local. Drops the patches that lie where the pair has bonds, whose points are the rows of found
// from first on: between parts that they name, with a normal that is near theirs, while the bond's
// faces are on each other.
void bonds_replace(const BondPair *pair, const Contacts *found, int first, PatchSet *set);

// Local. The box of a body that may have bonds, out of that for its contacts: large enough that the
// boxes of two bodies overlap as long as a point between them is whole. A joint is at most as wide
// as the margin when its bond is made, and whole points move by at most as much.
Box bond_box(Box box, const Shape *shape, double margin);

// The bodies that a bond holds, by their rows.
typedef struct {
  const Bodies *bodies;
  const MidState *mid;
  int low, high;
  const FinitePoint *low_at, *high_at;   // nodes of the point; NULL: the body has none
} BondBodies;

// Local. How far the lower body's place of a bond's point is from the higher body's, world axes, m.
vec3 bond_shift(const Contacts *contacts, int row, BondBodies held);
