#pragma once
// The table of joints: a row for each point that a joint holds. Own rows first, rows owned by other
// ranks after; each half sorted by key.
#include <stdint.h>

#include "id_pair.h"
#include "joint_rule.h"
#include "table.h"
#include "vec3.h"

enum { JOINT_WHOLE = 0, JOINT_YIELDING = 1, JOINT_BROKEN = 2 };

// Axes of a row: joints_basis of its normal, which is fixed in one of the two bodies or leads along
// the line between the places (joint_rule.h). The normal of a row looks from the higher body to the
// lower one where the two can tell.
#define JOINT_FIELDS(F)                                                                         \
  F(IdPair, bodies, FIELD_U64, 2, FIELD_STATE | FIELD_OUTPUT | FIELD_KEY | FIELD_BODIES, "1",   \
    "ids of the two bodies, lower first; one above all bodies is space")                        \
  F(uint32_t, number, FIELD_U32, 1, FIELD_STATE | FIELD_OUTPUT | FIELD_KEY, "1",                \
    "of the row, through all joints of the case")                                               \
  F(uint32_t, status, FIELD_U32, 1, FIELD_STATE | FIELD_OUTPUT, "1",                            \
    "0 whole, 1 yielded in the last step, 2 broken")                                            \
  F(vec3, reaction, FIELD_F64, 3, FIELD_STATE | FIELD_OUTPUT | FIELD_IMPULSE, "N s",            \
    "impulse on the lower body in the last step, world frame")                                  \
  F(vec3, plastic, FIELD_F64, 3, FIELD_STATE | FIELD_OUTPUT, "m",                               \
    "separation that it has yielded by, in its axes: normal, tangents")                         \
  F(vec3, met_at, FIELD_F64, 3, FIELD_STATE | FIELD_APART, "m",                                 \
    "centre of the body that was there before as the other one appeared; zero: none was")       \
  F(quat, met_turned, FIELD_F64, 4, FIELD_STATE | FIELD_APART, "1",                             \
    "orientation of that body then")                                                            \
  F(uint32_t, joint, FIELD_U32, 1, FIELD_OUTPUT | FIELD_SCENE, "1",                             \
    "number of the joint in the case")                                                          \
  F(vec3, elongation, FIELD_F64, 3, FIELD_OUTPUT | FIELD_SCENE, "m",                            \
    "separation at the end of the step, in its axes: normal, tangents")                         \
  F(double, elastic, FIELD_F64, 1, FIELD_OUTPUT | FIELD_SCENE, "J",                             \
    "energy of its spring at the end of the step")                                              \
  F(double, damped, FIELD_F64, 1, FIELD_OUTPUT | FIELD_SCENE, "J",                              \
    "work that its damper took in the step, or that it lost as it became slack or taut")        \
  F(double, spent, FIELD_F64, 1, FIELD_OUTPUT | FIELD_SCENE, "J",                               \
    "work that yielding or breaking took in the step")                                          \
  F(vec3, place, FIELD_F64, 3, FIELD_OUTPUT | FIELD_SCENE, "m",                                 \
    "of the lower body's point at the middle of the step")                                      \
  F(vec3, place_high, FIELD_F64, 3, FIELD_OUTPUT | FIELD_SCENE, "m",                            \
    "of the higher body's point at the middle of the step")                                     \
  F(vec3, anchor, FIELD_F64, 3, FIELD_SCENE, "m",                                               \
    "the point in the frame of the lower body, from its centre of mass")                        \
  F(vec3, anchor_high, FIELD_F64, 3, FIELD_SCENE, "m",                                          \
    "the point in the frame of the higher body, from its centre of mass")                       \
  F(vec3, normal, FIELD_F64, 3, FIELD_SCENE, "1",                                               \
    "unit, in the frame of the body that it is fixed in; of a line: in the world at the start") \
  F(double, length, FIELD_F64, 1, FIELD_SCENE, "m", "of a line without elongation")

typedef struct {
  Table table;
  JOINT_FIELDS(TABLE_COLUMN)
  const JointRule *rules;   // by number, of the case; not of this table
} Joints;

extern const TableSchema JOINTS_SCHEMA;

// Local. The rule of a row.
static inline const JointRule *joints_rule(const Joints *joints, int row)
{
  assert_debug(joints->rules != NULL && row >= 0 && row < joints->table.count &&
               "rows have the rules of the case");
  return &joints->rules[joints->number[row]];
}
