// Time per contact of ellipsoids, without knowledge of a last step: with ellipsoids, spheres, a
// box, a floor of tiles and a stone. The budget of two ellipsoids that touch is 0.5 us a pair.
//
// bench_ellipsoid_contact [PAIRS [REPEATS]]: that many different pairs of each kind, the least of
// the repeats in processor time.
#include "ellipsoid_contact.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "ellipsoid.h"
#include "random_numbers.h"
#include "shape.h"

#define MARGIN 1e-3
#define REACH 1e-4      // m
#define TOUCHING 1e-3   // of the smaller mean radius: overlap of bodies that a step has left
#define DEEP 0.1

typedef enum { ELLIPSOID, SPHERE, BOX, TILES, STONE } Kind;

// What is measured: an ellipsoid to some aspect against a body of a kind.
typedef struct {
  const char *name;
  Kind kind;
  double aspect, low_gap, high_gap;   // gaps of the smaller mean radius
} Scenario;

typedef struct {
  int count;
  PosedBody *a, *b;
} Pairs;

static double cpu_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static Shape *shape_of(const ShapeRecipe *recipe, Arena *arena)
{
  Shape *shape = arena_allocate(arena, sizeof *shape);
  if (shape_build(recipe, arena, shape).status != SHAPE_OK) abort();
  return shape;
}

// Turned, about the origin.
static PosedBody place(const Shape *shape, mat3 rotation, Arena *arena)
{
  Polyhedron *parts = arena_allocate(arena, ((size_t)shape->part_count + 1) * sizeof *parts);
  for (int p = 0; p < shape->part_count; p++)
    parts[p] = polyhedron_place(&shape->parts[p].hull, rotation, vec3_new(0, 0, 0), arena);
  return (PosedBody){.shape = shape, .parts = parts, .rotation = rotation};
}

static Shape *random_ellipsoid(double aspect, Random *random, Arena *arena)
{
  const double size = exp(random_between(random, -0.5, 0.5));
  const vec3 radii = {size, size * pow(aspect, -random_between(random, 0, 1)), size / aspect};
  return shape_of(&(ShapeRecipe){.radii = radii}, arena);
}

// A box of 2 x 2 x 1 m whole and of 16 tiles, a stone of 76 faces within 1 m.
static Shape *body_of_parts(Kind kind, Arena *arena)
{
  vec3 box[8], stone[40], tiles[16][8];
  PartRecipe parts[16];
  for (int i = 0; i < 8; i++) box[i] = vec3_new(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 0.5 : -0.5);
  for (int i = 0; i < 40; i++) {
    const double z = (i + 0.5) / 20 - 1, s = sqrt(1 - z * z), turn = 2.4 * i;
    stone[i] = vec3_new(s * cos(turn), s * sin(turn), z);
  }
  for (int t = 0; t < 16; t++) {
    for (int i = 0; i < 8; i++)
      tiles[t][i] = vec3_new(0.5 * (t % 4) - 1 + (i & 1 ? 0.5 : 0),
                             0.5 * (int)(t / 4) - 1 + (i & 2 ? 0.5 : 0), i & 4 ? 0.5 : -0.5);
    parts[t] = (PartRecipe){.count = 8, .points = tiles[t]};
  }
  if (kind == BOX) parts[0] = (PartRecipe){.count = 8, .points = box};
  if (kind == STONE) parts[0] = (PartRecipe){.count = 40, .points = stone};
  const ShapeRecipe recipe = {.part_count = kind == TILES ? 16 : 1, .parts = parts};
  return shape_of(&recipe, arena);
}

// A place of a body's surface and its outward normal, world axes.
typedef struct {
  vec3 place, normal;
} SurfacePlace;

static SurfacePlace place_along(const PosedBody *body, vec3 n)
{
  const double radius = body->shape->sphere_radius;
  if (radius > 0) return (SurfacePlace){vec3_scale(radius, n), n};
  const Ellipsoid e = ellipsoid_place(body->shape->radii, body->rotation);
  return (SurfacePlace){vec3_scale(1 / ellipsoid_reach(&e, n), ellipsoid_square_mul(&e, n)), n};
}

