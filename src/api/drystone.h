#pragma once
// The library drystone: worlds of contacting bodies, which a program of yours makes, steps, reads,
// changes and loads. It is the only header that is installed.
//
//   DrystoneCase *c;
//   DrystoneWorld *world;
//   DrystoneSetup setup = drystone_setup();
//   bool goes_on = true;
//   drystone_begin();
//   drystone_case_read("arch.yaml", &c);
//   drystone_world_begin(c, &setup, &world);
//   while (goes_on && drystone_world_step(world, &goes_on) == DRYSTONE_DONE) continue;
//   drystone_world_end(world);
//   drystone_case_free(c);
//   drystone_end();
//
// Functions return a DrystoneCode and leave what they were to give alone where that is not
// DRYSTONE_DONE; drystone_error() then says why. Units are SI, axes those of the case. A Collective
// function is called by all ranks of a world (of all processes where no world is named), alike; a
// Local one by any. Worlds are independent: a process may have any number, on any communicators,
// and step them in any order. One thread at a time calls the library.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DRYSTONE_API __attribute__((visibility("default")))

// What functions return: the exit codes of the program.
typedef enum {
  DRYSTONE_DONE = 0,
  DRYSTONE_USER = 2,            // a case, a file name, an argument or an order of calls is wrong
  DRYSTONE_NOT_CONVERGED = 3,   // of cases that ask for the end then
  DRYSTONE_IO = 4,              // a file cannot be read or written
  DRYSTONE_OVERFLOW = 5,        // the motion left the range of numbers
  DRYSTONE_BUG = 70,            // the library has met what it holds to be impossible
  DRYSTONE_MEMORY = 71,         // there is none left
  DRYSTONE_STOPPED = 85         // a file STOP or the limit of wall time has ended the world
} DrystoneCode;

// Local. "0.2.0"
DRYSTONE_API const char *drystone_version(void);

// Local. Why the last function that failed on this rank did: lines without a newline at the end,
// valid until the next one fails; "" where none has.
DRYSTONE_API const char *drystone_error(void);

// Collective over all processes. Before everything else but cases, which need no message passing.
// MPI is started where the caller has not done so, and ended by drystone_end then. Every call needs
// an end; calls may nest. No signal is taken.
DRYSTONE_API int drystone_begin(void);
DRYSTONE_API int drystone_end(void);

// ------------------------------------------------------------------------------------------------
// Cases: what a world is made of, as a file has it, or a text, or calls. A world copies what it
// needs: a case may be freed or changed once the world has begun.

typedef struct DrystoneCase DrystoneCase;

// Local. A case file, which is read when a world begins.
DRYSTONE_API int drystone_case_read(const char *path, DrystoneCase **made);
// Local. A text in the language of case files. name: in messages; paths of meshes count from its
// folder.
DRYSTONE_API int drystone_case_parse(const char *text, const char *name, DrystoneCase **made);
// Local. One that is built by the calls below; SI units, nothing in it.
DRYSTONE_API int drystone_case_new(DrystoneCase **made);
// Local. NULL is fine.
DRYSTONE_API void drystone_case_free(DrystoneCase *c);

// Local. A key of the case and its value in YAML, one line, as `--set` takes them: "time.step",
// "1e-3"; "gravity", "[0, 0, -9.81]"; "bodies.0.fixed", "true". A value replaces what the key had.
DRYSTONE_API int drystone_case_set(DrystoneCase *c, const char *key, const char *value);
DRYSTONE_API int drystone_case_set_number(DrystoneCase *c, const char *key, double value);

// Local. Of cases that are built, as all below: one more entry of a list ("bodies", "contacts",
// "joints", "loads", "servos", "stages", "output.probes") in YAML, one line: "{between: [stone,
// stone], friction: 0.6}".
DRYSTONE_API int drystone_case_add(DrystoneCase *c, const char *list, const char *entry);

// Local. density: kg/m3, > 0.
DRYSTONE_API int drystone_case_add_material(DrystoneCase *c, const char *name, double density);
// Local. Coulomb's coefficient between two materials.
DRYSTONE_API int drystone_case_add_contact(DrystoneCase *c, const char *one, const char *other,
                                           double friction);

// A body, but for its shape. Zeros and NULL are what a key that is left out means.
typedef struct {
  const char *name;
  const char *material;
  double at[3];                  // where the origin of the shape is, m
  double axis[3], angle;         // about which it is turned, counter-clockwise, degrees
  double velocity[3], spin[3];   // of its centre of mass, m/s; rad/s, axes of the case
  bool fixed;
} DrystoneBody;

