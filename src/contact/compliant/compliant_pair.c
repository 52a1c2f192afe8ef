// Two bodies with the volumetric law: their common solids become rows with forces.
#include "compliant_pair.h"

#include "check.h"
#include "rigid.h"

#define NEAR_NORMAL 0.7   // cosine: a row of another face of a body hands nothing on

// A row on its way into the table.
typedef struct {
  const CommonRow *row;
  CompliantSolid solid;
} SolidRow;

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
    if (has_key(old.volumes, i, row->row)) return i;
    if (vec3_dot(old.volumes->normal[i], row->solid.normal) < NEAR_NORMAL) continue;
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
  const CommonSet set = common_find(&posed, pair->pooled, arena);
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
    rows[row_count++] = row;
  }
  table_reserve(&found->table, found->table.owned + row_count);
  for (int r = 0; r < row_count; r++) append_row(pair, old, &rows[r], area, found);
  return count;
}
