#include <math.h>
#include <string.h>

#include "clipper_lanes.h"
#include "clipper_small.h"
#include "intersection_measure.h"

#define BOX_FACES 6
#define LABEL_WORDS (SMALL_LABELS / 64)
#define ROUND_CUTS 4    // planes that cut before the others are looked at again
#define LAST_ROUND 10   // so few planes cut without another look

// The two solids in the order in which they are worked on, which does not depend on which of them
// is a. Faces of the first have the labels 0, 1, .., those of the second follow.
typedef struct {
  const Polyhedron *solids[2];
  int owner[2];   // of the faces of each, for the result
  double margin;
  int face_count;   // of both
} Couple;

// A plane that may cut.
typedef struct {
  double depth;   // of the solid below the plane, m
  int label;
} Cutter;

typedef enum { CLIP_DONE, CLIP_EMPTY, CLIP_ELSEWHERE } ClipOutcome;

static int compare_vertices(const vec3 *p, const vec3 *q, int count)
{
  for (int i = 0; i < count; i++) {
    if (p[i].x != q[i].x) return p[i].x < q[i].x ? -1 : 1;
    if (p[i].y != q[i].y) return p[i].y < q[i].y ? -1 : 1;
    if (p[i].z != q[i].z) return p[i].z < q[i].z ? -1 : 1;
  }
  return 0;
}

// True when b comes first.
static bool order_is_swapped(const Polyhedron *a, const Polyhedron *b)
{
  if (a->face_count != b->face_count) return a->face_count < b->face_count;
  if (a->vertex_count != b->vertex_count) return a->vertex_count < b->vertex_count;
  return compare_vertices(a->vertices, b->vertices, a->vertex_count) > 0;
}

static Couple couple_new(const Polyhedron *a, const Polyhedron *b, double margin)
{
  const bool swapped = order_is_swapped(a, b);
  return (Couple){.solids = {swapped ? b : a, swapped ? a : b},
                  .owner = {swapped, !swapped},
                  .margin = margin,
                  .face_count = a->face_count + b->face_count};
}

static const Plane *couple_plane(const Couple *couple, int label)
{
  const int first = couple->solids[0]->face_count;
  return label < first ? &couple->solids[0]->planes[label]
                       : &couple->solids[1]->planes[label - first];
}

// -- which planes cut -----------------------------------------------------------------------------

// The faces of one solid with some of the other one above their planes; -1: one has all of it at
// least the distance above. cutters: room for one more than there are faces.
static int find_cutters(const Couple *couple, int side, double distance, Cutter *cutters)
{
  const Polyhedron *p = couple->solids[side], *q = couple->solids[1 - side];
  const int first_label = side == 0 ? 0 : couple->solids[0]->face_count;
  int count = 0;
  for (int first = 0; first < p->face_count; first += LANES) {
    const Plane *planes[LANES];
    const int last = p->face_count - 1;
    for (int i = 0; i < LANES; i++) planes[i] = &p->planes[first + i < last ? first + i : last];
    const PlaneLanes four = lanes_planes(planes);
    Lanes low, high;
    lanes_range(&four, &q->vertices[0].x, 3, q->vertex_count, &low, &high);
    low = lanes_sub(low, four.offset);
    if (lanes_not_less(low, lanes_all(distance))) return -1;
    const unsigned cuts = lanes_less(four.offset, high);
    double heights[LANES];
    lanes_store(heights, low);
    for (int i = 0; i < LANES && first + i <= last; i++) {
      cutters[count] = (Cutter){-heights[i], first_label + first + i};
      count += (int)(cuts >> i & 1);
    }
  }
  return count;
}

