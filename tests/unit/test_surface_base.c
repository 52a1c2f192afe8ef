// Surfaces moved inwards: planes stay planes, nothing turns over unseen, and polygons are cut into
// triangles.
#include "surface_base.h"

#include <stdio.h>

#include "harness.h"
#include "memory.h"
#include "polyhedron.h"
#include "surface_solids.h"
#include "surface_split.h"

static const double angle[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};

static SurfaceBaseResult base_of(const Net *net, double dilation, Arena *arena,
                                 SurfaceBase *surface)
{
  const SurfacePieces pieces = net_pieces(net, arena);
  return surface_base_build(&pieces, dilation, arena, surface);
}

// Where three planes meet, each base face is its face moved by the dilation.
static void test_exact(Arena *arena)
{
  Random random = {21};
  for (int round = 0; round < 20; round++) {
    const ArenaMark mark = arena_mark(arena);
    Net net = net_prism(angle, 6, 0, 1.5, arena);
    const mat3 turn = round > 0 ? random_rotation(&random) : mat3_diagonal(1, 1, 1);
    for (int i = 0; i < net.point_count; i++) net.points[i] = mat3_mul(turn, net.points[i]);
    const double e = round % 4 == 3 ? 0 : random_between(&random, 1e-3, 0.1);
    SurfaceBase s;
    if (!CHECK(base_of(&net, e, arena, &s).status == SURFACE_BASE_OK)) continue;
    CHECK(s.base.face_count == 8 && s.base.vertex_count == 12 && s.base.edge_count == 18);
    CHECK_NEAR(s.shift, sqrt(3) * e, 1e-12);
    for (int f = 0; f < 8; f++) {
      const SurfaceFace *base = &s.base.faces[f], *sharp = &s.sharp.faces[base->piece];
      CHECK_NEAR(vec3_norm(vec3_sub(base->normal, sharp->normal)), 0, 1e-12);
      CHECK_NEAR(base->offset, sharp->offset - e, 1e-13);
    }
    for (int v = 0; v < 12; v++) {
      const SurfaceVertex *base = &s.base.vertices[v], *sharp = &s.sharp.vertices[base->point];
      CHECK(base->class == sharp->class);
      CHECK_NEAR(vec3_norm(vec3_sub(base->at, sharp->at)), s.shift, 1e-12);
    }
    const double area = (2 - 2 * e) * (2 - 2 * e) - 1;
    CHECK_NEAR(surface_complex_volume(&s.base), area * (1.5 - 2 * e), 1e-12);
    arena_release(arena, mark);
  }
}

// Four planes about a tip that no other place shares: the quadrangles beside it become triangles,
// the surface stays closed, and no vertex is far from its planes.
static void test_tip(Arena *arena)
{
  Random random = {22};
  for (int round = 0; round < 50; round++) {
    const ArenaMark mark = arena_mark(arena);
    // rays from the tip, points on them, and points of the planes between two rays farther out
    vec3 points[10] = {{0, 0, 2}, {0.1, -0.1, -3}}, rays[4];
    for (int k = 0; k < 4; k++) {
      const double x = k % 3 ? 1 : -1, y = k < 2 ? 1 : -1;
      rays[k] = vec3_add(vec3_new(x, y, -1), random_in_cube(&random, 0.2));
    }
    for (int k = 0; k < 4; k++) {
      points[2 + k] = vec3_add(points[0], rays[k]);
      points[6 + k] = vec3_axpy(0.75, vec3_add(rays[k], rays[(k + 1) % 4]), points[0]);
    }
    Polyhedron hull;
    if (!CHECK(hull_build(points, 10, arena, &hull) == HULL_OK)) continue;
    int *start = arena_allocate(arena, ((size_t)hull.face_count + 1) * sizeof *start);
    const int corners = hull.face_start[hull.face_count];
    vec3 *places = arena_allocate(arena, (size_t)corners * sizeof *places);
    for (int i = 0; i < corners; i++) places[i] = hull.vertices[hull.face_vertices[i]];
    memcpy(start, hull.face_start, ((size_t)hull.face_count + 1) * sizeof *start);
    const SurfacePieces pieces = {.count = hull.face_count, .start = start, .corners = places};
    const double e = 0.02;
    SurfaceBase s;
    if (!CHECK(surface_base_build(&pieces, e, arena, &s).status == SURFACE_BASE_OK)) continue;
    CHECK(s.base.vertex_count == s.sharp.vertex_count);
    CHECK(s.base.vertex_count - s.base.edge_count + s.base.face_count == 2);
    CHECK(s.base.face_count > s.sharp.face_count);
    vec3 sum = {0, 0, 0};
    for (int f = 0; f < s.base.face_count; f++) {
      const SurfaceFace *face = &s.base.faces[f];
      sum = vec3_axpy(face->area, face->normal, sum);
      CHECK(vec3_dot(face->normal, s.sharp.faces[face->piece].normal) > 0.99);
      for (int k = 0; k < face->side_count; k++) {
        const vec3 at = s.base.vertices[s.base.sides[face->side_start + k].from].at;
        CHECK_NEAR(vec3_dot(face->normal, at), face->offset, 1e-10);
        const SurfaceFace *sharp = &s.sharp.faces[face->piece];
        CHECK_NEAR(vec3_dot(sharp->normal, at), sharp->offset - e, 0.3 * e);
      }
    }
    CHECK_NEAR(vec3_norm(sum), 0, 1e-12);
    CHECK(surface_complex_volume(&s.base) < surface_complex_volume(&s.sharp));
    arena_release(arena, mark);
  }
}

