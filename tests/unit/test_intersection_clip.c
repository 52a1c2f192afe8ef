// The fast way to an intersection beside the one for any number of faces; labels alone; swapped
// solids. Random, resting, coplanar, identical, thin and far solids.
#include <string.h>

#include "harness.h"
#include "intersection.h"
#include "memory.h"
#include "random_solids.h"

#define MANY_FACES 1024

typedef struct {
  Polyhedron a, b;
  double margin;
  bool generic;   // no faces in one plane: both ways must name the same faces
} Case;

static Polyhedron placed(Random *random, const Polyhedron *p, double reach, Arena *arena)
{
  return polyhedron_place(p, random_rotation(random), random_in_cube(random, reach), arena);
}

// Two solids of all kinds anywhere.
static Case random_case(Random *random, int n, Arena *arena)
{
  static const double margins[3] = {0, 1e-3, 0.03};
  const Polyhedron p = solid_random(random, n % SOLID_KINDS, arena);
  const Polyhedron q = solid_random(random, n / SOLID_KINDS % SOLID_KINDS, arena);
  return (Case){placed(random, &p, 0.6, arena), placed(random, &q, 0.6, arena), margins[n % 3],
                true};
}

// A stone on a stone, or a prism on a prism: sides in one plane, overlap down to rounding.
static Case resting_case(Random *random, int n, Arena *arena)
{
  const double overlap = n % 4 == 0 ? 0 : pow(10, -1 - random_below(random, 13));
  const double slide = n % 3 == 0 ? 0 : random_between(random, -0.9, 0.9);
  const int sides = 3 + n % 5;
  const Polyhedron p =
      n % 2 ? solid_box((vec3){0, 0, 0}, (vec3){1, 1, 1}, arena) : solid_prism(sides, 1, arena);
  const mat3 unturned = mat3_diagonal(1, 1, 1), turn = random_rotation(random);
  const Polyhedron above = polyhedron_place(&p, unturned, (vec3){slide, 0, 1 - overlap}, arena);
  return (Case){polyhedron_place(&p, turn, (vec3){0, 0, 0}, arena),
                polyhedron_place(&above, turn, (vec3){0, 0, 0}, arena), n % 5 ? 0 : 1e-4, false};
}

// A solid with itself, shaken at rounding level.
static Case identical_case(Random *random, int n, Arena *arena)
{
  const Polyhedron p = solid_random(random, n % SOLID_KINDS, arena);
  const Polyhedron a = placed(random, &p, 1, arena);
  const double shake = n % 3 ? pow(10, -10 - random_below(random, 8)) : 0;
  return (Case){a,
                polyhedron_place(&a, mat3_diagonal(1, 1, 1), random_in_cube(random, shake), arena),
                n % 2 ? 0 : 1e-3, false};
}

// Needles and plates down to a thickness of 1e-8, which touch with vertices and edges.
static Case thin_case(Random *random, int n, Arena *arena)
{
  const double thin = pow(10, -random_below(random, 9)), wide = n % 2 ? thin : 1;
  const Polyhedron p = solid_box((vec3){-1, -wide, -thin}, (vec3){1, wide, thin}, arena);
  const Polyhedron q = solid_random(random, n % SOLID_KINDS, arena);
  const Polyhedron b = placed(random, &q, 0.3, arena);
  const vec3 vertex = b.vertices[random_below(random, b.vertex_count)];
  return (Case){polyhedron_place(&p, random_rotation(random), vertex, arena), b, 0, true};
}

// Stones of many faces; the last ones need more room than the fast way has.
static Case large_case(Random *random, int n, Arena *arena)
{
  const Polyhedron p = solid_ball(random, 20 + 4 * (n % 40), (vec3){1, 1, 0.9}, arena);
  const Polyhedron q = solid_ball(random, 20 + 7 * (n % 30), (vec3){1, 0.7, 0.9}, arena);
  return (Case){placed(random, &p, 0.9, arena), placed(random, &q, 0.9, arena), n % 4 ? 0 : 1e-3,
                true};
}

// Sets the areas (m2) of the faces named, by owner and face.
static void sum_areas(const Intersection *x, double areas[2][MANY_FACES])
{
  memset(areas, 0, 2 * sizeof areas[0]);
  for (int f = 0; f < x->face_count; f++) {
    areas[x->faces[f].owner][x->faces[f].face] += vec3_norm(x->faces[f].area);
  }
}

