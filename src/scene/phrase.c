// Keeps phrases of messages beyond the function that made them.
#include "phrase.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

const char *phrase_make(Arena *arena, const char *format, ...)
{
  assert(arena != NULL && format != NULL && "a phrase has a place");
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const size_t bytes = (size_t)vsnprintf(NULL, 0, format, arguments) + 1;
  va_end(arguments);
  char *text = arena_allocate(arena, bytes);
  vsnprintf(text, bytes, format, again);
  va_end(again);
  return text;
}
