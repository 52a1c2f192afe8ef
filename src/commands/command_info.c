// drystone info: what is in a folder of results, verified down to the hash of the state.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "case_elastic.h"
#include "case_members.h"
#include "case_reader.h"
#include "checkpoint.h"
#include "command.h"
#include "exact_sum.h"
#include "finite_stress.h"
#include "history_gaps.h"
#include "kind.h"
#include "log.h"
#include "memory.h"
#include "outcome.h"
#include "parallel.h"
#include "scene.h"
#include "shaken_base.h"
#include "values.h"
#include "world.h"

typedef struct {
  const char *path;
  int64_t only;   // step of the one checkpoint asked for, -1: all
  bool json, hash;
} InfoOptions;

#define MOST_STAGES 1000   // of a case

// The largest of a number of bodies, and the body that has it.
typedef struct {
  double value;
  uint64_t id;
  bool any;   // false: there is none
  char name[MEMBER_NAME_BYTES];
} Largest;

// Bodies of finite elements.
typedef struct {
  int64_t bodies, nodes, cells;
  Largest displacement;   // of a node by deformation alone, m
  Largest mises;          // von Mises' stress at a node, Pa
} InfoElastic;

typedef struct {
  CheckpointSurvey survey;
  bool case_known;        // what follows needs the case and the meshes it names
  uint64_t born;          // bodies that have appeared, with those of the start
  Largest displacement;   // of a centre of mass since its birth, dynamic bodies, relative to the
                          // base, m
  InfoElastic elastic;
  double kinetic_energy;         // J
  double elastic_energy;         // J
  Outcome outcome;               // of the step of the state, where time.until ended the run; rank 0
  Forces forces;                 // of that end; rank 0
  Outcome stages[MOST_STAGES];   // those that have ended; rank 0
  int stage_count;
  int64_t unsolved, halved;   // steps up to there, by the history; -1: it does not tell; rank 0
} Info;

static const Option options_of_info[] = {{"--json", NULL, "one JSON text for programs", OPTION_FLAG,
                                          .offset = offsetof(InfoOptions, json)},
                                         {"--hash", NULL,
                                          "of --json: the hash as the last line all the same",
                                          OPTION_FLAG, .offset = offsetof(InfoOptions, hash)}};

const OptionTable COMMAND_INFO_OPTIONS = {
    .command = "info",
    .purpose = "verify the checkpoints in a folder of results, or the\n"
               "one whose file is given, and say what the newest\n"
               "sound one holds; the hash is the last line",
    .file = "FOLDER",
    .files = "folders",
    .no_file = "info needs a folder of results or a checkpoint: drystone info FOLDER",
    .file_offset = offsetof(InfoOptions, path),
    .count = sizeof options_of_info / sizeof *options_of_info,
    .options = options_of_info,
};

// A folder of results, or one checkpoint in it by either of its files; false after one message.
static bool find_folder(InfoOptions *o, char *folder, size_t bytes)
{
  assert(o->path != NULL && bytes > 0 && "a folder has a name");
  struct stat status;
  const bool there = stat(o->path, &status) == 0;
  const char *slash = strrchr(o->path, '/'), *name = slash ? slash + 1 : o->path;
  const int64_t data = disk_number_of(RESULTS_CHECKPOINT, name),
                manifest = disk_number_of(RESULTS_MANIFEST, name);
  o->only = !there || S_ISDIR(status.st_mode) ? -1 : data >= 0 ? data : manifest;
  const bool known = there && (S_ISDIR(status.st_mode) || o->only >= 0);
  if (o->only < 0) snprintf(folder, bytes, "%s", o->path);
  else if (slash) snprintf(folder, bytes, "%.*s", (int)(slash - o->path + 1), o->path);
  else snprintf(folder, bytes, ".");
  return all_ok(known, "%s is not a folder of results, nor a checkpoint", o->path);
}

static void raise_largest(Largest *largest, double value, uint64_t id)
{
  if (largest->any && !(value > largest->value)) return;
  *largest = (Largest){.value = value, .id = id, .any = true};
}

