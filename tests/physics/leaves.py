#!/usr/bin/env python3
"""Leaves of brickwork that touch each other without force: joints between them are open, stick and
slip by nothing, and which of these they do is all that has to be found. From zero impulses the
solver gets to 1e-8 in some hundred iterations, as many as for half the leaves or so; with one
sigma for all points it took two to ten times as many and more with every course.
"""
# test: needs python3
# test: ranks 3
# test: timeout 300
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from cases import case, check, check_converged, check_same, finish, run

TOLERANCE, STEP = 1e-8, 1e-3


def leaves(count, bricks, courses, shift, joint=0.0):
    walls = [{"wall": {"courses": courses, "bricks": bricks, "brick": [0.4, 0.2, 0.2],
                       "joint": joint}, "at": [shift * (i % 2), 0.2 * i, 0]} for i in range(count)]
    return case([{"box": [40, 40, 1], "at": [0, 0, -0.5], "fixed": True}] + walls, friction=0.6,
                step=STEP, end=STEP, frames=STEP,
                solver={"tolerance": TOLERANCE, "max_sweeps": 1000, "method": "admm-amg"})


# leaves, bricks, courses, shift of every other leaf, joint, iterations at most
for count, bricks, courses, shift, joint, most in (
        (2, 20, 20, 0.0, 0.0, 150), (2, 20, 20, 0.1, 0.0, 160), (5, 20, 20, 0.0, 0.0, 160),
        (3, 10, 10, 0.1, 0.002, 120)):
    label = f"{count} leaves of {courses} courses, shifted by {shift}, joint {joint}"
    described = leaves(count, bricks, courses, shift, joint)
    done = run(described, f"leaves.{count}.{shift}.{joint}")
    check_converged(label, done, TOLERANCE)
    check(f"{label}: iterations", done["sweeps"][0], "<=", most)

small = leaves(3, 10, 10, 0.1, 0.002)
check_same("hash on 1 and 3 ranks", run(small, "one", 1).hash, run(small, "three", 3).hash)
finish()
