// Reads which bodies a key means.
#include "case_selection.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "group.h"
#include "phrase.h"

#define PATTERN "*?"   // letters that make one

// Bodies of an entry that a key means.
typedef struct {
  int entry;
  bool whole;
  bool *marked;   // [bodies of the entry] NULL: none yet
} Choice;

typedef struct {
  BodySelector *of;
  int *chosen;   // [entries] places below
  int count, capacity;
  Choice *choices;   // [count]
} Choices;

BodySelector case_selection_begin(CaseReader *reader, const Case *c)
{
  assert((reader->failed || c->group_count > 0) && "bodies are read");
  Arena *arena = &reader->scratch;
  const size_t groups = (size_t)c->group_count + 1;
  BodySelector s = {.reader = reader, .c = c};
  s.names = case_names_list(c, arena);
  s.first = arena_allocate(arena, groups * sizeof *s.first);
  s.entry = arena_allocate(arena, groups * sizeof *s.entry);
  for (int k = 0; k < 2; k++) s.chosen[k] = arena_allocate(arena, groups * sizeof *s.chosen[k]);
  s.marks = arena_allocate_zero(arena, groups, sizeof(EntryMarks *));
  for (int i = 0; i < c->group_count; i++) {
    if (c->groups[i].part == 0) {
      s.chosen[0][s.entry_count] = s.chosen[1][s.entry_count] = -1;
      s.first[s.entry_count++] = i;
    }
    s.entry[i] = s.entry_count - 1;
  }
  return s;
}

static const BodyGroup *entry_group(const BodySelector *s, int entry)
{
  assert(entry >= 0 && entry < s->entry_count && "an entry has a number");
  return &s->c->groups[s->first[entry]];
}

// NULL after a failure.
static EntryMarks *find_marks(BodySelector *s, const CaseNode *node, int entry)
{
  if (s->marks[entry]) return s->marks[entry];
  const BodyGroup *group = entry_group(s, entry);
  const uint64_t bodies = group_check(group) ? 0 : group_entry_size(group).total;
  if (bodies > MARKS_MOST)
    case_tree_fail(s->reader, node,
                   "the entry of line %d has %" PRIu64
                   " bodies, and at most %d can be told apart: name it as a whole",
                   group->line, bodies, MARKS_MOST);
  if (s->reader->failed) return NULL;
  s->marks[entry] = arena_allocate(&s->reader->scratch, sizeof(EntryMarks));
  *s->marks[entry] = case_marks_new(s->reader, s->c, group, entry);
  return s->marks[entry];
}

static Choice *choose(Choices *all, int entry)
{
  if (all->chosen[entry] < 0) {
    all->choices = arena_grow(&all->of->reader->scratch, all->choices, (int64_t)all->count + 1,
                              &all->capacity, sizeof *all->choices);
    all->choices[all->count] = (Choice){entry, false, NULL};
    all->chosen[entry] = all->count++;
  }
  return &all->choices[all->chosen[entry]];
}

// Room to mark single bodies of an entry.
static bool *choose_some(Choices *all, int entry)
{
  Choice *choice = choose(all, entry);
  BodySelector *s = all->of;
  const uint64_t bodies = s->marks[entry]->bodies;
  if (!choice->marked)
    choice->marked = arena_allocate_zero(&s->reader->scratch, (size_t)bodies + 1, 1);
  return choice->marked;
}

// -- names ----------------------------------------------------------------------------------------

static bool is_dynamic(const Case *c, int group) { return !group_led(&c->groups[group]); }

static void refuse_held(BodySelector *s, const CaseNode *node, const char *name, int group)
{
  const BodyGroup *g = &s->c->groups[group];
  char quoted[TREE_FOUND_BYTES];
  case_tree_quote(name, quoted, sizeof quoted);
  case_tree_fail(s->reader, node, "'%s', line %d, is %s, and no load moves it", quoted, g->line,
                 g->motion ? "moved by a prescribed motion" : "fixed");
}

// An entry by its name; one that has nothing to move is a slip.
static void name_entry(Choices *all, const CaseNode *node, int group, SelectionUse use)
{
  BodySelector *s = all->of;
  const BodyGroup *first = &s->c->groups[group];
  const int parts = first->part_count > 0 ? first->part_count : 1;
  bool moves = false;
  for (int i = 0; i < parts; i++) moves = moves || is_dynamic(s->c, group + i);
  if (use == SELECTION_DYNAMIC && !moves) refuse_held(s, node, node->text, group);
  choose(all, s->entry[group])->whole = true;
}

