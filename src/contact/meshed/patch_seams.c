// Finds sides of a patch along seams, and who stands for points at crossings.
#include "patch_seams.h"

#include <assert.h>
#include <math.h>

#include "check.h"

#define MOST_WEIGHT 4    // of an heir: where others lie in a line a point is far from their middle
#define LEAST_AREA 0.1   // of its own that a point keeps
#define FLAT 1e-6        // of the squares of distances: heirs in a line
#define TIE 1e-6         // of a distance: as far
#define FEW_HEIRS 2      // where they cannot have their middle at the place

static double distance(const PlaneCorner *p, const PlaneCorner *q)
{
  const double du = q->u - p->u, dv = q->v - p->v;
  return sqrt(du * du + dv * dv);
}

bool patch_seams_within(const Figure *figure, const PlaneCorner *at, double same)
{
  assert_debug(figure->count >= 3 && "a polygon");
  for (int k = 0; k < figure->count; k++) {
    const PlaneCorner *p = &figure->corners[k], *q = &figure->corners[(k + 1) % figure->count];
    const double du = q->u - p->u, dv = q->v - p->v;
    if (du * (at->v - p->v) - dv * (at->u - p->u) < -same * distance(p, q)) return false;
  }
  return true;
}

int patch_seams_face(const SamplingFaces *faces, const PlaneCorner *at, double same)
{
  assert_debug(faces->count >= 0 && "faces are counted");
  for (int f = 0; f < faces->count; f++)
    if (patch_seams_within(&faces->face[f], at, same)) return f;
  return -1;
}

typedef enum { ANY_SIDES, SIDES_ON_CUTS } Sides;

// Does a side of the patch lie along one of a face, of those that count?
static bool lies_along(const Figure *patch, int side, const SamplingFaces *faces, Sides which,
                       double same)
{
  const PlaneCorner *a = &patch->corners[side], *b = &patch->corners[(side + 1) % patch->count];
  const double length = distance(a, b), u = (b->u - a->u) / length, v = (b->v - a->v) / length;
  for (int f = 0; f < faces->count; f++) {
    const Figure *face = &faces->face[f];
    for (int k = 0; k < face->count; k++) {
      if (which == SIDES_ON_CUTS && !(faces->seams[f] >> k & 1)) continue;
      const PlaneCorner *p = &face->corners[k], *q = &face->corners[(k + 1) % face->count];
      const double from = (p->u - a->u) * u + (p->v - a->v) * v,
                   to = (q->u - a->u) * u + (q->v - a->v) * v;
      const double off = fmax(fabs((p->v - a->v) * u - (p->u - a->u) * v),
                              fabs((q->v - a->v) * u - (q->u - a->u) * v));
      if (off <= same && fmax(from, to) > same && fmin(from, to) < length - same) return true;
    }
  }
  return false;
}

static bool has_node(const SamplingFaces *faces, const PlaneCorner *at, double same)
{
  for (int f = 0; f < faces->count; f++)
    for (int k = 0; k < faces->face[f].count; k++)
      if (distance(&faces->face[f].corners[k], at) <= same) return true;
  return false;
}

PatchSeams patch_seams_new(const Figure *patch, const SamplingSides *sides, double same,
                           Arena *arena)
{
  assert(patch->count >= 3 && sides->cut != NULL && "a patch, and faces that cut it");
  const size_t count = (size_t)patch->count;
  PatchSeams seams = {.of_other = arena_allocate_zero(arena, count, sizeof(bool)),
                      .crossed = arena_allocate_zero(arena, count, sizeof(bool))};
  const SamplingFaces *cut = sides->cut, *other = sides->other;
  seams.any = other && other->seams;
  if (!seams.any) return seams;
  bool *of_cut = arena_allocate_zero(arena, count, sizeof *of_cut);
  for (int k = 0; k < patch->count; k++) {
    seams.of_other[k] = lies_along(patch, k, other, SIDES_ON_CUTS, same) &&
                        !lies_along(patch, k, cut, ANY_SIDES, same);
    of_cut[k] = cut->seams && lies_along(patch, k, cut, SIDES_ON_CUTS, same);
  }
  for (int k = 0; k < patch->count; k++) {
    const int before = (k + patch->count - 1) % patch->count;
    const PlaneCorner *at = &patch->corners[k];
    seams.crossed[k] =
        ((seams.of_other[k] && of_cut[before]) || (seams.of_other[before] && of_cut[k])) &&
        !has_node(cut, at, same) && !has_node(other, at, same);
  }
  return seams;
}

// ------------------------------------------------------------------------------------------------
// Heirs.

static double apart(const SamplingPoint *p, const SamplingPoint *q)
{
  const double du = q->u - p->u, dv = q->v - p->v;
  return sqrt(du * du + dv * dv);
}

