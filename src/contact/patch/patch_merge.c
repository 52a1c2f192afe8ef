// Patches of one pair of bodies seen together: pieces of one plane become one, repeats go, idle
// touches go.
#include <assert.h>
#include <string.h>

#include "patch_pair.h"

#include "check.h"

#define OVERLAP 1e3        // times rounding: what overlaps more acts, approaching or not
#define AROUND 8           // places about one
#define AROUND_REACH 3.0   // times the tolerance: how far they are from it
static const double AROUND_PLACES[AROUND][2] = {{1, 0},  {0.7, 0.7},   {0, 1},  {-0.7, 0.7},
                                                {-1, 0}, {-0.7, -0.7}, {0, -1}, {0.7, -0.7}};

static bool patch_larger(const PairPatch *p, const PairPatch *q)
{
  if (p->area > q->area * (1 + PATCH_TIE) || q->area > p->area * (1 + PATCH_TIE))
    return p->area > q->area;
  return p->separation > q->separation + PATCH_TIE * p->width;
}

static bool patches_coplanar(const PairPatch *lead, const PairPatch *p)
{
  const vec3 turn = vec3_cross(lead->n, p->n);
  if (vec3_dot(lead->n, p->n) <= 0) return false;
  if (vec3_dot(turn, turn) > PATCH_MERGE_ANGLE * PATCH_MERGE_ANGLE) return false;
  const double width = lead->width > p->width ? lead->width : p->width;
  for (int i = 0; i < p->count; i++) {
    if (fabs(vec3_dot(lead->n, vec3_sub(p->points[i].x, lead->points[0].x))) > width) return false;
  }
  return true;
}

// Is x within the distance of the side from a to b (all places projected along n)?
static bool near_side(vec3 x, vec3 a, vec3 b, vec3 n, double distance)
{
  vec3 side = vec3_sub(b, a), arm = vec3_sub(x, a);
  side = vec3_axpy(-vec3_dot(n, side), n, side);
  arm = vec3_axpy(-vec3_dot(n, arm), n, arm);
  const double square = vec3_dot(side, side);
  double t = square > 0 ? vec3_dot(arm, side) / square : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  const vec3 rest = vec3_axpy(-t, side, arm);
  return vec3_dot(rest, rest) <= distance * distance;
}

// Is a place within the distance of q's outline or inside it?
static bool place_adjoins(vec3 x, const PairPatch *q, vec3 n, double distance)
{
  bool inside = q->count >= 3;
  for (int k = 0; k < q->count; k++) {
    const vec3 a = q->points[k].x, b = q->points[k + 1 == q->count ? 0 : k + 1].x;
    if (near_side(x, a, b, n, distance)) return true;
    if (vec3_dot(n, vec3_cross(vec3_sub(b, a), vec3_sub(x, a))) < 0) inside = false;
  }
  return inside;
}

// Is some corner of p?
static bool corner_adjoins(const PairPatch *p, const PairPatch *q, vec3 n, double distance)
{
  for (int i = 0; i < p->count; i++) {
    if (place_adjoins(p->points[i].x, q, n, distance)) return true;
  }
  return false;
}

static bool patches_adjoin(const PairPatch *p, const PairPatch *q, vec3 n)
{
  const double width = p->width > q->width ? p->width : q->width;
  return corner_adjoins(p, q, n, width) || corner_adjoins(q, p, n, width);
}

// Does a feature without area lie beside the other body's, at the outline of a member with area?
// Features may miss each other by the width, which would enlarge what true faces share.
static bool point_is_beside(const PosedBody *a, const PosedBody *b, const PairPatch *patches,
                            int count, const int *owner, int member, const PlanePoint *point)
{
  assert_debug(member >= 0 && member < count && "a member is one of the patches");
  const PairPatch *own = &patches[member];
  const double tolerance = 100 * own->rounding;
  const vec3 half_gap = vec3_scale(0.5 * point->gap, own->n);
  const vec3 on_a = vec3_sub(point->x, half_gap);
  const vec3 on_b = vec3_sub(vec3_add(point->x, half_gap), vec3_sub(b->center, a->center));
  if (polyhedron_holds(&a->parts[point->part_a], on_a, tolerance) &&
      polyhedron_holds(&b->parts[point->part_b], on_b, tolerance)) {
    return false;
  }
  for (int i = 0; i < count; i++) {
    const PairPatch *p = &patches[i];
    if (owner[i] != owner[member] || p->area <= 0) continue;
    const double width = p->width > own->width ? p->width : own->width;
    if (place_adjoins(point->x, p, patches[owner[member]].n, width)) return true;
  }
  return false;
}

