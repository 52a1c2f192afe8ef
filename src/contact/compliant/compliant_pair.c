// Two bodies with the volumetric law: their common solids become rows with forces.
#include "compliant_pair.h"

#include "check.h"
#include "rigid.h"

#define STEEP 1e-4        // cosine: a face so steep to the joint bears nothing
#define NEAR_NORMAL 0.7   // cosine: a row of another face, or one that turned far, hands nothing on

// A row on its way into the table.
typedef struct {
  const CommonRow *row;
  CompliantSolid solid;
  JointFootprint footprint;
} SolidRow;

// -- footprints -----------------------------------------------------------------------------------

// The edges of a face, seen along the normal of a row. Returns how many there are.
static int project_face(const CommonSet *set, int face, const SolidRow *row, FootprintEdge *edges)
{
  const CommonPolygon *polygon = &set->faces.polygons[face];
  const vec3 n = plane_basis_apply(&row->solid.plane, polygon->normal);
  if (n.z * n.z < STEEP * STEEP) return 0;
  const vec3 centroid = row->row->solid.centroid;
  const vec3 *corners = &set->faces.corners[polygon->first];
  const double slope[2] = {-n.x / n.z, -n.y / n.z};
  const vec3 first = plane_basis_apply(&row->solid.plane, vec3_sub(corners[0], centroid));
  const double height = first.z - (slope[0] * first.x + slope[1] * first.y);
  vec3 from = plane_basis_apply(&row->solid.plane, vec3_sub(corners[polygon->count - 1], centroid));
  for (int k = 0; k < polygon->count; k++) {
    const vec3 to = plane_basis_apply(&row->solid.plane, vec3_sub(corners[k], centroid));
    edges[k] = (FootprintEdge){{from.x, from.y}, {to.x, to.y}, height, {slope[0], slope[1]}};
    from = to;
  }
  return polygon->count;
}

// Of all faces of a row, numbered as in the set. Memory of the arena.
static void find_footprint(const CommonSet *set, int number, SolidRow *row, Arena *arena)
{
  row->solid.plane = plane_basis_new(row->solid.normal);
  const int first = set->faces.count ? set->face_start[number] : 0;
  const int end = set->faces.count ? set->face_start[number + 1] : 0;
  int corners = 0;
  for (int i = first; i < end; i++) corners += set->faces.polygons[set->face_of_row[i]].count;
  FootprintEdge *edges = arena_allocate(arena, ((size_t)corners + 1) * sizeof *edges);
  JointFootprint given = {.radius2 = row->solid.radius2, .edges = edges};
  for (int i = first; i < end; i++)
    given.edge_count += project_face(set, set->face_of_row[i], row, &edges[given.edge_count]);
  const mat3 *second = &row->row->solid.second;
  const vec3 t0 = row->solid.plane.t0, t1 = row->solid.plane.t1;
  const double per = 1 / row->solid.volume;
  given.square[0] = per * vec3_dot(t0, mat3_mul(*second, t0));
  given.square[1] = per * vec3_dot(t0, mat3_mul(*second, t1));
  given.square[2] = per * vec3_dot(t1, mat3_mul(*second, t1));
  row->footprint = footprint_of_edges(given);
}

// -- rows -----------------------------------------------------------------------------------------

static bool has_key(const Volumes *volumes, int row, const CommonRow *common)
{
  const VolumeParts parts = volumes->parts[row];
  return parts.low == (uint32_t)common->part_a && parts.high == (uint32_t)common->part_b;
}

// The row of the last step that hands its bristle on, or -1.
static int known_row(OldVolumes old, const SolidRow *row, vec3 place)
{
  assert_debug(old.first <= old.end && "rows are a range");
  int nearest = -1;
  double least = INFINITY;
  for (int i = old.first; i < old.end; i++) {
    if (vec3_dot(old.volumes->normal[i], row->solid.normal) < NEAR_NORMAL) continue;
    if (has_key(old.volumes, i, row->row)) return i;
    const vec3 between = vec3_sub(old.volumes->place[i], place);
    const double square = vec3_dot(between, between);
    if (square >= least) continue;
    least = square;
    nearest = i;
  }
  return nearest;
}

// The largest mobility of a point across the normal, 1/kg: of the larger eigenvalue of W there.
static double mobility_across(const CompliantPair *pair, vec3 normal, vec3 arm_low, vec3 arm_high)
{
  const mat3 w =
      mat3_add(rigid_delassus(pair->mid_low, arm_low), rigid_delassus(pair->mid_high, arm_high));
  const vec3 axis = normal.x * normal.x < 0.5 ? (vec3){1, 0, 0} : (vec3){0, 1, 0};
  const vec3 across = vec3_axpy(-vec3_dot(axis, normal), normal, axis);
  const vec3 t = vec3_scale(1 / vec3_norm(across), across), s = vec3_cross(normal, t);
  const vec3 wt = mat3_mul(w, t);
  const double tt = vec3_dot(t, wt), ts = vec3_dot(s, wt), ss = vec3_dot(s, mat3_mul(w, s));
  const double half = 0.5 * (tt - ss);
  return 0.5 * (tt + ss) + sqrt(half * half + ts * ts);
}

