#pragma once
// Bodies that a key means: by name, pattern, number, box or kind, or a list of these. All keys that
// speak of several bodies are read here.
#include "case_marks.h"

// What is kept from one key to the next. Memory of the reader's scratch.
typedef struct {
  CaseReader *reader;
  const Case *c;   // its bodies are read
  BodyNames names;
  int entry_count;
  int *first;           // [entry_count] group of the entry, or of its first part
  int *entry;           // [c->group_count] of each group
  EntryMarks **marks;   // [entry_count] NULL until they are asked for
  int *chosen[2];       // [entry_count] place among those of a key, and among those of a mapping
                        // in it, while these are read; -1: none
} BodySelector;

// Whom a key may mean.
typedef enum {
  SELECTION_ALL,
  SELECTION_DYNAMIC   // others are passed over, and refused where they are all there is
} SelectionUse;

// Local.
BodySelector case_selection_begin(CaseReader *reader, const Case *c);

// Local. The bodies that a node means (README.md, "Names of bodies"), in the case's arena. Fails
// where there are none. NULL: all bodies of the case, which is not given.
BodySelection case_selection_read(BodySelector *selector, const CaseNode *node, SelectionUse use);

// Local. The only body that a node means, by its entry (its first group) and its number there,
// which 'where' may leave out. Fails where it means none or several; group -1 then. *numbered: by
// the name or the number of a member.
JointEnd case_selection_end(BodySelector *selector, const CaseNode *node, bool *numbered);

// Local. The same by its group and its index there; fails where it is left out, too.
JointEnd case_selection_one(BodySelector *selector, const CaseNode *node);

// Local. All bodies that a text means: names and patterns between commas, or what a case would
// have. False with a message. Its memory is the arena's.
bool case_selection_text(const Case *c, const char *text, Arena *arena, BodySelection *selection,
                         ErrorText error);
