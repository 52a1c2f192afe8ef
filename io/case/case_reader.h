#pragma once
// Reads a case file (YAML through libyaml) into a Case; every error names file:line:column, key,
// found, expected.
#include <stdbool.h>

#include "case.h"
#include "mesh_share.h"
#include "record_share.h"

typedef struct {
  int override_count;
  const char *const *overrides;   // "a.b.c=value", as given with --set
  MeshReader read_mesh;           // how meshes are read; NULL: a case that names one is refused
  RecordReader read_record;       // the same of records
} CaseOptions;

// The text of a whole case file, and where it came from.
typedef struct {
  const char *path, *text;
  size_t bytes;
} CaseFile;

// Local, unless meshes or records are read by more than this rank. On success the case owns its
// memory through case->arena; false otherwise, with the message in error.
bool case_parse(CaseFile file, const CaseOptions *options, Case *c, ErrorText error);

// Collective. Rank 0 reads the file, everybody parses the same text, generators are expanded and
// every shape is built once to prove it sound. False on all ranks after one message; the caller
// exits with EXIT_USER.
bool case_read(const char *path, const CaseOptions *options, Case *c);

// Collective. The same for a text that all ranks have; its path stands in messages alone.
bool case_load_text(CaseFile file, const CaseOptions *options, Case *c);

void case_destroy(Case *c);
