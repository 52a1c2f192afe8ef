#pragma once
// Walks through the bytes of one mesh file, text or binary, and keeps the first fault with its
// place.
#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mesh_soup.h"

// Bytes of the file without blanks; length 0: there is none.
typedef struct {
  const char *begin;
  size_t length;
} MeshWord;

typedef struct {
  const char *path;
  const char *begin, *at, *end;
  int64_t line;           // that `at` is in, from 1
  bool binary;            // places are bytes, not lines
  bool big_endian;        // of binary numbers
  bool joins_lines;       // a backslash at the end of a line joins it with the next one
  bool across_lines;      // the end of a line is a blank like others
  char comment;           // from here to the end of the line is comment; 0: none
  locale_t plain_point;   // numbers have a decimal point, whatever the user's locale
  bool failed;
  ErrorText error;
} MeshScan;

// Local. The error holds an empty text until something fails. To be destroyed.
MeshScan mesh_scan_new(const MeshText *file, ErrorText error);
void mesh_scan_destroy(MeshScan *scan);

// Local. Keeps the message, after file and place, unless there is one already; always false.
bool mesh_scan_fail(MeshScan *scan, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Local. Skips the byte order mark that some programs begin texts with.
void mesh_scan_skip_mark(MeshScan *scan);

// Local. Whether all bytes from here can be text; fails by name otherwise. Skips a byte order mark.
bool mesh_scan_is_text(MeshScan *scan);

// Local. Goes to the first word of the next line that has one; false at the end of the file.
// The first call finds the first such line; a line of which no word was read is found again.
bool mesh_scan_line(MeshScan *scan);

// Local. Reads the next word of the line, or of the file with across_lines.
MeshWord mesh_scan_word(MeshScan *scan);

// Local. Reads the rest of the line up to a comment that begins a word, without blanks around it.
MeshWord mesh_scan_rest(MeshScan *scan);

// Local. Skips what is left of the line, and its end.
void mesh_scan_skip_line(MeshScan *scan);

// Local. Reads a word that is a number; the text says what it should be ("a coordinate").
bool mesh_scan_number(MeshScan *scan, const char *what, double *value);

// Local. Reads a word that is a whole number from low to high.
bool mesh_scan_integer(MeshScan *scan, const char *what, int64_t low, int64_t high, int64_t *value);

// Local. Fails with "expected WHAT, found WORD".
bool mesh_scan_expected(MeshScan *scan, const char *what, MeshWord found);

bool mesh_word_is(MeshWord word, const char *text);
bool mesh_word_is_any_case(MeshWord word, const char *text);   // text in small letters

// Local. strtod of a whole word, with a decimal point; a whole number of 64 bits. For the tests.
bool mesh_word_number(const MeshScan *scan, MeshWord word, double *value);
bool mesh_word_integer(MeshWord word, int64_t *value);

// Local. Order of bytes, then of length.
int mesh_word_compare(MeshWord a, MeshWord b);

// Local. A name as text for people: bytes that are no UTF-8 and control characters become '?'.
const char *mesh_word_name(MeshWord word, Arena *arena);

enum { MESH_QUOTE_BYTES = 64 };

// Local. The word in quotes, cut where it is long; "the end of the line" where there is none.
const char *mesh_word_quote(const MeshScan *scan, MeshWord word, char quote[MESH_QUOTE_BYTES]);

// Local. Bytes from here to the end; whether there are that many (fails by name otherwise).
size_t mesh_scan_left(const MeshScan *scan);
bool mesh_scan_has(MeshScan *scan, size_t count, const char *what);

// Local. Reads binary values of 1, 2, 4 or 8 bytes that are there.
uint64_t mesh_scan_unsigned(MeshScan *scan, int size);
int64_t mesh_scan_signed(MeshScan *scan, int size);
double mesh_scan_float(MeshScan *scan, int size);   // 4 or 8
