// Frames: what the files say is a function of the state alone, they come and go with restarts, and
// survive a full disk.
#include "frames.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "harness.h"
#include "hdf5.h"
#include "sample_state.h"

typedef struct {
  Arena arena;
  Case c;
  ShapeSet shapes;
  Results results;
  Bodies bodies;
  Contacts contacts;
  Frames frames;
  Hash128 hash;   // of the rows at hand
} Sample;

static const char *folder;

// Rows of a case distributed by ranges of ids; a run in an empty folder, or a restart.
static void begin_case(Sample *s, Case (*new_case)(Arena *), ResultsMode mode, int64_t last_step)
{
  memset(s, 0, sizeof *s);
  s->arena = arena_new();
  s->c = new_case(&s->arena);
  s->shapes = shape_set_new(s->c.shapes, s->c.shape_count);
  bodies_begin(&s->bodies);
  contacts_begin(&s->contacts);
  CHECK(results_open(&s->results, folder, mode) == EXIT_DONE);
  if (mode == RESULTS_OVERWRITE) CHECK(results_replace(&s->results));
  const uint64_t first = id_range_first(s->c.body_count, par_rank(), par_size());
  const uint64_t last = id_range_first(s->c.body_count, par_rank() + 1, par_size());
  table_reserve(&s->bodies.table, (int)(last - first));
  for (uint64_t id = first; id < last; id++)
    if (sample_is_there(&s->c, id, 0))
      sample_body(&s->c, &s->bodies, s->bodies.table.count++, id, 0);
  s->bodies.table.owned = s->bodies.table.count;
  const State state = sample_state(&s->bodies, &s->contacts, 0);
  CHECK(frames_begin(&s->frames, &s->results, (FrameScene){&s->c, &state, &s->shapes}, last_step));
}

static void begin(Sample *s, ResultsMode mode, int64_t last_step)
{
  begin_case(s, sample_case, mode, last_step);
}

static void end(Sample *s)
{
  frames_end(&s->frames);
  results_close(&s->results);
  contacts_end(&s->contacts);
  bodies_end(&s->bodies);
  shape_set_destroy(&s->shapes);
  arena_destroy(&s->arena);
  par_barrier();
}

static bool write_step(Sample *s, int64_t step, uint64_t salt)
{
  sample_rows(&s->c, &s->bodies, &s->contacts, step, salt);
  const State state = sample_state(&s->bodies, &s->contacts, step);
  s->hash = state_hash(&state);
  return frames_write(&s->frames, &state);
}

static bool is_there(const char *name)
{
  char *path = disk_path(folder, name);
  int there = access(path, F_OK) == 0;
  par_broadcast(&there, sizeof there, 0);
  memory_free(path);
  return there;
}

static hid_t open_file(const char *name)
{
  char *path = disk_path(folder, name);
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  CHECK(file >= 0);
  memory_free(path);
  return file;
}

// A data set of that many numbers in all (memory_free); rank 0 alone reads.
static void *read_set(hid_t file, const char *name, hid_t type, size_t count)
{
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set);
  void *data = memory_allocate_zero(count, 8);
  CHECK(H5Sget_simple_extent_npoints(space) == (hssize_t)count);
  if (H5Sget_simple_extent_npoints(space) == (hssize_t)count && count > 0)
    CHECK(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
  H5Sclose(space);
  H5Dclose(set);
  return data;
}

static bool has_unit(hid_t file, const char *name, const char *unit)
{
  char text[64] = "";
  const hid_t attribute = H5Aopen_by_name(file, name, "unit", H5P_DEFAULT, H5P_DEFAULT);
  const hid_t type = H5Aget_type(attribute);
  if (H5Tget_size(type) < sizeof text) H5Aread(attribute, type, text);
  H5Tclose(type);
  H5Aclose(attribute);
  return strcmp(text, unit) == 0;
}

