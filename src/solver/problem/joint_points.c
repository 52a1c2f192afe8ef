// Makes points of the problem from rows of joints, and gives the rows what came out.
#include "joint_points.h"

#include <assert.h>

#include "check.h"
#include "delassus.h"
#include "joint_agree.h"
#include "joint_nodes.h"
#include "law.h"

#define AT_LIMIT (1 - 1e-9)   // of a limit: an impulse that has reached it
#define BREAK_SHARE \
  1e-2   // of the limit: impulse that is missing to hold a row, beyond which its joint breaks
#define ERRORS_OF_ROW \
  10   // times the largest error of a point as it counts here, which a row may lack beyond that
#define SHORT 1e-9   // of the length of a line at the start: shorter ones have no direction

// -- how rows stand -------------------------------------------------------------------------------

// One row with its two places, world axes.
typedef struct {
  const ProblemInput *in;
  const JointRule *rule;
  int row, low, high;
  const FinitePoint *low_at, *high_at;   // NULL: the body has no nodes
  const int *first_node;                 // of rows
  vec3 low_arm, high_arm;                // from the centres of mass to the two places, m
  vec3 apart;                            // from the higher body's place to the lower one's, m
} PosedRow;

// at: its nodes; NULL: it has none.
static vec3 arm_of(const Bodies *bodies, const MidState *mid, int body, vec3 reference,
                   const FinitePoint *at)
{
  const MaterialPoint point = material_point_of(bodies, body, 0, &mid->rotation, reference);
  if (at) return vec3_add(point.arm, contact_places_moved(bodies, mid, &point, at));
  return material_point_arm(bodies, &point);
}

static PosedRow pose_row(const ProblemInput *in, const Problem *problem, int k, int i)
{
  const SolverPair *pair = &problem->pairs[k];
  const int row = problem_joint(problem, k, i);
  assert_debug(row >= 0 && row < in->joints->table.count && "a row of the table");
  const Joints *j = in->joints;
  PosedRow p = {.in = in,
                .rule = joints_rule(j, row),
                .row = row,
                .low = pair->low,
                .high = pair->high,
                .low_at = problem_place_in(problem, pair->low, i, false),
                .high_at = problem_place_in(problem, pair->high, i, true),
                .first_node = in->first_node};
  p.low_arm = arm_of(in->bodies, &in->mid[pair->low], pair->low, j->anchor[row], p.low_at);
  p.high_arm = arm_of(in->bodies, &in->mid[pair->high], pair->high, j->anchor_high[row], p.high_at);
  const vec3 between = vec3_sub(in->bodies->position[pair->low], in->bodies->position[pair->high]);
  p.apart = vec3_sub(vec3_add(between, p.low_arm), p.high_arm);
  return p;
}

// How far a spring is stretched where its row has no elongation, m.
static double pretension_way(const JointRule *rule)
{
  return rule->pretension == 0 ? 0 : rule->pretension / rule->stiffness[JOINT_NORMAL];
}

static vec3 centripetal(vec3 spin, vec3 arm) { return vec3_cross(spin, vec3_cross(spin, arm)); }

// Velocity of a place at the start of the step, and its acceleration if nothing acts.
typedef struct {
  vec3 velocity, bend;   // m/s, m/s2
} PlaceMotion;

static PlaceMotion motion_of_place(const PosedRow *p, bool high)
{
  const ProblemInput *in = p->in;
  const int body = high ? p->high : p->low;
  const vec3 arm = high ? p->high_arm : p->low_arm;
  const FinitePoint *at = high ? p->high_at : p->low_at;
  const Twist u = in->start.twist[body];
  PlaceMotion of = {rigid_velocity(u, arm), centripetal(u.w, arm)};
  if (!in->start.stretch) return of;
  vec3 rate;
  if (at) {
    const vec3 *nodes = in->start.nodes + p->first_node[body];
    rate = vec3_sub(finite_rows_velocity(at, &in->mid[body], nodes), of.velocity);
  } else {
    rate = mat3_mul(in->start.stretch[body], arm);
  }
  of.velocity = vec3_add(of.velocity, rate);
  of.bend = vec3_axpy(2, vec3_cross(u.w, rate), of.bend);
  return of;
}

