// From soups to bodies: exact measures of reference solids, and every repair. Refusals:
// test_mesh_refusals.c.
#include <math.h>
#include <stdio.h>

#include "harness.h"
#include "memory.h"
#include "mesh_results.h"

static const MeshFrame AS_IT_IS = {.scale = 1, .up = 2, .flat = MESH_AS_IT_IS};

// A body that is a closed oriented surface with the given measures.
static void check_body(const MeshBlock *b, ExactMeasures expected, double tolerance)
{
  const double size = cbrt(expected.volume), reach = vec3_norm(expected.centroid) + size;
  CHECK_NEAR(b->volume, expected.volume, tolerance * expected.volume);
  CHECK_NEAR(vec3_norm(vec3_sub(b->centroid, expected.centroid)), 0, tolerance * reach);
  double scale = 0;
  for (int k = 0; k < 3; k++) scale += (&expected.inertia.row[k].x)[k];
  for (int k = 0; k < 9; k++) {
    const double value = (&b->inertia.row[k / 3].x)[k % 3];
    CHECK_NEAR(value, (&expected.inertia.row[k / 3].x)[k % 3], tolerance * scale);
  }
  vec3 area = {0, 0, 0};
  for (int t = 0; t < b->triangle_count; t++) {
    const int *v = b->triangles[t];
    const vec3 p = b->points[v[0]];
    area = vec3_add(area, vec3_cross(vec3_sub(b->points[v[1]], p), vec3_sub(b->points[v[2]], p)));
    CHECK(b->polygon[t] >= 0 && b->polygon[t] < b->repairs.polygons);
  }
  CHECK_NEAR(vec3_norm(area), 0, 1e-12 * size * size);
}

static bool is_clean(MeshRepairs r)
{
  return r.merged_points == 0 && r.split_points == 0 && r.dropped_faces == 0 &&
         r.turned_faces == 0 && r.turned_tetra == 0 && !r.inside_out && r.split_faces == 0;
}

static const int POINTS[SKETCH_KINDS] = {8, 4, 6, 6, 12, 16, 100};
static const int TRIANGLES[SKETCH_KINDS] = {12, 4, 8, 8, 20, 28, 200};
static const int POLYGONS[SKETCH_KINDS] = {6, 4, 8, 5, 8, 10, 0};
static const bool CONVEX[SKETCH_KINDS] = {true, true, true, true, false, false, false};

static void check_reference_solids(void)
{
  // known by hand: the L of three and one cubes; the unit cube; a right-angled tetrahedron
  Arena arena = arena_new();
  Sketch *s = sketch_new(&arena);
  sketch_l(s);
  const ExactMeasures l = sketch_measures(s);
  CHECK(l.volume == 4);
  CHECK_NEAR(l.centroid.x, 1.25, 1e-15);
  CHECK_NEAR(l.centroid.z, 0.75, 1e-15);
  // 4 cubes: each 1/6 about its centre and (dx2 + dz2) from there to the centroid
  CHECK_NEAR(l.inertia.row[1].y,
             4.0 / 6 + (0.5625 + 0.0625) + (0.0625 + 0.0625) + (1.5625 + 0.0625) +
                 (0.5625 + 0.5625),
             1e-14);
  arena_destroy(&arena);

  for (int kind = 0; kind < SKETCH_KINDS; kind++) {
    arena = arena_new();
    s = sketch_new(&arena);
    sketch_block(s, "stone");
    sketch_solid(s, kind);
    Result r = mesh_blocks_of(s, AS_IT_IS);
    if (CHECK(r.sound && r.mesh_blocks.count == 1)) {
      const MeshBlock *b = &r.mesh_blocks.of[0];
      check_body(b, sketch_measures(s), 1e-13);
      CHECK(is_clean(b->repairs) && r.mesh_blocks.unused_points == 0);
      CHECK(strcmp(b->name, "stone") == 0);
      CHECK(b->point_count == POINTS[kind] && b->triangle_count == TRIANGLES[kind]);
      CHECK(b->convex == CONVEX[kind]);
      if (POLYGONS[kind] > 0) CHECK(b->repairs.polygons == POLYGONS[kind]);
      CHECK(b->tetra_count == 0);
      // points in the order of the file, unchanged
      for (int i = 0; i < b->point_count; i++) {
        CHECK(memcmp(&b->points[i], &s->points[i], sizeof(vec3)) == 0);
      }
    } else {
      printf("kind %d: %s\n", kind, r.error);
    }
    arena_destroy(&r.arena);
    arena_destroy(&arena);
  }
}

