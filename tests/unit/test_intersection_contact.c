// Contact point, normal, gap, area and faces of intersections with known answers; the fallback of
// the fast route.
#include <stdbool.h>

#include "harness.h"
#include "intersection_contact.h"
#include "intersection_find.h"
#include "intersection_reference.h"
#include "memory.h"
#include "random_solids.h"

static vec3 unit(vec3 v) { return vec3_scale(1 / vec3_norm(v), v); }

static double distance(vec3 a, vec3 b) { return vec3_norm(vec3_sub(a, b)); }

// The face of a solid whose normal is a direction.
static int face_along(const Polyhedron *p, vec3 direction)
{
  for (int f = 0; f < p->face_count; f++) {
    if (vec3_dot(p->planes[f].normal, direction) > 1 - 1e-9) return f;
  }
  return -1;
}

// A brick on another one, slid along x, sunk in by depth, anywhere: what the algorithm gives can be
// said in closed form. Both routes, both orders.
static void check_bricks(int rounds)
{
  Random random = {41};
  for (int n = 0; n < rounds; n++) {
    Arena arena = arena_new();
    const double slide = n % 4 == 0 ? 0 : random_between(&random, -0.9, 0.9);
    double depth = random_between(&random, 0.2, 0.9);
    for (int k = n % 11; k > 0; k--) depth *= 0.1;
    const mat3 turn = n % 3 ? random_rotation(&random) : mat3_diagonal(1, 1, 1);
    const vec3 shift = random_in_cube(&random, n % 2 ? 1 : 0);
    const Polyhedron low = solid_box((vec3){0, 0, 0}, (vec3){1, 1, 1}, &arena);
    const Polyhedron high =
        solid_box((vec3){slide, 0, 1 - depth}, (vec3){1 + slide, 1, 2 - depth}, &arena);
    const Polyhedron a = polyhedron_place(&low, turn, shift, &arena);
    const Polyhedron b = polyhedron_place(&high, turn, shift, &arena);

    // the sides across y belong to both bricks; without a slide those across x do, too
    const double length = 1 - fabs(slide), side = slide == 0 ? 0 : depth * depth;
    const vec3 normal = unit(mat3_mul(turn, (vec3){slide < 0 ? side : -side, 0, -length * length}));
    const vec3 middle = {0.5 * (1 + slide), 0.5, 1 - 0.5 * depth};
    const vec3 point = vec3_add(mat3_mul(turn, middle), shift);
    const double area = length + depth * (1 + length);
    const double thick = length * fabs(vec3_dot(normal, mat3_mul(turn, (vec3){1, 0, 0}))) +
                         depth * fabs(vec3_dot(normal, mat3_mul(turn, (vec3){0, 0, 1})));
    const vec3 up = mat3_mul(turn, (vec3){0, 0, 1});

    for (int way = 0; way < 4; way++) {
      const bool turned = way & 1;
      const Polyhedron *p = turned ? &b : &a, *q = turned ? &a : &b;
      const Intersection x =
          way & 2 ? intersection_reference(p, q, 0, &arena) : intersection_clip(p, q, 0, &arena);
      const IntersectionContact c = intersection_contact(&x, p, q, NULL, &arena);
      if (!CHECK(c.status == CONTACT_OK)) continue;
      CHECK_NEAR(distance(c.point, point), 0, 1e-12);
      CHECK_NEAR(distance(turned ? vec3_neg(c.normal) : c.normal, normal), 0, 1e-12 / depth);
      CHECK_NEAR(c.area, area, 1e-13);
      if (thick <= 9e-3) CHECK_NEAR(c.gap, -thick, 1e-14);
      CHECK(c.gap <= 0 && c.gap >= -2 * thick);
      if (depth < 0.1 * length) {
        CHECK(c.face_a == face_along(p, turned ? vec3_neg(up) : up));
        CHECK(c.face_b == face_along(q, turned ? up : vec3_neg(up)));
      }
    }
    arena_destroy(&arena);
  }
}

