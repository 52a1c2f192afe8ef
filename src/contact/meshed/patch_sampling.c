// Sampling of patches: pieces by clipping figures, points by their corners.
#include "patch_sampling.h"

#include <assert.h>
#include <math.h>

#include "check.h"
#include "patch_seams.h"
#include "patch_triangles.h"
#include "vec3.h"

Figure patch_sampling_common(const Figure *a, const Figure *b, double same, Arena *arena)
{
  assert_debug(a->count >= 3 && b->count >= 3 && "figures are polygons");
  const size_t room = (size_t)a->count + (size_t)b->count;
  ClipCorner *work = arena_allocate(arena, 2 * room * sizeof *work);
  ClipPoint *points = arena_allocate(arena, room * sizeof *points);
  PlaneCorner *corners = arena_allocate(arena, room * sizeof *corners);
  const int count = patch_clip_polygon(a, b, same, work, points);
  for (int k = 0; k < count; k++) corners[k] = (PlaneCorner){.u = points[k].u, .v = points[k].v};
  return (Figure){.count = count, .corners = corners};
}

static double distance(double u, double v) { return sqrt(u * u + v * v); }

// The side of a triangle, about, m; 0: it is none.
static double size_of(const Figure *face)
{
  if (face->count != 3) return 0;
  const PlaneCorner *p = face->corners;
  return sqrt(fabs((p[1].u - p[0].u) * (p[2].v - p[0].v) - (p[1].v - p[0].v) * (p[2].u - p[0].u)));
}

static double triangle_area(const SamplingPoint *a, const SamplingPoint *b, const SamplingPoint *c)
{
  return 0.5 * ((b->u - a->u) * (c->v - a->v) - (b->v - a->v) * (c->u - a->u));
}

// ------------------------------------------------------------------------------------------------
// Points.

// The corner of a piece, and the sides of the patch that it lies on.
typedef struct {
  SamplingPoint at;
  int sides;     // 2: a corner of the patch
  int side;      // the first of them; -1: none
  double size;   // about the side of the triangle that is cut, m; 0: it is none
} Corner;

typedef struct {
  Corner *corners;
  int count, capacity;
  Arena *arena;
} Corners;

// How far a place is from side k of the patch, m.
static double off_side(const Figure *patch, int k, double u, double v)
{
  const PlaneCorner *p = &patch->corners[k], *q = &patch->corners[(k + 1) % patch->count];
  const double du = q->u - p->u, dv = q->v - p->v, length = distance(du, dv);
  if (!(length > 0)) return INFINITY;
  return fabs(du * (v - p->v) - dv * (u - p->u)) / length;
}

static Corner corner_at(const Figure *patch, SamplingPoint at, double same)
{
  assert_debug(same >= 0 && "a distance");
  Corner corner = {.at = at, .side = -1};
  for (int k = 0; k < patch->count; k++) {
    if (off_side(patch, k, at.u, at.v) > same) continue;
    if (corner.side < 0) corner.side = k;
    if (corner.sides < 2) corner.sides++;
  }
  return corner;
}

// May one stand for another? Corners of the patch stay what they are, its sides go into their
// corners and themselves.
static bool may_hold(const Corner *by, const Corner *corner)
{
  if (by->sides != corner->sides) return by->sides > corner->sides;
  return corner->sides == 0 || (corner->sides == 1 && by->side == corner->side);
}

static double apart(const Corner *a, const Corner *b)
{
  return distance(a->at.u - b->at.u, a->at.v - b->at.v);
}

static void add_corner(Corners *all, Corner corner, double same)
{
  for (int k = 0; k < all->count; k++)
    if (apart(&all->corners[k], &corner) <= same) return;
  all->corners = arena_grow(all->arena, all->corners, (int64_t)all->count + 1, &all->capacity,
                            sizeof *all->corners);
  all->corners[all->count++] = corner;
}

// How near a point is that stands for a corner. A line through triangles meets about twice as many
// of their sides as there are nodes beside it, and more points than nodes carry are not told apart.
static double reach_of(const Corner *by, const Corner *corner, SamplingReach reach)
{
  if (corner->sides != 1) return reach.near;
  return larger_of(reach.near, reach.along * smaller_of(by->size, corner->size));
}

