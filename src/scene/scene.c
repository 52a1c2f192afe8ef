// Finds the group, shape and place of a body by its id.
#include "scene.h"

#include <assert.h>
#include <math.h>

#include "check.h"
#include "ground.h"
#include "group.h"
#include "kind.h"
#include "search.h"

static int order_group(const void *group, const void *id)
{
  return ((const BodyGroup *)group)->first_id <= *(const uint64_t *)id ? -1 : 1;
}

const BodyGroup *scene_group(const Case *c, uint64_t id)
{
  assert_debug(c->group_count > 0 && "a body is of a group");
  assert(id < c->body_count && "no body has this id");
  const BodyGroup *second = c->groups + 1;
  return c->groups + search_rows(second, c->group_count - 1, sizeof *second, &id, order_group);
}

const Case *scene_stage(const Case *c, int64_t index)
{
  assert(index >= 0 && (index == 0 || index < c->stage_count) && "a stage of the case");
  return c->stage_count > 0 ? &c->stages[index] : c;
}

IdRange scene_siblings(const Case *c, uint64_t id)
{
  const BodyGroup *group = scene_group(c, id);
  const uint64_t pieces = (uint64_t)group_pieces(group), index = id - group->first_id;
  const FileBody *whole = group_file_body(group, index);
  if (whole) return (IdRange){group->first_id + whole->first, group->first_id + whole->end};
  if (pieces == 1 || index >= group_size(group).dynamic) return (IdRange){id, id + 1};
  const uint64_t first = group->first_id + index / pieces * pieces;
  return (IdRange){first, first + pieces};
}

static int order_loads(const void *span, const void *index)
{
  return ((const LoadSpan *)span)->end <= *(const uint64_t *)index ? -1 : 1;
}

const LoadSpan *scene_loads(const Case *c, uint64_t id)
{
  const BodyGroup *group = scene_group(c, id);
  if (group->load_span_count == 0) return NULL;
  const uint64_t index = id - group->first_id;
  const LoadSpan *spans = group->load_spans;
  const int64_t at = search_rows(spans, group->load_span_count, sizeof *spans, &index, order_loads);
  const bool found = at < group->load_span_count && spans[at].begin <= index;
  return found ? &spans[at] : NULL;
}

double scene_temperature(const Case *c, uint64_t id, double time)
{
  assert_debug(time >= 0 && "a run begins at 0");
  const LoadSpan *span = scene_loads(c, id);
  double sum = 0;
  for (int k = 0; span && k < span->count; k++)
    sum += time_vector_at(&c->loads[span->loads[k]].temperature, time).x;
  return sum;
}

LoadStart scene_start(const Case *c, uint64_t id, const Shape *shape)
{
  const BodyRecipe recipe = scene_body(c, id);
  return scene_recipe_start(&recipe, shape);
}

LoadStart scene_recipe_start(const BodyRecipe *recipe, const Shape *shape)
{
  assert(recipe->shape >= 0 && shape != NULL && "a body has a shape");
  const mat3 turn = quat_to_mat3(recipe->turn);
  return (LoadStart){vec3_add(recipe->origin, mat3_mul(turn, shape->center)), turn};
}

LoadBody scene_load_body(const Case *c, uint64_t id, const Shape *shape)
{
  assert(shape != NULL && "a body has a shape");
  const BodyRecipe recipe = scene_body(c, id);
  const bool meshed = c->elastic_meshes && elastic_mesh_is(&c->elastic_meshes[recipe.shape]);
  return (LoadBody){.shape = shape,
                    .mesh = meshed ? &c->elastic_meshes[recipe.shape] : NULL,
                    .start = scene_recipe_start(&recipe, shape)};
}

bool scene_selects(const Case *c, const BodySelection *selection, uint64_t id)
{
  if (!selection->given) return true;
  const BodyGroup *group = scene_group(c, id);
  return body_selection_has(selection, (int)(group - c->groups), id - group->first_id);
}

int scene_append_body(Bodies *b, uint64_t id, const BodyRecipe *recipe, const Shape *shape)
{
  assert(b->table.count == b->table.owned && "ghosts come later");
  const int row = b->table.owned;
  table_reserve(&b->table, row + 1);
  b->table.owned = b->table.count = row + 1;
  b->id[row] = id;
  b->drive[row] = recipe->drive;
  b->material[row] = recipe->material;
  b->shape[row] = recipe->shape;
  b->orientation[row] = recipe->turn;
  b->position[row] = scene_recipe_start(recipe, shape).centre;
  return row;
}

ElasticSet scene_elastic(const Case *c, ShapeSet *shapes)
{
  assert(c->densities != NULL && "the case was prepared");
  return elastic_new(&(ElasticSet){.shapes = shapes,
                                   .densities = c->densities,
                                   .laws = c->elastic_laws,
                                   .meshes = c->elastic_meshes,
                                   .step = c->step,
                                   .high_frequency_ratio = c->high_frequency_ratio});
}

