#pragma once
// The frictional contact problem of one step as the solvers read it: points grouped by pair, pairs
// by colour.
#include "arena.h"
#include "bodies.h"
#include "check.h"
#include "contact_places.h"
#include "contacts.h"
#include "elastic_rows.h"
#include "finite_rows.h"
#include "graph.h"
#include "joints.h"
#include "law.h"
#include "material_point.h"
#include "rigid_pairs.h"
#include "stops.h"
#include "surface_law.h"

// Where a point is and how its basis lies: the second tangent is normal x tangent.
typedef struct {
  vec3 normal, tangent;   // the tangents diagonalise S (delassus.h)
  vec3 low_arm;           // from the lower body's centre of mass to the point, world axes, m
} PointLever;

typedef struct Problem Problem;

// How a row of joints stands at the middle of the step (joint_points.h).
typedef struct {
  mat3 axes;         // rows: normal, tangents that turn with the body, world axes
  vec3 separation;   // in these axes, without what it has yielded by, m
  vec3 bend;         // k, its second derivative where velocities are constant, m/s2
  vec3 before;       // U(n), m/s
  double yielding[JOINT_DIRECTIONS];   // what the offset loses as the row yields, 1/s
  bool is_contact;   // it limits a speed (JointRule.speed), as a contact without friction does
} JointState;

// One contact point, put together from the columns of a problem. Impulses act on the lower body,
// their opposite on the higher.
typedef struct {
  mat3 basis;               // rows: normal, tangents
  vec3 low_arm, high_arm;   // from the centres of mass to the point, world axes, m
  PointLaw law;
  vec3 offset;
  double rho, speed, size;
  vec3 r;
  int point;                // its number in the problem
  int contact;              // row of the table of contacts; -1: none
  int low, high;            // rows of the bodies
  const Problem *problem;   // whose point it is
  bool by_kind;             // its bodies may be other than rigid
  bool joined;              // a joint holds it
} SolverPoint;

typedef struct {
  const Bodies *bodies;          // at the middle of the step
  const MidState *mid;           // [rows]
  const Contacts *contacts;      // own and ghost rows
  const Joints *joints;          // likewise; NULL: there are none
  const int *ghost_ranks;        // owners of the bodies' ghost rows
  Velocities start;              // u(n)
  Velocities free;               // u_free
  const int *first_node;         // [rows + 1] nodes of rows; NULL: no row is of finite elements
  const ContactPlaces *places;   // of contacts in these; NULL likewise
  const SurfaceLaws *laws;
  ShapeSet *shapes;
  double slop;            // gaps below it count as closed, relative to the smaller body's extent
  double step;            // s
  double impact_speed;    // approach speed above which restitution acts, m/s
  double gravity_speed;   // what gravity gives in the step, m/s
  SolverStops stops;      // over the tolerance
  int most_pairs;         // of a body that is not split, even, the same in all steps; 0: COPY_PAIRS
} ProblemInput;

// What the graph of contacts gives belongs to the graph, see there.
struct Problem {
  int row_count, own_rows;
  const Bodies *bodies;     // at the middle of the step
  const int *ghost_ranks;   // owners of the bodies' ghost rows
  const MidState *mid;
  int point_count, owned_points;   // all known points; those of own pairs
  const unsigned char *owned;      // [point_count] the pair belongs to this rank

  // points by pair, pairs by colour, [point_count] each: a column for each number, since solvers
  // read some of them again and again and others never
  PointLever *levers;
  double *friction;
  double *offset;        // added to U_N in the law, m/s; infinite: an impact that is yet to come
  double *rho;           // 1 / |W_aa|_2, kg; 0 where W_aa is zero
  double *speed;         // sum of both bodies' without contact, m/s; set by residual_prepare
  double *size;          // what errors count relative to, N s; set by residual_prepare
  vec3 *r;               // impulse in basis, N s
  PointLimits *limits;   // NULL: all points are plain contacts

