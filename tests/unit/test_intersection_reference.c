// The reference route against the clipper: the same solid by other means. Random solids, margins,
// coincident faces, flat and slim intersections, other sizes and places.
#include <stdbool.h>

#include "harness.h"
#include "intersection_find.h"
#include "intersection_reference.h"
#include "largest_ball.h"
#include "memory.h"
#include "random_solids.h"

// Loops close, all vertices are on three loops, faces lie in the planes of their labels in order.
static void check_structure(const Polyhedron *a, const Polyhedron *b, double margin,
                            const Intersection *x)
{
  const double far = a->extent + b->extent;
  const int corners = x->face_start[x->face_count];
  double off_plane = 0, above = -INFINITY;
  bool ordered = true;
  int last = -1;
  vec3 sum = {0, 0, 0};
  for (int f = 0; f < x->face_count; f++) {
    const IntersectionFace *face = &x->faces[f];
    const int number = face->face + (face->owner == 0 ? 0 : a->face_count);
    ordered &= number > last && x->face_start[f + 1] - x->face_start[f] >= 3;
    last = number;
    const Plane plane = (face->owner == 0 ? a : b)->planes[face->face];
    for (int i = x->face_start[f]; i < x->face_start[f + 1]; i++) {
      const vec3 v = x->vertices[x->face_vertices[i]];
      off_plane = fmax(off_plane, fabs(vec3_dot(plane.normal, v) - plane.offset - margin));
    }
    sum = vec3_add(sum, face->area);
  }
  for (int v = 0; v < x->vertex_count; v++) {
    for (int f = 0; f < a->face_count + b->face_count; f++) {
      const Plane p = f < a->face_count ? a->planes[f] : b->planes[f - a->face_count];
      above = fmax(above, vec3_dot(p.normal, x->vertices[v]) - p.offset - margin);
    }
  }
  CHECK(ordered);
  CHECK(corners == 3 * x->vertex_count && 2 * x->face_count == x->vertex_count + 4);
  CHECK_NEAR(off_plane / far, 0, 1e-12);
  CHECK(above <= 1e-12 * far);
  CHECK_NEAR(vec3_norm(sum) / (x->surface + far * far), 0, 1e-14);
  const vec3 apart = vec3_sub(vec3_add(x->area[0], x->area[1]), sum);
  CHECK_NEAR(vec3_norm(apart) / (far * far), 0, 1e-14);
}

// Both routes on one pair; returns the reference's status.
static IntersectionStatus compare(const Polyhedron *a, const Polyhedron *b, double margin,
                                  bool same_areas, Arena *arena)
{
  const Intersection x = intersection_reference(a, b, margin, arena);
  const Intersection y = intersection_clip(a, b, margin, arena);
  const double far = a->extent + b->extent + margin, cube = far * far * far;
  CHECK(x.status != INTERSECTION_FAILED);
  if (x.status != y.status) CHECK_NEAR((x.volume + y.volume) / cube, 0, 1e-14);
  CHECK_NEAR(x.volume / cube, y.volume / cube, 1e-14);
  if (x.status != INTERSECTION_EMPTY && x.face_count > 0) check_structure(a, b, margin, &x);
  if (x.status != INTERSECTION_OK || y.status != INTERSECTION_OK) return x.status;
  if (x.volume > 1e-6 * cube) {
    CHECK_NEAR(vec3_norm(vec3_sub(x.centroid, y.centroid)) / far, 0, 1e-9);
    CHECK_NEAR(x.surface / (far * far), y.surface / (far * far), 1e-10);
    for (int k = 0; same_areas && k < 2; k++) {
      CHECK_NEAR(vec3_norm(vec3_sub(x.area[k], y.area[k])) / (far * far), 0, 1e-10);
    }
  }
  return x.status;
}

static Polyhedron place(Random *random, const Polyhedron *p, double reach, Arena *arena)
{
  return polyhedron_place(p, random_rotation(random), random_in_cube(random, reach), arena);
}

