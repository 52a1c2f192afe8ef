// Lists the values that a command found, and prints them by templates or as JSON.
#include "values.h"

#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "utf8.h"

#define JSON_DIGITS 17
#define REPLACEMENT "\xEF\xBF\xBD"   // U+FFFD
#define FIELD_BYTES 64               // path, format or heading in a template, at most

// -- the list -------------------------------------------------------------------------------------

static Value *append(Value *in, Value value)
{
  assert((in->kind == VALUE_GROUP ? value.key != NULL : in->kind == VALUE_LIST && !value.key) &&
         "values of groups have keys, values of lists have none");
  assert((in->first == NULL) == (in->last == NULL) && "a list has both ends or none");
  Value *added = arena_allocate(in->arena, sizeof *added);
  *added = value;
  added->arena = in->arena;
  if (in->last) in->last->next = added;
  else in->first = added;
  in->last = added;
  return added;
}

Value *values_new(Arena *arena)
{
  Value *group = arena_allocate(arena, sizeof *group);
  *group = (Value){.kind = VALUE_GROUP, .arena = arena};
  return group;
}

Value *values_group(Value *in, const char *key)
{
  return append(in, (Value){.key = key, .kind = VALUE_GROUP});
}

Value *values_list(Value *in, const char *key)
{
  return append(in, (Value){.key = key, .kind = VALUE_LIST});
}

static char *copy(Arena *arena, const char *text, size_t length)
{
  char *copied = memcpy(arena_allocate(arena, length + 1), text, length);
  copied[length] = 0;
  return copied;
}

void values_text(Value *in, const char *key, const char *text)
{
  const char *kept = text ? copy(in->arena, text, strlen(text)) : NULL;
  append(in, (Value){.key = key, .kind = VALUE_TEXT, .text = kept});
}

void values_integer(Value *in, const char *key, int64_t value)
{
  append(in, (Value){.key = key, .kind = VALUE_INTEGER, .integer = value});
}

// The next argument by its conversion: %s, %g, %d, %lld, or %i of a bool.
static Value next_value(const char *conversion, size_t length, va_list *arguments, Arena *arena)
{
  const bool is_long = length == 4 && memcmp(conversion, "%lld", 4) == 0;
  assert((is_long || (length == 2 && strchr("sgdi", conversion[1]))) && "a conversion is known");
  const char letter = conversion[length - 1];
  Value value = {.kind = letter == 'i' ? VALUE_BOOL : VALUE_INTEGER};
  if (letter == 's') {
    const char *text = va_arg(*arguments, const char *);
    assert(text != NULL && "a text that may be missing goes by values_text");
    value = (Value){.kind = VALUE_TEXT, .text = copy(arena, text, strlen(text))};
  } else if (letter == 'g') {
    value = (Value){.kind = VALUE_REAL, .real = va_arg(*arguments, double)};
  } else {
    value.integer = is_long ? va_arg(*arguments, long long) : va_arg(*arguments, int);
  }
  return value;
}

void values_add(Value *in, const char *names, ...)
{
  assert(in && *names && "there is a place for values, and a value");
  Value *into = in;
  const char *key = NULL;
  va_list arguments;
  va_start(arguments, names);
  for (const char *word = names, *next; *word; word = next) {
    const size_t length = strcspn(word, " ");
    next = word + length + (word[length] == ' ');
    if (*word == '%') {
      Value value = next_value(word, length, &arguments, in->arena);
      value.key = key;
      append(into, value);
      continue;
    }
    key = copy(in->arena, word, length);
    into = in;
    const char *second = strchr(next, ' ');
    if (!second || second[1] != '%') continue;
    into = values_list(in, key);
    key = NULL;
  }
  va_end(arguments);
}

const Value *values_find(const Value *in, const char *path)
{
  assert((in->kind == VALUE_GROUP || in->kind == VALUE_LIST) &&
         "a path goes through groups and lists");
  const size_t length = strcspn(path, ".");
  const Value *value = in->first;
  if (in->kind == VALUE_LIST)
    for (int place = atoi(path); value && place > 0; place--) value = value->next;
  else
    while (value && (strncmp(value->key, path, length) != 0 || value->key[length]))
      value = value->next;
  assert(value && "a path leads to a value");
  return path[length] ? values_find(value, path + length + 1) : value;
}