BodyRecipe scene_body(const Case *c, uint64_t id)
{
  const BodyGroup *group = scene_group(c, id);
  const GroupBody body = group_body(group, id - group->first_id);
  const vec3 offset = mat3_mul(quat_to_mat3(group->turn), body.origin);
  const bool based = body.fixed && ground_moves(c);
  const Motion *motion = based ? &c->base.motion : body.fixed ? NULL : group->motion;
  const bool founded = group_founded(group);   // its nodes move, whatever its frame does
  const int32_t drive = founded      ? DRIVE_DYNAMIC
                        : motion     ? DRIVE_PRESCRIBED
                        : body.fixed ? DRIVE_FIXED
                                     : DRIVE_DYNAMIC;
  // pieces of a file turn about the centre of the whole
  const FileBody *whole = group_file_body(group, id - group->first_id);
  const vec3 arm =
      whole && whole->pieces ? whole->arm[id - group->first_id - whole->first] : (vec3){0, 0, 0};
  const vec3 turns = vec3_cross(group->spin, mat3_mul(quat_to_mat3(group->turn), arm));
  const Guide *guide = drive == DRIVE_DYNAMIC ? group->guide : NULL;
  assert_debug((!guide || (guide->held > 0 && guide->held < GUIDED_ALL)) && "a guide holds some");
  return (BodyRecipe){.shape = group->first_shape + body.shape,
                      .material = group->material,
                      .drive = drive,
                      .kind = guide                    ? KIND_GUIDED + (int32_t)guide->held - 1
                              : drive != DRIVE_DYNAMIC ? KIND_RIGID
                              : founded                ? KIND_FOUNDATION
                              : group->affine          ? KIND_AFFINE
                              : elastic_mesh_is(&group->finite) ? KIND_FINITE
                                                                : KIND_RIGID,
                      .motion = motion,
                      .guide = guide,
                      .origin = vec3_add(group->at, offset),
                      .turn = quat_mul(group->turn, body.turn),
                      .velocity = body.fixed ? (vec3){0}
                                  : whole    ? vec3_add(group->velocity, turns)
                                             : group->velocity,
                      .spin = body.fixed ? (vec3){0} : group->spin};
}

// The first step whose start reaches a time, up to the rounding of the quotient.
static int64_t step_reaching(double time, double step)
{
  assert_debug(step > 0 && "a step goes forward");
  if (!(time > 0)) return 0;
  const double quotient = time / step;
  return (int64_t)ceil(quotient - 1e-9 - 4e-16 * quotient);
}

static int64_t birth_in_group(const Case *c, const BodyGroup *group, uint64_t index)
{
  return step_reaching(group_birth(group, index), c->step);
}

int64_t scene_birth(const Case *c, uint64_t id)
{
  const BodyGroup *group = scene_group(c, id);
  return birth_in_group(c, group, id - group->first_id);
}

// The first index whose body appears before that step or a later one; births do not decrease, and
// are no array that search.h could look through.
static uint64_t first_born_from(const Case *c, const BodyGroup *group, int64_t step)
{
  assert_debug(step >= 0 && "steps are counted");
  uint64_t low = 0, high = group->body_count;
  if (low == high || birth_in_group(c, group, low) >= step) return low;
  if (birth_in_group(c, group, high - 1) < step) return high;
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    if (birth_in_group(c, group, middle) < step) low = middle;
    else high = middle;
  }
  return high;
}

int scene_births(const Case *c, int64_t step, IdRange *ranges)
{
  assert(step >= 0 && (ranges != NULL || c->group_count == 0) && "ranges have room");
  int count = 0;
  for (int i = 0; i < c->group_count; i++) {
    const BodyGroup *group = &c->groups[i];
    const uint64_t first = first_born_from(c, group, step),
                   end = first_born_from(c, group, step + 1);
    if (first < end) ranges[count++] = (IdRange){group->first_id + first, group->first_id + end};
  }
  return count;
}

int64_t scene_next_birth(const Case *c, int64_t step)
{
  assert(step >= 0 && "steps are counted");
  int64_t next = SCENE_NEVER;
  for (int i = 0; i < c->group_count; i++) {
    const BodyGroup *group = &c->groups[i];
    const uint64_t first = first_born_from(c, group, step);
    if (first == group->body_count) continue;
    const int64_t birth = birth_in_group(c, group, first);
    if (birth < next) next = birth;
  }
  return next;
}

uint64_t scene_born(const Case *c, int64_t steps)
{
  assert(steps >= 0 && "steps are counted");
  uint64_t born = 0;
  for (int i = 0; i < c->group_count; i++)
    born += first_born_from(c, &c->groups[i], steps > 0 ? steps : 1);
  return born;
}

bool scene_has_surfaces(const Case *c)
{
  assert(c->shapes != NULL || c->shape_count == 0);
  for (int i = 0; i < c->shape_count; i++)
    if (c->shapes[i].surface_alone) return true;
  return false;
}

bool scene_changes(const Case *c)
{
  return c->domain.given || scene_next_birth(c, 1) != SCENE_NEVER;
}

bool scene_contains(const Case *c, vec3 place)
{
  const vec3 low = c->domain.low, high = c->domain.high;
  if (!c->domain.given) return true;
  return place.x >= low.x && place.x <= high.x && place.y >= low.y && place.y <= high.y &&
         place.z >= low.z && place.z <= high.z;
}
