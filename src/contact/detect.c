// Detects the contacts of a step: boxes, pairs, patches, and reactions handed on.
#include "detect.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "ellipsoid.h"
#include "initial_gaps.h"
#include "kind.h"
#include "pair_patches.h"
#include "part_pairs.h"
#include "persist.h"
#include "poses.h"
#include "rotation.h"
#include "search.h"

#define FEW_POINTS 64   // of a pair of bodies: up to as many are sorted before they go to the table
#define INHERIT_REACH \
  0.1   // of the smaller body's extent: how far a point looks for a reaction of the last step

// how far the fastest point of a row can go in one step without contact, m
static double travel(const Bodies *bodies, int row, const Shape *shape, const FreeMotion *motion)
{
  assert_debug(row >= 0 && row < bodies->table.count && "a body has a row");
  if (bodies->drive[row] == DRIVE_FIXED) return 0;
  const double gained =
      bodies->drive[row] == DRIVE_DYNAMIC ? motion->step * vec3_norm(motion->acceleration) : 0;
  const double distance = motion->step * (vec3_norm(bodies->velocity[row]) + gained +
                                          poses_turning_speed(shape, bodies->spin[row]));
  if (!motion->changes) return distance;
  const MotionChange change = motion->changes[row];
  return distance + change.path_excess +
         motion->step * (vec3_norm(change.velocity) + poses_turning_speed(shape, change.spin));
}

static double largest_part(const Shape *shape)
{
  double extent = shape->part_count > 0 ? 0 : shape->extent;
  for (int p = 0; p < shape->part_count; p++)
    if (shape->parts[p].hull.extent > extent) extent = shape->parts[p].hull.extent;
  return extent;
}

Box detect_box(const Bodies *bodies, int row, ShapeSet *shapes, const ContactSettings *settings,
               const FreeMotion *motion)
{
  assert_debug(row >= 0 && row < bodies->table.count && "a body has a row");
  assert_debug(!(motion->step < 0) && "a step goes forward");
  const Shape *shape = shape_set_get(shapes, bodies->shape[row]);
  const double half = 0.5 * motion->step;
  const vec3 center = vec3_axpy(half, bodies->velocity[row], bodies->position[row]);
  const mat3 r = quat_to_mat3(rotation_apply(bodies->orientation[row], bodies->spin[row], half));
  vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
  if (shape->sphere_radius > 0) {
    high = vec3_new(shape->sphere_radius, shape->sphere_radius, shape->sphere_radius);
    low = vec3_neg(high);
  }
  if (shape->radii.x > 0) {
    const Ellipsoid ellipsoid = ellipsoid_place(shape->radii, r);
    high = ellipsoid_half_box(&ellipsoid);
    low = vec3_neg(high);
  }
  const int lists = shape->surface ? 1 : shape->part_count;
  for (int p = 0; p < lists; p++) {
    const Polyhedron *hull = shape->surface ? NULL : &shape->parts[p].hull;
    const vec3 *places = hull ? hull->vertices : shape->surface->points;
    const int count = hull ? hull->vertex_count : shape->surface->point_count;
    for (int v = 0; v < count; v++) {
      const vec3 x = mat3_mul(r, places[v]);
      low = vec3_min(low, x);
      high = vec3_max(high, x);
    }
  }
  const double grow = 0.5 * settings->patch.margin * largest_part(shape) + settings->initial +
                      travel(bodies, row, shape, motion);
  const vec3 by = {grow, grow, grow};
  return (Box){vec3_sub(vec3_add(center, low), by), vec3_add(vec3_add(center, high), by)};
}

