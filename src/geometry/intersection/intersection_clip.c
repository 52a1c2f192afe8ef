// Chooses the planes that may cut, and clips a solid by them.
#include <assert.h>
#include <math.h>

#include "check.h"
#include "clipper_lanes.h"
#include "clipper_small.h"
#include "intersection_couple.h"
#include "intersection_measure.h"

#define ROUND_CUTS 4     // planes that cut before the others are looked at again
#define FEW_VERTICES 8   // looked at one by one as fast as the nearest is found
#define LAST_ROUND 10    // so few planes cut without another look

// A plane that may cut.
typedef struct {
  double depth;   // of the solid below the plane, m
  int label;
} Cutter;

typedef enum { CLIP_DONE, CLIP_EMPTY, CLIP_ELSEWHERE } ClipOutcome;

static int compare_vertices(const vec3 *p, const vec3 *q, int count)
{
  for (int i = 0; i < count; i++) {
    if (p[i].x != q[i].x) return p[i].x < q[i].x ? -1 : 1;
    if (p[i].y != q[i].y) return p[i].y < q[i].y ? -1 : 1;
    if (p[i].z != q[i].z) return p[i].z < q[i].z ? -1 : 1;
  }
  return 0;
}

// True when b comes first.
static bool order_is_swapped(const Polyhedron *a, const Polyhedron *b)
{
  if (a->face_count != b->face_count) return a->face_count < b->face_count;
  if (a->vertex_count != b->vertex_count) return a->vertex_count < b->vertex_count;
  return compare_vertices(a->vertices, b->vertices, a->vertex_count) > 0;
}

static Couple couple_new(const Polyhedron *a, const Polyhedron *b, double margin)
{
  const bool swapped = order_is_swapped(a, b);
  return (Couple){.solids = {swapped ? b : a, swapped ? a : b},
                  .owner = {swapped, !swapped},
                  .margin = margin,
                  .face_count = a->face_count + b->face_count};
}

// -- which planes cut -----------------------------------------------------------------------------

// The faces of one solid with some of the other one above their planes; -1: one has all of it at
// least the distance above. cutters: room for one more than there are faces.
static int find_cutters(const Couple *couple, int side, double distance, Cutter *cutters)
{
  assert_debug((side == 0 || side == 1) && "there are two solids");
  const Polyhedron *p = couple->solids[side], *q = couple->solids[1 - side];
  const int first_label = side == 0 ? 0 : couple->solids[0]->face_count;
  int count = 0;
  for (int first = 0; first < p->face_count; first += LANES) {
    const PlaneLanes four = lanes_faces(p, first);
    const LaneRange range = lanes_range(&four, &q->vertices[0].x, 3, q->vertex_count);
    const Lane low = range.low - four.offset;
    if (lanes_not_less(low, lane_all(distance))) return -1;
    const unsigned cuts = lanes_less(four.offset, range.high);
    double heights[LANES];
    lane_store(heights, low);
    for (int i = 0; i < LANES && first + i < p->face_count; i++) {
      cutters[count] = (Cutter){-heights[i], first_label + first + i};
      count += (int)(cuts >> i & 1);
    }
  }
  return count;
}

// Keeps the planes that cut the solid and measures their depths; -1: one has all of it above.
static int keep_cutters(const Couple *couple, const SmallSolid *s, Cutter *cutters, int count)
{
  assert_debug(count >= 0 && "cutters are counted");
  double points[SMALL_SLOTS][4];
  int point_count = 0;
  for (uint64_t left = s->used; left; left &= left - 1) {
    lane_store(points[point_count++], lane_load(s->points[__builtin_ctzll(left)]));
  }
  int kept = 0;
  for (int first = 0; first < count; first += LANES) {
    const Plane *planes[LANES];
    for (int i = 0; i < LANES; i++) {
      const int k = first + i < count ? first + i : count - 1;
      planes[i] = couple_plane(couple, cutters[k].label);
    }
    const PlaneLanes four = lanes_planes(planes);
    const Lane offset = four.offset + couple->margin;
    const LaneRange range = lanes_range(&four, points[0], 4, point_count);
    if (lanes_not_less(range.low, offset)) return -1;
    const unsigned cuts = lanes_less(offset, range.high);
    double depths[LANES];
    lane_store(depths, offset - range.low);
    for (int i = 0; i < LANES && first + i < count; i++) {
      cutters[kept] = (Cutter){depths[i], cutters[first + i].label};
      kept += (int)(cuts >> i & 1);
    }
  }
  return kept;
}

