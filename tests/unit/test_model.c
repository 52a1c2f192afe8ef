// Contact models behind one door: the volumetric point of the Solfec text in plain cases, pieces of
// a body that add up to the body, spheres alike in both.
#include "model.h"

#include <string.h>

#include "contacts.h"
#include "harness.h"
#include "intersection_contact.h"
#include "posed_scene.h"
#include "sphere_contact.h"

static const vec3 zero = {0, 0, 0};
static const PatchParameters usual = {.margin = 1e-3, .feature_width = 2e-3, .max_points = 8};

static mat3 straight(void) { return mat3_diagonal(1, 1, 1); }

static PatchSet find(ContactModel model, const PosedBody *a, const PosedBody *b, Arena *arena)
{
  return model_find(model, &(ModelPair){.a = a, .b = b, .parameters = &usual}, arena);
}

static PatchSet find_volumetric(const PosedBody *a, const PosedBody *b, Arena *arena)
{
  const PatchSet set = find(CONTACT_MODEL_VOLUMETRIC, a, b, arena);
  for (int i = 0; i < set.patch_count; i++) {
    const Patch *patch = &set.patches[i];
    CHECK(patch->point_count == 1 && patch->points[0].gap <= 0 && patch->area > 0);
    CHECK_NEAR(vec3_norm(patch->normal), 1, 1e-12);
    CHECK(patch->points[0].area == patch->area && patch->points[0].gap == patch->separation);
    for (int k = 0; k < i; k++) {
      const PatchPoint *p = patch->points, *q = set.patches[k].points;
      CHECK(p->part_a != q->part_a || p->part_b != q->part_b);
    }
  }
  return set;
}

// A brick sunk into a slab by a depth d: what they share is a box of 0.4 x 0.2 x d.
static void test_brick_on_slab(Arena *arena)
{
  const Solid slab = solid_box(vec3_new(-5, -5, -1), vec3_new(5, 5, 0));
  const Solid brick = solid_box(zero, vec3_new(0.4, 0.2, 0.2));
  const PosedBody floor = body_from_solid(&slab, straight(), zero, zero, arena);
  const double depths[4] = {1e-8, 1e-5, 1e-3, 3e-2};
  for (int i = 0; i < 4; i++) {
    const double d = depths[i];
    const PosedBody top = body_from_solid(&brick, straight(), vec3_new(0.1, 0.3, -d), zero, arena);
    const PatchSet set = find_volumetric(&floor, &top, arena);
    if (!CHECK(set.patch_count == 1 && set.failed == 0)) continue;
    const PatchPoint *p = set.patches[0].points;
    CHECK_NEAR(set.patches[0].normal.z, -1, 1e-15);
    CHECK_NEAR(p->gap, -d, 1e-15);
    CHECK_NEAR(p->area, 0.08 + 0.6 * d, 1e-14);
    const vec3 place = vec3_add(p->point, floor.center);
    CHECK_NEAR(vec3_norm(vec3_sub(place, vec3_new(0.3, 0.4, -0.5 * d))), 0, 1e-14);
    // the faces that meet: top of the slab, bottom of the brick
    const Polyhedron *hull_a = &floor.parts[0], *hull_b = &top.parts[0];
    CHECK(feature_index(p->feature_a) < hull_a->face_count);
    CHECK(hull_a->planes[feature_index(p->feature_a)].normal.z == 1);
    CHECK(hull_b->planes[feature_index(p->feature_b)].normal.z == -1);
  }
  // no volume, no contact: just touching, and within the margin
  for (int i = 0; i < 2; i++) {
    const PosedBody above =
        body_from_solid(&brick, straight(), vec3_new(0, 0, 1e-4 * i), zero, arena);
    CHECK(find_volumetric(&floor, &above, arena).patch_count == 0);
    CHECK(find(CONTACT_MODEL_PATCH, &floor, &above, arena).patch_count == 1);
  }
}

