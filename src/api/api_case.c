// Cases that callers name, give as a text, or build key by key.
#include "api_case.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "api_guard.h"
#include "memory.h"

#define NAME_OF_BUILT "case of calls"
#define LIST_WORDS "bodies", "contacts", "joints", "loads", "servos", "stages", "output.probes"

typedef struct {
  char *key;     // with dots
  char *value;   // YAML, one line
} KeyLine;

typedef struct {
  char *text;
  size_t length, room;
} Growing;

struct DrystoneCase {
  char *path;    // of the file, or the name in messages
  char *given;   // the text of one that was parsed; NULL
  bool is_built;
  int count, room;
  KeyLine *lines;   // [count] of one that is built: keys, and entries of lists
  int over_count, over_room;
  char **overrides;   // [over_count] "key=value"
  Growing made;       // the text of one that is built
};

// -- texts ----------------------------------------------------------------------------------------

static void add_text(Growing *to, const char *text)
{
  const size_t length = strlen(text);
  to->text = memory_grow_bytes(to->text, to->length + length + 1, &to->room);
  memcpy(to->text + to->length, text, length + 1);
  to->length += length;
}

static void add_number(Growing *to, double value)
{
  assert(isfinite(value) && "a number of a case is finite");
  char text[32];
  snprintf(text, sizeof text, "%.17g", value);
  add_text(to, text);
}

static void add_vector(Growing *to, const double *values)
{
  for (int i = 0; i < 3; i++) {
    add_text(to, i == 0 ? "[" : ", ");
    add_number(to, values[i]);
  }
  add_text(to, "]");
}

// A text in quotes of YAML.
static void add_quoted(Growing *to, const char *text)
{
  add_text(to, "\"");
  for (; *text; text++) {
    const unsigned char byte = (unsigned char)*text;
    char spelled[8] = {*text, 0};
    if (byte == '"' || byte == '\\') snprintf(spelled, sizeof spelled, "\\%c", byte);
    else if (byte < 0x20 || byte == 0x7f) snprintf(spelled, sizeof spelled, "\\x%02x", byte);
    add_text(to, spelled);
  }
  add_text(to, "\"");
}

// -- making and freeing ---------------------------------------------------------------------------

typedef struct {
  const char *path, *given;
  bool is_built;
  DrystoneCase *made;
} NewCase;

static int make(void *arguments)
{
  NewCase *new = arguments;
  DrystoneCase *c = memory_allocate_zero(1, sizeof *c);
  c->path = memory_copy_string(new->path);
  if (new->given) c->given = memory_copy_string(new->given);
  c->is_built = new->is_built;
  new->made = c;
  return DRYSTONE_DONE;
}

static int make_case(NewCase new, DrystoneCase **made)
{
  const int code = api_guard_alone(make, &new);
  if (code == DRYSTONE_DONE) *made = new.made;
  return code;
}

int drystone_case_read(const char *path, DrystoneCase **made)
{
  if (!path || !*path || !made)
    return api_guard_fail(DRYSTONE_USER, "drystone_case_read: no path, or no place for the case");
  return make_case((NewCase){.path = path}, made);
}

int drystone_case_parse(const char *text, const char *name, DrystoneCase **made)
{
  if (!text || !made)
    return api_guard_fail(DRYSTONE_USER, "drystone_case_parse: no text, or no place for the case");
  return make_case((NewCase){.path = name && *name ? name : "text", .given = text}, made);
}

int drystone_case_new(DrystoneCase **made)
{
  if (!made) return api_guard_fail(DRYSTONE_USER, "drystone_case_new: no place for the case");
  const int code = make_case((NewCase){.path = NAME_OF_BUILT, .is_built = true}, made);
  return code == DRYSTONE_DONE ? drystone_case_set(*made, "units", "SI") : code;
}

void drystone_case_free(DrystoneCase *c)
{
  if (!c) return;
  for (int i = 0; i < c->count; i++) {
    memory_free(c->lines[i].key);
    memory_free(c->lines[i].value);
  }
  for (int i = 0; i < c->over_count; i++) memory_free(c->overrides[i]);
  memory_free(c->lines);
  memory_free(c->overrides);
  memory_free(c->made.text);
  memory_free(c->given);
  memory_free(c->path);
  memory_free(c);
}

