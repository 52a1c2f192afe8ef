// Turns the YAML text of a case into a tree whose nodes know their lines, and puts overrides in.
#include "case_tree.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "check.h"
#include "log.h"
#include "memory.h"

#define MAX_OPEN_BRACKETS 100   // more than TREE_MAX_DEPTH
#define MAX_MARKS 1000          // anchors and directives, which have no use in a case

// A YAML document on its way into nodes.
typedef struct {
  CaseReader *reader;
  yaml_document_t *document;
  const char *option;   // where it comes from; NULL: the file
  CaseNode *nodes;      // [nodes of the document], in its order
  CaseNode **members;   // the next free place for members
  char *text;           // the next free place for texts
} Conversion;

// A place in the file or in an override, counted from 1.
typedef struct {
  const char *option;
  int line, column;
} Place;

void case_tree_quote(const char *text, char *quoted, size_t bytes)
{
  assert(bytes >= 8 && "a quote has room for what shortens it");
  const size_t length = strlen(text);
  if (log_spell(text, length, quoted, bytes) == length) return;
  log_spell(text, length, quoted, bytes - 3);
  memcpy(quoted + strlen(quoted), "...", 4);
}

const char *case_tree_stage(const char *name, char text[TREE_STAGE_BYTES])
{
  assert(text != NULL && "a text has room");
  char quoted[64];
  text[0] = 0;
  if (!name) return text;
  case_tree_quote(name, quoted, sizeof quoted);
  snprintf(text, TREE_STAGE_BYTES, "stage '%s': ", quoted);
  return text;
}

const char *case_tree_found(const CaseNode *node, char found[TREE_FOUND_BYTES])
{
  if (node->kind == NODE_LIST) {
    snprintf(found, TREE_FOUND_BYTES, "a list of %d", node->count);
  } else if (node->kind == NODE_MAPPING) {
    snprintf(found, TREE_FOUND_BYTES, "a mapping");
  } else if (node->plain && !*node->text) {
    snprintf(found, TREE_FOUND_BYTES, "nothing");
  } else {
    char quoted[TREE_FOUND_BYTES - 16];
    case_tree_quote(node->text, quoted, sizeof quoted);
    snprintf(found, TREE_FOUND_BYTES, node->plain ? "'%s'" : "the text '%s'", quoted);
  }
  return found;
}

void case_tree_key_path(const CaseNode *node, char *path, size_t bytes)
{
  assert(node != NULL && bytes > 0 && "a path has room");
  path[0] = 0;
  const CaseNode *chain[TREE_MAX_DEPTH + 1];
  int depth = 0;
  for (const CaseNode *n = node; n->parent && depth <= TREE_MAX_DEPTH; n = n->parent)
    chain[depth++] = n;
  size_t used = 0;
  while (depth > 0 && used + 1 < bytes) {
    const CaseNode *n = chain[--depth];
    char element[48];
    if (n->key) case_tree_quote(n->key, element, sizeof element);
    else snprintf(element, sizeof element, "%d", n->index);
    used += (size_t)snprintf(path + used, bytes - used, used ? ".%s" : "%s", element);
  }
}

static void fail_at(CaseReader *reader, Place place, const char *key_path, const char *format,
                    va_list arguments)
{
  assert(reader->error.text != NULL && reader->error.bytes > 0 && "a message has room");
  if (reader->failed) return;
  reader->failed = true;

  char where[512];
  if (place.option) {
    char quoted[160];
    case_tree_quote(place.option, quoted, sizeof quoted);
    snprintf(where, sizeof where, "%s %s", reader->word ? reader->word : "--set", quoted);
  } else if (place.line > 0) {
    snprintf(where, sizeof where, "%s:%d:%d", reader->path, place.line, place.column);
  } else {
    snprintf(where, sizeof where, "%s", reader->path);
  }
  const int used = snprintf(reader->error.text, reader->error.bytes,
                            *key_path ? "%s: %s: " : "%s: ", where, key_path);
  if (used >= 0 && (size_t)used < reader->error.bytes)
    vsnprintf(reader->error.text + used, reader->error.bytes - (size_t)used, format, arguments);
  // names and texts of a case may hold anything, a message is one line
  char *text = memory_copy_string(reader->error.text);
  log_visible(text, reader->error.text, reader->error.bytes);
  memory_free(text);
}

__attribute__((format(printf, 3, 4))) static void fail_place(CaseReader *reader, Place place,
                                                             const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fail_at(reader, place, "", format, arguments);
  va_end(arguments);
}

