#pragma once
// Values of nodes of a case file, with their types and ranges checked.
#include <stdbool.h>
#include <stdint.h>

#include "case_tree.h"
#include "vec3.h"

// What a number must be; the phrase goes into messages.
typedef struct {
  double low, high;       // both allowed
  const char *expected;   // "a time from 1e-12 to 1e9 s"
} NumberRule;

extern const NumberRule CASE_VALUE_LENGTH;       // a size of a body, m
extern const NumberRule CASE_VALUE_COORDINATE;   // m
extern const NumberRule
    CASE_VALUE_RATE;   // a component of a velocity, spin or acceleration, SI units
extern const NumberRule CASE_VALUE_SHARE;   // from 0 to 1

// All functions are Local. A NULL node gives the fallback. After a failure, which is kept in the
// reader, the value means nothing.

// The number that a text is, decimal and without anything around it; false for other texts.
bool case_value_parse_number(const char *text, double *value);

double case_value_number(CaseReader *reader, const CaseNode *node, const NumberRule *rule,
                         double fallback);
// Degrees of the file as radians.
double case_value_angle(CaseReader *reader, const CaseNode *node, const NumberRule *rule,
                        double fallback_degrees);
int64_t case_value_integer(CaseReader *reader, const CaseNode *node, int64_t low, int64_t high,
                           int64_t fallback);
bool case_value_flag(CaseReader *reader, const CaseNode *node, bool fallback);

// A list of exactly count whole numbers from 1 to 2147483647.
void case_value_counts(CaseReader *reader, const CaseNode *node, int count, int *values);

// Copied to the case's arena.
const char *case_value_text(CaseReader *reader, const CaseNode *node, const char *fallback);

// A list of exactly count numbers.
void case_value_numbers(CaseReader *reader, const CaseNode *node, const NumberRule *rule, int count,
                        double *values);
vec3 case_value_vector(CaseReader *reader, const CaseNode *node, const NumberRule *rule,
                       vec3 fallback);

// A vector of coordinates that has a length, brought to length 1.
vec3 case_value_direction(CaseReader *reader, const CaseNode *node, vec3 fallback);

// A scalar whose text is that word.
bool case_value_is_word(const CaseNode *node, const char *word);

// A list with at least that many members: returns the node, or NULL after a failure.
const CaseNode *case_value_list(CaseReader *reader, const CaseNode *node, int least,
                                const char *expected);

// A mapping with no other keys than these (ending with NULL): returns the node, or NULL after a
// failure and for a NULL node.
const CaseNode *case_value_mapping(CaseReader *reader, const CaseNode *node,
                                   const char *const *keys);

// The member with that key, which must be there: returns it, or NULL after a failure and for a NULL
// mapping.
const CaseNode *case_value_require(CaseReader *reader, const CaseNode *mapping, const char *key);

// The only one of these keys (ending with NULL) that a mapping has: its index, or -1 after a
// failure and for a NULL mapping.
int case_value_choice(CaseReader *reader, const CaseNode *mapping, const char *const *keys);

// A path in the folder of the case file, in the case's arena; absolute ones stay as they are.
const char *case_value_path(CaseReader *reader, const char *file);

// Writes "a, b, c" into text, shortened where it does not fit.
void case_value_join(const char *const *words, int count, char *text, size_t bytes);

// The word that was probably meant by another one, or NULL.
const char *case_value_nearest(const char *word, const char *const *words, int count);
