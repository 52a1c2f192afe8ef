// Looks at all pairs of parts of two bodies, and puts those without surface of both to the others.
#include "common_find.h"

#include "check.h"
#include "common_inner.h"
#include "common_sphere.h"
#include "part_pairs.h"
#include "patch_clip.h"
#include "plane_basis.h"

// Seams are in one plane when their normals leave it by no more, rad, and their planes are no
// farther apart than this share of the parts.
#define SEAM_TURN 1e-6
#define SEAM_APART 1e-8

// A pair of parts that share a volume.
typedef struct {
  int part_a, part_b;
  int first_seam, end_seam;
  int first_face, end_face;
  int row;   // -1: not known yet
  CommonSolid solid;
} SharedPiece;

typedef struct {
  const ModelPair *pair;
  SharedPiece *pieces;
  int count, room;
  CommonPolygons seams, faces;
  bool wants_faces;
  CommonSet set;
  Arena *arena;
} CommonSearch;

static bool has_both(const CommonSolid *solid) { return solid->size[0] > 0 && solid->size[1] > 0; }

// -- seams ----------------------------------------------------------------------------------------

static Figure seam_figure(const CommonSearch *search, const CommonPolygon *seam,
                          const PlaneBasis *basis, bool turned)
{
  assert_debug(seam->count >= 3 && "a polygon has three corners");
  PlaneCorner *flat = arena_allocate(search->arena, (size_t)seam->count * sizeof *flat);
  for (int k = 0; k < seam->count; k++) {
    const int from = seam->first + (turned ? seam->count - 1 - k : k);
    const vec3 p = plane_basis_apply(basis, search->seams.corners[from]);
    flat[k] = (PlaneCorner){.u = p.x, .v = p.y, .z = p.z};
  }
  return (Figure){.count = seam->count, .corners = flat};
}

// Area that two seams on either side of one plane share, m2.
static double shared_area(const CommonSearch *search, const CommonPolygon *p,
                          const CommonPolygon *q)
{
  const vec3 across = vec3_cross(p->normal, q->normal);
  if (vec3_dot(p->normal, q->normal) > 0 || vec3_norm(across) > SEAM_TURN) return 0;
  const vec3 between = vec3_sub(search->seams.corners[q->first], search->seams.corners[p->first]);
  const double size = search->pair->a->shape->extent + search->pair->b->shape->extent;
  if (fabs(vec3_dot(between, p->normal)) > SEAM_APART * size) return 0;
  const ArenaMark mark = arena_mark(search->arena);
  const PlaneBasis basis = plane_basis_new(p->normal);
  const Figure subject = seam_figure(search, p, &basis, false);
  const Figure window = seam_figure(search, q, &basis, true);
  const size_t room = (size_t)(p->count + q->count);
  ClipCorner *work = arena_allocate(search->arena, 2 * room * sizeof *work);
  ClipPoint *cut = arena_allocate(search->arena, room * sizeof *cut);
  const int count = patch_clip_polygon(&subject, &window, 0, work, cut);
  const double area = count >= 3 ? patch_clip_area(cut, count) : 0;
  arena_release(search->arena, mark);
  return area;
}

// Area of the faces between parts of one body that two pieces lie on either side of, m2.
static double seam_between(const CommonSearch *search, const SharedPiece *p, const SharedPiece *q)
{
  const int owner = p->part_b == q->part_b ? 0 : 1;
  double area = 0;
  for (int i = p->first_seam; i < p->end_seam; i++) {
    const CommonPolygon *of_p = &search->seams.polygons[i];
    if (of_p->owner != owner) continue;
    for (int k = q->first_seam; k < q->end_seam; k++)
      if (search->seams.polygons[k].owner == owner)
        area += shared_area(search, of_p, &search->seams.polygons[k]);
  }
  return area;
}

// -- rows -----------------------------------------------------------------------------------------

static void add_row(CommonSearch *search, SharedPiece *piece)
{
  CommonSet *set = &search->set;
  piece->row = set->row_count;
  set->rows[set->row_count++] = (CommonRow){piece->part_a, piece->part_b, piece->solid};
}

// The row of the neighbour that a piece shares most with; -1: none has one.
static int neighbour_row(const CommonSearch *search, const SharedPiece *piece)
{
  double most = 0;
  int row = -1;
  for (int i = 0; i < search->count; i++) {
    const SharedPiece *other = &search->pieces[i];
    if (other == piece || other->row < 0) continue;
    if ((other->part_a == piece->part_a) == (other->part_b == piece->part_b)) continue;
    const double area = seam_between(search, piece, other);
    if (area <= most) continue;
    most = area;
    row = other->row;
  }
  return row;
}