// Local. Bodies get ids in the order of calls, from 0: sides of a box, about its centre; radius of
// a sphere; radii of an ellipsoid; corners [count] of a convex body. m.
DRYSTONE_API int drystone_case_add_box(DrystoneCase *c, const DrystoneBody *body,
                                       const double sides[3]);
DRYSTONE_API int drystone_case_add_sphere(DrystoneCase *c, const DrystoneBody *body, double radius);
DRYSTONE_API int drystone_case_add_ellipsoid(DrystoneCase *c, const DrystoneBody *body,
                                             const double radii[3]);
DRYSTONE_API int drystone_case_add_hull(DrystoneCase *c, const DrystoneBody *body,
                                        const double (*corners)[3], int count);

// Local. The text of a case file that says the same, valid until the case changes; of cases that
// are built or parsed, without what drystone_case_set has put over entries of lists and over a
// text.
DRYSTONE_API int drystone_case_text(DrystoneCase *c, const char **text);

// ------------------------------------------------------------------------------------------------
// Worlds

typedef struct DrystoneWorld DrystoneWorld;

enum { DRYSTONE_LINE, DRYSTONE_PROGRESS, DRYSTONE_WARNING, DRYSTONE_ERROR };   // messages

// What happens on a rank that cannot go on (DRYSTONE_BUG, DRYSTONE_MEMORY).
typedef enum {
  DRYSTONE_FATAL_RETURNS,   // the function returns the code on that rank; the world is of no use
                            // any more, and its memory stays. Other ranks may wait for this one for
                            // ever: a caller on several ranks ends the job, as by MPI_Abort
  DRYSTONE_FATAL_ENDS_JOB,   // MPI_Abort on all processes, after a message
} DrystoneFatal;

// How a world is made. Begin with drystone_setup(), which knows what later versions add.
typedef struct {
  size_t size;                // of this struct, as the caller knows it
  const void *communicator;   // an MPI_Comm of its ranks, by address, which is copied; NULL: all
                              // processes
  const char *folder;     // of results, as of `drystone run -o`; NULL: no files; "": results/NAME
                          // for NAME.yaml
  bool restart;           // goes on from the last checkpoint in the folder, if there is one
  bool overwrite;         // replaces results in the folder
  int64_t steps;          // the last step, counted from the start of the case; -1: by time.end
  int64_t stages;         // it ends once so many stages have; 0: with the last one
  double max_wall;        // s since drystone_begin until which it ends; 0: no limit
  const char *hash_log;   // file of hashes by step and stage; NULL: none
  int64_t dump_problem;   // step whose contact problem is written; 0: none
  int allow_count;
  const char *const *allow;   // [allow_count] keys that a restart may find changed
  void (*say)(void *context, int level,
              const char *text);   // gets messages, on rank 0; NULL: nobody
  void *context;
  DrystoneFatal fatal;
} DrystoneSetup;

static inline DrystoneSetup drystone_setup(void)
{
  DrystoneSetup setup;
  memset(&setup, 0, sizeof setup);
  setup.size = sizeof setup;
  setup.steps = -1;
  return setup;
}

// Collective. The first state, or that of a checkpoint; files as the case asks for them. setup:
// NULL as drystone_setup() says.
DRYSTONE_API int drystone_world_begin(const DrystoneCase *c, const DrystoneSetup *setup,
                                      DrystoneWorld **made);

// Collective. One step, and the files that are due after it. goes_on: another one follows; without
// one this does nothing. After a failure only drystone_world_end is left.
DRYSTONE_API int drystone_world_step(DrystoneWorld *world, bool *goes_on);

// Collective. The last checkpoint and the end of all files, at any step; frees the world whatever
// it returns. DRYSTONE_STOPPED where a stop has ended it; NULL is fine.
DRYSTONE_API int drystone_world_end(DrystoneWorld *world);

// Collective. A checkpoint now; DRYSTONE_USER for a world without a folder.
DRYSTONE_API int drystone_world_checkpoint(DrystoneWorld *world);

// Local. Seconds at the end of the last step; steps since the start of the case.
DRYSTONE_API double drystone_world_time(const DrystoneWorld *world);
DRYSTONE_API int64_t drystone_world_steps(const DrystoneWorld *world);

