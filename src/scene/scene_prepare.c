// Numbers the bodies of a case, makes the shapes of its generators and the rows of its joints.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "ground.h"
#include "group.h"
#include "hash.h"
#include "joint_rows.h"
#include "phrase.h"
#include "piece_shapes.h"
#include "random.h"
#include "scene.h"
#include "shaken_base.h"

#define MAX_BODIES ((uint64_t)1 << 31)
#define MAX_SHAPES (1 << 20)
#define ON_CUT 1e-9    // of the extent: places so near to a cut are on it
#define MAX_TURN 1e4   // rad in one step: beyond it a spin is no motion that steps can follow

// A message in the case's arena: file, line, group, reason.
static const char *refuse_group(const Case *c, const BodyGroup *group, const char *reason)
{
  static const char *const kinds[] = {
      [GROUP_BODY] = "body",          [GROUP_GRID] = "grid",   [GROUP_MESH] = "mesh",
      [GROUP_WALL] = "wall",          [GROUP_ARCH] = "arch",   [GROUP_STONES] = "stones",
      [GROUP_INLET] = "stones",       [GROUP_FILL] = "stones", [GROUP_RUBBLE] = "rubble",
      [GROUP_STRUCTURE] = "structure"};
  const char *kind = kinds[group->kind];
  const char *path = c->path ? c->path : "case";
  if (!*group->name) return phrase_make(c->arena, "%s:%d: %s: %s", path, group->line, kind, reason);
  return phrase_make(c->arena, "%s:%d: %s '%s': %s", path, group->line, kind, group->name, reason);
}

// Shapes of groups by where their parts lie: entries that name the same mesh have the same parts.
typedef struct {
  const PartRecipe *parts;   // of the group's first shape, NULL: a free place
  int first_shape, shape_count;
} KnownShapes;

typedef struct {
  size_t mask;   // places, less one
  KnownShapes *places;
} ShapeIndex;

static ShapeIndex shape_index_new(int group_count, Arena *arena)
{
  assert(group_count >= 0 && "groups are counted");
  size_t places = 2;
  while (places < 2 * (size_t)group_count) places *= 2;
  return (ShapeIndex){places - 1, arena_allocate_zero(arena, places, sizeof(KnownShapes))};
}

// The number of the first group's shape that has the same parts, or -1 after the group was noted.
// Where in the index it stands depends on addresses, what is found does not.
static int shape_index_find(ShapeIndex *index, const BodyGroup *group, const PartRecipe *parts)
{
  if (!parts) return -1;   // a sphere or an ellipsoid
  size_t at = hash_mix((uint64_t)(uintptr_t)parts, 0) & index->mask;
  for (; index->places[at].parts; at = (at + 1) & index->mask)
    if (index->places[at].parts == parts && index->places[at].shape_count == group->shape_count)
      return index->places[at].first_shape;
  index->places[at] = (KnownShapes){parts, group->first_shape, group->shape_count};
  return -1;
}

// A spin, rad/s, that the motion of a group does not exceed before the end of the run.
static double fastest_spin(const Case *c, const BodyGroup *group)
{
  if (group->guide) return time_vector_bound(&group->guide->turning);
  const double bound = time_vector_bound(&group->motion->turning);
  return group->motion->spun_up ? vec3_norm(group->spin) + bound * c->end : bound;
}

// A further part of an entry has the shapes of the first one.
static void share_shapes(BodyGroup *group)
{
  assert(group->part > 0 && group[-1].part == group->part - 1 && "a part stands before it");
  group->first_shape = group[-1].first_shape;
  group->shape_count = group[-1].shape_count;
}

// Gives a group its ids.
static const char *number_bodies(Case *c, BodyGroup *group)
{
  assert(c->body_count <= MAX_BODIES && "bodies are numbered in order");
  group->first_id = c->body_count;
  group->body_count = group_size(group).total;
  c->body_count += group->body_count;
  return c->body_count > MAX_BODIES ? "with it the case has more than 2147483648 bodies" : NULL;
}