// -- keys -----------------------------------------------------------------------------------------

typedef struct {
  DrystoneCase *c;
  const char *key, *value;
} SetKey;

static bool is_list(const char *key)
{
  static const char *const lists[] = {LIST_WORDS};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    if (strcmp(key, lists[i]) == 0) return true;
  return false;
}

// Does a key lie in an entry of a list?
static bool is_in_list(const char *key)
{
  static const char *const lists[] = {LIST_WORDS};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    const size_t length = strlen(lists[i]);
    if (strncmp(key, lists[i], length) == 0 && key[length] == '.') return true;
  }
  return false;
}

static bool is_below(const char *key, const char *above)
{
  const size_t length = strlen(above);
  return strncmp(key, above, length) == 0 && key[length] == '.';
}

static void add_line(DrystoneCase *c, const char *key, const char *value)
{
  c->lines = memory_grow(c->lines, (int64_t)c->count + 1, &c->room, sizeof *c->lines);
  c->lines[c->count++] = (KeyLine){memory_copy_string(key), memory_copy_string(value)};
}

// A value replaces what the key had, and what keys below it had.
static void set_line(DrystoneCase *c, const char *key, const char *value)
{
  int kept = 0;
  for (int i = 0; i < c->count; i++) {
    KeyLine line = c->lines[i];
    if (strcmp(line.key, key) == 0 || is_below(line.key, key)) {
      memory_free(line.key);
      memory_free(line.value);
    } else {
      c->lines[kept++] = line;
    }
  }
  c->count = kept;
  add_line(c, key, value);
}

// The option is the case's from here on.
static void add_override(DrystoneCase *c, char *option)
{
  c->overrides =
      memory_grow(c->overrides, (int64_t)c->over_count + 1, &c->over_room, sizeof *c->overrides);
  c->overrides[c->over_count++] = option;
}

static int set_key(void *arguments)
{
  const SetKey *set = arguments;
  DrystoneCase *c = set->c;
  if (c->is_built && !is_in_list(set->key)) {
    set_line(c, set->key, set->value);
    return DRYSTONE_DONE;
  }
  Growing line = {0};
  add_text(&line, set->key);
  add_text(&line, "=");
  add_text(&line, set->value);
  add_override(c, line.text);
  return DRYSTONE_DONE;
}

static int override_key(void *arguments)
{
  const SetKey *set = arguments;
  add_override(set->c, memory_copy_string(set->value));
  return DRYSTONE_DONE;
}

int api_case_override(DrystoneCase *c, const char *option)
{
  assert(c != NULL && option != NULL && "an override has a case and a text");
  return api_guard_alone(override_key, &(SetKey){.c = c, .value = option});
}

static bool is_one_line(const char *text) { return text[strcspn(text, "\r\n")] == 0; }

// Words between single dots.
static bool is_key(const char *key)
{
  if (!*key || strpbrk(key, "=:\"'#{}[], \t\r\n")) return false;
  return *key != '.' && key[strlen(key) - 1] != '.' && !strstr(key, "..");
}

static int refuse_key(const char *function, const char *key)
{
  return api_guard_fail(DRYSTONE_USER,
                        "%s: '%s' is no key of a case, as solver.tolerance or bodies.0.fixed are",
                        function, key);
}

// NULL, or a key above or below it that has a value of its own and would hide it.
static const char *other_value(const DrystoneCase *c, const char *key)
{
  for (int i = 0; i < c->count; i++)
    if (is_below(key, c->lines[i].key)) return c->lines[i].key;
  return NULL;
}

