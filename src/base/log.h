#pragma once
// Messages for the user, as texts with a level; a sink says where they go. Local.
#include <stdbool.h>
#include <stddef.h>

typedef enum {
  LOG_LINE,       // what the program is about
  LOG_PROGRESS,   // a line that the next one of its kind replaces on a terminal
  LOG_WARNING,
  LOG_ERROR   // why something was not done
} LogLevel;

// Gets one message, without a newline at its end. Messages come to the rank that speaks alone, but
// an error comes to every rank, the same to each.
typedef struct {
  void (*say)(void *context, LogLevel level, const char *text);   // NULL: to nobody
  void *context;
} LogSink;

// Messages go there from here on. Returns where they went before, at first to log_printing.
LogSink log_use(LogSink sink);

// A sink that hands messages of a level and above on to another one.
typedef struct {
  LogSink to;
  LogLevel least;
} LogFilter;
LogSink log_filtered(const LogFilter *filter);   // which outlives it

// Hands a message on to another sink.
void log_hand_on(LogSink sink, LogLevel level, const char *text);

// A text that a user or a file gave, for a terminal: control characters, of one byte or two, and
// bytes that are no UTF-8 are spelled as in \x1b. Written to room, cut off where it does not fit;
// returns room. Messages get the same from the sink that prints, which leaves their newlines.
enum { LOG_VISIBLE_BYTES = 4096 };
const char *log_visible(const char *text, char *room, size_t bytes);

// The same of [count] bytes, which may be any; returns how many of them found room.
size_t log_spell(const char *text, size_t count, char *room, size_t bytes);

// The sink that prints: lines and progress to standard output, warnings ("drystone: warning: ...")
// and errors ("drystone: ...") to standard error, all from the rank that speaks.
LogSink log_printing(void);

// Whether this rank speaks, as it does until this is called: rank 0 alone of a job.
void log_speak(bool speaks);

// Whether a line met a pipe as standard output that nobody reads any more, in a program that its
// signal does not end (signals_begin).
bool log_reader_left(void);

// A line or a warning.
void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

// A line that the next one of its kind overwrites on a terminal; other lines begin below it.
void log_progress(const char *text);

// An error: to be called on all ranks with the same text, as all_ok does.
void log_error(const char *text);

// Ends a progress line that stands open, before something else is printed.
void log_end_progress(void);