static int kept_axes(const Contacts *old, RowRange rows, KeptAxis *kept)
{
  assert_debug(rows.first >= 0 && rows.first <= rows.end && rows.end <= old->table.owned &&
               "rows of the last step");
  int count = 0;
  for (int i = rows.first; i < rows.end; i++) {
    if (contacts_bond(old, i) != BOND_NONE) continue;
    const KeptAxis axis = {(int)old->parts[i].low, (int)old->parts[i].high, old->axis[i].low,
                           old->axis[i].high};
    if (count > 0 && memcmp(&kept[count - 1], &axis, sizeof axis) == 0) continue;
    kept[count++] = axis;
  }
  return count;
}

// A point on its way into the table.
typedef struct {
  const Patch *patch;
  const PatchPoint *point;
} FoundPoint;

// Does a point of the same pair of bodies come before another in the table?
static bool point_before(const PatchPoint *p, const PatchPoint *q)
{
  if (p->part_a != q->part_a) return (uint32_t)p->part_a < (uint32_t)q->part_a;
  if (p->part_b != q->part_b) return (uint32_t)p->part_b < (uint32_t)q->part_b;
  if (p->feature_a != q->feature_a) return p->feature_a < q->feature_a;
  return p->feature_b < q->feature_b;
}

// The points of all patches, in the order of the table where they are not many.
static void gather_points(const PatchSet *set, FoundPoint *points)
{
  int count = 0;
  for (int p = 0; p < set->patch_count; p++) {
    for (int k = 0; k < set->patches[p].point_count; k++) {
      const FoundPoint point = {&set->patches[p], &set->patches[p].points[k]};
      int at = count++;
      for (; at > 0 && count <= FEW_POINTS && point_before(point.point, points[at - 1].point); at--)
        points[at] = points[at - 1];
      points[at] = point;
    }
  }
}

// Adds the points of a pair of bodies, in the order of the table.
static void append_points(Contacts *found, IdPair ids, const PatchSet *set, const PosedBody *low,
                          Arena *arena)
{
  assert_debug(ids.low < ids.high && "the lower id stands first");
  int count = 0;
  for (int p = 0; p < set->patch_count; p++) count += set->patches[p].point_count;
  if (count == 0) return;
  FoundPoint *points = arena_allocate(arena, (size_t)count * sizeof *points);
  gather_points(set, points);
  Table *table = &found->table;
  const int first = table->owned;
  table_reserve(table, first + count);
  for (int k = 0; k < count; k++) {
    const PatchPoint *point = points[k].point;
    const int row = table->owned++;
    found->bodies[row] = ids;
    found->parts[row] = (IndexPair){(uint32_t)point->part_a, (uint32_t)point->part_b};
    found->features[row] = (IndexPair){point->feature_a, point->feature_b};
    found->axis[row] = (IndexPair){point->axis_a, point->axis_b};
    found->reaction[row] = (vec3){0, 0, 0};
    found->anchor[row] = mat3_mul_transposed(low->rotation, point->point);
    found->point[row] = vec3_add(low->center, point->point);
    found->normal[row] = points[k].patch->normal;
    found->gap[row] = point->gap;
    found->area[row] = point->area;
    if (!found->bond) continue;
    if (contacts_held(found, row)) found->area[row] = 0;
    found->offset[row] = point->offset;
    found->bond[row] = BOND_NONE;
    found->anchor_high[row] = found->mortar[row] = (vec3){0, 0, 0};
  }
  table->count = table->owned;
  if (count > FEW_POINTS) table_sort(&found->table, first, count);
}

// Adds to a total and keeps the lowest pair that contributed.
static void count_pairs(int64_t *total, IdPair *first, int more, IdPair ids)
{
  assert_debug(more >= 0 && "pairs are counted");
  if (more == 0) return;
  if (*total == 0 || id_pair_before(ids, *first)) *first = ids;
  *total += more;
}

// Pairs of bodies one after another.
typedef struct {
  Poses poses;
  const Contacts *old;
  Contacts *found;
  int next_old;   // row of old where the next pair is likely to be
  Volumes old_volumes;
  int next_volume;   // likewise
  DetectReport report;
} PairSearch;

