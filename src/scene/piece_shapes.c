// Cuts shapes with six sides into blocks with six sides.
#include "piece_shapes.h"

#include <assert.h>
#include <math.h>

#include "check.h"
#include "finite_blocks.h"
#include "group.h"
#include "hexahedron.h"
#include "phrase.h"

#define PLANE 1e-9   // of a side's extent, by which a corner may be off its plane

// Is the side of a hexahedron, of an axis, low or high, plane?
static bool side_is_plane(const vec3 corner[FINITE_HEXAHEDRON], int axis, bool high)
{
  const int first = high ? 1 << axis : 0, b = 1 << (axis + 1) % 3, c = 1 << (axis + 2) % 3;
  const vec3 at = corner[first], one = vec3_sub(corner[first | b], at),
             two = vec3_sub(corner[first | c], at), last = vec3_sub(corner[first | b | c], at);
  const vec3 normal = vec3_cross(one, two);
  return fabs(vec3_dot(normal, last)) <= PLANE * vec3_norm(normal) * vec3_norm(last);
}

// The hull of a block's corners; false where a cut is not plane.
static bool piece_of(const BodyGroup *group, const vec3 corner[FINITE_HEXAHEDRON], int number,
                     Arena *arena, ShapeRecipe *shape)
{
  const FiniteBlock block = finite_blocks_find(group->finite.cells, group->cuts.blocks, number);
  vec3 *points = arena_allocate(arena, FINITE_HEXAHEDRON * sizeof *points);
  finite_blocks_corners(corner, group->finite.cells, &block, points);
  for (int side = 0; side < 6; side++)
    if (!side_is_plane(points, side / 2, side % 2 == 1)) return false;
  PartRecipe *part = arena_allocate_zero(arena, 1, sizeof *part);
  *part = (PartRecipe){.count = FINITE_HEXAHEDRON, .points = points};
  *shape = (ShapeRecipe){.part_count = 1, .parts = part};
  return true;
}

// The corners of a shape in the frame of its recipe; false where it is no hexahedron.
static bool corners_of(const ShapeRecipe *recipe, vec3 corner[FINITE_HEXAHEDRON])
{
  Arena scratch = arena_new();
  Shape built;
  bool found = shape_build(recipe, &scratch, &built).status == SHAPE_OK && built.part_count == 1 &&
               hexahedron_corners(&built.parts[0].hull, corner);
  for (int c = 0; c < FINITE_HEXAHEDRON && found; c++)
    corner[c] = vec3_add(corner[c], built.center);
  arena_destroy(&scratch);
  return found;
}

const char *piece_shapes(const BodyGroup *group, int uncut, Arena *arena, ShapeRecipe **shapes,
                         int *shape_count)
{
  const int pieces = group_pieces(group), wholes = *shape_count - uncut;
  assert(pieces > 1 && wholes > 0 && uncut >= 0 && "shapes are cut");
  const ShapeRecipe *whole = *shapes;
  ShapeRecipe *cut = arena_allocate(arena, (size_t)(wholes * pieces + uncut) * sizeof *cut);
  for (int s = 0; s < wholes; s++) {
    vec3 corner[FINITE_HEXAHEDRON];
    if (!corners_of(&whole[s], corner))
      return "elastic.cells: it has no six sides of four corners each; leave them out or use "
             "'elastic: affine'";
    for (int k = 0; k < pieces; k++)
      if (!piece_of(group, corner, k, arena, &cut[s * pieces + k]))
        return phrase_make(arena,
                           "elastic.cells: cuts through it would not be plane; give "
                           "elastic.most_nodes: %d, which leaves it whole",
                           elastic_nodes(&group->finite));
  }
  for (int s = 0; s < uncut; s++) cut[wholes * pieces + s] = whole[wholes + s];
  *shapes = cut;
  *shape_count = wholes * pieces + uncut;
  return NULL;
}