int drystone_case_set(DrystoneCase *c, const char *key, const char *value)
{
  if (!c || !key || !value)
    return api_guard_fail(DRYSTONE_USER, "drystone_case_set: no case, key or value");
  if (!is_key(key)) return refuse_key("drystone_case_set", key);
  if (!*value || !is_one_line(value))
    return api_guard_fail(DRYSTONE_USER, "drystone_case_set: %s: expected a value on one line, %s",
                          key, *value ? "found several" : "found nothing");
  if (c->is_built && is_list(key))
    return api_guard_fail(DRYSTONE_USER,
                          "drystone_case_set: %s is a list: drystone_case_add adds entries to it",
                          key);
  const bool in_list = is_in_list(key);
  const char *above = c->is_built && !in_list ? other_value(c, key) : NULL;
  if (above)
    return api_guard_fail(
        DRYSTONE_USER, "drystone_case_set: %s: the key %s has a value that holds it", key, above);
  return api_guard_alone(set_key, &(SetKey){c, key, value});
}

int drystone_case_set_number(DrystoneCase *c, const char *key, double value)
{
  if (!isfinite(value))
    return api_guard_fail(DRYSTONE_USER, "drystone_case_set_number: %s: %g is no number of a case",
                          key ? key : "no key", value);
  char text[32];
  snprintf(text, sizeof text, "%.17g", value);
  return drystone_case_set(c, key, text);
}

static int add_entry(void *arguments)
{
  const SetKey *set = arguments;
  add_line(set->c, set->key, set->value);
  return DRYSTONE_DONE;
}

static int refuse_unbuilt(const DrystoneCase *c, const char *function)
{
  if (!c) return api_guard_fail(DRYSTONE_USER, "%s: no case", function);
  if (c->is_built) return DRYSTONE_DONE;
  return api_guard_fail(DRYSTONE_USER, "%s: %s is not built by calls (drystone_case_new)", function,
                        c->path);
}

int drystone_case_add(DrystoneCase *c, const char *list, const char *entry)
{
  const int code = refuse_unbuilt(c, "drystone_case_add");
  if (code != DRYSTONE_DONE) return code;
  if (!list || !is_list(list))
    return api_guard_fail(DRYSTONE_USER,
                          "drystone_case_add: '%s' is no list of a case: expected bodies, "
                          "contacts, joints, loads, servos, stages or output.probes",
                          list ? list : "");
  if (!entry || !*entry || !is_one_line(entry))
    return api_guard_fail(DRYSTONE_USER, "drystone_case_add: %s: expected an entry on one line",
                          list);
  return api_guard_alone(add_entry, &(SetKey){c, list, entry});
}

// -- materials and bodies -------------------------------------------------------------------------

int drystone_case_add_material(DrystoneCase *c, const char *name, double density)
{
  const int code = refuse_unbuilt(c, "drystone_case_add_material");
  if (code != DRYSTONE_DONE) return code;
  char key[256];
  const bool fits = name && strlen(name) < 128 && is_key(name) && !strchr(name, '.');
  if (!fits)
    return api_guard_fail(DRYSTONE_USER,
                          "drystone_case_add_material: '%.128s': expected a name of letters, "
                          "digits, - and _",
                          name ? name : "");
  snprintf(key, sizeof key, "materials.%s.density", name);
  return drystone_case_set_number(c, key, density);
}

static bool are_finite(const double *values, int count)
{
  for (int i = 0; i < count; i++)
    if (!isfinite(values[i])) return false;
  return true;
}

typedef struct {
  DrystoneCase *c;
  const char *one, *other;
  double friction;
} AddContact;

static int add_contact(void *arguments)
{
  const AddContact *add = arguments;
  Growing entry = {0};
  add_text(&entry, "{between: [");
  add_quoted(&entry, add->one);
  add_text(&entry, ", ");
  add_quoted(&entry, add->other);
  add_text(&entry, "], friction: ");
  add_number(&entry, add->friction);
  add_text(&entry, "}");
  add_line(add->c, "contacts", entry.text);
  memory_free(entry.text);
  return DRYSTONE_DONE;
}

int drystone_case_add_contact(DrystoneCase *c, const char *one, const char *other, double friction)
{
  const int code = refuse_unbuilt(c, "drystone_case_add_contact");
  if (code != DRYSTONE_DONE) return code;
  if (!one || !other || !isfinite(friction))
    return api_guard_fail(DRYSTONE_USER,
                          "drystone_case_add_contact: expected two materials and a coefficient");
  return api_guard_alone(add_contact, &(AddContact){c, one, other, friction});
}

