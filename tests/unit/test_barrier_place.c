// The barrier in closed form, and the potential of surfaces against it: convex polygons however
// they are cut, convex solids of all kinds.
#include "barrier_place.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "barrier_law.h"
#include "harness.h"
#include "random_solids.h"

#define POINTS 100000   // about solids

// -- the barrier ----------------------------------------------------------------------------------

// What the toolkit codes of squared distances, with its physical factor.
static double coded_barrier(double gap, double distance)
{
  const double s = gap * gap, limit = distance * distance;
  return -(s - limit) * (s - limit) * log(s / limit) / (distance * distance * distance);
}

static void test_closed_forms(void)
{
  const double at[5] = {0.1, 0.25, 0.5, 0.75, 0.9};
  const double value[5] = {1.865093925325177, .7797905781299385, .1732867951399863,
                           .01798012952823631, .001053605156578262};
  const double slope[5] = {-12.24465316738928, -4.329441541679836, -1.193147180559945,
                           -.2271743695592238, -.03218321424267635};
  for (int i = 0; i < 5; i++) {
    const double distance = i % 2 ? 1 : 1e-3, gap = at[i] * distance, step = 1e-5 * distance;
    const BarrierValue b = barrier_law_at(gap, distance);
    CHECK_NEAR(b.value / distance, value[i], 1e-14);
    CHECK_NEAR(b.slope, slope[i], 1e-13);
    const BarrierValue up = barrier_law_at(gap + step, distance);
    const BarrierValue down = barrier_law_at(gap - step, distance);
    CHECK_NEAR((up.slope - down.slope) / (2 * step) / b.curvature, 1, 1e-7);
    // the other form is another function, as the reference says
    const double ratio = 2 * (1 + at[i]) * (1 + at[i]);
    CHECK_NEAR(coded_barrier(gap, distance) / b.value, ratio, 1e-12);
  }
  CHECK_NEAR(barrier_law_at(.003, .01).value, .00589947, 5e-9);
  CHECK_NEAR(coded_barrier(.003, .01), .01994020, 5e-9);
  // balance: the gaps at which a pressure of so many stiffnesses is carried
  CHECK_NEAR(-barrier_law_at(.97168054, 1).slope, 2.4525e-3, 1e-9);
  CHECK_NEAR(-barrier_law_at(.94337598, 1).slope, 1e-2, 1e-9);
  const BarrierValue end = barrier_law_at(1 - 1e-9, 1);
  CHECK(barrier_law_at(1, 1).value == 0 && end.value >= 0 && end.value < 1e-26);
  CHECK(fabs(end.slope) < 1e-17 && fabs(end.curvature) < 1e-8);
}

static void test_companions(void)
{
  for (int i = 1; i < 40; i++) {
    const double e = 0.25, y = 0.01 * i, step = 1e-6;
    const BarrierValue f = barrier_law_friction(y, e), m = barrier_law_mollifier(y, e);
    if (fabs(y - e) < 2 * step) continue;
    const double f_rate =
        barrier_law_friction(y + step, e).value - barrier_law_friction(y - step, e).value;
    const double m_rate =
        barrier_law_mollifier(y + step, e).value - barrier_law_mollifier(y - step, e).value;
    CHECK_NEAR(f_rate / (2 * step), f.slope, 1e-9);
    CHECK_NEAR(m_rate / (2 * step), m.slope, 1e-9);
    CHECK(f.curvature >= 0 && f.slope >= 0 && f.slope <= 1 && m.value >= 0 && m.value <= 1);
    if (y > e) CHECK(m.value == 1 && f.slope == 1 && f.value == y);
  }
  // joined without a jump
  CHECK_NEAR(barrier_law_friction(0.25 * (1 - 1e-9), 0.25).value, 0.25, 1e-9);
  CHECK(barrier_law_mollifier(0, 1).value == 0 && barrier_law_friction(0, 1).slope == 0);
}

