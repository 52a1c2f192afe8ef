// Parts the hull of points: a fan, points put in one by one, sides flipped (Lawson 1977).
#include "patch_triangles.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "check.h"
#include "patch_plane.h"

#define FLIP 1e-9            // sine of the angle by which two opposite corners exceed half a turn
#define FLIPS_A_POINT 1000   // most, in the mean: rounding does not go round in circles

// Side k of a triangle leads from its corner k to the next one.
typedef struct {
  int corner[3];
  int across[3];   // the triangle beyond the side; -1: none
} Triangle;

typedef struct {
  const PlaneCorner *points;
  Triangle *of;
  int count;
  int flips_left;
} Mesh;

static int next_of(int k) { return k == 2 ? 0 : k + 1; }
static int last_of(int k) { return k == 0 ? 2 : k - 1; }

static double cross_at(const PlaneCorner *o, const PlaneCorner *p, const PlaneCorner *q)
{
  return (p->u - o->u) * (q->v - o->v) - (p->v - o->v) * (q->u - o->u);
}

static double dot_at(const PlaneCorner *o, const PlaneCorner *p, const PlaneCorner *q)
{
  return (p->u - o->u) * (q->u - o->u) + (p->v - o->v) * (q->v - o->v);
}

// The side of a triangle that another one is beyond.
static int side_to(const Triangle *triangle, int other)
{
  for (int k = 0; k < 3; k++)
    if (triangle->across[k] == other) return k;
  assert(!"triangles that meet know each other");
  return 0;
}

static void tell(Mesh *mesh, int of, int was, int is)
{
  if (of >= 0) mesh->of[of].across[side_to(&mesh->of[of], was)] = is;
}

// Do the corners opposite to a side, together, have more than half a turn?
static bool should_flip(const Mesh *mesh, int t, int k)
{
  const int other = mesh->of[t].across[k];
  if (other < 0) return false;
  const Triangle *here = &mesh->of[t], *there = &mesh->of[other];
  const PlaneCorner *p = &mesh->points[here->corner[last_of(k)]],
                    *q = &mesh->points[there->corner[last_of(side_to(there, t))]],
                    *a = &mesh->points[here->corner[k]],
                    *b = &mesh->points[here->corner[next_of(k)]];
  const double sine_p = cross_at(p, a, b), cosine_p = dot_at(p, a, b);
  const double sine_q = cross_at(q, b, a), cosine_q = dot_at(q, b, a);
  const double scale =
      sqrt((sine_p * sine_p + cosine_p * cosine_p) * (sine_q * sine_q + cosine_q * cosine_q));
  return sine_p * cosine_q + cosine_p * sine_q < -FLIP * scale;
}

// The side becomes the other diagonal of its two triangles.
static void flip(Mesh *mesh, int t, int k)
{
  const int other = mesh->of[t].across[k];
  Triangle *here = &mesh->of[t], *there = &mesh->of[other];
  const int l = side_to(there, t);
  const int a = here->corner[k], p = here->corner[last_of(k)], q = there->corner[last_of(l)],
            b = there->corner[l];
  const int beyond_bp = here->across[next_of(k)], beyond_pa = here->across[last_of(k)],
            beyond_aq = there->across[next_of(l)], beyond_qb = there->across[last_of(l)];
  *here = (Triangle){{p, a, q}, {beyond_pa, beyond_aq, other}};
  *there = (Triangle){{q, b, p}, {beyond_qb, beyond_bp, t}};
  tell(mesh, beyond_aq, other, t);
  tell(mesh, beyond_bp, t, other);
}

// Flips what a new corner has spoilt: sides opposite to it.
static void settle(Mesh *mesh, int t, int point)
{
  int k = 0;
  while (mesh->of[t].corner[k] != point) k++;
  const int side = next_of(k);
  if (mesh->flips_left <= 0 || !should_flip(mesh, t, side)) return;
  const int other = mesh->of[t].across[side];
  mesh->flips_left--;
  flip(mesh, t, side);
  settle(mesh, t, point);
  settle(mesh, other, point);
}

static void split_triangle(Mesh *mesh, int t, int point)
{
  const Triangle old = mesh->of[t];
  const int second = mesh->count, third = mesh->count + 1;
  mesh->count += 2;
  mesh->of[t] = (Triangle){{old.corner[0], old.corner[1], point}, {old.across[0], second, third}};
  mesh->of[second] = (Triangle){{old.corner[1], old.corner[2], point}, {old.across[1], third, t}};
  mesh->of[third] = (Triangle){{old.corner[2], old.corner[0], point}, {old.across[2], t, second}};
  tell(mesh, old.across[1], t, second);
  tell(mesh, old.across[2], t, third);
  settle(mesh, t, point);
  settle(mesh, second, point);
  settle(mesh, third, point);
}

