// Adds what deformation opens or closes to the gaps of contact points.
#include "deformed_gaps.h"

#include <assert.h>

#include "check.h"
#include "material_point.h"

static int row_of(const Bodies *bodies, uint64_t id)
{
  const int own = bodies_find(bodies, id);
  return own >= 0 ? own : bodies_find_ghost(bodies, id);
}

// d of the place of a body at a point, world axes
static vec3 displacement(const Bodies *bodies, int row, vec3 point)
{
  const MaterialPoint place =
      material_point_at(bodies, row, 0, vec3_sub(point, bodies->position[row]));
  return material_point_moved(bodies, &place);
}

void deformed_gaps_add(const Bodies *bodies, const MidState *mid, Contacts *contacts)
{
  assert(contacts->table.owned <= contacts->table.count && "own rows come first");
  int low = -1, high = -1;
  for (int i = 0; i < contacts->table.owned; i++) {
    const IdPair ids = contacts->bodies[i];
    if (i == 0 || id_pair_compare(contacts->bodies[i - 1], ids) != 0) {
      low = row_of(bodies, ids.low);
      high = row_of(bodies, ids.high);
      assert(low >= 0 && high >= 0 && "a row's bodies are here");
    }
    const bool deforms = kind_nodes(bodies, low) + kind_nodes(bodies, high) > 0;
    if (!deforms || contacts_bond(contacts, i) != BOND_NONE) continue;
    const vec3 a = motion_moves(&mid[low]) ? displacement(bodies, low, contacts->point[i])
                                           : (vec3){0, 0, 0},
               b = motion_moves(&mid[high]) ? displacement(bodies, high, contacts->point[i])
                                            : (vec3){0, 0, 0};
    contacts->gap[i] += vec3_dot(contacts->normal[i], vec3_sub(a, b));
  }
}
