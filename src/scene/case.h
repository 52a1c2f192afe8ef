#pragma once
// What a case file says, as plain data: filled by the reader, completed by scene_prepare. Immutable
// after that.
#include <stdbool.h>
#include <stdint.h>

#include "affine.h"
#include "arena.h"
#include "barrier_settings.h"
#include "body_load.h"
#include "check.h"
#include "contact_settings.h"
#include "damping_settings.h"
#include "elastic.h"
#include "id_pair.h"
#include "inner_spheres.h"
#include "joint_rule.h"
#include "law_in_time.h"
#include "partition_settings.h"
#include "room.h"
#include "rubble.h"
#include "shape.h"
#include "size_classes.h"
#include "solver_settings.h"
#include "surface_base.h"
#include "surface_law.h"
#include "time_vector.h"
#include "vec3.h"

#define CASE_MOST_STEPS 9.0e15   // steps are counted exactly in doubles

typedef struct {
  const char *name;
  double density;   // kg/m3, > 0
  ElasticLaw elastic;
} Material;

// Motion that the case prescribes to the bodies of a group: of a point that the body carries along,
// and about it. All bodies of a group have the same.
typedef struct {
  TimeVector travel;    // velocity of the point, m/s, or its acceleration, m/s2
  TimeVector turning;   // spin, rad/s, or its rate, rad/s2, world axes
  bool accelerated;     // travel is an acceleration, from the velocity of the group on
  bool spun_up;         // turning is a rate of the spin, from the spin of the group on
  bool has_about;
  vec3 about;   // where the point is when the body appears, m; else the centre of mass
} Motion;

// Components of a velocity that the case prescribes to the bodies of a group; the others are free.
typedef struct {
  unsigned held;        // bits of guided.h, neither none nor all
  TimeVector travel;    // velocity of the centre of mass, m/s; free components count nothing
  TimeVector turning;   // spin, rad/s, world axes; likewise
} Guide;

// Gravity as a ground sees it that turns about an axis: counter-clockwise seen against it.
typedef struct {
  bool given;
  vec3 axis;              // unit
  double rate, start;     // rad/s, s
  double most;            // rad either way; infinite: it goes on
  const double *origin;   // s, from which the start counts; NULL: from 0
} Tilt;

// An acceleration of the ground: of all fixed bodies, or of the axes of the case, in which it is
// inertia that acts on all others.
typedef struct {
  bool given;
  bool is_frame;
  int line;        // of the case file, for messages
  Motion motion;   // of fixed bodies; travel is the acceleration, m/s2
} Base;

// One of the shapes that the stones of a group have, or random shapes of one kind.
typedef struct {
  ShapeRecipe shape;   // where variety is 0
  int variety;         // how many random shapes
  int corners;         // of each of them
  vec3 ratios;         // of the sides of its bounding box: x longest, y 1, z shortest
  double size;         // of random shapes where the group has no size curve, m
  double share;        // by number, in any unit
} StoneKind;

// Stones that fill a room.
typedef struct {
  Room room;         // in the coordinate frame of the group
  double fraction;   // of the room that is solid
  // set by fill_make, before scene_prepare
  int count;       // of stones
  int *shape_of;   // [count] of the group's
  vec3 *places;    // [count] of origins, m
  quat *turns;     // [count]
  int shape_count;
  ShapeRecipe *shapes;   // [shape_count]
  double solid;          // fraction that was reached, at least the one that is asked for
  double off_curve;      // share of the stones, largest difference from the size curve at a size
} Fill;