// The first step in which both bodies are there.
static bool pair_begins(const DetectInput *in, int low, int high)
{
  return in->newborn && (in->newborn[low] || in->newborn[high]);
}

static bool bonds_are_due(const DetectInput *in, int low, int high)
{
  return in->surfaces && pair_begins(in, low, high) &&
         surface_laws_of(in->surfaces, in->bodies, low, high)->bonded;
}

// Are they pieces of one body, which nothing parts?
static bool is_tied(const DetectInput *in, int low, int high)
{
  if (!in->surfaces || in->surfaces->cut_count == 0) return false;
  const SurfaceLaw *law =
      surface_laws_within(in->surfaces, in->bodies->id[low], in->bodies->id[high]);
  return law && law->cohesion == INFINITY;
}

// Bodies have gone half a step with the velocities that they had at its start.
static InitialPair initial_pair(const DetectInput *in, int low, int high, OldPoints known,
                                double reach)
{
  if (in->settings->initial == 0) return (InitialPair){.known = known};
  const Bodies *b = in->bodies;
  const Shape *a = shape_set_get(in->shapes, b->shape[low]);
  const Shape *c = shape_set_get(in->shapes, b->shape[high]);
  const double half = 0.5 * in->motion.step;
  const vec3 arm = vec3_sub(b->position[low], b->position[high]);
  const vec3 other = vec3_add(b->velocity[high], vec3_cross(b->spin[high], arm));
  return (InitialPair){.known = known,
                       .begins = pair_begins(in, low, high),
                       .way = vec3_scale(half, vec3_sub(b->velocity[low], other)),
                       .turn = vec3_scale(half, vec3_sub(b->spin[low], b->spin[high])),
                       .tolerance = in->settings->initial,
                       .near =
                           in->settings->patch.margin * smaller_of(a->extent, c->extent) + reach,
                       .rotation = in->mid[low].rotation};
}

static IdPair key_of(const Bodies *bodies, const KeptPair *pair)
{
  return id_pair_of(bodies->id[pair->a], bodies->id[pair->b]);
}

typedef struct {
  IdPair ids;
  KeptPair *pair;
} KeyedPair;

static int compare_keyed(const void *a, const void *b)
{
  const KeyedPair *p = a, *q = b;
  return id_pair_compare(p->ids, q->ids);
}

// Puts pairs sorted by rows in order of key, the order of the table. Pairs of own rows have it; of
// the others, which are few, each goes to its place among them.
static void order_pairs(const Bodies *bodies, CandidatePairs pairs, Arena *arena)
{
  assert(pairs.count >= 0 && (pairs.pairs != NULL || pairs.count == 0) && "pairs are given");
  if (bodies->table.owned == bodies->table.count) return;
  const ArenaMark mark = arena_mark(arena);
  int64_t others = 0, kept = 0;
  for (int64_t i = 0; i < pairs.count; i++) others += pairs.pairs[i]->b >= bodies->table.owned;
  KeyedPair *keyed = arena_allocate(arena, ((size_t)others + 1) * sizeof *keyed);
  others = 0;
  for (int64_t i = 0; i < pairs.count; i++) {
    KeptPair *pair = pairs.pairs[i];
    if (pair->b < bodies->table.owned) pairs.pairs[kept++] = pair;
    else keyed[others++] = (KeyedPair){key_of(bodies, pair), pair};
  }
  if (others > 1) qsort(keyed, (size_t)others, sizeof *keyed, compare_keyed);

  // merged from the end, where there is room
  for (int64_t to = pairs.count; others > 0;) {
    const bool own = kept > 0 && id_pair_compare(key_of(bodies, pairs.pairs[kept - 1]),
                                                 keyed[others - 1].ids) > 0;
    pairs.pairs[--to] = own ? pairs.pairs[--kept] : keyed[--others].pair;
  }
  arena_release(arena, mark);
}

