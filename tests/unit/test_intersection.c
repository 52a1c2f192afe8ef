// Intersections of random solids: reference by triples of planes, symmetry, invariance, additivity,
// labels, closure. test: timeout 300
#include <stdbool.h>
#include <string.h>

#include "harness.h"
#include "intersection.h"
#include "memory.h"
#include "polyhedron.h"
#include "random_solids.h"

static Polyhedron place_randomly(Random *random, const Polyhedron *p, double reach, Arena *arena)
{
  return polyhedron_place(p, random_rotation(random), random_in_cube(random, reach), arena);
}

static Polyhedron scale_solid(const Polyhedron *p, double factor, Arena *arena)
{
  vec3 *points = arena_allocate(arena, (size_t)p->vertex_count * sizeof(vec3));
  for (int i = 0; i < p->vertex_count; i++) points[i] = vec3_scale(factor, p->vertices[i]);
  return solid_of(points, p->vertex_count, arena);
}

static Plane pushed_plane(const Polyhedron *a, const Polyhedron *b, int face, double margin)
{
  const Plane plane = face < a->face_count ? a->planes[face] : b->planes[face - a->face_count];
  return (Plane){plane.normal, plane.offset + margin};
}

static bool point_is_below_all(const Polyhedron *a, const Polyhedron *b, double margin, vec3 point,
                               double slack)
{
  for (int f = 0; f < a->face_count + b->face_count; f++) {
    const Plane plane = pushed_plane(a, b, f, margin);
    if (vec3_dot(plane.normal, point) - plane.offset > slack) return false;
  }
  return true;
}

// The slow reference: common points of three planes that lie below all others, and their hull.
static double reference_volume(const Polyhedron *a, const Polyhedron *b, double margin,
                               Arena *arena)
{
  const int planes = a->face_count + b->face_count;
  vec3 *points = arena_allocate(arena, (size_t)(planes * planes * planes / 6 + 1) * sizeof(vec3));
  int count = 0;
  for (int i = 0; i < planes; i++) {
    for (int j = i + 1; j < planes; j++) {
      for (int k = j + 1; k < planes; k++) {
        const Plane p = pushed_plane(a, b, i, margin), q = pushed_plane(a, b, j, margin);
        const Plane r = pushed_plane(a, b, k, margin);
        const mat3 normals = {{p.normal, q.normal, r.normal}};
        if (fabs(mat3_determinant(normals)) < 1e-9) continue;
        const vec3 x = mat3_mul(mat3_inverse(normals), (vec3){p.offset, q.offset, r.offset});
        if (point_is_below_all(a, b, margin, x, 1e-9)) points[count++] = x;
      }
    }
  }
  Polyhedron hull;
  if (hull_build(points, count, arena, &hull) != HULL_OK) return 0;
  return polyhedron_moments(&hull).volume;
}

// Loops close, every vertex is on loops, faces lie in the planes of their labels, areas and volume
// fit.
static void check_structure(const Polyhedron *a, const Polyhedron *b, double margin,
                            const Intersection *x)
{
  const double scale = a->extent < b->extent ? a->extent : b->extent;
  const double far = a->extent + b->extent;
  vec3 sum = {0, 0, 0};
  int steps = 0;
  double worst = 0;
  bool labels = true, loops = true;
  for (int f = 0; f < x->face_count; f++) {
    const IntersectionFace *face = &x->faces[f];
    labels &= face->face >= 0 && face->face < (face->owner == 0 ? a : b)->face_count;
    loops &= x->face_start[f + 1] - x->face_start[f] >= 3;
    const Plane plane =
        pushed_plane(a, b, face->owner == 0 ? face->face : face->face + a->face_count, margin);
    for (int i = x->face_start[f]; i < x->face_start[f + 1]; i++) {
      const vec3 vertex = x->vertices[x->face_vertices[i]];
      worst = fmax(worst, fabs(vec3_dot(plane.normal, vertex) - plane.offset));
      steps++;
    }
    sum = vec3_add(sum, face->area);
  }
  CHECK(labels && loops);
  CHECK(steps % 2 == 0 && x->vertex_count - steps / 2 + x->face_count == 2);
  CHECK_NEAR(worst / far, 0, 1e-12);
  CHECK_NEAR(vec3_norm(sum) / (x->surface + scale * scale), 0, 1e-13);
  CHECK_NEAR(vec3_norm(vec3_sub(vec3_add(x->area[0], x->area[1]), sum)) / (scale * scale), 0,
             1e-13);
  bool inside = true;
  for (int i = 0; i < x->vertex_count; i++) {
    inside &= point_is_below_all(a, b, margin, x->vertices[i], 1e-12 * far);
  }
  CHECK(inside);
  if (x->status == INTERSECTION_OK)
    CHECK(point_is_below_all(a, b, margin, x->centroid, 1e-12 * far));
}

