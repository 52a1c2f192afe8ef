// Factors in single precision: the inverse but for rounding, whatever the order of the nodes is.
#include "finite_single.h"

#include <math.h>
#include <string.h>

#include "harness.h"
#include "memory.h"
#include "random_numbers.h"

typedef struct {
  FiniteMesh mesh;
  FiniteStiffness k0;
  double *mass;
  bool *held;
} Sample;

static const double SCALE = 1e-7;

// Nodes get other numbers, by chance.
static void shuffle(FiniteMesh *mesh, Random *random)
{
  for (int n = mesh->nodes - 1; n > 0; n--) {
    const int other = (int)random_between(random, 0, n + 0.999);
    const vec3 place = mesh->place[n];
    mesh->place[n] = mesh->place[other];
    mesh->place[other] = place;
    for (int c = 0; c < mesh->corners * mesh->cells; c++) {
      if (mesh->corner[c] == n) mesh->corner[c] = other;
      else if (mesh->corner[c] == other) mesh->corner[c] = n;
    }
  }
}

// Leaves out the cells in the middle of a row of four: two bodies in one mesh.
static FiniteMesh parted(const FiniteMesh *whole)
{
  FiniteMesh left = *whole;
  left.corner = memory_allocate((size_t)(whole->corners * whole->cells) * sizeof(int));
  left.cells = 0;
  for (int cell = 0; cell < whole->cells; cell++) {
    const int *corner = &whole->corner[whole->corners * cell];
    double x = 0;
    for (int c = 0; c < whole->corners; c++) x += whole->place[corner[c]].x / whole->corners;
    if (fabs(x - 0.2) < 0.1) continue;
    memcpy(&left.corner[whole->corners * left.cells++], corner,
           (size_t)whole->corners * sizeof(int));
  }
  FiniteMesh made = finite_mesh_copy(&left, (vec3){0, 0, 0});
  memory_free(left.corner);
  return made;
}

static Sample sample_new(const int cells[3], bool tetrahedra, bool in_two, Random *random)
{
  vec3 corner[FINITE_HEXAHEDRON];
  for (int c = 0; c < FINITE_HEXAHEDRON; c++)
    corner[c] = (vec3){c & 1 ? .4 : 0, c & 2 ? .2 : 0, c & 4 ? .2 : 0};
  FiniteMesh box = finite_mesh_hexahedra(corner, cells);
  Sample s = {.mesh = box};
  if (tetrahedra) s.mesh = finite_mesh_tetrahedra(&box);
  if (in_two) s.mesh = parted(&box);
  if (tetrahedra || in_two) finite_mesh_destroy(&box);
  shuffle(&s.mesh, random);
  const ElasticLaw law = {.young = 1e9, .poisson = 0.25};
  int bad;
  CHECK(finite_stiffness_new(&s.mesh, &law, &s.k0, &bad));
  const size_t nodes = (size_t)s.mesh.nodes;
  s.mass = memory_allocate(nodes * sizeof *s.mass);
  finite_mesh_shares(&s.mesh, s.mass);
  for (size_t n = 0; n < nodes; n++) s.mass[n] *= 2500;
  s.held = memory_allocate_zero(nodes, sizeof *s.held);
  return s;
}

static void sample_destroy(Sample *s)
{
  memory_free(s->mass);
  memory_free(s->held);
  finite_stiffness_destroy(&s->k0);
  finite_mesh_destroy(&s->mesh);
}

// Weights of points on random nodes, of any size, and on those that they share a cell with.
static double *weights_new(const FiniteStiffness *k0, Random *random)
{
  const int blocks = k0->start[k0->nodes];
  double *added = memory_allocate_zero((size_t)blocks, sizeof *added);
  for (int n = 0; n < k0->nodes; n++)
    for (int k = k0->start[n]; n % 3 == 0 && k < k0->start[n + 1]; k++) {
      const int other = k0->column[k];
      const double weight = exp(random_between(random, -5, 5));
      for (int back = k0->start[other]; other > n && back < k0->start[other + 1]; back++)
        if (k0->column[back] == n) added[k] = added[back] = weight / 4;
      for (int own = k0->start[n]; other > n && own < k0->start[n + 1]; own++)
        if (k0->column[own] == n) added[own] += weight / 4;
      for (int own = k0->start[other]; other > n && own < k0->start[other + 1]; own++)
        if (k0->column[own] == other) added[own] += weight / 4;
    }
  return added;
}

static void add_products(const Sample *s, const double *added, const vec3 *x, vec3 *to)
{
  for (int n = 0; n < s->mesh.nodes; n++)
    for (int k = s->k0.start[n]; k < s->k0.start[n + 1]; k++)
      to[n] = vec3_axpy(added[k], x[s->k0.column[k]], to[n]);
}

// How far (M + c K0 + added) x is from what was given, of the largest of that.
static double error_of(const Sample *s, const double *added, const vec3 *x, const vec3 *given)
{
  vec3 *got = memory_allocate((size_t)s->mesh.nodes * sizeof *got);
  finite_stiffness_force(&s->k0, x, got);
  for (int n = 0; n < s->mesh.nodes; n++)
    got[n] = vec3_axpy(s->mass[n], x[n], vec3_scale(SCALE, got[n]));
  add_products(s, added, x, got);
  double off = 0, largest = 0;
  for (int n = 0; n < s->mesh.nodes; n++) {
    if (s->held[n]) continue;
    off = fmax(off, vec3_norm(vec3_sub(got[n], given[n])));
    largest = fmax(largest, vec3_norm(given[n]));
  }
  memory_free(got);
  return off / largest;
}

