#!/usr/bin/env python3
"""What the barrier scheme does in the long run and in large walls. A stack and a wall of 210 bricks
stand; conjugate gradients of a Newton step are as many in a wall of 500 bricks as in larger ones.

BARRIER_LONG=yes: 1e4 steps and not 300 for the wall, and walls of 4000 and 20,000 bricks.
"""
# test: needs python3
# test: slow
# test: timeout 900
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from cases import barred, check, finish, run

LONG = "BARRIER_LONG" in os.environ
FLOOR = {"box": [900, 10, 1], "at": [200, 0, -0.5], "fixed": True, "name": "floor"}
STACK = {"grid": {"box": [1, 1, 1], "count": [1, 1, 10], "spacing": [1, 1, 1]},
         "at": [0, 0, 0.5], "name": "stack"}


def wall(courses, bricks):
  return {"wall": {"courses": courses, "bricks": bricks, "brick": [0.4, 0.2, 0.2],
                   "joint": 0.002}, "name": "wall"}


for name, body, steps, distance, stiffness in (
    ("stack", STACK, 10000, 1e-3, 1e8),
    ("wall", wall(20, 10), 10000 if LONG else 300, 2e-4, 1e9)):
  end = steps * 1e-3
  done = run(barred([FLOOR, body], end, distance=distance, stiffness=stiffness, friction=0.6,
                    frames=end), name)
  fastest = abs(done.bodies()["velocity"][1:]).max()
  print(f"{name}: {fastest:.2g} m/s after {steps} steps, {done['sweeps'].mean():.2f} Newton steps "
        f"a step")
  # until it has settled it creeps, at less than the stick speed
  check(f"{name}: speed", fastest, "<", 1e-7 if steps == 10000 else 1e-6)
  check(f"{name}: steps that are not solved", done["unsolved"].sum(), "==", 0)

# above 400 bodies systems are solved by multigrid and conjugate gradients
least = None
for courses, bricks in ((20, 25), (20, 50)) + (((20, 200), (20, 1000)) if LONG else ()):
  done = run(barred([FLOOR, wall(courses, bricks)], 3e-3, distance=2e-4, stiffness=1e9,
                    tolerance=1e-6, friction=0.6), "large")
  inner = done["inner"].sum() / done["sweeps"].sum()
  print(f"{courses * bricks} bricks: {inner:.1f} conjugate gradients a Newton step, "
        f"{int(done['sweeps'].sum())} of these in 3 steps")
  least = least or inner
  check("conjugate gradients do not grow", inner, "<", 1.3 * least)
finish()