void case_tree_fail(CaseReader *reader, const CaseNode *node, const char *format, ...)
{
  assert(node != NULL && "a message names a node");
  char path[256];
  case_tree_key_path(node, path, sizeof path);
  va_list arguments;
  va_start(arguments, format);
  fail_at(reader, (Place){node->option, node->line, node->column}, path, format, arguments);
  va_end(arguments);
}

void case_tree_fail_key(CaseReader *reader, const CaseNode *node, const char *format, ...)
{
  assert(node != NULL && node->key != NULL && "a message names a key");
  char path[256];
  case_tree_key_path(node, path, sizeof path);
  va_list arguments;
  va_start(arguments, format);
  fail_at(reader, (Place){node->option, node->key_line, node->key_column}, path, format, arguments);
  va_end(arguments);
}

static CaseNode *find_member(const CaseNode *mapping, const char *key)
{
  assert_debug(mapping->kind == NODE_MAPPING && key != NULL && "a mapping has keys");
  for (int i = 0; i < mapping->count; i++)
    if (strcmp(mapping->members[i]->key, key) == 0) return mapping->members[i];
  return NULL;
}

const CaseNode *case_tree_find(const CaseNode *mapping, const char *key)
{
  return mapping && mapping->kind == NODE_MAPPING ? find_member(mapping, key) : NULL;
}

int case_tree_line(const CaseNode *node)
{
  while (node->option && node->parent) node = node->parent;
  return node->option ? 1 : node->line;
}

static Place place_of_mark(yaml_mark_t mark, const char *option)
{
  // the size limit keeps both far below the largest int
  return (Place){option, (int)mark.line + 1, (int)mark.column + 1};
}

static Place place_of_byte(const char *text, size_t byte, const char *option)
{
  Place place = {option, 1, 1};
  for (size_t i = 0; i < byte; i++) {
    place.line += text[i] == '\n';
    place.column = text[i] == '\n' ? 1 : place.column + 1;
  }
  return place;
}

static int compare_keys(const void *a, const void *b)
{
  const CaseNode *p = *(CaseNode *const *)a, *q = *(CaseNode *const *)b;
  const int order = strcmp(p->key, q->key);
  return order ? order : (p->index > q->index) - (p->index < q->index);
}

// A key given twice is an error, named at its second place.
static void refuse_equal_keys(CaseReader *reader, const CaseNode *node)
{
  if (node->kind == NODE_MAPPING && node->count > 1) {
    const ArenaMark mark = arena_mark(&reader->scratch);
    const size_t bytes = (size_t)node->count * sizeof(CaseNode *);
    CaseNode **sorted = arena_allocate(&reader->scratch, bytes);
    memcpy(sorted, node->members, bytes);
    qsort(sorted, (size_t)node->count, sizeof *sorted, compare_keys);
    for (int i = 1; i < node->count; i++) {
      if (strcmp(sorted[i - 1]->key, sorted[i]->key) != 0) continue;
      case_tree_fail_key(reader, sorted[i], "key given twice, first at line %d, column %d",
                         sorted[i - 1]->key_line, sorted[i - 1]->key_column);
    }
    arena_release(&reader->scratch, mark);
  }
  for (int i = 0; i < node->count && !reader->failed; i++)
    refuse_equal_keys(reader, node->members[i]);
}

// The text of a scalar, or NULL after a failure.
static const char *take_text(Conversion *conversion, const yaml_node_t *source)
{
  const char *value = (const char *)source->data.scalar.value;
  const size_t length = source->data.scalar.length;
  if (memchr(value, 0, length)) {
    fail_place(conversion->reader, place_of_mark(source->start_mark, conversion->option),
               "a text holds a NUL character");
    return NULL;
  }
  char *text = conversion->text;
  memcpy(text, value, length);
  text[length] = 0;
  conversion->text += length + 1;
  return text;
}

// Tags change the meaning of a value; the three that libyaml gives by itself say nothing.
static bool is_own_tag(const yaml_node_t *source)
{
  static const char *const expected[] = {[YAML_SCALAR_NODE] = YAML_STR_TAG,
                                         [YAML_SEQUENCE_NODE] = YAML_SEQ_TAG,
                                         [YAML_MAPPING_NODE] = YAML_MAP_TAG};
  return source->tag && strcmp((const char *)source->tag, expected[source->type]) == 0;
}

static CaseNode *convert(Conversion *conversion, int id, int depth);

