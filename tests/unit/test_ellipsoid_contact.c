// Contacts of ellipsoids with bodies of parts against an oracle of sampled directions, and against
// spheres, known places and both orders of the bodies.
#include "ellipsoid_contact.h"

#include <math.h>
#include <stdio.h>

#include "contacts.h"
#include "ellipsoid.h"
#include "harness.h"
#include "memory.h"
#include "model.h"
#include "posed_scene.h"
#include "sphere_contact.h"

#define MARGIN 1e-3

static const mat3 upright = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
static const vec3 zero = {0, 0, 0};

static PosedBody ellipsoid_at(vec3 radii, mat3 rotation, vec3 center, Arena *arena)
{
  Shape *shape = arena_allocate(arena, sizeof *shape);
  const ShapeResult result = shape_build(&(ShapeRecipe){.radii = radii}, arena, shape);
  CHECK(result.status == SHAPE_OK);
  return body_place(shape, rotation, center, zero, arena);
}

static PosedBody sphere_at(double radius, vec3 center, Arena *arena)
{
  Shape *shape = arena_allocate(arena, sizeof *shape);
  CHECK(shape_build(&(ShapeRecipe){.radius = radius}, arena, shape).status == SHAPE_OK);
  return body_place(shape, upright, center, zero, arena);
}

static vec3 random_radii(Random *random, double aspect)
{
  const double size = random_between(random, 0.1, 0.6);
  return vec3_new(size, size / random_between(random, 1, aspect),
                  size / random_between(random, 1, aspect));
}

// What every contact promises: one point, a unit normal, on the ellipsoid's surface (body a).
static void check_promises(const PosedBody *a, const Patch *patch)
{
  const PatchPoint *point = &patch->points[0];
  CHECK(patch->point_count == 1 && patch->area == 0 && point->area == 0);
  CHECK_NEAR(vec3_norm(patch->normal), 1, 4e-15);
  CHECK(patch->separation == point->gap && point->axis_a == AXIS_NONE &&
        point->axis_b == AXIS_NONE && patch->part_b == point->part_b);
  CHECK(point->part_a == 0 && point->feature_a == feature_new(FEATURE_VERTEX, 0));
  const vec3 own = mat3_mul_transposed(a->rotation, point->point), r = a->shape->radii;
  const vec3 unit = {own.x / r.x, own.y / r.y, own.z / r.z};
  CHECK_NEAR(vec3_norm(unit), 1, 1e-12);
  // the outward normal there runs against the contact's
  const vec3 out = {unit.x / r.x, unit.y / r.y, unit.z / r.z};
  const vec3 normal = mat3_mul(a->rotation, vec3_scale(1 / vec3_norm(out), out));
  CHECK_NEAR(vec3_norm(vec3_add(normal, patch->normal)), 0, 1e-11);
}

// ------------------------------------------------------------------------------------------------
// One convex part: no axis is better, and apart from rounding the place belongs to both.

static double separation_along(const PosedBody *round, const PosedBody *body, vec3 n)
{
  const Ellipsoid e = ellipsoid_place(round->shape->radii, round->rotation);
  const Polyhedron *hull = &body->parts[0];
  double support = -INFINITY;
  for (int v = 0; v < hull->vertex_count; v++)
    support = fmax(support, vec3_dot(n, hull->vertices[v]));
  return vec3_dot(n, vec3_sub(round->center, body->center)) - ellipsoid_reach(&e, n) - support;
}

// The best of directions about one, then of all.
static double dense_search(const PosedBody *round, const PosedBody *body, Random *random)
{
  double best = -INFINITY;
  vec3 n = {0, 0, 1};
  for (int k = 0; k < 3000; k++) {
    const vec3 m = random_direction(random);
    const double found = separation_along(round, body, m);
    if (found > best) best = found, n = m;
  }
  for (int f = 0; f < body->parts[0].face_count; f++) {
    const double found = separation_along(round, body, body->parts[0].planes[f].normal);
    if (found > best) best = found, n = body->parts[0].planes[f].normal;
  }
  int since = 0;
  for (double width = 0.1; width > 1e-9;) {
    vec3 m = vec3_axpy(width, random_direction(random), n);
    m = vec3_scale(1 / vec3_norm(m), m);
    const double found = separation_along(round, body, m);
    if (found > best) {
      best = found, n = m, since = 0;
    } else if (++since > 12) {
      width *= 0.7, since = 0;
    }
  }
  return best;
}

