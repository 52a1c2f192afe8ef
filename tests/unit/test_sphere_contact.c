// Contacts of spheres against an oracle that knows true facets alone, and against known places.
#include "sphere_contact.h"

#include <math.h>
#include <string.h>

#include "contacts.h"
#include "detect.h"
#include "harness.h"
#include "memory.h"
#include "posed_scene.h"

#define MARGIN 1e-3
#define MOST 64   // places an oracle finds

static const mat3 upright = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
static const vec3 zero = {0, 0, 0};

static PosedBody sphere_at(double radius, vec3 center, Arena *arena)
{
  Shape *shape = arena_allocate(arena, sizeof *shape);
  const ShapeResult result = shape_build(&(ShapeRecipe){.radius = radius}, arena, shape);
  CHECK(result.status == SHAPE_OK);
  return body_place(shape, upright, center, zero, arena);
}

static PosedBody solid_at(const Solid *solid, Arena *arena)
{
  return body_from_solid(solid, upright, zero, zero, arena);
}

// ------------------------------------------------------------------------------------------------
// The oracle. A place of the surface is a local minimum of the distance from outside when it is the
// nearest place of every true facet that holds it and the way from it to the centre does not begin
// inside the body.

typedef struct {
  int count;
  vec3 places[MOST];        // body frame, m
  double distances[MOST];   // m; negative: inside
} Oracle;

static vec3 polygon_nearest(const Facet *facet, vec3 normal, vec3 x)
{
  const vec3 foot = vec3_axpy(-vec3_dot(normal, vec3_sub(x, facet->corners[0])), normal, x);
  vec3 best = foot;
  double distance = INFINITY;
  bool inside = true;
  for (int k = 0; k < facet->corner_count; k++) {
    const vec3 p = facet->corners[k], q = facet->corners[(k + 1) % facet->corner_count];
    const vec3 side = vec3_sub(q, p);
    if (vec3_dot(vec3_cross(normal, side), vec3_sub(foot, p)) < 0) inside = false;
    const double t = fmin(1, fmax(0, vec3_dot(vec3_sub(x, p), side) / vec3_dot(side, side)));
    const vec3 y = vec3_axpy(t, side, p);
    if (vec3_norm(vec3_sub(y, x)) < distance) {
      distance = vec3_norm(vec3_sub(y, x));
      best = y;
    }
  }
  return inside ? foot : best;
}

// Height above the part's highest face plane: negative inside.
static double part_height(const Part *part, vec3 x)
{
  double height = -INFINITY;
  for (int f = 0; f < part->hull.face_count; f++)
    height = fmax(height, vec3_dot(part->hull.planes[f].normal, x) - part->hull.planes[f].offset);
  return height;
}

static double body_height(const Shape *shape, vec3 x)
{
  double height = INFINITY;
  for (int p = 0; p < shape->part_count; p++)
    height = fmin(height, part_height(&shape->parts[p], x));
  return height;
}

static bool is_minimum(const Shape *shape, vec3 place, vec3 x)
{
  const vec3 way = vec3_sub(x, place);
  const vec3 step = vec3_axpy(1e-5 / vec3_norm(way), way, place);
  if (body_height(shape, step) < -1e-9) return false;
  for (int p = 0; p < shape->part_count; p++) {
    const Part *part = &shape->parts[p];
    for (int i = 0; i < part->facet_count; i++) {
      const Facet *facet = &part->facets[i];
      const vec3 normal = part->hull.planes[facet->face].normal;
      if (vec3_norm(vec3_sub(polygon_nearest(facet, normal, place), place)) > 1e-9) continue;
      if (vec3_norm(vec3_sub(polygon_nearest(facet, normal, x), place)) > 1e-8) return false;
    }
  }
  return true;
}