// The point of whole bodies is the one of their common solid, bit for bit; swapped it is mirrored.
static void test_plain_pairs(Arena *arena)
{
  Random random = {21};
  int met = 0;
  for (int trial = 0; trial < 500; trial++) {
    const ArenaMark mark = arena_mark(arena);
    vec3 corners[2][12];
    Solid solids[2] = {{0}, {0}};
    for (int s = 0; s < 2; s++) {
      for (int i = 0; i < 12; i++) corners[s][i] = random_direction(&random);
      solid_add_part(&solids[s], corners[s], 12);
    }
    const PosedBody a = body_from_solid(&solids[0], random_rotation(&random), zero, zero, arena);
    PosedBody b = body_from_solid(&solids[1], random_rotation(&random), zero, zero, arena);
    b.center = vec3_scale(random_between(&random, 1.2, 2), random_direction(&random));
    const PatchSet set = find_volumetric(&a, &b, arena), back = find_volumetric(&b, &a, arena);
    CHECK(set.failed == 0 && set.patch_count == back.patch_count);
    const vec3 shift = vec3_sub(b.center, a.center);
    const Polyhedron moved = polyhedron_place(&b.parts[0], straight(), shift, arena);
    const Intersection common = intersection_clip(&a.parts[0], &moved, 0, arena);
    const IntersectionContact point =
        intersection_contact(&common, &a.parts[0], &moved, NULL, arena);
    CHECK((point.area > 0) == (set.patch_count == 1));
    if (set.patch_count == 1 && back.patch_count == 1) {
      met++;
      const PatchPoint *p = set.patches[0].points, *q = back.patches[0].points;
      CHECK(p->area == point.area && p->gap == point.gap);
      CHECK(memcmp(&p->point, &point.point, sizeof(vec3)) == 0);
      CHECK(memcmp(&set.patches[0].normal, &point.normal, sizeof(vec3)) == 0);
      CHECK(feature_index(p->feature_a) == point.face_a);
      CHECK(feature_index(p->feature_b) == point.face_b);
      CHECK_NEAR(p->area, q->area, 1e-9);
      CHECK_NEAR(p->gap, q->gap, 1e-9);
      CHECK_NEAR(vec3_norm(vec3_add(set.patches[0].normal, back.patches[0].normal)), 0, 1e-6);
      CHECK_NEAR(vec3_norm(vec3_sub(p->point, vec3_add(q->point, shift))), 0, 1e-7);
    }
    arena_release(arena, mark);
  }
  CHECK(met > 200);
}

// A box of the corner low to high, cut into pieces of equal size along x and y.
static Solid cut_box(vec3 low, vec3 high, int nx, int ny)
{
  Solid solid = {0};
  const double dx = (high.x - low.x) / nx, dy = (high.y - low.y) / ny;
  for (int i = 0; i < nx; i++) {
    for (int j = 0; j < ny; j++) {
      solid_add_box(&solid, vec3_new(low.x + i * dx, low.y + j * dy, low.z),
                    vec3_new(low.x + (i + 1) * dx, low.y + (j + 1) * dy, high.z));
    }
  }
  return solid;
}

