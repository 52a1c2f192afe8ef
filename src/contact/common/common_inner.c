// Sums the lenses of the inner spheres of two bodies.
#include "common_inner.h"

#include "check.h"
#include "common_sphere.h"

typedef struct {
  InnerPosed a, b;
  CommonInner sum;
  double work;   // of all lenses over their depths, m4
} LensSum;

static LensSum begin(const ModelPair *pair)
{
  assert(pair->a->inner && pair->b->inner && "both bodies are filled");
  const vec3 shift = vec3_sub(pair->b->center, pair->a->center);
  return (LensSum){.a = {pair->a->inner, pair->a->rotation, {0, 0, 0}},
                   .b = {pair->b->inner, pair->b->rotation, shift}};
}

static void add_lens(LensSum *sum, int i, int k)
{
  const InnerSphere *p = &sum->a.inner->spheres[i], *q = &sum->b.inner->spheres[k];
  const vec3 at = inner_spheres_place(&sum->a, p->center);
  const vec3 between = vec3_sub(inner_spheres_place(&sum->b, q->center), at);
  CommonSolid lens = common_sphere_lens(p->radius, q->radius, between);
  if (!(lens.volume > 0)) return;
  lens.centroid = vec3_add(lens.centroid, at);
  const double depth = p->radius + q->radius - vec3_norm(between);
  const double most = 2 * smaller_of(p->radius, q->radius);
  sum->work += common_sphere_work(p->radius, q->radius, smaller_of(depth, most));
  sum->sum.solid = common_solid_sum(&sum->sum.solid, &lens);
  sum->sum.lenses++;
}

static CommonInner finish(LensSum *sum)
{
  CommonSolid *solid = &sum->sum.solid;
  const double area = vec3_norm(solid->area[0]);
  for (int side = 0; side < 2; side++) {
    solid->flat[side] = solid->area[side];
    solid->middle[side] = solid->centroid;
  }
  if (!(area > 0)) return sum->sum;
  const double height = sum->work / solid->volume / area;
  for (int side = 0; side < 2; side++)
    solid->middle[side] = vec3_axpy(height, solid->area[side], solid->centroid);
  return sum->sum;
}

CommonInner common_inner_find(const ModelPair *pair, Arena *arena)
{
  LensSum sum = begin(pair);
  const ArenaMark mark = arena_mark(arena);
  const InnerPairs pairs = inner_spheres_overlap(&sum.a, &sum.b, arena);
  for (int i = 0; i < pairs.count; i++) add_lens(&sum, pairs.pairs[i].a, pairs.pairs[i].b);
  sum.sum.compared = pairs.nodes;
  arena_release(arena, mark);
  return finish(&sum);
}

CommonInner common_inner_brute_force(const ModelPair *pair)
{
  LensSum sum = begin(pair);
  for (int i = 0; i < sum.a.inner->count; i++)
    for (int k = 0; k < sum.b.inner->count; k++) add_lens(&sum, i, k);
  sum.sum.compared = (int64_t)sum.a.inner->count * sum.b.inner->count;
  return finish(&sum);
}