// A body where it was at the start of the step.
static PosedBody pose_at_start(const DetectInput *in, int row, const PosedBody *middle)
{
  const Bodies *b = in->bodies;
  const double back = -0.5 * in->motion.step;
  PosedBody body = *middle;
  body.center = vec3_axpy(back, b->velocity[row], body.center);
  body.rotation = quat_to_mat3(rotation_apply(b->orientation[row], b->spin[row], back));
  return body;
}

// Do base surfaces meet before the step, and not because fast bodies go into each other in it?
static bool meets_at_start(const DetectInput *in, int low, int high, const ModelPair *pair,
                           Arena *arena)
{
  assert_debug(in->settings->model == CONTACT_MODEL_LMD && "surfaces as wholes");
  const PosedBody a = pose_at_start(in, low, pair->a), b = pose_at_start(in, high, pair->b);
  ModelPair before = *pair;
  before.a = &a;
  before.b = &b;
  return model_find(in->settings->model, &before, arena).meets;
}

// Rows of the last step of a pair; pairs come in order of key.
static OldVolumes old_volumes(PairSearch *search, IdPair ids)
{
  const Volumes *old = &search->old_volumes;
  int first = search->next_volume;
  while (first < old->table.owned && id_pair_before(old->bodies[first], ids)) first++;
  int end = first;
  while (end < old->table.owned && id_pair_equal(old->bodies[end], ids)) end++;
  search->next_volume = end;
  return (OldVolumes){old, first, end};
}

// Two bodies with the volumetric law, which is no matter of points.
static void detect_volumes(PairSearch *search, IdPair ids, int low, int high, const SurfaceLaw *law)
{
  const DetectInput *in = search->poses.in;
  const Bodies *b = in->bodies;
  Arena *arena = search->poses.arena;
  const CompliantPair pair = {.ids = ids,
                              .low = poses_get_volume(&search->poses, low),
                              .high = poses_get_volume(&search->poses, high),
                              .mid_low = &in->mid[low],
                              .mid_high = &in->mid[high],
                              .start_low = {b->velocity[low], b->spin[low]},
                              .start_high = {b->velocity[high], b->spin[high]},
                              .law = law,
                              .step = in->motion.step,
                              .pooled = in->settings->rows_of_bodies};
  const ArenaMark mark = arena_mark(arena);
  const CompliantCount found =
      compliant_pair_add(&pair, old_volumes(search, ids), in->volumes, arena);
  arena_release(arena, mark);
  DetectReport *report = &search->report;
  DetectCount *count = &report->counts[bodies_pair_owner(b, low, high)];
  count->pairs++;
  count->parts.part_boxes += found.count.part_boxes;
  count->parts.parted += found.count.parted;
  count->parts.touching += found.count.touching;
  count_pairs(&report->failed, &report->first_failed, found.failed, ids);
  count_pairs(&report->rerouted, &report->first_rerouted, found.rerouted, ids);
}

// The law of a pair of rows, where it is the volumetric one; else NULL.
static const SurfaceLaw *volumetric_law(const DetectInput *in, int low, int high)
{
  if (!in->surfaces || !in->surfaces->compliant) return NULL;
  const SurfaceLaw *law = surface_laws_of(in->surfaces, in->bodies, low, high);
  return law->volumetric.stiffness > 0 ? law : NULL;
}

