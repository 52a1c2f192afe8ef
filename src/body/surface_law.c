// The table of laws between materials: each unordered pair has one.
#include "surface_law.h"

#include <assert.h>
#include <math.h>

#include "search.h"

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

static int order_cut(const void *cut, const void *id)
{
  return ((const CutBodies *)cut)->end <= *(const uint64_t *)id ? -1 : 1;
}

// The bodies that a piece is of; NULL: the body was not cut.
static const CutBodies *cut_of(const SurfaceLaws *laws, uint64_t id)
{
  const int64_t at = search_rows(laws->cut, laws->cut_count, sizeof *laws->cut, &id, order_cut);
  return at < laws->cut_count && id >= laws->cut[at].first ? &laws->cut[at] : NULL;
}

PieceIds surface_laws_pieces(const SurfaceLaws *laws, uint64_t id)
{
  const CutBodies *cut = laws->cut_count > 0 ? cut_of(laws, id) : NULL;
  if (!cut || cut->joined.cohesion < INFINITY) return (PieceIds){id, id};
  if (cut->pieces) return (PieceIds){cut->first, cut->end};
  uint64_t pieces = 1;
  for (int axis = 0; axis < 3; axis++) pieces *= (uint64_t)cut->blocks[axis];
  const uint64_t first = id - (id - cut->first) % pieces;
  return (PieceIds){first, first + pieces};
}

// What two pieces of a body of a file share.
static const FiniteSeam *seam_of(const CutBodies *cut, uint64_t a, uint64_t b)
{
  assert_debug(cut->pieces != NULL && a != b && "two pieces of a file");
  const uint64_t low = a < b ? a : b, high = a < b ? b : a;
  return finite_pieces_seam(cut->pieces, (int)(low - cut->first), (int)(high - cut->first));
}

// Does a seam hold its pieces? Where none parts, others may do that for it at all of its nodes.
static bool holds(const CutBodies *cut, const FiniteSeam *seam)
{
  return seam && (seam->ties > 0 || cut->joined.cohesion < INFINITY);
}

const FiniteSeam *surface_laws_seam(const SurfaceLaws *laws, uint64_t low, uint64_t high,
                                    const FiniteSeamNode **nodes)
{
  assert(low < high && nodes != NULL && "the lower id stands first, and nodes have a place");
  const CutBodies *cut = laws->cut_count > 0 ? cut_of(laws, low) : NULL;
  if (!cut || !cut->pieces || cut_of(laws, high) != cut) return NULL;
  *nodes = cut->pieces->nodes;
  return seam_of(cut, low, high);
}

const SurfaceLaw *surface_laws_within(const SurfaceLaws *laws, uint64_t a, uint64_t b)
{
  assert(a != b && "two bodies");
  const CutBodies *cut = cut_of(laws, a);
  if (!cut || cut_of(laws, b) != cut) return NULL;
  if (cut->pieces) return holds(cut, seam_of(cut, a, b)) ? &cut->joined : &cut->apart;
  uint64_t x = a - cut->first, y = b - cut->first, steps = 0;
  for (int axis = 0; axis < 3; axis++) {
    const uint64_t blocks = (uint64_t)cut->blocks[axis], at = x % blocks, to = y % blocks;
    steps += at < to ? to - at : at - to;
    x /= blocks;
    y /= blocks;
  }
  if (x != y) return NULL;
  return steps == 1 ? &cut->joined : &cut->apart;
}

bool surface_laws_bond(const SurfaceLaws *laws, LawSide body)
{
  assert(body.material >= 0 && body.material < laws->material_count && "a material of the table");
  if (laws->cut_count > 0 && cut_of(laws, body.id)) return true;
  for (int other = 0; other < laws->material_count; other++)
    if (surface_laws_find(laws, body.material, other)->bonded) return true;
  return false;
}
