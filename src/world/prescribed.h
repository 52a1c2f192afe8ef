#pragma once
// Bodies that move as the case prescribes, and foundations, of which it moves the frame: a point
// that a body carries along travels, and the body turns about it. The point is the centre of mass,
// or the place `about` of the case at the body's birth. Everything follows from the row and the
// case, so that ghosts have the bits of their owner.
#include "motion.h"
#include "world.h"

// Local. Does the case move a row, or its frame?
bool prescribed_row(const Bodies *bodies, int row);

// Local. Gives a row that has just been appended the velocities with which its motion begins at the
// start of the coming step.
void prescribed_begin(World *world, int row);

// Local. What the motion changes of a row's velocities in the coming step, and how far beyond them
// its path leads; the row is at the start of the step.
MotionChange prescribed_change(World *world, int row);

// Local. Moves all prescribed rows, ghosts too, to the middle of the step; fills their rotation in
// mid, and their velocities at the start and the end of the step, both with the arm that the centre
// of mass has at the middle. Arrays are [bodies.table.count], other rows are left alone.
void prescribed_first_half(World *world, MidState *mid, Twist *start, Twist *end);

// Local. Moves own prescribed rows on to the end of the step, with the velocities from above.
void prescribed_second_half(World *world, const Twist *end);

// Local. What the case holds of foundations, [bodies.table.count] in the arena, from the velocities
// of the first half; NULL: there are none.
const HeldMotion *prescribed_hold(World *world, const Twist *start, const Twist *end, Arena *arena);
