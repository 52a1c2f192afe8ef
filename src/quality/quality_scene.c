// Builds Erleben's scenes with the contacts that are right in them.
#include "quality_scene.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SOLIDS 48
#define MAX_BODIES 84
#define MAX_INTERFACES 216

#define BRICK_LAYERS 10
#define BRICK_SPAN 8

static const vec3 origin = {0, 0, 0}, brick_half = {0.3125, 0.2, 0.25};

static int add_solid(QualityScenes *scenes, QualitySolid solid)
{
  assert(scenes->solid_count < MAX_SOLIDS && "room for the solids of all scenes");
  scenes->solids[scenes->solid_count] = solid;
  return scenes->solid_count++;
}

static int add_body(QualityScene *scene, int solid, vec3 at, bool fixed, vec3 velocity)
{
  assert(solid >= 0 && "a body has a solid");
  assert(scene->body_count < MAX_BODIES && "room for the bodies of a scene");
  scene->bodies[scene->body_count] =
      (QualityBody){.solid = solid, .at = at, .fixed = fixed, .velocity = velocity};
  return scene->body_count++;
}

static QualityInterface *add_interface(QualityScene *scene, int low, int high, vec3 normal,
                                       int least_points)
{
  assert(low >= 0 && high < scene->body_count && "bodies that the scene has");
  assert(scene->interface_count < MAX_INTERFACES && "room for the contacts of a scene");
  assert(low < high && "bodies are numbered upwards");
  QualityInterface *contact = &scene->interfaces[scene->interface_count++];
  *contact =
      (QualityInterface){.low = low, .high = high, .normal_count = 1, .least_points = least_points};
  contact->normals[0] = normal;
  return contact;
}

static QualityScene *begin_scene(QualityScenes *scenes, int index, const char *name, Arena *arena)
{
  assert(index >= 0 && index < SCENE_COUNT && "a scene has a number");
  QualityScene *scene = &scenes->scenes[index];
  *scene = (QualityScene){
      .name = name,
      .bodies = arena_allocate_zero(arena, MAX_BODIES, sizeof *scene->bodies),
      .interfaces = arena_allocate_zero(arena, MAX_INTERFACES, sizeof *scene->interfaces)};
  return scene;
}

// The corners of a face of a box, of the faces of bodies that look along +axis or against it.
static void set_box_face(QualityInterface *contact, int side, vec3 middle, vec3 half, int axis,
                         int sign)
{
  assert(side >= 0 && side < 2 && axis >= 0 && axis < 3 && "a contact has two faces");
  const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, first = sign > 0 ? 1 << axis : 0;
  const int corner[4] = {first, first + u, first + u + v, first + v};
  contact->corner_count[side] = 4;
  for (int k = 0; k < 4; k++) {
    contact->corners[side][k] = quality_box_corner(middle, half, corner[k]);
  }
}

static void set_ring(QualityInterface *contact, int side, int corners, double radius, double y)
{
  assert(side >= 0 && side < 2 && corners <= SCENE_MAX_CORNERS && "corners are in their room");
  contact->corner_count[side] = corners;
  for (int k = 0; k < corners; k++) {
    contact->corners[side][k] = quality_ring_corner(corners, radius, y, k);
  }
}

// -- the ten fundamental cases --------------------------------------------------------------------

typedef struct {
  const char *name;
  QualitySolid lower, upper;
  vec3 velocity;   // of the upper body, m/s
  int normal_count;
  vec3 normals[SCENE_MAX_NORMALS];
  int least_points;
  double contact_half[2];   // of square faces that meet, lower and upper, m; 0: none
} FundamentalCase;

