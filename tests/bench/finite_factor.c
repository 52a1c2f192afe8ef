// Processor time of what a step does in one body of finite elements: bench_finite_factor [REPEATS]
// Budgets: own forces 0.1 us a node, a solve 8 us at 45 nodes and 30 us at 112.
#include "finite_factor.h"
#include "finite_single.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "memory.h"

static const int CELLS[][3] = {{4, 2, 2}, {6, 3, 3}, {8, 4, 4}};
enum { MESHES = sizeof CELLS / sizeof CELLS[0], CALLS = 200 };

typedef enum { MAKE, SINGLE, DOUBLE, FORCES, WORKS } Work;

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct {
  FiniteMesh mesh;
  FiniteStiffness k0;
  double *mass, *added;
  FiniteFactor *factor;
  FiniteScratch *scratch;   // of the stiffness where that lies
  vec3 *x, *y, *z[3];
} Body;

static const double SCALE = 1e-6;

static Body body_new(const int cells[3])
{
  vec3 corner[FINITE_HEXAHEDRON];
  for (int c = 0; c < FINITE_HEXAHEDRON; c++)
    corner[c] = (vec3){c & 1 ? .4 : 0, c & 2 ? .2 : 0, c & 4 ? .2 : 0};
  const ElasticLaw law = {.young = 1e9, .poisson = 0.2};
  Body body = {.mesh = finite_mesh_hexahedra(corner, cells)};
  int bad;
  finite_stiffness_new(&body.mesh, &law, &body.k0, &bad);
  const size_t nodes = (size_t)body.mesh.nodes;
  body.mass = memory_allocate(nodes * sizeof(double));
  finite_mesh_shares(&body.mesh, body.mass);
  for (size_t n = 0; n < nodes; n++) body.mass[n] *= 2000;
  body.added = memory_allocate_zero((size_t)body.k0.start[nodes], sizeof(double));
  body.factor = finite_factor_new(&body.k0, SCALE, body.mass, NULL);
  body.x = memory_allocate(nodes * sizeof(vec3));
  for (int i = 0; i < 3; i++) body.z[i] = memory_allocate_zero(nodes, sizeof(vec3));
  body.y = memory_allocate(nodes * sizeof(vec3));
  return body;
}

static void body_destroy(Body *body)
{
  finite_factor_destroy(body->factor);
  finite_scratch_destroy(body->scratch);
  finite_stiffness_destroy(&body->k0);
  finite_mesh_destroy(&body->mesh);
  memory_free(body->mass);
  memory_free(body->added);
  memory_free(body->x);
  memory_free(body->y);
}

static FiniteSingle *make(const Body *body)
{
  const FiniteSum sum = {SCALE, body->mass, body->added};
  return finite_single_new(body->scratch, &sum);
}

static double time_work(Body *body, const FiniteSingle *single, Work work)
{
  const int calls = work == MAKE ? 1 : CALLS;
  for (int i = 0; i < 3; i++)
    for (int n = 0; n < body->mesh.nodes; n++) body->z[i][n] = (vec3){1, 2, n};
  for (int n = 0; n < body->mesh.nodes; n++) body->x[n] = (vec3){1, 2, n};
  const double at = seconds();
  for (int k = 0; k < calls; k++) {
    if (work == MAKE) finite_single_destroy(make(body));
    if (work == SINGLE)
      finite_single_solve((const FiniteSingle *[]){single, single, single, single}, 4,
                          (vec3 *[]){body->x, body->z[0], body->z[1], body->z[2]});
    if (work == DOUBLE) finite_factor_solve(body->factor, body->x);
    if (work == FORCES) finite_stiffness_force(&body->k0, body->x, body->y);
  }
  return (seconds() - at) / calls;
}

int main(int count, char **words)
{
  const int repeats = count > 1 ? atoi(words[1]) : 30;
  for (int m = 0; m < MESHES; m++) {
    Body body = body_new(CELLS[m]);
    body.scratch = finite_scratch_new(&body.k0, body.mesh.place, NULL);
    FiniteSingle *single = make(&body);
    double best[WORKS] = {1e9, 1e9, 1e9, 1e9};
    for (int r = 0; r < repeats; r++)
      for (Work work = MAKE; work < WORKS; work++) {
        const double taken = time_work(&body, single, work);
        if (taken < best[work]) best[work] = taken;
      }
    printf("%4d nodes, %6lld numbers: factor %8.1f us, solve %6.2f us in single precision, "
           "%6.2f us in double, forces %5.3f us a node\n",
           body.mesh.nodes, (long long)finite_factor_numbers(body.factor), 1e6 * best[MAKE],
           1e6 * best[SINGLE] / 4, 1e6 * best[DOUBLE], 1e6 * best[FORCES] / body.mesh.nodes);
    finite_single_destroy(single);
    body_destroy(&body);
  }
  return 0;
}
