// drystone report, picture and movie: what results look like. The Python package makes them.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "fail.h"
#include "python_tool.h"

enum { MOST_WORDS = 24, NUMBER_BYTES = 32, SMALLEST_SIDE = 16, LARGEST_SIDE = 16384 };

// Words for the package.
typedef struct {
  int count;
  const char *of[MOST_WORDS];
  char numbers[3][NUMBER_BYTES];
} Words;

static void add(Words *words, const char *option, const char *value)
{
  if (!value) return;
  assert(words->count + 2 <= MOST_WORDS && "all options have room");
  if (option) words->of[words->count++] = option;
  words->of[words->count++] = value;
}

// -- report ---------------------------------------------------------------------------------------

typedef struct {
  const char *folder, *output;
} ReportOptions;

static const Option options_of_report[] = {
    {"-o", "FILE", "the HTML file (default: report.html in the folder)", OPTION_TEXT,
     .offset = offsetof(ReportOptions, output)},
};

const OptionTable COMMAND_REPORT_OPTIONS = {
    .command = "report",
    .purpose = "write one HTML file about a run: outcome, forces,\nenergy, probes, times",
    .file = "FOLDER",
    .files = "folders",
    .no_file = "report needs a folder of results: drystone report FOLDER",
    .file_offset = offsetof(ReportOptions, folder),
    .count = sizeof options_of_report / sizeof *options_of_report,
    .options = options_of_report,
    .note = "\n"
            "needs Python 3 with NumPy, h5py and matplotlib; PYTHON3 names another interpreter "
            "than the\n"
            "system's",
};

int command_report(int count, char **words)
{
  ReportOptions o = {0};
  if (!options_read(&COMMAND_REPORT_OPTIONS, count, words, &o)) return EXIT_USER;
  Words all = {0};
  add(&all, NULL, "report");
  add(&all, "-o", o.output);
  add(&all, "--", o.folder);
  return python_tool_run(all.count, all.of);
}

// -- picture and movie ----------------------------------------------------------------------------

typedef struct {
  const char *folder, *output, *by, *forces, *viewer, *size;
  double zoom, time;
  int every;
} DrawingOptions;

static bool is_colour(const char *word)
{
  static const char *const all[] = {"displacement", "speed", "stress", "body", "material"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(word, all[i]) == 0) return true;
  return false;
}

static bool is_force(const char *word)
{
  return strcmp(word, "none") == 0 || strcmp(word, "chains") == 0 || strcmp(word, "arrows") == 0;
}

static bool is_direction(const char *word)
{
  double x, y, z;
  char end;
  return sscanf(word, "%lf,%lf,%lf%c", &x, &y, &z, &end) == 3 && x * x + y * y + z * z > 0;
}

static bool is_size(const char *word)
{
  int width, height;
  char end;
  const bool two = sscanf(word, "%d,%d%c", &width, &height, &end) == 2;
  return two && width >= SMALLEST_SIDE && height >= SMALLEST_SIDE && width <= LARGEST_SIDE &&
         height <= LARGEST_SIDE;
}

#define DRAWING_OPTIONS                                                                           \
  {"--by",                                                                                        \
   "WHAT",                                                                                        \
   "what colours bodies that move: displacement (default), speed, stress,\n"                      \
   "body (neighbours differ) or material",                                                        \
   OPTION_TEXT,                                                                                   \
   .offset = offsetof(DrawingOptions, by),                                                        \
   .accepts = is_colour,                                                                          \
   .refusal = "option --by: expected displacement, speed, stress, body or material, found '%s'"}, \
      {"--forces",                                                                                \
       "WHAT",                                                                                    \
       "none (default), chains: tubes as wide as their force; arrows: at the\njoints",            \
       OPTION_TEXT,                                                                               \
       .offset = offsetof(DrawingOptions, forces),                                                \
       .accepts = is_force,                                                                       \
       .refusal = "option --forces: expected none, chains or arrows, found '%s'"},                \
      {"--from",                                                                                  \
       "X,Y,Z",                                                                                   \
       "direction in which the viewer stands (default: -1,-2,0.8)",                               \
       OPTION_TEXT,                                                                               \
       .offset = offsetof(DrawingOptions, viewer),                                                \
       .accepts = is_direction,                                                                   \
       .refusal = "option --from: expected a direction as -1,-2,0.8, found '%s'"},                \
      {"--zoom",                                                                                  \
       "Z",                                                                                       \
       "how much larger than what moves fits in (default: 1)",                                    \
       OPTION_REAL,                                                                               \
       .offset = offsetof(DrawingOptions, zoom),                                                  \
       .low = 0.01,                                                                               \
       .high = 100},                                                                              \
  {                                                                                               \
    "--size", "W,H", "width and height in pixels (default: 1000,800)", OPTION_TEXT,               \
        .offset = offsetof(DrawingOptions, size), .accepts = is_size,                             \
        .refusal = "option --size: expected two numbers from 16 to 16384 as 1000,800, found '%s'" \
  }