// Every body column against what the ids say.
static void check_bodies(const Sample *s, hid_t file, int64_t step, uint64_t salt)
{
  const size_t n = (size_t)sample_count(&s->c, step);
  uint64_t *id = read_set(file, "/bodies/id", H5T_NATIVE_UINT64, n);
  vec3 *position = read_set(file, "/bodies/position", H5T_NATIVE_DOUBLE, 3 * n);
  double *mass = read_set(file, "/bodies/mass", H5T_NATIVE_DOUBLE, n);
  int *rank = read_set(file, "/bodies/rank", H5T_NATIVE_INT, n),
      *drive = read_set(file, "/bodies/drive", H5T_NATIVE_INT, n);
  Bodies expected = {0};
  bodies_begin(&expected);
  table_reserve(&expected.table, 1);
  size_t i = 0;
  for (uint64_t k = 0; k < s->c.body_count; k++) {
    if (!sample_is_there(&s->c, k, step)) continue;
    sample_body(&s->c, &expected, 0, k, step);
    CHECK(id[i] == k && memcmp(&position[i], &expected.position[0], sizeof(vec3)) == 0);
    CHECK(mass[i] == expected.mass[0] && drive[i] == expected.drive[0] &&
          rank[i] == sample_owner(&s->c, k, salt));
    i++;
  }
  CHECK(i == n);
  bodies_end(&expected);
  memory_free(id);
  memory_free(position);
  memory_free(mass);
  memory_free(rank);
  memory_free(drive);
  CHECK(has_unit(file, "/bodies/position", "m") && has_unit(file, "/bodies/velocity", "m/s"));
  CHECK(has_unit(file, "/contacts/reaction_world", "N s") && has_unit(file, "/mesh/points", "m"));
}

// Every contact, in key order.
static void check_contacts(const Sample *s, hid_t file, int64_t step)
{
  size_t n = 0;
  for (uint64_t low = 0; low + 1 < s->c.body_count; low++)
    n += (size_t)sample_points(&s->c, low, step);
  uint64_t *key = read_set(file, "/contacts/key", H5T_NATIVE_UINT64, 6 * n);
  uint64_t *index = read_set(file, "/contacts/index", H5T_NATIVE_UINT64, n);
  vec3 *point = read_set(file, "/contacts/point", H5T_NATIVE_DOUBLE, 3 * n);
  vec3 *reaction = read_set(file, "/contacts/reaction_world", H5T_NATIVE_DOUBLE, 3 * n);
  Contacts expected = {0};
  contacts_begin(&expected);
  table_reserve(&expected.table, 1);
  size_t row = 0;
  for (uint64_t low = 0; low + 1 < s->c.body_count; low++) {
    for (int k = 0; k < sample_points(&s->c, low, step); k++, row++) {
      sample_contact(&expected, 0, low, k, step);
      const uint64_t whole[6] = {expected.bodies[0].low,   expected.bodies[0].high,
                                 expected.parts[0].low,    expected.parts[0].high,
                                 expected.features[0].low, expected.features[0].high};
      CHECK(memcmp(whole, key + 6 * row, sizeof whole) == 0 && index[row] == row);
      CHECK(memcmp(&expected.point[0], &point[row], sizeof(vec3)) == 0);
      const vec3 local = expected.reaction[0];
      CHECK_NEAR(vec3_dot(reaction[row], expected.normal[0]), local.x, 1e-12);
      CHECK_NEAR(vec3_norm(reaction[row]), vec3_norm(local), 1e-12);
    }
  }
  contacts_end(&expected);
  memory_free(key);
  memory_free(index);
  memory_free(point);
  memory_free(reaction);
}

