// Walks through the bytes of a mesh file and keeps the first fault with its place.
#include "mesh_scan.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "log.h"
#include "utf8.h"

#define NUMBER_BYTES 1100   // the longest exact decimal of a double has 1077 characters

MeshScan mesh_scan_new(const MeshText *file, ErrorText error)
{
  assert(file->bytes != NULL && "a file that is scanned has bytes");
  assert(error.bytes > 0 && "a message needs room");
  error.text[0] = 0;
  return (MeshScan){.path = file->path,
                    .begin = file->bytes,
                    .at = file->bytes,
                    .end = file->bytes + file->count,
                    .line = 1,
                    .plain_point = newlocale(LC_ALL_MASK, "C", (locale_t)0),
                    .error = error};
}

void mesh_scan_destroy(MeshScan *scan)
{
  assert(scan->at >= scan->begin && scan->at <= scan->end && "a scan ends in its bytes");
  freelocale(scan->plain_point);
  scan->plain_point = (locale_t)0;
}

bool mesh_scan_fail(MeshScan *scan, const char *format, ...)
{
  assert(scan->error.text != NULL && scan->error.bytes > 0 && "a message has room");
  if (scan->failed) return false;
  scan->failed = true;
  const int used = scan->binary ? snprintf(scan->error.text, scan->error.bytes,
                                           "%s: byte %td: ", scan->path, scan->at - scan->begin)
                                : snprintf(scan->error.text, scan->error.bytes, "%s:%" PRId64 ": ",
                                           scan->path, scan->line);
  if (used >= 0 && (size_t)used < scan->error.bytes) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(scan->error.text + used, scan->error.bytes - (size_t)used, format, arguments);
    va_end(arguments);
  }
  return false;
}

// -------------------------------------------------------------------------------------------------
// Lines and words

static inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
static inline bool is_line_end(char c) { return c == '\n' || c == '\r'; }

// Bytes of the line end that begins here (LF, CR LF, CR, or CR CR LF, which comes of a transfer as
// text), 0 where there is none.
static inline size_t line_end_bytes(const char *at, const char *end)
{
  if (at >= end || !is_line_end(*at)) return 0;
  if (*at == '\n' || end - at < 2) return 1;
  if (at[1] == '\n') return 2;
  return at[1] == '\r' && end - at > 2 && at[2] == '\n' ? 3 : 1;
}

static inline bool joins_here(const MeshScan *scan)
{
  return scan->joins_lines && *scan->at == '\\' && line_end_bytes(scan->at + 1, scan->end) > 0;
}

static inline bool comments_here(const MeshScan *scan)
{
  return scan->comment && *scan->at == scan->comment;
}

void mesh_scan_skip_mark(MeshScan *scan)
{
  assert(scan->at >= scan->begin && scan->at <= scan->end && "a scan stays in its bytes");
  static const char mark[3] = {'\xEF', '\xBB', '\xBF'};
  if (mesh_scan_left(scan) >= sizeof mark && memcmp(scan->at, mark, sizeof mark) == 0)
    scan->begin = scan->at += sizeof mark;
}

bool mesh_scan_is_text(MeshScan *scan)
{
  assert(!scan->binary && !scan->failed && "a text is looked at before it is read");
  mesh_scan_skip_mark(scan);
  const char *p = scan->at;
  while (p < scan->end && ((unsigned char)*p >= 0x20 || is_blank(*p) || is_line_end(*p)) &&
         *p != 0x7F)
    p++;
  if (p == scan->end) return true;
  while (scan->at < p) {
    const size_t bytes = line_end_bytes(scan->at, scan->end);
    scan->line += bytes > 0;
    scan->at += bytes > 0 ? bytes : 1;
  }
  return mesh_scan_fail(scan, "byte 0x%02X is no text, and the format is one of text",
                        (unsigned char)*p);
}

// To the next word of the line; false at a comment or the end of the line.
static bool skip_blanks(MeshScan *scan)
{
  assert_debug(scan->at >= scan->begin && scan->at <= scan->end && "a scan stays in its bytes");
  for (; scan->at < scan->end; scan->at++) {
    if (is_blank(*scan->at)) continue;
    if (joins_here(scan)) {
      scan->at += line_end_bytes(scan->at + 1, scan->end);
      scan->line++;
      continue;
    }
    return !is_line_end(*scan->at) && !comments_here(scan);
  }
  return false;
}

void mesh_scan_skip_line(MeshScan *scan)
{
  assert_debug(scan->at >= scan->begin && scan->at <= scan->end && "a scan stays in its bytes");
  bool comment = false;
  while (scan->at < scan->end && !is_line_end(*scan->at)) {
    comment = comment || comments_here(scan);
    if (!comment && joins_here(scan)) {   // a backslash in a comment says nothing
      scan->at += line_end_bytes(scan->at + 1, scan->end);
      scan->line++;
    }
    scan->at++;
  }
  const size_t bytes = line_end_bytes(scan->at, scan->end);
  scan->line += bytes > 0;
  scan->at += bytes;
}

