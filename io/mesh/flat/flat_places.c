// Moves points into the planes of their faces, those of joints first.
#include "flat_places.h"

#include <assert.h>
#include <string.h>

#include "flat_joints.h"
#include "flatten.h"

#define FLAT_ROUNDING 1e-14       // of the extent: a point this near its place stays where it is
#define NUMBER_ROUNDING 0x1p-50   // of the farthest coordinate: the same

enum { MOST_PLANES = 3 };   // that fix a place

// Planes that meet in a point: at most three are listed, more are counted.
typedef struct {
  int count, shared_count;
  int planes[MOST_PLANES];   // joints
  int shared[MOST_PLANES];   // those of them that bodies share
} Meeting;

typedef struct {
  const FlatFaces *all;
  FlatJoints joints;
  int *first_point;    // [body_count + 1]
  Meeting *meetings;   // [points]
  vec3 *pins;          // [points] where more than three planes meet
  bool *bent;          // [joints] no plane goes through all pins
  FlatPlaces result;
} Placing;

static void add_plane(int *planes, int *count, int plane)
{
  for (int i = 0; i < *count && i < MOST_PLANES; i++)
    if (planes[i] == plane) return;
  if (*count < MOST_PLANES) planes[*count] = plane;
  if (*count <= MOST_PLANES) ++*count;
}

static void find_meetings(Placing *p)
{
  const FlatFaces *all = p->all;
  for (int f = 0; f < all->count; f++) {
    const FlatFace *face = &all->faces[f];
    const int joint = p->joints.joint[f];
    for (int k = 0; k < face->corner_count; k++) {
      Meeting *m = &p->meetings[p->first_point[face->body] + all->corners[face->first_corner + k]];
      add_plane(m->planes, &m->count, joint);
      if (p->joints.shared[joint]) add_plane(m->shared, &m->shared_count, joint);
    }
  }
}

// The nearest place to x in planes.
static bool place_in(const Placing *p, const int *planes, int count, vec3 x, vec3 *place)
{
  Plane about[MOST_PLANES];
  vec3 way;
  for (int i = 0; i < count; i++) {
    const FlatPlane plane = p->joints.plane[planes[i]];
    about[i] = (Plane){plane.normal, -flat_faces_height(plane, x)};
  }
  if (!flatten_place(about, count, (vec3){0, 0, 0}, &way)) return false;
  *place = vec3_add(x, way);
  return true;
}

static void find_pins(Placing *p)
{
  const FlatFaces *all = p->all;
  for (int b = 0; b < all->body_count; b++)
    for (int i = 0; i < all->bodies[b].point_count; i++) {
      const int point = p->first_point[b] + i;
      const Meeting *m = &p->meetings[point];
      p->pins[point] = all->bodies[b].points[i];
      if (m->count <= MOST_PLANES || m->shared_count == 0) continue;
      if (m->shared_count > MOST_PLANES ||
          !place_in(p, m->shared, m->shared_count, p->pins[point], &p->pins[point]))
        p->result.crowded++;
    }
}

// Turns a face that nobody shares until it goes through its pins.
static bool turn_face(Placing *p, const FlatFace *face, int joint, vec3 *points)
{
  const FlatFaces *all = p->all;
  vec3 pins[MOST_PLANES];
  int pin_count = 0, count = 0;
  for (int k = 0; k < face->corner_count; k++) {
    const int point = p->first_point[face->body] + all->corners[face->first_corner + k];
    points[count++] = flat_faces_corner(all, face, k);
    if (p->meetings[point].count <= MOST_PLANES) continue;
    if (pin_count == MOST_PLANES) return false;
    pins[pin_count++] = p->pins[point];
  }
  if (pin_count == 0) return true;
  FlatPlane plane;
  const FlatPoints to = {count, points, pin_count, pins};
  if (!flat_joints_fit(p->joints.plane[joint], to, &plane)) return false;
  const FlatBody *body = &all->bodies[face->body];
  const double most = 2 * fmax(body->reach, body->overlap);
  for (int i = 0; i < count; i++)
    if (!(fabs(flat_faces_height(plane, points[i])) <= most)) return false;
  p->joints.plane[joint] = plane;
  return true;
}