static void check_mesh_frames(void)
{
  Arena arena = arena_new();
  Sketch *s = sketch_new(&arena);
  sketch_l(s);
  const ExactMeasures m = sketch_measures(s);
  Result up_z = mesh_blocks_of(s, (MeshFrame){.scale = 0.001, .up = 2});
  Result up_y = mesh_blocks_of(s, (MeshFrame){.scale = 2, .up = 1}),
         up_x = mesh_blocks_of(s, (MeshFrame){.scale = 2});
  if (CHECK(up_z.sound && up_y.sound && up_x.sound)) {
    CHECK_NEAR(up_z.mesh_blocks.of[0].volume, 4e-9, 1e-23);
    const MeshBlock *y = &up_y.mesh_blocks.of[0], *x = &up_x.mesh_blocks.of[0];
    CHECK(y->volume == 32 && x->volume == 32 && !y->repairs.inside_out && !x->repairs.inside_out);
    CHECK_NEAR(y->centroid.x, 2 * m.centroid.x, 1e-15);
    CHECK_NEAR(y->centroid.y, -2 * m.centroid.z, 1e-15);
    CHECK_NEAR(y->centroid.z, 2 * m.centroid.y, 1e-15);
    CHECK_NEAR(x->centroid.x, 2 * m.centroid.y, 1e-15);
    CHECK_NEAR(x->centroid.y, 2 * m.centroid.z, 1e-15);
    CHECK_NEAR(x->centroid.z, 2 * m.centroid.x, 1e-15);
    CHECK_NEAR(y->inertia.row[2].z, 32 * m.inertia.row[1].y, 1e-12);
    CHECK_NEAR(y->inertia.row[1].x, -32 * m.inertia.row[2].x, 1e-12);
    for (int i = 0; i < y->point_count; i++) {
      CHECK(!signbit(y->points[i].y) || y->points[i].y != 0);
    }
  }
  arena_destroy(&up_z.arena), arena_destroy(&up_y.arena), arena_destroy(&up_x.arena);
  arena_destroy(&arena);
}

// Far from the origin, by powers of two, so that the coordinates carry all digits.
static void check_far_away(void)
{
  for (int kind = 0; kind < SKETCH_KINDS; kind++) {
    Arena arena = arena_new();
    Sketch *s = sketch_new(&arena);
    sketch_solid(s, kind);
    const ExactMeasures near = sketch_measures(s);
    for (int i = 0; i < s->soup.point_count; i++) {
      s->points[i] = vec3_add(s->points[i], (vec3){32768, -65536, 16384});
    }
    Result r = mesh_blocks_of(s, AS_IT_IS);
    if (CHECK(r.sound)) {
      const MeshBlock *b = &r.mesh_blocks.of[0];
      CHECK_NEAR(b->volume, near.volume, 1e-13 * near.volume);
      for (int k = 0; k < 9; k++) {
        CHECK_NEAR((&b->inertia.row[k / 3].x)[k % 3], (&near.inertia.row[k / 3].x)[k % 3],
                   1e-12 * near.inertia.row[0].x);
      }
      CHECK_NEAR(b->centroid.x - 32768, near.centroid.x, 1e-11);
      CHECK(b->convex == CONVEX[kind]);
    }
    arena_destroy(&r.arena);
    arena_destroy(&arena);
  }
}

// -- the same solid written in other ways ---------------------------------------------------------

