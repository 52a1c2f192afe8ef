// Fillings that are kept: in the cache of the user, and beside a mesh to travel with it; damage,
// leftovers, several writers, places that take no file.
// test: needs tetgen
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "tetgen_fills.h"

static void test_cache(Arena *arena)
{
  MeshBlock mesh_block = block_read("torus", arena);
  char name[300], path[700];
  remove_entries(CACHE);
  const Outcome first = fill("tetgen", 60, &mesh_block, MESH, arena);
  check_filling(&first, &mesh_block);
  CHECK(!first.report.from_cache && first.report.cache[0]);
  CHECK(count_entries(CACHE, name, sizeof name) == 1);
  snprintf(path, sizeof path, "%s/drystone/tetra1/%s", getenv("XDG_CACHE_HOME"), name);
  CHECK(strcmp(path, first.report.cache) == 0);
  CHECK(strspn(name, "0123456789abcdef") == 32 && strcmp(name + 32, ".tetra") == 0);

  // found again, without the program, bit for bit
  const Outcome again = fill("no-such-program", 60, &mesh_block, MESH, arena);
  check_filling(&again, &mesh_block);
  CHECK(again.report.from_cache && strcmp(again.report.cache, path) == 0);
  if (again.done && CHECK(again.filling.point_count == first.filling.point_count) &&
      CHECK(again.filling.tetra_count == first.filling.tetra_count)) {
    CHECK(memcmp(again.filling.points, first.filling.points,
                 (size_t)first.filling.point_count * sizeof(vec3)) == 0);
    CHECK(memcmp(again.filling.tetra, first.filling.tetra,
                 (size_t)first.filling.tetra_count * sizeof(int[4])) == 0);
  }

  // damage anywhere, and a file cut short, are noticed and mended
  struct stat about;
  CHECK(stat(path, &about) == 0);
  const off_t places[] = {0, 20, 40, 57, about.st_size / 2, about.st_size - 1};
  for (int i = 0; i < 7; i++) {
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (!CHECK(file >= 0)) continue;
    if (i < 6) {
      unsigned char byte;
      CHECK(pread(file, &byte, 1, places[i]) == 1);
      byte ^= 0x10;
      CHECK(pwrite(file, &byte, 1, places[i]) == 1);
    } else {
      CHECK(ftruncate(file, about.st_size - 4) == 0);
    }
    close(file);
    CHECK(!fill("no-such-program", 60, &mesh_block, MESH, arena).done);
    const Outcome mended = fill("tetgen", 60, &mesh_block, MESH, arena);
    check_filling(&mended, &mesh_block);
    CHECK(!mended.report.from_cache);
    CHECK(fill("no-such-program", 60, &mesh_block, MESH, arena).report.from_cache);
  }

  // another mesh block does not take it, not even under its name
  MeshBlock other = block_read("torus", arena);
  other.points[3].x = nextafter(other.points[3].x, 10);
  other.volume = mesh_block_volume(&other);
  CHECK(!fill("no-such-program", 60, &other, MESH, arena).done);
  const Outcome third = fill("tetgen", 60, &other, MESH, arena);
  check_filling(&third, &other);
  CHECK(rename(path, third.report.cache) == 0);
  CHECK(!fill("no-such-program", 60, &other, MESH, arena).done);
}

// What writers that died left goes when the next filling is written; what one at work holds, what
// is young, and other names stay.
static void test_leftovers(Arena *arena)
{
  const MeshBlock mesh_block = block_read("torus", arena);
  static const char *const names[] = {"dead.tetra.tmp-a1b2c3", "held.tetra.tmp-d4e5f6",
                                      "young.tetra.tmp-g7h8i9", "old.tetra.backup.one",
                                      "x.tetra.tmp-toolong"};
  int files[5];
  char path[700];
  remove_entries(CACHE);
  for (int i = 0; i < 5; i++) {
    snprintf(path, sizeof path, CACHE "/%s", names[i]);
    files[i] = open(path, O_RDWR | O_CREAT, 0600);
    const struct timespec old = {time(NULL) - 2 * 3600, 0}, times[2] = {old, old};
    CHECK(i == 2 || futimens(files[i], times) == 0);
  }
  CHECK(flock(files[1], LOCK_EX | LOCK_NB) == 0);
  close(files[0]);
  CHECK(fill("tetgen", 60, &mesh_block, MESH, arena).done);
  for (int i = 0; i < 5; i++) {
    snprintf(path, sizeof path, CACHE "/%s", names[i]);
    CHECK((access(path, F_OK) == 0) == (i > 0));
  }
  for (int i = 1; i < 5; i++) close(files[i]);
  remove_entries(CACHE);
}

