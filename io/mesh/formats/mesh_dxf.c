// DXF, text form: faces and meshes of ENTITIES by layer, and of blocks where they are placed.
#include "mesh_dxf.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "memory.h"
#include "trig.h"

enum { PLACED_MIB = 64, PLACED_SHARE = 64 };   // that placements may read, and times the file
#define NEARLY_UPWARDS (1.0 / 64)              // of DXF's rule for axes
#define LARGEST_TURN 36000.0                   // degrees

static bool read_entities(DxfReader *reader, const char *end);

// -------------------------------------------------------------------------------------------------
// Blocks and their placements

typedef struct {
  MeshWord name;
  vec3 at, scale, upwards;
  double degrees;
  int64_t columns, rows;
} Insert;

static bool read_insert(DxfReader *reader, Insert *insert)
{
  *insert = (Insert){.name = {reader->scan.at, 0}, .scale = {1, 1, 1}, .upwards = {0, 0, 1}};
  insert->columns = insert->rows = 1;
  unsigned given = 0;
  while (mesh_dxf_next(reader) && reader->pair.code != 0) {
    bool sound = mesh_dxf_point(reader, 0, &insert->at, &given);
    switch (reader->pair.code) {
    case 2: insert->name = reader->pair.value; break;
    case 41: sound = mesh_dxf_number(reader, "a scale", &insert->scale.x); break;
    case 42: sound = mesh_dxf_number(reader, "a scale", &insert->scale.y); break;
    case 43: sound = mesh_dxf_number(reader, "a scale", &insert->scale.z); break;
    case 50: sound = mesh_dxf_number(reader, "an angle", &insert->degrees); break;
    case 70: sound = mesh_dxf_integer(reader, "a number of columns", &insert->columns); break;
    case 71: sound = mesh_dxf_integer(reader, "a number of rows", &insert->rows); break;
    case 210: sound = mesh_dxf_number(reader, "x of a direction", &insert->upwards.x); break;
    case 220: sound = mesh_dxf_number(reader, "y of a direction", &insert->upwards.y); break;
    case 230: sound = mesh_dxf_number(reader, "z of a direction", &insert->upwards.z); break;
    default: break;
    }
    if (!sound) return false;
  }
  return !reader->scan.failed;
}

