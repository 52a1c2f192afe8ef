// Cuts Voronoi cells from a box, by the seeds around each from near to far.
#include "voronoi.h"

#include <assert.h>
#include <stdlib.h>

#include "check.h"
#include "clipper.h"
#include "order.h"
#include "voronoi_weld.h"

#define MOST_CUTS 1000   // that leave a face at some time while a cell is cut
#define SEEDS_PER_BUCKET 2

// Seeds by the buckets of a regular grid over the box.
typedef struct {
  const VoronoiSpace *space;
  int counts[3];
  double width;   // least side of a bucket, stretched, m
  int *start;     // [buckets + 1] into members
  int *members;   // [seeds]
} Buckets;

typedef struct {
  double distance;   // its square, stretched, m2
  int seed;
} NearSeed;

// A cell while it is cut.
typedef struct {
  Clipper clipper;
  int *behind;   // [faces of the clipper] cells behind them
  int face_count;
  NearSeed *near;   // [seeds] of the ring that is looked at
} Cutter;

static double square_between(const VoronoiSpace *space, vec3 p, vec3 q)
{
  const vec3 d = vec3_sub(p, q), s = space->stretch;
  const vec3 stretched = {s.x * d.x, s.y * d.y, s.z * d.z};
  return vec3_dot(stretched, stretched);
}

vec3 voronoi_plane(const VoronoiSpace *space, int seed, int other, double *offset)
{
  assert_debug(seed != other && "a plane lies between two seeds");
  const vec3 p = space->seeds[seed], q = space->seeds[other], s = space->stretch;
  const vec3 d = vec3_sub(q, p);
  const vec3 across = {s.x * s.x * d.x, s.y * s.y * d.y, s.z * s.z * d.z};
  const vec3 normal = vec3_scale(1 / vec3_norm(across), across);
  *offset = vec3_dot(normal, vec3_scale(0.5, vec3_add(p, q)));
  return normal;
}

// -- buckets --------------------------------------------------------------------------------------

static void bucket_of(const Buckets *b, vec3 place, int bucket[3])
{
  const double *x = &place.x, *high = &b->space->high.x;
  for (int k = 0; k < 3; k++) {
    const int at = (int)(x[k] / high[k] * b->counts[k]);
    bucket[k] = at < 0 ? 0 : at < b->counts[k] ? at : b->counts[k] - 1;
  }
}

static int bucket_number(const Buckets *b, const int bucket[3])
{
  return bucket[0] + b->counts[0] * (bucket[1] + b->counts[1] * bucket[2]);
}

static Buckets sort_seeds(const VoronoiSpace *space, Arena *arena)
{
  assert(space->count > 0 && "there are seeds");
  Buckets b = {.space = space, .counts = {1, 1, 1}};
  const double sides[3] = {space->stretch.x * space->high.x, space->stretch.y * space->high.y,
                           space->stretch.z * space->high.z};
  // halve what is longest until a bucket has few seeds
  for (int64_t buckets = 1; buckets * SEEDS_PER_BUCKET < space->count; buckets *= 2) {
    int longest = 0;
    for (int k = 1; k < 3; k++)
      if (sides[k] / b.counts[k] > sides[longest] / b.counts[longest]) longest = k;
    b.counts[longest] *= 2;
  }
  b.width = smaller_of(sides[0] / b.counts[0],
                       smaller_of(sides[1] / b.counts[1], sides[2] / b.counts[2]));
  const int buckets = b.counts[0] * b.counts[1] * b.counts[2];
  b.start = arena_allocate_zero(arena, (size_t)buckets + 2, sizeof *b.start);
  b.members = arena_allocate(arena, (size_t)space->count * sizeof *b.members);
  int *next = b.start + 1, at[3];
  for (int i = 0; i < space->count; i++) {
    bucket_of(&b, space->seeds[i], at);
    next[bucket_number(&b, at) + 1]++;
  }
  for (int i = 0; i < buckets; i++) next[i + 1] += next[i];
  for (int i = 0; i < space->count; i++) {
    bucket_of(&b, space->seeds[i], at);
    b.members[next[bucket_number(&b, at)]++] = i;
  }
  return b;
}

