#pragma once
// What each key of a case means to a state that goes on: whether it may differ from the case that
// the state was made with.
#include <stdbool.h>

typedef enum {
  KEY_FREE,     // no state depends on it
  KEY_ASKED,    // the state goes on otherwise: refused, unless it is allowed
  KEY_UNBORN,   // of bodies: the same while none of them has appeared, else never
  KEY_NEVER     // what the state holds would mean something else
} KeyRule;

typedef struct {
  const char *pattern;    // key; * is any member of a list, or of a mapping whose keys are names
  KeyRule rule;           // also of what is below it, where that has no entry
  const char *standard;   // value without the key, as YAML; NULL: none
  const char *reason;     // why it can never differ
} CaseKey;

// Local. All of them, ended by one without a pattern. For the tests.
const CaseKey *case_keys(void);

// Local. Keys of mappings below those of the table, whose rules hold for them, counted from 0:
// false behind the last one. Those of functions of time are left out, since they stand below many
// keys. For completion and lists.
enum { CASE_KEY_BYTES = 100 };
bool case_keys_deeper(int number, char key[CASE_KEY_BYTES]);

// Local. The entry that holds for a key ("contacts.0.friction"): that of the key, else of the
// nearest key above it; or NULL.
const CaseKey *case_keys_find(const char *key);

// Local. The entry of that very key, or NULL.
const CaseKey *case_keys_exact(const char *key);

// Local. What a key is without being given, as YAML, or NULL: by the entry of that very key, or by
// its last name, which means one thing in all functions of time.
const char *case_keys_standard(const char *key);

// Local. Whether a key, or a beginning of keys ("solver"), is one that a case can have.
bool case_keys_known(const char *key);