// Pools the points of all members (owner[i] == lead) into the lead and reduces them in its plane.
static void pool_members(const PosedBody *a, const PosedBody *b, PairPatch *patches, int count,
                         const int *owner, int lead, Arena *arena)
{
  assert_debug(lead >= 0 && lead < count && owner[lead] == lead && "a lead is its own member");
  PairPatch *to = &patches[lead];
  const ArenaMark mark = arena_mark(arena);
  const PlaneBasis basis = plane_basis_new(to->n);
  int room = 0, pooled = 0;
  for (int i = 0; i < count; i++)
    room += owner[i] == lead ? patches[i].count + patches[i].corner_count : 0;
  PlanePoint *points = arena_allocate(arena, (size_t)room * sizeof *points);
  double area = 0;
  for (int i = 0; i < count; i++) {
    if (owner[i] != lead) continue;
    const PairPatch *from = &patches[i];
    const PlanePoint *own = from->corner_count > 0 ? from->corners : from->points;
    const int own_count = from->corner_count > 0 ? from->corner_count : from->count;
    for (int k = 0; k < own_count; k++) {
      if (from->area <= 0 && point_is_beside(a, b, patches, count, owner, i, &own[k])) continue;
      points[pooled] = own[k];
      points[pooled].u = vec3_dot(basis.t0, own[k].x);
      points[pooled].v = vec3_dot(basis.t1, own[k].x);
      // a strip beside a seam is part of what it belongs to
      points[pooled].area += from->sliver / own_count;
      pooled++;
    }
    area += from->area + from->sliver;
    if (from->width > to->width) to->width = from->width;
    if (from->feature_width > to->feature_width) to->feature_width = from->feature_width;
    if (from->rounding > to->rounding) to->rounding = from->rounding;
  }
  patch_reduce(to, points, pooled, area, arena);
  to->sliver = 0;
  arena_release(arena, mark);
}

int patch_merge_all(const PosedBody *a, const PosedBody *b, PairPatch *patches, int count,
                    Arena *arena)
{
  assert_debug(count > 0 && patches != NULL && "there are patches to merge");
  int *owner = arena_allocate(arena, (size_t)count * sizeof *owner);
  for (int i = 0; i < count; i++) owner[i] = -1;
  for (int left = count; left > 0;) {
    // the largest patch leads; it takes what lies in its plane and adjoins it or what it took
    int lead = -1;
    for (int i = 0; i < count; i++) {
      if (owner[i] < 0 && (lead < 0 || patch_larger(&patches[i], &patches[lead]))) lead = i;
    }
    owner[lead] = lead;
    left--;
    int members = 1;
    for (bool grown = true; grown;) {
      grown = false;
      for (int i = 0; i < count; i++) {
        if (owner[i] >= 0 || !patches_coplanar(&patches[lead], &patches[i])) continue;
        for (int k = 0; k < count && owner[i] < 0; k++) {
          if (owner[k] == lead && patches_adjoin(&patches[i], &patches[k], patches[lead].n))
            owner[i] = lead;
        }
        if (owner[i] == lead) {
          grown = true;
          members++;
          left--;
        }
      }
    }
    if (members > 1) pool_members(a, b, patches, count, owner, lead, arena);
  }
  int kept = 0;
  for (int i = 0; i < count; i++) {
    if (owner[i] == i) patches[kept++] = patches[i];
  }
  return kept;
}

static double tolerance_at(const PairPatch *patch, const PlanePoint *point)
{
  const double half_gap = point->gap > 0 ? 0.5 * point->gap : 0;
  return (patch->margin > patch->width ? patch->margin : patch->width) + half_gap;
}

// Do all parts of a body that hold the place (relative to the body) stay behind the plane through
// it?
static bool body_stays_behind(const PosedBody *body, vec3 place, vec3 out, double tolerance)
{
  const double height = vec3_dot(out, place);
  for (int q = 0; q < body->shape->part_count; q++) {
    const Polyhedron *part = &body->parts[q];
    if (!polyhedron_holds(part, place, tolerance)) continue;
    for (int v = 0; v < part->vertex_count; v++) {
      if (vec3_dot(out, part->vertices[v]) > height + tolerance) return false;
    }
  }
  return true;
}

// Do both bodies lie, where they hold the place, on their own sides of the patch's plane through
// it?
static bool separates_at(const PosedBody *a, const PosedBody *b, const PairPatch *patch, vec3 x,
                         double tolerance)
{
  const vec3 shift = vec3_sub(b->center, a->center);
  return body_stays_behind(a, x, patch->n, tolerance) &&
         body_stays_behind(b, vec3_sub(x, shift), vec3_neg(patch->n), tolerance);
}

