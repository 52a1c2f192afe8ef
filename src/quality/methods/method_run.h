#pragma once
// One method on two tetrahedra in one precision. Included by the source of each precision alone.
#include "method_closest.h"
#include "method_growth.h"
#include "method_intersection.h"
#include "method_opposing.h"
#include "method_sat.h"
#include "method_vertex.h"

static inline RealTetra tetra_rounded(const MethodTetra *tetra)
{
  RealTetra rounded;
  for (int k = 0; k < 4; k++) {
    const vec3 corner = tetra->corners[k];
    rounded.corners[k] = (real3){(real)corner.x, (real)corner.y, (real)corner.z};
    rounded.on_surface[k] = tetra->on_surface[k];
  }
  for (int k = 0; k < 4; k++) rounded.planes[k] = face_plane(&rounded, k);
  return rounded;
}

static inline void find_by_method(Method method, const MethodPair *pair)
{
  switch (method) {
  case METHOD_CLOSEST: method_closest(pair); break;
  case METHOD_INTERSECTION: method_intersection(pair); break;
  case METHOD_VERTEX: method_vertex(pair); break;
  case METHOD_CONSISTENT: method_consistent(pair); break;
  case METHOD_VOLUME_SAT: method_sat(pair, false); break;
  case METHOD_SURFACE_SAT: method_sat(pair, true); break;
  case METHOD_OPPOSING: method_opposing(pair); break;
  case METHOD_GROWTH: method_growth(pair); break;
  case METHOD_COUNT: assert(false && "a method that there is");
  }
}

static inline vec3 vector_of_real(real3 a) { return (vec3){(double)a.x, (double)a.y, (double)a.z}; }

static inline void method_run(const MethodRule *rule, const MethodTetra *a, const MethodTetra *b,
                              MethodContacts *found)
{
  const RealTetra own_a = tetra_rounded(a), own_b = tetra_rounded(b);
  RealContacts contacts;
  contacts.count = 0;
  find_by_method(rule->method, &(MethodPair){.a = &own_a,
                                             .b = &own_b,
                                             .text = rule->wording == WORDING_TEXT,
                                             .envelope = (real)rule->envelope,
                                             .found = &contacts});
  found->count = contacts.count;
  for (int i = 0; i < contacts.count; i++) {
    const RealContact *contact = &contacts.list[i];
    found->list[i] = (MethodContact){vector_of_real(contact->place),
                                     vector_of_real(contact->normal), (double)contact->depth};
  }
}