// The size of a stone is the middle side of the bounding box of its shape, in the coordinate frame
// of the shape; the diameter of a sphere, twice the middle radius of an ellipsoid.
typedef struct {
  int kind_count;
  StoneKind *kinds;
  int row_count;   // of the size curve; 0: shapes have their own sizes
  SizeRow *rows;
  bool by_number;   // shares of the curve are of numbers, otherwise of masses
  int classes;      // that the curve is cut into
  bool turned;      // every stone stands in a random orientation
  double jitter;    // GROUP_STONES: random displacement, share of the free room
  // GROUP_INLET: a rectangle in the x-y plane of the group, centred at its origin
  double width[2];   // along x, y, m
  uint64_t count;    // of stones
  double every;      // between layers, s; 0: as soon as the last one has left
  Fill *fill;        // GROUP_FILL
  // set by scene_prepare
  uint64_t stream;       // of random numbers
  double *kind_below;    // [kind_count] share of stones of this kind and those before it
  double *class_below;   // [classes] the same of classes of size
  int *first_shape;      // [kind_count] number of its first shape in the group
  double *reach;         // [shapes of the group] radius of the sphere about the origin, m
  double pitch;          // diameter of the sphere about the largest stone, m
  int64_t cells[2];      // of a layer of an inlet, along x, y
  double layer_time;     // of an inlet from one layer to the next: whole steps, s
} Stones;

typedef enum {
  GROUP_BODY,
  GROUP_GRID,
  GROUP_MESH,
  GROUP_WALL,
  GROUP_ARCH,
  GROUP_STONES,      // on a lattice
  GROUP_INLET,       // stones that appear in layers
  GROUP_FILL,        // stones that are packed into a room
  GROUP_RUBBLE,      // stones that fit each other
  GROUP_STRUCTURE,   // stones of a structure
} GroupKind;

// A body of a file in pieces, each a body of the entry.
typedef struct {
  uint64_t first, end;          // numbers of these
  const FinitePieces *pieces;   // NULL: it is whole, and one body
  const vec3 *arm;              // [end - first] centre of mass of each from that of the whole, m
} FileBody;

// How the bodies of an entry are cut into pieces, blocks of their cells (finite_blocks.h) or
// neighbours in their mesh (finite_pieces.h), and what holds these together.
typedef struct {
  int blocks[3];                       // along each axis of the cells; zeros: they are whole
  int most_nodes;                      // of a piece
  bool asked;                          // for by a key
  double cohesion, tensile_strength;   // Pa; infinite: nothing parts them
  int file_count;                      // bodies of a file, some of them in pieces; 0: none is
  const FileBody *file;                // [file_count]
} BodyCuts;

// An entry of the list of bodies: one body or a generator; or a part of an entry, whose bodies have
// keys of their own. Parts of an entry follow each other, and their bodies ascend.
typedef struct {
  GroupKind kind;
  const char *name;    // of the body or group; "" when the file gives none
  const char *maker;   // the key of the file that makes it; NULL: no file does
  int line;            // of the case file, for messages
  int material;        // index
  bool fixed;
  bool container;            // it is fixed unless its keys say otherwise
  bool affine;               // its dynamic bodies deform as a whole
  ElasticMesh finite;        // or by these finite elements
  const FiniteMesh *cells;   // [shapes of the group] of its file, where `finite` asks for these
  BodyCuts cuts;             // pieces of its bodies, each a body
  const Motion *motion;      // NULL: none is prescribed
  const Guide *guide;        // NULL: no component is prescribed, or all are
  int load_span_count;
  const LoadSpan *load_spans;   // [load_span_count] of bodies that loads act on, ascending
  vec3 at;                      // where the origin of the shape or of the generator goes, m
  quat turn;                    // of all the group makes, about that origin
  vec3 velocity, spin;   // of every body at its birth: centre of mass, world axes, m/s, rad/s
  double birth;          // when its bodies appear, s
  ShapeRecipe shape;     // GROUP_BODY and GROUP_GRID
  // GROUP_MESH, GROUP_STRUCTURE: the bodies of a file or a structure, each where that has it
  int solid_count;
  const ShapeRecipe *solids;   // [solid_count]
  // GROUP_GRID and GROUP_STONES: copies along the axes, the first at the origin; ids run fastest
  // along x
  int count[3];
  vec3 spacing;   // between origins of neighbours, m
  // GROUP_WALL: running bond from the origin along x, rising along z, centred in y
  int courses, bricks;   // bricks: whole bricks in an even course
  vec3 brick;            // pitch: length with its head joint, thickness, height, m
  double joint;          // open head joint, m
  // GROUP_ARCH: ring in the x-z plane, symmetric about +z, centre at the origin, axis along y
  int voussoirs;
  double radius, thickness, width;   // centre line, radial, along y, m
  double embrace;                    // opening angle, rad (pi: semicircle)
  bool supports;                     // fixed springer blocks at both ends, ids after the voussoirs'
  Stones *stones;                    // GROUP_STONES, GROUP_INLET and GROUP_FILL
  const Rubble *rubble;              // GROUP_RUBBLE
  const char *const *member_names;   // [bodies of the entry] "" where file or structure give none;
                                     // NULL: none has one
  const bool *member_fixed;          // [bodies of the entry] supports of file or structure, or NULL
  int part_count;                    // groups that the entry became; 0: this one alone
  int part;                          // number among them
  uint64_t part_begin, part_end;     // bodies of the entry that are in it
  // set by scene_prepare
  int entry;   // in the list of bodies
  uint64_t first_id, body_count;
  int first_shape, shape_count;
} BodyGroup;

