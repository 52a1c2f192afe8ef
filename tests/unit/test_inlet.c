// Inlets: layers that keep apart from each other and inside their rectangle, births in whole steps.
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "inlet.h"
#include "memory.h"
#include "stones_scene.h"

static BodyGroup inlet_at(vec3 at, vec3 velocity)
{
  return (BodyGroup){.kind = GROUP_INLET, .at = at, .velocity = velocity};
}

// Two kinds of stones of different sizes.
static Stones small_and_large(StoneKind kinds[2], uint64_t count)
{
  kinds[0] = random_kind(14, 15, 2, 0.1);
  kinds[1] = random_kind(14, 15, 1, 0.15);
  return (Stones){
      .kind_count = 2, .kinds = kinds, .turned = true, .width = {1.1, 0.9}, .count = count};
}

// The stone after some time of free fall, in the coordinate frame of the group.
static PlacedStone fallen(const Case *c, uint64_t id, double time)
{
  const BodyGroup *g = c->groups;
  const mat3 rotation = quat_to_mat3(g->turn);
  PlacedStone stone = stone_place(c, id);
  const vec3 way =
      vec3_axpy(0.5 * time * time, time_vector_at(&c->gravity, 0), vec3_scale(time, g->velocity));
  for (int i = 0; i < stone.count; i++)
    stone.points[i] =
        mat3_mul_transposed(rotation, vec3_sub(vec3_add(stone.points[i], way), g->at));
  return stone;
}

// When a layer appears, none of its stones overlaps another one of it or of the layers before it,
// and all lie inside the rectangle and a slab as thick as the largest stone.
static void check_layers(Case *c)
{
  enum { MOST = 600 };
  const Stones *s = c->groups->stones;
  const uint64_t layer = (uint64_t)(s->cells[0] * s->cells[1]);
  if (!CHECK(c->body_count <= MOST && c->body_count > layer)) return;
  static PlacedStone stones[MOST];
  const double h = c->step;
  for (uint64_t first = 0; first < c->body_count; first += layer) {
    const uint64_t end = first + layer < c->body_count ? first + layer : c->body_count;
    const int64_t now = scene_birth(c, first);
    for (uint64_t id = first < layer ? 0 : first - layer; id < end; id++) {
      CHECK(scene_birth(c, id) == now || id < first);
      stones[id] = fallen(c, id, (double)(now - scene_birth(c, id)) * h);
      for (int i = 0; id >= first && i < stones[id].count; i++) {
        const vec3 p = stones[id].points[i];
        CHECK(fabs(p.x) <= 0.5 * s->width[0] + 1e-12 && fabs(p.y) <= 0.5 * s->width[1] + 1e-12 &&
              fabs(p.z) <= 0.5 * s->pitch + 1e-12);
      }
    }
    for (uint64_t i = first; i < end; i++)
      for (uint64_t j = first < layer ? 0 : first - layer; j < i; j++)
        CHECK(stones_are_apart(&stones[i], &stones[j]));
  }
}

// Ranges of ids by step against the birth of every single stone.
static void check_births(const Case *c, int64_t last)
{
  uint64_t born = 0;
  for (int64_t step = 0; step <= last; step++) {
    IdRange range = {0};
    const int count = scene_births(c, step, &range);
    CHECK(count == 0 || range.first == born);
    for (uint64_t id = range.first; id < range.end; id++) CHECK(scene_birth(c, id) == step);
    born += range.end - range.first;
  }
  CHECK(born == c->body_count);
}

static void test_fall(Arena *arena)
{
  StoneKind kinds[2];
  BodyGroup group = inlet_at((vec3){3, 4, 5}, (vec3){0.3, 0, -1});
  Stones stones = small_and_large(kinds, 130);
  Case c = stones_case(&group, &stones, 5, arena);
  if (!CHECK(scene_prepare(&c) == NULL)) return;
  // the time to fall by the pitch and a hundredth, in whole steps
  const double pitch = stones.pitch, t = (sqrt(1 + 20 * 1.01 * pitch) - 1) / 10;
  CHECK(stones.cells[0] == (int)(1.1 / pitch) && stones.cells[1] == (int)(0.9 / pitch));
  const int64_t layer = stones.cells[0] * stones.cells[1],
                between = scene_birth(&c, (uint64_t)layer);
  CHECK(scene_birth(&c, (uint64_t)layer - 1) == 0 && between == (int64_t)ceil(t / 1e-3));
  CHECK(scene_birth(&c, 129) == 129 / layer * between);
  check_layers(&c);
  check_births(&c, scene_birth(&c, 129));

  // the same, later and slower
  group.birth = 0.0125;
  stones.every = 0.2;
  if (!CHECK(scene_prepare(&c) == NULL)) return;
  CHECK(scene_birth(&c, 0) == 13);
  CHECK(scene_birth(&c, (uint64_t)layer) == 213);
  check_layers(&c);
  check_births(&c, scene_birth(&c, 129));
}

