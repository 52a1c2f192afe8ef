#pragma once
// Everything a running simulation holds on one rank, and its way from a case to the first step.
#include <stdio.h>

#include "arena.h"
#include "balance.h"
#include "barrier_newton.h"
#include "barrier_skins.h"
#include "bodies.h"
#include "candidates.h"
#include "case.h"
#include "check.h"
#include "contacts.h"
#include "elastic.h"
#include "guides.h"
#include "impact.h"
#include "inner_set.h"
#include "joints.h"
#include "law.h"
#include "nodes.h"
#include "patch.h"
#include "problem.h"
#include "rank_counts.h"
#include "solver.h"
#include "state.h"
#include "surface_set.h"
#include "timer.h"
#include "volume_forces.h"

// Numbers of one step, the same on all ranks and, apart from the last group, on any number of
// ranks.
typedef struct {
  int64_t step;
  double time;                       // s, at the end of the step
  int64_t pairs, points;             // overlapping boxes; contact points
  int64_t sliding, sticking, open;   // points by what their reaction does
  int64_t failed;                    // pairs of parts too deep for a patch, and round bodies inside
  IdPair first_failed;
  int64_t met;   // pairs of the model lmd that begin with base surfaces that meet
  IdPair first_met;
  int64_t rerouted;   // pairs of parts whose common solid the fast route could not make
  IdPair first_rerouted;
  int64_t sparsified;                     // points removed because others do
  int64_t bonds;                          // whole points of bonds at the end of the step
  int64_t bonds_made;                     // in this step
  int64_t broken_tension, broken_shear;   // points of bonds that broke in this step
  IdPair first_broken;                    // the lowest pair of them
  int64_t doubtful_bonds;                 // that errors of the solution may have brought to a limit
  int64_t yielded;                        // rows of joints that yielded in this step
  int64_t broken_joints;                  // joints that broke in this step
  IdPair first_joint;                     // the lowest pair with one of them
  int64_t large;                          // bodies that moved or turned too far in this step
  uint64_t first_large;                   // the lowest of them
  int64_t false_turns;                    // bodies whose turn in this step makes their energy false
  uint64_t first_false;                   // the lowest of them
  int64_t displaced;          // bodies with nodes displaced farther than the margin of contacts
  uint64_t first_displaced;   // the lowest of them
  int64_t turned;             // cells of bodies that turn too far in their frame
  IdPair first_turned;        // the lowest of them: body, cell
  int wheels_off;             // that push and have no body below them
  int first_off;              // the lowest load of these
  bool halved;         // made again in two halves; what is counted in the step is then of both
  Convergence whole;   // of the whole step that was given up then
  Convergence solve;   // of the worse half then, but for its counts, which are of all that was done
  ImpactResult impacts;
  int correction_sweeps;
  double penetration;                // deepest overlap, m, >= 0
  double unbalanced;                 // changes of momentum over the sum of impulses (record.c)
  double undone;                     // errors of the law over the same
  double next_penetration;           // that velocities lead to in the next step, m, >= 0
  double kinetic;                    // at the end of the step, J
  vec3 momentum, angular_momentum;   // of all dynamic bodies, about the origin, N s, N m s
  double load_work, contact_work, correction_work;   // in this step, J
  double prescribed_work;                            // of prescribed bodies on the others, J
  double joint_work;         // of joints, J: springs, dampers, yielding and what the step leaves
  double joint_energy;       // of springs at the end of the step, J
  double joint_damping;      // that dampers took in this step, J
  double joint_yielding;     // that yielding took in this step, J
  double joint_separation;   // largest of what is held rigidly, at the end of the step, m
  int64_t volumes, volumes_sliding;   // rows of the volumetric law; those at the limit of friction
  int64_t stiff;          // bodies whose rows are too stiff for the step, or damped too much
  uint64_t first_stiff;   // the lowest of them
  double volume_energy;   // of layers, bristles and twists at the middle of the step, J
  double volume_damping, volume_rolling, volume_friction;   // that rows took in this step, J
  int64_t line_searches;                // energies that those of the barrier scheme asked for
  double least_gap;                     // between skins of that scheme at the end of the step, m
  double barrier_energy;                // at the end of the step, J
  double creep;                         // fastest slip of a contact of that scheme that sticks, m/s
  double elastic;                       // energy of bodies that deform at the end of the step, J
  double damping_work, scheme_work;     // of materials, of the time scheme, in this step, J
  double local_damping, mass_damping;   // works of damping in this step, J
  int64_t bodies;                       // dynamic ones at the end of the step
  double mass;                          // of these, kg
  int64_t born;                         // dynamic bodies that appeared before the step
  int64_t removed;                      // bodies that were outside the domain at its end
  vec3 correction_angular;   // angular momentum that the correction of positions added, N m s
  // of the distribution
  int64_t moved_bodies;   // changed their owner before this step, all ranks
  int64_t work;           // counted units in this step, all ranks
  double imbalance;       // of the same, largest of a rank over the mean
  int colours;
  int64_t ghosts;   // most on a rank
} StepRecord;

// Called with every problem before it is solved; must leave its impulses as they are.
typedef struct {
  void (*call)(void *context, Problem *problem, Velocities free);   // NULL: nobody
  void *context;
} ProblemHook;

// Called when the impulses of an interval are known and bodies, ghosts included, are at its middle;
// changes nothing. mid: of all rows of bodies.
typedef struct {
  void (*call)(void *context, const MidState *mid);   // NULL: nobody
  void *context;
} MiddleHook;

// Called in each interval once bodies are where the loads of the case act: adds forces of others to
// loads of own bodies, [bodies.table.owned]. On several ranks and any number of them a body gets
// the same.
typedef struct {
  void (*call)(void *context, LoadSum *loads);   // NULL: nobody
  void *context;
} LoadHook;