// A shape: its key and its numbers, of which lists have three in a row.
typedef struct {
  const char *key;
  const double *numbers;
  int count;   // of numbers: 1, or 3 times the number of points
} ShapeNumbers;

typedef struct {
  DrystoneCase *c;
  const DrystoneBody *body;
  ShapeNumbers shape;
} AddBody;

static void add_shape(Growing *to, const ShapeNumbers *shape)
{
  add_text(to, "{");
  add_text(to, shape->key);
  add_text(to, ": ");
  if (shape->count == 1) {
    add_text(to, "{radius: ");
    add_number(to, shape->numbers[0]);
    add_text(to, "}");
  } else if (strcmp(shape->key, "box") == 0) {
    add_vector(to, shape->numbers);
  } else if (strcmp(shape->key, "ellipsoid") == 0) {
    add_text(to, "{radii: ");
    add_vector(to, shape->numbers);
    add_text(to, "}");
  } else {
    for (int i = 0; i < shape->count; i += 3) {
      add_text(to, i == 0 ? "[" : ", ");
      add_vector(to, shape->numbers + i);
    }
    add_text(to, "]");
  }
}

static bool is_zero(const double *values)
{
  return values[0] == 0 && values[1] == 0 && values[2] == 0;
}

static int add_body(void *arguments)
{
  const AddBody *add = arguments;
  const DrystoneBody *body = add->body;
  Growing entry = {0};
  add_shape(&entry, &add->shape);
  add_text(&entry, ", at: ");
  add_vector(&entry, body->at);
  add_text(&entry, ", material: ");
  add_quoted(&entry, body->material);
  if (body->name) {
    add_text(&entry, ", name: ");
    add_quoted(&entry, body->name);
  }
  if (body->angle != 0) {
    add_text(&entry, ", turn: {axis: ");
    add_vector(&entry, body->axis);
    add_text(&entry, ", angle: ");
    add_number(&entry, body->angle);
    add_text(&entry, "}");
  }
  if (!is_zero(body->velocity)) {
    add_text(&entry, ", velocity: ");
    add_vector(&entry, body->velocity);
  }
  if (!is_zero(body->spin)) {
    add_text(&entry, ", spin: ");
    add_vector(&entry, body->spin);
  }
  add_text(&entry, body->fixed ? ", fixed: true}" : "}");
  add_line(add->c, "bodies", entry.text);
  memory_free(entry.text);
  return DRYSTONE_DONE;
}

static int add_body_of(DrystoneCase *c, const DrystoneBody *body, ShapeNumbers shape)
{
  char function[64];
  snprintf(function, sizeof function, "drystone_case_add_%s", shape.key);
  const int code = refuse_unbuilt(c, function);
  if (code != DRYSTONE_DONE) return code;
  if (!body || !body->material)
    return api_guard_fail(DRYSTONE_USER, "%s: expected a body with a material", function);
  if (!shape.numbers || shape.count < 1)
    return api_guard_fail(DRYSTONE_USER, "%s: the shape has no numbers", function);
  const bool finite = are_finite(shape.numbers, shape.count) && are_finite(body->at, 3) &&
                      are_finite(body->axis, 3) && isfinite(body->angle) &&
                      are_finite(body->velocity, 3) && are_finite(body->spin, 3);
  if (!finite)
    return api_guard_fail(DRYSTONE_USER, "%s: %s: a number is not finite", function,
                          body->name ? body->name : "body without a name");
  return api_guard_alone(add_body, &(AddBody){c, body, shape});
}

int drystone_case_add_box(DrystoneCase *c, const DrystoneBody *body, const double sides[3])
{
  return add_body_of(c, body, (ShapeNumbers){"box", sides, 3});
}

int drystone_case_add_sphere(DrystoneCase *c, const DrystoneBody *body, double radius)
{
  return add_body_of(c, body, (ShapeNumbers){"sphere", &radius, 1});
}

int drystone_case_add_ellipsoid(DrystoneCase *c, const DrystoneBody *body, const double radii[3])
{
  return add_body_of(c, body, (ShapeNumbers){"ellipsoid", radii, 3});
}

#define MOST_CORNERS 100000   // the reader takes no more

