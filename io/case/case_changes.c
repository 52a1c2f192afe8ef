// Compares the case of a restart with the checkpoint's, key by key, by the rules of case_keys.
#include "case_changes.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_guide.h"
#include "case_keys.h"
#include "case_tree.h"
#include "case_value.h"
#include "check.h"
#include "mesh_list.h"

enum { KEY_BYTES = 2048, SHOWN_BYTES = 72, SHOWN_CHANGES = 20 };

// Two trees on a walk together.
typedef struct {
  CaseReader *reader;   // whose scratch holds what the walk makes
  Arena *arena;         // of the changes
  const CaseAllowance *allowed;
  double time;   // of the checkpoint, s
  bool unborn;   // no body of the entry of the list of bodies around us has appeared
  CaseChanges *found;
  size_t key_length, pattern_length;
  char key[KEY_BYTES];       // where we are
  char pattern[KEY_BYTES];   // the same as case_keys.h names it
} Walk;

// ------------------------------------------------------------------------------------------------
// Values.

static bool is_number(const CaseNode *node, double *number)
{
  return node->kind == NODE_SCALAR && node->plain && case_value_parse_number(node->text, number);
}

static bool holds_words(const char *key)
{
  static const char *const keys[] = {"title", "name", "on",    "material", "between",
                                     "mesh",  "file", "match", "compas",   NULL};
  for (int i = 0; keys[i]; i++)
    if (strcmp(key, keys[i]) == 0) return true;
  return false;
}

// words: the texts count, also where they look like numbers
static bool same_scalar(const CaseNode *a, const CaseNode *b, bool words)
{
  double p, q;
  if (words) return strcmp(a->text, b->text) == 0;
  const bool a_number = is_number(a, &p), b_number = is_number(b, &q);
  if (a_number && b_number) return memcmp(&p, &q, sizeof p) == 0;
  return a_number == b_number && strcmp(a->text, b->text) == 0;
}

static bool same(const CaseNode *a, const CaseNode *b, bool words)
{
  if (a->kind != b->kind) return false;
  if (a->kind == NODE_SCALAR) return same_scalar(a, b, words);
  if (a->count != b->count) return false;
  for (int i = 0; i < a->count; i++) {
    if (a->kind == NODE_MAPPING && strcmp(a->members[i]->key, b->members[i]->key) != 0)
      return false;
    const char *key = a->members[i]->key;
    if (!same(a->members[i], b->members[i], key ? holds_words(key) : words)) return false;
  }
  return true;
}

// A list of nothing but scalars is one value: a vector, a pair of names.
static bool is_vector(const CaseNode *node)
{
  for (int i = 0; i < node->count; i++)
    if (node->members[i]->kind != NODE_SCALAR) return false;
  return node->kind == NODE_LIST;
}

typedef struct {
  char *at, *end;
} Text;

static void print(Text *text, const char *words)
{
  assert_debug(text->at < text->end && "a text has room for its end");
  while (*words && text->at + 1 < text->end) *text->at++ = *words++;
  *text->at = 0;
}

// a node in the style of one line, cut off where the room ends
static void print_node(Text *text, const CaseNode *node)
{
  if (text->at + 1 >= text->end) return;
  if (node->kind == NODE_SCALAR) {
    print(text, node->plain && *node->text ? "" : "'");
    print(text, node->text);
    print(text, node->plain && *node->text ? "" : "'");
    return;
  }
  print(text, node->kind == NODE_LIST ? "[" : "{");
  for (int i = 0; i < node->count && text->at + 1 < text->end; i++) {
    print(text, i > 0 ? ", " : "");
    if (node->kind == NODE_MAPPING) {
      print(text, node->members[i]->key);
      print(text, ": ");
    }
    print_node(text, node->members[i]);
  }
  print(text, node->kind == NODE_LIST ? "]" : "}");
}

static const char *keep_text(Walk *walk, const char *text)
{
  assert(text != NULL && "a text is kept");
  char shown[SHOWN_BYTES];
  case_tree_quote(text, shown, sizeof shown);
  const size_t bytes = strlen(shown) + 1;
  return memcpy(arena_allocate(walk->arena, bytes), shown, bytes);
}