static void convert_list(Conversion *conversion, const yaml_node_t *source, CaseNode *node,
                         int depth)
{
  const yaml_node_item_t *items = source->data.sequence.items.start;
  for (int i = 0; i < node->count && !conversion->reader->failed; i++) {
    CaseNode *member = convert(conversion, items[i], depth + 1);
    if (!member) return;
    member->parent = node;
    member->index = i;
    node->members[i] = member;
  }
}

static void convert_mapping(Conversion *conversion, const yaml_node_t *source, CaseNode *node,
                            int depth)
{
  CaseReader *reader = conversion->reader;
  const yaml_node_pair_t *pairs = source->data.mapping.pairs.start;
  for (int i = 0; i < node->count && !reader->failed; i++) {
    const CaseNode *key = convert(conversion, pairs[i].key, depth + 1);
    if (key && key->kind != NODE_SCALAR)
      fail_place(reader, (Place){key->option, key->line, key->column},
                 "expected a word as key, found a list or mapping");
    CaseNode *member = reader->failed ? NULL : convert(conversion, pairs[i].value, depth + 1);
    if (!member) return;
    member->parent = node;
    member->index = i;
    member->key = key->text;
    member->key_line = key->line;
    member->key_column = key->column;
    node->members[i] = member;
  }
}

// The node of a document's node and all below it, or NULL after a failure.
static CaseNode *convert(Conversion *conversion, int id, int depth)
{
  assert(id >= 1 && depth >= 0 && "nodes of a document count from 1");
  CaseReader *reader = conversion->reader;
  const yaml_node_t *source = yaml_document_get_node(conversion->document, id);
  assert(source && "a document names a node it does not have");
  const Place place = place_of_mark(source->start_mark, conversion->option);
  CaseNode *node = &conversion->nodes[id - 1];

  const char *refusal = NULL;
  if (depth > TREE_MAX_DEPTH) refusal = "lists and mappings are nested too deep";
  else if (node->line) refusal = "an alias (*) refers to this; write the value out instead";
  else if (!is_own_tag(source)) refusal = "tags (!) have no meaning here";
  if (refusal) {
    fail_place(reader, place, "%s", refusal);
    return NULL;
  }

  node->option = conversion->option;
  node->line = node->key_line = place.line;
  node->column = node->key_column = place.column;
  if (source->type == YAML_SCALAR_NODE) {
    node->kind = NODE_SCALAR;
    node->plain = source->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    node->text = take_text(conversion, source);
    return node->text ? node : NULL;
  }

  const bool list = source->type == YAML_SEQUENCE_NODE;
  node->kind = list ? NODE_LIST : NODE_MAPPING;
  node->count = list ? (int)(source->data.sequence.items.top - source->data.sequence.items.start)
                     : (int)(source->data.mapping.pairs.top - source->data.mapping.pairs.start);
  node->members = conversion->members;
  conversion->members += node->count;
  if (list) convert_list(conversion, source, node, depth);
  else convert_mapping(conversion, source, node, depth);
  return reader->failed ? NULL : node;
}