static Oracle oracle_find(const Shape *shape, vec3 x, double far)
{
  Oracle oracle = {0};
  const bool inside = body_height(shape, x) < 0;
  for (int p = 0; p < shape->part_count; p++) {
    const Part *part = &shape->parts[p];
    for (int i = 0; i < part->facet_count; i++) {
      const Facet *facet = &part->facets[i];
      const vec3 y = polygon_nearest(facet, part->hull.planes[facet->face].normal, x);
      const double distance = vec3_norm(vec3_sub(x, y));
      if (inside) {
        if (oracle.count == 0 || distance < -oracle.distances[0]) {
          oracle.places[0] = y;
          oracle.distances[0] = -distance;
        }
        oracle.count = 1;
        continue;
      }
      bool known = distance > far;
      for (int k = 0; k < oracle.count; k++)
        known = known || vec3_norm(vec3_sub(oracle.places[k], y)) < 1e-8;
      if (known || !is_minimum(shape, y, x)) continue;
      assert(oracle.count < MOST && "room for an oracle");
      oracle.places[oracle.count] = y;
      oracle.distances[oracle.count++] = distance;
    }
  }
  return oracle;
}

// ------------------------------------------------------------------------------------------------

// Does the place (body frame) lie on the feature that a point names?
static bool is_on_feature(const Shape *shape, int part, uint32_t feature, vec3 place)
{
  const Polyhedron *hull = &shape->parts[part].hull;
  const int index = feature_index(feature);
  if (feature_kind(feature) == FEATURE_VERTEX)
    return index < hull->vertex_count && vec3_norm(vec3_sub(hull->vertices[index], place)) < 1e-12;
  if (feature_kind(feature) == FEATURE_FACE) {
    if (index >= hull->face_count ||
        shape->parts[part].facet_start[index] == shape->parts[part].facet_start[index + 1])
      return false;
    const Plane plane = hull->planes[index];
    return fabs(vec3_dot(plane.normal, place) - plane.offset) < 1e-12;
  }
  if (index >= hull->edge_count) return false;
  const vec3 p = hull->vertices[hull->edges[index].vertex[0]];
  const vec3 side = vec3_sub(hull->vertices[hull->edges[index].vertex[1]], p);
  return vec3_norm(vec3_cross(side, vec3_sub(place, p))) < 1e-12 * vec3_norm(side);
}

// The contacts of a sphere (first body) are those of the oracle: gaps, normals, places, features.
static int check_oracle(const PosedBody *body, double radius, vec3 center, double reach,
                        Arena *arena)
{
  const PosedBody sphere = sphere_at(radius, vec3_add(body->center, center), arena);
  const PatchSet set = sphere_contact_find(&sphere, body, 0, reach, arena);
  const vec3 x = mat3_mul_transposed(body->rotation, center);
  const Oracle oracle = oracle_find(body->shape, x, radius + reach);
  if (!CHECK(set.patch_count == oracle.count)) return set.patch_count;
  CHECK(set.failed == (oracle.count == 1 && oracle.distances[0] < -radius));
  for (int i = 0; i < set.patch_count; i++) {
    const Patch *patch = &set.patches[i];
    const PatchPoint *point = &patch->points[0];
    CHECK(patch->point_count == 1 && patch->area == 0 && point->area == 0);
    CHECK_NEAR(vec3_norm(patch->normal), 1, 4e-15);   // a rotation's rounding
    CHECK(patch->separation == point->gap && point->axis_a == AXIS_NONE &&
          point->axis_b == AXIS_NONE && patch->part_b == point->part_b);
    CHECK(point->part_a == 0 && point->feature_a == feature_new(FEATURE_VERTEX, 0));
    CHECK_NEAR(vec3_norm(vec3_axpy(radius, patch->normal, point->point)), 0, 1e-15 * radius);
    const vec3 normal = mat3_mul_transposed(body->rotation, patch->normal);
    const vec3 place = vec3_axpy(-(point->gap + radius), normal, x);
    int found = 0;
    for (int k = 0; k < oracle.count; k++) {
      if (vec3_norm(vec3_sub(oracle.places[k], place)) > 1e-10) continue;
      CHECK_NEAR(point->gap + radius, oracle.distances[k], 1e-12);
      found++;
    }
    CHECK(found == 1);
    if (oracle.distances[0] > 0)
      CHECK(is_on_feature(body->shape, point->part_b, point->feature_b, place));
  }
  return set.patch_count;
}