static double clip_volume(const Polyhedron *a, const Polyhedron *b, double margin, Arena *arena)
{
  const Intersection x = intersection_clip(a, b, margin, arena);
  CHECK(x.status != INTERSECTION_FAILED);
  return x.volume;
}

// Pairs of all kinds: structure, symmetry, bounds, and for small ones the reference.
static void check_random_pairs(int pairs)
{
  Random random = {101};
  int met = 0, compared = 0;
  for (int n = 0; n < pairs; n++) {
    Arena arena = arena_new();
    const Polyhedron p = solid_random(&random, n % SOLID_KINDS, &arena);
    const Polyhedron q = solid_random(&random, n / SOLID_KINDS % SOLID_KINDS, &arena);
    const Polyhedron a = place_randomly(&random, &p, 0.6, &arena);
    const Polyhedron b = place_randomly(&random, &q, 0.6, &arena);
    const double margin = n % 3 == 0 ? 0 : n % 3 == 1 ? 1e-3 : 0.05;
    const Intersection x = intersection_clip(&a, &b, margin, &arena);
    const Intersection y = intersection_clip(&b, &a, margin, &arena);
    CHECK(x.status != INTERSECTION_FAILED && x.status == y.status);
    CHECK_NEAR(x.volume, y.volume, 1e-12);
    CHECK_NEAR(vec3_norm(vec3_sub(x.area[0], y.area[1])), 0, 1e-11);
    CHECK_NEAR(vec3_norm(vec3_sub(x.area[1], y.area[0])), 0, 1e-11);
    if (x.status != INTERSECTION_EMPTY) {
      met++;
      check_structure(&a, &b, margin, &x);
      if (x.volume > 1e-6) CHECK_NEAR(vec3_norm(vec3_sub(x.centroid, y.centroid)), 0, 1e-8);
    }
    if (margin <= 0) {
      CHECK(x.volume <= polyhedron_moments(&a).volume + 1e-13);
      CHECK(x.volume <= polyhedron_moments(&b).volume + 1e-13);
    }
    if (a.face_count + b.face_count <= 24 && (x.status != INTERSECTION_EMPTY || margin <= 0)) {
      compared++;
      CHECK_NEAR(x.volume, reference_volume(&a, &b, margin, &arena), 1e-8);
    }
    arena_destroy(&arena);
  }
  CHECK(met > pairs / 3);
  CHECK(compared > pairs / 4);
}

// Volume does not depend on axes, and goes with the cube of size.
static void check_invariance(int pairs)
{
  Random random = {7};
  for (int n = 0; n < pairs; n++) {
    Arena arena = arena_new();
    const Polyhedron a = solid_random(&random, n % SOLID_KINDS, &arena);
    const Polyhedron q = solid_random(&random, n / SOLID_KINDS % SOLID_KINDS, &arena);
    const Polyhedron b = place_randomly(&random, &q, 0.4, &arena);
    const double margin = n % 2 * 0.01;
    const Intersection x = intersection_clip(&a, &b, margin, &arena);
    const mat3 turn = random_rotation(&random);
    const vec3 shift = random_in_cube(&random, 5);
    const Polyhedron ta = polyhedron_place(&a, turn, shift, &arena);
    const Polyhedron tb = polyhedron_place(&b, turn, shift, &arena);
    const Intersection t = intersection_clip(&ta, &tb, margin, &arena);
    CHECK(t.status != INTERSECTION_FAILED);
    CHECK_NEAR(t.volume, x.volume, 1e-12);
    CHECK_NEAR(vec3_norm(vec3_sub(t.area[0], mat3_mul(turn, x.area[0]))), 0, 1e-10);
    if (x.volume > 1e-4) {
      const vec3 moved = vec3_add(mat3_mul(turn, x.centroid), shift);
      CHECK_NEAR(vec3_norm(vec3_sub(t.centroid, moved)), 0, 1e-9);
    }
    const double factor = 1e-4;
    const Polyhedron sa = scale_solid(&a, factor, &arena), sb = scale_solid(&b, factor, &arena);
    CHECK_NEAR(clip_volume(&sa, &sb, factor * margin, &arena) / (factor * factor * factor),
               x.volume, 1e-10);
    arena_destroy(&arena);
  }
}

