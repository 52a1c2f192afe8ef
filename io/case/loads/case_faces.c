// Reads which faces a pressure acts on, and looks whether there are any.
#include "case_faces.h"

#include <assert.h>
#include <math.h>

#include "case_marks.h"
#include "id_range.h"
#include "parallel.h"
#include "scene.h"
#include "trig.h"

#define USUAL_WITHIN 1.0   // degrees

const LoadFaces *case_faces_read(CaseReader *reader, const CaseNode *node)
{
  static const char *const keys[] = {"direction", "within", "box", NULL};
  static const NumberRule within_rule = {0, 180, "an angle from 0 to 180 degrees"};
  const CaseNode *faces = case_value_mapping(reader, node, keys);
  if (!faces) return NULL;
  const CaseNode *direction = case_tree_find(faces, "direction"),
                 *within = case_tree_find(faces, "within"), *box = case_tree_find(faces, "box");
  LoadFaces *read = arena_allocate_zero(reader->arena, 1, sizeof *read);
  if (!direction && !box)
    case_tree_fail(reader, node, "expected 'direction', 'box' or both, found neither");
  else if (within && !direction)
    case_tree_fail(reader, within, "an angle to a 'direction', and there is none");
  read->has_direction = direction != NULL;
  read->direction = case_value_direction(reader, direction, (vec3){0, 0, 1});
  read->cosine = trig_cos(case_value_angle(reader, within, &within_rule, USUAL_WITHIN));
  if (box) {
    const MarksBox room = case_marks_read_box(reader, box);
    read->has_box = true;
    read->low = room.low;
    read->high = room.high;
  }
  return read;
}

// Which pressures find a face on this rank's share of the bodies; found: [loads].
static void find_faces(const Case *c, ShapeSet *shapes, double *found, Arena *arena)
{
  const uint64_t first = id_range_first(c->body_count, par_rank(), par_size()),
                 end = id_range_first(c->body_count, par_rank() + 1, par_size());
  for (uint64_t id = first; id < end; id++) {
    const LoadSpan *span = scene_loads(c, id);
    for (int k = 0; span && k < span->count; k++) {
      const int number = span->loads[k];
      const LoadFaces *faces = c->loads[number].faces;
      if (!faces || found[number] > 0) continue;
      const Shape *shape = shape_set_get(shapes, scene_body(c, id).shape);
      const ArenaMark mark = arena_mark(arena);
      LoadFace *all;
      const LoadBody body = scene_load_body(c, id, shape);
      found[number] = load_faces_find(faces, &body, arena, &all);
      arena_release(arena, mark);
    }
  }
}

bool case_faces_check(const Case *c)
{
  assert(c->body_count > 0 && "the case is prepared");
  bool any = false;
  for (int k = 0; k < c->load_count; k++) any = any || c->loads[k].faces;
  if (!any) return true;
  Arena arena = arena_new();
  ShapeSet shapes = shape_set_new(c->shapes, c->shape_count);
  double *found = arena_allocate_zero(&arena, (size_t)c->load_count, sizeof *found);
  find_faces(c, &shapes, found, &arena);
  par_max_many(found, c->load_count);
  int bare = 0;   // the first pressure without a face
  while (bare < c->load_count && (!c->loads[bare].faces || found[bare] > 0)) bare++;
  shape_set_destroy(&shapes);
  arena_destroy(&arena);
  char stage[TREE_STAGE_BYTES];
  return all_ok(bare == c->load_count,
                "%s: %sloads.%d.faces: no body of 'on' has such a face as it appears; spheres "
                "and ellipsoids have none",
                c->path, case_tree_stage(c->stage_name, stage), bare);
}
