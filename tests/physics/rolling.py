#!/usr/bin/env python3
"""A sphere on a slope of 15 degrees: it rolls with 5/7 g sin, or slides and turns up where friction
is less than 2/7 tan. A sphere's arm is its radius exactly, and forces are constant, so that the
scheme has no error in the step: tolerances are those of the solver, summed over all steps.
"""
# test: needs python3
# test: ranks 3
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from cases import both, case, check, check_converged, check_near, finish, run, tilted

SLOPE, RADIUS, G = 15.0, 0.25, 9.81
TOLERANCE = 1e-12
sine, cosine = math.sin(math.radians(SLOPE)), math.cos(math.radians(SLOPE))


def slope(friction, step=1e-3, end=3.5):
  return case([{"box": [60, 4, 1], "at": [20, 0, -0.5], "fixed": True},
               {"sphere": {"radius": RADIUS}, "at": [0, 0, RADIUS]}],
              gravity=tilted(SLOPE), step=step, end=end, friction=friction, frames=end,
              solver={"tolerance": TOLERANCE})


def check_run(text, done, friction, end=3.5):
  """Velocity, way and spin against a = g (sin - mu cos), alpha = 5/2 mu g cos / r, or rolling."""
  state = done.bodies()
  sticks = friction > 2 / 7 * sine / cosine
  a = 5 / 7 * G * sine if sticks else G * (sine - friction * cosine)
  alpha = a / RADIUS if sticks else 2.5 * friction * G * cosine / RADIUS
  # each step is off by the tolerance times what it adds, for the spin times J's 2.5
  error = 10 * TOLERANCE
  check_near(f"{text}: velocity, m/s", state["velocity"][1, 0], a * end, error * a * end)
  check_near(f"{text}: way, m", state["position"][1, 0], 0.5 * a * end * end, error * a * end * end)
  check_near(f"{text}: spin, rad/s", state["spin"][1, 1], alpha * end, error * alpha * end)
  check(f"{text}: across, m", abs(state["position"][1, 1]), "<=", error * 0.5 * a * end * end)
  check_converged(text, done, TOLERANCE)


# the stated numbers, then the formulas on either side of the critical friction, 0.076557
done = both(slope(0.5), "rolls")
check_near("acceleration, m/s2", done.bodies()["velocity"][1, 0] / 3.5, 1.813582, 5e-7)
check_near("velocity after 3.5 s, m/s", done.bodies()["velocity"][1, 0], 6.34754, 5e-6)
check_near("way after 3.5 s, m", done.bodies()["position"][1, 0], 11.10819, 5e-6)
check_run("friction 0.5", done, 0.5)
for friction in (0.0767, 0.0764, 0.02):
  check_run(f"friction {friction}", both(slope(friction), f"friction{friction}"), friction)
check_run("a step 8 times as long", run(slope(0.5, 7.8125e-3), "coarse"), 0.5)
finish()
