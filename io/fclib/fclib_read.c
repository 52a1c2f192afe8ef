// Reads a single contact problem from an FCLIB file and judges it.
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fclib.h"
#include "hdf5_disk.h"
#include "hdf5_inside.h"
#include "hdf5_status.h"

#define MOST_NUMBERS_PER_BYTE 1100   // of a file: deflate packs no better than 1032 to 1
#define MOST_NUMBER_BYTES 16   // of one number: the library converts as many at once as it likes
#define MOST_TEXT 65536        // bytes
#define COMPRESSED_COLUMNS (-1)
#define COMPRESSED_ROWS (-2)

typedef struct {
  hid_t file;
  hid_t inside;          // the list that keeps the library in the file
  Hdf5Outside outside;   // a link that leads out of it
  const char *form;      // "fclib_local" or "fclib_global"
  uint64_t bytes;        // of the file
  bool refused;
  Arena *arena;
  DiskStatus *status;
} Reader;

// -- data sets ------------------------------------------------------------------------------------

typedef struct {
  char text[128];
} Name;

static Name name_of(const Reader *r, const char *group, const char *item)
{
  Name name;
  snprintf(name.text, sizeof name.text, "%s%s%s%s%s", r->form, *group ? "/" : "", group,
           *item ? "/" : "", item);
  return name;
}

// refuses what a link out of the file hides
static void refuse_outside(Reader *r, const char *path)
{
  if (!r->outside.met || r->status->failed) return;
  disk_fail(r->status,
            "/%s is a link into another file, %s; drystone reads one file alone: copy the object "
            "into the file (h5copy)",
            path, r->outside.file);
  r->refused = true;
}

// a path through a group that is not there is an error to the library
static bool exists(Reader *r, const char *path)
{
  char begin[128];
  for (const char *end = path; *end;) {
    end += strcspn(end, "/");
    snprintf(begin, sizeof begin, "%.*s", (int)(end - path), path);
    const bool there = H5Lexists(r->file, begin, r->inside) > 0;
    refuse_outside(r, path);
    if (!there) return false;
    if (*end) end++;
  }
  return true;
}

// opens a data set that is there and whose values are in the file; -1 after a failure, and without
// one where it is none
static hid_t open_inside(Reader *r, const char *path)
{
  const hid_t set = H5Dopen2(r->file, path, r->inside);
  refuse_outside(r, path);
  if (set < 0) return -1;
  char name[160];
  snprintf(name, sizeof name, "/%s", path);
  if (hdf5_inside_holds(set, name, r->status)) return set;
  r->refused = true;
  H5Dclose(set);
  return -1;
}

// opens a data set of numbers; -1 after a failure
static hid_t open_numbers(Reader *r, const char *name, H5T_class_t kind, int64_t *count)
{
  assert(count != NULL && (kind == H5T_INTEGER || kind == H5T_FLOAT) &&
         "numbers are whole or real");
  *count = 0;
  if (r->status->failed) return -1;
  if (!exists(r, name)) {
    disk_fail(r->status, "/%s is missing", name);
    return -1;
  }
  const bool leads = H5Oexists_by_name(r->file, name, r->inside) > 0;
  refuse_outside(r, name);
  if (!leads) {
    disk_fail(r->status, "/%s leads nowhere", name);
    return -1;
  }
  const hid_t set = open_inside(r, name);
  if (set < 0) {
    disk_fail(r->status, "/%s is no data set", name);
    return -1;
  }
  const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
  const H5T_class_t found = H5Tget_class(type);
  const size_t size = H5Tget_size(type);
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  H5Sclose(space);
  H5Tclose(type);
  const char *fault = NULL;
  if (found != kind) fault = kind == H5T_INTEGER ? "is not of integers" : "is not of real numbers";
  else if (size > MOST_NUMBER_BYTES) fault = "is of numbers of more than 16 bytes";
  else if (points < 0) fault = "has no size";
  else if (points > INT_MAX || (uint64_t)points > MOST_NUMBERS_PER_BYTE * r->bytes)
    fault = "claims more numbers than the file can hold";
  if (fault) {
    disk_fail(r->status, "/%s %s", name, fault);
    H5Dclose(set);
    return -1;
  }
  *count = points;
  return set;
}

static void read_numbers(Reader *r, hid_t set, const char *name, hid_t type, void *to)
{
  assert(set >= 0 && to != NULL && "numbers come from an open data set");
  if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) < 0)
    disk_fail(r->status, "/%s cannot be read", name);
  H5Dclose(set);
}

