// Scenes for the solvers: walls, stacks, rubble, what deforms, what falls and heaps.
#include "solver_scenes.h"

#define SCENE_HEAD                                                           \
  "units: SI\ngravity: [0, 0, -9.81]\nmaterials: {stone: {density: 2400}}\n" \
  "contacts: [{between: [stone, stone], friction: 0.6}]\n"                   \
  "solver: {tolerance: 1e-8, max_sweeps: 20000}\n"
#define SCENE_FLOOR \
  "  - {box: [400, 400, 1], at: [0, 0, -0.5], material: stone, fixed: true, name: floor}\n"

// bricks of one size in every other of 50 courses
#define COURSES(size, count, at)                                                                  \
  "  - {grid: {box: [" size ", 0.2], count: [" count ", 25], spacing: [0.4, 0.2, 0.4]}, at: [" at \
  "], material: stone}\n"

// a tower of 21 blocks with a dowel in each of its joints
#define TOWER(name, x)                                                                  \
  "  - {grid: {box: [0.4, 0.2, 0.2], count: [1, 1, 21], spacing: [1, 1, 0.2]}, at: [" x \
  ", 0, 0.1], material: stone, name: " name "}\n"
#define DOWELS(name, x)                                                       \
  "  - {dowel: [" x ", 0, 0.2], axis: [0, 0, 1], between: [" name ".1, " name \
  ".0], stiffness: {normal: 1e7, shear: 1e8}, repeat: {count: 20, spacing: [0, 0, 0.2]}}\n"
#define OF_ALL_TOWERS(what)                                                                \
  what("a", "0") what("b", "0.405") what("c", "0.81") what("d", "1.215") what("e", "1.62") \
      what("f", "2.025") what("g", "2.43") what("h", "2.835") what("i", "3.24") what("j", "3.645")

// the wall of 210 blocks, which deform
#define ELASTIC_WALL(poisson, elastic)                                           \
  "units: SI\ngravity: [0, 0, -9.81]\n"                                          \
  "materials: {stone: {density: 2400, young: 1e10, poisson: " poisson "}}\n"     \
  "contacts: [{between: [stone, stone], friction: 0.6}]\n"                       \
  "solver: {tolerance: 1e-8, max_sweeps: 20000}\n"                               \
  "time: {step: 1e-3, end: 1}\nbodies:\n" SCENE_FLOOR                            \
  "  - {wall: {courses: 20, bricks: 10, brick: [0.4, 0.2, 0.2], joint: 0.002}, " \
  "material: stone, elastic: " elastic "}\n"

// steel and stones; the floor of a heap
#define HEAP_MATERIALS                                                              \
  "units: SI\ngravity: [0, 0, -9.81]\nseed: 1\n"                                    \
  "materials: {stone: {density: 2600}, steel: {density: 7800}}\n"                   \
  "contacts: [{between: [stone, stone], friction: 0.6}, {between: [stone, steel], " \
  "friction: 0.4}]\n"                                                               \
  "solver: {method: gauss-seidel, tolerance: 1e-3, max_sweeps: 400}\n"              \
  "time: {step: 1e-3, end: 10}\nbodies:\n"                                          \
  "  - {box: [20, 20, 0.2], at: [0, 0, -0.1], material: steel, fixed: true}\n"
#define SIDE(size, at, how) "  - {box: [" size "], at: [" at "], material: steel, " how "}\n"
#define STONES(count, x, y, z)                                                         \
  "  - stones:\n"                                                                      \
  "      shapes:\n"                                                                    \
  "        - {random: {points: 12, ratios: [1, 0.8, 0.6], variety: 12}, share: 6}\n"   \
  "        - {random: {points: 10, ratios: [1, 0.9, 0.4], variety: 8}, share: 3}\n"    \
  "        - {wedge: [1, 1, 0.8], share: 1}\n"                                         \
  "      sizes: {table: [[0.13, 0], [0.16, 1]], by: mass, classes: 6}\n"               \
  "      lattice: {count: [" count "], spacing: [0.276, 0.276, 0.276], jitter: 0.8}\n" \
  "    at: [" x ", " y ", " z "]\n    material: stone\n"
