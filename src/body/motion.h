#pragma once
// Motion of bodies by Moreau's midpoint rule: what the step asks of all rows, each moved as its
// kind does (kind.h).
#include <stdbool.h>

#include "affine.h"
#include "bodies.h"
#include "check.h"

// Motion of a body frame. A rigid body has no other unknowns.
typedef struct {
  vec3 v, w;
} Twist;   // m/s of the centre of mass, rad/s, world axes

// Velocities of rows.
typedef struct {
  const Twist *twist;    // [rows]
  const mat3 *stretch;   // [rows] what deformation adds: stretch y at y from the centre of mass,
                         // 1/s, world axes; NULL: no row deforms
  const vec3 *nodes;     // [nodes of all rows] of those of finite elements, of which the rows above
                         // have the rigid part, in the axes of the body; NULL: there are none
} Velocities;

// Velocities in one body: v + gradient y at y from the centre of mass, world axes.
typedef struct {
  vec3 v;          // m/s
  mat3 gradient;   // 1/s
} BodyField;

// Local. Those of rows that do not deform.
static inline Velocities velocities_of_rigid(const Twist *twist)
{
  return (Velocities){twist, NULL, NULL};
}

// What the step needs of a body at the middle of the step, beside its row.
typedef struct {
  mat3 rotation;          // body to world
  double inverse_mass;    // 1/kg, 0 but for dynamic bodies
  mat3 inverse_inertia;   // world axes, 1/(kg m2), zero but for dynamic ones
} MidState;

// All loads on a body: force, and torque about its centre of mass, world axes.
typedef struct {
  vec3 force, torque;   // N, N m
} LoadSum;

// What loads and prescribed motions do to a body in the step beside the acceleration of all.
typedef struct {
  vec3 velocity, spin;   // added to those that it has at the start of the step, m/s, rad/s
  double path_excess;    // distance travelled beyond speed times step, m
} MotionChange;

// What acts on a row that deforms, beside the sums of its loads.
typedef struct {
  mat3 dyad;               // sum of F X', N m: forces in world axes, their places in the body frame
  vec3 couple;             // sum of torques that act on the whole body, N m
  double temperature[3];   // above that of no stress at the start, middle and end of the step, K
  // of rows of finite elements, in the place of the dyad
  const vec3 *nodes;   // [nodes of the row] forces, in the axes of the body, N; NULL: none
  vec3 placed;         // their sum, world axes, N
} DeformingLoad;

// Rows that deform have nodes, 3 unknowns each; their Twist is the rigid part of that motion.
typedef struct {
  const int *first;    // [rows + 1] nodes of row i: from first[i] to first[i + 1]
  vec3 *start, *end;   // velocities of nodes at the start of the step and at its end: those
                       // without contact, until the contact problem is solved; m/s
  const DeformingLoad *loads;   // [rows]; NULL: none
  AffineWorks *works;           // [rows] of the step
  vec3 *reaction;   // [nodes of all rows] of foundations after the step: impulses at nodes that are
                    // held, those of contacts among them, in the axes of the body; N s
} Deforming;

// What the guide of a row holds in the step; the case itself, of a foundation, of which all is
// held.
typedef struct {
  unsigned held;   // components, bits of guided.h; 0: the row has no guide
  Twist end;       // velocities at the end of the step; components that are free count nothing
  vec3 angular;    // angular momentum at the start of the step, kg m2/s
  // of foundations
  Twist start;    // velocities at its start
  vec3 turning;   // what its centre of mass is accelerated beside the change of these, m/s2
} HeldMotion;

// What bodies do in the step if nothing touches.
typedef struct {
  double step;                   // s
  vec3 acceleration;             // of all dynamic bodies, m/s2
  const MotionChange *changes;   // [rows]; NULL: none for any
} FreeMotion;

// What acts on bodies in a step; rows are at its middle.
typedef struct {
  double step;   // s
  ShapeSet *shapes;
  const double *densities;      // [materials] kg/m3
  const MidState *mid;          // [rows]
  vec3 acceleration;            // of all dynamic bodies, m/s2
  const LoadSum *loads;         // [rows] at the middle of the step; NULL: none on any
  const Deforming *deforming;   // NULL: no row deforms
  const HeldMotion *held;       // [rows]; NULL: no row is guided
} MotionForces;

enum { MOTION_UNKNOWNS = 6 };   // of a body frame: those of a Twist

// Local. Is the body's motion an unknown of the step?
static inline bool motion_moves(const MidState *mid)
{
  assert_debug(!(mid->inverse_mass < 0) && "no mass is below zero");
  return mid->inverse_mass > 0;
}

// Local. Adds the mass operator of a body frame to a block of [MOTION_UNKNOWNS *
// MOTION_UNKNOWNS], by rows. It must move. held: components that are given (guided.h); the operator
// keeps them apart from the others, and any number above zero stands for their mass.
void motion_add_mass(const MidState *mid, unsigned held, double *block);

