// From any points in the plane of a patch to the few that hold it: hull, collapse, chords,
// tributary areas.
#include <assert.h>

#include "check.h"
#include "contacts.h"
#include "patch_pair.h"

#define DEEPER 0.1   // of the margin: a place that is deeper than all kept ones by more is a point
#define BULGE \
  0.01   // of the margin: so is one inside that is lower by more than the corners tell, and
         // not higher than all of them by more than a DEEPER
#define SURELY 1.000001   // squares larger by this factor are larger whatever was rounded

// A place and whose it is.
typedef struct {
  double u, v;
  int index;
} PlaceKey;

static bool place_before(const PlaceKey *p, const PlaceKey *q)
{
  return p->u < q->u || (p->u == q->u && p->v < q->v);
}

// Where figures are regular nothing but rounding, or the order of the bodies, would choose among
// corners and sides: the one further along this direction, which no ordinary scene has, goes first.
static double skew_of(vec3 x) { return vec3_dot(x, (vec3){0.419, 0.273, 0.866}); }

static bool is_skewer(const PlanePoint *p, const PlanePoint *q)
{
  return skew_of(vec3_sub(p->x, q->x)) > 0;
}

// Places in order; equal ones as they come.
static void sort_places(const PlanePoint *points, int count, PlaceKey *keys)
{
  for (int i = 0; i < count; i++) {
    const PlaceKey key = {points[i].u, points[i].v, i};
    int j = i;
    for (; j > 0 && place_before(&key, &keys[j - 1]); j--) keys[j] = keys[j - 1];
    keys[j] = key;
  }
}

static double square_distance(const PlanePoint *p, const PlanePoint *q)
{
  const double du = p->u - q->u, dv = p->v - q->v;
  return du * du + dv * dv;
}

static double distance(const PlanePoint *p, const PlanePoint *q)
{
  return sqrt(square_distance(p, q));
}

// Of two points at one place: the deeper one, else the one whose key comes first (rounding must not
// choose).
static bool point_preferred(const PlanePoint *p, const PlanePoint *q, double rounding)
{
  if (p->gap < q->gap - rounding || q->gap < p->gap - rounding) return p->gap < q->gap;
  if (p->part_a != q->part_a) return p->part_a < q->part_a;
  if (p->part_b != q->part_b) return p->part_b < q->part_b;
  if (p->feature_a != q->feature_a) return p->feature_a < q->feature_a;
  return p->feature_b < q->feature_b;
}

// One point per place, in the order of the places.
static int merge_places(const PlanePoint *points, int count, double tolerance, double rounding,
                        const PlaceKey *keys, PlanePoint *merged)
{
  assert_debug(count > 0 && !(tolerance < 0) && "places merge within a distance");
  int kept = 0;
  for (int i = 0; i < count; i++) {
    const PlanePoint *p = &points[keys[i].index];
    int twin = -1;
    for (int j = kept - 1; j >= 0 && twin < 0 && p->u - merged[j].u <= tolerance; j--) {
      if (square_distance(p, &merged[j]) <= tolerance * tolerance) twin = j;
    }
    if (twin < 0) {
      merged[kept++] = *p;
    } else if (point_preferred(p, &merged[twin], rounding)) {
      // the place stays, so that the order stays
      const PlanePoint place = merged[twin];
      merged[twin] = *p;
      merged[twin].u = place.u;
      merged[twin].v = place.v;
    }
  }
  return kept;
}

static double cross_of(const PlanePoint *a, const PlanePoint *b, const PlanePoint *c)
{
  return (b->u - a->u) * (c->v - a->v) - (b->v - a->v) * (c->u - a->u);
}