// Collective. Of all ranks, the lowest id where several are as large.
static void agree_on_largest(Largest *largest, const Case *c)
{
  const double most = par_max(largest->any ? largest->value : -INFINITY);
  const bool here = largest->any && largest->value == most;
  const double first = par_min(here ? (double)largest->id : INFINITY);
  *largest = (Largest){.any = first < INFINITY};
  if (!largest->any) return;
  largest->value = most;
  largest->id = (uint64_t)first;
  case_member_name(c, largest->id, largest->name);
}

static void measure_elastic(const Bodies *bodies, int row, double temperature, InfoElastic *elastic)
{
  const FiniteDeformed of = kind_deformed(bodies, row, temperature);
  elastic->bodies++;
  elastic->nodes += of.mesh->nodes;
  elastic->cells += of.mesh->cells;
  sym3 *stress = memory_allocate((size_t)of.mesh->nodes * sizeof *stress);
  finite_stress_nodes(&of, stress);
  for (int n = 0; n < of.mesh->nodes; n++) {
    raise_largest(&elastic->displacement, vec3_norm(of.displacement[n]), bodies->id[row]);
    raise_largest(&elastic->mises, finite_stress_mises(stress[n]), bodies->id[row]);
  }
  memory_free(stress);
}

// how far bodies are from where the case put them, relative to the base; c: as the stage of the
// state has it
static void measure_bodies(const Case *c, const State *state, Info *info)
{
  Bodies *bodies = bodies_of(state);
  assert(bodies->table.count == bodies->table.owned && "a state has no ghosts");
  ShapeSet shapes = shape_set_new(c->shapes, c->shape_count);
  ExactSum energy = exact_sum_new(), elastic_energy = exact_sum_new();
  ElasticSet elastic = scene_elastic(c, &shapes);
  bodies->elastic = &elastic;
  bodies_link_nodes(state);
  const double time = info->survey.header.time;
  const vec3 base = shaken_base_displacement(c, bodies, NULL, &shapes);
  for (int i = 0; i < bodies->table.owned; i++) {
    if (bodies->drive[i] != DRIVE_DYNAMIC) continue;
    const Shape *shape = shape_set_get(&shapes, bodies->shape[i]);
    const vec3 start = scene_start(c, bodies->id[i], shape).centre;
    const double distance = vec3_norm(vec3_sub(vec3_sub(bodies->position[i], start), base));
    if (!kind_founded(bodies, i)) raise_largest(&info->displacement, distance, bodies->id[i]);
    const mat3 inertia = mat3_scale(c->materials[bodies->material[i]].density, shape->inertia);
    const vec3 spin = mat3_mul_transposed(quat_to_mat3(bodies->orientation[i]), bodies->spin[i]);
    const double mass = c->materials[bodies->material[i]].density * shape->volume;
    if (kind_nodes(bodies, i) > 0) {
      bodies->mass[i] = mass;
      const Momenta of = motion_momenta(bodies, i);
      for (int k = 0; k < 2; k++) exact_sum_add(&energy, of.energy[k]);
      const double temperature = scene_temperature(c, bodies->id[i], time);
      exact_sum_add(&elastic_energy, motion_elastic_energy(bodies, i, temperature));
      if (kind_mesh(bodies, i)) measure_elastic(bodies, i, temperature, &info->elastic);
      continue;
    }
    exact_sum_add(&energy, 0.5 * mass * vec3_dot(bodies->velocity[i], bodies->velocity[i]));
    exact_sum_add(&energy, 0.5 * vec3_dot(spin, mat3_mul(inertia, spin)));
  }
  bodies->elastic = NULL;
  elastic_destroy(&elastic);
  shape_set_destroy(&shapes);
  InfoElastic *of = &info->elastic;
  agree_on_largest(&info->displacement, c);
  agree_on_largest(&of->displacement, c);
  agree_on_largest(&of->mises, c);
  of->bodies = par_sum(of->bodies);
  of->nodes = par_sum(of->nodes);
  of->cells = par_sum(of->cells);
  exact_sum_reduce(&energy, 1);
  exact_sum_reduce(&elastic_energy, 1);
  info->kinetic_energy = exact_sum_value(&energy);
  info->elastic_energy = exact_sum_value(&elastic_energy);
}

static int split_lines(char *text, const char **lines)
{
  int count = 0;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) lines[count++] = line;
  return count;
}

