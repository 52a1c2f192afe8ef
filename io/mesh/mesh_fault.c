#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mesh_fault.h"

bool mesh_refuse(const MeshFault *fault, int block, const char *format, ...)
{
  char reason[512];
  va_list words;
  va_start(words, format);
  vsnprintf(reason, sizeof reason, format, words);
  va_end(words);
  const char *name = fault->soup->block_names[block];
  if (name[0] != 0) {
    snprintf(fault->error, fault->error_bytes, "%s: block '%.200s': %s", fault->path, name, reason);
  } else if (fault->soup->block_count > 1) {
    snprintf(fault->error, fault->error_bytes, "%s: block %d: %s", fault->path, block + 1, reason);
  } else {
    snprintf(fault->error, fault->error_bytes, "%s: %s", fault->path, reason);
  }
  return false;
}

MeshPlace mesh_place(const MeshFault *fault, int point)
{
  const vec3 p = fault->soup->points[point];
  MeshPlace place;
  snprintf(place.text, sizeof place.text, "(%.9g, %.9g, %.9g)", p.x, p.y, p.z);
  return place;
}

MeshCount mesh_count(long long count, const char *one, const char *many)
{
  MeshCount text;
  snprintf(text.text, sizeof text.text, "%lld %s", count, count == 1 ? one : many);
  return text;
}