static const Option options_of_picture[] = {
    {"-o", "FILE", "the PNG file (default: picture.png in the folder)", OPTION_TEXT,
     .offset = offsetof(DrawingOptions, output)},
    {"--time", "T", "of the frame, s (default: the last one)", OPTION_REAL,
     .offset = offsetof(DrawingOptions, time), .low = 0, .high = 1e12},
    DRAWING_OPTIONS,
};

static const Option options_of_movie[] = {
    {"-o", "FILE", "the animated GIF (default: movie.gif in the folder)", OPTION_TEXT,
     .offset = offsetof(DrawingOptions, output)},
    {"--every", "N", "one of so many frames (default: 1)", OPTION_COUNT,
     .offset = offsetof(DrawingOptions, every), .low = 1, .high = 1000000},
    DRAWING_OPTIONS,
};

#define NOTE_OF_DRAWING \
  "\nneeds ParaView (packages paraview, xvfb, xauth) and Python 3 with matplotlib; no screen"

const OptionTable COMMAND_PICTURE_OPTIONS = {
    .command = "picture",
    .purpose = "draw a frame of a run by ParaView",
    .file = "FOLDER",
    .files = "folders",
    .no_file = "picture needs a folder of results: drystone picture FOLDER",
    .file_offset = offsetof(DrawingOptions, folder),
    .count = sizeof options_of_picture / sizeof *options_of_picture,
    .options = options_of_picture,
    .note = NOTE_OF_DRAWING,
};

const OptionTable COMMAND_MOVIE_OPTIONS = {
    .command = "movie",
    .purpose = "draw all frames of a run by ParaView",
    .file = "FOLDER",
    .files = "folders",
    .no_file = "movie needs a folder of results: drystone movie FOLDER",
    .file_offset = offsetof(DrawingOptions, folder),
    .count = sizeof options_of_movie / sizeof *options_of_movie,
    .options = options_of_movie,
    .note = NOTE_OF_DRAWING,
};

static int command_draw(const OptionTable *table, int count, char **words)
{
  DrawingOptions o = {.zoom = 1, .time = -1, .every = 1};
  if (!options_read(table, count, words, &o)) return EXIT_USER;
  Words all = {0};
  add(&all, NULL, table->command);
  add(&all, "-o", o.output);
  add(&all, "--by", o.by);
  add(&all, "--forces", o.forces);
  char viewer[128], size[128];
  snprintf(viewer, sizeof viewer, "--from=%s", o.viewer ? o.viewer : "");
  snprintf(size, sizeof size, "--size=%s", o.size ? o.size : "");
  if (o.viewer) add(&all, NULL, viewer);   // a number below zero is no option
  if (o.size) add(&all, NULL, size);
  snprintf(all.numbers[0], NUMBER_BYTES, "%.17g", o.zoom);
  add(&all, "--zoom", all.numbers[0]);
  snprintf(all.numbers[1], NUMBER_BYTES, "%.17g", o.time);
  if (o.time >= 0) add(&all, "--time", all.numbers[1]);
  snprintf(all.numbers[2], NUMBER_BYTES, "%d", o.every);
  if (table == &COMMAND_MOVIE_OPTIONS) add(&all, "--every", all.numbers[2]);
  add(&all, "--", o.folder);
  return python_tool_run(all.count, all.of);
}

int command_picture(int count, char **words)
{
  return command_draw(&COMMAND_PICTURE_OPTIONS, count, words);
}

int command_movie(int count, char **words)
{
  return command_draw(&COMMAND_MOVIE_OPTIONS, count, words);
}