#define FIXED "fixed: true"

// four sides of a box: length of two of them and of the others, how far out, height and its middle
#define SIDES(inner, outer, far, height, middle, how)          \
  SIDE("0.2, " inner ", " height, far ", 0, " middle, how)     \
  SIDE("0.2, " inner ", " height, "-" far ", 0, " middle, how) \
  SIDE(outer ", 0.2, " height, "0, " far ", " middle, how)     \
  SIDE(outer ", 0.2, " height, "0, -" far ", " middle, how)
#define NARROW_SIDES(height, middle, how) SIDES("1.9", "2.3", "1.06", height, middle, how)
#define STONES_OVER_NARROW STONES("7, 7, 21", "-0.828", "-0.828", "0.15")

// from 1.6 s on by 0.1 m/s
#define MOVES "motion: {velocity: {table: [[1.5, 0, 0, 0], [1.6, 0.1, 0, 0]]}}"

static const SolverScene scenes[SOLVER_SCENES] = {
    {"wall-210", 3, 1, 1, false, false,
     SCENE_HEAD "time: {step: 1e-3, end: 1}\nbodies:\n" SCENE_FLOOR
                "  - {wall: {courses: 20, bricks: 10, brick: [0.4, 0.2, 0.2], joint: 0.002}, "
                "material: stone}\n"},
    {"stack-1000", 3, 1, 1, false, false,
     SCENE_HEAD "time: {step: 1e-3, end: 1}\nbodies:\n" SCENE_FLOOR
                "  - {grid: {box: [0.1, 0.1, 0.1], count: [10, 10, 10], spacing: [0.105, 0.105, "
                "0.1]}, at: [0, 0, 0.05], material: stone}\n"},
    {"wall-100", 3, 1, 1, false, false,
     SCENE_HEAD "time: {step: 1e-3, end: 1}\nbodies:\n" SCENE_FLOOR
                "  - {wall: {courses: 100, bricks: 20, brick: [0.4, 0.2, 0.2], joint: 0.002}, "
                "material: stone}\n"},
    {"rubble", 400, 1, 1, false, false,
     SCENE_HEAD "time: {step: 2e-3, end: 10}\nseed: 1\nbodies:\n" SCENE_FLOOR
                "  - {box: [0.2, 1.8, 1], at: [0.8, 0, 0.5], material: stone, fixed: true}\n"
                "  - {box: [0.2, 1.8, 1], at: [-0.8, 0, 0.5], material: stone, fixed: true}\n"
                "  - {box: [1.4, 0.2, 1], at: [0, 0.8, 0.5], material: stone, fixed: true}\n"
                "  - {box: [1.4, 0.2, 1], at: [0, -0.8, 0.5], material: stone, fixed: true}\n"
                "  - stones:\n"
                "      shapes: [{random: {points: 12, ratios: [1, 0.8, 0.6], variety: 12}}]\n"
                "      sizes: {table: [[0.08, 0], [0.12, 0.5], [0.16, 1]]}\n"
                "      lattice: {count: [5, 5, 12], spacing: [0.24, 0.24, 0.24], jitter: 0.5}\n"
                "    at: [-0.48, -0.48, 0.15]\n    material: stone\n"},
    {"wall-affine", 3, 1, 1, false, false, ELASTIC_WALL("0", "affine")},
    {"wall-poisson", 3, 1, 1, true, false, ELASTIC_WALL("0.2", "affine")},
    {"wall-elastic", 3, 1, 1, true, false, ELASTIC_WALL("0.2", "{cells: [4, 2, 2]}")},
    {"wall-joints", 3, 1, 1, false, false,
     SCENE_HEAD "time: {step: 1e-3, end: 1}\nbodies:\n" SCENE_FLOOR OF_ALL_TOWERS(
         TOWER) "joints:\n" OF_ALL_TOWERS(DOWELS)},
    // 66,425 bricks of 50 courses, bonded along and across, joints of 2 mm: a million points
    {"wall-million", 1, 1, 1, true, false,
     SCENE_HEAD "time: {step: 1e-3, end: 1}\nbodies:\n" SCENE_FLOOR
         // odd courses: whole bricks
         COURSES("0.398, 0.198", "80, 16", "0.2, 0.1, 0.1")
     // even courses: whole ones, halves at the ends; then the bricks of the two faces alike
     COURSES("0.398, 0.198", "79, 15", "0.4, 0.2, 0.3")
         COURSES("0.198, 0.198", "1, 15", "0.1, 0.2, 0.3")
             COURSES("0.198, 0.198", "1, 15", "31.9, 0.2, 0.3")
                 COURSES("0.398, 0.098", "79, 1", "0.4, 0.05, 0.3")
                     COURSES("0.198, 0.098", "1, 1", "0.1, 0.05, 0.3")
                         COURSES("0.198, 0.098", "1, 1", "31.9, 0.05, 0.3")
                             COURSES("0.398, 0.098", "79, 1", "0.4, 3.15, 0.3")
                                 COURSES("0.198, 0.098", "1, 1", "0.1, 3.15, 0.3")
                                     COURSES("0.198, 0.098", "1, 1", "31.9, 3.15, 0.3")},
    {"wall-tilted", 60, 10, 20, true, true,
     "units: SI\ngravity: [4.4145, 0, -9.81]\nmaterials: {stone: {density: 2400}}\n"
     "contacts: [{between: [stone, stone], friction: 0.6}]\n"
     "solver: {tolerance: 1e-6}\n"
     "time: {step: 1e-3, end: 1}\nbodies:\n" SCENE_FLOOR
     "  - {wall: {courses: 20, bricks: 10, brick: [0.4, 0.2, 0.2], joint: 0.002}, "
     "material: stone}\n"},
    {"arch-falling", 1000, 10, 200, true, true,
     "units: SI\ngravity: [0, 0, -9.81]\nmaterials: {stone: {density: 2400}}\n"
     "contacts: [{between: [stone, stone], friction: 0.5}]\n"
     "solver: {tolerance: 1e-6}\n"
     "time: {step: 1e-3, end: 5}\nbodies:\n"
     "  - {arch: {voussoirs: 27, radius: 10, thickness: 1.02, width: 5}, material: stone}\n"
     "  - {box: [40, 20, 1], at: [0, 0, -1.52], material: stone, fixed: true}\n"},
    {"heap-falling", 500, 10, 30, true, true,
     HEAP_MATERIALS NARROW_SIDES("1.5", "0.75", FIXED) STONES_OVER_NARROW},
    {"heap-settling", 900, 10, 30, true, true,
     HEAP_MATERIALS NARROW_SIDES("1.5", "0.75", FIXED) STONES_OVER_NARROW},
    {"heap-resting", 1800, 10, 30, true, true,
     HEAP_MATERIALS NARROW_SIDES("1.5", "0.75", FIXED) STONES_OVER_NARROW},
    {"heap-sheared", 1800, 10, 30, true, true,
     HEAP_MATERIALS NARROW_SIDES("0.4", "0.2", FIXED) NARROW_SIDES("1.1", "0.95", MOVES)
         STONES_OVER_NARROW},
    {"heap-10000", 900, 3, 50, true, true,
     HEAP_MATERIALS SIDES("5.8", "6.2", "2.99", "1.5", "0.75", FIXED)
         STONES("21, 21, 23", "-2.76", "-2.76", "0.15")},
    {"fill-over-arch", 1300, 10, 30, true, true,
     HEAP_MATERIALS
     "  - {arch: {voussoirs: 21, radius: 2.4, thickness: 0.36, width: 1}, material: stone}\n" SIDE(
         "0.2, 1.4, 6", "3.1, 0, 3", FIXED) SIDE("0.2, 1.4, 6", "-3.1, 0, 3", FIXED)
         SIDE("6, 0.2, 6", "0, 0.6, 3", FIXED) SIDE("6, 0.2, 6", "0, -0.6, 3", FIXED)
             STONES("21, 3, 21", "-2.76", "-0.276", "2.9")},
};

const SolverScene *solver_scenes(void) { return scenes; }
