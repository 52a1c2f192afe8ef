// A table that exists in this test alone: declared in one place, it migrates with its bodies, is
// hashed, checkpointed, and read on any number of ranks; a checkpoint without it, or with a table
// too many, is refused by its name.
// mpi_state write FOLDER, mpi_state read FOLDER: the same on numbers of ranks of their own
#include "state.h"

#include <stdio.h>
#include <string.h>

#include "case_reader.h"
#include "checkpoint.h"
#include "distribute.h"
#include "generation.h"
#include "harness.h"
#include "memory.h"
#include "parallel.h"
#include "scene.h"
#include "world.h"

// Marks of a body, up to three.
#define MARK_FIELDS(F)                                                                        \
  F(uint64_t, body, FIELD_U64, 1, FIELD_STATE | FIELD_OUTPUT | FIELD_KEY | FIELD_BODIES, "1", \
    "id of the body")                                                                         \
  F(uint32_t, number, FIELD_U32, 1, FIELD_STATE | FIELD_KEY, "1", "of the mark")              \
  F(vec3, place, FIELD_F64, 3, FIELD_STATE | FIELD_OUTPUT | FIELD_IMPULSE, "m", "by key")     \
  F(int32_t, colour, FIELD_I32, 1, FIELD_STATE, "1", "likewise")                              \
  F(double, weight, FIELD_F64, 1, FIELD_SCENE, "kg", "likewise, and no state")                \
  F(uint64_t, first_rank, FIELD_U64, 1, FIELD_CARRIED, "1", "where the row was made")

typedef struct {
  Table table;
  MARK_FIELDS(TABLE_COLUMN)
} Marks;

static const Field FIELDS[] = {
#define MARK_FIELD(...) TABLE_FIELD_OF(Marks, __VA_ARGS__)
    MARK_FIELDS(MARK_FIELD)
#undef MARK_FIELD
};
static const TableSchema MARKS = TABLE_SCHEMA(Marks, FIELDS, "marks", GHOSTS_NONE, NULL);
static const TableSchema OTHERS = TABLE_SCHEMA(Marks, FIELDS, "others", GHOSTS_NONE, NULL);

static const char TEXT[] =
    "title: a pile that spreads\nunits: SI\ngravity: [0, 0, -9.81]\ntime: {step: 2e-3, end: 1}\n"
    "materials:\n  stone: {density: 2400}\ncontacts:\n"
    "  - {between: [stone, stone], friction: 0.3, restitution: 0}\nbodies:\n"
    "  - {box: [9, 9, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}\n"
    "  - {grid: {box: [0.3, 0.3, 0.3], count: [4, 3, 3], spacing: [0.4, 0.35, 0.31]},\n"
    "     at: [-0.5, 0, 0.16], material: stone, spin: [0.5, 0.3, 0.1], name: heap}\n"
    "partition: {every: 4}\n";
enum { STEPS = 20 };

static uint32_t marks_of(uint64_t body) { return (uint32_t)(hash_mix(body, 1) % 4); }

static vec3 place_of(uint64_t body, uint32_t number)
{
  return vec3_new((double)hash_mix(body, number), -(double)number, (double)body);
}

static bool is_whole(const Marks *m, int row)
{
  const uint64_t body = m->body[row];
  const uint32_t number = m->number[row];
  const vec3 place = place_of(body, number);
  return number < marks_of(body) && memcmp(&m->place[row], &place, sizeof place) == 0 &&
         m->colour[row] == -(int32_t)number;
}

// The marks of the bodies that this rank owns.
static void make_marks(Marks *m, const Bodies *bodies)
{
  for (int i = 0; i < bodies->table.owned; i++)
    for (uint32_t k = 0; k < marks_of(bodies->id[i]); k++) {
      table_reserve(&m->table, m->table.count + 1);
      const int row = m->table.count++;
      m->table.owned = m->table.count;
      m->body[row] = bodies->id[i];
      m->number[row] = k;
      m->place[row] = place_of(bodies->id[i], k);
      m->colour[row] = -(int32_t)k;
      m->weight[row] = 0.5 * k;
      m->first_rank[row] = (uint64_t)par_rank();
    }
}

// Collective. All marks of own bodies are here, sorted and whole, and no other ones; returns how
// many rows were made on other ranks.
static int64_t check_marks(const Marks *m, const Bodies *bodies, bool carried)
{
  int row = 0;
  int64_t came = 0;
  for (int i = 0; i < bodies->table.owned; i++)
    for (uint32_t k = 0; k < marks_of(bodies->id[i]); k++, row++) {
      if (!CHECK(row < m->table.owned)) return 0;
      CHECK(m->body[row] == bodies->id[i] && m->number[row] == k && is_whole(m, row));
      CHECK(!carried || m->weight[row] == 0.5 * k);
      came += carried && m->first_rank[row] != (uint64_t)par_rank();
    }
  CHECK(row == m->table.owned && row == m->table.count);
  return par_sum(came);
}

static bool is_same(Hash128 a, Hash128 b) { return a.low == b.low && a.high == b.high; }

