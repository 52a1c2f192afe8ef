// Marks bodies of an entry by name, number, place and kind.
#include "case_marks.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "group.h"
#include "random.h"
#include "shape.h"

#define SHOWN_NAMES 12   // in a message

// what a body is, whichever key makes it
enum { FAMILY_POLYHEDRON, FAMILY_SPHERE, FAMILY_ELLIPSOID, FAMILY_SURFACE, FAMILY_COUNT };
static const char *const families[FAMILY_COUNT] = {"polyhedron", "sphere", "ellipsoid", "surface"};
const char *const CASE_MAKERS[] = {
    "box",       "hull",   "convex", "wedge",  "voussoir",  "prism", "parts", "sphere",
    "ellipsoid", "pipe",   "mesh",   "compas", "container", "grid",  "wall",  "arch",
    "stones",    "rubble", "vault",  "dome",   "column",    NULL};
enum { MAKERS = sizeof CASE_MAKERS / sizeof *CASE_MAKERS - 1 };

EntryMarks case_marks_new(CaseReader *reader, const Case *c, const BodyGroup *group, int number)
{
  assert(number >= 0 && group->part == 0 && "an entry has a number");
  EntryMarks marks = {.reader = reader, .c = c, .group = *group, .number = number};
  BodyGroup *entry = &marks.group;
  entry->part_count = 0;
  entry->part_begin = entry->part_end = 0;
  marks.bodies = group_check(entry) ? 0 : group_entry_size(entry).total;
  entry->body_count = marks.bodies;
  return marks;
}

// -- names ----------------------------------------------------------------------------------------

uint64_t case_marks_name(EntryMarks *marks, const char *name, bool *marked)
{
  assert(marks->bodies > 0 && marked != NULL && "an entry has bodies");
  if (!marks->index.group)
    marks->index = member_index_new(&marks->group, marks->bodies, &marks->reader->scratch);
  return member_index_mark(&marks->index, name, marked);
}

uint64_t case_marks_pattern(const EntryMarks *marks, const char *of_entry, const char *pattern,
                            bool *marked)
{
  assert(of_entry != NULL && marked != NULL && "a pattern is compared with names");
  const size_t before = strlen(of_entry);
  size_t longest = MEMBER_LABEL_BYTES;
  for (uint64_t b = 0; b < marks->bodies && marks->group.member_names; b++) {
    const size_t length = strlen(marks->group.member_names[b]) + 1;
    if (length > longest) longest = length;
  }
  char *name = arena_allocate(&marks->reader->scratch, before + longest);
  memcpy(name, of_entry, before);
  uint64_t count = 0;
  for (uint64_t b = 0; b < marks->bodies; b++) {
    char room[MEMBER_LABEL_BYTES];
    const char *label = case_member_label(&marks->group, b, room);
    memcpy(name + before, label, strlen(label) + 1);
    if (!case_member_fits(name, pattern)) continue;
    marked[b] = true;
    count++;
  }
  return count;
}

void case_marks_refuse(const EntryMarks *marks, const CaseNode *node, const char *name,
                       const char *entry)
{
  const uint64_t bodies = marks->bodies;
  const char *names[SHOWN_NAMES + 1];
  char rooms[SHOWN_NAMES][MEMBER_LABEL_BYTES], list[256], quoted[TREE_FOUND_BYTES];
  char of[TREE_FOUND_BYTES] = "this entry";
  const int shown = bodies < SHOWN_NAMES ? (int)bodies : SHOWN_NAMES;
  for (int i = 0; i < shown; i++)
    names[i] = case_member_label(&marks->group, (uint64_t)i, rooms[i]);
  case_value_join(names, shown, list, sizeof list);
  case_tree_quote(name, quoted, sizeof quoted);
  if (entry) case_tree_quote(entry, of, sizeof of);
  const char *mark = entry ? "'" : "";
  case_tree_fail(marks->reader, node,
                 "no body of %s%s%s is called '%s'; it has %" PRIu64 ", %s%s; patterns have * and "
                 "?, and bodies without names go by their numbers from 0",
                 mark, of, mark, quoted, bodies, list, bodies > (uint64_t)shown ? ", ..." : "");
}

