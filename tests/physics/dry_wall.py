#!/usr/bin/env python3
"""A dry wall on a tilting table, and where it no longer stands.

In its plane: 6 courses of 4 bricks 0.4 x 0.175 m in running bond, half bricks at the ends. Of all
forces in joints that friction allows, some balance the weight up to 21.801 degrees at mu = 0.4 and
33.024 at 0.65, where all slides, and up to 39.198 at 0.9 (linear programs). Beyond, no wall stands.
Below, rest is an answer of Coulomb's law, but not always the only one: from 33.491 degrees on the
bricks above a staircase of joints can turn as one about the lower corner of the second course, all
other places where they touch the rest opening, unless bricks at rest were wedged in beforehand. So
at 0.9 the wall must stand at 33.4 and fall at 39.3; in between it depends on how it came there. Out
of its plane a wall of thickness t and height H turns over its foot from atan(t/H) on.
"""
# test: needs python3 python3-numpy
# test: slow
# test: ranks 3
# test: timeout 600
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import both, case, check, check_converged, check_near, finish, tilted

COURSES, BRICKS, LENGTH, HEIGHT, G = 6, 4, 0.4, 0.175, 9.81
TOLERANCE, STEP = 1e-6, 1e-3


def wall(degrees, friction, towards, thickness, end):
  return case([{"box": [12, 12, 1], "at": [0, 0, -0.5], "fixed": True},
               {"wall": {"courses": COURSES, "bricks": BRICKS,
                         "brick": [LENGTH, thickness, HEIGHT]}, "at": [-0.8, 0, 0]}],
              gravity=tilted(degrees, towards), friction=friction, step=STEP, end=end, frames=end,
              solver={"tolerance": TOLERANCE, "max_sweeps": 20000})


def way(done):
  """The largest of any brick, m."""
  return numpy.linalg.norm(done.bodies()["position"] - done.bodies(0)["position"], axis=1).max()


def check_stands(name, done):
  # velocities may be off by 10 tolerance g h in each step
  steps = len(done["step"])
  check(f"{name}: largest way of a brick, m", way(done), "<=",
        steps * 10 * TOLERANCE * G * STEP * STEP)
  check_converged(name, done, TOLERANCE)


def staircase():
  """The angle at which the bricks above the staircase from the second course's end turn, degrees.

  In course k, the lowest being 0, half a brick times k turns at the right end.
  """
  x, z = 0.0, 0.0
  for course in range(1, COURSES):
    part = 0.5 * LENGTH * course
    x += part * 0.5 * part   # of the middle, from the right end
    z += part * (course - 0.5) * HEIGHT
  return math.degrees(math.atan(x / z))


check_near("limit of the staircase, degrees", staircase(), 33.491, 5e-4)

# in the plane, as near to the limits as a tenth of a degree; beyond by d degrees no force balances
# about g d of the weight, so that some brick moves by about g d t^2 / 2
for friction, safe, limit in ((0.4, 21.801, 21.801), (0.65, 33.024, 33.024),
                              (0.9, staircase(), 39.198)):
  stands = both(wall(safe - 0.1, friction, (1, 0), 0.2, 0.2), f"stands_{friction}")
  check_stands(f"mu {friction} at {safe - 0.1:.3f} degrees", stands)
  falls = both(wall(limit + 0.1, friction, (1, 0), 0.2, 0.2), f"falls_{friction}")
  check(f"mu {friction} at {limit + 0.1:.3f} degrees: largest way, m", way(falls), ">=",
        0.2 * 0.5 * G * math.radians(0.1) * 0.2 ** 2)
  # as it begins to slide and to turn, one step in a hundred may end short, and not by much
  missed = falls["residual_max"] > TOLERANCE
  check(f"mu {friction} beyond its limit: share of steps that end short", missed.mean(), "<=", 0.01)
  check(f"mu {friction} beyond its limit: largest residual", falls["residual_max"].max(), "<=",
        10 * TOLERANCE)

# all slide alike just above the angle of friction: a = g (sin - mu cos)
slides = both(wall(22.3, 0.4, (1, 0), 0.2, 0.2), "slides")
a = G * (math.sin(math.radians(22.3)) - 0.4 * math.cos(math.radians(22.3)))
moved = slides.bodies()["position"][:, 0] - slides.bodies(0)["position"][:, 0]
check_near("way of the slowest brick at 22.3 degrees over a t^2 / 2", moved[1:].min() /
           (0.5 * a * 0.2 ** 2), 1, 1e-3)
check_near("way of the fastest one", moved.max() / (0.5 * a * 0.2 ** 2), 1, 1e-3)

# out of the plane: the whole leaf turns over its foot with p^2 = 3 g / (4 R), R half the diagonal
thickness, tall = 0.1, COURSES * HEIGHT
limit = math.degrees(math.atan(thickness / tall))
stands = both(wall(limit - 0.05, 0.65, (0, 1), thickness, 0.2), "leaf_stands")
check_stands(f"leaf at {limit - 0.05:.3f} degrees", stands)
leans = both(wall(limit + 0.5, 0.65, (0, 1), thickness, 0.5), "leaf_leans")
reach = math.hypot(thickness, tall)
turned = math.radians(0.5) * (math.cosh(math.sqrt(1.5 * G / reach) * 0.5) - 1)
top = (leans.bodies()["position"] - leans.bodies(0)["position"])[-1]
# the middle of the upper course is half a brick below the top
arm = math.hypot(0.5 * thickness, tall - 0.5 * HEIGHT)
check_near("leaf: way of the upper course over that of a block that turns over its foot",
           numpy.linalg.norm(top) / (arm * turned), 1, 0.01)
check_converged("leaf beyond its limit", leans, TOLERANCE)
finish()
