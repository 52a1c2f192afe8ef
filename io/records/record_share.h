#pragma once
// Records read on one rank and known to all.
#include "record_text.h"

// A way to read a record, whichever ranks take part: false with one message that names file, line
// and reason.
typedef bool (*RecordReader)(const char *path, RecordLayout layout, Arena *arena, Record *record,
                             ErrorText error);

// Local. Reads the file here. For the tests.
bool record_share_here(const char *path, RecordLayout layout, Arena *arena, Record *record,
                       ErrorText error);

// Collective. Rank 0 reads the file and sends its rows to everybody.
bool record_share_all(const char *path, RecordLayout layout, Arena *arena, Record *record,
                      ErrorText error);
