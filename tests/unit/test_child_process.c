// How the end of another program is told, and that nothing the caller has open or closed is in the
// way.
#include "child_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

#define LOG "child.log"

static ChildResult run_shell(const char *text, double seconds)
{
  const char *const arguments[] = {"sh", "-c", text, NULL};
  return child_run(&(ChildProcess){arguments, ".", LOG, seconds});
}

static bool is(ChildResult result, ChildEnd end, int code)
{
  const bool same = result.end == end && result.code == code;
  if (!same) fprintf(stderr, "end %d, code %d\n", (int)result.end, result.code);
  return same;
}

static bool logged(const char *expected)
{
  char text[100] = "";
  FILE *file = fopen(LOG, "r");
  if (!file) return false;
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  return strcmp(text, expected) == 0;
}

static void test_ends(void)
{
  CHECK(is(run_shell("echo one; echo two >&2", 60), CHILD_DONE, 0) && logged("one\ntwo\n"));
  CHECK(is(run_shell("exit 9", 60), CHILD_FAILED, 9) && logged(""));
  CHECK(is(run_shell("exit 127", 60), CHILD_FAILED, 127));
  CHECK(is(run_shell("kill -SEGV $$", 60), CHILD_SIGNAL, SIGSEGV));
  CHECK(is(run_shell("exec sleep 1000", 0.1), CHILD_LATE, 0));
  CHECK(is(run_shell("if read line; then exit 1; fi", 60), CHILD_DONE, 0));   // no input
}

// What is missing is the program, or something else that it needs before.
static void test_refusals(void)
{
  const char *const by_path[] = {"./nothing", NULL}, *const by_name[] = {"no-such-program", NULL};
  const char *const folder[] = {"/", NULL}, *const sound[] = {"true", NULL};
  CHECK(is(child_run(&(ChildProcess){by_path, ".", LOG, 60}), CHILD_NOT_FOUND, ENOENT));
  CHECK(is(child_run(&(ChildProcess){by_name, ".", LOG, 60}), CHILD_NOT_FOUND, ENOENT));
  CHECK(is(child_run(&(ChildProcess){folder, ".", LOG, 60}), CHILD_NOT_RUN, EACCES));
  CHECK(is(child_run(&(ChildProcess){sound, "nowhere", LOG, 60}), CHILD_NOT_RUN, ENOENT));
  CHECK(is(child_run(&(ChildProcess){sound, ".", "nowhere/log", 60}), CHILD_NOT_RUN, ENOENT));
}

// The exit code of a process of its own, which may do what it likes to its files.
static int code_of(int (*look)(void))
{
  const pid_t process = fork();
  if (process == 0) _exit(look());
  int status = -1;
  CHECK(process > 0 && waitpid(process, &status, 0) == process);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int without_files(void)
{
  for (int file = 0; file < 10; file++) close(file);
  return run_shell("echo out; echo err >&2; exit 5", 60).code == 5 && logged("out\nerr\n") ? 0 : 1;
}

// Room for the pipe, none for what comes after it.
static int without_room(void)
{
  closefrom(STDERR_FILENO + 1);
  const struct rlimit few = {STDERR_FILENO + 3, STDERR_FILENO + 3};
  if (setrlimit(RLIMIT_NOFILE, &few) != 0) return 2;
  return is(run_shell("exit 0", 60), CHILD_NOT_RUN, EMFILE) ? 0 : 1;
}

static void test_files(void)
{
  CHECK(code_of(without_files) == 0);
  CHECK(code_of(without_room) == 0);
}

int main(void)
{
  test_ends();
  test_refusals();
  test_files();
  return test_report();
}
