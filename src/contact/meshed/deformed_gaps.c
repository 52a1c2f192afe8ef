// Adds what deformation opens or closes to the gaps of contact points.
#include "deformed_gaps.h"

#include <assert.h>

#include "check.h"
#include "kind.h"

// d of a body at row i of contacts, whose nodes are among the places of all rows
static vec3 displacement(const Bodies *bodies, const MidState *mid, int row,
                         const FinitePoint *place, vec3 point)
{
  if (!motion_moves(&mid[row])) return (vec3){0, 0, 0};
  const MaterialPoint at =
      material_point_at(bodies, row, 0, vec3_sub(point, bodies->position[row]));
  return contact_places_moved(bodies, &mid[row], &at, place);
}

void deformed_gaps_add(const Bodies *bodies, const MidState *mid, const ContactPlaces *places,
                       Contacts *contacts)
{
  assert(contacts->table.owned <= contacts->table.count && "own rows come first");
  int low = -1, high = -1;
  for (int i = 0; i < contacts->table.count; i++) {
    const IdPair ids = contacts->bodies[i];
    if (i == 0 || id_pair_compare(contacts->bodies[i - 1], ids) != 0) {
      low = bodies_find(bodies, ids.low);
      high = bodies_find(bodies, ids.high);
      assert(low >= 0 && high >= 0 && "a row's bodies are here");
    }
    const bool deforms = kind_nodes(bodies, low) + kind_nodes(bodies, high) > 0;
    if (!deforms) continue;
    const FinitePoint *at[2] = {places->low ? &places->low[i] : NULL,
                                places->high ? &places->high[i] : NULL};
    const vec3 point = contacts->point[i];
    const vec3 a = displacement(bodies, mid, low, at[0], point),
               b = displacement(bodies, mid, high, at[1], point);
    contacts->gap[i] += vec3_dot(contacts->normal[i], vec3_sub(a, b));
  }
}
