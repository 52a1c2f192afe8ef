// The patch along one axis: what supports both parts there, projected along the axis and
// intersected.
#include <assert.h>
#include <string.h>

#include "contacts.h"
#include "patch_axes.h"
#include "patch_clip.h"

#define WHOLE_FACE_COSINE \
  0.5   // a face all of whose vertices support must look along the axis this much

#define SQUARE_COSINE 0.994   // all within PATCH_FACET_ANGLE have more
#define FEWEST_CORNERS 3      // of a face

// A facet, edge or vertex that supports its part along the axis.
typedef struct {
  Figure figure;
  Plane plane;   // of a facet, in the basis of the patch
} Item;

typedef struct {
  int count;
  Item *items;
} ItemList;

// One point where two items meet: place, and the exact places on both (u, v, z in the basis of the
// patch).
typedef struct {
  double u, v;
  vec3 on_a, on_b;
  uint32_t feature_a, feature_b;
  bool inside;   // both places are in their parts; else one may lie beside a facet
} RawPoint;

typedef struct {
  int count, capacity;
  RawPoint *points;
  double facet_area;   // sum over facet pairs, m2
  bool thin;           // some points are not of two facets
} RawList;

// One axis at work.
typedef struct {
  const PartPair *pair;
  const Axis *axis;
  bool of_face_a, of_face_b;   // which side's face the axis is; neither: edges
  PlaneBasis basis;
  double width;
  Arena *arena;
} Search;

// gathering what supports a part ------------------------------------------------------------------

static PlaneCorner corner_new(const PlaneBasis *basis, vec3 x, uint32_t vertex, uint32_t edge)
{
  const vec3 p = plane_basis_apply(basis, x);
  return (PlaneCorner){p.x, p.y, p.z, vertex, edge};
}

// Corners of a facet in the patch's basis, counter-clockwise about the axis.
static Item facet_item(const Search *search, bool of_a, int index)
{
  assert_debug(index >= 0 &&
               index < (of_a ? search->pair->ref_a : search->pair->ref_b)->facet_count &&
               "a facet has a number");
  const PartPair *pair = search->pair;
  const Part *part = of_a ? pair->ref_a : pair->ref_b;
  const Polyhedron *hull = of_a ? &pair->hull_a : &pair->hull_b;
  const Facet *facet = &part->facets[index];
  const int count = facet->corner_count, first = hull->face_start[facet->face];
  PlaneCorner *corners = arena_allocate(search->arena, (size_t)count * sizeof *corners);
  if (facet->whole) {
    for (int k = 0; k < count; k++) {
      const int v = hull->face_vertices[first + k];
      corners[k] = corner_new(&search->basis, hull->vertices[v], feature_new(FEATURE_VERTEX, v),
                              feature_new(FEATURE_EDGE, part->loop_edge[first + k]));
    }
  } else {
    // corners of cut facets are numbered after the hull's own vertices and edges
    int number = 0;
    for (int i = 0; i < index; i++) number += part->facets[i].corner_count;
    const mat3 rotation = of_a ? pair->a->rotation : pair->b->rotation;
    const vec3 shift = of_a ? vec3_new(0, 0, 0) : pair->shift;
    for (int k = 0; k < count; k++) {
      corners[k] =
          corner_new(&search->basis, vec3_add(mat3_mul(rotation, facet->corners[k]), shift),
                     feature_new(FEATURE_VERTEX, hull->vertex_count + number + k),
                     feature_new(FEATURE_EDGE, hull->edge_count + number + k));
    }
  }
  if (!of_a) {
    // seen along the axis b's loop runs clockwise: turn it round, sides go with the corner they now
    // leave
    for (int i = 0, j = count - 1; i < j; i++, j--) {
      const PlaneCorner swap = corners[i];
      corners[i] = corners[j];
      corners[j] = swap;
    }
    const uint32_t last = corners[0].edge;
    for (int i = 0; i + 1 < count; i++) corners[i].edge = corners[i + 1].edge;
    corners[count - 1].edge = last;
  }
  const Plane plane = hull->planes[facet->face];
  return (Item){.figure = {count, corners, feature_new(FEATURE_FACE, facet->face)},
                .plane = {plane_basis_apply(&search->basis, plane.normal), plane.offset}};
}