// what the state says together with its case
static int read_bodies(const char *folder, const Case *c, Info *info)
{
  State state = world_state_new();
  const int64_t step = info->survey.header.step;
  const bool read = checkpoint_read_step(folder, step, c, &state);
  if (read) {
    const Case *stage = scene_stage(c, state.stage.index);
    if (stage->origin) *stage->origin = state.stage.first_time;
    measure_bodies(stage, &state, info);
    info->born = scene_born(c, step);
    info->case_known = true;
  }
  state_destroy(&state);
  return read ? EXIT_DONE : EXIT_IO;
}

// reads the case that the checkpoint carries; a mesh or a record may be elsewhere now
static int read_case(const char *folder, Info *info)
{
  const char *file = info->survey.file;
  CheckpointCase carried;
  if (!checkpoint_case(file, &carried)) return EXIT_IO;
  char *overrides = memory_copy_string(carried.overrides);
  const char **lines = memory_allocate((strlen(overrides) + 1) * sizeof *lines);
  const CaseOptions options = {.override_count = split_lines(overrides, lines),
                               .overrides = lines,
                               .read_mesh = mesh_read_shared,
                               .read_record = record_share_all};
  Case c = {0};
  char error[2048] = "";
  const bool parsed = case_parse((CaseFile){carried.path, carried.text, strlen(carried.text)},
                                 &options, &c, (ErrorText){error, sizeof error});
  const char *refusal = parsed ? scene_prepare(&c) : error;
  if (!refusal && !case_elastic_make(&c, (ErrorText){error, sizeof error})) refusal = error;
  if (!refusal && c.elastic_meshes && strcmp(c.meshes, carried.meshes) != 0)
    refusal = "cells of its bodies, or its meshes, are others here";
  int code = EXIT_DONE;
  if (refusal)
    log_warning("%s: the case it carries cannot be read here, so that displacements and energy are "
                "not known: %s",
                file, refusal);
  else code = read_bodies(folder, &c, info);
  if (parsed) case_destroy(&c);
  memory_free(lines);
  memory_free(overrides);
  checkpoint_case_end(&carried);
  return code;
}

static const char *verdict_word(CheckpointVerdict verdict)
{
  return verdict == VERDICT_SOUND ? "sound" : verdict == VERDICT_DAMAGED ? "damaged" : "incomplete";
}

// What people call the rows of a table.
static const char *rows_word(const char *name)
{
  return strcmp(name, CONTACTS_SCHEMA.name) == 0 ? "contact points" : name;
}

// The stages of the run that have ended.
static void add_stages(const Info *info, Value *all)
{
  if (info->stage_count == 0) return;
  Value *list = values_list(all, "stages");
  for (int i = 0; i < info->stage_count; i++) {
    const Outcome *o = &info->stages[i];
    if (o->step > info->survey.header.step) break;
    Value *entry = values_group(list, NULL);
    values_text(entry, "stage", o->stage);
    values_add(entry, "kind %s verdict %s step %lld time %g value %g limit %g",
               outcome_name(o->kind), outcome_verdict_name(outcome_verdict(o->kind)),
               (long long)o->step, o->time, o->value, o->limit);
  }
}

// What the forces of the end are: null where nothing is known.
static void add_forces(const Info *info, Value *outcome)
{
  const Forces f = info->forces;
  static const char *const words[] = {NULL, "unique", "one of many", "open"};
  values_text(outcome, "forces", words[f.kind]);
  values_add(outcome, "points %lld rigid %lld", (long long)f.closed, (long long)f.rigid);
  Value *list = values_list(outcome, "thrusts");
  for (int k = 0; k < f.thrust_count; k++) {
    const ForcesThrust *t = &f.thrusts[k];
    const bool told = !*f.untold;
    Value *one = values_group(list, NULL);
    values_add(one, "way %g %g %g now %g", t->way.x, t->way.y, t->way.z, t->now);
    values_add(one, "least %g most %g", told && t->least_is == LIMIT_FOUND ? t->least : NAN,
               told && t->most_is == LIMIT_FOUND ? t->most : NAN);
  }
  values_text(outcome, "untold", *f.untold ? f.untold : NULL);
}

