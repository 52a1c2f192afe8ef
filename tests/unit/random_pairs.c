#include "random_pairs.h"

#include <assert.h>
#include <math.h>

#include "random_numbers.h"

#define MAX_CORNERS 300

// -- shapes ---------------------------------------------------------------------------------------

static double power_of_ten(Random *random, double low, double high)
{
  return pow(10, random_between(random, low, high));
}

static int box_corners(vec3 half, vec3 *corners)
{
  for (int i = 0; i < 8; i++) {
    corners[i] =
        (vec3){i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
  }
  return 8;
}

static int ball_corners(Random *random, int count, vec3 stretch, vec3 *corners)
{
  for (int i = 0; i < count; i++) {
    const vec3 v = random_direction(random);
    corners[i] = (vec3){stretch.x * v.x, stretch.y * v.y, stretch.z * v.z};
  }
  return count;
}

static int prism_corners(int sides, double height, vec3 *corners)
{
  for (int i = 0; i < sides; i++) {
    const double angle = 6.283185307179586 * i / sides;
    corners[2 * i] = (vec3){cos(angle), sin(angle), 0};
    corners[2 * i + 1] = (vec3){cos(angle), sin(angle), height};
  }
  return 2 * sides;
}

// A slim box or tetrahedron, as thin as a hull may be.
static int slim_corners(Random *random, bool plate, vec3 *corners)
{
  const double thin = power_of_ten(random, -8.5, -3);
  const double other = plate ? 1 : thin * random_between(random, 1, 3);
  if (random_below(random, 2)) return box_corners((vec3){1, other, thin}, corners);
  corners[0] = (vec3){-1, -other, 0};
  corners[1] = (vec3){1, -other, 0};
  corners[2] = (vec3){0, other, 0};
  corners[3] = (vec3){random_between(random, -1, 1), 0, 2 * thin};
  return 4;
}

static int corners_of_kind(Random *random, int kind, vec3 *corners)
{
  const vec3 stretch = {1, random_between(random, 0.3, 1), random_between(random, 0.2, 1)};
  switch (kind) {
  case 0:
  case 1:
  case 2: return box_corners(stretch, corners);
  case 3: return box_corners((vec3){1, 0.5, 0.5}, corners);   // bricks with few digits
  case 4: return box_corners((vec3){1, 1, 1}, corners);
  case 5:
  case 6:
  case 7:
  case 8: return ball_corners(random, 4, stretch, corners);
  case 9:
  case 10: return prism_corners(3, stretch.z, corners);
  case 11: return prism_corners(4 + random_below(random, 9), stretch.z, corners);
  case 12:
  case 13:
  case 14:
  case 15: return ball_corners(random, 8, stretch, corners);
  case 16:
  case 17:
  case 18: return ball_corners(random, 9 + random_below(random, 12), stretch, corners);
  case 19: return ball_corners(random, 50, stretch, corners);
  case 20: return slim_corners(random, false, corners);
  case 21: return slim_corners(random, true, corners);
  default: return ball_corners(random, MAX_CORNERS, stretch, corners);
  }
}

static void measure_shape(PairPool *pool, int place)
{
  const Polyhedron *hull = &pool->shapes[place].parts[0].hull;
  double square = 0, surface = 0;
  for (int i = 0; i < hull->vertex_count; i++) {
    for (int k = 0; k < i; k++) {
      const vec3 d = vec3_sub(hull->vertices[i], hull->vertices[k]);
      square = fmax(square, vec3_dot(d, d));
    }
  }
  for (int f = 0; f < hull->face_count; f++) {
    vec3 corners[MAX_CORNERS];
    const int first = hull->face_start[f], count = hull->face_start[f + 1] - first;
    for (int i = 0; i < count; i++) { corners[i] = hull->vertices[hull->face_vertices[first + i]]; }
    surface += vec3_norm(polyhedron_area_vector(corners, count));
  }
  pool->diameters[place] = sqrt(square);
  pool->widths[place] = 2 * polyhedron_moments(hull).volume / surface;
  pool->surfaces[place] = surface;
}

// Fills a place of the pool with a shape of its kind; draws again where the hull is too flat.
static void make_shape(PairPool *pool, Random *random, int place)
{
  int kind = place;
  if (place == 22) kind = random_below(random, 8) == 0 ? 22 : random_below(random, 20);
  if (place == 23) kind = random_below(random, 20);
  if (!pool->degenerate && (kind == 20 || kind == 21)) kind = random_below(random, 20);
  for (;;) {
    vec3 corners[MAX_CORNERS];
    int count = corners_of_kind(random, kind, corners);
    if (kind == 22) count = 100 * (1 + random_below(random, 3));
    // one is small, to fit into others; half of them turned in their own axes
    const double size = pool->scale * (place == 23               ? 0.02
                                       : random_below(random, 2) ? 1
                                                                 : power_of_ten(random, -1, 0));
    const bool turned = random_below(random, 2);
    const mat3 turn = turned ? random_rotation(random) : mat3_diagonal(1, 1, 1);
    for (int i = 0; i < count; i++) corners[i] = vec3_scale(size, mat3_mul(turn, corners[i]));
    PartRecipe part = {.count = count, .points = corners};
    const ShapeRecipe recipe = {.part_count = 1, .parts = &part};
    if (shape_build(&recipe, &pool->arena, &pool->shapes[place]).status != SHAPE_OK) continue;
    measure_shape(pool, place);
    return;
  }
}

static Random random_of(uint64_t seed, bool degenerate, int64_t number)
{
  Random random = {seed * 2 + degenerate};
  random.state = random_bits(&random) ^ (uint64_t)number;
  random.state = random_bits(&random);
  return random;
}

PairPool pair_pool_new(uint64_t seed, bool degenerate)
{
  return (PairPool){
      .seed = seed, .number = -1, .degenerate = degenerate, .arena = arena_new(), .scale = 1};
}

void pair_pool_destroy(PairPool *pool) { arena_destroy(&pool->arena); }

static void fill_pool(PairPool *pool, int64_t number)
{
  if (number == pool->number) return;
  Random random = random_of(pool->seed + 0x5eed, pool->degenerate, number);
  arena_reset(&pool->arena);
  pool->number = number;
  pool->scale = random_below(&random, 2) ? 1 : power_of_ten(&random, -6, 6);
  for (int i = 0; i < POOL_SHAPES; i++) make_shape(pool, &random, i);
}

// -- poses ----------------------------------------------------------------------------------------

static quat random_turn(Random *random)
{
  const vec3 v = random_direction(random);
  const double angle = random_between(random, 0, 3.14);
  return quat_normalize((quat){cos(angle), sin(angle) * v.x, sin(angle) * v.y, sin(angle) * v.z});
}

// The rotation that takes one unit vector to another, and then turns about that by an angle.
static quat turn_onto(vec3 from, vec3 to, double angle)
{
  quat first = quat_identity();
  if (vec3_dot(from, to) < -0.5) {
    // half a turn about something across, then the small rest
    const vec3 any = fabs(from.x) < 0.7 ? (vec3){1, 0, 0} : (vec3){0, 1, 0};
    const vec3 across = vec3_cross(from, any);
    first = quat_normalize((quat){0, across.x, across.y, across.z});
    from = mat3_mul(quat_to_mat3(first), from);
  }
  const vec3 cross = vec3_cross(from, to);
  const quat onto = quat_normalize((quat){1 + vec3_dot(from, to), cross.x, cross.y, cross.z});
  const double s = sin(angle / 2);
  const quat about = {cos(angle / 2), s * to.x, s * to.y, s * to.z};
  return quat_normalize(quat_mul(about, quat_mul(onto, first)));
}

// An overlap (positive) or gap of rounding, or none.
static double tiny(Random *random, double size)
{
  if (random_below(random, 4) == 0) return 0;
  const double depth = size * power_of_ten(random, -17, -12);
  return random_below(random, 3) == 0 ? -depth : depth;
}

static vec3 face_middle(const Polyhedron *hull, int face)
{
  const int first = hull->face_start[face], end = hull->face_start[face + 1];
  vec3 sum = {0, 0, 0};
  for (int i = first; i < end; i++) sum = vec3_add(sum, hull->vertices[hull->face_vertices[i]]);
  return vec3_scale(1.0 / (end - first), sum);
}

static vec3 unit(vec3 v) { return vec3_scale(1 / vec3_norm(v), v); }

// A pair under construction: rotations and the place of b's centre seen from a's.
typedef struct {
  Random *random;
  const Polyhedron *a, *b;
  double size;    // of the smaller one, m
  double depth;   // overlap where they meet, negative: a gap, m
  mat3 turn_a, turn_b;
  vec3 shift;
} Placing;

// Face on face, side by side or both on the same side of the common plane.
static void place_faces(Placing *p, bool same_side)
{
  const int face_a = random_below(p->random, p->a->face_count);
  const int face_b = random_below(p->random, p->b->face_count);
  const vec3 normal = mat3_mul(p->turn_a, p->a->planes[face_a].normal);
  const double angle = random_below(p->random, 2) ? random_between(p->random, 0, 6) : 0;
  const vec3 target = same_side ? normal : vec3_neg(normal);
  p->turn_b = quat_to_mat3(turn_onto(p->b->planes[face_b].normal, target, angle));
  const vec3 slide = random_below(p->random, 2)
                         ? vec3_cross(normal, random_in_cube(p->random, 0.5 * p->size))
                         : (vec3){0, 0, 0};
  p->shift = vec3_sub(mat3_mul(p->turn_a, face_middle(p->a, face_a)),
                      mat3_mul(p->turn_b, face_middle(p->b, face_b)));
  p->shift = vec3_add(vec3_axpy(-p->depth, normal, p->shift), slide);
}

static void place_vertices(Placing *p)
{
  const vec3 on_a = p->a->vertices[random_below(p->random, p->a->vertex_count)];
  const vec3 on_b = p->b->vertices[random_below(p->random, p->b->vertex_count)];
  p->shift = vec3_sub(mat3_mul(p->turn_a, on_a), mat3_mul(p->turn_b, on_b));
  p->shift = vec3_axpy(p->depth, random_direction(p->random), p->shift);
}

static void place_edges(Placing *p)
{
  const Edge edge_a = p->a->edges[random_below(p->random, p->a->edge_count)];
  const Edge edge_b = p->b->edges[random_below(p->random, p->b->edge_count)];
  const vec3 from_a = p->a->vertices[edge_a.vertex[0]], to_a = p->a->vertices[edge_a.vertex[1]];
  const vec3 from_b = p->b->vertices[edge_b.vertex[0]], to_b = p->b->vertices[edge_b.vertex[1]];
  const vec3 along = mat3_mul(p->turn_a, unit(vec3_sub(to_a, from_a)));
  p->turn_b = quat_to_mat3(
      turn_onto(unit(vec3_sub(to_b, from_b)), unit(along), random_between(p->random, 0, 6)));
  p->shift = vec3_sub(mat3_mul(p->turn_a, from_a), mat3_mul(p->turn_b, from_b));
  if (random_below(p->random, 2)) {
    p->shift = vec3_axpy(random_between(p->random, -0.5, 0.5) * p->size, along, p->shift);
  }
  p->shift = vec3_axpy(p->depth, random_direction(p->random), p->shift);
}

// The outward direction halfway between the faces of an edge, in world axes.
static vec3 edge_outward(const Polyhedron *p, Edge edge, mat3 turn)
{
  return unit(
      mat3_mul(turn, vec3_add(p->planes[edge.face[0]].normal, p->planes[edge.face[1]].normal)));
}

static vec3 edge_middle(const Polyhedron *p, Edge edge)
{
  return vec3_scale(0.5, vec3_add(p->vertices[edge.vertex[0]], p->vertices[edge.vertex[1]]));
}

// Ridge on ridge, crossing at any angle.
static void place_ridges(Placing *p)
{
  const Edge edge_a = p->a->edges[random_below(p->random, p->a->edge_count)];
  const Edge edge_b = p->b->edges[random_below(p->random, p->b->edge_count)];
  const vec3 out = edge_outward(p->a, edge_a, p->turn_a);
  const vec3 own = edge_outward(p->b, edge_b, mat3_diagonal(1, 1, 1));
  p->turn_b = quat_to_mat3(turn_onto(own, vec3_neg(out), random_between(p->random, 0, 6)));
  p->shift = vec3_sub(mat3_mul(p->turn_a, edge_middle(p->a, edge_a)),
                      mat3_mul(p->turn_b, edge_middle(p->b, edge_b)));
  p->shift = vec3_axpy(-p->depth, out, p->shift);
}

// A corner on the middle of a face.
static void place_corner(Placing *p)
{
  const int face = random_below(p->random, p->a->face_count);
  const vec3 normal = mat3_mul(p->turn_a, p->a->planes[face].normal);
  vec3 lowest = {0, 0, 0};
  for (int i = 0; i < p->b->vertex_count; i++) {
    const vec3 x = mat3_mul(p->turn_b, p->b->vertices[i]);
    if (i == 0 || vec3_dot(x, normal) < vec3_dot(lowest, normal)) lowest = x;
  }
  p->shift = vec3_sub(mat3_mul(p->turn_a, face_middle(p->a, face)), lowest);
  p->shift = vec3_axpy(-p->depth, normal, p->shift);
}

// The same pose, but for a shake of rounding.
static void place_alike(Placing *p, bool shaken)
{
  p->turn_b = p->turn_a;
  p->shift = (vec3){0, 0, 0};
  if (!shaken) return;
  const double by = p->depth / p->size;
  const vec3 v = random_in_cube(p->random, by);
  p->turn_b = mat3_mul_mat(quat_to_mat3(quat_normalize((quat){1, v.x, v.y, v.z})), p->turn_a);
  p->shift = random_in_cube(p->random, fabs(by) * p->size);
}

static double side_of(const Polyhedron *p, int axis)
{
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < p->vertex_count; i++) {
    low = fmin(low, (&p->vertices[i].x)[axis]);
    high = fmax(high, (&p->vertices[i].x)[axis]);
  }
  return high - low;
}

