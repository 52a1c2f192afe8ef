#pragma once
// JSON texts that commands print for programs. Local.
#include <jansson.h>
#include <stdbool.h>

#include "vec3.h"

// A text of the user's: every byte that is no part of UTF-8 becomes U+FFFD, which names in meshes
// and paths may hold and JSON may not.
json_t *command_json_text(const char *text);

// A number; null where it is not finite, which JSON has no word for.
json_t *command_json_number(double number);

// [x, y, z]
json_t *command_json_vector(vec3 v);

// Adds a member; the object takes the value over.
void command_json_add(json_t *object, const char *key, json_t *value);

// Prints a text, numbers with 17 digits, keys in the order they were added; gives it back. Spread:
// a line for every member, else all in one line. What cannot be written is found by the end of the
// program.
void command_json_print(json_t *text, bool spread);