// "ENTRY.MEMBER" of all entries of that name; false: the text names no entry.
static bool name_member(Choices *all, const CaseNode *node, SelectionUse use)
{
  BodySelector *s = all->of;
  const char *entry, *member = case_member_split(s->reader, &s->names, node->text, &entry);
  if (!member) return false;
  int count;
  uint64_t found = 0;
  EntryMarks *marks = NULL;
  const NamedBodies *parts = case_names_find(&s->names, entry, &count);
  for (int k = 0; k < count; k++) {
    const BodyGroup *group = &s->c->groups[parts[k].group];
    if (group->part > 0) continue;
    const int number = s->entry[parts[k].group];
    marks = find_marks(s, node, number);
    if (!marks || marks->bodies == 0) return true;
    const int64_t body = case_member_find(group, member);
    if (body < -1) found += case_marks_name(marks, member, choose_some(all, number));
    JointEnd place;
    if (body < 0) continue;
    found++;
    choose_some(all, number)[body] = true;
    if (!case_member_place(s->c, parts[k].group, (uint64_t)body, &place))
      case_tree_fail(s->reader, node, "number %" PRId64 " of '%s' is left out by 'where'", body,
                     group->name);
    else if (use == SELECTION_DYNAMIC &&
             place.index >= group_size(&s->c->groups[place.group]).dynamic)
      refuse_held(s, node, node->text, place.group);
  }
  if (found == 0) case_marks_refuse(marks, node, member, entry);
  return true;
}

// Letters before the first one that stands for others.
static bool may_begin(const char *pattern, const char *begin)
{
  const size_t plain = strcspn(pattern, PATTERN), length = strlen(begin);
  return strncmp(pattern, begin, plain < length ? plain : length) == 0;
}

static void name_pattern(Choices *all, const CaseNode *node)
{
  BodySelector *s = all->of;
  bool any = false;
  for (int e = 0; e < s->entry_count && !s->reader->failed; e++) {
    const char *name = entry_group(s, e)->name;
    if (!*name || !may_begin(node->text, name)) continue;
    if (case_member_fits(name, node->text)) {
      choose(all, e)->whole = any = true;
      continue;
    }
    const size_t length = strlen(name);
    char *begin = arena_allocate(&s->reader->scratch, length + 2);
    memcpy(begin, name, length);
    memcpy(begin + length, ".", 2);
    const EntryMarks *marks = may_begin(node->text, begin) ? find_marks(s, node, e) : NULL;
    if (!marks || marks->bodies == 0) continue;
    bool *marked = arena_allocate_zero(&s->reader->scratch, (size_t)marks->bodies, 1);
    if (case_marks_pattern(marks, begin, node->text, marked) == 0) continue;
    any = true;
    bool *chosen = choose_some(all, e);
    for (uint64_t b = 0; b < marks->bodies; b++) chosen[b] = chosen[b] || marked[b];
  }
  char quoted[TREE_FOUND_BYTES];
  case_tree_quote(node->text, quoted, sizeof quoted);
  if (!any)
    case_tree_fail(
        s->reader, node,
        "no entry of 'bodies' and no body of one fits '%s'; a body is called NAME.MEMBER", quoted);
}

static void read_name(Choices *all, const CaseNode *node, SelectionUse use)
{
  BodySelector *s = all->of;
  int count = 0;
  const NamedBodies *entries =
      node->kind == NODE_SCALAR ? case_names_find(&s->names, node->text, &count) : NULL;
  for (int k = 0; k < count && !s->reader->failed; k++)
    if (s->c->groups[entries[k].group].part == 0) name_entry(all, node, entries[k].group, use);
  if (count > 0) return;
  if (node->kind == NODE_SCALAR && strpbrk(node->text, PATTERN)) name_pattern(all, node);
  else if (node->kind != NODE_SCALAR || !name_member(all, node, use))
    case_names_refuse(s->reader, node, node->text, s->c);
}

// -- mappings -------------------------------------------------------------------------------------

// Leaves of a choice what is marked.
static void restrict_to(Choice *choice, uint64_t bodies, bool *marked)
{
  for (uint64_t b = 0; b < bodies && !choice->whole; b++)
    marked[b] = marked[b] && choice->marked && choice->marked[b];
  choice->whole = false;
  choice->marked = marked;
}

// The keys of a mapping.
typedef struct {
  const CaseNode *node, *name, *number, *box, *kind;
  MarksBox room;      // of box
  const char *word;   // of kind
} Terms;

