// Looks for the plane that cuts a lump best.
#include "lump_plane.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "box.h"
#include "hash.h"

enum {
  DIRECTIONS = 13,   // of a cube: axes, diagonals of faces, diagonals
  OFFSETS = 5,       // planes across each
  ROUNDS = 4,        // of moves and turns, each half of the one before
  SAMPLE = 3000,     // points that stand for all; so many of the hull's besides
  SECTION = 400      // points of a section
};
#define BALANCE 0.02      // cost of hulls of unequal volumes, of their difference
#define LEAST_SIDE 1e-3   // of the hull: a side of less is not worth a cut
#define FIRST_TURN 0.25   // radians, about
#define SAMPLE_SEED 71

typedef struct {
  const Lump *lump;
  const MeshBlock *solid;
  int sample_count;
  vec3 *sample;
  double *heights;   // [lump->point_count] room
  vec3 *sides[2];    // [all points that a side may have] room
  Arena *scratch;
} Search;

typedef struct {
  Plane plane;
  double cost;   // m3, infinite: no cut
} Cut;

// Points of the hull, and others by chance, which is the same in every run.
static void take_sample(Search *s)
{
  const Lump *lump = s->lump;
  const size_t count = (size_t)lump->point_count;
  bool *vertex = arena_allocate(s->scratch, count * sizeof *vertex);
  (void)lump_hull_measure(lump->points, lump->point_count, vertex, s->scratch);
  int vertices = 0;
  for (int i = 0; i < lump->point_count; i++) vertices += vertex[i];
  const uint64_t every = (uint64_t)(lump->point_count / SAMPLE + 1);
  const uint64_t every_vertex = (uint64_t)(vertices / SAMPLE + 1);
  s->sample = arena_allocate(s->scratch, count * sizeof *s->sample);
  for (int i = 0; i < lump->point_count; i++) {
    const uint64_t one_of = vertex[i] ? every_vertex : every;
    if (hash_mix((uint64_t)i, SAMPLE_SEED) % one_of == 0)
      s->sample[s->sample_count++] = lump->points[i];
  }
}

// Points of the section, thinned out. Returns how many.
static int find_section(const Search *s, Plane plane, vec3 *points)
{
  const Lump *lump = s->lump;
  for (int i = 0; i < lump->point_count; i++) s->heights[i] = plane_height(plane, lump->points[i]);
  int crossed = 0, count = 0, seen = 0;
  for (int pass = 0; pass < 2; pass++) {
    const int every = crossed / SECTION + 1;
    for (int t = 0; t < lump->triangle_count; t++) {
      const int *v = lump->triangles[t];
      const bool a = s->heights[v[0]] > 0, b = s->heights[v[1]] > 0, c = s->heights[v[2]] > 0;
      if (a == b && b == c) continue;
      if (pass == 0) crossed++;
      else if (seen++ % every == 0) {
        const int from = a != b ? v[0] : v[1], to = a != b ? v[1] : v[2];
        points[count++] = lump_cross(lump->points[from], lump->points[to], plane);
      }
    }
  }
  return count;
}

static Cut judge(const Search *s, Plane plane)
{
  const ArenaMark mark = arena_mark(s->scratch);
  const Lump *lump = s->lump;
  int count[2] = {0, 0};
  for (int i = 0; i < s->sample_count + lump->corner_count; i++) {
    const vec3 p = i < s->sample_count ? s->sample[i] : lump->corners[i - s->sample_count];
    const int side = plane_height(plane, p) > 0;
    s->sides[side][count[side]++] = p;
  }
  vec3 shared[2 * SECTION + LUMP_MOST_PLANES * LUMP_MOST_PLANES];
  int more = find_section(s, plane, shared);
  assert(more <= 2 * SECTION && "a section is thinned out");
  more += lump_new_corners(lump, plane, s->solid, shared + more);
  double hull[2];
  for (int k = 0; k < 2; k++) {
    memcpy(s->sides[k] + count[k], shared, (size_t)more * sizeof *shared);
    hull[k] = lump_hull_measure(s->sides[k], count[k] + more, NULL, s->scratch).volume;
  }
  arena_release(s->scratch, mark);
  const double least = LEAST_SIDE * lump->hull.volume;
  const bool sound = hull[0] > least && hull[1] > least;
  return (Cut){plane, sound ? hull[0] + hull[1] + BALANCE * fabs(hull[0] - hull[1]) : INFINITY};
}

