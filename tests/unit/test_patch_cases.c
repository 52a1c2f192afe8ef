// Erleben's fundamental cases of contact quality (Methodology for assessing mesh-based contact
// point methods, 2018): every normal feasible, every feasible normal there, as many points as
// needed and no more; pillar, wall and arch.
#include <stdio.h>

#include "harness.h"
#include "patch.h"
#include "posed_scene.h"

#define HALF_BASE 0.8   // of spikes and wedges, m
#define HEIGHT 2.4      // m

// Two bodies and what is expected between them; normals into the upper body.
typedef struct {
  const char *name;
  Solid lower, upper;
  vec3 velocity;   // of the upper body, m/s
  int normal_count;
  vec3 normals[4];
  int point_count;
} QualityCase;

static const vec3 origin = {0, 0, 0};

static Solid spike(double up)
{
  vec3 corners[5] = {{0, 0, 0}};
  for (int i = 0; i < 4; i++) {
    corners[i + 1] =
        vec3_new(i & 1 ? HALF_BASE : -HALF_BASE, -up * HEIGHT, i & 2 ? HALF_BASE : -HALF_BASE);
  }
  Solid solid = {0};
  solid_add_part(&solid, corners, 5);
  return solid;
}

static Solid wedge(double up)
{
  const double length = 2 * HALF_BASE;
  const vec3 corners[6] = {{0, 0, -length},
                           {0, 0, length},
                           {-HALF_BASE, -up * HEIGHT, -length},
                           {-HALF_BASE, -up * HEIGHT, length},
                           {HALF_BASE, -up * HEIGHT, -length},
                           {HALF_BASE, -up * HEIGHT, length}};
  Solid solid = {0};
  solid_add_part(&solid, corners, 6);
  return solid;
}

// A groove along z, as two prisms side by side.
static Solid crack(void)
{
  const double x[5] = {0, 0.5, 1, 1, 0}, y[5] = {0, 0.5, 0.5, -0.5, -0.5};
  Solid solid = {0};
  for (int side = -1; side <= 1; side += 2) {
    vec3 corners[10];
    for (int i = 0; i < 5; i++) {
      corners[i] = vec3_new(side * x[i], y[i], -2);
      corners[i + 5] = vec3_new(side * x[i], y[i], 2);
    }
    solid_add_part(&solid, corners, 10);
  }
  return solid;
}

// A square pit, as four pieces about its axis.
static Solid hole(void)
{
  const vec3 base[8] = {{0, 0, 0},   {0, -0.5, 0}, {0.5, 0.5, 0.5}, {0.5, 0.5, -0.5},
                        {1, 0.5, 1}, {1, 0.5, -1}, {1, -0.5, 1},    {1, -0.5, -1}};
  Solid solid = {0};
  vec3 corners[8];
  for (int i = 0; i < 8; i++) corners[i] = base[i];
  for (int quarter = 0; quarter < 4; quarter++) {
    solid_add_part(&solid, corners, 8);
    for (int i = 0; i < 8; i++) corners[i] = vec3_new(corners[i].z, corners[i].y, -corners[i].x);
  }
  return solid;
}

// The base of the case "internal edges": nine pieces whose common edges lie under the cube's
// corners.
static Solid cut_base(void)
{
  const double cut[4] = {-2, -1, 1, 2};
  Solid solid = {0};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      solid_add_box(&solid, vec3_new(cut[i], -2, cut[k]), vec3_new(cut[i + 1], 0, cut[k + 1]));
    }
  }
  return solid;
}

static Solid frustum(double half_low, double half_high, double low, double high)
{
  vec3 corners[8];
  for (int i = 0; i < 8; i++) {
    const double half = i & 4 ? half_high : half_low;
    corners[i] = vec3_new(i & 1 ? half : -half, i & 4 ? high : low, i & 2 ? half : -half);
  }
  Solid solid = {0};
  solid_add_part(&solid, corners, 8);
  return solid;
}

enum { CASE_COUNT = 10 };

