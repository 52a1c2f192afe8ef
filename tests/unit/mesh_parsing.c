#include "mesh_parsing.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

typedef struct {
  char text[16384];
  size_t used;
} Line;

__attribute__((format(printf, 2, 3))) static void add(Line *line, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const int length =
      vsnprintf(line->text + line->used, sizeof line->text - line->used, format, arguments);
  va_end(arguments);
  line->used += (size_t)length;
  assert(line->used < sizeof line->text && "room for the text of a soup");
}

static void write_soup(const MeshSoup *soup, Line *line)
{
  add(line, "p");
  for (int i = 0; i < soup->point_count; i++)
    add(line, "%s %.17g %.17g %.17g", i ? "," : "", soup->points[i].x, soup->points[i].y,
        soup->points[i].z);
  for (int i = 0; i < soup->face_count; i++) {
    add(line, i ? "," : " ; f");
    for (int c = soup->face_start[i]; c < soup->face_start[i + 1]; c++)
      add(line, " %d", soup->corners[c]);
    add(line, " @%d", soup->face_block[i]);
  }
  for (int i = 0; i < soup->hexa_count; i++) {   // their tetrahedra go with them
    add(line, i ? "," : " ; h");
    for (int c = 0; c < 8; c++) add(line, " %d", soup->hexa[i][c]);
    add(line, " @%d", soup->tetra_block[6 * i]);
  }
  for (int i = 0; i < soup->tetra_count && soup->hexa_count == 0; i++)
    add(line, "%s %d %d %d %d @%d", i ? "," : " ; t", soup->tetra[i][0], soup->tetra[i][1],
        soup->tetra[i][2], soup->tetra[i][3], soup->tetra_block[i]);
  for (int i = 0; i < soup->mesh_block_count; i++)
    add(line, "%s '%s'%s", i ? "," : " ; b", soup->mesh_block_names[i],
        soup->mesh_block_fixed && soup->mesh_block_fixed[i] ? " fixed" : "");
  if (soup->remark && *soup->remark) add(line, " ; r %s", soup->remark);
}

// Allocations of exactly the file's size, so that the sanitizer sees a byte too far.
static char *copy_exact(const void *bytes, size_t count)
{
  char *copy = malloc(count > 0 ? count : 1);
  assert(copy && "memory for a small file");
  if (count > 0) memcpy(copy, bytes, count);
  return copy;
}

// The soup as text, or "refused: " and the message.
static void parse(const char *path, const void *bytes, size_t count, const char *second, Line *line)
{
  Arena arena = arena_new();
  const char *paths[2];
  const int file_count = mesh_companions(path, paths, &arena);
  MeshText files[2] = {{path, copy_exact(bytes, count), count}};
  const size_t second_count = second ? strlen(second) : 0;
  if (file_count > 1)
    files[1] = (MeshText){paths[1], second ? copy_exact(second, second_count) : NULL, second_count};

  MeshSoup soup;
  char error[512];
  line->used = 0;
  if (mesh_parse((MeshFiles){mesh_format(path), file_count, files}, &arena, &soup,
                 (ErrorText){error, sizeof error})) {
    CHECK(mesh_soup_is_valid(&soup));
    CHECK(error[0] == 0);
    write_soup(&soup, line);
  } else {
    CHECK(soup.point_count == 0 && soup.face_count == 0 && soup.tetra_count == 0);
    add(line, "refused: %s", error);
  }
  arena_destroy(&arena);
  for (int i = 0; i < 2; i++) free((void *)files[i].bytes);
}

static bool is_same(const Line *line, const char *prefix, const char *expected, const char *what)
{
  const size_t length = strlen(prefix);
  const bool same =
      strncmp(line->text, prefix, length) == 0 && strcmp(line->text + length, expected) == 0;
  if (!same) printf("  %s\n  found    %s\n  expected %s%s\n", what, line->text, prefix, expected);
  return same;
}

