// Meshes of one body: exact volumes and shares, surfaces, pieces, constant strain on distorted
// cells, no resistance to rigid motions, cantilevers against Timoshenko's beam, own weight,
// turning, frequencies, stress.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "finite_blocks.h"
#include "finite_factor.h"
#include "finite_mesh.h"
#include "finite_modes.h"
#include "finite_stiffness.h"
#include "finite_stress.h"
#include "finite_surface.h"
#include "harness.h"
#include "memory.h"
#include "random_numbers.h"
#include "symmetric.h"

#define GRAVITY 9.81
#define PI 3.14159265358979323846

typedef enum { HEXAHEDRA, TETRAHEDRA } Kind;

static const char *const KIND_NAMES[] = {"hexahedra", "tetrahedra"};

static FiniteMesh box_mesh(Kind kind, vec3 low, vec3 high, const int cells[3])
{
  vec3 corner[FINITE_HEXAHEDRON];
  for (int c = 0; c < FINITE_HEXAHEDRON; c++)
    corner[c] = (vec3){c & 1 ? high.x : low.x, c & 2 ? high.y : low.y, c & 4 ? high.z : low.z};
  FiniteMesh mesh = finite_mesh_hexahedra(corner, cells);
  if (kind == HEXAHEDRA) return mesh;
  FiniteMesh parted = finite_mesh_tetrahedra(&mesh);
  finite_mesh_destroy(&mesh);
  return parted;
}

// Nodes inside the box by some share of the cells' sides.
static void shake(FiniteMesh *mesh, vec3 low, vec3 high, double most, Random *random)
{
  for (int n = 0; n < mesh->nodes; n++) {
    vec3 *at = &mesh->place[n];
    if (at->x > low.x && at->x < high.x && at->y > low.y && at->y < high.y && at->z > low.z &&
        at->z < high.z)
      *at = vec3_add(*at, random_in_cube(random, most));
  }
}

static FiniteStiffness stiffness_of(const FiniteMesh *mesh, ElasticLaw law)
{
  FiniteStiffness stiffness;
  int bad;
  CHECK(finite_stiffness_new(mesh, &law, &stiffness, &bad));
  return stiffness;
}

static double *masses(const FiniteMesh *mesh, double density)
{
  double *mass = memory_allocate((size_t)mesh->nodes * sizeof *mass);
  finite_mesh_shares(mesh, mass);
  for (int n = 0; n < mesh->nodes; n++) mass[n] *= density;
  return mass;
}

static bool *nodes_at(const FiniteMesh *mesh, double x, double room)
{
  bool *held = memory_allocate((size_t)mesh->nodes * sizeof *held);
  for (int n = 0; n < mesh->nodes; n++) held[n] = fabs(mesh->place[n].x - x) <= room;
  return held;
}

// ------------------------------------------------------------------------------------------------

// Cells of a shaken mesh fill the box; shares of nodes add up, about its centre.
static void test_shares(Random *random)
{
  const vec3 low = {-1, 0, 2}, high = {1, 1.5, 3};
  for (Kind kind = HEXAHEDRA; kind <= TETRAHEDRA; kind++) {
    FiniteMesh mesh = box_mesh(kind, low, high, (int[]){4, 3, 2});
    CHECK(mesh.nodes == 60 && mesh.cells == (kind == HEXAHEDRA ? 24 : 144));
    for (int cell = 0; cell < mesh.cells; cell++)
      CHECK_NEAR(finite_mesh_quality(&mesh, cell), kind == HEXAHEDRA ? 1 : 1 / sqrt(2), 1e-12);
    shake(&mesh, low, high, 0.12, random);
    double volume = 0, sum = 0;
    for (int cell = 0; cell < mesh.cells; cell++) {
      volume += finite_mesh_volume(&mesh, cell);
      CHECK(finite_mesh_quality(&mesh, cell) > 0.05);
    }
    double *share = masses(&mesh, 1);
    vec3 first = {0, 0, 0};
    for (int n = 0; n < mesh.nodes; n++) {
      CHECK(share[n] > 0);
      sum += share[n];
      first = vec3_axpy(share[n], mesh.place[n], first);
    }
    CHECK_NEAR(volume, 3, 1e-14);
    CHECK_NEAR(sum, 3, 1e-14);
    if (kind == TETRAHEDRA) CHECK_NEAR(vec3_norm(vec3_sub(first, (vec3){0, 2.25, 7.5})), 0, 1e-13);
    memory_free(share);
    finite_mesh_destroy(&mesh);
  }
}

