#pragma once
// Rows of one plane that lie side by side between two bodies are a joint, and act as one row does.
//
// Bodies part or press as the joint does, so that its rows may pull where it rolls out. The
// bristles of a joint are a rigid field of its plane about its centroid. Rows have their shares of
// friction by volume, and of the field the value at their own centroid. Force, torque and energy of
// the rows are then those of the joint, however bodies are cut.
#include "common_find.h"
#include "compliant_law.h"

// A row on its way into the table.
typedef struct {
  int number;   // in the set
  const CommonRow *row;
  CompliantSolid solid;
  CompliantMotion motion;   // at its centroid
  CompliantState before;    // of the last step, as handed on
  CompliantForce force;
} CompliantRow;

typedef struct {
  CommonSolid common;   // of all rows
  CompliantSolid solid;
  CompliantMotion motion;   // at its centroid
  int count;
  int *members;   // [count] rows, ascending
} CompliantJoint;

typedef struct {
  int count;
  CompliantJoint *joints;
} CompliantJoints;

// Local. The joints of rows: a row that is in none begins one, and rows with its normal in its
// plane are of it that lie beside a row of it. The damping of its motion is that of its first row;
// where friction is integrated it has its footprint. Memory of the arena.
CompliantJoints compliant_joint_find(const CommonSet *set, const CompliantRow *rows, int count,
                                     Arena *arena);

// Local. Finds the forces of the rows of a joint.
void compliant_joint_act(const CompliantJoint *joint, CompliantRow *rows);
