// Finds faces that share a joint, and fits one plane to each joint.
#include "flat_joints.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "box_overlap.h"

#define FACING (-0.9)        // cosine of normals of faces that look at each other, at most
#define GROWN_BETWEEN 1.25   // a joint that has grown by this gets another plane
#define SLENDER 1e-8         // least share of a second moment across that fixes a tilt

// Two faces that share a joint.
typedef struct {
  int a, b;
  double limit;   // how far corners may leave its plane, m
} Mate;

typedef struct {
  const FlatFaces *all;
  Arena *arena;
  int count, capacity;
  Mate *mates;
  FlatPlane *planes;   // [faces] of each face alone
  double widest, deepest;
} Search;

// -- planes ---------------------------------------------------------------------------------------

static void basis_of(vec3 n, vec3 *e, vec3 *f)
{
  const vec3 axis = fabs(n.x) < 0.7 ? (vec3){1, 0, 0} : (vec3){0, 1, 0};
  const vec3 across = vec3_cross(n, axis);
  *e = vec3_scale(1 / vec3_norm(across), across);
  *f = vec3_cross(n, *e);
}

// Heights above a plane as a function of the place in it: h = a + b s + c t.
typedef struct {
  vec3 origin, n, e, f;
  double ss, st, tt, sh, th;   // second moments about the origin
} Heights;

static void add_height(Heights *h, vec3 point)
{
  const vec3 arm = vec3_sub(point, h->origin);
  const double s = vec3_dot(h->e, arm), t = vec3_dot(h->f, arm), up = vec3_dot(h->n, arm);
  h->ss += s * s, h->st += s * t, h->tt += t * t, h->sh += s * up, h->th += t * up;
}

// The tilt with the least squares; none about an axis across which the points have no width.
static void solve_tilt(const Heights *h, double *b, double *c)
{
  const double both = h->ss + h->tt;
  const double det = h->ss * h->tt - h->st * h->st;
  *b = *c = 0;
  if (!(both > 0)) return;
  if (det > SLENDER * both * both) {
    *b = (h->sh * h->tt - h->th * h->st) / det;
    *c = (h->th * h->ss - h->sh * h->st) / det;
    return;
  }
  // along the line alone
  const double along = h->ss > h->tt ? h->sh / h->ss : h->th / h->tt;
  if (h->ss > h->tt) *b = along;
  else *c = along;
}

static FlatPlane tilted(const Heights *h, double b, double c)
{
  const vec3 n = vec3_axpy(-b, h->e, vec3_axpy(-c, h->f, h->n));
  return (FlatPlane){vec3_scale(1 / vec3_norm(n), n), h->origin};
}

static vec3 mean_of(const vec3 *points, int count)
{
  vec3 sum = {0, 0, 0};
  for (int i = 0; i < count; i++) sum = vec3_add(sum, vec3_sub(points[i], points[0]));
  return vec3_axpy(1.0 / count, sum, points[0]);
}

// Through two pins: one tilt is left, about the line of both.
static bool fit_about_line(Heights *h, FlatPoints p, FlatPlane *plane)
{
  vec3 line = vec3_sub(p.pins[1], p.pins[0]);
  const double length = vec3_norm(line);
  if (!(length > 0)) return false;
  line = vec3_scale(1 / length, line);
  vec3 n = vec3_axpy(-vec3_dot(h->n, line), line, h->n);
  const double norm = vec3_norm(n);
  if (!(norm > 0.5)) return false;
  h->n = n = vec3_scale(1 / norm, n);
  h->e = line, h->f = vec3_cross(n, line);
  double above = 0, below = 0;
  for (int i = 0; i < p.count; i++) {
    const vec3 arm = vec3_sub(p.points[i], h->origin);
    const double t = vec3_dot(h->f, arm);
    above += t * vec3_dot(n, arm), below += t * t;
  }
  if (!(below > 0)) return false;
  *plane = tilted(h, 0, above / below);
  return true;
}

