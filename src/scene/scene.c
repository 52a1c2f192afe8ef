#include "scene.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "generator.h"

#define MAX_BODIES ((uint64_t)1 << 31)
#define MAX_TURN 1e4   // rad in one step: beyond it a spin is no motion that steps can follow

// A message in the case's arena: file, line, group, reason.
static const char *refuse_group(const Case *c, const BodyGroup *group, const char *reason)
{
  static const char *const kinds[] = {
      [GROUP_BODY] = "body", [GROUP_GRID] = "grid", [GROUP_WALL] = "wall", [GROUP_ARCH] = "arch"};
  const char *kind = kinds[group->kind];
  const char *path = c->path ? c->path : "case";
  const char *format = *group->name ? "%s:%d: %s '%s': %s" : "%s:%d: %s%s: %s";
  const int length = snprintf(NULL, 0, format, path, group->line, kind, group->name, reason);
  char *message = arena_allocate(c->arena, (size_t)length + 1);
  snprintf(message, (size_t)length + 1, format, path, group->line, kind, group->name, reason);
  return message;
}

const char *scene_prepare(Case *c)
{
  ShapeRecipe *shapes =
      arena_allocate(c->arena, (size_t)c->group_count * GENERATOR_MAX_SHAPES * sizeof(ShapeRecipe));
  uint64_t bodies = 0;
  int shape_count = 0;
  for (int i = 0; i < c->group_count; i++) {
    BodyGroup *group = &c->groups[i];
    const char *reason = generator_check(group);
    if (!reason && !(vec3_norm(group->spin) * c->step <= MAX_TURN))
      reason = "spin: it turns by more than 10000 rad in one time.step";
    if (reason) return refuse_group(c, group, reason);

    group->first_id = bodies;
    group->body_count = generator_count(group).total;
    bodies += group->body_count;
    if (bodies > MAX_BODIES)
      return refuse_group(c, group, "with it the case has more than 2147483648 bodies");

    group->first_shape = shape_count;
    group->shape_count = generator_shapes(group, c->arena, shapes + shape_count);
    shape_count += group->shape_count;
  }
  c->body_count = bodies;
  c->shape_count = shape_count;
  c->shapes = shapes;
  return NULL;
}

const BodyGroup *scene_group(const Case *c, uint64_t id)
{
  assert(id < c->body_count && "no body has this id");
  int low = 0, high = c->group_count;   // the group is in [low, high)
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (c->groups[middle].first_id <= id) low = middle;
    else high = middle;
  }
  return &c->groups[low];
}

BodyRecipe scene_body(const Case *c, uint64_t id)
{
  const BodyGroup *group = scene_group(c, id);
  const GeneratorBody body = generator_body(group, id - group->first_id);
  const vec3 offset = mat3_mul(quat_to_mat3(group->turn), body.origin);
  return (BodyRecipe){.shape = group->first_shape + body.shape,
                      .material = group->material,
                      .fixed = body.fixed,
                      .origin = vec3_add(group->at, offset),
                      .turn = quat_mul(group->turn, body.turn),
                      .velocity = body.fixed ? (vec3){0} : group->velocity,
                      .spin = body.fixed ? (vec3){0} : group->spin};
}

vec3 scene_vector_at(const VectorTable *table, double time)
{
  assert(table->count > 0 && "a table without samples has no value");
  const VectorSample *samples = table->samples;
  const int last = table->count - 1;
  if (time <= samples[0].time) return samples[0].value;
  if (time >= samples[last].time) return samples[last].value;

  int low = 0, high = last;   // samples[low].time <= time < samples[high].time
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (samples[middle].time <= time) low = middle;
    else high = middle;
  }
  const VectorSample a = samples[low], b = samples[high];
  const double share = (time - a.time) / (b.time - a.time);
  return vec3_axpy(share, vec3_sub(b.value, a.value), a.value);
}
