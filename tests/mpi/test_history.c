// Tables of lines: what is cut back and kept on a restart, and fields that a reader of CSV takes
// apart again.
#include "history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"
#include "memory.h"
#include "parallel.h"

static const char *folder;

// What stands in the table, on rank 0 (memory_free).
static char *text_of(const char *name)
{
  if (par_rank() != 0) return NULL;
  char *path = disk_path(folder, name);
  DiskStatus status = {0};
  size_t bytes;
  char *text = disk_read_whole(path, 1 << 20, &bytes, &status);
  memory_free(path);
  return text;
}

static bool holds(const char *name, const char *expected)
{
  char *text = text_of(name);
  const bool same = par_rank() != 0 || (text && strcmp(text, expected) == 0);
  if (!same) printf("  found:\n%s", text ? text : "nothing\n");
  memory_free(text);
  return same;
}

static void append_rank_0(const char *name, const char *bytes)
{
  if (par_rank() == 0) {
    char *path = disk_path(folder, name);
    FILE *file = fopen(path, "a");
    CHECK(file && fputs(bytes, file) >= 0);
    if (file) fclose(file);
    memory_free(path);
  }
  par_barrier();
}

// Two tables side by side; steps with no line, one and several.
static void test_cut_back(void)
{
  Results results;
  CHECK(results_open(&results, folder, RESULTS_OVERWRITE) == EXIT_DONE);
  CHECK(results_replace(&results));
  History one, two;
  CHECK(history_begin(&one, &results, RESULTS_HISTORY, "step,a", -1));
  CHECK(history_begin(&two, &results, RESULTS_REMOVED, "step,b", -1));
  history_line(&one, "1,2");
  history_line(&two, "3,\"4,5\"");
  history_line(&two, "3,6");
  history_line(&two, "10,7");
  CHECK(history_flush(&one) && holds(RESULTS_HISTORY, "step,a\n1,2\n"));
  CHECK(history_end(&one) && history_end(&two));
  CHECK(holds(RESULTS_REMOVED, "step,b\n3,\"4,5\"\n3,6\n10,7\n"));

  // a line that a crash cut short, and lines of steps after the checkpoint
  append_rank_0(RESULTS_REMOVED, "10,8\n2");
  CHECK(history_begin(&two, &results, RESULTS_REMOVED, "step,b", 9));
  history_line(&two, "11,9");
  CHECK(history_end(&two) && holds(RESULTS_REMOVED, "step,b\n3,\"4,5\"\n3,6\n11,9\n"));
  CHECK(history_begin(&two, &results, RESULTS_REMOVED, "step,b", 0));
  history_abandon(&two);
  CHECK(holds(RESULTS_REMOVED, "step,b\n") && holds(RESULTS_HISTORY, "step,a\n1,2\n"));

  // lines that no run wrote
  append_rank_0(RESULTS_HISTORY, ",3\n-\n,\n4\n2,5\n");
  CHECK(history_begin(&one, &results, RESULTS_HISTORY, "step,a", 9));
  CHECK(history_end(&one) && holds(RESULTS_HISTORY, "step,a\n1,2\n2,5\n"));

  // a restart of a run that had no such table
  if (par_rank() == 0) {
    char *path = disk_path(folder, RESULTS_REMOVED);
    CHECK(unlink(path) == 0);
    memory_free(path);
  }
  par_barrier();
  CHECK(history_begin(&two, &results, RESULTS_REMOVED, "step,b", 5));
  CHECK(history_end(&two) && holds(RESULTS_REMOVED, "step,b\n"));
  results_close(&results);
}

// A restart whose table has other columns: values follow their names, a field in quotes is one, and
// what old lines lack is nan. A heading that no run wrote says nothing of columns.
static void test_other_columns(void)
{
  Results results;
  CHECK(results_open(&results, folder, RESULTS_OVERWRITE) == EXIT_DONE);
  CHECK(results_replace(&results));
  History table;
  CHECK(history_begin(&table, &results, RESULTS_PROBES, "step,time,a_x,b,name", -1));
  history_line(&table, "1,0.1,2,3,\"x,\"\"y\"");
  history_line(&table, "2,0.2,4,5,");
  history_line(&table, "3,0.3,6,7,z");
  CHECK(history_end(&table));
  CHECK(history_begin(&table, &results, RESULTS_PROBES, "step,time,name,a,b,a_x_y,b", 2));
  history_line(&table, "3,0.3,z,8,9,10,9");
  CHECK(history_end(&table));
  CHECK(holds(RESULTS_PROBES, "step,time,name,a,b,a_x_y,b\n"
                              "1,0.1,\"x,\"\"y\",nan,3,nan,3\n2,0.2,,nan,5,nan,5\n"
                              "3,0.3,z,8,9,10,9\n"));

  // a line with fewer fields, and one with more
  append_rank_0(RESULTS_PROBES, "4,0.4\n5,0.5,w,1,2,3,2,11,12\n");
  CHECK(history_begin(&table, &results, RESULTS_PROBES, "step,time,a,b", 9));
  CHECK(history_end(&table));
  CHECK(holds(RESULTS_PROBES, "step,time,a,b\n1,0.1,nan,3\n2,0.2,nan,5\n3,0.3,8,9\n"
                              "4,0.4,nan,nan\n5,0.5,1,2\n"));

  CHECK(history_begin(&table, &results, RESULTS_PROBES, "step,c", 9));
  CHECK(history_end(&table));
  CHECK(history_begin(&table, &results, RESULTS_PROBES, "step,time,c", 9));
  CHECK(history_end(&table));
  CHECK(holds(RESULTS_PROBES, "step,time,c\n1,nan\n2,nan\n3,nan\n4,nan\n5,nan\n"));

  // a heading with quotes, which no run writes
  CHECK(history_begin(&table, &results, RESULTS_PROBES, "step,time,\"a,b\",c", -1));
  history_line(&table, "1,0.1,2,3");
  CHECK(history_end(&table));
  CHECK(history_begin(&table, &results, RESULTS_PROBES, "step,time,d,c", 9));
  CHECK(history_end(&table));
  CHECK(holds(RESULTS_PROBES, "step,time,d,c\n1,0.1,nan,3\n"));
  results_close(&results);
}