// Keeps the planes that cut the solid and measures their depths; -1: one has all of it above.
static int keep_cutters(const Couple *couple, const SmallSolid *s, Cutter *cutters, int count)
{
  double points[SMALL_SLOTS][4];
  int point_count = 0;
  for (uint64_t left = s->used; left; left &= left - 1) {
    lanes_store(points[point_count++], lanes_load(s->points[__builtin_ctzll(left)]));
  }
  int kept = 0;
  for (int first = 0; first < count; first += LANES) {
    const Plane *planes[LANES];
    for (int i = 0; i < LANES; i++) {
      const int k = first + i < count ? first + i : count - 1;
      planes[i] = couple_plane(couple, cutters[k].label);
    }
    const PlaneLanes four = lanes_planes(planes);
    const Lanes offset = lanes_add(four.offset, lanes_all(couple->margin));
    Lanes low, high;
    lanes_range(&four, points[0], 4, point_count, &low, &high);
    if (lanes_not_less(low, offset)) return -1;
    const unsigned cuts = lanes_less(offset, high);
    double depths[LANES];
    lanes_store(depths, lanes_sub(offset, low));
    for (int i = 0; i < LANES && first + i < count; i++) {
      cutters[kept] = (Cutter){depths[i], cutters[first + i].label};
      kept += (int)(cuts >> i & 1);
    }
  }
  return kept;
}

// The planes that leave least come first: what follows has little left to cut. Sorts as many as
// asked for to the front.
static void sort_cutters(Cutter *cutters, int count, int wanted)
{
  for (int i = 1; i < count; i++) {
    const Cutter moved = cutters[i];
    int k = i;
    if (i >= wanted) {
      if (!(moved.depth < cutters[wanted - 1].depth)) continue;
      cutters[i] = cutters[wanted - 1];
      k = wanted - 1;
    }
    for (; k > 0 && cutters[k - 1].depth > moved.depth; k--) cutters[k] = cutters[k - 1];
    cutters[k] = moved;
  }
}

// Cuts by all planes of the list that cut; the solid must have been measured by them.
static ClipOutcome cut_all(const Couple *couple, SmallSolid *s, Cutter *cutters, int count)
{
  while (count > 0) {
    const int cuts = count <= LAST_ROUND ? count : ROUND_CUTS;
    sort_cutters(cutters, count, cuts);
    for (int i = 0; i < cuts; i++) {
      const Plane *plane = couple_plane(couple, cutters[i].label);
      const CutResult result =
          small_cut(s, plane->normal, plane->offset + couple->margin, cutters[i].label);
      if (result == CUT_ALL) return CLIP_EMPTY;
      if (result == CUT_BROKEN) return CLIP_ELSEWHERE;
    }
    cutters += cuts;
    count -= cuts;
    if (count == 0) break;
    count = keep_cutters(couple, s, cutters, count);
    if (count < 0) return CLIP_EMPTY;
  }
  return CLIP_DONE;
}

// -- what to begin with ---------------------------------------------------------------------------

// The vertex nearest to a point.
static vec3 nearest_vertex(const Polyhedron *p, vec3 point)
{
  vec3 nearest = p->vertices[0];
  double least = INFINITY;
  for (int i = 0; i < p->vertex_count; i++) {
    const vec3 d = vec3_sub(p->vertices[i], point);
    const double square = vec3_dot(d, d);
    nearest = square < least ? p->vertices[i] : nearest;
    least = square < least ? square : least;
  }
  return nearest;
}

// True when a face of one solid has all of the other one at least the distance above it. A vertex
// of the other one near to where they may meet rules out nearly all faces.
static bool face_separates(const Couple *couple, int side, vec3 middle, double distance)
{
  const Polyhedron *p = couple->solids[side], *q = couple->solids[1 - side];
  const vec3 witness = nearest_vertex(q, middle);
  const Lanes x = lanes_all(witness.x), y = lanes_all(witness.y), z = lanes_all(witness.z);
  for (int first = 0; first < p->face_count; first += LANES) {
    const Plane *planes[LANES];
    const int last = p->face_count - 1;
    for (int i = 0; i < LANES; i++) planes[i] = &p->planes[first + i < last ? first + i : last];
    const PlaneLanes four = lanes_planes(planes);
    const Lanes height = lanes_sub(lanes_dot(four.x, four.y, four.z, x, y, z), four.offset);
    if (!lanes_not_less(height, lanes_all(distance))) continue;
    Lanes low, high;
    lanes_range(&four, &q->vertices[0].x, 3, q->vertex_count, &low, &high);
    if (lanes_not_less(lanes_sub(low, four.offset), lanes_all(distance))) return true;
  }
  return false;
}