// Strictly convex hull of sorted points (Andrew 1979), counter-clockwise from the first; indices
// into points. No tolerance here: points on a side along v are sorted by rounding, and a chord with
// tolerance would take the end of such a side for a point on it. Corners that hardly stand out go
// later, by the area they hold.
static int hull_of_points(const PlanePoint *points, int count, int *hull)
{
  if (count < 3) {
    for (int i = 0; i < count; i++) hull[i] = i;
    return count;
  }
  int size = 0;
  for (int i = 0; i < count; i++) {
    while (size >= 2 && cross_of(&points[hull[size - 2]], &points[hull[size - 1]], &points[i]) <= 0)
      size--;
    hull[size++] = i;
  }
  const int lower = size + 1;
  for (int i = count - 2; i >= 0; i--) {
    while (size >= lower &&
           cross_of(&points[hull[size - 2]], &points[hull[size - 1]], &points[i]) <= 0)
      size--;
    hull[size++] = i;
  }
  return size - 1;
}

static double hull_area(const PlanePoint *points, const int *hull, int size)
{
  assert_debug(size >= 3 && "a polygon has three corners");
  double twice = 0;
  for (int i = 1; i + 1 < size; i++)
    twice += cross_of(&points[hull[0]], &points[hull[i]], &points[hull[i + 1]]);
  return 0.5 * twice;
}

// Smallest width of the hull and the unit direction at right angles to it; of widths that differ by
// rounding alone any.
static double hull_width(const PlanePoint *points, const int *hull, int size, double rounding,
                         double direction[2])
{
  double least = INFINITY, skewest = 0;
  for (int k = 0; k < size; k++) {
    const PlanePoint *a = &points[hull[k]], *b = &points[hull[k + 1 == size ? 0 : k + 1]];
    const double length = distance(a, b);
    double widest = 0;
    for (int i = 0; i < size; i++) {
      const double twice = fabs(cross_of(a, b, &points[hull[i]]));
      if (twice > widest) widest = twice;
    }
    widest /= length;
    if (widest > least + rounding) continue;
    const double skew = fabs(skew_of(vec3_sub(b->x, a->x))) / length;
    if (widest < least - rounding || skew > skewest + PATCH_TIE) {
      least = widest;
      skewest = skew;
      direction[0] = (b->u - a->u) / length;
      direction[1] = (b->v - a->v) / length;
    }
  }
  return least;
}

// Is the hull surely wider than that? Distances squared, without the roots and quotients that the
// width itself takes; unsure within rounding.
static bool hull_is_wider(const PlanePoint *points, const int *hull, int size, double width)
{
  for (int k = 0; k < size; k++) {
    const PlanePoint *a = &points[hull[k]], *b = &points[hull[k + 1 == size ? 0 : k + 1]];
    const double least = SURELY * (width * width) * square_distance(a, b);
    bool wider = false;
    for (int i = 0; i < size && !wider; i++) {
      const double twice = cross_of(a, b, &points[hull[i]]);
      wider = twice * twice > least;
    }
    if (!wider) return false;
  }
  return true;
}

// One point for those whose coordinate along the sliver lies in [low, high]: mean place, smallest
// gap.
static PlanePoint mean_point(const PlanePoint *points, const int *hull, int size,
                             const double *along, double low, double high)
{
  PlanePoint mean = {0};
  double u = 0, v = 0;
  vec3 x = {0, 0, 0};
  int count = 0;
  for (int i = 0; i < size; i++) {
    if (along[i] < low || along[i] > high) continue;
    const PlanePoint *p = &points[hull[i]];
    if (count == 0 || p->gap < mean.gap) mean = *p;
    u += p->u;
    v += p->v;
    x = vec3_add(x, p->x);
    count++;
  }
  assert(count > 0 && "an end of a sliver holds a point");
  const double share = 1.0 / count;
  mean.u = share * u;
  mean.v = share * v;
  mean.x = vec3_scale(share, x);
  return mean;
}

