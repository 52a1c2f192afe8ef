#include <math.h>
#include <string.h>

#include "clipper_lanes.h"
#include "intersection_couple.h"
#include "intersection_measure.h"

#define LABEL_WORDS (SMALL_LABELS / 64)

// Faces that are left and a dart of each.
typedef struct {
  uint64_t present[LABEL_WORDS];
  uint8_t dart[SMALL_LABELS];
} FaceDarts;

// False when faces of the box are left.
static bool find_faces(const Couple *couple, const SmallSolid *s, FaceDarts *faces)
{
  const int labels = couple->face_count + COUPLE_BOX_FACES;
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
  const Lanes inward = weight > 0 ? lanes_mul(lanes_all(1 / (3 * weight)), moment)
                                  : lanes_sub(mean_corner(result, loop, count), origin);
  const Lanes centroid = lanes_add(origin, inward);
  const Lanes area = lanes_mul(lanes_all(0.5), twice_area);
  // (differences alone, which stay exact far from the origin)
  const Lanes arm = lanes_add(lanes_sub(origin, result->apex), inward);
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

bool intersection_write(const Couple *couple, const SmallSolid *s, Arena *arena, Intersection *x)
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

bool intersection_write_labels(const Couple *couple, const SmallSolid *s, Arena *arena,
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
