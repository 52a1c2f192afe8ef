// Solids stated by points and faces: sound ones of any size and place pass, each fault gets its
// name.
#include "convex_faces.h"

#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "memory.h"
#include "random_solids.h"

#define MOST_POINTS 200
#define MOST_SIDES 1000

// A solid that can be spoiled.
typedef struct {
  int point_count, face_count;
  vec3 points[MOST_POINTS];
  int loop_start[MOST_SIDES], loops[MOST_SIDES];
} Draft;

static ConvexResult check(const Draft *d)
{
  Arena scratch = arena_new();
  const StatedSolid solid = {.point_count = d->point_count,
                             .face_count = d->face_count,
                             .points = d->points,
                             .loop_start = d->loop_start,
                             .loops = d->loops};
  const ConvexResult result = convex_faces_check(&solid, &scratch);
  arena_destroy(&scratch);
  return result;
}

// Is that the fault, and does its phrase hold these words?
static bool is_fault(const Draft *d, ConvexFault expected, const char *words)
{
  char text[160];
  const ConvexResult result = check(d);
  convex_result_text(result, text, sizeof text);
  if (result.fault == expected && strstr(text, words)) return true;
  printf("  found fault %d: %s\n", (int)result.fault, text);
  return false;
}

static void add_face(Draft *d, const int *corners, int count)
{
  const int start = d->loop_start[d->face_count];
  memcpy(d->loops + start, corners, (size_t)count * sizeof(int));
  d->loop_start[++d->face_count] = start + count;
}

static int size_of(const Draft *d, int face)
{
  return d->loop_start[face + 1] - d->loop_start[face];
}

static void remove_face(Draft *d, int face)
{
  const int count = size_of(d, face), rest = d->loop_start[d->face_count] - d->loop_start[face + 1];
  int *loop = d->loops + d->loop_start[face];
  memmove(loop, loop + count, (size_t)rest * sizeof(int));
  for (int f = face; f < d->face_count; f++) d->loop_start[f] = d->loop_start[f + 1] - count;
  d->face_count--;
}

static void turn_face(Draft *d, int face)
{
  int *loop = d->loops + d->loop_start[face];
  const int count = size_of(d, face);
  for (int k = 0; k < count / 2; k++) {
    const int kept = loop[k];
    loop[k] = loop[count - 1 - k];
    loop[count - 1 - k] = kept;
  }
}

// The faces of a polyhedron, whole or as fans of triangles.
static Draft draft_of(const Polyhedron *p, bool triangles)
{
  Draft d = {.point_count = p->vertex_count};
  memcpy(d.points, p->vertices, (size_t)p->vertex_count * sizeof(vec3));
  for (int f = 0; f < p->face_count; f++) {
    const int *loop = p->face_vertices + p->face_start[f];
    const int count = p->face_start[f + 1] - p->face_start[f];
    if (!triangles) add_face(&d, loop, count);
    for (int k = 1; triangles && k + 1 < count; k++)
      add_face(&d, (int[]){loop[0], loop[k], loop[k + 1]}, 3);
  }
  return d;
}