static Terms read_terms(CaseReader *reader, const CaseNode *node)
{
  static const char *const keys[] = {"name", "number", "box", "kind", NULL};
  const CaseNode *mapping = case_value_mapping(reader, node, keys);
  Terms t = {.node = node};
  if (!mapping) return t;
  t.name = case_tree_find(mapping, "name");
  t.number = case_tree_find(mapping, "number");
  t.box = case_tree_find(mapping, "box");
  t.kind = case_tree_find(mapping, "kind");
  if (mapping->count == 0)
    case_tree_fail(reader, node, "expected 'name', 'box', 'kind' or several of them, found none");
  else if (t.number && !t.name)
    case_tree_fail(reader, t.number, "numbers are of the bodies of an entry: give its 'name' too");
  if (t.box) t.room = case_marks_read_box(reader, t.box);
  if (t.kind) t.word = case_marks_read_kind(reader, t.kind);
  return t;
}

// Leaves of an entry the bodies that all keys but the name hold for.
static void apply_terms(const Terms *t, EntryMarks *marks, Choice *choice)
{
  CaseReader *reader = marks->reader;
  const CaseNode *const given[] = {t->number, t->box, t->kind};
  for (int k = 0; k < 3 && !reader->failed; k++) {
    if (!given[k]) continue;
    bool *marked = arena_allocate_zero(&reader->scratch, (size_t)marks->bodies, 1);
    if (k == 1) case_marks_box(marks, t->box, t->room, marked);
    else if (k == 2) case_marks_kind(marks, t->kind, t->word, marked);
    else {
      const MarksNumbers n = case_marks_read_numbers(reader, t->number, marks->bodies);
      for (int64_t b = n.first; b <= n.last && !reader->failed; b++) marked[b] = true;
    }
    restrict_to(choice, marks->bodies, marked);
  }
}

// Entries and bodies that the key name means, all where it is not given.
static Choices begin_terms(BodySelector *s, const CaseNode *name)
{
  Choices own = {.of = s, .chosen = s->chosen[1]};
  const bool list = name && name->kind == NODE_LIST;
  const CaseNode *names = list ? case_value_list(s->reader, name, 1, "a list of names") : NULL;
  const int count = !name ? 0 : list ? (names ? names->count : 0) : 1;
  for (int i = 0; i < count && !s->reader->failed; i++)
    read_name(&own, list ? names->members[i] : name, SELECTION_ALL);
  for (int e = 0; e < s->entry_count && !name; e++) choose(&own, e)->whole = true;
  for (int i = 0; i < own.count; i++) own.chosen[own.choices[i].entry] = -1;
  return own;
}

// Bodies for which all keys of the mapping hold.
static void read_mapping(Choices *all, const CaseNode *node)
{
  BodySelector *s = all->of;
  CaseReader *reader = s->reader;
  const Terms t = read_terms(reader, node);
  if (reader->failed) return;
  Choices own = begin_terms(s, t.name);
  bool any = false;
  for (int i = 0; i < own.count && !reader->failed; i++) {
    Choice *choice = &own.choices[i];
    EntryMarks *marks = find_marks(s, node, choice->entry);
    if (!marks || marks->bodies == 0) continue;
    apply_terms(&t, marks, choice);
    for (uint64_t b = 0; b < marks->bodies && !reader->failed; b++) {
      if (!choice->whole && !choice->marked[b]) continue;
      choose_some(all, choice->entry)[b] = true;
      any = true;
    }
  }
  if (any || reader->failed) return;
  const char *reason = node->count > 1 ? "all of that"
                       : t.box ? "there: none has its centre of mass in the box as it appears"
                               : "of that kind";
  case_tree_fail(reader, node, "no body is %s", reason);
}

// -- the value ------------------------------------------------------------------------------------

// Adds the bodies of a group, by their indices, that are chosen.
static void add_spans(const BodySelector *s, const Choice *choice, int group, SelectionUse use,
                      BodySelection *selection, BodySpan **spans, int *capacity)
{
  const BodyGroup *g = &s->c->groups[group];
  const GroupSize size = group_size(g);
  const uint64_t end = use == SELECTION_DYNAMIC ? size.dynamic : size.total;
  for (uint64_t b = 0; b < end;) {
    uint64_t last = end;
    if (!choice->whole) {
      const bool *marked = choice->marked + g->part_begin;
      while (b < end && !marked[b]) b++;
      for (last = b; last < end && marked[last];) last++;
    }
    if (b < last) {
      *spans = arena_grow(s->reader->arena, *spans, (int64_t)selection->count + 1, capacity,
                          sizeof **spans);
      (*spans)[selection->count++] = (BodySpan){group, b, last};
    }
    b = last;
  }
}

