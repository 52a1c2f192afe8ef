// Random impacts of two bodies with the volumetric law. Bodies are scaled so that each impact takes
// fifty steps; IMPACTS says how many there are. Against a flat face and between spheres no pair
// gains energy. Between edges and corners the law has no potential, since its normal turns with the
// bodies: what they gain is counted. Friction takes more than that but for few.
#include <stdlib.h>
#include <string.h>

#include "case_reader.h"
#include "distribute.h"
#include "gjk.h"
#include "harness.h"
#include "parallel.h"
#include "random_numbers.h"
#include "scene.h"
#include "trig.h"
#include "world.h"

#define PAIRS 24          // at once
#define POINTS 16         // of a hull, at most
#define ROOM 400.0        // between pairs, m
#define STEP 1e-3         // s
#define IMPACT_STEPS 50   // at least, of those that count
#define AIM 56            // steps
#define MOST_STEPS 1500
#define TEXT_BYTES (PAIRS * 4096)
#define GAIN 1e-3                         // of the energy
#define COMBINATIONS (4 * IMPACT_KINDS)   // with and without damping, by both spinnings
#define SMOOTH_SHARE 0.15   // of impacts of edges without friction that gain more, at most
#define ROUGH_SHARE 1e-3    // and with friction

typedef struct {
  bool fixed;
  double radius;   // of a sphere; 0: a hull
  int count;
  vec3 points[POINTS], at, velocity, spin;
} Thrown;

typedef struct {
  Thrown bodies[2];
  double scale;           // of lengths: times go with its root
  double start, end;      // energy, J
  int steps, first_end;   // of the first contact; the step behind it
  bool met, left;
} Impact;

static int pairs_at_once(void) { return test_rounds(PAIRS); }

typedef enum { KIND_PLATE, KIND_SPHERES, KIND_ROUGH, KIND_SMOOTH, IMPACT_KINDS } Kind;

static const char *const kinds[IMPACT_KINDS] = {"hull on a plate", "spheres", "hulls with friction",
                                                "hulls without friction"};

typedef struct {
  Kind kind;
  double damping, friction;
  const char *spinning;
} Law;

typedef struct {
  int64_t count, gained;
  double worst;
} Tally;

typedef struct {
  Tally of[IMPACT_KINDS];
  int64_t count, few, never;   // that count; too short, and without an end
} Impacts;

static void draw_body(Random *random, Thrown *body)
{
  *body = (Thrown){.count = 0};
  const vec3 half = {random_between(random, 0.3, 1), random_between(random, 0.3, 1),
                     random_between(random, 0.3, 1)};
  const mat3 turn = random_rotation(random);
  const bool box = random_below(random, 3) == 0;
  body->count = box ? 8 : 6 + random_below(random, POINTS - 5);
  for (int i = 0; i < body->count; i++) {
    const vec3 v = box ? (vec3){i & 1 ? 0.7 : -0.7, i & 2 ? 0.7 : -0.7, i & 4 ? 0.7 : -0.7}
                       : random_direction(random);
    body->points[i] = mat3_mul(turn, (vec3){half.x * v.x, half.y * v.y, half.z * v.z});
  }
  body->spin = random_in_cube(random, random_below(random, 2) ? 1.5 : 0);
}

static double gap_of(const Impact *impact)
{
  vec3 moved[2][POINTS];
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < impact->bodies[k].count; i++)
      moved[k][i] = vec3_add(impact->bodies[k].at, impact->bodies[k].points[i]);
  return gjk_distance(moved[0], impact->bodies[0].count, moved[1], impact->bodies[1].count)
      .distance;
}

static void set_plate(Thrown *plate, double speed, Thrown *body)
{
  plate->fixed = true;
  plate->count = 8;
  for (int i = 0; i < 8; i++)
    plate->points[i] = (vec3){i & 1 ? 6 : -6, i & 2 ? 6 : -6, i & 4 ? 0 : -1};
  plate->velocity = plate->spin = (vec3){0, 0, 0};
  body->velocity.z = -0.3 * speed - fabs(body->velocity.z);
}

