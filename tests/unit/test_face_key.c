// Keys of triangles: the same for all orders of three corners, with the sign of the order.
#include "face_key.h"
#include "harness.h"
#include "random_numbers.h"

static void check_orders(void)
{
  static const int orders[6][3] = {{4, 7, 9}, {7, 9, 4}, {9, 4, 7},
                                   {7, 4, 9}, {4, 9, 7}, {9, 7, 4}};
  FaceKey keys[6];
  for (int i = 0; i < 6; i++) {
    keys[i] = face_key(orders[i], 5 - i);
    CHECK(keys[i].vertex[0] == 4 && keys[i].vertex[1] == 7 && keys[i].vertex[2] == 9);
    CHECK(keys[i].number == 5 - i && keys[i].odd == (i >= 3));
  }
  face_keys_sort(keys, 6);
  CHECK(face_keys_end(keys, 6, 0) == 6 && face_keys_end(keys, 3, 0) == 3);
  for (int i = 0; i < 6; i++) CHECK(keys[i].number == i);
}

// Faces of a tetrahedron look outwards: away from the corner opposite to them.
static void check_tetra(void)
{
  static const vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};   // positive volume
  static const int tetra[4] = {0, 1, 2, 3};
  for (int k = 0; k < 4; k++) {
    const int *c = TETRA_FACE_CORNERS[k];
    const vec3 normal =
        vec3_cross(vec3_sub(points[c[1]], points[c[0]]), vec3_sub(points[c[2]], points[c[0]]));
    CHECK(vec3_dot(normal, vec3_sub(points[k], points[c[0]])) < 0);
    const FaceKey key = face_key_of_tetra(tetra, k, k), same = face_key(c, k);
    CHECK(key.odd == same.odd && key.number == k);
    for (int i = 0; i < 3; i++) CHECK(key.vertex[i] == same.vertex[i] && key.vertex[i] != k);
  }
}

static void check_runs(Random *random)
{
  FaceKey keys[40];
  for (int i = 0; i < 40; i++) {
    int corner[3] = {random_below(random, 6), 0, 0};
    corner[1] = (corner[0] + 1 + random_below(random, 2)) % 6;
    corner[2] = (corner[0] + 3 + random_below(random, 3)) % 6;
    keys[i] = face_key(corner, i);
    CHECK(keys[i].vertex[0] < keys[i].vertex[1] && keys[i].vertex[1] < keys[i].vertex[2]);
  }
  face_keys_sort(keys, 40);
  int runs = 0;
  for (int i = 0, end; i < 40; i = end, runs++) {
    end = face_keys_end(keys, 40, i);
    for (int k = i + 1; k < end; k++) CHECK(keys[k].number > keys[k - 1].number);
    for (int k = end; k < 40; k++) {
      CHECK(keys[k].vertex[0] != keys[i].vertex[0] || keys[k].vertex[1] != keys[i].vertex[1] ||
            keys[k].vertex[2] != keys[i].vertex[2]);
    }
  }
  CHECK(runs > 1 && runs < 40);
}

int main(void)
{
  Random random = {3};
  check_orders();
  check_tetra();
  for (int i = 0; i < 100; i++) check_runs(&random);
  return test_report();
}
