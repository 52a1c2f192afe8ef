// Two bodies with the volumetric law: their common solids become rows with forces.
#include "compliant_pair.h"

#include "check.h"
#include "compliant_columns.h"
#include "compliant_joint.h"
#include "rigid.h"

#define NEAR_NORMAL 0.7   // cosine: a row of another face, or one that turned far, hands nothing on

static bool has_key(const Volumes *volumes, int row, const CommonRow *common)
{
  const VolumeParts parts = volumes->parts[row];
  return parts.low == (uint32_t)common->part_a && parts.high == (uint32_t)common->part_b;
}

// The row of the last step that hands its bristle on, or -1.
static int known_row(OldVolumes old, const CompliantRow *row, vec3 place)
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

// The damping along the joint, N s/m3: that of the law, or what is critical at a place.
static double damping_at(const CompliantPair *pair, vec3 normal, vec3 arm, double area)
{
  const VolumetricLaw *law = &pair->law->volumetric;
  if (law->tangential_damping >= 0) return law->tangential_damping;
  const vec3 arm_high = vec3_sub(arm, vec3_sub(pair->high->center, pair->low->center));
  return compliant_law_critical(law->tangential_stiffness, area,
                                mobility_across(pair, normal, arm, arm_high), pair->step);
}

static CompliantMotion motion_of(const CompliantPair *pair, const CompliantRow *row, double area)
{
  const vec3 arm = row->row->solid.centroid;
  const vec3 arm_high = vec3_sub(arm, vec3_sub(pair->high->center, pair->low->center));
  const vec3 low = rigid_velocity(pair->start_low, arm);
  const vec3 high = rigid_velocity(pair->start_high, arm_high);
  return (CompliantMotion){.law = &pair->law->volumetric,
                           .friction = pair->law->friction,
                           .tangential_damping = damping_at(pair, row->solid.normal, arm, area),
                           .step = pair->step,
                           .slip = vec3_sub(low, high),
                           .turn = vec3_sub(pair->start_low.w, pair->start_high.w),
                           .mean_turn =
                               vec3_scale(0.5, vec3_add(pair->start_low.w, pair->start_high.w))};
}

static CompliantState state_before(const CompliantPair *pair, OldVolumes old,
                                   const CompliantRow *row)
{
  const vec3 place = mat3_mul_transposed(pair->low->rotation, row->row->solid.centroid);
  const int known = known_row(old, row, place);
  if (known < 0) return (CompliantState){{0, 0, 0}, 0};
  return (CompliantState){old.volumes->bristle[known], old.volumes->twist[known]};
}

// Rows of one plane act together.
static void act_joints(const CompliantPair *pair, const CommonSet *set, CompliantRow *rows,
                       int count, double area, Arena *arena)
{
  const CompliantJoints found = compliant_joint_find(set, rows, count, arena);
  for (int j = 0; j < found.count; j++) {
    CompliantJoint *joint = &found.joints[j];
    if (joint->count > 1)
      joint->motion.tangential_damping =
          damping_at(pair, joint->solid.normal, joint->common.centroid, area);
    compliant_joint_act(joint, rows);
  }
}

static void append_row(const CompliantPair *pair, const CompliantRow *row, Volumes *found)
{
  const vec3 arm = row->row->solid.centroid, n = row->solid.normal;
  const CompliantForce *f = &row->force;
  const double h = pair->step;
  const int i = found->table.owned++;
  found->table.count = found->table.owned;
  found->bodies[i] = pair->ids;
  found->parts[i] = (VolumeParts){(uint32_t)row->row->part_a, (uint32_t)row->row->part_b};
  found->bristle[i] = f->state.bristle;
  found->twist[i] = f->state.twist;
  found->place[i] = mat3_mul_transposed(pair->low->rotation, arm);
  found->normal[i] = n;
  found->impulse[i] = vec3_scale(h, vec3_axpy(f->normal, n, f->sliding));
  found->couple[i] = vec3_scale(h, vec3_axpy(f->spinning, n, f->rolling));
  found->point[i] = vec3_add(pair->low->center, arm);
  found->volume[i] = row->solid.volume;
  found->area[i] = row->solid.area;
  found->elastic[i] = f->elastic * row->solid.height + f->bristle_energy;
  found->damped[i] = f->damped;
  found->rolled[i] = f->rolled;
  found->rubbed[i] = f->rubbed;
  found->slides[i] = f->slides;
  found->arm[i] = arm;
  found->spring[i] = f->acts ? h * f->elastic : 0;
}

static bool has_several_parts(const PosedBody *body) { return body->shape->part_count > 1; }

static bool has_faces(const PosedBody *body)
{
  return !(body->shape->sphere_radius > 0) && body->inner == NULL;
}

// Faces are asked for where footprints, joints or columns are made of them: of two convex bodies,
// columns alone, which one row in many needs, as few touch with edges or corners.
static CommonSet find_set(const CompliantPair *pair, Arena *arena)
{
  const ModelPair posed = {.a = pair->low, .b = pair->high};
  CommonAsked asked = {.pooled = pair->pooled,
                       .faces = pair->law->volumetric.spinning == SPINNING_INTEGRATED ||
                                has_several_parts(pair->low) || has_several_parts(pair->high)};
  const CommonSet set = common_find(&posed, asked, arena);
  CompliantSolid solid;
  if (asked.faces || set.row_count == 0 || !has_faces(pair->low) || !has_faces(pair->high))
    return set;
  if (!compliant_law_solid(&set.rows[0].solid, NULL, &solid) || !solid.curved) return set;
  asked.faces = true;
  return common_find(&posed, asked, arena);
}

CompliantCount compliant_pair_add(const CompliantPair *pair, OldVolumes old, Volumes *found,
                                  Arena *arena)
{
  assert_debug(pair->step > 0 && pair->law->volumetric.stiffness > 0 && "the pair has the law");
  const CommonSet set = find_set(pair, arena);
  CompliantCount count = {set.failed, set.rerouted, set.count};
  CompliantRow *rows = arena_allocate(arena, ((size_t)set.row_count + 1) * sizeof *rows);
  CommonSolid all = {0};
  for (int r = 0; r < set.row_count; r++) all = common_solid_sum(&all, &set.rows[r].solid);
  int row_count = 0;
  double area = 0;
  for (int r = 0; r < set.row_count; r++) {
    CompliantRow row = {.number = r, .row = &set.rows[r]};
    if (!compliant_law_solid(&set.rows[r].solid, set.row_count > 1 ? &all : NULL, &row.solid)) {
      count.failed++;
      continue;
    }
    if (row.solid.curved && set.faces.count > 0)
      row.solid.height = compliant_columns_height(&set, r, &row.solid, arena);
    area += row.solid.area;
    rows[row_count++] = row;
  }
  for (int r = 0; r < row_count; r++) {
    CompliantRow *row = &rows[r];
    row->motion = motion_of(pair, row, area);
    row->before = state_before(pair, old, row);
  }
  act_joints(pair, &set, rows, row_count, area, arena);
  table_reserve(&found->table, found->table.owned + row_count);
  for (int r = 0; r < row_count; r++) append_row(pair, &rows[r], found);
  return count;
}
