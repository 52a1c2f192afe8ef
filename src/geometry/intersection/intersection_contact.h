#pragma once
// Contact point, normal, gap and area of the volume that two convex polyhedra share.
#include "intersection.h"

typedef enum {
  CONTACT_OK,
  CONTACT_NO_NORMAL,    // the areas cancel or are rounding: one solid inside the other, say
  CONTACT_OUTSIDE,      // the centroid of the surface lies outside a solid, by rounding
  CONTACT_NO_SURFACE,   // no face has a piece: nothing is filled in
  CONTACT_NONE          // the intersection is not OK: nothing is filled in
} IntersectionContactStatus;

// What of a face of the intersection counts as surface.
typedef struct {
  double area;     // m2; 0: nothing
  vec3 centroid;   // m
} SurfacePiece;

typedef struct {
  IntersectionContactStatus status;
  vec3 point;           // in the coordinate frame of both solids, m
  vec3 normal;          // unit, from b into a; zero with NO_NORMAL
  double gap;           // along the normal, negative: depth, m; 0 with NO_NORMAL
  double area;          // half the surface of the intersection, m2
  int face_a, face_b;   // nearest to the point
} IntersectionContact;

// Local. What the Solfec-1.0 user manual, "Contact points", lines 1 to 16, makes of an intersection
// of a and b with margin 0:
//
//   point   centroid of the surface; where that lies outside a or b the status is OUTSIDE (line 9,
//           no contact there) and the point is the centroid of the volume, which is inside
//   normal  sum over the faces of area^2 n, negative for those of a, normalised. A face that lies
//           in faces of both counts for neither, so that a and b can change places
//   area    half the surface
//   gap     minus the thickness along the normal; where that is more than a hundredth of the solid
//           the two are moved apart by it, and GJK measures what separates them then
//   faces   those whose planes are nearest to the point
//
// pieces: for each face of the intersection what of it is the surface meant here, where the solids
// are parts of larger ones; NULL: all of it. Scratch from the arena, released on return.
IntersectionContact intersection_contact(const Intersection *common, const Polyhedron *a,
                                         const Polyhedron *b, const SurfacePiece *pieces,
                                         Arena *arena);