static int order_near(const void *p, const void *q)
{
  const NearSeed *a = p, *b = q;
  return a->distance != b->distance ? order_f64(a->distance, b->distance)
                                    : order_int(a->seed, b->seed);
}

// Seeds of the buckets whose largest distance along an axis is that many buckets, near ones first;
// -1: no bucket is so far away.
static int list_ring(const Buckets *b, int seed, int ring, NearSeed *near)
{
  assert_debug(ring >= 0 && "rings are counted from the bucket of the seed");
  int middle[3], low[3], high[3];
  bucket_of(b, b->space->seeds[seed], middle);
  bool any = false;
  for (int k = 0; k < 3; k++) {
    any = any || middle[k] - ring >= 0 || middle[k] + ring < b->counts[k];
    low[k] = middle[k] - ring > 0 ? middle[k] - ring : 0;
    high[k] = middle[k] + ring < b->counts[k] - 1 ? middle[k] + ring : b->counts[k] - 1;
  }
  if (!any) return -1;
  int count = 0;
  for (int z = low[2]; z <= high[2]; z++)
    for (int y = low[1]; y <= high[1]; y++) {
      const bool whole = abs(z - middle[2]) == ring || abs(y - middle[1]) == ring;
      for (int x = low[0]; x <= high[0]; x++) {
        if (!whole && abs(x - middle[0]) != ring) continue;
        const int number = bucket_number(b, (int[3]){x, y, z});
        for (int m = b->start[number]; m < b->start[number + 1]; m++) {
          const int other = b->members[m];
          if (other == seed) continue;
          near[count++] = (NearSeed){
              square_between(b->space, b->space->seeds[seed], b->space->seeds[other]), other};
        }
      }
    }
  qsort(near, (size_t)count, sizeof *near, order_near);
  return count;
}

// -- one cell -------------------------------------------------------------------------------------

// The square of the distance of the farthest corner from the seed, m2.
static double reach_of(const Cutter *cutter, const VoronoiSpace *space, int seed)
{
  double farthest = 0;
  for (int i = 0; i < cutter->clipper.vertex_count; i++)
    farthest =
        larger_of(farthest, square_between(space, cutter->clipper.vertices[i], space->seeds[seed]));
  return farthest;
}

static bool cut_cell(Cutter *cutter, const Buckets *b, int seed)
{
  assert(seed >= 0 && seed < b->space->count && "a cell has a seed");
  const VoronoiSpace *space = b->space;
  clipper_start_box(&cutter->clipper, (vec3){0, 0, 0}, space->high, 0);
  cutter->face_count = VORONOI_SIDES;
  double reach = reach_of(cutter, space, seed);
  for (int ring = 0;; ring++) {
    // a seed beyond twice the reach has its plane beyond all corners
    const double free = (ring - 1) * b->width;
    if (ring > 1 && free * free > 4 * reach) return true;
    const int count = list_ring(b, seed, ring, cutter->near);
    if (count < 0) return true;
    for (int i = 0; i < count && cutter->near[i].distance <= 4 * reach; i++) {
      if (cutter->face_count == cutter->clipper.face_room) return false;
      Plane plane;
      plane.normal = voronoi_plane(space, seed, cutter->near[i].seed, &plane.offset);
      const CutResult cut = clipper_cut(&cutter->clipper, plane, cutter->face_count);
      if (cut == CUT_NOTHING) continue;
      if (cut != CUT_PART) return false;
      cutter->behind[cutter->face_count++] = cutter->near[i].seed;
      reach = reach_of(cutter, space, seed);
    }
  }
}

