// The patches between two bodies: every pair of parts is searched, then the patches are seen
// together.
//
// For parts A, B the separation along a unit vector n is s(n) = min over B of n.x - max over A of
// n.x. The normal of a patch is the n of largest s among true faces of both and crosses of true
// edges, its polygon the true faces projected along n and clipped by each other, the gap of a point
// what lies between the two true planes there.
#include "patch.h"

#include <assert.h>
#include <string.h>

#include "check.h"
#include "contacts.h"
#include "part_pairs.h"
#include "patch_pair.h"
#include "volumetric.h"

#define FAR_ROUNDING \
  1e-3   // weight of the pair's overall size, beside the smaller part, in what counts as rounding
#define COMPACT_PATCHES \
  16   // results up to this size are moved down over the scratch of their search
#define COMPACT_POINTS 96
#define HINT_STRIDE 31   // spreads pairs of parts over the hints

// Two parts near each other, with their boxes about a's centre.
typedef struct {
  PartIndices parts;
  Box box_a, box_b;
} NearPair;

// A pair of parts that overlaps and has no patch.
typedef struct {
  NearPair near;
  bool deep;
} MissedPair;

// Everything found so far between two bodies.
typedef struct {
  const PosedBody *a, *b;
  const PatchParameters *parameters;
  double reach;
  const KeptAxis *kept;
  int kept_count;
  PatchHints hints;
  bool whole_search;
  vec3 shift;   // b's centre relative to a's, m
  Arena *arena;
  PairPatch *patches;
  int count, capacity;
  MissedPair *missed;
  int missed_count, missed_capacity;
  PartPairs held;   // pairs of parts that another contact may be left to
  int failed, rerouted;
  PatchCount seen;
  double tie;   // smallest of the pairs with a patch, m
} BodySearch;

// The two parts in world axes about a's centre, with everything that is measured in their size.
static void part_pair_begin(PartPair *pair, const BodySearch *search, int part_a, int part_b)
{
  assert_debug(part_a >= 0 && part_a < search->a->shape->part_count &&
               "the first body has the part");
  assert_debug(part_b >= 0 && part_b < search->b->shape->part_count &&
               "the second body has the part");
  const PosedBody *a = search->a, *b = search->b;
  const vec3 shift = search->shift;
  const double extent_a = a->parts[part_a].extent, extent_b = b->parts[part_b].extent;
  const double small_extent = smaller_of(extent_a, extent_b);
  // rounding grows with the coordinates, and these with the distance of the centres
  const double size = small_extent + FAR_ROUNDING * (extent_a + extent_b + vec3_norm(shift));
  pair->a = a;
  pair->b = b;
  pair->part_a = part_a;
  pair->part_b = part_b;
  pair->ref_a = &a->shape->parts[part_a];
  pair->ref_b = &b->shape->parts[part_b];
  pair->hull_a = a->parts[part_a];
  pair->hull_b = polyhedron_shift(&b->parts[part_b], shift, search->arena);
  pair->rows_a = patch_axes_vertex_rows(&pair->hull_a, search->arena);
  pair->rows_b = patch_axes_vertex_rows(&pair->hull_b, search->arena);
  pair->shift = shift;
  pair->margin = search->parameters->margin * small_extent;
  pair->reach = search->reach;
  pair->feature_width = search->parameters->feature_width * small_extent;
  pair->small_extent = small_extent;
  pair->rounding = PATCH_ROUNDING * size;
  pair->tie = PATCH_TIE * size;
  pair->max_points = search->parameters->max_points;
  pair->may_cull = !search->whole_search;
  pair->rerouted = false;
  pair->held = NULL;
  // not known yet
  pair->middle = pair->towards = pair->velocity = pair->best = (vec3){0, 0, 0};
  pair->speed = pair->separation = 0;
}

// The hint of a pair of parts: pairs share those there are.
static SeparatingFace *hint_of(const PatchHints *hints, int part_a, int part_b,
                               SeparatingFace *none)
{
  assert_debug((hints->count >= 0 && (hints->faces != NULL || hints->count == 0)) &&
               "hints are given");
  if (hints->count == 0) return none;
  return &hints->faces[((int64_t)part_a * HINT_STRIDE + part_b) % hints->count];
}

