// What is refused, with the words of its message; random damage never gives an open body.
#include <math.h>
#include <stdio.h>

#include "harness.h"
#include "memory.h"
#include "mesh_results.h"

static const MeshFrame AS_IT_IS = {.scale = 1, .up = 2, .flat = MESH_AS_IT_IS};

static Sketch *cube(Arena *arena)
{
  Sketch *s = sketch_new(arena);
  sketch_unit_cube(s);
  return s;
}

static void refuse(const Sketch *s, const char *what, const char *const *words)
{
  Result r = mesh_blocks_of(s, AS_IT_IS);
  if (!CHECK(!r.sound)) printf("not refused: %s\n", what);
  for (int i = 0; words[i] && !r.sound; i++) {
    if (!CHECK(strstr(r.error, words[i]) != NULL))
      printf("%s: no '%s' in: %s\n", what, words[i], r.error);
  }
  CHECK(r.sound || (strncmp(r.error, "soup.obj: ", 10) == 0 && strchr(r.error, '\n') == NULL));
  CHECK(r.sound || r.mesh_blocks.count == 0);
  // a body that stays a surface is refused in the same words
  MeshFrame alone = AS_IT_IS;
  alone.surface = true;
  Result surface = mesh_blocks_of(s, alone);
  CHECK(surface.sound == r.sound && strcmp(surface.error, r.error) == 0);
  arena_destroy(&surface.arena);
  arena_destroy(&r.arena);
}
#define WORDS(...) ((const char *[]){__VA_ARGS__, NULL})

static void check_bad_coordinates(Arena *arena)
{
  static const double bad[] = {NAN, INFINITY, -INFINITY, 1.1e9, -2e9};
  for (int i = 0; i < 5; i++) {
    Sketch *s = cube(arena);
    s->names[0] = "stone";
    s->points[3].y = bad[i];
    refuse(s, "coordinate",
           WORDS("block 'stone'", i < 3 ? "finite" : "1e9 m", "(0, ", "a corner of face "));
  }
  Sketch *s = cube(arena);
  (void)sketch_point(s, NAN, 0, 0);   // in no face
  Result r = mesh_blocks_of(s, AS_IT_IS);
  CHECK(r.sound && r.mesh_blocks.unused_points == 1);
  arena_destroy(&r.arena);
}

static void drop_face(Sketch *s, int face)
{
  const int count = s->start[face + 1] - s->start[face], end = s->start[s->soup.face_count];
  memmove(s->corners + s->start[face], s->corners + s->start[face + 1],
          (size_t)(end - s->start[face + 1]) * sizeof(int));
  for (int f = face; f < s->soup.face_count; f++) {
    s->start[f] = s->start[f + 1] - count;
    s->mesh_block[f] = s->mesh_block[f + 1];
  }
  s->soup.face_count--;
}

static void check_open(Arena *arena)
{
  for (int f = 0; f < 6; f++) {
    Sketch *s = cube(arena);
    s->names[0] = "stone";
    drop_face(s, f);
    refuse(s, "hole",
           WORDS("'stone'", "open: 4 edges belong to one face only", "the first to face ", "from (",
                 "to ("));
  }
  // an open mesh block beside a closed one is named
  Sketch *s = cube(arena);
  s->names[0] = "closed";
  sketch_block(s, "gaping");
  sketch_box(s, (vec3){2, 0, 0}, (vec3){3, 1, 1});
  drop_face(s, 7);
  refuse(s, "second block open", WORDS("'gaping'", "open: 4 edges"));
  // a fin, a single triangle, nothing at all
  s = cube(arena);
  const int tip = sketch_point(s, 0.5, 0.5, 3), fin[3] = {0, 1, tip};
  sketch_face(s, fin, 3);
  refuse(s, "fin", WORDS("open: 2 edges", "to triangle 7,"));
  s = sketch_new(arena);
  (void)sketch_point(s, 0, 0, 0), (void)sketch_point(s, 1, 0, 0), (void)sketch_point(s, 0, 1, 0);
  const int single[3] = {0, 1, 2};
  sketch_face(s, single, 3);
  refuse(s, "single triangle", WORDS("open: 3 edges"));
  refuse(sketch_new(arena), "empty", WORDS("no faces"));
  s = sketch_new(arena);
  for (int i = 0; i < 4; i++) (void)sketch_point(s, i, 2 * i, 0);
  for (int i = 0; i < 4; i++) {
    const int line[3] = {i, (i + 1) % 4, (i + 2) % 4};
    sketch_face(s, line, 3);
  }
  refuse(s, "line", WORDS("no area", "triangle 1"));
}

