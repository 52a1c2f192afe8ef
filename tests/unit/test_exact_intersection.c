// The exact oracle against solids of known volume, and against itself: what a plane cuts in two
// adds up.
#include <stdbool.h>

#include "exact_intersection.h"
#include "harness.h"
#include "random_solids.h"

static const vec3 nowhere = {0, 0, 0};

static ExactBody body_here(const Polyhedron *hull)
{
  return (ExactBody){hull, mat3_diagonal(1, 1, 1), nowhere};
}

// Six volumes as an exact multiple of 2^-12, which the volumes of these tests are.
static bool volume_is(const ExactSpace *space, double six_volumes)
{
  mpz_t have, want;
  mpz_inits(have, want, NULL);
  exact_last_volume(space, have);
  mpz_set_d(want, six_volumes * 4096);
  mpz_mul_2exp(want, want, 3 * EXACT_BITS - 12);
  const bool same = mpz_cmp(have, want) == 0;
  mpz_clears(have, want, NULL);
  return same;
}

// The corner x + y + z <= 1 of the positive octant: its planes are no unit planes, and exact.
static Polyhedron corner_tetrahedron(Plane planes[4])
{
  static const vec3 vertices[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  planes[0] = (Plane){{-1, 0, 0}, 0};
  planes[1] = (Plane){{0, -1, 0}, 0};
  planes[2] = (Plane){{0, 0, -1}, 0};
  planes[3] = (Plane){{1, 1, 1}, 1};
  return (Polyhedron){
      .vertex_count = 4, .face_count = 4, .vertices = vertices, .planes = planes, .extent = 1};
}

// Coordinates with few digits: volumes are exact, and so is every class.
static void check_known(ExactSpace *space)
{
  static const double shifts[] = {0, 0.5, 1, -0.25, -1, 1 - 0x1p-4, 1.5};
  Arena arena = arena_new();
  const Polyhedron box = solid_box((vec3){0, 0, 0}, (vec3){1, 1, 1}, &arena);
  for (int n = 0; n < 7 * 7 * 7; n++) {
    const vec3 shift = {shifts[n % 7], shifts[n / 7 % 7], shifts[n / 49]};
    const double sides[3] = {1 - fabs(shift.x), 1 - fabs(shift.y), 1 - fabs(shift.z)};
    const bool apart = sides[0] <= 0 || sides[1] <= 0 || sides[2] <= 0;
    const vec3 far = {1048576, -1048576, 3};
    const ExactIntersection x =
        exact_intersection(space, (ExactBody){&box, mat3_diagonal(1, 1, 1), far},
                           (ExactBody){&box, mat3_diagonal(1, 1, 1), vec3_add(far, shift)});
    CHECK(x.empty == apart);
    if (apart) continue;
    CHECK(volume_is(space, 6 * sides[0] * sides[1] * sides[2]));
    CHECK(x.volume == sides[0] * sides[1] * sides[2]);
    CHECK(x.surface == 2 * (sides[0] * sides[1] + sides[1] * sides[2] + sides[2] * sides[0]));
  }

  // a tetrahedron, the tetrahedra a cube cuts off it, and one turned over: half of each is common
  Plane planes[4];
  const Polyhedron corner = corner_tetrahedron(planes);
  ExactIntersection x = exact_intersection(space, body_here(&corner), body_here(&box));
  CHECK(volume_is(space, 1) && x.ties > 0);
  CHECK(x.areas[0] == 0.5 && x.areas[1] == 0.5 && x.areas[2] == 0.5);
  CHECK_NEAR(x.areas[3], sqrt(0.75), 1e-16);
  const vec3 half = {0.5, 0, 0};
  x = exact_intersection(space, body_here(&corner),
                         (ExactBody){&box, mat3_diagonal(1, 1, 1), half});
  CHECK(volume_is(space, 0.125));
  double of_box = 0;
  for (int f = 0; f < box.face_count; f++) of_box += x.areas[4 + f];
  CHECK(of_box == 0.125);   // other faces of the cube lie in planes of the tetrahedron
  x = exact_intersection(space, body_here(&corner),
                         (ExactBody){&corner, mat3_diagonal(-1, -1, 1), half});
  CHECK(x.empty);   // they touch in a face
  x = exact_intersection(space, body_here(&corner),
                         (ExactBody){&corner, mat3_diagonal(-1, 1, 1), (vec3){1, 0, 0}});
  CHECK(volume_is(space, 2 * 0.125));
  arena_destroy(&arena);
}

// The solid below one more plane; memory from the arena.
static Polyhedron with_plane(const Polyhedron *p, Plane plane, Arena *arena)
{
  Plane *planes = arena_allocate(arena, ((size_t)p->face_count + 1) * sizeof *planes);
  for (int f = 0; f < p->face_count; f++) planes[f] = p->planes[f];
  planes[p->face_count] = plane;
  Polyhedron cut = *p;
  cut.planes = planes;
  cut.face_count++;
  return cut;
}

// log2 of |x - (y + z)| for volumes times 2^(3 EXACT_BITS), and of x
static void difference(const mpz_t x, const mpz_t y, const mpz_t z, long *off, long *size)
{
  mpz_t d;
  mpz_init(d);
  mpz_sub(d, x, y);
  mpz_sub(d, d, z);
  *off = mpz_sgn(d) == 0 ? -3L * EXACT_BITS : (long)mpz_sizeinbase(d, 2) - 3L * EXACT_BITS;
  *size = (long)mpz_sizeinbase(x, 2) - 3L * EXACT_BITS;
  mpz_clear(d);
}

// A plane cuts the first solid in two parts, which share the common volume; order does not matter.
static void check_additivity(ExactSpace *space, int rounds)
{
  Random random = {17};
  mpz_t whole, left, right, zero;
  mpz_inits(whole, left, right, zero, NULL);
  int cut = 0;
  for (int n = 0; n < rounds; n++) {
    Arena arena = arena_new();
    const Polyhedron p = solid_random(&random, n % SOLID_KINDS, &arena);
    const Polyhedron q = solid_random(&random, n / SOLID_KINDS % SOLID_KINDS, &arena);
    const ExactBody a = {&p, random_rotation(&random), random_in_cube(&random, 1e3)};
    const ExactBody b = {&q, random_rotation(&random),
                         vec3_add(a.center, random_in_cube(&random, 0.5))};
    const ExactIntersection x = exact_intersection(space, a, b);
    exact_last_volume(space, whole);
    CHECK(x.empty == (mpz_sgn(whole) == 0));

    const vec3 normal = random_direction(&random);
    const double offset = random_between(&random, -0.2, 0.2);
    const Polyhedron low = with_plane(&p, (Plane){normal, offset}, &arena);
    const Polyhedron high = with_plane(&p, (Plane){vec3_neg(normal), -offset}, &arena);
    const bool no_low = exact_intersection(space, (ExactBody){&low, a.rotation, a.center}, b).empty;
    exact_last_volume(space, left);
    const bool no_high =
        exact_intersection(space, b, (ExactBody){&high, a.rotation, a.center}).empty;
    exact_last_volume(space, right);
    if (x.empty) CHECK(no_low && no_high);
    cut += !no_low && !no_high;
    long off, size;
    difference(whole, left, right, &off, &size);
    CHECK(off < -2L * EXACT_BITS / 3);   // some bits more than the last place
    (void)exact_intersection(space, b, a);
    exact_last_volume(space, left);
    difference(whole, left, zero, &off, &size);
    CHECK(off < -2L * EXACT_BITS / 3);
    arena_destroy(&arena);
  }
  CHECK(cut > rounds / 4);
  mpz_clears(whole, left, right, zero, NULL);
}

// A solid with itself has its own volume, within the rounding of its planes.
static void check_itself(ExactSpace *space)
{
  Random random = {29};
  for (int n = 0; n < 70; n++) {
    Arena arena = arena_new();
    const Polyhedron p = solid_random(&random, n % SOLID_KINDS, &arena);
    const ExactBody a = {&p, random_rotation(&random), random_in_cube(&random, 1e6)};
    const ExactIntersection x = exact_intersection(space, a, a);
    CHECK_NEAR(x.volume, polyhedron_moments(&p).volume, 1e-13);
    CHECK(vec3_norm(x.area[1]) == 0);   // faces in one plane belong to the first
    CHECK(x.ties >= p.face_count);
    arena_destroy(&arena);
  }
}

int main(void)
{
  ExactSpace *space = exact_space_new();
  check_known(space);
  check_itself(space);
  check_additivity(space, 1400);
  exact_space_destroy(space);
  return test_report();
}