// The planes of both solids that cut a box, with their depths; -1: one has all of it above.
static int find_box_cutters(const Couple *couple, vec3 low, vec3 high, Cutter *cutters)
{
  const vec3 middle = vec3_scale(0.5, vec3_add(low, high));
  const vec3 half = vec3_scale(0.5, vec3_sub(high, low));
  const Lanes x = lanes_all(middle.x), y = lanes_all(middle.y), z = lanes_all(middle.z);
  const Lanes hx = lanes_all(half.x), hy = lanes_all(half.y), hz = lanes_all(half.z);
  int count = 0, label = 0;
  for (int side = 0; side < 2; side++) {
    const Polyhedron *p = couple->solids[side];
    const int last = p->face_count - 1;
    for (int first = 0; first <= last; first += LANES) {
      const Plane *planes[LANES];
      for (int i = 0; i < LANES; i++) planes[i] = &p->planes[first + i < last ? first + i : last];
      const PlaneLanes four = lanes_planes(planes);
      const Lanes offset = lanes_add(four.offset, lanes_all(couple->margin));
      const Lanes height = lanes_sub(lanes_dot(four.x, four.y, four.z, x, y, z), offset);
      const Lanes reach =
          lanes_dot(lanes_size(four.x), lanes_size(four.y), lanes_size(four.z), hx, hy, hz);
      double depths[LANES];
      lanes_store(depths, lanes_sub(reach, height));
      const unsigned cuts = lanes_less(lanes_sub(lanes_all(0), height), reach);
      if (lanes_not_less(height, reach)) return -1;
      for (int i = 0; i < LANES && first + i <= last; i++) {
        cutters[count] = (Cutter){depths[i], label++};
        count += (int)(cuts >> i & 1);
      }
    }
  }
  return count;
}

// Cuts a box around what the solids share by the planes of both.
static ClipOutcome clip_box(const Couple *couple, SmallSolid *s)
{
  vec3 low, high;
  switch (
      intersection_common_box(couple->solids[0], couple->solids[1], couple->margin, &low, &high)) {
  case INTERSECTION_OK: break;
  case INTERSECTION_EMPTY: return CLIP_EMPTY;
  default: return CLIP_ELSEWHERE;
  }
  const vec3 middle = vec3_scale(0.5, vec3_add(low, high));
  for (int side = 0; side < 2; side++) {
    if (face_separates(couple, side, middle, 2 * couple->margin)) return CLIP_EMPTY;
  }
  small_start_box(s, low, high, couple->face_count);
  Cutter cutters[SMALL_LABELS + 1];
  const int count = find_box_cutters(couple, low, high, cutters);
  return count < 0 ? CLIP_EMPTY : cut_all(couple, s, cutters, count);
}

// Cuts one solid, whose planes are pushed outward, by the planes of the other one.
static ClipOutcome clip_dilated(const Couple *couple, int start, SmallSolid *s)
{
  const int first = couple->solids[0]->face_count, count = couple->solids[1 - start]->face_count;
  small_start_dilated(s, couple->solids[start], couple->margin, start == 0 ? 0 : first);
  Cutter cutters[SMALL_LABELS + 1];
  for (int i = 0; i < count; i++) cutters[i].label = start == 0 ? first + i : i;
  const int kept = keep_cutters(couple, s, cutters, count);
  return kept < 0 ? CLIP_EMPTY : cut_all(couple, s, cutters, kept);
}

// True when the clipper can begin with this solid, its planes pushed outward.
static bool can_start(const Polyhedron *p, double margin)
{
  return p->darts && (margin <= 0 || margin < p->darts->push_limit);
}