// Collective. A copy of the state brings back rows that were changed, lost and made room for.
static void check_copy(World *world, Marks *marks)
{
  Arena arena = arena_new();
  const Hash128 before = world_hash(world);
  const State state = world_state(world), copy = state_copy(&state, &arena);
  table_reserve(&marks->table, 3 * marks->table.count + 8);
  for (int i = 0; i < marks->table.owned; i++) marks->place[i] = (vec3){1, 2, 3};
  for (int i = 0; i < world->bodies.table.owned; i++) world->bodies.position[i].x += 1;
  marks->table.owned = marks->table.count = marks->table.count / 2;
  CHECK(!is_same(world_hash(world), before));
  state_take_back(&world->state, &copy);
  CHECK(is_same(world_hash(world), before));
  check_marks(marks, &world->bodies, true);

  // reals with a flag have a factor, and no others; twice and half are exact
  table_scale(&marks->table, FIELD_IMPULSE, 2);
  for (int i = 0; i < marks->table.owned; i++) {
    const vec3 place = place_of(marks->body[i], marks->number[i]);
    CHECK(marks->place[i].x == 2 * place.x && marks->place[i].z == 2 * place.z);
    CHECK(marks->weight[i] == 0.5 * marks->number[i]);
  }
  table_scale(&marks->table, FIELD_IMPULSE, 0.5);
  CHECK(is_same(world_hash(world), before));
  arena_destroy(&arena);
}

// Steps of a world with marks: they go where their bodies go.
static void run_world(World *world, Marks *marks)
{
  table_begin(&marks->table, &MARKS);
  const Hash128 without = world_hash(world);
  state_add(&world->state, &marks->table);
  CHECK(is_same(world_hash(world), without));   // it has no rows
  make_marks(marks, &world->bodies);
  const Hash128 with = world_hash(world), rows = par_sum_hash(table_hash(&marks->table));
  CHECK(is_same(with, hash_add(without, rows)) && !is_same(with, without));
  distribute_start(world);
  CHECK(is_same(world_hash(world), with));
  int64_t came = 0;
  for (int i = 0; i < STEPS; i++) {
    CHECK(world_step(world) == EXIT_DONE);
    came += check_marks(marks, &world->bodies, true);
    CHECK(is_same(par_sum_hash(table_hash(&marks->table)), rows));
  }
  CHECK(par_size() == 1 || came > 0);
  check_copy(world, marks);
}

static CheckpointStatus read_marks(const char *folder, const Case *c, bool says_hash)
{
  World world;
  Marks marks = {0};
  world_begin(&world, c);
  table_begin(&marks.table, &MARKS);
  state_add(&world.state, &marks.table);
  State state = world_state(&world);
  state_clear(&state);
  CheckpointHeader header;
  const CheckpointStatus status = checkpoint_read(folder, c, NULL, &state, &header);
  if (status == CHECKPOINT_READ) {
    check_marks(&marks, &world.bodies, false);
    world_restore(&world, &state);
    CHECK(is_same(world_hash(&world), header.hash) && header.step == STEPS);
    char text[33];
    hash_to_text(header.hash, text);
    if (says_hash && par_rank() == 0) printf("hash %s\n", text);
  }
  world_end(&world);
  return status;
}

// Reads the checkpoint with another list of tables: the reason names the table.
static void check_refusal(const char *folder, const TableSchema *extra, const char *name)
{
  State state = world_state_new();
  Marks others = {0};
  if (extra) {
    table_begin(&others.table, extra);
    state_add(&state, &others.table);
  }
  Manifest manifest;
  DiskStatus reason;
  CHECK(!generation_read(folder, STEPS, &manifest, &state, &reason));
  CHECK(strstr(reason.reason, name) != NULL);
  CHECK(state.tables[0]->count == 0);
  if (extra) {
    table_end(&others.table);
    state.table_count--;
  }
  state_destroy(&state);
}

static void write_marks(const char *folder, const Case *c)
{
  World world;
  Marks marks = {0};
  world_begin(&world, c);
  run_world(&world, &marks);
  Results results;
  CHECK(results_open(&results, folder, RESULTS_OVERWRITE) == EXIT_DONE);
  CHECK(results_replace(&results));
  const State state = world_state(&world);
  CHECK(checkpoint_write(&results, c, &state));
  results_close(&results);
  world_end(&world);
  par_barrier();
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  char own[64];
  snprintf(own, sizeof own, "state-results-%d", par_size());
  const char *folder = argc > 2 ? argv[2] : own;
  const bool reads = argc < 3 || strcmp(argv[1], "read") == 0;
  const bool writes = argc < 3 || strcmp(argv[1], "write") == 0;
  const CaseOptions options = {0};
  Case c = {0};
  char error[512] = "";
  if (CHECK(case_parse((CaseFile){"marks.yaml", TEXT, strlen(TEXT)}, &options, &c,
                       (ErrorText){error, sizeof error})) &&
      CHECK(scene_prepare(&c) == NULL)) {
    if (writes) write_marks(folder, &c);
    if (reads) CHECK(read_marks(folder, &c, argc > 2) == CHECKPOINT_READ);
    if (writes) check_refusal(folder, NULL, "a table 'marks', which this program does not know");
    if (writes) check_refusal(folder, &OTHERS, "no table 'others', which this program needs");
    case_destroy(&c);
  } else if (par_rank() == 0) {
    puts(error);
  }
  CHECK(memory_live_bytes() == 0);
  const int code = test_report_parallel();
  par_end();
  return code;
}
