// drystone info: what is in a folder of results, verified down to the hash of the state.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "case_reader.h"
#include "checkpoint.h"
#include "command.h"
#include "command_json.h"
#include "exact_sum.h"
#include "log.h"
#include "memory.h"
#include "parallel.h"
#include "scene.h"

typedef struct {
  const char *path;
  int64_t only;   // step of the one checkpoint asked for, -1: all
  bool json, hash;
} InfoOptions;

typedef struct {
  CheckpointSurvey survey;
  bool case_known;               // what follows needs the case and the meshes it names
  uint64_t born;                 // bodies that have appeared, with those of the start
  double largest_displacement;   // of a centre of mass since its birth, dynamic bodies, m
  uint64_t farthest;             // the body
  bool any_dynamic;              // false: there is none
  double kinetic_energy;         // J
} Info;

static bool parse_words(int count, char **words, InfoOptions *o)
{
  *o = (InfoOptions){.only = -1};
  for (int i = 0; i < count; i++) {
    if (strcmp(words[i], "--json") == 0) o->json = true;
    else if (strcmp(words[i], "--hash") == 0) o->hash = true;
    else if (words[i][0] == '-')
      return all_ok(false, "unknown option %s; drystone --help lists the options", words[i]);
    else if (o->path)
      return all_ok(false, "two folders given, %s and %s; info takes one", o->path, words[i]);
    else o->path = words[i];
  }
  return o->path ||
         all_ok(false, "info needs a folder of results or a checkpoint: drystone info FOLDER");
}