bool flat_joints_fit(FlatPlane near, FlatPoints p, FlatPlane *plane)
{
  assert(p.count > 0 && p.pin_count >= 0 && p.pin_count <= 3 && "a plane is fitted to points");
  Heights h = {.n = near.normal};
  basis_of(h.n, &h.e, &h.f);
  h.origin = p.pin_count > 0 ? p.pins[0] : mean_of(p.points, p.count);
  if (p.pin_count == 2) return fit_about_line(&h, p, plane);
  if (p.pin_count == 3) {
    const vec3 n = vec3_cross(vec3_sub(p.pins[1], p.pins[0]), vec3_sub(p.pins[2], p.pins[0]));
    const double norm = vec3_norm(n), along = vec3_dot(n, near.normal);
    if (!(fabs(along) > 0.5 * norm)) return false;
    *plane = (FlatPlane){vec3_scale((along > 0 ? 1 : -1) / norm, n), h.origin};
    return true;
  }
  double b, c;
  for (int i = 0; i < p.count; i++) add_height(&h, p.points[i]);
  solve_tilt(&h, &b, &c);
  *plane = tilted(&h, b, c);
  return true;
}

// -- faces that look at each other ----------------------------------------------------------------

// Whether two triangles in one plane share more than a strip of some width.
static bool triangles_share(double (*a)[2], double (*b)[2], double width)
{
  for (int side = 0; side < 2; side++) {
    double(*p)[2] = side ? b : a, (*q)[2] = side ? a : b;
    const double turn =
        (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]);
    for (int i = 0; i < 3; i++) {
      const double *s = p[i], *t = p[(i + 1) % 3];
      const double sign = turn > 0 ? 1 : -1;
      const double nx = sign * (t[1] - s[1]), ny = -sign * (t[0] - s[0]);
      const double length = sqrt(nx * nx + ny * ny);
      double least = INFINITY;   // of what lies outward
      for (int k = 0; k < 3; k++)
        least = fmin(least, nx * (q[k][0] - s[0]) + ny * (q[k][1] - s[1]));
      if (!(least < -width * length)) return false;
    }
  }
  return true;
}

static bool faces_share(const Search *s, const FlatFace *a, const FlatFace *b, double width)
{
  vec3 e, f;
  basis_of(flat_faces_plane(a).normal, &e, &f);
  const FlatFace *face[2] = {a, b};
  for (int i = 0; i < a->triangle_count; i++)
    for (int j = 0; j < b->triangle_count; j++) {
      double corners[2][3][2];
      for (int side = 0; side < 2; side++) {
        const FlatBody *body = &s->all->bodies[face[side]->body];
        const int t = s->all->triangles[face[side]->first_triangle + (side ? j : i)];
        for (int k = 0; k < 3; k++) {
          const vec3 arm = vec3_sub(body->points[body->triangles[t][k]], a->middle);
          corners[side][k][0] = vec3_dot(e, arm);
          corners[side][k][1] = vec3_dot(f, arm);
        }
      }
      if (triangles_share(corners[0], corners[1], width)) return true;
    }
  return false;
}

// The height of largest size that corners of a face have above a plane.
static double largest_height(const FlatFaces *all, const FlatFace *face, FlatPlane plane)
{
  double largest = 0;
  for (int i = 0; i < face->corner_count; i++) {
    const double height = flat_faces_height(plane, flat_faces_corner(all, face, i));
    if (fabs(height) > fabs(largest)) largest = height;
  }
  return largest;
}

