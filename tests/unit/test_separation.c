// Faces that separate two solids: against all vertices one by one, with every hint.
#include "separation.h"

#include "harness.h"
#include "memory.h"
#include "random_solids.h"

// Smallest height of q above a face of p, m.
static double lowest_height(const Polyhedron *p, const Polyhedron *q, int face)
{
  double lowest = INFINITY;
  for (int i = 0; i < q->vertex_count; i++) {
    const double height = vec3_dot(p->planes[face].normal, q->vertices[i]) - p->planes[face].offset;
    lowest = fmin(lowest, height);
  }
  return lowest;
}

static double largest_separation(const Polyhedron *a, const Polyhedron *b)
{
  double largest = -INFINITY;
  for (int f = 0; f < a->face_count; f++) largest = fmax(largest, lowest_height(a, b, f));
  for (int f = 0; f < b->face_count; f++) largest = fmax(largest, lowest_height(b, a, f));
  return largest;
}

static void check_pairs(int pairs)
{
  Random random = {21};
  int apart_count = 0;
  for (int n = 0; n < pairs; n++) {
    Arena arena = arena_new();
    const Polyhedron p = solid_random(&random, n % SOLID_KINDS, &arena);
    const Polyhedron q = solid_random(&random, n / SOLID_KINDS % SOLID_KINDS, &arena);
    const Polyhedron a = polyhedron_place(&p, random_rotation(&random), (vec3){0, 0, 0}, &arena);
    const Polyhedron b =
        polyhedron_place(&q, random_rotation(&random), random_in_cube(&random, 1.5), &arena);
    const double largest = largest_separation(&a, &b);
    // exactly at the distance counts as separated
    const double distance = n % 3 == 0 ? largest : random_between(&random, -0.1, 0.5);
    const bool apart = largest >= distance;
    apart_count += apart;
    for (int k = 0; k < 4; k++) {
      const int faces = k % 2 == 0 ? a.face_count : b.face_count;
      const SeparatingFace old = k == 3 ? (SeparatingFace){1, faces + 5}
                                        : (SeparatingFace){k - 1, random_below(&random, faces)};
      SeparatingFace hint = old;
      CHECK(separation_find(&a, &b, distance, &hint) == apart);
      if (!apart) {
        CHECK(hint.owner == old.owner && hint.face == old.face);
        continue;
      }
      CHECK(lowest_height(hint.owner == 0 ? &a : &b, hint.owner == 0 ? &b : &a, hint.face) >=
            distance);
      // what was found is kept
      const SeparatingFace found = hint;
      CHECK(separation_find(&a, &b, distance, &hint));
      CHECK(hint.owner == found.owner && hint.face == found.face);
    }
    arena_destroy(&arena);
  }
  CHECK(apart_count > pairs / 3 && apart_count < pairs);
}

int main(void)
{
  check_pairs(4000);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