// -- polygons -------------------------------------------------------------------------------------

enum { MOST_CORNERS = 9, MOST_INSIDE = 12, MOST_TRIANGLES = MOST_CORNERS + 2 * MOST_INSIDE };

// A convex polygon in the plane z = 0, cut into triangles.
typedef struct {
  int corners, points, triangles;
  vec3 at[MOST_CORNERS + MOST_INSIDE];
  int of[MOST_TRIANGLES][3];
} CutPolygon;

static CutPolygon random_polygon(Random *random)
{
  CutPolygon p = {.corners = 3 + random_below(random, MOST_CORNERS - 2)};
  for (int i = 0; i < p.corners; i++) {
    const double angle = 6.28 * (i + random_between(random, 0, 0.8)) / p.corners;
    p.at[i] = (vec3){cos(angle), 0.7 * sin(angle), 0};
  }
  p.points = p.corners;
  for (int i = 2; i < p.corners; i++) memcpy(p.of[p.triangles++], (int[]){0, i - 1, i}, 12);
  // points in random triangles cut these in three: slivers come of themselves
  for (int n = random_below(random, MOST_INSIDE + 1); n > 0; n--) {
    int *t = p.of[random_below(random, p.triangles)];
    const int corner[3] = {t[0], t[1], t[2]}, centre = p.points++;
    double share[3], sum = 0;
    for (int k = 0; k < 3; k++) sum += share[k] = random_between(random, 0.05, 1);
    for (int k = 0; k < 3; k++)
      p.at[centre] = vec3_axpy(share[k] / sum, p.at[corner[k]], p.at[centre]);
    t[2] = centre;
    for (int k = 1; k < 3; k++)
      memcpy(p.of[p.triangles++], (int[]){corner[k], corner[(k + 1) % 3], centre}, 12);
  }
  return p;
}

// Both sides of a cut polygon as a closed surface without a volume; points are not laid.
typedef struct {
  BarrierSurface surface;
  vec3 vertices[2 * (MOST_CORNERS + MOST_INSIDE)];
  BarrierCell cells[2 * MOST_TRIANGLES];
  BarrierCorner corners[6 * MOST_TRIANGLES];
  BarrierEdge edges[6 * MOST_TRIANGLES];
  int around[2 * (MOST_CORNERS + MOST_INSIDE) + 1], around_cells[6 * MOST_TRIANGLES];
} Sheet;

static int sheet_edge(Sheet *sheet, int from, int to, int cell)
{
  BarrierSurface *s = &sheet->surface;
  for (int e = 0; e < s->edge_count; e++) {
    BarrierEdge *edge = &sheet->edges[e];
    if (edge->vertex[0] != to || edge->vertex[1] != from || edge->cell[1] >= 0) continue;
    edge->cell[1] = cell;
    return e;
  }
  const vec3 along = vec3_sub(sheet->vertices[to], sheet->vertices[from]);
  const double length = vec3_norm(along);
  sheet->edges[s->edge_count] = (BarrierEdge){.vertex = {from, to},
                                              .cell = {cell, -1},
                                              .direction = vec3_scale(1 / length, along),
                                              .length = length};
  return s->edge_count++;
}

static void add_side(Sheet *sheet, const CutPolygon *p, int side)
{
  BarrierSurface *s = &sheet->surface;
  for (int t = 0; t < p->triangles; t++) {
    const int c = s->cell_count++;
    vec3 at[3];
    for (int k = 0; k < 3; k++) {
      const int name = p->of[t][side ? 2 - k : k];
      const int v = side && name >= p->corners ? p->points + name - p->corners : name;
      sheet->corners[3 * c + k].vertex = v;
      at[k] = sheet->vertices[v] = p->at[name];
    }
    sheet->cells[c] = (BarrierCell){.normal = {0, 0, side ? -1 : 1},
                                    .box = box_of_points(at, 3),
                                    .first = 3 * c,
                                    .end = 3 * c + 3};
    for (int k = 0; k < 3; k++) {
      BarrierCorner *corner = &sheet->corners[3 * c];
      corner[k].edge = sheet_edge(sheet, corner[k].vertex, corner[(k + 1) % 3].vertex, c);
    }
  }
}