// Corners of the patch first, then what is on its sides, then what is inside.
static Sampling keep(const Corners *all, SamplingReach reach)
{
  Arena *arena = all->arena;
  const size_t room = (size_t)all->count + 1;
  Corner *kept = arena_allocate(arena, room * sizeof *kept);
  int count = 0;
  for (int sides = 2; sides >= 0; sides--)
    for (int k = 0; k < all->count; k++) {
      const Corner *corner = &all->corners[k];
      bool held = corner->sides != sides;
      for (int j = 0; j < count && !held; j++)
        held = may_hold(&kept[j], corner) &&
               apart(&kept[j], corner) < reach_of(&kept[j], corner, reach);
      if (!held) kept[count++] = *corner;
    }
  Sampling sampling = {count, arena_allocate(arena, room * sizeof(SamplingPoint))};
  for (int k = 0; k < count; k++) sampling.point[k] = kept[k].at;
  return sampling;
}

// ------------------------------------------------------------------------------------------------
// Pieces.

// The nearest of those that may hold a corner; itself, where it is one of them.
static int holder_of(const Corners *points, const Corner *corner, double same)
{
  int nearest = -1;
  double least = INFINITY;
  for (int k = 0; k < points->count; k++) {
    const double d = apart(&points->corners[k], corner);
    if (d <= same) return k;
    if (d < least && may_hold(&points->corners[k], corner)) {
      least = d;
      nearest = k;
    }
  }
  return nearest;
}

// Corners take a third of each triangle of the fans about all corners, in the mean: exact for
// linear functions, and the same for all corners of a rectangle.
static void share_out(const Sampling *points, SamplingPiece *piece)
{
  const int n = piece->count;
  for (int k = 0; k < n; k++) piece->share[k] = 0;
  piece->area = 0;
  for (int apex = 0; apex < n; apex++)
    for (int k = 1; k < n - 1; k++) {
      const int of[3] = {apex, (apex + k) % n, (apex + k + 1) % n};
      const SamplingPoint *p = points->point;
      const double area = triangle_area(&p[piece->corner[of[0]]], &p[piece->corner[of[1]]],
                                        &p[piece->corner[of[2]]]) /
                          n;
      piece->area += area;
      for (int c = 0; c < 3; c++) piece->share[of[c]] += area / 3;
    }
}

// What is cut, and the points it is cut to.
typedef struct {
  const Figure *patch;
  const Sampling *points;
  Corners corners;   // these
  double same;
} Cut;

// A face of the patch as a polygon of points; false: it is thin, or moved to a line.
static bool make_piece(const Cut *cut, const Figure *raw, SamplingPiece *piece)
{
  Arena *arena = cut->corners.arena;
  const size_t room = (size_t)raw->count + 1;
  *piece = (SamplingPiece){.corner = arena_allocate(arena, room * sizeof(int)),
                           .share = arena_allocate(arena, room * sizeof(double))};
  for (int k = 0; k < raw->count; k++) {
    const SamplingPoint at = {.u = raw->corners[k].u, .v = raw->corners[k].v};
    const Corner corner = corner_at(cut->patch, at, cut->same);
    const int point = holder_of(&cut->corners, &corner, cut->same);
    const bool again = piece->count > 0 && piece->corner[piece->count - 1] == point;
    if (point >= 0 && !again) piece->corner[piece->count++] = point;
  }
  while (piece->count > 1 && piece->corner[0] == piece->corner[piece->count - 1]) piece->count--;
  if (piece->count < 3) return false;
  double round = 0;
  for (int k = 0; k < piece->count; k++)
    round += apart(&cut->corners.corners[piece->corner[k]],
                   &cut->corners.corners[piece->corner[(k + 1) % piece->count]]);
  share_out(cut->points, piece);
  return piece->area > cut->same * round;
}

