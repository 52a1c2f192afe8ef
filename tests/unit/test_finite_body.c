// One step of a body of finite elements: waves with the period of the time scheme, works that
// close, momenta to rounding, temperature, and a body that tumbles.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "finite_body.h"
#include "harness.h"
#include "memory.h"
#include "random_numbers.h"
#include "rotation.h"

#define PI 3.14159265358979323846

typedef struct {
  FiniteBody *body;
  FiniteMesh mesh;
  vec3 *d, *rate, *end, *next;   // [nodes]
} Sample;

// Moments of a box about its middle.
static FiniteMoments box_moments(vec3 sides, double density)
{
  const double mass = density * sides.x * sides.y * sides.z;
  const double x = sides.x * sides.x, y = sides.y * sides.y, z = sides.z * sides.z;
  return (FiniteMoments){
      mass, mat3_diagonal(mass * (y + z) / 12, mass * (x + z) / 12, mass * (x + y) / 12)};
}

static FiniteMesh box_mesh(vec3 sides, const int cells[3])
{
  vec3 corner[FINITE_HEXAHEDRON];
  for (int c = 0; c < FINITE_HEXAHEDRON; c++)
    corner[c] = (vec3){(c & 1 ? .5 : -.5) * sides.x, (c & 2 ? .5 : -.5) * sides.y,
                       (c & 4 ? .5 : -.5) * sides.z};
  return finite_mesh_hexahedra(corner, cells);
}

static Sample sample_new(vec3 sides, double density, const int cells[3], FiniteInput input)
{
  Sample of = {.mesh = box_mesh(sides, cells)};
  int bad;
  input.moments = box_moments(sides, density);
  of.body = finite_body_new(&of.mesh, &input, &bad);
  const size_t count = (size_t)of.mesh.nodes;
  of.d = memory_allocate_zero(count, sizeof(vec3));
  of.rate = memory_allocate_zero(count, sizeof(vec3));
  of.end = memory_allocate(count * sizeof(vec3));
  of.next = memory_allocate(count * sizeof(vec3));
  return of;
}

static void sample_destroy(Sample *of)
{
  finite_body_destroy(of->body);
  finite_mesh_destroy(&of->mesh);
  memory_free(of->d);
  memory_free(of->rate);
  memory_free(of->end);
  memory_free(of->next);
}

static void drift(Sample *of, double time)
{
  for (int n = 0; n < of->mesh.nodes; n++) of->d[n] = vec3_axpy(time, of->rate[n], of->d[n]);
}

// A step of a body that does not turn; what acts there and temperatures at its three instants.
static AffineWorks step(Sample *of, const vec3 *force, const double temperature[3])
{
  const double h = of->body->step;
  drift(of, h / 2);
  const FiniteMiddle middle = {
      .displacement = of->d, .rate = of->rate, .force = force, .temperature = temperature[1]};
  finite_body_free(of->body, &middle, of->end);
  finite_body_rate(of->body, of->d, of->end, of->next);
  const AffineWorks works = finite_body_works(of->body, &middle, of->next, temperature);
  memcpy(of->rate, of->next, (size_t)of->mesh.nodes * sizeof(vec3));
  drift(of, h / 2);
  return works;
}

static double energy_of(const Sample *of, double temperature)
{
  return finite_body_energy(of->body, of->d, temperature) +
         finite_body_rate_energy(of->body, of->rate);
}

static const double COLD[3] = {0};

// Mass, centre and inertia are the body's but across a single layer; impulses keep their momentum.
static void test_masses(Random *random)
{
  static const int cells[4][3] = {{4, 2, 2}, {2, 2, 2}, {3, 5, 2}, {4, 1, 1}};
  const vec3 sides = {.4, .2, .1};
  for (int k = 0; k < 4; k++) {
    FiniteMesh mesh = box_mesh(sides, cells[k]);
    double *mass = memory_allocate((size_t)mesh.nodes * sizeof *mass), sum = 0;
    for (int n = 0; n < mesh.nodes && k < 3; n++) {   // inside, so that the mesh is irregular
      const vec3 at = mesh.place[n];
      if (fabs(at.x) < .19 && fabs(at.y) < .09 && fabs(at.z) < .04)
        mesh.place[n] = vec3_add(at, random_in_cube(random, .01));
    }
    const FiniteMoments moments = box_moments(sides, 2400);
    const double error = finite_masses(&mesh, &moments, mass);
    vec3 first = {0, 0, 0};
    for (int n = 0; n < mesh.nodes; n++) {
      CHECK(mass[n] > 0);
      sum += mass[n];
      first = vec3_axpy(mass[n], mesh.place[n], first);
    }
    CHECK_NEAR(sum, moments.mass, 1e-13 * moments.mass);
    CHECK_NEAR(vec3_norm(first), 0, 1e-14 * moments.mass);
    // a layer: (1/4 - 1/12) of its square, the side .2 of .4, .2, .1
    CHECK_NEAR(error, k < 3 ? 0 : 2 * .04 / (.16 + .04 + .01), 1e-12);
    memory_free(mass);
    finite_mesh_destroy(&mesh);
  }
}