// Internal faces count nowhere: areas of the pieces add up to that of the whole, their points have
// its centroid, every normal is that of the faces that meet.
static void test_pieces_add_up(Arena *arena)
{
  Random random = {22};
  for (int trial = 0; trial < 60; trial++) {
    const ArenaMark mark = arena_mark(arena);
    const vec3 low = {-1, -0.7, -0.5}, high = {1, 0.7, 0.5};
    const Solid whole = cut_box(low, high, 1, 1), cut = cut_box(low, high, 4, 3);
    const Solid base = cut_box(vec3_new(-2, -2, -1), vec3_new(2, 2, 0), 1, 1);
    const Solid cut_base = cut_box(vec3_new(-2, -2, -1), vec3_new(2, 2, 0), 3, 2);
    const mat3 turn = random_rotation(&random);
    const double depth = trial % 3 == 0 ? 1e-6 : trial % 3 == 1 ? 1e-3 : 0.05;
    const mat3 tilt = rotation_about(vec3_new(0, 0, 1), random_between(&random, 0, 1));
    const vec3 place = {random_between(&random, -0.3, 0.3), random_between(&random, -0.3, 0.3),
                        0.5 - depth};
    const mat3 turned = mat3_mul_mat(turn, tilt);
    const vec3 moved = mat3_mul(turn, place);
    const PosedBody a = body_from_solid(&base, turn, zero, zero, arena);
    const PosedBody b = body_from_solid(&whole, turned, moved, zero, arena);
    const PosedBody pa = body_from_solid(&cut_base, turn, zero, zero, arena);
    const PosedBody pb = body_from_solid(&cut, turned, moved, zero, arena);
    const PatchSet one = find_volumetric(&a, &b, arena), many = find_volumetric(&pa, &pb, arena);
    if (!CHECK(one.patch_count == 1 && many.patch_count > 12 && many.failed == 0)) continue;
    double area = 0;
    vec3 sum = zero;
    const vec3 up = mat3_mul(turn, vec3_new(0, 0, -1));
    for (int i = 0; i < many.patch_count; i++) {
      const PatchPoint *p = many.patches[i].points;
      area += p->area;
      sum = vec3_axpy(p->area, p->point, sum);
      // sides of the rim turn the normal by (depth / width)^2, and slivers see little else
      if (p->area < 0.05) continue;
      CHECK(vec3_norm(vec3_sub(many.patches[i].normal, up)) < 60 * depth * depth + 1e-12);
      CHECK_NEAR(p->gap, -depth, 60 * depth * depth + 1e-14);
    }
    CHECK_NEAR(area, one.patches[0].area, 1e-12);
    CHECK_NEAR(vec3_norm(vec3_sub(vec3_scale(1 / area, sum), one.patches[0].points->point)), 0,
               1e-12);
    arena_release(arena, mark);
  }
}

// An L on a slab, as two boxes: each gives its point, and no side between them is a surface.
static void test_ell(Arena *arena)
{
  Solid ell = {0};
  solid_add_box(&ell, zero, vec3_new(2, 1, 1));
  solid_add_box(&ell, vec3_new(0, 0, 1), vec3_new(1, 1, 2));
  const Solid slab = solid_box(vec3_new(-5, -5, -1), vec3_new(5, 5, 0));
  const PosedBody floor = body_from_solid(&slab, straight(), zero, zero, arena);
  // on its long side: one part touches; on its back, both do
  const PosedBody lying = body_from_solid(&ell, straight(), vec3_new(0, 0, -1e-3), zero, arena);
  PatchSet set = find_volumetric(&floor, &lying, arena);
  CHECK(set.patch_count == 1 && set.patches[0].points[0].part_b == 0);
  const mat3 back = rotation_about(vec3_new(0, -1, 0), 0.5 * acos(-1));
  const PosedBody standing = body_from_solid(&ell, back, vec3_new(0, 0, -1e-3), zero, arena);
  set = find_volumetric(&floor, &standing, arena);
  if (!CHECK(set.patch_count == 2)) return;
  double area = 0;
  for (int i = 0; i < 2; i++) {
    area += set.patches[i].area;
    CHECK(fabs(set.patches[i].normal.z) > 1 - 1e-6);
    CHECK_NEAR(set.patches[i].separation, -1e-3, 1e-6);
  }
  // the rim of the foot is 6 long; of the face that the seam covers in part nothing is left here
  CHECK_NEAR(area, 2 + 6e-3 / 2, 1e-12);
}