// Axes, separation and its second derivative along the line between the places.
static JointState line_state(const PosedRow *p, vec3 speed, vec3 bend)
{
  const Joints *j = p->in->joints;
  const double length = j->length[p->row], apart = vec3_norm(p->apart);
  const bool directed = apart > SHORT * length;
  const vec3 normal = directed ? vec3_scale(1 / apart, p->apart) : j->normal[p->row];
  JointState state = {.axes = contacts_basis(normal)};
  state.separation.x = apart - length - j->plastic[p->row].x;
  const double along = vec3_dot(normal, speed);
  const vec3 across = vec3_axpy(-along, normal, speed);
  state.bend.x = vec3_dot(normal, bend);
  if (directed) state.bend.x += vec3_dot(across, across) / apart;
  return state;
}

// The same in axes that turn with one of the bodies.
static JointState frame_state(const PosedRow *p, vec3 speed, vec3 bend)
{
  const ProblemInput *in = p->in;
  const Joints *j = in->joints;
  const int body = p->rule->frame_low ? p->low : p->high;
  const vec3 spin = in->start.twist[body].w;
  const mat3 basis = contacts_basis(j->normal[p->row]);
  JointState state = {.is_contact = false};
  for (int i = 0; i < 3; i++) state.axes.row[i] = mat3_mul(in->mid[body].rotation, basis.row[i]);
  state.separation = vec3_sub(mat3_mul(state.axes, p->apart), j->plastic[p->row]);
  const vec3 turned = vec3_axpy(-2, vec3_cross(spin, speed), bend);
  state.bend = mat3_mul(state.axes, vec3_add(turned, centripetal(spin, p->apart)));
  return state;
}

// The common place of both bodies: where the frame's body has its own, the other's.
static vec3 point_arm(const PosedRow *p)
{
  return p->rule->frame_low ? vec3_sub(p->low_arm, p->apart) : p->low_arm;
}

static JointState state_of(const PosedRow *p)
{
  const PlaceMotion low = motion_of_place(p, false), high = motion_of_place(p, true);
  const vec3 speed = vec3_sub(low.velocity, high.velocity), bend = vec3_sub(low.bend, high.bend);
  const JointRule *rule = p->rule;
  JointState state = rule->along_line ? line_state(p, speed, bend) : frame_state(p, speed, bend);
  state.is_contact = rule->speed > 0;
  if (state.is_contact) state.separation = state.bend = (vec3){0, 0, 0};
  if (rule->pretension != 0) state.separation.x += rule->pretension / rule->stiffness[JOINT_NORMAL];
  return state;
}

// Separations of a row at the middle and at the start of the step, axes of the row.
static vec3 middle_of(const JointState *state, double h)
{
  return vec3_axpy(0.125 * h * h, state->bend, state->separation);
}

static vec3 start_of(const JointState *state, double h)
{
  return vec3_axpy(-0.5 * h, state->before, middle_of(state, h));
}

// Is a row slack that acts to one side alone?
static bool is_slack(double tension, double push, double separation)
{
  return (push == 0 && separation < 0) || (tension == 0 && separation > 0);
}

// -- points ---------------------------------------------------------------------------------------

// A direction's compliance c and what its offset is made of: b = rate (s + bend k) + past U(n).
// yielding: what b loses for each metre by which the row yields in the step, spring and damper
// together, since these move by that much less
typedef struct {
  double give, rate, bend, past, yielding;
} Response;

// taken_up: the row was slack at the start of the step
static Response response_of(const JointRule *rule, int direction, bool taken_up, double h)
{
  const double stiffness = rule->stiffness[direction], damping = rule->damping[direction];
  assert_debug(h > 0 && (stiffness > 0 || damping > 0) && "a row resists");
  if (stiffness == INFINITY) return (Response){0, 1 / h, 0.25 * h * h, 0, 1 / h};
  const double end = taken_up ? 1 : 0.5;   // share of the end of the step in its rule
  const double spring = 0.5 * end * h * h * stiffness, damper = end * h * damping;
  const double give = 1 / (spring + damper);
  return (Response){give, give * h * stiffness, 0.125 * h * h,
                    taken_up ? 0 : give * (damper - spring), give * (h * stiffness + damping)};
}

