// Cuts a convex solid of few vertices by planes, fast: three edges meet in every vertex.
#include "clipper_small.h"

#include <assert.h>
#include <string.h>

#include "check.h"
#include "clipper_lanes.h"

// Smallest determinant of three unit normals whose common point is moved directly.
#define DILATION_DETERMINANT 1e-4

// Planes are pushed no further than this share of what makes an edge vanish.
#define PUSH_SHARE 0.999

// Slots that are made ready beyond the vertices to begin with; those of half of all slots leave
// room for so many.
#define FIRST_ROOM 8

// How many groups of lanes hold the slots in use.
static int group_count(uint64_t used) { return (LANES + 63 - __builtin_clzll(used)) / LANES; }

// Slots without a vertex are computed with, too: they must hold numbers.
static inline void clear_slots(SmallSolid *s, int first, int end)
{
  for (int v = first; v < end; v += LANES) {
    for (int i = 0; i < LANES; i++) lane_store(s->points[v + i], lane_all(0));
  }
  s->cleared = end;
}

// (in one piece: it is soon read in one piece)
static inline void set_point(SmallSolid *s, int slot, const vec3 *point)
{
  assert_debug(slot >= 0 && slot < SMALL_SLOTS && "a vertex lies in a slot");
  lane_store(s->points[slot], lanes_load3(&point->x, 1));
}

// -- darts of a polyhedron ------------------------------------------------------------------------

static void swap_darts(SmallDarts *darts, unsigned d, unsigned e)
{
  assert(d < SMALL_DARTS / 2 && e < SMALL_DARTS / 2 && "a dart has a place");
  const uint8_t twin = darts->twin[d], face = darts->face[d];
  darts->twin[d] = darts->twin[e];
  darts->face[d] = darts->face[e];
  darts->twin[e] = twin;
  darts->face[e] = face;
  darts->twin[darts->twin[d]] = (uint8_t)d;
  darts->twin[darts->twin[e]] = (uint8_t)e;
}

// False when some vertex has not three edges.
static bool fill_darts(const Polyhedron *p, SmallDarts *darts)
{
  uint8_t degree[SMALL_SLOTS / 2] = {0};
  for (int e = 0; e < p->edge_count; e++) {
    const Edge edge = p->edges[e];
    if (degree[edge.vertex[0]] == 3 || degree[edge.vertex[1]] == 3) return false;
    const unsigned d = 4 * (unsigned)edge.vertex[0] + degree[edge.vertex[0]]++;
    const unsigned t = 4 * (unsigned)edge.vertex[1] + degree[edge.vertex[1]]++;
    darts->twin[d] = (uint8_t)t;
    darts->twin[t] = (uint8_t)d;
    darts->face[d] = (uint8_t)edge.face[0];
    darts->face[t] = (uint8_t)edge.face[1];
  }
  // clockwise: what lies to the right of one dart lies to the left of the next
  for (unsigned d = 0; d < 4 * (unsigned)p->vertex_count; d += 4) {
    if (darts->face[darts->twin[d]] != darts->face[d + 1]) swap_darts(darts, d + 1, d + 2);
  }
  return true;
}

// Where the common point of the planes of a vertex goes when each moves outward by one; false when
// they are near to having no common point.
static bool vertex_motion(const Polyhedron *p, const uint8_t *faces, vec3 *motion)
{
  const vec3 n = p->planes[faces[0]].normal, q = p->planes[faces[1]].normal;
  const vec3 r = p->planes[faces[2]].normal;
  const vec3 qr = vec3_cross(q, r), rn = vec3_cross(r, n), nq = vec3_cross(n, q);
  const double determinant = vec3_dot(n, qr);
  *motion = vec3_scale(1 / determinant, vec3_add(qr, vec3_add(rn, nq)));
  return fabs(determinant) > DILATION_DETERMINANT;
}

