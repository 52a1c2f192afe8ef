#pragma once
// Bodies of one entry by what they are called, by number, place and kind: how every key finds them.
#include "member_index.h"

// The keys that make entries of the list of bodies, NULL at the end: first those of shapes, then
// the others.
extern const char *const CASE_MAKERS[];

#define MARKS_MOST 10000000   // bodies of an entry that are told apart

// An entry whose bodies are told apart, with what has been looked up of them. Memory of the
// reader's scratch.
typedef struct {
  CaseReader *reader;
  const Case *c;     // seed, time and gravity are there
  BodyGroup group;   // the whole entry, without parts
  int number;        // of the entry in the list of bodies
  uint64_t bodies;
  MemberIndex index;     // of no group until a name asks for it
  vec3 *centers;         // [bodies] m, world axes; NULL until a box asks for them
  const int *shape;      // [bodies] NULL until a kind asks for it
  const int *families;   // [shapes] words of case_marks_kind
} EntryMarks;

// A box in space, and an interval of numbers.
typedef struct {
  vec3 low, high;   // m
} MarksBox;
typedef struct {
  int64_t first, last;
} MarksNumbers;

// Local. The marks of an entry, given its group or the first of its parts. bodies 0: its measures
// are refused elsewhere.
EntryMarks case_marks_new(CaseReader *reader, const Case *c, const BodyGroup *group, int number);

// Local. Each marks all bodies that fit and returns how many.

// By a name as it stands.
uint64_t case_marks_name(EntryMarks *marks, const char *name, bool *marked);
// By a pattern of names. of_entry: the name of the entry and a dot stand before each, or "".
uint64_t case_marks_pattern(const EntryMarks *marks, const char *of_entry, const char *pattern,
                            bool *marked);
// By the centre of mass as the body appears. Fails where the generator is at fault.
uint64_t case_marks_box(EntryMarks *marks, const CaseNode *node, MarksBox box, bool *marked);
// By a word of kinds: the key that makes the entry, or what the body is.
uint64_t case_marks_kind(EntryMarks *marks, const CaseNode *node, const char *kind, bool *marked);

// Local. What keys of these say; after a failure the value means nothing.
MarksBox case_marks_read_box(CaseReader *reader, const CaseNode *node);
MarksNumbers case_marks_read_numbers(CaseReader *reader, const CaseNode *node, uint64_t bodies);
const char *case_marks_read_kind(CaseReader *reader, const CaseNode *node);

// Local. Fails: no body of the entry is called so. entry: its name, NULL: the node is a key of it.
void case_marks_refuse(const EntryMarks *marks, const CaseNode *node, const char *name,
                       const char *entry);