// A sliver becomes its two ends, a spot one point.
static void collapse(PairPatch *patch, const PlanePoint *points, const int *hull, int size,
                     const double direction[2], Arena *arena)
{
  assert_debug(size > 0 && "a hull has corners");
  double *along = arena_allocate(arena, (size_t)size * sizeof *along);
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < size; i++) {
    along[i] = direction[0] * points[hull[i]].u + direction[1] * points[hull[i]].v;
    if (along[i] < low) low = along[i];
    if (along[i] > high) high = along[i];
  }
  patch->area = 0;
  if (high - low <= patch->width) {
    patch->count = 1;
    patch->points[0] = mean_point(points, hull, size, along, low, high);
  } else {
    // ends of a sliver longer than wide: halves never share a point, and one in the middle, which
    // rounding would give to either, is of none
    const double half = 0.5 * (high - low) - patch->rounding;
    const double end = patch->width < half ? patch->width : half;
    patch->count = 2;
    patch->points[0] = mean_point(points, hull, size, along, low, low + end);
    patch->points[1] = mean_point(points, hull, size, along, high - end, high);
  }
}

// Drops, smallest loss of area first, corners nearer than a width to the chord of their
// neighbours, then any until max_points are left; never below a triangle.
static int drop_corners(const PairPatch *patch, const PlanePoint *points, double width, int *hull,
                        int size)
{
  assert_debug(size >= 3 && "a polygon has three corners");
  while (size > 3) {
    int best = -1;
    double least = INFINITY;
    for (int k = 0; k < size; k++) {
      const PlanePoint *a = &points[hull[k == 0 ? size - 1 : k - 1]], *b = &points[hull[k]];
      const PlanePoint *c = &points[hull[k + 1 == size ? 0 : k + 1]];
      const double loss = cross_of(a, b, c);
      const bool far = loss > 0 && loss * loss > SURELY * (width * width) * square_distance(a, c);
      if (far && size <= patch->max_points) continue;
      const bool near_chord = loss <= width * distance(a, c);
      if (!near_chord && size <= patch->max_points) continue;
      // a loss that is smaller by rounding alone does not count
      const double tie = PATCH_TIE * loss + patch->rounding * distance(a, c);
      if (loss < least - tie || (loss <= least + tie && is_skewer(b, &points[hull[best]]))) {
        best = k;
        least = loss;
      }
    }
    if (best < 0) break;
    for (int k = best; k + 1 < size; k++) hull[k] = hull[k + 1];
    size--;
  }
  return size;
}

typedef struct {
  double u, v;
} PlanePlace;

// Centroid of the polygon of points[order[0..count)]; order NULL: points in their own order.
static PlanePlace polygon_centroid(const PlanePoint *points, const int *order, int count)
{
  assert_debug(count >= 3 && "a polygon has three corners");
  const PlanePoint *p0 = &points[order ? order[0] : 0];
  double twice = 0, u = 0, v = 0;
  for (int i = 1; i + 1 < count; i++) {
    const PlanePoint *p = &points[order ? order[i] : i];
    const PlanePoint *q = &points[order ? order[i + 1] : i + 1];
    const double t = cross_of(p0, p, q);
    twice += t;
    u += t * (p->u + q->u - 2 * p0->u);
    v += t * (p->v + q->v - 2 * p0->v);
  }
  return (PlanePlace){p0->u + u / (3 * twice), p0->v + v / (3 * twice)};
}

// Centroid of pieces, from the areas of their points.
static PlanePlace pieces_centroid(const PlanePoint *points, int count)
{
  assert_debug(count > 0 && "there are pieces");
  double area = 0, u = 0, v = 0;
  for (int i = 0; i < count; i++) {
    area += points[i].area;
    u += points[i].area * (points[i].u - points[0].u);
    v += points[i].area * (points[i].v - points[0].v);
  }
  return (PlanePlace){points[0].u + u / area, points[0].v + v / area};
}

// Hands out a share of the area as the corners' own polygon would: to the ends of each side half of
// its triangle about the centroid, so that the shares have the polygon's centroid.
static void share_evenly(PairPatch *patch, const PlanePoint *center, double share)
{
  PlanePoint *p = patch->points;
  const int n = patch->count;
  double twice = 0;
  for (int i = 0; i < n; i++) twice += cross_of(center, &p[i], &p[i + 1 == n ? 0 : i + 1]);
  for (int i = 0; i < n; i++) {
    const int j = i + 1 == n ? 0 : i + 1;
    const double half = 0.5 * cross_of(center, &p[i], &p[j]) / twice * share;
    p[i].area += half;
    p[j].area += half;
  }
}