static void detect_pair(PairSearch *search, KeptPair *pair)
{
  Poses *poses = &search->poses;
  const Contacts *old = search->old;
  Contacts *found = search->found;
  DetectReport *report = &search->report;
  const DetectInput *in = poses->in;
  const Bodies *bodies = in->bodies;
  const IdPair ids = key_of(bodies, pair);
  const bool ordered = bodies->id[pair->a] == ids.low;
  const int low_row = ordered ? pair->a : pair->b, high_row = ordered ? pair->b : pair->a;
  if (in->hash_pairs)
    report->pairs_hash = hash_add(report->pairs_hash, hash_bytes(&ids, sizeof ids, 3));
  const SurfaceLaw *compliant = volumetric_law(in, low_row, high_row);
  if (compliant && in->volumes) {
    detect_volumes(search, ids, low_row, high_row, compliant);
    return;
  }
  const PosedBody *low = poses_get(poses, low_row), *high = poses_get(poses, high_row);
  const ArenaMark mark = arena_mark(poses->arena);

  // axes of the last step, then patches
  const RowRange rows = persist_rows_next(old, ids, &search->next_old);
  KeptAxis *kept =
      arena_allocate(poses->arena, ((size_t)(rows.end - rows.first) + 1) * sizeof *kept);
  const int kept_count = kept_axes(old, rows, kept);
  const double reach = pair_patches_reach(in, low, high), extent = pair_patches_extent(low, high);
  const OldPoints known = {old, rows};
  const InitialPair initial = initial_pair(in, low_row, high_row, known, reach);
  const ModelPair posed = {.a = low,
                           .b = high,
                           .parameters = &in->settings->patch,
                           .reach = reach + initial_gaps_reach(&initial),
                           .turn = in->settings->lmd.turn,
                           .kept = kept,
                           .kept_count = kept_count,
                           .displaced = pair_patches_displaced(in, low_row, high_row),
                           .hints = {&pair->apart, 1}};
  const int first = found->table.owned;
  PatchSet set = {0};
  const BondPair bonds = {.ids = ids,
                          .low = low,
                          .high = high,
                          .margin = in->settings->patch.margin,
                          .bodies = bodies,
                          .low_row = low_row,
                          .high_row = high_row,
                          .tied = is_tied(in, low_row, high_row)};
  const bool due = bonds_are_due(in, low_row, high_row);
  const FiniteSeamNode *nodes = NULL;
  const FiniteSeam *seam = due ? surface_laws_seam(in->surfaces, ids.low, ids.high, &nodes) : NULL;
  if (seam) bonds_weld(&bonds, seam, nodes, found, &report->bonds);
  else if (!bonds_carry(&bonds, old, rows, found, &report->bonds))
    set = model_find(in->settings->model, &posed, poses->arena);
  const bool meshed = kind_mesh(bodies, low_row) || kind_mesh(bodies, high_row);
  const bool sampled = meshed && in->settings->model == CONTACT_MODEL_PATCH;
  if (sampled) pair_patches_sample(poses, low_row, high_row, &set);
  if (sampled) pair_patches_share(poses, low_row, high_row, &set);
  if (due && !seam) {
    PatchSet faces = set;
    if (in->settings->model != CONTACT_MODEL_PATCH) {
      faces = model_find(CONTACT_MODEL_PATCH, &posed, poses->arena);
      if (meshed) pair_patches_sample(poses, low_row, high_row, &faces);
    }
    if (bonds.tied && meshed) pair_patches_share_weld(poses, low_row, high_row, &faces);
    else if (meshed && !sampled) pair_patches_share(poses, low_row, high_row, &faces);
    bonds_make(&bonds, &faces, found, &report->bonds);
  }
  bonds_replace(&bonds, found, first, &set);
  const bool bonded = found->table.owned > first;
  initial_gaps_take(&initial, &set);
  const ShapePair shapes = {low->shape, high->shape};
  if (!sampled)
    report->sparsified += sparsify_set(&set, shapes, &in->settings->sparsify, known, poses->arena);
  DetectCount *count = &report->counts[bodies_pair_owner(bodies, low_row, high_row)];
  count->pairs++;
  count->parts.part_boxes += set.count.part_boxes;
  count->parts.parted += set.count.parted;
  count->parts.touching += set.count.touching;
  append_points(found, ids, &set, low, poses->arena);
  if (bonded) table_sort(&found->table, first, found->table.owned - first);
  assert((first == 0 || id_pair_compare(found->bodies[first - 1], ids) < 0) &&
         "pairs come in order of key");

  // reactions of the last step
  const PersistCount handed = persist_reactions(known, found, (RowRange){first, found->table.owned},
                                                INHERIT_REACH * extent, poses->arena);
  report->matched += handed.matched;
  report->inherited += handed.inherited;
  count_pairs(&report->failed, &report->first_failed, set.failed, ids);
  // (bodies whose volumes count may overlap as they like, also where no volumes are asked for)
  const bool begins = set.meets && !compliant && pair_begins(in, low_row, high_row) &&
                      meets_at_start(in, low_row, high_row, &posed, poses->arena);
  count_pairs(&report->met, &report->first_met, begins, ids);
  count_pairs(&report->rerouted, &report->first_rerouted, set.rerouted, ids);
  arena_release(poses->arena, mark);
}

