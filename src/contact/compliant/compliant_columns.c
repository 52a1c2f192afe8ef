// Squares of column lengths, from all pairs of faces that lie over one another.
#include "compliant_columns.h"

#include "check.h"
#include "patch_clip.h"
#include "plane_basis.h"

#define UPRIGHT 1e-9   // cosine: a face so steep has nothing above it

// A face seen along the normal, counter-clockwise.
typedef struct {
  Figure figure;
  double sign;               // of columns: they end at the face, or begin
  double height, slope[2];   // of the face: height + slope . (u, v), m
  double low[2], high[2];    // of its corners, m
} SeenFace;

static bool see_face(const CommonSet *set, int face, const PlaneBasis *basis, vec3 centroid,
                     SeenFace *seen, Arena *arena)
{
  const CommonPolygon *polygon = &set->faces.polygons[face];
  const vec3 n = plane_basis_apply(basis, polygon->normal);
  if (fabs(n.z) < UPRIGHT) return false;
  *seen = (SeenFace){.sign = n.z > 0 ? 1 : -1,
                     .slope = {-n.x / n.z, -n.y / n.z},
                     .low = {INFINITY, INFINITY},
                     .high = {-INFINITY, -INFINITY}};
  const int count = polygon->count;
  seen->figure = (Figure){count, arena_allocate(arena, (size_t)count * sizeof(PlaneCorner)), 0};
  for (int k = 0; k < count; k++) {
    const int from = polygon->first + (n.z > 0 ? k : count - 1 - k);
    const vec3 x = plane_basis_apply(basis, vec3_sub(set->faces.corners[from], centroid));
    seen->figure.corners[k] = (PlaneCorner){.u = x.x, .v = x.y, .z = x.z};
    seen->low[0] = smaller_of(seen->low[0], x.x);
    seen->low[1] = smaller_of(seen->low[1], x.y);
    seen->high[0] = larger_of(seen->high[0], x.x);
    seen->high[1] = larger_of(seen->high[1], x.y);
  }
  const PlaneCorner *first = &seen->figure.corners[0];
  seen->height = first->z - (seen->slope[0] * first->u + seen->slope[1] * first->v);
  return true;
}

static double height_at(const SeenFace *face, const ClipPoint *at)
{
  return face->height + face->slope[0] * at->u + face->slope[1] * at->v;
}

// Integral of the product of two heights over a polygon, m4: of linear ones over a triangle it is
// the area times (sum of products + product of sums) / 12.
static double product_over(const SeenFace *p, const SeenFace *q, const ClipPoint *corners,
                           int count)
{
  double sum = 0;
  for (int i = 1; i + 1 < count; i++) {
    const ClipPoint triangle[3] = {corners[0], corners[i], corners[i + 1]};
    double products = 0, of_p = 0, of_q = 0;
    for (int k = 0; k < 3; k++) {
      const double z = height_at(p, &triangle[k]), y = height_at(q, &triangle[k]);
      products += z * y;
      of_p += z;
      of_q += y;
    }
    sum += patch_clip_area(triangle, 3) * (products + of_p * of_q) / 12;
  }
  return sum;
}

static bool are_apart(const SeenFace *p, const SeenFace *q)
{
  for (int i = 0; i < 2; i++)
    if (p->low[i] >= q->high[i] || q->low[i] >= p->high[i]) return true;
  return false;
}

static double product_of_faces(const SeenFace *p, const SeenFace *q, Arena *arena)
{
  const size_t room = (size_t)(p->figure.count + q->figure.count);
  ClipCorner *work = arena_allocate(arena, 2 * room * sizeof *work);
  ClipPoint *cut = arena_allocate(arena, room * sizeof *cut);
  const int count = patch_clip_polygon(&p->figure, &q->figure, 0, work, cut);
  return p->sign * q->sign * product_over(p, q, cut, count);
}

static double square_of_face(const SeenFace *p, Arena *arena)
{
  const int count = p->figure.count;
  ClipPoint *corners = arena_allocate(arena, (size_t)count * sizeof *corners);
  for (int k = 0; k < count; k++)
    corners[k] = (ClipPoint){.u = p->figure.corners[k].u, .v = p->figure.corners[k].v};
  return product_over(p, p, corners, count);
}

// (A column is the signed sum of the heights where it meets faces, seams between parts among them,
// which are met from both sides: its square is the sum over all pairs.)
double compliant_columns_height(const CommonSet *set, int row, const CompliantSolid *solid,
                                Arena *arena)
{
  assert_debug(row >= 0 && row < set->row_count && set->faces.count > 0 && "a row with faces");
  const ArenaMark mark = arena_mark(arena);
  const PlaneBasis basis = plane_basis_new(solid->normal);
  const int first = set->face_start[row], end = set->face_start[row + 1];
  SeenFace *faces = arena_allocate(arena, ((size_t)(end - first) + 1) * sizeof *faces);
  int count = 0;
  for (int i = first; i < end; i++)
    count += see_face(set, set->face_of_row[i], &basis, set->rows[row].solid.centroid,
                      &faces[count], arena);
  double squares = 0;
  for (int i = 0; i < count; i++) {
    squares += square_of_face(&faces[i], arena);
    for (int k = i + 1; k < count; k++) {
      if (are_apart(&faces[i], &faces[k])) continue;
      const ArenaMark pair = arena_mark(arena);
      squares += 2 * product_of_faces(&faces[i], &faces[k], arena);
      arena_release(arena, pair);
    }
  }
  arena_release(arena, mark);
  const double height = 0.5 * squares / solid->volume;
  return height > 0 ? height : 0;
}
