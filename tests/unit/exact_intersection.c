#include "exact_intersection.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define BOX_FACES 6    // of the cube that is cut, whose planes come first
#define FILTER 1e-14   // of the terms of a height: what is larger has the sign of the true one

// mantissa 2^exponent
typedef struct {
  mpz_t mantissa;
  long exponent;
} Dyadic;

// N.x = D, all integers
typedef struct {
  mpz_t normal[3], offset;
  double unit[3], distance;   // the same over a power of two, rounded: for the filter
} ExactPlane;

// The common point of three planes, X / W with W > 0.
typedef struct {
  int plane[3];
  int neighbor[3];   // across the edge on the planes other than plane[k]
  mpz_t x[3], w;
  int turned;   // sign of the determinant of the three normals, in their order
  double place[3];
  bool above;
} ExactVertex;

struct ExactSpace {
  ExactPlane *planes;
  int plane_count, plane_room;
  ExactVertex *vertices;
  int vertex_room;
  int *alive, alive_count;   // vertices of the solid
  int *unused, unused_count;
  int *spare;     // [vertex_room] the next alive
  int *pending;   // [plane_room] new vertex that waits for the other one of its face, -1: none
  int *first;     // [plane_room] a vertex of the face, -1: none
  double *areas;
  int ties;
  mpz_t six_volumes, t[4], minor[3];
  mpz_t corner[3][3], cross[3];   // fixed point
  Dyadic term, factor, shift[3], sum[4];
};

// -- numbers --------------------------------------------------------------------------------------

static void dyadic_set(Dyadic *d, double value)
{
  assert(isfinite(value) && "numbers of a solid");
  int exponent;
  const double mantissa = frexp(value, &exponent);
  mpz_set_d(d->mantissa, ldexp(mantissa, 53));
  d->exponent = exponent - 53;
}

static void dyadic_multiply(Dyadic *d, double value)
{
  int exponent;
  const double mantissa = frexp(value, &exponent);
  mpz_mul_si(d->mantissa, d->mantissa, (long)ldexp(mantissa, 53));
  d->exponent += exponent - 53;
}

// Makes the exponent the lower one given.
static void dyadic_lower(Dyadic *d, long exponent)
{
  if (exponent >= d->exponent) return;
  mpz_mul_2exp(d->mantissa, d->mantissa, (mp_bitcnt_t)(d->exponent - exponent));
  d->exponent = exponent;
}

static void dyadic_add(Dyadic *sum, Dyadic *term)
{
  if (mpz_sgn(term->mantissa) == 0) return;
  if (mpz_sgn(sum->mantissa) == 0) sum->exponent = term->exponent;
  dyadic_lower(sum, term->exponent);
  dyadic_lower(term, sum->exponent);
  mpz_add(sum->mantissa, sum->mantissa, term->mantissa);
}

static double to_double(const mpz_t integer, long exponent)
{
  long own;
  const double mantissa = mpz_get_d_2exp(&own, integer);
  return ldexp(mantissa, (int)(own + exponent));
}

// -- memory ---------------------------------------------------------------------------------------

static void *resize(void *items, size_t count, size_t size)
{
  void *grown = realloc(items, count * size);
  assert(grown && "memory for a test");
  return grown;
}

static void reserve_planes(ExactSpace *s, int count)
{
  if (count <= s->plane_room) return;
  s->planes = resize(s->planes, (size_t)count, sizeof *s->planes);
  s->pending = resize(s->pending, (size_t)count, sizeof *s->pending);
  s->first = resize(s->first, (size_t)count, sizeof *s->first);
  s->areas = resize(s->areas, (size_t)count, sizeof *s->areas);
  for (int i = s->plane_room; i < count; i++) {
    mpz_inits(s->planes[i].normal[0], s->planes[i].normal[1], s->planes[i].normal[2],
              s->planes[i].offset, NULL);
    s->pending[i] = -1;
  }
  s->plane_room = count;
}