static vec3 split_directions(double normal, double tangent)
{
  return (vec3){normal, tangent, tangent};
}

static vec3 times(vec3 a, vec3 b) { return (vec3){a.x * b.x, a.y * b.y, a.z * b.z}; }

// b in the row's axes
static vec3 offset_of(const JointState *state, const Response *n, const Response *t)
{
  const vec3 bend = times(split_directions(n->bend, t->bend), state->bend);
  const vec3 placed = times(split_directions(n->rate, t->rate), vec3_add(state->separation, bend));
  return vec3_add(placed, times(split_directions(n->past, t->past), state->before));
}

// What a row that does not act leaves of a point: it has its place in the problem, and no part.
static void set_idle(Problem *problem, int i)
{
  problem->offset[i] = INFINITY;
  problem->r[i] = (vec3){0, 0, 0};
  problem->limits[i] = law_no_limits();
}

static void make_point(const ProblemInput *in, Problem *problem, int k, int i)
{
  const int row = problem_joint(problem, k, i);
  const SolverPair *pair = &problem->pairs[k];
  const PosedRow posed = pose_row(in, problem, k, i);
  JointState state = state_of(&posed);
  const JointRule *rule = posed.rule;
  problem->levers[i] = (PointLever){state.axes.row[0], state.axes.row[1], point_arm(&posed)};
  if (problem->apart && rule->along_line && elastic_rows_find(problem->elastic, pair->high))
    problem->apart[i] = posed.apart;
  problem->friction[i] = problem->speed[i] = problem->size[i] = 0;
  problem->rho[i] = 1;
  set_idle(problem, i);

  // tangents by W and the compliance
  SolverPoint p = problem_point(problem, k, i);
  state.before = problem_velocity(&p, in->start);
  const double start = start_of(&state, in->step).x;
  const bool taken_up = is_slack(rule->tension, rule->push, start);
  const Response n = response_of(rule, JOINT_NORMAL, taken_up, in->step),
                 t = response_of(rule, JOINT_TANGENT, false, in->step);
  state.yielding[JOINT_NORMAL] = n.yielding;
  state.yielding[JOINT_TANGENT] = t.yielding;
  const sym3 w = law_add_give((PointLaw){.give = {n.give, t.give}},
                              delassus_in_basis(&p, &in->mid[pair->low], &in->mid[pair->high]));
  law_diagonalize(mat3_of_sym3(w), &p.basis);
  problem->levers[i].tangent = p.basis.row[1];
  problem->joint_states[row] = state;
  if (in->joints->status[row] == JOINT_BROKEN) return;

  const vec3 offset = mat3_mul(p.basis, mat3_mul_transposed(state.axes, offset_of(&state, &n, &t)));
  problem->offset[i] = rule->speed > 0 ? rule->speed : offset.x;
  problem->limits[i] = (PointLimits){.tension = in->step * rule->tension,
                                     .shear = in->step * rule->shear,
                                     .push = in->step * rule->push,
                                     .give = {n.give, t.give},
                                     .along = {offset.y, offset.z}};
  problem->rho[i] = delassus_rho(&w);
  const vec3 guess = mat3_mul(p.basis, in->joints->reaction[row]);
  problem->r[i] = law_project(problem_law(problem, i), guess);
}

void joint_points_make(const ProblemInput *in, Problem *problem, Arena *arena)
{
  if (!problem->joints) return;
  assert(in->joints != NULL && problem->limits != NULL && "points of joints have limits");
  const size_t rows = (size_t)in->joints->table.count;
  problem->joint_states = arena_allocate_zero(arena, rows + 1, sizeof *problem->joint_states);
  for (int k = 0; k < problem->pair_count; k++) {
    for (int i = problem->joints[k].point; i < problem->pairs[k].end; i++) {
      joint_nodes_set(in, problem, k, i, arena);
      make_point(in, problem, k, i);
    }
    joint_offsets_agree(problem, k, arena);
  }
}

// -- after the solution ---------------------------------------------------------------------------