static void judge_pair(Search *s, int a, int b)
{
  const FlatFaces *all = s->all;
  const FlatFace *p = &all->faces[a], *q = &all->faces[b];
  if (!(vec3_dot(s->planes[a].normal, s->planes[b].normal) < FACING)) return;
  const FlatBody *x = &all->bodies[p->body], *y = &all->bodies[q->body];
  const double over = largest_height(all, p, s->planes[b]);
  const double under = largest_height(all, q, s->planes[a]);
  const double height = fabs(over) < fabs(under) ? over : under;
  const double reach = fmin(x->reach, y->reach), overlap = fmin(x->overlap, y->overlap);
  const double limit = height < 0 ? fmax(reach, overlap) : reach;
  if (!(fabs(height) <= limit) || !faces_share(s, p, q, limit)) return;
  s->mates = arena_grow(s->arena, s->mates, (int64_t)s->count + 1, &s->capacity, sizeof *s->mates);
  s->mates[s->count++] = (Mate){a, b, limit};
  s->widest = fmax(s->widest, height);
  s->deepest = fmax(s->deepest, -height);
}

// Faces of one body in the box of another one, after those that are listed.
static int faces_in(const FlatFaces *all, int body, Box box, int count, int *faces)
{
  for (int f = all->first_of_body[body]; f < all->first_of_body[body + 1]; f++)
    if (box_overlaps(all->faces[f].box, box)) faces[count++] = f;
  return count;
}

static void judge_bodies(Search *s, const Box *boxes, int a, int b, Arena *scratch)
{
  const FlatFaces *all = s->all;
  const int most = all->first_of_body[a + 1] - all->first_of_body[a] + all->first_of_body[b + 1] -
                   all->first_of_body[b];
  int *faces = arena_allocate(scratch, (size_t)most * sizeof *faces);
  const int own = faces_in(all, a, boxes[b], 0, faces);
  const int count = faces_in(all, b, boxes[a], own, faces);
  Box *grown = arena_allocate(scratch, (size_t)count * sizeof *grown);
  for (int i = 0; i < count; i++) {
    const FlatBody *body = &all->bodies[all->faces[faces[i]].body];
    grown[i] = box_grow(all->faces[faces[i]].box, fmax(body->reach, body->overlap));
  }
  const BoxPairs pairs = box_overlap_find(grown, count, scratch);
  for (int64_t i = 0; i < pairs.count; i++)
    if (pairs.pairs[i].a < own && pairs.pairs[i].b >= own)
      judge_pair(s, faces[pairs.pairs[i].a], faces[pairs.pairs[i].b]);
}

static void find_mates(Search *s)
{
  const FlatFaces *all = s->all;
  s->planes = arena_allocate(s->arena, (size_t)all->count * sizeof *s->planes);
  for (int f = 0; f < all->count; f++) s->planes[f] = flat_faces_plane(&all->faces[f]);
  Arena scratch = arena_new();
  Box *boxes = arena_allocate(&scratch, (size_t)all->body_count * sizeof *boxes);
  for (int b = 0; b < all->body_count; b++) {
    const FlatBody *body = &all->bodies[b];
    boxes[b] =
        box_grow(box_of_points(body->points, body->point_count), fmax(body->reach, body->overlap));
  }
  const BoxPairs pairs = box_overlap_find(boxes, all->body_count, &scratch);
  for (int64_t i = 0; i < pairs.count; i++) {
    const ArenaMark mark = arena_mark(&scratch);
    judge_bodies(s, boxes, pairs.pairs[i].a, pairs.pairs[i].b, &scratch);
    arena_release(&scratch, mark);
  }
  arena_destroy(&scratch);
}

// -- joints ---------------------------------------------------------------------------------------

typedef struct {
  double area;
  int face;
} Seed;

static int compare_seeds(const void *p, const void *q)
{
  const Seed *a = p, *b = q;
  if (a->area != b->area) return a->area > b->area ? -1 : 1;
  return (a->face > b->face) - (a->face < b->face);
}

// A joint in the making.
typedef struct {
  int number, count, fitted;   // faces, and how many had the plane fitted to them
  FlatPlane plane;
  int *faces;     // [all] in the order in which they came
  vec3 *points;   // [all corners]
} Growth;