static void check_rewritten(int rounds)
{
  Random random = {11};
  for (int round = 0; round < rounds; round++) {
    Arena arena = arena_new();
    Sketch *s = sketch_new(&arena);
    const int kind = round % SKETCH_KINDS;
    sketch_solid(s, kind);
    Rewrite how = {.explode = random_below(&random, 2),
                   .triangulate = CONVEX[kind] && random_below(&random, 2),
                   .shuffle = true,
                   .flip = random_below(&random, 2) ? 0.2 : 0,
                   .all_inside_out = random_below(&random, 2),
                   .repeat = random_below(&random, 3)};
    if (how.explode && random_below(&random, 2)) how.jitter = 1e-11;
    const Sketch *other = rewrite(s, how, &random, &arena);
    Result r = mesh_blocks_of(other, AS_IT_IS);
    if (CHECK(r.sound && r.mesh_blocks.count == 1)) {
      const MeshBlock *b = &r.mesh_blocks.of[0];
      check_body(b, sketch_measures(s), how.jitter > 0 ? 1e-9 : 1e-12);
      CHECK(b->point_count == POINTS[kind] && b->triangle_count == TRIANGLES[kind]);
      CHECK(how.jitter > 0 || b->convex == CONVEX[kind]);
      CHECK(POLYGONS[kind] == 0 || b->repairs.polygons == POLYGONS[kind]);
      CHECK(b->repairs.merged_points == other->soup.point_count - POINTS[kind]);
      CHECK(b->repairs.dropped_faces >= how.repeat);
      if (how.flip <= 0)
        CHECK(b->repairs.turned_faces == 0 && b->repairs.inside_out == how.all_inside_out);
    } else {
      printf("round %d, kind %d: %s\n", round, kind, r.error);
    }
    arena_destroy(&r.arena);
    arena_destroy(&arena);
  }
}

// -- repairs one by one ---------------------------------------------------------------------------

// The repairs of the first of so many bodies; the volume must be that expected.
static MeshRepairs repairs_of(const Sketch *s, int bodies, double volume)
{
  Result r = mesh_blocks_of(s, AS_IT_IS);
  MeshRepairs repairs = {0};
  if (CHECK(r.sound && r.mesh_blocks.count == bodies)) {
    repairs = r.mesh_blocks.of[0].repairs;
    CHECK_NEAR(r.mesh_blocks.of[0].volume, volume, 1e-9 * volume);
  } else {
    printf("%d bodies: %s\n", r.mesh_blocks.count, r.error);
  }
  arena_destroy(&r.arena);
  return repairs;
}

static Sketch *cube(Arena *arena)
{
  Sketch *s = sketch_new(arena);
  sketch_unit_cube(s);
  return s;
}

static void check_single_repairs(void)
{
  Arena arena = arena_new();

  // one face with a corner of its own at the place of another one, exactly and nearly
  for (int k = 0; k < 2; k++) {
    Sketch *s = cube(&arena);
    const vec3 p = s->points[s->corners[0]];
    s->corners[0] = sketch_point(s, p.x + k * 9e-11, p.y, p.z);
    CHECK(repairs_of(s, 1, 1).merged_points == 1);
  }

  // one turned face, all turned
  Sketch *s = cube(&arena);
  const int keep = s->corners[1];
  s->corners[1] = s->corners[3], s->corners[3] = keep;
  MeshRepairs r = repairs_of(s, 1, 1);
  CHECK(r.turned_faces == 1 && !r.inside_out);
  for (int f = 0; f < 6; f++) {
    const int swap = s->corners[4 * f + 1];
    s->corners[4 * f + 1] = s->corners[4 * f + 3], s->corners[4 * f + 3] = swap;
  }
  r = repairs_of(s, 1, 1);
  CHECK(r.turned_faces == 1 && r.inside_out);

  // a repeated face, with the same points, turned, and with points of its own
  for (int k = 0; k < 3; k++) {
    s = cube(&arena);
    int again[4];
    for (int i = 0; i < 4; i++) again[i] = s->corners[k == 1 ? 3 - i : i];
    for (int i = 0; i < 4 && k == 2; i++) {
      const vec3 p = s->points[again[i]];
      again[i] = sketch_point(s, p.x, p.y, p.z);
    }
    sketch_face(s, again, 4);
    CHECK(repairs_of(s, 1, 1).dropped_faces == 1);
  }

  // faces without area: a repeated corner, one along an edge to and fro
  s = cube(&arena);
  const int needle[3] = {s->corners[0], s->corners[1], s->corners[0]};
  sketch_face(s, needle, 3);
  CHECK(repairs_of(s, 1, 1).dropped_faces == 1);

  // a point in no face
  s = cube(&arena);
  (void)sketch_point(s, 7, 7, 7);
  Result whole = mesh_blocks_of(s, AS_IT_IS);
  CHECK(whole.sound && whole.mesh_blocks.unused_points == 1);
  arena_destroy(&whole.arena);

  // a polygon that is not flat
  s = cube(&arena);
  s->points[0].y = -0.25;
  r = repairs_of(s, 1, 1 + 0.25 / 6);
  CHECK(r.split_faces == 1 && r.polygons == 7);
  arena_destroy(&arena);
}

