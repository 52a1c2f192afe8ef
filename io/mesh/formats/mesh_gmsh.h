#pragma once
// What the three files of the Gmsh reader share: values of text or binary files, nodes, names.
#include "mesh_draft.h"

// A named group, or an entity of the model with its first group; known by dimension and tag.
typedef struct {
  int64_t dimension, tag;
  int64_t order;      // of its appearance
  int64_t physical;   // entities: tag of the first group, 0 for none
  int64_t parent;     // entities of one partition: tag of the whole one, else their own
  MeshWord name;      // groups
} GmshEntry;

typedef struct {
  int64_t tag;
  int64_t row;   // of the draft's points
} GmshNode;

typedef struct {
  MeshScan scan;
  MeshDraft *draft;
  bool new_format;     // 4.1, otherwise 2.2
  int tag_bytes;       // of a size or tag in binary files, 4 or 8
  MeshList groups;     // GmshEntry
  MeshList entities;   // GmshEntry
  MeshList nodes;      // GmshNode, by tag once they are read
  bool has_nodes, has_elements;
} GmshReader;

// What an element type of Gmsh is here.
typedef enum {
  ELEMENT_SKIPPED,
  ELEMENT_FACE,
  ELEMENT_TETRA,
  ELEMENT_HEXA,
  ELEMENT_REFUSED
} GmshRole;

typedef struct {
  int type, nodes;
  GmshRole role;
  int corners;   // the first of its nodes
  const char *name;
} GmshElement;

// Local. Values in the data of a section: binary, or words. False with a message.
bool mesh_gmsh_read_int(GmshReader *reader, const char *what, int64_t *value);
bool mesh_gmsh_read_size(GmshReader *reader, const char *what, int64_t *value);
bool mesh_gmsh_read_double(GmshReader *reader, const char *what, double *value);
bool mesh_gmsh_skip_doubles(GmshReader *reader, int64_t count);

// Local. A count written as text, and the end of its line: binary data follow.
bool mesh_gmsh_read_count_line(GmshReader *reader, const char *what, int64_t *count);

// Local. Sections, from the line after their name to their data's end.
bool mesh_gmsh_read_entities(GmshReader *reader, bool partitioned);
bool mesh_gmsh_read_nodes(GmshReader *reader);
bool mesh_gmsh_read_elements(GmshReader *reader);