// A row that is solved, in its axes.
typedef struct {
  JointState *state;
  const JointRule *rule;
  vec3 r, after;   // impulse, N s, and U(n+1), m/s
  vec3 missing;    // U + b + c r, by which it is not held, m/s
  PointLaw law;
  double rho, size;   // see Problem
} SolvedRow;

static SolvedRow solved_row(const Problem *problem, const Joints *joints, int k, int i)
{
  const int row = problem_joint(problem, k, i);
  const SolverPoint p = problem_point(problem, k, i);
  const vec3 u = problem_velocity(&p, problem_now(problem));
  const vec3 missing = law_add_elastic(p.law, vec3_add(u, p.offset), p.r);
  JointState *state = &problem->joint_states[row];
  SolvedRow s = {
      .state = state, .rule = joints_rule(joints, row), .law = p.law, .rho = p.rho, .size = p.size};
  s.r = mat3_mul(state->axes, mat3_mul_transposed(p.basis, p.r));
  s.after = mat3_mul(state->axes, mat3_mul_transposed(p.basis, u));
  s.missing = mat3_mul(state->axes, mat3_mul_transposed(p.basis, missing));
  return s;
}

static bool is_inner(double limit) { return limit > 0 && limit < INFINITY; }

// Shares of the motion that a row at a limit between zero and infinity lets through: that along the
// normal, that across it.
static vec3 yielding_of(const SolvedRow *s)
{
  const double across = sqrt(s->r.y * s->r.y + s->r.z * s->r.z);
  const bool pulled = is_inner(s->law.tension) && s->r.x <= -AT_LIMIT * s->law.tension,
             pushed = is_inner(s->law.push) && s->r.x >= AT_LIMIT * s->law.push,
             sheared = is_inner(s->law.shear) && across >= AT_LIMIT * s->law.shear;
  const double along = (pulled && s->missing.x > 0) || (pushed && s->missing.x < 0) ? 1 : 0;
  return split_directions(along, sheared ? 1 : 0);
}

// Redundant rows may share a load in many ways: a row at its limit breaks if the others do not hold
// it either.
static bool breaks(const SolvedRow *s, vec3 let, double residual)
{
  const vec3 missing = times(let, s->missing);
  const double normal = s->r.x < 0 ? s->law.tension : s->law.push;
  const double limit = let.x > 0 ? normal : s->law.shear;
  const double error = residual * s->size;
  return s->rho * vec3_norm(missing) > BREAK_SHARE * limit + ERRORS_OF_ROW * error;
}

// Separations of a row at the start and at the end of the step, by s_mid, velocities and k; way:
// what it has yielded by, which the second has lost.
typedef struct {
  vec3 start, end, way;
} RowMotion;

static RowMotion motion_of(const SolvedRow *s, vec3 let, double h)
{
  const JointState *state = s->state;
  const vec3 slower =
      split_directions(1 / state->yielding[JOINT_NORMAL], 1 / state->yielding[JOINT_TANGENT]);
  const vec3 way = times(let, times(slower, s->missing));
  const vec3 end = vec3_axpy(0.5 * h, s->after, middle_of(state, h));
  return (RowMotion){start_of(state, h), vec3_sub(end, way), way};
}

// What a spring and its damper hold or take in one direction.
typedef struct {
  double elastic, damped, spent;   // J
} DirectionWork;

// The mean separation of spring and damper has lost the whole way, that at the end as well: the
// slider takes what the others do not.
static DirectionWork work_along(const SolvedRow *s, int direction, const double motion[3],
                                double impulse, double h)
{
  const double stiffness = s->rule->stiffness[direction], damping = s->rule->damping[direction];
  const double start = motion[0], end = motion[1], way = motion[2];
  const double slid = -impulse * way / h;
  if (stiffness == INFINITY) return (DirectionWork){0, 0, slid};
  const double gain = end - start;
  return (DirectionWork){0.5 * stiffness * end * end, impulse != 0 ? damping * gain * gain / h : 0,
                         slid - 0.5 * stiffness * way * gain};
}