static void cases_fill(QualityCase cases[CASE_COUNT])
{
  const double g = 3 / sqrt(10), b = 1 / sqrt(10), a = sqrt(0.5);
  const vec3 up = {0, 1, 0};
  const Solid ground = solid_box(vec3_new(-10, -1, -10), vec3_new(10, 0, 10));
  const Solid cube = solid_box(vec3_new(-1, 0, -1), vec3_new(1, 2, 1));
  const Solid ledge = frustum(2.4, 1.6, -3.2, 0), on_ledge = frustum(1.6, 1.6, 0, 3.2);
  const vec3 left = {-HEIGHT / 2, -2 * HEIGHT, 0}, right = {HEIGHT / 2, -2 * HEIGHT, 0};
  const vec3 into = {HALF_BASE, 0, 0}, back = {-HEIGHT, 0, 0}, forth = {HEIGHT, 0, 0};
  cases[0] = (QualityCase){"spikes", spike(1), spike(-1), left, 1, {{-g, b, 0}}, 1};
  cases[1] = (QualityCase){"spike and wedge", wedge(1), spike(-1), left, 1, {{-g, b, 0}}, 1};
  cases[2] = (QualityCase){"wedges", wedge(1), wedge(-1), right, 1, {{g, b, 0}}, 2};
  cases[3] = (QualityCase){"spike in hole",
                           hole(),
                           spike(-1),
                           into,
                           4,
                           {{0, a, a}, {0, a, -a}, {a, a, 0}, {-a, a, 0}},
                           4};
  cases[4] =
      (QualityCase){"spike in crack", crack(), spike(-1), into, 2, {{a, a, 0}, {-a, a, 0}}, 2};
  cases[5] =
      (QualityCase){"wedge in crack", crack(), wedge(-1), into, 2, {{a, a, 0}, {-a, a, 0}}, 4};
  cases[6] = (QualityCase){"sliding spike", ground, spike(-1), back, 1, {up}, 1};
  cases[7] = (QualityCase){"sliding wedge", ground, wedge(-1), forth, 1, {up}, 2};
  cases[8] = (QualityCase){"internal edges", cut_base(), cube, origin, 1, {up}, 4};
  cases[9] = (QualityCase){"cliff edges", ledge, on_ledge, origin, 1, {up}, 4};
}

// How a case is set up: the upper body sunk in by overlap and tilted about the touch, the time that
// the search looks ahead, all of it turned and moved.
typedef struct {
  double overlap, look;
  mat3 tilt, turn;
  vec3 move;
} SetUp;

// Quality and coverage 100 %, excess 1; gaps as deep as the overlap along the normal.
static void check_case(const QualityCase *c, const SetUp *set_up, Arena *arena)
{
  const double overlap = set_up->overlap, look = set_up->look;
  const mat3 turn = set_up->turn;
  const vec3 down = {0, -overlap, 0};
  const PosedBody lower = body_from_solid(&c->lower, turn, set_up->move, origin, arena);
  const PosedBody upper = body_from_solid(&c->upper, mat3_mul_mat(turn, set_up->tilt),
                                          vec3_add(set_up->move, mat3_mul(turn, down)),
                                          mat3_mul(turn, c->velocity), arena);
  const PatchParameters parameters = {.margin = 2e-3, .feature_width = 2e-3, .max_points = 8};
  const double reach = look * vec3_norm(c->velocity);
  const PatchSet set = patch_find(&lower, &upper, &parameters, reach, NULL, 0, arena);
  int points = 0;
  bool feasible = set.failed == 0, seen[4] = {false, false, false, false};
  for (int i = 0; i < set.patch_count; i++) {
    int best = -1;
    for (int k = 0; k < c->normal_count; k++) {
      // patches look into the lower body
      const vec3 error = vec3_add(set.patches[i].normal, mat3_mul(turn, c->normals[k]));
      if (vec3_norm(error) < 2e-6) best = k;
    }
    if (best < 0) feasible = false;
    else seen[best] = true;
    points += set.patches[i].point_count;
    for (int k = 0; k < set.patches[i].point_count; k++) {
      const double depth = best >= 0 ? overlap * c->normals[best].y : overlap;
      CHECK_NEAR(set.patches[i].points[k].gap, -depth, 1e-5);
    }
  }
  for (int k = 0; k < c->normal_count; k++) feasible = feasible && seen[k];
  if (!CHECK(feasible && points == c->point_count)) {
    fprintf(stderr, "  %s: overlap %g, look %g: %d points, %d failed\n", c->name, overlap, look,
            points, set.failed);
    for (int i = 0; i < set.patch_count; i++) {
      const vec3 n = mat3_mul_transposed(turn, set.patches[i].normal);
      fprintf(stderr, "    normal %.6f %.6f %.6f area %g points %d\n", n.x, n.y, n.z,
              set.patches[i].area, set.patches[i].point_count);
    }
  }
}

static void check_case_turned(const QualityCase *c, SetUp set_up, Random *random, Arena *arena)
{
  check_case(c, &set_up, arena);
  for (int trial = 0; trial < 10; trial++) {
    const ArenaMark mark = arena_mark(arena);
    set_up.turn = random_rotation(random);
    set_up.move = vec3_scale(100, random_direction(random));
    check_case(c, &set_up, arena);
    arena_release(arena, mark);
  }
}