static Solid solid_random_hull(Random *random)
{
  vec3 corners[20];
  const int count = 4 + random_below(random, 16);
  for (int i = 0; i < count; i++)
    corners[i] = vec3_scale(random_between(random, 0.5, 1), random_direction(random));
  Solid solid = {0};
  solid_add_part(&solid, corners, count);
  return solid;
}

static void test_convex(Arena *arena)
{
  Random random = {21};
  int kinds[3] = {0}, overlaps = 0, deep = 0;
  double worst = 0;
  for (int trial = 0; trial < 1500; trial++) {
    const ArenaMark mark = arena_mark(arena);
    const Solid solid = trial % 3 ? solid_random_hull(&random)
                                  : solid_box(vec3_new(-1, -0.7, -0.5), vec3_new(1, 0.7, 0.5));
    const PosedBody body =
        body_from_solid(&solid, random_rotation(&random), random_in_cube(&random, 3), zero, arena);
    const vec3 away = vec3_scale(random_between(&random, 0.6, 1.6), random_direction(&random));
    const PosedBody round =
        ellipsoid_at(random_radii(&random, trial % 2 ? 10 : 3), random_rotation(&random),
                     vec3_add(body.center, away), arena);
    const PatchSet set = ellipsoid_contact_find(&round, &body, MARGIN, 3, arena);
    const vec3 inside = mat3_mul_transposed(body.rotation, away);
    if (!CHECK(set.patch_count == 1) || polyhedron_holds(&body.shape->parts[0].hull, inside, 0)) {
      arena_release(arena, mark);
      continue;
    }
    const Patch *patch = &set.patches[0];
    check_promises(&round, patch);
    const double size = round.shape->radius + body.shape->radius;
    const double best = dense_search(&round, &body, &random);
    const Ellipsoid e = ellipsoid_place(round.shape->radii, upright);
    const bool single = patch->separation > -ellipsoid_least_curvature_radius(&e);
    deep += !single;
    if (!set.failed) CHECK(patch->separation >= best - 1e-12 * size);
    worst = fmax(worst, best - patch->separation);
    CHECK_NEAR(separation_along(&round, &body, patch->normal), patch->separation, 1e-13 * size);
    if (single) CHECK(set.failed == 0);
    // along the normal from the ellipsoid's place is a place of the part's surface
    const vec3 place =
        mat3_mul_transposed(body.rotation, vec3_axpy(-patch->separation, patch->normal,
                                                     vec3_add(away, patch->points[0].point)));
    if (!set.failed) CHECK(polyhedron_holds(&body.shape->parts[0].hull, place, 1e-11 * size));
    kinds[feature_kind(patch->points[0].feature_b)]++;
    overlaps += patch->separation < 0;
    arena_release(arena, mark);
  }
  printf("one part: %d faces, %d edges, %d corners, %d overlaps, %d deeper than curved, best other "
         "axis by %.2g\n",
         kinds[0], kinds[1], kinds[2], overlaps, deep, worst);
  CHECK(kinds[0] > 100 && kinds[1] > 100 && kinds[2] > 100 && overlaps > 100 && deep > 10);
}

// ------------------------------------------------------------------------------------------------
// Bodies of several parts: stretched along an axis of the ellipsoid, contacts of spheres are those
// of equal radii; on flat floors cut into tiles there is one.

static Solid solid_u(void)
{
  Solid solid = {0};
  solid_add_box(&solid, (vec3){-1, -0.6, -1}, (vec3){-0.4, 0.6, 0.8});
  solid_add_box(&solid, (vec3){-0.4, -0.6, -1}, (vec3){0.4, 0.6, -0.4});
  solid_add_box(&solid, (vec3){0.4, -0.6, -1}, (vec3){1, 0.6, 1});
  return solid;
}

static Solid solid_l(void)
{
  Solid solid = {0};
  solid_add_box(&solid, (vec3){-1, -0.7, -0.5}, (vec3){1, 0.7, 0});
  solid_add_box(&solid, (vec3){0.2, -0.5, 0}, (vec3){1, 0.7, 1});
  return solid;
}