// Local. Do its dynamic bodies deform?
static inline bool group_deforms(const BodyGroup *group)
{
  assert_debug(group->material >= 0 && "a group has a material");
  return group->affine || elastic_mesh_is(&group->finite);
}

// Local. Are its bodies foundations: held at faces, by which the case moves them?
static inline bool group_founded(const BodyGroup *group)
{
  assert_debug((group->finite.held == 0 || group->finite.cells[0] > 0) && "faces are of cells");
  return group->finite.held != 0;
}

// Local. In how many blocks is each of its bodies?
static inline int group_pieces(const BodyGroup *group)
{
  const int *blocks = group->cuts.blocks;
  assert_debug(blocks[0] >= 0 && blocks[1] >= 0 && blocks[2] >= 0 && "blocks are counted");
  return blocks[0] > 0 ? blocks[0] * blocks[1] * blocks[2] : 1;
}

// Local. Are some of its bodies in pieces? In how many is its only body; 1: it is whole, or there
// are others?
static inline bool group_is_cut(const BodyGroup *group)
{
  assert_debug(group->cuts.file_count >= 0 && "bodies are counted");
  return group_pieces(group) > 1 || group->cuts.file_count > 0;
}
static inline int group_pieces_of_one(const BodyGroup *group)
{
  assert_debug(group->cuts.file_count >= 0 && "bodies are counted");
  return group->cuts.file_count == 1 ? (int)group->cuts.file[0].end : group_pieces(group);
}

// Local. Does the case alone move its bodies, of which none yields?
static inline bool group_led(const BodyGroup *group)
{
  assert_debug((!group->fixed || !group->motion) && "what is fixed has no motion");
  return (group->fixed || group->motion) && !group_founded(group);
}

typedef enum {
  JOINT_BALL,     // a point of both bodies
  JOINT_HINGE,    // the same, and an axis of both
  JOINT_SLIDER,   // one moves along an axis of the other and does not turn against it
  JOINT_WELD,     // nothing moves
  JOINT_ROD,      // the distance of two points is kept
  JOINT_CABLE,    // it does not grow
  JOINT_STRUT,    // it does not shrink
  JOINT_PIN,      // a point of the first moves along an axis of the second
  JOINT_ROLLER,   // a point of the first moves in a plane of the second
  JOINT_TIE,      // a bar between two points: stiffness, pretension, tension alone if asked
  JOINT_SPRING,   // a spring with a damper between two points
  JOINT_DOWEL,    // a point of both bodies, held along an axis and across it by stiffness, limits
  JOINT_SERVO,    // the first goes no faster than it may along the axis, either way
  JOINT_KIND_COUNT
} JointKind;

// A body that a joint holds on to.
typedef struct {
  int group;        // number of the entry in the list of bodies; -1: space, which does not move
  uint64_t index;   // of the body in the entry
  bool by_place;    // it is cut, and the piece at the place is meant; until scene_prepare
} JointEnd;

