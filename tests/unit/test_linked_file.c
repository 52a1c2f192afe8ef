// Files that link rows of others are put together without the HDF5 library, which must read what
// was said: names in their order, attributes, numbers, counts, linked rows beside rows of nobody,
// lists of links through many collections, and rows beyond 32 bits.
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "hdf5_bytes.h"
#include "linked_file.h"
#include "memory.h"

enum { SOURCE_ROWS = 5, MANY = 300, COUNTED = 70000 };
static const char SOURCE[] = "source.h5", LINKED[] = "linked.h5";
static const uint64_t FAR = (uint64_t)1 << 33;

// Rows of three numbers: 0 1 2, 3 4 5, ...; the same as whole numbers in one axis.
static void make_source(void)
{
  double numbers[3 * SOURCE_ROWS];
  unsigned whole[3 * SOURCE_ROWS];
  for (int i = 0; i < 3 * SOURCE_ROWS; i++) numbers[i] = whole[i] = (unsigned)i;
  const hsize_t size[2] = {SOURCE_ROWS, 3}, all = 3 * SOURCE_ROWS;
  const hid_t file = H5Fcreate(SOURCE, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t table = H5Screate_simple(2, size, NULL), line = H5Screate_simple(1, &all, NULL);
  const hid_t reals =
      H5Dcreate2(file, "reals", H5T_IEEE_F64LE, table, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t counts =
      H5Dcreate2(file, "whole", H5T_STD_U32LE, line, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CHECK(H5Dwrite(reals, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0);
  CHECK(H5Dwrite(counts, H5T_NATIVE_UINT, H5S_ALL, H5S_ALL, H5P_DEFAULT, whole) >= 0);
  H5Dclose(counts);
  H5Dclose(reals);
  H5Sclose(line);
  H5Sclose(table);
  H5Fclose(file);
}

static void add_rows(LinkedFile *file, LinkedGroup group)
{
  // three rows, one of nobody, and all five
  LinkedRows rows = linked_rows_begin(file, FIELD_F64, 3, 9);
  linked_rows_add(file, &rows, 0, (LinkedSource){SOURCE, "/reals", SOURCE_ROWS, 3, 3});
  linked_rows_add(file, &rows, 4, (LinkedSource){SOURCE, "/reals", SOURCE_ROWS, SOURCE_ROWS, 3});
  linked_rows_end(file, &rows, group, "rows");
  rows = linked_rows_begin(file, FIELD_F32, 1, 4);
  linked_rows_end(file, &rows, group, "nobody");
  rows = linked_rows_begin(file, FIELD_I32, 1, 4);
  linked_rows_end(file, &rows, group, "zeros");
  rows = linked_rows_begin(file, FIELD_U64, 1, 12);
  linked_rows_add(file, &rows, 2, (LinkedSource){".", "/count", COUNTED, 10, 1});
  linked_rows_end(file, &rows, group, "own");
  rows = linked_rows_begin(file, FIELD_F64, 3, FAR + 3);
  linked_rows_add(file, &rows, FAR, (LinkedSource){SOURCE, "/reals", SOURCE_ROWS, 3, 3});
  linked_rows_end(file, &rows, group, "far");
  rows = linked_rows_begin_bytes(file, 3 * SOURCE_ROWS);
  const LinkedSource whole = {SOURCE, "/whole", 3 * SOURCE_ROWS, 3 * SOURCE_ROWS, 1};
  linked_rows_add(file, &rows, 0, whole);
  linked_rows_end(file, &rows, group, "bytes");
}

// A data set of as many links as its number.
static void add_many(LinkedFile *file, LinkedGroup group)
{
  char name[16];
  for (int i = 0; i < MANY; i++) {
    LinkedRows rows = linked_rows_begin(file, FIELD_F64, 3, MANY);
    for (uint64_t k = 0; k <= (uint64_t)i; k++)
      linked_rows_add(file, &rows, k, (LinkedSource){SOURCE, "/reals", SOURCE_ROWS, 1, 3});
    snprintf(name, sizeof name, "set %d", MANY - i);
    linked_rows_end(file, &rows, group, name);
  }
}

static DiskStatus make(const char *folder)
{
  static const int64_t numbers[3] = {-1, INT64_MAX, 7};
  static const double reals[2] = {-0.5, 1e300};
  DiskStatus status = {0};
  LinkedFile file;
  linked_file_begin(&file, folder, LINKED, &status);
  linked_file_numbers(&file, LINKED_ROOT, "pair", numbers, 2);
  linked_file_count(&file, LINKED_ROOT, "count", 2, COUNTED);
  linked_file_count(&file, LINKED_ROOT, "wide", 70000, COUNTED);
  const LinkedGroup group = linked_file_group(&file, LINKED_ROOT, "group");
  linked_file_numbers(&file, group, "one", numbers + 2, 1);
  linked_file_text(&file, group, "text", "some text");
  linked_file_series(&file, group, "series", numbers, 3);
  linked_file_table(&file, group, "table", numbers, 3);
  linked_file_reals(&file, group, "a", reals, 2);
  linked_file_series(&file, group, "empty", numbers, 0);
  linked_file_constant(&file, group, "constant", 42, 1000);
  linked_file_again(&file, group, "table", "again");
  linked_file_link(&file, group, "link", "/group/series");
  add_rows(&file, group);
  add_many(&file, linked_file_group(&file, LINKED_ROOT, "many"));
  linked_file_end(&file);
  return status;
}

// ------------------------------------------------------------------------------------------------

// Numbers of a data set; how many.
static int read_set(hid_t file, const char *path, hid_t type, void *numbers, int most)
{
  const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
  if (!CHECK(set >= 0)) return -1;
  const hid_t space = H5Dget_space(set);
  const int count = (int)H5Sget_simple_extent_npoints(space);
  if (CHECK(count <= most)) CHECK(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0);
  H5Sclose(space);
  H5Dclose(set);
  return count;
}

static void test_plain(hid_t file)
{
  static long long numbers[COUNTED];
  double reals[2];
  static const char *const series[] = {"/group/series", "/group/table", "/group/again",
                                       "/group/link"};
  for (int i = 0; i < 4; i++) {
    CHECK(read_set(file, series[i], H5T_NATIVE_LLONG, numbers, 3) == 3);
    CHECK(numbers[0] == -1 && numbers[1] == INT64_MAX && numbers[2] == 7);
  }
  CHECK(read_set(file, "/group/a", H5T_NATIVE_DOUBLE, reals, 2) == 2);
  CHECK(reals[0] == -0.5 && reals[1] == 1e300);
  CHECK(read_set(file, "/group/empty", H5T_NATIVE_LLONG, numbers, 0) == 0);
  CHECK(read_set(file, "/group/constant", H5T_NATIVE_LLONG, numbers, 1000) == 1000);
  CHECK(numbers[0] == 42 && numbers[999] == 42);
  static const char *const counts[] = {"/count", "/wide"};
  static const long long by[] = {2, 70000};   // the second one does not fit into 32 bits
  for (int k = 0; k < 2; k++) {
    CHECK(read_set(file, counts[k], H5T_NATIVE_LLONG, numbers, COUNTED) == COUNTED);
    bool counted = true;
    for (int i = 0; i < COUNTED; i++) counted = counted && numbers[i] == by[k] * i;
    CHECK(counted);
  }
}

static void test_attributes(hid_t file)
{
  long long numbers[2] = {0};
  char text[16] = "";
  const hid_t pair = H5Aopen_by_name(file, "/", "pair", H5P_DEFAULT, H5P_DEFAULT);
  CHECK(H5Aread(pair, H5T_NATIVE_LLONG, numbers) >= 0);
  CHECK(numbers[0] == -1 && numbers[1] == INT64_MAX);
  H5Aclose(pair);
  const hid_t one = H5Aopen_by_name(file, "/group", "one", H5P_DEFAULT, H5P_DEFAULT);
  CHECK(H5Aread(one, H5T_NATIVE_LLONG, numbers) >= 0 && numbers[0] == 7);
  H5Aclose(one);
  const hid_t words = H5Aopen_by_name(file, "/group", "text", H5P_DEFAULT, H5P_DEFAULT);
  const hid_t type = H5Aget_type(words);
  CHECK(H5Tget_size(type) == 9 && H5Aread(words, type, text) >= 0);
  CHECK(strcmp(text, "some text") == 0);
  H5Tclose(type);
  H5Aclose(words);
}

// The name with that number in a group: by its making, or by the alphabet.
static bool is_named(hid_t file, const char *group, H5_index_t by, hsize_t number, const char *name)
{
  char found[32] = "";
  H5Lget_name_by_idx(file, group, by, H5_ITER_INC, number, found, sizeof found, H5P_DEFAULT);
  return strcmp(found, name) == 0;
}

static void test_names(hid_t file)
{
  H5G_info_t info;
  CHECK(H5Gget_info_by_name(file, "/many", &info, H5P_DEFAULT) >= 0 && info.nlinks == MANY);
  CHECK(is_named(file, "/many", H5_INDEX_CRT_ORDER, 0, "set 300"));
  CHECK(is_named(file, "/many", H5_INDEX_CRT_ORDER, MANY - 1, "set 1"));
  CHECK(is_named(file, "/many", H5_INDEX_NAME, 1, "set 10"));
  CHECK(is_named(file, "/", H5_INDEX_CRT_ORDER, 2, "group"));
  CHECK(is_named(file, "/group", H5_INDEX_CRT_ORDER, 6, "link"));
}

static void test_rows(hid_t file)
{
  double rows[3 * MANY];
  float nobody[4];
  int whole[3 * SOURCE_ROWS];
  CHECK(read_set(file, "/group/rows", H5T_NATIVE_DOUBLE, rows, 27) == 27);
  for (int i = 0; i < 9; i++) CHECK(rows[i] == i);
  for (int i = 9; i < 12; i++) CHECK(isnan(rows[i]));
  for (int i = 12; i < 27; i++) CHECK(rows[i] == i - 12);
  CHECK(read_set(file, "/group/nobody", H5T_NATIVE_FLOAT, nobody, 4) == 4);
  CHECK(isnan(nobody[0]) && isnan(nobody[3]));
  CHECK(read_set(file, "/group/zeros", H5T_NATIVE_INT, whole, 4) == 4);
  CHECK(whole[0] == 0 && whole[3] == 0);
  CHECK(read_set(file, "/group/own", H5T_NATIVE_INT, whole, 12) == 12);
  CHECK(whole[1] == 0 && whole[2] == 0 && whole[3] == 2 && whole[11] == 18);
  CHECK(read_set(file, "/group/bytes", H5T_NATIVE_INT, whole, 3 * SOURCE_ROWS) == 3 * SOURCE_ROWS);
  CHECK(whole[0] == 0 && whole[14] == 14);
  for (int i = 0; i < MANY; i++) {
    char path[32];
    snprintf(path, sizeof path, "/many/set %d", MANY - i);
    if (!CHECK(read_set(file, path, H5T_NATIVE_DOUBLE, rows, 3 * MANY) == 3 * MANY)) return;
    CHECK(rows[3 * i] == 0 && rows[3 * i + 2] == 2);
    CHECK(i + 1 == MANY || isnan(rows[3 * i + 3]));
  }
}

// Three rows behind more than 2^33 of nobody.
static void test_far(hid_t file)
{
  double rows[12];
  const hsize_t from[2] = {FAR - 1, 0}, size[2] = {4, 3}, count = 12;
  const hid_t set = H5Dopen2(file, "/group/far", H5P_DEFAULT), space = H5Dget_space(set);
  const hid_t memory = H5Screate_simple(1, &count, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, size, NULL);
  CHECK(H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, rows) >= 0);
  CHECK(isnan(rows[2]) && rows[3] == 0 && rows[11] == 8);
  H5Sclose(memory);
  H5Sclose(space);
  H5Dclose(set);
}

static void test_same_bytes(void)
{
  size_t counts[2];
  DiskStatus status = {0};
  char *before = disk_read_whole(LINKED, 1 << 28, &counts[0], &status);
  CHECK(!make(".").failed);
  char *after = disk_read_whole(LINKED, 1 << 28, &counts[1], &status);
  if (CHECK(!status.failed && counts[0] == counts[1])) CHECK(memcmp(before, after, counts[0]) == 0);
  memory_free(before);
  memory_free(after);
}

// Numbers stand little end first, whichever end machines take.
static void test_values(void)
{
  const double reals[2] = {1, -2};
  const float real = 1;
  const int32_t whole = 0x01020304;
  const unsigned char small[2] = {7, 8};
  static const unsigned char expected[] = {0, 0, 0,    0, 0, 0,    0xf0, 0x3f, 0, 0, 0, 0, 0,
                                           0, 0, 0xc0, 0, 0, 0x80, 0x3f, 4,    3, 2, 1, 7, 8};
  Hdf5Bytes bytes = {0};
  hdf5_bytes_values(&bytes, reals, 2, sizeof *reals);
  hdf5_bytes_values(&bytes, &real, 1, sizeof real);
  hdf5_bytes_values(&bytes, &whole, 1, sizeof whole);
  hdf5_bytes_values(&bytes, small, 2, 1);
  hdf5_bytes_values(&bytes, NULL, 0, 8);
  CHECK(bytes.count == sizeof expected && memcmp(bytes.at, expected, sizeof expected) == 0);
  memory_free(bytes.at);
}

int main(void)
{
  make_source();
  CHECK(!make(".").failed);
  const hid_t file = H5Fopen(LINKED, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (CHECK(file >= 0)) {
    test_plain(file);
    test_attributes(file);
    test_names(file);
    test_rows(file);
    test_far(file);
    H5Fclose(file);
  }
  test_same_bytes();
  test_values();
  const DiskStatus nowhere = make("no such folder");
  CHECK(nowhere.failed && strstr(nowhere.reason, LINKED));
  CHECK(remove(LINKED) == 0 && remove(SOURCE) == 0);
  return test_report();
}