bool mesh_scan_line(MeshScan *scan)
{
  assert_debug(!scan->binary && "binary data have no lines");
  const bool inside = scan->at > scan->begin && !is_line_end(scan->at[-1]);
  if (inside) mesh_scan_skip_line(scan);
  while (scan->at < scan->end && !skip_blanks(scan)) mesh_scan_skip_line(scan);
  return scan->at < scan->end;
}

MeshWord mesh_scan_word(MeshScan *scan)
{
  assert_debug(scan->line >= 1 && "lines are counted from one");
  bool found = skip_blanks(scan);
  while (!found && scan->across_lines && scan->at < scan->end) {
    mesh_scan_skip_line(scan);
    found = skip_blanks(scan);
  }
  const char *begin = scan->at;
  if (found)
    while (scan->at < scan->end && !is_blank(*scan->at) && !is_line_end(*scan->at) &&
           !comments_here(scan) && !joins_here(scan))
      scan->at++;
  return (MeshWord){begin, (size_t)(scan->at - begin)};
}

MeshWord mesh_scan_rest(MeshScan *scan)
{
  assert_debug(scan->line >= 1 && "lines are counted from one");
  if (!skip_blanks(scan)) return (MeshWord){scan->at, 0};
  const char *begin = scan->at, *last = begin;
  while (scan->at < scan->end && !is_line_end(*scan->at) && !joins_here(scan)) {
    if (comments_here(scan) && is_blank(scan->at[-1])) break;
    if (!is_blank(*scan->at)) last = scan->at + 1;
    scan->at++;
  }
  return (MeshWord){begin, (size_t)(last - begin)};
}

// -------------------------------------------------------------------------------------------------
// Words

bool mesh_word_is(MeshWord word, const char *text)
{
  assert_debug((word.length == 0 || word.begin != NULL) && "a word has bytes");
  return word.length == strlen(text) && memcmp(word.begin, text, word.length) == 0;
}

bool mesh_word_is_any_case(MeshWord word, const char *text)
{
  if (word.length != strlen(text)) return false;
  for (size_t i = 0; i < word.length; i++) {
    const char c = word.begin[i];
    assert_debug(!(text[i] >= 'A' && text[i] <= 'Z') && "the text is in small letters");
    if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != text[i]) return false;
  }
  return true;
}

int mesh_word_compare(MeshWord a, MeshWord b)
{
  assert_debug((a.length == 0 || a.begin != NULL) && (b.length == 0 || b.begin != NULL) &&
               "words have bytes");
  const size_t shorter = a.length < b.length ? a.length : b.length;
  const int order = shorter > 0 ? memcmp(a.begin, b.begin, shorter) : 0;
  if (order) return order;
  return (a.length > b.length) - (a.length < b.length);
}

const char *mesh_word_name(MeshWord word, Arena *arena)
{
  assert(arena != NULL && word.begin != NULL && "a word has a place");
  char *name = arena_allocate(arena, word.length + 1), *end = name;
  for (size_t i = 0; i < word.length;) {
    const char *at = word.begin + i;
    const size_t bytes = utf8_visible_bytes(at, word.length - i);
    if (bytes > 0) memcpy(end, at, bytes);
    else *end = is_blank(*at) ? ' ' : '?';
    end += bytes > 0 ? bytes : 1;
    i += bytes > 0 ? bytes : 1;
  }
  *end = 0;
  return name;
}

const char *mesh_word_quote(const MeshScan *scan, MeshWord word, char quote[MESH_QUOTE_BYTES])
{
  if (word.length == 0) {
    const bool line_ends = scan->at < scan->end && !scan->across_lines;
    return line_ends ? "the end of the line" : "the end of the file";
  }
  assert(word.begin != NULL && "a word has bytes");
  static const char dots[] = "...";
  quote[0] = '\'';
  const size_t shown = log_spell(word.begin, word.length, quote + 1, MESH_QUOTE_BYTES - 2 - 3);
  const size_t used = strlen(quote);
  snprintf(quote + used, MESH_QUOTE_BYTES - used, "%s'", shown < word.length ? dots : "");
  return quote;
}

bool mesh_scan_expected(MeshScan *scan, const char *what, MeshWord found)
{
  assert(what != NULL && "a message says what was expected");
  char quote[MESH_QUOTE_BYTES];
  return mesh_scan_fail(scan, "expected %s, found %s", what, mesh_word_quote(scan, found, quote));
}

// -------------------------------------------------------------------------------------------------
// Numbers

static inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Plain decimals of few digits: mantissa and power of ten are exact doubles, so their product or
// quotient is the correctly rounded value (Clinger 1990). False where that does not hold.
static bool read_short_decimal(MeshWord word, double *value)
{
  static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const char *p = word.begin, *end = p + word.length;
  const bool negative = p < end && *p == '-';
  if (p < end && (*p == '-' || *p == '+')) p++;

  uint64_t mantissa = 0;
  int digits = 0, exponent = 0;
  for (bool point = false; p < end && (is_digit(*p) || (*p == '.' && !point)); p++) {
    if (*p == '.') {
      point = true;
    } else {
      if (++digits > 19) return false;
      mantissa = 10 * mantissa + (uint64_t)(*p - '0');
      exponent -= point;
    }
  }
  if (digits == 0) return false;
  if (p < end && (*p == 'e' || *p == 'E')) {
    p++;
    const int sign = p < end && *p == '-' ? -1 : 1;
    if (p < end && (*p == '-' || *p == '+')) p++;
    if (end - p < 1 || end - p > 3) return false;
    int written = 0;
    for (; p < end && is_digit(*p); p++) written = 10 * written + (*p - '0');
    exponent += sign * written;
  }
  if (p != end || mantissa > (uint64_t)1 << 53 || exponent < -22 || exponent > 22) return false;
  const double size = (double)mantissa;
  const double result = exponent < 0 ? size / tens[-exponent] : size * tens[exponent];
  *value = negative ? -result : result;
  return true;
}