static int vertex_new(ExactSpace *s)
{
  if (s->unused_count == 0) {
    const int room = 2 * s->vertex_room + 64;
    s->vertices = resize(s->vertices, (size_t)room, sizeof *s->vertices);
    s->alive = resize(s->alive, (size_t)room, sizeof *s->alive);
    s->spare = resize(s->spare, (size_t)room, sizeof *s->spare);
    s->unused = resize(s->unused, (size_t)room, sizeof *s->unused);
    for (int i = room - 1; i >= s->vertex_room; i--) {
      mpz_inits(s->vertices[i].x[0], s->vertices[i].x[1], s->vertices[i].x[2], s->vertices[i].w,
                NULL);
      s->unused[s->unused_count++] = i;
    }
    s->vertex_room = room;
  }
  return s->unused[--s->unused_count];
}

ExactSpace *exact_space_new(void)
{
  ExactSpace *s = calloc(1, sizeof *s);
  assert(s && "memory for a test");
  mpz_init(s->six_volumes);
  for (int i = 0; i < 3; i++) {
    mpz_inits(s->minor[i], s->cross[i], s->shift[i].mantissa, s->corner[i][0], s->corner[i][1],
              s->corner[i][2], NULL);
  }
  for (int i = 0; i < 4; i++) mpz_inits(s->t[i], s->sum[i].mantissa, NULL);
  mpz_inits(s->term.mantissa, s->factor.mantissa, NULL);
  return s;
}

void exact_space_destroy(ExactSpace *s)
{
  for (int i = 0; i < s->plane_room; i++) {
    mpz_clears(s->planes[i].normal[0], s->planes[i].normal[1], s->planes[i].normal[2],
               s->planes[i].offset, NULL);
  }
  for (int i = 0; i < s->vertex_room; i++) {
    mpz_clears(s->vertices[i].x[0], s->vertices[i].x[1], s->vertices[i].x[2], s->vertices[i].w,
               NULL);
  }
  for (int i = 0; i < 3; i++) {
    mpz_clears(s->minor[i], s->cross[i], s->shift[i].mantissa, s->corner[i][0], s->corner[i][1],
               s->corner[i][2], NULL);
  }
  for (int i = 0; i < 4; i++) mpz_clears(s->t[i], s->sum[i].mantissa, NULL);
  mpz_clears(s->term.mantissa, s->factor.mantissa, s->six_volumes, NULL);
  free(s->planes);
  free(s->pending);
  free(s->first);
  free(s->areas);
  free(s->vertices);
  free(s->alive);
  free(s->spare);
  free(s->unused);
  free(s);
}

// -- planes ---------------------------------------------------------------------------------------

// The integers from four numbers with exponents of their own, and their rounded images.
static void finish_plane(ExactSpace *s, ExactPlane *plane)
{
  bool any = false;
  long least = 0;
  for (int k = 0; k < 4; k++) {
    if (mpz_sgn(s->sum[k].mantissa) == 0) continue;
    if (!any || s->sum[k].exponent < least) least = s->sum[k].exponent;
    any = true;
  }
  size_t bits = 0;
  for (int k = 0; k < 4; k++) {
    if (mpz_sgn(s->sum[k].mantissa) != 0) dyadic_lower(&s->sum[k], least);
    mpz_set(k < 3 ? plane->normal[k] : plane->offset, s->sum[k].mantissa);
    if (k < 3 && mpz_sizeinbase(plane->normal[k], 2) > bits) {
      bits = mpz_sizeinbase(plane->normal[k], 2);
    }
  }
  for (int k = 0; k < 3; k++) plane->unit[k] = to_double(plane->normal[k], -(long)bits);
  plane->distance = to_double(plane->offset, -(long)bits);
}

