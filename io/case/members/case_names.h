#pragma once
// Entries of the list of bodies by name.
#include "case.h"
#include "case_value.h"

// An entry of the list that has a name.
typedef struct {
  const char *name;
  int group;
} NamedBodies;

// A case may have as many names as bodies, and a load or joint for each.
typedef struct {
  int count;
  NamedBodies *entries;   // [count] by name, then in their order
} BodyNames;

// Local. The entries with a name.
BodyNames case_names_list(const Case *c, Arena *scratch);

// Local. The first of the entries with a name, as many as there are behind it, or none.
const NamedBodies *case_names_find(const BodyNames *names, const char *name, int *count);

// Local. Refuses the text of a node that names no entry; the nearest name may have been meant.
void case_names_refuse(CaseReader *reader, const CaseNode *node, const char *name, const Case *c);
