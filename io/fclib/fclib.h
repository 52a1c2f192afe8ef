#pragma once
// Single contact problems in the field's exchange format, FCLIB (Acary, Bremond, Koziara and
// Perignon 2014), in HDF5 files. Local.
#include "disk.h"
#include "matrix_problem.h"

typedef enum {
  FCLIB_READ,
  FCLIB_DAMAGED,   // no file of that kind, or what is in it does not fit together
  FCLIB_REFUSED    // a kind of problem that we do not solve, or one that lies in other files
} FclibResult;

// What a file says of itself; texts are empty where it says nothing.
typedef struct {
  char title[128], description[512], remarks[512];
} FclibTexts;

// Reads a problem, local or global form, from the arena; problems in the plane get a second tangent
// without motion. Two files differ in what a triplet's p and i are: columns and rows in those of
// CSparse and Siconos, the other way round in the text of the format; what fits the matrix is
// taken, the former where both fit. Stored solutions and guesses are not read. Unless FCLIB_READ,
// status names file and object.
FclibResult fclib_read(const char *path, MatrixProblem *problem, FclibTexts *texts, Arena *arena,
                       DiskStatus *status);

// Writes FOLDER/NAME in compressed columns, under a temporary name until it is complete; a failure
// leaves what was there before untouched.
void fclib_write(const char *folder, const char *name, const MatrixProblem *problem,
                 const FclibTexts *texts, DiskStatus *status);