static ClipOutcome clip_small(const Couple *couple, SmallSolid *s)
{
  const Polyhedron *p = couple->solids[0], *q = couple->solids[1];
  const double distance = 2 * couple->margin;
  if (couple->face_count + BOX_FACES > SMALL_LABELS) return CLIP_ELSEWHERE;
  const bool can[2] = {can_start(p, couple->margin), can_start(q, couple->margin)};
  if (!can[0] && !can[1]) return clip_box(couple, s);

  // one solid is cut by the other: the one that needs fewer cuts, where both can be
  Cutter cutters[2][SMALL_LABELS + 1];
  int counts[2] = {0, 0};
  for (int side = 0; side < 2; side++) {
    if (can[1 - side]) {
      counts[side] = find_cutters(couple, side, distance, cutters[side]);
      if (counts[side] < 0) return CLIP_EMPTY;
    } else if (face_separates(couple, side, couple->solids[side]->vertices[0], distance)) {
      return CLIP_EMPTY;
    }
  }
  const int start = can[0] && can[1] ? counts[0] < counts[1] : can[1];
  if (couple->margin > 0) return clip_dilated(couple, start, s);
  small_start_polyhedron(s, couple->solids[start], start == 0 ? 0 : p->face_count);
  return cut_all(couple, s, cutters[1 - start], counts[1 - start]);
}

// -- result ---------------------------------------------------------------------------------------

// Faces that are left and a dart of each.
typedef struct {
  uint64_t present[LABEL_WORDS];
  uint8_t dart[SMALL_LABELS];
} FaceDarts;

// False when faces of the box are left.
static bool find_faces(const Couple *couple, const SmallSolid *s, FaceDarts *faces)
{
  const int labels = couple->face_count + BOX_FACES;
  if (labels <= 64) {
    uint64_t present = 0;
    for (uint64_t left = s->used; left; left &= left - 1) {
      const unsigned d = 4 * (unsigned)__builtin_ctzll(left);
      for (unsigned k = 0; k < 3; k++) {
        present |= (uint64_t)1 << s->label[d + k];
        faces->dart[s->label[d + k]] = (uint8_t)(d + k);
      }
    }
    faces->present[0] = present;
    return present >> couple->face_count == 0;
  }
  memset(faces->present, 0, (size_t)(labels + 63) / 64 * sizeof *faces->present);
  for (uint64_t left = s->used; left; left &= left - 1) {
    const unsigned d = 4 * (unsigned)__builtin_ctzll(left);
    for (unsigned k = 0; k < 3; k++) {
      const unsigned label = s->label[d + k];
      faces->present[label / 64] |= (uint64_t)1 << label % 64;
      faces->dart[label] = (uint8_t)(d + k);
    }
  }
  for (int label = couple->face_count; label < labels; label++) {
    if (faces->present[label / 64] >> label % 64 & 1) return false;
  }
  return true;
}

// The arrays of an intersection and the sums over its faces while they are written.
typedef struct {
  const Couple *couple;
  const SmallSolid *solid;
  uint8_t place[SMALL_SLOTS];   // of the vertex in a slot, in the result
  int face_count;
  IntersectionFace *faces;
  int *face_start, *face_vertices;
  vec3 *vertices;
  Lanes apex;      // a vertex: pyramids over the faces have their apices there
  Lanes moment;    // three times the sum of volume times centre of the base, from the apex
  Lanes area[2];   // of faces of the first and second solid
  double volume;   // three times, m3
  double surface;
} Result;

static Lanes point_of(const SmallSolid *s, unsigned dart)
{
  return lanes_load(s->points[dart >> 2]);
}

static Lanes mean_corner(const Result *result, const int *loop, int count)
{
  Lanes sum = lanes_all(0);
  for (int i = 0; i < count; i++) {
    const vec3 v = result->vertices[loop[i]];
    const double corner[LANES] = {v.x, v.y, v.z, 0};
    sum = lanes_add(sum, lanes_load(corner));
  }
  return lanes_mul(lanes_all(1.0 / count), sum);
}