// A solid cut in two by a plane: the halves fill it, and share the other solid between them.
static void check_additivity(int pairs)
{
  Random random = {31};
  int cut = 0;
  for (int n = 0; n < pairs; n++) {
    Arena arena = arena_new();
    const Polyhedron a = solid_random(&random, n % SOLID_KINDS, &arena);
    const Polyhedron q = solid_random(&random, n / SOLID_KINDS % SOLID_KINDS, &arena);
    const Polyhedron b = place_randomly(&random, &q, 0.4, &arena);
    const Polyhedron left_box = solid_box((vec3){-9, -9, -9}, (vec3){0, 9, 9}, &arena);
    const Polyhedron right_box = solid_box((vec3){0, -9, -9}, (vec3){9, 9, 9}, &arena);
    const mat3 turn = random_rotation(&random);
    const vec3 through = vec3_scale(0.5, vec3_add(a.vertices[0], a.vertices[a.vertex_count - 1]));
    const Polyhedron left = polyhedron_place(&left_box, turn, through, &arena);
    const Polyhedron right = polyhedron_place(&right_box, turn, through, &arena);
    const Intersection la = intersection_clip(&a, &left, 0, &arena);
    const Intersection ra = intersection_clip(&a, &right, 0, &arena);
    CHECK_NEAR(la.volume + ra.volume, polyhedron_moments(&a).volume, 1e-13);
    Polyhedron halves[2];
    if (hull_build(la.vertices, la.vertex_count, &arena, &halves[0]) == HULL_OK &&
        hull_build(ra.vertices, ra.vertex_count, &arena, &halves[1]) == HULL_OK) {
      cut++;
      const double sum =
          clip_volume(&halves[0], &b, 0, &arena) + clip_volume(&halves[1], &b, 0, &arena);
      CHECK_NEAR(sum, clip_volume(&a, &b, 0, &arena), 1e-9);
    }
    arena_destroy(&arena);
  }
  CHECK(cut > pairs / 2);
}

// A solid with itself, exact and shaken by rounding, and one inside another.
static void check_identical_and_inner(int rounds)
{
  static const double shakes[] = {0, 1e-17, 1e-16, 1e-15, 1e-14, 1e-12};
  Random random = {77};
  for (int n = 0; n < rounds; n++) {
    Arena arena = arena_new();
    const Polyhedron p = solid_random(&random, n % SOLID_KINDS, &arena);
    const Polyhedron a = place_randomly(&random, &p, 1, &arena);
    const double volume = polyhedron_moments(&a).volume;
    const double shake = shakes[n / SOLID_KINDS % 6];
    const Polyhedron b =
        polyhedron_place(&a, mat3_diagonal(1, 1, 1), random_in_cube(&random, shake), &arena);
    const Intersection x = intersection_clip(&a, &b, 0, &arena);
    CHECK(x.status == INTERSECTION_OK);
    CHECK_NEAR(x.volume, volume, 1e-13 + 10 * shake);
    CHECK_NEAR(vec3_norm(vec3_add(x.area[0], x.area[1])), 0, 1e-13);
    const Intersection wide = intersection_clip(&a, &b, 1e-3, &arena);
    CHECK(wide.status == INTERSECTION_OK && wide.volume > volume);

    // the small one about an inner point: nothing of it is cut away
    const vec3 center = polyhedron_moments(&a).centroid;
    const Polyhedron inner =
        polyhedron_place(&a, mat3_diagonal(0.5, 0.5, 0.5), vec3_scale(0.5, center), &arena);
    const Polyhedron small = solid_of(inner.vertices, inner.vertex_count, &arena);
    const Intersection y = intersection_clip(&a, &small, 0, &arena);
    CHECK(y.status == INTERSECTION_OK);
    CHECK_NEAR(y.volume, polyhedron_moments(&small).volume, 1e-14);
    CHECK(vec3_norm(y.area[0]) <= 1e-14 && y.face_count >= small.face_count);
    arena_destroy(&arena);
  }
}

