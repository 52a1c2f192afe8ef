// Nearest places of surfaces mirror and move with the bodies, and do not know how these were cut
// into triangles.
#include <stdio.h>

#include "lmd_solids.h"
#include "memory.h"

// What a body that is moved does to points.
typedef struct {
  mat3 turn;
  vec3 shift;
  bool mirrored;   // the bodies are exchanged
} Motion;

static vec3 moved(const Motion *m, vec3 x) { return vec3_add(mat3_mul(m->turn, x), m->shift); }

// How far the points of one set, moved, are from those of another, one to one: places and gaps in
// shares of the size, and normals.
static double sets_differ(const LmdSet *set, const LmdSet *other, const Motion *motion, double size)
{
  double most = 0;
  for (int i = 0; i < set->count; i++) {
    const LmdPoint *p = &set->points[i];
    const vec3 n = mat3_mul(motion->turn, p->normal);
    const vec3 normal = motion->mirrored ? vec3_neg(n) : n, point = moved(motion, p->point);
    double least = INFINITY;
    for (int k = 0; k < other->count; k++) {
      const LmdPoint *q = &other->points[k];
      const double off = vec3_norm(vec3_sub(point, q->point)) / size;
      const double lean = vec3_norm(vec3_sub(normal, q->normal));
      const double gap = fabs(p->gap - q->gap) / size;
      least = smaller_of(least, larger_of(off, larger_of(lean, gap)));
    }
    most = larger_of(most, least);
  }
  return most;
}

// Two bodies anywhere, or on a lattice, where faces, edges and corners lie on each other.
static void random_bodies(const SurfaceBase *solid, bool lattice, Random *random, LmdBody body[2])
{
  for (int k = 0; k < 2; k++)
    body[k] = (LmdBody){&solid[random_below(random, lattice ? 8 : LMD_SOLIDS)], one, {0, 0, 0}};
  if (lattice) {
    for (int k = random_below(random, 3); k > 0; k--) {   // about the diagonal: axes to axes
      const mat3 r = body[1].rotation;
      body[1].rotation = (mat3){{r.row[2], r.row[0], r.row[1]}};
    }
    body[1].center =
        vec3_scale(0.5, vec3_new(random_below(random, 13) - 6, random_below(random, 13) - 6,
                                 random_below(random, 13) - 6));
    return;
  }
  body[0].rotation = random_rotation(random);
  body[1].rotation = random_rotation(random);
  body[0].center = random_in_cube(random, 3);
  body[1].center =
      vec3_axpy(random_between(random, 1, 4), random_direction(random), body[0].center);
}

// The bodies exchanged give the mirrored points; both turned and moved by a kilometre give the
// points turned.
static void test_symmetry(bool lattice, Arena *arena)
{
  Random random = {lattice ? 34 : 33};
  const SurfaceBase *solid = NULL;
  int points = 0, differ[2] = {0, 0};
  double worst[2] = {0, 0};
  const ArenaMark start = arena_mark(arena);
  for (int i = 0; i < test_rounds(600); i++) {
    if (i % 50 == 0) {
      arena_release(arena, start);
      solid = lmd_solids(0.01, &random, arena);
    }
    const ArenaMark mark = arena_mark(arena);
    LmdBody body[2];
    random_bodies(solid, lattice, &random, body);
    const double size = body[0].surface->sharp.extent + body[1].surface->sharp.extent;
    const LmdQuery query = {.a = &body[0], .b = &body[1], .turn = 0.02, .limit = 5};
    const LmdSet set = find_both(query, arena);
    LmdQuery other = query;
    other.a = query.b;
    other.b = query.a;
    const LmdSet swapped = find_both(other, arena);
    // places are seen from the centre of the first body
    const Motion mirror = {one, vec3_sub(body[0].center, body[1].center), true};
    const mat3 turn = random_rotation(&random);
    const vec3 way = vec3_scale(1000, random_direction(&random));
    LmdBody far[2];
    for (int k = 0; k < 2; k++)
      far[k] = (LmdBody){body[k].surface, mat3_mul_mat(turn, body[k].rotation),
                         vec3_add(mat3_mul(turn, body[k].center), way)};
    const LmdSet gone =
        find_both((LmdQuery){.a = &far[0], .b = &far[1], .turn = 0.02, .limit = 5}, arena);
    CHECK(set.meets == swapped.meets && set.meets == gone.meets);
    points += set.count;
    if (set.count == swapped.count)
      worst[0] = larger_of(worst[0], sets_differ(&set, &swapped, &mirror, size));
    else differ[0]++;
    const Motion motion = {turn, {0, 0, 0}, false};
    if (set.count == gone.count)
      worst[1] = larger_of(worst[1], sets_differ(&set, &gone, &motion, size));
    else differ[1]++;
    arena_release(arena, mark);
  }
  printf("%s: %d points: exchanged to %.1e, %d other counts; turned and moved by a kilometre to "
         "%.1e, %d other counts\n",
         lattice ? "lattice" : "random poses", points, worst[0], differ[0], worst[1], differ[1]);
  CHECK(points > test_rounds(1200) && worst[0] < 1e-9 && worst[1] < 1e-9);
  CHECK(differ[0] == 0 && differ[1] == 0);
}