// Writes the face whose loop a dart belongs to behind those already there; returns the length of
// the loop. Its area and centroid are sums over the triangles about its first corner.
static int add_face(Result *result, unsigned dart, int label)
{
  const SmallSolid *s = result->solid;
  const Couple *couple = result->couple;
  const int begin = result->face_start[result->face_count];
  int *loop = result->face_vertices + begin;
  const Plane *plane = couple_plane(couple, label);
  const Lanes normal = lanes_load(&plane->normal.x), origin = point_of(s, dart);
  Lanes twice_area = lanes_all(0), moment = twice_area;
  double weight = 0;
  unsigned d = small_next(s, dart);
  loop[0] = result->place[dart >> 2];
  loop[1] = result->place[d >> 2];
  int count = 1 + (d != dart);
  Lanes u = lanes_sub(point_of(s, d), origin);
  while (d != dart && (d = small_next(s, d)) != dart) {
    const Lanes v = lanes_sub(point_of(s, d), origin), cross = lanes_cross(u, v);
    const double w = lanes_sum3(lanes_mul(cross, normal));
    twice_area = lanes_add(twice_area, cross);
    weight += w;
    moment = lanes_add(moment, lanes_mul(lanes_all(w), lanes_add(u, v)));
    loop[count++] = result->place[d >> 2];
    u = v;
  }
  if (count < 3) return count;   // two edges in one place, or less
  const Lanes centroid = weight > 0
                             ? lanes_add(origin, lanes_mul(lanes_all(1 / (3 * weight)), moment))
                             : mean_corner(result, loop, count);
  const Lanes area = lanes_mul(lanes_all(0.5), twice_area);
  const Lanes arm = lanes_sub(centroid, result->apex);
  const double volume = lanes_sum3(lanes_mul(area, arm));
  const int side = label >= couple->solids[0]->face_count;
  result->volume += volume;
  result->moment = lanes_add(result->moment, lanes_mul(lanes_all(volume), arm));
  result->area[side] = lanes_add(result->area[side], area);
  result->surface += sqrt(lanes_sum3(lanes_mul(area, area)));
  result->faces[result->face_count++] =
      (IntersectionFace){.owner = couple->owner[side],
                         .face = label - (side ? couple->solids[0]->face_count : 0),
                         .area = lanes_vec3(area),
                         .centroid = lanes_vec3(centroid)};
  result->face_start[result->face_count] = begin + count;
  return count;
}

static void result_clear(Result *result)
{
  result->face_count = 0;
  result->face_start[0] = 0;
  result->moment = result->area[0] = result->area[1] = lanes_all(0);
  result->volume = result->surface = 0;
}

// All loops of all faces, where rounding has split some face into several.
static void add_split_faces(Result *result, const FaceDarts *faces)
{
  const SmallSolid *s = result->solid;
  bool seen[SMALL_DARTS] = {false};
  result_clear(result);
  for (int label = 0; label < result->couple->face_count; label++) {
    if (!(faces->present[label / 64] >> label % 64 & 1)) continue;
    for (uint64_t left = s->used; left; left &= left - 1) {
      const unsigned first = 4 * (unsigned)__builtin_ctzll(left);
      for (unsigned k = 0; k < 3; k++) {
        if (s->label[first + k] != label || seen[first + k]) continue;
        add_face(result, first + k, label);
        for (unsigned d = first + k; !seen[d]; d = small_next(s, d)) seen[d] = true;
      }
    }
  }
}

// Room for all that can be: as many faces as vertices.
static void result_allocate(Result *result, int vertex_count, Arena *arena)
{
  const size_t n = (size_t)vertex_count;
  unsigned char *block = arena_allocate(arena, n * (sizeof(vec3) + sizeof(IntersectionFace)) +
                                                   (4 * n + 1) * sizeof(int));
  result->faces = (IntersectionFace *)(void *)block;
  result->vertices = (vec3 *)(void *)(block + n * sizeof(IntersectionFace));
  result->face_start = (int *)(void *)(result->vertices + n);
  result->face_vertices = result->face_start + n + 1;
}

static double smaller_extent(const Couple *couple)
{
  const double p = couple->solids[0]->extent, q = couple->solids[1]->extent;
  return p < q ? p : q;
}

