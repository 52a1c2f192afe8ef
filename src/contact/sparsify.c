// Removes new contacts that larger ones beside them make needless.
#include "sparsify.h"

#include "check.h"
#include "order.h"
#include "shape_facets.h"

#define OPPOSITE 0.999   // cosine: faces that part two parts look at each other at least this much

// A patch or a point in the order of what stays first.
typedef struct {
  bool known;   // was there in the last step
  bool removed;
  double area, gap;
  int patch, point;
} Candidate;

static bool corners_in_plane(const Polyhedron *p, int face, Plane plane, double tolerance)
{
  assert_debug(face >= 0 && face < p->face_count && "a face has a number");
  for (int k = p->face_start[face]; k < p->face_start[face + 1]; k++) {
    const vec3 corner = p->vertices[p->face_vertices[k]];
    if (fabs(vec3_dot(plane.normal, corner) - plane.offset) > tolerance) return false;
  }
  return true;
}

// Does a side of one face have all of the other face, in the same plane, outside?
static bool side_parts(const Polyhedron *p, int face, const Polyhedron *q, int other,
                       double tolerance)
{
  assert_debug(face >= 0 && face < p->face_count && other >= 0 && other < q->face_count &&
               "faces have numbers");
  const int first = p->face_start[face], end = p->face_start[face + 1];
  for (int k = first; k < end; k++) {
    const vec3 from = p->vertices[p->face_vertices[k]];
    const vec3 side = vec3_sub(p->vertices[p->face_vertices[k + 1 < end ? k + 1 : first]], from);
    const vec3 out = vec3_cross(side, p->planes[face].normal);
    const double limit = -tolerance * vec3_norm(out);
    bool outside = true;
    for (int i = q->face_start[other]; i < q->face_start[other + 1] && outside; i++) {
      outside = vec3_dot(out, vec3_sub(q->vertices[q->face_vertices[i]], from)) >= limit;
    }
    if (outside) return true;
  }
  return false;
}

bool sparsify_parts_adjacent(const Shape *shape, int part, int other)
{
  assert_debug(part >= 0 && part < shape->part_count && other >= 0 && other < shape->part_count &&
               "the shape has both parts");
  const Polyhedron *p = &shape->parts[part].hull, *q = &shape->parts[other].hull;
  const double tolerance = SHAPE_COPLANAR * shape->extent;
  const Box box_p = box_grow(box_of_points(p->vertices, p->vertex_count), tolerance);
  const Box box_q = box_grow(box_of_points(q->vertices, q->vertex_count), tolerance);
  if (!box_overlaps(box_p, box_q)) return false;
  for (int f = 0; f < p->face_count; f++) {
    for (int g = 0; g < q->face_count; g++) {
      if (vec3_dot(p->planes[f].normal, q->planes[g].normal) > -OPPOSITE) continue;
      if (!corners_in_plane(q, g, p->planes[f], tolerance)) continue;
      if (!side_parts(p, f, q, g, tolerance) && !side_parts(q, g, p, f, tolerance)) return true;
    }
  }
  return false;
}

static bool same_or_adjacent(const Shape *shape, int part, int other)
{
  return part == other || sparsify_parts_adjacent(shape, part, other);
}

// Merged patches are of several pairs of parts: any of one beside any of the other.
static bool patches_adjacent(const Shape *a, const Shape *b, const Patch *p, const Patch *q)
{
  for (int i = 0; i < p->point_count; i++) {
    for (int k = 0; k < q->point_count; k++) {
      const PatchPoint *x = &p->points[i], *y = &q->points[k];
      if (same_or_adjacent(a, x->part_a, y->part_a) && same_or_adjacent(b, x->part_b, y->part_b))
        return true;
    }
  }
  return false;
}

static int compare_keys(const PatchPoint *p, const PatchPoint *q)
{
  int order = order_u64((uint32_t)p->part_a, (uint32_t)q->part_a);
  if (order == 0) order = order_u64((uint32_t)p->part_b, (uint32_t)q->part_b);
  if (order == 0) order = order_u64(p->feature_a, q->feature_a);
  return order != 0 ? order : order_u64(p->feature_b, q->feature_b);
}

static bool point_is_known(const PatchPoint *p, const OldPoints *known)
{
  const Contacts *old = known->contacts;
  for (int i = known->rows.first; i < known->rows.end; i++) {
    if (old->parts[i].low == (uint32_t)p->part_a && old->parts[i].high == (uint32_t)p->part_b &&
        old->features[i].low == p->feature_a && old->features[i].high == p->feature_b)
      return true;
  }
  return false;
}

// The point of a patch whose key comes first stands for the patch.
static const PatchPoint *point_of(const PatchSet *set, const Candidate *c)
{
  assert_debug(set->patches[c->patch].point_count > 0 && "a patch has a point");
  const Patch *patch = &set->patches[c->patch];
  if (c->point >= 0) return &patch->points[c->point];
  const PatchPoint *first = &patch->points[0];
  for (int k = 1; k < patch->point_count; k++) {
    if (compare_keys(&patch->points[k], first) < 0) first = &patch->points[k];
  }
  return first;
}

