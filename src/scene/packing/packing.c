// Packs stones by growth: sweeps at each size until nothing overlaps, then a larger one.
#include "packing.h"

#include <assert.h>

#include "check.h"
#include "packed_stones.h"
#include "packing_check.h"
#include "random.h"
#include "settle.h"

#define FIRST_SCALE 0.3     // of stones at random places, which still have room in any packing
#define MOST_GROWTH 0.03    // from size to size
#define LEAST_GROWTH 3e-4   // with less there is no end
#define MOST_SWEEPS 200     // at a size
#define ALL_SWEEPS 2000     // of an attempt
#define EASY_SWEEPS 50      // after so few growth becomes more
#define TRIED_STONES \
  1000   // few stones are tried again from other places, as often as the time for
         // that many goes
#define MOST_ATTEMPTS 20
#define FIRST_ATTEMPTS 4    // of MANY_STONES or more: there are further ones only where
#define HOPEFUL_SCALE 0.9   // one has reached this much, for attempts differ by a few percent
#define MANY_STONES 10
#define LONE_ATTEMPTS 20   // of one stone

// What is known of the stones at the largest scale at which they were apart.
typedef struct {
  double scale;
  vec3 *places;   // [count] of centres of mass, m
  quat *turns;    // [count]
} BestSize;

static void keep(const PackedStones *p, BestSize *best)
{
  assert(p->scale > best->scale && "stones have grown");
  best->scale = p->scale;
  for (int i = 0; i < p->count; i++) {
    best->places[i] = p->stones[i].place;
    best->turns[i] = p->stones[i].turn;
  }
}

// Whether stones get apart at a scale; sweeps: how many that took.
static bool settle(PackedStones *p, double scale, int *sweeps)
{
  assert(scale > 0 && scale <= 1 && "stones grow to their sizes");
  packed_stones_set_scale(p, scale);
  for (*sweeps = 1; *sweeps <= MOST_SWEEPS; ++*sweeps)
    if (settle_sweep(p) == 0) return true;
  return false;
}

// Grows stones from random places on as far as they get in one attempt: true, to their sizes.
static bool grow(PackedStones *p, uint64_t attempt, BestSize *best, int64_t *sweeps)
{
  assert(best->places != NULL && best->turns != NULL && "the best has a place");
  double growth = MOST_GROWTH, reached = 0, scale = FIRST_SCALE;
  packed_stones_scatter(p, attempt, scale);
  for (int all = 0; growth >= LEAST_GROWTH && all < ALL_SWEEPS;) {
    int count;
    const bool apart = settle(p, scale, &count);
    all += count;
    *sweeps += count;
    if (apart && scale == 1 && packing_check_fault(p)) return false;
    if (apart) reached = scale;
    if (apart && scale > best->scale) keep(p, best);
    if (apart && scale == 1) return true;
    if (!apart) growth *= 0.5;
    else if (count <= EASY_SWEEPS) growth = smaller_of(1.5 * growth, MOST_GROWTH);
    // the very first size may be too large for a room that is small
    if (reached == 0) scale *= 0.5;
    else scale = smaller_of(1, (1 + growth) * reached);
  }
  return false;
}

// Packs as in packing_make, without a look at single stones.
static PackingResult pack(PackedStones *p, int attempts, vec3 *places, quat *turns)
{
  assert(attempts > 0 && "there is an attempt");
  BestSize best = {.places = places, .turns = turns};
  PackingResult result = {.status = PACKING_FULL};
  for (int k = 0; k < attempts && result.status != PACKING_OK; k++) {
    const bool hopeless = p->count >= MANY_STONES && best.scale < HOPEFUL_SCALE;
    if (k >= FIRST_ATTEMPTS && hopeless) break;
    if (grow(p, (uint64_t)k, &best, &result.sweeps)) result.status = PACKING_OK;
  }
  result.scale = best.scale;
  for (int i = 0; i < p->count && best.scale > 0; i++) {
    const vec3 center = p->stones[i].form->shape.center;
    places[i] = vec3_sub(places[i], mat3_mul(quat_to_mat3(turns[i]), center));
  }
  return result;
}

// Whether one of the stones has a place in the empty room.
static bool fits_alone(const StonePacking *packing, int stone)
{
  assert(stone >= 0 && stone < packing->count && "a stone has a number");
  StonePacking alone = *packing;
  alone.count = 1;
  alone.shape_of = packing->shape_of + stone;
  Arena arena = arena_new();
  PackedStones p = packed_stones_new(&alone, &arena);
  vec3 place;
  quat turn;
  const PackingResult result = pack(&p, LONE_ATTEMPTS, &place, &turn);
  packed_stones_destroy(&p);
  arena_destroy(&arena);
  return result.status == PACKING_OK;
}

// The stone that reaches farthest from its centre of mass.
static int longest_stone(const PackedStones *p)
{
  assert(p->count > 0 && "there are stones");
  int longest = 0;
  for (int i = 1; i < p->count; i++)
    if (p->stones[i].form->shape.radius > p->stones[longest].form->shape.radius) longest = i;
  return longest;
}

PackingResult packing_make(const StonePacking *packing, vec3 *places, quat *turns)
{
  assert(packing->count > 0 && places != NULL && turns != NULL && "stones get places");
  Arena arena = arena_new();
  PackedStones p = packed_stones_new(packing, &arena);
  const int longest = longest_stone(&p);
  PackingResult result = {.status = PACKING_LARGE, .stone = longest};
  if (fits_alone(packing, longest)) {
    const int tries = TRIED_STONES / packing->count;
    const int attempts = tries < 1 ? 1 : tries > MOST_ATTEMPTS ? MOST_ATTEMPTS : tries;
    result = pack(&p, attempts, places, turns);
  }
  packed_stones_destroy(&p);
  arena_destroy(&arena);
  return result;
}
