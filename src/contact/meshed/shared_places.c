// Finds points of other pairs at the places of a pair's points, and which of them holds a place.
#include "shared_places.h"

#include <assert.h>
#include <math.h>

#include "check.h"
#include "contacts.h"
#include "forest.h"
#include "persist.h"
#include "search.h"

#define SAME_FACE 0.9   // cosine: patches of other normals are between other faces
#define SAME_PLACE \
  0.1   // of the shortest side of a face: how far points are apart that are taken as one, since
        // pieces have deformed, or seams of both bodies are that near each other

// Rows of pieces of one body, or one row.
typedef struct {
  int count;
  int *row;
} Kin;

// A pair of them.
typedef struct {
  int low, high;
  PairPatches of;
} KinPair;

typedef struct {
  int count;
  KinPair *pair;
} KinPairs;

// Where two rows may touch, and what counts as there; not valid: nowhere.
static Box near_both(const SharedPlaces *in, int low, int high, double side)
{
  const Box a = in->boxes[low], b = in->boxes[high];
  const Box common = {vec3_max(a.low, b.low), vec3_min(a.high, b.high)};
  return box_is_valid(common) ? box_grow(common, SAME_PLACE * side) : common;
}

// Adds the rows of a half of the table in their order of ids, the same on all ranks.
static void add_rows(const SharedPlaces *in, PieceIds ids, RowRange half, Box near, Kin *kin)
{
  const uint64_t *id = in->bodies->id;
  assert_debug(half.first <= half.end && "a half of the table");
  for (int i = search_u64(id, half.first, half.end, ids.first); i < half.end && id[i] < ids.end;
       i++) {
    if (!box_overlaps(in->boxes[i], near)) continue;
    int at = kin->count++;
    for (; at > 0 && id[kin->row[at - 1]] > id[i]; at--) kin->row[at] = kin->row[at - 1];
    kin->row[at] = i;
  }
}

// The pieces of a row's body that are near a place; itself alone where it is none.
static Kin kin_of(const SharedPlaces *in, int row, Box near, Arena *arena)
{
  const Bodies *b = in->bodies;
  const PieceIds ids = surface_laws_pieces(in->laws, b->id[row]);
  Kin kin = {0};
  if (ids.first == ids.end) {
    kin.row = arena_allocate(arena, sizeof(int));
    kin.row[kin.count++] = row;
    return kin;
  }
  const uint64_t most = ids.end - ids.first < (uint64_t)b->table.count ? ids.end - ids.first
                                                                       : (uint64_t)b->table.count;
  kin.row = arena_allocate(arena, ((size_t)most + 1) * sizeof(int));
  add_rows(in, ids, (RowRange){0, b->table.owned}, near, &kin);
  add_rows(in, ids, (RowRange){b->table.owned, b->table.count}, near, &kin);
  return kin;
}

static IdPair ids_of(const SharedPlaces *in, int low, int high)
{
  return (IdPair){in->bodies->id[low], in->bodies->id[high]};
}

// Adds a pair that touches.
static void add_pair(const SharedPlaces *in, int low, int high, KinPairs *pairs)
{
  if (!box_overlaps(in->boxes[low], in->boxes[high])) return;
  const PairPatches of = in->find(in->context, low, high);
  if (of.set.patch_count > 0) pairs->pair[pairs->count++] = (KinPair){low, high, of};
}

// A point that others may share the place of.
typedef struct {
  vec3 point;    // relative to the centre of the pair's lower body, m
  vec3 normal;   // of its patch; zero: whatever others have
  double side;   // of a face of its pair's meshes, m
} Sought;

// How many points another pair has at that place, and their area. Of two pairs both find each
// other. apart: from the other pair's lower body to that of the point, m.
static int points_at(const KinPair *pair, vec3 apart, const Sought *sought, double *area)
{
  const vec3 place = vec3_add(apart, sought->point);
  const double near = SAME_PLACE * fmin(sought->side, pair->of.side);
  const bool any = vec3_norm(sought->normal) == 0;
  int count = 0;
  for (int p = 0; p < pair->of.set.patch_count; p++) {
    const Patch *patch = &pair->of.set.patches[p];
    if (!any && vec3_dot(patch->normal, sought->normal) < SAME_FACE) continue;
    for (int k = 0; k < patch->point_count; k++) {
      if (patch->points[k].feature_b & FEATURE_HELD) continue;   // given up
      if (!(vec3_norm(vec3_sub(place, patch->points[k].point)) < near)) continue;
      *area += patch->points[k].area;
      count++;
    }
  }
  return count;
}

static int number_in(const Kin *kin, int row)
{
  int k = 0;
  while (k < kin->count && kin->row[k] != row) k++;
  return k;
}

static bool share_a_face(const SharedPlaces *in, int a, int b)
{
  const IdPair ids = id_pair_of(in->bodies->id[a], in->bodies->id[b]);
  const FiniteSeamNode *nodes;
  if (surface_laws_seam(in->laws, ids.low, ids.high, &nodes)) return true;
  const SurfaceLaw *law = surface_laws_within(in->laws, ids.low, ids.high);
  return law && law->cohesion == INFINITY;
}

// Do two pieces hang together by faces of pieces near a place?
static bool hang_together(const SharedPlaces *in, const Kin *kin, int a, int b, Box at,
                          Arena *arena)
{
  if (a == b) return true;
  int *parent = arena_allocate(arena, ((size_t)kin->count + 1) * sizeof *parent);
  for (int k = 0; k < kin->count; k++) {
    parent[k] = k;
    for (int j = 0; j < k; j++) {
      if (!box_overlaps(in->boxes[kin->row[j]], at) || !box_overlaps(in->boxes[kin->row[k]], at))
        continue;
      if (share_a_face(in, kin->row[j], kin->row[k]))
        parent[forest_root(parent, k)] = forest_root(parent, j);
    }
  }
  const int p = number_in(kin, a), q = number_in(kin, b);
  return p < kin->count && q < kin->count && forest_root(parent, p) == forest_root(parent, q);
}

