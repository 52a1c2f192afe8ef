// Patches along the best axis of all. Few pairs need more: where the axis of largest separation
// stands alone and gives a patch, no other has been tried before it, and the common solid would do
// no more than confirm its edges. The result is, bit for bit, that of the whole search; where
// anything but that axis could have a say the question stays open.
//
// The edges that can matter separate as much as the best face. One vertex of the other part rules
// out nearly all others. A place on both edges that lies inside of all other planes, pushed out,
// shows that their faces bound the common solid.
#include "patch_axes.h"

// One pair at work.
typedef struct {
  PartPair *pair;
  AxisList *list;
  PairPatch *patch;
  int face_axes;    // in the list, which edges follow
  bool by_labels;   // edges count where their faces bound the common solid
  Arena *arena;
} Best;

// Would the whole search have this axis for certain?
static bool axis_counts(const Best *best, Axis *axis)
{
  axis->counts = axis->counts || !axis_is_of_edges(axis) || !best->by_labels ||
                 patch_edges_bound_common(best->pair, axis, pair_dilation(best->pair));
  return axis->counts;
}

// Do the parts overlap for certain? All faces and edges of convex bodies are candidates.
static bool parts_overlap(const Best *best)
{
  const PartPair *pair = best->pair;
  const bool whole = pair->a->shape->part_count == 1 && pair->b->shape->part_count == 1;
  return !best->by_labels || (whole && pair->separation < -bound_slack(pair));
}

// Do the parts meet for certain, their planes pushed out?
static bool parts_meet(const Best *best)
{
  if (parts_overlap(best)) return true;
  const PartPair *pair = best->pair;
  const double height = pair_dilation(pair) - bound_slack(pair);
  for (int i = 0; i < best->patch->count; i++) {
    const vec3 x = best->patch->points[i].x;
    if (polyhedron_holds(&pair->hull_a, x, height) && polyhedron_holds(&pair->hull_b, x, height))
      return true;
  }
  return false;
}

// Is the pair too deep whatever edges say, those inside of bodies included?
static PairOutcome find_deep(const Best *best)
{
  const PartPair *pair = best->pair;
  const int before = best->list->count;
  patch_edges_add_above(pair, -PATCH_MAX_DEPTH * pair->small_extent - bound_slack(pair), true,
                        best->list, best->arena);
  return best->list->count == before ? PAIR_DEEP : PAIR_OPEN;
}

// The separation with all edges. PAIR_OPEN: known, though not what the search comes to; false:
// unknown.
static bool raise_by_edges(const Best *best, PairOutcome *outcome)
{
  PartPair *pair = best->pair;
  Axis *top = NULL;
  for (int i = best->face_axes; i < best->list->count; i++) {
    Axis *axis = &best->list->items[i];
    if (top == NULL || axis->separation > top->separation) top = axis;
  }
  *outcome = PAIR_OPEN;
  if (top == NULL || !(top->separation > pair->separation)) return true;
  const bool apart = top->separation > pair->margin + pair->reach;
  if (!(apart && patch_edges_part_dilated(pair, top, pair_dilation(pair))) &&
      !axis_counts(best, top))
    return false;
  if (apart) *outcome = PAIR_APART;
  raise_separation(pair, top->separation, top->n);
  return true;
}

// The patch along the axis of the last step, which stays while it is near the best; PAIR_MISSED:
// there is none.
static PairOutcome find_kept(const Best *best, const KeptAxis *own)
{
  Axis axis;
  if (!patch_axes_measure_kept(best->pair, own, &axis)) return PAIR_MISSED;
  if (axis_is_of_edges(&axis) && !patch_edges_turn_once(best->pair, &axis)) return PAIR_OPEN;
  if (!patch_axes_is_near(best->pair, &axis)) return PAIR_MISSED;
  if (!patch_build(best->pair, &axis, best->patch, NULL, best->arena)) return PAIR_MISSED;
  return parts_meet(best) ? PAIR_PATCH : PAIR_OPEN;
}

// The axis that is next to be tried; NULL where others that the whole search may not have, or that
// only velocities tell from it, would be tried with it. known: velocities are.
static const Axis *next_axis(const Best *best, double least, bool known)
{
  const PartPair *pair = best->pair;
  double top = -INFINITY;
  for (int i = 0; i < best->list->count; i++) {
    const Axis *axis = &best->list->items[i];
    if (!axis->tried && axis->separation >= least && axis->key > top) top = axis->key;
  }
  const Axis *first = NULL;
  for (int i = 0; i < best->list->count; i++) {
    Axis *axis = &best->list->items[i];
    if (axis->tried || axis->separation < least || axis->key < top - pair->tie) continue;
    if (!axis_counts(best, axis)) return NULL;
    if (first == NULL) first = axis;
    const vec3 turn = vec3_sub(axis->n, first->n);
    if (!known && vec3_dot(turn, turn) > PATCH_SAME_NORMAL * PATCH_SAME_NORMAL) return NULL;
  }
  return first == NULL ? NULL : patch_axes_next(pair, best->list, least);
}

