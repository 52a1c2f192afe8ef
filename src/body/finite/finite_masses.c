// Masses of nodes by moments: m_i = s_i / (1 + q_i . x), q the ten monomials up to second degree:
// of all masses with the ten moments those of the largest product prod m_i^s_i (Owen 1988). The
// multipliers x come from Newton steps. Dependent monomials, as on a single layer, are left out.
#include "finite_masses.h"

#include <assert.h>
#include <string.h>

#include "check.h"
#include "memory.h"

enum { MOMENTS = 10, FIRST_SQUARE = 4, MOST_NEWTON = 60 };

static void monomials(vec3 at, double *q)
{
  const double values[MOMENTS] = {1,           at.x,        at.y,        at.z,        at.x * at.x,
                                  at.y * at.y, at.z * at.z, at.x * at.y, at.y * at.z, at.z * at.x};
  memcpy(q, values, sizeof values);
}

// The moments of masses about the origin, places in units of a length.
static void moments_of(const FiniteMesh *mesh, const double *mass, double length, double *sums)
{
  memset(sums, 0, MOMENTS * sizeof *sums);
  for (int n = 0; n < mesh->nodes; n++) {
    double q[MOMENTS];
    monomials(vec3_scale(1 / length, mesh->place[n]), q);
    for (int k = 0; k < MOMENTS; k++) sums[k] += mass[n] * q[k];
  }
}

// What the moments should be.
static void wanted_moments(const FiniteMoments *moments, double length, double *sums)
{
  const mat3 j = moments->inertia;
  const double half = (j.row[0].x + j.row[1].y + j.row[2].z) / 2, square = length * length;
  const double values[MOMENTS] = {moments->mass,
                                  0,
                                  0,
                                  0,
                                  (half - j.row[0].x) / square,
                                  (half - j.row[1].y) / square,
                                  (half - j.row[2].z) / square,
                                  -j.row[0].y / square,
                                  -j.row[1].z / square,
                                  -j.row[2].x / square};
  memcpy(sums, values, sizeof values);
}

// a x = x by elimination on the diagonal, a by its upper triangle; unknowns whose pivot is lost are
// zero, and not kept.
static void solve_definite(double a[MOMENTS][MOMENTS], double x[MOMENTS], bool kept[MOMENTS])
{
  double whole[MOMENTS];
  for (int p = 0; p < MOMENTS; p++) whole[p] = a[p][p];
  for (int p = 0; p < MOMENTS; p++) {
    kept[p] = a[p][p] > 1e-9 * whole[p];
    for (int i = p + 1; kept[p] && i < MOMENTS; i++) {
      const double share = a[p][i] / a[p][p];
      for (int j = i; j < MOMENTS; j++) a[i][j] -= share * a[p][j];
      x[i] -= share * x[p];
    }
  }
  for (int p = MOMENTS - 1; p >= 0; p--) {
    for (int i = p + 1; i < MOMENTS; i++) x[p] -= a[p][i] * x[i];
    x[p] = kept[p] ? x[p] / a[p][p] : 0;
  }
}

static double inertia_error(const double *got, const double *wanted)
{
  double trace = 0, worst = 0;
  for (int k = FIRST_SQUARE; k < FIRST_SQUARE + 3; k++) trace += wanted[k];
  for (int k = FIRST_SQUARE; k < MOMENTS; k++) worst = larger_of(worst, fabs(got[k] - wanted[k]));
  assert_debug(trace > 0 && "a body has extent");
  return worst / trace;
}

typedef struct {
  const FiniteMesh *mesh;
  const double *share;   // [nodes] kg
  double length;         // m
  double wanted[MOMENTS];
} Shares;

// The masses that multipliers of the moments make of shares; false where one is not positive.
static bool divide(const Shares *shares, const double x[MOMENTS], double *mass)
{
  bool positive = true;
  for (int n = 0; n < shares->mesh->nodes; n++) {
    double q[MOMENTS], below = 1;
    monomials(vec3_scale(1 / shares->length, shares->mesh->place[n]), q);
    for (int k = 0; k < MOMENTS; k++) below += q[k] * x[k];
    positive = positive && below > 0;
    mass[n] = shares->share[n] / below;
  }
  return positive;
}

