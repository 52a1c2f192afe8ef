#pragma once
// Shapes in case files: boxes, hulls, solids by points and faces, wedges, voussoirs, several of
// them as parts of one body, spheres and ellipsoids.
#include "case.h"
#include "case_value.h"
#include "error_text.h"
#include "shape.h"
#include "vec3.h"

#define CASE_LEAST_DILATION 1e-6   // share of the extent of a body

// Keys that make a shape: those of one convex part, "parts", "sphere", "ellipsoid"; ended by NULL.
extern const char *const CASE_SHAPE_KEYS[];

// Local. The shape that key number choice of CASE_SHAPE_KEYS describes in a mapping.
ShapeRecipe case_read_shape(CaseReader *reader, const CaseNode *mapping, int choice);

// Local. The turn of {axis: [x, y, z], angle: degrees}; the identity for a NULL node.
quat case_read_turn(CaseReader *reader, const CaseNode *node);

// Local. False with one message that names body, triangle, place and what to change: a surface that
// turns inside out when it is moved inwards, with a dilation at which it does not, or that is not
// closed; bonds of bodies with several parts,
// which the model lmd does not know. True for other models, spheres and ellipsoids. base: the
// surface, in memory of the case, or NULL.
bool case_check_surface(const Case *c, const BodyGroup *group, const Shape *shape,
                        const SurfaceBase **base, ErrorText error);