static void check_crowded(Arena *arena)
{
  Random random = {3};
  // two bodies in one mesh block that touch along an edge, at a face; a wall inside
  for (int k = 0; k < 2; k++) {
    Sketch *s = sketch_new(arena);
    sketch_box(s, (vec3){0, 0, 0}, (vec3){1, 1, 1});
    sketch_box(s, (vec3){1, 0, k == 0 ? 1 : 0}, (vec3){2, 1, k == 0 ? 2 : 1});
    s = rewrite(s, (Rewrite){.explode = true, .shuffle = true}, &random, arena);
    refuse(s, "touching",
           WORDS("an edge of ", "more than two faces", "blocks of their own", "from (1, "));
  }
  Sketch *s = sketch_new(arena);
  sketch_l(s);
  const int wall[4] = {0, 3, 9, 6};
  sketch_face(s, wall, 4);
  refuse(s, "wall inside", WORDS("more than two faces"));
}

// A band with a half twist, closed by a disc whose rim is the band's one edge: the projective
// plane.
static void check_not_orientable(Arena *arena)
{
  Sketch *s = sketch_new(arena);
  // six points, ten triangles
  static const double p[6][3] = {{0, 0, 0}, {1, 0, 0.5}, {0, 1, 0.25},
                                 {0, 0, 1}, {1, 1, 0},   {1, 1, 1}};
  static const int f[10][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}, {0, 5, 1},
                               {1, 2, 4}, {2, 3, 5}, {3, 4, 1}, {4, 5, 2}, {5, 1, 3}};
  for (int i = 0; i < 6; i++) (void)sketch_point(s, p[i][0], p[i][1], p[i][2]);
  for (int i = 0; i < 10; i++) sketch_face(s, f[i], 3);
  refuse(s, "projective plane", WORDS("no inside and outside", "edge of triangle "));
}

static void check_crossing(Arena *arena)
{
  // a corner pulled through other faces
  Sketch *s = sketch_new(arena);
  sketch_octahedron(s);
  s->names[0] = "stone";
  s->points[0] = (vec3){0.375, -3, -3};
  refuse(s, "pulled corner",
         WORDS("'stone'", "crosses itself", "pairs of triangles", "the first is triangle ",
               "(0.375, -3"));
  // two bars crossing in one mesh block, two boxes overlapping with faces in common planes, one in
  // another
  s = sketch_new(arena);
  sketch_box(s, (vec3){0, 0, 0}, (vec3){4, 1, 1});
  sketch_box(s, (vec3){1, -1, 0.25}, (vec3){2, 3, 0.75});
  refuse(s, "crossing bars", WORDS("two bodies in it overlap", "from face 1 and face 7 on"));
  s = sketch_new(arena);
  sketch_box(s, (vec3){0, 0, 0}, (vec3){2, 1, 1});
  sketch_box(s, (vec3){1, 0, 0}, (vec3){3, 1, 1});
  refuse(s, "overlap in line", WORDS("two bodies in it overlap"));
  for (int k = 0; k < 2; k++) {
    s = sketch_new(arena);
    sketch_box(s, (vec3){-1, -1, -1}, (vec3){1, 1, 1});
    sketch_box(s, (vec3){-0.5, -0.5, k ? -1 : -0.5}, (vec3){0.5, 0.5, 0.5});
    refuse(s, "cavity", WORDS(k ? "overlap" : "cavities are not supported"));
  }
  // a polygon that crosses itself; a body that touches itself
  s = cube(arena);
  const int keep = s->corners[1];
  s->corners[1] = s->corners[2], s->corners[2] = keep;
  refuse(s, "bow tie", WORDS("polygon", "face 1,", "crosses itself"));
  s = sketch_new(arena);
  const double touching[8][2] = {{0, 0}, {4, 0}, {4, 1}, {1, 1}, {1, 2}, {2, 1}, {2, 3}, {0, 3}};
  sketch_prism(s, touching, 8, 0, 1);
  refuse(s, "touches itself", WORDS("crosses itself"));
  // folded flat
  s = sketch_new(arena);
  sketch_octahedron(s);
  for (int i = 0; i < 6; i++) s->points[i].z *= 4e-10;
  refuse(s, "flat octahedron", WORDS("no volume", "triangle 1"));
  // a slanted needle, thicker than flat, whose volume is lost in rounding
  s = sketch_new(arena);
  sketch_octahedron(s);
  for (int i = 0; i < 6; i++) {
    const vec3 p = s->points[i];
    s->points[i] = (vec3){p.x + 3e-8 * p.y, 0.7 * p.x + 3e-8 * p.z, 0.3 * p.x - 3e-8 * p.y};
  }
  refuse(s, "needle", WORDS("no volume"));
  s = sketch_new(arena);
  sketch_box(s, (vec3){1e6, 0, 0}, (vec3){1e6 + 1e-3, 1e-3, 1e-3});
  refuse(s, "far and small", WORDS("too few digits", "(1000000, 0, 0.001)"));
}