  int pair_count;
  const SolverPair *pairs;   // by colour, then by key
  const int *contacts;   // [pair_count] row of the first point's contact; the next points' follow
  bool jointed;          // there may be joints on some rank
  bool sprung;           // there may be points with a joint stiffness on some rank
  const JointSpan *joints;    // [pair_count] points that joints hold; NULL: there are none
  JointState *joint_states;   // [rows of joints]
  double step;                // s
  double gravity_speed;       // what gravity gives in the step, m/s
  SolverStops stops;          // over the tolerance
  const IndexPair *parts;     // [rows of contacts] convex parts of the two bodies; NULL: not known
  int colour_count;
  const int *colour_start;              // [colour_count + 1] into pairs
  const HaloPlan *before_colour;        // [colour_count] velocities to refresh before each colour
  HaloPlan all;                         // velocities of all bodies that boundary pairs touch
  HaloPlan swept;                       // of those alone that sweeps here need
  const Copies *copies;                 // of bodies with many pairs; NULL: there are none
  const int *body_start, *body_pairs;   // pairs of each own row in order of key: 2 * pair, one more
                                        // where the body is the higher one
  int mover_count;
  const int
      *movers;    // [mover_count] own rows that have pairs; NULL: all own rows, with and without
  Twist *twist;   // [row_count] current velocities; after them those of copies
  const ElasticRows *elastic;   // rows that deform; NULL: all ranks have none
  mat3 *stretch;                // [row_count] what their deformation adds, see Velocities; or NULL
  vec3 *apart;   // [point_count] from the higher body's place of a line to the lower one's, world
                 // axes, m; NULL: no line holds what deforms
  const FiniteRows *finite;   // rows of finite elements; NULL: all ranks have none
  vec3 *nodes;                // current velocities of their nodes, see Velocities; or NULL
  HaloPlan all_nodes;         // those of the rows of `all`
  FinitePoint *low_place, *high_place;   // [point_count] in bodies of finite elements; or NULL
  double *soft;   // [point_count] share of deformation in |W_aa|_2, 1/kg; or NULL
};

// Local. How many own rows there are that points may move, and which.
static inline int problem_mover_count(const Problem *problem)
{
  return problem->movers ? problem->mover_count : problem->own_rows;
}
static inline int problem_mover(const Problem *problem, int i)
{
  assert_debug(i >= 0 && i < problem_mover_count(problem) && "a row of those");
  return problem->movers ? problem->movers[i] : i;
}

// Local. The current velocities.
static inline Velocities problem_now(const Problem *problem)
{
  assert_debug((!problem->elastic || problem->stretch) && "what deforms has rates");
  return (Velocities){problem->twist, problem->stretch, problem->nodes};
}

// Collective. Memory from the arena and, for what the cache keeps, from there; without a cache
// (NULL) the same to the bit. An impact that the free motion does not close yet has an infinite
// offset: it takes no impulse, but corrections of positions respect it.
Problem problem_new(const ProblemInput *in, GraphCache *cache, Arena *arena);

// Local. Smaller extent of two bodies, m.
double problem_extent(const Bodies *bodies, ShapeSet *shapes, int low, int high);

// Local. Columns of points for a problem that has none, with or without limits, which are those of
// plain contacts. For the tests.
void problem_allocate_points(Problem *problem, int point_count, bool limits, Arena *arena);

// Local. Puts the numbers of a point into the columns; those of its pair are not among them.
// For the tests.
void problem_set_point(Problem *problem, int i, const SolverPoint *point);

// Local. Does a row deform?
static inline bool problem_deforms(const Problem *problem, int row)
{
  assert_debug(row >= 0 && row < problem->row_count && "a row of the problem");
  return elastic_rows_find(problem->elastic, row) || finite_rows_find(problem->finite, row);
}

// Local. Is one of the bodies of a pair of finite elements?
static inline bool problem_has_nodes(const Problem *problem, const SolverPair *pair)
{
  assert_debug(pair->low != pair->high && "a pair is of two bodies");
  return finite_rows_find(problem->finite, pair->low) ||
         finite_rows_find(problem->finite, pair->high);
}

// Local. The place of point i in a row, the lower or the higher one of its pair; NULL: the row is
// not of finite elements.
static inline const FinitePoint *problem_place_in(const Problem *problem, int row, int i, bool high)
{
  assert_debug(i >= 0 && i < problem->point_count && "a point of the problem");
  if (!finite_rows_find(problem->finite, row)) return NULL;
  return high ? &problem->high_place[i] : &problem->low_place[i];
}

// From the lower body's centre of mass to the same point as seen from the higher one's: its arms
// are the lower body's plus this, m.
static inline vec3 problem_between(const Problem *problem, const SolverPair *pair)
{
  assert_debug(pair->low >= 0 && pair->high >= 0 && pair->low != pair->high &&
               "a pair is of two bodies");
  return vec3_sub(problem->bodies->position[pair->low], problem->bodies->position[pair->high]);
}

// Local. From the higher body's centre of mass to point i of a pair. A line has a place in each
// body; rigid ones are turned alike by any place of it, so that where none deforms it has one.
static inline vec3 problem_high_arm(const Problem *problem, const SolverPair *pair, int i)
{
  assert_debug(i >= pair->first && i < pair->end && "a point is of its pair");
  const vec3 arm = vec3_add(problem->levers[i].low_arm, problem_between(problem, pair));
  return problem->apart ? vec3_sub(arm, problem->apart[i]) : arm;
}

