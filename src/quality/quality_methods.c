// Shows bodies of tetrahedra to the eight local methods, pair by pair.
#include "quality_methods.h"

#include <assert.h>

#include "box.h"
#include "trig.h"

#define ERODED_SCALE 0.99     // of bodies that the program scales
#define REACH_TOUCHING 1e-4   // m: more than rounding in single precision
#define REACH_NEAR (1.5 * METHODS_ENVELOPE)

// -- bodies ---------------------------------------------------------------------------------------

// The angle between two directions, from its sine and cosine; a step leaves a sixth of the cube.
static double angle_between(vec3 a, vec3 b)
{
  const double sine = vec3_norm(vec3_cross(a, b)), cosine = vec3_dot(a, b);
  const double length = sqrt(sine * sine + cosine * cosine);
  assert(length > 0 && "an angle is between directions");
  double angle = 0.5 * TRIG_PI;
  for (int step = 0; step < 5; step++)
    angle += (sine * trig_cos(angle) - cosine * trig_sin(angle)) / length;
  return angle;
}

// Surface points moved inwards along their normals, each the mean of its faces' normals weighted by
// their angles there.
static vec3 *points_moved_inwards(const QualityFilling *filling, const bool (*on_surface)[4],
                                  Arena *arena)
{
  static const int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  const size_t count = (size_t)filling->point_count;
  vec3 *normals = arena_allocate_zero(arena, count, sizeof *normals);
  for (int i = 0; i < 4 * filling->tetra_count; i++) {
    if (!on_surface[i / 4][i % 4]) continue;
    const int *corner = filling->tetra[i / 4], *face = faces[i % 4];
    for (int k = 0; k < 3; k++) {
      const int own = corner[face[k]];
      const vec3 next = vec3_sub(filling->points[corner[face[(k + 1) % 3]]], filling->points[own]);
      const vec3 last = vec3_sub(filling->points[corner[face[(k + 2) % 3]]], filling->points[own]);
      const vec3 across = vec3_cross(next, last);
      normals[own] = vec3_axpy(angle_between(next, last) / vec3_norm(across), across, normals[own]);
    }
  }
  vec3 *moved = arena_allocate(arena, count * sizeof *moved);
  for (int i = 0; i < filling->point_count; i++) {
    const double length = vec3_norm(normals[i]);
    moved[i] = filling->points[i];
    if (length > 0) moved[i] = vec3_axpy(-METHODS_EROSION / length, normals[i], moved[i]);
  }
  return moved;
}

static const vec3 *eroded_points(const QualitySolid *solid, const QualityFilling *filling,
                                 const bool (*on_surface)[4], MethodErosion erosion, Arena *arena)
{
  assert(erosion < EROSION_COUNT && "an erosion that there is");
  if (erosion == EROSION_NONE) return filling->points;
  if (erosion == EROSION_TEXT || !solid->shrinks_by_scale)
    return points_moved_inwards(filling, on_surface, arena);
  const vec3 center = quality_solid_center(solid);
  vec3 *scaled = arena_allocate(arena, (size_t)filling->point_count * sizeof *scaled);
  for (int i = 0; i < filling->point_count; i++) {
    const vec3 arm = vec3_sub(filling->points[i], center);
    scaled[i] = vec3_axpy(ERODED_SCALE, arm, center);
  }
  return scaled;
}

static MethodBody make_body(const ShownScene *shown, const QualityFilling *fillings, int index,
                            Arena *arena)
{
  const QualityBody *own = &shown->scene->bodies[index];
  const QualityFilling *filling = &fillings[own->solid];
  assert(filling->tetra_count > 0 && "a body has its filling");
  MethodBody body = {.point_count = filling->point_count,
                     .tetra_count = filling->tetra_count,
                     .tetra = filling->tetra};
  body.on_surface = (const bool(*)[4])quality_setup_surface_faces(filling, arena);
  for (int erosion = 0; erosion < EROSION_COUNT; erosion++) {
    const vec3 *points = eroded_points(&shown->scenes->solids[own->solid], filling, body.on_surface,
                                       (MethodErosion)erosion, arena);
    vec3 *places = arena_allocate(arena, (size_t)body.point_count * sizeof *places);
    for (int i = 0; i < body.point_count; i++) {
      places[i] = quality_setup_place(shown->scenes, shown->scene, shown->setup, index,
                                      vec3_add(own->at, points[i]));
    }
    body.places[erosion] = places;
  }
  return body;
}

// -- tetrahedra that may touch
// ----------------------------------------------------------------------

static Box tetra_box(const MethodBody *body, int tetra, double reach)
{
  assert(tetra >= 0 && tetra < body->tetra_count && "a tetrahedron has a number");
  const vec3 *places = body->places[EROSION_NONE];
  Box box = {places[body->tetra[tetra][0]], places[body->tetra[tetra][0]]};
  for (int k = 1; k < 4; k++) {
    box.low = vec3_min(box.low, places[body->tetra[tetra][k]]);
    box.high = vec3_max(box.high, places[body->tetra[tetra][k]]);
  }
  const vec3 more = {0.5 * reach, 0.5 * reach, 0.5 * reach};
  return (Box){vec3_sub(box.low, more), vec3_add(box.high, more)};
}

// Boxes of all tetrahedra of a body, and around them.
typedef struct {
  Box *boxes;
  Box all;
} BodyBoxes;

static BodyBoxes body_boxes(const MethodBody *body, double reach, Arena *arena)
{
  assert(body->tetra_count > 0 && "a body has tetrahedra");
  BodyBoxes result = {.boxes =
                          arena_allocate(arena, (size_t)body->tetra_count * sizeof *result.boxes)};
  for (int t = 0; t < body->tetra_count; t++) {
    const Box box = result.boxes[t] = tetra_box(body, t, reach);
    if (t == 0) result.all = box;
    result.all.low = vec3_min(result.all.low, box.low);
    result.all.high = vec3_max(result.all.high, box.high);
  }
  return result;
}