// Boxes in their own axes, or any solids, shifted by sides: sides in line, faces shared.
static void place_grid(Placing *p)
{
  p->turn_b = p->turn_a;
  double shift[3];
  for (int k = 0; k < 3; k++) {
    const double a = side_of(p->a, k), b = side_of(p->b, k);
    const double choices[6] = {0,        0.5 * (a + b),           -0.5 * (a + b), 0.5 * (a - b),
                               0.25 * a, 0.5 * (a + b) - p->depth};
    shift[k] = choices[random_below(p->random, 6)];
  }
  p->shift = mat3_mul(p->turn_a, (vec3){shift[0], shift[1], shift[2]});
}

static const char *place_degenerate(Placing *p, int kind)
{
  switch (kind) {
  case 0:
  case 1: place_faces(p, false); return "face on face";
  case 2: place_faces(p, true); return "faces in one plane, same side";
  case 3: place_vertices(p); return "shared vertex";
  case 4: place_edges(p); return "shared edge";
  case 5: place_ridges(p); return "ridge on ridge";
  case 6: place_corner(p); return "corner on face";
  case 7: place_alike(p, false); return "the same pose";
  case 8: place_alike(p, true); return "nearly the same pose";
  case 9: place_grid(p); return "shifted by sides";
  default:
    p->shift = random_in_cube(p->random, 0.1 * p->size);
    return "inside, or through and through";
  }
}