// Boxes against boxes have closed forms, with any coincidence of sides.
static void check_box_grid(void)
{
  Random random = {3};
  static const double shifts[] = {0, 0.5, 1, -0.25, -1, 1 - 1e-9, 1e-12, 1.5};
  for (int n = 0; n < 8 * 8 * 8; n++) {
    Arena arena = arena_new();
    const vec3 shift = {shifts[n % 8], shifts[n / 8 % 8], shifts[n / 64]};
    const Polyhedron box = solid_box((vec3){0, 0, 0}, (vec3){1, 1, 1}, &arena);
    const Polyhedron moved = solid_box(shift, vec3_add(shift, (vec3){1, 1, 1}), &arena);
    const double sides[3] = {1 - fabs(shift.x), 1 - fabs(shift.y), 1 - fabs(shift.z)};
    const bool apart = sides[0] <= 0 || sides[1] <= 0 || sides[2] <= 0;
    const double volume = apart ? 0 : sides[0] * sides[1] * sides[2];
    const Intersection x = intersection_clip(&box, &moved, 0, &arena);
    CHECK((x.status == INTERSECTION_EMPTY) == apart);
    CHECK_NEAR(x.volume, volume, 1e-15);
    CHECK_NEAR(x.surface,
               apart ? 0 : 2 * (sides[0] * sides[1] + sides[1] * sides[2] + sides[2] * sides[0]),
               1e-14);
    for (int turned = 0; turned < 4; turned++) {
      const mat3 turn = random_rotation(&random);
      const Polyhedron a = polyhedron_place(&box, turn, (vec3){0, 0, 0}, &arena);
      const Polyhedron b = polyhedron_place(&moved, turn, (vec3){0, 0, 0}, &arena);
      const Intersection t = intersection_clip(&a, &b, 0, &arena);
      CHECK(t.status != INTERSECTION_FAILED);
      CHECK_NEAR(t.volume, volume, 4e-15);
    }
    arena_destroy(&arena);
  }
}

// Bricks that rest on each other: with a margin the touching faces are seen, opposite, with the
// area of contact.
static void check_touching_faces(int rounds)
{
  Random random = {59};
  for (int n = 0; n < rounds; n++) {
    Arena arena = arena_new();
    const double slide = n % 4 == 0 ? 0 : random_between(&random, -0.9, 0.9), margin = 1e-5;
    const double gap = n % 3 == 0 ? 0 : random_between(&random, -1e-6, 1e-6);
    const Polyhedron below = solid_box((vec3){0, 0, 0}, (vec3){1, 1, 1}, &arena);
    const Polyhedron above =
        solid_box((vec3){slide, 0, 1 + gap}, (vec3){1 + slide, 1, 2 + gap}, &arena);
    const mat3 turn = n % 2 ? random_rotation(&random) : mat3_diagonal(1, 1, 1);
    const Polyhedron a = polyhedron_place(&below, turn, (vec3){0, 0, 0}, &arena);
    const Polyhedron b = polyhedron_place(&above, turn, (vec3){0, 0, 0}, &arena);
    const Intersection x = intersection_clip(&a, &b, margin, &arena);
    if (!CHECK(x.status == INTERSECTION_OK)) continue;
    check_structure(&a, &b, margin, &x);
    const vec3 up = mat3_mul(turn, (vec3){0, 0, 1});
    const double contact = (1 - fabs(slide) + 2 * margin) * (1 + 2 * margin);
    CHECK_NEAR(x.volume / (contact * (2 * margin - gap)), 1, 1e-9);
    double covered[2] = {0, 0};
    for (int f = 0; f < x.face_count; f++) {
      const IntersectionFace *face = &x.faces[f];
      const vec3 normal = (face->owner == 0 ? &a : &b)->planes[face->face].normal;
      const double facing = vec3_dot(normal, up);
      if (fabs(facing) > 0.5) {
        // only the top of the lower and the bottom of the upper brick lie across the contact
        CHECK(facing > 0 ? face->owner == 0 : face->owner == 1);
        covered[face->owner] += vec3_norm(face->area);
      } else {
        CHECK(vec3_norm(face->area) < 3 * margin);
      }
    }
    CHECK_NEAR(covered[0], contact, 1e-9);
    CHECK_NEAR(covered[1], contact, 1e-9);
    CHECK(intersection_clip(&a, &b, 0, &arena).volume <= 1.1e-6);
    arena_destroy(&arena);
  }
}