static inline mat3 lever_basis(const PointLever *lever)
{
  return (mat3){{lever->normal, lever->tangent, vec3_cross(lever->normal, lever->tangent)}};
}

static inline PointLaw problem_law(const Problem *problem, int i)
{
  assert_debug(i >= 0 && i < problem->point_count && "a point of the problem");
  if (!problem->limits) return law_of_contact(problem->friction[i]);
  return law_of_limits(problem->friction[i], &problem->limits[i]);
}

static inline vec3 problem_offset(const Problem *problem, int i)
{
  assert_debug(i >= 0 && i < problem->point_count && "a point of the problem");
  if (!problem->limits) return (vec3){problem->offset[i], 0, 0};
  const double *along = problem->limits[i].along;
  return (vec3){problem->offset[i], along[0], along[1]};
}

// Local. Where the points of a pair end that are contacts; those of joints follow.
static inline int problem_contacts_end(const Problem *problem, int k)
{
  assert_debug(k >= 0 && k < problem->pair_count && "a pair of the problem");
  return problem->joints ? problem->joints[k].point : problem->pairs[k].end;
}

// Local. Has a pair a line with two places? (Ranks without any joint have no column, and do the
// same with all other pairs.)
static inline bool problem_has_lines(const Problem *problem, int k)
{
  assert_debug(k >= 0 && k < problem->pair_count && "a pair of the problem");
  if (!problem->apart) return false;
  for (int i = problem_contacts_end(problem, k); i < problem->pairs[k].end; i++) {
    const vec3 apart = problem->apart[i];
    if (apart.x != 0 || apart.y != 0 || apart.z != 0) return true;
  }
  return false;
}

// Local. The row of contacts of point i of pair k; -1: it has none.
static inline int problem_contact(const Problem *problem, int k, int i)
{
  assert_debug(i >= problem->pairs[k].first && i < problem->pairs[k].end && "a point of the pair");
  if (!problem->contacts || i >= problem_contacts_end(problem, k)) return -1;
  return problem->contacts[k] + i - problem->pairs[k].first;
}

// Local. The row of joints of a point that a joint holds.
static inline int problem_joint(const Problem *problem, int k, int i)
{
  assert_debug(i >= problem_contacts_end(problem, k) && i < problem->pairs[k].end &&
               "a joint holds the point");
  return problem->joints[k].row + i - problem->joints[k].point;
}

// Local. Point i of pair k, by value.
static inline SolverPoint problem_point(const Problem *problem, int k, int i)
{
  assert_debug(k >= 0 && k < problem->pair_count && i >= problem->pairs[k].first &&
               i < problem->pairs[k].end && "a point is of its pair");
  const SolverPair *pair = &problem->pairs[k];
  const PointLever *lever = &problem->levers[i];
  const bool joined = problem->joints && i >= problem->joints[k].point;
  return (SolverPoint){
      .basis = lever_basis(lever),
      .low_arm = lever->low_arm,
      .high_arm = problem_high_arm(problem, pair, i),
      .law = problem_law(problem, i),
      .offset = problem_offset(problem, i),
      .rho = problem->rho[i],
      .speed = problem->speed[i],
      .size = problem->size[i],
      .r = problem->r[i],
      .point = i,
      .contact = problem->contacts && !joined ? problem->contacts[k] + i - pair->first : -1,
      .low = pair->low,
      .high = pair->high,
      .problem = problem,
      .by_kind = !rigid_pairs_all(problem->bodies),
      .joined = joined};
}

// Local. A contact point as a place of one of its bodies.
static inline MaterialPoint problem_low_point(const SolverPoint *p)
{
  const Problem *problem = p->problem;
  const bool parted = problem->parts && p->contact >= 0;
  const int part = parted ? (int)problem->parts[p->contact].low : 0;
  return material_point_at(problem->bodies, p->low, part, p->low_arm);
}
static inline MaterialPoint problem_high_point(const SolverPoint *p)
{
  const Problem *problem = p->problem;
  const bool parted = problem->parts && p->contact >= 0;
  const int part = parted ? (int)problem->parts[p->contact].high : 0;
  return material_point_at(problem->bodies, p->high, part, p->high_arm);
}

// Local. The same point by point, whatever kinds the bodies are of.
vec3 problem_velocity_by_kind(const SolverPoint *p, Velocities u);