// The faces of a box: closed, outward, its area; shares of their corners carry linear fields.
static void test_surface(Random *random)
{
  const vec3 low = {-1, 0, 2}, high = {1, 1.5, 3};
  for (Kind kind = HEXAHEDRA; kind <= TETRAHEDRA; kind++) {
    FiniteMesh mesh = box_mesh(kind, low, high, (int[]){4, 3, 2});
    shake(&mesh, low, high, 0.12, random);
    for (int n = 0; n < mesh.nodes; n++) {   // and within the face at the top
      vec3 *at = &mesh.place[n];
      if (at->z == high.z && fabs(at->x) < 1 && at->y > 0 && at->y < 1.5)
        at->x += random_between(random, -.1, .1), at->y += random_between(random, -.1, .1);
    }
    FiniteSurface surface = finite_surface_new(&mesh);
    CHECK(surface.faces == (kind == HEXAHEDRA ? 52 : 104));
    vec3 sum = {0, 0, 0};
    double area = 0, volume = 0, worst = 0;
    const vec3 slope = random_in_cube(random, 1);
    for (int face = 0; face < surface.faces; face++) {
      const vec3 out = finite_surface_area(&mesh, &surface, face);
      const int *corner = &surface.corner[surface.corners * face];
      vec3 place = {0, 0, 0};
      double share[4], total = 0, weights[FINITE_FACE], given = 0, carried = 0, one = 0;
      for (int k = 0; k < surface.corners; k++) total += share[k] = random_between(random, 0, 1);
      for (int k = 0; k < surface.corners; k++)
        place = vec3_axpy(share[k] / total, mesh.place[corner[k]], place);
      given = vec3_dot(slope, place);
      finite_surface_weights(&mesh, &surface, face, place, weights);
      for (int k = 0; k < surface.corners; k++) {
        one += weights[k];
        carried += weights[k] * vec3_dot(slope, mesh.place[corner[k]]);
        CHECK(weights[k] > -1e-12 && corner[0] <= corner[k]);
      }
      worst = fmax(worst, fmax(fabs(carried - given), fabs(one - 1)));
      sum = vec3_add(sum, out);
      area += vec3_norm(out);
      volume += vec3_dot(out, mesh.place[corner[0]]) / 3;
    }
    CHECK_NEAR(vec3_norm(sum), 0, 1e-13);
    CHECK_NEAR(area, 2 * (3 + 2 + 1.5), 1e-12);
    CHECK_NEAR(volume, 3, 1e-12);
    CHECK(worst < 1e-13);
    finite_surface_destroy(&surface);
    finite_mesh_destroy(&mesh);
  }
}

// The same stress at all nodes, 1e6 Pa being large; a body that has grown as free as its
// temperature makes it has the stress that it had.
static void check_stress(const FiniteMesh *mesh, vec3 *d, sym3 expected)
{
  const ElasticLaw law = {.young = 1e9, .poisson = 0.3, .expansion = 1e-5};
  sym3 *stress = memory_allocate((size_t)mesh->nodes * sizeof *stress);
  for (int warm = 0; warm < 2; warm++) {
    for (int n = 0; n < mesh->nodes && warm; n++) d[n] = vec3_axpy(1e-5 * 40, mesh->place[n], d[n]);
    finite_stress_nodes(&(FiniteDeformed){mesh, &law, d, 40.0 * warm}, stress);
    for (int n = 0; n < mesh->nodes; n++) {
      const sym3 off = symmetric_axpy(-1, expected, stress[n]);
      const double worst = fmax(fmax(fabs(off.xx), fmax(fabs(off.yy), fabs(off.zz))),
                                fmax(fabs(off.xy), fmax(fabs(off.xz), fabs(off.yz))));
      CHECK_NEAR(worst, 0, 1e-12 * 1e6);
    }
  }
  memory_free(stress);
}