static Solid solid_random_hull(Random *random)
{
  vec3 corners[20];
  const int count = 4 + (int)(16 * random_between(random, 0, 1));
  for (int i = 0; i < count; i++)
    corners[i] = vec3_scale(random_between(random, 0.5, 1), random_direction(random));
  Solid solid = {0};
  solid_add_part(&solid, corners, count);
  return solid;
}

static Solid solid_l(void)
{
  Solid solid = {0};
  solid_add_box(&solid, (vec3){-1, -0.7, -0.5}, (vec3){1, 0.7, 0});
  solid_add_box(&solid, (vec3){0.2, -0.5, 0}, (vec3){1, 0.7, 1});
  return solid;
}

static Solid solid_u(void)
{
  Solid solid = {0};
  solid_add_box(&solid, (vec3){-1, -0.6, -1}, (vec3){-0.4, 0.6, 0.8});
  solid_add_box(&solid, (vec3){-0.4, -0.6, -1}, (vec3){0.4, 0.6, -0.4});
  solid_add_box(&solid, (vec3){0.4, -0.6, -1}, (vec3){1, 0.6, 1});
  return solid;
}

// A box of six tetrahedra, and a stone on it that covers faces of several of them in part.
static Solid solid_cut(void)
{
  const int axes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  const Solid box = solid_box((vec3){-1, -0.8, -0.6}, (vec3){1, 0.8, 0});
  Solid solid = {0};
  for (int t = 0; t < 6; t++) {
    vec3 piece[4] = {box.corners[0][0]};
    for (int k = 0, at = 0; k < 3; k++) {
      at |= 1 << axes[t][k];
      piece[k + 1] = box.corners[0][at];
    }
    solid_add_part(&solid, piece, 4);
  }
  solid_add_box(&solid, (vec3){-0.5, -0.3, 0}, (vec3){0.3, 0.4, 0.7});
  return solid;
}

// A bowl: a floor and a ring of four sloping walls between upright corners that are left out.
static Solid solid_bowl(void)
{
  Solid solid = {0};
  solid_add_box(&solid, (vec3){-1, -1, -0.5}, (vec3){1, 1, 0});
  for (int k = 0; k < 4; k++) {
    const double c = k == 0 ? 1 : k == 2 ? -1 : 0, s = k == 1 ? 1 : k == 3 ? -1 : 0;
    vec3 corners[6];
    for (int i = 0; i < 6; i++) {
      const double along = i < 3 ? -0.6 : 0.6, out = i % 3 == 0 ? 0.6 : 1,
                   up = i % 3 == 2 ? 0.7 : 0;
      corners[i] = (vec3){c * out - s * along, s * out + c * along, up};
    }
    solid_add_part(&solid, corners, 6);
  }
  return solid;
}

static void test_oracle(Arena *arena)
{
  Random random = {11};
  const Solid fixed[] = {solid_l(), solid_u(), solid_cut(), solid_bowl()};
  int several = 0, outside = 0, deep = 0;
  for (int trial = 0; trial < 6000; trial++) {
    const ArenaMark mark = arena_mark(arena);
    const Solid solid = trial % 5 == 4 ? solid_random_hull(&random) : fixed[trial % 5];
    const mat3 turn = trial % 3 == 0 ? upright : random_rotation(&random);
    const vec3 move = {random_between(&random, -9, 9), random_between(&random, -9, 9), 2};
    const PosedBody body = body_from_solid(&solid, turn, move, zero, arena);
    const vec3 center = vec3_scale(random_between(&random, 0, 1.8), random_direction(&random));
    const double radius = random_between(&random, 0.02, 1);
    const int found =
        check_oracle(&body, radius, center, 0.3 * random_between(&random, 0, 1), arena);
    several += found > 1;
    outside += found > 0;
    deep += body_height(body.shape, mat3_mul_transposed(turn, center)) < 0;
    arena_release(arena, mark);
  }
  CHECK(several > 300 && outside > 2000 && deep > 500);
}

