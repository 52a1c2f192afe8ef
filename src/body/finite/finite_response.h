#pragma once
// What impulses on the surface of a body do where they act: blocks of A0^-1 between the nodes of
// each face, once for a shape, a material and a step, in the body frame. Local.
#include "finite_body.h"
#include "finite_shape.h"

typedef struct {
  int faces;
  double *block;   // [faces * 3 FINITE_FACE * 3 FINITE_FACE] by rows, 1/kg
} FiniteResponse;

FiniteResponse finite_response_new(FiniteBody *body, const FiniteSurface *surface);
void finite_response_destroy(FiniteResponse *response);

// Share of the body in W of a place of its surface, 1/kg.
mat3 finite_response_at(const FiniteResponse *response, const FinitePlace *place);
