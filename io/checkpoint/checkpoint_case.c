// Compares the case that a checkpoint carries with the case of the restart.
#include "checkpoint_case.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "bodies.h"
#include "generation.h"
#include "hdf5_reader.h"
#include "joints.h"
#include "log.h"
#include "memory.h"
#include "parallel.h"
#include "plural.h"
#include "scene.h"

enum { REFUSAL_BYTES = 3000, LOGGED_CHANGES = 20 };

// ------------------------------------------------------------------------------------------------
// Bodies and time.

// Collective. Whether the bodies read are those that the case has after that many steps: none that
// it does not have or that is yet to come; all others, but those that may have left its domain.
static bool has_bodies_of_case(const Case *c, int64_t step, const char *folder,
                               const Bodies *bodies)
{
  assert(step >= 0 && bodies->table.owned >= 0 && "a checkpoint has a step");
  const int64_t row_count = par_sum(bodies->table.owned);
  const uint64_t born = scene_born(c, step), rows = (uint64_t)row_count;
  bool fits = rows == born || (rows < born && c->domain.given);
  for (int i = 0; i < bodies->table.owned && fits; i++) {
    const uint64_t id = bodies->id[i];
    fits = id < c->body_count && scene_birth(c, id) < (step > 0 ? step : 1);
  }
  return all_ok(par_all(fits),
                "the checkpoint of step %" PRId64 " in %s has %" PRId64
                " bodies, and they are not those of the case, which has %" PRIu64
                " by then: give the case it was made from, or another folder",
                step, folder, row_count, born);
}

// Collective. Whether the joints read are between the bodies that the case has them between: names
// of bodies may have changed, by which it finds them.
static bool has_joints_of_case(const Case *c, int64_t step, const char *folder, const State *state)
{
  assert(step >= 0 && "a checkpoint has a step");
  bool fits = true;
  for (int t = 0; t < state->table_count; t++) {
    if (state->tables[t]->schema != &JOINTS_SCHEMA) continue;
    const Joints *joints = (const Joints *)state->tables[t];
    for (int i = 0; i < joints->table.owned && fits; i++)
      fits = joints->number[i] < (uint32_t)c->joint_row_count &&
             id_pair_equal(joints->bodies[i], c->joint_rows[joints->number[i]].bodies);
  }
  return all_ok(fits,
                "the checkpoint of step %" PRId64
                " in %s has joints between other bodies than the case: give the case it was made "
                "from, or another folder",
                step, folder);
}

// Collective. The time of the checkpoint is that of its step in this case: steps are counted.
static bool has_step_of_case(const Case *whole, const CheckpointHeader *header, const char *folder,
                             const State *state)
{
  const Case *c = scene_stage(whole, state->stage.index);
  const double time = state_time(state, c->step);
  return all_ok(header->time == time,
                "the checkpoint of step %" PRId64 " in %s is at t %.9g s, which with the time.step "
                "of the case, %.9g s, would be %.9g s: keep the step it was made with, or choose "
                "another folder",
                header->step, folder, header->time, c->step, time);
}

// Collective. The stage of the checkpoint is one of the case.
static bool has_stage(const Case *c, const CheckpointHeader *header, const char *folder,
                      const State *state)
{
  const int64_t index = state->stage.index;
  const bool stages = state_stage_any(&state->stage);
  return all_ok(!stages || index < c->stage_count,
                "the checkpoint of step %" PRId64 " in %s is in stage %" PRId64
                ", counted from 0, and the case has %d: give the case it was made with, or another "
                "folder",
                header->step, folder, index, c->stage_count);
}

bool checkpoint_case_fits(const char *folder, const CheckpointHeader *header, const Case *c,
                          const State *state)
{
  return has_stage(c, header, folder, state) && has_step_of_case(c, header, folder, state) &&
         has_bodies_of_case(c, header->step, folder, bodies_of(state)) &&
         has_joints_of_case(c, header->step, folder, state);
}

// ------------------------------------------------------------------------------------------------
// Keys.