// Triangles between the points: faces that are triangles may turn round where their corners move.
static SamplingPieces triangle_pieces(const Sampling *points, double same, Arena *arena)
{
  const size_t count = (size_t)points->count;
  PlaneCorner *places = arena_allocate(arena, (count + 1) * sizeof *places);
  for (size_t k = 0; k < count; k++)
    places[k] = (PlaneCorner){.u = points->point[k].u, .v = points->point[k].v};
  const PatchTriangles triangles = patch_triangles_new(places, points->count, same, arena);
  SamplingPieces pieces = {
      0, arena_allocate(arena, ((size_t)triangles.count + 1) * sizeof(SamplingPiece))};
  for (int t = 0; t < triangles.count; t++) {
    SamplingPiece *piece = &pieces.piece[pieces.count];
    *piece = (SamplingPiece){.count = 3,
                             .corner = triangles.corner[t],
                             .share = arena_allocate(arena, 3 * sizeof(double))};
    double round = 0;
    for (int k = 0; k < 3; k++) {
      const SamplingPoint *p = &points->point[piece->corner[k]],
                          *q = &points->point[piece->corner[(k + 1) % 3]];
      round += distance(q->u - p->u, q->v - p->v);
    }
    share_out(points, piece);
    if (piece->area > same * round) pieces.count++;
  }
  return pieces;
}

SamplingPieces patch_sampling_pieces(const Figure *patch, const SamplingFaces *faces,
                                     const Sampling *points, double same, Arena *arena)
{
  assert(patch->count >= 3 && same >= 0 && "a patch is a polygon");
  if (faces->count > 0 && faces->face[0].count == 3) return triangle_pieces(points, same, arena);
  SamplingPieces pieces = {
      0, arena_allocate(arena, ((size_t)faces->count + 1) * sizeof(SamplingPiece))};
  Cut cut = {patch, points, {.arena = arena, .count = points->count}, same};
  cut.corners.corners = arena_allocate(arena, ((size_t)points->count + 1) * sizeof(Corner));
  for (int k = 0; k < points->count; k++)
    cut.corners.corners[k] = corner_at(patch, points->point[k], same);
  for (int f = 0; f < faces->count; f++) {
    const Figure raw = patch_sampling_common(patch, &faces->face[f], same, arena);
    if (raw.count >= 3 && make_piece(&cut, &raw, &pieces.piece[pieces.count])) pieces.count++;
  }
  return pieces;
}

// Corners of the other body on sides of the patch that have them.
static void add_of_seams(const Figure *patch, const SamplingSides *sides, const PatchSeams *seams,
                         double same, Corners *all)
{
  for (int f = 0; f < sides->other->count; f++)
    for (int k = 0; k < sides->other->face[f].count; k++) {
      const PlaneCorner *p = &sides->other->face[f].corners[k];
      const int face = patch_seams_face(sides->cut, p, same);
      const SamplingPoint at = {.u = p->u, .v = p->v, .face = face < 0 ? 0 : face};
      const Corner corner = corner_at(patch, at, same);
      if (corner.sides == 1 && seams->of_other[corner.side] && patch_seams_within(patch, p, same))
        add_corner(all, corner, same);
    }
}

Sampling patch_sampling_new(const Figure *patch, const SamplingSides *sides, SamplingReach reach,
                            Arena *arena)
{
  assert(patch->count >= 3 && reach.same >= 0 && reach.near >= reach.same &&
         "a patch is a polygon, and what is one is near");
  const SamplingFaces *faces = sides->cut;
  Corners all = {.arena = arena};
  const PatchSeams seams = patch_seams_new(patch, sides, reach.same, arena);
  for (int f = 0; f < faces->count; f++) {
    const Figure raw = patch_sampling_common(patch, &faces->face[f], reach.same, arena);
    for (int k = 0; k < raw.count && raw.count >= 3; k++) {
      const SamplingPoint at = {.u = raw.corners[k].u, .v = raw.corners[k].v, .face = f};
      Corner corner = corner_at(patch, at, reach.same);
      if (corner.sides == 1 && seams.of_other[corner.side]) continue;
      corner.size = size_of(&faces->face[f]);
      add_corner(&all, corner, reach.same);
    }
  }
  if (seams.any) add_of_seams(patch, sides, &seams, reach.same, &all);
  Sampling sampling = keep(&all, reach);
  const SamplingPieces pieces = patch_sampling_pieces(patch, faces, &sampling, reach.same, arena);
  for (int p = 0; p < pieces.count; p++)
    for (int k = 0; k < pieces.piece[p].count; k++)
      sampling.point[pieces.piece[p].corner[k]].area += pieces.piece[p].share[k];

  // those that no piece has
  int count = 0;
  for (int k = 0; k < sampling.count; k++)
    if (sampling.point[k].area > 0) sampling.point[count++] = sampling.point[k];
  sampling.count = count;
  if (seams.any) patch_seams_give_up(patch, &seams, &sampling, reach.same, arena);
  return sampling;
}