static void add_case(QualityScenes *scenes, int index, const FundamentalCase *c, Arena *arena)
{
  QualityScene *scene = begin_scene(scenes, index, c->name, arena);
  const int low = add_body(scene, add_solid(scenes, c->lower), origin, true, origin);
  const int high = add_body(scene, add_solid(scenes, c->upper), origin, false, c->velocity);
  QualityInterface *contact = add_interface(scene, low, high, c->normals[0], c->least_points);
  contact->normal_count = c->normal_count;
  memcpy(contact->normals, c->normals, sizeof contact->normals);
  for (int side = 0; side < 2; side++) {
    if (c->contact_half[side] > 0) set_ring(contact, side, 4, c->contact_half[side], 0);
  }
}

// Where two points meet, the normal is the one that the motion violates least: the face of the
// lower body on the side the upper one moves to.
static void add_fundamental_cases(QualityScenes *scenes, Arena *arena)
{
  const double g = 3 / sqrt(10), b = 1 / sqrt(10), a = sqrt(0.5);
  const vec3 up = {0, 1, 0}, left = {-g, b, 0}, right = {g, b, 0};
  const vec3 to_left = {-0.5 * SPIKE_HEIGHT, -2 * SPIKE_HEIGHT, 0};
  const vec3 to_right = {0.5 * SPIKE_HEIGHT, -2 * SPIKE_HEIGHT, 0};
  const vec3 into = {SPIKE_HALF_BASE, 0, 0};
  const vec3 back = {-SPIKE_HEIGHT, 0, 0}, forth = {SPIKE_HEIGHT, 0, 0};
  const vec3 wall_left = {-a, a, 0}, wall_right = {a, a, 0};
  const QualitySolid ground = quality_box(vec3_new(0, -0.5, 0), vec3_new(10, 0.5, 10));
  const QualitySolid spike = quality_spike(-1), wedge = quality_wedge(-1);
  const QualitySolid cube = quality_box(vec3_new(0, 1, 0), vec3_new(1, 1, 1));
  const QualitySolid ledge = quality_frustum(4, 2.4, 1.6, -3.2, 0);
  const QualitySolid on_ledge = quality_box(vec3_new(0, 1.6, 0), vec3_new(1.6, 1.6, 1.6));
  const FundamentalCase cases[SCENE_FUNDAMENTAL] = {
      {"Spikes", quality_spike(1), spike, to_left, 1, {left}, 1, {0}},
      {"Spike and wedge", quality_wedge(1), spike, to_left, 1, {left}, 1, {0}},
      {"Wedges", quality_wedge(1), wedge, to_right, 1, {right}, 2, {0}},
      {"Spike in hole",
       quality_hole(),
       spike,
       into,
       4,
       {{0, a, a}, {0, a, -a}, wall_right, wall_left},
       4,
       {0}},
      {"Spike in crack", quality_crack(), spike, into, 2, {wall_right, wall_left}, 2, {0}},
      {"Wedge in crack", quality_crack(), wedge, into, 2, {wall_right, wall_left}, 4, {0}},
      {"Sliding spike", ground, spike, back, 1, {up}, 1, {0}},
      {"Sliding wedge", ground, wedge, forth, 1, {up}, 2, {0}},
      {"Internal edges", quality_meshed_base(), cube, origin, 1, {up}, 4, {2, 1}},
      {"Cliff edges", ledge, on_ledge, origin, 1, {up}, 4, {1.6, 1.6}}};
  for (int i = 0; i < SCENE_FUNDAMENTAL; i++) add_case(scenes, i, &cases[i], arena);
}

// -- structures -----------------------------------------------------------------------------------

