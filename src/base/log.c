// Prints lines for the user, from the one rank that speaks.
#include "log.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "utf8.h"

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

static void hand_on_filtered(void *context, LogLevel level, const char *text)
{
  const LogFilter *filter = context;
  if (level >= filter->least) log_hand_on(filter->to, level, text);
}

LogSink log_filtered(const LogFilter *filter)
{
  return (LogSink){hand_on_filtered, (void *)filter};
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

// Spells [count] bytes, but those of a list, into room; returns how many of them have got there.
static size_t spell(const char *text, size_t count, const char *left, char *room, size_t bytes)
{
  assert(bytes > 0 && "there is room for the end of a text");
  static const char digits[] = "0123456789abcdef";
  size_t done = 0, used = 0;
  while (done < count) {
    const char *at = text + done;
    const size_t plain = *at && strchr(left, *at) ? 1 : utf8_visible_bytes(at, count - done);
    const size_t needed = plain ? plain : 4;
    if (used + needed + 1 > bytes) break;
    if (plain) {
      memcpy(room + used, at, plain);
    } else {
      const unsigned char byte = (unsigned char)*at;
      const char spelled[4] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
      memcpy(room + used, spelled, sizeof spelled);
    }
    done += plain ? plain : 1;
    used += needed;
  }
  room[used] = 0;
  return done;
}

size_t log_spell(const char *text, size_t count, char *room, size_t bytes)
{
  assert((text != NULL || count == 0) && room != NULL && "a text has a place");
  return spell(text, count, "", room, bytes);
}

const char *log_visible(const char *text, char *room, size_t bytes)
{
  assert(text != NULL && "there is a text");
  log_spell(text, strlen(text), room, bytes);
  return room;
}

static void print_visible(LogLevel level, const char *text);

static void print(void *context, LogLevel level, const char *text)
{
  (void)context;
  if (silent) return;
  const char *at = text;
  for (size_t whole; *at && (whole = *at == '\n' ? 1 : utf8_visible_bytes(at, SIZE_MAX));
       at += whole)
    continue;
  if (!*at) {
    print_visible(level, text);
    return;
  }
  const size_t count = strlen(text), bytes = 4 * count + 1;
  char *room = memory_allocate(bytes);
  spell(text, count, "\n", room, bytes);
  print_visible(level, room);
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
