#pragma once
// The options of commands: a table for each command, one reader of words and one writer of help.
#include <stdbool.h>
#include <stddef.h>

typedef enum {
  OPTION_FLAG,         // bool, true where it is given; the only kind without an argument
  OPTION_COUNT,        // int
  OPTION_LONG_COUNT,   // int64_t
  OPTION_REAL,         // double
  OPTION_DURATION,     // double, s
  OPTION_TEXT,         // const char *, a word of the command line
  OPTION_TEXTS         // OptionTexts, one word each time
} OptionKind;

// The words of an option that may be given any number of times.
typedef struct {
  int count;
  const char **texts;   // [count]; NULL: none
} OptionTexts;

// Where an option is given several times, the last counts, but for OPTION_TEXTS.
typedef struct {
  const char *name;       // "--steps"
  const char *argument;   // "N"; NULL for a flag
  const char *help;       // lines of the help
  OptionKind kind;
  size_t offset;                       // of the value in the struct of the command's options
  const char *longer;                  // another name, "--output"; NULL: none
  double low, high;                    // smallest and largest number; not for durations and texts
  bool without_ends;                   // low and high themselves are refused
  bool (*accepts)(const char *word);   // of texts; NULL: all
  const char *refusal;   // message about a bad value, with %s for the word; NULL: by low and high
} Option;

// A command and what it takes. The struct of its options has its defaults before it is read.
typedef struct {
  const char *command;   // "bench solver"
  const char *purpose;   // lines of the help
  const char *file;      // word of the help for the file or folder, "CASE"; NULL: it takes none
  const char *files;     // two of them: "case files"
  const char *no_file;   // message where none is given
  size_t file_offset;    // of a const char *
  int count;
  const Option *options;   // [count]
  const char *note;        // lines below the options; NULL: none
} OptionTable;

// Collective. Reads the words behind a command into its struct; false on all ranks after one
// message. options_end is due in both cases.
bool options_read(const OptionTable *table, int count, char **words, void *values);

// Local. Frees the lists of texts.
void options_end(const OptionTable *table, void *values);

// Local. The help to standard output: how the command is called and its purpose; then its options.
void options_print_usage(const OptionTable *table, bool first);
void options_print_help(const OptionTable *table);
