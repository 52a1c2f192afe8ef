#pragma once
// The largest eigenvalue of a symmetric matrix by Jacobi's method, for tests of faster ways.
#include "vec3.h"

// Cyclic sweeps: slow, and exact to rounding.
static inline double jacobi_largest(mat3 m)
{
  double a[3][3] = {{m.row[0].x, m.row[0].y, m.row[0].z},
                    {m.row[1].x, m.row[1].y, m.row[1].z},
                    {m.row[2].x, m.row[2].y, m.row[2].z}};
  for (int sweep = 0; sweep < 10; sweep++) {
    for (int p = 0; p < 2; p++)
      for (int q = p + 1; q < 3; q++) {
        if (a[p][q] == 0) continue;
        const double tau = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (tau >= 0 ? 1 : -1) / (fabs(tau) + sqrt(1 + tau * tau));
        const double c = 1 / sqrt(1 + t * t), s = t * c;
        const int k = 3 - p - q;
        const double akp = a[k][p], akq = a[k][q];
        a[p][p] -= t * a[p][q];
        a[q][q] += t * a[p][q];
        a[p][q] = a[q][p] = 0;
        a[k][p] = a[p][k] = c * akp - s * akq;
        a[k][q] = a[q][k] = s * akp + c * akq;
      }
  }
  const double two = a[0][0] > a[1][1] ? a[0][0] : a[1][1];
  return a[2][2] > two ? a[2][2] : two;
}
