#pragma once
// Lines for the user on standard output, from rank 0 alone. Local.

// A line; the newline is added.
void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

// A warning to standard error, "drystone: warning: ..."; rank 0 alone.
void log_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