// The facets of each body close it: their cones to the origin add up to its volume, at its place
// and in the body frame.
static void check_mesh(Sample *s, hid_t frame, hid_t topology, int64_t step)
{
  // boxes, and a last body of two that share a face
  const size_t n = (size_t)s->c.body_count, rows = (size_t)sample_count(&s->c, step);
  const size_t large = sample_is_there(&s->c, n - 1, step) ? 1 : 0;
  const size_t points = 8 * rows + 4 * large, cells = 6 * rows + 4 * large, words = 6 * cells;
  uint64_t *polygons = read_set(topology, "/mesh/topology", H5T_NATIVE_UINT64, words);
  uint64_t *body = read_set(topology, "/mesh/body", H5T_NATIVE_UINT64, cells);
  vec3 *place[2] = {read_set(frame, "/mesh/points", H5T_NATIVE_DOUBLE, 3 * points),
                    read_set(topology, "/mesh/reference", H5T_NATIVE_DOUBLE, 3 * points)};
  double *volume = memory_allocate_zero(2 * n, sizeof *volume);
  size_t at = 0;
  for (size_t c = 0; c < cells && at + 1 < words; c++) {
    const size_t corners = (size_t)polygons[at + 1];
    CHECK(polygons[at] == 3 && corners == 4 && at + 2 + corners <= words && body[c] < n);
    const uint64_t *corner = polygons + at + 2;
    for (int frame_of = 0; frame_of < 2; frame_of++) {
      const vec3 *x = place[frame_of];
      for (size_t k = 1; k + 1 < corners; k++)
        volume[2 * body[c] + (size_t)frame_of] +=
            vec3_dot(x[corner[0]], vec3_cross(x[corner[k]], x[corner[k + 1]])) / 6;
    }
    at += 2 + corners;
  }
  CHECK(at == words);
  uint64_t *first_point = read_set(topology, "/bodies/first_point", H5T_NATIVE_UINT64, rows);
  uint64_t *first_cell = read_set(topology, "/bodies/first_cell", H5T_NATIVE_UINT64, rows);
  size_t row = 0;
  for (size_t i = 0; i < n; i++) {
    if (!sample_is_there(&s->c, i, step)) continue;
    CHECK(first_point[row] == 8 * row && first_cell[row] == 6 * row);
    CHECK(body[first_cell[row]] == i && (row == 0 || body[first_cell[row] - 1] < i));
    row++;
    const double expected = shape_set_get(&s->shapes, scene_body(&s->c, i).shape)->volume;
    CHECK_NEAR(volume[2 * i], expected, 1e-12 * expected + 1e-12);
    CHECK_NEAR(volume[2 * i + 1], expected, 1e-12 * expected);
  }
  memory_free(first_point);
  memory_free(first_cell);
  memory_free(volume);
  memory_free(place[0]);
  memory_free(place[1]);
  memory_free(polygons);
  memory_free(body);
}

// How often a text stands in a file of rank 0.
static int occurrences(const char *name, const char *text)
{
  char *path = disk_path(folder, name);
  DiskStatus status = {0};
  size_t bytes;
  char *all = disk_read_whole(path, 1 << 20, &bytes, &status);
  CHECK(all != NULL);
  int count = 0;
  for (const char *p = all; p && (p = strstr(p, text)); p++) count++;
  memory_free(all);
  memory_free(path);
  return count;
}

static void check_frame(Sample *s, int64_t step, uint64_t salt)
{
  if (par_rank() != 0) return;
  char *name = disk_numbered(RESULTS_FRAME, step), text[33], stored[33] = "";
  const hid_t file = open_file(name);
  const hid_t topology = s->frames.own_meshes ? file : open_file(RESULTS_TOPOLOGY);
  check_bodies(s, file, step, salt);
  check_contacts(s, file, step);
  check_mesh(s, file, topology, step);
  hash_to_text(s->hash, text);
  const hid_t attribute = H5Aopen(file, "hash", H5P_DEFAULT), type = H5Aget_type(attribute);
  CHECK(H5Aread(attribute, type, stored) >= 0 && strcmp(text, stored) == 0);
  H5Tclose(type);
  H5Aclose(attribute);
  if (topology != file) H5Fclose(topology);
  H5Fclose(file);
  CHECK(occurrences(RESULTS_BODIES, name) == (s->frames.own_meshes ? 9 : 4) &&
        occurrences(RESULTS_CONTACTS, name) == 10);
  memory_free(name);
}

// Two ways to scatter the bodies give the same rows, whoever owns them; a frame without contacts is
// one.
static void test_frames(void)
{
  Sample s;
  begin(&s, RESULTS_OVERWRITE, -1);
  CHECK(!is_there(RESULTS_BODIES));
  CHECK(write_step(&s, 0, 17));
  check_frame(&s, 0, 17);
  CHECK(write_step(&s, 1, 17));
  check_frame(&s, 1, 17);
  CHECK(write_step(&s, 1, 99));
  check_frame(&s, 1, 99);
  CHECK(write_step(&s, 1000000, 3));
  check_frame(&s, 1000000, 3);
  CHECK(is_there("frame-000001.h5") && is_there("frame-1000000.h5") &&
        !is_there("frame-000001.h5.tmp"));
  if (par_rank() == 0) {
    CHECK(occurrences(RESULTS_BODIES, "<Time Value=") == 3 &&
          occurrences(RESULTS_CONTACTS, "<Time Value=") == 3);
    CHECK(occurrences(RESULTS_CONTACTS, "NumberOfElements=\"0\"") == 1);
    CHECK(occurrences(RESULTS_BODIES, "Value=\"0.10000000000000001\"") == 1);
  }
  end(&s);
}

