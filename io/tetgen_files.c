#include "tetgen_files.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COORDINATE_DIGITS 1e-14   // of a coordinate: what printing and reading may change
#define NUMBER_LONGEST 64         // characters of one number in a file
#define LINE_LONGEST 128          // characters of one line that is written

// Where reading stands in a text, and whether it has failed.
typedef struct {
  const char *at;
  bool failed;
} TextReader;

char *tetgen_write_surface(const MeshBlock *block, size_t *count, Arena *arena)
{
  const size_t lines = (size_t)block->point_count + (size_t)block->triangle_count + 4;
  char *text = arena_allocate(arena, lines * LINE_LONGEST);
  size_t n = (size_t)snprintf(text, LINE_LONGEST, "%d 3 0 0\n", block->point_count);
  for (int i = 0; i < block->point_count; i++) {
    const vec3 p = block->points[i];
    n += (size_t)snprintf(text + n, LINE_LONGEST, "%d %.17g %.17g %.17g\n", i, p.x, p.y, p.z);
  }
  n += (size_t)snprintf(text + n, LINE_LONGEST, "%d 0\n", block->triangle_count);
  for (int t = 0; t < block->triangle_count; t++) {
    const int *corner = block->triangles[t];
    n += (size_t)snprintf(text + n, LINE_LONGEST, "3 %d %d %d\n", corner[0], corner[1], corner[2]);
  }
  // neither holes nor regions
  n += (size_t)snprintf(text + n, LINE_LONGEST, "0\n0\n");
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

static bool read_points(const MeshBlock *block, const char *text, Arena *arena,
                        BlockFilling *filling, char *reason, size_t bytes)
{
  TextReader reader = {.at = text};
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
    if (reader.failed || i >= block->point_count) continue;
    const vec3 own = block->points[i];
    if (!is_near(p->x, own.x) || !is_near(p->y, own.y) || !is_near(p->z, own.z)) {
      snprintf(reason, bytes, "point %d came back elsewhere", i);
      return false;
    }
    *p = own;
  }
  filling->point_count = count;
  if (!sound || reader.failed) snprintf(reason, bytes, "its list of points cannot be read");
  else if (count < block->point_count) snprintf(reason, bytes, "it left points out");
  else return true;
  return false;
}

static bool read_tetrahedra(const char *text, Arena *arena, BlockFilling *filling, char *reason,
                            size_t bytes)
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
  snprintf(reason, bytes, "its list of tetrahedra cannot be read");
  return false;
}

bool tetgen_read_filling(const MeshBlock *block, const char *node, const char *ele, Arena *arena,
                         BlockFilling *filling, char *reason, size_t bytes)
{
  *filling = (BlockFilling){0};
  return read_points(block, node, arena, filling, reason, bytes) &&
         read_tetrahedra(ele, arena, filling, reason, bytes);
}