static void test_fundamental_cases(Arena *arena)
{
  static QualityCase cases[CASE_COUNT];
  cases_fill(cases);
  Random random = {11};
  SetUp set_up = {.turn = mat3_diagonal(1, 1, 1), .tilt = mat3_diagonal(1, 1, 1)};
  for (int i = 0; i < CASE_COUNT; i++) {
    for (int deep = 0; deep < 2; deep++) {
      set_up.overlap = deep * 1e-3 * HEIGHT;
      set_up.tilt = mat3_diagonal(1, 1, 1);
      set_up.look = 0;
      check_case_turned(&cases[i], set_up, &random, arena);
      set_up.look = 0.01;
      check_case_turned(&cases[i], set_up, &random, arena);
      // rounding does not choose among tied normals: what comes next does
      set_up.tilt = rotation_about(random_direction(&random), 1e-6);
      check_case_turned(&cases[i], set_up, &random, arena);
    }
  }
}

// A pyramid as four tetrahedra about its axis.
static Solid cut_spike(const Solid *spike_solid)
{
  const vec3 *corners = spike_solid->corners[0];
  const int ring[5] = {1, 2, 4, 3, 1};
  Solid solid = {0};
  for (int i = 0; i < 4; i++) {
    const vec3 foot = {0, corners[1].y, 0};
    const vec3 piece[4] = {corners[0], foot, corners[ring[i]], corners[ring[i + 1]]};
    solid_add_part(&solid, piece, 4);
  }
  return solid;
}

// Spikes of several parts: pairs of parts find normals of their own, one is enough.
static void test_cut_spikes(Arena *arena)
{
  static QualityCase cases[CASE_COUNT];
  cases_fill(cases);
  Random random = {13};
  SetUp set_up = {.turn = mat3_diagonal(1, 1, 1), .tilt = mat3_diagonal(1, 1, 1)};
  const int with_spikes[4] = {0, 1, 4, 6};
  for (int i = 0; i < 4; i++) {
    QualityCase *c = &cases[with_spikes[i]];
    if (i == 0) c->lower = cut_spike(&c->lower);
    c->upper = cut_spike(&c->upper);
    for (int deep = 0; deep < 2; deep++) {
      set_up.overlap = deep * 1e-3 * HEIGHT;
      check_case_turned(c, set_up, &random, arena);
    }
  }
}

// Structures: every interface counted once with its true area and points
// ---------------------------

typedef struct {
  int body_count;
  PosedBody bodies[100];
  mat3 turn;
  vec3 move;
  bool cut;      // boxes are cut into six tetrahedra each
  double tilt;   // every body is turned that much, about any axis, rad
  Random random;
  Arena *arena;
} Structure;

static void add_cut(Solid *solid, const vec3 *corners)
{
  const int axes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int t = 0; t < 6; t++) {
    // along three edges from the first corner to the last
    vec3 piece[4] = {corners[0]};
    for (int k = 0, at = 0; k < 3; k++) {
      at |= 1 << axes[t][k];
      piece[k + 1] = corners[at];
    }
    solid_add_part(solid, piece, 4);
  }
}

static void structure_add(Structure *s, const Solid *solid)
{
  Solid pieces = {0};
  if (s->cut && solid->corner_count[0] == 8) add_cut(&pieces, solid->corners[0]);
  else pieces = *solid;
  const mat3 tilt = rotation_about(random_direction(&s->random), s->tilt);
  PosedBody body = body_from_solid(&pieces, mat3_mul_mat(s->turn, tilt), s->move, origin, s->arena);
  body.center = vec3_add(s->move, mat3_mul(s->turn, body.shape->center));
  s->bodies[s->body_count++] = body;
}

typedef struct {
  int interfaces, points, failed;
  double area, worst_gap;
} Tally;

static Tally structure_tally(const Structure *s)
{
  const PatchParameters parameters = {.margin = 2e-3, .feature_width = 2e-3, .max_points = 8};
  Tally tally = {0};
  for (int i = 0; i < s->body_count; i++) {
    for (int j = i + 1; j < s->body_count; j++) {
      const PatchSet set =
          patch_find(&s->bodies[i], &s->bodies[j], &parameters, 0, NULL, 0, s->arena);
      tally.interfaces += set.patch_count;
      tally.failed += set.failed;
      for (int k = 0; k < set.patch_count; k++) {
        tally.area += set.patches[k].area;
        tally.points += set.patches[k].point_count;
        for (int p = 0; p < set.patches[k].point_count; p++) {
          tally.worst_gap = fmax(tally.worst_gap, fabs(set.patches[k].points[p].gap));
        }
      }
    }
  }
  return tally;
}

static void add_hexagons(Solid *solid, double low_radius, double high_radius, double low,
                         double high)
{
  vec3 corners[12];
  for (int i = 0; i < 12; i++) {
    const double angle = (i % 6) * acos(-1) / 3, radius = i < 6 ? low_radius : high_radius;
    corners[i] = vec3_new(radius * cos(angle), i < 6 ? low : high, radius * sin(angle));
  }
  solid_add_part(solid, corners, 12);
}

