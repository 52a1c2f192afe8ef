#pragma once
// The eight local methods of Erleben 2018 (Methodology for assessing mesh-based contact point
// methods): contacts of two tetrahedra. Each method is a header method_X.h that is compiled twice,
// in single and in double precision. Local.
#include <stdbool.h>

#include "vec3.h"

// In the order of the tables in the text (quality_published.h).
typedef enum {
  METHOD_CLOSEST,
  METHOD_INTERSECTION,
  METHOD_VERTEX,
  METHOD_CONSISTENT,
  METHOD_VOLUME_SAT,
  METHOD_SURFACE_SAT,
  METHOD_OPPOSING,
  METHOD_GROWTH,
  METHOD_COUNT
} Method;

// What counts where the text says one thing and the author's program (PROX) does another.
typedef enum { WORDING_PROGRAM, WORDING_TEXT, WORDING_COUNT } MethodWording;

// Of positive volume. Face k lies opposite corner k.
typedef struct {
  vec3 corners[4];      // m
  bool on_surface[4];   // of faces: part of the body's surface
} MethodTetra;

typedef struct {
  vec3 place;    // m
  vec3 normal;   // from the first tetrahedron to the second; see METHOD_INTERSECTION for its length
  double depth;   // negative: overlap, m; of Closest points see method_closest.h
} MethodContact;

#define METHODS_MOST_CONTACTS 256   // of two tetrahedra: 16 pairs of faces with at most 15 each

typedef struct {
  int count;
  MethodContact list[METHODS_MOST_CONTACTS];
} MethodContacts;

typedef struct {
  Method method;
  MethodWording wording;
  bool single;       // computed in single precision, as the author's program does
  double envelope;   // distance (m) below which Closest points makes contacts: twice the erosion
} MethodRule;

// The contacts of two tetrahedra of which each has a face on the surface; none of others.
void methods_find(const MethodRule *rule, const MethodTetra *a, const MethodTetra *b,
                  MethodContacts *found);

// What methods take for rounding: ten machine epsilons, absolute.
double methods_rounding(bool single);

// Sorts contacts of two bodies and leaves one of neighbours that differ by no more than rounding in
// any number. Returns how many are left.
int methods_leave_distinct(MethodContact *contacts, int count, double rounding);

// The methods of one precision.
void methods_single_find(const MethodRule *rule, const MethodTetra *a, const MethodTetra *b,
                         MethodContacts *found);
void methods_double_find(const MethodRule *rule, const MethodTetra *a, const MethodTetra *b,
                         MethodContacts *found);
