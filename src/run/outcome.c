// Judges the end of a run, and keeps it as JSON.
#include "outcome.h"

#include <assert.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "case_start.h"
#include "crc32c.h"
#include "kind.h"
#include "log.h"
#include "memory.h"
#include "parallel.h"
#include "scene.h"
#include "shaken_base.h"
#include "supports.h"

#define MOST_BYTES 1048576   // of the file
#define RULE_BYTES 256

static const struct {
  const char *name;
  OutcomeVerdict verdict;
} kinds[] = {
    {"none", VERDICT_UNDECIDED},  {"rest", VERDICT_HOLDS},      {"end", VERDICT_HOLDS},
    {"displaced", VERDICT_FAILS}, {"energetic", VERDICT_FAILS}, {"unconverged", VERDICT_UNDECIDED},
    {"opened", VERDICT_FAILS},    {"forced", VERDICT_FAILS},    {"unfinished", VERDICT_UNDECIDED}};
enum { OUTCOME_KINDS = sizeof kinds / sizeof *kinds };

const char *outcome_name(OutcomeKind kind) { return kinds[kind].name; }

OutcomeVerdict outcome_verdict(OutcomeKind kind) { return kinds[kind].verdict; }

const char *outcome_verdict_name(OutcomeVerdict verdict)
{
  static const char *const names[] = {"holds", "fails", "undecided"};
  assert(verdict <= VERDICT_UNDECIDED && "a verdict is one of three");
  return names[verdict];
}

// ------------------------------------------------------------------------------------------------
// The judgement

// Where a dynamic body is counted from: where the case put it, or where it was as the stage began.
static vec3 reference_of(World *world, int row)
{
  const Bodies *b = &world->bodies;
  if (world->stage.index > 0) return b->reference[row];
  const Shape *shape = shape_set_get(&world->shapes, b->shape[row]);
  return scene_start(world->c, b->id[row], shape).centre;
}

// How far a dynamic body that counts is from there, at most, and which; a base that moves takes
// nothing along.
static double farthest(World *world, uint64_t *body)
{
  const Bodies *b = &world->bodies;
  const vec3 *since = world->stage.index > 0 ? b->reference : NULL;
  const vec3 base = shaken_base_displacement(world->c, b, since, &world->shapes);
  const BodySelection *on = &world->c->until.on;
  double most = 0;
  uint64_t first = UINT64_MAX;
  for (int i = 0; i < b->table.owned; i++) {
    if (b->drive[i] != DRIVE_DYNAMIC || kind_founded(b, i)) continue;
    if (!scene_selects(world->c, on, b->id[i])) continue;
    const vec3 moved = vec3_sub(b->position[i], reference_of(world, i));
    const double distance = vec3_norm(vec3_sub(moved, base));
    if (first != UINT64_MAX && !(distance > most)) continue;
    most = distance;
    first = b->id[i];
  }
  const double all = par_max(most);
  const bool mine = most == all && first != UINT64_MAX;
  *body = (uint64_t)par_min(mine ? (double)first : 1e300);
  return all;
}

// What the last step says but for the time of the stage.
static Outcome judge_step(World *world, int64_t unconverged)
{
  const UntilSettings *until = &world->c->until;
  const StepRecord *record = &world->record;
  Outcome outcome = {.step = world->step, .time = record->time};
  if (until->displacement > 0) {
    outcome.value = farthest(world, &outcome.body);
    outcome.limit = until->displacement;
    outcome.kind = OUTCOME_DISPLACED;
    if (outcome.value > outcome.limit) return outcome;
  }
  if (until->energy > 0) {
    outcome.value = record->kinetic;
    outcome.limit = until->energy;
    outcome.kind = OUTCOME_ENERGETIC;
    if (outcome.value > outcome.limit) return outcome;
  }
  if (until->opening.most > 0) {
    outcome.value = supports_opening(world, &until->opening);
    outcome.limit = until->opening.most;
    outcome.kind = OUTCOME_OPENED;
    if (outcome.value > outcome.limit) return outcome;
  }
  if (until->force.most > 0) {
    outcome.value = supports_force(world, &until->force);
    outcome.limit = until->force.most;
    outcome.kind = OUTCOME_FORCED;
    if (outcome.value > outcome.limit) return outcome;
  }
  if (until->unconverged > 0) {
    outcome.value = (double)unconverged;
    outcome.limit = until->unconverged;
    outcome.kind = OUTCOME_UNCONVERGED;
    if (outcome.value >= outcome.limit) return outcome;
  }
  if (until->unbalanced > 0) {
    outcome.value = record->unbalanced;
    outcome.limit = until->unbalanced;
    outcome.kind = OUTCOME_REST;
    if (outcome.value <= outcome.limit && record->solve.converged) return outcome;
  }
  outcome.kind = OUTCOME_NONE;
  return outcome;
}