// -- text -----------------------------------------------------------------------------------------

static void print_value(const Value *value, const char *format)
{
  assert((value->kind == VALUE_INTEGER || value->kind == VALUE_REAL || value->kind == VALUE_TEXT) &&
         "a template names numbers and texts");
  char whole[FIELD_BYTES + 8], visible[LOG_VISIBLE_BYTES];
  const char *letters = value->kind == VALUE_INTEGER ? "lld" : *format ? "" : "g";
  snprintf(whole, sizeof whole, "%%%s%s", format, letters);
  const char *text = value->text ? log_visible(value->text, visible, sizeof visible) : "";
  if (value->kind == VALUE_INTEGER) printf(whole, (long long)value->integer);
  else if (value->kind == VALUE_REAL) printf(whole, value->real);
  else printf("%*s", atoi(format), text);
}

// Prints a template or a part in < >; the place where it ends.
static const char *print_part(const Value *group, const char *at, bool shown)
{
  assert((!group || group->kind == VALUE_GROUP) && "a template is filled from a group");
  for (;; at++) {
    const size_t plain = strcspn(at, "{<>");
    if (shown) printf("%.*s", (int)plain, at);
    at += plain;
    char path[FIELD_BYTES] = "", format[FIELD_BYTES] = "", heading[FIELD_BYTES] = "";
    if (*at == '{') {
      sscanf(at, "{%63[^:}]:%63[^:}]:%63[^}]", path, format, heading);
      assert(*path && "a template names a value");
      if (shown && group) print_value(values_find(group, path), format);
      else if (shown) printf("%*s", atoi(format), heading);
      at += strcspn(at, "}");
    } else if (*at == '<') {
      sscanf(at, "%*[^{]{%63[^:}]", path);
      const Value none = {0}, *first = group ? values_find(group, path) : &none;
      const bool there = first->integer || fabs(first->real) > 0 || (first->text && *first->text);
      at = print_part(group, at + 1, shown && there);
    } else {
      return at;
    }
    assert(*at && "a template closes what it opens");
  }
}

void values_print(const Value *group, const char *template)
{
  const char *end = print_part(group, template, true);
  assert(!*end && "a template opens what it closes");
}

void values_table(const Value *list, const char *template)
{
  assert(list->kind == VALUE_LIST && "a table is a list of rows");
  values_print(NULL, template);
  for (const Value *row = list->first; row; row = row->next) values_print(row, template);
}

// -- JSON -----------------------------------------------------------------------------------------

static json_t *json_of_text(const char *text, Arena *arena)
{
  char *clean = arena_allocate(arena, strlen(REPLACEMENT) * strlen(text) + 1), *end = clean;
  for (const char *p = text; *p;) {
    const size_t bytes = utf8_bytes(p, SIZE_MAX);
    const char *from = bytes ? p : REPLACEMENT;
    const size_t count = bytes ? bytes : strlen(REPLACEMENT);
    memcpy(end, from, count);
    end += count;
    p += bytes ? bytes : 1;
  }
  return json_stringn(clean, (size_t)(end - clean));
}

static json_t *json_of(const Value *value)
{
  if (value->kind == VALUE_BOOL) return json_boolean(value->integer);
  if (value->kind == VALUE_INTEGER) return json_integer((json_int_t)value->integer);
  if (value->kind == VALUE_REAL)
    return isfinite(value->real) ? json_real(value->real) : json_null();
  if (value->kind == VALUE_TEXT)
    return value->text ? json_of_text(value->text, value->arena) : json_null();
  json_t *json = value->kind == VALUE_LIST ? json_array() : json_object();
  for (const Value *v = value->first; v; v = v->next) {
    if (v->key && *v->key == '-') continue;
    const int failed = v->key ? json_object_set_new(json, v->key, json_of(v))
                              : json_array_append_new(json, json_of(v));
    assert(!failed && "a member of JSON has a value");
  }
  return json;
}

void values_json(const Value *group, bool spread)
{
  assert(group && group->kind == VALUE_GROUP && "JSON of a command is a group");
  json_t *json = json_of(group);
  json_dumpf(json, stdout, JSON_REAL_PRECISION(JSON_DIGITS) | (spread ? JSON_INDENT(2) : 0));
  putchar('\n');
  json_decref(json);
}