static void test_momentum(Random *random)
{
  const FiniteInput input = {
      .law = {.young = 5e10, .poisson = 0.2}, .step = 1e-2, .high_frequency_ratio = 0.9};
  Sample of = sample_new((vec3){.4, .2, .1}, 2400, (int[]){4, 2, 2}, input);
  CHECK(of.body->inertia_error < 1e-13);
  vec3 sum = {0, 0, 0}, momentum = {0, 0, 0};
  for (int n = 0; n < of.mesh.nodes; n++) {
    of.d[n] = random_in_cube(random, 1);
    sum = vec3_add(sum, of.d[n]);
  }
  finite_body_respond(of.body, of.d);
  for (int n = 0; n < of.mesh.nodes; n++)
    momentum = vec3_axpy(of.body->lumped[n], of.d[n], momentum);
  CHECK_NEAR(vec3_norm(vec3_sub(sum, momentum)), 0, 1e-14 * of.mesh.nodes);
  sample_destroy(&of);
}

// The lowest wave along a bar of [along] cells that does not bend; returns its angular frequency,
// rad/s.
static double find_wave(Sample *of, int along, double height)
{
  const FiniteBody *body = of->body;
  const int sections = along + 1, nodes = of->mesh.nodes, each = nodes / sections;
  const double length = 2 * fabs(of->mesh.place[0].x);
  FiniteFactor *factor = finite_factor_new(&body->stiffness, 1e-6, body->lumped, NULL);
  for (int n = 0; n < nodes; n++) of->d[n].x = cos(PI * (of->mesh.place[n].x / length + .5));
  double square = 0;
  for (int i = 0; i < 60; i++) {
    double mean = 0, top = 0;
    for (int n = 0; n < nodes; n++) mean += body->lumped[n] * of->d[n].x / body->mass;
    for (int x = 0; x < sections; x++) {   // no part of a rigid motion may grow
      double sum = 0;
      for (int n = x; n < nodes; n += sections) sum += of->d[n].x / each;
      for (int n = x; n < nodes; n += sections) of->d[n] = (vec3){sum - mean, 0, 0};
      top = fmax(top, fabs(sum - mean));
    }
    for (int n = 0; n < nodes; n++) of->d[n] = vec3_scale(height / top, of->d[n]);
    square = finite_body_energy(of->body, of->d, 0) / finite_body_rate_energy(body, of->d);
    if (i == 59) break;
    for (int n = 0; n < nodes; n++) of->d[n] = vec3_scale(body->lumped[n], of->d[n]);
    finite_factor_solve(factor, of->d);
  }
  finite_factor_destroy(factor);
  return sqrt(square);
}

// A bar that stretches and shortens in its lowest wave turns by 2 atan(omega h/2) a step, at
// whatever step, and keeps its energy.
static void test_wave(void)
{
  const double young = 1e9, density = 2500, length = 1, c = sqrt(young / density);
  for (int k = 0; k < 3; k++) {
    const double h = (k == 0 ? 0.1 : k == 1 ? 1 : 30) * length / c;
    const FiniteInput input = {.law = {.young = young}, .step = h, .high_frequency_ratio = 1};
    Sample of = sample_new((vec3){length, .1, .1}, density, (int[]){10, 1, 1}, input);
    const double omega = find_wave(&of, 10, 1e-4), first = of.d[0].x, energy = energy_of(&of, 0);
    CHECK_NEAR(omega / (PI * c / length), 1, 0.01);
    double worst = 0;
    for (int i = 1; i <= 100; i++) {
      step(&of, NULL, COLD);
      const double expected = first * cos(2 * i * atan(omega * h / 2));
      worst = fmax(worst, fabs(of.d[0].x - expected));
      CHECK_NEAR(energy_of(&of, 0) / energy, 1, 1e-10);
    }
    printf("wave, %.1f bars a step: displacement off by %.1e of its height\n", h * c / length,
           worst / 1e-4);
    CHECK(worst < 1e-4 * 1e-9);
    sample_destroy(&of);
  }
}