// The planes that leave least come first: what follows has little left to cut. Sorts as many as
// asked for to the front.
static void sort_cutters(Cutter *cutters, int count, int wanted)
{
  assert_debug(count >= 0 && wanted >= 0 && "cutters are counted");
  for (int i = 1; i < count; i++) {
    const Cutter moved = cutters[i];
    int k = i;
    if (i >= wanted) {
      if (!(moved.depth < cutters[wanted - 1].depth)) continue;
      cutters[i] = cutters[wanted - 1];
      k = wanted - 1;
    }
    for (; k > 0 && cutters[k - 1].depth > moved.depth; k--) cutters[k] = cutters[k - 1];
    cutters[k] = moved;
  }
}

// Cuts by all planes of the list that cut; the solid must have been measured by them.
static ClipOutcome cut_all(const Couple *couple, SmallSolid *s, Cutter *cutters, int count)
{
  assert_debug(count >= 0 && "cutters are counted");
  while (count > 0) {
    const int cuts = count <= LAST_ROUND ? count : ROUND_CUTS;
    sort_cutters(cutters, count, cuts);
    for (int i = 0; i < cuts; i++) {
      const Plane *plane = couple_plane(couple, cutters[i].label);
      const CutResult result =
          clipper_small_cut(s, plane->normal, plane->offset + couple->margin, cutters[i].label);
      if (result == CUT_ALL) return CLIP_EMPTY;
      if (result == CUT_BROKEN) return CLIP_ELSEWHERE;
    }
    cutters += cuts;
    count -= cuts;
    if (count == 0) break;
    count = keep_cutters(couple, s, cutters, count);
    if (count < 0) return CLIP_EMPTY;
  }
  return CLIP_DONE;
}

// -- what to begin with ---------------------------------------------------------------------------

// The vertex nearest to a point.
static vec3 nearest_vertex(const Polyhedron *p, vec3 point)
{
  vec3 nearest = p->vertices[0];
  double least = INFINITY;
  for (int i = 0; i < p->vertex_count; i++) {
    const vec3 d = vec3_sub(p->vertices[i], point);
    const double square = vec3_dot(d, d);
    nearest = square < least ? p->vertices[i] : nearest;
    least = square < least ? square : least;
  }
  return nearest;
}

// True when a face of one solid has all of the other one at least the distance above it. A vertex
// of the other one near to where they may meet rules out nearly all faces.
static bool face_separates(const Couple *couple, int side, vec3 middle, double distance)
{
  assert_debug((side == 0 || side == 1) && "there are two solids");
  const Polyhedron *p = couple->solids[side], *q = couple->solids[1 - side];
  const vec3 witness = q->vertex_count > FEW_VERTICES ? nearest_vertex(q, middle) : q->vertices[0];
  const Lane x = lane_all(witness.x), y = lane_all(witness.y), z = lane_all(witness.z);
  for (int first = 0; first < p->face_count; first += LANES) {
    const PlaneLanes four = lanes_faces(p, first);
    const Lane height = lanes_dot(&four, x, y, z) - four.offset;
    if (!lanes_not_less(height, lane_all(distance))) continue;
    const Lane low = lanes_low(&four, &q->vertices[0].x, 3, q->vertex_count);
    if (lanes_not_less(low - four.offset, lane_all(distance))) return true;
  }
  return false;
}

// A point inside.
static vec3 middle_of(const Polyhedron *p)
{
  return vec3_scale(0.5, vec3_add(p->vertices[0], p->vertices[p->vertex_count - 1]));
}

// True when solids with little or nothing in common touch at most: where nothing was pushed
// outward that is left to the cuts until then, which may leave rounding.
static bool only_touches(const Couple *couple, IntersectionStatus status)
{
  if (status != INTERSECTION_DEGENERATE || couple->margin > 0) return false;
  return face_separates(couple, 0, middle_of(couple->solids[0]), 0) ||
         face_separates(couple, 1, middle_of(couple->solids[1]), 0);
}