// A corner in the middle of an edge: the face on one side knows it, the other side fills the gap
// with a triangle without area.
static void check_flat_triangles(void)
{
  Arena arena = arena_new();
  for (int k = 0; k < 3; k++) {
    Sketch *s = cube(&arena);
    const int a = s->corners[0], b = s->corners[1];
    const vec3 p = s->points[a], q = s->points[b];
    const int m =
        sketch_point(s, 0.5 * (p.x + q.x), 0.5 * (p.y + q.y), 0.5 * (p.z + q.z) + k * 1e-11);
    // face 0 becomes a pentagon with the middle; the gap is filled
    const int pentagon[5] = {a, m, b, s->corners[2], s->corners[3]}, gap[3] = {a, b, m};
    const int turned[3] = {m, b, a};
    memmove(s->corners, s->corners + 4, sizeof(int) * 20);
    for (int f = 0; f < 6; f++) s->start[f] = 4 * f;
    s->soup.face_count = 5;
    sketch_face(s, pentagon, 5);
    sketch_face(s, k == 2 ? turned : gap, 3);
    Result r = mesh_blocks_of(s, AS_IT_IS);
    if (CHECK(r.sound && r.mesh_blocks.count == 1)) {
      const MeshBlock *body = &r.mesh_blocks.of[0];
      CHECK_NEAR(body->volume, 1, 1e-10);
      CHECK(body->point_count == 9 && body->triangle_count == 14);
      CHECK(body->repairs.polygons == 6);
      CHECK(body->repairs.dropped_faces == 1 && body->repairs.turned_faces == (k == 2));
    } else {
      printf("%s\n", r.error);
    }
    arena_destroy(&r.arena);
  }

  // a row of points on an edge, filled by a fan of triangles without area
  Sketch *s = cube(&arena);
  const int a = s->corners[0], b = s->corners[1];
  const vec3 p = s->points[a], q = s->points[b];
  int polygon[16] = {a}, count = 1;
  for (int i = 1; i < 8; i++) {
    const vec3 m = vec3_axpy(i / 8.0, vec3_sub(q, p), p);
    polygon[count++] = sketch_point(s, m.x, m.y, m.z);
  }
  polygon[count++] = b;
  for (int i = 0; i + 2 < count; i++) {
    const int gap[3] = {polygon[0], polygon[i + 2], polygon[i + 1]};
    sketch_face(s, gap, 3);
  }
  polygon[count++] = s->corners[2], polygon[count++] = s->corners[3];
  sketch_face(s, polygon, count);
  memmove(s->corners, s->corners + 4, sizeof(int) * (size_t)(s->start[s->soup.face_count] - 4));
  for (int f = 0; f < s->soup.face_count; f++) s->start[f] = s->start[f + 1] - 4;
  s->soup.face_count--;
  const MeshRepairs r = repairs_of(s, 1, 1);
  CHECK(r.polygons == 6 && r.dropped_faces == 7);
  arena_destroy(&arena);
}

// -- several bodies -------------------------------------------------------------------------------

