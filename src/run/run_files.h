#pragma once
// The files of a run: folder of results, restart, tables, frames, checkpoints, hashes.
#include "frames.h"
#include "history.h"
#include "probes.h"
#include "rank_records.h"
#include "results.h"
#include "run.h"

typedef struct {
  const RunSetup *setup;
  World *world;
  Results results;
  Frames frames;
  History history, removed;
  Probes probes;
  History probed;   // their table, where there are any
  RankRecords rank_records;
  RankCounts counted;     // of this rank, when the last record was made
  int64_t counted_step;   // the last that a record covers
  int64_t last_checkpoint;
  bool tables_open;
} RunFiles;

// Collective. Makes and locks the folder, before there is a world. EXIT_DONE, else a code after one
// message, and nothing is open.
int run_files_open(RunFiles *files, const RunSetup *setup);

// Collective. Reads the newest valid checkpoint into the world, where one is asked for, and begins
// or goes on with all files. *last is its step, or -1. EXIT_DONE, or a code after one message.
int run_files_begin(RunFiles *files, World *world, int64_t *last);

// Local. Records of ranks count from here on.
void run_files_count(RunFiles *files);

// Collective. A stage ends: the record of the ranks does, too; false after one message.
bool run_files_end_stage(RunFiles *files);

// Local. A stage has begun: files tell of its keys from here on.
void run_files_stage(RunFiles *files);

// Local. Lines of the last step.
void run_files_lines(RunFiles *files);

// Collective. The line of the probes after the last step.
void run_files_probes(RunFiles *files);

// Collective. The record of the ranks after the last step; false after one message.
bool run_files_record(RunFiles *files);

// Local. Whether the state is to become a frame.
bool run_files_frame_is_due(const RunFiles *files);
// Local. The same of the state after the coming step.
bool run_files_frame_comes(const RunFiles *files);

// Collective. The state as a frame or checkpoint; false after one message.
bool run_files_frame(RunFiles *files);
bool run_files_checkpoint(RunFiles *files);

// Collective. Completes tables and hashes: with EXIT_IO nothing more is said of them. Returns the
// code, or EXIT_IO after one message.
int run_files_end(RunFiles *files, int code);

// Collective. Closes what run_files_open and run_files_begin opened.
void run_files_close(RunFiles *files);
