#include "command_json.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"

#define JSON_DIGITS 17
#define REPLACEMENT "\xEF\xBF\xBD"   // U+FFFD

// Bytes of the character of UTF-8 that begins here, 0: none does (Unicode 15, table 3-7).
static int character_bytes(const unsigned char *p)
{
  if (p[0] < 0x80) return 1;
  const int bytes = p[0] >= 0xC2 && p[0] <= 0xDF   ? 2
                    : p[0] >= 0xE0 && p[0] <= 0xEF ? 3
                    : p[0] >= 0xF0 && p[0] <= 0xF4 ? 4
                                                   : 0;
  for (int i = 1; i < bytes; i++)
    if ((p[i] & 0xC0) != 0x80) return 0;
  const bool overlong = (p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xF0 && p[1] < 0x90);
  const bool surrogate = p[0] == 0xED && p[1] > 0x9F, beyond = p[0] == 0xF4 && p[1] > 0x8F;
  return overlong || surrogate || beyond ? 0 : bytes;
}

json_t *command_json_text(const char *text)
{
  const size_t room = strlen(REPLACEMENT) * strlen(text) + 1;
  char *clean = memory_allocate(room), *end = clean;
  for (const char *p = text; *p;) {
    const int bytes = character_bytes((const unsigned char *)p);
    const char *from = bytes ? p : REPLACEMENT;
    const size_t count = bytes ? (size_t)bytes : strlen(REPLACEMENT);
    memcpy(end, from, count);
    end += count;
    p += bytes ? bytes : 1;
  }
  json_t *value = json_stringn(clean, (size_t)(end - clean));
  memory_free(clean);
  assert(value && "a clean text is one of JSON");
  return value;
}

json_t *command_json_number(double number)
{
  return isfinite(number) ? json_real(number) : json_null();
}

json_t *command_json_vector(vec3 v)
{
  json_t *list = json_array();
  json_array_append_new(list, command_json_number(v.x));
  json_array_append_new(list, command_json_number(v.y));
  json_array_append_new(list, command_json_number(v.z));
  return list;
}

void command_json_add(json_t *object, const char *key, json_t *value)
{
  const int failed = json_object_set_new(object, key, value);
  assert(!failed && "a member of a JSON object has a key and a value");
  (void)failed;
}

void command_json_print(json_t *text, bool spread)
{
  const size_t flags = JSON_REAL_PRECISION(JSON_DIGITS) | (spread ? JSON_INDENT(2) : 0);
  json_dumpf(text, stdout, flags);
  putchar('\n');
  json_decref(text);
}
