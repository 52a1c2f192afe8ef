#pragma once
// Meshes in case files: the file's path, how its axes lie, and which of its bodies is meant.
#include "case.h"
#include "case_value.h"
#include "mesh_share.h"

// A key that names a mesh.
typedef struct {
  const char *key;
  const SharedMesh *mesh;
} MeshUse;

// Meshes of a case; each file is read once in each mesh frame.
struct CaseMeshes {
  MeshReader read;
  Arena *arena;   // of the case
  int count, capacity;
  const SharedMesh **items;
  int use_count, use_capacity;
  MeshUse *uses;   // in the order of the case
};

// The first four are as local as the reader of meshes is.

// The body that "mesh: FILE" or "mesh: {file, scale, up, body}" means: the only one of its file, or
// the one that is asked for.
ShapeRecipe case_read_solid(CaseReader *reader, const CaseNode *node);

// The same as a surface alone, whatever it would be as a body.
ShapeRecipe case_read_surface(CaseReader *reader, const CaseNode *node);

// As case_read_solid for an entry of the list of bodies: all bodies of the file when none is asked
// for.
void case_read_mesh_group(CaseReader *reader, const CaseNode *node, BodyGroup *group);

// The same of a COMPAS file, whose supports are fixed.
void case_read_compas_group(CaseReader *reader, const CaseNode *node, BodyGroup *group);

// Local. What was mended in all meshes, a line each, in the case's arena.
const char *case_mesh_notes(const CaseMeshes *meshes);

// Local. The keys that name meshes and what these hold (mesh_list.h), in the case's arena.
const char *case_mesh_list(const CaseMeshes *meshes);