// Does the face that separated two parts before do so still? By the numbers of the whole search.
static bool hint_separates(const BodySearch *search, int part_a, int part_b, SeparatingFace hint)
{
  if (hint.owner != 0 && hint.owner != 1) return false;
  const Polyhedron *a = &search->a->parts[part_a], *b = &search->b->parts[part_b];
  const Polyhedron *own = hint.owner == 0 ? a : b, *other = hint.owner == 0 ? b : a;
  if (hint.face < 0 || hint.face >= own->face_count) return false;
  const vec3 normal = own->planes[hint.face].normal;
  double least = INFINITY, offset = own->planes[hint.face].offset;
  if (hint.owner == 0) {
    for (int v = 0; v < other->vertex_count; v++) {
      const double z = vec3_dot(normal, vec3_add(other->vertices[v], search->shift));
      least = z < least ? z : least;
    }
  } else {
    offset += vec3_dot(normal, search->shift);
    for (int v = 0; v < other->vertex_count; v++) {
      const double z = vec3_dot(normal, other->vertices[v]);
      least = z < least ? z : least;
    }
  }
  const double margin = search->parameters->margin * smaller_of(a->extent, b->extent);
  return least - offset > margin + search->reach;
}

// Tries axes in order until one gives a patch.
static bool build_first(const PartPair *pair, AxisList *axes, double least, PairPatch *patch,
                        Arena *arena)
{
  for (const Axis *axis = patch_axes_next(pair, axes, least); axis != NULL;
       axis = patch_axes_next(pair, axes, least)) {
    if (patch_build(pair, axis, patch, NULL, arena)) return true;
  }
  return false;
}

// The patch along the axis of the last step, if that alone decides.
static bool build_kept(PartPair *pair, const KeptAxis *own, PairPatch *patch, Arena *arena)
{
  Axis axis;
  Footprint footprint;
  if (!patch_axes_measure_kept(pair, own, &axis)) return false;
  pair->separation = axis.separation;
  return patch_certain_depth(pair) && patch_build(pair, &axis, patch, &footprint, arena) &&
         patch_certain_kept(pair, &axis, &footprint);
}

// The patch that faces alone decide, if they do.
static bool build_certain(const PartPair *pair, const AxisList *axes, PairPatch *patch,
                          Arena *arena)
{
  Axis axis;
  Footprint footprint;
  return patch_certain_axis(pair, axes, &axis) &&
         patch_build(pair, &axis, patch, &footprint, arena) &&
         patch_certain_new(pair, axes, &axis, patch, &footprint);
}