// The same, and how far the moments of these masses are off.
static bool look(const Shares *shares, const double x[MOMENTS], double *mass, double off[MOMENTS])
{
  const bool positive = divide(shares, x, mass);
  moments_of(shares->mesh, mass, shares->length, off);
  for (int k = 0; k < MOMENTS; k++) off[k] -= shares->wanted[k];
  return positive;
}

// The Newton step of the multipliers, from how far the moments of masses are off.
static void newton_step(const Shares *shares, const double *mass, const double off[MOMENTS],
                        double step[MOMENTS], bool kept[MOMENTS])
{
  double matrix[MOMENTS][MOMENTS] = {{0}};
  for (int n = 0; n < shares->mesh->nodes; n++) {
    double q[MOMENTS];
    monomials(vec3_scale(1 / shares->length, shares->mesh->place[n]), q);
    const double weight = mass[n] * mass[n] / shares->share[n];
    for (int i = 0; i < MOMENTS; i++)
      for (int j = i; j < MOMENTS; j++) matrix[i][j] += weight * q[i] * q[j];
  }
  memcpy(step, off, MOMENTS * sizeof *step);
  solve_definite(matrix, step, kept);
}

static double size_of(const double off[MOMENTS], const bool kept[MOMENTS])
{
  double sum = 0;
  for (int k = 0; k < MOMENTS; k++) sum += kept[k] ? off[k] * off[k] : 0;
  return sqrt(sum);
}

// Goes along a step as far as masses stay positive and moments come nearer; false where they do not
// by any part of it, and the multipliers stay.
static bool search(const Shares *shares, const double step[MOMENTS], const bool kept[MOMENTS],
                   double x[MOMENTS], double *mass, double off[MOMENTS])
{
  const double before = size_of(off, kept);
  double tried[MOMENTS];
  for (double share = 1; share > 1e-6; share /= 2) {
    for (int k = 0; k < MOMENTS; k++) tried[k] = x[k] + share * step[k];
    if (look(shares, tried, mass, off) && size_of(off, kept) < before) {
      memcpy(x, tried, sizeof tried);
      return true;
    }
  }
  look(shares, x, mass, off);
  return false;
}

// Masses that have the moments wanted; false where none are found.
static bool find_masses(const Shares *shares, double *mass)
{
  double x[MOMENTS] = {0}, off[MOMENTS], step[MOMENTS];
  bool kept[MOMENTS];
  look(shares, x, mass, off);
  for (int newton = 0; newton < MOST_NEWTON; newton++) {
    newton_step(shares, mass, off, step, kept);
    if (!search(shares, step, kept, x, mass, off)) break;   // rounding, or no masses at all
  }
  return size_of(off, kept) <= 1e-12 * shares->wanted[0];
}

double finite_masses(const FiniteMesh *mesh, const FiniteMoments *moments, double *mass)
{
  assert(moments->mass > 0 && mesh->nodes > 0 && "a body with mass");
  double *share = memory_allocate((size_t)mesh->nodes * sizeof *share), volume = 0;
  finite_mesh_shares(mesh, share);
  Shares shares = {.mesh = mesh, .share = share};
  for (int n = 0; n < mesh->nodes; n++) {
    volume += share[n];
    shares.length = larger_of(shares.length, vec3_norm(mesh->place[n]));
  }
  for (int n = 0; n < mesh->nodes; n++) share[n] *= moments->mass / volume;

  double got[MOMENTS];
  wanted_moments(moments, shares.length, shares.wanted);
  if (!find_masses(&shares, mass)) memcpy(mass, share, (size_t)mesh->nodes * sizeof *mass);
  moments_of(mesh, mass, shares.length, got);
  memory_free(share);
  return inertia_error(got, shares.wanted);
}