// Room for all nodes, members and texts of a document at once: nodes are many and small.
static Conversion conversion_begin(CaseReader *reader, yaml_document_t *document,
                                   const char *option)
{
  size_t members = 0, bytes = 0;
  const yaml_node_t *first = document->nodes.start;
  const size_t count = (size_t)(document->nodes.top - first);
  for (const yaml_node_t *node = first; node < document->nodes.top; node++) {
    if (node->type == YAML_SCALAR_NODE) bytes += node->data.scalar.length + 1;
    if (node->type == YAML_SEQUENCE_NODE)
      members += (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
    if (node->type == YAML_MAPPING_NODE)
      members += (size_t)(node->data.mapping.pairs.top - node->data.mapping.pairs.start);
  }
  return (Conversion){
      .reader = reader,
      .document = document,
      .option = option,
      .nodes = arena_allocate_zero(&reader->scratch, count, sizeof(CaseNode)),
      .members = arena_allocate(&reader->scratch, members * sizeof(CaseNode *)),
      .text = arena_allocate(&reader->scratch, bytes),
  };
}

static void fail_syntax(CaseReader *reader, const yaml_parser_t *parser, const char *text,
                        const char *option)
{
  const char *problem = parser->problem ? parser->problem : "out of memory";
  if (parser->error == YAML_READER_ERROR) {
    // libyaml gives the byte alone
    fail_place(reader, place_of_byte(text, parser->problem_offset, option), "not UTF-8 text: %s",
               problem);
    return;
  }
  const Place place = place_of_mark(parser->problem_mark, option);
  if (parser->context)
    fail_place(reader, place, "bad YAML: %s, %s which began on line %zu", problem, parser->context,
               parser->context_mark.line + 1);
  else fail_place(reader, place, "bad YAML: %s", problem);
}

// The nodes of a document's root, or NULL after a failure.
static CaseNode *convert_document(CaseReader *reader, yaml_document_t *document, const char *option)
{
  if (!yaml_document_get_root_node(document)) {
    fail_place(reader, (Place){option, 0, 0}, "%s",
               option ? "expected a value after '='" : "the file is empty");
    return NULL;
  }
  Conversion conversion = conversion_begin(reader, document, option);
  CaseNode *root = convert(&conversion, 1, 0);
  if (root) refuse_equal_keys(reader, root);
  return reader->failed ? NULL : root;
}

// libyaml compares each anchor and each directive with all those before it, without limit. What
// looks like one inside quotes and comments counts too: nobody has that many.
static bool has_many_marks(CaseReader *reader, const char *text, size_t bytes, const char *option)
{
  int marks = 0;
  for (size_t i = 0; i < bytes; i++) {
    const char before = i > 0 ? text[i - 1] : '\n';
    const bool directive = text[i] == '%' && (before == '\n' || before == '\r');
    marks += directive || (text[i] == '&' && strchr(" \t\r\n[]{},:-?\"'", before));
    if (marks > MAX_MARKS) {
      fail_place(reader, place_of_byte(text, i, option),
                 "more than %d anchors (&) and directives (%%) up to here; a case needs none",
                 MAX_MARKS);
      return true;
    }
  }
  return false;
}

// The scanner of libyaml works for each token as long as brackets are open around it, without
// limit, so texts with far more open brackets than a case can nest never get there. Brackets inside
// quotes and comments count too: nobody leaves that many open.
static bool is_too_deep(CaseReader *reader, const char *text, size_t bytes, const char *option)
{
  int open = 0;
  for (size_t i = 0; i < bytes; i++) {
    if (text[i] == '[' || text[i] == '{') open++;
    if ((text[i] == ']' || text[i] == '}') && open > 0) open--;
    if (open > MAX_OPEN_BRACKETS) {
      fail_place(reader, place_of_byte(text, i, option), "more than %d brackets are open here",
                 MAX_OPEN_BRACKETS);
      return true;
    }
  }
  return false;
}

// The root of the only document in a text, or NULL after a failure.
static CaseNode *parse_text(CaseReader *reader, const char *text, size_t bytes, const char *option)
{
  assert((text != NULL || bytes == 0) && "a text is given");
  if (is_too_deep(reader, text, bytes, option)) return NULL;
  if (has_many_marks(reader, text, bytes, option)) return NULL;
  yaml_parser_t parser;
  yaml_document_t document;
  if (!yaml_parser_initialize(&parser)) {
    fail_place(reader, (Place){option, 0, 0}, "out of memory");
    return NULL;
  }
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, bytes);

  CaseNode *root = NULL;
  if (!yaml_parser_load(&parser, &document)) {
    fail_syntax(reader, &parser, text, option);
  } else {
    root = convert_document(reader, &document, option);
    yaml_document_delete(&document);
  }

  // after the last document comes an empty one
  if (root && !yaml_parser_load(&parser, &document)) {
    fail_syntax(reader, &parser, text, option);
  } else if (root) {
    const yaml_node_t *second = yaml_document_get_root_node(&document);
    if (second)
      fail_place(reader, place_of_mark(second->start_mark, option),
                 "a second document begins here; expected one");
    yaml_document_delete(&document);
  }
  yaml_parser_delete(&parser);
  return reader->failed ? NULL : root;
}

void case_tree_load(CaseReader *reader, const char *text, size_t bytes)
{
  assert(reader->root == NULL && "a tree is read once");
  if (bytes > TREE_MAX_BYTES) {
    fail_place(reader, (Place){0}, "a case file holds at most %zu MiB, this one %zu",
               TREE_MAX_BYTES >> 20, bytes >> 20);
    return;
  }
  const char *nul = bytes ? memchr(text, 0, bytes) : NULL;
  if (nul) {
    fail_place(reader, place_of_byte(text, (size_t)(nul - text), NULL),
               "a NUL byte; expected text");
    return;
  }
  reader->root = parse_text(reader, text, bytes, NULL);
  if (reader->root && reader->root->kind != NODE_MAPPING) {
    char found[TREE_FOUND_BYTES];
    case_tree_fail(reader, reader->root,
                   "expected a mapping of keys (title, gravity, ...), found %s",
                   case_tree_found(reader->root, found));
  }
}

