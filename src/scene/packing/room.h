#pragma once
// Rooms that stones are packed into: a box, a cylinder, or what a closed surface holds.
#include <stdbool.h>
#include <stdint.h>

#include "vec3.h"

typedef enum { ROOM_BOX, ROOM_CYLINDER, ROOM_SURFACE } RoomKind;

// Boxes and cylinders stand in the middle of the x-y plane, as the rooms of containers do.
typedef struct {
  RoomKind kind;
  vec3 size;                   // of a box, m
  double radius, height;       // of a cylinder, m
  int triangle_count;          // of a closed surface
  const vec3 *points;          // m
  const int (*triangles)[3];   // counter-clockwise seen from outside
} Room;

// Local. m3.
double room_volume(const Room *room);

// Local. The box around it.
void room_bounds(const Room *room, vec3 *low, vec3 *high);

// Local. Whether it holds a place; near a surface rounding decides.
bool room_holds(const Room *room, vec3 place);

// Local. A place in the room, uniform over its volume: number index of a stream.
vec3 room_place(const Room *room, uint64_t stream, uint64_t index);