// Two bodies that are about to touch. A plate is fixed, and the other body falls on its middle.
static void draw_impact(Random *random, Kind kind, Impact *impact)
{
  Thrown *a = &impact->bodies[0], *b = &impact->bodies[1];
  *impact = (Impact){.scale = 1};
  draw_body(random, a);
  draw_body(random, b);
  const vec3 way = random_direction(random);
  const double speed = trig_exp(random_between(random, -6, -2.5));
  a->spin = vec3_scale(speed, a->spin);
  b->spin = vec3_scale(speed, b->spin);
  a->at = (vec3){0, 0, 0};
  a->velocity = vec3_scale(0.5 * speed, way);
  b->velocity = vec3_neg(a->velocity);
  const vec3 side = vec3_cross(way, random_direction(random));
  const double aside = random_between(random, 0, 0.6);
  if (kind == KIND_PLATE) set_plate(a, speed, b);
  if (kind == KIND_SPHERES) {
    a->count = b->count = 0;
    a->radius = random_between(random, 0.2, 1);
    b->radius = random_between(random, 0.2, 1);
    const double reach = a->radius + b->radius, off = 0.6 * aside * reach;
    b->at = vec3_axpy(sqrt(reach * reach - off * off) + speed * STEP, way,
                      vec3_scale(off / vec3_norm(side), side));
    return;
  }
  const vec3 from = kind == KIND_PLATE ? (vec3){0, 0, 1} : way;
  b->at = vec3_axpy(4, from, kind == KIND_PLATE ? (vec3){0, 0, 0} : vec3_scale(aside, side));
  for (int i = 0; i < 200; i++) {
    const double gap = gap_of(impact);
    if (gap < 0.5 * speed * STEP) break;
    b->at = vec3_axpy(-gap, from, b->at);
    if (vec3_dot(b->at, from) < -4) break;
  }
}

static void add_body(char *text, size_t *used, const Thrown *body, double scale, vec3 shift)
{
  const vec3 at = vec3_axpy(scale, body->at, shift);
  const vec3 v = vec3_scale(sqrt(scale), body->velocity),
             w = vec3_scale(1 / sqrt(scale), body->spin);
  char *end = text + *used;
  if (body->radius > 0) end += sprintf(end, "  - {sphere: {radius: %.17g}", scale * body->radius);
  else {
    end += sprintf(end, "  - {hull: [");
    for (int i = 0; i < body->count; i++)
      end += sprintf(end, "%s[%.17g, %.17g, %.17g]", i ? ", " : "", scale * body->points[i].x,
                     scale * body->points[i].y, scale * body->points[i].z);
    end += sprintf(end, "]");
  }
  end += sprintf(end, ", at: [%.17g, %.17g, %.17g], material: stone, ", at.x, at.y, at.z);
  if (body->fixed) end += sprintf(end, "fixed: true}\n");
  else
    end += sprintf(end, "velocity: [%.17g, %.17g, %.17g], spin: [%.17g, %.17g, %.17g]}\n", v.x, v.y,
                   v.z, w.x, w.y, w.z);
  *used = (size_t)(end - text);
}

// Kinetic energy, of two bodies that are free about their common centre of mass, J.
static double energy_of(const Bodies *bodies, int first)
{
  double energy = 0, mass = 0;
  vec3 momentum = {0, 0, 0};
  bool free = true;
  for (int i = first; i < first + 2; i++) {
    free = free && bodies->drive[i] == DRIVE_DYNAMIC;
    if (bodies->drive[i] != DRIVE_DYNAMIC) continue;
    const double m = bodies->mass[i];
    mass += m;
    momentum = vec3_axpy(m, bodies->velocity[i], momentum);
    energy += 0.5 * m * vec3_dot(bodies->velocity[i], bodies->velocity[i]) +
              0.5 * vec3_dot(bodies->spin[i], bodies->angular[i]);
  }
  return free ? energy - 0.5 * vec3_dot(momentum, momentum) / mass : energy;
}

static void look(World *world, Impact *impacts, int step)
{
  const Volumes *v = &world->volumes;
  bool touches[PAIRS] = {false};
  for (int i = 0; i < v->table.owned; i++) touches[v->bodies[i].low / 2] = true;
  for (int p = 0; p < pairs_at_once(); p++) {
    Impact *impact = &impacts[p];
    if (impact->left) continue;
    if (touches[p]) {
      impact->met = true;
      impact->steps++;
      continue;
    }
    if (!impact->met) continue;
    impact->left = true;
    impact->first_end = step;
    impact->end = energy_of(&world->bodies, 2 * p);
  }
}

