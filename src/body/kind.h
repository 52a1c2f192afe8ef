#pragma once
// Kinds of bodies: what each does where the step, the contact problem or the output asks a body.
// Nobody outside this folder asks what a body is; a new kind is an entry of KINDS.
#include "check.h"
#include "elastic.h"
#include "finite_stress.h"
#include "guided.h"
#include "motion.h"

// A place that a body carries along.
typedef struct {
  const BodyKind *kind;   // of its body
  int row;                // its body
  int part;               // convex part of the body's shape
  vec3 arm;        // its reference place as the body frame turns it: from the centre of mass,
                   // world axes, m
  unsigned held;   // what its body's guide holds (guided.h)
} MaterialPoint;

// What acts on one row in a step.
typedef struct {
  const MidState *mid;
  mat3 inertia;   // body axes, kg m2
  vec3 acceleration;
  const LoadSum *load;   // NULL: none
  double step;
  // of rows that deform, else NULL
  vec3 *start, *end;                // velocities of its nodes, see Deforming
  const DeformingLoad *deforming;   // NULL: none
  AffineWorks *works;
  vec3 *reaction;           // [nodes] of foundations, see Deforming
  const HeldMotion *held;   // of guided rows and foundations, else NULL
} RowForces;

// Numbers of kinds in the column of them, places in KINDS: a guided body has KIND_GUIDED and the
// bits of what is held, less one.
enum {
  KIND_RIGID = 0,
  KIND_AFFINE = 1,
  KIND_GUIDED = 2,
  KIND_FINITE = KIND_GUIDED + GUIDED_ALL - 1,
  KIND_FOUNDATION,
  KIND_COUNT
};

// All operations are local. Rows are dynamic, but for place and velocity.
struct BodyKind {
  const char *name;   // in case files
  bool in_lanes;   // its motion is its body frame's alone: pairs of such bodies may be solved four
                   // at a time by the formulas of rigid.h

  // motion of a row: by velocities for a time, and by a displacement and a turn that leave its
  // deformation alone
  void (*move)(Bodies *bodies, int row, Twist u, double time);
  void (*shift)(Bodies *bodies, int row, Twist shift);
  void (*at_middle)(const Bodies *bodies, int row, const mat3 *inertia, MidState *mid);
  Twist (*free_velocity)(const Bodies *bodies, int row, const RowForces *forces);
  void (*take_load)(Bodies *bodies, int row, const RowForces *forces);
  void (*end_velocity)(Bodies *bodies, int row, const RowForces *forces, Twist found,
                       const Twist *free);
  Momenta (*momenta)(const Bodies *bodies, int row);
  MotionMass (*mass)(const Bodies *bodies, int row, const MidState *mid);
  // places of [count] points of the surface, world axes, from their reference places, m
  void (*surface)(const Bodies *bodies, int row, const vec3 *reference, int count, vec3 *places);

  // material points
  vec3 (*arm)(const Bodies *bodies, const MaterialPoint *point);   // from the centre of mass to
                                                                   // where it is, m
  vec3 (*velocity)(const MaterialPoint *point, Twist u);
  void (*push)(const MaterialPoint *point, const MidState *mid, vec3 impulse, double sign,
               Twist *u);   // u += sign M^-1 H' impulse
  sym3 (*delassus)(const MaterialPoint *point, const MidState *mid, const mat3 *basis);
  void (*take_impulse)(Bodies *bodies, const MaterialPoint *point, vec3 impulse, double sign);

  // rows that deform
  int (*nodes)(const Bodies *bodies, int row);   // how many; NULL: none, the Twist is all
  // those of finite elements, whose velocities of nodes are in the axes of the body at the middle
  // of the step; NULL: of others
  const ElasticFinite *(*mesh)(const Bodies *bodies, int row);
  // all others, world axes: where y from the centre of mass they move with v + L y
  mat3 (*field)(const Bodies *bodies, int row, const MidState *mid, const vec3 *nodes);   // L, 1/s
  void (*spread)(const Bodies *bodies, int row, const MidState *mid, BodyField field,
                 vec3 *nodes);   // velocities of nodes
  mat3 (*resist)(const Bodies *bodies, int row, const MidState *mid,
                 mat3 field);   // A0 L: sum of
                                // impulses f y' that gives the field, N m s
  double (*elastic_energy)(const Bodies *bodies, int row, double temperature);
  void (*tensors)(Bodies *bodies, int row, double temperature);
};

// The kind of bodies that do not deform; of all rows where a table has no column of kinds.
extern const BodyKind kind_rigid;

// Affine bodies (affine.h).
extern const BodyKind kind_affine;

// Rigid bodies of whose velocity some components are given (guided.h).
extern const BodyKind kind_guided;

// Bodies of finite elements (finite_body.h).
extern const BodyKind kind_finite;

// Bodies of finite elements with nodes that are held: their frames move as the case says.
extern const BodyKind kind_foundation;

// All kinds by number, NULL behind the last.
extern const BodyKind *const KINDS[];

// Local. The kind of a row.
static inline const BodyKind *kind_of(const Bodies *bodies, int row)
{
  assert_debug((!bodies->kind || bodies->kind[row] >= 0) && "a row is of a kind");
  return bodies->kind ? bodies->kinds[bodies->kind[row]] : &kind_rigid;
}

// Local. The components of a row's velocity that its guide holds, bits of guided.h: all of a
// foundation's.
static inline unsigned kind_held(const Bodies *bodies, int row)
{
  assert_debug((!bodies->kind || bodies->kind[row] < KIND_COUNT) && "a row is of a kind");
  const int number = bodies->kind ? bodies->kind[row] : KIND_RIGID;
  if (number == KIND_FOUNDATION) return GUIDED_ALL;
  if (number < KIND_GUIDED || number >= KIND_FINITE) return 0;
  return (unsigned)(number - KIND_GUIDED + 1);
}

// Local. Is a row a foundation?
static inline bool kind_founded(const Bodies *bodies, int row)
{
  assert_debug(row >= 0 && "a body has a row");
  return bodies->kind && bodies->kind[row] == KIND_FOUNDATION;
}

// Local. How many nodes a row has beside its body frame.
static inline int kind_nodes(const Bodies *bodies, int row)
{
  const BodyKind *kind = kind_of(bodies, row);
  return kind->nodes ? kind->nodes(bodies, row) : 0;
}

// Local. What a row of finite elements is made of; NULL: it is none.
static inline const ElasticFinite *kind_mesh(const Bodies *bodies, int row)
{
  const BodyKind *kind = kind_of(bodies, row);
  return kind->mesh ? kind->mesh(bodies, row) : NULL;
}

// Local. How many nodes it has; 0: it is none.
static inline int kind_mesh_nodes(const Bodies *bodies, int row)
{
  const BodyKind *kind = kind_of(bodies, row);
  return kind->mesh ? kind->nodes(bodies, row) : 0;
}

// Local. A row of finite elements as its stress is found (finite_stress.h). temperature: K.
FiniteDeformed kind_deformed(const Bodies *bodies, int row, double temperature);

// Local. Is every row of a kind that the table knows?
bool kind_all_known(const Bodies *bodies);
