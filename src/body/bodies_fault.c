// The promises of a table of bodies, asked row by row.
#include "bodies_fault.h"

#include <assert.h>

#include "kind.h"
#include "motion.h"

#define UNIT_ERROR 1e-9   // of the square of an orientation's length, far above rounding

static const char *row_fault(const Bodies *b, int i, int material_count, int shape_count)
{
  const quat q = b->orientation[i];
  if (!vec3_is_finite(b->position[i])) return "a body's position is not finite";
  if (!(fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) <= UNIT_ERROR))
    return "a body's orientation is no unit quaternion";
  if (!vec3_is_finite(b->velocity[i])) return "a body's velocity is not finite";
  if (!vec3_is_finite(b->spin[i])) return "a body's spin is not finite";
  if (!vec3_is_finite(b->angular[i])) return "a body's angular momentum is not finite";
  if (!motion_is_finite(b, i)) return "a body's deformation is not finite";
  if (b->drive[i] < DRIVE_DYNAMIC || b->drive[i] > DRIVE_PRESCRIBED)
    return "a body is driven in no known way";
  if (!(b->mass[i] > 0) || !isfinite(b->mass[i])) return "a body's mass is not above zero";
  if (b->material[i] < 0 || b->material[i] >= material_count)
    return "a body's material is not in the case";
  if (b->shape[i] < 0 || b->shape[i] >= shape_count) return "a body's shape is not in the case";
  return NULL;
}

const char *bodies_fault(const Bodies *bodies, int material_count, int shape_count)
{
  assert(material_count >= 0 && shape_count >= 0 && "counts are not below zero");
  const Table *t = &bodies->table;
  if (t->owned < 0 || t->owned > t->count || t->count > t->capacity)
    return "own rows, rows and room of the bodies are not in this order";
  if (!kind_all_known(bodies)) return "a body is of no known kind";
  for (int i = 0; i < t->count; i++) {
    const bool first_of_half = i == 0 || i == t->owned;
    if (!first_of_half && bodies->id[i - 1] >= bodies->id[i])
      return i < t->owned ? "ids of own bodies do not ascend" : "ids of ghosts do not ascend";
    const char *fault = row_fault(bodies, i, material_count, shape_count);
    if (fault) return fault;
  }
  for (int i = t->owned; i < t->count; i++)
    if (bodies_find(bodies, bodies->id[i]) < t->owned) return "a ghost is an own body, too";
  return NULL;
}
