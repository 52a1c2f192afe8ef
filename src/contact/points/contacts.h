#pragma once
// The table of contact points: own pairs first, pairs owned by other ranks after; each half sorted
// by key.
#include <stdbool.h>
#include <stdint.h>

#include "id_pair.h"
#include "table.h"
#include "vec3.h"

typedef struct {
  uint32_t low, high;
} IndexPair;   // of the body with the lower and the higher id

// Key = (bodies, parts, features). The normal points from the body with the higher id into the one
// with the lower id; the local basis is (normal, tangent 1, tangent 2) of contacts_basis; impulses
// act on the lower body, their opposite on the higher one. Points of bonds (bond.h) are rows of
// their own, which stay from step to step; cases without bonds leave their fields out. So do cases
// whose contacts begin as they are modelled with the offset (initial_gaps.h).
#define CONTACT_FIELDS(F)                                                                     \
  F(IdPair, bodies, FIELD_U64, 2, FIELD_STATE | FIELD_OUTPUT | FIELD_KEY | FIELD_BODIES, "1", \
    "ids of the two bodies, lower first")                                                     \
  F(IndexPair, parts, FIELD_U32, 2, FIELD_STATE | FIELD_OUTPUT | FIELD_KEY, "1",              \
    "convex part of each body")                                                               \
  F(IndexPair, features, FIELD_U32, 2, FIELD_STATE | FIELD_OUTPUT | FIELD_KEY, "1",           \
    "face, edge or vertex of each part")                                                      \
  F(IndexPair, axis, FIELD_U32, 2, FIELD_STATE, "1",                                          \
    "features whose axis separates the parts, kept between steps")                            \
  F(vec3, reaction, FIELD_F64, 3, FIELD_STATE | FIELD_OUTPUT | FIELD_IMPULSE, "N s",          \
    "impulse, local frame: normal, tangents")                                                 \
  F(vec3, anchor, FIELD_F64, 3, FIELD_STATE, "m",                                             \
    "the point in the frame of the lower body, for matching")                                 \
  F(vec3, point, FIELD_F64, 3, FIELD_OUTPUT | FIELD_SCENE, "m",                               \
    "contact point at the middle of the step")                                                \
  F(vec3, normal, FIELD_F64, 3, FIELD_STATE | FIELD_OUTPUT, "1",                              \
    "unit, from the higher into the lower body")                                              \
  F(double, gap, FIELD_F64, 1, FIELD_OUTPUT | FIELD_SCENE, "m",                               \
    "at the middle of the step, negative: overlap")                                           \
  F(double, area, FIELD_F64, 1, FIELD_OUTPUT | FIELD_SCENE, "m2", "tributary area")           \
  F(uint32_t, bond, FIELD_U32, 1, FIELD_STATE | FIELD_OUTPUT | FIELD_RARE, "1",               \
    "0 contact, 1 whole point of a bond, 2 broken one")                                       \
  F(vec3, anchor_high, FIELD_F64, 3, FIELD_STATE | FIELD_RARE, "m",                           \
    "a bond's point in the frame of the higher body")                                         \
  F(vec3, mortar, FIELD_F64, 3, FIELD_STATE | FIELD_RARE, "m2",                               \
    "a bond's tributary area times its normal, in the frame of the lower body")               \
  F(double, offset, FIELD_F64, 1, FIELD_STATE | FIELD_RARE | FIELD_APART, "m",                \
    "gap of the bodies as modelled that counts as none")                                      \
  F(double, slip, FIELD_F64, 1, FIELD_SHOWN, "m",                                             \
    "that the bodies slide over each other in a step with the velocities at its end")         \
  F(uint32_t, status, FIELD_U32, 1, FIELD_SHOWN, "1",                                         \
    "what its reaction does: 0 open, 1 sticks, 2 slides")

typedef struct {
  Table table;
  CONTACT_FIELDS(TABLE_COLUMN)
} Contacts;

extern const TableSchema CONTACTS_SCHEMA;

enum { CONTACT_OPEN = 0, CONTACT_STICKS = 1, CONTACT_SLIDES = 2 };

enum { BOND_NONE = 0, BOND_WHOLE = 1, BOND_BROKEN = 2 };

// What a row is of: a contact where there are no bonds.
static inline uint32_t contacts_bond(const Contacts *contacts, int row)
{
  return contacts->bond ? contacts->bond[row] : BOND_NONE;
}

// features: kind in the two highest bits, index below; both sides numbered: the number of a bond
// among those of its two bodies, and that of the point in it
enum { FEATURE_FACE = 0, FEATURE_EDGE = 1, FEATURE_VERTEX = 2, FEATURE_NUMBER = 3 };
static inline uint32_t feature_new(unsigned kind, int index)
{
  return (kind << 30) | (uint32_t)index;
}
static inline unsigned feature_kind(uint32_t feature) { return feature >> 30; }
// Of bonds between pieces of a body of a file the numbers are those of the node in each of them,
// the first one with a mark: a pair of pieces has one bond.
#define FEATURE_NODE (((uint32_t)FEATURE_NUMBER << 30) | 0x20000000u)
static inline bool feature_is_node(uint32_t feature)
{
  return (feature & FEATURE_NODE) == FEATURE_NODE;
}
// Of points at places that pieces of a body have in common (shared_places.h), in the second number:
// another pair's point holds the place, or this one holds it for others; both: it is given up, and
// points beside it stand for it (patch_seams.h).
#define FEATURE_HELD 0x20000000u
#define FEATURE_HOLDS 0x10000000u
static inline int feature_index(uint32_t feature) { return (int)(feature & 0x3fffffffU); }

// Does a row take no part, since another pair's holds its place?
static inline bool contacts_held(const Contacts *contacts, int row)
{
  return contacts->bond && (contacts->features[row].high & FEATURE_HELD) != 0;
}

// Is it a point of a bond that holds?
static inline bool contacts_whole(const Contacts *contacts, int row)
{
  return contacts_bond(contacts, row) == BOND_WHOLE && !contacts_held(contacts, row);
}

// Local. An empty table; release its memory (for the tests).
void contacts_begin(Contacts *contacts);
void contacts_end(Contacts *contacts);

// Local. Orders by key as table_compare does, for loops over all points of a step.
int contacts_compare(const Contacts *a, int row_a, const Contacts *b, int row_b);

// Local. Columns of the local basis: rows 0, 1, 2 are normal, first and second tangent; a function
// of the normal alone.
mat3 contacts_basis(vec3 normal);
