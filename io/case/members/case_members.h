#pragma once
// Bodies of an entry by name or number, and the part of the entry that each is in.
#include "case_names.h"

#define MEMBER_LABEL_BYTES 24
#define MEMBER_NAME_BYTES 256

// Local. What a body of an entry is called: its name in the file of a mesh, else its number,
// counted from 0 and written into room.
const char *case_member_label(const BodyGroup *group, uint64_t number,
                              char room[MEMBER_LABEL_BYTES]);

// Local. What a body is called: "ENTRY" or "ENTRY.MEMBER", written into text; empty without a name
// of the entry.
const char *case_member_name(const Case *c, uint64_t id, char text[MEMBER_NAME_BYTES]);

// Local. Whether a name fits a pattern, in which * stands for any letters and ? for one.
bool case_member_fits(const char *name, const char *pattern);

// Local. The number of the only body of an entry that has a name, or that number where none has the
// name; -1: none, -2: several.
int64_t case_member_find(const BodyGroup *group, const char *name);

// Local. Where "ENTRY.MEMBER" is split: the name of the entry goes into text, and the rest is
// returned; NULL where the beginning names no entry. Names with a dot may split in several places:
// the last one that names an entry counts.
const char *case_member_split(CaseReader *reader, const BodyNames *names, const char *text,
                              const char **entry);

// Local. The group and index of a body of the entry that a group belongs to, given its number in
// the entry; false where it was left out.
bool case_member_place(const Case *c, int group, uint64_t number, JointEnd *place);

// Local. The number of a body of a group among those of its entry.
static inline uint64_t case_member_number(const BodyGroup *group, uint64_t index)
{
  return group->part_begin + index;
}
