// Prints lines for the user, from the one rank that speaks.
#include "log.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"

#define USUAL_BYTES 512   // longer messages are made in memory of their own

static void print(void *context, LogLevel level, const char *text);

static bool progress_open, silent, reader_left;
static LogSink sink = {print, NULL};

void log_speak(bool speaks) { silent = !speaks; }

LogSink log_printing(void) { return (LogSink){print, NULL}; }

LogSink log_use(LogSink next)
{
  const LogSink before = sink;
  sink = next;
  return before;
}

void log_hand_on(LogSink to, LogLevel level, const char *text)
{
  assert(level <= LOG_ERROR && text != NULL && "a message has a level and a text");
  if (to.say) to.say(to.context, level, text);
}

bool log_reader_left(void) { return reader_left; }

static void flush_output(void)
{
  if (fflush(stdout) != 0 && errno == EPIPE) reader_left = true;
}

void log_end_progress(void)
{
  if (!progress_open) return;
  progress_open = false;
  putchar('\n');
  flush_output();
}

// Bytes of the character that a terminal may get as it is, 0: it is a control character, or no
// UTF-8.
static size_t harmless(const char *text)
{
  const unsigned char *c = (const unsigned char *)text;
  if (c[0] < 0x80) return c[0] >= 0x20 && c[0] != 0x7F;
  const size_t bytes = c[0] >= 0xC2 && c[0] < 0xE0   ? 2
                       : c[0] >= 0xE0 && c[0] < 0xF0 ? 3
                       : c[0] >= 0xF0 && c[0] < 0xF5 ? 4
                                                     : 0;
  for (size_t i = 1; i < bytes; i++)
    if ((c[i] & 0xC0) != 0x80) return 0;
  return c[0] == 0xC2 && c[1] < 0xA0 ? 0 : bytes;
}

// The same text with control characters spelled out, those of a list left.
static const char *spell(const char *text, const char *left, char *room, size_t bytes)
{
  assert(bytes > 0 && "there is room for the end of a text");
  static const char digits[] = "0123456789abcdef";
  size_t count = 0;
  while (*text) {
    const size_t whole = strchr(left, *text) ? 1 : harmless(text), needed = whole ? whole : 4;
    if (count + needed + 1 > bytes) break;
    if (whole) {
      memcpy(room + count, text, whole);
    } else {
      const unsigned char byte = (unsigned char)*text;
      const char spelled[4] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
      memcpy(room + count, spelled, sizeof spelled);
    }
    text += whole ? whole : 1;
    count += needed;
  }
  room[count] = 0;
  return room;
}

const char *log_visible(const char *text, char *room, size_t bytes)
{
  assert(text != NULL && room != NULL && "a text has a place");
  return spell(text, "", room, bytes);
}

static void print_visible(LogLevel level, const char *text);

static void print(void *context, LogLevel level, const char *text)
{
  (void)context;
  if (silent) return;
  const char *at = text;
  for (size_t whole; *at && (whole = *at == '\n' ? 1 : harmless(at)); at += whole) continue;
  if (!*at) {
    print_visible(level, text);
    return;
  }
  const size_t bytes = 4 * strlen(text) + 1;
  char *room = memory_allocate(bytes);
  print_visible(level, spell(text, "\n", room, bytes));
  memory_free(room);
}

static void print_visible(LogLevel level, const char *text)
{
  if (level == LOG_PROGRESS) {
    printf("\r\033[K%s", text);
    progress_open = true;
  } else {
    log_end_progress();
    if (level == LOG_LINE) printf("%s\n", text);
  }
  flush_output();
  if (level == LOG_LINE || level == LOG_PROGRESS) return;

  // one write, so that a launcher that merges both streams cannot put a line between its pieces
  fprintf(stderr, "drystone: %s%s\n", level == LOG_WARNING ? "warning: " : "", text);
  fflush(stderr);
}

// what the rank that speaks has to say
__attribute__((format(printf, 2, 0))) static void say(LogLevel level, const char *format,
                                                      va_list args)
{
  if (silent || !sink.say) return;
  char usual[USUAL_BYTES], *text = usual;
  va_list again;
  va_copy(again, args);
  const size_t bytes = (size_t)vsnprintf(usual, sizeof usual, format, args) + 1;
  if (bytes > sizeof usual) {
    text = memory_allocate(bytes);
    vsnprintf(text, bytes, format, again);
  }
  va_end(again);
  sink.say(sink.context, level, text);
  if (text != usual) memory_free(text);
}

void log_line(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  say(LOG_LINE, format, args);
  va_end(args);
}

void log_warning(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  say(LOG_WARNING, format, args);
  va_end(args);
}

void log_progress(const char *text)
{
  assert(text != NULL && "there is a line");
  if (!silent) log_hand_on(sink, LOG_PROGRESS, text);
}

void log_error(const char *text) { log_hand_on(sink, LOG_ERROR, text); }
