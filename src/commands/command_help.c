// drystone help: of all commands, of one, as a page for man, as completion of shells.
#include "command_help.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "case_keys.h"
#include "command.h"
#include "parallel.h"

typedef struct {
  int code;
  const char *text;
} ExitCode;

static const ExitCode exit_codes[] = {
    {EXIT_DONE, "done"},
    {EXIT_USER, "wrong case, mesh or option"},
    {EXIT_NOT_CONVERGED, "not converged where the case demands it"},
    {EXIT_IO, "input or output failed, or data are damaged"},
    {EXIT_OVERFLOW,
     "a body's motion left the range of numbers: loads, speeds or steps are too large"},
    {EXIT_BUG, "a bug of ours"},
    {EXIT_MEMORY, "out of memory"},
    {EXIT_STOPPED, "stopped as asked, with a checkpoint"},
    {EXIT_AT_ONCE, "stopped at once when asked again"}};

// -- options of the command ----------------------------------------------------------------------

typedef struct {
  const char *shell;
  bool man, keys;
} HelpOptions;

static bool is_shell(const char *word)
{
  return strcmp(word, "bash") == 0 || strcmp(word, "zsh") == 0;
}

static const Option options_of_help[] = {
    {"--man", NULL, "print the page for man", OPTION_FLAG, .offset = offsetof(HelpOptions, man)},
    {"--completion", "SHELL", "print what bash or zsh need to complete words", OPTION_TEXT,
     .offset = offsetof(HelpOptions, shell), .accepts = is_shell,
     .refusal = "option --completion: expected bash or zsh, found '%s'"},
    {"--keys", NULL,
     "print the keys of a case, a line each, parted by tabs: key, default, what it may\ndo in a "
     "case that goes on",
     OPTION_FLAG, .offset = offsetof(HelpOptions, keys)}};

static const OptionTable COMMAND_HELP_OPTIONS = {
    .command = "help",
    .purpose = "list the commands, or say what one takes:\ndrystone help COMMAND",
    .count = sizeof options_of_help / sizeof *options_of_help,
    .options = options_of_help,
};

// -- helps ----------------------------------------------------------------------------------------

static void print_exit_codes(void)
{
  puts("\nexit codes:");
  for (size_t i = 0; i < sizeof exit_codes / sizeof *exit_codes; i++)
    printf("  %-3d %s\n", exit_codes[i].code, exit_codes[i].text);
}

void command_help_print_all(void)
{
  const OptionTable *table;
  for (int i = 0; (table = command_options(i)); i++) options_print_usage(table, i == 0);
  options_print_usage(&COMMAND_HELP_OPTIONS, false);
  puts("       drystone --help | --version\n");
  puts("drystone help COMMAND, or drystone COMMAND --help, lists the options of a command");
  print_exit_codes();
}

// Whether a command has that name, or begins with that word.
static bool is_called(const OptionTable *table, const char *word, const char *next)
{
  const size_t bytes = strlen(word);
  if (strncmp(table->command, word, bytes) != 0) return false;
  const char *rest = table->command + bytes;
  if (*rest == 0) return true;
  return *rest == ' ' && (!next || next[0] == '-' || strcmp(rest + 1, next) == 0);
}

// How many commands the words name; prints their usage and, after all usages, their options.
static int print_named(const char *word, const char *next)
{
  assert(word != NULL && "a command has a name");
  const OptionTable *table;
  int named = 0;
  for (int i = 0; (table = command_options(i)); i++)
    if (is_called(table, word, next)) options_print_usage(table, named++ == 0);
  for (int i = 0; named > 0 && (table = command_options(i)); i++)
    if (is_called(table, word, next)) options_print_help(table);
  return named;
}

bool command_help_print(int count, char **words)
{
  assert(count >= 0 && "words are counted");
  const char *next = count > 1 ? words[1] : NULL;
  if (count == 0 || (print_named(words[0], next) == 0 && print_named(words[0], NULL) == 0))
    return false;
  print_exit_codes();
  return true;
}

bool command_help_is_asked(int count, char **words)
{
  assert(count >= 0 && "words are counted");
  for (int i = 0; i < count; i++)
    if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0) return true;
  return false;
}

// -- a page for man -------------------------------------------------------------------------------

// A text with what roff would take for itself written otherwise.
static void print_roff(const char *text)
{
  bool begins = true;
  for (const char *at = text; *at; at++) {
    if (begins && (*at == '.' || *at == '\'')) fputs("\\&", stdout);
    if (*at == '\\') fputs("\\e", stdout);
    else if (*at == '-') fputs("\\-", stdout);
    else putchar(*at);
    begins = *at == '\n';
  }
}

// lines of a help, as one paragraph
static void print_roff_lines(const char *text)
{
  print_roff(text);
  putchar('\n');
}

