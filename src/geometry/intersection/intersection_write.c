// Writes a clipped solid as the faces and vertices of an intersection.
#include <math.h>
#include <string.h>

#include "check.h"
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

// A dart of every loop of every face, in the order of the labels.
typedef struct {
  int count;
  uint16_t label[SMALL_DARTS];
  uint8_t dart[SMALL_DARTS];
} Loops;

// The arrays of an intersection and the sums over its faces while they are written.
typedef struct {
  uint8_t place[SMALL_SLOTS];   // of the vertex in a slot, in the result
  int face_count;
  IntersectionFace *faces;
  int *face_start, *face_vertices;
  vec3 *vertices;
  Lane apex;       // a vertex: pyramids over the faces have their apices there
  Lane moment;     // three times the sum of volume times centre of the base, from the apex
  Lane area[2];    // of faces of the first and second solid
  double volume;   // three times, m3
  double surface;
} Result;

static Lane point_of(const SmallSolid *s, unsigned dart) { return lane_load(s->points[dart >> 2]); }

static Lane mean_corner(const Result *result, const int *loop, int count)
{
  assert_debug(count > 0 && "a loop has corners");
  Lane sum = lane_all(0);
  for (int i = 0; i < count; i++) { sum = sum + lanes_load3(&result->vertices[loop[i]].x, 0); }
  return 1.0 / count * sum;
}

// A loop and the sums over the triangles about its first corner.
typedef struct {
  int count;   // of corners
  Lane origin, moment;
  double weight;
} LoopSums;

// Follows the loop of a dart and writes its corners.
static inline LoopSums follow_loop(const Result *result, const SmallSolid *s, unsigned dart,
                                   Lane normal, int *loop)
{
  LoopSums sums = {.origin = point_of(s, dart), .moment = lane_all(0)};
  unsigned d = small_next(s, dart);
  loop[0] = result->place[dart >> 2];
  loop[1] = result->place[d >> 2];
  sums.count = 1 + (d != dart);
  Lane u = point_of(s, d) - sums.origin;
  while (d != dart && (d = small_next(s, d)) != dart) {
    const Lane v = point_of(s, d) - sums.origin;
    const double w = lanes_sum3(lanes_cross(u, v) * normal);
    sums.weight += w;
    sums.moment = sums.moment + w * (u + v);
    loop[sums.count++] = result->place[d >> 2];
    u = v;
  }
  return sums;
}

// Writes the faces of all loops; returns how many darts these have.
static int write_faces(Result *result, const Couple *couple, const SmallSolid *s,
                       const Loops *loops)
{
  const int first_count = couple->solids[0]->face_count;
  const Lane apex = result->apex;
  Lane solid_moment = lane_all(0), area[2] = {solid_moment, solid_moment};
  double solid_volume = 0, surface = 0;
  int *loop = result->face_vertices;
  int face_count = 0, darts = 0;
  for (int l = 0; l < loops->count; l++) {
    const int label = loops->label[l], side = label >= first_count;
    const Lane normal = lane_load(&couple_plane(couple, label)->normal.x);
    const LoopSums sums = follow_loop(result, s, loops->dart[l], normal, loop);
    darts += sums.count;
    if (sums.count < 3) continue;   // two edges in one place, or less, are no face
    result->face_start[face_count] = (int)(loop - result->face_vertices);
    loop += sums.count;

    // differences alone, which stay exact far from the origin
    const Lane inward = sums.weight > 0
                            ? lane_all(1 / (3 * sums.weight)) * sums.moment
                            : mean_corner(result, loop - sums.count, sums.count) - sums.origin;
    const Lane arm = sums.origin - apex + inward;
    const Lane own_area = 0.5 * sums.weight * normal;
    const double volume = lanes_sum3(own_area * arm);
    solid_volume += volume;
    solid_moment = solid_moment + volume * arm;
    area[side] = area[side] + own_area;
    surface += sqrt(lanes_sum3(own_area * own_area));
    IntersectionFace *face = &result->faces[face_count++];
    face->owner = couple->owner[side];
    face->face = label - (side ? first_count : 0);
    lanes_store3(&face->area.x, own_area);
    lanes_store3(&face->centroid.x, sums.origin + inward);
  }
  result->face_count = face_count;
  result->face_start[face_count] = (int)(loop - result->face_vertices);
  result->moment = solid_moment;
  result->area[0] = area[0];
  result->area[1] = area[1];
  result->volume = solid_volume;
  result->surface = surface;
  return darts;
}

// One loop of each face.
static void list_faces(const Couple *couple, const FaceDarts *faces, Loops *loops)
{
  int count = 0;
  for (int word = 0; word <= (couple->face_count - 1) / 64; word++) {
    for (uint64_t left = faces->present[word]; left; left &= left - 1) {
      const int label = 64 * word + __builtin_ctzll(left);
      loops->label[count] = (uint16_t)label;
      loops->dart[count++] = faces->dart[label];
    }
  }
  loops->count = count;
}