// One round: pieces that lie beside pieces of a row. False: there was none.
static bool join_neighbours(CommonSearch *search)
{
  const ArenaMark mark = arena_mark(search->arena);
  int *rows = arena_allocate(search->arena, (size_t)search->count * sizeof *rows);
  bool any = false;
  for (int i = 0; i < search->count; i++) {
    rows[i] = search->pieces[i].row;
    if (rows[i] < 0) rows[i] = neighbour_row(search, &search->pieces[i]);
    any = any || rows[i] != search->pieces[i].row;
  }
  for (int i = 0; i < search->count; i++) search->pieces[i].row = rows[i];
  arena_release(search->arena, mark);
  return any;
}

static int nearest_row(const CommonSet *set, vec3 place)
{
  int nearest = -1;
  double least = INFINITY;
  for (int r = 0; r < set->row_count; r++) {
    const vec3 between = vec3_sub(set->rows[r].solid.centroid, place);
    const double square = vec3_dot(between, between);
    if (square >= least) continue;
    least = square;
    nearest = r;
  }
  return nearest;
}

// Pieces with surface of both bodies first, which name the rows; then all others.
static void make_rows(CommonSearch *search, bool pooled)
{
  CommonSet *set = &search->set;
  set->rows = arena_allocate(search->arena, ((size_t)search->count + 1) * sizeof *set->rows);
  for (int i = 0; i < search->count; i++) {
    SharedPiece *piece = &search->pieces[i];
    if (pooled && set->row_count == 1) piece->row = 0;
    else if (pooled || has_both(&piece->solid)) add_row(search, piece);
  }
  if (!pooled) {
    while (set->row_count > 0 && join_neighbours(search)) {}
    for (int i = 0; i < search->count; i++) {
      SharedPiece *piece = &search->pieces[i];
      if (piece->row < 0) piece->row = nearest_row(set, piece->solid.centroid);
      if (piece->row < 0) add_row(search, piece);
    }
  }

  // sums in the order of parts, without those that a row began with
  for (int i = 0; i < search->count; i++) {
    const SharedPiece *piece = &search->pieces[i];
    CommonRow *row = &set->rows[piece->row];
    if (row->part_a == piece->part_a && row->part_b == piece->part_b) continue;
    row->solid = common_solid_sum(&row->solid, &piece->solid);
  }
}

static void search_parts(CommonSearch *search, int part_a, int part_b)
{
  const ModelPair *pair = search->pair;
  const CommonParts parts = {pair->a, pair->b, part_a, part_b};
  const int first_seam = search->seams.count, first_face = search->faces.count;
  const bool cut = pair->a->shape->part_count > 1 || pair->b->shape->part_count > 1;
  const CommonFaces add = {cut ? &search->seams : NULL,
                           search->wants_faces ? &search->faces : NULL};
  const CommonPart part = common_solid_parts(&parts, add, search->arena);
  const Polyhedron *a = &pair->a->parts[part_a], *b = &pair->b->parts[part_b];
  const int size = a->vertex_count + a->face_count + b->vertex_count + b->face_count;
  CommonSet *set = &search->set;
  *(part.status == COMMON_OK ? &set->count.touching : &set->count.parted) += size;
  set->rerouted += part.rerouted;
  set->failed += part.status == COMMON_FAILED;
  if (part.status != COMMON_OK) return;
  search->pieces = arena_grow(search->arena, search->pieces, search->count + 1, &search->room,
                              sizeof *search->pieces);
  search->pieces[search->count++] = (SharedPiece){.part_a = part_a,
                                                  .part_b = part_b,
                                                  .first_seam = first_seam,
                                                  .end_seam = search->seams.count,
                                                  .first_face = first_face,
                                                  .end_face = search->faces.count,
                                                  .row = -1,
                                                  .solid = part.solid};
}

// Whose the faces are: counted, then put in their places.
static void name_faces(CommonSearch *search)
{
  CommonSet *set = &search->set;
  set->faces = search->faces;
  int *start = arena_allocate(search->arena, ((size_t)set->row_count + 2) * sizeof *start);
  for (int r = 0; r < set->row_count + 2; r++) start[r] = 0;
  for (int i = 0; i < search->count; i++) {
    const SharedPiece *piece = &search->pieces[i];
    assert(piece->row >= 0 && piece->row < set->row_count && "each piece has a row");
    start[piece->row + 2] += piece->end_face - piece->first_face;
  }
  for (int r = 0; r < set->row_count; r++) start[r + 2] += start[r + 1];
  set->face_of_row =
      arena_allocate(search->arena, ((size_t)search->faces.count + 1) * sizeof *set->face_of_row);
  for (int i = 0; i < search->count; i++)
    for (int f = search->pieces[i].first_face; f < search->pieces[i].end_face; f++)
      set->face_of_row[start[search->pieces[i].row + 1]++] = f;
  set->face_start = start;
}