// Cuts a triangle into three about a random place inside of it.
static void cut_inside(Net *net, Random *random)
{
  int *v = net->triangles[random_below(random, net->triangle_count)];
  double share[3], sum = 0;
  for (int k = 0; k < 3; k++) {
    share[k] = random_between(random, 0.2, 1);
    sum += share[k];
  }
  vec3 at = {0, 0, 0};
  for (int k = 0; k < 3; k++) at = vec3_axpy(share[k] / sum, net->points[v[k]], at);
  const int middle = net_point(net, at), last = v[2];
  net_triangle(net, v[1], last, middle);
  net_triangle(net, last, v[0], middle);
  v[2] = middle;
}

// The same solid in other triangles, so many more of them: places in faces, on edges, or both.
static Net net_recut(const Net *net, int more, int kind, Random *random, Arena *arena)
{
  // an edge of a lattice may be of four triangles
  Net cut = net_new(net->point_count + more, net->triangle_count + 2 * more + 2, arena);
  cut.point_count = net->point_count;
  cut.triangle_count = net->triangle_count;
  memcpy(cut.points, net->points, (size_t)net->point_count * sizeof(vec3));
  memcpy(cut.triangles, net->triangles, (size_t)net->triangle_count * sizeof(int[3]));
  while (cut.triangle_count < net->triangle_count + 2 * more) {
    if (kind == 0 || (kind == 2 && random_below(random, 2))) cut_inside(&cut, random);
    else net_cut(&cut, 1, random);
  }
  return cut;
}

// A solid whose faces and edges look anywhere: a tetrahedron, a box, prisms, lattices, stones.
#define CUT_KINDS 9
static Net solid_to_cut(int kind, Random *random, Arena *arena)
{
  static const double six[6][2] = {{2, 0}, {1, 1.7}, {-1, 1.7}, {-2, 0}, {-1, -1.7}, {1, -1.7}};
  static const double box[4][2] = {{0, 0}, {2, 0}, {2, 1}, {0, 1}};
  const CubeLattice lattice = lattice_random(2 + kind % 2, 0.6, random);
  Net net = kind == 0   ? net_new(4, 4, arena)
            : kind == 1 ? net_prism(box, 4, 0, 1, arena)
            : kind == 2 ? net_prism(six, 6, 0, 1, arena)
            : kind == 3 ? net_prism(angle, 6, 0, 1, arena)
            : kind == 4 ? net_prism(cup, 8, 0, 1, arena)
            : kind < 7  ? net_of_lattice(&lattice, arena)
                        : net_stone(kind - 7, 0.3, random, arena);
  if (kind == 0) {
    for (int k = 0; k < 4; k++) net_point(&net, vec3_new(k == 1, k == 2, k == 3));
    for (int k = 0; k < 4; k++) {
      const int a = k == 0, b = k < 2 ? 2 : 1, c = k < 3 ? 3 : 2;   // the three others
      if (k % 2) net_triangle(&net, a, c, b);
      else net_triangle(&net, a, b, c);
    }
  }
  const mat3 turn = random_rotation(random);
  for (int i = 0; i < net.point_count; i++) net.points[i] = mat3_mul(turn, net.points[i]);
  CHECK(net_volume(&net) > 0);
  return net;
}

