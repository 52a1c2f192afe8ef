#pragma once
// Lines for the user on standard output, from rank 0 alone. Local.

// A line; the newline is added.
void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

// A warning to standard error, "drystone: warning: ..."; rank 0 alone.
void log_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

// A line that the next one of its kind overwrites on a terminal; other lines begin below it.
void log_progress(const char *text);

// Ends a progress line that stands open, before something else is printed.
void log_end_progress(void);