// Numbers the bodies and the shapes of a group, which gets its shapes.
static const char *prepare_group(Case *c, BodyGroup *group, ShapeIndex *index, ShapeRecipe **shapes)
{
  assert(!(c->step < 0) && "a step does not go back");
  const char *reason = group_check(group);
  if (!reason && !(vec3_norm(group->spin) * c->step <= MAX_TURN))
    reason = "spin: it turns by more than 10000 rad in one time.step";
  if (!reason && (group->motion || group->guide) && !(fastest_spin(c, group) * c->step <= MAX_TURN))
    reason = "motion: it may turn by more than 10000 rad in one time.step";
  if (!reason && group->guide && c->deforms)
    reason = "motion: a case with bodies that deform knows no motion by component";
  if (!reason) reason = number_bodies(c, group);
  if (reason) return reason;

  // what is random depends on the entry
  group->entry = group == c->groups ? 0 : group[-1].entry + (group->part == 0);
  if (group->part > 0) {
    share_shapes(group);
    return NULL;
  }
  const GroupSetting setting = {
      .stream = random_stream(c->seed, (uint64_t)group->entry), .step = c->step, .c = c};
  group->first_shape = c->shape_count;
  reason = group_prepare(group, &setting, c->arena, shapes, &group->shape_count);
  if (reason) return reason;
  const int known = shape_index_find(index, group, (*shapes)[0].parts);
  if (known >= 0) {
    group->first_shape = known;
    return NULL;
  }
  c->shape_count += group->shape_count;
  return c->shape_count > MAX_SHAPES ? "with it the case has more than 1048576 shapes" : NULL;
}

// Tables by material for those who know no case; whether anything deforms.
static void prepare_materials(Case *c)
{
  assert(c->material_count >= 0 && "materials are counted");
  const size_t count = (size_t)c->material_count + 1;
  c->densities = arena_allocate_zero(c->arena, count, sizeof *c->densities);
  c->elastic_laws = arena_allocate_zero(c->arena, count, sizeof *c->elastic_laws);
  for (int m = 0; m < c->material_count; m++) {
    c->densities[m] = c->materials[m].density;
    c->elastic_laws[m] = c->materials[m].elastic;
  }
  c->deforms = c->founded = false;
  for (int i = 0; i < c->group_count; i++) {
    c->deforms = c->deforms || group_deforms(&c->groups[i]);
    c->founded = c->founded || group_founded(&c->groups[i]);
  }
}

// What the finite elements of a piece of a body of a file have to know of its cuts; the shapes of
// such an entry are its bodies'.
static void take_cuts(const BodyGroup *group, uint64_t index, ElasticMesh *mesh)
{
  const FileBody *whole = group_file_body(group, index);
  if (!whole || !whole->pieces) return;
  mesh->outer = &whole->pieces->outer[index - whole->first];
  mesh->bulge = whole->pieces->bulge[index - whole->first];
}

// Finite elements by shape; entries that share a shape have the same.
static const char *prepare_meshes(Case *c)
{
  assert(c->shape_count >= 0 && "shapes are counted");
  c->elastic_meshes = NULL;
  for (int i = 0; i < c->group_count; i++) {
    const BodyGroup *group = &c->groups[i];
    if (!elastic_mesh_is(&group->finite)) continue;
    if (!c->elastic_meshes)
      c->elastic_meshes =
          arena_allocate_zero(c->arena, (size_t)c->shape_count + 1, sizeof *c->elastic_meshes);
    for (int s = group->first_shape; s < group->first_shape + group->shape_count; s++) {
      ElasticMesh *mesh = &c->elastic_meshes[s];
      const PieceCuts cuts = {.mesh = &group->finite, .blocks = group->cuts.blocks};
      ElasticMesh own = piece_mesh(&cuts, s - group->first_shape);
      take_cuts(group, (uint64_t)(s - group->first_shape), &own);
      if (elastic_mesh_is(mesh) && !elastic_mesh_same(mesh, &own))
        return refuse_group(c, group,
                            "elastic: another entry with the same shape has other cells, or other "
                            "faces that are held");
      *mesh = own;
    }
  }
  return NULL;
}

// -- pieces ---------------------------------------------------------------------------------------