static void check_names(const Sketch *s, const char *const *names, int count)
{
  Result r = mesh_blocks_of(s, AS_IT_IS);
  if (CHECK(r.sound && r.mesh_blocks.count == count)) {
    for (int i = 0; i < count; i++) {
      if (!CHECK(strcmp(r.mesh_blocks.of[i].name, names[i]) == 0))
        printf("'%s' for '%s'\n", r.mesh_blocks.of[i].name, names[i]);
    }
  } else {
    printf("%d bodies: %s\n", r.mesh_blocks.count, r.error);
  }
  arena_destroy(&r.arena);
}

static void check_several_bodies(void)
{
  Arena arena = arena_new();
  // neighbours of a wall, each a mesh block, with points of their own or not
  Random random = {5};
  for (int k = 0; k < 2; k++) {
    Sketch *s = sketch_new(&arena);
    sketch_block(s, "left");
    sketch_box(s, (vec3){0, 0, 0}, (vec3){1, 1, 1});
    const int faces = s->soup.face_count;
    sketch_block(s, "right");
    sketch_box(s, (vec3){1, 0, 0}, (vec3){2, 1, 1});
    if (k == 1) {
      s = rewrite(s, (Rewrite){.explode = true, .triangulate = true}, &random, &arena);
      s->names[0] = "left", s->names[1] = "right";
      s->soup.mesh_block_count = 2;
      for (int f = 0; f < s->soup.face_count; f++) s->mesh_block[f] = f >= 2 * faces;
    }
    check_names(s, (const char *[]){"left", "right"}, 2);
  }

  // three bodies in one mesh block; two of them touch, each with points of its own
  Sketch *s = sketch_new(&arena);
  sketch_block(s, "heap");
  sketch_box(s, (vec3){0, 0, 0}, (vec3){1, 1, 1});
  sketch_box(s, (vec3){1, 0, 0}, (vec3){2, 1, 1});
  sketch_box(s, (vec3){0.5, 0.25, 1}, (vec3){1.5, 0.75, 2});
  check_names(s, (const char *[]){"heap", "heap 2", "heap 3"}, 3);

  // a surface split by material, beside a body of its own
  s = sketch_new(&arena);
  sketch_block(s, "apart");
  sketch_box(s, (vec3){5, 0, 0}, (vec3){6, 1, 1});
  sketch_block(s, "front");
  sketch_unit_cube(s);
  s->names[2] = "back";
  s->soup.mesh_block_count = 3;
  for (int f = 9; f < 12; f++) s->mesh_block[f] = 2;
  check_names(s, (const char *[]){"apart", "front"}, 2);
  s = rewrite(s, (Rewrite){.explode = true}, &random, &arena);
  s->names[0] = "apart", s->names[1] = "front", s->names[2] = "back";
  s->soup.mesh_block_count = 3;
  for (int f = 0; f < 12; f++) s->mesh_block[f] = f / 6 + (f >= 9);
  check_names(s, (const char *[]){"apart", "front"}, 2);

  // two bodies that meet in a point of both
  s = sketch_new(&arena);
  sketch_box(s, (vec3){0, 0, 0}, (vec3){1, 1, 1});
  sketch_box(s, (vec3){1, 1, 1}, (vec3){2, 2, 2});
  s = rewrite(s, (Rewrite){.explode = true, .triangulate = true}, &random, &arena);
  Result r = mesh_blocks_of(s, AS_IT_IS);
  if (CHECK(r.sound && r.mesh_blocks.count == 2)) {
    CHECK(r.mesh_blocks.of[1].repairs.split_points == 1 && r.mesh_blocks.of[1].point_count == 8);
    CHECK(r.mesh_blocks.of[0].convex && r.mesh_blocks.of[1].convex);
  }
  arena_destroy(&r.arena);
  arena_destroy(&arena);
}

