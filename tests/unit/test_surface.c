// Surfaces of bodies: one complex for a solid, however it is cut, with the classes of its
// simplices.
#include "surface_complex.h"

#include <stdlib.h>

#include "harness.h"
#include "memory.h"
#include "posed_scene.h"
#include "surface_solids.h"

static SurfaceComplex complex_of(SurfacePieces pieces, Arena *arena)
{
  SurfaceComplex complex = {0};
  CHECK(surface_complex_build(&pieces, arena, &complex).status == SURFACE_OK);
  return complex;
}

static SurfaceComplex complex_of_net(const Net *net, Arena *arena)
{
  return complex_of(net_pieces(net, arena), arena);
}

static int count_vertices(const SurfaceComplex *c, SurfaceClass class)
{
  int count = 0;
  for (int v = 0; v < c->vertex_count; v++) count += c->vertices[v].class == class;
  return count;
}

static int count_edges(const SurfaceComplex *c, SurfaceClass class)
{
  int count = 0;
  for (int e = 0; e < c->edge_count; e++) count += c->edges[e].class == class;
  return count;
}

static bool near(vec3 a, vec3 b, double tolerance)
{
  return vec3_norm(vec3_sub(a, b)) <= tolerance;
}

static bool same_vertex(const SurfaceComplex *p, int i, const SurfaceComplex *q, int j, vec3 shift)
{
  const SurfaceVertex *a = &p->vertices[i], *b = &q->vertices[j];
  return near(vec3_add(a->at, shift), b->at, 1e-11 * p->extent) && a->class == b->class &&
         near(a->cone.axis, b->cone.axis, 1e-9) && fabs(a->cone.cosine - b->cone.cosine) <= 1e-9 &&
         a->face_count == b->face_count;
}

static bool same_edge(const SurfaceComplex *p, int i, const SurfaceComplex *q, int j, vec3 shift)
{
  const SurfaceEdge *a = &p->edges[i], *b = &q->edges[j];
  if (a->class != b->class) return false;
  for (int turned = 0; turned < 2; turned++) {
    bool same = true;
    for (int k = 0; k < 2; k++) {
      const vec3 at = vec3_add(p->vertices[a->vertex[k]].at, shift);
      same = same && near(at, q->vertices[b->vertex[k ^ turned]].at, 1e-11 * p->extent) &&
             near(a->into[k], b->into[k ^ turned], 1e-9) &&
             near(p->faces[a->face[k]].normal, q->faces[b->face[k ^ turned]].normal, 1e-9);
    }
    if (same) return true;
  }
  return false;
}

static bool same_face(const SurfaceComplex *p, int i, const SurfaceComplex *q, int j, vec3 shift)
{
  const SurfaceFace *a = &p->faces[i], *b = &q->faces[j];
  const double offset = a->offset + vec3_dot(a->normal, shift);
  return near(a->normal, b->normal, 1e-9) && fabs(offset - b->offset) <= 1e-10 * p->extent &&
         fabs(a->area - b->area) <= 1e-10 * p->extent * p->extent && a->side_count == b->side_count;
}

typedef bool SameFeature(const SurfaceComplex *p, int i, const SurfaceComplex *q, int j,
                         vec3 shift);

// As many of each kind in both.
static bool same_features(const SurfaceComplex *p, const SurfaceComplex *q, const int counts[2],
                          SameFeature *same, vec3 shift)
{
  if (counts[0] != counts[1]) return false;
  for (int i = 0; i < counts[0]; i++) {
    int in_p = 0, in_q = 0;
    for (int j = 0; j < counts[0]; j++) {
      in_p += same(p, i, p, j, vec3_new(0, 0, 0));
      in_q += same(p, i, q, j, shift);
    }
    if (in_p != in_q) return false;
  }
  return true;
}

// Are two surfaces the same, the second moved by a shift?
static bool same_complex(const SurfaceComplex *p, const SurfaceComplex *q, vec3 shift)
{
  const int vertices[2] = {p->vertex_count, q->vertex_count};
  const int edges[2] = {p->edge_count, q->edge_count}, faces[2] = {p->face_count, q->face_count};
  return same_features(p, q, vertices, same_vertex, shift) &&
         same_features(p, q, edges, same_edge, shift) &&
         same_features(p, q, faces, same_face, shift);
}

