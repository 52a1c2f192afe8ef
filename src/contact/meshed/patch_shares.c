// Nodes of the points of a patch: those of their places, and what pieces between points add.
#include "patch_shares.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "patch_seams.h"

#define CLIP 1e-6   // of the distance at which points are one: areas are clipped this exactly
#define LEAST_SHARE 1e-10   // of a piece: less than this of its area on a node is rounding
#define FLAT_WINDOW 1e-9    // of the square of its sides: triangles with less area are lines

// Values at nodes, each node once.
typedef struct {
  int count, capacity;
  int *node;
  double *value;
  Arena *arena;
} NodeSum;

static void add_to_node(NodeSum *sum, int node, double value)
{
  assert_debug(node >= 0 && "a node has a number");
  int k = 0;
  while (k < sum->count && sum->node[k] != node) k++;
  if (k == sum->count) {
    int capacity = sum->capacity;
    sum->node = arena_grow(sum->arena, sum->node, (int64_t)k + 1, &capacity, sizeof *sum->node);
    capacity = sum->capacity;
    sum->value = arena_grow(sum->arena, sum->value, (int64_t)k + 1, &capacity, sizeof *sum->value);
    sum->capacity = capacity;
    sum->node[sum->count] = node;
    sum->value[sum->count++] = 0;
  }
  sum->value[k] += value;
}

static void add_place(NodeSum *sum, const FiniteShape *mesh, int face, const double *weights,
                      double factor)
{
  assert_debug(face >= 0 && face < mesh->surface.faces && "a face of the mesh");
  const int *corner = &mesh->surface.corner[(size_t)face * (size_t)mesh->surface.corners];
  for (int k = 0; k < mesh->surface.corners; k++) add_to_node(sum, corner[k], factor * weights[k]);
}

// ------------------------------------------------------------------------------------------------
// A patch.

// The points of a patch and one of its bodies.
typedef struct {
  const PatchPlane *plane;
  MeshedBody body;
  const MeshFaces *faces;
  const Sampling *points;
  const FinitePoint *at;   // [points->count] places of the points in the body
  const double *own;       // [points->count] m2: what each has in pieces
  double same;
  Arena *arena;
} PatchSide;

static vec3 in_body(const PatchSide *side, double u, double v)
{
  const vec3 place = patch_plane_place(side->plane, u, v);
  return mat3_mul_transposed(side->body.rotation, vec3_sub(place, side->body.centre));
}

static void add_point(NodeSum *sum, const FinitePoint *point, double factor)
{
  for (int k = 0; k < FINITE_FACE; k++)
    if (point->at.weight[k] != 0) add_to_node(sum, point->at.node[k], factor * point->at.weight[k]);
}

// Twice the area of a triangle, m2.
static double twice_area(const PlaneCorner triangle[3])
{
  const PlaneCorner *o = &triangle[0], *p = &triangle[1], *q = &triangle[2];
  return (p->u - o->u) * (q->v - o->v) - (p->v - o->v) * (q->u - o->u);
}

// Corners of a piece on one side of the patch lie in a line, and so do triangles of a fan.
static bool is_line(const PlaneCorner triangle[3])
{
  double squares = 0;
  for (int k = 0; k < 3; k++) {
    const PlaneCorner *p = &triangle[k], *q = &triangle[(k + 1) % 3];
    squares += (q->u - p->u) * (q->u - p->u) + (q->v - p->v) * (q->v - p->v);
  }
  return !(fabs(twice_area(triangle)) > FLAT_WINDOW * squares);
}

// By areas: exact for what is linear.
static void shares_in(const PlaneCorner triangle[3], const PlaneCorner *at, double shares[3])
{
  const PlaneCorner *o = &triangle[0], *p = &triangle[1], *q = &triangle[2];
  const double pu = p->u - o->u, pv = p->v - o->v, qu = q->u - o->u, qv = q->v - o->v;
  const double determinant = twice_area(triangle), u = at->u - o->u, v = at->v - o->v;
  shares[1] = (u * qv - v * qu) / determinant;
  shares[2] = (pu * v - pv * u) / determinant;
  shares[0] = 1 - shares[1] - shares[2];
}

