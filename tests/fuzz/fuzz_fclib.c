// A contact problem in an HDF5 file. The bytes are steps that change a sound file: data sets of
// other types, sizes, storages and values, links, groups and texts in their places. What is read
// goes to the solver for a few sweeps, which judges the matrices.
//
// The library of the format is not what is tested: with FUZZ_FCLIB_BYTES set, the bytes are the
// file itself, and what is found then is mostly the library's.
#include <hdf5.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fclib.h"
#include "fuzz.h"
#include "memory.h"

#define FILE_NAME "problem.hdf5"
#define MOST_STEPS 24

// -- bytes ----------------------------------------------------------------------------------------

// What is left of the input; after its end come zeros.
typedef struct {
  const uint8_t *at, *end;
} Bytes;

static unsigned take(Bytes *bytes) { return bytes->at < bytes->end ? *bytes->at++ : 0; }

static int32_t take_integer(Bytes *bytes)
{
  static const int32_t usual[] = {0, 1, 2, 3, 6, 9, -1, -2, -3, 4, INT_MAX, INT_MIN, 1 << 16, 77};
  const unsigned choice = take(bytes);
  if (choice < sizeof usual / sizeof *usual) return usual[choice];
  return choice < 128
             ? (int32_t)choice - 32
             : (int32_t)(choice << 24 | take(bytes) << 16 | take(bytes) << 8 | take(bytes));
}

static double take_real(Bytes *bytes)
{
  static const double usual[] = {0,      1,     -1,       0.5,       2,     -0.0,
                                 1e-300, 1e300, -1e300,   1e-12,     1e12,  5e-324,
                                 0.1,    NAN,   INFINITY, -INFINITY, 1e155, -1e-155};
  const unsigned choice = take(bytes);
  if (choice < sizeof usual / sizeof *usual) return usual[choice];
  if (choice < 200) return ((int)choice - 100) / 16.0;
  uint64_t bits = 0;
  double value;
  for (int i = 0; i < 8; i++) bits = bits << 8 | take(bytes);
  memcpy(&value, &bits, sizeof value);
  return value;
}

// -- a sound file ---------------------------------------------------------------------------------