// at least so many integers
static int *read_integers(Reader *r, const char *group, const char *item, int64_t least)
{
  assert(least >= 0 && "numbers are counted");
  const Name name = name_of(r, group, item);
  int64_t count;
  const hid_t set = open_numbers(r, name.text, H5T_INTEGER, &count);
  int *numbers = arena_allocate_zero(r->arena, (size_t)count + 1, sizeof *numbers);
  if (set >= 0) read_numbers(r, set, name.text, H5T_NATIVE_INT, numbers);
  if (!r->status->failed && count < least)
    disk_fail(r->status, "/%s has %lld numbers, %lld are needed", name.text, (long long)count,
              (long long)least);
  return r->status->failed ? NULL : numbers;
}

// finite real numbers, exactly or at least so many
static double *read_reals(Reader *r, const char *group, const char *item, int64_t least, bool exact)
{
  assert(least >= 0 && "numbers are counted");
  const Name name = name_of(r, group, item);
  int64_t count;
  const hid_t set = open_numbers(r, name.text, H5T_FLOAT, &count);
  double *numbers = arena_allocate_zero(r->arena, (size_t)count + 1, sizeof *numbers);
  if (set >= 0) read_numbers(r, set, name.text, H5T_NATIVE_DOUBLE, numbers);
  if (!r->status->failed && (exact ? count != least : count < least))
    disk_fail(r->status, "/%s has %lld numbers, %lld are needed", name.text, (long long)count,
              (long long)least);
  for (int64_t i = 0; i < least && !r->status->failed; i++) {
    if (!isfinite(numbers[i]))
      disk_fail(r->status, "/%s: number %lld is not finite", name.text, (long long)i + 1);
  }
  return r->status->failed ? NULL : numbers;
}

static int read_integer(Reader *r, const char *group, const char *item)
{
  const int *number = read_integers(r, group, item, 1);
  return number ? number[0] : 0;
}

// how many numbers a data set holds
static int count_numbers(Reader *r, const char *group, const char *item)
{
  const Name name = name_of(r, group, item);
  int64_t count;
  const hid_t set = open_numbers(r, name.text, H5T_FLOAT, &count);
  if (set >= 0) H5Dclose(set);
  return (int)count;
}

// -- matrices -------------------------------------------------------------------------------------

// A matrix of the file as entries, before the plane's rows find their place in space.
typedef struct {
  int rows, columns, count;
  int *row, *column;
  double *value;
} Entries;

static bool within(const int *index, int count, int limit)
{
  assert(count >= 0 && limit >= 0 && "entries are counted");
  for (int k = 0; k < count; k++)
    if (index[k] < 0 || index[k] >= limit) return false;
  return true;
}

// are they pointers of compressed rows or columns?
static bool ascends(const int *start, int lines)
{
  if (start[0] != 0) return false;
  for (int i = 0; i < lines; i++)
    if (start[i + 1] < start[i]) return false;
  return true;
}

// pointers become an index for each entry
static int *expand(const int *start, int lines, Arena *arena)
{
  assert(lines >= 0 && start[0] == 0 && "the first line begins with the first entry");
  int *index = arena_allocate(arena, ((size_t)start[lines] + 1) * sizeof *index);
  for (int i = 0; i < lines; i++)
    for (int k = start[i]; k < start[i + 1]; k++) index[k] = i;
  return index;
}

static void read_triplets(Reader *r, const char *group, Entries *e)
{
  assert(e->count >= 0 && e->rows >= 0 && e->columns >= 0 && "counts are not below zero");
  int *p = read_integers(r, group, "p", e->count), *i = read_integers(r, group, "i", e->count);
  if (!p || !i) return;
  const bool csparse = within(p, e->count, e->columns) && within(i, e->count, e->rows);
  if (!csparse && !(within(p, e->count, e->rows) && within(i, e->count, e->columns))) {
    disk_fail(r->status, "/%s has entries outside its %d rows and %d columns",
              name_of(r, group, "").text, e->rows, e->columns);
    return;
  }
  e->row = csparse ? i : p;
  e->column = csparse ? p : i;
}

static void read_compressed(Reader *r, const char *group, bool by_rows, Entries *e)
{
  assert(e->rows >= 0 && e->columns >= 0 && "counts are not below zero");
  const int lines = by_rows ? e->rows : e->columns, width = by_rows ? e->columns : e->rows;
  const int *start = read_integers(r, group, "p", (int64_t)lines + 1);
  if (!start) return;
  if (!ascends(start, lines)) {
    disk_fail(r->status, "/%s does not ascend from 0", name_of(r, group, "p").text);
    return;
  }
  // the entries themselves come first: a number that nothing stands behind asks for no memory
  e->count = start[lines];
  int *place = read_integers(r, group, "i", e->count);
  if (!place) return;
  if (!within(place, e->count, width)) {
    disk_fail(r->status, "/%s has entries outside its %d rows and %d columns",
              name_of(r, group, "").text, e->rows, e->columns);
    return;
  }
  int *line = expand(start, lines, r->arena);
  e->row = by_rows ? line : place;
  e->column = by_rows ? place : line;
}