static Item edge_item(const Search *search, const Polyhedron *hull, int edge)
{
  assert_debug(edge >= 0 && edge < hull->edge_count && "an edge has a number");
  PlaneCorner *corners = arena_allocate(search->arena, 2 * sizeof *corners);
  const uint32_t feature = feature_new(FEATURE_EDGE, edge);
  for (int end = 0; end < 2; end++) {
    const int v = hull->edges[edge].vertex[end];
    corners[end] =
        corner_new(&search->basis, hull->vertices[v], feature_new(FEATURE_VERTEX, v), feature);
  }
  return (Item){.figure = {2, corners, feature}};
}

static Item vertex_item(const Search *search, const Polyhedron *hull, int vertex)
{
  assert_debug(vertex >= 0 && vertex < hull->vertex_count && "a vertex has a number");
  PlaneCorner *corner = arena_allocate(search->arena, sizeof *corner);
  const uint32_t feature = feature_new(FEATURE_VERTEX, vertex);
  *corner = corner_new(&search->basis, hull->vertices[vertex], feature, feature);
  return (Item){.figure = {1, corner, feature}};
}

// Which vertices of a part support it along an axis, and what they belong to.
typedef struct {
  int count;           // of supporting vertices
  int *list;           // [count] of these
  bool *vertices;      // [vertex_count]: within the margin of the farthest
  bool *covered;       // [vertex_count]: on an item
  bool *faces;         // [face_count]: takes part whole
  bool one_face;       // one face does, no more
  int covered_count;   // of supporting vertices, on that one
} Supports;

static Supports find_supports(const Search *search, const Polyhedron *hull, const VertexRows *rows,
                              vec3 out)
{
  const size_t vertices = (size_t)rows->count, faces = (size_t)hull->face_count;
  const size_t flag_bytes = (2 * vertices + faces) * sizeof(bool);
  double *height =
      arena_allocate(search->arena, vertices * (sizeof *height + sizeof(int)) + flag_bytes);
  int *list = (int *)(void *)(height + vertices);
  bool *flags = (bool *)(void *)(list + vertices);
  memset(flags, 0, flag_bytes);
  Supports supports = {0, list, flags, flags + vertices, flags + 2 * vertices, false, 0};
  Lane top = lane_all(-INFINITY);
  for (int i = 0; i < rows->count; i += VERTEX_LANES) {
    const Lane of_x = out.x * lane_load(&rows->x[i]);
    const Lane of_y = out.y * lane_load(&rows->y[i]);
    const Lane z = of_x + of_y + out.z * lane_load(&rows->z[i]);
    lane_store(&height[i], z);
    top = lane_max(z, top);
  }
  const Lane least = lane_all(lanes_largest(top) - search->pair->margin);
  for (int i = 0; i < rows->count; i += VERTEX_LANES) {
    for (unsigned left = lanes_not_less(lane_load(&height[i]), least); left; left &= left - 1) {
      const int v = i + __builtin_ctz(left);
      if (v >= hull->vertex_count) break;
      supports.vertices[v] = true;
      supports.list[supports.count++] = v;
    }
  }
  return supports;
}

// Below this cosine no face takes part whole.
static double least_cosine(const Search *search, const Supports *supports)
{
  if (supports->count >= FEWEST_CORNERS) return WHOLE_FACE_COSINE;
  return search->of_face_a || search->of_face_b ? SQUARE_COSINE : 2;
}

// Does a face take part whole? All its vertices support, or (face axes) it owns one and is nearly
// at right angles.
static bool face_supports(const Search *search, const Polyhedron *hull, int face, double cosine,
                          const Supports *supports)
{
  assert_debug(face >= 0 && face < hull->face_count && "a face has a number");
  const int first = hull->face_start[face], end = hull->face_start[face + 1];
  int held = 0;
  for (int k = first; k < end; k++) held += supports->vertices[hull->face_vertices[k]];
  if (held == end - first) return true;
  const bool of_face = search->of_face_a || search->of_face_b;
  return of_face && held > 0 && 1 - cosine * cosine < PATCH_FACET_ANGLE * PATCH_FACET_ANGLE;
}

static void collect_face(const Search *search, bool of_a, int face, Supports *supports,
                         ItemList *list)
{
  const Part *part = of_a ? search->pair->ref_a : search->pair->ref_b;
  const Polyhedron *hull = of_a ? &search->pair->hull_a : &search->pair->hull_b;
  supports->faces[face] = true;
  supports->one_face = list->count == 0;
  for (int i = part->facet_start[face]; i < part->facet_start[face + 1]; i++) {
    list->items[list->count++] = facet_item(search, of_a, i);
  }
  supports->covered_count = 0;
  for (int k = hull->face_start[face]; k < hull->face_start[face + 1]; k++) {
    const int v = hull->face_vertices[k];
    supports->covered[v] = true;
    supports->covered_count += supports->vertices[v];
  }
}