// Numbers that are added up over the ranks along with those of a step, at no cost of their own.
// They change nothing in it.
#define BALLOT_VOTES 6
typedef struct {
  void (*cast)(void *context, int64_t *votes);   // near the end of a step; NULL: nobody votes
  void *context;
  int64_t counted[BALLOT_VOTES];   // sums of the last step
} Ballot;

typedef struct Scheme Scheme;   // scheme.h

// What is solved at once: a whole step, or one of the halves of a step that is made again.
typedef struct {
  int number, count;   // the interval is `number`, from zero, of `count` equal ones
} Interval;

// An own body that another rank needs, since a joint ties it to one of its own.
typedef struct {
  uint64_t id;
  int rank;
} PartnerWish;

// Bodies at the other ends of joints (partners.h), as long as nobody's owner changes.
typedef struct {
  bool known;
  int wish_count;
  PartnerWish *wishes;   // [wish_count] by rank, then by id
  int wanted_count;
  uint64_t *wanted;   // [wanted_count] ids of other ranks' bodies, ascending
} Partners;

typedef struct {
  const Case *c;       // as the stage under way has it
  const Case *whole;   // with all stages
  StateStage stage;
  const Scheme *scheme;   // of the steps; NULL: the first one takes that of the case
  double reach;           // m: how much farther boxes of bodies reach for it in the interval
  BarrierSkins *skins;    // of the shapes; NULL: no barriers
  BarrierCache barrier;
  bool refused;   // the scheme cannot begin, and has said why
  ShapeSet shapes;
  SurfaceSet bases;                   // of the shapes, where the contact model asks for them
  InnerSet inner;                     // likewise, where contact.geometry does
  double *densities;                  // [materials] kg/m3
  ElasticSet elastic, half_elastic;   // of whole steps; of halves, where the case has them
  Bodies bodies;
  Contacts contacts;   // of the last step
  Joints joints;
  Nodes nodes;         // of bodies of finite elements
  Volumes volumes;     // rows of the volumetric law, of the last step
  StiffBodies stiff;   // in the last step
  bool has_space;      // joints hold bodies in space
  Partners partners;
  State state;          // the list of all tables that are state; world_state tells the rest
  int64_t step;         // steps done
  Interval interval;    // of the step under way; between steps that of a whole one
  bool shows;           // a frame follows the coming step
  int64_t next_birth;   // first step before which bodies appear that are not there yet
  Bodies removed;       // own rows: bodies that left in the last step, on rank 0
  Arena scratch;        // one step
  GraphCache graph;
  SolverMemory solver;
  ProblemHook hook;
  MiddleHook middle;
  LoadHook loading;
  const LoadSum *loaded;   // [rows] by it in the interval, of own bodies alone until there are
                           // ghosts; NULL: nobody loads them; memory of the step
  const vec3 *anchorage;   // [own rows] what holds foundations gave them in the last interval, N s;
                           // NULL: there are none; memory of the step
  Ballot ballot;
  Candidates candidates;
  Balance balance;
  Timers timers;
  StepRecord record;
  RankCounts rank;      // of this rank, at the end of the last step
  FILE *hash_log;       // on rank 0, NULL: none
  int hash_log_error;   // errno of its first write that failed, 0: none
  bool hash_stages;     // on all ranks
} World;

// Local. The world at time 0, the bodies that are there from the start, in ranges of ids
// (id_range). The case outlives it.
void world_begin(World *world, const Case *c);
void world_end(World *world);

// Local. Does a pair of materials have the volumetric law, whose rows are then state?
static inline bool world_volumes(const World *world) { return world->c->surfaces.compliant; }

// Local. The joints of the world, NULL: the case has none.
static inline Joints *world_joints(World *world)
{
  return world->c->joint_row_count > 0 ? &world->joints : NULL;
}

// Local. The state at the end of the last step: the world's own tables, the step, what the solver
// carries.
State world_state(const World *world);

// Local. Empty tables of all kinds that a world has (state_destroy).
State world_state_new(void);

// Local. Goes on from a state that a checkpoint has put into the world's tables; fills what of
// bodies follows from the case.
void world_restore(World *world, const State *state);

// Local. The next stage begins at the end of the step that is done: from here on the world has its
// keys.
void world_begin_stage(World *world);

// Local. From here on intervals are longer by that factor, and so are impulses, which the solver
// begins with.
void world_scale_impulses(World *world, double factor);

// Collective. Advances the world by one step. EXIT_DONE, or after one message EXIT_USER when the
// case asks to stop on large motions (the state is whole), EXIT_OVERFLOW when a number is not
// finite.
int world_step(World *world);

// Local. Length of the interval under way, s. It and the next function alone tell what moves bodies
// how long it takes, and which time it is.
static inline double world_interval(const World *world)
{
  assert_debug(world->interval.count > 0 && "a step is made in intervals");
  return world->c->step / world->interval.count;
}

// Local. A time within the interval under way, s; share: 0 at its start, 1 at its end.
static inline double world_time(const World *world, double share)
{
  assert_debug(world->interval.number < world->interval.count && "an interval is of a step");
  const double gone = (world->interval.number + share) / world->interval.count;
  return world->stage.first_time +
         ((double)(world->step - world->stage.first_step) + gone) * world->c->step;
}

// Local. Gravity at the middle of the interval under way, m/s2.
vec3 world_gravity(const World *world);

// Local. The interval under way as guides see it.
GuideInterval world_guide_interval(const World *world);

// Collective. Hash of the state.
Hash128 world_hash(const World *world);
