// Writes and reads the text files of the program tetgen.
#include "tetgen_files.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define COORDINATE_DIGITS 1e-14   // of a coordinate: what printing and reading may change
#define GRID_DIGITS 40            // binary ones of a coordinate of a mesh block of size 1, below
#define NUMBER_LONGEST 64         // characters of one number in a file
#define LINE_LONGEST 128          // characters of one line that is written

// Where reading stands in a text, and whether it has failed.
typedef struct {
  const char *at;
  bool failed;
} TextReader;

TetgenUnit tetgen_unit_metre(void) { return (TetgenUnit){.size = 1}; }

// The grid is finer than what makes points one and faces flat (MESH_SAME_PLACE, MESH_CONVEX), and
// coarser than the rounding of a scale: points that the file has in one plane or one line, and that
// a scale has moved off it in the last digit, are there again. The program ends with a failed
// assertion on some of the others.
TetgenUnit tetgen_unit_of_block(const MeshBlock *mesh_block)
{
  assert(mesh_block->point_count > 0 && "a mesh block has points");
  vec3 low = mesh_block->points[0], high = low;
  for (int i = 1; i < mesh_block->point_count; i++) {
    low = vec3_min(low, mesh_block->points[i]);
    high = vec3_max(high, mesh_block->points[i]);
  }
  const vec3 sides = vec3_sub(high, low);
  return (TetgenUnit){low, fmax(sides.x, fmax(sides.y, sides.z)), true};
}

static double put_on_grid(double x) { return ldexp(rint(ldexp(x, GRID_DIGITS)), -GRID_DIGITS); }

static vec3 to_unit(TetgenUnit unit, vec3 point)
{
  assert_debug(unit.size > 0 && "a unit has a size");
  const vec3 arm = vec3_sub(point, unit.low);
  const vec3 place = {arm.x / unit.size, arm.y / unit.size, arm.z / unit.size};
  if (!unit.on_grid) return place;
  return (vec3){put_on_grid(place.x), put_on_grid(place.y), put_on_grid(place.z)};
}

static vec3 to_metres(TetgenUnit unit, vec3 place)
{
  return vec3_add(unit.low, vec3_scale(unit.size, place));
}