static void collect_facets(const Search *search, bool of_a, vec3 out, Supports *supports,
                           ItemList *list)
{
  const Part *part = of_a ? search->pair->ref_a : search->pair->ref_b;
  const Polyhedron *hull = of_a ? &search->pair->hull_a : &search->pair->hull_b;
  const double least = least_cosine(search, supports);
  const Lane x = lane_all(out.x), y = lane_all(out.y), z = lane_all(out.z);
  for (int first = 0; first < hull->face_count && least < 1; first += LANES) {
    const PlaneLanes four = lanes_faces(hull, first);
    const Lane cosines = lanes_dot(&four, x, y, z);
    for (unsigned left = lanes_less(lane_all(least), cosines); left; left &= left - 1) {
      const int lane = __builtin_ctz(left), f = first + lane;
      if (f >= hull->face_count) break;
      if (part->facet_start[f] == part->facet_start[f + 1]) continue;
      if (face_supports(search, hull, f, cosines[lane], supports))
        collect_face(search, of_a, f, supports, list);
    }
  }
}

// Is the edge that made an axis all that supports a part?
static bool edge_alone_supports(const Search *search, bool of_a, const Polyhedron *hull,
                                const Supports *supports)
{
  if (search->of_face_a || search->of_face_b || supports->count != 2) return false;
  const Edge *own = &hull->edges[feature_index(of_a ? search->axis->axis_a : search->axis->axis_b)];
  return supports->vertices[own->vertex[0]] && supports->vertices[own->vertex[1]];
}

// True facets, then edges and vertices that no facet covers (everything: these too).
static ItemList collect_items(const Search *search, bool of_a, bool everything)
{
  const PartPair *pair = search->pair;
  const Part *part = of_a ? pair->ref_a : pair->ref_b;
  const Polyhedron *hull = of_a ? &pair->hull_a : &pair->hull_b;
  const vec3 out = of_a ? search->basis.n : vec3_neg(search->basis.n);
  const size_t most =
      (size_t)part->facet_count + (size_t)hull->edge_count + (size_t)hull->vertex_count;
  ItemList list = {0, arena_allocate(search->arena, most * sizeof *list.items)};
  Supports supports = find_supports(search, hull, of_a ? &pair->rows_a : &pair->rows_b, out);
  if (!everything && edge_alone_supports(search, of_a, hull, &supports)) {
    const uint32_t edge = of_a ? search->axis->axis_a : search->axis->axis_b;
    list.items[list.count++] = edge_item(search, hull, feature_index(edge));
    return list;
  }
  collect_facets(search, of_a, out, &supports, &list);
  // edges between corners of one face are sides of it
  if (!everything && supports.one_face && supports.covered_count == supports.count) return list;
  for (int e = 0; e < hull->edge_count && supports.count > 1; e++) {
    const Edge *edge = &hull->edges[e];
    if (!supports.vertices[edge->vertex[0]] || !supports.vertices[edge->vertex[1]]) continue;
    if (!everything && (supports.faces[edge->face[0]] || supports.faces[edge->face[1]])) continue;
    list.items[list.count++] = edge_item(search, hull, e);
    supports.covered[edge->vertex[0]] = supports.covered[edge->vertex[1]] = true;
  }
  for (int i = 0; i < supports.count; i++) {
    const int v = supports.list[i];
    if (everything || !supports.covered[v]) list.items[list.count++] = vertex_item(search, hull, v);
  }
  return list;
}

// meeting -----------------------------------------------------------------------------------------

static inline void raw_list_add(RawList *raw, RawPoint point, Arena *arena)
{
  assert_debug(raw->count <= raw->capacity && "points are in their room");
  if (raw->count == raw->capacity)
    raw->points =
        arena_grow(arena, raw->points, raw->count + 1, &raw->capacity, sizeof *raw->points);
  raw->points[raw->count++] = point;
}

static double height_at(Plane plane, double u, double v)
{
  return (plane.offset - plane.normal.x * u - plane.normal.y * v) / plane.normal.z;
}

