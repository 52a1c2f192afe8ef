// Points of patches by the faces of both meshes.
#include "sampled_patches.h"

#include <assert.h>

#include "check.h"
#include "contacts.h"
#include "patch_sampling.h"
#include "plane_basis.h"

#define FACING 0.99       // cosine: faces that look along the normal by less are other sides'
#define SAME_PLACE 2e-3   // of the shortest side of a face: points nearer than this are one
#define MOST_NUMBERS 32   // points with the same two faces
#define OFF_PLANE 0.25   // of its reach: a face whose middle is farther from the patch is another's

// A quantity that is linear over the patch: value = mean + slope . (u, v).
typedef struct {
  double mean, slope[2];
} Linear;

// The plane of a patch: places from the middle of its points.
typedef struct {
  PlaneBasis basis;
  vec3 middle;          // relative to a's centre, m
  double square[3];     // sums of uu, uv, vv over its points
  Linear height, gap;   // above the middle along the normal; m
} PatchPlane;

static Linear fit(const PatchPlane *plane, double mean, const double moment[2])
{
  const double *s = plane->square, determinant = s[0] * s[2] - s[1] * s[1];
  Linear of = {mean, {0, 0}};
  if (!(determinant > 1e-12 * (s[0] + s[2]) * (s[0] + s[2]))) return of;
  of.slope[0] = (s[2] * moment[0] - s[1] * moment[1]) / determinant;
  of.slope[1] = (s[0] * moment[1] - s[1] * moment[0]) / determinant;
  return of;
}

static double value_at(const Linear *of, double u, double v)
{
  return of->mean + of->slope[0] * u + of->slope[1] * v;
}

static PatchPlane plane_of(const Patch *patch)
{
  assert_debug(patch->point_count > 0 && "a patch has points");
  const double count = patch->point_count;
  PatchPlane plane = {.basis = plane_basis_new(patch->normal)};
  double gap = 0, by_height[2] = {0, 0}, by_gap[2] = {0, 0};
  for (int k = 0; k < patch->point_count; k++) {
    plane.middle = vec3_axpy(1 / count, patch->points[k].point, plane.middle);
    gap += patch->points[k].gap / count;
  }
  for (int k = 0; k < patch->point_count; k++) {
    const PatchPoint *point = &patch->points[k];
    const vec3 p = plane_basis_apply(&plane.basis, vec3_sub(point->point, plane.middle));
    plane.square[0] += p.x * p.x;
    plane.square[1] += p.x * p.y;
    plane.square[2] += p.y * p.y;
    by_height[0] += p.x * p.z;
    by_height[1] += p.y * p.z;
    by_gap[0] += p.x * point->gap;
    by_gap[1] += p.y * point->gap;
  }
  plane.height = fit(&plane, 0, by_height);
  plane.gap = fit(&plane, gap, by_gap);
  return plane;
}

static double cross_of(const PlaneCorner *o, const PlaneCorner *p, const PlaneCorner *q)
{
  return (p->u - o->u) * (q->v - o->v) - (p->v - o->v) * (q->u - o->u);
}

static bool comes_before(const PlaneCorner *p, const PlaneCorner *q)
{
  return p->u != q->u ? p->u < q->u : p->v < q->v;
}

// The hull of the points in the plane, counter-clockwise (Andrew 1979).
static Figure hull_of(const Patch *patch, const PatchPlane *plane, Arena *arena)
{
  const int count = patch->point_count;
  PlaneCorner *sorted = arena_allocate(arena, (size_t)count * sizeof *sorted);
  for (int k = 0; k < count; k++) {
    const vec3 p =
        plane_basis_apply(&plane->basis, vec3_sub(patch->points[k].point, plane->middle));
    const PlaneCorner corner = {.u = p.x, .v = p.y};
    int at = k;
    for (; at > 0 && comes_before(&corner, &sorted[at - 1]); at--) sorted[at] = sorted[at - 1];
    sorted[at] = corner;
  }
  PlaneCorner *hull = arena_allocate(arena, (2 * (size_t)count + 1) * sizeof *hull);
  int made = 0;
  for (int pass = 0; pass < 2; pass++) {
    const int least = made + 2;
    for (int k = 0; k < count; k++) {
      const PlaneCorner *next = &sorted[pass == 0 ? k : count - 1 - k];
      while (made >= least && !(cross_of(&hull[made - 2], &hull[made - 1], next) > 0)) made--;
      hull[made++] = *next;
    }
    made--;   // the last one begins the other chain
  }
  return (Figure){.count = made, .corners = hull};
}

// Faces of one side near the patch, and their numbers in the mesh.
typedef struct {
  SamplingFaces faces;
  int *number;       // [faces.count]
  double shortest;   // side, m
} Side;