// The same contacts with the bodies exchanged, turned and moved.
static void test_symmetry(Arena *arena)
{
  Random random = {5};
  const Solid solids[] = {solid_l(), solid_u(), solid_cut(), solid_bowl()};
  int found = 0;
  for (int trial = 0; trial < 800; trial++) {
    const ArenaMark mark = arena_mark(arena);
    const Solid *solid = &solids[trial % 4];
    const PosedBody body = solid_at(solid, arena);
    const double radius = random_between(&random, 0.1, 0.6);
    const vec3 center = vec3_scale(random_between(&random, 0.5, 1.5), random_direction(&random));
    const PosedBody sphere = sphere_at(radius, center, arena);
    const PatchSet one = sphere_contact_find(&sphere, &body, MARGIN, 0.05, arena);
    const PatchSet other = sphere_contact_find(&body, &sphere, MARGIN, 0.05, arena);
    const mat3 turn = random_rotation(&random);
    const vec3 move = {60, -100, 30};
    const PosedBody turned = body_from_solid(solid, turn, move, zero, arena);
    PosedBody moved = sphere_at(radius, vec3_add(mat3_mul(turn, center), move), arena);
    moved.rotation = random_rotation(&random);
    const PatchSet third = sphere_contact_find(&moved, &turned, MARGIN, 0.05, arena);
    if (!CHECK(one.patch_count == other.patch_count && one.patch_count == third.patch_count))
      continue;
    CHECK(one.failed == other.failed && one.failed == third.failed);
    for (int i = 0; i < one.patch_count; i++) {
      const Patch *p = &one.patches[i], *q = &other.patches[i], *r = &third.patches[i];
      CHECK(p->points[0].gap == q->points[0].gap);
      CHECK(p->points[0].part_b == q->points[0].part_a &&
            p->points[0].feature_b == q->points[0].feature_a);
      CHECK(vec3_norm(vec3_add(p->normal, q->normal)) == 0);
      const vec3 between = vec3_sub(vec3_add(sphere.center, p->points[0].point),
                                    vec3_add(body.center, q->points[0].point));
      CHECK_NEAR(vec3_norm(between), 0, 1e-15 * 4);
      CHECK(p->points[0].part_b == r->points[0].part_b &&
            p->points[0].feature_b == r->points[0].feature_b);
      CHECK_NEAR(r->points[0].gap, p->points[0].gap, 1e-12);
      CHECK_NEAR(vec3_norm(vec3_sub(r->normal, mat3_mul(turn, p->normal))), 0, 1e-11);
      found++;
    }
    arena_release(arena, mark);
  }
  CHECK(found > 400);
}

// A flat floor of tiles: one contact with the normal of the floor, wherever the sphere is.
static void test_tiles(Arena *arena)
{
  Solid floor = {0};
  for (int i = 0; i < 16; i++) {
    const vec3 low = {0.25 * (i % 4), 0.25 * (int)(i / 4), -0.25};
    solid_add_box(&floor, low, vec3_add(low, vec3_new(0.25, 0.25, 0.25)));
  }
  const PosedBody body = solid_at(&floor, arena);
  Random random = {3};
  const double offsets[] = {0,     1e-17, -1e-17, 1e-14, -1e-14, 1e-10, -1e-10, 1e-8,
                            -1e-8, 3e-8,  -3e-8,  5e-8,  -5e-8,  1e-6,  -1e-6,  1e-3};
  const int count = (int)(sizeof offsets / sizeof *offsets);
  for (int i = 0; i < count * count * 4; i++) {
    const ArenaMark mark = arena_mark(arena);
    const double radius = i / (count * count) % 2 ? 0.125 : 4;
    const double gap = i / (count * count) < 2 ? -1e-5 : 1e-5;
    const vec3 center = {0.5 + offsets[i % count], 0.5 + offsets[i / count % count], radius + gap};
    const PosedBody sphere = sphere_at(radius, center, arena);
    const PatchSet set = sphere_contact_find(&sphere, &body, MARGIN, 0, arena);
    if (CHECK(set.patch_count == 1)) {
      CHECK_NEAR(vec3_norm(vec3_sub(set.patches[0].normal, vec3_new(0, 0, 1))), 0, 2e-16);
      CHECK_NEAR(set.patches[0].separation, gap, 1e-15);
    }
    arena_release(arena, mark);
  }
  for (int i = 0; i < 500; i++) {
    const ArenaMark mark = arena_mark(arena);
    const vec3 center = {random_between(&random, 0, 1), random_between(&random, 0, 1), 0.0999};
    const PosedBody sphere = sphere_at(0.1, center, arena);
    const PatchSet set = sphere_contact_find(&sphere, &body, MARGIN, 0, arena);
    CHECK(set.patch_count == 1 && set.patches[0].normal.z == 1);
    arena_release(arena, mark);
  }

  // tiles whose tops differ by as much as shared faces may, under a sphere of any size
  Solid uneven = {0};
  solid_add_box(&uneven, (vec3){-1, -1, -1}, (vec3){0, 1, 0});
  solid_add_box(&uneven, (vec3){0, -1, -1}, (vec3){1, 1, -5e-9});
  const PosedBody step = solid_at(&uneven, arena);
  for (double s = 1e-12; s < 0.5; s *= 1.3) {
    for (int k = 0; k < 6; k++) {
      const ArenaMark mark = arena_mark(arena);
      const double radius = k % 3 == 0 ? 0.01 : k % 3 == 1 ? 1 : 300;
      const PosedBody sphere =
          sphere_at(radius, vec3_new(k < 3 ? s : -s, 0.1, radius + 1e-7), arena);
      const PatchSet set = sphere_contact_find(&sphere, &step, MARGIN, 0, arena);
      CHECK(set.patch_count == 1 && set.patches[0].normal.z > 1 - 1e-7);
      arena_release(arena, mark);
    }
  }
}

