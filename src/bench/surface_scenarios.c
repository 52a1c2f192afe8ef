// Makes surfaces in their poses for drystone bench lmd.
#include "surface_scenarios.h"

#include <assert.h>
#include <math.h>

#include "lmd_search.h"
#include "random.h"
#include "surface_base.h"

#define SEED 20240503
#define STONES 5             // scenarios of stones
#define STONE_TRIANGLES 20   // of a ball that is not cut
#define BLOCK_TRIANGLES 40   // of a block and a U that are not cut
#define BUMPS 24
#define BUMP 0.2           // of the radius: highest and deepest
#define STONE_GAP 1e-6     // m
#define STONE_LIMIT 4e-3   // m
#define SLOT_PLAY 1e-3     // m
#define SLOT_LIMIT 0.05    // m
#define BISECTIONS 30

static const struct {
  const char *name;
  int cuts;   // of each side of a face
} SCENARIOS[SURFACE_SCENARIOS] = {{"stones-320", 4},    {"stones-1280", 8},    {"stones-5120", 16},
                                  {"stones-20480", 32}, {"stones-100820", 71}, {"slot-40", 1},
                                  {"slot-160", 2},      {"slot-1000", 5},      {"slot-4000", 10},
                                  {"slot-16000", 20},   {"slot-38440", 31},    {"bricks", 1}};

const char *surface_scenario_name(int scenario)
{
  assert(scenario >= 0 && scenario < SURFACE_SCENARIOS && "one of the scenarios");
  return SCENARIOS[scenario].name;
}

int surface_scenario_triangles(int scenario)
{
  assert(scenario >= 0 && scenario < SURFACE_SCENARIOS && "one of the scenarios");
  const int cuts = SCENARIOS[scenario].cuts;
  return (scenario < STONES ? STONE_TRIANGLES : BLOCK_TRIANGLES) * cuts * cuts;
}

static double between(uint64_t stream, uint64_t index, double low, double high)
{
  return low + (high - low) * random_uniform(stream, index);
}

static mat3 rotation_of(uint64_t stream)
{
  return quat_to_mat3(random_rotation(random_uniform(stream, 0), random_uniform(stream, 1),
                                      random_uniform(stream, 2)));
}

// -- stones ---------------------------------------------------------------------------------------

// Corners of an icosahedron, its golden ratio g: the cyclic turns of (+-1, +-g, 0).
static vec3 ball_corner(int corner)
{
  const double golden = 0.5 * (1 + sqrt(5)), p = corner % 2 ? 1 : -1,
               q = corner % 4 < 2 ? golden : -golden;
  return corner < 4 ? (vec3){p, q, 0} : corner < 8 ? (vec3){0, p, q} : (vec3){q, 0, p};
}

// A ball whose radius has smooth bumps.
static vec3 stone_place(uint64_t stream, vec3 at)
{
  const vec3 way = vec3_scale(1 / vec3_norm(at), at);
  double radius = 1;
  for (uint64_t k = 0; k < BUMPS; k++) {
    const vec3 top =
        random_direction(random_uniform(stream, 3 * k), random_uniform(stream, 3 * k + 1));
    const double near = 0.5 + 0.5 * vec3_dot(way, top);
    const double third = near * near * near, sixth = third * third;
    radius += between(stream, 3 * k + 2, -BUMP, BUMP) * sixth * sixth;
  }
  return vec3_scale(radius, way);
}

static SurfacePieces pieces_new(int count, int corners, Arena *arena)
{
  int *start = arena_allocate(arena, ((size_t)count + 1) * sizeof *start);
  for (int p = 0; p <= count; p++) start[p] = p * corners;
  return (SurfacePieces){.count = count, .start = start};
}

