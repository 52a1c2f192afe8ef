// Reads numbers, flags, vectors and names of a case file, with types and ranges checked.
#include "case_value.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trig.h"

const NumberRule CASE_VALUE_LENGTH = {1e-9, 1e9, "a length from 1e-9 to 1e9 m"};
const NumberRule CASE_VALUE_COORDINATE = {-1e9, 1e9, "a number from -1e9 to 1e9"};
const NumberRule CASE_VALUE_RATE = {-1e9, 1e9, "a number from -1e9 to 1e9"};
const NumberRule CASE_VALUE_SHARE = {0, 1, "a number from 0 to 1"};

static void fail_type(CaseReader *reader, const CaseNode *node, const char *expected)
{
  char found[TREE_FOUND_BYTES];
  case_tree_fail(reader, node, "expected %s, found %s", expected, case_tree_found(node, found));
}

static bool is_plain_scalar(const CaseNode *node)
{
  return node->kind == NODE_SCALAR && node->plain;
}

// Decimal numbers alone: strtod would take hexadecimals, "inf" and "nan" too. Where somebody has
// set a locale with a decimal comma, it stops at the point, and the number is refused, never cut.
bool case_value_parse_number(const char *text, double *value)
{
  assert(text != NULL && value != NULL && "a number has a text and a place");
  if (!*text || text[strspn(text, "+-.0123456789eE")]) return false;
  char *end;
  *value = strtod(text, &end);
  return *end == 0 && isfinite(*value);
}

double case_value_number(CaseReader *reader, const CaseNode *node, const NumberRule *rule,
                         double fallback)
{
  assert(rule->low <= rule->high && "a rule has its low end first");
  if (reader->failed || !node) return fallback;
  double value;
  if (!is_plain_scalar(node) || !case_value_parse_number(node->text, &value) || value < rule->low ||
      value > rule->high) {
    fail_type(reader, node, rule->expected);
    return fallback;
  }
  return value;
}

double case_value_angle(CaseReader *reader, const CaseNode *node, const NumberRule *rule,
                        double fallback_degrees)
{
  return case_value_number(reader, node, rule, fallback_degrees) * (TRIG_PI / 180);
}

int64_t case_value_integer(CaseReader *reader, const CaseNode *node, int64_t low, int64_t high,
                           int64_t fallback)
{
  assert((reader->failed || low <= high) && "a range has its low end first");
  if (reader->failed || !node) return fallback;
  char *end = NULL;
  long long value = 0;
  bool sound =
      is_plain_scalar(node) && *node->text && !node->text[strspn(node->text, "+-0123456789")];
  if (sound) {
    errno = 0;
    value = strtoll(node->text, &end, 10);
    sound = errno == 0 && *end == 0 && value >= low && value <= high;
  }
  if (!sound) {
    char expected[96];
    snprintf(expected, sizeof expected, "a whole number from %lld to %lld", (long long)low,
             (long long)high);
    fail_type(reader, node, expected);
    return fallback;
  }
  return value;
}

bool case_value_is_word(const CaseNode *node, const char *word)
{
  return node && node->kind == NODE_SCALAR && strcmp(node->text, word) == 0;
}

bool case_value_flag(CaseReader *reader, const CaseNode *node, bool fallback)
{
  if (reader->failed || !node) return fallback;
  if (is_plain_scalar(node) && case_value_is_word(node, "true")) return true;
  if (is_plain_scalar(node) && case_value_is_word(node, "false")) return false;
  fail_type(reader, node, "true or false");
  return fallback;
}

const char *case_value_text(CaseReader *reader, const CaseNode *node, const char *fallback)
{
  if (reader->failed || !node) return fallback;
  if (node->kind != NODE_SCALAR) {
    fail_type(reader, node, "a text");
    return fallback;
  }
  const size_t bytes = strlen(node->text) + 1;
  return memcpy(arena_allocate(reader->arena, bytes), node->text, bytes);
}

// Is there a list of so many of a kind to read?
static bool demand_list(CaseReader *reader, const CaseNode *node, int count, const char *of)
{
  if (reader->failed || !node) return false;
  if (node->kind == NODE_LIST && node->count == count) return true;
  char expected[64];
  snprintf(expected, sizeof expected, "a list of %d %s", count, of);
  fail_type(reader, node, expected);
  return false;
}

void case_value_numbers(CaseReader *reader, const CaseNode *node, const NumberRule *rule, int count,
                        double *values)
{
  assert(count > 0 && values != NULL && "numbers have room");
  for (int i = 0; i < count; i++) values[i] = 0;
  if (!demand_list(reader, node, count, "numbers")) return;
  for (int i = 0; i < count; i++) values[i] = case_value_number(reader, node->members[i], rule, 0);
}

void case_value_counts(CaseReader *reader, const CaseNode *node, int count, int *values)
{
  assert(count > 0 && values != NULL && "counts have room");
  for (int i = 0; i < count; i++) values[i] = 1;
  if (!demand_list(reader, node, count, "whole numbers")) return;
  for (int i = 0; i < count; i++)
    values[i] = (int)case_value_integer(reader, node->members[i], 1, 2147483647, 1);
}

vec3 case_value_vector(CaseReader *reader, const CaseNode *node, const NumberRule *rule,
                       vec3 fallback)
{
  if (reader->failed || !node) return fallback;
  double values[3];
  case_value_numbers(reader, node, rule, 3, values);
  return (vec3){values[0], values[1], values[2]};
}

