#pragma once
// The table of common volumes of pairs of bodies with the volumetric law: own rows first, rows
// owned by other ranks after; each half sorted by key.
#include <stdint.h>

#include "id_pair.h"
#include "table.h"
#include "vec3.h"

typedef struct {
  uint32_t low, high;
} VolumeParts;   // of the body with the lower and the higher id

// A row is named after the pair of parts that it began with (common_find.h). The normal points from
// the body with the higher id into the one with the lower id; impulse and couple act on the lower
// body at the point, their opposite on the higher one.
#define VOLUME_FIELDS(F)                                                                      \
  F(IdPair, bodies, FIELD_U64, 2, FIELD_STATE | FIELD_OUTPUT | FIELD_KEY | FIELD_BODIES, "1", \
    "ids of the two bodies, lower first")                                                     \
  F(VolumeParts, parts, FIELD_U32, 2, FIELD_STATE | FIELD_OUTPUT | FIELD_KEY, "1",            \
    "convex part of each body that the row is named after")                                   \
  F(vec3, bristle, FIELD_F64, 3, FIELD_STATE | FIELD_OUTPUT, "m",                             \
    "what the layer gives along the joint, world axes")                                       \
  F(double, twist, FIELD_F64, 1, FIELD_STATE | FIELD_OUTPUT, "rad",                           \
    "what it gives about the normal")                                                         \
  F(vec3, place, FIELD_F64, 3, FIELD_STATE, "m",                                              \
    "the point in the frame of the lower body, for matching")                                 \
  F(vec3, normal, FIELD_F64, 3, FIELD_STATE | FIELD_OUTPUT, "1",                              \
    "unit, from the higher into the lower body")                                              \
  F(vec3, impulse, FIELD_F64, 3, FIELD_OUTPUT | FIELD_SCENE | FIELD_IMPULSE, "N s",           \
    "on the lower body in the step, world axes")                                              \
  F(vec3, couple, FIELD_F64, 3, FIELD_OUTPUT | FIELD_SCENE | FIELD_IMPULSE, "N m s",          \
    "on the lower body about the point in the step, world axes")                              \
  F(vec3, point, FIELD_F64, 3, FIELD_OUTPUT | FIELD_SCENE, "m",                               \
    "centroid of the volume at the middle of the step")                                       \
  F(double, volume, FIELD_F64, 1, FIELD_OUTPUT | FIELD_SCENE, "m3",                           \
    "that the bodies share at the middle of the step")                                        \
  F(double, area, FIELD_F64, 1, FIELD_OUTPUT | FIELD_SCENE, "m2",                             \
    "of the joint, across the normal")                                                        \
  F(double, elastic, FIELD_F64, 1, FIELD_OUTPUT | FIELD_SCENE, "J",                           \
    "energy of layer, bristle and twist at the middle of the step")                           \
  F(double, damped, FIELD_F64, 1, FIELD_OUTPUT | FIELD_SCENE, "J",                            \
    "what damping along the normal took in the step")                                         \
  F(double, rolled, FIELD_F64, 1, FIELD_OUTPUT | FIELD_SCENE, "J",                            \
    "what rolling took in the step")                                                          \
  F(double, rubbed, FIELD_F64, 1, FIELD_OUTPUT | FIELD_SCENE, "J",                            \
    "what sliding and spinning took in the step")                                             \
  F(uint32_t, slides, FIELD_U32, 1, FIELD_OUTPUT | FIELD_SCENE, "1",                          \
    "1 at the limit of friction, 0 below")                                                    \
  F(vec3, arm, FIELD_F64, 3, FIELD_SCENE, "m",                                                \
    "from the lower body's centre of mass to the point, world axes")                          \
  F(double, spring, FIELD_F64, 1, FIELD_SCENE | FIELD_IMPULSE, "N s",                         \
    "share of the normal impulse that is no damping")

typedef struct {
  Table table;
  VOLUME_FIELDS(TABLE_COLUMN)
} Volumes;

extern const TableSchema VOLUMES_SCHEMA;

// Local. Calls back for all rows, own and ghost, in the order of their keys.
typedef void VolumeVisit(void *context, const Volumes *volumes, int row);
void volumes_visit(const Volumes *volumes, VolumeVisit *visit, void *context);