MarksNumbers case_marks_read_numbers(CaseReader *reader, const CaseNode *node, uint64_t bodies)
{
  assert(bodies > 0 && "an entry has bodies");
  const bool range = node->kind == NODE_LIST;
  char found[TREE_FOUND_BYTES];
  MarksNumbers numbers = {0, -1};
  if (range && node->count != 2) {
    case_tree_fail(reader, node, "expected a number, or [FIRST, LAST], found %s",
                   case_tree_found(node, found));
    return numbers;
  }
  int64_t ends[2];
  for (int i = 0; i < 2; i++)
    ends[i] =
        case_value_integer(reader, range ? node->members[i] : node, 0, (int64_t)bodies - 1, 0);
  if (!reader->failed && ends[1] < ends[0])
    case_tree_fail(reader, node, "the last number, %" PRId64 ", is before the first, %" PRId64,
                   ends[1], ends[0]);
  return (MarksNumbers){ends[0], ends[1]};
}

// -- places and kinds -----------------------------------------------------------------------------

// The shapes of the entry, and the group as it is with them; false after a failure.
static bool find_shapes(EntryMarks *marks, const CaseNode *node, Stones *stones, BodyGroup *group,
                        ShapeRecipe **recipes)
{
  CaseReader *reader = marks->reader;
  const Case *c = marks->c;
  *group = marks->group;
  if (group->stones) {
    *stones = *group->stones;
    group->stones = stones;
  }
  const GroupSetting setting = {
      .stream = random_stream(c->seed, (uint64_t)marks->number), .step = c->step, .c = c};
  const char *reason = group_check(group);
  if (!reason)
    reason = group_prepare(group, &setting, &reader->scratch, recipes, &group->shape_count);
  if (reason) case_tree_fail(reader, node, "line %d: %s", group->line, reason);
  return !reason;
}

// Centres of mass of all bodies as they appear; false where the generator is refused later.
static bool find_centers(EntryMarks *marks, const CaseNode *node)
{
  CaseReader *reader = marks->reader;
  Arena *arena = &reader->scratch;
  BodyGroup group;
  Stones stones;
  ShapeRecipe *recipes;
  if (!find_shapes(marks, node, &stones, &group, &recipes)) return false;
  vec3 *middles = arena_allocate(arena, (size_t)group.shape_count * sizeof *middles);
  for (int i = 0; i < group.shape_count; i++) {
    const ArenaMark mark = arena_mark(arena);
    Shape shape;
    const ShapeResult result = shape_build(&recipes[i], arena, &shape);
    char text[256];
    shape_result_text(result, text, sizeof text);
    if (result.status != SHAPE_OK) case_tree_fail(reader, node, "shape %d: %s", i + 1, text);
    if (reader->failed) return false;
    middles[i] = shape.center;
    arena_release(arena, mark);
  }
  marks->centers = arena_allocate(arena, (size_t)marks->bodies * sizeof(vec3));
  const mat3 turn = quat_to_mat3(group.turn);
  for (uint64_t b = 0; b < marks->bodies; b++) {
    const GroupBody body = group_body(&group, b);
    const vec3 arm = mat3_mul(quat_to_mat3(body.turn), middles[body.shape]);
    marks->centers[b] = vec3_add(group.at, mat3_mul(turn, vec3_add(body.origin, arm)));
  }
  return true;
}

MarksBox case_marks_read_box(CaseReader *reader, const CaseNode *node)
{
  assert(node != NULL && "a box is given");
  char found[TREE_FOUND_BYTES];
  MarksBox box = {{0, 0, 0}, {0, 0, 0}};
  if (node->kind != NODE_LIST || node->count != 2) {
    case_tree_fail(reader, node,
                   "expected [[x, y, z], [x, y, z]], the low and the high corner, "
                   "found %s",
                   case_tree_found(node, found));
    return box;
  }
  box.low = case_value_vector(reader, node->members[0], &CASE_VALUE_COORDINATE, (vec3){0});
  box.high = case_value_vector(reader, node->members[1], &CASE_VALUE_COORDINATE, (vec3){0});
  const vec3 low = box.low, high = box.high;
  if (!reader->failed && !(low.x <= high.x && low.y <= high.y && low.z <= high.z))
    case_tree_fail(reader, node, "the high corner is below the low one");
  return box;
}