// normal.R'(x - shift) <= offset; the shift (a dyadic vector) may be NULL.
static void add_plane(ExactSpace *s, Plane plane, mat3 rotation, Dyadic *shift)
{
  const double normal[3] = {plane.normal.x, plane.normal.y, plane.normal.z};
  dyadic_set(&s->sum[3], plane.offset);
  for (int i = 0; i < 3; i++) {
    const double row[3] = {rotation.row[i].x, rotation.row[i].y, rotation.row[i].z};
    mpz_set_ui(s->sum[i].mantissa, 0);
    for (int k = 0; k < 3; k++) {
      dyadic_set(&s->term, row[k]);
      dyadic_multiply(&s->term, normal[k]);
      dyadic_add(&s->sum[i], &s->term);
    }
    if (!shift || mpz_sgn(s->sum[i].mantissa) == 0) continue;
    mpz_mul(s->term.mantissa, s->sum[i].mantissa, shift[i].mantissa);
    s->term.exponent = s->sum[i].exponent + shift[i].exponent;
    dyadic_add(&s->sum[3], &s->term);
  }
  finish_plane(s, &s->planes[s->plane_count++]);
}

// A cube about the origin that holds every corner the planes of a bounded solid can have.
static void start_cube(ExactSpace *s, double half)
{
  for (int f = 0; f < BOX_FACES; f++) {
    const double sign = f % 2 ? 1 : -1;
    const vec3 normal = {f / 2 == 0 ? sign : 0, f / 2 == 1 ? sign : 0, f / 2 == 2 ? sign : 0};
    add_plane(s, (Plane){normal, half}, mat3_diagonal(1, 1, 1), NULL);
  }
}

// -- vertices -------------------------------------------------------------------------------------

static void minor_of(mpz_t result, const ExactPlane *p, const ExactPlane *q, int i, int j)
{
  mpz_mul(result, p->normal[i], q->normal[j]);
  mpz_submul(result, p->normal[j], q->normal[i]);
}

// minor = p x q
static void cross_of(ExactSpace *s, const ExactPlane *p, const ExactPlane *q)
{
  for (int k = 0; k < 3; k++) minor_of(s->minor[k], p, q, (k + 1) % 3, (k + 2) % 3);
}

static void place_vertex(ExactSpace *s, ExactVertex *v)
{
  for (int k = 0; k < 3; k++) mpz_set_ui(v->x[k], 0);
  for (int k = 0; k < 3; k++) {
    const ExactPlane *p = &s->planes[v->plane[k]];
    cross_of(s, &s->planes[v->plane[(k + 1) % 3]], &s->planes[v->plane[(k + 2) % 3]]);
    for (int i = 0; i < 3; i++) mpz_addmul(v->x[i], p->offset, s->minor[i]);
    if (k > 0) continue;
    mpz_mul(v->w, p->normal[0], s->minor[0]);
    mpz_addmul(v->w, p->normal[1], s->minor[1]);
    mpz_addmul(v->w, p->normal[2], s->minor[2]);
  }
  v->turned = mpz_sgn(v->w);
  assert(v->turned != 0 && "an edge that a plane cuts is not parallel to it");
  if (v->turned < 0) {
    for (int i = 0; i < 3; i++) mpz_neg(v->x[i], v->x[i]);
    mpz_neg(v->w, v->w);
  }
  long exponent, own;
  const double w = mpz_get_d_2exp(&exponent, v->w);
  for (int i = 0; i < 3; i++) {
    const double x = mpz_get_d_2exp(&own, v->x[i]);
    v->place[i] = ldexp(x / w, (int)(own - exponent));
  }
}

// Sign of det(p, q, r) of normals.
static int determinant_sign(ExactSpace *s, int p, int q, int r)
{
  cross_of(s, &s->planes[q], &s->planes[r]);
  mpz_mul(s->t[0], s->planes[p].normal[0], s->minor[0]);
  mpz_addmul(s->t[0], s->planes[p].normal[1], s->minor[1]);
  mpz_addmul(s->t[0], s->planes[p].normal[2], s->minor[2]);
  return mpz_sgn(s->t[0]);
}

