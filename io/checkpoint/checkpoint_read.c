// Finds the newest sound checkpoint of a folder, reads it, or says why none is sound.
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bodies.h"
#include "checkpoint.h"
#include "checkpoint_case.h"
#include "generation.h"
#include "id_range.h"
#include "memory.h"
#include "migrate.h"
#include "parallel.h"
#include "scene.h"

static CheckpointHeader header_of(const Manifest *manifest)
{
  CheckpointHeader header = {.step = manifest->header.step, .time = manifest->header.time};
  hash_from_text(manifest->header.hash, &header.hash);
  snprintf(header.writer, sizeof header.writer, "%s", manifest->writer);
  return header;
}

// Data files tell of checkpoints that lost their manifests; one alone may just not have been
// completed.
static bool has_lost_manifests(const Generations *there)
{
  return there->count == 0 && there->orphan_count > 1;
}

// Collective. The newest generation that is sound.
static CheckpointStatus read_newest(const char *folder, Manifest *manifest, State *state)
{
  assert(state->table_count > 0 && state->table_count <= STATE_TABLES && "a state has tables");
  DiskStatus status = {0};
  Generations there = generation_list(folder, &status);
  const bool listed = all_ok(!status.failed, "cannot look for checkpoints: %s", status.reason);
  const bool lost = listed && has_lost_manifests(&there);
  if (lost) all_ok(false, "the checkpoints in %s have lost their manifests", folder);
  CheckpointStatus result =
      there.count > 0 || lost || !listed ? CHECKPOINT_DAMAGED : CHECKPOINT_NONE;
  for (int i = there.count - 1; i >= 0 && listed && result != CHECKPOINT_READ; i--) {
    const bool sound = generation_read(folder, there.steps[i], manifest, state, &status);
    if (sound) result = CHECKPOINT_READ;
    else
      all_ok(false, "the checkpoint of step %" PRId64 " is damaged: %s", there.steps[i],
             status.reason);
  }
  generation_list_end(&there);
  return result;
}

// The body whose range a row goes to, which will own it.
static uint64_t home_of(const Case *c, const Table *table, int row)
{
  assert(row >= 0 && row < table->owned && "a row has a number");
  const uint64_t *ids;
  const int count = table_bodies(table, row, &ids);
  int32_t drives[BODIES_OF_ROW];
  assert(count <= BODIES_OF_ROW && "a row is of few bodies");
  // (no body has the id of space)
  for (int k = 0; k < count; k++)
    drives[k] = ids[k] < c->body_count ? scene_body(c, ids[k]).drive : DRIVE_FIXED;
  return ids[bodies_owner(drives, count)];
}

// Collective. Rows of a table to the ranks that hold the ids of their bodies.
static void send_home(const Case *c, Table *table)
{
  Arena arena = arena_new();
  const int rows = table->owned;
  int *ranks = arena_allocate(&arena, (size_t)rows * sizeof *ranks);
  for (int i = 0; i < rows; i++)
    ranks[i] = id_range_rank(c->body_count, home_of(c, table, i), par_size());
  migrate_rows(table, ranks, FIELD_MOVED, &arena);
  table_sort(table, 0, table->owned);
  arena_destroy(&arena);
}

// Collective. Rows to their ranks, with what follows from the case.
static void complete_rows(const Case *whole, State *state)
{
  const Case *c = scene_stage(whole, state->stage.index);
  for (int t = 0; t < state->table_count; t++) send_home(c, state->tables[t]);
  Bodies *bodies = bodies_of(state);
  for (int i = 0; i < bodies->table.owned; i++) {
    const BodyRecipe recipe = scene_body(c, bodies->id[i]);
    bodies->drive[i] = recipe.drive;
    bodies->material[i] = recipe.material;
    bodies->shape[i] = recipe.shape;
    bodies_set_kind(bodies, i, recipe.kind);
  }
}

CheckpointStatus checkpoint_read(const char *folder, const Case *c, const CaseAllowance *allowed,
                                 State *state, CheckpointHeader *header)
{
  assert(folder != NULL && header != NULL && "a checkpoint has a folder");
  Manifest manifest;
  CheckpointStatus status = read_newest(folder, &manifest, state);
  if (status != CHECKPOINT_READ) return status;
  *header = header_of(&manifest);
  manifest_end(&manifest);
  status = checkpoint_case_compare(folder, header, c, allowed);
  if (status == CHECKPOINT_READ && !checkpoint_case_fits(folder, header, c, state))
    status = CHECKPOINT_OTHER_CASE;
  if (status == CHECKPOINT_READ) complete_rows(c, state);
  else state_clear(state);
  return status;
}

