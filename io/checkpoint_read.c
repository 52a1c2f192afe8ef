#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "body_block.h"
#include "checkpoint.h"
#include "checkpoint_case.h"
#include "generation.h"
#include "memory.h"
#include "migrate.h"
#include "parallel.h"
#include "scene.h"

static void forget_rows(Bodies *bodies, Contacts *contacts)
{
  bodies->table.owned = bodies->table.count = 0;
  contacts->table.owned = contacts->table.count = 0;
}

static CheckpointHeader header_of(const Manifest *manifest)
{
  CheckpointHeader header = {.step = manifest->header.step,
                             .time = manifest->header.time,
                             .solver = manifest->header.solver};
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
static CheckpointStatus read_newest(const char *folder, Manifest *manifest, Bodies *bodies,
                                    Contacts *contacts)
{
  DiskStatus status = {0};
  Generations there = generation_list(folder, &status);
  const bool listed = all_ok(!status.failed, "cannot look for checkpoints: %s", status.reason);
  const bool lost = listed && has_lost_manifests(&there);
  if (lost) all_ok(false, "the checkpoints in %s have lost their manifests", folder);
  CheckpointStatus result =
      there.count > 0 || lost || !listed ? CHECKPOINT_DAMAGED : CHECKPOINT_NONE;
  for (int i = there.count - 1; i >= 0 && listed && result != CHECKPOINT_READ; i--) {
    const bool sound = generation_read(folder, there.steps[i], manifest, bodies, contacts, &status);
    if (sound) result = CHECKPOINT_READ;
    else
      all_ok(false, "the checkpoint of step %" PRId64 " is damaged: %s", there.steps[i],
             status.reason);
  }
  generation_list_end(&there);
  return result;
}

// Collective. Bodies to the rank that holds the block of their ids.
static void send_bodies_home(const Case *c, Bodies *bodies)
{
  Arena arena = arena_new();
  const int rows = bodies->table.owned;
  int *ranks = arena_allocate(&arena, (size_t)rows * sizeof *ranks);
  for (int i = 0; i < rows; i++)
    ranks[i] = body_block_rank(c->body_count, bodies->id[i], par_size());
  migrate_rows(&bodies->table, ranks, BODY_SENT | FIELD_CARRIED, &arena);
  bodies_sort(bodies, &arena);
  arena_destroy(&arena);
}

// Collective. Contacts to the block of their lower-id dynamic body, which will own them.
static void send_contacts_home(const Case *c, Contacts *contacts)
{
  Arena arena = arena_new();
  const int rows = contacts->table.owned;
  int *ranks = arena_allocate(&arena, (size_t)rows * sizeof *ranks);
  for (int i = 0; i < rows; i++) {
    const IdPair pair = contacts->bodies[i];
    const uint64_t id = scene_body(c, pair.low).kind == BODY_DYNAMIC ? pair.low : pair.high;
    ranks[i] = body_block_rank(c->body_count, id, par_size());
  }
  migrate_rows(&contacts->table, ranks, CONTACT_SENT, &arena);
  contacts_sort(contacts, 0, contacts->table.owned);
  arena_destroy(&arena);
}

// Collective. Rows to their ranks, with what follows from the case.
static void complete_rows(const Case *c, Bodies *bodies, Contacts *contacts)
{
  send_bodies_home(c, bodies);
  for (int i = 0; i < bodies->table.owned; i++) {
    const BodyRecipe recipe = scene_body(c, bodies->id[i]);
    bodies->kind[i] = recipe.kind;
    bodies->material[i] = recipe.material;
    bodies->shape[i] = recipe.shape;
  }
  send_contacts_home(c, contacts);
}

CheckpointStatus checkpoint_read(const char *folder, const Case *c, const CaseAllowance *allowed,
                                 CheckpointHeader *header, Bodies *bodies, Contacts *contacts)
{
  Manifest manifest;
  CheckpointStatus status = read_newest(folder, &manifest, bodies, contacts);
  if (status != CHECKPOINT_READ) return status;
  *header = header_of(&manifest);
  manifest_end(&manifest);
  status = checkpoint_case_compare(folder, header, c, allowed);
  if (status == CHECKPOINT_READ && !checkpoint_case_fits(folder, header, c, bodies))
    status = CHECKPOINT_OTHER_CASE;
  if (status == CHECKPOINT_READ) complete_rows(c, bodies, contacts);
  else forget_rows(bodies, contacts);
  return status;
}

bool checkpoint_read_step(const char *folder, int64_t step, const Case *c, CheckpointHeader *header,
                          Bodies *bodies, Contacts *contacts)
{
  Manifest manifest;
  DiskStatus status;
  if (!generation_read(folder, step, &manifest, bodies, contacts, &status))
    return all_ok(false, "the checkpoint of step %" PRId64 " is damaged: %s", step, status.reason);
  *header = header_of(&manifest);
  manifest_end(&manifest);
  const bool fits = checkpoint_case_fits(folder, header, c, bodies);
  if (fits) complete_rows(c, bodies, contacts);
  else forget_rows(bodies, contacts);
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
static void report_generation(const char *folder, int64_t step, CheckpointSurvey *survey)
{
  Bodies bodies = {0};
  Contacts contacts = {0};
  bodies_begin(&bodies);
  contacts_begin(&contacts);
  Manifest manifest;
  DiskStatus status;
  const bool sound = generation_read(folder, step, &manifest, &bodies, &contacts, &status);
  contacts_end(&contacts);
  bodies_end(&bodies);
  if (!sound && is_gone(folder, step)) return;
  CheckpointReport *report = &survey->reports[survey->count];
  *report = (CheckpointReport){.step = step, .verdict = sound ? VERDICT_SOUND : VERDICT_DAMAGED};
  if (!sound) snprintf(report->reason, sizeof report->reason, "%s", status.reason);
  if (sound && survey->sound < 0) {
    survey->sound = survey->count;
    survey->header = header_of(&manifest);
    survey->bodies = (uint64_t)manifest.header.bodies;
    survey->contacts = (uint64_t)manifest.header.contacts;
    survey->file = generation_path(folder, RESULTS_CHECKPOINT, step);
  }
  survey->count++;
  if (sound) manifest_end(&manifest);
}

CheckpointStatus checkpoint_survey(const char *folder, int64_t only, CheckpointSurvey *survey)
{
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
      report_generation(folder, step, survey);
      complete = complete || survey->count > before;   // what was pruned meanwhile is no damage
      continue;
    }
    CheckpointReport *report = &survey->reports[survey->count++];
    *report = (CheckpointReport){step, lost ? VERDICT_DAMAGED : VERDICT_INCOMPLETE, ""};
    snprintf(report->reason, sizeof report->reason,
             lost ? "its manifest is lost" : "it has no manifest, so it was never completed");
  }
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
