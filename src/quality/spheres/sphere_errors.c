// Compares the inner spheres of a body with the body: pairs of copies that overlap by some depth.
#include "sphere_errors.h"

#include <assert.h>

#include "common_find.h"
#include "compliant_law.h"
#include "part_pairs.h"
#include "random.h"

#define ALIKE_PAIRS 12    // of copies that lie alike: each side of both ways along three axes twice
#define TURNED_PAIRS 24   // of copies one of which is turned
#define SIDE_SHIFT 0.3    // of the extent: largest shift across the way of a copy that comes
#define MARCH 0.02        // of the extent: steps in which a copy comes until it touches
#define BISECTIONS 24     // of the last of these steps

static const double DEPTHS[SPHERE_DEPTHS] = {0.05, 0.01, 0.001};

// A body and a copy of it that comes against a direction.
typedef struct {
  PosedBody body, copy;
  vec3 way;       // unit: the copy lies that way
  vec3 aside;     // its shift across, m
  double touch;   // distance along the way at which they touch, m
} Approach;

// The rows of two bodies as one solid; no volume: they are apart.
static CommonSolid common_of(const Approach *approach, double distance, const InnerSpheres *inner,
                             Arena *arena)
{
  PosedBody body = approach->body, copy = approach->copy;
  copy.center = vec3_axpy(distance, approach->way, approach->aside);
  body.inner = copy.inner = inner;
  const ArenaMark mark = arena_mark(arena);
  const CommonSet set =
      common_find(&(ModelPair){.a = &body, .b = &copy}, (CommonAsked){.pooled = true}, arena);
  const CommonSolid solid = set.row_count > 0 ? set.rows[0].solid : (CommonSolid){0};
  arena_release(arena, mark);
  return solid;
}

// How far a body reaches along a direction, m.
static double reach_of(const PosedBody *body, vec3 along)
{
  double reach = -INFINITY;
  for (int p = 0; p < body->shape->part_count; p++)
    for (int v = 0; v < body->parts[p].vertex_count; v++)
      reach = larger_of(reach, vec3_dot(along, body->parts[p].vertices[v]));
  return reach;
}

// Finds the distance at which the copy touches; false: it passes by.
static bool find_touch(Approach *approach, Arena *arena)
{
  const double extent = approach->body.shape->extent;
  double apart =
      reach_of(&approach->body, approach->way) + reach_of(&approach->copy, vec3_neg(approach->way));
  double meets = apart;
  do {
    apart = meets;
    meets -= MARCH * extent;
    if (meets < -2 * extent) return false;
  } while (!(common_of(approach, meets, NULL, arena).volume > 0));
  for (int i = 0; i < BISECTIONS; i++) {
    const double middle = 0.5 * (apart + meets);
    if (common_of(approach, middle, NULL, arena).volume > 0) meets = middle;
    else apart = middle;
  }
  approach->touch = apart;
  return true;
}

static Approach approach_new(const Shape *shape, int number, Arena *arena)
{
  assert(number >= 0 && number < ALIKE_PAIRS + TURNED_PAIRS && "pairs are numbered");
  const uint64_t stream = random_stream(1, (uint64_t)number);
  double u[6];
  for (int i = 0; i < 6; i++) u[i] = random_uniform(stream, (uint64_t)i);
  const mat3 unit = mat3_diagonal(1, 1, 1);
  Approach approach = {.body = {.shape = shape, .rotation = unit},
                       .copy = {.shape = shape, .rotation = unit}};
  if (number < ALIKE_PAIRS) {
    const int axis = number % 3;
    const double sign = number / 3 % 2 ? -1 : 1, far = SIDE_SHIFT * shape->extent;
    const vec3 shift = vec3_scale(far, (vec3){2 * u[0] - 1, 2 * u[1] - 1, 2 * u[2] - 1});
    approach.way = (vec3){axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0};
    approach.aside = vec3_axpy(-vec3_dot(shift, approach.way), approach.way, shift);
  } else {
    approach.copy.rotation = quat_to_mat3(random_rotation(u[0], u[1], u[2]));
    approach.way = random_direction(u[3], u[4]);
  }
  part_pairs_pose(&approach.body, arena);
  part_pairs_pose(&approach.copy, arena);
  return approach;
}

// Adds a pair at a depth to its row.
static void add_pair(const Approach *approach, const InnerSpheres *inner, SphereErrorRow *row,
                     Arena *arena)
{
  const double extent = approach->body.shape->extent;
  const double distance = approach->touch - row->depth * extent;
  const CommonSolid exact = common_of(approach, distance, NULL, arena);
  CompliantSolid of_exact, of_inner;
  if (!(exact.volume > 0) || !compliant_law_solid(&exact, NULL, &of_exact)) return;
  const CommonSolid lenses = common_of(approach, distance, inner, arena);
  const double share = lenses.volume / exact.volume;
  row->least = row->pairs > 0 ? smaller_of(row->least, share) : share;
  row->most = larger_of(row->most, share);
  row->mean += (share - row->mean) / ++row->pairs;
  if (!(lenses.volume > 0) || !compliant_law_solid(&lenses, NULL, &of_inner)) {
    row->apart++;
    return;
  }
  const double turn = vec3_norm(vec3_sub(of_inner.normal, of_exact.normal));
  const double off = vec3_norm(vec3_sub(lenses.centroid, exact.centroid)) / extent;
  const int told = row->pairs - row->apart;
  row->most_turn = larger_of(row->most_turn, turn);
  row->most_off = larger_of(row->most_off, off);
  row->mean_turn += (turn - row->mean_turn) / told;
  row->mean_off += (off - row->mean_off) / told;
}

SphereErrors sphere_errors_measure(const Shape *shape, int wanted, Arena *arena)
{
  assert(shape->part_count > 0 && "the exact solid is one of parts");
  const ArenaMark mark = arena_mark(arena);
  const InnerSpheres inner = inner_spheres_fill(shape, wanted, arena);
  SphereErrors errors = {.spheres = inner.count, .share = inner.volume / shape->volume};
  for (int r = 0; r < 2 * SPHERE_DEPTHS; r++)
    errors.rows[r] = (SphereErrorRow){.depth = DEPTHS[r / 2], .turned = r % 2};
  const int pairs = inner.count > 0 ? ALIKE_PAIRS + TURNED_PAIRS : 0;
  for (int number = 0; number < pairs; number++) {
    const ArenaMark pair = arena_mark(arena);
    Approach approach = approach_new(shape, number, arena);
    const bool touches = find_touch(&approach, arena);
    for (int d = 0; d < SPHERE_DEPTHS && touches; d++)
      add_pair(&approach, &inner, &errors.rows[2 * d + (number >= ALIKE_PAIRS)], arena);
    arena_release(arena, pair);
  }
  arena_release(arena, mark);
  return errors;
}