// Edges keep their lines' directions; while each keeps its sense, every face is the same convex
// polygon.
static double find_push_limit(const Polyhedron *p, const SmallDarts *darts)
{
  double limit = INFINITY;
  for (int e = 0; e < p->edge_count; e++) {
    const int from = p->edges[e].vertex[0], to = p->edges[e].vertex[1];
    vec3 start, end;
    if (!vertex_motion(p, darts->face + 4 * from, &start)) return 0;
    if (!vertex_motion(p, darts->face + 4 * to, &end)) return 0;
    const vec3 edge = vec3_sub(p->vertices[to], p->vertices[from]);
    const double shrinks = -vec3_dot(edge, vec3_sub(end, start));
    if (shrinks > 0) limit = fmin(limit, PUSH_SHARE * vec3_dot(edge, edge) / shrinks);
  }
  return limit;
}

const SmallDarts *clipper_small_darts_new(const Polyhedron *p, Arena *arena)
{
  assert(p->vertex_count > 0 && p->edge_count > 0 && "a solid has vertices and edges");
  if (p->vertex_count > SMALL_SLOTS / 2 || 2 * p->edge_count != 3 * p->vertex_count) return NULL;
  const ArenaMark mark = arena_mark(arena);
  SmallDarts *darts = arena_allocate_zero(arena, 1, sizeof *darts);
  if (!fill_darts(p, darts)) {
    arena_release(arena, mark);
    return NULL;
  }
  darts->push_limit = find_push_limit(p, darts);
  return darts;
}

// -- what to begin with ---------------------------------------------------------------------------

void clipper_small_start_polyhedron(SmallSolid *s, const Polyhedron *p, int first_label)
{
  assert_debug(p->darts != NULL && "the solid has darts");
  assert_debug(first_label >= 0 && first_label + p->face_count <= SMALL_LABELS &&
               "labels have room");
  const int count = p->vertex_count;
  s->used = ((uint64_t)1 << count) - 1;
  clear_slots(s, count / LANES * LANES, (count + FIRST_ROOM) / LANES * LANES);
  for (int i = 0; i < count; i++) set_point(s, i, &p->vertices[i]);
  for (int d = 0; d < 4 * count; d += 16) {
    memcpy(s->twin + d, p->darts->twin + d, 16);
    for (int i = d; i < d + 16; i++) s->label[i] = (uint16_t)(p->darts->face[i] + first_label);
  }
}

static Lane cross_part(Lane a, Lane b, Lane c, Lane d) { return a * b - c * d; }

// Moves the vertices of a group of slots to the common points of their planes, pushed outward.
static void push_group(SmallSolid *s, const Polyhedron *p, double margin, int first, int last)
{
  PlaneLanes n[3];
  for (int k = 0; k < 3; k++) {
    const Plane *planes[LANES];
    for (int i = 0; i < LANES; i++) {
      const int vertex = first + i < last ? first + i : last;
      planes[i] = &p->planes[p->darts->face[4 * vertex + k]];
    }
    n[k] = lanes_planes(planes);
  }
  // motion = (q x r + r x p + p x q) / p.(q x r)
  Lane x = lane_all(0), y = x, z = x, determinant = x;
  for (int k = 0; k < 3; k++) {
    const PlaneLanes *q = &n[(k + 1) % 3], *r = &n[(k + 2) % 3];
    const Lane cx = cross_part(q->y, r->z, q->z, r->y), cy = cross_part(q->z, r->x, q->x, r->z);
    const Lane cz = cross_part(q->x, r->y, q->y, r->x);
    if (k == 0) determinant = lanes_dot(&n[0], cx, cy, cz);
    x = x + cx;
    y = y + cy;
    z = z + cz;
  }
  const Lane share = margin / determinant;
  Lane rows[LANES] = {share * x, share * y, share * z, lane_all(0)};
  lane_transpose(rows);
  for (int i = 0; i < LANES; i++) {
    double *point = s->points[first + i];
    lane_store(point, lane_load(point) + rows[i]);
  }
}

void clipper_small_start_dilated(SmallSolid *s, const Polyhedron *p, double margin, int first_label)
{
  assert_debug(p->darts != NULL && margin < p->darts->push_limit && "no edge vanishes");
  assert_debug(margin >= 0 && "planes are pushed outward");
  clipper_small_start_polyhedron(s, p, first_label);
  for (int first = 0; first < p->vertex_count; first += LANES) {
    push_group(s, p, margin, first, p->vertex_count - 1);
  }
}