static void keep_better(Cut *best, Cut cut)
{
  if (cut.cost < best->cost) *best = cut;
}

// Planes across fixed directions at equal distances.
static Cut search_directions(const Search *s)
{
  static const double side[DIRECTIONS][3] = {
      {1, 0, 0}, {0, 1, 0},  {0, 0, 1}, {1, 1, 0},  {1, -1, 0}, {1, 0, 1},  {1, 0, -1},
      {0, 1, 1}, {0, 1, -1}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1}};
  Cut best = {.cost = INFINITY};
  for (int d = 0; d < DIRECTIONS; d++) {
    const vec3 along = {side[d][0], side[d][1], side[d][2]};
    const vec3 normal = vec3_scale(1 / vec3_norm(along), along);
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < s->lump->point_count; i++) {
      const double height = vec3_dot(normal, s->lump->points[i]);
      low = fmin(low, height);
      high = fmax(high, height);
    }
    for (int k = 1; k <= OFFSETS; k++) {
      const double offset = low + k * (high - low) / (OFFSETS + 1);
      keep_better(&best, judge(s, (Plane){normal, offset}));
    }
  }
  return best;
}

// The plane turned about a place by about an angle, towards a direction across its normal.
static Plane turn(Plane plane, vec3 place, vec3 across, double angle)
{
  const vec3 tilted = vec3_axpy(angle, across, plane.normal);
  const vec3 normal = vec3_scale(1 / vec3_norm(tilted), tilted);
  return (Plane){normal, vec3_dot(normal, place)};
}

// Moves and turns a plane as long as that makes it better.
static Cut improve(const Search *s, Cut best, double extent)
{
  double angle = FIRST_TURN, move = extent / (2 * (OFFSETS + 1));
  for (int round = 0; round < ROUNDS; round++, angle /= 2, move /= 2) {
    const Plane plane = best.plane;
    const vec3 n = plane.normal;
    const vec3 axis = fabs(n.x) < 0.6 ? (vec3){1, 0, 0} : (vec3){0, 1, 0};
    const vec3 slope = vec3_cross(n, axis), u = vec3_scale(1 / vec3_norm(slope), slope);
    const vec3 v = vec3_cross(n, u);
    vec3 section[2 * SECTION], middle = {0, 0, 0};
    const int count = find_section(s, plane, section);
    for (int i = 0; i < count; i++) middle = vec3_axpy(1.0 / count, section[i], middle);
    for (int sign = -1; sign <= 1; sign += 2) {
      keep_better(&best, judge(s, (Plane){n, plane.offset + sign * move}));
      keep_better(&best, judge(s, turn(plane, middle, u, sign * angle)));
      keep_better(&best, judge(s, turn(plane, middle, v, sign * angle)));
    }
  }
  return best;
}

bool lump_plane_find(const Lump *lump, const MeshBlock *solid, Plane *plane)
{
  assert(lump->point_count > 0 && lump->triangle_count > 0 && "a lump has a surface");
  Arena scratch = arena_new();
  Search s = {.lump = lump, .solid = solid, .scratch = &scratch};
  s.heights = arena_allocate(&scratch, (size_t)lump->point_count * sizeof *s.heights);
  take_sample(&s);
  const size_t room = (size_t)(s.sample_count + lump->corner_count) + 2 * SECTION +
                      LUMP_MOST_PLANES * LUMP_MOST_PLANES;
  for (int k = 0; k < 2; k++) s.sides[k] = arena_allocate(&scratch, room * sizeof(vec3));
  Cut best = search_directions(&s);
  const Box box = box_of_points(lump->points, lump->point_count);
  if (best.cost < INFINITY) best = improve(&s, best, box_longest_side(box));
  *plane = best.plane;
  arena_destroy(&scratch);
  return best.cost < INFINITY;
}