// With equal radii: the same points as a sphere's, by the other road.
static void test_equal_radii(Arena *arena)
{
  Random random = {13};
  const Solid solids[] = {solid_l(), solid_u()};
  int found = 0, several = 0;
  for (int trial = 0; trial < 3000; trial++) {
    const ArenaMark mark = arena_mark(arena);
    const Solid solid = trial % 3 == 2 ? solid_random_hull(&random) : solids[trial % 3];
    const PosedBody body =
        body_from_solid(&solid, random_rotation(&random), random_in_cube(&random, 5), zero, arena);
    const double r = random_between(&random, 0.05, 0.7);
    const vec3 center = vec3_add(
        body.center, vec3_scale(random_between(&random, 0, 1.7), random_direction(&random)));
    const PosedBody sphere = sphere_at(r, center, arena),
                    round =
                        ellipsoid_at(vec3_new(r, r, r), random_rotation(&random), center, arena);
    const PatchSet one = sphere_contact_find(&sphere, &body, MARGIN, 0.1, arena),
                   other = ellipsoid_contact_find(&round, &body, MARGIN, 0.1, arena);
    CHECK(one.failed == other.failed);
    if (CHECK(one.patch_count == other.patch_count)) {
      for (int i = 0; i < one.patch_count; i++) {
        const Patch *p = &one.patches[i], *q = &other.patches[i];
        CHECK(p->points[0].part_b == q->points[0].part_b);
        CHECK_NEAR(p->separation, q->separation, 1e-13);
        CHECK_NEAR(vec3_norm(vec3_sub(p->normal, q->normal)), 0, 1e-11);
        CHECK_NEAR(vec3_norm(vec3_sub(p->points[0].point, q->points[0].point)), 0, 1e-11);
        found++;
      }
      several += one.patch_count > 1;
    }
    arena_release(arena, mark);
  }
  CHECK(found > 1000 && several > 50);
}

static void test_tiles(Arena *arena)
{
  Solid floor = {0};
  for (int i = 0; i < 16; i++) {
    const vec3 low = {0.25 * (i % 4), 0.25 * (int)(i / 4), -0.25};
    solid_add_box(&floor, low, vec3_add(low, vec3_new(0.25, 0.25, 0.25)));
  }
  const PosedBody body = body_from_solid(&floor, upright, zero, zero, arena);
  Random random = {3};
  const double offsets[] = {0, 1e-17, -1e-14, 1e-10, -1e-9, 1e-8, 3e-8, -1e-6, 1e-3, 0.07};
  const int count = (int)(sizeof offsets / sizeof *offsets);
  for (int i = 0; i < 40 * count * count; i++) {
    const ArenaMark mark = arena_mark(arena);
    const double aspect = i % 3 == 0 ? 2 : i % 3 == 1 ? 10 : 100;
    const vec3 radii = vec3_scale(i % 2 ? 1 : 0.3, random_radii(&random, aspect));
    const mat3 turn = i % 5 ? random_rotation(&random) : upright;
    const Ellipsoid e = ellipsoid_place(radii, turn);
    const vec3 down = {0, 0, -1}, square = ellipsoid_square_mul(&e, down);
    const double reach = ellipsoid_reach(&e, down);
    // the lowest place over a corner of tiles, near one or anywhere; slightly in or above
    const vec3 at = {0.5 + offsets[i % count], 0.5 + offsets[i / count % count], 0};
    const double gap = (i % 7 < 4 ? -1e-5 : 1e-5) * radii.x;
    const vec3 center = vec3_add(vec3_axpy(-1 / reach, square, at), vec3_new(0, 0, gap));
    const PosedBody round = ellipsoid_at(radii, turn, center, arena);
    const PatchSet set = ellipsoid_contact_find(&round, &body, MARGIN, 0, arena);
    if (CHECK(set.patch_count == 1 && set.failed == 0)) {
      // faces may turn by ten times that before they are no longer one
      CHECK_NEAR(vec3_norm(vec3_sub(set.patches[0].normal, vec3_new(0, 0, 1))), 0, 1e-9);
      CHECK_NEAR(set.patches[0].separation, gap, 1e-14);
    }
    arena_release(arena, mark);
  }
}

