#pragma once
// COMPAS files while they are read: what both sources of the reader share.
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "mesh_draft.h"
#include "vec3.h"

// What leads coordinates of a mesh to places of the file, as a transformation of COMPAS does.
typedef struct {
  mat3 turn;    // any matrix, scale and shear included
  vec3 shift;   // in units of the file
} CompasPlace;

typedef struct {
  MeshReading *reading;
  MeshScan scan;    // of the file, for messages of the draft
  MeshList names;   // const char *, of the blocks so far
  MeshList fixed;   // bool, likewise
} CompasReader;

// A block as its file has it.
typedef struct {
  const char *name;     // of the node
  const json_t *mesh;   // with its dtype or without
  CompasPlace place;
  bool fixed;
} CompasBlock;

// Local. Keeps "PATH: block 'NAME': " and the reason unless there is a message; a NULL name gives
// no block. Always false.
bool mesh_compas_fail(CompasReader *reader, const char *block, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Local. The data of an object that has a dtype, and the object itself where it has none.
const json_t *mesh_compas_data(const json_t *object);

// Local. The class that a dtype names, as "Mesh" of "compas.datastructures/Mesh", where it begins
// with one of these packages (ending with NULL); else NULL, also without a dtype.
const char *mesh_compas_class(const json_t *object, const char *const *packages);

// Local. Refuses an object by the dtype that it has, or by having none; always false.
bool mesh_compas_refuse_type(CompasReader *reader, const char *block, const json_t *object,
                             const char *expected);

// Local. A key as text: without the quotes that old files have around names.
const char *mesh_compas_key(const CompasReader *reader, const char *key);

// Local. The place of a transformation, which may be null; false with a message for one that is no
// affine matrix.
bool mesh_compas_place(CompasReader *reader, const char *block, const json_t *transformation,
                       CompasPlace *place);
CompasPlace mesh_compas_identity(void);
CompasPlace mesh_compas_after(CompasPlace outer, CompasPlace inner);

// Local. A flag that may be left out or null; false with a message for anything else.
bool mesh_compas_flag(CompasReader *reader, const char *block, const json_t *value, bool *flag);

// Local. Adds points and faces of a block. A mesh whose attributes say is_support is fixed, too.
// False with a message.
bool mesh_compas_add(CompasReader *reader, const CompasBlock *block);

// Local. What a file says beside its blocks and a case must give itself, in words with commas
// between them; "" where it says nothing. Arena.
const char *mesh_compas_remark(const CompasReader *reader, const json_t *root);