// Tiles that are turned against each other by what shared faces may be: the feet of a high centre
// on their edges are farther apart than rounding in the tiles' size.
static void test_turned_tiles(Arena *arena)
{
  for (int k = 0; k < 3 * 3 * 2; k++) {
    const ArenaMark mark = arena_mark(arena);
    const double tilt = k % 2 ? 4e-9 : -4e-9, s = 1e-9 * (k / 2 % 3 - 1);
    const double radius = k / 6 == 0 ? 1 : k / 6 == 1 ? 300 : 2e5;
    Solid tiles = solid_box((vec3){-1, -1, -1}, (vec3){0, 1, 0});
    solid_add_box(&tiles, (vec3){0, -1, -1}, (vec3){1, 1, 0});
    for (int i = 4; i < 8; i++) tiles.corners[1][i].z = i & 2 ? tilt : -tilt;
    const PosedBody floor = solid_at(&tiles, arena);
    CHECK(floor.shape->parts[0].facet_count == 5 && floor.shape->parts[1].facet_count == 5);
    const PosedBody sphere = sphere_at(radius, vec3_new(s, 0.3, radius - 1e-6), arena);
    const PatchSet set = sphere_contact_find(&sphere, &floor, MARGIN, 0, arena);
    CHECK(set.patch_count == 1 && set.patches[0].normal.z > 1 - 1e-12);
    arena_release(arena, mark);
  }
}

static PatchSet touch(const PosedBody *body, double radius, vec3 center, Arena *arena)
{
  const PosedBody sphere = sphere_at(radius, center, arena);
  return sphere_contact_find(&sphere, body, MARGIN, 0, arena);
}