static MethodCandidates candidates_of(const MethodBody pair[2], const BodyBoxes boxes[2],
                                      Arena *arena)
{
  MethodCandidates candidates = {.count = 0};
  if (!box_overlaps(boxes[0].all, boxes[1].all)) return candidates;
  int capacity = 0;
  for (int i = 0; i < pair[0].tetra_count; i++) {
    if (!box_overlaps(boxes[0].boxes[i], boxes[1].all)) continue;
    for (int j = 0; j < pair[1].tetra_count; j++) {
      if (!box_overlaps(boxes[0].boxes[i], boxes[1].boxes[j])) continue;
      candidates.tetra = arena_grow(arena, candidates.tetra, candidates.count + 1, &capacity,
                                    sizeof *candidates.tetra);
      candidates.tetra[candidates.count][0] = i;
      candidates.tetra[candidates.count++][1] = j;
    }
  }
  return candidates;
}

static const MethodCandidates *all_candidates(const MethodBody *bodies, int count, double reach,
                                              Arena *arena)
{
  assert(count > 0 && reach > 0 && "bodies are apart by less than a reach");
  const size_t pairs = (size_t)count * (size_t)count;
  MethodCandidates *all = arena_allocate_zero(arena, pairs, sizeof *all);
  BodyBoxes *boxes = arena_allocate(arena, (size_t)count * sizeof *boxes);
  for (int i = 0; i < count; i++) boxes[i] = body_boxes(&bodies[i], reach, arena);
  for (int low = 0; low < count; low++) {
    for (int high = low + 1; high < count; high++) {
      all[low * count + high] = candidates_of((MethodBody[2]){bodies[low], bodies[high]},
                                              (BodyBoxes[2]){boxes[low], boxes[high]}, arena);
    }
  }
  return all;
}

MethodBodies quality_methods_bodies(const ShownScene *shown, const QualityFilling *fillings,
                                    Arena *arena)
{
  assert(fillings != NULL && !shown->setup->turned && "bodies are cut and not yet turned");
  const int count = shown->scene->body_count;
  MethodBody *bodies = arena_allocate(arena, (size_t)count * sizeof *bodies);
  for (int i = 0; i < count; i++) bodies[i] = make_body(shown, fillings, i, arena);
  return (MethodBodies){.body_count = count,
                        .bodies = bodies,
                        .touching = all_candidates(bodies, count, REACH_TOUCHING, arena),
                        .near = all_candidates(bodies, count, REACH_NEAR, arena)};
}

// -- points
// -----------------------------------------------------------------------------------------

static MethodTetra tetra_in_world(const MethodFinder *finder, int body, int tetra)
{
  const MethodBody *own = &finder->bodies->bodies[body];
  assert(tetra >= 0 && tetra < own->tetra_count && "a tetrahedron has a number");
  MethodTetra result;
  for (int k = 0; k < 4; k++) {
    result.corners[k] = finder->world[body][own->tetra[tetra][k]];
    result.on_surface[k] = own->on_surface[tetra][k];
  }
  return result;
}

static QualityPoints find_by_method(const QualityFinder *finder, int low, int high, Arena *arena)
{
  const MethodFinder *own = (const MethodFinder *)finder;
  const MethodBodies *bodies = own->bodies;
  assert(low >= 0 && low < high && high < bodies->body_count && "bodies are numbered upwards");
  const MethodCandidates *candidates =
      (own->rule.method == METHOD_CLOSEST ? bodies->near : bodies->touching) +
      low * bodies->body_count + high;
  QualityPoints points = {.count = 0};
  MethodContact *contacts = NULL;
  int capacity = 0, count = 0;
  for (int i = 0; i < candidates->count; i++) {
    const MethodTetra a = tetra_in_world(own, low, candidates->tetra[i][0]);
    const MethodTetra b = tetra_in_world(own, high, candidates->tetra[i][1]);
    MethodContacts found;
    methods_find(&own->rule, &a, &b, &found);
    contacts = arena_grow(arena, contacts, count + found.count, &capacity, sizeof *contacts);
    for (int k = 0; k < found.count; k++) contacts[count++] = found.list[k];
  }
  points.count = methods_leave_distinct(contacts, count, methods_rounding(own->rule.single));
  points.points = arena_allocate(arena, (size_t)points.count * sizeof *points.points);
  for (int i = 0; i < points.count; i++) {
    const MethodContact *c = &contacts[i];
    points.points[i] = (QualityPoint){c->place, c->normal, c->depth, 0};
  }
  return points;
}

MethodFinder quality_methods_finder(const MethodBodies *bodies, const QualitySetup *setup,
                                    const MethodRule *rule, Arena *arena)
{
  assert(!(setup->distance > 0) && "the methods look at scenes about the origin");
  const mat3 turn = quality_setup_turn(setup);
  MethodErosion erosion = EROSION_NONE;
  if (rule->method == METHOD_CLOSEST)
    erosion = rule->wording == WORDING_TEXT ? EROSION_TEXT : EROSION_PROGRAM;
  const vec3 **world = arena_allocate(arena, (size_t)bodies->body_count * sizeof *world);
  for (int i = 0; i < bodies->body_count; i++) {
    const MethodBody *body = &bodies->bodies[i];
    vec3 *places = arena_allocate(arena, (size_t)body->point_count * sizeof *places);
    for (int k = 0; k < body->point_count; k++)
      places[k] = mat3_mul(turn, body->places[erosion][k]);
    world[i] = places;
  }
  return (MethodFinder){{find_by_method}, *rule, bodies, world};
}
