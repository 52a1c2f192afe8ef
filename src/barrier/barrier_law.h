#pragma once
// The barrier between two surfaces and the potential of friction, as functions of one number (Li et
// al. 2020, 2023).

// A function, its first and its second derivative.
typedef struct {
  double value, slope, curvature;
} BarrierValue;

// Local. The displayed barrier b(d) = -D (d/D - 1)^2 ln(d/D) of a gap d > 0, D: the distance at
// which it begins, m; 0 beyond. Value in m. It has two continuous derivatives. The toolkit codes
// another one, 2 (1 + d/D)^2 times this.
BarrierValue barrier_law_at(double gap, double distance);

// Local. f0 of friction: y^2 (1 - y/(3e))/e + e/3 of a slip 0 <= y < e, and y beyond; m. Its slope
// goes from 0 at rest to 1 where a point slides. For the tests.
BarrierValue barrier_law_friction(double slip, double stick);

// Local. m(c) = (2 - c/e) c/e for 0 <= c < e, 1 beyond: takes edges that become parallel away.
BarrierValue barrier_law_mollifier(double c, double e);