const CaseNode *case_tree_value(CaseReader *reader, const char *text)
{
  return parse_text(reader, text, strlen(text), text);
}

// Adds an empty mapping under a new key.
static CaseNode *add_member(CaseReader *reader, CaseNode *mapping, const char *key,
                            const char *option)
{
  assert(mapping->kind == NODE_MAPPING && "a mapping gets a member");
  CaseNode *member = arena_allocate_zero(&reader->scratch, 1, sizeof *member);
  *member = (CaseNode){.kind = NODE_MAPPING,
                       .key = key,
                       .option = option,
                       .line = 1,
                       .column = 1,
                       .key_line = 1,
                       .key_column = 1,
                       .parent = mapping,
                       .index = mapping->count};
  const size_t count = (size_t)mapping->count;
  CaseNode **members = arena_allocate(&reader->scratch, (count + 1) * sizeof(CaseNode *));
  if (count > 0) memcpy(members, mapping->members, count * sizeof(CaseNode *));
  members[count] = member;
  mapping->members = members;
  mapping->count++;
  return member;
}

// The member of a list that an element of a path counts, or NULL after a failure.
static CaseNode *count_member(CaseReader *reader, const CaseNode *list, const char *element,
                              Place place)
{
  assert(list->kind == NODE_LIST && "members of a list have numbers");
  char *end;
  const long index = strtol(element, &end, 10);
  if (*element < '0' || *element > '9' || *end || index >= list->count) {
    char quoted[48];
    case_tree_quote(element, quoted, sizeof quoted);
    fail_place(reader, place, "expected a number from 0 to %d for a member of the list, found '%s'",
               list->count - 1, quoted);
    return NULL;
  }
  return list->members[index];
}

// The node that the elements of a path lead to, made where it is missing; NULL after a failure.
static CaseNode *follow_path(CaseReader *reader, char *path, const char *option)
{
  assert(reader->root != NULL && "a path begins at the root");
  const Place place = {option, 1, 1};
  CaseNode *node = reader->root;
  int depth = 0;
  for (char *element = path; element && node; depth++) {
    char *dot = strchr(element, '.');
    if (dot) *dot = 0;
    if (!*element || depth >= TREE_MAX_DEPTH) {
      fail_place(reader, place, "expected keys with dots between them before '='");
      return NULL;
    }
    if (node->kind == NODE_LIST) {
      node = count_member(reader, node, element, place);
    } else if (node->kind == NODE_MAPPING) {
      CaseNode *member = find_member(node, element);
      node = member ? member : add_member(reader, node, element, option);
    } else {
      char quoted[48], found[TREE_FOUND_BYTES];
      case_tree_quote(element, quoted, sizeof quoted);
      fail_place(reader, place, "nothing can be under %s, where '%s' was looked for",
                 case_tree_found(node, found), quoted);
      return NULL;
    }
    element = dot ? dot + 1 : NULL;
  }
  return node;
}

void case_tree_override(CaseReader *reader, const char *option)
{
  assert(option != NULL && "an override has a text");
  if (reader->failed) return;
  const Place place = {option, 1, 1};
  const char *equals = strchr(option, '=');
  if (strlen(option) > TREE_MAX_BYTES) {
    fail_place(reader, place, "too long");
    return;
  }
  if (!equals || strpbrk(option, "\n\r")) {
    fail_place(reader, place, "%s",
               equals ? "expected one line" : "expected KEY=VALUE with '=' between them");
    return;
  }

  // the value first: a bad one leaves the tree alone
  CaseNode *value = parse_text(reader, equals + 1, strlen(equals + 1), option);
  if (!value) return;
  const size_t length = (size_t)(equals - option);
  char *path = arena_allocate(&reader->scratch, length + 1);
  memcpy(path, option, length);
  path[length] = 0;
  CaseNode *target = follow_path(reader, path, option);
  if (!target) return;

  // it takes the place of what was there, and keeps its key
  target->kind = value->kind;
  target->plain = value->plain;
  target->text = value->text;
  target->option = option;
  target->count = value->count;
  target->members = value->members;
  for (int i = 0; i < target->count; i++) target->members[i]->parent = target;
}
