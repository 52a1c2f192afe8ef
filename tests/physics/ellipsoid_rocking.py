#!/usr/bin/env python3
"""A spheroid of half axes a = 0.3 m and c = 0.2 m (upright) rocks on a plane by a small angle.

It rests on a surface of curvature radius R = a^2/c, its centre R - c below that circle's. Where it
rolls, T = 2 pi sqrt((I + m c^2) / (m g (R - c))) = 1.030736 s; without friction the centre does not
move aside and T = 2 pi sqrt(I / (m g (R - c))) = 0.646937 s, I = m (a^2 + c^2)/5. The scheme is of
second order: the step of 4 ms has 16 times the error of that of 1 ms.
"""
# test: needs python3 python3-numpy
# test: ranks 3
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import both, case, check, check_near, finish, run

A, C, G, ANGLE = 0.3, 0.2, 9.81, 0.1
LEVER = G * (A * A / C - C)
SPIN = (A * A + C * C) / 5
KNOWN = {0.8: 2 * math.pi * math.sqrt((SPIN + C * C) / LEVER),
         0.0: 2 * math.pi * math.sqrt(SPIN / LEVER)}


def rocking(friction, step):
  turn = math.radians(ANGLE)
  height = math.hypot(A * math.sin(turn), C * math.cos(turn))
  return case([{"box": [4, 4, 1], "at": [0, 0, -0.5], "fixed": True},
               {"ellipsoid": {"radii": [A, A, C]}, "at": [0, 0, height],
                "turn": {"axis": [0, 1, 0], "angle": ANGLE}}],
              friction=friction, step=step, end=2.2, solver={"tolerance": 1e-11})


def period(done):
  """Twice the mean time between the zeros of the angular momentum about the origin."""
  time, momentum = done["time"], done["angular_momentum_y"]
  at = numpy.nonzero(momentum[:-1] * momentum[1:] < 0)[0]
  zeros = time[at] + (time[at + 1] - time[at]) * momentum[at] / (momentum[at] - momentum[at + 1])
  return 2 * (zeros[-1] - zeros[0]) / (len(zeros) - 1)


check_near("rolling period of the formula, s", KNOWN[0.8], 1.030736, 1e-6)
check_near("frictionless period of the formula, s", KNOWN[0.0], 0.646937, 1e-6)
for friction, known in KNOWN.items():
  # the period grows with the square of the angle, here by 1e-6 of it, and falls with that of h
  done = both(rocking(friction, 1e-3), f"friction{friction}")
  check_near(f"friction {friction}: period, s", period(done), known, 3e-6)
  check(f"friction {friction}: failed pairs", done["failed_pairs"].max(), "<=", 0)
  coarse = run(rocking(friction, 4e-3), f"coarse{friction}")
  check_near(f"friction {friction}: period with a step of 4 ms, s", period(coarse), known, 5e-5)
finish()