bool mesh_word_number(const MeshScan *scan, MeshWord word, double *value)
{
  if (read_short_decimal(word, value)) return true;
  assert(scan->plain_point != (locale_t)0 && "numbers have a decimal point, whatever the locale");
  char text[NUMBER_BYTES];
  if (word.length == 0 || word.length >= sizeof text) return false;
  memcpy(text, word.begin, word.length);
  text[word.length] = 0;
  char *end;
  *value = strtod_l(text, &end, scan->plain_point);
  return end == text + word.length;
}

bool mesh_word_integer(MeshWord word, int64_t *value)
{
  assert_debug((word.length == 0 || word.begin != NULL) && "a word has bytes");
  const char *p = word.begin, *end = p + word.length;
  const bool negative = p < end && *p == '-';
  if (p < end && (*p == '-' || *p == '+')) p++;
  if (p == end) return false;
  int64_t result = 0;
  for (; p < end; p++) {
    const int digit = *p - '0';
    if (!is_digit(*p) || result > (INT64_MAX - digit) / 10) return false;
    result = 10 * result + digit;
  }
  *value = negative ? -result : result;
  return true;
}

bool mesh_scan_number(MeshScan *scan, const char *what, double *value)
{
  assert_debug(what != NULL && value != NULL && "a number has a name and a place");
  if (scan->failed) return false;
  const MeshWord word = mesh_scan_word(scan);
  return mesh_word_number(scan, word, value) || mesh_scan_expected(scan, what, word);
}

bool mesh_scan_integer(MeshScan *scan, const char *what, int64_t low, int64_t high, int64_t *value)
{
  assert_debug(low <= high && value != NULL && "a range has its low end first");
  if (scan->failed) return false;
  const MeshWord word = mesh_scan_word(scan);
  if (!mesh_word_integer(word, value)) return mesh_scan_expected(scan, what, word);
  if (*value >= low && *value <= high) return true;
  char quote[MESH_QUOTE_BYTES];
  mesh_word_quote(scan, word, quote);
  if (high == INT64_MAX)
    return mesh_scan_fail(scan, "expected %s, at least %" PRId64 ", found %s", what, low, quote);
  return mesh_scan_fail(scan, "expected %s from %" PRId64 " to %" PRId64 ", found %s", what, low,
                        high, quote);
}

// -------------------------------------------------------------------------------------------------
// Binary values

size_t mesh_scan_left(const MeshScan *scan)
{
  assert_debug(scan->at >= scan->begin && scan->at <= scan->end && "a scan stays in its bytes");
  return (size_t)(scan->end - scan->at);
}

bool mesh_scan_has(MeshScan *scan, size_t count, const char *what)
{
  assert(what != NULL && "a message says what is missing");
  if (scan->failed) return false;
  if (count <= mesh_scan_left(scan)) return true;
  return mesh_scan_fail(scan, "%s needs %zu bytes, and the file ends after %zu", what, count,
                        mesh_scan_left(scan));
}

uint64_t mesh_scan_unsigned(MeshScan *scan, int size)
{
  assert_debug((size == 1 || size == 2 || size == 4 || size == 8) &&
               "values have 1, 2, 4 or 8 bytes");
  assert(mesh_scan_left(scan) >= (size_t)size && "bytes to read are there");
  const unsigned char *bytes = (const unsigned char *)scan->at;
  uint64_t value = 0;
  for (int i = 0; i < size; i++) value = value << 8 | bytes[scan->big_endian ? i : size - 1 - i];
  scan->at += size;
  return value;
}

int64_t mesh_scan_signed(MeshScan *scan, int size)
{
  assert_debug((size == 1 || size == 2 || size == 4 || size == 8) &&
               "values have 1, 2, 4 or 8 bytes");
  const uint64_t value = mesh_scan_unsigned(scan, size);
  if (size == 8) return (int64_t)value;   // two's complement, as everywhere
  const int64_t range = (int64_t)1 << (8 * size);
  return (int64_t)value < range / 2 ? (int64_t)value : (int64_t)value - range;
}

double mesh_scan_float(MeshScan *scan, int size)
{
  assert_debug((size == 4 || size == 8) && "numbers have 4 or 8 bytes");
  const uint64_t bits = mesh_scan_unsigned(scan, size);
  if (size == 4) {
    const uint32_t half = (uint32_t)bits;
    float value;
    memcpy(&value, &half, sizeof value);
    return value;
  }
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