// Pairs of bodies that contact is looked for between on this rank.
static bool is_wanted(const void *context, int a, int b)
{
  const DetectInput *in = context;
  const Bodies *bodies = in->bodies;
  const int low = bodies->id[a] < bodies->id[b] ? a : b, high = low == a ? b : a;
  if (!pair_patches_allowed(in, low, high)) return false;
  return bodies_pair_owner(bodies, low, high) < bodies->table.owned;
}

DetectReport detect_contacts(const DetectInput *in, const Box *boxes, const Contacts *old,
                             Contacts *found, Arena *arena)
{
  assert(in->bodies != NULL && in->mid != NULL && in->shapes != NULL &&
         "bodies have places and shapes");
  assert(in->settings->model < CONTACT_MODEL_COUNT && "a contact model that there is");
  assert((boxes != NULL || in->bodies->table.count == 0) && "all rows have boxes");
  assert(old != NULL && found != NULL && arena != NULL && "the points have a place");
  const Bodies *bodies = in->bodies;
  const size_t own = (size_t)bodies->table.owned + 1;
  DetectCount *counts = arena_allocate_zero(arena, own, sizeof *counts);
  const ArenaMark mark = arena_mark(arena);
  Contacts aside;
  if (found == old) {
    contacts_begin(&aside);
    table_leave_out(&aside.table, FIELD_SCENE);
    table_copy_owned(&aside.table, &old->table, arena);
    old = &aside;
  }
  found->table.owned = found->table.count = 0;
  const CandidateInput candidates = {.owned = bodies->table.owned,
                                     .count = bodies->table.count,
                                     .ids = bodies->id,
                                     .boxes = boxes,
                                     .is_wanted = is_wanted,
                                     .context = in};
  Candidates unknown = {0};
  const CandidatePairs pairs =
      candidates_find(in->candidates ? in->candidates : &unknown, &candidates, arena);
  order_pairs(bodies, pairs, arena);

  // every pose first, so that a pair's scratch can be released behind it
  PairSearch search = {.poses = poses_new(in, boxes, arena),
                       .old = old,
                       .found = found,
                       .report = {.pairs = pairs.count, .counts = counts}};
  if (in->volumes) {
    table_begin(&search.old_volumes.table, &VOLUMES_SCHEMA);
    table_leave_out(&search.old_volumes.table, FIELD_SCENE);
    table_copy_owned(&search.old_volumes.table, &in->volumes->table, arena);
    in->volumes->table.owned = in->volumes->table.count = 0;
  }
  for (int64_t i = 0; i < pairs.count; i++) {
    poses_get(&search.poses, pairs.pairs[i]->a);
    poses_get(&search.poses, pairs.pairs[i]->b);
  }
  // (pieces beside a pair, too)
  const bool cuts = in->surfaces && in->surfaces->cut_count > 0;
  for (int row = 0; cuts && row < bodies->table.count; row++)
    if (pair_patches_piece(in, row)) poses_get(&search.poses, row);
  for (int64_t i = 0; i < pairs.count; i++) detect_pair(&search, pairs.pairs[i]);
  candidates_drop(&unknown);
  // (poses are kilobytes a body: the solver takes their place)
  arena_release(arena, mark);
  return search.report;
}