// Corners, ridges and slots with known contacts.
static void test_places(Arena *arena)
{
  // shape frames of these solids begin at the origin: places are in their coordinates
  const Solid l_solid = solid_l(), u_solid = solid_u();
  const PosedBody l = solid_at(&l_solid, arena), u = solid_at(&u_solid, arena);
  PatchSet set = touch(&l, 0.1, vec3_new(0.1, 0, 0.1), arena);
  if (CHECK(set.patch_count == 2)) {
    CHECK(set.patches[0].normal.z == 1 && set.patches[1].normal.x == -1);
    CHECK(set.patches[0].part_b == 0 && set.patches[1].part_b == 1);
    CHECK_NEAR(set.patches[0].separation, 0, 1e-16);
    CHECK_NEAR(set.patches[1].separation, 0, 1e-16);
  }
  // on the ridge of the upper stone, at a corner, and in the slot: walls and floor
  set = touch(&l, 0.1, vec3_new(0.2 - 0.06, 0, 1.08), arena);
  CHECK(set.patch_count == 1 && feature_kind(set.patches[0].points[0].feature_b) == FEATURE_EDGE);
  CHECK_NEAR(set.patches[0].normal.x, -0.6, 1e-14);
  CHECK_NEAR(set.patches[0].normal.z, 0.8, 1e-14);
  set = touch(&l, 0.3, vec3_new(-1.2, -0.9, 0.1), arena);
  CHECK(set.patch_count == 1 && feature_kind(set.patches[0].points[0].feature_b) == FEATURE_VERTEX);
  CHECK_NEAR(set.patches[0].separation, 0, 1e-15);
  set = touch(&u, 0.4, vec3_new(0, 0.1, 0), arena);
  CHECK(set.patch_count == 3);
  set = touch(&u, 0.4, vec3_new(0, 0.1, 0.5), arena);
  CHECK(set.patch_count == 2);
  // beside the body and beyond the margin: nothing
  CHECK(touch(&u, 0.4, vec3_new(0, 0.1, 1.5), arena).patch_count == 0);
  CHECK(touch(&u, 0.4, vec3_new(7, 0.1, 1.5), arena).patch_count == 0);
  // the margin is of the sphere's diameter or the part's extent, whichever is smaller
  CHECK(touch(&l, 0.1, vec3_new(-0.5, 0, 0.1 + 1.99e-4), arena).patch_count == 1);
  CHECK(touch(&l, 0.1, vec3_new(-0.5, 0, 0.1 + 2.01e-4), arena).patch_count == 0);
  CHECK(touch(&l, 9, vec3_new(0.6, 0, 10 + 1.19e-3), arena).patch_count == 1);
  CHECK(touch(&l, 9, vec3_new(0.6, 0, 10 + 1.21e-3), arena).patch_count == 0);

  // deeper and deeper: the floor pushes out all the way, until the sphere is inside
  for (double z = 0.15; z > -0.2; z -= 0.003) {
    const ArenaMark mark = arena_mark(arena);
    set = touch(&l, 0.15, vec3_new(-0.5, 0, z), arena);
    if (CHECK(set.patch_count == 1)) {
      CHECK(set.patches[0].normal.z == 1 && set.failed == (z < -0.15));
      CHECK_NEAR(set.patches[0].separation, z - 0.15, 1e-15);
    }
    arena_release(arena, mark);
  }
  // on the internal face: the centre is inside, not on a surface
  set = touch(&l, 0.1, vec3_new(0.6, 0.1, 0), arena);
  CHECK(set.patch_count == 1 && set.failed == 1 && fabs(set.patches[0].normal.z) < 0.1);
  CHECK_NEAR(set.patches[0].separation, -0.5, 1e-12);
  // under a concave edge the way out goes through the edge
  set = touch(&l, 0.2, vec3_new(0.2 + 0.06, 0, -0.08), arena);
  CHECK(set.patch_count == 1 && set.failed == 0);
  CHECK_NEAR(set.patches[0].normal.x, -0.6, 1e-14);
  CHECK_NEAR(set.patches[0].normal.z, 0.8, 1e-14);
  CHECK_NEAR(set.patches[0].separation, -0.3, 1e-14);
}