static const char *show(Walk *walk, const CaseNode *node)
{
  if (!node) return "nothing";
  char room[2 * SHOWN_BYTES] = "";
  Text text = {room, room + sizeof room};
  print_node(&text, node);
  return keep_text(walk, room);
}

// ------------------------------------------------------------------------------------------------
// Changes.

static bool is_allowed(const Walk *walk)
{
  for (int i = 0; walk->allowed && i < walk->allowed->count; i++) {
    const char *key = walk->allowed->keys[i];
    const size_t length = strlen(key);
    if (length > 0 && strncmp(walk->key, key, length) == 0 &&
        (walk->key[length] == 0 || walk->key[length] == '.'))
      return true;
  }
  return false;
}

static void add_change(Walk *walk, KeyRule rule, const char *reason, const char *was,
                       const char *is)
{
  assert(walk->found->count <= walk->found->capacity && "changes lie in their room");
  assert(was != NULL && is != NULL && "a change has two values");
  CaseChanges *found = walk->found;
  found->changes = arena_grow(walk->arena, found->changes, found->count + 1, &found->capacity,
                              sizeof *found->changes);
  if (rule == KEY_UNBORN) rule = walk->unborn ? KEY_ASKED : KEY_NEVER;
  const ChangeVerdict verdict = rule == KEY_FREE    ? CHANGE_FREE
                                : rule == KEY_NEVER ? CHANGE_NEVER
                                : is_allowed(walk)  ? CHANGE_ALLOWED
                                                    : CHANGE_REFUSED;
  found->refused += verdict == CHANGE_REFUSED;
  found->never += verdict == CHANGE_NEVER;
  char *key = arena_allocate(walk->arena, walk->key_length + 1);
  memcpy(key, walk->key, walk->key_length + 1);
  found->changes[found->count++] =
      (CaseChange){verdict, key, was, is, verdict == CHANGE_NEVER ? reason : NULL};
}

// A change by the rule of the key we are at.
static void add_by_rule(Walk *walk, const char *was, const char *is)
{
  const CaseKey *key = case_keys_find(walk->pattern);
  add_change(walk, key ? key->rule : KEY_ASKED, key ? key->reason : NULL, was, is);
}

// ------------------------------------------------------------------------------------------------
// The walk.

typedef struct {
  size_t key, pattern;
} Mark;

static Mark enter(Walk *walk, const char *element, bool any)
{
  assert(walk->key_length < KEY_BYTES && walk->pattern_length < KEY_BYTES && "keys have room");
  const Mark mark = {walk->key_length, walk->pattern_length};
  char quoted[48];
  case_tree_quote(element, quoted, sizeof quoted);
  Text key = {walk->key + mark.key, walk->key + KEY_BYTES};
  Text pattern = {walk->pattern + mark.pattern, walk->pattern + KEY_BYTES};
  if (mark.key > 0) {
    print(&key, ".");
    print(&pattern, ".");
  }
  print(&key, quoted);
  print(&pattern, any ? "*" : quoted);
  walk->key_length = (size_t)(key.at - walk->key);
  walk->pattern_length = (size_t)(pattern.at - walk->pattern);
  return mark;
}

static void leave(Walk *walk, Mark mark)
{
  assert(mark.key <= walk->key_length && mark.pattern <= walk->pattern_length &&
         "a walk goes back the way it came");
  walk->key_length = mark.key;
  walk->pattern_length = mark.pattern;
  walk->key[mark.key] = walk->pattern[mark.pattern] = 0;
}

static void compare(Walk *walk, const CaseNode *then, const CaseNode *now, bool words);

// Names that both have stand in the same order: frames number materials by it.
static bool same_order(const CaseNode *then, const CaseNode *now)
{
  assert(then->kind == NODE_MAPPING && now->kind == NODE_MAPPING &&
         "mappings have an order of names");
  int j = 0;
  for (int i = 0; i < then->count; i++) {
    if (!case_tree_find(now, then->members[i]->key)) continue;
    while (!case_tree_find(then, now->members[j]->key)) j++;
    if (strcmp(then->members[i]->key, now->members[j++]->key) != 0) return false;
  }
  return true;
}

