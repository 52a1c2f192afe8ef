// Places a scene before a contact model: whole or cut, grown, tilted, pushed, turned.
#include "quality_setup.h"

#include <assert.h>
#include <stdlib.h>

#include "contact_settings.h"
#include "random.h"
#include "shape.h"
#include "trig.h"

// streams of random numbers of one seed
enum { STREAM_TURN, STREAM_MOVE, STREAM_TILT, STREAM_SHOVE };

static uint64_t stream_of(const QualitySetup *setup, int purpose)
{
  return random_stream(random_stream(0x65726c6562656eU, setup->seed), (uint64_t)purpose);
}

static mat3 rotation_about(vec3 axis, double angle)
{
  const double c = trig_cos(0.5 * angle), s = trig_sin(0.5 * angle);
  return quat_to_mat3(quat_normalize((quat){c, s * axis.x, s * axis.y, s * axis.z}));
}

mat3 quality_setup_turn(const QualitySetup *setup)
{
  if (!setup->turned) return mat3_diagonal(1, 1, 1);
  const uint64_t stream = stream_of(setup, STREAM_TURN);
  return quat_to_mat3(random_rotation(random_uniform(stream, 0), random_uniform(stream, 1),
                                      random_uniform(stream, 2)));
}

static vec3 move_of_setup(const QualitySetup *setup)
{
  const uint64_t stream = stream_of(setup, STREAM_MOVE);
  return vec3_scale(setup->distance,
                    random_direction(random_uniform(stream, 0), random_uniform(stream, 1)));
}

static mat3 body_tilt(const QualitySetup *setup, int body)
{
  assert(body >= 0 && "a body has a number");
  const uint64_t stream = random_stream(stream_of(setup, STREAM_TILT), (uint64_t)body);
  return rotation_about(random_direction(random_uniform(stream, 0), random_uniform(stream, 1)),
                        setup->tilt);
}

// Pushed aside, then on its way for some time.
static vec3 body_displacement(const QualitySetup *setup, const QualityBody *body, int index)
{
  if (body->fixed) return vec3_new(0, 0, 0);
  const uint64_t stream = random_stream(stream_of(setup, STREAM_SHOVE), (uint64_t)index);
  const vec3 shove = {setup->shove_x ? 2 * random_uniform(stream, 0) - 1 : 0, 0,
                      setup->shove_z ? 2 * random_uniform(stream, 1) - 1 : 0};
  const vec3 velocity = vec3_add(body->velocity, vec3_new(0, -SETUP_GRAVITY * setup->fall, 0));
  return vec3_axpy(setup->shove, shove, vec3_scale(setup->fall, velocity));
}

vec3 quality_setup_place(const QualityScenes *scenes, const QualityScene *scene,
                         const QualitySetup *setup, int body, vec3 point)
{
  assert(body >= 0 && body < scene->body_count && "a body has a number");
  const QualityBody *b = &scene->bodies[body];
  if (b->fixed) return point;
  const vec3 center = vec3_add(b->at, quality_solid_center(&scenes->solids[b->solid]));
  vec3 arm = vec3_sub(point, center), at = point;
  if (setup->tilt > 0) {
    arm = mat3_mul(body_tilt(setup, body), arm);
    at = vec3_add(center, arm);
  }
  const vec3 grown = vec3_axpy(setup->growth, arm, at);
  return vec3_add(grown, body_displacement(setup, b, body));
}

// -- shapes ---------------------------------------------------------------------------------------

static PartRecipe copy_points(const vec3 *points, int count, const int *chosen, vec3 center,
                              double growth, Arena *arena)
{
  assert(count > 0 && points != NULL && "a part has points");
  PartRecipe part = {.count = count, .points = arena_allocate(arena, (size_t)count * sizeof(vec3))};
  for (int i = 0; i < count; i++) {
    const vec3 point = points[chosen ? chosen[i] : i];
    part.points[i] = vec3_axpy(growth, vec3_sub(point, center), point);
  }
  return part;
}

