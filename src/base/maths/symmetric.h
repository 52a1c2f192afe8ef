#pragma once
// Symmetric 3x3 matrices: sums, products, eigenvalues.
#include "vec3.h"

// m + s v v'
static inline sym3 symmetric_add_dyad(sym3 m, double s, vec3 v)
{
  return (sym3){m.xx + s * v.x * v.x, m.xy + s * v.x * v.y, m.xz + s * v.x * v.z,
                m.yy + s * v.y * v.y, m.yz + s * v.y * v.z, m.zz + s * v.z * v.z};
}

// a + s b
static inline sym3 symmetric_axpy(double s, sym3 b, sym3 a)
{
  return (sym3){a.xx + s * b.xx, a.xy + s * b.xy, a.xz + s * b.xz,
                a.yy + s * b.yy, a.yz + s * b.yz, a.zz + s * b.zz};
}

// Local. Leaves eigenvalues on the diagonal of m; columns of axes are unit eigenvectors.
void symmetric_diagonalize(double m[3][3], double axes[3][3]);

// Local. The nearest matrix without negative eigenvalues.
sym3 symmetric_positive_part(sym3 m);

// Local. R m R' of a rotation R.
sym3 symmetric_turn(sym3 m, mat3 rotation);