// What turns over is refused, with a dilation that is not.
static void test_turned(Arena *arena)
{
  // a plate, a wedge's thin end, and a neck between two notches whose sides face each other
  const double plate[4][2] = {{0, 0}, {4, 0}, {4, 0.1}, {0, 0.1}};
  const double neck[8][2] = {{0, 0},    {2, 0.95}, {4, 0},   {4, 2},
                             {2, 1.05}, {0, 2},    {0, 1.5}, {0, 1}};
  const double bears[2] = {0.05, 0.05};
  for (int k = 0; k < 2; k++) {
    const Net net = net_prism(k ? neck : plate, k ? 8 : 4, 0, 1, arena);
    SurfaceBase s;
    const SurfaceBaseResult result = base_of(&net, 0.08, arena, &s);
    if (!CHECK(result.status == SURFACE_BASE_TURNED)) continue;
    CHECK(result.would_do > 0.8 * bears[k] && result.would_do < bears[k]);
    CHECK(base_of(&net, 0.99 * result.would_do, arena, &s).status == SURFACE_BASE_OK);
    CHECK(surface_complex_volume(&s.base) > 0);
    char text[400];
    surface_base_text(result, 0.08, "triangle", text, sizeof text);
    CHECK(strstr(text, "turns inside out at triangle ") && strstr(text, "it bears 0.04"));
  }
  Net open = net_prism(angle, 6, 0, 1, arena);
  open.triangle_count -= 2;
  SurfaceBase s;
  const SurfaceBaseResult result = base_of(&open, 0.01, arena, &s);
  CHECK(result.status == SURFACE_BASE_PIECES && result.pieces.status == SURFACE_OPEN);
  char text[400];
  surface_base_text(result, 0.01, "triangle", text, sizeof text);
  CHECK(strstr(text, "the surface is open at triangle "));
}

// Stones of triangles: planes are missed by little, and less where they are finer.
static void test_stones(Arena *arena)
{
  double worst[2] = {0, 0};
  for (int round = 0; round < 6; round++) {
    const ArenaMark mark = arena_mark(arena);
    Random random = {23 + (uint64_t)(round / 2)};
    const int fine = round % 2;
    const Net net = net_stone(fine ? 3 : 1, 0.2, &random, arena);
    SurfaceBase s;
    const double e = 0.01;
    if (!CHECK(base_of(&net, e, arena, &s).status == SURFACE_BASE_OK)) continue;
    CHECK(s.base.face_count == net.triangle_count && s.base.vertex_count == net.point_count);
    for (int f = 0; f < s.base.face_count; f++) {
      const SurfaceFace *sharp = &s.sharp.faces[s.base.faces[f].piece];
      for (int k = 0; k < 3; k++) {
        const vec3 at = s.base.vertices[s.base.sides[s.base.faces[f].side_start + k].from].at;
        worst[fine] =
            larger_of(worst[fine], fabs(vec3_dot(sharp->normal, at) - sharp->offset + e) / e);
      }
    }
    arena_release(arena, mark);
  }
  printf("planes missed by %.3f and %.3f of the dilation\n", worst[0], worst[1]);
  CHECK(worst[0] < 0.2 && worst[1] < 0.5 * worst[0]);
}

// Is a triangle, from any of its corners on, among others?
static bool is_among(const SplitTriangles *triangles, const int corners[3])
{
  for (int t = 0; t < triangles->count; t++) {
    const int *v = triangles->names[t];
    for (int k = 0; k < 3; k++) {
      if (v[k] == corners[0] && v[(k + 1) % 3] == corners[1] && v[(k + 2) % 3] == corners[2])
        return true;
    }
  }
  return false;
}

// A square ring of squares, where most choices are equal: the triangles do not know where its loops
// begin, how it is turned, or what rounding does to its corners.
static void test_split_alike(Arena *arena)
{
  static const double at[12][2] = {{0, 0}, {2, 0}, {4, 0}, {4, 4}, {2, 4}, {0, 4},
                                   {1, 1}, {1, 3}, {2, 3}, {3, 3}, {3, 1}, {2, 1}};
  Random random = {26};
  SplitTriangles all = {0};
  for (int round = 0; round < 50; round++) {
    SplitCorner corners[12];
    bool ends[12] = {false};
    ends[5] = ends[11] = true;
    const double turn = round ? random_between(&random, 0, 6) : 0, c = cos(turn), s = sin(turn);
    const int begin[2] = {random_below(&random, 6), random_below(&random, 6)};
    for (int k = 0; k < 12; k++) {
      const int name = k / 6 * 6 + (k + begin[k / 6]) % 6;
      const double noise = round ? random_between(&random, -1e-15, 1e-15) : 0;
      const double x = at[name][0] + noise, y = at[name][1] - noise;
      corners[k] = (SplitCorner){c * x - s * y, s * x + c * y, name, name};
    }
    const SplitPolygon polygon = {.count = 12, .corners = corners, .ends_loop = ends};
    const SplitTriangles triangles = surface_split(&polygon, arena);
    if (round == 0) all = triangles;
    CHECK(triangles.count == 12 && all.count == 12);
    for (int t = 0; t < triangles.count; t++) CHECK(is_among(&all, triangles.names[t]));
  }
}