// The loop of a face of so many edges from a corner on; the number of corners, 0: it does not
// close.
static int follow_face(const Clipper *c, int face, int sides, int first, int *loop)
{
  int count = 0, from = first;
  do {
    int to = -1;
    for (int e = 0; e < c->edge_count && to < 0; e++)
      for (int k = 0; k < 2; k++)
        if (c->edges[e].face[k] == face && c->edges[e].vertex[k] == from)
          to = c->edges[e].vertex[1 - k];
    if (to < 0 || count == sides) return 0;
    loop[count++] = from;
    from = to;
  } while (from != first);
  return count;
}

// Faces of the cell that was cut; their corners follow those that are there.
static bool keep_cell(const Cutter *cutter, VoronoiDraft *draft, VoronoiCell *cell)
{
  const Clipper *c = &cutter->clipper;
  const int before = draft->corner_count;
  for (int i = 0; i < c->vertex_count; i++) voronoi_draft_corner(draft, c->vertices[i]);
  VoronoiFace *faces =
      arena_allocate(draft->arena, (size_t)cutter->face_count * sizeof(VoronoiFace));
  int *corners = arena_allocate(draft->arena, 2 * (size_t)c->edge_count * sizeof *corners);
  *cell = (VoronoiCell){.faces = faces};
  for (int f = 0; f < cutter->face_count; f++) {
    int first = -1, sides = 0;
    for (int e = 0; e < c->edge_count; e++)
      for (int k = 0; k < 2; k++)
        if (c->edges[e].face[k] == f) {
          sides++;
          first = c->edges[e].vertex[k];
        }
    if (sides == 0) continue;
    const int count = follow_face(c, f, sides, first, corners);
    if (count != sides) return false;
    for (int k = 0; k < count; k++) corners[k] += before;
    faces[cell->face_count++] =
        (VoronoiFace){f < VORONOI_SIDES ? -1 - f : cutter->behind[f], count, corners};
    corners += count;
  }
  return true;
}

bool voronoi_cells(const VoronoiSpace *space, Arena *arena, VoronoiCells *cells)
{
  assert(space->count > 0 && space->high.x > 0 && space->high.y > 0 && space->high.z > 0 &&
         "seeds lie in a box");
  Arena scratch = arena_new();
  const Buckets buckets = sort_seeds(space, &scratch);
  const int faces = VORONOI_SIDES + MOST_CUTS;
  ClipperSpace small;
  Cutter cutter = {.clipper = clipper_new(faces, &small, &scratch),
                   .behind = arena_allocate(&scratch, (size_t)faces * sizeof(int)),
                   .near = arena_allocate(&scratch, (size_t)space->count * sizeof(NearSeed))};
  VoronoiCell *made = arena_allocate(&scratch, (size_t)space->count * sizeof *made);
  VoronoiDraft draft = {.arena = &scratch};
  bool sound = true;
  for (int i = 0; i < space->count && sound; i++)
    sound = cut_cell(&cutter, &buckets, i) && keep_cell(&cutter, &draft, &made[i]);
  if (sound) voronoi_weld(space, &draft, made, arena, cells);
  arena_destroy(&scratch);
  return sound;
}

double voronoi_measure(const VoronoiCells *cells, int cell, vec3 *centroid)
{
  assert(cell >= 0 && cell < cells->count && "a cell has a number");
  const VoronoiCell *c = &cells->cells[cell];
  const vec3 apex = cells->corners[c->faces[0].corners[0]];
  double sum = 0;
  vec3 moment = {0, 0, 0};
  for (int f = 0; f < c->face_count; f++) {
    const VoronoiFace *face = &c->faces[f];
    const vec3 u = vec3_sub(cells->corners[face->corners[0]], apex);
    for (int k = 2; k < face->corner_count; k++) {
      const vec3 v = vec3_sub(cells->corners[face->corners[k - 1]], apex);
      const vec3 w = vec3_sub(cells->corners[face->corners[k]], apex);
      const double six = vec3_dot(u, vec3_cross(v, w));
      sum += six;
      moment = vec3_axpy(six, vec3_add(u, vec3_add(v, w)), moment);
    }
  }
  *centroid = vec3_axpy(0.25 / sum, moment, apex);
  return sum / 6;
}