static bool stays_before(const PatchSet *set, const Candidate *p, const Candidate *q)
{
  if (p->known != q->known) return p->known;
  if (p->area != q->area) return p->area > q->area;
  if (p->gap != q->gap) return p->gap < q->gap;
  return compare_keys(point_of(set, p), point_of(set, q)) < 0;
}

static void sort_candidates(const PatchSet *set, Candidate *items, int count)
{
  assert_debug(count >= 0 && "candidates are counted");
  for (int i = 1; i < count; i++) {
    const Candidate item = items[i];
    int k = i;
    for (; k > 0 && stays_before(set, &item, &items[k - 1]); k--) items[k] = items[k - 1];
    items[k] = item;
  }
}

// New patches that are too small, by themselves or beside an adjacent one, lose all points.
static int remove_small(PatchSet *set, ShapePair shapes, const SparsifyParameters *parameters,
                        const OldPoints *known, Arena *arena)
{
  const int count = set->patch_count;
  Candidate *order = arena_allocate(arena, (size_t)count * sizeof *order);
  for (int i = 0; i < count; i++) {
    const Patch *patch = &set->patches[i];
    order[i] = (Candidate){.area = patch->area, .gap = patch->separation, .patch = i, .point = -1};
    for (int k = 0; k < patch->point_count && !order[i].known; k++)
      order[i].known = point_is_known(&patch->points[k], known);
  }
  sort_candidates(set, order, count);
  int removed = 0;
  for (int i = 0; i < count; i++) {
    Candidate *c = &order[i];
    if (c->known) continue;
    const Patch *patch = &set->patches[c->patch];
    c->removed = patch->area < parameters->min_area;
    for (int k = 0; k < i && !c->removed; k++) {
      const Patch *other = &set->patches[order[k].patch];
      c->removed = !order[k].removed && patch->area < parameters->threshold * other->area &&
                   patches_adjacent(shapes.a, shapes.b, patch, other);
    }
    if (c->removed) removed += patch->point_count;
  }
  for (int i = 0; i < count; i++) {
    if (order[i].removed) set->patches[order[i].patch].point_count = 0;
  }
  return removed;
}

// New points that are too near to one that stays go.
static int remove_near(PatchSet *set, const SparsifyParameters *parameters, const OldPoints *known,
                       Arena *arena)
{
  int count = 0, removed = 0;
  for (int i = 0; i < set->patch_count; i++) count += set->patches[i].point_count;
  Candidate *order = arena_allocate(arena, (size_t)count * sizeof *order);
  count = 0;
  for (int i = 0; i < set->patch_count; i++) {
    for (int k = 0; k < set->patches[i].point_count; k++) {
      const PatchPoint *p = &set->patches[i].points[k];
      order[count++] = (Candidate){.known = point_is_known(p, known),
                                   .area = p->area,
                                   .gap = p->gap,
                                   .patch = i,
                                   .point = k};
    }
  }
  sort_candidates(set, order, count);
  bool *gone = arena_allocate_zero(arena, (size_t)count, sizeof *gone);
  for (int i = 0; i < count; i++) {
    if (order[i].known) continue;
    PatchPoint *p = &set->patches[order[i].patch].points[order[i].point];
    for (int k = 0; k < i && !order[i].removed; k++) {
      if (order[k].removed) continue;
      PatchPoint *stays = &set->patches[order[k].patch].points[order[k].point];
      if (!(vec3_norm(vec3_sub(p->point, stays->point)) < parameters->min_distance)) continue;
      order[i].removed = true;
      removed++;
      if (order[k].patch == order[i].patch) stays->area += p->area;
      else set->patches[order[i].patch].area -= p->area;
    }
  }

  // what stays moves up, in order
  for (int i = 0; i < count; i++) {
    int at = order[i].point;
    for (int k = 0; k < order[i].patch; k++) at += set->patches[k].point_count;
    gone[at] = order[i].removed;
  }
  for (int i = 0, at = 0; i < set->patch_count; i++) {
    Patch *patch = &set->patches[i];
    int kept = 0;
    for (int k = 0; k < patch->point_count; k++, at++) {
      if (!gone[at]) patch->points[kept++] = patch->points[k];
    }
    patch->point_count = kept;
  }
  return removed;
}

int sparsify_set(PatchSet *set, ShapePair shapes, const SparsifyParameters *parameters,
                 OldPoints known, Arena *arena)
{
  assert_debug(
      (known.rows.first == known.rows.end ||
       (known.rows.first < known.rows.end && known.rows.end <= known.contacts->table.count)) &&
      "rows of the last step");
  assert_debug(!(parameters->threshold < 0) && !(parameters->min_area < 0) &&
               "limits are not below zero");
  assert_debug((set->patch_count >= 0 && (set->patches != NULL || set->patch_count == 0)) &&
               "patches are given");
  int removed = 0;
  const ArenaMark mark = arena_mark(arena);
  if (parameters->threshold > 0 || parameters->min_area > 0)
    removed += remove_small(set, shapes, parameters, &known, arena);
  if (parameters->min_distance > 0) removed += remove_near(set, parameters, &known, arena);
  arena_release(arena, mark);
  int kept = 0;
  for (int i = 0; i < set->patch_count; i++) {
    if (set->patches[i].point_count > 0) set->patches[kept++] = set->patches[i];
  }
  set->patch_count = kept;
  return removed;
}