static void add_pillar(QualityScenes *scenes, Arena *arena)
{
  const double shaft = 2.8 / 3, third = 0.05 / 3;
  const double height[7] = {0.21, 0.21, shaft, shaft, shaft, 0.175, 0.105};
  const double low[7] = {0.25, 0.25, 0.2, 0.2 - third, 0.2 - 2 * third, 0.15, 0.25};
  const double high[7] = {0.25, 0.2, 0.2 - third, 0.2 - 2 * third, 0.15, 0.25, 0.25};
  const int corners[8] = {4, 4, 6, 6, 6, 6, 6, 4};   // the ground first
  QualityScene *scene = begin_scene(scenes, SCENE_PILLAR, "Pillar", arena);
  const int ground =
      add_solid(scenes, quality_box(vec3_new(0, -0.15, 0), vec3_new(1.5, 0.15, 1.5)));
  add_body(scene, ground, origin, true, origin);
  double y = 0;
  for (int i = 0; i < 7; i++) {
    const vec3 middle = {0, y + 0.5 * height[i], 0}, half = {low[i], 0.5 * height[i], low[i]};
    const QualitySolid solid = corners[i + 1] == 4
                                   ? quality_box(middle, half)
                                   : quality_frustum(6, low[i], high[i], y, y + height[i]);
    const int body = add_body(scene, add_solid(scenes, solid), origin, false, origin);
    const double below = i == 0 ? 1.5 : high[i - 1];
    const int least = corners[i] > corners[i + 1] ? corners[i] : corners[i + 1];
    QualityInterface *contact = add_interface(scene, i, body, vec3_new(0, 1, 0), least);
    set_ring(contact, 0, corners[i], below, y);
    set_ring(contact, 1, corners[i + 1], low[i], y);
    y += height[i];
  }
}

static vec3 brick_middle(int layer, int k)
{
  return vec3_new(-2.5 + 0.625 * k + (layer % 2 ? 0.3125 : 0), (layer + 0.5) * 0.4, 0);
}

// The faces of two bricks that meet, numbered by layer and place in it.
static void add_brick_contact(QualityScene *scene, const int low[2], const int high[2], int axis)
{
  assert(axis >= 0 && axis < 3 && "space has three axes");
  const vec3 below = brick_middle(low[0], low[1]), above = brick_middle(high[0], high[1]);
  const vec3 normal = {axis == 0, axis == 1, 0};
  QualityInterface *contact = add_interface(scene, 1 + low[0] * BRICK_SPAN + low[1],
                                            1 + high[0] * BRICK_SPAN + high[1], normal, 4);
  set_box_face(contact, 0, below, brick_half, axis, 1);
  set_box_face(contact, 1, above, brick_half, axis, -1);
}

static void add_wall(QualityScenes *scenes, Arena *arena)
{
  QualityScene *scene = begin_scene(scenes, SCENE_WALL, "Wall", arena);
  const vec3 ground_middle = {0, -0.5, 0}, ground_half = {5, 0.5, 5};
  const int ground = add_solid(scenes, quality_box(ground_middle, ground_half));
  const int brick = add_solid(scenes, quality_box(origin, brick_half));
  add_body(scene, ground, origin, true, origin);
  for (int i = 0; i < BRICK_LAYERS * BRICK_SPAN; i++) {
    add_body(scene, brick, brick_middle(i / BRICK_SPAN, i % BRICK_SPAN), false, origin);
  }
  for (int k = 0; k < BRICK_SPAN; k++) {
    QualityInterface *contact = add_interface(scene, 0, 1 + k, vec3_new(0, 1, 0), 4);
    set_box_face(contact, 0, ground_middle, ground_half, 1, 1);
    set_box_face(contact, 1, brick_middle(0, k), brick_half, 1, -1);
  }
  for (int layer = 0; layer < BRICK_LAYERS; layer++) {
    for (int k = 0; k < BRICK_SPAN; k++) {
      const int own[2] = {layer, k}, beside[2] = {layer, k + 1};
      if (k + 1 < BRICK_SPAN) add_brick_contact(scene, own, beside, 0);
      // half a brick to either side in the layer above
      for (int step = 0; step < 2 && layer + 1 < BRICK_LAYERS; step++) {
        const int above[2] = {layer + 1, k + step - (layer % 2 ? 0 : 1)};
        if (above[1] >= 0 && above[1] < BRICK_SPAN) add_brick_contact(scene, own, above, 1);
      }
    }
  }
}