static double product(int nodes, const vec3 *a, const vec3 *b)
{
  double sum = 0;
  for (int n = 0; n < nodes; n++) sum += vec3_dot(a[n], b[n]);
  return sum;
}

// Several factors of one mesh, alone and together: as the matrix, symmetric, the same bits.
static void check_factors(const Sample *s, Random *random)
{
  enum { MOST = FINITE_TOGETHER };
  const int nodes = s->mesh.nodes;
  const size_t bytes = (size_t)nodes * sizeof(vec3);
  FiniteScratch *scratch = finite_scratch_new(&s->k0, s->mesh.place, s->held);
  const FiniteSingle *factor[MOST];
  double *added[MOST];
  vec3 *given[MOST], *alone[MOST], *x[MOST];
  for (int i = 0; i < MOST; i++) {
    added[i] = weights_new(&s->k0, random);
    factor[i] = finite_single_new(scratch, &(FiniteSum){SCALE, s->mass, added[i]});
    if (!CHECK(factor[i] != NULL)) return;
    CHECK(finite_single_alike(factor[0], factor[i]));
    given[i] = memory_allocate(bytes);
    alone[i] = memory_allocate(bytes);
    x[i] = memory_allocate(bytes);
    const double size = pow(10, 60 * (i - 1));   // far beyond what single precision holds
    for (int n = 0; n < nodes; n++)
      given[i][n] = s->held[n] ? (vec3){0, 0, 0} : vec3_scale(size, random_in_cube(random, 1));
    memcpy(alone[i], given[i], bytes);
    memcpy(x[i], given[i], bytes);
    finite_single_solve(&factor[i], 1, &alone[i]);
    CHECK(error_of(s, added[i], alone[i], given[i]) < 5e-6);
    for (int n = 0; n < nodes; n++)
      if (s->held[n]) CHECK(vec3_norm(alone[i][n]) == 0);
  }
  for (int count = 2; count <= MOST; count++) {
    for (int i = 0; i < count; i++) memcpy(x[i], given[i], bytes);
    finite_single_solve(factor, count, x);
    for (int i = 0; i < count; i++) CHECK(memcmp(x[i], alone[i], bytes) == 0);
  }
  // b S^-1 a = a S^-1 b of one factor
  memcpy(x[0], given[1], bytes);
  memcpy(x[1], given[2], bytes);
  finite_single_solve((const FiniteSingle *[]){factor[1], factor[1]}, 2, x);
  CHECK_NEAR(product(nodes, given[2], x[0]) / product(nodes, given[1], x[1]), 1, 1e-5);
  // what was added comes to what is there
  memset(x[0], 0, bytes);
  add_products(s, added[1], given[1], x[0]);
  for (int n = 0; n < nodes; n++) x[0][n] = vec3_scale(-1, x[0][n]);
  finite_single_add_added(factor[1], given[1], x[0]);
  CHECK(product(nodes, x[0], x[0]) <= 1e-10 * product(nodes, given[1], given[1]));
  for (int n = 0; n < nodes; n++) x[0][n] = (vec3){0, 0, 0};
  finite_single_solve(factor, 1, x);
  CHECK(product(nodes, x[0], x[0]) == 0);
  for (int i = 0; i < MOST; i++) {
    finite_single_destroy((FiniteSingle *)factor[i]);
    memory_free(added[i]);
    memory_free(given[i]);
    memory_free(alone[i]);
    memory_free(x[i]);
  }
  finite_scratch_destroy(scratch);
}

// A matrix that nothing holds has no factor.
static void check_refusal(Sample *s)
{
  FiniteScratch *scratch = finite_scratch_new(&s->k0, s->mesh.place, s->held);
  double *added = memory_allocate_zero((size_t)s->k0.start[s->k0.nodes], sizeof *added);
  for (int n = 0; n < s->mesh.nodes; n++) s->mass[n] = 0;
  s->mass[s->mesh.nodes / 2] = -1;
  CHECK(finite_single_new(scratch, &(FiniteSum){1, s->mass, added}) == NULL);
  memory_free(added);
  finite_scratch_destroy(scratch);
}

int main(void)
{
  Random random = {41};
  const int cells[][3] = {{1, 1, 1}, {4, 2, 2}, {2, 5, 3}, {6, 4, 5}};
  for (size_t m = 0; m < sizeof cells / sizeof cells[0]; m++)
    for (int tetrahedra = 0; tetrahedra < 2; tetrahedra++) {
      Sample s = sample_new(cells[m], tetrahedra, false, &random);
      check_factors(&s, &random);
      for (int n = 0; n < s.mesh.nodes; n++) s.held[n] = s.mesh.place[n].x < 1e-9;
      check_factors(&s, &random);
      for (int n = 0; n < s.mesh.nodes; n++) s.held[n] = n != s.mesh.nodes / 2;
      check_factors(&s, &random);
      memset(s.held, 0, (size_t)s.mesh.nodes * sizeof *s.held);
      check_refusal(&s);
      sample_destroy(&s);
    }
  Sample two = sample_new((int[]){4, 2, 2}, false, true, &random);
  CHECK(two.mesh.nodes == 36);
  check_factors(&two, &random);
  sample_destroy(&two);
  return test_report();
}
