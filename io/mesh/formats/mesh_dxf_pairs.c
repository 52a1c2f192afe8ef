// DXF: pairs of lines, their values, and names of mesh blocks.
#include <assert.h>

#include "check.h"
#include "mesh_dxf.h"

bool mesh_dxf_next(DxfReader *reader)
{
  MeshScan *scan = &reader->scan;
  if (scan->failed) return false;
  if (scan->at > scan->begin) mesh_scan_skip_line(scan);   // the rest of the last value
  if (mesh_scan_left(scan) == 0) return mesh_scan_fail(scan, "the file ends before EOF");
  const MeshWord word = mesh_scan_rest(scan);
  int64_t code;
  if (!mesh_word_integer(word, &code) || code < -10 || code > 9999)
    return mesh_scan_expected(scan, "a group code", word);
  mesh_scan_skip_line(scan);
  const MeshWord value = mesh_scan_rest(scan);
  reader->pair = (DxfPair){scan->at, scan->line, (int)code, value};
  return true;
}

bool mesh_dxf_skip(DxfReader *reader)
{
  do {
    if (!mesh_dxf_next(reader)) return false;
  } while (reader->pair.code != 0);
  return true;
}

bool mesh_dxf_is(const DxfReader *reader, const char *word)
{
  return reader->pair.code == 0 && mesh_word_is(reader->pair.value, word);
}

void mesh_dxf_go_to(DxfReader *reader, DxfPair pair)
{
  assert(pair.at > reader->scan.begin && pair.at <= reader->scan.end && "a pair of the file");
  reader->scan.at = pair.at;
  reader->scan.line = pair.line;
  reader->pair = pair;
}

bool mesh_dxf_number(DxfReader *reader, const char *what, double *value)
{
  return mesh_word_number(&reader->scan, reader->pair.value, value) ||
         mesh_scan_expected(&reader->scan, what, reader->pair.value);
}

bool mesh_dxf_integer(DxfReader *reader, const char *what, int64_t *value)
{
  return mesh_word_integer(reader->pair.value, value) ||
         mesh_scan_expected(&reader->scan, what, reader->pair.value);
}

bool mesh_dxf_point(DxfReader *reader, int number, vec3 *point, unsigned *given)
{
  assert_debug(number >= 0 && number < 9 && "points have one digit");
  static const char *const names[] = {"x of a point", "y of a point", "z of a point"};
  const int axis = (reader->pair.code - number) / 10 - 1;
  if (reader->pair.code != 10 * (axis + 1) + number || axis < 0 || axis > 2) return true;
  *given |= 1u << axis;
  return mesh_dxf_number(reader, names[axis], &(&point->x)[axis]);
}

int64_t mesh_dxf_add_name(DxfReader *reader, MeshWord name, bool placed)
{
  assert(reader->names.count == reader->placed.count && "every name has its kind");
  *(MeshWord *)mesh_list_add(&reader->names, sizeof name) = name;
  *(bool *)mesh_list_add(&reader->placed, sizeof placed) = placed;
  return reader->names.count - 1;
}

int64_t mesh_dxf_key(DxfReader *reader, MeshWord layer)
{
  if (reader->placement.depth > 0) return reader->placement.key;
  const int64_t last = reader->names.count - 1;
  const MeshWord *names = reader->names.rows;
  const bool *placed = reader->placed.rows;
  if (last >= 0 && !placed[last] && mesh_word_compare(names[last], layer) == 0) return last;
  return mesh_dxf_add_name(reader, layer, false);
}