// Overlap and margin from rounding to size: no class is wrong, no volume lost.
static void check_depths(int rounds)
{
  Random random = {83};
  for (int n = 0; n < rounds; n++) {
    Arena arena = arena_new();
    const double depth = pow(10, -1 - (double)(n % 12)),
                 twist = n % 2 ? pow(10, -(double)(n % 17)) : 0;
    const Polyhedron box = solid_box((vec3){-1, -1, -1}, (vec3){1, 1, 0}, &arena);
    const Polyhedron top = solid_box((vec3){-0.5, -0.5, 0}, (vec3){0.5, 0.5, 1}, &arena);
    const mat3 turn = random_rotation(&random);
    const mat3 spin = quat_to_mat3(quat_normalize((quat){1, 0, 0, twist}));
    const Polyhedron a = polyhedron_place(&box, turn, (vec3){0, 0, 0}, &arena);
    const Polyhedron spun = polyhedron_place(&top, spin, (vec3){0, 0, -depth}, &arena);
    const Polyhedron b = polyhedron_place(&spun, turn, (vec3){0, 0, 0}, &arena);
    const Intersection x = intersection_clip(&a, &b, 0, &arena);
    CHECK(x.status == INTERSECTION_OK || (x.status == INTERSECTION_DEGENERATE && depth < 1e-11));
    CHECK_NEAR(x.volume, depth, 4e-15);
    CHECK_NEAR(vec3_norm(x.area[0]), 1, 1e-12);
    arena_destroy(&arena);
  }
}

// A spike, an apex of many faces, and stones with hundreds of faces.
static void check_large_and_sharp(void)
{
  Random random = {13};
  Arena arena = arena_new();
  const Polyhedron big = solid_ball(&random, 400, (vec3){1, 1, 1}, &arena);
  const Polyhedron other = solid_ball(&random, 300, (vec3){1, 0.9, 0.8}, &arena);
  const Polyhedron moved =
      polyhedron_place(&other, random_rotation(&random), (vec3){0.9, 0.1, 0}, &arena);
  for (int k = 0; k < 3; k++) {
    const double margin = k * 1e-3;
    const Intersection x = intersection_clip(&big, &moved, margin, &arena);
    if (CHECK(x.status == INTERSECTION_OK)) check_structure(&big, &moved, margin, &x);
    CHECK_NEAR(x.volume, clip_volume(&moved, &big, margin, &arena), 1e-12);
  }
  const Polyhedron spike = solid_pyramid(12, 50, 0, &arena);
  const mat3 down = mat3_diagonal(1, -1, -1);
  const Polyhedron table = solid_box((vec3){-2, -2, -1}, (vec3){2, 2, 0}, &arena);
  const Polyhedron falling = polyhedron_place(&spike, down, (vec3){0, 0, 50 - 0.5}, &arena);
  const double share = 0.5 / 50;
  CHECK_NEAR(clip_volume(&falling, &table, 0, &arena),
             share * share * share * polyhedron_moments(&spike).volume, 1e-15);
  // pushing planes moves a spike's tip much further than the margin, but it stays a filter of gaps
  const Polyhedron near = polyhedron_place(&spike, down, (vec3){0, 0, 50 + 1.9e-3}, &arena);
  const Polyhedron far = polyhedron_place(&spike, down, (vec3){0, 0, 50 + 2.1e-3}, &arena);
  CHECK(intersection_clip(&near, &table, 1e-3, &arena).status == INTERSECTION_OK);
  CHECK(intersection_clip(&far, &table, 1e-3, &arena).status == INTERSECTION_EMPTY);
  arena_destroy(&arena);
}

// A hip roof with steep sides and flat ends: its short ridge turns across when the planes move out.
static void check_vanishing_edge(void)
{
  Random random = {67};
  for (int n = 0; n < 400; n++) {
    Arena arena = arena_new();
    const double ridge = pow(10, -(double)(n % 8)), margin = n % 3 == 0 ? 1e-3 : 0.05;
    const double height = 0.87, end = ridge + 1.5;
    const vec3 points[6] = {{-end, -0.5, 0}, {end, -0.5, 0},      {-end, 0.5, 0},
                            {end, 0.5, 0},   {-ridge, 0, height}, {ridge, 0, height}};
    const Polyhedron roof = solid_of(points, 6, &arena);
    const Polyhedron tetrahedron = solid_tetrahedron(&random, &arena);
    const Polyhedron large = scale_solid(&tetrahedron, n % 2 ? 1 : 30, &arena);
    const Intersection x = intersection_clip(&roof, &large, margin, &arena);
    CHECK(x.status != INTERSECTION_FAILED);
    if (x.status == INTERSECTION_OK) {
      check_structure(&roof, &large, margin, &x);
      CHECK_NEAR(x.volume, reference_volume(&roof, &large, margin, &arena), 1e-7);
    }
    arena_destroy(&arena);
  }
}

int main(void)
{
  check_box_grid();
  check_vanishing_edge();
  check_random_pairs(24000);
  check_invariance(3000);
  check_additivity(3000);
  check_identical_and_inner(2100);
  check_touching_faces(2000);
  check_depths(2000);
  check_large_and_sharp();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