// All loops of all faces, where rounding has split some face into several.
static void list_split_faces(const Couple *couple, const SmallSolid *s, const FaceDarts *faces,
                             Loops *loops)
{
  bool seen[SMALL_DARTS] = {false};
  loops->count = 0;
  for (int label = 0; label < couple->face_count; label++) {
    if (!(faces->present[label / 64] >> label % 64 & 1)) continue;
    for (uint64_t left = s->used; left; left &= left - 1) {
      const unsigned first = 4 * (unsigned)__builtin_ctzll(left);
      for (unsigned k = 0; k < 3; k++) {
        if (s->label[first + k] != label || seen[first + k]) continue;
        loops->label[loops->count] = (uint16_t)label;
        loops->dart[loops->count++] = (uint8_t)(first + k);
        for (unsigned d = first + k; !seen[d]; d = small_next(s, d)) seen[d] = true;
      }
    }
  }
}

// Room for all that can be: as many faces as vertices.
static void result_allocate(Result *result, int vertex_count, Arena *arena)
{
  assert_debug(vertex_count >= 0 && "vertices are counted");
  const size_t n = (size_t)vertex_count;
  unsigned char *memory = arena_allocate(arena, n * (sizeof(vec3) + sizeof(IntersectionFace)) +
                                                    (4 * n + 1) * sizeof(int));
  result->faces = (IntersectionFace *)(void *)memory;
  result->vertices = (vec3 *)(void *)(memory + n * sizeof(IntersectionFace));
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
  assert_debug(s->used != 0 && "a solid has vertices");
  const Lane apex = lane_load(s->points[__builtin_ctzll(s->used)]);
  Lane sum = lane_all(0);
  for (uint64_t left = s->used; left; left &= left - 1) {
    sum = sum + (lane_load(s->points[__builtin_ctzll(left)]) - apex);
  }
  const Lane share = lane_all(1.0 / __builtin_popcountll(s->used));
  return lanes_vec3(apex + share * sum);
}

bool intersection_write(const Couple *couple, const SmallSolid *s, Arena *arena, Intersection *x)
{
  assert_debug(couple->face_count > 0 && s->used != 0 && "something is left of two solids");
  FaceDarts faces;
  if (!find_faces(couple, s, &faces)) return false;
  const int vertex_count = __builtin_popcountll(s->used);
  Result result;
  result.apex = lane_load(s->points[__builtin_ctzll(s->used)]);
  result_allocate(&result, vertex_count, arena);
  int place = 0;
  for (uint64_t left = s->used; left; left &= left - 1) {
    const unsigned slot = (unsigned)__builtin_ctzll(left);
    result.place[slot] = (uint8_t)place;
    lanes_store3(&result.vertices[place++].x, lane_load(s->points[slot]));
  }
  Loops loops;
  list_faces(couple, &faces, &loops);
  if (write_faces(&result, couple, s, &loops) != 3 * vertex_count) {
    list_split_faces(couple, s, &faces, &loops);
    write_faces(&result, couple, s, &loops);
  }

  const double volume = result.volume / 3;
  const bool certain = volume > least_volume(couple);
  const int first = couple->owner[0];
  const Lane middle = 0.75 / result.volume * result.moment;
  *x = (Intersection){.status = certain ? INTERSECTION_OK : INTERSECTION_DEGENERATE,
                      .volume = volume > 0 ? volume : 0,
                      .centroid = certain ? lanes_vec3(result.apex + middle) : mean_vertex(s),
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
static int add_pyramid(const SmallSolid *s, unsigned dart, Lane apex, double *volume, Lane *moment)
{
  const Lane u0 = point_of(s, dart) - apex;
  unsigned d = small_next(s, dart);
  int count = 1 + (d != dart);
  Lane u = point_of(s, d) - apex;
  while (d != dart && (d = small_next(s, d)) != dart) {
    const Lane v = point_of(s, d) - apex;
    const double w = lanes_sum3(u0 * lanes_cross(u, v));
    *volume += w;
    *moment = (*moment) + w * (u0 + (u + v));
    count++;
    u = v;
  }
  return count;
}

bool intersection_write_labels(const Couple *couple, const SmallSolid *s, Arena *arena,
                               IntersectionLabels *x)
{
  assert_debug(couple->face_count > 0 && s->used != 0 && "something is left of two solids");
  FaceDarts faces;
  if (!find_faces(couple, s, &faces)) return false;
  const int vertex_count = __builtin_popcountll(s->used);
  FaceLabel *labels = arena_allocate(arena, (size_t)vertex_count * sizeof *labels);
  const Lane apex = lane_load(s->points[__builtin_ctzll(s->used)]);
  const int first_count = couple->solids[0]->face_count;
  Lane moment = lane_all(0);
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
  const Lane middle = 0.25 / volume * moment;
  *x = (IntersectionLabels){.status = certain ? INTERSECTION_OK : INTERSECTION_DEGENERATE,
                            .volume = volume > 0 ? volume / 6 : 0,
                            .centroid = certain ? lanes_vec3(apex + middle) : mean_vertex(s),
                            .label_count = count,
                            .labels = labels};
  return true;
}