// Both ways see the same solid; scale: of the larger one, m.
static void compare_ways(const Case *c, const Intersection *x, const Intersection *y, double scale)
{
  const double cube = scale * scale * scale, square = scale * scale;
  CHECK(x->status != INTERSECTION_FAILED && y->status != INTERSECTION_FAILED);
  const bool solid = x->status == INTERSECTION_OK && y->status == INTERSECTION_OK;
  // at rounding level one may see nothing where the other one sees little
  if (!solid && x->status != y->status)
    CHECK(x->volume <= 1e-13 * cube && y->volume <= 1e-13 * cube);
  CHECK_NEAR(x->volume / cube, y->volume / cube, 1e-12);
  if (!solid || x->volume < 1e-10 * cube) return;
  CHECK_NEAR(x->surface / square, y->surface / square, 1e-10);
  const double weight = x->volume / cube;
  CHECK_NEAR(vec3_norm(vec3_sub(x->centroid, y->centroid)) * weight / scale, 0, 1e-12);
  if (!c->generic) return;
  static double areas[2][2][MANY_FACES];
  sum_areas(x, areas[0]);
  sum_areas(y, areas[1]);
  double worst = 0;
  for (int owner = 0; owner < 2; owner++) {
    for (int f = 0; f < MANY_FACES; f++) {
      worst = fmax(worst, fabs(areas[0][owner][f] - areas[1][owner][f]));
    }
  }
  CHECK_NEAR(worst / square, 0, 1e-10);
}

// Faces have three corners or more, loops close, and every number is one.
static void check_sound(const Intersection *x)
{
  bool finite = isfinite(x->volume) && x->volume >= 0 && vec3_is_finite(x->centroid);
  int steps = 0;
  bool loops = true;
  for (int f = 0; f < x->face_count; f++) {
    finite &= vec3_is_finite(x->faces[f].area) && vec3_is_finite(x->faces[f].centroid);
    loops &= x->face_start[f + 1] - x->face_start[f] >= 3;
    steps += x->face_start[f + 1] - x->face_start[f];
  }
  for (int i = 0; i < x->vertex_count; i++) finite &= vec3_is_finite(x->vertices[i]);
  CHECK(finite && loops);
  if (x->face_count > 0) CHECK(x->vertex_count - steps / 2 + x->face_count == 2);
}

// The labels of the faces, each once, with the same volume and centroid.
static void check_labels(const Intersection *x, const IntersectionLabels *labels, double scale)
{
  CHECK(labels->status == x->status);
  CHECK_NEAR((labels->volume - x->volume) / (scale * scale * scale), 0, 1e-14);
  const double apart = vec3_norm(vec3_sub(labels->centroid, x->centroid));
  CHECK_NEAR(apart * x->volume / pow(scale, 4), 0, 1e-13);
  static double areas[2][MANY_FACES];
  sum_areas(x, areas);
  static int named[2][MANY_FACES];
  memset(named, 0, sizeof named);
  bool right = true;
  for (int i = 0; i < labels->label_count; i++) {
    right &= named[labels->labels[i].owner][labels->labels[i].face]++ == 0;
  }
  for (int f = 0; f < x->face_count; f++) right &= named[x->faces[f].owner][x->faces[f].face] == 1;
  CHECK(right);
}

static bool same_bits(const void *a, const void *b, size_t size) { return memcmp(a, b, size) == 0; }

// b, a gives what a, b gives, with the owners swapped.
static void check_mirrored(const Intersection *x, const Intersection *y)
{
  bool same = x->status == y->status && x->face_count == y->face_count &&
              x->vertex_count == y->vertex_count;
  same = same && same_bits(&x->volume, &y->volume, sizeof(double)) &&
         same_bits(&x->centroid, &y->centroid, sizeof(vec3)) &&
         same_bits(&x->area[0], &y->area[1], sizeof(vec3)) &&
         same_bits(&x->area[1], &y->area[0], sizeof(vec3));
  for (int f = 0; same && f < x->face_count; f++) {
    const IntersectionFace *p = &x->faces[f], *q = &y->faces[f];
    same = p->owner == 1 - q->owner && p->face == q->face &&
           same_bits(&p->area, &q->area, sizeof(vec3));
  }
  CHECK(same);
}

typedef Case CaseMaker(Random *random, int n, Arena *arena);

static void check_cases(CaseMaker *make, int count, uint64_t seed)
{
  Random random = {seed};
  int met = 0;
  for (int n = 0; n < count; n++) {
    Arena arena = arena_new();
    const Case c = make(&random, n, &arena);
    const double scale = fmax(c.a.extent, c.b.extent);
    const Intersection x = intersection_clip(&c.a, &c.b, c.margin, &arena);
    const Intersection y = intersection_clip_any(&c.a, &c.b, c.margin, &arena);
    check_sound(&x);
    compare_ways(&c, &x, &y, scale);
    const IntersectionLabels labels = intersection_labels(&c.a, &c.b, c.margin, &arena);
    check_labels(&x, &labels, scale);
    const bool identical =
        c.a.vertex_count == c.b.vertex_count &&
        memcmp(c.a.vertices, c.b.vertices, (size_t)c.a.vertex_count * sizeof(vec3)) == 0;
    const Intersection z = intersection_clip(&c.b, &c.a, c.margin, &arena);
    if (!identical) check_mirrored(&x, &z);
    met += x.status == INTERSECTION_OK;
    arena_destroy(&arena);
  }
  CHECK(met > count / 4);
}

int main(void)
{
  check_cases(random_case, 12000, 5);
  check_cases(resting_case, 6000, 6);
  check_cases(identical_case, 3000, 7);
  check_cases(thin_case, 6000, 8);
  check_cases(large_case, 200, 9);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