static void add_elastic(const InfoElastic *of, Value *all)
{
  if (of->bodies == 0) return;
  Value *group = values_group(all, "finite_elements");
  values_add(group, "bodies %lld nodes %lld cells %lld", (long long)of->bodies,
             (long long)of->nodes, (long long)of->cells);
  values_add(group, "largest_displacement %g displaced_body %lld", of->displacement.value,
             (long long)of->displacement.id);
  values_text(group, "displaced_name", *of->displacement.name ? of->displacement.name : NULL);
  values_add(group, "largest_von_mises %g stressed_body %lld", of->mises.value,
             (long long)of->mises.id);
  values_text(group, "stressed_name", *of->mises.name ? of->mises.name : NULL);
}

static Value *values_of(const Info *info, Arena *arena)
{
  const CheckpointSurvey *s = &info->survey;
  Value *all = values_new(arena), *checkpoints = values_list(all, "checkpoints");
  for (int i = 0; i < s->count; i++) {
    const CheckpointReport *report = &s->reports[i];
    Value *entry = values_group(checkpoints, NULL);
    values_add(entry, "of_step %lld verdict %s", (long long)report->step,
               verdict_word(report->verdict));
    values_text(entry, "reason", *report->reason ? report->reason : NULL);
  }
  if (s->sound < 0) return all;
  values_add(all, "-file %s step %lld time %g", s->file, (long long)s->header.step, s->header.time);
  for (int t = 0; t < s->table_count; t++)
    values_integer(all, s->tables[t].name, s->tables[t].rows);
  if (info->case_known) {
    const long long born = (long long)info->born, farthest = (long long)info->displacement.id;
    const long long present = values_find(all, BODIES_SCHEMA.name)->integer;
    values_add(all, "born %lld removed %lld", born, born - present);
    values_add(all, "largest_displacement %g", info->displacement.value);
    values_add(all, "farthest_body %lld kinetic_energy %g elastic_energy %g", farthest,
               info->kinetic_energy, info->elastic_energy);
    add_elastic(&info->elastic, all);
  }
  if (info->unsolved >= 0) values_integer(all, "unsolved", info->unsolved);
  if (info->halved >= 0) values_integer(all, "halved", info->halved);
  const Outcome *o = &info->outcome;
  if (o->kind != OUTCOME_NONE) {
    Value *outcome = values_group(all, "outcome");
    values_add(outcome, "kind %s verdict %s", outcome_name(o->kind),
               outcome_verdict_name(outcome_verdict(o->kind)));
    values_add(outcome, "value %g limit %g", o->value, o->limit);
    add_forces(info, outcome);
  }
  add_stages(info, all);
  char hash[33];
  hash_to_text(s->header.hash, hash);
  values_add(all, "hash %s", hash);
  return all;
}

// every generation, then the state of the newest sound one
static void print_text(const Info *info, const Value *all)
{
  const CheckpointSurvey *s = &info->survey;
  const Value *checkpoints = values_find(all, "checkpoints");
  for (const Value *entry = checkpoints->first; entry; entry = entry->next)
    values_print(entry, "checkpoint of step    {of_step}, {verdict}<: {reason}>\n");
  if (s->sound < 0) return;
  values_print(all, "checkpoint            {-file}, verified\n"
                    "step                  {step}, t = {time:.9g} s\n"
                    "bodies                {bodies} present");
  values_print(all, info->case_known ? ", {born} born, {removed} removed\n" : "\n");
  for (int t = 0; t < s->table_count; t++)
    if (strcmp(s->tables[t].name, BODIES_SCHEMA.name) != 0)
      printf("%-21s %lld\n", rows_word(s->tables[t].name), (long long)s->tables[t].rows);
  if (info->unsolved >= 0 && info->halved >= 0)
    values_print(all, "steps                 {unsolved} unsolved, {halved} made in halves\n");
  for (const Value *entry = info->stage_count > 0 ? values_find(all, "stages")->first : NULL; entry;
       entry = entry->next)
    values_print(entry, "stage                 {stage}: {verdict}, {kind} at step {step}\n");
  if (!info->case_known) return;
  values_print(all,
               info->displacement.any
                   ? "largest displacement  {largest_displacement:.6g} m, body {farthest_body}\n"
                   : "largest displacement  none, no dynamic body is there\n");
  values_print(all, "kinetic energy        {kinetic_energy:.6g} J\n");
  if (info->elastic.bodies == 0) return;
  values_print(values_find(all, "finite_elements"),
               "finite elements       {bodies} bodies, {nodes} nodes, {cells} cells\n"
               "largest deformation   {largest_displacement:.6g} m, body {displaced_body}"
               "< {displaced_name}>\n"
               "largest von Mises     {largest_von_mises:.6g} Pa, body {stressed_body}"
               "< {stressed_name}>\n");
}

