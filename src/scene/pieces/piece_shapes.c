// Cuts shapes with six sides into blocks with six sides.
#include "piece_shapes.h"

#include <assert.h>
#include <math.h>

#include "check.h"
#include "finite_blocks.h"
#include "hexahedron.h"

#define PLANE 1e-9   // of a side's extent, by which a corner may be off its plane

static int pieces_of(const PieceCuts *cuts)
{
  assert_debug(cuts->blocks[0] >= 0 && "blocks are counted");
  return cuts->blocks[0] > 0 ? cuts->blocks[0] * cuts->blocks[1] * cuts->blocks[2] : 1;
}

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
static bool piece_of(const PieceCuts *cuts, const vec3 corner[FINITE_HEXAHEDRON], int number,
                     Arena *arena, ShapeRecipe *shape)
{
  const FiniteBlock block = finite_blocks_find(cuts->mesh->cells, cuts->blocks, number);
  vec3 *points = arena_allocate(arena, FINITE_HEXAHEDRON * sizeof *points);
  finite_blocks_corners(corner, cuts->mesh->cells, &block, points);
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

const char *piece_shapes(const PieceCuts *cuts, Arena *arena, ShapeRecipe **shapes,
                         int *shape_count)
{
  const int pieces = pieces_of(cuts), uncut = cuts->uncut, wholes = *shape_count - uncut;
  assert(pieces > 1 && wholes > 0 && uncut >= 0 && "shapes are cut");
  const ShapeRecipe *whole = *shapes;
  ShapeRecipe *cut = arena_allocate(arena, (size_t)(wholes * pieces + uncut) * sizeof *cut);
  for (int s = 0; s < wholes; s++) {
    vec3 corner[FINITE_HEXAHEDRON];
    // what has no six sides is refused by its cells, as whole bodies are (elastic_mesh_fault)
    const bool sound = corners_of(&whole[s], corner);
    for (int k = 0; k < pieces; k++) {
      cut[s * pieces + k] = whole[s];
      if (sound && !piece_of(cuts, corner, k, arena, &cut[s * pieces + k]))
        return "elastic.cells: cuts through it would not be plane; give elastic.most_nodes of at "
               "least its nodes, which leave it whole";
    }
  }
  for (int s = 0; s < uncut; s++) cut[wholes * pieces + s] = whole[wholes + s];
  *shapes = cut;
  *shape_count = wholes * pieces + uncut;
  return NULL;
}

ElasticMesh piece_mesh(const PieceCuts *cuts, int shape)
{
  assert(shape >= 0 && elastic_mesh_is(cuts->mesh) && "a shape with cells");
  const int pieces = pieces_of(cuts);
  ElasticMesh mesh = *cuts->mesh;
  if (pieces == 1) return mesh;
  const FiniteBlock block = finite_blocks_find(mesh.cells, cuts->blocks, shape % pieces);
  for (int a = 0; a < 3; a++) {
    mesh.cells[a] = block.cells[a];
    if (block.at[a] > 0) mesh.inner |= 1u << (2 * a);
    if (block.at[a] + 1 < cuts->blocks[a]) mesh.inner |= 2u << (2 * a);
  }
  return mesh;
}