static void fit_growth(const FlatFaces *all, Growth *g)
{
  int count = 0;
  for (int i = 0; i < g->count; i++) {
    const FlatFace *face = &all->faces[g->faces[i]];
    for (int k = 0; k < face->corner_count; k++)
      g->points[count++] = flat_faces_corner(all, face, k);
  }
  (void)flat_joints_fit(g->plane, (FlatPoints){.count = count, .points = g->points}, &g->plane);
  g->fitted = g->count;
}

// From one face to all that go on in its plane.
static void grow(const Search *s, const int *first, const int *mates, FlatJoints *joints, Growth *g)
{
  for (int i = 0; i < g->count; i++) {
    const int face = g->faces[i];
    for (int k = first[face]; k < first[face + 1]; k++) {
      const Mate *mate = &s->mates[mates[k]];
      const int other = mate->a == face ? mate->b : mate->a;
      if (joints->joint[other] >= 0) continue;
      if (fabs(largest_height(s->all, &s->all->faces[other], g->plane)) > mate->limit) continue;
      joints->joint[other] = g->number;
      g->faces[g->count++] = other;
      if (g->count >= GROWN_BETWEEN * g->fitted) fit_growth(s->all, g);
    }
  }
  fit_growth(s->all, g);
}

static void list_mates(const Search *s, int *first, int *mates)
{
  memset(first, 0, ((size_t)s->all->count + 1) * sizeof *first);
  for (int i = 0; i < s->count; i++) first[s->mates[i].a + 1]++, first[s->mates[i].b + 1]++;
  for (int f = 0; f < s->all->count; f++) first[f + 1] += first[f];
  for (int i = s->count - 1; i >= 0; i--) {
    mates[--first[s->mates[i].a + 1]] = i;
    mates[--first[s->mates[i].b + 1]] = i;
  }
  memmove(first, first + 1, (size_t)s->all->count * sizeof *first);
  first[s->all->count] = 2 * s->count;
}

FlatJoints flat_joints_find(const FlatFaces *all, Arena *arena)
{
  const size_t count = (size_t)all->count;
  Search s = {.all = all, .arena = arena};
  find_mates(&s);
  FlatJoints joints = {.widest = s.widest, .deepest = s.deepest};
  joints.joint = arena_allocate(arena, count * sizeof *joints.joint);
  joints.first = arena_allocate(arena, (count + 1) * sizeof *joints.first);
  joints.members = arena_allocate(arena, count * sizeof *joints.members);
  joints.plane = arena_allocate(arena, count * sizeof *joints.plane);
  joints.shared = arena_allocate(arena, count * sizeof *joints.shared);

  int *first = arena_allocate(arena, (count + 2) * sizeof *first);
  int *mates = arena_allocate(arena, 2 * (size_t)s.count * sizeof *mates);
  list_mates(&s, first, mates);
  Seed *seeds = arena_allocate(arena, count * sizeof *seeds);
  size_t corners = 0;
  for (int f = 0; f < all->count; f++) {
    joints.joint[f] = -1;
    seeds[f] = (Seed){vec3_norm(all->faces[f].area), f};
    corners += (size_t)all->faces[f].corner_count;
  }
  qsort(seeds, count, sizeof *seeds, compare_seeds);
  vec3 *points = arena_allocate(arena, corners * sizeof *points);
  int listed = 0;
  for (int i = 0; i < all->count; i++) {
    const int face = seeds[i].face;
    if (joints.joint[face] >= 0) continue;
    const int number = joints.count++;
    joints.first[number] = listed;
    joints.joint[face] = number;
    joints.members[listed] = face;
    Growth g = {number, 1, 1, s.planes[face], joints.members + listed, points};
    grow(&s, first, mates, &joints, &g);
    listed += g.count;
    joints.plane[number] = g.plane;
    joints.shared[number] = g.count > 1;
    joints.shared_count += g.count > 1;
  }
  joints.first[joints.count] = listed;
  assert(listed == all->count && "every face has its joint");
  return joints;
}