// Side k of a triangle, and of the one beyond it, gets a point.
static void split_side(Mesh *mesh, int t, int k, int point)
{
  const Triangle here = mesh->of[t];
  const int a = here.corner[k], b = here.corner[next_of(k)], p = here.corner[last_of(k)];
  const int other = here.across[k], half = mesh->count++;
  mesh->of[t] = (Triangle){{a, point, p}, {other, half, here.across[last_of(k)]}};
  mesh->of[half] = (Triangle){{point, b, p}, {other, here.across[next_of(k)], t}};
  tell(mesh, here.across[next_of(k)], t, half);
  int rest = -1;
  if (other >= 0) {
    const Triangle there = mesh->of[other];
    const int l = side_to(&there, t), q = there.corner[last_of(l)];
    rest = mesh->count++;
    mesh->of[other] = (Triangle){{point, a, q}, {t, there.across[next_of(l)], rest}};
    mesh->of[rest] = (Triangle){{b, point, q}, {half, other, there.across[last_of(l)]}};
    tell(mesh, there.across[last_of(l)], other, rest);
    mesh->of[half].across[0] = rest;
  }
  settle(mesh, t, point);
  settle(mesh, half, point);
  if (other >= 0) settle(mesh, other, point);
  if (rest >= 0) settle(mesh, rest, point);
}

// How far a point is inside of side k of a triangle, m.
static double inside_of(const Mesh *mesh, const Triangle *triangle, int k, int point)
{
  const PlaneCorner *a = &mesh->points[triangle->corner[k]],
                    *b = &mesh->points[triangle->corner[next_of(k)]];
  return cross_at(a, b, &mesh->points[point]) / sqrt(dot_at(a, b, b));
}

// Puts a point into the triangle in which it is deepest.
static void insert(Mesh *mesh, int point, double same)
{
  assert_debug(mesh->count > 0 && "there is a triangle");
  int best = 0, side = 0;
  double deepest = -INFINITY;
  for (int t = 0; t < mesh->count; t++) {
    double depth = INFINITY;
    int nearest = 0;
    for (int k = 0; k < 3; k++) {
      const double here = inside_of(mesh, &mesh->of[t], k, point);
      if (here < depth) nearest = k, depth = here;
    }
    if (depth > deepest) best = t, side = nearest, deepest = depth;
  }
  if (deepest > same) split_triangle(mesh, best, point);
  else split_side(mesh, best, side, point);
}

PatchTriangles patch_triangles_new(const PlaneCorner *points, int count, double same, Arena *arena)
{
  assert(same >= 0 && "a distance");
  PatchTriangles made = {0, NULL};
  if (count < 3) return made;
  PlaneCorner *named = arena_allocate(arena, (size_t)count * sizeof *named);
  for (int k = 0; k < count; k++) {
    named[k] = points[k];
    named[k].vertex = (uint32_t)k;
  }
  const Figure hull = patch_plane_hull_of(named, count, arena);
  if (hull.count < 3) return made;

  // a fan over the hull, then the other points
  Mesh mesh = {.points = points,
               .of = arena_allocate(arena, 2 * (size_t)count * sizeof(Triangle)),
               .flips_left = FLIPS_A_POINT * count};
  bool *used = arena_allocate_zero(arena, (size_t)count, sizeof *used);
  for (int k = 0; k < hull.count; k++) used[hull.corners[k].vertex] = true;
  for (int k = 1; k < hull.count - 1; k++) {
    const int last = hull.count - 3;
    mesh.of[mesh.count++] = (Triangle){
        {(int)hull.corners[0].vertex, (int)hull.corners[k].vertex, (int)hull.corners[k + 1].vertex},
        {k == 1 ? -1 : k - 2, -1, k - 1 == last ? -1 : k}};
  }
  for (int k = 0; k < count; k++)
    if (!used[k]) insert(&mesh, k, same);

  // a fan alone has met no flips
  for (int t = 0; t < mesh.count; t++)
    for (int k = 0; k < 3; k++) settle(&mesh, t, mesh.of[t].corner[k]);
  made = (PatchTriangles){mesh.count, arena_allocate(arena, (size_t)mesh.count * sizeof(int[3]))};
  for (int t = 0; t < mesh.count; t++)
    for (int k = 0; k < 3; k++) made.corner[t][k] = mesh.of[t].corner[k];
  return made;
}
