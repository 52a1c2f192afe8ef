// Candidate normals of a pair of parts: true faces of both and crosses of true edges, in the order
// of trial. Separation along n (from a to b) is min over b of n.x minus max over a of n.x; the
// largest one over all axes is the distance, or minus the depth. Internal faces take part in that
// maximum but are never candidates.
#include <string.h>

#include "check.h"
#include "clipper_lanes.h"
#include "contacts.h"
#include "patch_pair.h"

#define MIN_EDGE_SINE 1e-6   // edges nearer to parallel span no axis
#define SUPPORT_SLACK 1e-9   // sine by which an edge may miss being the support along an axis
#define MANY_PRODUCTS 256    // faces times vertices: beyond it faces are culled first
#define SAME_AXIS 1e-12   // 1 - cosine: an edge axis this near to a true face's normal is that face

// An edge as a support: it is one along n where n leaves both faces, that is where n.inward <= 0
// for both.
typedef struct {
  int index;
  vec3 direction;   // unit
  vec3 inward[2];   // unit, in the adjacent faces, at right angles to the edge
  vec3 origin;      // one end
} SupportEdge;

static void axis_list_add(AxisList *list, Axis axis, Arena *arena)
{
  assert_debug(list->count <= list->capacity && "axes are in their room");
  if (list->count == list->capacity)
    list->items =
        arena_grow(arena, list->items, list->count + 1, &list->capacity, sizeof *list->items);
  list->items[list->count++] = axis;
}

VertexRows patch_axes_vertex_rows(const Polyhedron *hull, Arena *arena)
{
  assert_debug(hull->vertex_count > 0 && "a part has vertices");
  const int count = hull->vertex_count;
  const int room = (count + VERTEX_LANES - 1) / VERTEX_LANES * VERTEX_LANES;
  double *x = arena_allocate(arena, 3 * (size_t)room * sizeof *x), *y = x + room, *z = y + room;
  for (int i = 0; i < room; i++) {
    const vec3 v = hull->vertices[i < count ? i : count - 1];
    x[i] = v.x;
    y[i] = v.y;
    z[i] = v.z;
  }
  return (VertexRows){room, x, y, z};
}

// Smallest n.v over the vertices; the lanes change no bit of it.
static inline double lowest(const VertexRows *rows, vec3 n)
{
  const Lane x = lane_all(n.x), y = lane_all(n.y), z = lane_all(n.z);
  Lane least = lane_all(INFINITY);
  for (int i = 0; i < rows->count; i += VERTEX_LANES) {
    const Lane of_x = x * lane_load(&rows->x[i]);
    const Lane of_y = y * lane_load(&rows->y[i]);
    const Lane of_z = z * lane_load(&rows->z[i]);
    least = lane_min(of_x + of_y + of_z, least);
  }
  return lanes_smallest(least);
}

static double separation_along(const PartPair *pair, vec3 n)
{
  return lowest(&pair->rows_b, n) + lowest(&pair->rows_a, vec3_neg(n));
}

static bool face_is_true(const Part *part, int face)
{
  assert_debug(face >= 0 && face < part->hull.face_count && "a face has a number");
  return part->facet_start[face + 1] > part->facet_start[face];
}

static bool axis_is_shallow(const PartPair *pair, double separation)
{
  return separation > -PATCH_MAX_DEPTH * pair->small_extent;
}

// Below this an axis is of no use: it is neither tried nor does any other go after it.
static double useless_below(const PartPair *pair)
{
  const double far = pair_width(pair->margin, pair->separation) + pair->margin + pair->tie;
  return larger_of(pair->separation - far, -PATCH_MAX_DEPTH * pair->small_extent);
}

static void raise_separation(PartPair *pair, double separation, vec3 n)
{
  if (!(separation > pair->separation)) return;
  pair->separation = separation;
  pair->best = n;
}