// Is p nearer than q? Of two as near the one on the lower side, since points are found again in
// another order, and rounded otherwise.
static bool is_nearer(const SamplingPoint *at, const SamplingPoint *p, const SamplingPoint *q)
{
  const double to_p = apart(at, p), to_q = apart(at, q), tie = TIE * to_q;
  if (fabs(to_p - to_q) > tie) return to_p < to_q;
  return fabs(p->u - q->u) > tie ? p->u < q->u : p->v < q->v;
}

// The nearest points that are not given up.
static PatchHeirs nearest_to(const Sampling *points, int of)
{
  PatchHeirs heirs = {0};
  const SamplingPoint *point = points->point;
  for (int k = 0; k < points->count; k++) {
    if (k == of || point[k].given_up) continue;
    int at = heirs.count;
    while (at > 0 && is_nearer(&point[of], &point[k], &point[heirs.point[at - 1]])) at--;
    if (at == PATCH_HEIRS) continue;
    if (heirs.count < PATCH_HEIRS) heirs.count++;
    for (int j = heirs.count - 1; j > at; j--) heirs.point[j] = heirs.point[j - 1];
    heirs.point[at] = k;
  }
  return heirs;
}

// Weights c_k (x + y u + z v) with c_k the inverse square of the distance, so that sums are 1, 0,
// 0.
PatchHeirs patch_seams_heirs(const Sampling *points, int of)
{
  assert(of >= 0 && of < points->count && "a point of the patch");
  PatchHeirs heirs = nearest_to(points, of);
  const SamplingPoint *at = &points->point[of];
  double s = 0, su = 0, sv = 0, suu = 0, suv = 0, svv = 0;
  for (int k = 0; k < heirs.count; k++) {
    const SamplingPoint *p = &points->point[heirs.point[k]];
    const double u = p->u - at->u, v = p->v - at->v, c = 1 / (u * u + v * v);
    s += c;
    su += c * u;
    sv += c * v;
    suu += c * u * u;
    suv += c * u * v;
    svv += c * v * v;
  }
  // by Cramer's rule
  const double x = suu * svv - suv * suv, y = suv * sv - su * svv, z = su * suv - suu * sv;
  const double determinant = s * x + su * y + sv * z;
  heirs.centred = heirs.count >= 3 && determinant > FLAT * s * (suu + svv) * (suu + svv);
  for (int k = 0; k < heirs.count && heirs.centred; k++) {
    const SamplingPoint *p = &points->point[heirs.point[k]];
    const double u = p->u - at->u, v = p->v - at->v, c = 1 / (u * u + v * v);
    heirs.weight[k] = c * (x + y * u + z * v) / determinant;
    heirs.centred = fabs(heirs.weight[k]) <= MOST_WEIGHT;
  }
  if (heirs.centred) return heirs;
  if (heirs.count > FEW_HEIRS) heirs.count = FEW_HEIRS;
  for (int k = 0; k < heirs.count; k++) heirs.weight[k] = 1.0 / heirs.count;
  return heirs;
}

// Can heirs take the areas of all points that are given up? The first whose heirs cannot.
static int first_without_heirs(const Sampling *points, double *areas)
{
  for (int k = 0; k < points->count; k++) areas[k] = points->point[k].area;
  for (int k = 0; k < points->count; k++) {
    if (!points->point[k].given_up) continue;
    const PatchHeirs heirs = patch_seams_heirs(points, k);
    for (int h = 0; h < heirs.count; h++)
      areas[heirs.point[h]] += heirs.weight[h] * points->point[k].area;
    bool take = heirs.count > 0;
    for (int h = 0; h < heirs.count; h++)
      take = take && areas[heirs.point[h]] > LEAST_AREA * points->point[heirs.point[h]].area;
    if (!take) return k;
  }
  return -1;
}

void patch_seams_give_up(const Figure *patch, const PatchSeams *seams, Sampling *points,
                         double same, Arena *arena)
{
  assert(points->count >= 0 && "points are counted");
  for (int k = 0; k < patch->count; k++) {
    if (!seams->crossed[k]) continue;
    const SamplingPoint at = {.u = patch->corners[k].u, .v = patch->corners[k].v};
    for (int i = 0; i < points->count; i++)
      if (apart(&points->point[i], &at) <= same) points->point[i].given_up = true;
  }
  double *areas = arena_allocate(arena, ((size_t)points->count + 1) * sizeof *areas);
  for (int last; (last = first_without_heirs(points, areas)) >= 0;)
    points->point[last].given_up = false;
  for (int k = 0; k < points->count; k++)
    if (!points->point[k].given_up) points->point[k].area = areas[k];
}