// The same L cut in two ways, which cover faces in part: the same area and centroid in all, however
// a box cuts into it.
static void test_cuts_agree(Arena *arena)
{
  Random random = {23};
  Solid flat = {0}, upright = {0};
  solid_add_box(&flat, zero, vec3_new(2, 1, 1));
  solid_add_box(&flat, vec3_new(0, 0, 1), vec3_new(1, 1, 2));
  solid_add_box(&upright, zero, vec3_new(1, 1, 2));
  solid_add_box(&upright, vec3_new(1, 0, 0), vec3_new(2, 1, 1));
  const Solid *cuts[2] = {&flat, &upright};
  const Solid block = solid_box(vec3_new(-0.6, -0.5, -0.4), vec3_new(0.6, 0.5, 0.4));
  int met = 0;
  for (int trial = 0; trial < 300; trial++) {
    const ArenaMark mark = arena_mark(arena);
    const mat3 turn = random_rotation(&random), other = random_rotation(&random);
    vec3 place = vec3_scale(random_between(&random, 0.5, 1.4), random_direction(&random));
    place = vec3_add(mat3_mul(turn, vec3_new(0.8, 0.5, 0.8)), place);
    const PosedBody box = body_from_solid(&block, other, place, zero, arena);
    double area[2] = {0, 0};
    vec3 sum[2] = {zero, zero};
    for (int c = 0; c < 2; c++) {
      const PosedBody ell = body_from_solid(cuts[c], turn, zero, zero, arena);
      const PatchSet set =
          trial % 2 ? find_volumetric(&ell, &box, arena) : find_volumetric(&box, &ell, arena);
      const vec3 center = trial % 2 ? ell.center : box.center;
      for (int i = 0; i < set.patch_count; i++) {
        const PatchPoint *p = set.patches[i].points;
        area[c] += p->area;
        sum[c] = vec3_axpy(p->area, vec3_add(p->point, center), sum[c]);
      }
      CHECK(set.failed == 0);
    }
    met += area[0] > 0;
    CHECK_NEAR(area[0], area[1], 1e-12);
    CHECK_NEAR(vec3_norm(vec3_sub(sum[0], sum[1])), 0, 1e-12);
    arena_release(arena, mark);
  }
  CHECK(met > 100);
}

// One inside the other, equal bodies: a point with a way out, or a named failure; never nothing.
static void test_buried(Arena *arena)
{
  const Solid big = solid_box(vec3_new(-1, -1, -1), vec3_new(1, 1, 1));
  const Solid small = solid_box(vec3_new(-0.1, -0.1, -0.1), vec3_new(0.1, 0.1, 0.1));
  const PosedBody outer = body_from_solid(&big, straight(), zero, zero, arena);
  const vec3 places[3] = {{0, 0, 0}, {0.2, 0.3, 0.85}, {0, 0, 0.5}};
  for (int i = 0; i < 3; i++) {
    const PosedBody inner = body_from_solid(&small, straight(), places[i], zero, arena);
    const PatchSet set = find_volumetric(&outer, &inner, arena);
    CHECK(set.patch_count == 1 && set.patches[0].separation < -0.1);
    if (i > 0) CHECK_NEAR(set.patches[0].normal.z, -1, 1e-12);
  }
  const PatchSet set = find_volumetric(&outer, &outer, arena);
  CHECK(set.patch_count == 1 && set.patches[0].separation == -2);
}

static void test_spheres_alike(Arena *arena)
{
  Shape *shape = arena_allocate(arena, sizeof *shape);
  CHECK(shape_build(&(ShapeRecipe){.radius = 0.5}, arena, shape).status == SHAPE_OK);
  const PosedBody ball = body_place(shape, straight(), vec3_new(0, 0, 0.49999), zero, arena);
  const Solid slab = solid_box(vec3_new(-5, -5, -1), vec3_new(5, 5, 0));
  const PosedBody floor = body_from_solid(&slab, straight(), zero, zero, arena);
  const PatchSet closed = sphere_contact_find(&floor, &ball, usual.margin, 0, arena);
  for (ContactModel model = 0; model < CONTACT_MODEL_COUNT; model++) {
    const PatchSet set = find(model, &floor, &ball, arena);
    if (!CHECK(set.patch_count == 1 && set.patches[0].point_count == 1)) continue;
    CHECK(memcmp(set.patches[0].points, closed.patches[0].points, sizeof(PatchPoint)) == 0);
  }
}

int main(void)
{
  Arena arena = arena_new();
  CHECK(strcmp(model_word(CONTACT_MODEL_PATCH), "patch") == 0);
  CHECK(strcmp(model_word(CONTACT_MODEL_VOLUMETRIC), "volumetric") == 0);
  test_brick_on_slab(&arena);
  test_plain_pairs(&arena);
  test_pieces_add_up(&arena);
  test_ell(&arena);
  test_cuts_agree(&arena);
  test_buried(&arena);
  test_spheres_alike(&arena);
  arena_destroy(&arena);
  return test_report();
}