// One face of the mesh in a triangle of points: the field of the mesh, where it is asked for, less
// a share of the linear one. The middles of sides integrate what is quadratic.
static void add_common(const PatchSide *side, int face, const int of[3], double linear, bool field,
                       NodeSum *sum)
{
  const SamplingPoint *points = side->points->point;
  PlaneCorner triangle[3];
  for (int c = 0; c < 3; c++)
    triangle[c] = (PlaneCorner){.u = points[of[c]].u, .v = points[of[c]].v};
  if (is_line(triangle)) return;
  const Figure window = {.count = 3, .corners = triangle};
  const Figure common = patch_sampling_common(&side->faces->faces.face[face], &window,
                                              CLIP * side->same, side->arena);
  const int number = side->faces->number[face];
  const FiniteShape *mesh = side->body.mesh;
  double of_face[FINITE_FACE] = {0}, of_points[3] = {0};
  for (int k = 2; k < common.count; k++) {
    const PlaneCorner corner[3] = {common.corners[0], common.corners[k - 1], common.corners[k]};
    const double third = twice_area(corner) / 6;
    for (int m = 0; m < 3; m++) {
      const PlaneCorner *p = &corner[m], *q = &corner[(m + 1) % 3];
      const PlaneCorner at = {.u = 0.5 * (p->u + q->u), .v = 0.5 * (p->v + q->v)};
      double weights[FINITE_FACE] = {0}, shares[3];
      if (field)
        finite_surface_weights(&mesh->mesh, &mesh->surface, number, in_body(side, at.u, at.v),
                               weights);
      for (int c = 0; c < FINITE_FACE; c++) of_face[c] += third * weights[c];
      shares_in(triangle, &at, shares);
      for (int c = 0; c < 3; c++) of_points[c] += third * shares[c];
    }
  }
  if (common.count < 3) return;
  if (field) add_place(sum, mesh, number, of_face, 1);
  for (int c = 0; c < 3; c++) add_point(sum, &side->at[of[c]], -linear * of_points[c]);
}

// Bounds in the plane.
typedef struct {
  double low[2], high[2];
} Window;

static void add_corner(Window *window, double u, double v)
{
  const double at[2] = {u, v};
  for (int k = 0; k < 2; k++) {
    window->low[k] = fmin(window->low[k], at[k]);
    window->high[k] = fmax(window->high[k], at[k]);
  }
}

// Faces whose bounds meet those of a piece, [faces]; returns how many.
static int near_faces(const PatchSide *side, const SamplingPiece *piece, int *near)
{
  const Window none = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
  Window of = none;
  for (int k = 0; k < piece->count; k++) {
    const SamplingPoint *p = &side->points->point[piece->corner[k]];
    add_corner(&of, p->u, p->v);
  }
  int count = 0;
  for (int f = 0; f < side->faces->faces.count; f++) {
    const Figure *face = &side->faces->faces.face[f];
    Window window = none;
    for (int c = 0; c < face->count; c++)
      add_corner(&window, face->corners[c].u, face->corners[c].v);
    bool meets = true;
    for (int k = 0; k < 2; k++)
      meets = meets && window.low[k] <= of.high[k] && of.low[k] <= window.high[k];
    if (meets) near[count++] = f;
  }
  return count;
}

// What the mesh does on a piece, which any fan covers, beside the linear functions through its
// corners, in the mean over the fans about all of them.
static void add_piece(const PatchSide *side, const SamplingPiece *piece, NodeSum *sum)
{
  assert_debug(piece->count >= 3 && "a piece is a polygon");
  int *near = arena_allocate(side->arena, (size_t)side->faces->faces.count * sizeof *near);
  const int faces = near_faces(side, piece, near);
  const int n = piece->count, fans = n == 3 ? 1 : n;
  for (int apex = 0; apex < fans; apex++)
    for (int k = 1; k < n - 1; k++) {
      const int of[3] = {piece->corner[apex], piece->corner[(apex + k) % n],
                         piece->corner[(apex + k + 1) % n]};
      for (int f = 0; f < faces; f++) add_common(side, near[f], of, 1.0 / fans, apex == 0, sum);
    }
}