static void test_two_spheres(Arena *arena)
{
  // gaps come from differences of positions: dyadic numbers give the same bits far away
  Random random = {9};
  for (int trial = 0; trial < 1000; trial++) {
    const ArenaMark mark = arena_mark(arena);
    const double ra = random_between(&random, 0.1, 2), rb = random_between(&random, 0.1, 2);
    const vec3 unit = random_direction(&random);
    const double distance = (ra + rb) * random_between(&random, 0.2, 1.2);
    const vec3 apart = {ldexp(floor(ldexp(distance * unit.x, 20)), -20),
                        ldexp(floor(ldexp(distance * unit.y, 20)), -20),
                        ldexp(floor(ldexp(distance * unit.z, 20)), -20)};
    const vec3 far = {1 << 25, -(1 << 26), 1 << 24};
    const PosedBody a = sphere_at(ra, zero, arena), b = sphere_at(rb, apart, arena);
    const PosedBody far_a = sphere_at(ra, far, arena);
    const PosedBody far_b = sphere_at(rb, vec3_add(far, apart), arena);
    const PatchSet set = sphere_contact_find(&a, &b, MARGIN, 0, arena);
    const PatchSet again = sphere_contact_find(&far_a, &far_b, MARGIN, 0, arena);
    const PatchSet swapped = sphere_contact_find(&b, &a, MARGIN, 0, arena);
    const double gap = vec3_norm(apart) - ra - rb;
    CHECK(again.patch_count == set.patch_count && swapped.patch_count == set.patch_count);
    if (CHECK(set.patch_count == (gap <= 2 * MARGIN * fmin(ra, rb))) && set.patch_count == 1) {
      const PatchPoint *p = set.patches[0].points, *q = again.patches[0].points;
      CHECK_NEAR(p->gap, gap, 1e-15 * (ra + rb));
      CHECK(p->gap == q->gap && memcmp(&p->point, &q->point, sizeof(vec3)) == 0);
      CHECK(p->gap == swapped.patches[0].points[0].gap);
      const vec3 normal = set.patches[0].normal;
      CHECK_NEAR(vec3_norm(vec3_add(normal, vec3_scale(1 / vec3_norm(apart), apart))), 0, 1e-15);
      CHECK(vec3_norm(vec3_add(normal, swapped.patches[0].normal)) == 0);
      // arms have the ratio of the radii
      CHECK_NEAR(vec3_norm(p->point) * rb, vec3_norm(vec3_sub(p->point, apart)) * ra, 1e-14);
      CHECK(set.failed == (vec3_norm(apart) < fabs(ra - rb)));
    }
    arena_release(arena, mark);
  }
  // one place: a direction that is always the same, and a failure that is told
  const PosedBody a = sphere_at(1, vec3_new(3, 4, 5), arena);
  const PosedBody b = sphere_at(1, vec3_new(3, 4, 5), arena);
  const PatchSet set = sphere_contact_find(&a, &b, MARGIN, 0, arena);
  CHECK(set.patch_count == 1 && set.failed == 1 && set.patches[0].normal.z == 1);
  CHECK(set.patches[0].separation == -2 && vec3_norm(set.patches[0].points[0].point) == 0);
}

// ------------------------------------------------------------------------------------------------
// Detection of whole scenes: boxes, and reactions handed on while a sphere rolls over tiles.

typedef struct {
  Bodies bodies;
  Contacts old, found;
  MidState mid[2];
  ShapeSet *shapes;
} Scene;

// A sphere that has rolled by x along a floor whose body has the other id.
static void place(Scene *scene, uint64_t sphere_id, double x, double radius, vec3 center)
{
  Bodies *b = &scene->bodies;
  for (int i = 0; i < 2; i++) {
    const bool round = (uint64_t)i == sphere_id;
    const double angle = round ? 0.5 * x / radius : 0;
    b->id[i] = (uint64_t)i;
    b->drive[i] = round ? DRIVE_DYNAMIC : DRIVE_FIXED;
    b->shape[i] = round ? 0 : 1;
    b->position[i] = round ? center : shape_set_get(scene->shapes, 1)->center;
    b->orientation[i] = (quat){cos(angle), 0, sin(angle), 0};
    b->velocity[i] = b->spin[i] = zero;
    scene->mid[i] = (MidState){.rotation = quat_to_mat3(b->orientation[i])};
  }
  b->table.owned = b->table.count = 2;
}

static DetectReport detect(Scene *scene, Arena *arena)
{
  const ContactSettings settings = {
      .patch = {.margin = MARGIN, .feature_width = 2e-3, .max_points = 8}};
  const DetectInput in = {.bodies = &scene->bodies,
                          .mid = scene->mid,
                          .shapes = scene->shapes,
                          .settings = &settings,
                          .motion = {1e-3, {0, 0, -10}}};
  Box boxes[2];
  for (int i = 0; i < 2; i++)
    boxes[i] = detect_box(&scene->bodies, i, scene->shapes, &settings, &in.motion);
  return detect_contacts(&in, boxes, &scene->old, &scene->found, arena);
}