// Numbers of results.vtkhdf, by their path below /VTKHDF/bodies.
static int linked_numbers(const char *name, int64_t *numbers, int most)
{
  char *path = disk_path(folder, RESULTS_VTKHDF), set_path[128];
  snprintf(set_path, sizeof set_path, "/VTKHDF/bodies/%s", name);
  int count = -1;
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (CHECK(file >= 0)) {
    const hid_t set = H5Dopen2(file, set_path, H5P_DEFAULT), space = H5Dget_space(set);
    count = (int)H5Sget_simple_extent_npoints(space);
    if (CHECK(count <= most))
      CHECK(H5Dread(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
  }
  memory_free(path);
  return count;
}

static void check_linked(const char *name, const int64_t *expected, int count)
{
  int64_t numbers[8] = {0};
  if (CHECK(linked_numbers(name, numbers, 8) == count))
    CHECK(memcmp(numbers, expected, (size_t)count * sizeof *numbers) == 0);
}

// After a restart the frames behind its step are gone, and those before it stand in the XDMF files
// again.
static void test_restart(void)
{
  Sample s;
  begin(&s, RESULTS_OVERWRITE, -1);
  for (int64_t step = 0; step < 6; step++) CHECK(write_step(&s, step, 17));
  end(&s);
  begin(&s, RESULTS_RESTART, 3);
  CHECK(is_there("frame-000003.h5") && !is_there("frame-000004.h5") &&
        !is_there("frame-000005.h5"));
  if (par_rank() == 0) {
    CHECK(s.frames.lists.count == 4 && s.frames.lists.frames[3].step == 3 &&
          s.frames.lists.frames[3].time == 0.1 * 3);
    CHECK(occurrences(RESULTS_BODIES, "<Time Value=") == 4);
    check_linked("Steps/PartOffsets", (int64_t[]){0, 0, 0, 0}, 4);
  }
  CHECK(write_step(&s, 5, 4));
  check_frame(&s, 5, 4);
  if (par_rank() == 0) {
    CHECK(occurrences(RESULTS_CONTACTS, "<Time Value=") == 5);
    check_linked("Steps/PartOffsets", (int64_t[]){0, 0, 0, 0}, 4);
  }
  CHECK(frames_finish(&s.frames));
  if (par_rank() == 0) check_linked("Steps/PartOffsets", (int64_t[]){0, 0, 0, 0, 0}, 5);
  end(&s);

  // from the beginning again: none of the old ones stays
  begin(&s, RESULTS_RESTART, -1);
  CHECK(!is_there("frame-000000.h5") && !is_there(RESULTS_BODIES) && is_there(RESULTS_TOPOLOGY) &&
        !is_there(RESULTS_VTKHDF));
  end(&s);
}

// Bodies that come and go: every frame has a mesh of its own, which restarts find again.
static void test_changing_bodies(void)
{
  Sample s;
  begin_case(&s, sample_changing_case, RESULTS_OVERWRITE, -1);
  CHECK(!is_there(RESULTS_TOPOLOGY));
  for (int64_t step = 0; step < 10; step++) {
    CHECK(write_step(&s, step, 17 + (uint64_t)step));
    check_frame(&s, step, 17 + (uint64_t)step);
  }
  MeshRows meshes[8] = {{0, 0, 0}};
  for (int i = 0; i < 8 && par_rank() == 0; i++) meshes[i] = s.frames.lists.frames[i].mesh;
  end(&s);
  begin_case(&s, sample_changing_case, RESULTS_RESTART, 7);
  CHECK(!is_there(RESULTS_TOPOLOGY) && !is_there("frame-000008.h5"));
  if (par_rank() == 0 && CHECK(s.frames.lists.count == 8)) {
    for (int i = 0; i < 8; i++)
      CHECK(memcmp(&meshes[i], &s.frames.lists.frames[i].mesh, sizeof meshes[i]) == 0 &&
            s.frames.lists.frames[i].own_mesh);
    CHECK(occurrences(RESULTS_BODIES, RESULTS_TOPOLOGY) == 0);
  }
  CHECK(write_step(&s, 8, 3));
  check_frame(&s, 8, 3);
  end(&s);
}

// A case that bodies can leave only since its restart: the frames of before keep their mesh, until
// they are gone.
static void test_change_of_case(void)
{
  Sample s;
  begin(&s, RESULTS_OVERWRITE, -1);
  CHECK(write_step(&s, 0, 17) && write_step(&s, 1, 17));
  const MeshRows all = s.frames.mesh;
  end(&s);
  begin_case(&s, sample_changing_case, RESULTS_RESTART, 1);
  CHECK(is_there(RESULTS_TOPOLOGY) && write_step(&s, 5, 3));
  if (par_rank() == 0 && CHECK(s.frames.lists.count == 3)) {
    CHECK(memcmp(&s.frames.lists.frames[1].mesh, &all, sizeof all) == 0 &&
          !s.frames.lists.frames[1].own_mesh);
    CHECK(s.frames.lists.frames[2].own_mesh && s.frames.lists.frames[2].mesh.cells < all.cells);
    CHECK(occurrences(RESULTS_BODIES, RESULTS_TOPOLOGY) == 2 * 5);
  }
  check_frame(&s, 5, 3);
  // two steps share the polygons of topology.h5, the third has a part of its own behind them
  CHECK(frames_finish(&s.frames));
  if (par_rank() == 0) {
    const MeshRows own = s.frames.lists.frames[2].mesh;
    const int64_t points = (int64_t)all.points, cells = (int64_t)all.cells;
    check_linked("NumberOfCells", (int64_t[]){cells, (int64_t)own.cells}, 2);
    check_linked("Steps/PartOffsets", (int64_t[]){0, 0, 1}, 3);
    check_linked("Steps/PointOffsets", (int64_t[]){0, points, 2 * points}, 3);
    check_linked("Steps/CellOffsets", (int64_t[]){0, 0, cells}, 3);
    check_linked("Steps/ConnectivityIdOffsets", (int64_t[]){0, 0, (int64_t)all.loops}, 3);
    check_linked("Steps/CellDataOffsets/body", (int64_t[]){0, 0, cells}, 3);
    check_linked("Steps/CellDataOffsets/rank", (int64_t[]){0, cells, 2 * cells}, 3);
  }
  end(&s);
  begin_case(&s, sample_changing_case, RESULTS_RESTART, -1);
  CHECK(!is_there(RESULTS_TOPOLOGY) && !is_there(RESULTS_BODIES));
  end(&s);
}

// A rank that may not write beyond a size stands for a full disk.
static void test_full_disk(int rank, rlim_t bytes)
{
  Sample s;
  begin(&s, RESULTS_OVERWRITE, -1);
  CHECK(write_step(&s, 1, 17));
  struct rlimit before;
  CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const struct rlimit low = {bytes, before.rlim_max};
  if (par_rank() == rank) CHECK(setrlimit(RLIMIT_FSIZE, &low) == 0);
  const bool again = write_step(&s, 1, 17), other = write_step(&s, 2, 17);
  CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
  CHECK(!again && !other && !is_there("frame-000002.h5") && !is_there("frame-000002.h5.tmp"));
  CHECK(write_step(&s, 1, 17));
  check_frame(&s, 1, 17);
  end(&s);
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  signal(SIGXFSZ, SIG_IGN);
  char name[64];
  snprintf(name, sizeof name, "frames-results-%d", par_size());
  folder = name;
  test_frames();
  test_restart();
  test_changing_bodies();
  test_change_of_case();
  test_full_disk(0, 1024);
  test_full_disk(par_size() - 1, 2048);
  CHECK(memory_live_bytes() == 0);
  const int code = test_report_parallel();
  par_end();
  return code;
}