// Lying across the arms of a U it touches both, in its corner both sides, and a whole lot deeper
// than both it is said to have failed.
static void test_known(Arena *arena)
{
  const Solid u = solid_u();
  const PosedBody body = body_from_solid(&u, upright, zero, zero, arena);
  // between the arms: half the gap is 0.4
  const PosedBody between = ellipsoid_at(vec3_new(0.4001, 0.2, 0.1), upright, zero, arena);
  const PatchSet two = ellipsoid_contact_find(&between, &body, MARGIN, 0, arena);
  CHECK(two.patch_count == 2 && two.failed == 0);
  for (int i = 0; i < two.patch_count; i++) {
    CHECK_NEAR(fabs(two.patches[i].normal.x), 1, 1e-15);
    CHECK_NEAR(two.patches[i].separation, -1e-4, 1e-15);
  }
  const PosedBody corner =
      ellipsoid_at(vec3_new(0.3, 0.2, 0.1), upright, vec3_new(0.1, 0, -0.3), arena);
  CHECK(ellipsoid_contact_find(&corner, &body, MARGIN, 0, arena).patch_count == 2);
  // inside an arm with all of it
  const PosedBody inside =
      ellipsoid_at(vec3_new(0.2, 0.05, 0.05), upright, vec3_new(0.7, 0, 0), arena);
  const PatchSet lost = ellipsoid_contact_find(&inside, &body, MARGIN, 0, arena);
  CHECK(lost.patch_count == 1 && lost.failed == 1 && lost.patches[0].separation < 0);
  // with its centre alone
  const PosedBody sunk =
      ellipsoid_at(vec3_new(0.2, 0.05, 0.2), upright, vec3_new(0.7, 0, 0.95), arena);
  const PatchSet deep = ellipsoid_contact_find(&sunk, &body, MARGIN, 0, arena);
  CHECK(deep.patch_count == 1 && deep.failed == 0 && deep.patches[0].normal.z == 1);
  CHECK_NEAR(deep.patches[0].separation, -0.25, 1e-15);
  // and away from it
  const PosedBody far = ellipsoid_at(vec3_new(0.2, 0.05, 0.2), upright, vec3_new(0, 0, 1.5), arena);
  CHECK(ellipsoid_contact_find(&far, &body, MARGIN, 0.1, arena).patch_count == 0);
}

// The same contacts with the bodies exchanged, turned and moved, by the door of the models.
static void test_symmetry(Arena *arena)
{
  Random random = {5};
  const PatchParameters parameters = {.margin = MARGIN, .feature_width = 2e-3, .max_points = 8};
  const Solid solids[] = {solid_l(), solid_u()};
  int found = 0;
  for (int trial = 0; trial < 2000; trial++) {
    const ArenaMark mark = arena_mark(arena);
    const vec3 radii = random_radii(&random, 8), place = random_in_cube(&random, 2);
    const mat3 turn = random_rotation(&random), own = random_rotation(&random);
    vec3 away = vec3_scale(random_between(&random, 0.4, 1.5), random_direction(&random));
    if (trial % 3) away = vec3_scale(0.5, away);
    const PosedBody a = ellipsoid_at(radii, own, vec3_add(place, away), arena);
    PosedBody b = body_from_solid(&solids[trial / 3 % 2], upright, zero, zero, arena);
    if (trial % 3 == 1) b = ellipsoid_at(random_radii(&random, 8), upright, zero, arena);
    if (trial % 3 == 2) b = sphere_at(0.3, zero, arena);
    b.center = place;
    PosedBody moved = ellipsoid_at(radii, mat3_mul_mat(turn, own), mat3_mul(turn, a.center), arena),
              other = body_place(b.shape, turn, zero, zero, arena);
    other.center = mat3_mul(turn, b.center);
    const ModelPair pairs[3] = {
        {.a = &a, .b = &b, .parameters = &parameters, .reach = 0.05},
        {.a = &b, .b = &a, .parameters = &parameters, .reach = 0.05},
        {.a = &moved, .b = &other, .parameters = &parameters, .reach = 0.05}};
    const PatchSet one = model_find(CONTACT_MODEL_PATCH, &pairs[0], arena),
                   two = model_find(CONTACT_MODEL_VOLUMETRIC, &pairs[1], arena),
                   three = model_find(CONTACT_MODEL_PATCH, &pairs[2], arena);
    if (CHECK(one.patch_count == two.patch_count && one.patch_count == three.patch_count)) {
      CHECK(one.failed == two.failed && one.failed == three.failed);
      for (int i = 0; i < one.patch_count; i++) {
        const Patch *p = &one.patches[i], *q = &two.patches[i], *r = &three.patches[i];
        CHECK_NEAR(p->separation, q->separation, 1e-14);
        CHECK_NEAR(p->separation, r->separation, 1e-13);
        CHECK_NEAR(vec3_norm(vec3_add(p->normal, q->normal)), 0, 1e-10);
        CHECK_NEAR(vec3_norm(vec3_sub(mat3_mul(turn, p->normal), r->normal)), 0, 1e-10);
        const vec3 apart = vec3_sub(vec3_add(a.center, p->points[0].point),
                                    vec3_add(b.center, q->points[0].point));
        CHECK_NEAR(vec3_norm(apart), 0, 1e-11);
        found++;
      }
    }
    arena_release(arena, mark);
  }
  CHECK(found > 500);
}

int main(void)
{
  Arena arena = arena_new();
  test_convex(&arena);
  test_equal_radii(&arena);
  test_tiles(&arena);
  test_known(&arena);
  test_symmetry(&arena);
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