// A vertex in the plane itself: when the offset of plane m becomes less by an infinitesimal amount,
// N_l.X - D_l W changes by W for m = l, and by -N_l.(N_j x N_k) for m = i of the vertex's planes
// i, j, k. The first plane's shift is infinitely larger than the next one's.
static bool tie_is_above(ExactSpace *s, const ExactVertex *v, int plane)
{
  s->ties++;
  int last = -1;
  for (int round = 0; round < 4; round++) {
    int next = plane > last ? plane : -1, place = -1;
    for (int k = 0; k < 3; k++) {
      if (v->plane[k] > last && (next < 0 || v->plane[k] < next)) next = v->plane[k], place = k;
    }
    if (place < 0) return true;
    const int sign = v->turned * determinant_sign(s, plane, v->plane[(place + 1) % 3],
                                                  v->plane[(place + 2) % 3]);
    if (sign != 0) return sign < 0;
    last = next;
  }
  assert(false && "the plane's own shift decides at the latest");
  return true;
}

static bool is_above(ExactSpace *s, const ExactVertex *v, int plane)
{
  const ExactPlane *p = &s->planes[plane];
  const double x = p->unit[0] * v->place[0], y = p->unit[1] * v->place[1];
  const double z = p->unit[2] * v->place[2], height = x + y + z - p->distance;
  const double size = fabs(x) + fabs(y) + fabs(z) + fabs(p->distance);
  if (fabs(height) > FILTER * size) return height > 0;

  mpz_mul(s->t[0], p->offset, v->w);
  mpz_neg(s->t[0], s->t[0]);
  for (int i = 0; i < 3; i++) mpz_addmul(s->t[0], p->normal[i], v->x[i]);
  const int sign = mpz_sgn(s->t[0]);
  return sign != 0 ? sign > 0 : tie_is_above(s, v, plane);
}

// -- cutting --------------------------------------------------------------------------------------

static void make_cube(ExactSpace *s)
{
  s->alive_count = 0;
  int corners[8];
  for (int i = 0; i < 8; i++) corners[i] = vertex_new(s);
  for (int i = 0; i < 8; i++) {
    ExactVertex *v = &s->vertices[corners[i]];
    for (int k = 0; k < 3; k++) {
      v->plane[k] = 2 * k + (i >> k & 1);
      v->neighbor[k] = corners[i ^ 1 << k];
    }
    place_vertex(s, v);
    s->alive[s->alive_count++] = corners[i];
  }
}

// Joins a new vertex to the other new one on the face of its plane[k], once both are there.
static void join_on_face(ExactSpace *s, int vertex, int k)
{
  ExactVertex *v = &s->vertices[vertex];
  const int face = v->plane[k], other = s->pending[face];
  if (other < 0) {
    s->pending[face] = vertex;
    return;
  }
  // the edge lies on the face and on the cut, plane[2]: it is named by the third plane, place 1 - k
  ExactVertex *w = &s->vertices[other];
  const int place = w->plane[0] == face ? 0 : 1;
  v->neighbor[1 - k] = other;
  w->neighbor[1 - place] = vertex;
  s->pending[face] = -1;
}

// The new vertex on the edge of a kept vertex that names plane[k].
static void cut_edge(ExactSpace *s, int kept, int k, int plane)
{
  const int vertex = vertex_new(s);   // moves the vertices
  ExactVertex *v = &s->vertices[vertex], *from = &s->vertices[kept];
  v->plane[0] = from->plane[(k + 1) % 3];
  v->plane[1] = from->plane[(k + 2) % 3];
  v->plane[2] = plane;
  v->neighbor[2] = kept;
  v->above = false;
  from->neighbor[k] = vertex;
  place_vertex(s, v);
  join_on_face(s, vertex, 0);
  join_on_face(s, vertex, 1);
  s->alive[s->alive_count++] = vertex;
}

// Removes what lies above the plane; false when nothing is left.
static bool cut_solid(ExactSpace *s, int plane)
{
  int above = 0;
  for (int i = 0; i < s->alive_count; i++) {
    ExactVertex *v = &s->vertices[s->alive[i]];
    v->above = is_above(s, v, plane);
    above += v->above;
  }
  const int count = s->alive_count;
  if (above == count) return false;
  if (above == 0) return true;
  for (int i = 0; i < count; i++) {
    const int kept = s->alive[i];
    if (s->vertices[kept].above) continue;
    for (int k = 0; k < 3; k++) {
      if (s->vertices[s->vertices[kept].neighbor[k]].above) cut_edge(s, kept, k, plane);
    }
  }
  int left = 0;
  for (int i = 0; i < s->alive_count; i++) {
    const int vertex = s->alive[i];
    if (s->vertices[vertex].above) s->unused[s->unused_count++] = vertex;
    else s->alive[left++] = vertex;
  }
  s->alive_count = left;
  return true;
}