// Bars across each other, sunk in by a tenth of their length: thick, so that GJK measures the gap.
static void check_thick(void)
{
  Random random = {43};
  for (int n = 0; n < 200; n++) {
    Arena arena = arena_new();
    const double depth = random_between(&random, 0.05, 0.18);
    const Polyhedron bar = solid_box((vec3){-1, -0.1, -0.1}, (vec3){1, 0.1, 0.1}, &arena);
    const Polyhedron across =
        solid_box((vec3){-0.1, -1, 0.1 - depth}, (vec3){0.1, 1, 0.3 - depth}, &arena);
    const mat3 turn = random_rotation(&random);
    const vec3 shift = random_in_cube(&random, 1);
    const Polyhedron a = polyhedron_place(&bar, turn, shift, &arena);
    const Polyhedron b = polyhedron_place(&across, turn, shift, &arena);
    const Intersection x = intersection_clip(&a, &b, 0, &arena);
    const IntersectionContact c = intersection_contact(&x, &a, &b, NULL, &arena);
    CHECK(c.status == CONTACT_OK);
    CHECK_NEAR(distance(c.normal, mat3_mul(turn, (vec3){0, 0, -1})), 0, 1e-12);
    CHECK_NEAR(c.gap, -depth, 1e-13);
    CHECK_NEAR(c.area, 0.04 + 0.4 * depth, 1e-14);
    arena_destroy(&arena);
  }
}

// Line by line: a corner of a box in a slanted face, with the sums written out.
static void check_corner(void)
{
  Arena arena = arena_new();
  const double s = 0.3;   // the box reaches this far along each axis into the half space
  const Polyhedron box = solid_box((vec3){-1, -1, -1}, (vec3){0, 0, 0}, &arena);
  const vec3 points[4] = {{-s, 0, 0}, {0, -s, 0}, {0, 0, -s}, {5, 5, 5}};
  // a tetrahedron with the slanted face x + y + z = -s towards the box, wide around it
  vec3 wide[4];
  const vec3 middle = {-s / 3, -s / 3, -s / 3};
  for (int i = 0; i < 3; i++) wide[i] = vec3_axpy(20, vec3_sub(points[i], middle), middle);
  wide[3] = points[3];
  const Polyhedron tetrahedron = solid_of(wide, 4, &arena);
  const Intersection x = intersection_clip(&box, &tetrahedron, 0, &arena);
  const IntersectionContact c = intersection_contact(&x, &box, &tetrahedron, NULL, &arena);
  CHECK(c.status == CONTACT_OK);
  CHECK_NEAR(x.volume, s * s * s / 6, 1e-15);
  // three right triangles of the box, one slanted one of the tetrahedron
  const double leg = 0.5 * s * s, slant = sqrt(0.75) * s * s;
  CHECK_NEAR(c.area, 0.5 * (3 * leg + slant), 1e-15);
  const double along = -(leg * leg + slant * slant / sqrt(3));   // of each axis
  CHECK_NEAR(distance(c.normal, unit((vec3){along, along, along})), 0, 1e-14);
  // centroids: two of the legs' triangles have -s/3 along an axis, and the slanted one has it too
  const double place = -(2 * leg * s / 3 + slant * s / 3) / (3 * leg + slant);
  CHECK_NEAR(distance(c.point, (vec3){place, place, place}), 0, 1e-15);
  CHECK_NEAR(c.gap, -s / sqrt(3), 1e-13);
  CHECK(c.face_b == face_along(&tetrahedron, unit((vec3){-1, -1, -1})));
  arena_destroy(&arena);
}

// What has no contact, or no normal.
static void check_statuses(void)
{
  Arena arena = arena_new();
  const Polyhedron box = solid_box((vec3){0, 0, 0}, (vec3){1, 1, 1}, &arena);
  const Polyhedron inner = solid_box((vec3){0.4, 0.4, 0.2}, (vec3){0.6, 0.6, 0.8}, &arena);
  const Polyhedron far = solid_box((vec3){2, 0, 0}, (vec3){3, 1, 1}, &arena);

  Intersection x = intersection_clip(&box, &inner, 0, &arena);
  IntersectionContact c = intersection_contact(&x, &box, &inner, NULL, &arena);
  CHECK(c.status == CONTACT_NO_NORMAL && vec3_norm(c.normal) == 0);
  CHECK_NEAR(distance(c.point, (vec3){0.5, 0.5, 0.5}), 0, 1e-15);
  CHECK_NEAR(c.area, 0.5 * x.surface, 1e-15);

  // a solid with itself: every face belongs to both
  x = intersection_clip(&box, &box, 0, &arena);
  c = intersection_contact(&x, &box, &box, NULL, &arena);
  CHECK(c.status == CONTACT_NO_NORMAL);

  x = intersection_clip(&box, &far, 0, &arena);
  c = intersection_contact(&x, &box, &far, NULL, &arena);
  CHECK(c.status == CONTACT_NONE);

  // a common solid whose surface has its centroid outside can only come from rounding: made up here
  const Polyhedron above = solid_box((vec3){0, 0, 0.9}, (vec3){1, 1, 2}, &arena);
  x = intersection_clip(&box, &above, 0, &arena);
  const vec3 inside = x.centroid;
  IntersectionFace *faces = arena_allocate(&arena, (size_t)x.face_count * sizeof *faces);
  for (int f = 0; f < x.face_count; f++) {
    faces[f] = x.faces[f];
    faces[f].centroid.z += 1;
  }
  x.faces = faces;
  c = intersection_contact(&x, &box, &above, NULL, &arena);
  CHECK(c.status == CONTACT_OUTSIDE && distance(c.point, inside) == 0);
  arena_destroy(&arena);
}