ElasticMesh piece_mesh(const BodyGroup *group, int shape)
{
  assert(shape >= 0 && elastic_mesh_is(&group->finite) && "a shape with cells");
  const int pieces = group_pieces(group);
  ElasticMesh mesh = group->finite;
  if (pieces == 1) return mesh;
  const FiniteBlock block =
      finite_blocks_find(group->finite.cells, group->cuts.blocks, shape % pieces);
  for (int a = 0; a < 3; a++) {
    mesh.cells[a] = block.cells[a];
    if (block.at[a] > 0) mesh.inner |= 1u << (2 * a);
    if (block.at[a] + 1 < group->cuts.blocks[a]) mesh.inner |= 2u << (2 * a);
  }
  return mesh;
}

void piece_laws(Case *c)
{
  assert(c->arena != NULL && "the case was prepared");
  CutBodies *cut = arena_allocate_zero(c->arena, (size_t)c->group_count + 1, sizeof *cut);
  int count = 0;
  for (int i = 0; i < c->group_count; i++) {
    const BodyGroup *group = &c->groups[i];
    if (group_pieces(group) == 1) continue;
    // what is cracked touches as two bodies of the material do
    const SurfaceLaw *own = surface_laws_find(&c->surfaces, group->material, group->material);
    const bool parts = group->cuts.cohesion < INFINITY;
    CutBodies *bodies = &cut[count++];
    *bodies = (CutBodies){
        .first = group->first_id,
        .end = group->first_id + group_size(group).dynamic,
        .joined = {.friction = own->friction,
                   .restitution = own->restitution,
                   .cohesion = group->cuts.cohesion,
                   .tensile_strength = group->cuts.tensile_strength,
                   .bonded = true},
        .apart = {.friction = own->friction, .restitution = own->restitution, .excluded = !parts}};
    for (int a = 0; a < 3; a++) bodies->blocks[a] = group->cuts.blocks[a];
  }
  c->surfaces.cut = cut;
  c->surfaces.cut_count = count;
  c->surfaces.bonded = c->surfaces.bonded || count > 0;
}

// The piece of the only body of a group where a place is, world axes.
static uint64_t piece_at(const Case *c, const BodyGroup *group, vec3 place)
{
  assert(group_pieces(group) > 1 && "the body is cut");
  uint64_t best = 0;
  double least = INFINITY;
  for (uint64_t k = 0; k < (uint64_t)group_pieces(group); k++) {
    const BodyRecipe recipe = scene_body(c, group->first_id + k);
    Arena scratch = arena_new();
    Shape shape;
    const ShapeResult result = shape_build(&c->shapes[recipe.shape], &scratch, &shape);
    assert(result.status == SHAPE_OK && "a block has a volume");
    (void)result;
    const LoadStart start = scene_recipe_start(&recipe, &shape);
    double far;
    (void)polyhedron_nearest_face(
        &shape.parts[0].hull, mat3_mul_transposed(start.turn, vec3_sub(place, start.centre)), &far);
    arena_destroy(&scratch);
    // places on a cut are in the first of its pieces
    if (k == 0 || far < least - PLANE * shape.extent) {
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

void piece_ends(Case *c)
{
  assert((c->joints != NULL || c->joint_count == 0) && "joints are read");
  for (int j = 0; j < c->joint_count; j++)
    for (int i = 0; i < 2; i++) lead(c, &c->joints[j].ends[i], c->joints[j].places[i]);
  for (int k = 0; k < c->output.probe_count; k++)
    lead(c, &c->output.probes[k].ends[0], c->output.probes[k].at);
}

IdRange piece_siblings(const Case *c, uint64_t id)
{
  const BodyGroup *group = scene_group(c, id);
  const uint64_t pieces = (uint64_t)group_pieces(group), index = id - group->first_id;
  if (pieces == 1 || index >= group_size(group).dynamic) return (IdRange){id, id + 1};
  const uint64_t first = group->first_id + index / pieces * pieces;
  return (IdRange){first, first + pieces};
}