static void meet_facets(const Search *search, const Item *a, const Item *b, RawList *raw)
{
  assert_debug(a->figure.count >= 3 && b->figure.count >= 3 && "a facet has three corners");
  const size_t room = (size_t)(a->figure.count + b->figure.count);
  ClipCorner *work = arena_allocate(search->arena, 2 * room * sizeof *work);
  ClipPoint *points = arena_allocate(search->arena, room * sizeof *points);
  const int count =
      patch_clip_polygon(&b->figure, &a->figure, search->pair->rounding, work, points);
  const double area = patch_clip_area(points, count);
  if (area > 0) raw->facet_area += area;
  for (int i = 0; i < count; i++) {
    const double u = points[i].u, v = points[i].v;
    raw_list_add(raw,
                 (RawPoint){u,
                            v,
                            {u, v, height_at(a->plane, u, v)},
                            {u, v, height_at(b->plane, u, v)},
                            points[i].window,
                            points[i].subject,
                            true},
                 search->arena);
  }
}

// An edge or vertex of one side on a facet of the other.
static void meet_thin(const Search *search, const Item *thin, const Item *facet, bool facet_of_a,
                      RawList *raw)
{
  const ThinClip clip =
      patch_clip_thin(&thin->figure, &facet->figure, search->pair->rounding, search->width);
  raw->thin |= clip.count > 0;
  for (int i = 0; i < clip.count; i++) {
    const ClipPoint p = clip.points[i];
    const vec3 on_facet = {p.u, p.v, height_at(facet->plane, p.u, p.v)};
    const vec3 on_thin = {p.u, p.v, p.z};
    raw_list_add(raw,
                 facet_of_a
                     ? (RawPoint){p.u, p.v, on_facet, on_thin, p.window, p.subject, !clip.beside}
                     : (RawPoint){p.u, p.v, on_thin, on_facet, p.subject, p.window, !clip.beside},
                 search->arena);
  }
}

static void meet_edges(const Search *search, const Item *a, const Item *b, RawList *raw)
{
  Crossing crossings[2];
  const int count = patch_clip_cross(&a->figure, &b->figure, search->width, crossings);
  raw->thin |= count > 0;
  for (int i = 0; i < count; i++) {
    const Crossing *c = &crossings[i];
    raw_list_add(raw,
                 (RawPoint){c->u,
                            c->v,
                            {c->p[0], c->p[1], c->p[2]},
                            {c->q[0], c->q[1], c->q[2]},
                            c->p_feature,
                            c->q_feature,
                            true},
                 search->arena);
  }
}

// A vertex of one side beside a vertex or edge of the other.
static void meet_vertex(const Search *search, const Item *a, const Item *b, RawList *raw)
{
  const bool b_is_vertex = b->figure.count == 1;
  const PlaneCorner *corner = b_is_vertex ? &b->figure.corners[0] : &a->figure.corners[0];
  double on_a[3], on_b[3];
  patch_clip_nearest(&a->figure, corner->u, corner->v, on_a);
  patch_clip_nearest(&b->figure, corner->u, corner->v, on_b);
  const double du = on_a[0] - on_b[0], dv = on_a[1] - on_b[1];
  if (sqrt(du * du + dv * dv) > search->width) return;
  const bool both = b_is_vertex && a->figure.count == 1;
  raw->thin = true;
  raw_list_add(raw,
               (RawPoint){both ? 0.5 * (on_a[0] + on_b[0]) : corner->u,
                          both ? 0.5 * (on_a[1] + on_b[1]) : corner->v,
                          {on_a[0], on_a[1], on_a[2]},
                          {on_b[0], on_b[1], on_b[2]},
                          a->figure.feature,
                          b->figure.feature,
                          true},
               search->arena);
}

static void meet_items(const Search *search, const ItemList *of_a, const ItemList *of_b,
                       RawList *raw)
{
  for (int i = 0; i < of_a->count; i++) {
    for (int j = 0; j < of_b->count; j++) {
      const Item *a = &of_a->items[i], *b = &of_b->items[j];
      if (a->figure.count > 2 && b->figure.count > 2) {
        meet_facets(search, a, b, raw);
      } else if (a->figure.count > 2) {
        meet_thin(search, b, a, true, raw);
      } else if (b->figure.count > 2) {
        meet_thin(search, a, b, false, raw);
      } else if (a->figure.count == 2 && b->figure.count == 2) {
        meet_edges(search, a, b, raw);
      } else {
        meet_vertex(search, a, b, raw);
      }
    }
  }
}