// A folder of results, or one checkpoint in it by either of its files; false after one message.
static bool find_folder(InfoOptions *o, char *folder, size_t bytes)
{
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

// how far bodies are from where the case put them
static void measure_bodies(const Case *c, const Bodies *bodies, Info *info)
{
  ShapeSet shapes = shape_set_new(c->shapes, c->shape_count);
  double largest = 0;
  ExactSum energy = exact_sum_new();
  uint64_t farthest = UINT64_MAX;
  for (int i = 0; i < bodies->table.owned; i++) {
    if (bodies->kind[i] != BODY_DYNAMIC) continue;
    const BodyRecipe recipe = scene_body(c, bodies->id[i]);
    const Shape *shape = shape_set_get(&shapes, recipe.shape);
    const vec3 start = vec3_add(recipe.origin, mat3_mul(quat_to_mat3(recipe.turn), shape->center));
    const double distance = vec3_norm(vec3_sub(bodies->position[i], start));
    if (farthest == UINT64_MAX || distance > largest) {
      largest = distance;
      farthest = bodies->id[i];
    }
    const mat3 inertia = mat3_scale(c->materials[bodies->material[i]].density, shape->inertia);
    const vec3 spin = mat3_mul_transposed(quat_to_mat3(bodies->orientation[i]), bodies->spin[i]);
    const double mass = c->materials[bodies->material[i]].density * shape->volume;
    exact_sum_add(&energy, 0.5 * mass * vec3_dot(bodies->velocity[i], bodies->velocity[i]));
    exact_sum_add(&energy, 0.5 * vec3_dot(spin, mat3_mul(inertia, spin)));
  }
  shape_set_destroy(&shapes);
  info->largest_displacement = par_max(largest);
  const double mine =
      largest == info->largest_displacement && farthest != UINT64_MAX ? (double)farthest : 1e300;
  const double first = par_min(mine);
  info->any_dynamic = first < 1e300;
  info->farthest = info->any_dynamic ? (uint64_t)first : 0;
  exact_sum_reduce(&energy, 1);
  info->kinetic_energy = exact_sum_value(&energy);
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
  Bodies bodies = {0};
  Contacts contacts = {0};
  bodies_begin(&bodies);
  contacts_begin(&contacts);
  const int64_t step = info->survey.header.step;
  CheckpointHeader header;
  const bool read = checkpoint_read_step(folder, step, c, &header, &bodies, &contacts);
  if (read) {
    measure_bodies(c, &bodies, info);
    info->born = scene_born(c, step);
    info->case_known = true;
  }
  bodies_end(&bodies);
  contacts_end(&contacts);
  return read ? EXIT_DONE : EXIT_IO;
}

// reads the case that the checkpoint carries; a mesh may be elsewhere now
static int read_case(const char *folder, Info *info)
{
  const char *file = info->survey.file;
  CheckpointCase carried;
  if (!checkpoint_case(file, &carried)) return EXIT_IO;
  char *overrides = memory_copy_string(carried.overrides);
  const char **lines = memory_allocate((strlen(overrides) + 1) * sizeof *lines);
  const CaseOptions options = {.override_count = split_lines(overrides, lines),
                               .overrides = lines,
                               .read_mesh = mesh_read_shared};
  Case c = {0};
  char error[2048] = "";
  const bool parsed = case_parse(carried.path, carried.text, strlen(carried.text), &options, &c,
                                 error, sizeof error);
  const char *refusal = parsed ? scene_prepare(&c) : error;
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

// every generation, then the state of the newest sound one
static void print_text(const Info *info)
{
  const CheckpointSurvey *s = &info->survey;
  for (int i = 0; i < s->count; i++) {
    const CheckpointReport *report = &s->reports[i];
    printf("checkpoint of step    %lld, %s%s%s\n", (long long)report->step,
           verdict_word(report->verdict), *report->reason ? ": " : "", report->reason);
  }
  if (s->sound < 0) return;
  printf("checkpoint            %s, verified\n", s->file);
  printf("step                  %lld, t = %.9g s\n", (long long)s->header.step, s->header.time);
  printf("bodies                %llu present", (unsigned long long)s->bodies);
  if (info->case_known)
    printf(", %llu born, %llu removed", (unsigned long long)info->born,
           (unsigned long long)(info->born - s->bodies));
  printf("\ncontact points        %llu\n", (unsigned long long)s->contacts);
  if (!info->case_known) return;
  if (info->any_dynamic)
    printf("largest displacement  %.6g m, body %llu\n", info->largest_displacement,
           (unsigned long long)info->farthest);
  else puts("largest displacement  none, no dynamic body is there");
  printf("kinetic energy        %.6g J\n", info->kinetic_energy);
}

static json_t *json_of_reports(const CheckpointSurvey *survey)
{
  json_t *list = json_array();
  for (int i = 0; i < survey->count; i++) {
    const CheckpointReport *report = &survey->reports[i];
    json_t *entry = json_object();
    command_json_add(entry, "of_step", json_integer((json_int_t)report->step));
    command_json_add(entry, "verdict", json_string(verdict_word(report->verdict)));
    command_json_add(entry, "reason",
                     *report->reason ? command_json_text(report->reason) : json_null());
    json_array_append_new(list, entry);
  }
  return list;
}

static void print_json(const Info *info, const char *hash)
{
  const CheckpointSurvey *s = &info->survey;
  json_t *text = json_object();
  command_json_add(text, "checkpoints", json_of_reports(s));
  if (s->sound >= 0) {
    command_json_add(text, "step", json_integer((json_int_t)s->header.step));
    command_json_add(text, "time", command_json_number(s->header.time));
    command_json_add(text, "bodies", json_integer((json_int_t)s->bodies));
    command_json_add(text, "contacts", json_integer((json_int_t)s->contacts));
    if (info->case_known) {
      command_json_add(text, "born", json_integer((json_int_t)info->born));
      command_json_add(text, "removed", json_integer((json_int_t)(info->born - s->bodies)));
      command_json_add(text, "largest_displacement",
                       command_json_number(info->largest_displacement));
      command_json_add(text, "farthest_body", json_integer((json_int_t)info->farthest));
      command_json_add(text, "kinetic_energy", command_json_number(info->kinetic_energy));
    }
    command_json_add(text, "hash", command_json_text(hash));
  }
  command_json_print(text, false);
}

static void print_info(const InfoOptions *o, const Info *info)
{
  if (par_rank() != 0) return;
  char hash[33];
  hash_to_text(info->survey.header.hash, hash);
  if (o->json) print_json(info, hash);
  else print_text(info);
  if (info->survey.sound >= 0 && (!o->json || o->hash)) printf("%s\n", hash);
}

// what was asked for is damaged, whatever else is sound
static bool say_damage(const char *folder, const CheckpointSurvey *survey)
{
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
  if (results_are_half_removed(folder))
    log_warning("%s: a run with --overwrite had begun to remove these results", folder);
  const CheckpointStatus status = checkpoint_survey(folder, options->only, &info->survey);
  if (status == CHECKPOINT_NONE) {
    all_ok(false, "%s holds no complete checkpoint", options->path);
    return EXIT_USER;
  }
  int code = status == CHECKPOINT_READ ? read_case(folder, info) : EXIT_IO;
  if (code == EXIT_DONE || status != CHECKPOINT_READ) print_info(options, info);
  if (!say_damage(folder, &info->survey)) code = EXIT_IO;
  return code;
}

int command_info(int count, char **words)
{
  InfoOptions options;
  char folder[4096];
  if (!parse_words(count, words, &options) || !find_folder(&options, folder, sizeof folder))
    return EXIT_USER;
  Info *info = memory_allocate_zero(1, sizeof *info);
  const int code = show_folder(&options, folder, info);
  checkpoint_survey_end(&info->survey);
  memory_free(info);
  return code;
}