// An entry of the list of joints, as the file gives it; what a kind has no use for is zero.
typedef struct {
  JointKind kind;
  const char *name;   // "" when the file gives none
  int line;           // of the case file, for messages
  JointEnd ends[2];   // in the order of the file; axes are fixed in the second one, or in space
  vec3 places[2];     // of the points when the bodies appear, world axes, m; one place: twice
  vec3 axis;          // from the second body to the first, world axes: normal of a roller's plane;
                      // of any length but zero, zero for a line
  double tension, push, shear;          // limits, N; infinite where none is given
  double stiffness[JOINT_DIRECTIONS];   // N/m; infinite: rigid
  double damping[JOINT_DIRECTIONS];     // N s/m
  double pretension;                    // N
  double speed;                         // of a servo, m/s; else 0
  double length;   // of a line without elongation, m; negative: that at the start
  bool breaks;     // at a limit; else it yields
  bool passes;     // the two bodies do not touch each other
  // set by scene_prepare
  int first_row, row_count;   // among the rows of all joints
} Joint;

// A body that is to give a force to what it touches; a joint of the case limits its speed.
typedef struct {
  JointEnd on;        // the body
  int line;           // of the case file, for messages
  int axis;           // 0 x, 1 y, 2 z of the world
  double sign;        // 1: what it presses lies against the axis, -1: along it
  TimeVector force;   // its x, N, or Pa with an area
  bool is_pressure;   // else it is a force, and the area 1
  double area;        // m2
  double speed;       // at most, either way, m/s
  int stage_line;     // of the entry of a stage that gives the force; 0: it is the case's
  uint64_t id;        // of the body; set by scene_prepare
} Servo;

// A point that a joint holds (joints.h), as the last of its bodies appears.
typedef struct {
  IdPair bodies;            // lower id first; BODIES_SPACE: space
  int64_t begin;            // step before which that is
  vec3 place, place_high;   // of the two bodies' points, world axes, m
  vec3 normal;              // unit, world axes
  double length;            // of a line without elongation, m
} JointRow;

// How far the joint between two bodies may open.
typedef struct {
  JointEnd ends[2];
  double most;   // m; 0: it is not looked at
} OpeningLimit;

// What contacts of some bodies with others may bear in all.
typedef struct {
  BodySelection on;
  double most;   // N; 0: it is not looked at
} ForceLimit;

// What ends a run or a stage before its time; 0: nothing by that.
typedef struct {
  bool given;
  double time;            // s, that a stage takes: it holds
  double unbalanced;      // forces over all forces: at rest below it
  double displacement;    // m, from where the case puts a body: failed beyond it
  double energy;          // J, kinetic: failed beyond it
  OpeningLimit opening;   // failed beyond it, of stages
  ForceLimit force;       // likewise
  int unconverged;        // steps: nothing is decided from so many on
  int every;              // steps between looks
  BodySelection on;       // whose displacement counts
} UntilSettings;

// Where dynamic bodies are kept: one whose centre of mass leaves it is removed.
typedef struct {
  bool given;       // else everywhere
  vec3 low, high;   // m
} DomainSettings;

// What frames tell beside the tables of the state, as bits.
enum {
  FRAME_FORCE = 1,   // of contacts
  FRAME_PRESSURE = 2,
  FRAME_SLIP = 4,
  FRAME_STATUS = 8,
  FRAME_DISPLACEMENT = 16,   // of bodies
  FRAME_ROTATION = 32,
  FRAME_VOLUME = 64,
  FRAME_STRESS = 128,
  FRAME_COORDINATION = 256,
  FRAME_NAME = 512,
  FRAME_INTERFACES = 1024,   // tables of their own
  FRAME_CHAINS = 2048,
  FRAME_ALL = 4095
};

// What is told of a probe at every step.
typedef enum {
  PROBE_DISPLACEMENT,   // of a place of a body
  PROBE_REACTION,       // of some bodies on all others
  PROBE_RESULTANT,      // of some bodies on some others
  PROBE_PLANE,          // of the bodies below a plane on those above it
  PROBE_OPENING,        // of the joint between two bodies
  PROBE_STRESS,         // mean in a box
  PROBE_POROSITY,       // of a box
  PROBE_SUPPORT         // of the ground on foundations
} ProbeKind;

