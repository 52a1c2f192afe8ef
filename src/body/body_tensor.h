#pragma once
// Tensors of a body frame in world axes.
#include "bodies.h"
#include "check.h"

// Local. A matrix of the axes that the rotation turns, in world axes.
static inline mat3 body_tensor_turned(mat3 rotation, mat3 m)
{
  return mat3_mul_mat(rotation, mat3_mul_mat(m, mat3_transpose(rotation)));
}

// Local. A symmetric tensor likewise, as columns of output have it.
static inline BodyTensor body_tensor_in_world(mat3 rotation, sym3 tensor)
{
  const mat3 t = body_tensor_turned(rotation, mat3_of_sym3(tensor));
  return (BodyTensor){.xx = t.row[0].x,
                      .yy = t.row[1].y,
                      .zz = t.row[2].z,
                      .xy = t.row[0].y,
                      .yz = t.row[1].z,
                      .xz = t.row[0].z};
}
