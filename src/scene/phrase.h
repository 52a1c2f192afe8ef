#pragma once
// Phrases of messages that outlive the function which found something wrong.
#include "arena.h"

// Local. What printf would print, in the arena.
const char *phrase_make(Arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