static Entries read_entries(Reader *r, const char *group)
{
  Entries e = {.rows = read_integer(r, group, "m"), .columns = read_integer(r, group, "n")};
  const int storage = read_integer(r, group, "nz");
  if (r->status->failed) return e;
  if (e.rows < 0 || e.columns < 0) {
    disk_fail(r->status, "/%s has %d rows and %d columns", name_of(r, group, "").text, e.rows,
              e.columns);
    return e;
  }
  if (storage >= 0) {
    e.count = storage;
    read_triplets(r, group, &e);
  } else if (storage == COMPRESSED_COLUMNS || storage == COMPRESSED_ROWS) {
    read_compressed(r, group, storage == COMPRESSED_ROWS, &e);
  } else {
    disk_fail(r->status,
              "/%s is %d; known are -1 (compressed columns), -2 (compressed rows) and "
              "numbers of triplets",
              name_of(r, group, "nz").text, storage);
  }
  e.value = read_reals(r, group, "x", e.count, false);
  return e;
}

// index of a row of two to a contact among rows of three
static void embed(int *index, int count)
{
  assert(count >= 0 && "entries are counted");
  for (int k = 0; k < count; k++) index[k] = 3 * (index[k] / 2) + index[k] % 2;
}

// A matrix whose rows and columns may be those of contacts, of dimension 2 or 3 in the file.
static SparseMatrix read_matrix(Reader *r, const char *group, int rows, int columns, int dimension,
                                bool contact_rows, bool contact_columns)
{
  assert((dimension == 2 || dimension == 3) && rows >= 0 && columns >= 0 &&
         "space has 2 or 3 dimensions");
  Entries e = read_entries(r, group);
  if (!r->status->failed && (e.rows != rows || e.columns != columns))
    disk_fail(r->status, "/%s is %d by %d, not %d by %d as the vectors are",
              name_of(r, group, "").text, e.rows, e.columns, rows, columns);
  if (r->status->failed) return (SparseMatrix){0};
  if (dimension == 2 && contact_rows) {
    embed(e.row, e.count);
    rows = 3 * (rows / 2);
  }
  if (dimension == 2 && contact_columns) {
    embed(e.column, e.count);
    columns = 3 * (columns / 2);
  }
  return sparse_matrix_new(rows, columns, (SparseEntries){e.count, e.row, e.column, e.value},
                           r->arena);
}

// -- problems -------------------------------------------------------------------------------------

static void refuse(Reader *r, const char *what)
{
  if (r->status->failed) return;
  disk_fail(r->status, "%s, which drystone does not solve", what);
  r->refused = true;
}

// which form the file holds
static void find_form(Reader *r)
{
  if (r->status->failed) return;
  const bool local = exists(r, "fclib_local"), global = exists(r, "fclib_global");
  r->form = local ? "fclib_local" : "fclib_global";
  if (exists(r, "fclib_local_rolling") || exists(r, "fclib_global_rolling") ||
      ((local || global) && exists(r, name_of(r, "vectors", "mu_r").text)))
    refuse(r, "holds a problem with rolling friction");
  else if (local && global)
    disk_fail(r->status, "holds two problems, /fclib_local and /fclib_global");
  else if (!local && !global)
    disk_fail(r->status, "holds no problem: /fclib_local and /fclib_global are missing");
}

static void refuse_mixed(Reader *r)
{
  if (r->status->failed) return;
  if (exists(r, "fclib_local/V") || exists(r, "fclib_local/R") ||
      exists(r, "fclib_local/vectors/s"))
    refuse(r, "holds a mixed problem (/fclib_local/V, R and s: constraints beside the contacts)");
  if (exists(r, "fclib_global/G") || exists(r, "fclib_global/vectors/b"))
    refuse(r, "holds a problem with bilateral constraints (/fclib_global/G and b)");
}

// vector of three numbers to a contact
static double *read_contact_vector(Reader *r, const char *item, int count, int dimension)
{
  assert((dimension == 2 || dimension == 3) && count >= 0 && "space has 2 or 3 dimensions");
  const double *from = read_reals(r, "vectors", item, (int64_t)dimension * count, true);
  double *to = arena_allocate_zero(r->arena, 3 * (size_t)count + 1, sizeof *to);
  for (int i = 0; i < dimension * count && from; i++)
    to[3 * (i / dimension) + i % dimension] = from[i];
  return to;
}

