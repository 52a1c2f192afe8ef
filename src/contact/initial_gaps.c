// Takes contacts as closed where they begin, and remembers how open or deep they were.
#include "initial_gaps.h"

#include <assert.h>

#include "check.h"

#define SAME_SIDE 0.9   // cosine of normals of points that share an offset, at least

static bool have_offsets(OldPoints known)
{
  if (!known.contacts->offset) return false;
  for (int i = known.rows.first; i < known.rows.end; i++)
    if (known.contacts->offset[i] != 0) return true;
  return false;
}

double initial_gaps_reach(const InitialPair *pair)
{
  const bool any = pair->tolerance > 0 && (pair->begins || have_offsets(pair->known));
  return any ? 2 * pair->tolerance : 0;
}

static bool has_key(const Contacts *c, int row, const PatchPoint *point)
{
  return c->parts[row].low == (uint32_t)point->part_a &&
         c->parts[row].high == (uint32_t)point->part_b &&
         c->features[row].low == point->feature_a && c->features[row].high == point->feature_b;
}

// The row of the last step that a point has its offset from, -1: none.
static int find_row(const InitialPair *pair, vec3 normal, const PatchPoint *point)
{
  const Contacts *old = pair->known.contacts;
  const vec3 anchor = mat3_mul_transposed(pair->rotation, point->point);
  double nearest = INFINITY;
  int best = -1;
  for (int i = pair->known.rows.first; i < pair->known.rows.end; i++) {
    if (contacts_bond(old, i) != BOND_NONE) continue;
    if (!(vec3_dot(old->normal[i], normal) > SAME_SIDE)) continue;
    if (has_key(old, i, point)) return i;
    const vec3 way = vec3_sub(anchor, old->anchor[i]);
    const double distance = vec3_dot(way, way);
    if (!(distance < nearest)) continue;
    nearest = distance;
    best = i;
  }
  return best;
}

static double offset_of(const InitialPair *pair, vec3 normal, const PatchPoint *point)
{
  if (pair->begins) {
    const vec3 way = vec3_add(pair->way, vec3_cross(pair->turn, point->point));
    const double start = point->gap - vec3_dot(normal, way);
    return fabs(start) <= pair->tolerance ? start : 0;
  }
  const bool within = fabs(point->gap) <= pair->tolerance;
  const int row = find_row(pair, normal, point);
  if (row >= 0) return pair->known.contacts->offset[row];
  return within && point->gap < 0 ? point->gap : 0;
}

// Offsets of all points. Returns how far the least open of those that have one is open, m; none is
// infinitely open.
static double find_offsets(const InitialPair *pair, PatchSet *set)
{
  double least = INFINITY;
  for (int p = 0; p < set->patch_count; p++) {
    const Patch *patch = &set->patches[p];
    for (int k = 0; k < patch->point_count; k++) {
      PatchPoint *point = &patch->points[k];
      point->offset = offset_of(pair, patch->normal, point);
      if (point->offset != 0) least = fmin(least, point->gap - point->offset);
    }
  }
  return least;
}

// Takes the offsets from the gaps. Whether some point of the patch is a contact, or remembers one.
static bool close_patch(const InitialPair *pair, bool forget, Patch *patch)
{
  bool near = false;
  double separation = INFINITY;
  for (int k = 0; k < patch->point_count; k++) {
    PatchPoint *point = &patch->points[k];
    if (forget) point->offset = 0;
    point->gap -= point->offset;
    near = near || point->offset != 0 || point->gap <= pair->near;
    separation = fmin(separation, point->gap);
  }
  patch->separation = separation;
  return near;
}

void initial_gaps_take(const InitialPair *pair, PatchSet *set)
{
  assert(pair->tolerance >= 0 && "gaps are closed up to a distance");
  assert_debug(pair->known.rows.first <= pair->known.rows.end && "rows of the last step");
  if (!(initial_gaps_reach(pair) > 0)) return;
  const bool forget = find_offsets(pair, set) > pair->tolerance;
  int kept = 0;
  for (int p = 0; p < set->patch_count; p++)
    if (close_patch(pair, forget, &set->patches[p])) set->patches[kept++] = set->patches[p];
  set->patch_count = kept;
}