void clipper_small_start_box(SmallSolid *s, vec3 low, vec3 high, int first_label)
{
  assert(first_label >= 0 && first_label + 6 <= SMALL_LABELS && "labels have room");
  assert(low.x <= high.x && low.y <= high.y && low.z <= high.z && "a box has room");
  // corner v lies at high.x where bit 0 is set, high.y with bit 1, high.z with bit 2. Seen from
  // outside, clockwise is x, y, z where an even number of bits is set, else x, z, y; edges join an
  // even and an odd corner. To the left of a dart is the side across the axis of the next one.
  static const uint8_t twins[4 * 8] = {4,  10, 17, 0, 0,  22, 13, 0, 12, 26, 1, 0, 8,  6,  29, 0,
                                       20, 2,  25, 0, 16, 30, 5,  0, 28, 18, 9, 0, 24, 14, 21, 0};
  static const uint8_t sides[4 * 8] = {2, 4, 0, 0, 4, 2, 1, 0, 4, 3, 0, 0, 3, 4, 1, 0,
                                       5, 2, 0, 0, 2, 5, 1, 0, 3, 5, 0, 0, 5, 3, 1, 0};
  s->used = 0xff;
  clear_slots(s, 8, 8 + FIRST_ROOM);
  memcpy(s->twin, twins, sizeof twins);
  for (int d = 0; d < 4 * 8; d++) s->label[d] = (uint16_t)(first_label + sides[d]);
  for (int v = 0; v < 8; v++) {
    const vec3 corner = {v & 1 ? high.x : low.x, v & 2 ? high.y : low.y, v & 4 ? high.z : low.z};
    set_point(s, v, &corner);
  }
}

typedef struct {
  uint64_t below;   // slots with a height < 0
  bool above;       // some height > 0
  double heights[SMALL_SLOTS];
} Heights;

static inline void measure_heights(const SmallSolid *s, vec3 normal, double offset, Heights *h)
{
  const double plane[LANES] = {normal.x, normal.y, normal.z, -offset};
  const Lane four = lane_load(plane), zero = lane_all(0);
  const int groups = group_count(s->used);
  uint64_t below = 0, above = 0;
  for (int g = 0; g < groups; g++) {
    Lane rows[LANES];
    for (int i = 0; i < LANES; i++) { rows[i] = four * lane_load(s->points[LANES * g + i]); }
    const Lane height = lanes_row_sums(rows);
    lane_store(h->heights + LANES * g, height);
    below |= (uint64_t)lanes_less(height, zero) << LANES * g;
    above |= (uint64_t)lanes_less(zero, height) << LANES * g;
  }
  h->below = below & s->used;
  h->above = (above & s->used) != 0;
}

// Writes the point at height zero of an edge from a vertex below the plane to one that is not,
// reckoned from the nearer of the two: a vertex in the plane is the crossing, bit for bit.
static inline void set_crossing(SmallSolid *s, const double *heights, unsigned below,
                                unsigned above, unsigned slot)
{
  const Lane zero = lane_all(0), up = lane_all(heights[above]);
  const Lane down = zero - heights[below];
  const Lane low = lane_load(s->points[below]), high = lane_load(s->points[above]);
  const Lane near = lane_select(up < down, high, low);
  const Lane part = lane_select(up < down, zero - up, down);
  const Lane share = part / (down + up);
  lane_store(s->points[slot], near + share * (high - low));
}

// The darts from a vertex that stays to one that goes: a word of bits for each eight slots. Returns
// how many.
static inline int find_crossings(const SmallSolid *s, uint64_t below, uint64_t removed,
                                 uint32_t *crossings)
{
  int count = 0;
  const int end = 64 - __builtin_clzll(below);
  for (int first = 0; first < end; first += 8) {
    // darts 0 to 2 of eight slots
    uint32_t darts = (uint32_t)(below >> first & 0xff);
    darts = (darts | darts << 12) & 0x000f000f;
    darts = (darts | darts << 6) & 0x03030303;
    darts = ((darts | darts << 3) & 0x11111111) * 7;
    darts &= lanes_ends(s->twin + 4 * first, removed);
    crossings[first / 8] = darts;
    count += __builtin_popcount(darts);
  }
  return count;
}