static void set_joint(QualityInterface *contact, int side, int joint)
{
  assert(side >= 0 && side < 2 && joint >= 0 && "a joint has two faces");
  contact->corner_count[side] = 4;
  contact->corners[side][0] = quality_arch_point(joint, ARCH_INNER, -1);
  contact->corners[side][1] = quality_arch_point(joint, ARCH_OUTER, -1);
  contact->corners[side][2] = quality_arch_point(joint, ARCH_OUTER, 1);
  contact->corners[side][3] = quality_arch_point(joint, ARCH_INNER, 1);
}

// Bodies: ground, three stones of the pier at +x, three of that at -x, seven voussoirs from +x.
static void add_arch(QualityScenes *scenes, Arena *arena)
{
  QualityScene *scene = begin_scene(scenes, SCENE_ARCH, "Arch", arena);
  const vec3 up = {0, 1, 0}, half = {0.25, 1.0 / 3, 1};
  const vec3 ground_middle = {0, -0.5, 0}, ground_half = {5, 0.5, 2};
  const int ground = add_solid(scenes, quality_box(ground_middle, ground_half));
  const int pier = add_solid(scenes, quality_box(origin, half));
  add_body(scene, ground, origin, true, origin);
  for (int i = 0; i < 6; i++) {
    const int level = i % 3;
    const vec3 at = {i < 3 ? 1.75 : -1.75, (level + 0.5) * (2.0 / 3), 0};
    const vec3 under = vec3_sub(at, vec3_new(0, 2.0 / 3, 0));
    const int body = add_body(scene, pier, at, false, origin);
    QualityInterface *contact = add_interface(scene, level == 0 ? 0 : body - 1, body, up, 4);
    if (level == 0) set_box_face(contact, 0, ground_middle, ground_half, 1, 1);
    else set_box_face(contact, 0, under, half, 1, 1);
    set_box_face(contact, 1, at, half, 1, -1);
  }
  for (int k = 0; k < ARCH_STONES; k++) {
    const int body = add_body(scene, add_solid(scenes, quality_voussoir(k)), origin, false, origin);
    if (k == 0) continue;
    // along the joint's circle, from stone k - 1 into stone k
    const vec3 radial = vec3_scale(
        1 / ARCH_OUTER, vec3_sub(quality_arch_point(k, ARCH_OUTER, 0), vec3_new(0, 2, 0)));
    QualityInterface *contact =
        add_interface(scene, body - 1, body, vec3_new(-radial.y, radial.x, 0), 4);
    set_joint(contact, 0, k);
    set_joint(contact, 1, k);
  }
  for (int end = 0; end < 2; end++) {
    const int stone = end ? 6 : 3, voussoir = end ? 6 + ARCH_STONES : 7;
    QualityInterface *contact = add_interface(scene, stone, voussoir, up, 4);
    set_box_face(contact, 0, vec3_add(scene->bodies[stone].at, origin), half, 1, 1);
    set_joint(contact, 1, end ? ARCH_STONES : 0);
  }
}

// -- all ------------------------------------------------------------------------------------------

static int compare_interfaces(const void *p, const void *q)
{
  const QualityInterface *a = p, *b = q;
  return a->low != b->low ? (a->low < b->low ? -1 : 1) : (a->high > b->high) - (a->high < b->high);
}

QualityScenes quality_scenes_new(Arena *arena)
{
  QualityScenes scenes = {.solids = arena_allocate(arena, MAX_SOLIDS * sizeof(QualitySolid))};
  add_fundamental_cases(&scenes, arena);
  add_pillar(&scenes, arena);
  add_wall(&scenes, arena);
  add_arch(&scenes, arena);
  for (int i = 0; i < SCENE_COUNT; i++) {
    QualityScene *scene = &scenes.scenes[i];
    qsort(scene->interfaces, (size_t)scene->interface_count, sizeof *scene->interfaces,
          compare_interfaces);
  }
  return scenes;
}

int quality_scene_least_points(const QualityScene *scene)
{
  int least = 0;
  for (int i = 0; i < scene->interface_count; i++) least += scene->interfaces[i].least_points;
  return least;
}
