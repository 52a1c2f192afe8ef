#pragma once
// Rows that deform, as the contact problem knows them: at y from the centre of mass such a row
// moves with v + (w x + S) y, S symmetric, and an impulse f there is the push f and the dyad f y'.
// Its turn is the torque of the dyad, its squeeze the rest: together (w, S) and (turn, squeeze)
// have ELASTIC_UNKNOWNS numbers: w or turn, then xx, xy, xz, yy, yz, zz, off the diagonal both
// entries of a dyad together. The push and v are those of a rigid body.
#include <stdbool.h>

#include "arena.h"
#include "check.h"
#include "motion.h"

enum { ELASTIC_UNKNOWNS = 9 };

// What a row takes, by push and dyad.
typedef struct {
  vec3 push;   // N s, world axes
  mat3 dyad;   // sum of f y', N m s
} DyadLoad;

typedef struct {
  double resist[ELASTIC_UNKNOWNS * ELASTIC_UNKNOWNS];    // A0: (turn, squeeze) of (w, S), kg m2
  double respond[ELASTIC_UNKNOWNS * ELASTIC_UNKNOWNS];   // its inverse
  double of_dyad[ELASTIC_UNKNOWNS * ELASTIC_UNKNOWNS];   // the same between dyads and gradients
                                                         // w x + S, both by rows
} ElasticRow;

typedef struct {
  int *of_row;       // [rows] among the rows that deform, -1: none of them
  ElasticRow *row;   // those, ghosts too
} ElasticRows;

// Local. Rows are at the middle of the step. Memory from the arena.
const ElasticRows *elastic_rows_new(const Bodies *bodies, const MidState *mid, Arena *arena);

// Local. The row's numbers; NULL: it does not deform.
static inline const ElasticRow *elastic_rows_find(const ElasticRows *rows, int row)
{
  assert_debug(row >= 0 && "a body has a row");
  return rows && rows->of_row[row] >= 0 ? &rows->row[rows->of_row[row]] : NULL;
}

// Local. (turn, squeeze) of a dyad; (w, S) of a gradient and back; [ELASTIC_UNKNOWNS].
void elastic_numbers_of_dyad(mat3 dyad, double *numbers);
void elastic_numbers_of_field(mat3 field, double *numbers);
mat3 elastic_field_of_numbers(const double *numbers);

// Local. The gradient w x + S that a dyad gives, 1/s.
mat3 elastic_row_respond(const ElasticRow *row, mat3 dyad);

// Local. W of a place y, 1/kg, world axes; mass: the row's inverse mass.
mat3 elastic_row_delassus(const ElasticRow *row, double inverse_mass, vec3 y);

// Sums over points with a weight each: H' Sig H of a body, whose points have the places a, Sig in
// all directions alike.
typedef struct {
  double one;     // sum Sig, kg
  vec3 a;         // sum Sig a
  sym3 product;   // sum Sig a a'
} ElasticMoments;

// Local. A point more, and the same points with the places a + c.
void elastic_moments_add(ElasticMoments *moments, double weight, vec3 a);
ElasticMoments elastic_moments_about(ElasticMoments m, vec3 c);

enum { ELASTIC_ROW_UNKNOWNS = 3 + ELASTIC_UNKNOWNS };   // v, w, S

// A block of H' Sig H: of a body with itself, or of the lower body of a pair with the higher one.
typedef struct {
  double sums[4][4];   // sum Sig (1, a) (1, b)', places a, b from the two centres of mass
  bool row_deforms, column_deforms;   // bodies that do not have no S
  double sign;                        // -1: the points pull them in opposite ways
} ElasticBlock;

// Local. The sums of a body with itself; of the lower body and the higher one, whose places are the
// lower body's plus c.
void elastic_sums_of_body(const ElasticMoments *moments, double sums[4][4]);
void elastic_sums_of_pair(const ElasticMoments *moments, vec3 c, double sums[4][4]);

// Local. Adds it to a block [ELASTIC_ROW_UNKNOWNS^2] by rows.
void elastic_block_add(const ElasticBlock *added, double *block);

// Local. The gradient of a row's velocities w x + stretch.
static inline mat3 elastic_field(Velocities u, int row)
{
  return mat3_add(mat3_skew(u.twist[row].w), u.stretch[row]);
}