// A linear displacement strains all cells alike, however they are shaped: no force inside, and the
// energy of the strain. Rigid motions meet no resistance, all else does.
static void test_constant_strain(Random *random)
{
  const ElasticLaw law = {.young = 1e9, .poisson = 0.3};
  const vec3 low = {0, 0, 0}, high = {1, 1, 1};
  const double shear = law.young / (2 * (1 + law.poisson));
  const double lambda = 2 * shear * law.poisson / (1 - 2 * law.poisson);
  for (Kind kind = HEXAHEDRA; kind <= TETRAHEDRA; kind++) {
    FiniteMesh mesh = box_mesh(kind, low, high, (int[]){3, 3, 3});
    shake(&mesh, low, high, 0.1, random);
    FiniteStiffness k0 = stiffness_of(&mesh, law);
    vec3 *d = memory_allocate((size_t)mesh.nodes * sizeof *d);
    vec3 *f = memory_allocate((size_t)mesh.nodes * sizeof *f);
    for (int round = 0; round < 5; round++) {
      const bool rigid = round == 4;
      mat3 by = {{random_in_cube(random, 1e-3), random_in_cube(random, 1e-3),
                  random_in_cube(random, 1e-3)}};
      if (rigid) by = mat3_skew(random_in_cube(random, 1e-3));
      for (int n = 0; n < mesh.nodes; n++)
        d[n] = vec3_add(mat3_mul(by, mesh.place[n]), (vec3){1e-3, 2e-3, -1e-3});
      finite_stiffness_force(&k0, d, f);
      for (int n = 0; n < mesh.nodes; n++) {
        const vec3 at = mesh.place[n];
        const bool inside = at.x > 0 && at.x < 1 && at.y > 0 && at.y < 1 && at.z > 0 && at.z < 1;
        if (inside || rigid) CHECK_NEAR(vec3_norm(f[n]), 0, 1e-13 * law.young * 1e-3);
      }
      const double trace = by.row[0].x + by.row[1].y + by.row[2].z;
      const double xy = (by.row[0].y + by.row[1].x) / 2, xz = (by.row[0].z + by.row[2].x) / 2;
      const double yz = (by.row[1].z + by.row[2].y) / 2;
      const double squares = by.row[0].x * by.row[0].x + by.row[1].y * by.row[1].y +
                             by.row[2].z * by.row[2].z + 2 * (xy * xy + xz * xz + yz * yz);
      const double energy = lambda * trace * trace / 2 + shear * squares;
      CHECK_NEAR(finite_stiffness_energy(&k0, d), energy, 1e-12 * law.young * 1e-6);
      check_stress(&mesh, d,
                   (sym3){lambda * trace + 2 * shear * by.row[0].x, 2 * shear * xy, 2 * shear * xz,
                          lambda * trace + 2 * shear * by.row[1].y, 2 * shear * yz,
                          lambda * trace + 2 * shear * by.row[2].z});
    }
    // of six motions alone
    double *mass = masses(&mesh, 2000), omega[1];
    CHECK(finite_modes(&k0, mass, NULL, 1, omega) && omega[0] > 100);
    memory_free(mass);
    memory_free(f);
    memory_free(d);
    finite_stiffness_destroy(&k0);
    finite_mesh_destroy(&mesh);
  }
}

// The deflection of a cantilever 1 x .1 x .1 over that of Timoshenko's beam.
static double cantilever(Kind kind, int through)
{
  const ElasticLaw law = {.young = 1e9, .poisson = 0.3};
  FiniteMesh mesh =
      box_mesh(kind, (vec3){0, 0, 0}, (vec3){1, .1, .1}, (int[]){10 * through, through, through});
  FiniteStiffness k0 = stiffness_of(&mesh, law);
  bool *held = nodes_at(&mesh, 0, 1e-9), *end = nodes_at(&mesh, 1, 1e-9);
  FiniteFactor *factor = finite_factor_new(&k0, 1, NULL, held);
  vec3 *d = memory_allocate_zero((size_t)mesh.nodes, sizeof *d);
  const int side = through + 1;
  double sum = 0;
  for (int pass = 0; pass < 2; pass++) {   // by what area each node of the end has
    for (int n = 0; n < mesh.nodes; n++) {
      if (!end[n]) continue;
      const int y = n / (10 * through + 1) % side, z = n / (10 * through + 1) / side;
      const double share = (y == 0 || y == through ? 0.5 : 1) * (z == 0 || z == through ? 0.5 : 1) /
                           (through * through);
      if (pass == 0) d[n].z = share;
      else sum += share * d[n].z;
    }
    if (pass == 0 && CHECK(factor != NULL)) finite_factor_solve(factor, d);
  }
  const double inertia = 1e-4 / 12, shear = law.young / 2.6, area = 0.01 * 5 / 6;
  const double beam = 1 / (3 * law.young * inertia) + 1 / (shear * area);
  finite_factor_destroy(factor);
  memory_free(d);
  memory_free(end);
  memory_free(held);
  finite_stiffness_destroy(&k0);
  finite_mesh_destroy(&mesh);
  return sum / beam;
}

