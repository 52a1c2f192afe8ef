// Finds triangles with the same three corners, and which way they look.
#include "face_key.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

FaceKey face_key(const int corner[3], int number)
{
  assert_debug(corner[0] >= 0 && corner[1] >= 0 && corner[2] >= 0 && "corners have numbers");
  FaceKey key = {{corner[0], corner[1], corner[2]}, number, false};
  for (int pass = 0; pass < 3; pass++) {
    const int k = pass % 2, low = key.vertex[k], high = key.vertex[k + 1];
    if (low <= high) continue;
    key.vertex[k] = high;
    key.vertex[k + 1] = low;
    key.odd = !key.odd;
  }
  return key;
}

static int compare_keys(const void *p, const void *q)
{
  const FaceKey *a = p, *b = q;
  for (int k = 0; k < 3; k++) {
    if (a->vertex[k] != b->vertex[k]) return a->vertex[k] < b->vertex[k] ? -1 : 1;
  }
  return (a->number > b->number) - (a->number < b->number);
}

void face_keys_sort(FaceKey *keys, int count)
{
  assert(count >= 0 && (keys != NULL || count == 0) && "keys are given");
  if (count > 0) qsort(keys, (size_t)count, sizeof *keys, compare_keys);
}

int face_keys_end(const FaceKey *keys, int count, int first)
{
  assert_debug(first >= 0 && first < count && "the first key is one of the list");
  int end = first + 1;
  while (end < count && memcmp(keys[end].vertex, keys[first].vertex, sizeof(int[3])) == 0) end++;
  return end;
}