// In a facet of a body of parts.
static SurfacePlace random_place(const PosedBody *body, Random *random)
{
  const Part *part = &body->shape->parts[random_below(random, body->shape->part_count)];
  const Facet *facet = &part->facets[random_below(random, part->facet_count)];
  vec3 place = {0, 0, 0};
  double sum = 0;
  for (int k = 0; k < facet->corner_count; k++) {
    const double weight = random_between(random, 0, 1);
    place = vec3_axpy(weight, facet->corners[k], place);
    sum += weight;
  }
  return (SurfacePlace){mat3_mul(body->rotation, vec3_scale(1 / sum, place)),
                        mat3_mul(body->rotation, part->hull.planes[facet->face].normal)};
}

static double mean_radius(const Shape *shape)
{
  if (shape->sphere_radius > 0) return shape->sphere_radius;
  if (shape->part_count > 0) return 1;
  return cbrt(shape->radii.x * shape->radii.y * shape->radii.z);
}

// Pairs that are apart by a random gap along the normal of a place of the first body.
static Pairs make_pairs(const Scenario *s, int count, Arena *arena)
{
  Random random = {1};
  const size_t bytes = (size_t)count * sizeof(PosedBody);
  Pairs pairs = {count, arena_allocate(arena, bytes), arena_allocate(arena, bytes)};
  Shape *parts = s->kind >= BOX ? body_of_parts(s->kind, arena) : NULL;
  for (int i = 0; i < count; i++) {
    Shape *other = parts;
    if (s->kind == ELLIPSOID) other = random_ellipsoid(s->aspect, &random, arena);
    if (s->kind == SPHERE) other = shape_of(&(ShapeRecipe){.radius = 0.5}, arena);
    Shape *shape = random_ellipsoid(s->aspect, &random, arena);
    pairs.a[i] = place(other, random_rotation(&random), arena);
    pairs.b[i] = place(shape, random_rotation(&random), arena);
    const SurfacePlace from = parts ? random_place(&pairs.a[i], &random)
                                    : place_along(&pairs.a[i], random_direction(&random)),
                       to = place_along(&pairs.b[i], vec3_neg(from.normal));
    const double gap = random_between(&random, s->low_gap, s->high_gap) *
                       fmin(mean_radius(shape), mean_radius(other));
    pairs.b[i].center = vec3_sub(vec3_axpy(gap, from.normal, from.place), to.place);
  }
  return pairs;
}

static void measure(const Scenario *s, int count, int repeats)
{
  Arena arena = arena_new();
  const Pairs pairs = make_pairs(s, count, &arena);
  double least = INFINITY;
  int64_t points = 0, failed = 0;
  for (int r = 0; r < repeats; r++) {
    points = failed = 0;
    const double begin = cpu_seconds();
    for (int i = 0; i < count; i++) {
      const ArenaMark mark = arena_mark(&arena);
      const PatchSet set = ellipsoid_contact_find(&pairs.a[i], &pairs.b[i], MARGIN, REACH, &arena);
      points += set.patch_count;
      failed += set.failed;
      arena_release(&arena, mark);
    }
    least = fmin(least, cpu_seconds() - begin);
  }
  printf("%-44s %7.0f ns a pair, %.2f points, %lld failed\n", s->name, 1e9 * least / count,
         (double)points / count, (long long)failed);
  arena_destroy(&arena);
}

int main(int argc, char **argv)
{
  const int pairs = argc > 1 ? atoi(argv[1]) : 20000, repeats = argc > 2 ? atoi(argv[2]) : 5;
  const Scenario scenarios[] = {
      {"two ellipsoids to aspect 3, touching", ELLIPSOID, 3, -TOUCHING, 0},
      {"two ellipsoids to aspect 10, touching", ELLIPSOID, 10, -TOUCHING, 0},
      {"two ellipsoids to aspect 100, touching", ELLIPSOID, 100, -TOUCHING, 0},
      {"two ellipsoids to aspect 3, deep", ELLIPSOID, 3, -DEEP, -TOUCHING},
      {"two ellipsoids to aspect 10, deep", ELLIPSOID, 10, -DEEP, -TOUCHING},
      {"two ellipsoids to aspect 10, near, apart", ELLIPSOID, 10, 0.01, 0.1},
      {"ellipsoid to aspect 3, sphere", SPHERE, 3, -TOUCHING, 0},
      {"ellipsoid to aspect 3, box", BOX, 3, -TOUCHING, 0},
      {"ellipsoid to aspect 3, 16 tiles", TILES, 3, -TOUCHING, 0},
      {"ellipsoid to aspect 3, stone of 76 faces", STONE, 3, -TOUCHING, 0},
  };
  for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
    measure(&scenarios[i], pairs > 0 ? pairs : 1, repeats > 0 ? repeats : 1);
  return 0;
}
