// Writes messages about a mesh: file, mesh block, fault, and where in the file's coordinates.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mesh_fault.h"

bool mesh_refuse(const MeshFault *fault, int mesh_block, const char *format, ...)
{
  assert(mesh_block >= 0 && mesh_block < fault->soup->mesh_block_count &&
         "a fault lies in a mesh block of the file");
  assert(fault->error.text != NULL && fault->error.bytes > 0 && "a message has room");
  char reason[512];
  va_list words;
  va_start(words, format);
  vsnprintf(reason, sizeof reason, format, words);
  va_end(words);
  const char *name = fault->soup->mesh_block_names[mesh_block];
  if (name[0] != 0) {
    snprintf(fault->error.text, fault->error.bytes, "%s: block '%.200s': %s", fault->soup->path,
             name, reason);
  } else if (fault->soup->mesh_block_count > 1) {
    snprintf(fault->error.text, fault->error.bytes, "%s: block %d: %s", fault->soup->path,
             mesh_block + 1, reason);
  } else {
    snprintf(fault->error.text, fault->error.bytes, "%s: %s", fault->soup->path, reason);
  }
  return false;
}

MeshPlace mesh_place(const MeshFault *fault, int point)
{
  assert(point >= 0 && point < fault->soup->point_count && "a place is a point of the file");
  const vec3 p = fault->soup->points[point];
  MeshPlace place;
  snprintf(place.text, sizeof place.text, "(%.9g, %.9g, %.9g)", p.x, p.y, p.z);
  return place;
}

MeshFace mesh_face(const MeshFault *fault, int face)
{
  const MeshSoup *soup = fault->soup;
  assert(face >= 0 && face < soup->face_count && "a face has a number");
  const bool triangle = soup->face_start[face + 1] - soup->face_start[face] == 3;
  MeshFace text;
  snprintf(text.text, sizeof text.text, "%s %d", triangle ? "triangle" : "face", face + 1);
  return text;
}

MeshCount mesh_count(long long count, const char *one, const char *many)
{
  assert(count >= 0 && one != NULL && many != NULL && "a count has its words");
  MeshCount text;
  snprintf(text.text, sizeof text.text, "%lld %s", count, count == 1 ? one : many);
  return text;
}
