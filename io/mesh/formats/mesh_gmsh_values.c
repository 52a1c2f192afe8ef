// Values in the sections of a Gmsh file: binary, or words.
#include "mesh_gmsh.h"

#include <assert.h>
#include <limits.h>

#include "check.h"

bool mesh_gmsh_read_int(GmshReader *reader, const char *what, int64_t *value)
{
  assert_debug((!reader->scan.binary || reader->tag_bytes > 0) && "the format is known");
  MeshScan *scan = &reader->scan;
  if (!scan->binary) return mesh_scan_integer(scan, what, INT_MIN, INT_MAX, value);
  if (!mesh_scan_has(scan, 4, what)) return false;
  *value = mesh_scan_signed(scan, 4);
  return true;
}

bool mesh_gmsh_read_size(GmshReader *reader, const char *what, int64_t *value)
{
  assert_debug((reader->tag_bytes == 4 || reader->tag_bytes == 8) && "the format is known");
  MeshScan *scan = &reader->scan;
  if (!scan->binary) return mesh_scan_integer(scan, what, 0, INT64_MAX, value);
  if (!mesh_scan_has(scan, (size_t)reader->tag_bytes, what)) return false;
  const uint64_t size = mesh_scan_unsigned(scan, reader->tag_bytes);
  if (size > INT64_MAX)
    return mesh_scan_fail(scan, "%s cannot be %llu", what, (unsigned long long)size);
  *value = (int64_t)size;
  return true;
}

bool mesh_gmsh_read_double(GmshReader *reader, const char *what, double *value)
{
  assert_debug(what != NULL && value != NULL && "a number has a name and a place");
  MeshScan *scan = &reader->scan;
  if (!scan->binary) return mesh_scan_number(scan, what, value);
  if (!mesh_scan_has(scan, 8, what)) return false;
  *value = mesh_scan_float(scan, 8);
  return true;
}

bool mesh_gmsh_skip_doubles(GmshReader *reader, int64_t count)
{
  assert(count >= 0 && "numbers are counted");
  double ignored;
  for (int64_t i = 0; i < count; i++)
    if (!mesh_gmsh_read_double(reader, "a number", &ignored)) return false;
  return true;
}

bool mesh_gmsh_read_count_line(GmshReader *reader, const char *what, int64_t *count)
{
  assert(reader->tag_bytes > 0 && "the format is known");
  if (!mesh_scan_integer(&reader->scan, what, 0, INT_MAX, count)) return false;
  mesh_scan_skip_line(&reader->scan);
  return true;
}
