// Prints how the scores of methods and models are spread over random turns.
#include "command_methods.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "fail.h"
#include "model.h"
#include "published_values.h"
#include "quality_fillings.h"
#include "quality_published.h"
#include "quality_suite.h"
#include "values.h"

#define MESH_RATIO 2.0   // of the tetrahedra: radius over shortest edge, as in the text

typedef struct {
  const QualityScenes *scenes;
  const SpreadRuns *runs;
  SpreadResults results;
  const char *missing;   // why nothing was run; NULL: all was
} MethodsReport;

static const char *const state_names[STATE_COUNT] = {"gap 0", "overlap", "step"};

static const char *row_name(const SpreadRow *row)
{
  return row->is_method ? quality_published_method((int)row->rule.method) : model_word(row->model);
}

static const char *row_wording(const SpreadRow *row)
{
  if (!row->is_method) return NULL;
  return row->rule.wording == WORDING_TEXT ? "text" : "program";
}

// -- all values -----------------------------------------------------------------------------------

static void add_spread(Value *row, const char *names, const SpreadValues *values)
{
  Value *list = values_list(row, names);
  values_add(list, "%g", values->low);
  values_add(list, "%g", values->middle);
  values_add(list, "%g", values->high);
}

static void list_scores(const MethodsReport *report, Value *list)
{
  assert(report->results.count >= 0 && "scores are counted");
  for (int i = 0; i < report->results.count; i++) {
    const SpreadEntry *entry = &report->results.entries[i];
    const SpreadRow which = quality_spread_row(entry->row);
    Value *row = values_group(list, NULL);
    values_add(row, "name %s", report->scenes->scenes[entry->scene].name);
    values_add(row, "state %s", state_names[entry->state]);
    values_add(row, "normals %s", entry->printed ? "printed" : "right");
    values_text(row, "method", which.is_method ? row_name(&which) : NULL);
    values_text(row, "as_in", row_wording(&which));
    values_text(row, "model", which.is_method ? NULL : row_name(&which));
    values_add(row, "least_points %d",
               quality_scene_least_points(&report->scenes->scenes[entry->scene]));
    add_spread(row, "quality", &entry->quality);
    add_spread(row, "coverage", &entry->coverage);
    add_spread(row, "excess", &entry->excess);
    add_spread(row, "points", &entry->points);
    if (entry->has_area) add_spread(row, "P", &entry->area_ratio);
  }
}

static Value *values_of(const MethodsReport *report, Arena *arena)
{
  Value *all = values_new(arena);
  values_add(all, "version %s turns %d", DRYSTONE_VERSION, report->runs->turns);
  values_integer(all, "seed", (int64_t)report->runs->seed);
  values_add(all, "step %g gravity %g overlap %g", SUITE_STEP, SETUP_GRAVITY, SUITE_OVERLAP);
  values_add(all, "erosion %g mesh_ratio %g", METHODS_EROSION, MESH_RATIO);
  values_add(all, "normal_tolerance %g", report->runs->within);
  Value *missing = values_list(all, "left_out");
  if (report->missing) values_add(values_group(missing, NULL), "reason %s", report->missing);
  list_scores(report, values_list(all, "scores"));
  published_values_list(report->scenes, values_list(all, "published"));
  return all;
}

// -- the table ------------------------------------------------------------------------------------

// Percent in four characters; 100 and 0 are exact.
static void print_percent(double percent)
{
  double rounded = floor(percent + 0.5);
  if (percent < 100 && rounded >= 100) rounded = 99;
  if (percent > 0 && rounded <= 0) rounded = 1;
  if (isnan(percent)) printf("%4s", "-");
  else printf("%4.0f", rounded);
}

static void print_percents(const SpreadValues *values)
{
  putchar(' ');
  print_percent(values->low);
  print_percent(values->middle);
  print_percent(values->high);
}

// A factor in five characters.
static void print_factor(double factor)
{
  if (isnan(factor)) printf("%5s", "-");
  else printf(factor < 9.995 ? "%5.2f" : "%5.1f", factor);
}

static void print_factors(const SpreadValues *values)
{
  putchar(' ');
  print_factor(values->low);
  print_factor(values->middle);
  print_factor(values->high);
}