// From the lower body of one pair to that of another, m.
static vec3 between(const SharedPlaces *in, const KinPair *pair, int low)
{
  return vec3_sub(in->bodies->position[low], in->bodies->position[pair->low]);
}

// Two rows, the pieces beside them, and pairs of these.
typedef struct {
  int low, high;
  Kin lows, highs;
  KinPairs pairs;
} Places;

// Who else is at the place of a point: does a lower pair hold it, and what area have all?
static void mark_point(const SharedPlaces *in, const Places *places, const Sought *sought,
                       PatchPoint *point, Arena *arena)
{
  const IdPair ids = ids_of(in, places->low, places->high);
  const vec3 place = vec3_add(in->bodies->position[places->low], sought->point);
  const Box at = box_grow((Box){place, place}, SAME_PLACE * sought->side);
  bool held = false, shared = false;
  double area = point->area;
  for (int m = 0; m < places->pairs.count; m++) {
    const KinPair *pair = &places->pairs.pair[m];
    double more = 0;
    if (!points_at(pair, between(in, pair, places->low), sought, &more) ||
        !hang_together(in, &places->lows, places->low, pair->low, at, arena) ||
        !hang_together(in, &places->highs, places->high, pair->high, at, arena))
      continue;
    if (id_pair_before(ids_of(in, pair->low, pair->high), ids)) held = true;
    shared = true;
    area += more;
  }
  if (!shared) return;
  point->feature_b |= held ? FEATURE_HELD : FEATURE_HOLDS;
  if (!held) point->area = area;
}

void shared_places_mark(const SharedPlaces *in, int low, int high, const PairPatches *of,
                        Arena *arena)
{
  assert(in->find != NULL && low >= 0 && high >= 0 && low != high && "two rows");
  const Box near = near_both(in, low, high, of->side);
  if (of->set.patch_count == 0 || !box_is_valid(near)) return;
  Places places = {.low = low, .high = high};
  places.lows = kin_of(in, low, near, arena);
  places.highs = kin_of(in, high, near, arena);
  const size_t most = (size_t)places.lows.count * (size_t)places.highs.count;
  if (most < 2) return;
  places.pairs.pair = arena_allocate(arena, most * sizeof(KinPair));
  for (int i = 0; i < places.lows.count; i++)
    for (int j = 0; j < places.highs.count; j++)
      if (places.lows.row[i] != low || places.highs.row[j] != high)
        add_pair(in, places.lows.row[i], places.highs.row[j], &places.pairs);
  for (int p = 0; p < of->set.patch_count; p++) {
    const Patch *patch = &of->set.patches[p];
    Sought sought = {.normal = patch->normal, .side = of->side};
    for (int k = 0; k < patch->point_count; k++) {
      if (patch->points[k].feature_b & FEATURE_HELD) continue;   // given up
      sought.point = patch->points[k].point;
      mark_point(in, &places, &sought, &patch->points[k], arena);
    }
  }
}

// Do other pairs of pieces hold those of a weld together at a place?
static bool is_held_weld(const SharedPlaces *in, const Places *places, const Sought *sought,
                         int *parent)
{
  const Kin *kin = &places->lows;
  for (int i = 0; i < kin->count; i++) parent[i] = i;
  for (int m = 0; m < places->pairs.count; m++) {
    const KinPair *pair = &places->pairs.pair[m];
    double area = 0;
    if (!points_at(pair, between(in, pair, places->low), sought, &area)) continue;
    parent[forest_root(parent, number_in(kin, pair->low))] =
        forest_root(parent, number_in(kin, pair->high));
  }
  return forest_root(parent, number_in(kin, places->low)) ==
         forest_root(parent, number_in(kin, places->high));
}

void shared_places_mark_weld(const SharedPlaces *in, int low, int high, const PairPatches *of,
                             Arena *arena)
{
  assert(in->find != NULL && low >= 0 && high >= 0 && low != high && "two rows");
  const Box near = near_both(in, low, high, of->side);
  if (of->set.patch_count == 0 || !box_is_valid(near)) return;
  const IdPair ids = ids_of(in, low, high);
  Places places = {.low = low, .high = high};
  places.lows = kin_of(in, low, near, arena);
  const Kin *kin = &places.lows;
  const size_t count = (size_t)kin->count;
  places.pairs.pair = arena_allocate(arena, (count * count + 1) * sizeof(KinPair));
  for (int i = 0; i < kin->count; i++)
    for (int j = 0; j < kin->count; j++) {
      const int a = kin->row[i], b = kin->row[j];
      if (in->bodies->id[a] >= in->bodies->id[b] || !share_a_face(in, a, b)) continue;
      if (id_pair_before(ids_of(in, a, b), ids)) add_pair(in, a, b, &places.pairs);
    }
  int *parent = arena_allocate(arena, (count + 1) * sizeof *parent);
  for (int p = 0; p < of->set.patch_count; p++) {
    const Patch *patch = &of->set.patches[p];
    // (faces around an edge look every way)
    Sought sought = {.side = of->side};
    for (int k = 0; k < patch->point_count; k++) {
      sought.point = patch->points[k].point;
      if (is_held_weld(in, &places, &sought, parent)) patch->points[k].feature_b |= FEATURE_HELD;
    }
  }
}