static void test_rolling(uint64_t sphere_id, Arena *arena)
{
  // eight tiles along x, then a drop
  vec3 corners[8][8];
  PartRecipe tiles[8];
  for (int t = 0; t < 8; t++) {
    for (int i = 0; i < 8; i++)
      corners[t][i] = vec3_new(0.125 * (t + (i & 1)), i & 2 ? 1 : -1, i & 4 ? 0 : -0.5);
    tiles[t] = (PartRecipe){.count = 8, .points = corners[t]};
  }
  const double radius = 0.1;
  const ShapeRecipe recipes[2] = {{.radius = radius}, {.part_count = 8, .parts = tiles}};
  ShapeSet shapes = shape_set_new(recipes, 2);
  Scene scene = {.shapes = &shapes};
  bodies_begin(&scene.bodies);
  contacts_begin(&scene.old);
  contacts_begin(&scene.found);
  table_reserve(&scene.bodies.table, 2);

  int64_t inherited = 0;
  int edges = 0;
  const vec3 impulse = {0.5, -0.2, 3};   // on the sphere, world axes
  for (int step = 0; step <= 1050; step++) {
    // 1 mm a step; beyond the last tile about its edge, by 1 mm of the surface a step
    const double x = 1e-3 * step, angle = step > 1000 ? (x - 1) / radius : 0;
    const vec3 center = step > 1000 ? vec3_new(1 + radius * sin(angle), 0, radius * cos(angle))
                                    : vec3_new(x, 0, radius);
    place(&scene, sphere_id, x, radius, center);
    arena_reset(arena);
    const DetectReport report = detect(&scene, arena);
    if (!CHECK(scene.found.table.owned == 1 && report.failed == 0)) break;
    const vec3 normal = scene.found.normal[0];
    const double up = sphere_id == 0 ? normal.z : -normal.z;
    CHECK_NEAR(up, cos(angle), 1e-12);
    const mat3 basis = contacts_basis(normal);
    const vec3 sent = sphere_id == 0 ? impulse : vec3_neg(impulse);
    if (step > 0) {
      CHECK(report.matched + report.inherited == 1);
      const vec3 kept = mat3_mul_transposed(basis, scene.found.reaction[0]);
      CHECK_NEAR(vec3_norm(vec3_sub(kept, sent)), 0, 1e-12);
    }
    inherited += report.inherited;
    const IndexPair features = scene.found.features[0];
    edges += feature_kind(sphere_id == 0 ? features.high : features.low) == FEATURE_EDGE;
    scene.found.reaction[0] = mat3_mul(basis, sent);
    const Contacts swap = scene.old;
    scene.old = scene.found;
    scene.found = swap;
  }
  CHECK(inherited == 8 && edges == 50);

  // the box of a sphere is the sphere's, however it is turned and spins
  place(&scene, sphere_id, 0.7, radius, vec3_new(1, 2, 3));
  scene.bodies.spin[sphere_id] = vec3_new(1000, 0, 0);
  const ContactSettings none = {.patch.margin = 0};
  const FreeMotion still = {.step = 1e-3};
  const Box box = detect_box(&scene.bodies, (int)sphere_id, &shapes, &none, &still);
  CHECK_NEAR(box.low.x, 0.9, 1e-15);
  CHECK_NEAR(box.high.y, 2.1, 1e-15);
  CHECK_NEAR(box.high.z, 3.1, 1e-15);
  const ContactSettings usual = {.patch.margin = 0.01};
  const Box wide = detect_box(&scene.bodies, (int)sphere_id, &shapes, &usual, &still);
  CHECK_NEAR(wide.high.x, 1.1 + 0.5 * 0.01 * 0.2, 1e-15);

  bodies_end(&scene.bodies);
  contacts_end(&scene.old);
  contacts_end(&scene.found);
  shape_set_destroy(&shapes);
}

int main(void)
{
  Arena arena = arena_new();
  test_oracle(&arena);
  test_symmetry(&arena);
  test_tiles(&arena);
  test_turned_tiles(&arena);
  test_places(&arena);
  test_two_spheres(&arena);
  test_rolling(0, &arena);
  test_rolling(1, &arena);
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