int drystone_case_add_hull(DrystoneCase *c, const DrystoneBody *body, const double (*corners)[3],
                           int count)
{
  if (count < 4 || count > MOST_CORNERS)
    return api_guard_fail(DRYSTONE_USER,
                          "drystone_case_add_hull: expected 4 to %d corners, found %d",
                          MOST_CORNERS, count);
  return add_body_of(c, body, (ShapeNumbers){"hull", corners ? *corners : NULL, 3 * count});
}

// -- the text -------------------------------------------------------------------------------------

// Is a line the first one with the beginning of its key, up to a length?
static bool is_first(const DrystoneCase *c, int line, size_t length)
{
  for (int i = 0; i < line; i++)
    if (strncmp(c->lines[i].key, c->lines[line].key, length) == 0 &&
        (c->lines[i].key[length] == 0 || c->lines[i].key[length] == '.'))
      return false;
  return true;
}

// All keys below a beginning of keys, as a mapping on one line; at: its length.
static void put_mapping(Growing *to, const DrystoneCase *c, int first, size_t at);

// What stands behind a key, up to a length, of which a line is the first.
static void put_value(Growing *to, const DrystoneCase *c, int line, size_t length)
{
  const char *key = c->lines[line].key;
  if (is_list(key) && key[length] == 0) {
    add_text(to, "[");
    for (int i = line, put = 0; i < c->count; i++) {
      if (strcmp(c->lines[i].key, key) != 0) continue;
      add_text(to, put++ ? ", " : "");
      add_text(to, c->lines[i].value);
    }
    add_text(to, "]");
  } else if (key[length] == 0) {
    add_text(to, c->lines[line].value);
  } else {
    put_mapping(to, c, line, length + 1);
  }
}

static void put_word(Growing *to, const char *word, size_t length)
{
  char text[256];
  snprintf(text, sizeof text, "%.*s: ", (int)length, word);
  add_text(to, text);
}

static void put_mapping(Growing *to, const DrystoneCase *c, int first, size_t at)
{
  int put = 0;
  for (int i = first; i < c->count; i++) {
    const char *key = c->lines[i].key;
    if (strncmp(key, c->lines[first].key, at) != 0) continue;
    const size_t length = strcspn(key + at, ".");
    if (!is_first(c, i, at + length)) continue;
    add_text(to, put++ ? ", " : "{");
    put_word(to, key + at, length);
    put_value(to, c, i, at + length);
  }
  add_text(to, "}");
}

// A line of the text for each section, and for each entry of a list.
static int put_case(void *arguments)
{
  DrystoneCase *c = arguments;
  c->made.length = 0;
  add_text(&c->made, "");
  for (int i = 0; i < c->count; i++) {
    const char *key = c->lines[i].key;
    const size_t length = strcspn(key, ".");
    if (!is_first(c, i, length)) continue;
    put_word(&c->made, key, length);
    const bool lists = is_list(key) && !key[length];
    if (!lists) put_value(&c->made, c, i, length);
    for (int k = i; k < c->count && lists; k++) {
      if (strcmp(c->lines[k].key, key) != 0) continue;
      add_text(&c->made, "\n  - ");
      add_text(&c->made, c->lines[k].value);
    }
    add_text(&c->made, "\n");
  }
  return DRYSTONE_DONE;
}

int drystone_case_text(DrystoneCase *c, const char **text)
{
  if (!c || !text) return api_guard_fail(DRYSTONE_USER, "drystone_case_text: no case, or no place");
  if (!c->is_built && !c->given)
    return api_guard_fail(DRYSTONE_USER,
                          "drystone_case_text: %s is a file, and has its text by itself", c->path);
  const int code = c->is_built ? api_guard_alone(put_case, c) : DRYSTONE_DONE;
  if (code == DRYSTONE_DONE) *text = c->is_built ? c->made.text : c->given;
  return code;
}

ApiCase api_case_get(const DrystoneCase *c)
{
  assert(c != NULL && "there is a case");
  const char *text = c->given;
  if (c->is_built) {
    put_case((void *)(uintptr_t)c);
    text = c->made.text;
  }
  return (ApiCase){c->path, text, c->over_count, (const char *const *)c->overrides};
}