static Draft draft_cube(void)
{
  Draft d = {.point_count = 8};
  for (int i = 0; i < 8; i++) d.points[i] = (vec3){i & 1, (i & 2) / 2, (i & 4) / 4};
  static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                  {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (int f = 0; f < 6; f++) add_face(&d, faces[f], 4);
  return d;
}

// The slow reference for outward faces that close: how far a corner leaves the plane of its face,
// or any point stands above it, by the best plane of each face, m.
static double largest_fault(const Draft *d)
{
  double largest = 0;
  for (int f = 0; f < d->face_count; f++) {
    const int *loop = d->loops + d->loop_start[f];
    vec3 corners[64], middle = {0, 0, 0};
    for (int k = 0; k < size_of(d, f); k++) {
      corners[k] = vec3_sub(d->points[loop[k]], d->points[0]);
      middle = vec3_axpy(1.0 / size_of(d, f), corners[k], middle);
    }
    const vec3 area = polyhedron_area_vector(corners, size_of(d, f));
    const vec3 normal = vec3_scale(1 / vec3_norm(area), area);
    for (int i = 0; i < d->point_count; i++) {
      const vec3 arm = vec3_sub(vec3_sub(d->points[i], d->points[0]), middle);
      largest = fmax(largest, vec3_dot(normal, arm));
    }
    for (int k = 0; k < size_of(d, f); k++)
      largest = fmax(largest, -vec3_dot(normal, vec3_sub(corners[k], middle)));
  }
  return largest;
}

static void test_random_solids(void)
{
  Random random = {17};
  Arena arena = arena_new();
  int sound = 0, turned = 0, open = 0, all = 0, refused = 0, passed = 0, between = 0, disagreed = 0;
  for (int round = 0; round < 700; round++) {
    const ArenaMark mark = arena_mark(&arena);
    const Polyhedron solid = solid_random(&random, round % SOLID_KINDS, &arena);
    if (solid.face_start[solid.face_count] > MOST_SIDES / 3) continue;
    Draft d = draft_of(&solid, round % 2 == 1);
    const mat3 rotation = random_rotation(&random);
    const double scale = round % 3 == 0 ? 1 : round % 3 == 1 ? 1e-6 : 1e6;
    const vec3 far = round % 5 == 0 ? (vec3){1e4 * scale, -3e4 * scale, 0} : (vec3){0, 0, 0};
    for (int i = 0; i < d.point_count; i++)
      d.points[i] = vec3_axpy(scale, mat3_mul(rotation, d.points[i]), far);
    all++;
    sound += is_fault(&d, CONVEX_OK, "sound");

    // one face the other way round
    const int face = random_below(&random, d.face_count);
    turn_face(&d, face);
    const ConvexResult inward = check(&d);
    turned += inward.fault == CONVEX_INVERTED && inward.face == face && inward.count == 1;
    turn_face(&d, face);

    // a point moved anywhere, by little or much: the slow reference says whether that is a dent
    Draft moved = d;
    const double step = scale * exp2(-(double)random_below(&random, 24));
    vec3 *point = &moved.points[moved.loops[0]];
    *point = vec3_axpy(step, random_direction(&random), *point);
    const double reference = largest_fault(&moved) / scale;
    const ConvexFault fault = check(&moved).fault;
    if (reference > 1e-7 && fault != CONVEX_OK) refused++;
    else if (reference < 1e-10 && fault == CONVEX_OK) passed++;
    else if (reference > 1e-10 && reference < 1e-7) between++;
    else disagreed++;

    remove_face(&d, face);
    open += check(&d).fault == CONVEX_OPEN_EDGE;
    arena_release(&arena, mark);
  }
  CHECK(all > 500);
  CHECK(sound == all);
  CHECK(turned == all);
  CHECK(open == all);
  CHECK(refused > 200 && passed > 200 && between < 50 && disagreed == 0);
  arena_destroy(&arena);
}

static void test_points(void)
{
  Draft d = draft_cube();
  CHECK(is_fault(&d, CONVEX_OK, "sound"));
  d.points[d.point_count++] = (vec3){0.5, 0.5, 0.5};
  CHECK(is_fault(&d, CONVEX_UNUSED_POINT, "point 8 is in no face"));
  d.points[8] = (vec3){1, 1e-10, 0};
  CHECK(is_fault(&d, CONVEX_REPEATED_POINT, "points 1 and 8 are in the same place"));
  d.points[8] = (vec3){1, NAN, 0};
  CHECK(is_fault(&d, CONVEX_NO_SOLID, "not a finite number"));

  // a point in the middle of a face, of an edge
  d = draft_cube();
  d.points[d.point_count++] = (vec3){0.5, 0.5, 1};
  remove_face(&d, 1);
  static const int fans[4][3] = {{4, 5, 8}, {5, 7, 8}, {7, 6, 8}, {6, 4, 8}};
  for (int f = 0; f < 4; f++) add_face(&d, fans[f], 3);
  CHECK(is_fault(&d, CONVEX_OK, "sound"));
  d.points[8].z = 1 - 1e-6;
  CHECK(is_fault(&d, CONVEX_DENTED, "not convex: point "));
  d.points[8].z = 1 - 1e-10;
  CHECK(is_fault(&d, CONVEX_OK, "sound"));
  d.points[8] = (vec3){0.5, 1.25, 1};   // outside: the fan folds, and a side face is below it
  CHECK(is_fault(&d, CONVEX_DENTED, "not convex: point 8 is 0.25 m above the plane of face 2"));

  d = draft_cube();
  for (int i = 0; i < 8; i++) d.points[i].z *= 1e-12;
  CHECK(is_fault(&d, CONVEX_REPEATED_POINT, "points 0 and 4"));
  for (int i = 0; i < 8; i++) {
    vec3 *p = &d.points[i];
    *p = (vec3){p->x + (i & 4 ? 0.3 : 0), p->y + (i & 4 ? 0.4 : 0), 0};
    p->z = 0.3 * p->x + 0.1 * p->y;
  }
  CHECK(is_fault(&d, CONVEX_NO_SOLID, "all points lie in one plane"));
}

static void test_faces(void)
{
  Draft d = draft_cube();
  remove_face(&d, 5);
  CHECK(is_fault(&d, CONVEX_OPEN_EDGE, "not closed: the edge between points "));
  d = draft_cube();
  add_face(&d, (int[]){1, 3, 7, 5}, 4);
  CHECK(is_fault(&d, CONVEX_SHARED_EDGE, "is in more than two faces"));
  d = draft_cube();
  d.loops[1] = d.loops[3];
  CHECK(is_fault(&d, CONVEX_REPEATED_CORNER, "face 0 has point 1 twice"));
  d = draft_cube();
  turn_face(&d, 2);
  CHECK(is_fault(&d, CONVEX_INVERTED, "face 2 looks inward"));
  turn_face(&d, 4);
  CHECK(is_fault(&d, CONVEX_INVERTED, "face 2 and 1 more of 6 look inward"));
  for (int f = 0; f < 6; f++)
    if (f != 2 && f != 4) turn_face(&d, f);
  CHECK(is_fault(&d, CONVEX_INVERTED, "all faces look inward"));

  // an edge of the cube turned into a diagonal: a twisted quadrilateral
  d = draft_cube();
  d.points[7] = (vec3){1, 1, 1.01};
  CHECK(is_fault(&d, CONVEX_BENT_FACE, "is not flat: point "));

  // an outline that crosses itself has other edges than the faces beside it
  d = draft_cube();
  remove_face(&d, 1);
  add_face(&d, (int[]){4, 7, 5, 6}, 4);
  CHECK(is_fault(&d, CONVEX_OPEN_EDGE, "not closed: the edge between points 4 and 5"));
}

static void test_not_convex(void)
{
  // an L-shaped prism, 12 points
  static const double outline[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  Draft d = {.point_count = 12};
  for (int i = 0; i < 6; i++) {
    d.points[i] = (vec3){outline[i][0], outline[i][1], 0};
    d.points[i + 6] = (vec3){outline[i][0], outline[i][1], 1};
    add_face(&d, (int[]){i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6}, 4);
  }
  add_face(&d, (int[]){6, 7, 8, 9, 10, 11}, 6);
  add_face(&d, (int[]){5, 4, 3, 2, 1, 0}, 6);
  CHECK(is_fault(&d, CONVEX_DENTED, "not convex: point "));

  // a pentagram for base of a double pyramid: every edge is convex, the whole goes round twice
  Draft star = {.point_count = 7};
  for (int i = 0; i < 5; i++)
    star.points[i] = (vec3){cos(1.2566370614359172 * i), sin(1.2566370614359172 * i), 0};
  star.points[5] = (vec3){0, 0, 1};
  star.points[6] = (vec3){0, 0, -1};
  for (int i = 0; i < 5; i++) {
    add_face(&star, (int[]){i, (i + 2) % 5, 5}, 3);
    add_face(&star, (int[]){(i + 2) % 5, i, 6}, 3);
  }
  CHECK(is_fault(&star, CONVEX_DENTED, "not convex"));

  // a double prism over the same star: its bases are flat, their outlines turn twice
  Draft prism = {.point_count = 10};
  for (int i = 0; i < 5; i++) {
    prism.points[i] = vec3_add(star.points[i], (vec3){0, 0, -1});
    prism.points[i + 5] = vec3_add(star.points[i], (vec3){0, 0, 1});
  }
  add_face(&prism, (int[]){5, 7, 9, 6, 8}, 5);
  add_face(&prism, (int[]){3, 1, 4, 2, 0}, 5);
  for (int i = 0; i < 5; i++) add_face(&prism, (int[]){i, (i + 2) % 5, (i + 2) % 5 + 5, i + 5}, 4);
  CHECK(is_fault(&prism, CONVEX_FOLDED_FACE, "the outline of face 0 is not convex at point "));
}

// The number of the point in the middle of an edge of the cube, made when it is not there yet.
static int middle_of(Draft *d, int p, int q)
{
  const vec3 middle = vec3_scale(0.5, vec3_add(d->points[p], d->points[q]));
  for (int i = 8; i < d->point_count; i++)
    if (vec3_norm(vec3_sub(d->points[i], middle)) == 0) return i;
  d->points[d->point_count] = middle;
  return d->point_count++;
}

// Two skins over one cube that share no edge, since one of them has corners in the middle of
// edges. crossed: they change places across one edge, so that they are one.
static Draft draft_skins(bool crossed)
{
  const Draft cube = draft_cube();
  Draft d = cube;
  d.face_count = 0;
  for (int skin = 0; skin < 2; skin++) {
    for (int f = 0; f < 6; f++) {
      int corners[8], count = 0;
      for (int k = 0; k < 4; k++) {
        const int from = cube.loops[4 * f + k], to = cube.loops[4 * f + (k + 1) % 4];
        const bool swap = crossed && f == 0 && ((from == 0 && to == 2) || (from == 2 && to == 0));
        corners[count++] = from;
        if ((skin == 1) != swap) corners[count++] = middle_of(&d, from, to);
      }
      add_face(&d, corners, count);
    }
  }
  return d;
}

static void test_skins(void)
{
  Draft d = draft_skins(false);
  CHECK(d.face_count == 12 && d.point_count == 20);
  CHECK(
      is_fault(&d, CONVEX_TWO_SHELLS, "more than one solid: no edges lead from face 0 to face 6"));
  d = draft_skins(true);
  CHECK(is_fault(&d, CONVEX_COVERED, "faces lie over one another"));

  // the outer of the two alone is sound
  d = draft_skins(false);
  while (d.face_count > 6) remove_face(&d, 0);
  CHECK(is_fault(&d, CONVEX_OK, "sound"));
}

static void test_repeated_points(void)
{
  Arena scratch = arena_new();
  int first, second;
  vec3 points[1000];
  for (int i = 0; i < 1000; i++) points[i] = (vec3){i % 10, i / 10 % 10, (int)(i / 100)};
  CHECK(!convex_faces_find_repeated(points, 1000, &first, &second, &scratch));
  points[700] = vec3_add(points[3], (vec3){1e-9, 0, -1e-9});
  points[600] = points[20];
  points[601] = points[20];
  CHECK(convex_faces_find_repeated(points, 1000, &first, &second, &scratch));
  CHECK(first == 20 && second == 600);
  points[600] = (vec3){-1, 0, 0};
  points[601] = (vec3){-2, 0, 0};
  CHECK(convex_faces_find_repeated(points, 1000, &first, &second, &scratch));
  CHECK(first == 3 && second == 700);
  points[700] = vec3_add(points[3], (vec3){2e-8, 0, 0});
  CHECK(!convex_faces_find_repeated(points, 1000, &first, &second, &scratch));
  arena_destroy(&scratch);
}

int main(void)
{
  test_random_solids();
  test_points();
  test_faces();
  test_not_convex();
  test_skins();
  test_repeated_points();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
