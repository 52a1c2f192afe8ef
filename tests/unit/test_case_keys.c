// The tables of keys against the reader: a key that is none is put into each mapping of the corpus,
// and the reader says which keys it knows there. All of them have a rule and are offered, and no
// others.
#include "case_keys.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_reader.h"
#include "case_tree.h"
#include "disk.h"
#include "harness.h"
#include "memory.h"

#define FOLDER TESTS_FOLDER "/fuzz/case"
enum { MOST_PLACES = 2000, MOST_KEYS = 1000, KEYS_BYTES = 700 };

// A mapping of a case.
typedef struct {
  char pattern[CASE_KEY_BYTES];   // where it is, as the tables say it
  char keys[KEYS_BYTES];          // which it has: the reader may know others beside other ones
} Place;

static struct {
  int places, keys;
  Place place[MOST_PLACES];
  bool used[MOST_KEYS], used_deeper[MOST_KEYS];   // by number in the tables
} seen;

// The second table of keys.
static int deeper_count;
static char deeper[MOST_KEYS][CASE_KEY_BYTES];

// "bodies.*.wall" of a mapping.
static void pattern_of(const CaseNode *node, char *pattern)
{
  if (!node->parent) {
    pattern[0] = 0;
    return;
  }
  pattern_of(node->parent, pattern);
  const bool any = !node->key || strcmp(pattern, "materials") == 0;
  const size_t length = strlen(pattern);
  snprintf(pattern + length, CASE_KEY_BYTES - length, "%s%s", length ? "." : "",
           any ? "*" : node->key);
}

// Whether no mapping of this place and of these keys was there before; it is noted.
static bool is_new(const Place *place)
{
  for (int i = 0; i < seen.places; i++)
    if (strcmp(seen.place[i].pattern, place->pattern) == 0 &&
        strcmp(seen.place[i].keys, place->keys) == 0)
      return false;
  if (CHECK(seen.places < MOST_PLACES)) seen.place[seen.places++] = *place;
  return true;
}

// Mappings whose keys have entries of their own, each.
static bool is_strict(const char *pattern)
{
  static const char *const places[] = {"",
                                       "time",
                                       "base",
                                       "damping",
                                       "stages.*",
                                       "materials.*",
                                       "contacts.*",
                                       "bodies.*",
                                       "bodies.*.where.*.motion",
                                       "bodies.*.mesh",
                                       "bodies.*.compas",
                                       "bodies.*.motion",
                                       "solver",
                                       "solver.stop",
                                       "contact",
                                       "contact.sparsify",
                                       "contact.lmd",
                                       "barrier",
                                       "barrier.newton"};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (strcmp(pattern, places[i]) == 0) return true;
  return false;
}

