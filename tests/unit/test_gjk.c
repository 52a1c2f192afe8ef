// Distances of solids against the distances of all their vertices, edges and faces, and closed
// forms.
#include <stdbool.h>

#include "gjk.h"
#include "harness.h"
#include "intersection.h"
#include "memory.h"
#include "polyhedron.h"
#include "random_solids.h"

static double clamp(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

static double segment_point_distance(vec3 p, vec3 q, vec3 x)
{
  const vec3 d = vec3_sub(q, p);
  const double t = clamp(vec3_dot(d, vec3_sub(x, p)) / vec3_dot(d, d));
  return vec3_norm(vec3_sub(vec3_axpy(t, d, p), x));
}

// Where both lines' nearest points lie inside the segments; infinite otherwise.
static double crossing_distance(vec3 p, vec3 q, vec3 r, vec3 s)
{
  const vec3 d = vec3_sub(q, p), e = vec3_sub(s, r), w = vec3_sub(r, p), n = vec3_cross(d, e);
  const double square = vec3_dot(n, n);
  const double t = vec3_dot(vec3_cross(w, e), n) / square,
               u = vec3_dot(vec3_cross(w, d), n) / square;
  if (!(t >= 0 && t <= 1 && u >= 0 && u <= 1)) return INFINITY;
  return fabs(vec3_dot(w, n)) / sqrt(square);
}

// Height of a point above a face, where it lies above its inside; infinite otherwise.
static double face_point_distance(const Polyhedron *p, int face, vec3 x)
{
  const vec3 normal = p->planes[face].normal;
  const int first = p->face_start[face], end = p->face_start[face + 1];
  for (int i = first; i < end; i++) {
    const vec3 u = p->vertices[p->face_vertices[i]];
    const vec3 v = p->vertices[p->face_vertices[i + 1 < end ? i + 1 : first]];
    if (vec3_dot(vec3_cross(normal, vec3_sub(v, u)), vec3_sub(x, u)) < 0) return INFINITY;
  }
  const double height = vec3_dot(normal, vec3_sub(x, p->vertices[p->face_vertices[first]]));
  return height >= 0 ? height : INFINITY;
}

// Distance of separated solids; the slow reference.
static double reference_distance(const Polyhedron *a, const Polyhedron *b)
{
  double least = INFINITY;
  for (int side = 0; side < 2; side++) {
    const Polyhedron *p = side ? b : a, *q = side ? a : b;
    for (int i = 0; i < q->vertex_count; i++) {
      for (int f = 0; f < p->face_count; f++)
        least = fmin(least, face_point_distance(p, f, q->vertices[i]));
      for (int e = 0; e < p->edge_count; e++) {
        const int *v = p->edges[e].vertex;
        least = fmin(least,
                     segment_point_distance(p->vertices[v[0]], p->vertices[v[1]], q->vertices[i]));
      }
    }
  }
  for (int e = 0; e < a->edge_count; e++) {
    for (int g = 0; g < b->edge_count; g++) {
      const int *v = a->edges[e].vertex, *w = b->edges[g].vertex;
      least = fmin(least, crossing_distance(a->vertices[v[0]], a->vertices[v[1]], b->vertices[w[0]],
                                            b->vertices[w[1]]));
    }
  }
  return least;
}

static bool lies_in(const Polyhedron *p, vec3 x, double slack)
{
  for (int f = 0; f < p->face_count; f++) {
    if (vec3_dot(p->planes[f].normal, x) - p->planes[f].offset > slack) return false;
  }
  return true;
}

static void check_pair(const Polyhedron *a, const Polyhedron *b, Arena *arena)
{
  const GjkResult r = gjk_distance(a->vertices, a->vertex_count, b->vertices, b->vertex_count);
  const GjkResult s = gjk_distance(b->vertices, b->vertex_count, a->vertices, a->vertex_count);
  CHECK_NEAR(r.distance, s.distance, 1e-12);
  CHECK(r.iterations > 0 && r.iterations < 100);
  CHECK(lies_in(a, r.on_a, 1e-12) && lies_in(b, r.on_b, 1e-12));
  const Intersection x = intersection_clip(a, b, 0, arena);
  if (x.status == INTERSECTION_OK) {
    CHECK_NEAR(r.distance, 0, 1e-12);
    CHECK_NEAR(vec3_norm(vec3_sub(r.on_a, r.on_b)), 0, 1e-12);
  } else if (x.status == INTERSECTION_EMPTY) {
    CHECK_NEAR(r.distance, reference_distance(a, b), 1e-12);
    CHECK_NEAR(vec3_norm(vec3_sub(r.on_a, r.on_b)), r.distance, 1e-14);
  }
}

static void check_random_pairs(int pairs, double reach)
{
  Random random = {55};
  for (int n = 0; n < pairs; n++) {
    Arena arena = arena_new();
    const Polyhedron p = solid_random(&random, n % SOLID_KINDS, &arena);
    const Polyhedron q = solid_random(&random, n / SOLID_KINDS % SOLID_KINDS, &arena);
    const Polyhedron a =
        polyhedron_place(&p, random_rotation(&random), random_in_cube(&random, reach), &arena);
    const Polyhedron b =
        polyhedron_place(&q, random_rotation(&random), random_in_cube(&random, reach), &arena);
    check_pair(&a, &b, &arena);
    arena_destroy(&arena);
  }
}

// Faces and edges nearly parallel, gaps from nothing to size.
static void check_resting_boxes(int rounds)
{
  Random random = {21};
  for (int n = 0; n < rounds; n++) {
    Arena arena = arena_new();
    const double gap = pow(10, -(double)(n % 12)), tilt = n % 3 ? pow(10, -(double)(n % 17)) : 0;
    const Polyhedron base = solid_box((vec3){-1, -1, -1}, (vec3){1, 1, 0}, &arena);
    const Polyhedron top = solid_box((vec3){-1, -1, 0}, (vec3){1, 1, 1}, &arena);
    const mat3 turn = random_rotation(&random);
    const mat3 lean = quat_to_mat3(quat_normalize((quat){1, tilt, 0, n % 2 ? 0.3 : 0}));
    const vec3 shift = {random_between(&random, -1, 1), n % 5 ? random_between(&random, -1, 1) : 0,
                        gap + 3 * tilt};
    const Polyhedron leaning = polyhedron_place(&top, lean, shift, &arena);
    const Polyhedron a = polyhedron_place(&base, turn, (vec3){0, 0, 0}, &arena);
    const Polyhedron b = polyhedron_place(&leaning, turn, (vec3){0, 0, 0}, &arena);
    check_pair(&a, &b, &arena);
    if (tilt <= 0) {
      const GjkResult r = gjk_distance(a.vertices, a.vertex_count, b.vertices, b.vertex_count);
      CHECK_NEAR(r.distance, gap, 1e-12);
    }
    arena_destroy(&arena);
  }
}

// Solids of all kinds brought so near to each other that most digits of the difference cancel.
static void check_near_contact(int pairs)
{
  Random random = {91};
  for (int n = 0; n < pairs; n++) {
    Arena arena = arena_new();
    const Polyhedron p = solid_random(&random, n % SOLID_KINDS, &arena);
    const Polyhedron q = solid_random(&random, n / SOLID_KINDS % SOLID_KINDS, &arena);
    const mat3 turn = random_rotation(&random), other = random_rotation(&random);
    const Polyhedron a = polyhedron_place(&p, turn, (vec3){0, 0, 0}, &arena);
    const vec3 away = vec3_scale(4, random_direction(&random));
    const Polyhedron far = polyhedron_place(&q, other, away, &arena);
    const GjkResult r = gjk_distance(a.vertices, a.vertex_count, far.vertices, far.vertex_count);
    const vec3 gap = vec3_sub(r.on_b, r.on_a);
    const double left = pow(10, -(double)(n % 14)) / r.distance;
    const vec3 shift = vec3_add(away, vec3_scale(left - 1, gap));
    const Polyhedron b = polyhedron_place(&q, other, shift, &arena);
    check_pair(&a, &b, &arena);
    arena_destroy(&arena);
  }
}

// Needles and plates, thin as a part in a million, apart, near, crossing and through each other.
static void check_thin_boxes(int pairs)
{
  Random random = {73};
  for (int n = 0; n < pairs; n++) {
    Arena arena = arena_new();
    const double thin = pow(10, -(double)(n % 7)), other = n % 2 ? thin : 1;
    const vec3 half = {1, other, thin}, half_b = n % 3 ? (vec3){thin, 1, other} : (vec3){1, 1, 1};
    const Polyhedron p = solid_box(vec3_neg(half), half, &arena);
    const Polyhedron q = solid_box(vec3_neg(half_b), half_b, &arena);
    const vec3 shift = random_in_cube(&random, n % 5 ? 1.5 : thin);
    const Polyhedron a = polyhedron_place(&p, random_rotation(&random), (vec3){0, 0, 0}, &arena);
    const Polyhedron b = polyhedron_place(&q, random_rotation(&random), shift, &arena);
    check_pair(&a, &b, &arena);
    arena_destroy(&arena);
  }
}

// One inside of the other meets it wherever it lies, as large as half of it or as small as dust.
static void check_nested(int pairs)
{
  Random random = {37};
  for (int n = 0; n < pairs; n++) {
    Arena arena = arena_new();
    const Polyhedron p = solid_random(&random, n % SOLID_KINDS, &arena);
    const double scale = 0.5 * pow(10, -(double)(n % 9));
    vec3 *small = arena_allocate(&arena, (size_t)p.vertex_count * sizeof *small);
    // towards one of its points, or a mean of some, the homothetic solid stays inside
    vec3 pole = {0, 0, 0};
    const int some = 4 + random_below(&random, p.vertex_count - 3);
    for (int i = 0; i < some; i++) pole = vec3_axpy(1.0 / some, p.vertices[i], pole);
    for (int i = 0; i < p.vertex_count; i++) {
      small[i] = vec3_axpy(scale, vec3_sub(p.vertices[i], pole), pole);
    }
    const int count = p.vertex_count;
    const GjkResult r = gjk_distance(p.vertices, count, small, count);
    const GjkResult s = gjk_distance(small, count, p.vertices, count);
    CHECK_NEAR(r.distance, 0, 1e-15);
    CHECK_NEAR(s.distance, 0, 1e-15);
    CHECK(lies_in(&p, r.on_a, 1e-12) && lies_in(&p, r.on_b, 1e-12));
    arena_destroy(&arena);
  }
}

// Is the distance largest and least at once? No point of a set lies beyond the plane through its
// nearest one at right angles to the way between.
static void check_planes(const vec3 *a, int a_count, const vec3 *b, int b_count, GjkResult r)
{
  const vec3 between = vec3_sub(r.on_b, r.on_a);
  CHECK_NEAR(vec3_norm(between), r.distance, 1e-13);
  if (r.distance < 1e-3) return;
  const vec3 n = vec3_scale(1 / vec3_norm(between), between);
  double most = -INFINITY, least = INFINITY;
  for (int i = 0; i < a_count; i++) most = fmax(most, vec3_dot(n, vec3_sub(a[i], r.on_a)));
  for (int i = 0; i < b_count; i++) least = fmin(least, vec3_dot(n, vec3_sub(b[i], r.on_b)));
  CHECK_NEAR(most, 0, 1e-11);
  CHECK_NEAR(least, 0, 1e-11);
}

// Polygons of one plane, where all tetrahedra of corners are flat but for rounding.
static void check_coplanar_sets(int pairs)
{
  Random random = {5};
  int apart = 0;
  for (int n = 0; n < pairs; n++) {
    const int count = 3 + n % 4;
    const mat3 turn = random_rotation(&random);
    const vec3 origin = random_in_cube(&random, n % 3);
    const vec3 shift = {random_between(&random, -2, 2), random_between(&random, -2, 2), 0};
    vec3 a[6], b[6];
    for (int i = 0; i < count; i++) {
      vec3 p = random_in_cube(&random, 1), q = vec3_add(random_in_cube(&random, 1), shift);
      p.z = q.z = 0;
      a[i] = vec3_add(origin, mat3_mul(turn, p));
      b[i] = vec3_add(origin, mat3_mul(turn, q));
    }
    const GjkResult r = gjk_distance(a, count, b, count), s = gjk_distance(b, count, a, count);
    CHECK_NEAR(r.distance, s.distance, 1e-13);
    check_planes(a, count, b, count, r);
    apart += r.distance > 1e-3;
  }
  CHECK(apart > pairs / 4 && apart < pairs);
}

// Sets too large for rows of them: balls of many points, whose distance the nearest points of a
// small set tell.
static void check_many_points(void)
{
  enum { MANY = 1000 };
  Random random = {15};
  vec3 ball[MANY];
  for (int i = 0; i < MANY; i++) ball[i] = random_direction(&random);
  for (int n = 0; n < 200; n++) {
    const vec3 tip = vec3_scale(random_between(&random, 1.5, 4), random_direction(&random));
    const vec3 away = vec3_scale(1.0 / vec3_norm(tip), tip);
    const GjkResult all = gjk_distance(ball, MANY, &tip, 1);
    // those that may be nearest, few enough for rows
    vec3 cap[MANY];
    int count = 0;
    for (int i = 0; i < MANY; i++) {
      if (vec3_dot(ball[i], away) > 0.8) cap[count++] = ball[i];
    }
    CHECK(count > 4 && count < 256);
    CHECK_NEAR(all.distance, gjk_distance(cap, count, &tip, 1).distance, 1e-14);
    CHECK_NEAR(vec3_norm(vec3_sub(all.on_a, tip)), all.distance, 1e-14);
  }
}

// Points, segments and triangles are sets too; far from the origin only rounding of coordinates is
// lost.
static void check_flat_sets(void)
{
  const vec3 point = {1, 2, 3}, other = {1, 2, 5};
  CHECK_NEAR(gjk_distance(&point, 1, &other, 1).distance, 2, 0);
  CHECK_NEAR(gjk_distance(&point, 1, &point, 1).distance, 0, 0);
  const vec3 segment[] = {{0, 0, 0}, {4, 0, 0}}, crossed[] = {{1, -1, 1}, {1, 1, 1}};
  const GjkResult r = gjk_distance(segment, 2, crossed, 2);
  CHECK_NEAR(r.distance, 1, 1e-15);
  CHECK_NEAR(vec3_norm(vec3_sub(r.on_a, (vec3){1, 0, 0})), 0, 1e-15);
  CHECK_NEAR(vec3_norm(vec3_sub(r.on_b, (vec3){1, 0, 1})), 0, 1e-15);
  const vec3 triangle[] = {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}},
             above[] = {{0.5, 0.5, 0.25}, {2, 2, 9}};
  CHECK_NEAR(gjk_distance(triangle, 3, above, 2).distance, 0.25, 1e-15);
  CHECK_NEAR(gjk_distance(triangle, 3, &point, 1).distance, 3, 1e-15);
  const vec3 far[] = {{1e6, 1e6, 1e6}, {1e6 + 1, 1e6, 1e6}}, near[] = {{1e6 + 0.5, 1e6 + 0.5, 1e6}};
  CHECK_NEAR(gjk_distance(far, 2, near, 1).distance, 0.5, 1e-12);
}

