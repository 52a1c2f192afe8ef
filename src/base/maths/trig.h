#pragma once
// Our own sine, cosine, exponential and logarithm: the C library picks variants by processor, and
// state must not depend on that.

// Local. Argument in radians, |x| <= 1e5, NaN beyond; error below 1e-15 for |x| <= 1. Exact at 0.
double trig_sin(double x);
double trig_cos(double x);

// Local. e^x with a relative error below 1e-15, NaN for NaN; 0 below -708, infinite above 709.
// Exact at 0.
double trig_exp(double x);

// Local. Natural logarithm with an error below one unit in the last place; minus infinite of 0, NaN
// below 0 and of NaN. Exact at 1.
double trig_log(double x);

#define TRIG_PI 3.14159265358979323846