// Whether the time of the stage, or of the run, is over after a step.
static bool is_over(const World *world, int64_t step)
{
  const double time = world->c->until.time, steps = (double)(step - world->stage.first_step);
  return time > 0 && steps * world->c->step >= time - 1e-9 * world->c->step;
}

static bool is_looked_at(const World *world, int64_t step)
{
  return (step - world->stage.first_step) % world->c->until.every == 0 || is_over(world, step);
}

bool outcome_may_come(const World *world)
{
  return world->c->until.given && is_looked_at(world, world->step + 1);
}

Outcome outcome_judge(World *world, int64_t unconverged)
{
  assert(world->c->until.given && unconverged >= 0 && "something may end the run");
  const bool over = is_over(world, world->step);
  Outcome outcome = {.kind = OUTCOME_NONE, .step = world->step, .time = world->record.time};
  if (is_looked_at(world, world->step)) outcome = judge_step(world, unconverged);
  if (outcome.kind != OUTCOME_NONE || !over) return outcome;
  return (Outcome){.kind = OUTCOME_END, .step = world->step, .time = world->record.time};
}

const char *outcome_line(const Case *c, const Outcome *o, char *text, size_t bytes)
{
  char name[CASE_START_NAME_BYTES];
  switch (o->kind) {
  case OUTCOME_NONE: snprintf(text, bytes, "nothing ended the run"); break;
  case OUTCOME_REST:
    snprintf(text, bytes, "at rest: unbalanced forces are %.3g of all, below %.3g", o->value,
             o->limit);
    break;
  case OUTCOME_END: snprintf(text, bytes, "its time is over, and nothing failed"); break;
  case OUTCOME_DISPLACED:
    snprintf(text, bytes, "%s moved by %.4g m, more than %.4g", case_start_name(c, o->body, name),
             o->value, o->limit);
    break;
  case OUTCOME_ENERGETIC:
    snprintf(text, bytes, "the kinetic energy is %.4g J, more than %.4g", o->value, o->limit);
    break;
  case OUTCOME_OPENED:
    snprintf(text, bytes, "the joint opened by %.4g m, more than %.4g", o->value, o->limit);
    break;
  case OUTCOME_FORCED:
    snprintf(text, bytes, "the support bears %.4g N, more than %.4g", o->value, o->limit);
    break;
  case OUTCOME_UNFINISHED:
    snprintf(text, bytes, "time.end came before it, and another stage was to follow");
    break;
  case OUTCOME_UNCONVERGED: snprintf(text, bytes, "%.0f steps did not converge", o->value); break;
  }
  return text;
}

// ------------------------------------------------------------------------------------------------
// The file

// A sum of the bodies that are meant, behind another one.
static uint32_t sum_of(const BodySelection *on, uint32_t sum)
{
  for (int i = 0; i < on->count; i++) {
    const BodySpan *span = &on->spans[i];
    const uint64_t words[] = {(uint64_t)span->group, span->begin, span->end};
    sum = crc32c(sum, words, sizeof words);
  }
  return sum;
}

// What the outcome depends on beside the state.
static void write_rule(const Case *c, char rule[RULE_BYTES])
{
  const UntilSettings *u = &c->until;
  const uint32_t sum = sum_of(&u->on, 0);
  char on[16] = "";
  if (u->on.given) snprintf(on, sizeof on, " %08" PRIx32, sum);
  int length = snprintf(rule, RULE_BYTES, "%.17g %.17g %.17g %d %d %.17g%s", u->unbalanced,
                        u->displacement, u->energy, u->unconverged, u->every, c->end, on);
  if (!c->stage_name || length >= RULE_BYTES) return;
  uint32_t whose = sum_of(&u->force.on, 0);
  for (int k = 0; k < 2 && u->opening.most > 0; k++) {
    const JointEnd end = u->opening.ends[k];
    whose =
        sum_of(&(BodySelection){true, 1, &(BodySpan){end.group, end.index, end.index + 1}}, whose);
  }
  snprintf(rule + length, (size_t)(RULE_BYTES - length), " %.17g %.17g %.17g %08" PRIx32, u->time,
           u->opening.most, u->force.most, whose);
}

// What came of each stage.
static json_t *json_of_stages(const OutcomeParts *stages)
{
  json_t *list = json_array();
  for (int i = 0; i < stages->count; i++) {
    const Outcome *o = &stages->of[i];
    const Case *c = &stages->whole->stages[i];
    char line[512], visible_line[LOG_VISIBLE_BYTES], visible_name[LOG_VISIBLE_BYTES];
    json_array_append_new(list,
                          json_pack("{s:s, s:s, s:s, s:s, s:I, s:f, s:f, s:f, s:I}", "stage",
                                    log_visible(c->stage_name, visible_name, sizeof visible_name),
                                    "outcome", outcome_name(o->kind), "verdict",
                                    outcome_verdict_name(outcome_verdict(o->kind)), "text",
                                    log_visible(outcome_line(c, o, line, sizeof line), visible_line,
                                                sizeof visible_line),
                                    "step", (json_int_t)o->step, "time", o->time, "value", o->value,
                                    "limit", o->limit, "id", (json_int_t)o->body));
  }
  return list;
}

