// Pairs from a kept list are those of a fresh search in every step: bodies that move, rest, jump,
// appear, leave, and turn from own rows into ghosts and back.
#include "candidates.h"

#include <math.h>
#include <string.h>

#include "harness.h"
#include "memory.h"
#include "random_numbers.h"

enum { BODIES = 400 };

typedef struct {
  vec3 center, half, velocity;
  bool there, own;
} Body;

// Own rows first, then ghosts, each half by id; ids are places in the list of bodies.
typedef struct {
  int owned, count;
  uint64_t ids[BODIES];
  Box boxes[BODIES];
  int fixed;   // pairs of ids below are not wanted
} Rows;

static bool is_wanted(const void *context, int a, int b)
{
  const Rows *rows = context;
  return rows->ids[a] >= (uint64_t)rows->fixed || rows->ids[b] >= (uint64_t)rows->fixed;
}

static Rows list_rows(const Body *bodies, int fixed)
{
  Rows rows = {.fixed = fixed};
  for (int half = 0; half < 2; half++) {
    for (int i = 0; i < BODIES; i++) {
      if (!bodies[i].there || bodies[i].own != (half == 0)) continue;
      const vec3 c = bodies[i].center, h = bodies[i].half;
      rows.ids[rows.count] = (uint64_t)i;
      rows.boxes[rows.count++] = (Box){vec3_sub(c, h), vec3_add(c, h)};
    }
    if (half == 0) rows.owned = rows.count;
  }
  return rows;
}

// a hint that names the pair it belongs to
static SeparatingFace hint_of(uint64_t a, uint64_t b)
{
  const uint64_t low = a < b ? a : b, high = a < b ? b : a;
  return (SeparatingFace){(int)(low & 1), (int)(low * BODIES + high)};
}

// Compares with all pairs and leaves a hint at each; returns how many pairs knew their hint.
static int64_t check_step(Candidates *cache, const Rows *rows, Arena *arena)
{
  const CandidateInput in = {.owned = rows->owned,
                             .count = rows->count,
                             .ids = rows->ids,
                             .boxes = rows->boxes,
                             .is_wanted = is_wanted,
                             .context = rows};
  const CandidatePairs found = candidates_find(cache, &in, arena);
  const BoxPairs all = box_overlap_brute_force(rows->boxes, rows->count, arena);
  int64_t wanted = 0, wrong = 0, wrong_hints = 0, known = 0;
  for (int64_t k = 0; k < all.count; k++) {
    const BoxPair p = all.pairs[k];
    if (!is_wanted(rows, p.a, p.b)) continue;
    if (wanted < found.count)
      wrong += found.pairs[wanted]->a != p.a || found.pairs[wanted]->b != p.b;
    wanted++;
  }
  if (!CHECK(found.count == wanted && wrong == 0)) return 0;
  for (int64_t k = 0; k < found.count; k++) {
    KeptPair *pair = found.pairs[k];
    const SeparatingFace hint = hint_of(rows->ids[pair->a], rows->ids[pair->b]);
    if (pair->apart.owner >= 0) {
      known++;
      wrong_hints += memcmp(&pair->apart, &hint, sizeof hint) != 0;
    }
    pair->apart = hint;
  }
  CHECK(wrong_hints == 0);
  return known;
}

static void place_bodies(Body *bodies, Random *random, int fixed, double size)
{
  for (int i = 0; i < BODIES; i++) {
    const double half = size * random_between(random, 0.5, 1.5);
    bodies[i] = (Body){.center = random_in_cube(random, 1),
                       .half = {half, half * random_between(random, 0.2, 1), half},
                       .there = i < fixed || random_below(random, 8) > 0,
                       .own = random_below(random, 3) > 0};
  }
  // floors through everything
  for (int i = 0; i < fixed; i++) {
    bodies[i].center = (vec3){0, 0, 0.4 * i - 1};
    bodies[i].half = (vec3){1.5, 1.5, 0.05};
  }
}