// What the history tells of the steps before the checkpoint.
static void count_steps(const char *folder, Info *info)
{
  assert(folder != NULL && "a folder has a name");
  info->unsolved = info->halved = -1;
  if (par_rank() != 0 || info->survey.sound < 0) return;
  Arena arena = arena_new();
  const size_t bytes = strlen(folder) + sizeof "/" RESULTS_HISTORY;
  char *path = arena_allocate(&arena, bytes);
  snprintf(path, bytes, "%s/%s", folder, RESULTS_HISTORY);
  info->unsolved = history_sum(path, "unsolved", info->survey.header.step);
  info->halved = history_sum(path, "halved", info->survey.header.step);
  arena_destroy(&arena);
  DiskStatus status = {0};
  OutcomeTold told = {.most = MOST_STAGES, .of = info->stages};
  info->outcome = outcome_read(folder, NULL, &told, &status);
  info->forces = told.forces;
  info->stage_count = told.count;
  if (info->outcome.step != info->survey.header.step) info->outcome.kind = OUTCOME_NONE;
}

static void print_info(const InfoOptions *o, const Info *info)
{
  if (par_rank() != 0) return;
  Arena arena = arena_new();
  const Value *all = values_of(info, &arena);
  if (o->json) values_json(all, false);
  else print_text(info, all);
  if (info->survey.sound >= 0 && (!o->json || o->hash)) values_print(all, "{hash}\n");
  arena_destroy(&arena);
}

// what was asked for is damaged, whatever else is sound
static bool say_damage(const char *folder, const CheckpointSurvey *survey)
{
  assert(survey->count >= 0 && survey->sound < survey->count &&
         "a sound checkpoint is one of those");
  int newest = 0;
  while (newest < survey->count && survey->reports[newest].verdict == VERDICT_INCOMPLETE) newest++;
  if (newest == survey->count || survey->reports[newest].verdict == VERDICT_SOUND) return true;
  const CheckpointReport *report = &survey->reports[newest];
  char instead[64] = "; there is no other";
  if (survey->sound >= 0)
    snprintf(instead, sizeof instead, "; a restart goes on from step %lld",
             (long long)survey->header.step);
  return all_ok(false, "%s: the checkpoint of step %lld is damaged: %s%s", folder,
                (long long)report->step, report->reason, instead);
}

static int show_folder(const InfoOptions *options, const char *folder, Info *info)
{
  assert(options->only >= -1 && "checkpoints are of steps");
  if (results_are_half_removed(folder))
    log_warning("%s: a run with --overwrite had begun to remove these results", folder);
  State like = world_state_new();
  const CheckpointStatus status = checkpoint_survey(folder, options->only, &like, &info->survey);
  state_destroy(&like);
  if (status == CHECKPOINT_NONE) {
    all_ok(false, "%s holds no complete checkpoint", options->path);
    return EXIT_USER;
  }
  int code = status == CHECKPOINT_READ ? read_case(folder, info) : EXIT_IO;
  count_steps(folder, info);
  if (code == EXIT_DONE || status != CHECKPOINT_READ) print_info(options, info);
  if (!say_damage(folder, &info->survey)) code = EXIT_IO;
  return code;
}

int command_info(int count, char **words)
{
  InfoOptions options = {.only = -1};
  char folder[4096];
  if (!options_read(&COMMAND_INFO_OPTIONS, count, words, &options) ||
      !find_folder(&options, folder, sizeof folder))
    return EXIT_USER;
  Info *info = memory_allocate_zero(1, sizeof *info);
  const int code = show_folder(&options, folder, info);
  checkpoint_survey_end(&info->survey);
  memory_free(info);
  return code;
}