// Lattices of cubes, moved inwards whole and cut: their bases are alike, though many faces are no
// planes any more.
static void test_cut_alike(Arena *arena)
{
  Random random = {27};
  int bent = 0;
  for (int round = 0; round < 400; round++) {
    const ArenaMark mark = arena_mark(arena);
    const CubeLattice lattice = lattice_random(3, 0.6, &random);
    Net net = net_of_lattice(&lattice, arena);
    const mat3 turn = round % 2 ? random_rotation(&random) : mat3_diagonal(1, 1, 1);
    for (int i = 0; i < net.point_count; i++) net.points[i] = mat3_mul(turn, net.points[i]);
    const int cuts = 150;
    Net cut = net_new(net.point_count + cuts, net.triangle_count + 2 * cuts + 2, arena);
    cut.point_count = net.point_count;
    cut.triangle_count = net.triangle_count;
    memcpy(cut.points, net.points, (size_t)net.point_count * sizeof(vec3));
    memcpy(cut.triangles, net.triangles, (size_t)net.triangle_count * sizeof(int[3]));
    while (cut.triangle_count < net.triangle_count + 2 * cuts) net_cut(&cut, 1, &random);
    SurfaceBase whole, pieces;
    CHECK(base_of(&net, 0.01, arena, &whole).status == SURFACE_BASE_OK);
    CHECK(base_of(&cut, 0.01, arena, &pieces).status == SURFACE_BASE_OK);
    CHECK(whole.base.vertex_count == pieces.base.vertex_count);
    CHECK(whole.base.edge_count == pieces.base.edge_count);
    CHECK(whole.base.face_count == pieces.base.face_count);
    const double volume = surface_complex_volume(&whole.base);
    CHECK_NEAR(surface_complex_volume(&pieces.base), volume, 1e-12 * volume);
    bent += whole.base.face_count > whole.sharp.face_count;
    arena_release(arena, mark);
  }
  printf("%d of 400 lattices have faces that are no planes on their base\n", bent);
  CHECK(bent > 100);
}

// Random star polygons with holes: all is covered once, by as many triangles as Euler says.
static void test_split(Arena *arena)
{
  Random random = {24};
  for (int round = 0; round < 200; round++) {
    const ArenaMark mark = arena_mark(arena);
    const int outer = 3 + random_below(&random, 30), holes = random_below(&random, 4);
    SplitCorner corners[100];
    bool ends[100] = {false};
    int count = 0;
    double area = 0;
    for (int loop = 0; loop <= holes; loop++) {
      const int n = loop ? 3 + random_below(&random, 6) : outer, first = count;
      const double x = loop ? 0.6 * (loop - 2) : 0, turn = random_between(&random, 0, 6);
      for (int k = 0; k < n; k++) {
        const double r = loop ? random_between(&random, 0.05, 0.25) : random_between(&random, 2, 4);
        const double at = turn + (loop ? -1 : 1) * 6.283185307179586 * k / n;
        corners[count] = (SplitCorner){x + r * cos(at), r * sin(at), count, count};
        count++;
      }
      ends[count - 1] = true;
      for (int k = first; k < count; k++) {
        const SplitCorner a = corners[k], b = corners[k + 1 < count ? k + 1 : first];
        area += 0.5 * (a.u * b.v - a.v * b.u);
      }
    }
    if (outer < 7 && holes > 0) {   // a hole may then reach out of the polygon
      arena_release(arena, mark);
      continue;
    }
    const SplitPolygon polygon = {.count = count, .corners = corners, .ends_loop = ends};
    const SplitTriangles triangles = surface_split(&polygon, arena);
    CHECK(triangles.count == count + 2 * holes - 2);
    double covered = 0;
    for (int t = 0; t < triangles.count; t++) {
      const int *v = triangles.names[t];
      const SplitCorner a = corners[v[0]], b = corners[v[1]], c = corners[v[2]];
      const double twice = (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
      CHECK(twice > 0);
      covered += 0.5 * twice;
    }
    CHECK_NEAR(covered, area, 1e-12 * area);
    arena_release(arena, mark);
  }
}

int main(void)
{
  Arena arena = arena_new();
  test_exact(&arena);
  test_tip(&arena);
  test_turned(&arena);
  test_stones(&arena);
  test_split(&arena);
  test_split_alike(&arena);
  test_cut_alike(&arena);
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
