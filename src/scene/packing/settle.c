// Moves stones that are being packed apart and away from the walls of their room.
#include "settle.h"

#include <assert.h>

#include "check.h"
#include "stone_pairs.h"
#include "trig.h"

// No stone is moved further at once than this share of its radius.
#define MOST_PUSH 0.3

// Sides of the prism in a cylinder that holds its ellipsoids.
#define PRISM_SIDES 96

// -- walls ----------------------------------------------------------------------------------------

// The point of a piece that lies furthest along a direction, m.
static vec3 furthest_point(const StonePiece *piece, vec3 direction)
{
  if (piece->ellipsoid)
    return vec3_axpy(1 / ellipsoid_reach(piece->ellipsoid, direction),
                     ellipsoid_square_mul(piece->ellipsoid, direction), piece->middle);
  assert_debug(piece->count > 0 && "a piece has points");
  int best = 0;
  for (int i = 1; i < piece->count; i++)
    if (vec3_dot(piece->points[i], direction) > vec3_dot(piece->points[best], direction)) best = i;
  return piece->points[best];
}

static bool is_short(const PackedStones *p, int stone, double gap)
{
  return gap < PACKED_STONES_LEAST * packed_stones_margin(p, stone);
}

// Below a plane; false: it was not, and was moved.
static bool settle_plane(PackedStones *p, int stone, vec3 normal, double offset)
{
  const PackedStone *s = &p->stones[stone];
  const double margin = packed_stones_margin(p, stone);
  if (vec3_dot(normal, s->place) + packed_stones_radius(p, stone) + margin <= offset) return true;
  bool settled = true;
  for (int k = 0; k < s->form->piece_count; k++) {
    const StonePiece *piece = &p->pieces[s->first_piece + k];
    const double gap = offset - stone_piece_reach(piece, normal);
    if (!is_short(p, stone, gap)) continue;
    settled = false;
    packed_stones_push(p, stone, vec3_neg(normal), furthest_point(piece, normal), margin - gap);
  }
  return settled;
}

// Inside a prism in the cylinder, whose planes tell of ellipsoids.
static bool settle_prism(PackedStones *p, int stone, double radius)
{
  assert_debug(radius > 0 && "a cylinder has a radius");
  const double inner = radius * trig_cos(TRIG_PI / PRISM_SIDES);
  bool settled = true;
  for (int j = 0; j < PRISM_SIDES; j++) {
    const double angle = 2 * TRIG_PI * j / PRISM_SIDES;
    const vec3 normal = {trig_cos(angle), trig_sin(angle), 0};
    settled = settle_plane(p, stone, normal, inner) && settled;
  }
  return settled;
}

// Inside the mantle of a cylinder about the z axis: so are all points of a hull when its corners
// are.
static bool settle_mantle(PackedStones *p, int stone, double radius)
{
  assert_debug(radius > 0 && "a cylinder has a radius");
  const PackedStone *s = &p->stones[stone];
  const double margin = packed_stones_margin(p, stone);
  const double across = sqrt(s->place.x * s->place.x + s->place.y * s->place.y);
  if (across + packed_stones_radius(p, stone) + margin <= radius) return true;
  if (p->pieces[s->first_piece].ellipsoid) return settle_prism(p, stone, radius);
  bool settled = true;
  for (int k = 0; k < s->form->piece_count; k++) {
    const StonePiece *piece = &p->pieces[s->first_piece + k];
    double most = 0;
    vec3 at = piece->points[0];
    for (int i = 0; i < piece->count; i++) {
      const vec3 q = piece->points[i];
      const double square = q.x * q.x + q.y * q.y;
      if (square > most) most = square, at = q;
    }
    const double far = sqrt(most), gap = radius - far - piece->radius;
    if (!is_short(p, stone, gap) || far == 0) continue;
    settled = false;
    packed_stones_push(p, stone, (vec3){-at.x / far, -at.y / far, 0}, at, margin - gap);
  }
  return settled;
}

// Walls of a box or a cylinder.
static bool settle_walls(PackedStones *p, int stone)
{
  const Room *room = &p->packing->room;
  if (room->kind == ROOM_SURFACE) return true;
  vec3 low, high;
  room_bounds(room, &low, &high);
  bool settled = settle_plane(p, stone, (vec3){0, 0, 1}, high.z);
  settled = settle_plane(p, stone, (vec3){0, 0, -1}, -low.z) && settled;
  if (room->kind == ROOM_CYLINDER) return settle_mantle(p, stone, room->radius) && settled;
  settled = settle_plane(p, stone, (vec3){1, 0, 0}, high.x) && settled;
  settled = settle_plane(p, stone, (vec3){-1, 0, 0}, -low.x) && settled;
  settled = settle_plane(p, stone, (vec3){0, 1, 0}, high.y) && settled;
  return settle_plane(p, stone, (vec3){0, -1, 0}, -low.y) && settled;
}

// -- surfaces -------------------------------------------------------------------------------------

// Six times the volume of a tetrahedron, m3: the negative of the same bits where the ends of the
// edge from a to b change places, so that a line through an edge meets one triangle beside it.
static double volume_of(vec3 from, vec3 to, vec3 a, vec3 b)
{
  const bool swapped = a.x > b.x || (a.x == b.x && (a.y > b.y || (a.y == b.y && a.z > b.z)));
  const vec3 p = vec3_sub(swapped ? b : a, from), q = vec3_sub(swapped ? a : b, from);
  const double volume = vec3_dot(vec3_sub(to, from), vec3_cross(p, q));
  return swapped ? -volume : volume;
}