// An upright rectangle, whose stones fly off along its normal; one that throws stones up.
static void test_turned(Arena *arena)
{
  StoneKind kinds[2];
  BodyGroup group = inlet_at((vec3){1, 2, 3}, (vec3){2, 0, 0});
  group.turn = recipe_turn((vec3){0, 1, 0}, 1.5707963267948966);
  Stones stones = small_and_large(kinds, 100);
  Case c = stones_case(&group, &stones, 6, arena);
  if (!CHECK(scene_prepare(&c) == NULL)) return;
  const uint64_t layer = (uint64_t)(stones.cells[0] * stones.cells[1]);
  CHECK(scene_birth(&c, layer) == (int64_t)ceil(1.01 * stones.pitch / 2 / 1e-3));
  check_layers(&c);

  group.turn = recipe_turn((vec3){1, 1, 0}, 0.4);
  group.velocity = (vec3){0, 0, 0.5};
  if (!CHECK(scene_prepare(&c) == NULL)) return;
  check_layers(&c);
  group.velocity = (vec3){0, 0, 5};
  if (!CHECK(scene_prepare(&c) == NULL)) return;
  check_layers(&c);
}

// One layer needs no way out of its plane.
static void test_single_layer(Arena *arena)
{
  StoneKind kinds[2];
  BodyGroup group = inlet_at((vec3){0, 0, 0}, (vec3){0, 1, 0});
  VectorSample none = {0, {1, 0, 0}};
  Stones stones = small_and_large(kinds, 3);
  Case c = stones_case(&group, &stones, 6, arena);
  VectorTable constant = {.count = 1, .samples = &none};
  c.gravity = (TimeVector){.table_count = 1, .tables = &constant};
  CHECK(scene_prepare(&c) == NULL && scene_birth(&c, 2) == 0 && !scene_changes(&c));
  stones.count = 300;
  CHECK(scene_prepare(&c) != NULL);
}

static void check_refusal(const Case *given, const char *expected)
{
  Case c = *given;
  const char *message = scene_prepare(&c);
  if (!CHECK(message && strcmp(message, expected) == 0))
    printf("  found    %s\n  expected %s\n", message ? message : "nothing", expected);
}

static void test_refusals(Arena *arena)
{
  StoneKind box = given_kind(box_shape(3, 4, 12, arena), 1);
  Stones stones = {.kind_count = 1, .kinds = &box, .width = {13, 12.9}, .count = 2};
  BodyGroup group = inlet_at((vec3){0, 0, 0}, (vec3){0, 0, -1});
  Case c = stones_case(&group, &stones, 1, arena);
  check_refusal(&c, "a.yaml:7: stones: inlet.size: 13 by 12.9 m has no room for the largest "
                    "stones; they need 13 m along each side, the diameter of the sphere about "
                    "them");
  stones.width[1] = 13;
  stones.every = 1;
  check_refusal(&c, "a.yaml:7: stones: inlet.every: in 1 s a layer moves 6 m out of its plane, and "
                    "the next one needs 13 m; expected at least 1.52358 s, or a larger velocity");

  // under gravity that changes the given time is taken
  VectorSample changing[] = {{0, {0, 0, 0}}, {0.1, {0, 0, -1000}}};
  VectorTable changing_table = {.count = 2, .samples = changing};
  c.gravity = (TimeVector){.table_count = 1, .tables = &changing_table};
  Case table = c;
  CHECK(scene_prepare(&table) == NULL && scene_birth(&table, 1) == 1000);
  stones.every = 0;
  group.velocity = (vec3){1, 0, 0};
  check_refusal(&c,
                "a.yaml:7: stones: inlet: neither velocity nor gravity moves a layer out of its "
                "plane; give a velocity");

  group.velocity = (vec3){0, 0, -1e-9};
  stones.count = 2000000000;
  c.step = 1e-9;
  check_refusal(&c, "a.yaml:7: stones: inlet: 2e+09 layers take too many steps of 1e-09 s");
  group.velocity = (vec3){0};
  group.fixed = true;
  check_refusal(&c, "a.yaml:7: stones: stones of an inlet cannot be fixed: each layer would appear "
                    "inside the one before it");
}

int main(void)
{
  Arena arena = arena_new();
  test_fall(&arena);
  test_turned(&arena);
  test_single_layer(&arena);
  test_refusals(&arena);
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