static CompliantForce force_of(const CompliantPair *pair, const SolidRow *row, double area,
                               CompliantState before)
{
  const VolumetricLaw *law = &pair->law->volumetric;
  const vec3 arm = row->row->solid.centroid;
  const vec3 arm_high = vec3_sub(arm, vec3_sub(pair->high->center, pair->low->center));
  const vec3 low = rigid_velocity(pair->start_low, arm);
  const vec3 high = rigid_velocity(pair->start_high, arm_high);
  double damping = law->tangential_damping;
  if (damping < 0)
    damping =
        compliant_law_critical(law->tangential_stiffness, area,
                               mobility_across(pair, row->solid.normal, arm, arm_high), pair->step);
  const CompliantMotion motion = {
      .law = law,
      .friction = pair->law->friction,
      .tangential_damping = damping,
      .step = pair->step,
      .slip = vec3_sub(low, high),
      .turn = vec3_sub(pair->start_low.w, pair->start_high.w),
      .mean_turn = vec3_scale(0.5, vec3_add(pair->start_low.w, pair->start_high.w))};
  return compliant_law_force(&row->solid, &motion, before);
}

static void append_row(const CompliantPair *pair, OldVolumes old, const SolidRow *row, double area,
                       Volumes *found)
{
  const vec3 arm = row->row->solid.centroid, n = row->solid.normal;
  const vec3 place = mat3_mul_transposed(pair->low->rotation, arm);
  const int known = known_row(old, row, place);
  CompliantState before = {{0, 0, 0}, 0};
  if (known >= 0) before = (CompliantState){old.volumes->bristle[known], old.volumes->twist[known]};
  const CompliantForce f = force_of(pair, row, area, before);
  const double h = pair->step;
  const int i = found->table.owned++;
  found->table.count = found->table.owned;
  found->bodies[i] = pair->ids;
  found->parts[i] = (VolumeParts){(uint32_t)row->row->part_a, (uint32_t)row->row->part_b};
  found->bristle[i] = f.state.bristle;
  found->twist[i] = f.state.twist;
  found->place[i] = place;
  found->normal[i] = n;
  found->impulse[i] = vec3_scale(h, vec3_axpy(f.normal, n, f.sliding));
  found->couple[i] = vec3_scale(h, vec3_axpy(f.spinning, n, f.rolling));
  found->point[i] = vec3_add(pair->low->center, arm);
  found->volume[i] = row->solid.volume;
  found->area[i] = row->solid.area;
  found->elastic[i] = f.elastic * row->solid.height + f.bristle_energy;
  found->damped[i] = f.damped;
  found->rolled[i] = f.rolled;
  found->rubbed[i] = f.rubbed;
  found->slides[i] = f.slides;
  found->arm[i] = arm;
  found->spring[i] = f.normal > 0 ? h * f.elastic : 0;
}

CompliantCount compliant_pair_add(const CompliantPair *pair, OldVolumes old, Volumes *found,
                                  Arena *arena)
{
  assert_debug(pair->step > 0 && pair->law->volumetric.stiffness > 0 && "the pair has the law");
  const ModelPair posed = {.a = pair->low, .b = pair->high};
  const bool integrates = pair->law->volumetric.spinning == SPINNING_INTEGRATED;
  const CommonAsked asked = {.pooled = pair->pooled, .faces = integrates};
  const CommonSet set = common_find(&posed, asked, arena);
  CompliantCount count = {set.failed, set.rerouted, set.count};
  SolidRow *rows = arena_allocate(arena, ((size_t)set.row_count + 1) * sizeof *rows);
  int row_count = 0;
  double area = 0;
  for (int r = 0; r < set.row_count; r++) {
    SolidRow row = {.row = &set.rows[r]};
    if (!compliant_law_solid(&set.rows[r].solid, &row.solid)) {
      count.failed++;
      continue;
    }
    area += row.solid.area;
    if (integrates) find_footprint(&set, r, &row, arena);
    rows[row_count] = row;
    if (integrates) rows[row_count].solid.footprint = &rows[row_count].footprint;
    row_count++;
  }
  table_reserve(&found->table, found->table.owned + row_count);
  for (int r = 0; r < row_count; r++) append_row(pair, old, &rows[r], area, found);
  return count;
}
