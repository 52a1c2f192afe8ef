// The table of kinds of bodies.
#include "kind.h"

#include <assert.h>

#include "nodes.h"

#define GUIDED_2 &kind_guided, &kind_guided
#define GUIDED_6 GUIDED_2, GUIDED_2, GUIDED_2
#define GUIDED_30 GUIDED_6, GUIDED_6, GUIDED_6, GUIDED_6, GUIDED_6

// one for each choice of components, neither none nor all
const BodyKind *const KINDS[] = {&kind_rigid, &kind_affine, GUIDED_30,        GUIDED_30,
                                 GUIDED_2,    &kind_finite, &kind_foundation, NULL};
_Static_assert(sizeof KINDS / sizeof *KINDS == KIND_COUNT + 1, "every number has its kind");

FiniteDeformed kind_deformed(const Bodies *bodies, int row, double temperature)
{
  const ElasticFinite *finite = kind_mesh(bodies, row);
  assert(finite != NULL && bodies->nodes != NULL && "a row of finite elements");
  const int first = nodes_find(bodies->nodes, bodies->id[row]);
  assert(first >= 0 && "nodes are where their body is");
  return (FiniteDeformed){&finite->shape->mesh, &bodies->elastic->laws[bodies->material[row]],
                          bodies->nodes->displacement + first, temperature};
}

bool kind_all_known(const Bodies *bodies)
{
  assert((!bodies->kind || bodies->kinds != NULL) && "numbers of kinds have a meaning");
  if (!bodies->kind) return true;
  int count = 0;
  while (bodies->kinds[count]) count++;
  for (int i = 0; i < bodies->table.count; i++)
    if (bodies->kind[i] < 0 || bodies->kind[i] >= count) return false;
  return true;
}
