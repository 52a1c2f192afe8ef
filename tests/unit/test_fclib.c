// Contact problems whose file leads elsewhere: the other file is never opened, and the message
// names the object and the file. What stays inside the file is read.
#include "fclib.h"

#include <hdf5.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness.h"

#define FILE_NAME "problem.hdf5"
#define OTHER "other.hdf5"
#define BYTES "other.bin"
#define FILTER 32004   // a number of somebody's filter

static hid_t create(hid_t file, const char *path, hid_t type, hsize_t count, hid_t plan)
{
  const hid_t space = H5Screate_simple(1, &count, NULL), links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  const hid_t set = H5Dcreate2(file, path, type, space, links, plan, H5P_DEFAULT);
  H5Pclose(links);
  H5Sclose(space);
  return set;
}

static void put(hid_t file, const char *path, hid_t type, hsize_t count, const void *values)
{
  const hid_t set = create(file, path, type, count, H5P_DEFAULT);
  H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(set);
}

// one contact with W = 1, in the local form
static void put_problem(const char *name)
{
  const hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const int three = 3, triplets = 3, index[3] = {0, 1, 2};
  const double one[3] = {1, 1, 1}, free[3] = {-1, 0, 0}, friction = 0.5;
  put(file, "fclib_local/spacedim", H5T_NATIVE_INT, 1, &three);
  put(file, "fclib_local/W/m", H5T_NATIVE_INT, 1, &three);
  put(file, "fclib_local/W/n", H5T_NATIVE_INT, 1, &three);
  put(file, "fclib_local/W/nz", H5T_NATIVE_INT, 1, &triplets);
  put(file, "fclib_local/W/p", H5T_NATIVE_INT, 3, index);
  put(file, "fclib_local/W/i", H5T_NATIVE_INT, 3, index);
  put(file, "fclib_local/W/x", H5T_NATIVE_DOUBLE, 3, one);
  put(file, "fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, 1, &friction);
  put(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, 3, free);
  H5Fclose(file);
}

typedef enum {
  HARD,
  SOFT,
  LINK,
  LINKED_GROUP,
  SOFT_TO_LINK,
  STORAGE,
  VIRTUAL,
  FILTERED,
  LINKED_TEXT
} Way;

// The matrix's values, or the whole matrix, or a text, by another way.
static void lead(Way way)
{
  const hid_t file = H5Fopen(FILE_NAME, H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
  const char *const values = "fclib_local/W/x", *const moved = "/moved";
  const hsize_t three = 3;
  if (way == HARD || way == SOFT) H5Lmove(file, values, file, moved, H5P_DEFAULT, H5P_DEFAULT);
  else if (way == LINKED_GROUP) H5Ldelete(file, "fclib_local/W", H5P_DEFAULT);
  else if (way != LINKED_TEXT) H5Ldelete(file, values, H5P_DEFAULT);
  hid_t set = -1;
  switch (way) {
  case HARD: H5Lcreate_hard(file, moved, file, values, H5P_DEFAULT, H5P_DEFAULT); break;
  case SOFT: H5Lcreate_soft(moved, file, values, H5P_DEFAULT, H5P_DEFAULT); break;
  case LINK: H5Lcreate_external(OTHER, values, file, values, H5P_DEFAULT, H5P_DEFAULT); break;
  case LINKED_GROUP:
    H5Lcreate_external(OTHER, "fclib_local/W", file, "fclib_local/W", H5P_DEFAULT, H5P_DEFAULT);
    break;
  case SOFT_TO_LINK:
    H5Lcreate_external(OTHER, "/fclib_local", file, "/away", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/away/W/x", file, values, H5P_DEFAULT, H5P_DEFAULT);
    break;
  case STORAGE: H5Pset_external(plan, BYTES, 0, 24); break;
  case VIRTUAL: {
    const hid_t space = H5Screate_simple(1, &three, NULL);
    H5Pset_virtual(plan, space, OTHER, values, space);
    H5Sclose(space);
    break;
  }
  case FILTERED:
    H5Pset_chunk(plan, 1, &three);
    H5Pset_filter(plan, FILTER, H5Z_FLAG_OPTIONAL, 0, NULL);
    break;
  case LINKED_TEXT:
    H5Lcreate_external(OTHER, "/secret", file, "fclib_local/info", H5P_DEFAULT, H5P_DEFAULT);
  }
  if (way == STORAGE || way == VIRTUAL || way == FILTERED)
    set = create(file, values, H5T_NATIVE_DOUBLE, three, plan);
  if (set >= 0) H5Dclose(set);
  H5Pclose(plan);
  H5Fclose(file);
}

static void check_way(Way way, const char *words)
{
  put_problem(FILE_NAME);
  lead(way);
  Arena arena = arena_new();
  MatrixProblem problem;
  FclibTexts texts;
  DiskStatus status = {0};
  const FclibResult result = fclib_read(FILE_NAME, &problem, &texts, &arena, &status);
  CHECK(result == (words ? FCLIB_REFUSED : FCLIB_READ));
  if (words && !strstr(status.reason, words)) printf("way %d: %s\n", (int)way, status.reason);
  CHECK(!words || strstr(status.reason, words));
  CHECK(!words || strncmp(status.reason, FILE_NAME ": /fclib_local/", 27) == 0);
  arena_destroy(&arena);
}

static void check_all(void)
{
  check_way(LINK, "/W/x is a link into another file, " OTHER "; ");
  check_way(LINKED_GROUP, "/W/m is a link into another file, " OTHER "; ");
  check_way(SOFT_TO_LINK, "/W/x is a link into another file, " OTHER "; ");
  check_way(STORAGE, "/W/x is stored in another file, " BYTES "; ");
  check_way(VIRTUAL, "/W/x is put together from other files");
  check_way(FILTERED, "/W/x is packed by filter 32004 ");
  check_way(LINKED_TEXT, "/info/title is a link into another file, " OTHER "; ");
}

int main(void)
{
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  alarm(60);   // a pipe would hold us for ever

  // others that hold what is asked for
  put_problem(OTHER);
  FILE *bytes = fopen(BYTES, "w");
  const double values[3] = {1, 1, 1};
  CHECK(bytes && fwrite(values, sizeof values, 1, bytes) == 1 && fclose(bytes) == 0);
  check_way(HARD, NULL);
  check_way(SOFT, NULL);
  check_all();

  // others that are pipes
  unlink(OTHER);
  unlink(BYTES);
  CHECK(mkfifo(OTHER, 0600) == 0 && mkfifo(BYTES, 0600) == 0);
  check_all();
  unlink(OTHER);
  unlink(BYTES);
  unlink(FILE_NAME);
  return test_report();
}