static CommonSet find_of_parts(const ModelPair *pair, CommonAsked asked, Arena *arena)
{
  PosedBody a = *pair->a, b = *pair->b;
  CommonSearch search = {.pair = pair, .wants_faces = asked.faces, .arena = arena};
  const vec3 shift = vec3_sub(b.center, a.center);
  const double far = a.shape->radius + b.shape->radius;
  if (vec3_dot(shift, shift) > far * far) return search.set;
  if (a.boxes == NULL) a.boxes = part_boxes_new(a.parts, a.shape->part_count, arena);
  if (b.boxes == NULL) b.boxes = part_boxes_new(b.parts, b.shape->part_count, arena);
  const NearParts near = part_pairs_find(&a, &b, 0, 0, arena);
  search.set.count.part_boxes = near.compared;
  for (int i = 0; i < near.count; i++) search_parts(&search, near.pairs[i].a, near.pairs[i].b);
  make_rows(&search, asked.pooled);
  if (asked.faces) name_faces(&search);
  return search.set;
}

// -- spheres --------------------------------------------------------------------------------------

static CommonSet find_of_spheres(const ModelPair *pair, Arena *arena)
{
  CommonSet set = {.rows = arena_allocate(arena, sizeof *set.rows)};
  const vec3 shift = vec3_sub(pair->b->center, pair->a->center);
  const CommonSolid lens =
      common_sphere_lens(pair->a->shape->sphere_radius, pair->b->shape->sphere_radius, shift);
  if (lens.volume > 0) set.rows[set.row_count++] = (CommonRow){0, 0, lens};
  return set;
}

// With the bodies in each other's place.
static CommonSolid swapped(const CommonSolid *solid)
{
  CommonSolid other = *solid;
  for (int side = 0; side < 2; side++) {
    other.area[side] = solid->area[1 - side];
    other.size[side] = solid->size[1 - side];
    other.flat[side] = solid->flat[1 - side];
    other.middle[side] = solid->middle[1 - side];
  }
  return other;
}

static void move(CommonSolid *solid, vec3 way)
{
  solid->centroid = vec3_add(solid->centroid, way);
  for (int side = 0; side < 2; side++) solid->middle[side] = vec3_add(solid->middle[side], way);
}

// A sphere and a body of parts, in either order.
static CommonSet find_of_sphere(const ModelPair *pair, Arena *arena)
{
  const bool first = pair->a->shape->sphere_radius > 0;
  const PosedBody *sphere = first ? pair->a : pair->b, *body = first ? pair->b : pair->a;
  const vec3 center = vec3_sub(sphere->center, body->center);
  const double radius = sphere->shape->sphere_radius;
  const Box around = {vec3_sub(center, (vec3){radius, radius, radius}),
                      vec3_add(center, (vec3){radius, radius, radius})};
  CommonSet set = {.rows =
                       arena_allocate(arena, (size_t)body->shape->part_count * sizeof *set.rows)};
  for (int p = 0; p < body->shape->part_count; p++) {
    const Polyhedron *hull = &body->parts[p];
    set.count.part_boxes++;
    const Box box = box_of_points(hull->vertices, hull->vertex_count);
    if (!box_overlaps(box, around)) continue;
    const SpherePart parts = {.radius = radius,
                              .center = center,
                              .hull = hull,
                              .part = &body->shape->parts[p],
                              .turn = body->rotation};
    const SpherePartSolid found = common_sphere_part(&parts);
    *(found.status == COMMON_OK ? &set.count.touching : &set.count.parted) +=
        hull->vertex_count + hull->face_count;
    set.failed += found.status == COMMON_FAILED;
    if (found.status != COMMON_OK) continue;

    // of the sphere about the body's centre: about that of a
    CommonRow row = {first ? 0 : p, first ? p : 0, found.solid};
    if (first) move(&row.solid, vec3_neg(center));
    else row.solid = swapped(&found.solid);
    set.rows[set.row_count++] = row;
  }
  return set;
}

// Two bodies by their inner spheres: one row.
static CommonSet find_of_inner(const ModelPair *pair, Arena *arena)
{
  CommonSet set = {.rows = arena_allocate(arena, sizeof *set.rows)};
  const CommonInner inner = common_inner_find(pair, arena);
  set.count.touching = inner.lenses;
  set.count.parted = inner.compared;
  if (inner.lenses > 0) set.rows[set.row_count++] = (CommonRow){0, 0, inner.solid};
  return set;
}

CommonSet common_find(const ModelPair *pair, CommonAsked asked, Arena *arena)
{
  const Shape *a = pair->a->shape, *b = pair->b->shape;
  const bool spheres = a->sphere_radius > 0 && b->sphere_radius > 0;
  if (pair->a->inner && pair->b->inner && !spheres) return find_of_inner(pair, arena);
  if (spheres) return find_of_spheres(pair, arena);
  if (a->sphere_radius > 0 || b->sphere_radius > 0) return find_of_sphere(pair, arena);
  assert(a->part_count > 0 && b->part_count > 0 && "bodies are of parts or spheres");
  return find_of_parts(pair, asked, arena);
}