// A stone and a box 3 m apart: four of the differences of their corners are those of a face of the
// box, which lie in a plane but for rounding, and rounding made a tetrahedron around the origin.
static void check_flat_tetrahedron(void)
{
  const vec3 stone[] = {{1.0117157901779992, -2.5037546659507317, 5.5030752775715053},
                        {1.0460523448287438, -2.4196736213951229, 5.5103825045435029},
                        {1.05589412876678, -2.4019582087487841, 5.4634188668839307},
                        {1.0349981754341264, -2.358386037121591, 5.469200897488899},
                        {1.010503277638553, -2.3792131849463676, 5.5288520955772391},
                        {0.99563966666498138, -2.4226824960209568, 5.5546507169992561},
                        {0.96013712277602281, -2.3819248798354011, 5.5220210014405868},
                        {0.96743193365339897, -2.376632771284545, 5.4637999331348741},
                        {0.99646550337884754, -2.4065624305891431, 5.4287874928071451},
                        {0.94710061379398347, -2.4090134678048587, 5.4905367087032353},
                        {1.0140707015431571, -2.4438839442354041, 5.4309845087416004},
                        {0.95543440428159587, -2.47824790235182, 5.5356260440923899}};
  const vec3 box[] = {{2.4621771017954392, -1.8524359107622577, 2.7234410379048537},
                      {2.5146938759477777, -1.9390168806997727, 2.6560392833038478},
                      {2.4332693417529923, -1.9354380711410704, 2.8075377395510004},
                      {2.4857861159053307, -2.0220190410785852, 2.740135984949994},
                      {2.3563300315103177, -1.8727250571985132, 2.6670316353647845},
                      {2.4088468056626562, -1.9593060271360283, 2.5996298807637781},
                      {2.3274222714678707, -1.9557272175773259, 2.7511283370109307},
                      {2.3799390456202092, -2.0423081875148408, 2.6837265824099248}};
  Arena arena = arena_new();
  const Polyhedron a = solid_of(stone, 12, &arena), b = solid_of(box, 8, &arena);
  const double expected = reference_distance(&a, &b);
  CHECK(expected > 2.9 && expected < 3.1);
  CHECK_NEAR(gjk_distance(stone, 12, box, 8).distance, expected, 1e-12);
  CHECK_NEAR(gjk_distance(box, 8, stone, 12).distance, expected, 1e-12);
  arena_destroy(&arena);
}

int main(void)
{
  check_flat_tetrahedron();
  check_flat_sets();
  check_random_pairs(5000, 0.8);
  check_random_pairs(5000, 2);
  check_resting_boxes(4000);
  check_near_contact(6000);
  check_thin_boxes(7000);
  check_nested(5000);
  check_many_points();
  check_coplanar_sets(20000);
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
