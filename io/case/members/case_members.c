// Finds bodies of entries by name, pattern and number.
#include "case_members.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "group.h"
#include "scene.h"

const char *case_member_label(const BodyGroup *group, uint64_t number,
                              char room[MEMBER_LABEL_BYTES])
{
  assert(room != NULL && "a number is written into a room");
  if (group->member_names && *group->member_names[number]) return group->member_names[number];
  snprintf(room, MEMBER_LABEL_BYTES, "%" PRIu64, number);
  return room;
}

const char *case_member_name(const Case *c, uint64_t id, char text[MEMBER_NAME_BYTES])
{
  assert(id < c->body_count && "the case has the body");
  const BodyGroup *group = scene_group(c, id);
  char room[MEMBER_LABEL_BYTES];
  const bool alone = group->kind == GROUP_BODY && group_pieces(group) == 1;
  *text = 0;
  if (!group->name || !*group->name) return text;
  const uint64_t number = case_member_number(group, id - group->first_id);
  snprintf(text, MEMBER_NAME_BYTES, "%s%s%s", group->name, alone ? "" : ".",
           alone ? "" : case_member_label(group, number, room));
  return text;
}

bool case_member_fits(const char *name, const char *pattern)
{
  assert(name != NULL && pattern != NULL && "a name is compared with a pattern");
  // the last star may take one letter more whenever what follows does not fit
  const char *star = NULL, *resumed = NULL;
  while (*name) {
    if (*pattern == '*') {
      star = pattern++;
      resumed = name;
    } else if (*pattern == '?' || *pattern == *name) {
      pattern++;
      name++;
    } else if (star) {
      pattern = star + 1;
      name = ++resumed;
    } else {
      return false;
    }
  }
  while (*pattern == '*') pattern++;
  return *pattern == 0;
}

int64_t case_member_find(const BodyGroup *group, const char *name)
{
  assert(name != NULL && "a body is looked for by a name");
  const uint64_t bodies = group_entry_size(group).total;
  int64_t found = -1;
  for (uint64_t i = 0; group->member_names && i < bodies; i++)
    if (strcmp(group->member_names[i], name) == 0) found = found == -1 ? (int64_t)i : -2;
  if (found != -1) return found;
  const size_t digits = strspn(name, "0123456789");
  if (digits == 0 || digits > 18 || name[digits] != 0) return -1;
  const uint64_t number = strtoull(name, NULL, 10);
  return number < bodies ? (int64_t)number : -1;
}

const char *case_member_split(CaseReader *reader, const BodyNames *names, const char *text,
                              const char **entry)
{
  assert(text != NULL && entry != NULL && "a text is split");
  const size_t length = strlen(text);
  char *room = arena_allocate(&reader->scratch, length + 1);
  memcpy(room, text, length + 1);
  for (char *dot = strrchr(room, '.'); dot; dot = strrchr(room, '.')) {
    *dot = 0;
    int count;
    case_names_find(names, room, &count);
    *entry = room;
    if (count > 0) return text + (dot - room) + 1;
  }
  return NULL;
}

bool case_member_place(const Case *c, int group, uint64_t number, JointEnd *place)
{
  assert(group >= 0 && group < c->group_count && "an entry has a group");
  const BodyGroup *g = &c->groups[group];
  *place = (JointEnd){group, number, false};
  if (g->part_count == 0) return true;
  // the last part that does not begin behind it
  int low = group - g->part, high = low + g->part_count;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (c->groups[middle].part_begin <= number) low = middle;
    else high = middle;
  }
  g = &c->groups[low];
  *place = (JointEnd){low, number - g->part_begin, false};
  return number >= g->part_begin && number < g->part_end;
}