static void put(hid_t file, const char *path, hid_t type, hsize_t count, const void *values)
{
  const hid_t space = H5Screate_simple(1, &count, NULL);
  const hid_t links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  const hid_t set = H5Dcreate2(file, path, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
  if (set >= 0) {
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(set);
  }
  H5Pclose(links);
  H5Sclose(space);
}

static void put_integer(hid_t file, const char *path, int value)
{
  put(file, path, H5T_NATIVE_INT, 1, &value);
}

// How a matrix is stored: -1 compressed columns, -2 compressed rows, 0 triplets, 1 the same with
// rows first.
static void put_matrix(hid_t file, const char *group, int rows, int columns, const double *a,
                       int storage)
{
  int first[400], second[400], start[21] = {0}, count = 0;
  double values[400];
  const bool by_columns = storage == -1;
  const int lines = by_columns ? columns : rows, width = by_columns ? rows : columns;
  for (int line = 0; line < lines; line++) {
    for (int k = 0; k < width; k++) {
      const double value = by_columns ? a[k * columns + line] : a[line * columns + k];
      if (value == 0) continue;
      first[count] = storage == 0 ? k : line;
      second[count] = storage == 0 ? line : k;
      values[count++] = value;
    }
    start[line + 1] = count;
  }
  static const char *const names[] = {"m", "n", "nzmax", "nz"};
  const int numbers[] = {rows, columns, count, storage >= 0 ? count : storage};
  char path[64];
  for (int i = 0; i < 4; i++) {
    snprintf(path, sizeof path, "%s/%s", group, names[i]);
    put_integer(file, path, numbers[i]);
  }
  snprintf(path, sizeof path, "%s/p", group);
  if (storage < 0) put(file, path, H5T_NATIVE_INT, (hsize_t)lines + 1, start);
  else put(file, path, H5T_NATIVE_INT, (hsize_t)count, first);
  snprintf(path, sizeof path, "%s/i", group);
  put(file, path, H5T_NATIVE_INT, (hsize_t)count, storage < 0 ? second : second);
  snprintf(path, sizeof path, "%s/x", group);
  put(file, path, H5T_NATIVE_DOUBLE, (hsize_t)count, values);
}

// Contacts of one body with the ground: W = H' H + 1.
static void put_problem(hid_t file, unsigned kind)
{
  const bool local = kind & 1;
  const int dimension = kind & 2 ? 2 : 3, contacts = 1 + (kind >> 2 & 1),
            rows = dimension * contacts;
  const int storages[] = {-2, -1, 0, 1}, storage = storages[kind >> 4 & 3];
  double h[18] = {0}, w[36] = {0}, mass[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, free[6] = {0};
  const double mu[2] = {0.5, 0.6}, force[3] = {0.1, 0, -1};
  for (int i = 0; i < rows; i++) {
    h[(i + 2) % 3 * rows + i] = 1;
    free[i] = i % dimension == 0 ? -1 : 0.25;
  }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++)
      for (int k = 0; k < 3; k++) w[i * rows + j] += h[k * rows + i] * h[k * rows + j];
  for (int i = 0; i < rows; i++) w[i * rows + i] += 1;
  const char *form = local ? "fclib_local" : "fclib_global";
  char path[64];
  snprintf(path, sizeof path, "%s/spacedim", form);
  put_integer(file, path, dimension);
  snprintf(path, sizeof path, "%s/vectors/mu", form);
  put(file, path, H5T_NATIVE_DOUBLE, (hsize_t)contacts, mu);
  if (local) {
    put(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, (hsize_t)rows, free);
    put_matrix(file, "fclib_local/W", rows, rows, w, storage);
    return;
  }
  put(file, "fclib_global/vectors/w", H5T_NATIVE_DOUBLE, (hsize_t)rows, free);
  put(file, "fclib_global/vectors/f", H5T_NATIVE_DOUBLE, 3, force);
  put_matrix(file, "fclib_global/M", 3, 3, mass, storage);
  put_matrix(file, "fclib_global/H", 3, rows, h, storage);
}

// -- changes --------------------------------------------------------------------------------------

static const char *take_path(Bytes *bytes, bool local)
{
  static const char *const paths[][2] = {
      {"fclib_global", "fclib_local"},
      {"fclib_global/spacedim", "fclib_local/spacedim"},
      {"fclib_global/vectors", "fclib_local/vectors"},
      {"fclib_global/vectors/mu", "fclib_local/vectors/mu"},
      {"fclib_global/vectors/f", "fclib_local/vectors/q"},
      {"fclib_global/vectors/w", "fclib_local/vectors/s"},
      {"fclib_global/M", "fclib_local/W"},
      {"fclib_global/M/m", "fclib_local/W/m"},
      {"fclib_global/M/n", "fclib_local/W/n"},
      {"fclib_global/M/nz", "fclib_local/W/nz"},
      {"fclib_global/M/p", "fclib_local/W/p"},
      {"fclib_global/M/i", "fclib_local/W/i"},
      {"fclib_global/M/x", "fclib_local/W/x"},
      {"fclib_global/H", "fclib_local/V"},
      {"fclib_global/H/m", "fclib_local/R"},
      {"fclib_global/H/n", "fclib_local/W/nzmax"},
      {"fclib_global/H/nz", "fclib_global"},
      {"fclib_global/H/p", "fclib_global_rolling"},
      {"fclib_global/H/i", "fclib_local_rolling"},
      {"fclib_global/H/x", "fclib_local/vectors/mu_r"},
      {"fclib_global/info", "fclib_local/info"},
      {"fclib_global/info/title", "fclib_local/info/title"},
      {"fclib_global/info/description", "fclib_local/info/description"},
      {"fclib_global/info/math_info", "fclib_local/info/math_info"},
      {"fclib_global/G", "fclib_global/vectors/b"},
      {"fclib_local", "solution"},
  };
  return paths[take(bytes) % (sizeof paths / sizeof *paths)][local];
}

static void put_integers(hid_t file, const char *path, Bytes *bytes)
{
  const hid_t types[] = {H5T_STD_I32LE, H5T_STD_I64BE, H5T_STD_U8LE, H5T_STD_U64LE, H5T_STD_I16BE};
  int32_t values[64];
  const hsize_t count = take(bytes) % 64;
  const hid_t type = types[take(bytes) % 5];
  for (hsize_t i = 0; i < count; i++) values[i] = take_integer(bytes);
  const hid_t space = H5Screate_simple(1, &count, NULL);
  const hid_t set = H5Dcreate2(file, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (set >= 0) H5Dwrite(set, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  if (set >= 0) H5Dclose(set);
  H5Sclose(space);
}

static void put_reals(hid_t file, const char *path, Bytes *bytes)
{
  const hid_t types[] = {H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_IEEE_F32LE, H5T_NATIVE_LDOUBLE};
  double values[64];
  const hsize_t count = take(bytes) % 64;
  const hid_t type = types[take(bytes) % 4];
  for (hsize_t i = 0; i < count; i++) values[i] = take_real(bytes);
  const hid_t space = H5Screate_simple(1, &count, NULL);
  const hid_t set = H5Dcreate2(file, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (set >= 0) H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  if (set >= 0) H5Dclose(set);
  H5Sclose(space);
}

// One number of a data set that is there.
static void set_number(hid_t file, const char *path, Bytes *bytes)
{
  const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
  if (set < 0) return;
  const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  if (points > 0 && points <= 400 && H5Sget_simple_extent_ndims(space) == 1) {
    const hsize_t at = take(bytes) % (hsize_t)points, one = 1;
    const hid_t memory = H5Screate_simple(1, &one, NULL);
    H5Sselect_elements(space, H5S_SELECT_SET, 1, &at);
    if (H5Tget_class(type) == H5T_FLOAT) {
      const double value = take_real(bytes);
      H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, &value);
    } else if (H5Tget_class(type) == H5T_INTEGER) {
      const int32_t value = take_integer(bytes);
      H5Dwrite(set, H5T_NATIVE_INT32, memory, space, H5P_DEFAULT, &value);
    }
    H5Sclose(memory);
  }
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(set);
}

// A type that is neither integer nor real, or no usual one of them; closed by H5Tclose.
static hid_t take_type(Bytes *bytes)
{
  const unsigned choice = take(bytes) % 10, size = 1 + take(bytes) % 40;
  const hsize_t pair[2] = {2, size};
  hid_t type = H5Tcopy(H5T_C_S1);
  if (choice == 0) H5Tset_size(type, size);
  else if (choice == 1) H5Tset_size(type, H5T_VARIABLE);
  else H5Tclose(type);
  switch (choice) {
  case 0:
  case 1: return type;
  case 2:
    type = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(type, "re", 0, H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "im", 8, H5T_NATIVE_DOUBLE);
    return type;
  case 3: return H5Tcreate(H5T_OPAQUE, size);
  case 4: return H5Tenum_create(H5T_NATIVE_INT);
  case 5: return H5Tvlen_create(H5T_NATIVE_DOUBLE);
  case 6: return H5Tarray_create2(H5T_NATIVE_DOUBLE, 2, pair);
  case 7: return H5Tcopy(H5T_STD_REF_OBJ);
  case 8: return H5Tcopy(H5T_STD_B32LE);
  default:
    type = H5Tcopy(H5T_NATIVE_DOUBLE);   // of few digits
    H5Tset_fields(type, 31, 26, 5, 0, 26);
    H5Tset_precision(type, 32);
    H5Tset_ebias(type, 15);
    return type;
  }
}

// A data set without values: of any type, rank and size, chunked or packed, in another file.
static void put_hollow(hid_t file, const char *path, Bytes *bytes)
{
  const unsigned form = take(bytes), rank = 1 + form % 4;
  const hid_t types[] = {H5Tcopy(H5T_NATIVE_DOUBLE), H5Tcopy(H5T_NATIVE_INT), take_type(bytes)};
  hsize_t sizes[4], chunk[4];
  for (unsigned k = 0; k < 4; k++) {
    const unsigned bits = take(bytes);
    sizes[k] = bits < 40 ? bits : (hsize_t)1 << (bits % 40);
    chunk[k] = sizes[k] < 1 ? 1 : sizes[k] < 16 ? sizes[k] : 16;
  }
  hid_t space = form & 16   ? H5Screate(H5S_NULL)
                : form & 32 ? H5Screate(H5S_SCALAR)
                            : H5Screate_simple((int)rank, sizes, NULL);
  const hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
  const unsigned storage = take(bytes) % 5;
  if (storage >= 2) H5Pset_chunk(plan, (int)rank, chunk);
  if (storage == 3) H5Pset_deflate(plan, 9);
  if (storage == 4) H5Pset_fletcher32(plan);
  if (storage == 1 && form & 64) H5Pset_external(plan, "elsewhere.bin", 0, H5F_UNLIMITED);
  H5Pset_fill_time(plan, form & 128 ? H5D_FILL_TIME_NEVER : H5D_FILL_TIME_IFSET);
  H5Pset_alloc_time(plan, H5D_ALLOC_TIME_LATE);
  const hid_t type = types[take(bytes) % 3];
  const hid_t set = H5Dcreate2(file, path, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
  if (set >= 0) H5Dclose(set);
  H5Pclose(plan);
  if (space >= 0) H5Sclose(space);
  for (int i = 0; i < 3; i++)
    if (types[i] >= 0) H5Tclose(types[i]);
}

static void put_text(hid_t file, const char *path, Bytes *bytes)
{
  char text[64];
  const unsigned form = take(bytes), length = 1 + form % 63;
  for (unsigned i = 0; i < length; i++) text[i] = (char)take(bytes);
  text[length] = 0;
  const char *variable = form & 128 ? NULL : text;
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, form & 64 ? H5T_VARIABLE : length);
  if (form & 128) H5Tset_strpad(type, H5T_STR_SPACEPAD);
  const hid_t set = H5Dcreate2(file, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (set >= 0)
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT,
             form & 64 ? (const void *)&variable : (const void *)text);
  if (set >= 0) H5Dclose(set);
  H5Sclose(space);
  H5Tclose(type);
}

static void put_link(hid_t file, const char *path, const char *other, Bytes *bytes)
{
  switch (take(bytes) % 6) {
  case 0: H5Lcreate_soft("/nowhere", file, path, H5P_DEFAULT, H5P_DEFAULT); break;
  case 1: H5Lcreate_soft(path, file, path, H5P_DEFAULT, H5P_DEFAULT); break;
  case 2: H5Lcreate_soft(other, file, path, H5P_DEFAULT, H5P_DEFAULT); break;
  case 3: H5Lcreate_hard(file, other, file, path, H5P_DEFAULT, H5P_DEFAULT); break;
  case 4: H5Lcreate_external("missing.h5", other, file, path, H5P_DEFAULT, H5P_DEFAULT); break;
  default: H5Lcreate_external(FILE_NAME, other, file, path, H5P_DEFAULT, H5P_DEFAULT);
  }
}

static void change(hid_t file, Bytes *bytes, bool local)
{
  const unsigned step = take(bytes) % 9;
  const char *path = take_path(bytes, local);
  if (step == 0) {
    set_number(file, path, bytes);
    return;
  }
  H5Ldelete(file, path, H5P_DEFAULT);
  hid_t made = -1;
  switch (step) {
  case 1: break;
  case 2: put_integers(file, path, bytes); break;
  case 3: put_reals(file, path, bytes); break;
  case 4:
  case 5: put_hollow(file, path, bytes); break;
  case 6: put_text(file, path, bytes); break;
  case 7: put_link(file, path, take_path(bytes, local), bytes); break;
  default: made = H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  }
  if (made >= 0) H5Gclose(made);
}

static void write_changed(const char *path, const uint8_t *input, size_t count)
{
  Bytes bytes = {input, input + count};
  const unsigned kind = take(&bytes);
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, (size_t)1 << 16, 1);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  fuzz_expect(file >= 0, "a file can be made");
  put_problem(file, kind);
  for (int i = 0; i < MOST_STEPS && bytes.at < bytes.end; i++) change(file, &bytes, kind & 1);
  H5Fclose(file);
  H5Pclose(access);
}

// -- what is read ---------------------------------------------------------------------------------

static void use_problem(const MatrixProblem *p, Arena *arena)
{
  fuzz_expect(p->count >= 0 && p->freedom >= 0, "counts");
  for (int i = 0; i < p->count; i++)
    fuzz_expect(p->friction[i] >= 0 && isfinite(p->friction[i]), "friction is a number");
  for (int i = 0; i < 3 * p->count; i++)
    fuzz_expect(isfinite(p->free[i]), "velocities are numbers");
  const SolverMethod methods[] = {SOLVER_AUTOMATIC, SOLVER_ADMM, SOLVER_GAUSS_SEIDEL};
  for (int m = 0; m < 3; m++) {
    MatrixSolution solution;
    char why[256] = "";
    const SolverParameters parameters = {
        .method = methods[m], .tolerance = 1e-6, .max_sweeps = m == 0 ? 40 : 5};
    const bool sound =
        matrix_problem_solve(p, parameters, &solution, (ErrorText){why, sizeof why}, arena);
    fuzz_expect(sound || fuzz_is_message(why, ""), "a refusal of matrices is one line");
    if (!sound) return;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
  static bool begun;
  if (!begun) H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  begun = true;
  fuzz_begin();
  char path[1024];
  snprintf(path, sizeof path, "%s", fuzz_path(FILE_NAME));
  if (getenv("FUZZ_FCLIB_BYTES")) fuzz_write(FILE_NAME, bytes, count);
  else write_changed(path, bytes, count);

  Arena arena = arena_new();
  MatrixProblem problem;
  FclibTexts texts;
  DiskStatus status = {0};
  const FclibResult result = fclib_read(path, &problem, &texts, &arena, &status);
  if (result == FCLIB_READ) {
    fuzz_expect(!status.failed, "a problem that is read says nothing");
    use_problem(&problem, &arena);
  } else {
    fuzz_expect(fuzz_is_message(status.reason, path), "a refusal is one line");
  }
  arena_destroy(&arena);
  fuzz_end();
  return 0;
}
