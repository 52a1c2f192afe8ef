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

// Faces of this rank's share of the bodies that a load names, until one is found.
static bool has_face(const Case *c, int number, ShapeSet *shapes, Arena *arena)
{
  const uint64_t first = id_range_first(c->body_count, par_rank(), par_size()),
                 end = id_range_first(c->body_count, par_rank() + 1, par_size());
  for (uint64_t id = first; id < end; id++) {
    const LoadSpan *span = scene_loads(c, id);
    bool named = false;
    for (int k = 0; span && k < span->count; k++) named = named || span->loads[k] == number;
    if (!named) continue;
    const Shape *shape = shape_set_get(shapes, scene_body(c, id).shape);
    const ArenaMark mark = arena_mark(arena);
    LoadFace *faces;
    const int count =
        load_faces_find(c->loads[number].faces, shape, scene_start(c, id, shape), arena, &faces);
    arena_release(arena, mark);
    if (count > 0) return true;
  }
  return false;
}

bool case_faces_check(const Case *c)
{
  assert(c->body_count > 0 && "the case is prepared");
  bool good = true;
  Arena arena = arena_new();
  ShapeSet shapes = shape_set_new(c->shapes, c->shape_count);
  for (int k = 0; k < c->load_count && good; k++) {
    if (!c->loads[k].faces) continue;
    const bool any = par_any(has_face(c, k, &shapes, &arena));
    good = all_ok(any || par_rank() != 0,
                  "%s: loads.%d.faces: no body of 'on' has such a face as it appears; spheres and "
                  "ellipsoids have none",
                  c->path, k);
  }
  shape_set_destroy(&shapes);
  arena_destroy(&arena);
  return good;
}