// The planes of both solids that cut a box, with their depths; -1: one has all of it above.
static int find_box_cutters(const Couple *couple, vec3 low, vec3 high, Cutter *cutters)
{
  const vec3 middle = vec3_scale(0.5, vec3_add(low, high));
  const vec3 half = vec3_scale(0.5, vec3_sub(high, low));
  const Lane x = lane_all(middle.x), y = lane_all(middle.y), z = lane_all(middle.z);
  const Lane hx = lane_all(half.x), hy = lane_all(half.y), hz = lane_all(half.z);
  int count = 0, label = 0;
  for (int side = 0; side < 2; side++) {
    const Polyhedron *p = couple->solids[side];
    const int last = p->face_count - 1;
    for (int first = 0; first <= last; first += LANES) {
      const PlaneLanes four = lanes_faces(p, first);
      const Lane offset = four.offset + couple->margin;
      const Lane height = lanes_dot(&four, x, y, z) - offset;
      const PlaneLanes sizes = {lane_abs(four.x), lane_abs(four.y), lane_abs(four.z), four.offset};
      const Lane reach = lanes_dot(&sizes, hx, hy, hz);
      double depths[LANES];
      lane_store(depths, reach - height);
      const unsigned cuts = lanes_less(0.0 - height, reach);
      if (lanes_not_less(height, reach)) return -1;
      for (int i = 0; i < LANES && first + i <= last; i++) {
        cutters[count] = (Cutter){depths[i], label++};
        count += (int)(cuts >> i & 1);
      }
    }
  }
  return count;
}

// Cuts a box around what the solids share by the planes of both.
static ClipOutcome clip_box(const Couple *couple, SmallSolid *s)
{
  vec3 low, high;
  switch (
      intersection_common_box(couple->solids[0], couple->solids[1], couple->margin, &low, &high)) {
  case INTERSECTION_OK: break;
  case INTERSECTION_EMPTY: return CLIP_EMPTY;
  default: return CLIP_ELSEWHERE;
  }
  const vec3 middle = vec3_scale(0.5, vec3_add(low, high));
  for (int side = 0; side < 2 && couple->margin > 0; side++) {
    if (face_separates(couple, side, middle, 2 * couple->margin)) return CLIP_EMPTY;
  }
  clipper_small_start_box(s, low, high, couple->face_count);
  Cutter cutters[SMALL_LABELS + 1];
  const int count = find_box_cutters(couple, low, high, cutters);
  return count < 0 ? CLIP_EMPTY : cut_all(couple, s, cutters, count);
}

// Cuts one solid, whose planes are pushed outward, by the planes of the other one.
static ClipOutcome clip_dilated(const Couple *couple, int start, SmallSolid *s)
{
  assert_debug((start == 0 || start == 1) && "one of the two solids is cut");
  const int first = couple->solids[0]->face_count, count = couple->solids[1 - start]->face_count;
  clipper_small_start_dilated(s, couple->solids[start], couple->margin, start == 0 ? 0 : first);
  Cutter cutters[SMALL_LABELS + 1];
  for (int i = 0; i < count; i++) cutters[i].label = start == 0 ? first + i : i;
  const int kept = keep_cutters(couple, s, cutters, count);
  return kept < 0 ? CLIP_EMPTY : cut_all(couple, s, cutters, kept);
}

// True when the clipper can begin with this solid, its planes pushed outward.
static bool can_start(const Polyhedron *p, double margin)
{
  return p->darts && (margin <= 0 || margin < p->darts->push_limit);
}

static ClipOutcome clip_small(const Couple *couple, SmallSolid *s)
{
  const Polyhedron *p = couple->solids[0], *q = couple->solids[1];
  const double distance = 2 * couple->margin;
  if (couple->face_count + COUPLE_BOX_FACES > SMALL_LABELS) return CLIP_ELSEWHERE;
  const bool can[2] = {can_start(p, couple->margin), can_start(q, couple->margin)};
  if (!can[0] && !can[1]) return clip_box(couple, s);

  // one solid is cut by the other: the smaller one, which needs fewer cuts, where both can be
  const int start = can[0] && can[1] ? q->extent < p->extent : can[1];
  Cutter cutters[SMALL_LABELS + 1];
  const int count = find_cutters(couple, 1 - start, distance, cutters);
  if (count < 0) return CLIP_EMPTY;
  if (couple->margin > 0) {
    const vec3 middle = middle_of(couple->solids[start]);
    return face_separates(couple, start, middle, distance) ? CLIP_EMPTY
                                                           : clip_dilated(couple, start, s);
  }
  clipper_small_start_polyhedron(s, couple->solids[start], start == 0 ? 0 : p->face_count);
  return cut_all(couple, s, cutters, count);
}