static int compare_choices(const void *p, const void *q)
{
  const Choice *a = p, *b = q;
  return (a->entry > b->entry) - (a->entry < b->entry);
}

static BodySelection collect(Choices *all, SelectionUse use)
{
  const BodySelector *s = all->of;
  BodySelection selection = {.given = true};
  BodySpan *spans = NULL;
  int capacity = 0;
  if (all->count > 1)
    qsort(all->choices, (size_t)all->count, sizeof *all->choices, compare_choices);
  for (int i = 0; i < all->count; i++) {
    const int first = s->first[all->choices[i].entry];
    const int parts = s->c->groups[first].part_count > 0 ? s->c->groups[first].part_count : 1;
    for (int k = 0; k < parts; k++)
      add_spans(s, &all->choices[i], first + k, use, &selection, &spans, &capacity);
  }
  selection.spans = spans;
  return selection;
}

BodySelection case_selection_read(BodySelector *selector, const CaseNode *node, SelectionUse use)
{
  CaseReader *reader = selector->reader;
  if (reader->failed || !node) return (BodySelection){.given = false};
  Choices all = {.of = selector, .chosen = selector->chosen[0]};
  const bool list = node->kind == NODE_LIST;
  const CaseNode *items =
      list ? case_value_list(reader, node, 1, "a name, or a list of names, boxes and kinds") : NULL;
  for (int i = 0; i < (items ? items->count : !list) && !reader->failed; i++) {
    const CaseNode *item = list ? items->members[i] : node;
    if (item->kind == NODE_MAPPING) read_mapping(&all, item);
    else read_name(&all, item, use);
  }
  BodySelection selection = {.given = true};
  if (!reader->failed) selection = collect(&all, use);
  if (!reader->failed && selection.count == 0)
    case_tree_fail(reader, node, "%s",
                   use == SELECTION_DYNAMIC
                       ? "all bodies that are meant are fixed or moved by a prescribed motion, and "
                         "no load moves them"
                       : "all bodies that are meant are left out by 'where'");
  for (int i = 0; i < all.count; i++) all.chosen[all.choices[i].entry] = -1;
  return selection;
}

// What a body of an entry is called alone: its number where others have its name.
static const char *name_alone(const BodySelector *s, const BodyGroup *group, uint64_t index)
{
  const uint64_t number = case_member_number(group, index);
  char room[MEMBER_LABEL_BYTES], quoted[TREE_FOUND_BYTES];
  const char *label = case_member_label(group, number, room);
  if (case_member_find(group, label) != (int64_t)number) {
    snprintf(room, sizeof room, "%" PRIu64, number);
    label = room;
  }
  case_tree_quote(label, quoted, sizeof quoted);
  return phrase_make(&s->reader->scratch, "%s", quoted);
}

// How one of several bodies that are meant is told from the others, or "".
static const char *tell_apart(const BodySelector *s, const BodySelection *on)
{
  const BodySpan *first = &on->spans[0], *last = &on->spans[on->count - 1], *other = first;
  while (other < last && s->entry[other->group] == s->entry[first->group]) other++;
  const BodyGroup *group = &s->c->groups[first->group], *second = &s->c->groups[other->group];
  if (s->entry[other->group] != s->entry[first->group])
    return phrase_make(&s->reader->scratch, ": the entries of lines %d and %d have such%s",
                       group->line, second->line,
                       *group->name && strcmp(group->name, second->name) == 0
                           ? "; a name of its own tells one from the other"
                           : "");
  int entries;
  case_names_find(&s->names, group->name, &entries);
  if (!*group->name || entries != (group->part_count > 0 ? group->part_count : 1)) return "";
  char entry[TREE_FOUND_BYTES];
  case_tree_quote(group->name, entry, sizeof entry);
  return phrase_make(&s->reader->scratch, ": name it, as '%s.%s', the first, or '%s.%s', the last",
                     entry, name_alone(s, group, first->begin), entry,
                     name_alone(s, &s->c->groups[last->group], last->end - 1));
}