static void print_roff_option(const Option *option)
{
  printf(".TP\n%s ", option->argument ? ".BI" : ".B");
  print_roff(option->name);
  if (option->longer) {
    fputs(",\\ ", stdout);
    print_roff(option->longer);
  }
  if (option->argument) {
    fputs(" \" \" ", stdout);
    print_roff(option->argument);
  }
  putchar('\n');
  print_roff_lines(option->help);
}

static void print_roff_command(const OptionTable *table)
{
  printf(".SS %s%s%s\n", table->command, table->file ? " " : "", table->file ? table->file : "");
  print_roff_lines(table->purpose);
  for (int k = 0; k < table->count; k++) print_roff_option(&table->options[k]);
  if (!table->note) return;
  puts(".PP");
  print_roff_lines(table->note + (table->note[0] == '\n'));
}

static void print_man(void)
{
  printf(".TH DRYSTONE 1 \"\" \"drystone %s\" \"User Commands\"\n", DRYSTONE_VERSION);
  puts(".SH NAME\ndrystone \\- simulates assemblies of contacting blocks and stones");
  puts(".SH SYNOPSIS\n.B drystone\n.I COMMAND\n[options]");
  puts(".br\n.B mpirun \\-n\n.I RANKS\n.B drystone run\n.I CASE\n[options]");
  puts(".SH DESCRIPTION\nA case is a YAML file of bodies made of convex polyhedra, spheres and "
       "ellipsoids. A run finds their\ncontacts and the forces in them by Non\\-Smooth Contact "
       "Dynamics, gives the same bits on any number of\nranks, and writes HDF5 files that ParaView "
       "and Python open.\n.SH COMMANDS");
  const OptionTable *table;
  for (int i = 0; (table = command_options(i)); i++) print_roff_command(table);
  print_roff_command(&COMMAND_HELP_OPTIONS);
  puts(".SH EXIT STATUS");
  for (size_t i = 0; i < sizeof exit_codes / sizeof *exit_codes; i++)
    printf(".TP\n.B %d\n%s\n", exit_codes[i].code, exit_codes[i].text);
}

// -- completion of shells -------------------------------------------------------------------------

// The words after a command that a shell may offer, parted by blanks.
static void print_words(const OptionTable *table)
{
  for (int k = 0; k < table->count; k++) {
    printf("%s%s", k ? " " : "", table->options[k].name);
    if (table->options[k].longer) printf(" %s", table->options[k].longer);
  }
}

// Commands of one word, or the second words of those that begin with one.
static void print_commands(const char *first)
{
  const OptionTable *table;
  const char *before = "";
  for (int i = 0; (table = command_options(i)); i++) {
    const size_t bytes = strcspn(table->command, " ");
    const bool below = first && strncmp(table->command, first, strlen(first)) == 0 &&
                       table->command[strlen(first)] == ' ';
    if (first && below) printf(" %s", table->command + strlen(first) + 1);
    // those of two words follow each other in the list
    if (!first && (strlen(before) < bytes || strncmp(before, table->command, bytes) != 0))
      printf(" %.*s", (int)bytes, table->command);
    before = table->command;
  }
}

// A key of a case behind --set, with 0 for any member of a list.
static void print_key(const char *pattern)
{
  putchar(' ');
  for (const char *at = pattern; *at; at++) putchar(*at == '*' ? '0' : *at);
  putchar('=');
}

static void print_keys(void)
{
  for (const CaseKey *key = case_keys(); key->pattern; key++) print_key(key->pattern);
  char deeper[CASE_KEY_BYTES];
  for (int i = 0; case_keys_deeper(i, deeper); i++) print_key(deeper);
}

// A key a line, for tables of them; * is a number of a list, or a name.
static void print_key_table(void)
{
  static const char *const rules[] = {[KEY_FREE] = "may differ",
                                      [KEY_ASKED] = "may differ with --allow",
                                      [KEY_UNBORN] =
                                          "may differ with --allow before its bodies appear",
                                      [KEY_NEVER] = "is for good"};
  for (const CaseKey *key = case_keys(); key->pattern; key++)
    printf("%s\t%s\t%s\n", key->pattern, key->standard ? key->standard : "", rules[key->rule]);
  char deeper[CASE_KEY_BYTES];
  for (int i = 0; case_keys_deeper(i, deeper); i++)
    printf("%s\t\t%s\n", deeper, rules[case_keys_find(deeper)->rule]);
}