static void test_cantilever(void)
{
  // of tetrahedra by dense matrices of the definition, the last by the finest hexahedra
  static const double expected[2][3] = {{0.985, 0.987, 0.99}, {0.6407, 0.9488, 0.9945}};
  static const int through[3] = {1, 2, 4};
  for (Kind kind = HEXAHEDRA; kind <= TETRAHEDRA; kind++) {
    for (int k = 0; k < 3; k++) {
      const double ratio = cantilever(kind, through[k]);
      printf("cantilever of %s, %d through its height: %.4f of the beam's deflection\n",
             KIND_NAMES[kind], through[k], ratio);
      CHECK_NEAR(ratio, expected[kind][k], kind == TETRAHEDRA && k < 2 ? 1e-4 : 1e-3);
    }
  }
}

// A column without Poisson's effect sinks under its own weight by rho g l^2 / 2E at the top.
static void test_own_weight(void)
{
  const ElasticLaw law = {.young = 1e6, .poisson = 0};
  for (Kind kind = HEXAHEDRA; kind <= TETRAHEDRA; kind++) {
    FiniteMesh mesh = box_mesh(kind, (vec3){0, 0, 0}, (vec3){.5, .2, .2}, (int[]){4, 2, 2});
    FiniteStiffness k0 = stiffness_of(&mesh, law);
    double *mass = masses(&mesh, 2000), mean = 0;
    bool *held = nodes_at(&mesh, 0, 1e-9), *top = nodes_at(&mesh, .5, 1e-9);
    FiniteFactor *factor = finite_factor_new(&k0, 1, NULL, held);
    vec3 *d = memory_allocate((size_t)mesh.nodes * sizeof *d);
    for (int n = 0; n < mesh.nodes; n++) d[n] = (vec3){-GRAVITY * mass[n], 0, 0};
    finite_factor_solve(factor, d);
    for (int n = 0; n < mesh.nodes; n++) {
      if (!top[n]) continue;
      if (kind == HEXAHEDRA) CHECK_NEAR(d[n].x, -2.4525e-3, 1e-15);
      mean += d[n].x / 9;
    }
    sym3 *stress = memory_allocate((size_t)mesh.nodes * sizeof *stress);
    finite_stress_nodes(&(FiniteDeformed){&mesh, &law, d, 0}, stress);
    double worst = 0;
    for (int n = 0; n < mesh.nodes; n++) {   // where several layers meet
      const double weight = 2000 * GRAVITY * (.5 - mesh.place[n].x);
      if (!held[n] && !top[n]) worst = fmax(worst, fabs(stress[n].xx + weight));
    }
    printf("column of %s: stress off by %.1e of that below\n", KIND_NAMES[kind],
           worst / (1000 * GRAVITY));
    // of tetrahedra half the change over a cell, .125 m of .5 m
    CHECK(worst < (kind == HEXAHEDRA ? 1e-13 : 0.125) * 1000 * GRAVITY);
    memory_free(stress);
    printf("column of %s sinks %.4e m\n", KIND_NAMES[kind], -mean);
    CHECK_NEAR(mean, -2.4525e-3, kind == HEXAHEDRA ? 1e-15 : 2e-5);
    finite_factor_destroy(factor);
    memory_free(d);
    memory_free(top);
    memory_free(held);
    memory_free(mass);
    finite_stiffness_destroy(&k0);
    finite_mesh_destroy(&mesh);
  }
}

