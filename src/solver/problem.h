#pragma once
// The frictional contact problem of one step as the solvers read it: points grouped by pair, pairs
// by colour.
#include "arena.h"
#include "bodies.h"
#include "contacts.h"
#include "graph.h"
#include "law.h"
#include "motion.h"

typedef struct {
  vec3 v, w;
} Twist;   // m/s of the centre of mass, rad/s, world axes

// Where a point is and how its frame lies: the second tangent is normal x tangent.
typedef struct {
  vec3 normal, tangent;   // the tangents diagonalise S (delassus.h)
  vec3 low_arm;           // from the lower body's centre of mass to the point, world axes, m
} PointLever;

// One contact point, put together from the columns of a problem. Velocities of the point: v + w x
// arm; impulses act on the lower body, their opposite on the higher.
typedef struct {
  mat3 frame;               // rows: normal, tangents
  vec3 low_arm, high_arm;   // from the centres of mass to the point, world axes, m
  PointLaw law;
  vec3 offset;
  double rho, speed;
  vec3 r;
  int contact;     // row of the table of contacts
  int low, high;   // rows of the bodies
} SolverPoint;

typedef struct {
  const Bodies *bodies;       // at the middle of the step
  const MidState *mid;        // [rows]
  const Contacts *contacts;   // own and ghost rows
  const int *ghost_ranks;     // owners of the bodies' ghost rows
  const Twist *start;         // u(n), [rows]
  const Twist *free;          // u_free, [rows]
  SurfaceLaws laws;
  ShapeSet *shapes;
  double slop;           // gaps below it count as closed, relative to the smaller body's extent
  double step;           // s
  double impact_speed;   // approach speed above which restitution acts, m/s
  int most_pairs;        // of a body that is not split, even, the same in all steps; 0: COPY_PAIRS
} ProblemInput;

// What the graph of contacts gives belongs to the graph, see there.
typedef struct {
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
  double *offset;     // added to U_N in the law, m/s; infinite: an impact that is yet to come
  double *rho;        // 1 / |W_aa|_2, kg; 0 where W_aa is zero
  double *speed;      // sum of both bodies' without contact, m/s; set by residual_scale
  vec3 *r;            // impulse in frame, N s
  PointBond *bonds;   // NULL: there are none

  int pair_count;
  const SolverPair *pairs;   // by colour, then by key
  const int *contacts;   // [pair_count] row of the first point's contact; the next points' follow
  int colour_count;
  const int *colour_start;              // [colour_count + 1] into pairs
  const HaloPlan *before_colour;        // [colour_count] velocities to refresh before each colour
  HaloPlan all;                         // velocities of all bodies that boundary pairs touch
  HaloPlan swept;                       // of those alone that sweeps here need
  const Copies *copies;                 // of bodies with many pairs; NULL: there are none
  const int *body_start, *body_pairs;   // pairs of each own row in order of key: 2 * pair, one more
                                        // where the body is the higher one
  Twist *twist;   // [row_count] current velocities; after them those of copies
} Problem;

// Collective. Memory from the arena and, for what the cache keeps, from there; without a cache
// (NULL) the same to the bit. An impact that the free motion does not close yet has an infinite
// offset: it takes no impulse, but corrections of positions respect it.
Problem problem_new(const ProblemInput *in, GraphCache *cache, Arena *arena);

// Local. Smaller extent of two bodies, m.
double problem_extent(const Bodies *bodies, ShapeSet *shapes, int low, int high);

// Local. Columns of points for a problem that has none, with or without bonds.
void problem_allocate_points(Problem *problem, int point_count, bool bonds, Arena *arena);

// Local. Puts the numbers of a point into the columns; those of its pair are not among them.
void problem_set_point(Problem *problem, int i, const SolverPoint *point);

// From the lower body's centre of mass to the same point as seen from the higher one's: its arms
// are the lower body's plus this, m.
static inline vec3 problem_between(const Problem *problem, const SolverPair *pair)
{
  return vec3_sub(problem->bodies->position[pair->low], problem->bodies->position[pair->high]);
}

static inline mat3 lever_frame(const PointLever *lever)
{
  return (mat3){{lever->normal, lever->tangent, vec3_cross(lever->normal, lever->tangent)}};
}

static inline PointLaw problem_law(const Problem *problem, int i)
{
  if (!problem->bonds) return (PointLaw){problem->friction[i], 0, 0};
  return (PointLaw){problem->friction[i], problem->bonds[i].tension, problem->bonds[i].shear};
}

static inline vec3 problem_offset(const Problem *problem, int i)
{
  if (!problem->bonds) return (vec3){problem->offset[i], 0, 0};
  const double *along = problem->bonds[i].along;
  return (vec3){problem->offset[i], along[0], along[1]};
}

// Local. Point i of pair k, by value.
static inline SolverPoint problem_point(const Problem *problem, int k, int i)
{
  const SolverPair *pair = &problem->pairs[k];
  const PointLever *lever = &problem->levers[i];
  return (SolverPoint){.frame = lever_frame(lever),
                       .low_arm = lever->low_arm,
                       .high_arm = vec3_add(lever->low_arm, problem_between(problem, pair)),
                       .law = problem_law(problem, i),
                       .offset = problem_offset(problem, i),
                       .rho = problem->rho[i],
                       .speed = problem->speed[i],
                       .r = problem->r[i],
                       .contact = problem->contacts ? problem->contacts[k] + i - pair->first : -1,
                       .low = pair->low,
                       .high = pair->high};
}

// Local. H u at a point, in its frame: velocity of the lower body relative to the higher one.
vec3 problem_velocity(const SolverPoint *point, const Twist *twist);

// Local. Velocities of own rows from impulses: base + M^-1 H' r, summed in order of key.
void problem_velocities(const Problem *problem, const Twist *base, Twist *twist);

// Local. M^-1 H' (impulse) of one point added to one of its bodies; sign +1: the lower, -1: the
// higher.
static inline Twist problem_push(Twist u, const MidState *mid, vec3 impulse, vec3 arm, double sign)
{
  u.v = vec3_axpy(sign * mid->inverse_mass, impulse, u.v);
  u.w = vec3_axpy(sign, mat3_mul(mid->inverse_inertia, vec3_cross(arm, impulse)), u.w);
  return u;
}

// One of the bodies of a pair, as the pair's points push it.
typedef struct {
  int first, end;   // points of the pair
  vec3 shift;       // its arms are the lower body's plus this, m
  double sign;      // of impulses on it
} PairSide;

// Local. The pair and the side of an entry of body_pairs.
static inline PairSide problem_side(const Problem *problem, int entry)
{
  const SolverPair *pair = &problem->pairs[entry / 2];
  if (entry % 2 == 0) return (PairSide){pair->first, pair->end, {0, 0, 0}, 1};
  return (PairSide){pair->first, pair->end, problem_between(problem, pair), -1};
}

// Local. M^-1 H' r of one point added to a body of its pair.
static inline Twist problem_push_side(Twist u, const MidState *mid, const PairSide *side,
                                      const PointLever *lever, vec3 r)
{
  const vec3 impulse = mat3_mul_transposed(lever_frame(lever), r);
  return problem_push(u, mid, impulse, vec3_add(lever->low_arm, side->shift), side->sign);
}
