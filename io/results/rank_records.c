// Writes files of counts by rank, and cuts them back on a restart.
#include "rank_records.h"

#include <assert.h>
#include <unistd.h>

#include "hdf5_reader.h"
#include "hdf5_writer.h"
#include "id_range.h"
#include "log.h"
#include "memory.h"
#include "parallel.h"

#define FORMAT "drystone ranks"
#define FORMAT_VERSION 1
#define SPANS "records"   // group of what is the same for all ranks
#define COUNTS "ranks"    // group of the ranks' counts

static const RankColumn SPAN_COLUMNS[2] = {
    {"step", "1", "last step that the record covers"},
    {"steps", "1", "number of steps that it covers"},
};

// Records of some ranks, as they go to a file or come from one.
typedef struct {
  uint64_t ranks, first_rank;        // of the file; whose values follow
  int rank_count, records, stride;   // here; from a rank's column to the next, numbers
  const uint64_t *last, *steps;      // [records]
  const uint64_t *values;            // [rank_count][columns][stride]
} RecordPiece;

// ------------------------------------------------------------------------------------------------
// Writing

static bool write_piece(const RankRecords *r, const RecordPiece *piece)
{
  assert(piece->records > 0 && piece->records <= RANK_RECORDS_MOST && "a file has records");
  assert(piece->rank_count >= 0 && piece->stride >= piece->records && "columns have room");
  if (!results_in_place(r->results)) return false;
  char *name = disk_numbered(RESULTS_RANKS, (int64_t)(piece->last[0] - piece->steps[0] + 1));
  Hdf5Writer w;
  hdf5_begin(&w, r->results->path, name);
  hdf5_add_provenance(&w, FORMAT, FORMAT_VERSION, r->c);
  hdf5_add_integer(&w, "/", "records", piece->records);
  hdf5_add_integer(&w, "/", "ranks", (int64_t)piece->ranks);
  const uint64_t records = (uint64_t)piece->records;
  for (int i = 0; i < 2; i++)
    hdf5_add_column(&w, (Hdf5Column){SPANS, SPAN_COLUMNS[i].name, SPAN_COLUMNS[i].unit,
                                     SPAN_COLUMNS[i].text, FIELD_U64, 1, records});
  for (int i = 0; i < r->column_count; i++)
    hdf5_add_column(&w, (Hdf5Column){COUNTS, r->columns[i].name, r->columns[i].unit,
                                     r->columns[i].text, FIELD_U64, piece->records, piece->ranks});
  hdf5_lay_out(&w);
  if (par_rank() == 0) {
    hdf5_write_rows(&w, 0, 0, records, piece->last);
    hdf5_write_rows(&w, 1, 0, records, piece->steps);
  }
  const uint64_t *values = piece->values;
  for (int k = 0; k < piece->rank_count; k++)
    for (int i = 0; i < r->column_count; i++, values += piece->stride)
      hdf5_write_rows(&w, 2 + i, piece->first_rank + (uint64_t)k, 1, values);
  memory_free(name);
  return hdf5_commit(&w);
}

bool rank_records_flush(RankRecords *r)
{
  assert(r->written >= 0 && r->written <= r->count && "records are written once");
  if (r->count == r->written) return true;
  const RecordPiece piece = {.ranks = (uint64_t)par_size(),
                             .first_rank = (uint64_t)par_rank(),
                             .rank_count = 1,
                             .records = r->count,
                             .stride = RANK_RECORDS_MOST,
                             .last = r->last,
                             .steps = r->steps,
                             .values = r->values};
  if (!write_piece(r, &piece)) return false;
  r->written = r->count;
  return true;
}

bool rank_records_add(RankRecords *r, int64_t step, int64_t steps, const uint64_t *values)
{
  assert(r->count >= 0 && r->count < RANK_RECORDS_MOST && "a record has room");
  assert(steps > 0 && step >= 0 && "a record covers steps");
  r->last[r->count] = (uint64_t)step;
  r->steps[r->count] = (uint64_t)steps;
  for (int i = 0; i < r->column_count; i++) r->values[i * RANK_RECORDS_MOST + r->count] = values[i];
  if (++r->count < RANK_RECORDS_MOST) return true;
  if (!rank_records_flush(r)) return false;
  r->count = r->written = 0;
  return true;
}

// ------------------------------------------------------------------------------------------------
// Going back

// Where things lie in a file that may have to be cut back.
typedef struct {
  int64_t records, ranks;
  uint64_t *last, *steps;   // [records] memory
  uint64_t *offsets;        // [columns] memory
} Stored;

static TableSchema describe(Field *fields, const char *name, const RankColumn *columns, int count,
                            int components)
{
  assert(count >= 0 && components > 0 && "columns have components");
  for (int i = 0; i < count; i++)
    fields[i] = (Field){
        .name = columns[i].name, .type = FIELD_U64, .components = components, .flags = FIELD_STATE};
  return (TableSchema){.name = name, .fields = fields, .field_count = count};
}