static void drop_far_points(const PartPair *pair, RawList *raw)
{
  int kept = 0;
  for (int i = 0; i < raw->count; i++) {
    const RawPoint p = raw->points[i];
    if (p.on_b.z - p.on_a.z <= pair->margin + pair->reach) raw->points[kept++] = p;
  }
  raw->count = kept;
}

// acceptance --------------------------------------------------------------------------------------

// May another part of a body cover features? Of those asked for, one that touches the same part of
// the other body.
static bool part_may_cover(const PartPair *pair, bool of_a, int part)
{
  assert_debug(part >= 0 && "a part has a number");
  if (pair->held == NULL) return true;
  const int a = of_a ? part : pair->part_a, b = of_a ? pair->part_b : part;
  for (int i = 0; i < pair->held->count; i++) {
    if (pair->held->items[i].a == a && pair->held->items[i].b == b) return true;
  }
  return false;
}

// Bodies of several parts: does the rest of the body stay on its own side of the place? Other parts
// that hold the exact feature point must not reach beyond it along the axis, else the feature is
// inside the body's surface. What is within the margin supports, as in a part.
static bool body_supports(const PartPair *pair, bool of_a, vec3 place, vec3 out)
{
  const PosedBody *body = of_a ? pair->a : pair->b;
  const int own_part = of_a ? pair->part_a : pair->part_b;
  const double most = vec3_dot(out, place) + pair->margin;
  for (int q = 0; q < body->shape->part_count; q++) {
    const Polyhedron *part = &body->parts[q];
    if (q == own_part || !polyhedron_holds(part, place, pair->rounding)) continue;
    if (!part_may_cover(pair, of_a, q)) continue;
    for (int v = 0; v < part->vertex_count; v++) {
      if (vec3_dot(out, part->vertices[v]) > most) return false;
    }
  }
  return true;
}

static bool point_has_support(const Search *search, const RawPoint *p)
{
  const PartPair *pair = search->pair;
  const PlaneBasis *f = &search->basis;
  // the side whose face is the axis needs no test
  if (!search->of_face_b && pair->b->shape->part_count > 1) {
    const vec3 place = vec3_sub(plane_basis_point(f, p->on_b.x, p->on_b.y, p->on_b.z), pair->shift);
    if (!body_supports(pair, false, place, vec3_neg(f->n))) return false;
  }
  if (!search->of_face_a && pair->a->shape->part_count > 1) {
    const vec3 place = plane_basis_point(f, p->on_a.x, p->on_a.y, p->on_a.z);
    if (!body_supports(pair, true, place, f->n)) return false;
  }
  return true;
}

// Far features of false axes fall outside of the parts: how far above them a point may be, m.
static double near_height(const PartPair *pair, double gap, double depth)
{
  double slack = pair->margin + PATCH_DEPTH_FACTOR * depth + pair->rounding;
  if (gap > pair->margin) slack += 0.5 * (gap - pair->margin);
  return slack;
}

static double distance_of(const RawPoint *p)
{
  return p->inside ? vec3_norm(vec3_sub(p->on_b, p->on_a)) : INFINITY;
}

// The points that stay; settled: the same ones would at any smaller depth of the pair.
static int accept_points(const Search *search, const RawList *raw, PlanePoint *points,
                         bool *settled)
{
  const PartPair *pair = search->pair;
  const bool of_face = search->of_face_a || search->of_face_b;
  const bool faces_meet = raw->facet_area > 10 * pair->rounding * pair->small_extent;
  const double depth = pair_depth(pair->separation);
  int count = 0;
  *settled = true;
  for (int i = 0; i < raw->count; i++) {
    const RawPoint *p = &raw->points[i];
    // facets turned against the axis may cross it far away: nothing is nearer than the separation
    double gap = p->on_b.z - p->on_a.z;
    if (gap < search->axis->separation) gap = search->axis->separation;
    const vec3 x = plane_basis_point(&search->basis, p->u, p->v, p->on_a.z + 0.5 * gap);
    // (between places of both parts that are nearer than the margin all is near)
    if (!(distance_of(p) + 4 * pair->rounding <= pair->margin)) {
      const double height =
          larger_of(height_above(&pair->hull_a, x), height_above(&pair->hull_b, x));
      const bool near = height <= near_height(pair, gap, depth);
      if (near != (height <= near_height(pair, gap, 0))) *settled = false;
      if (!near) continue;
    }
    if (!(of_face && faces_meet) && !point_has_support(search, p)) continue;
    points[count++] = (PlanePoint){.u = p->u,
                                   .v = p->v,
                                   .x = x,
                                   .gap = gap,
                                   .part_a = pair->part_a,
                                   .part_b = pair->part_b,
                                   .feature_a = p->feature_a,
                                   .feature_b = p->feature_b,
                                   .axis_a = search->axis->axis_a,
                                   .axis_b = search->axis->axis_b};
  }
  return count;
}