static PairOutcome pair_search(PartPair *pair, Box common_box, const KeptAxis *own,
                               SeparatingFace *face, PairPatch *patch, Arena *arena)
{
  // still along the axis of the last step? separated along a face? on a face? along the best axis?
  AxisList axes = {0};
  if (pair->may_cull && own != NULL && build_kept(pair, own, patch, arena)) return PAIR_PATCH;
  if (!patch_axes_add_faces(pair, &axes, face, arena)) return PAIR_APART;
  if (pair->may_cull) {
    if (own == NULL && build_certain(pair, &axes, patch, arena)) return PAIR_PATCH;
    const PairOutcome outcome = patch_best_find(pair, &axes, own, patch, arena);
    if (outcome != PAIR_OPEN) return outcome;
  }

  // the faces that bound the common solid name the edges that can matter
  const IntersectionLabels common =
      pair_has_many_faces(pair)
          ? (IntersectionLabels){.status = INTERSECTION_DEGENERATE}
          : intersection_labels(&pair->hull_a, &pair->hull_b, pair_dilation(pair), arena);
  if (common.status == INTERSECTION_EMPTY) return PAIR_APART;
  // (without labels, as for a solid at rounding level, all edges are looked at)
  pair->rerouted = common.status == INTERSECTION_FAILED;
  const bool labelled = common.status == INTERSECTION_OK;
  if (!patch_edges_add(pair, labelled ? &common : NULL, &axes, arena)) return PAIR_APART;
  const vec3 box_middle = vec3_scale(0.5, vec3_add(common_box.low, common_box.high));
  pair_set_middle(pair, labelled ? common.centroid : box_middle);
  // edges that are no candidates may part what looks deep: slivers inside of two bodies
  if (pair_is_deep(pair) && !patch_edges_measure(pair)) return PAIR_APART;
  if (pair_is_deep(pair)) return PAIR_DEEP;

  // the axis of the last step, then by separation; with all edges where the labelled ones give
  // nothing
  Axis kept_axis;
  if (own != NULL && patch_axes_find_kept(pair, &axes, own, &kept_axis) &&
      patch_axes_is_near(pair, &kept_axis) && patch_build(pair, &kept_axis, patch, NULL, arena)) {
    return PAIR_PATCH;
  }
  // (an axis much deeper than the best is false: the faces that made it lie elsewhere)
  const double least = pair->separation - pair_width(pair->margin, pair->separation);
  patch_axes_rank(pair, &axes, 0);
  bool found = build_first(pair, &axes, least, patch, arena);
  if (!found && labelled) {
    if (!patch_edges_add(pair, NULL, &axes, arena)) return PAIR_APART;
    patch_axes_rank(pair, &axes, 0);
    found = build_first(pair, &axes, least, patch, arena);
  }

  // a point or line: the axis that will be best at the end of the step, by the velocity there
  const double look = reach_time(pair->a, pair->b, pair->reach);
  if (found && patch->area <= 0 && look > 0) {
    pair_set_middle(pair, patch_middle(patch));
    patch_axes_rank(pair, &axes, look);
    build_first(pair, &axes, fmax(least, patch->separation - look * pair->speed), patch, arena);
  }
  return found ? PAIR_PATCH : pair->separation < -pair->rounding ? PAIR_MISSED : PAIR_APART;
}

// The single volumetric point of a pair of parts without a patch; none where what they share is
// inside of both bodies.
static void add_volumetric(BodySearch *search, int part_a, int part_b)
{
  assert_debug(search->missed_count > 0 && "parts that overlap were missed");
  Arena *arena = search->arena;
  search->patches = arena_grow(arena, search->patches, search->count + 1, &search->capacity,
                               sizeof *search->patches);
  const ArenaMark mark = arena_mark(arena);
  const PartOverlap parts = part_surface_overlap(search->a, part_a, search->b, part_b, arena);
  VolumetricPoint point = volumetric_point(&parts, arena);
  search->rerouted += point.rerouted;
  if (point.status == VOLUMETRIC_NONE || point.status == VOLUMETRIC_FAILED)
    point = volumetric_touch(&parts);
  arena_release(arena, mark);
  search->failed++;
  if (point.status == VOLUMETRIC_INTERNAL) return;

  PairPatch *patch = &search->patches[search->count++];
  patch->n = vec3_neg(point.normal);
  patch->axis_a = patch->axis_b = AXIS_NONE;
  patch->part_a = part_a;
  patch->part_b = part_b;
  patch->separation = point.gap;
  patch->area = point.area;
  patch->sliver = 0;
  patch->corner_count = 0;
  patch->count = 1;
  patch->points[0] = (PlanePoint){.x = point.point,
                                  .gap = point.gap,
                                  .area = point.area,
                                  .part_a = part_a,
                                  .part_b = part_b,
                                  .feature_a = feature_new(FEATURE_FACE, point.face_a),
                                  .feature_b = feature_new(FEATURE_FACE, point.face_b),
                                  .axis_a = AXIS_NONE,
                                  .axis_b = AXIS_NONE};
}

