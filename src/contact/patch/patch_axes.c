// Candidate normals of a pair of parts: true faces of both and crosses of true edges, in the order
// of trial. Separation along n (from a to b) is min over b of n.x minus max over a of n.x; the
// largest one over all axes is the distance, or minus the depth. Internal faces take part in that
// maximum but are never candidates.
#include "patch_axes.h"
#include "contacts.h"

#define MANY_PRODUCTS 256   // faces times vertices: beyond it faces are culled first

VertexRows patch_axes_vertex_rows(const Polyhedron *hull, Arena *arena)
{
  assert_debug(hull->vertex_count > 0 && "a part has vertices");
  const int count = hull->vertex_count;
  const int room = (count + VERTEX_LANES - 1) / VERTEX_LANES * VERTEX_LANES;
  double *x = arena_allocate(arena, 3 * (size_t)room * sizeof *x), *y = x + room, *z = y + room;
  for (int i = 0; i < room; i += VERTEX_LANES) {
    Lane rows[VERTEX_LANES];
    for (int l = 0; l < VERTEX_LANES; l++)
      rows[l] = lanes_load3(&hull->vertices[i + l < count ? i + l : count - 1].x, 0);
    lane_transpose(rows);
    lane_store(&x[i], rows[0]);
    lane_store(&y[i], rows[1]);
    lane_store(&z[i], rows[2]);
  }
  return (VertexRows){room, x, y, z};
}

static Axis face_axis(const PartPair *pair, bool of_a, int face, double separation)
{
  const vec3 normal = (of_a ? &pair->hull_a : &pair->hull_b)->planes[face].normal;
  const uint32_t feature = feature_new(FEATURE_FACE, face);
  return (Axis){.n = of_a ? normal : vec3_neg(normal),
                .separation = separation,
                .rank = separation,
                .axis_a = of_a ? feature : AXIS_NONE,
                .axis_b = of_a ? AXIS_NONE : feature};
}

static void add_face_axis(const PartPair *pair, bool of_a, int face, double separation,
                          AxisList *list, Arena *arena)
{
  const Part *part = of_a ? pair->ref_a : pair->ref_b;
  if (!face_is_true(part, face) || !axis_is_shallow(pair, separation)) return;
  axis_list_add(list, face_axis(pair, of_a, face, separation), arena);
}

static bool add_faces_of(PartPair *pair, bool of_a, AxisList *list, SeparatingFace *face,
                         Arena *arena)
{
  const Polyhedron *own = of_a ? &pair->hull_a : &pair->hull_b;
  const VertexRows *other = of_a ? &pair->rows_b : &pair->rows_a;
  for (int f = 0; f < own->face_count; f++) {
    const Plane plane = own->planes[f];
    const double s = lowest(other, plane.normal) - plane.offset;
    if (s > pair->margin + pair->reach) {
      *face = (SeparatingFace){of_a ? 0 : 1, f};
      return false;
    }
    raise_separation(pair, s, of_a ? plane.normal : vec3_neg(plane.normal));
    add_face_axis(pair, of_a, f, s, list, arena);
  }
  return true;
}

// The first face from one on whose bound reaches a level, count or more: there is none. The bounds
// go on to a multiple of four.
static int next_face(const double *bound, int from, int count, double level)
{
  assert_debug(from >= 0 && !isnan(level) && "bounds are compared from a face on");
  while (from < count) {
    const int group = from / LANES * LANES;
    const unsigned found = lanes_not_less(lane_load(&bound[group]), lane_all(level));
    const unsigned left = found >> (from - group);
    if (left != 0) return from + __builtin_ctz(left);
    from = group + LANES;
  }
  return count;
}