// Is the piece a face of the mesh whose corners share it alike? Then nothing is to be added.
static bool is_face(const PatchSide *side, const SamplingPiece *piece)
{
  if (piece->count != 3 && piece->count != 4) return false;
  for (int k = 0; k < piece->count; k++) {
    const double *weight = side->at[piece->corner[k]].at.weight;
    bool at_node = false;
    for (int c = 0; c < FINITE_FACE; c++) at_node |= weight[c] == 1;
    if (!at_node) return false;
  }
  for (int f = 0; f < side->faces->faces.count; f++) {
    const Figure *face = &side->faces->faces.face[f];
    bool all = face->count == piece->count;
    for (int k = 0; k < piece->count && all; k++) {
      const SamplingPoint *p = &side->points->point[piece->corner[k]];
      bool met = false;
      for (int c = 0; c < face->count; c++)
        met |= fabs(face->corners[c].u - p->u) + fabs(face->corners[c].v - p->v) < side->same;
      all = met;
    }
    if (!all) continue;
    if (face->count == 3) return true;
    const PlaneCorner *c = face->corners;
    return fabs(c[0].u + c[2].u - c[1].u - c[3].u) + fabs(c[0].v + c[2].v - c[1].v - c[3].v) <
           side->same;
  }
  return false;
}

// Places on the faces of the patch: shapes without deformation overlap where bodies are pressed,
// and points at its edge may then be nearer to other sides.
static void set_places(const PatchSide *side, FinitePoint *points)
{
  assert_debug(side->faces->faces.count > 0 && "the patch lies on faces");
  for (int k = 0; k < side->points->count; k++) {
    const SamplingPoint *p = &side->points->point[k];
    points[k].at = finite_shape_place_among(side->body.mesh, side->faces->number,
                                            side->faces->faces.count, in_body(side, p->u, p->v));
  }
}

static void add_nodes(NodeSum *to, const NodeSum *more, double factor)
{
  for (int k = 0; k < more->count; k++) add_to_node(to, more->node[k], factor * more->value[k]);
}

// What a piece adds goes to those of its corners that have an area; false: none has.
static bool share_out(const PatchSide *side, const SamplingPiece *piece, const NodeSum *more,
                      NodeSum *sums)
{
  double all = 0;
  int corners = 0;
  for (int c = 0; c < piece->count; c++) {
    if (!(side->points->point[piece->corner[c]].area > 0)) continue;
    all += piece->share[c];
    corners++;
  }
  if (!(all > 0)) return false;
  if (corners == piece->count) all = piece->area;
  for (int c = 0; c < piece->count; c++) {
    const int to = piece->corner[c];
    const double area = side->points->point[to].area;
    if (area > 0) add_nodes(&sums[to], more, piece->share[c] / (all * area));
  }
  return true;
}

// Heirs of a point that is given up act at their own places: what the mesh feels of it beside that
// goes to their nodes, too.
static void give_on(const PatchSide *side, int of, NodeSum *sums, NodeSum *rest)
{
  const PatchHeirs heirs = patch_seams_heirs(side->points, of);
  assert_debug(heirs.count > 0 && "a point that is given up has heirs");
  if (!heirs.centred) return;
  NodeSum more = {.arena = side->arena};
  add_point(&more, &side->at[of], side->own[of]);
  int able = 0;
  for (int h = 0; h < heirs.count; h++) {
    add_point(&more, &side->at[heirs.point[h]], -heirs.weight[h] * side->own[of]);
    able += side->points->point[heirs.point[h]].area > 0;
  }
  for (int h = 0; h < heirs.count; h++) {
    const double area = side->points->point[heirs.point[h]].area;
    if (area > 0) add_nodes(&sums[heirs.point[h]], &more, 1 / (able * area));
  }
  if (able == 0) add_nodes(rest, &more, 1);
}

