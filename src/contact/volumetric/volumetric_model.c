// Looks at all pairs of parts of two bodies for the volumetric model.
#include "volumetric_model.h"

#include <string.h>

#include "check.h"
#include "contacts.h"
#include "part_pairs.h"
#include "volumetric.h"

#define LAYER 0.1   // of the margin: what parts share whose surfaces are displaced, at least

typedef struct {
  const ModelPair *pair;
  PatchSet set;
  int capacity;
  Arena *arena;
} VolumetricSearch;

static void add_point(VolumetricSearch *search, int part_a, int part_b,
                      const VolumetricPoint *point)
{
  assert_debug(part_a >= 0 && part_b >= 0 && "a point names two parts");
  assert_debug(search->set.patch_count <= search->capacity && "patches are in their room");
  PatchSet *set = &search->set;
  set->patches = arena_grow(search->arena, set->patches, set->patch_count + 1, &search->capacity,
                            sizeof *set->patches);
  PatchPoint *only = arena_allocate(search->arena, sizeof *only);
  *only = (PatchPoint){.point = point->point,
                       .gap = point->gap,
                       .area = point->area,
                       .part_a = part_a,
                       .part_b = part_b,
                       .feature_a = feature_new(FEATURE_FACE, point->face_a),
                       .feature_b = feature_new(FEATURE_FACE, point->face_b),
                       .axis_a = AXIS_NONE,
                       .axis_b = AXIS_NONE};
  set->patches[set->patch_count++] = (Patch){.part_a = part_a,
                                             .part_b = part_b,
                                             .normal = point->normal,
                                             .axis_a = AXIS_NONE,
                                             .axis_b = AXIS_NONE,
                                             .area = point->area,
                                             .separation = point->gap,
                                             .point_count = 1,
                                             .points = only};
}

// The point of two parts, and the gap up to which it counts, m.
static VolumetricPoint find_point(const VolumetricSearch *search, const PartOverlap *parts,
                                  double *most)
{
  *most = 0;
  const ModelPair *pair = search->pair;
  if (!pair->displaced) return volumetric_point(parts, search->arena);
  const double margin =
      pair->parameters->margin * smaller_of(parts->hull_a.extent, parts->hull_b.extent);
  *most = margin + pair->reach;
  return volumetric_near(parts, (VolumetricReach){*most, LAYER * margin}, search->arena);
}

static void search_parts(VolumetricSearch *search, int part_a, int part_b)
{
  PatchSet *set = &search->set;
  const ArenaMark mark = arena_mark(search->arena);
  const PartOverlap parts =
      part_surface_overlap(search->pair->a, part_a, search->pair->b, part_b, search->arena);
  double most;
  VolumetricPoint point = find_point(search, &parts, &most);
  const bool failed = point.status == VOLUMETRIC_FAILED;
  set->rerouted += point.rerouted;
  if (failed) point = volumetric_touch(&parts);
  arena_release(search->arena, mark);

  // volume at rounding level is a touch, as is a failure of what does not overlap; what is moved
  // together has a gap
  const bool meets = point.status == VOLUMETRIC_OK || point.status == VOLUMETRIC_FACE_AXIS ||
                     (point.status == VOLUMETRIC_TOUCH && point.gap < most);
  const Polyhedron *a = &parts.hull_a, *b = &parts.hull_b;
  const int size = a->vertex_count + a->face_count + b->vertex_count + b->face_count;
  *(meets ? &set->count.touching : &set->count.parted) += size;
  if (!meets) return;
  set->failed += failed;
  add_point(search, part_a, part_b, &point);
}

PatchSet volumetric_find(const ModelPair *pair, Arena *arena)
{
  assert_debug(pair->a->shape->part_count > 0 && pair->b->shape->part_count > 0 &&
               "both bodies have parts");
  PosedBody a = *pair->a, b = *pair->b;
  VolumetricSearch search = {.pair = pair, .arena = arena};
  const vec3 shift = vec3_sub(b.center, a.center);
  const double margin = pair->displaced ? pair->parameters->margin : 0,
               reach = pair->displaced ? pair->reach : 0;
  const double far = a.shape->radius + b.shape->radius +
                     margin * smaller_of(a.shape->extent, b.shape->extent) + reach;
  if (vec3_dot(shift, shift) > far * far) return search.set;

  if (a.boxes == NULL) a.boxes = part_boxes_new(a.parts, a.shape->part_count, arena);
  if (b.boxes == NULL) b.boxes = part_boxes_new(b.parts, b.shape->part_count, arena);
  const NearParts near = part_pairs_find(&a, &b, margin, reach, arena);
  search.set.count.part_boxes = near.compared;
  for (int i = 0; i < near.count; i++) search_parts(&search, near.pairs[i].a, near.pairs[i].b);
  return search.set;
}
