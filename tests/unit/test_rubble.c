// Walls of rubble: stones fill the box, neighbours share corners and faces, joints have their
// width, and all is a function of the seed.
#include <stdio.h>
#include <string.h>

#include "gjk.h"
#include "harness.h"
#include "intersection.h"
#include "memory.h"
#include "rubble.h"
#include "scene.h"
#include "stones_scene.h"
#include "voronoi.h"

static const Rubble plain = {.size = {3, 0.5, 2}, .stones = 150, .flatness = 1.5, .jitter = 0.7};

static VoronoiSpace space_of(const Rubble *rubble, uint64_t stream, Arena *arena)
{
  return (VoronoiSpace){.high = rubble->size,
                        .stretch = {1, 1, rubble->flatness},
                        .count = rubble->stones,
                        .seeds = rubble_seeds(rubble, stream, arena)};
}

static const VoronoiFace *face_to(const VoronoiCells *cells, int cell, int neighbour)
{
  for (int f = 0; f < cells->cells[cell].face_count; f++)
    if (cells->cells[cell].faces[f].neighbour == neighbour) return &cells->cells[cell].faces[f];
  return NULL;
}

static double area_of(const VoronoiCells *cells, const VoronoiFace *face)
{
  vec3 corners[100];
  if (!CHECK(face->corner_count <= 100)) return 0;
  for (int k = 0; k < face->corner_count; k++) corners[k] = cells->corners[face->corners[k]];
  return vec3_norm(polyhedron_area_vector(corners, face->corner_count));
}

// Whether both loops are the same corners in opposite order.
static bool are_opposite(const VoronoiFace *a, const VoronoiFace *b)
{
  if (a->corner_count != b->corner_count) return false;
  int at = 0;
  while (at < b->corner_count && b->corners[at] != a->corners[0]) at++;
  for (int k = 0; k < a->corner_count; k++)
    if (a->corners[k] != b->corners[(at + b->corner_count - k) % b->corner_count]) return false;
  return true;
}

// Volumes add up, every face has its other side with the same corners, seeds lie in their cells.
static void check_cells(const Rubble *rubble, uint64_t stream, bool plain_corners, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  const VoronoiSpace space = space_of(rubble, stream, arena);
  VoronoiCells cells;
  if (!CHECK(voronoi_cells(&space, arena, &cells))) return;
  const vec3 high = rubble->size;
  const double box = high.x * high.y * high.z, mean = box / rubble->stones;
  double sum = 0, outside = 0;
  int unlike = 0;
  for (int i = 0; i < cells.count; i++) {
    vec3 centroid;
    const double volume = voronoi_measure(&cells, i, &centroid);
    sum += volume;
    CHECK(volume > 0);
    for (int f = 0; f < cells.cells[i].face_count; f++) {
      const VoronoiFace *face = &cells.cells[i].faces[f];
      if (face->neighbour < 0) {
        outside += area_of(&cells, face);
        continue;
      }
      const VoronoiFace *other = face_to(&cells, face->neighbour, i);
      const double there = other ? area_of(&cells, other) : 0;
      CHECK_NEAR(area_of(&cells, face), there, 1e-9 * mean);
      unlike += !other || !are_opposite(face, other);
    }
  }
  CHECK_NEAR(sum, box, 1e-12 * box);
  CHECK_NEAR(outside, 2 * (high.x * high.y + high.y * high.z + high.z * high.x), 1e-11);
  if (plain_corners) CHECK(unlike == 0);
  arena_release(arena, mark);
}

static void test_cells(Arena *arena)
{
  for (uint64_t stream = 0; stream < 10; stream++) {
    Rubble rubble = plain;
    rubble.flatness = 0.5 + 0.25 * (double)stream;
    rubble.jitter = 0.1 + 0.1 * (double)(stream % 10);
    check_cells(&rubble, stream, true, arena);
    for (int stones = 1; stones < 30; stones++) {
      rubble.stones = stones;
      check_cells(&rubble, stream, true, arena);
    }
  }
  // without jitter many corners belong to more than four cells
  for (int stones = 1; stones < 200; stones++) {
    Rubble regular = plain;
    regular.jitter = 0;
    regular.stones = stones;
    check_cells(&regular, 1, false, arena);
  }
}

// -- stones of a case -----------------------------------------------------------------------------

static Case rubble_case(BodyGroup *group, const Rubble *rubble, uint64_t seed, Arena *arena)
{
  static Stones none;
  *group = (BodyGroup){.kind = GROUP_RUBBLE, .rubble = rubble};
  return stones_case(group, &none, seed, arena);
}

// The solid of a stone in the world.
static Polyhedron solid_of(const Case *c, uint64_t id, Arena *arena)
{
  const BodyRecipe body = scene_body(c, id);
  const PartRecipe *part = &c->shapes[body.shape].parts[0];
  CHECK(vec3_norm(body.origin) == 0);
  Polyhedron hull = {0};
  CHECK(hull_build(part->points, part->count, arena, &hull) == HULL_OK);
  return hull;
}