typedef struct {
  double speed;                // of moving bodies in one step
  int moving;                  // one of so many bodies moves
  int jumps, births, owners;   // one of so many bodies in a step; 0: none
  bool cold;                   // no list is kept
} Motion;

static Candidates run(Motion motion, uint64_t seed, int steps)
{
  enum { FIXED = 4 };
  Random random = {seed};
  Body bodies[BODIES];
  place_bodies(bodies, &random, FIXED, 0.08);
  for (int i = FIXED; i < BODIES; i++)
    if (random_below(&random, motion.moving) == 0)
      bodies[i].velocity = vec3_scale(motion.speed, random_in_cube(&random, 1));
  Candidates cache = {0};
  int64_t known = 0;
  for (int n = 0; n < steps; n++) {
    for (int i = FIXED; i < BODIES; i++) {
      Body *b = &bodies[i];
      b->center = vec3_add(b->center, b->velocity);
      for (int k = 0; k < 3; k++)
        if (fabs(vec3_component(b->center, k)) > 1) b->velocity = vec3_scale(-1, b->velocity);
      if (motion.jumps && random_below(&random, motion.jumps) == 0)
        b->center = random_in_cube(&random, 1);
      if (motion.births && random_below(&random, motion.births) == 0) b->there = !b->there;
      if (motion.owners && random_below(&random, motion.owners) == 0) b->own = !b->own;
    }
    Arena arena = arena_new();
    const Rows rows = list_rows(bodies, FIXED);
    if (motion.cold) candidates_drop(&cache);
    known += check_step(&cache, &rows, &arena);
    arena_destroy(&arena);
  }
  CHECK(motion.cold ? known == 0 : known > 0);
  const Candidates counts = cache;
  candidates_drop(&cache);
  return counts;
}

// Boxes that are no boxes, or without end, and none at all.
static void check_odd_boxes(void)
{
  Rows rows = {.owned = 6, .count = 6, .fixed = 0};
  for (int i = 0; i < 6; i++) {
    rows.ids[i] = (uint64_t)i;
    rows.boxes[i] = (Box){{i, 0, 0}, {i + 1, 1, 1}};
  }
  Candidates cache = {0};
  const Box one = rows.boxes[2];
  for (int n = 0; n < 8; n++) {
    Arena arena = arena_new();
    rows.boxes[2] = one;
    if (n == 1) rows.boxes[2].low.y = NAN;
    if (n == 3) rows.boxes[2].high.x = 1;
    if (n == 4) rows.boxes[2] = (Box){{-INFINITY, 0, 0}, {INFINITY, 1, INFINITY}};
    if (n == 6) rows.owned = rows.count = 0;
    check_step(&cache, &rows, &arena);
    if (n == 6) rows.owned = rows.count = 6;
    arena_destroy(&arena);
  }
  CHECK(cache.renewed > 0 && cache.widened > 0);
  candidates_drop(&cache);
}

int main(void)
{
  check_odd_boxes();

  // what rests is searched for once
  const Candidates rest = run((Motion){.speed = 0, .moving = 1}, 1, 50);
  CHECK(rest.renewed == 1 && rest.widened == 0);

  // a few bodies that move are searched for alone
  const Candidates few = run((Motion){.speed = 0.01, .moving = 40}, 2, 100);
  CHECK(few.renewed == 1 && few.widened > 10);

  // all of them: the skin grows until lists last
  const Candidates all = run((Motion){.speed = 0.004, .moving = 1}, 3, 100);
  CHECK(all.renewed > 1 && all.renewed < 34 && all.skin > rest.skin);
  run((Motion){.speed = 0.3, .moving = 1}, 4, 30);

  // bodies that come, go, jump and change their owner
  const Candidates mixed = run(
      (Motion){.speed = 0.002, .moving = 3, .jumps = 300, .births = 200, .owners = 200}, 5, 200);
  CHECK(mixed.renewed < 100 && mixed.widened > 100);
  run((Motion){.speed = 0.01, .moving = 2, .jumps = 10, .births = 5, .owners = 5}, 6, 50);
  run((Motion){.speed = 0.01, .moving = 2, .births = 50, .cold = true}, 7, 20);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
