// Writes and reads the text by which a checkpoint knows the meshes of its case.
#include "mesh_list.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SUMS_LENGTH = 18 };   // two words of 8 digits, a space behind each

size_t mesh_list_print(const MeshLine *line, char *text, size_t bytes)
{
  assert(line->key != NULL && line->path != NULL && "a line has a key and a path");
  assert(line->key_length >= 0 && line->path_length >= 0 && "lengths are not below zero");
  return (size_t)snprintf(text, bytes, "%08" PRIx32 " %08" PRIx32 " %.*s %.*s\n", line->contents,
                          line->layout, line->key_length, line->key, line->path_length, line->path);
}

bool mesh_list_next(const char **at, MeshLine *line)
{
  assert(at != NULL && *at != NULL && "a list has a text");
  const char *text = *at;
  const size_t length = strcspn(text, "\n");
  if (length <= SUMS_LENGTH) return false;
  // reading from the list itself would look for its end each time
  char sums[SUMS_LENGTH + 1];
  memcpy(sums, text, SUMS_LENGTH);
  sums[SUMS_LENGTH] = 0;
  if (sscanf(sums, "%8" SCNx32 " %8" SCNx32, &line->contents, &line->layout) != 2) return false;
  line->key = text + SUMS_LENGTH;
  line->key_length = (int)strcspn(line->key, " \n");
  line->path = line->key + line->key_length + (line->key[line->key_length] == ' ');
  line->path_length = (int)(text + length - line->path);
  *at = text + length + (text[length] == '\n');
  return true;
}

bool mesh_list_find(const char **at, const char *key, int key_length, MeshLine *line)
{
  assert(key != NULL && key_length >= 0 && "a key has a length");
  while (mesh_list_next(at, line))
    if (line->key_length == key_length && strncmp(line->key, key, (size_t)key_length) == 0)
      return true;
  return false;
}
