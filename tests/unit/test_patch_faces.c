// Bodies of many faces: hulls of 50 and 200 points on a plane and on each other. One patch, the
// right normal, the true gap, nothing lost.
#include "gjk.h"
#include "harness.h"
#include "patch.h"
#include "posed_scene.h"

static const vec3 zero = {0, 0, 0};
static const PatchParameters usual = {.margin = 1e-3, .feature_width = 2e-3, .max_points = 8};

static PatchSet find(const PosedBody *a, const PosedBody *b, double reach, Arena *arena)
{
  return patch_find(a, b, &usual, reach, arena);
}

static Shape *round_hull(int count, double radius, Random *random, Arena *arena)
{
  vec3 *points = arena_allocate(arena, (size_t)count * sizeof *points);
  for (int i = 0; i < count; i++) points[i] = vec3_scale(radius, random_direction(random));
  PartRecipe part = {.count = count, .points = points};
  Shape *shape = arena_allocate(arena, sizeof *shape);
  CHECK(shape_build(&(ShapeRecipe){.part_count = 1, .parts = &part}, arena, shape).status ==
        SHAPE_OK);
  return shape;
}

static double lowest_along(const PosedBody *body, vec3 n)
{
  double least = INFINITY;
  for (int v = 0; v < body->parts[0].vertex_count; v++)
    least = fmin(least, vec3_dot(n, body->parts[0].vertices[v]));
  return least;
}

// Hulls of 50 and 200 points on a plane: its normal, the depth of the lowest vertex, one patch. A
// place inside that is deeper than all corners by less than a tenth of the margin is no point.
static void test_many_faces_on_plane(Arena *arena)
{
  const PosedBody floor = body_floor(arena);
  Random random = {37};
  int wrong = 0, inexact = 0;
  for (int trial = 0; trial < 1000; trial++) {
    const ArenaMark mark = arena_mark(arena);
    const Shape *shape = round_hull(trial % 2 ? 50 : 200, 0.5, &random, arena);
    PosedBody body = body_place(shape, random_rotation(&random), zero, vec3_new(0, 0, -1), arena);
    const double gap = random_between(&random, -1e-2, 9e-4);
    body.center = vec3_new(0.3, -0.2, gap - lowest_along(&body, vec3_new(0, 0, 1)));
    const PatchSet set = find(&floor, &body, 0, arena);
    const double excess = patch_set_least_gap(&set) - gap;
    const bool right = set.patch_count == 1 && set.failed == 0 &&
                       set.patches[0].normal.z < -1 + 1e-12 && excess > -1e-12 && excess < 1.01e-4;
    if (!right) wrong++;
    else if (excess > 1e-12) inexact++;
    arena_release(arena, mark);
  }
  CHECK(wrong == 0 && inexact <= 10);
}

// And on each other: moved along the normal by the gap and a little more they are just apart, by a
// little less just together. Where a face goes before an edge axis that nearly repeats it, the
// separation along it may be the smaller one by part of the margin.
static void test_many_faces_together(Arena *arena)
{
  Random random = {39};
  int lost = 0, several = 0, wrong = 0, inexact = 0, touching = 0;
  for (int trial = 0; trial < 400; trial++) {
    const ArenaMark mark = arena_mark(arena);
    const Shape *first = round_hull(trial % 2 ? 50 : 200, 0.5, &random, arena);
    const Shape *second = round_hull(trial % 3 ? 50 : 200, 0.7, &random, arena);
    PosedBody a = body_place(first, random_rotation(&random), zero, zero, arena);
    a.center = zero;
    const vec3 along = random_direction(&random);
    PosedBody b = body_place(second, random_rotation(&random), zero, vec3_neg(along), arena);
    const Polyhedron *p = &a.parts[0], *q = &b.parts[0];
    vec3 *moved = arena_allocate(arena, (size_t)q->vertex_count * sizeof *moved);
    double near = 0, far = 2, distance = 0;
    for (int i = 0; i < 45; i++) {
      const double middle = 0.5 * (near + far);
      for (int v = 0; v < q->vertex_count; v++) moved[v] = vec3_axpy(middle, along, q->vertices[v]);
      distance = gjk_distance(p->vertices, p->vertex_count, moved, q->vertex_count).distance;
      if (distance > 0) far = middle;
      else near = middle;
    }
    const double push = random_between(&random, -5e-3, 5e-4);
    const vec3 center = vec3_scale(far + push, along);
    b.center = center;
    const PatchSet set = find(&a, &b, 0, arena);
    if (push < 0 && set.patch_count == 0) lost++;
    if (set.patch_count > 1 || set.failed > 0) several++;
    if (set.patch_count == 1) {
      touching++;
      const vec3 n = set.patches[0].normal;
      const double gap = patch_set_least_gap(&set);
      const double margin = 1e-3 * fmin(first->extent, second->extent);
      bool exact = true;
      for (int i = 0; i < 4; i++) {
        const double by = gap + (i & 1 ? 1 : -1) * (i & 2 ? margin : 1e-7);
        for (int v = 0; v < q->vertex_count; v++)
          moved[v] = vec3_axpy(by, n, vec3_add(q->vertices[v], center));
        const double after =
            gjk_distance(p->vertices, p->vertex_count, moved, q->vertex_count).distance;
        const bool as_said = i & 1 ? !(after > 0) : after > 0;
        if (!as_said && i & 2) wrong++;
        if (!as_said) exact = false;
      }
      if (!exact) inexact++;
    }
    arena_release(arena, mark);
  }
  CHECK(lost == 0 && several == 0 && touching > 350);
  CHECK(wrong == 0 && inexact <= touching / 50);
}

int main(void)
{
  Arena arena = arena_new();
  test_many_faces_on_plane(&arena);
  test_many_faces_together(&arena);
  arena_destroy(&arena);
  return test_report();
}