// Pieces of faces: the whole of each is what no pieces are, bit for bit; of the upper face of one
// box in another half of it, of the others nothing.
static void check_pieces(void)
{
  Arena arena = arena_new();
  const Polyhedron low = solid_box((vec3){0, 0, 0}, (vec3){2, 1, 1}, &arena);
  const Polyhedron high = solid_box((vec3){0.5, 0.25, 0.9}, (vec3){1.5, 0.75, 2}, &arena);
  const Intersection x = intersection_clip(&low, &high, 0, &arena);
  const IntersectionContact all = intersection_contact(&x, &low, &high, NULL, &arena);
  SurfacePiece *pieces = arena_allocate(&arena, (size_t)x.face_count * sizeof *pieces);
  for (int f = 0; f < x.face_count; f++)
    pieces[f] = (SurfacePiece){vec3_norm(x.faces[f].area), x.faces[f].centroid};
  IntersectionContact c = intersection_contact(&x, &low, &high, pieces, &arena);
  CHECK(c.status == all.status && c.area == all.area && c.gap == all.gap);
  CHECK(distance(c.point, all.point) == 0 && distance(c.normal, all.normal) == 0);
  for (int f = 0; f < x.face_count; f++)
    pieces[f] = x.faces[f].owner == 0 ? (SurfacePiece){0.25, {0.75, 0.5, 1}} : (SurfacePiece){0};
  c = intersection_contact(&x, &low, &high, pieces, &arena);
  CHECK(c.status == CONTACT_OK && c.area == 0.125 && c.normal.z == -1);
  CHECK_NEAR(distance(c.point, (vec3){0.75, 0.5, 1}), 0, 1e-15);
  CHECK_NEAR(c.gap, -0.1, 1e-15);
  for (int f = 0; f < x.face_count; f++) pieces[f] = (SurfacePiece){0};
  c = intersection_contact(&x, &low, &high, pieces, &arena);
  CHECK(c.status == CONTACT_NO_SURFACE);
  arena_destroy(&arena);
}

// A solid whose planes leave the mean of its corners outside is nothing for the clipper; the
// reference looks at planes alone.
static void check_fallback(void)
{
  Arena arena = arena_new();
  const Polyhedron whole = solid_pyramid(4, 1, 1, &arena);
  Plane planes[8];
  for (int f = 0; f < 8; f++) planes[f] = whole.planes[f];
  planes[0].offset = -0.01;
  Polyhedron odd = whole;
  odd.planes = planes;
  IntersectionRoute route;
  CHECK(intersection_clip(&odd, &whole, 1e-3, &arena).status == INTERSECTION_FAILED);
  const Intersection x = intersection_find(&odd, &whole, 1e-3, &arena, &route);
  CHECK(route == ROUTE_REFERENCE && x.status == INTERSECTION_OK);
  const double full = polyhedron_moments(&whole).volume;
  CHECK(x.volume > 0.48 * full && x.volume < 0.5 * full);
  (void)intersection_find(&whole, &whole, 1e-3, &arena, &route);
  CHECK(route == ROUTE_CLIP);
  arena_destroy(&arena);
}

int main(void)
{
  check_bricks(2200);
  check_thick();
  check_corner();
  check_statuses();
  check_pieces();
  check_fallback();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