static void print_bash(void)
{
  puts(
      "# bash completion of drystone, made by: drystone help --completion bash\n"
      "_drystone()\n{\n  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} "
      "commands options\n  compopt -o default 2>/dev/null");
  fputs("  commands=\"help", stdout);
  print_commands(NULL);
  puts("\"\n  case \"${COMP_WORDS[1]-} ${COMP_WORDS[2]-}\" in");
  const OptionTable *table;
  for (int i = 0; (table = command_options(i)); i++) {
    printf("  \"%s%s\"*) options=\"", table->command, strchr(table->command, ' ') ? "" : " ");
    print_words(table);
    puts("\" ;;");
  }
  fputs("  \"bench \"*) options=\"", stdout);
  print_commands("bench");
  fputs("\" ;;\n  \"help \"*) options=\"$commands ", stdout);
  print_words(&COMMAND_HELP_OPTIONS);
  puts("\" ;;\n  *) options= ;;\n  esac");
  fputs("  local keys=\"", stdout);
  print_keys();
  puts("\"\n"
       "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
       "    mapfile -t COMPREPLY < <(compgen -W \"$commands --help --version\" -- \"$word\")\n"
       "  elif [ \"$before\" = --set ]; then\n"
       "    compopt +o default -o nospace 2>/dev/null\n"
       "    mapfile -t COMPREPLY < <(compgen -W \"$keys\" -- \"$word\")\n"
       "  elif [[ $word = -* || ${COMP_WORDS[1]} = help || ${COMP_WORDS[1]} = bench ]]; then\n"
       "    mapfile -t COMPREPLY < <(compgen -W \"$options --help\" -- \"$word\")\n"
       "  else\n"
       "    COMPREPLY=()\n"
       "  fi\n"
       "}\ncomplete -F _drystone drystone");
}

// A text between single quotes of a shell, on one line.
static void print_quoted(const char *text)
{
  for (const char *at = text; *at; at++) {
    if (*at == '\'') fputs("'\\''", stdout);
    else putchar(*at == '\n' ? ' ' : *at);
  }
}

// A word with its description, as zsh's _describe takes them.
static void print_described(const char *word, const char *description)
{
  printf("\n    '%s:", word);
  print_quoted(description);
  putchar('\'');
}

static void print_described_options(const OptionTable *table)
{
  for (int k = 0; k < table->count; k++) {
    const Option *option = &table->options[k];
    print_described(option->name, option->help);
    if (option->longer) print_described(option->longer, option->help);
  }
  print_described("--help", "say what the command takes");
}

// Commands of one word, or of two words the second ones, with what they do.
static void print_described_commands(bool second)
{
  const OptionTable *table;
  for (int i = 0; (table = command_options(i)); i++) {
    const char *blank = strchr(table->command, ' ');
    if (second == (blank != NULL))
      print_described(blank ? blank + 1 : table->command, table->purpose);
  }
}

static void print_zsh_options(const OptionTable *table)
{
  printf("  ('%s%s'*) flags=(", table->command, strchr(table->command, ' ') ? "" : " ");
  print_described_options(table);
  puts(") ;;");
}

// zsh has no mapfile, and its own way shows what each word does.
static void print_zsh(void)
{
  puts("#compdef drystone\n# zsh completion of drystone, made by: drystone help --completion zsh\n"
       "local -a topics benches flags keys");
  fputs("topics=(", stdout);
  print_described(COMMAND_HELP_OPTIONS.command, COMMAND_HELP_OPTIONS.purpose);
  print_described_commands(false);
  print_described("bench", "time parts of the program");
  fputs(")\nbenches=(", stdout);
  print_described_commands(true);
  fputs(")\nkeys=(", stdout);
  print_keys();
  puts(")\ncase \"${words[2]} ${words[3]}\" in");
  const OptionTable *table;
  for (int i = 0; (table = command_options(i)); i++) print_zsh_options(table);
  print_zsh_options(&COMMAND_HELP_OPTIONS);
  puts("esac\n"
       "if (( CURRENT == 2 )); then\n"
       "  if [[ $PREFIX = -* ]]; then compadd -- --help --version\n"
       "  else _describe command topics\n"
       "  fi\n"
       "elif [[ ${words[CURRENT-1]} = --set ]]; then\n"
       "  compadd -S '' -- $keys\n"
       "elif [[ $PREFIX = -* ]]; then\n"
       "  _describe -o option flags\n"
       "elif [[ ${words[2]} = help ]]; then\n"
       "  (( CURRENT > 3 )) || _describe command topics\n"
       "elif [[ ${words[2]} = bench ]]; then\n"
       "  (( CURRENT > 3 )) || _describe bench benches\n"
       "else\n"
       "  _files\n"
       "fi");
}

// -- the command ----------------------------------------------------------------------------------

int command_help(int count, char **words)
{
  assert(count >= 0 && (words != NULL || count == 0) && "words are counted");
  if (count > 0 && words[0][0] != '-') {
    int named = 1;
    if (par_rank() == 0) named = command_help_print(count, words);
    par_broadcast(&named, sizeof named, 0);
    return all_ok(named, "help: there is no command '%s'; drystone help lists them", words[0])
               ? EXIT_DONE
               : EXIT_USER;
  }
  HelpOptions o = {0};
  if (!options_read(&COMMAND_HELP_OPTIONS, count, words, &o)) return EXIT_USER;
  if (par_rank() != 0) return EXIT_DONE;
  if (o.man) print_man();
  else if (o.keys) print_key_table();
  else if (o.shell && strcmp(o.shell, "zsh") == 0) print_zsh();
  else if (o.shell) print_bash();
  else command_help_print_all();
  return EXIT_DONE;
}