char *tetgen_write_surface(const MeshBlock *mesh_block, TetgenUnit unit, size_t *count,
                           Arena *arena)
{
  assert(unit.size > 0 && mesh_block->triangle_count > 0 &&
         "a mesh block has a unit and a surface");
  const size_t lines = (size_t)mesh_block->point_count + (size_t)mesh_block->triangle_count + 4;
  char *text = arena_allocate(arena, lines * LINE_LONGEST);
  size_t n = (size_t)snprintf(text, LINE_LONGEST, "%d 3 0 0\n", mesh_block->point_count);
  for (int i = 0; i < mesh_block->point_count; i++) {
    const vec3 p = to_unit(unit, mesh_block->points[i]);
    n += (size_t)snprintf(text + n, LINE_LONGEST, "%d %.17g %.17g %.17g\n", i, p.x, p.y, p.z);
  }
  n += (size_t)snprintf(text + n, LINE_LONGEST, "%d 0\n", mesh_block->triangle_count);
  for (int t = 0; t < mesh_block->triangle_count; t++) {
    const int *corner = mesh_block->triangles[t];
    n += (size_t)snprintf(text + n, LINE_LONGEST, "3 %d %d %d\n", corner[0], corner[1], corner[2]);
  }
  // neither holes nor regions
  n += (size_t)snprintf(text + n, LINE_LONGEST, "0\n0\n");
  assert(n < lines * LINE_LONGEST && "lines have room");
  *count = n;
  return text;
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// The next word, without comments, which run from # to the end of the line.
static bool next_word(TextReader *reader, char word[NUMBER_LONGEST])
{
  const char *p = reader->at;
  while (is_space(*p) || *p == '#') {
    if (*p == '#') {
      while (*p && *p != '\n') p++;
    } else {
      p++;
    }
  }
  int length = 0;
  while (*p && *p != '#' && !is_space(*p) && length < NUMBER_LONGEST - 1) word[length++] = *p++;
  word[length] = 0;
  reader->at = p;
  if (length == 0 || length == NUMBER_LONGEST - 1) reader->failed = true;
  return !reader->failed;
}

static int read_integer(TextReader *reader)
{
  char word[NUMBER_LONGEST], *end;
  if (reader->failed || !next_word(reader, word)) return 0;
  const long value = strtol(word, &end, 10);
  if (*end || value < INT_MIN || value > INT_MAX) reader->failed = true;
  return reader->failed ? 0 : (int)value;
}

static double read_real(TextReader *reader)
{
  char word[NUMBER_LONGEST], *end;
  if (reader->failed || !next_word(reader, word)) return 0;
  const double value = strtod(word, &end);
  if (*end || !isfinite(value)) reader->failed = true;
  return reader->failed ? 0 : value;
}

// A count that the text is long enough for.
static int read_count(TextReader *reader)
{
  const int count = read_integer(reader);
  if (count < 0 || (size_t)count > strlen(reader->at)) reader->failed = true;
  return reader->failed ? 0 : count;
}

static bool is_near(double a, double b)
{
  return fabs(a - b) <= COORDINATE_DIGITS * fmax(fabs(a), fabs(b));
}

static bool read_points(const MeshBlock *mesh_block, const TetgenAnswer *answer, Arena *arena,
                        MeshFilling *filling, ErrorText reason)
{
  TextReader reader = {.at = answer->node};
  const int count = read_count(&reader), dimension = read_integer(&reader);
  const int attributes = read_integer(&reader), markers = read_integer(&reader);
  const bool sound = !reader.failed && dimension == 3 && attributes >= 0 && attributes < 100 &&
                     markers >= 0 && markers < 2;
  filling->points = arena_allocate(arena, (size_t)count * sizeof *filling->points);
  for (int i = 0; i < count && sound && !reader.failed; i++) {
    if (read_integer(&reader) != i) reader.failed = true;
    vec3 *p = &filling->points[i];
    p->x = read_real(&reader);
    p->y = read_real(&reader);
    p->z = read_real(&reader);
    for (int k = 0; k < attributes; k++) read_real(&reader);
    if (markers) read_integer(&reader);
    if (reader.failed) continue;
    if (i >= mesh_block->point_count) {
      *p = to_metres(answer->unit, *p);
      continue;
    }
    const vec3 own = to_unit(answer->unit, mesh_block->points[i]);
    if (!is_near(p->x, own.x) || !is_near(p->y, own.y) || !is_near(p->z, own.z)) {
      snprintf(reason.text, reason.bytes, "point %d came back elsewhere", i);
      return false;
    }
    *p = mesh_block->points[i];
  }
  filling->point_count = count;
  if (!sound || reader.failed)
    snprintf(reason.text, reason.bytes, "its list of points cannot be read");
  else if (count < mesh_block->point_count)
    snprintf(reason.text, reason.bytes, "it left points out");
  else return true;
  return false;
}

static bool read_tetrahedra(const char *text, Arena *arena, MeshFilling *filling, ErrorText reason)
{
  TextReader reader = {.at = text};
  const int count = read_count(&reader), corners = read_integer(&reader);
  const int attributes = read_integer(&reader);
  const bool sound = !reader.failed && corners == 4 && attributes >= 0 && attributes < 100;
  filling->tetra_count = count;
  filling->tetra = arena_allocate(arena, (size_t)count * sizeof *filling->tetra);
  for (int t = 0; t < count && sound && !reader.failed; t++) {
    if (read_integer(&reader) != t) reader.failed = true;
    for (int k = 0; k < 4; k++) filling->tetra[t][k] = read_integer(&reader);
    for (int k = 0; k < attributes; k++) read_real(&reader);
  }
  if (sound && !reader.failed) return true;
  snprintf(reason.text, reason.bytes, "its list of tetrahedra cannot be read");
  return false;
}

bool tetgen_read_filling(const MeshBlock *mesh_block, const TetgenAnswer *answer, Arena *arena,
                         MeshFilling *filling, ErrorText reason)
{
  assert(answer->node != NULL && answer->ele != NULL && "an answer has two texts");
  assert(reason.text != NULL && reason.bytes > 0 && "a phrase has room");
  *filling = (MeshFilling){0};
  return read_points(mesh_block, answer, arena, filling, reason) &&
         read_tetrahedra(answer->ele, arena, filling, reason);
}
