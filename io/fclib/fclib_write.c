// Writes a single contact problem as an FCLIB file.
#include "fclib.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hdf5_image.h"
#include "hdf5_status.h"
#include "memory.h"

#define COMPRESSED_COLUMNS (-1)

typedef struct {
  hid_t file, group;
  DiskStatus *status;
} Writer;

static void begin_group(Writer *w, const char *path)
{
  assert((w->status->failed || w->group < 0) && "one group is open at a time");
  w->group =
      hdf5_check(H5Gcreate2(w->file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), w->status);
}

static void end_group(Writer *w)
{
  if (w->group >= 0) H5Gclose(w->group);
  w->group = -1;
}

static void put(Writer *w, const char *name, hid_t stored, hid_t type, int count, const void *data)
{
  assert(count >= 0 && (data != NULL || count == 0 || w->status->failed) && "numbers are given");
  if (w->status->failed) return;
  const hsize_t size = (hsize_t)count;
  const hid_t space = hdf5_check(H5Screate_simple(1, &size, NULL), w->status);
  const hid_t set = hdf5_check(
      H5Dcreate2(w->group, name, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), w->status);
  if (count > 0) hdf5_check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), w->status);
  H5Dclose(set);
  H5Sclose(space);
}

static void put_integers(Writer *w, const char *name, int count, const int *data)
{
  put(w, name, H5T_STD_I32LE, H5T_NATIVE_INT, count, data);
}

static void put_integer(Writer *w, const char *name, int value)
{
  put_integers(w, name, 1, &value);
}

static void put_reals(Writer *w, const char *name, int count, const double *data)
{
  put(w, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, data);
}

static void put_text(Writer *w, const char *name, const char *text)
{
  if (w->status->failed) return;
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, strlen(text) + 1);
  const hid_t set = hdf5_check(
      H5Dcreate2(w->group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), w->status);
  hdf5_check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text), w->status);
  H5Dclose(set);
  H5Sclose(space);
  H5Tclose(type);
}

// rows of the transpose are the columns of the matrix
static void put_matrix(Writer *w, const char *path, const SparseMatrix *a, Arena *arena)
{
  const SparseMatrix columns = sparse_matrix_transpose(a, arena);
  const int count = columns.start[columns.rows];
  begin_group(w, path);
  put_integer(w, "nzmax", count);
  put_integer(w, "m", a->rows);
  put_integer(w, "n", a->columns);
  put_integer(w, "nz", COMPRESSED_COLUMNS);
  put_integers(w, "p", columns.rows + 1, columns.start);
  put_integers(w, "i", count, columns.column);
  put_reals(w, "x", count, columns.value);
  end_group(w);
}

static void put_problem(Writer *w, const MatrixProblem *p, const FclibTexts *texts, Arena *arena)
{
  assert(p->count >= 0 && "contacts are counted");
  const bool local = p->form == MATRIX_LOCAL;
  begin_group(w, local ? "/fclib_local" : "/fclib_global");
  put_integer(w, "spacedim", 3);
  end_group(w);
  if (local) {
    put_matrix(w, "/fclib_local/W", &p->w, arena);
    begin_group(w, "/fclib_local/vectors");
    put_reals(w, "q", 3 * p->count, p->free);
  } else {
    put_matrix(w, "/fclib_global/M", &p->m, arena);
    put_matrix(w, "/fclib_global/H", &p->h, arena);
    begin_group(w, "/fclib_global/vectors");
    put_reals(w, "f", p->freedom, p->force);
    put_reals(w, "w", 3 * p->count, p->free);
  }
  put_reals(w, "mu", p->count, p->friction);
  end_group(w);
  begin_group(w, local ? "/fclib_local/info" : "/fclib_global/info");
  put_text(w, "title", texts->title);
  put_text(w, "description", texts->description);
  put_text(w, "math_info", texts->remarks);
  end_group(w);
}

static void make_image(Hdf5Image *image, const MatrixProblem *problem, const FclibTexts *texts,
                       DiskStatus *status)
{
  Arena arena = arena_new();
  hdf5_silence();
  const hid_t access = hdf5_image_access(image, status);
  hdf5_check(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), status);
  Writer w = {.group = -1, .status = status};
  w.file = hdf5_check(H5Fcreate("image", H5F_ACC_TRUNC, H5P_DEFAULT, access), status);
  if (!status->failed) put_problem(&w, problem, texts, &arena);
  if (w.file >= 0) hdf5_check(H5Fclose(w.file), status);
  H5Pclose(access);
  arena_destroy(&arena);
}

void fclib_write(const char *folder, const char *name, const MatrixProblem *problem,
                 const FclibTexts *texts, DiskStatus *status)
{
  assert(folder != NULL && name != NULL && "a problem has a folder and a name");
  if (status->failed) return;
  char *path = disk_path(folder, name), *temporary = disk_temporary(path);
  DiskStatus reason = {0};   // the library's reasons do not name the file
  Hdf5Image image = {0};
  make_image(&image, problem, texts, &reason);
  if (reason.failed) disk_fail(status, "%s: %s", path, reason.reason);
  const int file = disk_open_new(temporary, status);
  hdf5_image_write(&image, (DiskFile){file, path}, NULL, status);
  disk_sync_and_close(file, path, status);
  hdf5_image_end(&image);
  if (!status->failed) disk_publish(temporary, folder, path, status);
  if (status->failed && file >= 0) unlink(temporary);
  memory_free(temporary);
  memory_free(path);
}