static const char *show_names(Walk *walk, const CaseNode *mapping)
{
  assert(mapping->kind == NODE_MAPPING && "names are those of a mapping");
  const char **names =
      arena_allocate(&walk->reader->scratch, (size_t)mapping->count * sizeof *names);
  for (int i = 0; i < mapping->count; i++) names[i] = mapping->members[i]->key;
  char text[2 * SHOWN_BYTES];
  case_value_join(names, mapping->count, text, sizeof text);
  return keep_text(walk, text);
}

// Either may be missing.
static void compare_members(Walk *walk, const CaseNode *then, const CaseNode *now)
{
  assert((then != NULL || now != NULL) && "one of the two is there");
  const bool any = strcmp(walk->pattern, "materials") == 0;
  if (any && then && now && !same_order(then, now))
    add_by_rule(walk, show_names(walk, then), show_names(walk, now));
  for (int i = 0; then && i < then->count; i++) {
    const char *key = then->members[i]->key;
    const Mark mark = enter(walk, key, any);
    compare(walk, then->members[i], case_tree_find(now, key), holds_words(key));
    leave(walk, mark);
  }
  for (int i = 0; now && i < now->count; i++) {
    const char *key = now->members[i]->key;
    if (case_tree_find(then, key)) continue;
    const Mark mark = enter(walk, key, any);
    compare(walk, NULL, now->members[i], holds_words(key));
    leave(walk, mark);
  }
}

static bool is_later(const Walk *walk, const CaseNode *birth)
{
  double time;
  return is_number(birth, &time) && time > walk->time;
}

// Has no body of an entry appeared? A birth within the last step may not have been, and counts.
static bool is_unborn(const Walk *walk, const CaseNode *entry)
{
  const CaseNode *where = case_tree_find(entry, "where");
  for (int i = 0; where && where->kind == NODE_LIST && i < where->count; i++) {
    const CaseNode *birth = case_tree_find(where->members[i], "birth");
    if (birth && !is_later(walk, birth)) return false;
  }
  const CaseNode *birth = case_tree_find(entry, "birth");
  return birth && is_later(walk, birth);
}

static void compare_lengths(Walk *walk, const CaseNode *then, const CaseNode *now)
{
  if (then->count == now->count) return;
  char was[32], is[32];
  snprintf(was, sizeof was, "a list of %d", then->count);
  snprintf(is, sizeof is, "a list of %d", now->count);
  const char *shown[] = {keep_text(walk, was), keep_text(walk, is)};
  const CaseNode *longer = then->count > now->count ? then : now;
  bool unborn = strcmp(walk->pattern, "bodies") == 0;
  const bool bodies = unborn;
  for (int i = then->count < now->count ? then->count : now->count; i < longer->count; i++)
    unborn = unborn && is_unborn(walk, longer->members[i]);
  if (bodies && !unborn)
    add_change(walk, KEY_NEVER, "only bodies whose birth is yet to come can be added or left out",
               shown[0], shown[1]);
  else add_by_rule(walk, shown[0], shown[1]);
}

static void compare_items(Walk *walk, const CaseNode *then, const CaseNode *now, bool words)
{
  assert(then->kind == NODE_LIST && now->kind == NODE_LIST && "items are those of lists");
  compare_lengths(walk, then, now);
  const bool bodies = strcmp(walk->pattern, "bodies") == 0;
  for (int i = 0; i < then->count && i < now->count; i++) {
    if (same(then->members[i], now->members[i], words)) continue;
    char number[16];
    snprintf(number, sizeof number, "%d", i);
    const Mark mark = enter(walk, number, true);
    if (bodies)
      walk->unborn = is_unborn(walk, then->members[i]) && is_unborn(walk, now->members[i]);
    compare(walk, then->members[i], now->members[i], words);
    leave(walk, mark);
  }
  if (bodies) walk->unborn = false;
}