// Says what has changed and is borne.
static void log_changes(const CaseChanges *changes, int64_t step)
{
  assert(changes->count >= 0 && changes->refused + changes->never == 0 && "changes are borne");
  int shown = 0;
  for (int i = 0; i < changes->count && shown < LOGGED_CHANGES; i++, shown++) {
    const CaseChange *change = &changes->changes[i];
    log_line("changed since the checkpoint of step %" PRId64 "%s: %s: was %s, is %s", step,
             change->verdict == CHANGE_ALLOWED ? ", as allowed" : "", change->key, change->was,
             change->is);
  }
  if (shown < changes->count)
    log_line("changed since the checkpoint of step %" PRId64 ": %d more %s", step,
             changes->count - shown, plural(changes->count - shown, "key", "keys"));
}

// Collective, with the same changes on all ranks.
static bool accept_changes(const char *folder, const CheckpointHeader *header, const Case *c,
                           const CaseChanges *changes)
{
  if (changes->refused + changes->never == 0) {
    log_changes(changes, header->step);
    return true;
  }
  char lines[REFUSAL_BYTES];
  case_changes_refusal(changes, lines, sizeof lines);
  return all_ok(false,
                "%s is not the case that the checkpoint of step %" PRId64
                " in %s was made with:\n%s\n%s",
                c->path, header->step, folder, lines,
                changes->never > 0
                    ? "a checkpoint cannot go on with what is marked as never; give the case it "
                      "was made with, or another folder with -o"
                    : "give the case it was made with, another folder with -o, or allow what shall "
                      "differ with --allow KEY (or the beginning of keys, as --allow solver)");
}

CheckpointStatus checkpoint_case_compare(const char *folder, const CheckpointHeader *header,
                                         const Case *c, const CaseAllowance *allowed)
{
  assert(folder != NULL && header->step >= 0 && "a checkpoint has a folder and a step");
  char *file = generation_path(folder, RESULTS_CHECKPOINT, header->step);
  CheckpointCase carried;
  const bool read = checkpoint_case(file, &carried);
  memory_free(file);
  if (!read) return CHECKPOINT_DAMAGED;

  Arena arena = arena_new();
  const CaseRestart restart = {
      .then = {carried.path, carried.text, carried.overrides, carried.meshes},
      .now = {c->path, c->text, c->overrides, c->meshes},
      .time = header->time,
      .allowed = allowed};
  CaseChanges changes;
  char error[1024] = "";
  CheckpointStatus status = CHECKPOINT_DAMAGED;
  if (all_ok(case_changes_find(&restart, &arena, &changes, (ErrorText){error, sizeof error}),
             "the case that the checkpoint of step %" PRId64 " in %s carries: %s", header->step,
             folder, error))
    status = accept_changes(folder, header, c, &changes) ? CHECKPOINT_READ : CHECKPOINT_OTHER_CASE;
  arena_destroy(&arena);
  checkpoint_case_end(&carried);
  return status;
}

// Collective. A text of rank 0 to everybody (memory_free).
static void share_text(char **text)
{
  size_t bytes = par_rank() == 0 ? strlen(*text) + 1 : 0;
  par_broadcast(&bytes, sizeof bytes, 0);
  if (par_rank() != 0) *text = memory_allocate(bytes);
  par_broadcast(*text, bytes, 0);
}

bool checkpoint_case(const char *file, CheckpointCase *carried)
{
  assert(file != NULL && carried != NULL && "a case has a file and a place");
  *carried = (CheckpointCase){0};
  DiskStatus status = {0};
  if (par_rank() == 0) {
    carried->path = hdf5_read_document(file, "case_path", &status);
    carried->text = hdf5_read_document(file, "case_text", &status);
    carried->overrides = hdf5_read_document(file, "overrides", &status);
    carried->meshes = hdf5_read_document(file, "meshes", &status);
  }
  if (!all_ok(!status.failed, "cannot read %s", status.reason)) {
    checkpoint_case_end(carried);
    return false;
  }
  share_text(&carried->path);
  share_text(&carried->text);
  share_text(&carried->overrides);
  share_text(&carried->meshes);
  return true;
}

void checkpoint_case_end(CheckpointCase *carried)
{
  memory_free(carried->path);
  memory_free(carried->text);
  memory_free(carried->overrides);
  memory_free(carried->meshes);
  *carried = (CheckpointCase){0};
}
