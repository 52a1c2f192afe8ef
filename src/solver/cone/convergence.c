// Names of methods, and whether a solver still comes nearer to its tolerance.
#include "convergence.h"

#include <assert.h>
#include <math.h>

const char *convergence_method_name(SolverMethod method)
{
  switch (method) {
  case SOLVER_AUTOMATIC: return "automatic";
  case SOLVER_GAUSS_SEIDEL: return "gauss-seidel";
  case SOLVER_NESTEROV: return "nesterov";
  case SOLVER_GRADIENT: return "gradient";
  case SOLVER_ANDERSON: return "anderson";
  case SOLVER_ADMM: return "admm";
  case SOLVER_ADMM_CHOLESKY: return "admm-cholesky";
  case SOLVER_ADMM_AMG: return "admm-amg";
  case SOLVER_INTERIOR: return "interior-point";
  case SOLVER_METHOD_COUNT: break;
  }
  return "unknown";
}

bool convergence_sweeps(SolverMethod method)
{
  return method == SOLVER_GAUSS_SEIDEL || method == SOLVER_NESTEROV || method == SOLVER_ANDERSON;
}

// decimal logarithm of a positive number to six digits, by operations that are the same everywhere
double convergence_decades(double ratio)
{
  int exponent;
  const double m = frexp(ratio, &exponent), x = (m - 0.75) / (m + 0.75), x2 = x * x;
  // log(m / 0.75) = 2 atanh(x), |x| <= 1/5
  const double log_m = 2 * x * (1 + x2 * (1.0 / 3 + x2 * (1.0 / 5 + x2 * (1.0 / 7 + x2 / 9))));
  return 0.30102999566398120 * exponent + 0.43429448190325182 * log_m - 0.12493873660829995;
}

Convergence convergence_join(Convergence first, Convergence second)
{
  second.sweeps += first.sweeps;
  second.inner += first.inner;
  second.factorisations += first.factorisations;
  second.choice = first.choice;
  return second;
}

bool convergence_is_hopeless(double before, double now, SolverParameters parameters)
{
  assert(parameters.patience >= 0 && "sweeps are counted");
  if (parameters.patience == 0) return false;
  const double gained = convergence_decades(before / now),
               left = convergence_decades(now / parameters.tolerance);
  return gained * parameters.patience < left * PATIENCE_WINDOW;
}