// What faces share where the patch has collapsed: no more than it is wide. Faces turned against the
// axis may share much more in projection.
static double sliver_area(const PairPatch *patch, double facet_area)
{
  assert_debug(patch->count > 0 && "a patch has points");
  if (patch->area > 0) return 0;
  const vec3 along = vec3_sub(patch->points[patch->count - 1].x, patch->points[0].x);
  const double most = patch->width * (vec3_norm(along) + patch->width);
  return facet_area < most ? facet_area : most;
}

static Footprint footprint_of(const RawList *raw, bool settled)
{
  Footprint f = {.facets = !raw->thin,
                 .settled = settled,
                 .least_distance = INFINITY,
                 .low_a = INFINITY,
                 .high_a = -INFINITY,
                 .low_b = INFINITY,
                 .high_b = -INFINITY};
  double low_u = INFINITY, high_u = -INFINITY, low_v = INFINITY, high_v = -INFINITY;
  for (int i = 0; i < raw->count; i++) {
    const RawPoint *p = &raw->points[i];
    f.least_distance = smaller_of(f.least_distance, distance_of(p));
    f.low_a = smaller_of(f.low_a, p->on_a.z);
    f.high_a = larger_of(f.high_a, p->on_a.z);
    f.low_b = smaller_of(f.low_b, p->on_b.z);
    f.high_b = larger_of(f.high_b, p->on_b.z);
    low_u = smaller_of(low_u, p->u);
    high_u = larger_of(high_u, p->u);
    low_v = smaller_of(low_v, p->v);
    high_v = larger_of(high_v, p->v);
  }
  const double du = high_u - low_u, dv = high_v - low_v;
  f.span = sqrt(du * du + dv * dv);
  return f;
}

bool patch_build(const PartPair *pair, const Axis *axis, PairPatch *patch, Footprint *footprint,
                 Arena *arena)
{
  assert_debug((axis->axis_a != AXIS_NONE || axis->axis_b != AXIS_NONE) &&
               "an axis is of a feature");
  const ArenaMark mark = arena_mark(arena);
  const Search search = {.pair = pair,
                         .axis = axis,
                         .of_face_a = axis->axis_b == AXIS_NONE,
                         .of_face_b = axis->axis_a == AXIS_NONE,
                         .basis = plane_basis_new(axis->n),
                         .width = pair_width(pair->margin, pair->separation),
                         .arena = arena};
  RawList raw = {0};
  for (int everything = 0; everything < 2 && raw.count == 0; everything++) {
    // supports whose projections miss each other by little: second round, nearest features
    const ItemList of_a = collect_items(&search, true, everything == 1);
    const ItemList of_b = collect_items(&search, false, everything == 1);
    raw.facet_area = 0;
    raw.thin = false;
    meet_items(&search, &of_a, &of_b, &raw);
    drop_far_points(pair, &raw);
  }
  PlanePoint *points = arena_allocate(arena, (size_t)raw.count * sizeof *points);
  bool settled;
  const int count = accept_points(&search, &raw, points, &settled);
  if (count > 0) {
    patch->n = axis->n;
    patch->axis_a = axis->axis_a;
    patch->axis_b = axis->axis_b;
    patch->part_a = pair->part_a;
    patch->part_b = pair->part_b;
    patch->separation = axis->separation;
    patch->width = search.width;
    patch->margin = pair->margin;
    patch->feature_width = pair->feature_width;
    patch->rounding = pair->rounding;
    patch->max_points = pair->max_points;
    patch_reduce(patch, points, count, INFINITY, arena);
    patch->sliver = sliver_area(patch, raw.facet_area);
    // seams may run through the corner of a face, which pieces that collapse would lose
    patch->corner_count = patch->sliver > 0 && count <= SLIVER_MAX_CORNERS ? count : 0;
    memcpy(patch->corners, points, (size_t)patch->corner_count * sizeof *points);
    if (footprint != NULL) *footprint = footprint_of(&raw, settled);
  }
  arena_release(arena, mark);
  return count > 0;
}