// Whether the way between two places meets a triangle; a doubt counts as yes.
static bool is_crossed(const StonePiece *triangle, vec3 from, vec3 to)
{
  const vec3 *c = triangle->points;
  const vec3 across = vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0]));
  const double before = vec3_dot(across, vec3_sub(from, c[0]));
  const double after = vec3_dot(across, vec3_sub(to, c[0]));
  if ((before > 0 && after > 0) || (before < 0 && after < 0)) return false;
  const double u = volume_of(from, to, c[0], c[1]), v = volume_of(from, to, c[1], c[2]),
               w = volume_of(from, to, c[2], c[0]);
  return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

// Stones that have left the room through its surface go back to where they were in it.
static void call_back(PackedStones *p)
{
  for (int k = 0; k < p->pair_count; k++) {
    const StonePair *pair = &p->pairs[k];
    if (pair->b < p->count) continue;
    PackedStone *s = &p->stones[pair->a];
    const vec3 middle = p->pieces[s->first_piece].middle;
    const vec3 way = vec3_sub(middle, s->inside);
    if (vec3_dot(way, way) == 0) continue;
    if (!is_crossed(&p->triangles[pair->b - p->count], s->inside, middle)) continue;
    s->place = vec3_sub(s->place, way);
    packed_stones_put(p, pair->a);
  }
  for (int i = 0; i < p->count; i++)
    p->stones[i].inside = p->pieces[p->stones[i].first_piece].middle;
}

// -- pairs ----------------------------------------------------------------------------------------

static bool is_known(vec3 axis) { return axis.x != 0 || axis.y != 0 || axis.z != 0; }

// Whether all pieces of a stone are apart from a triangle, or from the pieces of another stone, by
// the least gap along the axis of their pair.
static bool are_apart(const PackedStones *p, const StonePair *pair, double least)
{
  assert_debug(pair->a < p->count && "a pair has a stone");
  if (!is_known(pair->axis)) return false;
  const bool wall = pair->b >= p->count;
  const PackedStone *s = &p->stones[pair->a], *t = wall ? NULL : &p->stones[pair->b];
  const StonePiece *others = wall ? &p->triangles[pair->b - p->count] : &p->pieces[t->first_piece];
  const int other_count = wall ? 1 : t->form->piece_count;
  const vec3 back = vec3_neg(pair->axis);
  double high = -INFINITY, low = INFINITY;
  for (int k = 0; k < s->form->piece_count; k++)
    high = larger_of(high, stone_piece_reach(&p->pieces[s->first_piece + k], pair->axis));
  for (int k = 0; k < other_count; k++) low = smaller_of(low, -stone_piece_reach(&others[k], back));
  return low - high >= least;
}

// A stone and a triangle.
static bool settle_triangle(PackedStones *p, StonePair *pair)
{
  const int stone = pair->a;
  const StonePiece *triangle = &p->triangles[pair->b - p->count];
  const double margin = packed_stones_margin(p, stone);
  if (are_apart(p, pair, PACKED_STONES_LEAST * margin)) return true;
  bool settled = true;
  const PackedStone *s = &p->stones[stone];
  for (int k = 0; k < s->form->piece_count; k++) {
    // a piece that has come through the surface belongs where the first one is
    const StonePiece *first = &p->pieces[s->first_piece], *piece = first + k;
    const PieceAxis axis = k > 0 && is_crossed(triangle, first->middle, piece->middle)
                               ? stone_piece_axis_beside(piece, triangle, first->middle)
                               : stone_piece_axis(piece, triangle, &p->scratch);
    pair->axis = axis.normal;
    if (!is_short(p, stone, axis.gap)) continue;
    settled = false;
    const double by = smaller_of(margin - axis.gap, MOST_PUSH * packed_stones_radius(p, stone));
    packed_stones_push(p, stone, vec3_neg(axis.normal), axis.nearest[0], by);
  }
  return settled;
}

static bool settle_pair(PackedStones *p, StonePair *pair)
{
  const int a = pair->a, b = pair->b;
  const PackedStone *s = &p->stones[a], *t = &p->stones[b];
  const double margin = smaller_of(packed_stones_margin(p, a), packed_stones_margin(p, b));
  const double radii = packed_stones_radius(p, a) + packed_stones_radius(p, b) + margin;
  const vec3 between = vec3_sub(t->place, s->place);
  if (vec3_dot(between, between) > radii * radii) return true;
  const double least = PACKED_STONES_LEAST * margin;
  if (are_apart(p, pair, least)) return true;
  const double most =
      MOST_PUSH * smaller_of(packed_stones_radius(p, a), packed_stones_radius(p, b));
  bool settled = true;
  for (int i = 0; i < s->form->piece_count; i++)
    for (int j = 0; j < t->form->piece_count; j++) {
      const PieceAxis axis = stone_piece_axis(&p->pieces[s->first_piece + i],
                                              &p->pieces[t->first_piece + j], &p->scratch);
      pair->axis = axis.normal;
      if (axis.gap >= least) continue;
      settled = false;
      packed_stones_part(p, a, b, &axis, smaller_of(margin - axis.gap, most));
    }
  return settled;
}

int settle_sweep(PackedStones *p)
{
  assert(p->count > 0 && "there are stones");
  stone_pairs_refresh(p);
  if (p->triangle_count > 0) {
    call_back(p);
    stone_pairs_refresh(p);
  }
  int found = 0;
  for (int i = 0; i < p->count; i++) found += !settle_walls(p, i);
  for (int k = 0; k < p->pair_count; k++) {
    StonePair *pair = &p->pairs[k];
    found += pair->b < p->count ? !settle_pair(p, pair) : !settle_triangle(p, pair);
  }
  return found;
}
