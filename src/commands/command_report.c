// drystone report, picture and movie: what results look like. The Python package makes them from
// the same words.
#include "command.h"
#include "fail.h"
#include "python_tool.h"

typedef struct {
  const char *folder, *output, *by, *forces, *viewer, *size;
  double hinges, zoom, enlarge, time;
  int every;
} LookOptions;

static const Option options_of_report[] = {
    {"-o", "FILE", "the HTML file (default: report.html in the folder)", OPTION_TEXT,
     .offset = offsetof(LookOptions, output), .longer = "--output"},
};

// A picture takes all but the last, a movie all but the first.
static const Option options_of_drawing[] = {
    {"--time", "T", "of the frame, s (default: the last one)", OPTION_REAL,
     .offset = offsetof(LookOptions, time), .low = 0, .high = 1e12},
    {"-o", "FILE", "the file (default: picture.png or movie.gif in the folder)", OPTION_TEXT,
     .offset = offsetof(LookOptions, output), .longer = "--output"},
    {"--by", "WHAT",
     "what colours bodies that move: displacement (default), speed, stress,\n"
     "body (neighbours differ), material; finite elements also by tension or\n"
     "von_mises, stresses at their nodes",
     OPTION_TEXT, .offset = offsetof(LookOptions, by)},
    {"--forces", "WHAT",
     "none (default), chains: tubes as wide as their force, arrows: at the\n"
     "joints, or thrust: the line through bodies that two others press",
     OPTION_TEXT, .offset = offsetof(LookOptions, forces)},
    {"--hinges", "ANGLE", "joints that turned by more than this (rad) get a ball", OPTION_REAL,
     .offset = offsetof(LookOptions, hinges), .low = 0, .high = 4},
    {"--from", "X,Y,Z", "direction in which the viewer stands (default: -1,-2,0.8)", OPTION_TEXT,
     .offset = offsetof(LookOptions, viewer)},
    {"--zoom", "Z", "how much larger than what moves fits in (default: 1)", OPTION_REAL,
     .offset = offsetof(LookOptions, zoom), .low = 0.01, .high = 100},
    {"--size", "W,H", "width and height in pixels (default: 1000,800)", OPTION_TEXT,
     .offset = offsetof(LookOptions, size)},
    {"--enlarge", "N",
     "how much larger displacements of finite elements are, by tension and\n"
     "von_mises (default: 1)",
     OPTION_REAL, .offset = offsetof(LookOptions, enlarge), .low = 0, .high = 1e9},
    {"--every", "N", "one of so many frames (default: 1)", OPTION_COUNT,
     .offset = offsetof(LookOptions, every), .low = 1, .high = 1000000},
};
enum { DRAWING_OPTIONS = sizeof options_of_drawing / sizeof *options_of_drawing };

const OptionTable COMMAND_REPORT_OPTIONS = {
    .command = "report",
    .purpose = "write one HTML file about a run: outcome, forces,\nenergy, probes, times",
    .file = "FOLDER",
    .files = "folders",
    .no_file = "report needs a folder of results: drystone report FOLDER",
    .file_offset = offsetof(LookOptions, folder),
    .count = sizeof options_of_report / sizeof *options_of_report,
    .options = options_of_report,
    .note = "\n"
            "needs Python 3 with NumPy, h5py and matplotlib; PYTHON3 names another interpreter "
            "than the\n"
            "system's",
};

const OptionTable COMMAND_PICTURE_OPTIONS = {
    .command = "picture",
    .purpose = "draw a frame of a run by ParaView",
    .file = "FOLDER",
    .files = "folders",
    .no_file = "picture needs a folder of results: drystone picture FOLDER",
    .file_offset = offsetof(LookOptions, folder),
    .count = DRAWING_OPTIONS - 1,
    .options = options_of_drawing,
    .note = "\n"
            "needs ParaView (packages paraview, xvfb, xauth) and Python 3 with matplotlib; no "
            "screen",
};

const OptionTable COMMAND_MOVIE_OPTIONS = {
    .command = "movie",
    .purpose = "draw all frames of a run by ParaView",
    .file = "FOLDER",
    .files = "folders",
    .no_file = "movie needs a folder of results: drystone movie FOLDER",
    .file_offset = offsetof(LookOptions, folder),
    .count = DRAWING_OPTIONS - 1,
    .options = options_of_drawing + 1,
    .note = "\n"
            "needs what a picture does",
};

// What the words mean is up to the package; which words there are, and numbers, are looked at here.
static int look(const OptionTable *table, int count, char **words)
{
  LookOptions o = {0};
  return options_read(table, count, words, &o) ? python_tool_run(table->command, count, words)
                                               : EXIT_USER;
}

int command_report(int count, char **words) { return look(&COMMAND_REPORT_OPTIONS, count, words); }
int command_picture(int count, char **words)
{
  return look(&COMMAND_PICTURE_OPTIONS, count, words);
}
int command_movie(int count, char **words) { return look(&COMMAND_MOVIE_OPTIONS, count, words); }