// Puts a new vertex on a cut edge, whose dart t leaves the vertex that stays: its dart 0 goes down,
// dart 1 along the new edge in the face to the right of that, dart 2 along the one to the left.
static inline void add_vertex(SmallSolid *s, const double *heights, unsigned t, unsigned slot,
                              int label)
{
  assert_debug(slot < SMALL_SLOTS && "a vertex lies in a slot");
  const unsigned d = s->twin[t];
  const uint16_t left = s->label[d];
  set_crossing(s, heights, t >> 2, d >> 2, slot);
  s->twin[t] = (uint8_t)(4 * slot);
  s->twin[4 * slot] = (uint8_t)t;
  s->label[4 * slot] = left;
  s->label[4 * slot + 1] = s->label[t];   // to the left of t, right of its twin
  s->label[4 * slot + 2] = (uint16_t)label;
  s->entry[left] = (uint8_t)slot;
}

static inline void join(SmallSolid *s, unsigned slot_from, unsigned slot_to)
{
  assert_debug(slot_from < SMALL_SLOTS && slot_to < SMALL_SLOTS && "vertices lie in slots");
  s->twin[4 * slot_from + 1] = (uint8_t)(4 * slot_to + 2);
  s->twin[4 * slot_to + 2] = (uint8_t)(4 * slot_from + 1);
}

// Makes the new edges: in every cut face from where its loop leaves the part below to where it
// comes back. False when a face is cut twice: then that is not known by the face alone.
static inline bool join_by_face(SmallSolid *s, const uint8_t *slots, int count)
{
  bool once = true;
  for (int i = 0; i < count; i++) {
    const unsigned slot = slots[i];
    once &= s->entry[s->label[4 * slot]] == slot;
    join(s, slot, s->entry[s->label[4 * slot + 1]]);
  }
  return once;
}

// The same where rounding makes the loop of some face cross the plane more than twice: loops are
// followed through the part that goes, whose darts are as they were.
static void join_by_loop(SmallSolid *s, uint64_t below, const uint8_t *crossings,
                         const uint8_t *slots, int count)
{
  uint8_t slot_of[SMALL_DARTS];
  for (int i = 0; i < count; i++) slot_of[crossings[i]] = slots[i];
  for (int i = 0; i < count; i++) {
    unsigned d = small_turn(crossings[i]);
    while (!(below >> (s->twin[d] >> 2) & 1)) d = small_turn(s->twin[d]);
    join(s, slots[i], slot_of[d]);
  }
}

CutResult clipper_small_cut(SmallSolid *s, vec3 normal, double offset, int label)
{
  assert_debug(label >= 0 && label < SMALL_LABELS && "a label has a place");
  assert_debug(s->used != 0 && "there is a solid to cut");
  Heights h;
  measure_heights(s, normal, offset, &h);
  if (!h.below) return CUT_ALL;
  if (!h.above) return CUT_NOTHING;
  uint32_t crossings[SMALL_SLOTS / 8];
  const uint64_t used = s->used;
  const int count = find_crossings(s, h.below, used & ~h.below, crossings);
  if (count > SMALL_SLOTS - __builtin_popcountll(used)) return CUT_BROKEN;
  const int reach = 64 - __builtin_clzll(used) + count;
  if (reach > s->cleared) {
    const int end = (reach + LANES - 1) / LANES * LANES;
    clear_slots(s, s->cleared, end < SMALL_SLOTS ? end : SMALL_SLOTS);
  }

  // new vertices come into the first free slots
  uint8_t slots[SMALL_SLOTS], above[SMALL_SLOTS];
  uint64_t room = ~used;
  const int end = 64 - __builtin_clzll(h.below);
  int added = 0;
  for (int first = 0; first < end; first += 8) {
    for (uint32_t darts = crossings[first / 8]; darts; darts &= darts - 1) {
      const unsigned t = 4 * (unsigned)first + (unsigned)__builtin_ctz(darts);
      const unsigned slot = (unsigned)__builtin_ctzll(room);
      above[added] = s->twin[t];
      slots[added++] = (uint8_t)slot;
      add_vertex(s, h.heights, t, slot, label);
      room &= room - 1;
    }
  }
  s->used = h.below | (~used & ~room);
  if (!join_by_face(s, slots, count)) join_by_loop(s, h.below, above, slots, count);
  return CUT_PART;
}
