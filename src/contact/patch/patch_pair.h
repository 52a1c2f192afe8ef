#pragma once
// What the stages of the patch search share: a pair of parts in one coordinate frame, its axes, its
// points in the plane.
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "check.h"
#include "intersection.h"
#include "part_pairs.h"
#include "patch.h"
#include "plane_basis.h"
#include "separation.h"
#include "shape.h"
#include "vec3.h"

#define PATCH_TIE 1e-9         // of the pair's size: separations nearer than this are equal
#define PATCH_ROUNDING 1e-10   // of the pair's size: lateral distances below this are rounding
#define PATCH_MAX_DEPTH 0.1    // of the smaller part's extent: deeper overlap has no patch
#define PATCH_FACET_ANGLE \
  0.1   // sine: a face turned less than this against a face axis still takes part whole
#define PATCH_MERGE_ANGLE 1e-2   // rad: patches whose normals differ less may merge
#define PATCH_DEPTH_FACTOR 4.0   // collapse and acceptance width per unit of depth
#define PATCH_MANY_FACES 256   // of both parts: beyond it all edges cost less than the common solid
#define PATCH_DILATION 0.75    // of margin + reach, for each part
#define PATCH_SAME_NORMAL 1e-10   // normals nearer than this part equally fast
#define SLIVER_MAX_CORNERS 8      // two triangles share six
#define PATCH_NO_FEATURE 3U       // kind of a feature that only numbers a point

// Vertices coordinate by coordinate, so that one instruction works on four of them.
#define VERTEX_LANES 4
typedef struct {
  int count;                 // a multiple of VERTEX_LANES: the last vertex is repeated
  const double *x, *y, *z;   // arena, m
} VertexRows;

// Pairs of parts of two bodies.
typedef struct {
  int count, capacity;
  PartIndices *items;   // arena
} PartPairs;

// Two parts, in world axes relative to a's centre of mass. Directions n here point from a to b;
// patches report -n.
typedef struct {
  const PosedBody *a, *b;
  int part_a, part_b;
  const Part *ref_a, *ref_b;   // facets, in body frames
  Polyhedron hull_a, hull_b;
  VertexRows rows_a, rows_b;
  vec3 shift;             // b's centre relative to a's, m
  vec3 middle;            // where the parts meet, m
  vec3 towards;           // from the box of a to that of b, any length
  double margin;          // m: filter of gaps, width of support sets
  double reach;           // m: added to the margin's filter of gaps alone
  double feature_width;   // m
  double small_extent;    // of the smaller part, m
  double rounding, tie;   // m
  int max_points;
  vec3 velocity;       // of b relative to a where they meet, m/s
  double speed;        // its length
  double separation;   // largest of all axes, internal faces included, m
  vec3 best;           // unit, the axis of it
  bool rerouted;       // the fast route could not make the common solid
  bool may_cull;       // what can be shown to have no influence is left out

  const PartPairs *held;   // pairs of which a part may cover a feature; NULL: all
} PartPair;

// A direction that may be the normal.
typedef struct {
  vec3 n;              // unit, from a to b
  double separation;   // m
  double rank;   // the separation that counts in the order: an edge axis near a face's goes after
                 // it, m
  double key;    // order of trial, larger first
  double leaving;   // velocity along n, m/s
  uint32_t axis_a, axis_b;
  bool tried;
  bool counts;   // known to be an axis of the whole search
} Axis;

typedef struct {
  int count, capacity;
  Axis *items;   // arena
} AxisList;

// A point of a patch in the plane of the patch.
typedef struct {
  double u, v;   // in the patch's basis, m
  vec3 x;        // relative to a's centre, m
  double gap, area;
  int part_a, part_b;
  uint32_t feature_a, feature_b;
  uint32_t axis_a, axis_b;
} PlanePoint;

// The patch of one pair of parts, or several merged ones.
typedef struct {
  vec3 n;   // from a to b
  uint32_t axis_a, axis_b;
  int part_a, part_b;
  double separation, area;
  double sliver;   // area of true faces on each other where it was too narrow for a polygon, m2
  double width;    // what is nearer than this is one place, m
  double margin, feature_width, rounding;   // of the pair of parts, m
  int max_points;
  int count;
  PlanePoint points[PATCH_MAX_POINTS];
  int corner_count;   // of a sliver, before it collapsed; 0: too many, or none
  PlanePoint corners[SLIVER_MAX_CORNERS];
} PairPatch;

