// A case file, as drystone check reads it: the text, the meshes and records it names, shapes,
// bodies. Comments at the beginning of the form "# set: KEY=VALUE" are overrides.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "case_reader.h"
#include "case_summary.h"
#include "disk.h"
#include "fuzz.h"
#include "ground.h"
#include "memory.h"
#include "scene.h"
#include "tetgen.h"

#define MOST_OVERRIDES 4
#define MOST_IN_DOMAIN 300000   // bodies, each of which is compared with the domain

// These take the place of those in the library: no other program is started.
bool tetgen_fill(const TetgenTask *task, Arena *arena, Tetrahedra *filling, TetgenReport *report,
                 ErrorText error)
{
  (void)arena, (void)filling;
  *report = (TetgenReport){0};
  snprintf(error.text, error.bytes, "%s: no program to fill it", task->mesh_path);
  return false;
}

bool tetgen_mesh(TetgenMeshing meshing, const MeshBlock *mesh_block, Arena *arena,
                 Tetrahedra *filling, ErrorText error)
{
  (void)meshing, (void)mesh_block, (void)arena, (void)filling;
  snprintf(error.text, error.bytes, "no program to mesh it");
  return false;
}

// Meshes and records that a case can name.
static void write_files(void)
{
  static const char *const names[] = {"block.obj", "blocks.obj", "open.obj",
                                      "gate.json", "shake.at2",  "push.csv",
                                      "cubes.msh", "flat.ele",   "flat.node"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    DiskStatus status = {0};
    size_t count = 0;
    char *path = disk_path(TESTS_FOLDER "/fuzz/case", names[i]);
    char *bytes = disk_read_whole(path, 1 << 20, &count, &status);
    fuzz_expect(!status.failed, "the files of the corpus are there");
    fuzz_write(names[i], bytes, count);
    memory_free(bytes);
    memory_free(path);
  }
}

static int take_overrides(const uint8_t *bytes, size_t count, char texts[MOST_OVERRIDES][256],
                          const char *overrides[MOST_OVERRIDES])
{
  static const char mark[] = "# set: ";
  const size_t length = sizeof mark - 1;
  int found = 0;
  for (size_t at = 0; found < MOST_OVERRIDES && count - at > length; found++) {
    if (memcmp(bytes + at, mark, length) != 0) break;
    const uint8_t *begin = bytes + at + length, *end = memchr(begin, '\n', count - at - length);
    if (!end) break;
    snprintf(texts[found], 256, "%.*s", (int)(end - begin < 255 ? end - begin : 255), begin);
    overrides[found] = texts[found];
    at = (size_t)(end + 1 - bytes);
  }
  return found;
}

static bool is_finite(vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

// What a run does with a case before its first step, for some of the bodies.
static void use_case(const Case *c)
{
  fuzz_expect(c->body_count > 0 && c->shape_count > 0 && c->step > 0, "a case has bodies");
  for (int k = 0; k < 5; k++) {
    const uint64_t id = (c->body_count - 1) / 4 * (uint64_t)k;
    const BodyRecipe body = scene_body(c, id);
    fuzz_expect(body.shape >= 0 && body.shape < c->shape_count, "a body has a shape");
    fuzz_expect(body.material >= 0 && body.material < c->material_count, "and a material");
    fuzz_expect(is_finite(body.origin) && isfinite(body.turn.w), "a body is somewhere");
    fuzz_expect(scene_birth(c, id) >= 0, "a body appears");
    if (body.motion) {
      fuzz_expect(is_finite(time_vector_at(&body.motion->travel, 0.5 * c->end)), "a motion");
      fuzz_expect(is_finite(time_vector_at(&body.motion->turning, 0.5 * c->end)), "a spin");
    }
  }
  for (int i = 0; i < c->joint_row_count; i++) {
    const JointRow *row = &c->joint_rows[i];
    fuzz_expect(joint_rule_is_valid(&c->joint_rules[i]), "a row of a joint has a rule");
    fuzz_expect(row->bodies.low < row->bodies.high && row->bodies.low < c->body_count &&
                    (row->bodies.high < c->body_count || row->bodies.high == BODIES_SPACE),
                "it is about bodies");
    fuzz_expect(fabs(vec3_norm(row->normal) - 1) < 1e-12 && is_finite(row->place) &&
                    is_finite(row->place_high) && isfinite(row->length),
                "at places, along a normal");
  }
  const int64_t next = scene_next_birth(c, 1);
  fuzz_expect(next == SCENE_NEVER || scene_born(c, next + 1) > 0, "births are counted");
  for (int k = 0; k < 5; k++)
    fuzz_expect(is_finite(ground_gravity(c, k * 0.25 * c->end)), "gravity is a number");
  const char *summary = case_summary_text(c);
  fuzz_expect(strstr(summary, "bodies") != NULL, "a summary counts bodies");
}

// Whether there are so many bodies that placing each takes longer than an input may; scene_prepare
// alone has said so.
static bool is_large(const char *path, const uint8_t *bytes, size_t count,
                     const CaseOptions *options)
{
  char error[1024];
  Case c;
  CaseOptions local = *options;
  local.read_mesh = mesh_read_here;
  local.read_record = record_share_here;
  if (!memmem(bytes, count, "domain", 6)) return false;
  if (!case_parse((CaseFile){path, (const char *)bytes, count}, &local, &c,
                  (ErrorText){error, sizeof error}))
    return false;
  const bool large = !scene_prepare(&c) && c.domain.given && c.body_count > MOST_IN_DOMAIN;
  case_destroy(&c);
  return large;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
  static bool begun;
  if (!begun) write_files();
  begun = true;
  fuzz_begin();

  char texts[MOST_OVERRIDES][256], path[1024];
  const char *overrides[MOST_OVERRIDES];
  const CaseOptions options = {.override_count = take_overrides(bytes, count, texts, overrides),
                               .overrides = overrides};
  snprintf(path, sizeof path, "%s", fuzz_path("case.yaml"));
  if (is_large(path, bytes, count, &options)) return 0;
  fuzz_write("case.yaml", bytes, count);
  Case c;
  fuzz_catch_begin();
  const bool sound = case_read(path, &options, &c);
  const char *message = fuzz_catch_end();
  if (sound) {
    fuzz_expect(*message == 0, "a case that is read says nothing");
    use_case(&c);
    case_destroy(&c);
  } else {
    fuzz_expect(fuzz_is_message(message, "drystone: "), "a refusal is one line");
    fuzz_expect(strstr(message, "case.yaml:") || strstr(message, "--set"), "that names the place");
  }
  fuzz_end();
  return 0;
}
