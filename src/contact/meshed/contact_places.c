// Places of contact rows in bodies of finite elements, patch by patch.
#include "contact_places.h"

#include <assert.h>

#include "check.h"
#include "id_pair.h"
#include "kind.h"
#include "nodes.h"
#include "patch_shares.h"
#include "sampled_patches.h"

// Places of all rows, and where what lasts and what does not is kept.
typedef struct {
  FinitePoint *low, *high;   // [rows]
  Arena *keep, *work;
} Places;

// The rows of a pair of bodies.
typedef struct {
  const Contacts *contacts;
  int first, end;
  MeshedBody low, high;   // centres relative to the lower body's
  vec3 origin;            // that one, world, m
} PairRows;

// Is the point one of a patch that was sampled? Those of bonds were, as the bond was made.
static bool is_sampled(const Contacts *contacts, int row)
{
  const IndexPair of = contacts->features[row];
  if (feature_is_node(of.low)) return false;
  if (!(contacts->area[row] > 0) && !contacts_held(contacts, row)) return false;
  return contacts_bond(contacts, row) != BOND_NONE || sampled_patches_have(of.low, of.high);
}

// Are two rows of one pair, both sampled, points of one patch? A bond is one of its own.
static bool is_same_patch(const Contacts *contacts, int row, int other)
{
  const IndexPair parts = contacts->parts[row], others = contacts->parts[other];
  const bool bonded = contacts_bond(contacts, row) != BOND_NONE;
  if (bonded != (contacts_bond(contacts, other) != BOND_NONE)) return false;
  if (bonded && contacts->features[row].low != contacts->features[other].low) return false;
  return parts.low == others.low && parts.high == others.high;
}

static FinitePoint place_in(const MeshedBody *body, vec3 point)
{
  assert_debug(body->mesh != NULL && "a body with a mesh");
  const vec3 reference = mat3_mul_transposed(body->rotation, vec3_sub(point, body->centre));
  return (FinitePoint){.at = finite_shape_place(body->mesh, reference)};
}

// The point that is a node, of the lowest face that has it.
static FinitePoint node_of(const FiniteShape *mesh, uint32_t feature)
{
  const FiniteSurface *surface = &mesh->surface;
  const int node = feature_index(feature) & ~feature_index(FEATURE_NODE);
  const int corners = surface->faces * surface->corners;
  int corner = 0;
  while (corner < corners && surface->corner[corner] != node) corner++;
  assert(corner < corners && "a node of the surface");
  FinitePoint point = {.at = {.face = corner / surface->corners}};
  for (int k = 0; k < FINITE_FACE; k++) {
    const int of = k < surface->corners ? k : surface->corners - 1;
    point.at.node[k] = surface->corner[point.at.face * surface->corners + of];
    point.at.weight[k] = k == corner % surface->corners;
  }
  return point;
}

static vec3 unit_of(vec3 v) { return vec3_scale(1 / vec3_norm(v), v); }

// Axes of three points: along the first two, and across them.
static mat3 axes_of(vec3 a, vec3 b, vec3 c)
{
  const vec3 along = unit_of(vec3_sub(b, a));
  const vec3 normal = unit_of(vec3_cross(along, vec3_sub(c, a)));
  return (mat3){{along, vec3_cross(normal, along), normal}};
}

// The higher body where the points of a bond have the places that they are fixed in, of both bodies
// as if they were rigid: frames of bodies part as these deform, and the points do not.
static MeshedBody bonded_pose(const PairRows *rows)
{
  const Contacts *contacts = rows->contacts;
  const vec3 *low = contacts->anchor + rows->first, *high = contacts->anchor_high + rows->first;
  const int count = rows->end - rows->first;
  int b = 0, c = 0;
  double far = 0, wide = 0;
  for (int k = 1; k < count; k++) {
    const double apart = vec3_norm(vec3_sub(low[k], low[0]));
    if (apart > far) {
      far = apart;
      b = k;
    }
  }
  for (int k = 1; k < count; k++) {
    const vec3 across = vec3_cross(vec3_sub(low[b], low[0]), vec3_sub(low[k], low[0]));
    if (vec3_norm(across) > wide) {
      wide = vec3_norm(across);
      c = k;
    }
  }
  if (!(wide > 0)) return rows->high;
  const mat3 of_low = axes_of(low[0], low[b], low[c]), of_high = axes_of(high[0], high[b], high[c]);
  const mat3 relative = mat3_mul_mat(mat3_transpose(of_low), of_high);
  MeshedBody pose = rows->high;
  pose.rotation = mat3_mul_mat(rows->low.rotation, relative);
  pose.centre = vec3_sub(mat3_mul(rows->low.rotation, low[0]), mat3_mul(pose.rotation, high[0]));
  return pose;
}

