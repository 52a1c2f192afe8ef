// Adds what deformation opens or closes to the gaps of contact points.
#include "deformed_gaps.h"

#include <assert.h>

#include "check.h"
#include "kind.h"
#include "material_point.h"
#include "nodes.h"

// A body of a pair, and what moves its points.
typedef struct {
  int row;
  bool moves;
  const vec3 *nodes;   // displacements, axes of the body; NULL: it is not of finite elements
  mat3 rotation;
} Side;

static Side side_of(const Bodies *bodies, const MidState *mid, uint64_t id)
{
  const int own = bodies_find(bodies, id), row = own >= 0 ? own : bodies_find_ghost(bodies, id);
  assert(row >= 0 && "a row's bodies are here");
  Side side = {.row = row, .moves = motion_moves(&mid[row]), .rotation = mid[row].rotation};
  if (side.moves && kind_mesh(bodies, row))
    side.nodes = bodies->nodes->displacement + nodes_find(bodies->nodes, id);
  return side;
}

// d at a point, row i of contacts, world axes
static vec3 displacement(const Bodies *bodies, const Side *side, const FinitePoint *places, int i,
                         vec3 point)
{
  if (!side->moves) return (vec3){0, 0, 0};
  if (side->nodes) return mat3_mul(side->rotation, finite_point_value(&places[i], side->nodes));
  const MaterialPoint place =
      material_point_at(bodies, side->row, 0, vec3_sub(point, bodies->position[side->row]));
  return material_point_moved(bodies, &place);
}

void deformed_gaps_add(const Bodies *bodies, const MidState *mid, const ContactPlaces *places,
                       Contacts *contacts)
{
  assert(contacts->table.owned <= contacts->table.count && "own rows come first");
  Side low = {.row = -1}, high = low;
  for (int i = 0; i < contacts->table.count; i++) {
    const IdPair ids = contacts->bodies[i];
    if (i == 0 || id_pair_compare(contacts->bodies[i - 1], ids) != 0) {
      low = side_of(bodies, mid, ids.low);
      high = side_of(bodies, mid, ids.high);
    }
    const bool deforms = kind_nodes(bodies, low.row) + kind_nodes(bodies, high.row) > 0;
    if (!deforms || contacts_bond(contacts, i) != BOND_NONE) continue;
    const vec3 point = contacts->point[i];
    const vec3 a = displacement(bodies, &low, places->low, i, point),
               b = displacement(bodies, &high, places->high, i, point);
    contacts->gap[i] += vec3_dot(contacts->normal[i], vec3_sub(a, b));
  }
}