typedef struct {
  const char *name;   // of its columns
  int line;           // of the case file, for messages
  ProbeKind kind;
  JointEnd ends[2];      // the body of a displacement; the two of an opening
  BodySelection on[2];   // the bodies of a reaction; those of a resultant, which acts on the first
  bool has_at;
  vec3 at, normal;   // place of a displacement or a plane, m; the plane's unit normal
  vec3 low, high;    // corners of a box, m
} ProbeSettings;

// What a run writes beside its history, and when.
typedef struct {
  double frame_every;          // s; 0: no frames
  unsigned frame_fields;       // FRAME_...
  int checkpoint_steps;        // between checkpoints; 0: none by steps
  double checkpoint_minutes;   // of wall time, likewise; one at the end in any case
  int probe_count;
  ProbeSettings *probes;   // [probe_count] of the case, the same in all stages
  int ranks_every;         // steps of a record of what the ranks count; 0: none
} OutputSettings;

// Steps that bodies bear: the shortest of a bound of all of them.
typedef struct {
  double step;   // s; 0: no body has such a bound
  int group;     // of the body that it is of
} CriticalStep;

typedef struct Case Case;
struct Case {
  const char *path, *text;   // the file and what it says, overrides applied apart
  const char *overrides;     // one "key=value" a line, "" when none
  const char *mesh_notes;    // what to know of its meshes, a line each, "" when nothing was
  const char *meshes;        // what its meshes and records hold, a line each, "" when it has none
  const char *title;
  uint64_t seed;        // of all random numbers
  TimeVector gravity;   // m/s2, without tilt and base (ground.h)
  Tilt tilt;
  Base base;
  DampingSettings damping;
  double step, end;   // s
  UntilSettings until;
  // of cases with stages: each is the case with the keys that the stage has in place of those of
  // the case, and no world uses the case itself
  int stage_count;
  Case *stages;             // [stage_count]
  const char *stage_name;   // of one of them; NULL: it is none
  int stage_line;           // of the case file, for messages
  double *origin;   // when it begins, s: its functions of time count from there; NULL: from 0
  const struct Case *shaken;     // the stage whose base moved bodies last, up to this one, or NULL;
                                 // set by scene_prepare
  double high_frequency_ratio;   // of the time scheme of bodies that deform
  bool deforms;                  // some bodies do
  bool founded;                  // some bodies are foundations
  int material_count;
  Material *materials;
  SurfaceLaws surfaces;                         // between materials; at the start where they change
  CriticalStep critical_least, critical_most;   // of the volumetric law, by the smallest and the
                                                // largest faces of bodies
  int law_change_count;
  LawInTime *law_changes;   // [law_change_count] what of them changes in time
  int group_count;
  BodyGroup *groups;
  int load_count;
  BodyLoad *loads;
  int wheel_count;    // loads that are wheels
  int motion_count;   // groups with a prescribed motion, and the base
  int guide_count;    // groups with a guide
  int joint_count;
  Joint *joints;   // those of servos come last
  int servo_count;
  Servo *servos;
  SolverSettings solver;
  CorrectionSettings correction;
  BarrierSettings barrier;
  ContactSettings contact;
  PartitionSettings partition;
  DomainSettings domain;
  OutputSettings output;
  // set by scene_prepare
  uint64_t body_count;
  double *densities;          // [material_count]
  ElasticLaw *elastic_laws;   // [material_count]
  int shape_count;
  ShapeRecipe *shapes;           // of all groups, in order
  ElasticMesh *elastic_meshes;   // [shape_count] their finite elements; NULL: no body has any
  int joint_row_count;
  JointRow *joint_rows;     // of all joints, in order
  JointRule *joint_rules;   // [joint_row_count] what they hold
  const int *joint_order;   // [joint_row_count] rows by the step before which they begin
  int pass_count;
  IdPair *passes;   // bodies that do not touch each other, ascending, none twice
  // made where a rank checks its share of the shapes, for the model lmd
  const SurfaceBase **bases;    // [shape_count] surfaces of these; NULL: another rank's, or none
  const InnerSpheres **inner;   // [shape_count] likewise, where contact.geometry asks for spheres
  Arena *arena;                 // owns everything above
};