// Pieces of one plane become one, repeats go. Returns how many are left.
static int patches_unite(const PosedBody *a, const PosedBody *b, PairPatch *patches, int count,
                         Arena *arena)
{
  assert_debug((count >= 0 && (patches != NULL || count == 0)) && "patches are given");
  if (count < 2) return count;
  count = patch_merge_all(a, b, patches, count, arena);
  return patch_merge_drop_repeated(a, b, patches, count, arena);
}

static vec3 twice_middle(Box box) { return vec3_add(box.low, box.high); }

static void parts_add(PartPairs *pairs, PartIndices parts, Arena *arena)
{
  pairs->items =
      arena_grow(arena, pairs->items, pairs->count + 1, &pairs->capacity, sizeof *pairs->items);
  pairs->items[pairs->count++] = parts;
}

// Searches a pair of parts; its patch goes behind the others, which are not counted up.
static PairOutcome search_pair(BodySearch *search, const NearPair *near, const PartPairs *held,
                               SeparatingFace *hint, PartPair *pair)
{
  Arena *arena = search->arena;
  search->patches = arena_grow(arena, search->patches, search->count + 1, &search->capacity,
                               sizeof *search->patches);
  const ArenaMark mark = arena_mark(arena);
  const Box a = near->box_a, b = near->box_b;
  part_pair_begin(pair, search, near->parts.a, near->parts.b);
  pair->held = held;
  pair->towards = vec3_sub(twice_middle(b), twice_middle(a));
  const Box common_box = {vec3_max(a.low, b.low), vec3_min(a.high, b.high)};
  const KeptAxis *own = patch_axes_kept_of(pair, search->kept, search->kept_count);
  const PairOutcome outcome =
      pair_search(pair, common_box, own, hint, &search->patches[search->count], arena);
  arena_release(arena, mark);
  return outcome;
}

static void search_parts(BodySearch *search, NearPair near)
{
  const int part_a = near.parts.a, part_b = near.parts.b;
  Arena *arena = search->arena;
  const Polyhedron *hull_a = &search->a->parts[part_a], *hull_b = &search->b->parts[part_b];
  const int size =
      hull_a->vertex_count + hull_a->face_count + hull_b->vertex_count + hull_b->face_count;
  SeparatingFace none = SEPARATING_FACE_NONE;
  SeparatingFace *hint = hint_of(&search->hints, part_a, part_b, &none);
  if (!search->whole_search && hint_separates(search, part_a, part_b, *hint)) {
    search->seen.parted += size;
    return;
  }

  PartPair pair;
  const PairOutcome outcome = search_pair(search, &near, NULL, hint, &pair);
  search->rerouted += pair.rerouted;
  *(outcome == PAIR_APART ? &search->seen.parted : &search->seen.touching) += size;
  if (outcome == PAIR_PATCH) {
    search->count++;
    parts_add(&search->held, near.parts, arena);
    if (pair.tie < search->tie) search->tie = pair.tie;
  } else if (outcome == PAIR_MISSED || outcome == PAIR_DEEP) {
    search->missed = arena_grow(arena, search->missed, search->missed_count + 1,
                                &search->missed_capacity, sizeof *search->missed);
    search->missed[search->missed_count++] = (MissedPair){near, outcome == PAIR_DEEP};
  }
}

// Does a pair of parts touch with features that no part covers which has a contact there itself?
static bool search_uncovered(BodySearch *search, const MissedPair *missed, PartPair *pair)
{
  SeparatingFace none = SEPARATING_FACE_NONE;
  return search_pair(search, &missed->near, &search->held, &none, pair) == PAIR_PATCH;
}

// Missed pairs whose features are covered by parts that have the contact, or leave it in turn to
// such, count as held. Returns how many others are left; the order of looking does not matter.
static int hold_missed(BodySearch *search)
{
  int before, left = search->missed_count;
  do {
    before = left;
    left = 0;
    for (int i = 0; i < before; i++) {
      const MissedPair missed = search->missed[i];
      PartPair pair;
      if (search_uncovered(search, &missed, &pair)) search->missed[left++] = missed;
      else parts_add(&search->held, missed.near.parts, search->arena);
    }
  } while (left < before);
  return left;
}