// Below this a volume is rounding, m3.
static double least_volume(const Couple *couple)
{
  const double scale = smaller_extent(couple);
  return INTERSECTION_VOLUME_ROUNDING * scale * scale * scale;
}

static vec3 mean_vertex(const SmallSolid *s)
{
  const Lanes apex = lanes_load(s->points[__builtin_ctzll(s->used)]);
  Lanes sum = lanes_all(0);
  for (uint64_t left = s->used; left; left &= left - 1) {
    sum = lanes_add(sum, lanes_sub(lanes_load(s->points[__builtin_ctzll(left)]), apex));
  }
  const Lanes share = lanes_all(1.0 / __builtin_popcountll(s->used));
  return lanes_vec3(lanes_add(apex, lanes_mul(share, sum)));
}

// False when a face of the box is left.
static bool write_result(const Couple *couple, const SmallSolid *s, Arena *arena, Intersection *x)
{
  FaceDarts faces;
  if (!find_faces(couple, s, &faces)) return false;
  const int vertex_count = __builtin_popcountll(s->used);
  Result result;
  result.couple = couple;
  result.solid = s;
  result.apex = lanes_load(s->points[__builtin_ctzll(s->used)]);
  result_allocate(&result, vertex_count, arena);
  result_clear(&result);
  int place = 0;
  for (uint64_t left = s->used; left; left &= left - 1) {
    const unsigned slot = (unsigned)__builtin_ctzll(left);
    result.place[slot] = (uint8_t)place;
    result.vertices[place++] = small_vertex(s, slot);
  }
  int steps = 0;
  for (int word = 0; word <= (couple->face_count - 1) / 64; word++) {
    for (uint64_t left = faces.present[word]; left; left &= left - 1) {
      const int label = 64 * word + __builtin_ctzll(left);
      steps += add_face(&result, faces.dart[label], label);
    }
  }
  if (steps != 3 * vertex_count) add_split_faces(&result, &faces);

  const double volume = result.volume / 3;
  const bool certain = volume > least_volume(couple);
  const int first = couple->owner[0];
  const Lanes middle = lanes_mul(lanes_all(0.75 / result.volume), result.moment);
  *x = (Intersection){.status = certain ? INTERSECTION_OK : INTERSECTION_DEGENERATE,
                      .volume = volume > 0 ? volume : 0,
                      .centroid =
                          certain ? lanes_vec3(lanes_add(result.apex, middle)) : mean_vertex(s),
                      .area = {lanes_vec3(result.area[first]), lanes_vec3(result.area[1 - first])},
                      .surface = result.surface,
                      .face_count = result.face_count,
                      .vertex_count = vertex_count,
                      .faces = result.faces,
                      .face_start = result.face_start,
                      .face_vertices = result.face_vertices,
                      .vertices = result.vertices};
  return true;
}

static void swap_owners(Intersection *x)
{
  IntersectionFace *faces = (IntersectionFace *)x->faces;
  for (int f = 0; f < x->face_count; f++) faces[f].owner = 1 - faces[f].owner;
  const vec3 area = x->area[0];
  x->area[0] = x->area[1];
  x->area[1] = area;
}

// The slower way, in the order of the couple.
static Intersection clip_elsewhere(const Couple *couple, Arena *arena)
{
  Intersection x =
      intersection_clip_any(couple->solids[0], couple->solids[1], couple->margin, arena);
  if (couple->owner[0] == 1) swap_owners(&x);
  return x;
}

Intersection intersection_clip(const Polyhedron *a, const Polyhedron *b, double margin,
                               Arena *arena)
{
  const Couple couple = couple_new(a, b, margin);
  SmallSolid solid;
  const ClipOutcome outcome = clip_small(&couple, &solid);
  if (outcome == CLIP_EMPTY) return (Intersection){.status = INTERSECTION_EMPTY};
  Intersection x;
  if (outcome == CLIP_DONE && write_result(&couple, &solid, arena, &x)) return x;
  return clip_elsewhere(&couple, arena);
}

