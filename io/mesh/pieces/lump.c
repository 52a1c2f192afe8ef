// Cuts parts of a solid by planes, with their volumes and the volumes of their hulls.
#include "lump.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "hull_triangles.h"
#include "mesh_exact.h"

#define CORNER_SINE 1e-6      // planes that are nearer to parallel have no corner
#define CORNER_OUTSIDE 1e-9   // of the largest coordinate: a corner this far outside is in the cell

static double tetra_volume(vec3 a, vec3 b, vec3 c, vec3 origin)
{
  return vec3_dot(vec3_sub(a, origin), vec3_cross(vec3_sub(b, origin), vec3_sub(c, origin))) / 6;
}

LumpHull lump_hull_measure(const vec3 *points, int count, bool *vertex, Arena *scratch)
{
  assert(count >= 0 && "points are counted");
  if (vertex) memset(vertex, 0, (size_t)count * sizeof *vertex);
  LumpHull measure = {0, 0};
  if (count < 4) return measure;
  const ArenaMark mark = arena_mark(scratch);
  const GridPoint *grid = mesh_exact_grid(points, count, scratch);
  const bool *skipped = arena_allocate_zero(scratch, (size_t)count, sizeof *skipped);
  HullTriangles hull;
  if (hull_triangulate(grid, count, skipped, scratch, &hull)) {
    for (int t = 0; t < hull.count; t++) {
      const int *v = hull.triangles[t].vertex;
      const vec3 a = points[v[0]], b = points[v[1]], c = points[v[2]];
      measure.volume += tetra_volume(a, b, c, points[0]);
      measure.area += 0.5 * vec3_norm(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
      for (int k = 0; k < 3 && vertex; k++) vertex[v[k]] = true;
    }
  }
  arena_release(scratch, mark);
  return measure;
}

// -- volumes --------------------------------------------------------------------------------------

static double enclosed_volume(const Lump *lump)
{
  if (lump->point_count == 0) return 0;
  const vec3 origin = lump->points[0];
  double volume = 0;
  for (int t = 0; t < lump->triangle_count; t++) {
    const int *v = lump->triangles[t];
    volume += tetra_volume(lump->points[v[0]], lump->points[v[1]], lump->points[v[2]], origin);
  }
  for (int c = 0; c < lump->cap_count; c++)
    volume += tetra_volume(lump->caps[c][0], lump->caps[c][1], lump->caps[c][2], origin);
  return volume;
}

vec3 *lump_hull_points(const Lump *lump, int *count, Arena *arena)
{
  assert(lump->point_count >= 0 && lump->corner_count >= 0 && "points are counted");
  *count = lump->point_count + lump->corner_count;
  vec3 *points = arena_allocate(arena, (size_t)*count * sizeof *points);
  if (lump->point_count > 0)
    memcpy(points, lump->points, (size_t)lump->point_count * sizeof *points);
  if (lump->corner_count > 0)
    memcpy(points + lump->point_count, lump->corners, (size_t)lump->corner_count * sizeof *points);
  return points;
}

static LumpHull measure_hull(const Lump *lump, Arena *scratch)
{
  const ArenaMark mark = arena_mark(scratch);
  int count;
  const vec3 *points = lump_hull_points(lump, &count, scratch);
  const LumpHull hull = lump_hull_measure(points, count, NULL, scratch);
  arena_release(scratch, mark);
  return hull;
}

Lump lump_of_solid(const MeshBlock *solid, Arena *scratch)
{
  assert(solid->triangle_count > 0 && solid->volume > 0 && "a solid has a surface and a volume");
  Lump lump = {.point_count = solid->point_count,
               .points = solid->points,
               .triangle_count = solid->triangle_count,
               .triangles = solid->triangles};
  lump.volume = enclosed_volume(&lump);
  lump.hull = measure_hull(&lump, scratch);
  return lump;
}

// -- corners of the cell --------------------------------------------------------------------------

// Does the ray upwards from a place meet a triangle? Edges count for the side that they begin on,
// so that a ray through an edge meets one of its two triangles.
static int crossing(vec3 a, vec3 b, vec3 c, vec3 place)
{
  const vec3 corner[3] = {a, b, c};
  bool inside = false;
  for (int i = 0; i < 3; i++) {
    const bool swapped = corner[i].y > corner[(i + 1) % 3].y;
    const vec3 p = corner[swapped ? (i + 1) % 3 : i], q = corner[swapped ? i : (i + 1) % 3];
    if (!(p.y <= place.y && place.y < q.y)) continue;
    const double right = (q.x - p.x) * (place.y - p.y) - (place.x - p.x) * (q.y - p.y);
    if (right > 0) inside = !inside;
  }
  if (!inside) return 0;
  const vec3 normal = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
  const double height = vec3_dot(normal, vec3_sub(place, a));   // of the place, times the area
  return (normal.z > 0 && height < 0) || (normal.z < 0 && height > 0) ? 1 : 0;
}

// Is a place inside the surface? By the triangles above it.
static bool solid_holds(const MeshBlock *solid, vec3 place)
{
  int crossings = 0;
  for (int t = 0; t < solid->triangle_count; t++) {
    const int *v = solid->triangles[t];
    crossings += crossing(solid->points[v[0]], solid->points[v[1]], solid->points[v[2]], place);
  }
  return crossings % 2 == 1;
}

// Where three planes meet; false where they hardly do.
static bool meet(Plane p, Plane q, Plane r, vec3 *place)
{
  const vec3 qr = vec3_cross(q.normal, r.normal), rp = vec3_cross(r.normal, p.normal);
  const vec3 pq = vec3_cross(p.normal, q.normal);
  const double sine = vec3_dot(p.normal, qr);
  if (!(fabs(sine) > CORNER_SINE)) return false;
  const vec3 sum = vec3_add(vec3_scale(p.offset, qr),
                            vec3_add(vec3_scale(q.offset, rp), vec3_scale(r.offset, pq)));
  *place = vec3_scale(1 / sine, sum);
  return true;
}

static bool cell_holds(const Lump *lump, vec3 place)
{
  const double size = fmax(fabs(place.x), fmax(fabs(place.y), fabs(place.z)));
  bool holds = vec3_is_finite(place);
  for (int i = 0; i < lump->plane_count && holds; i++)
    holds = plane_height(lump->planes[i], place) <= CORNER_OUTSIDE * size;
  return holds;
}

int lump_new_corners(const Lump *lump, Plane plane, const MeshBlock *solid, vec3 *corners)
{
  assert(lump->plane_count <= LUMP_MOST_PLANES && "a cell has bounded planes");
  int count = 0;
  for (int i = 0; i < lump->plane_count; i++) {
    for (int j = i + 1; j < lump->plane_count; j++) {
      vec3 place;
      if (!meet(plane, lump->planes[i], lump->planes[j], &place) || !cell_holds(lump, place))
        continue;
      if (solid_holds(solid, place)) corners[count++] = place;
    }
  }
  return count;
}

// -- cuts -----------------------------------------------------------------------------------------

static bool comes_first(vec3 a, vec3 b)
{
  if (a.x != b.x) return a.x < b.x;
  if (a.y != b.y) return a.y < b.y;
  return a.z < b.z;
}

vec3 lump_cross(vec3 a, vec3 b, Plane plane)
{
  const bool first = comes_first(a, b);
  const vec3 from = first ? a : b, to = first ? b : a;
  const double p = plane_height(plane, from), q = plane_height(plane, to);
  assert_debug((p > 0) != (q > 0) && "the plane passes between the ends");
  return vec3_axpy(p / (p - q), vec3_sub(to, from), from);
}

// A side of a cut that grows.
typedef struct {
  Lump lump;
  int point_room, triangle_room, cap_room;
  int *number;   // [points of the whole] -1: not on this side
  Arena *arena;
} Side;

static int add_point(Side *side, vec3 point)
{
  Lump *lump = &side->lump;
  lump->points = arena_grow(side->arena, lump->points, lump->point_count + 1, &side->point_room,
                            sizeof *lump->points);
  lump->points[lump->point_count] = point;
  return lump->point_count++;
}

static void add_triangle(Side *side, int a, int b, int c)
{
  Lump *lump = &side->lump;
  lump->triangles = arena_grow(side->arena, lump->triangles, lump->triangle_count + 1,
                               &side->triangle_room, sizeof *lump->triangles);
  int *triangle = lump->triangles[lump->triangle_count++];
  triangle[0] = a, triangle[1] = b, triangle[2] = c;
}

static void add_cap(Side *side, vec3 a, vec3 b, vec3 c)
{
  Lump *lump = &side->lump;
  lump->caps =
      arena_grow(side->arena, lump->caps, lump->cap_count + 1, &side->cap_room, sizeof *lump->caps);
  vec3 *cap = lump->caps[lump->cap_count++];
  cap[0] = a, cap[1] = b, cap[2] = c;
}

// A corner of the whole in terms of the side's points.
static int keep_point(Side *side, const Lump *whole, int point)
{
  assert_debug(point >= 0 && point < whole->point_count && "a point has a number");
  if (side->number[point] < 0) side->number[point] = add_point(side, whole->points[point]);
  return side->number[point];
}

// The section between two sides from p to q, as the side below runs along it.
typedef struct {
  bool begun;
  vec3 first;   // caps are fans about this
} LumpSection;

static void add_section(Side sides[2], LumpSection *section, vec3 p, vec3 q)
{
  if (!section->begun) section->first = p;
  section->begun = true;
  add_cap(&sides[0], section->first, q, p);
  add_cap(&sides[1], section->first, p, q);
}

// A triangle that the plane passes through, its corner k alone on one side: above or not.
static void cut_triangle(const Lump *whole, const int *v, int k, bool above, Plane plane,
                         Side sides[2], LumpSection *section)
{
  const int a = v[k], b = v[(k + 1) % 3], c = v[(k + 2) % 3];
  const vec3 ab = lump_cross(whole->points[a], whole->points[b], plane);
  const vec3 ca = lump_cross(whole->points[c], whole->points[a], plane);
  Side *one = &sides[above], *two = &sides[!above];
  add_triangle(one, keep_point(one, whole, a), add_point(one, ab), add_point(one, ca));
  const int p = add_point(two, ab), q = add_point(two, ca), r = keep_point(two, whole, b);
  const int s = keep_point(two, whole, c);
  add_triangle(two, p, r, s);
  add_triangle(two, p, s, q);
  // the triangle of the side below runs from ab to ca where its corner is alone, else back
  if (above) add_section(sides, section, ca, ab);
  else add_section(sides, section, ab, ca);
}

static void cut_cap(const vec3 cap[3], Plane plane, Side sides[2], LumpSection *section)
{
  bool above[3];
  for (int k = 0; k < 3; k++) above[k] = plane_height(plane, cap[k]) > 0;
  if (above[0] == above[1] && above[1] == above[2]) {
    add_cap(&sides[above[0]], cap[0], cap[1], cap[2]);
    return;
  }
  int k = 0;
  while (above[k] == above[(k + 1) % 3] || above[k] == above[(k + 2) % 3]) k++;
  const vec3 a = cap[k], b = cap[(k + 1) % 3], c = cap[(k + 2) % 3];
  const vec3 ab = lump_cross(a, b, plane), ca = lump_cross(c, a, plane);
  add_cap(&sides[above[k]], a, ab, ca);
  add_cap(&sides[!above[k]], ab, b, c);
  add_cap(&sides[!above[k]], ab, c, ca);
  if (above[k]) add_section(sides, section, ca, ab);
  else add_section(sides, section, ab, ca);
}

static void cut_surface(const Lump *lump, Plane plane, Side sides[2], Arena *scratch)
{
  bool *above = arena_allocate(scratch, (size_t)lump->point_count * sizeof *above);
  for (int i = 0; i < lump->point_count; i++) above[i] = plane_height(plane, lump->points[i]) > 0;
  LumpSection section = {0};
  for (int t = 0; t < lump->triangle_count; t++) {
    const int *v = lump->triangles[t];
    const int count = above[v[0]] + above[v[1]] + above[v[2]];
    if (count == 0 || count == 3) {
      Side *side = &sides[count == 3];
      const int a = keep_point(side, lump, v[0]), b = keep_point(side, lump, v[1]);
      add_triangle(side, a, b, keep_point(side, lump, v[2]));
      continue;
    }
    int k = 0;   // the corner that is alone
    while (above[v[k]] != (count == 1)) k++;
    cut_triangle(lump, v, k, count == 1, plane, sides, &section);
  }
  for (int c = 0; c < lump->cap_count; c++) cut_cap(lump->caps[c], plane, sides, &section);
}

// Planes and corners of both sides.
static void cut_cell(const Lump *lump, Plane plane, const MeshBlock *solid, Side sides[2])
{
  vec3 found[LUMP_MOST_PLANES * LUMP_MOST_PLANES];
  const int count = lump_new_corners(lump, plane, solid, found);
  for (int s = 0; s < 2; s++) {
    Lump *side = &sides[s].lump;
    memcpy(side->planes, lump->planes, (size_t)lump->plane_count * sizeof *side->planes);
    side->plane_count = lump->plane_count;
    side->planes[side->plane_count++] =
        s == 0 ? plane : (Plane){vec3_neg(plane.normal), -plane.offset};
    side->corners = arena_allocate(sides[s].arena,
                                   (size_t)(lump->corner_count + count) * sizeof *side->corners);
    for (int i = 0; i < lump->corner_count; i++)
      if ((plane_height(plane, lump->corners[i]) > 0) == (s == 1))
        side->corners[side->corner_count++] = lump->corners[i];
    for (int i = 0; i < count; i++) side->corners[side->corner_count++] = found[i];
  }
}

bool lump_cut(const Lump *lump, Plane plane, const MeshBlock *solid, Arena arenas[2], Lump sides[2])
{
  assert(lump->triangle_count > 0 && "a lump has a surface");
  if (lump->plane_count == LUMP_MOST_PLANES) return false;
  Arena scratch = arena_new();
  Side grown[2] = {{.arena = &arenas[0]}, {.arena = &arenas[1]}};
  for (int s = 0; s < 2; s++) {
    const size_t bytes = (size_t)lump->point_count * sizeof(int);
    grown[s].number = memset(arena_allocate(&scratch, bytes), 0xff, bytes);
  }
  cut_surface(lump, plane, grown, &scratch);
  cut_cell(lump, plane, solid, grown);
  bool sound = true;
  for (int s = 0; s < 2; s++) {
    Lump *side = &grown[s].lump;
    side->volume = enclosed_volume(side);
    side->hull = measure_hull(side, &scratch);
    sound = sound && side->triangle_count > 0 && side->volume > 0 && side->hull.volume > 0;
    sides[s] = *side;
  }
  arena_destroy(&scratch);
  return sound;
}