// Areas of the points of a patch some of which share their places with others, m2, and those that
// are given up; NULL: none.
static const double *areas_of(const PairRows *rows, const bool **given_up, Arena *arena)
{
  const Contacts *contacts = rows->contacts;
  const uint32_t marks = FEATURE_HELD | FEATURE_HOLDS;
  const int count = rows->end - rows->first;
  double *areas = arena_allocate(arena, (size_t)count * sizeof *areas);
  bool *given = arena_allocate(arena, (size_t)count * sizeof *given);
  bool shared = false;
  for (int k = 0; k < count; k++) {
    const int row = rows->first + k;
    const uint32_t marked = contacts->bond ? contacts->features[row].high & marks : 0;
    shared |= marked != 0;
    given[k] = marked == marks;
    areas[k] = contacts_held(contacts, row) ? 0 : contacts->area[row];
  }
  *given_up = given;
  return shared ? areas : NULL;
}

// One patch: its rows.
static void spread_patch(const PairRows *rows, const Places *to)
{
  const Contacts *contacts = rows->contacts;
  const int count = rows->end - rows->first;
  vec3 *places = arena_allocate(to->work, (size_t)count * sizeof *places);
  for (int k = 0; k < count; k++)
    places[k] = vec3_sub(contacts->point[rows->first + k], rows->origin);
  const bool bonded = contacts_bond(contacts, rows->first) != BOND_NONE;
  const bool *given_up = NULL;
  const double *areas = areas_of(rows, &given_up, to->work);
  const PatchPoints patch = {contacts->normal[rows->first],
                             count,
                             places,
                             areas,
                             given_up,
                             {rows->low, bonded ? bonded_pose(rows) : rows->high}};
  FinitePoint *const points[2] = {to->low + rows->first, to->high + rows->first};
  patch_shares_spread(&patch, points, to->keep, to->work);
}

// The rows of the same patch from one on.
static int patch_end(const Contacts *contacts, int row, int end)
{
  int next = row + 1;
  while (next < end && is_sampled(contacts, next) && is_same_patch(contacts, row, next)) next++;
  return next;
}

static void take_pair(const PairRows *rows, const Places *to)
{
  assert_debug(rows->first < rows->end && "a pair has rows");
  for (int i = rows->first; i < rows->end; i++) {
    const IndexPair of = rows->contacts->features[i];
    if (feature_is_node(of.low) && rows->low.mesh && rows->high.mesh) {
      to->low[i] = node_of(rows->low.mesh, of.low);
      to->high[i] = node_of(rows->high.mesh, of.high);
      continue;
    }
    const vec3 point = vec3_sub(rows->contacts->point[i], rows->origin);
    if (rows->low.mesh) to->low[i] = place_in(&rows->low, point);
    if (rows->high.mesh) to->high[i] = place_in(&rows->high, point);
  }
  for (int i = rows->first, next; i < rows->end; i = next) {
    next = i + 1;
    if (!is_sampled(rows->contacts, i)) continue;
    next = patch_end(rows->contacts, i, rows->end);
    PairRows patch = *rows;
    patch.first = i;
    patch.end = next;
    spread_patch(&patch, to);
    arena_reset(to->work);
  }
}

static MeshedBody meshed(const Bodies *bodies, const MidState *mid, int row, vec3 origin)
{
  const ElasticFinite *finite = motion_moves(&mid[row]) ? kind_mesh(bodies, row) : NULL;
  return (MeshedBody){finite ? finite->shape : NULL, mid[row].rotation,
                      vec3_sub(bodies->position[row], origin)};
}

ContactPlaces contact_places_new(const Bodies *bodies, const MidState *mid,
                                 const Contacts *contacts, Arena *arena)
{
  assert(contacts->table.owned <= contacts->table.count && "own rows come first");
  const int count = contacts->table.count;
  Arena work = arena_new();
  const Places to = {arena_allocate_zero(arena, (size_t)count + 1, sizeof(FinitePoint)),
                     arena_allocate_zero(arena, (size_t)count + 1, sizeof(FinitePoint)), arena,
                     &work};
  for (int i = 0, end; i < count; i = end) {
    const IdPair ids = contacts->bodies[i];
    for (end = i + 1; end < count && id_pair_equal(contacts->bodies[end], ids);) end++;
    const int a = bodies_find(bodies, ids.low), b = bodies_find(bodies, ids.high);
    assert(a >= 0 && b >= 0 && "a row's bodies are here");
    const vec3 origin = bodies->position[a];
    const PairRows rows = {
        contacts, i, end, meshed(bodies, mid, a, origin), meshed(bodies, mid, b, origin), origin};
    if (rows.low.mesh || rows.high.mesh) take_pair(&rows, &to);
  }
  arena_destroy(&work);
  return (ContactPlaces){to.low, to.high};
}

vec3 contact_places_moved(const Bodies *bodies, const MidState *mid, const MaterialPoint *point,
                          const FinitePoint *at)
{
  assert_debug(point->row >= 0 && "a point is of a body");
  if (!kind_mesh(bodies, point->row)) return material_point_moved(bodies, point);
  const int first = nodes_find(bodies->nodes, bodies->id[point->row]);
  assert(first >= 0 && "nodes are where their body is");
  return mat3_mul(mid->rotation, finite_point_value(at, bodies->nodes->displacement + first));
}