// Somebody makes the table longer, then shorter: lines that are left stay, and so do both texts.
static void test_changed(void)
{
  Results results;
  CHECK(results_open(&results, folder, RESULTS_OVERWRITE) == EXIT_DONE);
  CHECK(results_replace(&results));
  History table;
  CHECK(history_begin(&table, &results, RESULTS_HISTORY, "step,a", -1));
  history_line(&table, "1,2");
  CHECK(history_flush(&table) && history_is_unchanged(&table));
  append_rank_0(RESULTS_HISTORY, "mine\n");
  history_line(&table, "2,3");
  CHECK(history_flush(&table) && !history_is_unchanged(&table));
  CHECK(holds(RESULTS_HISTORY, "step,a\n1,2\n2,3\n"));
  CHECK(holds(RESULTS_HISTORY ".replaced", "step,a\n1,2\nmine\n"));
  if (par_rank() == 0) {
    char *path = disk_path(folder, RESULTS_HISTORY);
    CHECK(truncate(path, 2) == 0);
    memory_free(path);
  }
  par_barrier();
  history_line(&table, "3,4");
  CHECK(!history_end(&table));
  CHECK(holds(RESULTS_HISTORY, "step,a\n3,4\n"));
  CHECK(holds(RESULTS_HISTORY ".replaced-2", "st"));
  if (par_rank() == 0) {
    DiskStatus status = {0};
    disk_remove(folder, RESULTS_HISTORY ".replaced", &status);
    disk_remove(folder, RESULTS_HISTORY ".replaced-2", &status);
    CHECK(!status.failed);
  }
  par_barrier();
  results_close(&results);
}

// Lines of a file elsewhere, whatever stands behind the step; a last one that is not whole goes.
static void test_cut_lines(void)
{
  append_rank_0("log.txt", "# mine\n1 a=1\n2 a=2\n3 a=3\n4 a");
  static const struct {
    int64_t last;
    const char *kept;
  } cuts[] = {{9, "# mine\n1 a=1\n2 a=2\n3 a=3\n"},
              {3, "# mine\n1 a=1\n2 a=2\n3 a=3\n"},
              {2, "# mine\n1 a=1\n2 a=2\n"},
              {0, "# mine\n"}};
  char *path = disk_path(folder, "log.txt"), *link = disk_path(folder, "link.txt");
  for (int i = 0; i < 4; i++) {
    DiskStatus status = {0};
    if (par_rank() == 0) history_cut_lines(i % 2 ? link : path, cuts[i].last, &status);
    CHECK(!status.failed && holds("log.txt", cuts[i].kept));
    if (par_rank() == 0 && i == 0) CHECK(symlink("log.txt", link) == 0);
    par_barrier();
  }

  // what is not there, or no file, is left alone
  DiskStatus status = {0};
  if (par_rank() == 0) {
    history_cut_lines("/dev/null", 1, &status);
    CHECK(unlink(path) == 0);
    history_cut_lines(path, 1, &status);
    CHECK(!status.failed && access(path, F_OK) != 0 && unlink(link) == 0);
  }
  memory_free(path);
  memory_free(link);
  par_barrier();
}

static void check_field(const char *text, size_t bytes, const char *expected)
{
  char *field = memory_allocate(bytes);   // an address sanitizer sees a byte too many
  history_field(text, field, bytes);
  if (!CHECK(strcmp(field, expected) == 0)) printf("  found %s, expected %s\n", field, expected);
  memory_free(field);
}

static void test_fields(void)
{
  check_field("", 4, "");
  check_field("block", 16, "block");
  check_field("two\nlines\x7f", 16, "two lines ");
  check_field("a, b", 16, "\"a, b\"");
  check_field("a \"b\"", 16, "\"a \"\"b\"\"\"");
  check_field("abcdef", 4, "abc");
  check_field("a,cdef", 6, "\"a,c\"");
  check_field("a\"\"", 6, "\"a\"\"\"");
  check_field("\xc3\xa4\xc3\xb6\xc3\xbc", 6, "\xc3\xa4\xc3\xb6");
  check_field("ab\xf0\x9f\x99\x82", 6, "ab");
  check_field("ab\xf0\x9f\x99\x82", 7, "ab\xf0\x9f\x99\x82");
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  char name[64];
  snprintf(name, sizeof name, "history-results-%d", par_size());
  folder = name;
  test_cut_back();
  test_other_columns();
  test_changed();
  test_cut_lines();
  test_fields();
  CHECK(memory_live_bytes() == 0);
  const int code = test_report_parallel();
  par_end();
  return code;
}