uint64_t case_marks_box(EntryMarks *marks, const CaseNode *node, MarksBox box, bool *marked)
{
  assert(marks->bodies <= MARKS_MOST && "bodies are told apart");
  if (!marks->centers && !find_centers(marks, node)) return 0;
  uint64_t count = 0;
  for (uint64_t b = 0; b < marks->bodies; b++) {
    const vec3 q = marks->centers[b];
    const bool inside = q.x >= box.low.x && q.x <= box.high.x && q.y >= box.low.y &&
                        q.y <= box.high.y && q.z >= box.low.z && q.z <= box.high.z;
    if (!inside) continue;
    marked[b] = true;
    count++;
  }
  return count;
}

static int family_of(const ShapeRecipe *recipe)
{
  if (recipe->radius > 0) return FAMILY_SPHERE;
  if (recipe->radii.x > 0) return FAMILY_ELLIPSOID;
  return recipe->surface_alone ? FAMILY_SURFACE : FAMILY_POLYHEDRON;
}

static bool find_families(EntryMarks *marks, const CaseNode *node)
{
  Arena *arena = &marks->reader->scratch;
  BodyGroup group;
  Stones stones;
  ShapeRecipe *recipes;
  if (!find_shapes(marks, node, &stones, &group, &recipes)) return false;
  int *found = arena_allocate(arena, (size_t)group.shape_count * sizeof *found);
  for (int i = 0; i < group.shape_count; i++) found[i] = family_of(&recipes[i]);
  int *shape = arena_allocate(arena, (size_t)marks->bodies * sizeof *shape);
  for (uint64_t b = 0; b < marks->bodies; b++) shape[b] = group_body(&group, b).shape;
  marks->families = found;
  marks->shape = shape;
  return true;
}

static bool is_family(const char *word)
{
  bool known = false;
  for (int i = 0; i < FAMILY_COUNT; i++) known = known || strcmp(word, families[i]) == 0;
  return known;
}

const char *case_marks_read_kind(CaseReader *reader, const CaseNode *node)
{
  const char *words[FAMILY_COUNT + MAKERS];
  int count = FAMILY_COUNT;
  for (int i = 0; i < FAMILY_COUNT; i++) words[i] = families[i];
  for (int i = 0; i < MAKERS; i++)
    if (!is_family(CASE_MAKERS[i])) words[count++] = CASE_MAKERS[i];
  for (int i = 0; i < count; i++)
    if (case_value_is_word(node, words[i])) return words[i];
  char list[256], found[TREE_FOUND_BYTES];
  case_value_join(words, count, list, sizeof list);
  case_tree_fail(reader, node, "expected a kind of bodies, one of %s, found %s", list,
                 case_tree_found(node, found));
  return words[0];
}

uint64_t case_marks_kind(EntryMarks *marks, const CaseNode *node, const char *kind, bool *marked)
{
  assert(marks->bodies <= MARKS_MOST && kind != NULL && "bodies are told apart");
  int family = 0;
  while (family < FAMILY_COUNT && strcmp(families[family], kind) != 0) family++;
  uint64_t count = 0;
  if (family == FAMILY_COUNT) {
    const bool made = marks->group.maker && strcmp(marks->group.maker, kind) == 0;
    for (uint64_t b = 0; b < marks->bodies && made; b++) marked[b] = true;
    return made ? marks->bodies : 0;
  }
  if (!marks->shape && !find_families(marks, node)) return 0;
  for (uint64_t b = 0; b < marks->bodies; b++) {
    if (marks->families[marks->shape[b]] != family) continue;
    marked[b] = true;
    count++;
  }
  return count;
}