// -- labels alone ---------------------------------------------------------------------------------

// Six times the volume of the pyramid over a face from the apex, and its moment about the apex;
// returns the length of the loop.
static int add_pyramid(const SmallSolid *s, unsigned dart, Lanes apex, double *volume,
                       Lanes *moment)
{
  const Lanes u0 = lanes_sub(point_of(s, dart), apex);
  unsigned d = small_next(s, dart);
  int count = 1 + (d != dart);
  Lanes u = lanes_sub(point_of(s, d), apex);
  while (d != dart && (d = small_next(s, d)) != dart) {
    const Lanes v = lanes_sub(point_of(s, d), apex);
    const double w = lanes_sum3(lanes_mul(u0, lanes_cross(u, v)));
    *volume += w;
    *moment = lanes_add(*moment, lanes_mul(lanes_all(w), lanes_add(u0, lanes_add(u, v))));
    count++;
    u = v;
  }
  return count;
}

// False when a face of the box is left or a face has several loops.
static bool write_labels(const Couple *couple, const SmallSolid *s, Arena *arena,
                         IntersectionLabels *x)
{
  FaceDarts faces;
  if (!find_faces(couple, s, &faces)) return false;
  const int vertex_count = __builtin_popcountll(s->used);
  FaceLabel *labels = arena_allocate(arena, (size_t)vertex_count * sizeof *labels);
  const Lanes apex = lanes_load(s->points[__builtin_ctzll(s->used)]);
  const int first_count = couple->solids[0]->face_count;
  Lanes moment = lanes_all(0);
  double volume = 0;
  int steps = 0, count = 0;
  for (int word = 0; word <= (couple->face_count - 1) / 64; word++) {
    for (uint64_t left = faces.present[word]; left; left &= left - 1) {
      const int label = 64 * word + __builtin_ctzll(left), side = label >= first_count;
      steps += add_pyramid(s, faces.dart[label], apex, &volume, &moment);
      labels[count++] = (FaceLabel){couple->owner[side], label - (side ? first_count : 0)};
    }
  }
  if (steps != 3 * vertex_count) return false;
  const bool certain = volume > 6 * least_volume(couple);
  const Lanes middle = lanes_mul(lanes_all(0.25 / volume), moment);
  *x = (IntersectionLabels){.status = certain ? INTERSECTION_OK : INTERSECTION_DEGENERATE,
                            .volume = volume > 0 ? volume / 6 : 0,
                            .centroid =
                                certain ? lanes_vec3(lanes_add(apex, middle)) : mean_vertex(s),
                            .label_count = count,
                            .labels = labels};
  return true;
}

// The labels of an intersection with all that belongs to it.
static IntersectionLabels labels_of(const Intersection *x, Arena *arena)
{
  FaceLabel *labels = arena_allocate(arena, (size_t)x->face_count * sizeof *labels);
  int count = 0;
  for (int f = 0; f < x->face_count; f++) {
    const FaceLabel label = {x->faces[f].owner, x->faces[f].face};
    const bool known =
        count > 0 && labels[count - 1].owner == label.owner && labels[count - 1].face == label.face;
    if (!known) labels[count++] = label;
  }
  return (IntersectionLabels){x->status, x->volume, x->centroid, count, labels};
}

IntersectionLabels intersection_labels(const Polyhedron *a, const Polyhedron *b, double margin,
                                       Arena *arena)
{
  const Couple couple = couple_new(a, b, margin);
  SmallSolid solid;
  const ClipOutcome outcome = clip_small(&couple, &solid);
  if (outcome == CLIP_EMPTY) return (IntersectionLabels){.status = INTERSECTION_EMPTY};
  IntersectionLabels labels;
  if (outcome == CLIP_DONE && write_labels(&couple, &solid, arena, &labels)) return labels;
  Intersection x;
  if (outcome == CLIP_ELSEWHERE || !write_result(&couple, &solid, arena, &x)) {
    x = clip_elsewhere(&couple, arena);
  }
  return labels_of(&x, arena);
}