// The common solid of two neighbours is nothing, and the joint has its width where they face.
static void check_stones(const Rubble *rubble, Arena *arena)
{
  BodyGroup group;
  Case c = rubble_case(&group, rubble, 7, arena);
  if (!CHECK(scene_prepare(&c) == NULL)) return;
  CHECK(c.body_count == (uint64_t)rubble->stones && c.shape_count == rubble->stones);
  Polyhedron *solids = arena_allocate(arena, (size_t)rubble->stones * sizeof *solids);
  vec3 low = {9, 9, 9}, high = {-9, -9, -9};
  double volume = 0;
  for (int i = 0; i < rubble->stones; i++) {
    solids[i] = solid_of(&c, (uint64_t)i, arena);
    volume += polyhedron_moments(&solids[i]).volume;
    for (int k = 0; k < solids[i].vertex_count; k++) {
      low = vec3_min(low, solids[i].vertices[k]);
      high = vec3_max(high, solids[i].vertices[k]);
    }
  }
  const vec3 size = rubble->size;
  const double box = size.x * size.y * size.z;
  if (rubble->joint == 0) CHECK_NEAR(volume, box, 1e-9 * box);
  else CHECK(volume < box);
  CHECK(low.x == 0 && high.x == size.x && low.y == -0.5 * size.y && high.y == 0.5 * size.y);
  CHECK(low.z == 0 && high.z == size.z);
  int faced = 0;
  for (int i = 0; i < rubble->stones; i++)
    for (int j = 0; j < i; j++) {
      const Polyhedron *a = &solids[i], *b = &solids[j];
      const ArenaMark mark = arena_mark(arena);
      CHECK(intersection_clip(a, b, 0, arena).volume <= 1e-12 * box / rubble->stones);
      arena_release(arena, mark);
      const double gap =
          gjk_distance(a->vertices, a->vertex_count, b->vertices, b->vertex_count).distance;
      CHECK(gap >= rubble->joint * (1 - 1e-9));
      faced += gap <= rubble->joint * (1 + 1e-9) + 1e-15;
    }
  CHECK(faced > 4 * rubble->stones);
}

static void test_stones(Arena *arena)
{
  check_stones(&plain, arena);
  Rubble joints = plain;
  joints.joint = 0.005;
  check_stones(&joints, arena);
  joints.relaxations = 3;
  check_stones(&joints, arena);
}

// The mean width of stones over their mean height, and the spread of volumes.
static void measure(const Rubble *rubble, double *aspect, double *spread, Arena *arena)
{
  BodyGroup group;
  Case c = rubble_case(&group, rubble, 7, arena);
  if (!CHECK(scene_prepare(&c) == NULL)) return;
  double wide = 0, high = 0, sum = 0, squares = 0;
  for (int i = 0; i < c.shape_count; i++) {
    vec3 from, to;
    recipe_bounds(&c.shapes[i], &from, &to);
    wide += to.x - from.x;
    high += to.z - from.z;
    const Polyhedron solid = solid_of(&c, (uint64_t)i, arena);
    const double volume = polyhedron_moments(&solid).volume;
    sum += volume;
    squares += volume * volume;
  }
  *aspect = wide / high;
  const double mean = sum / c.shape_count;
  *spread = sqrt(squares / c.shape_count - mean * mean) / mean;
}

static void test_measures(Arena *arena)
{
  double aspect, spread, relaxed;
  Rubble rubble = {.size = {3, 3, 3}, .stones = 1000, .flatness = 1, .jitter = 0.8};
  measure(&rubble, &aspect, &spread, arena);
  CHECK_NEAR(aspect, 1, 0.1);
  rubble.flatness = 3;
  measure(&rubble, &aspect, &spread, arena);
  CHECK_NEAR(aspect, 3, 0.4);
  // seeds that move to the middles of their cells make stones more alike
  rubble.relaxations = 10;
  measure(&rubble, &aspect, &relaxed, arena);
  CHECK(relaxed < 0.6 * spread);

  CHECK(rubble_count((vec3){3, 0.5, 2}, 0.1) == 3000);
  CHECK(rubble_count((vec3){3, 0.5, 2}, 50) == 1);
  CHECK(rubble_count((vec3){3, 0.5, 2}, 1e-9) == RUBBLE_MOST_STONES + 1);
}

static void test_seed(Arena *arena)
{
  BodyGroup groups[3];
  const Case c[3] = {rubble_case(&groups[0], &plain, 7, arena),
                     rubble_case(&groups[1], &plain, 7, arena),
                     rubble_case(&groups[2], &plain, 8, arena)};
  Case prepared[3];
  for (int k = 0; k < 3; k++) {
    prepared[k] = c[k];
    if (!CHECK(scene_prepare(&prepared[k]) == NULL)) return;
  }
  int other = 0;
  for (int i = 0; i < plain.stones; i++) {
    const PartRecipe *p = &prepared[0].shapes[i].parts[0], *q = &prepared[1].shapes[i].parts[0];
    const PartRecipe *r = &prepared[2].shapes[i].parts[0];
    CHECK(p->count == q->count &&
          memcmp(p->points, q->points, (size_t)p->count * sizeof(vec3)) == 0);
    other +=
        p->count != r->count || memcmp(p->points, r->points, (size_t)p->count * sizeof(vec3)) != 0;
  }
  CHECK(other > 140);
}

static void test_refusals(Arena *arena)
{
  Rubble rubble = plain;
  rubble.joint = 0.3;
  BodyGroup group;
  Case c = rubble_case(&group, &rubble, 7, arena);
  const char *refusal = scene_prepare(&c);
  if (CHECK(refusal != NULL))
    CHECK(strstr(refusal, "joints of 0.3 m leave nothing of stone") != NULL);
}

int main(void)
{
  Arena arena = arena_new();
  test_cells(&arena);
  test_stones(&arena);
  test_measures(&arena);
  test_seed(&arena);
  test_refusals(&arena);
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