// Keys that the reader knows only to say why they cannot be there.
static bool is_refused(const char *key)
{
  static const char *const keys[] = {"stages.*.output.probes", "stages.*.motions.*.motion.free",
                                     "stages.*.motions.*.motion.lock"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (strcmp(key, keys[i]) == 0) return true;
  return false;
}

// Functions of time and records stand below many keys, and tables leave theirs out.
static bool is_function(const char *pattern, const char *known)
{
  static const char *const kinds[] = {"sine", "cosine", "ramp", "smooth", "ricker"};
  const char *dot = strrchr(pattern, '.'), *last = dot ? dot + 1 : pattern;
  bool found = strstr(known, "cosine") || strstr(known, "separator");
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    found = found || strcmp(last, kinds[i]) == 0;
  return found;
}

static bool is_below(const char *pattern, const char *above)
{
  const size_t length = strlen(above);
  return strncmp(pattern, above, length) == 0 && pattern[length] == '.';
}

// Whether the first table has entries below a key.
static bool is_section(const char *key)
{
  for (const CaseKey *k = case_keys(); k->pattern; k++)
    if (is_below(k->pattern, key)) return true;
  return false;
}

// Whether the second table has a key, which is noted, or keys below it.
static bool is_deeper(const char *key)
{
  bool found = false;
  for (int i = 0; i < deeper_count; i++) {
    const bool same = strcmp(deeper[i], key) == 0;
    seen.used_deeper[i] = seen.used_deeper[i] || same;
    found = found || same || is_below(deeper[i], key);
  }
  return found;
}

static void check_key(const char *key, bool strict)
{
  const CaseKey *exact = case_keys_exact(key);
  const bool section = is_section(key), ruled = !strict && case_keys_find(key);
  if (exact && CHECK(exact - case_keys() < MOST_KEYS)) seen.used[exact - case_keys()] = true;
  if (!CHECK(exact || section || ruled)) printf("  no rule for %s\n", key);
  if (is_refused(key)) CHECK(!is_deeper(key));
  else if (!CHECK(is_deeper(key) || exact || section)) printf("  completion lacks %s\n", key);
  CHECK(case_keys_known(key));
  seen.keys++;
}

// Each word of what the reader says.
static void check_keys(const char *pattern, char *known)
{
  CHECK(strstr(known, "...") == NULL);
  if (is_function(pattern, known)) return;
  for (char *word = strtok(known, ", "); word; word = strtok(NULL, ", ")) {
    char key[2 * CASE_KEY_BYTES];
    snprintf(key, sizeof key, "%s%s%s", pattern, *pattern ? "." : "", word);
    check_key(key, is_strict(pattern));
  }
}

// What the reader says of a key that is none.
static void ask(const CaseNode *mapping, const char *pattern, CaseFile file)
{
  char path[500] = "", option[600], error[2048];
  if (mapping->parent) case_tree_key_path(mapping, path, sizeof path);
  snprintf(option, sizeof option, "%s%snosuchkey=1", path, *path ? "." : "");
  const char *overrides[] = {option};
  const CaseOptions options = {.override_count = 1,
                               .overrides = overrides,
                               .read_mesh = mesh_read_here,
                               .read_record = record_share_here};
  Case c;
  if (!CHECK(!case_parse(file, &options, &c, (ErrorText){error, sizeof error}))) {
    case_destroy(&c);
    return;
  }
  static const char known[] = "known here: ";
  char *words = strstr(error, known);
  if (CHECK(words != NULL)) check_keys(pattern, words + sizeof known - 1);
  else printf("  %s: %s\n", option, error);
}

// A mapping and all below it.
static void visit(const CaseNode *node, CaseFile file)
{
  if (node->kind == NODE_MAPPING) {
    Place place = {0};
    pattern_of(node, place.pattern);
    for (int i = 0; i < node->count; i++) {
      const size_t length = strlen(place.keys);
      snprintf(place.keys + length, KEYS_BYTES - length, "%s ", node->members[i]->key);
    }
    // names of materials are the user's
    const bool named = strcmp(place.pattern, "materials") == 0;
    if (!named && is_new(&place)) ask(node, place.pattern, file);
  }
  for (int i = 0; i < node->count; i++) visit(node->members[i], file);
}

static void visit_file(const char *name)
{
  DiskStatus status = {0};
  size_t bytes = 0;
  char *path = disk_path(FOLDER, name), error[1024] = "";
  char *text = disk_read_whole(path, 1 << 20, &bytes, &status);
  Arena arena = arena_new();
  CaseReader reader = {
      .path = path, .arena = &arena, .scratch = arena_new(), .error = {error, sizeof error}};
  case_tree_load(&reader, text, bytes);
  if (CHECK(!status.failed && !reader.failed)) visit(reader.root, (CaseFile){path, text, bytes});
  arena_destroy(&reader.scratch);
  arena_destroy(&arena);
  memory_free(text);
  memory_free(path);
}

static void visit_all(void)
{
  struct dirent **entries;
  const int count = scandir(FOLDER, &entries, NULL, alphasort);
  for (int i = 0; i < count; i++) {
    if (strncmp(entries[i]->d_name, "good-", 5) == 0) visit_file(entries[i]->d_name);
    free(entries[i]);
  }
  if (count >= 0) free(entries);
  CHECK(seen.places > 300 && seen.keys > 2000);
}

// Nothing is in the tables that the reader does not know, but where meshes are named within shapes.
static void test_no_others(void)
{
  for (const CaseKey *k = case_keys(); k->pattern && CHECK(k - case_keys() < MOST_KEYS); k++) {
    if (!CHECK(seen.used[k - case_keys()] || strcmp(k->pattern, "materials.*") == 0))
      printf("  no key of the reader: %s\n", k->pattern);
    CHECK((k->reason != NULL) == (k->rule == KEY_NEVER || k->rule == KEY_UNBORN));
  }
  for (int i = 0; i < deeper_count; i++) {
    if (!CHECK(seen.used_deeper[i])) printf("  no key of the reader: %s\n", deeper[i]);
    // a key stands in one table, once, and has a rule above it
    CHECK(!case_keys_exact(deeper[i]) && case_keys_find(deeper[i]));
    for (int k = 0; k < i; k++)
      if (!CHECK(strcmp(deeper[i], deeper[k]) != 0)) printf("  twice: %s\n", deeper[i]);
  }
  CHECK(!case_keys_known("solver.tolerence") && !case_keys_known("friction"));
  CHECK(case_keys_known("solver") && case_keys_known("contacts.0") && !case_keys_known(""));
}

int main(void)
{
  while (deeper_count < MOST_KEYS && case_keys_deeper(deeper_count, deeper[deeper_count]))
    deeper_count++;
  CHECK(deeper_count > 300 && deeper_count < MOST_KEYS);
  visit_all();
  test_no_others();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