// What lies beside a mesh is taken first; it holds fillings of several blocks, and one that is
// damaged costs no other.
static void test_beside(Arena *arena)
{
  const char *const meshes[3] = {"torus", "cup", "l"};
  TetgenRecords all = {0};
  size_t ends[3] = {0, 0, 0};
  for (int i = 0; i < 3; i++) {
    const MeshBlock mesh_block = block_read(meshes[i], arena);
    remove_entries(CACHE);
    CHECK(fill("tetgen", 60, &mesh_block, MESH, arena).done);
    char name[300], path[700];
    CHECK(count_entries(CACHE, name, sizeof name) == 1);
    snprintf(path, sizeof path, CACHE "/%s", name);
    TetgenRecords one = tetgen_cache_read(path);
    CHECK(one.count > 0);
    for (int twice = 0; twice < 2; twice++) tetgen_record_join(&all, &one);
    CHECK(all.count == (i > 0 ? ends[i - 1] : 0) + one.count);
    ends[i] = all.count;
    memory_free(one.bytes);
  }
  remove_entries(CACHE);
  for (int damaged = -1; damaged < 3; damaged++) {
    const size_t at = damaged < 0 ? 0 : ends[damaged] - (damaged == 1 ? 100 : 4);
    if (damaged >= 0) all.bytes[at] ^= 1;
    for (int i = 0; i < 3; i++) {
      const MeshBlock mesh_block = block_read(meshes[i], arena);
      Outcome out = {0};
      out.done = tetgen_fill(&(TetgenTask){&mesh_block, MESH, {"no-such-program", 60}, &all}, arena,
                             &out.filling, &out.report, (ErrorText){out.error, sizeof out.error});
      CHECK(out.done == (i != damaged));
      if (!out.done) continue;
      check_filling(&out, &mesh_block);
      CHECK(out.report.from_cache && strcmp(out.report.cache, MESH ".tetra") == 0);
    }
    if (damaged >= 0) all.bytes[at] ^= 1;
  }
  // sound records of a file that is damaged, or of another length, are joined alone
  for (size_t count = 0; count <= all.count; count += 7) {
    const TetgenRecords cut = {all.bytes, count};
    TetgenRecords joined = {0};
    tetgen_record_join(&joined, &cut);
    size_t whole = 0;
    for (int i = 0; i < 3; i++)
      if (ends[i] <= count) whole = ends[i];
    CHECK(joined.count == whole);
    memory_free(joined.bytes);
  }
  // a tetrahedron too few, with a checksum that is right, is found to be no filling
  MeshBlock mesh_block = block_read("l", arena);
  MeshFilling known;
  CHECK(tetgen_record_find(&all, &mesh_block, arena, &known));
  const Tetrahedra less = {known.point_count, known.points, known.tetra_count - 1,
                           (const int(*)[4])known.tetra};
  TetgenRecords wrong = tetgen_record_make(&mesh_block, &less);
  Outcome out = {0};
  CHECK(!tetgen_fill(&(TetgenTask){&mesh_block, MESH, {"no-such-program", 60}, &wrong}, arena,
                     &out.filling, &out.report, (ErrorText){out.error, sizeof out.error}));
  memory_free(wrong.bytes);
  memory_free(all.bytes);
}

// A place that takes no file only means no cache, and says why.
static void check_unkept(const char *cache, const char *home, const char *why, Arena *arena)
{
  MeshBlock mesh_block = block_read("l", arena);
  char before[1024];
  snprintf(before, sizeof before, "%s", getenv("XDG_CACHE_HOME"));
  if (cache) setenv("XDG_CACHE_HOME", cache, 1);
  else unsetenv("XDG_CACHE_HOME");
  if (home) setenv("HOME", home, 1);
  else unsetenv("HOME");
  const Outcome out = fill("tetgen", 60, &mesh_block, MESH, arena);
  check_filling(&out, &mesh_block);
  CHECK(out.report.cache[0] == 0 && !out.report.from_cache);
  if (!CHECK(strstr(out.report.unkept, why) != NULL)) printf("%s\n", out.report.unkept);
  setenv("XDG_CACHE_HOME", before, 1);
}

