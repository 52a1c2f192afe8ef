// The table of laws between materials: each unordered pair has one.
#include "surface_law.h"

#include <assert.h>

int surface_laws_count(int material_count)
{
  assert(material_count >= 0 && "materials are counted");
  return material_count * (material_count + 1) / 2;
}

void surface_laws_set(SurfaceLaws *laws, int a, int b, const SurfaceLaw *law)
{
  assert(a >= 0 && a < laws->material_count && b >= 0 && b < laws->material_count &&
         "materials of the table");
  assert(law->friction >= 0 && law->restitution >= 0 && law->cohesion >= 0 &&
         law->tensile_strength >= 0 && "no coefficient is below zero");
  assert(law->normal_stiffness >= 0 && law->shear_stiffness >= 0 && "no spring is below zero");
  assert(law->volumetric.stiffness >= 0 && law->volumetric.damping >= 0 && "nor of a layer");
  laws->laws[surface_laws_index(a, b)] = *law;
  laws->compliant = laws->compliant || law->volumetric.stiffness > 0;
  laws->bonded = laws->bonded || law->bonded;
  laws->elastic = laws->elastic || law->normal_stiffness > 0 || law->shear_stiffness > 0;
}

bool surface_laws_bond(const SurfaceLaws *laws, int material)
{
  assert(material >= 0 && material < laws->material_count && "a material of the table");
  for (int other = 0; other < laws->material_count; other++)
    if (surface_laws_find(laws, material, other)->bonded) return true;
  return false;
}