static void check_random_pairs(int pairs)
{
  Random random = {5};
  int met = 0;
  for (int n = 0; n < pairs; n++) {
    Arena arena = arena_new();
    const Polyhedron p = solid_random(&random, n % SOLID_KINDS, &arena);
    const Polyhedron q = solid_random(&random, n / SOLID_KINDS % SOLID_KINDS, &arena);
    const Polyhedron a = place(&random, &p, 0.6, &arena), b = place(&random, &q, 0.6, &arena);
    const double margin = n % 3 == 0 ? 0 : n % 3 == 1 ? 1e-3 : 0.05;
    met += compare(&a, &b, margin, true, &arena) == INTERSECTION_OK;
    arena_destroy(&arena);
  }
  CHECK(met > pairs / 4);
}

// Faces of both in common planes: bricks that lie on each other by any depth, themselves, inside.
static void check_coincident(int rounds)
{
  Random random = {9};
  for (int n = 0; n < rounds; n++) {
    Arena arena = arena_new();
    double depth = 1;
    for (int k = n % 16; k > 0; k--) depth *= 0.1;
    const double slide = n % 3 == 0 ? 0 : random_between(&random, -0.9, 0.9);
    const double margin = n / 16 % 2 ? 0 : 1e-5;
    const mat3 turn = n % 2 ? random_rotation(&random) : mat3_diagonal(1, 1, 1);
    const Polyhedron low = solid_box((vec3){0, 0, 0}, (vec3){1, 1, 1}, &arena);
    const Polyhedron high =
        solid_box((vec3){slide, 0, 1 - depth}, (vec3){1 + slide, 1, 2 - depth}, &arena);
    const Polyhedron a = polyhedron_place(&low, turn, (vec3){0, 0, 0}, &arena);
    const Polyhedron b = polyhedron_place(&high, turn, (vec3){0, 0, 0}, &arena);
    const IntersectionStatus status = compare(&a, &b, margin, false, &arena);
    if (depth > 1e-13 || margin > 0) CHECK(status == INTERSECTION_OK);
    const double side = margin > 0 ? 2 * margin : 0;
    const Intersection x = intersection_reference(&a, &b, margin, &arena);
    CHECK_NEAR(x.volume, (1 - fabs(slide) + side) * (1 + side) * (depth + side), 4e-15);

    const Polyhedron p = solid_random(&random, n % SOLID_KINDS, &arena);
    const Polyhedron own = place(&random, &p, 1, &arena);
    const Intersection itself = intersection_reference(&own, &own, 0, &arena);
    CHECK(itself.status == INTERSECTION_OK);
    CHECK_NEAR(itself.volume, polyhedron_moments(&own).volume, 1e-14);
    CHECK(vec3_norm(itself.area[1]) == 0 && itself.face_count == own.face_count);
    arena_destroy(&arena);
  }
}

// Slim in one direction or two, down to 1e-13 and 1e-13 x 3e-7 of the length; large and small.
static void check_slim(int rounds)
{
  Random random = {13};
  for (int n = 0; n < rounds; n++) {
    Arena arena = arena_new();
    double thin = 1, scale = 1e-6;
    for (int k = n % 14; k > 0; k--) thin *= 0.1;
    for (int k = n / 14 % 5; k > 0; k--) scale *= 1e3;
    const double width = n % 2 ? sqrt(thin) : 1;
    // a long bar through a plate, which cuts out of it what is thin
    const vec3 bar = {0.5 * thin * scale, 0.5 * width * scale, scale};
    const vec3 block = {scale, scale, 0.5 * scale};
    const Polyhedron box = solid_box(vec3_neg(block), block, &arena);
    Plane planes[12];
    vec3 vertices[8];
    Polyhedron slim = box;
    for (int f = 0; f < box.face_count; f++) {
      const vec3 normal = box.planes[f].normal;
      planes[f] =
          (Plane){normal, fabs(normal.x) * bar.x + fabs(normal.y) * bar.y + fabs(normal.z) * bar.z};
    }
    for (int v = 0; v < 8; v++) {
      const vec3 corner = box.vertices[v];
      vertices[v] = (vec3){corner.x < 0 ? -bar.x : bar.x, corner.y < 0 ? -bar.y : bar.y,
                           corner.z < 0 ? -bar.z : bar.z};
    }
    slim.planes = planes;
    slim.vertices = vertices;
    slim.extent = 2 * scale;
    const mat3 turn = random_rotation(&random);
    const vec3 shift = random_in_cube(&random, scale);
    const Polyhedron a = polyhedron_place(&slim, turn, shift, &arena);
    const Polyhedron b = polyhedron_place(&box, turn, shift, &arena);
    const double volume = thin * width * scale * scale * scale;
    const Intersection x = intersection_reference(&a, &b, 0, &arena);
    if (thin * width > 1e-13) CHECK(x.status == INTERSECTION_OK);
    CHECK(x.status == INTERSECTION_OK || x.status == INTERSECTION_DEGENERATE);
    CHECK_NEAR(x.volume / volume, 1, 1e-14 / thin);
    if (x.face_count > 0) check_structure(&a, &b, 0, &x);
    arena_destroy(&arena);
  }
}