static void make_sheet(const CutPolygon *p, Sheet *sheet)
{
  *sheet = (Sheet){0};
  BarrierSurface *s = &sheet->surface;
  add_side(sheet, p, 0);
  add_side(sheet, p, 1);
  s->vertex_count = 2 * p->points - p->corners;
  int count = 0;
  for (int v = 0; v < s->vertex_count; v++) {
    for (int k = 0; k < 3 * s->cell_count; k++) {
      if (sheet->corners[k].vertex == v) sheet->around_cells[count++] = k / 3;
    }
    sheet->around[v + 1] = count;
  }
  s->vertices = sheet->vertices;
  s->cells = sheet->cells;
  s->corners = sheet->corners;
  s->edges = sheet->edges;
  s->around = sheet->around;
  s->around_cells = sheet->around_cells;
}

static long double square_to_segment(vec3 x, vec3 p, vec3 q)
{
  const long double d[3] = {(long double)q.x - p.x, (long double)q.y - p.y, (long double)q.z - p.z};
  const long double r[3] = {(long double)x.x - p.x, (long double)x.y - p.y, (long double)x.z - p.z};
  long double t =
      (d[0] * r[0] + d[1] * r[1] + d[2] * r[2]) / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  long double square = 0;
  for (int k = 0; k < 3; k++) square += (r[k] - t * d[k]) * (r[k] - t * d[k]);
  return square;
}

// Distance from a polygon; the slow reference, in long double.
static double polygon_distance(const vec3 *corners, int count, vec3 normal, vec3 x)
{
  bool inside = true;
  long double square = INFINITY;
  for (int k = 0; k < count; k++) {
    const vec3 p = corners[k], q = corners[(k + 1) % count];
    const vec3 inwards = vec3_cross(normal, vec3_sub(q, p));
    inside = inside && vec3_dot(inwards, vec3_sub(x, p)) >= 0;
    const long double edge = square_to_segment(x, p, q);
    if (edge < square) square = edge;
  }
  if (!inside) return (double)sqrtl(square);
  const long double height = (long double)normal.x * ((long double)x.x - corners[0].x) +
                             (long double)normal.y * ((long double)x.y - corners[0].y) +
                             (long double)normal.z * ((long double)x.z - corners[0].z);
  return (double)fabsl(height);
}

// Psi = b(dist) for any cut of a convex polygon, also where a place lies over corners and sides;
// the sum over triangles alone is far too large.
static void test_polygons(Arena *arena)
{
  Random random = {24};
  double worst = 0, too_large = 0;
  for (int round = 0; round < 300; round++) {
    const CutPolygon p = random_polygon(&random);
    Sheet sheet;
    make_sheet(&p, &sheet);
    for (int i = 0; i < 30; i++) {
      const double distance = random_between(&random, 0.05, 1);
      vec3 x = random_in_cube(&random, 1.3);
      const int t = random_below(&random, p.triangles);
      if (i % 3 == 1) x = p.at[random_below(&random, p.points)];
      if (i % 3 == 2) x = vec3_scale(0.5, vec3_add(p.at[p.of[t][0]], p.at[p.of[t][1]]));
      x.z = distance * random_between(&random, 0.1, 1.1);
      const double gap = polygon_distance(p.at, p.corners, (vec3){0, 0, 1}, x);
      const double exact = barrier_law_at(gap, distance).value;
      const BarrierPlace psi = barrier_place_find(&sheet.surface, x, distance, arena);
      worst = fmax(worst, fabs(psi.value - exact) / distance);
      double direct = 0;
      for (int k = 0; k < p.triangles; k++) {
        const vec3 at[3] = {p.at[p.of[k][0]], p.at[p.of[k][1]], p.at[p.of[k][2]]};
        direct += barrier_law_at(polygon_distance(at, 3, (vec3){0, 0, 1}, x), distance).value;
      }
      if (exact > 1e-3 * distance) too_large = fmax(too_large, direct / exact);
    }
  }
  CHECK(worst < 1e-13);
  CHECK(too_large > 5);
  printf("polygons: Psi - b(dist) <= %.2g of the distance; triangles alone: %.3g times as much\n",
         worst, too_large);
}

