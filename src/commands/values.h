#pragma once
// Named values that a command found: listed once, printed as text for people or as JSON for
// programs. Local.
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"

typedef enum {
  VALUE_BOOL,
  VALUE_INTEGER,
  VALUE_REAL,   // null in JSON where it is not finite, which JSON has no word for
  VALUE_TEXT,   // may hold any bytes; NULL: null in JSON, blank in text
  VALUE_LIST,   // of values without keys
  VALUE_GROUP   // of values with keys
} ValueKind;

typedef struct Value Value;
struct Value {
  const char *key;   // in its group; with a minus before it: for the text alone; NULL in a list
  ValueKind kind;
  int64_t integer;       // of a bool too: 0 or 1
  double real;           // unit: of the key
  const char *text;      // in the arena
  Arena *arena;          // of all values
  Value *first, *last;   // of a list or group, in the order of JSON; NULL: it is empty
  Value *next;           // in its list or group
};

// An empty group; it and its values live as long as the arena's memory.
Value *values_new(Arena *arena);

// Adds an empty group or list at the end of a group, or of a list with key NULL. The key is kept.
Value *values_group(Value *in, const char *key);
Value *values_list(Value *in, const char *key);

// Adds a text that may be NULL, or a whole number whose key is not known before; the key is kept.
void values_text(Value *in, const char *key, const char *text);
void values_integer(Value *in, const char *key, int64_t value);

// Adds values by their names: "volume %g parts %d convex %i", %i for a bool, %lld and %s as ever. A
// key with several values is a list of them, "low %g %g %g"; a value of a list has no key. Texts
// are copied.
__attribute__((format(printf, 2, 3))) void values_add(Value *in, const char *names, ...);

// The value at a path of keys and places in lists: "totals.points", "low.2". It must be there.
const Value *values_find(const Value *in, const char *path);

// Prints a template: {path:format:heading} stands for the number or text at that path. The format
// is that of printf behind the %: of a whole number without letters, of a text the width alone.
// Format and heading may be left out. A part in < > is left out where its first value is 0, no
// number or an empty text. Texts are shown by log_visible. Without a group: the headings in the
// widths of their values.
void values_print(const Value *group, const char *template);

// Prints the headings of a template, then it for each group of a list.
void values_table(const Value *list, const char *template);

// Prints a group as JSON: numbers with 17 digits, bytes that are no UTF-8 as U+FFFD. Spread: a line
// for every member, else all in one line. What cannot be written is found by the end of the
// program.
void values_json(const Value *group, bool spread);