static void read_problem(Reader *r, MatrixProblem *p)
{
  find_form(r);
  refuse_mixed(r);
  const int dimension = read_integer(r, "spacedim", "");
  if (!r->status->failed && dimension == 5) refuse(r, "holds a problem with rolling friction");
  if (!r->status->failed && dimension != 2 && dimension != 3)
    disk_fail(r->status, "/%s is %d, not 2 or 3", name_of(r, "spacedim", "").text, dimension);
  const int count = count_numbers(r, "vectors", "mu");
  if (!r->status->failed && count > INT_MAX / 4)
    disk_fail(r->status, "has %d contacts, which are too many", count);
  if (r->status->failed) return;

  p->count = count;
  p->friction = read_reals(r, "vectors", "mu", count, true);
  for (int i = 0; i < count && p->friction && !r->status->failed; i++) {
    if (p->friction[i] < 0)
      disk_fail(r->status, "/%s: coefficient %d is negative, %g", name_of(r, "vectors", "mu").text,
                i + 1, p->friction[i]);
  }
  const int rows = dimension * count;
  if (strcmp(r->form, "fclib_local") == 0) {
    p->form = MATRIX_LOCAL;
    p->free = read_contact_vector(r, "q", count, dimension);
    p->w = read_matrix(r, "W", rows, rows, dimension, true, true);
  } else {
    p->form = MATRIX_GLOBAL;
    p->freedom = count_numbers(r, "vectors", "f");
    p->force = read_reals(r, "vectors", "f", p->freedom, true);
    p->free = read_contact_vector(r, "w", count, dimension);
    p->m = read_matrix(r, "M", p->freedom, p->freedom, dimension, false, false);
    p->h = read_matrix(r, "H", p->freedom, rows, dimension, false, true);
  }
}

// -- texts ----------------------------------------------------------------------------------------

// one that cannot be read stays empty
static void read_text(Reader *r, const char *item, char *text, size_t bytes)
{
  assert(bytes > 0 && "a text has room");
  const Name name = name_of(r, "info", item);
  text[0] = 0;
  if (!exists(r, name.text)) return;
  const hid_t set = open_inside(r, name.text);
  if (set < 0) return;
  const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
  const bool one = H5Tget_class(type) == H5T_STRING && H5Sget_simple_extent_npoints(space) == 1;
  const size_t size = one ? H5Tget_size(type) : 0;
  if (one && H5Tis_variable_str(type) > 0) {
    char *found = NULL;
    if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &found) >= 0 && found)
      snprintf(text, bytes, "%s", found);
    if (found) H5Dvlen_reclaim(type, space, H5P_DEFAULT, &found);
  } else if (size > 0 && size <= MOST_TEXT) {
    char *found = arena_allocate_zero(r->arena, size + 1, 1);
    if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, found) >= 0)
      snprintf(text, bytes, "%s", found);
  }
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(set);
}

FclibResult fclib_read(const char *path, MatrixProblem *problem, FclibTexts *texts, Arena *arena,
                       DiskStatus *status)
{
  assert(path != NULL && problem != NULL && texts != NULL && "a problem has a file and a place");
  *problem = (MatrixProblem){0};
  *texts = (FclibTexts){0};
  DiskStatus reason = {0};
  const int bare = disk_open_read(path, status);
  const uint64_t bytes = disk_size(bare, path, status);
  if (bare >= 0) close(bare);
  if (status->failed) return FCLIB_DAMAGED;

  Reader r = {
      .file = hdf5_disk_open(path, &reason), .bytes = bytes, .arena = arena, .status = &reason};
  r.inside = hdf5_inside_access(&r.outside);
  read_problem(&r, problem);
  if (!reason.failed) {
    read_text(&r, "title", texts->title, sizeof texts->title);
    read_text(&r, "description", texts->description, sizeof texts->description);
    read_text(&r, "math_info", texts->remarks, sizeof texts->remarks);
  }
  H5Pclose(r.inside);
  hdf5_disk_close(r.file);
  if (!reason.failed) return FCLIB_READ;
  const char *expected = r.file < 0 ? "expected an HDF5 file with a contact problem (FCLIB); " : "";
  disk_fail(status, "%s: %s%s", path, expected, reason.reason);
  return r.refused ? FCLIB_REFUSED : FCLIB_DAMAGED;
}
