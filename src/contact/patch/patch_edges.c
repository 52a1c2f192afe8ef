// Edge axes of a pair of parts: crosses of edges that support both parts, of all edges or of those
// that bound the common solid, and those alone that separate as much as the faces do.
#include "contacts.h"
#include "patch_axes.h"

#define SUPPORT_SLACK 1e-9   // sine by which an edge may miss being the support along an axis
#define SAME_AXIS 1e-12   // 1 - cosine: an edge axis this near to a true face's normal is that face

// An edge as a support: it is one along n where n leaves both faces, that is where n.inward <= 0
// for both.
typedef struct {
  int index;
  vec3 direction;   // unit
  vec3 inward[2];   // unit, in the adjacent faces, at right angles to the edge
  vec3 origin;      // one end
} SupportEdge;

static SupportEdge support_edge(const Polyhedron *p, int index)
{
  const Edge edge = p->edges[index];
  const vec3 direction = edge_direction(p, edge);
  return (SupportEdge){.index = index,
                       .direction = direction,
                       .inward = {vec3_cross(p->planes[edge.face[0]].normal, direction),
                                  vec3_cross(direction, p->planes[edge.face[1]].normal)},
                       .origin = p->vertices[edge.vertex[0]]};
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
// of any use.
static int collect_edges(const PartPair *pair, bool of_a, const bool *labelled, SupportEdge *edges)
{
  const Polyhedron *p = of_a ? &pair->hull_a : &pair->hull_b;
  const Part *part = of_a ? pair->ref_a : pair->ref_b;
  const vec3 tip =
      lowest_vertex(of_a ? &pair->rows_b : &pair->rows_a, of_a ? pair->best : vec3_neg(pair->best));
  const double useless = useless_below(pair);
  int count = 0;
  for (int e = 0; e < p->edge_count; e++) {
    const Edge edge = p->edges[e];
    if (labelled != NULL && !(labelled[edge.face[0]] && labelled[edge.face[1]])) continue;
    if (pair->may_cull && edge_is_useless(p, edge, tip, useless)) continue;
    if (!face_is_true(part, edge.face[0]) && !face_is_true(part, edge.face[1])) continue;
    edges[count++] = support_edge(p, e);
  }
  return count;
}

static bool edge_supports(const SupportEdge *edge, vec3 n)
{
  return vec3_dot(n, edge->inward[0]) <= SUPPORT_SLACK &&
         vec3_dot(n, edge->inward[1]) <= SUPPORT_SLACK;
}

static bool edges_support(const SupportEdge *a, const SupportEdge *b, vec3 n)
{
  return edge_supports(a, n) && edge_supports(b, vec3_neg(n));
}

// The direction across two edges that supports both parts, at most one of the two signs.
static bool edges_cross(const SupportEdge *a, const SupportEdge *b, vec3 *n)
{
  const vec3 cross = vec3_cross(a->direction, b->direction);
  const double square = vec3_dot(cross, cross);
  if (square <= MIN_EDGE_SINE * MIN_EDGE_SINE) return false;
  *n = vec3_scale(1.0 / sqrt(square), cross);
  if (edges_support(a, b, *n)) return true;
  *n = vec3_neg(*n);
  return edges_support(a, b, *n);
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

static bool is_that_face(const Axis *face, vec3 n)
{
  return face != NULL && vec3_dot(face->n, n) > 1 - SAME_AXIS;
}

// An edge axis near a face's, which hardly separates more, is tried after that face whichever way
// the bodies move: it stays out of the band of equal separations.
static double edge_rank(const PartPair *pair, const Axis *face, double separation)
{
  const bool after = face != NULL && face->separation > separation - pair->margin;
  return after ? face->separation - pair->tie : separation;
}

static int count_face_axes(const AxisList *list)
{
  int count = 0;
  while (count < list->count && !axis_is_of_edges(&list->items[count])) count++;
  return count;
}

static Axis edge_axis(const PartPair *pair, const SupportEdge *a, const SupportEdge *b, vec3 n,
                      double separation, const Axis *face)
{
  return (Axis){.n = n,
                .separation = separation,
                .rank = edge_rank(pair, face, separation),
                .axis_a = feature_new(FEATURE_EDGE, a->index),
                .axis_b = feature_new(FEATURE_EDGE, b->index)};
}

bool patch_edges_add(PartPair *pair, const IntersectionLabels *common, AxisList *list, Arena *arena)
{
  assert_debug(pair->separation > -INFINITY && "faces are measured before edges");
  const Polyhedron *a = &pair->hull_a, *b = &pair->hull_b;
  bool *labelled_a = common ? face_labels(common, 0, a->face_count, arena) : NULL;
  bool *labelled_b = common ? face_labels(common, 1, b->face_count, arena) : NULL;
  SupportEdge *edges_a = arena_allocate(arena, (size_t)a->edge_count * sizeof *edges_a);
  SupportEdge *edges_b = arena_allocate(arena, (size_t)b->edge_count * sizeof *edges_b);
  const int count_a = collect_edges(pair, true, labelled_a, edges_a);
  const int count_b = collect_edges(pair, false, labelled_b, edges_b);
  const int face_axes = count_face_axes(list);
  for (int i = 0; i < count_a; i++) {
    for (int j = 0; j < count_b; j++) {
      vec3 n;
      if (!edges_cross(&edges_a[i], &edges_b[j], &n)) continue;
      // (the edges themselves are no nearer to each other than the parts)
      const double most = vec3_dot(n, vec3_sub(edges_b[j].origin, edges_a[i].origin));
      if (pair->may_cull && most < useless_below(pair)) continue;
      const Axis *face = nearest_face_axis(list, face_axes, n);
      if (is_that_face(face, n)) continue;
      const double s = separation_along(pair, n);
      if (s > pair->margin + pair->reach) return false;
      raise_separation(pair, s, n);
      if (!axis_is_shallow(pair, s)) continue;
      axis_list_add(list, edge_axis(pair, &edges_a[i], &edges_b[j], n, s, face), arena);
    }
  }
  return true;
}

// the best edges ----------------------------------------------------------------------------------

// Four edges side by side.
typedef struct {
  Vec3Lane direction, inward[2];
} EdgeLanes;

// Edges of a part that may have an axis that separates enough.
typedef struct {
  int count;
  int *edges;         // arena
  EdgeLanes *lanes;   // arena, of four edges each; the last one comes again
} NearEdges;

static Vec3Lane lanes_of_vectors(const double *const places[LANES])
{
  Lane rows[LANES];
  for (int l = 0; l < LANES; l++) rows[l] = lanes_load3(places[l], 0);
  lane_transpose(rows);
  return (Vec3Lane){rows[0], rows[1], rows[2]};
}

static EdgeLanes edge_lanes(const Polyhedron *p, const int *edges, int count)
{
  assert_debug(count > 0 && "one of four edges is there");
  const double *from[LANES], *to[LANES], *first[LANES], *second[LANES];
  for (int l = 0; l < LANES; l++) {
    const Edge *edge = &p->edges[edges[l < count ? l : count - 1]];
    from[l] = &p->vertices[edge->vertex[0]].x;
    to[l] = &p->vertices[edge->vertex[1]].x;
    first[l] = &p->planes[edge->face[0]].normal.x;
    second[l] = &p->planes[edge->face[1]].normal.x;
  }
  const Vec3Lane along = lane3_sub(lanes_of_vectors(to), lanes_of_vectors(from));
  const Vec3Lane direction = lane3_scale(1.0 / lane_sqrt(lane3_dot(along, along)), along);
  return (EdgeLanes){direction,
                     {lane3_cross(lanes_of_vectors(first), direction),
                      lane3_cross(direction, lanes_of_vectors(second))}};
}

static Vec3Lane lanes_of_one(const Vec3Lane *a, int lane)
{
  return (Vec3Lane){lane_all(a->x[lane]), lane_all(a->y[lane]), lane_all(a->z[lane])};
}

// Bit l: the l-th of four edges and one of four others may support both parts along their cross.
// Its length is at most one, so that only rounding is left to allow for.
static unsigned lanes_that_cross(const EdgeLanes *a, int lane, const EdgeLanes *b)
{
  assert_debug(lane >= 0 && lane < LANES && "one of four edges");
  const Vec3Lane cross = lane3_cross(lanes_of_one(&a->direction, lane), b->direction);
  const Lane a0 = lane3_dot(lanes_of_one(&a->inward[0], lane), cross);
  const Lane a1 = lane3_dot(lanes_of_one(&a->inward[1], lane), cross);
  const Lane b0 = lane3_dot(b->inward[0], cross), b1 = lane3_dot(b->inward[1], cross);
  const Lane forth = lane_max(lane_max(a0, a1), 0.0 - lane_min(b0, b1));
  const Lane back = lane_max(0.0 - lane_min(a0, a1), lane_max(b0, b1));
  return lanes_not_less(lane_all(2 * SUPPORT_SLACK), lane_min(forth, back));
}

// No axis n = p f + q g that an edge supports, f and g the normals of its faces, p and q not below
// zero, separates more than p and q times the heights of one vertex of the other part above them.
static bool edge_is_below(const Polyhedron *p, Edge edge, double most, double level)
{
  if (most < 0) return true;   // (p + q >= 1)
  const double cosine = vec3_dot(p->planes[edge.face[0]].normal, p->planes[edge.face[1]].normal);
  return 2 * most * most < level * level * (1 + cosine);
}

// Edges that may have an axis of this separation; internal: with no true face beside them too.
static NearEdges near_edges(const PartPair *pair, bool of_a, double level, bool internal,
                            Arena *arena)
{
  const Polyhedron *p = of_a ? &pair->hull_a : &pair->hull_b;
  const Part *part = of_a ? pair->ref_a : pair->ref_b;
  const vec3 tip =
      lowest_vertex(of_a ? &pair->rows_b : &pair->rows_a, of_a ? pair->best : vec3_neg(pair->best));
  const Lane x = lane_all(tip.x), y = lane_all(tip.y), z = lane_all(tip.z);
  double *heights = arena_allocate(arena, (size_t)(p->face_count + LANES) * sizeof *heights);
  for (int f = 0; f < p->face_count; f += LANES) {
    const PlaneLanes four = lanes_faces(p, f);
    lane_store(&heights[f], lanes_dot(&four, x, y, z) - four.offset);
  }
  NearEdges near = {0, arena_allocate(arena, (size_t)p->edge_count * sizeof *near.edges), NULL};
  for (int e = 0; e < p->edge_count; e++) {
    const Edge edge = p->edges[e];
    const double most = larger_of(heights[edge.face[0]], heights[edge.face[1]]);
    if (most < level && edge_is_below(p, edge, most, level)) continue;
    if (!internal && !face_is_true(part, edge.face[0]) && !face_is_true(part, edge.face[1]))
      continue;
    near.edges[near.count++] = e;
  }
  const int groups = (near.count + LANES - 1) / LANES;
  near.lanes = arena_allocate(arena, (size_t)groups * sizeof *near.lanes);
  for (int g = 0; g < groups; g++)
    near.lanes[g] = edge_lanes(p, &near.edges[LANES * g], near.count - LANES * g);
  return near;
}

static SupportEdge near_edge(const NearEdges *near, const Polyhedron *p, int i)
{
  assert_debug(i >= 0 && i < near->count && "one of the edges");
  const EdgeLanes *four = &near->lanes[i / LANES];
  const int lane = i % LANES;
  return (SupportEdge){
      .index = near->edges[i],
      .direction = lane3_get(&four->direction, lane),
      .inward = {lane3_get(&four->inward[0], lane), lane3_get(&four->inward[1], lane)},
      .origin = p->vertices[p->edges[near->edges[i]].vertex[0]]};
}

// Adds the axis of two edges if it supports both parts and separates by more than level. True: it
// parts them.
static bool add_if_above(const PartPair *pair, const SupportEdge *a, const SupportEdge *b,
                         double level, AxisList *list, Arena *arena)
{
  vec3 n;
  if (!edges_cross(a, b, &n)) return false;
  if (vec3_dot(n, vec3_sub(b->origin, a->origin)) < level - bound_slack(pair)) return false;
  const Axis *face = nearest_face_axis(list, count_face_axes(list), n);
  if (is_that_face(face, n)) return false;
  const double s = separation_along(pair, n);
  if (s > level) axis_list_add(list, edge_axis(pair, a, b, n, s, face), arena);
  return s > pair->margin + pair->reach;
}

void patch_edges_add_above(const PartPair *pair, double level, bool internal, AxisList *list,
                           Arena *arena)
{
  assert_debug(!isnan(level) && "separations are compared");
  const double slack =
      bound_slack(pair) + 8 * SUPPORT_SLACK * (pair->hull_a.extent + pair->hull_b.extent);
  const NearEdges of_a = near_edges(pair, true, level - slack, internal, arena);
  if (of_a.count == 0) return;
  const NearEdges of_b = near_edges(pair, false, level - slack, internal, arena);
  for (int i = 0; i < of_a.count; i++) {
    for (int first = 0; first < of_b.count; first += LANES) {
      unsigned left =
          lanes_that_cross(&of_a.lanes[i / LANES], i % LANES, &of_b.lanes[first / LANES]);
      for (; left != 0; left &= left - 1) {
        const int j = first + __builtin_ctz(left);
        if (j >= of_b.count) break;
        const SupportEdge a = near_edge(&of_a, &pair->hull_a, i);
        const SupportEdge b = near_edge(&of_b, &pair->hull_b, j);
        if (add_if_above(pair, &a, &b, level, list, arena)) return;
      }
    }
  }
}

// The middle of two normals, long enough to reach the planes of both once they are pushed out by
// one. Along n = p f + q g that is p + q, by which a dilated solid grows along n.
static vec3 way_out(const Polyhedron *p, Edge edge)
{
  const vec3 f = p->planes[edge.face[0]].normal, g = p->planes[edge.face[1]].normal;
  return vec3_scale(1 / (1 + vec3_dot(f, g)), vec3_add(f, g));
}

// A piece of a line x + t u.
typedef struct {
  vec3 x, u;
  Lane first, last;   // t, of four pieces of which all is wanted that they share
} LinePiece;

// Keeps of a line what lies below all planes of a solid pushed out by a height, of two faces aside.
static void cut_line(LinePiece *line, const Polyhedron *p, double height, const int *aside)
{
  const vec3 x = line->x, u = line->u;
  for (int first = 0; first < p->face_count; first += LANES) {
    const PlaneLanes four = lanes_faces(p, first);
    Lane room =
        four.offset + height - lanes_dot(&four, lane_all(x.x), lane_all(x.y), lane_all(x.z));
    Lane climb = lanes_dot(&four, lane_all(u.x), lane_all(u.y), lane_all(u.z));
    for (int k = 0; k < 2 && aside != NULL; k++) {
      // (past the last face the last one comes again)
      const int most = aside[k] == p->face_count - 1 ? first + LANES - 1 : aside[k];
      for (int f = aside[k]; f <= most; f++) {
        if (f < first || f >= first + LANES) continue;
        room[f - first] = INFINITY;
        climb[f - first] = 1;
      }
    }
    const Lane t = room / climb, none = lane_all(INFINITY);
    const LaneMask up = climb > 0, down = climb < 0;
    line->last =
        lane_min(line->last, lane_select(up, t, lane_select(down | (room > 0), none, -none)));
    line->first = lane_max(line->first, lane_select(down, t, -none));
  }
}

// Does a piece of an edge, moved out with its faces, lie inside of both solids moved out?
static bool edge_bounds_common(const Polyhedron *p, const Polyhedron *other, Edge edge,
                               double dilation, double slack)
{
  const vec3 from = p->vertices[edge.vertex[0]];
  LinePiece line = {.x = vec3_axpy(dilation, way_out(p, edge), from),
                    .u = edge_direction(p, edge),
                    .first = lane_all(-INFINITY),
                    .last = lane_all(INFINITY)};
  cut_line(&line, other, dilation - slack, NULL);
  if (!(lanes_largest(line.first) < lanes_smallest(line.last))) return false;
  cut_line(&line, p, dilation - slack, edge.face);
  return lanes_largest(line.first) < lanes_smallest(line.last);
}

bool patch_edges_bound_common(const PartPair *pair, const Axis *axis, double dilation)
{
  assert_debug(axis_is_of_edges(axis) && "an axis of two edges");
  const Polyhedron *a = &pair->hull_a, *b = &pair->hull_b;
  const double slack = bound_slack(pair);
  return edge_bounds_common(a, b, a->edges[feature_index(axis->axis_a)], dilation, slack) &&
         edge_bounds_common(b, a, b->edges[feature_index(axis->axis_b)], dilation, slack);
}

bool patch_edges_part_dilated(const PartPair *pair, const Axis *axis, double dilation)
{
  assert_debug(axis_is_of_edges(axis) && "an axis of two edges");
  const Polyhedron *a = &pair->hull_a, *b = &pair->hull_b;
  const vec3 of_a = way_out(a, a->edges[feature_index(axis->axis_a)]);
  const vec3 of_b = way_out(b, b->edges[feature_index(axis->axis_b)]);
  const double growth = dilation * vec3_dot(axis->n, vec3_sub(of_a, of_b));
  return axis->separation > growth * (1 + 1e-6) + bound_slack(pair);
}

bool patch_edges_turn_once(const PartPair *pair, const Axis *axis)
{
  assert_debug(axis_is_of_edges(axis) && "an axis of two edges");
  const SupportEdge a = support_edge(&pair->hull_a, feature_index(axis->axis_a));
  const SupportEdge b = support_edge(&pair->hull_b, feature_index(axis->axis_b));
  return !edges_support(&a, &b, vec3_neg(axis->n));
}

bool patch_edges_measure(PartPair *pair)
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