void outcome_write(const Results *results, const Case *c, const Outcome *o,
                   const OutcomeParts *stages, DiskStatus *status)
{
  const bool moved = o->kind == OUTCOME_DISPLACED;
  char rule[RULE_BYTES], name[CASE_START_NAME_BYTES] = "", line[512];
  char visible_name[LOG_VISIBLE_BYTES], visible_line[LOG_VISIBLE_BYTES];
  write_rule(c, rule);
  if (moved) case_start_name(c, o->body, name);
  json_t *all = json_pack(
      "{s:s, s:s, s:s, s:I, s:f, s:f, s:f, s:o, s:o, s:s}", "outcome", outcome_name(o->kind),
      "verdict", outcome_verdict_name(outcome_verdict(o->kind)), "text",
      log_visible(outcome_line(c, o, line, sizeof line), visible_line, sizeof visible_line), "step",
      (json_int_t)o->step, "time", o->time, "value", o->value, "limit", o->limit, "id",
      moved ? json_integer((json_int_t)o->body) : json_null(), "body",
      moved ? json_string(log_visible(name, visible_name, sizeof visible_name)) : json_null(),
      "until", rule);
  if (all && stages->forces) json_object_set_new(all, "forces", forces_json(stages->forces));
  if (all && c->stage_name) json_object_set_new(all, "stages", json_of_stages(stages));
  char *text = all ? json_dumps(all, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
  if (!text) disk_fail(status, "%s/" RESULTS_OUTCOME ": cannot be put into words", results->path);
  else disk_replace(results->path, RESULTS_OUTCOME, text, strlen(text), status);
  free(text);
  json_decref(all);
}

static OutcomeKind kind_named(const char *name)
{
  for (int k = 1; k < OUTCOME_KINDS; k++)
    if (strcmp(name, kinds[k].name) == 0) return (OutcomeKind)k;
  return OUTCOME_NONE;
}

// The file of a folder (json_decref), NULL: there is none, or it fails into the status.
static json_t *load(const char *folder, DiskStatus *status)
{
  char *path = disk_path(folder, RESULTS_OUTCOME);
  size_t count = 0;
  char *text = disk_mark_of(path).there ? disk_read_whole(path, MOST_BYTES, &count, status) : NULL;
  json_t *all = text ? json_loadb(text, count, 0, NULL) : NULL;
  if (text && !all) disk_fail(status, "%s: it is no outcome of a run", path);
  memory_free(text);
  memory_free(path);
  return all;
}

// What the run and each of its stages have alike; false where something of it is missing.
static bool read_keys(json_t *from, Outcome *o)
{
  const char *kind = NULL;
  json_int_t step = 0, id = 0;
  if (json_unpack(from, "{s:s, s:I, s:F, s:F, s:F}", "outcome", &kind, "step", &step, "time",
                  &o->time, "value", &o->value, "limit", &o->limit) != 0)
    return false;
  o->kind = kind_named(kind);
  o->step = step;
  if (json_unpack(from, "{s:I}", "id", &id) == 0) o->body = (uint64_t)id;
  return true;
}

static void read_stages(const json_t *list, OutcomeTold *told)
{
  const int stages = (int)json_array_size(list);
  for (told->count = 0; told->count < told->most && told->count < stages; told->count++) {
    json_t *entry = json_array_get(list, (size_t)told->count);
    const char *stage = "";
    Outcome o = {.kind = OUTCOME_NONE};
    if (!read_keys(entry, &o) || json_unpack(entry, "{s:s}", "stage", &stage) != 0) return;
    snprintf(o.stage, sizeof o.stage, "%s", stage);
    told->of[told->count] = o;
  }
}

Outcome outcome_read(const char *folder, const Case *c, OutcomeTold *told, DiskStatus *status)
{
  assert((told->most == 0 || told->of) && "stages have room");
  Outcome outcome = {.kind = OUTCOME_NONE};
  char rule[RULE_BYTES] = "";
  const char *until = NULL;
  json_t *all = load(folder, status);
  const bool good = read_keys(all, &outcome) && json_unpack(all, "{s:s}", "until", &until) == 0;
  if (all && !good) disk_fail(status, "%s/" RESULTS_OUTCOME ": it is no outcome of a run", folder);
  read_stages(json_object_get(all, "stages"), told);
  told->forces = forces_of_json(json_object_get(all, "forces"));
  if (c) write_rule(c, rule);
  if (!good || (c && strcmp(rule, until) != 0)) outcome.kind = OUTCOME_NONE;
  json_decref(all);
  return outcome;
}