// The nodes of a beam as pure bending puts them: hexahedra have the linear stress to rounding, one
// through the height as well as several, since their modes bend.
static void test_bending(void)
{
  const ElasticLaw law = {.young = 1e9, .poisson = 0.3};
  const double curvature = 1e-3;   // 1/m
  for (int through = 1; through <= 3; through++) {
    FiniteMesh mesh =
        box_mesh(HEXAHEDRA, (vec3){0, -.1, -.1}, (vec3){1, .1, .1}, (int[]){5, through, through});
    vec3 *d = memory_allocate((size_t)mesh.nodes * sizeof *d);
    sym3 *stress = memory_allocate((size_t)mesh.nodes * sizeof *stress);
    for (int n = 0; n < mesh.nodes; n++) {
      const vec3 at = mesh.place[n];
      const double across = at.x * at.x + law.poisson * (at.z * at.z - at.y * at.y);
      d[n] = vec3_scale(curvature, (vec3){at.x * at.z, -law.poisson * at.y * at.z, -across / 2});
    }
    finite_stress_nodes(&(FiniteDeformed){&mesh, &law, d, 0}, stress);
    double worst = 0;
    for (int n = 0; n < mesh.nodes; n++) {
      const sym3 s = stress[n];
      const double along = law.young * curvature * mesh.place[n].z;
      worst = fmax(worst, fabs(s.xx - along));
      worst = fmax(worst, fmax(fmax(fabs(s.yy), fabs(s.zz)), fmax(fabs(s.xy), fabs(s.xz))));
      CHECK_NEAR(finite_stress_mises(s), fabs(along), 1e-12 * 1e5);
      const vec3 principal = finite_stress_principal(s);
      CHECK_NEAR(principal.x, fmax(along, 0), 1e-12 * 1e5);
      CHECK_NEAR(principal.y, 0, 1e-12 * 1e5);
      CHECK_NEAR(principal.z, fmin(along, 0), 1e-12 * 1e5);
    }
    printf("pure bending, %d through the height: stress off by %.1e of the largest\n", through,
           worst / 1e5);
    CHECK(worst < 1e-12 * 1e5);
    memory_free(stress);
    memory_free(d);
    finite_mesh_destroy(&mesh);
  }
}

// Principal stresses keep the invariants, in order, however the axes lie; von Mises' follows them.
static void test_principal(Random *random)
{
  for (int round = 0; round < 1000; round++) {
    const vec3 a = random_in_cube(random, 1), b = random_in_cube(random, round % 7 ? 1 : 0);
    const sym3 s = {a.x, b.x, b.y, a.y, b.z, a.z};
    const vec3 p = finite_stress_principal(s);
    CHECK(p.x >= p.y && p.y >= p.z);
    CHECK_NEAR(p.x + p.y + p.z, a.x + a.y + a.z, 1e-14);
    CHECK_NEAR(p.x * p.y * p.z, mat3_determinant(mat3_of_sym3(s)), 1e-14);
    const double x = p.x - p.y, y = p.y - p.z, z = p.z - p.x;
    CHECK_NEAR(finite_stress_mises(s), sqrt((x * x + y * y + z * z) / 2), 1e-14);
  }
}

// A bar that turns about its middle: the tip goes out by rho w^2 (l/2)^3 / 3E.
static void test_turning(void)
{
  static const double expected[2] = {1.0204, 1.0054};
  const ElasticLaw law = {.young = 2e8, .poisson = 0};
  const double w = 20, density = 2000, tip = density * w * w * 0.125 / (3 * law.young);
  for (int k = 0; k < 2; k++) {
    const int along = k ? 20 : 10;
    FiniteMesh mesh =
        box_mesh(HEXAHEDRA, (vec3){-.5, -.05, -.05}, (vec3){.5, .05, .05}, (int[]){along, 1, 1});
    FiniteStiffness k0 = stiffness_of(&mesh, law);
    double *mass = masses(&mesh, density);
    bool *middle = nodes_at(&mesh, 0, 1e-9);
    FiniteFactor *factor = finite_factor_new(&k0, 1, NULL, middle);
    vec3 *d = memory_allocate((size_t)mesh.nodes * sizeof *d);
    for (int n = 0; n < mesh.nodes; n++) d[n] = (vec3){mass[n] * w * w * mesh.place[n].x, 0, 0};
    finite_factor_solve(factor, d);
    CHECK_NEAR(d[along].x / tip, expected[k], 1e-3);
    printf("turning bar of %d cells: tip %.4f of the exact\n", along, d[along].x / tip);
    finite_factor_destroy(factor);
    memory_free(d);
    memory_free(middle);
    memory_free(mass);
    finite_stiffness_destroy(&k0);
    finite_mesh_destroy(&mesh);
  }
}

