#pragma once
// The meshes of a case as a text: what each key that names one holds, for checkpoints. Local.
//
// A line for every key, in the order of the case: CRC-32C of the shapes, CRC-32C of their numbers
// of parts and corners, both in 8 hexadecimal digits; key; path.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint32_t contents, layout;
  int key_length, path_length;
  const char *key, *path;   // not ended by zeros
} MeshLine;

// Writes a line with its newline where there is room; returns its length as snprintf does.
size_t mesh_list_print(const MeshLine *line, char *text, size_t bytes);

// The line at *at, which goes on to the next; false at the end, or where the text is no line.
bool mesh_list_next(const char **at, MeshLine *line);

// The same for the next line of that key.
bool mesh_list_find(const char **at, const char *key, int key_length, MeshLine *line);