// -- measures -------------------------------------------------------------------------------------

// The coordinates of a vertex in fixed point.
static void fixed_vertex(ExactSpace *s, const ExactVertex *v, mpz_t *corner)
{
  for (int i = 0; i < 3; i++) {
    mpz_mul_2exp(s->t[0], v->x[i], EXACT_BITS);
    mpz_fdiv_q(corner[i], s->t[0], v->w);
  }
}

static void subtract(mpz_t *from, mpz_t *what)
{
  for (int i = 0; i < 3; i++) mpz_sub(from[i], from[i], what[i]);
}

// Round a face from vertex to vertex, by the edge on it and the plane that was not left by.
typedef struct {
  int face, first, at, from_plane, corners;
} FaceWalk;

static FaceWalk walk_begin(int face, int first) { return (FaceWalk){face, first, first, -1, 0}; }

// Goes to the next vertex; false: it is the first again.
static bool walk_on(const ExactSpace *s, FaceWalk *walk)
{
  const ExactVertex *v = &s->vertices[walk->at];
  const int place = v->plane[0] == walk->face ? 0 : v->plane[1] == walk->face ? 1 : 2;
  int leave = (place + 1) % 3;   // place of the plane that is left behind
  if (walk->from_plane >= 0 && v->plane[leave] != walk->from_plane) leave = (place + 2) % 3;
  walk->from_plane = v->plane[3 - place - leave];
  walk->at = v->neighbor[leave];
  walk->corners++;
  return walk->at != walk->first;
}

// Adds the pyramids over the triangles of a face, from an apex in fixed point, to the volume, and
// returns the area vector. Corner 0 becomes the first one of the face, 1 and 2 the others.
static vec3 measure_face(ExactSpace *s, int face, mpz_t *apex)
{
  const int first = s->first[face];
  mpz_t *origin = s->corner[0];
  fixed_vertex(s, &s->vertices[first], origin);
  mpz_t sum[3], arm[3];
  for (int k = 0; k < 3; k++) {
    mpz_init(sum[k]);
    mpz_init_set(arm[k], origin[k]);
  }
  subtract(arm, apex);

  int previous = 1;
  FaceWalk walk = walk_begin(face, first);
  while (walk_on(s, &walk)) {
    const int now = 3 - previous;
    fixed_vertex(s, &s->vertices[walk.at], s->corner[now]);
    subtract(s->corner[now], origin);
    if (walk.corners > 1) {
      for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        mpz_addmul(sum[k], s->corner[previous][i], s->corner[now][j]);
        mpz_submul(sum[k], s->corner[previous][j], s->corner[now][i]);
      }
    }
    previous = now;
  }

  // all triangles turn the same way: the sum of their volumes has one sign
  mpz_mul(s->t[3], sum[0], arm[0]);
  mpz_addmul(s->t[3], sum[1], arm[1]);
  mpz_addmul(s->t[3], sum[2], arm[2]);
  mpz_abs(s->t[3], s->t[3]);
  mpz_add(s->six_volumes, s->six_volumes, s->t[3]);
  vec3 area = {to_double(sum[0], -2L * EXACT_BITS - 1), to_double(sum[1], -2L * EXACT_BITS - 1),
               to_double(sum[2], -2L * EXACT_BITS - 1)};
  const double *unit = s->planes[face].unit;
  if (area.x * unit[0] + area.y * unit[1] + area.z * unit[2] < 0) area = vec3_neg(area);
  for (int k = 0; k < 3; k++) mpz_clears(sum[k], arm[k], NULL);
  return area;
}