// A bar bent so far that two corners meet in one point of the surface.
static void check_split_point(void)
{
  Arena arena = arena_new();
  Sketch *s = sketch_new(&arena);
  // a ring whose outline touches itself in the prism's ends would touch along an edge; a pyramid
  // that stands with its tip on the floor of a box that it is joined to touches in a point
  const double outline[8][2] = {{0, 0}, {3, 0}, {3, 3}, {0, 3}, {0, 2}, {2, 2}, {2, 1}, {0, 1}};
  sketch_prism(s, outline, 8, 0, 3);
  // the lower side of the upper arm, face of the edge (0, 2) - (2, 2), becomes a tip that hangs
  // down
  int face = -1;
  for (int f = 2; f < 10; f++) {
    double low = 9, high = 0;
    for (int k = s->start[f]; k < s->start[f + 1]; k++) {
      low = fmin(low, s->points[s->corners[k]].z), high = fmax(high, s->points[s->corners[k]].z);
    }
    if (low == 2 && high == 2) face = f;
  }
  int top = -1;
  for (int f = 2; f < 10; f++) {
    double low = 9, high = 0;
    for (int k = s->start[f]; k < s->start[f + 1]; k++) {
      low = fmin(low, s->points[s->corners[k]].z), high = fmax(high, s->points[s->corners[k]].z);
    }
    if (low == 1 && high == 1) top = f;
  }
  CHECK(face > 0 && top > 0);
  const int tip = sketch_point(s, 1, 1.5, 1);
  int loops[2][4];
  memcpy(loops[0], s->corners + s->start[face], sizeof loops[0]);
  memcpy(loops[1], s->corners + s->start[top], sizeof loops[1]);
  for (int l = 0; l < 2; l++) {
    const int old = l == 0 ? face : top;
    for (int k = 0; k < 4; k++) {
      const int triangle[3] = {loops[l][k], loops[l][(k + 1) % 4], tip};
      sketch_face(s, triangle, 3);
    }
    for (int k = 0; k < 4; k++) s->corners[s->start[old] + k] = loops[l][0];   // no area any more
  }
  Result r = mesh_blocks_of(s, AS_IT_IS);
  if (CHECK(r.sound && r.mesh_blocks.count == 1)) {
    const MeshBlock *b = &r.mesh_blocks.of[0];
    CHECK(b->repairs.split_points == 1 && b->point_count == 18 && !b->convex);
    CHECK(b->repairs.dropped_faces == 2);
    CHECK_NEAR(b->volume, 21 + 2 * 3 / 3.0, 1e-12);
  } else {
    printf("%s\n", r.error);
  }
  arena_destroy(&r.arena);
  arena_destroy(&arena);
}

// -- few digits -----------------------------------------------------------------------------------

static double round_digits(double x, int how)
{
  char text[40];
  if (how == 0) return (double)(float)x;
  snprintf(text, sizeof text, how == 1 ? "%.7g" : "%.6f", x);
  return strtod(text, NULL);
}

// Turned solids in single precision, seven digits or six decimals: dented faces become flat again,
// so that convex solids stay convex; volumes differ by the digits alone.
static void check_few_digits(int rounds)
{
  Random random = {77};
  for (int round = 0; round < rounds; round++) {
    Arena arena = arena_new();
    Sketch *s = sketch_new(&arena);
    const int kind = round % (SKETCH_KINDS - 1);   // no torus, whose quadrilaterals are not flat
    sketch_solid(s, kind);
    const double volume = sketch_measures(s).volume;
    const mat3 turn = random_rotation(&random);
    for (int i = 0; i < s->soup.point_count; i++) {
      const vec3 p = mat3_mul(turn, s->points[i]);
      s->points[i] = (vec3){round_digits(p.x, round % 3), round_digits(p.y, round % 3),
                            round_digits(p.z, round % 3)};
    }
    s = rewrite(s, (Rewrite){.explode = true, .triangulate = CONVEX[kind]}, &random, &arena);
    Result r = mesh_blocks_of(s, (MeshFrame){.scale = 1, .up = 2});
    if (CHECK(r.sound && r.mesh_blocks.count == 1)) {
      const MeshBlock *b = &r.mesh_blocks.of[0];
      CHECK(b->convex == CONVEX[kind]);
      // dents that all bulge outwards are left alone
      if (!b->convex || b->repairs.moved_points > 0) CHECK(b->repairs.polygons == POLYGONS[kind]);
      CHECK(b->point_count == POINTS[kind]);
      CHECK_NEAR(b->volume, volume, 1e-5 * volume);
      CHECK(b->repairs.farthest < 1e-5);
      CHECK((b->repairs.moved_points > 0) == (b->repairs.farthest > 0));
    } else {
      printf("round %d, kind %d: %s\n", round, kind, r.error);
    }
    arena_destroy(&r.arena);
    arena_destroy(&arena);
  }
}