bool checkpoint_read_step(const char *folder, int64_t step, const Case *c, State *state)
{
  assert(folder != NULL && step >= 0 && "a checkpoint has a folder and a step");
  Manifest manifest;
  DiskStatus status;
  if (!generation_read(folder, step, &manifest, state, &status))
    return all_ok(false, "the checkpoint of step %" PRId64 " is damaged: %s", step, status.reason);
  const CheckpointHeader header = header_of(&manifest);
  manifest_end(&manifest);
  const bool fits = checkpoint_case_fits(folder, &header, c, state);
  if (fits) complete_rows(c, state);
  else state_clear(state);
  return fits;
}

// ------------------------------------------------------------------------------------------------
// All generations, for drystone info.

// Collective. A manifest that is gone by now was removed by the run that writes here.
static bool is_gone(const char *folder, int64_t step)
{
  bool gone = false;
  if (par_rank() == 0) {
    char *path = generation_path(folder, RESULTS_MANIFEST, step);
    gone = access(path, F_OK) != 0;
    memory_free(path);
  }
  par_broadcast(&gone, sizeof gone, 0);
  return gone;
}

// Collective. Verifies one generation; what a sound one holds is kept when it is the first.
static void report_generation(const char *folder, int64_t step, const State *like,
                              CheckpointSurvey *survey)
{
  assert(step >= 0 && survey->reports != NULL && "a generation has a step");
  State state = state_new_like(like);
  Manifest manifest;
  DiskStatus status;
  const bool sound = generation_read(folder, step, &manifest, &state, &status);
  state_destroy(&state);
  if (!sound && is_gone(folder, step)) return;
  CheckpointReport *report = &survey->reports[survey->count];
  *report = (CheckpointReport){.step = step, .verdict = sound ? VERDICT_SOUND : VERDICT_DAMAGED};
  if (!sound) snprintf(report->reason, sizeof report->reason, "%s", status.reason);
  if (sound && survey->sound < 0) {
    survey->sound = survey->count;
    survey->header = header_of(&manifest);
    survey->table_count = manifest.header.table_count;
    memcpy(survey->tables, manifest.header.tables, sizeof survey->tables);
    survey->file = generation_path(folder, RESULTS_CHECKPOINT, step);
  }
  survey->count++;
  if (sound) manifest_end(&manifest);
}

CheckpointStatus checkpoint_survey(const char *folder, int64_t only, const State *like,
                                   CheckpointSurvey *survey)
{
  assert(only >= -1 && like->table_count > 0 && "one step is asked for, or all");
  *survey = (CheckpointSurvey){.sound = -1};
  DiskStatus status = {0};
  Generations there = generation_list(folder, &status);
  const bool listed = all_ok(!status.failed, "cannot look for checkpoints: %s", status.reason);
  const bool lost = has_lost_manifests(&there);
  const size_t most = (size_t)there.count + (size_t)there.orphan_count;
  survey->reports = memory_allocate_zero(most + 1, sizeof *survey->reports);
  bool complete = false;
  for (int i = there.count - 1, k = there.orphan_count - 1; i >= 0 || k >= 0;) {
    const bool orphan = i < 0 || (k >= 0 && there.orphans[k] > there.steps[i]);
    const int64_t step = orphan ? there.orphans[k--] : there.steps[i--];
    if (only >= 0 && step != only) continue;
    if (!orphan) {
      const int before = survey->count;
      report_generation(folder, step, like, survey);
      complete = complete || survey->count > before;   // what was pruned meanwhile is no damage
      continue;
    }
    CheckpointReport *report = &survey->reports[survey->count++];
    *report = (CheckpointReport){step, lost ? VERDICT_DAMAGED : VERDICT_INCOMPLETE, ""};
    snprintf(report->reason, sizeof report->reason,
             lost ? "its manifest is lost" : "it has no manifest, so it was never completed");
  }
  assert((size_t)survey->count <= most && "reports have room");
  generation_list_end(&there);
  if (survey->sound >= 0) return CHECKPOINT_READ;
  return complete || lost || !listed ? CHECKPOINT_DAMAGED : CHECKPOINT_NONE;
}

void checkpoint_survey_end(CheckpointSurvey *survey)
{
  memory_free(survey->reports);
  memory_free(survey->file);
  *survey = (CheckpointSurvey){.sound = -1};
}