static void turn_faces(Placing *p, Arena *scratch)
{
  const FlatFaces *all = p->all;
  int most = 1;
  for (int f = 0; f < all->count; f++)
    if (all->faces[f].corner_count > most) most = all->faces[f].corner_count;
  vec3 *points = arena_allocate(scratch, (size_t)most * sizeof *points);
  for (int f = 0; f < all->count; f++) {
    const int joint = p->joints.joint[f];
    if (p->joints.shared[joint]) continue;
    p->bent[joint] = !turn_face(p, &all->faces[f], joint, points);
    p->result.bent += p->bent[joint];
  }
}

// The place of a point in those of its planes that are flat.
static vec3 find_place(const Placing *p, int point, vec3 x)
{
  const Meeting *m = &p->meetings[point];
  if (m->count > MOST_PLANES) return p->pins[point];
  int flat[MOST_PLANES], count = 0;
  for (int i = 0; i < m->count; i++)
    if (!p->bent[m->planes[i]]) flat[count++] = m->planes[i];
  vec3 place = x;
  if (count > 0) (void)place_in(p, flat, count, x, &place);
  return place;
}

// How far a point may go: only joints are closed by more than the digits of the file.
static double farthest_way(const Placing *p, const FlatBody *body, int point)
{
  const bool joint = p->meetings[point].shared_count > 0;
  return 2 * (joint ? fmax(body->reach, body->overlap) : body->reach);
}

static void move_body(Placing *p, int number, Arena *arena)
{
  const FlatBody *body = &p->all->bodies[number];
  FlatMove *move = &p->result.moves[number];
  const size_t bytes = (size_t)body->point_count * sizeof *move->points;
  move->points = arena_allocate(arena, bytes);
  double farthest = 0;
  for (int i = 0; i < body->point_count; i++) {
    const vec3 x = body->points[i];
    farthest = fmax(farthest, fmax(fabs(x.x), fmax(fabs(x.y), fabs(x.z))));
  }
  const double stay = FLAT_ROUNDING * body->extent + NUMBER_ROUNDING * farthest;
  bool sound = true;
  for (int i = 0; i < body->point_count; i++) {
    const vec3 x = body->points[i], place = find_place(p, p->first_point[number] + i, x);
    const double way = vec3_norm(vec3_sub(place, x));
    sound = sound && way <= farthest_way(p, body, p->first_point[number] + i);
    move->points[i] = way > stay ? place : x;
    move->moved += way > stay;
    move->farthest = fmax(move->farthest, way > stay ? way : 0);
  }
  if (sound) return;
  memcpy(move->points, body->points, bytes);
  move->moved = 0;
  move->farthest = 0;
}

FlatPlaces flat_places_find(const FlatBody *bodies, int count, Arena *arena)
{
  assert(count >= 0 && "bodies are counted");
  FlatMove *moves = arena_allocate_zero(arena, (size_t)count, sizeof *moves);
  Arena scratch = arena_new();
  const FlatFaces all = flat_faces_find(bodies, count, &scratch);
  Placing p = {.all = &all, .joints = flat_joints_find(&all, &scratch)};
  p.result = (FlatPlaces){.moves = moves,
                          .joints = p.joints.shared_count,
                          .widest = p.joints.widest,
                          .deepest = p.joints.deepest};
  p.first_point = arena_allocate(&scratch, ((size_t)count + 1) * sizeof *p.first_point);
  p.first_point[0] = 0;
  for (int b = 0; b < count; b++) p.first_point[b + 1] = p.first_point[b] + bodies[b].point_count;
  const size_t points = (size_t)p.first_point[count];
  p.meetings = arena_allocate_zero(&scratch, points, sizeof *p.meetings);
  p.pins = arena_allocate(&scratch, points * sizeof *p.pins);
  p.bent = arena_allocate_zero(&scratch, (size_t)p.joints.count, sizeof *p.bent);
  find_meetings(&p);
  find_pins(&p);
  turn_faces(&p, &scratch);
  for (int b = 0; b < count; b++) move_body(&p, b, arena);
  arena_destroy(&scratch);
  return p.result;
}