// A point or line: the axis that will be best at the end of the step. False where that is unknown.
static bool look_ahead(const Best *best, double least, double look)
{
  PartPair *pair = best->pair;
  PairPatch *patch = best->patch;
  pair_set_middle(pair, patch_middle(patch));
  if (!(look * pair->speed <= pair->reach)) return false;
  patch_axes_rank(pair, best->list, look);
  const double lowest_of_all = larger_of(least, patch->separation - look * pair->speed);
  for (;;) {
    const Axis *axis = next_axis(best, lowest_of_all, true);
    if (axis == NULL) return false;
    // (the patch is known)
    if (axis->axis_a == patch->axis_a && axis->axis_b == patch->axis_b) return true;
    if (patch_build(pair, axis, patch, NULL, best->arena)) return true;
  }
}

// The edges beside the faces in the list: those that separate by more than level.
static void list_edges(const Best *best, double level)
{
  best->list->count = best->face_axes;
  const double least = -PATCH_MAX_DEPTH * best->pair->small_extent;
  patch_edges_add_above(best->pair, larger_of(level, least), false, best->list, best->arena);
}

// Edges that separate less have no say in which axis is tried first. The best candidate may be
// below the separation of parts that have faces inside of a body, and what comes nearer by the
// reach may be best at the end of the step.
static double level_of_new(const Best *best)
{
  const PartPair *pair = best->pair;
  double top = -INFINITY;
  for (int i = 0; i < best->face_axes; i++) top = larger_of(top, best->list->items[i].separation);
  return smaller_of(top, pair->separation) - 3 * pair->tie - pair->reach;
}

// The first axis in order that gives a patch; PAIR_MISSED: none does, whether the whole search has
// it or not.
static PairOutcome find_first(const Best *best, double least)
{
  const Axis *axis = next_axis(best, least, false);
  if (axis == NULL) return PAIR_OPEN;
  if (patch_build(best->pair, axis, best->patch, NULL, best->arena)) return PAIR_PATCH;

  // so far the list had the best alone
  list_edges(best, least - best->pair->tie);
  patch_axes_rank(best->pair, best->list, 0);
  while ((axis = next_axis(best, least, false)) != NULL) {
    if (patch_build(best->pair, axis, best->patch, NULL, best->arena)) return PAIR_PATCH;
  }
  for (int i = 0; i < best->list->count; i++) {
    axis = &best->list->items[i];
    if (axis->tried || axis->separation < least) continue;
    if (patch_build(best->pair, axis, best->patch, NULL, best->arena)) return PAIR_OPEN;
  }
  return PAIR_MISSED;
}

static PairOutcome find_new(const Best *best)
{
  PartPair *pair = best->pair;
  const double least = pair->separation - pair_width(pair->margin, pair->separation);
  patch_axes_rank(pair, best->list, 0);
  const PairOutcome outcome = find_first(best, least);
  if (outcome == PAIR_MISSED && !(pair->separation < -pair->rounding)) return PAIR_APART;
  if (outcome == PAIR_MISSED) return parts_overlap(best) ? PAIR_MISSED : PAIR_OPEN;
  if (outcome == PAIR_OPEN || !parts_meet(best)) return PAIR_OPEN;
  const double look = reach_time(pair->a, pair->b, pair->reach);
  if (best->patch->area <= 0 && look > 0 && !look_ahead(best, least, look)) return PAIR_OPEN;
  return PAIR_PATCH;
}

PairOutcome patch_best_find(PartPair *pair, AxisList *list, const KeptAxis *own, PairPatch *patch,
                            Arena *arena)
{
  assert_debug(pair->separation > -INFINITY && "axes of faces have been measured");
  const Best best = {.pair = pair,
                     .list = list,
                     .patch = patch,
                     .face_axes = list->count,
                     .by_labels = !pair_has_many_faces(pair),
                     .arena = arena};
  if (!(bound_slack(pair) < pair->margin)) return PAIR_OPEN;
  const double separation = pair->separation;
  const vec3 n = pair->best;
  PairOutcome outcome = PAIR_OPEN;
  list_edges(&best, own != NULL ? separation : level_of_new(&best));
  if (raise_by_edges(&best, &outcome) && outcome == PAIR_OPEN) {
    const bool deep = pair_is_deep(pair);
    outcome = deep ? find_deep(&best) : own != NULL ? find_kept(&best, own) : find_new(&best);
    if (!deep && own != NULL && outcome == PAIR_MISSED) {
      list_edges(&best, level_of_new(&best));
      outcome = find_new(&best);
    }
  }
  if (outcome == PAIR_OPEN) {
    list->count = best.face_axes;
    pair->separation = separation;
    pair->best = n;
  }
  return outcome;
}