// Each edge joins its two faces, sides run round closed loops, normals are unit.
static void check_sound(const SurfaceComplex *c)
{
  int *seen = calloc(2 * (size_t)c->edge_count, sizeof *seen);
  vec3 sum = {0, 0, 0};
  for (int f = 0; f < c->face_count; f++) {
    const SurfaceFace *face = &c->faces[f];
    CHECK_NEAR(vec3_norm(face->normal), 1, 1e-14);
    sum = vec3_axpy(face->area, face->normal, sum);
    int first = face->side_start;
    for (int k = 0; k < face->side_count; k++) {
      const int s = face->side_start + k;
      const SurfaceSide *side = &c->sides[s], *next = &c->sides[side->ends_loop ? first : s + 1];
      if (side->ends_loop) first = s + 1;
      CHECK(side->to == next->from);
      const SurfaceEdge *edge = &c->edges[side->edge];
      const int way = edge->vertex[0] == side->from && edge->face[0] == f ? 0 : 1;
      CHECK(edge->face[way] == f && edge->vertex[way] == side->from);
      CHECK(edge->vertex[1 - way] == side->to);
      seen[2 * side->edge + way]++;
      const double height = vec3_dot(face->normal, c->vertices[side->from].at) - face->offset;
      CHECK_NEAR(height, 0, SURFACE_FLAT * c->extent);
    }
  }
  for (int i = 0; i < 2 * c->edge_count; i++) CHECK(seen[i] == 1);
  CHECK_NEAR(vec3_norm(sum), 0, 1e-9 * c->extent * c->extent);
  free(seen);
}

static void test_box(Arena *arena)
{
  const Solid solid = solid_box(vec3_new(-1, -2, -3), vec3_new(1, 2, 3));
  Shape shape;
  if (!CHECK(solid_build(&solid, arena, &shape).status == SHAPE_OK)) return;
  const SurfaceComplex c = complex_of(surface_pieces_of_shape(&shape, arena), arena);
  check_sound(&c);
  CHECK(c.vertex_count == 8 && c.edge_count == 12 && c.face_count == 6);
  CHECK(count_vertices(&c, SURFACE_CORNER) == 8 && count_edges(&c, SURFACE_RIDGE) == 12);
  CHECK(c.extent == 6);
  CHECK_NEAR(surface_complex_volume(&c), 48, 1e-13);
  for (int v = 0; v < 8; v++) {
    // three rays at right angles about the diagonal
    CHECK_NEAR(c.vertices[v].cone.cosine, 1 / sqrt(3), 1e-15);
    CHECK(vec3_dot(c.vertices[v].cone.axis, c.vertices[v].at) > 0);
    CHECK(c.vertices[v].face_count == 3 && c.vertices[v].direction_count == 3);
  }
  for (int e = 0; e < 12; e++) CHECK_NEAR(c.edges[e].cone.cosine, sqrt(0.5), 1e-15);
  for (int f = 0; f < 6; f++) {
    const vec3 middle = vec3_scale(c.faces[f].offset, c.faces[f].normal);
    CHECK(surface_face_holds(&c, f, middle, 0));
    const vec3 along = c.edges[c.sides[c.faces[f].side_start].edge].direction;
    CHECK(!surface_face_holds(&c, f, vec3_axpy(7, along, middle), 0));
  }
}

