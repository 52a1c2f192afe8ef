#pragma once
// The YAML text of a case as a tree of nodes that know where they stand, with overrides put in.
#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "error_text.h"

#define TREE_MAX_BYTES ((size_t)16 << 20)   // of a case file: hulls of 1e5 stones
#define TREE_MAX_DEPTH 32                   // of nested lists and mappings

typedef enum { NODE_SCALAR, NODE_LIST, NODE_MAPPING } CaseNodeKind;

typedef struct CaseNode CaseNode;
struct CaseNode {
  CaseNodeKind kind;
  bool plain;                 // scalar without quotes: may be a number or a word of the language
  const char *text;           // of a scalar
  const char *key;            // of a member of a mapping, else NULL
  const char *option;         // the override it came from; NULL: the file
  int line, column;           // where it begins, counted from 1
  int key_line, key_column;   // the same of its key
  CaseNode *parent;           // NULL: root
  int index;                  // among the parent's members
  int count;                  // of members
  CaseNode **members;         // of a list or mapping, in order
};

// The first error ends the reading: whatever comes after it changes nothing.
typedef struct CaseMeshes CaseMeshes;     // case_meshes.h
typedef struct CaseRecords CaseRecords;   // case_record.h
typedef struct {
  const char *path;       // of the file, for messages
  Arena *arena;           // of the case: what outlives the reader
  Arena scratch;          // of the tree
  CaseNode *root;         // a mapping
  CaseMeshes *meshes;     // NULL: meshes are not read
  CaseRecords *records;   // NULL: nor are records
  const char *word;       // the option whose text is read; NULL: --set
  bool failed;
  ErrorText error;
} CaseReader;

// Local. Parses the whole file into reader->root. Fails on bad YAML, NUL bytes, aliases, tags, a
// second document, keys given twice, too much depth or size.
void case_tree_load(CaseReader *reader, const char *text, size_t bytes);

// Local. Puts the value of "a.b.c=value" in its place; numbers in the path count members of lists.
void case_tree_override(CaseReader *reader, const char *option);

// Local. The member with that key, or NULL; a NULL mapping has none.
const CaseNode *case_tree_find(const CaseNode *mapping, const char *key);

// Local. A value as an override gives it, apart from the tree; NULL after a failure.
const CaseNode *case_tree_value(CaseReader *reader, const char *text);

// Local. "solver.tolerance", "bodies.2.at": the path of a node as an override would name it.
void case_tree_key_path(const CaseNode *node, char *path, size_t bytes);

// Local. The line of the file that a node stands on, or the nearest node around it.
int case_tree_line(const CaseNode *node);

// Local. Keeps the message, after the place of the node (or of its key) and the path of its keys.
void case_tree_fail(CaseReader *reader, const CaseNode *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void case_tree_fail_key(CaseReader *reader, const CaseNode *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Local. What a message calls a node ("'text'", "nothing", "a list", "a mapping").
#define TREE_FOUND_BYTES 64
const char *case_tree_found(const CaseNode *node, char found[TREE_FOUND_BYTES]);

// Local. Copies a text for a message: shortened, shown by log_visible. bytes >= 8.
void case_tree_quote(const char *text, char *quoted, size_t bytes);

// Local. What stands before a message about keys of a stage, "stage 'push': "; nothing for NULL.
enum { TREE_STAGE_BYTES = 96 };
const char *case_tree_stage(const char *name, char text[TREE_STAGE_BYTES]);
