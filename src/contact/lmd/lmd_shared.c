// Measures what two faces share.
#include "lmd_shared.h"

#include <assert.h>
#include <math.h>

#define MOST_CORNERS 9   // of two triangles cut by each other, with room

// A triangle from the common place to a side of an outline, counter-clockwise, and its sign.
typedef struct {
  double u[3], v[3];
  double sign;
} Wedge;

static Wedge wedge_of(const PosedFace *face, int side, const PlaneBasis *plane, vec3 from)
{
  const SurfaceComplex *c = face->complex;
  const SurfaceSide *s = &c->sides[c->faces[face->face].side_start + side];
  const vec3 p = vec3_add(mat3_mul(face->rotation, c->vertices[s->from].at), face->shift);
  const vec3 q = vec3_add(mat3_mul(face->rotation, c->vertices[s->to].at), face->shift);
  const vec3 a = plane_basis_apply(plane, vec3_sub(p, from));
  const vec3 b = plane_basis_apply(plane, vec3_sub(q, from));
  const double twice = a.x * b.y - a.y * b.x;
  if (twice < 0) return (Wedge){{0, b.x, a.x}, {0, b.y, a.y}, -1};
  return (Wedge){{0, a.x, b.x}, {0, a.y, b.y}, twice > 0 ? 1 : 0};
}

// Area that two counter-clockwise triangles share (Sutherland and Hodgman 1974).
static double wedges_area(const Wedge *p, const Wedge *q)
{
  double u[2][MOST_CORNERS], v[2][MOST_CORNERS];
  int count = 3, now = 0;
  for (int k = 0; k < 3; k++) {
    u[0][k] = p->u[k];
    v[0][k] = p->v[k];
  }
  for (int side = 0; side < 3 && count > 0; side++) {
    const double x = q->u[side], y = q->v[side];
    const double dx = q->u[(side + 1) % 3] - x, dy = q->v[(side + 1) % 3] - y;
    int kept = 0;
    for (int k = 0; k < count; k++) {
      const int next = (k + 1) % count;
      const double s = dx * (v[now][k] - y) - dy * (u[now][k] - x);
      const double t = dx * (v[now][next] - y) - dy * (u[now][next] - x);
      if (s >= 0) {
        u[1 - now][kept] = u[now][k];
        v[1 - now][kept++] = v[now][k];
      }
      if ((s > 0 && t < 0) || (s < 0 && t > 0)) {
        u[1 - now][kept] = u[now][k] + s / (s - t) * (u[now][next] - u[now][k]);
        v[1 - now][kept++] = v[now][k] + s / (s - t) * (v[now][next] - v[now][k]);
      }
    }
    assert(kept <= MOST_CORNERS && "two triangles share few corners");
    count = kept;
    now = 1 - now;
  }
  double twice = 0;
  for (int k = 2; k < count; k++) {
    twice += (u[now][k - 1] - u[now][0]) * (v[now][k] - v[now][0]) -
             (v[now][k - 1] - v[now][0]) * (u[now][k] - u[now][0]);
  }
  return 0.5 * twice;
}

double lmd_shared_area(const PosedFace *a, const PosedFace *b, const PlaneBasis *plane)
{
  assert(a->complex != NULL && b->complex != NULL && "two faces");
  const SurfaceFace *p = &a->complex->faces[a->face], *q = &b->complex->faces[b->face];
  const SurfaceSide *first = &a->complex->sides[p->side_start];
  const vec3 from = vec3_add(mat3_mul(a->rotation, a->complex->vertices[first->from].at), a->shift);
  double area = 0;
  for (int i = 0; i < p->side_count; i++) {
    const Wedge own = wedge_of(a, i, plane, from);
    if (own.sign == 0) continue;
    for (int j = 0; j < q->side_count; j++) {
      const Wedge other = wedge_of(b, j, plane, from);
      if (other.sign != 0) area += own.sign * other.sign * wedges_area(&own, &other);
    }
  }
  return fabs(area);
}
