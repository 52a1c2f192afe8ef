// One step of bodies held at faces: what is held goes with its frame, what the ground gives makes
// up momentum, works close, and a column carries its weight.
#include "finite_held.h"

#include <math.h>
#include <string.h>

#include "elastic.h"
#include "harness.h"
#include "memory.h"
#include "random_numbers.h"

enum { NODES = 4 * 3 * 5 };

static const ElasticMesh CELLS = {.cells = {3, 2, 4}, .held = 1u << 4};   // the lower face

typedef struct {
  FiniteMesh mesh;
  FiniteBody *body;
  vec3 d[NODES], rate[NODES], force[NODES];
} Sample;

static Sample *sample_new(const ElasticLaw *law, double ratio)
{
  Sample *of = memory_allocate_zero(1, sizeof *of);
  vec3 corner[FINITE_HEXAHEDRON];
  for (int c = 0; c < FINITE_HEXAHEDRON; c++)
    corner[c] = (vec3){c & 1 ? 0.3 : -0.3, c & 2 ? 0.2 : -0.2, c & 4 ? 0.5 : -0.5};
  of->mesh = finite_mesh_hexahedra(corner, CELLS.cells);
  bool held[NODES];
  elastic_held(&CELLS, held);
  const double m = 2000 * 0.6 * 0.4 * 1;
  const FiniteInput input = {
      .moments = {m, mat3_diagonal(m * (0.16 + 1) / 12, m * (0.36 + 1) / 12, m * 0.52 / 12)},
      .law = *law,
      .step = 1e-3,
      .high_frequency_ratio = ratio,
      .held = held};
  int bad;
  of->body = finite_body_new(&of->mesh, &input, &bad);
  CHECK(of->mesh.nodes == NODES && of->body != NULL);
  return of;
}

static void sample_destroy(Sample *of)
{
  finite_body_destroy(of->body);
  finite_mesh_destroy(&of->mesh);
  memory_free(of);
}

// Which nodes the faces have.
static void test_faces(void)
{
  bool held[NODES];
  for (unsigned sides = 0; sides < 64; sides++) {
    const ElasticMesh mesh = {.cells = {3, 2, 4}, .held = sides};
    elastic_held(&mesh, held);
    int n = 0, wrong = 0;
    for (int z = 0; z <= 4; z++)
      for (int y = 0; y <= 2; y++)
        for (int x = 0; x <= 3; x++) {
          const bool expected = (sides & 1 && x == 0) || (sides & 2 && x == 3) ||
                                (sides & 4 && y == 0) || (sides & 8 && y == 2) ||
                                (sides & 16 && z == 0) || (sides & 32 && z == 4);
          wrong += held[n++] != expected;
        }
    CHECK(wrong == 0);
  }
}

// The response to impulses is that of the free nodes: symmetric, nothing where they are held, and
// A0 takes it back.
static void test_respond(Random *random)
{
  Sample *of = sample_new(&(ElasticLaw){.young = 1e7, .poisson = 0.2, .damping = 1e-4}, 0.9);
  vec3 a[NODES], b[NODES], x[NODES], y[NODES], back[NODES];
  for (int n = 0; n < NODES; n++) {
    a[n] = x[n] = random_in_cube(random, 1);
    b[n] = y[n] = random_in_cube(random, 1);
  }
  finite_body_respond(of->body, x);
  finite_body_respond(of->body, y);
  finite_body_resist(of->body, x, back);
  double ab = 0, ba = 0, off = 0, moved = 0;
  for (int n = 0; n < NODES; n++) {
    ab += vec3_dot(a[n], y[n]);
    ba += vec3_dot(b[n], x[n]);
    if (of->body->held[n]) moved += vec3_norm(x[n]) + vec3_norm(back[n]);
    else off = fmax(off, vec3_norm(vec3_sub(back[n], a[n])));
  }
  CHECK_NEAR(ab / ba, 1, 1e-12);
  CHECK(off < 1e-11 && moved == 0);
  // with more on the diagonal: held nodes stay held
  double *added = memory_allocate_zero((size_t)of->body->stiffness.start[NODES], sizeof *added);
  FiniteSingle *factor = finite_body_factor_with(of->body, added);
  memcpy(x, a, sizeof x);
  memcpy(y, a, sizeof y);
  finite_single_solve((const FiniteSingle *[]){factor}, 1, (vec3 *[]){x});
  finite_body_respond(of->body, y);
  double largest = 0;
  off = 0;
  for (int n = 0; n < NODES; n++) {
    largest = fmax(largest, vec3_norm(y[n]));
    off = fmax(off, vec3_norm(vec3_sub(x[n], y[n])));
    if (of->body->held[n]) CHECK(vec3_norm(x[n]) == 0);
  }
  CHECK(off < 1e-5 * largest);
  finite_single_destroy(factor);
  memory_free(added);
  sample_destroy(of);
}

static double energy_of(Sample *of, const FiniteFrame *frame, int end, double temperature)
{
  double sum = finite_body_energy(of->body, of->d, temperature);
  for (int n = 0; n < NODES; n++) {
    const vec3 u = vec3_add(frame->velocity[end], of->rate[n]);
    sum += 0.5 * of->body->lumped[n] * vec3_dot(u, u);
  }
  return sum;
}