// Tributary areas: positive, their sum the area of the patch, their centroid that of the true
// contact, so that an even pressure acts where it should. Where the polygon of the corners has
// another centroid (pieces that do not fill it, corners dropped) the true one lies in one of the
// triangles about it; its corners get its barycentric shares, the centre's being handed out evenly.
static void share_area(PairPatch *patch, PlanePlace truth, PlanePlace middle, double rounding)
{
  assert_debug(patch->count >= 3 && "a polygon has three corners");
  PlanePoint *p = patch->points;
  const int n = patch->count;
  for (int i = 0; i < n; i++) p[i].area = 0;
  const PlanePoint center = {.u = middle.u, .v = middle.v}, mean = {.u = truth.u, .v = truth.v};
  double even = 1;
  if (distance(&center, &mean) > rounding) {
    for (int i = 0; i < n; i++) {
      const int j = i + 1 == n ? 0 : i + 1;
      const double whole = cross_of(&center, &p[i], &p[j]);
      double of_i = cross_of(&center, &mean, &p[j]) / whole;
      double of_j = cross_of(&center, &p[i], &mean) / whole;
      if (of_i < 0 || of_j < 0) continue;
      // beyond the side where corners were dropped: the nearest there is
      const double both = of_i + of_j > 1 ? of_i + of_j : 1;
      of_i /= both;
      of_j /= both;
      p[i].area = of_i * patch->area;
      p[j].area = of_j * patch->area;
      even = 1 - of_i - of_j;
      break;
    }
  }
  share_evenly(patch, &center, (even > 0 ? even : 0) * patch->area);
}

// The lowest that the gaps of the kept points allow at a place if the bodies only turn and move:
// the least mean of three points about it. A place that was dropped from a side may be outside by
// the feature width; farther out the points say nothing: -INFINITY.
static double gap_by_kept(const PairPatch *patch, const PlanePoint *place)
{
  double least = INFINITY;
  const PlanePoint *p = patch->points;
  for (int i = 0; i < patch->count; i++) {
    for (int j = i + 1; j < patch->count; j++) {
      for (int k = j + 1; k < patch->count; k++) {
        const double whole = cross_of(&p[i], &p[j], &p[k]), sign = whole < 0 ? -1 : 1;
        if (fabs(whole) <= patch->feature_width * patch->feature_width) continue;
        const double of_i = sign * cross_of(&p[j], &p[k], place);
        const double of_j = sign * cross_of(&p[k], &p[i], place);
        const double of_k = sign * cross_of(&p[i], &p[j], place);
        if (of_i < -patch->feature_width * distance(&p[j], &p[k]) ||
            of_j < -patch->feature_width * distance(&p[k], &p[i]) ||
            of_k < -patch->feature_width * distance(&p[i], &p[j])) {
          continue;
        }
        const double mean = (of_i * p[i].gap + of_j * p[j].gap + of_k * p[k].gap) / fabs(whole);
        if (mean < least) least = mean;
      }
    }
  }
  return least < INFINITY ? least : -INFINITY;
}

// The deepest place that the kept points do not hold, or NULL.
static const PlanePoint *deepest_unheld(const PairPatch *patch, const PlanePoint *points, int count)
{
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < patch->count; i++) {
    if (patch->points[i].gap < low) low = patch->points[i].gap;
    if (patch->points[i].gap > high) high = patch->points[i].gap;
  }
  const double deeper = DEEPER * patch->margin, bulge = BULGE * patch->margin;
  const PlanePoint *deepest = NULL;
  for (int i = 0; i < count; i++) {
    const PlanePoint *p = &points[i];
    if (p->gap >= high - bulge || p->gap > low + deeper) continue;
    // rounding does not choose among equals
    if (deepest != NULL && p->gap > deepest->gap - patch->rounding &&
        (p->gap > deepest->gap + patch->rounding || !is_skewer(p, deepest))) {
      continue;
    }
    if (p->gap < low - deeper || p->gap < gap_by_kept(patch, p) - bulge) deepest = p;
  }
  return deepest;
}