// Does a part that holds the place have a true face there that looks along out?
static bool part_shows_face(const PosedBody *body, int part, vec3 place, vec3 out, double tolerance)
{
  assert_debug(part >= 0 && part < body->shape->part_count && "the body has the part");
  const double cosine = 1 - 0.5 * PATCH_MERGE_ANGLE * PATCH_MERGE_ANGLE;
  const Polyhedron *hull = &body->parts[part];
  const Part *ref = &body->shape->parts[part];
  if (!polyhedron_holds(hull, place, tolerance)) return false;
  for (int f = 0; f < hull->face_count; f++) {
    const Plane plane = hull->planes[f];
    if (ref->facet_start[f] == ref->facet_start[f + 1]) continue;
    if (vec3_dot(plane.normal, out) <= cosine) continue;
    if (fabs(plane_height(plane, place)) <= tolerance) return true;
  }
  return false;
}

static bool on_true_face(const PosedBody *body, vec3 place, vec3 out, double tolerance)
{
  for (int q = 0; q < body->shape->part_count; q++) {
    if (part_shows_face(body, q, place, out, tolerance)) return true;
  }
  return false;
}

// Is the place, relative to the body, in the interior of true faces that look along out? Faces of
// several parts may share it: then they lie all around the place.
static bool inside_true_faces(const PosedBody *body, vec3 place, vec3 out, double tolerance)
{
  if (!on_true_face(body, place, out, tolerance)) return false;
  const PlaneBasis basis = plane_basis_new(out);
  for (int i = 0; i < AROUND; i++) {
    const double u = AROUND_REACH * tolerance * AROUND_PLACES[i][0];
    const double v = AROUND_REACH * tolerance * AROUND_PLACES[i][1];
    const vec3 beside = vec3_axpy(u, basis.t0, vec3_axpy(v, basis.t1, place));
    if (!on_true_face(body, beside, out, tolerance)) return false;
  }
  return true;
}

// Is a place, projected along q's normal, among its points (in any order) or within the distance?
static bool place_is_among(vec3 x, const PairPatch *q, double distance)
{
  bool inside = q->count >= 3;
  for (int i = 0; i < q->count; i++) {
    const vec3 arm = vec3_sub(q->points[i].x, x);
    // from outside all others are seen on one side of some point
    bool outermost = true;
    for (int j = 0; j < q->count; j++) {
      if (near_side(x, q->points[i].x, q->points[j].x, q->n, distance)) return true;
      const vec3 other = vec3_sub(q->points[j].x, x);
      outermost = outermost && vec3_dot(q->n, vec3_cross(arm, other)) >= 0;
    }
    inside = inside && !outermost;
  }
  return inside;
}

bool patch_is_beside(const PairPatch *patch, const PairPatch *others, int count)
{
  assert_debug(patch->count > 0 && count >= 0 && "a patch has points");
  for (int i = 0; i < patch->count; i++) {
    const vec3 x = patch->points[i].x;
    bool beside = false;
    for (int k = 0; k < count && !beside; k++) {
      const PairPatch *q = &others[k];
      const double distance = 2 * larger_of(patch->width, q->width);
      beside = fabs(vec3_dot(q->n, vec3_sub(x, q->points[0].x))) <= distance &&
               place_is_among(x, q, distance);
    }
    if (!beside) return false;
  }
  return true;
}

bool patch_touched_before(const PairPatch *patch, const KeptAxis *kept, int kept_count)
{
  assert_debug((kept_count >= 0 && (kept != NULL || kept_count == 0)) &&
               "axes of the last step are given");
  for (int i = 0; i < patch->count; i++) {
    for (int k = 0; k < kept_count; k++) {
      const PlanePoint *p = &patch->points[i];
      if (kept[k].part_a == p->part_a && kept[k].part_b == p->part_b) return true;
    }
  }
  return false;
}

bool patch_acts(const PosedBody *a, const PosedBody *b, const PairPatch *patch, double reach,
                double tie)
{
  assert_debug(!(reach < 0) && !(tie < 0) && "lengths are not below zero");
  if (patch->area > 0 || patch->separation < -OVERLAP * patch->rounding) return true;
  const vec3 shift = vec3_sub(b->center, a->center);
  const double time = reach_time(a, b, reach);
  for (int i = 0; i < patch->count; i++) {
    const PlanePoint *p = &patch->points[i];
    const vec3 velocity = relative_velocity(a, b, p->x);
    const double speed = vec3_norm(velocity), closing = -vec3_dot(velocity, patch->n);
    // what closes of the gap in that time; without a reach the direction alone tells
    if (closing > PATCH_TIE * speed && (time <= 0 || closing * time > tie)) return true;
    const double tolerance = tolerance_at(patch, p);
    if (!separates_at(a, b, patch, p->x, tolerance)) return true;
    if (inside_true_faces(a, p->x, patch->n, tolerance)) return true;
    if (inside_true_faces(b, vec3_sub(p->x, shift), vec3_neg(patch->n), tolerance)) return true;
  }
  return false;
}