// What holds the pieces of a group together. What is cracked touches as two bodies of the material
// do.
static CutBodies cut_bodies(const Case *c, const BodyGroup *group)
{
  assert(group_is_cut(group) && "some of its bodies are cut");
  const SurfaceLaw *own = surface_laws_find(&c->surfaces, group->material, group->material);
  const bool parts = group->cuts.cohesion < INFINITY;
  CutBodies bodies = {
      .first = group->first_id,
      .end = group->first_id + group_size(group).dynamic,
      .joined = {.friction = own->friction,
                 .restitution = own->restitution,
                 .cohesion = group->cuts.cohesion,
                 .tensile_strength = group->cuts.tensile_strength,
                 .bonded = true},
      .apart = {.friction = own->friction, .restitution = own->restitution, .excluded = !parts}};
  for (int a = 0; a < 3; a++) bodies.blocks[a] = group->cuts.blocks[a];
  return bodies;
}

// Tells the laws of the case what holds pieces together.
static const char *prepare_cuts(Case *c)
{
  assert(c->arena != NULL && "the case was prepared");
  size_t room = (size_t)c->group_count + 1;
  for (int i = 0; i < c->group_count; i++) room += (size_t)c->groups[i].cuts.file_count;
  CutBodies *cut = arena_allocate_zero(c->arena, room, sizeof *cut);
  int count = 0;
  for (int i = 0; i < c->group_count; i++) {
    const BodyGroup *group = &c->groups[i];
    if (!group_is_cut(group)) continue;
    const CutBodies bodies = cut_bodies(c, group);
    const SurfaceLaw *joined = &bodies.joined;
    if (joined->cohesion < INFINITY &&
        joined->friction * joined->tensile_strength > joined->cohesion)
      return refuse_group(c, group,
                          "elastic.weld: tensile_strength times the friction of the material with "
                          "itself is more than the cohesion: under that tension there would be no "
                          "strength in shear");
    if (group->cuts.file_count == 0) cut[count++] = bodies;
    for (int k = 0; k < group->cuts.file_count; k++) {
      const FileBody *whole = &group->cuts.file[k];
      if (!whole->pieces) continue;
      cut[count] = bodies;
      cut[count].first = group->first_id + whole->first;
      cut[count].end = group->first_id + whole->end;
      cut[count].blocks[0] = whole->pieces->count;
      cut[count].blocks[1] = cut[count].blocks[2] = 1;
      cut[count++].pieces = whole->pieces;
    }
  }
  c->surfaces.cut = cut;
  c->surfaces.cut_count = count;
  c->surfaces.bonded = c->surfaces.bonded || count > 0;
  return NULL;
}

// How far outside a shape a place is, body frame, m; below zero: within it.
static double far_from(const Shape *shape, vec3 place)
{
  double least = INFINITY;
  for (int p = 0; p < shape->part_count; p++) {
    double far;
    (void)polyhedron_nearest_face(&shape->parts[p].hull, place, &far);
    least = smaller_of(least, far);
  }
  return least;
}

// The piece of the only body of a group where a place is, world axes.
static uint64_t piece_at(const Case *c, const BodyGroup *group, vec3 place)
{
  assert(group_pieces_of_one(group) > 1 && "the body is cut");
  uint64_t best = 0;
  double least = INFINITY;
  for (uint64_t k = 0; k < (uint64_t)group_pieces_of_one(group); k++) {
    const BodyRecipe recipe = scene_body(c, group->first_id + k);
    Arena scratch = arena_new();
    Shape shape;
    const ShapeResult result = shape_build(&c->shapes[recipe.shape], &scratch, &shape);
    assert(result.status == SHAPE_OK && "a block has a volume");
    (void)result;
    const LoadStart start = scene_recipe_start(&recipe, &shape);
    const double far =
        far_from(&shape, mat3_mul_transposed(start.turn, vec3_sub(place, start.centre)));
    arena_destroy(&scratch);
    // places on a cut are in the first of its pieces
    if (k == 0 || far < least - ON_CUT * shape.extent) {
      least = far;
      best = k;
    }
  }
  return best;
}

static void lead(const Case *c, JointEnd *end, vec3 place)
{
  if (!end->by_place) return;
  assert(end->group >= 0 && end->group < c->group_count && "an entry has a group");
  end->index = piece_at(c, &c->groups[end->group], place);
  end->by_place = false;
}