static ShapeRecipe whole_recipe(const QualitySolid *solid, double growth, Arena *arena)
{
  const vec3 center = quality_solid_center(solid);
  const int count = solid->part_count > 0 ? solid->part_count : 1;
  ShapeRecipe recipe = {.part_count = count,
                        .parts = arena_allocate(arena, (size_t)count * sizeof(PartRecipe))};
  for (int p = 0; p < count; p++) {
    const bool single = solid->part_count == 0;
    recipe.parts[p] = copy_points(solid->points, single ? solid->point_count : solid->part_size[p],
                                  single ? NULL : solid->part_points[p], center, growth, arena);
  }
  return recipe;
}

// A face of a tetrahedron: its corners in ascending order, and where it is.
typedef struct {
  int key[3];
  int tetra, opposite;
} TetraSide;

static int compare_sides(const void *p, const void *q)
{
  const TetraSide *a = p, *b = q;
  for (int k = 0; k < 3; k++) {
    if (a->key[k] != b->key[k]) return a->key[k] < b->key[k] ? -1 : 1;
  }
  return (a->tetra > b->tetra) - (a->tetra < b->tetra);
}

static void swap_if_above(int *low, int *high)
{
  const int held = *low;
  if (held <= *high) return;
  *low = *high;
  *high = held;
}

static TetraSide *list_sides(const QualityFilling *filling, Arena *arena)
{
  assert(filling->tetra_count > 0 && "a filling has tetrahedra");
  const int count = 4 * filling->tetra_count;
  TetraSide *sides = arena_allocate(arena, (size_t)count * sizeof *sides);
  for (int i = 0; i < count; i++) {
    TetraSide *side = &sides[i];
    *side = (TetraSide){.tetra = i / 4, .opposite = i % 4};
    for (int k = 0, n = 0; k < 4; k++) {
      if (k != side->opposite) side->key[n++] = filling->tetra[side->tetra][k];
    }
    swap_if_above(&side->key[0], &side->key[1]);
    swap_if_above(&side->key[1], &side->key[2]);
    swap_if_above(&side->key[0], &side->key[1]);
  }
  qsort(sides, (size_t)count, sizeof *sides, compare_sides);
  return sides;
}

static bool same_face(const TetraSide *a, const TetraSide *b)
{
  return a->key[0] == b->key[0] && a->key[1] == b->key[1] && a->key[2] == b->key[2];
}

bool (*quality_setup_surface_faces(const QualityFilling *filling, Arena *arena))[4]
{
  assert(filling->tetra_count > 0 && "a filling has tetrahedra");
  bool(*on_surface)[4] =
      arena_allocate_zero(arena, (size_t)filling->tetra_count, sizeof *on_surface);
  const TetraSide *sides = list_sides(filling, arena);
  const int count = 4 * filling->tetra_count;
  for (int i = 0; i < count; i++) {
    const bool shared = (i > 0 && same_face(&sides[i], &sides[i - 1])) ||
                        (i + 1 < count && same_face(&sides[i], &sides[i + 1]));
    if (!shared) on_surface[sides[i].tetra][sides[i].opposite] = true;
  }
  return on_surface;
}

// Every tetrahedron is a part; what no other one shares is surface.
static ShapeRecipe cut_recipe(const QualitySolid *solid, const QualityFilling *filling,
                              double growth, Arena *arena)
{
  // faces opposite each corner, counter-clockwise seen from outside of a positive tetrahedron
  static const int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  const vec3 center = quality_solid_center(solid);
  const int count = filling->tetra_count;
  ShapeRecipe recipe = {.part_count = count,
                        .parts = arena_allocate(arena, (size_t)count * sizeof(PartRecipe)),
                        .surface_known = true};
  for (int t = 0; t < count; t++) {
    recipe.parts[t] = copy_points(filling->points, 4, filling->tetra[t], center, growth, arena);
    recipe.parts[t].triangles = arena_allocate(arena, 4 * sizeof *recipe.parts[t].triangles);
  }
  const bool(*on_surface)[4] = (const bool(*)[4])quality_setup_surface_faces(filling, arena);
  for (int i = 0; i < 4 * count; i++) {
    if (!on_surface[i / 4][i % 4]) continue;
    PartRecipe *part = &recipe.parts[i / 4];
    for (int k = 0; k < 3; k++) part->triangles[part->triangle_count][k] = faces[i % 4][k];
    part->triangle_count++;
  }
  return recipe;
}