static double hexagon_area(double radius) { return 1.5 * sqrt(3) * radius * radius; }

static void build_pillar(Structure *s)
{
  const double shaft = 2.8 / 3, third = 0.05 / 3;
  const double height[7] = {0.21, 0.21, shaft, shaft, shaft, 0.175, 0.105};
  const double low[7] = {0, 0.25, 0.2, 0.2 - third, 0.2 - 2 * third, 0.15, 0};
  const double high[7] = {0, 0.2, 0.2 - third, 0.2 - 2 * third, 0.15, 0.25, 0};
  Solid solid = solid_box(vec3_new(-1.5, -0.3, -1.5), vec3_new(1.5, 0, 1.5));
  structure_add(s, &solid);
  double y = 0;
  for (int i = 0; i < 7; i++) {
    solid = (Solid){0};
    if (low[i] > 0) add_hexagons(&solid, low[i], high[i], y, y + height[i]);
    else solid_add_box(&solid, vec3_new(-0.25, y, -0.25), vec3_new(0.25, y + height[i], 0.25));
    structure_add(s, &solid);
    y += height[i];
  }
}

static void build_wall(Structure *s)
{
  Solid solid = solid_box(vec3_new(-5, -1, -5), vec3_new(5, 0, 5));
  structure_add(s, &solid);
  for (int layer = 0; layer < 10; layer++) {
    for (int k = 0; k < 8; k++) {
      const double x = -2.5 + 0.625 * k + (layer % 2 ? 0.3125 : 0), y = 0.4 * layer;
      solid = solid_box(vec3_new(x - 0.3125, y, -0.25), vec3_new(x + 0.3125, y + 0.4, 0.25));
      structure_add(s, &solid);
    }
  }
}

static void build_arch(Structure *s)
{
  Solid solid = solid_box(vec3_new(-5, -1, -2), vec3_new(5, 0, 2));
  structure_add(s, &solid);
  for (int i = 0; i < 6; i++) {
    const double x = i % 2 ? 1.5 : -2, y = i / 2 * (2.0 / 3);
    solid = solid_box(vec3_new(x, y, -1), vec3_new(x + 0.5, y + 2.0 / 3, 1));
    structure_add(s, &solid);
  }
  for (int i = 0; i < 7; i++) {
    vec3 corners[8];
    for (int k = 0; k < 8; k++) {
      const double angle = (i + (k & 1)) * acos(-1) / 7, radius = k & 2 ? 2 : 1.5;
      corners[k] = vec3_new(radius * cos(angle), 2 + radius * sin(angle), k & 4 ? 1 : -1);
    }
    solid = (Solid){0};
    solid_add_part(&solid, corners, 8);
    structure_add(s, &solid);
  }
}

// Straight, turned and far away, cut, tilted at random: the same points, the true area.
static void check_structure(void (*build)(Structure *), int interfaces, int points, double area,
                            Arena *arena)
{
  Random random = {3};
  for (int variant = 0; variant < 8; variant++) {
    const bool turned = variant & 1, tilted = variant & 4;
    static Structure s;
    s = (Structure){
        .turn = mat3_diagonal(1, 1, 1), .cut = variant & 2, .random = {9}, .arena = arena};
    s.tilt = tilted ? 1e-4 : 0;
    if (turned) {
      s.turn = random_rotation(&random);
      s.move = vec3_scale(100, random_direction(&random));
    }
    const ArenaMark mark = arena_mark(arena);
    build(&s);
    const Tally tally = structure_tally(&s);
    CHECK(tally.interfaces == interfaces && tally.points == points && tally.failed == 0);
    CHECK_NEAR(tally.area / area, 1, tilted ? 3e-4 : turned ? 1e-13 : 1e-14);
    CHECK_NEAR(tally.worst_gap, 0, tilted ? 3e-4 : turned ? 1e-13 : 1e-15);
    arena_release(arena, mark);
  }
}

int main(void)
{
  Arena arena = arena_new();
  test_fundamental_cases(&arena);
  test_cut_spikes(&arena);
  const double third = 0.05 / 3;
  const double pillar = 0.25 + 2 * hexagon_area(0.25) + hexagon_area(0.2) +
                        hexagon_area(0.2 - third) + hexagon_area(0.2 - 2 * third) +
                        hexagon_area(0.15);
  check_structure(build_pillar, 7, 40, pillar, &arena);
  check_structure(build_wall, 213, 852, 37.59375, &arena);
  check_structure(build_arch, 14, 56, 14, &arena);
  arena_destroy(&arena);
  return test_report();
}
