#include "face_key.h"

#include <stdlib.h>
#include <string.h>

FaceKey face_key(const int corner[3], int number)
{
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
  if (count > 0) qsort(keys, (size_t)count, sizeof *keys, compare_keys);
}

int face_keys_end(const FaceKey *keys, int count, int first)
{
  int end = first + 1;
  while (end < count && memcmp(keys[end].vertex, keys[first].vertex, sizeof(int[3])) == 0) end++;
  return end;
}