// The largest ball of a box and of a tetrahedron, and none where two solids are apart.
static void check_ball(void)
{
  Random random = {21};
  for (int n = 0; n < 300; n++) {
    Arena arena = arena_new();
    const vec3 half = {random_between(&random, 0.1, 1), random_between(&random, 0.1, 1),
                       random_between(&random, 0.1, 1)};
    const Polyhedron box = solid_box(vec3_neg(half), half, &arena);
    const vec3 shift = random_in_cube(&random, 1);
    const Polyhedron turned = polyhedron_place(&box, random_rotation(&random), shift, &arena);
    const double least = smaller_of(half.x, smaller_of(half.y, half.z));
    LargestBall ball = largest_ball(turned.planes, turned.face_count, (vec3){0, 0, 0}, 4);
    CHECK_NEAR(ball.radius, least, 1e-14);
    CHECK_NEAR(ball.bound, least, 1e-14);

    // of a tetrahedron: three volumes over the surface
    const Polyhedron tetrahedron = solid_tetrahedron(&random, &arena);
    double surface = 0;
    for (int f = 0; f < 4; f++) {
      vec3 corners[3];
      for (int k = 0; k < 3; k++) {
        corners[k] = tetrahedron.vertices[tetrahedron.face_vertices[3 * f + k]];
      }
      surface += vec3_norm(polyhedron_area_vector(corners, 3));
    }
    ball = largest_ball(tetrahedron.planes, 4, random_in_cube(&random, 1), 4);
    CHECK_NEAR(ball.radius, 3 * polyhedron_moments(&tetrahedron).volume / surface, 1e-14);

    // opposite half spaces with a gap
    const vec3 normal = random_direction(&random);
    Plane planes[8];
    for (int f = 0; f < 6; f++) planes[f] = turned.planes[f];
    planes[6] = (Plane){normal, vec3_dot(normal, shift) - 1e-6};
    planes[7] = (Plane){vec3_neg(normal), -vec3_dot(normal, shift) - 1e-6};
    ball = largest_ball(planes, 8, (vec3){0, 0, 0}, 4);
    CHECK(ball.bound < 0 && ball.radius < 0);
    arena_destroy(&arena);
  }
}

// The helper keeps the clipper's bits where it succeeds.
static void check_find(void)
{
  Random random = {33};
  for (int n = 0; n < 100; n++) {
    Arena arena = arena_new();
    const Polyhedron p = solid_random(&random, n % SOLID_KINDS, &arena);
    const Polyhedron a = place(&random, &p, 0.3, &arena), b = place(&random, &p, 0.3, &arena);
    IntersectionRoute route;
    const Intersection x = intersection_find(&a, &b, 0, &arena, &route);
    const Intersection y = intersection_clip(&a, &b, 0, &arena);
    CHECK(route == ROUTE_CLIP && x.status == y.status && !(x.volume != y.volume));
    arena_destroy(&arena);
  }
}

int main(void)
{
  check_ball();
  check_random_pairs(21000);
  check_coincident(1600);
  check_slim(1540);
  check_find();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