// Is the place within the distance of a kept patch's point, whose plane separates the bodies there?
static bool place_is_held(const PosedBody *a, const PosedBody *b, vec3 x, double distance,
                          const PairPatch *kept)
{
  for (int j = 0; j < kept->count; j++) {
    const PlanePoint *y = &kept->points[j];
    if (vec3_norm(vec3_sub(x, y->x)) <= distance &&
        separates_at(a, b, kept, y->x, tolerance_at(kept, y)))
      return true;
  }
  return false;
}

// Is it between two points of kept patches of one plane, the first of them one of kept[k], and does
// that plane separate the bodies at the place? What holds rigid bodies at both holds them there.
static bool place_is_between(const PosedBody *a, const PosedBody *b, vec3 x, double distance,
                             const PairPatch *kept, int kept_count, int k)
{
  assert_debug(k >= 0 && k < kept_count && "a kept patch has a number");
  const PairPatch *lead = &kept[k];
  const vec3 offset = vec3_sub(x, lead->points[0].x);
  if (fabs(vec3_dot(lead->n, offset)) > distance) return false;
  bool between = false;
  for (int l = k; l < kept_count && !between; l++) {
    if (l != k && !patches_coplanar(lead, &kept[l])) continue;
    for (int i = 0; i < lead->count && !between; i++) {
      for (int j = 0; j < kept[l].count && !between; j++)
        between = near_side(x, lead->points[i].x, kept[l].points[j].x, lead->n, distance);
    }
  }
  return between && separates_at(a, b, lead, x, tolerance_at(lead, &lead->points[0]));
}

// Is every point of p held by kept patches?
static bool patch_repeats(const PosedBody *a, const PosedBody *b, const PairPatch *p,
                          const PairPatch *kept, int kept_count)
{
  const double distance = 2 * p->width;
  for (int i = 0; i < p->count; i++) {
    const vec3 x = p->points[i].x;
    bool repeated = false;
    for (int k = 0; k < kept_count && !repeated; k++) {
      repeated = place_is_held(a, b, x, distance, &kept[k]) ||
                 place_is_between(a, b, x, distance, kept, kept_count, k);
    }
    if (!repeated) return false;
  }
  return true;
}

// Patches with area first, then those along which the bodies part fastest, then the less deep; ties
// as found.
static bool patch_goes_first(const PairPatch *p, double p_leaving, const PairPatch *q,
                             double q_leaving, double speed)
{
  if ((p->area > 0) != (q->area > 0)) return p->area > 0;
  const double tie = PATCH_TIE * speed;
  if (p_leaving > q_leaving + tie || q_leaving > p_leaving + tie) return p_leaving > q_leaving;
  return p->separation > q->separation + PATCH_TIE * p->width;
}

int patch_merge_drop_repeated(const PosedBody *a, const PosedBody *b, PairPatch *patches, int count,
                              Arena *arena)
{
  assert_debug(count >= 0 && (patches != NULL || count == 0) && "patches are given");
  if (count < 2) return count;
  double *leaving = arena_allocate(arena, (size_t)count * sizeof *leaving);
  double speed = 0;
  for (int i = 0; i < count; i++) {
    assert_debug(patches[i].count > 0 && "a patch has points");
    const vec3 velocity = relative_velocity(a, b, patches[i].points[0].x);
    leaving[i] = vec3_dot(velocity, patches[i].n);
    if (vec3_norm(velocity) > speed) speed = vec3_norm(velocity);
  }
  int kept = 0;
  for (int at = 0; at < count; at++) {
    int next = at;
    for (int i = at + 1; i < count; i++) {
      if (patch_goes_first(&patches[i], leaving[i], &patches[next], leaving[next], speed)) next = i;
    }
    const PairPatch patch = patches[next];
    const double patch_leaving = leaving[next];
    // what was passed over moves up, in order
    for (int i = next; i > at; i--) {
      patches[i] = patches[i - 1];
      leaving[i] = leaving[i - 1];
    }
    patches[at] = patch;
    leaving[at] = patch_leaving;
    if (patch.area > 0 || !patch_repeats(a, b, &patch, patches, kept)) patches[kept++] = patch;
  }
  return kept;
}