static const Shape *build_shape(const QualitySolid *solid, const QualitySetup *setup, double growth,
                                const QualityFilling *filling, Arena *arena)
{
  assert(setup->cut < CUT_COUNT && (setup->cut == CUT_NONE || filling != NULL) &&
         "a cut solid has its filling");
  const ShapeRecipe recipe = setup->cut == CUT_NONE ? whole_recipe(solid, growth, arena)
                                                    : cut_recipe(solid, filling, growth, arena);
  Shape *shape = arena_allocate(arena, sizeof *shape);
  const ShapeResult result = shape_build(&recipe, arena, shape);
  assert(result.status == SHAPE_OK && "solids of the scenes are sound");
  (void)result;
  return shape;
}

// -- bodies ---------------------------------------------------------------------------------------

PosedBody *quality_setup_bodies(const QualityScenes *scenes, const QualityScene *scene,
                                const QualitySetup *setup, const QualityFilling *fillings,
                                Arena *arena)
{
  assert(!(setup->step < 0) && (setup->cut == CUT_NONE || fillings != NULL) &&
         "cut solids have their fillings");
  const mat3 turn = quality_setup_turn(setup);
  const vec3 move = move_of_setup(setup);
  const vec3 fallen = {0, -SETUP_GRAVITY * (setup->fall + setup->step), 0};
  const Shape **shapes[2];   // of fixed bodies and of others, made when first needed
  for (int i = 0; i < 2; i++) {
    shapes[i] = arena_allocate_zero(arena, (size_t)scenes->solid_count, sizeof **shapes);
  }
  PosedBody *posed = arena_allocate(arena, (size_t)scene->body_count * sizeof *posed);
  for (int i = 0; i < scene->body_count; i++) {
    const QualityBody *body = &scene->bodies[i];
    const Shape **shape = &shapes[!body->fixed][body->solid];
    if (!*shape) {
      *shape = build_shape(&scenes->solids[body->solid], setup, body->fixed ? 0 : setup->growth,
                           fillings ? &fillings[body->solid] : NULL, arena);
    }
    const bool tilted = setup->tilt > 0 && !body->fixed;
    const mat3 rotation = tilted ? mat3_mul_mat(turn, body_tilt(setup, i)) : turn;
    const vec3 center =
        vec3_add(vec3_add(body->at, (*shape)->center), body_displacement(setup, body, i));
    Polyhedron *parts = arena_allocate(arena, (size_t)(*shape)->part_count * sizeof *parts);
    for (int p = 0; p < (*shape)->part_count; p++) {
      parts[p] = polyhedron_place(&(*shape)->parts[p].hull, rotation, vec3_new(0, 0, 0), arena);
    }
    posed[i] = (PosedBody){.shape = *shape,
                           .parts = parts,
                           .rotation = rotation,
                           .center = vec3_add(move, mat3_mul(turn, center))};
    if (!body->fixed) posed[i].velocity = mat3_mul(turn, vec3_add(body->velocity, fallen));
  }
  return posed;
}

void quality_setup_surfaces(PosedBody *bodies, int count, Arena *arena)
{
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < i && !bodies[i].surface; j++) {
      if (bodies[j].shape == bodies[i].shape) bodies[i].surface = bodies[j].surface;
    }
    if (bodies[i].surface) continue;
    SurfaceBase *surface = arena_allocate(arena, sizeof *surface);
    const SurfacePieces pieces = surface_pieces_of_shape(bodies[i].shape, arena);
    const double dilation = CONTACT_DILATION * bodies[i].shape->extent;
    const SurfaceBaseResult result = surface_base_build(&pieces, dilation, arena, surface);
    assert(result.status == SURFACE_BASE_OK && "bodies of the suite bear the usual dilation");
    (void)result;
    bodies[i].surface = surface;
  }
}
