#pragma once
// Faces of bodies that a pressure of a case file acts on.
#include "case.h"
#include "case_value.h"

// Local. What a node says of faces (case's arena); NULL after a failure.
const LoadFaces *case_faces_read(CaseReader *reader, const CaseNode *node);

// Collective. Whether each pressure finds a face; false on all ranks after one message.
bool case_faces_check(const Case *c);