// -- tetrahedra -----------------------------------------------------------------------------------

static void check_tetrahedra(void)
{
  Arena arena = arena_new();
  Sketch *s = sketch_new(&arena), *outside = sketch_new(&arena);
  sketch_block(s, "first");
  sketch_tetra_box(s, (vec3){0, 0, 0}, (vec3){1, 2, 1});
  sketch_block(s, "second");
  sketch_tetra_box(s, (vec3){1, 0, 0}, (vec3){2, 2, 1});
  sketch_box(outside, (vec3){0, 0, 0}, (vec3){1, 2, 1});
  Result r = mesh_blocks_of(s, AS_IT_IS);
  if (CHECK(r.sound && r.mesh_blocks.count == 2)) {
    const MeshBlock *b = &r.mesh_blocks.of[0];
    check_body(b, sketch_measures(outside), 1e-14);
    CHECK(b->tetra_count == 6 && b->triangle_count == 12 && b->point_count == 8 && b->convex);
    CHECK(b->repairs.turned_tetra == 3 && b->repairs.polygons == 6);
    CHECK(strcmp(r.mesh_blocks.of[1].name, "second") == 0);
    for (int t = 0; t < b->tetra_count; t++) {
      const int *v = b->tetra[t];
      const vec3 o = b->points[v[0]];
      CHECK(vec3_dot(vec3_sub(b->points[v[1]], o),
                     vec3_cross(vec3_sub(b->points[v[2]], o), vec3_sub(b->points[v[3]], o))) > 0);
    }
  } else {
    printf("%s\n", r.error);
  }
  arena_destroy(&r.arena);

  // faces that mark the boundary are known already; other faces are a body of their own
  s = sketch_new(&arena);
  sketch_tetra_box(s, (vec3){0, 0, 0}, (vec3){1, 1, 1});
  const int marks[2][4] = {{0, 1, 3, 2}, {4, 6, 7, 5}};
  sketch_face(s, marks[0], 4);
  sketch_face(s, marks[1], 4);
  sketch_block(s, "box");
  sketch_box(s, (vec3){4, 0, 0}, (vec3){5, 1, 1});
  s->names[0] = "fill";
  check_names(s, (const char *[]){"fill", "box"}, 2);

  // an L of two boxes with a common face
  s = sketch_new(&arena);
  const int first[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  sketch_tetra_box(s, (vec3){0, 0, 0}, (vec3){1, 1, 1});
  sketch_tetra_box(s, (vec3){1, 0, 0}, (vec3){2, 1, 1});
  sketch_tetra_box(s, (vec3){0, 0, 1}, (vec3){1, 1, 2});
  for (int t = 0; t < 18; t++) {
    for (int k = 0; k < 4; k++) {
      int *v = &s->tetra[t][k];
      for (int i = 0; i < *v; i++) {
        if (memcmp(&s->points[i], &s->points[*v], sizeof(vec3)) == 0) *v = i;
      }
    }
  }
  (void)first;
  r = mesh_blocks_of(s, AS_IT_IS);
  if (CHECK(r.sound && r.mesh_blocks.count == 1)) {
    CHECK(r.mesh_blocks.of[0].volume == 3 && !r.mesh_blocks.of[0].convex);
    CHECK(r.mesh_blocks.of[0].tetra_count == 18 && r.mesh_blocks.of[0].triangle_count == 28);
    CHECK(r.mesh_blocks.unused_points == 8);
  } else {
    printf("%s\n", r.error);
  }
  arena_destroy(&r.arena);
  arena_destroy(&arena);
}

int main(void)
{
  check_reference_solids();
  check_mesh_frames();
  check_far_away();
  check_rewritten(1400);
  check_few_digits(600);
  check_single_repairs();
  check_flat_triangles();
  check_several_bodies();
  check_split_point();
  check_tetrahedra();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