// The same axes, of those that are of any use, where there are many faces: no plane has more below
// it than one vertex of the other part tells, and few planes come near to the best by that.
static bool add_many_faces(PartPair *pair, bool of_a, AxisList *list, SeparatingFace *face,
                           Arena *arena)
{
  const Polyhedron *own = of_a ? &pair->hull_a : &pair->hull_b;
  const VertexRows *other = of_a ? &pair->rows_b : &pair->rows_a;
  const vec3 tip = lowest_vertex(other, of_a ? pair->towards : vec3_neg(pair->towards));
  const Lane x = lane_all(tip.x), y = lane_all(tip.y), z = lane_all(tip.z);
  const int room = own->face_count + LANES;
  double *bound = arena_allocate(arena, 2 * (size_t)room * sizeof *bound);
  double *measured = bound + room;
  Lane highest = lane_all(-INFINITY);
  for (int f = 0; f < own->face_count; f += LANES) {
    const PlaneLanes four = lanes_faces(own, f);
    const Lane heights = lanes_dot(&four, x, y, z) - four.offset;
    highest = lane_max(heights, highest);
    lane_store(&bound[f], heights);
    lane_store(&measured[f], lane_all(-INFINITY));
  }
  // the most promising face, then all that its separation leaves
  const int count = own->face_count, first = next_face(bound, 0, count, lanes_largest(highest));
  for (int f = first, next = 0; f < count; next = f + 1) {
    if (bound[f] > pair->separation) {
      const vec3 n = own->planes[f].normal;
      bound[f] = measured[f] = lowest(other, n) - own->planes[f].offset;
      if (bound[f] > pair->margin + pair->reach) {
        *face = (SeparatingFace){of_a ? 0 : 1, f};
        return false;
      }
      raise_separation(pair, bound[f], of_a ? n : vec3_neg(n));
    }
    f = next_face(bound, next, count, pair->separation);
  }
  const double useless = useless_below(pair);
  for (int f = next_face(bound, 0, count, useless); f < count;
       f = next_face(bound, f + 1, count, useless)) {
    const Plane plane = own->planes[f];
    const double s =
        measured[f] > -INFINITY ? measured[f] : lowest(other, plane.normal) - plane.offset;
    if (s >= useless) add_face_axis(pair, of_a, f, s, list, arena);
  }
  return true;
}

bool patch_axes_add_faces(PartPair *pair, AxisList *list, SeparatingFace *face, Arena *arena)
{
  assert_debug(list->count == 0 && "faces come before edges");
  assert_debug(face != NULL && "the face that separates has a place");
  pair->separation = -INFINITY;
  list->capacity = pair->hull_a.face_count + pair->hull_b.face_count;
  list->items = arena_allocate(arena, (size_t)list->capacity * sizeof *list->items);
  for (int side = 0; side < 2; side++) {
    const int faces = (side == 0 ? &pair->hull_a : &pair->hull_b)->face_count;
    const int vertices = (side == 0 ? &pair->rows_b : &pair->rows_a)->count;
    const bool many = pair->may_cull && (int64_t)faces * vertices > MANY_PRODUCTS;
    if (many && !add_many_faces(pair, side == 0, list, face, arena)) return false;
    if (!many && !add_faces_of(pair, side == 0, list, face, arena)) return false;
  }
  return true;
}

void patch_axes_rank(const PartPair *pair, AxisList *list, double look)
{
  assert_debug(!(look < 0) && "one looks ahead");
  for (int i = 0; i < list->count; i++) {
    Axis *axis = &list->items[i];
    axis->tried = false;
    axis->leaving = vec3_dot(pair->velocity, axis->n);
    axis->key = axis->rank - (axis_is_of_edges(axis) ? pair->tie : 0);
    if (look > 0 && axis->leaving < 0) axis->key += look * axis->leaving;
  }
}

// Among equal separations the one along which the bodies part fastest, among these the first: faces
// of a, of b, edges.
Axis *patch_axes_next(const PartPair *pair, AxisList *list, double least)
{
  assert_debug(!(pair->tie < 0) && !isnan(least) && "separations are compared");
  double top = -INFINITY;
  for (int i = 0; i < list->count; i++) {
    const Axis *axis = &list->items[i];
    if (!axis->tried && axis->separation >= least && axis->key > top) top = axis->key;
  }
  Axis *best = NULL;
  for (int i = 0; i < list->count; i++) {
    Axis *axis = &list->items[i];
    if (axis->tried || axis->separation < least || axis->key < top - pair->tie) continue;
    if (best == NULL || axis->leaving > best->leaving + PATCH_TIE * pair->speed) best = axis;
  }
  if (best != NULL) best->tried = true;
  return best;
}

