#pragma once
// Room for the one message of a failure.
#include <stddef.h>

typedef struct {
  char *text;     // [bytes] no newline at its end
  size_t bytes;   // with the zero at the end
} ErrorText;