// Local. What makes the momenta of a body frame impulses, [MOTION_UNKNOWNS]: 1, and one over the
// radius of gyration, 1/m. It must move.
void motion_weigh(const MidState *mid, double *weight);

// Local. First half of the step for all rows, ghosts too: rows move to the middle of the step;
// fills mid[count]. Dynamic bodies only; others get their rotation and zeros.
void motion_first_half(Bodies *bodies, ShapeSet *shapes, const double *densities, double step,
                       MidState *mid);

// Local. The same where rows stay at the start of the step; fills mid[count] with what they are
// there.
void motion_at_start(const Bodies *bodies, ShapeSet *shapes, const double *densities,
                     MidState *mid);

// Local. Velocities of all rows at the start of the step and at its end without contact, u_free =
// u(n) + h M^-1 f; none of fixed rows. Prescribed rows are left alone.
void motion_free_velocities(const Bodies *bodies, const MotionForces *forces, Twist *start,
                            Twist *free);

// Local. The end of the step of a dynamic row: motion_take_loads, then motion_take_impulse for each
// point of contact, then motion_end_velocity. Momenta are state of their own, so that they are
// conserved to rounding; the spin follows from them. found: velocity by the contact problem; free:
// without contact, of a row that nothing touches, otherwise NULL.
void motion_take_loads(Bodies *bodies, int row, const MotionForces *forces);
void motion_end_velocity(Bodies *bodies, int row, const MotionForces *forces, Twist found,
                         const Twist *free);

// Local. What nodes have beside the Twists of their rows: stretch [rows], zero of rows that do not
// deform. And velocities of nodes from both, of own rows that are touched, [own rows].
void motion_gather(const Bodies *bodies, const MotionForces *forces, const vec3 *nodes,
                   const Twist *twist, mat3 *stretch);
void motion_spread(const Bodies *bodies, const MotionForces *forces, Velocities velocities,
                   const unsigned char *touched);

// Local. Elastic energy of a dynamic row at a temperature above that of no stress, K; 0 of rows
// that do not deform.
double motion_elastic_energy(const Bodies *bodies, int row, double temperature);

// Local. Fills strain and stress of a row where the table has these columns.
void motion_fill_tensors(Bodies *bodies, int row, double temperature);

// Local. Second half for own rows: velocity and spin are those at the end of the step.
void motion_second_half(Bodies *bodies, double step);

// Local. Moves own dynamic rows by displacements and turns [own rows], m, rad.
void motion_shift(Bodies *bodies, const Twist *shift);

// Local. What a load changes of the free motion of a dynamic row in a step, by its pose now.
// inertia: body axes, kg m2.
MotionChange motion_change(const Bodies *bodies, int row, mat3 inertia, LoadSum load, double step);

// Local. Inertia of a row's body about its centre of mass in body axes, kg m2.
mat3 motion_inertia(const Bodies *bodies, int row, ShapeSet *shapes, const double *densities);

// Local. Fills mass and angular momentum of a row that has shape, material, orientation and spin.
void motion_begin(Bodies *bodies, int row, ShapeSet *shapes, const double *densities);

// Energy and momenta of a row's body, in the parts that sums of bodies are made of.
typedef struct {
  double energy[2];   // kinetic: of translation, of the rest, J
  vec3 momentum;      // kg m/s
  vec3 angular[2];    // about the origin: of the centre of mass, about it, kg m2/s
} Momenta;

// Local. Of a dynamic row.
Momenta motion_momenta(const Bodies *bodies, int row);

// What makes momenta of a row's Twist.
typedef struct {
  double mass;    // kg
  mat3 inertia;   // about the centre of mass, world axes, kg m2
} MotionMass;

// Local. Of a dynamic row at the middle of the step.
MotionMass motion_mass(const Bodies *bodies, int row, const MidState *mid);

// Local. Work in a step of an acceleration of all bodies, and of loads, on a row's body that began
// the step with a velocity and has that of its end, J.
double motion_work_of_acceleration(const Bodies *bodies, int row, vec3 acceleration, Twist start,
                                   double step);
double motion_work_of_load(const Bodies *bodies, int row, LoadSum load, Twist start, double step);

// Local. Where [count] points of a row's surface are, world axes, from their reference places (body
// axes, from the centre of mass), m.
void motion_surface(const Bodies *bodies, int row, const vec3 *reference, int count, vec3 *places);

// Local. Are all numbers of a row's motion finite?
bool motion_is_finite(const Bodies *bodies, int row);

// A body other than a sphere that turns by more in one step, in rad, has a false energy: beyond 1
// rad in half a step the rule for the spin need not have one solution alone.
#define MOTION_FALSE_TURN 2.0

// Local. True when the body turns by more in one step.
bool motion_is_false(const Bodies *bodies, int row, const Shape *shape, double step);

// Local. True when the body moves more than half its inradius or turns more than 0.2 rad in one
// step. How far a sphere turns does not matter: its surface stays where it is.
bool motion_is_large(const Bodies *bodies, int row, const Shape *shape, double step);