// The long form of what is given by one scalar: of a mesh its path, of damping its share.
static const CaseNode *long_form(Walk *walk, const CaseNode *mesh, const char *key)
{
  assert(mesh->kind == NODE_SCALAR && "a short form is a scalar");
  Arena *arena = &walk->reader->scratch;
  CaseNode *mapping = arena_allocate_zero(arena, 1, sizeof *mapping);
  CaseNode *file = arena_allocate_zero(arena, 1, sizeof *file);
  mapping->kind = NODE_MAPPING;
  mapping->count = 1;
  mapping->members = arena_allocate(arena, sizeof(CaseNode *));
  *file = *mesh;
  file->key = key;
  mapping->members[0] = file;
  return mapping;
}

// The value of a key that is missing, or NULL.
static const char *find_standard(const Walk *walk, const CaseNode *given)
{
  assert(given != NULL && "one of the two is there");
  const bool container = given->parent && case_tree_find(given->parent, "container");
  if (container && strcmp(walk->pattern, "bodies.*.fixed") == 0) return "true";
  return case_keys_standard(walk->pattern);
}

// One of the two is missing.
static void compare_missing(Walk *walk, const CaseNode *then, const CaseNode *now, bool words)
{
  assert((then == NULL) != (now == NULL) && "one of the two is missing");
  const CaseKey *key = case_keys_exact(walk->pattern);
  const CaseNode *given = then ? then : now;
  const char *value = find_standard(walk, given);
  const CaseNode *standard = value ? case_tree_value(walk->reader, value) : NULL;
  if (standard && same(given, standard, words)) return;
  if (!key && given->kind == NODE_MAPPING) {
    compare_members(walk, then, now);
    return;
  }
  char text[2 * SHOWN_BYTES] = "nothing";
  if (standard) snprintf(text, sizeof text, "%s by default", show(walk, standard));
  const char *missing = keep_text(walk, text);
  add_by_rule(walk, then ? show(walk, then) : missing, now ? show(walk, now) : missing);
}

// What a motion holds of a body makes its kind, whichever key says so.
static bool holds_others(const Walk *walk, const CaseNode *then, const CaseNode *now)
{
  const bool motion = strcmp(walk->pattern, "bodies.*.motion") == 0 ||
                      strcmp(walk->pattern, "bodies.*.where.*.motion") == 0;
  return motion && case_guide_held(then) != case_guide_held(now);
}

static void compare(Walk *walk, const CaseNode *then, const CaseNode *now, bool words)
{
  if (!then || !now) {
    compare_missing(walk, then, now, words);
    return;
  }
  if (same(then, now, words)) return;
  const char *dot = strrchr(walk->pattern, '.');
  const bool mesh = dot && (strcmp(dot, ".mesh") == 0 || strcmp(dot, ".compas") == 0);
  const bool path = mesh || (dot && strcmp(dot, ".file") == 0);
  const bool damping = strcmp(walk->pattern, "damping") == 0;
  if (damping || (then->kind != now->kind && mesh)) {
    const char *key = damping ? "local" : "file";
    if (then->kind == NODE_SCALAR) then = long_form(walk, then, key);
    if (now->kind == NODE_SCALAR) now = long_form(walk, now, key);
  }
  if (holds_others(walk, then, now)) add_by_rule(walk, show(walk, then), show(walk, now));
  else if (then->kind == NODE_MAPPING && now->kind == NODE_MAPPING)
    compare_members(walk, then, now);
  else if (then->kind == NODE_LIST && now->kind == NODE_LIST &&
           !(is_vector(then) && is_vector(now)))
    compare_items(walk, then, now, words);
  else if (then->kind == NODE_SCALAR && now->kind == NODE_SCALAR && path)
    add_change(walk, KEY_FREE, NULL, show(walk, then), show(walk, now));   // the path alone
  else add_by_rule(walk, show(walk, then), show(walk, now));
}

// ------------------------------------------------------------------------------------------------
// Meshes and records.