static bool kept_edge_axis(const PartPair *pair, uint32_t edge_a, uint32_t edge_b, Axis *axis)
{
  const int i = feature_index(edge_a), j = feature_index(edge_b);
  if (feature_kind(edge_a) != FEATURE_EDGE || feature_kind(edge_b) != FEATURE_EDGE) return false;
  if (i >= pair->hull_a.edge_count || j >= pair->hull_b.edge_count) return false;
  const Edge a = pair->hull_a.edges[i], b = pair->hull_b.edges[j];
  const vec3 cross = vec3_cross(edge_direction(&pair->hull_a, a), edge_direction(&pair->hull_b, b));
  const double square = vec3_dot(cross, cross);
  if (square <= MIN_EDGE_SINE * MIN_EDGE_SINE) return false;
  const vec3 n = vec3_scale(1.0 / sqrt(square), cross);
  const double forth = separation_along(pair, n), back = separation_along(pair, vec3_neg(n));
  *axis = (Axis){.n = back > forth ? vec3_neg(n) : n,
                 .separation = back > forth ? back : forth,
                 .rank = back > forth ? back : forth,
                 .axis_a = edge_a,
                 .axis_b = edge_b};
  return true;
}

const KeptAxis *patch_axes_kept_of(const PartPair *pair, const KeptAxis *kept, int kept_count)
{
  assert_debug((kept_count >= 0 && (kept != NULL || kept_count == 0)) &&
               "axes of the last step are given");
  for (int i = 0; i < kept_count; i++) {
    if (kept[i].part_a == pair->part_a && kept[i].part_b == pair->part_b) return &kept[i];
  }
  return NULL;
}

bool patch_axes_find_kept(const PartPair *pair, const AxisList *list, const KeptAxis *own,
                          Axis *axis)
{
  assert_debug(own->part_a == pair->part_a && own->part_b == pair->part_b &&
               "the axis is of these parts");
  for (int i = 0; i < list->count; i++) {
    if (list->items[i].axis_a != own->axis_a || list->items[i].axis_b != own->axis_b) continue;
    *axis = list->items[i];
    return true;
  }
  return own->axis_a != AXIS_NONE && own->axis_b != AXIS_NONE &&
         kept_edge_axis(pair, own->axis_a, own->axis_b, axis) &&
         axis_is_shallow(pair, axis->separation);
}

static bool kept_face_axis(const PartPair *pair, bool of_a, uint32_t feature, Axis *axis)
{
  const Polyhedron *own = of_a ? &pair->hull_a : &pair->hull_b;
  const int face = feature_index(feature);
  if (feature_kind(feature) != FEATURE_FACE || face >= own->face_count) return false;
  if (!face_is_true(of_a ? pair->ref_a : pair->ref_b, face)) return false;
  const Plane plane = own->planes[face];
  const double s = lowest(of_a ? &pair->rows_b : &pair->rows_a, plane.normal) - plane.offset;
  *axis = face_axis(pair, of_a, face, s);
  return true;
}

bool patch_axes_measure_kept(const PartPair *pair, const KeptAxis *own, Axis *axis)
{
  assert_debug(own->part_a == pair->part_a && own->part_b == pair->part_b &&
               "the axis is of these parts");
  const bool of_a = own->axis_b == AXIS_NONE, of_b = own->axis_a == AXIS_NONE;
  if (of_a && of_b) return false;
  const bool found = of_a || of_b
                         ? kept_face_axis(pair, of_a, of_a ? own->axis_a : own->axis_b, axis)
                         : kept_edge_axis(pair, own->axis_a, own->axis_b, axis);
  return found && axis_is_shallow(pair, axis->separation);
}

bool patch_axes_is_near(const PartPair *pair, const Axis *axis)
{
  assert_debug(pair->separation > -INFINITY && "axes have been measured");
  return axis->separation >= pair->separation - pair_width(pair->margin, pair->separation);
}