// The face as a figure in the plane; false where it is of another side of the body.
static bool face_figure(const PatchPlane *plane, const PosedBody *body, const FiniteShape *mesh,
                        int face, vec3 shift, Figure *figure)
{
  const int corners = mesh->surface.corners;
  const vec3 area =
      mat3_mul(body->rotation, finite_surface_area(&mesh->mesh, &mesh->surface, face));
  const double along = vec3_dot(area, plane->basis.n);
  if (!(fabs(along) > FACING * vec3_norm(area))) return false;
  const bool turned = along < 0;
  vec3 middle = {0, 0, 0};
  for (int k = 0; k < corners; k++) {
    const int node = mesh->surface.corner[face * corners + (turned ? corners - 1 - k : k)];
    const vec3 place = vec3_add(mat3_mul(body->rotation, mesh->mesh.place[node]), shift);
    const vec3 p = plane_basis_apply(&plane->basis, vec3_sub(place, plane->middle));
    figure->corners[k] = (PlaneCorner){.u = p.x, .v = p.y};
    middle = vec3_axpy(1.0 / corners, p, middle);
  }
  figure->count = corners;
  const double off = fabs(middle.z - value_at(&plane->height, middle.x, middle.y));
  return off <= OFF_PLANE * mesh->reach[face];
}

// shift: of the body's centre from a's. above: its surface looks against the normal.
static Side side_of(const PatchPlane *plane, const PosedBody *body, const FiniteShape *mesh,
                    vec3 shift, Arena *arena)
{
  Side side = {.shortest = INFINITY};
  if (!mesh) return side;
  const int faces = mesh->surface.faces, corners = mesh->surface.corners;
  Figure *figures = arena_allocate(arena, (size_t)faces * sizeof *figures);
  side.number = arena_allocate(arena, (size_t)faces * sizeof *side.number);
  int made = 0;
  for (int f = 0; f < faces; f++) {
    Figure figure = {.corners = arena_allocate(arena, (size_t)corners * sizeof(PlaneCorner))};
    if (!face_figure(plane, body, mesh, f, shift, &figure)) continue;
    for (int k = 0; k < corners; k++) {
      const PlaneCorner *p = &figure.corners[k], *q = &figure.corners[(k + 1) % corners];
      const double u = q->u - p->u, v = q->v - p->v;
      side.shortest = smaller_of(side.shortest, sqrt(u * u + v * v));
    }
    figures[made] = figure;
    side.number[made++] = f;
  }
  side.faces = (SamplingFaces){made, figures};
  return side;
}

// A number for a point among those before it that have the same faces.
static int number_of(const Sampling *sampling, int point)
{
  int number = 0;
  for (int k = 0; k < point; k++)
    number += sampling->point[k].face[0] == sampling->point[point].face[0] &&
              sampling->point[k].face[1] == sampling->point[point].face[1];
  assert(number < MOST_NUMBERS && "a piece of two faces has few corners");
  return number;
}

static void sample(const SampledPair *pair, Patch *patch, Arena *arena)
{
  const PatchPlane plane = plane_of(patch);
  const Figure hull = hull_of(patch, &plane, arena);
  if (hull.count < 3) return;
  const vec3 shift = vec3_sub(pair->b->center, pair->a->center);
  const Side a = side_of(&plane, pair->a, pair->mesh_a, (vec3){0, 0, 0}, arena),
             b = side_of(&plane, pair->b, pair->mesh_b, shift, arena);
  const double same = SAME_PLACE * smaller_of(a.shortest, b.shortest);
  if (!(same < INFINITY)) return;   // it lies on no face of a mesh
  const SamplingFaces sides[2] = {a.faces, b.faces};
  const Sampling sampling = patch_sampling_new(&hull, sides, same, arena);
  double area = 0;
  for (int k = 0; k < sampling.count; k++) area += sampling.point[k].area;
  if (sampling.count < 3 || !(area > 0)) return;

  PatchPoint *points = arena_allocate(arena, (size_t)sampling.count * sizeof *points);
  for (int k = 0; k < sampling.count; k++) {
    const SamplingPoint *from = &sampling.point[k];
    const int face[2] = {from->face[0] < 0 ? -1 : a.number[from->face[0]],
                         from->face[1] < 0 ? -1 : b.number[from->face[1]]};
    const vec3 place = plane_basis_point(&plane.basis, from->u, from->v,
                                         value_at(&plane.height, from->u, from->v));
    points[k] = (PatchPoint){.point = vec3_add(plane.middle, place),
                             .gap = value_at(&plane.gap, from->u, from->v),
                             .area = from->area * (patch->area / area),
                             .part_a = patch->part_a,
                             .part_b = patch->part_b,
                             .feature_a = feature_new(FEATURE_FACE, face[0] + 1),
                             .feature_b = feature_new(FEATURE_NUMBER, (face[1] + 1) * MOST_NUMBERS +
                                                                          number_of(&sampling, k)),
                             .axis_a = patch->axis_a,
                             .axis_b = patch->axis_b};
  }
  patch->points = points;
  patch->point_count = sampling.count;
}

void sampled_patches_take(const SampledPair *pair, PatchSet *set, Arena *arena)
{
  assert((pair->mesh_a || pair->mesh_b) && "one of the bodies has a mesh");
  assert(set->patch_count >= 0 && "patches are counted");
  for (int p = 0; p < set->patch_count; p++)
    if (set->patches[p].area > 0) sample(pair, &set->patches[p], arena);
}