// Adds what pieces give to the nodes of the points; what the corners of one do not take goes to all
// points of the patch.
static void spread(const PatchSide *side, const SamplingPieces *pieces, FinitePoint *points,
                   Arena *keep)
{
  assert_debug(side->points->count > 0 && "a patch has points");
  const size_t count = (size_t)side->points->count;
  NodeSum *sums = arena_allocate_zero(side->arena, count, sizeof *sums);
  for (size_t k = 0; k < count; k++) sums[k].arena = side->arena;
  NodeSum rest = {.arena = side->arena};
  for (int p = 0; p < pieces->count; p++) {
    const SamplingPiece *piece = &pieces->piece[p];
    if (is_face(side, piece)) continue;
    NodeSum more = {.arena = side->arena};
    add_piece(side, piece, &more);
    double largest = 0;
    for (int k = 0; k < more.count; k++) largest = fmax(largest, fabs(more.value[k]));
    if (!(largest > LEAST_SHARE * piece->area)) continue;
    if (!share_out(side, piece, &more, sums)) add_nodes(&rest, &more, 1);
  }
  for (int k = 0; k < side->points->count; k++)
    if (side->points->point[k].given_up) give_on(side, k, sums, &rest);
  double area = 0;
  for (size_t k = 0; k < count; k++) area += side->points->point[k].area;
  for (size_t k = 0; k < count && rest.count > 0; k++)
    if (side->points->point[k].area > 0) add_nodes(&sums[k], &rest, 1 / area);
  for (size_t k = 0; k < count; k++) {
    if (sums[k].count == 0) continue;
    add_point(&sums[k], &points[k], 1);
    const size_t nodes = (size_t)sums[k].count;
    int *node = arena_allocate(keep, nodes * sizeof *node);
    double *weight = arena_allocate(keep, nodes * sizeof *weight);
    memcpy(node, sums[k].node, nodes * sizeof *node);
    memcpy(weight, sums[k].value, nodes * sizeof *weight);
    points[k].count = sums[k].count;
    points[k].node = node;
    points[k].weight = weight;
  }
}

void patch_shares_spread(const PatchPoints *patch, FinitePoint *const points[2], Arena *keep,
                         Arena *work)
{
  const int count = patch->count;
  assert(count > 0 && "a patch has points");
  const PatchPlane plane = patch_plane_new(patch->normal, patch->places, count);
  const Figure hull = patch_plane_hull(&plane, patch->places, count, work);
  if (hull.count < 3) return;
  const MeshFaces faces[2] = {mesh_faces_new(&plane, &patch->bodies[0], work),
                              mesh_faces_new(&plane, &patch->bodies[1], work)};
  const MeshFaces *cut = &faces[mesh_faces_cut(faces)];
  if (!(cut->shortest < INFINITY)) return;
  const double same = SAMPLED_SAME * cut->shortest;
  Sampling sampling = {count, arena_allocate(work, (size_t)count * sizeof(SamplingPoint))};
  for (int k = 0; k < count; k++) {
    const vec3 p = plane_basis_apply(&plane.basis, vec3_sub(patch->places[k], plane.middle));
    sampling.point[k] = (SamplingPoint){.u = p.x, .v = p.y};
  }
  const SamplingPieces pieces = patch_sampling_pieces(&hull, &cut->faces, &sampling, same, work);
  for (int p = 0; p < pieces.count; p++)
    for (int k = 0; k < pieces.piece[p].count; k++)
      sampling.point[pieces.piece[p].corner[k]].area += pieces.piece[p].share[k];
  double *own = arena_allocate(work, (size_t)count * sizeof *own);
  for (int k = 0; k < count; k++) own[k] = sampling.point[k].area;
  for (int k = 0; k < count && patch->areas; k++) {
    sampling.point[k].area = patch->areas[k];
    sampling.point[k].given_up = patch->given_up[k];
  }
  for (int s = 0; s < 2; s++) {
    const PatchSide side = {.plane = &plane,
                            .body = patch->bodies[s],
                            .faces = &faces[s],
                            .points = &sampling,
                            .at = points[s],
                            .own = own,
                            .same = same,
                            .arena = work};
    if (!side.body.mesh || side.faces->faces.count == 0) continue;
    set_places(&side, points[s]);
    spread(&side, &pieces, points[s], keep);
  }
}
