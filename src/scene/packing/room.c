// Volumes of rooms and places in them.
#include "room.h"

#include <assert.h>

#include "check.h"
#include "random.h"
#include "trig.h"

#define MOST_DRAWS 100000   // for one place

double room_volume(const Room *room)
{
  if (room->kind == ROOM_BOX) return room->size.x * room->size.y * room->size.z;
  if (room->kind == ROOM_CYLINDER) return TRIG_PI * room->radius * room->radius * room->height;
  assert(room->triangle_count > 0 && "a surface has triangles");
  double six = 0;
  const vec3 base = room->points[room->triangles[0][0]];
  for (int t = 0; t < room->triangle_count; t++) {
    const int *corner = room->triangles[t];
    const vec3 a = vec3_sub(room->points[corner[0]], base);
    const vec3 b = vec3_sub(room->points[corner[1]], base);
    const vec3 c = vec3_sub(room->points[corner[2]], base);
    six += vec3_dot(a, vec3_cross(b, c));
  }
  return six / 6;
}

void room_bounds(const Room *room, vec3 *low, vec3 *high)
{
  assert((room->kind != ROOM_SURFACE || room->triangle_count > 0) && "a surface has triangles");
  if (room->kind == ROOM_BOX) {
    *low = (vec3){-0.5 * room->size.x, -0.5 * room->size.y, 0};
    *high = (vec3){0.5 * room->size.x, 0.5 * room->size.y, room->size.z};
    return;
  }
  if (room->kind == ROOM_CYLINDER) {
    *low = (vec3){-room->radius, -room->radius, 0};
    *high = (vec3){room->radius, room->radius, room->height};
    return;
  }
  *low = *high = room->points[room->triangles[0][0]];
  for (int t = 0; t < room->triangle_count; t++)
    for (int k = 0; k < 3; k++) {
      *low = vec3_min(*low, room->points[room->triangles[t][k]]);
      *high = vec3_max(*high, room->points[room->triangles[t][k]]);
    }
}

// Twice the area of a triangle seen from above, m2, positive counter-clockwise: the negative of the
// same bits when a and b change places.
static double area_of(vec3 a, vec3 b, vec3 p)
{
  if (a.x > b.x || (a.x == b.x && a.y > b.y)) return -area_of(b, a, p);
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

// Whether a place lies to the left of the line from a to b, seen from above. One on the line is
// taken for one that is moved by next to nothing along x and by far less along y, so that a line
// upward meets no edge.
static bool is_left(vec3 a, vec3 b, vec3 p)
{
  const double area = area_of(a, b, p);
  if (area != 0) return area > 0;
  return b.y != a.y ? b.y < a.y : b.x > a.x;
}

// Upward crossings of the surface by a line upward from a place less downward ones.
static int count_crossings(const Room *room, vec3 place)
{
  assert_debug(room->kind == ROOM_SURFACE && "a surface is crossed");
  int crossings = 0;
  for (int t = 0; t < room->triangle_count; t++) {
    const int *corner = room->triangles[t];
    const vec3 a = room->points[corner[0]], b = room->points[corner[1]],
               c = room->points[corner[2]];
    if (place.z > a.z && place.z > b.z && place.z > c.z) continue;
    const bool left = is_left(a, b, place);
    if (is_left(b, c, place) != left || is_left(c, a, place) != left) continue;
    const double u = area_of(b, c, place), v = area_of(c, a, place), w = area_of(a, b, place);
    const double z = (u * a.z + v * b.z + w * c.z) / (u + v + w);
    if (z > place.z) crossings += left ? 1 : -1;
  }
  return crossings;
}

bool room_holds(const Room *room, vec3 place)
{
  if (room->kind == ROOM_SURFACE) return count_crossings(room, place) > 0;
  vec3 low, high;
  room_bounds(room, &low, &high);
  if (place.x < low.x || place.y < low.y || place.z < low.z || place.x > high.x ||
      place.y > high.y || place.z > high.z)
    return false;
  return room->kind == ROOM_BOX ||
         place.x * place.x + place.y * place.y <= room->radius * room->radius;
}

vec3 room_place(const Room *room, uint64_t stream, uint64_t index)
{
  assert(room_volume(room) > 0 && "a room has a volume");
  vec3 low, high, place;
  room_bounds(room, &low, &high);
  const vec3 side = vec3_sub(high, low);
  const uint64_t own = random_stream(stream, index);
  uint64_t draw = 0;
  do {
    place = (vec3){low.x + side.x * random_uniform(own, 3 * draw),
                   low.y + side.y * random_uniform(own, 3 * draw + 1),
                   low.z + side.z * random_uniform(own, 3 * draw + 2)};
    draw++;
  } while (!room_holds(room, place) && draw < MOST_DRAWS);
  return place;
}
