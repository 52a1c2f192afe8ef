// TetGen as a process: fillings and refusals, signals and kills.
// test: needs tetgen
#include "tetgen.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"
#include "memory.h"
#include "mesh_solids.h"
#include "parallel.h"
#include "posed_scene.h"
#include "signals.h"
#include "tetgen_fills.h"

// A shell script to run instead of the program, by its path.
static const char *write_script(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static const char *write_script(const char *name, const char *format, ...)
{
  FILE *file = fopen(name, "w");
  if (!CHECK(file != NULL)) return name;
  va_list args;
  va_start(args, format);
  fprintf(file, "#!/bin/sh\n");
  vfprintf(file, format, args);
  va_end(args);
  fclose(file);
  CHECK(chmod(name, 0755) == 0);
  return name;
}

// Meshes as they are, turned, small, large and far away.
static void test_meshes(Arena *arena)
{
  const char *names[] = {"l", "u", "torus", "cup"};
  const double sizes[] = {1, 1e-3, 1e3};
  Random random = {29};
  for (int i = 0; i < 4; i++) {
    for (int s = 0; s < 3; s++) {
      MeshBlock mesh_block = block_read(names[i], arena);
      const mat3 turn = s == 0 ? mat3_diagonal(1, 1, 1) : random_rotation(&random);
      const vec3 at = vec3_scale(s == 0 ? 0 : 20 * sizes[s], vec3_new(1, -2, 3));
      block_place(&mesh_block, mat3_scale(sizes[s], turn), at);
      remove_entries(CACHE);
      const Outcome out = fill("tetgen", 60, &mesh_block, MESH, arena);
      check_filling(&out, &mesh_block);
      CHECK(!out.report.from_cache && strstr(out.report.cache, "/" CACHE "/") != NULL);
    }
  }
}

// A mesh block with every face in small triangles, many of them in one plane: none may be put
// otherwise.
static void test_coplanar(Arena *arena)
{
  MeshBlock mesh_block = block_read("l", arena);
  for (int pass = 0; pass < 3; pass++) {
    const int count = mesh_block.triangle_count;
    for (int t = 0; t < count; t++) {
      int *v = mesh_block.triangles[t];
      const int middle = mesh_block.point_count++;
      const vec3 sum = vec3_add(mesh_block.points[v[0]],
                                vec3_add(mesh_block.points[v[1]], mesh_block.points[v[2]]));
      mesh_block.points[middle] = vec3_scale(1.0 / 3, sum);
      for (int k = 1; k < 3; k++) {
        const int triangle[3] = {v[k], v[(k + 1) % 3], middle};
        memcpy(mesh_block.triangles[mesh_block.triangle_count++], triangle, sizeof triangle);
      }
      v[2] = middle;
    }
  }
  mesh_block.volume = mesh_block_volume(&mesh_block);
  CHECK_NEAR(mesh_block.volume, 3, 1e-12);
  remove_entries(CACHE);
  const Outcome out = fill("tetgen", 60, &mesh_block, MESH, arena);
  check_filling(&out, &mesh_block);
}

// A stone of a vault as a program wrote it, in thousandths: its six sides are each flat but for the
// last digit. tetgen 1.5 ends with a failed assertion when it gets these numbers times 0.1.
static MeshBlock vault_stone(double scale, Arena *arena)
{
  static const double corners[8][3] = {{-6.619, 24.649, 70.055}, {15.979, 24.648, 65.804},
                                       {16.555, 24.65, 87.124},  {-2.936, 24.648, 94.25},
                                       {-6.617, -4.35, 70.057},  {15.98, -4.351, 65.805},
                                       {16.555, -4.353, 87.122}, {-2.934, -4.351, 94.252}};
  static const int sides[12][3] = {{0, 3, 2}, {0, 2, 1}, {4, 5, 6}, {4, 6, 7},
                                   {0, 1, 5}, {0, 5, 4}, {1, 2, 6}, {1, 6, 5},
                                   {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
  MeshBlock mesh_block = {.name = "l", .point_count = 8, .triangle_count = 12};
  mesh_block.points = arena_allocate(arena, 8 * sizeof(vec3));
  mesh_block.triangles = arena_allocate(arena, sizeof sides);
  memcpy(mesh_block.triangles, sides, sizeof sides);
  for (int i = 0; i < 8; i++)
    mesh_block.points[i] = vec3_scale(scale, vec3_new(corners[i][0], corners[i][1], corners[i][2]));
  mesh_block.volume = mesh_block_volume(&mesh_block);
  return mesh_block;
}

// The same stone in any unit of length has a filling, and the same one.
static void test_units(Arena *arena)
{
  const double scales[] = {1, 1e-4, 1e-3, 1e-2, 0.1, 0.3048, 10, 1e3, 1e6};
  Outcome first = {0};
  for (int i = 0; i < 9; i++) {
    const MeshBlock mesh_block = vault_stone(scales[i], arena);
    remove_entries(CACHE);
    const Outcome out = fill("tetgen", 60, &mesh_block, MESH, arena);
    check_filling(&out, &mesh_block);
    if (i == 0) first = out;
    if (!out.done || !CHECK(out.filling.tetra_count == first.filling.tetra_count) ||
        !CHECK(out.filling.point_count == first.filling.point_count))
      continue;
    CHECK(memcmp(out.filling.tetra, first.filling.tetra,
                 (size_t)first.filling.tetra_count * sizeof(int[4])) == 0);
  }
}

// What strands the program in the unit of the mesh block is tried in metres; what ends it from
// outside is not tried again.
static void test_second_try(Arena *arena)
{
  const MeshBlock mesh_block = vault_stone(1, arena);
  remove_entries(CACHE);
  write_script("stranded", "echo >>../../tries; cp surface.smesh ../../surface\n"
                           "[ $(wc -l <../../tries) = 2 ] || kill -ABRT $$\nexec tetgen \"$@\"\n");
  const Outcome out = fill("./stranded", 60, &mesh_block, MESH, arena);
  check_filling(&out, &mesh_block);
  char text[200] = "";
  FILE *surface = fopen("surface", "r");
  if (CHECK(surface != NULL)) CHECK(fread(text, 1, sizeof text - 1, surface) > 0), fclose(surface);
  CHECK(strstr(text, "0 -6.6189999999999998 24.649000000000001 70.055000000000007\n") != NULL);
  remove_entries(CACHE);
  struct stat about;
  write_script("stranded", "echo >>../../killed; kill -KILL $$\n");
  CHECK(!fill("./stranded", 60, &mesh_block, MESH, arena).done);
  CHECK(stat("killed", &about) == 0 && about.st_size == 1);
}

static void test_failing(Arena *arena)
{
  MeshBlock mesh_block = block_read("l", arena);
  remove_entries(CACHE);
  Outcome out = fill("no-such-program", 60, &mesh_block, MESH, arena);
  check_refused(&out, "install the Debian package tetgen");
  out = fill("./no-such-program", 60, &mesh_block, MESH, arena);
  check_refused(&out, "install the Debian package tetgen");
  CHECK(symlink("/dev/null", "null") == 0);
  out = fill("./null", 60, &mesh_block, MESH, arena);
  check_refused(&out, "cannot be run");
  out = fill(write_script("fails", "echo bad input; exit 3\n"), 60, &mesh_block, MESH, arena);
  check_refused(&out, "install the Debian package");   // a bare name is looked for in PATH alone
  out = fill("./fails", 60, &mesh_block, MESH, arena);
  check_refused(&out, "exit code 3; it said: bad input");
  write_script("aborts", "echo one; echo two >&2; kill -ABRT $$\n");
  out = fill("./aborts", 60, &mesh_block, MESH, arena);
  check_refused(&out, "signal 6");
  CHECK(strstr(out.error, "two") != NULL);
  write_script("hangs", "exec sleep 1000\n");
  out = fill("./hangs", 0.3, &mesh_block, MESH, arena);
  check_refused(&out, "stopped after 0.3 s");
  CHECK(waitpid(-1, NULL, WNOHANG) < 0);   // and nothing of it is left
  write_script("silent", "exit 0\n");
  out = fill("./silent", 60, &mesh_block, MESH, arena);
  check_refused(&out, "wrote no file surface.1.node");
}

// What the child of a test found, as its exit code; signals reach the child and its own children
// alone.
static int outcome_of_group(int (*look)(const MeshBlock *, Arena *), const MeshBlock *mesh_block,
                            Arena *arena)
{
  const pid_t child = fork();
  if (!CHECK(child >= 0)) return -1;
  if (child == 0) {
    setpgid(0, 0);
    alarm(60);
    _exit(look(mesh_block, arena));
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// Whether a process is there and has not ended.
static bool is_running(int process)
{
  char path[64], state = 'Z';
  snprintf(path, sizeof path, "/proc/%d/stat", process);
  FILE *file = fopen(path, "r");
  if (!file) return false;
  const int read = fscanf(file, "%*d (%*[^)]) %c", &state);
  fclose(file);
  return read == 1 && state != 'Z';
}

static int mesh_beside_requests(const MeshBlock *mesh_block, Arena *arena)
{
  signals_begin();
  signals_listen();
  const Outcome out = fill("./disturbed", 60, mesh_block, MESH, arena);
  if (!out.done) fprintf(stderr, "%s\n", out.error);
  return out.done && signals_asked() != 0 ? 0 : 1;
}

static int mesh_beside_second(const MeshBlock *mesh_block, Arena *arena)
{
  signals_begin();
  signals_listen();
  fill("./disturbed_twice", 60, mesh_block, MESH, arena);
  return 1;
}

static int mesh_without_listening(const MeshBlock *mesh_block, Arena *arena)
{
  const Outcome out = fill("./ended", 60, mesh_block, MESH, arena);
  return !out.done && strstr(out.error, "signal 15") ? 0 : 1;
}

static int mesh_with_deaf_ears(const MeshBlock *mesh_block, Arena *arena)
{
  signal(SIGINT, SIG_IGN);
  return fill("./interrupted", 60, mesh_block, MESH, arena).done ? 0 : 1;
}

static int mesh_and_be_killed(const MeshBlock *mesh_block, Arena *arena)
{
  fill("./kills", 60, mesh_block, MESH, arena);
  return 1;
}

// Checks that the process whose number is in a file has ended, and removes what it worked in.
static void check_taken_along(void)
{
  FILE *file = fopen("process", "r");
  int process = 0;
  CHECK(file && fscanf(file, "%d", &process) == 1);
  if (file) fclose(file);
  // killed, but whoever inherits it may take a while to ask after it
  for (int looks = 0; process > 0 && is_running(process) && looks < 500; looks++) usleep(10000);
  CHECK(process > 0 && !is_running(process));
  CHECK(unlink("process") == 0);
  char left[300], path[400];
  CHECK(count_entries("temporary", left, sizeof left) == 1);
  snprintf(path, sizeof path, "temporary/%s", left);
  remove_entries(path);
  remove_entries("temporary");
}

// A request to end a run that comes to all its processes leaves the program at its work, as the run
// goes on too. The second one ends both, as does a kill of the run. Where nobody listens a request
// ends the program as any other.
static void test_requests(Arena *arena)
{
  MeshBlock mesh_block = block_read("l", arena);
  remove_entries(CACHE);
  write_script("disturbed", "kill -USR1 0; kill -TERM 0; kill -INT 0; exec tetgen \"$@\"\n");
  CHECK(outcome_of_group(mesh_beside_requests, &mesh_block, arena) == 0);
  remove_entries(CACHE);
  write_script("disturbed_twice", "echo $$ >../../process; kill -TERM 0; sleep 2.5\n"
                                  "kill -TERM 0; exec sleep 1000\n");
  CHECK(outcome_of_group(mesh_beside_second, &mesh_block, arena) == EXIT_AT_ONCE);
  check_taken_along();
  write_script("kills", "echo $$ >../../process; kill -KILL $PPID; exec sleep 1000\n");
  CHECK(outcome_of_group(mesh_and_be_killed, &mesh_block, arena) == -SIGKILL);
  check_taken_along();
  write_script("ended", "kill -TERM $$; sleep 1000\n");
  CHECK(outcome_of_group(mesh_without_listening, &mesh_block, arena) == 0);
  write_script("interrupted", "kill -INT $$; exec tetgen \"$@\"\n");
  CHECK(outcome_of_group(mesh_with_deaf_ears, &mesh_block, arena) == 0);
  remove_entries(CACHE);
}

// A program that writes what it is told, into the folder it finds itself in.
static void test_garbage(Arena *arena)
{
  // a tetrahedron beside its wrong descriptions
  vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  int triangles[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  const MeshBlock mesh_block = {.name = "l",
                                .point_count = 4,
                                .points = points,
                                .triangle_count = 4,
                                .triangles = triangles,
                                .volume = 1.0 / 6};
  static const char *node = "4 3 0 0\\n0 0 0 0\\n1 1 0 0 # x\\n2 0 1 0\\n3 0 0 1\\n";
  static const struct {
    const char *node, *ele, *words;
  } cases[] = {
      {NULL, "1 4 0\\n0 0 1 2 3\\n", NULL},
      {NULL, "# first\\n1 4 0\\n\\n0 0 1 3 2", NULL},
      {NULL, "1 4 1\\n0 0 1 2 3 7\\n", NULL},
      {"4 3 1 1\\n0 0 0 0 5 1\\n1 1 0 0 5 1\\n2 0 1 0 5 1\\n3 0 0 1 5 1\\n", "1 4 0\\n0 0 1 2 3\\n",
       NULL},
      {NULL, "0 4 0\\n", "no tetrahedra"},
      {NULL, "", "tetrahedra cannot be read"},
      {NULL, "1 4 0\\n0 0 1 2\\n", "tetrahedra cannot be read"},
      {NULL, "1 4 0\\n1 0 1 2 3\\n", "tetrahedra cannot be read"},
      {NULL, "1 4 0\\n0 0 1 2 3x\\n", "tetrahedra cannot be read"},
      {NULL, "1 4 0\\n0 0 1 2 99999999999\\n", "tetrahedra cannot be read"},
      {NULL, "1 10 0\\n0 0 1 2 3 0 0 0 0 0 0\\n", "tetrahedra cannot be read"},
      {NULL, "2000000000 4 0\\n0 0 1 2 3\\n", "tetrahedra cannot be read"},
      {NULL, "-1 4 0\\n", "tetrahedra cannot be read"},
      {NULL, "1 4 0\\n0 0 1 2 4\\n", "names point 4 of 4"},
      {NULL, "1 4 0\\n0 0 1 2 -1\\n", "names point -1 of 4"},
      {NULL, "1 4 0\\n0 0 1 2 2\\n", "no volume"},
      {NULL, "2 4 0\\n0 0 1 2 3\\n1 0 1 2 3\\n", "volume is"},
      {"3 3 0 0\\n0 0 0 0\\n1 1 0 0\\n2 0 1 0\\n", "1 4 0\\n0 0 1 2 3\\n", "left points out"},
      {"4 3 0 0\\n0 0 0 0\\n1 0 1 0\\n2 1 0 0\\n3 0 0 1\\n", "1 4 0\\n0 0 1 2 3\\n",
       "point 1 came back elsewhere"},
      {"4 3 0 0\\n0 0 0 0\\n1 nan 0 0\\n2 0 1 0\\n3 0 0 1\\n", "1 4 0\\n0 0 1 2 3\\n",
       "points cannot be read"},
      {"4 2 0 0\\n0 0 0\\n", "1 4 0\\n0 0 1 2 3\\n", "points cannot be read"},
      {"four", "1 4 0\\n0 0 1 2 3\\n", "points cannot be read"},
      // an inner point in a face makes another surface of the same volume
      {"5 3 0 0\\n0 0 0 0\\n1 1 0 0\\n2 0 1 0\\n3 0 0 1\\n4 0.25 0.25 0\\n",
       "3 4 0\\n0 0 1 4 3\\n1 1 2 4 3\\n2 2 0 4 3\\n", "surface is not that of the block"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    remove_entries(CACHE);
    write_script("writes", "printf '%%b' '%s' >surface.1.node\nprintf '%%b' '%s' >surface.1.ele\n",
                 cases[i].node ? cases[i].node : node, cases[i].ele);
    const Outcome out = fill("./writes", 60, &mesh_block, MESH, arena);
    if (cases[i].words) check_refused(&out, cases[i].words);
    else check_filling(&out, &mesh_block);
  }
}

// What the program gets: its switches, no open files of ours, no input, default signals.
static void test_surroundings(Arena *arena)
{
  MeshBlock mesh_block = block_read("l", arena);
  remove_entries(CACHE);
  char home[1024];
  CHECK(getcwd(home, sizeof home) != NULL);
  const int open_file = 77;   // inherited by every careless child
  CHECK(dup2(STDOUT_FILENO, open_file) == open_file);
  signal(SIGVTALRM, SIG_IGN);
  write_script("looks",
               "echo \"$@\" >'%s/seen'\nls /proc/$$/fd >>'%s/seen'\n"
               "cat >>'%s/seen'\n(kill -VTALRM $$) ; exit 0\n",
               home, home, home);
  const Outcome out = fill("./looks", 60, &mesh_block, MESH, arena);
  signal(SIGVTALRM, SIG_DFL);
  close(open_file);
  check_refused(&out, "signal 26");
  char seen[300] = "";
  FILE *file = fopen("seen", "r");
  if (CHECK(file != NULL)) {
    const size_t count = fread(seen, 1, sizeof seen - 1, file);
    seen[count] = 0;
    fclose(file);
  }
  CHECK(strncmp(seen, "-pY", 3) == 0 && strstr(seen, " surface.smesh\n") != NULL);
  CHECK(strchr(seen, 'q') == NULL);
  CHECK(strstr(seen, "\n0\n1\n") != NULL && strstr(seen, "\n77\n") == NULL);
  // the temporary folder cannot be made
  setenv("TMPDIR", "/no/such/folder", 1);
  const Outcome nowhere = fill("tetgen", 60, &mesh_block, MESH, arena);
  setenv("TMPDIR", "temporary", 1);
  check_refused(&nowhere, "/no/such/folder");
  // the variable names the program
  setenv(TETGEN_VARIABLE, "./fails", 1);
  Outcome named = {0};
  named.done =
      tetgen_fill(&(TetgenTask){.mesh_block = &mesh_block, .mesh_path = MESH}, arena,
                  &named.filling, &named.report, (ErrorText){named.error, sizeof named.error});
  check_refused(&named, "program './fails'");
  unsetenv(TETGEN_VARIABLE);
  named.done =
      tetgen_fill(&(TetgenTask){.mesh_block = &mesh_block, .mesh_path = MESH}, arena,
                  &named.filling, &named.report, (ErrorText){named.error, sizeof named.error});
  check_filling(&named, &mesh_block);
}

// Meshes by switches of one's own, with an end to the points that may be added.
static void test_mesh(Arena *arena)
{
  const MeshBlock mesh_block = block_read("l", arena);
  Tetrahedra filling;
  char error[1000] = "";
  // 3 m3 in tetrahedra of at most 0.02 m3
  const TetgenMeshing fine = {"-pMFQq1.4a0.02", true, 5000};
  if (!CHECK(tetgen_mesh(fine, &mesh_block, arena, &filling, (ErrorText){error, sizeof error})))
    printf("%s\n", error);
  else CHECK(filling.tetra_count >= 150 && filling.point_count < mesh_block.point_count + 5000);
  CHECK_NEAR(filling_volume(&filling), 3, 1e-12);
  // without the limit this one fills the memory
  const TetgenMeshing endless = {"-pMFQq1.0", true, 2000};
  CHECK(!tetgen_mesh(endless, &mesh_block, arena, &filling, (ErrorText){error, sizeof error}));
  if (!CHECK(strstr(error, "came to no end with 2000 points added") != NULL)) printf("%s\n", error);
  CHECK(strstr(error, "'l'") != NULL && strchr(error, '\n') == NULL);
  setenv(TETGEN_VARIABLE, "./nowhere", 1);
  CHECK(!tetgen_mesh(fine, &mesh_block, arena, &filling, (ErrorText){error, sizeof error}));
  if (!CHECK(strstr(error, "'./nowhere': there is no such program; install") != NULL))
    printf("%s\n", error);
  unsetenv(TETGEN_VARIABLE);
  CHECK(count_entries("temporary", NULL, 0) == 0);
}

int main(void)
{
  Arena arena = arena_new();
  if (!fills_begin()) return test_report();
  test_meshes(&arena);
  test_coplanar(&arena);
  test_units(&arena);
  test_second_try(&arena);
  test_failing(&arena);
  test_requests(&arena);
  test_garbage(&arena);
  test_surroundings(&arena);
  test_mesh(&arena);
  fills_end();
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