// Frequencies: the clamped beam's first one, in both directions; a free bar's stretching.
static void test_frequencies(void)
{
  static const double expected[2] = {0.994, 0.999};
  for (int k = 0; k < 2; k++) {
    const int through = k + 1;
    const ElasticLaw law = {.young = 1e7, .poisson = 0.3};
    FiniteMesh mesh = box_mesh(HEXAHEDRA, (vec3){0, 0, 0}, (vec3){1, .1, .1},
                               (int[]){10 * through, through, through});
    FiniteStiffness k0 = stiffness_of(&mesh, law);
    double *mass = masses(&mesh, 1000), omega[2];
    bool *held = nodes_at(&mesh, 0, 1e-9);
    if (CHECK(finite_modes(&k0, mass, held, 2, omega))) {
      const double ratio = omega[0] / (2 * PI) / 1.61540;
      printf("beam of %d x %d x %d hexahedra: %.4f of its first frequency\n", 10 * through, through,
             through, ratio);
      CHECK_NEAR(ratio, expected[k], 1e-3);
      CHECK_NEAR(omega[1] / omega[0], 1, 1e-6);
    }
    memory_free(held);
    memory_free(mass);
    finite_stiffness_destroy(&k0);
    finite_mesh_destroy(&mesh);
  }
}

// A slender free bar: Euler's and Bernoulli's lowest frequency, twice, far below the highest of the
// mesh.
static void test_slender(void)
{
  const ElasticLaw law = {.young = 1e10, .poisson = 0};
  const double side = 0.02, density = 2500;
  FiniteMesh mesh = box_mesh(HEXAHEDRA, (vec3){0, 0, 0}, (vec3){1, side, side}, (int[]){60, 1, 1});
  FiniteStiffness k0 = stiffness_of(&mesh, law);
  double *mass = masses(&mesh, density), omega[3];
  const double bar = 4.730040745 * 4.730040745 * sqrt(law.young * side * side / (12 * density));
  if (CHECK(finite_modes(&k0, mass, NULL, 3, omega))) {
    printf("slender bar: %.4f of its lowest frequency, %.4f of the next\n", omega[0] / bar,
           omega[2] / bar / 2.756539);
    CHECK_NEAR(omega[0] / bar, 1, 0.01);
    CHECK_NEAR(omega[1] / omega[0], 1, 1e-6);
    CHECK_NEAR(omega[2] / bar, 2.756539, 0.05);
  }
  memory_free(mass);
  finite_stiffness_destroy(&k0);
  finite_mesh_destroy(&mesh);
}

// One cell of all unknowns: squares of frequencies add up to the trace of M^-1 K0.
static void test_trace(Random *random)
{
  const ElasticLaw law = {.young = 3e9, .poisson = 0.2};
  FiniteMesh mesh = box_mesh(TETRAHEDRA, (vec3){0, 0, 0}, (vec3){.4, .3, .2}, (int[]){1, 1, 1});
  mesh.place[7] = vec3_add(mesh.place[7], random_in_cube(random, 0.02));
  mesh.cells = 1;   // 4 nodes: 6 ways to strain
  const vec3 four[4] = {{0, 0, 0}, {.4, 0, 0}, {.1, .3, 0}, {.1, .1, .2}};
  memcpy(mesh.place, four, sizeof four);
  for (int c = 0; c < 4; c++) mesh.corner[c] = c;
  mesh.nodes = 4;
  FiniteStiffness k0 = stiffness_of(&mesh, law);
  double *mass = masses(&mesh, 2000), omega[6], trace = 0, sum = 0;
  for (int n = 0; n < 4; n++)
    for (int k = k0.start[n]; k < k0.start[n + 1]; k++)
      if (k0.column[k] == n)
        for (int e = 0; e < 9; e += 4) trace += k0.value[9 * k + e] / mass[n];
  if (CHECK(finite_modes(&k0, mass, NULL, 6, omega)))
    for (int i = 0; i < 6; i++) sum += omega[i] * omega[i];
  CHECK_NEAR(sum / trace, 1, 1e-12);
  CHECK(!finite_modes(&k0, mass, NULL, 7, omega));
  memory_free(mass);
  finite_stiffness_destroy(&k0);
  finite_mesh_destroy(&mesh);
}