// -- solids ---------------------------------------------------------------------------------------

static double solid_distance(const Polyhedron *solid, vec3 x)
{
  double least = INFINITY;
  for (int f = 0; f < solid->face_count; f++) {
    vec3 corners[64];
    const int first = solid->face_start[f], count = solid->face_start[f + 1] - first;
    if (plane_height(solid->planes[f], x) < -1e-9) continue;
    for (int k = 0; k < count; k++) corners[k] = solid->vertices[solid->face_vertices[first + k]];
    least = fmin(least, polygon_distance(corners, count, solid->planes[f].normal, x));
  }
  return least;
}

// A place near the surface of a solid: beside a face, an edge or a vertex.
static vec3 random_place(Random *random, const Polyhedron *solid, double reach)
{
  for (;;) {
    const int f = random_below(random, solid->face_count), first = solid->face_start[f];
    const int count = solid->face_start[f + 1] - first;
    vec3 x = {0, 0, 0};
    double sum = 0;
    for (int k = 0; k < count; k++) {
      const double u = random_between(random, 0, 1), share = u * u * u * u;
      sum += share;
      x = vec3_axpy(share, solid->vertices[solid->face_vertices[first + k]], x);
    }
    x = vec3_scale(1 / sum, x);
    const vec3 way = random_below(random, 2) ? solid->planes[f].normal : random_direction(random);
    x = vec3_axpy(reach * random_between(random, 0.1, 1.2), way, x);
    for (int k = 0; k < solid->face_count; k++) {
      if (plane_height(solid->planes[k], x) > 1e-3 * reach) return x;
    }
  }
}

static void test_solids(Arena *arena)
{
  Random random = {2024};
  double worst = 0, worst_gradient = 0;
  int outside = 0;
  for (int n = 0; n < POINTS / 50; n++) {
    const ArenaMark mark = arena_mark(arena);
    const Polyhedron solid = solid_random(&random, n % SOLID_KINDS, arena);
    const BarrierSurface surface = barrier_surface_of_solid(&solid, 1, arena);
    CHECK(surface.convex && surface.point_count >= surface.vertex_count);
    for (int i = 0; i < 50; i++) {
      const double distance = random_between(&random, 0.1, 1);
      const vec3 x = random_place(&random, &solid, distance);
      const double gap = solid_distance(&solid, x);
      if (gap < 0.05 * distance) continue;
      const BarrierPlace psi = barrier_place_find(&surface, x, distance, arena);
      const BarrierValue exact = barrier_law_at(gap, distance);
      worst = fmax(worst, fabs(psi.value - exact.value) / distance);
      worst_gradient = fmax(worst_gradient, fabs(vec3_norm(psi.gradient) - fabs(exact.slope)));
      if (gap >= distance) outside++;
      else if (!CHECK(psi.terms >= 1)) break;
    }
    arena_release(arena, mark);
  }
  CHECK(worst < 1e-13);
  CHECK(worst_gradient < 1e-11);
  CHECK(outside > POINTS / 100);
  printf("solids: Psi - b(dist) <= %.2g of the distance, gradient %.2g\n", worst, worst_gradient);
}

int main(void)
{
  Arena arena = arena_new();
  test_closed_forms();
  test_companions();
  test_polygons(&arena);
  test_solids(&arena);
  arena_destroy(&arena);
  return test_report();
}