// Collective. Hash of the state, 32 digits and a zero: the same on any number of ranks, and as the
// program prints it.
DRYSTONE_API int drystone_world_hash(DrystoneWorld *world, char text[33]);

// Local. A column of history.csv after the last step, by its name ("kinetic_energy", "sweeps");
// the same on all ranks.
DRYSTONE_API int drystone_world_number(const DrystoneWorld *world, const char *name, double *value);

// Local. The rank of this process in the world, from 0, and how many there are; 0 where it cannot
// be asked.
DRYSTONE_API int drystone_world_rank(const DrystoneWorld *world);
DRYSTONE_API int drystone_world_ranks(const DrystoneWorld *world);

// Collective. The largest of a number that each rank has, on all of them: what one rank finds in
// its rows, and others have to know. No rank's number is NaN.
DRYSTONE_API int drystone_world_largest(DrystoneWorld *world, double own, double *largest);

// Bodies of this rank where the loads of a step act: at its middle, with velocities of its start.
typedef struct {
  int64_t count;
  const uint64_t *ids;               // [count], ascending
  const double (*positions)[3];      // [count] of centres of mass, m
  const double (*orientations)[4];   // [count] w x y z, body to world
  const double (*velocities)[3];     // [count] m/s
  const double (*spins)[3];          // [count] rad/s
  const double *masses;              // [count] kg
  const int32_t *drives;             // [count] 0 dynamic, 1 fixed, 2 prescribed
  double time, step;                 // of the middle, s; length, s
} DrystoneLoaded;

// A function of yours that adds force (N) and torque about the centre of mass (N m), world axes, to
// loads [count][6], which begin with zeros. What it gives a body must follow from that body and
// from what all ranks know, so that it is the same wherever the body is. It may be called several
// times a step (steps that are halved), and not at all on a rank without bodies of its own. Of the
// library it may call Local functions that read.
typedef void DrystoneLoads(void *context, const DrystoneLoaded *bodies, double (*loads)[6]);

// Local, on all ranks alike. Adds loads of yours to those of the case from the next step on; NULL:
// no more. They count in load_work. Loads on bodies that are not dynamic do nothing. A restart does
// not know them.
DRYSTONE_API int drystone_world_load_by(DrystoneWorld *world, DrystoneLoads *loads, void *context);

// ------------------------------------------------------------------------------------------------
// Rows: what a rank has of the tables of a world after the last step, sorted by key. Which bodies
// it has may change with every step; ids stay.

typedef enum {
  DRYSTONE_BODIES,
  DRYSTONE_CONTACTS,
  DRYSTONE_JOINTS,
  DRYSTONE_VOLUMES
} DrystoneTable;

typedef enum { DRYSTONE_F64, DRYSTONE_I32, DRYSTONE_U32, DRYSTONE_U64 } DrystoneType;

typedef struct {
  const char *name, *unit, *text;
  DrystoneType type;
  int components;   // scalars a row
  bool settable;
} DrystoneField;

// Local. Own rows; 0 of tables that the case has not.
DRYSTONE_API int64_t drystone_rows_count(const DrystoneWorld *world, DrystoneTable table);

// Local. Field `number` of a table, from 0 on; DRYSTONE_USER behind the last one.
DRYSTONE_API int drystone_rows_field(const DrystoneWorld *world, DrystoneTable table, int number,
                                     DrystoneField *field);

// Some rows of a field.
typedef struct {
  DrystoneTable table;
  const char *field;   // "position", "reaction", ...
  int64_t first, count;
} DrystoneRows;

// Local. Copies them to values: bytes is count times components times the size of the type.
DRYSTONE_API int drystone_rows_read(const DrystoneWorld *world, const DrystoneRows *rows,
                                    void *values, size_t bytes);

// Local. Sets position, orientation, velocity or spin of own bodies between two steps; momenta
// follow. Orientations are of length 1 up to 1e-6 and made so. Velocities are of dynamic bodies.
// None of the rows changes where one is refused.
DRYSTONE_API int drystone_rows_write(DrystoneWorld *world, const DrystoneRows *rows,
                                     const void *values, size_t bytes);

// Local. The row of a body on this rank, -1 where another rank has it or nobody does.
DRYSTONE_API int drystone_rows_find(const DrystoneWorld *world, uint64_t id, int64_t *row);

#ifdef __cplusplus
}
#endif
