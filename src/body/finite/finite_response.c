// Columns of A0^-1 of the nodes of the surface, kept where a face has both ends.
#include "finite_response.h"

#include <assert.h>

#include "check.h"
#include "memory.h"

enum { SIDE = 3 * FINITE_FACE, BLOCK = SIDE * SIDE };

// Velocities of a unit impulse on node n along axis a, to the columns of all faces with that node.
static void keep_column(FiniteResponse *response, const FiniteSurface *surface, const vec3 *given,
                        int n, int a)
{
  for (int f = 0; f < surface->faces; f++) {
    const int *corner = &surface->corner[(size_t)f * (size_t)surface->corners];
    double *block = &response->block[(size_t)f * BLOCK];
    for (int j = 0; j < surface->corners; j++) {
      if (corner[j] != n) continue;
      for (int i = 0; i < surface->corners; i++) {
        const vec3 u = given[corner[i]];
        const double values[3] = {u.x, u.y, u.z};
        for (int b = 0; b < 3; b++) block[SIDE * (3 * i + b) + 3 * j + a] = values[b];
      }
    }
  }
}

FiniteResponse finite_response_new(FiniteBody *body, const FiniteSurface *surface)
{
  assert(surface->faces > 0 && body->nodes > 0 && "a body with a surface");
  FiniteResponse response = {
      .faces = surface->faces,
      .block = memory_allocate_zero((size_t)surface->faces * BLOCK, sizeof(double))};
  vec3 *values = memory_allocate((size_t)body->nodes * sizeof *values);
  bool *outside = memory_allocate_zero((size_t)body->nodes, sizeof *outside);
  for (int k = 0; k < surface->faces * surface->corners; k++) outside[surface->corner[k]] = true;
  for (int n = 0; n < body->nodes; n++)
    for (int a = 0; outside[n] && a < 3; a++) {
      for (int i = 0; i < body->nodes; i++) values[i] = (vec3){0, 0, 0};
      values[n] = (vec3){a == 0, a == 1, a == 2};
      finite_body_respond(body, values);
      keep_column(&response, surface, values, n, a);
    }
  memory_free(values);
  memory_free(outside);
  return response;
}

void finite_response_destroy(FiniteResponse *response)
{
  if (response->block) assert_debug(response->faces > 0 && "a response that was made");
  memory_free(response->block);
  *response = (FiniteResponse){0};
}

mat3 finite_response_at(const FiniteResponse *response, const FinitePlace *place)
{
  assert_debug(place->face >= 0 && place->face < response->faces && "a face of the surface");
  const double *block = &response->block[(size_t)place->face * BLOCK];
  double w[3][3] = {{0}};
  for (int i = 0; i < FINITE_FACE; i++)
    for (int j = 0; j < FINITE_FACE; j++) {
      const double weight = place->weight[i] * place->weight[j];
      if (weight == 0) continue;
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) w[a][b] += weight * block[SIDE * (3 * i + a) + 3 * j + b];
    }
  return (mat3){
      {{w[0][0], w[0][1], w[0][2]}, {w[1][0], w[1][1], w[1][2]}, {w[2][0], w[2][1], w[2][2]}}};
}