// What a spring of one side takes beside the others as it becomes slack or taut within a step, J:
// its force is that of the mean separation, or that at the end where it was slack, its energy that
// of both ends.
static double taken_at_turn(const SolvedRow *s, const RowMotion *m, const DirectionWork *along)
{
  const double stiffness = s->rule->stiffness[JOINT_NORMAL];
  const bool start_slack = is_slack(s->law.tension, s->law.push, m->start.x),
             end_slack = is_slack(s->law.tension, s->law.push, m->end.x);
  if (!isfinite(stiffness) || (!start_slack && !end_slack)) return 0;
  const double before = start_slack ? 0 : 0.5 * stiffness * m->start.x * m->start.x;
  const double work = 0.5 * s->r.x * (s->state->before.x + s->after.x);
  return before - along->elastic - work - along->damped - along->spent;
}

// Energies and separation of a row at the end of the step, and what it has yielded by.
static void store_motion(const SolvedRow *s, vec3 let, Joints *joints, int row, double h)
{
  assert_debug(row >= 0 && h > 0 && "a row moves for a time");
  const RowMotion m = motion_of(s, let, h);
  const double along[3] = {m.start.x, m.end.x, m.way.x}, across[3] = {m.start.y, m.end.y, m.way.y},
               beyond[3] = {m.start.z, m.end.z, m.way.z};
  DirectionWork all[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  if (s->law.tension > 0 || s->law.push > 0) {
    all[0] = work_along(s, JOINT_NORMAL, along, s->r.x, h);
    if (is_slack(s->law.tension, s->law.push, m.end.x)) all[0].elastic = 0;
    all[0].damped += taken_at_turn(s, &m, &all[0]);
  }
  if (s->law.shear > 0) {
    all[1] = work_along(s, JOINT_TANGENT, across, s->r.y, h);
    all[2] = work_along(s, JOINT_TANGENT, beyond, s->r.z, h);
  }
  for (int i = 0; i < 3; i++) {
    joints->elastic[row] += all[i].elastic;
    joints->damped[row] += all[i].damped;
    joints->spent[row] += all[i].spent;
  }
  joints->plastic[row] = vec3_add(joints->plastic[row], m.way);
  joints->elongation[row] = vec3_add(m.end, joints->plastic[row]);
  joints->elongation[row].x -= pretension_way(s->rule);
  if (s->rule->along_line) joints->elongation[row] = (vec3){joints->elongation[row].x, 0, 0};
  if (let.x > 0 || let.y > 0) joints->status[row] = JOINT_YIELDING;
}

// What a row that breaks in the step takes: what it held, and what its impulse took from bodies, J.
static double taken_at_break(const SolvedRow *s, double h)
{
  const RowMotion m = motion_of(s, (vec3){0, 0, 0}, h);
  const vec3 sum = vec3_add(s->state->before, s->after);
  double taken = -0.5 * vec3_dot(s->r, sum);
  const double along = s->rule->stiffness[JOINT_NORMAL], across = s->rule->stiffness[JOINT_TANGENT];
  if (isfinite(along) && !is_slack(s->law.tension, s->law.push, m.start.x))
    taken += 0.5 * along * m.start.x * m.start.x;
  if (isfinite(across)) taken += 0.5 * across * (m.start.y * m.start.y + m.start.z * m.start.z);
  return taken;
}

// All rows of a joint are of one pair: they break together.
static void break_joint(const Problem *problem, Joints *joints, int k, int joint)
{
  const JointSpan span = problem->joints[k];
  for (int i = span.point; i < problem->pairs[k].end; i++) {
    const int row = problem_joint(problem, k, i);
    if (joints_rule(joints, row)->joint != joint) continue;
    if (joints->status[row] == JOINT_BROKEN) continue;
    joints->status[row] = JOINT_BROKEN;
    const SolvedRow s = solved_row(problem, joints, k, i);
    joints->spent[row] = taken_at_break(&s, problem->step);
    joints->elastic[row] = joints->damped[row] = 0;
  }
}

// The place of a row's point in one of its bodies, world axes, m.
static vec3 place_of(const Problem *problem, int k, int i, bool high, vec3 reference)
{
  const SolverPair *pair = &problem->pairs[k];
  const Bodies *bodies = problem->bodies;
  const int row = high ? pair->high : pair->low;
  const FinitePoint *at = problem_place_in(problem, row, i, high);
  return vec3_add(bodies->position[row], arm_of(bodies, &problem->mid[row], row, reference, at));
}

static void end_row(const Problem *problem, Joints *joints, int k, int i, double h)
{
  const int row = problem_joint(problem, k, i);
  joints->place[row] = place_of(problem, k, i, false, joints->anchor[row]);
  joints->place_high[row] = place_of(problem, k, i, true, joints->anchor_high[row]);
  joints->elastic[row] = joints->damped[row] = joints->spent[row] = 0;
  joints->reaction[row] = joints->elongation[row] = (vec3){0, 0, 0};
  if (joints->status[row] == JOINT_BROKEN) return;
  joints->status[row] = JOINT_WHOLE;
  const SolvedRow s = solved_row(problem, joints, k, i);
  joints->reaction[row] = mat3_mul_transposed(s.state->axes, s.r);
  if (s.rule->speed > 0) return;
  const vec3 let = s.rule->breaks ? (vec3){0, 0, 0} : yielding_of(&s);
  store_motion(&s, let, joints, row, h);
}

static bool pair_breaks(const Problem *problem, Joints *joints, int k, double residual)
{
  bool broken = false;
  for (int i = problem->joints[k].point; i < problem->pairs[k].end; i++) {
    const int row = problem_joint(problem, k, i);
    const JointRule *rule = joints_rule(joints, row);
    if (!rule->breaks || joints->status[row] == JOINT_BROKEN) continue;
    const SolvedRow s = solved_row(problem, joints, k, i);
    if (!breaks(&s, yielding_of(&s), residual)) continue;
    break_joint(problem, joints, k, rule->joint);
    broken = true;
  }
  return broken;
}

void joint_points_end(const Problem *problem, Joints *joints, double residual, JointCount *count)
{
  const double step = problem->step;
  assert(count != NULL && !(residual < 0) && "what rows did is counted");
  *count = (JointCount){0};
  if (!problem->joints) return;
  for (int k = 0; k < problem->pair_count; k++) {
    const SolverPair *pair = &problem->pairs[k];
    const JointSpan span = problem->joints[k];
    if (span.point == pair->end) continue;
    for (int i = span.point; i < pair->end; i++) end_row(problem, joints, k, i, step);
    const bool broken = pair_breaks(problem, joints, k, residual);
    if (!problem->owned[pair->first]) continue;
    for (int i = span.point; i < pair->end; i++)
      count->yielded += joints->status[problem_joint(problem, k, i)] == JOINT_YIELDING;
    if (!broken) continue;
    const IdPair ids = {problem->bodies->id[pair->low], problem->bodies->id[pair->high]};
    if (count->broken == 0 || id_pair_before(ids, count->first)) count->first = ids;
    count->broken++;
  }
}

// -- the correction of positions ------------------------------------------------------------------

void joint_points_hold(Problem *problem, const Joints *joints)
{
  if (!problem->joints) return;
  assert(joints != NULL && problem->limits != NULL && "points of joints have limits");
  for (int k = 0; k < problem->pair_count; k++)
    for (int i = problem->joints[k].point; i < problem->pairs[k].end; i++) {
      const int row = problem_joint(problem, k, i);
      const JointRule *rule = joints_rule(joints, row);
      set_idle(problem, i);
      if (joints->status[row] == JOINT_BROKEN || rule->speed > 0) continue;
      PointLimits *limits = &problem->limits[i];
      const bool rigid = rule->stiffness[JOINT_NORMAL] == INFINITY,
                 across = rule->stiffness[JOINT_TANGENT] == INFINITY;
      limits->tension = rigid && rule->tension > 0 ? INFINITY : 0;
      limits->push = rigid && rule->push > 0 ? INFINITY : 0;
      limits->shear = across && rule->shear > 0 ? INFINITY : 0;

      // what is slack may become taut, no further
      const double end = joints->elongation[row].x - joints->plastic[row].x;
      const bool slack = (limits->tension == 0 && end > 0) || (limits->push == 0 && end < 0);
      problem->offset[i] = slack ? end : 0;
    }
}