static void add_face_axis(const PartPair *pair, bool of_a, int face, double separation,
                          AxisList *list, Arena *arena)
{
  const Part *part = of_a ? pair->ref_a : pair->ref_b;
  if (!face_is_true(part, face) || !axis_is_shallow(pair, separation)) return;
  const vec3 normal = (of_a ? &pair->hull_a : &pair->hull_b)->planes[face].normal;
  const uint32_t feature = feature_new(FEATURE_FACE, face);
  axis_list_add(list,
                (Axis){.n = of_a ? normal : vec3_neg(normal),
                       .separation = separation,
                       .rank = separation,
                       .axis_a = of_a ? feature : AXIS_NONE,
                       .axis_b = of_a ? AXIS_NONE : feature},
                arena);
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

// The vertex farthest against n.
static vec3 lowest_vertex(const Polyhedron *p, vec3 n)
{
  int best = 0;
  double least = INFINITY;
  for (int i = 0; i < p->vertex_count; i++) {
    const double z = vec3_dot(n, p->vertices[i]);
    if (z < least) best = i;
    least = smaller_of(least, z);
  }
  return p->vertices[best];
}

// The same axes, of those that are of any use, where there are many faces: no plane has more below
// it than one vertex of the other part tells, and few planes come near to the best by that.
static bool add_many_faces(PartPair *pair, bool of_a, AxisList *list, SeparatingFace *face,
                           Arena *arena)
{
  const Polyhedron *own = of_a ? &pair->hull_a : &pair->hull_b;
  const Polyhedron *solid = of_a ? &pair->hull_b : &pair->hull_a;
  const VertexRows *other = of_a ? &pair->rows_b : &pair->rows_a;
  const vec3 tip = lowest_vertex(solid, of_a ? pair->towards : vec3_neg(pair->towards));
  double *bound = arena_allocate(arena, (size_t)own->face_count * sizeof *bound);
  int first = 0;
  double top = -INFINITY;
  for (int f = 0; f < own->face_count; f++) {
    const double s = plane_height(own->planes[f], tip);
    bound[f] = s;
    first = s > top ? f : first;
    top = s > top ? s : top;
  }
  // the most promising face, then all that its separation leaves
  for (int i = -1; i < own->face_count; i++) {
    const int f = i < 0 ? first : i;
    if (!(bound[f] > pair->separation)) continue;
    const Plane plane = own->planes[f];
    bound[f] = lowest(other, plane.normal) - plane.offset;
    if (bound[f] > pair->margin + pair->reach) {
      *face = (SeparatingFace){of_a ? 0 : 1, f};
      return false;
    }
    raise_separation(pair, bound[f], of_a ? plane.normal : vec3_neg(plane.normal));
  }
  for (int f = 0; f < own->face_count; f++) {
    if (!(bound[f] >= useless_below(pair))) continue;
    const double s = lowest(other, own->planes[f].normal) - own->planes[f].offset;
    if (s >= useless_below(pair)) add_face_axis(pair, of_a, f, s, list, arena);
  }
  return true;
}

bool patch_axes_add_faces(PartPair *pair, AxisList *list, SeparatingFace *face, Arena *arena)
{
  assert_debug(list->count == 0 && "faces come before edges");
  assert_debug(face != NULL && "the face that separates has a place");
  pair->separation = -INFINITY;
  for (int side = 0; side < 2; side++) {
    const int faces = (side == 0 ? &pair->hull_a : &pair->hull_b)->face_count;
    const int vertices = (side == 0 ? &pair->rows_b : &pair->rows_a)->count;
    const bool many = pair->may_cull && (int64_t)faces * vertices > MANY_PRODUCTS;
    if (many && !add_many_faces(pair, side == 0, list, face, arena)) return false;
    if (!many && !add_faces_of(pair, side == 0, list, face, arena)) return false;
  }
  return true;
}

static vec3 edge_direction(const Polyhedron *p, Edge edge)
{
  const vec3 along = vec3_sub(p->vertices[edge.vertex[1]], p->vertices[edge.vertex[0]]);
  return vec3_scale(1.0 / vec3_norm(along), along);
}

// No axis that an edge supports separates more than one vertex of the other part tells at its two
// faces, where these make no sharp edge.
static bool edge_is_useless(const Polyhedron *p, Edge edge, vec3 tip, double useless)
{
  const Plane f = p->planes[edge.face[0]], g = p->planes[edge.face[1]];
  const double most =
      larger_of(vec3_dot(f.normal, tip) - f.offset, vec3_dot(g.normal, tip) - g.offset);
  return most < useless && most < 0 && vec3_dot(f.normal, g.normal) > 0;
}

// Edges with a true face beside them and, where labels are given, both faces labelled, else those
// of any use. tip: a vertex of the other part.
static int collect_edges(const PartPair *pair, bool of_a, const bool *labelled, SupportEdge *edges)
{
  const Polyhedron *p = of_a ? &pair->hull_a : &pair->hull_b;
  const Part *part = of_a ? pair->ref_a : pair->ref_b;
  const vec3 tip =
      lowest_vertex(of_a ? &pair->hull_b : &pair->hull_a, of_a ? pair->best : vec3_neg(pair->best));
  const double useless = useless_below(pair);
  int count = 0;
  for (int e = 0; e < p->edge_count; e++) {
    const Edge edge = p->edges[e];
    if (labelled != NULL && !(labelled[edge.face[0]] && labelled[edge.face[1]])) continue;
    if (pair->may_cull && edge_is_useless(p, edge, tip, useless)) continue;
    if (!face_is_true(part, edge.face[0]) && !face_is_true(part, edge.face[1])) continue;
    const vec3 from = p->vertices[edge.vertex[0]];
    const vec3 direction = edge_direction(p, edge);
    edges[count++] =
        (SupportEdge){.index = e,
                      .direction = direction,
                      .inward = {vec3_cross(p->planes[edge.face[0]].normal, direction),
                                 vec3_cross(direction, p->planes[edge.face[1]].normal)},
                      .origin = from};
  }
  return count;
}

static bool edge_supports(const SupportEdge *edge, vec3 n)
{
  return vec3_dot(n, edge->inward[0]) <= SUPPORT_SLACK &&
         vec3_dot(n, edge->inward[1]) <= SUPPORT_SLACK;
}

static bool *face_labels(const IntersectionLabels *common, int owner, int face_count, Arena *arena)
{
  bool *labelled = arena_allocate_zero(arena, (size_t)face_count, sizeof *labelled);
  for (int i = 0; i < common->label_count; i++) {
    if (common->labels[i].owner == owner) labelled[common->labels[i].face] = true;
  }
  return labelled;
}

// The true face whose axis an edge axis nearly repeats, or NULL: conforming faces tilted a little
// against each other have edge axes between their normals, which separate a little more and yet say
// less. The first face_axes items of the list are the faces'.
static const Axis *nearest_face_axis(const AxisList *list, int face_axes, vec3 n)
{
  assert_debug(face_axes >= 0 && face_axes <= list->count && "axes of faces are the first ones");
  const Axis *nearest = NULL;
  double most = 1 - 0.5 * PATCH_MERGE_ANGLE * PATCH_MERGE_ANGLE;
  for (int i = 0; i < face_axes; i++) {
    const double cosine = vec3_dot(list->items[i].n, n);
    if (cosine <= most) continue;
    most = cosine;
    nearest = &list->items[i];
  }
  return nearest;
}

// An edge axis near a face's, which hardly separates more, is tried after that face whichever way
// the bodies move: it stays out of the band of equal separations.
static double edge_rank(const PartPair *pair, const Axis *face, double separation)
{
  const bool after = face != NULL && face->separation > separation - pair->margin;
  return after ? face->separation - pair->tie : separation;
}

bool patch_axes_add_edges(PartPair *pair, const IntersectionLabels *common, AxisList *list,
                          Arena *arena)
{
  assert_debug(pair->separation > -INFINITY && "faces are measured before edges");
  const Polyhedron *a = &pair->hull_a, *b = &pair->hull_b;
  bool *labelled_a = common ? face_labels(common, 0, a->face_count, arena) : NULL;
  bool *labelled_b = common ? face_labels(common, 1, b->face_count, arena) : NULL;
  SupportEdge *edges_a = arena_allocate(arena, (size_t)a->edge_count * sizeof *edges_a);
  SupportEdge *edges_b = arena_allocate(arena, (size_t)b->edge_count * sizeof *edges_b);
  const int count_a = collect_edges(pair, true, labelled_a, edges_a);
  const int count_b = collect_edges(pair, false, labelled_b, edges_b);
  int face_axes = 0;
  while (face_axes < list->count && (list->items[face_axes].axis_a == AXIS_NONE ||
                                     list->items[face_axes].axis_b == AXIS_NONE)) {
    face_axes++;
  }
  for (int i = 0; i < count_a; i++) {
    for (int j = 0; j < count_b; j++) {
      const vec3 cross = vec3_cross(edges_a[i].direction, edges_b[j].direction);
      const double square = vec3_dot(cross, cross);
      if (square <= MIN_EDGE_SINE * MIN_EDGE_SINE) continue;
      vec3 n = vec3_scale(1.0 / sqrt(square), cross);
      // edges that cross support both parts along at most one of the two signs
      if (!edge_supports(&edges_a[i], n) || !edge_supports(&edges_b[j], vec3_neg(n))) {
        n = vec3_neg(n);
        if (!edge_supports(&edges_a[i], n) || !edge_supports(&edges_b[j], vec3_neg(n))) continue;
      }
      // (the edges themselves are no nearer to each other than the parts)
      const double most = vec3_dot(n, vec3_sub(edges_b[j].origin, edges_a[i].origin));
      if (pair->may_cull && most < useless_below(pair)) continue;
      const Axis *face = nearest_face_axis(list, face_axes, n);
      if (face != NULL && vec3_dot(face->n, n) > 1 - SAME_AXIS) continue;
      const double s = separation_along(pair, n);
      if (s > pair->margin + pair->reach) return false;
      raise_separation(pair, s, n);
      if (!axis_is_shallow(pair, s)) continue;
      axis_list_add(list,
                    (Axis){.n = n,
                           .separation = s,
                           .rank = edge_rank(pair, face, s),
                           .axis_a = feature_new(FEATURE_EDGE, edges_a[i].index),
                           .axis_b = feature_new(FEATURE_EDGE, edges_b[j].index)},
                    arena);
    }
  }
  return true;
}

static bool axis_is_of_edges(const Axis *axis)
{
  return axis->axis_a != AXIS_NONE && axis->axis_b != AXIS_NONE;
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

bool patch_axes_is_near(const PartPair *pair, const Axis *axis)
{
  assert_debug(pair->separation > -INFINITY && "axes have been measured");
  return axis->separation >= pair->separation - pair_width(pair->margin, pair->separation);
}

bool patch_axes_measure_edges(PartPair *pair)
{
  assert_debug(pair->separation > -INFINITY && "faces are measured before edges");
  const Polyhedron *a = &pair->hull_a, *b = &pair->hull_b;
  for (int i = 0; i < a->edge_count; i++) {
    const int *ends_a = a->edges[i].vertex;
    const vec3 u = vec3_sub(a->vertices[ends_a[1]], a->vertices[ends_a[0]]);
    for (int j = 0; j < b->edge_count; j++) {
      const int *ends_b = b->edges[j].vertex;
      const vec3 v = vec3_sub(b->vertices[ends_b[1]], b->vertices[ends_b[0]]);
      const vec3 cross = vec3_cross(u, v);
      const double length = vec3_norm(cross);
      if (!(length > MIN_EDGE_SINE * vec3_norm(u) * vec3_norm(v))) continue;
      const vec3 n = vec3_scale(1.0 / length, cross);
      const double forth = separation_along(pair, n), back = separation_along(pair, vec3_neg(n));
      const double s = forth > back ? forth : back;
      if (s > pair->margin + pair->reach) return false;
      if (s > pair->separation) pair->separation = s;
    }
  }
  return true;
}