// Blocks: no cell is lost, none has too many nodes, those that follow share corners, and pieces
// that move as the whole does resist as it does.
static void test_blocks(Random *random)
{
  const ElasticLaw law = {.young = 1e9, .poisson = 0.2};
  static const struct {
    int cells[3], most, pieces;
  } cases[] = {{{20, 4, 4}, 100, 7}, {{3, 3, 6}, 50, 4}, {{2, 2, 2}, 27, 1},
               {{2, 2, 2}, 26, 2},   {{1, 1, 7}, 8, 7},  {{5, 5, 5}, 1, 125}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    vec3 corner[FINITE_HEXAHEDRON];
    for (int c = 0; c < FINITE_HEXAHEDRON; c++)
      corner[c] = vec3_add((vec3){c & 1 ? 2 : 0, c & 2 ? .4 : 0, c & 4 ? .5 : 0},
                           random_in_cube(random, .05));
    FiniteMesh whole = finite_mesh_hexahedra(corner, cases[k].cells);
    int blocks[3], cells = 0;
    finite_blocks_count(cases[k].cells, cases[k].most, blocks);
    const int pieces = blocks[0] * blocks[1] * blocks[2];
    CHECK(pieces == cases[k].pieces);
    const vec3 bend = random_in_cube(random, 1e-3);
    double sum = 0, volume = 0, energy = 0;
    for (int p = 0; p <= pieces; p++) {   // the whole mesh last
      FiniteMesh mesh = whole;
      if (p < pieces) {
        const FiniteBlock block = finite_blocks_find(cases[k].cells, blocks, p);
        vec3 of[FINITE_HEXAHEDRON];
        finite_blocks_corners(corner, cases[k].cells, &block, of);
        mesh = finite_mesh_hexahedra(of, block.cells);
        cells += mesh.cells;
        const bool single = block.cells[0] * block.cells[1] * block.cells[2] == 1;
        CHECK(mesh.nodes <= cases[k].most || single);
        int missing = 0;
        for (int n = 0; n < mesh.nodes; n++) {
          double nearest = INFINITY;
          for (int m = 0; m < whole.nodes; m++)
            nearest = fmin(nearest, vec3_norm(vec3_sub(whole.place[m], mesh.place[n])));
          missing += nearest > 1e-14;
        }
        CHECK(missing == 0);
      }
      for (int c = 0; p < pieces && c < mesh.cells; c++) volume += finite_mesh_volume(&mesh, c);
      FiniteStiffness k0 = stiffness_of(&mesh, law);
      vec3 *d = memory_allocate((size_t)mesh.nodes * sizeof *d);
      for (int n = 0; n < mesh.nodes; n++) {
        const vec3 at = mesh.place[n];
        d[n] = (vec3){bend.x * at.y * at.x, bend.y * at.z * at.z, bend.z * at.x * at.x};
      }
      energy = finite_stiffness_energy(&k0, d);
      if (p < pieces) sum += energy;
      memory_free(d);
      finite_stiffness_destroy(&k0);
      if (p < pieces) finite_mesh_destroy(&mesh);
    }
    CHECK_NEAR(sum / energy, 1, 1e-12);
    double all = 0;
    for (int c = 0; c < whole.cells; c++) all += finite_mesh_volume(&whole, c);
    CHECK_NEAR(volume / all, 1, 1e-13);
    CHECK(cells == whole.cells);
    finite_mesh_destroy(&whole);
  }
}

int main(void)
{
  Random random = {25};
  test_shares(&random);
  test_surface(&random);
  test_constant_strain(&random);
  test_cantilever();
  test_own_weight();
  test_bending();
  test_principal(&random);
  test_turning();
  test_frequencies();
  test_slender();
  test_trace(&random);
  test_blocks(&random);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