static SurfacePieces stone_pieces(uint64_t stream, int cuts, Arena *arena)
{
  static const int FACES[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                   {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                   {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                   {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
  SurfacePieces pieces = pieces_new(20 * cuts * cuts, 3, arena);
  vec3 *corner = arena_allocate(arena, 3 * (size_t)pieces.count * sizeof *corner);
  pieces.corners = corner;
  for (int f = 0; f < 20; f++) {
    const vec3 origin = ball_corner(FACES[f][0]);
    const vec3 u = vec3_scale(1.0 / cuts, vec3_sub(ball_corner(FACES[f][1]), origin));
    const vec3 v = vec3_scale(1.0 / cuts, vec3_sub(ball_corner(FACES[f][2]), origin));
    for (int i = 0; i < cuts; i++) {
      for (int j = 0; i + j < cuts; j++) {
        const int places[2][3][2] = {{{i, j}, {i + 1, j}, {i, j + 1}},
                                     {{i + 1, j}, {i + 1, j + 1}, {i, j + 1}}};
        for (int t = 0; t < (i + j + 1 < cuts ? 2 : 1); t++) {
          for (int k = 0; k < 3; k++)
            *corner++ = stone_place(
                stream, vec3_axpy(places[t][k][0], u, vec3_axpy(places[t][k][1], v, origin)));
        }
      }
    }
  }
  return pieces;
}

// How far two surfaces are from each other along a way when they touch.
static double touching_distance(const SurfaceBase surface[2], const mat3 rotation[2], vec3 way,
                                Arena *arena)
{
  assert(surface[0].dilation == 0 && surface[1].dilation == 0 && "surfaces as they are");
  double near = 0, far = 4;
  for (int i = 0; i < BISECTIONS; i++) {
    const ArenaMark mark = arena_mark(arena);
    const double middle = 0.5 * (near + far);
    const LmdBody a = {&surface[0], rotation[0], {0, 0, 0}};
    const LmdBody b = {&surface[1], rotation[1], vec3_scale(middle, way)};
    const LmdSet set = lmd_search_trees(&(LmdQuery){.a = &a, .b = &b}, arena);
    *(set.meets ? &near : &far) = middle;
    arena_release(arena, mark);
  }
  return far;
}

static void place_stones(uint64_t stream, const SurfacePieces pieces[2], int count,
                         SurfacePose *poses, Arena *arena)
{
  const ArenaMark mark = arena_mark(arena);
  SurfaceBase surface[2];
  for (int k = 0; k < 2; k++) {
    const SurfaceBaseResult built = surface_base_build(&pieces[k], 0, arena, &surface[k]);
    assert(built.status == SURFACE_BASE_OK && "stones are closed");
    (void)built;
  }
  for (int i = 0; i < count; i++) {
    const uint64_t own = random_stream(stream, (uint64_t)i);
    SurfacePose *pose = &poses[i];
    for (uint64_t k = 0; k < 2; k++) pose->rotation[k] = rotation_of(random_stream(own, k));
    const vec3 way = random_direction(random_uniform(own, 0), random_uniform(own, 1));
    const double far = touching_distance(surface, pose->rotation, way, arena);
    pose->center = vec3_scale(far + STONE_GAP, way);
  }
  arena_release(arena, mark);
}

// -- blocks ---------------------------------------------------------------------------------------

// Rectangles: a corner and two sides, counter-clockwise seen from outside.
typedef struct {
  vec3 at, u, v;
} Rectangle;

static SurfacePieces rectangle_pieces(const Rectangle *rectangles, int count, int cuts,
                                      Arena *arena)
{
  SurfacePieces pieces = pieces_new(2 * count * cuts * cuts, 3, arena);
  vec3 *corner = arena_allocate(arena, 3 * (size_t)pieces.count * sizeof *corner);
  pieces.corners = corner;
  for (int r = 0; r < count; r++) {
    for (int i = 0; i < cuts * cuts; i++) {
      const int x = i % cuts, y = i / cuts;
      const int places[6][2] = {{x, y}, {x + 1, y},     {x + 1, y + 1},
                                {x, y}, {x + 1, y + 1}, {x, y + 1}};
      for (int k = 0; k < 6; k++) {
        const vec3 along = vec3_scale((double)places[k][0] / cuts, rectangles[r].u);
        const vec3 up = vec3_scale((double)places[k][1] / cuts, rectangles[r].v);
        *corner++ = vec3_add(rectangles[r].at, vec3_add(along, up));
      }
    }
  }
  return pieces;
}

static SurfacePieces box_pieces(vec3 size, int cuts, Arena *arena)
{
  const vec3 x = {size.x, 0, 0}, y = {0, size.y, 0}, z = {0, 0, size.z};
  const vec3 low = vec3_scale(-0.5, size), high = vec3_neg(low);
  const Rectangle sides[6] = {{low, y, x},
                              {low, x, z},
                              {low, z, y},
                              {high, vec3_neg(x), vec3_neg(y)},
                              {high, vec3_neg(z), vec3_neg(x)},
                              {high, vec3_neg(y), vec3_neg(z)}};
  return rectangle_pieces(sides, 6, cuts, arena);
}

// A U along y: outline in x and z, 3 m wide and high, its slot 1 m and twice the play wide.
static SurfacePieces cup_pieces(int cuts, Arena *arena)
{
  const double w = 0.5 + SLOT_PLAY, out = 1.5, low = -0.5 - SLOT_PLAY, foot = -1.5, top = 1.5;
  const double at[9][2] = {{-out, foot}, {out, foot}, {out, top},  {w, top},    {w, low},
                           {-w, low},    {-w, top},   {-out, top}, {-out, foot}};
  const vec3 along = {0, 3, 0};
  Rectangle sides[14];
  for (int k = 0; k < 8; k++) {
    const vec3 from = {at[k][0], -1.5, at[k][1]}, to = {at[k + 1][0], -1.5, at[k + 1][1]};
    sides[k] = (Rectangle){from, along, vec3_sub(to, from)};
  }
  const double boxes[3][4] = {{-out, -w, low, top}, {w, out, low, top}, {-out, out, foot, low}};
  for (int k = 0; k < 6; k++) {
    const double *box = boxes[k % 3];
    const vec3 x = {box[1] - box[0], 0, 0}, z = {0, 0, box[3] - box[2]};
    sides[8 + k] = (Rectangle){{box[0], k < 3 ? -1.5 : 1.5, box[2]}, k < 3 ? x : z, k < 3 ? z : x};
  }
  return rectangle_pieces(sides, 14, cuts, arena);
}

static void place_blocks(uint64_t stream, bool bricks, int count, SurfacePose *poses)
{
  for (int i = 0; i < count; i++) {
    const uint64_t own = random_stream(stream, (uint64_t)i);
    const mat3 level = mat3_diagonal(1, 1, 1);
    poses[i] = (SurfacePose){.rotation = {level, level}};
    if (!bricks) continue;
    const double turn = between(own, 0, -0.01, 0.01);
    poses[i].rotation[1] = quat_to_mat3(quat_normalize((quat){1, 0, 0, turn}));
    poses[i].center = (vec3){between(own, 1, 0.1, 0.3), between(own, 2, -0.01, 0.01), 0.1};
  }
}

SurfaceScenario surface_scenario_new(int scenario, int pose_count, Arena *arena)
{
  assert(scenario >= 0 && scenario < SURFACE_SCENARIOS && pose_count >= 1 && "one of them");
  const uint64_t stream = random_stream(SEED, scenario < STONES ? 0 : (uint64_t)scenario);
  const int cuts = SCENARIOS[scenario].cuts;
  const bool bricks = scenario == SURFACE_SCENARIOS - 1;
  SurfacePose *poses = arena_allocate(arena, (size_t)pose_count * sizeof *poses);
  SurfaceScenario s = {.pose_count = pose_count, .poses = poses};
  if (scenario < STONES) {
    for (uint64_t k = 0; k < 2; k++)
      s.pieces[k] = stone_pieces(random_stream(stream, k), cuts, arena);
    s.extent = 2;
    s.limit = STONE_LIMIT;
    place_stones(stream, s.pieces, pose_count, poses, arena);
    return s;
  }
  const vec3 size = bricks ? (vec3){0.4, 0.2, 0.1} : (vec3){1, 1, 1};
  s.pieces[1] = box_pieces(size, cuts, arena);
  s.pieces[0] = bricks ? s.pieces[1] : cup_pieces(cuts, arena);
  s.extent = bricks ? 0.4 : 1;
  s.limit = bricks ? 1e-3 * s.extent : SLOT_LIMIT;
  place_blocks(stream, bricks, pose_count, poses);
  return s;
}