// Energy changes by what damping, the time scheme, temperature and forces do, in every step.
static void test_works(Random *random)
{
  const FiniteInput input = {
      .law = {.young = 1e9, .poisson = 0.25, .damping = 1e-4, .expansion = 1e-5},
      .step = 1e-3,
      .high_frequency_ratio = 0.8};
  Sample of = sample_new((vec3){.4, .2, .2}, 2400, (int[]){4, 2, 2}, input);
  vec3 *force = memory_allocate_zero((size_t)of.mesh.nodes, sizeof *force);
  double temperature = 0, before = 0, worst = 0, largest = 0;
  for (int i = 0; i < 200; i++) {
    // two forces against each other along the middle of the body
    force[20].x = random_between(random, -1e4, 1e4);
    force[24].x = -force[20].x;
    const double next = random_between(random, -20, 20);
    const double three[3] = {temperature, (temperature + next) / 2, next};
    const AffineWorks works = step(&of, force, three);
    const double now = energy_of(&of, next);
    const double sum = works.damping + works.scheme + works.load;
    worst = fmax(worst, fabs(now - before - sum));
    largest = fmax(largest, fabs(works.load));
    CHECK(works.damping <= 0);
    before = now;
    temperature = next;
  }
  printf("energy off the sum of works by %.1e of the largest\n", worst / largest);
  CHECK(largest > 1e-3 && worst < 1e-10 * largest);
  memory_free(force);
  sample_destroy(&of);
}

// A body as long as its temperature makes it neither moves nor has energy.
static void test_temperature(void)
{
  const FiniteInput input = {.law = {.young = 1e10, .poisson = 0.25, .expansion = 1e-5},
                             .step = 1e-3,
                             .high_frequency_ratio = 0.9};
  Sample of = sample_new((vec3){.4, .2, .2}, 2400, (int[]){3, 2, 2}, input);
  for (int n = 0; n < of.mesh.nodes; n++) of.d[n] = vec3_scale(1e-5 * 50, of.body->place[n]);
  const double warm[3] = {50, 50, 50}, cold = energy_of(&of, 0);
  for (int i = 0; i < 10; i++) step(&of, NULL, warm);
  CHECK(energy_of(&of, 50) < 1e-20 * cold && cold > 1);
  sample_destroy(&of);
}

// A stiff body that tumbles: its momentum is state, its energy swings by little and does not
// drift.
static void test_tumbling(void)
{
  const FiniteInput input = {
      .law = {.young = 1e10, .poisson = 0.2}, .step = 1e-3, .high_frequency_ratio = 1};
  Sample of = sample_new((vec3){.4, .2, .1}, 2400, (int[]){4, 2, 2}, input);
  const double h = input.step;
  vec3 spin = {3, 8, 5};
  quat turned = quat_identity();
  const vec3 momentum = mat3_mul(finite_body_inertia(of.body, of.d), spin);
  double first = 0, low = INFINITY, high = -INFINITY;
  for (int i = 0; i < 2000; i++) {
    turned = rotation_apply(turned, spin, h / 2);
    drift(&of, h / 2);
    const mat3 r = quat_to_mat3(turned);
    const FiniteMiddle middle = {
        .displacement = of.d, .rate = of.rate, .spin = mat3_mul_transposed(r, spin)};
    finite_body_free(of.body, &middle, of.end);
    finite_body_rate(of.body, of.d, of.end, of.next);
    memcpy(of.rate, of.next, (size_t)of.mesh.nodes * sizeof(vec3));
    drift(&of, h / 2);
    spin = rotation_spin_of_momentum(r, finite_body_inertia(of.body, of.d), momentum, h / 2, spin);
    turned = rotation_apply(turned, spin, h / 2);
    const mat3 now = quat_to_mat3(turned);
    const vec3 own = mat3_mul_transposed(now, spin);
    const double energy =
        energy_of(&of, 0) + vec3_dot(own, mat3_mul(finite_body_inertia(of.body, of.d), own)) / 2;
    if (i == 0) first = energy;
    low = fmin(low, energy), high = fmax(high, energy);
  }
  printf("tumbling for 2 s: energy within %.1e\n", (high - low) / first);
  CHECK(high - low < 1e-5 * first);
  double largest = 0;
  for (int n = 0; n < of.mesh.nodes; n++) largest = fmax(largest, vec3_norm(of.d[n]));
  CHECK(largest > 0 && largest < 1e-6);
  sample_destroy(&of);
}

int main(void)
{
  Random random = {26};
  test_masses(&random);
  test_momentum(&random);
  test_wave();
  test_works(&random);
  test_temperature();
  test_tumbling();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