#define PLACINGS 11

// Resting on each other, some way into each other, turned a little.
static const char *place_shallow(Placing *p, int kind)
{
  p->depth = p->size * power_of_ten(p->random, -7, -1.3);
  const char *family = kind < 5   ? (place_faces(p, false), "shallow, face on face")
                       : kind < 8 ? (place_corner(p), "shallow, corner on face")
                                  : (place_ridges(p), "shallow, ridge on ridge");
  const vec3 by = random_in_cube(p->random, 0.1 * p->depth / p->size);
  p->turn_b = mat3_mul_mat(quat_to_mat3(quat_normalize((quat){1, by.x, by.y, by.z})), p->turn_b);
  return family;
}

RandomPair random_pair(PairPool *pool, int64_t index)
{
  fill_pool(pool, index / PAIRS_PER_POOL);
  Random random = random_of(pool->seed, pool->degenerate, index);
  RandomPair pair = {.a = random_below(&random, POOL_SHAPES),
                     .b = random_below(&random, POOL_SHAPES)};
  const int kind = random_below(&random, PLACINGS);
  if (pool->degenerate) {
    if (kind == 7 || kind == 8 || (kind == 9 && random_below(&random, 2))) pair.b = pair.a;
    if (kind == 9 && pair.a != pair.b) {
      pair.a %= 5;   // boxes
      pair.b %= 5;
    }
    if (kind == 10) pair.b = 23;
    if (random_below(&random, 4) == 0) pair.a = 20 + random_below(&random, 3);
    if ((kind == 7 || kind == 8)) pair.b = pair.a;
  }
  const Shape *a = &pool->shapes[pair.a], *b = &pool->shapes[pair.b];
  Placing placing = {.random = &random,
                     .a = &a->parts[0].hull,
                     .b = &b->parts[0].hull,
                     .size = fmin(a->extent, b->extent),
                     .turn_a = mat3_diagonal(1, 1, 1)};
  if (kind != 9 || random_below(&random, 2)) placing.turn_a = quat_to_mat3(random_turn(&random));
  placing.turn_b = quat_to_mat3(random_turn(&random));
  if (pool->degenerate) {
    placing.depth = tiny(&random, placing.size);
    pair.family = place_degenerate(&placing, kind);
    pair.one_normal = kind < 2 || kind == 5 || kind == 6;
  } else if (index % 2) {
    pair.family = place_shallow(&placing, kind);
    pair.one_normal = true;
  } else {
    pair.family = "random";
    pair.one_normal = true;
    const double apart = 0.6 * random_between(&random, 0, a->radius + b->radius);
    placing.shift = vec3_scale(apart, random_direction(&random));
  }

  // near the origin or far from it; what is stored is the centre of b, rounded
  const double fars[3] = {0, pool->scale, pool->degenerate ? 1e6 * pool->scale : 1e6};
  const int far = random_below(&random, pool->degenerate ? 5 : 3);
  pair.center[0] = vec3_scale(fars[far % 3], random_direction(&random));
  pair.center[1] = vec3_add(pair.center[0], placing.shift);
  pair.rotation[0] = placing.turn_a;
  pair.rotation[1] = placing.turn_b;
  for (int k = 0; k < 2; k++) pair.velocity[k] = random_in_cube(&random, 1);
  return pair;
}
