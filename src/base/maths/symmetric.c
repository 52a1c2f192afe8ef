// Eigenvalues of symmetric 3x3 matrices by plane rotations (Jacobi 1846).
#include "symmetric.h"

#include <math.h>

#define SWEEPS 12

static void turn_plane(double m[3][3], double axes[3][3], int p, int q)
{
  if (m[p][q] == 0) return;
  const double w = (m[q][q] - m[p][p]) / (2 * m[p][q]);
  const double t = (w >= 0 ? 1 : -1) / (fabs(w) + sqrt(w * w + 1));
  const double c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < 3; k++) {
    const double x = m[k][p], y = m[k][q], u = axes[k][p], v = axes[k][q];
    m[k][p] = c * x - s * y;
    m[k][q] = s * x + c * y;
    axes[k][p] = c * u - s * v;
    axes[k][q] = s * u + c * v;
  }
  for (int k = 0; k < 3; k++) {
    const double x = m[p][k], y = m[q][k];
    m[p][k] = c * x - s * y;
    m[q][k] = s * x + c * y;
  }
}

void symmetric_diagonalize(double m[3][3], double axes[3][3])
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) axes[i][j] = i == j;
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    turn_plane(m, axes, 0, 1);
    turn_plane(m, axes, 0, 2);
    turn_plane(m, axes, 1, 2);
  }
}

sym3 symmetric_positive_part(sym3 m)
{
  double a[3][3] = {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}}, axes[3][3];
  symmetric_diagonalize(a, axes);
  sym3 positive = {0, 0, 0, 0, 0, 0};
  for (int k = 0; k < 3; k++) {
    if (a[k][k] > 0)
      positive = symmetric_add_dyad(positive, a[k][k], (vec3){axes[0][k], axes[1][k], axes[2][k]});
  }
  return positive;
}

sym3 symmetric_turn(sym3 m, mat3 rotation)
{
  const mat3 full = mat3_mul_mat(mat3_mul_mat(rotation, mat3_of_sym3(m)), mat3_transpose(rotation));
  return (sym3){full.row[0].x, full.row[0].y, full.row[0].z,
                full.row[1].y, full.row[1].z, full.row[2].z};
}