// "ENTRY" of one body, or "ENTRY.MEMBER", where one entry alone has the name: without marks of its
// bodies, for a case may name a million so. False: it is neither.
static bool name_one(const BodySelector *s, const char *text, JointEnd *end, bool *numbered)
{
  assert(text != NULL && "a body has a name");
  const char *name = text, *member = NULL;
  int count;
  const NamedBodies *entries = case_names_find(&s->names, name, &count);
  if (count == 0 && !strpbrk(text, PATTERN)) {
    member = case_member_split(s->reader, &s->names, text, &name);
    if (member) entries = case_names_find(&s->names, name, &count);
  }
  *numbered = member != NULL;
  if (count == 0) return false;
  const BodyGroup *group = &s->c->groups[entries[0].group];
  if (count > (group->part_count > 0 ? group->part_count : 1)) return false;
  const int64_t number = member ? case_member_find(group, member) : 0;
  const int pieces = member ? 1 : group_pieces_of_one(group);
  if (number < 0 || (!member && group_entry_size(group).total > (uint64_t)pieces)) return false;
  *end = (JointEnd){entries[0].group, (uint64_t)number, pieces > 1};
  return true;
}

JointEnd case_selection_end(BodySelector *selector, const CaseNode *node, bool *numbered)
{
  JointEnd end = {-1, 0, false};
  *numbered = false;
  if (selector->reader->failed || !node) return end;
  if (node->kind == NODE_MAPPING) *numbered = case_tree_find(node, "number") != NULL;
  if (node->kind == NODE_SCALAR && name_one(selector, node->text, &end, numbered)) return end;
  const BodySelection on = case_selection_read(selector, node, SELECTION_ALL);
  if (selector->reader->failed || on.count == 0) return end;
  uint64_t bodies = 0;
  for (int k = 0; k < on.count; k++) bodies += on.spans[k].end - on.spans[k].begin;
  if (bodies > 1) {
    case_tree_fail(selector->reader, node, "%" PRIu64 " bodies are meant, and one is asked for%s",
                   bodies, tell_apart(selector, &on));
    return end;
  }
  const BodyGroup *group = &selector->c->groups[on.spans[0].group];
  return (JointEnd){on.spans[0].group - group->part, case_member_number(group, on.spans[0].begin),
                    false};
}

JointEnd case_selection_one(BodySelector *selector, const CaseNode *node)
{
  bool numbered;
  const JointEnd named = case_selection_end(selector, node, &numbered);
  JointEnd end;
  if (named.group < 0) return named;
  if (named.by_place) {
    const BodyGroup *group = &selector->c->groups[named.group];
    case_tree_fail(selector->reader, node,
                   "'%s' is in %d pieces (elastic.most_nodes), and one is asked for: name it, as "
                   "'%s.0', the first, or '%s.%d', the last",
                   group->name, group_pieces_of_one(group), group->name, group->name,
                   group_pieces_of_one(group) - 1);
    return (JointEnd){-1, 0, false};
  }
  if (case_member_place(selector->c, named.group, named.index, &end)) return end;
  case_tree_fail(selector->reader, node, "number %" PRIu64 " of '%s' is left out by 'where'",
                 named.index, selector->c->groups[named.group].name);
  return (JointEnd){-1, 0, false};
}

// A list of the words between commas.
static const CaseNode *split_words(CaseReader *reader, const char *text)
{
  Arena *arena = &reader->scratch;
  const size_t length = strlen(text);
  char *words = arena_allocate(arena, length + 1);
  memcpy(words, text, length + 1);
  CaseNode *list = arena_allocate_zero(arena, 1, sizeof *list);
  list->kind = NODE_LIST;
  list->members = arena_allocate(arena, (length + 2) * sizeof(CaseNode *));
  for (char *word = words; word;) {
    char *comma = strchr(word, ',');
    if (comma) *comma = 0;
    CaseNode *node = arena_allocate_zero(arena, 1, sizeof *node);
    *node = (CaseNode){
        .kind = NODE_SCALAR, .text = word, .parent = list, .index = list->count, .option = text};
    if (*word) list->members[list->count++] = node;
    word = comma ? comma + 1 : NULL;
  }
  return list;
}

bool case_selection_text(const Case *c, const char *text, Arena *arena, BodySelection *selection,
                         ErrorText error)
{
  assert(text != NULL && error.bytes > 0 && "a text is read");
  CaseReader reader = {
      .path = c->path, .arena = arena, .scratch = arena_new(), .word = "--on", .error = error};
  const CaseNode *node =
      strpbrk(text, "[{") ? case_tree_value(&reader, text) : split_words(&reader, text);
  if (node) {
    BodySelector selector = case_selection_begin(&reader, c);
    *selection = case_selection_read(&selector, node, SELECTION_ALL);
  }
  arena_destroy(&reader.scratch);
  return !reader.failed;
}