// Axes of an entity whose z is that direction (DXF Reference, Arbitrary Axis Algorithm).
static mat3 axes_of(vec3 upwards)
{
  assert(vec3_dot(upwards, upwards) > 0 && "a direction has a length");
  const vec3 z = vec3_scale(1 / vec3_norm(upwards), upwards);
  const bool near = fabs(z.x) < NEARLY_UPWARDS && fabs(z.y) < NEARLY_UPWARDS;
  const vec3 across = vec3_cross(near ? (vec3){0, 1, 0} : (vec3){0, 0, 1}, z);
  const vec3 x = vec3_scale(1 / vec3_norm(across), across), y = vec3_cross(z, x);
  return (mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

// The placement of a block in the one that holds it.
static DxfPlacement place(const DxfPlacement *outer, const DxfBlock *block, const Insert *insert)
{
  const mat3 axes = axes_of(insert->upwards);
  const double angle = insert->degrees / 180 * TRIG_PI;
  const double c = trig_cos(angle), s = trig_sin(angle);
  const mat3 turn = {{{c, 0 - s, 0}, {s, c, 0}, {0, 0, 1}}};
  const mat3 scale = mat3_diagonal(insert->scale.x, insert->scale.y, insert->scale.z);
  DxfPlacement inner = {.depth = outer->depth + 1};
  inner.turn = mat3_mul_mat(axes, mat3_mul_mat(turn, scale));
  inner.shift = vec3_sub(mat3_mul(axes, insert->at), mat3_mul(inner.turn, block->base));
  if (outer->depth == 0) return inner;
  inner.turn = mat3_mul_mat(outer->turn, inner.turn);
  inner.shift = vec3_add(mat3_mul(outer->turn, inner.shift), outer->shift);
  return inner;
}

// The block that an insert names, if the insert can be followed; at the pair of the insert.
static DxfBlock *find_block(DxfReader *reader, DxfPair begin, const Insert *insert)
{
  MeshScan *scan = &reader->scan;
  char quote[MESH_QUOTE_BYTES];
  const int depth = reader->placement.depth;
  mesh_dxf_go_to(reader, begin);   // messages name its line
  DxfBlock *block = mesh_dxf_find_block(reader, insert->name, depth);
  // all that it places, before any of it is read
  if (!block || (depth == 0 && !mesh_dxf_weigh(reader, block, depth + 1))) return NULL;
  mesh_dxf_go_to(reader, begin);
  const size_t most = ((size_t)PLACED_MIB << 20) + PLACED_SHARE * (size_t)(scan->end - scan->begin);
  if (depth == 0) reader->placed_bytes += block->weight;
  const double length = vec3_dot(insert->upwards, insert->upwards);
  if (insert->columns > 1 || insert->rows > 1)
    mesh_scan_fail(scan, "block %s is placed in rows and columns, which are not read; explode it",
                   mesh_word_quote(scan, insert->name, quote));
  else if (reader->placed_bytes > most)
    mesh_scan_fail(
        scan,
        "blocks are placed so often that it would take more than %d MiB and %d times the file",
        PLACED_MIB, PLACED_SHARE);
  else if (!(fabs(insert->degrees) <= LARGEST_TURN) || !(length > 0 && isfinite(length)))
    mesh_scan_fail(scan, "block %s is placed with a turn or a direction that is none",
                   mesh_word_quote(scan, insert->name, quote));
  return scan->failed ? NULL : block;
}

// The pair is INSERT; then at the next entity.
static bool follow_insert(DxfReader *reader)
{
  assert(mesh_dxf_is(reader, "INSERT") && "an insert begins with its name");
  const DxfPair begin = reader->pair;
  Insert insert;
  if (!read_insert(reader, &insert)) return false;
  const DxfPair next = reader->pair;
  const DxfPlacement outer = reader->placement;
  DxfBlock *block = find_block(reader, begin, &insert);
  if (!block) return false;
  reader->placement = place(&outer, block, &insert);
  reader->placement.key = mesh_dxf_add_name(reader, insert.name, true);
  block->open = true;
  mesh_dxf_go_to(reader, block->first);
  if (!read_entities(reader, "ENDBLK")) return false;
  block->open = false;
  reader->placement = outer;
  mesh_dxf_go_to(reader, next);
  return true;
}

// -------------------------------------------------------------------------------------------------
// Entities and sections

// From this pair on up to a pair 0 of that word.
static bool read_entities(DxfReader *reader, const char *end)
{
  static const char *const solids[] = {"3DSOLID",
                                       "BODY",
                                       "REGION",
                                       "SURFACE",
                                       "EXTRUDEDSURFACE",
                                       "LOFTEDSURFACE",
                                       "REVOLVEDSURFACE",
                                       "NURBSURFACE",
                                       "PLANESURFACE",
                                       "SWEPTSURFACE",
                                       "MESH",
                                       "ACAD_PROXY_ENTITY"};
  MeshScan *scan = &reader->scan;
  while (!mesh_dxf_is(reader, end)) {
    if (reader->pair.code != 0)
      return mesh_scan_fail(scan, "expected an entity, which begins with code 0, found code %d",
                            reader->pair.code);
    const MeshWord name = reader->pair.value;
    if (mesh_word_is(name, "EOF") || mesh_word_is(name, "ENDSEC") || mesh_word_is(name, "ENDBLK"))
      return mesh_scan_fail(scan, "expected %s, found %.*s", end, (int)name.length, name.begin);
    for (size_t i = 0; i < sizeof solids / sizeof solids[0]; i++)
      if (mesh_word_is(name, solids[i]))
        return mesh_scan_fail(
            scan, "%s is not read; save faces (3DFACE) or polyface meshes (POLYLINE)", solids[i]);
    bool sound;
    if (mesh_word_is(name, "3DFACE")) sound = mesh_dxf_face(reader);
    else if (mesh_word_is(name, "POLYLINE")) sound = mesh_dxf_polyline(reader);
    else if (mesh_word_is(name, "INSERT")) sound = follow_insert(reader);
    else sound = mesh_dxf_skip(reader);
    if (!sound) return false;
  }
  return true;
}

static bool read_blocks(DxfReader *reader)
{
  bool sound = mesh_dxf_skip(reader);
  while (sound && !mesh_dxf_is(reader, "ENDSEC")) {
    if (!mesh_dxf_is(reader, "BLOCK"))
      return mesh_scan_expected(&reader->scan, "BLOCK or ENDSEC", reader->pair.value);
    sound = mesh_dxf_note_block(reader) && mesh_dxf_skip(reader);
  }
  return sound && mesh_dxf_order_blocks(reader);
}

static bool read_variables(DxfReader *reader)
{
  bool is_unit = false;
  while (mesh_dxf_next(reader) && !mesh_dxf_is(reader, "ENDSEC")) {
    if (reader->pair.code == 9) is_unit = mesh_word_is(reader->pair.value, "$INSUNITS");
    else if (is_unit && reader->pair.code == 70 &&
             !mesh_dxf_integer(reader, "a unit", &reader->unit))
      return false;
  }
  return !reader->scan.failed;
}

static bool skip_section(DxfReader *reader)
{
  while (!mesh_dxf_is(reader, "ENDSEC"))
    if (!mesh_dxf_skip(reader)) return false;
  return true;
}

static bool read_sections(DxfReader *reader)
{
  MeshScan *scan = &reader->scan;
  while (mesh_dxf_next(reader) && !mesh_dxf_is(reader, "EOF")) {
    if (reader->pair.code == 999) continue;   // a comment
    if (!mesh_dxf_is(reader, "SECTION"))
      return mesh_scan_expected(scan, "SECTION or EOF", reader->pair.value);
    if (!mesh_dxf_next(reader)) return false;
    if (reader->pair.code != 2)
      return mesh_scan_expected(scan, "the name of a section, with code 2", reader->pair.value);
    const MeshWord name = reader->pair.value;
    bool sound;
    if (mesh_word_is(name, "HEADER")) sound = read_variables(reader);
    else if (mesh_word_is(name, "BLOCKS")) sound = read_blocks(reader);
    else if (mesh_word_is(name, "ENTITIES"))
      sound = mesh_dxf_next(reader) && read_entities(reader, "ENDSEC");
    else sound = skip_section(reader);
    if (!sound) return false;
  }
  return !scan->failed;
}

// -------------------------------------------------------------------------------------------------
// The soup

// The unit of the file, which a case gives by its scale; NULL: metres, or none.
static const char *unit_remark(int64_t unit)
{
  static const char *const units[] = {NULL,
                                      "unit inch (scale 0.0254)",
                                      "unit foot (scale 0.3048)",
                                      "unit mile (scale 1609.344)",
                                      "unit mm (scale 0.001)",
                                      "unit cm (scale 0.01)",
                                      NULL};
  const bool known = unit >= 0 && unit < (int64_t)(sizeof units / sizeof units[0]);
  return known ? units[unit] : NULL;
}

// Layers of one name are one mesh block; each placement is one of its own.
static void finish(DxfReader *reader, MeshReading *reading)
{
  const MeshWord *names = reader->names.rows;
  const bool *placed = reader->placed.rows;
  int64_t *key = reading->draft.face_key.rows;
  int64_t *first = mesh_draft_first_words(names, reader->names.count);
  // a layer may have the name of a block: the first layer of its name counts
  int64_t *layer = memory_allocate((size_t)reader->names.count * sizeof *layer);
  for (int64_t i = 0; i < reader->names.count; i++) layer[i] = -1;
  for (int64_t i = 0; i < reader->names.count; i++)
    if (!placed[i] && layer[first[i]] < 0) layer[first[i]] = i;
  for (int64_t i = 0; i < reading->draft.face_key.count; i++)
    if (!placed[key[i]]) key[i] = layer[first[key[i]]];
  memory_free(first);
  memory_free(layer);
  const int64_t *keys = mesh_draft_finish(reading);
  for (int i = 0; i < reading->soup->mesh_block_count; i++)
    reading->soup->mesh_block_names[i] = mesh_word_name(names[keys[i]], reading->arena);
  reading->soup->remark = unit_remark(reader->unit);
}

bool mesh_dxf_read(MeshReading *reading)
{
  assert(reading->file_count >= 1 && reading->files[0].bytes != NULL && "a mesh has a file");
  static const char binary[] = "AutoCAD Binary DXF";
  DxfReader reader = {.scan = mesh_scan_new(&reading->files[0], reading->error),
                      .draft = &reading->draft};
  MeshScan *scan = &reader.scan;
  bool sound = true;
  mesh_scan_skip_mark(scan);
  if (mesh_scan_left(scan) >= sizeof binary && memcmp(scan->at, binary, sizeof binary - 1) == 0)
    sound = mesh_scan_fail(scan, "a binary DXF is not read; save it as text");
  sound = sound && mesh_scan_is_text(scan) && read_sections(&reader);
  if (sound) finish(&reader, reading);
  memory_free(reader.names.rows);
  memory_free(reader.placed.rows);
  memory_free(reader.blocks.rows);
  memory_free(reader.inners.rows);
  mesh_scan_destroy(scan);
  return sound;
}