// Leads the ends of joints and probes that name a body in pieces to the one where their place is,
// the nearest one outside.
static void lead_ends(Case *c)
{
  assert((c->joints != NULL || c->joint_count == 0) && "joints are read");
  for (int j = 0; j < c->joint_count; j++)
    for (int i = 0; i < 2; i++) lead(c, &c->joints[j].ends[i], c->joints[j].places[i]);
  for (int k = 0; k < c->output.probe_count; k++)
    lead(c, &c->output.probes[k].ends[0], c->output.probes[k].at);
}

// Gives a stage what follows from the case. Its groups differ by loads and motions alone.
static const char *prepare_stage(Case *c, Case *stage)
{
  const char *refusal = NULL;
  for (int i = 0; i < c->group_count && !refusal; i++) {
    const BodyGroup own = stage->groups[i];
    BodyGroup *group = &stage->groups[i];
    *group = c->groups[i];
    group->load_span_count = own.load_span_count;
    group->load_spans = own.load_spans;
    group->motion = own.motion;
    group->fixed = own.fixed;
    if (group->motion && !(fastest_spin(stage, group) * stage->step <= MAX_TURN))
      refusal = refuse_group(c, group,
                             "motion: it may turn by more than 10000 rad in one step of a "
                             "stage");
  }
  for (int k = 0; k < c->servo_count; k++) stage->servos[k].id = c->servos[k].id;
  stage->mesh_notes = c->mesh_notes;
  stage->meshes = c->meshes;
  stage->deforms = c->deforms;
  stage->surfaces.cut = c->surfaces.cut;
  stage->surfaces.cut_count = c->surfaces.cut_count;
  stage->surfaces.bonded = stage->surfaces.bonded || c->surfaces.cut_count > 0;
  stage->founded = c->founded;
  stage->densities = c->densities;
  stage->elastic_laws = c->elastic_laws;
  stage->body_count = c->body_count;
  stage->shape_count = c->shape_count;
  stage->shapes = c->shapes;
  stage->elastic_meshes = c->elastic_meshes;
  stage->joint_row_count = c->joint_row_count;
  stage->joint_rows = c->joint_rows;
  stage->joint_rules = c->joint_rules;
  stage->joint_order = c->joint_order;
  stage->pass_count = c->pass_count;
  stage->passes = c->passes;
  stage->shaken = ground_moves(stage) ? stage : stage > c->stages ? stage[-1].shaken : NULL;
  return refusal ? refusal : shaken_base_check(stage);
}

const char *scene_prepare(Case *c)
{
  assert(c->arena != NULL && (c->groups != NULL || c->group_count == 0) && "a case has its groups");
  prepare_materials(c);
  Arena scratch = arena_new();
  ShapeRecipe **shapes =
      arena_allocate(&scratch, (size_t)c->group_count * sizeof *shapes);   // of every group
  ShapeIndex index = shape_index_new(c->group_count, &scratch);
  const char *refusal = NULL;
  c->body_count = 0;
  c->shape_count = 0;
  for (int i = 0; i < c->group_count && !refusal; i++) {
    const char *reason = prepare_group(c, &c->groups[i], &index, &shapes[i]);
    if (reason) refusal = refuse_group(c, &c->groups[i], reason);
  }
  if (!refusal) {
    c->shapes = arena_allocate(c->arena, (size_t)c->shape_count * sizeof(ShapeRecipe));
    for (int i = 0; i < c->group_count; i++) {
      const BodyGroup *group = &c->groups[i];
      if (group->part > 0) continue;
      memcpy(c->shapes + group->first_shape, shapes[i],
             (size_t)group->shape_count * sizeof(ShapeRecipe));
    }
  }
  arena_destroy(&scratch);
  if (!refusal) refusal = prepare_meshes(c);
  if (!refusal) refusal = prepare_cuts(c);
  if (!refusal) lead_ends(c);
  if (!refusal) refusal = joint_rows_make(c);
  if (!refusal) refusal = shaken_base_check(c);
  for (int s = 0; s < c->stage_count && !refusal; s++) refusal = prepare_stage(c, &c->stages[s]);
  return refusal;
}
