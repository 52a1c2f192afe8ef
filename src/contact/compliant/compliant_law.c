// The volumetric law: forces between two bodies from the solid that they share.
#include "compliant_law.h"

#include "check.h"
#include "trig.h"

#define NO_NORMAL 1e-6   // of the surface: a smaller sum of areas points nowhere
#define EVEN 1e-9        // surfaces that are flatter than this are as flat
#define CURVED 1e-4      // across the normal: a surface of which no more is left is flat

typedef struct {
  double of[2];   // surface of a, of b
} Bends;

// Share of a surface that is left in its area vector: 1, it is flat.
static double flatness(const CommonSolid *common, int side)
{
  assert_debug((side == 0 || side == 1) && "a or b");
  return common->size[side] > 0 ? vec3_norm(common->area[side]) / common->size[side] : 0;
}

// How far the surfaces of a row are from flat, 0 to 2: its own, and those that all rows have.
static Bends bends_of(const CommonSolid *common, const CommonSolid *all)
{
  assert_debug(common->volume > 0 && "there is something in common");
  Bends bends = {{EVEN, EVEN}};
  for (int side = 0; side < 2; side++) {
    bends.of[side] += larger_of(1 - flatness(common, side), 0);
    if (all) bends.of[side] += larger_of(1 - flatness(all, side), 0);
  }
  return bends;
}

// Share of a surface across the normal that is not in its largest face: 0, all others are upright.
static double rest_across(const CommonSolid *common, int side, vec3 normal)
{
  assert_debug((side == 0 || side == 1) && "a or b");
  const double all = fabs(vec3_dot(common->area[side], normal));
  const double rest = vec3_dot(vec3_sub(common->area[side], common->flat[side]), normal);
  return all > 0 ? fabs(rest) / all : 1;
}

// Half the mean length of columns, from the flatter of two surfaces to the centroid, and whether it
// is not flat either.
static void measure_columns(const CommonSolid *common, CompliantSolid *solid)
{
  const double rest[2] = {rest_across(common, 0, solid->normal),
                          rest_across(common, 1, solid->normal)};
  const int flatter = rest[1] <= rest[0];
  const vec3 up = vec3_sub(common->centroid, common->middle[flatter]);
  // (b's surface looks along the normal: the solid lies below it)
  const double along = vec3_dot(up, solid->normal), height = flatter == 1 ? -along : along;
  solid->height = height > 0 ? height : 0;
  solid->curved = rest[flatter] > CURVED;
}

bool compliant_law_solid(const CommonSolid *common, const CommonSolid *all, CompliantSolid *solid)
{
  assert_debug(common->volume > 0 && "there is something in common");
  const Bends bends = bends_of(common, all);
  const double share = bends.of[0] / (bends.of[1] + bends.of[0]);
  const vec3 sum = vec3_axpy(share, common->area[1], vec3_scale(-(1 - share), common->area[0]));
  const double length = vec3_norm(sum);
  *solid = (CompliantSolid){.volume = common->volume};
  if (!(length > 0.5 * NO_NORMAL * (common->size[0] + common->size[1]))) return false;
  const vec3 n = vec3_scale(1 / length, sum);
  solid->normal = n;
  solid->area = length;

  // E_t = P E P, J = tr(E_t) P - E_t
  const mat3 outer = {{vec3_scale(n.x, n), vec3_scale(n.y, n), vec3_scale(n.z, n)}};
  const mat3 across = mat3_add(mat3_diagonal(1, 1, 1), mat3_scale(-1, outer));
  const mat3 flat = mat3_mul_mat(across, mat3_mul_mat(common->second, across));
  const double trace = flat.row[0].x + flat.row[1].y + flat.row[2].z;
  solid->rolling = mat3_add(mat3_scale(trace, across), mat3_scale(-1, flat));
  solid->radius2 = trace / common->volume;
  measure_columns(common, solid);
  return true;
}

// The bristle of the last step turned with the bodies, without what is no more across the normal.
static vec3 turned_bristle(vec3 bristle, vec3 normal, vec3 turn)
{
  const double square = vec3_dot(bristle, bristle);
  if (!(square > 0)) return (vec3){0, 0, 0};
  vec3 s = vec3_add(bristle, vec3_cross(turn, bristle));
  s = vec3_axpy(-vec3_dot(s, normal), normal, s);
  const double now = vec3_dot(s, s);
  return now > 0 ? vec3_scale(sqrt(square / now), s) : s;
}