// Points of a solid against itself, whole and cut: the same, and as many.
static void test_cuts(Arena *arena)
{
  Random random = {35};
  int points = 0, differ = 0;
  double worst = 0, largest = 0;
  const double most = test_rounds(1000);   // times the triangles
  for (int i = 0; i < test_rounds(12) * CUT_KINDS; i++) {
    const ArenaMark mark = arena_mark(arena);
    const Net net = solid_to_cut(i % CUT_KINDS, &random, arena);
    // most often few times the triangles; twice the most, but for large stones
    const double power = i < CUT_KINDS && i < 8 ? log10(most) : random_between(&random, 0, 1.5);
    const int more = (int)(0.5 * (pow(10, power) - 1) * net.triangle_count);
    const Net cut = net_recut(&net, more, i / 2 % 3, &random, arena);
    CHECK_NEAR(net_volume(&cut), net_volume(&net), 1e-12);
    largest = larger_of(largest, (double)cut.triangle_count / net.triangle_count);
    SurfaceBase surface[2];
    const SurfacePieces whole = net_pieces(&net, arena), pieces = net_pieces(&cut, arena);
    const double dilation = i % 4 ? 0.01 : 0;
    CHECK(surface_base_build(&whole, dilation, arena, &surface[0]).status == SURFACE_BASE_OK);
    CHECK(surface_base_build(&pieces, dilation, arena, &surface[1]).status == SURFACE_BASE_OK);
    const double size = 2 * surface[0].sharp.extent;
    CHECK(surface[0].base.vertex_count == surface[1].base.vertex_count &&
          surface[0].base.edge_count == surface[1].base.edge_count &&
          surface[0].base.face_count == surface[1].base.face_count);
    for (int k = 0; k < 8; k++) {
      // in the same turn, where faces and edges are parallel, or in any
      const mat3 turn = k % 2 ? random_rotation(&random) : one;
      const vec3 at =
          vec3_scale(random_between(&random, 0.2, 0.8) * size, random_direction(&random));
      const LmdBody a = {&surface[0], one, {0, 0, 0}}, b = {&surface[0], turn, at};
      const LmdBody cut_a = {&surface[k < 4], one, {0, 0, 0}}, cut_b = {&surface[1], turn, at};
      const LmdSet set = find_both((LmdQuery){.a = &a, .b = &b, .turn = 0.02, .limit = 5}, arena);
      const LmdSet other =
          find_both((LmdQuery){.a = &cut_a, .b = &cut_b, .turn = 0.02, .limit = 5}, arena);
      CHECK(set.meets == other.meets);
      differ += set.count != other.count;
      points += set.count;
      const Motion still = {one, {0, 0, 0}, false};
      worst = larger_of(worst, sets_differ(&set, &other, &still, size));
      worst = larger_of(worst, sets_differ(&other, &set, &still, size));
    }
    arena_release(arena, mark);
  }
  printf("%d points of solids cut into up to %.0f times the triangles: off by %.1e, %d other "
         "counts\n",
         points, largest, worst, differ);
  CHECK(points > 125 * test_rounds(12) && largest > 0.99 * most && worst < 1e-9 && differ == 0);
}

int main(void)
{
  Arena arena = arena_new();
  test_symmetry(false, &arena);
  test_symmetry(true, &arena);
  test_cuts(&arena);
  arena_destroy(&arena);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