static void compare_meshes(Walk *walk, const char *then, const char *now)
{
  assert(then != NULL && now != NULL && "lists of meshes are given");
  MeshLine line, old;
  const char *from = then;
  while (mesh_list_next(&now, &line)) {
    // both lists are in the order of the case: the search goes on where the last one ended
    const char *at = from;
    bool found = mesh_list_find(&at, line.key, line.key_length, &old);
    if (!found) found = mesh_list_find((at = then, &at), line.key, line.key_length, &old);
    if (found) from = at;
    if (!found || old.contents == line.contents) continue;
    char key[KEY_BYTES], was[SHOWN_BYTES + 512], is[SHOWN_BYTES + 512];
    snprintf(key, sizeof key, "%.*s", line.key_length, line.key);
    snprintf(was, sizeof was, "%.*s of sum %08x", old.path_length < 48 ? old.path_length : 48,
             old.path, (unsigned)old.contents);
    snprintf(is, sizeof is, "%.*s of sum %08x", line.path_length < 48 ? line.path_length : 48,
             line.path, (unsigned)line.contents);
    const Mark mark = enter(walk, key, false);
    add_change(walk, old.layout == line.layout ? KEY_ASKED : KEY_NEVER,
               "the mesh has other numbers of bodies, parts or corners, other cells or pieces",
               keep_text(walk, was), keep_text(walk, is));
    leave(walk, mark);
  }
}

// ------------------------------------------------------------------------------------------------

// The tree of a case with its overrides, one a line.
static void read_texts(CaseReader *reader, const CaseTexts *texts)
{
  assert(texts->text != NULL && texts->overrides != NULL && "a case has texts");
  case_tree_load(reader, texts->text, strlen(texts->text));
  for (const char *at = texts->overrides; *at && !reader->failed;) {
    const size_t length = strcspn(at, "\n");
    char *option = arena_allocate(&reader->scratch, length + 1);
    memcpy(option, at, length);
    option[length] = 0;
    if (length > 0) case_tree_override(reader, option);
    at += length + (at[length] == '\n');
  }
}

bool case_changes_find(const CaseRestart *restart, Arena *arena, CaseChanges *changes,
                       ErrorText error)
{
  const CaseTexts *then = &restart->then, *now = &restart->now;
  assert(changes != NULL && arena != NULL && "changes have a place");
  assert(error.text != NULL && error.bytes > 0 && "a message has room");
  *changes = (CaseChanges){0};
  CaseReader old = {.path = then->path, .arena = arena, .scratch = arena_new(), .error = error};
  CaseReader new = old;
  new.path = now->path;
  new.scratch = arena_new();
  read_texts(&old, then);
  if (!old.failed) read_texts(&new, now);
  const bool read = !old.failed && !new.failed;
  if (read) {
    Walk *walk = arena_allocate_zero(&new.scratch, 1, sizeof *walk);
    *walk = (Walk){.reader = &new,
                   .arena = arena,
                   .allowed = restart->allowed,
                   .time = restart->time,
                   .found = changes};
    compare_members(walk, old.root, new.root);
    compare_meshes(walk, then->meshes, now->meshes);
  }
  arena_destroy(&old.scratch);
  arena_destroy(&new.scratch);
  return read;
}

void case_changes_refusal(const CaseChanges *changes, char *text, size_t bytes)
{
  assert(text != NULL && bytes > 32 && "a refusal has room for the count of the others");
  const int count = changes->refused + changes->never;
  const size_t last = 32;   // room for the count of the others
  size_t used = 0;
  int shown = 0;
  text[0] = 0;
  for (int i = 0; i < changes->count && shown < SHOWN_CHANGES; i++) {
    const CaseChange *c = &changes->changes[i];
    if (c->verdict != CHANGE_REFUSED && c->verdict != CHANGE_NEVER) continue;
    char line[3 * KEY_BYTES];
    const int length = snprintf(line, sizeof line, "%s  %s: was %s, is %s%s%s%s", shown ? "\n" : "",
                                c->key, c->was, c->is, c->reason ? " (never: " : "",
                                c->reason ? c->reason : "", c->reason ? ")" : "");
    if (used + (size_t)length + last > bytes) break;
    memcpy(text + used, line, (size_t)length + 1);
    used += (size_t)length;
    shown++;
  }
  if (shown < count) snprintf(text + used, bytes - used, "\n  and %d more", count - shown);
}