static double friction_at(const CompliantMotion *motion, double speed2)
{
  const VolumetricLaw *law = motion->law;
  const double more = law->static_friction - motion->friction;
  if (!(more > 0) || !(law->stick_speed > 0)) return motion->friction;
  const double v = law->stick_speed;
  return motion->friction + more * trig_exp(-speed2 / (v * v));
}

// A joint that is stretched along itself.
typedef struct {
  double stiff, damping;   // N/m, N s/m
  double step, limit;      // s; of the force, N
  vec3 slip;               // across the normal, m/s
  double spin;             // rad/s
  CompliantState state;    // without any limit
} Stretch;

// Force and torque beyond the limit of both, by the mean arm, shrink alike with what stretches
// them.
static void limit_mean(const CompliantSolid *solid, const Stretch *stretch, CompliantForce *f)
{
  assert_debug(stretch->limit >= 0 && "friction bears something or nothing");
  const double r2 = solid->radius2, stiff = stretch->stiff, damping = stretch->damping;
  vec3 s = stretch->state.bristle;
  double t = stretch->state.twist;
  vec3 force = vec3_neg(vec3_axpy(damping, stretch->slip, vec3_scale(stiff, s)));
  double torque = -r2 * (stiff * t + damping * stretch->spin);
  const double size = sqrt(vec3_dot(force, force) + (r2 > 0 ? torque * torque / r2 : 0));
  f->slides = size > stretch->limit;
  if (f->slides) {
    const double share = stretch->limit / size;
    force = vec3_scale(share, force);
    s = vec3_scale(share, s);
    torque *= share;
    t *= share;
  }
  f->sliding = force;
  f->spinning = torque;
  f->state = (CompliantState){s, t};
}

// Spring and damper side by side, behind a slider that gives by the least that brings them to the
// limit: the damper knows of the bristle's way alone, and none is left of it in steady sliding.
static void limit_integrated(const CompliantSolid *solid, const Stretch *stretch, CompliantForce *f)
{
  const double lag = stretch->damping / stretch->stiff;
  const vec3 whole = vec3_axpy(lag, stretch->slip, stretch->state.bristle);
  const PlaneBasis *plane = &solid->plane;
  const FootprintField field = {{vec3_dot(plane->t0, whole), vec3_dot(plane->t1, whole)},
                                stretch->state.twist + lag * stretch->spin};
  const FootprintField slip =
      footprint_slip(solid->footprint, &field, stretch->limit / stretch->stiff);
  f->slides = slip.s[0] != 0 || slip.s[1] != 0 || slip.t != 0;
  const double s0 = field.s[0] - slip.s[0], s1 = field.s[1] - slip.s[1], t = field.t - slip.t;
  f->sliding = vec3_scale(-stretch->stiff, plane_basis_point(plane, s0, s1, 0));
  f->spinning = -stretch->stiff * solid->radius2 * t;
  const double share = stretch->step / (stretch->step + lag);
  const vec3 gone = plane_basis_point(plane, share * slip.s[0], share * slip.s[1], 0);
  f->state = (CompliantState){vec3_sub(stretch->state.bristle, gone),
                              stretch->state.twist - share * slip.t};
}

double compliant_law_share(const CompliantSolid *solid, const CompliantMotion *motion)
{
  assert_debug(solid->area > 0 && "a solid with a normal");
  return 1 - motion->law->damping * vec3_dot(motion->slip, solid->normal);
}

CompliantForce compliant_law_normal(const CompliantSolid *solid, const CompliantMotion *motion,
                                    double share)
{
  assert_debug(solid->area > 0 && motion->step > 0 && "a solid with a normal, in a step");
  const VolumetricLaw *law = motion->law;
  const vec3 n = solid->normal;
  CompliantForce f = {.acts = true, .elastic = law->stiffness * solid->volume};
  const double along = vec3_dot(motion->slip, n), spin = vec3_dot(motion->turn, n);
  f.normal = f.elastic * share;
  f.damped = motion->step * (f.elastic - f.normal) * along;
  if (law->rolling) {
    const vec3 roll = mat3_mul(solid->rolling, vec3_axpy(-spin, n, motion->turn));
    f.rolling = vec3_scale(-law->stiffness * law->damping, roll);
    f.rolled = -motion->step * vec3_dot(f.rolling, motion->turn);
  }
  return f;
}