// Steps under loads, impulses, heat and a frame that is thrown about: energy is what works say,
// momentum what the ground and loads give, and held nodes stay with the frame.
static void test_works(Random *random)
{
  const ElasticLaw law = {.young = 1e7, .poisson = 0.2, .damping = 1e-4, .expansion = 1e-5};
  Sample *of = sample_new(&law, 0.8);
  const double h = of->body->step;
  vec3 rate[NODES], end[NODES], reaction[NODES], impulse[NODES], given[NODES];
  FiniteFrame frame = {.velocity = {{0, 0, 0}, {0.3, 0, 0.1}}};
  double worst = 0, lost = 0, strayed = 0, t = 0;
  for (int step = 0; step < 50; step++) {
    const double temperature[3] = {t, 2 * t + 1, 0.7 * t + 5};
    const double before = energy_of(of, &frame, 0, temperature[0]);
    vec3 pushed = {0, 0, 0};
    double work = 0;
    for (int n = 0; n < NODES; n++) {
      of->d[n] = vec3_axpy(0.5 * h, of->rate[n], of->d[n]);
      of->force[n] = random_in_cube(random, 100);
      impulse[n] = random_in_cube(random, 0.1);   // of contacts, at held nodes too
      given[n] = impulse[n];
    }
    const FiniteMiddle middle = {.displacement = of->d,
                                 .rate = of->rate,
                                 .acceleration = {0.5, 0, -9.81},
                                 .force = of->force,
                                 .temperature = temperature[1]};
    finite_held_free(of->body, &middle, &frame, end);
    finite_body_respond(of->body, given);
    for (int n = 0; n < NODES; n++) end[n] = vec3_add(end[n], given[n]);
    finite_held_rate(of->body, &middle, &frame, end, rate);
    const AffineWorks works = finite_held_works(of->body, &middle, rate, temperature);
    finite_held_reaction(of->body, &middle, &frame, rate, reaction);
    const vec3 mean = vec3_scale(0.5, vec3_add(frame.velocity[0], frame.velocity[1]));
    vec3 momentum = {0, 0, 0};
    for (int n = 0; n < NODES; n++) {
      const double m = of->body->lumped[n];
      const vec3 u = vec3_add(mean, vec3_scale(0.5, vec3_add(of->rate[n], rate[n])));
      // the ground gives what contacts at held nodes do not
      const vec3 ground = of->body->held[n] ? vec3_sub(reaction[n], impulse[n]) : (vec3){0, 0, 0};
      work += vec3_dot(impulse[n], u) + vec3_dot(ground, mean);
      work += h * vec3_dot(vec3_axpy(m, middle.acceleration, of->force[n]), mean);
      pushed = vec3_add(pushed, vec3_add(impulse[n], ground));
      pushed = vec3_axpy(h, vec3_axpy(m, middle.acceleration, of->force[n]), pushed);
      const vec3 gained =
          vec3_add(vec3_sub(frame.velocity[1], frame.velocity[0]), vec3_sub(rate[n], of->rate[n]));
      momentum = vec3_axpy(m, gained, momentum);
      if (of->body->held[n]) strayed += vec3_norm(rate[n]) + vec3_norm(of->d[n]);
    }
    for (int n = 0; n < NODES; n++) {
      of->rate[n] = rate[n];
      of->d[n] = vec3_axpy(0.5 * h, rate[n], of->d[n]);
    }
    const double after = energy_of(of, &frame, 1, temperature[2]);
    const double all = works.load + works.damping + works.scheme + work;
    worst = fmax(worst, fabs(after - before - all) / after);
    lost = fmax(lost, vec3_norm(vec3_sub(momentum, pushed)));
    CHECK(works.damping < 0);
    frame.velocity[0] = frame.velocity[1];
    frame.velocity[1] = random_in_cube(random, 0.5);
    t = temperature[2];
  }
  CHECK(worst < 1e-11);
  CHECK(lost < 1e-10);   // of some 100 N s
  CHECK(strayed == 0);
  sample_destroy(of);
}

// At rest the top of a column has sunk by rho g L^2/(2E), in the mean over its area: masses of
// nodes have the body's centre, and by Betti that is all that counts. The ground bears the weight.
static void test_weight(void)
{
  Sample *of = sample_new(&(ElasticLaw){.young = 1e6, .damping = 0.04}, 0.5);
  const double h = of->body->step;
  vec3 rate[NODES], end[NODES], reaction[NODES];
  const FiniteFrame frame = {.turning = {0, 0, 0}};
  for (int step = 0; step < 3000; step++) {
    for (int n = 0; n < NODES; n++) of->d[n] = vec3_axpy(0.5 * h, of->rate[n], of->d[n]);
    const FiniteMiddle middle = {
        .displacement = of->d, .rate = of->rate, .acceleration = {0, 0, -9.81}};
    finite_held_free(of->body, &middle, &frame, end);
    finite_held_rate(of->body, &middle, &frame, end, rate);
    finite_held_reaction(of->body, &middle, &frame, rate, reaction);
    for (int n = 0; n < NODES; n++) {
      of->rate[n] = rate[n];
      of->d[n] = vec3_axpy(0.5 * h, rate[n], of->d[n]);
    }
  }
  vec3 sum = {0, 0, 0};
  double sunk = 0;
  for (int n = 0; n < NODES; n++) {
    const vec3 at = of->mesh.place[n];
    const double share = (fabs(at.x) < 0.29 ? 1 : 0.5) * (fabs(at.y) < 0.19 ? 1 : 0.5) / 6;
    if (at.z > 0.49) sunk -= share * of->d[n].z;
    sum = vec3_add(sum, reaction[n]);
  }
  CHECK_NEAR(sunk, 2000 * 9.81 / 2e6, 1e-12);
  CHECK_NEAR(sum.z / h, 480 * 9.81, 1e-7);
  sample_destroy(of);
}

int main(void)
{
  Random random = {41};
  test_faces();
  test_respond(&random);
  test_works(&random);
  test_weight();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