// Classes of table 1 of the source on solids where each is known.
static void test_classes(Arena *arena)
{
  const double l[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  const Net angle = net_prism(l, 6, 0, 1, arena);
  const SurfaceComplex c = complex_of_net(&angle, arena);
  check_sound(&c);
  CHECK(c.vertex_count == 12 && c.edge_count == 18 && c.face_count == 8);
  CHECK(count_vertices(&c, SURFACE_CORNER) == 10 && count_vertices(&c, SURFACE_NOTCH) == 2);
  CHECK(count_edges(&c, SURFACE_RIDGE) == 17 && count_edges(&c, SURFACE_HIDDEN) == 1);

  // a square ring of four prisms: two faces with a hole
  Solid ring = {0};
  solid_add_box(&ring, vec3_new(-2, -2, 0), vec3_new(2, -1, 1));
  solid_add_box(&ring, vec3_new(-2, 1, 0), vec3_new(2, 2, 1));
  solid_add_box(&ring, vec3_new(-2, -1, 0), vec3_new(-1, 1, 1));
  solid_add_box(&ring, vec3_new(1, -1, 0), vec3_new(2, 1, 1));
  Shape shape;
  if (!CHECK(solid_build(&ring, arena, &shape).status == SHAPE_OK)) return;
  const SurfaceComplex r = complex_of(surface_pieces_of_shape(&shape, arena), arena);
  check_sound(&r);
  CHECK(r.vertex_count == 16 && r.edge_count == 24 && r.face_count == 10);
  CHECK(count_vertices(&r, SURFACE_CORNER) == 8 && count_vertices(&r, SURFACE_NOTCH) == 8);
  int loops = 0, holes = 0;
  for (int s = 0; s < r.side_count; s++) loops += r.sides[s].ends_loop;
  for (int f = 0; f < r.face_count; f++) {
    if (r.faces[f].side_count != 8) continue;
    holes++;
    CHECK_NEAR(r.faces[f].area, 12, 1e-12);
    const vec3 up = vec3_scale(r.faces[f].offset, r.faces[f].normal);
    CHECK(!surface_face_holds(&r, f, up, 0.5));
    CHECK(surface_face_holds(&r, f, vec3_add(up, vec3_new(1.5, 0, 0)), 0));
    CHECK(surface_face_holds(&r, f, vec3_add(up, vec3_new(1, 0, 0)), 1e-9));
  }
  CHECK(loops == 12 && holes == 2);

  // a wall on a slab with its end flush: the slab's edge runs straight past two vertices
  Solid wall = {0};
  solid_add_box(&wall, vec3_new(0, 0, 0), vec3_new(3, 2, 1));
  solid_add_box(&wall, vec3_new(1, 0.5, 1), vec3_new(2, 2, 2));
  if (!CHECK(solid_build(&wall, arena, &shape).status == SHAPE_OK)) return;
  const SurfaceComplex w = complex_of(surface_pieces_of_shape(&shape, arena), arena);
  check_sound(&w);
  CHECK(w.face_count == 10 && w.vertex_count == 16);
  CHECK(count_vertices(&w, SURFACE_CORNER) == 12);
  CHECK(count_edges(&w, SURFACE_HIDDEN) == 3);

  // a pit in the shape of a pyramid: its lowest point has no normal outside of the body
  Net pit = net_new(9, 14, arena);
  for (int k = 0; k < 8; k++)
    net_point(&pit, vec3_new(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1));
  net_point(&pit, vec3_new(0.1, 0.2, 0.3));
  const int quads[5][4] = {{0, 2, 3, 1}, {0, 1, 5, 4}, {1, 3, 7, 5}, {3, 2, 6, 7}, {2, 0, 4, 6}};
  for (int q = 0; q < 5; q++) {
    net_triangle(&pit, quads[q][0], quads[q][1], quads[q][2]);
    net_triangle(&pit, quads[q][0], quads[q][2], quads[q][3]);
  }
  const int rim[4] = {4, 5, 7, 6};
  for (int k = 0; k < 4; k++) net_triangle(&pit, rim[k], rim[(k + 1) % 4], 8);
  const SurfaceComplex p = complex_of_net(&pit, arena);
  check_sound(&p);
  CHECK(p.vertex_count == 9 && p.face_count == 9);
  for (int v = 0; v < 9; v++)
    CHECK(p.vertices[v].class == (p.vertices[v].point == 8 ? SURFACE_HIDDEN : SURFACE_CORNER));
  CHECK(count_edges(&p, SURFACE_HIDDEN) == 4 && count_edges(&p, SURFACE_RIDGE) == 12);
}

// The same solid as triangles, as cubes and as tetrahedra of cubes has one complex.
static void test_lattices(Arena *arena)
{
  Random random = {11};
  for (int round = 0; round < 40; round++) {
    const ArenaMark mark = arena_mark(arena);
    const CubeLattice lattice = lattice_random(round % 2 ? 3 : 2, 0.55, &random);
    const Net net = net_of_lattice(&lattice, arena);
    const SurfaceComplex whole = complex_of_net(&net, arena);
    check_sound(&whole);
    CHECK_NEAR(surface_complex_volume(&whole), net_volume(&net), 1e-12);
    const int n = lattice.size;
    for (int cut = 0; cut < 2; cut++) {
      const int axes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
      PartRecipe *parts = arena_allocate(arena, 6 * (size_t)(n * n * n) * sizeof *parts);
      int count = 0;
      for (int cube = 0; cube < n * n * n; cube++) {
        const int at[3] = {cube % n, cube / n % n, cube / n / n};
        if (!lattice_is_filled(&lattice, at)) continue;
        for (int t = 0; t < (cut ? 6 : 1); t++) {
          vec3 *corners = arena_allocate(arena, 8 * sizeof *corners);
          int used = 0;
          if (!cut) {
            for (; used < 8; used++)
              corners[used] =
                  vec3_new(at[0] + (used & 1), at[1] + (used >> 1 & 1), at[2] + (used >> 2));
          }
          int place[3] = {at[0], at[1], at[2]};
          for (int k = 0; cut && k < 4; k++) {
            corners[used++] = vec3_new(place[0], place[1], place[2]);
            if (k < 3) place[axes[t][k]]++;
          }
          parts[count++] = (PartRecipe){.count = used, .points = corners};
        }
      }
      Shape shape;
      const ShapeRecipe recipe = {.part_count = count, .parts = parts};
      if (!CHECK(shape_build(&recipe, arena, &shape).status == SHAPE_OK)) continue;
      const SurfaceComplex parted = complex_of(surface_pieces_of_shape(&shape, arena), arena);
      check_sound(&parted);
      CHECK(same_complex(&parted, &whole, shape.center));
    }
    arena_release(arena, mark);
  }
}

// Solids cut into up to a thousand times the triangles, and turned.
static void test_cuts(Arena *arena)
{
  const double corners[10][2] = {{0, 0}, {4, 0}, {4, 3},     {3, 3},   {3, 1},
                                 {1, 1}, {1, 2}, {1.5, 2.5}, {0.5, 3}, {0, 3}};
  Random random = {12};
  for (int round = 0; round < 30; round++) {
    const ArenaMark mark = arena_mark(arena);
    Net net =
        round < 15 ? net_prism(corners, 10, 0, 1.5, arena) : net_stone(1, 0.25, &random, arena);
    const mat3 turn = round % 3 ? random_rotation(&random) : mat3_diagonal(1, 1, 1);
    for (int i = 0; i < net.point_count; i++) net.points[i] = mat3_mul(turn, net.points[i]);
    const SurfaceComplex whole = complex_of_net(&net, arena);
    check_sound(&whole);
    const int cuts[3] = {1, 50, 3000};
    for (int k = 0; k < 3; k++) {
      Net cut = net_new(net.point_count + cuts[k], net.triangle_count + 2 * cuts[k], arena);
      cut.point_count = net.point_count;
      cut.triangle_count = net.triangle_count;
      memcpy(cut.points, net.points, (size_t)net.point_count * sizeof(vec3));
      memcpy(cut.triangles, net.triangles, (size_t)net.triangle_count * sizeof(int[3]));
      net_cut(&cut, cuts[k], &random);
      const SurfaceComplex c = complex_of_net(&cut, arena);
      check_sound(&c);
      CHECK(same_complex(&whole, &c, vec3_new(0, 0, 0)));
    }
    arena_release(arena, mark);
  }
}

// Slivers that close among themselves, as cuts leave them where corners become one, are no part of
// the surface.
static void test_bubble(Arena *arena)
{
  static const int flat[4][3] = {{0, 1, 2}, {1, 0, 3}, {2, 1, 3}, {0, 2, 3}};
  const double square[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const Net net = net_prism(square, 4, 0, 1, arena);
  const SurfaceComplex whole = complex_of_net(&net, arena);
  Net more = net_new(net.point_count + 4, net.triangle_count + 4, arena);
  for (int i = 0; i < net.point_count; i++) net_point(&more, net.points[i]);
  for (int t = 0; t < net.triangle_count; t++)
    net_triangle(&more, net.triangles[t][0], net.triangles[t][1], net.triangles[t][2]);
  const int first = more.point_count;
  for (int k = 0; k < 4; k++) {
    const double along = 0.3 + 1e-5 * (k * k + k);
    net_point(&more, vec3_new(along, along, 1 + 1e-11 * (k % 2)));
  }
  for (int k = 0; k < 4; k++)
    net_triangle(&more, first + flat[k][0], first + flat[k][1], first + flat[k][2]);
  const SurfaceComplex c = complex_of_net(&more, arena);
  check_sound(&c);
  CHECK(same_complex(&whole, &c, vec3_new(0, 0, 0)));
}

// A surface that is not closed, and one of nothing.
static void test_refusals(Arena *arena)
{
  const double square[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  Net net = net_prism(square, 4, 0, 1, arena);
  net.triangle_count--;
  SurfacePieces pieces = net_pieces(&net, arena);
  SurfaceComplex c;
  const SurfaceResult open = surface_complex_build(&pieces, arena, &c);
  CHECK(open.status == SURFACE_OPEN && open.piece >= 0 && open.piece < net.triangle_count);
  net.triangle_count++;
  for (int i = 0; i < net.point_count; i++) net.points[i].x = 1;
  pieces = net_pieces(&net, arena);
  CHECK(surface_complex_build(&pieces, arena, &c).status != SURFACE_OK);
  for (int i = 0; i < net.point_count; i++) net.points[i] = vec3_new(1, 2, 3);
  pieces = net_pieces(&net, arena);
  CHECK(surface_complex_build(&pieces, arena, &c).status == SURFACE_EMPTY);
}

int main(void)
{
  Arena arena = arena_new();
  test_box(&arena);
  test_classes(&arena);
  test_lattices(&arena);
  test_cuts(&arena);
  test_bubble(&arena);
  test_refusals(&arena);
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