// Where the points of a patch along an axis are, before any of them is dropped.
typedef struct {
  bool facets;    // all come from true facets on true facets
  bool settled;   // every point would be accepted, or dropped, at any depth up to that of the pair
  double least_distance;   // between the places on both parts of one point, m; INFINITY: of no
                           // point both places are known to be in the parts
  double low_a, high_a, low_b, high_b;   // heights of the places on a and b along the axis, m
  double span;                           // no two points are farther apart in the plane, m
} Footprint;

// What the search of a pair of parts comes to.
typedef enum {
  PAIR_APART,   // no contact
  PAIR_PATCH,
  PAIR_MISSED,   // overlaps, but no axis gave a patch
  PAIR_DEEP,     // too deep for one
  PAIR_OPEN      // not known yet
} PairOutcome;

static inline double pair_depth(double separation) { return separation < 0 ? -separation : 0; }

// max(margin, 4 depth): what is nearer than this is one place
static inline double pair_width(double margin, double separation)
{
  assert_debug(!(margin < 0) && "a margin is a distance");
  const double deep = PATCH_DEPTH_FACTOR * pair_depth(separation);
  return deep > margin ? deep : margin;
}

// How far planes are pushed out for the common solid, which covers diagonal distances too, m.
static inline double pair_dilation(const PartPair *pair)
{
  return PATCH_DILATION * (pair->margin + pair->reach);
}

// So many faces that edges are looked at without the common solid?
static inline bool pair_has_many_faces(const PartPair *pair)
{
  return pair->hull_a.face_count + pair->hull_b.face_count > PATCH_MANY_FACES;
}

// Too deep for a patch, as far as the axes measured so far tell?
static inline bool pair_is_deep(const PartPair *pair)
{
  assert_debug(pair->small_extent > 0 && "a part has an extent");
  return pair->separation < -PATCH_MAX_DEPTH * pair->small_extent;
}

// Velocity of b relative to a at a place relative to a's centre, m/s.
static inline vec3 relative_velocity(const PosedBody *a, const PosedBody *b, vec3 x)
{
  const vec3 shift = vec3_sub(b->center, a->center);
  const vec3 of_b = vec3_add(b->velocity, vec3_cross(b->spin, vec3_sub(x, shift)));
  return vec3_sub(of_b, vec3_add(a->velocity, vec3_cross(a->spin, x)));
}

static inline void pair_set_middle(PartPair *pair, vec3 middle)
{
  pair->middle = middle;
  pair->velocity = relative_velocity(pair->a, pair->b, middle);
  pair->speed = vec3_norm(pair->velocity);
}

static inline vec3 patch_middle(const PairPatch *patch)
{
  assert_debug(patch->count > 0 && "a patch has points");
  vec3 sum = {0, 0, 0};
  for (int i = 0; i < patch->count; i++) sum = vec3_add(sum, patch->points[i].x);
  return vec3_scale(1.0 / patch->count, sum);
}

// How long the bodies take to close the reach, s: the reach is how far any two places of them can
// come nearer within the step, by turning too. A place that moves slowly closes less of it.
static inline double reach_time(const PosedBody *a, const PosedBody *b, double reach)
{
  assert_debug(!(reach < 0) && "a reach is a distance");
  const double fastest = vec3_norm(vec3_sub(b->velocity, a->velocity)) +
                         vec3_norm(a->spin) * a->shape->radius +
                         vec3_norm(b->spin) * b->shape->radius;
  return fastest > 0 ? reach / fastest : 0;
}

// patch_axes.c ------------------------------------------------------------------------------------

// Local. Face axes: false when one separates by more than margin + reach, which face then names.
// Sets pair->separation.
bool patch_axes_add_faces(PartPair *pair, AxisList *list, SeparatingFace *face, Arena *arena);

// Local. The vertices as rows.
VertexRows patch_axes_vertex_rows(const Polyhedron *hull, Arena *arena);

// Local. Fills keys: by separation, faces before edges; look > 0 (s): by the separation at the end
// of that time, where the axis closes.
void patch_axes_rank(const PartPair *pair, AxisList *list, double look);

// Local. The best axis not tried yet whose separation is at least least, or NULL; marks it tried.
Axis *patch_axes_next(const PartPair *pair, AxisList *list, double least);

// Local. The axis the pair kept from the last step, or NULL.
const KeptAxis *patch_axes_kept_of(const PartPair *pair, const KeptAxis *kept, int kept_count);

// Local. Fills in that axis; false when it is none any more. patch_axes_is_near: is it still near
// the best?
bool patch_axes_find_kept(const PartPair *pair, const AxisList *list, const KeptAxis *own,
                          Axis *axis);