// Parts that overlap and leave the contact to others in a circle, as in a notch along a seam, where
// each of two walls ends at the other, have it themselves. What lies beside a patch is taken for
// part of that contact; overlap too deep for a patch may have all there is.
static void search_missed(BodySearch *search)
{
  for (int i = 0; i < search->missed_count; i++) {
    if (search->missed[i].deep) return;
  }
  const int others = search->count;
  if (others > 0) search->missed_count = hold_missed(search);
  int left = 0;
  for (int i = 0; i < search->missed_count; i++) {
    const MissedPair missed = search->missed[i];
    PartPair pair;
    if (!search_uncovered(search, &missed, &pair)) {
      search->missed[left++] = missed;
    } else if (!patch_is_beside(&search->patches[search->count], search->patches, others)) {
      search->count++;
      if (pair.tie < search->tie) search->tie = pair.tie;
    }
  }
  search->missed_count = left;
  search->count = others + patches_unite(search->a, search->b, &search->patches[others],
                                         search->count - others, search->arena);
}

static void search_all_parts(BodySearch *search)
{
  const double margin = search->parameters->margin;
  const PosedBody *a = search->a, *b = search->b;
  Arena *arena = search->arena;
  const Box *boxes_a = a->boxes, *boxes_b = b->boxes;
  if (boxes_a == NULL) boxes_a = part_boxes_new(a->parts, a->shape->part_count, arena);
  if (boxes_b == NULL) boxes_b = part_boxes_new(b->parts, b->shape->part_count, arena);
  if (a->shape->part_count == 1 && b->shape->part_count == 1) {
    const Box q = part_box_at(boxes_b, 0, search->shift);
    search->seen.part_boxes++;
    const BoxedPart of_a = {a->parts, boxes_a[0]}, of_b = {b->parts, q};
    if (part_boxes_near(of_a, of_b, margin, search->reach))
      search_parts(search, (NearPair){{0, 0}, boxes_a[0], q});
    return;
  }
  PosedBody with_boxes_a = *a, with_boxes_b = *b;
  with_boxes_a.boxes = boxes_a;
  with_boxes_b.boxes = boxes_b;
  const NearParts near = (search->whole_search ? part_pairs_all : part_pairs_find)(
      &with_boxes_a, &with_boxes_b, margin, search->reach, arena);
  search->seen.part_boxes += near.compared;
  for (int i = 0; i < near.count; i++) {
    const PartIndices parts = near.pairs[i];
    const Box q = part_box_at(boxes_b, parts.b, search->shift);
    search_parts(search, (NearPair){parts, boxes_a[parts.a], q});
  }
}

// One place for the results: patches and their points, points in the order of the patches.
static void copy_results(const BodySearch *search, Patch *patches, PatchPoint *points)
{
  for (int i = 0; i < search->count; i++) {
    const PairPatch *from = &search->patches[i];
    patches[i] = (Patch){.part_a = from->part_a,
                         .part_b = from->part_b,
                         .normal = vec3_neg(from->n),
                         .axis_a = from->axis_a,
                         .axis_b = from->axis_b,
                         .area = from->area,
                         .separation = from->separation,
                         .point_count = from->count,
                         .points = points};
    for (int k = 0; k < from->count; k++) {
      const PlanePoint *p = &from->points[k];
      *points++ = (PatchPoint){.point = p->x,
                               .gap = p->gap,
                               .area = p->area,
                               .part_a = p->part_a,
                               .part_b = p->part_b,
                               .feature_a = p->feature_a,
                               .feature_b = p->feature_b,
                               .axis_a = p->axis_a,
                               .axis_b = p->axis_b};
    }
  }
}