void compliant_law_friction(const CompliantSolid *solid, const CompliantMotion *motion,
                            CompliantState before, CompliantForce *f)
{
  assert_debug(solid->area > 0 && motion->step > 0 && "a solid with a normal, in a step");
  const VolumetricLaw *law = motion->law;
  const vec3 n = solid->normal;

  // bristle and twist as far as they would go, then no farther than friction bears
  const double along = vec3_dot(motion->slip, n), spin = vec3_dot(motion->turn, n);
  const vec3 slip = vec3_axpy(-along, n, motion->slip);
  const double h = motion->step, r2 = solid->radius2;
  const double speed2 = vec3_dot(slip, slip) + r2 * spin * spin;
  const vec3 old = turned_bristle(before.bristle, n, vec3_scale(h, motion->mean_turn));
  Stretch stretch = {.stiff = law->tangential_stiffness * solid->area,
                     .damping = motion->tangential_damping * solid->area,
                     .step = h,
                     .limit = friction_at(motion, speed2) * f->normal,
                     .slip = slip,
                     .spin = spin,
                     .state = {vec3_axpy(h, slip, old), before.twist + h * spin}};
  if (solid->footprint) limit_integrated(solid, &stretch, f);
  else limit_mean(solid, &stretch, f);

  // (a twist that no torque comes of has no energy)
  const bool viscous = law->spinning == SPINNING_VISCOUS;
  if (viscous) f->spinning = -f->normal * r2 * spin;
  const double of_twist = viscous ? 0 : r2, t = f->state.twist;
  const vec3 s = f->state.bristle;
  f->bristle_energy = 0.5 * stretch.stiff * (vec3_dot(s, s) + of_twist * t * t);
  const double had =
      0.5 * stretch.stiff * (vec3_dot(old, old) + of_twist * before.twist * before.twist);
  f->rubbed = -h * (vec3_dot(f->sliding, slip) + f->spinning * spin) - (f->bristle_energy - had);
}

CompliantForce compliant_law_force(const CompliantSolid *solid, const CompliantMotion *motion,
                                   CompliantState before)
{
  assert_debug(solid->area > 0 && motion->step > 0 && "a solid with a normal, in a step");
  const double share = compliant_law_share(solid, motion);
  if (!(share > 0)) return (CompliantForce){.elastic = motion->law->stiffness * solid->volume};
  CompliantForce f = compliant_law_normal(solid, motion, share);
  compliant_law_friction(solid, motion, before, &f);
  return f;
}

double compliant_law_critical(double tangential_stiffness, double area, double mobility,
                              double step)
{
  assert_debug(area > 0 && mobility >= 0 && step > 0 && "bodies meet in an area");
  if (!(mobility > 0)) return 0;
  const double most = 1 / (step * area * mobility);
  return smaller_of(2 * sqrt(tangential_stiffness / (area * mobility)), most);
}

// -- restitution ----------------------------------------------------------------------------------

#define SERIES_REACH 0.5   // e d and d up to which the series is used
#define SERIES_TERMS 60

// (ln(1 + d) - ln(1 - e d) - d (1 + e)) / d^2, of one sign on either side of the root; any multiple
// of it where the series is too slow.
static double restitution_excess(double e, double d)
{
  if (d > SERIES_REACH) return (1 + d) - (1 - e * d) * trig_exp(d * (1 + e));
  double sum = 0, power = 1, less = (1 - e) * (1 + e);   // 1 - e^k
  for (int k = 2; k < SERIES_TERMS; k++) {
    sum += power * (k % 2 ? 2 - less : -less) / k;
    power *= d;
    less = (1 - e) + e * less;
  }
  return sum;
}

double compliant_law_damping(double restitution, double speed)
{
  assert_debug(restitution > 0 && restitution <= 1 && speed > 0 && "a rebound at a speed");
  const double e = restitution;
  if (e == 1) return 0;
  double low = 0, high = 1 / e;
  for (int i = 0; i < 200 && low < high; i++) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    if (restitution_excess(e, middle) < 0) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high) / speed;
}