bool patch_axes_is_near(const PartPair *pair, const Axis *axis);

// Local. The same axis before any other has been measured.
bool patch_axes_measure_kept(const PartPair *pair, const KeptAxis *own, Axis *axis);

// patch_edges.c -----------------------------------------------------------------------------------

// Local. Edge axes of the edges both of whose faces are labelled in common (common NULL: of all
// edges); false when one separates. Raises pair->separation. Only axes that support an edge of both
// parts matter.
bool patch_edges_add(PartPair *pair, const IntersectionLabels *common, AxisList *list,
                     Arena *arena);

// Local. Raises pair->separation by the crosses of all edges, internal ones included: how deep the
// parts really are. False when one separates.
bool patch_edges_measure(PartPair *pair);

// Local. Adds the edge axes of all edges that separate by more than level, and those alone.
// internal: also of edges that are no candidates. Raises no separation, and ends with an axis that
// parts them.
void patch_edges_add_above(const PartPair *pair, double level, bool internal, AxisList *list,
                           Arena *arena);

// Local. For certain, where they are true: are all faces beside both edges of an axis faces of the
// common solid of the parts with their planes pushed out by dilation? Does the axis separate these?
// Does its other sign not support both edges?
bool patch_edges_bound_common(const PartPair *pair, const Axis *axis, double dilation);
bool patch_edges_part_dilated(const PartPair *pair, const Axis *axis, double dilation);
bool patch_edges_turn_once(const PartPair *pair, const Axis *axis);

// patch_best.c ------------------------------------------------------------------------------------

// Local. With the axes of faces alone: what the search comes to where only the best axis of all, or
// the one that the pair kept, decides; PAIR_OPEN where that cannot be told, the axes then being
// those of faces still. The patch is scratch where there is none.
PairOutcome patch_best_find(PartPair *pair, AxisList *list, const KeptAxis *own, PairPatch *patch,
                            Arena *arena);

// patch_certain.c ---------------------------------------------------------------------------------

// Local. Are the parts so shallow, with the axes measured so far, that the width is the margin
// whatever others separate?
bool patch_certain_depth(const PartPair *pair);

// Local. With the axes of faces alone, of a pair that kept none: the axis that gives the patch if
// no edge matters, or false where that cannot be told yet.
bool patch_certain_axis(const PartPair *pair, const AxisList *list, Axis *axis);

// Local. Is a patch along such an axis the one that all edges and the common solid would give too?
// One along an axis that the pair kept, and one along a new axis.
bool patch_certain_kept(const PartPair *pair, const Axis *axis, const Footprint *footprint);
bool patch_certain_new(const PartPair *pair, const AxisList *list, const Axis *axis,
                       const PairPatch *patch, const Footprint *footprint);

// patch_build.c -----------------------------------------------------------------------------------

// Local. The patch along an axis, or false. footprint: filled in for a patch, may be NULL.
bool patch_build(const PartPair *pair, const Axis *axis, PairPatch *patch, Footprint *footprint,
                 Arena *arena);

// patch_reduce.c ----------------------------------------------------------------------------------

// Local. Replaces points by what a patch keeps: corners of their hull, slivers collapsed, near
// chords and above max_points those dropped that lose least area. area: the true area where it may
// be smaller than the hull's, the points then having shares of it, else INFINITY. Fills
// patch->points, ->count, ->area and tributary areas, which have the area and the centroid of the
// true contact; the points come in any order.
void patch_reduce(PairPatch *patch, const PlanePoint *points, int count, double area, Arena *arena);

// patch_merge.c -----------------------------------------------------------------------------------

// Local. Merges patches of one body pair that lie in one plane and adjoin. Returns how many are
// left.
int patch_merge_all(const PosedBody *a, const PosedBody *b, PairPatch *patches, int count,
                    Arena *arena);

// Local. Drops points and lines that repeat a patch which separates the bodies there already.
int patch_merge_drop_repeated(const PosedBody *a, const PosedBody *b, PairPatch *patches, int count,
                              Arena *arena);

// Local. Does every point of a patch lie at or between the points of others?
bool patch_is_beside(const PairPatch *patch, const PairPatch *others, int count);

// Local. Was there a contact between these parts in the last step?
bool patch_touched_before(const PairPatch *patch, const KeptAxis *kept, int kept_count);

// Local. Does a new patch act? Points and lines between edges, where the bodies touch from outside,
// do so only when the bodies approach by more than rounding in the time they take for the reach.
bool patch_acts(const PosedBody *a, const PosedBody *b, const PairPatch *patch, double reach,
                double tie);
