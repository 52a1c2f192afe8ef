// The eight local methods on pairs of tetrahedra of our own, in single precision: to the last bit
// the contacts that the file method_pairs.txt holds, and near those of double precision.
// METHOD_PAIRS_WRITE names a file that is written instead: the pairs, and what is found now.
#include <stdlib.h>

#include "harness.h"
#include "method_pairs.h"
#include "random_numbers.h"

#define KEPT TESTS_FOLDER "/quality/method_pairs.txt"
#define KINDS 8
#define PAIRS (2 * KINDS)

// To a grid of 2^-20 m, which single precision holds up to 16 m. (GCC 12 with -O3 -march=x86-64-v3
// forgets to round in (double)(float)x where it takes corners together.)
static double on_grid(double x) { return floor(0x1p20 * x + 0.5) * 0x1p-20; }

static vec3 rounded(vec3 a) { return vec3_new(on_grid(a.x), on_grid(a.y), on_grid(a.z)); }

static double volume_of(const MethodTetra *tetra)
{
  const vec3 *c = tetra->corners;
  const vec3 across = vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0]));
  return vec3_dot(vec3_sub(c[3], c[0]), across) / 6;
}

static void make_positive(MethodTetra *tetra)
{
  for (int k = 0; k < 4; k++) tetra->corners[k] = rounded(tetra->corners[k]);
  if (volume_of(tetra) > 0) return;
  const vec3 held = tetra->corners[0];
  tetra->corners[0] = tetra->corners[1];
  tetra->corners[1] = held;
}

// About a place, not flat, with at least one face on the surface.
static MethodTetra random_tetra(Random *random, vec3 about)
{
  MethodTetra tetra;
  do {
    for (int k = 0; k < 4; k++) tetra.corners[k] = vec3_add(about, random_in_cube(random, 1));
    make_positive(&tetra);
  } while (volume_of(&tetra) < 0.15);
  for (int k = 0; k < 4; k++) tetra.on_surface[k] = random_below(random, 2) == 0;
  tetra.on_surface[random_below(random, 4)] = true;
  return tetra;
}

// From corners that the two share, by kind: none; a corner, an edge or a face with the rest on the
// other side; a tip, or an edge, that hangs over or into a face or an edge by height.
static void random_pair(Random *random, int kind, MethodTetra pair[2])
{
  pair[0] = random_tetra(random, vec3_new(0, 0, 0));
  pair[1] = random_tetra(random, random_in_cube(random, 0.5));
  const double heights[3] = {-1e-6, -0.01, 0.01};
  const vec3 *c = pair[0].corners;
  if (kind >= 1 && kind <= 3) {
    vec3 middle = {0, 0, 0};
    for (int k = 0; k < kind; k++) middle = vec3_axpy(1.0 / kind, c[k], middle);
    const vec3 beyond = vec3_sub(vec3_scale(2, middle), c[3]);
    for (int k = 0; k < 4; k++) {
      if (k < kind) pair[1].corners[k] = c[k];
      else pair[1].corners[k] = vec3_axpy(0.3, random_in_cube(random, 1), beyond);
    }
  } else if (kind >= 4) {
    // a tip over the middle of a face, a face's corners with it; the last kind: an edge over one
    const double height = heights[kind % 3];
    const vec3 across = vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0]));
    const vec3 out = vec3_scale(-1 / vec3_norm(across), across);
    const vec3 foot = kind == KINDS - 1 ? vec3_scale(0.5, vec3_add(c[0], c[1]))
                                        : vec3_scale(1.0 / 3, vec3_add(c[0], vec3_add(c[1], c[2])));
    pair[0].on_surface[3] = true;
    pair[1].corners[0] = vec3_axpy(height, out, foot);
    for (int k = 1; k < 4; k++)
      pair[1].corners[k] = vec3_axpy(1.5, out, vec3_add(foot, random_in_cube(random, 1)));
    pair[1].on_surface[1] = pair[1].on_surface[2] = true;
    if (kind == KINDS - 1) {
      const vec3 along = vec3_cross(out, vec3_sub(c[1], c[0])), tip = pair[1].corners[0];
      pair[1].corners[0] = vec3_axpy(-0.5, along, tip);
      pair[1].corners[1] = vec3_axpy(0.5, along, tip);
    }
  }
  make_positive(&pair[1]);
}

static int write_pairs(const char *path)
{
  FILE *file = fopen(path, "w");
  if (!file) return 1;
  Random random = {2018};
  for (int k = 0; k < PAIRS; k++) {
    MethodTetra pair[2];
    random_pair(&random, k % KINDS, pair);
    method_pairs_write(file, &pair[0], &pair[1]);
  }
  return fclose(file) == 0 ? 0 : 1;
}

static void test_kept(void)
{
  FILE *file = fopen(KEPT, "r");
  if (!CHECK(file != NULL)) return;
  const MethodPairsCount count = method_pairs_compare(file, METHOD_COUNT, 0);
  fclose(file);
  printf("%d pairs and methods, %d contacts, %d the same\n", count.pairs, count.contacts,
         count.same);
  CHECK(count.pairs == PAIRS * METHOD_COUNT);
  CHECK(count.contacts > 3 * PAIRS);
  CHECK(count.same == count.pairs);
}

// Contacts of one pair by one rule.
static const MethodContacts *contacts_of(MethodRule rule, const MethodTetra *a,
                                         const MethodTetra *b, MethodContacts *found)
{
  methods_find(&rule, a, b, found);
  return found;
}

// Bodies without a common corner are in general position, where neither precision nor order changes
// the text's contacts, but for places on the verge and for Closest points and Growth, which the
// order matters to. In the program rounding drops common points.
static void test_precision_and_order(void)
{
  Random random = {39};
  int pairs = 0, contacts = 0, other_precision = 0, other_order = 0;
  for (int run = 0; run < 2000; run++) {
    MethodTetra pair[2];
    random_pair(&random, 0, pair);
    for (int k = 0; k < METHOD_COUNT; k++) {
      static MethodContacts found, again;
      MethodRule rule = {(Method)k, WORDING_TEXT, false, METHOD_PAIRS_ENVELOPE};
      pairs++;
      contacts += contacts_of(rule, &pair[0], &pair[1], &found)->count;
      for (int i = 0; i < found.count; i++)
        CHECK(fabs(vec3_norm(found.list[i].normal) - 1) < 1e-14);
      other_order += contacts_of(rule, &pair[1], &pair[0], &again)->count != found.count &&
                     k != METHOD_CLOSEST && k != METHOD_GROWTH;
      rule.single = true;
      other_precision += contacts_of(rule, &pair[0], &pair[1], &again)->count != found.count;
    }
  }
  printf(
      "%d pairs and methods, %d contacts; others in single precision %d, in the other order %d\n",
      pairs, contacts, other_precision, other_order);
  CHECK(contacts > pairs);
  CHECK(other_precision < pairs / 1000);
  CHECK(other_order == 0);
}

int main(void)
{
  const char *path = getenv("METHOD_PAIRS_WRITE");
  if (path) return write_pairs(path);
  test_kept();
  test_precision_and_order();
  return test_report();
}