// The score of the text for a method.
static void print_published(const SpreadEntry *entry, Method method)
{
  PublishedScore score;
  if (!quality_published_score(entry->scene, (int)method, &score)) return;
  printf("  ");
  print_percent(score.quality);
  if (entry->scene < SCENE_FUNDAMENTAL) print_percent(score.coverage);
  print_factor(score.excess);
  if (entry->scene > SCENE_PILLAR) print_factor(score.area_ratio);
  if (entry->scene < SCENE_TIPS && !entry->printed) putchar('*');
}

static void print_entry(const SpreadEntry *entry)
{
  const SpreadRow row = quality_spread_row(entry->row);
  const bool text = row.is_method && row.rule.wording == WORDING_TEXT;
  printf("%-18s%-8s", text ? "" : row_name(&row), row.is_method ? row_wording(&row) : "model");
  print_percents(&entry->quality);
  print_percents(&entry->coverage);
  print_factors(&entry->excess);
  if (entry->has_area) print_factors(&entry->area_ratio);
  if (row.is_method && !text) print_published(entry, row.rule.method);
  putchar('\n');
}

static void print_heading(const MethodsReport *report, const SpreadEntry *entry)
{
  static const char *const states[STATE_COUNT] = {"at gap 0", "at overlap", "after one step"};
  const QualityScene *scene = &report->scenes->scenes[entry->scene];
  printf("\n%s, %s: %d needed%s\n", scene->name, states[entry->state],
         quality_scene_least_points(scene),
         entry->printed ? "; by the normal that Table 4 prints" : "");
  printf("%-26s %-12s %-12s %-15s", "", "     quality", "    coverage", "         excess");
  if (entry->has_area) printf(" %-15s", "              P");
  printf("  in the text\n%-26s  min med max  min med max   min  med  max", "");
  if (entry->has_area) printf("   min  med  max");
  printf("  qual%s exc.%s\n", entry->scene < SCENE_FUNDAMENTAL ? " cov" : "",
         entry->scene > SCENE_PILLAR ? "    P" : "");
}

static void print_legend(const MethodsReport *report)
{
  printf(
      "The eight methods of Erleben 2018 (Methodology for assessing mesh-based contact point\n"
      "methods) on bodies of tetrahedra, and the contact models on the same bodies: least, middle\n"
      "and largest score over %d random turns of each scene.\n",
      report->runs->turns);
  printf(
      "  quality  percent of the points whose normal is right; 0 where there is no point\n"
      "  coverage percent of the right normals that were found\n"
      "  excess   points over those needed\n"
      "  P        area that the points of each contact span, in sum over the true area\n"
      "  program  as the author's program has the method, in single precision\n"
      "  text     as the text has it, in double precision\n"
      "  overlap  upper bodies and stones scaled by %g; after one step: of %g s, in free flight\n"
      "  *        scored by another normal than the text's own scores, see below\n",
      1 + SUITE_OVERLAP, SUITE_STEP);
  published_values_print_notes();
}

static void print_table(const MethodsReport *report)
{
  print_legend(report);
  for (int i = 0; i < report->results.count; i++) {
    const SpreadEntry *entry = &report->results.entries[i];
    if (entry->row == 0) print_heading(report, entry);
    // models go by the bodies' motion, which the printed normal does not
    if (!entry->printed || entry->row < SPREAD_METHODS) print_entry(entry);
  }
  if (report->missing) printf("\nleft out: all scores, since %s\n", report->missing);
}

int command_methods(const SpreadRuns *runs, bool json)
{
  assert(runs->turns > 0 && "scenes are turned");
  Arena arena = arena_new();
  const QualityScenes scenes = quality_scenes_new(&arena);
  MethodsReport report = {.scenes = &scenes, .runs = runs};
  char error[1024] = "";
  const QualityFilling *fillings =
      quality_fillings_make(&scenes, CUT_MESH, NULL, &arena, (ErrorText){error, sizeof error});
  if (fillings) report.results = quality_spread_run(&scenes, fillings, runs, &arena);
  else report.missing = error;
  if (json) values_json(values_of(&report, &arena), true);
  else print_table(&report);
  arena_destroy(&arena);
  return fillings ? EXIT_DONE : EXIT_USER;
}