static ExactIntersection measure(ExactSpace *s, int a_faces)
{
  ExactIntersection x = {
      .vertex_count = s->alive_count, .ties = s->ties, .areas = s->areas + BOX_FACES};
  for (int f = 0; f < s->plane_count; f++) s->first[f] = -1;
  for (int i = 0; i < s->alive_count; i++) {
    const ExactVertex *v = &s->vertices[s->alive[i]];
    for (int k = 0; k < 3; k++) {
      s->first[v->plane[k]] = s->alive[i];
      x.middle[k] += v->place[k] / s->alive_count;
    }
  }
  mpz_t apex[3];
  for (int k = 0; k < 3; k++) mpz_init(apex[k]);
  fixed_vertex(s, &s->vertices[s->alive[0]], apex);
  for (int f = 0; f < s->plane_count; f++) {
    s->areas[f] = 0;
    if (s->first[f] < 0) continue;
    assert(f >= BOX_FACES && "the planes of a solid bound it");
    const vec3 area = measure_face(s, f, apex);
    s->areas[f] = vec3_norm(area);
    x.surface += s->areas[f];
    const int owner = f - BOX_FACES < a_faces ? 0 : 1;
    x.area[owner] = vec3_add(x.area[owner], area);
  }
  for (int k = 0; k < 3; k++) mpz_clear(apex[k]);
  x.volume = to_double(s->six_volumes, -3L * EXACT_BITS) / 6;
  return x;
}

void exact_last_triangles(ExactSpace *s, mpz_t apex[3], ExactTriangle *call, void *context)
{
  assert(s->alive_count > 0 && "there is a solid");
  fixed_vertex(s, &s->vertices[s->alive[0]], apex);
  for (int f = 0; f < s->plane_count; f++) {
    if (s->first[f] < 0) continue;
    fixed_vertex(s, &s->vertices[s->first[f]], s->corner[0]);
    subtract(s->corner[0], apex);
    FaceWalk walk = walk_begin(f, s->first[f]);
    while (walk_on(s, &walk)) {
      for (int k = 0; k < 3; k++) mpz_set(s->corner[1][k], s->corner[2][k]);
      fixed_vertex(s, &s->vertices[walk.at], s->corner[2]);
      subtract(s->corner[2], apex);
      if (walk.corners > 1) call(context, s->corner);
    }
  }
}

void exact_last_volume(const ExactSpace *s, mpz_t six_volumes)
{
  mpz_set(six_volumes, s->six_volumes);
}

ExactIntersection exact_intersection(ExactSpace *s, ExactBody a, ExactBody b)
{
  const int planes = BOX_FACES + a.hull->face_count + b.hull->face_count;
  reserve_planes(s, planes);
  s->plane_count = s->unused_count = s->ties = 0;
  for (int i = s->vertex_room - 1; i >= 0; i--) s->unused[s->unused_count++] = i;
  mpz_set_ui(s->six_volumes, 0);

  // all coordinates are relative to the centre of a; the shift of the centres is not rounded
  const double from[3] = {a.center.x, a.center.y, a.center.z};
  const double to[3] = {b.center.x, b.center.y, b.center.z};
  for (int k = 0; k < 3; k++) {
    dyadic_set(&s->shift[k], to[k]);
    dyadic_set(&s->term, -from[k]);
    dyadic_add(&s->shift[k], &s->term);
  }
  double farthest = 0;
  for (int v = 0; v < a.hull->vertex_count; v++) {
    farthest = fmax(farthest, vec3_norm(a.hull->vertices[v]));
  }
  start_cube(s, 4 * farthest);
  for (int f = 0; f < a.hull->face_count; f++) {
    add_plane(s, a.hull->planes[f], a.rotation, NULL);
  }
  for (int f = 0; f < b.hull->face_count; f++) {
    add_plane(s, b.hull->planes[f], b.rotation, s->shift);
  }
  make_cube(s);
  for (int p = BOX_FACES; p < planes; p++) {
    if (!cut_solid(s, p)) return (ExactIntersection){.empty = true, .ties = s->ties};
  }
  return measure(s, a.hull->face_count);
}