static Stored find_stored(const RankRecords *r, const char *path, DiskStatus *status)
{
  Stored s = {0};
  static const char *const names[2] = {SPANS "/step", COUNTS "/bodies"};
  int64_t rows[2];
  hdf5_read_rows(path, names, 2, rows, status);
  if (!status->failed && (rows[0] < 1 || rows[0] > RANK_RECORDS_MOST || rows[1] < 1))
    disk_fail(status, "%s: it holds no records", path);
  if (status->failed) return s;
  s.records = rows[0];
  s.ranks = rows[1];
  Field *fields = memory_allocate_zero((size_t)r->column_count + 2, sizeof *fields);
  uint64_t spans[2];
  const TableSchema spans_schema = describe(fields, SPANS, SPAN_COLUMNS, 2, 1);
  hdf5_locate_table(path, &spans_schema, (uint64_t)s.records, spans, status);
  s.offsets = memory_allocate_zero((size_t)r->column_count + 1, sizeof *s.offsets);
  const TableSchema counts = describe(fields, COUNTS, r->columns, r->column_count, (int)s.records);
  hdf5_locate_table(path, &counts, (uint64_t)s.ranks, s.offsets, status);
  memory_free(fields);
  const size_t bytes = (size_t)s.records * sizeof *s.last;
  s.last = memory_allocate_zero(1, bytes);
  s.steps = memory_allocate_zero(1, bytes);
  if (status->failed) return s;
  const int file = disk_open_read(path, status);
  disk_read_at((DiskFile){file, path}, s.last, bytes, spans[0], status);
  disk_read_at((DiskFile){file, path}, s.steps, bytes, spans[1], status);
  if (file >= 0) close(file);
  return s;
}

// what this rank writes of the first records of a file: those of a range of its ranks (memory)
static uint64_t *read_range(const RankRecords *r, const char *path, const Stored *s,
                            RecordPiece *piece, DiskStatus *status)
{
  assert(piece->records > 0 && piece->records <= s->records && "what is kept is part of the file");
  piece->first_rank = id_range_first(piece->ranks, par_rank(), par_size());
  piece->rank_count =
      (int)(id_range_first(piece->ranks, par_rank() + 1, par_size()) - piece->first_rank);
  const size_t bytes = (size_t)piece->records * sizeof(uint64_t);
  uint64_t *values =
      memory_allocate_zero((size_t)piece->rank_count * (size_t)r->column_count + 1, bytes);
  const int file = disk_open_read(path, status);
  for (int k = 0; k < piece->rank_count; k++)
    for (int i = 0; i < r->column_count; i++) {
      const uint64_t row = piece->first_rank + (uint64_t)k;
      disk_read_at((DiskFile){file, path},
                   values + (size_t)(k * r->column_count + i) * (size_t)piece->records, bytes,
                   s->offsets[i] + row * (uint64_t)s->records * sizeof(uint64_t), status);
    }
  if (file >= 0) close(file);
  return values;
}

// Collective. The file that begins with that step keeps what it has up to last_step.
static bool cut_back(const RankRecords *r, int64_t first, int64_t last_step)
{
  char *name = disk_numbered(RESULTS_RANKS, first), *path = disk_path(r->results->path, name);
  DiskStatus status = {0};
  const Stored s = find_stored(r, path, &status);
  int kept = 0;
  while (!status.failed && kept < s.records && s.last[kept] <= (uint64_t)last_step) kept++;
  RecordPiece piece = {.ranks = (uint64_t)s.ranks,
                       .records = kept,
                       .stride = kept,
                       .last = s.last,
                       .steps = s.steps};
  uint64_t *values = kept > 0 && kept < s.records ? read_range(r, path, &s, &piece, &status) : NULL;
  piece.values = values;

  // one rank that cannot read it is enough; where the system refuses, the file itself may be sound
  bool ok = all_ok(!status.error, "cannot go on with the counts of ranks: %s", status.reason);
  const bool readable = par_all(!status.failed);
  if (ok && !readable)
    log_warning("%s cannot be cut back to step %lld and is removed%s%s", path, (long long)last_step,
                status.failed ? ": " : "", status.reason);
  if (!ok) {
    // nothing is touched
  } else if (!readable || kept == 0) {
    DiskStatus removing = {0};
    if (par_rank() == 0) disk_remove(r->results->path, name, &removing);
    ok = all_ok(!removing.failed, "cannot remove %s", removing.reason);
  } else if (kept < s.records) ok = write_piece(r, &piece);
  memory_free(values);
  memory_free(s.last);
  memory_free(s.steps);
  memory_free(s.offsets);
  memory_free(path);
  memory_free(name);
  return ok;
}

bool rank_records_begin(RankRecords *r, const Results *results, const Case *c, RankColumns columns,
                        int64_t last_step)
{
  assert(columns.count > 0 && columns.columns != NULL && "records have columns");
  assert(last_step >= -1 && "a run goes on after a step, or begins");
  *r = (RankRecords){
      .results = results, .c = c, .columns = columns.columns, .column_count = columns.count};
  r->last = memory_allocate_zero(RANK_RECORDS_MOST, sizeof *r->last);
  r->steps = memory_allocate_zero(RANK_RECORDS_MOST, sizeof *r->steps);
  r->values = memory_allocate_zero((size_t)columns.count * RANK_RECORDS_MOST, sizeof *r->values);

  // what was given up goes; the last file that is left may tell of it too
  DiskStatus status = {0};
  int64_t newest = -1;
  if (par_rank() == 0) {
    int64_t *firsts = NULL;
    const int count = disk_list_numbers(results->path, RESULTS_RANKS, &firsts, &status);
    for (int i = 0; i < count && !status.failed; i++) {
      if (firsts[i] <= last_step) {
        newest = firsts[i];
        continue;
      }
      char *name = disk_numbered(RESULTS_RANKS, firsts[i]);
      disk_remove(results->path, name, &status);
      memory_free(name);
    }
    memory_free(firsts);
  }
  if (!all_ok(!status.failed, "cannot go on with the counts of ranks: %s", status.reason))
    return false;
  par_broadcast(&newest, sizeof newest, 0);
  return newest < 0 || cut_back(r, newest, last_step);
}

void rank_records_end(RankRecords *r)
{
  memory_free(r->last);
  memory_free(r->steps);
  memory_free(r->values);
  *r = (RankRecords){0};
}
