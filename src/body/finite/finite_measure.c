// Measures a mesh: its worst cell, what lumped masses miss, natural frequencies.
#include "finite_measure.h"

#include <assert.h>
#include <math.h>

#include "memory.h"

static void find_worst(const FiniteMesh *mesh, FiniteMeasure *measure)
{
  measure->quality = INFINITY;
  for (int c = 0; c < mesh->cells; c++) {
    const double quality = finite_mesh_quality(mesh, c);
    // equal cells differ by rounding
    if (!(quality < measure->quality * (1 - 1e-9))) continue;
    measure->quality = quality;
    measure->worst = c;
  }
}

FiniteMeasure finite_measure(const FiniteMesh *mesh, const FiniteMoments *moments,
                             const ElasticLaw *law)
{
  assert(mesh->cells > 0 && moments->mass > 0 && "a body with cells");
  FiniteMeasure measure = {.nodes = mesh->nodes, .cells = mesh->cells};
  find_worst(mesh, &measure);
  double *mass = memory_allocate((size_t)mesh->nodes * sizeof *mass);
  measure.inertia_error = finite_masses(mesh, moments, mass);
  FiniteStiffness stiffness = {0};
  int bad = 0;
  if (law && finite_stiffness_new(mesh, law, &stiffness, &bad)) {
    if (finite_modes(&stiffness, mass, NULL, FINITE_MEASURED, measure.frequency))
      measure.modes = FINITE_MEASURED;
    finite_stiffness_destroy(&stiffness);
  }
  memory_free(mass);
  return measure;
}