static void test_unkept(Arena *arena)
{
  const char *told = getenv("HOME");
  char home[1024], longest[5000], full[1100];
  snprintf(home, sizeof home, "%s", told ? told : "/");
  memset(longest, 'a', sizeof longest);
  longest[0] = '/';
  longest[sizeof longest - 1] = 0;
  check_unkept("/dev/null", "/", "/dev/null/drystone: Not a directory", arena);
  check_unkept("/proc/none", "/", "/proc/none: No such file or directory", arena);
  check_unkept(longest, "/", "too long", arena);
  check_unkept("relative", "", "neither XDG_CACHE_HOME nor HOME", arena);
  check_unkept(NULL, NULL, "neither XDG_CACHE_HOME nor HOME", arena);
  check_unkept("", "/dev/null", "/dev/null/.cache: Not a directory", arena);
  // a folder in the place of the file
  MeshBlock mesh_block = block_read("l", arena);
  remove_entries(CACHE);
  const Outcome first = fill("tetgen", 60, &mesh_block, MESH, arena);
  CHECK(unlink(first.report.cache) == 0 && mkdir(first.report.cache, 0700) == 0);
  const Outcome again = fill("tetgen", 60, &mesh_block, MESH, arena);
  check_filling(&again, &mesh_block);
  CHECK(again.report.cache[0] == 0 && strstr(again.report.unkept, "directory") != NULL);
  CHECK(rmdir(first.report.cache) == 0);
  // a home that has no cache yet gets one for its user alone
  char own[1024];
  CHECK(getcwd(own, sizeof own) != NULL);
  snprintf(full, sizeof full, "%s/home", own);
  CHECK(mkdir(full, 0755) == 0);
  char cache[1024];
  snprintf(cache, sizeof cache, "%s", getenv("XDG_CACHE_HOME"));
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", full, 1);
  const Outcome at_home = fill("tetgen", 60, &mesh_block, MESH, arena);
  check_filling(&at_home, &mesh_block);
  struct stat about;
  CHECK(strstr(at_home.report.cache, "/home/.cache/drystone/tetra1/") != NULL);
  CHECK(stat("home/.cache", &about) == 0 && (about.st_mode & 0777) == 0700);
  CHECK(unlink(at_home.report.cache) == 0 && rmdir("home/.cache/drystone/tetra1") == 0);
  CHECK(rmdir("home/.cache/drystone") == 0 && rmdir("home/.cache") == 0 && rmdir("home") == 0);
  setenv("XDG_CACHE_HOME", cache, 1);
  setenv("HOME", home, 1);
}

// A file that may not become that long, as on a full disk, is not there at all.
static void test_full(Arena *arena)
{
  const MeshBlock mesh_block = block_read("l", arena);
  const Outcome out = fill("tetgen", 60, &mesh_block, MESH, arena);
  TetgenRecords record = tetgen_cache_read(out.report.cache);
  CHECK(record.count > 200);
  remove_entries(CACHE);
  const pid_t child = fork();
  if (child == 0) {
    char why[300] = "";
    const struct rlimit limit = {200, 200};
    signal(SIGXFSZ, SIG_IGN);
    bool held = setrlimit(RLIMIT_FSIZE, &limit) == 0;
    held = held && !tetgen_cache_write(out.report.cache, &record, (ErrorText){why, sizeof why});
    _exit(held && strstr(why, "File too large") ? 0 : 1);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  CHECK(count_entries(CACHE, NULL, 0) == 0);
  memory_free(record.bytes);
}

// Several processes with one cache: each gets a sound filling, and a sound file is left.
static void test_at_once(Arena *arena)
{
  MeshBlock mesh_block = block_read("torus", arena);
  remove_entries(CACHE);
  pid_t children[4];
  for (int i = 0; i < 4; i++) {
    children[i] = fork();
    if (children[i] == 0) {
      const Outcome out = fill("tetgen", 60, &mesh_block, MESH, arena);
      _exit(out.done && out.report.cache[0] ? 0 : 1);
    }
  }
  for (int i = 0; i < 4; i++) {
    int status;
    CHECK(waitpid(children[i], &status, 0) == children[i] && status == 0);
  }
  CHECK(count_entries(CACHE, NULL, 0) == 1);
  const Outcome out = fill("no-such-program", 60, &mesh_block, MESH, arena);
  check_filling(&out, &mesh_block);
}

int main(void)
{
  Arena arena = arena_new();
  if (!fills_begin()) return test_report();
  test_cache(&arena);
  test_leftovers(&arena);
  test_beside(&arena);
  test_unkept(&arena);
  test_full(&arena);
  test_at_once(&arena);
  fills_end();
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