static void check_bad_tetrahedra(Arena *arena)
{
  Sketch *s = sketch_new(arena);
  sketch_tetra_box(s, (vec3){0, 0, 0}, (vec3){1, 1, 1});
  s->points[7] = (vec3){1, 1, 0};
  refuse(s, "flat tetrahedron", WORDS("tetrahedron", "no volume"));
  s = sketch_new(arena);
  sketch_tetra_box(s, (vec3){0, 0, 0}, (vec3){1, 1, 1});
  sketch_tetra(s, s->tetra[0][0], s->tetra[0][1], s->tetra[0][3], sketch_point(s, 3, -5, 4));
  refuse(s, "face of three", WORDS("a face at (0, 0, 0) belongs to 3 tetrahedra"));
}

// A sound result is closed, whatever was broken before: a triangle dropped, a point moved far away,
// a corner exchanged, a triangle added. A refusal has a message.
static void check_random_damage(int rounds)
{
  Random random = {123};
  int refused = 0;
  for (int round = 0; round < rounds; round++) {
    Arena arena = arena_new();
    Sketch *s = sketch_new(&arena);
    sketch_solid(s, round % SKETCH_KINDS);
    const bool explode = random_below(&random, 2);
    s = rewrite(s, (Rewrite){.explode = explode, .shuffle = true}, &random, &arena);
    for (int damage = 1 + random_below(&random, 3); damage > 0; damage--) {
      const int point = random_below(&random, s->soup.point_count);
      const int corner = random_below(&random, s->start[s->soup.face_count]);
      const int face[3] = {point, s->corners[corner], random_below(&random, s->soup.point_count)};
      switch (random_below(&random, 4)) {
      case 0: drop_face(s, random_below(&random, s->soup.face_count)); break;
      case 1: s->points[point] = random_in_cube(&random, 4); break;
      case 2: s->corners[corner] = point; break;
      default: sketch_face(s, face, 3);
      }
    }
    Result r = mesh_blocks_of(s, AS_IT_IS);
    refused += !r.sound;
    CHECK(r.sound ? r.mesh_blocks.count > 0 : strncmp(r.error, "soup.obj: ", 10) == 0);
    for (int i = 0; i < r.mesh_blocks.count && r.sound; i++) {
      const MeshBlock *b = &r.mesh_blocks.of[i];
      int(*ends)[2] = arena_allocate(&arena, 3 * (size_t)b->triangle_count * sizeof *ends);
      for (int e = 0; e < 3 * b->triangle_count; e++) {
        ends[e][0] = b->triangles[e / 3][e % 3];
        ends[e][1] = b->triangles[e / 3][(e + 1) % 3];
      }
      // each edge once each way
      bool closed = true;
      for (int e = 0; e < 3 * b->triangle_count && closed; e++) {
        int same = 0, back = 0;
        for (int f = 0; f < 3 * b->triangle_count; f++) {
          same += ends[f][0] == ends[e][0] && ends[f][1] == ends[e][1];
          back += ends[f][0] == ends[e][1] && ends[f][1] == ends[e][0];
        }
        closed = same == 1 && back == 1;
      }
      CHECK(closed && b->volume > 0);
    }
    arena_destroy(&r.arena);
    arena_destroy(&arena);
  }
  CHECK(refused > rounds / 2 && refused < rounds);
}

int main(void)
{
  Arena arena = arena_new();
  check_bad_coordinates(&arena);
  check_open(&arena);
  check_crowded(&arena);
  check_not_orientable(&arena);
  check_crossing(&arena);
  check_bad_tetrahedra(&arena);
  arena_destroy(&arena);
  check_random_damage(1500);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