// All pairs from the start until each has parted once.
static void throw_all(Impact *impacts, const Law *law, char *text)
{
  size_t used = (size_t)sprintf(
      text,
      "units: SI\ngravity: [0, 0, 0]\ntime: {step: %g, end: 100}\n"
      "materials: {stone: {density: 1000}}\n"
      "contacts: [{between: [stone, stone], law: volumetric, stiffness: 1e6, damping: %.17g, "
      "friction: %.17g, spinning: %s}]\nbodies:\n",
      STEP, law->damping, law->friction, law->spinning);
  for (int p = 0; p < pairs_at_once(); p++)
    for (int k = 0; k < 2; k++)
      add_body(text, &used, &impacts[p].bodies[k], impacts[p].scale,
               (vec3){ROOM * (p % 5 - 2), ROOM * (p / 5 - 2), 0});
  char error[512] = "";
  Case c;
  if (!CHECK(case_parse((CaseFile){"impacts", text, used}, NULL, &c,
                        (ErrorText){error, sizeof error}))) {
    printf("%s\n", error);
    exit(1);
  }
  CHECK(scene_prepare(&c) == NULL);
  World world;
  world_begin(&world, &c);
  distribute_start(&world);
  for (int p = 0; p < pairs_at_once(); p++) {
    impacts[p].start = energy_of(&world.bodies, 2 * p);
    impacts[p].steps = 0;
    impacts[p].met = impacts[p].left = false;
  }
  int left = 0;
  for (int i = 1; i <= MOST_STEPS && left < PAIRS; i++) {
    if (!CHECK(world_step(&world) == EXIT_DONE)) break;
    look(&world, impacts, i);
    left = 0;
    for (int p = 0; p < pairs_at_once(); p++) left += impacts[p].left;
  }
  world_end(&world);
  case_destroy(&c);
}

static void count(Impacts *all, const Impact *impact, const Law *law)
{
  if (!impact->left) {
    all->never++;
    return;
  }
  if (impact->steps < IMPACT_STEPS) {
    all->few++;
    return;
  }
  all->count++;
  const double gain = impact->end / impact->start - 1;
  Tally *tally = &all->of[law->kind];
  tally->count++;
  tally->worst = fmax(tally->worst, gain);
  if (!(gain > GAIN)) return;
  if (tally->gained++ < 3)
    printf("%s: a pair gains %.3g of its energy in %d steps: damping %g, friction %g, %s\n",
           kinds[law->kind], gain, impact->steps, law->damping, law->friction, law->spinning);
}

int main(int argc, char **argv)
{
  par_begin(&argc, &argv);
  const char *asked = getenv("IMPACTS");
  const int64_t wanted = asked ? atoll(asked) : test_rounds(120);
  static const char *const spinnings[] = {"mean", "integrated"};
  Random random = {asked && getenv("IMPACTS_SEED") ? (uint64_t)atoll(getenv("IMPACTS_SEED")) : 3};
  Impacts all = {0};
  static Impact impacts[PAIRS];
  char *text = malloc(TEXT_BYTES);
  for (int batch = 0; batch < COMBINATIONS || (all.count < wanted && batch < 10 * wanted);
       batch++) {
    const Kind kind = (Kind)(batch % IMPACT_KINDS);
    const double friction = kind == KIND_ROUGH                 ? random_between(&random, 0.2, 1)
                            : kind == KIND_SMOOTH || batch % 3 ? 0
                                                               : random_between(&random, 0.1, 1);
    const Law law = {kind, batch / IMPACT_KINDS % 2 ? 0 : trig_exp(random_between(&random, -4, 1)),
                     friction, spinnings[batch / (2 * IMPACT_KINDS) % 2]};
    for (int p = 0; p < pairs_at_once(); p++) draw_impact(&random, kind, &impacts[p]);
    throw_all(impacts, &law, text);
    for (int p = 0; p < pairs_at_once(); p++) {
      const double longer = AIM / (double)(impacts[p].steps > 0 ? impacts[p].steps : AIM);
      impacts[p].scale = fmin(fmax(longer * longer, 0.01), 50);
    }
    throw_all(impacts, &law, text);
    for (int p = 0; p < pairs_at_once(); p++) count(&all, &impacts[p], &law);
  }
  free(text);
  printf("%lld impacts that count, %lld too short, %lld without an end\n", (long long)all.count,
         (long long)all.few, (long long)all.never);
  for (int k = 0; k < IMPACT_KINDS; k++)
    printf("%s: %lld, of which %lld gain more than %g, the most %.3g\n", kinds[k],
           (long long)all.of[k].count, (long long)all.of[k].gained, GAIN, all.of[k].worst);
  CHECK(all.count >= wanted);
  for (int k = 0; k < IMPACT_KINDS; k++) {
    const double share = k == KIND_SMOOTH ? SMOOTH_SHARE : k == KIND_ROUGH ? ROUGH_SHARE : 0;
    const Tally *of = &all.of[k];
    CHECK(of->count > 0 && (double)of->gained <= share * (double)of->count);
  }
  const int code = test_report_parallel();
  par_end();
  return code;
}