vec3 case_value_direction(CaseReader *reader, const CaseNode *node, vec3 fallback)
{
  const vec3 vector = case_value_vector(reader, node, &CASE_VALUE_COORDINATE, fallback);
  if (reader->failed || !node) return fallback;
  const double length = vec3_norm(vector);
  if (length > 0) return vec3_scale(1 / length, vector);
  case_tree_fail(reader, node, "expected a direction, found [0, 0, 0]");
  return fallback;
}

const CaseNode *case_value_list(CaseReader *reader, const CaseNode *node, int least,
                                const char *expected)
{
  assert(least >= 0 && expected != NULL && "a message says what was expected");
  if (reader->failed || !node) return NULL;
  if (node->kind == NODE_LIST && node->count >= least) return node;
  fail_type(reader, node, expected);
  return NULL;
}

const char *case_value_path(CaseReader *reader, const char *file)
{
  assert(file != NULL && "a file has a name");
  const char *slash = strrchr(reader->path, '/');
  if (file[0] == '/' || !slash) return file;
  const size_t folder = (size_t)(slash + 1 - reader->path), bytes = folder + strlen(file) + 1;
  char *path = arena_allocate(reader->arena, bytes);
  memcpy(path, reader->path, folder);
  memcpy(path + folder, file, bytes - folder);
  return path;
}

void case_value_join(const char *const *words, int count, char *text, size_t bytes)
{
  assert(count >= 0 && text != NULL && bytes > 0 && "words have room");
  size_t used = 0;
  text[0] = 0;
  for (int i = 0; i < count; i++) {
    char word[48];
    case_tree_quote(words[i], word, sizeof word);
    const size_t length = strlen(word);
    if (used + length + 8 > bytes) {
      snprintf(text + used, bytes - used, ", ...");
      return;
    }
    used += (size_t)snprintf(text + used, bytes - used, i ? ", %s" : "%s", word);
  }
}

// Letters to insert, delete or replace to make one word of the other (Wagner and Fischer 1974);
// words longer than the table are far apart.
static int edit_distance(const char *a, const char *b)
{
  enum { MOST = 32 };
  const size_t a_length = strlen(a), b_length = strlen(b);
  if (a_length > MOST || b_length > MOST) return MOST;
  int row[MOST + 1];
  for (size_t j = 0; j <= b_length; j++) row[j] = (int)j;
  for (size_t i = 1; i <= a_length; i++) {
    int diagonal = row[0];
    row[0] = (int)i;
    for (size_t j = 1; j <= b_length; j++) {
      const int replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      const int shifted = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
      row[j] = replaced < shifted ? replaced : shifted;
    }
  }
  return row[b_length];
}

const char *case_value_nearest(const char *word, const char *const *words, int count)
{
  assert(word != NULL && count >= 0 && "words are counted");
  const char *nearest = NULL;
  int least = strlen(word) < 5 ? 2 : 3;   // changes from which on it is another word
  for (int i = 0; i < count; i++) {
    const int distance = edit_distance(word, words[i]);
    if (distance < least) {
      least = distance;
      nearest = words[i];
    }
  }
  return nearest;
}

static int count_words(const char *const *words)
{
  int count = 0;
  while (words[count]) count++;
  return count;
}

const CaseNode *case_value_mapping(CaseReader *reader, const CaseNode *node,
                                   const char *const *keys)
{
  assert(keys != NULL && keys[0] != NULL && "a mapping has some keys");
  if (reader->failed || !node) return NULL;
  char list[256];
  const int count = count_words(keys);
  case_value_join(keys, count, list, sizeof list);
  if (node->kind != NODE_MAPPING) {
    char expected[320];
    snprintf(expected, sizeof expected, "a mapping with keys of: %s", list);
    fail_type(reader, node, expected);
    return NULL;
  }
  for (int i = 0; i < node->count; i++) {
    const CaseNode *member = node->members[i];
    int k = 0;
    while (k < count && strcmp(member->key, keys[k]) != 0) k++;
    if (k < count) continue;
    const char *nearest = case_value_nearest(member->key, keys, count);
    case_tree_fail_key(reader, member, "unknown key%s%s%s; known here: %s",
                       nearest ? " (did you mean '" : "", nearest ? nearest : "",
                       nearest ? "'?)" : "", list);
    return NULL;
  }
  return node;
}

const CaseNode *case_value_require(CaseReader *reader, const CaseNode *mapping, const char *key)
{
  assert(key != NULL && "a key has a name");
  if (reader->failed || !mapping) return NULL;
  const CaseNode *member = case_tree_find(mapping, key);
  if (!member) case_tree_fail(reader, mapping, "the key '%s' is missing", key);
  return member;
}

int case_value_choice(CaseReader *reader, const CaseNode *mapping, const char *const *keys)
{
  assert(keys != NULL && keys[0] != NULL && "there are keys to choose from");
  if (reader->failed || !mapping) return -1;
  int choice = -1;
  for (int k = 0; keys[k]; k++) {
    if (!case_tree_find(mapping, keys[k])) continue;
    if (choice >= 0) {
      case_tree_fail(reader, mapping, "expected one of '%s' and '%s', found both", keys[choice],
                     keys[k]);
      return -1;
    }
    choice = k;
  }
  if (choice < 0) {
    char list[256];
    case_value_join(keys, count_words(keys), list, sizeof list);
    case_tree_fail(reader, mapping, "expected one of the keys %s, found none", list);
  }
  return choice;
}