// Facets that turn a little against each other may be deepest inside the polygon, where the corners
// do not hold the bodies apart: such places stay points, without area, the deepest first. What
// counts is how far they bulge, which depends on directions and hardly on depth, so that a place
// that bears does not come and go as it is pressed in and pushed out.
static void keep_deepest(PairPatch *patch, const PlanePoint *points, int count)
{
  for (int k = 0; k < patch->max_points && patch->count < PATCH_MAX_POINTS; k++) {
    const PlanePoint *deepest = deepest_unheld(patch, points, count);
    if (deepest == NULL) return;
    patch->points[patch->count] = *deepest;
    patch->points[patch->count++].area = 0;
  }
}

// Keys of points must differ; numbers replace the features of a degenerate twin.
static void name_twins(PairPatch *patch)
{
  for (int i = 1; i < patch->count; i++) {
    PlanePoint *p = &patch->points[i];
    for (int j = 0; j < i; j++) {
      const PlanePoint *q = &patch->points[j];
      if (p->part_a == q->part_a && p->part_b == q->part_b && p->feature_a == q->feature_a &&
          p->feature_b == q->feature_b) {
        p->feature_b = feature_new(PATCH_NO_FEATURE, i);
      }
    }
  }
}

// The mean of one point, as the mean of several is taken.
static void keep_point(PairPatch *patch, const PlanePoint *point)
{
  patch->area = 0;
  patch->count = 1;
  PlanePoint *kept = &patch->points[0];
  *kept = *point;
  kept->u = 0 + point->u;
  kept->v = 0 + point->v;
  kept->x = vec3_add((vec3){0, 0, 0}, point->x);
  kept->area = 0;
}

void patch_reduce(PairPatch *patch, const PlanePoint *all, int count, double area, Arena *arena)
{
  assert(count > 0 && patch->max_points >= 3 && patch->max_points <= PATCH_MAX_POINTS &&
         "points to reduce, to a number that fits");
  if (count == 1) {
    keep_point(patch, all);
    return;
  }
  const ArenaMark mark = arena_mark(arena);
  const double tolerance = 10 * patch->rounding;
  const PlanePlace pieces = area < INFINITY ? pieces_centroid(all, count) : (PlanePlace){0};
  PlaceKey *keys = arena_allocate(arena, (size_t)count * sizeof *keys);
  PlanePoint *points = arena_allocate(arena, (size_t)count * sizeof *points);
  sort_places(all, count, keys);
  count = merge_places(all, count, tolerance, patch->rounding, keys, points);
  int *hull = arena_allocate(arena, ((size_t)count + 1) * 2 * sizeof *hull);
  int size = hull_of_points(points, count, hull);

  double direction[2] = {0, 0};
  if (size == 2) {
    const double length = distance(&points[hull[0]], &points[hull[1]]);
    direction[0] = (points[hull[1]].u - points[hull[0]].u) / length;
    direction[1] = (points[hull[1]].v - points[hull[0]].v) / length;
  }
  if (size < 3 || (!hull_is_wider(points, hull, size, patch->width) &&
                   hull_width(points, hull, size, patch->rounding, direction) <= patch->width)) {
    collapse(patch, points, hull, size, direction, arena);
    for (int i = 0; i < patch->count; i++) patch->points[i].area = 0;
  } else {
    const double full = hull_area(points, hull, size);
    const PlanePlace truth = area < full ? pieces : polygon_centroid(points, hull, size);
    patch->area = area < full ? area : full;
    const double width = tolerance > patch->feature_width ? tolerance : patch->feature_width;
    const int before = size;
    size = drop_corners(patch, points, width, hull, size);
    for (int i = 0; i < size; i++) patch->points[i] = points[hull[i]];
    patch->count = size;
    // the polygon of the corners is the contact, as a rule
    const bool is_whole = size == before && !(area < full);
    share_area(patch, truth, is_whole ? truth : polygon_centroid(patch->points, NULL, size),
               tolerance);
  }
  keep_deepest(patch, points, count);
  name_twins(patch);
  arena_release(arena, mark);
}
