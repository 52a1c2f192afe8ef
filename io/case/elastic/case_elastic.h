#pragma once
// How bodies of a case deform: the key `elastic`, what it does not go with, and finite elements
// that are no hexahedra of a count.
#include "case.h"
#include "case_value.h"

// Local. Reads the key of an entry, or of a part of it, whose other keys are known; NULL: the
// bodies are rigid.
void case_elastic_read(CaseReader *reader, const CaseNode *node, const Case *c, BodyGroup *group);

// Local. Does the entry that a node is of, or a part of it, ask for the cells of its file?
bool case_elastic_of_file(const CaseNode *node);

// Local. Fails where the key of a group asks for the cells of its file, and it has none.
void case_elastic_demand(CaseReader *reader, const CaseNode *node, const BodyGroup *group);

// Local. Fails where an entry asks for pieces of bodies of its file, or for what they bear, and
// there can be none. node: of the entry.
void case_elastic_demand_pieces(CaseReader *reader, const CaseNode *node, const BodyGroup *group);

// Local. False with a message where the cells of a group do not suit the shape, or the case.
bool case_elastic_check(const Case *c, const BodyGroup *group, const Shape *shape, ErrorText error);

// Collective. Rank 0 makes cells of a size, and takes those of files, once the shapes are known to
// be sound; all ranks get them. False on all ranks with a message that names the body.
bool case_elastic_make(Case *c, ErrorText error);