// Moves the results to the arena; where they are few, down over the scratch of the search.
static PatchSet keep_results(const BodySearch *search, ArenaMark mark)
{
  assert_debug(search->count >= 0 && "patches are counted");
  Arena *arena = search->arena;
  int point_count = 0;
  for (int i = 0; i < search->count; i++) point_count += search->patches[i].count;
  PatchSet set = {.patch_count = search->count,
                  .failed = search->failed,
                  .rerouted = search->rerouted,
                  .count = search->seen};
  if (search->count > COMPACT_PATCHES || point_count > COMPACT_POINTS) {
    set.patches = arena_allocate(arena, (size_t)search->count * sizeof *set.patches);
    copy_results(search, set.patches,
                 arena_allocate(arena, (size_t)point_count * sizeof(PatchPoint)));
    return set;
  }
  Patch patches[COMPACT_PATCHES];
  PatchPoint points[COMPACT_POINTS];
  copy_results(search, patches, points);
  arena_release(arena, mark);
  if (set.patch_count == 0) return set;
  set.patches = arena_allocate(arena, (size_t)set.patch_count * sizeof *set.patches);
  PatchPoint *kept = arena_allocate(arena, (size_t)point_count * sizeof *kept);
  memcpy(set.patches, patches, (size_t)set.patch_count * sizeof *patches);
  memcpy(kept, points, (size_t)point_count * sizeof *points);
  for (int i = 0; i < set.patch_count; i++) {
    set.patches[i].points = kept;
    kept += set.patches[i].point_count;
  }
  return set;
}

PatchSet patch_find(const PosedBody *a, const PosedBody *b, const PatchParameters *parameters,
                    double reach, Arena *arena)
{
  assert(reach >= 0 && "what bodies close is a distance");
  const PatchQuery query = {.a = a, .b = b, .parameters = parameters, .reach = reach};
  return patch_search(&query, arena);
}

PatchSet patch_search(const PatchQuery *query, Arena *arena)
{
  assert_debug((query->kept_count >= 0 && (query->kept != NULL || query->kept_count == 0)) &&
               "axes of the last step are given");
  assert_debug(!(query->reach < 0) && "bodies close within the step or do not");
  assert_debug(query->a->shape->part_count > 0 && query->b->shape->part_count > 0 &&
               "both bodies have parts");
  const PosedBody *a = query->a, *b = query->b;
  const PatchParameters *parameters = query->parameters;
  const double reach = query->reach;
  assert(parameters->max_points >= 3 && parameters->max_points <= PATCH_MAX_POINTS &&
         "a polygon that fits");
  // spheres about the centres
  const vec3 shift = vec3_sub(b->center, a->center);
  const double slack = parameters->margin * smaller_of(a->shape->extent, b->shape->extent) + reach;
  const double far = a->shape->radius + b->shape->radius + slack;
  if (vec3_dot(shift, shift) > far * far) return (PatchSet){0};

  const ArenaMark mark = arena_mark(arena);
  BodySearch search = {.a = a,
                       .b = b,
                       .parameters = parameters,
                       .reach = reach,
                       .kept = query->kept,
                       .kept_count = query->kept_count,
                       .hints = query->hints,
                       .whole_search = query->whole_search,
                       .shift = shift,
                       .arena = arena,
                       .tie = INFINITY};
  search_all_parts(&search);

  // pieces of one plane become one, repeats go; then overlap at seams that no part claimed
  search.count = patches_unite(a, b, search.patches, search.count, arena);
  search_missed(&search);
  const bool found = search.count > 0;

  // touches from outside act only where the bodies approach
  int acting = 0;
  for (int i = 0; i < search.count; i++) {
    const PairPatch *patch = &search.patches[i];
    if (!patch_touched_before(patch, query->kept, query->kept_count) &&
        !patch_acts(a, b, patch, reach, search.tie)) {
      continue;
    }
    if (acting != i) search.patches[acting] = search.patches[i];
    acting++;
  }
  search.count = acting;

  // overlap without a patch gets a volumetric point where it is too deep for one, or where no other
  // pair of parts has one either; beside a patch it is taken for part of that contact
  for (int i = 0; i < search.missed_count; i++) {
    const MissedPair missed = search.missed[i];
    if (missed.deep || !found) add_volumetric(&search, missed.near.parts.a, missed.near.parts.b);
  }
  return keep_results(&search, mark);
}