// -- the whole ------------------------------------------------------------------------------------

// A couple and what clipping in bounded memory made of it.
typedef struct {
  Couple couple;
  SmallSolid solid;
} Clipped;

static inline ClipOutcome clip_pair(const Polyhedron *a, const Polyhedron *b, double margin,
                                    Clipped *clipped)
{
  assert_debug(margin >= 0 && "planes are pushed outward");
  assert_debug(a->face_count >= 4 && b->face_count >= 4 && "solids have four faces");
  clipped->couple = couple_new(a, b, margin);
  return clip_small(&clipped->couple, &clipped->solid);
}

static void swap_owners(Intersection *x)
{
  IntersectionFace *faces = (IntersectionFace *)x->faces;
  for (int f = 0; f < x->face_count; f++) faces[f].owner = 1 - faces[f].owner;
  const vec3 area = x->area[0];
  x->area[0] = x->area[1];
  x->area[1] = area;
}

// The slower way, in the order of the couple.
static Intersection clip_elsewhere(const Couple *couple, Arena *arena)
{
  Intersection x =
      intersection_clip_any(couple->solids[0], couple->solids[1], couple->margin, arena);
  if (couple->owner[0] == 1) swap_owners(&x);
  return x;
}

// All of the intersection that an outcome stands for.
static Intersection write_whole(const Clipped *clipped, ClipOutcome outcome, Arena *arena)
{
  const Couple *couple = &clipped->couple;
  if (outcome == CLIP_EMPTY) return (Intersection){.status = INTERSECTION_EMPTY};
  Intersection x;
  if (outcome == CLIP_ELSEWHERE || !intersection_write(couple, &clipped->solid, arena, &x))
    return clip_elsewhere(couple, arena);
  return only_touches(couple, x.status) ? (Intersection){.status = INTERSECTION_EMPTY} : x;
}

Intersection intersection_clip(const Polyhedron *a, const Polyhedron *b, double margin,
                               Arena *arena)
{
  assert(margin >= 0 && "planes are pushed outward");
  Clipped clipped;
  const ClipOutcome outcome = clip_pair(a, b, margin, &clipped);
  return write_whole(&clipped, outcome, arena);
}

// The labels of an intersection with all that belongs to it.
static IntersectionLabels labels_of(const Intersection *x, Arena *arena)
{
  FaceLabel *labels = arena_allocate(arena, (size_t)x->face_count * sizeof *labels);
  int count = 0;
  for (int f = 0; f < x->face_count; f++) {
    const FaceLabel label = {x->faces[f].owner, x->faces[f].face};
    const bool known =
        count > 0 && labels[count - 1].owner == label.owner && labels[count - 1].face == label.face;
    if (!known) labels[count++] = label;
  }
  return (IntersectionLabels){x->status, x->volume, x->centroid, count, labels};
}

IntersectionLabels intersection_labels(const Polyhedron *a, const Polyhedron *b, double margin,
                                       Arena *arena)
{
  assert(margin >= 0 && "planes are pushed outward");
  Clipped clipped;
  const ClipOutcome outcome = clip_pair(a, b, margin, &clipped);
  IntersectionLabels labels = {.status = INTERSECTION_EMPTY};
  if (outcome == CLIP_EMPTY) return labels;
  if (outcome == CLIP_DONE &&
      intersection_write_labels(&clipped.couple, &clipped.solid, arena, &labels)) {
    if (!only_touches(&clipped.couple, labels.status)) return labels;
    return (IntersectionLabels){.status = INTERSECTION_EMPTY};
  }
  const Intersection x = write_whole(&clipped, outcome, arena);
  return labels_of(&x, arena);
}
