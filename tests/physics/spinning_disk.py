#!/usr/bin/env python3
"""A disk that spins on its rim comes to rest after J w / (mu m g R), 0.33359 s.

R = 0.25 m, mu = 0.6, w = 5 pi rad/s. The points of a patch are corners of its outline, all at
distance R from the axis, so friction has the torque mu m g R wherever the weight stands on them:
for a full disk, J = m R^2 / 2, that takes R w / (2 mu g). (Even pressure over the area, which rigid
bodies do not have, gives 3/2 of that.) A regular prism of n sides has
J = m R^2 (2 + cos(2 pi / n)) / 6, which is the exact answer here and tends to the disk's as 1/n^2.
"""
# test: needs python3 python3-numpy
# test: ranks 3
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import both, case, check, check_converged, check_near, finish, run

RADIUS, FRICTION, SPIN, G = 0.25, 0.6, 5 * math.pi, 9.81
DISK = RADIUS * SPIN / (2 * FRICTION * G)
TOLERANCE = 1e-8


def share(sides):
  """Of the time for a full disk."""
  return (2 + math.cos(2 * math.pi / sides)) / 3


def disk(sides, step, end=0.4, points=32):
  angles = [2 * math.pi * k / sides for k in range(sides)]
  corners = [[RADIUS * math.cos(a), RADIUS * math.sin(a), z] for z in (0, 0.05) for a in angles]
  return case([{"box": [4, 4, 1], "at": [0, 0, -0.5], "fixed": True},
               {"hull": corners, "spin": [0, 0, SPIN]}],
              friction=FRICTION, step=step, end=end, frames=0.1,
              solver={"tolerance": TOLERANCE}, contact={"max_points": points})


def stop_time(done, step):
  """When the spin is nil, from the energy in the middle of the way, where it falls as a square."""
  root = numpy.sqrt(done["kinetic_energy"])
  rows = slice(len(root) // 10, len(root) * 3 // 10)
  slope, start = numpy.polyfit(done["time"][rows], root[rows], 1)
  return -start / slope


def check_rest(name, done, sides, step):
  time = DISK * share(sides)
  check_near(f"{name}: time to rest over that of a full disk", stop_time(done, step) / DISK,
             share(sides), 1e-5)
  # it is at rest from the step in which it stops on
  moving = done["time"][done["kinetic_energy"] > 1e-12 * done["kinetic_energy"][0]]
  check_near(f"{name}: end of the last step in which it turns, s", moving[-1], time,
             step + 1e-5 * time)
  # friction of points that carry unlike shares is a force as well, while it turns
  check(f"{name}: way of the middle, m", numpy.linalg.norm(done.bodies()["position"][1, :2]), "<",
        1e-4 * RADIUS)
  check_converged(name, done, TOLERANCE)


check_near("time for a full disk, s", DISK, 0.33359, 5e-6)
for sides in (8, 32):
  name = f"sides{sides}"
  check_rest(name, both(disk(sides, 1e-3), name), sides, 1e-3)
check_near("time for 32 sides, s", DISK * share(32), 0.33359, 0.0022)
check("what 8 sides lack over what 32 lack", (1 - share(8)) / (1 - share(32)), ">", 15)
# a step half as long; of 64 corners those that are kept are on the rim as well
check_rest("short steps", run(disk(16, 5e-4), "short"), 16, 5e-4)
check_rest("8 of 64 corners", run(disk(64, 1e-3, points=8), "eight"), 64, 1e-3)
finish()