// Local. H u at a point, in its basis: velocity of the lower body relative to the higher one.
static inline vec3 problem_velocity(const SolverPoint *p, Velocities u)
{
  assert_debug(p->low >= 0 && p->high >= 0 && p->low != p->high && "a point is of two bodies");
  if (p->by_kind) {
    // (a copy: the point itself then has no address, and what nobody reads of it is never made)
    const SolverPoint copy = *p;
    return problem_velocity_by_kind(&copy, u);
  }
  return mat3_mul(p->basis, vec3_sub(rigid_velocity(u.twist[p->low], p->low_arm),
                                     rigid_velocity(u.twist[p->high], p->high_arm)));
}

// Local. H' r on the nodes of an own row of finite elements, points in order of key, N s.
void problem_push_nodes(const Problem *problem, int row, const vec3 *r, vec3 *nodes);

// Velocities of own rows that are written, as Velocities has them.
typedef struct {
  Twist *twist;
  mat3 *stretch;
  vec3 *nodes;
} VelocityColumns;

// Local. Copies of velocities of all rows, in the arena; the same, to be read.
VelocityColumns problem_copy_velocities(const Problem *problem, Velocities of, Arena *arena);
static inline Velocities problem_read(VelocityColumns columns)
{
  assert_debug(columns.twist != NULL && "rows have velocities");
  return (Velocities){columns.twist, columns.stretch, columns.nodes};
}

// Local. One row's velocities from other columns.
void problem_take_row(const Problem *problem, int row, Velocities from, VelocityColumns to);

// Local. u + M^-1 H' r of an own row, summed in order of key; r: [points] in bases.
Twist problem_velocity_of_body(const Problem *problem, int row, const vec3 *r, Twist u);

// Local. Velocities of own rows from impulses: base + M^-1 H' r, summed in order of key.
void problem_velocities(const Problem *problem, Velocities base, VelocityColumns to);

// Local. Those of rows of finite elements alone, from what pushes their nodes: base + A0^-1 H' r;
// the Twist is what a rigid row would do.
void problem_respond(const Problem *problem, int row, const vec3 *r, Velocities base,
                     VelocityColumns to);

// Local. The columns of the current velocities.
static inline VelocityColumns problem_columns(const Problem *problem)
{
  assert_debug(problem->twist != NULL && "rows have velocities");
  return (VelocityColumns){problem->twist, problem->stretch, problem->nodes};
}

// Collective. The current velocities of ghost rows.
void problem_refresh(Problem *problem, Arena *arena);

// Local. Gives the momenta of an own row the impulses of all its points, in order of key.
void problem_take_impulses(const Problem *problem, Bodies *bodies, int row);

// One of the bodies of a pair, as the pair's points push it.
typedef struct {
  int row;          // of the body
  int pair;         // of the problem
  int first, end;   // points of the pair
  vec3 shift;       // its arms are the lower body's plus this, m
  double sign;      // of impulses on it
} PairSide;

// Local. The pair and the side of an entry of body_pairs.
static inline PairSide problem_side(const Problem *problem, int entry)
{
  assert_debug(entry >= 0 && entry / 2 < problem->pair_count && "an entry is of a pair");
  const int k = entry / 2;
  const SolverPair *pair = &problem->pairs[k];
  if (entry % 2 == 0) return (PairSide){pair->low, k, pair->first, pair->end, {0, 0, 0}, 1};
  return (PairSide){pair->high, k, pair->first, pair->end, problem_between(problem, pair), -1};
}

// Local. Point i of the pair as a place of that body.
static inline MaterialPoint problem_side_point(const Problem *problem, const PairSide *side, int i)
{
  assert_debug(i >= side->first && i < side->end && "a point is of its pair");
  int part = 0;
  const int contact = problem->parts ? problem_contact(problem, side->pair, i) : -1;
  if (contact >= 0) {
    const IndexPair parts = problem->parts[contact];
    part = (int)(side->sign > 0 ? parts.low : parts.high);
  }
  return material_point_at(problem->bodies, side->row, part,
                           vec3_add(problem->levers[i].low_arm, side->shift));
}

// Local. u + M^-1 H' (impulse) at point i of the pair for a body that is asked by its kind.
Twist problem_push_by_kind(const Problem *problem, const PairSide *side, int i, vec3 impulse,
                           Twist u);

// Local. u + M^-1 H' r of point i of the pair, for the velocity u of that body.
static inline Twist problem_push_side(const Problem *problem, const PairSide *side, int i, vec3 r,
                                      Twist u)
{
  assert_debug(i >= side->first && i < side->end && "a point is of its pair");
  const PointLever *lever = &problem->levers[i];
  const vec3 impulse = mat3_mul_transposed(lever_basis(lever), r);
  if (!rigid_pairs_body(problem->bodies, side->row))
    return problem_push_by_kind(problem, side, i, impulse, u);
  return rigid_push(u, &problem->mid[side->row], impulse, vec3_add(lever->low_arm, side->shift),
                    side->sign);
}