// The text with other line ends, after a mark that may stand before any text.
static size_t convert(const char *text, const char *line_end, char *converted, size_t room)
{
  size_t used = (size_t)snprintf(converted, room, "\xEF\xBB\xBF");
  for (const char *p = text; *p; p++) {
    const char letter[2] = {*p, 0};
    used += (size_t)snprintf(converted + used, room - used, "%s", *p == '\n' ? line_end : letter);
    assert(used < room && "room for a small file");
  }
  return used;
}

// As it is, and as other systems write lines.
static bool is_answered(const char *path, const char *text, const char *second, const char *prefix,
                        const char *expected)
{
  static Line line;
  static char converted[1 << 17];
  parse(path, text, strlen(text), second, &line);
  if (!is_same(&line, prefix, expected, path)) return false;
  static const char *const line_ends[] = {"\n", "\r\n", "\r"};
  for (size_t i = 0; i < sizeof line_ends / sizeof line_ends[0] && *text; i++) {
    const size_t count = convert(text, line_ends[i], converted, sizeof converted);
    parse(path, converted, count, second, &line);
    if (!is_same(&line, prefix, expected, "with other line ends")) return false;
  }
  return true;
}

bool mesh_reads(const char *path, const char *text, const char *second, const char *expected)
{
  return is_answered(path, text, second, "", expected);
}

bool mesh_refuses(const char *path, const char *text, const char *second, const char *message)
{
  return is_answered(path, text, second, "refused: ", message);
}

// -------------------------------------------------------------------------------------------------

void mesh_put_text(MeshBytes *file, const char *text)
{
  const size_t length = strlen(text);
  assert(file->count + length <= sizeof file->bytes && "room for a small file");
  memcpy(file->bytes + file->count, text, length);
  file->count += length;
}

static void put_bits(MeshBytes *file, int size, uint64_t bits)
{
  assert(file->count + (size_t)size <= sizeof file->bytes && "room for a small file");
  for (int i = 0; i < size; i++) {
    const int shift = 8 * (file->big_endian ? size - 1 - i : i);
    file->bytes[file->count++] = (unsigned char)(bits >> shift);
  }
}

void mesh_put_whole(MeshBytes *file, int size, int64_t value)
{
  put_bits(file, size, (uint64_t)value);
}

void mesh_put_wholes(MeshBytes *file, int size, int count, const int64_t *values)
{
  for (int i = 0; i < count; i++) mesh_put_whole(file, size, values[i]);
}

void mesh_put_real(MeshBytes *file, int size, double value)
{
  uint64_t bits;
  uint32_t half;
  const float single = (float)value;
  memcpy(&bits, &value, sizeof bits);
  memcpy(&half, &single, sizeof half);
  put_bits(file, size, size == 4 ? half : bits);
}

static bool is_answered_bytes(const char *path, const MeshBytes *file, const char *prefix,
                              const char *expected)
{
  static Line line;
  parse(path, file->bytes, file->count, NULL, &line);
  return is_same(&line, prefix, expected, path);
}

// Every shorter piece of the file is refused, but for one without the last line end.
bool mesh_reads_bytes(const char *path, const MeshBytes *file, const char *expected)
{
  static Line line;
  for (size_t count = 0; count < file->count; count++) {
    parse(path, file->bytes, count, NULL, &line);
    const bool refused = strncmp(line.text, "refused: ", 9) == 0;
    const bool same = file->bytes[file->count - 1] == '\n' && count + 1 == file->count &&
                      strcmp(line.text, expected) == 0;
    if (!CHECK(refused || same)) printf("  cut to %zu bytes: %s\n", count, line.text);
  }
  return is_answered_bytes(path, file, "", expected);
}

bool mesh_refuses_bytes(const char *path, const MeshBytes *file, const char *message)
{
  return is_answered_bytes(path, file, "refused: ", message);
}
